//! Tuples inside vectors, options, boxes and arrays: their components are read one by one. Each case is one invariant. It is
//! searched in audit mode, in which the copy and the invariant agree about every candidate, and its values are counted a
//! second time by plain loops.

#![allow(unused, clippy::all)]

#[path = "tuples/copied.rs"]
mod copied;
#[path = "tuples/std_types.rs"]
mod std_types;

use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, rep_ok};

/// The number of values of a search, and of its candidates.
fn count<T: Bounded>(bounds: &Bounds, options: Options) -> (u64, u64) {
    let mut search = Search::<T>::new(bounds, options).unwrap();
    while let Some(value) = search.next_value() {
        drop(value.unwrap());
    }
    (search.outcome().valid, search.outcome().explored)
}

fn agrees<T: Bounded>(bounds: &Bounds, expected: usize) {
    assert!(expected > 0, "the case accepts something");
    for options in [Options::audited(), Options::default(), Options::korat()] {
        assert_eq!(count::<T>(bounds, options).0, expected as u64);
    }
}

/// All pairs of the numbers 0 to 2.
fn pairs() -> Vec<(u8, u8)> {
    (0..3).flat_map(|a| (0..3).map(move |b| (a, b))).collect()
}

/// All vectors of up to two pairs.
fn vectors() -> Vec<Vec<(u8, u8)>> {
    let one = pairs().into_iter().map(|p| vec![p]);
    let two = pairs().into_iter().flat_map(|p| pairs().into_iter().map(move |q| vec![p, q]));
    [vec![]].into_iter().chain(one).chain(two).collect()
}

macro_rules! cases {
    ($($name:ident($this:ident) $body:block)*) => { $(
        mod $name {
            use super::*;

            #[derive(Bounded, Debug)]
            pub struct S {
                v: Vec<(u8, u8)>,
                n: usize,
            }

            #[rep_ok]
            impl S {
                fn rep_ok(&self) -> bool {
                    let $this = self;
                    $body
                }
            }

            #[test]
            fn agrees() {
                let all = vectors().into_iter().flat_map(|v| (0..=3).map(move |n| S { v: v.clone(), n }));
                let expected = all.filter(|s| s.rep_ok()).count();
                let bounds = Bounds::exact().len("S.v", 0..=2).ints("S.v", 0..=2).ints("S.n", 0..=3);
                super::agrees::<S>(&bounds, expected);
            }
        }
    )* };
}

