//! Computes the class of a value from the decisions of one run of the invariant.

use crate::criteria::criterion::Criterion;
use crate::criteria::effects::Evaluations;
use crate::criteria::sites::{Jump, Role, Sites};
use smallscope_core::probe::{IS_REPORTED, Taken};
use smallscope_support::hash;
use std::collections::HashMap;
use std::fmt;

/// The class of a value: a fingerprint of the decisions that the criterion observes. It is the same in every process,
/// for the same source of the invariant.
///
/// ```
/// use smallscope_runner::criteria::Class;
/// assert_eq!(Class(10).to_string(), "0000000000000000000000000000000a");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Class(pub u128);

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A decision or condition with an outcome, as a criterion observes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Event {
    /// The number of the event.
    pub id: u32,
    pub row: u32,
    pub outcome: u32,
    pub view: View,
    hash: u128,
}

/// How a criterion interprets a row of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum View {
    /// As the decision or condition itself.
    Itself,
    /// As the expression whose first operand it is.
    Expression,
    /// As a condition that decided the expression alone.
    Decisive,
    /// As a condition that did not.
    Indecisive,
}

/// What the criterion observes.
pub(crate) enum Heard {
    Event(Event),
    /// The next input begins.
    Part,
}

/// What to do with a decision that has a given outcome.
#[derive(Debug, Clone, Copy)]
enum Action {
    Nothing,
    Event(Event),
    Part,
    /// An operand. Whether it decides the expression alone is known when the evaluation ends.
    Operand {
        expression: u32,
        place: u32,
    },
}

/// Computes the classes of values.
pub struct Classifier {
    criterion: Criterion,
    pub(crate) sites: Sites,
    /// For each row, the actions for the outcomes 0 and 1.
    actions: Vec<[Action; 2]>,
    /// The numbers of events.
    events: HashMap<(u32, u32, View), u32>,
    /// For each event, the last input in which it occurred.
    seen: Vec<u64>,
    /// The number of inputs so far.
    now: u64,
    evaluations: Evaluations,
}

impl Classifier {
    /// Creates a classifier. Fails if decisions are not reported.
    pub fn new(criterion: Criterion) -> Result<Classifier, String> {
        if !IS_REPORTED {
            return Err(criterion.unreported());
        }
        Ok(Classifier {
            criterion,
            sites: Sites::default(),
            actions: vec![],
            events: HashMap::new(),
            seen: vec![],
            now: 0,
            evaluations: Evaluations::default(),
        })
    }

    /// Returns the criterion.
    pub fn criterion(&self) -> Criterion {
        self.criterion
    }

    /// Returns the class of a value on which the invariant took these decisions.
    pub fn class(&mut self, trace: &[Taken]) -> Class {
        let criterion = self.criterion;
        let (mut inputs, mut input) = (None, 0u128);
        let mut seen = std::mem::take(&mut self.seen);
        let mut now = self.now + 1;
        self.hear(trace, |heard| match heard {
            Heard::Part => {
                inputs = Some(hash::pair(inputs.unwrap_or(0), input));
                input = 0;
                now += 1;
            }
            Heard::Event(event) => {
                let is_new = {
                    if seen.len() <= event.id as usize {
                        seen.resize(event.id as usize + 1, 0);
                    }
                    std::mem::replace(&mut seen[event.id as usize], now) != now
                };
                match criterion {
                    Criterion::Cdc => input = input.wrapping_add(event.hash),
                    Criterion::Path => input = in_order(input, event.hash),
                    Criterion::SimplePath if is_new => input = in_order(input, event.hash),
                    Criterion::Decision | Criterion::Condition | Criterion::Mcdc if is_new => {
                        input = input.wrapping_add(event.hash);
                    }
                    _ => {}
                }
            }
        });
        (self.seen, self.now) = (seen, now);
        let whole = match inputs {
            None => input,
            Some(inputs) => hash::pair(inputs, input),
        };
        Class(hash::pair(hash::text(criterion.name()), whole))
    }

