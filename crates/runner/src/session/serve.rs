//! A test binary that is asked: the request comes in a variable, events go out as lines on standard output.

use crate::Check;
use crate::attribute::TestSite;
use crate::session::error::Error;
use crate::session::observer::{Observer, Progress, Status};
use crate::session::request::Request;
use crate::session::subject::{Open, Subject};
use crate::session::summary::Summary;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The variable with the request. It is no setting for users, so it has no name of that kind.
pub const REQUEST: &str = "CARGO_SMALLSCOPE_REQUEST";

/// What every line with an event begins with.
pub const EVENT: &str = "\u{1e}smallscope ";

/// What a test binary says to the tool.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Text that was asked for.
    Print(String),
    /// How far the run is.
    Progress(Progress),
    /// How far a run is that has no candidates.
    Working(Status),
    /// How the run ended, in words and as JSON, and whether the user stopped it.
    Summary {
        /// In words.
        text: String,
        /// As JSON.
        json: String,
        /// The outcome in one word.
        outcome: String,
    },
    /// All done; there was nothing to sum up.
    Done,
    /// It did not work out.
    Error {
        /// Why.
        message: String,
        /// The exit code for it.
        code: u8,
    },
}

impl Event {
    /// The event as a line, with its end.
    pub fn to_line(&self) -> String {
        let fields = match self {
            Event::Print(text) => vec!["print".to_owned(), text.clone()],
            Event::Progress(p) => vec![
                "progress".to_owned(),
                p.explored.to_string(),
                p.valid.to_string(),
                p.elapsed.as_micros().to_string(),
                p.explored_here.to_string(),
                p.fraction.to_string(),
                p.position.clone(),
            ],
            Event::Working(Status { text, elapsed, fraction }) => vec![
                "working".to_owned(),
                text.clone(),
                elapsed.as_micros().to_string(),
                fraction.map(|fraction| fraction.to_string()).unwrap_or_default(),
            ],
            Event::Summary { text, json, outcome } => {
                vec!["summary".to_owned(), text.clone(), json.clone(), outcome.clone()]
            }
            Event::Done => vec!["done".to_owned()],
            Event::Error { message, code } => vec!["error".to_owned(), code.to_string(), message.clone()],
        };
        let fields: Vec<String> = fields.iter().map(|field| escape(field)).collect();
        format!("{EVENT}{}\n", fields.join("\t"))
    }

    /// The event in a line, if there is one; the harness may have written something before it.
    pub fn from_line(line: &str) -> Option<Event> {
        let (_, rest) = line.split_once(EVENT)?;
        let fields: Vec<String> = rest.trim_end_matches('\n').split('\t').map(unescape).collect();
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        Some(match fields[..] {
            ["print", text] => Event::Print(text.to_owned()),
            ["progress", explored, valid, elapsed, explored_here, fraction, position] => {
                Event::Progress(Progress {
                    explored: explored.parse().ok()?,
                    valid: valid.parse().ok()?,
                    elapsed: Duration::from_micros(elapsed.parse().ok()?),
                    explored_here: explored_here.parse().ok()?,
                    fraction: fraction.parse().ok()?,
                    position: position.to_owned(),
                })
            }
            ["working", text, elapsed, fraction] => Event::Working(Status {
                text: text.to_owned(),
                elapsed: Duration::from_micros(elapsed.parse().ok()?),
                fraction: fraction.parse().ok(),
            }),
            ["summary", text, json, outcome] => {
                Event::Summary { text: text.to_owned(), json: json.to_owned(), outcome: outcome.to_owned() }
            }
            ["done"] => Event::Done,
            ["error", code, message] => {
                Event::Error { message: message.to_owned(), code: code.parse().ok()? }
            }
            _ => return None,
        })
    }
}

/// A text without tabs and ends of lines.
pub(crate) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

/// The inverse of [`escape`].
pub(crate) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.push(match chars.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            }),
            c => out.push(c),
        }
    }
    out
}

/// The request that the tool has put into the environment of this process, if it has.
pub(crate) fn request_of_process() -> Option<String> {
    std::env::var(REQUEST).ok()
}

/// Does what the tool asks with the input of a test.
pub(crate) fn serve(site: &TestSite, check: &Check, open: &Open<'_>, text: &str) {
    let name = site.harness_name();
    let subject = Subject { name, package: site.package.map(str::to_owned), open };
    let mut lines = Lines::listen();
    let result = Request::from_text(text)
        .map_err(Error::Usage)
        .and_then(|request| crate::session::perform(&subject, &request.with_defaults(check), &mut lines));
    let event = match result {
        Ok(Some(summary)) => summary_event(&summary),
        Ok(None) => Event::Done,
        Err(error) => Event::Error { message: error.to_string(), code: error.exit_code() },
    };
    let _ = lines.send(&event);
}

fn summary_event(summary: &Summary) -> Event {
    Event::Summary {
        text: summary.to_string(),
        json: summary.to_json(),
        outcome: summary.outcome().to_owned(),
    }
}

/// Events as lines on standard output. The tool keeps standard input open; when it closes, the run stops.
pub(crate) struct Lines {
    stopped: Arc<AtomicBool>,
}

impl Lines {
    pub(crate) fn listen() -> Lines {
        let stopped = Arc::new(AtomicBool::new(false));
        let flag = stopped.clone();
        std::thread::spawn(move || {
            let _ = io::stdin().lock().read_to_end(&mut vec![]);
            flag.store(true, Ordering::Relaxed);
        });
        Lines { stopped }
    }

    pub(crate) fn send(&mut self, event: &Event) -> io::Result<()> {
        // Past the capture of the test harness, which concerns `print!` only.
        let mut out = io::stdout().lock();
        out.write_all(event.to_line().as_bytes())?;
        out.flush()
    }
}

impl Observer for Lines {
    fn print(&mut self, text: &str) -> io::Result<()> {
        self.send(&Event::Print(text.to_owned()))
    }

    fn progress(&mut self, progress: &Progress) {
        let _ = self.send(&Event::Progress(progress.clone()));
    }

    fn working(&mut self, status: &Status) {
        let _ = self.send(&Event::Working(status.clone()));
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
