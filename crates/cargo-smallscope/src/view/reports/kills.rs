//! Matrices of killed mutants: by test, and by value.

use super::text;
use serde_json::Value;
use smallscope_viewer::plot::{Axis, Bars, Chart, Mark, Matrix, Point, Series, Tone};

/// How many columns a matrix has at most. More values share columns.
const MOST_COLUMNS: u64 = 60;

/// Longer code is cut off.
const LONGEST: usize = 22;

/// How many rows a matrix has at most.
const MOST_ROWS: usize = 300;

/// Which tests kill which mutants.
pub(super) fn by_test(reports: &[&Value]) -> Matrix {
    let mut rows: Vec<(&str, String, Vec<Option<Mark>>)> = vec![];
    for (column, report) in reports.iter().enumerate() {
        for mutant in report["mutants"].as_array().into_iter().flatten() {
            let id = text(mutant, "id");
            let at = rows.iter().position(|(known, ..)| *known == id).unwrap_or_else(|| {
                rows.push((id, name(mutant), vec![None; reports.len()]));
                rows.len() - 1
            });
            rows[at].2[column] = Some(mark(mutant));
        }
    }
    let columns = reports
        .iter()
        .map(|report| format!("{}: {}", text(report, "bound"), last_part(text(report, "test"))));
    Matrix {
        title: "Which test kills which mutant (× killed, ? survives, = equivalent, – never run)".to_owned(),
        columns: columns.collect(),
        rows: rows.into_iter().take(MOST_ROWS).map(|(_, name, marks)| (name, marks)).collect(),
    }
}

fn mark(mutant: &Value) -> Mark {
    let verdict = text(mutant, "verdict");
    let (sign, tone) = match verdict {
        "killed" => ('×', Tone::Good),
        "equivalent" => ('=', Tone::Neutral),
        "never run" => ('–', Tone::Bad),
        "marked" => ('m', Tone::Neutral),
        _ => ('?', Tone::Bad),
    };
    let how = [text(mutant, "how"), text(mutant, "coverage"), text(mutant, "reason")];
    let how = how.into_iter().find(|how| !how.is_empty()).map(|how| format!(", {how}")).unwrap_or_default();
    Mark { sign, tone, hint: format!("{verdict}{how}") }
}

/// A mutant in words.
fn name(mutant: &Value) -> String {
    let [before, after] = ["before", "after"].map(|key| one_line(text(mutant, key)));
    // What is the same in both says little.
    let same = before.chars().zip(after.chars()).take_while(|(a, b)| a == b).count();
    let skipped =
        if before.chars().count().max(after.chars().count()) > LONGEST { same.saturating_sub(8) } else { 0 };
    let [before, after] = [before, after].map(|text| part(&text, skipped));
    let after = if after.is_empty() { "nothing".to_owned() } else { after };
    format!("{}:{} {before} → {after}", last_part(text(mutant, "function")), mutant["line"])
}

/// A text without its beginning, cut off where it is too long.
fn part(text: &str, skipped: usize) -> String {
    let rest: Vec<char> = text.chars().skip(skipped).collect();
    let kept: String = rest.iter().take(LONGEST).collect();
    let (before, behind) = (if skipped > 0 { "…" } else { "" }, if rest.len() > LONGEST { "…" } else { "" });
    format!("{before}{kept}{behind}")
}

