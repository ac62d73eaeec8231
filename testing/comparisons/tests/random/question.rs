//! Questions of random programs, and how they are asked.

use crate::ask::{Asking, Op, World, kept};
use crate::look::{Object, Seen};
use crate::program::{Path, Run};
use crate::sets::SetTest;
use smallscope::Key;
use smallscope_core::ask::{FALSE_REFUTES, NOTHING, Promise, TRUE_REFUTES};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasherDefault, DefaultHasher};

/// One side of a comparison.
#[derive(Debug, Clone)]
pub enum Side {
    Const(i64),
    /// A field, plus a number.
    Field(Path, i8),
    /// What is read there.
    Read(Path),
}

/// What a program asks without reading.
#[derive(Debug, Clone)]
pub enum Question {
    Compare(Op, Side, Side),
    /// All neighbours in a vector compare like this.
    Neighbours(Op, Path),
    IsNone(Path),
    IsSome(Path),
    /// Reads an option, knowing what `None` means.
    HasSome(Path),
    /// A raw pointer leads to the current object.
    LeadsHere(Op, Path),
    /// A condition about one field.
    Condition(Path, i64),
    Keys(KeyTest, Path, Path, u32),
    /// Keys of a set are looked up, or two sets are compared.
    Sets(SetTest, Path, Path, u8),
}

/// What can be done with keys besides comparing them by questions.
#[derive(Debug, Clone, Copy)]
pub enum KeyTest {
    /// By an operator in code that no macro has seen.
    Operator(Op),
    Cmp,
    Max,
    Clamp,
    Sorted,
    Hashed,
    Printed,
    Rank,
}

thread_local! {
    /// How often each kind of question was asked of the lazy engine.
    static ASKED: RefCell<BTreeMap<&'static str, u64>> = const { RefCell::new(BTreeMap::new()) };
}

/// The kinds of questions that were asked since this was called last.
pub fn take_asked() -> BTreeMap<&'static str, u64> {
    ASKED.take()
}

/// All kinds, so that the tests detect one that no program asks.
pub const KINDS: &[&str] = &[
    "two fields",
    "a field and a constant",
    "a field and a value",
    "a difference",
    "two options",
    "two flags",
    "two hues",
    "two keys",
    "a key and a constant",
    "two optional keys",
    "two pointers",
    "a pointer and an object",
    "neighbours",
    "none",
    "some",
    "has some",
    "null",
    "follow",
    "key by operator",
    "key by cmp",
    "key by max",
    "key by clamp",
    "keys sorted",
    "keys hashed",
    "key printed",
    "rank of a key",
    "false refutes",
    "true refutes",
    "no promise",
    "promise to a function",
    "conjunct",
    "a condition",
    "a set",
    "two sets",
];

impl<'a> Run<'a> {
    pub(crate) fn note(&self, kind: &'static str) {
        if self.is_counted {
            debug_assert!(KINDS.contains(&kind), "{kind}");
            ASKED.with_borrow_mut(|asked| *asked.entry(kind).or_default() += 1);
        }
    }

    fn note_promise(&self, promise: Promise) {
        if promise == NOTHING {
            self.note("no promise");
        }
        if promise & FALSE_REFUTES != 0 {
            self.note("false refutes");
        }
        if promise & TRUE_REFUTES != 0 {
            self.note("true refutes");
        }
    }

