//! The page of a report: plots of what `mutate`, `count`, `run` and `sequences` print with `--json`. A file may have several
//! objects, one after the other, of the same or of different commands.

mod kills;

use super::served::{Parameters, Subject, safe};
use crate::problem::Problem;
use serde_json::{Value, json};
use smallscope_viewer::page::Page;
use smallscope_viewer::plot::{Axis, Chart, Plot, Point, Series};
use std::path::Path;

/// A report as plots.
pub(super) struct Report {
    title: String,
    plots: Vec<Box<dyn Plot + Sync>>,
    objects: usize,
}

/// Reads a report.
pub(super) fn read(file: &Path) -> Result<Report, Problem> {
    let unreadable = |error: String| Problem::file(format!("{} cannot be read: {error}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(error.to_string()))?;
    let objects: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(&text).into_iter().collect();
    let objects = objects.map_err(|error| unreadable(format!("it is no JSON: {error}")))?;
    let plots = plots(&objects);
    if plots.is_empty() {
        return Err(unreadable(
            "it has nothing to plot; write it with `--json` of `mutate`, `count`, `run`, `sequences run` or `sequences density`"
                .to_owned(),
        ));
    }
    let title = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Report { title, plots, objects: objects.len() })
}

impl Subject for Report {
    fn things(&self) -> &'static str {
        "plots"
    }

    fn page(&self) -> Result<Page, Problem> {
        let s = if self.objects == 1 { "" } else { "s" };
        let subtitle = format!("{} report{s}", self.objects);
        let plots: Vec<String> = self.plots.iter().map(|plot| plot.to_figure()).collect();
        let info = json!({ "kind": "plots", "plots": plots, "subtitle": subtitle, "known": 0 });
        Ok(Page { title: self.title.clone(), info: safe(&info), ..Page::default() })
    }

    fn answer(&self, _: &str, _: &Parameters<'_>) -> Option<Result<Value, Problem>> {
        None
    }

    fn file(&self, _: u64, _: &dyn Fn() -> bool) -> Result<(Page, u64, u64), Problem> {
        Ok((Page { values: Some(vec![]), ..self.page()? }, 0, 0))
    }
}

fn plots(objects: &[Value]) -> Vec<Box<dyn Plot + Sync>> {
    let of = |name: &str| objects.iter().filter(|object| object.get(name).is_some()).collect::<Vec<_>>();
    let mutants = of("mutants");
    let mut plots: Vec<Box<dyn Plot + Sync>> = vec![];
    // One report with a column for each value says it all.
    let is_by_value = |report: &&Value| report["values"].is_number();
    if mutants.len() > 1 || !mutants.iter().all(is_by_value) {
        plots.push(Box::new(kills::by_test(&mutants)));
    }
    for report in mutants.iter().filter(|report| is_by_value(report)) {
        plots.push(Box::new(kills::by_value(report)));
        plots.extend(kills::suites(report).map(|bars| Box::new(bars) as Box<dyn Plot + Sync>));
    }
    plots.extend(
        mutants.iter().filter_map(|report| {
            kills::by_scope(report).map(|chart| Box::new(chart) as Box<dyn Plot + Sync>)
        }),
    );
    let charts = [
        by_number(
            &mutants,
            "test",
            "Mutants by bound",
            &[("killed", "killed", 1.0), ("run", "mutants run", 1.0)],
        ),
        by_number(
            &of("valid"),
            "structure",
            "Values by bound",
            &[("valid", "values", 1.0), ("explored", "candidates", 1.0)],
        ),
        by_number(&of("valid"), "structure", "Time by bound", &[("seconds", "milliseconds", 1000.0)]),
        coverage(&of("code_coverage"), "Coverage by length", "length"),
        coverage(&of("code_coverage"), "Coverage by distinct calls", "distinct_calls"),
    ];
    let densities = of("lengths").into_iter().flat_map(densities);
    for chart in charts.into_iter().flatten().chain(densities) {
        plots.push(Box::new(chart));
    }
    plots
}

