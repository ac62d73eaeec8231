//! Finds the branches of many nodes of a search, on several threads. The result does not depend on their number.

use crate::session::error::Error;
use smallscope_core::{AnySearch, Branching};
use smallscope_support::ordered::{Numbers, Pieces, Work};
use smallscope_support::panics::catch;
use std::sync::Arc;
use std::task::Poll;
use std::thread::Scope;

/// Nodes that a thread takes at a time.
const CHUNK: u64 = 32;

/// Lays out the search of a pass again, on another thread.
pub(crate) type LayOutAgain<'a> = dyn Fn(usize) -> Result<AnySearch, Error> + Sync + 'a;

/// What threads do: chunks of nodes, and their branches.
pub(super) type Chunks = Pieces<Chunk, Result<Vec<Branching>, Error>>;

/// Finds branches, on the threads that it has. They end when this is dropped.
pub(super) struct Expander<'a> {
    /// Whether branches are told apart also where the invariant holds.
    pub with_values: bool,
    /// The pass whose search is expanded.
    pub pass: usize,
    chunks: &'a Chunks,
    has_threads: bool,
}

/// Some nodes of a level.
pub(super) struct Chunk {
    level: Arc<Level>,
    nodes: Numbers,
}

/// Nodes to expand.
struct Level {
    pass: usize,
    paths: Vec<Vec<u32>>,
    most: u32,
    with_values: bool,
}

impl Work for Chunk {
    fn cut(&mut self) -> Option<Chunk> {
        let nodes = self.nodes.cut()?;
        Some(Chunk { level: self.level.clone(), nodes })
    }
}

impl<'a> Expander<'a> {
    /// Starts threads, if there is more than one.
    pub fn new<'s>(
        scope: &'s Scope<'s, '_>,
        threads: usize,
        again: &'s LayOutAgain<'s>,
        with_values: bool,
        chunks: &'a Chunks,
    ) -> Expander<'a>
    where
        'a: 's,
    {
        let has_threads = threads > 1;
        if has_threads {
            for _ in 0..threads {
                scope.spawn(move || work(chunks, again));
            }
        }
        Expander { with_values, pass: 0, chunks, has_threads }
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
        let count = paths.len() as u64;
        if !self.has_threads || count <= 2 * CHUNK {
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
        let level = Arc::new(Level { pass: self.pass, paths, most, with_values: self.with_values });
        self.chunks.add(Chunk { level, nodes: Numbers { range: 0..count, piece: CHUNK } });
        loop {
            match self.chunks.result() {
                Poll::Ready(None) => return Ok(true),
                Poll::Ready(Some(branchings)) => branchings?.iter().for_each(&mut *take),
                Poll::Pending => {}
            }
            if is_stopped() {
                return Ok(false);
            }
        }
    }
}

impl Drop for Expander<'_> {
    fn drop(&mut self) {
        self.chunks.stop();
    }
}

/// Expands nodes until there are no more.
fn work(chunks: &Chunks, again: &LayOutAgain<'_>) {
    let mut search: Option<(usize, AnySearch)> = None;
    while let Some(chunk) = chunks.next(|| {}) {
        let Chunk { level, nodes } = &chunk.work;
        let expanded = catch(|| {
            if search.as_ref().is_none_or(|(pass, _)| *pass != level.pass) {
                search = Some((level.pass, again(level.pass)?));
            }
            let Some((_, search)) = &mut search else { return Ok(vec![]) };
            let branches = |node: u64| {
                let mut branching = Branching::default();
                let path = &level.paths[node as usize];
                branching.find(search, path, level.most, level.with_values).map_err(Error::Bounds)?;
                Ok(branching)
            };
            nodes.range.clone().map(branches).collect()
        });
        chunk.hand_over(0, expanded.unwrap_or_else(|caught| Err(Error::panic(&caught))));
    }
}
