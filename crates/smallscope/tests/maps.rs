//! Maps of plain data in invariants: methods, loops, comparisons and arguments. Each case is one invariant on the same
//! fields. It is searched in audit mode, in which the copy and the invariant agree about every candidate; its values are
//! different from each other, and counted a second time by plain loops.

#![allow(unused, clippy::all)]

use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, Key, rep_ok};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The values of a search as texts, in order.
fn texts<T: Bounded + std::fmt::Debug>(bounds: &Bounds, options: Options) -> Vec<String> {
    let mut search = Search::<T>::new(bounds, options).unwrap();
    let mut texts = vec![];
    while let Some(value) = search.next_value() {
        texts.push(format!("{:?}", value.unwrap()));
    }
    texts.sort();
    texts
}

/// All maps from up to three of the numbers 0 to 2 to these.
fn maps() -> Vec<BTreeMap<u8, u8>> {
    let entry = |code: u32, key: u8| (code / 4u32.pow(u32::from(key)) % 4) as u8;
    let map = |code: u32| (0..3).map(move |k| (k, entry(code, k))).filter(|(_, v)| *v < 3).collect();
    (0..64).map(map).collect()
}

fn sum_of(m: &BTreeMap<u8, u8>) -> u8 {
    m.values().sum()
}

macro_rules! cases {
    ($($name:ident($s:ident) $body:block)*) => { $(
        mod $name {
            use super::*;

            #[derive(Bounded, Debug)]
            pub struct S {
                m: BTreeMap<u8, u8>,
                h: BTreeMap<u8, u8>,
                n: usize,
            }

            #[rep_ok]
            impl S {
                fn rep_ok(&self) -> bool {
                    let $s = self;
                    $body
                }

                fn map(&self) -> &BTreeMap<u8, u8> {
                    &self.m
                }

                fn inverse(a: &BTreeMap<u8, u8>, b: &BTreeMap<u8, u8>) -> bool {
                    a.iter().all(|(k, v)| b.get(v) == Some(k)) && a.len() == b.len()
                }

                fn greatest(m: &BTreeMap<u8, u8>) -> Option<&u8> {
                    m.values().max()
                }

                fn entry<'a>(n: usize, m: &'a std::collections::BTreeMap<u8, u8>) -> Option<(&'a u8, &'a u8)> {
                    m.iter().nth(n)
                }
            }

            #[test]
            fn agrees() {
                let bounds = Bounds::exact()
                    .len("S.m", 0..=3).ints("S.m", 0..=2)
                    .len("S.h", 0..=1).ints("S.h", 0..=1)
                    .ints("S.n", 0..=3);
                let small = |m: &BTreeMap<u8, u8>| m.len() <= 1 && m.iter().all(|(k, v)| *k < 2 && *v < 2);
                let second: Vec<_> = maps().into_iter().filter(small).collect();
                let all = maps().into_iter().flat_map(|m| {
                    let rest = second.iter().flat_map(|h| (0..=3).map(move |n| (h.clone(), n)));
                    rest.map(move |(h, n)| S { m: m.clone(), h, n }).collect::<Vec<_>>()
                });
                let mut expected: Vec<String> = all.filter(S::rep_ok).map(|s| format!("{s:?}")).collect();
                expected.sort();
                assert!(!expected.is_empty(), "the case accepts something");
                for options in [Options::audited(), Options::default(), Options::korat()] {
                    assert_eq!(texts::<S>(&bounds, options), expected);
                }
            }
        }
    )* };
}

