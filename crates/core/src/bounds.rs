//! The finitization: how many objects of each type, which values each field may take.
//!
//! A bound comes from the first of these that speaks: the builder ([`Bounds`]), the attribute on the
//! field or type, the scope number. With scope `n`, a pool has at most `n` objects, `usize` fields
//! (sizes) and lengths range over `0..=n`, other integers and keys (data) over `0..n`, `char` over the
//! first `n` characters of [`DEFAULT_ALPHABET`]; scope 0 leaves data the single value 0.
//!
//! A size bounds the whole value instead: its objects and the elements of its sequences, counted together. Each bound
//! is then what the same scope has, except that integers and letters do not grow where no invariant can compare them.

pub(crate) mod edges;
pub mod long;
mod mistakes;
mod number;
#[doc(hidden)]
pub mod relax;
mod resolve;
mod text;

pub use crate::int_set::IntSet;
pub use number::Number;
pub use resolve::{Choices, Role};

use crate::site::FieldSite;
use std::cell::Cell;

/// The largest table of values that one field may have.
pub const MAX_DOMAIN: u64 = 1 << 22;
/// The characters of scope `n` are the first `n` of these: two letters, then one character of each kind that breaks code,
/// then other letters.
pub const DEFAULT_ALPHABET: &str = "abé \"\\\ncdefghijklmnopqrstuvwxyz";
/// So many characters of the default alphabet have always been the first ones.
pub(crate) const OLDEST_LETTERS: usize = 2;
/// The largest number of slots that a bounded heap may have.
pub const MAX_SLOTS: usize = 1 << 20;
/// The largest scope number that a value's mask tells apart; deepening goes from here to the whole at once.
pub const MAX_DEEPENING: u32 = 62;
/// The bit of a mask that stands for structures of scope 1 with edge values. A search with edge values can leave them out
/// as it leaves a scope out.
pub const FIRST_EDGES: u32 = MAX_DEEPENING;
/// The bit of a mask that stands for values in which each field of the payload has its first value.
pub const FIRST_PAYLOAD: u32 = FIRST_EDGES - 1;
/// The bit of a mask that stands for the whole bounds.
pub(crate) const WHOLE: u32 = 63;

/// Bounds under construction.
///
/// ```
/// use smallscope_core::Bounds;
/// let bounds = Bounds::scope(3).objects("Node", 5).ints("Node.key", 1..=9).ints("Tree.size", [0, 5]);
/// assert_eq!(bounds.scope_number(), Some(3));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    scope: Option<u32>,
    /// The scope number also bounds the number of all objects and elements together.
    is_size: bool,
    /// The largest number of all objects and elements together, if it is not a size: no table depends on it.
    at_most: Option<u32>,
    /// The value has no invariant, so nothing compares its data.
    is_uncompared: bool,
    /// The scope number of the bounds that this is a part of; see [`Bounds::within`].
    whole: Option<u32>,
    /// The scope number of the test, if fields have edge values; see [`Bounds::edges_at`].
    edges_of: Option<u32>,
    /// The fields that take one value first; see [`Bounds::with_payload`].
    payload: Vec<&'static FieldSite>,
    /// These fields have their first value only.
    is_first: bool,
    /// The pass of smallest first that this is: larger numbers of objects and lengths come later, if they are the same in
    /// every scope.
    cut: Option<u32>,
    /// What was found out about such numbers while they were laid out.
    growth: Cell<Growth>,
    /// The rule by which elements of long sequences are filled; see [`Bounds::filled_by`].
    fill: Option<u64>,
    /// The long lengths of all fields, if there is such a rule.
    long: Vec<i128>,
    given: Vec<Given>,
    /// Names of the inputs, when there are several.
    arguments: Vec<String>,
}

/// Numbers of objects and lengths that are the same in every scope, and grow from pass to pass of smallest first.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Growth {
    /// The passes in which one of them becomes available, as bits; those behind [`MAX_DEEPENING`] are one.
    pub passes: u64,
    /// Some are left out in this pass.
    pub is_cut: bool,
}

#[derive(Debug, Clone)]
struct Given {
    name: String,
    bound: Bound,
    /// Whether the structure had a use for it.
    used: Cell<bool>,
}

#[derive(Debug, Clone, PartialEq)]
enum Bound {
    Objects(u32),
    Pool(u32),
    Ints(IntSet),
    Lengths(IntSet),
    /// Lengths behind a gap, with elements that are filled.
    Long(IntSet),
    Alphabet(String),
    Variants(Vec<String>),
    Nullable(bool),
    /// Integers and characters that are tried together with the edge values.
    EdgeInts(IntSet),
    EdgeCharacters(String),
}

