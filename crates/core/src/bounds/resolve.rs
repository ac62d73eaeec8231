//! Answering the questions that linking asks: which objects, integers, lengths, letters.

use super::{
    Bound, Bounds, DEFAULT_ALPHABET, FIRST_EDGES, Growth, IntSet, MAX_DEEPENING, MAX_DOMAIN, MAX_SLOTS,
    WHOLE, add_name, edges, long, mistakes, to_strings,
};
use crate::error::Error;
use crate::site::{FieldSite, TypeSite};
use std::collections::BinaryHeap;

/// What a field's values are for, which decides the default range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Data: `0..n`.
    Data,
    /// Keys, of which only the order matters: `0..n`, and no edge values.
    Key,
    /// Counters: `0..=n`.
    Size,
    /// Data that cannot be zero: `1..=n`.
    NonZero,
}

/// Values of a field together with the scopes in which each is available: bit `s` for scope `s` up to
/// [`MAX_DEEPENING`], the highest bit for the whole bounds.
pub struct Choices<T> {
    /// The values in trying order.
    pub values: Vec<T>,
    /// One mask per value; all ones where the scope number has no influence.
    pub masks: Vec<u64>,
}

impl Bounds {
    /// The bits of the masks, and the scope that each stands for.
    fn scopes(&self) -> Vec<(u32, u32)> {
        let n = self.edges_of.map(|n| n.min(FIRST_EDGES - 1)).or(self.scope).unwrap_or(0);
        let mut scopes = vec![];
        for scope in 0..=n.min(MAX_DEEPENING) {
            scopes.push((scope, scope));
        }
        scopes.push((WHOLE, self.whole.unwrap_or(n)));
        scopes
    }

    /// Whether smallest first goes by numbers of objects and lengths, too, if they are the same in every scope. A size
    /// bounds them together, and edge values come after the whole.
    fn has_growing_numbers(&self) -> bool {
        !self.is_size && !self.has_edges() && self.fill.is_none()
    }

    /// Returns the numbers that a set has in the pass of smallest first that these bounds are for, given what it is in each
    /// scope, and whether numbers above the least one wait for later passes.
    fn numbers(&self, at: &dyn Fn(u32) -> Option<IntSet>) -> Option<(IntSet, bool)> {
        let mut numbers = at(self.scope.unwrap_or(0))?;
        let whole = self.whole.or(self.scope).unwrap_or(0);
        let is_whole = |scope| at(scope).is_some_and(|set| set == numbers);
        let grows = self.has_growing_numbers() && (0..=whole.min(MAX_DEEPENING)).all(is_whole);
        if let Some(cut) = self.cut.filter(|_| grows) {
            let before = numbers.len();
            numbers.keep_up_to(i128::from(cut));
            let Growth { passes, is_cut } = self.growth.get();
            self.growth.set(Growth { passes, is_cut: is_cut || numbers.len() < before });
        }
        Some((numbers, grows))
    }

    /// For each of some numbers in ascending order, the passes that allow it, if numbers above the least one wait for the
    /// pass of the same number.
    fn masks_of_growing(&self, numbers: impl Iterator<Item = u32>) -> Vec<u64> {
        let mut masks = vec![];
        for number in numbers {
            let first = if masks.is_empty() { 0 } else { number.min(WHOLE) };
            self.growth.set(Growth { passes: self.growth.get().passes | 1 << first, ..self.growth.get() });
            masks.push(u64::MAX << first);
        }
        masks
    }

