//! The visited set that invariants need when links may lead back.

use crate::mirror;
use crate::shape::Pointee;
use std::cell::RefCell;
use std::ptr::NonNull;
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// A set of objects by identity that remembers the order of insertion.
///
/// It works on references, smart pointers and raw pointers alike, in the invariant on real values and in the
/// search, and does not allocate for up to 16 objects. It doubles as the queue of a breadth-first walk:
///
/// ```
/// use smallscope_core::{Identity, Visited};
/// struct Node { next: Option<Box<Node>> }
/// # impl Identity for Node { fn identity(&self) -> *const () { std::ptr::from_ref(self).cast() } }
/// fn length(first: &Node) -> usize {
///     let mut seen = Visited::new();
///     seen.insert(first);
///     let mut i = 0;
///     while let Some(node) = seen.get(i) {
///         if let Some(next) = &node.next {
///             if !seen.insert(&**next) { return 0 }
///         }
///         i += 1;
///     }
///     seen.len()
/// }
/// assert_eq!(length(&Node { next: Some(Box::new(Node { next: None })) }), 2);
/// ```
pub struct Visited<P> {
    len: usize,
    /// Bit `hash(object)` is set for every object: most new objects are known to be new from this alone.
    filter: u64,
    items: [Option<P>; INLINE],
    /// Everything, once there are too many for the array.
    grown: Option<Box<Grown<P>>>,
}

/// As many objects as fit without allocating.
const INLINE: usize = 16;

struct Grown<P> {
    items: Vec<P>,
    known: std::collections::HashSet<usize>,
}

/// Something that is, or points to, an object with an identity.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no identity to remember",
    note = "`Visited` takes references to structures (`&Node`), `Rc`, `Arc`, `Box` or raw pointers; unwrap an `Option` first"
)]
pub trait Identity {
    /// The address of the object.
    fn identity(&self) -> *const ();
}

impl<T: Identity + ?Sized> Identity for &T {
    #[inline(always)]
    fn identity(&self) -> *const () {
        (**self).identity()
    }
}

macro_rules! identities {
    ($([$($g:tt)*] $t:ty => |$this:ident| $address:expr;)*) => { $(
        impl<$($g)*> Identity for $t {
            #[inline(always)]
            fn identity(&self) -> *const () {
                let $this = self;
                $address
            }
        }
    )* };
}
identities! {
    [T] *const T => |p| p.cast();
    [T] *mut T => |p| p.cast_const().cast();
    [T] NonNull<T> => |p| p.as_ptr().cast_const().cast();
    [T] Box<T> => |p| std::ptr::from_ref(&**p).cast();
    [T] Rc<T> => |p| Rc::as_ptr(p).cast();
    [T] Weak<T> => |p| p.as_ptr().cast();
    [T] Arc<T> => |p| Arc::as_ptr(p).cast();
    [T] RefCell<T> => |p| std::ptr::from_ref(p).cast();
    [T: Pointee] mirror::Box<T> => |p| p.0.as_ptr().cast_const().cast();
    [T: Pointee] mirror::Rc<T> => |p| p.0.as_ptr().cast_const().cast();
    [T: Pointee] mirror::Arc<T> => |p| p.0.as_ptr().cast_const().cast();
    [T: Pointee] mirror::Weak<T> => |p| p.0.map_or(std::ptr::null(), |p| p.as_ptr().cast_const().cast());
    [T] mirror::RefCell<T> => |p| std::ptr::from_ref(p).cast();
}

impl<P> Default for Visited<P> {
    fn default() -> Self {
        Visited::new()
    }
}

impl<P> Visited<P> {
    /// The empty set.
    #[inline(always)]
    pub fn new() -> Self {
        Visited { len: 0, filter: 0, items: [const { None }; INLINE], grown: None }
    }

    /// Number of objects.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<P: Identity> Visited<P> {
    /// Adds an object; false if it was there already.
    #[inline(always)]
    pub fn insert(&mut self, p: P) -> bool {
        let address = p.identity();
        let bit = 1 << hash(address);
        if self.len >= INLINE {
            return self.insert_grown(p);
        }
        if self.filter & bit != 0 && self.items[..self.len].iter().flatten().any(|q| q.identity() == address)
        {
            return false;
        }
        self.filter |= bit;
        self.items[self.len] = Some(p);
        self.len += 1;
        true
    }

    /// Whether an object is there.
    pub fn contains(&self, p: &P) -> bool {
        self.iter().any(|q| q.identity() == p.identity())
    }

    #[cold]
    #[inline(never)]
    fn insert_grown(&mut self, p: P) -> bool {
        let items = &mut self.items;
        let grown = self.grown.get_or_insert_with(|| {
            let items: Vec<P> = items.iter_mut().filter_map(Option::take).collect();
            let known = items.iter().map(|q| q.identity() as usize).collect();
            Box::new(Grown { items, known })
        });
        let new = grown.known.insert(p.identity() as usize);
        if new {
            grown.items.push(p);
            self.len += 1;
        }
        new
    }
}

impl<P: Clone> Visited<P> {
    /// The `i`-th object that was inserted.
    #[inline(always)]
    pub fn get(&self, i: usize) -> Option<P> {
        match &self.grown {
            None => self.items.get(i)?.clone(),
            Some(grown) => grown.items.get(i).cloned(),
        }
    }
}

impl<P> Visited<P> {
    /// The objects in order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = &P> {
        let grown = self.grown.iter().flat_map(|g| &g.items);
        self.items.iter().flatten().chain(grown)
    }
}

/// Six bits of an address. Objects are aligned, so the lowest bits say nothing; a multiplication spreads the
/// rest.
#[inline(always)]
fn hash(address: *const ()) -> u32 {
    let spread = (address as u64 >> 3).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (spread >> (u64::BITS - 6)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_order_and_identity_also_when_it_grows() {
        let objects: Vec<Box<u64>> = (0..100).map(|_| Box::new(7)).collect();
        let mut seen: Visited<*const u64> = Visited::new();
        for o in &objects {
            assert!(seen.insert(&raw const **o));
            assert!(!seen.insert(&raw const **o));
        }
        assert!(objects.iter().all(|o| !seen.insert(&raw const **o)));
        assert_eq!(seen.len(), 100);
        assert!((0..100).all(|i| seen.get(i) == Some(&raw const *objects[i])));
        assert!(seen.get(100).is_none());
        assert_eq!(seen.iter().count(), 100);
    }
}
