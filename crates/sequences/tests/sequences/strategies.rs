//! Strategies: each test once, in every part of every space, and each position of a test varies.

use std::collections::HashSet;

use crate::common::map;
use smallscope_sequences::{BigUint, Context, Pool, Strategy, Test, nothing, value};

/// A context with a number of calls.
fn calls(number: u32) -> Context {
    Context::builder()
        .pool(Pool::of(0..number))
        .function("f", (value::<u32>(),), nothing(), |_| ())
        .build()
        .unwrap()
}

/// How far the frequencies of some numbers are from equal, in standard deviations of the chi-squared.
fn unevenness(counts: &[u32]) -> f64 {
    let expected = counts.iter().map(|c| f64::from(*c)).sum::<f64>() / counts.len() as f64;
    let chi: f64 = counts.iter().map(|c| (f64::from(*c) - expected).powi(2) / expected).sum();
    let freedom = counts.len() as f64 - 1.0;
    (chi - freedom) / (2.0 * freedom).sqrt()
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
fn the_published_generator_has_every_test_once_at_its_index() {
    for (j, length) in [(1, 3), (2, 11), (3, 7), (7, 4), (57, 2), (1000, 1)] {
        let context = calls(j);
        let strategy = Strategy::linear(&context, length, 1_000_003).unwrap();
        let tests: Vec<Test> = strategy.tests().collect();
        let all = context.tests(length);
        for (i, test) in (0u64..).zip(&tests) {
            assert_eq!(context.index_of(test), BigUint::from(i) * 1_000_003u64 % &all);
        }
        let parts = (1..=3).flat_map(|k| strategy.shard(k, 3).unwrap().tests().collect::<Vec<_>>());
        assert!(parts.eq(tests.iter().cloned()) && strategy.is_exhaustive());
        let mut sorted = tests;
        sorted.sort();
        assert_eq!(sorted, Strategy::be(&context, length).unwrap().tests().collect::<Vec<_>>());
    }
    let error = Strategy::linear(&calls(12), 2, 9).unwrap_err().to_string();
    assert!(error.contains("the divisor 3 in common"), "{error}");
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
        let list = Strategy::listed(&context, whole.tests().take(150)).unwrap();
        for strategy in [whole, sample, tree, list] {
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

/// How far the frequencies of calls at each position are from equal, in standard deviations of the chi-squared: the worst position,
/// and the worst pair of positions next to each other or at the two ends.
fn worst_position(tests: impl Iterator<Item = Test>, j: usize, length: usize) -> (usize, f64) {
    let mut counts = vec![vec![0u32; j]; length];
    // The last pair is that of the ends.
    let mut pairs = vec![vec![0u32; j * j]; length];
    for test in tests {
        for (i, call) in test.calls().iter().enumerate() {
            let next = test.calls()[(i + 1) % length] as usize;
            counts[i][*call as usize] += 1;
            pairs[i][*call as usize * j + next] += 1;
        }
    }
    // There have to be a few tests for each pair.
    let pairs = if j <= 10 { &pairs[..] } else { &[] };
    let deviations = counts.iter().enumerate().chain(pairs.iter().enumerate());
    let deviations = deviations.map(|(position, counts)| (position, unevenness(counts)));
    deviations.max_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
}

/// The published generator stops varying late calls when there are many tests. Ours varies each position equally, and
/// each pair of neighbours, in the first two thousand tests of spaces of 10^5 to 10^500 tests.
#[test]
fn no_position_stands_still_at_any_size() {
    for j in [7, 10, 57] {
        for length in [6, 8, 12, 22, 23, 64, 300] {
            let context = calls(j);
            let tests = Strategy::bobw(&context, length, 1).unwrap();
            let (position, deviation) = worst_position(tests.tests().take(2000), j as usize, length);
            assert!(deviation < 7.0, "j {j}, length {length}: position {position} is off by {deviation}");
        }
    }
}

/// The same statistic condemns what the paper did: adding a large prime to the index.
#[test]
fn the_statistic_sees_the_published_generator_stand_still() {
    let context = calls(10);
    let length = 16;
    let published = Strategy::linear(&context, length, 1_000_000_007).unwrap();
    let (position, deviation) = worst_position(published.tests().take(3000), 10, length);
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
fn lists_have_no_tests_of_other_contexts() {
    let small = calls(3);
    let tests = Strategy::be(&calls(4), 1).unwrap().tests().collect::<Vec<_>>();
    let error = Strategy::listed(&small, tests).unwrap_err();
    assert_eq!(error.to_string(), "there is no call 3: distinct calls are numbered from 0 to 3 - 1");
    assert!(
        Strategy::listed(&small, [Test::default()])
            .unwrap_err()
            .to_string()
            .contains("leave empty tests out")
    );
    assert_eq!(Strategy::listed(&small, []).unwrap().tests().count(), 0);
}

/// Over many seeds, every test is equally often the first, in spaces of any small size, and so is every pair.
#[test]
fn no_test_is_preferred_in_small_spaces() {
    for j in (2..=10).chain([16, 17, 31, 57]) {
        let context = calls(j);
        let size = j as usize;
        let (mut first, mut pairs) = (vec![0; size], vec![0; size * size]);
        for seed in 0..4000 {
            let tests: Vec<Test> = Strategy::bobw(&context, 1, seed).unwrap().tests().take(2).collect();
            let [a, b] = [0, 1].map(|i| tests[i].calls()[0] as usize);
            first[a] += 1;
            pairs[a * size + b] += 1;
        }
        assert!(unevenness(&first) < 5.0, "{j} {first:?}");
        let pairs: Vec<u32> = (0..size * size).filter(|i| i / size != i % size).map(|i| pairs[i]).collect();
        if size > 2 {
            assert!(unevenness(&pairs) < 5.0, "{j} {pairs:?}");
        }
    }
}

/// In decimal it would have 175,588 digits.
#[test]
fn indices_have_any_size() {
    let (context, length) = (calls(57), 100_000);
    let test = Strategy::random(&context, length, 1, 7).unwrap().tests().next().unwrap();
    let index = context.index_of(&test);
    assert!(index.bits() > 580_000);
    assert_eq!(context.test_at(length, &index).unwrap(), test);
    let error = context.test_at(length, &context.tests(length)).unwrap_err().to_string();
    let expected =
        "there is no test 3.059e175587: tests of length 100000 are numbered from 0 to 3.059e175587 - 1";
    assert_eq!(error, expected);
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
