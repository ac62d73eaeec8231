//! The command `view`: a page on which to look at values, served on the loopback interface or written to a file.

mod graph;
mod reports;
mod served;
mod states;
mod values;
mod worker;

use crate::cli::{BoundsArgs, PlaceArgs, ViewArgs};
use crate::console::Console;
use crate::marks::Kind;
use crate::problem::{Problem, note};
use crate::sequences;
use crate::target::{self, Target};
use served::{Served, Subject};
use smallscope_runner::session::sequences::{Ask, BrowseStates};
use smallscope_runner::session::{Browse, Observer};
use smallscope_runner::settings::Settings;
use smallscope_viewer::page::random_token;
use smallscope_viewer::server::Server;
use states::States;
use std::path::Path;
use std::process::{Command, Stdio};
use values::Values;
use worker::Worker;

/// Serves the page until Ctrl-C, or writes it to a file.
pub(crate) fn view(args: &ViewArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let subject = subject(args, place)?;
    match &args.html {
        Some(out) => write(&*subject, out, args.most),
        None => serve(&*subject, args),
    }
}

fn subject(args: &ViewArgs, place: &PlaceArgs) -> Result<Box<dyn Subject>, Problem> {
    let file = Path::new(&args.target);
    let refuse_bounds = |what: &str| refuse_bounds(file, what, &args.bounds);
    if file.is_file() {
        if file.extension().is_some_and(|extension| extension == "json" || extension == "jsonl") {
            refuse_bounds("a report")?;
            return Ok(Box::new(reports::read(file)?));
        }
        refuse_bounds(A_SUITE)?;
        let target = Target::of_file(file, place)?;
        let browse = Browse { file: Some(target.path(file)?), ..Browse::default() };
        return Ok(Box::new(Values::new(Worker::start(target, browse)?, args.field.clone())?));
    }
    if is_path(&args.target) {
        return Err(Problem::file(format!("{} cannot be read: there is no such file", file.display())));
    }
    let target = match Target::to_divide(&args.target, place) {
        Ok(target) => target,
        Err(problem) => {
            let answer = sequences::of_container(&args.target, place)?.ok_or(problem)?;
            refuse_bounds("a container that is tested by calls")?;
            return Ok(Box::new(States::new(Worker::in_thread(move |channel| {
                answer(&browse_states(), channel)
            })?)?));
        }
    };
    match target {
        Target::Test(test) if test.mark.kind == Kind::Calls => {
            refuse_bounds("a test of call sequences")?;
            Ok(Box::new(States::new(Worker::in_test(*test, &browse_states().to_line())?)?))
        }
        target => {
            let space = target.space(&args.bounds, Some(target::SCOPE_TO_EXPLAIN))?;
            let worker = Worker::start(target, Browse { space, file: None })?;
            Ok(Box::new(Values::new(worker, args.field.clone())?))
        }
    }
}

fn browse_states() -> Ask {
    Ask::Browse(BrowseStates::default())
}

/// Why a suite has no other bounds.
pub(crate) const A_SUITE: &str = "a suite, whose bounds are saved in it";

/// Refuses bounds beside something that has none, or has its own.
pub(crate) fn refuse_bounds(target: &Path, what: &str, bounds: &BoundsArgs) -> Result<(), Problem> {
    if bounds.args.is_none() && bounds.given.settings == Settings::default() {
        return Ok(());
    }
    Err(Problem::usage(format!("`{}` is {what}: leave the bounds and the engine out", target.display())))
}

/// Whether a name can only be a path.
pub(crate) fn is_path(name: &str) -> bool {
    name.contains(std::path::MAIN_SEPARATOR)
        || [".suite", ".json", ".jsonl"].iter().any(|end| name.ends_with(end))
}

fn write(subject: &dyn Subject, out: &Path, most: u64) -> Result<u8, Problem> {
    let mut console = Console::to_file(out)?;
    let (page, kept, known) = subject.file(most, &|| console.stop.is_asked())?;
    console.print(&page.html(&random_token()))?;
    console.finish()?;
    if kept < known {
        note(&format!(
            "{} has the first {kept} {}; `--most` sets another number, and without `--html` the page has all",
            out.display(),
            subject.things()
        ));
    }
    Ok(0)
}

fn serve(subject: &dyn Subject, args: &ViewArgs) -> Result<u8, Problem> {
    let server = Server::bind(args.port.unwrap_or(0)).map_err(|error| {
        let port = args.port.unwrap_or(0);
        Problem::usage(format!(
            "the port {port} of the loopback interface cannot be used: {error}; give another `--port`, or none"
        ))
    })?;
    let mut console = Console::new(true);
    console.line(&format!("{}\nCtrl-C ends it", server.url()))?;
    console.finish()?;
    if !args.no_open {
        open(&server.url());
    }
    let served = Served { subject, nonce: server.nonce() };
    let stop = console.stop.clone();
    server.serve(&served, &|| stop.is_asked());
    Ok(0)
}

/// Opens an address in the browser. If there is none, the address is on standard output.
fn open(url: &str) {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = command.spawn();
}
