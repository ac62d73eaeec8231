//! An entry that is inserted where one was removed.

use intmap::{Entry, IntMap};
use proptest::prelude::any;

compared! {
    #[smallscope::test(scope = 4)]
    fn(first: u8 = any::<u8>(), second: u8 = any::<u8>(), key: u8 = any::<u8>()) {
        let mut map = IntMap::new();
        map.insert(first, 1);
        map.insert(second, 2);
        map.remove(first);
        map.remove(second);
        if let Entry::Vacant(entry) = map.entry(key) {
            entry.insert(3);
        }
        assert_eq!(map.get(key), Some(&3));
    }
}
