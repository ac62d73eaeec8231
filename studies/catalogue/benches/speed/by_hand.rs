//! Generators written by hand for one structure each: loops and recursion that make no invalid value. A search that only
//! has the invariant cannot be faster.

mod heap_arrays;
mod search_trees;
mod sorted_lists;

use smallscope::Bounded;
use smallscope::search::{Options, Search};
use smallscope_catalogue::structure;
use std::hint::black_box;

/// A way to make every value of a structure of the catalogue.
trait Generator {
    /// The structure.
    const STRUCTURE: &'static str;
    /// Arguments for which the values are compared with those of the catalogue.
    const SMALL: &'static [&'static [i64]];
    /// The flat representation of a value.
    type Key;
    /// A value.
    type Value;
    /// The catalogue's type of values.
    type InCatalogue: Bounded;
    /// Enumerates all values as flat arrays, within the bounds that these arguments stand for.
    fn each(args: &[i64], visit: &mut impl FnMut(&[Self::Key]));
    /// The value of a flat array.
    fn build(keys: &[Self::Key]) -> Self::Value;
    /// A value as text.
    fn text(value: &Self::Value) -> String;
    /// The same for the catalogue's.
    fn text_in_catalogue(value: &Self::InCatalogue) -> String;
}

/// A generator without its types.
pub struct ByHand {
    structure: &'static str,
    /// Enumerates all values as flat arrays, and returns their number.
    pub visit: fn(&[i64]) -> u64,
    /// Builds and drops every value, and returns their number.
    pub build: fn(&[i64]) -> u64,
    check: fn(),
}

static GENERATORS: [ByHand; 3] = [
    ByHand::of::<heap_arrays::HeapArrays>(),
    ByHand::of::<search_trees::SearchTrees>(),
    ByHand::of::<sorted_lists::SortedLists>(),
];

/// The generator for a structure, if there is one.
pub fn generator(structure: &str) -> Option<&'static ByHand> {
    GENERATORS.iter().find(|g| g.structure == structure)
}

/// Panics if a generator does not make the values of the catalogue, at small scopes.
pub fn check() {
    GENERATORS.iter().for_each(|g| (g.check)());
}

impl ByHand {
    const fn of<G: Generator>() -> Self {
        ByHand { structure: G::STRUCTURE, visit: visit::<G>, build: build::<G>, check: check_one::<G> }
    }
}

fn visit<G: Generator>(args: &[i64]) -> u64 {
    let mut count = 0;
    G::each(args, &mut |keys| {
        black_box(keys);
        count += 1;
    });
    count
}

fn build<G: Generator>(args: &[i64]) -> u64 {
    let mut count = 0;
    G::each(args, &mut |keys| {
        black_box(G::build(keys));
        count += 1;
    });
    count
}

fn check_one<G: Generator>() {
    let structure = structure(G::STRUCTURE).expect("the catalogue has it");
    for args in G::SMALL {
        let mut ours = vec![];
        G::each(args, &mut |keys| ours.push(G::text(&G::build(keys))));
        let bounds = (structure.bounds)(args);
        let mut search =
            Search::<G::InCatalogue>::new(&bounds, Options::korat()).unwrap_or_else(|e| panic!("{e}"));
        let mut theirs = vec![];
        while let Some(value) = search.next_value() {
            theirs.push(G::text_in_catalogue(&value.unwrap_or_else(|e| panic!("{e}"))));
        }
        let count = search.outcome().valid;
        let counts = [ours.len() as u64, visit::<G>(args), build::<G>(args)];
        assert_eq!(counts, [count; 3], "{} {args:?}: values by hand and in the catalogue", G::STRUCTURE);
        ours.sort();
        theirs.sort();
        assert!(
            ours == theirs,
            "{} {args:?}: the values by hand are not those of the catalogue",
            G::STRUCTURE
        );
    }
}
