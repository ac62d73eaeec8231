//! Values at the ends of their types, after the scopes.

use super::tree::{Scratch, Tree, check};
use smallscope::testing::Origin;
use smallscope::{Bounded, Bounds, Check, Engine, Key, Limit, Stop, rep_ok};
use std::collections::HashSet;
use std::fmt::Debug;
use std::hash::Hash;

fn edges(bounds: impl Into<Bounds>) -> Check {
    check("edges", bounds).edges(true)
}

/// The values of a run, each of which comes once: those of the scopes, and those with edge values.
fn values<T: Bounded + Clone + Debug + Eq + Hash + 'static>(
    bounds: impl Into<Bounds>,
) -> (HashSet<T>, HashSet<T>) {
    let bounds = bounds.into();
    let mut all = HashSet::new();
    let report =
        edges(bounds.clone()).run(|value: &T| assert!(all.insert(value.clone()), "{value:?} comes twice"));
    assert!(report.is_exhaustive(), "{report}");
    let mut scopes = HashSet::new();
    let plain = check("scopes", bounds).run(|value: &T| assert!(scopes.insert(value.clone())));
    assert_eq!(plain.tested, report.tested);
    let tested = report.edges.map_or(0, |edges| edges.tested);
    assert_eq!(all.len() as u64, report.tested + tested);
    assert!(scopes.is_subset(&all));
    let edges = all.difference(&scopes).cloned().collect();
    (scopes, edges)
}

fn average(a: u8, b: u8) {
    assert_eq!(u16::from(a.wrapping_add(b) / 2), (u16::from(a) + u16::from(b)) / 2, "the average overflows");
}

#[test]
fn a_failure_at_the_end_of_a_type_is_found_recorded_and_replayed() {
    assert!(check("average", 4).run(average).is_exhaustive());
    let dir = Scratch::new("edges");
    let average_check = || check("average", 4).record_in(dir.path()).edges(true);
    let report = average_check().run(average);
    let failure = report.failure().expect("255 + 1 does not fit");
    assert!(matches!(failure.origin, Origin::Edges { scope: 1, number: 1.. }), "{report}");
    assert_eq!(failure.graph, "argument 0: 1\nargument 1: 255", "{report}");
    assert!(failure.replay.starts_with("edges1:"), "{report}");
    let text = report.to_string();
    assert!(text.contains("found:    value "), "{text}");
    assert!(
        text.contains(" of those with edge values; `ints(..)` and `alphabet(..)` bound a field"),
        "{text}"
    );
    assert!(text.contains("covered:  scopes 0 to 4 are covered exhaustively: 16 values\n"), "{text}");

    let replayed = check("average", 4).environment([("SMALLSCOPE_REPLAY", &failure.replay)]).run(average);
    assert_eq!(replayed.failure().expect("it fails again").graph, failure.graph);
    // Records are tried first, whether edge values are on or not, and in other scopes, too.
    for (scope, is_on) in [(4, true), (4, false), (6, true)] {
        let again = check("average", scope).record_in(dir.path()).edges(is_on).run(average);
        assert!(matches!(again.failure().unwrap().origin, Origin::Record(_)), "{again}");
    }
}

