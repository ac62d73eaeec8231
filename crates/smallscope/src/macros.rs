//! Macros for users.

/// Registers a structure under a name, so that `run`, `count`, `explain` and the other commands of `cargo smallscope` work
/// on it. As a test it builds every value within the bounds, and checks each one with its own invariant.
///
/// ```
/// # use smallscope::{Bounded, rep_ok};
/// # #[derive(Bounded)]
/// # struct Range { low: u8, high: u8 }
/// # #[rep_ok]
/// # impl Range { fn rep_ok(&self) -> bool { self.low <= self.high } }
/// smallscope::structure!(ranges: Range, scope = 3);
/// ```
#[macro_export]
macro_rules! structure {
    ($name:ident: $type:ty, $($arguments:tt)+) => {
        #[$crate::test($($arguments)+, crate = $crate)]
        #[allow(unused_variables)]
        fn $name(value: $type) {}
    };
}

/// The class of the values for which the same predicates hold, for [`#[eq_class]`](macro@crate::eq_class). Reports name
/// the class by those that hold: `{empty, sorted}`.
///
/// ```
/// let v = [1, 1, 2];
/// let class = smallscope::classes![empty => v.is_empty(), sorted => v.is_sorted(), pairs => v[0] == v[1]];
/// assert_eq!(format!("{class:?}"), "{sorted, pairs}");
/// assert_eq!(class.holds("empty"), Some(false));
/// ```
#[macro_export]
macro_rules! classes {
    ($($name:ident => $holds:expr),+ $(,)?) => {
        $crate::__private::class_set(&[$(stringify!($name)),+], &[$($holds),+])
    };
    ($($other:tt)*) => {
        ::core::compile_error!("each predicate has a name: `classes![empty => .., sorted => ..]`")
    };
}
