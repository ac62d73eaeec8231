//! What each criterion compares, on traces written by hand.

use smallscope_core::probe::{DecisionKind, DecisionSite, Operand, Taken};
use smallscope_runner::criteria::{Classifier, Criterion};

const fn site(kind: DecisionKind, line: u32, text: &'static str, tree: &'static [Operand]) -> DecisionSite {
    DecisionSite { kind, file: "here.rs", line, column: 1, text, tree }
}

use Operand::{And, Condition, Diverges, Not, Or};

/// `if a && b || !c`, `while d`, the expression `e || f`, `match g`, `h || return`.
static TABLE: &[DecisionSite] = &[
    site(DecisionKind::If, 1, "a && b || !c", &[Condition(1), Condition(2), And, Condition(3), Not, Or]),
    site(DecisionKind::And, 1, "a", &[]),
    site(DecisionKind::And, 1, "b", &[]),
    site(DecisionKind::Or, 1, "c", &[]),
    site(DecisionKind::While, 2, "d", &[]),
    site(DecisionKind::Or, 3, "e", &[Condition(5), Condition(6), Or]),
    site(DecisionKind::Or, 3, "f", &[]),
    site(DecisionKind::Match, 4, "match g", &[]),
    site(DecisionKind::Or, 5, "h", &[Condition(8), Diverges, Or]),
];

/// Numbers with outcomes, as decisions.
fn trace(events: &[(u32, u32)]) -> Vec<Taken> {
    events.iter().map(|&(id, outcome)| Taken { table: TABLE, id, outcome }).collect()
}

fn describe(criterion: Criterion, events: &[(u32, u32)]) -> String {
    Classifier::new(criterion).unwrap().describe(&trace(events))
}

fn is_same(criterion: Criterion, a: &[(u32, u32)], b: &[(u32, u32)]) -> bool {
    let mut classifier = Classifier::new(criterion).unwrap();
    let (first, second) = (classifier.class(&trace(a)), classifier.class(&trace(b)));
    // A new classifier returns the same.
    assert_eq!(Classifier::new(criterion).unwrap().class(&trace(b)), second);
    first == second
}

#[test]
fn criteria_compare_what_they_say() {
    let once = [(4, 1), (4, 0)];
    let twice = [(4, 1), (4, 1), (4, 0)];
    let backwards = [(4, 0), (4, 1)];
    let other = [(4, 1)];
    for (criterion, same) in [
        (Criterion::Decision, [true, true, false]),
        (Criterion::Condition, [true, true, false]),
        (Criterion::Mcdc, [true, true, false]),
        (Criterion::Cdc, [false, true, false]),
        (Criterion::SimplePath, [true, false, false]),
        (Criterion::Path, [false, false, false]),
    ] {
        let found = [&twice[..], &backwards, &other].map(|b| is_same(criterion, &once, b));
        assert_eq!(found, same, "{criterion}");
    }
}

#[test]
fn decisions_are_branches_and_expressions_and_conditions_their_operands() {
    // `a && b || !c` with a, not b, not c; then `e || f` with f alone; then an arm.
    let events = [(1, 1), (2, 0), (3, 0), (0, 1), (5, 0), (6, 1), (7, 2)];
    assert_eq!(
        describe(Criterion::Decision, &events),
        "1:`a && b || !c` yes, 3:`e ..` yes, 4:`match g` arm 3"
    );
    assert_eq!(
        describe(Criterion::Condition, &events),
        "1:`a` yes, 1:`b` no, 1:`c` no, 3:`e` no, 3:`f` yes, 4:`match g` arm 3"
    );
    assert_eq!(describe(Criterion::Cdc, &[(5, 1), (5, 0), (6, 0), (5, 1)]), "3:`e ..` no 1x/yes 2x");
    // An expression that is left by `return` has no outcome.
    assert_eq!(describe(Criterion::Decision, &[(8, 0)]), "no decisions");
    assert_eq!(describe(Criterion::Decision, &[(8, 1)]), "5:`h ..` yes");
}

#[test]
fn a_condition_makes_the_decision_if_its_other_outcome_would_change_it() {
    let made = |events: &[(u32, u32)]| describe(Criterion::Mcdc, events);
    // Not a: c decides. If a were true, b would decide, but b was not evaluated, so the result is unknown.
    assert_eq!(made(&[(1, 0), (3, 0), (0, 1)]), "1:`a` no, 1:`c` no!");
    assert_eq!(made(&[(1, 0), (3, 1), (0, 0)]), "1:`a` no, 1:`c` yes!");
    // With b true as well, c was not evaluated.
    assert_eq!(made(&[(1, 1), (2, 1), (0, 1)]), "1:`a` yes, 1:`b` yes");
    // `a && !b`, and c true: b or c alone would have changed the result; a would not.
    assert_eq!(made(&[(1, 1), (2, 0), (3, 1), (0, 0)]), "1:`a` yes, 1:`b` no!, 1:`c` yes!");
    assert_eq!(made(&[(5, 0), (6, 0)]), "3:`e` no!, 3:`f` no!");
    assert_eq!(made(&[(5, 0), (6, 1)]), "3:`e` no, 3:`f` yes!");
    assert_eq!(made(&[(4, 1)]), "2:`d` yes!");
}

#[test]
fn evaluations_inside_of_each_other_are_told_apart() {
    // `e || f` where f is a call in which `e || f` is evaluated: first e alone, then e and f.
    let inside = describe(Criterion::Mcdc, &[(5, 0), (5, 1), (6, 1)]);
    assert_eq!(inside, "3:`e` no/yes, 3:`f` yes!");
    let twice = describe(Criterion::Mcdc, &[(5, 0), (5, 0), (6, 0), (6, 0)]);
    assert_eq!(twice, "3:`e` no!, 3:`f` no!");
    // An evaluation that does not end has decided nothing.
    assert_eq!(describe(Criterion::Mcdc, &[(5, 0)]), "3:`e` no");
}
