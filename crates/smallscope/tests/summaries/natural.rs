//! Natural invariants, written without thought of the search.

use super::{candidates, on, population, report, runs, same, search};
use smallscope::search::{Found, Options, Position, Search};
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, Key, mirror, rep_ok};
use std::ops::ControlFlow;

#[derive(Bounded, Debug)]
pub struct RedBlack<K> {
    pub root: Option<Box<Node<K>>>,
    size: usize,
}

#[derive(Bounded, Debug)]
pub struct Node<K> {
    pub left: Option<Box<Node<K>>>,
    pub right: Option<Box<Node<K>>>,
    color: Color,
    key: K,
}

#[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    Red,
    Black,
}

#[rep_ok]
impl<K: Ord> RedBlack<K> {
    pub fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size
            && Self::no_red_red(&self.root)
            && Self::black_height(&self.root).is_some()
            && Self::is_ordered(&self.root, None, None)
    }

    fn count(t: &Option<Box<Node<K>>>) -> usize {
        match t {
            None => 0,
            Some(n) => 1 + Self::count(&n.left) + Self::count(&n.right),
        }
    }

    fn is_red(t: &Option<Box<Node<K>>>) -> bool {
        t.as_ref().is_some_and(|n| n.color == Color::Red)
    }

    fn no_red_red(t: &Option<Box<Node<K>>>) -> bool {
        let Some(n) = t else { return true };
        if n.color == Color::Red && (Self::is_red(&n.left) || Self::is_red(&n.right)) {
            return false;
        }
        Self::no_red_red(&n.left) && Self::no_red_red(&n.right)
    }

    fn black_height(t: &Option<Box<Node<K>>>) -> Option<usize> {
        let Some(n) = t else { return Some(0) };
        let (l, r) = (Self::black_height(&n.left)?, Self::black_height(&n.right)?);
        (l == r).then(|| l + usize::from(n.color == Color::Black))
    }

    fn is_ordered(t: &Option<Box<Node<K>>>, low: Option<&K>, high: Option<&K>) -> bool {
        let Some(n) = t else { return true };
        low.is_none_or(|low| *low < n.key)
            && high.is_none_or(|high| n.key < *high)
            && Self::is_ordered(&n.left, low, Some(&n.key))
            && Self::is_ordered(&n.right, Some(&n.key), high)
    }
}

fn red_black(n: u32) -> Bounds {
    let k = i64::from(n);
    Bounds::exact().objects("Node", n).ints("RedBlack.size", k..=k).ints("Node.key", 0..=k - 1)
}

#[test]
fn red_black_trees() {
    let numbers = [2, 2, 3, 8, 14, 20];
    for (n, number) in (1..).zip(numbers) {
        assert_eq!(same::<RedBlack<Key>>(&red_black(n)), number, "{n} nodes");
    }
    assert!(same::<RedBlack<Key>>(&Bounds::scope(3)) > 10);
    let (values, runs) = runs::<RedBlack<Key>>(&red_black(11));
    assert_eq!(values, 586);
    assert!(runs <= 3_000, "{runs} runs");
}

#[test]
#[ignore = "takes seconds: .ci/run runs it"]
fn large_red_black_trees_and_terms() {
    let (values, red_black) = runs::<RedBlack<Key>>(&red_black(15));
    assert_eq!(values, 10_468);
    assert!(red_black <= 10_000, "{red_black} runs");
    let (values, terms) = runs::<Typed>(&terms(10));
    assert_eq!(values, 24_190);
    assert!(terms <= 60_000, "{terms} runs");
}

/// The paths of all values, from where a search stands.
/// The usual test has a structure and something else. The keys of both are compared by the test alone, so the order of the
/// tree is what is left to the search.
#[test]
fn a_tree_and_a_key_are_summarised() {
    type Both = Product<(RedBlack<Key>, Key)>;
    let bounds = |n: u32| red_black(n).arguments(&["tree", "key"]).ints("key", 0..=i64::from(n));
    for n in 0..=5 {
        assert_eq!(same::<Both>(&bounds(n)), same::<RedBlack<Key>>(&red_black(n)) * (n as usize + 1));
    }
    let made = report::<Both>(&bounds(6)).unwrap();
    assert_eq!((made.helpers.is_empty(), made.residual.len()), (false, 1), "{made}");
    // Without summaries, the invariant runs on each of 3,588 candidates.
    let (values, all_runs) = runs::<Both>(&bounds(7));
    assert!(all_runs < 600, "{all_runs} runs for {values} values");
}

