//! Long vectors and strings, whose elements are filled, after the scopes.

use super::tree::{Scratch, check};
use smallscope::testing::Origin;
use smallscope::{Bounded, Bounds, Report, rep_ok};
use std::collections::HashSet;

/// A set of small numbers that changes its representation: up to 64 elements in place, then on the heap.
#[derive(Clone)]
enum SmallVec {
    Inline([u8; 64], usize),
    Heap(Vec<u8>),
}

impl SmallVec {
    fn new() -> SmallVec {
        SmallVec::Inline([0; 64], 0)
    }

    /// Moves to the heap, and forgets the element for which there was no place.
    fn push(&mut self, item: u8) {
        match self {
            SmallVec::Inline(items, len) if *len < 64 => {
                items[*len] = item;
                *len += 1;
            }
            SmallVec::Inline(items, _) => *self = SmallVec::Heap(items.to_vec()),
            SmallVec::Heap(items) => items.push(item),
        }
    }

    fn as_slice(&self) -> &[u8] {
        match self {
            SmallVec::Inline(items, len) => &items[..*len],
            SmallVec::Heap(items) => items,
        }
    }
}

fn keeps_all(items: &Vec<u8>) {
    let mut small = SmallVec::new();
    items.iter().for_each(|item| small.push(*item));
    assert_eq!(small.as_slice().len(), items.len(), "an element is lost");
    assert!(small.as_slice() == items);
}

fn long() -> Bounds {
    Bounds::scope(2).len("input.value", 0..=3).filled("input.value", 64..=65).filled("input.value", [200])
}

fn filled(report: &Report) -> &smallscope::testing::Filled {
    report.filled.as_ref().unwrap_or_else(|| panic!("{report}"))
}

#[test]
fn a_change_of_representation_is_found_recorded_and_replayed() {
    assert!(check("keeps", Bounds::scope(3)).run(keeps_all).is_exhaustive());
    let dir = Scratch::new("filled");
    let run = || check("keeps", long()).record_in(dir.path()).run(keeps_all);
    let report = run();
    let failure = report.failure().unwrap_or_else(|| panic!("65 elements are one too many: {report}"));
    assert!(matches!(failure.origin, Origin::Filled { number: 2, .. }), "{report}");
    assert!(failure.replay.starts_with("filled0:2:") && failure.replay.len() < 60, "{}", failure.replay);
    let text = report.to_string();
    let found =
        "found:    value 2 of those with long lengths; elements are filled, each with its first value\n";
    assert!(text.contains(found), "{text}");
    // Scope 2 has two numbers and, in all, 1 + 2 + 4 + 8 vectors.
    assert!(text.contains("covered:  scopes 0 to 2 are covered exhaustively: 15 values"), "{text}");
    let again = run();
    assert!(matches!(again.failure().unwrap().origin, Origin::Record(_)), "{again}");
    let replayed =
        check("keeps", long()).environment([("SMALLSCOPE_REPLAY", &failure.replay)]).run(keeps_all);
    assert!(matches!(replayed.failure().unwrap().origin, Origin::Replay), "{replayed}");
}

#[test]
fn the_report_tells_what_is_exhaustive_from_what_is_filled() {
    let mut all = vec![];
    let report = check("all", long()).run(|items: &Vec<u8>| all.push(items.clone()));
    assert!(report.is_exhaustive(), "{report}");
    assert_eq!(report.tested, 15);
    // Five rules and three seeds, with each of three lengths.
    assert_eq!(filled(&report).tested, 24, "{report}");
    assert_eq!(all.len(), 15 + 24);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 15 + 24, "each value comes once");
    let text = filled(&report).to_string();
    assert_eq!(
        text,
        "filled: 24 values with long lengths, 64, 65, 200 of `input.value`; some of them only: elements are filled by rules and \
         at random (seed 0)"
    );
    assert!(report.to_string().contains(&text), "{report}");
}

#[test]
fn seeds_choose_the_random_elements() {
    let of = |seed: u64| {
        let mut all = vec![];
        check("seeds", long()).seed(seed).run(|items: &Vec<u8>| all.push(items.clone()));
        all
    };
    assert_eq!(of(7), of(7));
    assert_ne!(of(7), of(70));
}

#[derive(Bounded, Debug, Clone)]
struct Sorted {
    len: usize,
    #[bounded(len = [0..=2, 40..=41])]
    items: Vec<Item>,
}

#[derive(Bounded, Debug, Clone, Copy, PartialEq)]
struct Item {
    key: u8,
}

