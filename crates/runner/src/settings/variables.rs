//! The `SMALLSCOPE_*` variables. They override the test, which overrides the defaults.

use super::Settings;
use smallscope_support::settings::{Kind, PREFIX, VARIABLE, find, in_places};
use std::ffi::OsString;
use std::sync::OnceLock;

impl Settings {
    /// Returns the variables of this process; reads them once.
    pub fn of_process() -> Result<Settings, String> {
        static OF_PROCESS: OnceLock<Result<Settings, String>> = OnceLock::new();
        OF_PROCESS.get_or_init(|| Settings::from_variables(std::env::vars_os())).clone()
    }

    /// Reads the settings from variables. Variables of other programs are ignored.
    pub fn from_variables(pairs: impl IntoIterator<Item = (OsString, OsString)>) -> Result<Settings, String> {
        let mut settings = Settings::default();
        for (variable, value) in pairs {
            let variable = variable.to_string_lossy();
            let Some(name) = variable.strip_prefix(PREFIX) else { continue };
            let is_upper = !name.bytes().any(|c| c.is_ascii_lowercase());
            let Some(setting) = find(&name.to_ascii_lowercase(), VARIABLE).filter(|_| is_upper) else {
                return Err(unknown(&variable));
            };
            // A path need not be text.
            if let (Kind::File, None) = (setting.kind, value.to_str()) {
                let path = match setting.name {
                    "observe" => &mut settings.observe,
                    "source" => &mut settings.source,
                    _ => &mut settings.report,
                };
                *path = Some(value.into());
                continue;
            }
            if setting.name == "shard" && value == "auto" {
                let named = std::env::args().skip(1).any(|argument| !argument.starts_with('-'));
                let shard = crate::environment::shard_of_process(named);
                settings.shard = Some(shard.map_err(|error| format!("{variable}: {error}"))?);
                continue;
            }
            if value.to_str().is_none_or(|value| settings.set(setting, value).is_err()) {
                let value = value.to_string_lossy();
                return Err(format!("{variable} is `{value}`, but must be {}", setting.accepted()));
            }
        }
        if let (Some(_), Some(_)) = (settings.scope, settings.size) {
            return Err(format!(
                "{PREFIX}SCOPE and {PREFIX}SIZE both set the bounds of all tests: leave one of them out"
            ));
        }
        Ok(settings)
    }
}

fn unknown(variable: &str) -> String {
    let (mut known, mut nearest) = (String::new(), (usize::MAX, String::new()));
    for setting in in_places(VARIABLE) {
        let name = setting.variable();
        known.push_str(&format!("\n  {name}: {}", setting.accepted()));
        nearest = nearest.min((distance(variable, &name), name));
    }
    let meant = match nearest {
        (0..=3, name) => format!("did you mean {name}? "),
        _ => String::new(),
    };
    format!("{variable} is no variable of smallscope; {meant}these are:{known}")
}

