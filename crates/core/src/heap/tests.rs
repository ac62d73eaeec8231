use super::*;
use crate::answers::{About, Question, Strayed};
use crate::cell::{LAZY, Tracker, UNREAD};
use crate::heap::OrderedKey;
use crate::ids::Choice;
use crate::layout::Ownership::{Raw, Shared, Unique, Weak};
use crate::layout::handmade::Handmade;
use crate::path::{Follow, Script};
use crate::promise::{FALSE_REFUTES, NOTHING, Op, TRUE_REFUTES};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Everything that steps of a path change, in words.
fn snapshot(s: &State) -> String {
    let cells: Vec<u32> = s.layout.slot_ids().map(|slot| s.layout.slot(slot).head.index.get()).collect();
    let bounds: Vec<(u32, u32)> = s.layout.slot_ids().map(|slot| s.constraints.bounds(slot)).collect();
    let marks: Vec<(bool, bool)> =
        s.layout.slot_ids().map(|slot| (s.path.is_present(slot), s.path.is_hidden(slot))).collect();
    let pools: Vec<_> = s
        .objects
        .pools()
        .iter()
        .map(|p| (p.used, p.reserved, p.borrowed, p.unowned, p.owners.clone(), p.touched.clone()))
        .collect();
    let steps: Vec<(SlotId, Choice)> = s.path.iter().map(|step| (step.slot, step.choice)).collect();
    let answers = (s.answers.log.len(), s.answers.questions.len(), s.answers.claims.len());
    format!("{cells:?} {bounds:?} {marks:?} {pools:?} {steps:?} {answers:?}")
}

/// The choices of all candidates, when slots are read in this order.
fn candidates(heap: &Heap, slots: &[SlotId]) -> Vec<Vec<Choice>> {
    let mut all = vec![];
    loop {
        let complete =
            slots.iter().all(|&slot| heap.layout.is_open(slot) || heap.state.borrow_mut().open(slot));
        let mut s = heap.state.borrow_mut();
        if complete {
            all.push(s.path.iter().map(|step| step.choice).collect());
        }
        if !s.advance() {
            return all;
        }
    }
}

/// The heap with some slots: data, pointers of each kind, a vector and an index into it.
fn mixed(engine: Engine) -> (&'static Heap, Vec<SlotId>) {
    let mut h = Handmade::default();
    let (pool, elements) = (h.pool(2), h.pool(2));
    let vector = h.vector(elements, &[0, 1, 2]);
    let slots = vec![
        h.values(2),
        h.pointer(pool, Raw),
        h.pointer(pool, Unique),
        h.pointer(pool, Weak),
        h.index(vector, 2),
    ];
    (Heap::new(h.finish(), engine), slots)
}

const ENGINES: [Engine; 3] = [Engine::Korat, Engine::Owned, Engine::Lazy];

#[test]
fn advancing_visits_each_candidate_once_and_in_order() {
    for engine in ENGINES {
        let (heap, slots) = mixed(engine);
        let before = snapshot(&heap.state.borrow());
        let all = candidates(heap, &slots);
        assert!(all.is_sorted_by(|a, b| a < b), "{engine:?}");
        assert_eq!(snapshot(&heap.state.borrow()), before, "{engine:?}");
        // By recursion over the allowed choices, without advancing.
        assert_eq!(all.len(), count(heap, &slots), "{engine:?}");
    }
}

/// How many candidates there are, by trying the allowed choices of one slot after the other.
fn count(heap: &Heap, slots: &[SlotId]) -> usize {
    let Some((&slot, rest)) = slots.split_first() else { return 1 };
    if heap.layout.is_early_index(slot) {
        let Kind::Index { arena, .. } = heap.layout.kind(slot) else { return 0 };
        let with_arena: Vec<SlotId> = [&[arena], slots].concat();
        return count(heap, &with_arena);
    }
    let choices: Vec<Choice> = heap.state.borrow().all_allowed(slot).collect();
    let mut n = 0;
    for choice in choices {
        let before = snapshot(&heap.state.borrow());
        heap.state.borrow_mut().push(slot, choice);
        n += count(heap, rest);
        heap.state.borrow_mut().pop();
        assert_eq!(snapshot(&heap.state.borrow()), before, "after choice {choice} of {slot:?}");
    }
    n
}

