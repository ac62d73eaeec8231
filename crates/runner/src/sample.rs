//! Uniformly random values.

use crate::values::guard_layouts;
use smallscope_core::{Bounded, Bounds, Error, Failure, Options, Search, Summaries};
use smallscope_support::random::SplitMix;

/// Returns random valid values within the bounds, each as likely as every other. The same seed gives the same values.
///
/// That takes summaries of the helpers of the invariant that decide all of it. Otherwise the error says why there are none.
///
/// ```
/// let why = smallscope::sample::<Vec<u8>>(4, 7).unwrap_err().to_string();
/// assert!(why.ends_with("it has no boxed objects"), "{why}");
/// ```
pub fn sample<T: Bounded>(bounds: impl Into<Bounds>, seed: u64) -> Result<Samples<T>, Error> {
    let options = Options { summaries: Summaries::On, ..Options::default() };
    let guard = guard_layouts();
    let mut search = Search::<T>::new(&bounds.into(), options)?;
    drop(guard);
    let refused = |why: String| Error::Options {
        why: format!("values cannot be drawn at random, each as likely as every other: {why}"),
    };
    let count = search.count_unlisted().map_err(|failure| refused(failure.kind.to_string()))?;
    match count {
        Some(0) => Err(refused("no value within the bounds is valid".into())),
        Some(count) => Ok(Samples { search, count, random: SplitMix::new(seed) }),
        None => Err(refused(why_not(&mut search))),
    }
}

/// Why summaries do not decide the whole invariant.
fn why_not<T: Bounded>(search: &mut Search<T>) -> String {
    let plan = search.plan(&mut |_| std::ops::ControlFlow::Continue(()));
    match plan.ok().flatten().and_then(|plan| plan.summaries()) {
        Some(Ok(report)) if report.residual.is_empty() => "there are more than 2^64 values".into(),
        Some(Ok(report)) => format!("`{}` cannot be summarised", report.residual.join("`, `")),
        Some(Err(why)) => why.to_owned(),
        None => "arguments and disjoint parts are not summarised".into(),
    }
}

/// Random values: see [`sample`].
pub struct Samples<T: Bounded> {
    search: Search<T>,
    count: u64,
    random: SplitMix,
}

impl<T: Bounded> Samples<T> {
    /// How many values there are to draw from.
    pub fn count_values(&self) -> u64 {
        self.count
    }

    /// A number below that of all values, each as likely as every other.
    fn number(&mut self) -> u64 {
        // Numbers in the incomplete part at the end would make the first ones more likely.
        let end = u64::MAX - u64::MAX % self.count;
        loop {
            let number = self.random.next();
            if number < end {
                return number % self.count;
            }
        }
    }

    fn draw(&mut self) -> Result<T, Failure> {
        let number = self.number();
        let candidate = self.search.nth_candidate(number)?;
        let gone = candidate.is_some_and(|candidate| self.search.go_to(&candidate).is_ok());
        debug_assert!(gone, "smallscope internal error: no value with number {number}");
        self.search.value()
    }
}

impl<T: Bounded> Iterator for Samples<T> {
    type Item = Result<T, Failure>;
    fn next(&mut self) -> Option<Result<T, Failure>> {
        Some(self.draw())
    }
}

impl<T: Bounded> std::fmt::Debug for Samples<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Samples").field("count", &self.count).finish_non_exhaustive()
    }
}
