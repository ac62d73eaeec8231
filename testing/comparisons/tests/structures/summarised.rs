//! Invariants whose helpers are summarised, on vectors of structures and of boxes: random predicates against the reference.

#[path = "../../../../crates/smallscope/tests/summaries/bush.rs"]
mod bush;

use crate::checked;
use bush::{Bush, Thicket, bushes, predicate};
use smallscope::search::{Options, Search};
use smallscope::summaries::Summaries;
use smallscope::{Bounded, Bounds, Engine};
use smallscope_reference::Settings;
use smallscope_support::random::SplitMix;
use std::ops::ControlFlow;

/// Whether something is summarised.
fn is_summarised<T: Bounded>(bounds: &Bounds) -> bool {
    let options = Options { summaries: Summaries::On, ..Options::default() };
    let mut search = Search::<T>::new(bounds, options).unwrap();
    let plan = search.plan(&mut |_| ControlFlow::Continue(())).unwrap().unwrap();
    plan.summaries().is_some_and(|made| made.is_ok())
}

fn random_predicates<T: Bounded>(of: &str, seed: u64) {
    let mut random = SplitMix::new(seed);
    let settings = Settings { engines: vec![Engine::Lazy], variants: vec![], ..Settings::default() };
    let (mut valid, mut summarised) = (0, 0);
    for _ in 0..30 {
        predicate(&mut |most| u64::from(random.below(most as u32)));
        valid += checked::<T>(&bushes(of, 2), &settings).valid;
        summarised += u32::from(is_summarised::<T>(&bushes(of, 2)));
    }
    assert!(valid > 300 && summarised > 15, "{valid} values, {summarised} of 30 summarised");
}

#[test]
fn random_predicates_on_vectors() {
    random_predicates::<Bush>("Branch", 41);
}

#[test]
fn random_predicates_on_vectors_of_boxes() {
    random_predicates::<Thicket>("Bough", 43);
}
