use smallscope::Bounded;
use smallscope_catalogue::ring::Ring;

fn assert_is(ring: &Ring, expected: &[Option<u32>]) {
    assert!(ring.rep_ok(), "the ring is broken: {ring:?}");
    assert_eq!(ring.elements(), expected);
    assert!(ring.iter().eq(expected.iter().copied()));
    assert_eq!(ring.len(), expected.len());
    assert_eq!(ring.is_empty(), expected.is_empty());
    for index in 0..=expected.len() {
        assert_eq!(ring.get(index), expected.get(index).copied());
    }
}

#[smallscope::test(scope = 7, ints(Entry.element = 1..=2))]
fn a_palindrome_is_its_own_reverse(ring: Ring) {
    let elements = ring.elements();
    assert_is(&ring, &elements);
    assert_eq!(ring.is_palindromic(), elements.iter().eq(elements.iter().rev()));
}

#[smallscope::test(scope = 5, ints(Entry.element = 1..=3, element = 1..=4))]
fn index_of_is_the_first_place(ring: Ring, element: Option<u32>) {
    let place = ring.elements().iter().position(|e| *e == element);
    assert_eq!(ring.index_of(element), place);
    assert_eq!(ring.contains(element), place.is_some());
}

#[smallscope::test(scope = 5, ints(Entry.element = 1..=2, element = 1..=2))]
fn elements_are_added_where_they_belong(mut ring: Ring, index: usize, element: Option<u32>) {
    let mut expected = ring.elements();
    if index <= expected.len() {
        ring.insert_at(index, element);
        expected.insert(index, element);
        assert_is(&ring, &expected);
    }
}

#[smallscope::test(scope = 5, ints(Entry.element = 1..=2, element = 1..=2))]
fn both_ends_grow(mut ring: Ring, element: Option<u32>) {
    let mut expected = ring.elements();
    ring.push_front(element);
    expected.insert(0, element);
    assert_is(&ring, &expected);
    ring.push_back(element);
    expected.push(element);
    assert_is(&ring, &expected);
}

#[test]
#[should_panic(expected = "place 1 lies behind the end")]
fn nothing_is_added_behind_the_end() {
    Ring::default().insert_at(1, None);
}

#[smallscope::test(scope = 5, ints(Entry.element = 1..=2))]
fn remove_at_removes_by_place(mut ring: Ring, index: usize) {
    let mut expected = ring.elements();
    let removed = (index < expected.len()).then(|| expected.remove(index));
    assert_eq!(ring.remove_at(index), removed);
    assert_is(&ring, &expected);
}

#[smallscope::test(scope = 5, ints(Entry.element = 1..=3, element = 1..=4))]
fn remove_removes_the_first_occurrence(mut ring: Ring, element: Option<u32>) {
    let mut expected = ring.elements();
    let place = expected.iter().position(|e| *e == element);
    assert_eq!(ring.remove(element), place.is_some());
    place.map(|place| expected.remove(place));
    assert_is(&ring, &expected);
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
enum Step {
    PushFront(Option<u32>),
    PushBack(Option<u32>),
    RemoveAt(usize),
    Remove(Option<u32>),
}

#[smallscope::test(
    scope = 4,
    ints(Step::PushFront.0 = [1], Step::PushBack.0 = [1], Step::Remove.0 = [1], Step::RemoveAt.0 = 0..=2)
)]
fn steps_from_the_empty_ring(steps: Vec<Step>) {
    let mut ring = Ring::new();
    let mut expected = vec![];
    for step in steps {
        match step {
            Step::PushFront(element) => {
                ring.push_front(element);
                expected.insert(0, element);
            }
            Step::PushBack(element) => {
                ring.push_back(element);
                expected.push(element);
            }
            Step::RemoveAt(index) => {
                let removed = (index < expected.len()).then(|| expected.remove(index));
                assert_eq!(ring.remove_at(index), removed);
            }
            Step::Remove(element) => {
                let place = expected.iter().position(|e| *e == element);
                assert_eq!(ring.remove(element), place.is_some());
                place.map(|place| expected.remove(place));
            }
        }
        assert_is(&ring, &expected);
    }
}
