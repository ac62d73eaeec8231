//! Functions that take sets and maps look at as much of them as the invariant would: in the block, and marked `#[mirror]`.

use super::*;
use smallscope::mirror;

/// Candidates that a search explores and values that it finds, if these are the ones that the invariant accepts.
macro_rules! agreed {
    ($t:ty, $scope:expr) => {{
        #[derive(Bounded)]
        #[bounded(no_invariant)]
        struct Any(#[bounded(unchecked)] $t);

        let bounds = Bounds::scope($scope);
        let mut numbers = (0, 0);
        for options in [Options::audited(), Options::korat(), Options::default()] {
            let mut search = Search::<$t>::new(&bounds, options).unwrap();
            let mut expected: Vec<$t> =
                smallscope::all::<Any>(&bounds).map(|any| any.0).filter(<$t>::rep_ok).collect();
            numbers.1 = expected.len();
            while let Some(found) = search.next_value() {
                let found = found.unwrap();
                let place = expected.iter().position(|value| *value == found);
                expected.swap_remove(place.expect("a value that is expected, once"));
            }
            assert!(expected.is_empty());
            numbers.0 = search.outcome().explored;
        }
        numbers
    }};
}

#[derive(Bounded, Debug, PartialEq)]
struct Inline {
    used: BTreeSet<u8>,
    free: BTreeSet<u8>,
    dirty: HashSet<u8>,
}

#[rep_ok]
impl Inline {
    fn rep_ok(&self) -> bool {
        self.used.is_disjoint(&self.free)
            && self.dirty.iter().all(|k| self.used.contains(k))
            && (0..3).all(|k| self.used.contains(&k) || self.free.contains(&k))
    }
}

#[derive(Bounded, Debug, PartialEq)]
struct InTheBlock {
    used: BTreeSet<u8>,
    free: BTreeSet<u8>,
    dirty: HashSet<u8>,
}

#[rep_ok]
impl InTheBlock {
    fn rep_ok(&self) -> bool {
        Self::apart(&self.used, &self.free)
            && Self::inside(&self.dirty, &self.used)
            && Self::cover(&self.used, &self.free)
    }

    fn apart(a: &BTreeSet<u8>, b: &BTreeSet<u8>) -> bool {
        a.is_disjoint(b)
    }

    fn inside(dirty: &HashSet<u8>, used: &BTreeSet<u8>) -> bool {
        dirty.iter().all(|k| used.contains(k))
    }

    fn cover(a: &BTreeSet<u8>, b: &BTreeSet<u8>) -> bool {
        (0..3).all(|k| a.contains(&k) || b.contains(&k))
    }
}

#[derive(Bounded, Debug, PartialEq)]
struct Marked {
    used: BTreeSet<u8>,
    free: BTreeSet<u8>,
    dirty: HashSet<u8>,
}

#[mirror]
fn apart(a: &BTreeSet<u8>, b: &BTreeSet<u8>) -> bool {
    a.is_disjoint(b)
}

#[mirror]
fn inside(dirty: &HashSet<u8>, used: &BTreeSet<u8>, from: u8) -> bool {
    from == 9 || dirty.iter().all(|k| used.contains(k)) && inside(dirty, used, 9)
}

#[mirror]
fn least(set: &BTreeSet<u8>) -> Option<&u8> {
    set.first()
}

#[rep_ok(fn apart, fn inside, fn least)]
impl Marked {
    fn rep_ok(&self) -> bool {
        let more: BTreeSet<u8> = (5..9).collect();
        apart(&self.used, &self.free)
            && inside(&self.dirty, &self.used, 0)
            && (0..3).all(|k| self.used.contains(&k) || self.free.contains(&k))
            && apart(&self.used, &more)
            && least(&more) == Some(&5)
            && (self.free.len() == 3 || least(&self.used).is_some())
    }
}

#[test]
fn helpers_look_at_as_much_as_the_invariant() {
    assert_eq!(agreed!(Inline, 3), (27, 27));
    assert_eq!(agreed!(InTheBlock, 3), (27, 27));
    // A function that returns a reference is given whole sets.
    assert_eq!(agreed!(Marked, 3), (46, 27));
}

#[derive(Bounded, Debug, PartialEq)]
struct Lists {
    by_key: BTreeMap<u8, Vec<u8>>,
    hashed: HashMap<u8, Option<u8>>,
}

#[rep_ok]
impl Lists {
    fn rep_ok(&self) -> bool {
        let local = BTreeMap::from([(0, vec![1, 0])]);
        Self::ascending(&self.by_key) && !Self::ascending(&local) && Self::known(&self.hashed, &self.by_key)
    }

    fn ascending(map: &BTreeMap<u8, Vec<u8>>) -> bool {
        map.values().all(|v| v.windows(2).all(|w| w[0] < w[1])) && map.iter().all(|(k, v)| !v.contains(k))
    }

    fn known(hashed: &HashMap<u8, Option<u8>>, lists: &BTreeMap<u8, Vec<u8>>) -> bool {
        hashed.iter().all(|(k, v)| match (v, lists.get(k)) {
            (Some(v), Some(list)) => list.first() == Some(v),
            (None, None) => true,
            _ => false,
        })
    }
}

#[test]
fn helpers_take_maps_of_vectors() {
    assert!(agreed!(Lists, 2).1 > 0);
}

#[derive(Bounded, Debug, PartialEq)]
struct MarkedMap {
    next: BTreeMap<u8, u8>,
}

#[mirror]
fn ends(next: &BTreeMap<u8, u8>) -> bool {
    next.iter().all(|(k, v)| k < v && !next.contains_key(v))
}

#[rep_ok(fn ends)]
impl MarkedMap {
    fn rep_ok(&self) -> bool {
        ends(&self.next) && ends(&BTreeMap::from([(0, 1)]))
    }
}

#[test]
fn marked_functions_ask_about_keys_of_maps() {
    assert_eq!(agreed!(MarkedMap, 4), (40, 15));
}
