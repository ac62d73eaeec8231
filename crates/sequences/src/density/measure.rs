//! Measured failure densities of a real context.

use std::fmt;

use super::{Axis, Chart, Fraction, Point, Series};
use crate::context::Error;
use crate::outcome::Stop;
use crate::run::Report;

/// The failure densities of a context, by the length of tests.
#[derive(Debug, Clone)]
pub struct Measurement {
    /// One for each length, in the order in which they were measured.
    pub samples: Vec<Sample>,
}

/// How many tests of a length failed.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The length of the tests.
    pub length: usize,
    /// How many were run.
    pub tests: u64,
    /// How many of them failed.
    pub failing: u64,
    /// Whether these are all tests of the length, so that the density is exact.
    pub is_exact: bool,
}

/// Measures failure densities by one run per length, which a function starts.
///
/// The runs must [keep going](crate::Runner::keep_going) after failures. A density is exact if all tests of the length
/// were run, and an estimate if they are a sample.
///
/// ```
/// use smallscope_sequences::density::measure;
/// use smallscope_sequences::{Context, Pool, Runner, Strategy, nothing, value};
///
/// // One call of five fails.
/// let context = Context::builder()
///     .pool(Pool::of([0u8, 1, 2, 3, 4]))
///     .function("f", (value::<u8>(),), nothing(), |(x,)| assert!(x < 4))
///     .build()?;
/// let found = measure(1..=5, |length| {
///     Runner::new(&context, Strategy::be(&context, length)?).keep_going().without_shrinking().run()
/// })?;
/// assert!(found.samples.iter().all(|sample| sample.is_exact));
/// assert_eq!(found.samples[1].density().to_string(), "9/25");
/// assert_eq!(found.best(), Some(1));
/// # Ok::<(), smallscope_sequences::Error>(())
/// ```
pub fn measure(
    lengths: impl IntoIterator<Item = usize>,
    mut run: impl FnMut(usize) -> Result<Report, Error>,
) -> Result<Measurement, Error> {
    let sample = |length: usize| {
        let report = run(length)?;
        if report.stop == Stop::FirstFailure {
            return Err(Error::BadRequest {
                what: "the run ended at its first failure, which says nothing about densities; write `.keep_going()`"
                    .into(),
            });
        }
        let Report { tests, failing, .. } = report;
        Ok(Sample { length, tests, failing, is_exact: report.stop.is_exhausted() })
    };
    Ok(Measurement { samples: lengths.into_iter().map(sample).collect::<Result<_, _>>()? })
}

impl Sample {
    /// The share of the tests that failed.
    pub fn density(&self) -> Fraction {
        Fraction::new(self.failing.into(), self.tests.max(1).into())
    }

    /// The density divided by the number of calls.
    pub fn density_per_call(&self) -> Fraction {
        Fraction::new(self.failing.into(), num_bigint::BigUint::from(self.tests.max(1)) * self.length.max(1))
    }
}

impl Measurement {
    /// The first of the measured lengths after which the density per call is not higher at the next one. None if nothing fails, or
    /// if it rises up to the last length.
    pub fn best(&self) -> Option<usize> {
        let failing = self.samples.iter().skip_while(|sample| sample.failing == 0);
        let mut pairs = failing.clone().zip(failing.skip(1));
        pairs.find(|(one, next)| next.density_per_call() <= one.density_per_call()).map(|(one, _)| one.length)
    }

    /// The densities as lines.
    pub fn chart(&self, title: impl Into<String>) -> Chart {
        let line = |name: &str, of: &dyn Fn(&Sample) -> Fraction| {
            let points =
                self.samples.iter().map(|sample| Point::new(sample.length as f64, of(sample).to_f64()));
            Series::new(name, points)
        };
        Chart::new(title, Axis::binary("length of tests"), Axis::decimal("part of the tests"))
            .line(line("failure density", &Sample::density))
            .line(line("failure density per call", &Sample::density_per_call))
    }
}

/// A table.
impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| length | tests | failing | density | density per call |\n|---|---|---|---|---|")?;
        for sample in &self.samples {
            let Sample { length, tests, failing, is_exact } = sample;
            let of = if *is_exact { "all " } else { "" };
            let (density, per_call) = (sample.density().to_f64(), sample.density_per_call().to_f64());
            writeln!(f, "| {length} | {of}{tests} | {failing} | {density:.6} | {per_call:.8} |")?;
        }
        match self.best() {
            Some(best) => writeln!(f, "first local maximum of the density per call: length {best}"),
            None => writeln!(f, "the density per call has no local maximum at these lengths"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::phi;
    use super::*;
    use crate::{Context, Pool, Runner, Strategy, by_mut, nothing, value};

    /// Fails after the calls 0, 1 and 2, one after the other.
    fn context(calls: u32) -> Context {
        Context::builder()
            .pool(Pool::<u32>::of(0..calls))
            .pool(Pool::<Vec<u32>>::empty(1).and(vec![]).cloned())
            .function("f", (by_mut::<Vec<u32>>(), value::<u32>()), nothing(), |(seen, x)| {
                seen.push(x);
                assert!(!seen.ends_with(&[0, 1, 2]));
            })
            .build()
            .unwrap()
    }

    #[test]
    fn all_tests_fail_as_often_as_the_model_says() {
        for calls in [3, 4] {
            let context = context(calls);
            let found = measure(1..=7, |length| {
                Runner::new(&context, Strategy::be(&context, length)?).keep_going().without_shrinking().run()
            });
            for sample in found.unwrap().samples {
                assert!(sample.is_exact);
                assert_eq!(phi(calls.into(), 3, sample.length), sample.failing.into());
            }
        }
    }

    #[test]
    fn runs_have_to_go_on() {
        let context = context(3);
        let error = measure([5], |length| Runner::new(&context, Strategy::be(&context, length)?).run());
        assert!(error.unwrap_err().to_string().ends_with("write `.keep_going()`"));
        let drawn = measure([40], |length| {
            Runner::new(&context, Strategy::random(&context, length, 100, 1)?)
                .keep_going()
                .without_shrinking()
                .run()
        });
        assert!(!drawn.unwrap().samples[0].is_exact);
    }
}
