//! Without the feature `filled`, no sequence is long.

use super::{At, Builder};
use crate::bounds::{Bounds, long};
use crate::ids::PoolId;
use crate::mirror::root::Root;
use std::ops::Range;

/// Nothing is being filled.
#[derive(Default)]
pub(crate) struct Filling;

impl Filling {
    #[inline]
    pub fn new(_: &Bounds) -> Filling {
        Filling
    }

    #[inline]
    pub fn grow_pool(&mut self, _: &mut u32, _: &mut Vec<u64>) {}

    #[inline]
    pub fn enter_object(&mut self, _: PoolId, _: usize) {}

    #[inline]
    pub fn leave(&mut self) {}
}

#[inline]
pub(super) fn with_counters(_: &'static dyn Root, bounds: &Bounds) -> Bounds {
    bounds.clone()
}

/// Notes the long lengths of a field, so that a test can say that it needs the feature.
pub(super) fn note(b: &mut Builder, at: At) {
    let lengths = long::of(&b.bounds, b.components.site(at));
    if !lengths.is_empty() && b.layout.long.is_empty() {
        b.layout.long.push((b.components.site(at).to_string(), lengths));
    }
}

#[inline]
pub(crate) fn enter(_: &mut Builder, _: At, _: usize) {}

#[inline]
pub(crate) fn leave(_: &mut Builder) {}

#[inline]
pub(crate) fn expect(_: &mut Builder, _: At, _: &[u32]) {}

#[inline]
pub(crate) fn check_pool(_: &mut Builder, _: At, _: PoolId, _: usize) {}

#[inline]
pub(super) fn kept(b: &mut Builder, _: bool, shared: usize, _: At) -> (Range<usize>, usize) {
    (0..b.shared[shared].len, shared)
}

#[inline]
pub(crate) fn word(_: &Builder, _: &[char], _: u32) -> String {
    String::new()
}
