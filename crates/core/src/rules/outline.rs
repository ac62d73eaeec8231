//! Outlines: rules without plain data, for a search that runs conjuncts which do not look at that data.
//!
//! Values that differ in data only, as the colours of a tree do, have the same *outline*. The rules of a result say which
//! data goes with which outline, so a search can decide the outline, run the conjuncts that are left, and choose the data
//! afterwards. Conjuncts run once for each outline, and not once for each value.
//!
//! An *outline group* stands for all subtrees with outlines that are in the same groups. So each outline has exactly one
//! derivation, and whatever rule of these groups is chosen for its top node, the rest can be chosen, too.

use super::{FieldKind, FieldState, GroupId, NodeTypes, Rule, Rules};
use std::collections::HashMap;
use std::sync::Arc;

/// Rules without data, and the rules with data for each of them.
#[derive(Debug)]
pub(crate) struct Outline {
    /// The node type and the rules of each outline group, behind those of the groups that it leads to.
    pub groups: Vec<OutlineGroup>,
    /// The group of the roots.
    pub root: GroupId,
    /// The fields that are decided behind the outline, by node type.
    is_detail: Vec<Box<[bool]>>,
}

#[derive(Debug)]
pub(crate) struct OutlineGroup {
    pub rules: Vec<Rule>,
    /// For each rule, the groups that have subtrees with the outline, and the numbers of their rules.
    pub details: Vec<Vec<(GroupId, Arc<[u32]>)>>,
}

/// What an outline rule stands for, while outlines are made.
type Found = (Rule, Vec<(GroupId, Vec<u32>)>);

impl Outline {
    /// The outlines of a result. None if no data is decided by it, or if there are more of them than rules.
    pub fn of(rules: &Rules, types: &NodeTypes) -> Option<Outline> {
        let is_detail = details(rules, types)?;
        // An element of a list and the rest have one outline each, which depend on each other.
        if rules.groups[rules.root as usize].1.is_empty() || types.have_lists() {
            return None;
        }
        let mut most: usize = 0;
        for (_, rules) in &rules.groups {
            most += rules.len();
        }
        let mut outline = Outline { groups: vec![], root: 0, is_detail };
        // For each group of the result, the outline groups that it has subtrees in.
        let mut members: Vec<Vec<GroupId>> = vec![vec![]; rules.groups.len()];
        let mut count = 0;
        for level in levels(rules) {
            let mut found: Vec<Found> = vec![];
            let mut places: HashMap<Rule, usize> = HashMap::new();
            for &group in &level {
                for (number, rule) in rules.groups[group as usize].1.iter().enumerate() {
                    let node_type = rules.groups[group as usize].0;
                    let mut sketches = vec![vec![]];
                    for (field, state) in rule.iter().enumerate() {
                        let states = match *state {
                            _ if outline.is_detail[node_type][field] => vec![FieldState::Unread],
                            FieldState::Group(inside) => {
                                members[inside as usize].iter().map(|&id| FieldState::Group(id)).collect()
                            }
                            other => vec![other],
                        };
                        let mut longer = vec![];
                        for sketch in &sketches {
                            for state in &states {
                                let mut sketch: Vec<FieldState> = sketch.clone();
                                sketch.push(*state);
                                longer.push(sketch);
                            }
                        }
                        sketches = longer;
                    }
                    for sketch in sketches {
                        let sketch: Rule = sketch.into();
                        let next = found.len();
                        let place = *places.entry(sketch.clone()).or_insert(next);
                        if place == next {
                            found.push((sketch, vec![]));
                            count += 1;
                            if count > most {
                                return None;
                            }
                        }
                        let of = &mut found[place].1;
                        match of.last_mut() {
                            Some((last, numbers)) if *last == group => numbers.push(number as u32),
                            _ => of.push((group, vec![number as u32])),
                        }
                    }
                }
            }
            outline.add(found, &mut members);
        }
        outline.root = outline.groups.len() as GroupId - 1;
        Some(outline)
    }

    /// Adds groups of what was found: one for all that belongs to the same groups of the result.
    fn add(&mut self, found: Vec<Found>, members: &mut [Vec<GroupId>]) {
        let mut places: HashMap<Vec<GroupId>, usize> = HashMap::new();
        for (rule, of) in found {
            let set: Vec<GroupId> = of.iter().map(|(group, _)| *group).collect();
            let next = self.groups.len();
            let place = *places.entry(set.clone()).or_insert(next);
            if place == next {
                self.groups.push(OutlineGroup { rules: vec![], details: vec![] });
                for group in set {
                    members[group as usize].push(place as GroupId);
                }
            }
            let group = &mut self.groups[place];
            group.rules.push(rule);
            group.details.push(of.into_iter().map(|(group, numbers)| (group, numbers.into())).collect());
        }
    }

    /// Whether a field is decided behind the outline.
    #[inline]
    pub fn is_detail(&self, node_type: usize, field: usize) -> bool {
        self.is_detail[node_type][field]
    }

    /// The rules of a group that have the outline of a rule.
    pub fn details(&self, (outline, number): (GroupId, u32), group: GroupId) -> &Arc<[u32]> {
        let details = &self.groups[outline as usize].details[number as usize];
        let found = details.iter().find(|(of, _)| *of == group);
        &found.expect("smallscope internal error: an outline of another group").1
    }
}

/// The fields of plain data that some rule decides, by node type. None if there are none.
fn details(rules: &Rules, types: &NodeTypes) -> Option<Vec<Box<[bool]>>> {
    let mut details: Vec<Box<[bool]>> = vec![];
    for node_type in &types.all {
        details.push(vec![false; node_type.fields.len()].into());
    }
    for (node_type, rules) in &rules.groups {
        for rule in rules.iter() {
            for (field, state) in rule.iter().enumerate() {
                let is_data = matches!(types.all[*node_type].fields[field].kind, FieldKind::Data { .. });
                // The root is decided first.
                details[*node_type][field] |=
                    *node_type > 0 && is_data && matches!(state, FieldState::Choice(_) | FieldState::Present);
            }
        }
    }
    details.iter().any(|fields| fields.contains(&true)).then_some(details)
}

/// The groups of a result, those of the same size and type together, behind those that they lead to.
fn levels(rules: &Rules) -> Vec<Vec<GroupId>> {
    let mut sizes: Vec<usize> = vec![];
    let mut levels: Vec<((usize, usize), Vec<GroupId>)> = vec![];
    for (id, (node_type, of)) in rules.groups.iter().enumerate() {
        let mut size = 1;
        for state in of.first().into_iter().flatten() {
            if let FieldState::Group(inside) = state {
                size += sizes[*inside as usize];
            }
        }
        sizes.push(size);
        // The root, which is the last group, has subtrees of many sizes.
        let key = if id as GroupId == rules.root { (usize::MAX, 0) } else { (size, *node_type) };
        match levels.iter_mut().find(|(known, _)| *known == key) {
            Some((_, level)) => level.push(id as GroupId),
            None => levels.push((key, vec![id as GroupId])),
        }
    }
    levels.sort_by_key(|(key, _)| *key);
    levels.into_iter().map(|(_, level)| level).collect()
}
