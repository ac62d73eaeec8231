//! Filling the elements of long sequences.
//!
//! In a layout that fills, an element of a sequence that can be long has one value: the one that a rule or a random number
//! chooses. So the search of such a layout goes through lengths and everything else, and a candidate there means one value, as
//! everywhere.

use super::known::SharedDomain;
use super::{At, Builder};
use crate::bounds::{Bounds, WHOLE, long};
use crate::error::Error;
use crate::ids::PoolId;
use crate::layout::{Code, Kind};
use crate::link::Component;
use crate::mirror::root::Root;
use crate::options::Engine;
use crate::site::FieldSite;
use std::ops::Range;
use std::rc::Rc;

/// Which of so many values the element of a number has. `place` tells elements apart that have the same number.
fn choice(rule: u64, element: u32, place: u64, count: usize) -> usize {
    let (element, last) = (element as usize, count.saturating_sub(1));
    match rule {
        0 => 0,
        1 => last,
        2 => element.min(last),
        3 => last - element.min(last),
        4 => element % count.max(1),
        _ => (mix(mix(rule) ^ place) % count.max(1) as u64) as usize,
    }
}

/// The mixing function of SplitMix64.
fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// What is being filled.
#[derive(Default)]
pub(crate) struct Filling {
    /// The rule, if this layout fills.
    rule: Option<u64>,
    /// The fields that can be long.
    sites: Vec<(*const FieldSite, Component)>,
    /// The pools whose objects are elements of long vectors.
    pools: Vec<PoolId>,
    /// The element that is being linked.
    element: Option<u32>,
    /// How many objects the next pool has at least, if it is for a long vector.
    least_objects: Option<u32>,
    /// Tables of one value: which value of which table, and the number of what is known about it.
    singles: Vec<((usize, usize), usize)>,
}

impl Filling {
    pub fn new(bounds: &Bounds) -> Filling {
        Filling { rule: bounds.fill(), ..Filling::default() }
    }

    /// Gives a pool enough objects for a long vector.
    pub fn grow_pool(&mut self, size: &mut u32, masks: &mut Vec<u64>) {
        if let Some(least) = self.least_objects.take() {
            *size = (*size).max(least);
            masks.resize(*size as usize + 1, 1 << WHOLE);
        }
    }

    /// Begins an object of a pool.
    pub fn enter_object(&mut self, pool: PoolId, object: usize) {
        self.element = self.pools.contains(&pool).then_some(object as u32);
    }

    /// Ends an element.
    pub fn leave(&mut self) {
        self.element = None;
    }
}

/// Returns the bounds in which counters can count long lengths, if elements are filled. Which lengths these are is known
/// when everything is linked, so a copy of the root is linked with the least scope.
pub(super) fn with_counters(root: &'static dyn Root, bounds: &Bounds) -> Bounds {
    if bounds.fill().is_none() {
        return bounds.clone();
    }
    let mut b = Builder::new(&long::without_rule(bounds).within(0), Engine::Korat, false);
    b.link_all(root.blank_copy());
    let mut all = vec![];
    for (_, lengths) in &b.layout.long {
        all.extend_from_slice(lengths);
    }
    all.sort_unstable();
    all.dedup();
    long::with_all(bounds, all)
}

/// Notes the long lengths of a field.
pub(super) fn note(b: &mut Builder, at: At) {
    let lengths = long::of(&b.bounds, b.components.site(at));
    let site = (std::ptr::from_ref(at.site), at.component);
    if lengths.is_empty() || b.filling.sites.contains(&site) {
        return;
    }
    b.filling.sites.push(site);
    let name = b.components.site(at).to_string();
    b.layout.long.push((name, lengths));
}

/// Whether a sequence can be long in this layout.
fn is_long(b: &Builder, at: At) -> bool {
    b.filling.rule.is_some() && b.filling.sites.contains(&(std::ptr::from_ref(at.site), at.component))
}

/// Begins an element of a sequence.
pub(crate) fn enter(b: &mut Builder, at: At, element: usize) {
    if is_long(b, at) {
        b.filling.element = Some(element as u32);
    }
}

/// Ends the elements of a sequence.
pub(crate) fn leave(b: &mut Builder) {
    b.filling.leave();
}

/// Begins the pool of a vector of objects.
pub(crate) fn expect(b: &mut Builder, at: At, lengths: &[u32]) {
    if is_long(b, at) {
        b.filling.least_objects = lengths.iter().max().copied();
    }
}

/// Ends what `expect` has begun: the objects of the pool are filled.
pub(crate) fn check_pool(b: &mut Builder, at: At, pool: PoolId, size: usize) {
    let least = b.filling.least_objects.take();
    if !is_long(b, at) {
        return;
    }
    b.filling.pools.push(pool);
    if let Some(least) = least.filter(|least| *least as usize > size) {
        let why = format!(
            "a length of {least} needs as many objects, and another field has made a pool of {size}; give the field a pool \
             of its own (`#[bounded(pool = \"..\")]`)"
        );
        b.fail(Error::Contradiction { at: at.site.to_string(), why });
    }
}

