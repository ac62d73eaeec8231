//! Disjoint parts: inputs, or groups of fields of a structure, that share no objects. Each part is searched on its own, and
//! the values are the combinations of the valid candidates of the parts.
//!
//! * `source`: the combinations as a source of candidates;
//! * `combine`: combinations by index, in order, without storing them;
//! * `deck`: the parts with the current combination;
//! * `suite`: the valid candidates of a part;
//! * `slice`: which conjuncts are about which part;
//! * `gathering`, `job`: the search of the parts, which several threads can share.
//!
//! # Why nothing is lost, and nothing wrong is added
//!
//! A conjunct is *local* to a part if it was evaluated on every candidate that the search of the part visited, and never
//! asked for a slot of another part. Asking for one ends the run (`Heap::stay_in_part`), and the conjunct is global from then
//! on. So the answer of a local conjunct is a function of its part. The conjunction holds for a combination if and only if
//! the local conjuncts hold for its parts, which the searches of the parts ensure, and the global ones hold for all of it,
//! which is checked for each combination. Parts have no pool of objects in common. So whether an object has an owner, which
//! objects are used, and which of several isomorphic candidates is visited are questions about one part, too.

pub(crate) mod combine;
mod deck;
pub(crate) mod gathering;
mod job;
pub(crate) mod slice;
pub(crate) mod source;
mod suite;

pub use gathering::Gathering;
pub use slice::{GlobalConjunct, SlicedPart, Slicing};
