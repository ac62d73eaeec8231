//! The modes of a search.

use crate::compare::Known;
use crate::show::{Show, Text};
use smallscope::search::{Found, Options, Search};
use smallscope::{Bounded, Bounds, Check, Disjoint, Engine, Outcome, Stop};
use smallscope_core::options::Improvements;
use std::ops::ControlFlow;
use std::sync::Mutex;

impl Show for smallscope::Key {
    fn show(&self, text: &mut Text) {
        text.put(&format!("k{}", self.rank()));
    }
}

/// What can be done with a program.
#[derive(Clone, Copy)]
pub struct Traits {
    /// The invariant terminates also if boxes are aliased.
    pub korat: bool,
    /// There are keys, all with the same bounds.
    pub keys: bool,
    /// No key is hashed, so no order of keys is delivered twice.
    pub each_order_once: bool,
    /// There are parts.
    pub parts: bool,
}

type Texts = Vec<String>;

/// Searches in all modes.
pub fn run<T: Bounded + Show>(known: &mut Known, traits: Traits, bounds: fn(u32) -> Bounds) {
    let bounds = bounds(known.scope);
    let engine = |engine| Options { engine, ..Options::default() };
    let mut searches = vec![
        ("lazy", Options::default()),
        ("owned", engine(Engine::Owned)),
        ("audit", Options::audited()),
        ("without improvements", Options { lazy: Improvements::NONE, ..Options::default() }),
    ];
    if traits.korat {
        searches.push(("korat", engine(Engine::Korat)));
    }
    if traits.parts {
        searches.push(("parts", Options::default().disjoint()));
        searches.push(("parts, owned", engine(Engine::Owned).disjoint()));
    }
    for (mode, options) in searches {
        match Search::<T>::new(&bounds, options).map_err(|error| error.to_string()).and_then(whole) {
            Ok(texts) => known.delivered(mode, &texts),
            Err(problem) if problem.contains("the parts cannot be searched apart") => known.refused(mode),
            Err(problem) => known.fails(mode, &problem),
        }
    }
    match Search::<T>::new(&bounds, Options::default()).map_err(|error| error.to_string()) {
        Ok(search) => match search.count() {
            Ok(outcome) => known.counted("count", outcome.valid),
            Err(failure) => known.fails("count", &failure.to_string()),
        },
        Err(problem) => known.fails("count", &problem),
    }
    let one_of = [Engine::Lazy, Engine::Owned][known.number % 2];
    let name = ["ranges, lazy", "ranges, owned"][known.number % 2];
    let new = || Search::<T>::new(&bounds, engine(one_of)).map_err(|error| error.to_string());
    let mut random = known.number as u64;
    match new().and_then(|mut search| in_pieces(&mut search, &new, &mut random, 8)) {
        Ok(texts) => known.delivered(name, &texts),
        Err(problem) => known.fails(name, &problem),
    }
    match deepening::<T>(&bounds) {
        Ok(texts) => known.delivered("deepening", &texts),
        Err(problem) => known.fails("deepening", &problem),
    }
    if traits.keys {
        let options = Options { order_types: true, ..Options::default() };
        match Search::<T>::new(&bounds, options).map_err(|error| error.to_string()).and_then(whole) {
            Ok(texts) => known.order_types("order types", &texts, traits.each_order_once),
            Err(problem) => known.fails("order types", &problem),
        }
    }
    checks::<T>(known, &bounds);
}

/// All values of a search, which must be exhaustive.
fn whole<T: Bounded + Show>(mut search: Search<T>) -> Result<Texts, String> {
    let mut texts = vec![];
    while let Some(value) = search.next_value() {
        texts.push(Text::of(&value.map_err(|failure| failure.to_string())?));
    }
    match search.outcome().stop {
        Stop::Exhausted | Stop::OrdersCovered => Ok(texts),
        stop => Err(format!("the search ends as {stop}")),
    }
}

fn go_on(_: &Outcome) -> ControlFlow<Stop> {
    ControlFlow::Continue(())
}

fn below(random: &mut u64, limit: u64) -> u64 {
    *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*random >> 33) % limit
}

type New<'a, T> = &'a dyn Fn() -> Result<Search<T>, String>;

