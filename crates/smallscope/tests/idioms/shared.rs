//! `Rc`, `Arc`, `Weak`, `RefCell`, `Cell`, raw pointers.

use crate::*;

#[test]
fn rc_fields_refcell_cell() {
    use std::cell::{Cell, Ref, RefCell};
    use std::rc::Weak;
    #[derive(Bounded)]
    struct N {
        v: Cell<u8>,
        next: RefCell<Option<Rc<N>>>,
        up: RefCell<Weak<N>>,
    }
    #[derive(Bounded)]
    struct L {
        head: Option<Rc<N>>,
    }
    #[rep_ok]
    impl L {
        fn rep_ok(&self) -> bool {
            let mut n = 0;
            let mut c = self.head.clone();
            while let Some(x) = c {
                n += 1;
                if n > 2 || x.v.get() > 0 || x.up.borrow().upgrade().is_some() {
                    return false;
                }
                c = x.next.borrow().clone();
            }
            true
        }
    }
    assert_eq!(valid::<L>(&Bounds::exact().objects("N", 2).ints("N.v", 0..=1)), 3);
}

#[test]
fn rc_let_ref_of_temp_field() {
    use std::cell::RefCell;
    #[derive(Bounded)]
    struct N {
        v: u8,
        next: Option<Rc<RefCell<N>>>,
    }
    #[derive(Bounded)]
    struct L {
        head: Option<Rc<RefCell<N>>>,
    }
    #[rep_ok]
    impl L {
        fn rep_ok(&self) -> bool {
            let Some(h) = &self.head else { return true };
            let v = &h.borrow().v;
            *v == 0 && h.borrow().next.is_none()
        }
    }
    assert_eq!(valid::<L>(&Bounds::exact().objects("N", 2).ints("N.v", 0..=1)), 2);
}

#[test]
fn rc_ref_guard_sig_and_map() {
    use std::cell::{Ref, RefCell};
    #[derive(Bounded)]
    struct N {
        v: u8,
        next: Option<Rc<RefCell<N>>>,
    }
    #[derive(Bounded)]
    struct L {
        head: Option<Rc<RefCell<N>>>,
    }
    #[rep_ok]
    impl L {
        fn rep_ok(&self) -> bool {
            let Some(h) = &self.head else { return true };
            let g: Ref<'_, N> = h.borrow();
            Self::ok(g)
        }
        fn ok(n: Ref<'_, N>) -> bool {
            n.v == 0 && n.next.is_none()
        }
    }
    assert_eq!(valid::<L>(&Bounds::exact().objects("N", 2).ints("N.v", 0..=1)), 2);
}

#[test]
fn ref_map() {
    use std::cell::{Ref, RefCell};
    #[derive(Bounded)]
    struct N {
        v: u8,
        next: Option<Rc<RefCell<N>>>,
    }
    #[derive(Bounded)]
    struct L {
        head: Option<Rc<RefCell<N>>>,
    }
    #[rep_ok]
    impl L {
        fn rep_ok(&self) -> bool {
            let Some(h) = &self.head else { return true };
            let v = Ref::map(h.borrow(), |n| &n.v);
            *v == 0 && h.borrow().next.is_none()
        }
    }
    assert_eq!(valid::<L>(&Bounds::exact().objects("N", 2).ints("N.v", 0..=1)), 2);
}

#[test]
fn raw_ptr_as_ref_is_null() {
    #[derive(Bounded)]
    #[bounded(unsafe(raw_pointers))]
    struct N {
        v: u8,
        next: *mut N,
    }
    #[derive(Bounded)]
    #[bounded(unsafe(raw_pointers))]
    struct L {
        head: *const N,
    }
    #[rep_ok]
    impl L {
        fn rep_ok(&self) -> bool {
            let mut n = 0;
            let mut c = self.head;
            while let Some(x) = unsafe { c.as_ref() } {
                n += 1;
                if n > 2 || x.v != 0 {
                    return false;
                }
                c = x.next.cast_const();
            }
            true
        }
    }
    assert_eq!(valid::<L>(&Bounds::exact().objects("N", 2).ints("N.v", 0..=1)), 3);
}

#[test]
fn box_owner_raw_back_pointer() {
    #[derive(Bounded)]
    #[bounded(unsafe(raw_pointers))]
    struct N {
        next: Option<Box<N>>,
        prev: *const N,
    }
    #[derive(Bounded)]
    #[bounded(unsafe(raw_pointers))]
    struct L {
        head: Option<Box<N>>,
        tail: *const N,
    }
    #[rep_ok]
    impl L {
        fn rep_ok(&self) -> bool {
            let mut prev: *const N = std::ptr::null();
            let mut c = &self.head;
            while let Some(n) = c {
                if n.prev != prev {
                    return false;
                }
                prev = &**n;
                c = &n.next;
            }
            self.tail == prev
        }
    }
    assert_eq!(valid::<L>(&Bounds::exact().objects("N", 3)), 4);
}

