//! Numbers of slots, pools and objects, which the compiler tells apart. Files and the public interface have plain
//! numbers.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        #[repr(transparent)]
        pub struct $name(u32);

        impl $name {
            /// The id with a number.
            #[inline(always)]
            pub(crate) const fn new(number: u32) -> Self {
                $name(number)
            }

            /// The plain number.
            #[inline(always)]
            pub(crate) const fn number(self) -> u32 {
                self.0
            }

            /// The place in a list by number.
            #[inline(always)]
            pub(crate) const fn index(self) -> usize {
                self.0 as usize
            }
        }
    )* };
}

ids! {
    /// The number of a slot.
    SlotId;
    /// The number of a pool.
    PoolId;
    /// The number of an object within its pool.
    ObjectId;
}

/// An index into the table of a slot's values, as the search counts them. A plain number, because it is counted up,
/// compared with bounds and turned into object numbers all the time.
pub(crate) type Choice = u32;