cases! {
    length(s) { s.m.len() == s.n && s.m.is_empty() == s.h.is_empty() }
    get(s) { s.m.get(&1) == Some(&2) && s.m.get(&0).is_none() }
    get_in_the_other(s) { s.h.iter().all(|(k, v)| s.m.get(v) == Some(k)) }
    get_copied(s) { s.m.get(&1).copied().unwrap_or(0) == 2 }
    get_matched(s) {
        match s.m.get(&0) {
            Some(v) if *v > 0 => s.n == 1,
            Some(_) => false,
            None => s.n == 0,
        }
    }
    get_bound(s) {
        let Some(v) = s.m.get(&2) else { return s.n == 0 };
        let Some((key, value)) = s.m.get_key_value(&2) else { return false };
        usize::from(*v) == s.n && key == &2 && value == v
    }
    index(s) { s.m.contains_key(&1) && s.m[&1] > 1 && usize::from(s.m[&1]) == s.n }
    index_bound(s) {
        if !s.m.contains_key(&0) {
            return false;
        }
        let v = s.m[&0];
        v < 2 && usize::from(v) == s.n
    }
    index_by_field(s) { s.m.keys().all(|k| s.m[k] != *k) }
    entries(s) { s.m.iter().all(|(k, v)| k < v) }
    entries_copied(s) { s.m.iter().all(|(&k, &v)| k + 1 == v || v == 0) }
    entries_by_name(s) { s.m.iter().all(|entry| entry.0 <= entry.1) }
    entries_in_a_loop(s) {
        for (k, v) in &s.m {
            if *v > *k {
                return false;
            }
        }
        s.n == 0
    }
    entries_in_a_loop_over_iter(s) {
        let mut sum = 0;
        for (&k, &v) in s.m.iter() {
            sum += usize::from(k * v);
        }
        sum == s.n
    }
    entries_of_a_variable(s) {
        let m = &s.m;
        for (k, v) in m {
            if k == v {
                return false;
            }
        }
        m.len() == s.n
    }
    helper_of_fields(s) { S::inverse(&s.m, &s.h) }
    helper_of_locals(s) {
        let swapped: BTreeMap<u8, u8> = s.m.iter().map(|(k, v)| (*v, *k)).collect();
        let m = &s.m;
        S::inverse(&swapped, m) && S::inverse(m, &swapped) && S::greatest(&swapped) == m.keys().max()
    }
    helper_of_a_result(s) { S::greatest(s.map()).is_some_and(|v| usize::from(*v) == s.n) }
    helper_that_returns_a_part(s) { S::entry(s.n, &s.m).is_some_and(|(k, v)| k == v) }
    helper_of_a_local_again_and_again(s) {
        let mut local = BTreeMap::new();
        s.m.iter().all(|(k, v)| {
            local.insert(*k, *v);
            let clone = local.clone();
            S::greatest(&local) == local.values().max() && S::greatest(&clone) >= Some(v)
        })
    }
    equal_to_a_variable(s) {
        let m = &s.m;
        let mut local = BTreeMap::new();
        for (k, v) in m {
            local.insert(*k, (*v).min(1));
        }
        local == *m
    }
    unequal_to_a_variable(s) {
        let m = &s.m;
        let shifted: BTreeMap<u8, u8> = m.iter().map(|(k, v)| (*k, v / 2)).collect();
        let differs = shifted != *m;
        differs && m.len() == s.n
    }
    entries_zipped(s) { s.m.iter().zip(s.m.iter().skip(1)).all(|((_, a), (_, b))| a < b) }
    entries_reversed(s) { s.m.iter().rev().next().is_some_and(|(_, v)| usize::from(*v) == s.n) }
    entries_filtered(s) { s.m.iter().filter(|(k, v)| k == v).count() == s.n }
    entries_found(s) { s.m.iter().find(|(_, v)| **v == 1).map(|(k, _)| usize::from(*k)) == Some(s.n) }
    entries_at_most(s) { s.m.iter().max_by_key(|(_, v)| **v).is_some_and(|(k, _)| usize::from(*k) == s.n) }
    entries_counted(s) { s.m.iter().count() == s.n }
    values(s) { s.m.values().all(|v| *v < 2) }
    values_summed(s) { s.m.values().map(|v| usize::from(*v)).sum::<usize>() == s.n }
    values_copied(s) { s.m.values().copied().max() == Some(1) }
    values_in_a_loop(s) {
        for v in s.m.values() {
            if usize::from(*v) != s.n {
                return false;
            }
        }
        true
    }
    values_distinct(s) { s.m.values().collect::<BTreeSet<_>>().len() == s.m.len() }
    values_sorted(s) { s.m.values().is_sorted() && s.m.values().rev().take(1).all(|v| *v == 2) }
    values_contain(s) { s.m.values().any(|&v| usize::from(v) == s.n) }
    keys(s) { s.m.keys().all(|k| usize::from(*k) != s.n) && s.m.keys().copied().eq(0..s.m.len() as u8) }
    ends(s) { s.m.first_key_value() == Some((&0, &1)) && s.m.last_key_value().is_some_and(|(k, _)| *k == 2) }
    range(s) { s.m.range(1..).all(|(k, v)| k == v) && s.m.range(..=1).count() == s.n }
    equal(s) { s.m == s.h }
    unequal(s) { s.m != s.h && s.n == 0 }
    compared(s) { s.m < s.h }
    equal_to_a_local(s) {
        let mut local = BTreeMap::new();
        local.insert(s.n as u8, 1);
        s.m == local
    }
    a_local_is_equal(s) {
        let mut local = BTreeMap::new();
        for i in 0..s.n as u8 {
            local.insert(i, i);
        }
        local == s.m
    }
    a_local_is_unequal(s) {
        let local: BTreeMap<u8, u8> = s.h.iter().map(|(k, v)| (*v, *k)).collect();
        local != s.m && s.m.len() < 2
    }
    inverted(s) { s.m.iter().map(|(k, v)| (*v, *k)).collect::<BTreeMap<_, _>>() == s.m }
    cloned(s) {
        let mut copy = s.m.clone();
        copy.insert(0, 1);
        copy.len() == s.n && s.m.get(&0) == Some(&1)
    }
    collected(s) {
        let pairs: Vec<(u8, u8)> = s.m.iter().map(|(k, v)| (*k, *v)).collect();
        pairs.windows(2).all(|w| w[0].1 < w[1].1) && pairs.len() == s.n
    }
    debug(s) { format!("{:?}", s.m) == "{1: 2}" }
    std_map(s) {
        let m: &BTreeMap<u8, u8> = &s.m;
        m.values().sum::<u8>() as usize == s.n
    }
    returned(s) { s.map().iter().all(|(k, v)| k == v) && s.map().len() == s.n }
    unread_values(s) { s.m.len() == 1 && s.h.is_empty() }
    unread(s) { s.n == 2 }
    nested_closures(s) { s.m.iter().all(|(a, b)| s.m.iter().all(|(c, d)| a == c || b != d)) }
    option_of_entry(s) { s.m.iter().next().map_or(s.n == 0, |(k, v)| usize::from(k + v) == s.n) }
}

