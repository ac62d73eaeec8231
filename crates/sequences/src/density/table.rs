//! The results of the model for several lengths, as a table.

use std::fmt;

use num_bigint::BigUint;

use super::{Axis, Chart, Fraction, Phi, Point, Series, best_length};
use crate::index::power;

/// The results of the model for a number of calls and a failing sequence.
#[derive(Debug, Clone)]
pub struct Calculation {
    /// The number of distinct calls, *j*.
    pub calls: u64,
    /// The length of the sequence that fails, *k*.
    pub failing: usize,
    /// One row for each requested length.
    pub rows: Vec<Row>,
    /// The length with the first local maximum of the density per call, if it is not above the longest of the lengths.
    pub best: Option<usize>,
}

/// The results of the model for a length.
#[derive(Debug, Clone)]
pub struct Row {
    /// The length of tests, *n*.
    pub length: usize,
    /// The number of tests that fail.
    pub phi: BigUint,
    /// The share of the tests that fails.
    pub density: Fraction,
    /// The density divided by the number of calls.
    pub per_call: Fraction,
}

/// Phi, failure density, and failure density per call for tests of some lengths.
///
/// ```
/// use smallscope_sequences::density::calculate;
///
/// let calculation = calculate(2, 2, 1..=5);
/// assert_eq!(calculation.best, Some(4));
/// assert_eq!(calculation.to_string(), "\
/// 2 distinct calls, a failing sequence of 2
/// | length | failing tests | of | density | density per call |
/// |---|---|---|---|---|
/// | 1 | 0 | 2 | 0.000000 | 0.00000000 |
/// | 2 | 1 | 4 | 0.250000 | 0.12500000 |
/// | 3 | 4 | 8 | 0.500000 | 0.16666667 |
/// | 4 | 11 | 16 | 0.687500 | 0.17187500 |
/// | 5 | 26 | 32 | 0.812500 | 0.16250000 |
/// first local maximum of the density per call: length 4
/// ");
/// ```
///
/// # Panics
///
/// If `j`, `k` or a length is zero, or [`is_possible`](super::is_possible) is false.
pub fn calculate(j: u64, k: usize, lengths: impl IntoIterator<Item = usize>) -> Calculation {
    let mut lengths: Vec<usize> = lengths.into_iter().collect();
    lengths.sort_unstable();
    lengths.dedup();
    assert!(lengths.first() != Some(&0), "tests have at least one call");
    let mut counts = Phi::new(j, k);
    let rows = lengths.iter().map(|&length| {
        (counts.n..length).for_each(|_| counts.step());
        let (phi, tests) = (counts.current().clone(), power(j, length));
        Row {
            length,
            density: Fraction::new(phi.clone(), tests.clone()),
            per_call: Fraction::new(phi.clone(), tests * length),
            phi,
        }
    });
    let rows = rows.collect();
    let best = lengths.last().and_then(|longest| best_length(j, k, *longest).ok());
    Calculation { calls: j, failing: k, rows, best }
}

impl Calculation {
    /// The density, and the density per call as a share of its maximum among the rows, so that both fit.
    pub fn chart(&self) -> Chart {
        let Calculation { calls, failing, .. } = self;
        let line = |name: &str, of: &dyn Fn(&Row) -> f64| {
            let points = self.rows.iter().map(|row| Point::new(row.length as f64, of(row)));
            Series::new(name, points)
        };
        let highest = self.rows.iter().map(|row| row.per_call.to_f64()).fold(f64::MIN_POSITIVE, f64::max);
        let chart = Chart::new(
            format!("{calls} distinct calls, a failing sequence of {failing}"),
            Axis::linear("length of tests"),
            Axis::linear("part of the tests, of the maximum"),
        )
        .line(line("failure density", &|row| row.density.to_f64()))
        .line(line("failure density per call, of its maximum", &|row| row.per_call.to_f64() / highest));
        match self.best {
            Some(best) => chart.mark(best as f64, format!("length {best}")),
            None => chart,
        }
    }
}

/// A table, and the best length below it.
impl fmt::Display for Calculation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} distinct calls, a failing sequence of {}", self.calls, self.failing)?;
        writeln!(f, "| length | failing tests | of | density | density per call |\n|---|---|---|---|---|")?;
        for Row { length, phi, density, per_call } in &self.rows {
            let (density, per_call) = (density.to_f64(), per_call.to_f64());
            let tests = short(&power(self.calls, *length));
            writeln!(f, "| {length} | {} | {tests} | {density:.6} | {per_call:.8} |", short(phi))?;
        }
        match self.best {
            Some(best) => writeln!(f, "first local maximum of the density per call: length {best}"),
            None => writeln!(f, "the density per call has no local maximum up to these lengths"),
        }
    }
}

/// A number, or its size if it is long.
pub(crate) fn short(number: &BigUint) -> String {
    // As many bits as 30 digits have.
    if number.bits() <= 99 {
        return number.to_string();
    }
    let bits = number.bits();
    // The first 64 bits are enough.
    let first = u64::try_from(number >> (bits - 64)).expect("smallscope internal error: 64 bits") as f64;
    let logarithm = first.log10() + (bits - 64) as f64 * std::f64::consts::LOG10_2;
    format!("{:.3}e{}", 10f64.powf(logarithm.fract()), logarithm.floor())
}

#[cfg(test)]
mod tests {
    use super::super::{density, density_per_call, phi};
    use super::*;

    #[test]
    fn rows_are_what_the_functions_say() {
        let calculation = calculate(7, 3, [50, 3, 1, 50, 200]);
        let lengths: Vec<_> = calculation.rows.iter().map(|row| row.length).collect();
        assert_eq!(lengths, [1, 3, 50, 200]);
        for row in &calculation.rows {
            assert_eq!(row.phi, phi(7, 3, row.length));
            assert_eq!(row.density, density(7, 3, row.length));
            assert_eq!(row.per_call, density_per_call(7, 3, row.length));
        }
        assert_eq!(calculation.best, Some(best_length(7, 3, 200).unwrap()));
        assert!(calculation.chart().to_svg().contains("length 38"), "{:?}", calculation.best);
        assert_eq!(calculate(7, 3, [10]).best, None);
    }

    #[test]
    fn large_numbers_are_short() {
        assert_eq!(short(&power(10, 29)), format!("1{}", "0".repeat(29)));
        assert_eq!(short(&power(10, 1000)), "1.000e1000");
        assert_eq!(short(&(power(10, 1000) * 3u8 / 2u8)), "1.500e1000");
    }
}
