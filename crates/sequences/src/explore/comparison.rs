//! What "the same state" means in an exploration, and whether something is lost by it.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::abstraction::{Abstraction, Matching};
use crate::context::{Context, Means, PoolEntry, short_name};
use crate::sink::{LeftOut, Sink};

/// How the states of an exploration were compared.
///
/// ```
/// use smallscope_sequences::{Completeness, Context, Explorer, Pool, by_mut, nothing};
///
/// /// A ring of four places, which shows only how many are taken.
/// #[derive(Clone)]
/// struct Ring { head: usize, len: usize }
///
/// impl std::fmt::Debug for Ring {
///     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
///         write!(f, "{}", self.len)
///     }
/// }
///
/// let context = Context::builder()
///     .pool(Pool::empty(1).and(Ring { head: 0, len: 0 }).cloned().debugged())
///     .method("push", (by_mut::<Ring>(),), nothing(), |(ring,)| ring.len = (ring.len + 1).min(4))
///     .method("pop", (by_mut::<Ring>(),), nothing(), |(ring,)| {
///         if ring.len > 0 {
///             (ring.head, ring.len) = ((ring.head + 1) % 4, ring.len - 1);
///         }
///     })
///     .build()?;
/// let found = Explorer::new(&context).explore()?;
/// assert_eq!(found.compared_by.to_string(), "the `Debug` text of `Ring` (lossy)");
/// assert_eq!(found.compared_by.completeness, Completeness::Lossy);
/// # Ok::<(), smallscope_sequences::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// What was compared, in words.
    pub by: String,
    /// Whether states that compare as equal behave equally.
    pub completeness: Completeness,
}

/// Whether states that compare as equal behave equally in all calls that follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Completeness {
    /// They do: everything in the pools was compared.
    Complete,
    /// The author says so: see [`Pool::vouched`](crate::Pool::vouched) and [`Explorer::vouched`](crate::Explorer::vouched).
    Vouched,
    /// This is not known. Sequences may be missing.
    Lossy,
}

impl Comparison {
    /// Whether sequences may be missing.
    pub fn is_lossy(&self) -> bool {
        self.completeness == Completeness::Lossy
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let completeness = match self.completeness {
            Completeness::Complete => "complete",
            Completeness::Vouched => "vouched for",
            Completeness::Lossy => "lossy",
        };
        write!(f, "{} ({completeness})", self.by)
    }
}

/// The parts of values that linearizations have left out so far, on all threads.
#[derive(Default)]
pub(super) struct Omissions(Mutex<BTreeSet<LeftOut>>);

impl Omissions {
    /// Adds what a sink has noted.
    #[cold]
    pub(super) fn add(&self, sink: &mut Sink) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(sink.take_left_out());
    }

    /// The names of the parts, and whether the author vouches for leaving them out.
    pub(super) fn list(&self) -> Vec<(String, bool)> {
        let parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        parts.iter().map(|part| (part.name.to_owned(), part.is_vouched)).collect()
    }

    /// Adds what another process has left out.
    pub(super) fn add_list(&self, list: Vec<(String, bool)>) {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (name, is_vouched) in list {
            if !parts.iter().any(|part| part.name == name) {
                // There are few, and each is added once.
                parts.insert(LeftOut { name: name.leak(), is_vouched });
            }
        }
    }
}

/// Describes how states were compared.
pub(super) fn describe(
    matching: &Matching<'_>,
    contexts: [Option<&Context>; 2],
    omissions: &Omissions,
    last_calls: usize,
    is_vouched: bool,
) -> Comparison {
    let mut parts = vec![];
    let mut completeness = Completeness::Complete;
    match matching {
        Matching::Custom(_) => {
            parts.push("a function of the state".to_owned());
            completeness = Completeness::Lossy;
        }
        Matching::Values(abstraction @ (Abstraction::Shape | Abstraction::ShapeAnd(_))) => {
            parts.push(match abstraction {
                Abstraction::ShapeAnd(fields) => format!("shape and {}", fields.join(", ")),
                _ => "shape".to_owned(),
            });
            completeness = Completeness::Lossy;
        }
        Matching::Values(Abstraction::Complete) | Matching::Classical => {
            for context in contexts.into_iter().flatten() {
                for pool in matching.pools(context).unwrap_or_default() {
                    let pool = &context.pools[pool as usize];
                    parts.extend(part(pool));
                    completeness = completeness.max(completeness_of(pool));
                }
            }
            let omitted = omissions.0.lock().unwrap_or_else(PoisonError::into_inner);
            if !omitted.is_empty() {
                let names: Vec<String> = omitted.iter().map(|one| format!("`{}`", one.name)).collect();
                parts.push(format!("values without {}", names.join(", ")));
                let is_vouched = omitted.iter().all(|one| one.is_vouched);
                let of_omitted = if is_vouched { Completeness::Vouched } else { Completeness::Lossy };
                completeness = completeness.max(of_omitted);
            }
            if parts.is_empty() {
                parts.push("all values".to_owned());
            }
        }
    }
    parts.dedup();
    let mut by = parts.join(", ");
    if let Matching::Classical = matching {
        by += ", the number of calls and the last call";
    }
    match last_calls {
        0 => {}
        1 => by += ", and the last call",
        calls => by += &format!(", and the last {calls} calls"),
    }
    if is_vouched && completeness == Completeness::Lossy {
        completeness = Completeness::Vouched;
    }
    Comparison { by, completeness }
}

