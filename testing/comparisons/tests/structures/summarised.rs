//! Invariants whose helpers are summarised, on vectors of structures: random predicates against the reference.

#[path = "../../../../crates/smallscope/tests/summaries/bush.rs"]
mod bush;

use crate::checked;
use bush::{Bush, bushes, predicate};
use smallscope::search::{Options, Search};
use smallscope::summaries::Summaries;
use smallscope::{Bounds, Engine};
use smallscope_reference::Settings;
use smallscope_support::random::SplitMix;
use std::ops::ControlFlow;

/// Whether something is summarised.
fn is_summarised(bounds: &Bounds) -> bool {
    let options = Options { summaries: Summaries::On, ..Options::default() };
    let mut search = Search::<Bush>::new(bounds, options).unwrap();
    let plan = search.plan(&mut |_| ControlFlow::Continue(())).unwrap().unwrap();
    plan.summaries().is_some_and(|made| made.is_ok())
}

#[test]
fn random_predicates_on_vectors() {
    let mut random = SplitMix::new(41);
    let settings = Settings { engines: vec![Engine::Lazy], variants: vec![], ..Settings::default() };
    let (mut valid, mut summarised) = (0, 0);
    for _ in 0..40 {
        predicate(&mut |most| u64::from(random.below(most as u32)));
        valid += checked::<Bush>(&bushes(2), &settings).valid;
        summarised += u32::from(is_summarised(&bushes(2)));
    }
    assert!(valid > 500 && summarised > 20, "{valid} values, {summarised} of 40 summarised");
}
