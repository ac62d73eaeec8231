//! What cells and helpers ask while summaries are made.

use super::frame::{Frame, Outside, Refused, Reply};
use super::helper::HelperSite;
use super::limits::Limits;
use super::store::{Answer, FIRST_CALL, ObservationId, Store};
use super::traces::{Query, Traces, UNANSWERED};
use crate::cell::members::{Found, Members};
use crate::cell::{Head, Tracker};
use crate::guard;
use crate::heap::Heap;
use crate::ids::{Choice, SlotId};
use crate::promise::{Op, Promise};
use crate::rules::NodeTypes;
use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::Hash;
use std::panic::resume_unwind;
use std::rc::Rc;
use std::sync::Arc;

/// Runs a helper with its arguments on an object. Returns the number of its answer.
pub(super) type Body = Rc<dyn Fn(&'static dyn Any) -> Answer>;

/// A helper with its arguments.
pub(super) struct Called {
    pub site: &'static HelperSite,
    /// The types of arguments and result, and the function.
    pub types: Types,
    pub arguments: u32,
    pub body: Body,
}

/// What an observation is, to find the same one again: the helper, the types of arguments and result, the number of the
/// arguments, and what is promised about the result.
pub(super) type CallKey = (&'static HelperSite, Types, u32, Promise);

/// The same with the address of the helper, which is what tells helpers apart.
type KnownCall = (*const HelperSite, Types, u32, Promise);

/// The types of arguments and result, and the address of the function: a helper is one function for each of its type
/// parameters. Functions with the same code may have the same address, and give the same answers.
pub(super) type Types = (TypeId, TypeId, usize);

/// Summaries under construction. Leaked, so that cells can refer to it; emptied when they are made.
pub(super) struct Evaluation {
    pub heap: &'static Heap,
    pub state: RefCell<Making>,
}

/// What changes while summaries are made.
pub(super) struct Making {
    pub store: Store,
    pub frame: Frame,
    pub calls: Vec<Called>,
    numbers: HashMap<KnownCall, ObservationId>,
    /// Arguments and results, by type.
    values: HashMap<TypeId, Box<dyn Any>>,
    /// Helpers whose bodies run in their callers.
    pub read: HashSet<*const HelperSite>,
    /// What bodies ask and answer, as long as the same helpers are read.
    pub traces: Traces,
    /// For each node type of lists of pointers, a cell in place of the first pointer, for bodies to run on.
    pub first_cells: HashMap<usize, FirstCell>,
    /// All helpers are read, because a run on a whole subtree is compared with its group.
    pub is_reading_all: bool,
}

/// A cell in place of the first pointer of a list. It belongs to no object, and has a slot behind those of the heap.
#[derive(Clone, Copy)]
pub(super) struct FirstCell {
    pub cell: &'static dyn Any,
    pub head: &'static Head,
    /// A slot like it.
    pub like: SlotId,
}

/// The values of one type that were arguments or results.
struct Values<T> {
    numbers: HashMap<T, u32>,
    all: Vec<T>,
}

impl Making {
    pub fn new(types: Arc<NodeTypes>, limits: Limits) -> Making {
        Making {
            store: Store::new(types, limits),
            frame: Frame::default(),
            calls: vec![],
            numbers: HashMap::new(),
            values: HashMap::new(),
            read: HashSet::new(),
            traces: Traces::default(),
            first_cells: HashMap::new(),
            is_reading_all: false,
        }
    }

    fn values<T: Clone + Eq + Hash + 'static>(&mut self) -> &mut Values<T> {
        let known = self.values.entry(TypeId::of::<T>());
        let known = known.or_insert_with(|| Box::new(Values::<T> { numbers: HashMap::new(), all: vec![] }));
        known.downcast_mut().expect("smallscope internal error: values of another type")
    }

    /// The number of a value.
    pub fn intern<T: Clone + Eq + Hash + 'static>(&mut self, value: &T) -> u32 {
        let values = self.values::<T>();
        if let Some(&number) = values.numbers.get(value) {
            return number;
        }
        let number = values.all.len() as u32;
        values.numbers.insert(value.clone(), number);
        values.all.push(value.clone());
        number
    }

    /// The value with a number.
    pub fn value<T: Clone + Eq + Hash + 'static>(&mut self, number: u32) -> T {
        self.values::<T>().all[number as usize].clone()
    }

    /// The value with a number in words, if its type is a simple one.
    pub fn text(&self, of: TypeId, number: u32) -> Option<String> {
        let values = self.values.get(&of)?;
        let number = number as usize;
        macro_rules! simple {
            ($($t:ty),*) => { $(
                // Arguments.
                if let Some(values) = values.downcast_ref::<Values<($t,)>>() {
                    return Some(format!("({:?})", values.all.get(number)?.0));
                }
                if let Some(values) = values.downcast_ref::<Values<($t, $t)>>() {
                    return Some(format!("{:?}", values.all.get(number)?));
                }
                // Results, with what has become of `&mut` arguments.
                if let Some(values) = values.downcast_ref::<Values<($t, ())>>() {
                    return Some(format!("{:?}", values.all.get(number)?.0));
                }
                if let Some(values) = values.downcast_ref::<Values<(Option<$t>, ())>>() {
                    return Some(format!("{:?}", values.all.get(number)?.0));
                }
            )* };
        }
        simple!(bool, u8, u16, u32, u64, usize, i32, i64);
        values.is::<Values<()>>().then(|| "()".to_owned())
    }

    /// Whether the body of a helper runs in its caller.
    pub fn is_read(&self, site: &HelperSite) -> bool {
        self.is_reading_all || self.read.contains(&std::ptr::from_ref(site))
    }

    /// The number of a call.
    pub fn call(&mut self, (site, types, arguments, promise): CallKey, body: Body) -> u32 {
        let next = FIRST_CALL + self.calls.len() as u32;
        let number = *self.numbers.entry((site, types, arguments, promise)).or_insert(next);
        if number == next {
            self.calls.push(Called { site, types, arguments, body });
        }
        number
    }
}

