//! Mutants of code as people write it: all compile, and each changes one thing.
#![expect(
    clippy::erasing_op,
    clippy::identity_op,
    clippy::needless_late_init,
    clippy::unnecessary_fold,
    reason = "code in all the forms that people write"
)]

use smallscope::__private::mutation::begin_case;
use smallscope::mutation::{self, Known};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs code once with each mutant whose site it reaches, and returns the mutants of a function with the results, none
/// where it panics.
fn results<R>(function: &str, run: impl Fn() -> R) -> Vec<(Known, Option<R>)> {
    mutation::recording(&run);
    let all = mutation::mutants().into_iter().filter(|known| known.mutant.function == function);
    let usable = all.filter(|known| known.is_reached && known.is_suitable);
    let run = |known: Known| {
        begin_case(5000);
        let result = catch_unwind(AssertUnwindSafe(|| mutation::with(&known.id, &run).unwrap())).ok();
        begin_case(u64::MAX);
        (known, result)
    };
    usable.map(run).collect()
}

/// `operator: before -> after = result`, for each mutant.
fn lines<R: std::fmt::Debug>(function: &str, run: impl Fn() -> R) -> Vec<String> {
    let line = |(known, result): (Known, Option<R>)| {
        let mutation::Mutant { operator, before, after, .. } = known.mutant;
        let result = result.map_or("panic".to_owned(), |result| format!("{result:?}"));
        format!("{operator}: {before} -> {after} = {result}")
    };
    results(function, run).into_iter().map(line).collect()
}

#[smallscope::mutate]
fn arithmetic(a: u8, b: i32) -> i64 {
    i64::from(a % 4) << 1 | i64::from(-b)
}

#[test]
fn operators_become_others_of_their_kind() {
    let found = lines("arithmetic", || arithmetic(7, 2));
    let expected = [
        "lor: i64::from(a % 4) << 1 | i64::from(-b) -> (i64::from(a % 4) << 1) & i64::from(-b) = 6",
        "lor: i64::from(a % 4) << 1 | i64::from(-b) -> (i64::from(a % 4) << 1) ^ i64::from(-b) = -8",
        "sor: i64::from(a % 4) << 1 -> i64::from(a % 4) >> 1 = -1",
        "aor: a % 4 -> a + 4 = -2",
        "aor: a % 4 -> a - 4 = -2",
        "aor: a % 4 -> a * 4 = -2",
        "aor: a % 4 -> a / 4 = -2",
        "aod: -b -> b = 6",
        "aoi: a -> a + 1 = -2",
        "const: 1 -> 0 = -1",
        "const: 1 -> 2 = -2",
    ];
    for line in expected {
        assert!(found.iter().any(|known| known == line), "{line} is not in {found:#?}");
    }
    assert_eq!(arithmetic(7, 2), -2);
    assert!(!found.iter().any(|line| line.starts_with("aoi: a -> -a")), "u8 has no sign: {found:#?}");
}

#[smallscope::mutate]
fn decide(a: bool, b: bool, list: &[u8]) -> bool {
    if a && !b || list.is_empty() {
        return true;
    }
    list.len() == 2
}

#[test]
fn decisions_are_changed_operand_by_operand() {
    let found = lines("decide", || [decide(true, true, &[1]), decide(false, false, &[1, 2])]);
    for line in [
        "cor: a && !b -> a || !b = [true, true]",
        "cor: a && !b -> a != !b = [true, true]",
        "coi: a -> !a = [false, true]",
        "cod: !b -> b = [true, true]",
        "coi: list.is_empty() -> !list.is_empty() = [true, true]",
        "neg: a && !b || list.is_empty() -> !(a && !b || list.is_empty()) = [true, true]",
        "ror: list.len() == 2 -> list.len() != 2 = [true, false]",
        "ror: list.len() == 2 -> list.len() < 2 = [true, false]",
        "ror: list.len() == 2 -> list.len() >= 2 = [false, true]",
    ] {
        assert!(found.iter().any(|known| known == line), "{line} is not in {found:#?}");
    }
}

#[derive(Default, Debug, Clone, PartialEq)]
struct Tree {
    nodes: Vec<Node>,
    root: Option<usize>,
    size: usize,
}

#[derive(Default, Debug, Clone, PartialEq)]
struct Node {
    key: u8,
    left: Option<usize>,
    right: Option<usize>,
}

#[smallscope::mutate]
impl Tree {
    fn insert(&mut self, key: u8) -> bool {
        let new = self.nodes.len();
        let mut at = self.root;
        let mut parent = None;
        while let Some(i) = at {
            parent = at;
            at = match key.cmp(&self.nodes[i].key) {
                Ordering::Less => self.nodes[i].left,
                Ordering::Greater => self.nodes[i].right,
                Ordering::Equal => return false,
            };
        }
        self.nodes.push(Node { key, left: None, right: None });
        match parent {
            None => self.root = Some(new),
            Some(p) if key < self.nodes[p].key => self.nodes[p].left = Some(new),
            Some(p) => self.nodes[p].right = Some(new),
        }
        self.size += 1;
        true
    }

