//! One value for each order of the keys, wherever keys can stand. What is delivered is compared, as a set and with
//! multiplicities, with an enumeration of all values that shares no code with the search.

#[path = "order_types/brute_force.rs"]
mod brute_force;
#[path = "order_types/random_types.rs"]
mod random_types;
#[path = "order_types/structures.rs"]
mod structures;

use brute_force::{Text, Whole, Written};
use smallscope::search::{Options, Search};
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, Check, Engine, Key};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

const ORDERS: Options = Options { order_types: true, ..Options::DEFAULT };

/// The values that are delivered, with each key replaced by its rank among the keys of the value.
fn delivered<T: Bounded>(bounds: &Bounds, options: Options, text: impl Fn(&T) -> String) -> Vec<String> {
    let mut search = Search::<T>::new(bounds, options).unwrap();
    let mut texts = vec![];
    while let Some(value) = search.next_value() {
        texts.push(text(&value.unwrap()));
    }
    texts
}

/// Compares what is delivered with all values. Returns how many orders there are.
fn compare<T: Bounded + Whole>(scope: u32) -> usize {
    let mut expected = BTreeSet::new();
    for value in T::all(scope) {
        expected.insert(value.with_ranks());
    }
    let orders = delivered::<T>(&Bounds::scope(scope), ORDERS, Text::ranked);
    let name = format!("{} in scope {scope}", std::any::type_name::<T>());
    let count = compare_sets(&name, &orders, &expected);
    assert_eq!(orders.len(), count, "{name}: an order comes twice: {orders:?}");
    count
}

/// The same in comparison with what another engine delivers. Returns how many orders are delivered, and how many there are.
fn compare_engines<T: Bounded + Written>(bounds: &Bounds) -> (usize, usize) {
    let orders = delivered::<T>(bounds, ORDERS, Text::ranked);
    let owned = Options { engine: Engine::Owned, ..Options::DEFAULT };
    let expected = delivered::<T>(bounds, owned, Text::ranked).into_iter().collect();
    (orders.len(), compare_sets(std::any::type_name::<T>(), &orders, &expected))
}

/// Compares the orders that are delivered with those that are expected. Returns how many there are.
fn compare_sets(name: &str, orders: &[String], expected: &BTreeSet<String>) -> usize {
    let set: BTreeSet<String> = orders.iter().cloned().collect();
    let missing: Vec<&String> = expected.difference(&set).take(5).collect();
    assert!(missing.is_empty(), "{name}: {} of {}, not {missing:?}", set.len(), expected.len());
    let more: Vec<&String> = set.difference(expected).take(5).collect();
    assert!(more.is_empty(), "{name}: also {more:?}");
    set.len()
}

/// Compares a type with a key before it and perhaps a key behind it, in small scopes.
macro_rules! compare_all {
    ($($test:ident: $($t:ty),+ $(,)?;)*) => { $(
        #[test]
        fn $test() {
            $(
                for scope in 1..=2 {
                    $crate::compare::<Product<(Key, $t, Option<Key>)>>(scope);
                }
            )+
        }
    )* };
}
pub(crate) use compare_all;

compare_all! {
    plain_keys: Key, Option<Key>, Option<Option<Key>>, Vec<Key>, [Key; 2], VecDeque<Key>, Vec<Option<Key>>;
    tuples: (Key, u8), (Key, Key), (u8, Key, bool), (Key, (Key, bool)), (Option<Key>, Key), Option<(Key, u8)>;
    cells: Cell<Key>, RefCell<Key>, Cell<Option<Key>>, Cell<(Key, u8)>, Option<Cell<(Key, Key)>>, RefCell<BTreeSet<Key>>;
    hashed: HashSet<Key>, HashMap<Key, bool>, Vec<HashSet<Key>>, [Option<HashSet<Key>>; 2], RefCell<HashSet<(Key, bool)>>;
    sets: BTreeSet<Key>, BTreeSet<(Key, bool)>, BTreeSet<Option<Key>>, BTreeSet<BTreeSet<Key>>, Option<BTreeSet<Key>>;
    maps: BTreeMap<u8, Key>, BTreeMap<Key, u8>, BTreeMap<Key, Key>, HashMap<u8, Key>,
        BTreeMap<Key, Option<Key>>;
    maps_of_sets: BTreeMap<u8, BTreeSet<Key>>, BTreeMap<(Key, bool), u8>;
    sequences: Vec<(Key, bool)>, [(Key, bool); 2], Vec<Cell<Key>>, [BTreeSet<Key>; 2], Vec<BTreeSet<Key>>, Box<[(Key, u8)]>;
    boxes: Box<Key>, Option<Box<Key>>, Box<(Key, bool)>, Box<BTreeSet<Key>>, Box<RefCell<Key>>, Box<Option<Key>>;
}

#[test]
fn larger_scopes() {
    compare::<Key>(3);
    compare::<Option<Option<Key>>>(3);
    compare::<(Key, (Key, bool))>(3);
    compare::<HashSet<Key>>(3);
    compare::<Box<Key>>(3);
    compare::<BTreeSet<BTreeSet<Key>>>(3);
    compare::<BTreeMap<Key, Option<Key>>>(3);
    compare::<Vec<BTreeSet<Key>>>(3);
    compare::<Product<(BTreeSet<Key>, HashSet<Key>)>>(4);
    compare::<Product<(BTreeMap<u8, Key>, Vec<Key>)>>(2);
    compare::<Product<(Vec<(Key, bool)>, [Option<Key>; 2])>>(2);
}

#[test]
fn the_orders_of_two_arguments_are_complete() {
    assert_eq!(compare::<Product<((Key, u8), Key)>>(3), 9);
    assert_eq!(compare::<Product<(BTreeSet<Key>, Key)>>(3), 12);
    assert_eq!(compare::<Product<(BTreeMap<u8, Key>, Key)>>(3), 100);
    assert_eq!(compare::<Product<(Vec<(Key, bool)>, Key)>>(3), 467);
    assert_eq!(compare::<Product<(Cell<Key>, Key)>>(3), 3);
    assert_eq!(compare::<(Key, Key)>(3), 3);
}

#[test]
fn a_key_above_all_of_a_set_is_tried() {
    let property = |s: &BTreeSet<Key>, k: Key| assert!(s.is_empty() || s.iter().any(|x| *x >= k));
    let report = Check::new("o", 3).order_types().environment([("PATH", "")]).run(property);
    assert!(report.failure().is_some(), "{}", report.coverage());
}
