//! Puts the results of shards of call sequences together: the report is that of one run, or the next level is planned.

use super::{Job, LEAST_CALLS, level_of, save_states, text, usage};
use crate::attribute::TestSite;
use crate::runner::json::quoted;
use crate::sequences::{describe, describe_empty, json};
use crate::session::error::Error;
use crate::session::observer::Observer;
use crate::session::sequences::Subject;
use crate::session::sequences::ask::Merge;
use crate::session::serve::Answer;
use crate::session::shard::{
    Collected, Done, PART, Plan, REPORT, Record, State, collect, named_flaws, shard_path,
};
use smallscope_sequences::{
    Conclusion, Divided, Fault, Known, MergedParts, Part, Pulse, Stop, Test, Watch, Which,
};
use smallscope_suite::ShardFile;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Merges the shards of a plan. If a level of an exploration is done, the shards of the next one are added to the plan.
pub(crate) fn merge(
    site: &TestSite,
    subject: &Subject<'_>,
    request: &Merge,
    observer: &mut dyn Observer,
) -> Result<Answer, Error> {
    let (mut plan, job) = Job::new(site, subject, &request.plan)?;
    let collected = collect(&plan, &request.directory, &|| observer.is_stopped())?;
    let all = Shards { plan: &plan, collected: &collected };
    if let Some(answer) = all.whole_report() {
        return Ok(answer);
    }
    if job.campaign.which != Which::States {
        return match all.is_decided() {
            true => Ok(all.answer(&job, &merge_list(&job, &collected)?)),
            false => Ok(all.incomplete(&job)),
        };
    }
    match merge_levels(&job, &plan, &collected, &request.directory)? {
        Err((test, fault)) => Ok(all.given_up(&job, &test, &fault)),
        Ok(MergedParts::Done(found)) => {
            match collected.flaws.is_empty() || found.stop() == Stop::FirstFailure {
                true => Ok(all.answer(&job, &found)),
                false => Ok(all.incomplete(&job)),
            }
        }
        Ok(MergedParts::Missing { known, states, level }) => {
            let bytes = known.to_bytes();
            if level < plan.levels.len() || !collected.flaws.is_empty() {
                // The file with the states may be missing, and is needed for the shards that are.
                if plan.levels.get(level) == Some(&level_of(&bytes, known.len())) {
                    save_states(&request.directory, &bytes)?;
                }
                return Ok(all.incomplete(&job));
            }
            save_states(&request.directory, &bytes)?;
            add_level(&mut plan, &job, &known, &bytes, states, level);
            plan.save(&request.plan)?;
            Ok(more(&plan, &collected, level, known.len()))
        }
    }
}

/// Adds the shards of a level to the plan.
fn add_level(plan: &mut Plan, job: &Job<'_>, known: &Known, bytes: &[u8], states: Range<u32>, level: usize) {
    let parts = plan.identity.get("parts").and_then(|parts| parts.parse().ok()).unwrap_or(1_usize);
    let calls = job.subject.context.calls().max(1) as usize;
    let number = states.len().min(states.len() * calls / LEAST_CALLS).clamp(1, parts);
    for part in 0..number {
        let start = states.start as usize + states.len() * part / number;
        plan.starts.push(text::place_of_state(level, start as u32));
    }
    plan.levels.push(level_of(bytes, known.len()));
    plan.end = Some(text::place_of_state(level + 1, states.end));
}

/// Says that a level is merged, and what to do next.
fn more(plan: &Plan, collected: &Collected, level: usize, states: usize) -> Answer {
    let new = plan.parts() - collected.records.len();
    let s = if new == 1 { "" } else { "s" };
    let text = format!(
        "sequences of up to {level} call{} are merged: they lead to {states} states\n\
         the plan has {new} more shard{s}, for sequences of {} calls: run and merge again",
        if level == 1 { "" } else { "s" },
        level + 1
    );
    let json = format!(
        "{{\"outcome\":\"continues\",\"exhaustive\":false,\"level\":{level},\"states\":{states},\"shards\":{},\"done\":{},\"flaws\":[]}}",
        plan.parts(),
        collected.records.len()
    );
    Answer { text, json, outcome: "continues".to_owned() }
}

fn merge_list(job: &Job<'_>, collected: &Collected) -> Result<Conclusion, Error> {
    let divided = Divided::new(&job.campaign, &job.subject.context).map_err(usage)?;
    let part = |record: &Record| record.notes.get(PART).and_then(text::tests_from_text);
    let parts: Option<Vec<_>> = collected.records.iter().map(part).collect();
    let parts =
        parts.ok_or_else(|| Error::Usage("a shard has no result; run it again with `--force`".into()))?;
    divided.merge_tests(parts).map_err(usage)
}

