//! Runs shards of a plan, one after the other.

use super::plan::{Plan, binary, shard_path};
use super::record::{Done, FRONTIER, PassCounts, Record};
use crate::session::error::Error;
use crate::session::files::Provenance;
use crate::session::job::Limits;
use crate::session::observer::{Observer, Status};
use crate::session::request::ShardRun;
use crate::session::subject::Subject;
use smallscope_core::{AnySearch, Classes, Found, Limit, Outcome, Position, Stop};
use smallscope_suite::{ShardFile, Trail, TrailWriter};
use smallscope_support::memory::Meter;
use smallscope_support::panics::catch;
use std::fs::File;
use std::io::BufWriter;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Runs shards whose results are not there yet.
pub(crate) fn run(
    subject: &Subject<'_>,
    request: &ShardRun,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let plan = load(&request.plan)?;
    let provenance = Provenance::from_header(&request.plan, &plan.identity)?;
    let keep = plan.identity.get("keep") == Some("yes");
    let search = provenance.search_again(subject, &request.plan, &plan.identity)?;
    let counts_only = !keep && provenance.classes == Classes::Ignored;
    let limits = Limits::new(&request.settings, Duration::ZERO);
    let mut runner = Runner { search, keep, counts_only, limits, begin: Instant::now() };
    each(&plan, request, observer, |number, observer| runner.run(&plan, number, &request.directory, observer))
}

/// Reads a plan, and checks that it was made by this program.
pub(crate) fn load(path: &Path) -> Result<Plan, Error> {
    let plan = Plan::load(path)?;
    if plan.identity.get("binary") != Some(&binary()?) {
        return Err(Error::Suite {
            path: path.to_owned(),
            error: "another build of the program has made this plan, so its shards could mean something else; run the \
                    shards with that build, or make the plan again"
                .into(),
        });
    }
    Ok(plan)
}

/// Runs each shard that is requested, unless it is done. Stops at the first one that does not end.
pub fn each(
    plan: &Plan,
    request: &ShardRun,
    observer: &mut dyn Observer,
    mut run: impl FnMut(usize, &mut dyn Observer) -> Result<Written, Error>,
) -> Result<(), Error> {
    let directory = &request.directory;
    std::fs::create_dir_all(directory).map_err(Error::unwritable(directory))?;
    let start = Instant::now();
    let numbers = numbers(&request.numbers, plan.parts())?;
    let (mut ran, mut found, mut failed) = (0, 0, 0);
    for (index, &number) in numbers.iter().enumerate() {
        let path = shard_path(directory, number);
        if !request.force && is_done(&path, plan, number) {
            found += 1;
            continue;
        }
        observer.working(&Status {
            text: format!("shard {number} of {}", plan.parts()),
            elapsed: start.elapsed(),
            fraction: Some(index as f64 / numbers.len() as f64),
        });
        let Written { record, values } = run(number, observer)?;
        let values = values.as_ref().map(|(trail, path)| (*trail, path.0.as_path()));
        ShardFile::save(&path, record.to_pairs(), values).map_err(Error::suite(&path))?;
        ran += 1;
        failed += usize::from(matches!(record.done, Done::Failed { .. }));
        if let Done::Stopped(why) = &record.done {
            let is_stop = observer.is_stopped();
            let text = format!("shard {number} of {}: {why}; run it again\n", plan.parts());
            observer.print(&text).map_err(Error::Output)?;
            return match is_stop {
                true => Ok(()),
                false => Err(Error::Usage(format!("shard {number}: {why}"))),
            };
        }
    }
    let s = |n: usize| if n == 1 { "" } else { "s" };
    let before = match found {
        0 => String::new(),
        _ => format!("; {found} shard{} were done before", s(found)),
    };
    let failures = match failed {
        0 => String::new(),
        _ => format!("; {failed} of them failed, and `shard merge` shows the first failure"),
    };
    let text = format!("{ran} shard{} of {} done{before}{failures}\n", s(ran), plan.parts());
    observer.print(&text).map_err(Error::Output)
}

/// Whether the file of a shard is complete, belongs to the plan, and need not be written again.
fn is_done(path: &Path, plan: &Plan, number: usize) -> bool {
    let Ok(file) = ShardFile::load(path) else { return false };
    let Some(record) = Record::from_pairs(&file.record) else { return false };
    let is_own = record.identity == plan.identity
        && record.number == number
        && record.notes.get(FRONTIER) == plan.frontier(number)
        && plan.range(number) == Some((&record.range.0, record.range.1.as_ref()));
    is_own && !matches!(record.done, Done::Stopped(_)) && file.check_values(path).is_ok()
}

