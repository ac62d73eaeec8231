//! Invariants as users write them, with the number of candidates that a search explores at scopes 3 and 4.

use super::*;

/// Explored candidates and values at a scope.
fn at<T: Bounded + std::fmt::Debug>(scope: u32) -> (u64, usize) {
    let (values, explored) = texts::<T>(&Bounds::scope(scope), Options::default());
    (explored, values.len())
}

#[derive(Bounded, Debug)]
struct Graph {
    adjacent: BTreeMap<u8, BTreeSet<u8>>,
}

#[rep_ok]
impl Graph {
    fn rep_ok(&self) -> bool {
        for (v, neighbours) in &self.adjacent {
            for n in neighbours {
                match self.adjacent.get(n) {
                    Some(back) if back.contains(v) => {}
                    _ => return false,
                }
            }
        }
        true
    }
}

#[derive(Bounded, Debug)]
struct GraphByIndex {
    adjacent: BTreeMap<u8, BTreeSet<u8>>,
}

#[rep_ok]
impl GraphByIndex {
    fn rep_ok(&self) -> bool {
        self.adjacent.iter().all(|(v, ns)| {
            ns.iter().all(|n| n != v && self.adjacent.contains_key(n) && self.adjacent[n].contains(v))
        })
    }
}

#[derive(Bounded, Debug)]
struct Partition {
    used: BTreeSet<u8>,
    free: BTreeSet<u8>,
}

#[rep_ok]
impl Partition {
    fn rep_ok(&self) -> bool {
        self.used.is_disjoint(&self.free) && (0..3).all(|i| self.used.contains(&i) || self.free.contains(&i))
    }
}

#[derive(Bounded, Debug)]
struct Cached {
    values: BTreeMap<u8, u8>,
    dirty: HashSet<u8>,
    known: BTreeSet<u8>,
}

#[rep_ok]
impl Cached {
    fn rep_ok(&self) -> bool {
        self.known.len() == self.values.len()
            && self.values.keys().all(|k| self.known.contains(k))
            && self.dirty.iter().all(|k| self.values.contains_key(k))
    }
}

#[derive(Bounded, Debug)]
struct Index {
    words: Vec<u8>,
    positions: BTreeMap<u8, BTreeSet<usize>>,
}

#[rep_ok]
impl Index {
    fn rep_ok(&self) -> bool {
        for (i, word) in self.words.iter().enumerate() {
            match self.positions.get(word) {
                Some(places) if places.contains(&i) => {}
                _ => return false,
            }
        }
        self.positions.iter().all(|(word, places)| {
            !places.is_empty() && places.iter().all(|&i| i < self.words.len() && self.words[i] == *word)
        })
    }
}

#[derive(Bounded, Debug)]
struct Family {
    sets: Vec<BTreeSet<u8>>,
}

#[rep_ok]
impl Family {
    fn rep_ok(&self) -> bool {
        for (i, a) in self.sets.iter().enumerate() {
            for b in &self.sets[i + 1..] {
                if !self.sets.contains(&(a | b)) {
                    return false;
                }
            }
        }
        true
    }
}

#[derive(Bounded, Debug)]
struct Chain {
    small: BTreeSet<u8>,
    middle: BTreeSet<u8>,
    large: BTreeSet<u8>,
}

#[rep_ok]
impl Chain {
    fn rep_ok(&self) -> bool {
        self.small.is_subset(&self.middle)
            && self.middle.is_subset(&self.large)
            && self.small.len() < self.large.len()
    }
}

#[derive(Bounded, Debug)]
struct Bimap {
    fwd: BTreeMap<u8, u8>,
    rev: BTreeMap<u8, u8>,
}

#[rep_ok]
impl Bimap {
    fn rep_ok(&self) -> bool {
        self.fwd.len() == self.rev.len() && self.fwd.iter().all(|(k, v)| self.rev.get(v) == Some(k))
    }
}

/// Before sets were asked about, these numbers were 435, 218, 64, 120, 218 and 276 in scope 3.
#[test]
fn invariants_that_look_keys_up_explore_few_candidates() {
    assert_eq!([at::<Graph>(3), at::<Graph>(4)], [(197, 95), (3212, 1337)]);
    assert_eq!([at::<GraphByIndex>(3), at::<GraphByIndex>(4)], [(72, 18), (582, 113)]);
    assert_eq!([at::<Partition>(3), at::<Partition>(4)], [(8, 8), (16, 24)]);
    assert_eq!([at::<Cached>(3), at::<Cached>(4)], [(46, 343), (116, 6561)]);
    assert_eq!([at::<Chain>(3), at::<Chain>(4)], [(35, 56), (102, 240)]);
    assert_eq!([at::<Bimap>(3), at::<Bimap>(4)], [(235, 34), (2377, 209)]);
    assert_eq!([at::<Index>(2), at::<Index>(3)], [(58, 7), (730, 40)]);
}

/// It makes new sets of its sets, so it reads them.
#[test]
fn a_family_that_is_closed_under_union_is_read() {
    assert_eq!([at::<Family>(2), at::<Family>(3)], [(18, 19), (578, 339)]);
}
