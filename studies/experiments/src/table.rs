//! A compared table as text.

use crate::compare::{Compared, Mark, Pair};
use crate::experiment::{Experiment, Work};
use std::fmt::Write;

/// The table of an experiment for a terminal: in each cell our figure, a sign, and the published one where it differs.
pub fn text(experiment: &Experiment, compared: &Compared) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(out, "{}  {}", experiment.id, experiment.title);
    let shown: Vec<_> = compared.rows.iter().filter(|row| row.seconds.is_some()).collect();
    match &experiment.work {
        Work::Missing(why) if shown.is_empty() => {
            let _ = writeln!(out, "  not reproduced yet: {why}\n");
            return out;
        }
        _ => {}
    }
    let mut lines: Vec<Vec<String>> = vec![
        std::iter::once(String::new()).chain(compared.columns.iter().map(|c| c.name.to_owned())).collect(),
    ];
    for row in &shown {
        lines.push(std::iter::once(row.name.clone()).chain(row.pairs.iter().map(cell)).collect());
    }
    let widths: Vec<usize> = (0..lines[0].len())
        .map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0))
        .collect();
    for line in lines {
        let mut text = String::new();
        for (n, (cell, width)) in line.iter().zip(&widths).enumerate() {
            let space = " ".repeat(width - cell.chars().count());
            let _ = if n == 0 { write!(text, "  {cell}{space}") } else { write!(text, "  {space}{cell}") };
        }
        let _ = writeln!(out, "{}", text.trim_end());
    }
    let left = compared.rows.len() - shown.len();
    if left > 0 {
        let _ = writeln!(out, "  {left} of {} rows not computed yet", compared.rows.len());
    }
    if !experiment.remark.is_empty() {
        let _ = writeln!(out, "  {}", experiment.remark);
    }
    for (n, note) in compared.notes.iter().enumerate() {
        let _ = writeln!(out, "  [{}] {note}", n + 1);
    }
    out.push('\n');
    out
}

/// Longer texts are cut off; the page has the whole.
const LONGEST: usize = 64;

fn cell(pair: &Pair) -> String {
    let paper = || with_thousands(pair.paper.as_deref().unwrap_or_default());
    let mut ours = with_thousands(pair.ours.as_deref().unwrap_or_default());
    if ours.chars().count() > LONGEST {
        ours = ours.chars().take(LONGEST - 1).chain(['…']).collect();
    }
    match (pair.mark, pair.note) {
        (Mark::Equal, _) => format!("{ours} ="),
        (Mark::Differs, _) => format!("{ours} ≠ {}", paper()),
        (Mark::Explained, Some(note)) => format!("{ours} ≠ {} [{note}]", paper()),
        (Mark::Beside, _) => format!("{ours} ({})", paper()),
        (Mark::NotComputed, _) => format!("({})", paper()),
        (Mark::NoCounterpart, _) | (Mark::Explained, None) => ours,
        (Mark::Empty, _) => "-".to_owned(),
    }
}

/// A number with commas between thousands; other texts as they are.
pub fn with_thousands(text: &str) -> String {
    if text.len() < 4 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.to_owned();
    }
    let mut out = String::new();
    for (n, digit) in text.chars().enumerate() {
        if n > 0 && (text.len() - n).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
