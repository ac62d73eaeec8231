//! Runs deliver the same values in the same order, on any number of threads and in any ranges.

use crate::{Case, ENGINES, Listener, With, folder};
use smallscope::search::{Options, Position};
use smallscope::{Bounds, Stop};
use smallscope_runner::session::{Request, Run, Subject, perform};
use std::sync::atomic::{AtomicU32, Ordering};

/// Structures of several kinds, some with few and some with many values among their candidates.
fn cases() -> Vec<Case> {
    vec![
        Case::new("search-tree", &[5, 0, 5, 0, 4]),
        Case::new("doubly-linked-list", &[6, 6, 7, 7]),
        Case::new("heap-array", &[4, 4, 4]),
        Case::new("binomial-heap", &[5]),
        Case::new("disj-set", &[4]),
        Case::new("binomial-heap-pair", &[3]),
        Case::new("sorted-list", &[6, 6, 7, 6]),
    ]
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = folder("threads");
    for case in cases() {
        for engine in ENGINES {
            let run = |threads: usize| {
                let save = folder.join(format!("{}-{engine}-{threads}", case.structure.name));
                let run = Run { save: Some(save.clone()), ..case.run(engine).threads(threads) };
                let summary = case.sum_up(Request::Run(run), &mut Listener::default());
                assert_eq!(summary.stop, Stop::Exhausted);
                (summary.explored, summary.valid, std::fs::read(save).unwrap())
            };
            let one = run(1);
            for threads in [2, 3, 8] {
                assert!(run(threads) == one, "{} {engine} {threads}", case.structure.name);
            }
            let counted = case.sum_up(Request::Run(case.run(engine).threads(4)), &mut Listener::default());
            assert_eq!((counted.explored, counted.valid), (one.0, one.1));
        }
    }
}

#[test]
fn what_is_printed_does_not_depend_on_threads() {
    let case = Case::new("search-tree", &[3, 0, 3, 0, 2]);
    for engine in ENGINES {
        let printed = |threads: usize| {
            let mut listener = Listener::default();
            case.sum_up(
                Request::Run(Run { print: true, ..case.run(engine).threads(threads) }),
                &mut listener,
            );
            listener.text
        };
        let one = printed(1);
        assert!(one.starts_with("#1  0.0\nvalue: root = none, size = 0\n\n#2  1."), "{one}");
        assert_eq!(one.matches("value: ").count(), 1 + 3 + 6 + 5);
        assert_eq!(printed(4), one);
    }
}

#[test]
fn a_limit_on_values_is_kept_to() {
    let folder = folder("max");
    let case = Case::new("doubly-linked-list", &[7, 7, 8, 8]);
    for engine in ENGINES {
        let mut files = vec![];
        for threads in [1, 4] {
            let save = folder.join(format!("{engine}-{threads}"));
            let run = Run { save: Some(save.clone()), ..case.run(engine).threads(threads).max(1000) };
            let summary = case.sum_up(Request::Run(run), &mut Listener::default());
            assert_eq!((summary.valid, summary.outcome()), (1000, "max"));
            assert!(summary.to_string().contains("there may be more"), "{summary}");
            files.push((summary.explored, summary.position, std::fs::read(save).unwrap()));
        }
        assert!(files[0] == files[1], "{engine}");
    }
}

#[test]
fn ranges_add_up() {
    let case = Case::new("search-tree", &[4, 0, 4, 0, 3]);
    let run = |from: Option<&str>, to: Option<&str>, threads: usize| {
        let position = |text: Option<&str>| text.map(|text| text.parse().unwrap());
        let run = case.run("korat").from(position(from)).to(position(to)).threads(threads);
        case.sum_up(Request::Run(run), &mut Listener::default())
    };
    let whole = run(None, None, 1);
    let cuts = [None, Some("1.0"), Some("1.0.2.1"), Some("1.2.0.3"), None];
    for threads in [1, 3] {
        let parts: Vec<_> = cuts.windows(2).map(|w| run(w[0], w[1], threads)).collect();
        assert_eq!(parts.iter().map(|p| p.valid).sum::<u64>(), whole.valid);
        assert_eq!(parts.iter().map(|p| p.explored).sum::<u64>(), whole.explored);
        for part in parts {
            assert_eq!(part.outcome(), "range");
            assert!(part.to_string().contains("not everything within the bounds"), "{part}");
        }
    }
}

