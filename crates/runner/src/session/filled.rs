//! Values with long lengths after a run: they are counted and printed, and not saved, because a suite has one layout.

use crate::runner::filled::{Filled, LEAST, rules};
use crate::session::error::Error;
use crate::session::files::{Delivery, Provenance};
use crate::session::observer::Observer;
use crate::session::request::Run;
use crate::session::show::print_value;
use crate::session::subject::Subject;
use crate::session::summary::Summary;
use smallscope_core::bounds::MAX_DEEPENING;
use smallscope_core::bounds::long::rule_text;
use smallscope_core::{Classes, Engine, Found, Position, Stop};
use std::ops::ControlFlow;

/// Lists what a run within the same bounds leaves out.
pub(super) fn list(
    subject: &Subject<'_>,
    mut provenance: Provenance,
    lengths: Vec<(String, Vec<i128>)>,
    (request, summary): (&Run, &Summary),
    observer: &mut dyn Observer,
) -> Result<Option<Filled>, Error> {
    let seed = request.space.settings.seed.unwrap_or(0);
    let mut filled = Filled { lengths, seed, ..Filled::default() };
    let is_whole = provenance.from.is_start() && provenance.to.is_none();
    if summary.stop != Stop::Exhausted || !is_whole {
        filled.part = Some("none was listed, because the search has not covered everything else".to_owned());
        return Ok(Some(filled));
    }
    if summary.reduced.is_some()
        || provenance.criterion != Delivery::All
        || provenance.classes != Classes::Ignored
        || provenance.engine == Engine::Korat
    {
        filled.part = Some("none was listed, because this run is about some of the values".to_owned());
        return Ok(Some(filled));
    }
    if request.save.is_some() {
        filled.part = Some("they are not in the suite".to_owned());
    }
    (provenance.disjoint, provenance.from) = (false, Position::START);
    let bounds = provenance.bounds.clone();
    let rules = rules(seed);
    let limit = (summary.explored + summary.valid).max(LEAST) / rules.len() as u64;
    for rule in rules {
        provenance.bounds = bounds.filled_by(rule);
        let mut search = provenance.search(subject)?;
        // In exact bounds, everything that is not long belongs to the first scope.
        search.leave_out(bounds.scope_number().unwrap_or(0).min(MAX_DEEPENING));
        let before = filled.tested;
        loop {
            let is_over = |explored: u64| explored >= limit || observer.is_stopped();
            let found = search.find_next(&mut |outcome| match is_over(outcome.explored) {
                true => ControlFlow::Break(Stop::Interrupted),
                false => ControlFlow::Continue(()),
            })?;
            if found == Found::Valid {
                filled.tested += 1;
                if request.print {
                    if filled.tested == before + 1 {
                        let heading = format!("long lengths, elements are filled, {}:\n\n", rule_text(rule));
                        observer.print(&heading).map_err(Error::Output)?;
                    }
                    print_value(filled.tested, &mut search, observer)?;
                }
            }
            let is_cut = found == Found::Paused || filled.tested - before >= limit;
            if is_cut {
                filled.part = Some("as many as the search took".to_owned());
            }
            if is_cut || found == Found::End {
                break;
            }
        }
        filled.explored += search.outcome().explored;
    }
    Ok(Some(filled))
}
