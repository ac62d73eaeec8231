//! Inputs whose fields declare parts: an attribute always makes a product, and its inputs are split like a structure.

use crate::{ENGINES, agrees, options};
use smallscope::search::{Found, Search};
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, Check, Disjoint, Report, rep_ok};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Mutex;

#[derive(Bounded, Debug)]
struct Node {
    next: Option<Box<Node>>,
}

fn count(node: &Option<Box<Node>>) -> usize {
    node.as_ref().map_or(0, |node| 1 + count(&node.next))
}

#[derive(Bounded, Debug)]
struct Store {
    #[bounded(part = "items")]
    items: Option<Box<Node>>,
    #[bounded(part = "items")]
    size: usize,
    #[bounded(part = "spares")]
    spares: Option<Box<Node>>,
    #[bounded(part = "spares")]
    most: usize,
}

#[rep_ok]
impl Store {
    fn rep_ok(&self) -> bool {
        Self::count(&self.items) == self.size && Self::count(&self.spares) <= self.most
    }
    fn count(node: &Option<Box<Node>>) -> usize {
        node.as_ref().map_or(0, |node| 1 + Self::count(&node.next))
    }
}

/// The last conjunct is about both parts.
#[derive(Bounded, Debug)]
struct Related {
    #[bounded(part = "a")]
    a: Vec<bool>,
    #[bounded(part = "b")]
    b: u8,
}

#[rep_ok]
impl Related {
    fn rep_ok(&self) -> bool {
        self.a.iter().all(|x| *x) && self.b != 1 && self.a.len() != usize::from(self.b)
    }
}

/// Something is read before the conjunction.
#[derive(Bounded, Debug)]
struct Eager {
    #[bounded(part = "a")]
    a: u8,
    #[bounded(part = "b")]
    b: u8,
}

#[rep_ok]
impl Eager {
    fn rep_ok(&self) -> bool {
        if self.a == 1 {
            return false;
        }
        self.a < 3 && self.b < 2
    }
}

/// Its pools are named for another reason than to be parts.
#[derive(Bounded, Debug)]
struct Pooled {
    #[bounded(pool = "one")]
    one: Option<Box<Node>>,
    #[bounded(pool = "other")]
    other: Option<Box<Node>>,
}

#[rep_ok]
impl Pooled {
    fn rep_ok(&self) -> bool {
        self.one.is_some() == self.other.is_some()
    }
}

/// One field has been forgotten.
#[derive(Bounded, Debug)]
#[bounded(no_invariant)]
struct Forgetful {
    #[bounded(part = "a")]
    a: u8,
    #[bounded(part = "b")]
    b: u8,
    c: bool,
}

#[test]
fn the_values_are_those_of_one_search() {
    for scope in 0..4 {
        let bounds = Bounds::scope(scope);
        agrees::<Product<(Store,)>>(&bounds);
        agrees::<Product<(Related,)>>(&bounds);
        agrees::<Product<(Related, bool)>>(&bounds);
        agrees::<Product<(bool, Related, u8)>>(&bounds);
        agrees::<Product<(Related, Related)>>(&bounds);
        agrees::<Product<(Pooled, Related)>>(&bounds);
        agrees::<Product<(Vec<Eager>, bool)>>(&Bounds::scope(scope.min(2)));
    }
    agrees::<Product<(Store, bool)>>(&Bounds::scope(2));
    agrees::<Product<(Store, Store)>>(&Bounds::scope(2));
    agrees::<Product<(Store, Store)>>(&Bounds::scope(2).pool("spares", 1));
}

fn explored<T: Bounded>(scope: u32, engine: smallscope::Engine) -> u64 {
    let search = Search::<T>::new(&Bounds::scope(scope), options(engine, Disjoint::On)).unwrap();
    search.count().unwrap().explored
}

