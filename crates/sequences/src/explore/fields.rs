//! Checks the names of fields in an abstraction: a misspelt name would silently leave out the field.

use std::collections::BTreeSet;

use super::states::StateId;
use super::walker::Walker;
use crate::context::Error;

/// The number of states that are inspected. If there are more, an unknown name is accepted.
const MOST: usize = 10_000;

/// An error if no state has a field with one of these names.
pub(super) fn check(walker: &mut Walker<'_>, fields: &[String]) -> Result<(), Error> {
    let mut met = BTreeSet::new();
    let is_met = |met: &BTreeSet<String>, field: &String| met.contains(field);
    for id in 0..walker.states.len().min(MOST) {
        walker.machine.replay(|path| walker.states.path(id as StateId, path));
        walker.machine.name_fields(&mut met);
        if fields.iter().all(|field| is_met(&met, field)) {
            return Ok(());
        }
    }
    let unknown = fields.iter().find(|field| !is_met(&met, field)).filter(|_| walker.states.len() <= MOST);
    unknown.map_or(Ok(()), |field| {
        Err(Error::UnknownField { field: field.clone(), met: met.into_iter().collect() })
    })
}
