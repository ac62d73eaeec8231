//! A search that follows rules: which groups the objects of the current candidate are in, and which rules were chosen.
//!
//! With outlines, the rule of an object is chosen in two steps. The first one chooses a rule without data; it comes before
//! anything else about the object. The second one chooses a rule of its group that has this outline. It comes before the
//! data is decided, and behind the second step of the owner, which says what the group is.
//!
//! The rule of an element of a vector is chosen together with the rule of its list, in one step. The rule of the list says
//! what the groups of the element and of the rest are, so the elements before it come first. The pointers of a vector of boxes
//! have a step each, behind that of their owner: it chooses a rule of the list, which says what the pointer leads to.

use super::outline::Outline;
use super::{FIRST, FieldKind, FieldState, GroupId, NodeTypes, Place, REST, Rule, Rules};
use crate::ids::{Choice, SlotId};
use std::sync::Arc;

/// What a search that follows rules knows about its current candidate, besides the path.
pub(crate) struct Guided {
    pub types: Arc<NodeTypes>,
    rules: Arc<Rules>,
    outline: Option<Arc<Outline>>,
    /// For each object of each node type, what was chosen.
    chosen: Vec<Vec<Chosen>>,
    /// For each slot, the group of the object that it leads to, as the rule of its own object says.
    groups: Vec<GroupId>,
    /// The same for the outline group.
    outlines: Vec<GroupId>,
    /// For each object of each node type that is an element, the group of the elements behind it.
    rests: Vec<Vec<GroupId>>,
    /// For each slot of a pointer in a vector whose rule is chosen, the group of the elements behind it; [`NO_REST`] if there
    /// are none.
    behind: Vec<Option<GroupId>>,
}

/// There are no elements behind one.
const NO_REST: GroupId = GroupId::MAX;

/// What was chosen for an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Chosen {
    Nothing,
    /// An outline group, and the number of a rule of it.
    Outline(GroupId, Choice),
    /// A rule. If there is an outline, it was chosen before.
    Rule(Option<(GroupId, Choice)>),
}

/// What a rule says about the choices of a slot.
pub(crate) struct Narrowed {
    pub slot: SlotId,
    pub least: Choice,
    /// None for the greatest that is allowed.
    pub most: Option<Choice>,
}

/// Returns the slot that leads to an object. For an element of a vector, also how many elements are before it.
pub(crate) type Owner<'a> = &'a dyn Fn(&Guided, Place) -> Option<(SlotId, u32)>;

impl Guided {
    pub fn new(types: Arc<NodeTypes>, rules: Arc<Rules>, outline: Option<Arc<Outline>>) -> Guided {
        let mut chosen = vec![];
        for node_type in &types.all {
            chosen.push(vec![Chosen::Nothing; node_type.slots.len()]);
        }
        let groups = vec![0; types.places.len()];
        let rests = types.all.iter().map(|node_type| vec![0; node_type.slots.len()]).collect();
        let behind = vec![None; types.places.len()];
        Guided { types, rules, outline, chosen, outlines: groups.clone(), groups, rests, behind }
    }

    fn chosen(&mut self, slot: SlotId) -> &mut Chosen {
        let Place { node_type, object, .. } = self.types.place(slot);
        &mut self.chosen[node_type as usize][object as usize]
    }

    /// Whether a rule is to be chosen before a slot is decided.
    #[inline]
    pub fn is_due(&self, slot: SlotId) -> bool {
        let Place { node_type, object, field } = self.types.place(slot);
        match self.chosen[node_type as usize][object as usize] {
            Chosen::Nothing => true,
            Chosen::Rule(_) => self.is_untaken(slot),
            Chosen::Outline(..) => self.is_detail(node_type, field),
        }
    }

    /// Whether a slot is that of a pointer in a vector about which no rule is chosen.
    #[inline]
    fn is_untaken(&self, slot: SlotId) -> bool {
        self.types.have_lists() && self.behind[slot.index()].is_none() && self.types.elements(slot).is_some()
    }

    /// The field with the elements, if a rule of a list is to be chosen for a slot, and not a rule of its object.
    fn elements_to_take(&self, slot: SlotId) -> Option<usize> {
        let Place { node_type, object, .. } = self.types.place(slot);
        let has_rule = matches!(self.chosen[node_type as usize][object as usize], Chosen::Rule(_));
        self.types.elements(slot).filter(|_| has_rule && self.is_untaken(slot))
    }

    /// The rules of the lists that begin with a pointer in a vector. Rules for those before it are chosen.
    fn lists_at(&self, slot: SlotId, elements: usize) -> &Arc<[Rule]> {
        let Place { node_type, object, field } = self.types.place(slot);
        let slots = &self.types.all[node_type as usize].slots[object as usize];
        let group = match field as usize - 1 {
            before if before == elements => self.groups[slots[elements].index()],
            before => self.behind[slots[before].index()].unwrap_or(NO_REST),
        };
        &self.rules.groups[group as usize].1
    }