#[test]
fn a_closed_step_can_be_opened_again() {
    for engine in ENGINES {
        let (heap, slots) = mixed(engine);
        let mut s = heap.state.borrow_mut();
        assert!(slots[..4].iter().all(|&slot| s.open(slot)));
        let before = snapshot(&s);
        let closed = s.pop().expect("the path is not empty");
        s.reopen(&closed, closed.choice);
        assert_eq!(snapshot(&s), before, "{engine:?}");
    }
}

#[test]
fn closing_everything_forgets_everything() {
    for engine in ENGINES {
        let (heap, slots) = mixed(engine);
        let before = snapshot(&heap.state.borrow());
        slots.iter().all(|&slot| heap.state.borrow_mut().open(slot));
        heap.state.borrow_mut().close_down_to(0);
        assert_eq!(snapshot(&heap.state.borrow()), before, "{engine:?}");
    }
}

#[test]
fn the_first_read_of_an_index_opens_its_vector() {
    let (heap, slots) = mixed(Engine::Owned);
    let index = slots[4];
    // The first length is 0, and then there is no index.
    assert!(!heap.state.borrow_mut().open(index));
    let vector = heap.state.borrow().path[0].slot;
    assert_eq!(heap.layout.arena(vector).map(|(_, _, len)| len), Some(0));
    assert!(heap.state.borrow_mut().advance());
    assert!(heap.state.borrow_mut().open(index));
}

/// A lazy heap with two slots of numbers, from 0 and from 1 on.
fn numbers() -> (&'static Heap, SlotId, SlotId) {
    let mut h = Handmade::default();
    let (a, b) = (h.numbers(0, 4), h.numbers(1, 4));
    (Heap::new(h.finish(), Engine::Lazy), a, b)
}

#[test]
fn a_question_is_decided_once_and_answered_from_the_log_then() {
    let (heap, a, b) = numbers();
    assert!(heap.ask_pair((a, 0), b, Op::Lt, NOTHING));
    assert_eq!(heap.state.borrow().path.len(), 1);
    // The second run.
    heap.state.borrow_mut().answers.cursor = 0;
    assert!(heap.ask_pair((a, 0), b, Op::Lt, NOTHING));
    // What follows needs no decision.
    assert!(heap.ask_pair((a, 0), b, Op::Le, NOTHING));
    assert!(!heap.ask_pair((a, 0), b, Op::Eq, NOTHING));
    assert_eq!((heap.state.borrow().path.len(), heap.state.borrow().answers.log.len()), (1, 3));
}

#[test]
fn advancing_a_question_takes_its_next_alternative() {
    let (heap, a, b) = numbers();
    let before = snapshot(&heap.state.borrow());
    assert!(!heap.ask_pair((a, 0), b, Op::Eq, NOTHING), "less comes first");
    let mut answers = vec![];
    while heap.state.borrow_mut().advance() {
        heap.state.borrow_mut().answers.cursor = 0;
        answers.push(heap.ask_pair((a, 0), b, Op::Eq, NOTHING));
    }
    assert_eq!(answers, [true, false]);
    assert_eq!(snapshot(&heap.state.borrow()), before);
}

#[test]
fn an_alternative_that_refutes_is_not_tried() {
    let (heap, a, b) = numbers();
    assert!(heap.ask_pair((a, 0), b, Op::Eq, FALSE_REFUTES));
    assert_eq!(heap.state.borrow().path.len(), 0, "one alternative is left, so there is nothing to decide");
    assert_eq!(heap.state.borrow().constraints.bounds(a), (1, 3), "the numbers that both have");
    assert!(!heap.state.borrow_mut().advance());
}

#[test]
fn what_is_impossible_otherwise_is_answered_although_it_refutes() {
    let (heap, a, _) = numbers();
    assert!(heap.ask_choice(a, TRUE_REFUTES, &|choice| choice < 9));
}

