//! Answers to questions: what the lazy engine decides where the others read.
//!
//! A question is answered from the constraints, if they are enough. Otherwise it is a *decision*: its alternatives
//! exclude each other and leave nothing out, and the path gets a step for it, like for a slot that is opened. Each
//! alternative is posted to the constraints, so the same question has one answer from then on.
//!
//! The invariant is run again from its beginning after each change of the path, and asks the same questions again.
//! Therefore answers are logged: exactly one for each question, whether it took a decision or not. The log is replayed in
//! order; closing a step of the path removes the answers behind it.
//!
//! A promise rules alternatives out: those that refute the invariant need not be tried. If one alternative is left, it is
//! posted without a step. If none is left that is possible, the answer is the one that refutes.

use crate::constraints::Constraints;
use crate::ids::{Choice, SlotId};
use crate::layout::Layout;
use crate::promise::{NOTHING, Promise, refutes};

/// A decision: a question, and the alternatives that are tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Question {
    pub about: About,
    /// The alternatives that need not be tried, because they refute the invariant.
    pub refuting: u8,
}

impl Question {
    /// Returns the only alternative that needs to be tried, if there is just one.
    pub fn only(self) -> Option<u8> {
        let tried = !u32::from(self.refuting) & ((1 << self.about.count()) - 1);
        (tried.count_ones() == 1).then(|| tried.trailing_zeros() as u8)
    }

    /// Returns the alternatives that neither contradict the constraints nor refute the invariant, as bits.
    pub fn possible(self, constraints: &mut Constraints) -> u32 {
        let (slot, cuts, count) = match self.about {
            About::Interval { slot, cuts, count, .. } => (slot, cuts, count),
            _ => return self.posted(constraints),
        };
        if constraints.has_gaps(slot) {
            return self.posted(constraints);
        }
        // Each choice between the bounds is a part of some solution, so an interval is possible if it meets them.
        let (lo, hi) = constraints.bounds(slot);
        let mut possible = 0;
        for i in 0..usize::from(count) {
            possible |= u32::from(lo.max(cuts[i]) < cuts[i + 1].min(hi + 1)) << i;
        }
        possible &= !u32::from(self.refuting);
        debug_assert_eq!(possible, self.posted(constraints));
        possible
    }

    /// The same by trying each alternative.
    fn posted(self, constraints: &mut Constraints) -> u32 {
        let mut possible = 0;
        for i in (0..self.about.count()).filter(|i| self.refuting >> i & 1 == 0) {
            let mark = constraints.mark();
            possible |= u32::from(self.about.post(constraints, i)) << i;
            constraints.undo_to(mark);
        }
        possible
    }

    /// Returns the next possible alternative of a decision that was taken off the path.
    pub fn next_alternative(self, constraints: &mut Constraints, from: u32) -> Option<u32> {
        let later = self.possible(constraints) >> from << from;
        (later != 0).then(|| later.trailing_zeros())
    }
}

/// What a question is about. Its alternatives are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum About {
    /// In which of these intervals the choice of a slot lies: from `cuts[i]` up to `cuts[i + 1]`. The answer is true in
    /// every other one, beginning with the first or with the second.
    Interval { slot: SlotId, cuts: [u32; 4], count: u8, first: bool },
    /// Whether `a + by < b`, by number of choice: 0 if so, 1 if not.
    Less { a: SlotId, by: i64, b: SlotId },
    /// Whether `a + by` is less than `b` (0), equal (1), or greater (2).
    Order { a: SlotId, by: i64, b: SlotId },
    /// Whether the choice of a slot is less than a number (0), equal (1), or greater (2).
    Around { slot: SlotId, at: i64 },
    /// Whether the choice of a slot belongs to a part of its choices. The first choice of all is in the first alternative,
    /// for which the answer is `first`.
    Part { slot: SlotId, part: u32, first: bool },
}

impl About {
    fn count(self) -> u8 {
        match self {
            About::Interval { count, .. } => count,
            About::Less { .. } | About::Part { .. } => 2,
            About::Order { .. } | About::Around { .. } => 3,
        }
    }

