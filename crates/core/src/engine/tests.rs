use super::*;
use crate::ids::PoolId;
use crate::layout::Ownership::{Raw, Shared, Unique, Weak};
use crate::layout::handmade::Handmade;
use crate::path::Before;

/// The parts that engines work on, with the steps that were taken.
struct Parts {
    layout: &'static Layout,
    objects: Objects,
    constraints: Constraints,
    steps: Vec<Step>,
}

impl Parts {
    fn new(layout: &'static Layout) -> Parts {
        let mut constraints = Constraints::default();
        layout.slot_ids().for_each(|slot| constraints.add(layout.constrained(slot)));
        Parts { layout, objects: Objects::new(layout), constraints, steps: vec![] }
    }

    fn allowed(&self, engine: impl Engine, slot: SlotId) -> Vec<Choice> {
        let next = |from| engine.allowed(self.layout, &self.objects, &self.constraints, slot, from);
        std::iter::successors(next(0), |&choice| next(choice + 1)).collect()
    }

    fn take(&mut self, engine: impl Engine, slot: SlotId, choice: Choice) -> Effect {
        assert!(self.allowed(engine, slot).contains(&choice), "choice {choice} of {slot:?} is allowed");
        let before = Before { trail: self.constraints.mark(), log: 0 };
        let change = engine.take(self.layout, &mut self.objects, &mut self.constraints, slot, choice);
        let head = self.layout.slot(slot).head;
        head.index.set(change.index);
        let step = Step::new(head, slot, choice, before).with_effect(change.effect, change.touches);
        self.steps.push(step);
        change.effect
    }

    fn give_back(&mut self, engine: impl Engine) {
        let step = self.steps.pop().expect("a step to give back");
        self.constraints.undo_to(step.before().trail);
        engine.give_back(self.layout, &mut self.objects, &step);
        step.unread();
    }

    /// Size, used, reserved, borrowed and unowned objects of each pool, the owners and the touched objects.
    fn counts(&self) -> Vec<([u32; 5], Vec<u32>, Vec<u32>)> {
        let count = |p: &crate::path::InUse| {
            ([p.size, p.used, p.reserved, p.borrowed, p.unowned], p.owners.clone(), p.touched.clone())
        };
        self.objects.pools().iter().map(count).collect()
    }

    /// Takes every allowed choice of these slots, one after the other, and gives it back: each time, everything is as
    /// before. Returns how many complete assignments there are.
    fn visit(&mut self, engine: impl Engine, slots: &[SlotId]) -> usize {
        let Some((&slot, rest)) = slots.split_first() else { return 1 };
        let mut complete = 0;
        for choice in self.allowed(engine, slot) {
            let before = (self.counts(), self.constraints.mark());
            self.take(engine, slot, choice);
            complete += self.visit(engine, rest);
            self.give_back(engine);
            assert_eq!((self.counts(), self.constraints.mark()), before, "after choice {choice} of {slot:?}");
        }
        complete
    }
}

/// Three pointers of one kind to a pool of objects.
fn pointers(size: u32, ownership: crate::layout::Ownership) -> (&'static Layout, PoolId, [SlotId; 3]) {
    let mut h = Handmade::default();
    let pool = h.pool(size);
    let slots = [(); 3].map(|()| h.pointer(pool, ownership));
    (h.finish(), pool, slots)
}

#[test]
fn plain_data_has_all_its_values_with_every_engine() {
    let mut h = Handmade::default();
    let slot = h.values(3);
    let parts = Parts::new(h.finish());
    assert_eq!(parts.allowed(Korat, slot), [0, 1, 2]);
    assert_eq!(parts.allowed(Owned, slot), [0, 1, 2]);
    assert_eq!(parts.allowed(Lazy, slot), [0, 1, 2]);
}

