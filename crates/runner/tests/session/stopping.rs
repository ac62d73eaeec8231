//! A run that is stopped and resumed has the same result.

use crate::{Case, Listener, With, folder};
use smallscope_runner::session::{Request, Resume, Run};
use smallscope_runner::settings::Settings;
use std::fs;
use std::path::Path;
use std::time::Duration;

fn resume(file: &Path, threads: usize) -> Resume {
    Resume {
        file: file.to_owned(),
        settings: Settings { threads: Some(threads), ..Settings::default() },
        checkpoint_every: Duration::from_millis(1),
    }
}

/// More than a thousand candidates, so that the run checks whether to stop.
fn cases() -> Vec<(Case, &'static str)> {
    vec![
        (Case::new("search-tree", &[5, 5, 5, 0, 4]), "korat"),
        (Case::new("doubly-linked-list", &[8, 8, 9, 9]), "owned"),
        (Case::new("binomial-heap", &[6]), "owned"),
        (Case::new("binomial-heap", &[6]), "lazy"),
        // Few runs of the invariant, so that most places lie between two values of one path.
        (Case::new("sorted-list", &[8, 8, 9, 8]), "lazy"),
        (Case::new("heap-array", &[6, 6, 6]), "lazy"),
    ]
}

#[test]
fn an_interrupted_suite_is_resumed_to_the_byte() {
    let folder = folder("interrupted");
    for (case, engine) in cases() {
        for threads in [1, 3] {
            let whole = folder.join("whole");
            let run = Run { save: Some(whole.clone()), force: true, ..case.run(engine).threads(threads) };
            let summary = case.sum_up(Request::Run(run.clone()), &mut Listener::default());
            let whole = fs::read(whole).unwrap();
            for questions in [0, 2, 7] {
                let part = folder.join("part");
                let run = Run { save: Some(part.clone()), ..run.clone() };
                let stopped = case.sum_up(Request::Run(run), &mut Listener::stopping_after(questions));
                if stopped.outcome() == "exhausted" {
                    continue;
                }
                assert_eq!(stopped.outcome(), "interrupted");
                // Twice.
                let again =
                    case.sum_up(Request::Resume(resume(&part, threads)), &mut Listener::stopping_after(2));
                assert!(again.explored >= stopped.explored && again.valid >= stopped.valid);
                if again.outcome() != "exhausted" {
                    let last = case.sum_up(Request::Resume(resume(&part, threads)), &mut Listener::default());
                    assert_eq!((last.explored, last.valid), (summary.explored, summary.valid));
                }
                assert!(fs::read(&part).unwrap() == whole, "{} {questions} {threads}", case.structure.name);
            }
        }
    }
}

#[test]
fn whatever_a_crash_leaves_is_resumed_to_the_byte() {
    let folder = folder("crashed");
    for (case, engine) in cases() {
        let file = folder.join(format!("{}-{engine}", case.structure.name));
        case.sum_up(
            Request::Run(Run { save: Some(file.clone()), ..case.run(engine) }),
            &mut Listener::default(),
        );
        let whole = fs::read(&file).unwrap();
        let header = whole.len() / 50;
        let cuts = if cfg!(debug_assertions) { 6 } else { 48 };
        for cut in (0..cuts).map(|i| whole.len() - 1 - i * (whole.len() - header) * 3 / (cuts * 4)) {
            fs::write(&file, &whole[..cut]).unwrap();
            match case.perform(&Request::Resume(resume(&file, 1)), &mut Listener::default()) {
                Ok(_) => assert!(fs::read(&file).unwrap() == whole, "{} cut at {cut}", case.structure.name),
                Err(error) => assert!(error.to_string().contains("inside of the header"), "{cut}: {error}"),
            }
        }
    }
}

#[test]
fn a_checkpoint_is_resumed_to_the_byte() {
    let folder = folder("checkpoint");
    for (case, engine) in cases() {
        for threads in [1, 2] {
            let (whole, part, checkpoint) =
                (folder.join("whole"), folder.join("part"), folder.join("checkpoint"));
            let run = Run { save: Some(whole.clone()), force: true, ..case.run(engine).threads(threads) };
            let summary = case.sum_up(Request::Run(run.clone()), &mut Listener::default());
            let run = Run {
                save: Some(part.clone()),
                checkpoint: Some(checkpoint.clone()),
                checkpoint_every: Duration::ZERO,
                ..run
            };
            let stopped = case.sum_up(Request::Run(run), &mut Listener::stopping_after(4));
            if stopped.outcome() == "exhausted" {
                assert_eq!(
                    (threads, stopped.checkpoint),
                    (2, None),
                    "only threads can be faster than the question"
                );
                continue;
            }
            assert_eq!((stopped.outcome(), stopped.checkpoint), ("interrupted", Some(checkpoint.clone())));
            // As if the machine had stopped before the end of the suite, in the middle of a block.
            let mut torn = fs::read(&part).unwrap();
            torn.extend(b"torn");
            fs::write(&part, torn).unwrap();
            let last = case.sum_up(Request::Resume(resume(&checkpoint, threads)), &mut Listener::default());
            assert_eq!((last.explored, last.valid), (summary.explored, summary.valid));
            assert!(fs::read(&part).unwrap() == fs::read(&whole).unwrap(), "{}", case.structure.name);
            assert!(!checkpoint.exists(), "there is nothing left to resume");
        }
    }
}