fn completeness_of(pool: &PoolEntry) -> Completeness {
    match pool.means {
        _ if pool.is_vouched => Completeness::Vouched,
        Means::Hash | Means::Debug if is_standard(pool.type_name) => Completeness::Complete,
        Means::Linearization => Completeness::Complete,
        Means::Function | Means::Hash | Means::Debug => Completeness::Lossy,
    }
}

/// What is compared of the values of a pool, unless it is everything.
fn part(pool: &PoolEntry) -> Option<String> {
    if completeness_of(pool) == Completeness::Complete {
        return None;
    }
    let type_name = short_name(pool.type_name);
    Some(match pool.means {
        Means::Linearization => format!("the linearization of `{type_name}`"),
        Means::Function => format!("a function of `{type_name}`"),
        Means::Hash => format!("the `Hash` of `{type_name}`"),
        Means::Debug => format!("the `Debug` text of `{type_name}`"),
    })
}

/// The types of the standard library whose `Hash` and `Debug` show everything that safe code can observe, apart from
/// capacities. Floating-point numbers are not among them: `Debug` does not tell all NaNs apart. Neither are `Rc` and
/// `Arc`, which may be shared, nor hash tables, whose order is arbitrary.
const STANDARD: &[&str] = &[
    "u8",
    "u16",
    "u32",
    "u64",
    "u128",
    "usize",
    "i8",
    "i16",
    "i32",
    "i64",
    "i128",
    "isize",
    "bool",
    "char",
    "str",
    "alloc::string::String",
    "alloc::vec::Vec",
    "alloc::boxed::Box",
    "alloc::borrow::Cow",
    "alloc::collections::btree::map::BTreeMap",
    "alloc::collections::btree::set::BTreeSet",
    "alloc::collections::vec_deque::VecDeque",
    "alloc::collections::linked_list::LinkedList",
    "core::option::Option",
    "core::result::Result",
    "core::cmp::Ordering",
    "core::cmp::Reverse",
    "core::num::nonzero::NonZero",
    "core::num::wrapping::Wrapping",
    "core::time::Duration",
];

/// Whether a type consists of [`STANDARD`] types, tuples, arrays, slices and references only.
fn is_standard(type_name: &str) -> bool {
    let mut words = type_name.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    // The length of an array is a number, and a lifetime is not shown.
    let is_no_type = |word: &str| word == "_" || word.chars().all(|c| c.is_ascii_digit());
    words.all(|word| is_no_type(word) || STANDARD.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::any::type_name;
    use std::collections::{BTreeMap, BTreeSet, HashSet, LinkedList, VecDeque};
    use std::rc::Rc;

    #[test]
    fn only_types_of_std_are_known_to_show_everything() {
        for standard in [
            type_name::<u8>(),
            type_name::<()>(),
            type_name::<[Option<std::string::String>; 3]>(),
            type_name::<(Vec<u8>, Box<[char]>)>(),
            type_name::<BTreeMap<&'static str, BTreeSet<u64>>>(),
            type_name::<Result<VecDeque<i8>, LinkedList<bool>>>(),
            type_name::<std::num::NonZeroU8>(),
            type_name::<std::num::Wrapping<u8>>(),
            type_name::<std::cmp::Reverse<std::time::Duration>>(),
            type_name::<std::borrow::Cow<'static, str>>(),
        ] {
            assert!(is_standard(standard), "{standard}");
        }
        struct String;
        for other in [
            type_name::<f64>(),
            type_name::<String>(),
            type_name::<Option<String>>(),
            type_name::<Rc<u8>>(),
            type_name::<HashSet<u8>>(),
            type_name::<std::cell::Cell<u8>>(),
            type_name::<*const u8>(),
            type_name::<fn(u8)>(),
            type_name::<Box<dyn std::any::Any>>(),
        ] {
            assert!(!is_standard(other), "{other}");
        }
    }
}
