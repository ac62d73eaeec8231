//! Vectors, arrays, strings, maps, lists of values.

use crate::*;

#[test]
fn vec_field_slices() {
    #[derive(Bounded, Debug)]
    struct Heap<T> {
        items: Vec<T>,
    }
    #[rep_ok]
    impl<T: Ord> Heap<T> {
        fn rep_ok(&self) -> bool {
            (1..self.items.len()).all(|i| self.items[(i - 1) / 2] <= self.items[i])
        }
    }
    let s = Bounds::exact().len("Heap.items", 0..=4).ints("Heap.items", 0..=3);
    assert_eq!(valid::<Heap<u8>>(&s), 110);
    assert_eq!(valid::<Heap<Key>>(&s), 110);
}

#[test]
fn vec_windows_iter_zip() {
    #[derive(Bounded, Debug)]
    struct V {
        a: Vec<u8>,
        b: Vec<u8>,
    }
    #[rep_ok]
    impl V {
        fn rep_ok(&self) -> bool {
            self.a.len() == self.b.len()
                && self.a.windows(2).all(|w| w[0] < w[1])
                && self.a.iter().zip(&self.b).all(|(x, y)| x != y)
                && self.b.first() != Some(&0)
        }
    }
    let s = Bounds::exact().len("V.a", 0..=2).len("V.b", 0..=2).ints("V.a", 0..=2).ints("V.b", 0..=2);
    assert_eq!(valid::<V>(&s), 15);
}

#[test]
fn foreign_leaf_values() {
    use std::collections::BTreeMap;
    #[derive(Bounded, Debug)]
    struct C {
        #[bounded(values = ["", "a", "ab"])]
        name: String,
        #[bounded(values = [BTreeMap::new(), BTreeMap::from([(1, 2)])])]
        map: BTreeMap<u8, u8>,
    }
    #[rep_ok]
    impl C {
        fn rep_ok(&self) -> bool {
            self.name.len() > self.map.len() && self.map.values().all(|v| *v == 2) && !self.name.is_empty()
        }
    }
    assert_eq!(valid::<C>(&Bounds::exact()), 3);
}

#[test]
fn vec_of_boxes() {
    #[derive(Bounded)]
    struct N {
        kids: Vec<Box<N>>,
    }
    #[rep_ok]
    impl N {
        fn rep_ok(&self) -> bool {
            self.kids.iter().all(|k| k.rep_ok())
        }
    }
    assert_eq!(valid::<N>(&Bounds::exact().objects("N", 3).len("N.kids", 0..=2)), 8);
}

#[test]
fn array_field() {
    #[derive(Bounded)]
    struct N {
        kids: [Option<Box<N>>; 2],
    }
    #[rep_ok]
    impl N {
        fn rep_ok(&self) -> bool {
            true
        }
    }
    assert_eq!(valid::<N>(&Bounds::exact().objects("N", 3)), 22);
}

#[test]
fn option_of_tuple_field() {
    #[derive(Bounded)]
    struct N {
        p: Option<(u8, bool)>,
    }
    #[rep_ok]
    impl N {
        fn rep_ok(&self) -> bool {
            true
        }
    }
    assert_eq!(valid::<N>(&Bounds::exact().ints("N.p", 0..=1)), 5);
}

#[test]
fn vec_len_index_lazy_ints() {
    #[derive(Bounded, Debug)]
    struct V {
        a: Vec<u8>,
        n: usize,
    }
    #[rep_ok]
    impl V {
        fn rep_ok(&self) -> bool {
            if self.a.len() != self.n {
                return false;
            }
            for i in 1..self.a.len() {
                if self.a[i - 1] > self.a[i] {
                    return false;
                }
            }
            for x in &self.a {
                if *x == 1 {
                    return false;
                }
            }
            self.a.contains(&0) && self.a[..1].len() == 1 && Self::sum(&self.a) < 9
        }
        fn sum(v: &[u8]) -> u8 {
            v.iter().sum()
        }
    }
    assert_eq!(valid::<V>(&Bounds::exact().len("V.a", 0..=3).ints("V.n", 0..=3).ints("V.a", 0..=2)), 6);
}

