//! What a request is about.

use crate::error::Error;
use smallscope_core::{AnySearch, Bounds, Classes, Engine, Options};

/// A structure of the catalogue, or the input of a test.
pub struct Subject<'a> {
    /// Its name in commands.
    pub name: String,
    /// Where it comes from: the package of the test, or nothing for the catalogue.
    pub package: Option<String>,
    /// Lays out a search for its values.
    pub open: &'a Open<'a>,
}

/// How a search is laid out.
pub type Open<'a> =
    dyn Fn(&Bounds, Options) -> Result<Box<dyn AnySearch>, smallscope_core::Error> + Sync + 'a;

impl Subject<'_> {
    /// Lays out a search with an engine.
    pub(crate) fn search(
        &self,
        bounds: &Bounds,
        engine: Engine,
        classes: Classes,
    ) -> Result<Box<dyn AnySearch>, Error> {
        let options = match engine {
            // To the candidate, as published.
            Engine::Korat => Options::korat(),
            engine => Options { engine, ..Options::default() },
        };
        (self.open)(bounds, Options { classes, ..options }).map_err(Error::Bounds)
    }
}
