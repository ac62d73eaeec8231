use super::*;

const A: SlotId = SlotId::new(0);
const B: SlotId = SlotId::new(1);
const C: SlotId = SlotId::new(2);

/// Three variables with choices 0 to 4.
fn three() -> Constraints {
    let mut s = Constraints::default();
    (0..3).for_each(|_| s.add(5));
    s
}

/// Three variables with choices 0 to 4 in a chain.
fn chain() -> Constraints {
    let mut s = three();
    assert!(s.post(A, 1, B) && s.post(B, 1, C));
    s
}

fn all_bounds(s: &Constraints) -> Vec<(u32, u32)> {
    [A, B, C].map(|v| s.bounds(v)).to_vec()
}

#[test]
fn a_chain_has_tight_bounds() {
    assert_eq!(all_bounds(&chain()), [(0, 2), (1, 3), (2, 4)]);
}

#[test]
fn what_is_undone_is_as_before() {
    let mut s = chain();
    let (mark, before) = (s.mark(), all_bounds(&s));
    assert!(s.narrow(B, 3, 3));
    assert_eq!(all_bounds(&s), [(0, 2), (3, 3), (4, 4)]);
    assert!(s.post(A, 2, C));
    s.undo_to(mark);
    assert_eq!(all_bounds(&s), before);
    assert_eq!(s.knows(A, 2, C), None);
}

#[test]
fn marks_nest() {
    let mut s = three();
    let (outer, empty) = (s.mark(), all_bounds(&s));
    assert!(s.post(A, 1, B));
    let (inner, one) = (s.mark(), all_bounds(&s));
    assert!(s.narrow(A, 2, 2) && s.post(B, 1, C));
    s.undo_to(inner);
    assert_eq!((all_bounds(&s), s.above(A).len(), s.above(B).len()), (one, 1, 0));
    s.undo_to(outer);
    assert_eq!((all_bounds(&s), s.above(A).len(), s.mark()), (empty, 0, 0));
}

#[test]
fn a_failure_is_undone_too() {
    let mut s = chain();
    let (mark, before) = (s.mark(), all_bounds(&s));
    assert!(!s.narrow(C, 0, 1), "the third is at least 2");
    s.undo_to(mark);
    assert!(!s.post(C, 0, A));
    s.undo_to(mark);
    assert_eq!(all_bounds(&s), before);
    assert!(s.narrow(A, 1, 1), "nothing is left to propagate");
    assert_eq!(all_bounds(&s), [(1, 1), (2, 3), (3, 4)]);
}

#[test]
fn narrowing_propagates_both_ways() {
    let mut s = chain();
    assert!(s.narrow(B, 0, 1));
    assert_eq!(all_bounds(&s), [(0, 0), (1, 1), (2, 4)]);
    let mut s = chain();
    assert!(s.narrow(B, 3, 4));
    assert_eq!(all_bounds(&s), [(0, 2), (3, 3), (4, 4)]);
}

#[test]
fn each_value_within_the_bounds_belongs_to_a_solution() {
    let mut s = chain();
    assert!(s.post(A, 3, C));
    for variable in [A, B, C] {
        let (lo, hi) = s.bounds(variable);
        for value in lo..=hi {
            let mark = s.mark();
            assert!(s.narrow(variable, value, value), "{variable:?} = {value}");
            let [a, b, c] = [A, B, C].map(|v| s.bounds(v).0);
            assert!(a < b && b < c && a + 3 <= c, "the lower bounds are a solution");
            s.undo_to(mark);
        }
    }
}

#[test]
fn a_cycle_fails() {
    let mut s = chain();
    assert!(!s.post(C, -1, A));
    let mut s = chain();
    assert!(s.post(C, -2, A));
    assert_eq!(s.bounds(A), (0, 2));
}

#[test]
fn a_variable_compares_with_itself() {
    let mut s = three();
    assert_eq!((s.knows(A, 0, A), s.knows(A, 1, A)), (Some(true), Some(false)));
    assert!(s.post(A, 0, A) && !s.post(A, 1, A));
}

#[test]
fn earlier_answers_are_known() {
    let s = chain();
    assert_eq!(s.knows(A, 1, B), Some(true));
    assert_eq!(s.knows(A, 0, B), Some(true));
    assert_eq!(s.knows(B, 0, A), Some(false));
    assert_eq!(s.knows(A, 2, B), None);
    // They may be just one apart.
    assert_eq!(s.knows(B, -1, A), None);
    assert_eq!(s.knows(B, 0, B), Some(true));
}

