//! One page with every table and drawing.

use crate::compare::{Compared, Mark, Pair};
use crate::experiment::{Drawing, Experiment, Work};
use crate::published::Source;
use crate::table::with_thousands;
use smallscope_viewer::STANDALONE_STYLE;
use std::fmt::{self, Write};

/// A page that needs nothing else: tables with both figures, notes and drawings.
pub fn html(results: &[(&Experiment, Compared)]) -> String {
    let mut page = String::new();
    // Writing to a string does not fail.
    let _ = write_page(&mut page, results);
    page
}

fn write_page(page: &mut String, results: &[(&Experiment, Compared)]) -> fmt::Result {
    writeln!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Published figures, computed again</title>\n<style>{STYLE}{STANDALONE_STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>Published figures, computed again</h1>"
    )?;
    summary(page, results)?;
    let mut source = "";
    for (experiment, compared) in results {
        let from = Source::of(experiment.id);
        if from.id != source {
            source = from.id;
            writeln!(page, "<h2 id=\"{}\">{}</h2>", from.id, escaped(from.title))?;
        }
        section(page, experiment, compared)?;
    }
    writeln!(page, "</main>\n</body>\n</html>")
}

fn summary(page: &mut String, results: &[(&Experiment, Compared)]) -> fmt::Result {
    let count = |mark| results.iter().map(|(_, compared)| compared.count(mark)).sum::<usize>();
    writeln!(
        page,
        "<p>Each cell has our figure; under it, where it is not equal, the published one. Of the figures that have to be \
         equal, {} are <span class=\"equal\">=</span>, {} differ for a reason that a note gives \
         (<span class=\"explained\">≠</span>), {} differ without one (<span class=\"differs\">≠</span>). {} pairs are about \
         other code or another machine (<span class=\"beside\">~</span>), and {} published figures are not computed yet.</p>",
        count(Mark::Equal),
        count(Mark::Explained),
        count(Mark::Differs),
        count(Mark::Beside),
        count(Mark::NotComputed),
    )?;
    writeln!(page, "<nav><ul>")?;
    for (experiment, compared) in results {
        let state = match &experiment.work {
            Work::Missing(_) => "not reproduced yet".to_owned(),
            Work::Ready(_) => {
                let done = compared.rows.iter().filter(|row| row.seconds.is_some()).count();
                format!("{done} of {} rows", compared.rows.len())
            }
        };
        writeln!(
            page,
            "<li><a href=\"#{0}\">{0}</a> {1} <small>({state})</small></li>",
            experiment.id,
            escaped(experiment.title)
        )?;
    }
    writeln!(page, "</ul></nav>")
}

fn section(page: &mut String, experiment: &Experiment, compared: &Compared) -> fmt::Result {
    writeln!(page, "<section id=\"{0}\">\n<h3>{0}: {1}</h3>", experiment.id, escaped(experiment.title))?;
    if let Work::Missing(why) = &experiment.work {
        return writeln!(page, "<p class=\"missing\">Not reproduced yet: {}</p>\n</section>", escaped(why));
    }
    if !compared.place.is_empty() {
        writeln!(page, "<p><small>Published in: {}.</small></p>", escaped(compared.place))?;
    }
    writeln!(page, "<div class=\"scroll\"><table>\n<thead><tr><th></th>")?;
    for column in &compared.columns {
        writeln!(page, "<th>{}</th>", escaped(column.name))?;
    }
    writeln!(page, "</tr></thead>\n<tbody>")?;
    for row in &compared.rows {
        writeln!(page, "<tr><th>{}</th>", escaped(&row.name))?;
        for pair in &row.pairs {
            cell(page, pair)?;
        }
        writeln!(page, "</tr>")?;
    }
    writeln!(page, "</tbody></table></div>")?;
    if !experiment.remark.is_empty() {
        writeln!(page, "<p>{}</p>", escaped(experiment.remark))?;
    }
    if !compared.notes.is_empty() {
        writeln!(page, "<ol class=\"notes\">")?;
        for note in &compared.notes {
            writeln!(page, "<li>{}</li>", escaped(note))?;
        }
        writeln!(page, "</ol>")?;
    }
    match experiment.drawing.map(|draw| draw(compared)) {
        Some(Drawing::Chart(chart)) if chart.series.iter().any(|line| !line.points.is_empty()) => {
            writeln!(page, "<figure class=\"chart\">{}</figure>", chart.to_svg())?;
        }
        Some(Drawing::Pictures(pictures)) => {
            writeln!(page, "<div class=\"pictures\">")?;
            for (caption, svg) in pictures {
                writeln!(page, "<figure>{svg}<figcaption>{}</figcaption></figure>", escaped(&caption))?;
            }
            writeln!(page, "</div>")?;
        }
        _ => {}
    }
    writeln!(page, "</section>")
}

fn cell(page: &mut String, pair: &Pair) -> fmt::Result {
    let paper = escaped(&with_thousands(pair.paper.as_deref().unwrap_or_default()));
    let ours = escaped(&with_thousands(pair.ours.as_deref().unwrap_or_default()));
    let (class, sign) = (class(pair.mark), pair.mark.sign());
    match (pair.mark, pair.note) {
        (Mark::Equal, _) => writeln!(page, "<td class=\"{class}\">{ours} {sign}</td>"),
        (Mark::Explained, Some(note)) => {
            writeln!(
                page,
                "<td class=\"{class}\">{ours} {sign}<br><small>{paper} <sup>{note}</sup></small></td>"
            )
        }
        (Mark::NotComputed, _) => writeln!(page, "<td class=\"{class}\"><small>{paper}</small></td>"),
        (Mark::NoCounterpart, _) => writeln!(page, "<td class=\"{class}\">{ours}</td>"),
        (Mark::Empty, _) => writeln!(page, "<td></td>"),
        _ => writeln!(page, "<td class=\"{class}\">{ours} {sign}<br><small>{paper}</small></td>"),
    }
}

fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Equal => "equal",
        Mark::Explained => "explained",
        Mark::Differs => "differs",
        Mark::Beside => "beside",
        Mark::NoCounterpart => "ours",
        Mark::NotComputed => "open",
        Mark::Empty => "",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const STYLE: &str = "
:root { color-scheme: light dark; --line: #ccc; --soft: #666; --good: #176b2c; --bad: #b00020; --note: #8a5a00; }
@media (prefers-color-scheme: dark) {
  :root { --line: #444; --soft: #aaa; --good: #6cc484; --bad: #ff8a80; --note: #e0b050; }
  figure.chart svg, .pictures svg { filter: invert(1) hue-rotate(180deg); }
}
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
h2 { margin-top: 3rem; font-size: 1.2rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; margin-top: 2rem; }
nav ul { columns: 22rem; padding-left: 1.2rem; }
small, figcaption { color: var(--soft); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: 0.25rem 0.6rem; text-align: right; vertical-align: top; }
th:first-child { text-align: left; }
thead th { vertical-align: bottom; font-weight: 600; font-size: 0.85rem; max-width: 8rem; }
tbody th { font-weight: 400; white-space: nowrap; }
.equal { color: var(--good); }
.explained { color: var(--note); }
.differs { color: var(--bad); }
.missing { color: var(--note); }
.notes { font-size: 0.9rem; }
figure { margin: 1rem 0; }
figure.chart svg { max-width: 44rem; width: 100%; height: auto; }
.pictures { display: flex; flex-wrap: wrap; gap: 1rem; }
.pictures svg { max-width: 12rem; height: auto; }
@media print { nav { display: none; } section { break-inside: avoid; } body { font-size: 10pt; } .scroll { overflow: visible; } }
";
