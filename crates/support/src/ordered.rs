//! Work in pieces, done by several threads, with results in the order of one thread.
//!
//! [`Pieces`] is a list in the order in which one thread would do the work. A thread that is out of work begins the
//! earliest piece that is not begun. There are two ways to get enough pieces, and both keep the order:
//!
//! * Work of a known size is cut before it is begun: [`Work::cut`] leaves a thread what it takes at a time.
//! * Work whose size is unknown, such as a search, is begun as a whole. Its thread looks at [`Piece::is_wanted`] now and
//!   then, and puts the later part into the list with [`Piece::split`].
//!
//! Results wait in the list until all pieces before theirs are done, so [`Pieces::result`] returns the same results on any
//! number of threads, and everything before them is done. A failure that ends the run is final only if everything before
//! it is done, too: [`Piece::end_here`] drops what follows, and nothing else.
//!
//! The threads are the caller's: each has a state of its own, which need not be `Send`.
//!
//! ```
//! use smallscope_support::ordered::{Numbers, Pieces};
//! use std::task::Poll;
//!
//! let pieces = Pieces::new(usize::MAX);
//! pieces.add(Numbers { range: 0..100, piece: 10 });
//! pieces.seal();
//! let mut sums = vec![];
//! std::thread::scope(|scope| {
//!     for _ in 0..2 {
//!         scope.spawn(|| {
//!             while let Some(piece) = pieces.next(|| {}) {
//!                 let sum: u64 = piece.work.range.clone().sum();
//!                 piece.hand_over(1, sum);
//!             }
//!         });
//!     }
//!     loop {
//!         match pieces.result() {
//!             Poll::Ready(Some(sum)) => sums.push(sum),
//!             Poll::Ready(None) => break,
//!             Poll::Pending => {}
//!         }
//!     }
//! });
//! assert_eq!(sums, [45, 145, 245, 345, 445, 545, 645, 745, 845, 945]);
//! ```

#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;

/// How long a thread waits before it looks around.
const PATIENCE: Duration = Duration::from_millis(50);

/// What a piece consists of.
pub trait Work: Sized {
    /// Shortens the work to what a thread takes at a time. Returns the rest, if there is any, which follows it.
    fn cut(&mut self) -> Option<Self> {
        None
    }
}

/// Consecutive numbers, of which a thread takes so many at a time.
///
/// ```
/// use smallscope_support::ordered::{Numbers, Work};
///
/// let mut numbers = Numbers { range: 0..25, piece: 10 };
/// assert_eq!(numbers.cut(), Some(Numbers { range: 10..25, piece: 10 }));
/// assert_eq!(numbers, Numbers { range: 0..10, piece: 10 });
/// assert_eq!(numbers.cut(), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbers {
    /// The numbers.
    pub range: Range<u64>,
    /// How many a thread takes at a time: at least one.
    pub piece: u64,
}

impl Work for Numbers {
    fn cut(&mut self) -> Option<Numbers> {
        let end = self.range.end.min(self.range.start.saturating_add(self.piece.max(1)));
        let rest = end..std::mem::replace(&mut self.range.end, end);
        (!rest.is_empty()).then_some(Numbers { range: rest, piece: self.piece })
    }
}

/// The pieces of a run that are not done, or whose results are not taken.
#[derive(Debug)]
pub struct Pieces<W, R> {
    list: Mutex<List<W, R>>,
    /// Notified of every change of the list.
    news: Condvar,
    /// Threads that wait for a piece.
    idle: AtomicUsize,
    is_stopped: AtomicBool,
    /// Whether a piece can be moot. Reading it is cheaper than looking at the list.
    has_end: AtomicBool,
    /// The weight of the results that may wait for earlier pieces.
    most_waiting: usize,
}

/// A piece that a thread has begun. It is done when this is dropped.
#[derive(Debug)]
pub struct Piece<'p, W, R> {
    pieces: &'p Pieces<W, R>,
    id: u64,
    /// What is to be done.
    pub work: W,
}

#[derive(Debug)]
struct List<W, R> {
    /// Few: those that threads work on, and those whose results wait for them.
    entries: Vec<Entry<W, R>>,
    /// How many entries there ever were.
    ids: u64,
    /// The weight of the results that are not taken.
    waiting: usize,
    /// Nothing is added any more, except by splitting.
    is_sealed: bool,
}

