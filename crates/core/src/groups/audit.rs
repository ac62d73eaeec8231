//! Audit of edges: a helper runs on whole subtrees of a group, and has to answer what the group says.
//!
//! An *edge* is a group, an observation and one of its answers. Some subtrees with this answer are drawn, and some of the
//! whole group. On each of them the helper runs with everything that it calls, and nothing is answered from groups. If the
//! results differ, the answers of a helper depend on something that no type shows, or a summary is wrong.

use super::evaluation::{Evaluation, Making};
use super::frame::Outside;
use super::store::{Answer, FIRST_CALL, ObservationId, REFUSED};
use crate::conjuncts::{self, Turn};
use crate::invariant::run_on_part;
use crate::key::OpenKey;
use crate::rules::{FieldKind, FieldState, GroupId, Rule};

/// An edge; or a whole group, whose subtrees may give any of some answers.
pub(super) struct Edge {
    pub group: GroupId,
    pub observation: ObservationId,
    pub answers: Vec<Answer>,
    pub is_whole: bool,
}

/// At most so many edges are audited, evenly spread over all of them.
const MOST_EDGES: usize = 2_000;

/// How the reason begins if the audit finds a difference.
pub(crate) const DIFFERS: &str = "the summaries are wrong";

/// Compares the edges with runs on whole subtrees, so many for each edge. Returns how many runs that took, or the first
/// difference.
pub(super) fn audit(evaluation: &'static Evaluation, members: usize) -> Result<u64, String> {
    let edges = evaluation.state.borrow().store.edges();
    let step = edges.len().div_ceil(MOST_EDGES).max(1);
    let (mut random, mut runs) = (Random(edges.len() as u64), 0);
    for edge in edges.iter().step_by(step) {
        for _ in 0..members {
            let Some(answer) = answer_of_member(evaluation, edge, &mut random) else { continue };
            runs += 1;
            let is_known = edge.answers.contains(&answer) || edge.is_whole && answer == REFUSED;
            if !is_known {
                let making = evaluation.state.borrow();
                let site = making.calls[(edge.observation - FIRST_CALL) as usize].site;
                return Err(format!(
                    "{DIFFERS}: `{}` in line {} answers something else for a subtree than for the group that the subtree \
                     is in, so its answer depends on more than its arguments",
                    site.name, site.line
                ));
            }
        }
    }
    Ok(runs)
}

/// Runs a helper on a subtree that is drawn from a group. None if it does not end as a function of the subtree.
fn answer_of_member(evaluation: &'static Evaluation, edge: &Edge, random: &mut Random) -> Option<Answer> {
    let (body, node_type) = {
        let mut making = evaluation.state.borrow_mut();
        let Making { store, frame, .. } = &mut *making;
        let node_type = store.node_type(edge.group);
        let rules = store.rules(edge.group);
        if rules.is_empty() {
            return None;
        }
        let rule = rules[random.below(rules.len() as u32) as usize].clone();
        let rule = whole(store, node_type, rule, random);
        frame.decisions.clear();
        frame.begin(store, node_type, &rule, None);
        making.is_reading_all = true;
        (making.calls[(edge.observation - FIRST_CALL) as usize].body.clone(), node_type)
    };
    conjuncts::set_turn(Turn::Careful);
    let object = evaluation.first_object(node_type);
    let result = run_on_part(crate::ask::NOTHING, || body(object));
    let mut making = evaluation.state.borrow_mut();
    making.is_reading_all = false;
    making.frame.end(evaluation.heap.layout);
    match result {
        Ok(answer) => Some(answer),
        Err(thrown) if thrown.is::<Outside>() || thrown.is::<OpenKey>() => None,
        Err(thrown) => {
            // What was thrown may have a destructor that panics.
            std::mem::forget(thrown);
            Some(Answer::MAX)
        }
    }
}

/// A subtree: a rule in which every field is decided, and every group has one such rule.
fn whole(store: &mut super::store::Store, node_type: usize, mut rule: Rule, random: &mut Random) -> Rule {
    let types = store.types.clone();
    for field in 0..rule.len() {
        let this = &types.all[node_type];
        let is_there = this.is_there(field, &|around| match rule[around] {
            FieldState::Choice(choice) => Some(choice),
            _ => None,
        });
        rule[field] = match (rule[field], this.fields[field].kind) {
            (FieldState::Group(group), _) => {
                let (of, rules) = (store.node_type(group), store.rules(group));
                let inside = rules[random.below(rules.len() as u32) as usize].clone();
                let inside = whole(store, of, inside, random);
                FieldState::Group(store.single(of, inside))
            }
            // A key stays open.
            (FieldState::Unread, kind @ FieldKind::Data { key, .. }) if is_there && key != Some(0) => {
                kind.state(random.below(kind.answers().unwrap_or(1)))
            }
            (state, _) => state,
        };
    }
    rule
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % u64::from(bound.max(1))) as u32
    }
}
