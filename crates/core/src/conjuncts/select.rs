//! Running a part of an invariant: one input of a product, or some of the conjuncts.
//!
//! A conjunct may rely on those before it. If one of these is left out, the conjunct is evaluated with care: it may
//! panic, which is then no failure of the invariant, and it must not reach unsafe code, unless the author of the type
//! has vouched for that ([`Parts::is_vouched`](crate::layout::Parts)).

use crate::conjuncts::{self, ConjunctSite, Turn};
use crate::heap::{DeadEnd, Heap};
use crate::leaked::leak;
use std::cell::Cell;
use std::panic::resume_unwind;

/// The conjuncts that a summary may leave to the search: those of the invariant or, if the value is several inputs, those of
/// each. They are numbered one after the other.
#[cfg(feature = "summaries")]
pub(crate) struct Separable {
    pub lists: Vec<&'static [ConjunctSite]>,
    pub is_of_inputs: bool,
}

#[cfg(feature = "summaries")]
impl Separable {
    pub fn len(&self) -> usize {
        self.lists.iter().map(|sites| sites.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn iter(&self) -> impl Iterator<Item = &'static ConjunctSite> + '_ {
        self.lists.iter().flat_map(|sites| sites.iter())
    }

    /// The conjuncts, if those of one input or of the structure are all.
    pub fn only(&self) -> Option<&'static [ConjunctSite]> {
        self.lists.iter().find(|sites| sites.len() == self.len()).copied()
    }
}

/// What of an invariant is run, and what was seen of it. Leaked, as heaps are.
pub(crate) struct Selected {
    heap: &'static Heap,
    /// The conjuncts that are looked at; of several inputs those of the current one.
    sites: Cell<&'static [ConjunctSite]>,
    /// How many conjuncts the inputs before it have. Numbers of conjuncts go on from one input to the next.
    before: Cell<u32>,
    /// The conjuncts of each input, if those of all inputs are looked at.
    of_inputs: Vec<&'static [ConjunctSite]>,
    /// The input of a product that is looked at; none for all of them.
    input: Option<usize>,
    /// The conjuncts that are evaluated.
    chosen: Box<[Cell<bool>]>,
    /// Unsafe code may run although conjuncts before it are left out.
    is_vouched: Cell<bool>,
    /// How many evaluations of these conjuncts the run has begun.
    begun: Cell<u32>,
    /// The conjunct that is being evaluated, or was when the run ended.
    current: Cell<Option<u32>>,
    /// How everything around it is evaluated.
    outer: Cell<Turn>,
    /// Those that are left out are known to hold.
    is_rest: bool,
    /// The invariants of parts are known to hold, too.
    parts_hold: Cell<bool>,
    /// The parts that each conjunct was seen to ask for, as bits.
    seen: Box<[Cell<u64>]>,
}

thread_local! {
    static SELECTED: Cell<Option<&'static Selected>> = const { Cell::new(None) };
}

/// Whether an input of a product is not looked at in this run.
#[inline]
pub(crate) fn leaves_out(input: usize) -> bool {
    SELECTED.get().is_some_and(|selected| selected.enter_input(input))
}

/// Whether the invariants of parts are known to hold.
pub(crate) fn parts_hold() -> bool {
    SELECTED.get().is_some_and(|selected| selected.parts_hold.get())
}

/// The invariant is about to run once more within the run.
pub(crate) fn begin_again() {
    SELECTED.get().iter().for_each(|selected| selected.begun.set(0));
}

/// What is selected among these conjuncts in this run.
#[inline]
pub(crate) fn among(sites: &'static [ConjunctSite]) -> Option<&'static Selected> {
    SELECTED
        .get()
        .filter(|selected| std::ptr::eq(selected.sites.get(), sites))
        .inspect(|selected| selected.begin())
}

impl Selected {
    fn leak(
        heap: &'static Heap,
        sites: &'static [ConjunctSite],
        input: Option<usize>,
        is_rest: bool,
        is_chosen: &dyn Fn(usize) -> bool,
    ) -> &'static Selected {
        leak(Selected::new(heap, sites, sites.len(), input, is_rest, is_chosen))
    }

    fn new(
        heap: &'static Heap,
        sites: &'static [ConjunctSite],
        count: usize,
        input: Option<usize>,
        is_rest: bool,
        is_chosen: &dyn Fn(usize) -> bool,
    ) -> Selected {
        let (mut chosen, mut seen) = (vec![], vec![]);
        for i in 0..count {
            chosen.push(Cell::new(is_chosen(i)));
            seen.push(Cell::new(0));
        }
        Selected {
            heap,
            sites: Cell::new(sites),
            before: Cell::new(0),
            of_inputs: vec![],
            input,
            chosen: chosen.into(),
            is_vouched: Cell::new(heap.layout.parts.is_vouched(input)),
            begun: Cell::new(0),
            current: Cell::new(None),
            outer: Cell::new(Turn::Its),
            is_rest,
            parts_hold: Cell::new(is_rest),
            seen: seen.into(),
        }
    }

    /// One input of a product.
    pub fn input(heap: &'static Heap, input: usize) -> &'static Selected {
        Selected::leak(heap, &[], Some(input), false, &|_| true)
    }

    /// Some conjuncts of the structure, or of an input.
    pub fn conjuncts(
        heap: &'static Heap,
        sites: &'static [ConjunctSite],
        input: Option<usize>,
        is_chosen: &dyn Fn(usize) -> bool,
    ) -> &'static Selected {
        Selected::leak(heap, sites, input, false, is_chosen)
    }

    /// One conjunct, without any trust in it.
    pub fn alone(
        heap: &'static Heap,
        sites: &'static [ConjunctSite],
        input: Option<usize>,
        conjunct: usize,
    ) -> &'static Selected {
        let selected = Selected::leak(heap, sites, input, false, &|i| i == conjunct);
        selected.is_vouched.set(false);
        selected
    }

