//! Laws of types: those that hold, and one type that breaks each of them, with the report.

use smallscope::laws;
use smallscope::{Bounded, Bounds};
use std::cell::Cell;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The report of a law that is broken.
fn report(law: impl FnOnce()) -> String {
    let thrown = catch_unwind(AssertUnwindSafe(law)).expect_err("the law is broken");
    *thrown.downcast::<String>().expect("a report")
}

fn assert_reports(law: impl FnOnce(), lines: &[&str]) {
    let report = report(law);
    for line in lines {
        assert!(report.contains(line), "`{line}` is not in: {report}");
    }
}

/// A version with a pre-release, which a careless comparison ignores if the other one has none.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Version(String);

impl Version {
    fn parse(text: &str) -> Option<Version> {
        let digits = text.strip_prefix("rc")?;
        (digits.len() <= 1 && digits.bytes().all(|c| c.is_ascii_digit())).then(|| Version(digits.into()))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Version) -> Option<Ordering> {
        if self.0.is_empty() || other.0.is_empty() {
            return Some(Ordering::Equal);
        }
        self.0.partial_cmp(&other.0)
    }
}

fn versions() -> laws::Values<ByVersion> {
    let bounds = Bounds::scope(3).alphabet("input.value", "rc012");
    laws::made(bounds, |text: &String| Version::parse(text).map(ByVersion))
}

/// Equal where the order says so.
#[derive(Debug, Clone)]
struct ByVersion(Version);

impl PartialEq for ByVersion {
    fn eq(&self, other: &ByVersion) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for ByVersion {}

impl PartialOrd for ByVersion {
    fn partial_cmp(&self, other: &ByVersion) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByVersion {
    fn cmp(&self, other: &ByVersion) -> Ordering {
        self.0.partial_cmp(&other.0).expect("total")
    }
}

#[test]
fn an_order_that_is_not_transitive_shows_three_values() {
    let lines = [
        "`Ord` is a total order, but not here:",
        "  a = \"rc",
        "but a ",
        "smaller values keep it; 4 values, made from: ",
    ];
    assert_reports(|| laws::total_order(versions()), &lines);
    let report = report(|| laws::total_order(versions()));
    let [first, second] = ["  a == b and b == c, but a > c\n", "  a == b and b == c, but a < c\n"];
    assert!(report.contains(first) || report.contains(second), "{report}");
    assert!(report.contains("b = \"rc\""), "{report}");
    assert_reports(
        || laws::partial_order(versions()),
        &["`PartialOrd` is a partial order", "a == b and b == c, but a "],
    );
    assert_reports(
        || laws::equivalence(versions()),
        &["`==` is an equivalence", "a == b and b == c, but a != c"],
    );
}

/// A type whose comparisons the tests twist.
#[derive(Bounded, Debug, Clone, Copy)]
#[bounded(no_invariant)]
struct Twisted {
    n: u8,
}

thread_local! {
    static TWIST: Cell<&'static str> = const { Cell::new("") };
}

fn twist(how: &'static str, law: impl FnOnce()) -> String {
    TWIST.set(how);
    report(law)
}

impl PartialEq for Twisted {
    fn eq(&self, other: &Twisted) -> bool {
        match TWIST.get() {
            "none is equal" => false,
            "one direction" => self.n <= other.n,
            "all are equal" => true,
            "neighbours are equal" => self.n.abs_diff(other.n) <= 1,
            "panics" if self.n == 2 => panic!("no 2"),
            _ => self.n == other.n,
        }
    }

    #[expect(clippy::partialeq_ne_impl, reason = "a type can have one, and it can be wrong")]
    fn ne(&self, other: &Twisted) -> bool {
        if TWIST.get() == "own unequal" { self.n == other.n } else { !self.eq(other) }
    }
}

impl Eq for Twisted {}

#[expect(clippy::non_canonical_partial_ord_impl, reason = "a wrong one is what is tested")]
impl PartialOrd for Twisted {
    fn partial_cmp(&self, other: &Twisted) -> Option<Ordering> {
        match TWIST.get() {
            "partial" => None,
            "partial less" => Some(Ordering::Less),
            "cycle" if (self.n, other.n) == (0, 2) => Some(Ordering::Greater),
            "cycle" if (self.n, other.n) == (2, 0) => Some(Ordering::Less),
            _ => self.n.partial_cmp(&other.n),
        }
    }

