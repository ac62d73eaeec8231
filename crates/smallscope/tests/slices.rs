//! Slices in invariants: methods, ranges, patterns and arguments. Each case is one invariant on the same two fields. It is
//! searched in audit mode, in which the copy and the invariant agree about every candidate, and its values are counted a
//! second time by plain loops.

#![allow(unused, clippy::all)]

use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, rep_ok};

/// The number of values of a search, and of its candidates.
fn count<T: Bounded>(options: Options) -> (u64, u64) {
    let bounds = Bounds::exact().len("S.v", 0..=3).ints("S.v", 0..=2).ints("S.n", 0..=3);
    let mut search = Search::<T>::new(&bounds, options).unwrap();
    while let Some(value) = search.next_value() {
        drop(value.unwrap());
    }
    (search.outcome().valid, search.outcome().explored)
}

/// All vectors of up to three of the numbers 0 to 2.
fn vectors() -> Vec<Vec<u8>> {
    let mut all = vec![vec![]];
    for len in 1..=3 {
        for code in 0..3u8.pow(len) {
            all.push((0..len).map(|i| code / 3u8.pow(i) % 3).collect());
        }
    }
    all
}

macro_rules! cases {
    ($($name:ident($v:ident, $n:ident) $body:block)*) => { $(
        mod $name {
            use super::*;

            #[derive(Bounded, Debug)]
            pub struct S {
                v: Vec<u8>,
                n: usize,
            }

            #[rep_ok]
            impl S {
                fn rep_ok(&self) -> bool {
                    let ($v, $n) = (&self.v, self.n);
                    $body
                }
            }

            #[test]
            fn agrees() {
                let all = vectors().into_iter().flat_map(|v| (0..=3).map(move |n| S { v: v.clone(), n }));
                let expected = all.filter(|s| s.rep_ok()).count() as u64;
                assert!(expected > 0, "the case accepts something");
                assert_eq!(count::<S>(Options::audited()).0, expected);
                assert_eq!(count::<S>(Options::default()).0, expected);
                assert_eq!(count::<S>(Options::korat()).0, expected);
            }
        }
    )* };
}

