//! Why a search looks at many candidates for few values: what the invariant reads by value, and which of its calls does.
//!
//! A value that is only compared stays open. One that is read by value is tried with all its values, so a call that reads
//! a whole vector multiplies the candidates. Two short searches find it: the first one counts which slots are read by
//! value, the second one captures a backtrace where the heaviest of them are read.

mod frames;

use crate::runner::trial::find_next;
use frames::Call;
use smallscope_core::conjuncts::ConjunctSite;
use smallscope_core::search::SlotDescription;
use smallscope_core::{AnySearch, Found, Stop};
use std::backtrace::Backtrace;
use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// How many runs of the invariant each of the two searches takes.
const RUNS: u64 = 1 << 13;
/// How long each may take.
const PATIENCE: Duration = Duration::from_millis(500);
/// How many slots are looked at.
const SLOTS: usize = 8;
/// How many backtraces are captured per slot. To read one takes milliseconds.
const TRACES: usize = 2;
/// So many bits of each rejected candidate are read by value if that is what makes the candidates many.
const LEAST_BITS: f64 = 4.0;

/// What makes the candidates many.
#[derive(Debug)]
pub(crate) enum Reason {
    /// Values are read, so that each of them is tried.
    Forced(Forced),
    /// Little is read by value: a conjunct rejects late.
    Late(Late),
}

/// A call of the invariant that reads by value.
#[derive(Debug)]
pub(crate) struct Forced {
    /// The field that is read.
    field: String,
    /// Which slots of the field are read.
    what: What,
    /// Whether it is a set, or the keys of a map.
    is_set: bool,
    /// The call, if backtraces show it.
    call: Option<Call>,
    /// The conjunct that makes it, if the engine knows it.
    conjunct: Option<&'static ConjunctSite>,
}

/// Which slots of a field are read by value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    /// One slot, which has so many values.
    Value(u64),
    /// The elements of a sequence.
    Elements,
    /// Those of several objects.
    Objects,
}

/// The conjunct that rejects most.
#[derive(Debug)]
pub(crate) struct Late {
    conjunct: &'static ConjunctSite,
    /// How many rejections in a hundred are its.
    percent: u64,
    /// How many slots are read and questions decided before it rejects.
    steps: u64,
}

/// Finds out what makes the candidates of a search many. `lay_out` lays out the search, which is searched twice.
pub(crate) fn find(lay_out: &dyn Fn() -> Option<AnySearch>) -> Option<Reason> {
    let mut search = lay_out()?;
    let slots = search.describe_slots();
    let rejected = count(&mut search, &slots);
    if rejected.count == 0 {
        return None;
    }
    let (heaviest, all) = rejected.heaviest();
    if all / (rejected.count as f64) < LEAST_BITS {
        return rejected.late().map(Reason::Late);
    }
    let reads = lay_out().map(|mut search| trace(&mut search, &heaviest)).unwrap_or_default();
    Some(Reason::Forced(blame(&slots, &heaviest, &rejected.bits, &reads)))
}

/// What a part of the search has rejected.
struct Rejected {
    count: u64,
    /// How often a slot was read by value, times the bits that it then takes.
    bits: Vec<f64>,
    /// How often a conjunct was false, and after how many steps.
    conjuncts: Vec<(&'static ConjunctSite, u64, u64)>,
}

impl Rejected {
    /// The slots with the most bits, the heaviest first, and the bits of all slots.
    fn heaviest(&self) -> (Vec<usize>, f64) {
        let (mut heaviest, mut all): (Vec<usize>, f64) = (vec![], 0.0);
        for (slot, &bits) in self.bits.iter().enumerate() {
            if bits > 0.0 {
                let mut at = heaviest.len();
                while at > 0 && self.bits[heaviest[at - 1]] < bits {
                    at -= 1;
                }
                heaviest.insert(at, slot);
                heaviest.truncate(SLOTS);
                all += bits;
            }
        }
        (heaviest, all)
    }

    /// Counts a candidate that a conjunct has rejected.
    fn add(&mut self, conjunct: &'static ConjunctSite, steps: u64) {
        for row in &mut self.conjuncts {
            if std::ptr::eq(row.0, conjunct) {
                (row.1, row.2) = (row.1 + 1, row.2 + steps);
                return;
            }
        }
        self.conjuncts.push((conjunct, 1, steps));
    }

