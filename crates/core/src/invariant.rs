//! Running the invariant: a structure that was laid out within bounds, and the verdict of one run on its current candidate.
//!
//! A run ends in one of four ways ([`Verdict`]). Control flow that leaves the invariant early (no object is left, the
//! budget of the run is used up) unwinds without the panic hook and is told apart here, in one place, for the invariant and
//! for `eq_class`.

mod inner;

use crate::answers::Strayed;
use crate::ask;
use crate::candidate::Candidate;
use crate::cell::contents;
use crate::conjuncts::OutOfTurn;
use crate::conjuncts::select::Selected;
#[cfg(feature = "summaries")]
use crate::conjuncts::select::Separable;
use crate::error::{Error, FailureKind, panic_message};
use crate::guard;
use crate::heap::{DeadEnd, Heap};
use crate::key::{self, Owner};
use crate::layout::Inner;
use crate::mirror::root::{Root, ValueType};
use crate::options::Engine;
use crate::promise;
use crate::walk::{TooDeep, Walk};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A structure that was laid out within bounds. It is leaked, so copies are cheap and refer to the same heap.
#[derive(Clone, Copy)]
pub(crate) struct Structure {
    pub heap: &'static Heap,
    pub root: &'static dyn Root,
    /// The type of its values.
    pub of: ValueType,
    pub engine: Engine,
    /// The invariant promises which answers refute it; see [`crate::ask`].
    pub promises: bool,
    /// The part of the invariant that runs; none for all of it.
    pub selected: Option<&'static Selected>,
    /// The rules that the search follows decide all of the invariant, so it does not run.
    pub is_decided: bool,
    /// The invariants of parts of the value, if there are some.
    pub inner: Option<&'static Inner>,
}

/// The result of one run of the invariant.
pub(crate) enum Verdict {
    Valid,
    Invalid,
    /// No object was left for a mandatory pointer: this is no candidate within the bounds.
    DeadEnd,
    Failed(FailureKind),
}

/// Why not every reachable slot could be opened.
pub(crate) enum Incomplete {
    /// A slot has no choice.
    DeadEnd,
    /// The structure is deeper than the stack allows.
    TooDeep,
}

impl From<TooDeep> for Incomplete {
    fn from(TooDeep: TooDeep) -> Incomplete {
        Incomplete::TooDeep
    }
}

/// What left a run early.
pub(crate) type Thrown = Box<dyn Any + Send>;

/// Why a run was left early.
pub(crate) enum Left {
    /// No object was left.
    DeadEnd,
    /// A second run asked other questions.
    Strayed,
    /// An evaluation out of turn reached `unsafe` code.
    OutOfTurn,
    /// The budget of the run is used up.
    Endless(String),
    Panicked(String),
}

impl Left {
    #[cold]
    pub fn of(thrown: Thrown) -> Left {
        if thrown.is::<DeadEnd>() {
            return Left::DeadEnd;
        }
        if thrown.is::<Strayed>() {
            return Left::Strayed;
        }
        if thrown.is::<OutOfTurn>() {
            return Left::OutOfTurn;
        }
        match thrown.downcast_ref() {
            Some(guard::Exhausted::Steps) => Left::Endless(format!("{} steps", guard::STEPS)),
            Some(guard::Exhausted::Stack) => Left::Endless(format!("{} bytes of stack", guard::STACK)),
            None => Left::Panicked(panic_message(thrown)),
        }
    }
}

impl Structure {
    pub fn is_lazy(&self) -> bool {
        self.engine == Engine::Lazy
    }

    /// The conjuncts that a summary may leave to the search.
    #[cfg(feature = "summaries")]
    pub fn separable_conjuncts(&self) -> Separable {
        let of_inputs = (self.of.conjuncts_of_inputs)();
        match of_inputs.is_empty() {
            true => Separable { lists: vec![(self.of.conjuncts)()], is_of_inputs: false },
            false => Separable { lists: of_inputs, is_of_inputs: true },
        }
    }

    /// Runs the invariant on the current candidate.
    #[inline]
    pub fn run(&self) -> Verdict {
        if self.is_lazy() {
            let mut s = self.heap.state.borrow_mut();
            s.answers.cursor = 0;
            s.conjunctions.rewind();
        }
        if self.is_decided {
            return Verdict::Valid;
        }
        let promise = self.promise();
        let rep_ok = || self.rep_ok();
        let run = match self.selected {
            None => self.observe(promise, rep_ok),
            Some(selected) => selected.run(|| self.observe(promise, rep_ok)),
        };
        match run {
            Ok(_) | Err(_) if self.left_part() => {
                Verdict::Failed(FailureKind::Unbuildable { why: "it asks for another part".into() })
            }
            Ok(true) => Verdict::Valid,
            Ok(false) => Verdict::Invalid,
            Err(thrown) => self.verdict_of(thrown),
        }
    }

    /// What the result of the invariant means.
    #[inline(always)]
    pub fn promise(&self) -> ask::Promise {
        if self.promises { ask::FALSE_REFUTES } else { ask::NOTHING }
    }

