//! Rehearsals: parts of which the bounds allow no copy at all are linked once without slots, after everything
//! else. So the names of their fields are known, bounds for them find their use, and which classes have owners
//! depends on the types alone. Errors in them concern nobody.

use super::{At, Builder};
use crate::shape::Part;
use std::any::TypeId;

impl Builder {
    /// Links a part later, without slots. Once per type and field, so that types that contain themselves end.
    pub(crate) fn rehearse<P: Part>(&mut self, at: At) {
        self.rehearse_with(TypeId::of::<P>(), at, move |b| {
            let part: &'static P = Box::leak(Box::new(P::blank()));
            part.link(b, at);
        });
    }

    /// The same for what a function links.
    pub(crate) fn rehearse_with(&mut self, what: TypeId, at: At, link: impl FnOnce(&mut Builder) + 'static) {
        if self.rehearsed.insert((what, std::ptr::from_ref(at.site), at.pool)) {
            self.rehearsals.push(Box::new(link));
        }
    }

    /// Holds the rehearsals. Classes that first appear here have no objects.
    pub(super) fn hold_rehearsals(&mut self) {
        self.rehearsing = true;
        while let Some(link) = self.rehearsals.pop() {
            link(self);
            self.frame.clear();
        }
    }
}
