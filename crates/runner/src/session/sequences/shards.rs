//! Call sequences in shards: planning them, and running them.
//!
//! A list of tests is cut into ranges of positions. An exploration is cut level by level: a shard makes every call in some
//! states of a level, and merging the shards of a level finds the states of the next one, whose shards are added to the
//! plan. All states are in a file beside the results, which merging writes.

mod merge;
mod text;

use super::Subject;
use super::ask::Divide;
use crate::attribute::TestSite;
use crate::runner::plan::Identity;
use crate::runner::regressions::Regressions;
use crate::sequences::{GIVEN_UP, describe_one, json_of_one, recorded_covered, with_settings};
use crate::session::error::Error;
use crate::session::job::Limits;
use crate::session::observer::Observer;
use crate::session::request::ShardRun;
use crate::session::shard::{
    Cut, Done, Level, PART, PassCounts, Place, Plan, REPORT, Record, Temporary, Written, binary, check_new,
    each, load, records_from_text, records_to_text,
};
use crate::session::wire::{Fields, Wire};
use crate::settings::Settings;
use smallscope_core::Stop;
use smallscope_sequences::{
    BigUint, Campaign, Cluster, Divided, Fault, Known, MergedParts, Pulse, Test, Watch, Which,
};
use smallscope_suite::{Header, Trail, fingerprint, replace_file};
use smallscope_support::memory::Meter;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub(super) use merge::merge;

/// A shard of a level makes at least so many calls: less is not worth a file.
const LEAST_CALLS: usize = 16;

/// A test of call sequences whose shards are run.
pub(super) struct Job<'s> {
    subject: &'s Subject<'s>,
    identity: Identity,
    campaign: Campaign,
}

fn usage(error: smallscope_sequences::Error) -> Error {
    Error::Usage(error.to_string())
}

/// Returns the path of the file with all states.
fn states_path(directory: &Path) -> PathBuf {
    directory.join("states")
}

/// Plans a test.
pub(super) fn plan(
    site: &TestSite,
    subject: &Subject<'_>,
    request: &Divide,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let campaign = with_settings(&subject.campaign, &request.settings).map_err(usage)?;
    let divided = Divided::new(&campaign, &subject.context).map_err(usage)?;
    check_new(request.parts, &request.plan, request.force)?;
    let identity = site.identity();
    let records = match &identity.regressions {
        None => vec![],
        Some(records) => records.of_sequences().load_texts(&identity.name).map_err(Error::Usage)?,
    };
    let place = |records: &Regressions| records.of_sequences().short_path();
    let file = identity.regressions.as_ref().map(place).unwrap_or_default();
    let record = |(line, text): (usize, String)| (format!("{file}:{line}"), text);
    let records = records_to_text(records.into_iter().map(record).collect());
    let mut settings = Fields::default();
    request.settings.put("", &mut settings);
    let is_list = campaign.which != Which::States;
    let mut pairs = Header::new().with("structure", subject.name);
    if let Some(package) = site.package {
        pairs = pairs.with("package", package);
    }
    let pairs = pairs
        .with("crate", site.crate_name())
        .with("file", site.place().0)
        .with("kind", "sequences")
        .with("keep", if is_list { "no" } else { "yes" })
        .with("strategy", campaign.which.to_string())
        .with("length", campaign.length.map_or("any".to_owned(), |length| length.to_string()))
        .with("calls", divided.calls().to_string())
        .with("parts", request.parts.to_string())
        .with("options", settings.to_line())
        .with("recorded", fingerprint(records.as_bytes()))
        .with("binary", binary()?);
    let plan = match is_list {
        true => plan_list(pairs, &divided, request.parts)?,
        false => plan_levels(pairs, &divided)?,
    };
    let plan = Plan { records, ..plan };
    plan.save(&request.plan)?;
    let path = request.plan.display();
    let parts = plan.parts();
    let s = if parts == 1 { "" } else { "s" };
    let text = match is_list {
        true => {
            format!("{path}: {parts} shard{s} of about {:.0} sequences each\n", plan.total / parts as f64)
        }
        false => format!(
            "{path}: the first level, in 1 shard; `shard merge` adds the shards of the next one when it is done, and `submit` \
             runs all of them\n"
        ),
    };
    observer.print(&text).map_err(Error::Output)
}

