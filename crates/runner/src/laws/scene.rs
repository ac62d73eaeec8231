//! The comparison of values with each other, and the report of what breaks a law.

use super::values::Values;
use crate::observation::Line;
use crate::observe::Lines;
use smallscope_support::{duration, panics};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// The values that a law is checked on.
pub(super) struct Scene<'a, T> {
    items: &'a [T],
    /// The values that are compared now, for panics.
    at: Cell<[usize; 3]>,
    start: Instant,
    time: Duration,
}

/// Values that break a law, by their numbers, and how. In the text, they are `a`, `b` and `c`.
pub(super) struct Broken {
    pub(super) values: Vec<usize>,
    pub(super) how: String,
}

/// Why a value was not compared with all before it.
pub(super) enum Ended {
    Broken(Broken),
    TimeIsUp,
}

impl<'a, T> Scene<'a, T> {
    /// A value that is compared now, as the first, second or third of those.
    pub(super) fn value(&self, place: usize, number: usize) -> &'a T {
        let mut at = self.at.get();
        at[place] = number;
        self.at.set(at);
        &self.items[number]
    }

    /// Compares each pair of the last value and one before it, in both orders.
    pub(super) fn pairs(
        &self,
        last: usize,
        mut law: impl FnMut(&'a T, &'a T) -> Result<(), String>,
    ) -> Result<(), Ended> {
        for i in 0..=last {
            self.look_at_the_clock(i)?;
            for (i, j) in [(i, last), (last, i)] {
                law(self.value(0, i), self.value(1, j)).map_err(|how| broken(vec![i, j], how))?;
            }
        }
        Ok(())
    }

    /// Compares each three of the values, in each order, of which the last one is one.
    pub(super) fn triples(
        &self,
        last: usize,
        mut law: impl FnMut([usize; 3]) -> Result<(), String>,
    ) -> Result<(), Ended> {
        for i in 0..=last {
            for j in 0..=last {
                self.look_at_the_clock(j)?;
                for values in [[i, j, last], [i, last, j], [last, i, j]] {
                    self.at.set(values);
                    law(values).map_err(|how| broken(values.to_vec(), how))?;
                }
            }
        }
        Ok(())
    }

    fn look_at_the_clock(&self, i: usize) -> Result<(), Ended> {
        if i % 256 == 255 && self.start.elapsed() > self.time { Err(Ended::TimeIsUp) } else { Ok(()) }
    }
}

/// Values that break a law.
#[inline]
pub(super) fn broken(values: Vec<usize>, how: String) -> Ended {
    Ended::Broken(Broken { values, how })
}

/// Checks a law on each value with all before it. So many values are compared at a time: a pair, or three.
#[track_caller]
pub(super) fn run<T>(
    law: &str,
    values: Values<T>,
    count: usize,
    mut each: impl FnMut(&Scene<'_, T>, usize) -> Result<(), Ended>,
) {
    // The number of comparisons is a power of the number of values.
    let values = values.with_edges(if count == 2 { 1000 } else { 300 });
    let coverage = values.coverage();
    let Values { items, show, time, .. } = values;
    assert!(!items.is_empty(), "{law}: nothing was compared, because there is no value ({coverage})");
    let scene = Scene { items: &items, at: Cell::new([0; 3]), start: Instant::now(), time };
    let mut observed = Lines::of_process(law).unwrap_or_else(|error| panic!("{error}"));
    let mut done = 0;
    while done < items.len() && (done == 0 || scene.start.elapsed() <= time) {
        scene.at.set([done; 3]);
        let ended = panics::catch(|| each(&scene, done)).unwrap_or_else(|panic| {
            let values = scene.at.get()[..count].to_vec();
            Err(broken(values, format!("comparing them panicked: {panic}")))
        });
        if let Some(lines) = &mut observed {
            observe(lines, &ended, done, |value| show(&items, value));
        }
        match ended {
            Ok(()) => done += 1,
            Err(Ended::TimeIsUp) => break,
            Err(Ended::Broken(Broken { values, how })) => {
                let names = values.iter().zip(["a", "b", "c"]);
                let lines: String =
                    names.map(|(&value, name)| format!("  {name} = {}\n", show(&items, value))).collect();
                // What is missing in the file is nothing beside what the report says.
                let _ = observed.map_or(Ok(()), Lines::close);
                panics::throw(format!(
                    "{law}, but not here:\n{lines}  {how}\n  ({done} smaller values keep it; {coverage})"
                ));
            }
        }
    }
    if let Some(Err(error)) = observed.map(Lines::close) {
        panic!("{error}");
    }
    println!("{law}: {}", extent(done, items.len(), count, &coverage, time));
}

/// Writes a line about a value that was compared with all before it, or about those that break the law.
fn observe(lines: &mut Lines, ended: &Result<(), Ended>, value: usize, show: impl Fn(usize) -> String) {
    let (values, failure) = match ended {
        Ok(()) => (vec![value], None),
        Err(Ended::Broken(broken)) => (broken.values.clone(), Some(broken.how.as_str())),
        Err(Ended::TimeIsUp) => return,
    };
    let mut arguments = vec![];
    for (name, value) in ["a", "b", "c"].iter().zip(&values) {
        arguments.push(((*name).to_owned(), show(*value)));
    }
    let texts: Vec<&str> = arguments.iter().map(|(_, text)| text.as_str()).collect();
    lines.write(&Line {
        failure,
        representation: &texts.join("\n"),
        arguments: &arguments,
        how: "compared with all smaller values",
        features: &[("smaller values", value as u64)],
        time: None,
        metadata: ("number", &value.to_string()),
    });
}

/// What was compared without finding anything.
#[inline]
fn extent(done: usize, all: usize, count: usize, coverage: &str, time: Duration) -> String {
    let compared = if count == 2 { "every pair" } else { "every three values" };
    if done == all {
        return format!("holds for {compared}; {coverage}");
    }
    let time = duration::print(time);
    format!("holds for {compared} of the first {done} of {all} values, then {time} were over; {coverage}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::given;

    #[test]
    fn a_law_is_checked_until_the_time_is_up() {
        let compared = |time, each: fn(&Scene<'_, i32>, usize) -> Result<(), Ended>| {
            let (mut values, mut last) = (given(0..2000), None);
            values.time = time;
            run("the law", values, 2, |scene, i| {
                last = Some(i);
                each(scene, i)
            });
            last
        };
        assert_eq!(compared(Duration::MAX, |_, _| Ok(())), Some(1999));
        assert_eq!(compared(Duration::ZERO, |_, _| Ok(())), Some(0));
        // In the middle of a value, too.
        assert_eq!(compared(Duration::MAX, |_, _| Err(Ended::TimeIsUp)), Some(0));
        assert_eq!(
            extent(3, 2000, 2, "2000 values", Duration::from_secs(10)),
            "holds for every pair of the first 3 of 2000 values, then 10s were over; 2000 values"
        );
    }
}
