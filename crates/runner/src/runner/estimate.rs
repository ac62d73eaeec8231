//! A warning in time, if a pass will not end within the time budget.

use super::Runner;
use smallscope_core::AnySearch;
use smallscope_support::duration::{self, NO_BUDGET};
use smallscope_support::panics;
use std::time::Duration;

/// How long a pass on one thread runs before its time is estimated.
pub(crate) const SLICE: Duration = Duration::from_secs(1);

/// Only an estimate that is larger than the time that is left by this factor is worth a warning. The share of a search
/// that lies behind is a guess.
const MARGIN: f64 = 2.0;

/// Prints a line if a pass, as far as its first part can tell, will not end within the time budget. Once per run.
pub(super) fn warn_if_too_long(
    runner: &mut Runner<'_>,
    search: &mut AnySearch,
    scope: Option<u32>,
    elapsed: Duration,
    threads: usize,
) {
    if runner.has_warned {
        return;
    }
    let share = panics::catch(|| search.fraction()).unwrap_or(0.0) * threads as f64;
    let (budget, before) = (runner.budget.time(), runner.budget.elapsed().saturating_sub(elapsed));
    let Some(time) = excess(elapsed, share, budget, before) else { return };
    runner.has_warned = true;
    let what = scope.map_or_else(|| "the search".to_owned(), |scope| format!("scope {scope}"));
    let cases = match panics::catch(|| search.combinations()) {
        Ok(Ok(Some(cases))) => format!(", which has {cases} combinations of arguments or parts,"),
        _ => String::new(),
    };
    runner.plan.say(&warning(runner.plan.name(), &format!("{what}{cases}"), time, budget));
}

/// Returns the time that something takes in all, if that is clearly more than the budget leaves for it. `elapsed` is the
/// time that a share of it took, and `before` the time before that.
pub(crate) fn excess(elapsed: Duration, share: f64, budget: Duration, before: Duration) -> Option<Duration> {
    if budget == NO_BUDGET || share <= 0.0 {
        return None;
    }
    let all = elapsed.as_secs_f64() / share;
    let is_too_long = all > budget.saturating_sub(before).as_secs_f64() * MARGIN;
    is_too_long.then(|| Duration::try_from_secs_f64(all).unwrap_or(Duration::MAX))
}

/// Says that something takes longer than the budget allows.
pub(crate) fn warning(name: &str, what: &str, time: Duration, budget: Duration) -> String {
    format!(
        "`{name}`: {what} takes about {} at this rate; the time budget of {} ends before that: raise it with \
         `budget = \"..\"` or SMALLSCOPE_BUDGET, or lower the bounds",
        roughly(time),
        duration::print(budget),
    )
}

/// A time to one or two digits.
pub(crate) fn roughly(time: Duration) -> String {
    const UNITS: [(&str, u64); 4] = [("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1)];
    let seconds = time.as_secs();
    if seconds > 1000 * 365 * 86_400 {
        return "more than a thousand years".to_owned();
    }
    for (name, unit) in UNITS {
        if seconds >= 2 * unit {
            return format!("{} {name}", seconds / unit);
        }
    }
    format!("{} seconds", seconds.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    #[test]
    fn only_what_is_clearly_too_long_is_worth_a_word() {
        assert_eq!(excess(S, 0.01, 60 * S, S), None, "100 s: the guess may be wrong");
        assert_eq!(excess(S, 0.01, 60 * S, 30 * S), Some(100 * S), "30 s were used up before");
        assert_eq!(excess(S, 0.0, 60 * S, S), None, "nothing is known");
        assert_eq!(excess(S, 1e-300, 60 * S, S), Some(Duration::MAX));
        assert_eq!(excess(S, 1e-9, NO_BUDGET, S), None);
    }

    #[test]
    fn times_are_rough() {
        for (seconds, text) in [
            (1, "1 seconds"),
            (119, "119 seconds"),
            (130, "2 minutes"),
            (9000, "2 hours"),
            (400_000, "4 days"),
            (u64::MAX, "more than a thousand years"),
        ] {
            assert_eq!(roughly(Duration::from_secs(seconds)), text);
        }
    }
}
