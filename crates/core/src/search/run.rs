//! One run of the invariant, or of the part of it that is selected, and what it came to.

use super::{SearchCore, Verdict, panic_message};
use crate::ask;
use crate::conjuncts::OutOfTurn;
use crate::error::FailureKind;
use crate::guard;
use crate::heap::{DeadEnd, Strayed};
use crate::key;
use crate::options::Engine;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

impl SearchCore {
    /// One run of the invariant on the current candidate.
    #[inline]
    pub(super) fn run(&self) -> Verdict {
        let is_lazy = self.options.engine == Engine::Lazy;
        let keys = key::enter(is_lazy.then_some(self.heap));
        if is_lazy {
            let mut s = self.heap.state.borrow_mut();
            s.cursor = 0;
            s.conjunctions.rewind();
            drop(s);
            ask::promise(if self.options.lazy.promises { ask::FALSE_REFUTES } else { ask::NOTHING });
        }
        let outer = guard::arm();
        let run = match self.selected {
            None => catch_unwind(AssertUnwindSafe(|| self.root.rep_ok())),
            Some(selected) => selected.run(|| catch_unwind(AssertUnwindSafe(|| self.root.rep_ok()))),
        };
        guard::disarm(outer);
        key::enter(keys);
        ask::unpromise();
        match run {
            Ok(_) | Err(_) if self.is_out_of_part() => {
                Verdict::Failed(FailureKind::Unbuildable { why: "it asks for another part".into() })
            }
            Ok(true) => Verdict::Valid,
            Ok(false) => Verdict::Invalid,
            Err(thrown) => self.thrown(thrown),
        }
    }

    /// Whether the run has not stayed within the part that is searched, or cannot be sliced.
    #[inline]
    fn is_out_of_part(&self) -> bool {
        self.selected.is_some_and(|selected| selected.is_recursive() || self.heap.foreign.get().is_some())
    }

    #[cold]
    pub(super) fn thrown(&self, thrown: Box<dyn Any + Send>) -> Verdict {
        if thrown.is::<DeadEnd>() {
            return Verdict::DeadEnd;
        }
        if thrown.is::<Strayed>() {
            let difference = "a second run on the same candidate compared other fields".into();
            return Verdict::Failed(FailureKind::NonDeterministic { difference });
        }
        if thrown.is::<OutOfTurn>() {
            let message = "it comes to code in `unsafe`, which may rely on them; put `#[bounded(unsafe(parts))]` on the type \
                           if it does not"
                .into();
            return Verdict::Failed(FailureKind::PredicatePanicked { message });
        }
        Verdict::Failed(match thrown.downcast_ref() {
            Some(guard::Exhausted::Steps) => {
                FailureKind::Endless { budget: format!("{} steps", guard::STEPS) }
            }
            Some(guard::Exhausted::Stack) => {
                FailureKind::Endless { budget: format!("{} bytes of stack", guard::STACK) }
            }
            None => FailureKind::PredicatePanicked { message: panic_message(thrown) },
        })
    }
}
