//! Explains a search: the fields, the order in which the invariant reads them, and where candidates are rejected.

use crate::forced;
use crate::session::error::Error;
use crate::session::files::Provenance;
use crate::session::observer::Observer;
use crate::session::request::Space;
use crate::session::subject::Subject;
use crate::show::type_text;
#[cfg(feature = "summaries")]
use smallscope_core::groups::{Limits, with_limits};
use smallscope_core::search::SlotDescription;
use smallscope_core::{AnySearch, Engine, Found, Stop};
#[cfg(feature = "summaries")]
use smallscope_core::{Options, Summaries};
use smallscope_support::panics::catch;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::ControlFlow;

/// How many candidates the explanation is based on.
const LOOKED_AT: u64 = 1 << 20;

/// How many runs the explanation of summaries may take.
#[cfg(feature = "summaries")]
const SUMMARY_RUNS: u64 = 100_000;

/// Prints the size of the space.
pub(crate) fn size(subject: &Subject<'_>, space: &Space, observer: &mut dyn Observer) -> Result<(), Error> {
    let provenance = Provenance::new(space)?;
    let search = provenance.search(subject)?;
    let mut out = String::new();
    put_fields(&mut out, &search.describe_slots());
    put_space(&mut out, &search);
    observer.print(&out).map_err(Error::Output)
}

/// Prints what the invariant does with the candidates.
pub(crate) fn explain(
    subject: &Subject<'_>,
    space: &Space,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let mut provenance = Provenance::new(space)?;
    let mut parts = String::new();
    if provenance.disjoint {
        parts = sliced(&mut provenance.search(subject)?)?;
        // What follows is about all reads and rejections, so it needs one search for all parts.
        provenance.disjoint = false;
    }
    let mut search = provenance.search(subject)?;
    let slots = search.describe_slots();
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{} = {}, engine `{}`\n",
        subject.name,
        type_text(search.type_name()),
        provenance.engine
    );
    out.push_str(&parts);
    put_fields(&mut out, &slots);
    put_space(&mut out, &search);
    let seen =
        catch(|| look(&mut search, slots.len(), observer)).map_err(|caught| Error::panic(&caught))??;
    put_reads(&mut out, &mut search, &slots, &seen)?;
    put_ends(&mut out, &slots, &seen);
    out.push_str(&summarised(subject, &provenance)?);
    put_call(&mut out, subject, &provenance);
    observer.print(&out).map_err(Error::Output)
}

/// Describes the disjoint parts with their conjuncts, or why there are none.
fn sliced(search: &mut AnySearch) -> Result<String, Error> {
    let slicing = catch(|| search.slicing()).map_err(|caught| Error::panic(&caught))?;
    let combinations = catch(|| search.combinations()).map_err(|caught| Error::panic(&caught))?;
    Ok(match (slicing, combinations) {
        (Ok(Some(slicing)), Ok(Some(combinations))) => {
            format!("disjoint parts, searched on their own\n{slicing}{combinations} combinations\n\n")
        }
        (Ok(_), _) => String::new(),
        (Err(failure), _) => format!("{}\n\n", failure.kind),
    })
}

/// Says that there are no summaries.
#[cfg(not(feature = "summaries"))]
fn summarised(_: &Subject<'_>, provenance: &Provenance) -> Result<String, Error> {
    Ok(match provenance.engine {
        Engine::Lazy => "\nno summaries of helpers: they need the feature `summaries` of smallscope\n".into(),
        _ => String::new(),
    })
}

/// Says which helpers summaries would be about, or why there are none.
#[cfg(feature = "summaries")]
fn summarised(subject: &Subject<'_>, provenance: &Provenance) -> Result<String, Error> {
    if provenance.engine != Engine::Lazy {
        return Ok(String::new());
    }
    let summaries = match provenance.summaries {
        Summaries::Auto => Summaries::Auto,
        _ => Summaries::On,
    };
    let options = Options { summaries, ..Options::default() };
    let mut search = (subject.open)(&provenance.bounds, options).map_err(Error::Bounds)?;
    let limits = Limits { runs: SUMMARY_RUNS, ..Limits::default() };
    let planned = catch(|| {
        let plan = with_limits(limits, || search.plan(&mut |_| ControlFlow::Continue(())));
        let summaries = plan.ok().flatten().and_then(|plan| plan.summaries());
        summaries.map(|summaries| summaries.map(ToString::to_string).map_err(str::to_owned))
    });
    Ok(match planned.map_err(|caught| Error::panic(&caught))? {
        Some(Ok(report)) => format!("\nwith `summaries = \"{summaries}\"`\n{report}"),
        Some(Err(why)) => format!("\nno summaries of helpers: {why}\n"),
        None => String::new(),
    })
}