    /// Runs `eq_class` on the current candidate; answers behind the first `log` ones are replayed.
    pub fn run_class(&self, log: usize, classify: impl FnOnce(&'static dyn Root)) -> Result<(), Thrown> {
        if self.is_lazy() {
            let mut s = self.heap.state.borrow_mut();
            s.answers.cursor = log;
            // Conjunctions in here do not belong to the invariant.
            s.conjunctions.depth = 1;
        }
        self.observe(ask::NOTHING, || classify(self.root))
    }

    /// Runs the invariant plainly: values are read, no question is asked, and no key is left open.
    pub fn run_plainly(&self) -> Result<bool, Thrown> {
        Structure { engine: Engine::Owned, ..*self }.observe(ask::NOTHING, || self.rep_ok())
    }

    /// The invariant, and those of the parts.
    #[inline]
    fn rep_ok(&self) -> bool {
        match self.inner {
            None => self.root.rep_ok(),
            Some(inner) => inner::rep_ok(self.heap, self.root, inner),
        }
    }

    /// Runs instrumented code within its budget. The lazy engine answers its questions about keys.
    #[inline]
    fn observe<R>(&self, promise: ask::Promise, f: impl FnOnce() -> R) -> Result<R, Thrown> {
        let keys = if self.is_lazy() { Owner::Heap(self.heap) } else { Owner::Nothing };
        run_instrumented(keys, promise, f)
    }

    /// Whether the run left the part that is searched, or cannot be sliced.
    #[inline]
    fn left_part(&self) -> bool {
        self.selected.is_some_and(|selected| selected.is_recursive() || self.heap.foreign.get().is_some())
    }

    #[cold]
    pub fn verdict_of(&self, thrown: Thrown) -> Verdict {
        Verdict::Failed(match Left::of(thrown) {
            Left::DeadEnd => return Verdict::DeadEnd,
            Left::Strayed => {
                let difference = "a second run on the same candidate compared other fields".into();
                FailureKind::NonDeterministic { difference }
            }
            Left::OutOfTurn => {
                let message =
                    "it reaches code in `unsafe`, which may rely on them; put `#[bounded(unsafe(parts))]` on the type \
                     if it does not"
                        .into();
                FailureKind::PredicatePanicked { message }
            }
            Left::Endless(budget) => FailureKind::Endless { budget },
            Left::Panicked(_) if self.tolerates_panic() => {
                promise::forget();
                return Verdict::DeadEnd;
            }
            Left::Panicked(message) => FailureKind::PredicatePanicked { message },
        })
    }

    /// Whether a panic of the invariant leaves the candidate out, and does not end the search. Counts it.
    fn tolerates_panic(&self) -> bool {
        let mut s = self.heap.state.borrow_mut();
        s.tolerated = s.tolerated.map(|count| count + 1);
        s.tolerated.is_some()
    }

    /// Opens every reachable slot.
    pub fn complete(&self) -> Result<(), Incomplete> {
        catching_dead_ends(|| match self.heap.complete_without_walk() {
            true => Ok(()),
            false => Walk::complete(self.heap, self.root),
        })
        .ok_or(Incomplete::DeadEnd)?
        .map_err(Incomplete::from)
    }

    /// Returns the current candidate in canonical form. Slots that were not read get their first choice. The candidate is
    /// empty if there is no such choice, or if the structure is deeper than the stack allows.
    pub fn candidate(&self) -> Candidate {
        let recorded = catching_dead_ends(|| Walk::record(self.heap, self.root));
        Candidate(recorded.and_then(Result::ok).unwrap_or_default())
    }

    /// Opens every reachable slot with the choices of a candidate in canonical form.
    pub fn replay(&self, choices: &[u32]) -> Result<(), Error> {
        let replay = || catching_dead_ends(|| Walk::replay(self.heap, self.root, choices));
        self.heap.without_rules(replay).unwrap_or_else(|| {
            Err(Error::Stale { why: "it needs more objects than the bounds allow".into() })
        })
    }
}

/// Runs code of the invariant on a part of the value, within the budget of a run. Open keys cannot be compared there.
#[cfg(feature = "summaries")]
pub(crate) fn run_on_part<R>(promise: ask::Promise, f: impl FnOnce() -> R) -> Result<R, Thrown> {
    run_instrumented(Owner::Part, promise, f)
}

/// Runs instrumented code within its budget. `keys` answers questions about keys meanwhile.
#[inline(always)]
fn run_instrumented<R>(keys: Owner, promise: ask::Promise, f: impl FnOnce() -> R) -> Result<R, Thrown> {
    let outer_keys = key::enter(keys);
    if promise != ask::NOTHING {
        ask::promise(promise);
    }
    contents::begin_run();
    let outer = guard::arm();
    let run = catch_unwind(AssertUnwindSafe(f));
    guard::disarm(outer);
    key::enter(outer_keys);
    ask::unpromise();
    run
}

/// Runs something that may find that no object is left; none if so.
pub(crate) fn catching_dead_ends<R>(f: impl FnOnce() -> R) -> Option<R> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(r) => Some(r),
        Err(thrown) if thrown.is::<DeadEnd>() => None,
        Err(thrown) => resume_unwind(thrown),
    }
}
