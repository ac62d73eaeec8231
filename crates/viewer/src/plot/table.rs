//! Tables, with marks that say whether a number is as expected.

use super::figure::{Plot, Width, escaped};
use super::matrix::Mark;
use std::fmt::{self, Write};

/// A table: names of columns, then rows.
///
/// ```
/// use smallscope_viewer::plot::{Cell, Mark, Table};
///
/// let table = Table::new("Runs", ["scope", "published", "measured"])
///     .row(["3", "41", "41"])
///     .row(["4".into(), "213".into(), Cell::from("212").marked(Mark::bad("one less than published"))]);
/// assert_eq!(table.to_string().lines().last(), Some("| 4 | 213 | 212 ✗ one less than published |"));
/// assert!(table.to_html().contains(r#"<td class="plot-bad plot-number""#));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

/// A text of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// What is written.
    pub text: String,
    /// Whether it is as expected.
    pub mark: Option<Mark>,
}

impl Cell {
    /// The same with a mark.
    pub fn marked(self, mark: Mark) -> Cell {
        Cell { mark: Some(mark), ..self }
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell { text, mark: None }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::from(text.to_owned())
    }
}

impl Table {
    /// A table without rows.
    pub fn new<N: Into<String>>(title: impl Into<String>, head: impl IntoIterator<Item = N>) -> Table {
        Table { title: title.into(), head: head.into_iter().map(Into::into).collect(), rows: vec![] }
    }

    /// Adds a row.
    pub fn row<C: Into<Cell>>(mut self, cells: impl IntoIterator<Item = C>) -> Table {
        self.rows.push(cells.into_iter().map(Into::into).collect());
        self
    }

    /// The table as an element of a page.
    pub fn to_html(&self) -> String {
        let mut html = String::from(r#"<table class="plot-table"><thead><tr>"#);
        // Names of columns stand as their numbers do.
        let is_numeric = |column: usize| {
            let mut cells = self.rows.iter().filter_map(|row| row.get(column)).filter(|c| !c.text.is_empty());
            cells.next().is_some_and(|first| is_number(&first.text))
                && cells.all(|cell| is_number(&cell.text))
        };
        for (i, name) in self.head.iter().enumerate() {
            let class = if is_numeric(i) { r#" class="plot-number""# } else { "" };
            let _ = write!(html, r#"<th scope="col"{class}>{}</th>"#, escaped(name));
        }
        html.push_str("</tr></thead><tbody>");
        for row in &self.rows {
            html.push_str("<tr>");
            row.iter().for_each(|cell| cell.write_html(&mut html));
            html.push_str("</tr>");
        }
        html + "</tbody></table>"
    }
}

impl Cell {
    fn write_html(&self, html: &mut String) {
        let tone = self.mark.as_ref().map(|mark| mark.tone.class());
        let number = is_number(&self.text).then_some("plot-number");
        let classes: Vec<&str> = tone.into_iter().chain(number).collect();
        html.push_str("<td");
        if !classes.is_empty() {
            let _ = write!(html, r#" class="{}""#, classes.join(" "));
        }
        let text = escaped(&self.text);
        let _ = match &self.mark {
            None => write!(html, ">{text}</td>"),
            Some(Mark { sign, hint, .. }) => {
                let (sign, hint) = (escaped(&sign.to_string()), escaped(hint));
                write!(
                    html,
                    r#" title="{hint}">{text}<span class="plot-sign" aria-hidden="true">{sign}</span><span class="plot-unseen"> {hint}</span></td>"#
                )
            }
        };
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.trim_start_matches(['-', '+', '<', '>', ' ']);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && !digits.contains(|c: char| c.is_alphabetic() && !matches!(c, 'e' | 's' | 'm' | 'k' | 'M' | 'B'))
}

impl Plot for Table {
    fn title(&self) -> &str {
        &self.title
    }

    fn draw(&self, _: Width, _: bool) -> Option<String> {
        None
    }

    fn table(&self) -> Table {
        self.clone()
    }
}

/// The table as Markdown.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written = |text: &str| text.replace('|', "\\|").replace('\n', " ");
        let names: Vec<String> = self.head.iter().map(|name| written(name)).collect();
        writeln!(f, "| {} |", names.join(" | "))?;
        writeln!(f, "|{}", "---|".repeat(names.len()))?;
        for row in &self.rows {
            let cells = row.iter().map(|Cell { text, mark }| match mark {
                Some(Mark { sign, hint, .. }) if !text.is_empty() => {
                    written(&format!("{text} {sign} {hint}"))
                }
                Some(Mark { hint, .. }) => written(hint),
                None => written(text),
            });
            writeln!(f, "| {} |", cells.collect::<Vec<_>>().join(" | "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_escaped_and_numbers_are_on_the_right() {
        let table = Table::new("t", ["a", "n"])
            .row([Cell::from("<b>|"), "1,200".into()])
            .row([Cell::from("x"), Cell::from("≥ 3").marked(Mark::neutral("\"about\""))]);
        let html = table.to_html();
        assert!(html.contains("<td>&lt;b&gt;|</td>"), "{html}");
        assert!(html.contains(r#"<td class="plot-number">1,200</td>"#), "{html}");
        assert!(html.contains(r#"title="&quot;about&quot;""#), "{html}");
        assert_eq!(table.to_string(), "| a | n |\n|---|---|\n| <b>\\| | 1,200 |\n| x | ≥ 3 ~ \"about\" |\n");
        for (text, expected) in
            [("3.5 s", true), ("12 MB", true), ("-4", true), ("2 of three", false), ("", false)]
        {
            assert_eq!(is_number(text), expected, "{text}");
        }
    }
}
