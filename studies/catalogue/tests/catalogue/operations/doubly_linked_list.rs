use smallscope::Bounded;
use smallscope_catalogue::doubly_linked_list::{DoublyLinkedList, Element};
use std::rc::Rc;

/// Elements have no content: they are compared by identity.
fn identities(elements: &[Rc<Element>]) -> Vec<*const Element> {
    elements.iter().map(Rc::as_ptr).collect()
}

fn assert_is(list: &DoublyLinkedList, expected: &[Rc<Element>]) {
    assert!(list.rep_ok(), "the list is broken: {list:?}");
    assert_eq!(identities(&list.elements()), identities(expected));
    assert!(list.iter().map(Rc::as_ptr).eq(expected.iter().map(Rc::as_ptr)));
    assert_eq!(list.len(), expected.len());
    assert_eq!(list.is_empty(), expected.is_empty());
    assert_eq!(list.first().map(Rc::as_ptr), expected.first().map(Rc::as_ptr));
    assert_eq!(list.last().map(Rc::as_ptr), expected.last().map(Rc::as_ptr));
}

/// The element at a place, or a new one behind the last.
fn element_at(elements: &[Rc<Element>], index: usize) -> Rc<Element> {
    elements.get(index).cloned().unwrap_or_else(|| Rc::new(Element))
}

fn position(elements: &[Rc<Element>], element: &Rc<Element>) -> Option<usize> {
    elements.iter().position(|e| Rc::ptr_eq(e, element))
}

#[smallscope::test(scope = 6)]
fn index_of_is_the_first_place(list: DoublyLinkedList, index: usize) {
    let elements = list.elements();
    assert_is(&list, &elements);
    let element = element_at(&elements, index);
    assert_eq!(list.index_of(&element), position(&elements, &element));
    assert_eq!(list.contains(&element), index < elements.len());
}

#[smallscope::test(scope = 6)]
fn push_front_adds_an_element(mut list: DoublyLinkedList, index: usize) {
    let mut expected = list.elements();
    let element = element_at(&expected, index);
    list.push_front(element.clone());
    expected.insert(0, element);
    assert_is(&list, &expected);
}

#[smallscope::test(scope = 6)]
fn push_back_adds_an_element(mut list: DoublyLinkedList, index: usize) {
    let mut expected = list.elements();
    let element = element_at(&expected, index);
    list.push_back(element.clone());
    expected.push(element);
    assert_is(&list, &expected);
}

#[smallscope::test(scope = 6)]
fn remove_at_removes_by_place(mut list: DoublyLinkedList, index: usize) {
    let mut expected = list.elements();
    let removed = (index < expected.len()).then(|| expected.remove(index));
    assert_eq!(list.remove_at(index).as_ref().map(Rc::as_ptr), removed.as_ref().map(Rc::as_ptr));
    assert_is(&list, &expected);
}

#[smallscope::test(scope = 6)]
fn remove_removes_the_first_occurrence(mut list: DoublyLinkedList, index: usize) {
    let mut expected = list.elements();
    let element = element_at(&expected, index);
    let place = position(&expected, &element);
    assert_eq!(list.remove(&element), place.is_some());
    if let Some(place) = place {
        expected.remove(place);
    }
    assert_is(&list, &expected);
}

#[smallscope::test(scope = 7)]
fn reverse_turns_the_order_around(mut list: DoublyLinkedList) {
    let mut expected = list.elements();
    list.reverse();
    expected.reverse();
    assert_is(&list, &expected);
}

#[smallscope::test(scope = 6)]
fn elements_are_owned_once_per_place(mut list: DoublyLinkedList) {
    let elements = list.elements();
    while list.remove_at(0).is_some() {}
    assert_is(&list, &[]);
    for element in &elements {
        let places = elements.iter().filter(|e| Rc::ptr_eq(e, element)).count();
        assert_eq!(Rc::strong_count(element), places, "the list still owns an element, or owned one too few");
    }
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
enum Step {
    PushFront(bool),
    PushBack(bool),
    RemoveAt(usize),
    Remove(bool),
    Reverse,
}

#[smallscope::test(scope = 4, ints(Step::RemoveAt.0 = 0..=2))]
fn steps_from_the_empty_list(steps: Vec<Step>) {
    let elements = [Rc::new(Element), Rc::new(Element)];
    let mut list = DoublyLinkedList::new();
    let mut expected = vec![];
    for step in steps {
        match step {
            Step::PushFront(i) => {
                list.push_front(elements[usize::from(i)].clone());
                expected.insert(0, elements[usize::from(i)].clone());
            }
            Step::PushBack(i) => {
                list.push_back(elements[usize::from(i)].clone());
                expected.push(elements[usize::from(i)].clone());
            }
            Step::RemoveAt(index) => {
                let removed = (index < expected.len()).then(|| expected.remove(index));
                assert_eq!(list.remove_at(index).is_some(), removed.is_some());
            }
            Step::Remove(i) => {
                let place = position(&expected, &elements[usize::from(i)]);
                assert_eq!(list.remove(&elements[usize::from(i)]), place.is_some());
                place.map(|place| expected.remove(place));
            }
            Step::Reverse => {
                list.reverse();
                expected.reverse();
            }
        }
        assert_is(&list, &expected);
    }
}
