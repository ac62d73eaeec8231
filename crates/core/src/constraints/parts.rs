//! The choices that are left of a variable, where questions are about parts of its choices: those that contain a key, or those
//! with so many.
//!
//! What is left is one bit for each choice. As soon as there are fewer choices than words of bits, it is a list of them. So a
//! question costs no more than a look at each choice that is left, and a search that takes every answer needs a number of steps
//! for each content that grows with the logarithm of the number of contents.

use crate::ids::{Choice, SlotId};

/// Parts of choices, and what is left of the choices of variables.
#[derive(Default)]
pub(super) struct Parts {
    /// Sets of choices that questions are about, one bit for each choice. Nothing is removed from here.
    parts: Vec<Box<[u64]>>,
    /// What was left, one after the other.
    kept: Vec<Kept>,
    /// The bits of those that have bits.
    bits: Vec<u64>,
    /// The choices of those that are lists.
    few: Vec<Choice>,
}

/// What is left of the choices of a variable.
struct Kept {
    var: SlotId,
    /// What was left before, as a number.
    before: Left,
    /// The number of the change on the trail that was made with it.
    trail: u32,
    /// Where the words or choices begin, and how many they are.
    start: usize,
    len: usize,
    is_few: bool,
}

/// The number of what is left of a variable, plus one; 0 if all choices between its bounds are.
pub(super) type Left = u32;

/// The bounds of a variable, and what is left between them.
#[derive(Clone, Copy)]
pub(super) struct Between {
    pub lo: Choice,
    pub hi: Choice,
    pub left: Left,
}

impl Parts {
    /// Adds a part. Returns its number.
    pub fn add(&mut self, choices: Box<[u64]>) -> u32 {
        self.parts.push(choices);
        self.parts.len() as u32 - 1
    }

    /// Whether a choice belongs to a part.
    pub fn contains(&self, part: u32, choice: Choice) -> bool {
        self.parts[part as usize][choice as usize / 64] >> (choice % 64) & 1 == 1
    }

    #[inline]
    pub fn is_unused(&self) -> bool {
        self.kept.is_empty()
    }

    /// Removes what was kept last, if it was kept since a change on the trail. Returns its variable and what was left before.
    pub fn undo(&mut self, mark: u32) -> Option<(SlotId, Left)> {
        let &Kept { var, before, start, is_few, .. } = self.kept.last().filter(|kept| kept.trail >= mark)?;
        if is_few {
            self.few.truncate(start)
        } else {
            self.bits.truncate(start)
        }
        self.kept.pop();
        Some((var, before))
    }

    /// The first choice that is left, from a number on.
    pub fn next(&self, between: Between, from: Choice) -> Option<Choice> {
        let (lo, hi) = (from.max(between.lo), between.hi);
        match self.few(between) {
            _ if lo > hi => None,
            Some(few) => few.get(few.partition_point(|&choice| choice < lo)).copied(),
            None => {
                let between = Between { lo, ..between };
                let is_some = |&i: &usize| self.word(between, i) != 0;
                let i = (lo as usize / 64..=hi as usize / 64).find(is_some)?;
                Some(i as u32 * 64 + self.word(between, i).trailing_zeros())
            }
        }
    }

    /// The last choice that is left, up to a number.
    pub fn last(&self, between: Between, to: Choice) -> Option<Choice> {
        let (lo, hi) = (between.lo, to.min(between.hi));
        match self.few(Between { hi, ..between }) {
            _ if lo > hi => None,
            Some(few) => few.last().copied(),
            None => {
                let between = Between { hi, ..between };
                let is_some = |&i: &usize| self.word(between, i) != 0;
                let i = (lo as usize / 64..=hi as usize / 64).rev().find(is_some)?;
                Some(i as u32 * 64 + 63 - self.word(between, i).leading_zeros())
            }
        }
    }

    /// Whether all choices that are left belong to a part, or none does.
    pub fn knows(&self, between: Between, part: u32) -> Option<bool> {
        let first = self.contains(part, between.lo);
        let is_same = match self.few(between) {
            Some(few) => few.iter().all(|&choice| self.contains(part, choice) == first),
            None => (between.lo as usize / 64..=between.hi as usize / 64)
                .all(|i| self.word(between, i) & self.part_word(part, i, !first) == 0),
        };
        is_same.then_some(first)
    }

    /// Leaves only the choices of a part, or only the others. Returns the number of what is left, which may be nothing.
    pub fn keep(&mut self, var: SlotId, between: Between, (part, is_in): (u32, bool), trail: u32) -> Left {
        let words = self.parts[part as usize].len();
        let (bits, few) = (self.bits.len(), self.few.len());
        if let Some(known) = self.few_range(between) {
            for i in known {
                let choice = self.few[i];
                if self.contains(part, choice) == is_in {
                    self.few.push(choice);
                }
            }
        } else {
            let mut count = 0;
            for i in 0..words {
                let word = self.word(between, i) & self.part_word(part, i, is_in);
                count += word.count_ones() as usize;
                self.bits.push(word);
            }
            if count <= words {
                self.list(bits);
            }
        }
        let is_few = self.bits.len() == bits;
        let (start, len) = if is_few { (few, self.few.len() - few) } else { (bits, words) };
        self.kept.push(Kept { var, before: between.left, trail, start, len, is_few });
        self.kept.len() as u32
    }

    /// Makes a list of the last bits, which begin at a place.
    fn list(&mut self, start: usize) {
        for i in start..self.bits.len() {
            let mut word = self.bits[i];
            while word != 0 {
                self.few.push((i - start) as u32 * 64 + word.trailing_zeros());
                word &= word - 1;
            }
        }
        self.bits.truncate(start);
    }

    /// The choices between the bounds, if there is a list.
    fn few(&self, between: Between) -> Option<&[Choice]> {
        self.few_range(between).map(|range| &self.few[range])
    }

    fn few_range(&self, Between { lo, hi, left }: Between) -> Option<std::ops::Range<usize>> {
        let kept = self.kept.get((left as usize).wrapping_sub(1)).filter(|kept| kept.is_few)?;
        let all = &self.few[kept.start..kept.start + kept.len];
        let first = all.partition_point(|&choice| choice < lo);
        let end = all.partition_point(|&choice| choice <= hi).max(first);
        Some(kept.start + first..kept.start + end)
    }

    /// 64 choices, of which those between the bounds are left that were. There is no list.
    fn word(&self, Between { lo, hi, left }: Between, i: usize) -> u64 {
        let (first, last) = (lo as usize / 64, hi as usize / 64);
        if i < first || i > last {
            return 0;
        }
        let kept = self.kept.get((left as usize).wrapping_sub(1));
        let mut word = kept.map_or(u64::MAX, |kept| self.bits[kept.start + i]);
        if i == first {
            word &= u64::MAX << (lo % 64);
        }
        if i == last {
            word &= u64::MAX >> (63 - hi % 64);
        }
        word
    }

    fn part_word(&self, part: u32, i: usize, is_in: bool) -> u64 {
        let word = self.parts[part as usize][i];
        if is_in { word } else { !word }
    }

    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.bits.is_empty() && self.few.is_empty()
    }
}