thread_local! {
    static CURRENT: Cell<Option<&'static Evaluation>> = const { Cell::new(None) };
}

/// The summaries that this thread is making.
#[inline(always)]
pub(super) fn current() -> Option<&'static Evaluation> {
    CURRENT.get()
}

/// Sets the summaries that this thread is making. Returns those of before: an invariant may search, too.
pub(super) fn set_current(evaluation: Option<&'static Evaluation>) -> Option<&'static Evaluation> {
    guard::set_summarising(evaluation.is_some());
    CURRENT.replace(evaluation)
}

/// Ends a run that is no function of its subtree.
#[cold]
pub(super) fn leave() -> ! {
    resume_unwind(Box::new(Outside))
}

fn within<T>(result: Result<T, Outside>) -> T {
    result.unwrap_or_else(|Outside| leave())
}

impl Evaluation {
    /// Lets all cells ask this.
    pub fn attach(&'static self) {
        self.heap.layout.slots.iter().for_each(|slot| slot.head.heap.set(Some(self)));
    }

    /// Lets all cells ask the heap again.
    pub fn detach(&self) {
        self.heap.layout.slots.iter().for_each(|slot| slot.head.heap.set(Some(self.heap)));
    }

    /// The object at an address, as node type and number.
    pub fn object_at(&self, address: usize) -> Option<(usize, usize)> {
        let making = self.state.borrow();
        let all = &self.heap.layout.addresses;
        let found = all.iter().find(|a| a.start <= address && address < a.end)?;
        Some((making.store.types.of_pool(found.object.0)?, found.object.1.index()))
    }

    /// The first object of a node type, for bodies to run on. That of a list is its first element.
    pub fn first_object(&self, node_type: usize) -> &'static dyn Any {
        if let Some(first) = self.state.borrow().first_cells.get(&node_type) {
            return first.cell;
        }
        let types = self.state.borrow().store.types.clone();
        let pool = types.all[types.all[node_type].list_of.unwrap_or(node_type)].pool;
        let boxed = self.heap.layout.boxed.iter().find(|(boxed, _)| Some(*boxed) == pool);
        boxed.expect("smallscope internal error: a node type without objects").1[0]
    }

    /// Answers an observation of an object; none if the subtree is to be read.
    pub fn observe(&self, node_type: usize, object: usize, observation: ObservationId) -> Option<Answer> {
        if !within(self.state.borrow().frame.is_abstract(node_type, object)) {
            return None;
        }
        self.ask(Query::Observe { node_type, object, observation })
    }

    /// Answers a query; none if the subtree is to be read.
    pub fn ask(&self, query: Query) -> Option<Answer> {
        let mut making = self.state.borrow_mut();
        let making = &mut *making;
        match within(making.frame.answer(&mut making.store, query)) {
            Reply::Answer(answer) => {
                making.frame.asked.push((query, answer));
                (answer != UNANSWERED).then_some(answer)
            }
            Reply::Missing(missing) => {
                making.frame.unanswered = Some(query);
                resume_unwind(Box::new(missing))
            }
            Reply::Refused => {
                making.frame.unanswered = Some(query);
                resume_unwind(Box::new(Refused))
            }
        }
    }

    /// The cell with a slot behind those of the heap.
    fn first_cell(&self, slot: SlotId) -> Option<FirstCell> {
        let number = slot.index().checked_sub(self.heap.layout.slots.len())?;
        self.state.borrow().first_cells.get(&number).copied()
    }

    /// A slot of the heap that is like a slot.
    fn like(&self, slot: SlotId) -> SlotId {
        self.first_cell(slot).map_or(slot, |first| first.like)
    }

    /// Reads a slot. Returns its choice.
    fn choice(&self, slot: SlotId) -> Choice {
        let layout = self.heap.layout;
        if self.first_cell(slot).is_some() {
            leave();
        }
        if layout.slot(slot).head.is_unread() {
            self.first_read(slot);
        }
        match layout.is_open(slot) {
            true => layout.choice(slot),
            false => leave(),
        }
    }
}

