//! What `derive(Bounded)` writes down about types and fields: names for messages and for bounds, and
//! the user's attributes. Sizes are decided in `bounds`.

use crate::int_set::IntSet;
use std::fmt;
use std::ops::RangeInclusive;

/// A type whose objects pointers, vectors or the root refer to.
#[derive(Debug)]
pub struct TypeSite {
    /// The type's name without its path.
    pub name: &'static str,
    /// The module that defines it.
    pub module: &'static str,
    /// `#[bounded(objects = n)]`, as a function of the scope.
    pub objects: Option<fn(i128) -> i128>,
}

impl TypeSite {
    /// Whether a name given in bounds (`Node` or `list::Node`) means this type.
    pub fn answers_to(&self, name: &str) -> bool {
        names_match(self.module, self.name, name)
    }
}

impl fmt::Display for TypeSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A field of a structure or of a variant.
#[derive(Debug)]
pub struct FieldSite {
    /// The type's name, with the variant if there is one: `Tree`, `Expr::Add`. Empty for test arguments.
    pub owner: &'static str,
    /// The module that defines the type.
    pub module: &'static str,
    /// The field's name or number. A component of a tuple has its number behind a dot: `pairs.0`.
    pub field: &'static str,
    /// What the field's `#[bounded(..)]` attribute says.
    pub attrs: FieldAttrs,
}

/// Ranges of lengths.
pub type Ranges = Vec<RangeInclusive<i128>>;

/// The content of a field's `#[bounded(..)]` attribute. Ranges are functions of the scope number.
#[derive(Debug, Clone, Copy)]
pub struct FieldAttrs {
    /// `range = 0..=scope`: the integers of this field or of its elements.
    pub range: Option<fn(i128) -> RangeInclusive<i128>>,
    /// `set = [1, 3, 5]`: the integers of this field or of its elements, listed.
    pub set: Option<fn(i128) -> Vec<i128>>,
    /// `len = 0..=scope`: the lengths of this vector, string, set or map.
    pub len: Option<fn(i128) -> RangeInclusive<i128>>,
    /// Lengths behind a gap, with elements that are filled.
    pub filled: Option<fn(i128) -> Ranges>,
    /// `alphabet = "ab"`: the characters of this field.
    pub alphabet: Option<&'static str>,
    /// `variants(Red, Black)`: the variants of a plain enum that are tried.
    pub variants: Option<&'static [&'static str]>,
    /// `pool = "cache"`: objects reached through this field come from a pool of that name.
    pub pool: Option<&'static str>,
    /// `part = "cache"`: the field belongs to a part of the structure that shares no objects with the others.
    pub part: Option<&'static str>,
    /// `unsafe(parts)` on the type: its unsafe code does not rely on conjuncts about other parts.
    pub unsafe_parts: bool,
    /// `frozen` on the type: what its raw pointers lead to does not change through a shared reference.
    pub frozen: bool,
    /// `non_null`: the pointer is never `None` or null.
    pub non_null: bool,
    /// `index = slots`: the integer is an index into that field's vector.
    pub index: Option<&'static str>,
    /// `by_reference`: only other indices make a place known, not that the invariant looks there.
    pub by_reference: bool,
    /// `unchecked`: the invariants of the values in this field need not hold.
    pub unchecked: bool,
    /// `view(hide)`: how the field is drawn, in words that the crate that draws reads.
    pub view: Option<&'static str>,
}

impl FieldAttrs {
    /// A field without attributes.
    pub const NONE: FieldAttrs = FieldAttrs {
        range: None,
        set: None,
        len: None,
        filled: None,
        alphabet: None,
        variants: None,
        pool: None,
        part: None,
        unsafe_parts: false,
        frozen: false,
        non_null: false,
        index: None,
        by_reference: false,
        unchecked: false,
        view: None,
    };
}

/// A conjunct of an invariant, as the source has it.
#[derive(Debug)]
pub struct ConjunctSite {
    /// Its source text; for the invariant of a part, its name and the field that it is about.
    pub text: &'static str,
    /// Where it stands; 0 for the invariant of a part.
    pub line: u32,
    /// It changes nothing that others read, so it may be skipped if it is known to hold.
    pub is_pure: bool,
    /// It may be evaluated earlier or later: it is not in `unsafe`, where its safety may rest on the conjuncts before it.
    pub is_movable: bool,
}

/// A range as an attribute gives it, with either kind of end.
pub fn range(r: impl Into<IntSet>) -> RangeInclusive<i128> {
    match r.into() {
        IntSet::Range(lo, hi) => lo..=hi,
        IntSet::List(v) => v.iter().min().copied().unwrap_or(1)..=v.iter().max().copied().unwrap_or(0),
    }
}

/// A list as an attribute gives it.
pub fn set<const N: usize>(values: [i128; N]) -> Vec<i128> {
    values.to_vec()
}

impl FieldSite {
    /// Whether it is an input itself, and no field of a type.
    pub fn is_input(&self) -> bool {
        self.module.is_empty()
    }

    /// Whether a name given in bounds (`Node.key` or `list::Node.key`) means this field.
    pub fn answers_to(&self, name: &str) -> bool {
        self.is_named(self.field, name)
    }

    /// Whether a name given in bounds means a field of the same type with this name.
    pub(crate) fn is_named(&self, field: &str, name: &str) -> bool {
        let Some(owner) = name.strip_suffix(field) else { return false };
        match owner.strip_suffix('.') {
            Some(owner) => names_match(self.module, self.owner, owner),
            None => self.owner.is_empty() && owner.is_empty(),
        }
    }
}

impl fmt::Display for FieldSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.owner {
            "" => f.write_str(self.field),
            owner => write!(f, "{owner}.{}", self.field),
        }
    }
}

/// `given` is `name`, or `name` behind the last segments of its module path.
fn names_match(module: &str, name: &str, given: &str) -> bool {
    let Some(front) = given.strip_suffix(name) else { return false };
    match front.strip_suffix("::") {
        None => front.is_empty(),
        Some(path) => module == path || module.strip_suffix(path).is_some_and(|m| m.ends_with("::")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_be_qualified_by_the_end_of_its_module_path() {
        let yes = |given| names_match("app::list", "Node", given);
        assert!(yes("Node") && yes("list::Node") && yes("app::list::Node"));
        assert!(!yes("tree::Node") && !yes("ist::Node") && !yes("MyNode") && !yes("::Node"));
    }
}