    /// Whether an alternative means yes.
    fn is_true(self, alternative: u8) -> bool {
        match self {
            About::Interval { first, .. } | About::Part { first, .. } => first != (alternative % 2 == 1),
            About::Less { .. } => alternative == 0,
            About::Order { .. } | About::Around { .. } => alternative == 1,
        }
    }

    /// Returns the slots that the question is about, which may be the same.
    pub fn slots(self) -> (SlotId, SlotId) {
        match self {
            About::Interval { slot, .. } | About::Around { slot, .. } | About::Part { slot, .. } => {
                (slot, slot)
            }
            About::Less { a, b, .. } | About::Order { a, b, .. } => (a, b),
        }
    }

    /// Returns the alternatives that refute the invariant, by a promise about yes and no.
    #[inline(always)]
    pub fn refuting(self, promise: Promise) -> u8 {
        if promise == NOTHING {
            return 0;
        }
        let all = (1 << self.count()) - 1;
        let yes = match self {
            About::Interval { first, .. } | About::Part { first, .. } => {
                all & if first { 0b101 } else { 0b010 }
            }
            About::Less { .. } => 0b001,
            About::Order { .. } | About::Around { .. } => 0b010,
        };
        let refuted = if refutes(promise, true) { yes } else { 0 };
        if refutes(promise, false) { refuted | all & !yes } else { refuted }
    }

    /// Returns the alternative that follows from the constraints, if one does.
    pub fn known(self, constraints: &Constraints) -> Option<u8> {
        match self {
            About::Interval { slot, cuts, count, .. } => {
                let (lo, hi) = constraints.bounds(slot);
                (0..count).find(|&i| cuts[i as usize] <= lo && hi < cuts[i as usize + 1])
            }
            About::Less { a, by, b } => constraints.knows(a, by + 1, b).map(|less| u8::from(!less)),
            About::Order { a, by, b } => {
                match (constraints.knows(a, by + 1, b), constraints.knows(b, 1 - by, a)) {
                    (Some(true), _) => Some(0),
                    (_, Some(true)) => Some(2),
                    (Some(false), Some(false)) => Some(1),
                    _ => None,
                }
            }
            About::Around { slot, at } => {
                let (lo, hi) = constraints.bounds(slot);
                if i64::from(hi) < at {
                    Some(0)
                } else if i64::from(lo) > at {
                    Some(2)
                } else {
                    (lo == hi).then_some(1)
                }
            }
            About::Part { slot, part, first } => {
                constraints.knows_part(slot, part).map(|is_in| u8::from(is_in != first))
            }
        }
    }

    /// Adds an alternative to the constraints; false if it contradicts them, and then the caller undoes.
    pub fn post(self, constraints: &mut Constraints, alternative: u8) -> bool {
        match self {
            About::Interval { slot, cuts, .. } => {
                let i = alternative as usize;
                constraints.narrow(slot, cuts[i], cuts[i + 1] - 1)
            }
            About::Less { a, by, b } if alternative == 0 => constraints.post(a, by + 1, b),
            About::Less { a, by, b } => constraints.post(b, -by, a),
            About::Order { a, by, b } => match alternative {
                0 => constraints.post(a, by + 1, b),
                1 => constraints.post(a, by, b) && constraints.post(b, -by, a),
                _ => constraints.post(b, 1 - by, a),
            },
            About::Around { slot, at } => {
                let (lo, hi) = constraints.bounds(slot);
                let (lo, hi) = (i64::from(lo), i64::from(hi));
                let (lo, hi) = match alternative {
                    0 => (lo, hi.min(at - 1)),
                    1 => (lo.max(at), hi.min(at)),
                    _ => (lo.max(at + 1), hi),
                };
                lo <= hi && constraints.narrow(slot, lo as u32, hi as u32)
            }
            About::Part { slot, part, .. } => constraints.keep_part(slot, part, self.is_true(alternative)),
        }
    }
}

/// An answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Answer {
    pub alternative: u8,
    /// Yes or no.
    pub is_true: bool,
}

/// An answer that was given in this run, or in the one before it up to where they differ.
pub(crate) struct Logged {
    /// The slots of the question, to notice if the invariant asks something else the second time.
    slots: (SlotId, SlotId),
    answer: Answer,
    refuting: u8,
}

