//! Uniformly random values.

use crate::values::guard_layouts;
use smallscope_core::groups::{Natural, Population};
use smallscope_core::{Bounded, Bounds, Error, Failure, Options, Search, Summaries};
use smallscope_support::random::SplitMix;
use std::ops::ControlFlow;

/// Returns random valid values within the bounds, each as likely as every other. The same seed gives the same values.
///
/// That takes summaries of the helpers of the invariant that decide all of it. Otherwise the error says why there are none.
///
/// ```
/// let why = smallscope::sample::<Vec<u8>>(4, 7).unwrap_err().to_string();
/// assert!(why.ends_with("it has no owned objects"), "{why}");
/// ```
pub fn sample<T: Bounded>(bounds: impl Into<Bounds>, seed: u64) -> Result<Samples<T>, Error> {
    let options = Options { summaries: Summaries::On, ..Options::default() };
    let guard = guard_layouts();
    let mut search = Search::<T>::new(&bounds.into(), options)?;
    drop(guard);
    let population = match search.plan(&mut |_| ControlFlow::Continue(())) {
        Ok(Some(plan)) => plan.population().map_err(str::to_owned),
        Ok(None) => Err("the search cannot be planned".to_owned()),
        Err(failure) => Err(failure.kind.to_string()),
    };
    let population = population.map_err(refused)?;
    if !population.residual().is_empty() {
        return Err(refused(format!("`{}` cannot be summarised", population.residual().join("`, `"))));
    }
    Samples { search, population, random: SplitMix::new(seed) }.unless_empty()
}

fn refused(why: String) -> Error {
    Error::Options { why: format!("values cannot be drawn at random, each as likely as every other: {why}") }
}

/// Random values: see [`sample`].
pub struct Samples<T: Bounded> {
    search: Search<T>,
    population: Population,
    random: SplitMix,
}

impl<T: Bounded> Samples<T> {
    /// Returns how many values there are to draw from.
    pub fn count_values(&self) -> &Natural {
        self.population.count()
    }

    /// Returns how many values there are with each number of objects, where there are any.
    pub fn sizes(&self) -> Vec<(u32, Natural)> {
        self.population.sizes()
    }

    /// Draws only values with so many objects from now on. An error if there are none.
    pub fn of_size(self, objects: u32) -> Result<Samples<T>, Error> {
        Samples { population: self.population.of_size(objects), ..self }.unless_empty()
    }

    fn unless_empty(self) -> Result<Samples<T>, Error> {
        match self.count_values().to_u64() {
            Some(0) => Err(refused("no value within the bounds is valid".into())),
            _ => Ok(self),
        }
    }

    fn draw(&mut self) -> Result<T, Failure> {
        let candidate = self.population.draw(&mut || self.random.next());
        let gone = self.search.go_to(&candidate);
        debug_assert!(gone.is_ok(), "smallscope internal error: no value with the choices {candidate}");
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
        f.debug_struct("Samples").field("population", &self.population).finish_non_exhaustive()
    }
}
