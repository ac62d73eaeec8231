//! The description of the value that made a test fail.

use super::report::{Report, plural};
use smallscope_core::Failure;
use std::borrow::Cow;
use std::fmt::{self, Write};

/// A value that made a test fail, or a candidate on which the invariant misbehaved.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct FailedCase {
    /// What failed.
    pub blame: Blame,
    /// The message of the panic, or the returned error.
    pub message: String,
    /// File, line and column of the panic.
    pub location: Option<String>,
    /// The calls that led to the panic, if `RUST_BACKTRACE` requests them.
    pub backtrace: Option<String>,
    /// The test's arguments with their texts. The text is none if the type is not `Debug`.
    pub arguments: Vec<(String, Option<String>)>,
    /// The object graph.
    pub graph: String,
    /// How it was found.
    pub origin: Origin,
    /// The value of `SMALLSCOPE_REPLAY` that runs the test on this value only.
    pub replay: String,
    /// The replay line: the command that runs the test on this value only.
    pub command: String,
    /// The file where it was recorded, or why it was not. None if failures of this test are not recorded.
    pub recorded: Option<Result<String, String>>,
    /// The file with the page of this failure, or why there is none. None if pages are not wanted.
    pub page: Option<Result<String, String>>,
}

/// What failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Blame {
    /// The test, on a valid value.
    Test,
    /// The destructor of a valid value, after the test had looked at it.
    Destructor,
    /// The invariant.
    Invariant(Failure),
    /// User code that runs while a value is built: a listed value's `Clone`, a key's `Ord`.
    Construction,
}

/// How a failing value was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// By the search.
    Search {
        /// The scope of the pass.
        scope: Option<u32>,
        /// Its number among the values of that pass, from 1; 0 if it is not valid.
        number: u64,
    },
    /// By the search for values with fewer objects and elements, after another value of the pass had failed.
    Fewest {
        /// The scope of the pass.
        scope: Option<u32>,
        /// How many objects and elements it has.
        total: u32,
    },
    /// Among the sparse values before the search. It need not be the smallest one.
    Sparse {
        /// Its number there, from 1.
        number: u64,
    },
    /// Among the random values after the search, or with fewer objects than these.
    Sampled {
        /// Its number there, from 1.
        number: u64,
        /// How it was found, in words, and whether it is the smallest one.
        note: String,
    },
    /// Among the values with long sequences, whose elements are filled, after the search.
    Filled {
        /// Its number there, from 1; 0 if it is not valid.
        number: u64,
        /// How its elements were filled, in words.
        how: String,
    },
    /// Among the edge values after the search.
    Edges {
        /// The scope of the structures there.
        scope: u32,
        /// Its number there, from 1; 0 if it is not valid.
        number: u64,
    },
    /// In the file of recorded failures: file and line.
    Record(String),
    /// It was given by `SMALLSCOPE_REPLAY`.
    Replay,
    /// Among the values that the reduction kept.
    Reduced {
        /// Its number there, from 1.
        number: u64,
    },
    /// In a saved suite.
    Suite {
        /// Its number there, from 1.
        number: u64,
    },
}

impl Origin {
    /// The scope of the pass, if it was found by the search.
    pub(super) fn scope(&self) -> Option<u32> {
        match self {
            Origin::Search { scope, .. } | Origin::Fewest { scope, .. } => *scope,
            _ => None,
        }
    }
}

impl FailedCase {
    /// Writes the whole description, on several lines.
    pub(super) fn describe(&self, f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
        let name = &report.name;
        if !report.clusters.is_empty() {
            return super::clusters::describe(f, report);
        }
        // The report is what stays in view.
        if let Some(backtrace) = &self.backtrace {
            writeln!(f, "stack backtrace:\n{}\n", backtrace.trim_end())?;
        }
        self.describe_failure(f, name)?;
        self.describe_origin(f, report)?;
        self.describe_replay(f)
    }

