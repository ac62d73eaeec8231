//! Types drawn at random from the grammar of fields.

use super::compare_all;
use smallscope::Key;
use smallscope::structures::Product;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

compare_all! {
    random_types_0: Vec<Cell<(Key, Key)>>,
        Box<BTreeSet<(u8, Key, bool)>>,
        BTreeMap<(Key, bool, Key), Key>,
        HashSet<(Key, u8)>,
        RefCell<(HashSet<Key>, HashSet<Key>)>,
        Vec<RefCell<HashSet<BTreeSet<Key>>>>,
        BTreeMap<Key, (u8, Option<Key>)>,
        HashMap<Option<Key>, Key>,
        Box<(Option<Key>, (Key, Key))>,
        BTreeMap<BTreeSet<bool>, Option<Key>>,
        [[Option<Key>; 2]; 2],
        Vec<RefCell<HashSet<Key>>>;
    random_types_1: RefCell<Vec<Vec<Key>>>,
        [Cell<(Key, bool)>; 2],
        BTreeMap<bool, (Key, Key)>,
        HashSet<Option<Key>>,
        BTreeMap<(Key, u8), Option<bool>>,
        (BTreeSet<Key>, (Key, Key, Key), Key),
        BTreeMap<Key, (Key, Key, bool)>,
        [HashMap<Option<Key>, Key>; 2],
        RefCell<(HashSet<bool>, (bool, Key), bool)>,
        Option<HashMap<(Key, Key, Key), Key>>,
        BTreeMap<Key, HashMap<Key, Key>>,
        BTreeMap<Key, Option<(Key, Key)>>;
}
