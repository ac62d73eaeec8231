//! Searches that stop in time, and their processor time.

use crate::experiment::{Unfinished, Watch};
use smallscope::search::{AnySearch, Found};
use smallscope::{Limit, Outcome, Stop};
use std::ops::ControlFlow;
use std::time::Instant;

/// Searches to the end, counting values without visiting them all.
pub fn count(search: &mut AnySearch, watch: &Watch<'_>) -> Result<Outcome, Unfinished> {
    while next(search, watch)? {
        search.count_rest();
    }
    Ok(search.outcome())
}

/// Searches to the end, visiting every value.
pub fn deliver(search: &mut AnySearch, watch: &Watch<'_>) -> Result<Outcome, Unfinished> {
    while next(search, watch)? {}
    Ok(search.outcome())
}

/// Whether there is another value.
pub fn next(search: &mut AnySearch, watch: &Watch<'_>) -> Result<bool, Unfinished> {
    let mut tick = |_: &Outcome| {
        if watch.is_over() {
            ControlFlow::Break(Stop::LimitReached(Limit::Time))
        } else {
            ControlFlow::Continue(())
        }
    };
    match search.find_next(&mut tick).map_err(Unfinished::because)? {
        Found::Valid => Ok(true),
        Found::End => Ok(false),
        _ => Err(Unfinished::Stopped),
    }
}

/// The shortest time that the clock of the processor measures well.
const SHORT: f64 = 0.05;

/// Runs something and measures the processor time of this thread, in seconds. What takes a short time is run three times, and
/// the shortest time counts.
pub fn timed<R>(mut run: impl FnMut() -> Result<R, Unfinished>) -> Result<(R, f64), Unfinished> {
    let (mut result, mut seconds) = timed_once(&mut run)?;
    for _ in 0..2 {
        if seconds < SHORT {
            let again = timed_once(&mut run)?;
            (result, seconds) = (again.0, again.1.min(seconds));
        }
    }
    Ok((result, seconds))
}

fn timed_once<R>(run: &mut impl FnMut() -> Result<R, Unfinished>) -> Result<(R, f64), Unfinished> {
    let (clock, processor) = (Instant::now(), processor_seconds());
    let result = run()?;
    let elapsed = clock.elapsed().as_secs_f64();
    let used = processor_seconds().zip(processor).map(|(end, start)| end - start);
    // The system updates its account a few times a second only.
    Ok((result, used.filter(|_| elapsed > SHORT).unwrap_or(elapsed)))
}

/// The processor time of this thread so far, where the system provides it.
pub fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