#[test]
fn nary_tree_vec_box() {
    #[derive(Bounded)]
    struct T {
        root: Box<N>,
        n: usize,
    }
    #[derive(Bounded)]
    struct N {
        kids: Vec<Box<N>>,
    }
    #[mirror]
    impl N {
        fn size(&self) -> usize {
            1 + self.kids.iter().map(|k| k.size()).sum::<usize>()
        }
    }
    #[rep_ok]
    impl T {
        fn rep_ok(&self) -> bool {
            self.root.size() == self.n
        }
    }
    for (n, trees) in [(1, 1), (2, 1), (3, 2), (4, 5), (5, 14), (6, 42)] {
        assert_eq!(valid::<T>(&Bounds::exact().objects("N", n).len("N.kids", 0..=5).ints("T.n", [n])), trees);
    }
}

#[test]
fn nary_tree_inline_vec() {
    #[derive(Bounded, Debug)]
    struct T {
        root: N,
        n: usize,
    }
    #[derive(Bounded, Debug)]
    struct N {
        kids: Vec<N>,
    }
    #[mirror]
    impl N {
        fn size(&self) -> usize {
            1 + self.kids.iter().map(N::size).sum::<usize>()
        }
    }
    #[rep_ok]
    impl T {
        fn rep_ok(&self) -> bool {
            self.root.size() == self.n
        }
    }
    for (n, trees) in [(1, 1), (2, 1), (3, 2), (4, 5), (5, 14), (6, 42)] {
        assert_eq!(
            valid::<T>(&Bounds::exact().objects("N", n - 1).len("N.kids", 0..=5).ints("T.n", [n])),
            trees
        );
    }
}

#[test]
fn btree_node_keys_children() {
    #[derive(Bounded, Debug)]
    struct B<K> {
        root: N<K>,
        n: usize,
    }
    #[derive(Bounded, Debug)]
    struct N<K> {
        keys: Vec<K>,
        kids: Vec<N<K>>,
    }
    #[mirror]
    impl<K: Ord> N<K> {
        fn ok(&self, lo: Option<&K>, hi: Option<&K>) -> Option<usize> {
            if self.keys.is_empty() || !(self.kids.is_empty() || self.kids.len() == self.keys.len() + 1) {
                return None;
            }
            if !(1..self.keys.len()).all(|i| self.keys[i - 1] < self.keys[i])
                || lo.is_some_and(|l| *l >= self.keys[0])
                || hi.is_some_and(|h| h <= self.keys.last().unwrap())
            {
                return None;
            }
            let mut depth = None;
            for (i, k) in self.kids.iter().enumerate() {
                let lo = if i == 0 { lo } else { Some(&self.keys[i - 1]) };
                let hi = self.keys.get(i).or(hi);
                let d = k.ok(lo, hi)?;
                if *depth.get_or_insert(d) != d {
                    return None;
                }
            }
            Some(depth.map_or(0, |d| d + 1))
        }
        fn len(&self) -> usize {
            self.keys.len() + self.kids.iter().map(|k| k.len()).sum::<usize>()
        }
    }
    #[rep_ok]
    impl<K: Ord> B<K> {
        fn rep_ok(&self) -> bool {
            self.root.len() == self.n && self.root.ok(None, None).is_some()
        }
    }
    // 2-3 trees with n + 1 leaves, of at most 5 nodes.
    for (n, trees) in [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3)] {
        let bounds = Bounds::exact().objects("N", 4).len("N.kids", 0..=3).len("N.keys", 1..=2);
        assert_eq!(valid::<B<Key>>(&bounds.ints("N.keys", 0..=n - 1).ints("B.n", [n])), trees);
    }
}

