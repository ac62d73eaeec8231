//! An experiment: a table of a paper, and how its rows are computed.

use crate::compare::Compared;
use crate::published::Table;
use smallscope_support::hash::Fnv;
use smallscope_viewer::plot::Chart;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A table or a figure of a paper.
pub struct Experiment {
    /// The paper and the table: `001/table-6`.
    pub id: &'static str,
    /// A figure that draws the same numbers; empty if there is none.
    pub also: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// The rows, in the order of the paper.
    pub rows: Vec<Row>,
    /// How a row is computed.
    pub work: Work,
    /// A number that changes with what is computed, so that rows of older versions are computed again.
    pub version: u32,
    /// What readers should know about every row.
    pub remark: &'static str,
    /// A drawing of the result.
    pub drawing: Option<fn(&Compared) -> Drawing>,
}

/// A picture of a result.
pub enum Drawing {
    /// Lines over an axis.
    Chart(Chart),
    /// Pictures, each with a caption.
    Pictures(Vec<(String, String)>),
}

/// The cells of a row, by column.
pub type Cells = BTreeMap<String, String>;

/// How a row is computed.
pub type Compute = Box<dyn Fn(&str, &Watch<'_>) -> Result<Cells, Unfinished> + Send + Sync>;

/// Whether an experiment can be run.
pub enum Work {
    /// It can.
    Ready(Compute),
    /// It cannot yet, and why.
    Missing(&'static str),
}

/// A row that can be computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Its name, as in the paper.
    pub name: String,
    /// The work that it takes, in steps; about how many candidates are tried.
    pub steps: f64,
}

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What the two figures have to do with each other.
    pub kind: Kind,
}

/// What the figure of the paper and ours have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// They are about the same thing and have to be equal.
    Same,
    /// They are about other code or another machine: they stand side by side.
    Beside,
    /// The quotient of two other columns, such as of two times: only quotients of times can be compared between machines.
    Quotient(&'static str, &'static str),
}

impl Column {
    /// A column whose figures have to be equal.
    pub const fn same(name: &'static str) -> Column {
        Column { name, kind: Kind::Same }
    }

    /// A column whose figures stand side by side.
    pub const fn beside(name: &'static str) -> Column {
        Column { name, kind: Kind::Beside }
    }

    /// A column with quotients of two others.
    pub const fn quotient(name: &'static str, of: &'static str, by: &'static str) -> Column {
        Column { name, kind: Kind::Quotient(of, by) }
    }
}

/// Why a row has no result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfinished {
    /// The time was over, or the user stopped the run.
    Stopped,
    /// It failed.
    Failed(String),
}

impl Unfinished {
    /// A failure.
    pub fn because(why: impl std::fmt::Display) -> Unfinished {
        Unfinished::Failed(why.to_string())
    }
}

/// Says when to stop.
#[derive(Debug, Clone, Copy)]
pub struct Watch<'a> {
    /// The end of the time; none if there is no limit.
    pub end: Option<Instant>,
    /// Whether the user stopped the run.
    pub is_stopped: &'a AtomicBool,
}

impl Watch<'_> {
    /// Whether to stop.
    pub fn is_over(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed) || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// An error if it is time to stop.
    pub fn check(&self) -> Result<(), Unfinished> {
        if self.is_over() { Err(Unfinished::Stopped) } else { Ok(()) }
    }
}

impl Experiment {
    /// An experiment on the rows of the published table.
    pub fn new(id: &'static str, title: &'static str, columns: &[Column]) -> Experiment {
        let rows =
            Table::of(id).rows.iter().map(|name| Row { name: (*name).to_owned(), steps: 1.0 }).collect();
        let columns = columns.to_vec();
        let work = Work::Missing("");
        Experiment { id, also: "", title, columns, rows, work, version: 1, remark: "", drawing: None }
    }

    /// Sets how many steps each row takes.
    #[must_use]
    pub fn steps(mut self, steps: impl Fn(&Table, &str) -> f64) -> Experiment {
        let table = Table::of(self.id);
        self.rows.iter_mut().for_each(|row| row.steps = steps(&table, &row.name));
        self
    }

    /// Sets the rows, where they are not those of the paper.
    #[must_use]
    pub fn rows(mut self, rows: impl IntoIterator<Item = (String, f64)>) -> Experiment {
        self.rows = rows.into_iter().map(|(name, steps)| Row { name, steps }).collect();
        self
    }

    /// Sets how a row is computed.
    #[must_use]
    pub fn compute(
        mut self,
        compute: impl Fn(&str, &Watch<'_>) -> Result<Cells, Unfinished> + Send + Sync + 'static,
    ) -> Experiment {
        self.work = Work::Ready(Box::new(compute));
        self
    }

    /// Says why it cannot be run yet.
    #[must_use]
    pub fn missing(mut self, why: &'static str) -> Experiment {
        self.work = Work::Missing(why);
        self
    }

    /// Sets what readers should know about every row.
    #[must_use]
    pub fn remark(mut self, remark: &'static str) -> Experiment {
        self.remark = remark;
        self
    }

    /// Names the figure that draws the same numbers.
    #[must_use]
    pub fn also(mut self, figure: &'static str) -> Experiment {
        self.also = figure;
        self
    }

    /// Sets the drawing.
    #[must_use]
    pub fn drawing(mut self, drawing: fn(&Compared) -> Drawing) -> Experiment {
        self.drawing = Some(drawing);
        self
    }

    /// Identifies what a row computes. A kept result with another fingerprint is computed again.
    pub fn fingerprint(&self, row: &str) -> u64 {
        let mut hash = Fnv::new().add_text(env!("CARGO_PKG_VERSION")).add_text(self.id).add_text(row);
        hash = hash.add_bytes(&self.version.to_le_bytes());
        for column in &self.columns {
            hash = hash.add_text(column.name);
        }
        hash.value()
    }

    /// The name of its file of results, without a folder.
    pub fn file(&self) -> String {
        format!("{}.tsv", self.id.replace('/', "-"))
    }
}