#[test]
fn cyclic_lists_when_anything_goes() {
    use std::cell::{Cell, Ref, RefCell};
    use std::rc::Weak;
    #[derive(Bounded)]
    struct N {
        v: Cell<u8>,
        next: RefCell<Option<Rc<N>>>,
        up: RefCell<Weak<N>>,
    }
    #[derive(Bounded)]
    struct L {
        head: Option<Rc<N>>,
    }
    #[rep_ok]
    impl L {
        fn rep_ok(&self) -> bool {
            true
        }
    }
    // Nothing; one node; two nodes, of which the second is the first one's next.
    let (one, two) = (2 * 2 * 2, (2 * 3) * (2 * 3 * 3));
    assert_eq!(valid::<L>(&Bounds::exact().objects("N", 2).ints("N.v", 0..=1)), 1 + one + two);
}

#[test]
fn threads_pointers() {
    use std::sync::{Arc, Weak};
    #[derive(Bounded)]
    struct Node {
        parent: Weak<Node>,
        child: Option<Arc<Node>>,
    }
    #[rep_ok]
    impl Node {
        fn rep_ok(&self) -> bool {
            self.parent.upgrade().is_none() && self.child.as_ref().is_none_or(|c: &Arc<Node>| Self::leaf(c))
        }
        fn leaf(n: &Arc<Node>) -> bool {
            let parent: Weak<Node> = n.parent.clone();
            n.child.is_none() && parent.upgrade().is_some_and(|p| Arc::ptr_eq(&p, n))
        }
    }
    // Alone, or with a child that is its own parent.
    assert_eq!(valid::<Node>(&Bounds::exact().objects("Node", 2)), 2);
}

#[test]
fn pointers_by_their_full_names() {
    #[derive(Bounded)]
    struct L {
        head: Option<Rc<RefCell<N>>>,
    }
    #[derive(Bounded)]
    struct N {
        next: Option<Rc<RefCell<N>>>,
    }
    use std::{cell, rc};
    #[rep_ok]
    impl L {
        fn rep_ok(&self) -> bool {
            let mut seen: Vec<*const cell::RefCell<N>> = vec![];
            let mut cursor: Option<std::rc::Rc<std::cell::RefCell<N>>> = self.head.clone();
            while let Some(n) = cursor {
                if seen.contains(&rc::Rc::as_ptr(&n)) {
                    return false;
                }
                seen.push(std::rc::Rc::as_ptr(&n));
                cursor = n.borrow().next.as_ref().map(rc::Rc::clone);
            }
            true
        }
    }
    assert_eq!(valid::<L>(&Bounds::exact().objects("N", 3)), 4);
}

#[test]
fn doubly_linked_with_non_null() {
    #[derive(Bounded)]
    #[bounded(unsafe(raw_pointers))]
    struct List {
        head: Option<NonNull<Node>>,
        tail: Option<NonNull<Node>>,
    }
    #[derive(Bounded)]
    #[bounded(unsafe(raw_pointers))]
    struct Node {
        next: Option<NonNull<Node>>,
        prev: Option<NonNull<Node>>,
    }
    #[rep_ok]
    impl List {
        fn rep_ok(&self) -> bool {
            let mut prev: Option<NonNull<Node>> = None;
            let mut cursor = self.head;
            while let Some(p) = cursor {
                // SAFETY: every pointer of a structure leads to a node.
                let node = unsafe { p.as_ref() };
                if node.prev != prev {
                    return false;
                }
                prev = cursor;
                cursor = node.next;
            }
            self.tail == prev
        }
    }
    assert_eq!(valid::<List>(&Bounds::exact().objects("Node", 3)), 4);
}

#[test]
fn pointers_imported_in_the_body() {
    mod list {
        #[derive(smallscope::Bounded)]
        pub struct N {
            next: Option<std::rc::Rc<N>>,
        }
        #[smallscope::rep_ok]
        impl N {
            fn rep_ok(&self) -> bool {
                use std::collections::HashSet;
                use std::rc::{Rc, Weak};
                let mut seen = HashSet::new();
                let mut cursor: Option<Rc<N>> = self.next.clone();
                while let Some(n) = cursor {
                    let weak: Weak<N> = Rc::downgrade(&n);
                    if !seen.insert(Rc::as_ptr(&n)) || weak.upgrade().is_none() {
                        return false;
                    }
                    cursor = n.next.clone();
                }
                true
            }
        }
    }
    assert_eq!(valid::<list::N>(&Bounds::exact().objects("N", 3)), 4);
}
