//! Every assignment, each decided by the ordinary invariant on the ordinary value.

use crate::assignments::{Assignments, assignments};
use crate::canonical::{Arenas, Form};
use crate::drawing::draw;
use crate::objects::Objects;
use crate::ownership::Owners;
use smallscope_core::bounds::Bounds;
use smallscope_core::raw::{Probe, SlotView};
use smallscope_core::shape::Bounded;
use std::collections::BTreeMap;

/// The values within some bounds.
#[derive(Debug)]
pub struct Reference {
    /// Assignments tried, including those that are no Rust values.
    pub tried: u64,
    /// Assignments that are Rust values; isomorphic ones are counted again.
    pub values: u64,
    /// The classes of isomorphic values, valid or not.
    pub classes: BTreeMap<Form, Class>,
}

/// A class of isomorphic values.
#[derive(Debug, Clone)]
pub struct Class {
    /// Whether the invariant holds.
    pub valid: bool,
    /// The choices that lead to the first member found.
    pub choices: Vec<u32>,
    /// The form that forgets the order of arena elements; the same as the other form if there is no arena.
    pub unordered: Form,
}

impl Reference {
    /// Number of classes of valid values.
    pub fn valid(&self) -> usize {
        self.classes.values().filter(|c| c.valid).count()
    }
}

/// Enumerates everything. An error if there are more than `limit` assignments, if the invariant panics, or if it
/// answers differently for isomorphic values.
pub fn enumerate<T: Bounded>(bounds: &Bounds, limit: u64) -> Result<Reference, String> {
    enumerate_all(&mut *assignments::<T>(bounds)?, limit)
}

/// The same for a heap that was laid out.
pub(crate) fn enumerate_all(raw: &mut dyn Assignments, limit: u64) -> Result<Reference, String> {
    let (owners, arenas, objects) = (Owners::of(raw), Arenas::of(raw), Objects::of(raw));
    let mut reference = Reference { tried: 0, values: 0, classes: BTreeMap::new() };
    // Each choice with the number of its alternatives.
    let mut counts: Vec<u32> = vec![];
    let mut choices: Vec<u32> = vec![];
    loop {
        match raw.probe(&choices) {
            Probe::Open(n) if n > 0 => {
                counts.push(n);
                choices.push(0);
                continue;
            }
            Probe::Open(_) | Probe::Impossible => reference.tried += 1,
            Probe::Complete(views) => {
                reference.tried += 1;
                if objects.are_within(&views) && owners.check(&views).is_ok() {
                    reference.values += 1;
                    note(raw, &choices, &views, &arenas, &mut reference.classes)?;
                }
            }
        }
        if reference.tried > limit {
            return Err(format!(
                "more than {limit} assignments within these bounds: too many for the reference, which tries them all; \
                 lower the bounds or raise the limit"
            ));
        }
        // The next assignment in lexicographic order.
        while choices.last().zip(counts.last()).is_some_and(|(&choice, &n)| choice + 1 == n) {
            choices.pop();
            counts.pop();
        }
        match choices.last_mut() {
            Some(choice) => *choice += 1,
            None => return Ok(reference),
        }
    }
}

/// Decides one assignment that is a value.
fn note(
    raw: &mut dyn Assignments,
    choices: &[u32],
    views: &[SlotView],
    arenas: &Arenas,
    classes: &mut BTreeMap<Form, Class>,
) -> Result<(), String> {
    // SAFETY: `Owners::check` has accepted the slots.
    let verdict = unsafe { raw.decide(choices) }.ok_or("an assignment is no longer complete")?;
    let valid = verdict.map_err(|message| {
        format!("the invariant panics on a value of the reference: {message}\n{}", draw(views))
    })?;
    let form = Form::of(views);
    let unordered = if arenas.is_empty() { form.clone() } else { arenas.unordered(views) };
    let class = classes.entry(form).or_insert_with(|| Class { valid, choices: choices.to_vec(), unordered });
    if class.valid != valid {
        return Err(format!(
            "the invariant tells isomorphic values apart; it {} this one and not the first of its class:\n{}",
            if valid { "accepts" } else { "rejects" },
            draw(views)
        ));
    }
    Ok(())
}