/// A function that takes std's map gets one with all values.
mod passed {
    use super::*;

    #[derive(Bounded, Debug)]
    pub struct S {
        m: BTreeMap<u8, u8>,
        n: u8,
    }

    #[rep_ok(opaque(sum_of))]
    impl S {
        fn rep_ok(&self) -> bool {
            sum_of(&self.m) == self.n
        }
    }

    #[test]
    fn agrees() {
        let bounds = Bounds::exact().len("S.m", 0..=3).ints("S.m", 0..=2).ints("S.n", 0..=6);
        let all = maps().into_iter().flat_map(|m| (0..=6).map(move |n| S { m: m.clone(), n }));
        let mut expected: Vec<String> = all.filter(S::rep_ok).map(|s| format!("{s:?}")).collect();
        expected.sort();
        assert_eq!(texts::<S>(&bounds, Options::audited()), expected);
    }
}

/// The values of a search in every engine, each once.
fn agree<T: Bounded + std::fmt::Debug>(bounds: &Bounds, expected: impl IntoIterator<Item = T>) {
    let all = expected.into_iter().filter(T::rep_ok);
    let mut expected: Vec<String> = all.map(|value| format!("{value:?}")).collect();
    expected.sort();
    assert!(!expected.is_empty(), "the case accepts something");
    for options in [Options::audited(), Options::default(), Options::korat()] {
        assert_eq!(texts::<T>(bounds, options), expected);
    }
}

