//! Ordinary invariants, written without thought of the search, and the most candidates that each may explore.

#![allow(unused, clippy::all)]

#[path = "cliffs/b_tree.rs"]
mod b_tree;
#[path = "cliffs/bimap.rs"]
mod bimap;
#[path = "cliffs/ranges.rs"]
mod ranges;
#[path = "cliffs/search_tree.rs"]
mod search_tree;
#[path = "cliffs/sorted.rs"]
mod sorted;
#[path = "cliffs/tableau.rs"]
mod tableau;

use smallscope::Bounds;
use smallscope::search::{Options, Search};

fn explore<T: smallscope::Bounded>(bounds: &Bounds) -> (u64, u64) {
    let outcome = Search::<T>::new(bounds, Options::default()).expect("bounds").count().expect("no failure");
    (outcome.valid, outcome.explored)
}

macro_rules! cliffs {
    ($($file:ident $name:ident $scope:literal: $t:ty = $valid:literal, $most:literal;)*) => { $(
        #[test]
        #[allow(non_snake_case)]
        fn $name() {
            let (valid, explored) = explore::<$t>(&Bounds::scope($scope));
            println!("{} {}: {explored} explored, {valid} valid", stringify!($file), stringify!($name));
            assert_eq!(valid, $valid);
            assert!(explored <= $most, "{explored} explored, at most {} expected", $most);
        }
    )* };
}

// Everything that is collected into a set, or sorted, is read.
cliffs! {
    sorted is_sorted_by 6: sorted::is_sorted_by::S = 64, 1_000;
    sorted iter_is_sorted_by 6: sorted::iter_is_sorted_by::S = 64, 1_000;
    sorted windows 6: sorted::windows::S = 64, 1_000;
    sorted for_windows 6: sorted::for_windows::S = 64, 1_000;
    sorted windows_pattern 6: sorted::windows_pattern::S = 64, 1_000;
    sorted zip_skip 6: sorted::zip_skip::S = 64, 1_000;
    sorted zip_slice1 6: sorted::zip_slice1::S = 64, 1_000;
    sorted index 6: sorted::index::S = 64, 1_000;
    sorted prev_loop 6: sorted::prev_loop::S = 64, 1_000;
    sorted prev_ref_loop 6: sorted::prev_ref_loop::S = 64, 1_000;
    sorted peekable 6: sorted::peekable::S = 64, 1_000;
    sorted hashset_then_sorted 6: sorted::hashset_then_sorted::S = 64, 55_987;
    sorted btreeset_eq 6: sorted::btreeset_eq::S = 64, 55_987;
    sorted slice_pat_rec 6: sorted::slice_pat_rec::S = 64, 1_000;
    sorted as_slice_helper 6: sorted::as_slice_helper::S = 64, 1_000;
    sorted sort_dedup 6: sorted::sort_dedup::S = 64, 55_987;
    ranges TupleZip 5: ranges::a::TupleZip = 16, 10;
    ranges TupleIndex 5: ranges::b::TupleIndex = 16, 10;
    ranges StructZip 5: ranges::c::StructZip = 16, 1_000;
    ranges TupleWindowsOnly 5: ranges::e::TupleWindowsOnly = 16, 10;
    ranges StructRangeInclusive 6: ranges::g::StructRangeInclusive = 32, 1_000;
    search_tree bounds_down 6: search_tree::bounds_down::S = 731, 50_000;
    search_tree bounds_down_ref 6: search_tree::bounds_down_ref::S = 731, 50_000;
    search_tree inorder_windows 6: search_tree::inorder_windows::S = 731, 50_000;
    search_tree inorder_prev 6: search_tree::inorder_prev::S = 731, 50_000;
    search_tree minmax_up 6: search_tree::minmax_up::S = 731, 50_000;
    search_tree range_contains 6: search_tree::range_contains::S = 731, 50_000;
    bimap two_maps 4: bimap::two_maps::S = 209, 20_000;
    b_tree b_tree 8: b_tree::BTree = 740, 35_000;
}

#[test]
fn tableau() {
    let (valid, explored) = explore::<tableau::Tableau>(&Bounds::scope(3).ints("Tableau.rows", 1..=3));
    println!("tableau: {explored} explored, {valid} valid");
    assert_eq!(valid, 8);
    assert!(explored <= 3_000, "{explored}");
}
