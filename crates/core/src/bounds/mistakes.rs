//! Errors in bounds that say what is wrong and what to write.

use super::{Bound, MAX_DOMAIN};
use crate::error::Error;
use crate::site::FieldSite;

/// Why an integer is refused. `what` is the integer, in words.
pub(super) fn misfit(what: &str, min: i128, max: i128) -> String {
    format!(
        "{what} does not fit into its type, which holds {min} to {max}; give values within `{min}..={max}`"
    )
}

/// A field without characters to choose from.
pub(super) fn empty_alphabet(site: &FieldSite) -> Error {
    Error::EmptyDomain {
        at: site.to_string(),
        why: "its alphabet is empty; give characters, such as `\"ab\"`".into(),
    }
}

/// A set that is larger than a table can be.
pub(super) fn too_many(site: &FieldSite, n: u128) -> Error {
    Error::TooLarge {
        at: site.to_string(),
        why: format!("{n} values, at most {MAX_DOMAIN} fit into a table; give fewer"),
    }
}

/// A bound that found no use at a field that exists.
pub(super) fn misplaced(name: String, bound: &Bound) -> Error {
    let why = match bound {
        Bound::Objects(_) | Bound::Pool(_) => "no pointer or vector makes objects of this type here",
        Bound::Ints(_) => "a set of integers is given, but the field holds no integers",
        Bound::Lengths(_) => "lengths are given, but the field has no length",
        Bound::Long(_) => "long lengths are given, but the field is neither a vector nor a string",
        Bound::Alphabet(_) => "an alphabet is given, but the field holds no characters",
        Bound::Variants(_) => "variants are given, but the field is no plain enum",
        Bound::EdgeInts(_) => "edge values are given as integers, but the field holds no integers",
        Bound::EdgeCharacters(_) => "edge values are given as characters, but the field holds none",
        Bound::Nullable(_) => "it is said to be (not) nullable, but the field is no pointer that can be null",
    };
    Error::Contradiction { at: name, why: format!("{why}; leave the bound out, or name another field") }
}
