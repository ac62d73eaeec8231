//! The groups that are known, and how observations split them.

use super::audit::Edge;
use super::limits::Limits;
use crate::rules::{FieldKind, FieldState, GroupId, MOST_POOLS, NodeType, NodeTypes, Rule, Rules, Size};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

/// The number of an observation: that of the field, or behind these that of a call.
pub(super) type ObservationId = u32;

/// The number of an answer: the choice of a field, or a result.
pub(super) type Answer = u32;

/// The answer of a run that refutes the invariant, as was promised. No group has it.
pub(super) const REFUSED: Answer = Answer::MAX - 1;

/// The answers to an observation of a group, and the part of the group that gives each.
pub(super) type Split = Rc<[(Answer, GroupId)]>;

/// Observations from this number on are calls.
pub(super) const FIRST_CALL: ObservationId = 1 << 16;

struct Group {
    node_type: usize,
    size: Size,
    rules: Rc<[Rule]>,
    /// The group that it is a part of, and the answer that its members give.
    whole: Option<(GroupId, ObservationId, Answer)>,
    splits: BTreeMap<ObservationId, Split>,
    /// Observations that would split it too finely.
    unsplit: BTreeSet<ObservationId>,
}

/// All groups of one evaluation.
pub(super) struct Store {
    pub types: Arc<NodeTypes>,
    groups: Vec<Group>,
    /// All subtrees of a node type and size.
    all: BTreeMap<(usize, Size), GroupId>,
    /// All lists of a node type, length and size.
    lists: BTreeMap<(usize, usize, Size), GroupId>,
    /// Groups with one rule that a run has made.
    single: HashMap<(usize, Rule), GroupId>,
    rules: usize,
    limits: Limits,
}

/// The rules of a group by their answers, while these are found out.
#[derive(Default)]
pub(super) struct ByAnswer {
    lists: Vec<(Answer, Vec<Rule>)>,
    places: HashMap<Answer, usize>,
    rules: usize,
}

impl ByAnswer {
    pub fn add(&mut self, answer: Answer, rule: Rule) {
        let next = self.lists.len();
        let place = *self.places.entry(answer).or_insert(next);
        if place == next {
            self.lists.push((answer, vec![]));
        }
        self.lists[place].1.push(rule);
        self.rules += 1;
    }

    /// How many answers there are.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// How many rules there are.
    pub fn rule_count(&self) -> usize {
        self.rules
    }

    /// The rules with an answer.
    pub fn take(&mut self, answer: Answer) -> Vec<Rule> {
        self.places.get(&answer).map_or(vec![], |&place| std::mem::take(&mut self.lists[place].1))
    }
}

impl Store {
    pub fn new(types: Arc<NodeTypes>, limits: Limits) -> Store {
        let (all, lists, single) = (BTreeMap::new(), BTreeMap::new(), HashMap::new());
        Store { types, groups: vec![], all, lists, single, rules: 0, limits }
    }

    fn add(
        &mut self,
        node_type: usize,
        size: Size,
        rules: Vec<Rule>,
        whole: Option<(GroupId, ObservationId, Answer)>,
    ) -> GroupId {
        self.rules += rules.len();
        let (splits, unsplit) = (BTreeMap::new(), BTreeSet::new());
        self.groups.push(Group { node_type, size, rules: rules.into(), whole, splits, unsplit });
        (self.groups.len() - 1) as GroupId
    }

    /// Whether there are more rules than fit, with some that belong to no group yet.
    pub fn is_full(&self, more: usize) -> bool {
        self.rules + more > self.limits.rules
    }

    pub fn rule_count(&self) -> usize {
        self.rules
    }

    pub fn node_type(&self, group: GroupId) -> usize {
        self.groups[group as usize].node_type
    }

    pub fn rules(&self, group: GroupId) -> Rc<[Rule]> {
        self.groups[group as usize].rules.clone()
    }

