//! Plans: what a search finds out before its first candidate.

use super::AnySearch;
use crate::candidate::Candidate;
use crate::depth_first::conjunct_order::{self, Order};
use crate::depth_first::run::Tick;
use crate::depth_first::summarised::{self, DIFFERS, Summary};
use crate::disjoint::gathering::{Gathered, Gathering};
use crate::disjoint::source::Ready;
use crate::error::{Failure, FailureKind};
#[cfg(feature = "summaries")]
use crate::groups::{Population, Report};
use crate::outcome::Stop;
use std::fmt;
use std::sync::Arc;

/// What a search has found out before its first candidate: the order in which the conjuncts of the invariant run, and the
/// valid candidates of disjoint parts.
///
/// A plan depends on the type, the bounds and the options alone. Searches on other threads can adopt it
/// ([`AnySearch::adopt`]), so that the work is done once.
#[derive(Clone, Default)]
pub struct Plan {
    /// None for the order of the source.
    order: Option<Order>,
    /// The conjuncts of the invariant, and then the invariants of parts.
    texts: Vec<&'static str>,
    /// How many of them are conjuncts of the invariant.
    own: usize,
    parts: Option<Arc<Gathered>>,
    why_direct: Option<String>,
    /// What is summarised, or why nothing is; none if summaries were not requested.
    summary: Option<Result<Summary, String>>,
}

impl Plan {
    /// What summaries of helpers have found out, or why there are none. None if they were not requested.
    #[cfg(feature = "summaries")]
    pub fn summaries(&self) -> Option<Result<&Report, &str>> {
        let summary = self.summary.as_ref()?;
        Some(summary.as_ref().map(|summary| &summary.report).map_err(String::as_str))
    }

    /// All values that summaries of helpers stand for, or why there are no summaries. Conjuncts that are not part of the
    /// summaries may reject some of them.
    #[cfg(feature = "summaries")]
    pub fn population(&self) -> Result<Population, &str> {
        match &self.summary {
            Some(Ok(summary)) => Ok(summary.population()),
            Some(Err(why)) => Err(why),
            None => Err("arguments and disjoint parts are not summarised"),
        }
    }

    /// Returns why helpers are not summarised, if that was requested.
    #[inline]
    pub(super) fn why_not_summarised(&self) -> Option<&str> {
        self.summary.as_ref()?.as_ref().err().map(String::as_str)
    }

    /// Whether the plan holds the valid candidates of disjoint parts, which may be many.
    pub fn has_parts(&self) -> bool {
        self.parts.is_some()
    }

    /// Returns the conjuncts of the invariant in the order in which they run, if that is not the order of the source.
    #[inline]
    pub fn conjunct_order(&self) -> Option<Vec<&'static str>> {
        let Order { own, parts_first } = self.order.as_ref().filter(|order| **order != Order::default())?;
        let (texts, inner) = self.texts.split_at(self.own);
        let own = match own {
            Some(own) => own.iter().map(|&i| texts[i as usize]).collect(),
            None => texts.to_vec(),
        };
        Some(if *parts_first { [inner, &own].concat() } else { [&own, inner].concat() })
    }
}

impl fmt::Debug for Plan {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("conjunct_order", &self.conjunct_order())
            .field("slicing", &self.parts.as_ref().map(|parts| &parts.slicing))
            .field("why_direct", &self.why_direct)
            .finish()
    }
}

/// A line for each conjunct, in their order, and what is known about parts.
impl fmt::Display for Plan {
    #[inline]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.conjunct_order() {
            Some(texts) => {
                writeln!(f, "the conjuncts run in this order:")?;
                texts.iter().try_for_each(|text| writeln!(f, "    {text}"))?;
            }
            None => writeln!(f, "the conjuncts run in the order of the source")?,
        }
        match &self.summary {
            Some(Ok(summary)) => write!(f, "{summary}")?,
            Some(Err(why)) => writeln!(f, "no summaries: {why}")?,
            None => {}
        }
        match (&self.parts, &self.why_direct) {
            (Some(parts), _) => write!(f, "{}", parts.slicing),
            (None, Some(why)) => writeln!(f, "one search for the whole structure: {why}"),
            (None, None) => Ok(()),
        }
    }
}

