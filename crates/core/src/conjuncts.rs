//! The conjuncts of an invariant, `a && b && c`, as instrumented code runs them.

/// What is known about a conjunct from the source.
#[derive(Debug)]
pub struct ConjunctSite {
    /// Its source text.
    pub text: &'static str,
    /// Where it stands.
    pub line: u32,
    /// It changes nothing that others look at, so it may be left out if it is known to hold, and come earlier or later.
    pub is_pure: bool,
}

/// One evaluation of a conjunction: says which conjunct to evaluate next.
///
/// ```
/// use smallscope_core::conjuncts::{ConjunctSite, Conjuncts};
/// static SITES: &[ConjunctSite] = &[
///     ConjunctSite { text: "1 < 2", line: 1, is_pure: true },
///     ConjunctSite { text: "2 < 3", line: 1, is_pure: true },
/// ];
/// let mut conjuncts = Conjuncts::start(SITES);
/// let holds = loop {
///     let Some(i) = conjuncts.next() else { break true };
///     let holds = match i { 0 => 1 < 2, 1 => 2 < 3, _ => unreachable!() };
///     if !conjuncts.held(i, holds) { break false }
/// };
/// assert!(holds);
/// ```
pub struct Conjuncts {
    sites: &'static [ConjunctSite],
    next: u32,
}

impl Conjuncts {
    /// Begins with an evaluation.
    #[inline(always)]
    pub fn start(sites: &'static [ConjunctSite]) -> Self {
        Conjuncts { sites, next: 0 }
    }

    /// The number of the conjunct to evaluate next; none if all hold.
    #[expect(clippy::should_implement_trait, reason = "called in a loop of generated code, which steers it")]
    #[inline(always)]
    pub fn next(&mut self) -> Option<u32> {
        let next = self.next;
        self.next += 1;
        ((next as usize) < self.sites.len()).then_some(next)
    }

    /// Notes whether a conjunct holds, and says so again.
    #[inline(always)]
    pub fn held(&mut self, i: u32, holds: bool) -> bool {
        let _ = i;
        holds
    }
}
