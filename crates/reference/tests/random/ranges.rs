//! Searches in pieces: stopped and begun again, split into ranges, restored from saved paths. Put together they are
//! the whole, in order.

use crate::rng::Rng;
use smallscope::{Bounded, Bounds, Engine, Found, Limit, Options, Outcome, Position, Search, Stop};
use std::ops::{AddAssign, ControlFlow};

/// How much was tried.
#[derive(Debug, Default)]
pub struct Pieces {
    pub resumed: u32,
    pub split: u32,
    pub values: u64,
    pub damaged: u32,
}

impl AddAssign for Pieces {
    fn add_assign(&mut self, other: Pieces) {
        self.resumed += other.resumed;
        self.split += other.split;
        self.values += other.values;
        self.damaged += other.damaged;
    }
}

/// The paths of values, and how many candidates were looked at.
type Delivered = (Vec<Vec<u32>>, u64);

fn go_on(_: &Outcome) -> ControlFlow<Stop> {
    ControlFlow::Continue(())
}

/// Searches the space whole and in random pieces.
pub fn ranges<T: Bounded>(bounds: &Bounds, rng: &mut Rng) -> Pieces {
    let mut pieces = Pieces::default();
    for engine in [Engine::Owned, Engine::Korat] {
        let new = || Search::<T>::new(bounds, Options { engine, recheck_every: 0, ..Options::default() });
        let Ok(mut search) = new() else { continue };
        let (mut paths, mut restored) = (vec![], new().expect("as before"));
        let (mut new_choices, mut path) = (vec![], Vec::<u32>::new());
        while let Ok(Found::Valid) = search.find_next(&mut go_on) {
            paths.push(search.path());
            let kept = search.changes(&mut new_choices);
            path.truncate(kept);
            path.extend(&new_choices);
            assert_eq!(path, search.path(), "changes are enough");
            restored.restore(kept, &new_choices).expect("a valid candidate can be restored");
            assert_eq!(
                (restored.candidate(), restored.reads()),
                (search.candidate(), search.reads()),
                "a path means one candidate"
            );
        }
        let whole = (paths, search.outcome().explored);
        pieces.values += whole.0.len() as u64;
        for _ in 0..2 {
            let mut search = new().expect("as before");
            let put_together = in_pieces(&mut search, &new, rng, &mut pieces);
            assert!(put_together == whole, "pieces are not the whole with {engine}");
        }
        for path in whole.0.iter().take(10) {
            pieces.damaged += u32::from(is_refused(&mut restored, path, rng));
        }
    }
    pieces
}

/// Searches to the end, now and then splitting the rest off, or leaving it to a new search.
fn in_pieces<T: Bounded>(
    search: &mut Search<T>,
    new: &dyn Fn() -> Result<Search<T>, smallscope::Error>,
    rng: &mut Rng,
    pieces: &mut Pieces,
) -> Delivered {
    let mut paths = vec![];
    let mut later = None;
    while let Ok(Found::Valid) = search.find_next(&mut go_on) {
        paths.push(search.path());
        if rng.chance(20) && pieces.split + pieces.resumed < 40 {
            if rng.chance(50) && later.is_none() {
                later = search.split();
                pieces.split += u32::from(later.is_some());
            } else if later.is_none() {
                pieces.resumed += 1;
                let mut rest = new().expect("as before");
                match search.position().filter(|_| rng.chance(50)) {
                    Some(position) => rest.start_at(&position).expect("positions can be begun at"),
                    None => rest.start_after(&search.path()).expect("candidates can be gone on from"),
                }
                let (found, explored) = in_pieces(&mut rest, new, rng, pieces);
                paths.extend(found);
                return (paths, search.outcome().explored + explored);
            }
        }
    }
    let mut explored = search.outcome().explored;
    if let Some(position) = later {
        assert_eq!(search.outcome().stop, Stop::LimitReached(Limit::Position));
        let mut rest = new().expect("as before");
        rest.start_at(&position).expect("cuts can be begun at");
        let (found, more) = in_pieces(&mut rest, new, rng, pieces);
        paths.extend(found);
        explored += more;
    }
    (paths, explored)
}

/// Whatever a file contains: beginning there is an error, or leads to that very place.
fn is_refused<T: Bounded>(search: &mut Search<T>, path: &[u32], rng: &mut Rng) -> bool {
    let mut path = path.to_vec();
    let place = rng.below(path.len() as u64) as usize;
    match rng.below(4) {
        0 => path.truncate(place),
        1 => path.push(rng.below(3) as u32),
        2 => path.iter_mut().skip(place).take(1).for_each(|c| *c = u32::MAX - rng.below(3) as u32),
        _ => path.iter_mut().skip(place).take(1).for_each(|c| *c = rng.below(4) as u32),
    }
    let is_refused = search.restore(0, &path).is_err();
    assert!(is_refused || search.path() == path);
    if search.start_at(&Position(path.clone())).is_ok() {
        assert!(path.starts_with(&search.path()));
    }
    is_refused
}
