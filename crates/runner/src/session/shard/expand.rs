//! Finds the branches of many nodes of a search, on several threads. The result does not depend on their number.

use crate::session::error::Error;
use smallscope_core::{AnySearch, Branching};
use smallscope_support::panics::catch;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;

/// Nodes that a thread takes at once.
const CHUNK: usize = 32;

/// Lays out the search of a pass again, on another thread.
pub(crate) type LayOutAgain<'a> = dyn Fn(usize) -> Result<AnySearch, Error> + Sync + 'a;

/// Finds branches, on the threads that it has.
pub(super) struct Expander<'a> {
    /// Whether branches are told apart also where the invariant holds.
    pub with_values: bool,
    /// The pass whose search is expanded.
    pub pass: usize,
    workers: Vec<Sender<Arc<Level>>>,
    results: Option<Receiver<Done>>,
    is_stopped: &'a AtomicBool,
}

/// Nodes to expand.
struct Level {
    pass: usize,
    paths: Vec<Vec<u32>>,
    most: u32,
    with_values: bool,
    /// The first node that no thread has taken.
    next: AtomicUsize,
}

/// The number of a chunk, and the branches of its nodes.
type Done = (usize, Result<Vec<Branching>, Error>);

impl<'a> Expander<'a> {
    /// Starts threads, if there is more than one. They end when this is dropped.
    pub fn new<'s>(
        scope: &'s Scope<'s, '_>,
        threads: usize,
        again: &'s LayOutAgain<'s>,
        with_values: bool,
        is_stopped: &'a AtomicBool,
    ) -> Expander<'a>
    where
        'a: 's,
    {
        let mut workers = vec![];
        let (sender, results) = channel();
        for _ in 0..if threads > 1 { threads } else { 0 } {
            let (levels, waiting) = channel();
            let sender = sender.clone();
            scope.spawn(move || work(&waiting, &sender, again, is_stopped));
            workers.push(levels);
        }
        let results = (!workers.is_empty()).then_some(results);
        Expander { with_values, pass: 0, workers, results, is_stopped }
    }

    /// Passes the branches of each node to a function, in order. Returns false if it was stopped.
    pub fn expand(
        &mut self,
        search: &mut AnySearch,
        paths: Vec<Vec<u32>>,
        most: u32,
        is_stopped: &dyn Fn() -> bool,
        take: &mut dyn FnMut(&Branching),
    ) -> Result<bool, Error> {
        let results = match &self.results {
            Some(results) if paths.len() > 2 * CHUNK => results,
            _ => {
                let mut branching = Branching::default();
                for path in &paths {
                    if is_stopped() {
                        return Ok(false);
                    }
                    branching.find(search, path, most, self.with_values).map_err(Error::Bounds)?;
                    take(&branching);
                }
                return Ok(true);
            }
        };
        let chunks = paths.len().div_ceil(CHUNK);
        let next = AtomicUsize::new(0);
        let level = Arc::new(Level { pass: self.pass, paths, most, with_values: self.with_values, next });
        for worker in &self.workers {
            let _ = worker.send(level.clone());
        }
        let mut found: Vec<Option<Vec<Branching>>> = vec![];
        found.resize_with(chunks, || None);
        for _ in 0..chunks {
            if is_stopped() {
                self.is_stopped.store(true, Ordering::Relaxed);
                return Ok(false);
            }
            let Ok((chunk, branchings)) = results.recv() else { return Ok(false) };
            match branchings {
                Ok(branchings) => found[chunk] = Some(branchings),
                Err(error) => {
                    self.is_stopped.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        found.iter().flatten().flatten().for_each(take);
        Ok(true)
    }
}

/// Expands nodes until there are no more levels.
fn work(
    levels: &Receiver<Arc<Level>>,
    done: &Sender<Done>,
    again: &LayOutAgain<'_>,
    is_stopped: &AtomicBool,
) {
    let mut search: Option<(usize, AnySearch)> = None;
    while let Ok(level) = levels.recv() {
        loop {
            let start = level.next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= level.paths.len() || is_stopped.load(Ordering::Relaxed) {
                break;
            }
            let end = level.paths.len().min(start + CHUNK);
            let expanded = catch(|| {
                if search.as_ref().is_none_or(|(pass, _)| *pass != level.pass) {
                    search = Some((level.pass, again(level.pass)?));
                }
                let Some((_, search)) = &mut search else { return Ok(vec![]) };
                let branches = |path: &Vec<u32>| {
                    let mut branching = Branching::default();
                    branching.find(search, path, level.most, level.with_values).map_err(Error::Bounds)?;
                    Ok(branching)
                };
                level.paths[start..end].iter().map(branches).collect()
            });
            let expanded = expanded.unwrap_or_else(|caught| Err(Error::panic(&caught)));
            if done.send((start / CHUNK, expanded)).is_err() {
                return;
            }
        }
    }
}
