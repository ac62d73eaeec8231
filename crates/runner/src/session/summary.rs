//! The result of a run, in words and as JSON.

use crate::runner::candidates::{LONG, MANY};
use crate::runner::filled::Filled;
use crate::runner::json::{Object, class_table, filled_object};
use crate::runner::report::{ReducedTo, skipped};
use crate::session::files::Delivery;
use crate::session::serve::Answer;
use smallscope_core::{ClassTable, Classes, Limit, Stop};
use smallscope_suite::Ending;
use smallscope_support::memory::Exceeded;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The result of a run.
#[derive(Debug, Clone)]
pub struct Summary {
    /// What was searched.
    pub structure: String,
    /// The arguments of the original's finitization, if the bounds were made from some.
    pub args: Option<String>,
    /// The scope number, if the bounds have one.
    pub scope: Option<u32>,
    /// What this number is: "scope" or "size".
    pub number: &'static str,
    /// The engine.
    pub engine: String,
    /// Whether one value per path was delivered, and not all values.
    pub one_per_path: bool,
    /// Candidates, including those of the run that was resumed.
    pub explored: u64,
    /// Structures found, including those of the run that was resumed.
    pub valid: u64,
    /// Why it stopped. [`Stop::Exhausted`] only if everything within the bounds was covered and delivered.
    pub stop: Stop,
    /// How long this run took.
    pub elapsed: Duration,
    /// log2 of the number of candidate vectors.
    pub space_bits: f64,
    /// The measurement of memory that has ended the run, if one has.
    pub exceeded: Option<Exceeded>,
    /// Threads used.
    pub threads: usize,
    /// Where to resume, if something is left.
    pub position: Option<String>,
    /// The suite, if one was written.
    pub saved: Option<Saved>,
    /// The checkpoint, if one was written.
    pub checkpoint: Option<PathBuf>,
    /// The treatment of classes.
    pub classes: Classes,
    /// The classes of the values.
    pub class_table: ClassTable,
    /// The result of the reduction, if only some values were kept.
    pub reduced: Option<ReducedTo>,
    /// Whether the values are those of a suite.
    pub of_suite: bool,
    /// The number of values, if they were counted without listing them.
    pub unlisted: Option<Unlisted>,
    /// The values with long lengths, if there are some within the bounds.
    pub filled: Option<Filled>,
}

/// Values that were counted without listing them. Their number need not fit into 64 bits.
#[derive(Debug, Clone)]
pub struct Unlisted {
    /// How many there are, in decimal digits.
    pub count: String,
    /// How many there are with each number of objects.
    pub sizes: Vec<(u32, String)>,
    /// What is summarised.
    pub helpers: String,
    /// How many runs of one helper on one node that took.
    pub runs: u64,
}

/// A suite that was written.
#[derive(Debug, Clone)]
pub struct Saved {
    /// The file.
    pub path: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
}

