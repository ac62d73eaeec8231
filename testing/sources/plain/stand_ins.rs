//! What programs use of smallscope, written again, for the programs of the brute force.

/// An ordered value with no other meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(pub u32);

impl crate::show::Show for Key {
    fn show(&self, text: &mut crate::show::Text) {
        text.put(&format!("k{}", self.0));
    }
}

/// An address that says whether two pointers lead to the same object.
pub trait Address {
    fn address(&self) -> *const ();
}

impl<T> Address for &T {
    fn address(&self) -> *const () {
        std::ptr::from_ref::<T>(self).cast()
    }
}

impl<T> Address for *mut T {
    fn address(&self) -> *const () {
        self.cast_const().cast()
    }
}

impl<T> Address for *const T {
    fn address(&self) -> *const () {
        self.cast()
    }
}

impl<T> Address for std::rc::Rc<T> {
    fn address(&self) -> *const () {
        std::rc::Rc::as_ptr(self).cast()
    }
}

/// A visited set by identity.
pub struct Visited<P>(Vec<P>);

impl<P: Address> Visited<P> {
    pub fn new() -> Self {
        Visited(vec![])
    }

    pub fn insert(&mut self, pointer: P) -> bool {
        let is_new = self.0.iter().all(|other| other.address() != pointer.address());
        if is_new {
            self.0.push(pointer);
        }
        is_new
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