#[test]
fn checked_promises_rule_nothing_out() {
    let (heap, a, _) = numbers();
    heap.state.borrow_mut().answers.audits = true;
    assert!(heap.ask_choice(a, TRUE_REFUTES, &|choice| choice < 2));
    assert_eq!(heap.state.borrow().path.len(), 1);
    assert!(heap.state.borrow().breaks_promise());
    assert!(heap.state.borrow_mut().advance());
    heap.state.borrow_mut().answers.cursor = 0;
    assert!(!heap.ask_choice(a, TRUE_REFUTES, &|choice| choice < 2));
    assert!(!heap.state.borrow().breaks_promise());
}

#[test]
fn a_test_with_many_changes_reads_the_slot() {
    let (heap, a, _) = numbers();
    assert!(heap.ask_choice(a, NOTHING, &|choice| choice % 2 == 0));
    let s = heap.state.borrow();
    assert_eq!((s.path.len(), s.path[0].is_value(), s.path[0].is_question()), (1, true, false));
}

#[test]
fn another_question_at_the_same_place_is_noticed() {
    let (heap, a, b) = numbers();
    heap.ask_choice(a, NOTHING, &|choice| choice < 2);
    heap.state.borrow_mut().answers.cursor = 0;
    let asked = catch_unwind(AssertUnwindSafe(|| heap.ask_choice(b, NOTHING, &|choice| choice < 2)));
    assert!(asked.is_err_and(|thrown| thrown.is::<Strayed>()));
}

#[test]
fn a_box_is_opened_to_learn_whether_it_is_there() {
    let mut h = Handmade::default();
    let pool = h.pool(2);
    let (unique, shared) = (h.pointer(pool, Unique), h.pointer(pool, Shared));
    let heap = Heap::new(h.finish(), Engine::Lazy);
    assert!(heap.ask_none(unique, NOTHING));
    assert!(heap.layout.is_open(unique));
    heap.state.borrow_mut().advance();
    assert_eq!(heap.layout.choice(unique), 1);
    // There is an object that the other pointer may share, so it can be left open which one it is.
    assert!(heap.ask_none(shared, NOTHING));
    assert!(!heap.layout.is_open(shared) && heap.state.borrow().path[1].is_question());
}

#[test]
fn a_promise_about_none_narrows_a_pointer_before_it_is_read() {
    let mut h = Handmade::default();
    let pool = h.pool(2);
    let slot = h.pointer(pool, Unique);
    let heap = Heap::new(h.finish(), Engine::Lazy);
    heap.read_some(slot, FALSE_REFUTES);
    heap.first_read(slot);
    assert_eq!(heap.layout.choice(slot), 1, "null is ruled out");
    assert!(!heap.state.borrow_mut().advance());
}

#[test]
fn a_raw_pointer_is_opened_among_what_does_not_refute() {
    let mut h = Handmade::default();
    let pool = h.pool(3);
    let [a, b, c] = [(); 3].map(|()| h.pointer(pool, Raw));
    let heap = Heap::new(h.finish(), Engine::Lazy);
    (1..3).zip([a, b]).for_each(|(choice, slot)| heap.state.borrow_mut().push(slot, choice));
    assert!(heap.ask_pointer(c, FALSE_REFUTES, &|choice| choice == 1 || choice == 3));
    assert_eq!(heap.layout.choice(c), 1);
    assert!(heap.state.borrow_mut().advance());
    assert_eq!(
        (heap.layout.choice(c), heap.state.borrow().path.len()),
        (3, 3),
        "not null, and not the second"
    );
}