    /// The group of all subtrees of a node type that have this size, which may be empty.
    pub fn all_of(&mut self, node_type: usize, size: Size) -> GroupId {
        if let Some(&group) = self.all.get(&(node_type, size)) {
            return group;
        }
        let mut rules = vec![];
        let mut left = size;
        let counted = self.types.all[node_type].counted;
        if left[counted] > 0 {
            left[counted] -= 1;
            self.complete(node_type, left, true, &mut vec![], &mut rules);
        }
        let group = self.add(node_type, size, rules, None);
        self.all.insert((node_type, size), group);
        group
    }

    /// The group of all lists with this length, at least 1, and size. It may be empty.
    fn all_lists(&mut self, node_type: usize, length: usize, size: Size) -> GroupId {
        if let Some(&group) = self.lists.get(&(node_type, length, size)) {
            return group;
        }
        let (types, mut rules) = (self.types.clone(), vec![]);
        let counted = types.all[node_type].counted;
        let of = types.all[node_type].list_of.unwrap_or(0);
        let constants = types.all[node_type].constants();
        for first in sizes(size) {
            let is_possible = first[counted] > 0 || first == [0; MOST_POOLS] && !constants.is_empty();
            if !is_possible || length == 1 && first != size || self.is_full(rules.len()) {
                continue;
            }
            let left: Size = std::array::from_fn(|i| size[i] - first[i]);
            let rest = match length {
                1 => FieldState::Choice(0),
                _ if constants.is_empty() && usize::from(left[counted]) < length - 1 => continue,
                _ => FieldState::Group(self.all_lists(node_type, length - 1, left)),
            };
            if matches!(rest, FieldState::Group(rest) if self.groups[rest as usize].rules.is_empty()) {
                continue;
            }
            if first == [0; MOST_POOLS] {
                rules.extend(constants.clone().map(|choice| [FieldState::Choice(choice), rest].into()));
            }
            if first[counted] > 0 {
                let first = self.all_of(of, first);
                if !self.groups[first as usize].rules.is_empty() {
                    rules.push([FieldState::Group(first), rest].into());
                }
            }
        }
        let group = self.add(node_type, size, rules, None);
        self.lists.insert((node_type, length, size), group);
        group
    }

    /// All roots, of every size.
    pub fn all_roots(&mut self) -> Vec<Rule> {
        let (mut rules, most) = (vec![], self.types.most);
        self.complete(0, most, false, &mut vec![], &mut rules);
        rules
    }

    /// Adds every way to share objects out among the fields behind the first ones. If the size is exact, none may be left.
    fn complete(
        &mut self,
        node_type: usize,
        left: Size,
        is_exact: bool,
        known: &mut Vec<FieldState>,
        to: &mut Vec<Rule>,
    ) {
        // What is full is not used.
        if self.is_full(to.len()) {
            return;
        }
        let types = self.types.clone();
        let this: &NodeType = &types.all[node_type];
        let field = known.len();
        if field == this.fields.len() {
            let is_wanted = if is_exact { left == [0; MOST_POOLS] } else { self.fits(left) };
            if is_wanted {
                to.push(known.as_slice().into());
            }
            return;
        }
        let is_there = this.is_there(field, &|around| match known[around] {
            FieldState::Choice(choice) => Some(choice),
            _ => None,
        });
        // The length of the vector whose elements are next.
        let length = match (field.checked_sub(1).map(|i| this.fields[i].kind), known.last()) {
            (Some(kind), Some(FieldState::Choice(choice))) => types.length(kind, *choice),
            _ => 0,
        };
        let mut go_on = |store: &mut Store, state, left| {
            known.push(state);
            store.complete(node_type, left, is_exact, known, to);
            known.pop();
        };
        match this.fields[field].kind {
            _ if !is_there => go_on(self, FieldState::Unread, left),
            FieldKind::Data { .. } | FieldKind::Element { .. } => go_on(self, FieldState::Unread, left),
            FieldKind::Branch { count }
            | FieldKind::Length { count, .. }
            | FieldKind::Count { count, .. } => {
                (0..count).for_each(|choice| go_on(self, FieldState::Choice(choice), left));
            }
            FieldKind::Inside { node_type: of } => {
                let counted = types.all[of].counted;
                let least = if types.all[of].constants().is_empty() { length } else { 0 };
                for size in sizes(left).filter(|size| usize::from(size[counted]) >= least) {
                    let group = self.all_lists(of, length, size);
                    if !self.groups[group as usize].rules.is_empty() {
                        let rest = std::array::from_fn(|i| left[i] - size[i]);
                        go_on(self, FieldState::Group(group), rest);
                    }
                }
            }
            FieldKind::Link { node_type: of, first, prefix } => {
                (first..prefix).for_each(|choice| go_on(self, FieldState::Choice(choice), left));
                let counted = types.all[of].counted;
                for size in sizes(left).filter(|size| size[counted] > 0) {
                    let group = self.all_of(of, size);
                    if !self.groups[group as usize].rules.is_empty() {
                        let rest = std::array::from_fn(|i| left[i] - size[i]);
                        go_on(self, FieldState::Group(group), rest);
                    }
                }
            }
        }
    }

