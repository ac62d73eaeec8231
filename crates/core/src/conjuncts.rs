//! The conjuncts of an invariant, `a && b && c`, as instrumented code runs them.

pub(crate) mod select;

use crate::answers::Strayed;
use crate::guard;
use crate::heap::{DeadEnd, Heap};
use crate::key;
use crate::path::conjunctions::{self, Held};
use crate::promise;
pub use crate::site::ConjunctSite;
use select::Selected;
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// One evaluation of a conjunction: says which conjunct to evaluate next.
///
/// The lazy engine skips conjuncts that are known to hold: one that ended before the first new step of the path has read
/// nothing new. It may also evaluate conjuncts in another order, since a conjunction is false if one of them is. A conjunct
/// may rely on those before it (not to loop, not to panic). So one that panics out of turn, or uses up its budget, is
/// evaluated again in its turn, and an order in which that happens while orders are tried is not taken. Nothing is printed
/// ([`is_out_of_turn`]).
///
/// ```
/// use smallscope_core::conjuncts::{ConjunctSite, Conjuncts};
/// static SITES: &[ConjunctSite] = &[
///     ConjunctSite { text: "1 < 2", line: 1, is_pure: true, is_movable: true },
///     ConjunctSite { text: "2 < 3", line: 1, is_pure: true, is_movable: true },
/// ];
/// let mut conjuncts = Conjuncts::start(SITES);
/// let holds = loop {
///     let Some(i) = conjuncts.next() else { break true };
///     let holds = conjuncts.run(i, || match i { 0 => 1 < 2, 1 => 2 < 3, _ => unreachable!() });
///     if !conjuncts.held(i, holds) { break false }
/// };
/// assert!(holds);
/// ```
pub struct Conjuncts {
    sites: &'static [ConjunctSite],
    /// How many were evaluated or skipped.
    next: usize,
    /// The heap, if this is the outermost conjunction of an invariant that the lazy engine runs.
    heap: Option<&'static Heap>,
    /// Conjuncts that have panicked out of turn.
    postponed: Vec<u32>,
    /// The conjunct that comes next is out of turn.
    is_early: bool,
    /// The conjunct that is being evaluated is listed already.
    is_noted: bool,
    /// Which of them are evaluated; none for all.
    selected: Option<&'static Selected>,
    /// Conjunctions inside the only selected conjunct count as outermost.
    is_transparent: bool,
}

/// How the current conjunct is evaluated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
    /// In turn: all conjuncts before it hold.
    Its,
    /// Out of turn. It must not reach unsafe code.
    Careful,
    /// Out of turn, and the author vouches for unsafe code.
    Vouched,
}

thread_local! {
    static TURN: Cell<Turn> = const { Cell::new(Turn::Its) };
}

/// Ends an evaluation out of turn. Stands at the beginning of each `unsafe` block of instrumented code, whose safety may
/// rest on conjuncts that were not evaluated yet.
#[inline(always)]
pub fn before_unsafe() {
    if TURN.get() == Turn::Careful {
        out_of_turn();
    }
}

/// Whether this thread evaluates a conjunct out of turn: without conjuncts that precede it in the source, on which it may
/// rely. A panic is no failure then, and is not worth a message. The panic hook asks this.
///
/// ```
/// assert!(!smallscope_core::conjuncts::is_out_of_turn());
/// ```
pub fn is_out_of_turn() -> bool {
    TURN.try_with(Cell::get).is_ok_and(|turn| turn != Turn::Its)
}

/// Thrown, without the panic hook, where an evaluation out of turn has to end.
pub(crate) struct OutOfTurn;

/// Ends an evaluation that must not reach unsafe code.
pub(crate) fn out_of_turn() -> ! {
    resume_unwind(Box::new(OutOfTurn))
}

/// How the current conjunct is evaluated.
pub(crate) fn turn() -> Turn {
    TURN.get()
}

/// Sets how the current conjunct is evaluated.
pub(crate) fn set_turn(turn: Turn) {
    TURN.set(turn);
}

/// The largest integer that a field may hold if conjuncts run out of turn. `vec![0; n]` behind `n < 100 &&` may end the
/// process if it is evaluated first, and a failed allocation cannot be caught. The square of this number can be allocated.
pub(crate) const LARGEST: u128 = 1 << 12;

/// Evaluates an invariant before those of the parts on which it may rely. None if it does: it has panicked, has used up its
/// budget, or has reached unsafe code.
pub(crate) fn early(heap: &'static Heap, invariant: impl FnOnce() -> bool) -> Option<bool> {
    let outer = TURN.replace(Turn::Careful);
    let budget = guard::lower();
    let result = catch_unwind(AssertUnwindSafe(invariant));
    TURN.set(outer);
    let thrown = match result {
        Ok(holds) => {
            guard::raise(budget);
            return Some(holds);
        }
        Err(thrown) if thrown.is::<DeadEnd>() || thrown.is::<Strayed>() => resume_unwind(thrown),
        Err(thrown) => thrown,
    };
    // What was thrown may have a destructor that panics.
    std::mem::forget(thrown);
    promise::forget();
    guard::rearm();
    select::begin_again();
    let known = &mut heap.state.borrow_mut().conjunctions;
    (known.depth, known.is_paused) = (0, true);
    None
}

