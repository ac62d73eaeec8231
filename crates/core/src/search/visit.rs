//! Looking at one candidate: going to it, describing it, building its value.

use super::{AnySearch, Drawing, ReadDescription, SlotDescription, decisions, describe, drawing, plan};
use crate::candidate::Candidate;
use crate::conjuncts::select::Selected;
use crate::deliver::{Combination, Maker, Refused};
use crate::depth_first::range::Seek;
use crate::disjoint::{Gathering, Slicing};
use crate::error::{Error, Failure, FailureKind};
#[cfg(feature = "summaries")]
use crate::groups::Shape;
use crate::invariant::{Structure, Verdict};
use crate::layout::Ownership;
use crate::options::Engine;
use crate::outcome::{Outcome, Stop};
use crate::probe::Taken;
#[cfg(feature = "summaries")]
use crate::rules::Guided;
use crate::search::{Found, Plan};
use crate::site::{ConjunctSite, FieldSite};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Builds a value with a maker: of a combination of parts, if the value is one.
pub(super) type BuildValue<'a> =
    dyn FnMut(Option<&Combination<'_>>, &mut Maker<'_>) -> Result<(), Refused> + 'a;

impl AnySearch {
    /// Finds out what the search needs to know before its first candidate: the order of the conjuncts, the valid candidates
    /// of disjoint parts. `tick` is called now and then and may pause that; then there is no plan yet.
    pub fn plan(
        &mut self,
        tick: &mut dyn FnMut(&Outcome) -> ControlFlow<Stop>,
    ) -> Result<Option<&Plan>, Failure> {
        self.plan_now(tick)?;
        Ok(self.plan.as_ref())
    }

    /// Lets a search that follows summaries look only at values with a shape from now on, from the first one on.
    #[cfg(feature = "summaries")]
    pub fn follow_shape(&mut self, shape: &Shape) {
        self.close_all();
        let heap = self.depth_first.structure.heap;
        heap.follow(Guided::new(shape.types.clone(), shape.rules.clone(), None));
    }

    /// Returns why planning was paused.
    pub(super) fn plan_now(
        &mut self,
        tick: &mut dyn FnMut(&Outcome) -> ControlFlow<Stop>,
    ) -> Result<Option<Stop>, Failure> {
        plan::plan(self, tick)
    }

    /// Goes on with the plan of another search for the same type, with the same bounds and options.
    pub fn adopt(&mut self, plan: &Plan) {
        plan::adopt(self, plan);
    }

    /// Returns the search of disjoint parts, for other threads to help with ([`Gathering::help`]), as long as it is not done.
    pub fn gathering(&mut self) -> Option<Arc<Gathering>> {
        plan::gathering(self)
    }

    /// Returns why there is one search for the whole structure, although disjoint parts were requested.
    pub fn why_direct(&self) -> Option<&str> {
        self.why_direct.as_deref()
    }

    /// Returns why helpers are not summarised, if that was requested and the plan says that they are not.
    #[inline]
    pub fn why_not_summarised(&self) -> Option<&str> {
        self.plan.as_ref()?.why_not_summarised()
    }

    /// Returns which conjuncts are about which part. Searches the parts, if that is not done yet; none if there is one search
    /// for the whole structure.
    #[inline]
    pub fn slicing(&mut self) -> Result<Option<Slicing>, Failure> {
        self.plan_now(&mut |_| ControlFlow::Continue(()))?;
        Ok(self.combined.as_ref().and_then(|combined| combined.slicing().cloned()))
    }

