//! Expansions of `#[cover]` pass strict lints, and compile wherever the original code does.

#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unused_qualifications, unreachable_pub, clippy::all, clippy::pedantic)]

use smallscope_cover::{Coverage, Criterion, cover};

struct Items(Vec<u32>);

#[cover(predicates(self.0.is_empty()))]
impl Items {
    fn even(&self) -> impl Iterator<Item = &u32> {
        self.0.iter().filter(|item| **item % 2 == 0)
    }

    fn first_or<'a>(&'a self, other: &'a u32) -> &'a u32 {
        match self.0.first() {
            Some(item) => item,
            None => other,
        }
    }

    // After the `let` the items are borrowed, so predicates cannot read them.
    #[cover(predicates())]
    fn swap_ends(&mut self) -> Option<()> {
        let [first, .., last] = self.0.as_mut_slice() else { return None };
        std::mem::swap(first, last);
        Some(())
    }

    async fn later(&self) -> usize {
        if self.0.is_empty() { 0 } else { async { self.0.len() }.await }
    }

    fn borrowed(&self) -> &str {
        let text: &String = if self.0.is_empty() { &String::from("none") } else { &self.0.len().to_string() };
        if text == "none" { "none" } else { "some" }
    }

    fn labelled(&self) -> u32 {
        let mut sum = 0;
        'rows: for row in &self.0 {
            for column in 0..*row {
                if column == 3 {
                    continue 'rows;
                }
                sum += 1;
            }
        }
        sum
    }
}

macro_rules! covered {
    ($($name:ident: $region:ident),*) => { $(
        #[cover(static $region)]
        fn $name(x: u32) -> u32 {
            if x > 1 { 1 } else { 0 }
        }
    )* };
}

covered!(one: ONE, another: ANOTHER);

#[test]
fn it_compiles_and_counts() {
    let mut coverage = Coverage::of::<Items>(Criterion::Blocks);
    let mut items = Items(vec![1, 2, 5]);
    assert_eq!(items.even().count(), 1);
    assert_eq!(*items.first_or(&7), 1);
    assert_eq!(items.swap_ends(), Some(()));
    assert_eq!((items.borrowed(), items.labelled()), ("some", 3 + 2 + 1));
    drop(items.later());
    coverage.collect();
    let uncovered: Vec<String> = coverage.uncovered().map(ToString::to_string).collect();
    assert_eq!(
        uncovered,
        [
            "Items::first_or: arm `None`",
            "Items::swap_ends: else of `let [first, .., last] = self.0.as_mut_slice()`",
            "Items::later: entry",
            "Items::later: then of `if self.0.is_empty()`",
            "Items::later: else of `if self.0.is_empty()`",
            "Items::borrowed: then of `if self.0.is_empty()`",
            "Items::borrowed: then of `if text == \"none\"`",
        ]
    );
    let mut both = Coverage::new(&[&ONE, &ANOTHER], Criterion::Blocks);
    assert_eq!(one(2) + another(0), 1);
    assert_eq!(both.collect().len(), 4);
}
