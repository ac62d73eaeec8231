use smallscope_catalogue::heap_array::HeapArray;
use std::collections::BinaryHeap;

fn model(heap: &HeapArray<u8>) -> BinaryHeap<u8> {
    heap.elements().copied().collect()
}

fn assert_is(heap: &HeapArray<u8>, expected: BinaryHeap<u8>) {
    assert!(heap.rep_ok(), "the heap is broken: {heap:?}");
    assert_eq!(heap.len(), expected.len());
    assert_eq!(heap.is_empty(), expected.is_empty());
    assert_eq!(heap.peek(), expected.peek());
    assert_eq!(model(heap).into_sorted_vec(), expected.into_sorted_vec());
}

#[smallscope::test(scope = 5, ints(HeapArray.array = [1, 3, 5, 7], element = 0..=8))]
fn push_adds_one_element(mut heap: HeapArray<u8>, element: u8) {
    assert_is(&heap, model(&heap));
    let (mut expected, capacity) = (model(&heap), heap.capacity());
    expected.push(element);
    heap.push(element);
    assert_eq!(heap.capacity(), capacity.max(expected.len()));
    assert_is(&heap, expected);
}

#[smallscope::test(scope = 7, ints(HeapArray.array = 0..=4))]
fn pop_takes_the_largest_element_out(mut heap: HeapArray<u8>) {
    let (mut expected, capacity) = (model(&heap), heap.capacity());
    assert_eq!(heap.pop(), expected.pop());
    assert_eq!(heap.capacity(), capacity);
    assert_is(&heap, expected);
}

#[smallscope::test(scope = 5)]
fn what_was_pushed_is_popped_in_order(elements: Vec<u8>) {
    let (mut heap, mut expected) = (HeapArray::default(), BinaryHeap::new());
    for element in elements {
        heap.push(element);
        expected.push(element);
        assert_is(&heap, expected.clone());
    }
    while let Some(largest) = expected.pop() {
        assert_eq!(heap.pop(), Some(largest));
        assert_is(&heap, expected.clone());
    }
    assert_eq!(heap.pop(), None);
}
