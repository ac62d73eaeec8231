//! A bound on the size of the whole value: the values of the same scope that have so many objects and elements, and no
//! others.

use crate::message;
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, Check, Disjoint, Engine, Key, mirror, rep_ok};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

/// JSON, as programs have it.
#[derive(Bounded, Debug, Clone, PartialEq)]
#[bounded(no_invariant)]
enum Json {
    Null,
    Bool(bool),
    Number(i64),
    Text(String),
    Array(Vec<Json>),
    Object(BTreeMap<String, Box<Json>>),
}

impl Json {
    fn size(&self) -> usize {
        match self {
            Json::Null | Json::Bool(_) | Json::Number(_) => 0,
            Json::Text(text) => text.chars().count(),
            Json::Array(items) => items.iter().map(|item| 1 + item.size()).sum(),
            Json::Object(entries) => {
                // A variant without fields in a box is no object.
                let object = |value: &Json| usize::from(*value != Json::Null);
                entries
                    .iter()
                    .map(|(key, value)| 1 + key.chars().count() + object(value) + value.size())
                    .sum()
            }
        }
    }
}

#[test]
fn json_grows_gently() {
    let counts: Vec<u64> = (0..=6).map(|size| count::<Json>(&Bounds::size(size))).collect();
    assert_eq!(counts, [7, 16, 107, 922, 9669, 109_856, 1_306_387]);
    assert!(counts.windows(2).all(|pair| pair[1] < 12 * pair[0]), "{counts:?}");
}

#[test]
fn json_of_each_size_comes_once_and_smallest_first() {
    let seen = RefCell::new(vec![]);
    let report = Check::new("json", Bounds::size(3)).run(|json: Json| seen.borrow_mut().push(json));
    assert!(report.is_exhaustive(), "{report}");
    let seen = seen.take();
    assert_eq!(seen.len(), 922);
    let distinct: HashSet<String> = seen.iter().map(|json| format!("{json:?}")).collect();
    assert_eq!(distinct.len(), seen.len());
    assert_eq!(seen.iter().map(Json::size).max(), Some(3));
    // A pass has the values of its size, and smaller ones with the data that is new in it.
    let (mut start, mut passes) = (0, vec![]);
    for pass in &report.passes {
        let values = &seen[start..start + pass.tested as usize];
        let size = pass.scope.unwrap() as usize;
        assert!(values.iter().all(|json| json.size() <= size), "{values:?}");
        start += values.len();
        passes.push(values.len());
    }
    assert_eq!(passes, [7, 9, 91, 815]);
}

/// All kinds of sequences and owners, with an invariant, so that data is what the same scope has.
#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Mixed {
    list: Vec<Leaf>,
    first: Option<Box<Leaf>>,
    shared: [Option<Rc<Leaf>>; 2],
    names: Option<Vec<String>>,
    set: BTreeSet<u8>,
    map: BTreeMap<u8, String>,
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Leaf {
    next: Option<Box<Leaf>>,
}

#[rep_ok]
impl Mixed {
    fn rep_ok(&self) -> bool {
        self.list.len() <= 2 && self.set.len() <= 1
    }
}

impl Leaf {
    fn size(&self) -> usize {
        1 + self.next.as_ref().map_or(0, |next| next.size())
    }
}

impl Mixed {
    fn size(&self) -> usize {
        let shared = match &self.shared {
            [Some(a), Some(b)] if Rc::ptr_eq(a, b) => a.size(),
            both => both.iter().flatten().map(|leaf| leaf.size()).sum(),
        };
        self.list.iter().map(Leaf::size).sum::<usize>()
            + self.first.as_ref().map_or(0, |first| first.size())
            + shared
            + self.names.iter().flatten().map(|name| 1 + name.len()).sum::<usize>()
            + self.set.len()
            + self.map.values().map(|text| 1 + text.len()).sum::<usize>()
    }
}