#[test]
fn each_type_has_its_ends_and_no_value_comes_twice() {
    let (scopes, ends) = values::<u64>(3);
    assert_eq!(scopes, HashSet::from([0, 1, 2]));
    assert!([255, 256, u64::from(u32::MAX), u64::MAX - 1, u64::MAX].iter().all(|end| ends.contains(end)));
    let (_, ends) = values::<i16>(3);
    assert!([-1, i16::MIN, i16::MAX, 255, -256].iter().all(|end| ends.contains(end)), "{ends:?}");
    let (_, ends) = values::<u8>(3);
    assert_eq!(ends.len(), 253, "every byte");
    let (_, ends) = values::<char>(3);
    assert!(
        ['\0', '"', '\u{301}', '\u{d7ff}', '\u{e000}', '\u{10ffff}'].iter().all(|end| ends.contains(end))
    );
    let (_, ends) = values::<String>(3);
    assert!(
        ["\0", "\\\"", "e\u{301}".trim_start_matches('e'), "18446744073709551616"]
            .iter()
            .all(|end| ends.contains(*end))
    );
    let (_, ends) = values::<Vec<u8>>(3);
    assert!(ends.contains(&vec![200]) && ends.contains(&vec![255, 128]) && !ends.contains(&vec![1, 0]));
    let (_, ends) = values::<Option<(i8, bool)>>(3);
    assert!(ends.contains(&Some((-128, true))));
    let (_, ends) = values::<usize>(3);
    assert!(ends.contains(&usize::MAX) && !ends.contains(&(isize::MAX as usize)), "{ends:?}");
    // Structures are small, also if they have exact numbers of objects.
    let (_, ends) = values::<Tree<i32>>(Bounds::scope(3).objects("Node", 3));
    assert!(ends.iter().all(|tree| tree.size <= 2) && ends.iter().any(|tree| tree.size == 2), "{ends:?}");
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
#[bounded(no_invariant)]
struct Fields {
    #[bounded(range = 0..=4)]
    bounded: u8,
    key: Key,
    counter: usize,
    named: u16,
}

#[test]
fn bounded_fields_keys_and_counters_have_none() {
    let (_, ends) = values::<Fields>(Bounds::scope(2).ints("Fields.named", [7]));
    assert!(ends.is_empty(), "{ends:?}");
    let (_, ends) =
        values::<Fields>(Bounds::scope(2).ints("Fields.named", [7]).edge_ints("Fields.named", [1000]));
    assert!(ends.iter().all(|fields| fields.named == 1000) && !ends.is_empty(), "{ends:?}");
    let (_, ends) =
        values::<char>(Bounds::scope(2).alphabet("input.value", "x").edge_chars("input.value", "ß"));
    assert_eq!(ends, HashSet::from(['ß']));
    let mistake = edges(Bounds::scope(2).edge_ints("Fields.named", [70_000])).run(|_: Fields| {});
    let message = "the edge value 70000 does not fit into its type, which holds 0 to 65535";
    assert!(mistake.error().unwrap().contains(message), "{mistake}");
    let mistake = edges(Bounds::scope(2).edge_chars("Fields.named", "a")).run(|_: Fields| {});
    assert!(mistake.error().unwrap().contains("edge values are given as characters"), "{mistake}");
}

/// An invariant that does not expect large numbers.
#[derive(Bounded, Debug)]
struct Sum {
    items: Vec<u32>,
    total: u32,
}

#[rep_ok]
impl Sum {
    fn rep_ok(&self) -> bool {
        let mut total = 0u32;
        for item in self.items.iter() {
            total = total.checked_add(*item).expect("it fits");
        }
        total == self.total
    }
}

#[test]
fn an_invariant_that_panics_on_edge_values_leaves_them_out() {
    let report = edges(3).run(|sum: &Sum| assert!(sum.items.len() <= 3));
    assert!(report.is_exhaustive(), "{report}");
    let edges = report.edges.as_ref().expect("there are edge values");
    assert!(edges.panics > 0 && edges.tested > 0);
    let text = report.to_string();
    assert!(
        text.contains("edge values: ") && text.contains(" on which the invariant panics left out"),
        "{text}"
    );
}

#[test]
fn the_pass_is_about_as_long_as_the_scopes() {
    let report = edges(3).run(|_: [u64; 4]| {});
    let edges = report.edges.as_ref().unwrap();
    assert!((5_000..=10_000).contains(&edges.tested), "{edges}");
    assert_eq!(
        edges.to_string(),
        format!(
            "edge values: {} values, all of those in structures of scope 2, some of those in structures of scope 1 (as many as \
             the scopes took)",
            edges.tested
        )
    );
    assert!(
        report.is_exhaustive() && report.coverage() == "scopes 0 to 3 are covered exhaustively: 81 values"
    );
}

#[test]
fn it_can_be_turned_off_and_is_left_out_where_values_are_selected() {
    let off = edges(3).environment([("SMALLSCOPE_EDGES", "0")]).run(|_: u8| {});
    assert!(off.edges.is_none());
    let on = check("on", 3).environment([("SMALLSCOPE_EDGES", "1")]).run(|_: u8| {});
    assert!(on.edges.is_some());
    assert_eq!(
        on.to_string(),
        "`on`: scopes 0 to 3 are covered exhaustively: 3 values\nedge values: 253 values, all of those in structures of scope 1"
    );
    for report in [
        edges(3).max(2).run(|_: u8| {}),
        edges(3).engine(Engine::Korat).run(|_: u8| {}),
        edges(3).order_types().run(|_: Key| {}),
        edges(Bounds::exact().ints("input.value", 0..=2)).run(|_: u8| {}),
        edges(3).environment([("SMALLSCOPE_SHARD", "1/2")]).run(|_: u8| {}),
        edges(3).run(|x: u8| assert!(x < 2)),
    ] {
        assert!(report.edges.is_none(), "{report}");
    }
}

#[test]
fn the_attribute_and_check_try_them() {
    let caught = std::panic::catch_unwind(|| smallscope::check(3, |x: u8| assert_ne!(x, 200)));
    let message = *caught.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("of those with edge values"), "{message}");
}

#[smallscope::test(scope = 3, edges = false, edge_ints(x = [9]))]
fn the_attribute_turns_them_off(x: u8) {
    assert!(x < 3);
}

#[smallscope::test(scope = 3, ints(x = 0..=2), edge_ints(x = [9]))]
#[should_panic(expected = "x = 9\n")]
fn the_attribute_names_more(x: u8) {
    assert!(x < 3);
}

#[test]
fn a_time_budget_ends_it() {
    let begin = std::time::Instant::now();
    let budget = std::time::Duration::from_millis(300);
    let report = edges(1).budget(budget).run(|_: u8| std::thread::sleep(std::time::Duration::from_millis(3)));
    assert!(report.is_exhaustive() && begin.elapsed() < budget * 10);
    let [(1, why)] = &report.edges.as_ref().unwrap().part[..] else { panic!("{report}") };
    assert_eq!(*why, Stop::LimitReached(Limit::Time).to_string());
}
