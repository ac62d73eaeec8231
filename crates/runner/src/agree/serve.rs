//! The request of the tool to compare an invariant with methods: `cargo smallscope run`.

use super::Agree;
use super::run::{in_json, with_variables};
use crate::attribute::TestSite;
use crate::session::{Answer, Error, Event, Lines, Request};
use crate::settings::Settings;
use smallscope_core::Bounded;
use smallscope_sequences::{IntoContext, Linearize};
use std::fmt::Debug;

/// Performs a request of the tool.
pub(super) fn serve<T, C>(site: &TestSite, settings: Agree, make: fn() -> C, text: &str)
where
    T: Bounded + Linearize + Debug,
    C: IntoContext,
{
    let mut lines = Lines::listen();
    let name = site.harness_name();
    let answer = settings_of(&name, text).and_then(|given| {
        let settings = with_variables(settings, &given);
        let agreement = settings.compare::<T>(make()).map_err(Error::Usage)?;
        let has_failed = agreement.fails(&settings);
        Ok(Answer {
            text: match has_failed {
                true => format!("`{name}`: {}", super::do_not_agree(&agreement.type_name, &agreement)),
                false => format!("`{name}`: {agreement}"),
            },
            json: in_json(&name, has_failed, Some(&agreement)),
            outcome: if has_failed { "failed" } else { "agrees" }.to_owned(),
        })
    });
    let event = match answer {
        Ok(answer) => Event::Answer(answer),
        Err(error) => Event::from(&error),
    };
    let _ = lines.send(&event);
}

/// The settings of a request to run. Others, and options without a meaning here, are refused.
fn settings_of(name: &str, text: &str) -> Result<Settings, Error> {
    let refused = |what: &str| {
        Error::Usage(format!(
            "`{name}` compares an invariant with methods: {what}; `cargo smallscope run {name}` takes `--scope`, `--size`, \
             `--budget` and `--json`"
        ))
    };
    let Ok(Request::Run(run)) = Request::from_line(text) else {
        return Err(refused("only `run` is for such a test"));
    };
    if run.print || run.save.is_some() || run.checkpoint.is_some() || run.list_classes {
        return Err(refused("its values are neither printed nor saved"));
    }
    let given = run.space.settings;
    let known = Settings {
        scope: given.scope,
        size: given.size,
        budget: given.budget,
        progress: given.progress,
        ..Settings::default()
    };
    match given == known && run.space.bounds.is_none() {
        true => Ok(known),
        false => Err(refused("an option is for tests on values")),
    }
}
