//! The headers of suites and checkpoints: which search the values come from.

use crate::order;
use crate::runner::replay::suite_layout;
use crate::session::error::Error;
use crate::session::lengths::with_lengths;
use crate::session::request::Space;
use crate::session::subject::{Subject, TestPlace};
use crate::settings::Settings;
use smallscope_core::{AnySearch, Bounds, Classes, Disjoint, Engine, Failure, Position, Summaries};
use smallscope_suite::{Checkpoint, Header, PlanFile, Reader};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// The origin of a suite or checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuiteOrigin {
    /// The name of the structure, or that of the test in its harness.
    pub structure: String,
    /// The package of the test; none for the catalogue.
    pub package: Option<String>,
    /// Where the test is; none for the catalogue, and in files of earlier versions.
    pub place: Option<TestPlace>,
}

/// Returns the origin of a suite or checkpoint.
pub fn origin(path: &Path) -> Result<SuiteOrigin, Error> {
    let header = match Checkpoint::load(path) {
        Ok(checkpoint) => checkpoint.header,
        Err(smallscope_suite::Error::NotACheckpoint { is_suite: true }) => open(path)?.header().clone(),
        Err(smallscope_suite::Error::NotACheckpoint { is_suite: false }) => match PlanFile::load(path) {
            Ok(plan) => plan.pairs,
            Err(smallscope_suite::Error::NotThis { .. }) => {
                let error =
                    "this is neither a suite nor a checkpoint: it does not begin as one; check the path"
                        .into();
                return Err(Error::Suite { path: path.to_owned(), error });
            }
            Err(error) => return Err(Error::suite(path)(error)),
        },
        Err(error) => return Err(Error::suite(path)(error)),
    };
    let structure = header.get("structure").unwrap_or_default().to_owned();
    let text = |key: &str| header.get(key).map(str::to_owned);
    let place =
        text("crate").map(|crate_name| TestPlace { crate_name, file: text("file").unwrap_or_default() });
    Ok(SuiteOrigin { structure, package: text("package"), place })
}

/// Opens a suite.
pub(crate) fn open(path: &Path) -> Result<Reader<BufReader<File>>, Error> {
    let file = File::open(path).map_err(Error::unreadable(path))?;
    Reader::open(BufReader::new(file)).map_err(Error::suite(path))
}

/// Which of the valid values a run delivers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    All,
    OnePerPath,
}

impl Delivery {
    /// Returns its name in files and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Delivery::All => "all",
            Delivery::OnePerPath => "one-per-path",
        }
    }

    fn from_name(name: &str) -> Result<Delivery, String> {
        [Delivery::All, Delivery::OnePerPath]
            .into_iter()
            .find(|criterion| criterion.name() == name)
            .ok_or_else(|| {
                format!("its values were chosen by `{name}`, which this version of smallscope does not know")
            })
    }
}

/// What was searched, and how: everything that decides which values a run finds, and in which order.
#[derive(Debug, Clone)]
pub(crate) struct Provenance {
    pub args: Option<String>,
    pub bounds: Bounds,
    pub engine: Engine,
    pub criterion: Delivery,
    pub classes: Classes,
    pub disjoint: bool,
    pub summaries: Summaries,
    pub from: Position,
    pub to: Option<Position>,
}

