//! Laws of functions.

use super::scene::run;
use super::values::IntoValues;
use crate::check::check;
use smallscope_core::{Bounded, Bounds};
use std::cmp::Ordering;
use std::fmt::{self, Debug};
use std::ops::Add;

/// So many edge values are tried in threes, if there are not as many others.
const MOST_EDGES: usize = 30;

/// An error whose `Debug` text, which reports show, is its text.
struct Said(String);

impl Debug for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What the second function of a round trip may return: the value, an `Option` or a `Result` of it.
pub trait Returned<T> {
    /// The value, or why there is none.
    fn returned(self) -> Result<T, String>;
}

impl<T> Returned<T> for T {
    fn returned(self) -> Result<T, String> {
        Ok(self)
    }
}

impl<T> Returned<T> for Option<T> {
    fn returned(self) -> Result<T, String> {
        self.ok_or_else(|| "`None`".into())
    }
}

impl<T, E: Debug> Returned<T> for Result<T, E> {
    fn returned(self) -> Result<T, String> {
        self.map_err(|e| format!("`Err({e:?})`"))
    }
}

/// Checks that one function undoes another: decoding what was encoded, or parsing what was printed, gives the value again.
/// The second function may return the value, an `Option` or a `Result` of it.
///
/// ```
/// use smallscope::laws;
/// laws::round_trip(4, |n: &i16| n.to_string(), |text: &String| text.parse());
/// ```
///
/// # Panics
///
/// With a report, if there is a value that does not come back.
#[track_caller]
pub fn round_trip<T, E, R>(bounds: impl Into<Bounds>, there: impl Fn(&T) -> E, back: impl Fn(&E) -> R)
where
    T: Bounded + PartialEq + Debug,
    E: Debug,
    R: Returned<T>,
{
    check(bounds, |value: &T| {
        let encoded = there(value);
        match back(&encoded).returned() {
            Ok(returned) if returned == *value => Ok(()),
            Ok(returned) => {
                Err(Said(format!("{value:?} becomes {encoded:?}, and that becomes {returned:?}")))
            }
            Err(nothing) => Err(Said(format!("{value:?} becomes {encoded:?}, and that becomes {nothing}"))),
        }
    });
}

/// Checks that a function has no effect on its own results: normal forms, canonical orders, trimming.
///
/// ```
/// use smallscope::laws;
/// laws::idempotent(3, |text: &String| text.trim().to_owned());
/// ```
///
/// # Panics
///
/// With a report, if there is a value for which it does not hold.
#[track_caller]
pub fn idempotent<T: Bounded + PartialEq + Debug>(bounds: impl Into<Bounds>, function: impl Fn(&T) -> T) {
    check(bounds, |value: &T| {
        let once = function(value);
        let twice = function(&once);
        if once == twice {
            Ok(())
        } else {
            Err(Said(format!("{value:?} becomes {once:?}, and that becomes {twice:?}")))
        }
    });
}

/// Checks that two functions have the same results: a fast one and a simple one, or the code under test and a model.
///
/// ```
/// use smallscope::laws;
/// laws::agrees_with(4, |v: &Vec<u8>| v.iter().max().copied(), |v| {
///     let mut sorted = v.clone();
///     sorted.sort();
///     sorted.last().copied()
/// });
/// ```
///
/// # Panics
///
/// With a report, if there is a value for which they differ.
#[track_caller]
pub fn agrees_with<T: Bounded + Debug, R: PartialEq + Debug>(
    bounds: impl Into<Bounds>,
    function: impl Fn(&T) -> R,
    model: impl Fn(&T) -> R,
) {
    check(bounds, |value: &T| {
        let (result, expected) = (function(value), model(value));
        if result == expected {
            return Ok(());
        }
        Err(Said(format!("for {value:?} the result is {result:?}, and that of the model is {expected:?}")))
    });
}

