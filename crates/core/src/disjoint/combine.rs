//! Combinations by index: one candidate of each part, in lexicographic order, of which none is stored.
//!
//! In a deepening series a pass delivers what no pass before it has delivered. A combination is *old* if all of its
//! candidates are. So the order leaves out the combinations of old candidates only, by counting.

use crate::depth_first::set::ValueSet;

/// The combinations of the candidates of some parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Combinations {
    parts: Vec<Indices>,
    /// For each part, how many combinations there are of what follows it: all of them, and those that are not old.
    all_behind: Vec<u128>,
    new_behind: Vec<u128>,
    count: u128,
}

/// The candidates of one part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indices {
    /// How many there are.
    pub count: u32,
    /// The ones that are not old, in order; none if all are new.
    pub new: Option<Vec<u32>>,
}

impl Indices {
    /// As many candidates, all of them new.
    pub fn all(count: u32) -> Indices {
        Indices { count, new: None }
    }

    fn new_count(&self) -> u32 {
        self.new.as_ref().map_or(self.count, |new| new.len() as u32)
    }

    /// How many of the first ones are new.
    fn new_among(&self, first: u32) -> u32 {
        self.new.as_ref().map_or(first, |new| new.partition_point(|&i| i < first) as u32)
    }

    fn is_new(&self, index: u32) -> bool {
        self.new.as_ref().is_none_or(|new| new.binary_search(&index).is_ok())
    }

    /// The first new one from an index on.
    fn next_new(&self, from: u32) -> Option<u32> {
        match &self.new {
            None => (from < self.count).then_some(from),
            Some(new) => new.get(new.partition_point(|&i| i < from)).copied(),
        }
    }
}

impl Combinations {
    /// None if there are more than a `u128` can count.
    pub fn new(parts: Vec<Indices>) -> Option<Combinations> {
        let (mut all_behind, mut new_behind) = (vec![0; parts.len()], vec![0; parts.len()]);
        // Behind the last part there is the empty combination, which is old.
        let (mut all, mut old) = (1u128, 1u128);
        for (i, part) in parts.iter().enumerate().rev() {
            (all_behind[i], new_behind[i]) = (all, all - old);
            all = all.checked_mul(part.count.into())?;
            old *= u128::from(part.count - part.new_count());
        }
        Some(Combinations { parts, all_behind, new_behind, count: all - old })
    }

    /// How many there are.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// The first one.
    pub fn first(&self) -> Option<Vec<u32>> {
        let mut at = vec![0; self.parts.len()];
        self.fill(&mut at, 0, false).then_some(at)
    }

    /// Goes to the next one; says which part is the first that has changed.
    #[inline]
    pub fn advance(&self, at: &mut [u32]) -> Option<usize> {
        // Nearly always it is the last part that goes on, and all of it is new.
        if let ([.., part], [.., index]) = (&self.parts[..], &mut *at) {
            if part.new.is_none() && *index + 1 < part.count {
                *index += 1;
                return Some(at.len() - 1);
            }
        }
        self.advance_any(at)
    }

    #[cold]
    fn advance_any(&self, at: &mut [u32]) -> Option<usize> {
        for i in (0..at.len()).rev() {
            let is_new = (0..i).any(|j| self.parts[j].is_new(at[j]));
            if let Some(next) = self.next(i, at[i] + 1, is_new) {
                at[i] = next;
                let is_new = is_new || self.parts[i].is_new(next);
                let filled = self.fill(at, i + 1, is_new);
                debug_assert!(filled, "there is a combination behind each index that is taken");
                return Some(i);
            }
        }
        None
    }

    /// The first index of a part, from one on, that belongs to a combination with what is before it.
    fn next(&self, i: usize, from: u32, is_new: bool) -> Option<u32> {
        let (wanted, behind) =
            if is_new { (true, self.all_behind[i]) } else { (self.new_behind[i] > 0, self.all_behind[i]) };
        if behind == 0 {
            None
        } else if wanted {
            (from < self.parts[i].count).then_some(from)
        } else {
            self.parts[i].next_new(from)
        }
    }

    /// Sets the parts from `i` on to the first combination.
    fn fill(&self, at: &mut [u32], i: usize, mut is_new: bool) -> bool {
        for (i, index) in at.iter_mut().enumerate().skip(i) {
            let Some(first) = self.next(i, 0, is_new) else { return false };
            *index = first;
            is_new |= self.parts[i].is_new(first);
        }
        is_new
    }

    /// The combination with a number.
    pub fn get(&self, number: u128) -> Option<Vec<u32>> {
        if number >= self.count {
            return None;
        }
        let (mut at, mut rest, mut is_new) = (vec![], number, false);
        for (i, part) in self.parts.iter().enumerate() {
            // How many combinations begin with an index below this one.
            let before = |index: u32| {
                let new = if is_new { index } else { part.new_among(index) };
                u128::from(new) * self.all_behind[i] + u128::from(index - new) * self.new_behind[i]
            };
            let (mut lo, mut hi) = (0, part.count - 1);
            while lo < hi {
                let middle = lo + (hi - lo).div_ceil(2);
                if before(middle) <= rest { lo = middle } else { hi = middle - 1 }
            }
            rest -= before(lo);
            is_new |= part.is_new(lo);
            at.push(lo);
        }
        Some(at)
    }

