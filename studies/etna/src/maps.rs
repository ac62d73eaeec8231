//! What the two maps have in common, and the properties that both should have.

use crate::law::Law;

/// A functional map from keys to small numbers, with a mutant that is switched on by its name.
pub trait OrderedMap: Clone {
    /// The keys.
    type Key: Ord + Clone;
    /// The mutants; the default is the original.
    type Mutant: Copy;

    /// Whether properties about two operations also ask for a valid result.
    const RESULTS_ARE_VALID: bool;

    /// Whether the invariant holds.
    fn is_valid(&self) -> bool;
    /// The map with a key whose value is replaced or new.
    fn insert(self, key: Self::Key, value: u8, mutant: Self::Mutant) -> Self;
    /// The map without a key.
    fn delete(self, key: &Self::Key, mutant: Self::Mutant) -> Self;
    /// The value of a key, found by following the order.
    fn find(&self, key: &Self::Key) -> Option<u8>;
    /// All entries from left to right.
    fn entries(&self) -> Vec<(Self::Key, u8)>;
}

/// Replaces or inserts an entry in a sorted list.
fn insert_sorted<K: Ord>(entries: &mut Vec<(K, u8)>, key: K, value: u8) {
    match entries.binary_search_by(|(k, _)| k.cmp(&key)) {
        Ok(i) => entries[i].1 = value,
        Err(i) => entries.insert(i, (key, value)),
    }
}

/// Whether a result has the same entries as another one and, where that is part of the property, is valid.
fn agree<M: OrderedMap>(result: &M, other: &M) -> bool {
    (!M::RESULTS_ARE_VALID || result.is_valid()) && result.entries() == other.entries()
}

/// Inserting keeps the invariant.
pub fn insert_valid<M: OrderedMap>(map: &M, key: &M::Key, value: u8, mutant: M::Mutant) -> bool {
    map.clone().insert(key.clone(), value, mutant).is_valid()
}

/// Deleting keeps the invariant.
pub fn delete_valid<M: OrderedMap>(map: &M, key: &M::Key, mutant: M::Mutant) -> bool {
    map.clone().delete(key, mutant).is_valid()
}

/// After inserting, a key is found with its new value, and every other key as before.
pub fn insert_post<M: OrderedMap>(
    map: &M,
    key: &M::Key,
    other: &M::Key,
    value: u8,
    mutant: M::Mutant,
) -> bool {
    let found = map.clone().insert(key.clone(), value, mutant).find(other);
    found == if key == other { Some(value) } else { map.find(other) }
}

/// After deleting, a key is not found, and every other key is as before.
pub fn delete_post<M: OrderedMap>(map: &M, key: &M::Key, other: &M::Key, mutant: M::Mutant) -> bool {
    let found = map.clone().delete(key, mutant).find(other);
    found == if key == other { None } else { map.find(other) }
}

/// Inserting does what it does to a sorted list.
pub fn insert_model<M: OrderedMap>(map: &M, key: &M::Key, value: u8, mutant: M::Mutant) -> bool {
    let mut model = map.entries();
    insert_sorted(&mut model, key.clone(), value);
    map.clone().insert(key.clone(), value, mutant).entries() == model
}

/// Deleting does what it does to a sorted list.
pub fn delete_model<M: OrderedMap>(map: &M, key: &M::Key, mutant: M::Mutant) -> bool {
    let mut model = map.entries();
    model.retain(|(k, _)| k != key);
    map.clone().delete(key, mutant).entries() == model
}

/// Two insertions can change places unless they are about the same key. Then the last one counts.
pub fn insert_insert<M: OrderedMap>(
    map: &M,
    key: &M::Key,
    first: &M::Key,
    value: u8,
    first_value: u8,
    mutant: M::Mutant,
) -> bool {
    let both = map.clone().insert(first.clone(), first_value, mutant).insert(key.clone(), value, mutant);
    let last = map.clone().insert(key.clone(), value, mutant);
    let expected = if key == first { last } else { last.insert(first.clone(), first_value, mutant) };
    agree(&both, &expected)
}

/// Inserting after deleting: as deleting after inserting, or as inserting alone if it is the same key.
pub fn insert_delete<M: OrderedMap>(
    map: &M,
    key: &M::Key,
    deleted: &M::Key,
    value: u8,
    mutant: M::Mutant,
) -> bool {
    let result = map.clone().delete(deleted, mutant).insert(key.clone(), value, mutant);
    let inserted = map.clone().insert(key.clone(), value, mutant);
    agree(&result, &if key == deleted { inserted } else { inserted.delete(deleted, mutant) })
}

/// Deleting after inserting: as inserting after deleting, or as deleting alone if it is the same key.
pub fn delete_insert<M: OrderedMap>(
    map: &M,
    key: &M::Key,
    inserted: &M::Key,
    value: u8,
    mutant: M::Mutant,
) -> bool {
    let result = map.clone().insert(inserted.clone(), value, mutant).delete(key, mutant);
    let deleted = map.clone().delete(key, mutant);
    agree(&result, &if key == inserted { deleted } else { deleted.insert(inserted.clone(), value, mutant) })
}

/// Two deletions can change places.
pub fn delete_delete<M: OrderedMap>(map: &M, key: &M::Key, other: &M::Key, mutant: M::Mutant) -> bool {
    let result = map.clone().delete(other, mutant).delete(key, mutant);
    agree(&result, &map.clone().delete(key, mutant).delete(other, mutant))
}

/// The properties of both maps, by their names.
pub fn laws<M: OrderedMap>() -> Vec<(&'static str, Law<M>)> {
    vec![
        ("InsertValid", Law::KeyValue(insert_valid)),
        ("DeleteValid", Law::Key(delete_valid)),
        ("InsertPost", Law::KeysValue(insert_post)),
        ("DeletePost", Law::Keys(delete_post)),
        ("InsertModel", Law::KeyValue(insert_model)),
        ("DeleteModel", Law::Key(delete_model)),
        ("InsertInsert", Law::KeysValues(insert_insert)),
        ("InsertDelete", Law::KeysValue(insert_delete)),
        ("DeleteInsert", Law::KeysValue(delete_insert)),
        ("DeleteDelete", Law::Keys(delete_delete)),
    ]
}
