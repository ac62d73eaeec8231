//! A search for the combinations of disjoint parts. Everything else that a search can do is the same: a position is a
//! list of indices, one per part, and a range of combinations lies between two of them.

mod gather;
mod indices;
mod of_part;

use super::{Failure, FailureKind, Found, Root, SearchCore, Verdict};
use super::{Refused, TICK, catching_dead_ends};
use crate::bounds::Bounds;
use crate::disjoint::combine::Combinations;
use crate::disjoint::pool::{Gathered, Interest, PartJob, Tick};
use crate::disjoint::{Disjoint, Selected, Slicing};
use crate::error::Error;
use crate::heap::{Heap, State};
use crate::options::Options;
use crate::outcome::{Limit, Stop};
use crate::walk::Walk;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

/// What a search knows about disjoint parts.
pub(super) struct Combined {
    bounds: Bounds,
    pool: Option<Interest>,
    /// The part that this search is looking into.
    job: Option<PartJob>,
    begun: Option<Instant>,
    deck: Option<Deck>,
    why_direct: Option<String>,
}

/// The parts, and where the search is among their combinations.
struct Deck {
    gathered: Arc<Gathered>,
    combinations: Combinations,
    at: Vec<u32>,
    /// There is such a combination, and it is the current candidate.
    is_current: Cell<bool>,
    /// Nothing comes any more.
    is_over: bool,
    /// The runs of the searches of the parts are taken into account, or another search does that.
    is_counted: bool,
    /// The conjuncts that are about several parts.
    global: Option<&'static Selected>,
    shown: RefCell<Shown>,
}

/// What of a combination the heap shows.
#[derive(Default)]
struct Shown {
    /// All of it, up to some part: the index of each, and where its steps on the path end.
    parts: Vec<(u32, usize)>,
}

/// Whether there is something to combine.
enum Ready {
    Yes,
    Paused(Stop),
    /// Another way is taken.
    No,
}

/// The current combination, for places of values.
pub struct Showing<'a> {
    show: &'a dyn Fn(Option<usize>) -> Result<(), Refused>,
    at: &'a [u32],
    gathered: &'a Gathered,
    frozen: &'a dyn Fn(usize) -> bool,
}

impl Showing<'_> {
    /// Opens all slots, so that the value can be built.
    pub(crate) fn show_all(&self) -> Result<(), Refused> {
        (self.show)(None)
    }

    /// Opens the slots of a part, so that its value can be built.
    pub(crate) fn show_part(&self, part: usize) -> Result<(), Refused> {
        (self.show)(Some(part))
    }

    /// The candidate of a part: its number, of how many, and how large it is.
    #[inline]
    pub(crate) fn index(&self, part: usize) -> u32 {
        self.at[part]
    }

    /// A number for the parts: indices of others mean something else.
    #[inline]
    pub(crate) fn generation(&self) -> u64 {
        self.gathered.generation
    }

    pub(crate) fn count(&self, part: usize) -> u32 {
        self.gathered.parts[part].suite.len()
    }

    pub(crate) fn size(&self, part: usize) -> u32 {
        self.gathered.parts[part].suite.size(self.at[part])
    }

    /// Whether values of a part can be lent again and again.
    pub(crate) fn is_frozen(&self, part: usize) -> bool {
        (self.frozen)(part)
    }
}

impl Combined {
    fn new(bounds: &Bounds) -> Box<Combined> {
        Box::new(Combined {
            bounds: bounds.clone(),
            pool: None,
            job: None,
            begun: None,
            deck: None,
            why_direct: None,
        })
    }

