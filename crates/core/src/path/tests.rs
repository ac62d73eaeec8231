use super::*;
use crate::layout::Ownership::Unique;
use crate::layout::handmade::Handmade;

const BEFORE: Before = Before { trail: 0, log: 3 };

/// A path over three slots of plain data, and a step for each of them.
fn three() -> (Path, [Step; 3]) {
    let mut h = Handmade::default();
    let slots = [(); 3].map(|()| h.values(5));
    let layout = h.finish();
    (Path::new(layout), slots.map(|slot| Step::new(layout.slot(slot).head, slot, 1, BEFORE)))
}

#[test]
fn a_choice_is_a_value_unless_it_is_an_alternative() {
    let (_, [step, ..]) = three();
    let is_value = |choice, opened| Step { choice, ..step }.opened(opened).is_value();
    assert!(is_value(1, Opened::Value) && is_value(1, Opened::Hidden) && is_value(1, Opened::Among));
    assert!(is_value(0, Opened::Presence), "none is a value");
    assert!(!is_value(1, Opened::Presence), "something is left open");
    assert!(!is_value(0, Opened::Question) && !is_value(1, Opened::Question));
    assert!(step.opened(Opened::Question).is_question() && !step.is_question());
}

#[test]
fn a_step_fits_into_half_a_cache_line() {
    assert!(size_of::<Step>() <= 32);
}

#[test]
fn fresh_objects_are_told_apart_from_those_in_use() {
    let is_fresh = |taken| Effect::Object(taken).is_fresh_object();
    assert!(
        [Taken::Fresh, Taken::Promised, Taken::FreshUnpromised, Taken::Borrowed].into_iter().all(is_fresh)
    );
    assert!(![Taken::InUse, Taken::Released, Taken::InUseUnpromised].into_iter().any(is_fresh));
    assert!(!Effect::Nothing.is_fresh_object() && !Effect::Elements.is_fresh_object());
}

#[test]
fn closing_a_step_empties_its_cell() {
    let (mut path, [step, ..]) = three();
    path.push(step);
    step.head.index.set(1);
    let last = path.pop().expect("one step");
    let closed = path.close(&last);
    assert_eq!((closed.slot, closed.choice), (step.slot, 1));
    assert!(matches!(closed.how, How::Value) && step.head.is_unread() && path.is_empty());
}

#[test]
fn a_hidden_key_is_known_from_the_answer_on_at_which_it_was_decided() {
    let (mut path, [step, ..]) = three();
    path.push(step);
    path.hide();
    assert!(path.is_hidden(step.slot) && !step.head.is_open() && !step.head.is_unread());
    assert!(!path.is_known(step.slot, 2) && path.is_known(step.slot, 3), "after three answers");
    let last = path.pop().expect("one step");
    assert!(matches!(path.close(&last).how, How::Hidden));
    assert!(!path.is_hidden(step.slot) && !path.is_known(step.slot, usize::MAX >> 33));
}

#[test]
fn presence_is_marked_as_long_as_its_step_is_there() {
    let (mut path, [none, some, _]) = three();
    path.push_presence(Step { choice: 0, ..none });
    path.push_presence(some);
    assert!(!path.is_present(none.slot) && path.is_present(some.slot));
    assert_eq!((none.index(), some.index()), (0, LAZY));
    let last = path.pop().expect("two steps");
    assert!(matches!(path.close(&last).how, How::Presence) && !path.is_present(some.slot));
}

#[test]
fn the_choices_that_are_left_return_in_reverse_order() {
    let (mut path, steps) = three();
    for (i, step) in (1..).zip(steps) {
        path.push(step);
        path.mark_among([i, i + 1].into());
    }
    for i in (1..4).rev() {
        let last = path.pop().expect("three steps");
        let How::Among(among) = path.close(&last).how else { panic!("opened among some choices") };
        assert_eq!(*among, [i, i + 1]);
    }
}

#[test]
fn anything_but_values_is_a_decision() {
    let (mut path, [step, other, _]) = three();
    path.push(step);
    assert!(!path.has_decisions());
    path.push(other.opened(Opened::Question));
    assert!(path.has_decisions());
}

#[test]
fn a_guide_prescribes_alternatives_that_are_possible() {
    let (_, [step, ..]) = three();
    let slot = step.slot;
    assert_eq!(Guide::First.alternative(slot, 0b11), None);
    let follow = |choices: &[Choice]| Follow { choices: choices.to_vec(), next: 0, refused: None };
    let mut guide = Guide::Follow(follow(&[1, 2, 9]));
    assert_eq!(guide.alternative(slot, 0b11), Some(1));
    assert!(matches!(&guide, Guide::Follow(follow) if follow.refused.is_none()));
    assert_eq!((guide.alternative(slot, 0b11), guide.alternative(slot, 0b11)), (None, None), "impossible");
    assert_eq!(guide.alternative(slot, 0b11), None, "the end");
    assert!(matches!(&guide, Guide::Follow(follow) if follow.refused == Some(slot) && follow.next == 3));
    assert!(std::panic::catch_unwind(|| Guide::Frozen.alternative(SlotId::new(0), 0b11)).is_err());
}

#[test]
fn a_guide_chooses_among_some_choices() {
    let slot = SlotId::new(0);
    assert_eq!(Guide::First.choice_among(slot, &[2, 4]), 2);
    let mut guide = Guide::Follow(Follow { choices: vec![4, 3], next: 0, refused: None });
    assert_eq!(guide.choice_among(slot, &[2, 4]), 4);
    assert_eq!(guide.choice_among(slot, &[2, 4]), 2, "refused");
    assert_eq!(guide.choice_among(slot, &[2, 4]), 2, "the end");
    assert!(matches!(guide, Guide::Follow(follow) if follow.refused == Some(slot)));
}

#[test]
fn reservations_of_elements_are_given_back() {
    let mut h = Handmade::default();
    let (inner, outer) = (h.pool(4), h.pool(3));
    h.fresh(outer, vec![(outer, 1), (inner, 2)]);
    h.pointer(outer, Unique);
    let layout = h.finish();
    let mut objects = Objects::new(layout);
    let need = &layout.pool(outer).fresh;
    assert!(objects.has_room_for(need, 2) && !objects.has_room_for(need, 3), "four inner objects");
    assert_eq!(objects.take_elements(layout, outer, 2), 0);
    assert_eq!((objects.pool(outer).used, objects.pool(inner).reserved), (2, 4));
    assert!(!objects.has_room(need));
    objects.give_elements_back(layout, outer, 2);
    assert_eq!((objects.pool(outer).used, objects.pool(inner).reserved), (0, 0));
}
