//! Values that are counted, or found by their number, without listing them. That takes summaries of helpers.

use crate::session::error::Error;
use crate::session::files::{Delivery, Provenance};
use crate::session::observer::Observer;
use crate::session::request::Nth;
use crate::session::subject::Subject;
use crate::session::summary::Unlisted;
use smallscope_core::groups::{Natural, Population, Report};
use smallscope_core::{AnySearch, Classes, Failure, Summaries};
use smallscope_support::panics::catch;
use std::ops::ControlFlow;

/// Counts the values of a search, if summaries decide the whole invariant. None if values have to be listed.
pub(crate) fn count(search: &mut AnySearch, provenance: &Provenance) -> Result<Option<Unlisted>, Error> {
    if provenance.summaries == Summaries::Off {
        return Ok(None);
    }
    let is_whole = provenance.criterion == Delivery::All
        && provenance.classes == Classes::Ignored
        && provenance.from.is_start()
        && provenance.to.is_none();
    match summarised(search)? {
        Ok((population, report)) if population.residual().is_empty() && is_whole => Ok(Some(Unlisted {
            count: population.count().to_string(),
            sizes: population.sizes().into_iter().map(|(n, count)| (n, count.to_string())).collect(),
            helpers: report.helpers.join(", "),
            runs: report.runs,
        })),
        Err(why) if provenance.summaries == Summaries::On => {
            Err(Error::Usage(format!("there are no summaries: {why}; leave `--summaries on` out")))
        }
        _ => Ok(None),
    }
}

/// Draws the value with a number.
pub(crate) fn show(subject: &Subject<'_>, request: &Nth, observer: &mut dyn Observer) -> Result<(), Error> {
    let number: Natural = request.at.parse().map_err(Error::Usage)?;
    let provenance = Provenance { summaries: Summaries::On, ..Provenance::new(&request.space)? };
    let mut search = provenance.search(subject)?;
    let refused = |why: String| {
        Error::Usage(format!(
            "the values of `{}` have no numbers without listing them: {why}; `run --save FILE` lists them, and \
             `show FILE --at {number}` shows one",
            subject.name
        ))
    };
    let population = match summarised(&mut search)? {
        Ok((population, _)) => population,
        Err(why) => return Err(refused(why)),
    };
    if !population.residual().is_empty() {
        return Err(refused(format!("`{}` cannot be summarised", population.residual().join("`, `"))));
    }
    let candidate = number.before().and_then(|index| population.nth(&index));
    let Some(candidate) = candidate else {
        let count = population.count();
        return Err(Error::Usage(format!("there is no value {number}; there are {count}, counted from 1")));
    };
    search.go_to(&candidate).map_err(Error::Bounds)?;
    let text = format!("#{number} of {}  {candidate}\n{}\n", population.count(), search.drawing());
    observer.print(&text).map_err(Error::Output)
}

/// All values, and what is summarised; or why nothing is.
fn summarised(search: &mut AnySearch) -> Result<Result<(Population, Report), String>, Error> {
    let planned = catch(|| -> Result<_, Failure> {
        let plan = search.plan(&mut |_| ControlFlow::Continue(()))?;
        let Some(plan) = plan else { return Ok(Err("the search cannot be planned".to_owned())) };
        Ok(match (plan.population(), plan.summaries()) {
            (Ok(population), Some(Ok(report))) => Ok((population, report.clone())),
            (Err(why), _) => Err(why.to_owned()),
            _ => Err("they are turned off".to_owned()),
        })
    });
    Ok(planned.map_err(|caught| Error::panic(&caught))??)
}
