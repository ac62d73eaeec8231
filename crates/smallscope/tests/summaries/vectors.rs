//! Vectors of structures: a list of elements is a first element and the rest, and folds over it are observations of it.

use super::{population, report, runs, same, search};
use smallscope::search::Found;
use smallscope::summaries::{Limits, Natural, with_limits};
use smallscope::{Bounded, Bounds, rep_ok};
use smallscope_core::groups::{Known, Step, logged};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// The values are those of the plain search, with and without limits. Numbers and candidates are inverse, and numbers
/// are in the order of the search. Returns how many there are.
fn consistent<T: Bounded>(bounds: &Bounds) -> usize {
    let number = same::<T>(bounds);
    for limits in [
        Limits { answers: 1, ..Limits::default() },
        Limits { answers: 3, reads: 2, ..Limits::default() },
        Limits { rules: 50, ..Limits::default() },
    ] {
        assert_eq!(with_limits(limits, || same::<T>(bounds)), number, "{limits:?}");
    }
    let population = population::<T>(bounds);
    if population.residual().is_empty() {
        let mut search = search::<T>(bounds, super::on());
        let mut rank = 0u64;
        while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
            let candidate = search.candidate();
            assert_eq!(population.nth(&Natural::from(rank)), Some(candidate.clone()), "number {rank}");
            assert_eq!(population.rank(&candidate), Some(Natural::from(rank)));
            rank += 1;
        }
        assert_eq!(rank, number as u64);
        let by_size: u64 = population.sizes().iter().map(|(_, n)| n.to_u64().unwrap()).sum();
        assert_eq!(by_size, number as u64);
    }
    number
}

/// A rose tree with children in place.
#[derive(Bounded, Debug)]
struct Rose {
    root: Option<Box<Twig>>,
}

#[derive(Bounded, Debug)]
struct Twig {
    kind: bool,
    children: Vec<Twig>,
}

#[rep_ok]
impl Rose {
    fn rep_ok(&self) -> bool {
        match &self.root {
            None => true,
            Some(root) => Self::height(root) <= 3 && Self::count(root) % 2 == 0 && Self::alternates(root),
        }
    }

    fn height(t: &Twig) -> usize {
        1 + t.children.iter().map(|c| Self::height(c)).max().unwrap_or(0)
    }

    fn count(t: &Twig) -> usize {
        1 + t.children.iter().map(Self::count).sum::<usize>()
    }

    fn alternates(t: &Twig) -> bool {
        t.children.iter().all(|c| Self::alternates(c))
            && match t.kind {
                true => t.children.iter().all(|c| !c.kind),
                false => !t.children.iter().any(|c| !c.kind),
            }
    }
}

fn roses(n: u32) -> Bounds {
    Bounds::exact().objects("Twig", n).len("Twig.children", 0..=i64::from(n))
}

#[test]
fn rose_trees() {
    for n in 1..=4 {
        assert!(consistent::<Rose>(&roses(n)) > 0);
    }
    let report = report::<Rose>(&roses(5)).unwrap();
    assert!(report.helpers.contains(&"iter().map(..).max()"), "{report}");
    assert!(report.helpers.contains(&"iter().map(..).sum()"), "{report}");
    assert!(report.residual.is_empty(), "{report}");
}

/// Nested arrays to a depth of 4: the children of a node are an array.
#[derive(Bounded, Debug)]
struct Nested {
    root: Array,
}

#[derive(Bounded, Debug)]
struct Array {
    elements: Vec<Array>,
}

#[rep_ok]
impl Nested {
    fn rep_ok(&self) -> bool {
        Self::depth(&self.root) <= 4
    }

    fn depth(a: &Array) -> usize {
        a.elements.iter().map(|e| Self::depth(e)).max().map_or(1, |d| d + 1)
    }
}

fn nested(n: u32) -> Bounds {
    Bounds::exact().objects("Array", n).len("Array.elements", 0..=i64::from(n))
}

#[test]
fn nested_arrays() {
    for n in 1..=5 {
        consistent::<Nested>(&nested(n));
    }
    // Ordered trees with n nodes and a height of at most 4, by A001519: the root is no object here.
    let population = population::<Nested>(&nested(29));
    let of_size = |n: u32| population.of_size(n).count().to_string();
    let known: Vec<String> = [1u32, 2, 5, 13, 34, 89, 233, 610, 1597].iter().map(u32::to_string).collect();
    assert_eq!((1..=9).map(of_size).collect::<Vec<_>>(), known);
    let runs = runs::<Nested>(&nested(12)).1;
    assert!(runs < 1_000, "{runs} runs");
}

/// Values as in JSON: an enum with vectors of itself.
#[derive(Bounded, Debug)]
struct Document {
    value: Value,
}

