//! Files of results: one for each experiment, a line for each row.
//!
//! A line has a checksum, the fingerprint of what was computed, the name of the row, the seconds that it took, and the cells
//! as `column=value`, separated by tabs. A file is replaced as a whole, so a run that is killed leaves the last complete one.

use crate::experiment::{Cells, Experiment};
use smallscope_support::hash::Fnv;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};
use std::{fs, io};

const HEAD: &str = "# smallscope results 1";

/// A computed row.
#[derive(Debug, Clone, PartialEq)]
pub struct Computed {
    /// What was computed.
    pub fingerprint: u64,
    /// How long it took.
    pub seconds: f64,
    /// The cells.
    pub cells: Cells,
}

/// The computed rows of an experiment, by name.
pub type Results = BTreeMap<String, Computed>;

/// Why results cannot be read or written.
#[derive(Debug)]
pub enum Error {
    /// The file cannot be read or written.
    File(PathBuf, io::Error),
    /// A line of the file is not what was written.
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong.
        why: &'static str,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::File(path, error) => write!(f, "`{}`: {error}", path.display()),
            Error::Damaged { path, line, why } => write!(
                f,
                "`{}`, line {line}: {why}; delete the file, and its rows are computed again",
                path.display()
            ),
        }
    }
}

impl std::error::Error for Error {}

/// Reads the rows that were computed before. Rows that are computed otherwise by now are left out.
pub fn load(folder: &Path, experiment: &Experiment) -> Result<Results, Error> {
    let path = folder.join(experiment.file());
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Results::new()),
        Err(error) => return Err(Error::File(path, error)),
    };
    let mut results = Results::new();
    let damaged = |line: usize, why| Error::Damaged { path: path.clone(), line: line + 1, why };
    for (number, line) in text.lines().enumerate() {
        if number == 0 {
            if line != head(experiment) {
                return Err(damaged(number, "this is not a file of results of this experiment"));
            }
            continue;
        }
        let (row, computed) = parse(line).map_err(|why| damaged(number, why))?;
        if computed.fingerprint == experiment.fingerprint(&row) {
            results.insert(row, computed);
        }
    }
    if text.is_empty() || !text.ends_with('\n') {
        return Err(damaged(text.lines().count().saturating_sub(1), "the file was cut off"));
    }
    Ok(results)
}

/// Writes the rows.
pub fn save(folder: &Path, experiment: &Experiment, results: &Results) -> Result<(), Error> {
    let path = folder.join(experiment.file());
    let new = path.with_extension("tsv.new");
    let mut text = head(experiment) + "\n";
    for (row, computed) in results {
        let mut rest = format!("{:016x}\t{row}\t{:.3}", computed.fingerprint, computed.seconds);
        for (column, value) in &computed.cells {
            // Writing to a string does not fail.
            let _ = write!(rest, "\t{column}={value}");
        }
        let _ = writeln!(text, "{:016x}\t{rest}", checksum(&rest));
    }
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(&new, text))
        .and_then(|()| fs::rename(&new, &path))
        .map_err(|error| Error::File(path, error))
}

fn head(experiment: &Experiment) -> String {
    format!("{HEAD}\t{}", experiment.id)
}

fn checksum(text: &str) -> u64 {
    Fnv::new().add_text(text).value()
}

fn parse(line: &str) -> Result<(String, Computed), &'static str> {
    const CHANGED: &str = "the line was changed or cut off";
    let (check, rest) = line.split_once('\t').ok_or(CHANGED)?;
    if u64::from_str_radix(check, 16) != Ok(checksum(rest)) {
        return Err(CHANGED);
    }
    let mut columns = rest.split('\t');
    let mut next = || columns.next().ok_or("a column is missing");
    let fingerprint = u64::from_str_radix(next()?, 16).map_err(|_| "the fingerprint is not a number")?;
    let row = next()?.to_owned();
    let seconds = next()?.parse().map_err(|_| "the seconds are not a number")?;
    let cells = columns.map(|cell| {
        let (column, value) = cell.split_once('=').ok_or("a cell has no `=`")?;
        Ok((column.to_owned(), value.to_owned()))
    });
    Ok((row, Computed { fingerprint, seconds, cells: cells.collect::<Result<_, &'static str>>()? }))
}
