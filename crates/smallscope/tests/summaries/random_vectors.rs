//! Random predicates on trees with vectors of structures, against the plain search.

use super::bush::{Bush, bushes, predicate};
use super::random::{number, seeded};
use super::{candidates, on, report};
use smallscope::search::Options;
use smallscope::summaries::with_limits;

#[test]
fn random_predicates_on_vectors_have_the_same_values_with_and_without_summaries() {
    let mut random = seeded(23);
    let (mut values, mut summarised) = (0, 0);
    for i in 0..number() {
        let program = predicate(&mut |most| random.below(most));
        let bounds = bushes(2 + random.below(2) as u32);
        let plain = candidates::<Bush>(&bounds, Options::default()).unwrap().0;
        let limits = random.limits();
        let with = with_limits(limits, || candidates::<Bush>(&bounds, on())).unwrap();
        assert!(plain == with.0, "predicate {i}, {program:?}, {limits:?}");
        values += plain.len();
        summarised += usize::from(with_limits(limits, || report::<Bush>(&bounds)).is_ok());
    }
    assert!(values > 0 && summarised > 0);
    println!("{} predicates, {summarised} summarised, {values} values", number());
}
