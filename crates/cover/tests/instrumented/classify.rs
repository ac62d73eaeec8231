//! Built with `-C instrument-coverage`, unlike the module that reads the counters. `tests/reading.rs` does it.

use llvm::LlvmCounters;

#[inline(never)]
fn classify(n: u32) -> &'static str {
    if n == 0 {
        "zero"
    } else if n.is_multiple_of(2) {
        "even"
    } else {
        "odd"
    }
}

/// What a call reaches that none before it has reached.
fn reached(counters: &mut LlvmCounters, n: u32) -> Vec<usize> {
    counters.discard();
    classify(n);
    counters.collect().to_vec()
}

fn main() {
    classify(1);
    let mut counters = LlvmCounters::new().expect("there are counters");
    assert!(counters.total() > 5, "{counters:?}");
    let odd = reached(&mut counters, 7);
    assert!(!odd.is_empty(), "what was counted before does not count");
    assert_eq!(reached(&mut counters, 9), []);
    // What is discarded is found when it is reached again.
    classify(4);
    let even = reached(&mut counters, 4);
    assert!(!even.is_empty() && even.iter().all(|number| !odd.contains(number)));
    let zero = reached(&mut counters, 0);
    assert!(!zero.is_empty() && zero.iter().all(|number| !odd.contains(number) && !even.contains(number)));
    for n in 0..5 {
        assert_eq!(reached(&mut counters, n), []);
    }
    assert_eq!(counters.covered(), odd.len() + even.len() + zero.len());
    let mut others = LlvmCounters::new().expect("there are counters");
    assert!(zero.iter().all(|number| reached(&mut others.clone(), 0).contains(number)));
    assert_eq!(reached(&mut others, 1), odd);
    println!("{} of {} counters", counters.covered(), counters.total());
}
