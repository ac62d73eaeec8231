//! A relation between numbered things, and whether it is transitive.

/// A relation as bits, by row and by column.
#[derive(Default)]
pub(super) struct Relation {
    /// Bit `j` of row `i`: `i` is related to `j`.
    rows: Vec<Vec<u64>>,
    /// Bit `i` of column `j`: `i` is related to `j`.
    columns: Vec<Vec<u64>>,
}

impl Relation {
    /// Notes that `i` is related to `j`.
    #[inline]
    pub(super) fn add(&mut self, i: usize, j: usize) {
        set(&mut self.rows, i, j);
        set(&mut self.columns, j, i);
    }

    /// Three things, the last of them among them, of which the first is related to the second and the second to the third,
    /// but the first is not related to the third.
    #[inline]
    pub(super) fn gap(&self, last: usize) -> Option<[usize; 3]> {
        let empty = vec![];
        let row = |i: usize| self.rows.get(i).unwrap_or(&empty);
        let column = |i: usize| self.columns.get(i).unwrap_or(&empty);
        for i in 0..=last {
            if has(column(last), i) {
                // In the middle, and at the end.
                if let Some(j) = first_without(row(last), row(i)) {
                    return Some([i, last, j]);
                }
                if let Some(j) = first_without(column(i), column(last)) {
                    return Some([j, i, last]);
                }
            }
            let after = if has(row(last), i) { first_without(row(i), row(last)) } else { None };
            if let Some(j) = after {
                return Some([last, i, j]);
            }
        }
        None
    }
}

#[inline]
fn set(lines: &mut Vec<Vec<u64>>, line: usize, bit: usize) {
    if lines.len() <= line {
        lines.resize(line + 1, vec![]);
    }
    let words = &mut lines[line];
    if words.len() <= bit / 64 {
        words.resize(bit / 64 + 1, 0);
    }
    words[bit / 64] |= 1 << (bit % 64);
}

#[inline]
fn has(words: &[u64], bit: usize) -> bool {
    words.get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
}

/// The first bit of the one that the other does not have.
#[inline]
fn first_without(words: &[u64], other: &[u64]) -> Option<usize> {
    for (i, word) in words.iter().enumerate() {
        let left = word & !other.get(i).copied().unwrap_or(0);
        if left != 0 {
            return Some(64 * i + left.trailing_zeros() as usize);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All relations between four things against the definition, thing by thing.
    #[test]
    fn gaps_are_found_as_the_definition_says() {
        for bits in 0_u32..1 << 16 {
            let is = |i: usize, j: usize| bits >> (4 * i + j) & 1 == 1;
            let mut relation = Relation::default();
            let mut is_broken = false;
            for last in 0..4 {
                for i in 0..=last {
                    for (a, b) in [(i, last), (last, i)] {
                        if is(a, b) {
                            relation.add(a, b);
                        }
                    }
                }
                let found = relation.gap(last);
                if let Some([a, b, c]) = found {
                    assert!(is(a, b) && is(b, c) && !is(a, c), "{bits:b}: {a} {b} {c}");
                    assert!([a, b, c].contains(&last) && a.max(b).max(c) == last);
                }
                let all =
                    (0..=last).flat_map(|a| (0..=last).flat_map(move |b| (0..=last).map(move |c| [a, b, c])));
                let expected = all.into_iter().any(|[a, b, c]| is(a, b) && is(b, c) && !is(a, c));
                is_broken |= found.is_some();
                assert_eq!(is_broken, expected, "{bits:b} up to {last}");
            }
        }
    }
}