#[test]
fn an_input_takes_as_many_runs_as_the_structure() {
    for engine in ENGINES.into_iter().filter(|engine| *engine != smallscope::Engine::Korat) {
        for scope in [3, 6] {
            let alone = explored::<Store>(scope, engine);
            assert_eq!(explored::<Product<(Store,)>>(scope, engine), alone, "{engine}");
            // Equal inputs are searched once.
            assert_eq!(explored::<Product<(Store, Store)>>(scope, engine), alone, "{engine}");
        }
        let alone = explored::<Related>(3, engine);
        assert_eq!(explored::<Product<(Related,)>>(3, engine), alone, "{engine}");
        // Conjuncts about several parts of an input are not run again for each value of another one.
        let bools = explored::<Product<(bool, bool)>>(3, engine);
        assert_eq!(explored::<Product<(Related, bool)>>(3, engine), alone + bools, "{engine}");
    }
}

#[test]
fn slicing_names_the_input_if_there_are_several() {
    let mut search = Search::<Product<(Related, bool)>>::new(
        &Bounds::arguments(Bounds::scope(3), &["related", "flag"]),
        options(Default::default(), Disjoint::On),
    )
    .unwrap();
    let slicing = search.slicing().unwrap().unwrap();
    let names: Vec<&str> = slicing.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["related: a", "related: b", "flag"]);
    assert_eq!(slicing.parts[0].conjuncts, Some(vec!["self.a.iter().all(|x| *x)"]));
    assert_eq!(slicing.parts[2].conjuncts, None);
    assert_eq!(slicing.global[0].text, "self.a.len() != usize::from(self.b)");
    assert_eq!(search.combinations().unwrap(), Some(4 * 2 * 2));
    let mut alone =
        Search::<Product<(Related,)>>::new(&Bounds::scope(3), options(Default::default(), Disjoint::On))
            .unwrap();
    let slicing = alone.slicing().unwrap().unwrap();
    let mut structure =
        Search::<Related>::new(&Bounds::scope(3), options(Default::default(), Disjoint::On)).unwrap();
    assert_eq!(Some(slicing), structure.slicing().unwrap());
}

#[test]
fn what_is_demanded_and_cannot_be_done_is_the_same_error_everywhere() {
    let bounds = Bounds::scope(3);
    let on = options(Default::default(), Disjoint::On);
    let why = |error: Option<smallscope::Error>| error.unwrap().to_string();
    assert_eq!(
        why(Search::<Product<(Vec<u8>,)>>::new(&bounds, on).err()),
        why(Search::<Vec<u8>>::new(&bounds, on).err())
    );
    assert_eq!(
        why(Search::<Product<(Forgetful,)>>::new(&bounds, on).err()),
        why(Search::<Forgetful>::new(&bounds, on).err())
    );
    let forgotten = why(Search::<Product<(bool, Forgetful)>>::new(&bounds, on).err());
    assert!(forgotten.contains("`Forgetful.c`: it belongs to no part"), "{forgotten}");
    let structure = Search::<Eager>::new(&bounds, on).unwrap().count().unwrap_err();
    assert_eq!(Search::<Product<(Eager,)>>::new(&bounds, on).unwrap().count().unwrap_err(), structure);
    let input = Search::<Product<(Eager, bool)>>::new(&bounds, on).unwrap().count().unwrap_err();
    let named = input.kind.to_string().replace("`argument 0: b`", "`b`");
    assert_eq!(named, structure.kind.to_string());
}

#[test]
fn what_is_not_split_says_why() {
    let auto = |check: fn(Check) -> Report| {
        let report = check(Check::new("auto", 3).environment::<&str, &str>([]));
        assert!(report.is_exhaustive(), "{report}");
        report.why_direct
    };
    let why = auto(|check| check.run(|_: &Eager, _: bool| ())).unwrap();
    assert!(
        why.starts_with("`argument 0` is searched as a whole: the invariant, before its conjuncts,"),
        "{why}"
    );
    let why = auto(|check| check.run(|_: bool, _: Forgetful| ())).unwrap();
    assert!(why.contains("`Forgetful.c`: it belongs to no part"), "{why}");
    let why = auto(|check| check.run(|_: &Eager| ())).unwrap();
    assert!(why.contains("before its conjuncts"), "{why}");
    assert_eq!(auto(|check| check.run(|_: &Store, _: bool| ())), None);
    assert_eq!(auto(|check| check.run(|_: &Store| ())), None);
    // Nothing was declared, so nothing is missing.
    assert_eq!(auto(|check| check.run(|_: &Pooled, _: bool| ())), None);
    // Inputs are combined nevertheless.
    let mut search =
        Search::<Product<(Eager, bool)>>::new(&Bounds::scope(3), options(Default::default(), Disjoint::Auto))
            .unwrap();
    assert_eq!(search.combinations().unwrap(), Some(4 * 2));
    assert!(search.why_direct().is_some());
}

