//! All values that rules stand for: counted, found by number, and drawn at random, without listing them.
//!
//! Rules exclude each other, and what an object owns is independent of what others own. So numbers of values are sums of
//! products, and the number of a value has a digit for each open field and for each subtree.

use super::chances::{Chances, below, choose};
use super::parsed::{Node, Parsed, Read};
use super::{FieldKind, FieldState, GroupId, Natural, NodeType, NodeTypes, Rule, Rules};
use crate::candidate::Candidate;
use crate::ids::Choice;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// All values that summaries of helpers stand for. Nothing is listed.
#[derive(Clone)]
pub struct Population {
    rules: Arc<Rules>,
    types: Arc<NodeTypes>,
    groups: Rc<[Group]>,
    /// The roots: all of them, or those of one size.
    roots: Rc<Roots>,
    residual: Vec<&'static str>,
}

/// A group, counted.
struct Group {
    count: Natural,
    /// How many objects each of its subtrees has.
    objects: u32,
    chances: Chances,
}

struct Roots {
    /// The numbers of their rules.
    rules: Vec<usize>,
    count: Natural,
    chances: Chances,
}

impl Population {
    pub(crate) fn new(rules: Arc<Rules>, types: Arc<NodeTypes>, residual: Vec<&'static str>) -> Population {
        let mut groups = vec![];
        // Groups stand behind those that they lead to.
        for (node_type, rules) in &rules.groups {
            let node_type_of = &types.all[*node_type];
            let mut count = Natural::ZERO;
            for rule in rules.iter() {
                count.add(&weight(&groups, node_type_of, rule));
            }
            let below = rules.first().map_or(0, |rule| objects(&groups, rule));
            let objects = below + u32::from(node_type_of.pool.is_some());
            groups.push(Group { count, objects, chances: Chances::new() });
        }
        let all = (0..rules.groups[rules.root as usize].1.len()).collect();
        let count = groups[rules.root as usize].count.clone();
        let roots = Rc::new(Roots { rules: all, count, chances: Chances::new() });
        Population { rules, types, groups: groups.into(), roots, residual }
    }

    /// Returns how many values there are.
    pub fn count(&self) -> &Natural {
        &self.roots.count
    }

    /// Returns the conjuncts that are not summarised, which may reject values. Usually there are none.
    pub fn residual(&self) -> &[&'static str] {
        &self.residual
    }

    /// Returns how many values there are with each number of objects, where there are any.
    pub fn sizes(&self) -> Vec<(u32, Natural)> {
        let mut sizes = std::collections::BTreeMap::<u32, Natural>::new();
        for &rule in &self.roots.rules {
            let rule = self.root(rule);
            sizes.entry(objects(&self.groups, rule)).or_default().add(&self.weight_of_root(rule));
        }
        sizes.into_iter().filter(|(_, count)| !count.is_zero()).collect()
    }

    /// Returns the values with so many objects.
    pub fn of_size(&self, size: u32) -> Population {
        let has_size = |rule: &usize| objects(&self.groups, self.root(*rule)) == size;
        let rules: Vec<usize> = self.roots.rules.iter().copied().filter(has_size).collect();
        let mut count = Natural::ZERO;
        for &rule in &rules {
            count.add(&self.weight_of_root(self.root(rule)));
        }
        Population { roots: Rc::new(Roots { rules, count, chances: Chances::new() }), ..self.clone() }
    }

    /// Returns the candidate with a number, counted from 0 in the order in which a search that follows the rules delivers
    /// values.
    pub fn nth(&self, number: &Natural) -> Option<Candidate> {
        if number >= self.count() {
            return None;
        }
        let mut found = Found::new(&self.types);
        let mut number = number.clone();
        for &rule in &self.roots.rules {
            let rule = self.root(rule);
            let weight = self.weight_of_root(rule);
            if number < weight {
                self.node(&self.types.all[0], rule, (number, weight), &mut found);
                return Some(Candidate(found.choices));
            }
            number.subtract(&weight);
        }
        None
    }

