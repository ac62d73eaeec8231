//! Linked structures with invariants.

use crate::{agreed, by_scope, checked};
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, Engine, Key, Visited, rep_ok};
use smallscope_reference::Settings;
use std::cell::RefCell;
use std::ptr::NonNull;
use std::rc::{Rc, Weak};

/// Invariants that recurse through boxes terminate only with ownership.
fn owned<T: Bounded>(bounds: &Bounds) -> usize {
    checked::<T>(bounds, &Settings { engines: vec![Engine::Owned], ..Settings::default() }).valid
}

#[derive(Bounded)]
struct SearchTree<K> {
    root: Option<Box<Node<K>>>,
    size: usize,
}

#[derive(Bounded)]
struct Node<K> {
    left: Option<Box<Node<K>>>,
    key: K,
    right: Option<Box<Node<K>>>,
}

#[rep_ok]
impl<K: Ord> SearchTree<K> {
    fn rep_ok(&self) -> bool {
        Self::count(&self.root) == self.size && Self::is_ordered(&self.root, None, None)
    }

    fn count(tree: &Option<Box<Node<K>>>) -> usize {
        tree.as_ref().map_or(0, |n| 1 + Self::count(&n.left) + Self::count(&n.right))
    }

    fn is_ordered(tree: &Option<Box<Node<K>>>, low: Option<&K>, high: Option<&K>) -> bool {
        let Some(node) = tree else { return true };
        low.is_none_or(|low| *low < node.key)
            && high.is_none_or(|high| node.key < *high)
            && Self::is_ordered(&node.left, low, Some(&node.key))
            && Self::is_ordered(&node.right, Some(&node.key), high)
    }
}

#[test]
fn search_trees_are_catalan() {
    for (n, catalan) in [(0, 1), (1, 1), (2, 2), (3, 5)] {
        let bounds = Bounds::exact().objects("Node", n).ints("Node.key", 0..=2).ints("SearchTree.size", [n]);
        // Trees of n nodes with n out of three keys.
        let choose = [1, 3, 3, 1][n as usize];
        assert_eq!(owned::<SearchTree<u8>>(&bounds), catalan * choose);
        if n < 3 {
            assert_eq!(owned::<SearchTree<Key>>(&bounds), catalan * choose);
        }
    }
    assert_eq!(owned::<SearchTree<i8>>(&Bounds::scope(2)), 1 + 2 + 2);
}

#[derive(Bounded)]
struct Unsized {
    root: Option<Box<Plain>>,
}

#[derive(Bounded)]
struct Plain {
    left: Option<Box<Plain>>,
    right: Option<Box<Plain>>,
}

#[rep_ok]
impl Unsized {
    /// A tree: with aliasing this has to be checked.
    fn rep_ok(&self) -> bool {
        let mut seen = Visited::new();
        if let Some(root) = &self.root {
            seen.insert(&**root);
        }
        let mut i = 0;
        while let Some(node) = seen.get(i) {
            for child in [&node.left, &node.right].into_iter().flatten() {
                if !seen.insert(&**child) {
                    return false;
                }
            }
            i += 1;
        }
        true
    }
}

#[test]
fn both_engines_find_the_same_trees() {
    assert_eq!(by_scope::<Unsized>(0..=3), [1, 2, 4, 9]);
}

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
struct Ring {
    entry: Option<NonNull<Link>>,
    len: usize,
}

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
struct Link {
    next: NonNull<Link>,
    prev: *mut Link,
}

#[rep_ok]
impl Ring {
    /// A doubly linked ring, which is never dropped.
    fn rep_ok(&self) -> bool {
        let Some(entry) = self.entry else { return self.len == 0 };
        let mut seen = Visited::new();
        let mut here = entry;
        while seen.insert(here) {
            // SAFETY: links point to links.
            let next = unsafe { here.as_ref() }.next;
            // SAFETY: as above.
            if unsafe { next.as_ref() }.prev != here.as_ptr() {
                return false;
            }
            here = next;
        }
        here == entry && seen.len() == self.len
    }
}

#[test]
fn there_is_one_ring_of_each_length() {
    assert_eq!(by_scope::<Ring>(0..=3), [1, 2, 3, 4]);
}

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
struct Queue {
    head: Option<Box<Chain>>,
    tail: *const Chain,
}

#[derive(Bounded)]
struct Chain {
    value: u8,
    next: Option<Box<Chain>>,
}

#[rep_ok]
impl Queue {
    /// `tail` is the last cell; values ascend.
    fn rep_ok(&self) -> bool {
        let mut last: *const Chain = std::ptr::null();
        let mut least = 0;
        let mut seen = Visited::new();
        let mut next = self.head.as_deref();
        while let Some(cell) = next {
            if !seen.insert(cell) || cell.value < least {
                return false;
            }
            least = cell.value;
            last = cell;
            next = cell.next.as_deref();
        }
        self.tail == last
    }
}

