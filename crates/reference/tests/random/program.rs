//! Random invariants: small programs over [`Seen`], made by a generator and run by an interpreter. They end on
//! every structure, cyclic ones included, and do not look at numbers of arena places.

use crate::look::{Many, Object, Root, Seen};
use std::cell::RefCell;
use std::rc::Rc;

/// Field numbers to follow from the current object, or from the root. Numbers wrap around.
#[derive(Debug, Clone)]
pub struct Path {
    pub from_root: bool,
    pub steps: Vec<u8>,
}

#[derive(Debug, Clone)]
pub enum Term {
    Const(i64),
    /// The number there; a length, if there are elements.
    At(Path),
    /// How many objects are reachable from the current one.
    Reachable,
}

#[derive(Debug, Clone)]
pub enum Test {
    IsNothing(Path),
    /// The same object, or the same place.
    Same(Path, Path),
    Less(Term, Term),
    Equal(Term, Term),
    /// No object is met twice on the way from the current one.
    TreeLike,
    /// For all objects reachable from the current one.
    All(Box<Test>),
    Any(Box<Test>),
    /// For all elements that are objects.
    Each(Path, Box<Test>),
    /// The elements there are numbers in ascending order.
    Sorted(Path),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
}

#[derive(Debug, Clone)]
pub enum Step {
    Require(Test),
    /// Returns early.
    AcceptIf(Test),
    /// Moves on to another object; without one, returns.
    Follow(Path, bool),
    /// Returns false if the current object was marked before.
    Mark,
    Repeat(u8, Vec<Step>),
}

pub type Program = Vec<Step>;

thread_local! {
    static PROGRAM: RefCell<Rc<Program>> = RefCell::default();
}

/// Makes a program the invariant of this thread.
pub fn install(program: &Program) {
    PROGRAM.with_borrow_mut(|p| *p = Rc::new(program.clone()));
}

/// The invariant of all types of the universe.
pub fn holds(root: &dyn Root) -> bool {
    let program = PROGRAM.with_borrow(Rc::clone);
    let mut run = Run { root, marked: vec![], here: root };
    run.steps(&program).unwrap_or(true)
}

struct Run<'a> {
    root: &'a dyn Root,
    marked: Vec<(usize, &'static str)>,
    here: &'a dyn Object,
}

impl<'a> Run<'a> {
    /// `Some` if the program returns.
    fn steps(&mut self, steps: &[Step]) -> Option<bool> {
        for step in steps {
            match step {
                Step::Require(test) => {
                    if !self.test(test, self.here) {
                        return Some(false);
                    }
                }
                Step::AcceptIf(test) => {
                    if self.test(test, self.here) {
                        return Some(true);
                    }
                }
                Step::Follow(path, otherwise) => match self.at(path, self.here) {
                    Seen::Object(next) => self.here = next,
                    _ => return Some(*otherwise),
                },
                Step::Mark => {
                    let identity = self.here.identity();
                    if self.marked.contains(&identity) {
                        return Some(false);
                    }
                    self.marked.push(identity);
                }
                Step::Repeat(n, steps) => {
                    for _ in 0..*n {
                        if let Some(verdict) = self.steps(steps) {
                            return Some(verdict);
                        }
                    }
                }
            }
        }
        None
    }

    /// What is at the end of a path. Places are followed on the way, not at the end.
    fn at(&self, path: &Path, here: &'a dyn Object) -> Seen<'a> {
        let mut seen = Seen::Object(if path.from_root { self.root } else { here });
        for &step in &path.steps {
            if let Seen::Place(i) = seen {
                seen = self.element_of_arena(i);
            }
            seen = match seen {
                Seen::Object(o) => o.field(usize::from(step) % o.arity().max(1)),
                Seen::Many(m) if !self.is_arena(m) => m.element(usize::from(step) / 2),
                Seen::Places(p) => p.place(usize::from(step) / 2),
                _ => return Seen::Nothing,
            };
        }
        seen
    }

    fn element_of_arena(&self, i: u32) -> Seen<'a> {
        match self.root.arena() {
            Seen::Many(m) => m.element(i as usize),
            _ => Seen::Nothing,
        }
    }

