//! What can be asked, and how it gets into a test binary: as text in a variable of the environment.

use crate::Check;
use crate::criteria::Reduction;
use crate::session::serve::{escape, unescape};
use smallscope_core::{Bounds, Candidate, Classes, Engine, Position};
use std::fmt::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// What to do.
#[derive(Debug, Clone)]
pub enum Request {
    /// Search for the values.
    Run(Run),
    /// Go on with a run that was stopped or killed.
    Resume(Resume),
    /// Say how large the space is.
    Size(Space),
    /// Say what the slots are, in which order they are read, and where candidates are rejected.
    Explain(Space),
    /// Draw the values of a suite.
    Show(Show),
    /// Draw one value, given by its candidate.
    Replay(Replay),
    /// Turn a suite into another format.
    Export(Export),
    /// Keep some values of a suite.
    Reduce(Reduce),
}

/// What is searched, and how.
#[derive(Debug, Clone)]
pub struct Space {
    /// The bounds; none for those that the test itself has.
    pub bounds: Option<Bounds>,
    /// Another scope number for them.
    pub scope: Option<u32>,
    /// The arguments of the original's finitization that the bounds were made from, for reports.
    pub args: Option<String>,
    /// The engine; none for the test's own, or the default.
    pub engine: Option<Engine>,
    /// Search disjoint parts on their own, and combine them.
    pub disjoint: bool,
}

/// A run.
#[derive(Debug, Clone)]
pub struct Run {
    /// What is searched, and how.
    pub space: Space,
    /// What becomes of classes; none for what the test says, or nothing.
    pub classes: Option<Classes>,
    /// Print every value as a text graph.
    pub print: bool,
    /// Save the values in this file.
    pub save: Option<PathBuf>,
    /// Replace that file if it is there.
    pub force: bool,
    /// Deliver one value of each path only; for the lazy engine.
    pub one_per_path: bool,
    /// Stop after so many values.
    pub max: Option<u64>,
    /// Stop after this time.
    pub budget: Option<Duration>,
    /// How many threads to use.
    pub threads: usize,
    /// Where to begin.
    pub from: Option<Position>,
    /// Where to end.
    pub to: Option<Position>,
    /// Where to write down, now and then, how far the run is.
    pub checkpoint: Option<PathBuf>,
    /// How often.
    pub checkpoint_every: Duration,
    /// Which values to keep, if not all.
    pub reduction: Option<Reduction>,
    /// Print the classes of the values.
    pub list_classes: bool,
}

/// A smaller suite.
#[derive(Debug, Clone)]
pub struct Reduce {
    /// The suite.
    pub file: PathBuf,
    /// Which values to keep.
    pub reduction: Reduction,
    /// Save them in this file.
    pub save: Option<PathBuf>,
    /// Replace that file if it is there.
    pub force: bool,
    /// Print them as text graphs.
    pub print: bool,
    /// Print the classes of the values.
    pub list_classes: bool,
}

/// A run that goes on.
#[derive(Debug, Clone)]
pub struct Resume {
    /// The suite or the checkpoint.
    pub file: PathBuf,
    /// Stop after so many values in all.
    pub max: Option<u64>,
    /// Stop after this time.
    pub budget: Option<Duration>,
    /// How many threads to use.
    pub threads: usize,
    /// How often to write a checkpoint, if the run has one.
    pub checkpoint_every: Duration,
}

/// Values of a suite.
#[derive(Debug, Clone)]
pub struct Show {
    /// The suite.
    pub file: PathBuf,
    /// Only the value with this number, counted from 1.
    pub at: Option<u64>,
}

/// One value.
#[derive(Debug, Clone)]
pub struct Replay {
    /// Its bounds and engine.
    pub space: Space,
    /// The candidate in canonical form, as reports print it.
    pub candidate: Candidate,
}

/// A suite in another format.
#[derive(Debug, Clone)]
pub struct Export {
    /// The suite.
    pub file: PathBuf,
    /// The format.
    pub to: Format,
    /// The path of the type in generated source, if the one that the compiler knows cannot be used.
    pub type_path: Option<String>,
}

