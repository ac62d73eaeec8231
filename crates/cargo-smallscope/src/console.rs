//! The output: standard output or a file. Progress goes to standard error, and never between results.

use crate::problem::Problem;
use crate::progress::Display;
use crate::signals::Stop;
use smallscope_runner::session::{Error, Observer, Progress, Status};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Receives the results of a request, and knows whether the user has stopped it.
pub(crate) struct Console {
    out: Box<dyn Write>,
    /// A file that is renamed when it is complete.
    file: Option<NewFile>,
    display: Display,
    pub(crate) stop: Arc<Stop>,
}

/// A file under construction, and its final path.
struct NewFile {
    temporary: PathBuf,
    path: PathBuf,
}

impl Console {
    /// Creates a console for results on standard output. `prints` says whether there are values among them.
    pub(crate) fn new(prints: bool) -> Console {
        let stdout = io::stdout();
        let out: Box<dyn Write> =
            if stdout.is_terminal() { Box::new(stdout) } else { Box::new(BufWriter::new(stdout)) };
        Console { out, file: None, display: Display::new(prints), stop: Stop::listen() }
    }

    /// Creates a console for results in a file. An existing file stays unchanged until the new one is complete.
    pub(crate) fn to_file(path: &Path) -> Result<Console, Problem> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let temporary = path.with_file_name(name);
        let out = File::create(&temporary).map_err(unwritable(path))?;
        Ok(Console {
            out: Box::new(BufWriter::new(out)),
            file: Some(NewFile { temporary, path: path.to_owned() }),
            display: Display::new(false),
            stop: Stop::listen(),
        })
    }

    /// Prints a line.
    pub(crate) fn line(&mut self, text: &str) -> io::Result<()> {
        self.display.finish();
        writeln!(self.out, "{text}")
    }

    /// Flushes the output, and gives the file its final name.
    pub(crate) fn finish(&mut self) -> Result<(), Problem> {
        self.display.finish();
        self.out.flush()?;
        if let Some(NewFile { temporary, path }) = self.file.take() {
            std::fs::rename(&temporary, &path).map_err(unwritable(&path))?;
        }
        Ok(())
    }

    /// Flushes the output, and removes the file.
    pub(crate) fn abandon(mut self) -> Result<(), Problem> {
        self.display.finish();
        Ok(self.out.flush()?)
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        self.display.finish();
        if let Some(file) = self.file.take() {
            let _ = std::fs::remove_file(file.temporary);
        }
    }
}

fn unwritable(path: &Path) -> impl Fn(io::Error) -> Problem {
    move |error| Problem::from(Error::File { path: path.to_owned(), what: "written", error })
}

impl Observer for Console {
    fn print(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }

    fn progress(&mut self, progress: &Progress) {
        // Shows what is printed so far. If that fails, the next print reports it.
        let _ = self.out.flush();
        self.display.show(progress);
    }

    fn working(&mut self, status: &Status) {
        let _ = self.out.flush();
        self.display.show_status(status);
    }

    fn is_stopped(&self) -> bool {
        self.stop.is_asked()
    }
}
