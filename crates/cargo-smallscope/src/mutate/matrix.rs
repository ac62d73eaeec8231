//! The matrix of a test: which mutant fails on which value, and how many a part of the values kills.

use super::Judged;
use smallscope_runner::session::{Numbers, OriginalRun, RowRun};
use smallscope_support::random;

/// The reductions whose values are compared, and what they are called. The criterion of the ratios counts decisions of
/// the invariant, as the published tables do. Only types with an `eq_class` have the last one.
pub(crate) const REDUCTIONS: [(&str, &str); 5] = [
    ("cdc ratio 0.1 first", "10 %, by class"),
    ("cdc ratio 0.01 first", "1 %, by class"),
    ("cdc per-class 1 first", "one per class"),
    ("path per-class 1 first", "one per path"),
    ("pruned", "pruned by class"),
];

/// How many random suites of one size are averaged.
pub(crate) const SEEDS: u64 = 20;

/// A mutant on every value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    /// The numbers of the values on which the test fails.
    pub(crate) kills: Numbers,
    /// The number of the last value that was tried.
    pub(crate) tried: u64,
    /// Why there are no more, if there are.
    pub(crate) problem: Option<String>,
}

impl Row {
    pub(crate) fn of_run(RowRun { kills, tried, problem }: RowRun) -> Row {
        Row { kills, tried, problem: Some(problem).filter(|problem| !problem.is_empty()) }
    }
}

/// A part of the values, and how many mutants it kills.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Suite {
    pub(crate) name: String,
    pub(crate) size: u64,
    pub(crate) killed: u64,
    /// How many mutants random values of the same number kill, on average.
    pub(crate) random: Option<f64>,
}

/// The rows of the mutants that were run.
fn rows(judged: &[Judged]) -> impl Iterator<Item = &Row> {
    judged.iter().filter_map(|judged| judged.row.as_ref())
}

/// Compares parts of the values of a run. `kept` has the values of each of [`REDUCTIONS`].
pub(crate) fn suites(
    judged: &[Judged],
    original: &OriginalRun,
    kept: &[Option<Numbers>],
    minimal: &Minimal,
) -> Vec<Suite> {
    let all: Numbers = (1..=original.values).collect();
    let mut suites = vec![("all".to_owned(), all)];
    for ((_, name), numbers) in REDUCTIONS.iter().zip(kept) {
        suites.extend(numbers.clone().map(|numbers| ((*name).to_owned(), numbers)));
    }
    suites.push(("minimal".to_owned(), minimal.numbers.iter().copied().collect()));
    let ranks = ranks(judged, original.values);
    let mut compared = vec![];
    for (name, numbers) in suites {
        let size = numbers.count();
        let killed = rows(judged).filter(|row| row.kills.meets(&numbers)).count() as u64;
        let random = (size < original.values).then(|| {
            let lucky = ranks.iter().flatten().filter(|rank| **rank < size).count();
            lucky as f64 / SEEDS as f64
        });
        compared.push(Suite { name, size, killed, random });
    }
    compared
}

/// For each random order of the values, the place of the first one that kills each mutant.
fn ranks(judged: &[Judged], values: u64) -> Vec<Vec<u64>> {
    let order = |seed: u64| {
        let mut order: Vec<u64> = (0..values).collect();
        order.sort_by_cached_key(|value| random::mix(random::mix(seed) ^ value));
        let mut rank = vec![0; order.len()];
        for (place, value) in order.into_iter().enumerate() {
            rank[value as usize] = place as u64;
        }
        let first = |row: &Row| row.kills.iter().map(|number| rank[number as usize - 1]).min();
        rows(judged).filter_map(first).collect()
    };
    (1..=SEEDS).map(order).collect()
}

/// Values that together kill every mutant that some value kills.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Minimal {
    /// Their numbers, in order.
    pub(crate) numbers: Vec<u64>,
    /// Whether it is proved that no fewer values do.
    pub(crate) is_smallest: bool,
}

/// So many partial choices are tried in search of a smaller set.
const CHOICES: usize = 200_000;
/// With more kinds of values, the set is the one that always takes the value with the most new kills.
const KINDS: usize = 3_000;

