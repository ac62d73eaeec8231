//! Searches in pieces: stopped and resumed, split into ranges, restored from saved paths. Together the pieces deliver the
//! whole, in order.

use crate::rng::Rng;
use smallscope::search::{Found, Options, Position, Search};
use smallscope::{Bounded, Bounds, Engine, Limit, Outcome, Stop};
use smallscope_reference::improvements::{names, variants};
use std::collections::BTreeSet;
use std::ops::{AddAssign, ControlFlow};

/// How much was tried.
#[derive(Debug, Default)]
pub struct Pieces {
    pub resumed: u32,
    pub split: u32,
    pub values: u64,
    pub damaged: u32,
    /// Cases in which the lazy engine has decided a question.
    pub decided: u32,
    /// Runs of the invariant that stand for more than one value, in searches of the lazy engine.
    pub leaves: u32,
    /// Places among the values of such a run where the lazy engine was stopped or split.
    pub inside: u32,
}

impl AddAssign for Pieces {
    fn add_assign(&mut self, other: Pieces) {
        self.resumed += other.resumed;
        self.split += other.split;
        self.values += other.values;
        self.damaged += other.damaged;
        self.decided += other.decided;
        self.leaves += other.leaves;
        self.inside += other.inside;
    }
}

/// The paths of values, and how many candidates were explored.
type Delivered = (Vec<Vec<u32>>, u64);

fn go_on(_: &Outcome) -> ControlFlow<Stop> {
    ControlFlow::Continue(())
}

/// Searches the space whole and in random pieces.
pub fn ranges<T: Bounded>(bounds: &Bounds, rng: &mut Rng) -> Pieces {
    let mut all = Pieces::default();
    let engine = |engine| Options { engine, recheck_every: 0, ..Options::default() };
    for options in [engine(Engine::Owned), engine(Engine::Korat)] {
        all += whole_and_pieces::<T>(bounds, options, rng);
    }
    // As it is used, and in one of the other ways.
    let variants = variants();
    let other = 1 + rng.below(variants.len() as u64 - 1) as usize;
    for lazy in [variants[0], variants[other]] {
        all += whole_and_pieces::<T>(bounds, Options { lazy, ..engine(Engine::Lazy) }, rng);
    }
    all
}

fn whole_and_pieces<T: Bounded>(bounds: &Bounds, options: Options, rng: &mut Rng) -> Pieces {
    let mut pieces = Pieces::default();
    let is_lazy = options.engine == Engine::Lazy;
    let new = || Search::<T>::new(bounds, options);
    let Ok(mut search) = new() else { return pieces };
    let (mut paths, mut restored) = (vec![], new().expect("as before"));
    // The values before which the invariant was run.
    let mut firsts = vec![];
    let (mut new_choices, mut path) = (vec![], Vec::<u32>::new());
    let (mut explored, mut fraction, mut leaf) = (0, 0.0, 0);
    let mut is_decided = false;
    while let Ok(Found::Valid) = search.find_next(&mut go_on) {
        paths.push(search.path());
        let kept = search.changes(&mut new_choices);
        path.truncate(kept);
        path.extend(&new_choices);
        assert_eq!(path, search.path(), "changes are enough");
        restored.restore(kept, &new_choices).expect("a valid candidate can be restored");
        assert_eq!(
            (restored.candidate(), restored.reads()),
            (search.candidate(), search.reads()),
            "a path means one candidate"
        );
        if is_lazy {
            leaf = if search.outcome().explored == explored { leaf + 1 } else { 1 };
            firsts.extend((leaf == 1).then(|| path.clone()));
            pieces.leaves += u32::from(leaf == 2);
            explored = search.outcome().explored;
            is_decided |= paths.len() <= 4 && has_decisions(&mut restored);
            if rng.chance(30) {
                let now = search.fraction();
                assert!((fraction..=1.0).contains(&now), "the fraction falls from {fraction} to {now}");
                fraction = now;
                assert_eq!(search.path(), path, "a look at the fraction changes nothing");
            }
        }
    }
    pieces.decided += u32::from(is_decided);
    let whole = (paths, search.outcome().explored);
    pieces.values += whole.0.len() as u64;
    for _ in 0..2 {
        let mut search = new().expect("as before");
        let put_together = in_pieces(&mut search, &new, rng, &mut pieces);
        assert!(
            put_together == whole,
            "pieces are not the whole with {} {}",
            options.engine,
            names(options.lazy)
        );
    }
    if is_lazy {
        one_per_path(&new, &firsts, &mut Rng(rng.0));
    }
    for path in whole.0.iter().take(10) {
        pieces.damaged += u32::from(is_refused(&mut restored, path, rng));
    }
    pieces
}