impl Conjuncts {
    /// Begins an evaluation.
    #[inline]
    pub fn start(sites: &'static [ConjunctSite]) -> Self {
        let selected = select::among(sites);
        let is_transparent = selected.is_some_and(Selected::is_single);
        let heap = key::current().filter(|heap| {
            if is_transparent {
                return false;
            }
            let known = &mut heap.state.borrow_mut().conjunctions;
            known.depth += 1;
            known.depth == 1
        });
        Conjuncts {
            sites,
            next: 0,
            heap,
            postponed: vec![],
            is_early: false,
            is_noted: false,
            selected,
            is_transparent,
        }
    }

    /// Returns the number of the conjunct to evaluate next; none if all hold.
    #[expect(clippy::should_implement_trait, reason = "called in a loop of generated code, which steers it")]
    #[inline]
    pub fn next(&mut self) -> Option<u32> {
        match self.selected {
            None => self.next_in_order(),
            Some(selected) => self.next_selected(selected),
        }
    }

    #[cold]
    fn next_selected(&mut self, selected: &'static Selected) -> Option<u32> {
        let next = self.next_in_order()?;
        selected.enter(next);
        Some(next)
    }

    fn is_left_out(&self, i: u32) -> bool {
        self.selected.is_some_and(|selected| selected.leaves_out(i))
    }

    #[inline]
    fn next_in_order(&mut self) -> Option<u32> {
        let Some(heap) = self.heap else {
            while self.next < self.sites.len() && self.is_left_out(self.next as u32) {
                self.next += 1;
            }
            let next = self.next;
            self.next += 1;
            return if next < self.sites.len() { Some(next as u32) } else { self.end() };
        };
        let s = &mut *heap.state.borrow_mut();
        let (sites, selected) = (self.sites, self.selected);
        let places = conjunctions::places(&s.conjunctions.orders, sites);
        while self.next < sites.len() {
            let (i, is_early) = places.map_or((self.next as u32, false), |places| places[self.next]);
            self.next += 1;
            if selected.is_some_and(|selected| selected.leaves_out(i)) {
                continue;
            }
            let site = &sites[i as usize];
            match s.conjunctions.held.get(s.conjunctions.cursor) {
                Some(held) if site.is_pure => {
                    s.conjunctions.cursor += 1;
                    if held.holds {
                        s.answers.cursor = held.log;
                        continue;
                    }
                    self.is_noted = true;
                }
                _ => {}
            }
            self.is_early = is_early;
            s.conjunctions.running = Some(site);
            return Some(i);
        }
        // Conjuncts that relied on others are evaluated now, in the order of the source.
        self.next = self.sites.len() + 1;
        self.is_early = false;
        let first = (0..self.postponed.len()).min_by_key(|&at| self.postponed[at]);
        match first.map(|at| self.postponed.swap_remove(at)) {
            Some(i) => {
                s.conjunctions.running = Some(&self.sites[i as usize]);
                Some(i)
            }
            None => {
                s.conjunctions.depth -= 1;
                None
            }
        }
    }

    #[cold]
    fn end(&self) -> Option<u32> {
        if let Some(heap) = key::current().filter(|_| !self.is_transparent) {
            heap.state.borrow_mut().conjunctions.depth -= 1;
        }
        None
    }

    /// Evaluates a conjunct.
    #[inline(always)]
    pub fn run(&mut self, i: u32, conjunct: impl FnOnce() -> bool) -> bool {
        if self.is_early { self.run_early(i, conjunct) } else { conjunct() }
    }

    /// Evaluates a conjunct before others that precede it in the source.
    fn run_early(&mut self, i: u32, conjunct: impl FnOnce() -> bool) -> bool {
        let outer = TURN.replace(Turn::Careful);
        let budget = guard::lower();
        let result = catch_unwind(AssertUnwindSafe(conjunct));
        TURN.set(outer);
        match result {
            Ok(holds) => {
                guard::raise(budget);
                holds
            }
            Err(thrown) => {
                self.postpone(i, thrown);
                true
            }
        }
    }

    /// Notes that a conjunct has to be evaluated in its turn.
    #[cold]
    fn postpone(&mut self, i: u32, thrown: Box<dyn Any + Send>) {
        if thrown.is::<DeadEnd>() || thrown.is::<Strayed>() {
            resume_unwind(thrown);
        }
        let has_panicked = !thrown.is::<OutOfTurn>();
        // What was thrown may have a destructor that panics.
        std::mem::forget(thrown);
        promise::forget();
        guard::rearm();
        self.postponed.push(i);
        let Some(heap) = self.heap else { return };
        let known = &mut heap.state.borrow_mut().conjunctions;
        known.is_paused = true;
        if known.is_trial && has_panicked {
            known.in_turn_only.push(i);
            out_of_turn();
        }
    }

    /// Notes whether a conjunct holds, and returns that.
    #[inline]
    pub fn held(&mut self, i: u32, holds: bool) -> bool {
        if let Some(selected) = self.selected {
            selected.leave(i);
        }
        let Some(heap) = self.heap else {
            if !holds {
                self.end();
            }
            return holds;
        };
        let s = &mut *heap.state.borrow_mut();
        if !holds {
            s.conjunctions.depth -= 1;
            s.conjunctions.failed = Some(&self.sites[i as usize]);
        }
        let is_noted = std::mem::take(&mut self.is_noted);
        if s.conjunctions.resumes && self.sites[i as usize].is_pure && !s.conjunctions.is_paused && !is_noted
        {
            s.conjunctions.held.push(Held { holds, path: s.path.len(), log: s.answers.log.len() });
            s.conjunctions.cursor = s.conjunctions.held.len();
        }
        holds
    }
}
