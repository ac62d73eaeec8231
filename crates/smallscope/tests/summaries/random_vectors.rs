//! Random predicates on trees with vectors of structures and of boxes, against the plain search.

use super::bush::{Bush, Thicket, bushes, predicate};
use super::random::{number, seeded};
use super::{candidates, on, report};
use smallscope::Bounded;
use smallscope::search::Options;
use smallscope::summaries::with_limits;

fn compare<T: Bounded>(of: &str, seed: u64) {
    let mut random = seeded(seed);
    let (mut values, mut summarised) = (0, 0);
    for i in 0..number() / 2 {
        let program = predicate(&mut |most| random.below(most));
        let bounds = bushes(of, 2 + random.below(2) as u32);
        let plain = candidates::<T>(&bounds, Options::default()).unwrap().0;
        let limits = random.limits();
        let with = with_limits(limits, || candidates::<T>(&bounds, on())).unwrap();
        assert!(plain == with.0, "predicate {i}, {program:?}, {limits:?}");
        values += plain.len();
        summarised += usize::from(with_limits(limits, || report::<T>(&bounds)).is_ok());
    }
    assert!(values > 0 && summarised > 0);
    println!("{} predicates, {summarised} summarised, {values} values", number() / 2);
}

#[test]
fn random_predicates_on_vectors_have_the_same_values_with_and_without_summaries() {
    compare::<Bush>("Branch", 23);
}

#[test]
fn random_predicates_on_vectors_of_boxes_have_the_same_values_with_and_without_summaries() {
    compare::<Thicket>("Bough", 29);
}
