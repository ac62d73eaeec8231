//! The table of the gallery, as text and in the book.

use std::fs;
use std::path::Path;

/// What a tool found in all its runs.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// How many runs there were, one for each seed.
    pub seeds: u64,
    /// How many of them failed.
    pub failing: u64,
    /// Cases up to the first failure, or calls: the most of all failing runs.
    pub cases: u64,
    /// Seconds of a whole run, with shrinking: the most of all runs.
    pub seconds: f64,
    /// The least size of a counterexample: characters of its text, or calls.
    pub size: Option<usize>,
    pub is_calls: bool,
    pub counterexample: String,
}

/// A crate with its bug.
#[derive(Debug)]
pub struct Row {
    pub name: String,
    pub version: String,
    /// None if no version without the bug is published.
    pub fixed: Option<String>,
    pub link: String,
    pub what: String,
    pub smallscope: Found,
    pub proptest: Found,
    pub quickcheck: Found,
}

/// The longest time that a bug may take.
const MOST_SECONDS: f64 = 10.0;

impl Row {
    /// The bars that this row misses.
    pub fn missed(&self) -> Vec<String> {
        let mut missed = vec![];
        let ours = &self.smallscope;
        if ours.failing == 0 {
            missed.push(format!("{}: smallscope has not found the bug", self.name));
        }
        if ours.seconds > MOST_SECONDS {
            missed.push(format!("{}: {:.1} s are more than {MOST_SECONDS} s", self.name, ours.seconds));
        }
        if let (Some(ours), Some(theirs)) = (ours.size, self.proptest.size)
            && ours > theirs
        {
            missed.push(format!(
                "{}: proptest's counterexample has size {theirs}, smallscope's {ours}",
                self.name
            ));
        }
        missed
    }
}

/// Two tables in Markdown: the bugs with their counterexamples, and the tools side by side.
pub fn markdown(rows: &[Row]) -> String {
    let mut text =
        String::from("| crate | bug | passes in | input that smallscope found |\n|---|---|---|---|\n");
    for row in rows {
        let Row { name, version, link, what, smallscope, .. } = row;
        let fixed = row.fixed.as_deref().unwrap_or("none yet");
        let number = link.rsplit('/').next().unwrap_or_default();
        let counterexample = smallscope.counterexample.replace('|', "\\|");
        text +=
            &format!("| {name} {version} | [{number}]({link}): {what} | {fixed} | `{counterexample}` |\n");
    }
    text += "\n| crate | smallscope: cases | time | size | proptest: found | cases | time | size | quickcheck: found | cases | time | size | bars |\n\
             |---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    for row in rows {
        let unit = if row.smallscope.is_calls { " calls" } else { "" };
        let ours = &row.smallscope;
        let size = |found: &Found| found.size.map_or("–".to_owned(), |size| format!("{size}{unit}"));
        let cases =
            |found: &Found| if found.failing == 0 { "–".to_owned() } else { found.cases.to_string() };
        text +=
            &format!("| {} | {}{unit} | {} | {} |", row.name, cases(ours), time(ours.seconds), size(ours));
        for found in [&row.proptest, &row.quickcheck] {
            let Found { failing, seeds, seconds, .. } = found;
            let (cases, seconds, size) = (cases(found), time(*seconds), size(found));
            text += &format!(" {failing} of {seeds} | {cases} | {seconds} | {size} |");
        }
        let missed = row.missed();
        text += &format!(" {} |\n", if missed.is_empty() { "hold".to_owned() } else { missed.join("; ") });
    }
    text
}

fn time(seconds: f64) -> String {
    if seconds < 0.9995 {
        format!("{:.0} ms", (seconds * 1000.0).max(1.0))
    } else {
        format!("{seconds:.1} s")
    }
}

/// Replaces the text between the two marks of a chapter.
pub fn write(path: &Path, table: &str) -> Result<(), String> {
    const MARKS: [&str; 2] = ["<!-- written by `cargo xtask gallery --write` -->\n", "<!-- end -->\n"];
    let shown = path.display();
    let text = fs::read_to_string(path).map_err(|error| format!("{shown}: {error}"))?;
    let parts =
        text.split_once(MARKS[0]).and_then(|(before, rest)| Some((before, rest.split_once(MARKS[1])?.1)));
    let (before, after) = parts.ok_or_else(|| format!("{shown}: the marks of the table are missing"))?;
    let text = format!("{before}{}\n{table}\n{}{after}", MARKS[0], MARKS[1]);
    fs::write(path, text).map_err(|error| format!("{shown}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_larger_counterexample_is_a_missed_bar() {
        let found = |size| Found { seeds: 5, failing: 5, cases: 1, seconds: 0.1, size, ..Found::default() };
        let row = |ours, theirs| Row {
            name: "a".to_owned(),
            version: "1.0.0".to_owned(),
            fixed: None,
            link: "https://example.com/issues/7".to_owned(),
            what: "wrong".to_owned(),
            smallscope: found(ours),
            proptest: found(theirs),
            quickcheck: Found::default(),
        };
        assert!(row(Some(3), Some(3)).missed().is_empty() && row(Some(3), None).missed().is_empty());
        assert_eq!(
            row(Some(4), Some(3)).missed(),
            ["a: proptest's counterexample has size 3, smallscope's 4"]
        );
        assert!(
            markdown(&[row(Some(3), Some(3))])
                .contains("| a | 1 | 100 ms | 3 | 5 of 5 | 1 | 100 ms | 3 | 0 of 0 |")
        );
        let mut lost = row(None, None);
        lost.smallscope.failing = 0;
        assert_eq!(lost.missed().len(), 1);
    }
}
