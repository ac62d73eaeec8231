//! `clone` of a field that is a tuple, with a component that is not plain data.

use super::*;

macro_rules! copied {
    ($($name:ident($this:ident) $body:block)*) => { $(
        mod $name {
            use super::*;

            #[derive(Bounded, Debug)]
            pub struct S {
                pair: (Vec<u8>, u8),
            }

            #[rep_ok]
            impl S {
                fn rep_ok(&self) -> bool {
                    let $this = self;
                    $body
                }
            }

            #[test]
            fn is_searched() {
                let one = (0..3).map(|a| vec![a]);
                let two = (0..3).flat_map(|a| (0..3).map(move |b| vec![a, b]));
                let vectors: Vec<Vec<u8>> = [vec![]].into_iter().chain(one).chain(two).collect();
                let all = vectors.into_iter().flat_map(|v| (0..3).map(move |n| S { pair: (v.clone(), n) }));
                let expected = all.filter(S::rep_ok).count();
                assert!(expected < 13 * 3, "the case rejects something");
                agrees::<S>(&Bounds::scope(2).ints("S.pair", 0..=2), expected);
            }
        }
    )* };
}

copied! {
    destructured(s) {
        let (items, n) = s.pair.clone();
        items.len() == n as usize
    }
    by_component(s) {
        let copy = s.pair.clone();
        copy.0.is_sorted() && copy.0.first() != Some(&copy.1)
    }
    owned(s) {
        let (items, n) = s.pair.to_owned();
        items.iter().all(|item| *item < n)
    }
    changed(s) {
        let (items, mut n) = s.pair.clone();
        n += 1;
        items.contains(&n)
    }
    compared(s) {
        let copy = s.pair.clone();
        copy.0 == s.pair.0 && copy.1 > 0
    }
    summed(s) {
        s.pair.clone().0.iter().sum::<u8>() == s.pair.clone().1
    }
}
