//! The `SMALLSCOPE_*` variables. They go over what a test says, which goes over the defaults.

use super::budget::Shard;
use super::replay::ReplayCandidate;
use smallscope_core::{Classes, Disjoint, Engine};
use smallscope_support::duration;
use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::OnceLock;
use std::time::Duration;

/// In which order the values are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Order {
    /// Scopes from 0 to the bound, so that the first failure is a smallest one. The default.
    #[default]
    Smallest,
    /// One pass over the whole, in the order of the search.
    Single,
}

impl FromStr for Order {
    type Err = String;
    fn from_str(s: &str) -> Result<Order, String> {
        match s {
            "smallest" => Ok(Order::Smallest),
            "single" => Ok(Order::Single),
            _ => Err(format!("unknown order `{s}`; the orders are `smallest` and `single`")),
        }
    }
}

/// What is to be run again: a value by its position, or a sequence by its calls or its index.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Replay {
    pub(crate) text: String,
    /// The position, if it can be one.
    pub(crate) position: Option<ReplayCandidate>,
}

impl FromStr for Replay {
    type Err = String;
    fn from_str(text: &str) -> Result<Replay, String> {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_index =
            text.split_once(':').is_some_and(|(length, index)| is_number(length) && is_number(index));
        let is_calls = text.contains('(') && text.trim_end().ends_with([')', ';']);
        match text.parse::<ReplayCandidate>() {
            Err(error) if !is_calls && !is_index => Err(error),
            position => Ok(Replay { text: text.to_owned(), position: position.ok() }),
        }
    }
}

/// What the environment says.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Env {
    pub(crate) scope: Option<u32>,
    pub(crate) engine: Option<Engine>,
    pub(crate) classes: Option<Classes>,
    pub(crate) budget: Option<Duration>,
    pub(crate) max: Option<u64>,
    pub(crate) threads: Option<usize>,
    pub(crate) order: Option<Order>,
    pub(crate) sparse: Option<u64>,
    pub(crate) seed: Option<u64>,
    pub(crate) clusters: Option<bool>,
    pub(crate) disjoint: Option<Disjoint>,
    pub(crate) shard: Option<Shard>,
    pub(crate) replay: Option<Replay>,
    pub(crate) length: Option<usize>,
    pub(crate) call_limit: Option<Duration>,
    /// One of [`COVERS`].
    pub(crate) cover: Option<String>,
    pub(crate) progress: bool,
    pub(crate) report: Option<PathBuf>,
}

const PREFIX: &str = "SMALLSCOPE_";

/// What can be looked at in the code under test.
const COVERS: [&str; 4] = ["none", "blocks", "predicates", "llvm"];

/// Every variable, with what it accepts.
const VARIABLES: [(&str, &str); 18] = [
    ("SCOPE", "a scope number, such as `4`"),
    ("ENGINE", "`lazy`, `owned` or `korat`"),
    (
        "CLASSES",
        "`all` (counted by class), `pruned` (a value for each reason to be in a class) or `one` (per class)",
    ),
    ("THREADS", "a positive number of threads"),
    ("BUDGET", "a time, such as `500ms`, `10s`, `2m` or `1h`"),
    ("MAX", "a positive number of values"),
    ("ORDER", "`smallest` (scopes from 0 up) or `single` (one pass)"),
    ("DISJOINT", "`auto` (arguments are searched apart where that pays), `on` or `off`"),
    ("SPARSE", "a number of values to try from all over the bounds before the search, `0` for none"),
    ("SEED", "a number, for tests that make random choices"),
    ("CLUSTERS", "`1` (go on after failures, and group them) or `0`"),
    ("SHARD", "`k/n` with k from 1 to n: every n-th value, beginning with the k-th"),
    ("LENGTH", "a number of calls, for tests of sequences"),
    ("CALL_LIMIT", "a time that a call may take, such as `30s`, for tests of sequences"),
    ("COVER", "`blocks`, `predicates`, `llvm` or `none`, for tests of sequences"),
    ("REPLAY", "a position, such as `3:1.0.2`, or a sequence of calls, as failure reports print them"),
    ("PROGRESS", "`1` or `0`"),
    ("REPORT", "the path of a file, to which one line of JSON per test is appended"),
];

impl Env {
    /// What the environment of this process says; read once.
    pub(crate) fn of_process() -> Result<Env, String> {
        static ENV: OnceLock<Result<Env, String>> = OnceLock::new();
        ENV.get_or_init(|| Env::parse(std::env::vars_os())).clone()
    }

    /// What these variables say. Those of others are skipped.
    pub(crate) fn parse(pairs: impl IntoIterator<Item = (OsString, OsString)>) -> Result<Env, String> {
        let mut env = Env::default();
        for (name, value) in pairs {
            let name = name.to_string_lossy();
            let Some(name) = name.strip_prefix(PREFIX) else { continue };
            let Some(&(name, accepted)) = VARIABLES.iter().find(|(n, _)| *n == name) else {
                return Err(unknown(name));
            };
            let known = value.to_str().map(|value| env.set(name, value));
            if !matches!(known, Some(Some(()))) {
                let value = value.to_string_lossy();
                return Err(format!("{PREFIX}{name} is `{value}`, but must be {accepted}"));
            }
        }
        Ok(env)
    }

