//! The result of `mutate`: as text, as JSON, and as annotations on GitHub.

use super::cli::MutateArgs;
use super::matrix::Row;
use super::verdict::{Kill, Verdict};
use super::{Judged, Results, print_matrix};
use crate::problem::note;
use serde_json::{Value, json};
use smallscope_runner::session::ListedMutant;
use smallscope_support::text::annotation;
use std::fmt::Write;

/// A mutant in one line.
pub(crate) fn listed(mutant: &ListedMutant) -> String {
    format!("{}  {}:{}  {}", mutant.id, mutant.file, mutant.line, change(mutant))
}

fn change(mutant: &ListedMutant) -> String {
    match mutant.after.as_str() {
        "" => format!("`{}` left out", mutant.before),
        after => format!("`{}` becomes `{after}`", mutant.before),
    }
}

fn count(results: &Results, is_meant: impl Fn(&Verdict) -> bool) -> usize {
    results.judged.iter().filter(|judged| is_meant(&judged.verdict)).count()
}

/// Killed mutants, and all that are not marked as equivalent.
fn score(results: &Results) -> (usize, usize) {
    let all = count(results, |verdict| !matches!(verdict, Verdict::Marked(_)));
    (count(results, Verdict::is_killed), all)
}

fn percent((killed, all): (usize, usize)) -> f64 {
    if all == 0 { 100.0 } else { (killed as f64 * 1000.0 / all as f64).floor() / 10.0 }
}

pub(crate) fn text(results: &Results, args: &MutateArgs) -> String {
    let mut out = String::new();
    let score = score(results);
    if results.judged.is_empty() {
        return format!(
            "`{}`: the diff changes no line with a mutant of the code that the test runs",
            results.test
        );
    }
    let values = match (results.is_calls, results.original.tested) {
        (false, 1) => "value",
        (false, _) => "values",
        (true, 1) => "call",
        (true, _) => "calls",
    };
    let _ = writeln!(
        out,
        "`{}`: {} of {} mutants killed ({:.1} %), by {} {values} ({})",
        results.test,
        score.0,
        score.1,
        percent(score),
        results.original.tested,
        results.original.coverage,
    );
    let up_to = format!(
        "equivalent up to {}: the test passes on {} there; a wider bound or a stricter test may kill them",
        results.original.bound,
        if results.is_calls { "everything" } else { "every value" }
    );
    section(&mut out, results, &up_to, |verdict| matches!(verdict, Verdict::Equivalent));
    section(
        &mut out,
        results,
        "not decided: a limit ended the run before all values were tried",
        |verdict| matches!(verdict, Verdict::Undecided(_)),
    );
    let never = match results.original.is_exhaustive {
        true => "never run: the test does not reach the changed code",
        false => "never run: the test does not reach the changed code on the values that were tried",
    };
    section(&mut out, results, never, |verdict| matches!(verdict, Verdict::NeverRun));
    section(&mut out, results, "marked as equivalent", |verdict| matches!(verdict, Verdict::Marked(_)));
    if args.killed || !args.mutant.is_empty() {
        section(
            &mut out,
            results,
            "killed, each with the first value on which the test fails",
            Verdict::is_killed,
        );
    }
    if args.by_scope || results.matrix.is_some() {
        out += &print_matrix::scopes(results);
    }
    if let Some(matrix) = &results.matrix {
        out += &print_matrix::suites(matrix);
    }
    for Judged { mutant, verdict, .. } in &results.judged {
        if !args.mutant.contains(&mutant.id) {
            continue;
        }
        if let Verdict::Killed(Kill { rust: Some(rust), .. }) = verdict {
            let _ = write!(out, "\nTo build that value for `{}` in a test:\n\n{rust}", mutant.id);
        }
    }
    out.trim_end().to_owned()
}

fn section(out: &mut String, results: &Results, title: &str, is_meant: impl Fn(&Verdict) -> bool) {
    let mutants: Vec<_> = results.judged.iter().filter(|judged| is_meant(&judged.verdict)).collect();
    if mutants.is_empty() {
        return;
    }
    let _ = writeln!(out, "\n{} {title}", mutants.len());
    for Judged { mutant, verdict, .. } in mutants {
        let _ = writeln!(out, "  {}:{}: {}", mutant.file, mutant.line, change(mutant));
        let _ = writeln!(out, "    {}", mutant.id);
        match verdict {
            Verdict::Marked(reason) => drop(writeln!(out, "    {reason}")),
            Verdict::Undecided(coverage) => drop(writeln!(out, "    {coverage}")),
            Verdict::Killed(kill) => killed(out, kill),
            Verdict::Equivalent | Verdict::NeverRun => {}
        }
    }
}

fn killed(out: &mut String, kill: &Kill) {
    let _ = writeln!(out, "    {}", kill.message.lines().next().unwrap_or_default());
    if let Some(value) = &kill.value {
        let _ = writeln!(out, "    {}", one_line(value));
    }
}

/// A value that is printed on several lines, on one.
pub(crate) fn one_line(value: &str) -> String {
    let mut out = String::new();
    for line in value.lines() {
        let (line, is_new) = (line.trim(), !line.starts_with([' ', '}', ']', ')']));
        if out.ends_with(',') && line.starts_with(['}', ']', ')']) {
            out.pop();
            out.push_str(if line.starts_with('}') { " " } else { "" });
        } else if !out.is_empty() {
            out.push_str(if is_new {
                ", "
            } else if out.ends_with(['[', '(']) {
                ""
            } else {
                " "
            });
        }
        out.push_str(line);
    }
    out
}

