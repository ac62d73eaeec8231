//! The number of values within each size, or within each scope, up to a bound.

use crate::session::error::Error;
use crate::session::files::Provenance;
use crate::session::observer::Observer;
use crate::session::request::{Run, Table};
use crate::session::run;
use crate::session::subject::Subject;
use crate::session::summary::Summary;
use smallscope_core::{Bounds, Stop};
use std::time::Instant;

/// Counts within one size after the other, and prints a row for each. Returns the summary of the last one, or of the first
/// one that was stopped.
pub(crate) fn table(
    subject: &Subject<'_>,
    request: &Table,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let Table { run, json } = request;
    let bounds = Provenance::new(&run.space)?.bounds;
    let Some(last) = bounds.scope_number() else {
        return Err(Error::Usage(
            "these bounds are exact: they have no scope number and no size to count by; give `--size N`"
                .into(),
        ));
    };
    let start = Instant::now();
    let mut before = None;
    if !json {
        let number = bounds.number_name();
        print(observer, &format!("{number:>5} {:>20} {:>14} {:>6}\n", "values", "candidates", "times"))?;
    }
    for n in 0..=last {
        let summary = match run::run(subject, &within(run, &bounds, n, start), observer) {
            Ok(summary) => summary,
            // Its values come with a larger number.
            Err(Error::Bounds(_)) if n < last => {
                if !json {
                    print(observer, &row(n, "0", 0, None))?;
                }
                continue;
            }
            Err(error) => return Err(error),
        };
        let is_whole = matches!(summary.stop, Stop::Exhausted | Stop::ClassesCovered | Stop::OrdersCovered);
        let is_over = n == last || !is_whole;
        if !json {
            print(observer, &row(n, &summary.number_of_values(), summary.explored, before))?;
        } else if !is_over {
            print(observer, &format!("{}\n", summary.to_json()))?;
        }
        if is_over {
            return Ok(summary);
        }
        before = summary.number_of_values().parse().ok();
    }
    unreachable!("the last number returns")
}

/// The run within a smaller number, with the time that is left.
fn within(run: &Run, bounds: &Bounds, n: u32, start: Instant) -> Run {
    let mut run = run.clone();
    let settings = &mut run.space.settings;
    settings.budget = settings.budget.map(|budget| budget.saturating_sub(start.elapsed()));
    (settings.scope, settings.size) = match bounds.size_number() {
        Some(_) => (None, Some(n)),
        None => (Some(n), None),
    };
    run
}

fn row(n: u32, valid: &str, explored: u64, before: Option<f64>) -> String {
    let times = match (before, valid.parse::<f64>()) {
        (Some(before), Ok(valid)) if before > 0.0 => format!("{:.1}", valid / before),
        _ => String::new(),
    };
    format!("{n:>5} {valid:>20} {explored:>14} {times:>6}").trim_end().to_owned() + "\n"
}

fn print(observer: &mut dyn Observer, text: &str) -> Result<(), Error> {
    observer.print(text).map_err(Error::Output)
}