    /// Takes over one variable; nothing if the value makes no sense.
    fn set(&mut self, name: &str, value: &str) -> Option<()> {
        let positive = |n: u64| (n > 0).then_some(n);
        match name {
            "SCOPE" => self.scope = Some(value.parse().ok()?),
            "ENGINE" => self.engine = Some(value.parse().ok()?),
            "CLASSES" => self.classes = Some(value.parse().ok()?),
            "THREADS" => self.threads = Some(positive(value.parse().ok()?)?.try_into().ok()?),
            "BUDGET" => self.budget = Some(duration::parse(value)?),
            "MAX" => self.max = Some(positive(value.parse().ok()?)?),
            "ORDER" => self.order = Some(value.parse().ok()?),
            "DISJOINT" => self.disjoint = Some(value.parse().ok()?),
            "SPARSE" => self.sparse = Some(value.parse().ok()?),
            "SEED" => self.seed = Some(value.parse().ok()?),
            "CLUSTERS" => self.clusters = Some(one_or_zero(value)?),
            "SHARD" => self.shard = Some(value.parse().ok()?),
            "LENGTH" => self.length = Some(positive(value.parse().ok()?)?.try_into().ok()?),
            "CALL_LIMIT" => self.call_limit = Some(duration::parse(value)?),
            "COVER" => self.cover = Some(COVERS.contains(&value).then_some(value)?.to_owned()),
            "REPLAY" => self.replay = Some(value.parse().ok()?),
            "PROGRESS" => {
                self.progress = one_or_zero(value)?;
            }
            "REPORT" => self.report = Some((!value.is_empty()).then_some(value)?.into()),
            _ => return None,
        }
        Some(())
    }
}

fn one_or_zero(value: &str) -> Option<bool> {
    match value {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    }
}

fn unknown(name: &str) -> String {
    let known: Vec<String> = VARIABLES.iter().map(|(n, what)| format!("  {PREFIX}{n}: {what}")).collect();
    format!("{PREFIX}{name} is no variable of smallscope; these are:\n{}", known.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(pairs: &[(&str, &str)]) -> Result<Env, String> {
        Env::parse(pairs.iter().map(|(n, v)| (n.into(), v.into())))
    }

    #[test]
    fn every_variable_is_understood() {
        let env = parse(&[
            ("PATH", "/bin"),
            ("SMALLSCOPE_SCOPE", "4"),
            ("SMALLSCOPE_ENGINE", "korat"),
            ("SMALLSCOPE_THREADS", "8"),
            ("SMALLSCOPE_BUDGET", "500ms"),
            ("SMALLSCOPE_MAX", "100"),
            ("SMALLSCOPE_ORDER", "single"),
            ("SMALLSCOPE_SPARSE", "1000"),
            ("SMALLSCOPE_DISJOINT", "off"),
            ("SMALLSCOPE_SEED", "12345678901234567890"),
            ("SMALLSCOPE_CLUSTERS", "1"),
            ("SMALLSCOPE_CLASSES", "one"),
            ("SMALLSCOPE_SHARD", "2/3"),
            ("SMALLSCOPE_REPLAY", "3:1.0"),
            ("SMALLSCOPE_LENGTH", "6"),
            ("SMALLSCOPE_CALL_LIMIT", "30s"),
            ("SMALLSCOPE_COVER", "blocks"),
            ("SMALLSCOPE_PROGRESS", "1"),
            ("SMALLSCOPE_REPORT", "out.jsonl"),
        ]);
        let expected = Env {
            scope: Some(4),
            engine: Some(Engine::Korat),
            classes: Some(Classes::One),
            budget: Some(Duration::from_millis(500)),
            max: Some(100),
            threads: Some(8),
            order: Some(Order::Single),
            sparse: Some(1000),
            seed: Some(12345678901234567890),
            clusters: Some(true),
            disjoint: Some(Disjoint::Off),
            shard: Shard::new(2, 3),
            replay: Some(Replay { text: "3:1.0".into(), position: "3:1.0".parse().ok() }),
            length: Some(6),
            call_limit: Some(Duration::from_secs(30)),
            cover: Some("blocks".into()),
            progress: true,
            report: Some("out.jsonl".into()),
        };
        assert_eq!(env, Ok(expected));
        assert_eq!(parse(&[]), Ok(Env::default()));
    }

    #[test]
    fn a_bad_value_is_an_error_that_says_what_is_accepted() {
        for (name, accepted) in VARIABLES {
            for bad in ["", "x y", "-1"] {
                if name == "REPORT" && !bad.is_empty() {
                    continue;
                }
                let error = parse(&[(&format!("{PREFIX}{name}"), bad)]).unwrap_err();
                assert_eq!(error, format!("{PREFIX}{name} is `{bad}`, but must be {accepted}"));
            }
        }
        assert!(parse(&[("SMALLSCOPE_MAX", "0")]).is_err());
        assert!(parse(&[("SMALLSCOPE_THREADS", "0")]).is_err());
    }

    #[test]
    fn sequences_can_be_replayed_too() {
        for text in ["a[0] = A::new(); a[0].push(u8_[1])", "30:123456789012345678901234567890"] {
            let replay = parse(&[("SMALLSCOPE_REPLAY", text)]).unwrap().replay.unwrap();
            assert_eq!((replay.text.as_str(), replay.position), (text, None));
        }
    }

    #[test]
    fn an_unknown_name_is_an_error_that_lists_the_known_ones() {
        let error = parse(&[("SMALLSCOPE_SOCPE", "3")]).unwrap_err();
        assert!(error.starts_with("SMALLSCOPE_SOCPE is no variable of smallscope"), "{error}");
        for (name, _) in VARIABLES {
            assert!(error.contains(&format!("SMALLSCOPE_{name}:")), "{error}");
        }
    }
}
