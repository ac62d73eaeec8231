//! The slots of the bounded heap, and the path of the current candidate, in words.

use crate::answers::About;
use crate::heap::State;
use crate::ids::{Choice, SlotId};
use crate::layout::{Kind, Layout, Ownership};
use crate::path::Step;
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
    /// The invariant has asked about it before: a comparison, or whether it holds something.
    pub is_asked: bool,
}

/// Describes every slot, in the order of layout.
pub(super) fn slots(layout: &Layout) -> Vec<SlotDescription> {
    let mut slots = vec![];
    for id in layout.field_ids() {
        let info = layout.info(id);
        slots.push(SlotDescription {
            field: info.site.to_string(),
            object: info
                .object
                .map(|(pool, object)| format!("{}#{}", layout.pool_label(pool), object.number())),
            argument: info.argument,
            choices: layout.choices(id),
            domain: domain(layout, id),
        });
    }
    slots
}

/// Returns for every slot whether the invariant has asked about it in its last run, whether that took a decision or not.
pub(super) fn asked(s: &State) -> Vec<bool> {
    let mut asked = vec![false; s.layout.slots.len()];
    for logged in &s.answers.log {
        let (a, b) = logged.slots();
        asked[a.index()] = true;
        asked[b.index()] = true;
    }
    for step in s.path.iter() {
        asked[step.slot.index()] |= !step.is_value();
    }
    asked
}

/// Describes the steps of the path, of which the invariant has taken the first `read`, and has asked about some slots.
#[inline]
pub(super) fn reads(s: &State, read: usize, asked: &[bool]) -> Vec<ReadDescription> {
    let mut questions = s.answers.questions.iter();
    let mut description = |(i, step): (usize, &Step)| ReadDescription {
        slot: step.slot.index(),
        text: match step.is_question().then(|| questions.next()).flatten() {
            Some(question) => answer_text(s, question.about, step.choice),
            None if step.is_value() => choice_text(s.layout, step.slot, step.choice),
            None => "something".into(),
        },
        by_invariant: i < read,
        is_asked: asked[step.slot.index()],
    };
    s.path.iter().enumerate().map(&mut description).collect()
}

/// What is left of `b - by` besides `b`.
#[inline]
fn minus(by: i64) -> String {
    match by {
        0 => String::new(),
        by if by < 0 => format!(" + {}", -by),
        by => format!(" - {by}"),
    }
}

/// How many values of a table are listed.
const LISTED: u32 = 8;

/// The choices of a slot, in words.
fn domain(layout: &Layout, slot: SlotId) -> String {
    match layout.kind(slot) {
        Kind::Values { count, .. } => {
            let text = |i| (layout.info(slot).texts)(i);
            match count {
                0..=LISTED => {
                    let mut texts = vec![];
                    for i in 0..count {
                        texts.push(text(i));
                    }
                    texts.join(", ")
                }
                _ => format!("{}, {}, … {}", text(0), text(1), text(count - 1)),
            }
        }
        Kind::Pointer(p) => {
            let mut none = String::new();
            for choice in p.first_choice(0)..p.prefix {
                none += &format!("{}, ", choice_text(layout, slot, choice));
            }
            let pool = layout.pool(p.pool);
            let holds = match p.ownership {
                Ownership::Unique => "only owner",
                Ownership::Shared => "shared",
                Ownership::Weak => "weak",
                Ownership::Raw => "raw",
            };
            let name = layout.pool_label(p.pool);
            match pool.size {
                0 => format!("{none}({name}: no objects)"),
                1 => format!("{none}{name}#0 ({holds})"),
                n => format!("{none}{name}#0 to #{} ({holds})", n - 1),
            }
        }
        Kind::Items { pool, prefix, .. } => {
            let none = if prefix > 0 { "none, " } else { "" };
            let mut lengths = vec![];
            for length in layout.info(slot).lengths.iter() {
                lengths.push(length.to_string());
            }
            format!("{none}lengths {} of {}", lengths.join(", "), layout.pool_label(pool))
        }
        Kind::Index { prefix, .. } => {
            let none = if prefix > 0 { "none, " } else { "" };
            format!("{none}places of the vector")
        }
    }
}

/// An answer to a question about a slot, in words.
#[inline]
fn answer_text(s: &State, about: About, alternative: u32) -> String {
    let layout = s.layout;
    let sign = |signs: &[&'static str]| signs[(alternative as usize).min(signs.len() - 1)];
    match about {
        About::Interval { slot, cuts, .. } => {
            let i = (alternative as usize).min(2);
            let (first, last) = (cuts[i], cuts[i + 1].saturating_sub(1));
            match first == last {
                true => choice_text(layout, slot, first),
                false => {
                    format!("{} to {}", choice_text(layout, slot, first), choice_text(layout, slot, last))
                }
            }
        }
        About::Around { slot, at } => {
            let count = layout.table_len(slot) as i64;
            let value = choice_text(layout, slot, at.clamp(0, count - 1) as u32);
            format!("{} {value}", sign(&["<", "=", ">"]))
        }
        About::Part { slot, part, first } => {
            let is_in = first != (alternative == 1);
            let choices = 0..layout.table_len(slot) as u32;
            let choices: Vec<u32> =
                choices.filter(|&choice| s.constraints.is_in_part(part, choice) == is_in).collect();
            let text = |choice: u32| choice_text(layout, slot, choice);
            match choices[..] {
                [first, second, .., last] => format!("{}, {}, … {}", text(first), text(second), text(last)),
                _ => choices.iter().map(|&choice| text(choice)).collect::<Vec<String>>().join(", "),
            }
        }
        About::Less { b, by, .. } => format!("{} {}{}", sign(&["<", ">="]), layout.label(b), minus(by)),
        About::Order { b, by, .. } => {
            format!("{} {}{}", sign(&["<", "=", ">"]), layout.label(b), minus(by))
        }
    }
}

/// One choice of a slot, in words.
#[inline]
fn choice_text(layout: &Layout, slot: SlotId, choice: Choice) -> String {
    let info = layout.info(slot);
    match layout.kind(slot) {
        Kind::Values { .. } => (info.texts)(choice),
        Kind::Pointer(p) if choice < u32::from(p.nones) => "none".into(),
        Kind::Pointer(p) if choice < p.prefix => (info.texts)(choice),
        Kind::Pointer(p) => format!("{}#{}", layout.pool_label(p.pool), choice - p.prefix),
        Kind::Items { prefix, .. } if choice < prefix => "none".into(),
        Kind::Items { prefix, .. } => elements(info.lengths[(choice - prefix) as usize] as usize),
        Kind::Index { prefix, .. } if choice < prefix => "none".into(),
        Kind::Index { prefix, .. } => format!("[{}]", choice - prefix),
    }
}
