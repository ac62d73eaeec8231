//! What changes while a search runs, and the operations that change several parts of it at once: opening and closing
//! steps of the path.

use super::{follow, patterns};
use crate::answers::Answers;
use crate::cell::LAZY;
use crate::cell::members::Members;
use crate::constraints::Constraints;
use crate::engine::{Change, Engine, InPlace, with_engine};
use crate::ids::{Choice, PoolId, SlotId};
use crate::layout::{Kind, Layout, Patterns};
use crate::options;
use crate::path::conjunctions::Conjunctions;
use crate::path::{Before, Closed, Guide, How, Objects, Path, Step, ownership, undecided};
use std::rc::Rc;

/// The parts that change while a search runs. See [`crate::path`] for the invariants that connect them.
pub(crate) struct State {
    pub layout: &'static Layout,
    pub engine: options::Engine,
    pub path: Path,
    pub objects: Objects,
    /// What is known about slots that are not open.
    pub constraints: Constraints,
    pub answers: Answers,
    /// Where choices come from, other than the order of the search.
    pub guide: Guide,
    /// What is known about the conjuncts of the invariant.
    pub conjunctions: Conjunctions,
    /// The rules that the search follows, if helpers are summarised.
    #[cfg(feature = "summaries")]
    pub guided: Option<Box<follow::Guided>>,
    /// The sets and maps that were asked about, if the size of the whole value is bounded.
    pub weighed: Vec<(SlotId, Rc<Members>)>,
    /// How many candidates were left out because the invariant panics on them; none if such a panic ends the search.
    pub tolerated: Option<u64>,
}

impl State {
    /// Nothing is open, and nothing is known.
    pub fn new(layout: &'static Layout, engine: options::Engine) -> State {
        let mut constraints = Constraints::default();
        layout.slot_ids().for_each(|slot| constraints.add(layout.constrained(slot)));
        State {
            layout,
            engine,
            path: Path::new(layout),
            objects: Objects::new(layout),
            constraints,
            answers: Answers::default(),
            guide: Guide::First,
            conjunctions: Conjunctions::default(),
            #[cfg(feature = "summaries")]
            guided: None,
            weighed: vec![],
            tolerated: None,
        }
    }

    /// Returns the first allowed choice of a slot at or after `from`.
    pub fn allowed(&self, slot: SlotId, from: Choice) -> Option<Choice> {
        with_engine!(self.engine, engine => self.allowed_by(engine, slot, from))
    }

    #[inline]
    fn allowed_by(&self, engine: impl Engine, slot: SlotId, from: Choice) -> Option<Choice> {
        engine.allowed(self.layout, &self.objects, &self.constraints, slot, from)
    }

    /// Returns all allowed choices of a slot.
    pub fn all_allowed(&self, slot: SlotId) -> impl Iterator<Item = Choice> {
        std::iter::successors(self.allowed(slot, 0), move |&choice| self.allowed(slot, choice + 1))
    }

    /// Whether a choice from elsewhere (a record, a real value) may be taken. Indices are not held to the order in which
    /// this search would introduce them.
    pub fn admissible(&self, slot: SlotId, choice: Choice) -> bool {
        match self.layout.kind(slot) {
            Kind::Index { arena, prefix, .. } => {
                choice < prefix
                    || match self.layout.arena(arena) {
                        Some((_, _, len)) => choice - prefix < len,
                        None => false,
                    }
            }
            _ => self.allowed(slot, choice) == Some(choice),
        }
    }

    #[inline]
    pub(super) fn before(&self) -> Before {
        Before { trail: self.constraints.mark(), log: self.answers.log.len() as u32 }
    }

    /// Opens a slot that is read for the first time; false if there is no choice.
    pub fn first_read(&mut self, slot: SlotId) -> bool {
        with_engine!(self.engine, engine => {
            let this = self.layout.slot(slot);
            if engine.leaves_open(this) {
                if this.patterns != Patterns::None {
                    return patterns::open(self, slot);
                }
                self.open_presence(slot);
                return true;
            }
            self.open_by(engine, slot)
        })
    }

    /// Opens a slot with its first allowed choice; false if there is none.
    pub fn open(&mut self, slot: SlotId) -> bool {
        with_engine!(self.engine, engine => self.open_by(engine, slot))
    }