    /// Writes what failed, and for which value.
    fn describe_failure(&self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        match &self.blame {
            Blame::Invariant(failure) if failure.kind.is_about_classes() => {
                writeln!(f, "`{name}`: `eq_class` misbehaves on a valid value")?;
            }
            Blame::Test => writeln!(f, "`{name}` fails for a valid value")?,
            Blame::Destructor => writeln!(f, "`{name}`: the destructor of a valid value panics")?,
            Blame::Invariant(_) => writeln!(f, "`{name}`: the invariant misbehaves on a candidate")?,
            Blame::Construction => writeln!(f, "`{name}`: a panic while a value was searched or built")?,
        }
        writeln!(f)?;
        self.describe_value(f)
    }

    /// Writes what went wrong, and for which value.
    pub(super) fn describe_value(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        indented(f, &self.message)?;
        if let Some(location) = &self.location {
            writeln!(f, "  at {location}")?;
        }
        writeln!(f)?;
        if !self.arguments.is_empty() {
            for (name, text) in &self.arguments {
                match text {
                    Some(text) => writeln!(f, "{name} = {}", shortened(text))?,
                    None => writeln!(f, "{name}: not `Debug`, see the object graph")?,
                }
            }
            writeln!(f)?;
        }
        writeln!(f, "object graph:")?;
        indented(f, &shortened(&self.graph))?;
        writeln!(f)
    }

    /// Writes how to run the value again.
    pub(super) fn describe_replay(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "replay:   {}", self.command)?;
        match &self.recorded {
            Some(Ok(file)) => writeln!(f, "recorded: {file}")?,
            Some(Err(why)) => writeln!(f, "recorded: no, {why}")?,
            None => {}
        }
        match &self.page {
            Some(Ok(file)) => writeln!(f, "page:     {file}")?,
            Some(Err(why)) => writeln!(f, "page:     no, {why}")?,
            None => {}
        }
        Ok(())
    }

    fn describe_origin(&self, f: &mut fmt::Formatter<'_>, report: &Report) -> fmt::Result {
        match &self.origin {
            Origin::Record(place) => {
                writeln!(f, "found:    recorded in {place}, and tried first; {}", report.coverage())
            }
            Origin::Replay => writeln!(f, "found:    replayed; nothing else was run"),
            Origin::Sparse { number } => {
                writeln!(
                    f,
                    "found:    value {number} of those tried before the search; there may be smaller ones, which are found first \
                     without `sparse`"
                )?;
                writeln!(f, "covered:  {}", report.coverage())
            }
            Origin::Sampled { note, .. } => {
                writeln!(f, "found:    {note}")?;
                writeln!(f, "covered:  {}", report.coverage())
            }
            Origin::Filled { number, how } => describe_filled(f, *number, how, report),
            Origin::Edges { number, .. } => describe_edges(f, *number, report),
            Origin::Reduced { number } => {
                writeln!(f, "found:    value {number} of those that were kept")?;
                writeln!(f, "covered:  {}", report.coverage())
            }
            Origin::Suite { number } => {
                writeln!(f, "found:    value {number} of the suite")?;
                writeln!(f, "covered:  {}", report.coverage())
            }
            Origin::Fewest { scope, total } => {
                write!(f, "found:    ")?;
                describe_pass(f, *scope, report)?;
                let size = match total {
                    1 => "1 object or element".to_owned(),
                    total => format!("{total} objects and elements"),
                };
                writeln!(f, ", a value with {size}; those tried with fewer pass")?;
                writeln!(f, "covered:  {}", report.coverage())
            }
            Origin::Search { scope, number } => describe_found(f, *scope, *number, report),
        }
    }
}

/// Writes how the search has found a value.
fn describe_found(
    f: &mut fmt::Formatter<'_>,
    scope: Option<u32>,
    number: u64,
    report: &Report,
) -> fmt::Result {
    write!(f, "found:    ")?;
    if number > 0 {
        write!(f, "value {number} ")?;
    }
    describe_pass(f, scope, report)?;
    let candidates = plural(report.outcome.explored, "candidate");
    writeln!(f, ", {candidates} into a space of 2^{:.1}", report.space_bits)?;
    writeln!(f, "covered:  {}", report.coverage())
}