/// Plans the search, if that is still to be done. Returns why that was paused.
pub(super) fn plan(search: &mut AnySearch, tick: &mut Tick<'_>) -> Result<Option<Stop>, Failure> {
    if search.plan.is_some() {
        return Ok(None);
    }
    let structure = search.depth_first.structure;
    let (own, inner) = ((structure.of.conjuncts)(), structure.inner.map_or(&[][..], |inner| &inner.sites));
    let mut plan = Plan { own: own.len(), ..Plan::default() };
    for site in own.iter().chain(inner) {
        plan.texts.push(site.text);
    }
    match &mut search.combined {
        Some(combined) => match combined.gather(search.depth_first.deepening.0, &mut search.run, tick)? {
            Ready::Yes => {
                plan.parts = combined.gathered().cloned();
                search.why_direct = combined.why_whole();
            }
            Ready::Paused(stop) => return Ok(Some(stop)),
            Ready::No(why) => {
                search.combined = None;
                search.why_direct = Some(why);
            }
        },
        None => {
            plan.summary = summarised::choose(structure, &search.bounds, search.depth_first.options);
            match &plan.summary {
                Some(Ok(summary)) => summary.follow(&mut search.depth_first.structure),
                Some(Err(why)) if why.starts_with(DIFFERS) => {
                    let kind = FailureKind::NonDeterministic { difference: why.clone() };
                    return Err(Failure { kind, candidate: Candidate(vec![]) });
                }
                _ => {
                    let options = search.depth_first.options;
                    plan.order = conjunct_order::choose(structure, &search.bounds, options);
                    plan.order.iter().for_each(|order| search.depth_first.run_in(order));
                }
            }
        }
    }
    plan.why_direct = search.why_direct.clone();
    search.plan = Some(plan);
    Ok(None)
}

/// Returns all values, if rules decide the whole invariant and nothing but all values are wanted. Nothing is listed.
#[cfg(feature = "summaries")]
pub(super) fn unlisted(search: &AnySearch) -> Option<Population> {
    let depth_first = &search.depth_first;
    let wants_all = !search.run.has_begun
        && search.run.range.end.is_empty()
        && !depth_first.deepening.is_pass()
        && !depth_first.sample.is_on
        && depth_first.classes.are_ignored();
    if !wants_all || !depth_first.structure.is_decided {
        return None;
    }
    Some(search.plan.as_ref()?.summary.as_ref()?.as_ref().ok()?.population())
}

/// Lets a search go on with the plan of another search for the same values.
pub(super) fn adopt(search: &mut AnySearch, plan: &Plan) {
    if let Some(order) = &plan.order {
        search.depth_first.run_in(order);
    }
    if let Some(Ok(summary)) = &plan.summary {
        summary.follow(&mut search.depth_first.structure);
    }
    if let Some(combined) = &mut search.combined {
        let left_out = search.depth_first.deepening.0;
        let combine = |parts: &Arc<Gathered>| combined.combine(parts.clone(), left_out).is_ok();
        if !plan.parts.as_ref().is_some_and(combine) {
            search.combined = None;
        }
    }
    search.why_direct = plan.why_direct.clone();
    search.plan = Some(plan.clone());
}

/// The search of disjoint parts, as long as it is not done.
pub(super) fn gathering(search: &mut AnySearch) -> Option<Arc<Gathering>> {
    let left_out = search.depth_first.deepening.0;
    let combined = search.combined.as_mut().filter(|combined| !combined.is_gathered())?;
    Some(combined.gathering(left_out).clone())
}