fn plan_list(identity: Header, divided: &Divided<'_>, parts: usize) -> Result<Plan, Error> {
    let all = divided.positions().map_err(usage)?;
    let (size, width) = (&all.end - &all.start, all.end.to_u32_digits().len());
    let cut = |number: usize| place_of(&(&all.start + &size * number / parts), width);
    let mut starts = vec![Place::START];
    starts.extend((1..parts).map(cut));
    starts.dedup();
    // The first one begins at the beginning, whatever its place is.
    let first = place_of(&all.start, width);
    starts.retain(|start| *start == Place::START || *start > first);
    let total = size.to_string().parse().unwrap_or(f64::INFINITY);
    Ok(Plan::new(identity, Cut { starts, total, runs: 0 }))
}

fn place_of(position: &BigUint, width: usize) -> Place {
    text::place_of_test(position, width)
}

/// Plans the first level, which has the state before any call.
fn plan_levels(identity: Header, divided: &Divided<'_>) -> Result<Plan, Error> {
    let mut plan = Plan::new(identity, Cut { starts: vec![Place::START], total: 0.0, runs: 0 });
    let MergedParts::Missing { known, .. } =
        divided.merge_states(&Watch::default(), |_| Ok(None)).map_err(usage)?
    else {
        return Err(Error::Usage("a sequence has at least one call: give `--length 1` or more".into()));
    };
    plan.levels.push(level_of(&known.to_bytes(), known.len()));
    plan.end = Some(text::place_of_state(1, 1));
    Ok(plan)
}

fn level_of(bytes: &[u8], states: usize) -> Level {
    Level { states, bytes: bytes.len(), fingerprint: fingerprint(bytes) }
}

/// Writes the file with all states.
fn save_states(directory: &Path, bytes: &[u8]) -> Result<(), Error> {
    let path = states_path(directory);
    std::fs::create_dir_all(directory).map_err(Error::unwritable(directory))?;
    replace_file(&path, |file| Ok(file.write_all(bytes)?)).map_err(Error::suite(&path))
}

impl<'s> Job<'s> {
    /// Reads a plan, and returns it with the campaign that it divides.
    fn new(site: &TestSite, subject: &'s Subject<'s>, path: &Path) -> Result<(Plan, Job<'s>), Error> {
        let plan = load(path)?;
        let wrong = |error: String| Error::Suite { path: path.to_owned(), error };
        let fields = Fields::from_line(plan.identity.get("options").unwrap_or_default());
        let settings = <Settings as Wire>::get("", &fields).map_err(wrong)?;
        if plan.identity.get("structure") != Some(subject.name) {
            return Err(wrong("it is the plan of another test".to_owned()));
        }
        let campaign = with_settings(&subject.campaign, &settings).map_err(usage)?;
        Ok((plan, Job { subject, identity: site.identity(), campaign }))
    }

    /// Returns the states that are known before a level.
    fn known(&self, plan: &Plan, directory: &Path, level: usize) -> Result<Known, Error> {
        let path = states_path(directory);
        let Some(level) = plan.levels.get(level) else {
            return Err(Error::Usage("the plan has no such level".into()));
        };
        if level.states == 1 {
            let divided = Divided::new(&self.campaign, &self.subject.context).map_err(usage)?;
            let first = divided.merge_states(&Watch::default(), |_| Ok(None)).map_err(usage)?;
            if let MergedParts::Missing { known, .. } = first {
                return Ok(known);
            }
        }
        let bytes = std::fs::read(&path).map_err(Error::unreadable(&path))?;
        let bytes = bytes.get(..level.bytes).filter(|bytes| fingerprint(bytes) == level.fingerprint);
        let known = bytes.and_then(|bytes| Known::from_bytes(bytes, self.campaign.exact, level.states));
        known.ok_or_else(|| Error::Suite {
            path,
            error: "it does not have the states of the level; `shard merge` writes it again".to_owned(),
        })
    }