#[test]
fn bounds_tell_what_no_answer_has() {
    let mut s = three();
    assert!(s.narrow(A, 0, 1) && s.narrow(B, 3, 4));
    assert_eq!((s.knows(A, 2, B), s.knows(A, 5, B), s.knows(A, 3, B)), (Some(true), Some(false), None));
}

#[test]
fn parts_leave_choices_between_the_bounds() {
    let mut s = three();
    let (even, small) = (s.add_part([0b10101].into()), s.add_part([0b00011].into()));
    let all = |s: &Constraints| (0..5).filter(|&c| s.next_left(A, c) == Some(c)).collect::<Vec<u32>>();
    let start = s.mark();
    assert_eq!((s.knows_part(A, even), s.has_gaps(A)), (None, false));
    assert!(s.keep_part(A, even, false));
    assert_eq!((all(&s), s.bounds(A), s.knows_part(A, even)), (vec![1, 3], (1, 3), Some(false)));
    let mark = s.mark();
    assert!(s.keep_part(A, small, true));
    assert_eq!((all(&s), s.bounds(A)), (vec![1], (1, 1)));
    s.undo_to(mark);
    assert!(s.narrow(A, 2, 4));
    assert_eq!((all(&s), s.bounds(A), s.knows_part(A, small)), (vec![3], (3, 3), Some(false)));
    s.undo_to(mark);
    assert!(
        !s.keep_part(A, even, true) && {
            s.undo_to(mark);
            !s.narrow(A, 2, 2)
        }
    );
    s.undo_to(mark);
    assert_eq!(all(&s), [1, 3]);
    s.undo_to(start);
    assert_eq!((all(&s), s.has_gaps(A), s.parts.is_empty()), (vec![0, 1, 2, 3, 4], false, true));
}
#[test]
fn many_choices_are_left_as_a_filter_leaves_them() {
    const COUNT: u32 = 1000;
    let mut s = Constraints::default();
    s.add(COUNT);
    // The choices that contain a key are those with a bit; others leave few.
    let tests: [fn(u32) -> bool; 9] = [
        |c| c & 1 == 0,
        |c| c >> 3 & 1 == 1,
        |c| c % 7 != 3,
        |c| c % 5 == 2,
        |c| c.count_ones() > 3,
        |c| c < 600,
        |c| c % 64 > 1,
        |c| c > 63,
        |c| c % 11 == 0,
    ];
    for test in tests {
        let mut bits = vec![0u64; COUNT.div_ceil(64) as usize];
        (0..COUNT).filter(|&c| test(c)).for_each(|c| bits[c as usize / 64] |= 1 << (c % 64));
        s.add_part(bits.into());
    }
    let mut left: Vec<Vec<u32>> = vec![(0..COUNT).collect()];
    let (mut marks, mut seed, mut lists) = (vec![s.mark()], 1u32, 0);
    for _ in 0..3000 {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (part, is_in, last) = (seed >> 8 & 15, seed >> 13 & 1 == 1, left.last().unwrap().clone());
        if part as usize >= tests.len() || last.len() < 2 {
            if marks.len() > 1 {
                left.pop();
                s.undo_to(marks.pop().unwrap());
            }
        } else {
            let next: Vec<u32> = last.iter().copied().filter(|&c| tests[part as usize](c) == is_in).collect();
            let known =
                if next.len() == last.len() { Some(is_in) } else { next.is_empty().then_some(!is_in) };
            assert_eq!(s.knows_part(A, part), known);
            let mark = s.mark();
            assert_eq!(s.keep_part(A, part, is_in), !next.is_empty());
            lists += usize::from(next.len() < 16);
            match next.is_empty() {
                true => s.undo_to(mark),
                false => {
                    marks.push(mark);
                    left.push(next);
                }
            }
        }
        let (expected, at) = (left.last().unwrap(), seed >> 16 & 1023);
        assert_eq!(s.bounds(A), (expected[0], expected[expected.len() - 1]));
        assert_eq!(s.next_left(A, at), expected.iter().copied().find(|&c| c >= at));
        let all = std::iter::successors(s.next_left(A, 0), |&c| s.next_left(A, c + 1));
        assert!(all.eq(expected.iter().copied()));
        let (lo, hi, mark) = (at / 2, at, s.mark());
        let inside: Vec<u32> = expected.iter().copied().filter(|c| (lo..=hi).contains(c)).collect();
        assert_eq!(s.narrow(A, lo, hi), !inside.is_empty());
        if let (Some(&first), Some(&last)) = (inside.first(), inside.last()) {
            assert_eq!(s.bounds(A), (first, last));
        }
        s.undo_to(mark);
    }
    assert!(lists > 100, "{lists} lists");
    s.undo_to(0);
    assert!(s.parts.is_empty());
}