fn count<T: Bounded>(bounds: &Bounds) -> u64 {
    smallscope::count::<T>(bounds).valid
}

fn values<T: Bounded>(bounds: &Bounds, engine: Engine) -> Vec<T> {
    let options = Options { engine, ..Options::default() };
    let mut search = Search::<T>::new(bounds, options).unwrap();
    std::iter::from_fn(|| search.next_value()).map(Result::unwrap).collect()
}

fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort();
    values
}

#[test]
fn a_size_leaves_the_values_of_the_scope_that_have_it() {
    for size in 0..=2 {
        let in_scope: Vec<Mixed> = values(&Bounds::scope(size), Engine::Lazy);
        let expected = sorted(in_scope.into_iter().filter(|value| value.size() <= size as usize).collect());
        for engine in [Engine::Lazy, Engine::Owned] {
            let found = values::<Mixed>(&Bounds::size(size), engine);
            assert_eq!(sorted(found), expected, "{engine:?}, size {size}");
        }
        assert_eq!(count::<Mixed>(&Bounds::size(size)), expected.len() as u64);
    }
}

/// With aliasing, as in Java, an invariant says itself what is a tree.
#[derive(Bounded, Debug)]
struct Pair {
    a: Option<Rc<Cell>>,
    b: Option<Rc<Cell>>,
    text: String,
}

#[derive(Bounded, Debug)]
struct Cell {
    next: Option<Rc<Cell>>,
}

#[rep_ok]
impl Pair {
    fn rep_ok(&self) -> bool {
        self.a.as_ref().is_none_or(|a| a.next.is_none()) && self.b.as_ref().is_none_or(|b| b.next.is_none())
    }
}

#[test]
fn all_engines_count_alike() {
    for size in 0..=4 {
        let valid = |engine| values::<Pair>(&Bounds::size(size), engine).len() as u64;
        // None, one of two pointers, one object for both, or two: and letters for what is left.
        let texts = |left: Option<u32>| match left {
            Some(left) => (0..=left).map(|len| u64::from(size.max(1)).pow(len)).sum(),
            None => 0,
        };
        let expected = texts(Some(size)) + 3 * texts(size.checked_sub(1)) + texts(size.checked_sub(2));
        for engine in [Engine::Lazy, Engine::Owned, Engine::Korat] {
            assert_eq!(valid(engine), expected, "{engine:?}, size {size}");
        }
    }
}

/// A search tree has as many keys as nodes, so that no shape is missing.
#[derive(Bounded)]
struct Tree {
    root: Option<Box<Node>>,
}

#[derive(Bounded)]
struct Node {
    key: u8,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        self.root.as_ref().is_none_or(|root| root.is_within(None, None))
    }
}

#[mirror]
impl Node {
    fn is_within(&self, low: Option<u8>, high: Option<u8>) -> bool {
        low.is_none_or(|low| low < self.key)
            && high.is_none_or(|high| self.key < high)
            && self.left.as_ref().is_none_or(|left| left.is_within(low, Some(self.key)))
            && self.right.as_ref().is_none_or(|right| right.is_within(Some(self.key), high))
    }
}

#[test]
fn with_one_type_of_objects_a_size_is_a_scope() {
    for n in 0..=5 {
        assert_eq!(count::<Tree>(&Bounds::size(n)), count::<Tree>(&Bounds::scope(n)));
    }
}

