//! Random invariants: small programs over [`Seen`], made by a generator and run by an interpreter. They end on
//! every structure, cyclic ones included, and do not look at numbers of arena places.

use crate::ask::World;
use crate::look::{Many, Object, Root, Seen};
use crate::question::{Question, is_counted};
use smallscope::__private::{ConjunctSite, Conjuncts, enter, not, promise as promised, unpromise};
use smallscope_core::ask::{FALSE_REFUTES, NOTHING, Promise, TRUE_REFUTES};
use smallscope_core::probe::{DecisionKind, DecisionSite, Operand, decide};
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
    /// A question, perhaps without its promise.
    Ask(Question, bool),
    /// What a function returns.
    Call(Vec<Step>),
}

#[derive(Debug, Clone)]
pub enum Step {
    Require(Test),
    /// Returns early.
    AcceptIf(Test),
    /// Returns false unless all hold, which may be evaluated in another order.
    All(Vec<Test>),
    /// Moves on to another object; without one, returns.
    Follow(Path, bool),
    /// The same, telling the search what it means that there is none.
    FollowSome(Path, bool),
    /// Returns false if the current object was marked before.
    Mark,
    Repeat(u8, Vec<Step>),
}

pub type Program = Vec<Step>;

/// As many conjuncts as a program can have.
static SITES: &[ConjunctSite] = &[
    ConjunctSite { text: "first", line: 1, is_pure: true, is_movable: true },
    ConjunctSite { text: "second", line: 2, is_pure: true, is_movable: true },
    ConjunctSite { text: "third", line: 3, is_pure: false, is_movable: false },
    ConjunctSite { text: "fourth", line: 4, is_pure: true, is_movable: true },
];

thread_local! {
    static PROGRAM: RefCell<Rc<Program>> = RefCell::default();
    static CRITERIA: RefCell<Rc<Vec<Program>>> = RefCell::default();
}

/// Makes a program the invariant of this thread.
pub fn install(program: &Program) {
    PROGRAM.with_borrow_mut(|p| *p = Rc::new(program.clone()));
}

/// Whether types that occur inside of others have an invariant: with half of the programs.
pub fn restricts_parts() -> bool {
    PROGRAM.with_borrow(|program| program.len() % 2 == 0)
}

/// The operands of `And` and `Or` among the decisions.
const AND: u32 = 12;
const OR: u32 = 14;

/// The decisions of programs: kinds of tests, and operands.
static DECISIONS: &[DecisionSite] = &{
    const fn row(kind: DecisionKind, line: u32, tree: &'static [Operand]) -> DecisionSite {
        DecisionSite { kind, file: file!(), line, column: 0, text: "", tree }
    }
    let mut rows = [row(DecisionKind::If, 0, &[]); 16];
    let mut line = 0;
    while line < 16 {
        rows[line as usize] = match line {
            AND => row(
                DecisionKind::And,
                line,
                &[Operand::Condition(AND), Operand::Condition(AND + 1), Operand::And],
            ),
            OR => row(
                DecisionKind::Or,
                line,
                &[Operand::Condition(OR), Operand::Condition(OR + 1), Operand::Or],
            ),
            13 => row(DecisionKind::And, line, &[]),
            15 => row(DecisionKind::Or, line, &[]),
            _ => row(DecisionKind::If, line, &[]),
        };
        line += 1;
    }
    rows
};

/// The invariant of all types of the universe.
pub fn holds(root: &dyn Root, world: World) -> bool {
    let program = PROGRAM.with_borrow(Rc::clone);
    let promise = enter();
    let is_counted = is_counted(world, promise);
    let mut run = Run { root, marked: vec![], here: root, world, is_counted };
    run.steps(&program, promise).unwrap_or(true)
}

/// Makes programs the criteria of this thread.
pub fn install_criteria(programs: &[Program]) {
    CRITERIA.with_borrow_mut(|c| *c = Rc::new(programs.to_vec()));
}

/// The class of a value: which of the criteria hold.
pub fn class_of(root: &dyn Root, world: World) -> Vec<bool> {
    let criteria = CRITERIA.with_borrow(Rc::clone);
    let holds = |program: &Program| {
        let mut run = Run { root, marked: vec![], here: root, world, is_counted: false };
        run.steps(program, NOTHING).unwrap_or(true)
    };
    criteria.iter().map(holds).collect()
}

pub struct Run<'a> {
    pub root: &'a dyn Root,
    pub marked: Vec<(usize, &'static str)>,
    pub here: &'a dyn Object,
    pub world: World,
    /// Questions are counted.
    pub is_counted: bool,
}

impl<'a> Run<'a> {
    /// `Some` if the program returns. `promise` is about what it returns.
    fn steps(&mut self, steps: &[Step], promise: Promise) -> Option<bool> {
        // What follows if the program returns false or true here.
        let (returns_false, returns_true) = (promise & FALSE_REFUTES, promise & TRUE_REFUTES);
        for step in steps {
            match step {
                Step::Require(test) => {
                    if !self.test(test, self.here, returns_false) {
                        return Some(false);
                    }
                }
                Step::All(tests) => {
                    if !self.conjunction(tests, self.here, returns_false) {
                        return Some(false);
                    }
                }
                Step::AcceptIf(test) => {
                    if self.test(test, self.here, returns_true) {
                        return Some(true);
                    }
                }
                Step::Follow(path, otherwise) => match self.at(path, self.here) {
                    Seen::Object(next) => self.here = next,
                    _ => return Some(*otherwise),
                },
                Step::FollowSome(path, otherwise) => {
                    self.note("follow");
                    let promise = if *otherwise { not(returns_true) } else { returns_false };
                    match self.some_at(path, self.here, promise) {
                        Seen::Object(next) => self.here = next,
                        _ => return Some(*otherwise),
                    }
                }
                Step::Mark => {
                    let identity = self.here.identity();
                    if self.marked.contains(&identity) {
                        return Some(false);
                    }
                    self.marked.push(identity);
                }
                Step::Repeat(n, steps) => {
                    for _ in 0..*n {
                        if let Some(verdict) = self.steps(steps, promise) {
                            return Some(verdict);
                        }
                    }
                }
            }
        }
        None
    }