    fn open_by(&mut self, engine: impl Engine, slot: SlotId) -> bool {
        if let Kind::Index { arena, .. } = self.layout.kind(slot) {
            if self.layout.slot(arena).head.is_unread() && !self.open(arena) {
                return false;
            }
        }
        let choice = match self.guide {
            Guide::First => self.allowed_by(engine, slot, 0),
            Guide::Repeat(_) => return self.repeat(slot),
            Guide::Follow(_) | Guide::Frozen => self.guided_choice(slot),
        };
        match choice {
            Some(choice) => {
                self.push_by(engine, slot, choice);
                true
            }
            None => false,
        }
    }

    /// Returns the choice of a slot that the guide prescribes, if it is allowed.
    #[cold]
    fn guided_choice(&mut self, slot: SlotId) -> Option<Choice> {
        let Guide::Follow(follow) = &mut self.guide else { return Some(self.known_choice(slot)) };
        let given = follow.take();
        let next = self.allowed(slot, given.unwrap_or(0));
        let Guide::Follow(follow) = &mut self.guide else { return None };
        follow.admit(slot, given, next)
    }

    /// What a slot of plain data holds, if the constraints leave one choice; ends the run if not.
    fn known_choice(&self, slot: SlotId) -> Choice {
        match self.layout.kind(slot) {
            Kind::Values { frugal: true, .. } if self.engine.decides_questions() => {
                match self.constraints.bounds(slot) {
                    (lo, hi) if lo == hi => lo,
                    _ => undecided(),
                }
            }
            _ => undecided(),
        }
    }

    /// Opens a slot as the first run did. Nothing is counted, since the order of reads may be another one; the counts are
    /// right again when the path of the first run is restored.
    fn repeat(&mut self, slot: SlotId) -> bool {
        let Guide::Repeat(script) = &mut self.guide else { return false };
        let Some((choice, index)) = script.choice(slot).or_else(|| {
            let choice = self.allowed(slot, 0)?;
            Some((choice, self.layout.table_index(slot, choice, 0)))
        }) else {
            return false;
        };
        let head = self.layout.slot(slot).head;
        head.index.set(index);
        self.path.push(Step::new(head, slot, choice, Before { trail: 0, log: 0 }));
        true
    }

    /// Opens a slot, whose value the invariant has asked for, so that a key stays hidden; false if there is no choice.
    pub fn open_hidden(&mut self, slot: SlotId) -> bool {
        let is_open = self.open(slot);
        if is_open {
            self.hide_key(slot);
        }
        is_open
    }

    fn hide_key(&mut self, slot: SlotId) {
        if self.layout.slot(slot).holds_key() {
            self.path.hide();
        }
    }

    /// Opens a pointer with one of the choices that do not refute the invariant. There is at least one.
    pub fn open_among(&mut self, slot: SlotId, among: Rc<[Choice]>) {
        let choice = self.guide.choice_among(slot, &among);
        self.push(slot, choice);
        self.path.mark_among(among);
    }

    /// Decides whether a slot holds something, and leaves open what.
    fn open_presence(&mut self, slot: SlotId) {
        let this = self.layout.slot(slot);
        if this.lazy == 0 || self.path.is_present(slot) {
            this.head.index.set(LAZY);
            return;
        }
        let allowed = |from| allowed_presence(self.layout, &self.constraints, slot, from);
        let presence = match &mut self.guide {
            Guide::Follow(follow) => {
                let given = follow.take();
                follow.admit(slot, given, allowed(given.unwrap_or(0))).or_else(|| allowed(0))
            }
            Guide::Frozen if allowed(0) == Some(0) && allowed(1).is_some() => undecided(),
            _ => allowed(0),
        };
        // One of the two is possible, since the bounds of a slot are never empty.
        self.push_presence(slot, presence.unwrap_or(1));
    }

    fn push_presence(&mut self, slot: SlotId, presence: Choice) {
        let this = self.layout.slot(slot);
        let before = self.before();
        let (_, hi) = self.constraints.bounds(slot);
        let (lo, hi) = if presence == 0 { (0, this.lazy - 1) } else { (this.lazy, hi) };
        let narrowed = self.constraints.narrow(slot, lo, hi);
        debug_assert!(narrowed, "only possible choices are taken");
        self.path.push_presence(Step::new(this.head, slot, presence, before));
    }

