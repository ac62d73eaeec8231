//! The command `sequences density`.

use super::cli::DensityArgs;
use crate::console::Console;
use crate::problem::Problem;
use serde_json::json;
use smallscope_runner::session::Observer;
use smallscope_sequences::density::{Calculation, OVERLAPS, calculate, is_possible};

/// The default length of the longest tests.
const LONGEST: u16 = 100;

/// Beyond this length, not every length is printed: each is longer than the one before by this fraction.
const STEP: usize = 12;

pub(super) fn print(args: &DensityArgs) -> Result<u8, Problem> {
    let longest = usize::from(args.longest.unwrap_or(LONGEST));
    let failing = usize::from(args.failing);
    if !is_possible(args.calls, failing) {
        return Err(Problem::usage(OVERLAPS));
    }
    if let Some(path) = &args.svg {
        let mut file = Console::to_file(path)?;
        file.print(&calculate(args.calls, failing, 1..=longest).chart().to_svg())?;
        file.finish()?;
    }
    let calculation = calculate(args.calls, failing, lengths(longest));
    let text = if args.json { format!("{}\n", as_json(&calculation)) } else { calculation.to_string() };
    let mut console = Console::new(true);
    console.print(&text)?;
    console.finish()?;
    Ok(0)
}

/// Returns each of the first lengths, then lengths that grow by a twelfth, and the longest.
fn lengths(longest: usize) -> Vec<usize> {
    let mut lengths = vec![];
    let mut length = 1;
    while length < longest {
        lengths.push(length);
        length += (length / STEP).max(1);
    }
    lengths.push(longest);
    lengths
}

fn as_json(calculation: &Calculation) -> serde_json::Value {
    let rows = calculation.rows.iter().map(|row| {
        // Numbers of any size do not fit into those of JSON.
        json!({
            "length": row.length,
            "failing_tests": row.phi.to_string(),
            "density": row.density.to_f64(),
            "density_per_call": row.per_call.to_f64(),
        })
    });
    json!({
        "calls": calculation.calls,
        "failing": calculation.failing,
        "lengths": rows.collect::<Vec<_>>(),
        "best_length": calculation.best,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_end_with_the_longest() {
        assert_eq!(lengths(1), [1]);
        assert_eq!(lengths(4), [1, 2, 3, 4]);
        let many = lengths(1000);
        assert_eq!((many[0], many.last()), (1, Some(&1000)));
        assert!(many.len() < 100 && many.is_sorted_by(|a, b| a < b), "{many:?}");
    }

    #[test]
    fn the_best_length_does_not_depend_on_which_are_printed() {
        let json = as_json(&calculate(10, 3, lengths(200)));
        assert_eq!(json["best_length"], 65);
        assert_eq!(json["lengths"][2]["failing_tests"], "1");
    }
}