    /// Returns the number of a candidate; none if it does not belong to these values.
    pub fn rank(&self, candidate: &Candidate) -> Option<Natural> {
        let mut parsed = Parsed::new(candidate);
        let root = parsed.node(&self.types, 0)?;
        if parsed.choices.next().is_some() {
            return None;
        }
        let mut known = HashMap::new();
        let mut number = Natural::ZERO;
        for &rule in &self.roots.rules {
            let rule = self.root(rule);
            if let Some(digits) = self.rank_by_rule(&parsed.nodes, root, 0, rule, &mut known) {
                number.add(&digits);
                return Some(number);
            }
            number.add(&self.weight_of_root(rule));
        }
        None
    }

    /// Returns a candidate at random, each as likely as every other. `random` returns 64 random bits.
    ///
    /// # Panics
    ///
    /// If there are no values.
    pub fn draw(&self, random: &mut dyn FnMut() -> u64) -> Candidate {
        assert!(!self.count().is_zero(), "there are no values to draw from");
        let mut found = Found::new(&self.types);
        let weights = || self.roots.rules.iter().map(|&rule| self.weight_of_root(self.root(rule))).collect();
        let rule = choose(&self.roots.chances, &weights, self.count(), random);
        self.draw_node(&self.types.all[0], self.root(self.roots.rules[rule]), random, &mut found);
        Candidate(found.choices)
    }

    /// Returns the shape of a value at random: its objects, and what summaries say about each of them. A search can follow it, to
    /// find what conjuncts that are not summarised say about the rest.
    ///
    /// # Panics
    ///
    /// If there are no values.
    pub fn draw_shape(&self, random: &mut dyn FnMut() -> u64) -> Shape {
        assert!(!self.count().is_zero(), "there are no values to draw from");
        let weights = || self.roots.rules.iter().map(|&rule| self.weight_of_root(self.root(rule))).collect();
        let rule = choose(&self.roots.chances, &weights, self.count(), random);
        let mut groups = vec![];
        let root = self.draw_rule(0, self.root(self.roots.rules[rule]), random, &mut groups);
        Shape { types: self.types.clone(), rules: Arc::new(Rules { groups, root }) }
    }

    /// Returns values with fewer objects that are like a candidate: one subtree of it is replaced by a smaller one that is made
    /// of its own subtrees. The smallest ones come first.
    pub fn smaller(&self, candidate: &Candidate) -> Vec<Candidate> {
        let mut parsed = Parsed::new(candidate);
        let Some(root) = parsed.node(&self.types, 0) else { return vec![] };
        let mut smaller = parsed.with_smaller_subtrees(&self.types, root);
        smaller.retain(|(_, candidate)| self.rank(candidate).is_some());
        smaller.into_iter().map(|(_, candidate)| candidate).collect()
    }

    /// Returns how many objects a candidate has; none if it does not fit the structure.
    pub fn objects(&self, candidate: &Candidate) -> Option<u32> {
        let mut parsed = Parsed::new(candidate);
        let root = parsed.node(&self.types, 0)?;
        Some(parsed.nodes[root].objects)
    }

    /// Adds a group with a rule for each object of a subtree.
    fn draw_rule(
        &self,
        node_type: usize,
        rule: &Rule,
        random: &mut dyn FnMut() -> u64,
        groups: &mut Vec<(usize, Arc<[Rule]>)>,
    ) -> GroupId {
        let mut drawn = rule.clone();
        for state in &mut drawn {
            if let FieldState::Group(group) = *state {
                let rule = self.choose_rule(group, random);
                let (node_type, rules) = &self.rules.groups[group as usize];
                *state = FieldState::Group(self.draw_rule(*node_type, &rules[rule], random, groups));
            }
        }
        groups.push((node_type, Arc::from([drawn])));
        (groups.len() - 1) as GroupId
    }

    /// Chooses a rule of a group, by its share of the subtrees.
    fn choose_rule(&self, group: GroupId, random: &mut dyn FnMut() -> u64) -> usize {
        let counted = &self.groups[group as usize];
        let (node_type, rules) = self.group(group);
        let weights = || rules.iter().map(|rule| weight(&self.groups, node_type, rule)).collect();
        choose(&counted.chances, &weights, &counted.count, random)
    }

