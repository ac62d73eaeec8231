//! What `#[smallscope::agree]` expands to a call of: a comparison with records, replay, drawings and pages.

use super::records::{self, Again};
use super::{Agree, Agreement, Example, Reached, cannot_be_compared, do_not_agree};
use crate::attribute::TestSite;
use crate::runner::json::{self, Object};
use crate::runner::plan::Identity;
use crate::runner::replay::ReplayCandidate;
use crate::runner::{page, say};
use crate::settings::Settings;
use crate::show::type_text;
use smallscope_core::Bounded;
use smallscope_sequences::{Context, IntoContext, Linearize, Test};
use std::fmt::{Debug, Write};

/// Compares an invariant with the methods of its type, and panics with a report if they do not agree.
#[track_caller]
pub fn run_agree<T, C>(site: &TestSite, settings: Agree, make: fn() -> C)
where
    T: Bounded + Linearize + Debug,
    C: IntoContext,
{
    // Keeps the mark in the binary.
    std::hint::black_box(site.mark);
    #[cfg(feature = "suites")]
    if let Some(request) = crate::session::request_of_process() {
        return super::serve::serve::<T, C>(site, settings, make, &request);
    }
    let identity = site.identity();
    let verdict = Settings::of_process().map_err(NotPassed::Error).and_then(|variables| {
        let settings = with_variables(settings, &variables);
        run::<T>(&identity, &settings, make(), &variables)
    });
    match verdict {
        Ok(text) => println!("{text}"),
        Err(NotPassed::Failure(text)) => {
            site.annotate(None, &text);
            panic!("{text}")
        }
        // With `#[should_panic]`, the harness would take that for a disagreement.
        Err(NotPassed::Error(error)) if site.should_panic => say(&in_words::<T>(&identity, &error)),
        Err(NotPassed::Error(error)) => panic!("{}", in_words::<T>(&identity, &error)),
    }
}

fn in_words<T>(identity: &Identity, error: &str) -> String {
    format!("`{}`: {}", identity.name, cannot_be_compared(&type_text(std::any::type_name::<T>()), error))
}

/// The settings with the variables over them.
pub(super) fn with_variables(mut settings: Agree, variables: &Settings) -> Agree {
    if let Some(scope) = variables.scope {
        settings.bounds = settings.bounds.with_plain_scope(scope);
    }
    if let Some(size) = variables.size {
        settings.bounds = settings.bounds.with_size(size);
    }
    if let Some(length) = variables.length {
        settings.length = Some(length as usize);
    }
    if let Some(budget) = variables.budget {
        settings.budget = budget;
    }
    settings
}

/// Why a test has not passed.
pub(super) enum NotPassed {
    /// They do not agree; the report.
    Failure(String),
    /// Nothing could be compared.
    Error(String),
}

impl From<String> for NotPassed {
    fn from(error: String) -> NotPassed {
        NotPassed::Error(error)
    }
}

/// Runs a test, and returns the text for its output.
pub(super) fn run<T: Bounded + Linearize + Debug>(
    identity: &Identity,
    settings: &Agree,
    context: impl IntoContext,
    variables: &Settings,
) -> Result<String, NotPassed> {
    let context = context.into_context().map_err(|error| format!("the context is wrong: {error}"))?;
    let report = Report { identity, settings, variables, type_name: type_text(std::any::type_name::<T>()) };
    if let Some(path) = &variables.report {
        json::open(path).map_err(|error| report.unwritable(&error))?;
    }
    if let Some(replay) = &variables.replay {
        return report.replay::<T>(&context, &replay.text, replay.candidate.as_ref());
    }
    if let Some(again) = records::try_sequences::<T>(identity, &context, settings)? {
        return Err(report.again(&again));
    }
    let reached = Reached::by_calls::<T>(settings, &context)?;
    if let Some(again) = records::try_values::<T>(identity, &reached, settings)? {
        return Err(report.again(&again));
    }
    let agreement = reached.compare_values::<T>(&settings.bounds)?;
    report.append(agreement.fails(settings), Some(&agreement))?;
    match agreement.fails(settings) {
        true => Err(report.failure(&agreement)),
        false => Ok(format!("`{}`: {agreement}", identity.name)),
    }
}

/// What a report consists of besides the result.
struct Report<'a> {
    identity: &'a Identity,
    settings: &'a Agree,
    variables: &'a Settings,
    type_name: String,
}

