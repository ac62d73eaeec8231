//! Finds out why a run has called nothing that it is about.

use std::fmt::Write;

use super::Conclusion;
use super::conclusion::plural;
use crate::context::{Context, Kind, Method, Mode, short_name};
use crate::outcome::{Limit, Stop};
use crate::run::Counts;

impl Conclusion {
    /// Returns why nothing was tested, with a line for each method that could not be called; `None` if something was, or
    /// if the campaign [allows](super::Campaign::allow_empty) it.
    ///
    /// Nothing is tested if no call could be made, or if the only calls that could be made are constructors without
    /// a result, or constructors of values that no method can take. A run that was interrupted or that failed, and a
    /// range of a list, are not judged.
    ///
    /// ```
    /// use smallscope_sequences::{Campaign, Context, Pool, Watch, by_mut, fallible, into, nothing, value};
    ///
    /// let context = Context::builder()
    ///     .pool(Pool::<Vec<u8>>::empty(1).named("v").cloned().hashed())
    ///     .pool(Pool::of([0u8]))
    ///     .function("try_new", (value::<u8>(),), fallible(into()), |(n,)| if n > 0 { Ok(vec![n]) } else { Err("empty") })
    ///     .method("push", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), |(v, n)| v.push(n))
    ///     .build()?;
    /// let found = Campaign { length: Some(4), ..Campaign::default() }.run(&context, &Watch::default())?;
    /// let why = found.why_empty(&context).unwrap();
    /// assert!(why.contains("`push` takes `Vec<u8>`, and there was none: `try_new` returned none"), "{why}");
    /// # Ok::<(), smallscope_sequences::Error>(())
    /// ```
    pub fn why_empty(&self, context: &Context) -> Option<String> {
        let is_judged = match self.stop() {
            Stop::Exhausted | Stop::Lossy => true,
            Stop::LimitReached(limit) => limit != Limit::Range,
            Stop::FirstFailure | Stop::Failures | Stop::Interrupted => false,
        };
        if !is_judged || self.campaign().allow_empty || !self.clusters().is_empty() {
            return None;
        }
        why(context, self.counts())
    }
}

/// Why a method could not be called.
enum Obstacle {
    /// There was no value in a pool.
    NoValue { pool: u32 },
    /// A pool has fewer slots than the method needs different values.
    FewSlots { pool: u32, needed: usize },
}

fn why(context: &Context, counts: Counts) -> Option<String> {
    let made = counts.calls - counts.skipped;
    let obstacles: Vec<(&Method, Option<Obstacle>)> =
        context.methods.iter().map(|method| (method, obstacle(context, method, counts))).collect();
    let is_taken = |pool: u32| {
        let blocked = obstacles.iter().filter(|(_, obstacle)| obstacle.is_some());
        blocked.flat_map(|(method, _)| &method.params).any(|param| param.pool == pool)
    };
    let only_constructs =
        |method: &Method| method.kind == Kind::Function && method.result.is_some_and(is_taken);
    let tests_nothing = obstacles.iter().any(|(_, obstacle)| obstacle.is_some())
        && obstacles.iter().all(|(method, obstacle)| obstacle.is_some() || only_constructs(method));
    if counts.calls == 0 || (made > 0 && !tests_nothing) {
        return None;
    }
    let mut out = match made {
        0 => format!("no call could be made: {} {} tried", plural(counts.calls, "call"), were(counts.calls)),
        _ => format!(
            "of {} that {} tried, only {} could be made, to construct values",
            plural(counts.calls, "call"),
            were(counts.calls),
            made
        ),
    };
    for (method, obstacle) in &obstacles {
        if let Some(obstacle) = obstacle {
            let _ = write!(out, "\n  `{}` {}", method.name, in_words(context, obstacle, counts));
        }
    }
    Some(out)
}

fn were(calls: u64) -> &'static str {
    if calls == 1 { "was" } else { "were" }
}

fn obstacle(context: &Context, method: &Method, counts: Counts) -> Option<Obstacle> {
    let pools = method.params.iter().map(|param| param.pool);
    let is_without_value = |pool: &u32| counts.stored == 0 && context.pools[*pool as usize].initial == 0;
    if let Some(pool) = pools.clone().find(is_without_value) {
        return Some(Obstacle::NoValue { pool });
    }
    let needed = |pool| {
        let modes = || method.params.iter().filter(move |param| param.pool == pool).map(|param| param.mode);
        let exclusive = modes().filter(|mode| matches!(mode, Mode::Mut | Mode::Moved)).count();
        exclusive + usize::from(modes().any(|mode| mode == Mode::Ref))
    };
    let mut few = pools.map(|pool| (pool, needed(pool)));
    let (pool, needed) = few.find(|(pool, needed)| *needed > context.pools[*pool as usize].size)?;
    Some(Obstacle::FewSlots { pool, needed })
}

fn in_words(context: &Context, obstacle: &Obstacle, counts: Counts) -> String {
    let type_name = |pool: u32| short_name(context.pools[pool as usize].type_name);
    match *obstacle {
        Obstacle::FewSlots { pool, needed } => {
            let size = plural(context.pools[pool as usize].size as u64, "slot");
            let type_name = type_name(pool);
            format!(
                "needs {needed} different values of `{type_name}`, and the pool has {size}: make it larger"
            )
        }
        Obstacle::NoValue { pool } => {
            let constructors = context.methods.iter().filter(|method| method.result == Some(pool));
            let names: Vec<String> = constructors.map(|method| format!("`{}`", method.name)).collect();
            let ended = match (counts.errors, counts.panics) {
                (0, 0) => String::new(),
                (errors, 0) => format!(" ({errors} times an error)"),
                (0, panics) => format!(" ({panics} times a panic)"),
                (errors, panics) => format!(" ({errors} times an error, {panics} times a panic)"),
            };
            let type_name = type_name(pool);
            let how = match counts.calls - counts.skipped {
                0 => format!("{} was not called", names.join(", ")),
                _ => format!("{} returned none{ended}", names.join(", ")),
            };
            format!("takes `{type_name}`, and there was none: {how}")
        }
    }
}
