//! Properties of maps, and their inputs.

use super::{Task, Trial};
use crate::experiment::Unfinished;

/// A map with errors that can be turned on by name. An operation returns none if it meets a tree that no valid one leads to.
pub(super) trait Map: Clone {
    /// Turns an error on; `none` is the correct code.
    fn with_error(error: &str) -> Self::Errors;
    type Errors: Copy;
    fn insert(&self, errors: Self::Errors, key: u8, value: u32) -> Option<Self>;
    fn delete(&self, errors: Self::Errors, key: u8) -> Option<Self>;
    fn union(&self, _errors: Self::Errors, _other: &Self) -> Option<Self> {
        None
    }
    fn find(&self, key: u8) -> Option<u32>;
    /// The entries from left to right.
    fn entries(&self) -> Vec<(u8, u32)>;
    fn is_valid(&self) -> bool;
    /// Every valid map with so many nodes and keys from 1 on. Values are labels from `first` on.
    fn all(nodes: usize, keys: u8, first: u32) -> Result<Vec<Self>, Unfinished>;
    fn show(&self) -> String;
}

/// The values of arguments; no label is as large.
const VALUE: u32 = 1_000_000;
const OTHER: u32 = 1_000_001;

/// How many maps and keys a property takes.
fn arity(property: &str) -> (usize, usize) {
    let maps = match property {
        "UnionUnionAssoc" => 3,
        "UnionUnionIdem" => 1,
        _ if property.contains("Union") => 2,
        _ => 1,
    };
    let keys = match property {
        "UnionValid" | "UnionModel" | "UnionUnionIdem" | "UnionUnionAssoc" => 0,
        "InsertValid" | "InsertModel" | "DeleteValid" | "DeleteModel" | "UnionPost" => 1,
        "InsertUnion" | "DeleteUnion" | "UnionDeleteInsert" => 1,
        _ => 2,
    };
    (maps, keys)
}

/// Tries all maps with so many nodes together, and all keys below, between, above and in them.
pub(super) fn try_size<M: Map>(
    (error, property): Task,
    size: usize,
    trial: &mut Trial<'_>,
) -> Result<Option<String>, Unfinished> {
    let errors = M::with_error(error);
    let (maps, keys) = arity(property);
    // Enough for any order among the keys of the maps and the arguments.
    let most = (size + keys).max(1) as u8;
    let mut sizes = vec![0; maps];
    sizes[maps - 1] = size;
    loop {
        let mut choices = vec![];
        for (number, &nodes) in (0..).zip(&sizes) {
            choices.push(M::all(nodes, most, number * 1000)?);
        }
        if let Some(found) = try_maps(errors, property, &choices, (keys, most), trial)? {
            return Ok(Some(found));
        }
        if !next_sizes(&mut sizes) {
            return Ok(None);
        }
    }
}

/// The next way to divide the nodes among the maps.
fn next_sizes(sizes: &mut [usize]) -> bool {
    for at in (1..sizes.len()).rev() {
        if sizes[at] > 0 {
            // One more before, and all that remains at the end.
            let rest: usize = sizes[at..].iter().sum();
            sizes[at - 1] += 1;
            sizes[at..].fill(0);
            sizes[sizes.len() - 1] = rest - 1;
            return true;
        }
    }
    false
}

fn try_maps<M: Map>(
    errors: M::Errors,
    property: &str,
    choices: &[Vec<M>],
    (keys, most): (usize, u8),
    trial: &mut Trial<'_>,
) -> Result<Option<String>, Unfinished> {
    let mut at = vec![0; choices.len()];
    if choices.iter().any(Vec::is_empty) {
        return Ok(None);
    }
    loop {
        let maps: Vec<&M> = choices.iter().zip(&at).map(|(maps, &at)| &maps[at]).collect();
        let combinations = usize::from(most).pow(keys as u32);
        for number in 0..combinations {
            let key = |n: u32| (number / usize::from(most).pow(n) % usize::from(most)) as u8 + 1;
            let arguments = [key(0), key(1)];
            trial.count()?;
            if holds(errors, property, &maps, arguments) != Some(true) {
                let maps = maps.iter().map(|map| map.show()).collect::<Vec<_>>().join(" ");
                let keys = arguments[..keys].iter().map(|key| format!(" {key}")).collect::<String>();
                return Ok(Some(format!("{maps}{keys}")));
            }
        }
        // The next combination of maps.
        let Some(place) = (0..at.len()).rev().find(|&n| at[n] + 1 < choices[n].len()) else {
            return Ok(None);
        };
        at[place] += 1;
        at[place + 1..].fill(0);
    }
}

