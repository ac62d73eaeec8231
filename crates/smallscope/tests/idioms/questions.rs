//! Comparisons with fields, in the forms in which people write them.

use crate::*;

#[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Size {
    Small,
    Big,
}

#[test]
fn numbers_and_literals() {
    #[derive(Bounded, Debug)]
    struct N {
        a: u8,
        b: usize,
        c: i32,
        d: char,
    }
    const TWO: u8 = 2;
    #[rep_ok]
    impl N {
        fn rep_ok(&self) -> bool {
            if 3 == self.a || self.c == -2 {
                return false;
            }
            let x = 1;
            if self.b > x + 1 {
                return false;
            }
            self.a as usize + 1 > self.b
                && self.a + 1 <= TWO
                && self.b == (self.a as usize)
                && -1 <= self.c
                && self.c - 1 != 0
                && 1 + self.a < 3
                && self.b + self.a as usize <= 4
                && self.d == 'a'
                && !(self.d >= 'b')
                && (self.a < 3) == (self.b < 3)
        }
    }
    let s = Bounds::exact().ints("N.a", 0..=3).ints("N.b", 0..=3).ints("N.c", -2..=2).alphabet("N.d", "ab");
    // `c` is -1, 0 or 2.
    assert_eq!(valid::<N>(&s), 2 * 3);
}

#[test]
fn references_and_derefs() {
    #[derive(Bounded, Debug)]
    struct R {
        a: u8,
        b: u8,
        o: Option<u8>,
        s: Size,
    }
    #[rep_ok]
    impl R {
        fn rep_ok(&self) -> bool {
            let other = &self.b;
            let R { a, b, o, s } = self;
            &self.a <= &self.b
                && *a <= *b
                && a <= b
                && a <= other
                && self.a <= *other
                && (*self).a < 3
                && self.o != Some(2)
                && *o == self.o
                && (self.o == None || self.o.is_some())
                && self.o >= Some(1)
                && self.o.as_ref() == Some(&1)
                && self.s == Size::Big
                && Size::Small < *s
                && s == &Size::Big
                && matches!(self.s, Size::Big)
        }
    }
    let s = Bounds::exact().ints("R.a", 0..=2).ints("R.b", 0..=2).ints("R.o", 0..=2);
    assert_eq!(valid::<R>(&s), 6);
}

#[test]
fn copies_out_of_patterns() {
    #[derive(Bounded, Debug)]
    struct C {
        a: u8,
        b: u8,
        next: Option<Box<C>>,
    }
    #[rep_ok]
    impl C {
        fn rep_ok(&self) -> bool {
            let C { a, b, .. } = *self;
            let C { next, .. } = self;
            a < b && b == 2 && next.is_none() && a + 1 != b
        }
    }
    let s = Bounds::exact().objects("C", 2).ints("C.a", 0..=2).ints("C.b", 0..=2);
    assert_eq!(valid::<C>(&s), 1);
}

#[test]
fn elements() {
    #[derive(Bounded, Debug)]
    struct E {
        v: Vec<u8>,
        w: Vec<Vec<u8>>,
        a: [u8; 2],
        o: Vec<Option<Box<L>>>,
    }
    #[derive(Bounded, Debug)]
    struct L {
        x: u8,
    }
    #[rep_ok]
    impl E {
        fn rep_ok(&self) -> bool {
            let i = 0;
            if self.v.len() != 2 || self.w.len() != 1 || self.w[0].len() != 1 || self.o.len() != 2 {
                return false;
            }
            if self.v[i] > self.v[i + 1] || self.v[1] == 0 {
                return false;
            }
            let Some(l) = &self.o[0] else { return false };
            self.w[0][0] == self.v[0]
                && self.a[0] < self.a[1]
                && self.a[1..] == [1]
                && self.v[self.a[0] as usize] + 1 < 3
                && self.o[1].is_none()
                && l.x == 1
        }
    }
    let s = Bounds::exact()
        .objects("L", 1)
        .len("E.v", 1..=2)
        .len("E.w", 0..=1)
        .len("E.o", 1..=2)
        .ints("E.v", 0..=2)
        .ints("E.w", 0..=2)
        .ints("E.a", 0..=1)
        .ints("L.x", 0..=1);
    assert_eq!(valid::<E>(&s), 4);
}

#[test]
fn strings_and_listed_values() {
    #[derive(Bounded, Debug)]
    struct S {
        #[bounded(values = ["", "a", "ab"])]
        name: String,
        #[bounded(values = [Some(1), None])]
        o: Option<u16>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            let owned = String::from("b");
            self.name != ""
                && self.name < owned
                && "ab" != self.name
                && self.name != *"x"
                && self.o.is_some()
                && self.name == String::from("a")
        }
    }
    assert_eq!(valid::<S>(&Bounds::exact()), 1);
}

