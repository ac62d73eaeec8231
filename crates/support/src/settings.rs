//! Every setting of a run: its name, the values that it accepts, and where users give it.
//!
//! Attribute keys, variables, command-line options, the requests of the tool and the page "Settings" of the book derive
//! from [`SETTINGS`].

use std::fmt::Write;
use std::ops::RangeInclusive;

/// A key of `#[smallscope::test(..)]`.
pub const TEST: u8 = 1;
/// A key of `#[smallscope::sequences(..)]`.
pub const SEQUENCES: u8 = 2;
/// A variable: `SMALLSCOPE_` and the name in capitals.
pub const VARIABLE: u8 = 4;
/// An option of `cargo smallscope run`, with dashes: `--per-class`.
pub const RUN: u8 = 8;
/// An option of `cargo smallscope sequences run`.
pub const SEQUENCES_RUN: u8 = 16;

/// What every variable begins with.
pub const PREFIX: &str = "SMALLSCOPE_";

/// A setting.
#[derive(Debug)]
pub struct Setting {
    /// The name, as attributes write it.
    pub name: &'static str,
    /// What kind of value it takes.
    pub kind: Kind,
    /// A value, as attributes write it.
    pub example: &'static str,
    /// Where it can be given: a sum of [`TEST`], [`SEQUENCES`], [`VARIABLE`], [`RUN`] and [`SEQUENCES_RUN`].
    pub places: u8,
    /// What the value is, for messages: "`max` is a positive number of values".
    pub accepts: &'static str,
    /// What the setting does, in one line.
    pub help: &'static str,
    /// The place in the book with more about it, or nothing.
    pub see: &'static str,
}

/// A kind of value.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// An integer that is at least this large.
    Number(u64),
    /// An integer that is neither smaller than the first nor larger than the second.
    NumberIn(u64, u64),
    /// A number greater than 0 and at most 1.
    Share,
    /// A number and a unit: `500ms`, `10s`, `2m`, `1h`.
    Time,
    /// The same, or `none`.
    Budget,
    /// A size with a unit: `500 MB`, `2 GB`.
    Memory,
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

/// More threads are of no use, and each has a stack.
pub const MOST_THREADS: u64 = 1024;

impl Setting {
    /// Whether it can be given in a place.
    pub const fn is_in(&self, place: u8) -> bool {
        self.places & place != 0
    }

    /// The name of its variable.
    pub fn variable(&self) -> String {
        format!("{PREFIX}{}", self.name.to_uppercase())
    }

    /// The name of its option.
    #[inline]
    pub fn option(&self) -> String {
        format!("--{}", self.name.replace('_', "-"))
    }

    /// The numbers that it accepts, if its value is a number.
    pub const fn numbers(&self) -> RangeInclusive<u64> {
        match self.kind {
            Kind::Number(least) => least..=u64::MAX,
            Kind::NumberIn(least, most) => least..=most,
            _ => 0..=u64::MAX,
        }
    }

    /// The values that a variable or an option accepts, for messages: "a time, such as `10s`".
    pub fn accepted(&self) -> String {
        let mut example = String::new();
        for c in self.example.trim_matches('"').chars() {
            if c != '_' {
                example.push(c);
            }
        }
        match self.kind {
            Kind::Choice(_, names) => alternatives(names),
            Kind::Switch | Kind::Flag => "`1` or `0`".to_owned(),
            Kind::Time => format!("{}, such as `500ms`, `10s`, `2m` or `1h`", self.accepts),
            Kind::Budget => format!("{}, such as `500ms`, `10s`, `2m`, `1h` or `none`", self.accepts),
            Kind::Memory => format!("{}, such as `500 MB` or `2 GB`", self.accepts),
            _ if example.is_empty() => self.accepts.to_owned(),
            _ => format!("{}, such as `{example}`", self.accepts),
        }
    }
}

/// The setting with this name in one of these places.
pub fn find(name: &str, places: u8) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name && setting.is_in(places))
}

/// The settings that can be given in one of these places, in the order of the table.
pub fn in_places(places: u8) -> impl Iterator<Item = &'static Setting> {
    SETTINGS.iter().filter(move |setting| setting.is_in(places))
}

/// "`a`", "`a` or `b`", "`a`, `b` or `c`".
fn alternatives(names: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (i, (name, _)) in names.iter().enumerate() {
        let separator = match i {
            0 => "",
            _ if i + 1 == names.len() => " or ",
            _ => ", ",
        };
        let _ = write!(text, "{separator}`{name}`");
    }
    text
}