    fn lt(&self, other: &Twisted) -> bool {
        if TWIST.get() == "own less" {
            self.n <= other.n
        } else {
            self.partial_cmp(other) == Some(Ordering::Less)
        }
    }
}

impl Ord for Twisted {
    fn cmp(&self, other: &Twisted) -> Ordering {
        match TWIST.get() {
            "less" => Ordering::Less,
            "cycle" => self.partial_cmp(other).expect("comparable"),
            _ => self.n.cmp(&other.n),
        }
    }
}

impl Hash for Twisted {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.n.hash(state);
    }
}

#[test]
fn each_way_to_break_a_comparison_is_reported() {
    let cases: [(&'static str, fn(), &str); 12] = [
        ("none is equal", || laws::equivalence::<Twisted>(3), "`a == a` is false"),
        ("one direction", || laws::equivalence::<Twisted>(3), "`a == b` is true, but `b == a` is false"),
        ("neighbours are equal", || laws::equivalence::<Twisted>(3), "a == b and b == c, but a != c"),
        ("own unequal", || laws::equivalence::<Twisted>(3), "`a == b` and `a != b` are both true"),
        ("panics", || laws::equivalence::<Twisted>(3), "comparing them panicked: no 2 (at "),
        ("all are equal", || laws::hash_agrees::<Twisted>(3), "`a == b`, but their hashes are 0x"),
        ("less", || laws::total_order::<Twisted>(3), "`a.cmp(&a)` is `Less`"),
        ("all are equal", || laws::total_order::<Twisted>(3), "`a.cmp(&b)` is `Less`, but `a == b` is true"),
        (
            "partial",
            || laws::total_order::<Twisted>(3),
            "`a.cmp(&b)` is `Equal`, but `a.partial_cmp(&b)` is `None`",
        ),
        ("cycle", || laws::total_order::<Twisted>(3), "a < b and b < c, but a > c"),
        ("partial less", || laws::partial_order::<Twisted>(3), "but `b.partial_cmp(&a)` is `Some(Less)`"),
        (
            "own less",
            || laws::partial_order::<Twisted>(3),
            "`a.partial_cmp(&b)` is `Some(Equal)`, but `a < b` is true",
        ),
    ];
    for (how, law, expected) in cases {
        let report = twist(how, law);
        assert!(report.contains(expected), "{how}: `{expected}` is not in: {report}");
    }
    // The smallest values come first.
    let report = twist("neighbours are equal", || laws::equivalence::<Twisted>(9));
    let shown = |n: u8| format!("Twisted {{ n: {n} }}");
    assert!([0, 1, 2].iter().all(|&n| report.contains(&shown(n))) && !report.contains(&shown(3)), "{report}");
    assert!(report.contains("(2 smaller values keep it; "), "{report}");
    TWIST.set("");
    laws::equivalence::<Twisted>(5);
    laws::hash_agrees::<Twisted>(5);
    laws::partial_order::<Twisted>(5);
    laws::total_order::<Twisted>(5);
}

#[test]
fn laws_of_functions_hold_or_are_reported() {
    laws::round_trip(4, |n: &i8| n.to_string(), |text: &String| text.parse());
    laws::round_trip(
        3,
        |text: &String| text.clone().into_bytes(),
        |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).ok(),
    );
    assert_reports(
        || laws::round_trip(3, |v: &Vec<u8>| v.len(), |len: &usize| vec![0; *len]),
        &["[1] becomes 1, and that becomes [0]"],
    );
    assert_reports(
        || {
            laws::round_trip(
                3,
                |n: &u8| n.to_string(),
                |text: &String| text.parse::<u8>().ok().filter(|n| *n < 2),
            )
        },
        &["2 becomes \"2\", and that becomes `None`"],
    );
    laws::idempotent(3, |v: &Vec<u8>| {
        let mut sorted = v.clone();
        sorted.sort_unstable();
        sorted
    });
    assert_reports(
        || laws::idempotent(3, |n: &u8| n.saturating_add(1)),
        &["0 becomes 1, and that becomes 2"],
    );
    laws::agrees_with(3, |v: &Vec<u8>| v.len(), |v| v.iter().fold(0, |n, _| n + 1));
    assert_reports(
        || laws::agrees_with(3, |n: &u8| *n, |n| *n % 2),
        &["for 2 the result is 2, and that of the model is 0"],
    );
    laws::commutative::<u8, _>(6, |a, b| a.max(b) - a.min(b));
    assert_reports(
        || laws::commutative::<u8, _>(3, |a, b| a.saturating_sub(*b)),
        &["the operation is commutative", "  a = 0\n  b = 1\n  f(a, b) is 0, but f(b, a) is 1\n"],
    );
    laws::associative::<Vec<bool>>(2, |a, b| [&a[..], b].concat());
    assert_reports(
        || laws::associative::<u8>(3, |a, b| a.abs_diff(*b)),
        &["the operation is associative", "f(f(a, b), c) is ", ", but f(a, f(b, c)) is "],
    );
    laws::monotone::<u8, _>(9, |n| n / 3);
    assert_reports(
        || laws::monotone::<u8, _>(9, |n| n % 3),
        &["the function is monotone", "  a = 1\n  b = 3\n  a <= b, but f(a) is 1 and f(b) is 0\n"],
    );
    laws::metric::<u8, _>(9, |a, b| u32::from(a.abs_diff(*b)));
    let metric = |d: fn(&u8, &u8) -> i32| report(|| laws::metric::<u8, _>(5, d));
    assert!(metric(|a, b| i32::from(*a) - i32::from(*b)).contains("d(a, b) is -1, but d(b, a) is 1"));
    assert!(metric(|a, b| i32::from(a / 2 != b / 2)).contains("`a == b` is false, but d(a, b) is 0"));
    let detour = metric(|a, b| i32::from(a.abs_diff(*b)).pow(2));
    assert!(detour.contains("d(a, b) is 1 and d(b, c) is 1, but d(a, c) is 4"), "{detour}");
}

#[test]
fn laws_without_values_fail() {
    assert_reports(
        || laws::total_order(laws::made(2, |_: &u8| None::<u8>)),
        &["nothing was compared, because there is no value (0 values, made from: "],
    );
    assert_reports(|| laws::total_order(laws::given(Vec::<u8>::new())), &["nothing was compared"]);
    laws::total_order(laws::given(["a", "b"]));
}

/// Edge values are compared, too.
#[test]
fn laws_are_checked_on_edge_values() {
    let lines = ["the function is monotone", "  b = 255\n", "a <= b, but f(a) is ", " with edge values)"];
    assert_reports(|| laws::monotone::<u8, _>(3, |n| n.wrapping_add(1)), &lines);
}
