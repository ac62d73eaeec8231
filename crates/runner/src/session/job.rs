//! A run in progress: its counts, its files and its limits.

use crate::criteria::Collector;
use crate::runner::report::ReducedTo;
use crate::session::error::Error;
use crate::session::files::{Delivery, Provenance};
use crate::session::observer::{Observer, Progress};
use crate::session::paths;
use crate::session::show::print_value;
use crate::session::subject::Subject;
use crate::session::summary::{Saved, Summary, outcome_word};
use crate::settings::Settings;
use smallscope_core::room::{self, RoomGuard};
use smallscope_core::{AnySearch, ClassTable, Classes, Limit, Position, Stop, Summaries};
use smallscope_suite::{Checkpoint, Ending, Header, Writer};
use smallscope_support::memory::{self, Meter};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// When to stop, how often to write checkpoints, and how many threads search.
#[derive(Clone)]
pub(crate) struct Limits {
    pub max: Option<u64>,
    pub budget: Option<Duration>,
    pub memory: memory::Limit,
    pub every: Duration,
    pub threads: usize,
}

impl Limits {
    pub fn new(settings: &Settings, every: Duration) -> Limits {
        let memory = memory::Limit::new(settings.memory.map(|memory::Bytes(bytes)| bytes));
        memory.announce_if_ignored();
        Limits { max: settings.max, budget: settings.budget, memory, every, threads: settings.threads() }
    }

    /// Lets layouts of this thread respect the limit on memory, as long as the guard lives.
    pub fn guard_layouts(&self) -> RoomGuard {
        let memory = self.memory;
        room::limit(move |bytes| memory.has_room(bytes))
    }
}

/// The time between two reports of progress.
const REPORT_EVERY: Duration = Duration::from_millis(100);

/// A run in progress. Everything before its position is delivered, and nothing after it.
pub(crate) struct Job<'a> {
    pub subject: &'a Subject<'a>,
    pub provenance: Provenance,
    pub header: Header,
    limits: Limits,
    pub threads: usize,
    pub print: bool,
    pub checkpoint: Option<PathBuf>,
    suite: Option<(PathBuf, Writer<File>)>,
    /// Candidates and values so far, including those of the run that was resumed.
    pub explored: u64,
    pub valid: u64,
    /// The classes of the values.
    pub classes: ClassTable,
    /// Candidates of the run that was resumed.
    explored_before: u64,
    space_bits: f64,
    start: Instant,
    /// Measures the memory of this process.
    pub meter: Meter,
    next_report: Instant,
    next_checkpoint: Instant,
    /// The choices of the current value that differ from the one before.
    new: Vec<u32>,
    /// Takes the values, if only some are kept.
    pub collector: Option<Collector>,
    /// The result of the reduction, at the end.
    pub reduced: Option<ReducedTo>,
    /// Whether the values are those of a suite.
    pub of_suite: bool,
    /// Why disjoint parts were not searched separately, if they were not.
    pub why_direct: Option<String>,
    /// Why helpers were not summarised, if that was requested and they were not.
    pub why_not_summarised: Option<String>,
}

