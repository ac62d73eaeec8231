//! Slicing: which conjuncts of an invariant are about which part.
//!
//! The slots that each conjunct asks for are observed where that is safe: in a search of the whole structure, in the order of
//! the source. That is a guess. The search of a part evaluates the conjuncts that seem to be local to it, and finds out if one
//! of them asks for another part.

use crate::bounds::Bounds;
use crate::build::Build;
use crate::conjuncts::select::Selected;
use crate::conjuncts::{ConjunctSite, LARGEST};
use crate::depth_first::run::Run;
use crate::depth_first::{DepthFirst, Found};
use crate::heap::{Heap, OBSERVE};
use crate::layout::Parts;
use crate::mirror::root::ValueType;
use crate::options::{Disjoint, Options};
use crate::outcome::{Outcome, Stop};
use std::fmt;
use std::ops::ControlFlow;

/// How many runs of the invariant are observed at most, and how many values.
const OBSERVED_RUNS: u64 = 1 << 14;
const OBSERVED_VALUES: u64 = 64;

/// Which conjuncts of an invariant are about which part, in words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Slicing {
    /// The parts, in the order of the combinations.
    pub parts: Vec<SlicedPart>,
    /// The conjuncts that filter combinations.
    pub global: Vec<GlobalConjunct>,
}

/// A part of a structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlicedPart {
    /// The name of the argument, or the name that its fields give.
    pub name: String,
    /// The conjuncts that are about this part only. None if the part is an input with its own invariant.
    pub conjuncts: Option<Vec<&'static str>>,
    /// The number of valid candidates.
    pub valid: u64,
    /// Runs of the invariant that the search of the part took; none if an earlier part has the same candidates.
    pub explored: Option<u64>,
}

/// A conjunct that is about several parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlobalConjunct {
    /// Its source text.
    pub text: &'static str,
    /// Why it is not about one part.
    pub why: String,
}

impl fmt::Display for Slicing {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for SlicedPart { name, conjuncts, valid, explored } in &self.parts {
            write!(f, "part `{name}`: {valid} valid")?;
            match explored {
                Some(explored) => writeln!(f, ", {explored} explored")?,
                None => writeln!(f, ", the same as of an earlier part")?,
            }
            match conjuncts.as_deref() {
                None => writeln!(f, "    its own invariant")?,
                Some([]) => writeln!(f, "    no conjunct is about it alone")?,
                Some(texts) => texts.iter().try_for_each(|text| writeln!(f, "    {text}"))?,
            }
        }
        if self.global.is_empty() {
            writeln!(f, "no conjunct is about several parts: the values are all combinations")?;
        } else {
            writeln!(f, "checked on each combination:")?;
            self.global
                .iter()
                .try_for_each(|GlobalConjunct { text, why }| writeln!(f, "    {text}  ({why})"))?;
        }
        Ok(())
    }
}

/// Where a conjunct is evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the search of a part.
    Part(u32),
    /// On each combination, and why.
    Global(String),
}

/// The places of all conjuncts of an invariant.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Places(pub Vec<Place>);

/// An invariant that is sliced: that of the structure, or of an input.
#[derive(Clone, Copy)]
pub(crate) struct Sliced {
    pub of: ValueType,
    pub input: Option<usize>,
    pub sites: &'static [ConjunctSite],
}

impl Sliced {
    pub fn new(of: ValueType, input: Option<usize>) -> Sliced {
        let sites = match input {
            None => (of.conjuncts)(),
            Some(input) => (of.conjuncts_of_inputs)()[input],
        };
        Sliced { of, input, sites }
    }