impl From<&Bounds> for Bounds {
    fn from(bounds: &Bounds) -> Bounds {
        bounds.clone()
    }
}

impl Bounds {
    /// One number for everything, of any integer type; see the module's documentation.
    ///
    /// # Panics
    ///
    /// If the number is negative or does not fit into a `u32`.
    pub fn scope(n: impl Number) -> Bounds {
        Bounds { scope: Some(n.natural("a scope")), ..Bounds::default() }
    }

    /// At most `n` objects and elements of sequences in the whole value, counted together: see the book. Strings, sets and
    /// maps are sequences, too.
    ///
    /// ```
    /// use smallscope_core::Bounds;
    /// assert_eq!(Bounds::size(3).size_number(), Some(3));
    /// assert_eq!(Bounds::scope(3).size_number(), None);
    /// ```
    ///
    /// # Panics
    ///
    /// If the number is negative or does not fit into a `u32`.
    pub fn size(n: impl Number) -> Bounds {
        Bounds { is_size: true, ..Bounds::scope(n.natural("a size")) }
    }

    /// No scope number: every type and field needs a bound of its own.
    pub fn exact() -> Bounds {
        Bounds::default()
    }

    /// The scope number, if there is one. A size is one, too: it sets all other bounds.
    pub fn scope_number(&self) -> Option<u32> {
        self.scope
    }

    /// The size, if there is one.
    pub fn size_number(&self) -> Option<u32> {
        self.scope.filter(|_| self.is_size)
    }

    /// The same bounds for values with at most so many objects and elements. A candidate means the same value as within
    /// these bounds; with a smaller size it may mean another one.
    pub fn at_most(&self, n: u32) -> Bounds {
        Bounds { at_most: Some(n), ..self.clone() }
    }

    /// The largest number of objects and elements of a value, if they are counted together.
    pub(crate) fn total(&self) -> Option<u32> {
        self.size_number().or(self.at_most)
    }