#[rep_ok]
impl Sorted {
    fn rep_ok(&self) -> bool {
        self.len == self.items.len() && self.items.windows(2).all(|pair| pair[0].key <= pair[1].key)
    }
}

#[test]
fn invariants_hold_on_filled_values() {
    let mut lengths = vec![];
    let report = check("sorted", Bounds::scope(2)).run(|sorted: &Sorted| {
        assert!(sorted.rep_ok());
        lengths.push((sorted.items.len(), sorted.items.iter().map(|item| item.key).sum::<u8>()));
    });
    assert!(report.is_exhaustive(), "{report}");
    // Sorted vectors of up to two of two numbers.
    assert_eq!(report.tested, 1 + 2 + 3, "{report}");
    // Each first, each last, and ascending; the counter can count 40 and 41.
    assert_eq!(lengths[6..], [(40, 0), (41, 0), (40, 40), (41, 41), (40, 39), (41, 40)], "{report}");
}

#[test]
fn other_arguments_are_exhaustive_beside_long_ones() {
    let bounds = Bounds::scope(3).arguments(&["text", "position"]).filled("text", [100]);
    let mut positions = HashSet::new();
    let report = check("both", bounds).run(|text: String, position: u8| {
        if text.chars().count() == 100 {
            positions.insert(position);
        }
    });
    assert_eq!(positions, HashSet::from([0, 1, 2]), "{report}");
    assert_eq!(filled(&report).tested, 8 * 3, "{report}");
}

#[test]
fn what_is_not_tried_is_said() {
    let cut = check("cut", long()).max(3).run(|_: &Vec<u8>| {});
    assert!(filled(&cut).to_string().contains("none was tried, because the search was"), "{cut}");
    let rejected = check(
        "rejected",
        Bounds::scope(2).len("Sorted.items", 0..=1).filled("Sorted.items", [9]).ints("Sorted.len", 0..=1),
    );
    let report = rejected.run(|_: &Sorted| {});
    assert!(filled(&report).to_string().contains("; the invariant rejects "), "{report}");
}

#[test]
fn a_size_counts_what_is_searched_and_is_a_scope_beside_long_lengths() {
    let bounds = Bounds::size(2).arguments(&["items", "name"]).filled("items", [9]).alphabet("name", "a");
    let mut all = HashSet::new();
    let run = |body: &mut dyn FnMut(Vec<u8>, String)| {
        check("sized", bounds.clone()).run(|items: Vec<u8>, name: String| body(items, name))
    };
    let report = run(&mut |items, name| assert!(all.insert((items, name))));
    assert!(report.is_exhaustive(), "{report}");
    // One vector and one name, and 2 elements or characters together: 1 + (2 + 1) + (4 + 2 + 1).
    assert_eq!(report.tested, 11, "{report}");
    assert!(report.to_string().contains("sizes 0 to 2 are covered exhaustively: 11 values"), "{report}");
    // With nine elements, each name of scope 2: of up to two characters.
    let (short, long): (Vec<_>, Vec<_>) = all.iter().partition(|(items, _)| items.len() < 9);
    assert!(short.iter().all(|(items, name)| items.len() + name.len() <= 2));
    assert_eq!((short.len(), long.len() as u64), (11, filled(&report).tested));
    assert_eq!(long.iter().map(|(_, name)| name.len()).collect::<HashSet<_>>(), HashSet::from([0, 1, 2]));
    // Five rules and three seeds, with three names each.
    assert_eq!(filled(&report).tested, 8 * 3, "{report}");
    let failed = run(&mut |items, name| assert!(items.len() < 9 || name.len() < 2));
    let replay = &failed.failure().unwrap().replay;
    let again = check("sized", bounds.clone())
        .environment([("SMALLSCOPE_REPLAY", replay)])
        .run(|items: Vec<u8>, name: String| assert!(items.len() < 9 || name.len() < 2));
    assert!(matches!(again.failure().unwrap().origin, Origin::Replay), "{again}");
}

#[smallscope::test(scope = 2, len(items = [0..=2, 63..=64]))]
fn the_attribute_gives_lengths_with_gaps(items: Vec<u8>) {
    keeps_all(&items);
}

#[test]
fn thousands_of_elements_are_filled() {
    let bounds = Bounds::scope(1).filled("input.value", [4097]);
    let report = check("many", bounds).run(|items: &Vec<u8>| assert!(items.len() < 4097));
    let failure = report.failure().unwrap();
    assert_eq!(failure.replay.split('@').next(), Some("filled0:1:2.0*4097"));
    assert!(report.to_string().contains(" bytes ..] "), "{report}");
    assert!(report.to_string().len() < 10_000, "{}", report.to_string().len());
}