/// A format to export to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One JSON object per line.
    Jsonl,
    /// Graphviz.
    Dot,
    /// A Rust module with a test.
    Rust,
}

/// Fields of a request as lines `key=value`.
#[derive(Default)]
pub(crate) struct Lines(pub(crate) String);

impl Lines {
    pub(crate) fn put(&mut self, key: &str, value: impl ToString) {
        let _ = writeln!(self.0, "{key}={}", escape(&value.to_string()));
    }

    pub(crate) fn put_if(&mut self, key: &str, value: Option<impl ToString>) {
        if let Some(value) = value {
            self.put(key, value);
        }
    }

    pub(crate) fn get(&self, key: &str) -> Option<String> {
        let line = self.0.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='))?;
        Some(unescape(line))
    }

    pub(crate) fn parse_if<V: FromStr>(&self, key: &str) -> Result<Option<V>, String> {
        let parse = |text: String| text.parse().map_err(|_| format!("`{text}` is no {key}"));
        self.get(key).map(parse).transpose()
    }

    pub(crate) fn parse<V: FromStr>(&self, key: &str) -> Result<V, String> {
        self.parse_if(key)?.ok_or_else(|| format!("the request has no {key}"))
    }

    pub(crate) fn time(&self, key: &str) -> Result<Option<Duration>, String> {
        Ok(self.parse_if(key)?.map(Duration::from_millis))
    }
}

pub(crate) fn path_text(path: &std::path::Path) -> String {
    path.to_string_lossy().into_owned()
}

impl Request {
    /// The request as text.
    pub fn to_text(&self) -> String {
        let mut out = Lines::default();
        match self {
            Request::Run(run) => {
                out.put("do", "run");
                run.space.put(&mut out);
                out.put_if("classes", run.classes);
                out.put("print", run.print);
                out.put_if("save", run.save.as_deref().map(path_text));
                out.put("force", run.force);
                out.put("one_per_path", run.one_per_path);
                out.put_if("max", run.max);
                out.put_if("budget", run.budget.map(|t| t.as_millis()));
                out.put("threads", run.threads);
                out.put_if("from", run.from.as_ref());
                out.put_if("to", run.to.as_ref());
                out.put_if("checkpoint", run.checkpoint.as_deref().map(path_text));
                out.put("checkpoint_every", run.checkpoint_every.as_millis());
                out.put_if("reduction", run.reduction);
                out.put("list_classes", run.list_classes);
            }
            Request::Resume(resume) => {
                out.put("do", "resume");
                out.put("file", path_text(&resume.file));
                out.put_if("max", resume.max);
                out.put_if("budget", resume.budget.map(|t| t.as_millis()));
                out.put("threads", resume.threads);
                out.put("checkpoint_every", resume.checkpoint_every.as_millis());
            }
            Request::Size(space) => {
                out.put("do", "size");
                space.put(&mut out);
            }
            Request::Explain(space) => {
                out.put("do", "explain");
                space.put(&mut out);
            }
            Request::Show(show) => {
                out.put("do", "show");
                out.put("file", path_text(&show.file));
                out.put_if("at", show.at);
            }
            Request::Replay(replay) => {
                out.put("do", "replay");
                replay.space.put(&mut out);
                out.put("candidate", &replay.candidate);
            }
            Request::Export(export) => {
                out.put("do", "export");
                out.put("file", path_text(&export.file));
                out.put("format", export.to.name());
                out.put_if("type", export.type_path.as_ref());
            }
            Request::Reduce(reduce) => {
                out.put("do", "reduce");
                out.put("file", path_text(&reduce.file));
                out.put("reduction", reduce.reduction);
                out.put_if("save", reduce.save.as_deref().map(path_text));
                out.put("force", reduce.force);
                out.put("print", reduce.print);
                out.put("list_classes", reduce.list_classes);
            }
        }
        out.0
    }

