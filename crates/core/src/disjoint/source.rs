//! The combinations of disjoint parts as a source of candidates. A position is a list of indices, one per part, and a range
//! of combinations lies between two positions.

use super::deck::{Deck, Global};
use super::gathering::{Gathered, Gathering, Progress, Refusal};
use super::job::PartJob;
use super::slice::Slicing;
use crate::bounds::Bounds;
use crate::build::Build;
use crate::candidate::Candidate;
use crate::deliver::{Combination, Parts, Refused};
use crate::depth_first::find::Source;
use crate::depth_first::range::{Position, Range, Seek};
use crate::depth_first::run::{Run, Tick};
use crate::depth_first::set::ValueSet;
use crate::error::{Error, Failure, FailureKind};
use crate::invariant::{Structure, Verdict};
use crate::layout::Partition;
use crate::options::{Disjoint, Options};
use crate::outcome::Stop;
use std::any::Any;
use std::sync::{Arc, Weak};

/// A search for the combinations of the parts of a structure.
pub(crate) struct Combined {
    structure: Structure,
    options: Options,
    bounds: Bounds,
    /// The inputs that are searched by parts, as bits.
    split: u64,
    /// Why other inputs are not, although their fields declare parts.
    whys: Vec<String>,
    gathering: Option<Arc<Gathering>>,
    /// The part that this search is searching.
    job: Option<PartJob>,
    deck: Option<Deck>,
}

/// Whether there are combinations.
pub(crate) enum Ready {
    Yes,
    Paused(Stop),
    /// The parts are not searched on their own, because of this.
    No(String),
}

impl Combined {
    pub fn new(structure: Structure, options: Options, bounds: &Bounds, partition: Partition) -> Combined {
        let Partition { split, whys } = partition;
        let bounds = bounds.clone();
        Combined { structure, options, bounds, split, whys, gathering: None, job: None, deck: None }
    }

    /// Why inputs whose fields declare parts are not searched by parts, if there are such inputs.
    pub fn why_whole(&self) -> Option<String> {
        (!self.whys.is_empty()).then(|| self.whys.join("; "))
    }

    /// Whether all parts are found.
    pub fn is_gathered(&self) -> bool {
        self.deck.is_some()
    }

    /// What was found, for other searches of the same values.
    pub fn gathered(&self) -> Option<&Arc<Gathered>> {
        self.deck.as_ref().map(|deck| &deck.gathered)
    }

    /// The search of the parts, which other threads can help with. `left_out` are the scopes of earlier passes, if this is a
    /// pass of a series.
    pub fn gathering(&mut self, left_out: Option<u64>) -> &Arc<Gathering> {
        self.gathering.get_or_insert_with(|| {
            let Combined { structure, options, split, .. } = *self;
            Arc::new(Gathering::new(structure, self.bounds.clone(), options, left_out.is_some(), split))
        })
    }

    /// Searches the parts until all are found, or until it is clear that they are not combined.
    pub fn gather(
        &mut self,
        left_out: Option<u64>,
        run: &mut Run,
        tick: &mut Tick<'_>,
    ) -> Result<Ready, Failure> {
        while self.deck.is_none() {
            let gathering = self.gathering(left_out).clone();
            if let Some(refusal) = gathering.refusal() {
                let (explored, pruned) = gathering.take_uncounted();
                run.outcome.explored += explored;
                run.outcome.pruned += pruned;
                if self.search_input_whole(refusal) {
                    continue;
                }
                return self.do_without(refusal.clone(), run);
            }
            if let Some(gathered) = gathering.gathered() {
                if let Err(why) = self.combine(gathered, left_out) {
                    return self.do_without(Refusal::Cannot(why), run);
                }
                break;
            }
            if self.job.is_none() {
                self.job = gathering.claim();
            }
            match &mut self.job {
                Some(job) => match job.go_on(tick) {
                    Progress::Done => self.job = None,
                    Progress::Paused(stop) => return Ok(Ready::Paused(stop)),
                },
                None if gathering.refusal().is_some() => {}
                // Other threads are searching the rest.
                None => return Ok(Ready::Paused(Stop::Interrupted)),
            }
        }
        Ok(Ready::Yes)
    }

    /// Begins again with an input as a whole, if its invariant cannot be sliced and that is not demanded.
    fn search_input_whole(&mut self, refusal: &Refusal) -> bool {
        let Refusal::Unsliceable { input: Some(input), why } = refusal else { return false };
        let layout = self.structure.heap.layout;
        let declares_parts = layout.declares_parts(*input);
        if layout.parts.input_names.len() < 2 || declares_parts && self.options.disjoint == Disjoint::On {
            return false;
        }
        self.split &= !(1 << input);
        // Named pools may serve another purpose than to be parts.
        if declares_parts {
            self.whys.push(format!("`{}` is searched as a whole: {why}", layout.parts.input_names[*input]));
        }
        (self.job, self.gathering) = (None, None);
        true
    }

