//! The engines against the reference.

mod searches;

use crate::assignments::{Assignments, assignments};
use crate::canonical::Form;
use crate::drawing::draw;
use crate::enumerate::{Class, Reference, enumerate_all};
use crate::improvements::{names, variants};
use crate::ownership::Owners;
use searches::{Searching, Start, start};
use smallscope_core::bounds::Bounds;
use smallscope_core::candidate::Candidate;
use smallscope_core::options::{Engine, Improvements, Options, Summaries};
use smallscope_core::outcome::Outcome;
use smallscope_core::raw::{Probe, SlotView};
use smallscope_core::search::{AnySearch, Found};
use smallscope_core::shape::Bounded;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// How to compare.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The largest number of assignments that the reference may try.
    pub limit: u64,
    /// The engines to run. An invariant that recurses through `Box` without a visited set is for
    /// [`Engine::Owned`] only: with aliasing it would not terminate.
    pub engines: Vec<Engine>,
    /// Re-run one candidate in this many.
    pub recheck_every: u32,
    /// With a scope number: also check that deepening delivers the same values, each in one scope.
    pub deepening: bool,
    /// Runs the lazy engine once more with each of these, without audit mode, in which promises rule nothing out.
    pub variants: Vec<Improvements>,
}

impl Default for Settings {
    fn default() -> Self {
        let engines = vec![Engine::Lazy, Engine::Owned, Engine::Korat];
        Settings { limit: 200_000, engines, recheck_every: 8, deepening: true, variants: variants() }
    }
}

/// What both sides agree on.
#[derive(Debug)]
pub struct Comparison {
    /// Assignments that the reference has tried.
    pub tried: u64,
    /// Classes of isomorphic values, valid or not.
    pub classes: usize,
    /// Classes of isomorphic valid values. Elements of vectors are identified by their place.
    pub valid: usize,
    /// Valid values up to the order of arena elements. Equal to `valid` without declared indices.
    pub arrangements: usize,
    /// Sets of values that differ in the order of arena elements only and that are not all valid or all invalid.
    /// An invariant should have none: it must treat arena places alike. What the engines deliver for such sets is
    /// not defined, so they are not compared, except that every delivered value must be valid.
    pub uneven: usize,
    /// What the engines did.
    pub engines: Vec<EngineRun>,
    /// What the lazy engine did with each of the variants, if it was run.
    pub variants: Vec<EngineRun>,
}

/// The run of one engine.
#[derive(Debug, Clone, Copy)]
pub struct EngineRun {
    /// The engine.
    pub engine: Engine,
    /// What it reports.
    pub outcome: Outcome,
    /// Valid candidates that are Rust values.
    pub delivered: u64,
    /// Valid candidates that correspond to no Rust value; they exist only with aliasing.
    pub unreal: u64,
}

/// Compares the engines with the reference. The error says which property fails, and draws the first candidate on
/// which it fails.
pub fn compare<T: Bounded>(bounds: &Bounds, settings: &Settings) -> Result<Comparison, String> {
    compare_with(&mut *assignments::<T>(bounds)?, &start::<T>, bounds, settings)
}

/// The same for a heap that was laid out and for the searches of its type.
fn compare_with(
    raw: &mut dyn Assignments,
    start: &Start,
    bounds: &Bounds,
    settings: &Settings,
) -> Result<Comparison, String> {
    let reference = enumerate_all(raw, settings.limit)?;
    let mut arrangements: BTreeMap<&Form, (bool, bool)> = BTreeMap::new();
    for class in reference.classes.values() {
        let (all, any) = arrangements.entry(&class.unordered).or_insert((true, false));
        *all &= class.valid;
        *any |= class.valid;
    }
    let audited = |&engine: &Engine| Options {
        engine,
        audit: true,
        recheck_every: settings.recheck_every,
        ..Options::default()
    };
    let mut run = |options| Run::new(raw, start, bounds, settings, options, &reference)?.finish();
    let engines = settings.engines.iter().map(|engine| run(audited(engine)));
    let engines = engines.collect::<Result<Vec<_>, String>>()?;
    let is_lazy = settings.engines.contains(&Engine::Lazy);
    let unaudited = Options { audit: false, ..audited(&Engine::Lazy) };
    if is_lazy {
        run(Options { summaries: Summaries::On, ..unaudited })?;
    }
    let variants = settings.variants.iter().filter(|_| is_lazy);
    let variants = variants.map(|&lazy| run(Options { lazy, ..unaudited }));
    Ok(Comparison {
        tried: reference.tried,
        classes: reference.classes.len(),
        valid: reference.valid(),
        arrangements: arrangements.values().filter(|(all, _)| *all).count(),
        uneven: arrangements.values().filter(|(all, any)| *any && !*all).count(),
        engines,
        variants: variants.collect::<Result<_, _>>()?,
    })
}

/// One engine being compared.
struct Run<'a> {
    start: &'a Start,
    engine: Engine,
    /// Its description.
    name: String,
    bounds: &'a Bounds,
    settings: &'a Settings,
    options: Options,
    reference: &'a Reference,
    raw: &'a mut dyn Assignments,
    owners: Owners,
    /// `None` if the engine refuses bounds without values.
    searches: Option<Searches>,
    delivered: BTreeMap<Form, Candidate>,
    unreal: u64,
}