/// A hash map with at most one entry has one text.
mod hashed {
    use super::*;

    #[derive(Bounded, Debug)]
    pub struct S {
        m: HashMap<u8, u8>,
        v: Vec<u8>,
    }

    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            let mut counts = HashMap::new();
            for x in &self.v {
                *counts.entry(*x).or_insert(0) += 1;
            }
            self.m.values().all(|n| *n > 0)
                && self.v.iter().all(|x| self.m.contains_key(x) && self.m[x] <= self.v.len() as u8)
                && self.m.len() <= 1
                && counts == self.m
                && !(counts != self.m)
        }
    }

    #[test]
    fn agrees() {
        let bounds =
            Bounds::exact().len("S.m", 0..=3).ints("S.m", 0..=2).len("S.v", 0..=2).ints("S.v", 0..=2);
        let vectors = (0..13).map(|code: u8| match code {
            0 => vec![],
            1..=3 => vec![code - 1],
            _ => vec![(code - 4) / 3, (code - 4) % 3],
        });
        let all = vectors
            .flat_map(|v| maps().into_iter().map(move |m| S { m: m.into_iter().collect(), v: v.clone() }));
        agree(&bounds, all);
    }

    #[test]
    fn a_map_is_not_read_as_a_whole() {
        let bounds = Bounds::exact().len("S.m", 0..=4).ints("S.m", 0..=3).len("S.v", [0]).ints("S.v", 0..=3);
        let outcome = Search::<S>::new(&bounds, Options::default()).unwrap().count().unwrap();
        assert_eq!(outcome.valid, 1);
        assert!(outcome.explored <= 100, "{}", outcome.explored);
    }
}

/// Collections of collections: copies of them, and comparisons with values that the invariant makes.
mod nested {
    use super::*;

    /// All vectors of up to so many of the numbers 0 and 1.
    fn vectors(len: usize) -> Vec<Vec<u8>> {
        let mut all = vec![vec![]];
        for i in 0..len {
            let longest: Vec<Vec<u8>> = all.iter().filter(|v| v.len() == i).cloned().collect();
            all.extend(longest.iter().flat_map(|v| [0, 1].map(|x| [&v[..], &[x]].concat())));
        }
        all
    }

    /// All maps from up to two of the numbers 0 and 1 to such vectors.
    fn maps() -> Vec<BTreeMap<u8, Vec<u8>>> {
        let optional: Vec<Option<Vec<u8>>> =
            [None].into_iter().chain(vectors(2).into_iter().map(Some)).collect();
        let map = |a: &Option<Vec<u8>>, b: &Option<Vec<u8>>| {
            [(0, a.clone()), (1, b.clone())].into_iter().filter_map(|(k, v)| Some((k, v?))).collect()
        };
        optional.iter().flat_map(|a| optional.iter().map(move |b| map(a, b))).collect()
    }

    macro_rules! cases {
        ($($name:ident($s:ident) $body:block)*) => { $(
            mod $name {
                use super::*;

                #[derive(Bounded, Debug)]
                pub struct S {
                    m: BTreeMap<u8, Vec<u8>>,
                    v: Vec<Vec<u8>>,
                    o: Option<Vec<u8>>,
                }

                #[rep_ok]
                impl S {
                    fn rep_ok(&self) -> bool {
                        let $s = self;
                        $body
                    }

                    fn doubled(&self) -> BTreeMap<u8, Vec<u8>> {
                        let mut doubled: BTreeMap<u8, Vec<u8>> = BTreeMap::new();
                        for list in &self.v {
                            for x in list {
                                doubled.entry(*x).or_default().extend([*x, *x]);
                            }
                        }
                        doubled
                    }
                }

                #[test]
                fn agrees() {
                    let bounds = Bounds::exact()
                        .len("S.m", 0..=2).ints("S.m", 0..=1)
                        .len("S.v", 0..=1).ints("S.v", 0..=1)
                        .len("S.o", 0..=1).ints("S.o", 0..=1);
                    let short = vectors(1);
                    let lists = [vec![]].into_iter().chain(short.iter().map(|v| vec![v.clone()]));
                    let options: Vec<_> = [None].into_iter().chain(short.iter().cloned().map(Some)).collect();
                    let rest: Vec<_> = lists.flat_map(|v| options.iter().map(move |o| (v.clone(), o.clone()))).collect();
                    let all = maps().into_iter().flat_map(|m| {
                        rest.iter().map(move |(v, o)| S { m: m.clone(), v: v.clone(), o: o.clone() })
                    });
                    agree(&bounds, all);
                }
            }
        )* };
    }

