//! Threads share the values of one run of the invariant.

use crate::{Case, Listener, With, folder};
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, Stop, rep_ok};
use smallscope_runner::session::{Request, Run, Subject, perform};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Runs of the invariant, on the mirror.
static RUNS: AtomicU64 = AtomicU64::new(0);

fn is_counted() -> bool {
    RUNS.fetch_add(1, Ordering::Relaxed);
    true
}

/// The invariant reads nothing, so one run of it stands for all values.
#[derive(Bounded)]
struct Digits {
    digits: [u8; 5],
}

#[rep_ok]
impl Digits {
    fn rep_ok(&self) -> bool {
        is_counted()
    }
}

#[test]
fn threads_split_the_values_of_one_run_of_the_invariant() {
    let folder = folder("leaves");
    let case = Case::new("sorted-list", &[1, 1, 1, 1]);
    let run = |threads: usize| {
        // The run itself also lays out a search. The threads wait for each other, so that none is done before.
        let (laid_out, all) = (AtomicUsize::new(0), Barrier::new(threads));
        let open = |bounds: &Bounds, options: Options| {
            let search = Search::<Digits>::new(bounds, options)?.into_any();
            if threads > 1 && laid_out.fetch_add(1, Ordering::Relaxed) > 0 {
                all.wait();
            }
            Ok(search)
        };
        let subject = Subject { name: "digits".into(), package: None, place: None, open: &open };
        let file = folder.join(threads.to_string());
        let mut run = Run { save: Some(file.clone()), ..case.run("lazy").threads(threads) };
        run.space.bounds = Some(Bounds::scope(10));
        RUNS.store(0, Ordering::Relaxed);
        let summary = perform(&subject, &Request::Run(run), &mut Listener::default()).unwrap().unwrap();
        assert_eq!(summary.stop, Stop::Exhausted);
        (summary.explored, summary.valid, std::fs::read(file).unwrap())
    };
    let one = run(1);
    assert_eq!((one.0, one.1), (1, 100_000));
    let runs_of_one_thread = RUNS.load(Ordering::Relaxed);
    for threads in [2, 8] {
        assert!(run(threads) == one, "{threads} threads");
        // Each piece begins with its own run, and there is only this set to split.
        assert!(RUNS.load(Ordering::Relaxed) > runs_of_one_thread, "{threads} threads split no set");
    }
}
