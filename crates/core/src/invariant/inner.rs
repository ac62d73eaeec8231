//! The invariant of a value together with those of its parts.
//!
//! A value is made of valid parts, so the invariant of the whole may rely on those of the parts. It runs first all the same,
//! because it follows the shape and rejects most candidates before their parts are read. That is out of turn: if it panics,
//! or reaches `unsafe` code, the parts are asked and then the whole again.

use crate::ask::{self, Promise};
use crate::conjuncts::{self, Conjuncts, select};
use crate::heap::Heap;
use crate::layout::Inner;
use crate::mirror::root::Root;
use crate::probe;
use crate::walk::Walk;

/// Runs the invariant of the current candidate and those of its parts.
pub(super) fn rep_ok(heap: &'static Heap, root: &'static dyn Root, inner: &'static Inner) -> bool {
    let promise = ask::enter();
    let own = || under(promise, || root.rep_ok());
    // The whole may call the invariants of its parts. Then their decisions are not recorded a second time.
    let mut decisions = vec![];
    let mut parts = || {
        let (holds, taken) = probe::taken_by(|| hold(heap, root, inner, promise));
        decisions = taken;
        holds
    };
    let holds = if heap.state.borrow().conjunctions.parts_first {
        parts() && own()
    } else {
        match conjuncts::early(heap, own) {
            Some(holds) => holds && parts(),
            None => parts() && own(),
        }
    };
    probe::add_unknown(decisions);
    holds
}

/// Runs instrumented code of which a promise says what its result means.
fn under(promise: Promise, f: impl FnOnce() -> bool) -> bool {
    ask::promise(promise);
    let holds = f();
    ask::unpromise();
    holds
}

/// Whether the invariants of the parts hold.
fn hold(heap: &'static Heap, root: &'static dyn Root, inner: &'static Inner, promise: Promise) -> bool {
    if select::parts_hold() {
        // They hold in each part, and combinations do not change that.
        return true;
    }
    let mut conjuncts = Conjuncts::start(&inner.sites);
    loop {
        let Some(i) = conjuncts.next() else { return true };
        let check = &inner.checks[i as usize];
        let holds = !heap.is_in_focus(check.part) || Walk::check(heap, root, check, promise);
        if !conjuncts.held(i, holds) {
            return false;
        }
    }
}