/// The table of the book: a row per setting, with the places where it can be given.
#[inline]
pub fn book_table() -> String {
    let mut out =
        String::from("| in an attribute | variable | option | value | meaning |\n|---|---|---|---|---|\n");
    let code = |shown: bool, text: String| if shown { format!("`{text}`") } else { String::new() };
    for setting in SETTINGS {
        let Setting { name, kind, example, accepts, help, see, .. } = setting;
        let key = match kind {
            Kind::Flag | Kind::Switch => (*name).to_owned(),
            Kind::List => format!("{name}{example}"),
            _ => format!("{name} = {example}"),
        };
        let value = match kind {
            Kind::Flag | Kind::Switch => String::new(),
            Kind::Choice(..) => setting.accepted(),
            Kind::Time => format!("{accepts}: `ms`, `s`, `m` or `h`"),
            Kind::Budget => format!("{accepts}: `ms`, `s`, `m` or `h`; or `none`"),
            Kind::Memory => format!("{accepts}: `kB`, `MB`, `GB`, `TB`, or `MiB`, `GiB`"),
            _ => (*accepts).to_owned(),
        };
        let see = if see.is_empty() { String::new() } else { format!(" ([more]({see}))") };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {value} | {help}{see} |",
            code(setting.is_in(TEST | SEQUENCES), key),
            code(setting.is_in(VARIABLE), setting.variable()),
            code(setting.is_in(RUN | SEQUENCES_RUN), setting.option()),
        );
    }
    out
}

const fn setting(
    name: &'static str,
    kind: Kind,
    example: &'static str,
    places: u8,
    accepts: &'static str,
    help: &'static str,
    see: &'static str,
) -> Setting {
    Setting { name, kind, example, places, accepts, help, see }
}

const ENGINES: Kind = Kind::Choice("Engine", &[("lazy", "Lazy"), ("owned", "Owned"), ("korat", "Korat")]);
const ORDERS: Kind = Kind::Choice("Order", &[("smallest", "Smallest"), ("single", "Single")]);
const CLASSES: Kind = Kind::Choice("Classes", &[("all", "All"), ("pruned", "Pruned"), ("one", "One")]);
const SUMMARIES: Kind = Kind::Choice("Summaries", &[("auto", "Auto"), ("on", "On"), ("off", "Off")]);
const DISJOINT: Kind = Kind::Choice("Disjoint", &[("auto", "Auto"), ("on", "On"), ("off", "Off")]);
const CRITERIA: Kind = Kind::Choice(
    "",
    &[("decision", ""), ("condition", ""), ("mcdc", ""), ("cdc", ""), ("path", ""), ("simple-path", "")],
);
const CHOICES: Kind = Kind::Choice("", &[("first", ""), ("random", "")]);
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
    Kind::Choice("Traversal", &[("bfs", "Breadth"), ("dfs", "Depth"), ("random", "Random")]);
const COVERS: Kind = Kind::Choice(
    "Cover",
    &[("none", "Nothing"), ("blocks", "Blocks"), ("predicates", "Predicates"), ("llvm", "Llvm")],
);

