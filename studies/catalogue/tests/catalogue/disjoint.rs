//! Disjoint parts: the published numbers of candidates, and the same structures as one search for everything.

use smallscope::search::{Found, Options, Search};
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, Disjoint, Engine};
use smallscope_catalogue::avl_list::{self, AvlList};
use smallscope_catalogue::binomial_heap::{self, BinomialHeap};
use smallscope_catalogue::node_caching_disjoint::{self, CachingListOfStatements, DisjointCachingList};
use smallscope_catalogue::node_caching_linked_list::{self, NodeCachingLinkedList};
use smallscope_catalogue::{disjoint_counts, structure};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

fn options(engine: Engine, disjoint: Disjoint) -> Options {
    let options = if engine == Engine::Korat { Options::korat() } else { Options::default() };
    Options { engine, disjoint, ..options }
}

#[test]
fn the_published_algorithm_explores_as_many_candidates_as_published() {
    let (most, expected) = if cfg!(debug_assertions) { (30_000, 16) } else { (110_000, 6 + 4 + 5 + 4 + 4) };
    let mut rows = 0;
    for row in disjoint_counts().into_iter().filter(|row| row.explored <= most) {
        let structure = structure(row.structure).expect("the table names structures of the catalogue");
        let bounds = (structure.bounds)(&row.args);
        for engine in [Engine::Korat, Engine::Lazy] {
            let outcome = (structure.count)(&bounds, options(engine, Disjoint::On)).unwrap();
            assert_eq!(outcome.valid, row.valid, "table {} {}", row.table, row.scope);
            assert!(outcome.is_exhaustive());
            if engine == Engine::Korat {
                assert_eq!(outcome.explored, row.explored, "table {} {}", row.table, row.scope);
            }
        }
        rows += 1;
    }
    assert_eq!(rows, expected);
}

#[test]
fn where_the_table_differs_from_the_published_one_it_is_a_misprint() {
    let differ: Vec<(&str, &str, u64, u64)> = disjoint_counts()
        .iter()
        .filter(|row| row.published != row.explored)
        .map(|row| (row.table, row.scope, row.published, row.explored))
        .collect();
    assert_eq!(differ, [("III", "3,3", 235, 335), ("IV", "8,0,8,9,0,8,6", 2_511_653, 3_411_653)]);
}

fn records<T: Bounded>(bounds: &Bounds, options: Options) -> BTreeSet<String> {
    let mut search = Search::<T>::new(bounds, options).unwrap();
    let mut records = BTreeSet::new();
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
        assert!(records.insert(search.candidate().to_string()), "no structure comes twice");
    }
    records
}

#[track_caller]
fn agrees<T: Bounded>(bounds: &Bounds, valid: usize) {
    for engine in [Engine::Lazy, Engine::Owned, Engine::Korat] {
        let combined = records::<T>(bounds, options(engine, Disjoint::On));
        assert_eq!(combined.len(), valid, "{engine}");
        assert_eq!(combined, records::<T>(bounds, options(engine, Disjoint::Off)), "{engine}");
    }
}

#[test]
fn combinations_are_what_one_search_finds() {
    agrees::<DisjointCachingList>(&node_caching_disjoint::bounds(1, 2, 2), 132);
    agrees::<DisjointCachingList>(&node_caching_disjoint::bounds(2, 3, 2), 1_014);
    agrees::<DisjointCachingList>(&node_caching_disjoint::bounds(3, 4, 2), 6_840);
    agrees::<Product<(BinomialHeap, BinomialHeap)>>(&binomial_heap::bounds(2), 36);
    agrees::<Product<(BinomialHeap, BinomialHeap)>>(&binomial_heap::bounds(3), 784);
    agrees::<AvlList>(&avl_list::bounds(2, 0, 2, 3, 0, 2, 6), 1_591);
    agrees::<AvlList>(&avl_list::bounds(6, 0, 6, 7, 0, 6, 2), 635);
}

type Contents = (Vec<Option<u32>>, Vec<Option<u32>>, usize);

/// The node caching list itself, in which list and cache share a pool of nodes, has the same contents.
#[test]
fn the_list_with_one_kind_of_nodes_has_the_same_contents() {
    for (nodes, max_size, max_cache, values) in [(4, 1, 2, 2), (6, 2, 3, 2), (8, 3, 4, 2)] {
        let bounds = node_caching_linked_list::bounds(nodes, max_size, max_cache, values);
        let direct: BTreeSet<Contents> = smallscope::all::<NodeCachingLinkedList>(bounds)
            .map(|list| {
                let ring = [vec![list.header_value()], list.iter().collect()].concat();
                (ring, list.cached().collect(), list.max_cache_size())
            })
            .collect();
        let bounds = node_caching_disjoint::bounds(max_size, max_cache, values);
        let mut search =
            Search::<DisjointCachingList>::new(&bounds, options(Engine::Lazy, Disjoint::On)).unwrap();
        let mut combined: BTreeSet<Contents> = BTreeSet::new();
        while let Some(list) = search.next_value() {
            let list = list.unwrap();
            combined.insert((list.list_values(), list.cached_values(), list.max_cache_size()));
        }
        assert_eq!(direct, combined);
        assert_eq!(search.outcome().valid, direct.len() as u64);
    }
}

/// The invariant of figure 3: its statements are divided as figure 4 of the paper divides them, so the parts explore as much.
#[test]
fn statements_are_sliced_as_in_the_paper() {
    for (size, cache, values, valid) in [(1, 2, 2, 132), (2, 3, 2, 1_014), (3, 4, 2, 6_840)] {
        let bounds = node_caching_disjoint::bounds_of_statements(size, cache, values);
        agrees::<CachingListOfStatements>(&bounds, valid);
        let conjunction = node_caching_disjoint::bounds(size, cache, values);
        for engine in [Engine::Lazy, Engine::Korat] {
            let options = options(engine, Disjoint::On);
            let statements = records::<CachingListOfStatements>(&bounds, options);
            assert_eq!(statements, records::<DisjointCachingList>(&conjunction, options), "{engine}");
        }
        let options = options(Engine::Korat, Disjoint::On);
        let statements = Search::<CachingListOfStatements>::new(&bounds, options).unwrap().count().unwrap();
        let conjuncts = Search::<DisjointCachingList>::new(&conjunction, options).unwrap().count().unwrap();
        assert_eq!(statements.explored, conjuncts.explored);
    }
    let bounds = node_caching_disjoint::bounds_of_statements(2, 3, 2);
    let options = options(Engine::Korat, Disjoint::On);
    let mut search = Search::<CachingListOfStatements>::new(&bounds, options).unwrap();
    let slicing = search.slicing().unwrap().expect("it has parts");
    let conjuncts: Vec<Vec<&str>> =
        slicing.parts.iter().map(|part| part.conjuncts.clone().unwrap()).collect();
    assert_eq!(
        conjuncts,
        [
            vec![
                "if self.header.is_null() { return false; }",
                "if unsafe { (*self.header).next.is_null() } { return fals...",
                "if unsafe { (*self.header).previous.is_null() } { return...",
                "let mut cyclic_size = 0; ..",
            ],
            vec![
                "if self.cache_size > self.max_cache_size { return false; }",
                "let mut acyclic_size = 0; ..",
            ]
        ]
    );
    assert!(slicing.global.is_empty());
}
