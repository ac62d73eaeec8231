//! One value per path: there are fewer values, all output says so, and everything else is the same.

use crate::{Case, Listener, With, folder};
use smallscope::search::Position;
use smallscope_runner::session::{Export, Format, Request, Resume, Run, Show, Summary};
use smallscope_runner::settings::Settings;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Structures with their numbers of values.
fn cases() -> Vec<(Case, u64)> {
    vec![
        // The shapes of trees with eight nodes, each with eight of nine keys.
        (Case::new("search-tree", &[8, 8, 8, 0, 8]), 1_430 * 9),
        (Case::new("sorted-list", &[6, 6, 7, 6]), 462),
        (Case::new("heap-array", &[4, 4, 4]), 320),
        (Case::new("doubly-linked-list", &[7, 7, 8, 8]), 3_263),
        (Case::new("binomial-heap", &[6]), 7_602),
    ]
}

fn run(case: &Case, run: Run) -> Summary {
    case.sum_up(Request::Run(run.one_per_path()), &mut Listener::default())
}

fn resume(file: &Path, threads: usize) -> Request {
    Request::Resume(Resume {
        file: file.to_owned(),
        settings: Settings { threads: Some(threads), ..Settings::default() },
        checkpoint_every: Duration::from_millis(1),
    })
}

fn text(case: &Case, request: Request) -> String {
    let mut listener = Listener::default();
    case.perform(&request, &mut listener).unwrap_or_else(|e| panic!("{e}"));
    listener.text
}

#[test]
fn nothing_says_that_these_are_all() {
    let folder = folder("one-words");
    for (case, values) in cases() {
        let file = folder.join(case.structure.name);
        let summary = run(&case, Run { save: Some(file.clone()), ..case.run("lazy") });
        let all = case.sum_up(Request::Run(case.run("lazy")), &mut Listener::default());
        assert_eq!((all.valid, all.explored), (values, summary.explored));
        assert!(summary.valid < values, "{summary}");
        let words = summary.to_string();
        assert!(words.contains(&format!(": {} path", summary.valid)), "{words}");
        assert!(words.contains("one structure of each"), "{words}");
        let ending = text(&case, Request::Show(Show { file: file.clone(), at: None }));
        let ending = ending.lines().last().unwrap();
        assert!(ending.contains("one of each path"), "{ending}");
        let rust = Export { file: file.clone(), to: Format::Rust, type_path: None };
        let rust = text(&case, Request::Export(rust));
        let json = summary.to_json();
        assert!(json.contains("\"criterion\":\"one-per-path\"") && json.contains("\"exhaustive\":false"));
        assert_eq!(summary.outcome(), "one-per-path");
        for text in [&words, ending, rust.lines().next().unwrap()] {
            assert!(!text.contains("exhaust") && !text.contains("all "), "{text}");
        }
        let error = case.error(resume(&file, 1));
        assert!(error.contains("has one value of each path, so there is nothing to continue"), "{error}");
    }
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let folder = folder("one-pieces");
    for (case, _) in cases() {
        let name = case.structure.name;
        let whole = folder.join(format!("{name}-whole"));
        let summary = run(&case, Run { save: Some(whole.clone()), ..case.run("lazy") });
        let whole = fs::read(whole).unwrap();
        for threads in [1, 2, 8] {
            let file = folder.join(format!("{name}-{threads}"));
            let again = run(&case, Run { save: Some(file.clone()), ..case.run("lazy").threads(threads) });
            assert_eq!((again.explored, again.valid), (summary.explored, summary.valid), "{name} {threads}");
            assert!(fs::read(file).unwrap() == whole, "{name}: {threads} threads");
            // A limit, and then the rest, from the suite and from a checkpoint.
            for max in [1, summary.valid / 2].into_iter().filter(|&max| 0 < max && max < summary.valid) {
                let (part, checkpoint) = (folder.join("part"), folder.join("checkpoint"));
                for from in [&part, &checkpoint] {
                    let limited = Run {
                        save: Some(part.clone()),
                        force: true,
                        checkpoint: Some(checkpoint.clone()),
                        ..case.run("lazy").max(max).threads(threads)
                    };
                    let limited = run(&case, limited);
                    assert_eq!((limited.outcome(), limited.valid), ("max", max));
                    let rest = case.sum_up(resume(from, threads), &mut Listener::default());
                    assert_eq!(rest.outcome(), "one-per-path", "it is known to a resumed run");
                    assert_eq!(
                        (rest.explored, rest.valid),
                        (summary.explored, summary.valid),
                        "{name} {max}"
                    );
                    assert!(fs::read(&part).unwrap() == whole, "{name}: {threads} threads, {max} first");
                }
            }
        }
    }
}

#[test]
fn whatever_a_crash_leaves_is_resumed_to_the_byte() {
    let folder = folder("one-crashed");
    for (case, _) in cases() {
        let file = folder.join(case.structure.name);
        run(&case, Run { save: Some(file.clone()), ..case.run("lazy") });
        let whole = fs::read(&file).unwrap();
        for cut in (0..8).map(|i| whole.len() - 1 - i * whole.len() / 10) {
            fs::write(&file, &whole[..cut]).unwrap();
            match case.perform(&resume(&file, 1), &mut Listener::default()) {
                Ok(_) => assert!(fs::read(&file).unwrap() == whole, "{} cut at {cut}", case.structure.name),
                Err(error) => assert!(error.to_string().contains("inside of the header"), "{cut}: {error}"),
            }
        }
    }
}

#[test]
fn ranges_add_up() {
    let case = Case::new("search-tree", &[8, 8, 8, 0, 8]);
    let whole = run(&case, case.run("lazy"));
    assert_eq!(whole.valid, 1_430, "one for each shape");
    let cuts: Vec<Position> = [1, 10, whole.valid / 2]
        .into_iter()
        .map(|max| run(&case, case.run("lazy").max(max)).position.unwrap())
        .map(|position| position.parse().unwrap())
        .collect();
    let file = folder("one-range").join("suite");
    run(&case, Run { save: Some(file.clone()), ..case.run("lazy").to(cuts.first().cloned()) });
    let error = case.error(resume(&file, 1));
    assert!(error.contains("this suite has one value of each path of its range"), "{error}");
    for threads in [1, 3] {
        let (mut explored, mut valid) = (0, 0);
        for i in 0..=cuts.len() {
            let from = i.checked_sub(1).map(|i| cuts[i].clone());
            let part = run(&case, case.run("lazy").from(from).to(cuts.get(i).cloned()).threads(threads));
            assert_eq!(part.outcome(), "range");
            explored += part.explored;
            valid += part.valid;
        }
        assert_eq!((explored, valid), (whole.explored, whole.valid));
    }
}

#[test]
fn other_engines_have_no_such_paths() {
    let case = Case::new("search-tree", &[2, 0, 2, 0, 1]);
    for engine in ["owned", "korat"] {
        let error = case.error(Request::Run(case.run(engine).one_per_path()));
        assert!(error.contains("`--one-per-path` is for the engine `lazy`"), "{error}");
        assert!(error.contains(&format!("with `{engine}` leave it out")), "{error}");
    }
}
