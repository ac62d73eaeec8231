//! Planning a search with several threads: they search disjoint parts at the same time.

use smallscope_core::{AnySearch, Failure, Outcome, Plan, Stop};
use smallscope_support::panics;
use std::any::TypeId;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A plan that takes no longer stays on its thread.
const PATIENCE: Duration = Duration::from_millis(20);

/// How long to wait between two looks at the parts that other threads search.
const PAUSE: Duration = Duration::from_millis(1);

/// What a plan depends on: the type of the values, and the bounds and options as text.
pub(crate) type Key = (TypeId, String);

/// Plans of this process without parts. Tests on the same structure within the same bounds plan once.
static PLANS: Mutex<Vec<(Key, Plan)>> = Mutex::new(vec![]);

/// The same as [`plan`], for a test: a plan that another test has made is adopted.
pub(crate) fn plan_once(
    key: Key,
    search: &mut AnySearch,
    threads: usize,
    is_over: &mut dyn FnMut() -> bool,
) -> Result<(), Failure> {
    let plans = || PLANS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = plans().iter().find(|(of, _)| *of == key).map(|(_, plan)| plan.clone());
    if let Some(known) = known {
        search.adopt(&known);
        return Ok(());
    }
    if let Some(new) = plan(search, threads, is_over)?.filter(|plan| !plan.has_parts()) {
        plans().push((key, new));
    }
    Ok(())
}

/// Plans a search, unless that is done. Threads help with disjoint parts if it takes long. Returns the plan, for other
/// searches to adopt; none if `is_over` said to stop.
pub(crate) fn plan(
    search: &mut AnySearch,
    threads: usize,
    is_over: &mut dyn FnMut() -> bool,
) -> Result<Option<Plan>, Failure> {
    let begin = Instant::now();
    let mut is_due = || is_over() || threads > 1 && begin.elapsed() >= PATIENCE;
    if let Some(plan) = search.plan(&mut |_| break_if(is_due()))? {
        return Ok(Some(plan.clone()));
    }
    let Some(gathering) = search.gathering() else { return Ok(None) };
    let helpers = threads.min(gathering.parts()).saturating_sub(1);
    let has_ended = AtomicBool::new(false);
    let help = || {
        let mut tick = |_: &Outcome| break_if(has_ended.load(Ordering::Relaxed));
        // If this thread gives a part up, another one takes it.
        let _ = panics::catch(|| gathering.help(&mut tick));
    };
    let mut planned = Ok(None);
    let mut helping: Vec<Helper<'_>> = vec![];
    for _ in 0..helpers {
        helping.push(Box::new(help));
    }
    let here = Box::new(|| {
        planned = loop {
            match search.plan(&mut |_| break_if(is_over())) {
                // Other threads search the rest.
                Ok(None) if !is_over() => std::thread::sleep(PAUSE),
                planned => break planned.map(Option::<&Plan>::cloned),
            }
        };
        has_ended.store(true, Ordering::Relaxed);
    });
    with_helpers(helping, here);
    planned
}

/// The work of another thread.
pub(crate) type Helper<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Runs each helper on a thread of its own, and a function on this one, until all have ended.
pub(crate) fn with_helpers(helpers: Vec<Helper<'_>>, here: Box<dyn FnOnce() + '_>) {
    std::thread::scope(|scope| {
        for helper in helpers {
            scope.spawn(helper);
        }
        here();
    });
}

fn break_if(stops: bool) -> ControlFlow<Stop> {
    if stops { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallscope_core::values::Product;
    use smallscope_core::{Bounds, Disjoint, Engine, Options, Search};

    type Lists = Product<(Vec<u8>, Vec<bool>, Option<Box<u8>>)>;

    fn search(scope: u32) -> AnySearch {
        let options = Options { engine: Engine::Owned, disjoint: Disjoint::On, ..Options::default() };
        Search::<Lists>::new(&Bounds::scope(scope), options).unwrap().into_any()
    }

    #[test]
    fn threads_find_the_same_parts_as_one() {
        let (mut alone, mut helped) = (search(7), search(7));
        plan(&mut alone, 1, &mut || false).unwrap().unwrap();
        let plan = plan(&mut helped, 3, &mut || false).unwrap().unwrap();
        let mut adopting = search(7);
        adopting.adopt(&plan);
        let combinations = alone.combinations().unwrap();
        assert!(combinations.is_some());
        assert_eq!(helped.combinations().unwrap(), combinations);
        assert_eq!(adopting.combinations().unwrap(), combinations);
        assert_eq!((helped.reads(), adopting.reads()), (alone.reads(), alone.reads()));
    }

    #[test]
    fn a_plan_without_parts_is_made_once() {
        let new = || Search::<Vec<u8>>::new(&Bounds::scope(2), Options::default()).unwrap().into_any();
        let key = || (TypeId::of::<Vec<u8>>(), "once".to_owned());
        plan_once(key(), &mut new(), 1, &mut || false).unwrap();
        assert!(PLANS.lock().unwrap().iter().any(|(of, _)| *of == key()));
        // The second search adopts the plan.
        let mut second = new();
        plan_once(key(), &mut second, 1, &mut || panic!("nothing is planned")).unwrap();
        assert!(second.plan(&mut |_| panic!("nothing is planned")).unwrap().is_some());
        let mut parts = search(2);
        plan_once((TypeId::of::<Lists>(), "parts".to_owned()), &mut parts, 1, &mut || false).unwrap();
        assert!(!PLANS.lock().unwrap().iter().any(|((_, text), _)| text == "parts"));
    }

    #[test]
    fn a_plan_stops_when_it_is_told_to() {
        for threads in [1, 3] {
            let mut search = search(9);
            assert!(plan(&mut search, threads, &mut || true).unwrap().is_none());
            assert!(search.gathering().is_some(), "the parts are not found");
        }
    }
}