    /// Calls `heard` with everything that the criterion observes, in order.
    #[inline]
    pub(crate) fn hear(&mut self, trace: &[Taken], mut heard: impl FnMut(Heard)) {
        for taken in trace {
            let base = match self.sites.known(taken.table) {
                Some(base) => base,
                None => self.learn(taken),
            };
            let row = base + taken.id;
            let action = match self.actions[row as usize].get(taken.outcome as usize) {
                Some(action) => *action,
                None => self.action(row, taken.outcome),
            };
            match action {
                Action::Nothing => {}
                Action::Event(event) => heard(Heard::Event(event)),
                Action::Part if taken.outcome == 0 => {}
                Action::Part => {
                    self.end_evaluations(&mut heard);
                    heard(Heard::Part);
                }
                Action::Operand { expression, place } => {
                    let mut evaluations = std::mem::take(&mut self.evaluations);
                    let mut made = vec![];
                    let outcome = taken.outcome != 0;
                    evaluations
                        .note(&self.sites, expression, place, outcome, &mut |r, o, m| made.push((r, o, m)));
                    self.evaluations = evaluations;
                    self.conditions(made, &mut heard);
                }
            }
        }
        self.end_evaluations(&mut heard);
    }

    fn end_evaluations(&mut self, heard: &mut impl FnMut(Heard)) {
        let mut evaluations = std::mem::take(&mut self.evaluations);
        let mut made = vec![];
        evaluations.end(&self.sites, &mut |row, outcome, makes| made.push((row, outcome, makes)));
        self.evaluations = evaluations;
        self.conditions(made, heard);
    }

    fn conditions(&mut self, made: Vec<(u32, bool, bool)>, heard: &mut impl FnMut(Heard)) {
        for (row, outcome, makes) in made {
            let view = if makes { View::Decisive } else { View::Indecisive };
            heard(Heard::Event(self.event(row, u32::from(outcome), view)));
        }
    }

    #[cold]
    fn learn(&mut self, taken: &Taken) -> u32 {
        let base = self.sites.add(taken.table);
        for row in base..self.sites.rows.len() as u32 {
            let actions = [self.action(row, 0), self.action(row, 1)];
            self.actions.push(actions);
        }
        base
    }

    fn action(&mut self, row: u32, outcome: u32) -> Action {
        let role = self.sites.rows[row as usize].role;
        let is_about_conditions = matches!(self.criterion, Criterion::Condition | Criterion::Mcdc);
        let itself = if self.criterion == Criterion::Mcdc { View::Decisive } else { View::Itself };
        match role {
            Role::Part => Action::Part,
            Role::Atom => Action::Event(self.event(row, outcome, itself)),
            Role::Whole if is_about_conditions => Action::Nothing,
            Role::Whole => Action::Event(self.event(row, outcome, View::Itself)),
            Role::Loose if is_about_conditions => Action::Event(self.event(row, outcome, itself)),
            Role::Loose => Action::Nothing,
            Role::Operand { expression, place } if self.criterion == Criterion::Mcdc => {
                Action::Operand { expression, place }
            }
            Role::Operand { .. } if is_about_conditions => {
                Action::Event(self.event(row, outcome, View::Itself))
            }
            Role::Operand { expression, place } => {
                let whole = &self.sites.expressions[expression as usize];
                match whole.jumps[place as usize][usize::from(outcome != 0)] {
                    Jump::Done(result) if !whole.is_branch => {
                        let first = whole.rows[0];
                        Action::Event(self.event(first, u32::from(result), View::Expression))
                    }
                    _ => Action::Nothing,
                }
            }
        }
    }

    fn event(&mut self, row: u32, outcome: u32, view: View) -> Event {
        let next = self.events.len() as u32;
        let id = *self.events.entry((row, outcome, view)).or_insert(next);
        let what = u128::from(outcome) << 2 | view as u128;
        let hash = hash::pair(self.sites.rows[row as usize].fingerprint, what);
        Event { id, row, outcome, view, hash }
    }
}

/// Extends the hash of a sequence by one element.
#[inline]
fn in_order(sequence: u128, next: u128) -> u128 {
    (sequence.rotate_left(29) ^ next).wrapping_mul(0xda94_2042_e4dd_58b5_0a5d_2f34_6baa_9455)
}