#[derive(Debug)]
struct Entry<W, R> {
    id: u64,
    state: State<W>,
    /// The results that are not taken, with their weight.
    results: VecDeque<(usize, R)>,
}

#[derive(Debug)]
enum State<W> {
    Open(W),
    Begun,
    /// Begun, but the run ends before it.
    Moot,
    Done,
}

impl<W, R> List<W, R> {
    fn insert(&mut self, at: usize, work: W) {
        let id = self.ids;
        self.ids += 1;
        self.entries.insert(at, Entry { id, state: State::Open(work), results: VecDeque::new() });
    }

    fn index(&self, id: u64) -> Option<usize> {
        self.entries.iter().position(|entry| entry.id == id)
    }

    fn is_in_work(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.state, State::Begun | State::Moot))
    }

    /// Whether no thread will get another piece.
    fn is_over(&self) -> bool {
        self.is_sealed && !self.entries.iter().any(|entry| !matches!(entry.state, State::Done))
    }

    /// Drops all entries from this one on. Those that are begun stay until their threads notice.
    fn cut_off(&mut self, from: usize) {
        let mut at = from;
        while let Some(entry) = self.entries.get_mut(at) {
            for (weight, _) in std::mem::take(&mut entry.results) {
                self.waiting -= weight;
            }
            match entry.state {
                State::Begun | State::Moot => {
                    entry.state = State::Moot;
                    at += 1;
                }
                State::Open(_) | State::Done => drop(self.entries.remove(at)),
            }
        }
    }

    /// Drops what is done and taken.
    fn shorten(&mut self) {
        let mut over = 0;
        for entry in &self.entries {
            if !matches!(entry.state, State::Done) || !entry.results.is_empty() {
                break;
            }
            over += 1;
        }
        if over > 0 {
            self.entries = self.entries.split_off(over);
        }
    }
}

impl<W: Work, R> List<W, R> {
    /// Begins the earliest piece.
    fn begin(&mut self) -> Option<(u64, W)> {
        let at = self.entries.iter().position(|entry| matches!(entry.state, State::Open(_)))?;
        let entry = &mut self.entries[at];
        let State::Open(mut work) = std::mem::replace(&mut entry.state, State::Begun) else { return None };
        let id = entry.id;
        if let Some(rest) = work.cut() {
            self.insert(at + 1, rest);
        }
        Some((id, work))
    }
}

impl<W: Work, R> Pieces<W, R> {
    /// An empty list. A thread that hands over a result waits while the results that wait for earlier pieces weigh more
    /// than this.
    pub fn new(most_waiting: usize) -> Pieces<W, R> {
        let list = List { entries: vec![], ids: 0, waiting: 0, is_sealed: false };
        Pieces {
            list: Mutex::new(list),
            news: Condvar::new(),
            idle: AtomicUsize::new(0),
            is_stopped: AtomicBool::new(false),
            has_end: AtomicBool::new(false),
            most_waiting,
        }
    }

    /// Adds work at the end of the list.
    pub fn add(&self, work: W) {
        let mut list = self.lock();
        let end = list.entries.len();
        list.insert(end, work);
        self.news.notify_all();
    }

    /// Begins the earliest piece that is not begun. Waits for one if there is none, and calls `meanwhile` now and then,
    /// which must not use the list. Returns none if the run was stopped, or if all is done and the list is sealed.
    pub fn next(&self, mut meanwhile: impl FnMut()) -> Option<Piece<'_, W, R>> {
        self.wait_for_piece(&mut meanwhile)
    }

    /// The part of [`Pieces::next`] that is the same for all functions.
    fn wait_for_piece(&self, meanwhile: &mut dyn FnMut()) -> Option<Piece<'_, W, R>> {
        let mut list = self.lock();
        self.idle.fetch_add(1, Ordering::Relaxed);
        let begun = loop {
            if self.is_stopped() || list.is_over() {
                break None;
            }
            if let Some(begun) = list.begin() {
                break Some(begun);
            }
            meanwhile();
            list = self.wait(list);
        };
        self.idle.fetch_sub(1, Ordering::Relaxed);
        begun.map(|(id, work)| Piece { pieces: self, id, work })
    }
}

impl<W, R> Pieces<W, R> {
    /// Says that nothing more is added: threads end when everything is done.
    pub fn seal(&self) {
        self.lock().is_sealed = true;
        self.news.notify_all();
    }