#[test]
fn a_checkpoint_without_a_suite_counts_on() {
    let checkpoint = folder("count").join("checkpoint");
    for (case, engine) in
        [(Case::new("search-tree", &[6, 6, 6, 0, 5]), "korat"), (Case::new("binomial-heap", &[10]), "lazy")]
    {
        let whole = case.sum_up(Request::Run(case.run(engine)), &mut Listener::default());
        let run = Run { checkpoint: Some(checkpoint.clone()), ..case.run(engine) };
        let first = case.sum_up(Request::Run(run), &mut Listener::stopping_after(7));
        assert!(first.outcome() == "interrupted" && first.valid < whole.valid, "{first}");
        for threads in [1, 2] {
            let copy = checkpoint.with_extension("copy");
            fs::copy(&checkpoint, &copy).unwrap();
            let rest = case.sum_up(Request::Resume(resume(&copy, threads)), &mut Listener::default());
            assert_eq!(
                (rest.explored, rest.valid, rest.outcome()),
                (whole.explored, whole.valid, "exhausted")
            );
        }
        fs::remove_file(&checkpoint).unwrap();
    }
}

#[test]
fn a_budget_ends_a_run_and_more_of_it_goes_on() {
    let file = folder("budget").join("suite");
    let case = Case::new("search-tree", &[9, 9, 9, 0, 8]);
    let run = Run { save: Some(file.clone()), ..case.run("korat").budget(Duration::from_millis(150)) };
    let mut listener = Listener::default();
    let summary = case.sum_up(Request::Run(run), &mut listener);
    assert_eq!(summary.outcome(), "budget");
    assert!(!listener.reports.is_empty());
    let last = listener.reports.last().unwrap();
    assert!(last.explored > 0 && (0.0..1.0).contains(&last.fraction) && last.position.starts_with("1."));
    let more = resume(&file, 1).budget(Duration::from_millis(100));
    let more = case.sum_up(Request::Resume(more), &mut Listener::default());
    assert!(more.explored > summary.explored);
}

#[test]
fn a_limit_that_is_reached_already_adds_nothing() {
    let file = folder("enough").join("suite");
    for (case, engine) in [
        (Case::new("search-tree", &[4, 4, 4, 0, 3]), "korat"),
        (Case::new("sorted-list", &[4, 4, 5, 4]), "lazy"),
    ] {
        let run = Run { save: Some(file.clone()), force: true, ..case.run(engine).max(5) };
        let first = case.sum_up(Request::Run(run), &mut Listener::default());
        let before = fs::read(&file).unwrap();
        let again = Request::Resume(resume(&file, 1).max(5));
        let again = case.sum_up(again, &mut Listener::default());
        assert_eq!((again.valid, again.explored, again.outcome()), (5, first.explored, "max"));
        assert!(fs::read(&file).unwrap() == before);
    }
}

#[test]
fn a_checkpoint_is_not_its_suite() {
    let file = folder("same").join("file");
    let case = Case::new("search-tree", &[2, 2, 2, 0, 1]);
    let run = Run { save: Some(file.clone()), checkpoint: Some(file.clone()), ..case.run("korat") };
    assert!(case.error(Request::Run(run)).contains("cannot be both the suite and the checkpoint"));
    assert!(!file.exists());
}

#[test]
fn what_cannot_be_resumed_says_why() {
    let folder = folder("errors");
    let case = Case::new("search-tree", &[3, 3, 3, 0, 2]);
    let complete = folder.join("complete");
    case.sum_up(
        Request::Run(Run { save: Some(complete.clone()), ..case.run("korat") }),
        &mut Listener::default(),
    );
    let error = case.error(Request::Resume(resume(&complete, 1)));
    assert!(error.contains("the suite is complete"), "{error}");

    let range = folder.join("range");
    let run = Run { save: Some(range.clone()), ..case.run("korat").to(Some("1.2".parse().unwrap())) };
    case.sum_up(Request::Run(run), &mut Listener::default());
    let error = case.error(Request::Resume(resume(&range, 1)));
    assert!(error.contains("has everything of its range"), "{error}");

    // A type with other fields.
    let part = folder.join("part");
    let run = Run { save: Some(part.clone()), ..case.run("korat").max(2) };
    case.sum_up(Request::Run(run), &mut Listener::default());
    let before = fs::read(&part).unwrap();
    let other =
        Case { structure: smallscope_catalogue::structure("binary-tree").unwrap(), args: vec![3, 3, 3] };
    let error = other.error(Request::Resume(resume(&part, 1)));
    assert!(error.contains("part: its bounds no longer fit the structure"), "{error}");
    assert_eq!(fs::read(&part).unwrap(), before, "nothing was changed");

    let error = case.error(Request::Resume(resume(&folder.join("absent"), 1)));
    assert!(error.contains("absent") && error.contains("cannot be read"), "{error}");
}