    #[mutate(skip)]
    fn len(&self) -> usize {
        self.size + 0
    }

    const fn limit() -> usize {
        3 + 4
    }
}

fn tree(keys: &[u8]) -> Tree {
    let mut tree = Tree::default();
    keys.iter().for_each(|key| assert!(tree.insert(*key) || !keys.is_empty()));
    tree
}

#[test]
fn statements_are_left_out_and_orders_reversed() {
    let original = tree(&[2, 1, 3]);
    assert_eq!((original.len(), Tree::limit()), (3, 7));
    let found = results("Tree::insert", || tree(&[2, 1, 3]));
    let changed: Vec<&str> = found
        .iter()
        .filter(|(_, tree)| tree.as_ref() != Some(&original))
        .map(|(known, _)| known.mutant.before)
        .collect();
    for before in
        ["self.size += 1;", "key.cmp(&self.nodes[i].key)", "key < self.nodes[p].key", "Some(new)", "1"]
    {
        assert!(changed.contains(&before), "{before} is not in {changed:#?}");
    }
    assert_eq!(mutation::mutants().iter().filter(|m| m.mutant.function == "Tree::len").count(), 0);
    let ids: BTreeSet<String> = found.iter().map(|(known, _)| known.id.clone()).collect();
    assert_eq!(ids.len(), found.len(), "ids are unique");
    assert!(ids.iter().all(|id| id.starts_with("mutants::Tree::insert::")), "{ids:?}");
}

#[test]
fn a_mutant_that_does_not_end_panics_after_its_steps() {
    mutation::recording(|| tree(&[2, 1]));
    let known = mutation::mutants();
    let endless =
        known.iter().find(|m| m.mutant.before.starts_with("at = match") && m.mutant.operator == "del");
    let endless = endless.unwrap_or_else(|| panic!("{known:#?}"));
    begin_case(1000);
    let caught = catch_unwind(|| mutation::with(&endless.id, || tree(&[2, 1])));
    let message = *caught.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(message, "does not seem to end: more than 1000 steps");
    // What runs afterwards has the same limit.
    assert!(catch_unwind(|| mutation::with(&endless.id, || tree(&[2, 1]))).is_err());
    begin_case(u64::MAX);
    assert_eq!(tree(&[2, 1]).len(), 2);
}

/// A method calls others of its block and, if the attribute names them, of other blocks and types.
#[derive(Clone, Debug, Default)]
struct Counter {
    number: u32,
}

#[smallscope::mutate(calls(doubled, add))]
impl Counter {
    fn run(mut self, (a, b): (u32, u32)) -> u32 {
        self.add::<u32>(a);
        [b].into_iter().map(Self::halved).for_each(|x| self.number += x);
        Self::sum(3) + self.number.doubled()
    }

    fn sum(n: u32) -> u32 {
        if n == 0 { 0 } else { n + Self::sum(n - 1) }
    }

    fn halved(mut n: u32) -> u32 {
        n /= 2;
        n
    }

    /// Nothing can be changed here, and what it calls has mutants.
    fn through(&self) -> u32 {
        Self::sum(self.number)
    }
}

#[smallscope::mutate]
impl Counter {
    /// Not called by name here, so the method of the vector stays what it is.
    fn add<N: Into<u32>>(&mut self, n: N) {
        let mut all = vec![n.into()];
        all.push(1);
        all.iter().for_each(|x| self.number += x);
    }

    fn push(&mut self) {
        self.number += 1;
    }
}

trait Doubled {
    fn __smallscope_plain_doubled(self) -> u32;
    fn __smallscope_mutated_doubled(self) -> u32;
}

/// Tells which version calls it.
impl Doubled for u32 {
    fn __smallscope_plain_doubled(self) -> u32 {
        2 * self
    }

    fn __smallscope_mutated_doubled(self) -> u32 {
        1000 + 2 * self
    }
}

#[test]
fn each_version_of_a_method_calls_the_same_version_of_others() {
    let run = || Counter { number: 1 }.run((4, 9));
    assert_eq!(run(), 6 + 2 * (1 + 4 + 1 + 4));
    assert_eq!(mutation::recording(run), 1000 + 26);
    assert!(results("Counter::sum", run).iter().any(|(_, result)| result.is_some_and(|n| n > 1026)));
    assert!(results("Counter::add", run).iter().any(|(_, result)| *result == Some(1026 - 10)));
    assert!(results("Counter::sum", || Counter { number: 2 }.through()).iter().any(|(_, n)| *n != Some(3)));
    let mut counter = Counter::default();
    counter.push();
    assert_eq!((counter.through(), run()), (1, 26));
}

struct List<T>(Option<Box<Cell<T>>>);

