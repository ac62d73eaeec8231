//! A page of figures and texts, as one file.

use super::figure::{Plot, STYLE, escaped};
use std::fmt::Write;

const REPORT_STYLE: &str = include_str!("../../page/report.css");

/// A page with headings, texts and figures: one HTML file without scripts, which loads nothing. It is for screens of every
/// width, both themes, and paper. The same content gives the same bytes.
#[derive(Debug, Clone)]
pub struct Report {
    title: String,
    /// The headings so far.
    headings: Vec<String>,
    body: String,
}

impl Report {
    /// A page with a title only.
    pub fn new(title: impl Into<String>) -> Report {
        Report { title: title.into(), headings: vec![], body: String::new() }
    }

    /// Adds a heading. Links can lead to it: its identifier has its letters and digits.
    pub fn heading(mut self, text: impl Into<String>) -> Report {
        let text = text.into();
        let id = self.id(&text);
        let _ = write!(self.body, r##"<h2 id="{id}"><a href="#{id}">{}</a></h2>"##, escaped(&text));
        self.headings.push(text);
        self
    }

    /// Adds a paragraph of plain text.
    pub fn text(mut self, text: &str) -> Report {
        let _ = write!(self.body, "<p>{}</p>", escaped(text));
        self
    }

    /// Adds a plot or a table.
    pub fn figure(mut self, plot: &dyn Plot) -> Report {
        self.body += &plot.to_figure();
        self
    }

    /// An identifier that no heading so far has.
    fn id(&self, text: &str) -> String {
        let id = identifier(text);
        let same = self.headings.iter().filter(|known| identifier(known) == id).count();
        if same == 0 { id } else { format!("{id}-{}", same + 1) }
    }

    /// The page. With three headings or more, links to them are at its beginning.
    pub fn to_html(&self) -> String {
        let title = escaped(&self.title);
        let mut contents = String::new();
        if self.headings.len() > 2 {
            contents.push_str(r#"<nav aria-label="Contents"><ol>"#);
            let mut before = Report::new("");
            for heading in &self.headings {
                let _ = write!(
                    contents,
                    r##"<li><a href="#{}">{}</a></li>"##,
                    before.id(heading),
                    escaped(heading)
                );
                before.headings.push(heading.clone());
            }
            contents.push_str("</ol></nav>");
        }
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>{STYLE}{REPORT_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{contents}\n<main>{}</main>\n\
             </body>\n</html>\n",
            self.body
        )
    }
}

fn identifier(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Table;

    #[test]
    fn headings_have_different_identifiers_and_contents_lead_to_them() {
        let table = Table::new("t", ["a"]).row(["<script>"]);
        let page = Report::new("A & B")
            .heading("Table 1")
            .heading("Table 2")
            .figure(&table)
            .heading("table-1")
            .to_html();
        for id in ["table-1", "table-2", "table-1-2"] {
            assert_eq!(page.matches(&format!(r##"id="{id}""##)).count(), 1);
            assert_eq!(page.matches(&format!(r##"href="#{id}""##)).count(), 2);
        }
        assert!(page.contains("<h1>A &amp; B</h1>") && !page.contains("<script"), "{page}");
    }
}
