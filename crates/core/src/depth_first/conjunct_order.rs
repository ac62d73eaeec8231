//! The order of the conjuncts: `a && b` is `b && a`, but one of the two may need many more runs to refute what both refute.
//! The invariants of parts run behind that of the whole, or before it.
//!
//! All orders are tried in a small scope, and the order that needs the fewest runs is taken. Only counts decide, never the
//! clock, so the order is the same every time, and so is every position. The runs of the trials are not counted as explored;
//! each order needs fewer of them than the search itself.
//!
//! A conjunct may rely on those before it. The first time that one panics out of turn, or does not end, the trial is over,
//! and no order is tried any more in which this conjunct is out of turn. In the larger scope of the search it may still
//! happen to another one. That one is evaluated again in its turn, for each candidate: the order stays, since positions
//! depend on it. Nothing is moved if panics do not unwind, or if a field may hold a number that is too large to allocate
//! as many bytes.

use super::DepthFirst;
use super::find::Found;
use super::run::Run;
use crate::bounds::Bounds;
use crate::build::Build;
use crate::conjuncts::{ConjunctSite, LARGEST};
use crate::guard::CAN_UNWIND;
use crate::invariant::Structure;
use crate::layout::Layout;
use crate::options::{Classes, Disjoint, Engine, Options};
use crate::outcome::{Outcome, Stop};
use crate::path::conjunctions::is_out_of_turn;
use std::ops::ControlFlow;

/// How many runs a small scope may take in the order of the source.
const TRIAL_RUNS: u64 = 3_000;
/// The same where there are just two orders.
const FEW_RUNS: u64 = 400;
/// Numbers in the bounds of a small scope are not greater than this.
const LARGEST_TRIAL: u32 = 24;
/// Candidates between two looks at the number of runs.
const TICK_OFTEN: u64 = 16;
/// The most orders that are tried.
const MOST_ORDERS: usize = 120;

/// The order in which the conjuncts run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Order {
    /// Those of the invariant; none for the order of the source.
    pub own: Option<Vec<u32>>,
    /// The invariants of parts run before.
    pub parts_first: bool,
}

/// Whether something may run out of turn.
pub(super) fn can_be_moved(layout: &Layout) -> bool {
    CAN_UNWIND && layout.largest <= LARGEST
}

/// Chooses the order with the fewest runs in the largest scope that is small; none for the usual one.
pub(crate) fn choose(structure: Structure, bounds: &Bounds, mut options: Options) -> Option<Order> {
    let of = structure.of;
    if options.engine != Engine::Lazy || !options.lazy.order || !can_be_moved(structure.heap.layout) {
        return None;
    }
    let sites = (of.conjuncts)();
    let orders = orders(sites);
    if orders.len() < 2 && structure.inner.is_none() {
        return None;
    }
    (options.audit, options.recheck_every) = (false, 0);
    options.classes = Classes::Ignored;
    options.disjoint = Disjoint::Off;
    let mut small = None;
    for most in 1..=LARGEST_TRIAL {
        let mut trial = DepthFirst::new(of, (of.blank)(), &bounds.up_to(most), options).ok()?;
        match runs(&mut trial, if orders.len() > 2 { TRIAL_RUNS } else { FEW_RUNS })? {
            (runs, true) => small = Some((trial, runs)),
            _ => break,
        }
    }
    let (mut trial, mut fewest) = small?;
    let known = &trial.structure.heap.state;
    known.borrow_mut().conjunctions.is_trial = true;
    let mut best = None;
    for order in orders {
        let is_kept = |i: usize| {
            is_out_of_turn(&order, i) && known.borrow().conjunctions.in_turn_only.contains(&order[i])
        };
        if order.len() < 2 || (0..order.len()).any(is_kept) {
            continue;
        }
        trial.set_order(order.clone());
        if let Some((runs, true)) = runs(&mut trial, fewest).filter(|(runs, _)| *runs < fewest) {
            (fewest, best) = (runs, Some(order));
        }
    }
    trial.set_order(best.clone().unwrap_or_else(|| (0..sites.len() as u32).collect()));
    trial.set_parts_first(true);
    let parts_first = structure.inner.is_some_and(|inner| {
        !inner.can_wait || runs(&mut trial, fewest).is_some_and(|(runs, is_all)| is_all && runs < fewest)
    });
    Some(Order { own: best, parts_first })
}

/// Searches from the beginning, with one value for each path, for so many runs of the invariant; then the search is as
/// before. Returns how many runs that took, and whether it was the whole search; none if the invariant misbehaves.
fn runs(trial: &mut DepthFirst, most: u64) -> Option<(u64, bool)> {
    let (mut run, mut build) = (Run::new(), Build::within(trial.structure.heap));
    run.until_tick = 1;
    let mut tick = |outcome: &Outcome| match outcome.explored < most {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(Stop::Interrupted),
    };
    let found = loop {
        match trial.find_next(&mut run, &mut build, &mut tick) {
            Ok(Found::Valid) => {
                trial.drop_set(&mut run);
                run.until_tick = run.until_tick.min(TICK_OFTEN);
            }
            other => break other,
        }
    };
    trial.reset();
    found.ok().map(|_| (run.outcome.explored, run.outcome.stop == Stop::Exhausted))
}

/// Returns all orders in which conjuncts that may be moved change places with such conjuncts next to them; none if these
/// would be too many.
pub(super) fn orders(sites: &[ConjunctSite]) -> Vec<Vec<u32>> {
    let mut orders: Vec<Vec<u32>> = vec![vec![]];
    for segment in sites.chunk_by(|a, b| a.is_movable && b.is_movable) {
        let first = orders[0].len() as u32;
        let segment = permuted(&(first..first + segment.len() as u32).collect::<Vec<_>>());
        let mut longer = vec![];
        for order in &orders {
            for more in &segment {
                longer.push([order.as_slice(), more].concat());
            }
        }
        orders = longer;
        if orders.len() > MOST_ORDERS {
            return vec![];
        }
    }
    orders
}

fn permuted(items: &[u32]) -> Vec<Vec<u32>> {
    if items.is_empty() || items.len() > 5 {
        return vec![items.to_vec()];
    }
    let mut all = vec![];
    for i in 0..items.len() {
        let mut rest = items.to_vec();
        let first = rest.remove(i);
        for tail in permuted(&rest) {
            all.push([&[first], &tail[..]].concat());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sites(movable: &[bool]) -> Vec<ConjunctSite> {
        let site = |&is_movable| ConjunctSite { text: "", line: 0, is_pure: true, is_movable };
        movable.iter().map(site).collect()
    }

    #[test]
    fn movable_neighbours_change_places() {
        assert_eq!(orders(&sites(&[true, true])), [[0, 1], [1, 0]]);
        assert_eq!(orders(&sites(&[true, false, true, true])), [[0, 1, 2, 3], [0, 1, 3, 2]]);
        assert_eq!(orders(&sites(&[true; 4])).len(), 24);
    }

    #[test]
    fn too_many_orders_are_not_tried() {
        assert_eq!(
            orders(&sites(&[true, true, true, true, true, false, true, true])),
            Vec::<Vec<u32>>::new()
        );
        assert_eq!(orders(&sites(&[true; 7])).len(), 1);
    }
}