/// A run resumes where another one stopped at a limit on values, also between two values of one path.
#[test]
fn ranges_between_values_add_up() {
    for (name, args) in [("sorted-list", &[6, 6, 7, 6][..]), ("heap-array", &[4, 4, 4])] {
        let case = Case::new(name, args);
        let run = |run: Run| case.sum_up(Request::Run(run), &mut Listener::default());
        let print = |from: Option<&Position>, to: Option<&Position>, threads: usize| {
            let mut listener = Listener::default();
            let run =
                Run { print: true, ..case.run("lazy").from(from.cloned()).to(to.cloned()).threads(threads) };
            let summary = case.sum_up(Request::Run(run), &mut listener);
            let drawings = listener.text.split("\n\n").filter_map(|value| value.split_once('\n'));
            (summary.explored, drawings.map(|(_, drawing)| drawing.to_owned()).collect::<Vec<_>>())
        };
        let whole = print(None, None, 1);
        let cuts: Vec<Position> = [1, 7, 40, 41, 300]
            .into_iter()
            .map(|max| run(case.run("lazy").max(max)).position.expect("there is more"))
            .map(|text| text.parse().unwrap())
            .collect();
        for threads in [1, 2] {
            let (mut explored, mut drawings, mut without_a_run) = (0, vec![], 0);
            for i in 0..=cuts.len() {
                let from = i.checked_sub(1).map(|i| &cuts[i]);
                let part = print(from, cuts.get(i), threads);
                without_a_run += u32::from(part.0 == 0 && !part.1.is_empty());
                explored += part.0;
                drawings.extend(part.1);
            }
            assert_eq!((explored, drawings), whole, "{name} on {threads} threads");
            assert!(without_a_run > 0, "{name}: some parts lie inside of one path");
        }
    }
}

#[test]
fn a_position_that_does_not_exist_is_an_error() {
    let case = Case::new("search-tree", &[3, 0, 3, 0, 2]);
    let run = case.run("korat").from(Some("1.7".parse().unwrap()));
    let error = case.error(Request::Run(run));
    assert!(error.contains("`--from 1.7` is no position of this search"), "{error}");
    assert!(error.contains("choice 7 is not allowed at `Node.left of object 0`"), "{error}");
}

#[test]
fn a_run_does_not_wait_for_threads_that_cannot_begin() {
    let case = Case::new("search-tree", &[3, 0, 3, 0, 2]);
    let times = AtomicU32::new(0);
    // The first search is that of the run itself.
    let open = |bounds: &Bounds, options: Options| match times.fetch_add(1, Ordering::Relaxed) {
        0 => (case.structure.open)(bounds, options),
        _ => panic!("not again"),
    };
    let subject = Subject { name: "moody".into(), package: None, place: None, open: &open };
    let run = Request::Run(case.run("owned").threads(2));
    let error = perform(&subject, &run, &mut Listener::default()).unwrap_err();
    assert!(error.to_string().contains("not again"), "{error}");
    assert_eq!(error.exit_code(), 1);
}

#[test]
fn a_suite_is_not_replaced_by_accident() {
    let case = Case::new("search-tree", &[2, 0, 2, 0, 1]);
    let file = folder("force").join("suite");
    std::fs::write(&file, "precious").unwrap();
    let run = Run { save: Some(file.clone()), ..case.run("owned") };
    let error = case.error(Request::Run(run.clone()));
    assert!(error.contains("exists already and was not changed"), "{error}");
    assert_eq!(std::fs::read(&file).unwrap(), b"precious");
    case.sum_up(Request::Run(Run { force: true, ..run }), &mut Listener::default());
    assert_ne!(std::fs::read(&file).unwrap(), b"precious");
}