    /// The field at the end of a path, to ask it or to read it.
    pub(crate) fn field_at(&self, path: &Path, here: &'a dyn Object, reads: bool) -> Asking<'a> {
        let Some((&last, steps)) = path.steps.split_last() else { return Asking::Nothing };
        let mut owner = self.walk(path.from_root, steps, here);
        if let Seen::Place(i) = owner {
            owner = self.element_of_arena(i);
        }
        match owner {
            Seen::Object(o) => {
                let field = usize::from(last) % o.arity().max(1);
                if reads { o.read(field) } else { o.ask(field) }
            }
            Seen::Many(m) if !self.is_arena(m) && usize::from(last) / 2 < m.count() => {
                let element = usize::from(last) / 2;
                if reads { m.read(element) } else { m.ask(element) }
            }
            _ => Asking::Nothing,
        }
    }

    /// The answer to a question. `promise` says what it means for the invariant.
    pub(crate) fn ask(
        &self,
        question: &Question,
        dropped: bool,
        promise: Promise,
        here: &'a dyn Object,
    ) -> bool {
        let promise = kept(dropped, promise);
        self.note_promise(promise);
        match question {
            Question::Compare(op, left, right) => self.compare(*op, left, right, promise, here),
            Question::Neighbours(op, path) => self.neighbours(*op, path, promise, here),
            Question::IsNone(path) => {
                let field = self.field_at(path, here, false);
                self.note(if let Asking::Pointer(_) = field { "null" } else { "none" });
                field.ask_none(promise).unwrap_or(false)
            }
            Question::IsSome(path) => {
                self.note("some");
                self.field_at(path, here, false).ask_some(promise).unwrap_or(true)
            }
            Question::HasSome(path) => {
                self.note("has some");
                let seen = self.some_at(path, here, promise);
                // `Some` of a weak pointer that dangles is something; a weak pointer that dangles is not.
                let is_some = self.field_at(path, here, true).ask_some(NOTHING);
                is_some.unwrap_or(!matches!(seen, Seen::Nothing))
            }
            Question::Condition(path, n) => {
                let asked = self.field_at(path, here, false).satisfies(*n, promise);
                self.note(if asked.is_some() { "a condition" } else { "no promise" });
                self.field_at(path, here, true).satisfies(*n, promise).unwrap_or(false)
            }
            Question::LeadsHere(op, path) => {
                let Asking::Pointer(pointer) = self.field_at(path, here, false) else { return false };
                self.note("a pointer and an object");
                pointer.leads_to(*op, self.world, promise, here.identity().0).unwrap_or(false)
            }
            Question::Sets(test, a, b, n) => self.sets(*test, (a, b), *n, promise, here),
            Question::Keys(test, a, b, n) => self.keys(*test, a, b, *n, here).unwrap_or(false),
        }
    }

    fn side(&self, side: &Side, here: &'a dyn Object) -> Asking<'a> {
        match side {
            Side::Const(_) => Asking::Nothing,
            Side::Field(path, _) => self.field_at(path, here, false),
            Side::Read(path) => self.field_at(path, here, true),
        }
    }

    /// A side with its sum; `None` if the sum would be out of range, which code checks before it adds.
    fn sum(&self, side: &Side, promise: Promise, here: &'a dyn Object) -> Option<Asking<'a>> {
        let field = self.side(side, here);
        let Side::Field(_, by) = *side else { return Some(field) };
        let fits = match field.limits(by) {
            Some((least, most)) if by != 0 => {
                // If it is out of range, the answer is no.
                let promise = promise & FALSE_REFUTES;
                self.side(side, here).compare(Op::Ge, self.world, promise, least)?
                    && self.side(side, here).compare(Op::Le, self.world, promise, most)?
            }
            _ => true,
        };
        if by != 0 && fits {
            self.note("a difference");
        }
        field.shifted(by, fits)
    }

    fn compare(&self, op: Op, left: &Side, right: &Side, promise: Promise, here: &'a dyn Object) -> bool {
        let sides = match (left, right) {
            (Side::Const(n), field) => {
                self.sum(field, promise, here).map(|field| (field.constant(*n), field))
            }
            (field, Side::Const(n)) => self.sum(field, promise, here).map(|field| {
                let constant = field.constant(*n);
                (field, constant)
            }),
            (left, right) => self.sum(left, promise, here).zip(self.sum(right, promise, here)),
        };
        let Some((a, b)) = sides else { return false };
        let has_constant = matches!(left, Side::Const(_)) || matches!(right, Side::Const(_));
        let is_read = matches!(left, Side::Read(_)) != matches!(right, Side::Read(_));
        self.note(match &a {
            Asking::Key(_) if has_constant => "a key and a constant",
            Asking::Key(_) => "two keys",
            Asking::MaybeKey(_) => "two optional keys",
            Asking::Pointer(_) => "two pointers",
            _ if has_constant => "a field and a constant",
            _ if is_read => "a field and a value",
            Asking::MaybeU8(_) => "two options",
            Asking::Bool(_) => "two flags",
            Asking::Hue(_) => "two hues",
            Asking::U8(_) | Asking::I8(_) | Asking::Usize(_) => "two fields",
            Asking::Nothing | Asking::Presence(_) | Asking::Set(_) => return false,
        });
        a.compare(op, self.world, promise, b).unwrap_or(false)
    }

    fn neighbours(&self, op: Op, path: &Path, promise: Promise, here: &'a dyn Object) -> bool {
        let Seen::Many(m) = self.at(path, here) else { return true };
        if self.is_arena(m) {
            return true;
        }
        (1..m.count()).all(|i| {
            self.note("neighbours");
            m.ask(i - 1).compare(op, self.world, promise & FALSE_REFUTES, m.ask(i)).unwrap_or(true)
        })
    }

    /// What is at the end of a path, of which a promise says what it means that there is nothing.
    pub(crate) fn some_at(&self, path: &Path, here: &'a dyn Object, promise: Promise) -> Seen<'a> {
        let Some((&last, steps)) = path.steps.split_last() else { return Seen::Nothing };
        let mut owner = self.walk(path.from_root, steps, here);
        if let Seen::Place(i) = owner {
            owner = self.element_of_arena(i);
        }
        match owner {
            Seen::Object(o) => o.some(usize::from(last) % o.arity().max(1), promise),
            Seen::Many(m) if !self.is_arena(m) && usize::from(last) / 2 < m.count() => {
                m.some(usize::from(last) / 2, promise)
            }
            Seen::Places(p) => p.place(usize::from(last) / 2),
            _ => Seen::Nothing,
        }
    }

    /// The keys at the end of a path: one, or those of a vector.
    fn keys_at(&self, path: &Path, here: &'a dyn Object) -> Vec<Key> {
        let key = |seen: Seen<'a>| if let Seen::Key(key) = seen { Some(key) } else { None };
        match self.at(path, here) {
            Seen::Many(m) if !self.is_arena(m) => (0..m.count()).filter_map(|i| key(m.element(i))).collect(),
            seen => key(seen).into_iter().collect(),
        }
    }

    fn keys(&self, test: KeyTest, a: &Path, b: &Path, n: u32, here: &'a dyn Object) -> Option<bool> {
        let (first, second) = (self.keys_at(a, here), self.keys_at(b, here));
        let a = *first.first()?;
        let b = second.last().copied();
        Some(match test {
            KeyTest::Operator(op) => {
                self.note("key by operator");
                let b = b.unwrap_or(Key::new(n));
                match op {
                    Op::Eq => a == b,
                    Op::Ne => a != b,
                    Op::Lt => a < b,
                    Op::Le => a <= b,
                    Op::Gt => a > b,
                    Op::Ge => a >= b,
                }
            }
            KeyTest::Cmp => {
                self.note("key by cmp");
                let order = a.cmp(&b.unwrap_or(Key::new(n)));
                [Ordering::Less, Ordering::Equal, Ordering::Greater][n as usize % 3] == order
            }
            KeyTest::Max => {
                self.note("key by max");
                a.max(b?) == if n.is_multiple_of(2) { a } else { Key::new(n) }
            }
            KeyTest::Clamp => {
                self.note("key by clamp");
                a.clamp(Key::new(n % 2), Key::new(n % 2 + 1)) == b?
            }
            KeyTest::Sorted => {
                self.note("keys sorted");
                let mut all = [first.as_slice(), second.as_slice()].concat();
                all.sort();
                if n.is_multiple_of(2) {
                    all.first() == Some(&a)
                } else {
                    all.windows(2).all(|w| w[0] != w[1])
                }
            }
            KeyTest::Hashed => {
                self.note("keys hashed");
                let all = [first.as_slice(), second.as_slice()].concat();
                let set: HashSet<&Key, BuildHasherDefault<DefaultHasher>> = all.iter().collect();
                set.len() == all.len() - (n as usize % 2).min(all.len() - 1)
            }
            KeyTest::Printed => {
                self.note("key printed");
                format!("{a}") != format!("{n}") || b.is_some_and(|b| format!("{b:?}") == format!("{a:?}"))
            }
            KeyTest::Rank => {
                self.note("rank of a key");
                // Compared before and after it is known.
                b.is_none_or(|b| a <= b) && a.rank() <= n && b.is_none_or(|b| a.rank() <= b.rank() && a <= b)
            }
        })
    }
}

/// Whether a program runs on mirrors for an engine that decides questions. Only these have promises at the beginning.
pub fn is_counted(world: World, promise: Promise) -> bool {
    world == World::Mirror && promise != NOTHING
}
