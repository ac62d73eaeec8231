//! Which assignments are Rust values.
//!
//! A `Box` is the only owner of its object, so two boxes with one object are not a value. What smart pointers own is
//! freed with its last owner: an object of such a pool that the root does not reach through owners is not part of a
//! value, even if pointers lead to it. The same holds for objects that own each other in a ring: they have
//! leaked. Objects of a pool that no smart pointer leads to may be reached by raw pointers only: these own them in
//! the sense of the type's author.

use smallscope_core::raw::Ownership;
use smallscope_core::raw::{AnyRaw, Content, SlotView};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The rules of ownership that follow from the types.
#[derive(Debug, Clone)]
pub struct Owners {
    /// Pools in which every object needs an owner.
    owned: BTreeSet<u32>,
}

/// Why an assignment is not a Rust value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// Two boxes hold the same object.
    TwoBoxes {
        /// The object's pool.
        class: u32,
        /// Its number.
        object: u32,
    },
    /// No part of the value owns the object.
    Orphan {
        /// The object's pool.
        class: u32,
        /// Its number.
        object: u32,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::TwoBoxes { class, object } => write!(f, "two boxes hold object {object} of pool {class}"),
            Flaw::Orphan { class, object } => {
                write!(f, "no part of the value owns object {object} of pool {class}")
            }
        }
    }
}

impl Owners {
    /// Takes from the layout which pools smart pointers lead to.
    pub fn of(raw: &AnyRaw) -> Owners {
        let smart = |&(_, ownership): &(u32, Ownership)| ownership != Ownership::Raw;
        Owners { owned: raw.pointers().into_iter().filter(smart).map(|(class, _)| class).collect() }
    }

    /// Counts the boxes of every object, and follows owners from the root.
    pub fn check(&self, views: &[SlotView]) -> Result<(), Flaw> {
        let mut boxes: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for view in views {
            if let Content::Object { class, object, ownership: Ownership::Unique } = view.content {
                *boxes.entry((class, object)).or_default() += 1;
            }
        }
        if let Some((&(class, object), _)) = boxes.iter().find(|(_, count)| **count > 1) {
            return Err(Flaw::TwoBoxes { class, object });
        }
        let held = self.held(views);
        let orphan = views.iter().find_map(|view| match view.content {
            Content::Object { class, object, .. } => {
                let orphan = self.owned.contains(&class) && !held.contains(&(class, object));
                orphan.then_some(Flaw::Orphan { class, object })
            }
            _ => None,
        });
        orphan.map_or(Ok(()), Err)
    }

    /// The objects that the root reaches through owners.
    fn held(&self, views: &[SlotView]) -> BTreeSet<(u32, u32)> {
        let mut held = BTreeSet::new();
        let mut queue: Vec<Option<(u32, u32)>> = vec![None];
        while let Some(holder) = queue.pop() {
            for view in views.iter().filter(|v| v.object == holder) {
                let targets = match view.content {
                    Content::Object { class, object, ownership } => {
                        let owns = match ownership {
                            Ownership::Unique | Ownership::Shared => true,
                            Ownership::Raw => !self.owned.contains(&class),
                            Ownership::Weak => false,
                        };
                        if owns { vec![(class, object)] } else { vec![] }
                    }
                    Content::Items { class, start, len } => {
                        (start..start + len).map(|o| (class, o)).collect()
                    }
                    Content::Value(_) | Content::None(_) | Content::Index { .. } => vec![],
                };
                queue.extend(targets.into_iter().filter(|&t| held.insert(t)).map(Some));
            }
        }
        held
    }
}
