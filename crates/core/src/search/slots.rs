//! The slots of the bounded heap, and the path of the current candidate, in words.

use super::SearchCore;
use crate::heap::{About, Kind, Ownership, State};
use crate::values::elements;

/// A slot, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotDescription {
    /// Type and field.
    pub field: String,
    /// The object that it belongs to, if any: `Node#2`.
    pub object: Option<String>,
    /// The input that it belongs to, if there are several.
    pub argument: Option<&'static str>,
    /// How many choices it has, as if it were alone.
    pub choices: u64,
    /// What they are.
    pub domain: String,
}

/// A slot of the path, with the choice that it has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadDescription {
    /// The number of the slot.
    pub slot: usize,
    /// What it holds.
    pub text: String,
    /// The invariant has read it; otherwise it was reached when the valid candidate was completed.
    pub by_invariant: bool,
}

/// A candidate that was rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// The slot that was read, or asked about, last.
    pub slot: usize,
    /// How many slots were read and questions decided.
    pub steps: usize,
    /// The slots of plain data that were read, so that each of their values is tried.
    pub values: Vec<usize>,
    /// The conjunct of the invariant that was false, in the words of the source, if the engine knows it.
    pub conjunct: Option<&'static str>,
}

impl SearchCore {
    /// Every slot, in the order of layout.
    pub fn describe_slots(&self) -> Vec<SlotDescription> {
        let s = self.heap().state.borrow();
        let description = |id: u32| {
            let info = &s.infos[id as usize];
            SlotDescription {
                field: info.site.to_string(),
                object: info.object.map(|(class, number)| format!("{}#{number}", s.class_label(class))),
                argument: info.argument,
                choices: s.choices(id),
                domain: s.domain(id),
            }
        };
        (0..s.slots.len() as u32).map(description).collect()
    }

    /// What the invariant reads on the current candidate, in order, and what is reachable beyond.
    pub fn describe_reads(&mut self) -> Vec<ReadDescription> {
        let path = self.path();
        // Once more, without completing it.
        self.guide_to(0, &path);
        let _ = self.run();
        let read = self.heap().state.borrow().path.len();
        let _ = self.follow(0, &path);
        let s = self.heap().state.borrow();
        let mut questions = s.questions.iter();
        let mut description = |(i, step): (usize, &crate::heap::Step)| ReadDescription {
            slot: step.slot as usize,
            text: match step.is_question().then(|| questions.next()).flatten() {
                Some(question) => s.answer_text(question.about, step.choice),
                None if step.is_value() => s.choice_text(step.slot, step.choice),
                None => "something".into(),
            },
            by_invariant: i < read,
        };
        s.path.iter().enumerate().map(&mut description).collect()
    }

    /// The candidates that were rejected since the last call. They are noted from the first call on.
    pub fn take_rejections(&mut self) -> Vec<Rejection> {
        self.rejections.replace(vec![]).unwrap_or_default()
    }

    #[cold]
    pub(super) fn note_rejection(&mut self) {
        let s = self.heap().state.borrow();
        if let (Some(rejections), Some(last)) = (&mut self.rejections, s.path.last()) {
            let is_data = |step: &&crate::heap::Step| {
                let slot = &s.slots[step.slot as usize];
                slot.is_plain && step.is_value() && s.choices(step.slot) > 1
            };
            rejections.push(Rejection {
                slot: last.slot as usize,
                steps: s.path.len(),
                values: s.path.iter().filter(is_data).map(|step| step.slot as usize).collect(),
                conjunct: s.conjunctions.failed.map(|site| site.text),
            });
        }
    }
}

/// What is left of `b - by` besides `b`.
fn minus(by: i64) -> String {
    match by {
        0 => String::new(),
        by if by < 0 => format!(" + {}", -by),
        by => format!(" - {by}"),
    }
}

/// How many values of a table are listed.
const LISTED: u32 = 8;

impl State {
    /// The choices of a slot, in words.
    fn domain(&self, slot: u32) -> String {
        match self.slots[slot as usize].kind {
            Kind::Values { count, .. } => {
                let text = |i| (self.infos[slot as usize].texts)(i);
                match count {
                    0..=LISTED => (0..count).map(text).collect::<Vec<_>>().join(", "),
                    _ => format!("{}, {}, … {}", text(0), text(1), text(count - 1)),
                }
            }
            Kind::Pointer(p) => {
                let none = if p.nullable && p.prefix > 0 { "none, " } else { "" };
                let class = &self.classes[p.class as usize];
                let holds = match p.ownership {
                    Ownership::Unique => "owned by nobody else",
                    Ownership::Shared => "shared",
                    Ownership::Weak => "weak",
                    Ownership::Raw => "raw",
                };
                let name = self.class_label(p.class);
                match class.size {
                    0 => format!("{none}({name}: no objects)"),
                    1 => format!("{none}{name}#0 ({holds})"),
                    n => format!("{none}{name}#0 to #{} ({holds})", n - 1),
                }
            }
            Kind::Items { class, prefix, .. } => {
                let none = if prefix > 0 { "none, " } else { "" };
                let lengths = &self.infos[slot as usize].lengths;
                let lengths: Vec<String> = lengths.iter().map(u32::to_string).collect();
                format!("{none}lengths {} of {}", lengths.join(", "), self.class_label(class))
            }
            Kind::Index { prefix, .. } => {
                let none = if prefix > 0 { "none, " } else { "" };
                format!("{none}places of the vector")
            }
        }
    }

    /// An answer to a question about a slot, in words.
    fn answer_text(&self, about: About, alternative: u32) -> String {
        let sign = |signs: &[&'static str]| signs[(alternative as usize).min(signs.len() - 1)];
        match about {
            About::Interval { slot, cuts, .. } => {
                let i = (alternative as usize).min(2);
                let (first, last) = (cuts[i], cuts[i + 1].saturating_sub(1));
                match first == last {
                    true => self.choice_text(slot, first),
                    false => {
                        format!("{} to {}", self.choice_text(slot, first), self.choice_text(slot, last))
                    }
                }
            }
            About::Around { slot, at } => {
                let count = self.table_len(slot) as i64;
                let value = self.choice_text(slot, at.clamp(0, count - 1) as u32);
                format!("{} {value}", sign(&["<", "=", ">"]))
            }
            About::Less { b, by, .. } => format!("{} {}{}", sign(&["<", ">="]), self.label(b), minus(by)),
            About::Order { b, by, .. } => {
                format!("{} {}{}", sign(&["<", "=", ">"]), self.label(b), minus(by))
            }
        }
    }

    /// One choice of a slot, in words.
    fn choice_text(&self, slot: u32, choice: u32) -> String {
        let info = &self.infos[slot as usize];
        match self.slots[slot as usize].kind {
            Kind::Values { .. } => (info.texts)(choice),
            Kind::Pointer(p) if choice < p.prefix => "none".into(),
            Kind::Pointer(p) => format!("{}#{}", self.class_label(p.class), choice - p.prefix),
            Kind::Items { prefix, .. } if choice < prefix => "none".into(),
            Kind::Items { prefix, .. } => elements(info.lengths[(choice - prefix) as usize] as usize),
            Kind::Index { prefix, .. } if choice < prefix => "none".into(),
            Kind::Index { prefix, .. } => format!("[{}]", choice - prefix),
        }
    }
}