    /// Opens a slot with an allowed choice.
    pub fn push(&mut self, slot: SlotId, choice: Choice) {
        with_engine!(self.engine, engine => self.push_by(engine, slot, choice));
    }

    #[inline]
    fn push_by(&mut self, engine: impl Engine, slot: SlotId, choice: Choice) {
        let (before, head) = (self.before(), self.layout.slot(slot).head);
        let Change { effect, touches, index } =
            engine.take(self.layout, &mut self.objects, &mut self.constraints, slot, choice);
        head.index.set(index);
        self.path.push(Step::new(head, slot, choice, before).with_effect(effect, touches));
    }

    /// Closes the last open slot, or takes the last decision back.
    pub fn pop(&mut self) -> Option<Closed> {
        with_engine!(self.engine, engine => self.pop_by(engine))
    }

    #[inline(always)]
    fn pop_by<E: Engine>(&mut self, engine: E) -> Option<Closed> {
        let step = self.undo_by(engine)?;
        if step.is_question() {
            let how = self.answers.questions.pop().map_or(How::Value, How::Question);
            return Some(Closed { slot: step.slot, choice: step.choice, how });
        }
        if step.is_rule() {
            // The cell of its slot is open, if the object was.
            follow::forget(self, step.slot);
            return Some(Closed { slot: step.slot, choice: step.choice, how: How::Rule });
        }
        Some(self.path.close(&step))
    }

    /// Removes the last step and undoes what it has changed, except for its cell and its marks.
    #[inline]
    fn undo_by<E: Engine>(&mut self, engine: E) -> Option<Step> {
        let step = self.path.pop()?;
        if E::DECIDES_QUESTIONS {
            let Before { trail, log } = step.before();
            self.constraints.undo_to(trail);
            self.answers.shorten(log, self.path.len());
            self.conjunctions.shorten(self.path.len());
        }
        if !step.is_without_effect() {
            engine.give_back(self.layout, &mut self.objects, &step);
        }
        Some(step)
    }

    /// Returns the next choice, from a number on, of what was closed last.
    pub fn next_choice(&mut self, closed: &Closed, from: Choice) -> Option<Choice> {
        with_engine!(self.engine, engine => self.next_choice_by(engine, closed, from))
    }

    #[inline]
    fn next_choice_by(&mut self, engine: impl Engine, closed: &Closed, from: Choice) -> Option<Choice> {
        match &closed.how {
            How::Value | How::Hidden => self.allowed_by(engine, closed.slot, from),
            How::Among(choices) => choices.iter().copied().find(|&choice| choice >= from),
            How::Presence => allowed_presence(self.layout, &self.constraints, closed.slot, from),
            How::Pattern => patterns::allowed(self, closed.slot, from),
            How::Question(question) => question.next_alternative(&mut self.constraints, from),
            How::Rule => follow::allowed(self, closed.slot, from),
        }
    }

    /// Returns the first and the last choice of what was closed last, if it is plain data, for which all between are
    /// possible.
    pub fn plain_bounds(&self, closed: &Closed) -> Option<(Choice, Choice)> {
        match (&closed.how, self.layout.kind(closed.slot)) {
            (How::Value | How::Hidden, Kind::Values { frugal: true, .. })
                if !self.constraints.has_gaps(closed.slot) =>
            {
                Some(self.constraints.bounds(closed.slot))
            }
            _ => None,
        }
    }

    /// Opens again what was closed last.
    pub fn reopen(&mut self, closed: &Closed, choice: Choice) {
        with_engine!(self.engine, engine => self.reopen_by(engine, closed, choice));
    }

    #[inline]
    fn reopen_by(&mut self, engine: impl Engine, closed: &Closed, choice: Choice) {
        match &closed.how {
            How::Value => self.push_by(engine, closed.slot, choice),
            How::Hidden => {
                self.push_by(engine, closed.slot, choice);
                self.hide_key(closed.slot);
            }
            How::Among(among) => {
                self.push_by(engine, closed.slot, choice);
                self.path.mark_among(among.clone());
            }
            How::Presence => self.push_presence(closed.slot, choice),
            How::Pattern => patterns::push(self, closed.slot, choice),
            How::Question(question) => self.decide_again(*question, choice),
            How::Rule => follow::push(self, closed.slot, choice),
        }
    }

