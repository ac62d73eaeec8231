//! Sets and maps of every kind are asked about key by key: with `Key`, under a size, with many contents.

use super::*;
use smallscope::Key;

/// Candidates that a search explores and values that it finds, if these are the ones that the invariant accepts; and how
/// many candidates the published algorithm explores.
macro_rules! agreed {
    ($t:ty, $bounds:expr) => {{
        #[derive(Bounded)]
        #[bounded(no_invariant)]
        struct Any(#[bounded(unchecked)] $t);

        let bounds: Bounds = $bounds;
        let all = smallscope::all::<Any>(&bounds).map(|any| any.0);
        let mut expected: Vec<String> = all.filter(<$t>::rep_ok).map(|value| format!("{value:?}")).collect();
        expected.sort();
        let [audited, korat, lazy] =
            [Options::audited(), Options::korat(), Options::default()].map(|options| {
                let (found, explored) = texts::<$t>(&bounds, options);
                assert!(found == expected, "{} found, {} expected", found.len(), expected.len());
                explored
            });
        assert!(audited >= lazy);
        (lazy, expected.len(), korat)
    }};
}

macro_rules! cases {
    ($($name:ident { $($field:ident: $t:ty),* } |$s:ident| $body:expr, $bounds:expr => $numbers:expr;)*) => { $(
        #[test]
        fn $name() {
            #[derive(Bounded, Debug)]
            struct S { $($field: $t),* }

            #[rep_ok]
            impl S {
                fn rep_ok(&self) -> bool {
                    let $s = self;
                    $body
                }
            }

            assert_eq!(agreed!(S, $bounds), $numbers);
        }
    )* };
}

// Candidates of the lazy engine, values, candidates of the published algorithm.
cases! {
    keys_in_both { a: BTreeSet<Key>, b: BTreeSet<Key> } |s| s.a.is_subset(&s.b) && s.a.len() == 2,
        Bounds::scope(4) => (16, 24, 256);
    a_key_in_a_set { a: BTreeSet<Key>, h: HashSet<Key>, k: Key } |s| s.a.contains(&s.k) && !s.h.contains(&s.k),
        Bounds::scope(3) => (3, 48, 108);
    bounds_of_keys { a: BTreeSet<Key>, k: Key, l: Key } |s| {
        s.a.first() == Some(&s.k) && s.a.last() == Some(&s.l) && s.a.range(..s.l).count() == 1
    }, Bounds::scope(4) => (37, 6, 109);
    keys_in_a_loop { a: BTreeSet<Key>, v: Vec<Key> } |s| {
        for k in &s.a {
            if !s.v.contains(k) {
                return false;
            }
        }
        s.v.len() == s.a.len() && s.v.windows(2).all(|w| w[0] < w[1])
    }, Bounds::scope(4) => (827, 16, 4004);
    keys_of_maps { m: BTreeMap<Key, u8>, h: HashMap<Key, bool>, a: BTreeSet<Key> } |s| {
        s.m.keys().all(|k| s.a.contains(k)) && s.a.len() == s.m.len() && s.h.keys().all(|k| s.m.contains_key(k))
    }, Bounds::scope(2).len("S.h", 0..=1) => (16, 33, 53);
    values_of_keys { m: BTreeMap<Key, BTreeSet<Key>> } |s| {
        s.m.iter().all(|(k, set)| set.iter().all(|n| n != k && s.m.get(n).is_some_and(|back| back.contains(k))))
    }, Bounds::scope(3) => (72, 18, 218);
    pairs_of_keys { edges: BTreeSet<(Key, Key)>, nodes: BTreeSet<Key> } |s| {
        s.edges.iter().all(|(a, b)| a < b && s.nodes.contains(a) && s.nodes.contains(b)) && !s.edges.is_empty()
    }, Bounds::scope(3).len("S.edges", 0..=2) => (26, 9, 179);
    sets_by_size { a: BTreeSet<u8>, b: BTreeSet<u8>, v: Vec<u8> } |s| {
        s.a.is_subset(&s.b) && s.v.iter().all(|x| s.a.contains(x))
    }, Bounds::size(5) => (741, 252, 1653);
    maps_by_size { m: BTreeMap<u8, BTreeSet<u8>>, h: HashSet<u8> } |s| {
        s.h.iter().all(|k| s.m.contains_key(k)) && s.m.values().all(|set| set.contains(&0))
    }, Bounds::size(4) => (294, 51, 407);
    words_by_size { a: BTreeSet<String>, b: HashSet<String> } |s| s.a.contains("a") && !s.b.contains("a"),
        Bounds::size(4) => (1, 10, 118);
    keys_by_size { m: BTreeMap<Key, Key>, a: BTreeSet<Key> } |s| s.m.values().all(|v| s.a.contains(v)),
        Bounds::size(4) => (229, 312, 988);
}

cases! {
    optional { a: Option<BTreeSet<u8>>, b: BTreeSet<u8> } |s| match &s.a {
        Some(a) => a.contains(&1) && a.is_subset(&s.b),
        None => s.b.is_empty(),
    }, Bounds::scope(4) => (9, 28, 152);
    optional_if { a: Option<BTreeSet<u8>>, h: Option<HashSet<u8>> } |s| {
        if let Some(a) = &s.a {
            if !a.contains(&0) {
                return false;
            }
        }
        if let Some(h) = s.h.as_ref() { h.contains(&1) } else { s.a.is_none() }
    }, Bounds::scope(3).len("S.h", 0..=1) => (4, 6, 29);
    optional_else { a: Option<BTreeSet<Key>>, m: Option<BTreeMap<u8, u8>> } |s| {
        let Some(a) = &s.a else { return false };
        let Some(m) = &s.m else { return a.contains(&Key::new(0)) };
        m.contains_key(&1) && a.range(Key::new(1)..).count() == 0
    }, Bounds::scope(3) => (6, 100, 133);
    optional_closures { a: Option<BTreeSet<u8>>, m: Option<BTreeMap<u8, bool>>, n: usize } |s| {
        s.a.as_ref().is_some_and(|a| a.contains(&2))
            && s.m.as_ref().is_none_or(|m| m.contains_key(&0))
            && s.m.as_ref().map_or(s.n == 0, |m| m.len() == s.n && !m.contains_key(&1))
            && s.m.as_ref().map(|m| m.contains_key(&2)) != Some(true)
    }, Bounds::scope(3) => (37, 12, 105);
    optional_read { a: Option<BTreeSet<u8>>, m: Option<BTreeMap<u8, u8>> } |s| {
        s.a == Some(BTreeSet::from([1]))
            && s.m.as_ref().is_some_and(|m| m.values().all(|v| *v == 1))
            && s.a.clone().is_some_and(|a| a.len() == 1)
            && s.a.iter().flatten().eq(&[1])
            && s.m.as_ref().unwrap().get(&0).is_none()
    }, Bounds::scope(2) => (9, 2, 13);
    optional_values { v: Vec<Option<BTreeSet<u8>>>, m: BTreeMap<u8, Option<BTreeSet<u8>>> } |s| {
        s.v.iter().all(|x| x.as_ref().is_none_or(|a| a.contains(&0)))
            && s.m.values().all(|x| x.as_ref().is_some_and(|a| a.contains(&1)))
            && s.v.len() == 1
    }, Bounds::scope(2) => (322, 27, 322);
    optional_by_size { a: Option<BTreeSet<u8>>, b: BTreeSet<u8> } |s| {
        s.a.as_ref().is_some_and(|a| a.contains(&0)) && s.b.contains(&1)
    }, Bounds::size(5) => (33, 93, 273);
}

/// 16,384 contents.
#[derive(Bounded, Debug)]
struct Large {
    used: BTreeSet<u8>,
    free: BTreeSet<u8>,
}

#[rep_ok]
impl Large {
    fn rep_ok(&self) -> bool {
        self.used.contains(&3)
            && self.used.len() == 2
            && (0..14).all(|k| self.used.contains(&k) != self.free.contains(&k))
    }
}

/// 2 of 256 keys, which are 32,897 contents.
#[derive(Bounded, Debug)]
struct Bytes {
    a: BTreeSet<u8>,
    b: BTreeSet<u8>,
}

#[rep_ok]
impl Bytes {
    fn rep_ok(&self) -> bool {
        self.a.contains(&255) && self.a.first() == Some(&17) && self.b.iter().eq([3, 200].iter())
    }
}

#[test]
fn sets_with_many_contents_are_asked() {
    let bounds = Bounds::exact()
        .len("Large.used", 0..=14)
        .len("Large.free", 0..=14)
        .ints("Large.used", 0..=13)
        .ints("Large.free", 0..=13);
    let (found, explored) = texts::<Large>(&bounds, Options::default());
    assert_eq!((found.len(), explored), (13, 133));
    let bounds = Bounds::exact()
        .len("Bytes.a", 0..=2)
        .ints("Bytes.a", 0..=255)
        .len("Bytes.b", 0..=2)
        .ints("Bytes.b", 0..=255);
    let (found, explored) = texts::<Bytes>(&bounds, Options::default());
    assert_eq!(found, ["Bytes { a: {17, 255}, b: {3, 200} }"]);
    assert_eq!(explored, 764);
}