#[test]
fn queues_with_a_tail_pointer() {
    // Ascending sequences of up to n out of n values.
    assert_eq!(by_scope::<Queue>(0..=3), [1, 2, 1 + 2 + 3, 1 + 3 + 6 + 10]);
}

#[derive(Bounded)]
struct Family {
    root: Option<Rc<RefCell<Member>>>,
}

#[derive(Bounded)]
struct Member {
    parent: Weak<RefCell<Member>>,
    children: Vec<Rc<RefCell<Member>>>,
}

#[rep_ok]
impl Family {
    /// A tree in which every child knows its parent.
    fn rep_ok(&self) -> bool {
        let Some(root) = &self.root else { return true };
        let mut seen = Visited::new();
        seen.insert(Rc::clone(root));
        let mut i = 0;
        while let Some(member) = seen.get(i) {
            for child in &member.borrow().children {
                let parent = child.borrow().parent.upgrade();
                if !seen.insert(Rc::clone(child)) || !parent.is_some_and(|p| Rc::ptr_eq(&p, &member)) {
                    return false;
                }
            }
            i += 1;
        }
        root.borrow().parent.upgrade().is_none()
    }
}

#[test]
fn families_are_rose_trees() {
    let bounds = |n, children| Bounds::scope(n).len("Member.children", 0..=children);
    let counts: Vec<usize> = (0..=2).map(|n| agreed::<Family>(&bounds(n, 2))).collect();
    assert_eq!(counts, [1, 2, 3]);
    assert_eq!(agreed::<Family>(&bounds(3, 1)), 4);
}

#[derive(Bounded)]
enum Expr {
    Number(u8),
    Flag(bool),
    Less(Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, PartialEq)]
enum Type {
    Number,
    Flag,
}

#[rep_ok(opaque(Type))]
impl Expr {
    fn rep_ok(&self) -> bool {
        self.type_of().is_some()
    }

    fn type_of(&self) -> Option<Type> {
        match self {
            Expr::Number(_) => Some(Type::Number),
            Expr::Flag(_) => Some(Type::Flag),
            Expr::Less(a, b) => {
                (a.type_of()? == Type::Number && b.type_of()? == Type::Number).then_some(Type::Flag)
            }
            Expr::If(c, a, b) => {
                let (a, b) = (a.type_of()?, b.type_of()?);
                (c.type_of()? == Type::Flag && a == b).then_some(a)
            }
        }
    }
}

#[test]
fn expressions_of_correct_type() {
    let bounds = |n| Bounds::exact().objects("Expr", n).ints("Expr::Number.0", [0]);
    // Two flags, one number; then a comparison of numbers.
    let counts: Vec<usize> = (0..=2).map(|n| owned::<Expr>(&bounds(n))).collect();
    assert_eq!(counts, [3, 3, 4]);
}

#[derive(Bounded)]
struct Sized {
    items: Vec<u8>,
    next: Option<Box<Sized>>,
    #[bounded(derived = Self::measure)]
    len: usize,
}

#[rep_ok]
impl Sized {
    fn rep_ok(&self) -> bool {
        self.len > 0 && self.len == self.measure()
    }

    fn measure(&self) -> usize {
        self.items.len() + self.next.as_ref().map_or(0, |next| next.measure())
    }
}

#[test]
fn derived_fields_are_computed() {
    let bounds = Bounds::exact().objects("Sized", 1).ints("Sized.items", [7]).len("Sized.items", 0..=2);
    // Two lengths, at least one of them not 0; or one length that is not 0.
    assert_eq!(owned::<Sized>(&bounds), 8 + 2);
}

#[test]
fn independent_inputs() {
    type Pair = Product<(SearchTree<Key>, Key)>;
    assert_eq!(owned::<Pair>(&Bounds::scope(2)), 5 * 2);
    assert_eq!(agreed::<Product<(Queue, Ring, u8)>>(&Bounds::scope(2)), 6 * 3 * 2);
}

#[derive(Bounded)]
struct Apart {
    a: Rc<u8>,
    b: Rc<u8>,
    c: Rc<RefCell<bool>>,
    d: Option<Rc<RefCell<bool>>>,
}

#[rep_ok]
impl Apart {
    /// Different objects with any contents.
    fn rep_ok(&self) -> bool {
        !std::ptr::eq(&*self.a, &*self.b)
            && Rc::as_ptr(&self.a) != Rc::as_ptr(&self.b)
            && self
                .d
                .as_ref()
                .is_none_or(|d| !std::ptr::eq(&**d, &*self.c) && Rc::as_ptr(d) != Rc::as_ptr(&self.c))
    }
}

#[test]
fn plain_data_behind_pointers_has_an_identity() {
    // Two objects with two values each; one or two with two values each.
    assert_eq!(agreed::<Apart>(&Bounds::scope(2)), 4 * (2 + 4));
}