#[test]
fn the_lazy_engine_stays_within_the_constraints() {
    let mut h = Handmade::default();
    let (slot, pool) = (h.values(5), h.pool(3));
    let pointer = h.pointer(pool, Shared);
    let mut parts = Parts::new(h.finish());
    assert!(parts.constraints.narrow(slot, 1, 3) && parts.constraints.narrow(pointer, 1, 3));
    assert_eq!(parts.allowed(Lazy, slot), [1, 2, 3]);
    assert_eq!(parts.allowed(Lazy, pointer), [1], "not null");
    assert_eq!(parts.allowed(Owned, slot), [0, 1, 2, 3, 4]);
}

#[test]
fn taking_a_value_constrains_others_with_the_lazy_engine_only() {
    let mut h = Handmade::default();
    let [a, b] = [h.values(4), h.values(4)];
    let mut parts = Parts::new(h.finish());
    assert!(parts.constraints.post(a, 1, b));
    parts.take(Lazy, a, 2);
    assert_eq!(parts.allowed(Lazy, b), [3]);
    parts.give_back(Lazy);
    assert_eq!(parts.allowed(Lazy, b), [1, 2, 3]);
    parts.take(Owned, a, 2);
    assert_eq!(parts.constraints.bounds(b), (1, 3));
}

#[test]
fn with_korat_a_pointer_leads_to_objects_in_use_or_to_the_next_one() {
    let (layout, _, [a, b, c]) = pointers(3, Unique);
    let mut parts = Parts::new(layout);
    assert_eq!(parts.allowed(Korat, a), [0, 1]);
    assert_eq!(parts.take(Korat, a, 1), Effect::Object(Taken::Fresh));
    assert_eq!(parts.allowed(Korat, b), [0, 1, 2], "a box may alias");
    assert_eq!(parts.take(Korat, b, 1), Effect::Nothing);
    assert_eq!(parts.allowed(Korat, c), [0, 1, 2]);
}

#[test]
fn korat_visits_one_candidate_of_each_isomorphism_class() {
    // As many as there are partitions of the set of pointers and null: Bell's number of 4.
    let (layout, _, slots) = pointers(3, Unique);
    assert_eq!(Parts::new(layout).visit(Korat, &slots), 15);
    // One object is not enough for partitions into more than null and the rest.
    let (layout, _, slots) = pointers(1, Unique);
    assert_eq!(Parts::new(layout).visit(Korat, &slots), 8);
}

#[test]
fn a_box_takes_objects_without_an_owner() {
    let (layout, pool, slots) = pointers(3, Unique);
    let mut parts = Parts::new(layout);
    parts.take(Owned, slots[0], 1);
    assert_eq!(parts.allowed(Owned, slots[1]), [0, 2]);
    assert_eq!(parts.objects.pool(pool).unowned, 0);
    parts.give_back(Owned);
    // Each box is null or leads to an object of its own.
    assert_eq!(parts.visit(Owned, &slots), 8);
    assert_eq!(parts.visit(Lazy, &slots), 8);
}

#[test]
fn shared_pointers_share() {
    let (layout, _, slots) = pointers(3, Shared);
    assert_eq!(Parts::new(layout).visit(Owned, &slots), 15);
    assert_eq!(Parts::new(layout).visit(Lazy, &slots), 15);
}

#[test]
fn a_weak_pointer_introduces_an_object_that_a_box_may_own_later() {
    let mut h = Handmade::default();
    let pool = h.pool(2);
    let (weak, owner) = (h.pointer(pool, Weak), h.pointer(pool, Unique));
    let mut parts = Parts::new(h.finish());
    assert_eq!(parts.take(Owned, weak, 1), Effect::Object(Taken::Fresh));
    assert_eq!(parts.objects.pool(pool).unowned, 1);
    assert_eq!(parts.allowed(Owned, owner), [0, 1, 2]);
    assert_eq!(parts.take(Owned, owner, 1), Effect::Object(Taken::InUse));
    assert_eq!(parts.objects.pool(pool).unowned, 0);
    assert_eq!(parts.visit(Owned, &[]), 1);
}

