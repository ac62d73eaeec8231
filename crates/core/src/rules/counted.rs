//! Counting what rules stand for, and finding the n-th value, without listing the others.
//!
//! Rules exclude each other, and what an object owns is independent of what others own. So numbers of values are sums of
//! products, and the number of a value is a number with a digit for each open field and for each subtree.

use super::{FieldKind, FieldState, GroupId, NodeType, NodeTypes, Rule, Rules};
use crate::ids::Choice;

/// Rules with the number of subtrees in each group.
pub(crate) struct Counted<'a> {
    rules: &'a Rules,
    types: &'a NodeTypes,
    counts: &'a [u64],
}

impl Rules {
    /// Counts the subtrees in each group, if that was not done yet.
    pub fn count(&mut self, types: &NodeTypes) {
        let mut counts = vec![];
        for (node_type, rules) in &self.groups {
            let counted = Counted { rules: self, types, counts: &counts };
            let mut sum = Some(0_u64);
            for rule in rules.iter() {
                let weight = counted.weight(&types.all[*node_type], rule);
                sum = sum.zip(weight).and_then(|(sum, weight)| sum.checked_add(weight));
            }
            // Groups stand behind those that they lead to.
            match sum {
                Some(sum) => counts.push(sum),
                None => return,
            }
        }
        self.counts = Some(counts);
    }
}

impl<'a> Counted<'a> {
    /// None if there are more values than fit into a number.
    pub fn new(rules: &'a Rules, types: &'a NodeTypes) -> Option<Counted<'a>> {
        Some(Counted { rules, types, counts: rules.counts.as_ref()? })
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        self.counts[self.rules.root as usize]
    }

    /// How many choices there are for what a rule says about a field.
    fn factor(&self, node_type: &NodeType, rule: &Rule, field: usize) -> u64 {
        match (rule[field], node_type.fields[field].kind) {
            (FieldState::Group(group), _) => self.counts[group as usize],
            (FieldState::Unread, FieldKind::Data { count, .. }) if is_there(node_type, rule, field) => {
                u64::from(count)
            }
            _ => 1,
        }
    }

    /// How many subtrees a rule stands for.
    fn weight(&self, node_type: &NodeType, rule: &Rule) -> Option<u64> {
        let factors = (0..rule.len()).map(|field| self.factor(node_type, rule, field));
        factors.into_iter().try_fold(1_u64, u64::checked_mul)
    }

    /// The candidate with a number, in the order in which a search that follows the rules delivers values.
    pub fn nth(&self, number: u64) -> Option<Vec<Choice>> {
        if number >= self.count() {
            return None;
        }
        let mut found = Found { choices: vec![], used: vec![0; self.types.all.len()] };
        self.subtree(self.rules.root, number, &mut found);
        Some(found.choices)
    }

    fn subtree(&self, group: GroupId, mut number: u64, found: &mut Found) {
        let (node_type, rules) = &self.rules.groups[group as usize];
        let node_type = &self.types.all[*node_type];
        for rule in rules.iter() {
            let weight = self.weight(node_type, rule).unwrap_or(u64::MAX);
            if number < weight {
                return self.node(node_type, rule, (number, weight), found);
            }
            number -= weight;
        }
    }

    /// Digits from the first field to the last one, in the order of a walk.
    fn node(
        &self,
        node_type: &NodeType,
        rule: &Rule,
        (mut number, mut weight): (u64, u64),
        found: &mut Found,
    ) {
        for field in 0..rule.len() {
            weight /= self.factor(node_type, rule, field);
            let digit = number / weight;
            number %= weight;
            match (rule[field], node_type.fields[field].kind) {
                (FieldState::Choice(choice), _) => found.choices.push(choice),
                (FieldState::Group(group), FieldKind::Link { node_type: of, prefix, .. }) => {
                    found.choices.push(prefix + found.used[of]);
                    found.used[of] += 1;
                    self.subtree(group, digit, found);
                }
                _ if is_there(node_type, rule, field) => found.choices.push(digit as Choice),
                _ => {}
            }
        }
    }
}

/// The choices of a candidate, and how many objects of each node type they lead to.
struct Found {
    choices: Vec<Choice>,
    used: Vec<u32>,
}

fn is_there(node_type: &NodeType, rule: &Rule, field: usize) -> bool {
    node_type.is_there(field, &|around| match rule[around] {
        FieldState::Choice(choice) => Some(choice),
        _ => None,
    })
}
