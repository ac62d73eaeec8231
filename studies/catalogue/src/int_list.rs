//! Singly linked lists of integers with a header node: a part of composite inputs.
//!
//! # Exact counts
//!
//! | structure | arguments | explored | valid | source |
//! |---|---|---|---|---|
//! | int-list | 3,0,2,6 | 70 | 43 | STVR tables IV and V, as a sum with avl-tree |
//! | int-list | 4,0,3,6 | 339 | 259 | STVR tables IV and V, as a sum with avl-tree |
//! | int-list | 5,0,4,6 | 1,907 | 1,555 | STVR tables IV and V, as a sum with avl-tree |
//! | int-list | 6,0,5,6 | 11,254 | 9,331 | STVR tables IV and V, as a sum with avl-tree |
//! | int-list | 7,0,6,6 | 67,260 | 55,987 | STVR tables IV and V, as a sum with avl-tree |
//! | int-list | 8,0,7,6 | 403,205 | 335,923 | STVR tables IV and V, as a sum with avl-tree |
//! | int-list | 9,0,8,6 | 2,418,769 | 2,015,539 | STVR tables IV and V, as a sum with avl-tree |
//! | int-list | 7,0,6,9 | 672,684 | 597,871 | STVR tables IV and V, as a sum with avl-tree |
//! | int-list | 7,0,6,2 | 320 | 127 | STVR tables IV and V, as a sum with avl-tree |
//! | int-list | 7,0,6,3 | 1,710 | 1,093 | STVR tables IV and V, as a sum with avl-tree |
//! | int-list | 7,0,6,4 | 7,354 | 5,461 | STVR tables IV and V, as a sum with avl-tree |
//! | int-list | 7,0,6,5 | 24,488 | 19,531 | STVR tables IV and V, as a sum with avl-tree |
//! | int-list | 7,0,6,7 | 160,210 | 137,257 | STVR tables IV and V, as a sum with avl-tree |
//! | int-list | 7,0,6,8 | 342,470 | 299,593 | STVR tables IV and V, as a sum with avl-tree |

use smallscope::{Bounded, Bounds, Visited, mirror, rep_ok};

/// A list. The header has no element.
#[derive(Bounded, Debug, Clone)]
pub struct IntList {
    header: Option<Box<Node>>,
    size: usize,
}

#[derive(Bounded, Debug, Clone)]
struct Node {
    element: Option<u32>,
    next: Option<Box<Node>>,
}

#[mirror]
impl IntList {
    /// A header without element, then `size` nodes with one each; reads elements on the way.
    pub fn is_list(&self) -> bool {
        let Some(header) = &self.header else { return false };
        if header.element.is_some() {
            return false;
        }
        let mut seen = Visited::new();
        seen.insert(&**header);
        let mut current = &**header;
        while let Some(next) = &current.next {
            if next.element.is_none() || !seen.insert(&**next) {
                return false;
            }
            current = next;
        }
        seen.len() - 1 == self.size
    }

    /// The same, but reads elements after the shape.
    pub fn is_list_shape_first(&self) -> bool {
        let Some(header) = &self.header else { return false };
        if header.element.is_some() {
            return false;
        }
        let mut seen = Visited::new();
        seen.insert(&**header);
        let mut current = &**header;
        while let Some(next) = &current.next {
            if !seen.insert(&**next) {
                return false;
            }
            current = next;
        }
        seen.len() - 1 == self.size && seen.iter().skip(1).all(|node| node.element.is_some())
    }

    /// Whether a list has no nodes behind its header. Reads nothing else.
    pub fn ends_at_header(&self) -> bool {
        self.header.as_ref().is_none_or(|header| header.next.is_none())
    }

    /// Whether a list contains an element twice.
    pub fn repeats(&self) -> bool {
        let mut elements = Vec::new();
        let mut current = self.header.as_deref().and_then(|header| header.next.as_deref());
        while let Some(node) = current {
            if elements.contains(&node.element) {
                return true;
            }
            elements.push(node.element);
            current = node.next.as_deref();
        }
        false
    }

    /// Whether no element of a list is smaller than the one before it.
    pub fn is_sorted(&self) -> bool {
        let mut last = None;
        let mut current = self.header.as_deref().and_then(|header| header.next.as_deref());
        while let Some(node) = current {
            if last.is_some_and(|last| node.element < last) {
                return false;
            }
            last = Some(node.element);
            current = node.next.as_deref();
        }
        true
    }

    /// Whether the elements of a list increase strictly.
    pub fn is_increasing(&self) -> bool {
        let mut last = None;
        let mut current = self.header.as_deref().and_then(|header| header.next.as_deref());
        while let Some(node) = current {
            if last.is_some_and(|last| node.element <= last) {
                return false;
            }
            last = Some(node.element);
            current = node.next.as_deref();
        }
        true
    }
}

impl IntList {
    /// The empty list.
    pub fn new() -> Self {
        IntList { header: Some(Box::new(Node { element: None, next: None })), size: 0 }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.size
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    /// The elements in order.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        let first = self.header.as_ref().and_then(|header| header.next.as_deref());
        std::iter::successors(first, |node| node.next.as_deref()).filter_map(|node| node.element)
    }

    /// Whether the list contains an element.
    pub fn contains(&self, element: u32) -> bool {
        self.iter().any(|e| e == element)
    }

    /// Inserts an element before the first one that is not smaller, unless that is equal. An increasing list then
    /// contains it once and still increases. Returns false if it was present.
    pub fn insert_increasing(&mut self, element: u32) -> bool {
        let mut at = self.first();
        while at.as_ref().is_some_and(|node| node.element < Some(element)) {
            at = &mut at.as_mut().expect("checked by the condition").next;
        }
        if at.as_ref().is_some_and(|node| node.element == Some(element)) {
            return false;
        }
        *at = Some(Box::new(Node { element: Some(element), next: at.take() }));
        self.size += 1;
        true
    }

    /// The same elements without repetition and in order.
    pub fn to_set(&self) -> IntList {
        let mut set = IntList::new();
        for element in self.iter() {
            set.insert_increasing(element);
        }
        set
    }

    /// The link to the first node behind the header.
    fn first(&mut self) -> &mut Option<Box<Node>> {
        &mut self.header.as_mut().expect("a list has a header").next
    }
}

impl Default for IntList {
    fn default() -> Self {
        IntList::new()
    }
}

impl FromIterator<u32> for IntList {
    fn from_iter<I: IntoIterator<Item = u32>>(elements: I) -> Self {
        let mut list = IntList::new();
        let mut size = 0;
        let mut at = list.first();
        for element in elements {
            at = &mut at.insert(Box::new(Node { element: Some(element), next: None })).next;
            size += 1;
        }
        list.size = size;
        list
    }
}

/// A list alone, as it is generated for combinations with a tree.
#[derive(Bounded, Debug, Clone)]
pub struct IntListInput {
    list: IntList,
}

#[rep_ok(IntList)]
impl IntListInput {
    /// A list.
    pub fn rep_ok(&self) -> bool {
        self.list.is_list_shape_first()
    }
}

/// At most `nodes` nodes, the header among them, a size in a range, elements from 1 to `elements`.
pub fn bounds(nodes: i64, min_size: i64, max_size: i64, elements: i64) -> Bounds {
    Bounds::exact()
        .objects("Node", nodes as u32)
        .ints("IntList.size", min_size..=max_size)
        .ints("Node.element", 1..=elements)
}
