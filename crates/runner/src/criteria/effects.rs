//! Evaluations of `&&` and `||`, reconstructed from the conditions that were reported: which conditions decided alone.
//!
//! A condition is reported after it is evaluated, so everything inside it is reported before it; in a recursive
//! function that can be whole evaluations of the same expression. Evaluations nest, and a condition belongs to the
//! innermost one that waits for it. An evaluation that is left by `?` or `return` does not end; its conditions decided
//! nothing.

use crate::criteria::sites::{Expression, Jump, Sites};
use smallscope_core::probe::Operand;

/// The open evaluations.
#[derive(Default)]
pub(crate) struct Evaluations {
    open: Vec<Evaluation>,
    /// Vectors to reuse.
    spare: Vec<Vec<Option<bool>>>,
}

struct Evaluation {
    expression: u32,
    /// The condition that comes next.
    next: u32,
    outcomes: Vec<Option<bool>>,
}

impl Evaluations {
    /// Notes that a condition was evaluated. For every evaluation that ends, calls `heard` with its conditions: row,
    /// outcome, and whether the condition decided alone.
    pub fn note(
        &mut self,
        sites: &Sites,
        expression: u32,
        place: u32,
        outcome: bool,
        heard: &mut impl FnMut(u32, bool, bool),
    ) {
        let Expression { jumps, rows, first, .. } = &sites.expressions[expression as usize];
        if *first == Jump::Next(place) {
            let mut outcomes = self.spare.pop().unwrap_or_default();
            outcomes.resize(rows.len(), None);
            self.open.push(Evaluation { expression, next: place, outcomes });
        }
        let waits = |e: &Evaluation| e.expression == expression && e.next == place;
        let Some(depth) = self.open.iter().rposition(waits) else {
            return heard(rows[place as usize], outcome, false);
        };
        while self.open.len() > depth + 1 {
            self.close(sites, None, heard);
        }
        let evaluation = &mut self.open[depth];
        evaluation.outcomes[place as usize] = Some(outcome);
        match jumps[place as usize][usize::from(outcome)] {
            Jump::Next(next) => evaluation.next = next,
            Jump::Done(result) => self.close(sites, Some(result), heard),
            Jump::Lost => self.close(sites, None, heard),
        }
    }

    /// Ends the run.
    pub fn end(&mut self, sites: &Sites, heard: &mut impl FnMut(u32, bool, bool)) {
        while !self.open.is_empty() {
            self.close(sites, None, heard);
        }
    }

    fn close(&mut self, sites: &Sites, result: Option<bool>, heard: &mut impl FnMut(u32, bool, bool)) {
        let Some(Evaluation { expression, mut outcomes, .. }) = self.open.pop() else { return };
        let expression = &sites.expressions[expression as usize];
        for place in 0..outcomes.len() {
            let Some(outcome) = outcomes[place] else { continue };
            outcomes[place] = Some(!outcome);
            let other = value(expression, &outcomes);
            outcomes[place] = Some(outcome);
            heard(expression.rows[place], outcome, result.is_some() && other == result.map(|r| !r));
        }
        outcomes.clear();
        self.spare.push(outcomes);
    }
}

/// Returns the value of an expression, if the known outcomes determine it.
fn value(expression: &Expression, outcomes: &[Option<bool>]) -> Option<bool> {
    let mut stack: Vec<Option<bool>> = vec![];
    let mut conditions = outcomes.iter();
    for operand in expression.tree {
        let value = match operand {
            Operand::Condition(_) => conditions.next().copied().flatten(),
            Operand::Diverges => None,
            Operand::Not => stack.pop().flatten().map(|x| !x),
            Operand::And | Operand::Or => {
                let (right, left) = (stack.pop().flatten(), stack.pop().flatten());
                let decisive = *operand == Operand::Or;
                match (left, right) {
                    _ if left == Some(decisive) || right == Some(decisive) => Some(decisive),
                    (Some(_), Some(_)) => Some(!decisive),
                    _ => None,
                }
            }
        };
        stack.push(value);
    }
    stack.pop().flatten()
}