    /// Some of its conjuncts.
    fn select(self, heap: &'static Heap, is_chosen: &dyn Fn(usize) -> bool) -> &'static Selected {
        Selected::conjuncts(heap, self.sites, self.input, is_chosen)
    }

    /// Those that are local to a part.
    pub fn local(self, heap: &'static Heap, places: &Places, part: u32) -> &'static Selected {
        self.select(heap, &|i| places.is_local(i, part))
    }

    /// Those that are checked on combinations; none if there are none.
    pub fn global(self, heap: &'static Heap, places: &Places) -> Option<&'static Selected> {
        places.first_global()?;
        Some(Selected::rest(heap, self.sites, self.input, &|i| places.is_global(i)))
    }
}

impl Places {
    /// Observes the search for everything. An error says why the invariant cannot be sliced.
    pub fn observe(invariant: Sliced, bounds: &Bounds, mut options: Options) -> Result<Places, String> {
        let Sliced { of, input, sites } = invariant;
        if let Some(site) = sites.iter().find(|site| !site.is_pure) {
            return Err(format!(
                "the conjunct `{}` changes something that others look at, so they cannot be evaluated apart",
                site.text
            ));
        }
        options.disjoint = Disjoint::Off;
        // Every conjunct is evaluated in each run, in the order of the source.
        (options.audit, options.recheck_every) = (false, 0);
        (options.lazy.order, options.lazy.resume) = (false, false);
        let mut search =
            DepthFirst::new(of, (of.blank)(), bounds, options).map_err(|error| error.to_string())?;
        let heap = search.structure.heap;
        let selected = invariant.select(heap, &|_| true);
        search.select(selected, OBSERVE);
        let (mut run, mut build) = (Run::new(), Build::within(heap));
        let (mut found, mut runs) = (0, 0);
        while found < OBSERVED_VALUES && runs < OBSERVED_RUNS {
            let mut tick = |outcome: &Outcome| match outcome.explored < OBSERVED_RUNS {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(Stop::Interrupted),
            };
            let result = search.find_next(&mut run, &mut build, &mut tick);
            runs = run.outcome.explored;
            match result {
                Ok(Found::Valid) => {
                    found += 1;
                    search.drop_set(&mut run);
                }
                Ok(Found::End | Found::Paused) => break,
                Err(_) if selected.is_recursive() => {
                    return Err(
                        "the invariant calls itself, so it cannot be told apart which conjunct is about what"
                            .into(),
                    );
                }
                // The search of a part will find the failure, too.
                Err(_) => break,
            }
        }
        let mut places = Places::default();
        for (i, site) in sites.iter().enumerate() {
            // What was read before is not seen to be read again.
            let seen = match selected.seen(i) {
                0 if site.is_movable => Self::observe_alone(invariant, bounds, options, i),
                seen => seen,
            };
            let place = match seen {
                0 => places.guess(heap.layout.parts.first(input)),
                parts if parts.count_ones() == 1 => Place::Part(parts.trailing_zeros()),
                parts => Place::Global(asks_for(&heap.layout.parts, parts)),
            };
            places.0.push(place);
        }
        Ok(places)
    }

    /// A conjunct that asks for nothing new inherits the part of the conjunct before it.
    fn guess(&self, first: u32) -> Place {
        match self.0.last() {
            Some(place @ Place::Part(_)) => place.clone(),
            _ => Place::Part(first),
        }
    }

    /// The places of the same conjuncts in an input whose parts are numbered differently.
    pub fn moved(&self, offset: u32) -> Places {
        let mut places = self.clone();
        for place in &mut places.0 {
            if let Place::Part(part) = place {
                *part += offset;
            }
        }
        places
    }

    /// Takes the conjuncts out of their part that come behind a global one, and says why.
    pub fn keep_in_turn(&mut self, part: u32) -> Vec<(usize, String)> {
        let Some(first) = self.first_global() else { return vec![] };
        let why = format!(
            "a field may hold an integer above {LARGEST}, and a conjunct before it is about several parts: without that \
             one, an allocation might not succeed"
        );
        let mut late = vec![];
        for i in first + 1..self.0.len() {
            if self.is_local(i, part) {
                self.make_global(i, why.clone());
                late.push((i, why.clone()));
            }
        }
        late
    }

    /// The first conjunct that is checked on combinations.
    fn first_global(&self) -> Option<usize> {
        self.0.iter().position(|place| matches!(place, Place::Global(_)))
    }

    /// Returns the parts that a conjunct asks for on the first candidate, if it can be evaluated without the others. It
    /// does not reach unsafe code.
    fn observe_alone(invariant: Sliced, bounds: &Bounds, options: Options, conjunct: usize) -> u64 {
        let Sliced { of, input, sites } = invariant;
        let Ok(mut search) = DepthFirst::new(of, (of.blank)(), bounds, options) else { return 0 };
        let heap = search.structure.heap;
        if heap.layout.largest > LARGEST {
            return 0;
        }
        let selected = Selected::alone(heap, sites, input, conjunct);
        search.select(selected, OBSERVE);
        let _ = search.structure.run();
        selected.current();
        selected.seen(conjunct)
    }

    /// Whether a conjunct is local to a part.
    pub fn is_local(&self, conjunct: usize, part: u32) -> bool {
        self.0[conjunct] == Place::Part(part)
    }

    /// Whether a conjunct is checked on combinations.
    pub fn is_global(&self, conjunct: usize) -> bool {
        matches!(self.0[conjunct], Place::Global(_))
    }

    /// Takes a conjunct out of its part.
    pub fn make_global(&mut self, conjunct: usize, why: String) {
        self.0[conjunct] = Place::Global(why);
    }

    /// The conjuncts that are local to a part.
    pub fn texts(&self, sites: &'static [ConjunctSite], part: u32) -> Vec<&'static str> {
        let mut texts = vec![];
        for (i, site) in sites.iter().enumerate() {
            if self.is_local(i, part) {
                texts.push(site.text);
            }
        }
        texts
    }

    /// The conjuncts that are checked on combinations.
    pub fn global(&self, sites: &'static [ConjunctSite]) -> Vec<GlobalConjunct> {
        let mut global = vec![];
        for (i, place) in self.0.iter().enumerate() {
            if let Place::Global(why) = place {
                global.push(GlobalConjunct { text: sites[i].text, why: why.clone() });
            }
        }
        global
    }
}

/// Says which parts a conjunct asks for.
fn asks_for(parts: &Parts, asked: u64) -> String {
    let mut names = vec![];
    for part in 1..u64::BITS {
        if asked >> part & 1 == 1 {
            names.push(format!("`{}`", parts.name(part)));
        }
    }
    format!("it asks for {}", names.join(" and "))
}