#[derive(Bounded, Debug)]
enum Value {
    Null,
    Bool(bool),
    Array(Vec<Value>),
    Pair(Vec<Value>, u8),
}

#[rep_ok]
impl Document {
    fn rep_ok(&self) -> bool {
        Self::depth(&self.value) <= 3 && Self::is_fine(&self.value) && Self::truths(&self.value) <= 2
    }

    fn depth(v: &Value) -> u32 {
        match v {
            Value::Null | Value::Bool(_) => 0,
            Value::Array(all) => 1 + all.iter().map(|v| Self::depth(v)).max().unwrap_or(0),
            Value::Pair(all, _) => 1 + all.iter().fold(0, |most, v| Self::depth(v).max(most)),
        }
    }

    fn is_fine(v: &Value) -> bool {
        match v {
            Value::Array(all) => {
                !all.iter().any(|v| matches!(v, Value::Null)) && all.iter().all(|v| Self::is_fine(v))
            }
            Value::Pair(all, n) => {
                for v in all {
                    if !Self::is_fine(v) {
                        return false;
                    }
                }
                all.len() == usize::from(*n)
            }
            _ => true,
        }
    }

    fn truths(v: &Value) -> usize {
        match v {
            Value::Null => 0,
            Value::Bool(b) => usize::from(*b),
            Value::Array(all) | Value::Pair(all, _) => {
                let mut sum = 0;
                for i in 0..all.len() {
                    sum += Self::truths(&all[i]);
                }
                sum
            }
        }
    }
}

fn documents(n: u32) -> Bounds {
    let lengths = 0..=i64::from(n);
    Bounds::exact()
        .objects("Value", n)
        .len("Value::Array.0", lengths.clone())
        .len("Value::Pair.0", lengths)
        .ints("Value::Pair.1", 0..=2)
}

#[test]
fn values_as_in_json() {
    for n in 1..=3 {
        assert!(consistent::<Document>(&documents(n)) > 0);
    }
    let report = report::<Document>(&documents(4)).unwrap();
    assert!(report.residual.is_empty() && report.read.is_empty(), "{report}");
}

/// A B-tree with children in place.
#[derive(Bounded, Debug)]
struct BTree {
    root: BNode,
    size: u8,
}

#[derive(Bounded, Debug)]
struct BNode {
    keys: u8,
    children: Vec<BNode>,
}

#[rep_ok]
impl BTree {
    fn rep_ok(&self) -> bool {
        Self::total(&self.root) == self.size
            && (1..=3).contains(&self.root.keys)
            && Self::is_full(&self.root)
            && Self::depth(&self.root).is_some()
    }

    fn total(n: &BNode) -> u8 {
        let mut sum = n.keys;
        for child in &n.children {
            sum += Self::total(child);
        }
        sum
    }

    fn is_full(n: &BNode) -> bool {
        (n.children.is_empty() || n.children.len() == usize::from(n.keys) + 1)
            && n.children.iter().all(|c| (1..=3).contains(&c.keys) && Self::is_full(c))
    }

    fn depth(n: &BNode) -> Option<usize> {
        let mut depth = None;
        for (i, child) in n.children.iter().enumerate() {
            let below = Self::depth(child)?;
            if i > 0 && depth != Some(below) {
                return None;
            }
            depth = Some(below);
        }
        Some(depth.map_or(0, |d| d + 1))
    }
}

fn b_trees(keys: u32) -> Bounds {
    let size = i64::from(keys);
    Bounds::exact()
        .objects("BNode", keys)
        .len("BNode.children", 0..=4)
        .ints("BNode.keys", 1..=3)
        .ints("BTree.size", size..=size)
}

#[test]
fn b_trees_with_children_in_place() {
    // Trees by keys and depth: a node has one to three keys, and one more child or none.
    fn known(keys: i64, depth: u32) -> u64 {
        let own = |n: i64| u64::from((1..=3).contains(&n));
        let forest = |count: u32, keys: i64| {
            let mut ways = vec![1];
            for _ in 0..count {
                let at = |sum: i64| ways.get(sum as usize).copied().unwrap_or(0);
                let next = |sum: i64| (0..=sum).map(|k| at(sum - k) * known(k, depth - 1)).sum();
                ways = (0..=keys).map(next).collect();
            }
            ways.get(keys as usize).copied().unwrap_or(0)
        };
        if depth == 0 { own(keys) } else { (1..=3).map(|n| forest(n as u32 + 1, keys - n)).sum() }
    }
    let trees = |keys: u32| (0..3).map(|depth| known(i64::from(keys), depth)).sum::<u64>();
    for keys in 1..=4 {
        assert_eq!(consistent::<BTree>(&b_trees(keys)) as u64, trees(keys), "{keys} keys");
    }
    for keys in [7, 10] {
        assert_eq!(population::<BTree>(&b_trees(keys)).count().to_u64(), Some(trees(keys)), "{keys} keys");
    }
}