/// Checks that the order of two arguments does not matter.
///
/// ```
/// use smallscope::laws;
/// laws::commutative::<u8, _>(5, |a, b| a.saturating_add(*b));
/// ```
///
/// # Panics
///
/// With a report, if there are values for which it does not hold, or no values.
#[track_caller]
pub fn commutative<T, R: PartialEq + Debug>(values: impl IntoValues<T>, operation: impl Fn(&T, &T) -> R) {
    run("the operation is commutative", values.into_values(), 2, |scene, last| {
        scene.pairs(last, |a, b| {
            let (ab, ba) = (operation(a, b), operation(b, a));
            if ab == ba { Ok(()) } else { Err(format!("f(a, b) is {ab:?}, but f(b, a) is {ba:?}")) }
        })
    });
}

/// Checks that it does not matter where brackets are: `f(f(a, b), c)` is `f(a, f(b, c))`.
///
/// ```
/// use smallscope::laws;
/// laws::associative::<String>(2, |a, b| format!("{a}{b}"));
/// ```
///
/// # Panics
///
/// With a report, if there are values for which it does not hold, or no values.
#[track_caller]
pub fn associative<T: PartialEq + Debug>(values: impl IntoValues<T>, operation: impl Fn(&T, &T) -> T) {
    run("the operation is associative", values.into_values().with_edges(MOST_EDGES), 3, |scene, last| {
        scene.triples(last, |[a, b, c]| {
            let (a, b, c) = (scene.value(0, a), scene.value(1, b), scene.value(2, c));
            let left = operation(&operation(a, b), c);
            let right = operation(a, &operation(b, c));
            if left == right {
                return Ok(());
            }
            Err(format!("f(f(a, b), c) is {left:?}, but f(a, f(b, c)) is {right:?}"))
        })
    });
}

/// Checks that a function keeps the order: `a <= b` means `f(a) <= f(b)`.
///
/// ```
/// use smallscope::laws;
/// laws::monotone::<u8, _>(5, |n| n / 2);
/// ```
///
/// # Panics
///
/// With a report, if there are values for which it does not hold, or no values.
#[track_caller]
pub fn monotone<T: PartialOrd, R: PartialOrd + Debug>(
    values: impl IntoValues<T>,
    function: impl Fn(&T) -> R,
) {
    run("the function is monotone", values.into_values(), 2, |scene, last| {
        scene.pairs(last, |a, b| {
            if a <= b {
                let (fa, fb) = (function(a), function(b));
                if !matches!(fa.partial_cmp(&fb), Some(Ordering::Less | Ordering::Equal)) {
                    return Err(format!("a <= b, but f(a) is {fa:?} and f(b) is {fb:?}"));
                }
            }
            Ok(())
        })
    });
}

/// Checks that a distance is one: 0 from a value to itself and to no other, the same in both directions, and never shorter
/// by a detour.
///
/// ```
/// use smallscope::laws;
/// laws::metric::<u8, _>(6, |a, b| u32::from(a.abs_diff(*b)));
/// ```
///
/// # Panics
///
/// With a report, if there are values for which it does not hold, or no values.
#[track_caller]
pub fn metric<T, N>(values: impl IntoValues<T>, distance: impl Fn(&T, &T) -> N)
where
    T: PartialEq,
    N: PartialOrd + Add<Output = N> + Default + Copy + Debug,
{
    let zero = N::default();
    // The distances of each value to those before it.
    let mut known: Vec<Vec<N>> = vec![];
    run("the distance is a metric", values.into_values().with_edges(MOST_EDGES), 3, |scene, last| {
        scene.pairs(last, |a, b| {
            let (ab, ba) = (distance(a, b), distance(b, a));
            if ab != ba {
                return Err(format!("d(a, b) is {ab:?}, but d(b, a) is {ba:?}"));
            }
            if ab < zero || (ab == zero) != (a == b) {
                return Err(format!("`a == b` is {}, but d(a, b) is {ab:?}", a == b));
            }
            Ok(())
        })?;
        known.push((0..=last).map(|i| distance(scene.value(0, i), scene.value(1, last))).collect());
        let d = |i: usize, j: usize| known[i.max(j)][i.min(j)];
        scene.triples(last, |[a, b, c]| {
            let (ab, bc, ac) = (d(a, b), d(b, c), d(a, c));
            if ac <= ab + bc {
                return Ok(());
            }
            Err(format!("d(a, b) is {ab:?} and d(b, c) is {bc:?}, but d(a, c) is {ac:?}"))
        })
    });
}
