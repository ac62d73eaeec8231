//! Tests with the attribute: some of them for their own sake, some to be run by [`super::output`].

use super::empty::{Any, Never};
use super::lent::Bomb;
use super::tree::{Tree, remove_works};
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, Key, rep_ok};
use std::sync::Mutex;

const SCOPE: u32 = 3;

#[smallscope::test(scope = SCOPE, audit)]
fn a_test_gets_every_combination(tree: Tree<Key>, mut key: Key) {
    assert!(tree.rep_ok() && key.rank() < 3);
    key = Key::new(7);
    assert!(!tree.contains(&key));
}

#[smallscope::test(scope = SCOPE, audit)]
fn a_test_may_only_look(tree: &Tree<Key>, key: Key, list: &Vec<u8>) -> Result<(), String> {
    let is_there = tree.contains(&key);
    if tree.rep_ok() && list.len() < 4 && (tree.size > 0 || !is_there) { Ok(()) } else { Err("?".into()) }
}

#[smallscope::test(scope = 4)]
#[should_panic(expected = "tree.size < 2")]
fn a_lent_value_fails_like_any_other(tree: &Tree<Key>) {
    assert!(tree.size < 2);
}

#[smallscope::test(bounds = Bounds::exact().ints("x", [2, 4]), ints("y" = 0..=1))]
fn arguments_have_names(x: u8, y: u16) -> Result<(), String> {
    if [2, 4].contains(&x) && y < 2 { Ok(()) } else { Err(format!("{x} {y}")) }
}

#[smallscope::test(objects(Node = 2), ints(Node.key = 5..=6, Tree.size = 0..=2), max = 100, budget = "1h")]
#[allow(non_snake_case)]
fn Bounds_can_be_given_in_the_attribute(Tree { root, size }: Tree<u8>) {
    assert_eq!(root.is_none(), size == 0);
}

#[smallscope::test(scope = 3, engine = "korat", order = "single")]
fn engine_and_order_can_be_chosen(list: Vec<u8>) {
    assert!(list.len() <= 3);
}

#[smallscope::test(scope = 4)]
#[should_panic(expected = "the tree is broken")]
fn should_panic_sees_the_message(tree: Tree<Key>, key: Key) {
    remove_works(tree, key);
}

#[smallscope::test(scope = 2, crate = ::smallscope)]
#[should_panic(expected = "returned an error: 1")]
fn an_error_is_a_failure(x: u8) -> Result<(), u8> {
    if x == 0 { Ok(()) } else { Err(x) }
}

/// Neither it nor its parts are `Debug`.
#[derive(Bounded)]
#[bounded(no_invariant)]
struct Mute {
    n: u8,
}

#[smallscope::test(scope = 3)]
#[should_panic(
    expected = "mute: not `Debug`, see the object graph\nn = 2\n\nobject graph:\n  mute: n = 2\n  n: 2\n"
)]
fn types_need_not_be_debug(mute: Mute, n: u8) {
    assert!(mute.n < 2 || n < 2);
}

#[smallscope::test(scope = 2)]
#[should_panic(expected = "found:    value 1 in scope 0 of 2, ")]
fn a_pattern_is_an_argument_too((a, _): (u8, bool)) {
    assert_ne!(a, 0);
}

#[smallscope::test(scope = 5)]
#[ignore = "fails on purpose, in a process of its own"]
#[should_panic(expected = "the tree is broken")]
fn fails_in_scope_three(tree: Tree<Key>, key: Key) {
    remove_works(tree, key);
}

#[test]
#[ignore = "fails on purpose, in a process of its own"]
fn fails_as_a_closure() {
    smallscope::check(2, |_: Vec<bool>| ());
    smallscope::check(5, remove_works);
}

#[smallscope::test(scope = 9, max = 10)]
#[ignore = "runs in a process of its own"]
fn is_stopped_by_its_budget(_: Vec<u8>) {}

#[smallscope::test(scope = 4, budget = "2s")]
#[ignore = "takes two seconds, in a process of its own"]
fn takes_hours(_: String, _: String, _: String) {
    std::thread::sleep(std::time::Duration::from_millis(1));
}

static KEPT: Mutex<Vec<Vec<u8>>> = Mutex::new(vec![]);

#[smallscope::test(scope = 9)]
#[ignore = "takes much memory, in a process of its own"]
fn keeps_a_megabyte_per_value(v: Vec<u8>) {
    KEPT.lock().unwrap().push(vec![v.len() as u8; 1 << 20]);
}