#[test]
fn the_first_read_of_a_key_decides_whether_there_is_one() {
    let mut h = Handmade::default();
    let (key, optional) = (h.key(0, 3), h.key(1, 3));
    let heap = Heap::new(h.finish(), Engine::Lazy);
    let cell = |slot| heap.layout.slot(slot).head.index.get();
    heap.first_read(key);
    assert_eq!((cell(key), heap.state.borrow().path.len()), (LAZY, 0), "nothing to decide");
    heap.first_read(optional);
    assert_eq!((cell(optional), heap.state.borrow().path.len()), (0, 1), "none comes first");
    assert!(heap.state.borrow_mut().advance());
    assert_eq!(cell(optional), LAZY);
    assert!(heap.state.borrow().path.is_present(optional) && !heap.state.borrow().path[0].is_value());
    assert_eq!(heap.state.borrow().constraints.bounds(optional), (1, 3));
    assert!(!heap.state.borrow_mut().advance());
    assert!(!heap.state.borrow().path.is_present(optional));
    assert_eq!(cell(optional), UNREAD);
}

#[test]
fn a_key_whose_value_was_asked_for_stays_hidden() {
    let mut h = Handmade::default();
    let key = h.key(0, 3);
    let heap = Heap::new(h.finish(), Engine::Lazy);
    heap.first_read(key);
    assert_eq!(heap.force_key(key), 0);
    assert_eq!(heap.layout.slot(key).head.index.get(), LAZY);
    let is_known = || {
        let s = heap.state.borrow();
        (s.path.is_hidden(key), s.path.is_known(key, s.answers.cursor))
    };
    assert_eq!(is_known(), (true, true));
    assert!(heap.state.borrow_mut().advance());
    assert_eq!((heap.force_key(key), heap.state.borrow().path.len()), (1, 1));
}

#[test]
fn order_types_of_two_keys() {
    let mut h = Handmade::default();
    let keys = [h.key(0, 3), h.key(0, 3)];
    let heap = Heap::new(h.finish(), Engine::Lazy);
    let mut alternatives = vec![];
    loop {
        heap.state.borrow_mut().decide_order(&keys.map(OrderedKey::Slot));
        alternatives.push(heap.state.borrow().path[0].choice);
        if !heap.state.borrow_mut().advance() {
            break;
        }
    }
    assert_eq!(alternatives, [0, 1, 2]);
}

#[test]
fn a_path_can_be_followed() {
    for engine in ENGINES {
        let (heap, slots) = mixed(engine);
        let all = candidates(heap, &slots);
        for choices in [&all[0], &all[all.len() / 2], &all[all.len() - 1]] {
            let follow = Follow { choices: choices.clone(), next: 0, refused: None };
            heap.state.borrow_mut().guide = Guide::Follow(follow);
            assert!(slots.iter().all(|&slot| heap.state.borrow_mut().open(slot)));
            let mut s = heap.state.borrow_mut();
            let path: Vec<Choice> = s.path.iter().map(|step| step.choice).collect();
            let Guide::Follow(follow) = std::mem::take(&mut s.guide) else { panic!("the guide is the same") };
            assert_eq!((&path, follow.next, follow.refused), (choices, choices.len(), None));
            s.close_down_to(0);
        }
    }
}

#[test]
fn a_path_that_is_not_allowed_is_refused() {
    let (heap, slots) = mixed(Engine::Owned);
    let follow = Follow { choices: vec![1, 3], next: 0, refused: None };
    heap.state.borrow_mut().guide = Guide::Follow(follow);
    assert!(heap.state.borrow_mut().open(slots[0]));
    assert!(!heap.state.borrow_mut().open(slots[1]), "objects are introduced in order");
    let s = heap.state.borrow();
    assert!(matches!(&s.guide, Guide::Follow(follow) if follow.refused == Some(slots[1])));
}

#[test]
fn nothing_is_chosen_while_frozen() {
    let (heap, a, b) = numbers();
    assert!(heap.state.borrow_mut().constraints.narrow(a, 2, 2));
    heap.state.borrow_mut().guide = Guide::Frozen;
    assert!(heap.state.borrow_mut().open(a), "one choice is left");
    assert!(catch_unwind(AssertUnwindSafe(|| heap.state.borrow_mut().open(b))).is_err());
    assert!(catch_unwind(AssertUnwindSafe(|| heap.ask_choice(b, NOTHING, &|choice| choice < 1))).is_err());
}