cases! {
    components(s) { s.n == 0 && (0..s.v.len()).all(|i| s.v[i].0 < s.v[i].1) }
    neighbours(s) { s.n == 0 && s.v.windows(2).all(|w| w[0].1 < w[1].0) }
    closure_pattern(s) { s.n == 0 && s.v.iter().all(|(a, b)| a < b) }
    closure_copies(s) { s.n == 0 && s.v.iter().all(|&(a, b)| a + 1 == b) }
    closure_of_some(s) { s.n == 0 && s.v.iter().any(|&(a, _)| a == 1) }
    closure_with_reference(s) { s.n == 1 && s.v.iter().all(|r| r.0 != r.1) }
    closure_with_type(s) { s.n == 1 && s.v.iter().all(|r: &(u8, u8)| r.0 != r.1) }
    enumerated(s) { s.n == 0 && s.v.iter().enumerate().all(|(i, (a, b))| usize::from(*a) == i && a <= b) }
    enumerated_copies(s) { s.n == 0 && s.v.iter().enumerate().all(|(i, &(a, _))| usize::from(a) == i) }
    zipped(s) { s.n == 0 && s.v.iter().zip(s.v.iter().skip(1)).all(|(x, y)| x.1 <= y.0) }
    zipped_apart(s) { s.n == 0 && s.v.iter().zip(s.v.iter().skip(1)).all(|((_, b), (c, _))| b < c) }
    zipped_copies(s) { s.n == 0 && !s.v.is_empty() && s.v.iter().zip(&s.v[1..]).all(|(&(_, b), &(c, _))| b < c) }
    loop_pattern(s) {
        for (a, b) in &s.v {
            if a >= b {
                return false;
            }
        }
        s.n == 0
    }
    loop_copies(s) {
        let mut sum = 0;
        for &(a, b) in s.v.iter() {
            sum += usize::from(a * b);
        }
        sum == s.n
    }
    loop_with_constant(s) {
        for pair in &s.v {
            if let (0, b) = pair {
                if *b == 0 {
                    return false;
                }
            }
        }
        s.n == 0
    }
    loop_by_value(s) {
        let mut count = 0;
        for pair in s.v.iter().copied() {
            if pair == (1, 2) || pair.0 == 0 {
                count += 1;
            }
        }
        count == s.n
    }
    let_pattern(s) {
        if s.v.len() != 2 {
            return false;
        }
        let (a, b) = s.v[0];
        let (c, d) = &s.v[1];
        a < b && b <= *c && c < d && s.n == 0
    }
    let_reference(s) {
        if s.v.is_empty() {
            return s.n == 0;
        }
        let first = &s.v[0];
        first.0 < first.1 && usize::from(first.1) == s.n
    }
    let_copy(s) {
        if s.v.is_empty() {
            return s.n == 0;
        }
        let first = s.v[0];
        let rest = (first.0, 7);
        first.0 < first.1 && usize::from(first.1) == s.n && rest.1 == 7
    }
    let_component(s) {
        if s.v.len() < 2 {
            return false;
        }
        let (lo, hi) = (s.v[0].0, s.v[1].1);
        let mid = s.v[0].1;
        lo < mid && mid < hi && s.n == 0
    }
    match_index(s) {
        s.v.len() == 2
            && match s.v[0] {
                (0, b) => b == 2,
                (a, 0) if a == 1 => true,
                (1 | 2, 1) => s.v[1].0 == 0,
                _ => false,
            }
            && s.n == 1
    }
    match_reference(s) {
        s.v.len() == 1
            && match &s.v[0] {
                (0, b) => *b == 2,
                (a, b) => a == b,
            }
    }
    match_two(s) {
        s.v.len() == 2
            && match (&s.v[0], &s.v[1]) {
                ((a, b), (c, d)) if a == c => b < d,
                ((0, _), _) => true,
                _ => false,
            }
    }
    matches_one(s) { s.v.iter().all(|p| matches!(p, (0, 1) | (1, 2))) && s.n == 0 }
    matches_index(s) { s.v.len() == 1 && matches!(s.v[0], (0, 1 | 2) | (2, _)) && s.n == 0 }
    slice_pattern(s) { s.n == 0 && matches!(&s.v[..], [(a, b), (c, d)] if a < b && b < c || a == d) }
    slice_pattern_with_rest(s) {
        match s.v.as_slice() {
            [(a, b), rest @ ..] => a < b && rest.iter().all(|(c, _)| b <= c) && rest.len() == s.n,
            [] => s.n == 3,
        }
    }
    ends(s) { !s.v.is_empty() && s.v.last().unwrap().1 == 2 && s.v.first().unwrap().0 == 0 && s.n == 0 }
    end_in_a_pattern(s) {
        if let Some((a, b)) = s.v.last() {
            return a < b && s.n == 0;
        }
        s.n == 1
    }
    end_by_value(s) { s.v.first().copied().unwrap_or((2, 0)) < (1, 1) && s.n == 0 }
    gotten(s) { s.v.get(s.n).is_some_and(|&(a, b)| a == b) }
    compared(s) { s.n == 0 && s.v.windows(2).all(|w| w[0] < w[1]) }
    compared_with_a_value(s) { s.n == 0 && s.v.iter().all(|p| *p != (1, 1)) && s.v.contains(&(0, 2)) }
    equal_elements(s) { s.v.len() == 2 && s.v[0] == s.v[1] && s.n == 0 }
    sorted(s) { s.n == 0 && s.v.is_sorted() }
    sorted_by(s) { s.n == 0 && s.v.is_sorted_by(|x, y| x.1 < y.1) }
    sorted_by_key(s) { s.n == 0 && s.v.is_sorted_by_key(|&(_, b)| b) }
    sorted_references(s) { s.n == 0 && s.v.iter().is_sorted_by(|x, y| x.0 < y.0) }
    filtered(s) { s.v.iter().filter(|(a, b)| a < b).count() == s.n }
    filtered_and_mapped(s) { s.v.iter().filter(|p| p.0 == 0).map(|p| usize::from(p.1)).sum::<usize>() == s.n }
    mapped(s) { s.v.iter().map(|&(a, b)| usize::from(a.max(b))).max() == Some(s.n) }
    mapped_components(s) { s.n == 0 && s.v.iter().map(|p| p.0).collect::<Vec<u8>>().is_sorted() }
    folded(s) { s.v.iter().fold(0, |sum, (a, _)| sum + usize::from(*a)) == s.n }
    found(s) { s.v.iter().find(|(a, _)| *a == 1).is_some_and(|(_, b)| usize::from(*b) == s.n) }
    position(s) { s.v.iter().position(|&(a, b)| a > b) == Some(s.n) }
    maximum(s) { s.v.iter().max() == Some(&(2, 1)) && s.n == 0 }
    maximum_by_key(s) { s.v.iter().max_by_key(|p| p.1).is_some_and(|p| p.0 == 0) && s.n == 0 }
    unzipped(s) {
        let (left, right): (Vec<u8>, Vec<u8>) = s.v.iter().copied().unzip();
        left.is_sorted() && right.len() == s.n
    }
    collected(s) {
        let all: std::collections::BTreeSet<(u8, u8)> = s.v.iter().copied().collect();
        all.len() == s.v.len() && all.len() == s.n
    }
    collected_into_a_map(s) {
        let all: std::collections::BTreeMap<u8, u8> = s.v.iter().cloned().collect();
        all.len() == s.v.len() && all.get(&1) == Some(&2) && s.n == 0
    }
    sorted_copy(s) {
        let mut sorted = s.v.clone();
        sorted.sort();
        sorted == s.v && s.n == 0
    }
    pushed(s) {
        let mut lows = vec![];
        let mut all = vec![];
        for &(a, b) in &s.v {
            lows.push(a);
            all.push((b, a));
        }
        lows.windows(2).all(|w| w[0] < w[1]) && all.iter().all(|(b, a)| a <= b) && s.n == 0
    }
    previous(s) {
        let mut previous: Option<(u8, u8)> = None;
        for &pair in &s.v {
            if let Some((_, end)) = previous {
                if end >= pair.0 {
                    return false;
                }
            }
            previous = Some(pair);
        }
        s.n == 0
    }
    helper_by_reference(s) {
        fn ok(r: &(u8, u8)) -> bool {
            r.0 < r.1
        }
        s.v.iter().all(ok) && s.v.iter().all(|r| ok(r)) && s.n == 0
    }
    helper_by_value(s) {
        fn apart((_, b): (u8, u8), (c, _): (u8, u8)) -> bool {
            b < c
        }
        (1..s.v.len()).all(|i| apart(s.v[i - 1], s.v[i])) && s.n == 0
    }
    helper_of_slices(s) {
        fn ok(v: &[(u8, u8)]) -> bool {
            match v {
                [(_, b), rest @ ..] => rest.first().is_none_or(|(c, _)| b < c) && ok(rest),
                [] => true,
            }
        }
        fn low(v: &[(u8, u8)]) -> bool {
            v.iter().all(|(a, _)| *a < 2) && (1..v.len()).all(|i| v[i - 1].0 <= v[i].0)
        }
        let local = vec![(0, 1), (1, 1)];
        ok(&s.v) && low(&s.v) && low(&local) && s.n == 0
    }
    foreign(s) { s.n == 0 && s.v.concat_all() == 3 }
    shown(s) { s.n == 0 && format!("{:?}", s.v) == "[(0, 1)]" }
    cloned(s) { s.v.clone().len() == s.n && s.v.to_vec().first() == Some(&(1, 1)) }
    summed(s) { s.v.iter().all(|p| p.0 + 1 <= p.1) && s.v.iter().all(|(a, b)| *b - *a < 2) && s.n == 0 }
}