#[smallscope::test(scope = 9, memory = "30 MB", disjoint = "on", order = "single")]
#[ignore = "takes much memory, in a process of its own"]
fn has_large_parts(v: Vec<u8>, w: Vec<u16>) {
    assert!(v.len() <= 9 && w.len() <= 9);
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Alone {
    v: Vec<u8>,
}

#[smallscope::eq_class]
impl Alone {
    #[expect(
        clippy::iter_cloned_collect,
        reason = "elements are read one by one; a slice would keep a copy of them"
    )]
    fn eq_class(&self) -> Vec<u8> {
        self.v.iter().copied().collect()
    }
}

#[smallscope::test(scope = 9, memory = "30 MB", classes = "one", order = "single")]
#[ignore = "takes much memory, in a process of its own"]
fn has_a_class_per_value(alone: &Alone) {
    assert!(alone.v.len() <= 9);
}

#[smallscope::test(len(text = 0..=18), alphabet(text = "ab"), memory = "60 MB")]
#[ignore = "would take much memory, in a process of its own"]
fn has_a_large_table(text: String) {
    assert!(text.len() <= 18);
}

#[smallscope::test(scope = 3)]
#[ignore = "aborts on purpose, in a process of its own"]
fn aborts(n: u8) {
    struct Bomb;
    impl Drop for Bomb {
        fn drop(&mut self) {
            if std::thread::panicking() {
                panic!("while unwinding");
            }
        }
    }
    let _bomb = Bomb;
    assert!(n < 2, "first");
}

#[smallscope::test(scope = 3)]
#[ignore = "fails on purpose, in a process of its own"]
fn has_no_value(any: &Any, never: Never) {
    assert!(any.x < 200, "{never:?}");
}

#[smallscope::test(scope = 3)]
#[ignore = "fails on purpose, in a process of its own"]
#[should_panic]
fn should_panic_and_has_no_value(_: Never) {
    panic!("it does not get here");
}

#[smallscope::test(scope = 3, allow_empty)]
fn may_have_no_value(_: Never) {}

/// The second conjunct relies on the first one.
#[derive(Bounded)]
struct Forest {
    #[bounded(range = 0..=scope)]
    parent: Vec<usize>,
}

#[rep_ok]
impl Forest {
    fn rep_ok(&self) -> bool {
        self.parent.iter().all(|p| *p < self.parent.len())
            && (0..self.parent.len()).all(|i| self.parent[self.parent[i]] == self.parent[i])
    }
}

/// Two parts, and a conjunct that relies on one about both of them.
#[derive(Bounded)]
struct Halves {
    #[bounded(part = "left", range = 0..=scope)]
    left: usize,
    #[bounded(part = "right", range = 0..=scope)]
    right: Vec<usize>,
}

#[rep_ok]
impl Halves {
    fn rep_ok(&self) -> bool {
        self.left < self.right.len() && self.right[0] == 0
    }
}

#[test]
#[ignore = "runs in a process of its own"]
fn conjuncts_rely_on_those_before_them() {
    assert_eq!(smallscope::count::<Forest>(3).valid, 15);
    smallscope::check(3, |forest: &Forest| assert!(forest.parent.len() < 4));
    // Nothing of the runner is in between.
    for options in [Options::default(), Options::default().disjoint()] {
        let search = Search::<Forest>::new(&Bounds::scope(3), Options::default()).unwrap();
        assert_eq!(search.count().unwrap().valid, 15);
        let search = Search::<Halves>::new(&Bounds::scope(2), options).unwrap();
        assert_eq!(search.count().unwrap().valid, 1 + 2 * 3);
    }
}

#[smallscope::test(scope = 3)]
#[ignore = "fails on purpose, in a process of its own"]
#[should_panic(expected = "boom")]
fn has_destructors_that_panic(_a: &Bomb, _b: &Bomb) {}

#[smallscope::test(scope = 3, order_types)]
fn gets_one_value_of_each_order(a: Key, b: Key) {
    assert!(a <= b || b < a);
}

/// One number, or eight different ones.
#[derive(Bounded)]
struct Different {
    items: Vec<u8>,
}

#[rep_ok]
impl Different {
    fn rep_ok(&self) -> bool {
        self.items.len() <= 8 && self.are_different()
    }

    fn are_different(&self) -> bool {
        let set = self.items.iter().collect::<std::collections::BTreeSet<_>>();
        set.len() == 8 || self.items.len() < 2
    }
}

#[smallscope::test(scope = 8, budget = "4s")]
#[ignore = "takes long on purpose, in a process of its own"]
fn reads_every_element(different: &Different) {
    assert!(different.items.len() <= 8);
}