#[test]
fn a_repeated_candidate_is_read_in_any_order() {
    let (heap, slots) = mixed(Engine::Owned);
    let s = &mut *heap.state.borrow_mut();
    [(slots[1], 1), (slots[3], 1)].into_iter().for_each(|(slot, choice)| s.push(slot, choice));
    let choices = s.path.iter().map(|step| (step.slot, step.choice, step.index())).collect();
    s.close_down_to(0);
    s.guide = Guide::Repeat(Script { choices, ..Script::default() });
    assert!(s.open(slots[3]) && s.open(slots[1]));
    assert_eq!((heap.layout.choice(slots[1]), heap.layout.choice(slots[3])), (1, 1));
    assert!(matches!(&s.guide, Guide::Repeat(script) if !script.strayed));
    assert!(s.open(slots[0]));
    assert!(matches!(&s.guide, Guide::Repeat(script) if script.strayed));
}

#[test]
fn orphans_rule_a_candidate_out_unless_pointers_alias() {
    let mut h = Handmade::default();
    let pool = h.pool(2);
    let (weak, owner) = (h.pointer(pool, Weak), h.pointer(pool, Unique));
    let layout = h.finish();
    for engine in ENGINES {
        let heap = Heap::new(layout, engine);
        let mut s = heap.state.borrow_mut();
        s.push(weak, 1);
        s.push(owner, 0);
        assert_eq!(s.is_ruled_out(), engine != Engine::Korat);
        assert!(s.flaw().is_some());
        s.close_down_to_step(1);
        s.push(owner, 1);
        assert_eq!((s.is_ruled_out(), s.flaw()), (false, None));
        s.close_down_to(0);
    }
}

#[test]
fn two_boxes_that_share_an_object_are_a_flaw() {
    let mut h = Handmade::default();
    let pool = h.pool(2);
    let [a, b] = [(); 2].map(|()| h.pointer(pool, Unique));
    let heap = Heap::new(h.finish(), Engine::Korat);
    let mut s = heap.state.borrow_mut();
    s.push(a, 1);
    s.push(b, 1);
    assert!(s.flaw().is_some_and(|why| why.contains("two boxes")));
}

#[test]
fn another_part_is_out_of_reach() {
    let (heap, a, _) = numbers();
    heap.focus.set(1 << 2);
    let read = catch_unwind(AssertUnwindSafe(|| heap.first_read(a)));
    assert!(read.is_err_and(|thrown| thrown.is::<DeadEnd>()));
    assert_eq!(heap.foreign.get(), Some(a));
    heap.focus.set(OBSERVE);
    heap.first_read(a);
    assert_eq!(heap.asked.get(), 1, "part 0");
}

#[test]
fn a_flat_structure_is_completed_without_a_walk() {
    let mut h = Handmade::default();
    let pool = h.pool(2);
    let (pointer, data) = (h.pointer(pool, Unique), h.values(2));
    h.within(Some((pool, 0)));
    let of_object = h.values(2);
    let heap = Heap::new(h.finish(), Engine::Owned);
    assert!(!heap.complete_without_walk(), "the pointer is not open");
    heap.state.borrow_mut().push(pointer, 1);
    assert!(!heap.complete_without_walk(), "its object has a slot");
    heap.state.borrow_mut().push(of_object, 0);
    assert!(heap.complete_without_walk());
    assert!(heap.layout.is_open(data));
}

#[test]
fn refuting_alternatives_follow_from_what_means_yes() {
    let about = About::Order { a: SlotId::new(0), by: 0, b: SlotId::new(1) };
    assert_eq!((about.refuting(FALSE_REFUTES), about.refuting(TRUE_REFUTES)), (0b101, 0b010));
    assert_eq!(Question { about, refuting: 0b101 }.only(), Some(1));
    assert_eq!(Question { about, refuting: 0b010 }.only(), None);
    let about = About::Interval { slot: SlotId::new(0), cuts: [0, 1, 3, 4], count: 3, first: true };
    assert_eq!((about.refuting(FALSE_REFUTES), about.refuting(TRUE_REFUTES)), (0b010, 0b101));
}
