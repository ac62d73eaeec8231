//! What a call may do and still be answered for a group, and what makes it be read.

use super::{candidates, on, report, same};
use smallscope::search::Options;
use smallscope::summaries::{Limits, with_limits};
use smallscope::{Bounded, Bounds, Key, rep_ok};
use std::cell::Cell;
use std::ops::ControlFlow;

#[derive(Bounded, Debug)]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
    tag: bool,
    key: Key,
}

macro_rules! tree {
    ($name:ident { $($body:tt)* }) => {
        #[derive(Bounded, Debug)]
        struct $name {
            root: Option<Box<Node>>,
        }

        #[rep_ok]
        impl $name {
            $($body)*
        }
    };
}

fn small() -> Bounds {
    Bounds::exact().objects("Node", 4).ints("Node.key", 0..=1)
}

tree!(Mirrored {
    fn rep_ok(&self) -> bool {
        Self::count(&self.root) % 2 == 1 && self.root.as_ref().is_none_or(|n| Self::is_mirror(&n.left, &n.right))
    }
    fn count(t: &Option<Box<Node>>) -> usize {
        t.as_ref().map_or(0, |n| 1 + Self::count(&n.left) + Self::count(&n.right))
    }
    fn is_mirror(a: &Option<Box<Node>>, b: &Option<Box<Node>>) -> bool {
        match (a, b) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                a.tag == b.tag && Self::is_mirror(&a.left, &b.right) && Self::is_mirror(&a.right, &b.left)
            }
            _ => false,
        }
    }
});

#[test]
fn a_helper_on_two_subtrees_is_read() {
    same::<Mirrored>(&small());
    let report = report::<Mirrored>(&small()).unwrap();
    assert_eq!(report.helpers, ["count"]);
}

tree!(Ordered {
    fn rep_ok(&self) -> bool {
        Self::tags(&self.root) < 2 && Self::is_heap(&self.root)
    }
    fn tags(t: &Option<Box<Node>>) -> u8 {
        t.as_ref().map_or(0, |n| u8::from(n.tag) + Self::tags(&n.left) + Self::tags(&n.right))
    }
    fn is_heap(t: &Option<Box<Node>>) -> bool {
        let Some(n) = t else { return true };
        for child in [&n.left, &n.right] {
            if let Some(child) = child {
                if child.key < n.key || !Self::is_heap(&n.left) || !Self::is_heap(&n.right) {
                    return false;
                }
            }
        }
        true
    }
});

#[test]
fn comparisons_of_open_keys_are_left_to_the_search() {
    same::<Ordered>(&small());
    let report = report::<Ordered>(&small()).unwrap();
    assert_eq!((report.helpers, report.read), (vec!["tags"], vec!["is_heap"]));
    assert_eq!(report.residual, ["Self::is_heap(&self.root)"]);
}

tree!(Guarded {
    fn rep_ok(&self) -> bool {
        Self::has_right_children(&self.root) && Self::rightmost(&self.root) != Some(true)
    }
    fn has_right_children(t: &Option<Box<Node>>) -> bool {
        t.as_ref().is_none_or(|n| {
            (n.left.is_none() || n.right.is_some())
                && Self::has_right_children(&n.left)
                && Self::has_right_children(&n.right)
        })
    }
    fn rightmost(t: &Option<Box<Node>>) -> Option<bool> {
        let n = t.as_ref()?;
        if n.left.is_none() && n.right.is_none() {
            return Some(n.tag);
        }
        Some(Self::rightmost(&n.right).expect("the conjunct before has seen to that"))
    }
});

#[test]
fn guarded_helpers_run_on_what_their_guards_have_left() {
    same::<Guarded>(&small());
    assert_eq!(report::<Guarded>(&small()).unwrap().helpers, ["has_right_children", "rightmost"]);
}

thread_local! {
    static FUEL: Cell<u32> = const { Cell::new(0) };
}

/// Every third answer is another one.
fn fuel() -> bool {
    FUEL.set((FUEL.get() + 1) % 3);
    FUEL.get() == 0
}

tree!(Hidden {
    fn rep_ok(&self) -> bool {
        Self::is_lucky(&self.root)
    }
    fn is_lucky(t: &Option<Box<Node>>) -> bool {
        t.as_ref().is_none_or(|n| {
            (n.tag || !fuel()) && Self::is_lucky(&n.left) && Self::is_lucky(&n.right)
        })
    }
});