/// Each tree has conjuncts of its own that compare keys, and these are left to the search.
#[test]
fn two_trees_with_open_keys_are_summarised() {
    type Both = Product<(RedBlack<Key>, RedBlack<Key>)>;
    let bounds = |n: u32| red_black(n).arguments(&["a", "b"]);
    for n in 0..=4 {
        assert_eq!(same::<Both>(&bounds(n)), same::<RedBlack<Key>>(&red_black(n)).pow(2));
    }
    let made = report::<Both>(&bounds(4)).unwrap();
    assert_eq!((made.helpers.is_empty(), made.residual.len()), (false, 1), "{made}");
    let plain = candidates::<Both>(&bounds(5), Options::default()).unwrap().1;
    let (values, all_runs) = runs::<Both>(&bounds(5));
    assert!(5 * all_runs < plain, "{all_runs} runs for {values} values, and {plain} without summaries");
}

/// A third conjunct of one input is not the third of another.
#[test]
fn conjuncts_of_inputs_of_different_types_are_told_apart() {
    type Trees = Product<(Typed, RedBlack<Key>)>;
    type Turned = Product<(RedBlack<Key>, Typed, Key)>;
    let sized =
        |bounds: Bounds| bounds.objects("Term", 4).ints("Typed.size", 4..=4).ints("Term::Var.0", 0..=1);
    let all = sized(red_black(3));
    let trees_of = all.clone().arguments(&["a", "b"]);
    let trees = same::<Trees>(&trees_of);
    assert_eq!(trees, same::<RedBlack<Key>>(&red_black(3)) * same::<Typed>(&sized(Bounds::exact())));
    let turned = all.arguments(&["a", "b", "key"]).ints("key", 0..=1);
    assert_eq!(same::<Turned>(&turned), 2 * trees);
    assert!(trees > 10, "{trees} values");
    // The conjunct that compares keys is left out, and not one with the same number in the other input.
    for made in [report::<Turned>(&turned), report::<Trees>(&trees_of)] {
        assert_eq!(made.unwrap().residual, ["Self::is_ordered(&self.root, None, None)"]);
    }
}

fn paths(search: &mut Search<RedBlack<Key>>) -> Vec<Vec<u32>> {
    let mut paths = vec![];
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
        paths.push(search.path());
    }
    paths
}

#[test]
fn positions_ranges_and_plans_of_other_threads_work() {
    let start = || search::<RedBlack<Key>>(&red_black(6), on());
    let all = paths(&mut start());
    assert_eq!(all.len(), 20);
    assert!(all.is_sorted(), "the order is that of the paths");
    let mut planned = start();
    let plan = planned.plan(&mut |_| ControlFlow::Continue(())).unwrap().unwrap().clone();
    for (i, path) in all.iter().enumerate() {
        let mut after = start();
        after.adopt(&plan);
        after.start_after(path).unwrap();
        assert_eq!(paths(&mut after), all[i + 1..]);
        let (mut before, mut from) = (start(), start());
        before.until(&Position(path.clone()));
        assert_eq!(paths(&mut before), all[..i]);
        from.start_at(&Position(path.clone())).unwrap();
        assert_eq!(paths(&mut from), all[i..]);
    }
    // What is given away and what is left are all values.
    let mut giving = start();
    assert_eq!(giving.find_next(&mut |_| ControlFlow::Continue(())).unwrap(), Found::Valid);
    let given = giving.split().expect("there is more than one value");
    let mut taking = start();
    taking.start_at(&given).unwrap();
    assert_eq!(1 + paths(&mut giving).len() + paths(&mut taking).len(), all.len());
}