    /// Calls something with the current combination.
    #[inline]
    pub(super) fn with_current(
        &self,
        heap: &'static Heap,
        root: &'static dyn Root,
        f: &mut dyn FnMut(&Showing<'_>) -> Result<(), Refused>,
    ) -> Result<(), Refused> {
        let Some(deck) = &self.deck else { return Err(Refused::unbuildable("no part was searched")) };
        let show = |part: Option<usize>| {
            self.show(heap, root, part).map_err(|error| Refused::new(error.to_string()))?;
            match heap.state.borrow().flaw() {
                Some(why) => Err(Refused::unbuildable(why)),
                None => Ok(()),
            }
        };
        let frozen = |part: usize| heap.state.borrow().is_frozen(part as u32 + 1);
        f(&Showing { show: &show, at: &deck.at, gathered: &deck.gathered, frozen: &frozen })
    }

    /// Opens the slots of the current combination, or of one of its parts. What is open already stays so.
    fn show(&self, heap: &'static Heap, root: &'static dyn Root, part: Option<usize>) -> Result<(), Error> {
        let Some(deck) = self.deck.as_ref().filter(|deck| deck.is_current.get()) else { return Ok(()) };
        let mut shown = deck.shown.borrow_mut();
        if let Some(part) = part {
            shown.parts.clear();
            heap.state.borrow_mut().close_down_to(0);
            return open_part(heap, root, deck, part);
        }
        let same = shown.parts.iter().zip(&deck.at).take_while(|((shown, _), at)| shown == *at).count();
        if same == deck.at.len() {
            return Ok(());
        }
        shown.parts.truncate(same);
        {
            let mut s = heap.state.borrow_mut();
            s.close_down_to(shown.parts.last().map_or(0, |(_, end)| *end));
            s.forget_answers();
        }
        for part in same..deck.at.len() {
            open_part(heap, root, deck, part)?;
            shown.parts.push((deck.at[part], heap.state.borrow().path.len()));
        }
        Ok(())
    }
}

/// Opens the slots of a part.
fn open_part(heap: &'static Heap, root: &'static dyn Root, deck: &Deck, part: usize) -> Result<(), Error> {
    let choices = deck.gathered.parts[part].suite.get(deck.at[part]);
    heap.focus.set(part as u32 + 1);
    let replayed = catching_dead_ends(|| Walk::replay(heap, root, &choices));
    heap.focus.set(0);
    replayed
        .unwrap_or_else(|| Err(Error::Stale { why: "it needs more objects than the bounds allow".into() }))
}

impl Deck {
    fn number(&self) -> u128 {
        self.combinations.number(&self.at).unwrap_or(0)
    }

    /// Goes to a combination with a number; what comes first is over if there is none.
    fn go_to(&mut self, number: u128) {
        self.is_current.set(false);
        match self.combinations.get(number) {
            Some(at) => (self.at, self.is_over) = (at, false),
            None => self.is_over = true,
        }
    }
}

impl SearchCore {
    /// Searches parts on their own, if the options say so and it can be done.
    pub(super) fn combine(&mut self, bounds: &Bounds) -> Result<(), Error> {
        let mode = self.options.disjoint;
        if mode == Disjoint::Off {
            return Ok(());
        }
        let checked = match self.options.audit {
            true => Err(Error::NotDisjoint {
                at: "the structure".into(),
                why: "audit mode looks at all that is rejected, so it needs one search for everything".into(),
            }),
            false => self.heap.state.borrow().check_parts(),
        };
        let parts = self.heap.state.borrow().parts.names.len();
        match (checked, mode) {
            (Ok(()), Disjoint::Auto) if parts < 2 => {}
            (Ok(()), _) => self.combined = Some(Combined::new(bounds)),
            (Err(error), Disjoint::On) => return Err(error),
            (Err(error), _) => {
                let mut combined = Combined::new(bounds);
                combined.why_direct = Some(error.to_string());
                self.combined = Some(combined);
            }
        }
        Ok(())
    }

    /// Whether combinations of parts are searched, or will be as far as is known.
    #[inline]
    pub(super) fn is_combined(&self) -> bool {
        self.combined.as_ref().is_some_and(|combined| combined.why_direct.is_none())
    }

    /// Why there is one search for everything, although [`Disjoint::Auto`] was asked for.
    pub fn why_direct(&self) -> Option<&str> {
        self.combined.as_ref()?.why_direct.as_deref()
    }

    /// Which conjuncts are about which part. Searches the parts, if that is not done yet; none if there is one search for
    /// everything.
    pub fn slicing(&mut self) -> Result<Option<Slicing>, Failure> {
        self.settle()?;
        Ok(self.deck().map(|deck| deck.gathered.slicing.clone()))
    }

    /// How many combinations of parts there are, before conjuncts about several of them are checked. Searches the parts,
    /// if that is not done yet; none if there is one search for everything.
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
        self.settle()?;
        Ok(self.deck().map(|deck| deck.combinations.count()))
    }

    /// Goes to a combination of parts by its number, counted from 0, in no more time than to the first. If there are
    /// conjuncts about several parts, it need not be valid: see [`SearchCore::accepts`].
    pub fn go_to_combination(&mut self, number: u128) -> Result<(), Error> {
        let settled = self.settle().map_err(|failure| Error::Stale { why: failure.kind.to_string() });
        settled?;
        self.started = true;
        let Some(deck) = self.deck_mut() else {
            return Err(Error::NotDisjoint {
                at: "the structure".into(),
                why: "there is one search for everything, which has no combinations".into(),
            });
        };
        let count = deck.combinations.count();
        if number >= count {
            return Err(Error::Stale { why: format!("there are {count} combinations, counted from 0") });
        }
        deck.go_to(number);
        deck.is_current.set(true);
        self.delivery.found();
        Ok(())
    }

