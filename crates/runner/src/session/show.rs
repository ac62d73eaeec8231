//! Values as text graphs.

use crate::session::error::Error;
use crate::session::files::{self, Provenance};
use crate::session::observer::Observer;
use crate::session::request::{Replay, Show};
use crate::session::subject::Subject;
use smallscope_core::AnySearch;
use smallscope_suite::Ending;
use std::path::Path;

/// Prints the current value of a search, under its number.
pub(crate) fn print_value(
    number: u64,
    search: &mut AnySearch,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let text = format!("#{number}  {}\n{}\n\n", search.candidate(), search.drawing());
    observer.print(&text).map_err(Error::Output)
}

/// Prints the values of a suite.
pub(crate) fn show(subject: &Subject<'_>, show: &Show, observer: &mut dyn Observer) -> Result<(), Error> {
    let mut saved = SavedValues::open(subject, &show.file)?;
    match show.at {
        Some(number) => {
            saved.go_to(number)?;
            print_value(number, &mut saved.search, observer)
        }
        None => {
            saved.for_each(observer, |number, search, observer| {
                print_value(number, search, observer).map(|()| true)
            })?;
            observer.print(&format!("{}\n", saved.ending())).map_err(Error::Output)
        }
    }
}

/// Prints one value.
pub(crate) fn replay(
    subject: &Subject<'_>,
    replay: &Replay,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let provenance = Provenance::new(&replay.space)?;
    let mut search = provenance.search(subject)?;
    search.go_to(&replay.candidate).map_err(Error::Bounds)?;
    let drawing = search.drawing();
    let verdict = if search.accepts()? { "accepts" } else { "rejects" };
    observer
        .print(&format!("{}\n{drawing}\n\nthe invariant {verdict} it\n", replay.candidate))
        .map_err(Error::Output)
}

/// The values of a suite, each restored in a search.
pub(crate) struct SavedValues<'a> {
    path: &'a Path,
    pub reader: smallscope_suite::Reader<std::io::BufReader<std::fs::File>>,
    pub provenance: Provenance,
    pub search: AnySearch,
}

impl<'a> SavedValues<'a> {
    pub fn open(subject: &Subject<'_>, path: &'a Path) -> Result<SavedValues<'a>, Error> {
        let mut reader = files::open(path)?;
        let header = reader.header().clone();
        let provenance = Provenance::from_header(path, &header)?;
        let search = provenance.search_again(subject, path, &header)?;
        provenance.check_order(subject, path, &mut reader)?;
        Ok(SavedValues { path, reader, provenance, search })
    }

    /// Goes to a value, counted from 1.
    pub fn go_to(&mut self, number: u64) -> Result<(), Error> {
        let len = self.reader.len();
        let Some(index) = number.checked_sub(1).filter(|&index| index < len) else {
            return Err(Error::Usage(match len {
                0 => format!("{} has no values", self.path.display()),
                _ => format!("{} has no value {number}; it has 1 to {len}", self.path.display()),
            }));
        };
        // The anchor belongs to the first value of the block.
        let (first, anchor) = self.reader.anchor_of(index).map_err(Error::suite(self.path))?;
        let path = self.reader.get(first).map_err(Error::suite(self.path))?.to_vec();
        restore(&mut self.search, self.path, first, &path, Some(anchor))?;
        let path = self.reader.get(index).map_err(Error::suite(self.path))?.to_vec();
        restore(&mut self.search, self.path, index, &path, None)
    }

    /// Goes to every value in turn, with its number, as long as the function returns true.
    pub fn for_each(
        &mut self,
        observer: &mut dyn Observer,
        mut f: impl FnMut(u64, &mut AnySearch, &mut dyn Observer) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        for index in 0..self.reader.len() {
            if observer.is_stopped() {
                break;
            }
            let anchor = self.reader.anchor_at(index).map_err(Error::suite(self.path))?;
            let path = self.reader.get(index).map_err(Error::suite(self.path))?;
            restore(&mut self.search, self.path, index, path, anchor)?;
            if !f(index + 1, &mut self.search, observer)? {
                break;
            }
        }
        Ok(())
    }

    /// Describes how the run that wrote the suite ended.
    pub fn ending(&self) -> String {
        let values = self.reader.len();
        let s = if values == 1 { "" } else { "s" };
        if let Some(reduction) = files::reduction(self.reader.header()) {
            let source = self.reader.header().get("source").unwrap_or("others");
            return format!("{values} structure{s}, chosen by `{reduction}` from {source}");
        }
        match self.reader.ending() {
            Some(ending) if ending.outcome == "exhausted" => {
                format!("{values} structure{s}: all of them within the bounds")
            }
            Some(ending) if ending.outcome == Ending::ONE_PER_PATH => {
                format!("{values} structure{s}: one of each path; there may be others within the bounds")
            }
            Some(ending) if ending.outcome == "classes" => {
                format!(
                    "{values} structure{s}: every class within the bounds is covered; others may have been skipped"
                )
            }
            Some(ending) => format!("{values} structure{s}; the run ended early ({})", ending.outcome),
            None => {
                format!(
                    "{values} structure{s} so far; the run is not finished, or was killed: `resume` continues it"
                )
            }
        }
    }
}

/// Goes to a saved value.
fn restore(
    search: &mut AnySearch,
    file: &Path,
    index: u64,
    path: &[u32],
    anchor: Option<u64>,
) -> Result<(), Error> {
    let stale = |why: String| {
        let number = index + 1;
        Error::Suite {
            path: file.to_owned(),
            error: format!(
                "value {number} no longer fits the structure: {why}. The type or the invariant has changed \
                 since it was saved; save it again"
            ),
        }
    };
    search.restore(0, path).map_err(|e| stale(e.to_string()))?;
    match anchor {
        Some(anchor) if anchor != search.reads() => {
            Err(stale("the invariant reads the fields in another order now".into()))
        }
        _ => Ok(()),
    }
}