    /// A conjunction, by the loop that instrumented code has for it.
    fn conjunction(&self, tests: &[Test], here: &'a dyn Object, promise: Promise) -> bool {
        if self.world == World::Real {
            return tests.iter().all(|test| self.test(test, here, promise));
        }
        let mut conjuncts = Conjuncts::start(&SITES[..tests.len()]);
        loop {
            let Some(i) = conjuncts.next() else { break true };
            self.note("conjunct");
            let holds = conjuncts.run(i, || self.test(&tests[i as usize], here, promise));
            if !conjuncts.held(i, holds) {
                break false;
            }
        }
    }

    /// A function, to which its caller passes what the result means for the invariant.
    fn call(&self, steps: &[Step], here: &'a dyn Object) -> bool {
        let promise = enter();
        let mut run = Run { marked: vec![], here, ..*self };
        run.steps(steps, promise).unwrap_or(true)
    }

    /// What is at the end of a path. Places are followed on the way, not at the end.
    pub(crate) fn at(&self, path: &Path, here: &'a dyn Object) -> Seen<'a> {
        self.walk(path.from_root, &path.steps, here)
    }

    pub(crate) fn walk(&self, from_root: bool, steps: &[u8], here: &'a dyn Object) -> Seen<'a> {
        let mut seen = Seen::Object(if from_root { self.root } else { here });
        for &step in steps {
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

    pub(crate) fn element_of_arena(&self, i: u32) -> Seen<'a> {
        match self.root.arena() {
            Seen::Many(m) => m.element(i as usize),
            _ => Seen::Nothing,
        }
    }

    pub(crate) fn is_arena(&self, m: &dyn Many) -> bool {
        matches!(self.root.arena(), Seen::Many(arena) if std::ptr::addr_eq(arena, m))
    }

    fn number(&self, term: &Term, here: &'a dyn Object) -> Option<i64> {
        match term {
            Term::Const(c) => Some(*c),
            Term::At(path) => match self.at(path, here) {
                Seen::Int(n) => Some(n),
                Seen::Key(key) => Some(i64::from(key.rank())),
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
    fn test_element(&self, test: &Test, element: Seen<'a>, promise: Promise) -> bool {
        match element {
            Seen::Object(o) => self.test(test, o, promise),
            Seen::Place(p) => match self.element_of_arena(p) {
                Seen::Object(o) => self.test(test, o, promise),
                _ => false,
            },
            _ => true,
        }
    }

    /// A test is a decision, told apart from others by its kind.
    fn test(&self, test: &Test, here: &'a dyn Object, promise: Promise) -> bool {
        let kind = match test {
            Test::IsNothing(_) => 0,
            Test::Same(..) => 1,
            Test::Less(..) => 2,
            Test::Equal(..) => 3,
            Test::TreeLike => 4,
            Test::All(_) => 5,
            Test::Any(_) => 6,
            Test::Each(..) => 7,
            Test::Sorted(_) => 8,
            Test::Not(_) => 9,
            Test::Ask(..) => 10,
            Test::Call(_) => 11,
            // Their operands are reported.
            Test::And(..) | Test::Or(..) => return self.evaluate(test, here, promise),
        };
        decide(DECISIONS, kind, self.evaluate(test, here, promise))
    }

    fn evaluate(&self, test: &Test, here: &'a dyn Object, promise: Promise) -> bool {
        // What follows if a part of a conjunction is false, if a part of a disjunction is true.
        let (of_all, of_any) = (promise & FALSE_REFUTES, promise & TRUE_REFUTES);
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
            Test::All(test) => self.reachable(here).0.iter().all(|o| self.test(test, *o, of_all)),
            Test::Any(test) => self.reachable(here).0.iter().any(|o| self.test(test, *o, of_any)),
            Test::Each(path, test) => match self.at(path, here) {
                Seen::Many(m) => (0..m.count()).all(|i| self.test_element(test, m.element(i), of_all)),
                Seen::Places(p) => (0..p.count()).all(|i| self.test_element(test, p.place(i), of_all)),
                seen => self.test_element(test, seen, promise),
            },
            Test::Sorted(path) => match self.at(path, here) {
                Seen::Many(m) if !self.is_arena(m) => {
                    let number = |i| match m.element(i) {
                        Seen::Int(n) => n,
                        Seen::Key(key) => i64::from(key.rank()),
                        _ => 0,
                    };
                    (1..m.count()).all(|i| number(i - 1) <= number(i))
                }
                _ => true,
            },
            Test::Not(t) => !self.test(t, here, not(promise)),
            Test::And(a, b) => {
                decide(DECISIONS, AND, self.test(a, here, of_all))
                    && decide(DECISIONS, AND + 1, self.test(b, here, promise))
            }
            Test::Or(a, b) => {
                decide(DECISIONS, OR, self.test(a, here, of_any))
                    || decide(DECISIONS, OR + 1, self.test(b, here, promise))
            }
            Test::Ask(question, dropped) => self.ask(question, *dropped, promise, here),
            Test::Call(steps) => {
                if promise & TRUE_REFUTES != 0 {
                    self.note("promise to a function");
                }
                promised(promise);
                let result = self.call(steps, here);
                unpromise();
                result
            }
        }
    }
}
