//! Plans for values, and the suite of all shards.

use super::cut::cut;
use super::expand::LayOutAgain;
use super::merge::{State, collect};
use super::plan::{Place, Plan, binary, check_new, shard_path};
use super::run::load;
use crate::session::error::Error;
use crate::session::files::Provenance;
use crate::session::job::{Job, Limits};
use crate::session::observer::Observer;
use crate::session::request::{ShardMerge, ShardPlan};
use crate::session::subject::Subject;
use crate::session::summary::Summary;
use crate::settings::Settings;
use smallscope_core::{AnySearch, Classes, Position, Stop};
use smallscope_suite::{Header, ShardFile};
use smallscope_support::panics::catch;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Measures a search, and writes a plan that divides it.
pub(crate) fn plan(
    subject: &Subject<'_>,
    request: &ShardPlan,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    check(request)?;
    let mut provenance = Provenance::new(&request.space)?;
    provenance.classes = request.space.settings.classes.unwrap_or_default();
    let search = provenance.whole_search(subject)?;
    let identity = provenance.header(subject, &search).with("kind", "values");
    let identity = identity.with("keep", if request.keep_values { "yes" } else { "no" });
    let with_values = request.keep_values || provenance.classes != Classes::Ignored;
    let limits = Limits::new(&request.space.settings, Duration::ZERO);
    // Each thread has its own copy of the bounds.
    let provenance = Mutex::new(provenance);
    let again = |_: usize| {
        let provenance = provenance.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let _guard = limits.guard_layouts();
        provenance.whole_search(subject)
    };
    write_plan(request, identity, vec![search], with_values, &again, Besides::default(), observer)
}

/// What a test runs besides its passes.
#[derive(Default)]
pub(crate) struct Besides {
    /// The recorded failures, as a plan has them.
    pub records: String,
    /// What is tried after the passes, in words.
    pub after: Option<&'static str>,
}

/// Cuts the passes of a run, and writes the plan.
pub(crate) fn write_plan(
    request: &ShardPlan,
    identity: Header,
    mut passes: Vec<AnySearch>,
    with_values: bool,
    again: &LayOutAgain<'_>,
    besides: Besides,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let bits = passes.last().map_or(0.0, AnySearch::space_bits);
    let identity = identity.with("binary", binary()?).with("space", format!("{bits:.3}"));
    let is_stopped = || observer.is_stopped();
    let threads = (request.space.settings.threads(), again);
    let measured = catch(|| cut(&mut passes, request.parts, with_values, threads, &is_stopped));
    let Some(cut) = measured.unwrap_or_else(|caught| Err(Error::panic(&caught)))? else { return Ok(()) };
    let mut plan = Plan { records: besides.records, ..Plan::new(identity, cut) };
    if besides.after.is_some() {
        plan.starts.push(Place { pass: passes.len() as u32, position: Position::START });
    }
    plan.save(&request.plan)?;
    // The shard after the passes was not measured.
    let parts = plan.parts() - usize::from(besides.after.is_some());
    let shards = if parts == 1 { "1 shard".to_owned() } else { format!("{parts} shards") };
    let fewer = match parts < request.parts {
        true => "; there is not enough to divide for more",
        false => "",
    };
    let text = format!(
        "{}: {shards} of about {:.0} runs of the invariant{} each, measured with {} runs{fewer}{}\n",
        request.plan.display(),
        plan.total / parts as f64,
        if with_values { " and values" } else { "" },
        plan.runs,
        besides.after.map(|what| format!("; one more for {what}")).unwrap_or_default(),
    );
    observer.print(&text).map_err(Error::Output)
}

/// Refuses what a run in shards cannot do.
pub(crate) fn check(request: &ShardPlan) -> Result<(), Error> {
    let settings = &request.space.settings;
    let refused = |option: &str, why: &str| Err(Error::Usage(format!("`{option}` and shards: {why}")));
    if let Some(classes @ (Classes::One | Classes::Pruned)) = settings.classes {
        return refused(
            &format!("--classes {classes}"),
            "which values are skipped depends on all values before them, so use `--classes all`",
        );
    }
    if settings.max.is_some() || settings.from.is_some() || settings.to.is_some() {
        return refused(
            "--max, --from, --to",
            "a plan is about everything within the bounds; leave them out",
        );
    }
    if settings.one_per_path == Some(true) || settings.criterion.is_some() {
        return refused("--one-per-path, --criterion", "shards have all values; leave them out");
    }
    check_new(request.parts, &request.plan, request.force)
}

/// Saves the values of all shards in a suite, which is the same as that of a run on one machine.
pub(crate) fn merge(
    subject: &Subject<'_>,
    request: &ShardMerge,
    observer: &mut dyn Observer,
) -> Result<Summary, Error> {
    let plan = load(&request.plan)?;
    let wrong = |error: String| Error::Suite { path: request.plan.clone(), error };
    let Some(save) = &request.save else {
        return Err(wrong("its shards are of values, and there is no file to save them in".into()));
    };
    if plan.identity.get("keep") != Some("yes") {
        let error =
            "its shards keep no values, so there is nothing to save; make it again with `--keep-values`";
        return Err(wrong(error.into()));
    }
    let collected = collect(&plan, &request.directory, &|| observer.is_stopped())?;
    if let Some(flaw) = collected.flaws.first() {
        return Err(wrong(format!("not all shards are there: {flaw}")));
    }
    if matches!(collected.state, State::Failed { .. }) {
        return Err(wrong("a shard has failed; `shard merge` without `--save` shows the failure".into()));
    }
    let provenance = Provenance::from_header(&request.plan, &plan.identity)?;
    let mut search = provenance.search_again(subject, &request.plan, &plan.identity)?;
    let header = provenance.header(subject, &search);
    let mut job =
        Job::new(subject, provenance, &search, header, Limits::new(&Settings::default(), Duration::ZERO));
    job.create(save, request.force)?;
    let mut path: Vec<u32> = vec![];
    let mut explored = 0;
    for record in &collected.records {
        let file = shard_path(&request.directory, record.number);
        deliver(&file, &mut job, &mut search, &mut path, explored, observer)?;
        explored += record.sums().explored;
    }
    job.tally(explored, collected.sums().valid);
    job.classes = collected.classes();
    job.finish(Stop::Exhausted, None)
}

/// Delivers the values of a shard.
fn deliver(
    file: &Path,
    job: &mut Job<'_>,
    search: &mut AnySearch,
    path: &mut Vec<u32>,
    before: u64,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let shard = ShardFile::load(file).map_err(Error::suite(file))?;
    let Some(mut values) = shard.values(file).map_err(Error::suite(file))? else { return Ok(()) };
    while let Some((kept, new, explored)) = values.next().map_err(Error::suite(file))? {
        path.truncate(kept);
        path.extend_from_slice(new);
        job.valid += 1;
        job.explored = before + explored;
        job.deliver_path(kept, new, path, search, observer)?;
    }
    Ok(())
}
