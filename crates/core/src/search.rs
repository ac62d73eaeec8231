//! Searches: what callers work with. A search has one of two sources of candidates, and delivers values.
//!
//! [`AnySearch`] is compiled once for all types of values. [`Search`] knows the type and builds values.

mod branches;
mod decisions;
mod describe;
mod drawing;
mod plan;
mod spread;
mod typed;
mod visit;

pub use crate::deliver::{Hold, Kept, Owned};
pub use crate::depth_first::{Found, Position, Rejection};
pub use crate::heap::ValueRead;
pub use branches::{Branch, Branching};
pub use describe::{ReadDescription, SlotDescription};
pub use drawing::{Drawing, DrawnField, DrawnNode, DrawnValue};
pub use plan::Plan;
pub use spread::Spread;
pub use typed::{Search, hand};

use crate::bounds::Bounds;
use crate::build::Build;
use crate::depth_first::DepthFirst;
use crate::depth_first::find::{Source, find};
use crate::depth_first::range::{Range, Seek};
use crate::depth_first::run::{Run, Tick};
use crate::disjoint::source::Combined;
use crate::eq_class::ClassTable;
use crate::error::{Error, Failure, FailureKind};
use crate::heap::{Heap, watch};
use crate::mirror::root::{Root, ValueType};
use crate::options::{Disjoint, Options};
use crate::outcome::{Outcome, Stop};
use std::any::TypeId;
use std::ops::ControlFlow;

/// A search for values of a type that is not known here. Every [`Search`] is one.
pub struct AnySearch {
    depth_first: DepthFirst,
    /// Combinations of disjoint parts, as long as they are the source of candidates.
    combined: Option<Box<Combined>>,
    /// Why there is one search for the whole structure, although parts were requested.
    why_direct: Option<String>,
    bounds: Bounds,
    plan: Option<Plan>,
    run: Run,
    build: Build,
    /// Whether a value can be changed into another one, if that is known.
    is_changeable: Option<bool>,
}

impl AnySearch {
    /// Lays out the bounded heap. Nothing is searched.
    fn with_root(
        of: ValueType,
        root: &'static dyn Root,
        bounds: &Bounds,
        options: Options,
    ) -> Result<Self, Error> {
        let options = options.settled()?;
        let depth_first = DepthFirst::new(of, root, bounds, options)?;
        let build = Build::within(depth_first.structure.heap);
        let mut search = AnySearch {
            depth_first,
            combined: None,
            why_direct: None,
            bounds: bounds.clone(),
            plan: None,
            run: Run::new(),
            build,
            is_changeable: None,
        };
        search.choose_source()?;
        Ok(search)
    }

    /// Lets combinations of parts be the source of candidates, if the options ask for them and the fields allow it.
    fn choose_source(&mut self) -> Result<(), Error> {
        let DepthFirst { structure, options, .. } = self.depth_first;
        if options.disjoint == Disjoint::Off {
            return Ok(());
        }
        let is_demanded = options.disjoint == Disjoint::On;
        let partition = match options.audit {
            true => Err(Error::NotDisjoint {
                at: "the structure".into(),
                why: "audit mode looks at all that is rejected, so it needs one search for everything".into(),
            }),
            false => structure.heap.layout.partition(is_demanded),
        };
        match partition {
            Ok(partition) => {
                let combined = Combined::new(structure, options, &self.bounds, partition);
                self.why_direct = combined.why_whole();
                self.combined = Some(Box::new(combined));
            }
            Err(error) if is_demanded => return Err(error),
            Err(error) => self.why_direct = Some(error.to_string()),
        }
        Ok(())
    }

    /// Identifies the type of the values.
    pub fn type_id(&self) -> TypeId {
        (self.depth_first.structure.of.id)()
    }