/// The search that is compared, and a second one with the same bounds for operations that would disturb the first.
struct Searches {
    main: Box<dyn Searching>,
    scratch: Box<dyn Searching>,
}

impl<'a> Run<'a> {
    fn new(
        raw: &'a mut dyn Assignments,
        start: &'a Start,
        bounds: &'a Bounds,
        settings: &'a Settings,
        options: Options,
        reference: &'a Reference,
    ) -> Result<Self, String> {
        let engine = options.engine;
        let name = match (options.audit, options.summaries) {
            (true, _) => engine.to_string(),
            (false, Summaries::Off) => format!("{engine} {}", names(options.lazy)),
            (false, _) => format!("{engine} with summaries"),
        };
        let owners = Owners::of(raw);
        let searches = match (start(bounds, None, options), start(bounds, None, options)) {
            (Ok(main), Ok(scratch)) => Some(Searches { main, scratch }),
            (Err(_), _) if reference.values == 0 => None,
            (Err(e), _) | (_, Err(e)) => {
                return Err(format!(
                    "{name}: refuses bounds within which there are {} values: {e}",
                    reference.values
                ));
            }
        };
        let (delivered, unreal) = (BTreeMap::new(), 0);
        Ok(Run {
            start,
            engine,
            name,
            bounds,
            settings,
            options,
            reference,
            raw,
            owners,
            searches,
            delivered,
            unreal,
        })
    }

    /// The lazy engine with the default options.
    fn is_default(&self) -> bool {
        self.engine == Engine::Lazy && !self.options.audit && self.options.lazy == Improvements::default()
    }

    fn finish(mut self) -> Result<EngineRun, String> {
        let outcome = match self.searches.take() {
            None => Outcome {
                stop: smallscope_core::Stop::Exhausted,
                explored: 0,
                valid: 0,
                pruned: 0,
                audited: 0,
            },
            Some(mut searches) => {
                self.deliveries(&mut searches)?;
                self.completeness(&mut searches)?;
                if !self.options.audit {
                    self.count()?;
                }
                let is_deepened = self.engine == Engine::Owned || self.is_default();
                if is_deepened && self.settings.deepening {
                    self.deepening(&mut *searches.scratch)?;
                }
                searches.main.outcome()
            }
        };
        let delivered = self.delivered.len() as u64;
        if !outcome.is_exhaustive() || outcome.valid != delivered + self.unreal {
            let found = delivered + self.unreal;
            return Err(format!("{}: delivered {found} candidates but says {outcome:?}", self.name));
        }
        Ok(EngineRun { engine: self.engine, outcome, delivered, unreal: self.unreal })
    }

    /// Every candidate that the engine delivers is valid, new, and equal to the candidate of its value.
    fn deliveries(&mut self, searches: &mut Searches) -> Result<(), String> {
        loop {
            match searches.main.find_next(&mut |_| ControlFlow::Continue(())) {
                Ok(Found::Valid) => {}
                Ok(Found::End | Found::Paused) => return Ok(()),
                Err(failure) => {
                    return Err(format!("{}: {failure}\n{}", self.name, searches.main.graph()));
                }
            }
            let candidate = searches.main.candidate();
            let views = self.views(&candidate)?;
            let wrong = |what: &str, main: &AnySearch| {
                format!("{}: {what}: candidate {candidate}\n{}", self.name, main.graph())
            };
            if let Err(flaw) = self.owners.check(&views) {
                if self.engine != Engine::Korat {
                    return Err(wrong(
                        &format!("what is delivered is not a Rust value ({flaw})"),
                        &searches.main,
                    ));
                }
                if searches.scratch.go_to(&candidate).is_ok() && searches.scratch.value_again().is_ok() {
                    return Err(wrong(
                        &format!("a value is built from a candidate that is no Rust value ({flaw})"),
                        &searches.main,
                    ));
                }
                self.unreal += 1;
                continue;
            }
            let form = Form::of(&views);
            match self.reference.classes.get(&form) {
                Some(Class { valid: true, .. }) => {}
                Some(_) => return Err(wrong("not sound, an invalid value is delivered", &searches.main)),
                None => return Err(wrong("the reference does not have this candidate", &searches.main)),
            }
            if let Some(first) = self.delivered.get(&form) {
                let what = format!("not isomorph-free, a value is delivered twice (first as {first})");
                return Err(wrong(&what, &searches.main));
            }
            if self.options.audit {
                self.round_trip(searches, &candidate).map_err(|e| wrong(&e, &searches.main))?;
            }
            self.delivered.insert(form, candidate);
        }
    }

    /// Counting gives the same number as delivering.
    fn count(&self) -> Result<(), String> {
        let search = (self.start)(self.bounds, None, self.options).map_err(|e| e.to_string())?;
        let counted = search.count().map_err(|e| format!("{}: {e}", self.name))?.valid;
        let delivered = self.delivered.len() as u64;
        if counted != delivered {
            return Err(format!("{}: counts {counted} values instead of {delivered}", self.name));
        }
        Ok(())
    }