#[test]
fn hidden_state_never_leads_to_a_value_that_the_invariant_refuses() {
    // The search may fail, or leave values out; what it delivers, the real invariant has accepted.
    let _ = candidates::<Hidden>(&small(), on());
}

thread_local! {
    static CALLS: Cell<u32> = const { Cell::new(0) };
    static LAST_GOOD_CALL: Cell<u32> = const { Cell::new(u32::MAX) };
}

/// Holds for some calls, and not afterwards.
fn is_new() -> bool {
    CALLS.set(CALLS.get() + 1);
    CALLS.get() <= LAST_GOOD_CALL.get()
}

tree!(Wearing {
    fn rep_ok(&self) -> bool {
        Self::is_whole(&self.root)
    }
    fn is_whole(t: &Option<Box<Node>>) -> bool {
        t.as_ref().is_none_or(|n| {
            (n.tag || is_new()) && Self::is_whole(&n.left) && Self::is_whole(&n.right)
        })
    }
});

#[test]
fn an_audit_of_edges_finds_answers_that_depend_on_more_than_arguments() {
    let audited = |members| {
        CALLS.set(0);
        let limits = Limits { audited: members, ..Limits::default() };
        with_limits(limits, || {
            let mut search = super::search::<Wearing>(&small(), on());
            let plan =
                search.plan(&mut |_| ControlFlow::Continue(())).map_err(|failure| failure.to_string())?;
            Ok::<u64, String>(plan.unwrap().summaries().unwrap().unwrap().audited)
        })
    };
    assert_eq!(audited(0), Ok(0));
    let calls = CALLS.get();
    assert!(audited(4).unwrap() > 10);
    // The same summaries, and other answers behind them.
    LAST_GOOD_CALL.set(calls);
    assert_eq!(audited(0), Ok(0));
    let why = audited(4).unwrap_err();
    assert!(why.contains("the summaries are wrong: `is_whole` in line"), "{why}");
    // Audit mode audits the edges, and then searches without summaries.
    CALLS.set(0);
    let options = Options { audit: true, ..on() };
    let mut search = super::search::<Wearing>(&small(), options);
    assert!(search.plan(&mut |_| ControlFlow::Continue(())).is_err());
    LAST_GOOD_CALL.set(u32::MAX);
    let mut search = super::search::<Wearing>(&small(), options);
    let plan = search.plan(&mut |_| ControlFlow::Continue(())).unwrap().unwrap();
    let why = plan.summaries().unwrap().unwrap_err();
    assert!(
        why.contains("audit mode looks at all that is rejected; ")
            && why.ends_with("answers of helpers are those of their groups"),
        "{why}"
    );
}

tree!(Deep {
    fn rep_ok(&self) -> bool {
        Self::tags(&self.root).len() < 3
    }
    fn tags(t: &Option<Box<Node>>) -> Vec<bool> {
        let Some(n) = t else { return vec![] };
        let mut tags = Self::tags(&n.left);
        tags.push(n.tag);
        tags.extend(Self::tags(&n.right));
        tags
    }
});

tree!(Counted {
    fn rep_ok(&self) -> bool {
        Self::tags_modulo::<2>(&self.root) == 1 && Self::tags_modulo::<3>(&self.root) == 1
    }
    fn tags_modulo<const N: usize>(t: &Option<Box<Node>>) -> usize {
        let Some(n) = t else { return 0 };
        let below = Self::tags_modulo::<N>(&n.left) + Self::tags_modulo::<N>(&n.right);
        (usize::from(n.tag) + below) % N
    }
});

/// One helper is several functions, whose arguments and results have the same types.
#[test]
fn functions_of_a_helper_are_told_apart_by_type_parameters() {
    assert!(same::<Counted>(&small()) > 3);
    assert_eq!(report::<Counted>(&small()).unwrap().helpers, ["tags_modulo"]);
}

#[test]
fn limits_change_no_values() {
    let plain = candidates::<Deep>(&small(), Options::default()).unwrap().0;
    for answers in [0, 1, 2, 5, 100] {
        for reads in [0, 10, 1_000] {
            let limits = Limits { answers, reads, ..Limits::default() };
            let summarised = with_limits(limits, || candidates::<Deep>(&small(), on())).unwrap().0;
            assert!(plain == summarised, "{limits:?}");
        }
    }
    for (rules, runs) in [(10, 1_000), (100_000, 20), (0, 0)] {
        let limits = Limits { rules, runs, ..Limits::default() };
        assert!(plain == with_limits(limits, || candidates::<Deep>(&small(), on())).unwrap().0);
        let why = with_limits(limits, || report::<Deep>(&small())).unwrap_err();
        assert!(why.starts_with("the summary would take too many r"), "{why}");
    }
}