    /// The masks of values by number: whether a value is available in a scope, and whether it is an edge value. With edge
    /// values, every value is one of the whole, and those of a scope of the test are marked.
    fn masks(
        &self,
        count: usize,
        is_available: &dyn Fn(u32, usize) -> bool,
        is_edge: &dyn Fn(usize) -> bool,
    ) -> Vec<u64> {
        let scopes = self.scopes();
        // In the passes behind the scope number, only numbers grow that do not depend on it.
        let last = self.scope.unwrap_or(0).min(MAX_DEEPENING);
        let behind = |mask: u64| match self.has_growing_numbers() && mask >> last & 1 == 1 {
            true => (1 << WHOLE) - (1 << last),
            false => 0,
        };
        let mut masks = Vec::with_capacity(count);
        for i in 0..count {
            let mut mask = match self.has_edges() {
                true => 1 << WHOLE | u64::from(is_available(1, i) || is_edge(i)) << FIRST_EDGES,
                // Each value belongs to the whole, also long lengths, which belong to no scope.
                false => u64::from(self.fill.is_some()) << WHOLE,
            };
            for &(bit, scope) in &scopes {
                if is_available(scope, i) {
                    mask |= 1 << bit;
                }
            }
            masks.push(mask | behind(mask));
        }
        masks
    }

    /// The scope that data has in a scope, if nothing is said about the field. With a size, fields that no invariant can
    /// compare have few values: more of them would multiply the values of each shape and tell nothing new about it.
    fn data_scope(&self, site: &FieldSite, scope: u32) -> u32 {
        if self.has_few_values(site) { scope.min(FEW) } else { scope }
    }

    /// Whether no invariant can compare a field. Inputs that are data themselves are there to be compared by the test.
    fn has_few_values(&self, site: &FieldSite) -> bool {
        let is_input = site.module.is_empty();
        self.is_uncompared && !is_input
    }

    /// For each number of objects and elements in a value, the scopes whose size allows it.
    pub(crate) fn size_masks(&self, size: u32) -> Vec<u64> {
        if !self.is_size {
            return vec![u64::MAX; size as usize + 1];
        }
        self.masks(size as usize + 1, &|scope, k| k <= scope as usize, &|_| false)
    }

    /// Returns the number of objects of a type in a pool, and for each number in use the scopes that allow it.
    pub(crate) fn pool_size(&self, of: &TypeSite, pool: Option<&str>) -> Result<(u32, Vec<u64>), Error> {
        let own = self.find(|b| matches!(b, Bound::Objects(_)), &|n| of.answers_to(n));
        let pooled = self.find(|b| matches!(b, Bound::Pool(_)), &|n| Some(n) == pool);
        // The numbers of objects in use.
        let at = |scope: u32| {
            let most = match (pooled.or(own), of.objects) {
                (Some(Bound::Objects(n) | Bound::Pool(n)), _) => Some(*n),
                (_, Some(f)) => Some(u32::try_from(f(i128::from(scope))).unwrap_or(0)),
                _ => self.scope.map(|_| scope),
            };
            most.map(|most| IntSet::Range(0, i128::from(most)))
        };
        // Structures with edge values are small, also if the number of objects is given.
        let most = self.scope.filter(|_| self.has_edges()).unwrap_or(u32::MAX);
        let Some((numbers, grows)) = self.numbers(&at) else {
            return Err(Error::EmptyDomain {
                at: of.name.into(),
                why: format!("the bounds have no scope number and no `objects(\"{}\", n)`", of.name),
            });
        };
        let size = u32::try_from(numbers.len() - 1).unwrap_or(u32::MAX).min(most);
        if size as usize > MAX_SLOTS {
            return Err(Error::TooLarge {
                at: of.name.into(),
                why: format!("{size} objects, at most {MAX_SLOTS} fit"),
            });
        }
        let masks = match grows {
            true => self.masks_of_growing(0..=size),
            false => {
                let has = |scope, k| at(scope).is_some_and(|numbers| numbers.contains(k as i128));
                self.masks(size as usize + 1, &has, &|_| false)
            }
        };
        Ok((size, masks))
    }