/// Which mutants a value kills, and the first such value.
struct Kind {
    kills: Vec<u64>,
    number: u64,
}

impl Kind {
    fn has(&self, mutant: usize) -> bool {
        self.kills[mutant / 64] >> (mutant % 64) & 1 == 1
    }

    fn gain(&self, left: &[u64]) -> u32 {
        self.kills.iter().zip(left).map(|(kills, left)| (kills & left).count_ones()).sum()
    }

    fn is_within(&self, other: &Kind) -> bool {
        self.kills.iter().zip(&other.kills).all(|(own, other)| own & !other == 0)
    }
}

/// Finds few values that kill every mutant that some value kills.
pub(crate) fn minimal(judged: &[Judged]) -> Minimal {
    let rows: Vec<&Row> = rows(judged).filter(|row| row.kills.count() > 0).collect();
    let mut kinds = kinds(&rows);
    let all = full(rows.len());
    if kinds.len() > KINDS {
        return Minimal { numbers: greedy(&kinds, all), is_smallest: false };
    }
    // A value that kills no other mutants than another value is not needed.
    let is_needed = |at: usize| {
        let covers = |(other, kind): (usize, &Kind)| other != at && kinds[at].is_within(kind);
        !kinds.iter().enumerate().any(covers)
    };
    let needed: Vec<bool> = (0..kinds.len()).map(is_needed).collect();
    let mut needed = needed.into_iter();
    kinds.retain(|_| needed.next() == Some(true));
    let mut search = Cover { kinds: &kinds, best: greedy(&kinds, all.clone()), left: CHOICES };
    let is_smallest = search.improve(&mut vec![], all);
    let mut numbers = search.best;
    numbers.sort_unstable();
    Minimal { numbers, is_smallest }
}

fn full(mutants: usize) -> Vec<u64> {
    let mut left = vec![0; mutants.div_ceil(64)];
    (0..mutants).for_each(|mutant| left[mutant / 64] |= 1 << (mutant % 64));
    left
}

/// Groups values by the mutants that they kill, in the order of the first of each group. Each group kills others.
fn kinds(rows: &[&Row]) -> Vec<Kind> {
    // A mutant begins or ceases to be killed at the ends of its ranges.
    let mut changes: Vec<(u64, usize)> = vec![];
    for (mutant, row) in rows.iter().enumerate() {
        changes.extend(
            row.kills.ranges().iter().flat_map(|(first, last)| [(*first, mutant), (last + 1, mutant)]),
        );
    }
    changes.sort_unstable();
    let mut known = std::collections::HashSet::new();
    let (mut kinds, mut now) = (vec![], vec![0; rows.len().div_ceil(64)]);
    for (place, &(number, mutant)) in changes.iter().enumerate() {
        now[mutant / 64] ^= 1 << (mutant % 64);
        let is_complete = changes.get(place + 1).is_none_or(|next| next.0 != number);
        if is_complete && now.iter().any(|bits| *bits != 0) && known.insert(now.clone()) {
            kinds.push(Kind { kills: now.clone(), number });
        }
    }
    kinds
}

/// Takes the value with the most new kills, until every mutant is killed.
fn greedy(kinds: &[Kind], mut left: Vec<u64>) -> Vec<u64> {
    let mut numbers = vec![];
    while left.iter().any(|bits| *bits != 0) {
        let mut best: Option<(&Kind, u32)> = None;
        for kind in kinds {
            let gain = kind.gain(&left);
            if best.is_none_or(|(_, most)| gain > most) {
                best = Some((kind, gain));
            }
        }
        let Some((kind, 1..)) = best else { break };
        left.iter_mut().zip(&kind.kills).for_each(|(left, kills)| *left &= !kills);
        numbers.push(kind.number);
    }
    numbers.sort_unstable();
    numbers
}

/// A search for the smallest set of values.
struct Cover<'a> {
    kinds: &'a [Kind],
    best: Vec<u64>,
    /// How many partial choices may still be tried.
    left: usize,
}