#[test]
fn records_of_the_plain_search_are_replayed() {
    let (plain, _) = candidates::<RedBlack<Key>>(&red_black(6), Options::default()).unwrap();
    let mut search = search::<RedBlack<Key>>(&red_black(6), on());
    assert_eq!(search.find_next(&mut |_| ControlFlow::Continue(())).unwrap(), Found::Valid);
    for candidate in plain {
        search.go_to(&candidate.parse().unwrap()).unwrap();
        assert_eq!(search.candidate().to_string(), candidate);
        search.value().unwrap();
    }
}

#[test]
fn a_report_says_what_is_summarised() {
    let report = report::<RedBlack<Key>>(&red_black(4)).unwrap();
    assert_eq!(report.helpers, ["count", "no_red_red", "is_red", "black_height"]);
    assert_eq!(report.read, [""; 0]);
    assert_eq!(report.residual, ["Self::is_ordered(&self.root, None, None)"]);
    let text = report.to_string();
    assert!(text.starts_with("summarised helpers: count, no_red_red, is_red, black_height ("), "{text}");
    assert!(text.contains("runs on each candidate: Self::is_ordered"), "{text}");
}

/// Heights of shapes, by a method and through an alias.
#[derive(Bounded, Debug)]
pub struct Avl {
    pub root: Link,
    pub size: usize,
}

#[mirror]
pub type Link = Option<Box<Shape>>;

#[derive(Bounded, Debug)]
pub struct Shape {
    left: Link,
    right: Link,
}

#[mirror]
impl Shape {
    fn count(&self) -> usize {
        1 + self.left.as_ref().map_or(0, |n| n.count()) + self.right.as_ref().map_or(0, |n| n.count())
    }
}

#[rep_ok]
impl Avl {
    pub fn rep_ok(&self) -> bool {
        self.root.as_ref().map_or(0, |n| n.count()) == self.size && Self::is_balanced(&self.root)
    }

    fn height(t: &Link) -> usize {
        t.as_ref().map_or(0, |n| 1 + Self::height(&n.left).max(Self::height(&n.right)))
    }

    fn is_balanced(t: &Link) -> bool {
        let Some(n) = t else { return true };
        Self::height(&n.left).abs_diff(Self::height(&n.right)) <= 1
            && Self::is_balanced(&n.left)
            && Self::is_balanced(&n.right)
    }
}

fn avl(n: u32) -> Bounds {
    Bounds::exact().objects("Shape", n).ints("Avl.size", i64::from(n)..=i64::from(n))
}

#[test]
fn avl_shapes() {
    for (n, number) in (1..).zip([1, 2, 1, 4, 6, 4, 17]) {
        assert_eq!(same::<Avl>(&avl(n)), number, "{n} nodes");
    }
    let (values, runs) = runs::<Avl>(&avl(15));
    assert_eq!(values, 1_553);
    assert!(runs <= 3_000, "{runs} runs");
}

#[test]
fn values_are_counted_without_listing_them() {
    let count = |n| {
        let outcome = search::<Avl>(&avl(n), on()).count().unwrap();
        assert!(outcome.is_exhaustive() && outcome.explored == 0);
        outcome.valid
    };
    // A006265.
    assert_eq!([8, 12, 15, 20, 30].map(count), [32, 184, 1_553, 16_088, 11_307_920]);
    let mut listed = search::<Avl>(&avl(12), on());
    let mut number = 0;
    while listed.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
        number += 1;
    }
    assert_eq!(number, count(12));
}

/// The n-th value is the one that is listed at that place, for every n, and its rank is n.
fn check_nth<T: Bounded>(bounds: &Bounds) {
    let mut listed = search::<T>(bounds, on());
    let all = population::<T>(bounds);
    let mut number = 0;
    while listed.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
        let candidate = listed.candidate();
        assert_eq!(all.nth(&number.into()), Some(candidate.clone()), "value {number}");
        assert_eq!(all.rank(&candidate), Some(number.into()));
        number += 1;
    }
    assert!(number > 10);
    assert_eq!(*all.count(), number.into());
    assert_eq!(all.nth(&number.into()), None);
    // Numbers of objects divide the values.
    let mut sum = 0;
    for (objects, count) in all.sizes() {
        let part = all.of_size(objects);
        assert_eq!(*part.count(), count);
        sum += count.to_u64().unwrap();
        let first = part.nth(&0.into()).unwrap();
        assert_eq!(part.rank(&first), Some(0.into()));
    }
    assert_eq!(sum, number);
}