/// One value of each path, whole and in pieces of its own, for which paths are not split.
fn one_per_path<T: Bounded>(
    new: &dyn Fn() -> Result<Search<T>, smallscope::Error>,
    firsts: &[Vec<u32>],
    rng: &mut Rng,
) {
    let one = || {
        let mut search = new()?;
        search.one_per_path();
        Ok(search)
    };
    let mut search = one().expect("as before");
    let mut found = vec![];
    while let Ok(Found::Valid) = search.find_next(&mut go_on) {
        found.push(search.path());
    }
    assert!(found == firsts, "one value of each path");
    assert!(!search.outcome().is_exhaustive());
    let mut pieces = Pieces::default();
    let put_together = in_pieces(&mut one().expect("as before"), &one, rng, &mut pieces);
    assert!(put_together.0 == firsts, "one value of each path, in pieces");
    assert_eq!(put_together.1, search.outcome().explored, "no run is made twice");
}

/// Whether the path has steps that are not the value of a slot: then that slot is on it twice.
fn has_decisions<T: Bounded>(search: &mut Search<T>) -> bool {
    let candidate = search.candidate();
    let reads = search.describe_reads();
    assert_eq!(search.candidate(), candidate, "a description changes nothing");
    let slots: BTreeSet<usize> = reads.iter().map(|read| read.slot).collect();
    slots.len() < reads.len()
}

/// Searches to the end, and at random places splits off the rest or leaves it to a new search.
fn in_pieces<T: Bounded>(
    search: &mut Search<T>,
    new: &dyn Fn() -> Result<Search<T>, smallscope::Error>,
    rng: &mut Rng,
    pieces: &mut Pieces,
) -> Delivered {
    let mut paths = vec![];
    let mut later = None;
    let mut explored = 0;
    while let Ok(Found::Valid) = search.find_next(&mut go_on) {
        paths.push(search.path());
        let is_inside = search.outcome().explored == explored;
        explored = search.outcome().explored;
        if rng.chance(20) && pieces.split + pieces.resumed < 40 && later.is_none() {
            pieces.inside += u32::from(is_inside);
            if rng.chance(50) {
                later = search.split();
                pieces.split += u32::from(later.is_some());
            } else {
                pieces.resumed += 1;
                let mut rest = new().expect("as before");
                match search.position().filter(|_| rng.chance(50)) {
                    Some(position) => rest.start_at(&position).expect("positions can be begun at"),
                    None => rest.start_after(&search.path()).expect("candidates can be gone on from"),
                }
                let (found, explored) = in_pieces(&mut rest, new, rng, pieces);
                paths.extend(found);
                return (paths, search.outcome().explored + explored);
            }
        }
    }
    let mut explored = search.outcome().explored;
    if let Some(position) = later {
        assert_eq!(search.outcome().stop, Stop::LimitReached(Limit::Position));
        let mut rest = new().expect("as before");
        rest.start_at(&position).expect("cuts can be begun at");
        let (found, more) = in_pieces(&mut rest, new, rng, pieces);
        paths.extend(found);
        explored += more;
    }
    (paths, explored)
}

/// Beginning at any text is an error, or leads to exactly that position.
fn is_refused<T: Bounded>(search: &mut Search<T>, path: &[u32], rng: &mut Rng) -> bool {
    let mut path = path.to_vec();
    let place = rng.below(path.len() as u64) as usize;
    match rng.below(4) {
        0 => path.truncate(place),
        1 => path.push(rng.below(3) as u32),
        2 => path.iter_mut().skip(place).take(1).for_each(|c| *c = u32::MAX - rng.below(3) as u32),
        _ => path.iter_mut().skip(place).take(1).for_each(|c| *c = rng.below(4) as u32),
    }
    let is_refused = search.restore(0, &path).is_err();
    assert!(is_refused || search.path() == path);
    if search.start_at(&Position(path.clone())).is_ok() {
        assert!(path.starts_with(&search.path()));
    }
    is_refused
}