#[test]
fn reserved_objects_are_left_to_mandatory_pointers() {
    let mut h = Handmade::default();
    let pool = h.pool(1);
    h.mandatory(pool, 1);
    let (optional, mandatory) = (h.pointer(pool, Unique), h.reference(pool, Unique));
    let mut parts = Parts::new(h.finish());
    assert_eq!(parts.allowed(Owned, optional), [0]);
    assert_eq!(parts.allowed(Owned, mandatory), [0]);
    assert_eq!(parts.take(Owned, mandatory, 0), Effect::Object(Taken::Promised));
    assert_eq!(parts.objects.pool(pool).reserved, 0);
    assert_eq!(parts.allowed(Owned, optional), [0], "the object has its owner");
}

#[test]
fn a_raw_pointer_may_use_up_a_promise() {
    let mut h = Handmade::default();
    let pool = h.pool(2);
    h.mandatory(pool, 1);
    let (raw, mandatory) = (h.pointer(pool, Raw), h.reference(pool, Unique));
    let mut parts = Parts::new(h.finish());
    assert_eq!(parts.take(Owned, raw, 1), Effect::Object(Taken::Borrowed));
    let in_use = parts.objects.pool(pool);
    assert_eq!((in_use.reserved, in_use.borrowed), (0, 1));
    // The mandatory pointer owns that object, or another one.
    assert_eq!(parts.allowed(Owned, mandatory), [0, 1]);
    assert_eq!(parts.take(Owned, mandatory, 0), Effect::Object(Taken::InUseUnpromised));
    parts.give_back(Owned);
    assert_eq!(parts.take(Owned, mandatory, 1), Effect::Object(Taken::FreshUnpromised));
    parts.give_back(Owned);
    parts.give_back(Owned);
    assert_eq!(parts.visit(Owned, &[raw, mandatory]), 1 + 2);
}

#[test]
fn a_mandatory_pointer_to_an_object_in_use_gives_its_reservation_back() {
    let mut h = Handmade::default();
    let pool = h.pool(2);
    h.mandatory(pool, 1);
    let (weak, mandatory) = (h.pointer(pool, Weak), h.reference(pool, Unique));
    let mut parts = Parts::new(h.finish());
    assert_eq!(parts.take(Owned, weak, 1), Effect::Object(Taken::Fresh));
    assert_eq!(parts.take(Owned, mandatory, 0), Effect::Object(Taken::Released));
    assert_eq!(parts.objects.pool(pool).free(), 1);
    parts.give_back(Owned);
    parts.give_back(Owned);
    assert_eq!(parts.visit(Owned, &[weak, mandatory]), 1 + 2);
}

#[test]
fn a_fresh_object_reserves_what_it_needs() {
    let mut h = Handmade::default();
    let (inner, outer) = (h.pool(1), h.pool(2));
    h.fresh(outer, vec![(outer, 1), (inner, 1)]);
    let [a, b] = [h.pointer(outer, Unique), h.pointer(outer, Unique)];
    let mut parts = Parts::new(h.finish());
    parts.take(Owned, a, 1);
    assert_eq!(parts.objects.pool(inner).reserved, 1);
    assert_eq!(parts.allowed(Owned, b), [0], "a second object would find no inner one");
    assert_eq!(parts.allowed(Korat, b), [0, 1, 2], "nothing is reserved");
    parts.give_back(Owned);
    assert_eq!(parts.visit(Owned, &[a, b]), 3);
}

/// A box, two shared pointers, a vector and a mandatory box, whose objects count together.
fn siblings(size: u32, is_mandatory: bool) -> (&'static Layout, Vec<SlotId>) {
    let mut h = Handmade::default();
    let pools = [(); 4].map(|()| h.pool(size));
    h.siblings(&pools);
    let mut slots =
        vec![h.pointer(pools[0], Unique), h.pointer(pools[1], Shared), h.pointer(pools[1], Shared)];
    slots.push(h.vector(pools[2], &[0, 1, 2]));
    if is_mandatory {
        h.mandatory(pools[3], 1);
        slots.push(h.reference(pools[3], Unique));
    }
    (h.finish(), slots)
}