cases! {
    ranges(v, n) { n <= v.len() && v[..n].iter().all(|x| *x == 0) && v[n..].iter().all(|x| *x > 0) }
    inclusive_ranges(v, n) { n + 1 < v.len() && v[n..=n + 1] == [1, 2] }
    full_range(v, n) { v[..].len() == n && v[..] == *v }
    get_ranges(v, n) { v.get(n..).is_some_and(|rest| rest.first() == Some(&1)) }
    get_one(v, n) { v.get(n) == Some(&2) }
    first_and_last(v, n) { v.first() == v.last() && v.len() == n }
    ends_unwrapped(v, n) {
        v.len() > 1 && *v.first().unwrap() < *v.last().unwrap() && n == usize::from(*v.last().expect("some"))
    }
    windows(v, n) { v.len() == n && v.windows(2).all(|w| w[0] < w[1]) }
    windows_in_a_loop(v, n) {
        for w in v.windows(2) {
            if w[0] >= w[1] {
                return false;
            }
        }
        n == 0
    }
    windows_reversed(v, n) { n == 1 && v.windows(2).rev().all(|w| w[0] != w[1]) }
    windows_at(v, n) { v.windows(2).nth(n).is_some_and(|w| w[0] == w[1]) }
    chunks(v, n) { n > 0 && v.chunks(n).all(|c| c.iter().max() == c.first()) }
    chunks_exact(v, n) { n > 0 && v.chunks_exact(n).len() == 1 }
    rchunks(v, n) { n > 0 && v.rchunks(n).all(|c| c[0] == 0) }
    chunk_by(v, n) { v.chunk_by(|a, b| a == b).count() == n }
    split_on(v, n) { v.split(|x| *x == 0).count() == n }
    sorted(v, n) { n == 0 && v.is_sorted() }
    strictly_sorted(v, n) { n == 0 && v.is_sorted_by(|a, b| a < b) }
    sorted_by_key(v, n) { n == 0 && v.is_sorted_by_key(|x| std::cmp::Reverse(*x)) }
    sorted_elements(v, n) { n == 0 && v.iter().is_sorted() }
    sorted_references(v, n) { n == 0 && v.iter().is_sorted_by(|a, b| a < b) }
    sorted_items(v, n) { n == 0 && v.iter().is_sorted_by(|a, b| *a <= *b && **a + 1 >= **b) }
    sorted_copies(v, n) { n == 0 && v.iter().is_sorted_by(|&&a, &b| a < *b) }
    sorted_by_comparison(v, n) { n == 0 && v.iter().is_sorted_by(|a, b| a.cmp(b).is_lt()) }
    sorted_locals(v, n) {
        let doubled: Vec<u8> = v.iter().map(|x| x * 2).collect();
        n == 0 && doubled.iter().is_sorted_by(|a, b| a < b && **a < 9) && doubled.is_sorted_by(|a, b| a < b)
    }
    split_first(v, n) { v.split_first().is_some_and(|(x, rest)| usize::from(*x) == n && rest.contains(x)) }
    split_last(v, n) { v.split_last().is_some_and(|(x, rest)| usize::from(*x) == n && rest.is_empty()) }
    split_at(v, n) {
        if n > v.len() {
            return false;
        }
        let (left, right) = v.split_at(n);
        left.len() < right.len() && left.iter().all(|x| right.contains(x))
    }
    contains(v, n) { v.contains(&2) && !v.contains(&1) && n == 0 }
    starts_with(v, n) { v.starts_with(&[1, 2]) && n == 0 }
    starts_with_a_vector(v, n) { v.starts_with(&vec![0; n]) }
    ends_with(v, n) { n <= v.len() && v.ends_with(&v[..n]) }
    binary_search(v, n) { v.is_sorted() && v.binary_search(&1) == Ok(n) }
    binary_search_by(v, n) { v.is_sorted() && v.binary_search_by(|x| x.cmp(&1)).is_err() && n == 0 }
    partition_point(v, n) { v.is_sorted() && v.partition_point(|x| *x < 2) == n }
    to_vec(v, n) {
        let mut sorted = v.to_vec();
        sorted.sort();
        n == 0 && sorted == *v
    }
    cloned(v, n) {
        let mut copy = v.clone();
        copy.dedup();
        copy.len() == n && *v == copy
    }
    foreign_slice(v, n) { n == 0 && std::str::from_utf8(v).is_ok_and(|text| text.len() == 2) }
    joined(v, n) { n == 0 && v.repeat(2).len() == 4 }
    pattern(v, n) { n == 0 && matches!(v.as_slice(), [a, b] if a < b) }
    pattern_with_values(v, n) {
        match &v[..] {
            [] => n == 0,
            [0] => n == 1,
            [1 | 2, .., 0] => n == 2,
            [first, .., last] => first == last && n == 3,
            [_] => false,
        }
    }
    pattern_with_rest(v, n) {
        match v.as_slice() {
            [first, rest @ ..] => rest.iter().all(|x| first <= x) && rest.len() == n,
            [] => true,
        }
    }
    pattern_by_value(v, n) {
        let &[a, b] = &v[..] else { return false };
        usize::from(a + b) == n
    }
    pattern_in_an_option(v, n) {
        if let Some([a, b]) = v.chunks_exact(2).next() {
            return a == b && n == 1;
        }
        n == 0
    }
    patterns_of_two(v, n) {
        match (&v[..n.min(v.len())], &v[n.min(v.len())..]) {
            ([], []) => true,
            ([a], [b, ..]) => a > b,
            _ => false,
        }
    }
    recursion(v, n) {
        fn ok(v: &[u8]) -> bool {
            match v {
                [a, b, ..] => a < b && ok(&v[1..]),
                _ => true,
            }
        }
        ok(v) && v.len() == n
    }
    function_of_slices(v, n) {
        fn same(a: &[u8], b: &[u8]) -> bool {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x == y)
        }
        let mut sorted: Vec<u8> = v.iter().copied().collect();
        sorted.sort();
        same(v, &sorted) && same(&[0, 0], &v[..n.min(v.len())])
    }
    function_returns_slice(v, n) {
        fn tail(v: &[u8]) -> &[u8] {
            if v.is_empty() { v } else { &v[1..] }
        }
        tail(v).len() == n && tail(v).iter().all(|x| *x == 1)
    }
    variable_of_slice_type(v, n) {
        let all: &[u8] = v;
        let known: &[u8] = &[1, 2];
        all.len() == n && all.iter().all(|x| known.contains(x))
    }
    loops(v, n) {
        let mut count = 0;
        for x in v {
            if *x == 2 {
                count += 1;
            }
        }
        for (i, &x) in v.iter().enumerate() {
            if usize::from(x) == i {
                count += 1;
            }
        }
        count == n
    }
    loop_with_previous(v, n) {
        let mut previous = None;
        for &x in v.iter() {
            if previous.is_some_and(|p| p >= x) {
                return false;
            }
            previous = Some(x);
        }
        n == 0
    }
    zipped(v, n) { n == 0 && v.iter().zip(v.iter().skip(1)).all(|(a, b)| a < b) }
    zipped_with_a_slice(v, n) { n == 0 && !v.is_empty() && v.iter().zip(&v[1..]).all(|(a, b)| a < b) }
    zipped_with_numbers(v, n) { n == 0 && v.iter().zip(0u8..).all(|(x, i)| *x == i) }
    zipped_with_a_local(v, n) {
        let limits = vec![1u8, 2, 0];
        n == 0 && v.iter().zip(&limits).all(|(x, limit)| x <= limit)
    }
    chained(v, n) { n <= v.len() && v[n..].iter().chain(v[..n].iter()).any(|x| *x == 1) }
    mapped(v, n) { v.iter().map(|x| usize::from(*x)).sum::<usize>() == n }
    mapped_pairs(v, n) { v.iter().enumerate().map(|(i, x)| i * usize::from(*x)).max() == Some(n) }
    positions(v, n) { v.iter().position(|x| *x == 1) == Some(n) }
    last_position(v, n) { v.iter().rposition(|&x| x == 1) == Some(n) }
    folded(v, n) { v.iter().fold(0, |sum, x| sum + usize::from(*x)) == n }
    compared(v, n) { n <= v.len() && v[..n] < v[n..] }
    printed(v, n) { n == 0 && format!("{:?}", &v[..]).len() == 6 }
    indices_of_locals(v, n) {
        let firsts: Vec<u8> = v.iter().map(|x| x % 2).collect();
        n == 0 && (1..firsts.len()).all(|i| firsts[i - 1] <= firsts[i] && v[i] != firsts[i - 1])
    }
}