    cases! {
        equal_to_a_local(s) {
            let mut local: BTreeMap<u8, Vec<u8>> = BTreeMap::new();
            for list in &s.v {
                local.entry(list.len() as u8).or_default().extend(list);
            }
            s.m == local
        }
        unequal_to_a_local(s) {
            let mut local = BTreeMap::new();
            local.insert(1, vec![0, 1]);
            s.m != local && s.m.len() == 2
        }
        a_local_is_equal(s) {
            let mut local = BTreeMap::new();
            if let Some(list) = &s.o {
                local.insert(0, list.clone());
            }
            local == s.m && !(local != s.m)
        }
        a_call_is_equal(s) { s.doubled() == s.m && s.m == s.doubled() }
        equal_to_collected(s) { s.m == (0..s.v.len() as u8).map(|k| (k, vec![k, 1])).collect() }
        collected_is_equal(s) { s.v.iter().map(|l| (0, l.clone())).collect::<BTreeMap<_, _>>() == s.m }
        equal_to_an_array(s) { s.m == BTreeMap::from([(0, vec![1]), (1, vec![])]) }
        variables(s) {
            let m = &s.m;
            let local = s.doubled();
            local == *m && *m == local && &local == m && m == &local
        }
        cloned(s) {
            let mut copy = s.m.clone();
            copy.entry(1).or_default().push(0);
            copy.values().map(Vec::len).sum::<usize>() == 2 && copy != s.m
        }
        cloned_and_shortened(s) {
            let mut copy: BTreeMap<u8, Vec<u8>> = s.m.clone();
            copy.retain(|_, list| !list.is_empty());
            copy == s.m && copy.len() == 1
        }
        copied_entry_by_entry(s) {
            let copy: BTreeMap<u8, Vec<u8>> = s.m.iter().map(|(k, l)| (1 - *k, l.clone())).collect();
            copy == s.m
        }
        into_values(s) { s.m.clone().into_values().flatten().eq([1, 0]) }
        values_cloned(s) {
            let lists: Vec<Vec<u8>> = s.m.values().cloned().collect();
            lists == s.v
        }
        values_cloned_and_sorted(s) {
            let mut lists: Vec<_> = s.m.values().cloned().collect();
            lists.sort();
            lists.dedup();
            lists.len() == 2 && lists[0] == [0]
        }
        values_flattened(s) {
            let all: Vec<u8> = s.m.values().flatten().copied().collect();
            let again: Vec<u8> = s.m.values().cloned().flatten().collect();
            all == [0, 1] && all == again
        }
        values_of_a_variable(s) {
            let m = &s.m;
            m.values().flatten().count() == 3 && m.values().cloned().all(|list| list.is_sorted())
        }
        values_in_a_loop(s) {
            for list in s.m.values() {
                if list.len() != 1 {
                    return false;
                }
            }
            s.m.values().any(|list| list[0] == 1) && s.m.values().rev().all(|list| !list.is_empty())
        }
        one_value(s) { s.m.get(&1) == Some(&vec![0, 1]) && Some(&vec![]) != s.m.get(&0) }
        one_value_cloned(s) { s.m.get(&1).cloned().unwrap_or_default().len() == 1 }
        one_value_by_index(s) { s.m.contains_key(&0) && s.m[&0] == vec![1] && s.m[&0] == [1] && vec![1] == s.m[&0] }
        one_value_sorted(s) {
            s.m.keys().all(|k| {
                let mut sorted = s.m[k].clone();
                sorted.sort();
                sorted == s.m[k]
            })
        }
        rows(s) { s.v == vec![vec![1]] || vec![vec![0]] == s.v }
        rows_cloned(s) {
            let mut rows = s.v.clone();
            rows.push(vec![0]);
            let more: Vec<Vec<u8>> = s.v.iter().cloned().collect();
            rows.concat() == [0] && more.len() == 1 && s.v.concat().is_empty() && s.v.to_vec() == more
        }
        optional(s) { s.o == Some(vec![1]) || Some(vec![]) == s.o }
        optional_cloned(s) { s.o.clone().unwrap_or_default() == [0] && s.o.clone().is_some() }
        nothing(s) { s.o == None }
    }