/// Folds that capture something, or have results with lifetimes, are read.
#[derive(Bounded, Debug)]
struct Named {
    root: Option<Box<Name>>,
    limit: u8,
}

#[derive(Bounded, Debug)]
struct Name {
    text: u8,
    inner: Option<Vec<Name>>,
}

#[rep_ok]
impl Named {
    fn rep_ok(&self) -> bool {
        let Some(root) = &self.root else { return false };
        Self::is_below(root, self.limit) && Self::sum(root) % 2 == 1
    }

    fn is_below(n: &Name, limit: u8) -> bool {
        let largest = n.inner.as_ref().and_then(|inner| inner.iter().map(|n| &n.text).max());
        largest.is_none_or(|largest| *largest <= limit)
            && n.inner.iter().all(|inner| inner.iter().all(|n| Self::is_below(n, limit)))
    }

    fn sum(n: &Name) -> u32 {
        let Some(inner) = &n.inner else { return u32::from(n.text) };
        let mut calls = 0;
        let sum = inner.iter().fold(0, |sum, n| {
            calls += 1;
            sum + Self::sum(n)
        });
        u32::from(n.text) + sum + calls
    }
}

#[test]
fn folds_that_capture_are_read() {
    let bounds = Bounds::exact()
        .objects("Name", 3)
        .len("Name.inner", 0..=3)
        .ints("Name.text", 0..=1)
        .ints("Named.limit", 0..=1);
    assert!(consistent::<Named>(&bounds) > 10);
}

/// A bound on the size of the whole value, and vectors beside boxes.
#[test]
fn vectors_within_scopes_and_sizes() {
    for n in 0..=3 {
        same::<Rose>(&Bounds::scope(n));
        same::<Document>(&Bounds::scope(n.min(2)));
        same::<Rose>(&Bounds::size(n));
        same::<Document>(&Bounds::size(n));
        same::<BTree>(&Bounds::size(n));
    }
}

#[test]
fn random_values_with_vectors_are_valid_and_large() {
    let all = population::<Nested>(&nested(40)).of_size(40);
    let mut state = 7u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state ^ (state >> 29)
    };
    for _ in 0..20 {
        let candidate = all.draw(&mut random);
        assert_eq!(all.objects(&candidate), Some(40));
        let rank = all.rank(&candidate).unwrap();
        assert_eq!(all.nth(&rank), Some(candidate));
    }
}

/// The same arrays, with their elements in boxes.
#[derive(Bounded, Debug)]
struct BoxedNested {
    root: BoxedArray,
}

#[derive(Bounded, Debug)]
struct BoxedArray {
    elements: Vec<Box<BoxedArray>>,
}

#[rep_ok]
impl BoxedNested {
    fn rep_ok(&self) -> bool {
        Self::depth(&self.root) <= 4
    }

    fn depth(a: &BoxedArray) -> usize {
        a.elements.iter().map(|e| Self::depth(e)).max().map_or(1, |d| d + 1)
    }
}

#[test]
fn vectors_of_boxes_are_first_and_rest() {
    let boxed =
        |n: u32| Bounds::exact().objects("BoxedArray", n).len("BoxedArray.elements", 0..=i64::from(n));
    for n in 1..=4 {
        assert_eq!(consistent::<BoxedNested>(&boxed(n)), consistent::<Nested>(&nested(n)), "{n} objects");
    }
    let (all, in_place) = (population::<BoxedNested>(&boxed(29)), population::<Nested>(&nested(29)));
    assert_eq!(all.sizes(), in_place.sizes());
    let (_, runs_in_place) = runs::<Nested>(&nested(12));
    let (_, runs) = runs::<BoxedNested>(&boxed(12));
    assert!(runs <= 2 * runs_in_place, "{runs} runs, and {runs_in_place} in place");
    let report = report::<BoxedNested>(&boxed(5)).unwrap();
    assert!(report.helpers.contains(&"iter().map(..).max()"), "{report}");
}

/// Pointers that need not lead to objects: options, and variants without fields.
#[derive(Bounded, Debug)]
struct Gaps {
    root: Option<Box<Gap>>,
    terms: Vec<Box<Sum>>,
}

#[derive(Bounded, Debug)]
struct Gap {
    flag: bool,
    places: Vec<Option<Box<Gap>>>,
    more: Option<Vec<Box<Gap>>>,
}

#[derive(Bounded, Debug)]
enum Sum {
    Zero,
    One,
    Of(Vec<Box<Sum>>),
}

#[rep_ok]
impl Gaps {
    fn rep_ok(&self) -> bool {
        self.root.as_ref().is_none_or(|gap| Self::gaps(gap) % 2 == 1)
            && self.terms.iter().map(|s| Self::value(s)).sum::<u32>() == 2
            && self.terms.iter().all(|s| Self::depth(s) < 3)
            && self.root.iter().all(|gap| Self::is_even(gap))
    }