    /// The integers of a field.
    pub(crate) fn ints_of(
        &self,
        site: &FieldSite,
        role: Role,
        min: i128,
        max: i128,
    ) -> Result<Choices<i128>, Error> {
        let given = self.find_for(site, |b| matches!(b, Bound::Ints(_)));
        let explicit = given.is_some() || site.attrs.range.is_some() || site.attrs.set.is_some();
        let at = |scope: u32| -> Option<IntSet> {
            let s = i128::from(scope);
            if let Some(Bound::Ints(set)) = given {
                return Some(set.clone());
            }
            if let Some(set) = site.attrs.set {
                return Some(IntSet::List(set(s)));
            }
            if let Some(range) = site.attrs.range {
                return Some(range(s).into());
            }
            let data = i128::from(self.data_scope(site, scope));
            let is_counter = role == Role::Size && !self.has_few_values(site);
            self.scope.map(|_| match role {
                Role::NonZero => IntSet::Range(1, data.max(1)),
                _ if is_counter => IntSet::Range(0, s),
                _ => IntSet::Range(0, (data - 1).max(0)),
            })
        };
        let Some(set) = at(self.scope.unwrap_or(0)) else {
            return Err(
                self.nothing_given(site, format!("`ints(\"{site}\", 0..=9)` or `#[bounded(range = 0..=9)]`"))
            );
        };
        if set.len() > u128::from(MAX_DOMAIN) {
            return Err(mistakes::too_many(site, set.len()));
        }
        let mut values = vec![];
        for value in set.to_vec() {
            if (min..=max).contains(&value) {
                values.push(value);
            } else if explicit {
                let why = mistakes::misfit(&value.to_string(), min, max);
                return Err(Error::Contradiction { at: site.to_string(), why });
            }
        }
        let more = match self.find_for(site, |b| matches!(b, Bound::EdgeInts(_))) {
            Some(Bound::EdgeInts(more)) => Some(more),
            _ => None,
        };
        let more_values = more.map(IntSet::to_vec).unwrap_or_default();
        for bad in &more_values {
            if !(min..=max).contains(bad) {
                let why = mistakes::misfit(&format!("the edge value {bad}"), min, max);
                return Err(Error::Contradiction { at: site.to_string(), why });
            }
        }
        let edges_of_type = |few: bool| match self.has_edges() && !explicit && role != Role::Key {
            true => edges::ints(site, role == Role::Size, (min, max), few),
            false => vec![],
        };
        if self.has_edges() {
            add_new(&mut values, &edges_of_type(edges::are_few(self)));
            add_new(&mut values, &more_values);
        }
        if role == Role::Size && !explicit {
            add_new(&mut values, &long::up_to(self, max));
        }
        if values.is_empty() {
            return Err(Error::EmptyDomain {
                at: site.to_string(),
                why: "its set of integers is empty; give some, such as `0..=9`".into(),
            });
        }
        if let Some(twice) = listed_twice(&values) {
            return Err(Error::Contradiction {
                at: site.to_string(),
                why: format!("{twice} is listed twice, so values would be delivered twice"),
            });
        }
        let many = edges_of_type(false);
        let masks =
            self.masks(values.len(), &|s, i| at(s).is_some_and(|set| set.contains(values[i])), &|i| {
                many.contains(&values[i]) || more.is_some_and(|more| more.contains(values[i]))
            });
        Ok(Choices { values, masks })
    }