impl fmt::Debug for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Evaluation")
    }
}

/// Promises about fields are of no use here: an answer that refutes the invariant is an answer.
impl Tracker for Evaluation {
    fn first_read(&self, slot: SlotId) {
        let first = self.first_cell(slot);
        let mut making = self.state.borrow_mut();
        let Making { store, frame, .. } = &mut *making;
        within(match first {
            Some(first) => frame.read_first(first.head, first.like),
            None => frame.read(store, self.heap.layout, slot),
        });
    }

    fn read_some(&self, _: SlotId, _: Promise) {}

    fn ask_none(&self, slot: SlotId, _: Promise) -> bool {
        let layout = self.heap.layout;
        let first = self.first_cell(slot);
        let head = first.map_or_else(|| layout.slot(slot).head, |first| first.head);
        if head.is_unread() {
            self.first_read(slot);
        }
        if let Some(first) = first {
            return head.index.get() < layout.none_choices(first.like);
        }
        // A key that is left open is there.
        layout.is_open(slot) && layout.choice(slot) < layout.none_choices(slot)
    }

    fn ask_choice(&self, slot: SlotId, _: Promise, test: &dyn Fn(Choice) -> bool) -> bool {
        test(self.choice(slot))
    }

    /// Comparisons of fields are left to the search, which need not decide the fields.
    fn ask_pair(&self, _: (SlotId, i64), _: SlotId, _: Op, _: Promise) -> bool {
        leave()
    }

    fn ask_pointer(&self, _: SlotId, _: Promise, _: &dyn Fn(Choice) -> bool) -> bool {
        leave()
    }

    fn rule_out(&self, _: SlotId, _: Promise, _: &dyn Fn(Choice) -> bool) {}

    fn numbers(&self, slot: SlotId) -> Option<(i64, i64)> {
        self.heap.numbers(self.like(slot))
    }

    fn are_comparable(&self, a: SlotId, b: SlotId) -> bool {
        self.heap.are_comparable(self.like(a), self.like(b))
    }

    /// Sets are read here.
    fn members(&self, _: SlotId, _: usize, _: &dyn Fn() -> Option<Found>) -> Option<Rc<Members>> {
        None
    }

    fn ask_part(&self, _: (SlotId, u32), _: Promise) -> bool {
        leave()
    }

    fn is_second_known(&self, _: (SlotId, u32), _: (SlotId, u32)) -> bool {
        leave()
    }

    fn table_len(&self, slot: SlotId) -> usize {
        self.heap.table_len(self.like(slot))
    }
}