    fn gaps(g: &Gap) -> usize {
        let own = g.places.iter().map(|place| place.as_ref().map_or(1, |g| Self::gaps(g))).sum::<usize>();
        own + g.more.as_ref().map_or(0, |more| more.iter().map(|g| Self::gaps(g)).sum::<usize>())
    }

    fn is_even(g: &Gap) -> bool {
        g.places.iter().all(|place| place.as_ref().is_none_or(|inner| inner.flag))
            && !g.places.iter().any(|place| place.as_ref().is_some_and(|inner| !Self::is_even(inner)))
            && match &g.more {
                Some(more) if more.len() > 1 => more[1].flag && Self::is_even(&more[0]),
                Some(more) => more.iter().all(|inner| g.flag || Self::is_even(inner)),
                None => true,
            }
    }

    fn value(s: &Sum) -> u32 {
        match s {
            Sum::Zero => 0,
            Sum::One => 1,
            Sum::Of(all) => all.iter().fold(0, |sum, s| sum + Self::value(s)),
        }
    }

    fn depth(s: &Sum) -> u32 {
        match s {
            Sum::Of(all) => {
                let mut depth = 0;
                for s in all {
                    depth = depth.max(Self::depth(s));
                }
                depth + 1
            }
            _ => 0,
        }
    }
}

#[test]
fn pointers_in_vectors_need_not_lead_to_objects() {
    let bounds = |gaps: u32, sums: u32| {
        Bounds::exact()
            .objects("Gap", gaps)
            .objects("Sum", sums)
            .len("Gap.places", 0..=2)
            .len("Gap.more", 0..=2)
            .len("Gaps.terms", 0..=2)
            .len("Sum::Of.0", 0..=2)
    };
    for (gaps, sums) in [(1, 1), (2, 1)] {
        assert!(consistent::<Gaps>(&bounds(gaps, sums)) > 0, "{gaps} and {sums} objects");
    }
    let report = report::<Gaps>(&bounds(3, 3)).unwrap();
    assert!(report.residual.is_empty() && report.read.is_empty(), "{report}");
}

/// Questions of one run, with their answers.
type Asked = Vec<(String, String)>;

/// What the steps of a summary say: the runs of a fold, and the names of all fields of the nodes that it runs on.
fn logged_folds<T: Bounded>(bounds: &Bounds) -> (Vec<Asked>, BTreeSet<Vec<String>>, Vec<Step>) {
    let (made, steps) = logged(10_000, || report::<T>(bounds));
    assert!(made.is_ok());
    let (mut folds, mut fields) = (vec![], BTreeSet::new());
    for step in &steps {
        let Step::Run { code, node, asked, .. } = step else { continue };
        fields.insert(node.fields.iter().map(|(name, _)| name.clone()).collect());
        if code.as_ref().is_some_and(|code| code.starts_with("iter().map(..).max()")) {
            folds.push(asked.clone());
        }
    }
    (folds, fields, steps)
}

#[test]
fn steps_of_a_summary_show_lists() {
    let boxed = Bounds::exact().objects("BoxedArray", 3).len("BoxedArray.elements", 0..=3);
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    for (folds, fields, steps) in [logged_folds::<Nested>(&nested(3)), logged_folds::<BoxedNested>(&boxed)] {
        // A list, and a node with the length of its vector and a list. Pointers are not named one by one.
        assert!(fields.contains(&names(&["first", "rest"])), "{fields:?}");
        assert!(fields.contains(&names(&["elements", "elements"])), "{fields:?}");
        assert!(fields.iter().all(|names| names.len() <= 3), "{fields:?}");
        let asked = |question: &str, answer: &str| {
            folds.iter().flatten().any(|(asked, got)| asked == question && got == answer)
        };
        assert!(asked("rest", "none") && asked("rest", "some"), "{folds:?}");
        let is_split = |step: &Step| match step {
            Step::Split { code, whole, parts } => {
                code.starts_with("iter().map(..).max()")
                    && whole.name.starts_with("elements ")
                    && parts.iter().all(|(_, part)| part.objects == whole.objects)
            }
            _ => false,
        };
        assert!(steps.iter().any(is_split));
        let Some(Step::Valid(roots)) = steps.last() else { panic!("the last step is the result") };
        let lists = roots
            .iter()
            .flat_map(|root| &root.fields)
            .filter(|(_, known)| matches!(known, Known::Group(group) if group.name.starts_with("elements ")));
        assert!(lists.count() > 2);
    }
    let (folds, ..) = logged_folds::<BoxedNested>(&boxed);
    assert!(folds.iter().flatten().any(|(asked, got)| asked == "first" && got == "an object"), "{folds:?}");
}
