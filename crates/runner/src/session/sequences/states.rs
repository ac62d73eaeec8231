//! The graph of states, for the page: calls are made in a state when the page asks for it.
//!
//! Calls are made on a thread of their own. If one does not return, that thread is given up and another one begins anew.

use super::ask::BrowseStates;
use super::{Answer, Subject};
use crate::runner::json::{Object, quoted};
use crate::sequences::with_settings;
use crate::session::browse::{Next, Queries};
use crate::session::error::Error;
use smallscope_sequences::{Campaign, Context, Fault, Navigator, Test, Transition};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// How long states are explored for one query.
const PATIENCE: Duration = Duration::from_millis(150);
/// A state with more calls has only the first of them.
const MOST_CALLS: usize = 2000;

/// Answers queries until there are no more.
pub(super) fn browse(
    subject: &Subject<'_>,
    request: &BrowseStates,
    queries: &mut dyn Queries,
) -> Result<Answer, Error> {
    let usage = |error: smallscope_sequences::Error| Error::Usage(error.to_string());
    let campaign = with_settings(&subject.campaign, &request.settings).map_err(usage)?;
    // An error in the context is found here.
    campaign.navigate(&subject.context, |_| ()).map_err(usage)?;
    let limit = campaign.call_limit();
    let start = || Side::start(subject.name.to_owned(), Arc::clone(&subject.context), campaign.clone());
    let mut side = start();
    loop {
        match queries.next(true) {
            Next::Nothing => {}
            Next::End => {
                let (text, json) = (String::new(), "{}".to_owned());
                return Ok(Answer { text, json, outcome: "done".to_owned() });
            }
            Next::Query(query) => {
                let answer = side.ask(query, limit + PATIENCE).unwrap_or_else(|| {
                    side = start();
                    problem(&format!(
                        "the answer took longer than {limit:?}: a call does not return, or takes very long; the states so far \
                         are forgotten"
                    ))
                });
                queries.answer(answer);
            }
        }
    }
}

fn problem(text: &str) -> String {
    let mut out = Object::default();
    out.text("error", text);
    out.close()
}

/// The thread that makes calls.
struct Side {
    queries: Sender<String>,
    answers: Receiver<String>,
}

impl Side {
    fn start(name: String, context: Arc<Context>, campaign: Campaign) -> Side {
        let (queries, to_answer) = channel::<String>();
        let (answered, answers) = channel();
        std::thread::spawn(move || {
            campaign.navigate(&context, |states| {
                let mut page = Page { name, context: &context, states, seen: HashMap::new(), explored: 0 };
                for query in to_answer {
                    let _ = answered.send(page.answer(&query));
                }
            })
        });
        Side { queries, answers }
    }

    /// Asks. None if there is no answer in time.
    fn ask(&self, query: String, limit: Duration) -> Option<String> {
        self.queries.send(query).ok()?;
        self.answers.recv_timeout(limit).ok()
    }
}

struct Page<'p, 'e> {
    name: String,
    context: &'p Context,
    states: &'p mut Navigator<'e>,
    /// What calls do in the states that were looked at or explored.
    seen: HashMap<u32, Vec<Transition>>,
    /// Calls were made in all states before this one.
    explored: u32,
}

impl Page<'_, '_> {
    fn answer(&mut self, query: &str) -> String {
        let (word, rest) = query.split_once(' ').unwrap_or((query, ""));
        match word {
            "info" => self.info(),
            "explore" => {
                self.explore();
                self.info()
            }
            "state" => match rest.trim().parse::<u32>() {
                Ok(state) if state < self.states.len() => self.state(state),
                _ => problem(&format!(
                    "there is no state {rest} so far: there are 0 to {}",
                    self.states.len() - 1
                )),
            },
            "path" => self.path(rest),
            _ => problem(&format!("there is no query `{word}`")),
        }
    }

    fn info(&self) -> String {
        let mut out = Object::default();
        out.text("kind", "states");
        out.text("structure", &self.name);
        out.raw("known", self.states.len());
        out.raw("explored", self.explored);
        out.raw("all", self.explored == self.states.len());
        out.close()
    }

    fn transitions(&mut self, state: u32) -> &[Transition] {
        self.seen.entry(state).or_insert_with(|| self.states.transitions(state))
    }

    /// Makes calls in the states that come next, for some time.
    fn explore(&mut self) {
        let start = Instant::now();
        while self.explored < self.states.len() && start.elapsed() < PATIENCE {
            // The calls are kept only for states that the page has asked for.
            if !self.seen.contains_key(&self.explored) {
                self.states.transitions(self.explored);
            }
            self.explored += 1;
        }
    }

    /// Goes to a state by calls in canonical form.
    fn path(&mut self, text: &str) -> String {
        let test = match Test::parse(self.context, text) {
            Ok(test) => test,
            Err(error) => return problem(&error.to_string()),
        };
        match self.states.follow(test.calls()) {
            Some(state) => self.state(state),
            None => problem("one of these calls fails or cannot be made"),
        }
    }

    fn state(&mut self, state: u32) -> String {
        let path = self.states.path(state).unwrap_or_default();
        let calls: Vec<String> = path.calls().iter().map(|call| self.states.call_text(*call)).collect();
        let on_path = self.states.states_on_path(state);
        let transitions = self.transitions(state).to_vec();
        let mut made = vec![];
        for Transition { call, to } in transitions.iter().take(MOST_CALLS) {
            let mut out = Object::default();
            out.text("call", &self.states.call_text(*call));
            match to {
                Ok(to) => {
                    out.raw("to", to);
                    out.raw("is_seen", self.seen.contains_key(to) || *to < self.explored);
                }
                Err(fault) => {
                    out.text("fault", &fault.to_string());
                    out.raw("breaks_invariant", matches!(fault, Fault::Invariant { .. }));
                    out.raw("after", pairs(&self.states.values_after(state, *call)));
                }
            }
            made.push(out.close());
        }
        let mut near: Vec<u32> =
            transitions.iter().filter_map(|made| made.to.as_ref().ok().copied()).collect();
        near.extend(&on_path);
        near.sort_unstable();
        near.dedup();
        near.truncate(64);
        let shown: Vec<String> = near.iter().map(|&near| self.values_of(near)).collect();
        let mut out = Object::default();
        out.raw("state", state);
        out.raw("known", self.states.len());
        out.raw("explored", self.explored);
        out.raw("all", self.explored == self.states.len());
        out.text("line", &path.to_line(self.context));
        out.text("rust", &path.to_source(self.context));
        out.raw("path", format!("[{}]", calls.iter().map(|call| quoted(call)).collect::<Vec<_>>().join(",")));
        out.raw("on_path", format!("{on_path:?}"));
        out.raw("omitted", transitions.len().saturating_sub(MOST_CALLS));
        out.raw("calls", format!("[{}]", made.join(",")));
        out.raw("states", format!("[{}]", shown.join(",")));
        out.close()
    }

    /// A state with its values.
    fn values_of(&self, state: u32) -> String {
        format!("{{\"state\":{state},\"values\":{}}}", pairs(&self.states.values(state)))
    }
}

/// Names with texts.
fn pairs(values: &[(String, String)]) -> String {
    let texts: Vec<String> =
        values.iter().map(|(name, text)| format!("[{},{}]", quoted(name), quoted(text))).collect();
    format!("[{}]", texts.join(","))
}