struct Cell<T> {
    item: T,
    next: Option<Box<Cell<T>>>,
}

/// Nothing here can be changed without moving something twice, or using what has no value: all of it has to compile.
#[smallscope::mutate]
impl<T: PartialOrd + Clone + std::fmt::Debug> List<T> {
    fn reverse(&mut self) {
        let mut done = None;
        let mut rest = self.0.take();
        while let Some(mut cell) = rest {
            rest = cell.next;
            cell.next = done;
            done = Some(cell);
        }
        self.0 = done;
    }

    fn largest(&self) -> Option<&T> {
        let mut at = self.0.as_deref();
        let mut best: Option<&T> = None;
        while let Some(cell) = at {
            if best.is_none_or(|best| cell.item > *best) {
                best = Some(&cell.item);
            }
            at = cell.next.as_deref();
        }
        best
    }

    fn push(&mut self, item: T) -> &mut Self {
        let name;
        if self.0.is_none() {
            name = "first";
        } else {
            name = "next";
        }
        let text: &'static [&'static str] = &["a", "b"][..0];
        debug_assert!(text.len() < name.len());
        self.0 = Some(Box::new(Cell { item, next: self.0.take() }));
        self
    }

    fn items(&self) -> impl Iterator<Item = T> + '_ {
        let mut at = &self.0;
        std::iter::from_fn(move || {
            let cell = at.as_ref()?;
            at = &cell.next;
            Some(cell.item.clone())
        })
    }

    fn parse(text: &str) -> Result<u8, std::num::ParseIntError> {
        let add = |a, b| a + b;
        let numbers: &'static [u8] = &[1, 2, 3];
        let sum = numbers.iter().fold(0, |a, b| a + b);
        let joined = String::from("x") + &text[1..] + "y";
        let mut all = BTreeMap::new();
        *all.entry(joined.len()).or_insert(0u8) += 1;
        let Some(first) = all.get(&(joined.len() - 0)) else { return Ok(add(1u8, 2u8)) };
        let value: u8 = text.parse()?;
        Ok(value - first + sum - 6 + add(1u8, 0u8) - -1i8 as u8 * 0 - 1 + ((1 << 3) >> 3) - 1)
    }
}

impl List<u8> {
    #[smallscope::mutate]
    fn of(items: &[u8]) -> List<u8> {
        let mut list = List(None);
        for i in (0..items.len()).rev() {
            list.push(items[i]);
        }
        list
    }
}

#[smallscope::mutate]
impl std::ops::Index<usize> for List<u8> {
    type Output = u8;
    fn index(&self, index: usize) -> &u8 {
        let mut at = self.0.as_deref();
        for _ in 0..index {
            at = at.unwrap().next.as_deref();
        }
        &at.unwrap().item
    }
}

#[smallscope::mutate]
async fn later(x: u8) -> u8 {
    static ONE: u8 = 1;
    x + ONE
}

#[smallscope::mutate]
unsafe fn unchecked(x: *const u8) -> u8 {
    // SAFETY: the caller gives a valid pointer.
    unsafe { *x + 1 }
}

#[test]
fn code_that_moves_and_borrows_keeps_compiling_and_its_meaning() {
    let run = || {
        let mut list = List::of(&[1, 3, 2]);
        list.reverse();
        (list.items().collect::<Vec<_>>(), list.largest().copied(), list[1])
    };
    let original = (vec![2, 3, 1], Some(3), 3);
    assert_eq!(run(), original);
    assert_eq!(mutation::recording(run), original);
    assert_eq!(mutation::recording(|| List::<u8>::parse("17")), Ok(16));
    assert_eq!(List::<u8>::parse("17"), Ok(16));
    drop(later(1));
    // SAFETY: the reference is valid.
    assert_eq!(unsafe { unchecked(&3) }, 4);
    let unsuitable = mutation::mutants().into_iter().find(|m| !m.is_suitable).unwrap();
    assert!(unsuitable.is_reached);
    let functions: BTreeSet<&str> = mutation::mutants().iter().map(|m| m.mutant.function).collect();
    assert!(functions.contains("<List as std::ops::Index<usize>>::index"), "{functions:?}");
}

#[test]
fn only_the_thread_with_the_mutant_runs_it() {
    mutation::recording(|| decide(false, false, &[]));
    let known = mutation::mutants();
    let mutant =
        known.iter().find(|m| m.mutant.after == "!list.is_empty()" && m.mutant.function == "decide").unwrap();
    let here = mutation::with(&mutant.id, || {
        let elsewhere = std::thread::spawn(|| decide(false, false, &[])).join().unwrap();
        (decide(false, false, &[]), elsewhere)
    });
    assert_eq!(here, Ok((false, true)));
    let error = mutation::with("mutants::decide::ror::000000", || ()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no mutant `mutants::decide::ror::000000` is known: its code has not been run, or has changed"
    );
}
