//! Comparisons that the lazy engine asks about in other ways than most.

use crate::agreed;
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, Engine, Key, rep_ok};

#[derive(Bounded)]
struct Limits {
    low: Option<u8>,
    high: Option<u8>,
}

#[rep_ok]
impl Limits {
    fn rep_ok(&self) -> bool {
        self.low == self.high
    }
}

#[derive(Bounded)]
struct Interval {
    low: Option<u8>,
    high: Option<u8>,
}

#[rep_ok]
impl Interval {
    fn rep_ok(&self) -> bool {
        self.low <= self.high
    }
}

/// `None` is equal to `None`, and comes before all numbers, whatever the least number of each field is.
#[test]
fn options_of_different_ranges() {
    let bounds = |name: &str| {
        let field = |field: &str| format!("{name}.{field}");
        Bounds::exact().ints(&field("low"), 1..=2).ints(&field("high"), 2..=4)
    };
    assert_eq!(agreed::<Limits>(&bounds("Limits")), 1 + 1);
    assert_eq!(agreed::<Interval>(&bounds("Interval")), 4 + 3 + 3);
}

const ONE: Key = Key::new(1);

#[derive(Bounded)]
struct Around {
    above: Key,
    not_below: Key,
    below: Key,
    not_above: Key,
    equal: Key,
    other: Key,
}

#[rep_ok]
impl Around {
    fn rep_ok(&self) -> bool {
        ONE < self.above
            && ONE <= self.not_below
            && ONE > self.below
            && ONE >= self.not_above
            && ONE == self.equal
            && ONE != self.other
    }
}

#[test]
fn a_known_key_on_the_left() {
    let keys = ["above", "not_below", "below", "not_above", "equal", "other"];
    let bounds =
        keys.iter().fold(Bounds::exact(), |bounds, key| bounds.ints(&format!("Around.{key}"), 0..=2));
    // Of 0, 1 and 2: one is above, two are not below, and so on.
    assert_eq!(agreed::<Around>(&bounds), 2 * 2 * 2);
}

#[derive(Bounded)]
struct Pair {
    left: Option<Box<Part>>,
    right: Option<Box<Part>>,
}

#[derive(Bounded)]
struct Part {
    is_marked: bool,
}

#[rep_ok]
impl Pair {
    fn rep_ok(&self) -> bool {
        matches!((self.left.is_some(), self.right.is_some()), (true, _))
    }
}

/// Where a box is decided to be there, its object is taken at once. Otherwise both could be decided to be there, and
/// the second object would be missed when the value is complete.
#[test]
fn boxes_that_are_asked_about_take_their_objects() {
    let bounds = Bounds::exact().objects("Part", 1);
    assert_eq!(agreed::<Pair>(&bounds), 2);
    for engine in [Engine::Lazy, Engine::Owned] {
        let options = Options { engine, recheck_every: 0, ..Options::default() };
        let outcome = Search::<Pair>::new(&bounds, options).unwrap().count().unwrap();
        assert_eq!((outcome.valid, outcome.pruned), (2, 0), "{engine}: no candidate is cut short");
    }
}