/// Returns the edit distance: how many letters must be changed, added or removed.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let mut row = vec![0];
    for _ in b.chars() {
        row.push(row.len());
    }
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[row.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::budget::Shard;
    use smallscope_core::{Classes, Disjoint, Engine, Summaries};
    use smallscope_support::memory::Bytes;
    use std::time::Duration;

    fn parse(pairs: &[(&str, &str)]) -> Result<Settings, String> {
        Settings::from_variables(pairs.iter().map(|(n, v)| (n.into(), v.into())))
    }

    #[test]
    fn every_variable_is_understood() {
        let pairs = [
            ("PATH", "/bin"),
            ("SMALLSCOPE_SIZE", "4"),
            ("SMALLSCOPE_ENGINE", "korat"),
            ("SMALLSCOPE_THREADS", "8"),
            ("SMALLSCOPE_BUDGET", "500ms"),
            ("SMALLSCOPE_MAX", "100"),
            ("SMALLSCOPE_ORDER", "single"),
            ("SMALLSCOPE_SPARSE", "1000"),
            ("SMALLSCOPE_SAMPLE", "500"),
            ("SMALLSCOPE_SAMPLE_SIZE", "40"),
            ("SMALLSCOPE_EDGES", "0"),
            ("SMALLSCOPE_DISJOINT", "off"),
            ("SMALLSCOPE_SUMMARIES", "auto"),
            ("SMALLSCOPE_SEED", "12345678901234567890"),
            ("SMALLSCOPE_CLUSTERS", "1"),
            ("SMALLSCOPE_ALLOW_EMPTY", "1"),
            ("SMALLSCOPE_ISOLATE", "1"),
            ("SMALLSCOPE_CLASSES", "one"),
            ("SMALLSCOPE_SHARD", "2/3"),
            ("SMALLSCOPE_REPLAY", "3:1.0"),
            ("SMALLSCOPE_LENGTH", "6"),
            ("SMALLSCOPE_CALL_LIMIT", "30s"),
            ("SMALLSCOPE_MEMORY", "2 GB"),
            ("SMALLSCOPE_COVER", "blocks"),
            ("SMALLSCOPE_PROGRESS", "1"),
            ("SMALLSCOPE_REPORT", "out.jsonl"),
            ("SMALLSCOPE_OBSERVE", "cases.jsonl"),
            ("SMALLSCOPE_SOURCE", "failing.rs"),
            ("SMALLSCOPE_HTML", "1"),
        ];
        let expected = Settings {
            size: Some(4),
            engine: Some(Engine::Korat),
            classes: Some(Classes::One),
            budget: Some(Duration::from_millis(500)),
            max: Some(100),
            threads: Some(8),
            order: Some("single".into()),
            sparse: Some(1000),
            sample: Some(500),
            sample_size: Some(40),
            edges: Some(false),
            seed: Some(12345678901234567890),
            clusters: Some(true),
            allow_empty: Some(true),
            isolate: Some(true),
            disjoint: Some(Disjoint::Off),
            summaries: Some(Summaries::Auto),
            shard: Shard::new(2, 3),
            replay: "3:1.0".parse().ok(),
            length: Some(6),
            memory: Some(Bytes(2_000_000_000)),
            call_limit: Some(Duration::from_secs(30)),
            cover: Some("blocks".into()),
            progress: Some(true),
            report: Some("out.jsonl".into()),
            observe: Some("cases.jsonl".into()),
            source: Some("failing.rs".into()),
            html: Some(true),
            ..Settings::default()
        };
        let settings = parse(&pairs).unwrap();
        assert_eq!(settings, expected);
        assert_eq!(parse(&[]), Ok(Settings::default()));
        // A scope and a size exclude each other.
        assert_eq!(pairs.len(), in_places(VARIABLE).count());
        assert_eq!(parse(&[("SMALLSCOPE_SCOPE", "4")]).unwrap().scope, Some(4));
        let error = parse(&[("SMALLSCOPE_SCOPE", "4"), ("SMALLSCOPE_SIZE", "4")]).unwrap_err();
        assert!(error.contains("SMALLSCOPE_SCOPE and SMALLSCOPE_SIZE"), "{error}");
        for setting in in_places(VARIABLE).filter(|setting| setting.name != "scope") {
            let (_, text) = pairs.iter().find(|(name, _)| *name == setting.variable()).unwrap();
            assert_eq!(settings.get(setting.name).as_deref(), Some(*text));
        }
    }

    #[test]
    fn a_bad_value_is_an_error_that_says_what_is_accepted() {
        for setting in in_places(VARIABLE) {
            for bad in ["", "x y", "-1"] {
                if matches!(setting.kind, Kind::File) && !bad.is_empty() {
                    continue;
                }
                let (variable, accepted) = (setting.variable(), setting.accepted());
                let error = parse(&[(&variable, bad)]).unwrap_err();
                assert_eq!(error, format!("{variable} is `{bad}`, but must be {accepted}"));
            }
        }
        assert!(parse(&[("SMALLSCOPE_MAX", "0")]).is_err());
        assert!(parse(&[("SMALLSCOPE_THREADS", "0")]).is_err());
        assert!(parse(&[("SMALLSCOPE_THREADS", "1024")]).is_ok());
        let error = parse(&[("SMALLSCOPE_THREADS", "1025")]).unwrap_err();
        assert!(error.contains("1025") && error.contains("from 1 to 1024"), "{error}");
    }

    #[test]
    #[cfg(unix)]
    fn a_path_need_not_be_text() {
        let path: OsString = std::os::unix::ffi::OsStringExt::from_vec(b"out\xff.jsonl".to_vec());
        let settings = Settings::from_variables([("SMALLSCOPE_REPORT".into(), path.clone())]);
        assert_eq!(settings.map(|settings| settings.report), Ok(Some(path.clone().into())));
        assert!(Settings::from_variables([("SMALLSCOPE_SCOPE".into(), path)]).is_err());
    }

    #[test]
    fn an_unknown_name_is_an_error_that_lists_the_known_ones() {
        for unknown in ["SMALLSCOPE_SOCPE", "SMALLSCOPE_scope", "SMALLSCOPE_AUDIT"] {
            let error = parse(&[(unknown, "3")]).unwrap_err();
            assert!(error.starts_with(&format!("{unknown} is no variable of smallscope")), "{error}");
            for setting in in_places(VARIABLE) {
                assert!(error.contains(&format!("{}:", setting.variable())), "{error}");
            }
        }
    }
}
