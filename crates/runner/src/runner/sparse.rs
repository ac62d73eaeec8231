//! Values from all over the bounds, tried before the search visits all values in order.

use super::failure::Origin;
use super::report::Pass;
use super::threads::PassSetup;
use super::trial::Wrong;
use super::{Ended, Runner};
use smallscope_core::{Found, Spread, Stop};
use smallscope_support::panics;

impl Runner<'_> {
    /// Runs the test on this many values, or fewer if the time is up. A failure is reported at once, though it need not
    /// be the smallest.
    pub(super) fn try_sparse(&mut self, layout: &PassSetup, values: u64) -> Result<(), Ended> {
        let mut search = layout.lay_out().map_err(Ended::Error)?;
        let mut spread = Spread::new();
        let pass = Pass { scope: None, outcome: search.outcome(), tested: 0 };
        while self.report.sparse < values && self.tick(&pass, &search.outcome()).is_continue() {
            let found =
                panics::catch(|| spread.find_next(&mut search, &mut |outcome| self.tick(&pass, outcome)));
            let tried = match found {
                Ok(Ok(Found::Valid)) => {
                    self.report.sparse += 1;
                    self.try_value(&mut search)
                }
                Ok(Ok(Found::End | Found::Paused)) => return Ok(()),
                Ok(Err(failure)) => Err(Wrong::invariant(failure)),
                Err(caught) => Err(Wrong::construction(caught)),
            };
            if let Err(wrong) = tried {
                self.report.outcome.stop = Stop::FirstFailure;
                let position = self.position(&search, None, &wrong);
                let origin = Origin::Sparse { number: self.report.sparse };
                return Err(self.failed(&mut search, *wrong, &position, origin));
            }
        }
        Ok(())
    }
}
