//! Too large, too small, too deep.

use crate::run;
use smallscope::search::{Candidate, Options, Search};
use smallscope::{Bounded, Bounds, Error, rep_ok};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::marker::PhantomData;
use std::rc::Rc;

fn too_large<T: Bounded>(bounds: &Bounds) -> String {
    match Search::<T>::new(bounds, Options::default()).map(|s| s.slot_count()) {
        Err(Error::TooLarge { at, .. }) => at,
        other => panic!("{other:?}"),
    }
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Big {
    node: Option<Box<Node>>,
    #[bounded(range = 0..=1)]
    number: i64,
    #[bounded(len = 0..=1)]
    items: Vec<Item>,
    #[bounded(len = 0..=1, alphabet = "ab")]
    text: String,
    #[bounded(len = 0..=1, range = 0..=1)]
    set: BTreeSet<u8>,
    #[bounded(len = 0..=1, range = 0..=1)]
    map: BTreeMap<u8, u8>,
    #[bounded(len = 0..=1, range = 0..=1)]
    bytes: Vec<u8>,
    #[bounded(range = 0..=1)]
    tuple: (u32, u32, u32),
}

#[derive(Bounded)]
struct Node {
    a: bool,
    b: bool,
    c: bool,
    d: bool,
}

#[derive(Bounded)]
struct Item;

#[test]
fn bounds_that_do_not_fit_into_memory_name_the_field() {
    let b = || Bounds::scope(1);
    assert_eq!(too_large::<Big>(&Bounds::scope(u32::MAX)), "Node");
    assert_eq!(too_large::<Big>(&b().objects("Node", u32::MAX)), "Node");
    assert_eq!(too_large::<Big>(&b().ints("Big.number", i64::MIN..=i64::MAX)), "Big.number");
    assert_eq!(too_large::<Big>(&b().ints("Big.number", i128::MIN..=i128::MAX)), "Big.number");
    assert_eq!(too_large::<Big>(&b().len("Big.text", 0..=40)), "Big.text");
    assert_eq!(too_large::<Big>(&b().len("Big.text", [u64::MAX])), "Big.text");
    assert_eq!(too_large::<Big>(&b().len("Big.text", 0..=u64::MAX)), "Big.text");
    assert_eq!(too_large::<Big>(&b().ints("Big.set", 0..=99).len("Big.set", 0..=50)), "Big.set");
    assert_eq!(too_large::<Big>(&b().ints("Big.map", 0..=99).len("Big.map", [4])), "Big.map");
    assert_eq!(too_large::<Big>(&b().len("Big.bytes", [20_000_000])), "Big.bytes");
    assert_eq!(too_large::<Big>(&b().ints("Big.tuple", 0..=u32::MAX)), "Big.tuple.0");
    assert_eq!(too_large::<Big>(&b().ints("Big.tuple.2", 0..=u32::MAX)), "Big.tuple.2");
    assert_eq!(too_large::<Big>(&b().len("Big.items", 0..=5000).objects("Item", 5000)), "Big.items");
}

#[test]
fn many_small_things_are_too_many_together() {
    let at = too_large::<Big>(&Bounds::scope(1).objects("Node", 300_000));
    assert!(at.starts_with("Node."), "{at}");
}

#[derive(Bounded, Debug, Clone, Copy, PartialEq)]
#[bounded(no_invariant)]
struct Unit;

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Units {
    unit: Unit,
    none: (),
    marker: PhantomData<*const u8>,
    empty: [u8; 0],
    units: Vec<Unit>,
    boxed: Option<Box<Unit>>,
    shared: Option<Rc<Unit>>,
    again: Option<Rc<Unit>>,
}

#[test]
fn types_without_content_have_one_value() {
    assert_eq!(run::<Unit>(&Bounds::scope(3), Options::audited()), Ok(1));
    assert_eq!(run::<()>(&Bounds::scope(3), Options::audited()), Ok(1));
    assert_eq!(run::<[u8; 0]>(&Bounds::scope(3), Options::audited()), Ok(1));
    // Lengths up to 2, with or without a box, and two shared pointers: none; one, the other, the same; two objects.
    let lengths_with = |others: u64| 3 - others;
    let without_box = lengths_with(0) + 3 * lengths_with(1) + lengths_with(2);
    let with_box = lengths_with(1) + 3 * lengths_with(2);
    assert_eq!(run::<Units>(&Bounds::scope(2), Options::audited()), Ok(without_box + with_box));
}

#[test]
fn candidates_of_types_without_content_are_told_apart() {
    let mut search = Search::<Units>::new(&Bounds::scope(2), Options::default()).unwrap();
    let mut reader = Search::<Units>::new(&Bounds::scope(2), Options::default()).unwrap();
    while let Some(value) = search.next_value() {
        assert_eq!(reader.candidate_of(&value.unwrap()), Ok(search.candidate()));
    }
}

#[derive(Bounded)]
struct Deep {
    head: Option<Box<Link>>,
}

#[derive(Bounded)]
struct Link {
    next: Option<Box<Link>>,
}

#[rep_ok]
impl Deep {
    fn rep_ok(&self) -> bool {
        let mut n = 0;
        let mut at = &self.head;
        while let Some(link) = at {
            n += 1;
            at = &link.next;
        }
        n >= 2000
    }
}

impl Drop for Deep {
    fn drop(&mut self) {
        let mut at = self.head.take();
        while let Some(mut link) = at {
            at = link.next.take();
        }
    }
}

#[test]
fn a_list_of_two_thousand_nodes_is_found_and_read_back() {
    let bounds = Bounds::exact().objects("Link", 2000).nullable("Deep.head", false);
    let mut search = Search::<Deep>::new(&bounds, Options::default()).unwrap();
    let value = search.next_value().unwrap().unwrap();
    let candidate = search.candidate();
    assert_eq!(candidate.0.len(), 2001);
    assert_eq!(search.graph().lines().count(), 2001);
    assert_eq!(search.candidate_of(&value), Ok(candidate.clone()));
    assert_eq!(search.go_to(&candidate), Ok(()));
    assert!(search.value().is_ok());
}

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
struct Wide {
    last: *const WideLink,
    head: Option<Box<WideLink>>,
}

/// Building it takes more stack than visiting it.
#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
struct WideLink {
    #[bounded(values = [[7; 4096]])]
    payload: [u8; 4096],
    next: Option<Box<WideLink>>,
    previous: *const WideLink,
}

#[rep_ok]
impl Wide {
    fn rep_ok(&self) -> bool {
        let mut n = 0;
        let mut previous: *const WideLink = std::ptr::null();
        let mut at = &self.head;
        while let Some(link) = at {
            if link.previous != previous {
                return false;
            }
            previous = &**link;
            n += 1;
            at = &link.next;
        }
        n == 1000 && self.last == previous
    }
}

#[test]
fn a_long_list_of_large_nodes_is_built_without_much_stack() {
    let bounds = Bounds::exact().objects("WideLink", 1000).nullable("Wide.head", false);
    let mut search = Search::<Wide>::new(&bounds, Options::default()).unwrap();
    let value = search.next_value().unwrap().unwrap();
    let candidate = search.candidate();
    assert_eq!(search.candidate_of(&value), Ok(candidate));
    let mut at = value.head;
    let mut n = 0;
    while let Some(link) = at {
        assert_eq!(link.payload, [7; 4096]);
        n += 1;
        at = link.next;
    }
    assert_eq!(n, 1000);
}

fn list(n: usize) -> Deep {
    let link = |next, _| Some(Box::new(Link { next }));
    Deep { head: (0..n).fold(None, link) }
}

#[test]
fn what_is_deeper_than_the_stack_is_an_error() {
    let n = 100_000;
    let mut search = Search::<Deep>::new(&Bounds::exact().objects("Link", n), Options::default()).unwrap();
    let candidate = Candidate((1..=n).chain([0]).collect());
    let stale = search.go_to(&candidate).unwrap_err();
    assert!(stale.to_string().contains("deeper than the stack allows"), "{stale}");
    let out_of_bounds = search.candidate_of(&list(n as usize)).unwrap_err();
    assert!(out_of_bounds.to_string().contains("deeper than the stack allows"), "{out_of_bounds}");
}

#[derive(Bounded)]
struct Deeper {
    head: Option<Box<Link>>,
}

#[rep_ok]
impl Deeper {
    fn rep_ok(&self) -> bool {
        let mut n = 0;
        let mut at = &self.head;
        while let Some(link) = at {
            n += 1;
            at = &link.next;
        }
        n == 4000
    }
}

#[test]
fn a_valid_candidate_that_is_deeper_than_the_stack_is_a_failure() {
    // Optimized code needs less stack.
    match run::<Deeper>(&Bounds::exact().objects("Link", 4000), Options::default()) {
        Ok(valid) => assert_eq!(valid, 1),
        Err(failure) => assert!(failure.to_string().contains("deeper than the stack allows"), "{failure}"),
    }
}

#[derive(Bounded, Debug, Clone, PartialEq)]
#[bounded(no_invariant)]
enum Json {
    Null,
    Bool(bool),
    Text(String),
    List(Vec<Json>),
    Object(Fields),
}

#[derive(Bounded, Debug, Clone, PartialEq)]
#[bounded(no_invariant)]
struct Fields(BTreeMap<String, Json>);

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Table {
    rows: HashMap<u8, Row>,
}

#[derive(Bounded)]
struct Row {
    tables: Vec<Option<Table>>,
}

#[test]
fn recursion_in_place_is_refused_at_once() {
    for scope in 1..=3 {
        let report = smallscope::Check::new("json", scope).run(|_: Json| ());
        let error = report.error().unwrap();
        assert!(error.starts_with("`Fields.0` cannot be laid out"), "{error}");
        assert!(error.contains("`BTreeMap<K, Box<T>>` instead of `BTreeMap<K, T>`"), "{error}");
        let recursive = Search::<Table>::new(&Bounds::scope(scope), Options::default()).map(|_| ());
        assert_eq!(recursive, Err(Error::Recursive { at: "Table.rows".into() }));
    }
    // Without keys there is no recursion.
    let bounds = Bounds::scope(2).len("Fields.0", 0..=0);
    assert!(run::<Json>(&bounds, Options::audited()).unwrap() > 100);
}

#[derive(Bounded, Debug, Clone, PartialEq)]
#[bounded(no_invariant)]
enum Boxed {
    Null,
    Bool(bool),
    Object(BTreeMap<String, Box<Boxed>>),
}

/// All values with at most this many objects and two keys in a map, with their number of objects. A `Null` in a box is none.
fn boxed(most: usize, keys: &[&str]) -> Vec<(usize, Boxed)> {
    let mut all = vec![(0, Boxed::Null), (0, Boxed::Bool(false)), (0, Boxed::Bool(true))];
    let mut maps: Vec<(usize, BTreeMap<String, Box<Boxed>>)> = vec![(0, BTreeMap::new())];
    for key in keys {
        let mut more = vec![];
        for (n, map) in &maps {
            let mut values = vec![(0, Boxed::Null)];
            if *n < most {
                let others = boxed(most - n - 1, keys).into_iter().filter(|(_, value)| *value != Boxed::Null);
                values.extend(others.map(|(m, value)| (m + 1, value)));
            }
            for (m, value) in if map.len() < 2 { values } else { vec![] } {
                let mut map = map.clone();
                map.insert((*key).to_owned(), Box::new(value));
                more.push((n + m, map));
            }
        }
        maps.extend(more);
    }
    all.extend(maps.into_iter().map(|(n, map)| (n, Boxed::Object(map))));
    all
}

#[test]
fn recursion_through_boxes_in_maps_is_complete() {
    let bounds = Bounds::scope(2).len("Boxed::Object.0", 0..=2);
    let found: Vec<Boxed> = smallscope::all(bounds.alphabet("Boxed::Object.0", "a")).collect();
    let expected = boxed(2, &["", "a", "aa"]);
    assert_eq!(found.len(), expected.len());
    let report = smallscope::Check::new("json", 3).max(1000).run(|_: Boxed| ());
    assert!(report.is_ok() && report.tested == 1000, "{report}");
    assert!(expected.iter().all(|(_, value)| found.contains(value)));
}