impl<'a> Job<'a> {
    pub fn new(
        subject: &'a Subject<'a>,
        provenance: Provenance,
        search: &AnySearch,
        header: Header,
        limits: Limits,
    ) -> Job<'a> {
        let now = Instant::now();
        // Whether a value is skipped depends on those before it.
        let threads = match provenance.classes {
            Classes::Ignored => limits.threads,
            Classes::All if limits.max.is_none() => limits.threads,
            _ => 1,
        };
        Job {
            subject,
            provenance,
            header,
            next_checkpoint: now + limits.every,
            meter: Meter::new(limits.memory),
            limits,
            threads,
            print: false,
            checkpoint: None,
            suite: None,
            explored: 0,
            valid: 0,
            classes: ClassTable::default(),
            explored_before: 0,
            space_bits: search.space_bits(),
            start: now,
            next_report: now + REPORT_EVERY,
            new: vec![],
            collector: None,
            reduced: None,
            of_suite: false,
            why_direct: None,
            why_not_summarised: None,
        }
    }

    /// Sets the counts. A collector also counts values that the search has skipped.
    pub fn tally(&mut self, explored: u64, valid: u64) {
        self.explored = explored;
        self.valid = self.collector.as_ref().map_or(valid, Collector::seen);
    }

    /// Returns a collector for each thread, or none for each.
    pub fn collectors(&self) -> Result<Vec<Option<Collector>>, Error> {
        let another = || self.collector.as_ref().map(Collector::another).transpose().map_err(Error::Usage);
        (0..self.threads).map(|_| another()).collect()
    }

    /// Creates the suite.
    pub fn create(&mut self, path: &Path, force: bool) -> Result<(), Error> {
        Self::check_place(path, force)?;
        let file = File::create(path).map_err(Error::unwritable(path))?;
        let writer = Writer::create(file, &self.header).map_err(Error::suite(path))?;
        self.suite = Some((path.to_owned(), writer));
        Ok(())
    }

    /// Checks that a suite may be written to a path.
    pub fn check_place(path: &Path, force: bool) -> Result<(), Error> {
        if path.exists() && !force {
            return Err(Error::Usage(format!(
                "{} exists already and was not changed; give another name, `--force` to replace it, or \
                 `resume` to continue it",
                path.display()
            )));
        }
        Ok(())
    }

    /// Adds the counts of the run that is resumed.
    pub fn go_on_from(&mut self, explored: u64, valid: u64) {
        (self.explored, self.valid, self.explored_before) = (explored, valid, explored);
    }

    /// Continues a suite.
    pub fn go_on_with(&mut self, path: PathBuf, writer: Writer<File>) {
        self.suite = Some((path, writer));
    }

    /// Returns its limits.
    pub fn limits(&self) -> Limits {
        self.limits.clone()
    }

    /// Whether single values are needed, or only their number.
    pub fn wants_values(&self) -> bool {
        self.print || self.suite.is_some() || self.limits.max.is_some()
    }

    /// Prints and saves the current value of a search.
    pub fn deliver(&mut self, search: &mut AnySearch, observer: &mut dyn Observer) -> Result<(), Error> {
        if let Some(collector) = &mut self.collector {
            return Ok(collector.visit(search)?);
        }
        if self.print {
            print_value(self.valid, search, observer)?;
        }
        if let Some((path, writer)) = &mut self.suite {
            let kept = search.changes(&mut self.new);
            let pushed = writer.push(kept, &self.new, self.explored, || search.reads());
            pushed.map_err(Error::suite(path))?;
        }
        Ok(())
    }

    /// Prints and saves a value that another search has found. `search` goes to the value only if that is needed.
    pub fn deliver_path(
        &mut self,
        kept: usize,
        new: &[u32],
        path: &[u32],
        search: &mut AnySearch,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        if self.print {
            search.restore(0, path).map_err(Error::Bounds)?;
            print_value(self.valid, search, observer)?;
        }
        if let Some((file, writer)) = &mut self.suite {
            let mut restored = Ok(());
            let anchor = || {
                restored = search.restore(0, path);
                search.reads()
            };
            writer.push(kept, new, self.explored, anchor).map_err(Error::suite(file))?;
            restored.map_err(Error::Bounds)?;
        }
        Ok(())
    }

    /// Whether the limit on values is reached.
    pub fn is_full(&self) -> bool {
        self.limits.max.is_some_and(|max| self.valid >= max)
    }

    /// Whether a report is due, the time is up or the memory is used.
    pub fn is_due(&self) -> bool {
        let now = Instant::now();
        now >= self.next_report || self.is_over(now) || self.meter.is_over()
    }

    fn is_over(&self, now: Instant) -> bool {
        self.limits.budget.is_some_and(|budget| now - self.start >= budget)
    }

    /// Returns why to stop now, if there is a reason.
    pub fn stop(&self, is_stopped: bool) -> Option<Stop> {
        if is_stopped {
            return Some(Stop::Interrupted);
        }
        if self.is_over(Instant::now()) {
            return Some(Stop::LimitReached(Limit::Time));
        }
        self.meter.is_over().then_some(Stop::LimitReached(Limit::Memory))
    }

    /// Reports progress to the observer, if it is due.
    pub fn report(&mut self, observer: &mut dyn Observer, fraction: f64, position: Option<&Position>) {
        let now = Instant::now();
        if now < self.next_report {
            return;
        }
        self.next_report = now + REPORT_EVERY;
        observer.progress(&Progress {
            explored: self.explored,
            valid: self.valid,
            elapsed: now - self.start,
            explored_here: self.explored - self.explored_before,
            fraction,
            position: position.map(shorten).unwrap_or_default(),
        });
    }

    /// Whether a checkpoint is due.
    pub fn is_checkpoint_due(&self) -> bool {
        self.checkpoint.is_some() && Instant::now() >= self.next_checkpoint
    }

    /// Writes a checkpoint: everything before the position is done.
    pub fn save_checkpoint(&mut self, position: &Position) -> Result<(), Error> {
        let Some(file) = &self.checkpoint else { return Ok(()) };
        self.next_checkpoint = Instant::now() + self.limits.every;
        let mut extra = Header::new();
        let (mut written, mut pending) = (0, vec![]);
        if let Some((path, writer)) = &mut self.suite {
            // The checkpoint must not refer to data that is not on the disk.
            writer.flush().map_err(Error::suite(path))?;
            writer.get_ref().sync_data().map_err(Error::unwritable(path))?;
            (written, pending) = (writer.written(), writer.pending());
            extra = extra.with("suite", relative(path, file)?);
        }
        let checkpoint = Checkpoint {
            header: self.header.clone(),
            written,
            pending,
            position: position.0.clone(),
            explored: self.explored,
            valid: self.valid,
            extra,
        };
        checkpoint.save(file).map_err(Error::suite(file))
    }

    /// Ends the suite, writes the last checkpoint or removes it, and returns the summary.
    pub fn finish(mut self, stop: Stop, position: Option<Position>) -> Result<Summary, Error> {
        let is_part = !self.provenance.from.is_start();
        let is_end = |stop| matches!(stop, Stop::Exhausted | Stop::LimitReached(Limit::OnePerPath));
        // A range that reaches the end of the space is not the whole space.
        let stop = if is_part && is_end(stop) { Stop::LimitReached(Limit::Position) } else { stop };
        let is_range = stop == Stop::LimitReached(Limit::Position);
        let is_done = is_end(stop) || is_range;
        let is_resumable = self.reduced.is_none() && self.provenance.classes == Classes::Ignored;
        let position = position.filter(|_| !is_done && is_resumable);
        match (&position, &self.checkpoint) {
            (Some(position), Some(_)) => self.save_checkpoint(position)?,
            (None, Some(file)) => {
                // A checkpoint that remained would look like a run to resume.
                let _ = std::fs::remove_file(file);
                self.checkpoint = None;
            }
            (_, None) => {}
        }
        let mut saved = None;
        if let Some((path, writer)) = self.suite.take() {
            let ending = Ending {
                outcome: if self.reduced.is_some() { "reduced" } else { outcome_word(stop) }.to_owned(),
                explored: self.explored,
                valid: self.reduced.as_ref().map_or(self.valid, |reduced| reduced.kept),
                position: position.as_ref().map(|position| position.0.clone()),
            };
            let file = writer.finish(&ending).map_err(Error::suite(&path))?;
            let bytes = file.metadata().map_err(Error::unreadable(&path))?.len();
            saved = Some(Saved { path, bytes });
        }
        let Provenance { args, bounds, engine, criterion, classes, disjoint, summaries, .. } =
            self.provenance;
        let engine = match (summaries, self.why_not_summarised) {
            (Summaries::Off, _) => engine.to_string(),
            (_, None) => format!("{engine}, summaries"),
            (_, Some(why)) => format!("{engine}, no summaries: {why}"),
        };
        Ok(Summary {
            structure: self.subject.name.clone(),
            args,
            scope: bounds.scope_number(),
            number: bounds.number_name(),
            engine: match (disjoint, self.why_direct) {
                (false, _) => engine,
                (true, None) => format!("{engine}, disjoint parts"),
                (true, Some(why)) => format!("{engine}, not all parts on their own: {why}"),
            },
            one_per_path: criterion == Delivery::OnePerPath,
            explored: self.explored,
            valid: self.valid,
            stop,
            elapsed: self.start.elapsed(),
            space_bits: self.space_bits,
            exceeded: self.meter.exceeded(),
            threads: self.threads,
            position: position.map(|position| position.to_string()),
            filled: None,
            saved,
            checkpoint: self.checkpoint,
            reduced: self.reduced,
            of_suite: self.of_suite,
            classes,
            class_table: self.classes,
            unlisted: None,
        })
    }
}

/// Returns the first choices of a position.
fn shorten(position: &Position) -> String {
    const SHOWN: usize = 12;
    let text = Position(position.0.iter().copied().take(SHOWN).collect()).to_string();
    if position.0.len() > SHOWN { format!("{text}…") } else { text }
}

/// Returns the path of the suite relative to the checkpoint, so that both can be moved together.
fn relative(suite: &Path, checkpoint: &Path) -> Result<String, Error> {
    let absolute = |path: &Path| std::path::absolute(path).map_err(Error::unwritable(path));
    let (suite, checkpoint) = (absolute(suite)?, absolute(checkpoint)?);
    let path = match (suite.parent() == checkpoint.parent(), suite.file_name()) {
        (true, Some(name)) => Path::new(name),
        _ => &suite,
    };
    Ok(paths::to_text(path))
}
