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
    /// What an observation says about the elements of a vector that are not taken.
    Fold { list: usize, observation: ObservationId },
    /// The same for a vector of pointers, whose elements are in a field of an object.
    FoldPointers { node_type: usize, object: usize, elements: usize, observation: ObservationId },
    /// What the first pointer of the list holds that the run is about, with a slot like it.
    First(SlotId),
    /// Whether a list has no rest.
    IsLast,
}

/// The answer to an observation that would split the group too finely: the subtree is read.
pub(super) const UNANSWERED: Answer = Answer::MAX;

/// What a run does next.
#[derive(Debug, Clone, Copy)]
pub(super) enum Next {
    Asks(Query, usize),
    Answers(Answer),
}

/// How a run has ended.
#[derive(Debug, Clone, Copy)]
pub(super) enum End {
    /// With an answer.
    Answers(Answer),
    /// With a question that got none.
    Asks(Query),
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

    /// Notes what a run has asked, with the answers that it got, and what it did then. False if the code did something else
    /// the last time.
    #[must_use]
    pub fn note(&mut self, of: (usize, ObservationId), asked: &[(Query, Answer)], end: End) -> bool {
        // Where the run is: at the beginning, or behind an answer to a question.
        let mut place: Option<(usize, Answer)> = None;
        for (query, answer) in asked {
            match self.go_on(of, place, *query) {
                Some(at) => place = Some((at, *answer)),
                None => return false,
            }
        }
        match end {
            End::Asks(query) => self.go_on(of, place, query).is_some(),
            End::Answers(end) => match place {
                None => *self.constant.entry(of).or_insert(end) == end && !self.first.contains_key(&of),
                Some(place) => {
                    !self.next.contains_key(&place) && *self.answers.entry(place).or_insert(end) == end
                }
            },
        }
    }

    /// The next question of a run. None if it did something else the last time.
    fn go_on(
        &mut self,
        of: (usize, ObservationId),
        place: Option<(usize, Answer)>,
        query: Query,
    ) -> Option<usize> {
        let is_over = match place {
            None => self.constant.contains_key(&of),
            Some(place) => self.answers.contains_key(&place),
        };
        if is_over {
            return None;
        }
        let new = self.queries.len();
        let at = match place {
            None => *self.first.entry(of).or_insert(new),
            Some(place) => *self.next.entry(place).or_insert(new),
        };
        if at == new {
            self.queries.push(query);
        }
        (self.queries[at] == query).then_some(at)
    }
}
