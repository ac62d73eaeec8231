use smallscope_catalogue::binomial_heap::BinomialHeap;

fn sorted(heap: &BinomialHeap) -> Vec<u32> {
    let mut keys = heap.keys();
    keys.sort_unstable();
    keys
}

fn assert_is(heap: &BinomialHeap, mut expected: Vec<u32>) {
    expected.sort_unstable();
    assert!(heap.rep_ok(), "the heap is broken: {heap:?}");
    assert_eq!(heap.len(), expected.len());
    assert_eq!(heap.is_empty(), expected.is_empty());
    assert_eq!(heap.find_min(), expected.first().copied());
    assert_eq!(sorted(heap), expected);
}

fn take(keys: &mut Vec<u32>, key: u32) -> bool {
    let place = keys.iter().position(|k| *k == key);
    place.map(|place| keys.remove(place)).is_some()
}

#[smallscope::test(scope = 5, ints(Node.key = [1, 3, 5], key = 0..=6))]
fn contains_finds_the_keys_and_no_others(heap: BinomialHeap, key: u32) {
    assert_eq!(heap.contains(key), heap.keys().contains(&key));
}

#[smallscope::test(scope = 7, ints(Node.key = [1, 3], Node.degree = 0..=2, key = 0..=4))]
fn insert_adds_one_key(mut heap: BinomialHeap, key: u32) {
    let mut expected = heap.keys();
    expected.push(key);
    heap.insert(key);
    assert_is(&heap, expected);
}

#[smallscope::test(scope = 8, ints(Node.key = 0..=1, Node.degree = 0..=3))]
fn extract_min_takes_the_least_key_out(mut heap: BinomialHeap) {
    let mut expected = sorted(&heap);
    let least = (!expected.is_empty()).then(|| expected.remove(0));
    assert_eq!(heap.find_min(), least);
    assert_eq!(heap.extract_min(), least);
    assert_is(&heap, expected);
}

#[smallscope::test(scope = 4, ints(Node.key = 0..=2))]
fn merge_adds_all_keys(mut heap: BinomialHeap, other: BinomialHeap) {
    let expected = [heap.keys(), other.keys()].concat();
    heap.merge(other);
    assert_is(&heap, expected);
}

#[smallscope::test(scope = 4, ints(Node.key = [1, 3, 5], key = 0..=5, smaller = 0..=6))]
fn decrease_key_replaces_a_key(mut heap: BinomialHeap, key: u32, smaller: u32) {
    let mut expected = heap.keys();
    let is_possible = smaller <= key && take(&mut expected, key);
    expected.extend(is_possible.then_some(smaller));
    assert_eq!(heap.decrease_key(key, smaller), is_possible);
    assert_is(&heap, expected);
}

#[smallscope::test(scope = 8, ints(Node.key = [1, 3], Node.degree = 0..=3, key = 0..=4))]
fn delete_removes_one_key(mut heap: BinomialHeap, key: u32) {
    let mut expected = heap.keys();
    assert_eq!(heap.delete(key), take(&mut expected, key));
    assert_is(&heap, expected);
}

#[smallscope::test(scope = 5)]
fn what_was_inserted_is_extracted_in_order(keys: Vec<u32>) {
    let (mut heap, mut expected) = (BinomialHeap::default(), vec![]);
    for key in keys {
        heap.insert(key);
        expected.push(key);
        assert_is(&heap, expected.clone());
    }
    expected.sort_unstable_by(|a, b| b.cmp(a));
    while let Some(least) = expected.pop() {
        assert_eq!(heap.extract_min(), Some(least));
        assert_is(&heap, expected.clone());
    }
    assert_eq!(heap.extract_min(), None);
}
