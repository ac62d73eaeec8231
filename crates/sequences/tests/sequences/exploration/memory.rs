//! Runs stop before they exhaust the memory.
#![cfg(target_os = "linux")]

use super::*;
use smallscope_sequences::{Campaign, Traversal, Watch, Which};

/// More states than can be explored.
fn endless() -> Context {
    let keys: Vec<i32> = (0..16).collect();
    map(1, &keys).build().unwrap()
}

#[test]
fn explorations_stop_at_their_memory_limit_and_say_what_they_covered() {
    let context = endless();
    // Less than any process has.
    let limited = Campaign { memory: Some(1 << 20), max_states: Some(u64::MAX), ..Campaign::default() };
    for (order, threads) in [(Traversal::Breadth, 1), (Traversal::Breadth, 2), (Traversal::Depth, 1)] {
        let campaign = Campaign { order, threads: Some(threads), ..limited.clone() };
        let found = campaign.run(&context, &Watch::default()).unwrap();
        assert_eq!(found.stop(), Stop::LimitReached(Limit::Memory));
        let text = found.covered();
        assert!(text.starts_with("stopped by the memory limit, after "), "{text}");
        if order == Traversal::Breadth {
            assert!(text.contains(": sequences of up to "), "{text}");
            assert!(text.contains(" are covered exhaustively, of "), "{text}");
        }
        assert!(text.contains("; this process has "), "{text}");
        assert!(
            text.contains(" in memory, and the limit is 1.0 MB: raise the limit with `memory = "),
            "{text}"
        );
    }
    let found = Explorer::new(&context).memory(1 << 20).explore().unwrap();
    // What is said to be covered is.
    let part = Explorer::new(&context).max_length(found.whole_length).explore().unwrap();
    assert_eq!((part.stop, part.whole_length), (Stop::Exhausted, found.whole_length));
    assert_eq!(found.levels[..part.levels.len()], part.levels);
}

#[test]
fn kept_sequences_need_room_as_well() {
    let context = endless();
    let resident = smallscope_support::memory::resident().unwrap();
    for threads in [1, 2] {
        // Other tests of this process have memory, too: either limit may be the first.
        let found = Explorer::new(&context).threads(threads).keep_sequences().memory(resident + (8 << 20));
        let found = found.explore().unwrap();
        assert_eq!(found.stop, Stop::LimitReached(Limit::Memory));
        assert_eq!(found.sequences.len() as u64, found.states - 1);
        assert!(found.bytes < 8 << 20, "{found}");
    }
}

#[test]
fn lists_of_tests_stop_at_their_memory_limit() {
    let context = endless();
    for threads in [1, 2] {
        let budget = Some(std::time::Duration::from_secs(60));
        let limited = Campaign {
            which: Which::Bobw,
            length: Some(50),
            memory: Some(1 << 20),
            threads: Some(threads),
            budget,
            ..Campaign::default()
        };
        let found = limited.run(&context, &Watch::default()).unwrap();
        assert_eq!(found.stop(), Stop::LimitReached(Limit::Memory));
        assert!(found.next().is_some());
        let text = found.covered();
        assert!(text.contains(", stopped by the memory limit; this process has "), "{text}");
    }
}