    /// Returns how many combinations of parts there are, before conjuncts about several parts are checked. Searches the
    /// parts, if that is not done yet; none if there is one search for the whole structure.
    ///
    /// ```
    /// # use smallscope_core::{Bounds, Disjoint, Options, Search, values::Product};
    /// let options = Options { disjoint: Disjoint::On, ..Options::default() };
    /// let mut search = Search::<Product<(u8, bool)>>::new(&Bounds::scope(3), options)?;
    /// assert_eq!(search.combinations().unwrap(), Some(6));
    /// search.go_to_combination(4).unwrap();
    /// assert_eq!(search.value().unwrap(), Product((2, false)));
    /// # Ok::<(), smallscope_core::Error>(())
    /// ```
    pub fn combinations(&mut self) -> Result<Option<u128>, Failure> {
        self.plan_now(&mut |_| ControlFlow::Continue(()))?;
        Ok(self.combined.as_ref().and_then(|combined| combined.count()))
    }

    /// Goes to a combination of parts by its number, counted from 0, as fast as to the first one. If there are conjuncts
    /// about several parts, it need not be valid: see [`AnySearch::accepts`].
    #[inline]
    pub fn go_to_combination(&mut self, number: u128) -> Result<(), Error> {
        let planned = self.plan_now(&mut |_| ControlFlow::Continue(()));
        planned.map_err(|failure| Error::Stale { why: failure.kind.to_string() })?;
        match &mut self.combined {
            Some(combined) => combined.go_to(number, &mut self.run),
            None => Err(Error::NotDisjoint {
                at: "the structure".into(),
                why: "there is one search for everything, which has no combinations".into(),
            }),
        }
    }

    /// Returns the names of the inputs, if the values are several independent inputs.
    pub fn inputs(&self) -> &[String] {
        &self.depth_first.structure.heap.layout.parts.input_names
    }

    /// Searches for one input only, from now on. Its valid candidates are found, but no values can be built.
    pub fn only_input(&mut self, input: usize) {
        let selected = Selected::input(self.depth_first.structure.heap, input);
        let parts = self.depth_first.structure.heap.layout.parts.mask(input);
        self.depth_first.select(selected, parts);
        self.in_source_order();
    }

    /// Runs the invariants of parts and then the conjuncts, both in the order of the source, and searches all parts
    /// together.
    pub fn in_source_order(&mut self) {
        self.adopt(&Plan::default());
        self.depth_first.set_parts_first(true);
    }

    /// Returns the size of the space: log2 of the number of candidate vectors.
    pub fn space_bits(&self) -> f64 {
        let layout = self.depth_first.structure.heap.layout;
        layout.field_ids().map(|slot| (layout.choices(slot).max(1) as f64).log2()).sum()
    }

    /// Returns the number of slots of the bounded heap.
    pub fn slot_count(&self) -> usize {
        self.depth_first.structure.heap.layout.field_ids().count()
    }

    /// Returns the field of every slot, and how many choices it has, and the default alphabet if one of them has it: equal
    /// for structures whose candidates mean the same.
    pub fn slots(&self) -> Vec<(String, u64)> {
        let layout = self.depth_first.structure.heap.layout;
        let mut slots = vec![];
        for slot in layout.field_ids() {
            slots.push((layout.label(slot), layout.choices(slot)));
        }
        if !layout.letters.is_empty() {
            slots.push((format!("alphabet {}", layout.letters), layout.letters.chars().count() as u64));
        }
        slots
    }

    /// Leaves candidates out on which the invariant panics, instead of ending the search there: from now on. For values
    /// that the author of the invariant did not think of, such as those at the ends of their types.
    pub fn tolerate_panics(&mut self) {
        self.depth_first.structure.heap.state.borrow_mut().tolerated.get_or_insert(0);
    }

    /// Returns how many candidates were left out because the invariant panics on them.
    pub fn tolerated_panics(&self) -> u64 {
        self.depth_first.structure.heap.state.borrow().tolerated.unwrap_or(0)
    }

    /// Describes every slot, in the order of layout.
    pub fn describe_slots(&self) -> Vec<SlotDescription> {
        describe::slots(self.depth_first.structure.heap.layout)
    }

