//! How summaries are made, step by step, for those who want to look.

use super::evaluation::{Evaluation, Making};
use super::frame::Missing;
use super::store::{Answer, FIRST_CALL, ObservationId, REFUSED, Split};
use super::traces::{Query, UNANSWERED};
use crate::cell::LAZY;
use crate::ids::{Choice, SlotId};
use crate::layout::{Kind, Layout};
use crate::rules::{FieldKind, FieldState, GroupId, Rule};
use crate::values::elements;
use std::cell::RefCell;

/// A step on the way to a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Code runs on one node. What the node owns is a group for each object.
    Run {
        /// The helper with its arguments; none for the invariant.
        code: Option<String>,
        /// The node.
        node: Node,
        /// What the code has asked, and the answers.
        asked: Vec<(String, String)>,
        /// How it has ended.
        end: String,
        /// It has not run: the same questions got the same answers before.
        is_known: bool,
    },
    /// A group is split by the answers of a helper.
    Split {
        /// The helper with its arguments.
        code: String,
        /// The group.
        whole: Group,
        /// The answers, with what gives each.
        parts: Vec<(String, Group)>,
    },
    /// Something is left out from now on.
    LeftOut(String),
    /// The roots for which the invariant holds.
    Valid(Vec<Node>),
}

/// A node, as far as something is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its type; none for the value itself.
    pub name: Option<String>,
    /// The names of its fields, with what they hold.
    pub fields: Vec<(String, Known)>,
}

/// What is known about a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Known {
    /// Nothing: the code has not looked.
    Nothing,
    /// What it holds.
    Text(String),
    /// It owns some subtree of this group.
    Group(Group),
}

/// A set of subtrees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its number.
    pub number: u32,
    /// The type of the top node.
    pub name: String,
    /// How many objects each of the subtrees has.
    pub objects: u32,
    /// How many rules it has: top nodes that differ.
    pub rules: usize,
    /// What is known about all of them: questions with their answers.
    pub known: Vec<(String, String)>,
}

/// The steps so far, and how many are kept.
struct Log {
    steps: Vec<Step>,
    most: usize,
}

thread_local! {
    static LOG: RefCell<Option<Log>> = const { RefCell::new(None) };
}

/// Runs something that plans a search. Returns the first steps of the last summary that it has made on this thread.
pub fn logged<R>(most: usize, f: impl FnOnce() -> R) -> (R, Vec<Step>) {
    let outer = LOG.replace(Some(Log { steps: vec![], most }));
    let result = f();
    let log = LOG.replace(outer);
    (result, log.map_or(vec![], |log| log.steps))
}

/// Begins with a summary.
pub(super) fn begin() {
    LOG.with_borrow_mut(|log| log.iter_mut().for_each(|log| log.steps.clear()));
}

/// Notes a step, if one is wanted.
pub(super) fn note(step: impl FnOnce() -> Step) {
    if LOG.with_borrow(|log| log.as_ref().is_some_and(|log| log.steps.len() < log.most)) {
        let step = step();
        LOG.with_borrow_mut(|log| log.iter_mut().for_each(|log| log.steps.push(step.clone())));
    }
}

/// Puts into words what a summary is made of.
pub(super) struct Words<'a> {
    making: &'a Making,
    layout: &'static Layout,
}