/// Whether a property holds; none if an operation did not end with a map.
fn holds<M: Map>(errors: M::Errors, property: &str, maps: &[&M], [k, other]: [u8; 2]) -> Option<bool> {
    let t = maps[0];
    let insert = |map: &M, key, value| map.insert(errors, key, value);
    let delete = |map: &M, key| map.delete(errors, key);
    let union = |a: &M, b: &M| a.union(errors, b);
    let same = |a: &M, b: &M| Some(a.entries() == b.entries());
    match property {
        "InsertValid" => Some(insert(t, k, VALUE)?.is_valid()),
        "DeleteValid" => Some(delete(t, k)?.is_valid()),
        "UnionValid" => Some(union(t, maps[1])?.is_valid()),
        "InsertPost" => {
            let expected = if k == other { Some(VALUE) } else { t.find(other) };
            Some(insert(t, k, VALUE)?.find(other) == expected)
        }
        "DeletePost" => {
            let expected = if k == other { None } else { t.find(other) };
            Some(delete(t, k)?.find(other) == expected)
        }
        "UnionPost" => Some(union(t, maps[1])?.find(k) == t.find(k).or(maps[1].find(k))),
        "InsertModel" => {
            let mut expected = without(t.entries(), k);
            expected.push((k, VALUE));
            expected.sort_unstable();
            Some(insert(t, k, VALUE)?.entries() == expected)
        }
        "DeleteModel" => Some(delete(t, k)?.entries() == without(t.entries(), k)),
        "UnionModel" => {
            let mut expected = t.entries();
            expected.extend(maps[1].entries().into_iter().filter(|(key, _)| t.find(*key).is_none()));
            expected.sort_unstable();
            Some(union(t, maps[1])?.entries() == expected)
        }
        "InsertInsert" => {
            let twice = insert(&insert(t, other, OTHER)?, k, VALUE)?;
            let once = insert(t, k, VALUE)?;
            same(&twice, &if k == other { once } else { insert(&once, other, OTHER)? })
        }
        "InsertDelete" => {
            let inserted = insert(t, k, VALUE)?;
            let expected = if k == other { inserted } else { delete(&inserted, other)? };
            same(&insert(&delete(t, other)?, k, VALUE)?, &expected)
        }
        "DeleteInsert" => {
            let deleted = delete(t, k)?;
            let expected = if k == other { deleted } else { insert(&deleted, other, VALUE)? };
            same(&delete(&insert(t, other, VALUE)?, k)?, &expected)
        }
        "DeleteDelete" => same(&delete(&delete(t, other)?, k)?, &delete(&delete(t, k)?, other)?),
        "InsertUnion" => {
            same(&insert(&union(t, maps[1])?, k, VALUE)?, &union(&insert(t, k, VALUE)?, maps[1])?)
        }
        "DeleteUnion" => {
            same(&delete(&union(t, maps[1])?, k)?, &union(&delete(t, k)?, &delete(maps[1], k)?)?)
        }
        "UnionDeleteInsert" => {
            let expected = insert(&union(t, maps[1])?, k, VALUE)?;
            same(&union(&delete(t, k)?, &insert(maps[1], k, VALUE)?)?, &expected)
        }
        "UnionUnionIdem" => same(&union(t, t)?, t),
        // Here the trees have to be equal, not only their entries.
        "UnionUnionAssoc" => {
            let (a, b) = (union(&union(t, maps[1])?, maps[2])?, union(t, &union(maps[1], maps[2])?)?);
            Some(a.entries() == b.entries() && a.show() == b.show())
        }
        other => unreachable!("no property `{other}`"),
    }
}

fn without(mut entries: Vec<(u8, u32)>, key: u8) -> Vec<(u8, u32)> {
    entries.retain(|entry| entry.0 != key);
    entries
}
