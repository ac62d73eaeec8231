//! The subject of a request.

use crate::session::error::Error;
use crate::session::files::Provenance;
use smallscope_core::{AnySearch, Bounds, Engine, Options, Summaries};

/// A structure of the catalogue, or the input of a test.
pub struct Subject<'a> {
    /// Its name in commands.
    pub name: String,
    /// The package of the test; none for the catalogue.
    pub package: Option<String>,
    /// Where the test is; none for the catalogue.
    pub place: Option<TestPlace>,
    /// Lays out a search for its values.
    pub open: &'a Open<'a>,
}

/// Which of the tests with the same name in a package is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestPlace {
    /// The crate: the library, a program, or a file in `tests`.
    pub crate_name: String,
    /// The source file.
    pub file: String,
}

/// Lays out a search.
pub type Open<'a> = dyn Fn(&Bounds, Options) -> Result<AnySearch, smallscope_core::Error> + Sync + 'a;

impl Subject<'_> {
    /// Lays out a search with an engine.
    pub(crate) fn search(&self, provenance: &Provenance) -> Result<AnySearch, Error> {
        let mut options = match provenance.engine {
            // Exactly as published, including the number of candidates.
            Engine::Korat => Options::korat(),
            engine => Options { engine, ..Options::default() },
        };
        if provenance.disjoint {
            options = options.disjoint();
        }
        options.classes = provenance.classes;
        options.summaries = provenance.summaries;
        if cfg!(not(feature = "summaries")) && provenance.summaries != Summaries::Off {
            return Err(Error::Usage(crate::NO_SUMMARIES.into()));
        }
        (self.open)(&provenance.bounds, options).map_err(Error::Bounds)
    }
}
