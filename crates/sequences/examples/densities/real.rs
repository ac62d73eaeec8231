//! A real context: a set as a sorted list, with a mistake that takes a few calls to show.

use smallscope_sequences::density::{Chart, Measurement, measure};
use smallscope_sequences::{Context, Error, Pool, Runner, Strategy, by_mut, by_ref, into, seen, value};

/// A sorted set of numbers.
#[derive(Clone, Default)]
struct Set {
    items: Vec<u8>,
}

impl Set {
    fn insert(&mut self, item: u8) -> bool {
        let place = self.items.partition_point(|other| *other < item);
        let is_new = self.items.get(place) != Some(&item);
        if is_new {
            self.items.insert(place, item);
        }
        is_new
    }

    /// The mistake: the last one of three or more is not removed.
    fn remove(&mut self, item: u8) -> bool {
        let found = self.items.iter().position(|other| *other == item);
        if let Some(place) = found.filter(|place| place + 1 < self.items.len() || *place < 2) {
            self.items.remove(place);
        }
        found.is_some()
    }

    fn contains(&self, item: u8) -> bool {
        self.items.contains(&item)
    }
}

type Model = std::collections::BTreeSet<u8>;

/// The densities for lengths up to 1024: exact for the first ones, and measured on ten thousand tests for the others.
pub fn measured() -> Result<(Chart, Measurement), Error> {
    let numbers = || Pool::of(0u8..4);
    let ours = Context::builder()
        .pool(Pool::<Set>::empty(1).named("set"))
        .pool(numbers())
        .function("Set::new", (), into(), |()| Set::default())
        .method("insert", (by_mut::<Set>(), value::<u8>()), seen(), |(set, x)| set.insert(x))
        .method("remove", (by_mut::<Set>(), value::<u8>()), seen(), |(set, x)| set.remove(x))
        .method("contains", (by_ref::<Set>(), value::<u8>()), seen(), |(set, x)| set.contains(x))
        .build()?;
    let gold = Context::builder()
        .pool(Pool::<Model>::empty(1).named("set"))
        .pool(numbers())
        .function("Set::new", (), into(), |()| Model::new())
        .method("insert", (by_mut::<Model>(), value::<u8>()), seen(), |(set, x)| set.insert(x))
        .method("remove", (by_mut::<Model>(), value::<u8>()), seen(), |(set, x)| set.remove(&x))
        .method("contains", (by_ref::<Model>(), value::<u8>()), seen(), |(set, x)| set.contains(&x))
        .build()?;
    let lengths = (1..=6).chain([8, 16, 32, 48, 64, 96, 128, 256, 512, 1024]);
    let measured = measure(lengths, |length| {
        let strategy = match length {
            ..=6 => Strategy::be(&ours, length)?,
            _ => Strategy::bobw(&ours, length, 1)?,
        };
        let tests = if length <= 6 { u64::MAX } else { 10_000 };
        Runner::new(&ours, strategy).gold(&gold).max_tests(tests).keep_going().without_shrinking().run()
    })?;
    let chart = measured.chart(format!("A set with a mistake, {} distinct calls", ours.calls()));
    Ok((chart, measured))
}
