//! A spread delivers the values of the search, each once, and its first values are spread over the bounds.

use smallscope::search::{Found, Options, Search, Spread};
use smallscope::{Bounds, Engine, Stop};
use smallscope_catalogue::{binary_tree, heap_array, search_tree, sorted_list};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

fn spread<T: smallscope::Bounded>(search: &mut Search<T>, most: usize) -> Vec<Vec<u32>> {
    let mut spread = Spread::new();
    let mut found = vec![];
    while found.len() < most
        && spread.find_next(search, &mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid
    {
        found.push(search.candidate().0);
    }
    found
}

fn same_values<T: smallscope::Bounded>(bounds: &Bounds) {
    for engine in [Engine::Lazy, Engine::Owned, Engine::Korat] {
        let options = Options { engine, ..Options::default() };
        let mut search = Search::<T>::new(bounds, options).unwrap();
        let mut all = BTreeSet::new();
        while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
            assert!(all.insert(search.candidate().0), "{engine}: twice");
        }
        let mut search = Search::<T>::new(bounds, options).unwrap();
        let found = spread(&mut search, usize::MAX);
        assert_eq!(search.outcome().stop, Stop::Exhausted);
        assert_eq!(found.len(), all.len(), "{engine}");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), all, "{engine}");
    }
}

#[test]
fn nothing_is_lost_and_nothing_comes_twice() {
    same_values::<binary_tree::BinaryTree>(&binary_tree::bounds(5, 0, 5));
    same_values::<search_tree::SearchTree<u32>>(&search_tree::bounds(4, 0, 4, 0, 4));
    same_values::<search_tree::SearchTree<smallscope::Key>>(&search_tree::bounds(4, 0, 4, 0, 4));
    same_values::<sorted_list::SortedList>(&sorted_list::bounds(0, 4, 5, 4));
    same_values::<heap_array::HeapArray<u32>>(&heap_array::bounds(4, 4, 4));
}

#[test]
fn stops_lose_nothing() {
    // Most candidates of this engine are invalid, so that stops fall between them.
    let options = Options { engine: Engine::Korat, ..Options::default() };
    let bounds = search_tree::bounds(5, 0, 5, 0, 5);
    let open = || Search::<search_tree::SearchTree<u32>>::new(&bounds, options).unwrap();
    let all = spread(&mut open(), usize::MAX);
    let (mut search, mut pieces) = (open(), Spread::new());
    let (mut found, mut stops) = (BTreeSet::new(), 0);
    loop {
        let next = pieces.find_next(&mut search, &mut |_| ControlFlow::Break(Stop::Interrupted));
        match next.unwrap() {
            Found::Valid => assert!(found.insert(search.candidate().0), "twice"),
            Found::Paused => stops += 1,
            Found::End => break,
        }
    }
    assert!(stops > 5, "{stops}");
    assert_eq!(found, all.into_iter().collect());
}

/// How many different shapes of the first levels are among the first values.
fn tops(next: &mut dyn FnMut(&mut Search<binary_tree::BinaryTree>)) -> usize {
    let bounds = binary_tree::bounds(9, 0, 9);
    let mut search = Search::<binary_tree::BinaryTree>::new(&bounds, Options::default()).unwrap();
    let tops: BTreeSet<Vec<u32>> = (0..100)
        .map(|_| {
            next(&mut search);
            search.path().into_iter().take(3).collect()
        })
        .collect();
    tops.len()
}

#[test]
fn the_first_values_come_from_all_over() {
    let mut on = |_: &_| ControlFlow::Continue(());
    let mut pieces = Spread::new();
    let spread = tops(&mut |search| assert_eq!(pieces.find_next(search, &mut on), Ok(Found::Valid)));
    let in_order = tops(&mut |search| assert_eq!(search.find_next(&mut on), Ok(Found::Valid)));
    assert!(spread > in_order, "{spread} and {in_order}");
}