#[test]
fn the_nth_value_is_found_without_listing() {
    check_nth::<Avl>(&avl(10));
    check_nth::<Counted>(&Bounds::exact().objects("Shape", 7).ints("Counted.size", 0..=7));
    check_nth::<Typed>(
        &Bounds::exact().objects("Term", 5).ints("Typed.size", 5..=5).ints("Term::Var.0", 0..=4),
    );
    let all = population::<Avl>(&avl(30));
    let candidate = all.nth(&11_000_000.into()).expect("there are 11,307,920");
    assert_eq!(all.rank(&candidate), Some(11_000_000.into()));
    let mut large = search::<Avl>(&avl(30), on());
    large.go_to(&candidate).unwrap();
    assert!(large.value().unwrap().rep_ok());
    // What is no value has no rank.
    assert_eq!(all.rank(&large.candidate()), Some(11_000_000.into()));
    for other in ["-", "0.0", "1.1.1", "1.0.0.0"] {
        assert_eq!(all.rank(&other.parse().unwrap()), None);
    }
}

/// Draws a thousand values for each one that there is, and compares the numbers by chi-square.
fn check_uniform<T: Bounded + std::fmt::Debug>(bounds: &Bounds, values: usize) {
    let mut drawn = std::collections::BTreeMap::new();
    let samples = smallscope::sample::<T>(bounds.clone(), 7).unwrap();
    assert_eq!(*samples.count_values(), (values as u64).into());
    for value in samples.take(300 * values) {
        *drawn.entry(format!("{:?}", value.unwrap())).or_insert(0_i64) += 1;
    }
    assert_eq!(drawn.len(), values);
    let square: i64 = drawn.values().map(|drawn| (drawn - 300) * (drawn - 300)).sum();
    let (chi, degrees) = (square as f64 / 300.0, values as f64 - 1.0);
    assert!((chi - degrees).abs() < 5.0 * (2.0 * degrees).sqrt(), "{chi} for {degrees} degrees of freedom");
}

#[test]
fn samples_are_uniform() {
    check_uniform::<Avl>(&avl(8), 32);
    let terms = Bounds::exact().objects("Term", 4).ints("Typed.size", 4..=4).ints("Term::Var.0", 0..=3);
    check_uniform::<Typed>(&terms, 24);
    let why = smallscope::sample::<RedBlack<Key>>(red_black(4), 7).unwrap_err().to_string();
    assert!(why.contains("`Self::is_ordered(&self.root, None, None)` cannot be summarised"), "{why}");
    let first = |seed| format!("{:?}", smallscope::sample::<Avl>(avl(20), seed).unwrap().next());
    assert_eq!(first(1), first(1));
    assert_ne!(first(1), first(2));
}

/// The whole size is an accumulator.
#[derive(Bounded, Debug)]
struct Counted {
    root: Option<Box<Shape>>,
    size: usize,
}

#[rep_ok]
impl Counted {
    fn rep_ok(&self) -> bool {
        let mut size = 0;
        Self::is_leftist(&self.root, &mut size).is_some() && size == self.size
    }

    fn is_leftist(t: &Option<Box<Shape>>, size: &mut usize) -> Option<usize> {
        let Some(n) = t else { return Some(0) };
        *size += 1;
        let (l, r) = (Self::is_leftist(&n.left, size)?, Self::is_leftist(&n.right, size)?);
        (l >= r).then_some(r + 1)
    }
}

#[test]
fn leftist_shapes_in_one_pass() {
    let bounds =
        |n: u32| Bounds::exact().objects("Shape", n).ints("Counted.size", i64::from(n)..=i64::from(n));
    for (n, number) in (1..).zip([1, 1, 2, 4, 8, 17]) {
        assert_eq!(same::<Counted>(&bounds(n)), number, "{n} nodes");
    }
    let report = report::<Counted>(&bounds(4)).unwrap();
    assert_eq!(report.helpers, ["is_leftist"]);
    let (values, runs) = runs::<Counted>(&bounds(12));
    assert_eq!(values, 2_822);
    assert!(runs <= 20 * values, "{runs} runs");
}