/// A foreign trait, for slices of tuples.
trait ConcatAll {
    fn concat_all(&self) -> u32;
}

impl ConcatAll for [(u8, u8)] {
    fn concat_all(&self) -> u32 {
        self.iter().map(|(a, b)| u32::from(a + b)).sum()
    }
}

/// All values of a search, as text and in order of the text, for each engine.
fn texts<T: Bounded + std::fmt::Debug>(bounds: &Bounds, options: Options) -> Vec<String> {
    let mut search = Search::<T>::new(bounds, options).unwrap();
    let mut all = vec![];
    while let Some(value) = search.next_value() {
        all.push(format!("{:?}", value.unwrap()));
    }
    all.sort();
    all
}

/// The values of a search are those of a list that are valid.
fn are<T: Bounded + std::fmt::Debug>(bounds: &Bounds, list: Vec<T>, is_valid: impl Fn(&T) -> bool) {
    let mut expected: Vec<String> = list.iter().filter(|v| is_valid(v)).map(|v| format!("{v:?}")).collect();
    expected.sort();
    assert!(!expected.is_empty());
    for options in [Options::audited(), Options::default(), Options::korat()] {
        assert_eq!(texts::<T>(bounds, options), expected);
    }
}

/// Numbers from 0 to 2 in tuples, and nothing else.
fn small() -> Bounds {
    Bounds::scope(1).ints("S.p", 0..=2)
}

