//! The matrix and the scopes as text and as JSON.

use super::matrix::Suite;
use super::scopes::{self, Scope, conclusion, enough};
use super::{Matrix, Results};
use serde_json::{Value, json};
use std::fmt::Write;

/// What each scope adds.
pub(crate) fn scopes(results: &Results) -> String {
    let scopes = scopes::scopes(&results.judged, &results.original);
    let mut out = String::new();
    if !scopes.is_empty() {
        let _ = writeln!(out, "\n{:>5}  {:>10}  {:>7}  {:>6}", "scope", "values", "reached", "killed");
    }
    for Scope { scope, values, reached, killed } in &scopes {
        let _ = writeln!(out, "{scope:>5}  {values:>10}  {reached:>7}  {killed:>6}");
    }
    let _ = writeln!(out, "{}", conclusion(&scopes));
    out
}

pub(crate) fn scopes_json(results: &Results) -> Value {
    let scopes = scopes::scopes(&results.judged, &results.original);
    let of = |Scope { scope, values, reached, killed }: &Scope| json!({ "scope": scope, "values": values, "reached": reached, "killed": killed });
    json!({ "up_to": scopes.iter().map(of).collect::<Vec<_>>(), "enough": enough(&scopes).map(|scope| scope.scope) })
}

/// Parts of the values side by side, and the minimal subset.
pub(crate) fn suites(matrix: &Matrix) -> String {
    let killed = matrix.suites.first().map_or(0, |all| all.killed);
    let mut out =
        format!("\n{:<15}  {:>10}  {:>6}  random values of the same number\n", "suite", "values", "killed");
    for Suite { name, size, killed, random } in &matrix.suites {
        let random = random.map_or("-".to_owned(), |killed| format!("{killed:.1}"));
        let _ = writeln!(out, "{name:<15}  {size:>10}  {killed:>6}  {random}");
    }
    let values = if matrix.values.len() == 1 { "value kills" } else { "values kill" };
    let _ = writeln!(
        out,
        "\n{} {values} all {killed} mutants that values within the bounds kill{}:",
        matrix.values.len(),
        if matrix.minimal.is_smallest { "; no fewer do" } else { "; there may be fewer that do" },
    );
    for (number, value) in matrix.minimal.numbers.iter().zip(&matrix.values) {
        let _ = writeln!(out, "  value {number}: {}", super::print::one_line(value));
    }
    out
}

pub(crate) fn add_json(matrix: &Matrix, out: &mut Value) {
    let suite = |Suite { name, size, killed, random }: &Suite| json!({ "name": name, "size": size, "killed": killed, "random": random });
    out["suites"] = matrix.suites.iter().map(suite).collect();
    let value = |(number, value): (&u64, &String)| json!({ "number": number, "value": value });
    let values: Vec<Value> = matrix.minimal.numbers.iter().zip(&matrix.values).map(value).collect();
    out["minimal"] = json!({ "values": values, "smallest": matrix.minimal.is_smallest });
}
