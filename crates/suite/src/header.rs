//! The header of a suite: ordered pairs of strings.

use crate::bytes::{Bytes, Put};

/// Ordered pairs of strings: the structure, its type, bounds, engine, and other data of the caller. The format gives no
/// meaning to any key.
///
/// ```
/// # use smallscope_suite::Header;
/// let header = Header::new().with("structure", "search tree").with("bounds", "3 nodes");
/// assert_eq!(header.get("bounds"), Some("3 nodes"));
/// assert_eq!(header.get("engine"), None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header {
    pairs: Vec<(String, String)>,
}

impl Header {
    /// Creates a header without pairs.
    pub fn new() -> Header {
        Header::default()
    }

    /// Returns the header with one more pair. An existing key keeps its place and gets the new value.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<String>) -> Header {
        let (key, value) = (key.into(), value.into());
        match self.pairs.iter_mut().find(|(k, _)| *k == key) {
            Some(pair) => pair.1 = value,
            None => self.pairs.push((key, value)),
        }
        self
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// Returns the pairs, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

impl Header {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![];
        for (key, value) in &self.pairs {
            bytes.put_counted(key.as_bytes());
            bytes.put_counted(value.as_bytes());
        }
        bytes
    }

    /// Reads pairs of strings; `None` if the bytes are something else.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Header> {
        let mut bytes = Bytes(bytes);
        let mut pairs = vec![];
        while !bytes.is_empty() {
            pairs.push((bytes.string()?, bytes.string()?));
        }
        Some(Header { pairs })
    }
}