    fn late(&self) -> Option<Late> {
        let mut most = *self.conjuncts.first()?;
        for row in &self.conjuncts {
            if row.1 > most.1 {
                most = *row;
            }
        }
        let (conjunct, count, steps) = most;
        Some(Late { conjunct, percent: 100 * count / self.count, steps: steps / count })
    }
}

fn count(search: &mut AnySearch, slots: &[SlotDescription]) -> Rejected {
    let mut rejected = Rejected { count: 0, bits: vec![0.0; slots.len()], conjuncts: vec![] };
    search.take_rejections();
    look(search, &mut |search| {
        for rejection in search.take_rejections() {
            rejected.count += 1;
            for &slot in &rejection.values {
                rejected.bits[slot] += (slots[slot].choices as f64).log2();
            }
            if let Some(conjunct) = rejection.conjunct {
                rejected.add(conjunct, rejection.steps as u64);
            }
        }
        true
    });
    rejected
}

/// A slot that was read, and how.
struct Read {
    slot: usize,
    conjunct: Option<&'static ConjunctSite>,
    trace: Backtrace,
}

/// Captures where slots are read.
fn trace(search: &mut AnySearch, slots: &[usize]) -> Vec<Read> {
    // Each slot as often as backtraces of it are missing.
    let mut missing = vec![];
    for _ in 0..TRACES {
        missing.extend_from_slice(slots);
    }
    let state = Rc::new(RefCell::new((missing, vec![])));
    let watcher = Rc::clone(&state);
    search.watch_reads(move |read| {
        let (missing, reads) = &mut *watcher.borrow_mut();
        let Some(at) = missing.iter().position(|slot| *slot == read.slot) else { return };
        missing.swap_remove(at);
        let trace = Backtrace::force_capture();
        reads.push(Read { slot: read.slot, conjunct: read.conjunct, trace });
    });
    look(search, &mut |_| !state.borrow().0.is_empty());
    state.take().1
}

/// Searches on for a while, as long as `goes_on` says so.
fn look(search: &mut AnySearch, goes_on: &mut dyn FnMut(&mut AnySearch) -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while search.outcome().explored < RUNS && Instant::now() < deadline {
        let found = find_next(search, &mut |_| ControlFlow::Break(Stop::Interrupted));
        let goes_on = goes_on(search);
        if !goes_on || !matches!(found, Ok(Ok(Found::Valid | Found::Paused))) {
            return;
        }
        search.drop_rest();
    }
}

/// What a call reads.
struct Blamed {
    /// The call, if the backtrace shows it.
    call: Option<Call>,
    bits: f64,
    slots: Vec<usize>,
    conjunct: Option<&'static ConjunctSite>,
}

/// The reads by the call that makes them.
fn by_call(bits: &[f64], reads: &[Read]) -> Vec<Blamed> {
    let mut calls: Vec<Blamed> = vec![];
    for read in reads {
        let call = Call::of(&read.trace);
        let at = calls.iter().position(|blamed| blamed.call == call).unwrap_or(calls.len());
        if at == calls.len() {
            calls.push(Blamed { call, bits: 0.0, slots: vec![], conjunct: None });
        }
        let blamed = &mut calls[at];
        if !blamed.slots.contains(&read.slot) {
            blamed.bits += bits[read.slot];
            blamed.slots.push(read.slot);
        }
        blamed.conjunct = blamed.conjunct.or(read.conjunct);
    }
    calls
}

/// Chooses the call that reads most; of several, the last one by its name, so that it is the same one every time.
fn blame(slots: &[SlotDescription], heaviest: &[usize], bits: &[f64], reads: &[Read]) -> Forced {
    let mut most = Blamed { call: None, bits: 0.0, slots: vec![heaviest[0]], conjunct: None };
    for blamed in by_call(bits, reads) {
        if blamed.bits > most.bits || blamed.bits == most.bits && blamed.call > most.call {
            most = blamed;
        }
    }
    let first = &slots[most.slots[0]];
    let (mut what, mut of_field) = (What::Elements, 0);
    for &slot in &most.slots {
        if slots[slot].field == first.field {
            of_field += 1;
            what = if slots[slot].object == first.object { what } else { What::Objects };
        }
    }
    if of_field == 1 {
        what = What::Value(first.choices);
    }
    let is_set = first.domain.starts_with('{');
    Forced { field: first.field.clone(), what, is_set, call: most.call, conjunct: most.conjunct }
}

/// Calls of instrumented code that stand for a read in the source.
const READS: &[&str] =
    &["next", "nth", "index", "get", "first", "last", "first_read", "read_undecided", "activate"];
/// Calls that make an ordinary collection of the elements.
const COPIES: &[&str] =
    &["collect", "from_iter", "extend", "insert", "push", "to_vec", "to_owned", "clone", "cloned"];
/// Calls that need a slice of std.
const SLICES: &[&str] = &["deref", "as_ref", "borrow", "as_str"];

impl Forced {
    fn callee(&self) -> &str {
        self.call.as_ref().map_or("", |call| &call.callee)
    }

