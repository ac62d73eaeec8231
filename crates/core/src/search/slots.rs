//! The slots of the bounded heap, and the path of the current candidate, in words.

use super::Search;
use crate::heap::{Kind, Ownership, State};
use crate::shape::Bounded;
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

impl<T: Bounded> Search<T> {
    /// Every slot, in the order of layout.
    pub fn describe_slots(&self) -> Vec<SlotDescription> {
        let s = self.heap.state.borrow();
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
        let read = self.heap.state.borrow().path.len();
        let _ = self.follow(0, &path);
        let s = self.heap.state.borrow();
        let description = |(i, step): (usize, &crate::heap::Step)| ReadDescription {
            slot: step.slot as usize,
            text: s.choice_text(step.slot, step.choice),
            by_invariant: i < read,
        };
        s.path.iter().enumerate().map(description).collect()
    }

    /// For each candidate that was rejected since the last call: the slot that was read last, and how many were
    /// read. They are noted from the first call on.
    pub fn take_rejections(&mut self) -> Vec<(usize, usize)> {
        self.rejections.replace(vec![]).unwrap_or_default()
    }

    #[cold]
    pub(super) fn note_rejection(&mut self) {
        let s = self.heap.state.borrow();
        if let (Some(rejections), Some(last)) = (&mut self.rejections, s.path.last()) {
            rejections.push((last.slot as usize, s.path.len()));
        }
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