    /// How many come before a position: a combination, or the beginning of some. None if there is no such index.
    pub fn number(&self, at: &[u32]) -> Option<u128> {
        if at.len() > self.parts.len() {
            return None;
        }
        let (mut number, mut is_new) = (0, false);
        for (i, (&index, part)) in at.iter().zip(&self.parts).enumerate() {
            if index >= part.count {
                return None;
            }
            let new = if is_new { index } else { part.new_among(index) };
            number += u128::from(new) * self.all_behind[i] + u128::from(index - new) * self.new_behind[i];
            is_new |= part.is_new(index);
        }
        Some(number)
    }
}

/// The combinations as a set of values, with a current one.
pub(crate) struct CombinationSet {
    combinations: Combinations,
    at: Vec<u32>,
    /// The current combination is behind the last one.
    is_over: bool,
}

impl CombinationSet {
    pub fn new(combinations: Combinations) -> CombinationSet {
        let first = combinations.first();
        CombinationSet { is_over: first.is_none(), at: first.unwrap_or_default(), combinations }
    }

    pub fn combinations(&self) -> &Combinations {
        &self.combinations
    }

    /// The index of each part.
    #[inline]
    pub fn at(&self) -> &[u32] {
        &self.at
    }

    /// Whether nothing is left.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Whether this is the first combination.
    pub fn is_first(&self) -> bool {
        self.combinations.first().as_ref() == Some(&self.at)
    }

    /// Moves to the last combination that agrees with this one on its first parts.
    pub fn pass_over(&mut self, first: usize) {
        for (index, part) in self.at.iter_mut().zip(&self.combinations.parts).skip(first) {
            *index = part.count - 1;
        }
    }

    /// Moves to a combination with these indices; false if there is none.
    pub fn go_to(&mut self, at: Vec<u32>) -> bool {
        let exists = at.len() == self.at.len() && self.combinations.number(&at).is_some();
        if exists {
            (self.at, self.is_over) = (at, false);
        }
        exists
    }
}

impl ValueSet for CombinationSet {
    fn len(&self) -> Option<u128> {
        Some(self.combinations.count())
    }

    fn position(&self) -> Option<u128> {
        Some(self.combinations.number(&self.at).unwrap_or(0))
    }

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let changed = if self.is_over { None } else { self.combinations.advance(&mut self.at) };
        self.is_over = changed.is_none();
        changed
    }

    fn nth(&mut self, number: u128) -> bool {
        let at = self.combinations.get(number);
        self.is_over = at.is_none();
        at.map(|at| self.at = at).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every combination, by brute force.
    fn expected(parts: &[Indices]) -> Vec<Vec<u32>> {
        let mut all = vec![(vec![], false)];
        for part in parts {
            all = all
                .into_iter()
                .flat_map(|(at, is_new): (Vec<u32>, bool)| {
                    (0..part.count).map(move |i| ([&at[..], &[i]].concat(), is_new || part.is_new(i)))
                })
                .collect();
        }
        all.into_iter().filter(|(_, is_new)| *is_new).map(|(at, _)| at).collect()
    }

    #[test]
    fn streamed_counted_and_by_number() {
        let mut cases = 0;
        let choices: Vec<Indices> = (0..3u32)
            .flat_map(|count| {
                (0..1u32 << count).map(move |bits| Indices {
                    count,
                    new: Some((0..count).filter(|i| bits >> i & 1 == 1).collect()),
                })
            })
            .chain((0..4).map(Indices::all))
            .collect();
        for a in &choices {
            for b in &choices {
                for c in &choices {
                    let parts = vec![a.clone(), b.clone(), c.clone()];
                    let expected = expected(&parts);
                    let combinations = Combinations::new(parts).unwrap();
                    assert_eq!(combinations.count(), expected.len() as u128);
                    let mut streamed = vec![];
                    let mut at = combinations.first();
                    while let Some(mut now) = at {
                        streamed.push(now.clone());
                        let before = now.clone();
                        at = combinations.advance(&mut now).map(|changed| {
                            assert_eq!(before[..changed], now[..changed]);
                            assert!(before[changed] < now[changed]);
                            now
                        });
                    }
                    assert_eq!(streamed, expected);
                    for (number, at) in (0..).zip(&expected) {
                        assert_eq!(combinations.get(number).as_ref(), Some(at));
                        assert_eq!(combinations.number(at), Some(number));
                    }
                    assert_eq!(combinations.get(expected.len() as u128), None);
                    cases += 1;
                }
            }
        }
        assert_eq!(cases, 11usize.pow(3));
    }

    #[test]
    fn too_many_to_count_is_noticed() {
        assert!(Combinations::new(vec![Indices::all(u32::MAX); 4]).is_some());
        assert!(Combinations::new(vec![Indices::all(u32::MAX); 5]).is_none());
    }

    #[test]
    fn the_set_is_skipped_and_split_by_number() {
        let mut set = CombinationSet::new(Combinations::new(vec![Indices::all(3), Indices::all(4)]).unwrap());
        assert_eq!((set.len(), set.position(), set.split(12)), (Some(12), Some(0), Some(6)));
        assert!(set.nth(10));
        assert_eq!((set.at(), set.split(12)), (&[2, 2][..], Some(11)));
        assert_eq!((set.skip(), set.next()), (Some(1), None));
        assert!(set.is_over());
        assert!(set.go_to(vec![0, 3]) && !set.go_to(vec![3, 0]));
        assert_eq!((set.next(), set.at()), (Some(0), &[1, 0][..]));
    }

    #[test]
    fn an_empty_part_leaves_no_combination() {
        let mut set = CombinationSet::new(Combinations::new(vec![Indices::all(3), Indices::all(0)]).unwrap());
        assert!(set.is_over() && !set.nth(0));
        assert_eq!((set.len(), set.next()), (Some(0), None));
    }
}