#[test]
fn all_kinds_of_owners_share_a_bound() {
    // Objects of the box, of the shared pointers (none; one, in three ways; two), of the vector.
    let within = |size: usize| {
        let all = (0..2).flat_map(|a| (0..3).flat_map(move |b| (0..3).map(move |c| (a, b, c))));
        all.filter(|(a, b, c)| a + b + c <= size).map(|(_, b, _)| [1, 3, 1][b]).sum::<usize>()
    };
    for size in 1..5 {
        let (layout, slots) = siblings(size, false);
        assert_eq!(Parts::new(layout).visit(Korat, &slots), within(size as usize));
        assert_eq!(Parts::new(layout).visit(Owned, &slots), within(size as usize));
        assert_eq!(Parts::new(layout).visit(Lazy, &slots), within(size as usize));
        let (layout, slots) = siblings(size, true);
        assert_eq!(Parts::new(layout).visit(Owned, &slots), within(size as usize - 1));
        assert_eq!(Parts::new(layout).visit(Lazy, &slots), within(size as usize - 1));
    }
}

#[test]
fn a_need_of_several_kinds_of_owners_is_added_up() {
    let mut h = Handmade::default();
    let (a, b) = (h.pool(2), h.pool(2));
    h.siblings(&[a, b]);
    let slot = h.needy(vec![vec![], vec![(a, 1), (b, 1)], vec![(a, 2), (b, 1)]]);
    let shared = h.pointer(b, Shared);
    let mut parts = Parts::new(h.finish());
    assert_eq!(parts.allowed(Owned, slot), [0, 1]);
    parts.take(Owned, shared, 1);
    assert_eq!(parts.allowed(Owned, slot), [0]);
}

#[test]
fn a_value_may_need_objects() {
    let mut h = Handmade::default();
    let pool = h.pool(1);
    let [a, b] = [h.needy(vec![vec![], vec![(pool, 1)]]), h.needy(vec![vec![], vec![(pool, 1)]])];
    let mut parts = Parts::new(h.finish());
    assert_eq!(parts.take(Owned, a, 1), Effect::Needs);
    assert_eq!(parts.allowed(Owned, b), [0]);
    parts.give_back(Owned);
    assert_eq!(parts.visit(Owned, &[a, b]), 3);
}

#[test]
fn a_vector_is_as_long_as_the_objects_allow() {
    let mut h = Handmade::default();
    let pool = h.pool(3);
    let [a, b] = [h.vector(pool, &[0, 2, 4]), h.vector(pool, &[0, 1, 2])];
    let layout = h.finish();
    let mut parts = Parts::new(layout);
    assert_eq!(parts.allowed(Owned, a), [0, 1], "there are no 4 objects");
    assert_eq!(parts.take(Owned, a, 1), Effect::Elements);
    assert_eq!(layout.arena(a), Some((pool, 0, 2)));
    assert_eq!(parts.allowed(Owned, b), [0, 1]);
    parts.take(Owned, b, 1);
    assert_eq!(layout.arena(b), Some((pool, 2, 1)), "behind the first vector");
    assert_eq!((layout.choice(a), layout.choice(b)), (1, 1));
    parts.give_back(Owned);
    parts.give_back(Owned);
    for count in [parts.visit(Korat, &[a, b]), parts.visit(Owned, &[a, b]), parts.visit(Lazy, &[a, b])] {
        assert_eq!(count, 3 + 2);
    }
}

#[test]
fn an_index_leads_to_touched_places_or_to_the_first_other_one() {
    let mut h = Handmade::default();
    let pool = h.pool(3);
    let vector = h.vector(pool, &[0, 3]);
    let [a, b] = [h.index(vector, 3), h.index(vector, 3)];
    let mut parts = Parts::new(h.finish());
    parts.take(Owned, vector, 0);
    assert_eq!(parts.allowed(Owned, a), [] as [Choice; 0], "the vector is empty");
    parts.give_back(Owned);
    parts.take(Owned, vector, 1);
    assert_eq!(parts.allowed(Owned, a), [0]);
    assert_eq!(parts.take(Owned, a, 0), Effect::Target);
    assert_eq!(parts.allowed(Owned, b), [0, 1]);
}