fn text<'a>(object: &'a Value, name: &str) -> &'a str {
    object[name].as_str().unwrap_or_default()
}

/// Lines over the bound of each report, one for each subject and column; none if no subject has two bounds.
fn by_number(reports: &[&Value], subject: &str, title: &str, columns: &[(&str, &str, f64)]) -> Option<Chart> {
    let is_count = columns.iter().all(|(key, ..)| ["killed", "run"].contains(key));
    let unit = if let [(_, "milliseconds", _)] = columns { "milliseconds" } else { "number" };
    let vertical = if is_count { Axis::linear(unit) } else { Axis::decimal(unit) };
    let chart = Chart::new(title, Axis::linear("scope, size or length"), vertical);
    lines(chart, reports, |report| name_of(report, subject), number_of, columns)
}

/// What call sequences cover, by their length or by how many distinct calls the pools allow. A line has one number for the
/// other.
fn coverage(reports: &[&Value], title: &str, axis: &str) -> Option<Chart> {
    let (label, name): (_, fn(&Value) -> String) = match axis {
        "length" => {
            ("length", |report| format!("{}, {} calls", text(report, "test"), report["distinct_calls"]))
        }
        _ => ("distinct calls", |report| format!("{}, length {}", text(report, "test"), report["length"])),
    };
    let chart = Chart::new(title, Axis::linear(label), Axis::linear("targets"));
    let number = |report: &Value| report[axis].as_f64();
    let chart = lines(chart, reports, name, number, &[("covered", "covered", 1.0)])?;
    lines(chart, reports, |report| text(report, "test").to_owned(), number, &[("total", "all targets", 1.0)])
}

/// Adds a line for each name and column that has two numbers; none if there is none.
fn lines(
    mut chart: Chart,
    reports: &[&Value],
    name: impl Fn(&Value) -> String,
    number: impl Fn(&Value) -> Option<f64>,
    columns: &[(&str, &str, f64)],
) -> Option<Chart> {
    let mut names: Vec<String> = reports.iter().map(|report| name(report)).collect();
    names.sort();
    names.dedup();
    for subject_name in &names {
        let of_subject = || reports.iter().filter(|report| name(report) == *subject_name);
        for (key, label, factor) in columns {
            let mut points: Vec<Point> = of_subject()
                .filter_map(|report| Some(Point::new(number(report)?, factor * column(report, key)?)))
                .collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            points.dedup_by(|a, b| a.x == b.x && a.y == b.y);
            if points.windows(2).any(|pair| pair[0].x < pair[1].x) {
                chart = chart.line(Series::new(format!("{subject_name}: {label}"), points));
            }
        }
    }
    (!chart.series.is_empty()).then_some(chart)
}

fn name_of(report: &Value, subject: &str) -> String {
    match report["engine"].as_str() {
        Some(engine) => format!("{}, {engine}", text(report, subject)),
        None => text(report, subject).to_owned(),
    }
}

/// The number of the bound: a scope, a size or a length.
fn number_of(report: &Value) -> Option<f64> {
    let named = ["scope", "length", "max_length"].iter().find_map(|name| report[*name].as_f64());
    named.or_else(|| text(report, "bound").rsplit(' ').next()?.parse().ok())
}

fn column(report: &Value, key: &str) -> Option<f64> {
    match key {
        "covered" | "total" => report["code_coverage"][key].as_f64(),
        "run" => {
            let mutants = report["mutants"].as_array()?;
            let is_run = |mutant: &&Value| !["never run", "marked"].contains(&text(mutant, "verdict"));
            Some(mutants.iter().filter(is_run).count() as f64)
        }
        key => report[key].as_f64(),
    }
}