    fn deck(&self) -> Option<&Deck> {
        self.combined.as_ref()?.deck.as_ref()
    }

    fn deck_mut(&mut self) -> Option<&mut Deck> {
        self.combined.as_mut()?.deck.as_mut()
    }

    /// The next combination that is valid.
    pub(super) fn next_combination(&mut self, tick: &mut Tick<'_>) -> Result<Found, Failure> {
        if self.is_at_end() {
            return Ok(Found::End);
        }
        if self.deck().is_none() {
            match self.gather(tick)? {
                Ready::Yes => {}
                Ready::Paused(stop) => {
                    self.outcome.stop = stop;
                    return Ok(Found::End);
                }
                Ready::No => return self.search_on(tick),
            }
        }
        self.count_parts();
        loop {
            self.until_tick -= 1;
            if self.until_tick == 0 {
                self.until_tick = TICK;
                if let ControlFlow::Break(stop) = tick(&self.outcome) {
                    self.outcome.stop = stop;
                    return Ok(Found::End);
                }
            }
            let is_first = !std::mem::replace(&mut self.started, true);
            let Some(deck) = self.combined.as_mut().and_then(|combined| combined.deck.as_mut()) else {
                return Ok(Found::End);
            };
            let changed = match is_first {
                true => Some(0).filter(|_| !deck.is_over),
                false if deck.is_over => None,
                false => deck.combinations.advance(&mut deck.at),
            };
            let Some(changed) = changed else {
                deck.is_over = true;
                deck.is_current.set(false);
                self.outcome.stop = Stop::Exhausted;
                return Ok(Found::End);
            };
            self.low = self.low.min(changed);
            deck.is_current.set(true);
            if !self.end.is_empty() && deck.at >= self.end {
                self.outcome.stop = Stop::LimitReached(Limit::Position);
                return Ok(Found::End);
            }
            if let Some(global) = deck.global
                && !self.holds(global)?
            {
                continue;
            }
            self.outcome.valid += 1;
            self.delivery.found();
            return Ok(Found::Valid);
        }
    }

    /// Whether the conjuncts about several parts hold for the current combination.
    fn holds(&mut self, global: &'static Selected) -> Result<bool, Failure> {
        self.show()?;
        let outer = self.selected.replace(global);
        let verdict = self.run();
        self.selected = outer;
        self.outcome.explored += 1;
        match verdict {
            Verdict::Valid => Ok(true),
            Verdict::Invalid => Ok(false),
            Verdict::DeadEnd => {
                self.outcome.pruned += 1;
                Ok(false)
            }
            Verdict::Failed(kind) => Err(self.failure(kind)),
        }
    }

    fn show(&self) -> Result<(), Failure> {
        self.show_on_heap().map_err(|error| Failure {
            kind: FailureKind::Unbuildable { why: error.to_string() },
            candidate: crate::Candidate(vec![]),
        })
    }

    fn show_on_heap(&self) -> Result<(), Error> {
        self.combined.as_ref().map_or(Ok(()), |combined| combined.show(self.heap, self.root, None))
    }

    /// Shows the current combination, if there is one, before somebody looks at the heap.
    #[inline]
    pub(super) fn show_current(&self) {
        if self.combined.is_some() {
            // What was found once can be shown again.
            let shown = self.show_on_heap();
            debug_assert!(shown.is_ok(), "smallscope internal error: {shown:?}");
        }
    }

    /// The heap will show something else.
    pub(super) fn leave_combination(&mut self) {
        if let Some(deck) = self.deck() {
            deck.is_current.set(false);
            deck.shown.borrow_mut().parts.clear();
        }
    }
}

impl State {
    /// Forgets answers about slots that are all open.
    fn forget_answers(&mut self) {
        self.log.clear();
        self.cursor = 0;
        self.conjunctions.held.clear();
        self.claims.clear();
    }
}

impl Options {
    /// The same, with disjoint parts searched on their own.
    ///
    /// ```
    /// # use smallscope_core::{Disjoint, Options};
    /// assert_eq!(Options::default().disjoint().disjoint, Disjoint::On);
    /// ```
    pub fn disjoint(self) -> Options {
        Options { disjoint: Disjoint::On, ..self }
    }
}
