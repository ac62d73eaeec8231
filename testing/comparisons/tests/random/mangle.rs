//! Damaged records: replaying any text is an error or leads to exactly that candidate.

use crate::rng::Rng;
use smallscope::search::{Candidate, Found, Options, Search};
use smallscope::{Bounded, Bounds, Engine};
use std::ops::{AddAssign, ControlFlow};

/// The results for damaged records.
#[derive(Debug, Default)]
pub struct Mangled {
    /// Not a candidate.
    pub refused: u32,
    /// A candidate, which is valid.
    pub accepted: u32,
    /// A candidate, which is not.
    pub rejected: u32,
}

impl AddAssign for Mangled {
    fn add_assign(&mut self, other: Mangled) {
        self.refused += other.refused;
        self.accepted += other.accepted;
        self.rejected += other.rejected;
    }
}

/// Damages some of the valid candidates and goes to them.
pub fn mangle<T: Bounded>(bounds: &Bounds, rng: &mut Rng) -> Mangled {
    let mut out = Mangled::default();
    let engine = if rng.chance(50) { Engine::Lazy } else { Engine::Owned };
    let new = || Search::<T>::new(bounds, Options { engine, ..Options::default() });
    let (Ok(mut search), Ok(mut other)) = (new(), new()) else { return out };
    for _ in 0..20 {
        let Ok(Found::Valid) = search.find_next(&mut |_| ControlFlow::Continue(())) else { break };
        let candidate = search.candidate();
        for _ in 0..5 {
            go_to(&mut other, &damage(&candidate, rng), &mut out);
        }
    }
    out
}

fn damage(candidate: &Candidate, rng: &mut Rng) -> Candidate {
    let mut choices = candidate.0.clone();
    let place = rng.below(choices.len() as u64) as usize;
    match rng.below(8) {
        0 => choices.truncate(place),
        1 => choices.push(rng.below(3) as u32),
        2 => choices.insert(place, rng.below(3) as u32),
        3 => drop(choices.splice(place..place + usize::from(place < choices.len()), [])),
        4 => choices.iter_mut().skip(place).take(1).for_each(|c| *c = u32::MAX - rng.below(3) as u32),
        _ => choices.iter_mut().skip(place).take(1).for_each(|c| *c = rng.below(4) as u32),
    }
    Candidate(choices)
}

fn go_to<T: Bounded>(search: &mut Search<T>, damaged: &Candidate, out: &mut Mangled) {
    if search.go_to(damaged).is_err() {
        out.refused += 1;
        return;
    }
    assert_eq!(search.candidate(), *damaged);
    if search.accepts().expect("programs do not misbehave") {
        let value = search.value().expect("a valid candidate has a value");
        assert_eq!(search.candidate_of(&value).as_ref(), Ok(damaged));
        out.accepted += 1;
    } else {
        assert!(search.value().is_err());
        out.rejected += 1;
    }
}
