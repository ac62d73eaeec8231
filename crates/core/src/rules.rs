//! Groups of subtrees as rules, and how a search follows them.
//!
//! A *group* is a set of subtrees of one node type and one exact size, as a list of rules that exclude each other. A *rule* is a
//! top node: what is known about each of its fields, and a group for each object that it owns. So the groups of a result
//! form a directed graph without cycles, in which every valid subtree has exactly one derivation.
//!
//! [`crate::groups`] makes groups. A search that follows them chooses a rule for each object before anything else about the
//! object is decided ([`Guided`]). A rule says which objects there are, and what the summarised helpers have read.

mod chances;
mod guided;
mod natural;
mod node_types;
mod outline;
mod parsed;
mod population;

pub(crate) use guided::Guided;
pub use natural::Natural;
pub(crate) use node_types::{FIRST, Field, FieldKind, MOST_POOLS, NodeType, NodeTypes, Place, REST, Size};
pub(crate) use outline::Outline;
pub use population::{Population, Shape};

use crate::ids::Choice;
use std::sync::Arc;

/// The number of a group.
pub(crate) type GroupId = u32;

/// What a rule says about a field of its top node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FieldState {
    /// Nothing: every choice, or the field is not there with this variant.
    Unread,
    /// It has this choice. For a pointer, one that takes no object.
    Choice(Choice),
    /// It holds a key, which is left open.
    Present,
    /// It leads to an object, whose subtree is in this group.
    Group(GroupId),
    /// It leads to this object of the run. Rules have none of these.
    Object(u32),
}

/// A top node.
pub(crate) type Rule = Box<[FieldState]>;

/// The rules of a result. Nothing in it changes, so that searches on other threads can follow it, too.
#[derive(Debug)]
pub(crate) struct Rules {
    /// The node type and the rules of each group, behind those of the groups that it leads to.
    pub groups: Vec<(usize, Arc<[Rule]>)>,
    /// The group of valid roots.
    pub root: GroupId,
}
