//! Sets and keys of maps in invariants: what looks at keys asks about them, and reads no whole set. Each case is one invariant
//! on the same fields. It is searched in audit mode, in which the copy and the invariant agree about every candidate; its
//! values are different from each other, and counted a second time by plain loops.

#![allow(unused, clippy::all)]

use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, rep_ok};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The values of a search as texts, in order, and how many candidates it has explored.
fn texts<T: Bounded + std::fmt::Debug>(bounds: &Bounds, options: Options) -> (Vec<String>, u64) {
    let mut search = Search::<T>::new(bounds, options).unwrap();
    let mut texts = vec![];
    while let Some(value) = search.next_value() {
        texts.push(format!("{:?}", value.unwrap()));
    }
    texts.sort();
    (texts, search.outcome().explored)
}

/// All sets of the numbers 0 to 2.
fn sets() -> Vec<BTreeSet<u8>> {
    (0..8u8).map(|bits| (0..3).filter(|i| bits >> i & 1 == 1).collect()).collect()
}

fn count(s: &BTreeSet<u8>) -> usize {
    s.len()
}

macro_rules! cases {
    ($($name:ident($s:ident) $body:block)*) => { $(
        mod $name {
            use super::*;

            #[derive(Bounded, Debug)]
            pub struct S {
                a: BTreeSet<u8>,
                b: BTreeSet<u8>,
                h: HashSet<u8>,
                m: BTreeMap<u8, BTreeSet<u8>>,
                n: usize,
            }

            #[rep_ok]
            impl S {
                fn rep_ok(&self) -> bool {
                    let $s = self;
                    $body
                }

                fn has(&self, k: u8) -> bool {
                    self.a.contains(&k)
                }

                fn first_set(&self) -> &BTreeSet<u8> {
                    &self.a
                }

                fn apart(a: &BTreeSet<u8>, b: &BTreeSet<u8>) -> bool {
                    a.is_disjoint(b) && a.iter().chain(b).all(|k| a.contains(k) != b.contains(k))
                }

                fn inside(h: &HashSet<u8>, a: &BTreeSet<u8>) -> bool {
                    for k in h {
                        if !a.contains(k) {
                            return false;
                        }
                    }
                    h.len() <= a.len() && h.iter().all(|k| a.contains(k))
                }

                fn balanced(a: &BTreeSet<u8>, b: &BTreeSet<u8>) -> bool {
                    Self::apart(a, b) && a.len() == b.len()
                }

                fn same<'s>(a: &'s BTreeSet<u8>, mut b: &'s BTreeSet<u8>, n: usize) -> bool {
                    if n == 0 {
                        b = a;
                    }
                    a == b && *a == b.clone() && a.union(b).count() == b.len() && format!("{a:?}") == format!("{b:?}")
                }

                fn least<'s>(a: &'s BTreeSet<u8>, b: &'s BTreeSet<u8>) -> Option<&'s u8> {
                    if a.is_empty() { b.first() } else { a.iter().next() }
                }

                fn short(set: &BTreeSet<u8>) -> bool {
                    set.len() < 2
                }

                fn holds(&self, set: &BTreeSet<u8>, k: u8) -> bool {
                    set.contains(&k) && !self.b.contains(&k)
                }

                fn closed(m: &BTreeMap<u8, BTreeSet<u8>>, k: u8) -> bool {
                    m.contains_key(&k) == m.values().any(|set| set.contains(&k))
                        && m.iter().all(|(v, set)| set.iter().all(|w| m.get(w).is_some_and(|s| s.contains(v))))
                        && m.get(&k).is_none_or(Self::short)
                }
            }

            #[test]
            fn agrees() {
                let bounds = Bounds::exact()
                    .len("S.a", 0..=3).ints("S.a", 0..=2)
                    .len("S.b", 0..=3).ints("S.b", 0..=2)
                    .len("S.h", 0..=1).ints("S.h", 0..=1)
                    .len("S.m", 0..=2).ints("S.m", 0..=1)
                    .ints("S.n", 0..=1);
                let small: Vec<BTreeSet<u8>> = sets().into_iter().filter(|s| !s.contains(&2)).collect();
                let mut maps = vec![BTreeMap::new()];
                for k in 0..2 {
                    for map in maps.clone() {
                        maps.extend(small.iter().map(|v| {
                            let mut map: BTreeMap<u8, BTreeSet<u8>> = map.clone();
                            map.insert(k, v.clone());
                            map
                        }));
                    }
                }
                let mut expected = vec![];
                for a in sets() {
                    for b in sets() {
                        for h in small.iter().filter(|h| h.len() < 2) {
                            for m in &maps {
                                for n in 0..=1 {
                                    let h = h.iter().copied().collect();
                                    let s = S { a: a.clone(), b: b.clone(), h, m: m.clone(), n };
                                    if s.rep_ok() {
                                        expected.push(format!("{s:?}"));
                                    }
                                }
                            }
                        }
                    }
                }
                assert!(!expected.is_empty(), "the case accepts something");
                expected.sort();
                for options in [Options::audited(), Options::default(), Options::korat()] {
                    let (found, _) = texts::<S>(&bounds, options);
                    assert!(found == expected, "{} found, {} expected", found.len(), expected.len());
                }
            }
        }
    )* };
}

