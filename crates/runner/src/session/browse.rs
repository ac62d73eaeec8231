//! Random access to the values of a suite or of a search, for the page.
//!
//! A query is a line, and its answer is one JSON object. Queries come from the tool; between them, a search goes on.

mod classes;
mod counts;
mod filter;
mod generated;
mod steps;
#[cfg(feature = "summaries")]
mod summarised;
mod value;

use crate::runner::json::Object;
use crate::session::error::Error;
use crate::session::files::{self, Provenance};
use crate::session::request::Browse;
use crate::session::show::SavedValues;
use crate::session::subject::Subject;
use classes::Classes;
use filter::Filter;
use generated::Generated;
use smallscope_core::{AnySearch, Engine};
use std::path::Path;
use std::time::{Duration, Instant};
use steps::Steps;

/// The next query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// A query.
    Query(String),
    /// There is none now.
    Nothing,
    /// There will be no more.
    End,
}

/// The other side of the conversation.
pub trait Queries {
    /// Returns the next query, and waits for it if that is wanted.
    fn next(&mut self, waits: bool) -> Next;

    /// Sends the answer to the last query.
    fn answer(&mut self, json: String);
}

/// How long a query may look for something; then it answers how far it came.
const PATIENCE: Duration = Duration::from_millis(150);

/// Answers queries until there are no more.
pub fn browse(subject: &Subject<'_>, request: &Browse, queries: &mut dyn Queries) -> Result<(), Error> {
    let mut browser = Browser::open(subject, request)?;
    loop {
        match queries.next(!browser.has_more_to_find()) {
            Next::Query(line) => queries.answer(browser.answer(&line)),
            Next::Nothing => browser.search_on(),
            Next::End => return Ok(()),
        }
    }
}

/// Where the values come from.
enum Source<'a> {
    Saved(Box<SavedValues<'a>>),
    Generated(Box<Generated>),
}

struct Browser<'a> {
    subject: &'a Subject<'a>,
    provenance: Provenance,
    source: Source<'a>,
    /// The search candidate by candidate, from the first query about it on.
    steps: Option<Steps>,
    /// How summaries are made, from the first query about it on.
    #[cfg(feature = "summaries")]
    summarised: Option<summarised::Summarised>,
    /// The classes of the values, from the first query about them on.
    classes: Option<Classes>,
}

