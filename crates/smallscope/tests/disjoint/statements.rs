//! Invariants of statements, `if .. { return false; }`, sliced like conjunctions.
#![expect(clippy::needless_return, reason = "the last statement may be written like the others")]

use crate::{ENGINES, agrees, all, options};
use smallscope::search::Search;
use smallscope::{Bounded, Bounds, Disjoint, rep_ok};

/// Declares a list with spare nodes, with an invariant of its own.
macro_rules! store {
    ($name:ident, $attribute:meta, $($invariant:tt)*) => {
        #[derive(Bounded)]
        struct $name {
            #[bounded(part = "items")]
            items: Option<Box<Node>>,
            #[bounded(part = "items")]
            size: usize,
            #[bounded(part = "spares")]
            spares: Option<Box<Node>>,
            #[bounded(part = "spares", range = 0..=scope + 1)]
            most_spares: usize,
        }

        #[$attribute]
        impl $name {
            $($invariant)*

            #[allow(dead_code)]
            fn count(mut node: &Option<Box<Node>>) -> usize {
                let mut count = 0;
                while let Some(this) = node {
                    count += 1;
                    node = &this.next;
                }
                count
            }

            #[allow(dead_code)]
            fn is_sorted(mut node: &Option<Box<Node>>) -> bool {
                let mut last = None;
                while let Some(this) = node {
                    if last.is_some_and(|last| last > this.value) {
                        return false;
                    }
                    last = Some(this.value);
                    node = &this.next;
                }
                true
            }
        }
    };
}

/// Declares two of them with the same invariant, as a whole and divided.
macro_rules! stores {
    ($whole:ident, $divided:ident, $($invariant:tt)*) => {
        store!($whole, rep_ok, $($invariant)*);
        store!($divided, rep_ok(statements), $($invariant)*);
    };
}

#[derive(Bounded)]
struct Node {
    value: u8,
    next: Option<Box<Node>>,
}

store!(
    Conjunction,
    rep_ok,
    fn rep_ok(&self) -> bool {
        Self::is_sorted(&self.items)
            && Self::count(&self.items) == self.size
            && Self::count(&self.spares) <= self.most_spares
    }
);

// As figure 3 of the paper has it: variables, loops, one check after the other.
stores!(
    Whole,
    Statements,
    fn rep_ok(&self) -> bool {
        let mut last = None;
        let mut node = &self.items;
        let mut count = 0;
        while let Some(this) = node {
            if last.is_some_and(|last| last > this.value) {
                return false;
            }
            count += 1;
            last = Some(this.value);
            node = &this.next;
        }
        if count != self.size {
            return false;
        }
        // The names are used again.
        let mut count = 0;
        let mut node = &self.spares;
        while let Some(this) = node {
            count += 1;
            node = &this.next;
        }
        if count > self.most_spares {
            return false;
        }
        return true;
    }
);

// Names of fields, and values that are returned early.
stores!(
    GuardedWhole,
    Guarded,
    fn rep_ok(&self) -> bool {
        let items = &self.items;
        let limit = self.most_spares;
        if self.size == 0 {
            return items.is_none();
        }
        let Some(first) = items else { return false };
        let mut last = first.value;
        let mut node = &first.next;
        let mut count = 1;
        while let Some(this) = node {
            if last > this.value {
                return false;
            }
            (last, node, count) = (this.value, &this.next, count + 1);
        }
        if count != self.size {
            return false;
        }
        let mut count = 0;
        let mut node = &self.spares;
        while let Some(this) = node {
            count += 1;
            node = &this.next;
        }
        count <= limit
    }
);

/// What each part is about, and what is about several.
fn sliced<T: Bounded>(bounds: &Bounds) -> (Vec<(String, Vec<&'static str>)>, Vec<&'static str>) {
    let mut search = Search::<T>::new(bounds, options(Default::default(), Disjoint::On)).unwrap();
    let slicing = search.slicing().unwrap().expect("it has parts");
    let parts = slicing.parts.into_iter().map(|part| (part.name, part.conjuncts.unwrap()));
    (parts.collect(), slicing.global.iter().map(|global| global.text).collect())
}

#[test]
fn statements_are_sliced_like_conjuncts() {
    for scope in 0..4 {
        let bounds = Bounds::scope(scope);
        let valid = smallscope::count::<Conjunction>(&bounds).valid as usize;
        assert_eq!(agrees::<Statements>(&bounds), valid, "{scope}");
        assert_eq!(smallscope::count::<Whole>(&bounds).valid as usize, valid);
    }
    let (parts, global) = sliced::<Statements>(&Bounds::scope(2));
    assert_eq!(
        parts,
        [
            ("items".to_owned(), vec!["let mut last = None; .."]),
            ("spares".to_owned(), vec!["let mut count = 0; .."])
        ]
    );
    assert!(global.is_empty());
}

/// The first conjunct of each list is about it; a value that is returned early binds what follows to its own part.
#[test]
fn values_that_are_returned_early_are_conjuncts() {
    for scope in 0..4 {
        let bounds = Bounds::scope(scope);
        let valid = smallscope::count::<GuardedWhole>(&bounds).valid as usize;
        assert_eq!(agrees::<Guarded>(&bounds), valid, "{scope}");
    }
    let (parts, global) = sliced::<Guarded>(&Bounds::scope(2));
    assert_eq!(parts[0].1.len(), 3, "{parts:?}");
    assert_eq!(parts[1].1, Vec::<&str>::new());
    // If the size is 0, the rest does not count.
    assert_eq!(global, ["let mut count = 0; .."]);
}

/// One search reads what it reads without the attribute, candidate for candidate.
#[test]
fn statements_keep_their_order() {
    stores!(
        Plain,
        Divided,
        fn rep_ok(&self) -> bool {
            if self.size > 2 {
                return false;
            }
            if self.spares.is_some() && self.most_spares == 0 {
                return false;
            }
            self.items.is_none() == (self.size == 0)
        }
    );
    let bounds = Bounds::scope(2);
    for engine in ENGINES {
        let mut options = options(engine, Disjoint::Off);
        options.lazy.order = false;
        assert_eq!(all::<Plain>(&bounds, options), all::<Divided>(&bounds, options), "{engine}");
        let count = |outcome: smallscope::Outcome| (outcome.explored, outcome.valid);
        let plain = Search::<Plain>::new(&bounds, options).unwrap().count().unwrap();
        let divided = Search::<Divided>::new(&bounds, options).unwrap().count().unwrap();
        assert_eq!(count(plain), count(divided), "{engine}");
    }
    let (parts, global) = sliced::<Divided>(&bounds);
    assert_eq!(parts.iter().map(|(_, conjuncts)| conjuncts.len()).collect::<Vec<_>>(), [2, 1]);
    assert!(global.is_empty());
    assert_eq!(parts[1].1, ["if self.spares.is_some() && self.most_spares == 0 { retur..."]);
}