/// References and lifetimes in signatures compile, and are read.
#[derive(Bounded, Debug)]
struct Borrowing {
    root: Option<Box<Node>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Context<'a> {
    name: &'a str,
}

struct NotPlain(f64);

#[rep_ok(opaque(Context, NotPlain))]
impl Borrowing {
    fn rep_ok(&self) -> bool {
        Self::hidden(&self.root, Context { name: "a" })
            && Self::odd(&self.root, NotPlain(1.0))
            && Self::first(&self.root).is_none_or(|tag| *tag)
            && Self::named(&self.root, "a")
    }
    #[allow(elided_lifetimes_in_paths)]
    fn hidden(t: &Option<Box<Node>>, context: Context) -> bool {
        t.as_ref().is_none_or(|n| !context.name.is_empty() && Self::hidden(&n.left, context))
    }
    fn odd(t: &Option<Box<Node>>, context: NotPlain) -> bool {
        t.as_ref().is_none_or(|n| n.tag || context.0 > 0.0)
    }
    fn first<'a>(t: &'a Option<Box<Node>>) -> Option<&'a bool> {
        t.as_ref().map(|n| &n.tag)
    }
    fn named(t: &Option<Box<Node>>, name: &str) -> bool {
        t.as_ref()
            .is_none_or(|n| !name.is_empty() && Self::named(&n.right, name) && !n.tag | n.right.is_none())
    }
}

#[test]
fn what_borrows_is_read() {
    same::<Borrowing>(&small());
    assert_eq!(report::<Borrowing>(&small()).unwrap().helpers, ["named"]);
}

#[derive(Bounded, Debug)]
struct Shared {
    root: Option<std::rc::Rc<Self>>,
}

#[rep_ok]
impl Shared {
    fn rep_ok(&self) -> bool {
        self.depth() < 3
    }
    fn depth(&self) -> usize {
        self.root.as_ref().map_or(0, |n| 1 + n.depth())
    }
}

#[test]
fn shared_objects_are_not_summarised() {
    let why = report::<Shared>(&Bounds::scope(3)).unwrap_err();
    assert!(why.contains("not held by `Box` or vectors alone"), "{why}");
}

/// A free function.
#[derive(Bounded, Debug)]
struct Free {
    root: Option<Box<Node>>,
}

#[smallscope::mirror]
fn depth(t: &Option<Box<Node>>, most: u8) -> Option<u8> {
    let Some(n) = t else { return Some(0) };
    let deeper = depth(&n.left, most)?.max(depth(&n.right, most)?) + 1;
    (deeper <= most).then_some(deeper)
}

#[rep_ok(fn depth)]
impl Free {
    fn rep_ok(&self) -> bool {
        depth(&self.root, 2).is_some()
    }
}

#[test]
fn free_functions_are_summarised() {
    same::<Free>(&small());
    assert_eq!(report::<Free>(&small()).unwrap().helpers, ["depth"]);
}

/// The test of a type, with the setting as an attribute.
#[smallscope::test(scope = 3, summaries = "on")]
fn an_attribute_turns_summaries_on(tree: &Guarded) {
    assert!(tree.rep_ok());
}

#[test]
fn small_scopes_decide_whether_summaries_pay() {
    use super::search;
    use smallscope::summaries::Summaries;
    use std::ops::ControlFlow;
    let why = |bounds: &Bounds| {
        let options = Options { summaries: Summaries::Auto, ..Options::default() };
        let mut search = search::<Guarded>(bounds, options);
        let plan = search.plan(&mut |_| ControlFlow::Continue(())).unwrap().unwrap();
        plan.summaries().unwrap().map(|report| report.helpers.len()).map_err(str::to_owned)
    };
    let few = why(&Bounds::exact().objects("Node", 1).ints("Node.key", 0..=0)).unwrap_err();
    assert!(few.starts_with("it takes only "), "{few}");
    assert_eq!(why(&Bounds::exact().objects("Node", 9).ints("Node.key", 0..=0)), Ok(2));
}

#[test]
fn hidden_state_is_noticed_in_a_small_scope() {
    use super::search;
    use smallscope::summaries::Summaries;
    use std::ops::ControlFlow;
    let options = Options { summaries: Summaries::Auto, ..Options::default() };
    let mut search = search::<Hidden>(&Bounds::exact().objects("Node", 9).ints("Node.key", 0..=0), options);
    let plan = search.plan(&mut |_| ControlFlow::Continue(())).unwrap().unwrap();
    let why = plan.summaries().unwrap().unwrap_err();
    assert!(why.contains("is there a counter in a `static`?"), "{why}");
}