    /// Whether a root may have so many objects that only these are left.
    fn fits(&self, left: Size) -> bool {
        let objects = |size: Size| size.iter().map(|&objects| u32::from(objects)).sum::<u32>();
        self.types.total.is_none_or(|total| objects(self.types.most) - objects(left) <= total)
    }

    /// The group of what one rule says.
    pub fn single(&mut self, node_type: usize, rule: Rule) -> GroupId {
        if let Some(&group) = self.single.get(&(node_type, rule.clone())) {
            return group;
        }
        let mut size = [0; MOST_POOLS];
        let this = &self.types.all[node_type];
        size[this.counted] = u16::from(this.list_of.is_none());
        for state in &rule {
            if let FieldState::Group(group) = *state {
                let inside = self.groups[group as usize].size;
                size = std::array::from_fn(|i| size[i] + inside[i]);
            }
        }
        let group = self.add(node_type, size, vec![rule.clone()], None);
        self.single.insert((node_type, rule), group);
        group
    }

    /// How many objects each subtree of a group has.
    pub fn objects(&self, group: GroupId) -> u32 {
        self.groups[group as usize].size.iter().map(|&objects| u32::from(objects)).sum()
    }

    /// The observations that have made a group, with its answers, from the last one back.
    pub fn answers(&self, group: GroupId) -> impl Iterator<Item = (ObservationId, Answer)> + '_ {
        let of = |group: GroupId| self.groups[group as usize].whole;
        std::iter::successors(of(group), move |(whole, ..)| of(*whole))
            .map(|(_, observation, answer)| (observation, answer))
    }

    /// What an observation is known to say about a group.
    pub fn known(&self, group: GroupId, observation: ObservationId) -> Option<Split> {
        if let Some(split) = self.groups[group as usize].splits.get(&observation) {
            return Some(split.clone());
        }
        let mut at = self.groups[group as usize].whole;
        while let Some((whole, made_by, answer)) = at {
            if made_by == observation {
                return Some([(answer, group)].into());
            }
            at = self.groups[whole as usize].whole;
        }
        None
    }

    /// Whether an observation would split a group too finely, as was found out.
    pub fn is_unsplit(&self, group: GroupId, observation: ObservationId) -> bool {
        self.groups[group as usize].unsplit.contains(&observation)
    }

    pub fn leave_unsplit(&mut self, group: GroupId, observation: ObservationId) {
        self.groups[group as usize].unsplit.insert(observation);
    }

    /// Splits a group by what a field of the top node holds; none if that is too fine.
    pub fn split_by_field(&mut self, group: GroupId, field: usize) -> Option<Split> {
        let observation = field as ObservationId;
        if let Some(split) = self.known(group, observation) {
            return Some(split);
        }
        let node_type = self.node_type(group);
        let answers = self.types.all[node_type].fields[field].kind.answers()?;
        if answers as usize > self.limits.answers {
            return None;
        }
        let mut found = ByAnswer::default();
        for rule in self.rules(group).iter() {
            match self.types.all[node_type].fields[field].kind.answer(rule[field]) {
                Some(answer) => found.add(answer, rule.clone()),
                None => {
                    for answer in 0..answers {
                        let mut rule = rule.clone();
                        rule[field] = self.types.all[node_type].fields[field].kind.state(answer);
                        found.add(answer, rule);
                    }
                }
            }
        }
        Some(self.split(group, observation, found))
    }

    /// Makes a group for each answer.
    pub fn split(&mut self, group: GroupId, observation: ObservationId, found: ByAnswer) -> Split {
        let Group { node_type, size, .. } = self.groups[group as usize];
        let mut split = vec![];
        for (answer, rules) in found.lists {
            split.push((answer, self.add(node_type, size, rules, Some((group, observation, answer)))));
        }
        let split: Split = split.into();
        self.groups[group as usize].splits.insert(observation, split.clone());
        split
    }

    /// Every answer of every group of objects to a call, and the groups themselves.
    pub fn edges(&self) -> Vec<Edge> {
        let mut edges = vec![];
        for (group, of) in (0..).zip(&self.groups) {
            let is_list = self.types.all[of.node_type].list_of.is_some();
            let calls = of.splits.iter().filter(|(observation, _)| **observation >= FIRST_CALL && !is_list);
            for (&observation, split) in calls {
                for &(answer, part) in split.iter() {
                    edges.push(Edge { group: part, observation, answers: vec![answer], is_whole: false });
                }
                let answers = split.iter().map(|(answer, _)| *answer).collect();
                edges.push(Edge { group, observation, answers, is_whole: true });
            }
        }
        edges
    }

    /// The rules of some roots and of all groups that these lead to, with new numbers.
    pub fn freeze(&self, roots: Vec<Rule>) -> Rules {
        let mut frozen = Frozen { store: self, numbers: HashMap::new(), groups: vec![] };
        let roots: Arc<[Rule]> = roots.iter().map(|rule| frozen.rule(rule)).collect();
        let root = frozen.groups.len() as GroupId;
        frozen.groups.push((0, roots));
        Rules { groups: frozen.groups, root }
    }
}