/// A name without the path to it.
fn last_part(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Which values of one test kill which mutants, of a report with `--matrix`.
pub(super) fn by_value(report: &Value) -> Matrix {
    let values = report["values"].as_u64().unwrap_or(0);
    let each = values.div_ceil(MOST_COLUMNS).max(1);
    let first_and_last = |column: u64| (1 + column * each, values.min((column + 1) * each));
    let minimal: Vec<u64> = {
        let values = report["minimal"]["values"].as_array().into_iter().flatten();
        values.filter_map(|value| value["number"].as_u64()).collect()
    };
    let columns = (0..values.div_ceil(each)).map(|column| {
        let (first, last) = first_and_last(column);
        let name = if first == last { format!("value {first}") } else { format!("{first} to {last}") };
        let is_minimal = minimal.iter().any(|number| (first..=last).contains(number));
        if is_minimal { format!("{name} *") } else { name }
    });
    let mut rows = vec![];
    for mutant in report["mutants"].as_array().into_iter().flatten().take(MOST_ROWS) {
        let ranges: Vec<(u64, u64)> = {
            let ranges = mutant["kills"].as_array().into_iter().flatten();
            ranges.filter_map(|range| Some((range[0].as_u64()?, range[1].as_u64()?))).collect()
        };
        let killed = |first: u64, last: u64| -> u64 {
            ranges.iter().map(|&(from, to)| (to.min(last) + 1).saturating_sub(from.max(first))).sum()
        };
        let mark_of = |column: u64| {
            let (first, last) = first_and_last(column);
            let (count, all) = (killed(first, last), last + 1 - first);
            let hint = if all == 1 { "kills".to_owned() } else { format!("{count} of {all} kill") };
            let sign = if count == all { '×' } else { '/' };
            (count > 0).then_some(Mark { sign, tone: Tone::Good, hint })
        };
        let mut marks = vec![Some(mark(mutant))];
        marks.extend((0..values.div_ceil(each)).map(mark_of));
        rows.push((name(mutant), marks));
    }
    let some = if each > 1 { ", / some of them do" } else { "" };
    let chosen = if minimal.is_empty() { "" } else { "; * the fewest values that kill as much as all" };
    Matrix {
        title: format!(
            "Which value kills which mutant: {}, {} (× kills{some}{chosen})",
            text(report, "test"),
            text(report, "bound")
        ),
        columns: ["verdict".to_owned()].into_iter().chain(columns).collect(),
        rows,
    }
}

/// What parts of the values kill, beside random values of the same number.
pub(super) fn suites(report: &Value) -> Option<Bars> {
    let suites = report["suites"].as_array().filter(|suites| !suites.is_empty())?;
    let title = format!("Mutants killed by parts of the values: {}", text(report, "test"));
    let bars =
        Bars::new(title, Axis::linear("mutants killed"), ["the suite", "random values of the same number"]);
    Some(suites.iter().fold(bars, |bars, suite| {
        let name = format!("{} ({})", text(suite, "name"), suite["size"]);
        bars.bar(name, [suite["killed"].as_f64(), suite["random"].as_f64()])
    }))
}

/// Mutants that are reached and killed by the scope of the values.
pub(super) fn by_scope(report: &Value) -> Option<Chart> {
    let rows = report["scopes"]["up_to"].as_array().filter(|rows| rows.len() > 1)?;
    let line = |key: &str, name: &str| {
        let point = |row: &Value| Some(Point::new(row["scope"].as_f64()?, row[key].as_f64()?));
        Series::new(name, rows.iter().filter_map(point)).with_dots()
    };
    let title = format!("Mutants by scope: {}, {}", text(report, "test"), text(report, "bound"));
    let chart = Chart::new(title, Axis::linear("scope"), Axis::linear("mutants"));
    Some(chart.line(line("reached", "whose code is reached")).line(line("killed", "killed")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use smallscope_viewer::plot::Plot;

    fn report(values: u64, kills: Value) -> Value {
        let mutant = |id: &str, kills: Value| json!({"id": id, "function": "insert", "line": 7, "before": "<", "after": "<=", "verdict": "killed", "kills": kills});
        json!({"test": "works", "bound": "scope 3", "values": values, "minimal": {"values": [{"number": 2}]},
            "mutants": [mutant("a", kills), mutant("b", json!([]))],
            "suites": [{"name": "all", "size": values, "killed": 1, "random": null}],
            "scopes": {"up_to": [{"scope": 0, "killed": 0, "reached": 1}, {"scope": 1, "killed": 1, "reached": 2}]}})
    }

    #[test]
    fn every_value_has_a_column() {
        let few = by_value(&report(4, json!([[1, 2], [4, 4]]))).table().to_string();
        let rows: Vec<&str> = few.lines().collect();
        assert_eq!(rows[0], "|  | verdict | value 1 | value 2 * | value 3 | value 4 |");
        assert_eq!(rows[2], "| insert:7 < → <= | killed | kills | kills |  | kills |");
        assert_eq!(rows[3], "| insert:7 < → <= | killed |  |  |  |  |");
    }

    #[test]
    fn names_show_what_differs() {
        let of = |before: &str, after: &str| {
            name(&json!({"function": "a::Set::insert", "line": 3, "before": before, "after": after}))
        };
        assert_eq!(of("a < b", "a <= b"), "insert:3 a < b → a <= b");
        assert_eq!(of("x += 1;", ""), "insert:3 x += 1; → nothing");
        let long =
            of("at < self.items.len() && self.items[at] < x", "at < self.items.len() || self.items[at] < x");
        assert_eq!(long, "insert:3 …s.len() && self.items[… → …s.len() || self.items[…");
    }

    #[test]
    fn many_values_share_columns() {
        let many = by_value(&report(1_000_003, json!([[1, 1], [16_668, 33_334], [1_000_003, 1_000_003]])));
        assert_eq!(many.columns.len(), 61);
        let signs: Vec<Option<char>> =
            many.rows[0].1.iter().skip(1).map(|mark| mark.as_ref().map(|mark| mark.sign)).collect();
        assert_eq!(signs.len(), 60);
        assert_eq!((signs[0], signs[1], signs[2], signs[59]), (Some('/'), Some('×'), None, Some('/')));
        assert_eq!(many.columns[60], "983354 to 1000003");
    }

    #[test]
    fn suites_and_scopes_are_plots() {
        let report = report(4, json!([[1, 1]]));
        assert_eq!(suites(&report).unwrap().to_string().lines().last(), Some("| all (4) | 1 |  |"));
        assert_eq!(by_scope(&report).unwrap().to_string().lines().last(), Some("| 1 | 2 | 1 |"));
        assert!(suites(&json!({})).is_none() && by_scope(&json!({})).is_none());
    }
}