mod ends_of_fields {
    use super::*;

    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
        n: usize,
    }

    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            let mut all = vec![];
            self.collect(&mut all);
            let least = self.n;
            !self.v.is_empty()
                && *self.v.first().unwrap() < *self.v.last().unwrap()
                && all.windows(2).all(|w| w[0] < w[1])
                && least < 2
        }

        fn collect(&self, all: &mut Vec<u8>) {
            for &x in &self.v {
                all.push(x);
            }
            for x in self.v.iter() {
                all.push(*x + 3);
            }
        }
    }

    #[test]
    fn agrees() {
        let all = vectors().into_iter().flat_map(|v| (0..=3).map(move |n| S { v: v.clone(), n }));
        let expected = all.filter(|s| s.rep_ok()).count() as u64;
        assert!(expected > 0);
        assert_eq!(count::<S>(Options::audited()).0, expected);
        assert_eq!(count::<S>(Options::default()).0, expected);
        assert_eq!(count::<S>(Options::korat()).0, expected);
    }
}

/// A marked function outside of the block takes the slices of the structure and those of local vectors.
mod marked_function {
    use super::*;
    use smallscope::mirror;

    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
        n: usize,
    }

    #[mirror]
    fn ascending(keys: &[u8]) -> bool {
        keys.windows(2).all(|w| w[0] < w[1])
    }

    #[mirror]
    fn total(mut keys: &[u8], more: &Vec<u8>) -> usize {
        let mut sum = more.len();
        while let [first, rest @ ..] = keys {
            sum += usize::from(*first);
            keys = rest;
        }
        sum
    }

    #[mirror]
    fn first_of(keys: &[u8]) -> Option<&u8> {
        keys.first()
    }

    #[rep_ok(fn ascending, fn total, fn first_of)]
    impl S {
        fn rep_ok(&self) -> bool {
            let mut collected = vec![];
            for x in &self.v {
                collected.push(*x);
            }
            let doubled: Vec<u8> = self.v.iter().map(|x| 2 * x).collect();
            ascending(&collected)
                && ascending(&self.v)
                && ascending(&self.v[..0])
                && ascending(&[1, 2])
                && total(&doubled, &self.v) == 2 * total(&self.v, &vec![]) + self.v.len()
                && first_of(&self.v).is_none_or(|x| usize::from(*x) == self.n)
        }
    }

    #[test]
    fn agrees() {
        let all = vectors().into_iter().flat_map(|v| (0..=3).map(move |n| S { v: v.clone(), n }));
        let expected = all.filter(|s| s.rep_ok()).count() as u64;
        assert!(expected > 0);
        for options in [Options::audited(), Options::default(), Options::korat()] {
            assert_eq!(count::<S>(options).0, expected);
        }
    }
}

/// Local vectors that a marked function compares are not read when they are filled.
mod marked_function_on_collected {
    use super::*;
    use smallscope::mirror;

    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
        n: usize,
    }

    #[mirror]
    fn ascending(keys: &[u8]) -> bool {
        keys.windows(2).all(|w| w[0] < w[1])
    }

    #[rep_ok(fn ascending)]
    impl S {
        fn rep_ok(&self) -> bool {
            let mut keys = vec![];
            for x in &self.v {
                keys.push(*x);
            }
            ascending(&keys)
        }
    }
}

/// Slices are read one element at a time.
#[test]
fn sorted_slices_need_few_candidates() {
    let explored = |(_, explored): (u64, u64)| explored;
    for few in [
        explored(count::<windows::S>(Options::default())),
        explored(count::<strictly_sorted::S>(Options::default())),
        explored(count::<zipped::S>(Options::default())),
        explored(count::<sorted::S>(Options::default())),
        explored(count::<sorted_references::S>(Options::default())),
        explored(count::<marked_function_on_collected::S>(Options::default())),
    ] {
        assert!(few <= 20, "{few}");
    }
    assert!(explored(count::<recursion::S>(Options::default())) <= 40);
}
