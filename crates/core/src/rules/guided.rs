//! A search that follows rules: which groups the objects of the current candidate are in, and which rules were chosen.

use super::{FieldKind, FieldState, GroupId, NodeTypes, Place, Rule, Rules};
use crate::ids::{Choice, SlotId};
use std::sync::Arc;

/// What a search that follows rules knows about its current candidate, besides the path.
pub(crate) struct Guided {
    pub types: Arc<NodeTypes>,
    rules: Arc<Rules>,
    /// For each object of each node type, whether its rule was chosen.
    is_chosen: Vec<Vec<bool>>,
    /// For each slot, the group of the object that it leads to, as the rule of its own object says.
    groups: Vec<GroupId>,
}

/// What a rule says about the choices of a slot.
pub(crate) struct Narrowed {
    pub slot: SlotId,
    pub least: Choice,
    /// None for the greatest that is allowed.
    pub most: Option<Choice>,
}

impl Guided {
    pub fn new(types: Arc<NodeTypes>, rules: Arc<Rules>) -> Guided {
        let is_chosen = types.all.iter().map(|node_type| vec![false; node_type.slots.len()]).collect();
        let groups = vec![0; types.places.len()];
        Guided { types, rules, is_chosen, groups }
    }

    /// Whether the rule of the object with this slot was chosen.
    #[inline]
    pub fn is_chosen(&self, slot: SlotId) -> bool {
        let Place { node_type, object, .. } = self.types.place(slot);
        self.is_chosen[node_type as usize][object as usize]
    }

    /// The group of the object with this slot. `owner` returns the slot that leads to an object of a node type.
    fn rules_of(&self, slot: SlotId, owner: &dyn Fn(&Guided, Place) -> Option<SlotId>) -> &Arc<[Rule]> {
        let place = self.types.place(slot);
        let group = match place.node_type {
            0 => self.rules.root,
            _ => owner(self, place).map_or(self.rules.root, |owner| self.groups[owner.index()]),
        };
        &self.rules.groups[group as usize].1
    }

    /// How many rules there are for the object with this slot.
    pub fn count(&self, slot: SlotId, owner: &dyn Fn(&Guided, Place) -> Option<SlotId>) -> u32 {
        self.rules_of(slot, owner).len() as u32
    }

    /// Chooses a rule for the object with this slot. Returns what it says.
    pub fn choose(
        &mut self,
        slot: SlotId,
        choice: Choice,
        owner: &dyn Fn(&Guided, Place) -> Option<SlotId>,
    ) -> Vec<Narrowed> {
        let Place { node_type, object, .. } = self.types.place(slot);
        let rules = self.rules_of(slot, owner).clone();
        self.is_chosen[node_type as usize][object as usize] = true;
        let node_type = &self.types.all[node_type as usize];
        let mut narrowed = vec![];
        for (field, state) in rules[choice as usize].iter().enumerate() {
            let slot = node_type.slots[object as usize][field];
            match (*state, node_type.fields[field].kind) {
                (FieldState::Choice(choice), _) => {
                    narrowed.push(Narrowed { slot, least: choice, most: Some(choice) });
                }
                (FieldState::Group(group), FieldKind::Link { prefix, .. }) => {
                    self.groups[slot.index()] = group;
                    narrowed.push(Narrowed { slot, least: prefix, most: None });
                }
                _ => {}
            }
        }
        narrowed
    }

    /// The rule of the object with this slot is open again.
    pub fn forget(&mut self, slot: SlotId) {
        let Place { node_type, object, .. } = self.types.place(slot);
        self.is_chosen[node_type as usize][object as usize] = false;
    }
}