cases! {
    contains(s) { s.a.contains(&1) && !s.b.contains(&0) && s.h.contains(&0) }
    contains_a_field(s) { s.a.contains(&(s.n as u8)) && !s.h.contains(&(s.n as u8)) }
    contains_in_the_other(s) { s.a.iter().all(|k| s.b.contains(k)) }
    either(s) { (0..3).all(|k| s.a.contains(&k) || s.b.contains(&k)) }
    not_both(s) { (0..3).all(|k| !(s.a.contains(&k) && s.b.contains(&k))) }
    subset(s) { s.a.is_subset(&s.b) }
    not_subset(s) { !s.a.is_subset(&s.b) && s.n == 0 }
    superset(s) { s.a.is_superset(&s.b) && s.a.len() == s.n }
    disjoint(s) { s.a.is_disjoint(&s.b) && !s.a.is_empty() }
    not_disjoint(s) { !s.b.is_disjoint(&s.a) && s.b.len() > s.n }
    subset_of_what_was_read(s) { s.b.clone().len() == s.n && s.a.is_subset(&s.b) }
    superset_of_what_was_read(s) { s.a.clone().len() == s.n && s.a.is_subset(&s.b) }
    subset_of_a_local(s) {
        let local = BTreeSet::from([0, 2]);
        s.a.is_subset(&local) && local.is_superset(&s.b) && !s.b.is_disjoint(&BTreeSet::from([0]))
    }
    subset_of_a_collected(s) { s.a.is_subset(&s.h.iter().copied().collect()) }
    superset_and_disjoint_of_a_local(s) {
        let local: BTreeSet<u8> = [1].into_iter().collect();
        s.a.is_superset(&local) && s.b.is_disjoint(&local) && s.h.is_subset(&HashSet::from([1]))
    }
    length(s) { s.a.len() == s.n && s.b.len() < s.n && s.h.is_empty() }
    lengths(s) { s.a.len() == s.b.len() && s.m.len() == s.h.len() }
    first_and_last(s) { s.a.first() == Some(&1) && s.b.last().copied() == s.a.last().copied() }
    first_matched(s) {
        match s.a.first() {
            Some(k) if *k > 0 => s.b.contains(k),
            Some(_) => false,
            None => s.n == 0,
        }
    }
    ends_in_variables(s) {
        let (Some(first), Some(last)) = (s.a.iter().next(), s.a.iter().next_back()) else { return s.n == 1 };
        last - first == s.n as u8 && s.a.get(&1).is_none()
    }
    range(s) { s.a.range(1..).count() == s.n && s.b.range(..2).next_back() == Some(&1) }
    range_of_a_field(s) { s.a.range((s.n as u8)..=2).all(|k| s.b.contains(k)) }
    loops(s) {
        for k in &s.a {
            if !s.b.contains(k) && usize::from(*k) != s.n {
                return false;
            }
        }
        true
    }
    loops_with_copies(s) {
        let mut sum = 0;
        for &k in s.a.iter() {
            sum += k;
        }
        for k in s.b.iter().copied() {
            sum += k;
        }
        usize::from(sum) == s.n
    }
    loops_over_hashes(s) {
        for k in &s.h {
            if s.a.contains(k) {
                return false;
            }
        }
        s.h.iter().any(|k| s.b.contains(k))
    }
    reversed(s) {
        let mut greater = None;
        for (i, &k) in s.a.iter().rev().enumerate() {
            if usize::from(k) == i {
                return false;
            }
            greater = Some(k);
        }
        greater.map_or(0, usize::from) == s.n
    }
    numbered(s) { s.a.iter().enumerate().all(|(i, k)| i == usize::from(*k)) && s.a.iter().len() == s.n }
    zipped(s) { s.a.iter().zip(&s.b).all(|(x, y)| x < y) && s.a.iter().zip(s.b.iter()).count() == s.n }
    folded(s) { s.a.iter().map(|k| usize::from(*k)).sum::<usize>() == s.n && s.b.iter().max() == Some(&1) }
    compared(s) { s.a == s.b && s.a.clone().len() == s.n && s.b.to_owned() != BTreeSet::new() }
    compared_with_a_local(s) {
        let keys: BTreeSet<u8> = s.m.keys().copied().collect();
        s.a == keys && keys.len() == s.n
    }
    local_compared(s) {
        let keys: BTreeSet<u8> = s.m.keys().copied().collect();
        keys == s.a && s.b.is_empty()
    }
    given_away(s) { count(&s.a) == s.n && s.b.iter().eq(s.a.iter()) }
    united(s) {
        let all: BTreeSet<u8> = s.a.union(&s.b).copied().collect();
        all.len() == 3 && (&s.a & &s.b).is_empty() && s.a.difference(&s.b).count() == s.n
    }
    through_helpers(s) { s.has(1) && !s.first_set().contains(&0) && s.first_set().len() == s.n }
    through_references(s) {
        let (a, b) = (&s.a, &s.b);
        a.contains(&0) && a.is_subset(b) && b.len() == s.n
    }
    through_a_variable(s) {
        let a = &s.a;
        let m = &s.m;
        for k in a {
            if !m.contains_key(k) {
                return false;
            }
        }
        a.is_subset(&s.b) && a.len() == s.n && !a.contains(&2)
    }
    through_a_variable_that_is_also_given_away(s) {
        let a = &s.a;
        a.contains(&1) && count(a) == s.n
    }
    through_a_variable_of_a_value(s) {
        if !s.m.contains_key(&0) {
            return s.a.is_empty();
        }
        let set = &s.m[&0];
        set.contains(&1) && set.is_disjoint(&s.a)
    }
    through_a_choice(s) {
        let chosen = if s.n == 0 { &s.a } else { &s.b };
        chosen.contains(&2) && !s.a.contains(&1)
    }
    has_key(s) { s.m.contains_key(&1) && !s.m.contains_key(&0) && s.a.is_empty() }
    keys_are_a_set(s) { s.m.keys().all(|k| s.a.contains(k)) && s.a.iter().all(|k| s.m.contains_key(k)) }
    number_of_keys(s) { s.m.len() == s.n && s.m.is_empty() == s.a.is_empty() }
    value_of_a_key(s) {
        match s.m.get(&1) {
            Some(set) if set.contains(&0) => s.n == 1,
            Some(set) => set.is_empty(),
            None => s.n == 0,
        }
    }
    value_or_none(s) { s.m.get(&0).is_some_and(|set| set.contains(&1)) && s.a.is_empty() }
    value_or_nothing(s) { s.m.get(&0).map_or(s.n == 0, |set| set.len() == s.n) }
    value_unless(s) { s.m.get(&1).is_none_or(|set| set.is_subset(&s.a)) && s.b.is_empty() }
    value_bound(s) {
        let Some(set) = s.m.get(&0) else { return false };
        set.is_disjoint(&s.a) && set.len() == s.n
    }
    value_in_a_variable(s) {
        let set = s.m.get(&0);
        if let Some(set) = set { set.contains(&0) } else { s.n == 0 }
    }
    value_or_another(s) {
        let none = BTreeSet::new();
        let set = s.m.get(&0).unwrap_or(&none);
        set.len() == s.n && s.m.get(&1).cloned().unwrap_or_default() == *set
    }
    value_by_key(s) { s.m.contains_key(&0) && s.m[&0].contains(&1) && s.m[&0].iter().all(|k| s.a.contains(k)) }
    value_by_key_in_a_loop(s) {
        if s.m.contains_key(&1) {
            for k in &s.m[&1] {
                if !s.b.contains(k) {
                    return false;
                }
            }
        }
        s.a.is_empty()
    }
    symmetric(s) {
        for (v, neighbours) in &s.m {
            for n in neighbours {
                match s.m.get(n) {
                    Some(back) if back.contains(v) => {}
                    _ => return false,
                }
            }
        }
        s.a.is_empty() && s.b.is_empty()
    }
    symmetric_with_closures(s) {
        s.m.iter().all(|(v, ns)| ns.iter().all(|n| s.m.get(n).is_some_and(|back| back.contains(v))))
            && s.a.is_empty()
            && s.b.is_empty()
    }
    given_to_helpers(s) { S::apart(&s.a, &s.b) && S::inside(&s.h, &s.a) && !s.h.is_empty() }
    given_on(s) { S::balanced(&s.a, &s.b) && S::least(&s.a, &s.b).map_or(0, |k| usize::from(*k)) == s.n }
    given_with_locals(s) {
        let local = BTreeSet::from([0, 2]);
        let found: BTreeSet<u8> = s.h.iter().copied().collect();
        S::apart(&s.a, &local) && S::inside(&s.h, &found) && S::apart(&found, &s.b) && s.holds(&found, 0)
    }
    given_as_values(s) {
        s.m.values().all(S::short)
            && s.m.values().all(|set| s.holds(set, 1))
            && s.m.get(&0).is_some_and(|set| S::apart(set, &s.a))
            && S::apart(s.first_set(), &s.m[&0])
    }
    given_and_compared(s) { S::same(&s.a, &s.b, s.n) && s.b.len() == s.n }
    given_as_a_map(s) {
        S::closed(&s.m, s.n as u8) && S::closed(&BTreeMap::from([(0, BTreeSet::from([0]))]), 0) && s.a.is_empty()
    }
    values_of_sets(s) {
        s.m.values().all(|set| set.contains(&1) && set.is_subset(&s.a)) && s.m.values().any(|set| !set.is_empty())
    }
}

#[path = "sets/helpers.rs"]
mod helpers;
#[path = "sets/kinds.rs"]
mod kinds;
#[path = "sets/ordinary.rs"]
mod ordinary;
#[path = "sets/users.rs"]
mod users;
