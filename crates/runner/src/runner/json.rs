//! A report as one line of JSON.

use super::filled::Filled;
use super::report::{Report, Verdict};
use smallscope_core::{ClassTable, Classes};
use std::fmt::{self, Write as _};
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;

/// Opens the file. Also called before the run, so that an unwritable file is an early error.
pub(crate) fn open(path: &Path) -> io::Result<std::fs::File> {
    OpenOptions::new().create(true).append(true).open(path)
}

/// Appends a report to a file, in one write.
pub(crate) fn append(path: &Path, report: &Report) -> io::Result<()> {
    append_line(path, object(report))
}

/// Appends an object to a file, in one write.
pub(crate) fn append_line(path: &Path, object: String) -> io::Result<()> {
    open(path)?.write_all((object + "\n").as_bytes())
}

/// Returns the report as an object.
pub(crate) fn object(report: &Report) -> String {
    let mut out = Object::default();
    out.text("test", &report.name);
    let result = match &report.verdict {
        Verdict::Passed => "passed",
        Verdict::Failed(_) => "failed",
        Verdict::Error(_) => "error",
        Verdict::NothingTested(_) => "nothing tested",
    };
    out.text("result", result);
    out.text("stop", &report.outcome.stop.to_string());
    out.raw("exhaustive", report.is_exhaustive());
    out.text("coverage", &report.coverage());
    out.raw("scope", report.scope.map_or("null".to_owned(), |s| s.to_string()));
    if let Some(size) = report.scope.filter(|_| report.number == "size") {
        out.raw("size", size);
    }
    if let Some(shard) = report.shard {
        out.text("shard", &shard.to_string());
    }
    out.raw("explored", report.outcome.explored);
    out.raw("pruned", report.outcome.pruned);
    out.raw("valid", report.outcome.valid);
    out.raw("tested", report.tested);
    if report.sparse > 0 {
        out.raw("sparse", report.sparse);
    }
    out.raw("audited", report.outcome.audited);
    out.raw("seconds", format!("{:.6}", report.elapsed.as_secs_f64()));
    let mut passes = vec![];
    for pass in &report.passes {
        let mut object = Object::default();
        object.raw("scope", pass.scope.map_or("null".to_owned(), |s| s.to_string()));
        object.text("stop", &pass.outcome.stop.to_string());
        object.raw("explored", pass.outcome.explored);
        object.raw("valid", pass.outcome.valid);
        object.raw("tested", pass.tested);
        if pass.is_first {
            object.raw("first", true);
        }
        passes.push(object.close());
    }
    out.raw("passes", list(&passes));
    if !report.payload.is_empty() {
        out.text("payload", &report.payload.join(", "));
    }
    if let Some(edges) = &report.edges {
        let mut object = Object::default();
        object.raw("tested", edges.tested);
        object.raw("explored", edges.explored);
        object.raw("panics", edges.panics);
        object.raw("whole", edges.part.is_empty());
        object.text("coverage", &edges.to_string());
        out.raw("edges", object.close());
    }
    if let Some(filled) = &report.filled {
        out.raw("filled", filled_object(filled));
    }
    if let Some(sampled) = &report.sampled {
        let mut object = Object::default();
        object.raw("tested", sampled.tested);
        object.raw("objects", sampled.objects.map_or("null".to_owned(), |objects| objects.to_string()));
        object.raw("uniform", sampled.is_uniform);
        object.raw("seed", sampled.seed);
        object.text("coverage", &sampled.to_string());
        out.raw("sampled", object.close());
    }
    if let Some(reduced) = &report.reduced {
        let mut object = Object::default();
        object.text("reduction", &reduced.reduction);
        object.raw("values", reduced.values);
        object.raw("kept", reduced.kept);
        object.raw("classes", reduced.classes);
        object.raw("per_class", reduced.most);
        out.raw("reduced", object.close());
    }
    if !report.clusters.is_empty() {
        let mut clusters = vec![];
        for cluster in &report.clusters {
            let mut object = Object::default();
            object.raw("count", cluster.count);
            object.text("message", &cluster.witness.message);
            if let Some(location) = &cluster.location {
                object.text("location", location);
            }
            object.text("replay", &cluster.witness.replay);
            clusters.push(object.close());
        }
        out.raw("clusters", list(&clusters));
    }
    if report.classes != Classes::Ignored {
        out.text("classes", &report.classes.to_string());
        out.raw("class_table", class_table(&report.class_table));
    }
    match &report.verdict {
        Verdict::Passed => {}
        Verdict::Failed(case) => {
            let mut failure = Object::default();
            failure.text("message", &case.message);
            if let Some(location) = &case.location {
                failure.text("location", location);
            }
            failure.text("replay", &case.replay);
            failure.text("graph", &case.graph);
            out.raw("failure", failure.close());
        }
        Verdict::Error(error) | Verdict::NothingTested(error) => out.text("error", error),
    }
    let mut warnings = vec![];
    for warning in &report.warnings {
        warnings.push(quoted(warning));
    }
    out.raw("warnings", list(&warnings));
    out.close()
}

/// Returns the result of values with long lengths.
pub(crate) fn filled_object(filled: &Filled) -> String {
    let mut object = Object::default();
    object.raw("tested", filled.tested);
    object.raw("explored", filled.explored);
    object.raw("seed", filled.seed);
    object.text("coverage", &filled.to_string());
    object.close()
}

/// Returns the covered classes as a list of objects.
pub fn class_table(table: &ClassTable) -> String {
    let mut rows = vec![];
    for row in table.rows() {
        let mut out = Object::default();
        out.text("class", &row.label);
        out.raw("values", row.count);
        out.raw("first", row.first);
        if let Some(scope) = row.scope {
            out.raw("scope", scope);
        }
        out.text("candidate", &row.witness.to_string());
        rows.push(out.close());
    }
    list(&rows)
}

/// Returns values that are JSON already as a list.
fn list(values: &[String]) -> String {
    format!("[{}]", values.join(","))
}

/// An object under construction.
#[derive(Default)]
pub struct Object(String);

impl Object {
    /// Adds a field with a text.
    pub fn text(&mut self, key: &str, value: &str) {
        self.raw(key, quoted(value));
    }

    /// Adds a field with a value that is JSON already.
    pub fn raw(&mut self, key: &str, value: impl fmt::Display) {
        self.add(key, &value);
    }

    fn add(&mut self, key: &str, value: &dyn fmt::Display) {
        let comma = if self.0.is_empty() { "" } else { "," };
        let _ = write!(self.0, "{comma}{}:{value}", quoted(key));
    }

    /// Returns the object as text.
    pub fn close(self) -> String {
        format!("{{{}}}", self.0)
    }
}

/// Quotes a text as a JSON string.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c < ' ' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped() {
        assert_eq!(quoted("a\"b\\c\nd\te\u{1f}ü"), "\"a\\\"b\\\\c\\nd\\u0009e\\u001fü\"");
    }

    #[test]
    fn a_report_is_one_line() {
        let mut report = Report::new("t");
        report.warnings.push("two\nlines".into());
        report.verdict = Verdict::Error("no\nway".into());
        let text = object(&report);
        assert!(!text.contains('\n'), "{text}");
        assert!(text.starts_with("{\"test\":\"t\",\"result\":\"error\","), "{text}");
        assert!(text.ends_with("\"error\":\"no\\nway\",\"warnings\":[\"two\\nlines\"]}"), "{text}");
    }
}
