//! Named values with defaults, which are written to text and read from it, after `java.util.Properties`.

use crate::Hashtable;

/// A table, and what holds for names that are not in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Properties {
    table: Hashtable<String, String>,
    defaults: Option<Box<Properties>>,
}

impl Properties {
    /// The tables are ones.
    pub fn rep_ok(&self) -> bool {
        self.table.rep_ok() && self.defaults.as_ref().is_none_or(|defaults| defaults.rep_ok())
    }

    /// The names and values of this table, without defaults, by name.
    pub fn own(&self) -> Vec<(String, String)> {
        let mut own: Vec<_> = self.table.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        own.sort();
        own
    }
}

#[cfg_attr(feature = "mutate", smallscope::mutate)]
impl Properties {
    /// Nothing, without defaults.
    pub fn new() -> Self {
        Properties { table: Hashtable::new(), defaults: None }
    }

    /// Sets a value, and returns the one that it replaces.
    pub fn set_property(&mut self, name: &str, value: &str) -> Option<String> {
        self.table.put(name.to_owned(), value.to_owned())
    }

    /// The value under a name, or its default.
    pub fn get_property(&self, name: &str) -> Option<&str> {
        if let Some(value) = self.table.get(&name.to_owned()) {
            return Some(value);
        }
        match &self.defaults {
            Some(defaults) => defaults.get_property(name),
            None => None,
        }
    }

    /// The value under a name, its default, or this one.
    pub fn get_property_or<'a>(&'a self, name: &str, otherwise: &'a str) -> &'a str {
        let found = self.get_property(name);
        if found.is_none() {
            return otherwise;
        }
        found.unwrap_or(otherwise)
    }

    /// Removes a value. Its default holds after that.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        self.table.remove(&name.to_owned())
    }

    /// Makes the current values the defaults of an empty table.
    pub fn into_defaults(&mut self) {
        let all = std::mem::take(self);
        if all.depth() < 3 {
            self.defaults = Some(Box::new(all));
        }
    }

    /// How many tables there are, one behind the other.
    fn depth(&self) -> usize {
        let mut depth = 1;
        let mut at = &self.defaults;
        while let Some(defaults) = at {
            depth += 1;
            at = &defaults.defaults;
        }
        depth
    }

    /// The names of all values, with those of defaults, in order.
    pub fn names(&self) -> Vec<String> {
        let mut names = match &self.defaults {
            Some(defaults) => defaults.names(),
            None => vec![],
        };
        for name in self.table.keys() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names.sort();
        names
    }

    /// Writes the values of this table, a line for each, by name.
    pub fn store(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.own() {
            Self::write(&mut text, &name, true);
            text.push('=');
            Self::write(&mut text, &value, false);
            text.push('\n');
        }
        text
    }

    /// Writes a name or a value. A backslash stands before what would end it.
    fn write(text: &mut String, part: &str, is_name: bool) {
        let mut is_first = true;
        for letter in part.chars() {
            let ends = letter == '=' || letter == ' ';
            let comments = letter == '#' && is_name && is_first;
            if letter == '\\' || comments || ends && (is_name || is_first) {
                text.push('\\');
            }
            text.push(letter);
            is_first = false;
        }
    }

    /// Reads lines of a name, a sign and a value. A line that begins with a number sign is a comment.
    pub fn load(&mut self, text: &str) {
        for line in text.lines() {
            let line = line.trim_start();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (mut name, mut value) = (String::new(), String::new());
            let (mut is_escaped, mut is_name) = (false, true);
            for letter in line.chars() {
                if letter == '\\' && !is_escaped {
                    is_escaped = true;
                    continue;
                }
                if is_name && !is_escaped && letter == '=' {
                    is_name = false;
                } else if is_name {
                    name.push(letter);
                } else if is_escaped || !value.is_empty() || letter != ' ' {
                    value.push(letter);
                }
                is_escaped = false;
            }
            self.table.put(name, value);
        }
    }
}

impl Default for Properties {
    fn default() -> Self {
        Properties::new()
    }
}