    /// The lengths of a field.
    #[inline]
    pub(crate) fn lengths_of(&self, site: &FieldSite) -> Result<Choices<u32>, Error> {
        let given = self.find_for(site, |b| matches!(b, Bound::Lengths(_)));
        let at = |scope: u32| -> Option<IntSet> {
            let s = i128::from(scope);
            match (given, site.attrs.len) {
                (Some(Bound::Lengths(set)), _) => Some(set.clone()),
                (_, Some(range)) => Some(range(s).into()),
                _ => self.scope.map(|_| IntSet::Range(0, s)),
            }
        };
        let Some((set, grows)) = self.numbers(&at) else {
            return Err(
                self.nothing_given(site, format!("`len(\"{site}\", 0..=4)` or `#[bounded(len = 0..=4)]`"))
            );
        };
        if set.len() > u128::from(MAX_DOMAIN) {
            return Err(mistakes::too_many(site, set.len()));
        }
        let mut lengths: Vec<i128> = set.to_vec();
        if self.fill.is_some() {
            lengths.extend(long::of(self, site));
        }
        if lengths.is_empty() {
            return Err(Error::EmptyDomain {
                at: site.to_string(),
                why: "its set of lengths is empty; give some, such as `0..=3`".into(),
            });
        }
        if let Some(bad) = lengths.iter().find(|&&l| !(0..=MAX_DOMAIN as i128).contains(&l)) {
            return Err(Error::TooLarge {
                at: site.to_string(),
                why: format!("{bad} is not a length; give some from 0 to {MAX_DOMAIN}, such as `0..=3`"),
            });
        }
        lengths.sort_unstable();
        lengths.dedup();
        if let (true, Some(scope)) = (self.has_edges(), self.scope) {
            let most = lengths[0].max(i128::from(scope));
            lengths.retain(|length| *length <= most);
        }
        let values: Vec<u32> = lengths.into_iter().map(|l| l as u32).collect();
        let masks = match grows {
            true => self.masks_of_growing(values.iter().copied()),
            false => {
                let has = |scope, i: usize| at(scope).is_some_and(|set| set.contains(i128::from(values[i])));
                self.masks(values.len(), &has, &|_| false)
            }
        };
        Ok(Choices { values, masks })
    }

    /// The characters of a field.
    #[inline]
    pub(crate) fn alphabet_of(&self, site: &FieldSite) -> Result<Choices<char>, Error> {
        let given = match self.find_for(site, |b| matches!(b, Bound::Alphabet(_))) {
            Some(Bound::Alphabet(letters)) => Some(letters.as_str()),
            _ => site.attrs.alphabet,
        };
        let more = self.find_for(site, |b| matches!(b, Bound::EdgeCharacters(_)));
        let more: Vec<char> = match more {
            Some(Bound::EdgeCharacters(more)) if self.has_edges() => more.chars().collect(),
            _ => vec![],
        };
        let chars: Vec<char> = match (given, self.scope) {
            (Some(letters), _) => letters.chars().collect(),
            (None, Some(n)) => {
                let n = self.data_scope(site, n);
                let mut letters: Vec<char> = DEFAULT_ALPHABET.chars().take(n.max(1) as usize).collect();
                if self.has_edges() {
                    add_new(&mut letters, &edges::characters(edges::are_few(self)));
                    add_new(&mut letters, &more);
                }
                let place = |letter| DEFAULT_ALPHABET.chars().position(|default| default == letter);
                let many = edges::characters(false);
                let count = |s| self.data_scope(site, s).max(1) as usize;
                let masks = self.masks(
                    letters.len(),
                    &|s, i| place(letters[i]).is_some_and(|place| place < count(s)),
                    &|i| many.contains(&letters[i]) || more.contains(&letters[i]),
                );
                return Ok(Choices { values: letters, masks });
            }
            (None, None) => {
                return Err(self.nothing_given(
                    site,
                    format!("`alphabet(\"{site}\", \"ab\")` or `#[bounded(alphabet = \"ab\")]`"),
                ));
            }
        };
        if chars.is_empty() {
            return Err(mistakes::empty_alphabet(site));
        }
        if let Some((i, c)) = chars.iter().enumerate().find(|(i, c)| chars[..*i].contains(c)) {
            return Err(Error::Contradiction {
                at: site.to_string(),
                why: format!("its alphabet lists {c:?} twice (again at position {i})"),
            });
        }
        let mut values = chars.clone();
        add_new(&mut values, &more);
        let masks = self.masks(values.len(), &|_, i| chars.contains(&values[i]), &|_| true);
        Ok(Choices { values, masks })
    }