impl Cover<'_> {
    /// Tries to extend a choice to fewer values than the best one. Whether all extensions were considered.
    fn improve(&mut self, chosen: &mut Vec<u64>, left: Vec<u64>) -> bool {
        if left.iter().all(|bits| *bits == 0) {
            if chosen.len() < self.best.len() {
                self.best = chosen.clone();
            }
            return true;
        }
        if chosen.len() + self.at_least(&left) >= self.best.len() {
            return true;
        }
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let Some(rarest) = self.rarest(&left) else { return true };
        let mut killers: Vec<&Kind> = self.kinds.iter().filter(|kind| kind.has(rarest)).collect();
        killers.sort_by_key(|kind| std::cmp::Reverse(kind.gain(&left)));
        let mut is_whole = true;
        for kind in killers {
            let rest = left.iter().zip(&kind.kills).map(|(left, kills)| left & !kills).collect();
            chosen.push(kind.number);
            is_whole &= self.improve(chosen, rest);
            chosen.pop();
        }
        is_whole
    }

    fn mutants(left: &[u64]) -> impl Iterator<Item = usize> + '_ {
        (0..left.len() * 64).filter(|mutant| left[mutant / 64] >> (mutant % 64) & 1 == 1)
    }

    /// The mutant that the fewest values kill.
    fn rarest(&self, left: &[u64]) -> Option<usize> {
        Self::mutants(left).min_by_key(|mutant| self.kinds.iter().filter(|kind| kind.has(*mutant)).count())
    }

    /// How many values are needed at least: no value kills two of these mutants.
    fn at_least(&self, left: &[u64]) -> usize {
        let (mut left, mut count) = (left.to_vec(), 0);
        loop {
            let Some(mutant) = Self::mutants(&left).next() else { return count };
            count += 1;
            for kind in self.kinds.iter().filter(|kind| kind.has(mutant)) {
                left.iter_mut().zip(&kind.kills).for_each(|(left, kills)| *left &= !kills);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate::tests::judged;
    use smallscope_support::random::SplitMix;

    /// The size of the smallest set of values that meets every row, by trying all sets.
    fn brute_force(rows: &[Numbers], values: u64) -> usize {
        let kills = |set: u32| rows.iter().all(|row| row.iter().any(|number| set >> (number - 1) & 1 == 1));
        (0..1u32 << values).filter(|set| kills(*set)).map(|set| set.count_ones() as usize).min().unwrap()
    }

    #[test]
    fn the_minimal_subset_is_as_small_as_any() {
        let mut random = SplitMix::new(5);
        for _ in 0..300 {
            let (values, mutants) = (1 + u64::from(random.below(9)), 1 + random.below(70));
            let mut rows = vec![];
            for _ in 0..mutants {
                let share = 1 + random.below(5);
                let mut row: Numbers = (1..=values).filter(|_| random.below(6) < share).collect();
                if row.count() == 0 {
                    row.push(1 + u64::from(random.below(values as u32)));
                }
                rows.push(row);
            }
            let found = minimal(&rows.iter().map(|row| judged(row.clone())).collect::<Vec<_>>());
            assert!(found.is_smallest);
            let chosen: Numbers = found.numbers.iter().copied().collect();
            assert!(rows.iter().all(|row| row.meets(&chosen)), "{rows:?}: {found:?}");
            assert_eq!(found.numbers.len(), brute_force(&rows, values), "{rows:?}: {found:?}");
        }
    }

    #[test]
    fn suites_count_what_they_kill() {
        let rows = ["1-10", "10", "", "3,5"].map(|text| judged(text.parse().unwrap()));
        let original = OriginalRun { values: 10, ..crate::mutate::tests::original() };
        let kept = ["1", "10", "3,10", "2", ""].map(|text| text.parse().ok().filter(|_| !text.is_empty()));
        let found = minimal(&rows);
        assert_eq!(found, Minimal { numbers: vec![3, 10], is_smallest: true });
        let suites = suites(&rows, &original, &kept, &found);
        let killed: Vec<(u64, u64)> = suites.iter().map(|suite| (suite.size, suite.killed)).collect();
        assert_eq!(killed, [(10, 3), (1, 1), (1, 2), (2, 3), (1, 1), (2, 3)]);
        assert_eq!(suites[0].random, None);
        // A random value kills the first mutant always, the second in one of ten cases, and the last in two.
        let random = suites[1].random.unwrap();
        assert!((1.0..1.8).contains(&random), "{random}");
    }
}