    /// Returns the name of the type of the values.
    pub fn type_name(&self) -> &'static str {
        (self.depth_first.structure.of.name)()
    }

    /// The passes of smallest first before this search, if it is for the whole bounds: the smaller scopes, and others in
    /// which numbers of objects and lengths grow that are the same in every scope.
    pub fn smaller_passes(&self) -> Vec<u32> {
        self.bounds.smaller_passes(self.depth_first.structure.heap.layout.growth)
    }

    /// The pass of smallest first that this search is for, if such numbers are smaller in it than in its scope.
    pub fn pass_of_smaller_numbers(&self) -> Option<u32> {
        let is_cut = self.depth_first.structure.heap.layout.growth.is_cut;
        self.bounds.pass().filter(|_| is_cut)
    }

    /// Returns the fields with long lengths and these, which a search leaves out unless elements are filled
    /// ([`Bounds::filled_by`]).
    pub fn long_lengths(&self) -> &[(String, Vec<i128>)] {
        &self.depth_first.structure.heap.layout.long
    }

    /// Whether fields of a payload have their first value only.
    pub fn has_first_payload(&self) -> bool {
        self.bounds.has_first_payload()
    }

    /// Does not deliver the values of a smaller scope, because they were delivered before.
    pub fn leave_out(&mut self, scope: u32) {
        self.depth_first.deepening.leave_out(scope);
    }

    /// Delivers one value of each path from now on: the first of those that one run of the invariant stands for. As not
    /// everything is delivered, the search does not end with [`Stop::Exhausted`] but with
    /// [`Limit::OnePerPath`](crate::Limit::OnePerPath).
    ///
    /// Positions of such a search lie between paths. A range that begins in the middle of a path delivers the first value
    /// from there on.
    #[inline]
    pub fn one_per_path(&mut self) {
        self.depth_first.sample.is_on = true;
    }

    /// Returns what was seen so far, and why the search stopped if it has.
    pub fn outcome(&self) -> Outcome {
        self.run.outcome
    }

    /// Searches for the next valid candidate. `tick` is called now and then and may pause the search. The first call plans
    /// the search, unless [`AnySearch::plan`] was called before.
    #[inline]
    pub fn find_next(
        &mut self,
        tick: &mut dyn FnMut(&Outcome) -> ControlFlow<Stop>,
    ) -> Result<Found, Failure> {
        if self.depth_first.set.count_on() {
            return Ok(self.run.found());
        }
        self.count_up_or_search(tick)
    }

    #[inline(never)]
    fn count_up_or_search(&mut self, tick: &mut Tick<'_>) -> Result<Found, Failure> {
        if self.depth_first.count_up(&mut self.run) { Ok(Found::Valid) } else { self.search_on(tick) }
    }

    #[inline(never)]
    fn search_on(&mut self, tick: &mut Tick<'_>) -> Result<Found, Failure> {
        if self.plan.is_none() || self.combined.is_some() {
            if let Some(found) = self.find_combination(tick)? {
                return Ok(found);
            }
        }
        self.depth_first.search_on(&mut self.run, &mut self.build, tick)
    }

    /// Plans the search, if that is still to be done, and finds the next combination of parts; none if parts are not
    /// combined.
    fn find_combination(&mut self, tick: &mut Tick<'_>) -> Result<Option<Found>, Failure> {
        if Range::is_reached(&self.run.outcome) {
            return Ok(Some(Found::End));
        }
        if let Some(stop) = self.plan_now(tick)? {
            return Ok(Some(self.run.pause_for(stop)));
        }
        let Some(combined) = &mut self.combined else { return Ok(None) };
        combined.count_parts(&mut self.run);
        find(&mut **combined, &mut self.run, &mut self.build, tick).map(Some)
    }

    /// Searches on, unless the search has reached its end before.
    #[inline]
    fn find_next_value(&mut self) -> Result<Found, Failure> {
        if matches!(self.run.outcome.stop, Stop::Exhausted | Stop::ClassesCovered | Stop::OrdersCovered) {
            return Ok(Found::End);
        }
        self.find_next(&mut |_| ControlFlow::Continue(()))
    }

    /// Searches to the end, without visiting all values. If rules decide the whole invariant, no value is visited.
    #[inline]
    fn count_all(&mut self) -> Result<Outcome, Failure> {
        self.plan_now(&mut |_| ControlFlow::Continue(()))?;
        #[cfg(feature = "summaries")]
        if let Some(valid) = plan::unlisted(self).and_then(|all| all.count().to_u64()) {
            (self.run.outcome.valid, self.run.outcome.stop) = (valid, Stop::Exhausted);
            return Ok(self.run.outcome);
        }
        while self.find_next(&mut |_| ControlFlow::Continue(()))? == Found::Valid {
            self.count_rest();
        }
        Ok(self.run.outcome)
    }

    /// Counts the values behind the current one that the same run of the invariant stands for, and passes over them. Those
    /// that are not easily counted are found one by one later.
    #[inline]
    pub fn count_rest(&mut self) {
        self.run.outcome.valid += self.skip_rest();
    }

    /// Passes over the values behind the current one that the same run of the invariant stands for. Returns how many these
    /// are. No values are passed over if they are not easily counted.
    #[inline]
    pub fn skip_rest(&mut self) -> u64 {
        match &mut self.combined {
            Some(combined) if self.run.range.end.is_empty() => combined.skip(),
            Some(_) => 0,
            None => self.depth_first.skip_set(&mut self.run),
        }
    }

    /// Passes over the values behind the current one that the same run of the invariant stands for.
    pub fn drop_rest(&mut self) {
        if self.combined.is_none() {
            self.depth_first.drop_set(&mut self.run);
        }
    }

    /// The source of candidates, as places in its order see it. Plans the search, if that is still to be done.
    fn seek(&mut self) -> Result<(&mut dyn Seek, &mut Run), Error> {
        let planned = self.plan_now(&mut |_| ControlFlow::Continue(()));
        planned.map_err(|failure| Error::Stale { why: failure.kind.to_string() })?;
        Ok(self.source())
    }

    fn source(&mut self) -> (&mut dyn Seek, &mut Run) {
        match &mut self.combined {
            Some(combined) => (&mut **combined, &mut self.run),
            None => (&mut self.depth_first, &mut self.run),
        }
    }

    /// Begins at a position: the first candidate will be the first one that does not come before it.
    pub fn start_at(&mut self, position: &Position) -> Result<(), Error> {
        let (source, run) = self.seek()?;
        source.start_at(&position.0, run)
    }

    /// Goes on behind a valid candidate, given by its whole path.
    #[inline]
    pub fn start_after(&mut self, path: &[u32]) -> Result<(), Error> {
        let (source, run) = self.seek()?;
        source.start_after(path, run)
    }

    /// Ends before a position: then [`Stop::LimitReached`] says [`Limit::Position`](crate::Limit::Position).
    pub fn until(&mut self, position: &Position) {
        let (source, run) = self.source();
        source.until(position.0.clone(), run);
    }

    /// Returns the position of what was not visited yet; none if that is nothing.
    pub fn position(&mut self) -> Option<Position> {
        let (source, run) = self.source();
        source.position(run)
    }

    /// Gives the later part of what is left away, as much as there is in one piece: this search will end where that part
    /// begins. None if there is nothing to give.
    pub fn split(&mut self) -> Option<Position> {
        let (source, run) = self.source();
        if !run.has_begun || Range::is_reached(&run.outcome) {
            return None;
        }
        source.split(run)
    }

    /// Returns the share of the space that lies behind, as if every choice of a slot led to equally much. It never falls
    /// while the search goes on, and that is all it promises.
    pub fn fraction(&mut self) -> f64 {
        let (source, run) = self.source();
        source.fraction(run)
    }

    /// Returns the choices of the current candidate in the order of reads.
    pub fn path(&self) -> Vec<u32> {
        match &self.combined {
            Some(combined) => combined.path(),
            None => self.depth_first.path(),
        }
    }

    /// Returns how many choices of the path are the same since this was called last, and puts those behind them into `new`.
    #[inline]
    pub fn changes(&mut self, new: &mut Vec<u32>) -> usize {
        let (source, run) = self.source();
        source.changes(new, run)
    }

    /// Returns a fingerprint of the slots on the path, in the order of reads: if it differs for the same choices, these mean
    /// something else now.
    #[inline]
    pub fn reads(&self) -> u64 {
        match &self.combined {
            Some(combined) => combined.reads(),
            None => self.depth_first.reads(),
        }
    }

    /// Goes to a valid candidate that agrees with the current one on its first `kept` choices. After
    /// [`AnySearch::start_after`] the search can be continued from there.
    #[inline]
    pub fn restore(&mut self, kept: usize, new: &[u32]) -> Result<(), Error> {
        let (source, run) = self.seek()?;
        source.restore(kept, new, run)
    }

    /// Goes to a candidate that was visited before, valid or not, given by its whole path.
    pub fn revisit(&mut self, path: &[u32]) {
        if let Ok((source, run)) = self.seek() {
            source.revisit(path, run);
        }
    }

    /// Returns a number that changes whenever the invariant runs. Candidates with the same number are decided by the same
    /// run of it, so their decisions are the same, too.
    pub fn run_number(&self) -> u64 {
        self.run.number
    }

    /// Returns the classes of the values that were delivered so far.
    ///
    /// They are counted if [`Options::classes`](crate::Options::classes) says so.
    pub fn classes(&mut self) -> &ClassTable {
        self.depth_first.classes.table(self.run.outcome.valid)
    }

    /// Takes the classes of the values that were delivered so far, for another search to go on with.
    pub fn take_classes(&mut self) -> ClassTable {
        self.depth_first.classes.take_table(self.run.outcome.valid)
    }

    /// Goes on with classes that were covered before.
    pub fn go_on_with_classes(&mut self, table: ClassTable) {
        self.depth_first.classes.go_on_with(table, self.run.outcome.valid);
    }

    /// Returns the candidates that were rejected since the last call. They are noted from the first call on.
    pub fn take_rejections(&mut self) -> Vec<Rejection> {
        self.depth_first.rejections.take()
    }

    /// Calls a function whenever the invariant reads a slot of plain data by value, so that each of its values is tried. For
    /// tools that explain a search: the function is never freed.
    pub fn watch_reads(&mut self, watcher: impl Fn(ValueRead) + 'static) {
        watch::watch_reads(self.depth_first.structure.heap, Box::leak(Box::new(watcher)));
    }

    /// The heap, with the current candidate: counting up leaves it behind.
    #[inline]
    fn shown(&self) -> &'static Heap {
        if let Some(combined) = &self.combined {
            // A combination that was found once can be shown again.
            let shown = combined.show(None);
            debug_assert!(shown.is_ok(), "smallscope internal error: {shown:?}");
        }
        self.depth_first.shown()
    }

    /// Reports that code of the user misbehaves on the current candidate.
    #[cold]
    fn failure(&mut self, kind: FailureKind) -> Failure {
        self.shown();
        self.depth_first.failure(kind, &mut self.run)
    }
}