    /// Runs the recorded failures. Returns the first that still fails, with its report.
    fn try_records(&self, plan: &Plan, observer: &mut dyn Observer) -> Result<Option<WholeReport>, Error> {
        let (name, context) = (self.subject.name, &*self.subject.context);
        for (place, text) in records_from_text(&plan.records) {
            let test = match Test::find(context, &text) {
                Ok(test) => test,
                Err(stale) => {
                    let warning = format!(
                        "warning: {place}: the recorded failure of `{name}` is stale and was not tried: {stale}; delete the \
                         line if that is intended\n"
                    );
                    observer.print(&warning).map_err(Error::Output)?;
                    continue;
                }
            };
            let replayed = super::replay::watched(self.subject, &test)?;
            if let Some(fault) = replayed.fault {
                let covered = recorded_covered(&place);
                let text = describe_one(name, context, &test, &fault, &covered);
                return Ok(Some(WholeReport {
                    text,
                    json: json_of_one(name, context, &test, &fault, &covered),
                }));
            }
        }
        Ok(None)
    }

    /// Describes a call that does not return.
    fn given_up(&self, test: &Test, fault: &Fault) -> WholeReport {
        let (name, context) = (self.subject.name, &*self.subject.context);
        let mut text = describe_one(name, context, test, fault, GIVEN_UP);
        text += &format!("\nreplay:   {}", self.identity.replay(&test.to_line(context)));
        WholeReport { text, json: json_of_one(name, context, test, fault, GIVEN_UP) }
    }

    /// Describes the first failure of a shard that is not the whole report.
    fn failed(&self, clusters: &[Cluster]) -> Done {
        let (name, context) = (self.subject.name, &*self.subject.context);
        let text = clusters.first().map_or_else(String::new, |cluster| {
            let first = &cluster.first;
            format!("`{name}` fails after {} calls\n\n{first}\n", first.shrunk.len())
        });
        let replay =
            clusters.first().map(|cluster| self.identity.replay(&cluster.first.shrunk.to_line(context)));
        Done::Failed { text, replay: replay.unwrap_or_default(), number: 0 }
    }
}

/// A failure that is the whole report of a run.
struct WholeReport {
    text: String,
    json: String,
}

impl WholeReport {
    fn put_into(self, record: &mut Record) {
        record.notes = std::mem::take(&mut record.notes).with(REPORT, &self.json);
        record.done = Done::Failed { text: self.text, replay: String::new(), number: 0 };
    }
}