impl Report<'_> {
    fn title(&self) -> String {
        format!(
            "`{}`: the invariant and the methods of `{}` do not agree",
            self.identity.name, self.type_name
        )
    }

    fn failure(&self, agreement: &Agreement) -> NotPassed {
        let mut text = format!("`{}`: {}", self.identity.name, do_not_agree(&self.type_name, agreement));
        let fails_by_unreached = agreement.is_whole && !self.settings.allows_unreached;
        let unreached = agreement.first_unreached.as_ref().filter(|_| fails_by_unreached);
        let examples: Vec<&Example> = agreement.first_rejected.iter().chain(unreached).collect();
        for example in &examples {
            self.write_replay(&mut text, example);
        }
        let mut files: Vec<String> =
            examples.iter().filter_map(|example| records::record(self.identity, example)).collect();
        files.dedup();
        if !files.is_empty() {
            let _ = write!(text, "\nrecorded: {}", files.join(", "));
        }
        let message =
            text.lines().filter(|line| line.starts_with("reached:") || line.starts_with("accepted:"));
        let message = message.collect::<Vec<_>>().join("\n");
        self.write_page(&mut text, &message, &examples);
        NotPassed::Failure(text)
    }

    /// The report of a recorded disagreement.
    fn again(&self, again: &Again) -> NotPassed {
        let rest = if again.is_rejected { "nothing else was run" } else { "no other value was looked up" };
        let covered = format!("recorded in {}, and tried first; {rest}", again.place);
        self.one(&again.example, again.is_rejected, &covered)
    }

    /// The report of one disagreement, without a comparison.
    fn one(&self, example: &Example, is_rejected: bool, covered: &str) -> NotPassed {
        let what = match (is_rejected, &example.calls) {
            (true, Some(calls)) => {
                format!("reachable but rejected: after\n\n{}\nthe value is", super::indented(calls))
            }
            (true, None) => "reachable but rejected: before any call, the value is".to_owned(),
            (false, _) => "accepted but not reached within the bounds: the value is".to_owned(),
        };
        let mut text = format!("{}\n\n{what}\n\n{example}", self.title());
        self.write_replay(&mut text, example);
        let _ = write!(text, "\ncovered:  {covered}");
        self.write_page(&mut text, covered, &[example]);
        if let Err(error) = self.append(true, None) {
            return error;
        }
        NotPassed::Failure(text)
    }

    fn write_replay(&self, text: &mut String, example: &Example) {
        if let Some(replay) = &example.replay {
            let _ = write!(text, "\nreplay:   {}", self.identity.replay(replay));
        }
    }

    /// Writes the page, if pages are wanted.
    fn write_page(&self, text: &mut String, message: &str, examples: &[&Example]) {
        if self.variables.html != Some(true) {
            return;
        }
        let command = examples.iter().find_map(|example| example.replay.as_deref());
        let failure = page::Disagreement {
            title: self.title(),
            message: message.to_owned(),
            command: command.map_or(String::new(), |replay| self.identity.replay(replay)),
        };
        let _ = match page::write_examples(&self.identity.name, &failure, examples) {
            Ok(file) => write!(text, "\npage:     {file}"),
            Err(why) => write!(text, "\npage:     no, {why}"),
        };
    }

    /// Runs one sequence, or looks up one value.
    fn replay<T: Bounded + Linearize + Debug>(
        &self,
        context: &Context,
        text: &str,
        candidate: Option<&ReplayCandidate>,
    ) -> Result<String, NotPassed> {
        let Agree { bounds, .. } = self.settings;
        let name = &self.identity.name;
        let wrong = |error: String| NotPassed::Error(format!("SMALLSCOPE_REPLAY: {error}"));
        // The index of a sequence looks like a candidate without a fingerprint.
        if let Some(position) = candidate.filter(|position| position.fingerprint.is_some()) {
            let Some(value) = records::value_at::<T>(position, bounds).map_err(wrong)? else {
                return Ok(format!(
                    "`{name}`: the invariant rejects the replayed value; nothing else was run"
                ));
            };
            let reached = Reached::by_calls::<T>(self.settings, context)?;
            return match reached.has(&value) {
                true => Ok(format!("`{name}`: calls reach the replayed value; no other value was looked up")),
                false => {
                    let covered = format!("{}; no other value was looked up", reached.sequences);
                    Err(self.one(&Example::unreached(&value, bounds), false, &covered))
                }
            };
        }
        let test = Test::find(context, text).map_err(|error| wrong(error.to_string()))?;
        match records::rejected_after::<T>(context, &test, bounds)? {
            Some(example) => Err(self.one(&example, true, "nothing else was run")),
            None => Ok(format!(
                "`{name}`: the invariant accepts the values after the replayed sequence; nothing else was run"
            )),
        }
    }

    fn unwritable(&self, error: &std::io::Error) -> NotPassed {
        let path = self.variables.report.clone().unwrap_or_default();
        NotPassed::Error(format!("SMALLSCOPE_REPORT: {} cannot be written: {error}", path.display()))
    }

    /// Adds a line of JSON to the file of reports, if there is one.
    fn append(&self, has_failed: bool, agreement: Option<&Agreement>) -> Result<(), NotPassed> {
        let Some(path) = &self.variables.report else { return Ok(()) };
        let line = in_json(&self.identity.name, has_failed, agreement);
        json::append_line(path, line).map_err(|error| self.unwritable(&error))
    }
}

/// Returns one line of JSON.
pub(super) fn in_json(name: &str, has_failed: bool, agreement: Option<&Agreement>) -> String {
    let mut out = Object::default();
    out.text("test", name);
    out.text("kind", "agree");
    out.text("result", if has_failed { "failed" } else { "passed" });
    if let Some(agreement) = agreement {
        out.text("type", &agreement.type_name);
        out.text("sequences", &agreement.sequences);
        out.raw("all_sequences", agreement.is_whole);
        out.raw("all_values", agreement.has_all_values);
        out.raw("reached", agreement.reached);
        out.raw("rejected", agreement.rejected);
        out.raw("accepted", agreement.accepted);
        out.raw("unreached", agreement.unreached);
        out.raw("outside", agreement.outside);
        for (key, example) in
            [("first_rejected", &agreement.first_rejected), ("first_unreached", &agreement.first_unreached)]
        {
            if let Some(example) = example {
                let mut inner = Object::default();
                inner.text("value", &example.text);
                if let Some(replay) = &example.replay {
                    inner.text("replay", replay);
                }
                out.raw(key, inner.close());
            }
        }
    }
    out.close()
}

#[cfg(test)]
mod tests;
