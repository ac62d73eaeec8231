//! Invariants that make values of their own types.

#![expect(dead_code, reason = "what invariants read is dead code to the compiler")]

use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, Engine, Outcome, count, mirror, rep_ok};
use std::collections::{BTreeMap, HashMap};
use std::num::Wrapping;
use std::ops::Range;

/// A type checker: types are parts of terms, and the checker makes more of them.
mod one_type {
    use super::*;

    #[derive(Bounded, Clone, Debug, PartialEq)]
    pub enum Type {
        Base,
        Fun(Box<Type>, Box<Type>),
    }

    #[derive(Bounded, Debug)]
    pub enum Expr {
        Var(u8),
        App(Box<Expr>, Box<Expr>),
        Lam(Type, Box<Expr>),
    }

    #[rep_ok]
    impl Expr {
        fn rep_ok(&self) -> bool {
            self.type_of(&[]).is_some()
        }

        fn type_of(&self, ctx: &[Type]) -> Option<Type> {
            match self {
                Expr::Var(i) => ctx.iter().rev().nth(usize::from(*i)).cloned(),
                Expr::App(f, x) => match f.type_of(ctx)? {
                    Type::Fun(from, to) if *from == x.type_of(ctx)? => Some(*to),
                    _ => None,
                },
                Expr::Lam(of, body) => {
                    let mut inner = ctx.to_vec();
                    inner.push(of.clone());
                    let to = body.type_of(&inner)?;
                    Some(Type::Fun(Box::new(of.clone()), Box::new(to)))
                }
            }
        }
    }
}

/// The same with a second type that is opaque.
mod two_types {
    use super::*;

    #[derive(Bounded, Debug)]
    pub enum Type {
        Base,
        Fun(Box<Type>, Box<Type>),
    }

    #[derive(Clone, PartialEq)]
    enum Known {
        Base,
        Fun(Box<Known>, Box<Known>),
    }

    #[derive(Bounded, Debug)]
    pub enum Expr {
        Var(u8),
        App(Box<Expr>, Box<Expr>),
        Lam(Type, Box<Expr>),
    }

    #[rep_ok(opaque(Known))]
    impl Expr {
        fn rep_ok(&self) -> bool {
            self.type_of(&[]).is_some()
        }

        fn known(of: &Type) -> Known {
            match of {
                Type::Base => Known::Base,
                Type::Fun(a, b) => Known::Fun(Box::new(Self::known(a)), Box::new(Self::known(b))),
            }
        }

        fn type_of(&self, ctx: &[Known]) -> Option<Known> {
            match self {
                Expr::Var(i) => ctx.iter().rev().nth(usize::from(*i)).cloned(),
                Expr::App(f, x) => match f.type_of(ctx)? {
                    Known::Fun(from, to) if *from == x.type_of(ctx)? => Some(*to),
                    _ => None,
                },
                Expr::Lam(of, body) => {
                    let of = Self::known(of);
                    let mut inner = ctx.to_vec();
                    inner.push(of.clone());
                    let to = body.type_of(&inner)?;
                    Some(Known::Fun(Box::new(of), Box::new(to)))
                }
            }
        }
    }
}

fn terms(n: i32) -> Bounds {
    Bounds::exact().objects("Expr", n).objects("Type", 2).ints("Expr::Var.0", 0..=2)
}

#[test]
fn a_type_checker_makes_types_as_it_is_written() {
    for n in 0..=4 {
        let (one, two): (Outcome, Outcome) =
            (count::<one_type::Expr>(&terms(n)), count::<two_types::Expr>(&terms(n)));
        assert_eq!(one.valid, two.valid);
        assert!(one.explored <= two.explored, "{n}: {} runs instead of {}", one.explored, two.explored);
    }
}

/// The number of valid values, if engines agree about it.
fn searched<T: Bounded>(bounds: &Bounds) -> usize {
    let mut valid = None;
    for engine in [Engine::Owned, Engine::Lazy] {
        let options = Options { engine, ..Options::default() };
        let outcome = Search::<T>::new(bounds, options).expect("bounds").count().expect("no failure");
        assert_eq!(*valid.get_or_insert(outcome.valid), outcome.valid, "{engine:?}");
    }
    valid.expect("two engines") as usize
}

