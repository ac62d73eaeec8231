//! Limits on time, memory and the number of values, and shards.

use smallscope_core::room::{self, RoomGuard};
use smallscope_core::{Limit, Stop};
use smallscope_support::memory::{self, Exceeded, Meter};
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The limits of a run.
pub(crate) struct Budget {
    start: Instant,
    time: Option<Duration>,
    max: Option<u64>,
    memory: memory::Limit,
    /// The measurement that has ended the run, on any thread.
    exceeded: OnceLock<Exceeded>,
}

impl Budget {
    pub(crate) fn start(time: Option<Duration>, max: Option<u64>, memory: memory::Limit) -> Budget {
        Budget { start: Instant::now(), time, max, memory, exceeded: OnceLock::new() }
    }

    /// Measures the memory of the process for the thread that calls this. Layouts of the thread respect the limit, too, as
    /// long as the guard lives.
    pub(crate) fn meter(&self) -> (Meter, RoomGuard) {
        let limit = self.memory;
        (Meter::new(limit), room::limit(move |bytes| limit.has_room(bytes)))
    }

    /// Whether the time is up, or the memory is used.
    pub(crate) fn check(&self, meter: &Meter) -> Option<Stop> {
        self.check_time().or_else(|| self.check_memory(meter))
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
    fn check_time(&self) -> Option<Stop> {
        let up = self.time.is_some_and(|time| self.elapsed() >= time);
        up.then_some(Stop::LimitReached(Limit::Time))
    }

    /// Whether the limit on values is reached.
    pub(crate) fn check_count(&self, tested: u64) -> Option<Stop> {
        let full = self.max.is_some_and(|max| tested >= max);
        full.then_some(Stop::LimitReached(Limit::Valid))
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
        let quick = elapsed.saturating_sub(self.last) < Duration::from_micros(100);
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