/// Merges the levels on another thread, since calls that failed are made again. The inner error is a call that does not
/// return.
fn merge_levels(
    job: &Job<'_>,
    plan: &Plan,
    collected: &Collected,
    directory: &Path,
) -> Result<Result<MergedParts, (Test, Fault)>, Error> {
    // By their first states.
    let mut shards: HashMap<u32, (PathBuf, Range<u32>, Part)> = HashMap::new();
    for record in &collected.records {
        let Some((from, Some(to))) = plan.range(record.number) else { continue };
        let states = text::state_at(from)..text::state_at(to);
        let Some(part) = record.notes.get(PART).and_then(text::part_from_text) else { continue };
        shards.insert(states.start, (shard_path(directory, record.number), states, part));
    }
    let (context, campaign) = (Arc::clone(&job.subject.context), job.campaign.clone());
    let work = move |pulse: &Pulse| {
        let watch = Watch { pulse: Some(pulse), ..Watch::default() };
        Divided::new(&campaign, &context)?.merge_states(&watch, |state| {
            let Some((path, states, part)) = shards.remove(&state) else { return Ok(None) };
            let unreadable = |error: smallscope_suite::Error| smallscope_sequences::Error::BadRequest {
                what: format!("{}: {error}", path.display()),
            };
            let file = ShardFile::load(&path).map_err(unreadable)?;
            let found = file.bytes(&path).map_err(unreadable)?.unwrap_or_default();
            let number = file.trail.map_or(0, |trail| trail.entries);
            Ok(Some(Part { states, found, number, ..part }))
        })
    };
    let merged = Pulse::watch(job.campaign.call_limit(), work, || {}).map_err(Error::Output)?;
    match merged {
        Ok(merged) => merged.map(Ok).map_err(usage),
        Err(stuck) => Ok(Err(stuck)),
    }
}

/// The shards of a plan, and their results.
struct Shards<'a> {
    plan: &'a Plan,
    collected: &'a Collected,
}

impl Shards<'_> {
    /// Returns the first shard that failed, if all shards before it are there.
    fn first_failure(&self) -> Option<&Record> {
        match self.collected.state {
            State::Failed { number, is_first: true } => {
                self.collected.records.iter().find(|record| record.number == number)
            }
            _ => None,
        }
    }

    /// Whether nothing that is missing can change the report.
    fn is_decided(&self) -> bool {
        self.collected.state == State::Exhausted || self.first_failure().is_some()
    }

    /// Returns the report of the first failure, if that is the whole report of a run: a recorded failure, or a call that does
    /// not return.
    fn whole_report(&self) -> Option<Answer> {
        let record = self.first_failure()?;
        let (json, Done::Failed { text, .. }) = (record.notes.get(REPORT)?, &record.done) else {
            return None;
        };
        Some(self.failed(text, json, record.number))
    }

    fn failed(&self, text: &str, json: &str, number: usize) -> Answer {
        let text = format!(
            "{text}\nfailed: shard {number} of {} has the first failure in the order of the sequences{}",
            self.plan.parts(),
            named_flaws(self.collected)
        );
        Answer { text, json: self.with_shards(json), outcome: "failed".to_owned() }
    }

    fn given_up(&self, job: &Job<'_>, test: &Test, fault: &Fault) -> Answer {
        let done = job.given_up(test, fault);
        Answer { text: done.text, json: self.with_shards(&done.json), outcome: "failed".to_owned() }
    }

    /// Returns the report of one run, and what it was put together from.
    fn answer(&self, job: &Job<'_>, found: &Conclusion) -> Answer {
        let (name, context) = (job.subject.name, &*job.subject.context);
        let json = json(name, context, found);
        if let Some(why) = found.why_empty(context) {
            let text = format!("{}\n{}", describe_empty(name, found, &why), self.complete());
            return Answer { text, json: self.with_shards(&json), outcome: "failed".to_owned() };
        }
        if found.clusters().is_empty() {
            let text = format!("`{name}`: {}\n{}", found.covered(), self.complete());
            return Answer { text, json: self.with_shards(&json), outcome: "exhausted".to_owned() };
        }
        let text = describe(name, context, found, |calls| Some(job.identity.replay(calls)));
        match self.first_failure() {
            Some(record) => self.failed(&text, &json, record.number),
            None => {
                let text = format!("{text}\n{}", self.complete());
                Answer { text, json: self.with_shards(&json), outcome: "failed".to_owned() }
            }
        }
    }

    fn complete(&self) -> String {
        let (all, flaws) = (self.plan.parts(), named_flaws(self.collected));
        match flaws.is_empty() {
            true => format!(
                "shards: {all} of {all} are there and done; their ranges meet without a gap or an overlap"
            ),
            false => format!("shards: {} of {all} are done{flaws}", self.collected.records.len()),
        }
    }

    /// Says which shards are missing or cannot be used.
    fn incomplete(&self, job: &Job<'_>) -> Answer {
        let (there, all, name) = (self.collected.records.len(), self.plan.parts(), job.subject.name);
        let mut text = String::new();
        if let State::Failed { number, .. } = self.collected.state {
            let failed = self.collected.records.iter().find(|record| record.number == number);
            if let Some(Done::Failed { text: failure, .. }) = failed.map(|record| &record.done) {
                text += &format!(
                    "{}\nfailed: shard {number} of {all} has a failure; shards before it are not there, so it need not be the \
                     first one\n",
                    failure.trim_end()
                );
            }
        }
        text += &format!("`{name}`: not all sequences were covered: {there} of {all} shards are done");
        text += &named_flaws(self.collected);
        let is_failed = matches!(self.collected.state, State::Failed { .. });
        let outcome = if is_failed { "failed" } else { "incomplete" };
        let json = format!(
            "{{\"test\":{},\"kind\":\"sequences\",\"outcome\":{},\"exhaustive\":false}}",
            quoted(name),
            quoted(outcome)
        );
        Answer { text, json: self.with_shards(&json), outcome: outcome.to_owned() }
    }

    /// Adds the shards to a JSON object.
    fn with_shards(&self, json: &str) -> String {
        let flaws: Vec<String> = self.collected.flaws.iter().map(|flaw| quoted(&flaw.to_string())).collect();
        let (all, done) = (self.plan.parts(), self.collected.records.len());
        let object = json.trim_end().trim_end_matches('}');
        format!("{object},\"shards\":{all},\"done\":{done},\"flaws\":[{}]}}", flaws.join(","))
    }
}