/// The number of valid values, if the search finds those of all values that the invariant itself accepts.
macro_rules! agreed {
    ($t:ty, $bounds:expr) => {{
        #[derive(Bounded)]
        #[bounded(no_invariant)]
        struct Any(#[bounded(unchecked)] $t);

        let accepted = smallscope::all::<Any>($bounds).filter(|any| any.0.rep_ok()).count();
        assert_eq!(searched::<$t>($bounds), accepted);
        accepted
    }};
}

#[derive(Bounded, Clone, Debug, PartialEq, PartialOrd)]
struct Span {
    lo: u8,
    hi: u8,
}

#[derive(Bounded, Debug)]
struct Schedule {
    ranges: Vec<Span>,
    whole: Span,
    last: Option<Span>,
}

#[rep_ok]
impl Schedule {
    fn rep_ok(&self) -> bool {
        self.ranges.iter().all(|r| r.lo <= r.hi)
            && self.ranges.windows(2).all(|w| w[0].hi < w[1].lo)
            && Self::hull(&self.ranges) == Some(self.whole.clone())
            && self.last == self.ranges.last().map(|r| Span { hi: r.hi, lo: r.lo })
    }

    fn hull(ranges: &[Span]) -> Option<Span> {
        let (first, last) = (ranges.first()?, ranges.last()?);
        let hull = Span { lo: first.lo, hi: last.hi };
        let Span { lo, hi } = hull.clone();
        (hull.lo == lo && hull.hi == hi && matches!(hull, Span { lo: 0..=9, .. })).then_some(hull)
    }
}

#[test]
fn structs_are_made_in_helpers_and_compared() {
    let bounds = Bounds::exact()
        .len("Schedule.ranges", 0..=2)
        .objects("Span", 2)
        .ints("Span.lo", 0..=2)
        .ints("Span.hi", 0..=2);
    // One range: six with `lo <= hi`. Two: `a <= b < c <= d` below 3 is one of 0,0,1,1; 0,0,1,2; 0,0,2,2; 0,1,2,2; 1,1,2,2.
    assert_eq!(agreed!(Schedule, &bounds), 6 + 5);
}

/// No `Clone`: values are moved out of boxes.
#[derive(Bounded, Debug, PartialEq)]
enum List {
    Nil,
    Cons(u8, Box<List>),
}

#[rep_ok]
impl List {
    /// Its own reverse.
    fn rep_ok(&self) -> bool {
        *self == self.reversed()
    }

    fn reversed(&self) -> Self {
        let (mut rest, mut reversed) = (self, Self::Nil);
        while let List::Cons(n, next) = rest {
            reversed = Self::Cons(*n, Box::new(reversed));
            rest = next;
        }
        let count = Self::count(List::Cons(0, Box::new(Self::Nil)));
        if count == 1 { reversed } else { List::Nil }
    }

    fn count(list: List) -> usize {
        match list {
            List::Nil => 0,
            List::Cons(0, rest) => 1 + Self::count(*rest),
            List::Cons(_, rest) => 100 + Self::count(*rest),
        }
    }
}

#[test]
fn an_invariant_makes_values_of_the_type_that_it_is_about() {
    let bounds = Bounds::exact().objects("List", 3).ints("List::Cons.0", 0..=2);
    // The palindromes of up to four elements out of three: the first is the root.
    assert_eq!(agreed!(List, &bounds), 1 + 3 + 3 + 9 + 9);
}

#[derive(Bounded, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    Dot,
    Named(String),
    Group(Vec<Shape>),
    Line { of: Option<Box<Shape>>, at: (u8, u8) },
}

#[derive(Bounded, Debug)]
struct Drawing {
    shape: Shape,
    other: Shape,
}

#[rep_ok]
impl Drawing {
    fn rep_ok(&self) -> bool {
        let shapes = vec![self.shape.clone(), Shape::Dot, Shape::Named("a".to_owned())];
        let group = Shape::Group(shapes.clone());
        let line = Shape::Line { of: Some(Box::new(group.clone())), at: (0, 1) };
        let taken = match line.clone() {
            Shape::Line { of: Some(of), at: (0, y) } if y > 0 => *of,
            _ => return false,
        };
        let Shape::Group(members) = &taken else { return false };
        let greatest = shapes.iter().max().cloned();
        taken == group
            && members.len() == 3
            && matches!(members.first(), Some(shape) if *shape == self.shape)
            && !matches!(line, Shape::Dot | Shape::Named(_))
            && shapes.contains(&self.other)
            && greatest >= Some(self.other.clone())
            && Self::size(&self.shape) + 2 == Self::size(&taken) - 1
    }

    fn size(shape: &Shape) -> usize {
        match shape {
            Shape::Dot | Shape::Named(_) => 1,
            Shape::Group(members) => 1 + members.iter().map(Self::size).sum::<usize>(),
            Shape::Line { of, .. } => 1 + of.as_ref().map_or(0, |of| Self::size(of)),
        }
    }
}

