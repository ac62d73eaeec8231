//! What code has asked, and what it has answered: a run whose questions get the same answers ends the same way.
//!
//! The groups that a helper runs on differ in the sizes of subtrees, and code does not see these. So for each observation
//! there is a tree of the questions that its body asks, with a branch for each answer. A job follows the tree, and runs the
//! body only where the tree ends.

use super::store::{Answer, ObservationId};
use crate::ids::SlotId;
use std::collections::HashMap;

/// What a run asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Query {
    /// What a slot holds.
    Read(SlotId),
    /// What an observation says about an object.
    Observe { node_type: usize, object: usize, observation: ObservationId },
}

/// The answer to an observation that would split the group too finely: the subtree is read.
pub(super) const UNANSWERED: Answer = Answer::MAX;

/// What a run does next.
#[derive(Debug, Clone, Copy)]
pub(super) enum Next {
    Asks(Query, usize),
    Answers(Answer),
}

/// What bodies ask and answer.
#[derive(Default)]
pub(super) struct Traces {
    /// The first question of each body.
    first: HashMap<(usize, ObservationId), usize>,
    queries: Vec<Query>,
    next: HashMap<(usize, Answer), usize>,
    answers: HashMap<(usize, Answer), Answer>,
    /// The answers of bodies that ask nothing.
    constant: HashMap<(usize, ObservationId), Answer>,
}

impl Traces {
    /// What the body of an observation does first, if that is known.
    pub fn begin(&self, of: (usize, ObservationId)) -> Option<Next> {
        if let Some(answer) = self.constant.get(&of) {
            return Some(Next::Answers(*answer));
        }
        let at = *self.first.get(&of)?;
        Some(Next::Asks(self.queries[at], at))
    }

    /// What it does when the question at a place gets an answer, if that is known.
    pub fn after(&self, at: usize, answer: Answer) -> Option<Next> {
        if let Some(answer) = self.answers.get(&(at, answer)) {
            return Some(Next::Answers(*answer));
        }
        let at = *self.next.get(&(at, answer))?;
        Some(Next::Asks(self.queries[at], at))
    }

    /// Notes what a run has asked, with the answers that it got, and its own answer. False if the code did something else
    /// the last time.
    #[must_use]
    pub fn note(&mut self, of: (usize, ObservationId), asked: &[(Query, Answer)], end: Answer) -> bool {
        let Some(&(query, _)) = asked.first() else {
            return *self.constant.entry(of).or_insert(end) == end && !self.first.contains_key(&of);
        };
        let mut at = *self.first.entry(of).or_insert(self.queries.len());
        if at == self.queries.len() {
            self.queries.push(query);
        }
        for (i, (query, answer)) in asked.iter().enumerate() {
            if self.queries[at] != *query {
                return false;
            }
            let Some((query, _)) = asked.get(i + 1) else { break };
            if self.answers.contains_key(&(at, *answer)) {
                return false;
            }
            let known = *self.next.entry((at, *answer)).or_insert(self.queries.len());
            if known == self.queries.len() {
                self.queries.push(*query);
            }
            at = known;
        }
        let last = asked[asked.len() - 1].1;
        !self.next.contains_key(&(at, last)) && *self.answers.entry((at, last)).or_insert(end) == end
    }
}