impl<'a> Words<'a> {
    pub fn new(evaluation: &Evaluation, making: &'a Making) -> Words<'a> {
        Words { making, layout: evaluation.heap.layout }
    }

    /// A run, by how it has ended.
    pub fn run(
        &self,
        of: Option<ObservationId>,
        (node_type, rule): (usize, &Rule),
        result: &Result<Answer, Missing>,
        is_known: bool,
    ) -> Step {
        let frame = &self.making.frame;
        let asked = if is_known { &[][..] } else { &frame.asked };
        let asked = asked.iter().map(|(query, answer)| self.asked(*query, *answer)).collect();
        let end = match *result {
            Ok(REFUSED) => "refutes the invariant".to_owned(),
            Ok(answer) => match of {
                Some(observation) => format!("returns {}", self.answer(node_type, observation, answer)),
                None => format!("returns {}", answer == 1),
            },
            Err(Missing(group, observation)) => {
                format!("waits for {} of group {group}", self.code(self.node_type(group), observation))
            }
        };
        let code = of.map(|observation| self.code(node_type, observation));
        Step::Run { code, node: self.node(node_type, rule), asked, end, is_known }
    }

    pub fn split(&self, whole: GroupId, observation: ObservationId, split: &Split) -> Step {
        let node_type = self.node_type(whole);
        let part = |&(answer, group): &(Answer, GroupId)| {
            (self.answer(node_type, observation, answer), self.group(group))
        };
        let (code, parts) = (self.code(node_type, observation), split.iter().map(part).collect());
        Step::Split { code, whole: self.group(whole), parts }
    }

    pub fn node(&self, node_type: usize, rule: &Rule) -> Node {
        let this = &self.making.store.types.all[node_type];
        let field = |(field, state): (usize, &FieldState)| {
            let Some(slot) = this.slots.first().map(|slots| slots[field]) else {
                let known = match *state {
                    FieldState::Group(group) => Known::Group(self.group(group)),
                    _ => Known::Text(["no object", "none"][field].to_owned()),
                };
                return (["first", "rest"][field].to_owned(), known);
            };
            let known = match *state {
                FieldState::Unread | FieldState::Object(_) => Known::Nothing,
                FieldState::Choice(choice) => Known::Text(self.choice(slot, choice)),
                FieldState::Present => Known::Text("a key".to_owned()),
                FieldState::Group(group) => Known::Group(self.group(group)),
            };
            (self.field(slot), known)
        };
        let name = this.pool.map(|pool| self.layout.pool_label(pool));
        // Pointers in a vector are elements of its list.
        let is_told = |field: &usize| !matches!(this.fields[*field].kind, FieldKind::Element { .. });
        let fields = rule.iter().enumerate().filter(|(at, _)| is_told(at)).map(field).collect();
        Node { name, fields }
    }

    fn node_type(&self, group: GroupId) -> usize {
        self.making.store.node_type(group)
    }

    fn group(&self, number: GroupId) -> Group {
        let (store, node_type) = (&self.making.store, self.node_type(number));
        let known = store.answers(number).map(|(observation, answer)| {
            (self.code(node_type, observation), self.answer(node_type, observation, answer))
        });
        let pool = store.types.all[node_type].pool;
        let list_of = store.types.all[node_type].list_of.and_then(|of| store.types.all[of].pool);
        Group {
            number,
            name: match (pool, list_of) {
                (Some(pool), _) => self.layout.pool_label(pool),
                (None, Some(pool)) => format!("elements {}", self.layout.pool_label(pool)),
                (None, None) => "value".to_owned(),
            },
            objects: store.objects(number),
            rules: store.rules(number).len(),
            known: known.collect(),
        }
    }

    fn field(&self, slot: SlotId) -> String {
        self.layout.info(slot).site.field.to_owned()
    }

    /// What is asked about a node of a type: a field of it, or a helper with its arguments.
    fn code(&self, node_type: usize, observation: ObservationId) -> String {
        match observation.checked_sub(FIRST_CALL) {
            None => self.field(self.making.store.types.all[node_type].slots[0][observation as usize]),
            Some(number) => {
                let call = &self.making.calls[number as usize];
                let arguments = self.making.text(call.types.0, call.arguments);
                match arguments {
                    Some(arguments) => format!("{}{arguments}", call.site.name),
                    None => format!("{}(arguments {})", call.site.name, call.arguments + 1),
                }
            }
        }
    }

    fn answer(&self, node_type: usize, observation: ObservationId, answer: Answer) -> String {
        match observation.checked_sub(FIRST_CALL) {
            None => {
                let of = &self.making.store.types.all[node_type];
                let field = observation as usize;
                match of.fields[field].kind.state(answer) {
                    FieldState::Choice(choice) => self.choice(of.slots[0][field], choice),
                    _ => "a key".to_owned(),
                }
            }
            Some(number) => {
                let call = &self.making.calls[number as usize];
                self.making.text(call.types.1, answer).unwrap_or_else(|| format!("answer {}", answer + 1))
            }
        }
    }

    /// A question of the current run, and its answer.
    fn asked(&self, query: Query, answer: Answer) -> (String, String) {
        match query {
            Query::Read(slot) => {
                let place = self.making.store.types.place(slot);
                let choice = match self.layout.kind(slot) {
                    // The cell also says where the elements are.
                    Kind::Items { pool, prefix, .. } if answer >= prefix && answer != LAZY => {
                        prefix + (answer - prefix) / self.layout.stride(pool)
                    }
                    _ => answer,
                };
                let text = if answer == LAZY { "a key".to_owned() } else { self.choice(slot, choice) };
                (self.part((place.node_type as usize, place.object as usize), self.field(slot)), text)
            }
            Query::IsLast => ("rest".to_owned(), if answer == 1 { "none" } else { "some" }.to_owned()),
            Query::First(like) => ("first".to_owned(), self.choice(like, answer)),
            Query::Fold { observation, .. } | Query::FoldPointers { observation, .. } => {
                let answer = match answer {
                    UNANSWERED => "too many answers: it is read".to_owned(),
                    answer => self.answer(0, observation, answer),
                };
                (self.code(0, observation), answer)
            }
            Query::Observe { node_type, object, observation } => {
                let answer = match answer {
                    UNANSWERED => "too many answers: it is read".to_owned(),
                    answer => self.answer(node_type, observation, answer),
                };
                (self.part((node_type, object), self.code(node_type, observation)), answer)
            }
        }
    }

    /// Something about an object of the current run, which is named by the fields that lead to it.
    fn part(&self, object: (usize, usize), what: String) -> String {
        let mut text = what;
        let mut at = object;
        while let Some((owner, slot)) = self.making.frame.owner(&self.making.store, at) {
            text = format!("{} · {text}", self.field(slot));
            at = owner;
        }
        text
    }

    /// What a slot holds; objects of a run have no names.
    fn choice(&self, slot: SlotId, choice: Choice) -> String {
        let info = self.layout.info(slot);
        match self.layout.kind(slot) {
            Kind::Values { .. } => (info.texts)(choice),
            Kind::Pointer(p) if choice < u32::from(p.nones) => "none".to_owned(),
            Kind::Pointer(p) if choice < p.prefix => (info.texts)(choice),
            Kind::Pointer(_) | Kind::Index { .. } => "an object".to_owned(),
            Kind::Items { prefix, .. } if choice < prefix => "none".to_owned(),
            Kind::Items { prefix, .. } => elements(info.lengths[(choice - prefix) as usize] as usize),
        }
    }
}
