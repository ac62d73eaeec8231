use smallscope::{Bounded, Bounds};
use smallscope_catalogue::node_caching_linked_list::{self, NodeCachingLinkedList};

/// The model of a list.
#[derive(Clone)]
struct Model {
    values: Vec<Option<u32>>,
    cache_size: usize,
    max_cache_size: usize,
}

impl Model {
    fn of(list: &NodeCachingLinkedList) -> Model {
        let values = list.iter().collect();
        Model { values, cache_size: list.cache_size(), max_cache_size: list.max_cache_size() }
    }

    fn add(&mut self, index: usize, value: Option<u32>) {
        self.values.insert(index, value);
        self.cache_size = self.cache_size.saturating_sub(1);
    }

    fn remove_at(&mut self, index: usize) -> Option<Option<u32>> {
        (index < self.values.len()).then(|| {
            self.cache_size = (self.cache_size + 1).min(self.max_cache_size);
            self.values.remove(index)
        })
    }

    fn remove(&mut self, value: Option<u32>) -> bool {
        let place = self.values.iter().position(|v| *v == value);
        place.and_then(|place| self.remove_at(place)).is_some()
    }

    fn clear(&mut self) {
        self.cache_size = (self.cache_size + self.values.len()).min(self.max_cache_size);
        self.values.clear();
    }

    fn set_max_cache_size(&mut self, max_cache_size: usize) {
        self.max_cache_size = max_cache_size;
        self.cache_size = self.cache_size.min(max_cache_size);
    }

    fn assert_is(&self, list: &NodeCachingLinkedList) {
        assert!(list.rep_ok(), "the list is broken: {list:?}");
        assert_eq!(list.iter().collect::<Vec<_>>(), self.values);
        assert_eq!(list.len(), self.values.len());
        assert_eq!(list.is_empty(), self.values.is_empty());
        assert_eq!(list.first(), self.values.first().copied());
        assert_eq!(list.last(), self.values.last().copied());
        assert_eq!(
            (list.cache_size(), list.max_cache_size()),
            (self.cache_size, self.max_cache_size),
            "spare nodes, and how many there may be"
        );
    }
}

/// Lists of up to three nodes without a value or with 1, and up to three spare nodes.
fn lists() -> Bounds {
    node_caching_linked_list::bounds(7, 3, 3, 1)
}

#[smallscope::test(bounds = node_caching_linked_list::bounds(5, 3, 1, 2).ints("value", 1..=3))]
fn index_of_is_the_first_place(list: NodeCachingLinkedList, value: Option<u32>) {
    let model = Model::of(&list);
    model.assert_is(&list);
    let place = model.values.iter().position(|v| *v == value);
    assert_eq!(list.index_of(value), place);
    assert_eq!(list.contains(value), place.is_some());
}

#[smallscope::test(bounds = lists().ints("value", [2]))]
fn add_first_takes_a_spare_node(mut list: NodeCachingLinkedList, value: Option<u32>) {
    let mut model = Model::of(&list);
    list.add_first(value);
    model.add(0, value);
    model.assert_is(&list);
}

#[smallscope::test(bounds = lists().ints("value", [2]))]
fn add_last_takes_a_spare_node(mut list: NodeCachingLinkedList, value: Option<u32>) {
    let mut model = Model::of(&list);
    list.add_last(value);
    model.add(model.values.len(), value);
    model.assert_is(&list);
}

#[smallscope::test(bounds = lists().ints("index", 0..=3))]
fn remove_at_gives_a_spare_node(mut list: NodeCachingLinkedList, index: usize) {
    let mut model = Model::of(&list);
    assert_eq!(list.remove_at(index), model.remove_at(index));
    model.assert_is(&list);
}

#[smallscope::test(bounds = lists())]
fn both_ends_can_be_removed(mut list: NodeCachingLinkedList) {
    let mut model = Model::of(&list);
    assert_eq!(list.remove_first(), model.remove_at(0));
    model.assert_is(&list);
    assert_eq!(list.remove_last(), model.remove_at(model.values.len().wrapping_sub(1)));
    model.assert_is(&list);
}

#[smallscope::test(bounds = lists().ints("value", 1..=2))]
fn remove_removes_the_first_occurrence(mut list: NodeCachingLinkedList, value: Option<u32>) {
    let mut model = Model::of(&list);
    assert_eq!(list.remove(value), model.remove(value));
    model.assert_is(&list);
}

#[smallscope::test(bounds = lists())]
fn clear_keeps_as_many_nodes_as_it_may(mut list: NodeCachingLinkedList) {
    let mut model = Model::of(&list);
    list.clear();
    model.clear();
    model.assert_is(&list);
}

#[smallscope::test(bounds = lists().ints("max", 0..=4))]
fn a_smaller_cache_is_cut_at_once(mut list: NodeCachingLinkedList, max: usize) {
    let mut model = Model::of(&list);
    list.set_max_cache_size(max);
    model.set_max_cache_size(max);
    model.assert_is(&list);
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
enum Step {
    AddFirst(Option<u32>),
    AddLast(Option<u32>),
    RemoveFirst,
    RemoveLast,
    Remove(Option<u32>),
    Clear,
    SetMaxCacheSize(usize),
}

#[smallscope::test(
    scope = 4,
    ints(
        max_cache_size = 0..=2,
        Step::AddFirst.0 = [1],
        Step::AddLast.0 = [1],
        Step::Remove.0 = [1],
        Step::SetMaxCacheSize.0 = [0],
    )
)]
fn steps_from_the_empty_list(max_cache_size: usize, steps: Vec<Step>) {
    let mut list = NodeCachingLinkedList::new(max_cache_size);
    let mut model = Model { values: vec![], cache_size: 0, max_cache_size };
    for step in steps {
        match step {
            Step::AddFirst(value) => {
                list.add_first(value);
                model.add(0, value);
            }
            Step::AddLast(value) => {
                list.add_last(value);
                model.add(model.values.len(), value);
            }
            Step::RemoveFirst => assert_eq!(list.remove_first(), model.remove_at(0)),
            Step::RemoveLast => {
                assert_eq!(list.remove_last(), model.remove_at(model.values.len().wrapping_sub(1)));
            }
            Step::Remove(value) => assert_eq!(list.remove(value), model.remove(value)),
            Step::Clear => {
                list.clear();
                model.clear();
            }
            Step::SetMaxCacheSize(max) => {
                list.set_max_cache_size(max);
                model.set_max_cache_size(max);
            }
        }
        model.assert_is(&list);
    }
}
