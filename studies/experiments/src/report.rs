//! One page with every table and drawing.

use crate::compare::{Compared, Mark, Pair};
use crate::experiment::{Drawing, Experiment, Work};
use crate::published::Source;
use crate::table::with_thousands;
use smallscope_viewer::STANDALONE_STYLE;
use smallscope_viewer::plot::{self, Cell, Plot, Report, Table, Width};

/// A page that needs nothing else: tables with both figures, notes and drawings.
pub fn html(results: &[(&Experiment, Compared)]) -> String {
    let count = |mark| results.iter().map(|(_, compared)| compared.count(mark)).sum::<usize>();
    let mut page = Report::new("Published figures, computed again").text(&format!(
        "Each cell has our figure, and the published one where it is not equal. Of the figures that have to be equal, {} are, {} \
         differ for a reason that a note gives, and {} differ without one. {} pairs are about other code or another machine, and {} \
         published figures are not computed yet.",
        count(Mark::Equal),
        count(Mark::Explained),
        count(Mark::Differs),
        count(Mark::Beside),
        count(Mark::NotComputed),
    ));
    for (experiment, compared) in results {
        page = section(page, experiment, compared);
    }
    page.to_html()
}

/// The charts, each under the name of its table: what `001/table-3` draws is in `001-table-3.svg`.
pub fn charts(results: &[(&Experiment, Compared)]) -> Vec<(String, String)> {
    let chart = |(experiment, compared): &(&Experiment, Compared)| match experiment.drawing?(compared) {
        Drawing::Chart(chart) if chart.series.iter().any(|line| !line.points.is_empty()) => {
            Some((format!("{}.svg", experiment.id.replace('/', "-")), chart.to_svg()))
        }
        _ => None,
    };
    results.iter().filter_map(chart).collect()
}

fn section(page: Report, experiment: &Experiment, compared: &Compared) -> Report {
    let source = Source::of(experiment.id);
    let mut page = page.heading(format!("{}: {}", experiment.id, experiment.title)).text(source.title);
    match &experiment.work {
        Work::Missing(why) if !compared.has_results() => {
            return page.text(&format!("Not reproduced yet: {why}."));
        }
        _ => {}
    }
    if !experiment.remark.is_empty() {
        page = page.text(experiment.remark);
    }
    page = page.figure(&table(experiment, compared));
    for (n, note) in compared.notes.iter().enumerate() {
        page = page.text(&format!("[{}] {note}", n + 1));
    }
    match experiment.drawing.map(|draw| draw(compared)) {
        Some(Drawing::Chart(chart)) if chart.series.iter().any(|line| !line.points.is_empty()) => {
            page.figure(&chart)
        }
        Some(Drawing::Pictures(pictures)) => page.figure(&Pictures { title: experiment.title, pictures }),
        _ => page,
    }
}

fn table(experiment: &Experiment, compared: &Compared) -> Table {
    let done = compared.rows.iter().filter(|row| row.seconds.is_some()).count();
    let place = if compared.place.is_empty() { "no published figures" } else { compared.place };
    let title = format!("{} ({place}); {done} of {} rows computed", experiment.title, compared.rows.len());
    let head = std::iter::once("").chain(compared.columns.iter().map(|column| column.name));
    let mut table = Table::new(title, head);
    for row in &compared.rows {
        let name = Cell::from(row.name.as_str());
        table = table.row(std::iter::once(name).chain(row.pairs.iter().map(cell)));
    }
    table
}

fn cell(pair: &Pair) -> Cell {
    let paper = with_thousands(pair.paper.as_deref().unwrap_or_default());
    let ours = with_thousands(pair.ours.as_deref().unwrap_or_default());
    let marked = |text: String, mark: plot::Mark, sign| Cell::from(text).marked(plot::Mark { sign, ..mark });
    match (pair.mark, pair.note) {
        (Mark::Equal, _) => marked(ours, plot::Mark::good("as published"), '='),
        (Mark::Explained, Some(note)) => {
            let hint = format!("published: {paper}; note {note} says why it differs");
            marked(format!("{ours} ({paper}) [{note}]"), plot::Mark::neutral(hint), '≠')
        }
        (Mark::Differs | Mark::Explained, _) => {
            let hint = format!("published: {paper}");
            marked(format!("{ours} ({paper})"), plot::Mark::bad(hint), '≠')
        }
        (Mark::Beside, _) => format!("{ours} ({paper})").into(),
        (Mark::NotComputed, _) => format!("({paper})").into(),
        (Mark::NoCounterpart, _) => ours.into(),
        (Mark::Empty, _) => "".into(),
    }
}

/// Drawings of values, each with its number.
struct Pictures {
    title: &'static str,
    pictures: Vec<(String, String)>,
}

impl Plot for Pictures {
    fn title(&self) -> &str {
        self.title
    }

    fn draw(&self, _: Width, _: bool) -> Option<String> {
        let drawings: String = self.pictures.iter().map(|(_, svg)| svg.as_str()).collect();
        Some(format!(
            "<style>{STANDALONE_STYLE}</style>\
             <div style=\"display: flex; flex-wrap: wrap; gap: 12px; background: #fff\">{drawings}</div>"
        ))
    }

    fn table(&self) -> Table {
        Table::new(self.title, ["number"]).row([self.pictures.len().to_string()])
    }
}
