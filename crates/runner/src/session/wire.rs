//! Messages between the tool and a test binary: a request into the binary, events out of it.
//!
//! A message is a list of `key=value`. The fields of each message are declared once, with [`message`]; both directions
//! derive from that. Both sides are built from the same version, so the text need not be stable.

use crate::session::paths;
use crate::settings::Settings;
use smallscope_core::{Bounds, Candidate};
use smallscope_support::settings::{RUN, SEQUENCES_RUN, find};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The keys of a message with their values.
#[derive(Default)]
pub(crate) struct Fields(Vec<(String, String)>);

impl Fields {
    pub(crate) fn put(&mut self, key: &str, value: impl ToString) {
        self.0.push((key.to_owned(), value.to_string()));
    }

    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// Returns one line, without its end.
    pub(crate) fn to_line(&self) -> String {
        let field = |(key, value): &(String, String)| format!("{key}={}", escape(value));
        self.0.iter().map(field).collect::<Vec<_>>().join("\t")
    }

    pub(crate) fn from_line(line: &str) -> Fields {
        let field = |text: &str| {
            let (key, value) = text.split_once('=')?;
            Some((key.to_owned(), unescape(value)))
        };
        Fields(line.split('\t').filter_map(field).collect())
    }
}

/// Escapes tabs, ends of lines and backslashes.
pub(crate) fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

/// The inverse of [`escape`].
pub(crate) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => out.push(match chars.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            }),
            c => out.push(c),
        }
    }
    out
}

/// A value that can be part of a message.
pub(crate) trait Wire: Sized {
    fn put(&self, key: &str, out: &mut Fields);
    fn get(key: &str, fields: &Fields) -> Result<Self, String>;
}

/// Reads a field that must exist.
pub(crate) fn read<V: FromStr>(key: &str, fields: &Fields) -> Result<V, String> {
    let text = fields.get(key).ok_or_else(|| format!("the message has no {key}"))?;
    text.parse().map_err(|_| format!("`{text}` is no {key}"))
}

/// Values that are written and read by `Display` and `FromStr`.
macro_rules! as_text {
    ($($type:ty)*) => { $(
        impl $crate::session::wire::Wire for $type {
            fn put(&self, key: &str, out: &mut $crate::session::wire::Fields) {
                out.put(key, self);
            }

            fn get(key: &str, fields: &$crate::session::wire::Fields) -> Result<$type, String> {
                $crate::session::wire::read(key, fields)
            }
        }
    )* };
}
pub(crate) use as_text;
as_text!(bool u8 u64 usize f64 String Bounds Candidate);

/// A message without fields.
impl Wire for () {
    fn put(&self, _: &str, _: &mut Fields) {}

    fn get(_: &str, _: &Fields) -> Result<(), String> {
        Ok(())
    }
}

impl Wire for PathBuf {
    fn put(&self, key: &str, out: &mut Fields) {
        out.put(key, paths::to_text(self));
    }

    fn get(key: &str, fields: &Fields) -> Result<PathBuf, String> {
        read::<String>(key, fields).and_then(|text| paths::from_text(&text))
    }
}

impl Wire for Duration {
    fn put(&self, key: &str, out: &mut Fields) {
        out.put(key, self.as_micros());
    }

    fn get(key: &str, fields: &Fields) -> Result<Duration, String> {
        read(key, fields).map(Duration::from_micros)
    }
}

impl Wire for Vec<String> {
    fn put(&self, key: &str, out: &mut Fields) {
        out.put(key, self.join("\n"));
    }

    fn get(key: &str, fields: &Fields) -> Result<Vec<String>, String> {
        Ok(fields.get(key).unwrap_or_default().lines().map(str::to_owned).collect())
    }
}

impl<V: Wire> Wire for Option<V> {
    fn put(&self, key: &str, out: &mut Fields) {
        if let Some(value) = self {
            value.put(key, out);
        }
    }

    fn get(key: &str, fields: &Fields) -> Result<Option<V>, String> {
        fields.get(key).map(|_| V::get(key, fields)).transpose()
    }
}

/// Each setting under its own name.
impl Wire for Settings {
    fn put(&self, _: &str, out: &mut Fields) {
        for name in Settings::NAMES {
            if let Some(value) = self.get(name) {
                out.put(name, value);
            }
        }
    }

    fn get(_: &str, fields: &Fields) -> Result<Settings, String> {
        let mut settings = Settings::default();
        for name in Settings::NAMES {
            if let (Some(text), Some(setting)) = (fields.get(name), find(name, RUN | SEQUENCES_RUN)) {
                settings.set(setting, text)?;
            }
        }
        Ok(settings)
    }
}

/// Declares a structure that is a message or part of one. The fields of a nested message are at the same level.
macro_rules! message {
    ($(#[$meta:meta])* pub struct $name:ident { $($(#[$doc:meta])* pub $field:ident: $type:ty,)* }) => {
        $(#[$meta])*
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl $crate::session::wire::Wire for $name {
            fn put(&self, _: &str, out: &mut $crate::session::wire::Fields) {
                $($crate::session::wire::Wire::put(&self.$field, stringify!($field), out);)*
            }

            fn get(_: &str, fields: &$crate::session::wire::Fields) -> Result<$name, String> {
                Ok($name { $($field: $crate::session::wire::Wire::get(stringify!($field), fields)?,)* })
            }
        }
    };
}
pub(crate) use message;

/// Declares an enum of messages, each with the word that identifies it.
macro_rules! messages {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident($type:ty) = $word:literal,)* }) => {
        $(#[$meta])*
        pub enum $name {
            $($(#[$doc])* $variant($type),)*
        }

        impl $name {
            /// Returns the message as one line, without its end.
            pub fn to_line(&self) -> String {
                let mut out = $crate::session::wire::Fields::default();
                match self {
                    $($name::$variant(message) => {
                        out.put("message", $word);
                        $crate::session::wire::Wire::put(message, "", &mut out);
                    })*
                }
                out.to_line()
            }

            /// Reads the message in a line.
            pub fn from_line(line: &str) -> Result<$name, String> {
                let fields = $crate::session::wire::Fields::from_line(line);
                match fields.get("message") {
                    $(Some($word) => $crate::session::wire::Wire::get("", &fields).map($name::$variant),)*
                    other => Err(format!("there is no message `{}`", other.unwrap_or_default())),
                }
            }
        }
    };
}
pub(crate) use messages;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_survives() {
        let mut fields = Fields::default();
        fields.put("a", "tab\t, line\n\r, back\\slash \\t = and more");
        fields.put("b", "");
        let back = Fields::from_line(&fields.to_line());
        assert_eq!(back.0, fields.0);
        assert!(!fields.to_line().contains('\n'));
    }

    #[test]
    fn every_option_survives() {
        let mut settings = Settings::default();
        for setting in smallscope_support::settings::in_places(RUN | SEQUENCES_RUN) {
            let example = match setting.kind {
                smallscope_support::settings::Kind::Flag | smallscope_support::settings::Kind::Switch => "1",
                _ => setting.example,
            };
            let example = example.trim_matches(['"', '[', ']']).replace('_', "");
            settings.set(setting, &example).unwrap_or_else(|error| panic!("{}: {error}", setting.name));
        }
        let mut fields = Fields::default();
        settings.put("", &mut fields);
        let back = <Settings as Wire>::get("", &Fields::from_line(&fields.to_line()));
        assert_eq!(back, Ok(settings));
    }
}
