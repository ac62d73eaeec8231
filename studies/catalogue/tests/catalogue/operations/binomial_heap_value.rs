use smallscope_catalogue::binomial_heap::BinomialHeap;
use smallscope_catalogue::binomial_heap_value::BinomialHeapValue;

fn assert_is(heap: &BinomialHeap, mut expected: Vec<u32>) {
    let mut keys = heap.keys();
    keys.sort_unstable();
    expected.sort_unstable();
    assert!(heap.rep_ok());
    assert_eq!(keys, expected);
}

#[smallscope::test(scope = 4, ints(Node.key = [2, 4, 6], BinomialHeapValue.value = 1..=7))]
fn find_finds_the_value_if_it_is_there(input: BinomialHeapValue) {
    assert_eq!(input.find(), input.heap().keys().contains(&input.value()));
}

#[smallscope::test(scope = 4, ints(Node.key = [2, 4, 6], BinomialHeapValue.value = 1..=7))]
fn insert_adds_the_value(input: BinomialHeapValue) {
    let mut expected = input.heap().keys();
    expected.push(input.value());
    assert_is(&input.insert(), expected);
}

#[smallscope::test(scope = 4, ints(Node.key = [2, 4, 6], BinomialHeapValue.value = 1..=7))]
fn delete_removes_the_value_once(input: BinomialHeapValue) {
    let mut expected = input.heap().keys();
    if let Some(place) = expected.iter().position(|key| *key == input.value()) {
        expected.remove(place);
    }
    assert_is(&input.delete(), expected);
}
