//! A map that is made smaller.

use hashlink::LinkedHashMap;
use proptest::collection::vec;
use proptest::prelude::any;
use std::collections::BTreeSet;

compared! {
    #[smallscope::test(scope = 4)]
    fn(keys: Vec<u8> = vec(any::<u8>(), 0..20), least: u8 = any::<u8>()) {
        let model: BTreeSet<u8> = keys.iter().copied().filter(|key| *key >= least).collect();
        let mut map: LinkedHashMap<u8, u8> = keys.into_iter().map(|key| (key, key)).collect();
        map.retain(|key, _| *key >= least);
        map.shrink_to_fit();
        assert_eq!(map.len(), model.len());
        assert!(model.iter().all(|key| map.get(key) == Some(key)));
    }
}
