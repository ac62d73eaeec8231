//! Decisions: the numbered branches of an invariant, for coverage criteria. Instrumented code reports each one
//! here. Without the feature `criteria` the reports compile to nothing; with it, reports are
//! dropped unless a [`Recorder`] is installed on the thread, and a report costs one test of a flag of the thread.

use std::cell::{Cell, RefCell};

/// Whether decisions are reported at all: the feature `criteria`.
pub const IS_REPORTED: bool = cfg!(feature = "criteria");

/// One decision in the source of an invariant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecisionSite {
    /// What kind of branch it is.
    pub kind: DecisionKind,
    /// The source file.
    pub file: &'static str,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The condition, shortened.
    pub text: &'static str,
    /// How operands of `&&` and `||` make up a condition, operators behind their operands. For a branch it stands with
    /// the branch, for any other expression with its first operand; empty for a condition that has no operands.
    pub tree: &'static [Operand],
}

/// A part of a condition that is made up of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operand {
    /// The decision with this number.
    Condition(u32),
    /// `return` and the like, which have no value.
    Diverges,
    /// `!` of the operand before.
    Not,
    /// `&&` of the two operands before.
    And,
    /// `||` of the two operands before.
    Or,
}

/// Kinds of decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecisionKind {
    /// The condition of an `if`.
    If,
    /// The condition of a `while`.
    While,
    /// The guard of a match arm.
    Guard,
    /// An operand of `&&`.
    And,
    /// An operand of `||`.
    Or,
    /// A `match`; the outcome is the number of the arm.
    Match,
    /// `if let`, `while let`, `let else`.
    IfLet,
    /// `?`.
    Try,
    /// No decision: the invariant of another input begins. The outcome is the number of the input.
    Part,
}

/// A decision that was taken: table, number in it, outcome.
#[derive(Debug, Clone, Copy)]
pub struct Taken {
    /// The decisions of the item it belongs to.
    pub table: &'static [DecisionSite],
    /// Its number in the table.
    pub id: u32,
    /// What was decided: 1 or 0 for conditions, the arm for a `match`.
    pub outcome: u32,
}

thread_local! {
    /// Whether there is a record. The flag has no destructor, so reading it is cheap.
    static LISTENS: Cell<bool> = const { Cell::new(false) };
    static RECORD: RefCell<Option<Vec<Taken>>> = const { RefCell::new(None) };
}

/// Records the decisions of the current thread while it exists.
pub struct Recorder {
    /// Not to be sent to another thread.
    _here: std::marker::PhantomData<*const ()>,
}

impl Recorder {
    /// Starts recording. At most one recorder per thread: a second one starts over.
    #[inline]
    pub fn start() -> Recorder {
        listen(Some(vec![]));
        Recorder { _here: std::marker::PhantomData }
    }

    /// What was recorded since the start or the last call.
    #[inline]
    pub fn take(&self) -> Vec<Taken> {
        RECORD.with_borrow_mut(|r| r.as_mut().map(std::mem::take).unwrap_or_default())
    }
}

impl Drop for Recorder {
    #[inline]
    fn drop(&mut self) {
        listen(None);
    }
}

/// Replaces the record of the thread.
#[inline]
fn listen(record: Option<Vec<Taken>>) -> Option<Vec<Taken>> {
    LISTENS.set(record.is_some());
    RECORD.replace(record)
}

/// Runs something that does not panic, and replaces `taken` by its decisions. A recorder of the thread does not get them.
pub(crate) fn recorded<R>(taken: &mut Vec<Taken>, f: impl FnOnce() -> R) -> R {
    let mut record = std::mem::take(taken);
    record.clear();
    let outer = listen(Some(record));
    let result = f();
    *taken = listen(outer).unwrap_or_default();
    result
}

/// Runs something, and takes its decisions out of the record.
pub(crate) fn taken_by<R>(f: impl FnOnce() -> R) -> (R, Vec<Taken>) {
    if !is_recording() {
        return (f(), vec![]);
    }
    let begin = RECORD.with_borrow(|r| r.as_ref().map_or(0, Vec::len));
    let result = f();
    let taken =
        RECORD.with_borrow_mut(|r| r.as_mut().map_or_else(Vec::new, |r| r.split_off(begin.min(r.len()))));
    (result, taken)
}

/// Records decisions of items that have none in the record yet.
pub(crate) fn add_unknown(taken: Vec<Taken>) {
    if taken.is_empty() {
        return;
    }
    RECORD.with_borrow_mut(|r| {
        let Some(record) = r else { return };
        let mut known: Vec<&'static [DecisionSite]> = vec![];
        for Taken { table, .. } in &*record {
            if !known.iter().any(|known| std::ptr::eq(*known, *table)) {
                known.push(table);
            }
        }
        for decision in taken {
            if !known.iter().any(|known| std::ptr::eq(*known, decision.table)) {
                record.push(decision);
            }
        }
    });
}

#[inline(always)]
fn is_recording() -> bool {
    IS_REPORTED && LISTENS.get()
}

#[cold]
#[inline(never)]
fn note(table: &'static [DecisionSite], id: u32, outcome: u32) {
    RECORD.with_borrow_mut(|r| {
        if let Some(r) = r {
            r.push(Taken { table, id, outcome });
        }
    });
}

/// Reports a condition.
#[inline(always)]
pub fn decide(table: &'static [DecisionSite], id: u32, condition: bool) -> bool {
    if is_recording() {
        note(table, id, u32::from(condition));
    }
    condition
}

/// Reports the arm that was taken.
#[inline(always)]
pub fn arm(table: &'static [DecisionSite], id: u32, arm: u32) {
    if is_recording() {
        note(table, id, arm);
    }
}

/// The row for [`DecisionKind::Part`].
static PARTS: &[DecisionSite] = &[DecisionSite {
    kind: DecisionKind::Part,
    file: "",
    line: 0,
    column: 0,
    text: "the next input",
    tree: &[],
}];

/// Reports that the invariant of one of several inputs begins.
#[inline(always)]
pub fn part(number: u32) {
    if is_recording() {
        note(PARTS, 0, number);
    }
}

/// Reports whether `?` goes on.
#[inline(always)]
pub fn attempt<T: Attempt>(table: &'static [DecisionSite], id: u32, tried: T) -> T {
    if is_recording() {
        note(table, id, u32::from(tried.goes_on()));
    }
    tried
}

/// What `?` can be applied to.
pub trait Attempt {
    /// Whether `?` would go on.
    fn goes_on(&self) -> bool;
}

impl<T> Attempt for Option<T> {
    fn goes_on(&self) -> bool {
        self.is_some()
    }
}

impl<T, E> Attempt for Result<T, E> {
    fn goes_on(&self) -> bool {
        self.is_ok()
    }
}
