//! Answering the questions that linking asks: which objects, integers, lengths, letters.

use super::{
    Bound, Bounds, DEFAULT_ALPHABET, FIRST_EDGES, IntSet, MAX_DEEPENING, MAX_DOMAIN, MAX_SLOTS, WHOLE, edges,
};
use crate::error::Error;
use crate::site::{FieldSite, TypeSite};

/// What a field's values are for, which decides the default range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Data: `0..n`.
    Data,
    /// Keys, of which only the order matters: `0..n`, and no edge values.
    Key,
    /// Counters: `0..=n`.
    Size,
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
    /// Whether a name that was given means this field. The only input has the name of the only argument, too.
    fn means(&self, site: &FieldSite, name: &str) -> bool {
        let is_input = || site.module.is_empty() && site.owner == "input";
        site.answers_to(name) || matches!(&self.arguments[..], [only] if only == name) && is_input()
    }

    /// The bits of the masks, and the scope that each stands for.
    fn scopes(&self) -> impl Iterator<Item = (u32, u32)> {
        let n = self.edges_of.map(|n| n.min(FIRST_EDGES - 1)).or(self.scope).unwrap_or(0);
        (0..=n.min(MAX_DEEPENING)).map(|s| (s, s)).chain([(WHOLE, self.whole.unwrap_or(n))])
    }

    fn masked<T: Copy>(&self, values: Vec<T>, available: impl Fn(u32, T) -> bool) -> Choices<T> {
        self.masked_with(values, available, |_| false)
    }

    /// The same with edge values: every value is one of the whole, and those of a scope of the test are marked.
    fn masked_with<T: Copy>(
        &self,
        values: Vec<T>,
        available: impl Fn(u32, T) -> bool,
        is_edge: impl Fn(T) -> bool,
    ) -> Choices<T> {
        let edges = |v: T| match self.has_edges() {
            true => 1 << WHOLE | u64::from(available(1, v) || is_edge(v)) << FIRST_EDGES,
            false => 0,
        };
        let mask = |v: T| {
            let scopes = self.scopes().filter(|&(_, s)| available(s, v));
            scopes.fold(edges(v), |m: u64, (bit, _)| m | 1 << bit)
        };
        let masks = values.iter().map(|&v| mask(v)).collect();
        Choices { values, masks }
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
        self.masked((0..=size).collect(), |scope, k| k <= scope).masks
    }

    /// Returns the number of objects of a type in a pool, and for each number in use the scopes that allow it.
    pub(crate) fn pool_size(&self, of: &TypeSite, pool: Option<&str>) -> Result<(u32, Vec<u64>), Error> {
        let own =
            self.find(|n| of.answers_to(n), |b| if let Bound::Objects(n) = b { Some(*n) } else { None });
        let pooled = pool
            .and_then(|p| self.find(|n| n == p, |b| if let Bound::Pool(n) = b { Some(*n) } else { None }));
        let at = |scope: u32| match (pooled, own, of.objects) {
            (Some(n), _, _) | (None, Some(n), _) => Some(n),
            (None, None, Some(f)) => Some(u32::try_from(f(i128::from(scope))).unwrap_or(0)),
            (None, None, None) => self.scope.map(|_| scope),
        };
        // Structures with edge values are small, also if the number of objects is given.
        let most = self.scope.filter(|_| self.has_edges()).unwrap_or(u32::MAX);
        let Some(size) = at(self.scope.unwrap_or(0)).map(|size| size.min(most)) else {
            return Err(Error::EmptyDomain {
                at: of.name.into(),
                why: format!("the bounds have no scope number and no `objects(\"{}\", n)`", of.name),
            });
        };
        if size as usize > MAX_SLOTS {
            return Err(Error::TooLarge {
                at: of.name.into(),
                why: format!("{size} objects, at most {MAX_SLOTS} fit"),
            });
        }
        let counts = (0..=size).collect();
        Ok((size, self.masked(counts, |s, k| at(s).is_some_and(|n| k <= n)).masks))
    }

    /// The integers of a field.
    pub(crate) fn ints_of(
        &self,
        site: &FieldSite,
        role: Role,
        min: i128,
        max: i128,
    ) -> Result<Choices<i128>, Error> {
        let given = self
            .find(|n| self.means(site, n), |b| if let Bound::Ints(s) = b { Some(s.clone()) } else { None });
        let explicit = given.is_some() || site.attrs.range.is_some() || site.attrs.set.is_some();
        let at = |scope: u32| -> Option<IntSet> {
            let s = i128::from(scope);
            if let Some(set) = &given {
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
            self.scope.map(|_| IntSet::Range(0, if is_counter { s } else { (data - 1).max(0) }))
        };
        let Some(set) = at(self.scope.unwrap_or(0)) else {
            return Err(
                self.nothing_given(site, format!("`ints(\"{site}\", 0..=9)` or `#[bounded(range = 0..=9)]`"))
            );
        };
        if set.len() > u128::from(MAX_DOMAIN) {
            return Err(too_many(site, set.len()));
        }
        let mut values = set.to_vec();
        if let Some(bad) = values.iter().find(|&&v| explicit && (v < min || v > max)) {
            return Err(Error::Contradiction {
                at: site.to_string(),
                why: format!("{bad} does not fit into its type, which holds {min} to {max}"),
            });
        }
        values.retain(|v| (min..=max).contains(v));
        let more = self.find(
            |n| site.answers_to(n),
            |b| if let Bound::EdgeInts(s) = b { Some(s.clone()) } else { None },
        );
        if let Some(bad) = more.iter().flat_map(IntSet::to_vec).find(|v| !(min..=max).contains(v)) {
            return Err(Error::Contradiction {
                at: site.to_string(),
                why: format!("the edge value {bad} does not fit into its type, which holds {min} to {max}"),
            });
        }
        let edges_of_type = |few: bool| match self.has_edges() && !explicit && role != Role::Key {
            true => edges::ints(site, role == Role::Size, (min, max), few),
            false => vec![],
        };
        if self.has_edges() {
            let of_type = edges_of_type(edges::are_few(self));
            add_new(&mut values, of_type.into_iter().chain(more.iter().flat_map(IntSet::to_vec)));
        }
        if values.is_empty() {
            return Err(Error::EmptyDomain {
                at: site.to_string(),
                why: "its set of integers is empty".into(),
            });
        }
        let mut sorted = values.clone();
        sorted.sort_unstable();
        if let Some(w) = sorted.windows(2).find(|w| w[0] == w[1]) {
            return Err(Error::Contradiction {
                at: site.to_string(),
                why: format!("{} is listed twice, so values would be delivered twice", w[0]),
            });
        }
        let many = edges_of_type(false);
        Ok(self.masked_with(
            values,
            |s, v| at(s).is_some_and(|set| set.contains(v)),
            |v| many.contains(&v) || more.as_ref().is_some_and(|more| more.contains(v)),
        ))
    }

    /// The lengths of a field.
    #[inline]
    pub(crate) fn lengths_of(&self, site: &FieldSite) -> Result<Choices<u32>, Error> {
        let given = self.find(
            |n| self.means(site, n),
            |b| if let Bound::Lengths(s) = b { Some(s.clone()) } else { None },
        );
        let at = |scope: u32| -> Option<IntSet> {
            let s = i128::from(scope);
            match (&given, site.attrs.len) {
                (Some(set), _) => Some(set.clone()),
                (None, Some(range)) => Some(range(s).into()),
                (None, None) => self.scope.map(|_| IntSet::Range(0, s)),
            }
        };
        let Some(set) = at(self.scope.unwrap_or(0)) else {
            return Err(
                self.nothing_given(site, format!("`len(\"{site}\", 0..=4)` or `#[bounded(len = 0..=4)]`"))
            );
        };
        if set.len() > u128::from(MAX_DOMAIN) {
            return Err(too_many(site, set.len()));
        }
        let lengths: Vec<i128> = set.to_vec();
        if lengths.is_empty() {
            return Err(Error::EmptyDomain {
                at: site.to_string(),
                why: "its set of lengths is empty".into(),
            });
        }
        if let Some(bad) = lengths.iter().find(|&&l| !(0..=MAX_DOMAIN as i128).contains(&l)) {
            return Err(Error::TooLarge {
                at: site.to_string(),
                why: format!("{bad} is not a length up to {MAX_DOMAIN}"),
            });
        }
        let mut lengths = lengths;
        lengths.sort_unstable();
        lengths.dedup();
        if let (true, Some(scope)) = (self.has_edges(), self.scope) {
            let most = lengths[0].max(i128::from(scope));
            lengths.retain(|length| *length <= most);
        }
        let lengths = lengths.into_iter().map(|l| l as u32).collect();
        Ok(self.masked(lengths, |s, l| at(s).is_some_and(|set| set.contains(i128::from(l)))))
    }

    /// The characters of a field.
    #[inline]
    pub(crate) fn alphabet_of(&self, site: &FieldSite) -> Result<Choices<char>, Error> {
        let given = self.find(
            |n| self.means(site, n),
            |b| if let Bound::Alphabet(a) = b { Some(a.clone()) } else { None },
        );
        let more: Vec<char> = self
            .find(
                |n| site.answers_to(n),
                |b| if let Bound::EdgeCharacters(a) = b { Some(a.clone()) } else { None },
            )
            .filter(|_| self.has_edges())
            .map_or_else(Vec::new, |more| more.chars().collect());
        let chars: Vec<char> = match (given, site.attrs.alphabet, self.scope) {
            (Some(a), _, _) => a.chars().collect(),
            (None, Some(a), _) => a.chars().collect(),
            (None, None, Some(n)) => {
                let n = self.data_scope(site, n);
                let mut letters: Vec<char> = DEFAULT_ALPHABET.chars().take(n.max(1) as usize).collect();
                let few = self.has_edges().then(|| edges::characters(edges::are_few(self)));
                add_new(&mut letters, few.into_iter().flatten().chain(more.iter().copied()));
                let place = |letter| DEFAULT_ALPHABET.chars().position(|default| default == letter);
                let many = edges::characters(false);
                let count = |s| self.data_scope(site, s).max(1) as usize;
                return Ok(self.masked_with(
                    letters,
                    |s, letter| place(letter).is_some_and(|place| place < count(s)),
                    |letter| many.contains(&letter) || more.contains(&letter),
                ));
            }
            (None, None, None) => {
                return Err(self.nothing_given(
                    site,
                    format!("`alphabet(\"{site}\", \"ab\")` or `#[bounded(alphabet = \"ab\")]`"),
                ));
            }
        };
        if chars.is_empty() {
            return Err(Error::EmptyDomain { at: site.to_string(), why: "its alphabet is empty".into() });
        }
        if let Some((i, c)) = chars.iter().enumerate().find(|(i, c)| chars[..*i].contains(c)) {
            return Err(Error::Contradiction {
                at: site.to_string(),
                why: format!("its alphabet lists {c:?} twice (again at position {i})"),
            });
        }
        let mut with_edges = chars.clone();
        add_new(&mut with_edges, more);
        Ok(self.masked_with(with_edges, |_, letter| chars.contains(&letter), |_| true))
    }

    /// The chosen variants of a plain enum with these names, as indices.
    #[inline]
    pub(crate) fn variants_of(&self, site: &FieldSite, names: &[&str]) -> Result<Vec<u32>, Error> {
        let given = self.find(
            |n| self.means(site, n),
            |b| if let Bound::Variants(v) = b { Some(v.clone()) } else { None },
        );
        let chosen: Vec<String> = match (given, site.attrs.variants) {
            (Some(v), _) => v,
            (None, Some(v)) => v.iter().map(|s| (*s).to_owned()).collect(),
            (None, None) => return Ok((0..names.len() as u32).collect()),
        };
        if chosen.is_empty() {
            return Err(Error::EmptyDomain { at: site.to_string(), why: "no variant is chosen".into() });
        }
        let mut out = vec![];
        for c in chosen {
            let Some(i) = names.iter().position(|n| *n == c) else {
                let known = names.iter().map(|s| (*s).to_owned()).collect();
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
        self.find(|n| self.means(site, n), |b| if let Bound::Nullable(n) = b { Some(*n) } else { None })
            .or(site.attrs.non_null.then_some(false))
    }

    fn nothing_given(&self, site: &FieldSite, hint: String) -> Error {
        Error::EmptyDomain {
            at: site.to_string(),
            why: format!("the bounds have no scope number; add {hint}"),
        }
    }

    pub(crate) fn forget_uses(&self) {
        self.given.iter().for_each(|g| g.used.set(false));
    }

    /// Checks that every name in the bounds means exactly one type, field or pool, and was of use.
    pub(crate) fn check_names(
        &self,
        types: &[&TypeSite],
        fields: &[&FieldSite],
        pools: &[String],
    ) -> Result<(), Error> {
        for g in &self.given {
            let (what, known, full): (_, Vec<String>, Vec<String>) = match g.bound {
                Bound::Objects(_) => (
                    "type",
                    types.iter().map(|c| c.name.to_owned()).collect(),
                    types
                        .iter()
                        .filter(|c| c.answers_to(&g.name))
                        .map(|c| format!("{}::{}", c.module, c.name))
                        .collect(),
                ),
                Bound::Pool(_) => {
                    ("pool", pools.to_vec(), pools.iter().filter(|p| **p == g.name).cloned().collect())
                }
                _ => (
                    "field",
                    fields.iter().map(|f| f.to_string()).collect(),
                    fields
                        .iter()
                        .filter(|f| self.means(f, &g.name))
                        .map(|f| format!("{}::{f}", f.module))
                        .collect(),
                ),
            };
            let unique = |mut v: Vec<String>| {
                v.sort();
                v.dedup();
                v
            };
            let (known, full) = (unique(known), unique(full));
            match full.len() {
                0 => return Err(Error::UnknownName { what, name: g.name.clone(), known }),
                1 if g.used.get() => {}
                1 => {
                    return Err(Error::Contradiction { at: g.name.clone(), why: g.bound.misplaced().into() });
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

    /// Why a bound of this kind found no use at a field that exists.
    fn misplaced(&self) -> &'static str {
        match self {
            Bound::Objects(_) | Bound::Pool(_) => "no pointer or vector makes objects of this type here",
            Bound::Ints(_) => "a set of integers is given, but the field holds no integers",
            Bound::Lengths(_) => "lengths are given, but the field has no length",
            Bound::Alphabet(_) => "an alphabet is given, but the field holds no characters",
            Bound::Variants(_) => "variants are given, but the field is no plain enum",
            Bound::EdgeInts(_) => "edge values are given as integers, but the field holds no integers",
            Bound::EdgeCharacters(_) => "edge values are given as characters, but the field holds none",
            Bound::Nullable(_) => {
                "it is said to be (not) nullable, but the field is no pointer that can be null"
            }
        }
    }
}

/// Adds values that are not there yet.
fn add_new<T: PartialEq>(values: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    for value in more {
        if !values.contains(&value) {
            values.push(value);
        }
    }
}

fn too_many(site: &FieldSite, n: u128) -> Error {
    Error::TooLarge {
        at: site.to_string(),
        why: format!("{n} values, at most {MAX_DOMAIN} fit into a table"),
    }
}
