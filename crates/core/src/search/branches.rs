//! The tree of paths, one branching at a time: for tools that measure a search before they divide it.

use super::AnySearch;
use crate::depth_first::DepthFirst;
use crate::depth_first::run::Run;
use crate::error::Error;
use crate::invariant::Verdict;

/// A choice that can follow a beginning of a path, and stands for all choices from there to the next branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// The choice.
    pub choice: u32,
    /// How many choices it stands for.
    pub choices: u32,
    /// Whether it leads to one run of the invariant, and to nothing else but the values of that run.
    pub is_run: bool,
    /// Whether it leads to one value.
    pub is_value: bool,
    /// Whether there are more choices behind it.
    pub goes_on: bool,
    /// How many choices the invariant made behind it in that run: branches with about as many are alike.
    pub length: u32,
}

/// The next branching behind a beginning of a path.
///
/// ```
/// # use smallscope_core::{Bounds, Branching, Options, Search};
/// let mut search = Search::<Vec<u8>>::new(&Bounds::scope(3), Options::korat())?;
/// let mut branching = Branching::default();
/// branching.find(&mut search, &[], 8, true)?;
/// assert!(branching.path.is_empty());
/// let lengths: Vec<u32> = branching.branches.iter().map(|branch| branch.choice).collect();
/// assert_eq!(lengths, [0, 1, 2, 3]);
/// assert!(branching.branches[0].is_value && !branching.branches[0].goes_on);
/// assert!(branching.branches[3].goes_on);
/// # Ok::<(), smallscope_core::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Branching {
    /// The given beginning, and the choices behind it that have no alternative.
    pub path: Vec<u32>,
    /// The choices that can follow, in the order of the search. None if there is one candidate.
    pub branches: Vec<Branch>,
    /// Runs of the invariant that this took.
    pub runs: u64,
}

impl Branching {
    /// Finds the first place behind a beginning where several choices are possible, and runs the invariant for each of
    /// them. At most `most` branches are told apart; then each stands for several choices. Below a run of the invariant
    /// that holds, branches are told apart only `with_values`.
    ///
    /// The search has to begin again afterwards, with [`AnySearch::start_at`]. Combinations of disjoint parts have no
    /// branches: there are none.
    #[inline]
    pub fn find(
        &mut self,
        search: &mut AnySearch,
        beginning: &[u32],
        most: u32,
        with_values: bool,
    ) -> Result<(), Error> {
        search.seek()?;
        self.branches.clear();
        self.runs = 0;
        self.path.clear();
        self.path.extend_from_slice(beginning);
        if search.combined.is_some() {
            return Ok(());
        }
        let (depth_first, run) = (&mut search.depth_first, &mut search.run);
        let first = Visit::to(depth_first, run, 0, beginning)?;
        self.runs += u64::from(first.has_run);
        let Some((depth, groups)) = next_choices(depth_first, run, beginning.len(), most.max(1)) else {
            let (is_run, is_value) = (first.has_run, first.is_valid);
            self.branches.push(Branch { choice: 0, choices: 0, is_run, is_value, goes_on: false, length: 0 });
            return Ok(());
        };
        // The steps without an alternative were taken by the first visit.
        self.path.extend_from_slice(&first.path[beginning.len()..depth]);
        let mut new = self.path[beginning.len()..].to_vec();
        new.push(0);
        for group in groups {
            let choice = group.0;
            if choice == first.path[depth] {
                self.branches.push(first.branch(depth, group, with_values));
                continue;
            }
            new.pop();
            new.push(choice);
            let visit = Visit::to(depth_first, run, beginning.len(), &new)?;
            self.runs += u64::from(visit.has_run);
            self.branches.push(visit.branch(depth, group, with_values));
        }
        Ok(())
    }
}

/// What a candidate is, given by the beginning of its path.
struct Visit {
    path: Vec<u32>,
    /// How many steps the invariant has decided; all if it runs on every candidate.
    decided: usize,
    is_valid: bool,
    has_run: bool,
}

impl Visit {
    #[inline]
    fn to(depth_first: &mut DepthFirst, run: &mut Run, kept: usize, new: &[u32]) -> Result<Visit, Error> {
        let number = run.number;
        let verdict = depth_first.follow(kept, new, run)?;
        let path = depth_first.shown().state.borrow().path.iter().map(|step| step.choice).collect();
        let is_accepted = depth_first.set.is_accepted();
        let decided = if is_accepted { depth_first.set.accepted } else { usize::MAX };
        let is_valid = matches!(verdict, Verdict::Valid);
        Ok(Visit { path, decided, is_valid, has_run: run.number != number })
    }

    #[inline]
    fn branch(&self, depth: usize, (choice, choices): (u32, u32), with_values: bool) -> Branch {
        let is_last = self.path.len() <= depth + 1;
        // The choices behind this one do not make the invariant run again.
        let is_decided = is_last || self.decided <= depth + 1;
        Branch {
            choice,
            choices,
            is_run: is_decided && depth < self.decided,
            is_value: is_last && self.is_valid,
            goes_on: !is_last && (with_values || !is_decided),
            length: self.path.len() as u32,
        }
    }
}

/// Closes steps from the end of the path down to a depth. Returns the first depth from there on at which the search has
/// several choices, in at most so many groups: the
/// first choice of each, and how many it has.
#[inline]
fn next_choices(
    depth_first: &mut DepthFirst,
    run: &mut Run,
    from: usize,
    most: u32,
) -> Option<(usize, Vec<(u32, u32)>)> {
    let heap = depth_first.structure.heap;
    depth_first.settle(run);
    depth_first.set.close_keys(heap);
    let mut s = heap.state.borrow_mut();
    let mut found = None;
    while s.path.len() > from {
        let Some(closed) = s.pop() else { break };
        if s.next_choice(&closed, closed.choice + 1).is_none() {
            continue;
        }
        let mut groups = vec![];
        if let Some((low, high)) = s.plain_bounds(&closed) {
            let size = (high - low + 1).div_ceil(most);
            groups
                .extend((low..=high).step_by(size as usize).map(|first| (first, size.min(high - first + 1))));
        } else {
            let mut choices = vec![];
            let mut next = s.next_choice(&closed, 0);
            while let Some(choice) = next {
                choices.push(choice);
                next = s.next_choice(&closed, choice + 1);
            }
            let size = choices.len().div_ceil(most as usize);
            groups.extend(choices.chunks(size).map(|group| (group[0], group.len() as u32)));
        }
        found = Some((s.path.len(), groups));
    }
    found
}