    /// A candidate as slots of the reference's heap.
    fn views(&mut self, candidate: &Candidate) -> Result<Vec<SlotView>, String> {
        match self.raw.read(candidate) {
            Probe::Complete(views) => Ok(views),
            other => Err(format!("{}: candidate {candidate} is incomplete: {other:?}", self.name)),
        }
    }

    /// Candidate to value to candidate, also with a value that is lent, and candidate to text to candidate to value.
    fn round_trip(&self, searches: &mut Searches, candidate: &Candidate) -> Result<(), String> {
        let Searches { main, scratch } = searches;
        let lent = main.lent_in(&mut **scratch).map_err(|e| format!("no value that is lent: {e}"))?;
        match lent {
            Ok(back) if back == *candidate => {}
            other => return Err(format!("the value that is lent is read back as {other:?}")),
        }
        let built = main.value_in(&mut **scratch).map_err(|e| format!("no value: {e}"))?;
        if built.holds != Ok(true) {
            return Err("not sound, the built value is invalid".into());
        }
        let back = built.candidate.map_err(|e| format!("the value cannot be read back: {e}"))?;
        if back != *candidate {
            return Err(format!("the value is read back as another candidate, {back}"));
        }
        let text: Candidate = candidate.to_string().parse()?;
        scratch.go_to(&text).map_err(|e| format!("it cannot be replayed: {e}"))?;
        if scratch.candidate() != *candidate {
            return Err(format!("it is replayed as another candidate, {}", scratch.candidate()));
        }
        if scratch.accepts() != Ok(true) {
            return Err("it is not accepted when it is replayed".into());
        }
        match scratch.value_again().map_err(|e| format!("no value when it is replayed: {e}"))? {
            Ok(back) if back == *candidate => Ok(()),
            other => Err(format!("the value of the replayed candidate is read back as {other:?}")),
        }
    }

    /// No value of the reference is missing.
    fn completeness(&mut self, searches: &mut Searches) -> Result<(), String> {
        let classes = &self.reference.classes;
        let delivered: BTreeSet<&Form> = self.delivered.keys().map(|form| &classes[form].unordered).collect();
        let uneven: BTreeSet<&Form> = classes.values().filter(|c| !c.valid).map(|c| &c.unordered).collect();
        let owed = |c: &&Class| c.valid && !uneven.contains(&c.unordered);
        let missing = classes.values().filter(owed).find(|c| !delivered.contains(&c.unordered));
        let Some(class) = missing else { return Ok(()) };
        let Probe::Complete(views) = self.raw.probe(&class.choices) else {
            return Err("an assignment is no longer complete".into());
        };
        // SAFETY: the reference keeps only classes that `Owners::check` has accepted.
        let value = unsafe { self.raw.value(&class.choices) };
        let drawn = match value.map(|value| searches.scratch.read_back(&*value)) {
            Some(Ok(candidate)) => format!("candidate {candidate}\n{}", searches.scratch.graph()),
            Some(Err(e)) => format!("(the engine cannot read it: {e})\n{}", draw(&views)),
            None => draw(&views),
        };
        Err(format!(
            "{}: not complete, a valid value is missing ({} of {} were delivered): {drawn}",
            self.name,
            self.delivered.len(),
            self.reference.valid()
        ))
    }

    /// The scopes of a series have no value in common, and together they have all values.
    fn deepening(&self, scratch: &mut dyn Searching) -> Result<(), String> {
        let deepest = self.bounds.scope_number().unwrap_or(0);
        let mut all: BTreeSet<Candidate> = BTreeSet::new();
        let mut done: Vec<u32> = vec![];
        let Ok(whole) = (self.start)(self.bounds, None, self.options) else { return Ok(()) };
        for pass in whole.smaller_passes().into_iter().map(Some).chain([None]) {
            // A scope may be too small for any value.
            let Ok(mut search) = (self.start)(self.bounds, pass, self.options) else { continue };
            let scope = pass.unwrap_or(deepest);
            done.iter().for_each(|&smaller| search.leave_out(smaller));
            done.extend(pass);
            while let Some(candidate) = search.next_in(scratch) {
                let candidate = candidate.map_err(|e| format!("deepening, scope {scope}: {e}"))?;
                let candidate = candidate.map_err(|e| format!("deepening, scope {scope}: {e}"))?;
                if all.contains(&candidate) {
                    return Err(format!(
                        "deepening, scope {scope}: a value of a smaller scope again: {candidate}\n{}",
                        scratch.graph()
                    ));
                }
                all.insert(candidate);
            }
        }
        if let Some(candidate) = self.delivered.values().find(|c| !all.contains(c)) {
            let drawn = scratch.go_to(candidate).map(|()| scratch.graph()).unwrap_or_default();
            return Err(format!("deepening to scope {deepest} misses {candidate}\n{drawn}"));
        }
        if all.len() != self.delivered.len() {
            return Err(format!(
                "deepening to scope {deepest} delivers {} values instead of {}",
                all.len(),
                self.delivered.len()
            ));
        }
        Ok(())
    }
}