mod optional {
    use super::*;

    #[derive(Bounded, Debug)]
    pub struct S {
        p: Option<(u8, u8)>,
        q: Option<(bool, Option<(bool, bool)>)>,
    }

    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            let is_small = match self.p {
                Some((a, b)) => a < b,
                None => true,
            };
            let is_known = match &self.q {
                Some((x, Some((y, z)))) => x != y && !*z,
                Some((x, None)) => *x,
                None => self.p.is_none(),
            };
            is_small && is_known && self.p.is_none_or(|(a, _)| a == 0) && self.p != Some((0, 1))
        }
    }

    #[test]
    fn agrees() {
        let bools = [false, true];
        let inner: Vec<Option<(bool, bool)>> =
            [None].into_iter().chain(bools.iter().flat_map(|a| bools.map(|b| Some((*a, b))))).collect();
        let q: Vec<Option<(bool, Option<(bool, bool)>)>> = [None]
            .into_iter()
            .chain(bools.iter().flat_map(|a| inner.iter().map(|i| Some((*a, *i)))))
            .collect();
        let p: Vec<Option<(u8, u8)>> = [None].into_iter().chain(pairs().into_iter().map(Some)).collect();
        let all = p.iter().flat_map(|p| q.iter().map(|q| S { p: *p, q: *q })).collect();
        are(&small(), all, S::rep_ok);
    }
}

mod pointers {
    use super::*;
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    #[derive(Bounded, Debug)]
    pub struct S {
        p: Box<(u8, u8)>,
        r: Rc<RefCell<(bool, bool)>>,
        c: Cell<(bool, bool)>,
        a: [(bool, bool); 2],
        n: ((bool, bool), bool),
    }

    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            let (x, y) = *self.r.borrow();
            let (c, _) = self.c.get();
            self.p.0 < self.p.1
                && x != y
                && c == x
                && self.a.iter().all(|(l, r)| l <= r)
                && self.a[0].1 == self.a[1].0
                && (self.n.0).1 == self.n.1
                && self.n.0.0
        }
    }

    #[test]
    fn agrees() {
        let bools = [false, true];
        let twos: Vec<(bool, bool)> = bools.iter().flat_map(|a| bools.map(|b| (*a, b))).collect();
        let mut all = vec![];
        for p in pairs() {
            for r in &twos {
                for c in &twos {
                    for (a, b) in twos.iter().flat_map(|a| twos.iter().map(move |b| (*a, *b))) {
                        for n in twos.iter().flat_map(|m| bools.map(|b| (*m, b))) {
                            let r = Rc::new(RefCell::new(*r));
                            all.push(S { p: Box::new(p), r, c: Cell::new(*c), a: [a, b], n });
                        }
                    }
                }
            }
        }
        are(&small(), all, S::rep_ok);
    }
}

mod structures {
    use super::*;

    #[derive(Bounded, Debug, Clone, Copy, PartialEq)]
    pub enum Color {
        Red,
        Black,
    }