impl Logged {
    /// Returns the slots of the question, which may be the same.
    pub fn slots(&self) -> (SlotId, SlotId) {
        self.slots
    }

    /// Whether the promise was wrong, given that the candidate is valid.
    fn breaks_promise(&self) -> bool {
        self.refuting >> self.answer.alternative & 1 == 1
    }
}

/// Choices of a slot of which a promise says that they refute the invariant, while promises are checked.
pub(crate) struct Claim {
    /// The length of the path when it was made.
    pub path: usize,
    pub slot: SlotId,
    pub refuted: Vec<Choice>,
}

/// Thrown, without the panic hook, when the invariant does not ask the same questions again.
pub(crate) struct Strayed;

/// The answers up to the current place in a run, and the decided questions.
#[derive(Default)]
pub(crate) struct Answers {
    /// The answers, in the order of the questions.
    pub log: Vec<Logged>,
    /// How many of them the current run has received.
    pub cursor: usize,
    /// The decided questions, in the order of their steps on the path.
    pub questions: Vec<Question>,
    /// Promises rule nothing out, so that they can be checked.
    pub audits: bool,
    /// What promises would have ruled out, if they were not being checked.
    pub claims: Vec<Claim>,
}

impl Answers {
    /// Returns the answer to a question about these slots that an earlier run has asked at the same place, if there is
    /// one.
    #[inline]
    pub fn replay(&mut self, slots: (SlotId, SlotId)) -> Result<Option<Answer>, Strayed> {
        let Some(entry) = self.log.get(self.cursor) else { return Ok(None) };
        if entry.slots != slots {
            return Err(Strayed);
        }
        let answer = entry.answer;
        self.cursor += 1;
        Ok(Some(answer))
    }

    /// Logs an answer.
    pub fn log(&mut self, about: About, alternative: u8, refuting: u8) -> Answer {
        let answer = Answer { alternative, is_true: about.is_true(alternative) };
        self.log.push(Logged { slots: about.slots(), answer, refuting });
        self.cursor = self.log.len();
        answer
    }

    /// Logs an answer that was found in an open slot.
    pub fn log_seen(&mut self, slot: SlotId, is_true: bool, promise: Promise) -> bool {
        let about = About::Interval { slot, cuts: [0; 4], count: 1, first: is_true };
        self.log(about, 0, about.refuting(promise)).is_true
    }

    /// Logs what was known about two slots, on which it depends what is asked next.
    pub fn log_fact(&mut self, slots: (SlotId, SlotId), is_true: bool) -> bool {
        let answer = Answer { alternative: 0, is_true };
        self.log.push(Logged { slots, answer, refuting: 0 });
        self.cursor = self.log.len();
        is_true
    }

    /// Notes what a promise says about choices of a slot.
    pub fn claim(&mut self, path: usize, slot: SlotId, refuted: Vec<Choice>) {
        self.claims.push(Claim { path, slot, refuted });
    }

    /// Removes the answers behind the first `log`, and claims behind a path of this length.
    #[inline]
    pub fn shorten(&mut self, log: u32, path: usize) {
        self.log.truncate(log as usize);
        while self.claims.last().is_some_and(|claim| claim.path > path) {
            self.claims.pop();
        }
    }

    /// Removes all answers.
    pub fn clear(&mut self) {
        self.log.clear();
        self.cursor = 0;
        self.claims.clear();
    }

