//! Values that are lent are built once, unless a test could have changed them.

use crate::options;
use smallscope::search::{Found, Kept, Owned, Search};
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, Check, Disjoint, rep_ok};
use std::cell::Cell;
use std::ops::ControlFlow;

thread_local! {
    static CHECKED: Cell<u64> = const { Cell::new(0) };
}

/// Counts how often its real invariant is run.
#[derive(Bounded, Debug, PartialEq, Clone)]
struct Counted {
    values: Vec<u8>,
}

#[rep_ok(opaque(CHECKED))]
impl Counted {
    fn rep_ok(&self) -> bool {
        note();
        self.values.len() < 4
    }
}

#[smallscope::mirror]
fn note() {
    CHECKED.with(|checked| checked.set(checked.get() + 1));
}

/// A test with a reference may change it.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Changeable {
    mark: Cell<bool>,
}

fn stream<T: Bounded, H: smallscope::search::Hold<T>>(bounds: u32, mut f: impl FnMut(&mut H)) -> u64 {
    let mut search =
        Search::<T>::new(&Bounds::scope(bounds), options(Default::default(), Disjoint::On)).unwrap();
    let mut place = H::default();
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
        search.hand(&mut place).unwrap();
        f(&mut place);
        place.done();
    }
    search.outcome().valid
}

#[test]
fn a_lent_value_is_built_and_checked_once() {
    type Two = Product<(Vec<u8>, Counted)>;
    let one = smallscope::count::<Counted>(3).valid;
    // All values of the first input, and then some.
    let mut seen = vec![];
    let before = CHECKED.get();
    let all = stream::<Two, (Kept<Vec<u8>>, Kept<Counted>)>(3, |(a, b)| {
        seen.push((a.get().clone(), b.get().clone()))
    });
    assert_eq!(all, one * one);
    let lent = CHECKED.get() - before;
    let owned = stream::<Two, (Kept<Vec<u8>>, Owned<Counted>)>(3, |(_, b)| drop(b.take()));
    assert_eq!(owned, all);
    assert!(CHECKED.get() - before - lent > all, "owned values are built each time");
    assert!(lent < 4 * one, "{lent} checks for {one} values");
    let mut direct = vec![];
    let options = options(Default::default(), Disjoint::Off);
    let mut search = Search::<Two>::new(&Bounds::scope(3), options).unwrap();
    while let Some(value) = search.next_value() {
        direct.push(value.unwrap().0);
    }
    direct.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.values.cmp(&b.1.values)));
    seen.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.values.cmp(&b.1.values)));
    assert_eq!(direct, seen);
}

#[test]
fn what_a_test_does_to_a_cell_does_not_survive() {
    let mut marked = 0;
    let report = Check::new("cells", 3).disjoint(Disjoint::On).environment::<&str, &str>([]).run(
        |a: &Changeable, b: &Changeable, _: u8| {
            marked += u64::from(a.mark.replace(true)) + u64::from(b.mark.replace(true));
        },
    );
    // Half of the values have the mark from the beginning.
    assert_eq!((report.tested, marked), (4 * 3, 4 * 3));
}