    #[derive(Bounded, Debug, PartialEq)]
    #[bounded(no_invariant)]
    pub struct Point {
        x: bool,
        y: bool,
    }

    #[derive(Bounded, Debug)]
    pub struct Even {
        e: u8,
    }

    #[rep_ok]
    impl Even {
        fn rep_ok(&self) -> bool {
            self.e % 2 == 0
        }
    }

    /// Tuples of an enum, of a pointer, of a vector, of a structure by value, of one with an invariant.
    #[derive(Bounded, Debug)]
    pub struct S {
        c: Vec<(Color, bool)>,
        b: Vec<(bool, Option<Box<Even>>)>,
        w: Option<(bool, Vec<bool>)>,
        s: Vec<(bool, Point)>,
    }

    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            for (has, even) in &self.b {
                if *has != even.is_some() {
                    return false;
                }
            }
            let is_short = match &self.w {
                Some((a, w)) => w.len() == usize::from(*a),
                None => self.c.is_empty(),
            };
            is_short
                && self.c.iter().all(|&(c, b)| (c == Color::Red) == b)
                && self.c.iter().filter(|(c, _)| *c == Color::Red).count() <= 1
                && self.b.iter().all(|(_, e)| e.as_ref().is_none_or(|e| e.e < 4))
                && self.s.iter().all(|(a, p)| *a == p.x)
                && (0..self.s.len()).all(|i| self.s[i].1.y)
        }
    }

    fn bounds() -> Bounds {
        Bounds::scope(1).ints("Even.e", 0..=4)
    }

    #[test]
    fn agrees() {
        let mut all = vec![];
        let bools = [false, true];
        for c in [
            None,
            Some((Color::Red, false)),
            Some((Color::Red, true)),
            Some((Color::Black, false)),
            Some((Color::Black, true)),
        ] {
            for b in [None, Some((false, None)), Some((true, None))]
                .into_iter()
                .chain([0u8, 1, 2, 3, 4].into_iter().flat_map(|e| bools.map(|b| Some((b, Some(e))))))
            {
                for w in [None].into_iter().chain(
                    bools
                        .iter()
                        .flat_map(|a| [Some((*a, vec![])), Some((*a, vec![false])), Some((*a, vec![true]))]),
                ) {
                    for s in [None].into_iter().chain((0..8).map(|i| Some((i & 1 > 0, i & 2 > 0, i & 4 > 0))))
                    {
                        all.push(S {
                            c: c.into_iter().collect(),
                            b: b.iter().map(|(b, e)| (*b, e.map(|e| Box::new(Even { e })))).collect(),
                            w: w.clone(),
                            s: s.iter().map(|&(a, x, y)| (a, Point { x, y })).collect(),
                        });
                    }
                }
            }
        }
        let even = |s: &S| s.b.iter().all(|(_, e)| e.as_ref().is_none_or(|e| e.rep_ok()));
        are(&bounds(), all, |s| s.rep_ok() && even(s));
    }
}

/// Tuples with pointers as values of maps.
mod in_maps {
    use super::*;
    use std::collections::{BTreeMap, HashMap};

    #[derive(Bounded, Debug)]
    #[bounded(no_invariant)]
    pub struct Item {
        i: u8,
    }

    #[derive(Bounded, Debug)]
    pub struct S {
        m: BTreeMap<u8, (bool, Option<Box<Item>>)>,
        v: Vec<(u8, HashMap<bool, (bool, Box<Item>)>)>,
    }

    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            self.m.values().all(|(has, item)| *has == item.is_some())
                && self.m.iter().all(|(k, v)| v.1.as_ref().is_none_or(|item| item.i <= *k))
                && self.v.iter().all(|(n, map)| map.len() == *n as usize && map.values().all(|v| v.0))
        }
    }

    #[test]
    fn agrees() {
        let bounds = Bounds::exact().objects("Item", 2).ints("S.m", 0..=1).ints("Item.i", 0..=1);
        let bounds = bounds.len("S.m", 0..=1).len("S.v", 0..=1).ints("S.v", 0..=1);
        let item = |i| Some(Box::new(Item { i }));
        let mut all = vec![];
        for key in 0..2 {
            for has in [false, true] {
                for item in [None, item(0), item(1)] {
                    all.push(BTreeMap::from([(key, (has, item))]));
                }
            }
        }
        all.push(BTreeMap::new());
        let first = all.into_iter().map(|m| S { m, v: vec![] }).filter(S::rep_ok).count();
        // No element; none in the map; one, with one of two keys and two items.
        // Two boxes may not own one object, so the engine that knows no owners has no part in this.
        for options in [Options::audited(), Options::default()] {
            assert_eq!(count::<S>(&bounds, options).0, first as u64 * (1 + 1 + 4));
        }
    }
}

