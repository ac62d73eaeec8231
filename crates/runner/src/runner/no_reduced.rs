//! Takes the place of `reduced.rs` without the feature `reduce`.

use super::{Ended, Runner};
use crate::criteria::Reduction;
use smallscope_core::AnySearch;

pub(super) fn run(_: &mut Runner<'_>, _: &mut AnySearch, reduction: Reduction) -> Result<(), Ended> {
    Err(Ended::Error(reduction.criterion.unreported()))
}
