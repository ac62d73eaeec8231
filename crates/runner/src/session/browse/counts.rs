//! Numbers of values and candidates by scope, for plots.

use crate::runner::json::Object;
use crate::session::error::Error;
use crate::session::files::Provenance;
use crate::session::subject::Subject;
use smallscope_core::{AnySearch, Found, Stop};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How long all scopes together may take.
const PATIENCE: Duration = Duration::from_millis(1500);
/// How far beyond the scope of the bounds.
const BEYOND: u32 = 4;

/// Counts within each scope from 0 on, and beyond that of the bounds as long as there is time.
pub(super) fn counts(subject: &Subject<'_>, provenance: &Provenance) -> Result<String, Error> {
    let bounds = &provenance.bounds;
    let Some(last) = bounds.scope_number() else {
        return Err(Error::Usage(
            "these bounds are exact: they have no scope number and no size to count by".into(),
        ));
    };
    let end = Instant::now() + PATIENCE;
    let mut rows = vec![];
    let mut is_whole = true;
    for n in 0..=last + BEYOND {
        let bounds = match bounds.size_number() {
            Some(_) => bounds.with_size(n),
            None => bounds.with_plain_scope(n),
        };
        // A scope may be too small for the fields; its values come with a larger one.
        let Ok(mut search) = (Provenance { bounds, ..provenance.clone() }).search(subject) else { continue };
        let start = Instant::now();
        if !count(&mut search, end)? {
            is_whole = n > last;
            break;
        }
        let outcome = search.outcome();
        let mut row = Object::default();
        row.raw("scope", n);
        row.raw("values", outcome.valid);
        row.raw("candidates", outcome.explored);
        row.raw("seconds", format!("{:.6}", start.elapsed().as_secs_f64()));
        rows.push(row.close());
    }
    let mut out = Object::default();
    out.text("number", bounds.number_name());
    out.raw("whole", is_whole);
    out.raw("rows", format!("[{}]", rows.join(",")));
    Ok(out.close())
}

/// Counts all values. False if the time is up before.
fn count(search: &mut AnySearch, end: Instant) -> Result<bool, Error> {
    loop {
        let mut tick = |_: &_| match Instant::now() < end {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(Stop::Interrupted),
        };
        match search.find_next(&mut tick)? {
            Found::Valid if Instant::now() < end => search.count_rest(),
            Found::End => return Ok(true),
            _ => return Ok(false),
        }
    }
}