    /// The request in a text.
    pub fn from_text(text: &str) -> Result<Request, String> {
        let lines = Lines(text.to_owned());
        let path = |key| lines.get(key).map(PathBuf::from);
        let file = || path("file").ok_or("the request has no file".to_owned());
        let every = || Ok::<_, String>(Duration::from_millis(lines.parse("checkpoint_every")?));
        Ok(match lines.get("do").as_deref() {
            Some("run") => Request::Run(Run {
                space: Space::get(&lines)?,
                classes: lines.parse_if("classes")?,
                print: lines.parse("print")?,
                save: path("save"),
                force: lines.parse("force")?,
                one_per_path: lines.parse("one_per_path")?,
                max: lines.parse_if("max")?,
                budget: lines.time("budget")?,
                threads: lines.parse("threads")?,
                from: lines.parse_if("from")?,
                to: lines.parse_if("to")?,
                checkpoint: path("checkpoint"),
                checkpoint_every: every()?,
                reduction: lines.parse_if("reduction")?,
                list_classes: lines.parse("list_classes")?,
            }),
            Some("resume") => Request::Resume(Resume {
                file: file()?,
                max: lines.parse_if("max")?,
                budget: lines.time("budget")?,
                threads: lines.parse("threads")?,
                checkpoint_every: every()?,
            }),
            Some("size") => Request::Size(Space::get(&lines)?),
            Some("explain") => Request::Explain(Space::get(&lines)?),
            Some("show") => Request::Show(Show { file: file()?, at: lines.parse_if("at")? }),
            Some("replay") => {
                Request::Replay(Replay { space: Space::get(&lines)?, candidate: lines.parse("candidate")? })
            }
            Some("export") => Request::Export(Export {
                file: file()?,
                to: lines.parse("format")?,
                type_path: lines.get("type"),
            }),
            Some("reduce") => Request::Reduce(Reduce {
                file: file()?,
                reduction: lines.parse("reduction")?,
                save: path("save"),
                force: lines.parse("force")?,
                print: lines.parse("print")?,
                list_classes: lines.parse("list_classes")?,
            }),
            _ => return Err("this version of smallscope does not know the request".to_owned()),
        })
    }

    /// What the test itself says, where the request does not.
    pub(crate) fn with_defaults(mut self, check: &Check) -> Request {
        if let Request::Run(run) = &mut self
            && check.search_options().classes != Classes::Ignored
        {
            run.classes.get_or_insert(check.search_options().classes);
        }
        if let Request::Run(Run { space, .. })
        | Request::Size(space)
        | Request::Explain(space)
        | Request::Replay(Replay { space, .. }) = &mut self
        {
            space.bounds.get_or_insert_with(|| check.bounds().clone());
            space.engine.get_or_insert(check.search_options().engine);
        }
        self
    }
}

impl Space {
    fn put(&self, out: &mut Lines) {
        out.put_if("bounds", self.bounds.as_ref());
        out.put_if("scope", self.scope);
        out.put_if("args", self.args.as_ref());
        out.put_if("engine", self.engine);
        out.put("disjoint", self.disjoint);
    }

    fn get(lines: &Lines) -> Result<Space, String> {
        Ok(Space {
            bounds: lines.parse_if("bounds")?,
            scope: lines.parse_if("scope")?,
            args: lines.get("args"),
            engine: lines.parse_if("engine")?,
            disjoint: lines.parse_if("disjoint")?.unwrap_or(false),
        })
    }
}

impl Format {
    /// Its name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Format::Jsonl => "jsonl",
            Format::Dot => "dot",
            Format::Rust => "rust",
        }
    }
}

impl FromStr for Format {
    type Err = String;
    fn from_str(s: &str) -> Result<Format, String> {
        [Format::Jsonl, Format::Dot, Format::Rust]
            .into_iter()
            .find(|format| format.name() == s)
            .ok_or_else(|| format!("unknown format `{s}`; the formats are `jsonl`, `dot` and `rust`"))
    }
}
