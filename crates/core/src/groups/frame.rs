//! One run on one rule: which objects there are, which of them are abstract, and the decisions so far.
//!
//! The top node of the rule is object 0 of its node type. What it owns is *abstract*: a group. Reading a field of an abstract
//! object is an observation, which narrows the group. Code that follows a pointer inside of it opens it: a rule is chosen.

use super::store::{Answer, ObservationId, Split, Store};
use super::traces::{Query, UNANSWERED};
use crate::cell::LAZY;
use crate::conjuncts::select::Selected;
use crate::ids::SlotId;
use crate::layout::Layout;
use crate::rules::{FieldKind, FieldState, GroupId, Place, Rule};

/// What is known about an object of a run.
enum Object {
    /// Some subtree of a group.
    Abstract(GroupId),
    /// What its fields hold.
    Open(Rule),
}

/// Decisions of a run: how many alternatives there were, and which one was taken.
pub(super) type Decisions = Vec<(u32, u32)>;

/// A run.
#[derive(Default)]
pub(super) struct Frame {
    /// The objects in use, by node type and number.
    objects: Vec<Vec<Object>>,
    /// The slots that show something.
    shown: Vec<SlotId>,
    pub decisions: Decisions,
    cursor: usize,
    /// What was asked, and the answers.
    pub asked: Vec<(Query, Answer)>,
    /// What was asked last, and got no answer.
    pub unanswered: Option<Query>,
    /// The conjuncts of the invariant, if it is run.
    selected: Option<&'static Selected>,
    /// An abstract object was opened.
    pub has_opened: bool,
    /// The conjunct that was the last one to do so.
    pub reader: Option<u32>,
}

/// Thrown, without the panic hook, when the answer to an observation is not known yet.
pub(super) struct Missing(pub GroupId, pub ObservationId);

/// Thrown, without the panic hook, when all answers to an observation would refute the invariant.
pub(super) struct Refused;

/// What a query gets.
pub(super) enum Reply {
    Answer(Answer),
    /// The answer has to be found out first.
    Missing(Missing),
    /// All answers refute the invariant.
    Refused,
}

/// Why a run cannot go on as a function of its subtree.
pub(super) struct Outside;

impl Frame {
    /// Begins a run on a rule.
    pub fn begin(
        &mut self,
        store: &Store,
        node_type: usize,
        rule: &Rule,
        selected: Option<&'static Selected>,
    ) {
        (self.selected, self.reader, self.has_opened) = (selected, None, false);
        self.objects.clear();
        self.objects.resize_with(store.types.all.len(), Vec::new);
        self.objects[node_type].push(Object::Open(rule.clone()));
        self.cursor = 0;
        self.asked.clear();
        self.unanswered = None;
    }

    /// Ends a run: no cell shows anything any more.
    pub fn end(&mut self, layout: &Layout) {
        for slot in self.shown.drain(..) {
            layout.slot(slot).head.index.set(crate::cell::UNREAD);
        }
    }

    /// Moves to the next decisions; false if there are none.
    pub fn advance(&mut self) -> bool {
        while let Some((alternatives, choice)) = self.decisions.last_mut() {
            *choice += 1;
            if choice < alternatives {
                return true;
            }
            self.decisions.pop();
        }
        false
    }

    fn decide(&mut self, alternatives: u32) -> Result<u32, Outside> {
        if alternatives <= 1 {
            return Ok(0);
        }
        let cursor = self.cursor;
        self.cursor += 1;
        match self.decisions.get(cursor) {
            Some(&(expected, choice)) if expected == alternatives => Ok(choice),
            // The code does something else than the last time.
            Some(_) => Err(Outside),
            None => {
                self.decisions.push((alternatives, 0));
                Ok(0)
            }
        }
    }

    /// The group of an abstract object; none if it is open.
    pub fn group(&self, node_type: usize, object: usize) -> Result<Option<GroupId>, Outside> {
        match self.objects[node_type].get(object) {
            Some(Object::Abstract(group)) => Ok(Some(*group)),
            Some(Object::Open(_)) => Ok(None),
            // It does not belong to the run: a reference from an earlier one.
            None => Err(Outside),
        }
    }

    /// Chooses one of the answers about an abstract object.
    pub fn choose(&mut self, node_type: usize, object: usize, split: &Split) -> Result<Answer, Outside> {
        let (answer, group) = split[self.decide(split.len() as u32)? as usize];
        self.objects[node_type][object] = Object::Abstract(group);
        Ok(answer)
    }

    /// Answers a query of a run that was made before. Says what is missing, if the answer is not known.
    pub fn answer(&mut self, store: &mut Store, query: Query) -> Result<Reply, Outside> {
        let (node_type, object, observation) = match query {
            Query::Read(slot) => return self.value(store, slot).map(Reply::Answer),
            Query::Observe { node_type, object, observation } => (node_type, object, observation),
        };
        let group = self.group(node_type, object)?.ok_or(Outside)?;
        Ok(match store.known(group, observation) {
            Some(split) if split.is_empty() => Reply::Refused,
            Some(split) => Reply::Answer(self.choose(node_type, object, &split)?),
            None if store.is_unsplit(group, observation) => Reply::Answer(UNANSWERED),
            None => Reply::Missing(Missing(group, observation)),
        })
    }

