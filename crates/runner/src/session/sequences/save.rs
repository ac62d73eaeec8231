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
        let form: &dyn Form = if is_rust { &Rust } else { &Text };
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
    form: &dyn Form,
    out: &mut dyn Write,
) -> io::Result<u64> {
    let context = &*subject.context;
    let uses = if uses.is_empty() { &subject.uses } else { uses };
    let reached = found.coverage().map_or(String::new(), |coverage| format!("; {}", coverage.in_numbers()));
    form.begin(out, &format!("{}, {}{reached}", subject.name, found.covered()), uses)?;
    for (number, cluster) in found.clusters().iter().enumerate() {
        form.failure(out, context, number, &cluster.first)?;
    }
    let mut count = 0;
    match found {
        // One for each target that was reached, not for each state or test.
        found if found.coverage().is_some() => {
            for witness in &found.suite().witnesses {
                form.test(out, context, count, &witness.test, &remarks(context, witness))?;
                count += 1;
            }
        }
        Conclusion::States { found, .. } => {
            for test in &found.sequences {
                form.test(out, context, count, test, &[])?;
                count += 1;
            }
        }
        Conclusion::Tests { campaign, report, .. } => {
            let strategy = campaign.strategy(context).map_err(|error| io::Error::other(error.to_string()))?;
            for test in strategy.tests().take(usize::try_from(report.tests).unwrap_or(usize::MAX)) {
                form.test(out, context, count, &test, &[])?;
                count += 1;
            }
        }
    }
    Ok(count)
}

/// A format of sequences.
trait Form {
    fn begin(&self, out: &mut dyn Write, about: &str, uses: &[String]) -> io::Result<()>;
    fn failure(
        &self,
        out: &mut dyn Write,
        context: &Context,
        number: usize,
        failure: &Failure,
    ) -> io::Result<()>;
    fn test(
        &self,
        out: &mut dyn Write,
        context: &Context,
        number: u64,
        test: &Test,
        remarks: &[String],
    ) -> io::Result<()>;
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

struct Text;

impl Form for Text {
    fn begin(&self, out: &mut dyn Write, about: &str, _: &[String]) -> io::Result<()> {
        writeln!(out, "{HEADER}{about}\n")
    }

    fn failure(
        &self,
        out: &mut dyn Write,
        context: &Context,
        number: usize,
        failure: &Failure,
    ) -> io::Result<()> {
        let fault = failure.fault.to_string();
        writeln!(out, "# fails: {}", fault.lines().next().unwrap_or_default())?;
        self.test(out, context, number as u64, &failure.shrunk, &[])
    }

    fn test(
        &self,
        out: &mut dyn Write,
        context: &Context,
        _: u64,
        test: &Test,
        remarks: &[String],
    ) -> io::Result<()> {
        remarks.iter().try_for_each(|remark| writeln!(out, "# {remark}"))?;
        writeln!(out, "{}", test.to_line(context))?;
        for line in test.to_source(context).lines() {
            writeln!(out, "    {line}")?;
        }
        writeln!(out)
    }
}

struct Rust;

impl Form for Rust {
    fn begin(&self, out: &mut dyn Write, about: &str, uses: &[String]) -> io::Result<()> {
        writeln!(out, "//! Made by `cargo smallscope sequences`: {about}.\n")?;
        writeln!(
            out,
            "#![allow(deprecated, unused_assignments, unused_comparisons, unused_imports, unused_must_use, unused_mut, \
             unused_variables)]\n"
        )?;
        uses.iter().try_for_each(|path| writeln!(out, "use {path};"))
    }

    fn failure(
        &self,
        out: &mut dyn Write,
        context: &Context,
        number: usize,
        failure: &Failure,
    ) -> io::Result<()> {
        let fault = failure.fault.to_string();
        writeln!(out, "\n/// {}", fault.lines().next().unwrap_or_default())?;
        write!(out, "{}", failure.shrunk.to_test_function(context, &format!("failure_{}", number + 1)))
    }

    fn test(
        &self,
        out: &mut dyn Write,
        context: &Context,
        number: u64,
        test: &Test,
        remarks: &[String],
    ) -> io::Result<()> {
        writeln!(out)?;
        remarks.iter().try_for_each(|remark| writeln!(out, "// {remark}"))?;
        write!(out, "{}", test.to_test_function(context, &format!("sequence_{}", number + 1)))
    }
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
