//! The blocks of functions, and the calls that reach them.

use smallscope_cover::{Coverage, Criterion, cover};

/// The names of the targets, without the function.
fn names(coverage: &Coverage) -> Vec<String> {
    coverage
        .targets()
        .iter()
        .map(|target| target.to_string().split_once(": ").unwrap().1.to_owned())
        .collect()
}

/// The names of the targets that a call reached first.
fn new(coverage: &mut Coverage) -> Vec<String> {
    let names = names(coverage);
    coverage.collect().iter().map(|&target| names[target].clone()).collect()
}

#[cover(static BRANCHES)]
fn branches(x: u8) -> &'static str {
    if x == 0 {
        "zero"
    } else if x == 1 {
        "one"
    } else {
        "many"
    }
}

#[test]
fn a_chain_with_a_last_else_has_a_block_for_each_branch() {
    let mut coverage = Coverage::new(&[&BRANCHES], Criterion::Blocks);
    assert_eq!(
        names(&coverage),
        ["entry", "then of `if x == 0`", "then of `if x == 1`", "else of `if x == 1`"]
    );
    assert_eq!(branches(1), "one");
    assert_eq!(new(&mut coverage), ["entry", "then of `if x == 1`"]);
    assert_eq!(branches(2), "many");
    assert_eq!(new(&mut coverage), ["else of `if x == 1`"]);
    assert_eq!(branches(0), "zero");
    assert_eq!(new(&mut coverage), ["then of `if x == 0`"]);
    assert!(coverage.is_complete());
}

#[cover(static CHAIN)]
fn chain(x: u8) -> u8 {
    let mut y = 0;
    if x == 0 {
        y = 1;
    } else if x == 1 {
        y = 2;
    }
    y
}

#[test]
fn without_a_last_else_the_next_condition_is_a_block() {
    let mut coverage = Coverage::new(&[&CHAIN], Criterion::Blocks);
    chain(2);
    assert_eq!(new(&mut coverage), ["entry", "else of `if x == 0`"]);
    // Code after an `if` that always returns to it belongs to the entry.
    assert_eq!(coverage.total(), 4);
}

#[cover(static LOOPS)]
fn loops(items: &[Option<u8>]) -> Result<u32, ()> {
    let mut sum = 0;
    for item in items {
        let Some(item) = item else { continue };
        let mut rest = *item;
        while rest > 0 {
            if rest == 7 {
                return Err(());
            }
            rest -= 1;
            sum += 1;
        }
        sum += 10;
    }
    Ok(sum)
}

#[test]
fn what_can_be_skipped_is_a_block() {
    let mut coverage = Coverage::new(&[&LOOPS], Criterion::Blocks);
    assert_eq!(loops(&[]), Ok(0));
    assert_eq!(new(&mut coverage), ["entry", "after `for item in items`"]);
    assert_eq!(loops(&[None]), Ok(0));
    assert_eq!(new(&mut coverage), ["body of `for item in items`", "else of `let Some(item) = item`"]);
    assert_eq!(loops(&[Some(0)]), Ok(10));
    assert_eq!(new(&mut coverage), ["after `let Some(item) = item`", "after `while rest > 0`"]);
    assert_eq!(loops(&[Some(7)]), Err(()));
    assert_eq!(new(&mut coverage), ["body of `while rest > 0`", "then of `if rest == 7`"]);
    assert_eq!(loops(&[Some(1)]), Ok(11));
    assert_eq!(new(&mut coverage), ["after `if rest == 7`"]);
    assert!(coverage.is_complete(), "{coverage}");
}

#[cover(static MATCHES)]
fn matches(x: Option<u8>) -> Option<u8> {
    let y = match x? {
        0 => 10,
        n if n > 5 => return None,
        1..=3 => {
            let add = |a: u8| if a == 1 { a } else { a + 1 };
            add(x?)
        }
        _ => panic!("four or five"),
    };
    Some(y)
}