/// Failure densities by the length of tests.
fn densities(report: &Value) -> Vec<Chart> {
    let rows = report["lengths"].as_array().map_or(&[][..], |rows| rows);
    let points = |key: &str| -> Vec<Point> {
        let point = |row: &Value| Some(Point::new(row["length"].as_f64()?, row[key].as_f64()?));
        rows.iter().filter_map(point).collect()
    };
    let of = format!("{} calls, {} of which fail together", report["calls"], report["failing"]);
    // The second is far smaller than the first, and its greatest value is what matters.
    let whole =
        Chart::new(format!("Failure densities of {of}"), Axis::linear("length"), Axis::linear("density"))
            .line(Series::new("density", points("density")));
    let title = format!("Failure densities per call, of {of}");
    let per_call = Chart::new(title, Axis::linear("length"), Axis::linear("density per call"))
        .line(Series::new("density per call", points("density_per_call")));
    let mark = |chart: Chart| match report["best_length"].as_f64() {
        Some(best) => chart.mark(best, format!("best: {best}")),
        None => chart,
    };
    vec![whole, mark(per_call)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutants(bound: &str, second: &str) -> Value {
        let mutant = |id: &str, verdict: &str| json!({"id": id, "function": "insert", "line": 7, "before": "<", "after": "<=", "verdict": verdict});
        json!({"test": "works", "bound": bound, "killed": 1, "mutants": [mutant("a", "killed"), mutant("b", second)]})
    }

    #[test]
    fn mutants_of_several_bounds_are_a_matrix_and_a_chart() {
        let plots = plots(&[mutants("scope 2", "never run"), mutants("scope 3", "undecided")]);
        let titles: Vec<&str> = plots.iter().map(|plot| plot.title()).collect();
        assert_eq!(titles.len(), 2, "{titles:?}");
        let tables: Vec<String> = plots.iter().map(|plot| plot.table().to_string()).collect();
        assert_eq!(tables[0].lines().next(), Some("|  | scope 2: works | scope 3: works |"));
        assert_eq!(tables[0].lines().last(), Some("| insert:7 < → <= | never run | undecided |"));
        assert!(tables[1].ends_with("| 2 | 1 | 1 |\n| 3 | 1 | 2 |\n"), "{}", tables[1]);
    }

    #[test]
    fn coverage_is_drawn_by_length_and_by_calls() {
        let run = |length: u32, calls: u32, covered: u32| json!({"test": "map", "length": length, "distinct_calls": calls, "code_coverage": {"covered": covered, "total": 9}});
        let plots = plots(&[run(2, 5, 3), run(3, 5, 4), run(3, 8, 7)]);
        let titles: Vec<&str> = plots.iter().map(|plot| plot.title()).collect();
        assert_eq!(titles, ["Coverage by length", "Coverage by distinct calls"]);
        let tables: Vec<String> = plots.iter().map(|plot| plot.table().to_string()).collect();
        assert!(tables[0].ends_with("| 2 | 3 | 9 |\n| 3 | 4 | 9 |\n"), "{}", tables[0]);
        assert!(tables[1].ends_with("| 5 | 4 | 9 |\n| 8 | 7 | 9 |\n"), "{}", tables[1]);
        assert!(tables[1].contains("map, length 3: covered"), "{}", tables[1]);
    }

    #[test]
    fn other_reports_are_charts() {
        let count = |scope: u32| json!({"structure": "tree", "engine": "lazy", "scope": scope, "valid": 3 * scope, "explored": 9, "seconds": 0.5});
        let density = json!({"calls": 4, "failing": 2, "lengths": [{"length": 1, "density": 0.5, "density_per_call": 0.5}], "best_length": 1});
        let plots_of_all = plots(&[count(1), count(2), density]);
        let titles: Vec<&str> = plots_of_all.iter().map(|plot| plot.title()).collect();
        let densities = "Failure densities of 4 calls, 2 of which fail together";
        let per_call = "Failure densities per call, of 4 calls, 2 of which fail together";
        assert_eq!(titles, ["Values by bound", "Time by bound", densities, per_call]);
        assert!(plots(&[json!({"other": 1})]).is_empty());
        assert!(plots(&[count(1)]).is_empty(), "one bound is no line");
    }
}