/// All settings, in the order in which messages and tables list them.
#[rustfmt::skip]
pub const SETTINGS: &[Setting] = &[
    // How far a run goes.
    setting("scope", Kind::Number(0), "4", TEST | VARIABLE | RUN,
        "a number of objects",
        "the number that sets all bounds", "bounds.md"),
    setting("size", Kind::Number(0), "6", TEST | VARIABLE | RUN,
        "a number of objects and elements",
        "the largest number of objects and elements of sequences in a value, all counted together; instead of `scope`",
        "bounds.md#a-size-for-everything"),
    setting("bounds", Kind::Other, "Bounds::exact()..", TEST,
        "an expression of type `Bounds`",
        "the bounds, instead of `scope`", "bounds.md"),
    setting("objects", Kind::List, "(Node = 5)", TEST,
        "numbers of objects",
        "the largest number of objects of a type", "bounds.md#in-the-test-attribute"),
    setting("pool", Kind::List, "(\"cache\" = 2)", TEST,
        "numbers of objects",
        "the largest number of objects of a named pool", "bounds.md#in-the-test-attribute"),
    setting("ints", Kind::List, "(Node.key = 0..=9)", TEST,
        "integers",
        "the integers of a field", "bounds.md#in-the-test-attribute"),
    setting("len", Kind::List, "(Node.items = 0..=3)", TEST | RUN,
        "lengths",
        "the lengths of a field", "bounds.md#in-the-test-attribute"),
    setting("alphabet", Kind::List, "(Node.name = \"ab\")", TEST,
        "characters",
        "the characters of a field", "bounds.md#in-the-test-attribute"),
    setting("variants", Kind::List, "(Node.color = [\"Red\"])", TEST,
        "names of variants",
        "the variants of a field", "bounds.md#in-the-test-attribute"),
    setting("nullable", Kind::List, "(Node.next = false)", TEST,
        "`true` or `false`",
        "whether an optional field may be empty", "bounds.md#in-the-test-attribute"),
    setting("edge_ints", Kind::List, "(Node.key = [1000])", TEST,
        "integers",
        "more edge values of a field", "bounds.md#edge-values"),
    setting("edge_chars", Kind::List, "(Node.name = \"ß\")", TEST,
        "characters",
        "more edge values of a field", "bounds.md#edge-values"),
    setting("length", Kind::Number(1), "5", SEQUENCES | VARIABLE | SEQUENCES_RUN,
        "a positive number of calls",
        "the number of calls of a sequence; for the strategy `states` the largest", "call-sequences.md#the-attribute-sequences"),
    // What is tried.
    setting("strategy", STRATEGIES, "\"bobw\"", SEQUENCES | SEQUENCES_RUN,
        "a strategy",
        "which sequences are run: those that lead to a new state (`states`), all of a length in order (`be`) or in random \
         order (`bobw`), random ones (`random`), or random ones with methods drawn before their arguments (`random-paths`)",
        "call-sequences.md"),
    setting("tests", Kind::Number(1), "1000", SEQUENCES | SEQUENCES_RUN,
        "a positive number of tests",
        "the largest number of tests", ""),
    setting("suite", Kind::File, "\"trees.suite\"", TEST,
        "the path of a file, relative to the folder of the package",
        "run on the values of a saved suite instead of searching", "running-tests.md#tests-on-saved-suites"),
    setting("engine", ENGINES, "\"korat\"", TEST | VARIABLE | RUN,
        "an engine",
        "how the search decides the next candidate: by the questions of the invariant (`lazy`), by values with ownership \
         (`owned`), or as published (`korat`)", "search.md#three-engines"),
    setting("order", ORDERS, "\"single\"", TEST | VARIABLE,
        "an order of the values",
        "scopes from 0 up (`smallest`), or one pass over all values (`single`)", "running-tests.md"),
    setting("classes", CLASSES, "\"pruned\"", TEST | VARIABLE | RUN,
        "a treatment of classes",
        "for structures with `#[eq_class]`: all values, counted by class (`all`), one for each reason to be in a class \
         (`pruned`), or one per class (`one`)", "classes.md"),
    setting("order_types", Kind::Flag, "", TEST,
        "a flag",
        "one value per order type of the keys", "order-types.md"),
    setting("one_per_path", Kind::Flag, "", RUN,
        "a flag",
        "one value per path: the first of all values that one run of the invariant stands for (engine `lazy` only)",
        "tool.md"),
    setting("sparse", Kind::Number(0), "1000", TEST | VARIABLE,
        "a number of values",
        "try this many values from all over the bounds before the search", "running-tests.md#sparse-first"),
    setting("sample", Kind::Number(0), "1000", TEST | VARIABLE,
        "a number of values",
        "try this many random values of a larger size after the search", "summaries.md#random-values-in-tests"),
    setting("sample_size", Kind::Number(1), "64", TEST | VARIABLE,
        "a positive number of objects",
        "how many objects the random values of `sample` have; 32 by default", "summaries.md#random-values-in-tests"),
    setting("edges", Kind::Switch, "", TEST | VARIABLE,
        "a switch",
        "try values at the ends of their types after the search; on by default, `edges = false` turns it off",
        "bounds.md#edge-values"),
    setting("disjoint", DISJOINT, "\"off\"", TEST | VARIABLE | RUN,
        "a treatment of disjoint parts",
        "whether disjoint parts, such as arguments, are searched on their own and combined: where that pays (`auto`), `on` \
         or `off`; as an option `on`", "disjoint.md"),
    setting("summaries", SUMMARIES, "\"auto\"", TEST | VARIABLE | RUN,
        "a treatment of helpers",
        "whether helpers of the invariant are answered for whole groups of subtrees: where that pays (`auto`), `on` or \
         `off`; by default tests try it after a pass with many runs", "summaries.md"),
    setting("criterion", CRITERIA, "\"cdc\"", TEST | RUN,
        "a criterion",
        "keep some values of each class of a coverage criterion", "reducing.md"),
    setting("ratio", Kind::Share, "0.1", TEST | RUN,
        "a share of the values, greater than 0 and at most 1",
        "keep this share of all values, divided equally among the classes of the criterion",
        "reducing.md#size-of-the-reduced-suite"),
    setting("keep", Kind::Number(1), "100", TEST | RUN,
        "a positive number of values",
        "keep this many values in all, divided equally among the classes of the criterion",
        "reducing.md#size-of-the-reduced-suite"),
    setting("per_class", Kind::Number(1), "1", TEST | RUN,
        "a positive number of values",
        "keep this many values of each class of the criterion", "reducing.md#size-of-the-reduced-suite"),
    setting("choice", CHOICES, "\"random\"", RUN,
        "a choice",
        "which values of a class are kept: the first in the order of the search, or random ones",
        "reducing.md#size-of-the-reduced-suite"),
    setting("seed", Kind::Number(0), "7", TEST | SEQUENCES | VARIABLE | RUN | SEQUENCES_RUN,
        "a number",
        "the seed of random choices", ""),
    // Which part of it.
    setting("from", Kind::Other, "1.0.2", RUN | SEQUENCES_RUN,
        "a position",
        "begin at this position; a run that stops early prints one", ""),
    setting("to", Kind::Other, "2.0.0", RUN | SEQUENCES_RUN,
        "a position",
        "end before this position", ""),
    setting("shard", Kind::Other, "2/8", VARIABLE | SEQUENCES_RUN,
        "`k/n` with k from 1 to n, or `auto`",
        "run one of n parts: every n-th value, beginning with the k-th, or a range of the sequences", ""),
    // States of call sequences.
    setting("abstraction", Kind::Other, "\"shape\"", SEQUENCES | SEQUENCES_RUN,
        "an abstraction",
        "which states are equal: `complete`, `shape` or `classical`", "state-matching.md"),
    setting("fields", Kind::Other, "[\"red\"]", SEQUENCES | SEQUENCES_RUN,
        "names of fields",
        "the fields that count besides the shape", "state-matching.md"),
    setting("vouched", Kind::Flag, "", SEQUENCES,
        "a flag",
        "vouch for the comparison of states: those that compare as equal behave equally",
        "call-sequences.md#what-the-same-state-means"),
    setting("last_calls", Kind::Number(1), "2", SEQUENCES | SEQUENCES_RUN,
        "a positive number of calls",
        "also tell states apart by the last calls that led to them, up to this number",
        "call-sequences.md#what-the-same-state-means"),
    setting("order", EXPLORATION_ORDERS, "\"dfs\"", SEQUENCES | SEQUENCES_RUN,
        "an order of the states",
        "the order in which states are explored", "state-matching.md"),
    setting("exact", Kind::Flag, "", SEQUENCES | SEQUENCES_RUN,
        "a flag",
        "compare whole linearizations instead of fingerprints", "state-matching.md"),
    setting("cover", COVERS, "\"blocks\"", SEQUENCES | VARIABLE | SEQUENCES_RUN,
        "a kind of coverage",
        "which code under test is observed", "cover.md#in-a-test-and-from-the-command-line"),
    // When it stops.
    setting("max", Kind::Number(1), "1000", TEST | VARIABLE | RUN,
        "a positive number of values",
        "stop after this many values", ""),
    setting("max_states", Kind::Number(1), "100_000", SEQUENCES | SEQUENCES_RUN,
        "a positive number of states",
        "stop after this many states", ""),
    setting("budget", Kind::Budget, "\"10s\"", TEST | SEQUENCES | VARIABLE | RUN | SEQUENCES_RUN,
        "a time",
        "stop after this time; a test without a budget stops after a minute, the tool does not",
        "running-tests.md#time-budgets"),
    setting("memory", Kind::Memory, "\"2 GB\"", TEST | SEQUENCES | VARIABLE | RUN | SEQUENCES_RUN,
        "a size of memory",
        "stop when this process has more memory; by default, when it has more than it leaves free",
        "running-tests.md#memory"),
    setting("call_limit", Kind::Time, "\"10s\"", TEST | SEQUENCES | VARIABLE | SEQUENCES_RUN,
        "a time",
        "a call that takes longer counts as one that does not return; for a test on values, the test on one value, if it is \
         isolated", "call-sequences.md#calls-that-do-not-return"),
    // How it runs, and what it reports.
    setting("threads", Kind::NumberIn(1, MOST_THREADS), "1", TEST | SEQUENCES | VARIABLE | RUN | SEQUENCES_RUN,
        "a number of threads from 1 to 1024",
        "the largest number of threads; by default as many as there are processors", "running-tests.md#threads"),
    setting("clusters", Kind::Switch, "", TEST | SEQUENCES | VARIABLE | SEQUENCES_RUN,
        "a switch",
        "continue after failures, and group them", "running-tests.md#failure-clusters"),
    setting("allow_empty", Kind::Flag, "", TEST | SEQUENCES | VARIABLE | SEQUENCES_RUN,
        "a flag",
        "a run that tests nothing passes; by default it fails", "running-tests.md#runs-that-test-nothing"),
    setting("isolate", Kind::Switch, "", TEST | SEQUENCES | VARIABLE,
        "a switch",
        "run the test in a process of its own, so that a crash is a failure with its input", "crashes.md"),
    setting("audit", Kind::Flag, "", TEST,
        "a flag",
        "build rejected candidates, and check that the real invariant rejects them", "misbehaving.md#audit-mode"),
    setting("replay", Kind::Other, "3:1.0.2", VARIABLE,
        "a replay line of a value or of a sequence of calls, as reports print it",
        "run one value or one sequence again, and nothing else", "running-tests.md"),
    setting("progress", Kind::Switch, "", VARIABLE,
        "a switch",
        "print a line per second on stderr, and one at the end of tests that pass; `0` hides the bar of long tests", "running-tests.md#progress"),
    setting("report", Kind::File, "out.jsonl", VARIABLE,
        "the path of a file",
        "append one line of JSON per test to this file", ""),
    setting("observe", Kind::File, "cases.jsonl", VARIABLE,
        "the path of a file",
        "append one line of JSON per case to this file, as Tyche reads them; needs the feature `neighbours`",
        "neighbours.md#observations"),
    setting("source", Kind::File, "failing.rs", VARIABLE,
        "the path of a file",
        "append the value of each failing test to this file, as a unit test and as a harness of Kani; needs the feature `neighbours`",
        "neighbours.md#unit-tests-and-kani"),
    setting("html", Kind::Switch, "", TEST | VARIABLE,
        "a switch",
        "write a page with a drawing of the value if the test fails; needs the feature `html`",
        "looking.md#pages-of-failing-tests"),
    setting("crate", Kind::Other, "path", TEST | SEQUENCES,
        "a path",
        "the path of the `smallscope` crate", ""),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_means_one_setting_in_each_place() {
        for place in [TEST, SEQUENCES, VARIABLE, RUN, SEQUENCES_RUN] {
            let mut names: Vec<&str> = in_places(place).map(|setting| setting.name).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count);
        }
    }

    #[test]
    fn names_in_each_place() {
        let per_class = find("per_class", RUN).unwrap();
        assert_eq!(per_class.option(), "--per-class");
        assert_eq!(find("call_limit", VARIABLE).unwrap().variable(), "SMALLSCOPE_CALL_LIMIT");
        assert!(find("order", SEQUENCES_RUN).unwrap().accepted() == "`bfs`, `dfs` or `random`");
        assert!(find("audit", VARIABLE).is_none());
    }

    #[test]
    fn messages_say_what_is_accepted() {
        let accepted = |name| find(name, VARIABLE).unwrap().accepted();
        assert_eq!(accepted("max"), "a positive number of values, such as `1000`");
        assert_eq!(accepted("budget"), "a time, such as `500ms`, `10s`, `2m`, `1h` or `none`");
        assert_eq!(accepted("call_limit"), "a time, such as `500ms`, `10s`, `2m` or `1h`");
        assert_eq!(accepted("memory"), "a size of memory, such as `500 MB` or `2 GB`");
        assert_eq!(accepted("engine"), "`lazy`, `owned` or `korat`");
        assert_eq!(accepted("clusters"), "`1` or `0`");
    }
}
