//! One run on one rule: which objects there are, which of them are abstract, and the decisions so far.
//!
//! The top node of the rule is object 0 of its node type. What it owns is *abstract*: a group. Reading a field of an abstract
//! object is an observation, which narrows the group. Code that follows a pointer inside of it opens it: a rule is chosen.
//!
//! The elements of a vector are a group of lists. A fold over them is an observation of this group. Code that looks at an
//! element by itself *takes* it and those before it: for each, a rule of the list is chosen, a group for the element and
//! one for the rest.

mod harvest;

use super::store::{Answer, ObservationId, Split, Store};
use super::traces::{Query, UNANSWERED};
use crate::cell::{Head, LAZY};
use crate::conjuncts::select::Selected;
use crate::ids::SlotId;
use crate::layout::Layout;
use crate::rules::{FIRST, Field, FieldKind, FieldState, GroupId, NodeType, Place, REST, Rule};

/// What is known about an object of a run.
enum Object {
    /// Some subtree of a group.
    Abstract(GroupId),
    /// What its fields hold.
    Open(Rule),
    /// An element of this list that is not taken.
    Listed(usize),
}

/// The elements of a vector.
struct List {
    /// The node type and the number of the first element.
    of: usize,
    start: usize,
    /// How many elements there are, and how many of them are taken.
    length: usize,
    taken: usize,
    /// The elements that are not taken; none if there are none.
    rest: Option<GroupId>,
}

/// Decisions of a run: how many alternatives there were, and which one was taken.
pub(super) type Decisions = Vec<(u32, u32)>;