#[derive(Bounded, Debug)]
pub struct Typed {
    term: Box<Term>,
    size: usize,
}

#[derive(Bounded, Debug)]
enum Term {
    Var(u8),
    Lam(bool, Box<Term>),
    App(Box<Term>, Box<Term>),
}

#[derive(Clone, PartialEq, Eq, Debug, Hash)]
enum Type {
    Base,
    Arrow(Box<Type>, Box<Type>),
}

fn annotation(is_arrow: bool) -> Type {
    if is_arrow { Type::Arrow(Box::new(Type::Base), Box::new(Type::Base)) } else { Type::Base }
}

#[rep_ok(opaque(Type))]
impl Typed {
    fn rep_ok(&self) -> bool {
        Self::count(&self.term) == self.size && Self::type_of(&self.term, &mut vec![]).is_some()
    }

    fn count(t: &Term) -> usize {
        match t {
            Term::Var(_) => 1,
            Term::Lam(_, b) => 1 + Self::count(b),
            Term::App(f, a) => 1 + Self::count(f) + Self::count(a),
        }
    }

    fn type_of(t: &Term, context: &mut Vec<Type>) -> Option<Type> {
        match t {
            Term::Var(i) => context.iter().rev().nth(usize::from(*i)).cloned(),
            Term::Lam(of, b) => {
                let of = annotation(*of);
                context.push(of.clone());
                let to = Self::type_of(b, context)?;
                context.pop();
                Some(Type::Arrow(Box::new(of), Box::new(to)))
            }
            Term::App(f, a) => match (Self::type_of(f, context)?, Self::type_of(a, context)?) {
                (Type::Arrow(of, to), argument) if *of == argument => Some(*to),
                _ => None,
            },
        }
    }
}

pub fn terms(n: u32) -> Bounds {
    let k = i64::from(n);
    Bounds::exact().objects("Term", n).ints("Typed.size", k..=k).ints("Term::Var.0", 0..=k - 1)
}

#[test]
fn typed_terms() {
    for (n, number) in [(4, 24), (5, 71), (6, 218)] {
        assert_eq!(same::<Typed>(&terms(n)), number, "{n} nodes");
    }
    let (values, runs) = runs::<Typed>(&terms(8));
    assert_eq!(values, 2_166);
    assert!(runs <= 12_000, "{runs} runs");
}

/// Leaves of 2-3 trees are all at the same depth. Children are in a vector of boxes.
#[derive(Bounded, Debug)]
struct TwoThree {
    root: Box<Inner>,
    leaves: usize,
}

#[derive(Bounded, Debug)]
struct Inner {
    #[bounded(len = 0..=3)]
    children: Vec<Box<Inner>>,
}

#[rep_ok]
impl TwoThree {
    fn rep_ok(&self) -> bool {
        Self::leaves(&self.root) == self.leaves && Self::depth(&self.root).is_some()
    }

    fn leaves(t: &Inner) -> usize {
        if t.children.is_empty() { 1 } else { t.children.iter().map(|c| Self::leaves(c)).sum() }
    }

    fn depth(t: &Inner) -> Option<usize> {
        if t.children.is_empty() {
            return Some(0);
        }
        if t.children.len() == 1 {
            return None;
        }
        let mut depths = t.children.iter().map(|c| Self::depth(c));
        let first = depths.next()??;
        depths.all(|depth| depth == Some(first)).then_some(first + 1)
    }
}

#[test]
fn two_three_trees() {
    let bounds = |leaves: u32| {
        let k = i64::from(leaves);
        Bounds::exact().objects("Inner", 2 * leaves - 1).ints("TwoThree.leaves", k..=k)
    };
    for (leaves, number) in [(1, 1), (2, 1), (3, 1), (4, 1), (5, 2)] {
        assert_eq!(same::<TwoThree>(&bounds(leaves)), number, "{leaves} leaves");
    }
    assert_eq!(runs::<TwoThree>(&bounds(8)).0, 4);
}
