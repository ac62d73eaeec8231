//! Reduced suites: both ways keep the same values, every class is covered, and no suite is called complete.

use crate::{Case, Listener, With, folder, one_thread, settings_of};
use smallscope::Stop;
use smallscope_runner::criteria::Reduction;
use smallscope_runner::session::{Reduce, Request, Resume, Run, Summary};
use std::path::Path;
use std::time::Duration;

fn reduction(text: &str) -> Reduction {
    text.parse().unwrap_or_else(|e| panic!("{e}"))
}

fn cases() -> Vec<Case> {
    vec![
        Case::new("search-tree", &[3, 0, 3, 0, 3]),
        Case::new("binomial-heap-value", &[3]),
        Case::new("binomial-heap-pair", &[2]),
        Case::new("ring", &[3, 0, 3, 4]),
        Case::new("sorted-list", &[0, 3, 4, 3]),
    ]
}

fn run(case: &Case, engine: &str, how: &str, threads: usize, save: &Path) -> Summary {
    let (save, reduction) = (Some(save.to_owned()), reduction(how));
    let run = Run { save, force: true, ..case.run(engine).threads(threads).reduction(reduction) };
    case.sum_up(Request::Run(run), &mut Listener::default())
}

fn reduce(file: &Path, how: &str, save: &Path) -> Request {
    Request::Reduce(Reduce {
        file: file.to_owned(),
        settings: settings_of(reduction(how)),
        save: Some(save.to_owned()),
        force: true,
        print: false,
        list_classes: false,
    })
}

#[test]
fn a_suite_is_reduced_to_the_values_that_a_run_keeps() {
    let folder = folder("reduce");
    let (full, small, kept) = (folder.join("full"), folder.join("small"), folder.join("kept"));
    for case in cases() {
        for engine in ["lazy", "owned", "korat"] {
            let all = Run { save: Some(full.clone()), force: true, ..case.run(engine) };
            let all = case.sum_up(Request::Run(all), &mut Listener::default());
            for how in [
                "cdc ratio 0.1 first",
                "path ratio 0.25 random 7",
                "decision size 9 first",
                "mcdc per-class 2 random 1",
                "condition per-class 1 first",
                "simple-path size 30 random 18446744073709551615",
                "cdc ratio 1 first",
            ] {
                let what = format!("{} {engine} {how}", case.structure.name);
                let reduced = case.sum_up(reduce(&full, how, &small), &mut Listener::default());
                let generated = run(&case, engine, how, 1, &kept);
                assert!(std::fs::read(&small).unwrap() == std::fs::read(&kept).unwrap(), "{what}");
                assert_eq!((reduced.valid, generated.valid), (all.valid, all.valid), "{what}");
                let [a, b] = [reduced, generated].map(|s| s.reduced.expect("it was reduced"));
                assert_eq!((a.kept, a.classes, a.most), (b.kept, b.classes, b.most), "{what}");
                assert!(a.kept >= a.classes && a.kept <= a.classes * a.most, "{what}");
            }
        }
    }
}

#[test]
fn the_number_of_threads_does_not_decide_what_is_kept() {
    let folder = folder("reduce-threads");
    // Large enough to be split.
    for case in [Case::new("search-tree", &[5, 0, 5, 0, 4]), Case::new("binomial-heap-pair", &[3])] {
        for engine in ["lazy", "owned"] {
            for how in ["cdc ratio 0.1 first", "path per-class 2 random 5", "decision size 50 random 9"] {
                let files = [1, 2, 8].map(|threads| {
                    let save = folder.join(format!("{threads}"));
                    let summary = run(&case, engine, how, threads, &save);
                    assert_eq!(summary.outcome(), "reduced");
                    std::fs::read(save).unwrap()
                });
                assert!(
                    files[0] == files[1] && files[0] == files[2],
                    "{} {engine} {how}",
                    case.structure.name
                );
            }
        }
    }
}

