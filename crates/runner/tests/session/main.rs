//! Requests on structures of the catalogue.

mod classes;
mod engines;
mod leaves;
mod one_per_path;
mod outputs;
mod pages;
mod reducing;
mod runs;
mod stopping;
mod summarised;

use smallscope::Classes;
use smallscope::search::Position;
use smallscope_catalogue::{Structure, structure};
use smallscope_runner::criteria::{Choice, Quota, Reduction};
use smallscope_runner::session::{
    Error, Observer, Open, Progress, Request, Resume, Run, Space, Subject, Summary, perform,
};
use smallscope_runner::settings::Settings;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The names of all engines.
const ENGINES: [&str; 3] = ["lazy", "owned", "korat"];

/// Keeps what is printed, and stops the run after `is_stopped` was called this often.
#[derive(Default)]
struct Listener {
    text: String,
    reports: Vec<Progress>,
    asked: std::cell::Cell<u64>,
    stop_after: Option<u64>,
}

impl Listener {
    fn stopping_after(questions: u64) -> Listener {
        Listener { stop_after: Some(questions), ..Listener::default() }
    }
}

impl Observer for Listener {
    fn print(&mut self, text: &str) -> io::Result<()> {
        self.text.push_str(text);
        Ok(())
    }

    fn progress(&mut self, progress: &Progress) {
        self.reports.push(progress.clone());
    }

    fn is_stopped(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.stop_after.is_some_and(|after| self.asked.get() > after)
    }
}

/// A structure of the catalogue with arguments.
struct Case {
    structure: &'static Structure,
    args: Vec<i64>,
}

impl Case {
    fn new(name: &str, args: &[i64]) -> Case {
        Case { structure: structure(name).unwrap_or_else(|| panic!("no {name}")), args: args.to_vec() }
    }

    fn space(&self, engine: &str) -> Space {
        let args: Vec<String> = self.args.iter().map(i64::to_string).collect();
        Space {
            bounds: Some((self.structure.bounds)(&self.args)),
            args: Some(args.join(",")),
            settings: Settings { engine: Some(engine.parse().unwrap()), ..one_thread() },
        }
    }

    fn run(&self, engine: &str) -> Run {
        Run {
            space: self.space(engine),
            print: false,
            save: None,
            force: false,
            list_classes: false,
            checkpoint: None,
            checkpoint_every: Duration::from_secs(3600),
        }
    }

    fn perform(&self, request: &Request, listener: &mut Listener) -> Result<Option<Summary>, Error> {
        let open: &Open<'_> = &self.structure.open;
        let subject = Subject { name: self.structure.name.to_owned(), package: None, place: None, open };
        // As it goes to a test binary.
        let request = Request::from_line(&request.to_line()).unwrap();
        perform(&subject, &request, listener)
    }

    fn sum_up(&self, request: Request, listener: &mut Listener) -> Summary {
        self.perform(&request, listener).unwrap_or_else(|e| panic!("{e}")).expect("runs are summed up")
    }

    fn error(&self, request: Request) -> String {
        match self.perform(&request, &mut Listener::default()) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("there is no error"),
        }
    }
}

/// Settings for one thread.
fn one_thread() -> Settings {
    Settings { threads: Some(1), ..Settings::default() }
}

/// The settings that describe a reduction.
fn settings_of(reduction: Reduction) -> Settings {
    let mut settings = Settings { criterion: Some(reduction.criterion), ..Settings::default() };
    match reduction.quota {
        Quota::Ratio(ratio) => settings.ratio = Some(ratio),
        Quota::Size(size) => settings.keep = Some(size),
        Quota::PerClass(most) => settings.per_class = Some(most),
    }
    if let Choice::Random { seed } = reduction.choice {
        settings.seed = Some(seed);
    }
    settings
}

/// A request with other settings.
trait With: Sized {
    fn settings(&mut self) -> &mut Settings;

    fn with(mut self, settings: Settings) -> Self {
        *self.settings() = settings.or(self.settings().clone());
        self
    }

    fn threads(self, threads: usize) -> Self {
        self.with(Settings { threads: Some(threads), ..Settings::default() })
    }

    fn max(self, max: u64) -> Self {
        self.with(Settings { max: Some(max), ..Settings::default() })
    }

    fn budget(self, budget: Duration) -> Self {
        self.with(Settings { budget: Some(budget), ..Settings::default() })
    }

    fn classes(self, classes: Classes) -> Self {
        self.with(Settings { classes: Some(classes), ..Settings::default() })
    }

    fn one_per_path(self) -> Self {
        self.with(Settings { one_per_path: Some(true), ..Settings::default() })
    }

    fn from(self, position: Option<Position>) -> Self {
        self.with(Settings { from: position.map(|p| p.to_string()), ..Settings::default() })
    }

    fn to(self, position: Option<Position>) -> Self {
        self.with(Settings { to: position.map(|p| p.to_string()), ..Settings::default() })
    }

    fn reduction(self, reduction: Reduction) -> Self {
        self.with(settings_of(reduction))
    }
}

impl With for Run {
    fn settings(&mut self) -> &mut Settings {
        &mut self.space.settings
    }
}

impl With for Resume {
    fn settings(&mut self) -> &mut Settings {
        &mut self.settings
    }
}

/// Returns an empty folder for a test.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("session").join(test);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}