/// Runs shards of a test.
pub(super) fn run(
    site: &TestSite,
    subject: &Subject<'_>,
    request: &ShardRun,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let (plan, job) = Job::new(site, subject, &request.plan)?;
    let limits = Limits::new(&request.settings, Duration::ZERO);
    let begin = Instant::now();
    // The states of a level are read once for all of its shards.
    let mut latest: Option<(u32, Arc<Known>)> = None;
    each(&plan, request, observer, |number, observer| {
        let Some(mut record) = Record::new(&plan, number, Done::Whole) else {
            return Err(Error::Usage(format!("the plan has no shard {number}")));
        };
        if number == 1 {
            if let Some(failed) = job.try_records(&plan, observer)? {
                failed.put_into(&mut record);
                return Ok(Written { record, values: None });
            }
        }
        let (from, to) = record.range.clone();
        let watched = Watched { job: &job, limits: &limits, begin };
        if job.campaign.which != Which::States {
            let range = (number > 1).then(|| text::test_at(&from))..to.as_ref().map(text::test_at);
            let done = watched.run(observer, move |divided, watch| {
                let all = divided.positions()?;
                let range = range.start.unwrap_or(all.start)..range.end.unwrap_or(all.end);
                divided.run_tests(range, watch)
            })?;
            if let Some((part, clusters)) = watched.settle(done, &mut record) {
                record.passes = vec![PassCounts {
                    explored: part.counts.calls,
                    valid: part.tests,
                    ..PassCounts::default()
                }];
                record.notes = std::mem::take(&mut record.notes).with(PART, text::tests_to_text(&part));
                if part.failing > 0 && !job.campaign.clusters {
                    record.done = job.failed(&clusters);
                }
            }
            return Ok(Written { record, values: None });
        }
        let level = from.pass;
        let known = match &latest {
            Some((known_level, known)) if *known_level == level => known.clone(),
            _ => Arc::new(job.known(&plan, &request.directory, level as usize)?),
        };
        latest = Some((level, known.clone()));
        let states = text::state_at(&from)..to.as_ref().map_or(known.len() as u32, text::state_at);
        let done = watched.run(observer, move |divided, watch| divided.explore(&known, states, watch))?;
        let Some((part, clusters)) = watched.settle(done, &mut record) else {
            return Ok(Written { record, values: None });
        };
        record.passes =
            vec![PassCounts { pass: level, explored: part.counts.calls, valid: part.number, pruned: 0 }];
        record.notes = std::mem::take(&mut record.notes).with(PART, text::part_to_text(&part));
        if !part.failing.is_empty() && !job.campaign.clusters {
            record.done = job.failed(&clusters);
            return Ok(Written { record, values: None });
        }
        let temporary = Temporary::of_values(&request.directory, number);
        std::fs::write(temporary.path(), &part.found).map_err(Error::unwritable(temporary.path()))?;
        Ok(Written { record, values: Some((Trail::of_bytes(part.number, &part.found), temporary)) })
    })
}

/// Runs a part of a campaign on another thread, so that this one can notice calls that do not return.
struct Watched<'w> {
    job: &'w Job<'w>,
    limits: &'w Limits,
    begin: Instant,
}

/// The result of a part: what was found, why it was stopped, or a call that does not return.
type Ended<R> = Result<Result<R, Stop>, (Test, Fault)>;

impl Watched<'_> {
    fn run<R: Send + 'static>(
        &self,
        observer: &dyn Observer,
        work: impl FnOnce(&Divided<'_>, &Watch<'_>) -> Result<Option<R>, smallscope_sequences::Error>
        + Send
        + 'static,
    ) -> Result<Ended<R>, Error> {
        let interrupt = Arc::new(AtomicBool::new(false));
        let (context, campaign) = (Arc::clone(&self.job.subject.context), self.job.campaign.clone());
        let flag = Arc::clone(&interrupt);
        let work = move |pulse: &Pulse| {
            let watch = Watch { interrupt: Some(&flag), pulse: Some(pulse), ..Watch::default() };
            work(&Divided::new(&campaign, &context)?, &watch)
        };
        let (meter, mut why) = (Meter::new(self.limits.memory), None);
        let mut look = || {
            why = why.or(self.limits.stop(self.begin, &meter, observer));
            if why.is_some() {
                interrupt.store(true, Ordering::Relaxed);
            }
        };
        // A limit that is reached before the shard begins.
        look();
        let done = Pulse::watch(self.job.campaign.call_limit(), work, look).map_err(Error::Output)?;
        Ok(match done {
            Err(stuck) => Err(stuck),
            Ok(found) => Ok(found.map_err(usage)?.ok_or(why.unwrap_or(Stop::Interrupted))),
        })
    }

    /// Returns what was found. Otherwise the record says why there is nothing.
    fn settle<R>(&self, ended: Ended<R>, record: &mut Record) -> Option<R> {
        match ended {
            Ok(Ok(found)) => return Some(found),
            Ok(Err(stop)) => record.done = Done::Stopped(stop.to_string()),
            Err((test, fault)) => self.job.given_up(&test, &fault).put_into(record),
        }
        None
    }
}
