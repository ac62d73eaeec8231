//! Saves sequences: as text that can be read again, or as functions with `#[test]`.
//!
//! The text has a line in canonical form for each sequence, and under it the same in Rust, indented. Lines that begin
//! with `#` are comments.

use super::Subject;
use crate::session::error::Error;
use smallscope_sequences::{Conclusion, Context, Failure, Test, Witness};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The beginning of the first line of a text.
const HEADER: &str = "# smallscope sequences 1: ";

/// Checks that the file may be written.
pub(super) fn check(path: &Path, force: bool) -> Result<(), Error> {
    if path.exists() && !force {
        return Err(Error::Usage(format!(
            "{} exists already; give another name, or `--force` to replace it",
            path.display()
        )));
    }
    Ok(())
}

/// Writes the sequences of a campaign, failing ones first. Returns how many.
pub(super) fn save(
    subject: &Subject<'_>,
    path: &Path,
    uses: &[String],
    found: &Conclusion,
) -> Result<String, Error> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".part");
    let temporary = path.with_file_name(name);
    let write = || -> io::Result<u64> {
        let mut out = BufWriter::new(File::create(&temporary)?);
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        let form = if is_rust { Form::Rust } else { Form::Text };
        let count = write_all(subject, uses, found, form, &mut out)?;
        out.flush()?;
        std::fs::rename(&temporary, path)?;
        Ok(count)
    };
    match write() {
        Ok(count) => {
            let failing = found.clusters().len();
            let failing = if failing == 0 { String::new() } else { format!(" and {failing} that fail") };
            Ok(format!("{count} sequences{failing}"))
        }
        Err(error) => {
            let _ = std::fs::remove_file(&temporary);
            Err(Error::unwritable(path)(error))
        }
    }
}

fn write_all(
    subject: &Subject<'_>,
    uses: &[String],
    found: &Conclusion,
    form: Form,
    out: &mut dyn Write,
) -> io::Result<u64> {
    let context = &*subject.context;
    let uses = if uses.is_empty() { &subject.uses } else { uses };
    let reached = found.coverage().map_or(String::new(), |coverage| format!("; {}", coverage.in_numbers()));
    form.begin(out, &format!("{}, {}{reached}", subject.name, found.covered()), uses)?;
    for (number, cluster) in (0..).zip(found.clusters()) {
        form.failure(out, context, number, &cluster.first)?;
    }
    let mut count = 0;
    let mut put = |test: &Test, remarks: Vec<String>| {
        form.entry(out, context, &Entry { kind: "sequence", number: count, test, remarks })?;
        count += 1;
        Ok::<_, io::Error>(())
    };
    match found {
        // One for each target that was reached, not for each state or test.
        found if found.coverage().is_some() => {
            let witnesses = &found.suite().witnesses;
            witnesses.iter().try_for_each(|witness| put(&witness.test, remarks(context, witness)))?;
        }
        Conclusion::States { found, .. } => {
            found.sequences.iter().try_for_each(|test| put(test, vec![]))?;
        }
        Conclusion::Tests { campaign, report, .. } => {
            let strategy = campaign.strategy(context).map_err(|error| io::Error::other(error.to_string()))?;
            let most = usize::try_from(report.tests).unwrap_or(usize::MAX);
            strategy.tests().take(most).try_for_each(|test| put(&test, vec![]))?;
        }
    }
    Ok(count)
}

/// A format of sequences.
#[derive(Clone, Copy)]
enum Form {
    Text,
    Rust,
}

/// A sequence to write: its number among those of its kind, and comments about it.
struct Entry<'a> {
    kind: &'static str,
    number: u64,
    test: &'a Test,
    remarks: Vec<String>,
}

impl Form {
    fn begin(self, out: &mut dyn Write, about: &str, uses: &[String]) -> io::Result<()> {
        match self {
            Form::Text => writeln!(out, "{HEADER}{about}\n"),
            Form::Rust => {
                writeln!(out, "//! Made by `cargo smallscope sequences`: {about}.\n")?;
                writeln!(
                    out,
                    "#![allow(deprecated, unused_assignments, unused_comparisons, unused_imports, unused_must_use, \
                     unused_mut, unused_variables)]\n"
                )?;
                uses.iter().try_for_each(|path| writeln!(out, "use {path};"))
            }
        }
    }

    fn failure(
        self,
        out: &mut dyn Write,
        context: &Context,
        number: u64,
        failure: &Failure,
    ) -> io::Result<()> {
        let fault = failure.fault.to_string();
        let fault = fault.lines().next().unwrap_or_default();
        match self {
            Form::Text => writeln!(out, "# fails: {fault}")?,
            Form::Rust => write!(out, "\n/// {}", fault.to_string().replace('\n', "\n/// "))?,
        }
        self.entry(out, context, &Entry { kind: "failure", number, test: &failure.shrunk, remarks: vec![] })
    }

    fn entry(self, out: &mut dyn Write, context: &Context, entry: &Entry<'_>) -> io::Result<()> {
        let Entry { kind, number, test, remarks } = entry;
        match self {
            Form::Text => {
                remarks.iter().try_for_each(|remark| writeln!(out, "# {remark}"))?;
                writeln!(out, "{}", test.to_line(context))?;
                test.to_source(context).lines().try_for_each(|line| writeln!(out, "    {line}"))?;
                writeln!(out)
            }
            Form::Rust => {
                writeln!(out)?;
                remarks.iter().try_for_each(|remark| writeln!(out, "// {remark}"))?;
                write!(out, "{}", test.to_test_function(context, &format!("{kind}_{}", number + 1)))
            }
        }
    }
}

/// Returns the targets that a sequence is the first to reach, and whether it fails. Counters have no names.
fn remarks(context: &Context, witness: &Witness) -> Vec<String> {
    let mut remarks: Vec<String> = match &witness.names[..] {
        [] => vec![format!("reaches {} more of the compiler's counters", witness.targets.len())],
        names => names.iter().map(|name| format!("reaches {name}")).collect(),
    };
    if let Some(fault) = context.replay(&witness.test).fault {
        remarks.push(format!("fails: {}", fault.to_string().lines().next().unwrap_or_default()));
    }
    remarks
}

/// Reads the sequences of a text.
pub(super) fn read(context: &Context, path: &Path) -> Result<Vec<Test>, Error> {
    let text = std::fs::read_to_string(path).map_err(Error::unreadable(path))?;
    let wrong = |error: String| Error::Suite { path: path.to_owned(), error };
    if !text.starts_with(HEADER) {
        return Err(wrong(
            "it is not a text of sequences, as `cargo smallscope sequences run .. --save FILE` makes if the name of the file \
             does not end with `.rs`"
                .to_owned(),
        ));
    }
    let is_sequence = |line: &&str| !line.is_empty() && !line.starts_with(['#', ' ', '\t']);
    let lines = text.lines().filter(is_sequence);
    lines.map(|line| Test::find(context, line).map_err(|error| wrong(error.to_string()))).collect()
}
