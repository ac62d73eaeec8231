//! Laws of comparisons.

use super::matrix::Relation;
use super::scene::{Ended, Scene, broken, run};
use super::values::IntoValues;
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Checks that `==` is an equivalence: each value is equal to itself, `a == b` means `b == a`, and `a == b` and `b == c` mean
/// `a == c`; and that `!=` is its opposite.
///
/// ```
/// smallscope::laws::equivalence::<Vec<bool>>(3);
/// ```
///
/// # Panics
///
/// With a report, if there are values for which it does not hold, or no values.
#[track_caller]
pub fn equivalence<T: Eq>(values: impl IntoValues<T>) {
    let mut equal = Relation::default();
    run("`==` is an equivalence", values.into_values(), 3, |scene, last| {
        scene.pairs(last, |a, b| {
            let (ab, ba) = (a == b, b == a);
            if std::ptr::eq(a, b) && !ab {
                return Err("`a == a` is false".into());
            }
            if ab != ba {
                return Err(format!("`a == b` is {ab}, but `b == a` is {ba}"));
            }
            // A type can have its own `!=`.
            if (a != b) == ab {
                return Err(format!("`a == b` and `a != b` are both {ab}"));
            }
            Ok(())
        })?;
        let is_equal = |a: &T, b: &T| a == b;
        transitive(scene, last, &mut equal, is_equal, |a, b| if a == b { "==" } else { "!=" })
    });
}

/// Checks that equal values have equal hashes, as maps and sets need.
///
/// ```
/// smallscope::laws::hash_agrees::<Vec<bool>>(3);
/// ```
///
/// # Panics
///
/// With a report, if there are values for which it does not hold, or no values.
#[track_caller]
pub fn hash_agrees<T: Eq + Hash>(values: impl IntoValues<T>) {
    run("equal values have equal hashes", values.into_values(), 2, |scene, last| {
        scene.pairs(last, |a, b| {
            if a != b {
                return Ok(());
            }
            let (a, b) = (hash(a), hash(b));
            if a == b { Ok(()) } else { Err(format!("`a == b`, but their hashes are {a:#x} and {b:#x}")) }
        })
    });
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Checks that `PartialOrd` is a partial order: `partial_cmp` agrees with `==` and with the operators, `a < b` means
/// `b > a`, and `a <= b` and `b <= c` mean `a <= c`.
///
/// ```
/// smallscope::laws::partial_order(smallscope::laws::given([0.0, -0.0, 1.5, f64::NAN, f64::INFINITY]));
/// ```
///
/// # Panics
///
/// With a report, if there are values for which it does not hold, or no values.
#[track_caller]
pub fn partial_order<T: PartialOrd>(values: impl IntoValues<T>) {
    let mut at_most = Relation::default();
    run("`PartialOrd` is a partial order", values.into_values(), 3, |scene, last| {
        scene.pairs(last, partial_pair)?;
        transitive(scene, last, &mut at_most, |a, b| a <= b, sign)
    });
}

/// Checks that `Ord` is a total order: `cmp` agrees with `partial_cmp`, `==` and the operators, `a < b` means `b > a`, and
/// `a <= b` and `b <= c` mean `a <= c`.
///
/// ```
/// smallscope::laws::total_order::<Option<(bool, u8)>>(3);
/// ```
///
/// # Panics
///
/// With a report, if there are values for which it does not hold, or no values.
#[track_caller]
pub fn total_order<T: Ord>(values: impl IntoValues<T>) {
    let mut at_most = Relation::default();
    run("`Ord` is a total order", values.into_values(), 3, |scene, last| {
        scene.pairs(last, |a, b| {
            let (ab, ba) = (a.cmp(b), b.cmp(a));
            if std::ptr::eq(a, b) && ab != Ordering::Equal {
                return Err(format!("`a.cmp(&a)` is `{ab:?}`"));
            }
            if ab != ba.reverse() {
                return Err(format!("`a.cmp(&b)` is `{ab:?}`, but `b.cmp(&a)` is `{ba:?}`"));
            }
            if (a == b) != ab.is_eq() {
                return Err(format!("`a.cmp(&b)` is `{ab:?}`, but `a == b` is {}", a == b));
            }
            let partial = a.partial_cmp(b);
            if partial != Some(ab) {
                return Err(format!("`a.cmp(&b)` is `{ab:?}`, but `a.partial_cmp(&b)` is `{partial:?}`"));
            }
            partial_pair(a, b)
        })?;
        let symbol = |a: &T, b: &T| symbol(Some(a.cmp(b)));
        transitive(scene, last, &mut at_most, |a, b| a.cmp(b).is_le(), symbol)
    });
}

/// What holds of two values of a partial order.
fn partial_pair<T: PartialOrd>(a: &T, b: &T) -> Result<(), String> {
    let (ab, ba) = (a.partial_cmp(b), b.partial_cmp(a));
    if ab != ba.map(Ordering::reverse) {
        return Err(format!("`a.partial_cmp(&b)` is `{ab:?}`, but `b.partial_cmp(&a)` is `{ba:?}`"));
    }
    if (a == b) != (ab == Some(Ordering::Equal)) {
        return Err(format!("`a.partial_cmp(&b)` is `{ab:?}`, but `a == b` is {}", a == b));
    }
    // A type can have operators of its own.
    let operators = [
        ("<", a < b, ab.is_some_and(Ordering::is_lt)),
        ("<=", a <= b, ab.is_some_and(Ordering::is_le)),
        (">", a > b, ab.is_some_and(Ordering::is_gt)),
        (">=", a >= b, ab.is_some_and(Ordering::is_ge)),
    ];
    match operators.into_iter().find(|(_, is, should)| is != should) {
        Some((operator, is, _)) => {
            Err(format!("`a.partial_cmp(&b)` is `{ab:?}`, but `a {operator} b` is {is}"))
        }
        None => Ok(()),
    }
}

/// How two values compare.
fn sign<T: PartialOrd>(a: &T, b: &T) -> &'static str {
    symbol(a.partial_cmp(b))
}

#[inline]
fn symbol(ordering: Option<Ordering>) -> &'static str {
    match ordering {
        Some(Ordering::Less) => "<",
        Some(Ordering::Equal) => "==",
        Some(Ordering::Greater) => ">",
        None => "is not comparable with",
    }
}

/// Adds the pairs with the last value to a relation, which has to be transitive.
fn transitive<T>(
    scene: &Scene<'_, T>,
    last: usize,
    relation: &mut Relation,
    is_related: impl Fn(&T, &T) -> bool,
    sign: impl Fn(&T, &T) -> &'static str,
) -> Result<(), Ended> {
    for i in 0..=last {
        for (i, j) in [(i, last), (last, i)] {
            if is_related(scene.value(0, i), scene.value(1, j)) {
                relation.add(i, j);
            }
        }
    }
    let Some(values) = relation.gap(last) else { return Ok(()) };
    let [a, b, c] = values.map(|number| scene.value(0, number));
    let how = format!("a {} b and b {} c, but a {} c", sign(a, b), sign(b, c), sign(a, c));
    Err(broken(values.to_vec(), how))
}