impl Provenance {
    pub fn new(space: &Space) -> Result<Provenance, Error> {
        let settings = &space.settings;
        let Some(bounds) = &space.bounds else {
            return Err(Error::Usage("say how far to go: a scope number, a size or arguments".into()));
        };
        let bounds = match (settings.scope, settings.size, bounds.scope_number()) {
            (None, None, _) => bounds.clone(),
            (Some(_), Some(_), _) => {
                return Err(Error::Usage(
                    "`--scope` bounds each type on its own and `--size` the whole value: give one of them"
                        .into(),
                ));
            }
            (Some(scope), None, Some(_)) => bounds.with_plain_scope(scope),
            (None, Some(size), Some(_)) => bounds.with_size(size),
            (_, _, None) => {
                return Err(Error::Usage(
                    "these bounds are exact: they have no scope number that another one could replace; leave \
                     the scope or the size out"
                        .into(),
                ));
            }
        };
        let bounds = match &settings.len {
            Some(lengths) => with_lengths(bounds, lengths).map_err(Error::Usage)?,
            None => bounds,
        };
        Ok(Provenance {
            args: space.args.clone(),
            bounds,
            engine: settings.engine.unwrap_or_default(),
            criterion: Delivery::All,
            classes: Classes::Ignored,
            disjoint: settings.disjoint == Some(Disjoint::On),
            summaries: settings.summaries.unwrap_or_default(),
            from: position(settings, "from")?.unwrap_or_default(),
            to: position(settings, "to")?,
        })
    }

    /// Returns the provenance of a run that delivers one value per path.
    pub fn one_per_path(self) -> Result<Provenance, Error> {
        if self.engine != Engine::Lazy {
            return Err(Error::Usage(format!(
                "`--one-per-path` is for the engine `lazy`, of which one path stands for many values; with `{}` leave \
                 it out",
                self.engine
            )));
        }
        Ok(Provenance { criterion: Delivery::OnePerPath, ..self })
    }

    /// Lays out the search without its range.
    pub fn whole_search(&self, subject: &Subject<'_>) -> Result<AnySearch, Error> {
        let mut search = subject.search(self)?;
        if self.criterion == Delivery::OnePerPath {
            search.one_per_path();
        }
        Ok(search)
    }

    /// Lays out the search with its range.
    pub fn search(&self, subject: &Subject<'_>) -> Result<AnySearch, Error> {
        let mut search = self.whole_search(subject)?;
        if !self.from.is_start() {
            search.start_at(&self.from).map_err(|e| no_position("from", &self.from, &e))?;
        }
        if let Some(to) = &self.to {
            search.until(to);
        }
        Ok(search)
    }

    /// Lays out the search of a saved file again.
    pub fn search_again(
        &self,
        subject: &Subject<'_>,
        path: &Path,
        header: &Header,
    ) -> Result<AnySearch, Error> {
        let search = self.search(subject).map_err(|error| Error::Suite {
            path: path.to_owned(),
            error: format!("its bounds no longer fit the structure, so save it again: {error}"),
        })?;
        let (then, now) = (header.get("layout").unwrap_or_default(), self.layout(&search));
        if then == now {
            return Ok(search);
        }
        let name = header.get("structure").unwrap_or_default();
        Err(Error::Suite {
            path: path.to_owned(),
            error: format!(
                "the fields or bounds of `{name}` have changed since this was saved, so its values mean something \
                 else now; save it again"
            ),
        })
    }

    /// Compares a suite of another order with a search of today.
    pub fn check_order(
        &self,
        subject: &Subject<'_>,
        path: &Path,
        reader: &mut Reader<BufReader<File>>,
    ) -> Result<(), Error> {
        if !order::is_another(reader.header()) {
            return Ok(());
        }
        let paths = order::read_paths(reader, u64::MAX).map_err(Error::suite(path))?;
        same_order(path, order::finds_all(&mut self.search(subject)?, paths))
    }

    /// Compares the beginning of a run of another order, up to its checkpoint, with a search of today.
    pub fn check_order_before(
        &self,
        subject: &Subject<'_>,
        path: &Path,
        (header, position, valid): (&Header, &Position, u64),
        suite: Option<&Path>,
    ) -> Result<(), Error> {
        if !order::is_another(header) {
            return Ok(());
        }
        let paths = match suite {
            Some(suite) => order::read_paths(&mut open(suite)?, valid).map_err(Error::suite(suite))?,
            None => vec![],
        };
        let mut search = self.search(subject)?;
        search.until(position);
        same_order(path, order::finds_exactly(&mut search, valid, &paths))
    }

