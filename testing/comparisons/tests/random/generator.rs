//! Makes random programs that fit a shape: paths lead to existing fields, and most of them to fields of the wanted kind.

use crate::ask::Op;
use crate::program::{Path, Program, Step, Term, Test};
use crate::question::{KeyTest, Question, Side};
use crate::rng::Rng;
use crate::sets::SetTest;

/// The kind of a field, as programs see it.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Plain data of a type.
    Data(&'static str),
    /// An object of a class; may be none.
    Object(usize),
    /// A place in the arena.
    Place(usize),
    /// Objects of a class.
    Objects(usize),
    /// Several of a type.
    List(&'static str),
}

/// The classes of a shape with their fields; the first one is the root.
pub struct Schema {
    classes: Vec<Vec<Kind>>,
    has_keys: bool,
    has_sets: bool,
    has_raw_pointers: bool,
}

impl Schema {
    /// From a text: classes separated by `;`, each a name and the kinds of its fields: a type of plain data in lower
    /// case (`int` if it can only be read, `u8?` for an option), `[u8]` for several, `Class`, `&Class` for a raw
    /// pointer, `@Class` for a place, `*Class` for several.
    pub fn parse(text: &'static str) -> Schema {
        let classes: Vec<Vec<&'static str>> =
            text.split(';').map(|c| c.split_whitespace().collect()).collect();
        let number = |name: &str| {
            classes.iter().position(|c| c[0] == name).unwrap_or_else(|| panic!("no class {name} in {text}"))
        };
        let kind = |field: &&'static str| match (*field, field.split_at(1)) {
            (_, ("@", class)) => Kind::Place(number(class)),
            (_, ("*", class)) => Kind::Objects(number(class)),
            (_, ("&", class)) => Kind::Object(number(class)),
            (_, ("[", list)) => Kind::List(list.trim_end_matches(']')),
            (data, _) if data.starts_with(|c: char| c.is_lowercase()) => Kind::Data(data),
            (class, _) => Kind::Object(number(class)),
        };
        Schema {
            classes: classes.iter().map(|c| c[1..].iter().map(kind).collect()).collect(),
            has_keys: text.contains("key"),
            has_sets: text.contains("set"),
            has_raw_pointers: text.contains('&'),
        }
    }
}

/// A source of programs for one shape.
pub struct Generator<'r> {
    pub rng: &'r mut Rng,
    pub schema: &'r Schema,
    /// How many tests in a hundred are questions.
    pub asks: u64,
}