    /// What the scope number is, for messages: "scope" or "size".
    pub fn number_name(&self) -> &'static str {
        if self.is_size { "size" } else { "scope" }
    }

    /// The same bounds with a size in place of the scope number.
    pub fn with_size(&self, n: u32) -> Bounds {
        Bounds { is_size: true, ..self.with_scope(n) }
    }

    /// The same bounds with a scope number that is no size.
    pub fn with_plain_scope(&self, n: u32) -> Bounds {
        Bounds { is_size: false, ..self.with_scope(n) }
    }

    /// The same bounds for a value without an invariant: nothing compares its data, so there is less of it with a size.
    pub(crate) fn uncompared(&self) -> Bounds {
        Bounds { is_uncompared: self.is_size, ..self.clone() }
    }

    /// The same bounds with another scope number, or with another size if it is one.
    pub fn with_scope(&self, n: u32) -> Bounds {
        Bounds { scope: Some(n), ..self.clone() }
    }

    /// The part of these bounds that lies within a smaller scope. Numbers of objects and lengths that are the same in every
    /// scope are at most this number in it, except the least ones.
    pub fn within(&self, scope: u32) -> Bounds {
        let cut = (!self.is_size).then_some(scope);
        Bounds { scope: self.scope.map(|n| n.min(scope)), whole: self.scope, cut, ..self.clone() }
    }

    /// The pass of smallest first that these bounds are for.
    pub(crate) fn pass(&self) -> Option<u32> {
        self.cut
    }

    /// What was found out about numbers that grow, since they were laid out last.
    pub(crate) fn growth(&self) -> Growth {
        self.growth.get()
    }

    /// The passes of smallest first before the whole bounds: the smaller scopes, and others in which numbers of objects and
    /// lengths grow that are the same in every scope.
    pub(crate) fn smaller_passes(&self, growth: Growth) -> Vec<u32> {
        let scopes = 1_u64 << self.scope.unwrap_or(0).min(WHOLE);
        let passes = growth.passes | scopes | (scopes - 1);
        // The last one is the whole.
        let mut smaller = vec![];
        for pass in 0..passes.ilog2() {
            if passes >> pass & 1 == 1 {
                smaller.push(pass);
            }
        }
        smaller
    }

    /// The same bounds with edge values in structures of a small scope.
    pub fn edges_at(&self, scope: u32) -> Bounds {
        Bounds { scope: Some(scope), edges_of: Some(self.scope.unwrap_or(scope)), ..self.clone() }
    }

    /// The same bounds with a payload: fields of plain data that have their first value only. Or, if `is_first` is false,
    /// fields whose first value is marked, so that a search can leave [`FIRST_PAYLOAD`] out.
    pub fn with_payload(&self, fields: &[&'static FieldSite], is_first: bool) -> Bounds {
        Bounds { payload: fields.to_vec(), is_first, ..self.clone() }
    }

    /// Whether a field belongs to the payload, and if so, whether it has its first value only.
    pub(crate) fn payload_of(&self, site: &FieldSite) -> Option<bool> {
        self.payload.iter().any(|field| std::ptr::eq(*field, site)).then_some(self.is_first)
    }

    /// The fields of the payload, if they have their first value only.
    pub fn payload_names(&self) -> Vec<String> {
        let mut names = vec![];
        if self.is_first {
            for field in &self.payload {
                names.push(field.to_string());
            }
        }
        names
    }

    /// Whether there is a payload.
    pub(crate) fn has_payload(&self) -> bool {
        !self.payload.is_empty()
    }

    /// Whether there is a payload with its first values only.
    pub fn has_first_payload(&self) -> bool {
        self.is_first && !self.payload.is_empty()
    }

    /// Whether fields have edge values.
    pub fn has_edges(&self) -> bool {
        self.edges_of.is_some()
    }

    /// The same bounds on a smaller scale: no number in them is greater than this one.
    pub(crate) fn up_to(&self, most: u32) -> Bounds {
        let ints = |set: &IntSet| {
            let mut set = set.clone();
            set.cap(i128::from(most));
            set
        };
        let mut bounds = self.clone();
        bounds.scope = self.scope.map(|n| n.min(most));
        for given in &mut bounds.given {
            given.bound = match &given.bound {
                Bound::Objects(n) => Bound::Objects(*n.min(&most)),
                Bound::Pool(n) => Bound::Pool(*n.min(&most)),
                Bound::Ints(set) => Bound::Ints(ints(set)),
                Bound::Lengths(set) => Bound::Lengths(ints(set)),
                other => other.clone(),
            };
        }
        bounds
    }

    /// At most `n` objects of a type: `objects("Node", 5)`.
    ///
    /// # Panics
    ///
    /// If the number is negative or does not fit into a `u32`.
    pub fn objects(self, of: &str, n: impl Number) -> Bounds {
        self.give(of, Bound::Objects(n.natural("a number of objects")))
    }

    /// At most `n` objects of each type in a named pool (`#[bounded(pool = "cache")]`).
    ///
    /// # Panics
    ///
    /// If the number is negative or does not fit into a `u32`.
    pub fn pool(self, pool: &str, n: impl Number) -> Bounds {
        self.give(pool, Bound::Pool(n.natural("a number of objects")))
    }

    /// The integers or keys of a field, or of its elements: a range or a list.
    pub fn ints(self, field: &str, values: impl Into<IntSet>) -> Bounds {
        self.give(field, Bound::Ints(values.into()))
    }

    /// The lengths of a vector, string, set or map.
    pub fn len(self, field: &str, lengths: impl Into<IntSet>) -> Bounds {
        self.give(field, Bound::Lengths(lengths.into()))
    }

    /// More lengths of a vector or string, too long for a search: their elements are filled by rules and at random. A test
    /// tries them after the search (feature `filled`). Calls for the same field add up.
    ///
    /// ```
    /// use smallscope_core::Bounds;
    /// let bounds = Bounds::scope(3).len("Stack.items", 0..=3).filled("Stack.items", 64..=65).filled("Stack.items", [4097]);
    /// assert_eq!(bounds.to_string(), "scope 3\nlen Stack.items = 0..=3\nfilled Stack.items = [64, 65, 4097]");
    /// ```
    pub fn filled(self, field: &str, lengths: impl Into<IntSet>) -> Bounds {
        long::add(self, field, lengths.into())
    }

    /// The same bounds without long lengths of a field, also if its attribute gives some.
    #[inline]
    pub fn without_filled(self, field: &str) -> Bounds {
        self.give(field, Bound::Long(IntSet::List(vec![])))
    }

    /// Whether some field has long lengths by these bounds. Attributes of fields give some, too.
    pub fn has_long_lengths(&self) -> bool {
        self.given.iter().any(|given| matches!(given.bound, Bound::Long(_)))
    }

    /// The same bounds, in which elements of long sequences have the one value that a rule chooses. A size is a scope there: no
    /// value with a long sequence is that small.
    pub fn filled_by(&self, rule: u64) -> Bounds {
        Bounds { fill: Some(rule), is_size: false, ..self.clone() }
    }

    /// The rule by which elements of long sequences are filled, if they are.
    #[cfg(feature = "filled")]
    pub(crate) fn fill(&self) -> Option<u64> {
        self.fill
    }

    /// Whether a length is a long one, given the scopes in which it is available.
    pub(crate) fn is_long(&self, mask: u64) -> bool {
        self.fill.is_some() && mask == 1 << WHOLE
    }

    /// The characters of a `char` or `String` field.
    #[inline]
    pub fn alphabet(self, field: &str, characters: &str) -> Bounds {
        self.give(field, Bound::Alphabet(characters.to_owned()))
    }

    /// The variants of a plain enum field that are tried, in this order.
    pub fn variants<const N: usize>(self, field: &str, variants: [&str; N]) -> Bounds {
        self.give(field, Bound::Variants(variants.map(str::to_owned).to_vec()))
    }

    /// Whether a pointer field may be `None`, null or dangling (the default where its type allows it).
    #[inline]
    pub fn nullable(self, field: &str, nullable: bool) -> Bounds {
        self.give(field, Bound::Nullable(nullable))
    }

    /// More edge values of an integer field, or of its elements.
    pub fn edge_ints(self, field: &str, values: impl Into<IntSet>) -> Bounds {
        self.give(field, Bound::EdgeInts(values.into()))
    }

    /// More edge values of a `char` field, or of the characters of a `String`.
    #[inline]
    pub fn edge_chars(self, field: &str, characters: &str) -> Bounds {
        self.give(field, Bound::EdgeCharacters(characters.to_owned()))
    }

    /// Names the inputs of a test with several arguments, so that bounds can speak about them.
    pub fn arguments(mut self, names: &[&str]) -> Bounds {
        self.arguments = to_strings(names);
        self
    }

    pub(crate) fn argument_name(&self, i: usize) -> String {
        self.arguments.get(i).cloned().unwrap_or_else(|| format!("argument {i}"))
    }

    /// A later bound of the same kind for the same name replaces the earlier one.
    #[inline]
    fn give(mut self, name: &str, bound: Bound) -> Bounds {
        let kind = std::mem::discriminant(&bound);
        self.given.retain(|g| g.name != name || std::mem::discriminant(&g.bound) != kind);
        self.given.push(Given { name: name.to_owned(), bound, used: Cell::new(false) });
        self
    }

    /// A text that is equal for equal bounds: part of a recorded candidate's identity.
    pub fn fingerprint(&self) -> String {
        let edges = if self.has_edges() { "edges;" } else { "" };
        let within = self.cut.map_or_else(String::new, |cut| format!("within={cut};"));
        let fill = self.fill.map_or_else(String::new, |rule| format!("fill={rule};"));
        // Edge values and long lengths are a part of layouts that have some.
        let mut parts = vec![];
        for Given { name, bound, .. } in &self.given {
            let is_absent = bound.is_edge() && !self.has_edges()
                || matches!(bound, Bound::Long(_)) && self.fill.is_none();
            if !is_absent {
                add_name(&mut parts, format!("{name}={bound:?}"));
            }
        }
        format!("{edges}{within}{fill}{}={:?};{}", self.number_name(), self.scope, parts.join(";"))
    }

    /// The bound of a field; that of a component of a tuple may be given for the whole tuple.
    fn find_for(&self, site: &FieldSite, is_kind: fn(&Bound) -> bool) -> Option<&Bound> {
        let mut field = site.field;
        loop {
            let found = self.find(is_kind, &|name| self.means(site, field, name));
            if found.is_some() {
                return found;
            }
            field = field.rsplit_once('.')?.0;
        }
    }

    /// Whether a name that was given means this field, or the tuple of this name that it is a component of. The only input has the name of the only argument, too.
    fn means(&self, site: &FieldSite, field: &str, name: &str) -> bool {
        let is_input = || site.module.is_empty() && site.owner == "input";
        let is_argument = |only: &String| {
            name.strip_prefix(only.as_str()).is_some_and(|rest| field.strip_prefix("value") == Some(rest))
        };
        site.is_named(field, name) || matches!(&self.arguments[..], [only] if is_argument(only)) && is_input()
    }

    /// The bound of a kind whose name answers; it is of use then.
    fn find(&self, is_kind: fn(&Bound) -> bool, answers: &dyn Fn(&str) -> bool) -> Option<&Bound> {
        let given = self.given.iter().find(|g| is_kind(&g.bound) && answers(&g.name))?;
        given.used.set(true);
        Some(&given.bound)
    }
}

/// Adds a name to others that are in order, unless it is there.
fn add_name(names: &mut Vec<String>, name: String) {
    if let Err(place) = names.binary_search(&name) {
        names.insert(place, name);
    }
}

fn to_strings(names: &[&str]) -> Vec<String> {
    let mut strings = vec![];
    for name in names {
        strings.push((*name).to_owned());
    }
    strings
}