/// Which values of a table a cell has, and the number of what is known about these: all of them, or the one of an element.
pub(super) fn kept(b: &mut Builder, is_plain: bool, shared: usize, at: At) -> (Range<usize>, usize) {
    let SharedDomain { len, kind, .. } = b.shared[shared];
    let (Some(rule), Some(element)) = (b.filling.rule, b.filling.element) else { return (0..len, shared) };
    let Kind::Values { frugal, .. } = kind else { return refuse(b, len, shared, at) };
    if !is_plain {
        return refuse(b, len, shared, at);
    }
    let first = choice(rule, element, b.layout.slots.len() as u64, len);
    let key = (shared, first);
    if let Some((_, single)) = b.filling.singles.iter().find(|(known, _)| *known == key) {
        return (first..first + 1, *single);
    }
    let d = &b.shared[shared];
    let is_none = first < d.nones as usize;
    let texts = d.texts.clone();
    let single = SharedDomain {
        nones: u32::from(is_none),
        code: d.code.filter(|_| !is_none).map(|code| Code { base: code.base + first as i64, ..code }),
        keys: None,
        len: 1,
        kind: Kind::Values { count: 1, frugal },
        elements: d.elements.get(first).copied().into_iter().collect(),
        masks: d.masks.get(first).copied().into_iter().collect(),
        lengths: d.lengths.clone(),
        texts: Rc::new(move |_| texts(first as u32)),
    };
    b.shared.push(single);
    b.filling.singles.push((key, b.shared.len() - 1));
    (first..first + 1, b.shared.len() - 1)
}

fn refuse(b: &mut Builder, len: usize, shared: usize, at: At) -> (Range<usize>, usize) {
    let why = "only plain data is filled: numbers, characters, strings, plain enums, tuples and structs of these; so this \
               vector cannot be long";
    b.fail(Error::Contradiction { at: at.site.to_string(), why: why.into() });
    (0..len, shared)
}

/// A word of a length.
pub(crate) fn word(b: &Builder, letters: &[char], len: u32) -> String {
    let rule = b.filling.rule.unwrap_or(0);
    let mut word = String::new();
    for i in 0..len {
        word.extend(letters.get(choice(rule, i, u64::from(i), letters.len())));
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounded, Found, Options, Search};
    use std::ops::ControlFlow;

    fn all<T: Bounded>(bounds: &Bounds) -> Vec<T> {
        let mut search = Search::<T>::new(bounds, Options::default()).unwrap();
        let mut values = vec![];
        while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
            values.push(search.value().unwrap());
        }
        values
    }

    fn by(rule: u64, bounds: &Bounds) -> Vec<Vec<u8>> {
        all::<Vec<u8>>(&bounds.filled_by(rule))
    }

    #[test]
    fn a_search_does_not_see_long_lengths() {
        let plain = Bounds::scope(2);
        let long = plain.clone().filled("input.value", 64..=65);
        assert_eq!(all::<Vec<u8>>(&plain), all::<Vec<u8>>(&long));
        assert_eq!(plain.fingerprint(), long.fingerprint());
        let search = Search::<Vec<u8>>::new(&long, Options::default()).unwrap();
        assert_eq!(search.long_lengths(), [("input.value".to_owned(), vec![64, 65])]);
    }

    #[test]
    fn rules_fill_elements() {
        let bounds = Bounds::scope(3).len("input.value", 0..=1).filled("input.value", [4, 5]);
        let of = |rule: u64| by(rule, &bounds);
        assert_eq!(of(0), [vec![], vec![0], vec![0; 4], vec![0; 5]]);
        assert_eq!(of(1)[2..], [vec![2; 4], vec![2; 5]]);
        assert_eq!(of(2)[2..], [vec![0, 1, 2, 2], vec![0, 1, 2, 2, 2]]);
        assert_eq!(of(3)[2..], [vec![2, 1, 0, 0], vec![2, 1, 0, 0, 0]]);
        assert_eq!(of(4)[2..], [vec![0, 1, 2, 0], vec![0, 1, 2, 0, 1]]);
        assert_eq!(of(5), of(5));
        assert_ne!(of(5), of(6));
    }

    #[test]
    fn strings_and_tuples_are_filled() {
        let bounds = Bounds::scope(2).len("input.value", 0..=1).filled("input.value", [3]);
        let words = all::<String>(&bounds.filled_by(2));
        assert_eq!(words, ["", "a", "b", "abb"]);
        let pairs = all::<Vec<(u8, bool)>>(&bounds.filled_by(1));
        assert_eq!(pairs[2], [(1, true); 3]);
    }

    #[test]
    fn what_cannot_be_filled_is_an_error() {
        let bounds = Bounds::scope(2).filled("input.value", [9]);
        let error = |why: &str, error: Option<Error>| assert!(error.unwrap().to_string().contains(why));
        let filled = bounds.filled_by(0);
        error("only plain data", Search::<Vec<Vec<u8>>>::new(&filled, Options::default()).err());
        type Set = std::collections::BTreeSet<u8>;
        error("set or map", Search::<Set>::new(&bounds, Options::default()).err());
        error("neither a vector", Search::<u8>::new(&bounds, Options::default()).err());
    }

    #[test]
    fn a_size_is_a_scope_beside_long_lengths() {
        let of = |bounds: Bounds| all::<Vec<u8>>(&bounds.filled("input.value", [9]).filled_by(0));
        assert_eq!(of(Bounds::size(2)), of(Bounds::scope(2)));
        assert!(of(Bounds::size(2)).contains(&vec![0; 9]));
    }
}
