//! Generators written by hand, for one structure each, by an author who knows the invariant. They make owned values as
//! a test would get them, drop them, and return how many there were.

use std::hint::black_box;

struct Tree {
    root: Option<Box<Node>>,
    size: usize,
}

#[allow(dead_code)]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
    info: u8,
}

/// Search trees of up to `nodes` nodes with keys below `keys`: each set of keys with each shape.
pub fn search_trees(nodes: usize, keys: u8) -> u64 {
    // The number of shapes by the number of nodes.
    let mut shapes = vec![1u64];
    for n in 1..=nodes {
        shapes.push((0..n).map(|left| shapes[left] * shapes[n - 1 - left]).sum());
    }
    let mut values = 0;
    for set in 0..1u32 << keys {
        let chosen: Vec<u8> = (0..keys).filter(|key| set >> key & 1 == 1).collect();
        if chosen.len() > nodes {
            continue;
        }
        for number in 0..shapes[chosen.len()] {
            let tree = Tree { root: shape(&shapes, number, &chosen), size: chosen.len() };
            values += 1;
            let tree = black_box(tree);
            assert!(tree.root.is_some() == (tree.size > 0));
        }
    }
    values
}

/// The tree with these keys whose shape has this number.
fn shape(shapes: &[u64], mut number: u64, keys: &[u8]) -> Option<Box<Node>> {
    let mut root = 0;
    loop {
        let below = keys.len().checked_sub(root + 1)?;
        let count = shapes[root] * shapes[below];
        if number < count {
            return Some(Box::new(Node {
                left: shape(shapes, number / shapes[below], &keys[..root]),
                right: shape(shapes, number % shapes[below], &keys[root + 1..]),
                info: keys[root],
            }));
        }
        number -= count;
        root += 1;
    }
}

struct Entry {
    element: Option<u32>,
    next: *mut Entry,
    previous: *mut Entry,
}

/// Lists of `size` elements from 1 to `most` in order. The entries are boxes that point to each other; the vector that owns
/// them is used again for the next list, they are not.
pub fn sorted_lists(size: usize, most: u32) -> u64 {
    let nowhere = std::ptr::null_mut();
    let mut elements = vec![1; size];
    let mut entries: Vec<Box<Entry>> = Vec::with_capacity(size + 1);
    let mut values = 0;
    loop {
        let all = std::iter::once(None).chain(elements.iter().map(|&element| Some(element)));
        for element in all {
            let last = entries.last_mut().map_or(nowhere, |last| &raw mut **last);
            let mut entry = Box::new(Entry { element, next: nowhere, previous: last });
            if let Some(last) = entries.last_mut() {
                last.next = &raw mut *entry;
            }
            entries.push(entry);
        }
        let (first, last) = (&raw mut *entries[0], &raw mut *entries[size]);
        (entries[0].previous, entries[size].next) = (last, first);
        let header = black_box(&entries[0]);
        assert!(header.element.is_none() && header.next != header.previous || size < 2);
        entries.clear();
        values += 1;
        let Some(i) = elements.iter().rposition(|&e| e < most) else { return values };
        let next = elements[i] + 1;
        elements[i..].fill(next);
    }
}

struct Heap {
    size: usize,
    array: Vec<Option<u8>>,
}

/// Heaps of up to `length` elements, each at most `most`, with room for up to `length`.
pub fn heap_arrays(length: usize, most: u8) -> u64 {
    let mut values = 0;
    for size in 0..=length {
        let mut elements = vec![0; size];
        loop {
            for room in size..=length {
                let mut array = Vec::with_capacity(room);
                array.extend(elements.iter().map(|&e| Some(e)));
                array.resize(room, None);
                let heap = black_box(Heap { size, array });
                assert!(heap.size <= heap.array.len());
                values += 1;
            }
            // The next heap: the last element that can grow does, those behind it start again.
            let room = |i: usize| if i == 0 { most } else { elements[(i - 1) / 2] };
            let Some(i) = (0..size).rev().find(|&i| elements[i] < room(i)) else { break };
            elements[i] += 1;
            elements[i + 1..].fill(0);
        }
    }
    values
}
