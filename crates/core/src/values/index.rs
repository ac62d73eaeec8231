//! Indices into an arena (`#[bounded(index = "slots")]`).

use crate::absorb::Absorb;
use crate::build::Build;
use crate::cell::Tracked;
use crate::link::{At, Builder};
use crate::shape::Part;
use crate::walk::Walk;

/// A type that holds an index, or none.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an index",
    note = "`#[bounded(index = ..)]` goes on a field of an unsigned integer type or an `Option` of one"
)]
pub trait IndexValue: Clone + PartialEq + 'static {
    /// The value that is no index, if there is one.
    fn none() -> Option<Self>;
    /// An index, if it fits.
    fn at(i: u32) -> Option<Self>;
    /// The index in words, for drawings.
    fn show(&self) -> String;
}

macro_rules! index_values {
    ($($t:ty)*) => { $(
        impl IndexValue for $t {
            fn none() -> Option<Self> {
                None
            }
            fn at(i: u32) -> Option<Self> {
                <$t>::try_from(i).ok()
            }
            fn show(&self) -> String {
                format!("[{self}]")
            }
        }
    )* };
}
index_values!(u8 u16 u32 u64 usize);

impl<T: IndexValue> IndexValue for Option<T> {
    fn none() -> Option<Self> {
        Some(None)
    }
    fn at(i: u32) -> Option<Self> {
        T::at(i).map(Some)
    }
    fn show(&self) -> String {
        self.as_ref().map_or_else(|| "none".into(), T::show)
    }
}

/// The cell of an index.
pub struct Index<T>(Tracked<T>);

impl<T> Index<T> {
    /// Records the read and gives the current value.
    #[inline(always)]
    pub fn __read(&self) -> &T {
        self.0.__read()
    }

    /// The same, for variables that a pattern has bound to a cell.
    #[inline(always)]
    pub fn __bind(&self) -> &T {
        self.0.__read()
    }
}

// SAFETY: no pointers.
unsafe impl<T: IndexValue> Part for Index<T> {
    type Real = T;
    fn blank() -> Self {
        Index(Tracked::blank())
    }
    fn link(&'static self, b: &mut Builder, at: At) {
        b.attach_index(&self.0, at);
    }
    fn walk(&'static self, w: &mut Walk) {
        w.slot(&self.0.head);
        w.show(&self.0.head, || self.__read().show());
    }
    fn build(&'static self, _: &mut Build) -> T {
        self.__read().clone()
    }
    fn absorb(&'static self, real: &T, a: &mut Absorb) {
        let choice = T::none()
            .into_iter()
            .chain((0..u32::MAX).map_while(T::at))
            .take(1 << 13)
            .position(|v| v == *real);
        a.open(&self.0.head, choice.map(|c| c as u32));
    }
}