    /// Maps with other values. A hash map with at most one entry has one text.
    #[derive(Bounded, Debug)]
    pub struct Others {
        hashed: HashMap<u8, Vec<u8>>,
        maps: BTreeMap<u8, BTreeMap<u8, u8>>,
        arrays: BTreeMap<u8, [u8; 2]>,
        queues: BTreeMap<u8, std::collections::VecDeque<u8>>,
        items: BTreeMap<u8, Vec<Item>>,
        pairs: Vec<(u8, Vec<u8>)>,
    }

    #[derive(Bounded, Debug, Clone, PartialEq)]
    pub struct Item {
        x: u8,
    }

    #[rep_ok]
    impl Others {
        fn rep_ok(&self) -> bool {
            let hashed = HashMap::from([(1, vec![0])]);
            let maps = BTreeMap::from([(0, BTreeMap::from([(1, 1)]))]);
            let queues: BTreeMap<u8, std::collections::VecDeque<u8>> = BTreeMap::from([(1, [1].into())]);
            let mut items: BTreeMap<u8, Vec<Item>> = BTreeMap::new();
            items.insert(1, vec![Item { x: 1 }]);
            let pairs: Vec<(u8, Vec<u8>)> = vec![(1, vec![0])];
            (self.hashed == hashed && hashed == self.hashed || self.hashed.values().cloned().eq([vec![1]]))
                && (self.maps == maps || self.maps.values().cloned().eq([BTreeMap::from([(0, 0)])]))
                && self.arrays == BTreeMap::from([(0, [1, 0])])
                && (self.queues == queues && queues == self.queues)
                && (self.items == items || self.items.values().cloned().eq([vec![]]))
                && (self.pairs == pairs && pairs == self.pairs && self.pairs.clone() == pairs)
        }
    }

    #[test]
    fn other_values_are_compared() {
        let bounds = Bounds::scope(1).ints("Others.hashed", 0..=1).ints("Others.maps", 0..=1);
        let bounds = bounds.ints("Others.arrays", 0..=1).ints("Others.queues", 0..=1);
        let bounds = bounds.ints("Others.items", 0..=1).ints("Item.x", 0..=1).ints("Others.pairs", 0..=1);
        for options in [Options::audited(), Options::default(), Options::korat()] {
            // {1: [0]}, {0: [1]}, {1: [1]}; {0: {1: 1}}, and {0: {0: 0}} with either key; {1: [Item]}, {0: []} and {1: []}.
            assert_eq!(texts::<Others>(&bounds, options).len(), 3 * 3 * 3);
        }
    }
}

/// Values of other kinds of plain data, maps in other types, and maps of maps.
mod kinds {
    use super::*;

