//! The values that laws are checked on.

use crate::check::Check;
use smallscope_core::{Bounded, Bounds};
use std::fmt::Debug;
use std::panic::Location;
use std::time::Duration;

/// So many values are compared with each other at most, besides edge values.
const MOST: u64 = 20_000;

/// How long values are compared if no budget is given.
const TIME: Duration = Duration::from_secs(10);

/// Values that laws about several values are checked on, smallest first.
pub struct Values<T> {
    pub(super) items: Vec<T>,
    /// The text of an item, by its number.
    pub(super) show: Show<T>,
    /// How long they may be compared.
    pub(super) time: Duration,
    origin: Origin,
}

/// Where values come from.
#[derive(Default)]
struct Origin {
    /// Which values these are.
    coverage: String,
    /// How many come before those with edge values.
    plain: usize,
    /// How many have edge values.
    edges: usize,
}

impl<T> Values<T> {
    /// Leaves out edge values until there are so many, or as many as others.
    pub(super) fn with_edges(mut self, most: usize) -> Values<T> {
        let plain = self.origin.plain;
        self.items.truncate(plain + plain.max(most));
        self
    }

    /// Which values these are.
    pub(super) fn coverage(&self) -> String {
        let Origin { coverage, plain, edges } = &self.origin;
        match self.items.len() - plain {
            0 => coverage.clone(),
            n if n == *edges => format!("{coverage}, and {n} with edge values"),
            n => format!("{coverage}, and the first {n} of {edges} with edge values"),
        }
    }
}

/// Shows an item of a list.
type Show<T> = Box<dyn Fn(&[T], usize) -> String>;

/// What laws about several values take: a scope number, [`Bounds`], or [`Values`].
pub trait IntoValues<T> {
    /// The values.
    #[track_caller]
    fn into_values(self) -> Values<T>;
}

impl<T> IntoValues<T> for Values<T> {
    fn into_values(self) -> Values<T> {
        self
    }
}

impl<T: Bounded + Debug, B: Into<Bounds>> IntoValues<T> for B {
    #[track_caller]
    fn into_values(self) -> Values<T> {
        let mut items = vec![];
        let (origin, time) = collect(self.into(), |value: T| {
            items.push(value);
            items.len()
        });
        Values { items, show: shown(), time, origin }
    }
}

/// Values that are made from every input within bounds, for types that are not `Bounded`. Inputs of which nothing is made
/// are left out. Reports show the inputs.
///
/// ```
/// use smallscope::laws;
/// use std::net::Ipv4Addr;
/// laws::total_order(laws::made(2, |bytes: &[u8; 4]| Some(Ipv4Addr::from(*bytes))));
/// ```
///
/// # Panics
///
/// If the bounds are invalid, if an invariant misbehaves, or if `make` panics.
#[track_caller]
pub fn made<I, T, B>(bounds: B, make: impl Fn(&I) -> Option<T>) -> Values<T>
where
    I: Bounded + Debug,
    T: 'static,
    B: Into<Bounds>,
{
    let (mut items, mut inputs) = (vec![], vec![]);
    let (mut origin, time) = collect(bounds.into(), |input: I| {
        if let Some(item) = make(&input) {
            items.push(item);
            inputs.push(input);
        }
        items.len()
    });
    origin.coverage = format!("{} values, made from: {}", origin.plain, origin.coverage);
    let show = Box::new(move |_: &[T], i: usize| format!("{:?}", inputs[i]));
    Values { items, show, time, origin }
}

/// Values that are given. A law that holds for them was checked on these alone.
pub fn given<T: Debug + 'static>(values: impl IntoIterator<Item = T>) -> Values<T> {
    let items: Vec<T> = values.into_iter().collect();
    let plain = items.len();
    let origin = Origin { coverage: format!("{plain} values that were given"), plain, edges: 0 };
    Values { items, show: shown(), time: TIME, origin }
}

/// Shows items by their own text.
fn shown<T: Debug>() -> Show<T> {
    Box::new(|items, i| format!("{:?}", items[i]))
}

/// Hands on the values within bounds, and edge values behind them. `then` returns how many were taken so far. Also returns
/// how long they may be compared.
#[track_caller]
fn collect<T: Bounded>(bounds: Bounds, mut then: impl FnMut(T) -> usize) -> (Origin, Duration) {
    let check = Check::new(place(), bounds).anonymous();
    let time = check.time().unwrap_or(TIME);
    // A limit on the number of values leaves out the edge values, so there is one only if it is needed.
    let first = check.clone().max(MOST).run(|_: &T| ());
    let check = if first.is_exhaustive() { check } else { check.max(MOST) };
    let (mut count, mut taken, mut origin) = (0, 0, Origin::default());
    let report = check.run(|value: T| {
        count += 1;
        if count <= 2 * MOST {
            taken = then(value);
        }
        if count <= first.tested {
            origin.plain = taken;
        }
    });
    report.expect_ok();
    origin.coverage = report.coverage();
    origin.edges = taken - origin.plain;
    (origin, time)
}

/// The place of the call in the user's code.
#[track_caller]
#[inline]
pub(super) fn place() -> String {
    let location = Location::caller();
    format!("{}:{}", location.file(), location.line())
}