    fn is_detail(&self, node_type: u32, field: u32) -> bool {
        self.outline.as_ref().is_some_and(|outline| outline.is_detail(node_type as usize, field as usize))
    }

    /// A slot of the object whose rule is to be chosen next, before the one with this slot: an owner of it.
    pub fn next(&self, slot: SlotId, owner: Owner<'_>) -> SlotId {
        if let Some(elements) = self.elements_to_take(slot) {
            let Place { node_type, object, field } = self.types.place(slot);
            let slots = &self.types.all[node_type as usize].slots[object as usize];
            let first = (elements + 1..field as usize).find(|field| self.is_untaken(slots[*field]));
            return first.map_or(slot, |field| slots[field]);
        }
        let mut next = slot;
        while self.is_outlined(next) {
            let place = self.types.place(next);
            match owner(self, place).filter(|_| place.node_type > 0) {
                Some((owner, _)) if self.is_outlined(owner) => next = owner,
                _ => break,
            }
        }
        self.first_open_element(next, owner)
    }

    /// A slot of the first element of a vector that has no rule, up to the one with this slot.
    fn first_open_element(&self, slot: SlotId, owner: Owner<'_>) -> SlotId {
        let place = self.types.place(slot);
        let this = &self.types.all[place.node_type as usize];
        let before = match this.is_element {
            true => owner(self, place).map_or(0, |(_, before)| before),
            false => 0,
        };
        let chosen = &self.chosen[place.node_type as usize];
        let is_open = |object: &u32| chosen[*object as usize] == Chosen::Nothing;
        match (place.object - before..place.object).find(is_open) {
            Some(object) => this.slots[object as usize][0],
            None => slot,
        }
    }

    /// Whether the rule of the object with a slot is chosen but for its data.
    fn is_outlined(&self, slot: SlotId) -> bool {
        let Place { node_type, object, .. } = self.types.place(slot);
        matches!(self.chosen[node_type as usize][object as usize], Chosen::Outline(..))
    }

    /// The group of the object with a slot, or its outline group.
    fn group_of(&self, groups: &[GroupId], root: GroupId, slot: SlotId, owner: Owner<'_>) -> GroupId {
        let place = self.types.place(slot);
        match place.node_type {
            0 => root,
            _ => owner(self, place).map_or(root, |(owner, _)| groups[owner.index()]),
        }
    }

    /// The rules of the lists that begin with the element with this slot; none if it is no element.
    fn lists_of(&self, slot: SlotId, owner: Owner<'_>) -> Option<Arc<[Rule]>> {
        let place = self.types.place(slot);
        if !self.types.all[place.node_type as usize].is_element {
            return None;
        }
        let group = match owner(self, place)? {
            (owner, 0) => self.groups[owner.index()],
            _ => self.rests[place.node_type as usize][place.object as usize - 1],
        };
        Some(self.rules.groups[group as usize].1.clone())
    }

    /// The rules for the first element of a list.
    fn rules_for_first(&self, list: &Rule) -> &Arc<[Rule]> {
        match list[FIRST] {
            FieldState::Group(first) => &self.rules.groups[first as usize].1,
            _ => unreachable!("smallscope internal error: a list without elements"),
        }
    }

    /// The rules of the object with a slot.
    fn rules_of(&self, slot: SlotId, owner: Owner<'_>) -> &Arc<[Rule]> {
        let group = self.group_of(&self.groups, self.rules.root, slot, owner);
        &self.rules.groups[group as usize].1
    }

    /// The numbers of the rules of the object with a slot that have its outline.
    fn details(
        &self,
        outline: &Outline,
        chosen: (GroupId, Choice),
        slot: SlotId,
        owner: Owner<'_>,
    ) -> Arc<[u32]> {
        let group = self.group_of(&self.groups, self.rules.root, slot, owner);
        outline.details(chosen, group).clone()
    }

    /// How many rules there are to choose from for the object with this slot.
    pub fn count(&self, slot: SlotId, owner: Owner<'_>) -> u32 {
        if let Some(elements) = self.elements_to_take(slot) {
            return self.lists_at(slot, elements).len() as u32;
        }
        let Place { node_type, object, .. } = self.types.place(slot);
        let count = match (&self.outline, self.chosen[node_type as usize][object as usize]) {
            (Some(outline), Chosen::Outline(of, number)) => {
                self.details(outline, (of, number), slot, owner).len()
            }
            (Some(outline), _) => {
                let group = self.group_of(&self.outlines, outline.root, slot, owner);
                outline.groups[group as usize].rules.len()
            }
            (None, _) => match self.lists_of(slot, owner) {
                Some(lists) => lists.iter().map(|list| self.rules_for_first(list).len()).sum(),
                None => self.rules_of(slot, owner).len(),
            },
        };
        count as u32
    }

