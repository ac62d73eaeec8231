//! What a run has found out about its objects, as rules and groups.

use super::{Frame, List, Object};
use crate::groups::store::Store;
use crate::ids::SlotId;
use crate::rules::{FieldKind, FieldState, GroupId, Rule};

impl Frame {
    /// The object of a run that owns another one, and the slot that leads to it.
    pub fn owner(&self, store: &Store, (of, wanted): (usize, usize)) -> Option<((usize, usize), SlotId)> {
        for (node_type, objects) in self.objects.iter().enumerate() {
            for (object, known) in objects.iter().enumerate() {
                let Object::Open(rule) = known else { continue };
                let this = &store.types.all[node_type];
                for (field, state) in rule.iter().enumerate() {
                    let leads = matches!(
                        this.fields[field].kind,
                        FieldKind::Link { node_type, .. } | FieldKind::Element { node_type, .. } if node_type == of
                    );
                    if leads && *state == FieldState::Object(wanted as u32) {
                        return Some(((node_type, object), this.slots[object][field]));
                    }
                }
            }
        }
        None
    }

    /// What is known about the top node at the end of a run, as a rule.
    pub fn harvest_top(&self, store: &mut Store, node_type: usize) -> Rule {
        match store.types.all[node_type].list_of {
            Some(of) => {
                let rest = self.lists[0].rest.map_or(FieldState::Choice(0), FieldState::Group);
                let first = match self.first {
                    Some((FieldState::Choice(choice), _)) => FieldState::Choice(choice),
                    _ => FieldState::Group(self.harvest_group(store, of, 0)),
                };
                [first, rest].into()
            }
            None => self.harvest(store, node_type, 0),
        }
    }

    /// What is known about an open object, as a rule.
    fn harvest(&self, store: &mut Store, node_type: usize, object: usize) -> Rule {
        let Object::Open(rule) = &self.objects[node_type][object] else { return [].into() };
        let mut rule = rule.clone();
        for (field, state) in rule.iter_mut().enumerate() {
            let FieldState::Object(inside) = *state else { continue };
            match store.types.all[node_type].fields[field].kind {
                FieldKind::Link { node_type: of, .. } | FieldKind::Element { node_type: of, .. } => {
                    *state = FieldState::Group(self.harvest_group(store, of, inside as usize));
                }
                FieldKind::Inside { node_type: list_type } => {
                    let List { of, start, taken, rest, .. } = self.lists[inside as usize];
                    *state = rest.map_or(FieldState::Choice(0), FieldState::Group);
                    for element in (start..start + taken).rev() {
                        let first = FieldState::Group(self.harvest_group(store, of, element));
                        *state = FieldState::Group(store.single(list_type, [first, *state].into()));
                    }
                }
                _ => {}
            }
        }
        // The pointers of a vector that are taken are the first elements of its list.
        for field in (0..rule.len()).rev() {
            let FieldKind::Element { elements, .. } = store.types.all[node_type].fields[field].kind else {
                continue;
            };
            let FieldKind::Inside { node_type: list } = store.types.all[node_type].fields[elements].kind
            else {
                continue;
            };
            if rule[field] != FieldState::Unread {
                let first = std::mem::replace(&mut rule[field], FieldState::Unread);
                rule[elements] = FieldState::Group(store.single(list, [first, rule[elements]].into()));
            }
        }
        rule
    }

    /// What is known about an object, as a group.
    fn harvest_group(&self, store: &mut Store, node_type: usize, object: usize) -> GroupId {
        match self.objects[node_type][object] {
            Object::Abstract(group) => group,
            _ => {
                let rule = self.harvest(store, node_type, object);
                store.single(node_type, rule)
            }
        }
    }
}