#[test]
fn reading_a_slot_of_an_arena_touches_its_object() {
    let mut h = Handmade::default();
    let pool = h.pool(2);
    let vector = h.vector(pool, &[2]);
    h.within(Some((pool, 1)));
    let data = h.values(2);
    h.in_arena(data, pool, 1);
    h.within(None);
    let index = h.index(vector, 2);
    let layout = h.finish();
    let mut parts = Parts::new(layout);
    assert_eq!(Lazy.asks(layout.slot(data)), Asks::Nothing, "it is read, which touches the object");
    parts.take(Lazy, vector, 0);
    assert_eq!(parts.allowed(Lazy, index), [0]);
    parts.take(Lazy, data, 0);
    assert_eq!(parts.allowed(Lazy, index), [0, 1], "the second place is distinguished now");
    parts.give_back(Lazy);
    assert_eq!(parts.objects.pool(pool).touched, [0, 0]);
}

#[test]
fn only_the_lazy_engine_asks() {
    let mut h = Handmade::default();
    let pool = h.pool(1);
    let slots = [
        (h.values(2), Asks::Data),
        (h.pointer(pool, Raw), Asks::Address),
        (h.pointer(pool, Shared), Asks::Presence),
        (h.key(0, 3), Asks::Nothing),
        (h.key(1, 3), Asks::Presence),
        (h.vector(pool, &[0, 1]), Asks::Nothing),
    ];
    let layout = h.finish();
    for (slot, asks) in slots {
        let slot = layout.slot(slot);
        assert_eq!(Lazy.asks(slot), asks);
        assert_eq!((Korat.asks(slot), Owned.asks(slot)), (Asks::Nothing, Asks::Nothing));
        assert_eq!(Lazy.leaves_open(slot), slot.is_key);
        assert!(!Korat.leaves_open(slot) && !Owned.leaves_open(slot));
    }
}

#[test]
fn advancing_in_place_does_what_closing_and_opening_does() {
    fn check<E: Engine>(engine: E, layout: &'static Layout, slots: &[SlotId]) {
        let mut parts = Parts::new(layout);
        for &slot in slots {
            let first = parts.allowed(engine, slot)[0];
            parts.take(engine, slot, first);
        }
        let last = slots[slots.len() - 1];
        loop {
            let mut step = *parts.steps.last().expect("the last slot is open");
            let choice = step.choice;
            parts.give_back(engine);
            let (closed, all) = (parts.counts(), parts.allowed(engine, last));
            parts.take(engine, last, choice);
            match (
                engine.advance_in_place(layout, &mut parts.objects, &mut step),
                all.iter().find(|&&c| c > choice),
            ) {
                (InPlace::Advanced, next) => {
                    assert_eq!(Some(&step.choice), next);
                    *parts.steps.last_mut().expect("the last slot is open") = step;
                    let advanced = parts.counts();
                    parts.give_back(engine);
                    parts.take(engine, last, step.choice);
                    assert_eq!(parts.counts(), advanced);
                }
                (InPlace::Closed, next) => {
                    assert_eq!((parts.counts(), next), (closed, None));
                    break;
                }
                (InPlace::Last, next) => {
                    assert_eq!(next, None);
                    break;
                }
                (InPlace::Unknown, Some(&next)) => {
                    parts.give_back(engine);
                    parts.take(engine, last, next);
                }
                (InPlace::Unknown, None) => break,
            }
        }
    }
    for ownership in [Unique, Shared, Weak, Raw] {
        for size in 1..4 {
            let (layout, _, slots) = pointers(size, ownership);
            for n in 1..=3 {
                check(Korat, layout, &slots[..n]);
                check(Owned, layout, &slots[..n]);
                check(Lazy, layout, &slots[..n]);
            }
        }
    }
    for size in 1..4 {
        let (layout, slots) = siblings(size, false);
        for n in 1..=slots.len() {
            check(Korat, layout, &slots[..n]);
            check(Owned, layout, &slots[..n]);
            check(Lazy, layout, &slots[..n]);
        }
    }
    let mut h = Handmade::default();
    let slot = h.values(4);
    let layout = h.finish();
    check(Korat, layout, &[slot]);
    check(Owned, layout, &[slot]);
    check(Lazy, layout, &[slot]);
}
