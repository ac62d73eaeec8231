//! The published sizes of reduced suites.

use crate::binomial_heap::BinomialHeap;
use smallscope::Bounds;
use smallscope::search::{AnySearch, Options, Search};
use smallscope::structures::Product;

/// A row of the tables VI, VIII, X, XII and XIV of the STVR paper, for one criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReductionRow {
    /// The table.
    pub table: &'static str,
    /// The structure's name.
    pub structure: &'static str,
    /// The finitization's arguments.
    pub args: Vec<i64>,
    /// How many values there are.
    pub all: u64,
    /// The criterion.
    pub criterion: &'static str,
    /// How many a ratio of 0.1 keeps.
    pub tenth: u64,
    /// The same for 0.01.
    pub hundredth: u64,
    /// How many classes there are.
    pub classes: u64,
}

impl ReductionRow {
    /// A search for the values. Pairs of heaps are two arguments of a test, as in the paper, so the class of a pair
    /// combines the classes of both.
    ///
    /// # Panics
    ///
    /// If there is no such structure, or it does not have such arguments.
    pub fn search(&self, options: Options) -> AnySearch {
        if self.structure == TWO_HEAPS {
            let bounds = Bounds::arguments(crate::binomial_heap::bounds(self.args[0]), &["first", "second"]);
            let search = Search::<Product<(BinomialHeap, BinomialHeap)>>::new(&bounds, options);
            return search.unwrap_or_else(|e| panic!("{e}")).into_any();
        }
        let structure =
            crate::structure(self.structure).expect("the table names structures of the catalogue");
        (structure.open)(&(structure.bounds)(&self.args), options).unwrap_or_else(|e| panic!("{e}"))
    }
}

/// The name of pairs of heaps in the table.
const TWO_HEAPS: &str = "two binomial-heaps";

/// The published rows.
///
/// ```
/// let rows = smallscope_catalogue::reductions();
/// let row = rows.iter().find(|r| r.table == "VIII" && r.args == [3] && r.criterion == "cdc").unwrap();
/// assert_eq!((row.all, row.tenth, row.hundredth, row.classes), (84, 8, 4, 4));
/// ```
pub fn reductions() -> Vec<ReductionRow> {
    let rows = include_str!("../reduction.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[table, structure, args, all, criterion, tenth, hundredth, classes] = &fields[..] else {
            panic!("eight columns: {line}")
        };
        let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{text} is no number: {line}"));
        let args = args.split(',').map(|arg| arg.parse().expect("arguments are numbers")).collect();
        let [all, tenth, hundredth, classes] = [all, tenth, hundredth, classes].map(number);
        ReductionRow { table, structure, args, all, criterion, tenth, hundredth, classes }
    })
    .collect()
}
