//! Combinations by number, in ranges, and from where a search has stopped.

use crate::{ENGINES, options, records};
use smallscope::search::{Found, Position, Search};
use smallscope::structures::Product;
use smallscope::{Bounded, Bounds, Disjoint, Stop, rep_ok};
use std::ops::ControlFlow;

#[derive(Bounded)]
struct Sums {
    #[bounded(part = "a")]
    a: Vec<u8>,
    #[bounded(part = "b")]
    b: [u8; 2],
    #[bounded(part = "c")]
    c: bool,
}

#[rep_ok]
impl Sums {
    fn rep_ok(&self) -> bool {
        self.a.is_sorted() && self.c == (self.a.len() % 2 == 0) && self.b[0] <= self.b[1]
    }
}

type Inputs = Product<(Vec<u8>, bool, [u8; 2])>;

fn open<T: Bounded>(engine: smallscope::Engine) -> Search<T> {
    Search::new(&Bounds::scope(3), options(engine, Disjoint::On)).unwrap()
}

fn by_number<T: Bounded>() {
    for engine in ENGINES {
        let streamed = records(&mut open::<T>(engine));
        let mut search = open::<T>(engine);
        let count = search.combinations().unwrap().unwrap();
        let mut all = vec![];
        for number in 0..count {
            search.go_to_combination(number).unwrap();
            if search.accepts().unwrap() {
                all.push(search.candidate().to_string());
            }
        }
        assert_eq!(all, streamed, "{engine}");
        // In any order.
        for number in [count - 1, 0, count / 2] {
            search.go_to_combination(number).unwrap();
            search.candidate();
        }
        let error = search.go_to_combination(count).unwrap_err().to_string();
        assert!(error.contains(&format!("there are {count} combinations")), "{error}");
    }
}

#[test]
fn a_combination_by_its_number_is_the_one_that_is_streamed() {
    by_number::<Inputs>();
    by_number::<Sums>();
}

/// Cuts the search into ranges of about so many values.
fn in_pieces<T: Bounded>(engine: smallscope::Engine, most: usize) -> Vec<String> {
    let mut all = vec![];
    let mut position = Some(Position::START);
    while let Some(start) = position {
        let mut search = open::<T>(engine);
        search.start_at(&start).unwrap();
        for _ in 0..most {
            match search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() {
                Found::Valid => all.push(search.candidate().to_string()),
                Found::End | Found::Paused => break,
            }
        }
        position = search.position();
        if search.outcome().stop == Stop::Exhausted {
            assert_eq!(position, None);
        }
    }
    all
}

#[test]
fn a_search_goes_on_where_another_one_has_stopped() {
    for engine in ENGINES {
        for most in [1, 7, 100] {
            assert_eq!(in_pieces::<Inputs>(engine, most), records(&mut open::<Inputs>(engine)));
            assert_eq!(in_pieces::<Sums>(engine, most), records(&mut open::<Sums>(engine)));
        }
    }
}

#[test]
fn halves_that_are_given_away_are_the_rest() {
    // The first cut is the latest; what lies between two cuts belongs to the earlier one.
    let mut search = open::<Inputs>(Default::default());
    search.find_next(&mut |_| ControlFlow::Continue(())).unwrap();
    let first = search.candidate().to_string();
    let late = search.split().unwrap();
    let early = search.split().unwrap();
    assert!(early < late);
    let piece = |start: &Position, end: Option<&Position>| {
        let mut piece = open::<Inputs>(Default::default());
        piece.start_at(start).unwrap();
        piece.until(end.unwrap_or(&Position::START));
        let mut all = vec![];
        while piece.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
            all.push(piece.candidate().to_string());
        }
        all
    };
    let mut all = vec![first];
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
        all.push(search.candidate().to_string());
    }
    assert_eq!(search.outcome().stop.to_string(), "stopped at the end of the range");
    all.extend(piece(&early, Some(&late)));
    all.extend(piece(&late, None));
    assert_eq!(all, records(&mut open::<Inputs>(Default::default())));
}

#[test]
fn a_path_leads_back_to_its_combination() {
    for engine in ENGINES {
        let mut search = open::<Sums>(engine);
        let mut other = open::<Sums>(engine);
        let (mut path, mut new) = (vec![], vec![]);
        while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
            let kept = search.changes(&mut new);
            path.truncate(kept);
            path.extend_from_slice(&new);
            assert_eq!(path, search.path());
            other.restore(0, &path).unwrap();
            assert_eq!(other.candidate(), search.candidate());
            assert_eq!(other.reads(), search.reads());
        }
        let error = other.restore(0, &[0, 0, 0, 0]).unwrap_err().to_string();
        assert!(error.contains("no combination of 3 parts"), "{error}");
        assert!(other.start_at(&Position(vec![u32::MAX])).is_err());
    }
}
