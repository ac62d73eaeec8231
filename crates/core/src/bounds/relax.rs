//! Wider bounds near some bounds, for reports that nothing within them is valid.

use super::{Bound, Bounds, IntSet};

/// Bounds that differ in one place from others.
pub struct Relaxed {
    /// The difference, as the test attribute writes it.
    pub text: String,
    /// The bounds.
    pub bounds: Bounds,
}

/// Returns the bounds in which one bound that is a number is larger by `by`, for each such bound.
pub fn raised(bounds: &Bounds, by: u32) -> Vec<Relaxed> {
    let raise = |set: &IntSet| match set {
        IntSet::Range(lo, hi) => Some(IntSet::Range(*lo, hi + i128::from(by))),
        IntSet::List(_) => None,
    };
    let raised = |bound: &Bound| match bound {
        Bound::Objects(n) => n.checked_add(by).map(Bound::Objects),
        Bound::Pool(n) => n.checked_add(by).map(Bound::Pool),
        Bound::Ints(set) => raise(set).map(Bound::Ints),
        Bound::Lengths(set) => raise(set).map(Bound::Lengths),
        Bound::Long(_) | Bound::Alphabet(_) | Bound::Variants(_) | Bound::Nullable(_) => None,
        Bound::EdgeInts(_) | Bound::EdgeCharacters(_) => None,
    };
    let mut relaxed = vec![];
    for (i, given) in bounds.given.iter().enumerate() {
        if let Some(bound) = raised(&given.bound) {
            let text = attribute(&given.name, &bound);
            let mut bounds = bounds.clone();
            bounds.given[i].bound = bound;
            relaxed.push(Relaxed { text, bounds });
        }
    }
    relaxed
}

/// Returns the bounds without one bound, for each; none if there is no scope number to take its place.
pub fn without(bounds: &Bounds) -> Vec<Relaxed> {
    let mut relaxed = vec![];
    if bounds.scope.is_some() {
        for i in 0..bounds.given.len() {
            let mut bounds = bounds.clone();
            let given = bounds.given.remove(i);
            // A search does not see long lengths.
            if !matches!(given.bound, Bound::Long(_)) {
                relaxed.push(Relaxed { text: attribute(&given.name, &given.bound), bounds });
            }
        }
    }
    relaxed
}

/// A bound as the test attribute writes it.
fn attribute(name: &str, bound: &Bound) -> String {
    match bound {
        Bound::Objects(n) => format!("objects({name} = {n})"),
        Bound::Pool(n) => format!("pool(\"{name}\" = {n})"),
        Bound::Ints(set) => format!("ints({name} = {set})"),
        Bound::Lengths(set) => format!("len({name} = {set})"),
        Bound::Long(set) => format!("len({name} = [.., {set}])"),
        Bound::Alphabet(letters) => format!("alphabet({name} = {letters:?})"),
        Bound::Variants(variants) => format!("variants({name} = {variants:?})"),
        Bound::Nullable(yes) => format!("nullable({name} = {yes})"),
        Bound::EdgeInts(set) => format!("edge_ints({name} = {set})"),
        Bound::EdgeCharacters(letters) => format!("edge_chars({name} = {letters:?})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(relaxed: Vec<Relaxed>) -> Vec<(String, String)> {
        relaxed.into_iter().map(|Relaxed { text, bounds }| (text, bounds.to_string())).collect()
    }

    #[test]
    fn one_bound_at_a_time() {
        let bounds = Bounds::scope(2).objects("Node", 3).ints("Node.key", [1, 2]).len("Node.items", 0..=1);
        let pair = |text: &str, bounds: &str| (text.to_owned(), bounds.to_owned());
        assert_eq!(
            texts(raised(&bounds, 2)),
            [
                pair(
                    "objects(Node = 5)",
                    "scope 2\nobjects Node = 5\nints Node.key = [1, 2]\nlen Node.items = 0..=1"
                ),
                pair(
                    "len(Node.items = 0..=3)",
                    "scope 2\nobjects Node = 3\nints Node.key = [1, 2]\nlen Node.items = 0..=3"
                ),
            ]
        );
        let without = texts(without(&bounds));
        assert_eq!(without.len(), 3);
        assert_eq!(
            without[1],
            pair("ints(Node.key = [1, 2])", "scope 2\nobjects Node = 3\nlen Node.items = 0..=1")
        );
        assert_eq!(texts(super::without(&Bounds::exact().objects("Node", 3))), []);
        assert_eq!(texts(super::without(&Bounds::scope(2).filled("Node.items", [64]))), []);
    }
}
