//! One row: everything that is compared is measured in turns, so that a machine whose speed varies is slow or fast for
//! all of it.

use crate::by_hand::{self, ByHand};
use crate::collected::{collected_loop, planned};
use crate::original::Row;
use smallscope::search::Options;
use smallscope::{Engine, Outcome};
use smallscope_catalogue::{Structure, structure};
use std::time::{Duration, Instant};

/// A search without what is not part of it.
const KORAT: Options = Options { engine: Engine::Korat, recheck_every: 0, ..Options::DEFAULT };
const LAZY: Options = Options { engine: Engine::Lazy, ..KORAT };

/// Shorter work is repeated until it takes this long.
const SHORTEST: Duration = Duration::from_millis(10);

/// How often to measure.
pub struct Rounds {
    pub least: usize,
    pub most: usize,
    /// After this time, no more rounds than the minimum.
    pub time: Duration,
}

/// Runs of the invariant and values, and seconds: medians over the rounds.
pub struct Measured {
    pub korat: Outcome,
    pub lazy: Outcome,
    pub korat_seconds: f64,
    pub lazy_seconds: f64,
    /// Time of `korat` over that of `lazy` in the same round.
    pub ratio: f64,
    /// With `lazy`, each value built, checked by the real invariant, and dropped.
    pub built_seconds: f64,
    /// By hand, without building and with.
    pub by_hand: Option<[f64; 2]>,
    pub rounds: usize,
}

/// Measures a row.
pub fn measure(row: &Row, rounds: &Rounds) -> Measured {
    let structure = structure(row.structure).expect("original.tsv names structures of the catalogue");
    let args = row.args();
    let by_hand = by_hand::generator(row.structure);
    let start = Instant::now();
    let mut measured = vec![];
    // Medians are of odd numbers.
    while measured.len() < rounds.least
        || measured.len() % 2 == 0
        || (measured.len() < rounds.most && start.elapsed() < rounds.time)
    {
        measured.push(round(structure, &args, by_hand));
    }
    let of = |f: &dyn Fn(&Measured) -> f64| median(measured.iter().map(f).collect());
    Measured {
        korat: measured[0].korat,
        lazy: measured[0].lazy,
        korat_seconds: of(&|m| m.korat_seconds),
        lazy_seconds: of(&|m| m.lazy_seconds),
        ratio: of(&|m| m.ratio),
        built_seconds: of(&|m| m.built_seconds),
        by_hand: by_hand.map(|_| [0, 1].map(|i| of(&|m| m.by_hand.map_or(0.0, |seconds| seconds[i])))),
        rounds: measured.len(),
    }
}

fn round(structure: &Structure, args: &[i64], by_hand: Option<&ByHand>) -> Measured {
    let (korat, korat_seconds) = search(structure, args, KORAT, false);
    let (lazy, lazy_seconds) = search(structure, args, LAZY, false);
    let (built, built_seconds) = search(structure, args, LAZY, true);
    assert_eq!(lazy, built, "{} {args:?}: `lazy` goes the same way twice", structure.name);
    let by_hand = by_hand.map(|generator| {
        [generator.visit, generator.build].map(|generate| {
            let (count, seconds) = repeated(|| timed(|| generate(args)));
            assert_eq!(count, korat.valid, "{} {args:?}: values by hand", structure.name);
            seconds
        })
    });
    let ratio = korat_seconds / lazy_seconds;
    Measured { korat, lazy, korat_seconds, lazy_seconds, ratio, built_seconds, by_hand, rounds: 1 }
}

/// A whole search; its time does not include the layout.
fn search(structure: &Structure, args: &[i64], options: Options, are_built: bool) -> (Outcome, f64) {
    repeated(|| {
        let bounds = (structure.bounds)(args);
        let mut search = planned(structure, &bounds, options);
        let ((), time) = timed(|| collected_loop(&mut search, are_built));
        let outcome = search.outcome();
        assert!(outcome.is_exhaustive(), "{} {args:?}: the search stopped early", structure.name);
        (outcome, time)
    })
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Repeats short work. Returns its result and its mean time in seconds.
fn repeated<R>(mut work: impl FnMut() -> (R, Duration)) -> (R, f64) {
    let (mut result, mut time) = work();
    let mut times = 1;
    while time < SHORTEST {
        let (again, more) = work();
        result = again;
        time += more;
        times += 1;
    }
    (result, time.as_secs_f64() / f64::from(times))
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
