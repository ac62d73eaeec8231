//! The gaps between the ranges of a map.

use proptest::collection::vec;
use proptest::prelude::any;
use rangemap::RangeMap;

type Entry = (u8, u8, bool);

compared! {
    #[smallscope::test(scope = 3)]
    fn(entries: Vec<Entry> = vec((0..8u8, 0..8u8, any::<bool>()), 0..5), start: u8 = 0..8u8, end: u8 = 0..8u8) {
        let mut map = RangeMap::new();
        for (start, end, value) in entries.into_iter().filter(|(start, end, _)| start < end) {
            map.insert(start..end, value);
        }
        if start < end {
            let gaps: Vec<u8> = map.gaps(&(start..end)).flat_map(|gap| { assert!(!gap.is_empty()); gap }).collect();
            let expected: Vec<u8> = (start..end).filter(|at| map.get(at).is_none()).collect();
            assert_eq!(gaps, expected);
        }
    }
}