    /// Chooses a rule for an abstract object.
    fn open(
        &mut self,
        store: &Store,
        node_type: usize,
        object: usize,
        group: GroupId,
    ) -> Result<(), Outside> {
        self.has_opened = true;
        self.reader = self.selected.and_then(Selected::current).or(self.reader);
        let rules = store.rules(group);
        let rule = rules[self.decide(rules.len() as u32)? as usize].clone();
        self.objects[node_type][object] = Object::Open(rule);
        Ok(())
    }

    /// Lets the cell of a slot show what it holds.
    pub fn read(&mut self, store: &mut Store, layout: &Layout, slot: SlotId) -> Result<(), Outside> {
        let index = self.value(store, slot)?;
        layout.slot(slot).head.index.set(index);
        self.shown.push(slot);
        self.asked.push((Query::Read(slot), index));
        Ok(())
    }

    /// What a slot holds, as the index of its cell.
    pub fn value(&mut self, store: &mut Store, slot: SlotId) -> Result<u32, Outside> {
        let Place { node_type, object, field } = store.types.place(slot);
        let (node_type, object, field) = (node_type as usize, object as usize, field as usize);
        let kind = store.types.all[node_type].fields[field].kind;
        if let FieldKind::Data { key: Some(0), .. } = kind {
            return Ok(LAZY);
        }
        let shown = |answer: Answer| match kind.state(answer) {
            FieldState::Present => LAZY,
            _ => answer,
        };
        if let Some(group) = self.group(node_type, object)? {
            let observation = field as ObservationId;
            let is_data = !matches!(kind, FieldKind::Link { .. }) && !store.is_unsplit(group, observation);
            match store.split_by_field(group, field).filter(|_| is_data) {
                Some(split) => return self.choose(node_type, object, &split).map(shown),
                None => self.open(store, node_type, object, group)?,
            }
        }
        let Object::Open(rule) = &self.objects[node_type][object] else { return Err(Outside) };
        match (rule[field], kind) {
            (FieldState::Choice(choice), _) => Ok(choice),
            (FieldState::Present, _) => Ok(LAZY),
            (FieldState::Object(object), FieldKind::Link { prefix, .. }) => Ok(prefix + object),
            (FieldState::Group(group), FieldKind::Link { node_type: of, prefix, .. }) => {
                let new = self.objects[of].len() as u32;
                self.objects[of].push(Object::Abstract(group));
                self.set(node_type, object, field, FieldState::Object(new));
                Ok(prefix + new)
            }
            // A field of another variant than that of the object.
            (_, FieldKind::Link { .. }) => Err(Outside),
            _ => {
                let answer = self.decide(kind.answers().ok_or(Outside)?)?;
                self.set(node_type, object, field, kind.state(answer));
                Ok(shown(answer))
            }
        }
    }

    fn set(&mut self, node_type: usize, object: usize, field: usize, state: FieldState) {
        if let Object::Open(rule) = &mut self.objects[node_type][object] {
            rule[field] = state;
        }
    }

    /// The object of a run that owns another one, and the slot that leads to it.
    pub fn owner(&self, store: &Store, (of, wanted): (usize, usize)) -> Option<((usize, usize), SlotId)> {
        for (node_type, objects) in self.objects.iter().enumerate() {
            for (object, known) in objects.iter().enumerate() {
                let Object::Open(rule) = known else { continue };
                let this = &store.types.all[node_type];
                for (field, state) in rule.iter().enumerate() {
                    let leads = matches!(this.fields[field].kind, FieldKind::Link { node_type, .. } if node_type == of);
                    if leads && *state == FieldState::Object(wanted as u32) {
                        return Some(((node_type, object), this.slots[object][field]));
                    }
                }
            }
        }
        None
    }

    /// What is known about an open object at the end of a run, as a rule.
    pub fn harvest(&self, store: &mut Store, node_type: usize, object: usize) -> Rule {
        let Object::Open(rule) = &self.objects[node_type][object] else { return [].into() };
        let mut rule = rule.clone();
        for (field, state) in rule.iter_mut().enumerate() {
            let FieldState::Object(inside) = *state else { continue };
            let FieldKind::Link { node_type: of, .. } = store.types.all[node_type].fields[field].kind else {
                continue;
            };
            *state = FieldState::Group(match self.objects[of][inside as usize] {
                Object::Abstract(group) => group,
                Object::Open(_) => {
                    let rule = self.harvest(store, of, inside as usize);
                    store.single(of, rule)
                }
            });
        }
        rule
    }
}