/// Reads numbers of shards, such as `3`, `1-16` and `2,5,9`, or every n-th of them: `2/8`.
pub fn numbers(text: &str, parts: usize) -> Result<Vec<usize>, Error> {
    let wrong = || {
        Error::Usage(format!(
            "`{text}` does not say which shards to run: the plan has {parts}, counted from 1; give some of them (`3`, \
             `1-16`, `2,5,9`), or every n-th of them (`2/8`)"
        ))
    };
    if let Ok(shard) = text.parse::<crate::Shard>() {
        return Ok((1..=parts).filter(|&number| shard.contains(number as u64 - 1)).collect());
    }
    let mut numbers = vec![];
    for item in text.split(',') {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|n| (1..=parts).contains(n));
        let (first, last) = (number(first).ok_or_else(wrong)?, number(last).ok_or_else(wrong)?);
        if first > last {
            return Err(wrong());
        }
        numbers.extend(first..=last);
    }
    Ok(numbers)
}

/// The result of a shard that is to be written.
pub struct Written {
    pub(crate) record: Record,
    /// The values, and the file that they are in.
    pub(crate) values: Option<(Trail, Temporary)>,
}

impl From<Record> for Written {
    /// A result without values.
    fn from(record: Record) -> Written {
        Written { record, values: None }
    }
}

/// A file that is removed when this is dropped.
pub(crate) struct Temporary(PathBuf);

impl Temporary {
    /// Returns the path for the values of a shard.
    pub(crate) fn of_values(directory: &Path, number: usize) -> Temporary {
        Temporary(directory.join(format!("{number:05}.values.{}.tmp", std::process::id())))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

struct Runner {
    search: AnySearch,
    keep: bool,
    /// Whether only the number of values counts.
    counts_only: bool,
    limits: Limits,
    begin: Instant,
}

impl Runner {
    fn run(
        &mut self,
        plan: &Plan,
        number: usize,
        directory: &Path,
        observer: &mut dyn Observer,
    ) -> Result<Written, Error> {
        let Some(mut record) = Record::new(plan, number, Done::Whole) else {
            return Err(Error::Usage(format!("the plan has no shard {number}")));
        };
        let temporary = Temporary::of_values(directory, number);
        let mut writer = match self.keep {
            true => {
                let file = File::create(temporary.path()).map_err(Error::unwritable(temporary.path()))?;
                Some(TrailWriter::new(BufWriter::new(file)))
            }
            false => None,
        };
        let before = self.search.outcome();
        let searched = catch(|| self.search_range(&record, &before, &mut writer, observer));
        record.done = match searched {
            Ok(Ok(done)) => done,
            Ok(Err(Error::Invariant(failure))) => {
                Done::Failed { replay: failure.candidate.to_string(), text: failure.to_string(), number: 0 }
            }
            Ok(Err(error)) => return Err(error),
            Err(caught) => return Err(Error::panic(&caught)),
        };
        let after = self.search.outcome();
        record.classes = self.search.take_classes();
        record.passes = vec![PassCounts {
            pass: 0,
            explored: after.explored - before.explored,
            valid: after.valid - before.valid,
            pruned: after.pruned - before.pruned,
        }];
        let mut values = None;
        if let Some(writer) = writer {
            let (_, trail) = writer.finish().map_err(Error::suite(&temporary.0))?;
            values = Some((trail, temporary));
        }
        Ok(Written { record, values })
    }

    fn search_range(
        &mut self,
        record: &Record,
        before: &Outcome,
        writer: &mut Option<TrailWriter<BufWriter<File>>>,
        observer: &mut dyn Observer,
    ) -> Result<Done, Error> {
        let (from, to) = &record.range;
        self.search.start_at(&from.position).map_err(Error::Bounds)?;
        self.search.until(to.as_ref().map_or(&Position::START, |to| &to.position));
        let (mut new, meter) = (vec![], Meter::new(self.limits.memory));
        // The first value is written whole.
        let mut is_first = true;
        loop {
            let mut why = None;
            let found =
                self.search.find_next(&mut |_| match self.limits.stop(self.begin, &meter, observer) {
                    Some(stop) => {
                        why = Some(stop);
                        ControlFlow::Break(stop)
                    }
                    None => ControlFlow::Continue(()),
                })?;
            match found {
                Found::Paused => {
                    let stop = why.unwrap_or(Stop::Interrupted);
                    return Ok(Done::Stopped(stop.to_string()));
                }
                Found::End => return Ok(Done::Whole),
                Found::Valid if self.counts_only => self.search.count_rest(),
                Found::Valid => {
                    let Some(writer) = writer else { continue };
                    let mut kept = self.search.changes(&mut new);
                    if std::mem::take(&mut is_first) {
                        new = self.search.path();
                        kept = 0;
                    }
                    let explored = self.search.outcome().explored - before.explored;
                    writer.push(kept, &new, explored).map_err(Error::suite(Path::new("values")))?;
                }
            }
        }
    }
}

impl Limits {
    /// Returns why to stop now, if there is a reason.
    pub(crate) fn stop(&self, begin: Instant, meter: &Meter, observer: &dyn Observer) -> Option<Stop> {
        if observer.is_stopped() {
            Some(Stop::Interrupted)
        } else if self.budget.is_some_and(|budget| begin.elapsed() >= budget) {
            Some(Stop::LimitReached(Limit::Time))
        } else {
            meter.is_over().then_some(Stop::LimitReached(Limit::Memory))
        }
    }
}