    /// Ends the run: no thread gets another piece, and none waits. Pieces that are begun are not interrupted.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        // A thread that is about to wait holds the list.
        let _list = self.lock();
        self.news.notify_all();
    }

    /// Whether the run was stopped.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Takes the next result in order. It is pending if it does not come soon, and none if the list is empty.
    pub fn result(&self) -> Poll<Option<R>> {
        let mut list = self.lock();
        for is_last in [false, true] {
            list.shorten();
            let Some(front) = list.entries.first_mut() else { return Poll::Ready(None) };
            if let Some((weight, result)) = front.results.pop_front() {
                list.waiting -= weight;
                list.shorten();
                self.news.notify_all();
                return Poll::Ready(Some(result));
            }
            if !is_last {
                list = self.wait(list);
            }
        }
        Poll::Pending
    }

    /// Empties the list. Waits until no thread works on a piece of it.
    pub fn abandon(&self) {
        self.has_end.store(true, Ordering::Relaxed);
        let mut list = self.lock();
        list.cut_off(0);
        self.news.notify_all();
        while list.is_in_work() {
            list = self.wait(list);
        }
        list.shorten();
    }

    /// Returns the results of all pieces that were not taken, in order; none for a piece that was not begun.
    pub fn into_results(self) -> impl Iterator<Item = Vec<R>> {
        let list = self.list.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut pieces = vec![];
        for entry in list.entries {
            let mut results = vec![];
            for (_, result) in entry.results {
                results.push(result);
            }
            pieces.push(results);
        }
        pieces.into_iter()
    }

    fn lock(&self) -> MutexGuard<'_, List<W, R>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, list: MutexGuard<'a, List<W, R>>) -> MutexGuard<'a, List<W, R>> {
        self.news.wait_timeout(list, PATIENCE).unwrap_or_else(PoisonError::into_inner).0
    }
}

impl<W, R> Piece<'_, W, R> {
    /// Whether a thread has nothing to do.
    #[inline]
    pub fn is_wanted(&self) -> bool {
        self.pieces.idle.load(Ordering::Relaxed) > 0
    }

    /// Leaves the later part of the work to another thread.
    pub fn split(&self, later: W) {
        let mut list = self.pieces.lock();
        let Some(at) = list.index(self.id) else { return };
        if matches!(list.entries[at].state, State::Begun) {
            list.insert(at + 1, later);
            self.pieces.news.notify_all();
        }
    }

    /// Hands over a result. Waits if too much waits for earlier pieces.
    pub fn hand_over(&self, weight: usize, result: R) {
        let mut list = self.pieces.lock();
        let Some(at) = list.index(self.id) else { return };
        if matches!(list.entries[at].state, State::Moot) {
            return;
        }
        list.entries[at].results.push_back((weight, result));
        list.waiting += weight;
        self.pieces.news.notify_all();
        let is_front = |list: &List<W, R>| list.entries.first().is_some_and(|entry| entry.id == self.id);
        while list.waiting > self.pieces.most_waiting && !is_front(&list) && !self.pieces.is_stopped() {
            list = self.pieces.wait(list);
        }
    }

    /// Ends the run behind this piece. Earlier pieces are still done; later ones are dropped or become moot.
    pub fn end_here(&self) {
        self.pieces.has_end.store(true, Ordering::Relaxed);
        let mut list = self.pieces.lock();
        if let Some(at) = list.index(self.id) {
            list.cut_off(at + 1);
            self.pieces.news.notify_all();
        }
    }

    /// Whether the run ends before this piece, so that its results are dropped.
    #[inline]
    pub fn is_moot(&self) -> bool {
        self.pieces.has_end.load(Ordering::Relaxed) && self.is_behind_end()
    }

    fn is_behind_end(&self) -> bool {
        let list = self.pieces.lock();
        list.index(self.id).is_none_or(|at| matches!(list.entries[at].state, State::Moot))
    }
}

impl<W, R> Drop for Piece<'_, W, R> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // The piece is not done, and no other thread should wait for it.
            self.pieces.stop();
        }
        let mut list = self.pieces.lock();
        if let Some(at) = list.index(self.id) {
            list.entries[at].state = State::Done;
        }
        list.shorten();
        self.pieces.news.notify_all();
    }
}
