//! Tables of marks: which test kills which mutant.

use super::figure::{Plot, Width, begin, cut, drawn, escaped, text, upright, width_of};
use super::table::Table;
use std::fmt::{self, Write};

const CELL: f64 = 22.0;
/// Longer names are cut off; the whole name is a hint.
const LONGEST: f64 = 400.0;
/// The same on a phone.
const LONGEST_NARROW: f64 = 170.0;

/// Rows and columns, with a mark where they meet.
///
/// ```
/// use smallscope_viewer::plot::{Mark, Matrix, Plot, Tone};
///
/// let killed = Some(Mark { sign: '×', tone: Tone::Good, hint: "killed".to_owned() });
/// let matrix = Matrix {
///     title: "Kills".to_owned(),
///     columns: vec!["insert".to_owned(), "remove".to_owned()],
///     rows: vec![("a < b became a <= b".to_owned(), vec![killed, None])],
/// };
/// assert!(matrix.to_svg().contains("a &lt; b became a &lt;= b"));
/// assert_eq!(matrix.to_string().lines().last(), Some("| a < b became a <= b | killed |  |"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    /// What it shows.
    pub title: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The names of the rows, with a mark for each column, or none.
    pub rows: Vec<(String, Vec<Option<Mark>>)>,
}

/// A mark, which is a sign as well as a colour.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// What is written.
    pub sign: char,
    /// How it looks.
    pub tone: Tone,
    /// What it means, in words.
    pub hint: String,
}

/// How a mark looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// As it should be.
    Good,
    /// To be looked at.
    Bad,
    /// Neither.
    Neutral,
}

impl Mark {
    /// As it should be.
    pub fn good(hint: impl Into<String>) -> Mark {
        Mark { sign: '✓', tone: Tone::Good, hint: hint.into() }
    }

    /// To be looked at.
    pub fn bad(hint: impl Into<String>) -> Mark {
        Mark { sign: '✗', tone: Tone::Bad, hint: hint.into() }
    }

    /// Neither.
    pub fn neutral(hint: impl Into<String>) -> Mark {
        Mark { sign: '~', tone: Tone::Neutral, hint: hint.into() }
    }

    fn write_svg(&self, svg: &mut String, (x, y): (f64, f64), hint: &str) -> fmt::Result {
        let fill = match self.tone {
            Tone::Good => "#cfe8d5",
            Tone::Bad => "#f8cfc8",
            Tone::Neutral => "#e2e6ea",
        };
        let (side, class, hint) = (CELL - 2.0, self.tone.class(), escaped(hint));
        let (left, top) = (x + 1.0, y + 1.0);
        write!(
            svg,
            r#"<g><title>{hint}</title><rect class="{class}" x="{left:.1}" y="{top:.1}" width="{side}" height="{side}" rx="3" fill="{fill}"/>"#
        )?;
        text(svg, (x + CELL / 2.0, y + 15.0), "middle", &self.sign.to_string())?;
        writeln!(svg, "</g>")
    }
}

impl Tone {
    pub(super) fn class(self) -> &'static str {
        match self {
            Tone::Good => "plot-good",
            Tone::Bad => "plot-bad",
            Tone::Neutral => "plot-neutral",
        }
    }
}

impl Matrix {
    fn write_svg(&self, svg: &mut String, wide: Width, has_title: bool) -> fmt::Result {
        let most = if wide == Width::Wide { LONGEST } else { LONGEST_NARROW };
        let longest = |names: &mut dyn Iterator<Item = &String>| {
            names.map(|name| width_of(name).min(most)).fold(0.0, f64::max)
        };
        let left = 12.0 + longest(&mut self.rows.iter().map(|(name, _)| name));
        // Names of columns stand upright.
        let title = if has_title { 34.0 } else { 6.0 };
        let top = title + longest(&mut self.columns.iter()) + 10.0;
        let width = left + 20.0 + CELL * self.columns.len() as f64;
        let width = if has_title { width.max(20.0 + width_of(&self.title)) } else { width };
        begin(svg, &self.title, (width, top + CELL * self.rows.len() as f64 + 12.0))?;
        if has_title {
            text(svg, (10.0, 20.0), "start", &self.title)?;
        }
        for (i, name) in self.columns.iter().enumerate() {
            upright(svg, (left + 12.0 + CELL * (i as f64 + 0.5), top - 6.0), "start", &cut(name, most))?;
        }
        for (i, (name, marks)) in self.rows.iter().enumerate() {
            let y = top + CELL * i as f64;
            text(svg, (left, y + 15.0), "end", &cut(name, most))?;
            for (j, mark) in marks.iter().enumerate() {
                let Some(mark) = mark else { continue };
                let hint = format!("{name}, {}: {}", self.columns.get(j).map_or("", |c| c), mark.hint);
                mark.write_svg(svg, (left + 8.0 + CELL * j as f64, y), &hint)?;
            }
        }
        writeln!(svg, "</svg>")
    }
}

impl Plot for Matrix {
    fn title(&self) -> &str {
        &self.title
    }

    fn draw(&self, width: Width, has_title: bool) -> Option<String> {
        drawn(|svg| self.write_svg(svg, width, has_title))
    }

    /// What marks mean, in words.
    fn table(&self) -> Table {
        let head = [String::new()].into_iter().chain(self.columns.iter().cloned());
        self.rows.iter().fold(Table::new(&*self.title, head), |table, (name, marks)| {
            let hints =
                marks.iter().map(|mark| mark.as_ref().map_or(String::new(), |mark| mark.hint.clone()));
            table.row([name.clone()].into_iter().chain(hints))
        })
    }

    fn is_natural(&self) -> bool {
        true
    }
}

/// The table as text: what marks mean, in words.
impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)
    }
}
