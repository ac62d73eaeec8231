//! Threads share the values of one run of the invariant.

use crate::{Case, Listener, folder};
use smallscope::{
    AnySearch, Bounds, Candidate, ClassTable, Drawing, Error, Failure, Found, Options, Outcome, Position,
    ReadDescription, Slicing, SlotDescription, Stop,
};
use smallscope_core::probe::Taken;
use smallscope_core::search::Rejection;
use smallscope_runner::session::{Request, Run, Subject, perform};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Barrier};

/// A search that counts how often it has begun in the middle of what one run of the invariant stands for.
struct Watched {
    search: Box<dyn AnySearch>,
    inside: Arc<AtomicU32>,
    /// Nothing was found since it was begun at a position.
    has_just_begun: bool,
}

macro_rules! pass_on {
    ($(fn $name:ident(&$($m:ident)?: $($arg:ident: $ty:ty),*) $(-> $out:ty)?;)*) => {
        $(fn $name(&$($m)? self $(, $arg: $ty)*) $(-> $out)? {
            self.search.$name($($arg),*)
        })*
    };
}

impl AnySearch for Watched {
    fn find_next(&mut self, tick: &mut dyn FnMut(&Outcome) -> ControlFlow<Stop>) -> Result<Found, Failure> {
        let before = self.search.outcome().explored;
        let found = self.search.find_next(tick)?;
        let is_without_a_run = found == Found::Valid && self.search.outcome().explored == before;
        if std::mem::take(&mut self.has_just_begun) && is_without_a_run {
            self.inside.fetch_add(1, Ordering::Relaxed);
        }
        Ok(found)
    }

    fn start_at(&mut self, position: &Position) -> Result<(), Error> {
        self.has_just_begun = true;
        self.search.start_at(position)
    }

    pass_on! {
        fn type_name(&:) -> &'static str;
        fn check_value(&mut:) -> Result<(), Failure>;
        fn outcome(&:) -> Outcome;
        fn space_bits(&:) -> f64;
        fn slots(&:) -> Vec<(String, u64)>;
        fn describe_slots(&:) -> Vec<SlotDescription>;
        fn describe_reads(&mut:) -> Vec<ReadDescription>;
        fn take_rejections(&mut:) -> Vec<Rejection>;
        fn start_after(&mut: path: &[u32]) -> Result<(), Error>;
        fn until(&mut: position: &Position);
        fn one_per_path(&mut:);
        fn position(&mut:) -> Option<Position>;
        fn fraction(&mut:) -> f64;
        fn split(&mut:) -> Option<Position>;
        fn path(&:) -> Vec<u32>;
        fn changes(&mut: new: &mut Vec<u32>) -> usize;
        fn reads(&:) -> u64;
        fn restore(&mut: kept: usize, new: &[u32]) -> Result<(), Error>;
        fn candidate(&:) -> Candidate;
        fn go_to(&mut: candidate: &Candidate) -> Result<(), Error>;
        fn accepts(&mut:) -> Result<bool, Failure>;
        fn drawing(&:) -> Drawing;
        fn decisions(&mut: taken: &mut Vec<Taken>) -> Result<(), Failure>;
        fn run_number(&:) -> u64;
        fn skip_rest(&mut:) -> u64;
        fn classes(&mut:) -> &ClassTable;
        fn take_classes(&mut:) -> ClassTable;
        fn class(&mut:) -> Result<Option<String>, Failure>;
        fn slicing(&mut:) -> Result<Option<Slicing>, Failure>;
        fn combinations(&mut:) -> Result<Option<u128>, Failure>;
        fn go_to_combination(&mut: number: u128) -> Result<(), Error>;
    }
}

#[test]
fn threads_split_the_values_of_one_run_of_the_invariant() {
    let folder = folder("leaves");
    for (name, args) in [("sorted-list", &[10, 10, 11, 10][..]), ("heap-array", &[7, 7, 7])] {
        let case = Case::new(name, args);
        let inside = Arc::new(AtomicU32::new(0));
        let run = |threads: usize| {
            // The run itself lays out a search, too; threads wait until all are there, so that none is done before.
            let (times, all) = (AtomicU32::new(0), Barrier::new(threads));
            let open = |bounds: &Bounds, options: Options| {
                let search = (case.structure.open)(bounds, options)?;
                if threads > 1 && times.fetch_add(1, Ordering::Relaxed) > 0 {
                    all.wait();
                }
                let inside = inside.clone();
                Ok(Box::new(Watched { search, inside, has_just_begun: false }) as Box<dyn AnySearch>)
            };
            let subject = Subject { name: name.into(), package: None, open: &open };
            let file = folder.join(format!("{name}-{threads}"));
            let request = Request::Run(Run { threads, save: Some(file.clone()), ..case.run("lazy") });
            let summary = perform(&subject, &request, &mut Listener::default()).unwrap().unwrap();
            assert_eq!(summary.stop, Stop::Exhausted);
            (summary.explored, summary.valid, std::fs::read(file).unwrap())
        };
        let one = run(1);
        assert!(one.1 > 100 * one.0, "{name}: {} runs stand for {} values", one.0, one.1);
        for threads in [2, 8] {
            inside.store(0, Ordering::Relaxed);
            assert!(run(threads) == one, "{name} on {threads} threads");
            assert!(inside.load(Ordering::Relaxed) > 0, "{name}: {threads} threads split no leaf");
        }
    }
}
