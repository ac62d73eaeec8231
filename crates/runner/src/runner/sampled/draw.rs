//! Drawing values.
//!
//! If summaries of helpers decide the whole invariant, each value is as likely as every other. If they leave a conjunct open,
//! values that it rejects are drawn again, which keeps that so. If nearly all are rejected, the shape of a value is drawn from
//! the summaries, and the rest of it is searched for. Without summaries, all of it is searched for, by a random descent. The last two
//! are not uniform.

use super::super::failure::{Blame, Origin};
use super::super::plan::Plan;
use super::super::report::{Pass, plural};
use super::super::threads::PassSetup;
use super::super::trial::{Wrong, try_value};
use super::super::{Ended, Runner};
use super::{Sampled, smaller};
use smallscope_core::Summaries;
use smallscope_core::groups::{Natural, Population};
use smallscope_core::{
    AnySearch, Candidate, Disjoint, Failure, Found, Limit, Options, Outcome, Position, Stop,
};
use smallscope_support::panics;
use smallscope_support::random::SplitMix;
use std::ops::ControlFlow;

/// How many objects a value has that is drawn, unless `sample_size` says so.
const SIZE: u32 = 32;

/// So many values in a row may be rejected.
const REJECTED: u32 = 1_000;

/// So many candidates may be tried on the way down.
const CANDIDATES: u64 = 2_000;

/// How values are drawn.
pub(super) enum Source {
    /// From all values that summaries stand for.
    All(Population),
    /// The shape is drawn from these, and the rest is searched for.
    Shapes(Population),
    /// The whole value is searched for, and why.
    Descent(String),
}

/// Random values of one search.
pub(super) struct Samples {
    pub(super) search: AnySearch,
    pub(super) source: Source,
    pub(super) random: SplitMix,
}

/// What came of drawing a value.
pub(super) enum Drawn {
    /// The search is at a valid value.
    Valid,
    /// There is none, or it was not found in time.
    Nothing,
}

/// Runs the test on this many random values.
pub(super) fn run(runner: &mut Runner<'_>, values: u64) -> Result<(), Ended> {
    let plan = runner.plan;
    if let Some(why) = why_not(plan) {
        return Err(Ended::Error(why));
    }
    let wanted = plan.settings.sample_size.unwrap_or(SIZE);
    let seed = plan.settings.seed.unwrap_or(0);
    if runner.report.outcome.stop != Stop::Exhausted {
        let how = format!("none was drawn, because the search was {}", runner.report.outcome.stop);
        runner.report.sampled =
            Some(Sampled { tested: 0, objects: None, is_uniform: false, seed, how, stopped: None });
        return Ok(());
    }
    let layout = layout(runner, wanted);
    let search = layout.lay_out().map_err(|error| {
        Ended::Error(format!(
            "values of size {wanted} cannot be drawn, so give another `sample_size`: {error}"
        ))
    })?;
    let mut samples = Samples::new(search, SplitMix::new(seed));
    let all = samples.population().cloned();
    let objects = all.as_ref().and_then(|all| nearest(&all.sizes(), wanted));
    samples.only(objects);
    let mut sampled =
        Sampled { tested: 0, objects, is_uniform: true, seed, how: String::new(), stopped: None };
    let mut ended = Ok(());
    let pass = Pass::new(None, samples.search.outcome());
    while sampled.tested < values {
        if let ControlFlow::Break(stop) = runner.tick(&pass, &samples.search.outcome()) {
            sampled.stopped = Some(format!("{} of {values}: {stop}", sampled.tested));
            break;
        }
        let wrong = match panics::catch(|| samples.draw()) {
            Ok(Ok(Drawn::Nothing)) => {
                sampled.stopped =
                    Some(format!("no {}value was found", if sampled.tested > 0 { "other " } else { "" }));
                break;
            }
            Ok(Ok(Drawn::Valid)) => {
                sampled.tested += 1;
                match try_value(&mut samples.search, runner.body.case, runner.body.tally) {
                    Ok(()) => continue,
                    Err(wrong) => wrong,
                }
            }
            Ok(Err(failure)) => Wrong::invariant(failure),
            Err(caught) => Wrong::construction(caught),
        };
        runner.report.outcome.stop = Stop::FirstFailure;
        ended = Err(failed(runner, &mut samples, all.as_ref(), (&sampled, values, wanted), &layout, wrong));
        break;
    }
    (sampled.is_uniform, sampled.how) = samples.describe();
    if !matches!(samples.source, Source::All(_)) {
        sampled.objects = None;
    }
    runner.report.sampled = Some(sampled);
    ended
}

/// Reports a failure, or one with fewer objects.
fn failed(
    runner: &mut Runner<'_>,
    samples: &mut Samples,
    all: Option<&Population>,
    (sampled, values, wanted): (&Sampled, u64, u32),
    layout: &PassSetup,
    wrong: Box<Wrong>,
) -> Ended {
    let is_about_value = matches!(wrong.blame, Blame::Test | Blame::Destructor);
    let (wrong, smaller) = match is_about_value {
        true => smaller::find(runner, samples, all, layout, wrong),
        false => (wrong, String::new()),
    };
    let of = sampled
        .objects
        .map_or(String::new(), |objects| format!(" with {}", plural(objects.into(), "object")));
    let note = format!(
        "value {} of {values} that were drawn at random{of} (seed {}){smaller}",
        sampled.tested, sampled.seed
    );
    let position = runner.failures.position_of_sample(&samples.search, wanted, &wrong);
    let origin = Origin::Sampled { number: sampled.tested, note };
    runner.failures.failed(&mut samples.search, *wrong, &position, origin)
}