/// Writes that a value was found among those with edge values.
fn describe_edges(f: &mut fmt::Formatter<'_>, number: u64, report: &Report) -> fmt::Result {
    let value = if number > 0 { format!("value {number}") } else { "a candidate".to_owned() };
    writeln!(
        f,
        "found:    {value} of those with edge values; `ints(..)` and `alphabet(..)` bound a field, and `edges = false` turns \
         edge values off"
    )?;
    writeln!(f, "covered:  {}", report.coverage())
}

/// Writes that a value was found among those with long lengths.
fn describe_filled(f: &mut fmt::Formatter<'_>, number: u64, how: &str, report: &Report) -> fmt::Result {
    let value = if number > 0 { format!("value {number}") } else { "a candidate".to_owned() };
    writeln!(f, "found:    {value} of those with long lengths; elements are filled, {how}")?;
    writeln!(f, "covered:  {}", report.coverage())
}

/// How a value was found among those with long lengths, given by its number there, and how its elements are filled.
#[cfg(feature = "suites")]
pub(crate) struct FoundInFilled<'a>(pub(crate) u64, pub(crate) &'a str, pub(crate) &'a Report);

#[cfg(feature = "suites")]
impl fmt::Display for FoundInFilled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe_filled(f, self.0, self.1, self.2)
    }
}

/// How a value was found among those with edge values, given by its number there.
#[cfg(feature = "suites")]
pub(crate) struct FoundInEdges<'a>(pub(crate) u64, pub(crate) &'a Report);

#[cfg(feature = "suites")]
impl fmt::Display for FoundInEdges<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe_edges(f, self.0, self.1)
    }
}

/// What failed, for which value, and how it was found.
#[cfg(feature = "suites")]
pub(super) struct WithOrigin<'a>(pub(super) &'a FailedCase, pub(super) &'a Report);

#[cfg(feature = "suites")]
impl fmt::Display for WithOrigin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.describe_failure(f, &self.1.name)?;
        self.0.describe_origin(f, self.1)
    }
}

/// How the search has found a value, given by the scope of its pass and its number there.
#[cfg(feature = "suites")]
pub(crate) struct Found<'a>(pub(crate) Option<u32>, pub(crate) u64, pub(crate) &'a Report);

#[cfg(feature = "suites")]
impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        describe_found(f, self.0, self.1, self.2)
    }
}

/// What failed, and for which value, without how it was found: a shard does not know that.
#[cfg(feature = "suites")]
pub(super) struct WithoutOrigin<'a>(pub(super) &'a FailedCase, pub(super) &'a str);

#[cfg(feature = "suites")]
impl fmt::Display for WithoutOrigin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.describe_failure(f, self.1)
    }
}

/// A text without its middle, if it is long.
fn shortened(text: &str) -> Cow<'_, str> {
    const MOST: usize = 4_000;
    if text.len() <= MOST {
        return Cow::Borrowed(text);
    }
    let (mut start, mut end) = (MOST / 2, text.len() - MOST / 2);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let (first, last) = (&text[..start], &text[end..]);
    Cow::Owned(format!("{first} [.. {} bytes ..] {last}", end - start))
}

fn describe_pass(f: &mut fmt::Formatter<'_>, scope: Option<u32>, report: &Report) -> fmt::Result {
    match (scope, report.scope) {
        (Some(scope), Some(last)) => write!(f, "in {} {scope} of {last}", report.number),
        (None, Some(last)) => write!(f, "in one pass over {} {last}", report.number),
        _ => f.write_str("within exact bounds"),
    }
}

fn indented(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    for line in text.lines() {
        f.write_str(if line.is_empty() { "" } else { "  " })?;
        f.write_str(line)?;
        f.write_char('\n')?;
    }
    Ok(())
}
