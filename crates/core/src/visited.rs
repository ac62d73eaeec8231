//! The visited set that invariants need when links may lead back.

use crate::mirror;
use crate::shape::Pointee;
use std::cell::RefCell;
use std::collections::HashSet;
use std::mem::MaybeUninit;
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
    /// The first `len` places are filled; none once the set has grown.
    inline: [MaybeUninit<P>; INLINE],
    /// How many there are, or [`GROWN`].
    len: usize,
    /// Bit `hash(object)` is set for every object: most new objects are known to be new from this alone.
    filter: u64,
    /// Everything, once there are too many for the array.
    grown: Option<Box<Grown<P>>>,
}

/// As many objects as fit without allocating.
const INLINE: usize = 16;
/// Everything is in `grown`.
const GROWN: usize = usize::MAX;

struct Grown<P> {
    items: Vec<P>,
    known: HashSet<usize>,
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
        Visited { inline: [const { MaybeUninit::uninit() }; INLINE], len: 0, filter: 0, grown: None }
    }

    /// The objects in order of insertion.
    #[inline(always)]
    pub fn as_slice(&self) -> &[P] {
        if self.len == GROWN {
            return self.grown.as_ref().map_or(&[], |grown| &grown.items);
        }
        // SAFETY: the first `len` places of the array are filled, and `MaybeUninit<P>` has the layout of `P`.
        unsafe { std::slice::from_raw_parts(self.inline.as_ptr().cast(), self.len) }
    }

    /// Number of objects.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.as_slice().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The objects in order of insertion.
    #[inline(always)]
    pub fn iter(&self) -> std::slice::Iter<'_, P> {
        self.as_slice().iter()
    }

    /// The `i`-th object that was inserted.
    #[inline(always)]
    pub fn get(&self, i: usize) -> Option<P>
    where
        P: Clone,
    {
        self.as_slice().get(i).cloned()
    }
}

impl<P: Identity> Visited<P> {
    /// Adds an object; false if it was there already.
    #[inline(always)]
    pub fn insert(&mut self, p: P) -> bool {
        let address = p.identity();
        let bit = 1 << hash(address);
        if self.filter & bit != 0 && self.is_known(address) {
            return false;
        }
        self.filter |= bit;
        if self.len < INLINE {
            self.inline[self.len].write(p);
            self.len += 1;
        } else {
            self.push_grown(p);
        }
        true
    }

    /// Whether an object is there.
    pub fn contains(&self, p: &P) -> bool {
        self.is_known(p.identity())
    }

    #[inline(always)]
    fn is_known(&self, address: *const ()) -> bool {
        if self.len == GROWN {
            return self.is_known_grown(address);
        }
        self.as_slice().iter().any(|q| q.identity() == address)
    }

    #[cold]
    #[inline(never)]
    fn is_known_grown(&self, address: *const ()) -> bool {
        self.grown.as_ref().is_some_and(|grown| grown.known.contains(&(address as usize)))
    }

    #[cold]
    #[inline(never)]
    fn push_grown(&mut self, p: P) {
        let grown = self.grown.get_or_insert_with(|| {
            // From here on the array counts as empty, so each object is moved out once.
            let inline = &self.inline[..std::mem::replace(&mut self.len, GROWN)];
            // SAFETY: these places are filled; see above.
            let items: Vec<P> = inline.iter().map(|p| unsafe { p.assume_init_read() }).collect();
            let known = items.iter().map(|q| q.identity() as usize).collect();
            Box::new(Grown { items, known })
        });
        grown.known.insert(p.identity() as usize);
        grown.items.push(p);
    }
}

impl<P> Drop for Visited<P> {
    #[inline(always)]
    fn drop(&mut self) {
        if std::mem::needs_drop::<P>() && self.len != GROWN {
            for p in &mut self.inline[..std::mem::take(&mut self.len)] {
                // SAFETY: the first `len` places are filled, and the array counts as empty from now on.
                unsafe { p.assume_init_drop() };
            }
        }
    }
}

impl<'a, P> IntoIterator for &'a Visited<P> {
    type Item = &'a P;
    type IntoIter = std::slice::Iter<'a, P>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Six bits of an address. Multiplied by the golden ratio, addresses at equal distances spread evenly, wherever the
/// first of them is; so the cost of a visited set does not depend on where a pool was allocated.
#[inline(always)]
fn hash(address: *const ()) -> u32 {
    ((address as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - u64::BITS.ilog2())) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drops_what_it_holds_once() {
        for n in [0, 1, 16, 17, 40] {
            let objects: Vec<Rc<()>> = (0..n).map(|_| Rc::new(())).collect();
            let mut seen = Visited::new();
            for o in objects.iter().chain(&objects) {
                seen.insert(Rc::clone(o));
            }
            assert_eq!(seen.len(), n);
            assert!(objects.iter().all(|o| Rc::strong_count(o) == 2 && seen.contains(o)));
            drop(seen);
            assert!(objects.iter().all(|o| Rc::strong_count(o) == 1));
        }
    }

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
