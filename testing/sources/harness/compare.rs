//! The comparison of two sets of values, as texts, and the report.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

/// Candidates of the brute force per program. The scope is the largest one with at most this many.
const MOST_CANDIDATES: usize = 6000;
const LARGEST_SCOPE: usize = 4;

/// Values of each kind of difference that a report shows.
const SHOWN: usize = 3;

/// A generated program.
pub struct Case {
    pub number: usize,
    /// As it was compiled with smallscope.
    pub source: &'static str,
    /// Every candidate in a scope and whether it is valid, or nothing if there are too many.
    pub brute_force: fn(usize, usize) -> Option<Vec<(String, bool)>>,
    pub run: fn(&mut Known),
    /// Places of an arena can be renamed.
    pub has_arena: bool,
    /// An error is planted in the program: what a difference has to say.
    pub planted: Option<&'static str>,
}

/// What the brute force knows of a program, and what was found.
pub struct Known {
    pub number: usize,
    pub scope: u32,
    has_arena: bool,
    valid: BTreeSet<String>,
    invalid: BTreeSet<String>,
    /// Values that were compared, by mode.
    modes: BTreeMap<&'static str, u64>,
    refusals: BTreeMap<&'static str, u64>,
    differences: Vec<String>,
    /// No scope has few candidates, and at least one.
    is_too_large: bool,
}

impl Known {
    /// Whether nothing need be delivered. Arrangements of an arena are owed if all arrangements of their kind are valid.
    pub fn owes_nothing(&self) -> bool {
        self.owed_beyond(&BTreeSet::new()).is_empty()
    }

    pub fn is_empty(&self) -> bool {
        self.valid.is_empty()
    }

    /// The values that are owed and not among these.
    fn owed_beyond(&self, delivered: &BTreeSet<String>) -> Vec<&String> {
        if !self.has_arena {
            return self.valid.iter().filter(|text| !delivered.contains(*text)).collect();
        }
        let found: BTreeSet<String> = delivered.iter().map(|text| without_places(text)).collect();
        let uneven: BTreeSet<String> = self.invalid.iter().map(|text| without_places(text)).collect();
        let is_owed = |text: &&String| {
            let text = without_places(text);
            !uneven.contains(&text) && !found.contains(&text)
        };
        self.valid.iter().filter(is_owed).collect()
    }

    pub fn number_of_values(&self) -> usize {
        self.valid.len()
    }

    /// Notes a mode that failed as such.
    pub fn fails(&mut self, mode: &'static str, problem: &str) {
        *self.modes.entry(mode).or_default() += 0;
        self.differences.push(format!("{mode}: {problem}"));
    }

    /// Notes that a mode does not apply to the program, as it says.
    pub fn refused(&mut self, mode: &'static str) {
        *self.refusals.entry(mode).or_default() += 1;
    }

    /// Compares a number of values.
    pub fn counted(&mut self, mode: &'static str, count: u64) {
        *self.modes.entry(mode).or_default() += count;
        if !self.has_arena && count != self.valid.len() as u64 {
            self.differences.push(format!("{mode}: {count} values instead of {}", self.valid.len()));
        }
    }

    /// Compares all values that a mode has delivered.
    pub fn delivered(&mut self, mode: &'static str, values: &[String]) {
        *self.modes.entry(mode).or_default() += values.len() as u64;
        let (distinct, twice) = distinct(values.iter().cloned());
        let wrong: Vec<&String> = distinct.difference(&self.valid).collect();
        let missing = self.owed_beyond(&distinct);
        let (invalid, unknown) = wrong.into_iter().partition(|text| self.invalid.contains(*text));
        self.differences.extend(difference(mode, &missing, &invalid, &unknown, &twice.iter().collect::<Vec<_>>()));
    }

    /// Compares values that stand for all values with keys in the same order.
    pub fn order_types(&mut self, mode: &'static str, values: &[String], is_each_once: bool) {
        *self.modes.entry(mode).or_default() += values.len() as u64;
        let owed: BTreeSet<String> = self.valid.iter().map(|text| without_ranks(text)).collect();
        let (found, mut twice) = distinct(values.iter().map(|text| without_ranks(text)));
        if !is_each_once {
            twice = distinct(values.iter().cloned()).1;
        }
        let wrong: Vec<&String> = values.iter().filter(|text| !self.valid.contains(*text)).collect();
        let missing: Vec<&String> = owed.difference(&found).collect();
        self.differences.extend(difference(
            mode,
            &missing,
            &wrong,
            &vec![],
            &twice.iter().collect::<Vec<_>>(),
        ));
    }
}

/// The values, and those that occur more than once.
fn distinct(values: impl Iterator<Item = String>) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut distinct, mut twice) = (BTreeSet::new(), BTreeSet::new());
    for value in values {
        if !distinct.insert(value.clone()) {
            twice.insert(value);
        }
    }
    (distinct, twice)
}

fn difference(
    mode: &str,
    missing: &[&String],
    invalid: &Vec<&String>,
    unknown: &Vec<&String>,
    twice: &[&String],
) -> Option<String> {
    let mut report = String::new();
    for (what, values) in
        [("missing", missing), ("invalid", invalid), ("outside the bounds", unknown), ("twice", twice)]
    {
        if !values.is_empty() {
            let _ = write!(report, "{mode}: {} {what}, such as", values.len());
            for value in values.iter().take(SHOWN) {
                let _ = write!(report, "\n        {value}");
            }
            report.push('\n');
        }
    }
    (!report.is_empty()).then(|| report.trim_end().to_owned())
}

