//! The default strategy: states, and if those are many, also long sequences in random order.
//!
//! An exploration breadth first is exhaustive, and finds nothing that takes more calls than it has time for. So one that does
//! not end soon is interrupted by a list of long sequences, and begins again if they pass. Where states cannot be compared,
//! there are only the long sequences.

use super::NotPassed;
use super::watched::Watched;
use smallscope_sequences::{
    Campaign, Conclusion, Context, Cover, Fault, Limit, Stop, Test, Traversal, Which,
};
use smallscope_support::flight::Flight;
use std::time::{Duration, Instant};

/// The longest time before long sequences are run: this, or a twentieth of the budget.
const SOON: Duration = Duration::from_secs(3);

/// The longest time for long sequences: this, or a sixth of the budget.
const MOST: Duration = Duration::from_secs(10);

/// The number of calls of long sequences, if the exploration goes less far.
const LONG: usize = 50;

/// What a campaign has found. The inner error is a call that does not return.
pub(super) struct Found {
    pub conclusion: Result<Conclusion, (Test, Fault)>,
    /// What was run before it, or why something was not, in words.
    pub before: Option<String>,
}

/// The long sequences of a campaign.
fn long_sequences(campaign: &Campaign) -> Campaign {
    Campaign {
        which: Which::Bobw,
        length: Some(campaign.length.unwrap_or(0).max(LONG)),
        seed: campaign.seed,
        memory: campaign.memory,
        call_limit: campaign.call_limit,
        threads: campaign.threads,
        allow_empty: campaign.allow_empty,
        mixes: true,
        ..Campaign::default()
    }
}

/// Returns the sequences that another process was in when it died in a campaign, by its flight recorder.
pub(super) fn interrupted(campaign: &Campaign, context: &Context, flight: &Flight) -> Vec<Test> {
    // Only lists of sequences are recorded by their numbers, and these are the only lists of such a campaign.
    match campaign.mixes && campaign.which == Which::States {
        true => long_sequences(campaign).interrupted(context, flight),
        false => campaign.interrupted(context, flight),
    }
}

/// Runs a campaign, with long sequences in between if it is one of states and does not end soon.
pub(super) fn run(
    subject: &Watched,
    name: &str,
    campaign: Campaign,
    progress: Option<bool>,
) -> Result<Found, NotPassed> {
    let whole = |campaign: Campaign, before| {
        subject.run(name, campaign, progress).map(|conclusion| Found { conclusion, before })
    };
    let is_plain = campaign.which == Which::States
        && campaign.order == Traversal::Breadth
        && campaign.cover == Cover::Nothing
        && !campaign.clusters;
    let Some(budget) = campaign.budget.or(campaign.default_budget).filter(|_| campaign.mixes && is_plain)
    else {
        return whole(campaign, None);
    };
    let long = long_sequences(&campaign);
    let most = Campaign { budget: Some(MOST.min(budget / 6)), ..long };
    if !subject.context.is_comparable() {
        let why = "states were not explored, because the pools do not say how to compare them".to_owned();
        return whole(most, Some(why));
    }
    let begun = Instant::now();
    let soon = Campaign { budget: Some(SOON.min(budget / 20)), ..campaign.clone() };
    let first = whole(soon, None)?;
    let stop = first.conclusion.as_ref().map(Conclusion::stop);
    if !matches!(stop, Ok(Stop::LimitReached(Limit::Time))) {
        return Ok(first);
    }
    let lists = whole(most, None)?;
    let before = match &lists.conclusion {
        Ok(found) if found.clusters().is_empty() => format!("before that, {}", found.covered()),
        _ => return Ok(lists),
    };
    let rest = campaign.budget.map(|budget| budget.saturating_sub(begun.elapsed()));
    whole(Campaign { budget: rest, ..campaign }, Some(before))
}
