//! A list and a set (a strictly increasing list): the inputs of a conversion from one to the other.
//!
//! # Classes
//!
//! A conversion may treat lists differently that are empty, have repetitions, or are sorted, and those that come with a set
//! already: these four predicates are the classes. `eq_class` reads the whole list, and of the set only whether a node
//! follows its header. Pruned by class, the published algorithm explores:
//!
//! | arguments | explored | valid | classes |
//! |---|---|---|---|
//! | 2,3,3 | 185 | 26 | 8 |
//! | 4,3,3 | 211 | 26 | 8 |
//! | 4,4,3 | 679 | 80 | 10 |
//! | 5,5,4 | 6,798 | 682 | 10 |
//! | 5,5,5 | 16,369 | 1,562 | 10 |
//! | 7,7,6 | 1,453,804 | 111,974 | 10 |
//!
//! These are the figures of Aguirre et al., TAP 2011 (`class_counts.tsv`).
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | list-as-set | 2,3,3 | 1,121 | 91 | TAP table of lists as sets |
//! | list-as-set | 4,3,3 | 1,485 | 91 | TAP table of lists as sets |
//! | list-as-set | 4,4,3 | 14,679 | 320 | TAP table of lists as sets |
//! | list-as-set | 5,5,4 | 1,274,977 | 5,456 | TAP table of lists as sets |
//! | list-as-set | 5,5,5 | 6,692,357 | 24,211 | TAP table of lists as sets |

use crate::int_list::IntList;
use smallscope::classes::ClassSet;
use smallscope::{Bounded, Bounds, classes, eq_class, rep_ok};

/// A list and a set that share no nodes.
#[derive(Bounded, Debug, Clone)]
pub struct ListAsSet {
    #[bounded(pool = "list")]
    list: IntList,
    #[bounded(pool = "set")]
    set: IntList,
}

#[rep_ok]
impl ListAsSet {
    /// Two lists, of which the second increases strictly.
    pub fn rep_ok(&self) -> bool {
        self.list.is_list() && self.set.is_list() && self.set.is_increasing()
    }
}

#[eq_class]
impl ListAsSet {
    /// The cases that a conversion may treat differently: repetitions and order in the list, and whether there is a set
    /// already.
    pub fn eq_class(&self) -> ClassSet {
        classes![
            empty => self.list.ends_at_header(),
            repeats => self.list.repeats(),
            sorted => self.list.is_sorted(),
            set_empty => self.set.ends_at_header(),
        ]
    }
}

impl ListAsSet {
    /// A list next to the empty set.
    pub fn new(list: IntList) -> Self {
        ListAsSet { list, set: IntList::new() }
    }

    /// The list.
    pub fn list(&self) -> &IntList {
        &self.list
    }

    /// The set, as an increasing list.
    pub fn set(&self) -> &IntList {
        &self.set
    }

    /// Replaces the set by that of the list's elements.
    pub fn list_to_set(&mut self) {
        self.set = self.list.to_set();
    }

    /// Whether the set is that of the list's elements.
    pub fn is_list_as_set(&self) -> bool {
        self.list_is_within_set() && self.set_is_within_list()
    }

    /// Whether every element of the list is in the set.
    pub fn list_is_within_set(&self) -> bool {
        self.list.iter().all(|element| self.set_contains(element))
    }

    /// Whether every element of the set is in the list.
    pub fn set_is_within_list(&self) -> bool {
        self.set.iter().all(|element| self.list.contains(element))
    }

    /// Whether an element is in the set. Stops where the elements get larger.
    pub fn set_contains(&self, element: u32) -> bool {
        self.set.iter().take_while(|e| *e <= element).any(|e| e == element)
    }
}

/// Sizes up to `max_size`, `nodes` nodes for each list (the header is one), elements from 1 to `elements`.
pub fn bounds(max_size: i64, nodes: i64, elements: i64) -> Bounds {
    Bounds::exact()
        .objects("Node", nodes as u32)
        .ints("IntList.size", 0..=max_size)
        .ints("Node.element", 1..=elements)
}