pub(crate) fn json(results: &Results) -> String {
    let mutants: Vec<Value> = results.judged.iter().map(of_judged).collect();
    let (killed, all) = score(results);
    let of = |word: &str| count(results, |verdict| verdict.word() == word);
    let mut out = json!({
        "test": results.test,
        "bound": results.original.bound,
        "tested": results.original.tested,
        "exhaustive": results.original.is_exhaustive,
        "killed": killed,
        "equivalent": of("equivalent"),
        "undecided": of("undecided"),
        "never_run": of("never run"),
        "marked": of("marked"),
        "score": if all == 0 { 1.0 } else { killed as f64 / all as f64 },
        "scopes": print_matrix::scopes_json(results),
        "mutants": mutants,
    });
    if let Some(matrix) = &results.matrix {
        out["values"] = json!(results.original.values);
        print_matrix::add_json(matrix, &mut out);
    }
    out.to_string()
}

/// Everything about a mutant.
pub(crate) fn of_judged(Judged { mutant, verdict, row }: &Judged) -> Value {
    let mut out = json!({
        "id": mutant.id,
        "file": mutant.file,
        "line": mutant.line,
        "column": mutant.column,
        "function": mutant.function,
        "operator": mutant.operator,
        "before": mutant.before,
        "after": mutant.after,
        "verdict": verdict.word(),
    });
    match verdict {
        Verdict::Killed(kill) => {
            out["how"] = json!(kill.how);
            out["message"] = json!(kill.message);
            out["value"] = json!(kill.value);
            out["replay"] = json!(kill.replay);
            out["rust"] = json!(kill.rust);
            out["scope"] = json!(kill.scope);
            out["number"] = json!(kill.number);
        }
        Verdict::Undecided(coverage) => out["coverage"] = json!(coverage),
        Verdict::Marked(reason) => out["reason"] = json!(reason),
        Verdict::Equivalent | Verdict::NeverRun => {}
    }
    if let Some(row) = row {
        out["kills"] = json!(row.kills.ranges());
        out["tried"] = json!(row.tried);
        out["problem"] = json!(row.problem);
    }
    out
}

/// Reads what [`of_judged`] has written about a mutant.
pub(crate) fn read_judged(mutant: ListedMutant, value: &Value) -> Option<Judged> {
    let text = |key: &str| value[key].as_str().map(str::to_owned);
    let verdict = match value["verdict"].as_str()? {
        "killed" => Verdict::Killed(Kill {
            how: text("how")?,
            message: text("message")?,
            value: text("value"),
            replay: text("replay"),
            rust: text("rust"),
            scope: text("scope")?,
            number: value["number"].as_u64(),
        }),
        "equivalent" => Verdict::Equivalent,
        "undecided" => Verdict::Undecided(text("coverage")?),
        "never run" => Verdict::NeverRun,
        "marked" => Verdict::Marked(text("reason")?),
        _ => return None,
    };
    let row = match value["kills"].as_array() {
        None => None,
        Some(ranges) => {
            let range = |range: &Value| Some(range[0].as_u64()?..=range[1].as_u64()?);
            let ranges = ranges.iter().map(range).collect::<Option<Vec<_>>>()?;
            let kills = ranges.into_iter().flatten().collect();
            Some(Row { kills, tried: value["tried"].as_u64()?, problem: text("problem") })
        }
    };
    Some(Judged { mutant, verdict, row })
}

/// Annotates the lines of survivors, where GitHub runs the tool.
pub(crate) fn annotate(results: &Results) {
    for Judged { mutant, verdict, .. } in &results.judged {
        if verdict.is_survivor() {
            let text = format!("`{}` misses a mutant: {}", results.test, change(mutant));
            if let Some(annotation) = annotation("warning", &mutant.file, mutant.line, &text) {
                note(&annotation);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::tests;

    #[test]
    fn what_is_written_about_a_mutant_is_read_again() {
        let kill =
            Kill { message: "a\nb".into(), value: Some("x".into()), number: Some(3), ..Kill::default() };
        let rows = ["", "1-3,7"].map(|kills| tests::judged(kills.parse().unwrap()).row);
        for verdict in [
            Verdict::Killed(kill),
            Verdict::Equivalent,
            Verdict::Undecided("why".into()),
            Verdict::NeverRun,
            Verdict::Marked("why".into()),
        ] {
            for row in rows.clone().into_iter().chain([None]) {
                let judged = Judged { mutant: tests::mutant(), verdict: verdict.clone(), row };
                let again = read_judged(tests::mutant(), &of_judged(&judged)).unwrap();
                assert_eq!((&again.verdict, &again.row), (&judged.verdict, &judged.row));
            }
        }
        assert!(read_judged(tests::mutant(), &json!({ "verdict": "killed" })).is_none());
    }

    #[test]
    fn values_take_one_line() {
        let value = "set = SortedSet {\n    items: [\n        0,\n        1,\n    ],\n}\nx = 1";
        assert_eq!(one_line(value), "set = SortedSet { items: [0, 1] }, x = 1");
        assert_eq!(one_line("x = 1"), "x = 1");
    }
}