    fn is_arena(&self, m: &dyn Many) -> bool {
        matches!(self.root.arena(), Seen::Many(arena) if std::ptr::addr_eq(arena, m))
    }

    fn number(&self, term: &Term, here: &'a dyn Object) -> Option<i64> {
        match term {
            Term::Const(c) => Some(*c),
            Term::At(path) => match self.at(path, here) {
                Seen::Int(n) => Some(n),
                Seen::Many(m) => Some(m.count() as i64),
                Seen::Places(p) => Some(p.count() as i64),
                _ => None,
            },
            Term::Reachable => Some(self.reachable(here).0.len() as i64),
        }
    }

    /// All objects reachable from one, and whether one was met twice.
    fn reachable(&self, from: &'a dyn Object) -> (Vec<&'a dyn Object>, bool) {
        let (mut found, mut twice, mut i) = (vec![from], false, 0);
        while let Some(&object) = found.get(i) {
            i += 1;
            for field in 0..object.arity() {
                let mut add = |seen: Seen<'a>| {
                    let seen = if let Seen::Place(p) = seen { self.element_of_arena(p) } else { seen };
                    let Seen::Object(next) = seen else { return };
                    if found.iter().any(|o| o.identity() == next.identity()) {
                        twice = true;
                    } else {
                        found.push(next);
                    }
                };
                match object.field(field) {
                    // The elements of the arena are reachable by index only.
                    Seen::Many(m) if !self.is_arena(m) => (0..m.count()).for_each(|i| add(m.element(i))),
                    Seen::Places(p) => (0..p.count()).for_each(|i| add(p.place(i))),
                    seen => add(seen),
                }
            }
        }
        (found, twice)
    }

    /// A test of one element; what is not an object passes.
    fn test_element(&self, test: &Test, element: Seen<'a>) -> bool {
        match element {
            Seen::Object(o) => self.test(test, o),
            Seen::Place(p) => match self.element_of_arena(p) {
                Seen::Object(o) => self.test(test, o),
                _ => false,
            },
            _ => true,
        }
    }

    fn test(&self, test: &Test, here: &'a dyn Object) -> bool {
        match test {
            Test::IsNothing(path) => matches!(self.at(path, here), Seen::Nothing),
            Test::Same(a, b) => match (self.at(a, here), self.at(b, here)) {
                (Seen::Object(a), Seen::Object(b)) => a.identity() == b.identity(),
                (Seen::Place(a), Seen::Place(b)) => a == b,
                (Seen::Nothing, Seen::Nothing) => true,
                _ => false,
            },
            Test::Less(a, b) => match (self.number(a, here), self.number(b, here)) {
                (Some(a), Some(b)) => a < b,
                (a, _) => a.is_none(),
            },
            Test::Equal(a, b) => self.number(a, here) == self.number(b, here),
            Test::TreeLike => !self.reachable(here).1,
            Test::All(test) => self.reachable(here).0.iter().all(|o| self.test(test, *o)),
            Test::Any(test) => self.reachable(here).0.iter().any(|o| self.test(test, *o)),
            Test::Each(path, test) => match self.at(path, here) {
                Seen::Many(m) => (0..m.count()).all(|i| self.test_element(test, m.element(i))),
                Seen::Places(p) => (0..p.count()).all(|i| self.test_element(test, p.place(i))),
                seen => self.test_element(test, seen),
            },
            Test::Sorted(path) => match self.at(path, here) {
                Seen::Many(m) if !self.is_arena(m) => {
                    let number = |i| if let Seen::Int(n) = m.element(i) { n } else { 0 };
                    (1..m.count()).all(|i| number(i - 1) <= number(i))
                }
                _ => true,
            },
            Test::Not(t) => !self.test(t, here),
            Test::And(a, b) => self.test(a, here) && self.test(b, here),
            Test::Or(a, b) => self.test(a, here) || self.test(b, here),
        }
    }
}
