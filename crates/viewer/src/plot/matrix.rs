//! Tables of marks: which test kills which mutant.

use super::{escaped, text, write_table};
use std::fmt::{self, Write};

const CELL: f64 = 22.0;
/// The width of a character.
const CHARACTER: f64 = 6.4;
const TOP: f64 = 34.0;
/// Longer names are cut off; the whole name is a hint.
const LONGEST: usize = 60;

/// Rows and columns, with a mark where they meet.
///
/// ```
/// use smallscope_viewer::plot::{Mark, Matrix, Tone};
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

impl Matrix {
    /// The table as an image.
    pub fn to_svg(&self) -> String {
        let mut svg = String::new();
        // Writing to a string does not fail.
        let _ = self.write_svg(&mut svg);
        svg
    }

    fn write_svg(&self, svg: &mut String) -> fmt::Result {
        let longest = |names: &mut dyn Iterator<Item = &String>| {
            names.map(|name| name.chars().count().min(LONGEST)).max().unwrap_or(0) as f64 * CHARACTER
        };
        let left = 12.0 + longest(&mut self.rows.iter().map(|(name, _)| name));
        // Names of columns stand upright.
        let top = TOP + longest(&mut self.columns.iter()) + 10.0;
        let title = 20.0 + self.title.chars().count() as f64 * CHARACTER;
        let width = (left + 20.0 + CELL * self.columns.len() as f64).max(title);
        let height = top + CELL * self.rows.len() as f64 + 12.0;
        writeln!(
            svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" font-family="sans-serif" font-size="12">"#
        )?;
        writeln!(svg, "<title>{}</title>", escaped(&self.title))?;
        writeln!(svg, r##"<rect width="{width:.0}" height="{height:.0}" fill="#fff"/>"##)?;
        text(svg, 10.0, 20.0, "start", &self.title)?;
        for (i, name) in self.columns.iter().enumerate() {
            let (x, y) = (left + 12.0 + CELL * (i as f64 + 0.5), top - 6.0);
            let name = escaped(&short(name));
            writeln!(
                svg,
                r#"<text x="{x:.1}" y="{y:.1}" transform="rotate(-90 {x:.1} {y:.1})">{name}</text>"#
            )?;
        }
        for (i, (name, marks)) in self.rows.iter().enumerate() {
            let y = top + CELL * i as f64;
            text(svg, left, y + 15.0, "end", &short(name))?;
            for (j, mark) in marks.iter().enumerate() {
                let Some(mark) = mark else { continue };
                let hint = format!("{name}, {}: {}", self.columns.get(j).map_or("", |c| c), mark.hint);
                mark.write_svg(svg, left + 8.0 + CELL * j as f64, y, &hint)?;
            }
        }
        writeln!(svg, "</svg>")
    }
}

impl Mark {
    fn write_svg(&self, svg: &mut String, x: f64, y: f64, hint: &str) -> fmt::Result {
        let fill = match self.tone {
            Tone::Good => "#cfe8d5",
            Tone::Bad => "#f8cfc8",
            Tone::Neutral => "#e6e9ec",
        };
        let (side, hint) = (CELL - 2.0, escaped(hint));
        write!(
            svg,
            r#"<g><title>{hint}</title><rect x="{:.1}" y="{:.1}" width="{side}" height="{side}" rx="3" fill="{fill}"/>"#,
            x + 1.0,
            y + 1.0
        )?;
        text(svg, x + CELL / 2.0, y + 15.0, "middle", &self.sign.to_string())?;
        writeln!(svg, "</g>")
    }
}

fn short(name: &str) -> String {
    match name.chars().count() > LONGEST {
        true => name.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => name.to_owned(),
    }
}

impl Matrix {
    /// The same in words: names of columns first, then a row for each row.
    pub fn table(&self) -> Vec<Vec<String>> {
        let mut table = vec![[String::new()].into_iter().chain(self.columns.iter().cloned()).collect()];
        for (name, marks) in &self.rows {
            let hints =
                marks.iter().map(|mark| mark.as_ref().map_or(String::new(), |mark| mark.hint.clone()));
            table.push([name.clone()].into_iter().chain(hints).collect());
        }
        table
    }
}

/// The table as text: what marks mean, in words.
impl fmt::Display for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_table(f, &self.table())
    }
}
