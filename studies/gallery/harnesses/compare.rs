//! Runs a property with each tool, and writes down what the tool found.
//!
//! Lines with tabs are appended to the file in `GALLERY`. The line of a failing case has the name of the test, the number
//! of the seed, the number of cases up to the first failure, the microseconds of the whole run, the size of the last
//! failing input and the input. For smallscope, the report that `SMALLSCOPE_REPORT` asks for has the cases and the time.

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};
use quickcheck::{Gen, QuickCheck, Testable};
use std::cell::RefCell;
use std::fmt::Debug;
use std::fs::OpenOptions;
use std::io::Write;
use std::time::{Duration, Instant};

/// Seeds that the random tools are tried with.
const SEEDS: u64 = 5;

/// What this thread has seen since [`begin`].
#[derive(Default)]
struct Seen {
    cases: u64,
    /// The number of the first failing case.
    first: Option<u64>,
    /// The last failing input.
    last: String,
}

thread_local! {
    static SEEN: RefCell<Seen> = RefCell::default();
}

/// Runs a property on an input, and notes the input if the property panics.
pub fn watched<A: Debug>(input: A, property: impl FnOnce()) {
    struct Guard<A: Debug>(A);
    impl<A: Debug> Drop for Guard<A> {
        fn drop(&mut self) {
            if std::thread::panicking() {
                SEEN.with_borrow_mut(|seen| {
                    seen.first = seen.first.or(Some(seen.cases));
                    seen.last = format!("{:?}", self.0);
                });
            }
        }
    }
    SEEN.with_borrow_mut(|seen| seen.cases += 1);
    let _guard = Guard(input);
    property();
}

/// The same for smallscope, which ends with the failing case that it reports.
pub fn watched_by_smallscope<A: Debug>(test: &str, input: A, property: impl FnOnce()) {
    struct Guard<'a, A: Debug>(&'a str, A);
    impl<A: Debug> Drop for Guard<'_, A> {
        fn drop(&mut self) {
            if std::thread::panicking() {
                write(self.0, 0, 0, Duration::ZERO, &format!("{:?}", self.1));
            }
        }
    }
    let _guard = Guard(test, input);
    property();
}

pub fn with_proptest<S: Strategy>(test: &str, strategy: S, property: impl Fn(S::Value)) {
    run(test, |seed| {
        let config = Config { failure_persistence: None, ..Config::default() };
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        let mut runner = TestRunner::new_with_rng(config, rng);
        let result = runner.run(&strategy, |input| {
            property(input);
            Ok(())
        });
        matches!(result, Err(TestError::Fail(..)))
    });
}

pub fn with_quickcheck<P: Testable + Copy>(test: &str, property: P) {
    run(test, |seed| {
        let generator = Gen::from_size_and_seed(100, seed);
        QuickCheck::new().rng(generator).quicktest(property).is_err()
    });
}

/// Runs a random tool with each seed. Fails if one of the runs has failed.
fn run(test: &str, has_failed: impl Fn(u64) -> bool) {
    let mut failed = 0;
    for seed in 1..=SEEDS {
        SEEN.set(Seen::default());
        let start = Instant::now();
        let has_failed = has_failed(seed);
        let time = start.elapsed();
        if has_failed {
            failed += 1;
            let seen = SEEN.take();
            write(test, seed, seen.first.unwrap_or_default(), time, &seen.last);
        } else {
            let cases = SEEN.with_borrow(|seen| seen.cases);
            write(test, seed, cases, time, "");
        }
    }
    assert_eq!(failed, 0, "{failed} of {SEEDS} seeds found the bug");
}

fn write(test: &str, seed: u64, cases: u64, time: Duration, input: &str) {
    let Some(path) = std::env::var_os("GALLERY") else { return };
    let mut file = OpenOptions::new().append(true).create(true).open(path).expect("GALLERY is writable");
    let line = format!("{test}\t{seed}\t{cases}\t{}\t{input}\n", time.as_micros());
    file.write_all(line.as_bytes()).expect("GALLERY is writable");
}

/// A property of some values, as a test with each tool. Behind the type of each argument stands its strategy of proptest.
macro_rules! compared {
    ($(#[$attribute:meta])* fn($($name:ident: $type:ty = $strategy:expr),+) $body:block) => {
        fn property($($name: $type),+) $body

        $(#[$attribute])*
        fn with_smallscope($($name: $type),+) {
            let input = ($($name.clone(),)+);
            crate::compare::watched_by_smallscope(module_path!(), input, || property($($name),+));
        }

        #[test]
        fn with_proptest() {
            crate::compare::with_proptest(concat!(module_path!(), "::with_proptest"), ($($strategy,)+), |input| {
                let ($($name,)+) = input.clone();
                crate::compare::watched(input, || property($($name),+));
            });
        }

        #[test]
        fn with_quickcheck() {
            fn watched($($name: $type),+) {
                let input = ($($name.clone(),)+);
                crate::compare::watched(input, || property($($name),+));
            }
            let test = concat!(module_path!(), "::with_quickcheck");
            crate::compare::with_quickcheck(test, watched as fn($($type),+));
        }
    };
}

/// Sequences of calls on a wrapper, with each tool. A call is a number and two arguments; `apply` makes it.
macro_rules! compared_calls {
    ($wrapper:ty: $calls:literal calls of $keys:literal and $values:literal, $apply:expr) => {
        use crate::compare::Call;

        fn property(calls: Vec<Call>) {
            let mut value = <$wrapper>::new();
            for (call, key, number) in calls {
                $apply(&mut value, (call % $calls, key % $keys, number % $values));
            }
        }

        #[test]
        fn with_proptest() {
            let calls = proptest::collection::vec((0..$calls as u8, 0..$keys as u8, 0..$values as u8), 0..20);
            crate::compare::with_proptest(concat!(module_path!(), "::with_proptest"), calls, |calls| {
                crate::compare::watched(calls.clone(), || property(calls));
            });
        }

        #[test]
        fn with_quickcheck() {
            fn watched(calls: Vec<Call>) {
                crate::compare::watched(calls.clone(), || property(calls));
            }
            let test = concat!(module_path!(), "::with_quickcheck");
            crate::compare::with_quickcheck(test, watched as fn(Vec<Call>));
        }
    };
}

/// A call: which one, and its arguments.
pub type Call = (u8, u8, u8);

/// An enum without fields for all three tools.
macro_rules! letters {
    ($name:ident: $($variant:ident = $text:literal),+) => {
        #[derive(Clone, Copy, Debug, PartialEq, smallscope::Bounded)]
        enum $name { $($variant),+ }

        impl $name {
            const ALL: &'static [$name] = &[$($name::$variant),+];

            fn text(all: &[$name]) -> String {
                all.iter().map(|letter| match letter { $($name::$variant => $text),+ }).collect()
            }
        }

        impl quickcheck::Arbitrary for $name {
            fn arbitrary(generator: &mut quickcheck::Gen) -> Self {
                *generator.choose($name::ALL).unwrap()
            }
            fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
                Box::new($name::ALL[..*self as usize].iter().copied())
            }
        }
    };
}