impl Generator<'_> {
    pub fn program(&mut self) -> Program {
        let mut class = 0;
        let mut steps: Vec<Step> = (0..self.rng.below(3)).map(|_| self.step(&mut class, 1)).collect();
        steps.push(match self.rng.chance(40) {
            true => self.conjunction(class, 1),
            false => Step::Require(self.test(class, 2)),
        });
        steps
    }

    fn conjunction(&mut self, class: usize, depth: u8) -> Step {
        Step::All((0..2 + self.rng.below(3)).map(|_| self.test(class, depth)).collect())
    }

    /// A step, starting at an object of a class and perhaps ending at another.
    fn step(&mut self, class: &mut usize, depth: u8) -> Step {
        match self.rng.below(10) {
            0..=2 => Step::Require(self.test(*class, 1)),
            3..=4 => Step::AcceptIf(self.test(*class, 1)),
            5..=6 => {
                let (path, next) = self.path(*class, 2, |k| matches!(k, Kind::Object(_) | Kind::Place(_)));
                *class = next;
                self.follow(path, 60)
            }
            7 => Step::Mark,
            _ if depth > 0 => {
                let mut body = vec![self.step(class, depth - 1)];
                let (path, next) = self.path(*class, 1, |k| matches!(k, Kind::Object(_) | Kind::Place(_)));
                *class = next;
                body.push(self.follow(path, 80));
                Step::Repeat(2 + self.rng.below(3) as u8, body)
            }
            _ => Step::Require(self.test(*class, 1)),
        }
    }

    fn follow(&mut self, path: Path, otherwise: u64) -> Step {
        let otherwise = self.rng.chance(otherwise);
        if self.rng.chance(50) { Step::FollowSome(path, otherwise) } else { Step::Follow(path, otherwise) }
    }

    /// A path of up to `longest` steps from a class (or the root) to a field of a wanted kind, and the class of the
    /// field's target. Gives up after some tries and returns the path so far.
    fn path(&mut self, class: usize, longest: u64, wanted: impl Fn(Kind) -> bool) -> (Path, usize) {
        for attempt in 0.. {
            let from_root = self.rng.chance(20);
            let (mut at, mut steps) = (if from_root { 0 } else { class }, vec![]);
            for _ in 0..1 + self.rng.below(longest) {
                let fields = &self.schema.classes[at];
                let field = self.rng.below(fields.len() as u64) as usize;
                steps.push(field as u8);
                match fields[field] {
                    kind if wanted(kind) || attempt > 8 => {
                        let class = match kind {
                            Kind::Object(c) | Kind::Place(c) | Kind::Objects(c) => c,
                            Kind::Data(_) | Kind::List(_) => at,
                        };
                        return (Path { from_root, steps }, class);
                    }
                    Kind::Object(c) | Kind::Place(c) => at = c,
                    Kind::Objects(c) => {
                        // The interpreter takes half of the number as the place of the element.
                        steps.push(self.rng.below(4) as u8);
                        at = c;
                    }
                    Kind::List(data) => {
                        steps.push(self.rng.below(4) as u8);
                        if wanted(Kind::Data(data)) {
                            return (Path { from_root, steps }, at);
                        }
                        break;
                    }
                    Kind::Data(_) => break,
                }
            }
        }
        unreachable!("the loop ends by returning")
    }

    fn term(&mut self, class: usize) -> Term {
        match self.rng.below(10) {
            0..=2 => Term::Const(self.rng.below(3) as i64),
            3 => Term::Reachable,
            4 => Term::At(self.path(class, 2, |k| matches!(k, Kind::List(_) | Kind::Objects(_))).0),
            _ => Term::At(self.path(class, 3, |k| matches!(k, Kind::Data(_))).0),
        }
    }

    fn test(&mut self, class: usize, depth: u8) -> Test {
        let object = |k| matches!(k, Kind::Object(_) | Kind::Place(_));
        let anywhere = self.rng.below(self.schema.classes.len() as u64) as usize;
        let kinds = if depth == 0 { 8 } else { 18 };
        let inner = depth.saturating_sub(1);
        if self.rng.chance(self.asks) {
            let ask = Test::Ask(self.question(class), self.rng.chance(20));
            return if self.rng.chance(20) { Test::Not(Box::new(ask)) } else { ask };
        }
        if depth > 0 && self.rng.chance(10) {
            let call = Test::Call(self.function(class));
            return if self.rng.chance(50) { Test::Not(Box::new(call)) } else { call };
        }
        match self.rng.below(kinds) {
            0..=1 => Test::IsNothing(self.path(class, 2, object).0),
            2 => Test::Same(self.path(class, 2, object).0, self.path(class, 3, object).0),
            3..=4 => Test::Less(self.term(class), self.term(class)),
            5 => Test::Equal(self.term(class), self.term(class)),
            6 => Test::TreeLike,
            7 => Test::Sorted(self.path(class, 2, |k| matches!(k, Kind::List(_))).0),
            8..=9 => Test::All(Box::new(self.test(anywhere, inner))),
            10 => Test::Any(Box::new(self.test(anywhere, inner))),
            11 => {
                let (path, class) = self.path(class, 2, |k| matches!(k, Kind::Objects(_)));
                Test::Each(path, Box::new(self.test(class, inner)))
            }
            12 => Test::Not(Box::new(self.test(class, inner))),
            13..=14 => Test::And(Box::new(self.test(class, inner)), Box::new(self.test(class, inner))),
            _ => Test::Or(Box::new(self.test(class, inner)), Box::new(self.test(class, inner))),
        }
    }

    /// The body of a function.
    fn function(&mut self, class: usize) -> Vec<Step> {
        let mut class = class;
        let mut steps: Vec<Step> = (0..self.rng.below(2)).map(|_| self.step(&mut class, 0)).collect();
        steps.push(match self.rng.below(10) {
            0..=2 => Step::AcceptIf(self.test(class, 0)),
            3 => self.conjunction(class, 0),
            _ => Step::Require(self.test(class, 0)),
        });
        steps
    }

    fn op(&mut self) -> Op {
        [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge][self.rng.below(6) as usize]
    }

    /// A path to plain data that can be asked about, and its type.
    fn data(&mut self, class: usize, wanted: Option<&'static str>) -> (Path, &'static str) {
        let mut found = "";
        let is_wanted = |k: Kind| match k {
            Kind::Data(data) => wanted.map_or(data != "int", |wanted| data == wanted),
            _ => false,
        };
        let (path, _) = self.path(class, 3, is_wanted);
        if let Some(kind) = self.kind_at(class, &path) {
            found = kind;
        }
        (path, found)
    }

    /// The type of plain data at the end of a path.
    fn kind_at(&self, class: usize, path: &Path) -> Option<&'static str> {
        let mut at = if path.from_root { 0 } else { class };
        let mut steps = path.steps.iter();
        while let Some(&step) = steps.next() {
            match self.schema.classes[at][usize::from(step)] {
                Kind::Data(data) => return Some(data),
                Kind::List(data) => return steps.next().map(|_| data),
                Kind::Object(class) | Kind::Place(class) => at = class,
                Kind::Objects(class) => {
                    steps.next()?;
                    at = class;
                }
            }
        }
        None
    }

    /// What is added to a field, for types that have sums.
    fn shift(&mut self, data: &str) -> i8 {
        let has_sums = matches!(data, "u8" | "i8" | "usize");
        if has_sums && self.rng.chance(25) { [1, 2, -1, -2, 3][self.rng.below(5) as usize] } else { 0 }
    }

    fn constant(&mut self, data: &str) -> Side {
        Side::Const(match data {
            "i8" => self.rng.below(6) as i64 - 3,
            "u8?" | "key?" => self.rng.below(5) as i64 - 1,
            _ if self.rng.chance(5) => 254,
            _ => self.rng.below(4) as i64,
        })
    }

    fn question(&mut self, class: usize) -> Question {
        let object = |k| matches!(k, Kind::Object(_));
        let anything = |k| matches!(k, Kind::Object(_) | Kind::Data("u8?" | "key?"));
        match self.rng.below(20) {
            0..=1 => Question::Neighbours(self.op(), self.path(class, 2, |k| matches!(k, Kind::List(_))).0),
            2..=3 => Question::IsNone(self.path(class, 2, anything).0),
            4 => Question::IsSome(self.path(class, 2, anything).0),
            5 => Question::HasSome(self.path(class, 2, anything).0),
            6..=10 if self.schema.has_raw_pointers => {
                let (a, b) = (self.path(class, 2, object).0, self.path(class, 2, object).0);
                let op = if self.rng.chance(50) { Op::Eq } else { Op::Ne };
                match self.rng.chance(50) {
                    true => Question::Compare(op, Side::Field(a, 0), Side::Field(b, 0)),
                    false => Question::LeadsHere(op, a),
                }
            }
            6..=13 if self.schema.has_keys => {
                let op = self.op();
                let tests = [
                    KeyTest::Operator(op),
                    KeyTest::Cmp,
                    KeyTest::Max,
                    KeyTest::Clamp,
                    KeyTest::Sorted,
                    KeyTest::Hashed,
                    KeyTest::Printed,
                    KeyTest::Rank,
                ];
                let test = tests[self.rng.below(tests.len() as u64) as usize];
                let keys = |k| matches!(k, Kind::Data("key" | "key?") | Kind::List("key" | "key?"));
                let (a, b) = (self.path(class, 2, keys).0, self.path(class, 2, keys).0);
                Question::Keys(test, a, b, self.rng.below(4) as u32)
            }
            6..=13 if self.schema.has_sets => {
                let test = SetTest::ALL[self.rng.below(SetTest::ALL.len() as u64) as usize];
                let sets = |k| matches!(k, Kind::Data("set"));
                let (a, b) = (self.path(class, 2, sets).0, self.path(class, 2, sets).0);
                Question::Sets(test, a, b, self.rng.below(4) as u8)
            }
            14 => Question::Condition(self.data(class, None).0, self.rng.below(3) as i64),
            _ => self.comparison(class),
        }
    }

    fn comparison(&mut self, class: usize) -> Question {
        let (left, data) = self.data(class, None);
        let left = Side::Field(left, self.shift(data));
        let right = match self.rng.below(10) {
            0..=2 => self.constant(data),
            3 => Side::Read(self.data(class, Some(data)).0),
            _ => Side::Field(self.data(class, Some(data)).0, self.shift(data)),
        };
        let op = if data == "hue" { [Op::Eq, Op::Ne][self.rng.below(2) as usize] } else { self.op() };
        if self.rng.chance(25) {
            Question::Compare(op, right, left)
        } else {
            Question::Compare(op, left, right)
        }
    }
}
