//! The side of the test binary, for call sequences: runs a campaign on the original and on mutants.

use super::serve::{listed, watch};
use super::{MutantAnswer, MutantQuery, MutantRun, OriginalRun};
use crate::sequences::{describe, describe_empty, with_variables};
use crate::session::browse::{Next, Queries};
use crate::session::error::Error;
use crate::session::request::Mutants;
use crate::session::sequences::Subject;
use crate::session::serve::Lines;
use crate::settings::Settings;
use smallscope_sequences::{Campaign, Conclusion, Cover, Stop, Watch};
use smallscope_support::mutation;

/// Answers queries until the tool has none.
pub(crate) fn serve(subject: &Subject<'_>, request: &Mutants, lines: &mut Lines) -> Result<(), Error> {
    let name = subject.name;
    if request.suite.is_some() {
        return Err(Error::Usage(format!("a suite has values, and `{name}` is about call sequences")));
    }
    if request.settings.scope.is_some() || request.settings.size.is_some() {
        return Err(Error::Usage(format!(
            "`{name}` is about call sequences, which have a length: give `--length N`"
        )));
    }
    let settings = request.settings.clone().or(Settings::of_process().map_err(Error::Usage)?);
    let settings =
        Settings { threads: Some(1), clusters: Some(false), isolate: Some(false), replay: None, ..settings };
    let campaign = with_variables(&subject.campaign, &settings).map_err(usage)?;
    let campaign = Campaign { mixes: false, cover: Cover::Nothing, ..campaign };
    watch(lines);
    loop {
        let Next::Query(line) = lines.next(true) else { return Ok(()) };
        match MutantQuery::from_line(&line).map_err(Error::version)? {
            MutantQuery::Original(()) => original(subject, &campaign, lines)?,
            MutantQuery::Mutant(request) => {
                mutation::activate(Some(&request.id));
                mutation::begin_case(request.step_limit);
                let found = campaign.run(&subject.context, &Watch::default());
                mutation::begin_case(u64::MAX);
                mutation::activate(None);
                lines.tell(&MutantAnswer::Mutant(of_mutant(subject, found)));
            }
            MutantQuery::Row(_) | MutantQuery::Suites(_) | MutantQuery::Values(_) => {
                return Err(Error::Usage(format!("`{name}` is about call sequences, which have no matrix")));
            }
        }
    }
}

fn original(subject: &Subject<'_>, campaign: &Campaign, lines: &mut Lines) -> Result<(), Error> {
    mutation::record();
    mutation::begin_case(u64::MAX);
    let found = campaign.run(&subject.context, &Watch::default());
    let steps = mutation::begin_case(u64::MAX);
    mutation::activate(None);
    let found = found.map_err(usage)?;
    for known in mutation::mutants().into_iter().filter(|known| known.is_suitable) {
        lines.tell(&MutantAnswer::Listed(listed(known)));
    }
    let report = match found.why_empty(&subject.context) {
        Some(why) => describe_empty(subject.name, &found, &why),
        None if found.clusters().is_empty() => String::new(),
        None => describe(subject.name, &subject.context, &found, |_| None),
    };
    lines.tell(&MutantAnswer::Original(OriginalRun {
        is_ok: report.is_empty(),
        report,
        is_exhaustive: is_exhaustive(&found),
        coverage: found.covered(),
        bound: match campaign.length {
            Some(length) => format!("length {length}"),
            None => "the bounds of the test".to_owned(),
        },
        tested: found.counts().calls,
        steps,
        values: 0,
        sparse: 0,
        passes: vec![],
        reached: vec![],
    }));
    Ok(())
}

fn is_exhaustive(found: &Conclusion) -> bool {
    found.stop() == Stop::Exhausted
}

fn of_mutant(subject: &Subject<'_>, found: Result<Conclusion, smallscope_sequences::Error>) -> MutantRun {
    let mut run = MutantRun {
        is_killed: true,
        is_exhaustive: false,
        coverage: String::new(),
        tested: 0,
        scope: String::new(),
        failure: String::new(),
        value: String::new(),
        replay: String::new(),
        rust: String::new(),
    };
    let found = match found {
        Ok(found) => found,
        // The campaign runs on the original, so the mutant is what it cannot run on.
        Err(error) => {
            run.failure = error.to_string();
            return run;
        }
    };
    run.is_exhaustive = is_exhaustive(&found);
    run.coverage = found.covered();
    run.tested = found.counts().calls;
    match found.clusters().first() {
        Some(cluster) => {
            let failure = &cluster.first;
            run.failure = failure.fault.to_string();
            run.value.clone_from(&failure.source);
            run.replay = failure.shrunk.to_line(&subject.context);
            run.rust = format!("{failure}\n");
        }
        None => run.is_killed = found.why_empty(&subject.context).is_some(),
    }
    run
}

fn usage(error: smallscope_sequences::Error) -> Error {
    Error::Usage(error.to_string())
}
