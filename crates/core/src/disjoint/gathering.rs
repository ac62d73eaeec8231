//! The search of the parts of a structure. Several threads can share it: each part is searched by one of them.

use super::job::{Claim, PartJob};
use super::slice::{Places, SlicedPart, Slicing};
use super::suite::PartSuite;
use crate::bounds::Bounds;
use crate::conjuncts::ConjunctSite;
use crate::error::Failure;
use crate::hash::FNV;
use crate::invariant::Structure;
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
    /// By part, beginning with part 1.
    pub(super) parts: Vec<Mutex<PartState>>,
    /// For parts that have the same values as an earlier one.
    twins: Vec<Option<u32>>,
    pub(super) names: Vec<String>,
    /// Where conjuncts seem to belong; none for inputs with invariants of their own.
    pub(super) places: Places,
    pub(super) sites: &'static [ConjunctSite],
    pub(super) are_inputs: bool,
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
    /// The invariant misbehaves.
    Failed(Failure),
}

/// All parts.
pub(crate) struct Gathered {
    pub parts: Vec<Arc<PartResult>>,
    pub places: Places,
    pub slicing: Slicing,
    /// Runs of the invariant that it took, and candidates that were cut short.
    pub explored: u64,
    pub pruned: u64,
    fingerprint: OnceLock<u64>,
}

impl Gathered {
    /// Returns a fingerprint of everything that was found: if it differs, indices mean something else.
    pub fn fingerprint(&self) -> u64 {
        let all = || self.parts.iter().fold(FNV, |hash, part| part.suite.fingerprint(hash));
        *self.fingerprint.get_or_init(all)
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
    /// Finds out where conjuncts seem to belong, which takes some runs of the invariant.
    pub(super) fn new(
        structure: Structure,
        bounds: Bounds,
        options: Options,
        keeps_scopes: bool,
    ) -> Gathering {
        let (names, twins, are_inputs) = {
            let layout = structure.heap.layout;
            let (names, are_inputs) = (layout.parts.names.clone(), layout.parts.are_inputs());
            let twins = (1..=names.len() as u32).map(|part| layout.twin(part)).collect();
            (names, twins, are_inputs)
        };
        let of = structure.of;
        let places = if are_inputs { Ok(Places::default()) } else { Places::observe(of, &bounds, options) };
        let refusal = OnceLock::new();
        let places = places.unwrap_or_else(|why| {
            let _ = refusal.set(Refusal::Cannot(why));
            Places::default()
        });
        Gathering {
            of,
            bounds: Mutex::new(bounds),
            options,
            keeps_scopes,
            parts: names.iter().map(|_| Mutex::new(PartState::Waiting)).collect(),
            twins,
            names,
            places,
            sites: (of.conjuncts)(),
            are_inputs,
            refusal,
            gathered: OnceLock::new(),
            uncounted: Default::default(),
        }
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
        self.twins.iter().filter(|twin| twin.is_none()).count()
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
        let is_free = |i: &usize| {
            let mut state = lock(&self.parts[*i]);
            let is_free = self.twins[*i].is_none() && matches!(*state, PartState::Waiting);
            if is_free {
                *state = PartState::Claimed;
            }
            is_free
        };
        let part = (0..self.parts.len()).find(is_free)? as u32 + 1;
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

    fn done(&self, part: u32) -> Option<Arc<PartResult>> {
        let part = self.twins[part as usize - 1].unwrap_or(part);
        match &*lock(&self.parts[part as usize - 1]) {
            PartState::Done(result) => Some(result.clone()),
            _ => None,
        }
    }

    /// All parts, if they are found.
    pub(super) fn gathered(&self) -> Option<Arc<Gathered>> {
        if let Some(gathered) = self.gathered.get() {
            return Some(gathered.clone());
        }
        let numbers = 1..=self.parts.len() as u32;
        let parts: Vec<Arc<PartResult>> =
            numbers.clone().map(|part| self.done(part)).collect::<Option<_>>()?;
        let mut places = self.places.clone();
        for (conjunct, why) in parts.iter().flat_map(|part| &part.demoted) {
            places.make_global(*conjunct, why.clone());
        }
        let sliced = |(part, result): (u32, &Arc<PartResult>)| SlicedPart {
            name: self.names[part as usize - 1].clone(),
            conjuncts: (!self.are_inputs).then(|| places.texts(self.sites, part)),
            valid: result.suite.len().into(),
            explored: self.twins[part as usize - 1].is_none().then_some(result.explored),
        };
        let slicing =
            Slicing { parts: numbers.zip(&parts).map(sliced).collect(), global: places.global(self.sites) };
        let distinct =
            || parts.iter().zip(&self.twins).filter(|(_, twin)| twin.is_none()).map(|(part, _)| part);
        let explored = distinct().map(|part| part.explored).sum();
        let pruned = distinct().map(|part| part.pruned).sum();
        let gathered =
            Arc::new(Gathered { parts, places, slicing, explored, pruned, fingerprint: OnceLock::new() });
        Some(self.gathered.get_or_init(|| gathered).clone())
    }

    /// Returns how many bytes the parts take that are found.
    pub(super) fn kept(&self) -> usize {
        let of = |state: &Mutex<PartState>| match &*lock(state) {
            PartState::Done(result) => result.suite.bytes(),
            _ => 0,
        };
        self.parts.iter().map(of).sum()
    }
}
