//! A few values from all over the bounds, early: the rest of the search is cut where it is widest, again and again, and the
//! first value of each piece is taken.

use super::{AnySearch, Found, Position};
use crate::depth_first::find::Source;
use crate::error::Failure;
use crate::outcome::{Outcome, Stop};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// Values of a search in an order that spreads: no two of the first ones are close to each other.
///
/// Pieces of the search wait in a queue. The first value of a piece is delivered; what is left of the piece is cut in two
/// at the first step of the path that has another choice, and both parts go to the end of the queue. So the choices near
/// the root, which make values different, vary before those near the leaves. Gone through to its end it delivers the same
/// values as the search, and costs more: a search that it was used with begins anew for each piece, and all pieces that
/// are left are in memory.
///
/// ```
/// # use smallscope_core::{Bounds, Found, Options, Search, Spread};
/// # use std::ops::ControlFlow;
/// let mut search = Search::<Vec<u8>>::new(&Bounds::scope(4), Options::default())?;
/// let mut spread = Spread::new();
/// let mut lengths = vec![];
/// for _ in 0..5 {
///     assert_eq!(spread.find_next(&mut search, &mut |_| ControlFlow::Continue(())), Ok(Found::Valid));
///     lengths.push(search.value().unwrap().len());
/// }
/// assert_eq!(lengths, [0, 1, 2, 1, 3]);
/// # Ok::<(), smallscope_core::Error>(())
/// ```
pub struct Spread {
    /// Beginnings and ends.
    pieces: VecDeque<(Position, Position)>,
    /// The end of the piece whose first value was delivered last.
    end: Option<Position>,
}

impl Default for Spread {
    fn default() -> Self {
        Spread::new()
    }
}

impl Spread {
    /// Everything is one piece.
    pub fn new() -> Spread {
        Spread { pieces: VecDeque::from([(Position::START, Position::START)]), end: None }
    }

    /// Lets the search find the next value. The caller passes the same search each time and does not move it in between.
    /// `tick` is called now and then and may pause the search; [`Found::End`] means that there are no more values.
    pub fn find_next(
        &mut self,
        search: &mut AnySearch,
        tick: &mut dyn FnMut(&Outcome) -> ControlFlow<Stop>,
    ) -> Result<Found, Failure> {
        self.cut_the_rest(search);
        while let Some((start, end)) = self.pieces.pop_front() {
            // To go on elsewhere would lose values.
            if let Err(error) = search.start_at(&start) {
                panic!("smallscope internal error: cannot resume at a saved position: {error}");
            }
            search.until(&end);
            match search.find_next(tick)? {
                Found::Valid => {
                    self.end = Some(end);
                    return Ok(Found::Valid);
                }
                Found::Paused => {
                    self.pieces.extend(search.position().map(|rest| (rest, end)));
                    return Ok(Found::Paused);
                }
                Found::End => {}
            }
        }
        Ok(search.run.end(search.depth_first.end_of_space()))
    }

    fn cut_the_rest(&mut self, search: &mut AnySearch) {
        let Some(end) = self.end.take() else { return };
        match search.split() {
            Some(cut) => {
                // It may be that the later part is all that is left.
                let first = search.position().filter(|start| *start != cut);
                self.pieces.push_back((cut.clone(), end));
                self.pieces.extend(first.map(|start| (start, cut)));
            }
            None => self.pieces.extend(search.position().map(|start| (start, end))),
        }
    }
}
