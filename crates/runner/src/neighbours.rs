//! Values for other tools: by number and from bytes, and a table of what code does with each of them.

pub(crate) mod source;

use crate::check::quietly;
use crate::values::guard_layouts;
use smallscope_core::{Bounded, Bounds, Candidate, Error, Options, Search};
use smallscope_support::panics;
use std::cell::RefCell;
use std::fmt::{self, Debug, Write};
use std::io;
use std::path::Path;

/// More values are refused: their choices are kept in memory.
const MOST: usize = 1 << 20;

/// All valid values within bounds, by number, those with the fewest choices first.
///
/// A tool that generates numbers or bytes generates values with it: proptest, quickcheck, arbitrary, bolero, a fuzzer. A tool
/// that makes numbers smaller makes values smaller.
///
/// ```
/// use smallscope::neighbours::Numbered;
///
/// let values = Numbered::<Vec<bool>>::new(2);
/// assert_eq!(values.len(), 1 + 2 + 4);
/// assert_eq!(values.get(0), vec![]);
/// assert_eq!(values.get(6), [true, true]);
/// // Any bytes stand for a value.
/// assert_eq!(values.from_bytes(&[6]), [true, true]);
/// assert_eq!(values.from_bytes(b"anything").len(), 2);
/// ```
pub struct Numbered<T: Bounded> {
    search: RefCell<Search<T>>,
    candidates: Vec<Candidate>,
}

impl<T: Bounded> Numbered<T> {
    /// Searches for the values.
    ///
    /// # Panics
    ///
    /// If the bounds are invalid, the invariant misbehaves, no value is valid, or there are more than a million;
    /// see [`Numbered::try_new`].
    #[track_caller]
    pub fn new(bounds: impl Into<Bounds>) -> Self {
        Numbered::try_new(bounds).unwrap_or_else(|e| panic!("no numbered values: {e}"))
    }

    /// Searches for the values, or says why there are none.
    pub fn try_new(bounds: impl Into<Bounds>) -> Result<Self, Error> {
        Numbered::at_most(MOST, &bounds.into())
    }

    fn at_most(most: usize, bounds: &Bounds) -> Result<Self, Error> {
        let _guard = guard_layouts();
        let mut search = Search::<T>::new(bounds, Options::default())?;
        let mut candidates = vec![];
        while let Some(value) = quietly(|| search.next_value()) {
            if let Err(failure) = value {
                return Err(refused(&failure.to_string()));
            }
            if candidates.len() == most {
                return Err(refused(&format!("there are more than {most} values: lower the bounds")));
            }
            candidates.push(search.candidate());
        }
        if candidates.is_empty() {
            return Err(refused("no value within the bounds is valid"));
        }
        candidates.sort_by_key(|candidate| candidate.0.len());
        // The first search has come to its end, and goes nowhere any more.
        let search = RefCell::new(Search::new(bounds, Options::default())?);
        Ok(Numbered { search, candidates })
    }

    /// Returns how many values there are, at least one.
    #[expect(clippy::len_without_is_empty, reason = "it is never empty")]
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Returns the value with a number.
    ///
    /// # Panics
    ///
    /// If there are not so many values.
    #[track_caller]
    pub fn get(&self, number: usize) -> T {
        let candidate = self.candidates.get(number);
        let candidate =
            candidate.unwrap_or_else(|| panic!("there is no value {number}: there are {}", self.len()));
        self.build(candidate).expect("smallscope internal error: the value was built before")
    }

    /// Returns the value that bytes stand for: the one with these choices, if they are the text of a candidate as
    /// suites export it (`1.0.2`), and otherwise the one whose number is the first eight bytes, the lowest first, modulo the number of values.
    pub fn from_bytes(&self, bytes: &[u8]) -> T {
        let candidate = std::str::from_utf8(bytes).ok().and_then(|text| text.trim_end().parse().ok());
        let value = candidate.and_then(|candidate| self.build(&candidate));
        value.unwrap_or_else(|| {
            let number = bytes.iter().take(8).rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
            self.get((number % self.len() as u64) as usize)
        })
    }

    /// Returns the numbers that are smaller than a number, those near 0 first: what a tool tries in its place.
    pub fn smaller(&self, number: usize) -> impl Iterator<Item = usize> + use<T> {
        let halves = std::iter::successors(Some(0), move |at| Some(number - (number - at) / 2));
        halves.take_while(move |at| *at < number).take(usize::BITS as usize)
    }

    fn build(&self, candidate: &Candidate) -> Option<T> {
        let mut search = self.search.borrow_mut();
        quietly(|| {
            search.go_to(candidate).ok()?;
            search.value().ok()
        })
    }
}

fn refused(why: &str) -> Error {
    Error::Options { why: format!("values cannot be numbered: {why}") }
}

