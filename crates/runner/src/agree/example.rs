//! A value in which an invariant and methods do not agree: as text, as a graph, and with what finds it again.

use super::indented;
use crate::runner::replay::{ReplayCandidate, fingerprint};
use crate::show::pretty;
use crate::values::guard_layouts;
use crate::widened::{LARGER, widened};
use smallscope_core::search::Drawing;
use smallscope_core::{Bounded, Bounds, Candidate, Options, Search};
use smallscope_sequences::{Context, Test};
use smallscope_support::panics;
use std::fmt::{self, Debug};

/// A value that calls reach and the invariant rejects, or the other way round.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Example {
    /// The `Debug` text.
    pub text: String,
    /// Why the invariant rejects it, if it does and that is known.
    pub why: Option<String>,
    /// The object graph. None if the value fits neither into the bounds nor into slightly larger ones.
    pub graph: Option<String>,
    /// The calls that lead to it, as Rust. None if none do.
    pub calls: Option<String>,
    /// The value of `SMALLSCOPE_REPLAY` that finds it again: calls, or a candidate.
    pub replay: Option<String>,
    #[cfg(feature = "html")]
    pub(crate) picture: Option<Picture>,
}

/// A drawing, with what builds the value again.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "html"), expect(dead_code, reason = "only pages need it"))]
pub(crate) struct Picture {
    pub drawing: Drawing,
    pub candidate: Candidate,
    pub bounds: Bounds,
    pub type_name: &'static str,
    pub is_valid: bool,
}

/// A value in the search that can draw it.
struct Placed {
    picture: Picture,
    why: Option<String>,
    fingerprint: u64,
}

impl Example {
    /// A value that the invariant rejects, or on which it panics.
    pub(super) fn rejected<T: Bounded + Debug>(value: &T, panic: Option<String>, bounds: &Bounds) -> Example {
        let mut example = Example::new(value, placed(value, bounds));
        if let Some(panic) = panic {
            example.why = Some(format!("the invariant panics: {panic}"));
        }
        example.replay = None;
        example
    }

    /// A value that no call leads to.
    pub(super) fn unreached<T: Bounded + Debug>(value: &T, bounds: &Bounds) -> Example {
        Example::new(value, placed(value, bounds))
    }

    fn new<T: Debug>(value: &T, placed: Option<Placed>) -> Example {
        let text = pretty(value);
        let Some(Placed { picture, why, fingerprint }) = placed else {
            return Example {
                text,
                why: None,
                graph: None,
                calls: None,
                replay: None,
                #[cfg(feature = "html")]
                picture: None,
            };
        };
        let position = ReplayCandidate {
            engine: Options::default().engine,
            scope: picture.bounds.size_number().or(picture.bounds.scope_number()),
            is_size: picture.bounds.size_number().is_some(),
            edges: false,
            within: false,
            fill: None,
            candidate: picture.candidate.clone(),
            fingerprint: Some(fingerprint),
        };
        Example {
            text,
            why,
            graph: Some(picture.drawing.to_string()),
            calls: None,
            replay: Some(position.to_string()),
            #[cfg(feature = "html")]
            picture: Some(picture),
        }
    }

    /// Adds the calls that lead to it.
    pub(super) fn after(&mut self, test: &Test, context: &Context) {
        self.calls = Some(test.to_source(context));
        self.replay = Some(test.to_line(context));
    }
}

/// Finds the candidate of a value within the bounds or slightly larger ones, and draws it.
fn placed<T: Bounded>(value: &T, bounds: &Bounds) -> Option<Placed> {
    let _guard = guard_layouts();
    for larger in 0..=LARGER {
        let bounds = widened(bounds, larger)?;
        let placed = panics::catch(|| {
            let mut search = Search::<T>::new(&bounds, Options::default()).ok()?;
            let candidate = search.candidate_of(value).ok()?;
            let fingerprint = fingerprint(&search, &bounds);
            search.go_to(&candidate).ok()?;
            let drawing = search.drawing();
            let is_valid = search.accepts().ok()?;
            let why = search.failed_conjunct().filter(|_| !is_valid).map(|site| {
                format!("the invariant rejects it, because `{}` in line {} is false", site.text, site.line)
            });
            let type_name = std::any::type_name::<T>();
            let picture = Picture { drawing, candidate, bounds: bounds.clone(), type_name, is_valid };
            Some(Placed { picture, why, fingerprint })
        });
        if let Ok(Some(placed)) = placed {
            return Some(placed);
        }
    }
    None
}

impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&indented(&self.text))?;
        if let Some(why) = &self.why {
            write!(f, "\n{why}\n")?;
        }
        if let Some(graph) = &self.graph {
            write!(f, "\nobject graph:\n{}", indented(graph))?;
        }
        Ok(())
    }
}