#[test]
fn array_children_trie() {
    #[derive(Bounded)]
    struct T {
        root: Option<Box<N>>,
        n: usize,
    }
    #[derive(Bounded)]
    struct N {
        kids: [Option<Box<N>>; 2],
    }
    #[mirror]
    impl N {
        fn size(&self) -> usize {
            1 + self.kids.iter().flatten().map(|k| k.size()).sum::<usize>()
        }
    }
    #[rep_ok]
    impl T {
        fn rep_ok(&self) -> bool {
            self.root.as_ref().is_none_or(|r| r.kids[0].is_some() || r.kids[1].is_none())
                && self.root.as_ref().map_or(0, |r| r.size()) == self.n
        }
    }
    assert_eq!(valid::<T>(&Bounds::exact().objects("N", 4).ints("T.n", 4..=4)), 9);
}

#[test]
fn const_generics() {
    #[derive(Bounded)]
    struct Buf<const N: usize> {
        len: usize,
        head: usize,
    }
    #[rep_ok]
    impl<const N: usize> Buf<N> {
        fn rep_ok(&self) -> bool {
            self.len <= N && self.head < N
        }
    }
    assert_eq!(valid::<Buf<4>>(&Bounds::exact().ints("Buf.len", 0..=9).ints("Buf.head", 0..=9)), 20);
}

#[test]
fn vectors_passed_to_helpers() {
    #[derive(Bounded)]
    struct Shelf {
        boxes: Vec<Parcel>,
        weights: Vec<u8>,
        order: VecDeque<u8>,
    }
    #[derive(Bounded)]
    struct Parcel {
        weight: u8,
    }
    #[rep_ok]
    impl Shelf {
        fn rep_ok(&self) -> bool {
            let local = vec![1, 2];
            Self::total(&self.boxes) == Self::sum(&self.weights)
                && Self::sum(&local) == 3
                && Self::total_of(&self.boxes[..]) == Self::sum_of(&self.weights)
                && Self::total_of(Self::all(self)) == Self::sum_of(&self.weights)
                && self.order.front().is_none_or(|f| self.order.back() == Some(f))
        }
        fn all(&self) -> &Vec<Parcel> {
            &self.boxes
        }
        fn total(boxes: &Vec<Parcel>) -> u8 {
            boxes.iter().map(|b| b.weight).sum()
        }
        fn total_of(boxes: &[Parcel]) -> u8 {
            boxes.iter().map(|b| b.weight).sum()
        }
        fn sum(v: &Vec<u8>) -> u8 {
            v.iter().sum()
        }
        fn sum_of(v: &[u8]) -> u8 {
            v.iter().sum()
        }
    }
    let bounds = Bounds::exact()
        .objects("Parcel", 2)
        .len("Shelf.boxes", 0..=2)
        .ints("Parcel.weight", 0..=1)
        .len("Shelf.weights", 0..=2)
        .ints("Shelf.weights", 0..=1)
        .len("Shelf.order", 0..=2)
        .ints("Shelf.order", 0..=1);
    // Sums 0, 1, 2 of up to two bits; and an empty, a short or an even queue.
    assert_eq!(valid::<Shelf>(&bounds), (3 * 3 + 3 * 3 + 1) * (1 + 2 + 2));
}

#[test]
fn slice_patterns() {
    #[derive(Bounded)]
    struct Stack {
        items: Vec<u8>,
    }
    #[rep_ok]
    impl Stack {
        fn rep_ok(&self) -> bool {
            match self.items.as_slice() {
                [] => true,
                [only] => *only == 0,
                [first, .., last] if first == last => false,
                [first, middle @ .., _] => *first == 0 && middle.iter().all(|m| *m > 0),
            }
        }
    }
    // Nothing; 0; 0 and 1; 0, 1 and 1.
    assert_eq!(valid::<Stack>(&Bounds::exact().len("Stack.items", 0..=3).ints("Stack.items", 0..=1)), 4);
}