    fn root(&self, rule: usize) -> &Rule {
        &self.rules.groups[self.rules.root as usize].1[rule]
    }

    fn weight_of_root(&self, rule: &Rule) -> Natural {
        weight(&self.groups, &self.types.all[0], rule)
    }

    fn group(&self, group: GroupId) -> (&NodeType, &[Rule]) {
        let (node_type, rules) = &self.rules.groups[group as usize];
        (&self.types.all[*node_type], rules)
    }

    fn subtree(&self, group: GroupId, mut number: Natural, found: &mut Found) {
        let (node_type, rules) = self.group(group);
        for rule in rules {
            let weight = weight(&self.groups, node_type, rule);
            if number < weight {
                return self.node(node_type, rule, (number, weight), found);
            }
            number.subtract(&weight);
        }
    }

    /// Digits from the first field to the last one, in the order of a walk.
    fn node(
        &self,
        node_type: &NodeType,
        rule: &Rule,
        (mut number, mut weight): (Natural, Natural),
        found: &mut Found,
    ) {
        for field in 0..rule.len() {
            let digit = match factor(&self.groups, node_type, rule, field) {
                None => Natural::ZERO,
                Some(factor) => {
                    (weight, _) = weight.divide(&factor);
                    let (digit, rest) = number.divide(&weight);
                    number = rest;
                    digit
                }
            };
            if let Some(group) = found.field(node_type, rule, field, || digit.to_u64().unwrap_or(0) as Choice)
            {
                self.subtree(group, digit, found);
            }
        }
    }

    fn draw_node(
        &self,
        node_type: &NodeType,
        rule: &Rule,
        random: &mut dyn FnMut() -> u64,
        found: &mut Found,
    ) {
        for field in 0..rule.len() {
            let digit = || match (rule[field], node_type.fields[field].kind) {
                (FieldState::Present, FieldKind::Data { count, key }) => {
                    below(count - key.unwrap_or(0), random)
                }
                (_, FieldKind::Data { count, .. }) => below(count, random),
                _ => 0,
            };
            if let Some(group) = found.field(node_type, rule, field, digit) {
                let rule = self.choose_rule(group, random);
                let (node_type, rules) = self.group(group);
                self.draw_node(node_type, &rules[rule], random, found);
            }
        }
    }

    /// The number of a subtree in a group.
    fn rank_in(&self, nodes: &[Node], node: usize, group: GroupId, known: &mut Known) -> Option<Natural> {
        if nodes[node].objects != self.groups[group as usize].objects {
            return None;
        }
        if let Some(known) = known.get(&(node, group)) {
            return known.clone();
        }
        let mut rank = None;
        let mut before = Natural::ZERO;
        let (number_of_type, rules) = &self.rules.groups[group as usize];
        for rule in rules.iter() {
            if let Some(digits) = self.rank_by_rule(nodes, node, *number_of_type, rule, known) {
                before.add(&digits);
                rank = Some(before);
                break;
            }
            before.add(&weight(&self.groups, &self.types.all[*number_of_type], rule));
        }
        known.insert((node, group), rank.clone());
        rank
    }

    /// The number of a subtree among those that a rule stands for.
    fn rank_by_rule(
        &self,
        nodes: &[Node],
        node: usize,
        node_type: usize,
        rule: &Rule,
        known: &mut Known,
    ) -> Option<Natural> {
        let Node { fields, node_type: of, .. } = &nodes[node];
        let nones = |field: usize| match self.types.all[node_type].fields[field].kind {
            FieldKind::Data { key, .. } => key.unwrap_or(0),
            _ => 0,
        };
        let fits = |(i, (state, field)): (usize, (&FieldState, &Option<Read>))| match (state, field) {
            (FieldState::Present, Some(Read::Choice(choice))) => *choice >= nones(i),
            (FieldState::Unread, _) => true,
            (FieldState::Choice(a), Some(Read::Choice(b))) => a == b,
            (FieldState::Group(group), Some(Read::Node(child))) => {
                self.groups[*group as usize].objects == nodes[*child].objects
            }
            _ => false,
        };
        if *of != node_type || !rule.iter().zip(fields).enumerate().all(fits) {
            return None;
        }
        let node_type = &self.types.all[node_type];
        let mut number = Natural::ZERO;
        for field in 0..rule.len() {
            let Some(factor) = factor(&self.groups, node_type, rule, field) else { continue };
            number = number.multiply(&factor);
            number.add(&match (rule[field], fields[field]) {
                (FieldState::Group(group), Some(Read::Node(child))) => {
                    self.rank_in(nodes, child, group, known)?
                }
                (FieldState::Present, Some(Read::Choice(choice))) => {
                    Natural::from(u64::from(choice - nones(field)))
                }
                (_, Some(Read::Choice(choice))) => Natural::from(u64::from(choice)),
                _ => return None,
            });
        }
        Some(number)
    }
}

