//! Numbers of any integer type, where bounds take one.

use super::Bounds;
use std::fmt;

/// An integer type. A number in bounds may have any of them; it is not negative, and fits into a `u32`.
pub trait Number: Copy + fmt::Display + TryInto<u32> {
    /// The number.
    ///
    /// # Panics
    ///
    /// If it is none that bounds can have. `what` is the bound, for the message.
    #[doc(hidden)]
    #[track_caller]
    #[inline]
    fn natural(self, what: &str) -> u32 {
        self.try_into()
            .unwrap_or_else(|_| panic!("{what} is a number from 0 to {}, and not {self}", u32::MAX))
    }
}

macro_rules! numbers {
    ($($t:ident)*) => { $(
        impl Number for $t {}

        impl From<$t> for Bounds {
            /// A scope number.
            #[track_caller]
            #[inline]
            fn from(n: $t) -> Bounds {
                Bounds::scope(n)
            }
        }
    )* };
}
numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_any_integer_type() {
        let (count, signed) = (3usize, 4i64);
        let bounds = Bounds::scope(count).objects("Node", signed).pool("cache", 2u8);
        assert_eq!(bounds.to_string(), "scope 3\nobjects Node = 4\npool cache = 2");
        assert_eq!(Bounds::from(5u64).to_string(), Bounds::from(5).to_string());
        assert_eq!(Bounds::size(6i8).size_number(), Some(6));
    }

    #[test]
    #[should_panic(expected = "a scope is a number from 0 to 4294967295, and not -1")]
    fn a_negative_number_is_no_scope() {
        let _ = Bounds::scope(-1);
    }
}
