//! The order of the conjuncts: `a && b` is `b && a`, but one of the two may take many more runs to refute what both do.
//!
//! All orders are tried in a small scope, and the one that needs the fewest runs is taken. Only counts decide, never the
//! clock, so the order is the same every time, and with it every position. The runs that this takes are not counted as
//! explored; for each order they are fewer than the search itself needs.

use super::{Found, SearchCore, Subject};
use crate::bounds::Bounds;
use crate::conjuncts::ConjunctSite;
use crate::options::{Classes, Disjoint, Options};
use crate::outcome::{Outcome, Stop};
use std::any::TypeId;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

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

/// The orders that were chosen, by type and bounds; several searches may have the same.
static CHOSEN: Mutex<Option<Chosen>> = Mutex::new(None);

/// None for the order of the source.
type Chosen = HashMap<(TypeId, String), Option<Vec<u32>>>;

impl SearchCore {
    /// Chooses an order for the conjuncts of the invariant, if there is a choice.
    pub(super) fn choose_order(&mut self, bounds: &Bounds) {
        let sites = (self.subject.conjuncts)();
        let orders = orders(sites);
        if orders.len() < 2 {
            return;
        }
        let key = ((self.subject.id)(), bounds.to_string());
        let known = || CHOSEN.lock().unwrap_or_else(|e| e.into_inner());
        let chosen = known().as_ref().and_then(|chosen| chosen.get(&key).cloned());
        let order = chosen.unwrap_or_else(|| {
            let order = Self::best_order(self.subject, bounds, self.options, sites, orders);
            known().get_or_insert_default().insert(key, order.clone());
            order
        });
        if let Some(order) = order {
            self.heap.state.borrow_mut().conjunctions.set_order(sites, order);
        }
    }

    /// The order with the fewest runs in the largest scope that is small; none for that of the source.
    fn best_order(
        subject: Subject,
        bounds: &Bounds,
        mut options: Options,
        sites: &'static [ConjunctSite],
        orders: Vec<Vec<u32>>,
    ) -> Option<Vec<u32>> {
        (options.lazy.order, options.audit, options.recheck_every) = (false, false, 0);
        options.classes = Classes::Ignored;
        options.disjoint = Disjoint::Off;
        let mut small = None;
        for most in 1..=LARGEST_TRIAL {
            let mut trial = SearchCore::new(subject, &bounds.up_to(most), options).ok()?;
            match trial.runs(if orders.len() > 2 { TRIAL_RUNS } else { FEW_RUNS })? {
                (runs, true) => small = Some((trial, runs)),
                _ => break,
            }
        }
        let (mut trial, mut fewest) = small?;
        let mut best = None;
        for order in orders {
            trial.heap.state.borrow_mut().conjunctions.set_order(sites, order.clone());
            if let Some((runs, true)) = trial.runs(fewest)
                && runs < fewest
            {
                (fewest, best) = (runs, Some(order));
            }
        }
        best
    }

    /// Searches from the beginning, with one value for each path, for so many runs; then everything is as before. Says
    /// how many runs it took, and whether that was all. None if the invariant misbehaves.
    fn runs(&mut self, most: u64) -> Option<(u64, bool)> {
        self.until_tick = 1;
        let mut tick = |outcome: &Outcome| match outcome.explored < most {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(Stop::Interrupted),
        };
        let found = loop {
            match self.find_next(&mut tick) {
                Ok(Found::Valid) => {
                    self.drop_rest();
                    self.until_tick = self.until_tick.min(TICK_OFTEN);
                }
                other => break other,
            }
        };
        let runs = self.outcome.explored;
        let is_done = self.outcome.stop == Stop::Exhausted;
        self.reset();
        found.ok().map(|_| (runs, is_done))
    }
}

/// All orders in which conjuncts that may be moved change places with such ones next to them; just that of the source if these would be
/// too many.
fn orders(sites: &[ConjunctSite]) -> Vec<Vec<u32>> {
    let mut orders: Vec<Vec<u32>> = vec![vec![]];
    for segment in sites.chunk_by(|a, b| a.is_movable && b.is_movable) {
        let first = orders[0].len() as u32;
        let segment = permuted(&(first..first + segment.len() as u32).collect::<Vec<_>>());
        orders = orders
            .iter()
            .flat_map(|order| segment.iter().map(move |more| [order.as_slice(), more].concat()))
            .collect();
        if orders.len() > MOST_ORDERS {
            return vec![];
        }
    }
    orders
}

fn permuted(items: &[u32]) -> Vec<Vec<u32>> {
    if items.len() > 5 {
        return vec![items.to_vec()];
    }
    match items {
        [] => vec![vec![]],
        _ => (0..items.len())
            .flat_map(|i| {
                let mut rest = items.to_vec();
                let first = rest.remove(i);
                permuted(&rest).into_iter().map(move |tail| [vec![first], tail].concat())
            })
            .collect(),
    }
}