/// What a part of the search showed.
struct Seen {
    /// Rejected candidates, by the slot of the last step.
    ends: Vec<Ends>,
    /// Rejected candidates, by the conjunct that was false.
    conjuncts: BTreeMap<&'static str, Ends>,
    /// How many rejected candidates had read the value of each slot of plain data.
    values: Vec<u64>,
    explored: u64,
    valid: u64,
    /// The path of the valid candidate with the most reads.
    longest: Option<Vec<u32>>,
    is_all: bool,
}

/// Rejected candidates.
#[derive(Default, Clone, Copy)]
struct Ends {
    count: u64,
    steps: u64,
}

impl Ends {
    fn add(&mut self, steps: usize) {
        self.count += 1;
        self.steps += steps as u64;
    }

    fn row(&self, name: &str, all: u64) -> String {
        let (share, steps) = (100.0 * self.count as f64 / all as f64, self.steps as f64 / self.count as f64);
        format!("{name:<32} {:>12} {share:>6.1}% {steps:>14.1}\n", self.count)
    }
}

fn look(search: &mut AnySearch, slots: usize, observer: &dyn Observer) -> Result<Seen, Error> {
    let mut seen = Seen {
        ends: vec![Ends::default(); slots],
        conjuncts: BTreeMap::new(),
        values: vec![0; slots],
        explored: 0,
        valid: 0,
        longest: None,
        is_all: false,
    };
    search.take_rejections();
    while seen.explored < LOOKED_AT && !observer.is_stopped() {
        let found = search.find_next(&mut |_| ControlFlow::Break(Stop::Interrupted))?;
        for rejection in search.take_rejections() {
            if let Some(slot) = rejection.slot {
                seen.ends[slot].add(rejection.steps);
            }
            rejection.values.iter().for_each(|&slot| seen.values[slot] += 1);
            if let Some(conjunct) = rejection.conjunct {
                seen.conjuncts.entry(conjunct.text).or_default().add(rejection.steps);
            }
        }
        let outcome = search.outcome();
        (seen.explored, seen.valid) = (outcome.explored, outcome.valid);
        match found {
            Found::Valid => {
                let path = search.path();
                if seen.longest.as_ref().is_none_or(|longest| longest.len() < path.len()) {
                    seen.longest = Some(path);
                }
            }
            Found::End => {
                seen.is_all = outcome.stop == Stop::Exhausted;
                break;
            }
            Found::Paused => {}
        }
    }
    Ok(seen)
}

/// A field with its slots.
struct Field<'a> {
    name: &'a str,
    slots: Vec<usize>,
    example: &'a SlotDescription,
}

fn fields(slots: &[SlotDescription]) -> Vec<Field<'_>> {
    let mut fields: Vec<Field<'_>> = vec![];
    for (i, slot) in slots.iter().enumerate() {
        match fields.iter_mut().find(|f| f.name == slot.field && f.example.argument == slot.argument) {
            Some(field) => field.slots.push(i),
            None => fields.push(Field { name: &slot.field, slots: vec![i], example: slot }),
        }
    }
    fields
}

/// Returns the name of a field, with its argument.
fn full_name(slot: &SlotDescription) -> String {
    match slot.argument {
        Some(argument) => format!("{argument}: {}", slot.field),
        None => slot.field.clone(),
    }
}

fn put_fields(out: &mut String, slots: &[SlotDescription]) {
    let _ = writeln!(out, "{:<32} {:>6} {:>8}  values", "field", "slots", "choices");
    for field in fields(slots) {
        let SlotDescription { choices, domain, .. } = field.example;
        let name = full_name(field.example);
        let _ = writeln!(out, "{name:<32} {:>6} {choices:>8}  {domain}", field.slots.len());
    }
}

fn put_space(out: &mut String, search: &AnySearch) {
    let (slots, bits) = (search.slot_count(), search.space_bits());
    let exact = if bits <= 50.0 { format!(" (about {:.0})", bits.exp2()) } else { String::new() };
    let _ = writeln!(out, "\n{slots} slots, 2^{bits:.2}{exact} candidate vectors");
}