/// A part with an invariant of its own.
#[derive(Bounded, Debug)]
struct Owner {
    root: Option<Box<Inner>>,
}

#[derive(Bounded, Debug)]
struct Inner {
    left: Option<Box<Inner>>,
    right: Option<Box<Inner>>,
    tag: bool,
}

#[rep_ok]
impl Inner {
    fn rep_ok(&self) -> bool {
        self.left.is_none() || self.tag
    }
}

#[rep_ok]
impl Owner {
    fn rep_ok(&self) -> bool {
        Self::count(&self.root) % 2 == 1
    }
    fn count(t: &Option<Box<Inner>>) -> usize {
        t.as_ref().map_or(0, |n| 1 + Self::count(&n.left) + Self::count(&n.right))
    }
}

#[test]
fn invariants_of_parts_run_on_each_candidate() {
    let bounds = Bounds::exact().objects("Inner", 5);
    assert!(same::<Owner>(&bounds) > 50);
    let report = report::<Owner>(&bounds).unwrap();
    assert_eq!(report.helpers, ["count"]);
    assert_eq!(report.residual, ["Inner::rep_ok of Owner.root"]);
}

/// Keys that may be absent.
#[derive(Bounded, Debug)]
struct Sparse {
    root: Option<Box<Entry>>,
}

#[derive(Bounded, Debug)]
struct Entry {
    key: Option<Key>,
    next: Option<Box<Entry>>,
}

#[rep_ok]
impl Sparse {
    fn rep_ok(&self) -> bool {
        Self::present(&self.root) % 2 == 0 && Self::is_sorted(&self.root, None)
    }
    fn present(t: &Option<Box<Entry>>) -> usize {
        let Some(n) = t else { return 0 };
        usize::from(n.key.is_some()) + Self::present(&n.next)
    }
    fn is_sorted(t: &Option<Box<Entry>>, low: Option<&Key>) -> bool {
        let Some(n) = t else { return true };
        match &n.key {
            None => Self::is_sorted(&n.next, low),
            Some(key) => low.is_none_or(|low| low <= key) && Self::is_sorted(&n.next, Some(key)),
        }
    }
}

/// The same without an order, so that all of it is summarised and counted.
#[derive(Bounded, Debug)]
struct Loose {
    root: Option<Box<Entry>>,
}

#[rep_ok]
impl Loose {
    fn rep_ok(&self) -> bool {
        Self::present(&self.root) % 2 == 0
    }
    fn present(t: &Option<Box<Entry>>) -> usize {
        let Some(n) = t else { return 0 };
        usize::from(n.key.is_some()) + Self::present(&n.next)
    }
}

#[test]
fn optional_keys_are_there_or_not() {
    let bounds = Bounds::exact().objects("Entry", 4).ints("Entry.key", 0..=2);
    assert!(same::<Sparse>(&bounds) > 50);
    assert_eq!(report::<Sparse>(&bounds).unwrap().helpers, ["present"]);
    assert!(same::<Loose>(&bounds) > 50);
    assert_eq!(report::<Loose>(&bounds).unwrap().residual, [""; 0]);
}

#[test]
fn the_size_of_the_whole_value_may_be_bounded() {
    for size in 0..5 {
        same::<Guarded>(&Bounds::size(size));
        same::<Owner>(&Bounds::size(size));
        same::<Sparse>(&Bounds::size(size));
        same::<super::bars::BTree>(&Bounds::size(size));
    }
    assert_eq!(report::<Guarded>(&Bounds::size(4)).unwrap().helpers, ["has_right_children", "rightmost"]);
}

tree!(Twice {
    fn rep_ok(&self) -> bool {
        let Some(node) = &self.root else { return true };
        Self::is_odd(&node.left) && Self::is_odd(&node.right) == node.tag
    }
    fn is_odd(t: &Option<Box<Node>>) -> bool {
        t.as_ref().is_some_and(|n| Self::is_odd(&n.left) == Self::is_odd(&n.right))
    }
});

/// Only the first call refutes the invariant if its answer is false.
#[test]
fn one_helper_is_called_with_a_promise_and_without() {
    same::<Twice>(&small());
    assert_eq!(report::<Twice>(&small()).unwrap().helpers, ["is_odd"]);
}
