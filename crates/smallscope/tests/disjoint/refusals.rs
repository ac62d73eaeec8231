//! What is not disjoint, or cannot be sliced, and what is said about it.

use crate::{ENGINES, options};
use smallscope::search::{Options, Search};
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, Check, Disjoint, rep_ok};

/// Why it cannot be done, before or while the parts are searched.
fn refusal<T: Bounded>(scope: u32) -> String {
    let bounds = Bounds::scope(scope);
    let mut whys: Vec<String> = ENGINES
        .into_iter()
        .map(|engine| match Search::<T>::new(&bounds, options(engine, Disjoint::On)) {
            Err(error) => error.to_string(),
            Ok(mut search) => search.slicing().expect_err("it is refused").kind.to_string(),
        })
        .collect();
    whys.dedup();
    // With `auto` there is one search for everything, and nothing is lost.
    for engine in ENGINES.into_iter().filter(|engine| crate::is_fit::<T>(&bounds, *engine)) {
        let mut auto = Search::<T>::new(&bounds, options(engine, Disjoint::Auto)).unwrap();
        assert_eq!(auto.slicing().unwrap(), None);
        assert_eq!(auto.combinations().unwrap(), None);
        let direct =
            Search::<T>::new(&bounds, options(engine, Disjoint::Off)).unwrap().count().unwrap().valid;
        assert!(auto.why_direct().is_some());
        assert_eq!(auto.count().unwrap().valid, direct);
    }
    assert_eq!(whys.len(), 1, "{whys:#?}");
    whys.remove(0)
}

