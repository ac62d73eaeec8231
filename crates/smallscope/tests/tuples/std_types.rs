//! Small types of std as fields.

use super::{are, count, texts};
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, rep_ok};
use std::cmp::{Ordering, Reverse};
use std::num::{NonZeroI8, NonZeroU8, NonZeroUsize, Saturating, Wrapping};
use std::ops::{Range, RangeInclusive};
use std::time::Duration;

/// The values of a type within a scope.
fn values<T: Bounded + std::fmt::Debug>(bounds: &Bounds) -> Vec<String> {
    texts::<T>(bounds, Options::default())
}

#[test]
fn numbers_that_are_not_zero() {
    assert_eq!(values::<NonZeroU8>(&Bounds::scope(3)), ["1", "2", "3"]);
    assert_eq!(values::<NonZeroUsize>(&Bounds::scope(0)), ["1"]);
    assert_eq!(values::<NonZeroI8>(&Bounds::scope(2)), ["1", "2"]);
    assert_eq!(values::<Option<NonZeroU8>>(&Bounds::scope(1)), ["None", "Some(1)"]);
}

#[test]
fn a_range_of_numbers_goes_across_zero() {
    #[derive(Bounded, Debug)]
    #[bounded(no_invariant)]
    struct S {
        n: NonZeroI8,
        u: NonZeroU8,
    }
    let bounds = Bounds::exact().ints("S.n", -2..=1).ints("S.u", 7..=7);
    assert_eq!(values::<S>(&bounds), ["S { n: -1, u: 7 }", "S { n: -2, u: 7 }", "S { n: 1, u: 7 }"]);
    let error = Search::<S>::new(&Bounds::scope(1).ints("S.u", 0..=7), Options::default()).err().unwrap();
    assert!(error.to_string().contains("0 does not fit into its type, which holds 1 to 255"), "{error}");
}

#[test]
fn wrappers_have_the_values_of_what_they_wrap() {
    assert_eq!(values::<Wrapping<u8>>(&Bounds::scope(2)), ["0", "1"]);
    assert_eq!(values::<Saturating<i16>>(&Bounds::scope(2)), ["0", "1"]);
    assert_eq!(values::<Reverse<u8>>(&Bounds::scope(2)), ["Reverse(0)", "Reverse(1)"]);
    assert_eq!(values::<Ordering>(&Bounds::scope(0)), ["Equal", "Greater", "Less"]);
    assert_eq!(values::<Duration>(&Bounds::scope(3)), ["0ns", "1s", "2s"]);
}

#[test]
fn ranges_have_two_ends() {
    assert_eq!(values::<Range<u8>>(&Bounds::scope(2)), ["0..0", "0..1", "1..0", "1..1"]);
    assert_eq!(values::<RangeInclusive<bool>>(&Bounds::scope(0)).len(), 4);
    assert_eq!(values::<Box<Range<u8>>>(&Bounds::scope(2)).len(), 4);
    assert_eq!(values::<Option<RangeInclusive<u8>>>(&Bounds::scope(2)).len(), 5);
    assert_eq!(values::<std::collections::BTreeMap<u8, Range<u8>>>(&Bounds::scope(1)).len(), 2);
}

/// Each type in an invariant.
#[derive(Bounded, Debug)]
pub struct S {
    p: Range<u8>,
    i: RangeInclusive<u8>,
    w: Wrapping<u8>,
    s: Saturating<u8>,
    r: Reverse<u8>,
    n: NonZeroU8,
    o: Ordering,
    d: Duration,
}

#[rep_ok]
impl S {
    fn rep_ok(&self) -> bool {
        self.p.start <= self.p.end
            && self.i.start() <= self.i.end()
            && self.i.contains(&1)
            && !self.p.is_empty()
            && self.p.clone().all(|x| self.i.contains(&x))
            && (self.w + Wrapping(255)).0 == 0
            && self.s.0 < 2
            && self.r > Reverse(1)
            && self.n.get() == self.s.0 + 1
            && self.o == self.n.get().cmp(&2)
            && self.d < Duration::from_secs(2)
            && self.d.as_secs() == u64::from(self.s.0)
    }
}

#[test]
fn invariants() {
    let three = [0u8, 1, 2];
    let mut all = vec![];
    for (a, b) in super::pairs() {
        for (c, d) in super::pairs() {
            for (w, s) in super::pairs() {
                for (n, x) in super::pairs() {
                    for o in [Ordering::Less, Ordering::Equal, Ordering::Greater] {
                        for r in three {
                            all.push(S {
                                p: a..b,
                                i: c..=d,
                                w: Wrapping(w),
                                s: Saturating(s),
                                r: Reverse(r),
                                n: NonZeroU8::new(n + 1).unwrap(),
                                o,
                                d: Duration::from_secs(x.into()),
                            });
                        }
                    }
                }
            }
        }
    }
    are(&Bounds::scope(3), all, S::rep_ok);
}

/// Disjoint ranges, as with structs.
#[derive(Bounded, Debug)]
pub struct Ranges {
    v: Vec<Range<u8>>,
}

#[rep_ok]
impl Ranges {
    fn rep_ok(&self) -> bool {
        self.v.iter().all(|r| r.start < r.end) && self.v.windows(2).all(|w| w[0].end < w[1].start)
    }
}

#[test]
fn disjoint_ranges_need_few_candidates() {
    let (valid, explored) = count::<Ranges>(&Bounds::scope(5), Options::default());
    assert_eq!(valid, 16);
    assert!(explored <= 10, "{explored}");
    let bounds = Bounds::scope(5).ints("Ranges.v.start", 0..=0);
    assert_eq!(count::<Ranges>(&bounds, Options::audited()).0, 5);
}