fn put_reads(
    out: &mut String,
    search: &mut AnySearch,
    slots: &[SlotDescription],
    seen: &Seen,
) -> Result<(), Error> {
    let Some(path) = &seen.longest else {
        let _ = writeln!(out, "\nno valid candidate among the first {}", seen.explored);
        return Ok(());
    };
    search.restore(0, path).map_err(Error::Bounds)?;
    let _ =
        writeln!(out, "\nreads on the largest valid candidate among the first {}, in order", seen.explored);
    for (i, read) in search.describe_reads().iter().enumerate() {
        let slot = &slots[read.slot];
        let object = slot.object.as_ref().map(|object| format!(" of {object}")).unwrap_or_default();
        let unread = match (read.by_invariant, read.is_asked) {
            (true, _) => "",
            (false, true) => "   (compared, not read: any value with the same answers will do)",
            (false, false) => "   (not read: any value will do)",
        };
        let _ = writeln!(out, "{:>4}  {}{object} = {}{unread}", i + 1, full_name(slot), read.text);
    }
    Ok(())
}

fn put_ends(out: &mut String, slots: &[SlotDescription], seen: &Seen) {
    let rejected: u64 = seen.ends.iter().map(|ends| ends.count).sum();
    let whole = if seen.is_all { "all" } else { "the first" };
    let _ = writeln!(
        out,
        "\n{whole} {} runs of the invariant: {} valid values, {rejected} candidates rejected\n\nby the field that was read \
         or asked about last",
        seen.explored, seen.valid
    );
    let mut rows: Vec<(String, Ends)> = vec![];
    for field in fields(slots) {
        let of = |part: fn(&Ends) -> u64| field.slots.iter().map(|&i| part(&seen.ends[i])).sum::<u64>();
        rows.push((full_name(field.example), Ends { count: of(|e| e.count), steps: of(|e| e.steps) }));
    }
    put_rows(out, "field", rows, rejected);
    if !seen.conjuncts.is_empty() {
        out.push_str("\nby the conjunct that was false\n");
        let short = |text: &str| text.chars().take(32).collect::<String>();
        let rows = seen.conjuncts.iter().map(|(text, ends)| (short(text), *ends)).collect();
        put_rows(out, "conjunct", rows, rejected);
    }
    put_values(out, slots, seen, rejected);
    out.push_str(
        "\nAn invariant is fast if it rejects after few decisions. Where many candidates end late, test that field or \
         conjunct earlier, or while the others are being read: a size before the shape is complete, an order while \
         walking.\n",
    );
}

/// Names the call that reads by value, if much is read by value.
fn put_call(out: &mut String, subject: &Subject<'_>, provenance: &Provenance) {
    if provenance.engine != Engine::Lazy {
        return;
    }
    if let Some(reason @ forced::Reason::Forced(_)) = forced::find(&|| provenance.search(subject).ok()) {
        let _ = writeln!(out, "\nwhere most is read by value\n{reason}");
    }
}

fn put_rows(out: &mut String, what: &str, mut rows: Vec<(String, Ends)>, rejected: u64) {
    let _ = writeln!(out, "{what:<32} {:>12} {:>7} {:>14}", "rejected", "share", "steps before it");
    rows.retain(|(_, ends)| ends.count > 0);
    rows.sort_by_key(|(_, ends)| std::cmp::Reverse(ends.count));
    rows.iter().for_each(|(name, ends)| out.push_str(&ends.row(name, rejected)));
}

/// Lists the fields of plain data whose value was read, so that the engine had to try each value.
fn put_values(out: &mut String, slots: &[SlotDescription], seen: &Seen, rejected: u64) {
    let mut rows: Vec<(String, u64, u64)> = fields(slots)
        .iter()
        .map(|f| (full_name(f.example), f.slots.iter().map(|&i| seen.values[i]).sum(), f.example.choices))
        .filter(|(_, count, _)| *count > 0)
        .collect();
    if rows.is_empty() {
        return;
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.1));
    out.push_str("\nread by value, so that each value is tried\n");
    let _ = writeln!(out, "{:<32} {:>12} {:>17}", "field", "choices", "times per rejection");
    for (name, count, choices) in &rows {
        let _ = writeln!(out, "{name:<32} {choices:>12} {:>17.1}", *count as f64 / rejected.max(1) as f64);
    }
    out.push_str(
        "Compare such a field where it stands (`self.size == n`, `a.key < b.key`) instead of putting it into a variable \
         or computing with it, or bound it first (`if self.index >= n { return false }`).\n",
    );
}
