use smallscope::{Bounded, Bounds};
use smallscope_catalogue::disj_set::{self, DisjSet};

/// A label for each element, equal within a set and only there: found by spreading labels along the parents.
fn labels(sets: &DisjSet) -> Vec<usize> {
    let mut labels: Vec<usize> = (0..sets.len()).collect();
    for _ in 0..sets.len() {
        for i in 0..sets.len() {
            rename(&mut labels, i, sets.parent(i));
        }
    }
    labels
}

/// Unites two sets. Returns whether they differed.
fn rename(labels: &mut [usize], a: usize, b: usize) -> bool {
    let (old, new) = (labels[a], labels[b]);
    for label in labels.iter_mut().filter(|label| **label == old) {
        *label = new;
    }
    old != new
}

fn assert_is(sets: &DisjSet, labels: &[usize]) {
    assert!(sets.rep_ok(), "the sets are broken: {sets:?}");
    assert_eq!(sets.len(), labels.len());
    assert_eq!(sets.is_empty(), labels.is_empty());
    let distinct = (0..labels.len()).filter(|&i| !labels[..i].contains(&labels[i])).count();
    assert_eq!(sets.set_count(), distinct);
    for a in 0..labels.len() {
        assert_eq!(labels[sets.find(a)], labels[a], "the root is in the same set");
        assert_eq!(sets.parent(sets.find(a)), sets.find(a), "the root is a root");
        for b in 0..labels.len() {
            assert_eq!(sets.same_set(a, b), labels[a] == labels[b]);
        }
    }
}

/// Up to four elements, and arguments from their numbers.
fn sets() -> Bounds {
    disj_set::bounds(4).ints("a", 0..=3).ints("b", 0..=3)
}

#[smallscope::test(bounds = disj_set::bounds(4))]
fn elements_are_in_the_same_set_if_parents_connect_them(sets: DisjSet) {
    assert_is(&sets, &labels(&sets));
}

#[smallscope::test(bounds = sets())]
fn union_makes_one_set_of_two(mut sets: DisjSet, a: usize, b: usize) {
    if a < sets.len() && b < sets.len() {
        let mut expected = labels(&sets);
        assert_eq!(sets.union(a, b), rename(&mut expected, a, b));
        assert_is(&sets, &expected);
    }
}

#[smallscope::test(bounds = sets())]
fn the_root_of_higher_rank_stays_a_root(mut sets: DisjSet, a: usize, b: usize) {
    if a < sets.len() && b < sets.len() {
        let before = sets.clone();
        if sets.union(a, b) {
            let (above, below) = match (before.find(a), before.find(b)) {
                (a, b) if sets.parent(a) == a => (a, b),
                (a, b) => (b, a),
            };
            assert_eq!(sets.parent(below), above);
            assert!(before.rank(above) >= before.rank(below));
            let rise = usize::from(before.rank(above) == before.rank(below));
            assert_eq!(sets.rank(above), before.rank(above) + rise);
            for i in (0..sets.len()).filter(|i| *i != above && *i != below) {
                assert_eq!((sets.parent(i), sets.rank(i)), (before.parent(i), before.rank(i)));
            }
        }
    }
}

#[smallscope::test(bounds = disj_set::bounds(4).ints("element", 0..=3))]
fn compression_moves_elements_up_and_keeps_the_sets(mut sets: DisjSet, element: usize) {
    if element < sets.len() {
        let expected = labels(&sets);
        let root = sets.find(element);
        let mut path = vec![element];
        while sets.parent(path[path.len() - 1]) != path[path.len() - 1] {
            path.push(sets.parent(path[path.len() - 1]));
        }
        assert_eq!(sets.find_and_compress(element), root);
        assert!(path.iter().all(|&i| sets.parent(i) == root));
        assert_is(&sets, &expected);
    }
}

#[smallscope::test(bounds = disj_set::bounds(4))]
fn a_new_element_is_a_set_of_its_own(mut sets: DisjSet) {
    let mut expected = labels(&sets);
    assert_eq!(sets.add(), expected.len());
    // No label is as large as the number of elements.
    expected.push(expected.len());
    assert_is(&sets, &expected);
}

#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
enum Step {
    Union(usize, usize),
    Compress(usize),
    Add,
}

#[smallscope::test(
    scope = 3,
    ints(size = 0..=4, Step::Union.0 = 0..=4, Step::Union.1 = 0..=4, Step::Compress.0 = 0..=4)
)]
fn steps_from_sets_of_one_element(size: usize, steps: Vec<Step>) {
    let mut sets = DisjSet::new(size);
    let mut expected: Vec<usize> = (0..size).collect();
    for step in steps {
        match step {
            Step::Union(a, b) if a < sets.len() && b < sets.len() => {
                assert_eq!(sets.union(a, b), rename(&mut expected, a, b));
            }
            Step::Compress(element) if element < sets.len() => {
                let root = sets.find(element);
                assert_eq!(sets.find_and_compress(element), root);
                assert_eq!(sets.parent(element), root);
            }
            Step::Add => {
                let added = sets.add();
                expected.push(added);
            }
            // There is no such element.
            Step::Union(..) | Step::Compress(_) => return,
        }
        assert_is(&sets, &expected);
    }
}