/// A run.
#[derive(Default)]
pub(super) struct Frame {
    /// The objects in use, by node type and number.
    objects: Vec<Vec<Object>>,
    /// The vectors of structures. If the run is about a list, the first one is its rest.
    lists: Vec<List>,
    /// If the run is about a list of pointers: what the first one holds, and the first choice that leads to an object.
    first: Option<(FieldState, u32)>,
    /// The cell that shows it.
    pub first_shown: Option<&'static Head>,
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

/// How many pointers of a vector are taken.
fn taken(of: &NodeType, rule: &Rule, vector: usize) -> usize {
    let is_taken = |(field, state): &(&Field, &FieldState)| {
        matches!(field.kind, FieldKind::Element { elements, .. } if elements == vector)
            && **state != FieldState::Unread
    };
    of.fields.iter().zip(rule).filter(is_taken).count()
}

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
        self.lists.clear();
        self.first = None;
        let this = &store.types.all[node_type];
        match this.list_of {
            Some(of) => {
                let mut first = rule[FIRST];
                if let FieldState::Group(group) = first {
                    self.objects[of].push(Object::Abstract(group));
                    first = FieldState::Object(0);
                }
                if let FieldKind::Link { prefix, .. } = this.fields[FIRST].kind {
                    self.first = Some((first, prefix));
                }
                let rest = match rule[REST] {
                    FieldState::Group(rest) => Some(rest),
                    _ => None,
                };
                self.lists.push(List { of, start: 0, length: 0, taken: 0, rest });
            }
            None => self.objects[node_type].push(Object::Open(rule.clone())),
        }
        self.cursor = 0;
        self.asked.clear();
        self.unanswered = None;
    }

    /// Ends a run: no cell shows anything any more.
    pub fn end(&mut self, layout: &Layout) {
        for slot in self.shown.drain(..) {
            layout.slot(slot).head.index.set(crate::cell::UNREAD);
        }
        self.first_shown.take().iter().for_each(|head| head.index.set(crate::cell::UNREAD));
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

    /// Whether an object is abstract.
    pub fn is_abstract(&self, node_type: usize, object: usize) -> Result<bool, Outside> {
        match self.objects[node_type].get(object) {
            Some(Object::Abstract(_) | Object::Listed(_)) => Ok(true),
            Some(Object::Open(_)) => Ok(false),
            // It does not belong to the run: a reference from an earlier one.
            None => Err(Outside),
        }
    }

    /// The group of an abstract object; none if it is open.
    fn group(&mut self, store: &Store, node_type: usize, object: usize) -> Result<Option<GroupId>, Outside> {
        if let Some(&Object::Listed(list)) = self.objects[node_type].get(object) {
            while self.lists[list].start + self.lists[list].taken <= object {
                self.take(store, list)?;
            }
        }
        match self.objects[node_type].get(object) {
            Some(Object::Abstract(group)) => Ok(Some(*group)),
            Some(Object::Open(_)) => Ok(None),
            Some(Object::Listed(_)) | None => Err(Outside),
        }
    }

    /// Chooses a rule of a list, for the next element.
    fn take(&mut self, store: &Store, list: usize) -> Result<(), Outside> {
        let rules = store.rules(self.lists[list].rest.ok_or(Outside)?);
        let rule = &rules[self.decide(rules.len() as u32)? as usize];
        let (FieldState::Group(first), rest) = (rule[FIRST], rule[REST]) else { return Err(Outside) };
        let this = &mut self.lists[list];
        this.rest = match rest {
            FieldState::Group(rest) => Some(rest),
            _ => None,
        };
        this.taken += 1;
        self.objects[this.of][this.start + this.taken - 1] = Object::Abstract(first);
        Ok(())
    }

    /// The list of the elements from an object on, if there are so many and none of them is taken.
    pub fn list_at(&self, node_type: usize, object: usize, length: usize) -> Option<usize> {
        let Some(&Object::Listed(list)) = self.objects[node_type].get(object) else { return None };
        let List { start, length: all, taken, .. } = self.lists[list];
        (start + taken == object && all - taken == length).then_some(list)
    }

    /// Whether some pointers of a vector, which begin with a slot, are all that are not taken of it.
    pub fn are_untaken(&self, store: &Store, layout: &Layout, first: Place, length: usize) -> bool {
        let (node_type, object) = (first.node_type as usize, first.object as usize);
        let this = &store.types.all[node_type];
        let FieldKind::Element { elements, .. } = this.fields[first.field as usize].kind else {
            return false;
        };
        let count = this.slots[object][elements];
        if !layout.is_open(count) {
            return false;
        }
        let all = store.types.length(this.fields[elements - 1].kind, layout.choice(count));
        let taken = match self.objects[node_type].get(object) {
            Some(Object::Open(rule)) => taken(this, rule, elements),
            Some(Object::Abstract(_)) => 0,
            _ => return false,
        };
        first.field as usize == elements + 1 + taken && all - taken == length
    }

    /// Chooses rules of a list, for the pointers of a vector up to one.
    fn take_pointers(
        &mut self,
        store: &Store,
        (node_type, object): (usize, usize),
        elements: usize,
        last: usize,
    ) -> Result<(), Outside> {
        loop {
            let Object::Open(rule) = &self.objects[node_type][object] else { return Err(Outside) };
            let taken = taken(&store.types.all[node_type], rule, elements);
            let (next, rest) = (elements + 1 + taken, rule[elements]);
            if next > last {
                return Ok(());
            }
            let FieldState::Group(rest) = rest else { return Err(Outside) };
            let lists = store.rules(rest);
            let list = &lists[self.decide(lists.len() as u32)? as usize];
            self.set(node_type, object, next, list[FIRST]);
            self.set(node_type, object, elements, list[REST]);
        }
    }

    /// What the first pointer of the list holds that the run is about.
    fn first(&self) -> Result<u32, Outside> {
        match self.first {
            Some((FieldState::Choice(choice), _)) => Ok(choice),
            Some((FieldState::Object(object), prefix)) => Ok(prefix + object),
            _ => Err(Outside),
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
        let (group, observation) = match query {
            Query::Read(slot) => return self.value(store, slot).map(Reply::Answer),
            Query::IsLast => {
                let has_rest = self.lists.first().ok_or(Outside)?.rest.is_some();
                return Ok(Reply::Answer(u32::from(!has_rest)));
            }
            Query::Observe { node_type, object, observation } => {
                (self.group(store, node_type, object)?.ok_or(Outside)?, observation)
            }
            Query::Fold { list, observation } => {
                (self.lists.get(list).and_then(|list| list.rest).ok_or(Outside)?, observation)
            }
            Query::First(_) => return self.first().map(Reply::Answer),
            Query::FoldPointers { node_type, object, elements, observation } => {
                if let Some(group) = self.group(store, node_type, object)? {
                    self.open(store, node_type, object, group)?;
                }
                let Object::Open(rule) = &self.objects[node_type][object] else { return Err(Outside) };
                let FieldState::Group(rest) = rule[elements] else { return Err(Outside) };
                (rest, observation)
            }
        };
        Ok(match (store.known(group, observation), query) {
            (Some(split), _) if split.is_empty() => Reply::Refused,
            (Some(split), Query::Fold { list, .. }) => {
                let (answer, rest) = split[self.decide(split.len() as u32)? as usize];
                self.lists[list].rest = Some(rest);
                Reply::Answer(answer)
            }
            (Some(split), Query::FoldPointers { node_type, object, elements, .. }) => {
                let (answer, rest) = split[self.decide(split.len() as u32)? as usize];
                self.set(node_type, object, elements, FieldState::Group(rest));
                Reply::Answer(answer)
            }
            (Some(split), Query::Observe { node_type, object, .. }) => {
                Reply::Answer(self.choose(node_type, object, &split)?)
            }
            (Some(_), _) => return Err(Outside),
            (None, _) if store.is_unsplit(group, observation) => Reply::Answer(UNANSWERED),
            (None, _) => Reply::Missing(Missing(group, observation)),
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

    /// Lets a cell show what the first pointer of the list holds that the run is about.
    pub fn read_first(&mut self, head: &'static Head, like: SlotId) -> Result<(), Outside> {
        let index = self.first()?;
        head.index.set(index);
        self.first_shown = Some(head);
        self.asked.push((Query::First(like), index));
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
        if let Some(group) = self.group(store, node_type, object)? {
            let observation = field as ObservationId;
            // Pointers and vectors lead to objects, which then are there.
            let is_plain = !matches!(
                kind,
                FieldKind::Link { .. } | FieldKind::Length { .. } | FieldKind::Element { .. }
            );
            let is_data = is_plain && !store.is_unsplit(group, observation);
            match store.split_by_field(group, field).filter(|_| is_data) {
                Some(split) => return self.choose(node_type, object, &split).map(shown),
                None => self.open(store, node_type, object, group)?,
            }
        }
        if let FieldKind::Element { elements, .. } = kind {
            self.take_pointers(store, (node_type, object), elements, field)?;
        }
        let Object::Open(rule) = &self.objects[node_type][object] else { return Err(Outside) };
        match (rule[field], kind) {
            (FieldState::Choice(choice), FieldKind::Length { prefix, .. }) if choice >= prefix => {
                let length = store.types.length(kind, choice);
                let (start, stride) = self.elements(store, (node_type, object, field + 1), length)?;
                Ok(prefix + (choice - prefix) * stride + start as u32)
            }
            (FieldState::Choice(choice), _) => Ok(choice),
            (FieldState::Present, _) => Ok(LAZY),
            (
                FieldState::Object(object),
                FieldKind::Link { prefix, .. } | FieldKind::Element { prefix, .. },
            ) => Ok(prefix + object),
            (
                FieldState::Group(group),
                FieldKind::Link { node_type: of, prefix, .. }
                | FieldKind::Element { node_type: of, prefix, .. },
            ) => {
                let new = self.objects[of].len() as u32;
                self.objects[of].push(Object::Abstract(group));
                self.set(node_type, object, field, FieldState::Object(new));
                Ok(prefix + new)
            }
            // A field of another variant than that of the object.
            (_, FieldKind::Link { .. } | FieldKind::Element { .. }) => Err(Outside),
            _ => {
                let answer = self.decide(kind.answers().ok_or(Outside)?)?;
                self.set(node_type, object, field, kind.state(answer));
                Ok(shown(answer))
            }
        }
    }

    /// The first element of a vector whose elements are in a field, and the number of places for one.
    fn elements(
        &mut self,
        store: &Store,
        (node_type, object, field): (usize, usize, usize),
        length: usize,
    ) -> Result<(usize, u32), Outside> {
        let FieldKind::Inside { node_type: list_type } = store.types.all[node_type].fields[field].kind else {
            return Err(Outside);
        };
        let of = store.types.all[list_type].list_of.ok_or(Outside)?;
        let stride = store.types.all[of].slots.len() as u32 + 1;
        let Object::Open(rule) = &self.objects[node_type][object] else { return Err(Outside) };
        let start = match rule[field] {
            FieldState::Group(rest) => {
                let (start, list) = (self.objects[of].len(), self.lists.len());
                self.objects[of].extend((0..length).map(|_| Object::Listed(list)));
                self.lists.push(List { of, start, length, taken: 0, rest: Some(rest) });
                self.set(node_type, object, field, FieldState::Object(list as u32));
                start
            }
            FieldState::Object(list) => self.lists[list as usize].start,
            _ => 0,
        };
        Ok((start, stride))
    }

    fn set(&mut self, node_type: usize, object: usize, field: usize, state: FieldState) {
        if let Object::Open(rule) = &mut self.objects[node_type][object] {
            rule[field] = state;
        }
    }
}
