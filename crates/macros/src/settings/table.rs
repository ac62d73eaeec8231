//! Every setting of a test: its name, the values it accepts, and where users can give it.
//!
//! Attribute keys, variables, command-line options and the tables in the book derive from this list. A procedural macro
//! cannot share a dependency with the crates it serves without delaying their builds, so the same file is in
//! `smallscope-macros` and in `smallscope-runner`; a test compares the two.

/// A key of `#[smallscope::test(..)]`.
pub(crate) const TEST: u8 = 1;
/// A key of `#[smallscope::sequences(..)]`.
pub(crate) const SEQUENCES: u8 = 2;
/// A variable, `SMALLSCOPE_` and the name in capitals.
pub(crate) const VARIABLE: u8 = 4;
/// An option of `cargo smallscope`, with dashes: `--max-states`.
pub(crate) const OPTION: u8 = 8;

/// A setting.
pub(crate) struct Setting {
    /// The name, as attributes write it.
    pub(crate) name: &'static str,
    /// What kind of value it takes.
    pub(crate) kind: Kind,
    /// A value, as attributes write it.
    pub(crate) example: &'static str,
    /// Where it can be given: a sum of [`TEST`], [`SEQUENCES`], [`VARIABLE`] and [`OPTION`].
    pub(crate) places: u8,
    /// What the value is, for messages: "`max` is a positive number of values".
    pub(crate) accepts: &'static str,
    /// What the setting does, in one line.
    pub(crate) help: &'static str,
}

/// A kind of value.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// An integer that is at least this large.
    Number(u64),
    /// A number greater than 0 and at most 1.
    Share,
    /// A number and a unit: `500ms`, `10s`, `2m`, `1h`.
    Time,
    /// Given or not: `audit`.
    Flag,
    /// Given, or `true` or `false`; `1` or `0` in a variable.
    Switch,
    /// One of several names. With a Rust enum, the enum and the variant of each name; without one, both are empty.
    Choice(&'static str, &'static [(&'static str, &'static str)]),
    /// The path of a file.
    File,
    /// Names with values in parentheses: `objects(Node = 5)`.
    List,
    /// A value that only the code for this setting can read.
    Other,
}

const fn setting(
    name: &'static str,
    kind: Kind,
    example: &'static str,
    places: u8,
    accepts: &'static str,
    help: &'static str,
) -> Setting {
    Setting { name, kind, example, places, accepts, help }
}

const ENGINES: Kind = Kind::Choice("Engine", &[("lazy", "Lazy"), ("owned", "Owned"), ("korat", "Korat")]);
const ORDERS: Kind = Kind::Choice("Order", &[("smallest", "Smallest"), ("single", "Single")]);
const CLASSES: Kind = Kind::Choice("Classes", &[("all", "All"), ("pruned", "Pruned"), ("one", "One")]);
const DISJOINT: Kind = Kind::Choice("Disjoint", &[("auto", "Auto"), ("on", "On"), ("off", "Off")]);
const CRITERIA: Kind = Kind::Choice(
    "",
    &[("decision", ""), ("condition", ""), ("mcdc", ""), ("cdc", ""), ("path", ""), ("simple-path", "")],
);
const STRATEGIES: Kind = Kind::Choice(
    "Which",
    &[
        ("states", "States"),
        ("be", "Be"),
        ("random", "Random"),
        ("random-paths", "RandomPaths"),
        ("bobw", "Bobw"),
    ],
);
const EXPLORATION_ORDERS: Kind =
    Kind::Choice("Order", &[("bfs", "Breadth"), ("dfs", "Depth"), ("random", "Random")]);
const COVERS: Kind = Kind::Choice(
    "Cover",
    &[("none", "Nothing"), ("blocks", "Blocks"), ("predicates", "Predicates"), ("llvm", "Llvm")],
);

