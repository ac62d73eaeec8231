//! The matrix: a mutant on every value, the values that reductions keep, and single values.
//!
//! Values are numbered from 1 in the order in which the test runs on them. A failure is noted, and the run continues, so
//! the numbers are the same for the original and for every mutant.

use super::serve::{run_case, shown};
use super::{
    AtValue, KeptValues, MutantAnswer, MutantValue, Numbers, RowRun, RunRow, WantedSuites, WantedValues,
};
use crate::criteria::{Classifier, Reducer, Reduction, priority};
use crate::runner::trial::discard;
use crate::runner::{Case, TestBody};
use crate::session::error::Error;
use crate::session::serve::Lines;
use crate::{Check, Verdict};
use smallscope_core::{AnySearch, Candidate, Classes, Failure};
use smallscope_support::{mutation, panics};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// The values that a search delivers which prunes by `eq_class`, among [`WantedSuites::reductions`].
const PRUNED: &str = "pruned";

/// How often a row says where it is.
const BEAT: Duration = Duration::from_millis(200);

/// Runs the test on a mutant and every value.
pub(super) fn row(check: &Check, body: &mut TestBody<'_>, request: &RunRow, lines: &mut Lines) {
    mutation::activate(Some(&request.id));
    let mut row = Row {
        case: &mut *body.case,
        request,
        lines,
        number: 0,
        kills: Numbers::default(),
        is_prepared: false,
        beat: Instant::now(),
    };
    let report = run_case(check, body.lay_out, body.show, &mut row);
    let (kills, tried) = (std::mem::take(&mut row.kills), row.number);
    mutation::activate(None);
    mutation::begin_case(u64::MAX);
    let problem = match &report.verdict {
        Verdict::Failed(case) => case.message.clone(),
        Verdict::Error(error) | Verdict::NothingTested(error) => error.clone(),
        Verdict::Passed if report.is_exhaustive() => String::new(),
        Verdict::Passed => report.coverage(),
    };
    lines.tell(&MutantAnswer::Row(RowRun { kills, tried, problem }));
}

/// A test that continues after a failure.
struct Row<'a> {
    case: &'a mut dyn Case,
    request: &'a RunRow,
    lines: &'a mut Lines,
    number: u64,
    kills: Numbers,
    /// Whether the test runs on the current value.
    is_prepared: bool,
    beat: Instant,
}

impl Row<'_> {
    fn tell(&mut self, is_kill: bool) {
        self.lines.tell(&MutantAnswer::At(AtValue { number: self.number, is_kill }));
    }
}

impl Case for Row<'_> {
    fn prepare(&mut self, search: &mut AnySearch) -> Result<(), Failure> {
        self.number += 1;
        self.is_prepared = self.number >= self.request.from;
        if !self.is_prepared {
            return Ok(());
        }
        mutation::begin_case(self.request.step_limit);
        if self.request.tells_values || self.beat.elapsed() > BEAT {
            self.beat = Instant::now();
            self.tell(false);
        }
        self.case.prepare(search)
    }

    fn run(&mut self) -> Result<(), String> {
        if !self.is_prepared {
            return Ok(());
        }
        mutation::begin_case(self.request.step_limit);
        let passes = matches!(panics::catch(|| self.case.run()), Ok(Ok(())));
        if !passes {
            self.kills.push(self.number);
            if self.request.tells_values {
                self.tell(true);
            }
            discard(self.case);
        }
        Ok(())
    }

    fn discard(&mut self) {
        self.case.discard();
    }

    fn has_dropped(&self) -> bool {
        self.case.has_dropped()
    }

    fn clear(&mut self) {
        self.case.clear();
    }
}

/// Says which values reductions keep.
pub(super) fn suites(
    check: &Check,
    body: &mut TestBody<'_>,
    request: &WantedSuites,
    lines: &mut Lines,
) -> Result<(), Error> {
    let mut kept = vec![];
    let is_pruned = |text: &&String| *text == PRUNED;
    for text in request.reductions.iter().filter(|text| !is_pruned(text)) {
        let reduction: Reduction = text.parse().map_err(Error::Usage)?;
        let classifier = Classifier::new(reduction.criterion).map_err(Error::Usage)?;
        kept.push((classifier, Reducer::new(reduction, request.total)));
    }
    let representatives = match request.reductions.iter().any(|text| text == PRUNED) {
        true => pruned(check, body),
        false => None,
    };
    let mut number = 0;
    let (mut taken, mut represent) = (vec![], Numbers::default());
    let mut visit = |search: &mut AnySearch| {
        number += 1;
        if representatives.as_ref().is_some_and(|some| some.contains(&search.candidate())) {
            represent.push(number);
        }
        search.decisions(&mut taken)?;
        for (classifier, reducer) in &mut kept {
            let class = classifier.class(&taken);
            let seed = match reducer.reduction().choice {
                crate::criteria::Choice::Random { seed } => seed,
                crate::criteria::Choice::First => 0,
            };
            reducer.offer(class, || priority(seed, &search.path()), || number, String::new);
        }
        Ok(())
    };
    let report = run_case(check, body.lay_out, body.show, &mut Visited { visit: &mut visit });
    if !report.is_ok() {
        return Err(Error::Usage(report.to_string()));
    }
    if representatives.is_some() {
        let reduction = PRUNED.to_owned();
        lines.tell(&MutantAnswer::Suite(KeptValues { reduction, numbers: represent }));
    }
    let reductions = request.reductions.iter().filter(|text| !is_pruned(text));
    for (text, (_, reducer)) in reductions.zip(kept) {
        let numbers = reducer.finish().kept.into_iter().collect();
        lines.tell(&MutantAnswer::Suite(KeptValues { reduction: text.clone(), numbers }));
    }
    lines.tell(&MutantAnswer::End(()));
    Ok(())
}

/// The candidates that a search delivers which prunes by class. None if the type has no classes.
fn pruned(check: &Check, body: &mut TestBody<'_>) -> Option<HashSet<Candidate>> {
    let mut candidates = HashSet::new();
    let mut visit = |search: &mut AnySearch| {
        candidates.insert(search.candidate());
        Ok(())
    };
    let check = check.clone().classes(Classes::Pruned);
    let report = run_case(&check, body.lay_out, body.show, &mut Visited { visit: &mut visit });
    report.is_ok().then_some(candidates)
}

/// Prints values.
pub(super) fn values(check: &Check, body: &mut TestBody<'_>, request: &WantedValues, lines: &mut Lines) {
    let (mut number, show) = (0, body.show);
    let mut visit = |search: &mut AnySearch| {
        number += 1;
        if request.numbers.contains(number) {
            let arguments = show(search).unwrap_or_default();
            let value = shown(&arguments, || search.graph());
            lines.tell(&MutantAnswer::Value(MutantValue { number, value }));
        }
        Ok(())
    };
    run_case(check, body.lay_out, body.show, &mut Visited { visit: &mut visit });
    lines.tell(&MutantAnswer::End(()));
}

/// Visits every value in place of a test.
struct Visited<'a> {
    visit: &'a mut dyn FnMut(&mut AnySearch) -> Result<(), Failure>,
}

impl Case for Visited<'_> {
    fn prepare(&mut self, search: &mut AnySearch) -> Result<(), Failure> {
        (self.visit)(search)
    }

    fn run(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn discard(&mut self) {}

    fn has_dropped(&self) -> bool {
        false
    }

    fn clear(&mut self) {}
}
