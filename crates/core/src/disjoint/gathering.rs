//! The search of the parts of a structure. Several threads can share it: each part is searched by one of them.

use super::job::{Claim, PartJob};
use super::slice::{Places, Sliced, SlicedPart, Slicing};
use super::suite::PartSuite;
use crate::bounds::Bounds;
use crate::error::Failure;
use crate::hash::FNV;
use crate::invariant::Structure;
use crate::layout::{Group, Inner};
use crate::mirror::root::ValueType;
use crate::options::Options;
use crate::outcome::{Outcome, Stop};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The search of the parts of a structure within some bounds, and what it has found so far.
///
/// [`AnySearch::gathering`](crate::AnySearch::gathering) returns the one of a search. Threads that call
/// [`Gathering::help`] search parts while the thread of the search does.
pub struct Gathering {
    of: ValueType,
    /// Bounds note which of them were used, so threads do not share them.
    bounds: Mutex<Bounds>,
    options: Options,
    /// Notes in which scopes candidates are available, for passes of a series.
    keeps_scopes: bool,
    /// What is searched on its own.
    pub(super) groups: Vec<Group>,
    /// The same, with what was found.
    pub(super) parts: Vec<Mutex<PartState>>,
    /// For parts that have the same values as an earlier one.
    twins: Vec<Option<usize>>,
    /// The invariants that are sliced, and where their conjuncts seem to belong. Whole inputs have none.
    sliced: Vec<(Sliced, Places)>,
    /// The invariants of values inside. Each is about one part.
    inner: Option<&'static Inner>,
    /// Why the parts cannot be searched on their own.
    refusal: OnceLock<Refusal>,
    gathered: OnceLock<Arc<Gathered>>,
    /// Runs that no search has counted yet, and candidates that were cut short.
    pub(super) uncounted: [AtomicU64; 2],
}

pub(super) enum PartState {
    Waiting,
    Claimed,
    Done(Arc<PartResult>),
}

/// What the search of a part has found.
pub(crate) struct PartResult {
    pub suite: PartSuite,
    pub explored: u64,
    pub pruned: u64,
    /// Conjuncts that seemed to be local to it and are not.
    pub demoted: Vec<(usize, String)>,
}

/// Why parts are not searched on their own.
#[derive(Debug, Clone)]
pub(crate) enum Refusal {
    /// It cannot be done, or it would take too much.
    Cannot(String),
    /// The invariant of the structure, or of an input, cannot be sliced.
    Unsliceable { input: Option<usize>, why: String },
    /// The invariant misbehaves.
    Failed(Failure),
}

/// All parts.
pub(crate) struct Gathered {
    pub parts: Vec<Arc<PartResult>>,
    pub groups: Vec<Group>,
    pub sliced: Vec<(Sliced, Places)>,
    pub slicing: Slicing,
    /// Runs of the invariant that it took, and candidates that were cut short.
    pub explored: u64,
    pub pruned: u64,
    fingerprint: OnceLock<u64>,
}

impl Gathered {
    /// Returns a fingerprint of everything that was found: if it differs, indices mean something else.
    pub fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| {
            let mut hash = FNV;
            for part in &self.parts {
                hash = part.suite.fingerprint(hash);
            }
            hash
        })
    }
}