/// All settings, in the order in which messages and tables list them.
#[rustfmt::skip]
pub(crate) const SETTINGS: &[Setting] = &[
    // How far a test goes.
    setting("scope", Kind::Number(0), "4", TEST | VARIABLE | OPTION, "a number of objects",
        "the number that sets all bounds"),
    setting("bounds", Kind::Other, "Bounds::exact()..", TEST, "an expression of type `Bounds`",
        "the bounds themselves"),
    setting("objects", Kind::List, "(Node = 5)", TEST, "numbers of objects",
        "the largest number of objects of a type"),
    setting("pool", Kind::List, "(\"cache\" = 2)", TEST, "numbers of objects",
        "the largest number of objects of a named pool"),
    setting("ints", Kind::List, "(Node.key = 0..=9)", TEST, "integers",
        "the integers of a field"),
    setting("len", Kind::List, "(Node.items = 0..=3)", TEST, "lengths",
        "the lengths of a field"),
    setting("alphabet", Kind::List, "(Node.name = \"ab\")", TEST, "characters",
        "the characters of a field"),
    setting("variants", Kind::List, "(Node.color = [\"Red\"])", TEST, "names of variants",
        "the variants of a field"),
    setting("nullable", Kind::List, "(Node.next = false)", TEST, "`true` or `false`",
        "whether an optional field may be empty"),
    setting("length", Kind::Number(1), "5", SEQUENCES | VARIABLE | OPTION, "a positive number of calls",
        "the number of calls of a sequence; for `states` the largest"),
    // What is tried.
    setting("strategy", STRATEGIES, "\"bobw\"", SEQUENCES | OPTION, "a strategy",
        "which sequences are run"),
    setting("tests", Kind::Number(1), "1000", SEQUENCES | OPTION, "a positive number of tests",
        "the largest number of tests"),
    setting("suite", Kind::File, "\"trees.suite\"", TEST, "the path of a file, relative to the folder of the package",
        "runs on the values of a saved suite instead of searching"),
    setting("engine", ENGINES, "\"korat\"", TEST | VARIABLE | OPTION, "an engine",
        "how the search decides the next candidate"),
    setting("order", ORDERS, "\"single\"", TEST | VARIABLE, "an order of the values",
        "scopes from 0 up, or one pass over all values"),
    setting("classes", CLASSES, "\"pruned\"", TEST | VARIABLE | OPTION, "a treatment of classes",
        "all values, one for each reason to be in a class, or one per class"),
    setting("order_types", Kind::Flag, "", TEST, "a flag",
        "one value per order type of the keys"),
    setting("sparse", Kind::Number(0), "1000", TEST | VARIABLE, "a number of values",
        "tries values from all over the bounds before the search"),
    setting("disjoint", DISJOINT, "\"off\"", TEST | VARIABLE | OPTION, "a treatment of disjoint parts",
        "whether disjoint parts are searched on their own and combined"),
    setting("criterion", CRITERIA, "\"cdc\"", TEST | OPTION, "a criterion",
        "keeps some values of each class of a coverage criterion"),
    setting("ratio", Kind::Share, "0.1", TEST | OPTION, "a share of the values, greater than 0 and at most 1",
        "how many values the criterion keeps: a share of all"),
    setting("size", Kind::Number(1), "100", TEST | OPTION, "a positive number of values",
        "how many values the criterion keeps in all"),
    setting("per_class", Kind::Number(1), "1", TEST | OPTION, "a positive number of values",
        "how many values of each class the criterion keeps"),
    setting("seed", Kind::Number(0), "7", TEST | SEQUENCES | VARIABLE | OPTION, "a number",
        "the seed of random choices"),
    // States of call sequences.
    setting("abstraction", Kind::Other, "\"shape\"", SEQUENCES | OPTION, "an abstraction",
        "decides which states are equal"),
    setting("fields", Kind::Other, "[\"red\"]", SEQUENCES | OPTION, "names of fields",
        "the fields that count besides the shape"),
    setting("order", EXPLORATION_ORDERS, "\"dfs\"", SEQUENCES | OPTION, "an order of the states",
        "the order in which states are explored"),
    setting("exact", Kind::Flag, "", SEQUENCES | OPTION, "a flag",
        "compares whole linearizations instead of fingerprints"),
    setting("cover", COVERS, "\"blocks\"", SEQUENCES | VARIABLE | OPTION, "a kind of coverage",
        "which code under test is observed"),
    // When a test stops.
    setting("max", Kind::Number(1), "1000", TEST | VARIABLE | OPTION, "a positive number of values",
        "stops after this many values"),
    setting("max_states", Kind::Number(1), "100_000", SEQUENCES | OPTION, "a positive number of states",
        "stops after this many states"),
    setting("budget", Kind::Time, "\"10s\"", TEST | SEQUENCES | VARIABLE | OPTION, "a time",
        "stops after this time"),
    setting("call_limit", Kind::Time, "\"10s\"", SEQUENCES | VARIABLE | OPTION, "a time",
        "a call that takes longer counts as one that does not return"),
    setting("shard", Kind::Other, "2/3", VARIABLE | OPTION, "`k/n` with k from 1 to n",
        "every n-th value, beginning with the k-th"),
    // How a test runs, and what it reports.
    setting("threads", Kind::Number(1), "1", TEST | SEQUENCES | VARIABLE | OPTION, "a positive number of threads",
        "the largest number of threads"),
    setting("clusters", Kind::Switch, "", TEST | SEQUENCES | VARIABLE | OPTION, "a switch",
        "continues after failures, and groups them"),
    setting("audit", Kind::Flag, "", TEST, "a flag",
        "builds rejected candidates, and checks that the real invariant rejects them"),
    setting("replay", Kind::Other, "3:1.0.2", VARIABLE, "a position or a sequence of calls, as reports print them",
        "runs one value or one sequence again"),
    setting("progress", Kind::Switch, "", VARIABLE, "a switch",
        "prints a line per second on stderr"),
    setting("report", Kind::File, "out.jsonl", VARIABLE, "the path of a file",
        "appends one line of JSON per test"),
    setting("crate", Kind::Other, "path", TEST | SEQUENCES, "a path",
        "the path of the `smallscope` crate"),
];