    /// Describes what the invariant reads on the current candidate, in order, and what is reachable beyond.
    #[inline]
    pub fn describe_reads(&mut self) -> Vec<ReadDescription> {
        self.shown();
        let search = &mut self.depth_first;
        let path = search.path();
        // Once more, without completing it.
        search.guide_to(0, &path, &mut self.run);
        let _ = search.structure.run();
        let (read, asked) = {
            let s = search.shown().state.borrow();
            (s.path.len(), describe::asked(&s))
        };
        search.revisit(&path, &mut self.run);
        self.combined.iter().for_each(|combined| combined.hide());
        describe::reads(&search.shown().state.borrow(), read, &asked)
    }

    /// Returns the fields of plain data that valid values have and that the invariant has not looked at, in some runs of it.
    /// Inputs that are no structures are not among them. The search goes on behind these runs.
    pub fn unread_fields(&mut self, runs: u64) -> Result<Vec<&'static FieldSite>, Failure> {
        let mut seen: Vec<(&'static FieldSite, bool)> = vec![];
        let layout = self.depth_first.structure.heap.layout;
        let tick = &mut |outcome: &Outcome| match outcome.explored < runs {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(Stop::Interrupted),
        };
        while self.run.outcome.explored < runs && self.find_next(tick)? == Found::Valid {
            let s = self.depth_first.shown().state.borrow();
            let asked = describe::asked(&s);
            for (place, step) in s.path.iter().enumerate() {
                let (site, slot) = (layout.info(step.slot).site, layout.slot(step.slot));
                if !slot.is_plain || site.is_input() {
                    continue;
                }
                let is_read = place < self.depth_first.set.accepted || asked[step.slot.index()];
                match seen.iter_mut().find(|(known, _)| std::ptr::eq(*known, site)) {
                    Some((_, read)) => *read |= is_read,
                    None => seen.push((site, is_read)),
                }
            }
            drop(s);
            self.drop_rest();
        }
        let mut unread = vec![];
        for (site, is_read) in seen {
            if !is_read {
                unread.push(site);
            }
        }
        Ok(unread)
    }

    /// Returns the current candidate in canonical form. Slots that were not read get their first choice. The candidate is
    /// empty if there is no such choice, or if the structure is deeper than the stack allows.
    pub fn candidate(&self) -> Candidate {
        self.shown();
        self.depth_first.structure.candidate()
    }

    /// How many objects and elements the current, complete candidate has, if the bounds count them together.
    pub fn total(&self) -> Option<u32> {
        let s = self.shown().state.borrow();
        s.objects.total(s.layout)
    }

    /// Goes to a recorded candidate. The search cannot be continued from there.
    pub fn go_to(&mut self, candidate: &Candidate) -> Result<(), Error> {
        self.close_all();
        self.depth_first.structure.replay(&candidate.0)
    }

    /// Closes everything, to go to a candidate from outside.
    pub(super) fn close_all(&mut self) {
        self.combined.iter().for_each(|combined| combined.leave());
        self.depth_first.close_all(&mut self.run);
    }

    /// Whether the invariant accepts the current candidate. In audit mode a rejected candidate is built and checked.
    pub fn accepts(&mut self) -> Result<bool, Failure> {
        self.shown();
        match self.depth_first.structure.run() {
            Verdict::Valid => Ok(!self.shown().state.borrow().is_ruled_out()),
            Verdict::Invalid => {
                self.depth_first.audit_rejected(&mut self.run, &mut self.build).map(|()| false)
            }
            Verdict::DeadEnd => Ok(false),
            Verdict::Failed(kind) => Err(self.failure(kind)),
        }
    }

