//! The published figures beside ours, with a mark for each pair.

use crate::experiment::{Column, Experiment, Kind};
use crate::published::Table;
use crate::results::Results;

/// What two figures have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// They are equal.
    Equal,
    /// They differ, and a note explains why.
    Explained,
    /// They differ, and no note says why.
    Differs,
    /// They are about other code or another machine.
    Beside,
    /// The paper has no such figure.
    NoCounterpart,
    /// The row was not computed yet.
    NotComputed,
    /// Neither has a figure.
    Empty,
}

impl Mark {
    /// A sign for it.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Equal => "=",
            Mark::Explained | Mark::Differs => "≠",
            Mark::Beside => "~",
            Mark::NoCounterpart | Mark::NotComputed | Mark::Empty => "",
        }
    }
}

/// A pair of figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The published one.
    pub paper: Option<String>,
    /// Ours.
    pub ours: Option<String>,
    /// How they compare.
    pub mark: Mark,
    /// The number of the note that explains a difference, counted from 1.
    pub note: Option<usize>,
}

/// A row with both figures.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedRow {
    /// Its name.
    pub name: String,
    /// By column.
    pub pairs: Vec<Pair>,
    /// How long it took to compute; none if it was not.
    pub seconds: Option<f64>,
}

/// A table with both figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The columns that are shown.
    pub columns: Vec<Column>,
    /// The rows.
    pub rows: Vec<ComparedRow>,
    /// Why figures differ.
    pub notes: Vec<String>,
    /// Where the paper has its figures.
    pub place: &'static str,
}

impl Compared {
    /// How many pairs have a mark.
    pub fn count(&self, mark: Mark) -> usize {
        self.rows.iter().flat_map(|row| &row.pairs).filter(|pair| pair.mark == mark).count()
    }

    /// Whether a row was computed, now or before.
    pub fn has_results(&self) -> bool {
        self.rows.iter().any(|row| row.seconds.is_some())
    }

    /// Numbers of a column: of the paper, and ours.
    pub fn numbers(&self, row: &ComparedRow, column: &str) -> (Option<f64>, Option<f64>) {
        let Some(at) = self.columns.iter().position(|c| c.name == column) else { return (None, None) };
        let number = |text: &Option<String>| text.as_ref().and_then(|text| text.parse().ok());
        (number(&row.pairs[at].paper), number(&row.pairs[at].ours))
    }
}

/// An explanation of a difference; `*` stands for every row or column.
struct Note {
    experiment: &'static str,
    row: &'static str,
    column: &'static str,
    text: &'static str,
}

fn notes() -> impl Iterator<Item = Note> {
    include_str!("../data/notes.tsv").lines().skip(1).map(|line| {
        let columns: Vec<&'static str> = line.split('\t').collect();
        let &[experiment, row, column, text] = &columns[..] else { panic!("four columns: {line}") };
        Note { experiment, row, column, text }
    })
}

fn explanation(experiment: &str, row: &str, column: &str) -> Option<&'static str> {
    let fits = |pattern: &str, name: &str| match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => pattern == name,
    };
    notes()
        .find(|note| note.experiment == experiment && fits(note.row, row) && fits(note.column, column))
        .map(|note| note.text)
}

/// Puts the published figures and ours side by side.
pub fn compare(experiment: &Experiment, results: &Results) -> Compared {
    let table = Table::of(experiment.id);
    let mut compared =
        Compared { columns: experiment.columns.clone(), rows: vec![], notes: vec![], place: table.place };
    for row in &experiment.rows {
        let computed = results.get(&row.name);
        let paper = |column: &str| table.get(&row.name, column).map(str::to_owned);
        let ours = |column: &str| computed.and_then(|computed| computed.cells.get(column).cloned());
        let pairs = experiment.columns.iter().map(|column| {
            let (paper, ours) = match column.kind {
                Kind::Quotient(of, by) => (quotient(paper(of), paper(by)), quotient(ours(of), ours(by))),
                Kind::Same | Kind::Beside => (paper(column.name), ours(column.name)),
            };
            let mut pair = Pair { mark: mark(column.kind, &paper, &ours), paper, ours, note: None };
            if pair.mark == Mark::Differs
                && let Some(text) = explanation(experiment.id, &row.name, column.name)
            {
                let known = compared.notes.iter().position(|note| note == text);
                pair.note = Some(
                    1 + known.unwrap_or_else(|| {
                        compared.notes.push(text.to_owned());
                        compared.notes.len() - 1
                    }),
                );
                pair.mark = Mark::Explained;
            }
            pair
        });
        let pairs = pairs.collect();
        compared.rows.push(ComparedRow {
            name: row.name.clone(),
            pairs,
            seconds: computed.map(|computed| computed.seconds),
        });
    }
    compared
}

fn mark(kind: Kind, paper: &Option<String>, ours: &Option<String>) -> Mark {
    match (paper, ours) {
        (None, None) => Mark::Empty,
        (Some(_), None) => Mark::NotComputed,
        (None, Some(_)) => Mark::NoCounterpart,
        (Some(_), Some(_)) if kind != Kind::Same => Mark::Beside,
        (Some(paper), Some(ours)) if paper == ours => Mark::Equal,
        (Some(_), Some(_)) => Mark::Differs,
    }
}

/// The quotient of two numbers with two significant digits.
fn quotient(of: Option<String>, by: Option<String>) -> Option<String> {
    let (of, by): (f64, f64) = (of?.parse().ok()?, by?.parse().ok()?);
    (by > 0.0).then(|| short(of / by))
}

/// A number with about three significant digits.
pub fn short(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 => format!("{number:.0}"),
        size if size >= 10.0 => format!("{number:.1}"),
        size if size >= 1.0 || size == 0.0 => format!("{number:.2}"),
        size if size >= 0.01 => format!("{number:.4}"),
        _ => format!("{number:.2e}"),
    }
}
