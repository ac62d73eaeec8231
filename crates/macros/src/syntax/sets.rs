//! Sets and maps of names, for the few that one item has.
//!
//! Those of std are compiled again for each type of value, and every user compiles this crate. Here a map is compiled once
//! per type of value only as far as it moves values; the search for names is compiled once.

/// A set of names, in their order.
#[derive(Clone, Default)]
pub(crate) struct Names(Vec<String>);

impl Names {
    /// Where a name is, or where it would be.
    fn position(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|other| other.as_str().cmp(name))
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.position(name).is_ok()
    }

    /// Adds a name. Returns whether it is new.
    pub(crate) fn insert(&mut self, name: String) -> bool {
        let position = self.position(&name);
        if let Err(at) = position {
            self.0.insert(at, name);
        }
        position.is_err()
    }

    pub(crate) fn insert_all(&mut self, names: &[String]) {
        for name in names {
            self.insert(name.clone());
        }
    }

    pub(crate) fn remove(&mut self, name: &str) {
        if let Ok(at) = self.position(name) {
            self.0.remove(at);
        }
    }

    /// Removes the names that fail a test.
    pub(crate) fn retain(&mut self, is_kept: &dyn Fn(&str) -> bool) {
        self.0.retain(|name| is_kept(name));
    }

    pub(crate) fn as_slice(&self) -> &[String] {
        &self.0
    }
}

/// A map from names, in their order.
pub(crate) struct NameMap<V> {
    names: Names,
    /// The value of each name, in the same order.
    values: Vec<V>,
}

impl<V> Default for NameMap<V> {
    fn default() -> Self {
        NameMap { names: Names::default(), values: vec![] }
    }
}

impl<V> NameMap<V> {
    pub(crate) fn get(&self, name: &str) -> Option<&V> {
        match self.names.position(name) {
            Ok(at) => Some(&self.values[at]),
            Err(_) => None,
        }
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut V> {
        match self.names.position(name) {
            Ok(at) => Some(&mut self.values[at]),
            Err(_) => None,
        }
    }

    /// The value of a name, which is given one if it has none.
    pub(crate) fn get_or_insert(&mut self, name: &str, value: V) -> &mut V {
        let (Ok(at) | Err(at)) = self.names.position(name);
        if self.names.insert(name.to_owned()) {
            self.values.insert(at, value);
        }
        &mut self.values[at]
    }

    /// Gives a name a value, in place of the one that it may have.
    pub(crate) fn insert(&mut self, name: &str, value: V) {
        match self.names.position(name) {
            Ok(at) => self.values[at] = value,
            Err(_) => {
                self.get_or_insert(name, value);
            }
        }
    }

    pub(crate) fn remove(&mut self, name: &str) {
        if let Ok(at) = self.names.position(name) {
            self.names.0.remove(at);
            self.values.remove(at);
        }
    }

    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// The values, in the order of their names.
    pub(crate) fn values(&self) -> &[V] {
        &self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_occur_once() {
        let mut names = Names::default();
        assert!(names.insert("b".into()) && names.insert("a".into()) && !names.insert("b".into()));
        names.insert_all(&["d".into(), "a".into(), "c".into()]);
        assert_eq!(names.as_slice(), ["a", "b", "c", "d"]);
        names.remove("b");
        names.retain(&|name| name != "d");
        assert!(names.contains("c") && !names.contains("b") && !names.contains("d"));
    }

    #[test]
    fn values_keep_to_their_names() {
        let mut map = NameMap::default();
        for (name, value) in [("b", 2), ("c", 3), ("a", 1), ("b", 4)] {
            map.get_or_insert(name, value);
        }
        map.insert("c", 13);
        map.insert("d", 5);
        *map.get_mut("d").unwrap() -= 1;
        assert_eq!((map.names().as_slice().len(), map.values()), (4, &[1, 2, 13, 4][..]));
        map.remove("a");
        assert_eq!((map.get("a"), map.get("b"), map.get("c")), (None, Some(&2), Some(&13)));
    }
}
