//! The order of the conjuncts: `a && b` is `b && a`, but one of the two may take many more runs to refute what both do.
//!
//! Whether it matters is found out first: a search that ends after a few runs needs no better order. Otherwise all
//! orders are tried in a small scope, and the one that needs the fewest runs is taken. Only counts decide, never the
//! clock, so the order is the same every time, and with it every position.

use super::{Found, Search};
use crate::bounds::Bounds;
use crate::conjuncts::ConjunctSite;
use crate::options::Improvements;
use crate::outcome::{Outcome, Stop};
use crate::shape::Bounded;
use std::any::TypeId;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

/// A search that needs no more runs than this is not worth a better order.
const FEW_RUNS: u64 = 4_000;
/// How many runs a small scope may take in the order of the source.
const TRIAL_RUNS: u64 = 1_500;
/// Numbers in the bounds of a small scope are not greater than this.
const LARGEST_TRIAL: u32 = 24;
/// Candidates between two looks at the number of runs.
const TICK_OFTEN: u64 = 16;
/// The most orders that are tried.
const MOST_ORDERS: usize = 120;

/// The orders that were chosen, by type and bounds; several searches may have the same.
static CHOSEN: Mutex<Option<HashMap<(TypeId, String), Vec<Vec<u32>>>>> = Mutex::new(None);

impl<T: Bounded> Search<T> {
    /// Chooses an order for the conjuncts of the invariant, if that is worth it.
    pub(super) fn choose_order(&mut self, bounds: &Bounds) {
        let key = (TypeId::of::<T>(), bounds.to_string());
        let chosen =
            CHOSEN.lock().unwrap_or_else(|e| e.into_inner()).as_ref().and_then(|c| c.get(&key).cloned());
        let orders = chosen.unwrap_or_else(|| {
            let orders = self.find_orders(bounds).unwrap_or_default();
            let mut chosen = CHOSEN.lock().unwrap_or_else(|e| e.into_inner());
            chosen.get_or_insert_default().insert(key, orders.clone());
            orders
        });
        // The first run shows which conjunctions there are.
        if !orders.is_empty() {
            self.runs(1);
            self.set_orders(&orders);
        }
    }

    fn find_orders(&mut self, bounds: &Bounds) -> Option<Vec<Vec<u32>>> {
        if self.runs(FEW_RUNS)?.1 {
            return None;
        }
        let met = self.heap.state.borrow().conjunctions.met.clone();
        let choices = permutations(&met)?;
        let mut options = self.options;
        options.lazy = Improvements { order: false, ..options.lazy };
        options.recheck_every = 0;
        let mut small = None;
        for most in 1..=LARGEST_TRIAL {
            let mut trial = Search::<T>::new(&bounds.up_to(most), options).ok()?;
            match trial.runs(TRIAL_RUNS)? {
                (runs, true) => small = Some((trial, runs)),
                _ => break,
            }
        }
        let (mut trial, mut fewest) = small?;
        let mut best = None;
        for orders in choices {
            trial.set_orders(&orders);
            if let Some((runs, true)) = trial.runs(fewest)
                && runs < fewest
            {
                (fewest, best) = (runs, Some(orders));
            }
        }
        best
    }

    fn set_orders(&mut self, orders: &[Vec<u32>]) {
        let known = &mut self.heap.state.borrow_mut().conjunctions;
        for (sites, order) in known.met.clone().into_iter().zip(orders) {
            known.set_order(sites, order.clone());
        }
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

/// All combinations of orders of these conjunctions in which pure conjuncts change places with pure ones next to them;
/// none if there is just the one of the source, or too many.
fn permutations(met: &[&'static [ConjunctSite]]) -> Option<Vec<Vec<Vec<u32>>>> {
    let mut all: Vec<Vec<Vec<u32>>> = vec![vec![]];
    for sites in met {
        let orders = orders(sites)?;
        all = all
            .iter()
            .flat_map(|before| {
                orders.iter().map(|order| [before.as_slice(), std::slice::from_ref(order)].concat())
            })
            .collect();
        if all.len() > MOST_ORDERS {
            return None;
        }
    }
    (all.len() > 1).then_some(all)
}

fn orders(sites: &[ConjunctSite]) -> Option<Vec<Vec<u32>>> {
    let mut orders: Vec<Vec<u32>> = vec![vec![]];
    for segment in sites.chunk_by(|a, b| a.is_pure && b.is_pure) {
        let first = orders[0].len() as u32;
        let mut longer = vec![];
        for order in &orders {
            for permuted in permuted(&(first..first + segment.len() as u32).collect::<Vec<_>>()) {
                longer.push([order.as_slice(), &permuted].concat());
            }
            if longer.len() > MOST_ORDERS {
                return None;
            }
        }
        orders = longer;
    }
    Some(orders)
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
