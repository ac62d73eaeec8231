//! One value for each order type of the keys: each order type of the whole set occurs exactly once.

use smallscope::search::{Found, Options, Position, Search};
use smallscope::{Bounded, Bounds, Engine, Error, Key, rep_ok};
use smallscope_catalogue::{avl_tree, heap_array, search_tree};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::ops::ControlFlow;

const ORDERS: Options = Options { order_types: true, ..Options::DEFAULT };

fn go_on(_: &smallscope::Outcome) -> ControlFlow<smallscope::Stop> {
    ControlFlow::Continue(())
}

/// A value as text with each key replaced by its rank among the keys: the numbers behind these labels.
fn normal(text: &str, before: &[&str]) -> String {
    let mut parts = vec![];
    let mut rest = text;
    while let Some(at) = (1..rest.len()).find(|&at| {
        rest[at..].starts_with(|c: char| c.is_ascii_digit()) && before.iter().any(|b| rest[..at].ends_with(b))
    }) {
        let end = rest[at..].find(|c: char| !c.is_ascii_digit()).unwrap() + at;
        parts.push((&rest[..at], rest[at..end].parse::<u32>().unwrap()));
        rest = &rest[end..];
    }
    let keys: BTreeSet<u32> = parts.iter().map(|part| part.1).collect();
    let rank = |key| keys.iter().position(|k| *k == key).unwrap();
    parts.iter().map(|&(text, key)| format!("{text}{}", rank(key))).collect::<String>() + rest
}

fn values<T: Bounded + Debug>(bounds: &Bounds, options: Options) -> Vec<String> {
    let mut search = Search::<T>::new(bounds, options).unwrap();
    std::iter::from_fn(|| search.next_value()).map(|value| format!("{:?}", value.unwrap())).collect()
}

/// Compares with all values. Returns the number of order types and of values.
fn compare<T: Bounded + Debug>(bounds: &Bounds, before: &[&str]) -> (usize, usize) {
    let normal = |value: &String| normal(value, before);
    let orders: Vec<String> = values::<T>(bounds, ORDERS).iter().map(normal).collect();
    let set: BTreeSet<String> = orders.iter().cloned().collect();
    assert_eq!(set.len(), orders.len(), "an order comes twice");
    let all = values::<T>(bounds, Options { engine: Engine::Owned, ..Options::DEFAULT });
    let expected: BTreeSet<String> = all.iter().map(normal).collect();
    assert!(set == expected, "{} orders, {} expected", set.len(), expected.len());
    in_pieces::<T>(bounds, orders.len());
    (orders.len(), all.len())
}

/// Stopping, resuming and splitting change nothing.
fn in_pieces<T: Bounded + Debug>(bounds: &Bounds, count: usize) {
    let open = || Search::<T>::new(bounds, ORDERS).unwrap();
    let mut whole = open();
    let mut paths = vec![];
    while whole.find_next(&mut go_on).unwrap() == Found::Valid {
        paths.push(whole.path());
    }
    assert_eq!(paths.len(), count);
    for stop in (0..count).step_by(count / 20 + 1) {
        let mut first = open();
        (0..=stop).for_each(|_| drop(first.find_next(&mut go_on)));
        let rest = |mut search: Search<T>| {
            let mut rest = vec![];
            while search.find_next(&mut go_on).unwrap() == Found::Valid {
                rest.push(search.path());
            }
            rest
        };
        let position = first.position();
        let mut after = open();
        after.start_after(&paths[stop]).unwrap();
        assert_eq!(rest(after), paths[stop + 1..]);
        if let Some(position) = position {
            let mut second = open();
            second.start_at(&position).unwrap();
            assert_eq!(rest(second), paths[stop + 1..], "at {position}");
        }
        let later = first.split().map(|cut| {
            let mut second = open();
            second.start_at(&cut).unwrap();
            rest(second)
        });
        let mut both = rest(first);
        both.extend(later.into_iter().flatten());
        assert_eq!(both, paths[stop + 1..]);
    }
    let mut nothing_left = open();
    nothing_left.start_at(&Position::START).unwrap();
    assert_eq!(nothing_left.find_next(&mut go_on).unwrap() == Found::Valid, count > 0);
}

#[test]
fn the_catalogue() {
    // All keys of a search tree compare in the same way: one value for each shape.
    let bounds = search_tree::bounds(4, 0, 4, 0, 5);
    assert_eq!(compare::<search_tree::SearchTree<Key>>(&bounds, &["info: "]).0, 1 + 1 + 2 + 5 + 14);
    let (orders, all) = compare::<heap_array::HeapArray<Key>>(&heap_array::bounds(4, 4, 5), &["Some("]);
    assert!(orders < all, "{orders} of {all}");
    let bounds = avl_tree::bounds(4, 0, 4, 5);
    let (orders, all) = compare::<avl_tree::AvlTree<Key>>(&bounds, &["element: Some("]);
    assert!(orders < all, "{orders} of {all}");
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Loose {
    first: Key,
    second: Option<Key>,
    flag: bool,
    next: Option<Box<Loose>>,
}

#[test]
fn keys_that_nothing_is_known_about() {
    let bounds = Bounds::exact().objects("Loose", 1).ints("Loose.first", 0..4).ints("Loose.second", 1..5);
    let (orders, all) = compare::<Loose>(&bounds, &["first: ", "second: Some("]);
    assert!(orders * 2 < all, "{orders} of {all}");
}

#[derive(Bounded, Debug)]
struct Ranked {
    a: Key,
    b: Key,
    c: Key,
}

#[rep_ok]
impl Ranked {
    fn rep_ok(&self) -> bool {
        // Read as a value, so it keeps it.
        self.a.rank() != 1 && self.b <= self.c
    }
}

#[test]
fn keys_whose_value_counts_keep_it() {
    let bounds = Bounds::exact().ints("Ranked.a", 0..3).ints("Ranked.b", 0..3).ints("Ranked.c", 0..3);
    let orders = values::<Ranked>(&bounds, ORDERS);
    // The first key, and how the others compare with it and with each other.
    let class =
        |text: &String| (text.split(',').next().map(str::to_owned), normal(text, &["a: ", "b: ", "c: "]));
    let classes: BTreeSet<_> = orders.iter().map(class).collect();
    assert_eq!(classes.len(), orders.len());
    assert_eq!(classes, values::<Ranked>(&bounds, Options::DEFAULT).iter().map(class).collect());
}

#[test]
fn other_engines_say_that_they_cannot() {
    for engine in [Engine::Owned, Engine::Korat] {
        let refused = Search::<Loose>::new(&Bounds::scope(1), Options { engine, ..ORDERS });
        let Err(Error::Options { why }) = refused.map(drop) else { panic!("{engine} does not refuse") };
        assert!(why.contains(&engine.to_string()), "{why}");
    }
}
