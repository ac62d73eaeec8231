//! Takes the place of `unlisted.rs` without the feature `summaries`.

use crate::session::error::Error;
use crate::session::files::Provenance;
use crate::session::observer::Observer;
use crate::session::request::Nth;
use crate::session::subject::Subject;
use crate::session::summary::Unlisted;
use smallscope_core::{AnySearch, Summaries};

/// Says that the feature is needed, if summaries are requested.
pub(crate) fn count(_: &mut AnySearch, provenance: &Provenance) -> Result<Option<Unlisted>, Error> {
    match provenance.summaries {
        Summaries::Off => Ok(None),
        _ => Err(Error::Usage(crate::NO_SUMMARIES.into())),
    }
}

/// Says that the feature is needed.
pub(crate) fn show(_: &Subject<'_>, _: &Nth, _: &mut dyn Observer) -> Result<(), Error> {
    Err(Error::Usage(crate::NO_SUMMARIES.into()))
}