    fn layout(&self, search: &AnySearch) -> String {
        suite_layout(search.type_name(), &search.slots(), &self.bounds)
    }

    /// Returns the header of a suite. Nothing in it differs from run to run, so equal suites are equal files.
    pub fn header(&self, subject: &Subject<'_>, search: &AnySearch) -> Header {
        let mut header = Header::new().with("structure", &subject.name);
        if let Some(package) = &subject.package {
            header = header.with("package", package);
        }
        if let Some(TestPlace { crate_name, file }) = &subject.place {
            header = header.with("crate", crate_name).with("file", file);
        }
        header = header.with("type", search.type_name());
        if let Some(args) = &self.args {
            header = header.with("args", args);
        }
        header = header
            .with("bounds", self.bounds.to_string())
            .with("engine", self.engine.to_string())
            .with("criterion", self.criterion.name())
            .with("layout", self.layout(search))
            .with(order::KEY, order::NOW);
        if self.classes != Classes::Ignored {
            header = header.with("classes", self.classes.to_string());
        }
        if self.disjoint {
            header = header.with("disjoint", "on");
        }
        if self.summaries != Summaries::Off {
            header = header.with("summaries", self.summaries.to_string());
        }
        if !self.from.is_start() {
            header = header.with("from", self.from.to_string());
        }
        if let Some(to) = &self.to {
            header = header.with("to", to.to_string());
        }
        header
    }

    /// Reads the header of a suite.
    pub fn from_header(path: &Path, header: &Header) -> Result<Provenance, Error> {
        let wrong = |error: String| Error::Suite { path: path.to_owned(), error };
        let text = |key: &str| {
            header
                .get(key)
                .ok_or_else(|| wrong(format!("the header has no `{key}`; it was not written by this tool")))
        };
        let position = |key: &str| header.get(key).map(str::parse::<Position>).transpose().map_err(wrong);
        Ok(Provenance {
            args: header.get("args").map(str::to_owned),
            bounds: text("bounds")?.parse().map_err(wrong)?,
            engine: text("engine")?.parse().map_err(wrong)?,
            criterion: Delivery::from_name(text("criterion")?).map_err(wrong)?,
            classes: header.get("classes").map(str::parse).transpose().map_err(wrong)?.unwrap_or_default(),
            disjoint: match header.get("disjoint") {
                None => false,
                Some("on") => true,
                Some(other) => return Err(wrong(format!("`disjoint` is `{other}`, and must be `on`"))),
            },
            summaries: header
                .get("summaries")
                .map(str::parse)
                .transpose()
                .map_err(wrong)?
                .unwrap_or_default(),
            from: position("from")?.unwrap_or_default(),
            to: position("to")?,
        })
    }
}

fn same_order(path: &Path, compared: Result<bool, Failure>) -> Result<(), Error> {
    match compared {
        Ok(true) => Ok(()),
        Ok(false) => Err(Error::Suite { path: path.to_owned(), error: order::WHY.into() }),
        Err(failure) => Err(failure.into()),
    }
}

/// Returns how a suite was reduced, if it was.
pub(crate) fn reduction(header: &Header) -> Option<&str> {
    header.get("reduction")
}

/// Returns the position that a setting gives.
fn position(settings: &Settings, name: &str) -> Result<Option<Position>, Error> {
    let parse = |text: String| {
        text.parse().map_err(|error| Error::Usage(format!("`--{name} {text}` is no position: {error}")))
    };
    settings.get(name).map(parse).transpose()
}

/// Returns the error for a position that does not exist.
pub(crate) fn no_position(option: &str, position: &Position, error: &smallscope_core::Error) -> Error {
    Error::Usage(format!(
        "`--{option} {position}` is no position of this search: {error}. Positions are printed by runs that stop \
         early; they hold for the same structure, bounds and engine only"
    ))
}