impl Summary {
    /// Returns the outcome in one word: `exhausted`, `one-per-path`, `classes` (each is covered, and values may have
    /// been skipped), `reduced` (all values were found, and some were kept), `max`, `budget`, `memory`, `range`, `interrupted` or
    /// `failure`.
    pub fn outcome(&self) -> &'static str {
        match (&self.reduced, self.stop) {
            (Some(_), stop) if self.of_suite || stop == Stop::Exhausted => "reduced",
            (_, stop) => outcome_word(stop),
        }
    }

    /// Returns what the tool prints.
    pub fn answer(&self) -> Answer {
        Answer { text: self.to_string(), json: self.to_json(), outcome: self.outcome().to_owned() }
    }

    /// Returns one JSON object, on one line.
    pub fn to_json(&self) -> String {
        let mut out = Object::default();
        out.text("structure", &self.structure);
        match &self.args {
            Some(args) => out.raw("args", format!("[{args}]")),
            None => out.raw("args", "null"),
        }
        match self.scope {
            Some(scope) => out.raw("scope", scope),
            None => out.raw("scope", "null"),
        }
        if let Some(size) = self.scope.filter(|_| self.number == "size") {
            out.raw("size", size);
        }
        out.text("engine", &self.engine);
        out.text("criterion", self.criterion().name());
        out.raw("explored", self.explored);
        match &self.unlisted {
            Some(unlisted) => out.raw("valid", &unlisted.count),
            None => out.raw("valid", self.valid),
        }
        out.text("outcome", self.outcome());
        out.raw("exhaustive", self.stop == Stop::Exhausted && self.reduced.is_none());
        out.raw("seconds", format!("{:.6}", self.elapsed.as_secs_f64()));
        out.raw("space_bits", format!("{:.3}", self.space_bits));
        out.raw("threads", self.threads);
        match &self.position {
            Some(position) => out.text("position", position),
            None => out.raw("position", "null"),
        }
        if let Some(reduced) = &self.reduced {
            out.text("reduction", &reduced.reduction);
            out.raw("kept", reduced.kept);
            out.raw("classes", reduced.classes);
            out.raw("per_class", reduced.most);
        }
        if let Some(saved) = &self.saved {
            out.text("saved", &saved.path.display().to_string());
            out.raw("bytes", saved.bytes);
        }
        if let Some(checkpoint) = &self.checkpoint {
            out.text("checkpoint", &checkpoint.display().to_string());
        }
        if let Some(unlisted) = &self.unlisted {
            let row = |(objects, count): &(u32, String)| format!("[{objects},{count}]");
            let rows: Vec<String> = unlisted.sizes.iter().map(row).collect();
            out.raw("by_objects", format!("[{}]", rows.join(",")));
            out.raw("summary_runs", unlisted.runs);
        }
        if let Some(filled) = &self.filled {
            out.raw("filled", filled_object(filled));
        }
        if self.classes != Classes::Ignored {
            out.text("classes", &self.classes.to_string());
            out.raw("class_table", class_table(&self.class_table));
        }
        out.close()
    }

    /// Returns the number of values in decimal digits.
    pub(crate) fn number_of_values(&self) -> String {
        self.unlisted.as_ref().map_or_else(|| self.valid.to_string(), |unlisted| unlisted.count.clone())
    }

    fn criterion(&self) -> Delivery {
        if self.one_per_path { Delivery::OnePerPath } else { Delivery::All }
    }

    /// Returns the number of structures or paths.
    fn found(&self) -> String {
        let s = if self.valid == 1 { "" } else { "s" };
        match self.criterion() {
            Delivery::All => format!("{} structure{s}", self.valid),
            Delivery::OnePerPath => format!("{} path{s}, one structure of each", self.valid),
        }
    }

    fn bounds(&self) -> String {
        match (&self.args, self.scope) {
            (Some(args), _) => format!(" ({args})"),
            (None, Some(scope)) => format!(" ({} {scope})", self.number),
            (None, None) => String::new(),
        }
    }
}

impl Unlisted {
    /// Writes the table by numbers of objects, if there are several.
    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.sizes.len() > 1 {
            writeln!(f, "{:>7} {:>20}", "objects", "values")?;
            for (objects, count) in &self.sizes {
                writeln!(f, "{objects:>7} {count:>20}")?;
            }
        }
        write!(f, "exhausted: these are all structures within the bounds; they were counted, not listed")
    }
}

impl Summary {
    /// Says that there is nothing, if all was searched and nothing found.
    fn emptiness(&self) -> Option<String> {
        let is_end = matches!(
            self.stop,
            Stop::Exhausted | Stop::ClassesCovered | Stop::LimitReached(Limit::OnePerPath)
        );
        if self.valid > 0 || !is_end {
            return None;
        }
        if self.of_suite {
            return Some("the suite has no structures".to_owned());
        }
        Some(format!(
            "exhausted: no structure within the bounds is valid; `explain {}` shows which conjuncts reject, and \
             larger bounds may have some",
            self.structure
        ))
    }

    /// Says where to look, if the search has taken long over few structures.
    fn hint(&self) -> Option<String> {
        let is_many = self.explored > MANY * self.valid.max(1);
        (is_many && self.elapsed >= LONG && self.engine.starts_with("lazy")).then(|| {
            let per = self.explored / self.valid.max(1);
            format!("{per} candidates per structure: `explain {}` shows what makes them many", self.structure)
        })
    }