    /// The step of the published algorithm: advance the last slot of the path that has another choice, closing those
    /// after it. False when the space is exhausted.
    ///
    /// Only slots that were read are advanced: the answer of the invariant is the same for every value of the others.
    /// Why nothing is lost: any two candidates that agree on the path up to its last slot are treated alike by the
    /// invariant up to there, and the loop visits every allowed choice of that slot before it closes it.
    pub fn advance(&mut self) -> bool {
        with_engine!(self.engine, engine => self.advance_by(engine))
    }

    fn advance_by(&mut self, engine: impl Engine) -> bool {
        while let Some(step) = self.path.last_mut() {
            let next = step.choice + 1;
            match engine.advance_in_place(self.layout, &mut self.objects, step) {
                InPlace::Advanced => return true,
                InPlace::Closed => drop(self.path.pop()),
                InPlace::Last => {
                    let Some(step) = self.undo_by(engine) else { break };
                    let closed = self.path.close(&step);
                    debug_assert_eq!(
                        self.next_choice_by(engine, &closed, next),
                        None,
                        "that was the last choice"
                    );
                }
                InPlace::Unknown => {
                    let Some(closed) = self.pop_by(engine) else { break };
                    if let Some(next) = self.next_choice_by(engine, &closed, next) {
                        self.reopen_by(engine, &closed, next);
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Whether no constraint was added since a step was taken.
    pub fn knew_all_since(&self, step: &Step) -> bool {
        self.constraints.mark() == step.before().trail
    }

    /// Closes everything behind the first `depth` steps.
    pub fn close_down_to_step(&mut self, depth: usize) {
        while self.path.len() > depth {
            self.pop();
        }
    }

    /// Closes everything behind the first `depth` steps. If there are none, nothing is known any more.
    pub fn close_down_to(&mut self, depth: usize) {
        self.close_down_to_step(depth);
        if depth == 0 {
            self.constraints.undo_to(0);
            self.forget_answers();
        }
    }

    /// Forgets answers about slots that are all open.
    pub fn forget_answers(&mut self) {
        self.answers.clear();
        self.conjunctions.held.clear();
    }

    /// Whether anything was decided but the values of slots.
    pub fn has_answers(&self) -> bool {
        !self.answers.log.is_empty() || self.path.has_decisions()
    }

    /// Returns the scopes in which every choice of the path is available (bit `s` for scope `s`).
    pub fn scopes(&self) -> u64 {
        let mut scopes = u64::MAX;
        for step in self.path.iter() {
            if step.is_value() {
                scopes &= self.layout.info(step.slot).mask(step.choice);
            }
        }
        for (i, pool) in self.layout.pools.iter().enumerate() {
            scopes &= pool.masks[self.objects.used_together(PoolId::new(i as u32)) as usize];
        }
        if let (Some(total), Some(size)) = (&self.layout.total, self.objects.total(self.layout)) {
            scopes &= total.masks[size as usize];
        }
        scopes
    }

    /// Whether a valid candidate has what a promise rules out.
    pub fn breaks_promise(&self) -> bool {
        self.answers.breaks_promise(self.layout)
    }

    /// Whether orphans rule the candidate out. With aliasing, as in Java, they do not.
    pub fn is_ruled_out(&self) -> bool {
        !self.engine.aliases() && ownership::has_orphans(self.layout, &self.path)
    }

    /// Returns why no value can be built from the candidate, which is complete.
    pub fn flaw(&self) -> Option<&'static str> {
        if self.engine.aliases() && ownership::has_double_owners(self.layout, &self.path) {
            Some(
                "two boxes would own the same object; the invariant must reject that, or `Engine::Owned` be used",
            )
        } else if ownership::has_orphans(self.layout, &self.path) {
            Some(
                "an object would have no owner, because only weak or raw pointers lead to it; the invariant must \
                 reject that, or `Engine::Owned` be used",
            )
        } else {
            None
        }
    }
}

/// Returns whether a slot may hold nothing (0) or something (1), the first of these from a number on.
fn allowed_presence(
    layout: &Layout,
    constraints: &Constraints,
    slot: SlotId,
    from: Choice,
) -> Option<Choice> {
    let (lo, hi) = constraints.bounds(slot);
    let lazy = layout.slot(slot).lazy;
    (from..2).find(|&presence| if presence == 0 { lo < lazy } else { hi >= lazy })
}