/// The shape of a value: see [`Population::draw_shape`].
pub struct Shape {
    pub(crate) types: Arc<NodeTypes>,
    /// One rule for each object.
    pub(crate) rules: Arc<Rules>,
}

impl std::fmt::Debug for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shape").field("objects", &(self.rules.groups.len() - 1)).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Population {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Population").field("count", &self.roots.count).finish_non_exhaustive()
    }
}

/// How many choices there are for what a rule says about a field, if it leaves any.
fn factor(groups: &[Group], node_type: &NodeType, rule: &Rule, field: usize) -> Option<Natural> {
    match (rule[field], node_type.fields[field].kind) {
        (FieldState::Group(group), _) => Some(groups[group as usize].count.clone()),
        (FieldState::Unread, FieldKind::Data { count, .. }) if is_there(node_type, rule, field) => {
            Some(Natural::from(u64::from(count)))
        }
        (FieldState::Present, FieldKind::Data { count, key }) => {
            Some(Natural::from(u64::from(count - key.unwrap_or(0))))
        }
        _ => None,
    }
}

/// How many subtrees a rule stands for.
fn weight(groups: &[Group], node_type: &NodeType, rule: &Rule) -> Natural {
    let mut weight = Natural::from(1);
    for field in 0..rule.len() {
        if let Some(factor) = factor(groups, node_type, rule, field) {
            weight = weight.multiply(&factor);
        }
    }
    weight
}

/// How many objects there are below a top node.
fn objects(groups: &[Group], rule: &Rule) -> u32 {
    let mut objects = 0;
    for state in rule {
        if let FieldState::Group(group) = state {
            objects += groups[*group as usize].objects;
        }
    }
    objects
}

/// The choices of a candidate, and how many objects of each node type they lead to.
struct Found {
    choices: Vec<Choice>,
    used: Vec<u32>,
}

impl Found {
    fn new(types: &NodeTypes) -> Found {
        Found { choices: vec![], used: vec![0; types.all.len()] }
    }

    /// Adds the choice of a field. If it leads to an object, returns the group of its subtree, which comes next.
    fn field(
        &mut self,
        node_type: &NodeType,
        rule: &Rule,
        field: usize,
        digit: impl FnOnce() -> Choice,
    ) -> Option<GroupId> {
        match (rule[field], node_type.fields[field].kind) {
            (FieldState::Group(group), FieldKind::Inside { .. }) => return Some(group),
            (_, FieldKind::Inside { .. } | FieldKind::Element { .. }) => {}
            (FieldState::Choice(choice), _) => self.choices.push(choice),
            (FieldState::Present, FieldKind::Data { key, .. }) => {
                self.choices.push(key.unwrap_or(0) + digit());
            }
            (FieldState::Group(group), FieldKind::Link { node_type: of, prefix, .. }) => {
                self.choices.push(prefix + self.used[of]);
                self.used[of] += 1;
                return Some(group);
            }
            _ if is_there(node_type, rule, field) => self.choices.push(digit()),
            _ => {}
        }
        None
    }
}

/// The ranks that are known, by the number of the node and the group.
type Known = HashMap<(usize, GroupId), Option<Natural>>;

fn is_there(node_type: &NodeType, rule: &Rule, field: usize) -> bool {
    node_type.is_there(field, &|around| match rule[around] {
        FieldState::Choice(choice) => Some(choice),
        _ => None,
    })
}