#[test]
fn vectors_options_tuples_and_strings_are_made() {
    assert!(agreed!(Drawing, &Bounds::scope(1)) > 17);
}

/// Helper types that are no structures are made as before, and may be moved out of boxes.
#[derive(Bounded, Debug)]
enum Formula {
    Leaf(bool),
    And(Box<Formula>, Box<Formula>),
}

#[derive(Clone)]
enum Seen {
    Leaf(bool),
    Pair(Box<Seen>, Box<Seen>),
    Names(Vec<String>),
}

#[rep_ok]
impl Formula {
    fn rep_ok(&self) -> bool {
        let boxed = self.mirrored();
        let flat = Self::flat(*boxed);
        flat == Some(true) && Self::depth(self.seen()) <= 2
    }

    fn seen(&self) -> Seen {
        match self {
            Formula::Leaf(value) => Seen::Leaf(*value),
            Formula::And(a, b) => Seen::Pair(Box::new(a.seen()), Box::new(b.seen())),
        }
    }

    fn depth(seen: Seen) -> usize {
        match seen {
            Seen::Leaf(_) => 1,
            Seen::Names(names) => names.len(),
            Seen::Pair(a, b) => 1 + Self::depth(*a).max(Self::depth(*b)),
        }
    }

    /// The mirror image, in a box.
    fn mirrored(&self) -> Box<Formula> {
        Box::new(match self {
            Formula::Leaf(value) => Formula::Leaf(*value),
            Formula::And(a, b) => Formula::And(b.mirrored(), a.mirrored()),
        })
    }

    fn flat(formula: Formula) -> Option<bool> {
        Some(match formula {
            Formula::Leaf(value) => value,
            Formula::And(a, b) => Self::flat(*a)? & Self::flat(*b)?,
        })
    }
}

#[test]
fn values_are_moved_out_of_boxes() {
    // All leaves are true, and a conjunction has leaves only.
    assert_eq!(agreed!(Formula, &Bounds::exact().objects("Formula", 4)), 1 + 1);
}

#[derive(Bounded, Debug, PartialEq)]
enum Odd {
    All {
        some: Option<(bool, bool)>,
        wrapped: Wrapping<u8>,
        range: Range<u8>,
        array: [bool; 2],
        pairs: Vec<(bool, u8)>,
    },
    None,
}

#[rep_ok]
impl Odd {
    fn rep_ok(&self) -> bool {
        let made = || Odd::All {
            some: Some((true, false)),
            wrapped: Wrapping(1),
            range: 0..1,
            array: [true, false],
            pairs: vec![(true, 0)],
        };
        let is_taken_apart = match made() {
            Odd::All { some: Some((true, b)), wrapped, range, array, pairs } => {
                !b && wrapped.0 == 1 && range.start == 0 && !array[1] && pairs[0].0 && pairs[0].1 == 0
            }
            _ => false,
        };
        is_taken_apart && made() == made() && *self == made()
    }
}

#[test]
fn other_kinds_of_fields_are_made() {
    let bounds = Bounds::scope(1).ints("Odd::All.wrapped", 0..=1).ints("Odd::All.range", 0..=1);
    assert_eq!(agreed!(Odd, &bounds), 1);
}

/// Comparisons that are written by hand: the search asks them as the user has written them.
#[derive(Bounded, Clone, Debug)]
struct Version {
    major: u8,
    note: bool,
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.major == other.major
    }
}

#[derive(Bounded, Debug)]
struct Link {
    key: u8,
    next: Option<std::rc::Rc<Link>>,
}

#[mirror]
impl PartialEq for Link {
    fn eq(&self, other: &Link) -> bool {
        self.key == other.key
    }
}

#[derive(Bounded, Debug)]
struct Weight(u8, bool);

