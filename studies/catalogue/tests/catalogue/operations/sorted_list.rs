use smallscope::Bounded;
use smallscope_catalogue::sorted_list::SortedList;

fn assert_is(list: &SortedList, expected: &[u32]) {
    assert!(list.rep_ok(), "the list is broken: {list:?}");
    assert_eq!(list.elements(), expected);
    assert!(list.iter().eq(expected.iter().copied()));
    assert_eq!(list.len(), expected.len());
    assert_eq!(list.is_empty(), expected.is_empty());
    assert_eq!(list.first(), expected.first().copied());
    assert_eq!(list.last(), expected.last().copied());
}

fn insert(elements: &mut Vec<u32>, element: u32) {
    elements.push(element);
    elements.sort_unstable();
}

fn remove(elements: &mut Vec<u32>, element: u32) -> bool {
    let place = elements.iter().position(|e| *e == element);
    place.map(|place| elements.remove(place)).is_some()
}

#[smallscope::test(scope = 6, ints(Entry.element = [1, 3, 5], element = 0..=6))]
fn contains_finds_the_elements_and_no_others(list: SortedList, element: u32) {
    let elements = list.elements();
    assert_is(&list, &elements);
    assert_eq!(list.contains(element), elements.contains(&element));
}

#[smallscope::test(scope = 6, ints(Entry.element = [1, 3, 5], element = 0..=6))]
fn insert_adds_an_element(mut list: SortedList, element: u32) {
    let mut expected = list.elements();
    list.insert(element);
    insert(&mut expected, element);
    assert_is(&list, &expected);
}

#[smallscope::test(scope = 6, ints(Entry.element = [1, 3, 5], element = 0..=6))]
fn remove_removes_an_element_once(mut list: SortedList, element: u32) {
    let mut expected = list.elements();
    assert_eq!(list.remove(element), remove(&mut expected, element));
    assert_is(&list, &expected);
}

#[smallscope::test(scope = 4)]
fn merge_makes_one_list_of_both(mut list: SortedList, other: SortedList) {
    let mut expected = [list.elements(), other.elements()].concat();
    expected.sort_unstable();
    list.merge(other);
    assert_is(&list, &expected);
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
enum Step {
    Insert(u32),
    Remove(u32),
    MergeWithPair(u32),
}

#[smallscope::test(scope = 4)]
fn steps_from_the_empty_list(steps: Vec<Step>) {
    let mut list = SortedList::new();
    let mut expected = vec![];
    for step in steps {
        match step {
            Step::Insert(element) => {
                list.insert(element);
                insert(&mut expected, element);
            }
            Step::Remove(element) => assert_eq!(list.remove(element), remove(&mut expected, element)),
            Step::MergeWithPair(element) => {
                let mut pair = SortedList::default();
                for element in [element | 1, element & !1] {
                    pair.insert(element);
                    insert(&mut expected, element);
                }
                list.merge(pair);
            }
        }
        assert_is(&list, &expected);
    }
}
