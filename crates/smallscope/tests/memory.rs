//! What is built is freed, once: a counting allocator sees every value come and go, also when a test panics
//! half-way or user code panics while a value is being built. `.ci/run` runs this file under valgrind and under Miri, too:
//! Miri knows whose memory a box is, and finds what is leaked.

use smallscope::search::{Hold, Kept, Options, Search};
use smallscope::{Bounded, Bounds, Key, Visited, mirror, rep_ok};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::{Rc, Weak};

/// Counts live bytes of the current thread.
struct Counting;

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: passes everything on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = LIVE.try_with(|l| l.set(l.get() + layout.size() as isize));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        let _ = LIVE.try_with(|l| l.set(l.get() - layout.size() as isize));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(p, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn live() -> isize {
    LIVE.get()
}

/// A number for compiled tests and a smaller one for Miri, which is some hundred times slower.
const fn or_under_miri<T: Copy>(compiled: T, interpreted: T) -> T {
    if cfg!(miri) { interpreted } else { compiled }
}

/// Builds and drops every value, in order and while unwinding; returns how many there were.
fn every_value_is_freed<T: Bounded>(bounds: &Bounds) -> u64 {
    let mut search = Search::<T>::new(bounds, Options::default()).unwrap();
    let quiet = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut n = 0;
    loop {
        let found = search.find_next(&mut |_| std::ops::ControlFlow::Continue(())).unwrap();
        if found == smallscope::search::Found::End {
            break;
        }
        n += 1;
        // The search keeps its buffers, which may grow.
        drop(search.value().unwrap());
        let before = live();
        drop(search.value().unwrap());
        assert_eq!(live(), before, "value {n} leaks when dropped:\n{}", search.graph());
        let value = search.value().unwrap();
        let unwound = catch_unwind(AssertUnwindSafe(move || {
            let _owned = value;
            std::panic::resume_unwind(Box::new(()));
        }));
        assert!(unwound.is_err());
        drop(unwound);
        assert_eq!(live(), before, "value {n} leaks when the test panics:\n{}", search.graph());
    }
    std::panic::set_hook(quiet);
    every_lent_value_is_freed::<T>(bounds);
    n
}

/// Lends every value; some of the tests panic.
fn every_lent_value_is_freed<T: Bounded>(bounds: &Bounds) {
    let quiet = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut search = Search::<T>::new(bounds, Options::default()).unwrap();
    let mut n = 0;
    let mut place = Kept::<T>::default();
    while search.find_next(&mut |_| std::ops::ControlFlow::Continue(())).unwrap()
        == smallscope::search::Found::Valid
    {
        n += 1;
        search.hand(&mut place).unwrap();
        let test = || if n % 3 == 0 { std::panic::resume_unwind(Box::new(())) } else { place.get().rep_ok() };
        if let Ok(valid) = catch_unwind(AssertUnwindSafe(test)) {
            assert!(valid);
            place.done();
        }
        // A place that is left holds nothing any more.
        if n % 7 == 0 {
            search.hand(&mut place).unwrap();
            place = Kept::default();
            search.hand(&mut place).unwrap();
            place = Kept::default();
            let before = live();
            search.hand(&mut place).unwrap();
            search.hand(&mut place).unwrap();
            place = Kept::default();
            assert_eq!(live(), before, "value {n} leaks when it was lent:\n{}", search.graph());
        }
    }
    std::panic::set_hook(quiet);
}

#[derive(Bounded)]
struct Tree {
    root: Option<Box<Node>>,
}

#[derive(Bounded)]
struct Node {
    #[bounded(len = 0..=1)]
    name: String,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[test]
fn boxes_are_freed() {
    assert!(every_value_is_freed::<Tree>(&Bounds::scope(or_under_miri(3, 2))) > or_under_miri(100, 10));
}

#[derive(Bounded)]
struct Graph {
    first: Option<Rc<RefCell<Vertex>>>,
    last: Weak<RefCell<Vertex>>,
}

#[derive(Bounded)]
struct Vertex {
    key: Key,
    next: Option<Rc<RefCell<Vertex>>>,
    back: Weak<RefCell<Vertex>>,
}

#[rep_ok]
impl Graph {
    /// No strong cycles: these would leak in anybody's program.
    fn rep_ok(&self) -> bool {
        let mut seen = Visited::new();
        let mut at = self.first.clone();
        while let Some(vertex) = at {
            if !seen.insert(vertex.clone()) {
                return false;
            }
            at = vertex.borrow().next.clone();
        }
        true
    }
}

#[test]
fn shared_and_weak_pointers_are_freed() {
    let bounds = Bounds::scope(2).ints("Vertex.key", 1..=or_under_miri(2, 1));
    assert!(every_value_is_freed::<Graph>(&bounds) > or_under_miri(50, 10));
}

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
struct Ring {
    head: *mut Link,
}

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
struct Link {
    next: *mut Link,
    previous: *mut Link,
    payload: Vec<u8>,
}

#[rep_ok]
impl Ring {
    fn rep_ok(&self) -> bool {
        if self.head.is_null() {
            return true;
        }
        let mut seen = Visited::new();
        let mut at = self.head;
        while seen.insert(at) {
            // SAFETY: every pointer leads to a link of the ring.
            let next = unsafe { (*at).next };
            // SAFETY: as above, and it is not null.
            if next.is_null() || unsafe { (*next).previous } != at {
                return false;
            }
            at = next;
        }
        at == self.head
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        let mut at = self.head;
        while !at.is_null() {
            // SAFETY: the invariant: a ring of boxed links, each of which the walk meets once.
            let link = unsafe { Box::from_raw(at) };
            at = if link.next == self.head { std::ptr::null_mut() } else { link.next };
        }
    }
}

#[test]
fn raw_pointers_are_freed_by_their_owner() {
    let bounds = Bounds::scope(2).len("Link.payload", 0..=or_under_miri(2, 0));
    assert!(every_value_is_freed::<Ring>(&bounds) > or_under_miri(10, 2));
}

#[derive(Bounded)]
struct Mixed {
    by_name: BTreeMap<char, Box<Leaf>>,
    leaves: Vec<Leaf>,
    expression: Box<Expression>,
    #[bounded(values = ["", "text"])]
    listed: String,
}

#[derive(Bounded)]
struct Leaf {
    texts: [Option<Box<Leaf>>; 2],
}

#[derive(Bounded)]
enum Expression {
    Literal(u8),
    Negate(Box<Expression>),
    Sum(Vec<Expression>),
}

#[rep_ok]
impl Mixed {
    fn rep_ok(&self) -> bool {
        self.expression.depth() < 3
    }
}

#[mirror]
impl Expression {
    fn depth(&self) -> usize {
        match self {
            Expression::Literal(_) => 1,
            Expression::Negate(inner) => 1 + inner.depth(),
            Expression::Sum(terms) => 1 + terms.iter().map(|t| t.depth()).max().unwrap_or(0),
        }
    }
}

#[test]
fn maps_vectors_and_enums_are_freed() {
    let n = or_under_miri(2, 1);
    let bounds = Bounds::scope(n).objects("Leaf", n).objects("Expression", n);
    assert!(every_value_is_freed::<Mixed>(&bounds) > or_under_miri(100, 5));
}

thread_local! {
    static FUSE: Cell<u32> = const { Cell::new(u32::MAX) };
}

/// A value whose `Clone` panics when the fuse is burnt down.
#[derive(PartialEq)]
struct Fragile(u8);

impl Clone for Fragile {
    fn clone(&self) -> Self {
        let left = FUSE.get();
        FUSE.set(left.saturating_sub(1));
        assert!(left > 0, "no more clones");
        Fragile(self.0)
    }
}

#[derive(Bounded)]
struct Hostile {
    first: Option<Rc<RefCell<Part>>>,
    last: Weak<RefCell<Part>>,
}

#[derive(Bounded)]
struct Part {
    #[bounded(values = [Fragile(0), Fragile(1)])]
    fragile: Fragile,
    next: Option<Rc<RefCell<Part>>>,
}

#[rep_ok]
impl Hostile {
    fn rep_ok(&self) -> bool {
        let mut seen = Visited::new();
        let mut at = self.first.clone();
        while let Some(part) = at {
            if !seen.insert(part.clone()) {
                return false;
            }
            at = part.borrow().next.clone();
        }
        true
    }
}

#[test]
#[cfg_attr(miri, ignore = "half-made values are leaked")]
fn a_clone_that_panics_while_a_value_is_built_frees_nothing_twice() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut search = Search::<Hostile>::new(&Bounds::scope(2), Options::default()).unwrap();
    let mut panicked = 0;
    while search.find_next(&mut |_| std::ops::ControlFlow::Continue(())).unwrap()
        == smallscope::search::Found::Valid
    {
        for fuse in 0..2 {
            FUSE.set(fuse);
            // Half-made values are leaked; valgrind would see a double free or a read of unfilled memory.
            panicked += usize::from(catch_unwind(AssertUnwindSafe(|| search.value())).is_err());
            FUSE.set(u32::MAX);
        }
    }
    std::panic::set_hook(hook);
    assert!(panicked > 10);
}

#[derive(Bounded)]
struct Brittle {
    first: Option<Box<Piece>>,
}

#[derive(Bounded)]
struct Piece {
    #[bounded(values = [Fragile(0), Fragile(1)])]
    fragile: Fragile,
    #[bounded(len = 0..=1)]
    name: String,
    next: Option<Box<Piece>>,
}

#[rep_ok]
impl Brittle {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[test]
#[cfg_attr(miri, ignore = "half-made values are leaked")]
fn a_clone_that_panics_while_a_value_is_changed_leaves_no_half_made_value() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut search = Search::<Brittle>::new(&Bounds::scope(3), Options::default()).unwrap();
    let mut reader = Search::<Brittle>::new(&Bounds::scope(3), Options::default()).unwrap();
    let mut place = Kept::<Brittle>::default();
    let (mut panicked, mut values) = (0, 0);
    while search.find_next(&mut |_| std::ops::ControlFlow::Continue(())).unwrap()
        == smallscope::search::Found::Valid
    {
        values += 1;
        if values % 3 == 0 {
            FUSE.set(values / 3 % 3);
            let changed = catch_unwind(AssertUnwindSafe(|| search.hand(&mut place)));
            FUSE.set(u32::MAX);
            if changed.is_err() {
                panicked += 1;
                assert!(catch_unwind(AssertUnwindSafe(|| place.get().rep_ok())).is_err());
            }
        }
        search.hand(&mut place).unwrap();
        assert_eq!(reader.candidate_of(place.get()), Ok(search.candidate()));
    }
    std::panic::set_hook(hook);
    assert!(panicked > 10, "{panicked}");
}

/// Two mandatory boxes: under aliasing both would first choose the same object.
#[derive(Bounded)]
struct Twins {
    left: Box<Node>,
    right: Box<Node>,
}

#[rep_ok]
impl Twins {
    fn rep_ok(&self) -> bool {
        true
    }
}

#[test]
fn two_boxes_never_own_one_object() {
    let mut options = Options::korat();
    let mut search = Search::<Twins>::new(&Bounds::scope(2), options).unwrap();
    let failure = search.value().err().expect("nothing was found yet, and the first choices alias");
    assert!(failure.to_string().contains("two boxes would own the same object"), "{failure}");
    options = Options::default();
    let mut search = Search::<Twins>::new(&Bounds::scope(2), options).unwrap();
    while let Some(twins) = search.next_value() {
        let twins = twins.unwrap();
        assert!(!std::ptr::eq(&*twins.left, &*twins.right));
    }
    assert!(search.outcome().is_exhaustive() && search.outcome().valid > 0);
}

/// Number of live bytes after so many candidates of a search that delivers nothing.
#[test]
#[cfg_attr(miri, ignore = "takes too long")]
fn memory_does_not_grow_with_the_number_of_candidates() {
    let mut search =
        Search::<Ring>::new(&Bounds::scope(4).len("Link.payload", 0..=2), Options::default()).unwrap();
    let mut live_at = vec![];
    let mut look = |outcome: &smallscope::Outcome| {
        live_at.push((outcome.explored, live()));
        if live_at.len() < 400 {
            std::ops::ControlFlow::Continue(())
        } else {
            std::ops::ControlFlow::Break(smallscope::Stop::Interrupted)
        }
    };
    while search.find_next(&mut look).unwrap() == smallscope::search::Found::Valid {}
    let settled: Vec<isize> = live_at.iter().skip(20).map(|(_, bytes)| *bytes).collect();
    assert!(settled.len() > 100, "{} looks", live_at.len());
    let (least, most) = (settled.iter().min().unwrap(), settled.iter().max().unwrap());
    // The list of looks itself grows.
    assert!(most - least < 64 * 1024, "between {least} and {most} bytes");
}

/// The tests of a user: values that are given away, values that are lent, calls.
mod attributes {
    use super::Tree;

    #[smallscope::test(scope = 2)]
    fn a_value_is_changed_and_dropped(mut tree: Tree) {
        if let Some(root) = &mut tree.root {
            std::mem::swap(&mut root.left, &mut root.right);
            root.name.push('!');
            tree.root = root.left.take();
        }
    }

    #[smallscope::test(scope = 2)]
    fn a_value_is_lent(tree: &Tree) {
        assert!(tree.rep_ok());
    }

    #[cfg(feature = "sequences")]
    mod calls {
        use smallscope::sequences::{Builder, Context, Pool};

        /// A stack of links that it owns by raw pointers.
        pub struct Stack {
            top: *mut Link,
        }

        struct Link {
            value: u8,
            below: *mut Link,
        }

        #[smallscope::api]
        impl Stack {
            pub fn new() -> Stack {
                Stack { top: std::ptr::null_mut() }
            }

            pub fn push(&mut self, value: u8) {
                self.top = Box::into_raw(Box::new(Link { value, below: self.top }));
            }

            pub fn pop(&mut self) -> Option<u8> {
                if self.top.is_null() {
                    return None;
                }
                // SAFETY: each link is owned by the one above it, or by the stack.
                let Link { value, below } = *unsafe { Box::from_raw(self.top) };
                self.top = below;
                Some(value)
            }
        }

        impl Drop for Stack {
            fn drop(&mut self) {
                while self.pop().is_some() {}
            }
        }

        #[smallscope::sequences(strategy = "be", length = 3)]
        fn a_stack_is_called() -> Builder {
            Context::builder().pool(Pool::<Stack>::empty(1)).pool(Pool::of([0u8, 7])).api::<Stack>()
        }
    }
}