/// How far the search of a part is.
pub(crate) enum Progress {
    /// At its end, or at a refusal, which the gathering knows.
    Done,
    /// The caller's `tick` asked for a pause.
    Paused(Stop),
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Gathering {
    /// Finds out where conjuncts seem to belong, which takes some runs of the invariant. The inputs in `split`, as bits, are
    /// searched by parts.
    pub(super) fn new(
        structure: Structure,
        bounds: Bounds,
        options: Options,
        keeps_scopes: bool,
        split: u64,
    ) -> Gathering {
        let (of, layout) = (structure.of, structure.heap.layout);
        let groups = layout.parts.groups(split);
        let is_split = |input: usize| split >> input & 1 == 1;
        let twin = |input: usize| layout.twin(input).filter(|&twin| is_split(twin) == is_split(input));
        let twin_group = |group: &Group| {
            let input = group.input?;
            let twin = twin(input)?;
            let part = group.part.map(|part| part - layout.offset(twin, input));
            groups.iter().position(|other| other.input == Some(twin) && other.part == part)
        };
        let (mut parts, mut twins) = (vec![], vec![]);
        for group in &groups {
            parts.push(Mutex::new(PartState::Waiting));
            twins.push(twin_group(group));
        }
        let refusal = OnceLock::new();
        let mut sliced: Vec<(Sliced, Places)> = vec![];
        for group in &groups {
            let input = group.input;
            if group.part.is_none() || sliced.last().is_some_and(|(known, _)| known.input == input) {
                continue;
            }
            let invariant = Sliced::new(of, input);
            let twin = input.and_then(|input| Some((input, twin(input)?)));
            let known = twin.and_then(|(input, twin)| {
                let (_, places) = sliced.iter().find(|(known, _)| known.input == Some(twin))?;
                Some(places.moved(layout.offset(twin, input)))
            });
            let places = match known {
                Some(places) => Ok(places),
                None => Places::observe(invariant, &bounds, options),
            };
            let places = places.unwrap_or_else(|why| {
                let _ = refusal.set(Refusal::Unsliceable { input, why });
                Places::default()
            });
            sliced.push((invariant, places));
        }
        Gathering {
            of,
            bounds: Mutex::new(bounds),
            options,
            keeps_scopes,
            parts,
            twins,
            groups,
            sliced,
            inner: structure.inner,
            refusal,
            gathered: OnceLock::new(),
            uncounted: Default::default(),
        }
    }

    /// The invariant that a part is a slice of, and where its conjuncts seem to belong; none for a whole input.
    pub(super) fn invariant(&self, part: usize) -> Option<&(Sliced, Places)> {
        let Group { input, part, .. } = &self.groups[part];
        self.sliced.iter().find(|(invariant, _)| part.is_some() && invariant.input == *input)
    }

    /// Searches parts that no other thread searches, until there are none. `tick` is called now and then and may end that.
    pub fn help(self: &Arc<Self>, tick: &mut dyn FnMut(&Outcome) -> ControlFlow<Stop>) {
        while let Some(mut job) = self.claim() {
            if let Progress::Paused(_) = job.go_on(tick) {
                return;
            }
        }
    }

    /// Returns how many parts there are to be searched.
    pub fn parts(&self) -> usize {
        let mut parts = 0;
        for twin in &self.twins {
            parts += usize::from(twin.is_none());
        }
        parts
    }

    pub(super) fn refusal(&self) -> Option<&Refusal> {
        self.refusal.get()
    }

    pub(super) fn refuse(&self, refusal: Refusal) {
        let _ = self.refusal.set(refusal);
    }

    /// Takes the runs, and the candidates cut short, that no search has counted yet.
    pub(super) fn take_uncounted(&self) -> (u64, u64) {
        let [explored, pruned] = &self.uncounted;
        (explored.swap(0, Ordering::Relaxed), pruned.swap(0, Ordering::Relaxed))
    }

    /// Claims a part that no thread searches yet.
    pub(super) fn claim(self: &Arc<Self>) -> Option<PartJob> {
        let mut part = 0;
        loop {
            let mut state = lock(self.parts.get(part)?);
            if self.twins[part].is_none() && matches!(*state, PartState::Waiting) {
                *state = PartState::Claimed;
                break;
            }
            part += 1;
        }
        let claim = Claim { gathering: self.clone(), part };
        let bounds = lock(&self.bounds).clone();
        match PartJob::new(self.of, claim, bounds, self.options, self.keeps_scopes) {
            Ok(job) => Some(job),
            Err(error) => {
                self.refuse(Refusal::Cannot(error.to_string()));
                None
            }
        }
    }

    fn done(&self, part: usize) -> Option<Arc<PartResult>> {
        match &*lock(&self.parts[self.twins[part].unwrap_or(part)]) {
            PartState::Done(result) => Some(result.clone()),
            _ => None,
        }
    }

    /// All parts, if they are found.
    pub(super) fn gathered(&self) -> Option<Arc<Gathered>> {
        if let Some(gathered) = self.gathered.get() {
            return Some(gathered.clone());
        }
        let mut parts = vec![];
        for part in 0..self.parts.len() {
            parts.push(self.done(part)?);
        }
        let mut sliced = self.sliced.clone();
        for (invariant, places) in &mut sliced {
            for (group, part) in self.groups.iter().zip(&parts) {
                if group.input == invariant.input {
                    for (conjunct, why) in &part.demoted {
                        places.make_global(*conjunct, why.clone());
                    }
                }
            }
        }
        let mut slicing = Slicing { parts: vec![], global: vec![] };
        let (mut explored, mut pruned) = (0, 0);
        for (i, part) in parts.iter().enumerate() {
            let is_distinct = self.twins[i].is_none();
            if is_distinct {
                explored += part.explored;
                pruned += part.pruned;
            }
            slicing.parts.push(SlicedPart {
                name: self.groups[i].name.clone(),
                conjuncts: self.conjuncts_of(&self.groups[i], &sliced),
                valid: part.suite.len().into(),
                explored: is_distinct.then_some(part.explored),
            });
        }
        for (invariant, places) in &sliced {
            slicing.global.append(&mut places.global(invariant.sites));
        }
        let gathered = Arc::new(Gathered {
            parts,
            groups: self.groups.clone(),
            sliced,
            slicing,
            explored,
            pruned,
            fingerprint: OnceLock::new(),
        });
        Some(self.gathered.get_or_init(|| gathered).clone())
    }

    /// The conjuncts that are local to a part, and the invariants of values inside; none for a whole input.
    fn conjuncts_of(&self, group: &Group, sliced: &[(Sliced, Places)]) -> Option<Vec<&'static str>> {
        let part = group.part?;
        let (invariant, places) = sliced.iter().find(|(invariant, _)| invariant.input == group.input)?;
        let mut texts = places.texts(invariant.sites, part);
        if let Some(inner) = self.inner {
            texts.append(&mut inner.texts(part));
        }
        Some(texts)
    }

    /// Returns how many bytes the parts take that are found.
    pub(super) fn kept(&self) -> usize {
        let mut bytes = 0;
        for part in &self.parts {
            if let PartState::Done(result) = &*lock(part) {
                bytes += result.suite.bytes();
            }
        }
        bytes
    }
}