#[test]
fn arena_with_indices() {
    #[derive(Bounded)]
    struct Arena {
        slots: Vec<Slot>,
        head: Option<usize>,
    }
    #[derive(Bounded)]
    struct Slot {
        next: Option<usize>,
        used: bool,
    }
    #[rep_ok]
    impl Arena {
        fn rep_ok(&self) -> bool {
            let mut seen = vec![false; self.slots.len()];
            let mut cursor = self.head;
            while let Some(i) = cursor {
                let Some(slot) = self.slots.get(i) else { return false };
                if seen[i] || !self.slots[i].used {
                    return false;
                }
                seen[i] = true;
                cursor = slot.next;
            }
            self.slots.iter().enumerate().all(|(i, s)| s.used == seen[i] && (s.used || s.next.is_none()))
        }
    }
    // Ordered choices of the slots in use: 1, 2 and 5 of them for 0, 1 and 2 slots.
    let bounds = Bounds::exact().objects("Slot", 2).len("Arena.slots", 0..=2);
    assert_eq!(valid::<Arena>(&bounds.ints("Arena.head", 0..=2).ints("Slot.next", 0..=2)), 1 + 2 + 5);
}

#[test]
fn pairs_and_maps() {
    #[derive(Bounded)]
    struct Index {
        pairs: Vec<(u8, bool)>,
        map: BTreeMap<u8, bool>,
    }
    #[rep_ok]
    impl Index {
        fn rep_ok(&self) -> bool {
            for (i, (key, flag)) in self.pairs.iter().enumerate() {
                if *key as usize != i || self.map.get(key) != Some(flag) {
                    return false;
                }
            }
            for (key, flag) in &self.map {
                if !self.pairs.iter().any(|(k, f)| k == key && *f == *flag) {
                    return false;
                }
            }
            self.map.iter().all(|(k, v)| *k < 2 || *v) && self.map.len() == self.pairs.len()
        }
    }
    let bounds = Bounds::exact().len("Index.pairs", 0..=2).ints("Index.pairs", 0..=1);
    assert_eq!(valid::<Index>(&bounds.len("Index.map", 0..=2).ints("Index.map", 0..=1)), 1 + 2 + 4);
}

#[test]
fn strings() {
    #[derive(Bounded)]
    struct Name {
        text: String,
        len: usize,
    }
    #[rep_ok]
    impl Name {
        fn rep_ok(&self) -> bool {
            let Name { text, .. } = self;
            text.len() == self.len
                && self.text.starts_with('a')
                && &self.text[..1] == "a"
                && Self::short(&self.text)
        }
        fn short(s: &str) -> bool {
            s.replace("a", "").len() < 2
        }
    }
    let bounds = Bounds::exact().len("Name.text", 0..=2).alphabet("Name.text", "ab").ints("Name.len", 0..=2);
    assert_eq!(valid::<Name>(&bounds), 1 + 2);
}

#[test]
fn slices_of_generic_elements() {
    #[derive(Bounded)]
    struct Sorted<T> {
        items: Vec<T>,
    }
    #[rep_ok]
    impl<T: Ord> Sorted<T> {
        fn rep_ok(&self) -> bool {
            self.items.windows(2).all(|w| w[0] <= w[1]) && self.items.is_sorted()
        }
    }
    let bounds = Bounds::exact().len("Sorted.items", 0..=3).ints("Sorted.items", 0..=1);
    assert_eq!(valid::<Sorted<u8>>(&bounds), 1 + 2 + 3 + 4);
}

#[test]
fn self_in_a_field() {
    #[derive(Bounded)]
    struct Chain {
        next: Option<Box<Self>>,
    }
    #[rep_ok]
    impl Chain {
        fn rep_ok(&self) -> bool {
            self.next.is_some()
        }
    }
    assert_eq!(valid::<Chain>(&Bounds::scope(3)), 3);
}

#[test]
fn sequences_compared_with_lists() {
    #[derive(Bounded)]
    struct Codes {
        codes: Vec<u8>,
    }
    #[rep_ok]
    impl Codes {
        fn rep_ok(&self) -> bool {
            self.codes == [1, 0] || self.codes == vec![0]
        }
    }
    assert_eq!(valid::<Codes>(&Bounds::scope(2)), 2);
}
