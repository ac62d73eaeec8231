//! A range of the passes of a test: what a shard runs.
//!
//! Recorded failures, edge values and long lengths do not depend on the range: the first shard tries the failures, and one
//! after the passes the rest. Values from all over the bounds are left to ordinary runs.

use super::TestBody;
use super::clusters::Clusters;
use super::failure::{Origin, WithoutOrigin};
use super::failures::Failures;
use super::plan::{Order, Plan};
use super::threads::PassSetup;
use super::trial::{Wrong, find_next, try_value};
use smallscope_core::{AnySearch, Found, Outcome, Position, Stop};
use smallscope_support::panics;
use std::ops::ControlFlow;

/// A test whose passes are run in ranges.
pub(crate) struct Ranged<'a> {
    pub(crate) plan: Plan,
    pub(crate) body: TestBody<'a>,
    /// The passes: the scope, or none for the whole bounds, which is the last one.
    pub(crate) passes: Vec<Option<u32>>,
    /// The long lengths of each field that has some.
    pub(crate) long: Vec<(String, Vec<i128>)>,
}

/// A place in the order of a run: the number of a pass, and a position in its search.
pub(crate) type At<'a> = (u32, &'a Position);

/// The result of a range.
pub(crate) struct Tested {
    /// The number of each pass, and its counts.
    pub(crate) passes: Vec<(u32, Outcome)>,
    pub(crate) end: End,
}

/// How a range ended.
pub(crate) enum End {
    Done,
    Stopped(Stop),
    Failed {
        /// What failed, and for which value.
        text: String,
        /// The command that runs it again.
        command: String,
        /// Its number among the values of its pass in this range; 0 if it is not valid.
        number: u64,
    },
}

impl<'a> Ranged<'a> {
    /// Finds the passes of a test.
    pub(crate) fn new(plan: Plan, body: TestBody<'a>) -> Result<Ranged<'a>, String> {
        let is_smallest = plan.order == Order::Smallest;
        let mut ranged = Ranged { plan, body, passes: vec![], long: vec![] };
        let whole = ranged.setup(None, &[]).lay_out()?;
        ranged.long = whole.long_lengths().to_vec();
        if is_smallest {
            for pass in whole.smaller_passes() {
                // If a domain is empty in a small scope, its values come in a later one.
                if ranged.setup(Some(pass), &[]).lay_out().is_ok() {
                    ranged.passes.push(Some(pass));
                }
            }
        }
        ranged.passes.push(None);
        Ok(ranged)
    }

    fn setup(&self, within: Option<u32>, before: &[Option<u32>]) -> PassSetup {
        let (bounds, options) = (self.plan.bounds.clone(), self.plan.options);
        let covered = before.iter().flatten().copied().collect();
        PassSetup { new: self.body.lay_out, bounds, options, within, covered, trial_runs: None }
    }

    /// Lays out the search of a pass, which leaves out what the passes before have covered.
    pub(crate) fn search(&self, pass: usize) -> Result<AnySearch, String> {
        self.setup_of(pass).lay_out()
    }

    /// Returns how to lay out the search of a pass.
    pub(crate) fn setup_of(&self, pass: usize) -> PassSetup {
        self.setup(self.passes[pass], &self.passes[..pass])
    }

    /// Returns the scope of each pass, as reports name it.
    pub(crate) fn scopes(&self) -> Vec<Option<u32>> {
        let last = self.plan.bounds.scope_number();
        let scope = |pass: &Option<u32>| match pass {
            Some(pass) => last.map(|last| last.min(*pass)),
            None => last.filter(|_| self.plan.order == Order::Smallest),
        };
        self.passes.iter().map(scope).collect()
    }

    /// Runs the test on the values of a range.
    pub(crate) fn run(
        &mut self,
        from: At<'_>,
        to: Option<At<'_>>,
        stop: &dyn Fn() -> Option<Stop>,
    ) -> Result<Tested, String> {
        let mut tested = Tested { passes: vec![], end: End::Done };
        for pass in from.0..self.passes.len() as u32 {
            let end = to.filter(|to| to.0 == pass).map(|to| to.1);
            if to.is_some_and(|to| to.0 < pass) || end.is_some_and(Position::is_start) {
                break;
            }
            let mut search = self.search(pass as usize)?;
            if pass == from.0 && !from.1.is_start() {
                search.start_at(from.1).map_err(|error| error.to_string())?;
            }
            if let Some(end) = end {
                search.until(end);
            }
            let end = self.run_pass(&mut search, self.scopes()[pass as usize], stop);
            tested.passes.push((pass, search.outcome()));
            if !matches!(end, End::Done) {
                tested.end = end;
                break;
            }
        }
        let _ = panics::catch(|| self.body.case.clear());
        Ok(tested)
    }

    /// Runs the test on every value from where the search stands to the end of its range.
    fn run_pass(
        &mut self,
        search: &mut AnySearch,
        scope: Option<u32>,
        stop: &dyn Fn() -> Option<Stop>,
    ) -> End {
        let mut number = 0;
        let wrong = loop {
            let mut tick = |_: &Outcome| stop().map_or(ControlFlow::Continue(()), ControlFlow::Break);
            match find_next(search, &mut tick) {
                Ok(Ok(Found::Valid)) => {
                    number += 1;
                    if let Err(wrong) = try_value(search, self.body.case, self.body.tally) {
                        break wrong;
                    }
                }
                Ok(Ok(Found::End)) => return End::Done,
                Ok(Ok(Found::Paused)) => return End::Stopped(search.outcome().stop),
                Ok(Err(failure)) => {
                    number = 0;
                    break Wrong::invariant(failure);
                }
                Err(caught) => {
                    number = 0;
                    break Wrong::construction(caught);
                }
            }
        };
        let failures = Failures {
            plan: &self.plan,
            show: self.body.show,
            lay_out: self.body.lay_out,
            clusters: Clusters::default(),
        };
        let position = failures.position(search, scope, &wrong);
        let case = failures.describe(search, *wrong, &position, Origin::Search { scope, number });
        let text = WithoutOrigin(&case, self.plan.name()).to_string();
        End::Failed { text, command: case.command, number }
    }
}
