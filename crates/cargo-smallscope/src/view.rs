//! The command `view`: a page on which to look at values, served on the loopback interface or written to a file.

mod graph;
mod pages;
mod worker;

use crate::cli::{BoundsArgs, PlaceArgs, ViewArgs};
use crate::console::Console;
use crate::problem::{Problem, note};
use crate::target::{self, Target};
use pages::Pages;
use smallscope_runner::session::{Browse, Observer};
use smallscope_runner::settings::Settings;
use smallscope_viewer::page::random_token;
use smallscope_viewer::server::Server;
use std::path::Path;
use std::process::{Command, Stdio};
use worker::Worker;

/// Serves the page until Ctrl-C, or writes it to a file.
pub(crate) fn view(args: &ViewArgs, place: &PlaceArgs) -> Result<u8, Problem> {
    let file = Path::new(&args.target);
    let (target, request) = if file.is_file() {
        refuse_bounds(file, &args.bounds)?;
        let target = Target::of_file(file, place)?;
        let browse = Browse { file: Some(target.path(file)?), ..Browse::default() };
        (target, browse)
    } else {
        if is_path(&args.target) {
            return Err(Problem::file(format!("{} cannot be read: there is no such file", file.display())));
        }
        let target = Target::find(&args.target, place)?;
        let space = target.space(&args.bounds, Some(target::SCOPE_TO_EXPLAIN))?;
        (target, Browse { space, file: None })
    };
    let pages = Pages::new(Worker::start(target, request)?, args.field.clone())?;
    match &args.html {
        Some(out) => write(&pages, out, args.most),
        None => serve(&pages, args),
    }
}

/// Refuses bounds beside a suite.
pub(crate) fn refuse_bounds(file: &Path, bounds: &BoundsArgs) -> Result<(), Problem> {
    if bounds.args.is_none() && bounds.given.settings == Settings::default() {
        return Ok(());
    }
    Err(Problem::usage(format!(
        "{} is a suite, whose bounds are saved in it: leave the bounds and the engine out",
        file.display()
    )))
}

/// Whether a name can only be a path.
pub(crate) fn is_path(name: &str) -> bool {
    name.contains(std::path::MAIN_SEPARATOR) || name.ends_with(".suite")
}

fn write(pages: &Pages, out: &Path, most: u64) -> Result<u8, Problem> {
    let mut console = Console::to_file(out)?;
    let (html, kept, known) = pages.file(&random_token(), most, &|| console.stop.is_asked())?;
    console.print(&html)?;
    console.finish()?;
    if kept < known {
        note(&format!(
            "{} has the first {kept} values; `--most` sets another number, and without `--html` the page has all",
            out.display()
        ));
    }
    Ok(0)
}

fn serve(pages: &Pages, args: &ViewArgs) -> Result<u8, Problem> {
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
    let pages = pages::Served { pages, nonce: server.nonce() };
    let stop = console.stop.clone();
    server.serve(&pages, &|| stop.is_asked());
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
