//! Limits on time, memory and the number of values, and shards.

use smallscope_core::room::{self, RoomGuard};
use smallscope_core::{Limit, Stop};
use smallscope_support::memory::{self, Exceeded, Meter};
use std::cell::Cell;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The limits of a run.
pub(crate) struct Budget {
    start: Instant,
    time: Duration,
    /// How many quick checks may share a look at the clock.
    share: u32,
    max: Option<u64>,
    memory: memory::Limit,
    /// The measurement that has ended the run, on any thread.
    exceeded: OnceLock<Exceeded>,
}

impl Budget {
    /// Starts the time. A default budget need not be exact.
    pub(crate) fn start(time: Duration, is_default: bool, max: Option<u64>, memory: memory::Limit) -> Budget {
        let share = if is_default { MOST_CALLS } else { 1 };
        Budget { start: Instant::now(), time, share, max, memory, exceeded: OnceLock::new() }
    }

    /// Measures time and the memory of the process for the thread that calls this. Layouts of the thread respect the
    /// limit, too, as long as the guard lives.
    pub(crate) fn gauge(&self) -> (Gauge, RoomGuard) {
        let limit = self.memory;
        (Gauge::new(limit, self.share), room::limit(move |bytes| limit.has_room(bytes)))
    }

    /// Whether the time is up, or the memory is used. To be called often: most calls count only.
    pub(crate) fn check(&self, gauge: &Gauge) -> Option<Stop> {
        let is_up = gauge.is_due() && self.is_up();
        if is_up { Some(Stop::LimitReached(Limit::Time)) } else { self.check_memory(&gauge.memory) }
    }

    fn check_memory(&self, meter: &Meter) -> Option<Stop> {
        if let Some(exceeded) = meter.is_over().then(|| meter.exceeded()).flatten() {
            // Another thread may have noticed first.
            let _ = self.exceeded.set(exceeded);
        }
        self.exceeded().map(|_| Stop::LimitReached(Limit::Memory))
    }

    /// Returns the measurement that has ended the run, if one has.
    pub(crate) fn exceeded(&self) -> Option<Exceeded> {
        self.exceeded.get().copied()
    }

    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the time is up.
    pub(crate) fn is_up(&self) -> bool {
        self.elapsed() >= self.time
    }

    /// Returns the time that the run may take.
    pub(crate) fn time(&self) -> Duration {
        self.time
    }

    /// Whether the limit on values is reached.
    pub(crate) fn check_count(&self, tested: u64) -> Option<Stop> {
        let full = self.max.is_some_and(|max| tested >= max);
        full.then_some(Stop::LimitReached(Limit::Valid))
    }
}

/// The measurements of one thread. Reading the clock costs more than a small value, so it is read at each call only if
/// calls are far apart.
pub(crate) struct Gauge {
    memory: Meter,
    /// Calls until the next look at the clock.
    calls: Cell<u32>,
    step: Cell<u32>,
    last: Cell<Instant>,
    /// The largest number of calls between two looks.
    most: u32,
}

/// Calls with less time between them need not look at the clock each time.
const QUICK: Duration = Duration::from_micros(100);
/// The largest number of calls between two looks at the clock: a default budget ends at most so many slow values late.
const MOST_CALLS: u32 = 4;

impl Gauge {
    fn new(limit: memory::Limit, most: u32) -> Gauge {
        let (calls, step) = (Cell::new(1), Cell::new(1));
        Gauge { memory: Meter::new(limit), calls, step, last: Cell::new(Instant::now()), most }
    }

    /// Whether to look at the clock.
    fn is_due(&self) -> bool {
        self.calls.set(self.calls.get() - 1);
        self.calls.get() == 0 && self.look()
    }

    fn look(&self) -> bool {
        let now = Instant::now();
        let quick = now.duration_since(self.last.replace(now)) < QUICK;
        self.step.set(if quick { (self.step.get() * 2).min(self.most) } else { 1 });
        self.calls.set(self.step.get());
        true
    }
}

/// Decides when to read the clock: after each value if values are slow, otherwise after up to sixteen.
pub(crate) struct Glances {
    next: u64,
    step: u64,
    last: Duration,
}

impl Glances {
    pub(crate) fn new() -> Glances {
        Glances { next: 0, step: 1, last: Duration::ZERO }
    }

    /// Whether to read the clock after this many values. Reading it costs more than a small value.
    pub(crate) fn is_due(&self, values: u64) -> bool {
        values >= self.next
    }

    /// Notes a reading of the clock.
    pub(crate) fn seen(&mut self, values: u64, elapsed: Duration) {
        let quick = elapsed.saturating_sub(self.last) < QUICK;
        self.step = if quick { (self.step * 2).min(16) } else { 1 };
        self.next = values + self.step;
        self.last = elapsed;
    }
}

/// One of `n` parts of a run: every `n`-th value, beginning with the `k`-th.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    k: u64,
    n: u64,
}

impl Shard {
    /// Returns the `k`-th of `n` shards, counted from 1.
    pub fn new(k: u64, n: u64) -> Option<Shard> {
        (1 <= k && k <= n).then_some(Shard { k, n })
    }

    /// Returns the number of this shard, counted from 1.
    pub fn number(self) -> u64 {
        self.k
    }

    /// Returns the number of all shards.
    pub fn count(self) -> u64 {
        self.n
    }

    /// Whether the value with this number, counted from 0, belongs to this shard.
    pub fn contains(self, index: u64) -> bool {
        index % self.n == self.k - 1
    }
}

impl FromStr for Shard {
    type Err = ();
    fn from_str(s: &str) -> Result<Shard, ()> {
        let (k, n) = s.split_once('/').ok_or(())?;
        Shard::new(k.parse().map_err(|_| ())?, n.parse().map_err(|_| ())?).ok_or(())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.k, self.n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_is_looked_at_often_enough() {
        let mut glances = Glances::new();
        let (mut looks, mut time) = (0, Duration::ZERO);
        for value in 0..1000 {
            time += if value < 800 { Duration::from_micros(1) } else { Duration::from_millis(1) };
            if glances.is_due(value) {
                looks += 1;
                glances.seen(value, time);
            }
        }
        // Every sixteenth of the fast values, and each of the slow ones.
        assert!((800 / 16 + 200 - 16..800 / 16 + 210).contains(&looks), "{looks}");
    }

    #[test]
    fn shards_are_disjoint_and_together_everything() {
        for n in 1..6 {
            let shards: Vec<Shard> = (1..=n).filter_map(|k| Shard::new(k, n)).collect();
            assert_eq!(shards.len() as u64, n);
            for index in 0..20 {
                assert_eq!(shards.iter().filter(|s| s.contains(index)).count(), 1);
            }
        }
    }

    #[test]
    fn only_existing_shards() {
        assert_eq!("2/3".parse::<Shard>().map(|s| s.to_string()), Ok("2/3".to_owned()));
        for bad in ["0/3", "4/3", "1/0", "1", "a/b", "1/2/3", "/"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
