//! Requests for a context: run call sequences, count them, replay one.
//!
//! As with values, the same code runs in the tool, for the subjects that come with it, and inside a test binary, for a
//! user's `#[smallscope::sequences]`.

mod ask;
mod count;
mod replay;
mod run;
mod save;
mod shards;
mod states;

pub use ask::{Ask, BrowseStates, Count, Divide, Merge, ReplayFile, ReplayTest, Run};

use crate::attribute::TestSite;
use crate::session::error::Error;
use crate::session::observer::Observer;
use crate::session::serve::{Answer, Event, Lines};
use smallscope_sequences::{Campaign, Context};
use std::sync::Arc;

/// A context with its name and its default campaign.
pub struct Subject<'s> {
    /// The name.
    pub name: &'s str,
    /// The context.
    pub context: Arc<Context>,
    /// What to run if the request does not say it.
    pub campaign: Campaign,
    /// The imports of tests in Rust.
    pub uses: Vec<String>,
}

/// Performs a request.
pub fn perform(subject: &Subject<'_>, ask: &Ask, observer: &mut dyn Observer) -> Result<Answer, Error> {
    match ask {
        Ask::Run(run) => run::run(subject, run, observer),
        Ask::Count(count) => Ok(count::count(subject, count.settings.length)),
        Ask::Replay(replay) => replay::replay(subject, &replay.sequence),
        Ask::ReplayFile(replay) => replay::replay_file(subject, &replay.file),
        Ask::Browse(request) => match observer.queries() {
            Some(queries) => states::browse(subject, request, queries),
            None => Err(Error::Usage("states are browsed by the page: `cargo smallscope view`".into())),
        },
        Ask::ShardPlan(_) | Ask::ShardRun(_) | Ask::ShardMerge(_) => {
            Err(Error::Usage("shards of call sequences are for tests of a crate".into()))
        }
    }
}

/// Performs a request of the tool with the context of a test.
pub(crate) fn serve(
    site: &TestSite,
    campaign: Campaign,
    context: Result<Context, smallscope_sequences::Error>,
    text: &str,
) {
    let mut lines = Lines::listen();
    let answer = || {
        #[cfg(feature = "mutate")]
        let mutants = match crate::session::Request::from_line(text) {
            Ok(crate::session::Request::Mutants(request)) => Some(request),
            _ => None,
        };
        #[cfg(not(feature = "mutate"))]
        let mutants: Option<()> = None;
        let ask = match mutants {
            Some(_) => None,
            None => Some(Ask::from_line(text).map_err(Error::version)?),
        };
        let context = context.map_err(|error| Error::Usage(format!("the context is wrong: {error}")))?;
        let name = site.harness_name();
        let context = Arc::new(context);
        let subject = Subject { name: &name, context, campaign, uses: vec!["super::*".to_owned()] };
        let Some(ask) = ask else {
            #[cfg(feature = "mutate")]
            if let Some(request) = &mutants {
                crate::session::mutants::calls::serve(&subject, request, &mut lines)?;
            }
            return Ok(None);
        };
        match &ask {
            Ask::ShardPlan(request) => shards::plan(site, &subject, request, &mut lines).map(|()| None),
            Ask::ShardRun(request) => shards::run(site, &subject, request, &mut lines).map(|()| None),
            Ask::ShardMerge(request) => shards::merge(site, &subject, request, &mut lines).map(Some),
            ask => perform(&subject, ask, &mut lines).map(Some),
        }
    };
    let event = match answer() {
        Ok(Some(answer)) => Event::Answer(answer),
        Ok(None) => Event::Done(()),
        Err(error) => Event::from(&error),
    };
    let _ = lines.send(&event);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::observer::{Observer, Progress};
    use smallscope_sequences::{Pool, by_mut, nothing};
    use std::time::Duration;

    struct Deaf;

    impl Observer for Deaf {
        fn print(&mut self, _: &str) -> std::io::Result<()> {
            Ok(())
        }
        fn progress(&mut self, _: &Progress) {}
        fn is_stopped(&self) -> bool {
            false
        }
    }

    /// A counter whose `wait` does not return after one step.
    fn waiting(limit: Duration) -> Subject<'static> {
        let context = Context::builder()
            .pool(Pool::empty(1).and(0u8).named("n").cloned().hashed().written_by(u8::to_string))
            .method("add", (by_mut::<u8>(),), nothing(), |(n,)| *n += 1)
            .method("wait", (by_mut::<u8>(),), nothing(), |(n,)| {
                while std::hint::black_box(*n) == 1 {
                    std::thread::sleep(Duration::from_millis(1));
                }
            })
            .build();
        let campaign = Campaign { length: Some(3), call_limit: Some(limit), ..Campaign::default() };
        Subject { name: "waiting", context: Arc::new(context.unwrap()), campaign, uses: vec![] }
    }

    #[test]
    fn calls_that_do_not_return_are_given_up() {
        let subject = waiting(Duration::from_millis(300));
        let answer = perform(&subject, &Ask::Run(Run::default()), &mut Deaf).unwrap();
        assert_eq!(answer.outcome, "failed");
        assert!(answer.text.contains("n.wait();\n    // does not return"), "{}", answer.text);
        assert!(answer.json.contains("\"sequence\":\"n[0].add(); n[0].wait()\""), "{}", answer.json);

        let sequence = "n[0].add(); n[0].wait(); n[0].add()".to_owned();
        let answer = perform(&subject, &Ask::Replay(ReplayTest { sequence }), &mut Deaf).unwrap();
        assert_eq!(answer.outcome, "failed");
        let expected = "fails after 1 of 3 calls: does not return: it was given up after 300ms";
        assert!(answer.text.ends_with(expected), "{}", answer.text);
    }
}
