//! The idioms that the generator knows, and how often they were used.

use std::collections::BTreeMap;

/// Kinds of types, fields and code. A run that does not use one of them fails.
pub const IDIOMS: &[&str] = &[
    // Kinds of programs.
    "flat",
    "list",
    "tree",
    "rose tree",
    "expression",
    "shared",
    "raw pointers",
    "arena",
    "parts",
    // Fields.
    "integer",
    "bool",
    "char",
    "plain enum",
    "Key",
    "String",
    "Option of data",
    "tuple",
    "array",
    "Vec of data",
    "VecDeque",
    "boxed slice",
    "Cell",
    "RefCell",
    "HashSet",
    "BTreeSet",
    "HashMap",
    "BTreeMap",
    "struct by value",
    "tuple struct",
    "enum with payloads",
    "Option of an enum",
    "Vec of structures",
    "Box",
    "Rc",
    "Arc",
    "Weak",
    "pointer to data",
    "nested vectors",
    "listed values",
    "unit and phantom",
    "shared RefCell",
    "shared node",
    "raw pointer beside boxes",
    "NonNull",
    "derived field",
    "type parameter",
    "non-null pointer",
    // Bounds.
    "bounds in attributes",
    "bounds in the test",
    "number of objects",
    "bounds on variants",
    "named pool",
    "several owners",
    "enum as the root",
    "tuple struct as the root",
    // Bodies.
    "conjunction",
    "disjunction",
    "if and else",
    "early return",
    "early return of true",
    "statements as conjuncts",
    "statement that returns a value",
    "result in a variable",
    "named invariant",
    "let else",
    "let chain",
    "labelled block",
    "labelled loop",
    "loop with break",
    "question mark",
    "accumulator",
    "nested loops",
    "local function",
    "closure in a variable",
    "closure that captures",
    "shadowing",
    "nested conditions",
    // Helpers.
    "function of the block",
    "method of the block",
    "mirrored impl",
    "mirrored impl of a trait",
    "mirrored function",
    "mirrored iterator",
    "recursion",
    "recursion with an accumulator",
    "recursion with bounds",
    "opaque type",
    "bare variants",
    "structures compared",
    "invariant of a part",
    "unchecked part",
    // Patterns.
    "match on an integer",
    "match on an enum",
    "match on a tuple",
    "match guard",
    "binding with @",
    "alternatives",
    "if let",
    "while let",
    "matches!",
    "destructured struct",
    "slice pattern",
    "nested pattern",
    // Data.
    "comparison with a constant",
    "comparison of fields",
    "arithmetic",
    "range contains",
    "cast",
    "ordering",
    "min and max",
    "checked arithmetic",
    "bit operations",
    // Iterators and containers.
    "all",
    "any",
    "for",
    "for over indices",
    "windows",
    "zip",
    "enumerate",
    "filter and count",
    "map and sum",
    "fold",
    "rev and skip",
    "take_while",
    "position",
    "max",
    "first and last",
    "get",
    "indexing",
    "is_sorted",
    "chunks",
    "collect",
    "flat_map",
    "sub-slice",
    "contains",
    "two sets",
    "key of a set",
    "map entries",
    "map lookup",
    "map values",
    "characters",
    "text methods",
    // Links.
    "walk with a counter",
    "visited set",
    "set of addresses",
    "ptr_eq",
    "upgrade",
    "walk over places",
    "unsafe dereference",
];

/// How many programs use each idiom.
#[derive(Default)]
pub struct Tally {
    of_program: Vec<&'static str>,
    pub programs: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// Notes that the current program uses an idiom.
    pub fn note(&mut self, idiom: &'static str) {
        assert!(IDIOMS.contains(&idiom), "`{idiom}` is not in the list of idioms");
        if !self.of_program.contains(&idiom) {
            self.of_program.push(idiom);
        }
    }

    pub fn end_program(&mut self) {
        for idiom in self.of_program.drain(..) {
            *self.programs.entry(idiom).or_default() += 1;
        }
    }

    pub fn unused(&self) -> Vec<&'static str> {
        IDIOMS.iter().copied().filter(|idiom| !self.programs.contains_key(idiom)).collect()
    }
}