    /// The parts are not combined: there is one search for the whole structure, or none.
    fn do_without(&mut self, refusal: Refusal, run: &mut Run) -> Result<Ready, Failure> {
        self.job = None;
        if self.options.disjoint == Disjoint::On {
            run.outcome.stop = Stop::FirstFailure;
            return Err(match refusal {
                Refusal::Cannot(why) | Refusal::Unsliceable { why, .. } => {
                    Failure { kind: FailureKind::NotDisjoint { why }, candidate: Candidate(vec![]) }
                }
                Refusal::Failed(failure) => failure,
            });
        }
        Ok(Ready::No(match refusal {
            Refusal::Cannot(why) | Refusal::Unsliceable { why, .. } => why,
            Refusal::Failed(failure) => failure.kind.to_string(),
        }))
    }

    /// Combines the parts, all of which are found. An error says why that cannot be done.
    pub fn combine(&mut self, gathered: Arc<Gathered>, left_out: Option<u64>) -> Result<(), String> {
        self.deck = Some(Deck::new(gathered, self.structure.heap, left_out)?);
        Ok(())
    }

    /// Counts the runs of the searches of the parts: of several searches, the one that begins at the beginning does.
    #[inline]
    pub fn count_parts(&mut self, run: &mut Run) {
        let Some(deck) = self.deck.as_mut().filter(|deck| !deck.is_counted) else { return };
        deck.is_counted = true;
        run.outcome.explored += deck.gathered.explored;
        run.outcome.pruned += deck.gathered.pruned;
    }

    /// Which conjuncts are about which part.
    #[inline]
    pub fn slicing(&self) -> Option<&Slicing> {
        self.deck.as_ref().map(|deck| &deck.gathered.slicing)
    }

    /// How many combinations there are, before conjuncts about several parts are checked.
    pub fn count(&self) -> Option<u128> {
        self.deck.as_ref().and_then(|deck| deck.set.len())
    }

    /// Goes to a combination by its number.
    #[inline]
    pub fn go_to(&mut self, number: u128, run: &mut Run) -> Result<(), Error> {
        run.has_begun = true;
        let Some(deck) = &mut self.deck else { return Err(not_gathered()) };
        let count = deck.set.combinations().count();
        if number >= count {
            return Err(Error::Stale { why: format!("there are {count} combinations, counted from 0") });
        }
        deck.set.nth(number);
        deck.is_current.set(true);
        run.is_found = true;
        Ok(())
    }

    /// Passes over the rest, if the number of combinations is the number of values. Returns how many these are.
    #[inline]
    pub fn skip(&mut self) -> u64 {
        let Some(deck) = self.deck.as_mut().filter(|deck| deck.global.is_empty() && !deck.set.is_over())
        else {
            return 0;
        };
        let rest = deck.set.combinations().count() - deck.set.position().unwrap_or(0) - 1;
        if u64::try_from(rest).is_err() {
            return 0;
        }
        deck.set.skip().unwrap_or(0) as u64
    }

