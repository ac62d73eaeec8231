//! Durations as users write them in attributes, variables and options: `500ms`, `10s`, `2m`, `1h`; and time budgets.

use std::time::Duration;

/// The units, with their length in milliseconds.
const UNITS: [(&str, u64); 4] = [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)];

/// The time budget of a test that gives none.
pub const DEFAULT_BUDGET: Duration = Duration::from_secs(60);

/// The time budget that never ends a run.
pub const NO_BUDGET: Duration = Duration::MAX;

/// The text for [`NO_BUDGET`].
const NONE: &str = "none";

/// Describes the default time budget of a run that it has stopped, and how to change it.
pub fn describe_default(budget: Duration) -> String {
    format!(
        "the default time budget is {}: raise it with `budget = \"10m\"` or SMALLSCOPE_BUDGET; `none` is no limit",
        print(budget)
    )
}

/// Reads a time budget: a duration, or `none`.
///
/// ```
/// use smallscope_support::duration::{NO_BUDGET, parse_budget, print};
///
/// assert_eq!(parse_budget("none"), Some(NO_BUDGET));
/// assert_eq!(print(NO_BUDGET), "none");
/// assert_eq!(parse_budget("2m").map(print), Some("2m".to_owned()));
/// ```
pub fn parse_budget(text: &str) -> Option<Duration> {
    if text == NONE { Some(NO_BUDGET) } else { parse(text) }
}

/// Reads a duration: a whole number and a unit, without a space between them. Zero is not a duration.
///
/// ```
/// use smallscope_support::duration::parse;
/// use std::time::Duration;
///
/// assert_eq!(parse("2m"), Some(Duration::from_secs(120)));
/// assert_eq!(parse("2 m"), None);
/// assert_eq!(parse("0s"), None);
/// ```
pub fn parse(text: &str) -> Option<Duration> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number: u64 = text[..text.len() - unit.len()].parse().ok()?;
    let (_, milliseconds) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let time = Duration::from_millis(number.checked_mul(*milliseconds)?);
    (!time.is_zero()).then_some(time)
}

/// Writes a duration as [`parse_budget`] reads it, with the longest unit that needs no fraction. Parts of a millisecond are
/// lost.
///
/// ```
/// use smallscope_support::duration::print;
/// use std::time::Duration;
///
/// assert_eq!(print(Duration::from_secs(120)), "2m");
/// assert_eq!(print(Duration::from_millis(90_500)), "90500ms");
/// ```
pub fn print(time: Duration) -> String {
    if time == NO_BUDGET {
        return NONE.to_owned();
    }
    let milliseconds = time.as_millis();
    let fits = |(_, unit): &&(&str, u64)| milliseconds % u128::from(*unit) == 0;
    let (name, unit) = UNITS.iter().rev().find(fits).unwrap_or(&UNITS[0]);
    format!("{}{name}", milliseconds / u128::from(*unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_is_read() {
        let milliseconds = |text| parse(text).map(|time| time.as_millis());
        assert_eq!(milliseconds("500ms"), Some(500));
        assert_eq!(milliseconds("10s"), Some(10_000));
        assert_eq!(milliseconds("2m"), Some(120_000));
        assert_eq!(milliseconds("1h"), Some(3_600_000));
    }

    #[test]
    fn other_texts_are_refused() {
        for bad in
            ["", "10", "s", "0s", "1.5s", "-1s", "10 s", "99999999999999999999s", "18446744073709551615h"]
        {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn what_is_printed_can_be_read() {
        for text in ["1ms", "999ms", "1s", "61s", "1m", "90m", "1h", "48h"] {
            assert_eq!(print(parse(text).unwrap()), text);
        }
    }
}
