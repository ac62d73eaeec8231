//! Values of settings as text.

use crate::criteria::{Criterion, Ratio};
use crate::runner::budget::Shard;
use crate::runner::replay::Replay;
use smallscope_core::{Classes, Disjoint, Engine, Summaries};
use smallscope_support::duration;
use smallscope_support::memory::Bytes;
use smallscope_support::settings::{Kind, Setting};
use std::path::PathBuf;
use std::time::Duration;

/// A type of values.
pub(super) trait Value: Sized {
    /// Reads a value. The error says what would be accepted.
    fn read(setting: &Setting, text: &str) -> Result<Self, String>;
    /// Writes it as [`Value::read`] reads it.
    fn write(&self) -> String;
}

fn refused(setting: &Setting, text: &str) -> String {
    format!("`{text}` is not {}", setting.accepted())
}

/// Numbers, which the table may restrict.
macro_rules! numbers {
    ($($type:ty)*) => { $(
        impl Value for $type {
            fn read(setting: &Setting, text: &str) -> Result<$type, String> {
                let is_allowed = |number: &$type| setting.numbers().contains(&(*number as u64));
                let number = text.parse().ok().filter(is_allowed);
                number.ok_or_else(|| refused(setting, text))
            }

            #[inline]
            fn write(&self) -> String {
                self.to_string()
            }
        }
    )* };
}
numbers!(u32 u64 usize);

/// Types with `FromStr` and `Display`. Their own errors say what is accepted.
macro_rules! by_themselves {
    ($($type:ty)*) => { $(
        impl Value for $type {
            fn read(_: &Setting, text: &str) -> Result<$type, String> {
                text.parse()
            }

            #[inline]
            fn write(&self) -> String {
                self.to_string()
            }
        }
    )* };
}
by_themselves!(Engine Classes Disjoint Summaries Criterion Ratio Replay);

impl Value for Bytes {
    fn read(setting: &Setting, text: &str) -> Result<Bytes, String> {
        text.parse().map_err(|()| refused(setting, text))
    }

    #[inline]
    fn write(&self) -> String {
        self.to_string()
    }
}

impl Value for Shard {
    fn read(setting: &Setting, text: &str) -> Result<Shard, String> {
        if text == "auto" {
            return crate::environment::shard_of_process(false);
        }
        text.parse().map_err(|()| refused(setting, text))
    }

    #[inline]
    fn write(&self) -> String {
        self.to_string()
    }
}

impl Value for bool {
    fn read(setting: &Setting, text: &str) -> Result<bool, String> {
        match text {
            "1" => Ok(true),
            "0" => Ok(false),
            _ => Err(refused(setting, text)),
        }
    }

    #[inline]
    fn write(&self) -> String {
        u8::from(*self).to_string()
    }
}

impl Value for Duration {
    fn read(setting: &Setting, text: &str) -> Result<Duration, String> {
        let parsed = match setting.kind {
            Kind::Budget => duration::parse_budget(text),
            _ => duration::parse(text),
        };
        parsed.ok_or_else(|| refused(setting, text))
    }

    #[inline]
    fn write(&self) -> String {
        duration::print(*self)
    }
}

/// A text, or one of the names that the table has.
impl Value for String {
    fn read(setting: &Setting, text: &str) -> Result<String, String> {
        let is_known = match setting.kind {
            Kind::Choice(_, names) => names.iter().any(|(name, _)| *name == text),
            _ => !text.is_empty(),
        };
        if is_known { Ok(text.to_owned()) } else { Err(refused(setting, text)) }
    }

    #[inline]
    fn write(&self) -> String {
        self.clone()
    }
}

impl Value for Vec<String> {
    fn read(_: &Setting, text: &str) -> Result<Vec<String>, String> {
        let mut items = vec![];
        for item in text.split(',') {
            items.push(item.to_owned());
        }
        Ok(items)
    }

    #[inline]
    fn write(&self) -> String {
        self.join(",")
    }
}

impl Value for PathBuf {
    fn read(setting: &Setting, text: &str) -> Result<PathBuf, String> {
        if text.is_empty() { Err(refused(setting, text)) } else { Ok(text.into()) }
    }

    #[inline]
    fn write(&self) -> String {
        self.to_string_lossy().into_owned()
    }
}
