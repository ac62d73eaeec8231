//! A slab that is collected from pairs.

use proptest::collection::vec;
use slab::Slab;
use std::collections::BTreeMap;

type Pair = (u8, u8);

compared! {
    #[smallscope::test(scope = 4)]
    fn(pairs: Vec<Pair> = vec((0..8u8, 0..8u8), 0..8), inserted: Vec<u8> = vec(0..8u8, 0..8)) {
        let pairs = pairs.into_iter().map(|(key, value)| (usize::from(key), value));
        let mut model: BTreeMap<usize, u8> = pairs.clone().collect();
        let mut slab: Slab<u8> = pairs.collect();
        for value in inserted {
            assert_eq!(model.insert(slab.insert(value), value), None);
        }
        assert!(slab.iter().eq(model.iter().map(|(key, value)| (*key, value))));
    }
}