#[mirror]
impl PartialEq for Weight {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

#[derive(Bounded, Debug)]
struct Compared {
    versions: (Version, Version),
    weights: (Weight, Weight),
    link: Link,
}

#[rep_ok]
impl Compared {
    fn rep_ok(&self) -> bool {
        self.versions.0 == self.versions.1.clone()
            && self.versions.0 == Version { major: 1, note: true }
            && self.weights.0 == self.weights.1
            && self.link.next.as_ref().is_some_and(|next| **next == self.link)
    }
}

#[test]
fn comparisons_are_those_of_the_user() {
    let bounds = Bounds::exact()
        .objects("Link", 1)
        .ints("Link.key", 0..=1)
        .ints("Version.major", 0..=1)
        .ints("Weight.0", 0..=1);
    // Notes and flags are free, and the second link is the last one or leads to itself.
    assert_eq!(agreed!(Compared, &bounds), 4 * (2 * 4) * (2 * 2));
}

#[derive(Bounded, Clone, Debug, PartialEq)]
#[bounded(no_invariant)]
struct Env {
    vars: BTreeMap<u8, u8>,
    lists: BTreeMap<u8, Vec<u8>>,
    types: HashMap<u8, Box<Level>>,
    rows: Vec<Vec<u8>>,
}

#[derive(Bounded, Clone, Debug, PartialEq)]
#[bounded(no_invariant)]
enum Level {
    Dot,
    Twice(Box<Level>),
}

#[derive(Bounded, Debug)]
struct Scoped {
    env: Env,
    depth: u8,
}

#[rep_ok]
impl Scoped {
    fn rep_ok(&self) -> bool {
        let mut vars = BTreeMap::new();
        vars.insert(0, self.depth);
        let twice = Box::new(Level::Twice(Box::new(Level::Dot)));
        let made = Env {
            vars,
            lists: BTreeMap::from([(0, vec![self.depth])]),
            types: HashMap::from([(0, twice)]),
            rows: vec![vec![self.depth], vec![]],
        };
        let all = made.vars.len() == 1 && made.lists[&0].len() == 1 && made.rows[0].len() == 1;
        all && (self.env == made || self.env.vars == made.vars && self.env.rows.is_empty())
    }
}

#[test]
fn maps_and_vectors_of_vectors_are_made() {
    let bounds = Bounds::exact()
        .objects("Level", 1)
        .len("Env.vars", 0..=1)
        .ints("Env.vars", 0..=0)
        .len("Env.lists", 0..=1)
        .ints("Env.lists", 0..=0)
        .len("Env.types", 0..=1)
        .ints("Env.types", 0..=0)
        .len("Env.rows", 0..=2)
        .ints("Env.rows", 0..=0)
        .ints("Scoped.depth", 0..=0);
    assert!(agreed!(Scoped, &bounds) > 0);
}

#[derive(Bounded, Clone, Copy, Debug, PartialEq)]
#[bounded(no_invariant, derive(PartialEq))]
enum State<T> {
    Idle,
    Busy(T),
}

#[derive(Bounded, Debug)]
struct Machine {
    state: State<u8>,
    last: Option<u8>,
}

#[rep_ok]
impl Machine {
    fn rep_ok(&self) -> bool {
        let busy: State<u8> = State::Busy(1);
        match self.last {
            Some(last) => self.state == State::Busy(last) && self.state != busy,
            None => matches!(self.state, State::Idle),
        }
    }
}

#[test]
fn types_with_parameters_are_made() {
    assert_eq!(agreed!(Machine, &Bounds::scope(3)), 3);
}

/// A user's type may have the name of one of std's.
mod own_range {
    use super::{Bounded, Bounds, mirror, rep_ok, searched};

    #[derive(Bounded, Clone, Debug, PartialEq)]
    #[bounded(no_invariant)]
    pub struct Range {
        lo: u8,
        hi: u8,
    }

    #[mirror]
    fn before(a: &Range, b: &Range) -> bool {
        a.hi < b.lo
    }

    #[derive(Bounded, Debug)]
    pub struct Ranges {
        ranges: Vec<Range>,
    }

    #[rep_ok(fn before)]
    impl Ranges {
        pub fn rep_ok(&self) -> bool {
            let whole = Range { lo: 0, hi: 3 };
            self.ranges.iter().all(|r| Self::is_proper(r) && whole.lo <= r.lo)
                && self.ranges.windows(2).all(|w| before(&w[0], &w[1]))
                && (0..self.ranges.len()).all(|i| (0..3).contains(&i))
        }

        fn is_proper(range: &Range) -> bool {
            let Range { lo, hi } = range;
            lo < hi
        }
    }

    #[test]
    fn is_not_taken_for_that_of_std() {
        // Two of four numbers, or all of them in pairs.
        assert_eq!(agreed!(Ranges, &Bounds::scope(4)), 1 + 6 + 1);
    }
}

#[derive(Bounded, Debug)]
struct Rows {
    items: Vec<u8>,
}

#[rep_ok]
impl Rows {
    fn rep_ok(&self) -> bool {
        let forbidden: Vec<Vec<u8>> = vec![vec![1, 2], vec![0]];
        for (x, row) in self.items.iter().zip(forbidden) {
            for y in row {
                if *x == y {
                    return false;
                }
            }
        }
        true
    }
}

#[test]
fn loops_take_local_vectors() {
    assert_eq!(agreed!(Rows, &Bounds::scope(3)), 1 + 1 + 2 + 6);
}