impl<'a> Browser<'a> {
    fn open(subject: &'a Subject<'a>, request: &'a Browse) -> Result<Browser<'a>, Error> {
        let (provenance, source) = match &request.file {
            Some(file) => {
                let saved = SavedValues::open(subject, Path::new(file))?;
                (saved.provenance.clone(), Source::Saved(Box::new(saved)))
            }
            None => {
                let provenance = Provenance::new(&request.space)?;
                let generated = Generated::new(provenance.search(subject)?, provenance.search(subject)?);
                (provenance, Source::Generated(Box::new(generated)))
            }
        };
        Ok(Browser {
            subject,
            provenance,
            source,
            steps: None,
            #[cfg(feature = "summaries")]
            summarised: None,
            classes: None,
        })
    }

    fn has_more_to_find(&self) -> bool {
        matches!(&self.source, Source::Generated(generated) if generated.is_eager())
    }

    fn search_on(&mut self) {
        if let Source::Generated(generated) = &mut self.source {
            generated.search_for(Duration::from_millis(5));
        }
    }

    /// Answers a query; an error is an answer, too.
    fn answer(&mut self, line: &str) -> String {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let answer = match word {
            "info" => Ok(self.info()),
            "value" => {
                let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
                number(first).and_then(|number| self.value(number, second == "reads"))
            }
            "classes" => self.classes(rest),
            "find" => self.find(rest),
            "counts" => counts::counts(self.subject, &self.provenance),
            "step" => number(rest).and_then(|number| self.step(number)),
            "summary" => number(rest).and_then(|number| self.summary(number)),
            _ => Err(Error::Usage(format!("there is no query `{word}`"))),
        };
        answer.unwrap_or_else(|error| {
            let mut out = Object::default();
            out.text("error", &error.to_string());
            out.close()
        })
    }

    /// What is browsed, and how many values are known.
    fn info(&mut self) -> String {
        let (known, is_all, ending) = match &self.source {
            Source::Saved(saved) => (saved.reader.len(), true, saved.ending()),
            Source::Generated(generated) => (generated.known(), generated.is_over(), generated.ending()),
        };
        let search = self.search();
        let (type_name, slots) = (search.type_name(), search.describe_slots());
        let mut fields: Vec<&str> = slots.iter().map(|slot| slot.field.as_str()).collect();
        fields.dedup();
        let mut out = Object::default();
        out.text("structure", &self.subject.name);
        out.text("type", &crate::show::type_text(type_name));
        out.text("bounds", &self.provenance.bounds.to_string());
        out.raw("scope", self.provenance.bounds.scope_number().map_or("null".to_owned(), |n| n.to_string()));
        out.text("engine", &self.provenance.engine.to_string());
        out.raw("known", known);
        out.raw("all", is_all);
        out.text("ending", &ending);
        out.close()
    }

    fn search(&mut self) -> &mut AnySearch {
        match &mut self.source {
            Source::Saved(saved) => &mut saved.search,
            Source::Generated(generated) => generated.cursor(),
        }
    }

    /// Goes to a value. False if it is not known whether there is one.
    fn go_to(&mut self, number: u64) -> Result<bool, Error> {
        match &mut self.source {
            Source::Saved(saved) => saved.go_to(number).map(|()| true),
            Source::Generated(generated) => generated.go_to(number, PATIENCE * 10),
        }
    }

    fn value(&mut self, number: u64, with_reads: bool) -> Result<String, Error> {
        if !self.go_to(number)? {
            let mut out = Object::default();
            out.raw("pending", number);
            return Ok(out.close());
        }
        let context = value::Context { name: &self.subject.name, provenance: &self.provenance };
        let search = match &mut self.source {
            Source::Saved(saved) => &mut saved.search,
            Source::Generated(generated) => generated.cursor(),
        };
        Ok(value::describe(&context, number, search, with_reads))
    }

    /// Looks for values that a filter accepts: `FROM STEP MOST FILTER`, where the step is 1 or -1.
    fn find(&mut self, query: &str) -> Result<String, Error> {
        let mut words = query.splitn(4, ' ');
        let mut next = || words.next().unwrap_or_default();
        let (from, step, most) = (number(next())?, next(), number(next())?);
        let filter = Filter::parse(next()).map_err(Error::Usage)?;
        let start = Instant::now();
        let (mut at, mut found, mut is_end) = (from, vec![], false);
        loop {
            let known = match &self.source {
                Source::Saved(saved) => saved.reader.len(),
                Source::Generated(generated) => generated.known(),
            };
            let is_over = matches!(&self.source, Source::Generated(generated) if !generated.is_over());
            if at == 0 || (at > known && !is_over) {
                is_end = true;
                break;
            }
            if found.len() as u64 >= most || start.elapsed() > PATIENCE || !self.go_to(at)? {
                break;
            }
            if filter.accepts(self.search())? {
                found.push(at.to_string());
            }
            at = if step == "-1" { at - 1 } else { at + 1 };
        }
        let mut out = Object::default();
        out.raw("found", format!("[{}]", found.join(",")));
        out.raw("at", at);
        out.raw("end", is_end);
        Ok(out.close())
    }

    /// Puts values into classes for some time, and describes the classes so far.
    fn classes(&mut self, by: &str) -> Result<String, Error> {
        let reduction = match &self.source {
            Source::Saved(saved) => files::reduction(saved.reader.header()).map(str::to_owned),
            Source::Generated(_) => None,
        };
        let mut classes = match self.classes.take() {
            Some(classes) if classes.is_by(by) => classes,
            _ => Classes::by(by, reduction.as_deref(), self.search())?,
        };
        let start = Instant::now();
        while start.elapsed() < PATIENCE && !classes.is_over {
            let next = classes.seen + 1;
            let is_last = match &self.source {
                Source::Saved(saved) => next > saved.reader.len(),
                Source::Generated(generated) => generated.is_over() && next > generated.known(),
            };
            if is_last {
                classes.is_over = true;
            } else if self.go_to(next)? {
                classes.visit(self.search())?;
            } else {
                break;
            }
        }
        let text = classes.describe();
        self.classes = Some(classes);
        Ok(text)
    }

    /// A step of making summaries, or of the search that follows them.
    #[cfg(feature = "summaries")]
    fn summary(&mut self, number: u64) -> Result<String, Error> {
        let summarised = match &mut self.summarised {
            Some(summarised) => summarised,
            none => none.insert(summarised::Summarised::new(self.subject, &self.provenance)?),
        };
        summarised.describe(number)
    }

    /// Says that summaries need a feature.
    #[cfg(not(feature = "summaries"))]
    fn summary(&mut self, _: u64) -> Result<String, Error> {
        Err(Error::Usage(crate::NO_SUMMARIES.into()))
    }

    fn step(&mut self, number: u64) -> Result<String, Error> {
        let steps = match &mut self.steps {
            Some(steps) => steps,
            none => {
                // One search for everything: what is skipped and why is about all fields.
                let provenance = Provenance { disjoint: false, ..self.provenance.clone() };
                let [search, eye] = [provenance.search(self.subject)?, provenance.search(self.subject)?];
                let lazy = Provenance { engine: Engine::Lazy, ..provenance.clone() };
                let judge =
                    if provenance.engine == Engine::Lazy { None } else { lazy.search(self.subject).ok() };
                none.insert(Steps::new(search, eye, judge))
            }
        };
        steps.describe(number)
    }
}

fn number(text: &str) -> Result<u64, Error> {
    let parsed = text.trim().parse();
    parsed.map_err(|_| Error::Usage(format!("`{text}` is no number of a value: they count from 1")))
}