    /// Whether the current candidate, which is valid, has what a promise rules out.
    pub fn breaks_promise(&self, layout: &Layout) -> bool {
        let is_refuted =
            |claim: &Claim| layout.is_open(claim.slot) && claim.refuted.contains(&layout.choice(claim.slot));
        self.log.iter().any(Logged::breaks_promise) || self.claims.iter().any(is_refuted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: SlotId = SlotId::new(0);
    const B: SlotId = SlotId::new(1);

    /// Two slots with choices 0 to 3.
    fn two() -> Constraints {
        let mut constraints = Constraints::default();
        (0..2).for_each(|_| constraints.add(4));
        constraints.add_part([0b1010].into());
        constraints
    }

    /// Questions of each kind about two slots.
    fn questions() -> Vec<About> {
        let mut all = vec![About::Interval { slot: A, cuts: [0, 1, 3, 4], count: 3, first: true }];
        all.push(About::Part { slot: A, part: 0, first: false });
        for by in -4..=4 {
            all.extend([About::Less { a: A, by, b: B }, About::Order { a: A, by, b: B }]);
            all.push(About::Around { slot: A, at: by });
        }
        all
    }

    /// The alternative that is right for two choices.
    fn alternative(about: About, a: i64, b: i64) -> u8 {
        match about {
            About::Interval { cuts, .. } => {
                cuts[1..].iter().take_while(|&&cut| i64::from(cut) <= a).count() as u8
            }
            About::Less { by, .. } => u8::from(a + by >= b),
            About::Order { by, .. } => ((a + by).cmp(&b) as i8 + 1) as u8,
            About::Around { at, .. } => (a.cmp(&at) as i8 + 1) as u8,
            About::Part { .. } => (a % 2) as u8,
        }
    }

    /// Which pairs of choices are within the bounds after one of them is set: those that constraints allow.
    fn allowed(constraints: &mut Constraints) -> Vec<(i64, i64)> {
        let mut pairs = vec![];
        for a in 0..4 {
            let mark = constraints.mark();
            if constraints.narrow(A, a, a) {
                let (lo, hi) = constraints.bounds(B);
                pairs.extend((lo..=hi).map(|b| (i64::from(a), i64::from(b))));
            }
            constraints.undo_to(mark);
        }
        pairs
    }

    #[test]
    fn an_alternative_leaves_exactly_the_choices_for_which_it_is_right() {
        for about in questions() {
            for i in 0..about.count() {
                let mut constraints = two();
                let right: Vec<(i64, i64)> = (0..4)
                    .flat_map(|a| (0..4).map(move |b| (a, b)))
                    .filter(|&(a, b)| alternative(about, a, b) == i)
                    .collect();
                let posted = about.post(&mut constraints, i);
                assert_eq!(posted, !right.is_empty(), "{about:?} {i}");
                if posted {
                    assert_eq!(allowed(&mut constraints), right, "{about:?} {i}");
                }
            }
        }
    }

    #[test]
    fn what_is_known_is_the_only_possible_alternative() {
        for about in questions() {
            let mut constraints = two();
            let possible = Question { about, refuting: 0 }.possible(&mut constraints);
            if let Some(known) = about.known(&constraints) {
                assert_eq!(possible, 1 << known, "{about:?}");
            }
            for i in (0..about.count()).filter(|i| possible >> i & 1 == 1) {
                let mark = constraints.mark();
                assert!(about.post(&mut constraints, i));
                assert_eq!(about.known(&constraints), Some(i), "{about:?}");
                constraints.undo_to(mark);
            }
        }
    }

    #[test]
    fn alternatives_follow_in_order_without_those_that_refute() {
        let (mut constraints, about) = (two(), About::Order { a: A, by: 0, b: B });
        let question = Question { about, refuting: 0b010 };
        assert_eq!(question.possible(&mut constraints), 0b101);
        assert_eq!(question.next_alternative(&mut constraints, 0), Some(0));
        assert_eq!(question.next_alternative(&mut constraints, 1), Some(2));
        assert_eq!(question.next_alternative(&mut constraints, 3), None);
        assert_eq!(constraints.mark(), 0, "nothing was posted for good");
    }

    #[test]
    fn answers_are_replayed_in_order_and_removed_with_their_step() {
        let mut answers = Answers::default();
        let (less, same) = (About::Less { a: A, by: 0, b: B }, About::Around { slot: A, at: 1 });
        assert!(answers.log(less, 0, 0).is_true && answers.log(same, 1, 0).is_true);
        answers.cursor = 0;
        assert!(matches!(answers.replay((A, B)), Ok(Some(Answer { alternative: 0, is_true: true }))));
        assert!(answers.replay((A, B)).is_err(), "the second question was about one slot");
        assert!(matches!(answers.replay((A, A)), Ok(Some(_))) && matches!(answers.replay((A, A)), Ok(None)));
        answers.claim(2, A, vec![1]);
        answers.shorten(1, 1);
        assert_eq!((answers.log.len(), answers.claims.len()), (1, 0));
    }
}