#[test]
fn behind_ref_cells_and_shared_pointers() {
    #[derive(Bounded, Debug)]
    struct G {
        first: Rc<RefCell<P>>,
        second: Rc<RefCell<P>>,
        count: Cell<u8>,
    }
    #[derive(Bounded, Debug)]
    struct P {
        x: u8,
        next: Option<Rc<RefCell<P>>>,
    }
    #[rep_ok]
    impl G {
        fn rep_ok(&self) -> bool {
            let first = self.first.borrow();
            first.x == 1
                && self.second.borrow().x == first.x
                && self.first.borrow().next.is_none()
                && self.second.borrow().next.as_ref().is_some_and(|n| n.borrow().x <= 1)
                && self.count.get() == self.first.borrow().x
                && Rc::ptr_eq(&self.first, self.second.borrow().next.as_ref().unwrap())
        }
    }
    let s = Bounds::exact().objects("P", 2).ints("P.x", 0..=1).ints("G.count", 0..=1);
    assert_eq!(valid::<G>(&s), 1);
}

#[test]
fn raw_pointers_and_references() {
    #[derive(Bounded, Debug)]
    #[bounded(unsafe(raw_pointers))]
    struct L {
        head: Option<Box<N>>,
    }
    #[derive(Bounded, Debug)]
    #[bounded(unsafe(raw_pointers))]
    struct N {
        prev: *const N,
        twin: *mut N,
        next: Option<Box<N>>,
    }
    #[rep_ok]
    impl L {
        fn rep_ok(&self) -> bool {
            let Some(head) = &self.head else { return true };
            if !head.prev.is_null() || !head.twin.is_null() {
                return false;
            }
            let mut at: &N = head;
            while let Some(next) = &at.next {
                // A reference becomes a pointer where it is compared with one.
                if next.prev != at || !ptr::eq(next.prev, at) || !std::ptr::eq::<N>(at, next.prev) {
                    return false;
                }
                if !Self::is_twin(next, &**next) {
                    return false;
                }
                at = next;
            }
            true
        }

        fn is_twin(n: &N, p: *const N) -> bool {
            n.twin as *const N == p && p == n.twin && n.twin == p as *mut N && ptr::eq(n.twin, p)
        }
    }
    let s = Bounds::exact().objects("N", 3);
    assert_eq!(valid::<L>(&s), 4);
}

#[test]
fn generic_keys() {
    #[derive(Bounded, Debug)]
    struct K2<K> {
        a: K,
        b: K,
        v: Vec<K>,
    }
    #[rep_ok]
    impl<K: Ord> K2<K> {
        fn rep_ok(&self) -> bool {
            let (a, b) = (&self.a, &self.b);
            if a > b || self.a == self.b {
                return false;
            }
            self.v.iter().all(|k| k < b && *k >= self.a) && Self::less(a, &self.b)
        }

        fn less(x: &K, y: &K) -> bool {
            x < y && *x != *y
        }
    }
    let s = Bounds::exact().ints("K2.a", 0..=2).ints("K2.b", 0..=2).len("K2.v", 0..=1).ints("K2.v", 0..=2);
    assert_eq!(valid::<K2<u8>>(&s), 3 + 1 + 1 + 2);
    assert_eq!(valid::<K2<Key>>(&s), 3 + 1 + 1 + 2);
}

#[test]
fn locals_with_fields() {
    #[derive(Bounded, Debug)]
    struct T {
        v: Vec<u8>,
        n: u8,
    }
    struct Acc {
        count: u8,
        last: Option<u8>,
        seen: Vec<u8>,
    }
    impl Acc {
        fn next(&mut self) -> u8 {
            self.count += 1;
            self.count
        }
    }
    #[rep_ok(opaque(Acc))]
    impl T {
        fn rep_ok(&self) -> bool {
            let mut acc = Acc { count: 0, last: None, seen: vec![] };
            let pair = (self.n, 1);
            for &x in &self.v {
                if acc.last.is_some() && acc.last >= Some(x) {
                    return false;
                }
                acc.last = Some(x);
                acc.seen.push(x);
                if acc.count == acc.next() || acc.seen[0] > x || acc.count + 0 != acc.seen.len() as u8 {
                    return false;
                }
            }
            acc.count == self.n && pair.0 >= pair.1 && self.n == pair.0
        }
    }
    let s = Bounds::exact().len("T.v", 0..=2).ints("T.v", 0..=2).ints("T.n", 0..=2);
    assert_eq!(valid::<T>(&s), 3 + 3);
}

#[test]
fn derived_fields() {
    #[derive(Bounded, Debug)]
    struct D {
        items: Vec<u8>,
        #[bounded(derived = Self::measure)]
        len: usize,
        #[bounded(derived = Self::front)]
        first: Option<u8>,
    }
    #[rep_ok]
    impl D {
        fn rep_ok(&self) -> bool {
            let Some(first) = self.first else { return false };
            self.len > 1
                && self.len <= self.items.len()
                && self.first.is_some()
                && Self::fits(self.first, self.len)
        }
        #[mirror]
        fn measure(&self) -> usize {
            self.items.iter().count()
        }
        #[mirror]
        fn front(&self) -> Option<u8> {
            if self.items.len() == 1 {
                return None;
            }
            Some(self.items.iter().copied().find(|x| *x > 0)?)
        }
        fn fits(first: Option<u8>, len: usize) -> bool {
            first.is_some() && len < 3
        }
    }
    let s = Bounds::exact().len("D.items", 0..=3).ints("D.items", 0..=1);
    assert_eq!(valid::<D>(&s), 3);
}