/// The numbers behind a letter, each replaced by another text.
fn replace_numbers(text: &str, letter: char, mut new: impl FnMut(usize) -> String) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(letter) {
        let digits = &rest[at + letter.len_utf8()..];
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        out.push_str(&rest[..at]);
        match digits[..end].parse() {
            Ok(number) => out.push_str(&new(number)),
            Err(_) => out.push(letter),
        }
        rest = &digits[end..];
    }
    out + rest
}

/// A text with the ranks of its keys among each other in place of the keys.
fn without_ranks(text: &str) -> String {
    let mut ranks = BTreeSet::new();
    replace_numbers(text, 'k', |key| {
        ranks.insert(key);
        String::new()
    });
    replace_numbers(text, 'k', |key| format!("k{}", ranks.range(..key).count()))
}

/// The least text that a renaming of places gives.
fn without_places(text: &str) -> String {
    let (Some(start), Some(end)) = (text.find('⟦'), text.find('⟧')) else { return text.to_owned() };
    let inner = &text[start + '⟦'.len_utf8()..end];
    let items: Vec<&str> = if inner.is_empty() { vec![] } else { inner.split('¦').collect() };
    let renamed = permutations(items.len()).into_iter().map(|to| {
        let mut moved = vec![""; items.len()];
        items.iter().enumerate().for_each(|(i, item)| moved[to[i]] = item);
        let text = format!("{}⟦{}{}", &text[..start], moved.join("¦"), &text[end..]);
        replace_numbers(&text, '#', |place| format!("#{}", to.get(place).copied().unwrap_or(place)))
    });
    renamed.min().unwrap_or_default()
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for next in 0..n {
        all = all
            .iter()
            .flat_map(|shorter: &Vec<usize>| {
                (0..=next).map(|at| {
                    let mut longer = shorter.clone();
                    longer.insert(at, next);
                    longer
                })
            })
            .collect();
    }
    all
}

/// Runs all programs, and reports differences. With a number as an argument, runs that program alone.
///
/// The lines that begin with `tally` are for the program that has started this one.
pub fn main(cases: &[Case]) -> ExitCode {
    std::panic::set_hook(Box::new(|_| ()));
    let (mut programs, mut differing, mut candidates, mut values) = (0, 0, 0, 0);
    let (mut discriminating, mut planted, mut too_large) = (0, 0, 0);
    let mut undetected = vec![];
    let mut refusals: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut modes: BTreeMap<&'static str, (u64, u64)> = BTreeMap::new();
    let only: Option<usize> = std::env::args().nth(1).and_then(|number| number.parse().ok());
    for case in cases.iter().filter(|case| only.is_none_or(|only| only == case.number)) {
        println!("begin {}", case.number);
        let known = examined(case);
        if let Some(word) = case.planted {
            planted += 1;
            let finds = |mode: &str| {
                known.differences.iter().any(|d| d.starts_with(&format!("{mode}: ")) && d.contains(word))
            };
            let silent = known.modes.keys().filter(|mode| **mode != "count").find(|mode| !finds(mode));
            undetected.extend(silent.map(|mode| format!("program {}: `{mode}` finds nothing {word}", case.number)));
            continue;
        }
        if known.is_too_large {
            too_large += 1;
            continue;
        }
        programs += 1;
        candidates += known.valid.len() + known.invalid.len();
        values += known.valid.len();
        discriminating += usize::from(!known.valid.is_empty() && !known.invalid.is_empty());
        for (mode, values) in &known.modes {
            let sum = modes.entry(mode).or_default();
            *sum = (sum.0 + 1, sum.1 + values);
        }
        for (mode, times) in &known.refusals {
            *refusals.entry(mode).or_insert(0) += times;
        }
        if !known.differences.is_empty() {
            differing += 1;
            println!("program {}, scope {}:", case.number, known.scope);
            known.differences.iter().for_each(|difference| println!("    {difference}"));
            println!("{}", case.source);
        }
    }
    println!("tally programs {programs} {differing}");
    println!("tally candidates {candidates} {values}");
    println!("tally discriminating {discriminating} 0");
    println!("tally too-large {too_large} 0");
    println!("tally planted {planted} {}", undetected.len());
    modes.iter().for_each(|(mode, (programs, values))| println!("tally {mode} {programs} {values}"));
    refusals.iter().for_each(|(mode, times)| println!("tally refused in {mode} {times} 0"));
    undetected.iter().for_each(|problem| println!("a planted error is not reported: {problem}"));
    if differing == 0 && undetected.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn examined(case: &Case) -> Known {
    let mut known = Known {
        number: case.number,
        scope: 0,
        has_arena: case.has_arena,
        valid: BTreeSet::new(),
        invalid: BTreeSet::new(),
        modes: BTreeMap::new(),
        refusals: BTreeMap::new(),
        differences: vec![],
        is_too_large: false,
    };
    let result = catch_unwind(AssertUnwindSafe(|| {
        let found = (0..=LARGEST_SCOPE).rev().find_map(|scope| {
            let candidates = (case.brute_force)(scope, MOST_CANDIDATES)?;
            // A scope may be too small for any value.
            (!candidates.is_empty()).then_some((scope, candidates))
        });
        let Some((scope, candidates)) = found else {
            known.is_too_large = true;
            return;
        };
        known.scope = scope as u32;
        let (all, twice) = distinct(candidates.iter().map(|(text, _)| text.clone()));
        if let Some(text) = twice.first() {
            known.differences.push(format!("the brute force builds {text} twice, of {} values", all.len()));
        }
        for (text, is_valid) in candidates {
            if is_valid { &mut known.valid } else { &mut known.invalid }.insert(text);
        }
        (case.run)(&mut known);
    }));
    if let Err(panic) = result {
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a message");
        known.differences.push(format!("a panic: {message}"));
    }
    known
}
