//! Random shapes with random invariants: each (type, bounds, program) is compared with the reference. Programs read
//! fields and ask questions about them, with promises.
//!
//! Seeds are fixed. To look at one case alone, run with `SMALLSCOPE_CASE=<seed>`; to run many more of them, with
//! `SMALLSCOPE_CASES=<how many>`.

#[macro_use]
mod look;
mod ask;
mod classes;
mod condition;
mod criteria;
mod generator;
mod mangle;
mod program;
mod question;
mod ranges;
mod rng;
mod sets;
mod shapes;
mod tally;
#[macro_use]
mod universe;
mod questioned;

use generator::{Generator, Schema};
use mangle::Mangled;
use program::{Program, install, install_criteria};
use rng::Rng;
use shapes::{SHAPES, SHAPES_TO_ASK, Shape, random_bounds};
use smallscope::Bounds;
use smallscope_reference::{Comparison, Settings};
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;
use tally::Tally;

/// One random case: bounds and a program for a shape.
struct Case {
    shape: &'static Shape,
    bounds: Bounds,
    program: Program,
}

impl Case {
    /// `None` if there is too little or too much within the bounds.
    fn new(seed: u64) -> Option<Case> {
        let mut rng = Rng(seed);
        let shape = shape(seed);
        let bounds = random_bounds(shape.dials, &mut rng);
        let schema = Schema::parse(shape.schema);
        // Most programs have to accept some values and to reject some; the others are not restricted.
        let tries = if rng.chance(90) { 30 } else { 1 };
        // Some of the programs read only, most of them ask a lot.
        let asks = [10, 50, 70, 80, 90][rng.below(5) as usize];
        let programs =
            (0..tries).map(|_| Generator { rng: &mut rng, schema: &schema, asks }.program()).collect();
        let program = (shape.choose)(&bounds, programs)?;
        Some(Case { shape, bounds, program })
    }

    fn describe(&self, seed: u64) -> String {
        let Case { shape, bounds, program } = self;
        let again = format!("run this case alone with SMALLSCOPE_CASE={seed}");
        format!("case {seed}, {} within {bounds:?}\n{program:#?}\n{again}", shape.schema)
    }

    fn compare(&self, settings: &Settings) -> Result<Comparison, String> {
        install(&self.program);
        (self.shape.compare)(&self.bounds, settings)
    }
}

/// Each in turn, those with much to ask about twice.
fn shape(seed: u64) -> &'static Shape {
    let n = SHAPES.len();
    let i = (seed % (n + SHAPES_TO_ASK) as u64) as usize;
    &SHAPES[if i < n { i } else { i - SHAPES_TO_ASK }]
}

/// Compares the cases of some seeds; the first failure ends it.
fn compare_all(seeds: RangeInclusive<u64>) -> Tally {
    let settings = Settings { limit: 20_000, ..Settings::default() };
    let mut tally = Tally::default();
    for seed in seeds {
        let Some(case) = Case::new(seed) else { continue };
        question::take_asked();
        match case.compare(&settings) {
            Ok(comparison) => tally.add_case(case.shape, &comparison, &question::take_asked()),
            Err(e) if e.starts_with("more than") => {}
            Err(e) => panic!("{}\n{e}", case.describe(seed)),
        }
    }
    tally
}

/// Searches the cases of some seeds in pieces.
fn search_all(seeds: RangeInclusive<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let Some(case) = Case::new(seed) else { continue };
        install(&case.program);
        let ranges = AssertUnwindSafe(|| (case.shape.ranges)(&case.bounds, &mut Rng(seed)));
        match catch_unwind(ranges) {
            Ok(pieces) => tally.add_pieces(&pieces),
            Err(_) => panic!("{}", case.describe(seed)),
        }
    }
    tally
}

/// Searches the cases of some seeds by class.
fn classify_all(seeds: RangeInclusive<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let Some(case) = Case::new(seed) else { continue };
        install(&case.program);
        let mut rng = Rng(seed ^ 0xc1a5);
        let schema = Schema::parse(case.shape.schema);
        let count = 2 + rng.below(4);
        let criteria: Vec<Program> =
            (0..count).map(|_| Generator { rng: &mut rng, schema: &schema, asks: 50 }.program()).collect();
        install_criteria(&criteria);
        let has_arena = ["Arenas", "Nets"].iter().any(|name| case.shape.schema.starts_with(name));
        match catch_unwind(AssertUnwindSafe(|| (case.shape.classes)(&case.bounds, has_arena))) {
            Ok(covered) => tally.add_classes(&covered),
            Err(_) => panic!("{}\ncriteria: {criteria:#?}", case.describe(seed)),
        }
    }
    tally
}

