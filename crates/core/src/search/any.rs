//! A search whose type of values is not known: what tools work with.

use super::{Drawing, Found, Position, ReadDescription, Rejection, Search, SearchCore, SlotDescription};
use crate::candidate::Candidate;
use crate::disjoint::Slicing;
use crate::eq_class::ClassTable;
use crate::error::{Error, Failure};
use crate::outcome::{Outcome, Stop};
use crate::probe::Taken;
use crate::shape::Bounded;
use std::ops::ControlFlow;

macro_rules! any_search {
    ($($(#[$doc:meta])* fn $name:ident(&$($m:ident)?: $($arg:ident: $ty:ty),*) $(-> $out:ty)?;)*) => {
        /// What a [`Search`] can do without knowing the type of its values; see [`SearchCore`].
        pub trait AnySearch {
            /// The type of the values.
            fn type_name(&self) -> &'static str;
            /// Builds the value of the current candidate, checks it with the real invariant, and drops it.
            fn check_value(&mut self) -> Result<(), Failure>;
            $(#[doc = concat!("See [`SearchCore::", stringify!($name), "`].")]
            fn $name(&$($m)? self $(, $arg: $ty)*) $(-> $out)?;)*
        }

        impl<T: Bounded> AnySearch for Search<T> {
            fn type_name(&self) -> &'static str {
                std::any::type_name::<T>()
            }
            fn check_value(&mut self) -> Result<(), Failure> {
                self.value().map(drop)
            }
            $(fn $name(&$($m)? self $(, $arg: $ty)*) $(-> $out)? {
                SearchCore::$name(self $(, $arg)*)
            })*
        }
    };
}

any_search! {
    fn find_next(&mut: tick: &mut dyn FnMut(&Outcome) -> ControlFlow<Stop>) -> Result<Found, Failure>;
    fn outcome(&:) -> Outcome;
    fn space_bits(&:) -> f64;
    fn slicing(&mut:) -> Result<Option<Slicing>, Failure>;
    fn combinations(&mut:) -> Result<Option<u128>, Failure>;
    fn go_to_combination(&mut: number: u128) -> Result<(), Error>;
    fn slots(&:) -> Vec<(String, u64)>;
    fn describe_slots(&:) -> Vec<SlotDescription>;
    fn describe_reads(&mut:) -> Vec<ReadDescription>;
    fn take_rejections(&mut:) -> Vec<Rejection>;
    fn start_at(&mut: position: &Position) -> Result<(), Error>;
    fn start_after(&mut: path: &[u32]) -> Result<(), Error>;
    fn until(&mut: position: &Position);
    fn one_per_path(&mut:);
    fn position(&mut:) -> Option<Position>;
    fn fraction(&mut:) -> f64;
    fn split(&mut:) -> Option<Position>;
    fn path(&:) -> Vec<u32>;
    fn changes(&mut: new: &mut Vec<u32>) -> usize;
    fn reads(&:) -> u64;
    fn restore(&mut: kept: usize, new: &[u32]) -> Result<(), Error>;
    fn candidate(&:) -> Candidate;
    fn go_to(&mut: candidate: &Candidate) -> Result<(), Error>;
    fn accepts(&mut:) -> Result<bool, Failure>;
    fn drawing(&:) -> Drawing;
    fn decisions(&mut: taken: &mut Vec<Taken>) -> Result<(), Failure>;
    fn run_number(&:) -> u64;
    fn skip_rest(&mut:) -> u64;
    fn classes(&mut:) -> &ClassTable;
    fn take_classes(&mut:) -> ClassTable;
    fn class(&mut:) -> Result<Option<String>, Failure>;
}