/// Searches to the end. At random values, a new search goes on from there, or the rest is split off.
fn in_pieces<T: Bounded + Show>(
    search: &mut Search<T>,
    new: New<'_, T>,
    random: &mut u64,
    cuts: u32,
) -> Result<Texts, String> {
    let mut texts = vec![];
    let mut later = None;
    while search.find_next(&mut go_on).map_err(|failure| failure.to_string())? == Found::Valid {
        texts.push(Text::of(&search.value().map_err(|failure| failure.to_string())?));
        if cuts == 0 || later.is_some() || below(random, 6) > 0 {
            continue;
        }
        let mut rest = new()?;
        match below(random, 3) {
            0 => {
                later = search.split();
                continue;
            }
            1 => match search.position() {
                Some(position) => rest.start_at(&position).map_err(|error| error.to_string())?,
                None => continue,
            },
            _ => rest.start_after(&search.path()).map_err(|error| error.to_string())?,
        }
        texts.extend(in_pieces(&mut rest, new, random, cuts - 1)?);
        return Ok(texts);
    }
    if let Some(position) = later {
        let mut rest = new()?;
        rest.start_at(&position).map_err(|error| error.to_string())?;
        texts.extend(in_pieces(&mut rest, new, random, cuts.saturating_sub(1))?);
    }
    Ok(texts)
}

/// Every scope up to the number, each without the values of smaller ones.
fn deepening<T: Bounded + Show>(bounds: &Bounds) -> Result<Texts, String> {
    let (mut texts, mut done) = (vec![], vec![]);
    let new = || Search::<T>::new(bounds, Options::default());
    let whole = new().map_err(|error| error.to_string())?;
    for pass in whole.smaller_passes().into_iter().map(Some).chain([None]) {
        let search = match pass {
            Some(pass) => Search::<T>::within(bounds, pass, Options::default()),
            None => new(),
        };
        // A scope may be too small for any value.
        let Ok(mut search) = search else { continue };
        done.iter().for_each(|smaller| search.leave_out(*smaller));
        done.extend(pass);
        while let Some(value) = search.next_value() {
            texts.push(Text::of(&value.map_err(|failure| failure.to_string())?));
        }
    }
    Ok(texts)
}

/// What a user's test does: on one thread and on two, with values that are owned or lent, and with a second argument.
fn checks<T: Bounded + Show>(known: &mut Known, bounds: &Bounds) {
    let texts = Mutex::new(vec![]);
    let add = |value: &T| texts.lock().expect("no test panics").push(Text::of(value));
    let check = || Check::new("generated", bounds.clone()).environment::<String, String>([]);
    let mode;
    let report = match known.number % 4 {
        0 => {
            mode = "test of values, one thread";
            check().threads(1).run(|value: T| add(&value))
        }
        1 => {
            mode = "test of references, one thread";
            check().threads(1).run(|value: &T| add(value))
        }
        2 => {
            mode = "test of values, two threads";
            check().threads(2).run_parallel(|value: T| add(&value))
        }
        _ => {
            mode = "test of references, two threads";
            check().threads(2).run_parallel(|value: &T| add(value))
        }
    };
    let is_fine = report.is_ok() && report.is_exhaustive();
    let mut texts = texts.into_inner().expect("no test panics");
    match (known.is_empty(), is_fine) {
        // A test that runs on no value fails.
        (true, true) => known.fails(mode, "a test without values passes"),
        (true, false) | (false, true) => known.delivered(mode, &texts),
        (false, false) if known.owes_nothing() && texts.is_empty() => known.delivered(mode, &texts),
        (false, false) => known.fails(mode, &format!("{:?}", report.verdict)),
    }
    if known.number % 3 == 0 && known.number_of_values() < 500 && !known.owes_nothing() {
        let mode = ["two arguments, apart", "two arguments, together"][known.number % 2];
        let disjoint = [Disjoint::On, Disjoint::Off][known.number % 2];
        let mut flags = [vec![], vec![]];
        let report = check()
            .threads(1)
            .disjoint(disjoint)
            .run(|value: &T, flag: bool| flags[usize::from(flag)].push(Text::of(value)));
        if !report.is_ok() || !report.is_exhaustive() {
            known.fails(mode, &format!("{:?}", report.verdict));
        }
        for flag in flags {
            texts = flag;
            known.delivered(mode, &texts);
        }
    }
}
