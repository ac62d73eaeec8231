use super::*;

/// Numbers that are cut into pieces of three.
fn threes(range: Range<u64>) -> Numbers {
    Numbers { range, piece: 3 }
}

/// Numbers that are split when a thread is idle.
struct Undivided(Range<u64>);

impl Work for Undivided {}

fn all_results<W, R>(pieces: &Pieces<W, R>) -> Vec<R> {
    let mut results = vec![];
    loop {
        match pieces.result() {
            Poll::Ready(Some(result)) => results.push(result),
            Poll::Ready(None) => return results,
            Poll::Pending => {}
        }
    }
}

fn sealed<W: Work, R>(most_waiting: usize, work: W) -> Pieces<W, R> {
    let pieces = Pieces::new(most_waiting);
    pieces.add(work);
    pieces.seal();
    pieces
}

#[test]
fn results_of_cut_work_are_in_order() {
    for threads in 1..4 {
        let pieces = sealed(2, threes(0..100));
        let work = || {
            while let Some(piece) = pieces.next(|| {}) {
                piece.work.range.clone().for_each(|n| piece.hand_over(1, n));
            }
        };
        let results = std::thread::scope(|scope| {
            (0..threads).for_each(|_| drop(scope.spawn(work)));
            all_results(&pieces)
        });
        assert!(results.into_iter().eq(0..100), "{threads}");
    }
}

#[test]
fn results_of_split_work_are_in_order() {
    let pieces = sealed(usize::MAX, Undivided(0..2000));
    let work = || {
        while let Some(mut piece) = pieces.next(|| {}) {
            while let Some(n) = piece.work.0.next() {
                piece.hand_over(1, n);
                let middle = piece.work.0.start.midpoint(piece.work.0.end);
                if piece.is_wanted() && middle > piece.work.0.start {
                    let later = middle..std::mem::replace(&mut piece.work.0.end, middle);
                    piece.split(Undivided(later));
                }
            }
        }
    };
    std::thread::scope(|scope| (0..3).for_each(|_| drop(scope.spawn(work))));
    assert!(pieces.into_results().flatten().eq(0..2000));
}

#[test]
fn what_follows_the_end_is_dropped_and_what_precedes_it_is_not() {
    let pieces = sealed(usize::MAX, threes(0..12));
    let [first, second, third] = std::array::from_fn(|_| pieces.next(|| {}).unwrap());
    third.hand_over(1, 6);
    second.hand_over(1, 3);
    assert!(!third.is_moot());
    second.end_here();
    assert!(third.is_moot() && !second.is_moot() && !first.is_moot());
    third.hand_over(1, 7);
    third.split(threes(8..9));
    first.hand_over(1, 0);
    drop((second, third));
    drop(first);
    assert!(pieces.next(|| {}).is_none());
    assert_eq!(all_results(&pieces), [0, 3]);
}

#[test]
fn a_list_that_is_not_sealed_can_be_filled_again() {
    let pieces = Pieces::<Numbers, u64>::new(usize::MAX);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while let Some(piece) = pieces.next(|| {}) {
                piece.hand_over(1, piece.work.range.start);
            }
        });
        for round in [0, 100] {
            pieces.add(threes(round..round + 7));
            assert_eq!(all_results(&pieces), [round, round + 3, round + 6]);
        }
        pieces.add(threes(0..1_000_000));
        assert_eq!(pieces.result(), Poll::Ready(Some(0)));
        pieces.abandon();
        assert_eq!(pieces.result(), Poll::Ready(None));
        pieces.seal();
    });
}

#[test]
fn a_panic_leaves_no_thread_waiting() {
    let pieces = sealed::<_, ()>(usize::MAX, threes(0..6));
    let first = pieces.next(|| {}).unwrap();
    std::thread::scope(|scope| {
        let failing = scope.spawn(|| {
            let _second = pieces.next(|| {}).unwrap();
            std::panic::resume_unwind(Box::new("while it works"));
        });
        let waiting = scope.spawn(|| {
            while !pieces.is_stopped() {
                std::thread::yield_now();
            }
            pieces.next(|| {}).is_none()
        });
        assert!(failing.join().is_err());
        assert!(waiting.join().unwrap());
    });
    drop(first);
}