#[test]
fn a_seed_makes_a_choice() {
    let folder = folder("reduce-seeds");
    let case = Case::new("binomial-heap-value", &[4]);
    let file = |how: &str| {
        let save = folder.join("suite");
        run(&case, "lazy", how, 1, &save);
        std::fs::read(save).unwrap()
    };
    let seven = file("cdc per-class 3 random 7");
    assert!(seven == file("cdc per-class 3 random 7"));
    assert!(seven != file("cdc per-class 3 random 8") && seven != file("cdc per-class 3 first"));
}

#[test]
fn a_reduced_suite_is_not_called_complete() {
    let folder = folder("reduce-honest");
    let (file, fewer) = (folder.join("suite"), folder.join("fewer"));
    let case = Case::new("binomial-heap-value", &[3]);
    let summary = run(&case, "lazy", "cdc ratio 0.1 first", 1, &file);
    assert_eq!((summary.stop, summary.outcome()), (Stop::Exhausted, "reduced"));
    assert!(summary.to_json().contains(r#""exhaustive":false"#), "{}", summary.to_json());
    let text = summary.to_string();
    assert!(
        text.contains("84 structures")
            && text.contains("kept 8 of them: at most 2 of each of 4 classes by `cdc`")
    );
    assert!(!text.contains("exhaust") && !text.contains("all structures"), "{text}");
    // It can be reduced again, and names its source.
    let again = case.sum_up(reduce(&file, "decision per-class 1 first", &fewer), &mut Listener::default());
    assert_eq!(again.reduced.unwrap().kept, 3);
    let mut listener = Listener::default();
    let show = Request::Show(smallscope_runner::session::Show { file: fewer.clone(), at: None });
    case.perform(&show, &mut listener).unwrap();
    let ending = "3 structures, chosen by `decision per-class 1 first` from 8 values (reduced) by `cdc ratio 0.1 first` \
                  from 84 values (exhausted)\n";
    assert!(listener.text.ends_with(ending), "{}", listener.text);
    let resume = Resume { file: fewer, settings: one_thread(), checkpoint_every: Duration::from_secs(9) };
    let error = case.perform(&Request::Resume(resume), &mut Listener::default()).unwrap_err().to_string();
    assert!(error.contains("this suite was reduced (`decision per-class 1 first`)"), "{error}");
}

#[test]
fn classes_are_listed_with_sizes_and_witnesses() {
    let case = Case::new("binomial-heap-value", &[2]);
    let mut listener = Listener::default();
    let run = Run { list_classes: true, ..case.run("lazy").reduction(reduction("cdc per-class 1 first")) };
    case.sum_up(Request::Run(run), &mut listener);
    let lines: Vec<&str> = listener.text.lines().collect();
    assert_eq!(lines.len(), 1 + 3 + 1, "{}", listener.text);
    let sizes: u64 =
        lines[1..4].iter().map(|line| line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()).sum();
    assert_eq!(sizes, 12);
    assert!(lines[1].contains("`self.size == 0` yes 1x"), "{}", listener.text);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = folder("reduce-errors");
    let (file, other) = (folder.join("suite"), folder.join("other"));
    let case = Case::new("search-tree", &[3, 0, 3, 0, 2]);
    let refused = |case: &Case, request: Request, parts: &[&str]| {
        let error = case.perform(&request, &mut Listener::default()).expect_err("it is refused").to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    };
    let some = || case.run("lazy").reduction(reduction("cdc size 5 first"));
    refused(&case, Request::Run(some().max(3)), &["`--max`", "`--keep N`"]);
    refused(
        &case,
        Request::Run(Run { checkpoint: Some(file.clone()), ..some() }),
        &["no checkpoint", "`reduce`"],
    );
    case.sum_up(Request::Run(Run { save: Some(file.clone()), ..case.run("lazy") }), &mut Listener::default());
    refused(&case, reduce(&file, "cdc size 5 first", &file), &["cannot be both"]);
    // The same name for another structure, or for one with other fields.
    let another = Case::new("sorted-list", &[0, 3, 4, 3]);
    refused(&another, reduce(&file, "cdc size 5 first", &other), &["suite"]);
    assert!(!other.exists(), "nothing is written");
}