    /// The conjuncts that are left, for candidates for which all others hold.
    pub fn rest(
        heap: &'static Heap,
        sites: &'static [ConjunctSite],
        input: Option<usize>,
        is_chosen: &dyn Fn(usize) -> bool,
    ) -> &'static Selected {
        Selected::leak(heap, sites, input, true, is_chosen)
    }

    /// The same for a structure, or for all inputs of a product. The invariants of parts run, if they are not known to hold.
    #[cfg(feature = "summaries")]
    pub fn rest_of(
        heap: &'static Heap,
        separable: &Separable,
        parts_hold: bool,
        is_chosen: &dyn Fn(usize) -> bool,
    ) -> &'static Selected {
        let sites = if separable.is_of_inputs { &[] } else { separable.lists[0] };
        let mut selected = Selected::new(heap, sites, separable.len(), None, true, is_chosen);
        if separable.is_of_inputs {
            selected.of_inputs = separable.lists.clone();
        }
        selected.parts_hold.set(parts_hold);
        leak(selected)
    }

    /// Runs something with this selection.
    pub fn run<R>(&'static self, f: impl FnOnce() -> R) -> R {
        self.begun.set(0);
        self.current.set(None);
        self.heap.foreign.set(None);
        let outer = SELECTED.replace(Some(self));
        let result = f();
        SELECTED.set(outer);
        conjuncts::set_turn(Turn::Its);
        result
    }

    /// An input of a product is about to be looked at. Returns whether it is left out.
    fn enter_input(&self, input: usize) -> bool {
        if let Some(sites) = self.of_inputs.get(input) {
            self.sites.set(sites);
            self.before.set(self.of_inputs[..input].iter().map(|sites| sites.len() as u32).sum());
            self.begun.set(0);
        }
        self.input.is_some_and(|chosen| chosen != input)
    }

    /// Begins an evaluation. A second one within a run means that the invariant calls itself, for a part of the value, and
    /// it is not known which of the two is sliced.
    fn begin(&self) {
        self.begun.set(self.begun.get() + 1);
        if self.begun.get() > 1 {
            resume_unwind(Box::new(DeadEnd));
        }
    }

    /// Whether the invariant has called itself in this run.
    pub fn is_recursive(&self) -> bool {
        self.begun.get() > 1
    }

    /// Whether the run has reached the conjuncts.
    pub fn has_begun(&self) -> bool {
        self.begun.get() > 0
    }

    #[inline]
    pub fn leaves_out(&self, conjunct: u32) -> bool {
        !self.chosen[(self.before.get() + conjunct) as usize].get()
    }

    /// Whether one conjunct is all there is to evaluate, so that those of the invariant that it calls can take the place
    /// of the outermost ones.
    pub fn is_single(&self) -> bool {
        let mut count = 0;
        for chosen in &self.chosen {
            count += u32::from(chosen.get());
        }
        count == 1
    }

    /// Whether a conjunct before this one is left out.
    pub fn is_out_of_context(&self, conjunct: u32) -> bool {
        !self.is_rest && self.chosen[..conjunct as usize].iter().any(|chosen| !chosen.get())
    }

    /// A conjunct is about to be evaluated.
    pub fn enter(&self, conjunct: u32) {
        self.current.set(Some(self.before.get() + conjunct));
        self.heap.asked.set(0);
        self.outer.set(conjuncts::turn());
        if !self.is_out_of_context(conjunct) {
            return;
        }
        // It stands in unsafe code itself.
        if !self.is_vouched.get() && !self.sites.get()[conjunct as usize].is_movable {
            conjuncts::out_of_turn();
        }
        if self.outer.get() == Turn::Its {
            conjuncts::set_turn(if self.is_vouched.get() { Turn::Vouched } else { Turn::Careful });
        }
    }

    /// It was evaluated.
    pub fn leave(&self, conjunct: u32) {
        conjuncts::set_turn(self.outer.get());
        self.look(self.before.get() + conjunct);
        self.current.set(None);
    }

    /// Notes which parts the current conjunct has asked for.
    fn look(&self, conjunct: u32) {
        let seen = &self.seen[conjunct as usize];
        seen.set(seen.get() | self.heap.asked.get());
    }

    /// The conjunct that was being evaluated when the run ended, if it was one.
    pub fn current(&self) -> Option<u32> {
        let current = self.current.get();
        if let Some(conjunct) = current {
            self.look(conjunct);
        }
        current
    }

    /// The parts that a conjunct was seen to ask for, as bits.
    pub fn seen(&self, conjunct: usize) -> u64 {
        self.seen[conjunct].get()
    }
}
