//! Makes random programs that fit a shape: paths lead to fields that exist and are of the kind that is wanted,
//! most of the time.

use crate::program::{Path, Program, Step, Term, Test};
use crate::rng::Rng;

/// What programs may expect in a field.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Int,
    /// An object of a class; may be none.
    Object(usize),
    /// A place in the arena.
    Place(usize),
    /// Objects of a class.
    Objects(usize),
    Ints,
}

/// The classes of a shape with their fields; the first one is the root.
pub struct Schema(Vec<Vec<Kind>>);

impl Schema {
    /// From a text: classes separated by `;`, each a name and the kinds of its fields: `int`, `ints`, `Class`,
    /// `@Class` for a place, `*Class` for several.
    pub fn parse(text: &str) -> Schema {
        let classes: Vec<Vec<&str>> = text.split(';').map(|c| c.split_whitespace().collect()).collect();
        let number = |name: &str| {
            classes.iter().position(|c| c[0] == name).unwrap_or_else(|| panic!("no class {name} in {text}"))
        };
        let kind = |field: &&str| match (*field, field.split_at(1)) {
            ("int", _) => Kind::Int,
            ("ints", _) => Kind::Ints,
            (_, ("@", class)) => Kind::Place(number(class)),
            (_, ("*", class)) => Kind::Objects(number(class)),
            (class, _) => Kind::Object(number(class)),
        };
        Schema(classes.iter().map(|c| c[1..].iter().map(kind).collect()).collect())
    }
}

/// A source of programs for one shape.
pub struct Generator<'r> {
    pub rng: &'r mut Rng,
    pub schema: &'r Schema,
}

impl Generator<'_> {
    pub fn program(&mut self) -> Program {
        let mut class = 0;
        let mut steps: Vec<Step> = (0..self.rng.below(3)).map(|_| self.step(&mut class, 1)).collect();
        steps.push(Step::Require(self.test(class, 2)));
        steps
    }

    /// A step, starting at an object of a class and perhaps ending at another.
    fn step(&mut self, class: &mut usize, depth: u8) -> Step {
        match self.rng.below(10) {
            0..=2 => Step::Require(self.test(*class, 1)),
            3..=4 => Step::AcceptIf(self.test(*class, 1)),
            5..=6 => {
                let (path, next) = self.path(*class, 2, |k| matches!(k, Kind::Object(_) | Kind::Place(_)));
                *class = next;
                Step::Follow(path, self.rng.chance(60))
            }
            7 => Step::Mark,
            _ if depth > 0 => {
                let mut body = vec![self.step(class, depth - 1)];
                let (path, next) = self.path(*class, 1, |k| matches!(k, Kind::Object(_) | Kind::Place(_)));
                *class = next;
                body.push(Step::Follow(path, self.rng.chance(80)));
                Step::Repeat(2 + self.rng.below(3) as u8, body)
            }
            _ => Step::Require(self.test(*class, 1)),
        }
    }

    /// A path of up to `longest` steps from a class (or the root) to a field of a wanted kind, and the class of what
    /// is there. Gives up after some tries and returns whatever it has.
    fn path(&mut self, class: usize, longest: u64, wanted: impl Fn(Kind) -> bool) -> (Path, usize) {
        for attempt in 0.. {
            let from_root = self.rng.chance(20);
            let (mut at, mut steps) = (if from_root { 0 } else { class }, vec![]);
            for _ in 0..1 + self.rng.below(longest) {
                let fields = &self.schema.0[at];
                let field = self.rng.below(fields.len() as u64) as usize;
                steps.push(field as u8);
                match fields[field] {
                    kind if wanted(kind) || attempt > 8 => {
                        let class = match kind {
                            Kind::Object(c) | Kind::Place(c) | Kind::Objects(c) => c,
                            Kind::Int | Kind::Ints => at,
                        };
                        return (Path { from_root, steps }, class);
                    }
                    Kind::Object(c) | Kind::Place(c) => at = c,
                    Kind::Objects(c) => {
                        // The interpreter takes half of the number as the place of the element.
                        steps.push(self.rng.below(4) as u8);
                        at = c;
                    }
                    Kind::Int | Kind::Ints => break,
                }
            }
        }
        unreachable!("the loop ends by returning")
    }

    fn term(&mut self, class: usize) -> Term {
        match self.rng.below(10) {
            0..=2 => Term::Const(self.rng.below(3) as i64),
            3 => Term::Reachable,
            4 => Term::At(self.path(class, 2, |k| matches!(k, Kind::Ints | Kind::Objects(_))).0),
            _ => Term::At(self.path(class, 3, |k| k == Kind::Int).0),
        }
    }

    fn test(&mut self, class: usize, depth: u8) -> Test {
        let object = |k| matches!(k, Kind::Object(_) | Kind::Place(_));
        let anywhere = self.rng.below(self.schema.0.len() as u64) as usize;
        let kinds = if depth == 0 { 8 } else { 18 };
        let inner = depth.saturating_sub(1);
        match self.rng.below(kinds) {
            0..=1 => Test::IsNothing(self.path(class, 2, object).0),
            2 => Test::Same(self.path(class, 2, object).0, self.path(class, 3, object).0),
            3..=4 => Test::Less(self.term(class), self.term(class)),
            5 => Test::Equal(self.term(class), self.term(class)),
            6 => Test::TreeLike,
            7 => Test::Sorted(self.path(class, 2, |k| k == Kind::Ints).0),
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
}