    /// Calls something with the current combination.
    #[inline]
    pub fn with_current(
        &self,
        f: &mut dyn FnMut(&Combination<'_>) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let Some(deck) = &self.deck else { return Err(Refused::unbuildable("no part was searched")) };
        let identity = Arc::as_ptr(&deck.gathered).cast();
        f(&Combination { at: deck.set.at(), identity, parts: self, is_plain: deck.inputs.is_none() })
    }

    /// Opens the slots of the current combination, or of one of its inputs. Slots that are open already stay open.
    pub fn show(&self, input: Option<usize>) -> Result<(), Error> {
        let Some(deck) = self.deck.as_ref().filter(|deck| deck.is_current.get()) else { return Ok(()) };
        let (heap, at) = (self.structure.heap, deck.set.at());
        let mut shown = deck.shown.borrow_mut();
        if let Some(input) = input {
            shown.clear();
            heap.state.borrow_mut().close_down_to(0);
            for part in deck.parts_of(input) {
                self.open_part(deck, part)?;
            }
            return Ok(());
        }
        let mut same = 0;
        while same < shown.len() && shown[same].0 == at[same] {
            same += 1;
        }
        if same == at.len() {
            return Ok(());
        }
        shown.truncate(same);
        {
            let mut s = heap.state.borrow_mut();
            s.close_down_to(shown.last().map_or(0, |(_, end)| *end));
            s.forget_answers();
        }
        for (part, &index) in at.iter().enumerate().skip(same) {
            self.open_part(deck, part)?;
            shown.push((index, heap.state.borrow().path.len()));
        }
        Ok(())
    }

    /// Opens the slots of a part.
    fn open_part(&self, deck: &Deck, part: usize) -> Result<(), Error> {
        let choices = deck.gathered.parts[part].suite.get(deck.set.at()[part]);
        let heap = self.structure.heap;
        heap.focus.set(deck.gathered.groups[part].mask);
        let replayed = self.structure.replay(&choices);
        heap.focus.set(0);
        replayed
    }

    /// The heap shows something else now.
    pub fn hide(&self) {
        self.deck.iter().for_each(|deck| deck.shown.borrow_mut().clear());
    }

    /// No combination is the current candidate.
    pub fn leave(&self) {
        self.hide();
        self.deck.iter().for_each(|deck| deck.is_current.set(false));
    }

    /// Runs the conjuncts about several parts on the current combination. Unless they hold, returns the end of the parts
    /// that they are about, too.
    fn run_global(&self, deck: &Deck, run: &mut Run) -> (Verdict, usize) {
        for Global { selected, parts, has_others, known } in &deck.global {
            let at = &deck.set.at()[parts.clone()];
            if *has_others && *known.borrow() == at {
                continue;
            }
            if let Err(error) = self.show(None) {
                let why = error.to_string();
                return (Verdict::Failed(FailureKind::Unbuildable { why }), parts.end);
            }
            run.outcome.explored += 1;
            match (Structure { selected: Some(*selected), ..self.structure }).run() {
                Verdict::Valid if *has_others => *known.borrow_mut() = at.to_vec(),
                Verdict::Valid => {}
                other => return (other, parts.end),
            }
        }
        (Verdict::Valid, deck.gathered.parts.len())
    }
}

fn not_gathered() -> Error {
    Error::Stale { why: "no part was searched".into() }
}

impl Parts for Combined {
    fn show(&self, input: Option<usize>) -> Result<(), Refused> {
        Combined::show(self, input).map_err(|error| Refused::new(error.to_string()))?;
        match self.structure.heap.state.borrow().flaw() {
            Some(why) => Err(Refused::unbuildable(why)),
            None => Ok(()),
        }
    }

    fn count(&self, input: usize) -> Option<u32> {
        self.deck.as_ref().map_or(Some(0), |deck| deck.count(input))
    }

    fn index(&self, input: usize) -> u32 {
        self.deck.as_ref().map_or(0, |deck| deck.index(input))
    }

    fn size(&self, input: usize) -> u32 {
        self.deck.as_ref().map_or(0, |deck| deck.size(input))
    }

    fn is_frozen(&self, input: usize) -> bool {
        self.structure.heap.layout.is_frozen(input)
    }

    fn pin(&self) -> Weak<dyn Any + Send + Sync> {
        let parts = self.deck.as_ref().map(|deck| Arc::downgrade(&deck.gathered));
        parts.unwrap_or_default()
    }
}

impl Source for Combined {
    #[inline]
    fn advance(&mut self, run: &mut Run) -> Option<usize> {
        let deck = self.deck.as_mut()?;
        let changed = match std::mem::replace(&mut run.has_begun, true) {
            true => deck.set.next(),
            false => (!deck.set.is_over()).then_some(0),
        };
        deck.is_current.set(changed.is_some());
        run.keep(changed?);
        changed
    }

    #[inline]
    fn judge(&mut self, _: usize, run: &mut Run) -> Option<Verdict> {
        let deck = self.deck.as_ref()?;
        if !run.range.end.is_empty() && deck.set.at() >= &run.range.end[..] {
            return None;
        }
        if deck.global.is_empty() {
            return Some(Verdict::Valid);
        }
        let (verdict, end) = self.run_global(deck, run);
        if matches!(verdict, Verdict::Invalid | Verdict::DeadEnd) {
            // Whatever the parts behind these hold, the conjuncts do not.
            self.deck.iter_mut().for_each(|deck| deck.set.pass_over(end));
        }
        Some(verdict)
    }

    fn wants(&mut self, _: &mut Run) -> bool {
        true
    }

    fn inspect_rejected(&mut self, _: &mut Run, _: &mut Build) -> Result<(), Failure> {
        Ok(())
    }

    fn end_of_space(&self) -> Stop {
        Stop::Exhausted
    }