    /// Writes the lines after the first.
    fn describe_reduced(&self, reduced: &ReducedTo, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReducedTo { criterion, kept, classes, most, .. } = reduced;
        let es = if *classes == 1 { "" } else { "es" };
        writeln!(f, "kept {kept} of them: at most {most} of each of {classes} class{es} by `{criterion}`")?;
        if let Some(saved) = &self.saved {
            writeln!(f, "saved in {}: {} bytes", saved.path.display(), saved.bytes)?;
        }
        match (self.stop, self.of_suite) {
            (_, true) => write!(f, "reduced: every class of the suite is covered, not every value"),
            (Stop::Exhausted, _) => {
                write!(f, "reduced: every class within the bounds is covered, not every structure")
            }
            (stop, _) => write!(f, "{stop}: there may be more structures and more classes"),
        }
    }
}

/// Returns a stop in one word, for files and JSON.
pub(crate) fn outcome_word(stop: Stop) -> &'static str {
    match stop {
        Stop::Exhausted => "exhausted",
        Stop::ClassesCovered => "classes",
        Stop::LimitReached(Limit::Valid) => "max",
        Stop::LimitReached(Limit::Time) => "budget",
        Stop::LimitReached(Limit::Memory) => "memory",
        Stop::LimitReached(Limit::Position) => "range",
        Stop::LimitReached(Limit::OnePerPath) => Ending::ONE_PER_PATH,
        Stop::FirstFailure => "failure",
        _ => "interrupted",
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe(f)?;
        self.filled.iter().try_for_each(|filled| write!(f, "\n{filled}"))
    }
}

impl Summary {
    /// Writes what the search has found.
    fn describe(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary { structure, explored, valid, engine, .. } = self;
        if let (Some(unlisted), true) = (&self.unlisted, *valid > 0) {
            let Unlisted { count, helpers, runs, .. } = unlisted;
            let s = if count == "1" { "" } else { "s" };
            let bounds = self.bounds();
            let took = self.elapsed;
            writeln!(
                f,
                "{structure}{bounds}: {count} structure{s}; {runs} runs of summarised helpers ({helpers}), in {took:.2?}"
            )?;
            return unlisted.describe(f);
        }
        let s = if *valid == 1 { "" } else { "s" };
        writeln!(
            f,
            "{structure}{}: {}; {explored} candidates explored by `{engine}` in a space of 2^{:.1}, in {:.2?}",
            self.bounds(),
            self.found(),
            self.space_bits,
            self.elapsed
        )?;
        if let Some(why) = self.emptiness() {
            if let Some(saved) = &self.saved {
                writeln!(f, "saved in {}: {} bytes", saved.path.display(), saved.bytes)?;
            }
            return f.write_str(&why);
        }
        if let Some(hint) = self.hint() {
            writeln!(f, "{hint}")?;
        }
        if let Some(reduced) = &self.reduced {
            return self.describe_reduced(reduced, f);
        }
        if let Some(saved) = &self.saved {
            let each = if *valid == 0 { 0.0 } else { saved.bytes as f64 / *valid as f64 };
            let path = saved.path.display();
            writeln!(f, "saved in {path}: {} bytes, {each:.2} per structure", saved.bytes)?;
        }
        if !self.class_table.is_empty() {
            writeln!(f, "{}", self.class_table)?;
        }
        let is_full = self.stop == Stop::LimitReached(Limit::Memory);
        let exceeded = self.exceeded.filter(|_| is_full);
        let memory = exceeded.map_or_else(String::new, |exceeded| {
            format!("; {exceeded}: raise the limit with `--memory 8GB`, or lower the bounds")
        });
        match (self.stop, &self.position) {
            (Stop::ClassesCovered, _) => write!(
                f,
                "every class within the bounds is covered: {valid} structure{s} of {}; {}",
                match self.class_table.len() {
                    1 => "1 class".to_owned(),
                    classes => format!("{classes} classes"),
                },
                skipped(&self.class_table, "structure")
            ),
            (Stop::Exhausted, _) => write!(f, "exhausted: these are all structures within the bounds"),
            (Stop::LimitReached(Limit::OnePerPath), _) => {
                write!(f, "{}: there may be other structures within the bounds", self.stop)
            }
            (stop, None) => write!(f, "{stop}: not everything within the bounds was covered{memory}"),
            (stop, Some(position)) => {
                write!(f, "{stop}: there may be more; ")?;
                match (&self.checkpoint, &self.saved) {
                    (Some(file), _) => write!(f, "`resume {}` continues", file.display()),
                    (None, Some(Saved { path, .. })) => write!(f, "`resume {}` continues", path.display()),
                    (None, None) => write!(f, "`--from {position}` continues"),
                }?;
                f.write_str(&memory)
            }
        }
    }
}
