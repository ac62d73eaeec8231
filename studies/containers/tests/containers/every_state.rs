//! Short sequences of calls reach only small states. Here the engine builds every valid state within bounds, and every
//! call that changes it is compared with a model.

use smallscope::{Bounds, all};
use smallscope_containers::{Deque, PriorityQueue, TreeMap};
use std::collections::{BTreeMap, VecDeque};

/// With six elements and not before, one that is moved into a gap may have to go up.
#[test]
fn priority_queue() {
    let bounds = Bounds::exact().len("PriorityQueue.heap", 0..=7).ints("PriorityQueue.heap", 0..=3);
    let sorted = |queue: &PriorityQueue<u8>| {
        let mut items: Vec<u8> = queue.iter().copied().collect();
        items.sort_unstable();
        items
    };
    let mut count = 0;
    for queue in all::<PriorityQueue<u8>>(bounds) {
        count += 1;
        let before = sorted(&queue);
        for item in 0..4 {
            let (mut longer, mut shorter, mut same) = (queue.clone(), queue.clone(), queue.clone());
            longer.add(item);
            let mut model = before.clone();
            model.push(item);
            model.sort_unstable();
            assert!(longer.rep_ok() && sorted(&longer) == model, "{queue:?} and {item}");

            assert_eq!(same.add_and_poll(item), model[0]);
            assert!(same.rep_ok() && sorted(&same) == model[1..], "{queue:?} through {item}");

            let place = before.iter().position(|other| *other == item);
            assert_eq!(shorter.remove(&item), place.is_some());
            let mut model = before.clone();
            place.map(|place| model.remove(place));
            assert!(shorter.rep_ok() && sorted(&shorter) == model, "{queue:?} without {item}");
        }
    }
    assert!(count > 1_000, "{count}");
}

#[test]
fn tree_map() {
    let bounds = Bounds::exact()
        .len("TreeMap.nodes", 0..=6)
        .ints("Node.key", 0..=7)
        .ints("Node.value", [0])
        .objects("Node", 6);
    let mut count = 0;
    for map in all::<TreeMap<u8, u8>>(bounds) {
        count += 1;
        let model: BTreeMap<u8, u8> = map.iter().map(|(key, value)| (*key, *value)).collect();
        for key in 0..8 {
            let (mut with, mut model_with) = (map.clone(), model.clone());
            assert_eq!(with.insert(key, 1), model_with.insert(key, 1));
            assert!(with.rep_ok() && with.iter().eq(&model_with), "{map:?} and {key}");
            let (mut without, mut model_without) = (map.clone(), model.clone());
            assert_eq!(without.remove(&key), model_without.remove(&key));
            assert!(without.rep_ok() && without.iter().eq(&model_without), "{map:?} without {key}");
        }
    }
    assert!(count > 500, "{count}");
}

#[derive(Clone, Copy, Debug)]
enum Call {
    PushBack,
    PushFront,
    PopBack,
    PopFront,
}

#[test]
fn deque() {
    let bounds = Bounds::exact()
        .len("Deque.slots", [0, 1, 2, 4])
        .ints("Deque.slots", 0..=1)
        .ints("Deque.head", 0..=3)
        .ints("Deque.size", 0..=4);
    for deque in all::<Deque<u8>>(bounds) {
        let model: VecDeque<u8> = deque.iter().copied().collect();
        for call in [Call::PushBack, Call::PushFront, Call::PopBack, Call::PopFront] {
            let (mut next, mut next_model) = (deque.clone(), model.clone());
            match call {
                Call::PushBack => {
                    next.push_back(7);
                    next_model.push_back(7);
                }
                Call::PushFront => {
                    next.push_front(7);
                    next_model.push_front(7);
                }
                Call::PopBack => assert_eq!(next.pop_back(), next_model.pop_back()),
                Call::PopFront => assert_eq!(next.pop_front(), next_model.pop_front()),
            }
            assert!(next.rep_ok() && next.iter().eq(&next_model), "{next:?} by {call:?} from {deque:?}");
        }
        for count in 0..=model.len() {
            let (mut next, mut next_model) = (deque.clone(), model.clone());
            next.rotate_left(count);
            next_model.rotate_left(count);
            assert!(next.rep_ok() && next.iter().eq(&next_model), "{deque:?} rotated by {count}");
        }
    }
}