#[test]
fn explicit_bounds_hold_besides_a_size() {
    let all = values::<Mixed>(&Bounds::size(3), Engine::Lazy);
    let expected = all.iter().filter(|value| {
        let lengths = value.names.iter().flatten().map(String::len);
        value.list.is_empty() && lengths.max().unwrap_or(0) < 2 && value.first.is_none()
    });
    let bounds = Bounds::size(3).len("Mixed.list", [0]).nullable("Mixed.first", true).objects("Leaf", 3);
    let found = values::<Mixed>(&bounds, Engine::Lazy);
    let found = found.iter().filter(|value| {
        let lengths = value.names.iter().flatten().map(String::len);
        lengths.max().unwrap_or(0) < 2 && value.first.is_none()
    });
    assert_eq!(found.count(), expected.count());
    assert_eq!(
        count::<Mixed>(&Bounds::size(2).objects("Leaf", 0).len("Mixed.map", [0]).ints("Mixed.set", [3])),
        {
            let texts = [1, 1 + 2];
            // No names; or none, one of each length, or two: and a set if there is an element left.
            let named =
                |left: usize| 1 + 1 + if left > 0 { texts[left - 1] } else { 0 } + u64::from(left == 2);
            named(2) + named(1)
        }
    );
}

#[test]
fn an_unordered_pair_is_a_value_of_each_size() {
    let of = |engine, size| values::<BTreeSet<String>>(&Bounds::size(size), engine).len();
    // Nothing; the empty text; one letter or the empty text and a letter.
    assert_eq!([0, 1, 2].map(|size| of(Engine::Lazy, size)), [1, 2, 4]);
    assert_eq!(of(Engine::Korat, 3), of(Engine::Owned, 3));
}

#[test]
fn what_cannot_be_combined_is_refused() {
    let disjoint = Options { disjoint: Disjoint::On, ..Options::default() };
    let error = Search::<Mixed>::new(&Bounds::size(2), disjoint).err().unwrap().to_string();
    assert!(error.contains("`size` bounds the whole value") && error.contains("use `scope`"), "{error}");

    #[derive(Bounded, Debug)]
    #[bounded(no_invariant)]
    struct Keys {
        keys: BTreeSet<Key>,
    }
    let order_types = Options { order_types: true, ..Options::default() };
    let error = Search::<Keys>::new(&Bounds::size(2), order_types).err().unwrap().to_string();
    assert!(error.contains("Keys.keys") && error.contains("leave `order_types` out"), "{error}");

    assert_eq!(
        message::<Mixed>(&Bounds::size(2).len("Mixed.set", [3]).ints("Mixed.set", 0..=4)),
        "the bounds of `the structure` contradict each other: every value has at least 3 objects and elements, and the \
         size is 2"
    );
}

#[test]
fn order_types_of_keys_in_objects_have_a_size() {
    #[derive(Bounded, Debug)]
    struct Sorted {
        keys: Vec<Key>,
    }
    #[rep_ok]
    impl Sorted {
        fn rep_ok(&self) -> bool {
            (1..self.keys.len()).all(|i| self.keys[i - 1] <= self.keys[i])
        }
    }
    let options = Options { order_types: true, ..Options::default() };
    let outcome = Search::<Sorted>::new(&Bounds::size(4), options).unwrap().count().unwrap();
    // For each length, each place between two keys is `<` or `=`.
    assert_eq!(outcome.valid, 1 + 1 + 2 + 4 + 8);
}

#[smallscope::test(size = 2, ints(Json::Number.0 = [-7]))]
fn the_attribute_takes_a_size(json: &Json) {
    assert!(json.size() <= 2 && *json != Json::Number(0));
}

#[test]
fn reports_name_the_size_and_replay_it() {
    let check = || Check::new("t", Bounds::scope(1)).environment([("SMALLSCOPE_SIZE", "3")]);
    let test = |json: &Json| assert!(json.size() < 2);
    let report = check().run(test);
    let text = report.to_string();
    assert!(text.contains("in size 2 of 3"), "{text}");
    assert!(
        text.contains("sizes 0 to 1 are covered exhaustively, size 2 is not, size 3 was not begun"),
        "{text}"
    );
    let replay = &report.failure().unwrap().replay;
    assert!(replay.starts_with("size2:"), "{replay}");
    // The line says that it is a size, so it needs no other variable.
    let again = Check::new("t", Bounds::scope(1)).environment([("SMALLSCOPE_REPLAY", replay)]).run(test);
    assert_eq!(again.failure().unwrap().replay, *replay, "{again}");
}
