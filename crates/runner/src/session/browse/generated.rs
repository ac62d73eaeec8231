//! The values of a search that has no file. Some places of the search are kept, and the values between them are found again.

use crate::session::error::Error;
use smallscope_core::{AnySearch, Found, Stop};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How many places are kept at most. If there are more, every other one is dropped.
const MOST_PLACES: usize = 4096;
/// How many values are searched for without a query for them.
const EAGER: u64 = 1_000_000;

pub(super) struct Generated {
    /// Searches ahead, to find out how many values there are.
    scout: AnySearch,
    known: u64,
    /// Why there are no more.
    ending: Option<String>,
    /// The paths of values 1, 1 + distance, 1 + 2 * distance, and so on.
    places: Vec<Vec<u32>>,
    distance: u64,
    /// Stands at the current value.
    cursor: AnySearch,
    at: u64,
    /// Whether the cursor can go on to the next value.
    goes_on: bool,
}

impl Generated {
    pub fn new(scout: AnySearch, cursor: AnySearch) -> Generated {
        Generated { scout, known: 0, ending: None, places: vec![], distance: 1, cursor, at: 0, goes_on: true }
    }

    pub fn known(&self) -> u64 {
        self.known
    }

    /// Whether all values are known.
    pub fn is_over(&self) -> bool {
        self.ending.is_some()
    }

    /// Whether to search on although there is no query.
    pub fn is_eager(&self) -> bool {
        !self.is_over() && self.known < EAGER
    }

    pub fn ending(&self) -> String {
        self.ending.clone().unwrap_or_else(|| "there may be more".to_owned())
    }

    pub fn cursor(&mut self) -> &mut AnySearch {
        &mut self.cursor
    }

    /// Searches ahead for some time.
    pub fn search_for(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while !self.is_over() && Instant::now() < end {
            let mut tick = |_: &_| match Instant::now() < end {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(Stop::Interrupted),
            };
            match self.scout.find_next(&mut tick) {
                Ok(Found::Valid) => self.note(),
                Ok(Found::Paused) => return,
                Ok(Found::End) => self.ending = Some(self.scout.outcome().stop.to_string()),
                Err(failure) => self.ending = Some(Error::from(failure).to_string()),
            }
        }
    }

    fn note(&mut self) {
        if self.known % self.distance == 0 {
            if self.places.len() == MOST_PLACES {
                let mut is_kept = false;
                self.places.retain(|_| {
                    is_kept = !is_kept;
                    is_kept
                });
                self.distance *= 2;
            }
            // After the distance has changed, this value may be between two places.
            if self.known % self.distance == 0 {
                self.places.push(self.scout.path());
            }
        }
        self.known += 1;
    }

    /// Goes to a value, counted from 1. False if it was not reached in time.
    pub fn go_to(&mut self, number: u64, patience: Duration) -> Result<bool, Error> {
        let end = Instant::now() + patience;
        while self.known < number && !self.is_over() {
            let now = Instant::now();
            if now >= end {
                return Ok(false);
            }
            self.search_for(end - now);
        }
        if number == 0 || number > self.known {
            return Err(Error::Usage(match self.known {
                0 => format!("there are no values: {}", self.ending()),
                known => format!("there is no value {number}; there are 1 to {known}"),
            }));
        }
        let place = (number - 1) / self.distance;
        let first = place * self.distance + 1;
        if self.at < first || self.at > number {
            let path = &self.places[place as usize];
            self.cursor.restore(0, path).map_err(Error::Bounds)?;
            (self.at, self.goes_on) = (first, false);
        }
        if self.at < number && !self.goes_on {
            let path = self.cursor.path();
            self.cursor.start_after(&path).map_err(Error::Bounds)?;
            self.goes_on = true;
        }
        while self.at < number {
            match self.cursor.find_next(&mut |_| ControlFlow::Continue(()))? {
                Found::Valid => self.at += 1,
                _ => return Err(Error::Usage(format!("value {number} was not found again"))),
            }
        }
        Ok(true)
    }
}