    /// The chosen variants of a plain enum with these names, as indices.
    #[inline]
    pub(crate) fn variants_of(&self, site: &FieldSite, names: &[&str]) -> Result<Vec<u32>, Error> {
        let given = self.find_for(site, |b| matches!(b, Bound::Variants(_)));
        let chosen: Vec<String> = match (given, site.attrs.variants) {
            (Some(Bound::Variants(variants)), _) => variants.clone(),
            (_, Some(variants)) => to_strings(variants),
            _ => return Ok((0..names.len() as u32).collect()),
        };
        if chosen.is_empty() {
            return Err(Error::EmptyDomain {
                at: site.to_string(),
                why: "no variant is chosen; name some".into(),
            });
        }
        let mut out = vec![];
        for c in chosen {
            let Some(i) = names.iter().position(|n| *n == c) else {
                let known = to_strings(names);
                return Err(Error::UnknownName { what: "variant", name: format!("{site} = {c}"), known });
            };
            if out.contains(&(i as u32)) {
                return Err(Error::Contradiction {
                    at: site.to_string(),
                    why: format!("variant `{c}` is listed twice"),
                });
            }
            out.push(i as u32);
        }
        Ok(out)
    }

    /// Whether a nullable pointer field may be null; `None` when nothing was said.
    pub(crate) fn nullable_of(&self, site: &FieldSite) -> Option<bool> {
        match self.find_for(site, |b| matches!(b, Bound::Nullable(_))) {
            Some(Bound::Nullable(nullable)) => Some(*nullable),
            _ => site.attrs.non_null.then_some(false),
        }
    }

    fn nothing_given(&self, site: &FieldSite, hint: String) -> Error {
        Error::EmptyDomain {
            at: site.to_string(),
            why: format!("the bounds have no scope number; add {hint}"),
        }
    }

    pub(crate) fn forget_uses(&self) {
        for given in &self.given {
            given.used.set(false);
        }
        self.growth.set(Growth::default());
    }

    /// Checks that every name in the bounds means exactly one type, field or pool, and was of use.
    pub(crate) fn check_names(
        &self,
        types: &[&TypeSite],
        fields: &[&FieldSite],
        pools: &[&str],
    ) -> Result<(), Error> {
        for g in &self.given {
            let (mut known, mut full) = (vec![], vec![]);
            let what = match g.bound {
                Bound::Objects(_) => {
                    for of in types {
                        add_name(&mut known, of.name.to_owned());
                        if of.answers_to(&g.name) {
                            add_name(&mut full, format!("{}::{}", of.module, of.name));
                        }
                    }
                    "type"
                }
                Bound::Pool(_) => {
                    for pool in pools {
                        add_name(&mut known, (*pool).to_owned());
                        if *pool == g.name {
                            add_name(&mut full, (*pool).to_owned());
                        }
                    }
                    "pool"
                }
                _ => {
                    for field in fields {
                        add_name(&mut known, field.to_string());
                        if self.means(field, field.field, &g.name) {
                            add_name(&mut full, format!("{}::{field}", field.module));
                        }
                    }
                    "field"
                }
            };
            match full.len() {
                0 => return Err(Error::UnknownName { what, name: g.name.clone(), known }),
                1 if g.used.get() => {}
                1 => {
                    return Err(mistakes::misplaced(g.name.clone(), &g.bound));
                }
                _ => return Err(Error::AmbiguousName { name: g.name.clone(), candidates: full }),
            }
        }
        Ok(())
    }
}

/// How many values data has with a size if nothing can compare it.
const FEW: u32 = 2;

impl Bound {
    /// Whether it adds edge values, and bounds nothing.
    pub(super) fn is_edge(&self) -> bool {
        matches!(self, Bound::EdgeInts(_) | Bound::EdgeCharacters(_))
    }
}

/// Adds values that are not there yet.
/// A number that a list has twice.
fn listed_twice(values: &[i128]) -> Option<i128> {
    // A heap sorts more slowly than a sort, and compiles to a fifth of the code.
    let mut rest = BinaryHeap::from(values.to_vec());
    while let Some(value) = rest.pop() {
        if rest.peek() == Some(&value) {
            return Some(value);
        }
    }
    None
}

fn add_new<T: PartialEq + Copy>(values: &mut Vec<T>, more: &[T]) {
    for value in more {
        if !values.contains(value) {
            values.push(*value);
        }
    }
}