/// Groups that are being given new numbers.
struct Frozen<'a> {
    store: &'a Store,
    numbers: HashMap<GroupId, GroupId>,
    groups: Vec<(usize, Arc<[Rule]>)>,
}

impl Frozen<'_> {
    fn rule(&mut self, rule: &Rule) -> Rule {
        let mut new = rule.clone();
        for state in &mut new {
            if let FieldState::Group(group) = state {
                *group = self.group(*group);
            }
        }
        new
    }

    /// Groups have smaller groups inside, so this ends; subtrees are not deeper than their size.
    fn group(&mut self, group: GroupId) -> GroupId {
        if let Some(&number) = self.numbers.get(&group) {
            return number;
        }
        let rules = self.store.rules(group);
        let rules: Arc<[Rule]> = rules.iter().map(|rule| self.rule(rule)).collect();
        let number = self.groups.len() as GroupId;
        self.groups.push((self.store.node_type(group), rules));
        self.numbers.insert(group, number);
        number
    }
}

/// All sizes up to one, in ascending order.
fn sizes(most: Size) -> impl Iterator<Item = Size> {
    let count: usize = most.iter().map(|&most| usize::from(most) + 1).product();
    (0..count).map(move |mut number| {
        std::array::from_fn(|i| {
            let base = usize::from(most[i]) + 1;
            let digit = number % base;
            number /= base;
            digit as u16
        })
    })
}