    #[cold]
    fn failure(&mut self, kind: FailureKind, run: &mut Run) -> Failure {
        run.outcome.stop = Stop::FirstFailure;
        // A combination that was found once can be shown again.
        let shown = self.show(None);
        debug_assert!(shown.is_ok(), "smallscope internal error: {shown:?}");
        let state = &self.structure.heap.state;
        let depth = state.borrow().path.len();
        let candidate = self.structure.candidate();
        state.borrow_mut().close_down_to(depth);
        Failure { kind, candidate }
    }
}

impl Seek for Combined {
    fn start_at(&mut self, position: &[u32], run: &mut Run) -> Result<(), Error> {
        let Some(deck) = &mut self.deck else { return Err(not_gathered()) };
        let Some(number) = deck.set.combinations().number(position) else {
            let mut counts = vec![];
            for part in &deck.gathered.parts {
                counts.push(part.suite.len().to_string());
            }
            let why = format!("the parts have {} valid candidates", counts.join(", "));
            return Err(Error::Stale { why });
        };
        deck.is_counted |= !position.is_empty();
        deck.is_current.set(false);
        deck.set.nth(number);
        run.restart(false, 0);
        Ok(())
    }

    fn start_after(&mut self, path: &[u32], run: &mut Run) -> Result<(), Error> {
        self.restore(0, path, run)?;
        run.restart(true, path.len());
        Ok(())
    }

    fn until(&mut self, end: Vec<u32>, run: &mut Run) {
        run.range.end = end;
    }

    fn position(&mut self, run: &mut Run) -> Option<Position> {
        let Some(deck) = &self.deck else { return Some(Position::START) };
        let set = &deck.set;
        if set.is_over() {
            return None;
        }
        if !run.has_begun && set.is_first() {
            return Some(Position::START);
        }
        let mut at = set.at().to_vec();
        let is_visited = run.has_begun && !Range::is_reached(&run.outcome);
        if is_visited {
            set.combinations().advance(&mut at)?;
        }
        Some(Position(at))
    }

    fn split(&mut self, run: &mut Run) -> Option<Position> {
        let set = &self.deck.as_ref().filter(|deck| !deck.set.is_over())?.set;
        let end = match &run.range.end[..] {
            [] => set.len()?,
            end => set.combinations().number(end)?,
        };
        let cut = set.combinations().get(set.split(end)?)?;
        self.until(cut.clone(), run);
        Some(Position(cut))
    }

    fn fraction(&mut self, _: &mut Run) -> f64 {
        match &self.deck {
            None => 0.0,
            Some(deck) if deck.set.is_over() => 1.0,
            Some(Deck { set, .. }) => {
                set.position().unwrap_or(0) as f64 / set.len().unwrap_or(1).max(1) as f64
            }
        }
    }

    fn path(&self) -> Vec<u32> {
        let current = self.deck.as_ref().filter(|deck| deck.is_current.get());
        current.map(|deck| deck.set.at().to_vec()).unwrap_or_default()
    }

    fn changes(&mut self, new: &mut Vec<u32>, run: &mut Run) -> usize {
        let indices = self.path();
        let kept = std::mem::replace(&mut run.unchanged, indices.len()).min(indices.len());
        new.clear();
        new.extend_from_slice(&indices[kept..]);
        kept
    }

    fn reads(&self) -> u64 {
        self.deck.as_ref().map_or(crate::hash::FNV, |deck| deck.gathered.fingerprint())
    }

    fn restore(&mut self, kept: usize, new: &[u32], run: &mut Run) -> Result<(), Error> {
        let stale = |why: String| Err(Error::Stale { why });
        let Some(deck) = &mut self.deck else { return Err(not_gathered()) };
        let at = [deck.set.at().get(..kept).unwrap_or_default(), new].concat();
        if !deck.set.go_to(at) {
            return stale(format!("it is no combination of {} parts", deck.gathered.parts.len()));
        }
        deck.is_counted = true;
        deck.is_current.set(true);
        run.is_found = true;
        let Some(deck) = &self.deck else { return Err(not_gathered()) };
        match self.run_global(deck, run).0 {
            Verdict::Valid => Ok(()),
            Verdict::Invalid => stale("the invariant does not accept it".into()),
            Verdict::DeadEnd => {
                run.outcome.pruned += 1;
                stale("the invariant does not accept it".into())
            }
            Verdict::Failed(kind) => stale(kind.to_string()),
        }
    }

    fn revisit(&mut self, path: &[u32], run: &mut Run) {
        let _ = self.restore(0, path, run);
    }
}
