//! Settings over the campaign of a test.

use crate::settings::Settings;
use smallscope_sequences::{Campaign, Error, Matching, Which};
use smallscope_support::duration::DEFAULT_BUDGET;
use smallscope_support::memory::Bytes;
use smallscope_support::miri;
use std::str::FromStr;

/// Returns the campaign of a test with other settings.
pub fn with_settings(own: &Campaign, settings: &Settings) -> Result<Campaign, Error> {
    let which = parsed(settings, "strategy")?.unwrap_or(own.which);
    let mut campaign = match which == own.which {
        true => own.clone(),
        // The settings of the test for another strategy do not apply to this one.
        false => Campaign {
            which,
            length: own.length,
            seed: own.seed,
            budget: own.budget,
            default_budget: own.default_budget,
            memory: own.memory,
            call_limit: own.call_limit,
            clusters: own.clusters,
            cover: own.cover,
            allow_empty: own.allow_empty,
            isolate: own.isolate,
            ..Campaign::default()
        },
    };
    campaign.length = settings.length.map(|length| length as usize).or(campaign.length);
    campaign.tests = settings.tests.or(campaign.tests);
    campaign.seed = settings.seed.unwrap_or(campaign.seed);
    campaign.order = parsed(settings, "order")?.unwrap_or(campaign.order);
    if settings.abstraction.is_some() || settings.fields.is_some() {
        let fields = settings.fields.as_deref().unwrap_or_default();
        campaign.matching = Matching::named(settings.abstraction.as_deref().unwrap_or("shape"), fields)?;
        // The author vouches for the comparison of the test only.
        campaign.vouched = false;
    }
    campaign.last_calls = settings.last_calls.or(campaign.last_calls);
    campaign.allow_empty = settings.allow_empty.unwrap_or(campaign.allow_empty);
    campaign.isolate = settings.isolate.unwrap_or(campaign.isolate);
    campaign.exact = settings.exact.unwrap_or(campaign.exact);
    campaign.max_states = settings.max_states.or(campaign.max_states);
    campaign.from = parsed(settings, "from")?.or(campaign.from);
    campaign.to = parsed(settings, "to")?.or(campaign.to);
    campaign.shard = settings.shard.map(|shard| (shard.number(), shard.count())).or(campaign.shard);
    campaign.budget = settings.budget.or(campaign.budget);
    campaign.memory = settings.memory.map(|Bytes(bytes)| bytes).or(campaign.memory);
    campaign.call_limit = settings.call_limit.or(campaign.call_limit);
    let threads = settings.threads.or(campaign.threads);
    campaign.threads = Some(Settings { threads, ..Settings::default() }.threads());
    campaign.clusters = settings.clusters.unwrap_or(campaign.clusters);
    campaign.cover = parsed(settings, "cover")?.unwrap_or(campaign.cover);
    campaign.check()?;
    Ok(campaign)
}

/// Leaves of a campaign what Miri can run in some seconds, unless variables say how much.
fn shorten(campaign: &mut Campaign, variables: &Settings) {
    campaign.mixes = false;
    if variables.length.is_none() {
        campaign.length = Some(campaign.length.unwrap_or(miri::CALLS).min(miri::CALLS));
    }
    if campaign.which != Which::States && variables.max.is_none() {
        campaign.tests = Some(campaign.tests.unwrap_or(miri::SEQUENCES).min(miri::SEQUENCES));
    }
}

/// Returns the campaign of a test with the variables of the process. They are for all tests, so each test takes those
/// that apply to it.
pub(crate) fn with_variables(own: &Campaign, variables: &Settings) -> Result<Campaign, Error> {
    let mut settings = Settings { order: None, ..variables.clone() };
    settings.length = settings.length.filter(|_| own.length.is_some());
    let max = settings.max.take();
    match own.which {
        Which::States => {
            settings.max_states = max;
            settings.shard = None;
        }
        _ => settings.tests = max,
    }
    let mut campaign = with_settings(own, &settings)?;
    if miri::IS_RUNNING {
        shorten(&mut campaign, variables);
    }
    Ok(Campaign { default_budget: campaign.default_budget.or(Some(DEFAULT_BUDGET)), ..campaign })
}

/// Parses a setting that the table knows only by its names.
fn parsed<V: FromStr>(settings: &Settings, name: &str) -> Result<Option<V>, Error> {
    let parse = |text: String| {
        text.parse().map_err(|_| Error::BadRequest { what: format!("`{text}` is no `{name}`") })
    };
    settings.get(name).map(parse).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::budget::Shard;
    use smallscope_sequences::Cover;

    #[test]
    fn another_strategy_keeps_what_goes_with_it() {
        let own = Campaign {
            length: Some(5),
            exact: true,
            max_states: Some(9),
            seed: 4,
            cover: Cover::Blocks,
            ..Campaign::default()
        };
        let over = |settings: Settings| with_settings(&own, &settings);
        let other = over(Settings { strategy: Some("be".into()), ..Settings::default() }).unwrap();
        assert_eq!(other.cover, Cover::Blocks);
        let plain = over(Settings { cover: Some("none".into()), ..Settings::default() }).unwrap();
        assert_eq!(plain.cover, Cover::Nothing);
        assert_eq!((other.length, other.seed, other.exact, other.max_states), (Some(5), 4, false, None));
        let same = over(Settings { length: Some(3), ..Settings::default() }).unwrap();
        assert_eq!((same.length, same.exact, same.max_states), (Some(3), true, Some(9)));
        let shape = over(Settings { fields: Some(vec!["red".into()]), ..Settings::default() }).unwrap();
        assert_eq!(shape.matching.to_string(), "shape and red");
        assert!(over(Settings { shard: Shard::new(1, 2), ..Settings::default() }).is_err());
        assert!(over(Settings { from: Some("x".into()), ..Settings::default() }).is_err());
    }
}