/// A bound of a component goes before that of the field.
mod bounded_components {
    use super::*;

    #[derive(Bounded, Debug)]
    #[bounded(no_invariant)]
    pub struct S {
        v: Vec<(u32, u16)>,
        t: (u8, (u8, u8)),
    }

    fn count(bounds: &Bounds) -> u64 {
        super::count::<S>(bounds, Options::default()).0
    }

    #[test]
    fn components_have_bounds_of_their_own() {
        let base = Bounds::exact().len("S.v", 1..=1).ints("S.t", 0..=1);
        assert_eq!(count(&base.clone().ints("S.v", 0..=4)), 25 * 8);
        assert_eq!(count(&base.clone().ints("S.v.0", 0..=9).ints("S.v.1", 1..=3)), 30 * 8);
        assert_eq!(count(&base.clone().ints("S.v", 0..=4).ints("S.v.1", 1..=3)), 15 * 8);
        assert_eq!(count(&base.clone().ints("S.v", 0..=0).ints("S.t.1.0", 1..=3)), 12);
        assert_eq!(count(&Bounds::scope(1).ints("S.v.1", 0..=6)), 8);
    }

    #[test]
    fn a_component_that_is_not_there_is_named() {
        let error =
            Search::<S>::new(&Bounds::scope(1).ints("S.v.2", 0..=6), Options::default()).err().unwrap();
        let text = error.to_string();
        assert!(text.contains("S.v.2") && text.contains("S.v.0") && text.contains("S.v.1"), "{text}");
    }
}

/// Tuples are drawn as such.
#[test]
fn drawings_show_tuples() {
    #[derive(Bounded, Debug)]
    #[bounded(no_invariant)]
    pub struct S {
        v: Vec<(u8, bool)>,
        o: Option<(u8, u8)>,
    }
    let bounds =
        Bounds::exact().len("S.v", 2..=2).ints("S.v", 1..=1).ints("S.o", 2..=2).nullable("S.o", false);
    let mut search = Search::<S>::new(&bounds, Options::default()).unwrap();
    let value = search.next_value().unwrap().unwrap();
    assert_eq!(format!("{value:?}"), "S { v: [(1, false), (1, false)], o: Some((2, 2)) }");
    assert_eq!(search.drawing().to_string(), "value: v = 2 elements, (1, false), (1, false), o = (2, 2)");
}

/// Components are compared without a value.
#[test]
fn few_candidates() {
    let bounds = Bounds::exact().len("S.v", 0..=2).ints("S.v", 0..=2).ints("S.n", 0..=3);
    let few = [
        count::<components::S>(&bounds, Options::default()).1,
        count::<neighbours::S>(&bounds, Options::default()).1,
        count::<closure_pattern::S>(&bounds, Options::default()).1,
        count::<closure_with_reference::S>(&bounds, Options::default()).1,
        count::<zipped::S>(&bounds, Options::default()).1,
        count::<zipped_apart::S>(&bounds, Options::default()).1,
        count::<loop_pattern::S>(&bounds, Options::default()).1,
        count::<let_pattern::S>(&bounds, Options::default()).1,
        count::<let_reference::S>(&bounds, Options::default()).1,
        count::<let_copy::S>(&bounds, Options::default()).1,
        count::<ends::S>(&bounds, Options::default()).1,
        count::<sorted_by::S>(&bounds, Options::default()).1,
        count::<sorted_references::S>(&bounds, Options::default()).1,
    ];
    assert!(few.iter().all(|&few| few <= 10), "{few:?}");
}