/// Two halves of the seeds beside each other.
fn halves(seeds: RangeInclusive<u64>, f: fn(RangeInclusive<u64>) -> Tally) -> Tally {
    let middle = seeds.start().midpoint(*seeds.end());
    std::thread::scope(|scope| {
        let first = scope.spawn(|| f(*seeds.start()..=middle));
        let mut tally = f(middle + 1..=*seeds.end());
        match first.join() {
            Ok(first) => tally.add_all(&first),
            Err(panic) => std::panic::resume_unwind(panic),
        }
        tally
    })
}

/// How many cases a test has.
struct Seeds {
    by_default: u64,
    /// With 400 cases of the first test.
    of_400: u64,
}

/// Runs the cases of some seeds. `SMALLSCOPE_CASE` selects one case, whose contents are not checked.
/// `SMALLSCOPE_CASES` sets the number of cases, which run in several processes, because searches are never freed.
fn run(test: &str, seeds: Seeds, f: fn(RangeInclusive<u64>) -> Tally, check: fn(&Tally)) {
    let number = |s: &str| s.parse::<u64>().expect("a number");
    if let Ok(only) = std::env::var("SMALLSCOPE_CASE") {
        let (first, last) = only.split_once('-').unwrap_or((&only, &only));
        println!("{}", f(number(first)..=number(last)));
        return;
    }
    let Ok(cases) = std::env::var("SMALLSCOPE_CASES") else { return check(&halves(1..=seeds.by_default, f)) };
    let scaled = |seed: u64| seed * number(&cases) / CASES;
    let last = scaled(seeds.of_400);
    let mut tally = Tally::default();
    for first in (1..=last).step_by(AT_ONCE as usize) {
        let seeds = format!("{first}-{}", last.min(first + AT_ONCE - 1));
        let this = std::env::current_exe().expect("this test has a name");
        let child =
            Command::new(this).args(["--exact", test, "--nocapture"]).env("SMALLSCOPE_CASE", &seeds).output();
        let child = child.expect("this test can be run");
        let (out, err) = (String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
        assert!(child.status.success(), "cases {seeds}\n{out}\n{err}");
        tally.add_printed(&out);
    }
    check(&tally);
}

/// How many cases there are by default; `.ci/run` runs ten times as many in an optimised build.
const CASES: u64 = 400;
/// How many cases one process runs.
const AT_ONCE: u64 = 250;

#[test]
fn random_shapes_and_programs() {
    run(
        "random_shapes_and_programs",
        Seeds { by_default: CASES, of_400: CASES },
        compare_all,
        Tally::check_cases,
    );
}

#[test]
fn pieces_of_a_search_are_the_whole() {
    run(
        "pieces_of_a_search_are_the_whole",
        Seeds { by_default: 100, of_400: 230 },
        search_all,
        Tally::check_pieces,
    );
}

#[test]
fn classes_do_not_depend_on_the_engine() {
    let mut total = criteria::Classes::default();
    for seed in 1..=150 {
        let Some(case) = Case::new(seed) else { continue };
        install(&case.program);
        match catch_unwind(AssertUnwindSafe(|| (case.shape.criteria)(&case.bounds))) {
            Ok(found) => total += found,
            Err(_) => panic!("{}", case.describe(seed)),
        }
    }
    println!("{total:?}");
    assert!(total.values > 1000 && total.shared > 100 && total.korat > 250, "{total:?}");
    assert!(total.several.iter().all(|&several| several > 10), "{total:?}");
}

#[test]
fn every_class_is_covered() {
    run("every_class_is_covered", Seeds { by_default: 150, of_400: 300 }, classify_all, Tally::check_classes);
}

#[test]
fn damaged_records_are_refused_or_mean_what_they_say() {
    let mut total = Mangled::default();
    for seed in 1..=200 {
        let Some(case) = Case::new(seed) else { continue };
        install(&case.program);
        total += (case.shape.mangle)(&case.bounds, &mut Rng(seed));
    }
    assert!(total.refused > 500 && total.accepted > 100 && total.rejected > 100, "{total:?}");
}