impl<T: Bounded> Debug for Numbered<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Numbered").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// Writes a file into a folder for each valid value within the bounds, with the bytes that a function makes of the value: a
/// corpus for a fuzzer, `fuzz/corpus/TARGET`. Returns the number of files. Other files of the folder stay.
///
/// ```
/// use smallscope::neighbours::write_corpus;
///
/// let folder = std::env::temp_dir().join(format!("smallscope-corpus-{}", std::process::id()));
/// let files = write_corpus(&folder, 2, |text: &String| text.clone().into_bytes())?;
/// assert_eq!(files, 1 + 2 + 4);
/// assert_eq!(std::fs::read(folder.join("smallscope-000006"))?, b"bb");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// If a file cannot be written.
///
/// # Panics
///
/// If [`Numbered::new`] panics.
#[track_caller]
pub fn write_corpus<T: Bounded>(
    folder: impl AsRef<Path>,
    bounds: impl Into<Bounds>,
    mut bytes: impl FnMut(&T) -> Vec<u8>,
) -> io::Result<usize> {
    let (folder, values) = (folder.as_ref(), Numbered::<T>::new(bounds));
    std::fs::create_dir_all(folder)?;
    for number in 0..values.len() {
        std::fs::write(folder.join(format!("smallscope-{number:06}")), bytes(&values.get(number)))?;
    }
    Ok(values.len())
}

/// Returns a line for each valid value within the bounds: the value, and what a function returns for it or panics with.
///
/// A snapshot of it is a snapshot of the whole behaviour within the bounds. The smallest values come first, so the first
/// line that differs is a smallest one.
///
/// ```
/// let table = smallscope::neighbours::behaviour(2, |text: &String| text.parse::<u8>().is_ok());
/// assert_eq!(table, r#""" => false
/// "a" => false
/// "b" => false
/// "aa" => false
/// "ab" => false
/// "ba" => false
/// "bb" => false
/// "#);
/// ```
///
/// # Panics
///
/// If [`Numbered::new`] panics.
#[track_caller]
pub fn behaviour<T: Bounded + Debug, R: Debug>(
    bounds: impl Into<Bounds>,
    mut function: impl FnMut(&T) -> R,
) -> String {
    let values = Numbered::<T>::new(bounds);
    let mut table = String::new();
    for number in 0..values.len() {
        let value = values.get(number);
        let result = panics::catch(|| function(&value));
        let _ = match result {
            Ok(result) => writeln!(table, "{value:?} => {result:?}"),
            Err(caught) => writeln!(table, "{value:?} => panicked: {}", caught.message),
        };
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Check;

    #[test]
    fn values_that_cannot_be_numbered_are_refused() {
        let error = |bounds: Bounds| Numbered::<Vec<u8>>::at_most(6, &bounds).unwrap_err().to_string();
        assert!(error(3.into()).contains("there are more than 6 values"));
        assert_eq!(Numbered::<Vec<u8>>::at_most(7, &2.into()).unwrap().len(), 7);
        assert!(error(Bounds::scope(2).ints("input.kye", 0..3)).contains("input.kye"));
    }

    #[test]
    fn every_number_is_another_value_and_small_values_come_first() {
        let values = Numbered::<Vec<u8>>::new(3);
        let all: Vec<Vec<u8>> = (0..values.len()).map(|number| values.get(number)).collect();
        assert_eq!(all.len(), 1 + 3 + 9 + 27);
        assert!(all.is_sorted_by_key(Vec::len) && all.iter().enumerate().all(|(i, v)| !all[..i].contains(v)));
        let expected: std::collections::BTreeSet<_> = crate::all::<Vec<u8>>(3).collect();
        assert_eq!(all.into_iter().collect::<std::collections::BTreeSet<_>>(), expected);
    }

    #[test]
    fn observations_have_every_case_and_an_unwritable_file_is_an_error() {
        let path = std::env::temp_dir().join(format!("smallscope-observed-{}.jsonl", std::process::id()));
        let check = |path: &Path| {
            let variables = [("SMALLSCOPE_OBSERVE", path)];
            Check::new("small", 3).environment(variables).run(|x: u8, y: u8| assert!(x + y < 4))
        };
        let report = check(&path);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(report.failure().is_some());
        assert_eq!(text.lines().count() as u64, report.tested, "{text}");
        assert_eq!(text.matches("\"status\":\"failed\"").count(), 1, "{text}");
        assert!(text.lines().last().unwrap().contains("\"candidate\":\"2.2\""), "{text}");
        let error = check(Path::new("/nowhere/at/all")).to_string();
        assert!(error.contains("SMALLSCOPE_OBSERVE: /nowhere/at/all cannot be written"), "{error}");
    }
}