    #[derive(Bounded, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Color {
        Red,
        Blue,
    }

    type Alias = BTreeMap<bool, bool>;

    #[derive(Bounded, Debug)]
    pub struct S {
        colors: BTreeMap<Color, Color>,
        options: BTreeMap<bool, Option<bool>>,
        nested: BTreeMap<bool, BTreeMap<bool, bool>>,
        optional: Option<BTreeMap<bool, bool>>,
        alias: Alias,
        #[bounded(len = 0..=1)]
        vector: Vec<BTreeMap<bool, bool>>,
        sets: BTreeMap<bool, BTreeSet<bool>>,
    }

    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            self.alias.values().all(|v| *v)
                && self.alias.len() == 1
                && self.colors.get(&Color::Red) == Some(&Color::Blue)
                && self.colors.iter().all(|(from, to)| from != to)
                && self.options.values().all(|v| v.is_none_or(|v| v))
                && self.options.len() < 2
                && self.nested.len() < 2
                && self.nested.values().all(|inner| inner.len() == 1 && inner.iter().all(|(k, v)| k == v))
                && self.optional.as_ref().is_some_and(|m| m.len() == 2 && m[&true])
                && self.vector.iter().all(|m| m.keys().eq(m.values()))
                && self.sets.iter().all(|(k, set)| set.contains(k) && set.len() == 1)
        }
    }

    fn subsets<T: Clone>(keys: &[bool], values: &[T]) -> Vec<BTreeMap<bool, T>> {
        keys.iter().fold(vec![BTreeMap::new()], |maps, key| {
            let with = |m: &BTreeMap<bool, T>| {
                let entries = values.iter().map(|v| {
                    let mut m = m.clone();
                    m.insert(*key, v.clone());
                    m
                });
                entries.chain([m.clone()]).collect::<Vec<_>>()
            };
            maps.iter().flat_map(with).collect()
        })
    }

    #[test]
    fn agrees() {
        let both = [false, true];
        let plain = subsets(&both, &both);
        // The conjuncts are independent of each other, so each is counted by itself.
        let count = |n: usize| n as u64;
        let alias = count(plain.iter().filter(|m| m.len() == 1 && m.values().all(|v| *v)).count());
        let colors = 2;
        let options = count(subsets(&both, &[None, Some(true)]).iter().filter(|m| m.len() < 2).count());
        let inner = plain.iter().filter(|m| m.len() == 1 && m.iter().all(|(k, v)| k == v)).count();
        let nested = count(subsets(&both, &vec![(); inner]).iter().filter(|m| m.len() < 2).count());
        let optional = count(plain.iter().filter(|m| m.len() == 2 && m[&true]).count());
        // The length of the vector is that of the maps in it, too.
        let vector = count(1 + plain.iter().filter(|m| m.len() < 2 && m.keys().eq(m.values())).count());
        let sets = 4;
        let expected = alias * colors * options * nested * optional * vector * sets;
        for options in [Options::default(), Options::korat()] {
            let values = texts::<S>(&Bounds::scope(2), options);
            assert_eq!(values.len() as u64, expected);
            let distinct: BTreeSet<_> = values.iter().collect();
            assert_eq!(distinct.len(), values.len(), "each value once");
        }
    }
}

/// The bounds that users write in impls suffice for the copy.
mod generic {
    use super::*;

    #[derive(Bounded, Debug)]
    pub struct S<K, V> {
        m: BTreeMap<K, V>,
        h: HashMap<K, V>,
    }

    #[rep_ok]
    impl<K: Ord + std::hash::Hash, V: PartialEq> S<K, V> {
        fn rep_ok(&self) -> bool {
            self.same(&self.m) && self.m.iter().all(|(k, v)| self.h.get(k) == Some(v))
        }

        fn same(&self, m: &BTreeMap<K, V>) -> bool {
            m.len() == self.h.len() && m.keys().all(|k| self.h.contains_key(k))
        }
    }

    #[test]
    fn agrees() {
        let bounds = Bounds::scope(2);
        let outcome = Search::<S<u8, u8>>::new(&bounds, Options::audited()).unwrap().count().unwrap();
        assert_eq!(outcome.valid, 9);
        let outcome = Search::<S<Key, Key>>::new(&bounds, Options::audited()).unwrap().count().unwrap();
        assert_eq!(outcome.valid, 9);
    }
}

/// Bimaps that a user would write, up to a scope that had no table of all maps.
mod large {
    use super::*;

    #[derive(Bounded, Debug)]
    pub struct S {
        fwd: BTreeMap<u8, u8>,
        rev: BTreeMap<u8, u8>,
    }

    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            self.fwd.len() == self.rev.len() && self.fwd.iter().all(|(k, v)| self.rev.get(v) == Some(k))
        }
    }

    #[test]
    fn bimaps_of_five_entries() {
        let outcome = Search::<S>::new(&Bounds::scope(5), Options::default()).unwrap().count().unwrap();
        assert_eq!(outcome.valid, 1546);
        assert!(outcome.explored <= 30_000, "{}", outcome.explored);
    }
}

