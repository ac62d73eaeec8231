//! Values that a test notes while it runs: what the value is after a call.
//!
//! A note is the candidate of the value, which costs little. If the test fails, the notes of its last run are drawn, and the
//! invariant is run on them.

use crate::forms::Snippet;
use crate::runner::plan::Plan;
use crate::widened::{LARGER, widened};
use smallscope_core::search::Drawing;
use smallscope_core::{AnySearch, Bounded, Bounds, Candidate, Options, Search};
use smallscope_support::panics;
use std::any::Any;
use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

/// The scope on threads that do not know the bounds of the test.
const SCOPE: u32 = 3;
/// How many notes of a run are kept.
const MOST: usize = 8;

/// The notes of a run that failed.
pub(in crate::runner) type Noted = Vec<Note>;

/// A value that was noted.
pub(in crate::runner) struct Note {
    pub caption: String,
    /// None if the value does not fit into the bounds.
    pub drawn: Option<Drawn>,
    /// What is wrong with it, as a sentence; empty if its invariant holds.
    pub broken: String,
}

/// A drawing, with what builds the value again.
pub(in crate::runner) struct Drawn {
    pub drawing: Drawing,
    pub candidate: Candidate,
    pub rust: String,
}

/// Whether some test of this process writes pages.
static IS_WANTED: AtomicBool = AtomicBool::new(false);

thread_local! {
    static NOTES: RefCell<Notes> = RefCell::default();
}

#[derive(Default)]
struct Notes {
    bounds: Option<Bounds>,
    /// The notes of the current run, with their captions.
    current: Vec<(String, Found)>,
    searches: Vec<Drawer>,
}

/// The number of the search that can draw a value, with its candidate; or why none can.
type Found = Result<(usize, Candidate), String>;

/// A search that draws values of a type.
struct Drawer {
    bounds: Bounds,
    search: Box<dyn Any>,
    any: fn(&mut dyn Any) -> Option<&mut AnySearch>,
}

fn any_of<T: Bounded>(search: &mut dyn Any) -> Option<&mut AnySearch> {
    search.downcast_mut::<Search<T>>().map(|search| &mut **search)
}

/// Begins a test.
pub(crate) fn prepare(plan: &Plan) {
    if plan.settings.html == Some(true) {
        IS_WANTED.store(true, Ordering::Relaxed);
        let bounds = Some(plan.bounds.clone());
        NOTES.with_borrow_mut(|notes| *notes = Notes { bounds, ..Notes::default() });
    }
}

/// Begins a run of the test.
pub(in crate::runner) fn forget() {
    if IS_WANTED.load(Ordering::Relaxed) {
        NOTES.with_borrow_mut(|notes| notes.current.clear());
    }
}

/// Returns the notes of the last run, drawn.
pub(in crate::runner) fn noted() -> Noted {
    if !IS_WANTED.load(Ordering::Relaxed) {
        return vec![];
    }
    NOTES.with_borrow_mut(|notes| {
        let current = std::mem::take(&mut notes.current);
        current.into_iter().map(|(caption, value)| notes.draw(caption, value)).collect()
    })
}

/// Notes a value for the page of a failing test: what it is after a call, for example. The page shows the values before and
/// after side by side, and which part of the invariant does not hold any more. Only tests whose pages are written
/// (`SMALLSCOPE_HTML=1`) do anything here. A value that does not fit into the bounds, or slightly larger ones, is not drawn.
pub fn snapshot<T: Bounded>(caption: &str, value: &T) {
    if !IS_WANTED.load(Ordering::Relaxed) {
        return;
    }
    NOTES.with_borrow_mut(|notes| {
        if notes.current.len() < MOST {
            let found = panics::catch(|| notes.find(value)).unwrap_or_else(|panic| Err(panic.message));
            notes.current.push((caption.to_owned(), found));
        }
    });
}

impl Notes {
    /// Finds the candidate of a value, within the bounds of the test or larger ones.
    fn find<T: Bounded>(&mut self, value: &T) -> Found {
        let mut why = "no bounds fit".to_owned();
        for larger in 0..=LARGER {
            let known =
                self.searches.iter().enumerate().filter(|(_, drawer)| drawer.search.is::<Search<T>>());
            let at = match known.map(|(at, _)| at).nth(larger as usize) {
                Some(at) => at,
                None => match self.lay_out::<T>(larger) {
                    Ok((bounds, search)) => {
                        self.searches.push(Drawer { bounds, search: Box::new(search), any: any_of::<T> });
                        self.searches.len() - 1
                    }
                    Err(error) => {
                        why = error;
                        break;
                    }
                },
            };
            let Some(search) = self.searches[at].search.downcast_mut::<Search<T>>() else { continue };
            match search.candidate_of(value) {
                Ok(candidate) => return Ok((at, candidate)),
                Err(error) => why = error.to_string(),
            }
        }
        Err(why)
    }

    fn lay_out<T: Bounded>(&self, larger: u32) -> Result<(Bounds, Search<T>), String> {
        let own = self.bounds.as_ref().and_then(|own| widened(own, larger));
        let bounds = own.unwrap_or_else(|| Bounds::scope(SCOPE + larger));
        let search = Search::<T>::new(&bounds, Options::default()).map_err(|error| error.to_string())?;
        Ok((bounds, search))
    }

    /// Draws a value, and says whether its invariant holds.
    fn draw(&mut self, caption: String, value: Found) -> Note {
        let unknown = |caption: String, why: &str| {
            let broken = format!("The value noted as \"{caption}\" cannot be drawn: {why}.");
            Note { caption, drawn: None, broken }
        };
        let (at, candidate) = match value {
            Ok(found) => found,
            Err(why) => return unknown(caption, &why),
        };
        let Drawer { bounds, search, any } = &mut self.searches[at];
        let Some(search) = any(&mut **search) else { return unknown(caption, "its type is unknown") };
        let drawn = panics::catch(|| {
            search.go_to(&candidate).map_err(|error| error.to_string())?;
            let drawing = search.drawing();
            let holds = search.accepts().map_err(|failure| failure.to_string())?;
            let conjunct = search.failed_conjunct().filter(|_| !holds);
            Ok::<_, String>((drawing, holds, conjunct))
        });
        match drawn {
            Ok(Ok((drawing, holds, conjunct))) => {
                let broken = match (holds, conjunct) {
                    (true, _) => String::new(),
                    (false, Some(site)) => format!(
                        "{caption}: the invariant is broken, because `{}` in line {} is false.",
                        site.text, site.line
                    ),
                    (false, None) => format!("{caption}: the invariant is broken."),
                };
                let rust = Snippet {
                    bounds: Cow::Borrowed(bounds),
                    within: None,
                    engine: Options::default().engine,
                    type_name: search.type_name(),
                    candidate: &candidate,
                    is_valid: holds,
                };
                let rust = rust.rust(&format!("The value noted as \"{caption}\"."));
                Note { caption, drawn: Some(Drawn { drawing, candidate, rust }), broken }
            }
            Ok(Err(why)) => unknown(caption, &why),
            Err(panic) => unknown(caption, &panic.message),
        }
    }
}
