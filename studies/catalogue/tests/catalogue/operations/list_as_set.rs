use smallscope_catalogue::int_list::IntList;
use smallscope_catalogue::list_as_set::ListAsSet;
use std::collections::BTreeSet;

fn assert_is(list: &IntList, expected: impl IntoIterator<Item = u32>) {
    let expected: Vec<u32> = expected.into_iter().collect();
    assert!(list.is_list(), "the list is broken: {list:?}");
    assert!(list.iter().eq(expected.iter().copied()), "{list:?} instead of {expected:?}");
    assert_eq!(list.len(), expected.len());
    assert_eq!(list.is_empty(), expected.is_empty());
}

fn set_of(list: &IntList) -> BTreeSet<u32> {
    list.iter().collect()
}

#[smallscope::test(scope = 4, objects(Node = 5))]
fn list_to_set_sorts_and_leaves_out_repetitions(mut input: ListAsSet) {
    let list: Vec<u32> = input.list().iter().collect();
    input.list_to_set();
    assert!(input.rep_ok());
    assert_is(input.list(), list.iter().copied());
    assert_is(input.set(), BTreeSet::from_iter(list));
    assert!(input.is_list_as_set());
}

#[smallscope::test(scope = 4, objects(Node = 5))]
fn list_and_set_are_compared_as_sets(input: ListAsSet) {
    let (list, set) = (set_of(input.list()), set_of(input.set()));
    assert_eq!(input.list_is_within_set(), list.is_subset(&set));
    assert_eq!(input.set_is_within_list(), set.is_subset(&list));
    assert_eq!(input.is_list_as_set(), list == set);
}

#[smallscope::test(scope = 3, objects(Node = 4), ints(Node.element = [1, 3, 5], element = 0..=6))]
fn membership_is_known_in_both(input: ListAsSet, element: u32) {
    assert_eq!(input.list().contains(element), set_of(input.list()).contains(&element));
    assert_eq!(input.set_contains(element), set_of(input.set()).contains(&element));
}

#[smallscope::test(scope = 3, objects(Node = 4), ints(Node.element = [1, 3, 5], element = 0..=6))]
fn insert_increasing_keeps_a_set_a_set(input: ListAsSet, element: u32) {
    let mut set = input.set().clone();
    let mut expected = set_of(&set);
    assert_eq!(set.insert_increasing(element), expected.insert(element));
    assert!(set.is_increasing());
    assert_is(&set, expected);
}

#[smallscope::test(scope = 5)]
fn any_sequence_can_be_a_list(elements: Vec<u32>) {
    let list = IntList::from_iter(elements.iter().copied());
    assert_is(&list, elements.iter().copied());
    let mut input = ListAsSet::new(list);
    assert!(input.rep_ok());
    assert_eq!(input.is_list_as_set(), elements.is_empty());
    input.list_to_set();
    assert!(input.rep_ok());
    assert_is(input.set(), BTreeSet::from_iter(elements));
}