/// The same by way of a helper that takes maps, and with hash maps.
mod through_a_helper {
    use super::*;

    #[derive(Bounded, Debug)]
    pub struct S {
        fwd: BTreeMap<u8, u8>,
        rev: BTreeMap<u8, u8>,
    }

    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            let rev = &self.rev;
            Self::inverse(&self.fwd, rev) && Self::inverse(rev, &self.fwd)
        }
        fn inverse(a: &BTreeMap<u8, u8>, b: &BTreeMap<u8, u8>) -> bool {
            a.iter().all(|(k, v)| b.get(v) == Some(k))
        }
    }

    #[derive(Bounded, Debug)]
    pub struct Hashed {
        fwd: HashMap<u8, u8>,
        rev: HashMap<u8, u8>,
    }

    #[rep_ok]
    impl Hashed {
        fn rep_ok(&self) -> bool {
            self.leads_back(&self.fwd, &self.rev) && self.leads_back(&self.rev, &self.fwd)
        }
        fn leads_back(&self, a: &HashMap<u8, u8>, b: &HashMap<u8, u8>) -> bool {
            a.keys().all(|k| b.get(&a[k]) == Some(k))
        }
    }

    #[test]
    fn bimaps_of_four_entries() {
        for outcome in [
            Search::<S>::new(&Bounds::scope(4), Options::default()).unwrap().count().unwrap(),
            Search::<Hashed>::new(&Bounds::scope(4), Options::default()).unwrap().count().unwrap(),
        ] {
            assert_eq!(outcome.valid, 209);
            assert!(outcome.explored <= 20_000, "{}", outcome.explored);
        }
    }
}

/// Values that are only compared are not chosen.
mod asked {
    use super::*;

    #[derive(Bounded, Debug)]
    pub struct S {
        m: BTreeMap<u8, u8>,
    }

    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            self.m.len() == 4
                && self.m.values().all(|v| *v > 1)
                && self.m.iter().all(|(k, v)| *v < 9 && *v != *k)
        }
    }

    #[test]
    fn few_runs_per_set_of_keys() {
        let bounds = Bounds::exact().len("S.m", 0..=4).ints("S.m", 0..=9);
        let outcome = Search::<S>::new(&bounds, Options::default()).unwrap().count().unwrap();
        let distinct =
            |keys: &[u64]| keys.iter().map(|k| if (2..9).contains(k) { 6 } else { 7 }).product::<u64>();
        let sets = (0..10_000u64).map(|code| [code / 1000, code / 100 % 10, code / 10 % 10, code % 10]);
        let expected =
            sets.filter(|set| set.windows(2).all(|w| w[0] < w[1])).map(|set| distinct(&set)).sum::<u64>();
        assert_eq!(outcome.valid, expected);
        assert!(outcome.explored <= 2_000, "{}", outcome.explored);
    }
}

/// A value becomes a candidate again.
#[test]
fn values_are_read_back() {
    #[derive(Bounded, Debug, PartialEq)]
    #[bounded(no_invariant)]
    struct S {
        m: BTreeMap<u8, u8>,
        h: HashMap<u8, bool>,
        keyed: HashMap<Key, Key>,
    }
    let search = || Search::<S>::new(&Bounds::scope(2), Options::default()).unwrap();
    let (mut search, mut reader, mut replayed) = (search(), search(), search());
    let mut count = 0;
    while let Some(value) = search.next_value() {
        let (value, candidate) = (value.unwrap(), search.candidate());
        assert_eq!(reader.candidate_of(&value), Ok(candidate.clone()));
        replayed.go_to(&candidate).unwrap();
        assert_eq!(replayed.value().unwrap(), value);
        count += 1;
    }
    assert_eq!(count, 9 * 9 * 9);
}
