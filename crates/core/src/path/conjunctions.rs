//! What is known about the conjuncts of the invariant, as far as it follows from the path.

use crate::site::ConjunctSite;

/// A conjunct whose result follows from the first steps of the path.
pub(crate) struct Held {
    /// Whether it holds. One that fails is evaluated again; it is listed so that each conjunct has its place.
    pub holds: bool,
    /// The number of these steps.
    pub path: usize,
    /// How many answers there were when it ended.
    pub log: usize,
}

/// The order of the conjuncts of one conjunction.
pub(crate) struct Order {
    sites: &'static [ConjunctSite],
    /// The conjunct at each place, and whether it is out of turn there: one that precedes it in the source comes later.
    places: Vec<(u32, bool)>,
}

/// What a heap knows about conjuncts.
#[derive(Default)]
pub(crate) struct Conjunctions {
    /// Conjuncts that are known to hold are skipped.
    pub resumes: bool,
    /// Those that hold or fail, in the order in which they were evaluated.
    pub held: Vec<Held>,
    /// How many of them the current run has reached.
    pub cursor: usize,
    /// How many conjunctions enclose the current place in the run.
    pub depth: usize,
    /// A conjunct has panicked out of turn in this run; from there on, none is listed.
    pub is_paused: bool,
    /// The conjunct that failed last.
    pub failed: Option<&'static ConjunctSite>,
    /// The conjunct that is being evaluated, or was evaluated last.
    pub running: Option<&'static ConjunctSite>,
    /// Orders other than that of the source.
    pub orders: Vec<Order>,
    /// The search is a trial of orders: a panic out of turn ends it.
    pub is_trial: bool,
    /// Conjuncts that have panicked out of turn in a trial, or have not ended.
    pub in_turn_only: Vec<u32>,
    /// The invariants of parts run before that of the whole.
    pub parts_first: bool,
}

impl Conjunctions {
    /// Begins a run.
    #[inline]
    pub fn rewind(&mut self) {
        (self.cursor, self.depth, self.is_paused) = (0, 0, false);
        (self.failed, self.running) = (None, None);
    }

    /// Forgets what depends on steps behind a path of this length.
    #[inline]
    pub fn shorten(&mut self, path: usize) {
        while self.held.last().is_some_and(|held| held.path > path) {
            self.held.pop();
        }
    }

    /// Sets the order of a conjunction: a permutation of its conjuncts.
    pub fn set_order(&mut self, sites: &'static [ConjunctSite], order: Vec<u32>) {
        let mut places = vec![];
        for (place, &i) in order.iter().enumerate() {
            places.push((i, is_out_of_turn(&order, place)));
        }
        match self.orders.iter_mut().find(|known| std::ptr::eq(known.sites, sites)) {
            Some(known) => known.places = places,
            None => self.orders.push(Order { sites, places }),
        }
    }
}

/// The conjunct at each place of the order of a conjunction, and whether it is out of turn there; none if the order is that
/// of the source.
#[inline]
pub(crate) fn places<'a>(orders: &'a [Order], sites: &'static [ConjunctSite]) -> Option<&'a [(u32, bool)]> {
    orders.iter().find(|known| std::ptr::eq(known.sites, sites)).map(|known| &*known.places)
}

/// Whether a conjunct that precedes the one at this place of an order in the source comes later.
pub(crate) fn is_out_of_turn(order: &[u32], place: usize) -> bool {
    order[place..].iter().any(|later| *later < order[place])
}

#[cfg(test)]
mod tests {
    use super::is_out_of_turn;

    #[test]
    fn a_conjunct_is_out_of_turn_before_one_that_precedes_it_in_the_source() {
        let early = |order: &[u32]| [0, 1, 2].map(|place| is_out_of_turn(order, place));
        assert_eq!(early(&[0, 1, 2]), [false, false, false]);
        assert_eq!(early(&[2, 1, 0]), [true, true, false]);
        assert_eq!(early(&[2, 0, 1]), [true, false, false]);
        assert_eq!(early(&[1, 2, 0]), [true, true, false]);
    }
}
