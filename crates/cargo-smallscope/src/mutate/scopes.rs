//! What each scope adds: mutants that it kills, and mutants whose code it reaches.

use super::Judged;
use super::matrix::Row;
use super::verdict::{Kill, Verdict};
use smallscope_runner::session::OriginalRun;

/// The values up to a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scope {
    pub(crate) scope: u32,
    /// How many values there are.
    pub(crate) values: u64,
    /// How many mutants their code is reached of.
    pub(crate) reached: u64,
    /// How many mutants they kill.
    pub(crate) killed: u64,
}

/// Returns what each scope amounts to with those before it. Empty if the values have no scopes.
pub(crate) fn scopes(judged: &[Judged], original: &OriginalRun) -> Vec<Scope> {
    let mut scopes: Vec<Scope> = vec![];
    let mut end = original.sparse;
    for (scope, values) in passes(original) {
        let Some(scope) = scope else { continue };
        end += values;
        match scopes.last_mut() {
            // A scope that comes twice, with few values of some fields first.
            Some(last) if last.scope == scope => last.values = end - original.sparse,
            _ => scopes.push(Scope { scope, values: end - original.sparse, reached: 0, killed: 0 }),
        }
    }
    for scope in &mut scopes {
        let pairs = original.reached.iter().filter_map(|text| pair(text));
        let within = pairs.take_while(|(number, _)| *number <= scope.values + original.sparse);
        scope.reached = within.last().map_or(0, |(_, count)| count);
        let is_killed = |judged: &&Judged| smallest_scope(judged, original).is_some_and(|s| s <= scope.scope);
        scope.killed = judged.iter().filter(is_killed).count() as u64;
    }
    scopes
}

fn pair(text: &str) -> Option<(u64, u64)> {
    let (a, b) = text.split_once(' ')?;
    Some((a.parse().ok()?, b.parse().ok()?))
}

fn passes(original: &OriginalRun) -> impl Iterator<Item = (Option<u32>, u64)> + '_ {
    original.passes.iter().filter_map(|text| {
        let (scope, values) = text.split_once(' ')?;
        Some((scope.parse().ok(), values.parse().ok()?))
    })
}

/// The smallest scope with a value that kills a mutant, if that is known.
fn smallest_scope(judged: &Judged, original: &OriginalRun) -> Option<u32> {
    let Verdict::Killed(Kill { scope, number, .. }) = &judged.verdict else { return None };
    if let Ok(scope) = scope.parse() {
        return Some(scope);
    }
    let in_row = |row: &Row| row.kills.iter().find(|number| *number > original.sparse);
    let number = judged.row.as_ref().and_then(in_row).or(*number)?;
    let mut end = original.sparse;
    for (scope, values) in passes(original) {
        end += values;
        if number <= end {
            return scope.filter(|_| number > original.sparse);
        }
    }
    None
}

/// The smallest scope after which the next two add nothing.
pub(crate) fn enough(scopes: &[Scope]) -> Option<&Scope> {
    let same = |a: &Scope, b: &Scope| (a.killed, a.reached) == (b.killed, b.reached);
    scopes.windows(3).find(|window| same(&window[0], &window[2])).map(|window| &window[0])
}

/// Says from which scope on nothing is added.
pub(crate) fn conclusion(scopes: &[Scope]) -> String {
    match (enough(scopes), scopes) {
        (Some(Scope { scope, .. }), _) => format!(
            "scope {scope} is enough: the next two scopes kill no further mutant and reach no further code"
        ),
        (None, [.., before, last]) if before.killed == last.killed && before.reached == last.reached => {
            format!(
                "scope {} adds nothing to scope {}; `--scope {}` shows whether the next one does",
                last.scope,
                before.scope,
                last.scope + 1
            )
        }
        (None, [.., last]) => format!(
            "scope {} still adds something; `--scope {}` shows whether the next two do",
            last.scope,
            last.scope + 2
        ),
        (None, []) => "the values of this test have no scopes".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scopes_with(counts: &[(u64, u64)]) -> Vec<Scope> {
        let scope = |(scope, &(reached, killed))| Scope { scope: scope as u32, values: 1, reached, killed };
        counts.iter().enumerate().map(scope).collect()
    }

    #[test]
    fn a_scope_is_enough_if_the_next_two_add_nothing() {
        let said = |counts: &[(u64, u64)]| conclusion(&scopes_with(counts));
        assert!(said(&[(1, 0), (5, 3), (5, 4), (5, 4), (5, 4)]).starts_with("scope 2 is enough"));
        assert!(
            said(&[(1, 0), (5, 3), (5, 4), (5, 4)])
                .starts_with("scope 3 adds nothing to scope 2; `--scope 4`")
        );
        assert!(said(&[(1, 0), (5, 3), (5, 4)]).starts_with("scope 2 still adds something; `--scope 4`"));
        // Code that is reached without a further kill counts, too.
        assert!(said(&[(4, 4), (5, 4), (5, 4)]).starts_with("scope 2 adds nothing to scope 1"));
        assert_eq!(said(&[]), "the values of this test have no scopes");
    }
}
