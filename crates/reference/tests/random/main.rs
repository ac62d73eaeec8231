//! Random shapes with random invariants: each (type, bounds, program) is compared with the reference.
//!
//! Seeds are fixed. To look at one case alone, run with `SMALLSCOPE_CASE=<seed>`.

#[macro_use]
mod look;
mod generator;
mod mangle;
mod program;
mod ranges;
mod rng;
mod shapes;
mod universe;

use generator::{Generator, Schema};
use mangle::Mangled;
use program::{Program, install};
use ranges::Pieces;
use rng::Rng;
use shapes::{SHAPES, Shape, random_bounds};
use smallscope::Bounds;
use smallscope_reference::{Comparison, Settings};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

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
        let shape = &SHAPES[(seed % SHAPES.len() as u64) as usize];
        let bounds = random_bounds(shape.dials, &mut rng);
        let schema = Schema::parse(shape.schema);
        // Most programs have to accept some of the values and to reject some; the others may do as they like.
        let tries = if rng.chance(90) { 30 } else { 1 };
        let programs = (0..tries).map(|_| Generator { rng: &mut rng, schema: &schema }.program()).collect();
        let program = (shape.choose)(&bounds, programs)?;
        Some(Case { shape, bounds, program })
    }

    fn compare(&self, settings: &Settings) -> Result<Comparison, String> {
        install(&self.program);
        (self.shape.compare)(&self.bounds, settings)
    }
}

/// What became of the cases.
#[derive(Debug, Default)]
struct Tally {
    cases: u32,
    none_valid: u32,
    all_valid: u32,
    some_valid: u32,
    /// Cases in which the search did not look at every candidate.
    pruned: u32,
    /// Cases in which aliasing led to candidates that are not Rust values.
    aliased: u32,
    /// Cases with fewer deliveries than valid values, because arena places are alike.
    unordered: u32,
    /// Cases of each shape.
    shapes: BTreeMap<&'static str, u32>,
}

impl Tally {
    fn add(&mut self, shape: &'static Shape, c: &Comparison) {
        self.cases += 1;
        *self.shapes.entry(shape.schema.split(' ').next().unwrap_or_default()).or_default() += 1;
        match c.valid {
            0 => self.none_valid += 1,
            n if n == c.classes => self.all_valid += 1,
            _ => self.some_valid += 1,
        }
        self.pruned += u32::from(c.engines[0].outcome.explored < c.classes as u64);
        self.aliased += u32::from(c.engines[2].unreal > 0);
        self.unordered += u32::from(c.engines[0].delivered < c.valid as u64);
    }
}

/// Compares the cases of some seeds; the first failure ends it.
fn run(seeds: RangeInclusive<u64>) -> Tally {
    let settings = Settings { limit: 20_000, ..Settings::default() };
    let mut tally = Tally::default();
    for seed in seeds {
        let Some(case) = Case::new(seed) else { continue };
        match case.compare(&settings) {
            Ok(comparison) => tally.add(case.shape, &comparison),
            Err(e) if e.starts_with("more than") => {}
            Err(e) => panic!(
                "case {seed}, {} within {:?}\n{:#?}\n{e}\nrun this case alone with SMALLSCOPE_CASE={seed}",
                case.shape.schema, case.bounds, case.program
            ),
        }
    }
    tally
}

/// A test of its own, so that both halves run at a time.
#[test]
fn more_random_shapes_and_programs() {
    if std::env::var("SMALLSCOPE_CASE").is_err() {
        check(&run(381..=760));
    }
}

/// Programs that accept everything or nothing would prove little.
fn check(tally: &Tally) {
    println!("{tally:?}");
    assert!(tally.cases >= 250, "too few cases: {tally:?}");
    assert!(tally.some_valid * 10 >= tally.cases * 8, "too many trivial programs: {tally:?}");
    assert!(tally.pruned * 10 >= tally.cases * 5, "too little is pruned: {tally:?}");
    assert!(tally.shapes.len() == SHAPES.len() && tally.shapes.values().all(|n| *n >= 8), "{tally:?}");
    assert!(tally.aliased >= 25 && tally.unordered >= 2, "kinds of cases are missing: {tally:?}");
}

#[test]
fn random_shapes_and_programs() {
    let seeds = std::env::var("SMALLSCOPE_CASE").ok();
    let seeds =
        seeds.map(|s| s.split_once('-').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap_or((s.clone(), s)));
    if let Some((first, last)) = seeds {
        let number = |s: String| s.parse::<u64>().expect("SMALLSCOPE_CASE is a seed or a range 1-100");
        println!("{:?}", run(number(first)..=number(last)));
        return;
    }
    check(&run(1..=380));
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

#[test]
fn pieces_of_a_search_are_the_whole() {
    let mut total = Pieces::default();
    for seed in 1..=300 {
        let Some(case) = Case::new(seed) else { continue };
        install(&case.program);
        total += (case.shape.ranges)(&case.bounds, &mut Rng(seed));
    }
    assert!(total.resumed > 1000 && total.split > 1000 && total.values > 5000, "{total:?}");
    assert!(total.damaged > 1000, "{total:?}");
}
