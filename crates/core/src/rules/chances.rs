//! Choosing at random by exact weights.

use super::Natural;
use std::cell::OnceCell;

/// For each rule, the first 64 bits of the share of those before it, once something is drawn from the group.
pub(super) type Chances = OnceCell<Box<[u64]>>;

/// Chooses a rule: the probability of each is its share of the weight.
///
/// A rule is chosen by a random real number between 0 and 1: it is the one whose part of this interval contains the number.
/// The first 64 bits of the number nearly always decide that. If not, more are drawn until they do, so the probabilities are
/// exact.
pub(super) fn choose(
    chances: &Chances,
    weights: &dyn Fn() -> Vec<Natural>,
    total: &Natural,
    random: &mut dyn FnMut() -> u64,
) -> usize {
    let chances = chances.get_or_init(|| {
        let chance = |(before, _): &(Natural, bool)| before.to_u64().unwrap_or(u64::MAX);
        starts(&weights(), total, 2).iter().map(chance).collect()
    });
    if chances.len() == 1 {
        return 0;
    }
    let first = random();
    let chosen = chances.partition_point(|start| *start <= first) - 1;
    if chances[chosen] < first {
        return chosen;
    }
    // The number may be on either side of where the part begins.
    let mut number = Natural::from(first);
    for digits in (2..).step_by(2) {
        let starts = starts(&weights(), total, digits);
        let chosen = starts.partition_point(|(start, _)| *start <= number) - 1;
        let (start, is_exact) = &starts[chosen];
        if *is_exact || *start < number {
            return chosen;
        }
        number = number.shifted(2);
        number.add(&Natural::from(random()));
    }
    unreachable!("random bits have no end")
}

/// The first digits of the share of the rules before each, and whether these are all digits.
fn starts(weights: &[Natural], total: &Natural, digits: usize) -> Vec<(Natural, bool)> {
    let (mut starts, mut before) = (vec![], Natural::ZERO);
    for weight in weights {
        let (start, rest) = before.shifted(digits).divide(total);
        starts.push((start, rest.is_zero()));
        before.add(weight);
    }
    starts
}

/// A number below a bound, each as likely as every other.
pub(super) fn below(bound: u32, random: &mut dyn FnMut() -> u64) -> u32 {
    let bound = u64::from(bound);
    // Numbers in the incomplete part at the end would make the first ones more likely.
    let end = u64::MAX - u64::MAX % bound;
    loop {
        let number = random();
        if number < end {
            return (number % bound) as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_bits_are_drawn_where_the_first_ones_do_not_decide() {
        let weights = || [1, 1, 1].map(Natural::from).to_vec();
        let third = u64::MAX / 3;
        let chosen = |bits: &[u64]| {
            let mut bits = bits.iter();
            let chosen = choose(&OnceCell::new(), &weights, &Natural::from(3), &mut || {
                *bits.next().expect("enough bits")
            });
            assert_eq!(bits.len(), 0, "all bits are used");
            chosen
        };
        assert_eq!([0, 1, third - 1].map(|bits| chosen(&[bits])), [0, 0, 0]);
        assert_eq!(
            [third + 1, 2 * third - 1, 2 * third + 1, u64::MAX].map(|bits| chosen(&[bits])),
            [1, 1, 2, 2]
        );
        // All digits of a third are the same.
        assert_eq!(chosen(&[third, third - 1]), 0);
        assert_eq!(chosen(&[third, third + 1]), 1);
        assert_eq!(chosen(&[third, third, third, third - 1]), 0);
        assert_eq!(chosen(&[2 * third, 2 * third, 2 * third + 1]), 2);
        // A part that begins at a number with few digits needs no more.
        let halves = || [1, 1].map(Natural::from).to_vec();
        assert_eq!(choose(&OnceCell::new(), &halves, &Natural::from(2), &mut || 1 << 63), 1);
    }
}