    /// Chooses a rule for the object with this slot. Returns what it says.
    pub fn choose(&mut self, slot: SlotId, choice: Choice, owner: Owner<'_>) -> Vec<Narrowed> {
        if let Some(elements) = self.elements_to_take(slot) {
            let list = self.lists_at(slot, elements)[choice as usize].clone();
            return vec![self.take(slot, &list)];
        }
        let mut narrowed = vec![];
        match (self.outline.clone(), *self.chosen(slot)) {
            (Some(outline), Chosen::Outline(of, number)) => {
                let rule = self.details(&outline, (of, number), slot, owner)[choice as usize];
                let rules = self.rules_of(slot, owner).clone();
                *self.chosen(slot) = Chosen::Rule(Some((of, number)));
                self.narrow(slot, &rules[rule as usize], false, &mut narrowed);
            }
            (Some(outline), _) => {
                let group = self.group_of(&self.outlines, outline.root, slot, owner);
                *self.chosen(slot) = Chosen::Outline(group, choice);
                self.narrow(
                    slot,
                    &outline.groups[group as usize].rules[choice as usize],
                    true,
                    &mut narrowed,
                );
            }
            (None, _) => {
                let (rules, choice) = match self.lists_of(slot, owner) {
                    Some(lists) => self.choose_list(slot, &lists, choice),
                    None => (self.rules_of(slot, owner).clone(), choice),
                };
                *self.chosen(slot) = Chosen::Rule(None);
                self.narrow(slot, &rules[choice as usize], false, &mut narrowed);
            }
        }
        narrowed
    }

    /// Chooses a list for the element with this slot. Returns the rules of its first element, and which of them is chosen.
    fn choose_list(&mut self, slot: SlotId, lists: &[Rule], mut choice: Choice) -> (Arc<[Rule]>, Choice) {
        let Place { node_type, object, .. } = self.types.place(slot);
        for list in lists {
            let rules = self.rules_for_first(list).clone();
            if let Some(behind) = choice.checked_sub(rules.len() as Choice) {
                choice = behind;
                continue;
            }
            if let FieldState::Group(rest) = list[REST] {
                self.rests[node_type as usize][object as usize] = rest;
            }
            return (rules, choice);
        }
        unreachable!("smallscope internal error: a list that is not there")
    }

    /// Finds what the rule of a list says about its first element, the pointer of a slot.
    fn take(&mut self, slot: SlotId, list: &Rule) -> Narrowed {
        let Place { node_type, field, .. } = self.types.place(slot);
        self.behind[slot.index()] = Some(match list[REST] {
            FieldState::Group(rest) => rest,
            _ => NO_REST,
        });
        match (list[FIRST], self.types.all[node_type as usize].fields[field as usize].kind) {
            (FieldState::Group(group), FieldKind::Element { prefix, .. }) => {
                self.groups[slot.index()] = group;
                Narrowed { slot, least: prefix, most: None }
            }
            (FieldState::Choice(choice), _) => Narrowed { slot, least: choice, most: Some(choice) },
            _ => unreachable!("smallscope internal error: a list without elements"),
        }
    }

    /// Finds what a rule says about the object with a slot.
    fn narrow(&mut self, slot: SlotId, rule: &Rule, is_outline: bool, to: &mut Vec<Narrowed>) {
        let Place { node_type, object, .. } = self.types.place(slot);
        let types = self.types.clone();
        let this = &types.all[node_type as usize];
        for (field, state) in rule.iter().enumerate() {
            let slot = this.slots[object as usize][field];
            match (*state, this.fields[field].kind) {
                // The outline has said so.
                (FieldState::Choice(_) | FieldState::Present, _)
                    if self.outline.is_some() && !is_outline && !self.is_detail(node_type, field as u32) => {}
                (FieldState::Present, FieldKind::Data { key: Some(least), .. }) => {
                    to.push(Narrowed { slot, least, most: None });
                }
                (FieldState::Choice(choice), _) => {
                    to.push(Narrowed { slot, least: choice, most: Some(choice) });
                }
                (FieldState::Group(group), FieldKind::Inside { .. }) => self.groups[slot.index()] = group,
                (FieldState::Group(group), FieldKind::Link { prefix, .. }) => {
                    match is_outline {
                        true => self.outlines[slot.index()] = group,
                        false => self.groups[slot.index()] = group,
                    }
                    if is_outline || self.outline.is_none() {
                        to.push(Narrowed { slot, least: prefix, most: None });
                    }
                }
                _ => {}
            }
        }
    }

    /// What was chosen last for the object with this slot is open again.
    pub fn forget(&mut self, slot: SlotId) {
        if self.behind[slot.index()].take().is_some() {
            return;
        }
        let chosen = self.chosen(slot);
        *chosen = match *chosen {
            Chosen::Rule(Some((of, number))) => Chosen::Outline(of, number),
            _ => Chosen::Nothing,
        };
    }
}
