//! Ranges of a search that several threads share.

use smallscope_core::{AnySearch, Position};
use smallscope_support::ordered::{Piece, Work};

/// A range of positions.
#[derive(Debug, Default)]
pub(crate) struct Range {
    /// Where it begins; none for where the run begins.
    pub(crate) start: Option<Position>,
    /// Where it ends; none for the end of the search.
    pub(crate) end: Option<Position>,
}

/// The number of values in a range is not known, so a range is begun as a whole.
impl Work for Range {}

/// Leaves the later part of a range to an idle thread, if there is one.
pub(crate) fn share<R>(piece: &mut Piece<'_, Range, R>, search: &mut AnySearch) {
    if !piece.is_wanted() {
        return;
    }
    if let Some(cut) = search.split() {
        let end = piece.work.end.replace(cut.clone());
        piece.split(Range { start: Some(cut), end });
    }
}