#[test]
fn arms_and_closures_are_blocks() {
    let mut coverage = Coverage::new(&[&MATCHES], Criterion::Blocks);
    assert_eq!(matches(None), None);
    assert_eq!(new(&mut coverage), ["entry"]);
    assert_eq!(matches(Some(0)), Some(10));
    assert_eq!(new(&mut coverage), ["arm `0`", "after `let y = match x?`"]);
    matches(Some(6));
    assert_eq!(new(&mut coverage), ["arm `n if n > 5`"]);
    assert_eq!(matches(Some(2)), Some(3));
    assert_eq!(new(&mut coverage), ["arm `1..=3`", "closure `|a: u8|`", "else of `if a == 1`"]);
    assert!(std::panic::catch_unwind(|| matches(Some(4))).is_err());
    assert_eq!(new(&mut coverage), ["arm `_`"]);
}

#[cover(static ODD_PLACES)]
fn odd_places(x: u8) -> u8 {
    fn inner(x: u8) -> u8 {
        if x > 1 { 1 } else { 0 }
    }
    const SIZE: usize = if cfg!(any()) { 1 } else { 2 };
    let array = [x; { const { if SIZE == 1 { 1 } else { 2 } } }];
    let found = 'search: {
        for item in array {
            if item == 3 {
                break 'search true;
            }
        }
        false
    };
    inner(x) + u8::from(found) + { if x == 9 { 1 } else { 0 } }
}

#[test]
fn functions_inside_are_covered_and_constants_are_not() {
    let mut coverage = Coverage::new(&[&ODD_PLACES], Criterion::Blocks);
    assert_eq!(odd_places(3), 2);
    coverage.collect();
    let uncovered: Vec<String> = coverage.uncovered().map(ToString::to_string).collect();
    assert_eq!(
        uncovered,
        [
            "odd_places::inner: else of `if x > 1`",
            "odd_places: after `for item in array`",
            "odd_places: then of `if x == 9`",
        ]
    );
}

mod other {
    use smallscope_cover::cover;

    pub struct Pair<A, B>(pub A, pub B);

    #[cover(also(ORDER))]
    impl<A: PartialEq<B>, B> Pair<A, B>
    where
        B: Clone,
    {
        pub const NAME: &'static str = "pair";

        #[allow(clippy::needless_bool, reason = "two blocks")]
        pub fn is_equal(&self) -> bool {
            if self.0 == self.1 { true } else { false }
        }

        #[cfg(any())]
        pub fn not_built(&self) {}

        #[cover(skip)]
        pub const fn left_out(x: u8) -> u8 {
            if x == 1 { 2 } else { x }
        }
    }

    #[cover(pub static ORDER)]
    impl<A: PartialOrd, B> PartialOrd for Pair<A, B> {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            self.0.partial_cmp(&other.0)
        }
    }

    impl<A: PartialEq, B> PartialEq for Pair<A, B> {
        fn eq(&self, other: &Self) -> bool {
            self.0 == other.0
        }
    }
}

#[test]
fn a_type_has_the_regions_of_its_blocks() {
    let mut coverage = Coverage::of::<other::Pair<u8, u8>>(Criterion::Blocks);
    let names: Vec<String> = coverage.targets().iter().map(ToString::to_string).collect();
    assert_eq!(
        names,
        [
            "Pair::is_equal: entry",
            "Pair::is_equal: then of `if self.0 == self.1`",
            "Pair::is_equal: else of `if self.0 == self.1`",
            "Pair::partial_cmp: entry",
        ]
    );
    assert_eq!((other::Pair::<u8, u8>::NAME, other::Pair::<u8, u8>::left_out(1)), ("pair", 2));
    assert!(other::Pair(1, 1).is_equal() && other::Pair(1, 'a') < other::Pair(2, 'b'));
    assert_eq!(coverage.collect(), [0, 1, 3]);
    assert!(coverage.targets()[1].location().contains("tests/blocks.rs:"));
    let report = coverage.to_string();
    assert!(
        report.starts_with("3 of 4 blocks covered; not covered:\n  crates/cover/tests/blocks.rs:"),
        "{report}"
    );
}
