//! Strategies: everything once, in every part of every space, and no position of a test ever stands still.

mod common;

use std::collections::HashSet;

use common::map;
use smallscope_sequences::{BigUint, Context, Pool, Strategy, Test, nothing, value};

/// A context with a number of calls.
fn calls(number: u32) -> Context {
    Context::builder()
        .pool(Pool::of(0..number))
        .function("f", (value::<u32>(),), nothing(), |_| ())
        .build()
        .unwrap()
}

#[test]
fn be_goes_through_the_tree_in_order() {
    let context = map(1, &[1, 2]).build().unwrap();
    for length in 1..=4 {
        let tests: Vec<Test> = Strategy::be(&context, length).unwrap().tests().collect();
        assert_eq!(tests.len() as u64, 7u64.pow(length as u32));
        assert!(tests.is_sorted());
        assert_eq!(tests.iter().collect::<HashSet<_>>().len(), tests.len());
    }
}

#[test]
fn bobw_has_every_test_once() {
    for (j, length) in [(1, 3), (2, 1), (2, 11), (3, 7), (7, 4), (10, 3), (57, 2), (1000, 1)] {
        let context = calls(j);
        for seed in 0..3 {
            let strategy = Strategy::bobw(&context, length, seed).unwrap();
            let mut tests: Vec<Test> = strategy.tests().collect();
            tests.sort();
            assert_eq!(tests, Strategy::be(&context, length).unwrap().tests().collect::<Vec<_>>());
        }
    }
}

#[test]
fn seeds_give_different_orders() {
    let context = calls(9);
    let order = |seed| Strategy::bobw(&context, 4, seed).unwrap().tests().take(50).collect::<Vec<_>>();
    assert_eq!(order(1), order(1));
    assert_ne!(order(1), order(2));
}

#[test]
fn ranges_are_parts_of_the_whole_in_spaces_of_any_size() {
    let context = calls(57);
    for length in [2, 5, 21, 22, 300] {
        let whole = Strategy::bobw(&context, length, 3).unwrap();
        let sample = Strategy::random(&context, length, 1000, 3).unwrap();
        let tree = Strategy::be(&context, length).unwrap();
        for strategy in [whole, sample, tree] {
            let first: Vec<Test> = strategy.tests().take(100).collect();
            let resumed = strategy.within(BigUint::from(40u8)..strategy.range().end.clone()).unwrap();
            assert_eq!(resumed.tests().take(60).collect::<Vec<_>>(), first[40..]);
            let cut = strategy.within(BigUint::from(7u8)..BigUint::from(9u8)).unwrap();
            assert_eq!(cut.tests().collect::<Vec<_>>(), first[7..9]);
            assert!(!cut.is_exhaustive());
            // The last part ends with the last test.
            let last = strategy.shard(1_000_003, 1_000_003).unwrap();
            assert_eq!(last.range().end, *strategy.tests_in_all());
        }
    }
    let be = Strategy::be(&context, 2).unwrap();
    assert_eq!(be.shard(0, 3).unwrap_err().to_string(), "there is no part 0 of 3: parts go from 1 to 3");
    assert!(be.within(BigUint::ZERO..BigUint::from(3250u32)).unwrap_err().to_string().contains("0 to 3249"));
}

/// How far the frequencies of calls at each position are from equal, in standard deviations of the chi-squared.
fn worst_position(tests: impl Iterator<Item = Test>, j: usize, length: usize) -> (usize, f64) {
    let mut counts = vec![vec![0u32; j]; length];
    let mut number = 0;
    for test in tests {
        number += 1;
        for (i, call) in test.calls().iter().enumerate() {
            counts[i][*call as usize] += 1;
        }
    }
    let expected = f64::from(number) / j as f64;
    let freedom = (j - 1) as f64;
    let deviation = |counts: &Vec<u32>| {
        let chi: f64 = counts.iter().map(|c| (f64::from(*c) - expected).powi(2) / expected).sum();
        (chi - freedom) / (2.0 * freedom).sqrt()
    };
    let deviations = counts.iter().map(deviation).enumerate();
    deviations.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
}

/// The published generator stops varying late calls when there are many tests. Ours varies each position like any other,
/// in the first thousands of spaces of 10^5 to 10^1000 tests.
#[test]
fn no_position_stands_still_at_any_size() {
    for j in [7, 10, 57] {
        for length in [6, 8, 12, 16, 22, 23, 64, 128, 600] {
            let context = calls(j);
            for seed in [1, 2] {
                let tests = Strategy::bobw(&context, length, seed).unwrap();
                let (position, deviation) = worst_position(tests.tests().take(3000), j as usize, length);
                assert!(deviation < 7.0, "j {j}, length {length}: position {position} is off by {deviation}");
            }
        }
    }
}

/// The same statistic condemns what the paper did: adding a large prime to the index.
#[test]
fn the_statistic_sees_the_published_generator_stand_still() {
    let context = calls(10);
    let (length, tests) = (16, BigUint::from(10u8).pow(16));
    let prime = BigUint::from(1_000_000_007u64);
    let published = (0..3000u32).map(|i| context.test_at(length, &(&prime * i % &tests)).unwrap());
    let (position, deviation) = worst_position(published, 10, length);
    assert!(position >= 8 && deviation > 1000.0, "{position} {deviation}");
}

#[test]
fn random_paths_draw_methods_and_random_draws_calls() {
    // One way to make a map, four to insert, two to remove.
    let context = map(1, &[1, 2]).build().unwrap();
    let count = |strategy: Strategy| {
        let mut counts = [0; 3];
        for test in strategy.tests() {
            for call in test.calls() {
                counts[[0, 1, 1, 1, 1, 2, 2][*call as usize]] += 1;
            }
        }
        counts.map(|n| f64::from(n) / 60_000.0)
    };
    let is_near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.01);
    let drawn = count(Strategy::random(&context, 60, 1000, 3).unwrap());
    assert!(is_near(drawn, [1.0 / 7.0, 4.0 / 7.0, 2.0 / 7.0]), "{drawn:?}");
    let drawn = count(Strategy::random_paths(&context, 60, 1000, 3).unwrap());
    assert!(is_near(drawn, [1.0 / 3.0; 3]), "{drawn:?}");
}

#[test]
fn tests_may_have_a_hundred_thousand_calls() {
    let context = calls(57);
    for strategy in [Strategy::bobw(&context, 100_000, 1), Strategy::random(&context, 100_000, 2, 1)] {
        let tests: Vec<Test> = strategy.unwrap().tests().take(2).collect();
        let same = tests[0].calls().iter().zip(tests[1].calls()).filter(|(a, b)| a == b).count();
        // One in 57.
        assert!((1500..2000).contains(&same), "{same}");
    }
}
