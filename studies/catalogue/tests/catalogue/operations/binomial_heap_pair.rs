use smallscope_catalogue::binomial_heap_pair::BinomialHeapPair;

#[smallscope::test(scope = 4, ints(Node.key = 1..=3))]
fn merge_makes_one_heap_of_both(pair: BinomialHeapPair) {
    let mut expected = [pair.first().keys(), pair.second().keys()].concat();
    expected.sort_unstable();
    let heap = pair.merge();
    assert!(heap.rep_ok());
    let mut keys = heap.keys();
    keys.sort_unstable();
    assert_eq!(keys, expected);
}
