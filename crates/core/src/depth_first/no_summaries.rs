//! Takes the place of `summarised.rs` without the feature `summaries`.

use crate::bounds::Bounds;
use crate::invariant::Structure;
use crate::options::{Options, Summaries};
use std::fmt;

/// How the reason begins if an audit finds a difference. There is none.
pub(crate) const DIFFERS: &str = "\0";

/// What is summarised of an invariant. There is none.
#[derive(Clone)]
pub(crate) enum Summary {}

impl Summary {
    pub fn follow(&self, _: &mut Structure) {
        match *self {}
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

/// Says why nothing is summarised. None if that was not requested.
pub(crate) fn choose(_: Structure, _: &Bounds, options: Options) -> Option<Result<Summary, String>> {
    let is_requested = options.summaries != Summaries::Off;
    is_requested.then(|| Err("they need the feature `summaries` of smallscope".into()))
}