/// What tests get, pass by pass.
fn seen(disjoint: Disjoint, threads: usize) -> (Vec<String>, Report) {
    let seen = Mutex::new(vec![]);
    let test = |a: &Related, store: &Store, b: Related| {
        assert!(a.rep_ok() && store.rep_ok() && b.rep_ok());
        assert!(count(&store.items) < 4);
        seen.lock().unwrap().push(format!("{a:?} {store:?} {b:?}"));
    };
    let check = Check::new("combined", 2).disjoint(disjoint).threads(threads);
    let report = check.environment::<&str, &str>([]).run_parallel(test);
    (seen.into_inner().unwrap(), report)
}

#[test]
fn tests_get_the_same_values_scope_by_scope() {
    let (direct, report) = seen(Disjoint::Off, 1);
    assert!(report.is_exhaustive(), "{report}");
    for (disjoint, threads) in [(Disjoint::Auto, 1), (Disjoint::On, 1), (Disjoint::On, 3)] {
        let (combined, again) = seen(disjoint, threads);
        assert!(again.is_exhaustive(), "{again}");
        assert_eq!(again.why_direct, None);
        let passes =
            |report: &Report| report.passes.iter().map(|pass| (pass.scope, pass.tested)).collect::<Vec<_>>();
        assert_eq!(passes(&report), passes(&again));
        let mut start = 0;
        for pass in &report.passes {
            let end = start + pass.tested as usize;
            let set = |all: &[String]| all[start..end].iter().cloned().collect::<BTreeSet<_>>();
            assert_eq!(set(&direct), set(&combined), "{:?}", pass.scope);
            start = end;
        }
        assert_eq!(start, combined.len());
    }
}

#[test]
fn a_search_goes_on_at_each_position() {
    let new = || {
        Search::<Product<(bool, Related, bool)>>::new(
            &Bounds::scope(3),
            options(Default::default(), Disjoint::On),
        )
        .unwrap()
    };
    let all = crate::records(&mut new());
    for first in 0..all.len() {
        let mut search = new();
        for _ in 0..first {
            assert_eq!(search.find_next(&mut |_| ControlFlow::Continue(())).unwrap(), Found::Valid);
        }
        let (position, path) = (search.position().unwrap(), search.path());
        let mut rest = new();
        rest.start_at(&position).unwrap();
        assert_eq!(crate::records(&mut rest), all[first..]);
        if first > 0 {
            let mut again = new();
            again.start_after(&path).unwrap();
            assert_eq!(again.candidate().to_string(), all[first - 1]);
        }
    }
}

/// An integer is so large that no conjunct is evaluated without one that it may rely on.
#[derive(Bounded, Debug)]
struct Large {
    #[bounded(part = "n", set = [0, 1, 2, 1 << 40])]
    n: usize,
    #[bounded(part = "most")]
    most: u8,
}

fn allocated(n: usize) -> usize {
    assert!(n < 100, "a conjunct was evaluated out of turn");
    n
}

#[rep_ok]
impl Large {
    fn rep_ok(&self) -> bool {
        self.n <= usize::from(self.most) && self.fits() && self.most != 1
    }
    fn fits(&self) -> bool {
        allocated(self.n) != 1
    }
}

#[test]
fn a_large_number_is_not_read_out_of_turn() {
    let mut search =
        Search::<Large>::new(&Bounds::scope(3), options(Default::default(), Disjoint::On)).unwrap();
    let slicing = search.slicing().unwrap().unwrap();
    let why: Vec<&str> = slicing.global.iter().map(|global| global.why.as_str()).collect();
    assert!(why[1].contains("an integer above 4096"), "{slicing}");
    agrees::<Large>(&Bounds::scope(3));
}