#[derive(Bounded)]
struct Node {
    next: Option<Box<Node>>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Undeclared {
    #[bounded(part = "a")]
    a: Option<Box<Node>>,
    size: usize,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Sharing {
    #[bounded(part = "a", pool = "nodes")]
    a: Option<Box<Node>>,
    #[bounded(part = "b", pool = "nodes")]
    b: Option<Box<Node>>,
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Across {
    #[bounded(part = "arena")]
    arena: Vec<Place>,
    #[bounded(part = "first", index = "arena")]
    first: Option<usize>,
}

#[derive(Bounded)]
struct Place {
    value: bool,
}

#[test]
fn fields_say_what_is_disjoint() {
    assert_eq!(
        refusal::<Node2>(2),
        "no disjoint parts at `the structure`: it has no parts; put `#[bounded(part = \"name\")]` on the fields of \
         each part"
    );
    assert_eq!(
        refusal::<Undeclared>(2),
        "no disjoint parts at `Undeclared.size`: it belongs to no part; put `#[bounded(part = \"name\")]` on it (the \
         others are in `a`)"
    );
    assert_eq!(
        refusal::<Sharing>(2),
        "no disjoint parts at `Node`: the parts `a` and `b` both take such objects from the `nodes` pool; give each \
         part its own with `#[bounded(part = \"name\")]` or `pool = \"name\"`"
    );
    assert_eq!(
        refusal::<Across>(2),
        "no disjoint parts at `Across.first`: it is an index into `Across.arena`, which is in another part; put both \
         into the same one"
    );
}

#[derive(Bounded)]
#[bounded(no_invariant)]
struct Node2 {
    next: Option<Box<Node>>,
}

/// Something is read before the conjunction.
#[derive(Bounded)]
struct Eager {
    #[bounded(part = "a")]
    a: u8,
    #[bounded(part = "b")]
    b: u8,
}

#[rep_ok]
impl Eager {
    fn rep_ok(&self) -> bool {
        if self.a == 1 {
            return false;
        }
        self.a < 3 && self.b < 2
    }
}

/// No conjunction.
#[derive(Bounded)]
struct Plain {
    #[bounded(part = "a")]
    a: u8,
    #[bounded(part = "b")]
    b: u8,
}

#[rep_ok]
impl Plain {
    fn rep_ok(&self) -> bool {
        self.a != self.b
    }
}

/// A conjunct changes what another one looks at.
#[derive(Bounded)]
struct Counting {
    #[bounded(part = "a")]
    a: u8,
    #[bounded(part = "b")]
    b: u8,
}

#[rep_ok]
impl Counting {
    fn rep_ok(&self) -> bool {
        let mut seen = vec![];
        Self::put(self.a, &mut seen) && Self::put(self.b, &mut seen)
    }
    fn put(x: u8, seen: &mut Vec<u8>) -> bool {
        let is_new = !seen.contains(&x);
        seen.push(x);
        is_new
    }
}

/// It calls itself.
#[derive(Bounded)]
struct Nested {
    #[bounded(part = "a")]
    a: Option<Box<Nested>>,
    #[bounded(part = "b")]
    b: bool,
}

#[rep_ok]
impl Nested {
    fn rep_ok(&self) -> bool {
        self.b && self.a.as_ref().is_none_or(|a| a.rep_ok())
    }
}

#[test]
fn invariants_that_cannot_be_sliced() {
    let why = refusal::<Eager>(3);
    assert!(why.contains("before its conjuncts, asks for `Eager.a` of the part `a`"), "{why}");
    assert!(why.contains("cannot be run for the part `b` alone"), "{why}");
    let why = refusal::<Plain>(3);
    assert!(why.contains("does not end with a conjunction `a && b`, and asks for `Plain."), "{why}");
    let why = refusal::<Counting>(3);
    assert!(why.contains("changes something that others look at"), "{why}");
    let why = refusal::<Nested>(2);
    assert!(why.contains("the invariant calls itself"), "{why}");
}

#[test]
fn audit_mode_is_one_search() {
    let options = Options { disjoint: Disjoint::On, ..Options::audited() };
    let error = Search::<Product<(u8, u8)>>::new(&Bounds::scope(2), options).err().unwrap().to_string();
    assert!(error.contains("audit mode"), "{error}");
}

#[test]
fn too_much_to_keep_is_one_search_unless_it_is_demanded() {
    // More than sixteen million values of the first input.
    let bounds =
        Bounds::exact().len("argument 0", 3..=3).ints("argument 0", 0..=255).ints("argument 1", 0..=1);
    let mut search =
        Search::<Product<(Vec<u8>, u8)>>::new(&bounds, options(Default::default(), Disjoint::Auto)).unwrap();
    assert_eq!(search.combinations().unwrap(), None);
    let why = search.why_direct().unwrap();
    assert!(why.contains("the part `argument 0` alone"), "{why}");
    assert!(search.next_value().unwrap().is_ok());
}

/// Unsafe code in a function that a conjunct calls.
#[derive(Bounded)]
struct Unsafe {
    #[bounded(part = "a")]
    a: Vec<u8>,
    #[bounded(part = "b")]
    b: u8,
}

#[derive(Bounded)]
#[bounded(unsafe(parts))]
struct Vouched {
    #[bounded(part = "a")]
    a: Vec<u8>,
    #[bounded(part = "b")]
    b: u8,
}

macro_rules! unsafe_invariants {
    ($($name:ident)*) => { $(
        #[rep_ok]
        impl $name {
            fn rep_ok(&self) -> bool {
                self.b != 1 && self.is_zero_first()
            }
            fn is_zero_first(&self) -> bool {
                let first = self.a.first().copied().unwrap_or(0);
                // SAFETY: nothing is unsafe here, but the macro cannot know that.
                unsafe { std::hint::black_box(first) == 0 }
            }
        }
    )* };
}
#[expect(unused_unsafe, reason = "it is about the block")]
mod unsafe_invariants {
    use super::*;
    unsafe_invariants!(Unsafe Vouched);
}

#[test]
fn unsafe_code_is_not_run_without_the_conjuncts_before_it_unless_the_author_vouches() {
    crate::agrees::<Unsafe>(&Bounds::scope(3));
    crate::agrees::<Vouched>(&Bounds::scope(3));
    let global = |search: Result<smallscope::disjoint::Slicing, ()>| search.unwrap().global;
    let slicing = |mut search: Search<Unsafe>| search.slicing().unwrap().ok_or(());
    let why =
        global(slicing(Search::new(&Bounds::scope(3), options(Default::default(), Disjoint::On)).unwrap()));
    assert_eq!(why[0].text, "self.is_zero_first()");
    assert!(why[0].why.contains("unsafe(parts)"), "{}", why[0].why);
    let mut vouched =
        Search::<Vouched>::new(&Bounds::scope(3), options(Default::default(), Disjoint::On)).unwrap();
    assert!(vouched.slicing().unwrap().unwrap().global.is_empty());
}

#[test]
fn a_test_says_why_it_cannot_be_run() {
    let report = Check::new("undeclared", 2)
        .disjoint(Disjoint::On)
        .environment::<&str, &str>([])
        .run(|_: Undeclared| ());
    assert!(report.error().unwrap().contains("`Undeclared.size`"), "{report}");
    let report =
        Check::new("plain", 3).disjoint(Disjoint::On).environment::<&str, &str>([]).run(|_: Plain| ());
    assert!(report.to_string().contains("does not end with a conjunction"), "{report}");
}
