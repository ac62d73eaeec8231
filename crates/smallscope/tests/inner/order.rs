//! The invariant of the whole may rely on those of the parts, and both prune.

use crate::{Interval, count, options, values};
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, Engine, rep_ok};
use std::ops::ControlFlow;

/// Computes a length, which overflows for an interval that is not valid.
#[derive(Bounded, Debug)]
struct Lengths {
    first: Interval,
    second: Interval,
}

#[rep_ok]
impl Lengths {
    fn rep_ok(&self) -> bool {
        self.first.hi - self.first.lo == self.second.hi - self.second.lo
    }
}

#[test]
fn the_whole_may_rely_on_its_parts() {
    // Intervals in scope 3: three of length 0, two of length 1, one of length 2.
    assert_eq!(count::<Lengths>(&Bounds::scope(3)), 9 + 4 + 1);
}

/// Breaks for a reason of its own.
#[derive(Bounded, Debug)]
struct Broken {
    interval: Interval,
}

#[rep_ok]
impl Broken {
    fn rep_ok(&self) -> bool {
        assert!(self.interval.hi < 1, "too large");
        true
    }
}

#[test]
fn a_panic_on_valid_parts_is_a_failure() {
    for engine in [Engine::Lazy, Engine::Owned, Engine::Korat] {
        let failure = Search::<Broken>::new(&Bounds::scope(2), options(engine)).unwrap().count().unwrap_err();
        assert!(failure.to_string().contains("too large"), "{failure}");
    }
}

/// Ten intervals: if their invariants were a filter behind the search, it would visit four to the power of ten candidates.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Many {
    intervals: [Interval; 10],
}

#[test]
fn invariants_of_parts_prune() {
    let outcome = Search::<Many>::new(&Bounds::scope(2), Options::default()).unwrap().count().unwrap();
    assert_eq!(outcome.valid, 3u64.pow(10));
    assert!(outcome.explored < 100, "{outcome:?}");
}

/// The invariant of the part is rarely true.
#[derive(Bounded, Debug)]
struct Point {
    x: u8,
    y: u8,
    z: u8,
}

#[rep_ok]
impl Point {
    fn rep_ok(&self) -> bool {
        self.x == 0 && self.y == 0 && self.z == 0
    }
}

#[test]
fn the_reason_for_a_rejection_names_the_invariant_of_the_part() {
    #[derive(Bounded, Debug)]
    struct Segment {
        from: Point,
        to: Point,
    }

    #[rep_ok]
    impl Segment {
        fn rep_ok(&self) -> bool {
            self.from.x <= self.to.x && self.from.y <= self.to.y
        }
    }

    let mut options = Options::default();
    options.lazy.promises = false;
    let mut search = Search::<Segment>::new(&Bounds::scope(3), options).unwrap();
    search.take_rejections();
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == smallscope::search::Found::Valid {}
    let conjuncts: Vec<&str> =
        search.take_rejections().iter().filter_map(|r| r.conjunct.map(|site| site.text)).collect();
    assert!(conjuncts.contains(&"Point::rep_ok of Segment.from"), "{conjuncts:?}");
    assert_eq!(values::<Segment>(&Bounds::scope(3), Options::default()).len(), 1);
}

#[test]
fn the_report_of_an_empty_run_names_the_invariant_of_the_part() {
    #[derive(Bounded, Debug)]
    struct Never {
        number: u8,
    }

    #[rep_ok]
    impl Never {
        fn rep_ok(&self) -> bool {
            self.number > 100
        }
    }

    #[derive(Bounded, Debug)]
    struct Holder {
        part: Never,
        flag: bool,
    }

    #[rep_ok]
    impl Holder {
        fn rep_ok(&self) -> bool {
            self.flag && self.part.number < 2
        }
    }

    let report = smallscope::Check::new("never", 3).run(|_: &Holder| {});
    let text = report.to_string();
    assert!(text.contains("`Never::rep_ok of Holder.part`, which was never true"), "{text}");
}

#[test]
fn a_test_runs_on_valid_parts_only() {
    let report = smallscope::Check::new("lengths", 3).run(|lengths: &Lengths, interval: Interval| {
        assert!(lengths.first.rep_ok() && lengths.second.rep_ok() && interval.rep_ok());
    });
    assert!(report.is_exhaustive(), "{report}");
    assert_eq!(report.tested, 14 * 6);
}
