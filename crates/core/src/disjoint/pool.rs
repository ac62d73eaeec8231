//! What searches for the same values find out about the parts: several threads share it, and each part is searched by
//! one of them.

mod job;

pub(crate) use job::{PartJob, Progress};

use crate::bounds::Bounds;
use crate::conjuncts::ConjunctSite;
use crate::disjoint::slice::{Places, SlicedPart, Slicing};
use crate::disjoint::suite::PartSuite;
use crate::error::Failure;
use crate::options::Options;
use crate::outcome::{Outcome, Stop};
use crate::search::{SearchCore, Subject};
use job::Claim;
use std::any::TypeId;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

/// Called now and then with what was seen so far; may interrupt.
pub(crate) type Tick<'a> = dyn FnMut(&Outcome) -> ControlFlow<Stop> + 'a;

/// What is known about the parts of a structure within some bounds.
pub(crate) struct Pool {
    /// By part, beginning with part 1.
    parts: Vec<Mutex<PartState>>,
    /// For parts that have the same values as an earlier one.
    twins: Vec<Option<u32>>,
    names: Vec<String>,
    /// Where conjuncts seem to belong; none for inputs with invariants of their own.
    places: Places,
    sites: &'static [ConjunctSite],
    are_inputs: bool,
    /// Why the parts cannot be searched on their own.
    refusal: OnceLock<Refusal>,
    gathered: OnceLock<Arc<Gathered>>,
    /// Runs that nobody has taken into account yet, and candidates that were cut short.
    uncounted: [AtomicU64; 2],
    /// How many searches want to know.
    interested: AtomicUsize,
}

/// The pool of a search that wants to know about its parts.
pub(crate) struct Interest(Arc<Pool>);

impl Interest {
    pub fn in_pool(pool: Arc<Pool>) -> Interest {
        pool.interested.fetch_add(1, Ordering::Relaxed);
        Interest(pool)
    }

    pub fn pool(&self) -> &Arc<Pool> {
        &self.0
    }
}

impl Drop for Interest {
    fn drop(&mut self) {
        self.0.interested.fetch_sub(1, Ordering::Relaxed);
    }
}

enum PartState {
    Waiting,
    Claimed,
    Done(Arc<PartResult>),
}

/// What the search of a part has come to.
pub(crate) struct PartResult {
    pub suite: PartSuite,
    explored: u64,
    pruned: u64,
    /// Conjuncts that were thought to be local to it.
    demoted: Vec<(usize, String)>,
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
    /// Different for all that were ever gathered.
    pub generation: u64,
    fingerprint: OnceLock<u64>,
}

impl Gathered {
    /// A number for everything that was found: if it is another one, indices mean something else.
    pub fn fingerprint(&self) -> u64 {
        // FNV-1a: its values are in files.
        let all = || self.parts.iter().fold(0xcbf2_9ce4_8422_2325, |hash, part| part.suite.fingerprint(hash));
        *self.fingerprint.get_or_init(all)
    }
}

type Known = HashMap<(TypeId, String), Weak<Pool>>;

/// What is being found out, or was and is still in use.
static POOLS: Mutex<Option<Known>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// What is known about the parts of `T` within the bounds, on whatever thread it was found out.
    pub fn of(search: &SearchCore, bounds: &Bounds, options: Options, keeps_scopes: bool) -> Arc<Pool> {
        let key = ((search.subject().id)(), format!("{bounds:?} {options:?} {keeps_scopes}"));
        let known = || lock(&POOLS).as_ref().and_then(|pools| pools.get(&key)?.upgrade());
        known().unwrap_or_else(|| {
            let new = Arc::new(Pool::new(search, bounds, options));
            let mut pools = lock(&POOLS);
            let pools = pools.get_or_insert_default();
            pools.retain(|_, pool| pool.strong_count() > 0);
            let known = pools.get(&key).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                pools.insert(key.clone(), Arc::downgrade(&new));
                new
            })
        })
    }

    fn new(search: &SearchCore, bounds: &Bounds, options: Options) -> Pool {
        let (names, twins, are_inputs) = search.with_state(|s| {
            let parts = 1..=s.parts.names.len() as u32;
            (s.parts.names.clone(), parts.map(|part| s.twin(part)).collect(), s.parts.are_inputs())
        });
        let places = if are_inputs {
            Ok(Places::default())
        } else {
            Places::observe(search.subject(), bounds, options)
        };
        let refusal = OnceLock::new();
        let places = places.unwrap_or_else(|why| {
            let _ = refusal.set(Refusal::Cannot(why));
            Places::default()
        });
        Pool {
            parts: names.iter().map(|_| Mutex::new(PartState::Waiting)).collect(),
            twins,
            names,
            places,
            sites: (search.subject().conjuncts)(),
            are_inputs,
            refusal,
            gathered: OnceLock::new(),
            uncounted: Default::default(),
            interested: AtomicUsize::new(0),
        }
    }

    pub fn refusal(&self) -> Option<&Refusal> {
        self.refusal.get()
    }

    fn refuse(&self, refusal: Refusal) {
        let _ = self.refusal.set(refusal);
    }

    /// Runs, and candidates cut short, that nobody has taken into account yet.
    pub fn take_uncounted(&self) -> (u64, u64) {
        let [explored, pruned] = &self.uncounted;
        (explored.swap(0, Ordering::Relaxed), pruned.swap(0, Ordering::Relaxed))
    }

    /// How many different parts there are.
    pub fn distinct(&self) -> usize {
        self.twins.iter().filter(|twin| twin.is_none()).count()
    }

    /// Whether nobody wants to know any more.
    pub fn is_forgotten(&self) -> bool {
        self.interested.load(Ordering::Relaxed) == 0
    }

    /// A part that nobody searches yet.
    pub fn claim(
        self: &Arc<Pool>,
        subject: Subject,
        bounds: &Bounds,
        options: Options,
        keeps_scopes: bool,
    ) -> Option<PartJob> {
        let is_free = |i: &usize| {
            let mut state = lock(&self.parts[*i]);
            let is_free = self.twins[*i].is_none() && matches!(*state, PartState::Waiting);
            if is_free {
                *state = PartState::Claimed;
            }
            is_free
        };
        let part = (0..self.parts.len()).find(is_free)? as u32 + 1;
        let claim = Claim { pool: self.clone(), part };
        match PartJob::new(subject, claim, bounds, options, keeps_scopes) {
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
    pub fn gathered(&self) -> Option<Arc<Gathered>> {
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
        static GENERATIONS: AtomicU64 = AtomicU64::new(1);
        let generation = GENERATIONS.fetch_add(1, Ordering::Relaxed);
        let gathered = Arc::new(Gathered {
            parts,
            places,
            slicing,
            explored,
            pruned,
            generation,
            fingerprint: OnceLock::new(),
        });
        Some(self.gathered.get_or_init(|| gathered).clone())
    }

    fn kept(&self) -> usize {
        let of = |state: &Mutex<PartState>| match &*lock(state) {
            PartState::Done(result) => result.suite.bytes(),
            _ => 0,
        };
        self.parts.iter().map(of).sum()
    }
}