    /// Whether the source passes the whole sequence to code that is not instrumented.
    fn is_passed_on(&self) -> bool {
        self.what == What::Elements && SLICES.contains(&self.callee())
    }

    /// The call, if the source shows it.
    fn shown_call(&self) -> Option<&str> {
        match self.callee() {
            "" => None,
            "eq" | "ne" => Some("=="),
            "lt" | "le" | "gt" | "ge" | "partial_cmp" => Some("<"),
            "fmt" => Some("{:?}"),
            name if name.starts_with("__") || READS.contains(&name) || SLICES.contains(&name) => None,
            name => Some(name),
        }
    }

    /// What to write instead.
    fn advice(&self) -> String {
        let instead = if COPIES.contains(&self.callee()) {
            "copying them"
        } else if self.is_passed_on() {
            "passing all of them to a function that is no part of the invariant"
        } else {
            "computing with them"
        };
        match self.what {
            What::Elements => format!(
                "compare the elements where they stand (`a[i] < a[j]`, `iter().all(..)`) instead of {instead}, \
                 or do so behind conjuncts that reject more"
            ),
            What::Value(_) | What::Objects if self.is_set => {
                "look keys up in it (`contains`, `is_subset`, a loop), here or in a function that is marked \
                 `#[mirror]`, instead of copying it or passing it to another function"
                    .to_owned()
            }
            What::Value(_) | What::Objects => {
                "compare it where it stands (`self.size == n`, `a.key < b.key`) instead of \
                                               computing with it, or do so behind conjuncts that reject more"
                    .to_owned()
            }
        }
    }
}

/// The sentence after the counts.
impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Forced(forced) => {
                let call = forced.call.as_ref();
                match (forced.shown_call(), call) {
                    (Some(shown), _) => write!(f, "`{shown}`")?,
                    (None, Some(call)) => write!(f, "`{}`", call.caller)?,
                    (None, None) => f.write_str("the invariant")?,
                }
                match call {
                    Some(Call { place: Some((file, line)), .. }) => write!(f, " at {file}:{line}")?,
                    Some(call) if forced.shown_call().is_some() => write!(f, " in `{}`", call.caller)?,
                    _ => {}
                }
                if let Some(conjunct) = forced.conjunct {
                    write!(f, ", in the conjunct `{}`,", short(conjunct.text))?;
                }
                let field = &forced.field;
                match forced.what {
                    What::Value(values) => {
                        write!(f, " reads `{field}`, so that each of its {values} values is tried")?
                    }
                    What::Elements => {
                        write!(f, " reads every element of `{field}`, so that each of their values is tried")?
                    }
                    What::Objects => {
                        write!(f, " reads `{field}` of each object, so that each of its values is tried")?
                    }
                }
                write!(f, ": {}", forced.advice())
            }
            Reason::Late(Late { conjunct, percent, steps }) => write!(
                f,
                "the conjunct `{}` rejects {percent} % of them, after {steps} decisions on average: test it earlier, or \
                 while the others are being read",
                short(conjunct.text)
            ),
        }
    }
}

/// The words of a text with one space between them. What is behind so many characters is replaced.
pub(crate) fn on_one_line(text: &str, longest: usize, by: &str) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    for (count, (end, _)) in line.char_indices().enumerate() {
        if count == longest {
            return format!("{}{by}", &line[..end]);
        }
    }
    line
}

/// The source of a conjunct on one line, shortened.
pub(crate) fn short(text: &str) -> String {
    on_one_line(text, 80, "…")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said about slots of these fields, which one call reads.
    fn said(fields: &[&str]) -> String {
        let describe = |field: &&str| SlotDescription {
            field: (*field).to_owned(),
            object: None,
            argument: None,
            choices: 8,
            domain: "{}, {0}".to_owned(),
        };
        let read = |slot| Read { slot, conjunct: None, trace: Backtrace::disabled() };
        let slots: Vec<SlotDescription> = fields.iter().map(describe).collect();
        let reads: Vec<Read> = (0..fields.len()).map(read).collect();
        Reason::Forced(blame(&slots, &[0], &vec![1.0; fields.len()], &reads)).to_string()
    }

    #[test]
    fn a_set_is_no_sequence_and_its_keys_can_be_looked_up() {
        let text = said(&["S.a", "S.b", "S.c"]);
        assert!(
            text.starts_with(
                "the invariant reads `S.a`, so that each of its 8 values is tried: look keys up"
            ),
            "{text}"
        );
        assert!(text.contains("marked `#[mirror]`"), "{text}");
        assert!(said(&["S.v", "S.v"]).contains("reads every element of `S.v`"));
    }
}
