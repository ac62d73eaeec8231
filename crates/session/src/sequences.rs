//! What the tool asks of a context: to run sequences of its calls, to count them, to look at one again.
//!
//! As with values, the same code runs in the tool, for the subjects that come with it, and inside of a test binary, for
//! a user's `#[smallscope::sequences]`.

mod ask;
mod count;
mod replay;
mod run;
mod save;

pub use ask::{Ask, Replay, Run, Save};

use crate::error::Error;
use crate::observer::Observer;
use crate::serve::{Event, Lines, REQUEST};
use smallscope_runner::attribute::TestSite;
use smallscope_sequences::{Campaign, Context, IntoContext};

/// A context, what it is called, and what is done with it if nothing else is said.
pub struct Subject<'s> {
    /// The name.
    pub name: &'s str,
    /// The context.
    pub context: &'s Context,
    /// What is done with it.
    pub campaign: Campaign,
    /// What stands in front of tests in Rust.
    pub uses: Vec<String>,
}

/// What it came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// In words.
    pub text: String,
    /// As JSON.
    pub json: String,
    /// In one word; `failed` if a sequence has failed.
    pub outcome: String,
}

/// Does what is asked.
pub fn perform(subject: &Subject<'_>, ask: &Ask, observer: &mut dyn Observer) -> Result<Answer, Error> {
    match ask {
        Ask::Run(run) => run::run(subject, run, observer),
        Ask::Count { length } => Ok(count::count(subject, *length)),
        Ask::Replay(replay) => replay::replay(subject, replay),
    }
}

/// Runs the tests that a campaign asks for, or does with the context what the tool asks for.
#[track_caller]
pub fn run_sequences<C: IntoContext>(site: &TestSite, campaign: Campaign, make: fn() -> C) {
    match std::env::var(REQUEST) {
        Ok(text) => serve(site, campaign, make().into_context(), &text),
        Err(_) => smallscope_runner::sequences::run_sequences(site, campaign, make),
    }
}

/// Not generic, so that it is compiled once.
fn serve(
    site: &TestSite,
    campaign: Campaign,
    context: Result<Context, smallscope_sequences::Error>,
    text: &str,
) {
    std::hint::black_box(site.mark);
    let mut lines = Lines::listen();
    let answer = || {
        let ask = Ask::from_text(text).map_err(Error::Usage)?;
        let context = context.map_err(|error| Error::Usage(format!("the context is wrong: {error}")))?;
        let name = site.harness_name();
        let subject = Subject { name: &name, context: &context, campaign, uses: vec!["super::*".to_owned()] };
        perform(&subject, &ask, &mut lines)
    };
    let event = match answer() {
        Ok(Answer { text, json, outcome }) => Event::Summary { text, json, outcome },
        Err(error) => Event::Error { message: error.to_string(), code: error.exit_code() },
    };
    let _ = lines.send(&event);
}
