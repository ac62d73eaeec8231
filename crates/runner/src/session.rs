//! Requests of the tool: generate the values of a structure, save them, resume, show, export and explain.
//!
//! The same code runs in the tool, for the structures of the catalogue, and inside a test binary, for the inputs of a
//! user's tests. A [`Request`] for a [`Subject`] has a [`Summary`] as its result; an [`Observer`] receives output and
//! progress.

mod browse;
mod error;
mod explain;
mod export;
mod files;
#[cfg_attr(not(feature = "filled"), path = "session/no_filled.rs")]
mod filled;
mod job;
mod lengths;
mod mutants;
mod observer;
mod parallel;
mod paths;
mod reduce;
mod request;
mod run;
#[cfg(feature = "sequences")]
pub mod sequences;
mod serve;
pub mod shard;
mod show;
mod subject;
mod summary;
mod table;
#[cfg_attr(not(feature = "summaries"), path = "session/listed_only.rs")]
mod unlisted;
mod wire;

pub use browse::{Next, Queries, browse};
pub use error::Error;
pub use files::{SuiteOrigin, origin};
pub use lengths::have_gaps;
pub use mutants::{
    AtValue, KeptValues, ListedMutant, MutantAnswer, MutantQuery, MutantRun, MutantValue, Numbers,
    OriginalRun, RowRun, RunMutant, RunRow, WantedSuites, WantedValues,
};
pub use observer::{Observer, Progress, Status};
pub use request::{
    Browse, Export, Format, Mutants, Nth, Reduce, Replay, Request, Resume, Run, ShardMerge, ShardPlan,
    ShardRun, Show, Space, Table,
};
#[cfg(feature = "sequences")]
pub(crate) use serve::Lines;
pub use serve::{Answer, EVENT, Event, Print, REQUEST, Refused};
pub(crate) use serve::{request_of_process, serve};
pub use subject::{Open, Subject, TestPlace};
pub use summary::{Saved, Summary};

use crate::settings::Settings;
use job::Limits;
use std::time::Duration;

/// Performs a request.
pub fn perform(
    subject: &Subject<'_>,
    request: &Request,
    observer: &mut dyn Observer,
) -> Result<Option<Summary>, Error> {
    let settings = match request {
        Request::Run(Run { space, .. })
        | Request::Table(Table { run: Run { space, .. }, .. })
        | Request::Size(space)
        | Request::Explain(space)
        | Request::ShardPlan(ShardPlan { space, .. }) => &space.settings,
        Request::Replay(replay) => &replay.space.settings,
        Request::Nth(nth) => &nth.space.settings,
        Request::Browse(browse) => &browse.space.settings,
        Request::Resume(Resume { settings, .. })
        | Request::Reduce(Reduce { settings, .. })
        | Request::Mutants(Mutants { settings, .. })
        | Request::ShardRun(ShardRun { settings, .. }) => settings,
        Request::Show(_) | Request::Export(_) | Request::ShardMerge(_) => &Settings::default(),
    };
    let _guard = Limits::new(settings, Duration::ZERO).guard_layouts();
    match request {
        Request::Run(run) => run::run(subject, run, observer).map(Some),
        Request::Table(request) => table::table(subject, request, observer).map(Some),
        Request::Resume(resume) => run::resume(subject, resume, observer).map(Some),
        Request::Size(space) => explain::size(subject, space, observer).map(|()| None),
        Request::Explain(space) => explain::explain(subject, space, observer).map(|()| None),
        Request::Show(show) => show::show(subject, show, observer).map(|()| None),
        Request::Nth(nth) => unlisted::show(subject, nth, observer).map(|()| None),
        Request::Replay(replay) => show::replay(subject, replay, observer).map(|()| None),
        Request::Export(export) => export::export(subject, export, observer).map(|()| None),
        Request::Reduce(request) => reduce::reduce(subject, request, observer).map(Some),
        Request::Browse(request) => match observer.queries() {
            Some(queries) => browse(subject, request, queries).map(|()| None),
            None => Err(Error::Usage("values are browsed by the page: `cargo smallscope view`".into())),
        },
        Request::Mutants(_) => Err(Error::Usage(
            "mutants are run by a test that is built with the feature `mutate` of smallscope".into(),
        )),
        Request::ShardPlan(request) => shard::plan(subject, request, observer).map(|()| None),
        Request::ShardRun(request) => shard::run(subject, request, observer).map(|()| None),
        Request::ShardMerge(request) => shard::merge(subject, request, observer).map(Some),
    }
}