    /// Returns the conjunct that was false when [`AnySearch::accepts`] returned false, if the engine knows it.
    pub fn failed_conjunct(&self) -> Option<&'static ConjunctSite> {
        self.shown().state.borrow().conjunctions.failed
    }

    /// Returns the class of the current candidate, which the invariant has to accept, as text; none if classes are ignored.
    pub fn class(&mut self) -> Result<Option<String>, Failure> {
        self.shown();
        let class = self.depth_first.classes.describe(self.depth_first.structure);
        class.map_err(|kind| self.failure(kind))
    }

    /// Returns the object graph of the current candidate, one line per object.
    pub fn graph(&self) -> String {
        self.drawing().to_string()
    }

    /// Returns the object graph of the current candidate.
    pub fn drawing(&self) -> Drawing {
        self.shown();
        drawing::draw(self.depth_first.structure)
    }

    /// Records the decisions of the invariant on the current candidate, which must be valid and complete, as it is after
    /// [`AnySearch::find_next`] or [`AnySearch::restore`]. The previous contents of `taken` are replaced. The search goes on
    /// as if nothing had happened.
    ///
    /// The invariant runs once more, and plainly: with all of its conjuncts, in the order of the source, on values that are
    /// decided. So the record depends on the value alone, and not on the engine that has found it.
    ///
    /// Without the feature for criteria nothing is recorded.
    #[inline]
    pub fn decisions(&mut self, taken: &mut Vec<Taken>) -> Result<(), Failure> {
        self.shown();
        let recorded = decisions::record(self.depth_first.structure, taken);
        recorded.map_err(|kind| self.failure(kind))
    }

    /// Builds the value of the current candidate, checks it with the real invariant, and drops it.
    #[inline]
    pub fn check_value(&mut self) -> Result<(), Failure> {
        let Structure { root, heap, .. } = self.depth_first.structure;
        self.build_with(&mut |combination, maker| {
            combination.map_or(Ok(()), |combination| combination.parts.show(None))?;
            root.check(heap, maker.build)
        })
    }

    /// Makes sure that a value can be built, and calls something that builds it: with the combination of parts that the value
    /// is, if it is one.
    #[inline]
    pub(super) fn build_with(&mut self, f: &mut BuildValue<'_>) -> Result<(), Failure> {
        let is_combined = self.combined.is_some() && self.run.is_found;
        if !is_combined {
            self.depth_first.shown();
            self.ensure_buildable()?;
        }
        let heap = self.depth_first.structure.heap;
        let is_changeable = *self.is_changeable.get_or_insert_with(|| {
            let pointers = &heap.layout.pointers;
            pointers.iter().all(|(_, ownership)| *ownership == Ownership::Unique)
                && !heap.layout.has_destructor
        });
        let mut maker = Maker { build: &mut self.build, heap, is_changeable };
        let built = match self.combined.as_ref().filter(|_| is_combined) {
            Some(combined) => combined.with_current(&mut |combination| f(Some(combination), &mut maker)),
            None => f(None, &mut maker),
        };
        built.map_err(|Refused(kind)| self.failure(kind))
    }

    /// Makes sure that a value can be built: also before the first candidate and after the last one.
    #[inline]
    fn ensure_buildable(&mut self) -> Result<(), Failure> {
        if self.run.is_found && self.depth_first.options.engine != Engine::Korat {
            debug_assert!(
                self.is_whole(),
                "smallscope internal error: a candidate that was found is not complete"
            );
            return Ok(());
        }
        if !self.run.is_found && self.depth_first.structure.complete().is_err() {
            let why = "the bounds leave too few objects to complete it".into();
            return Err(self.failure(FailureKind::Unbuildable { why }));
        }
        let flaw = self.shown().state.borrow().flaw();
        match flaw {
            Some(why) => Err(self.failure(FailureKind::Unbuildable { why: why.into() })),
            None => Ok(()),
        }
    }

    /// Whether every reachable slot is open, and objects have the owners that they should have.
    fn is_whole(&self) -> bool {
        let state = &self.shown().state;
        let before = state.borrow().path.len();
        self.depth_first.structure.complete().is_ok() && {
            let s = state.borrow();
            s.path.len() == before && s.flaw().is_none()
        }
    }
}