/// Why a run has no random values, although they are requested.
fn why_not(plan: &Plan) -> Option<String> {
    let settings = &plan.settings;
    if plan.bounds.scope_number().is_none() {
        return Some("`sample` needs bounds with a number that can be larger: give `scope = 4`".into());
    }
    if settings.criterion.is_some() || settings.suite.is_some() || !plan.is_plain() {
        return Some(
            "`sample` draws from all values, and this test runs on some of them: leave `sample` out, or what selects values"
                .into(),
        );
    }
    None
}

/// The search that values of a size are drawn from.
fn layout(runner: &Runner<'_>, size: u32) -> PassSetup {
    let options = Options { summaries: Summaries::On, disjoint: Disjoint::Off, ..runner.plan.options };
    PassSetup { bounds: runner.plan.bounds.with_plain_scope(size), options, ..runner.layout() }
}

/// The number of objects that is nearest to the one that is wanted, if it is not possible itself.
fn nearest(sizes: &[(u32, Natural)], wanted: u32) -> Option<u32> {
    let below = sizes.iter().rev().find(|(objects, _)| *objects <= wanted);
    below.or(sizes.first()).map(|(objects, _)| *objects)
}

impl Samples {
    fn new(mut search: AnySearch, random: SplitMix) -> Samples {
        let planned = panics::catch(|| match search.plan(&mut |_| ControlFlow::Continue(())) {
            Ok(Some(plan)) => plan.population().map_err(str::to_owned),
            Ok(None) => Err("the search cannot be planned".to_owned()),
            Err(failure) => Err(failure.kind.to_string()),
        });
        let source = match planned {
            Ok(Ok(population)) => Source::All(population),
            Ok(Err(why)) => Source::Descent(why),
            Err(caught) => Source::Descent(caught.message),
        };
        Samples { search, source, random }
    }

    /// What values are drawn from, if summaries say so.
    pub(super) fn population(&self) -> Option<&Population> {
        match &self.source {
            Source::All(population) | Source::Shapes(population) => Some(population),
            Source::Descent(_) => None,
        }
    }

    /// Draws only values with so many objects from now on.
    fn only(&mut self, objects: Option<u32>) {
        if let (Source::All(population), Some(objects)) = (&mut self.source, objects) {
            *population = population.of_size(objects);
        }
    }

    /// Whether values are drawn uniformly, and how.
    fn describe(&self) -> (bool, String) {
        match &self.source {
            Source::All(all) if all.residual().is_empty() => {
                (true, format!("each as likely as every other of {}", all.count()))
            }
            Source::All(all) => {
                let residual = all.residual().join("`, `");
                (
                    true,
                    format!(
                        "each as likely as every other; those that `{residual}` rejects were drawn again"
                    ),
                )
            }
            Source::Shapes(all) => {
                let residual = all.residual().join("`, `");
                (
                    false,
                    format!(
                        "not uniform: `{residual}` rejects nearly all, so only shapes are drawn uniformly"
                    ),
                )
            }
            Source::Descent(why) => (false, format!("not uniform: by a random descent, because {why}")),
        }
    }

    /// Goes to a random value.
    pub(super) fn draw(&mut self) -> Result<Drawn, Failure> {
        if let Source::All(all) = &self.source {
            if all.count().to_u64() == Some(0) {
                return Ok(Drawn::Nothing);
            }
            for _ in 0..REJECTED {
                let candidate = all.draw(&mut || self.random.next());
                if go_to(&mut self.search, all, &candidate)? {
                    return Ok(Drawn::Valid);
                }
            }
            self.source = Source::Shapes(all.clone());
        }
        if let Source::Shapes(all) = &self.source {
            let shape = all.draw_shape(&mut || self.random.next());
            self.search.follow_shape(&shape);
        }
        self.descend()
    }

    /// Searches for a value, at random: what is left of the search is cut in two, again and again, and one of the parts is
    /// searched on, until one value is left.
    fn descend(&mut self) -> Result<Drawn, Failure> {
        let search = &mut self.search;
        let before = search.outcome().explored;
        let find = |search: &mut AnySearch, from: &Position, to: &Position| {
            if search.start_at(from).is_err() {
                return Ok(Found::End);
            }
            search.until(to);
            search.find_next(&mut |outcome: &Outcome| match outcome.explored - before < CANDIDATES {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(Stop::LimitReached(Limit::Explored)),
            })
        };
        if find(search, &Position::START, &Position::START)? != Found::Valid {
            return Ok(Drawn::Nothing);
        }
        let (mut path, mut end) = (search.path(), Position::START);
        // The later part is usually the larger one, and how much larger differs.
        let bits = (1 << (1 + self.random.below(3))) - 1;
        while let Some(cut) = search.split() {
            if self.random.next() & bits == 0 {
                end = cut;
                continue;
            }
            match find(search, &cut, &end)? {
                Found::Valid => path = search.path(),
                Found::End => {
                    // All values are in the other part.
                    if find(search, &Position(path.clone()), &cut)? != Found::Valid {
                        break;
                    }
                    end = cut;
                }
                Found::Paused => break,
            }
        }
        search.revisit(&path);
        Ok(Drawn::Valid)
    }
}

/// Goes to a value that summaries stand for. Whether conjuncts that are not part of them accept it.
pub(super) fn go_to(
    search: &mut AnySearch,
    all: &Population,
    candidate: &Candidate,
) -> Result<bool, Failure> {
    let gone = search.go_to(candidate);
    debug_assert!(gone.is_ok(), "smallscope internal error: no value with the choices {candidate}");
    if all.residual().is_empty() { Ok(gone.is_ok()) } else { search.accepts() }
}
