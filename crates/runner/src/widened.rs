//! Slightly larger bounds, in which values are drawn that do not fit into those of a test.

use smallscope_core::Bounds;

/// How many larger scopes are tried: a call may add objects.
pub(crate) const LARGER: u32 = 3;

/// Bounds with a scope or size that is larger by a number. Bounds without either have no larger ones.
pub(crate) fn widened(bounds: &Bounds, larger: u32) -> Option<Bounds> {
    match (bounds.scope_number(), bounds.size_number()) {
        (_, Some(size)) => Some(bounds.with_size(size + larger)),
        (Some(scope), None) => Some(bounds.with_plain_scope(scope + larger)),
        (None, None) => (larger == 0).then(|| bounds.clone()),
    }
}
