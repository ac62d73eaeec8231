//! Small types of std: numbers that are not zero, wrappers of integers, `Ordering`, `Duration`.

use crate::bounds::{Choices, Role};
use crate::key::Key;
use crate::link::{At, Builder};
use crate::shape::{Leaf, Leaves};
use std::cmp::{Ordering, Reverse};
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU8, NonZeroU16,
    NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize, Saturating, Wrapping,
};
use std::time::Duration;

/// The integers of a field that are not zero. A range of integers with a sign goes across zero.
fn non_zero<T>(ints: Choices<i128>, number: fn(i128) -> Option<T>) -> Leaves<T> {
    let (mut values, mut masks) = (vec![], vec![]);
    for (int, mask) in ints.values.into_iter().zip(ints.masks) {
        if let Some(value) = number(int) {
            values.push(value);
            masks.push(mask);
        }
    }
    Leaves { values, masks }
}

macro_rules! non_zero {
    ($($t:ident: $int:ident, $least:expr),* $(,)?) => { $(
        impl Leaf for $t {
            #[inline]
            fn leaves(b: &mut Builder, at: At) -> Leaves<$t> {
                let least: Option<i128> = $least;
                let max = i128::try_from($int::MAX).unwrap_or(i128::MAX);
                non_zero(b.ints(at, Role::NonZero, least.unwrap_or(1), max), |v| $t::new(v as $int))
            }
            #[inline]
            fn show(&self) -> String {
                format!("{self:?}")
            }
            #[inline]
            fn number(&self) -> Option<i64> {
                i64::try_from(self.get()).ok()
            }
        }
        __leaf!({} $t, stringify!($t));
    )* };
}
non_zero!(
    NonZeroU8: u8, None, NonZeroU16: u16, None, NonZeroU32: u32, None, NonZeroU64: u64, None, NonZeroU128: u128, None,
    NonZeroUsize: usize, None, NonZeroI8: i8, Some(i8::MIN.into()), NonZeroI16: i16, Some(i16::MIN.into()),
    NonZeroI32: i32, Some(i32::MIN.into()), NonZeroI64: i64, Some(i64::MIN.into()), NonZeroI128: i128, Some(i128::MIN),
    NonZeroIsize: isize, Some(isize::MIN as i128),
);

macro_rules! wrappers {
    ($($wrapper:ident: $number:expr;)*) => { $(
        impl<T: Leaf> Leaf for $wrapper<T> {
            const IS_KEYED: bool = T::IS_KEYED;
            const IS_HASHED: bool = T::IS_HASHED;
            fn leaves(b: &mut Builder, at: At) -> Leaves<Self> {
                let Leaves { values, masks } = T::leaves(b, at);
                Leaves { values: values.into_iter().map($wrapper).collect(), masks }
            }
            fn show(&self) -> String {
                self.0.show()
            }
            fn number(&self) -> Option<i64> {
                let number: fn(&T) -> Option<i64> = $number;
                number(&self.0)
            }
            fn length(&self) -> u32 {
                self.0.length()
            }
            fn rekeyed(&self, keys: &mut dyn FnMut(Key) -> Key) -> Self {
                $wrapper(self.0.rekeyed(keys))
            }
        }
        __leaf!({T: Leaf} $wrapper<T>, stringify!($wrapper));
    )* };
}
wrappers! {
    Wrapping: T::number;
    Saturating: T::number;
    // Numbers in reverse are not in the order of their table.
    Reverse: |_| None;
}

impl Leaf for Ordering {
    #[inline]
    fn leaves(_: &mut Builder, _: At) -> Leaves<Ordering> {
        Leaves::fixed(vec![Ordering::Less, Ordering::Equal, Ordering::Greater])
    }
    #[inline]
    fn show(&self) -> String {
        format!("{self:?}")
    }
    #[inline]
    fn number(&self) -> Option<i64> {
        Some(*self as i64)
    }
}
__leaf!({} Ordering, "Ordering");

/// Whole seconds.
impl Leaf for Duration {
    #[inline]
    fn leaves(b: &mut Builder, at: At) -> Leaves<Duration> {
        let seconds = b.ints(at, Role::Data, 0, i128::from(u64::MAX));
        let values = seconds.values.into_iter().map(|s| Duration::from_secs(s as u64)).collect();
        Leaves { values, masks: seconds.masks }
    }
    #[inline]
    fn show(&self) -> String {
        format!("{self:?}")
    }
    #[inline]
    fn number(&self) -> Option<i64> {
        i64::try_from(self.as_secs()).ok().filter(|_| self.subsec_nanos() == 0)
    }
}
__leaf!({} Duration, "Duration");
