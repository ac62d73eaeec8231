//! Positions and paths of a search for combinations: indices, one per part.

use crate::error::Error;
use crate::outcome::Stop;
use crate::search::SearchCore;

impl SearchCore {
    /// The current combination, by the index of each part.
    pub(in crate::search) fn indices(&self) -> Option<Vec<u32>> {
        self.is_combined().then(|| {
            self.deck().filter(|deck| deck.is_current.get()).map(|deck| deck.at.clone()).unwrap_or_default()
        })
    }

    /// Begins at a position.
    pub(in crate::search) fn start_at_indices(&mut self, position: &[u32]) -> Result<(), Error> {
        let Some(deck) = self.deck_mut() else { return Ok(()) };
        let Some(number) = deck.combinations.number(position) else {
            let counts: Vec<String> = deck.gathered.parts.iter().map(|p| p.suite.len().to_string()).collect();
            let why = format!("the parts have {} valid candidates", counts.join(", "));
            return Err(Error::Stale { why });
        };
        deck.is_counted |= !position.is_empty();
        deck.go_to(number);
        (self.started, self.low) = (false, 0);
        self.outcome.stop = Stop::Interrupted;
        Ok(())
    }

    /// Goes to a combination of which the first indices are those of the current one.
    pub(in crate::search) fn restore_indices(&mut self, kept: usize, new: &[u32]) -> Result<(), Error> {
        let stale = |why: String| Err(Error::Stale { why });
        let Some(deck) = self.deck_mut() else { return stale("no part was searched".into()) };
        let at = [deck.at.get(..kept).unwrap_or_default(), new].concat();
        if at.len() != deck.at.len() || deck.combinations.number(&at).is_none() {
            return stale(format!("it is no combination of {} parts", deck.at.len()));
        }
        (deck.at, deck.is_over, deck.is_counted) = (at, false, true);
        deck.is_current.set(true);
        self.delivery.found();
        let Some(global) = self.deck().and_then(|deck| deck.global) else { return Ok(()) };
        match self.holds(global) {
            Ok(true) => Ok(()),
            Ok(false) => stale("the invariant does not accept it".into()),
            Err(failure) => stale(failure.kind.to_string()),
        }
    }

    /// The position behind the current combination; none if nothing is there.
    pub(in crate::search) fn next_indices(&self) -> Option<Vec<u32>> {
        let Some(deck) = self.deck() else { return Some(vec![]) };
        let is_at_beginning = !self.started && deck.combinations.first().as_ref() == Some(&deck.at);
        match (self.started, self.is_at_end()) {
            _ if deck.is_over => None,
            (false, _) if is_at_beginning => Some(vec![]),
            (false, _) | (_, true) => Some(deck.at.clone()),
            (true, false) => {
                let mut at = deck.at.clone();
                deck.combinations.advance(&mut at).map(|_| at)
            }
        }
    }

    /// Where the later half of the rest begins.
    pub(in crate::search) fn middle_of_rest(&self) -> Option<Vec<u32>> {
        let deck = self.deck().filter(|deck| self.started && !deck.is_over)?;
        let end = match &self.end[..] {
            [] => deck.combinations.count(),
            end => deck.combinations.number(end)?,
        };
        let next = deck.number() + 1;
        (next < end).then(|| deck.combinations.get(next + (end - next) / 2))?
    }

    /// The share of the combinations that lies behind.
    pub(in crate::search) fn share_of_combinations(&self) -> f64 {
        match self.deck() {
            None => 0.0,
            Some(deck) if deck.is_over => 1.0,
            Some(deck) => deck.number() as f64 / deck.combinations.count().max(1) as f64,
        }
    }

    /// Passes over the rest, if its number says it all.
    pub(in crate::search) fn skip_combinations(&mut self) -> u64 {
        let Some(deck) = self.deck_mut().filter(|deck| deck.global.is_none() && !deck.is_over) else {
            return 0;
        };
        let rest = deck.combinations.count() - deck.number() - 1;
        let Ok(skipped) = u64::try_from(rest) else { return 0 };
        if let Some(last) = deck.combinations.get(deck.combinations.count() - 1) {
            deck.at = last;
        }
        skipped
    }

    /// A number for the parts: if it is another one, indices mean something else now.
    pub(in crate::search) fn part_fingerprint(&self) -> Option<u64> {
        self.deck().map(|deck| deck.gathered.fingerprint())
    }
}
