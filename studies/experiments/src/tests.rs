//! Runs of small experiments: what is kept, extended, refused and marked.

use crate::compare::{Mark, compare};
use crate::experiment::{Column, Experiment, Unfinished, Watch, Work};
use crate::results::{self, Results};
use crate::run::{Event, Limits, Summary, run};
use crate::{report, table};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

static GO_ON: AtomicBool = AtomicBool::new(false);

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("smallscope-experiments-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// The table of heaps; its rows take the steps given, and the calls are counted.
fn heaps(steps: [f64; 5], calls: &Arc<AtomicUsize>) -> Experiment {
    let calls = calls.clone();
    let columns = [Column::same("valid"), Column::same("classes")];
    let experiment = Experiment::new("000/binomial-heap", "heaps", &columns).compute(move |row, _| {
        calls.fetch_add(1, Ordering::Relaxed);
        let valid = if row == "3" { "785" } else { "36" };
        Ok([("valid".to_owned(), valid.to_owned()), ("extra".to_owned(), "1".to_owned())].into())
    });
    let names: Vec<String> = experiment.rows.iter().map(|row| row.name.clone()).collect();
    experiment.rows(names.into_iter().zip(steps))
}

fn run_once(
    experiment: &Experiment,
    folder: &std::path::Path,
    up_to: Option<Duration>,
) -> (Results, Summary) {
    let limits = Limits { up_to, threads: 2, is_stopped: &GO_ON };
    let (mut results, summary) = run(&[experiment], folder, limits, &mut |_| {}).unwrap();
    (results.remove(0), summary)
}

#[test]
fn a_longer_run_extends_a_shorter_one() {
    let (folder, calls) = (folder("extends"), Arc::default());
    let experiment = heaps([1.0, 2.0, 1e12, 1e13, 1e14], &calls);
    // The large rows do not fit into the time.
    let (results, summary) = run_once(&experiment, &folder, Some(Duration::from_secs(30)));
    assert_eq!((summary.computed, summary.kept, summary.left), (2, 0, 3));
    assert_eq!(results.keys().collect::<Vec<_>>(), ["2", "3"]);
    let (results, summary) = run_once(&experiment, &folder, None);
    assert_eq!((summary.computed, summary.kept, summary.left), (3, 2, 0));
    assert_eq!((results.len(), calls.load(Ordering::Relaxed)), (5, 5));
    // Nothing is left to do.
    let (_, summary) = run_once(&experiment, &folder, None);
    assert_eq!((summary.computed, summary.kept), (0, 5));
    // What is computed otherwise by now is computed again.
    let newer = Experiment { version: 2, ..heaps([1.0; 5], &calls) };
    assert_eq!(run_once(&newer, &folder, None).1.computed, 5);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A tool that was built with more than this one has computed them.
#[test]
fn results_of_another_build_are_shown() {
    let (folder, calls) = (folder("another"), Arc::default());
    let here = heaps([1.0; 5], &calls).missing("it needs another build");
    let text = |results: &Results| table::text(&here, &compare(&here, results));
    let (results, summary) = run_once(&here, &folder, None);
    assert_eq!((summary.computed, summary.kept), (0, 0));
    assert!(text(&results).contains("not reproduced yet: it needs another build"));
    run_once(&heaps([1.0; 5], &calls), &folder, None);
    let (results, summary) = run_once(&here, &folder, None);
    assert_eq!((summary.computed, summary.kept), (0, 5));
    assert!(!text(&results).contains("not reproduced yet") && text(&results).contains("785"));
    let page = report::html(&[(&here, compare(&here, &results))]);
    assert!(!page.contains("Not reproduced yet") && page.contains("785"));
}

/// All tools are on all tasks, and a chart shows them.
#[test]
fn tasks_are_compared_with_other_tools() {
    let all = crate::experiments();
    let experiment = all.iter().find(|experiment| experiment.id == "etna/compared").unwrap();
    assert_eq!(experiment.rows.len(), 53 + 58 + 20);
    let row = "BST insert_1: InsertPost";
    assert!(experiment.rows.iter().any(|known| known.name == row));
    let cells: crate::experiment::Cells = match &experiment.work {
        #[cfg(feature = "compared")]
        Work::Ready(compute) => compute(row, &Watch { end: None, is_stopped: &GO_ON }).unwrap(),
        Work::Missing(why) => {
            assert!(why.contains("--features compared"));
            let cells = [
                ("milliseconds", "1.5"),
                ("quickcheck: milliseconds", "30"),
                ("proptest: milliseconds", "-"),
            ];
            cells.map(|(column, cell)| (column.to_owned(), cell.to_owned())).into()
        }
        #[cfg(not(feature = "compared"))]
        Work::Ready(_) => unreachable!("the other tools are not there"),
    };
    for column in &experiment.columns {
        assert!(!cfg!(feature = "compared") || cells.contains_key(column.name), "{}", column.name);
    }
    let computed = results::Computed { fingerprint: experiment.fingerprint(row), seconds: 1.0, cells };
    let compared = compare(experiment, &[(row.to_owned(), computed)].into());
    let charts = report::charts(&[(experiment, compared)]);
    assert_eq!(charts.len(), 1);
    assert!(charts[0].1.contains("smallscope") && charts[0].1.contains("quickcheck"), "{}", charts[0].1);
}

#[test]
fn one_row_of_every_experiment_comes_first() {
    let (folder, calls) = (folder("first"), Arc::default());
    let small = heaps([1.0, 2.0, 3.0, 4.0, 5.0], &calls);
    let large = Experiment { id: "000/search-tree", ..heaps([9.0, 8.0, 7.0, 6.0, 10.0], &calls) };
    let mut order = vec![];
    let limits = Limits { up_to: None, threads: 1, is_stopped: &GO_ON };
    let mut report = |event: Event<'_>| {
        if let Event::Started(id, row) = event {
            order.push(format!("{id} {row}"));
        }
    };
    run(&[&small, &large], &folder, limits, &mut report).unwrap();
    assert_eq!(order[..3], ["000/binomial-heap 2", "000/search-tree 5", "000/binomial-heap 3"]);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn rows_that_are_stopped_or_fail_are_not_kept() {
    let folder = folder("stopped");
    let experiment = Experiment::new("000/binomial-heap", "heaps", &[Column::same("valid")]).compute(
        |row, watch| match row {
            "2" => Err(Unfinished::because("no heap")),
            "3" => panic!("a mistake"),
            "4" => Err(Unfinished::Stopped),
            _ => watch.check().map(|()| [("valid".to_owned(), "0".to_owned())].into()),
        },
    );
    let (results, summary) = run_once(&experiment, &folder, None);
    assert_eq!(results.keys().collect::<Vec<_>>(), ["5", "6"]);
    assert_eq!((summary.computed, summary.left), (2, 1));
    assert_eq!(
        summary.failed,
        ["000/binomial-heap 2: no heap", "000/binomial-heap 3: the computation panicked"]
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn damaged_results_are_named_with_their_line() {
    let (folder, calls) = (folder("damaged"), Arc::default());
    let experiment = heaps([1.0; 5], &calls);
    run_once(&experiment, &folder, None);
    let path = folder.join(experiment.file());
    let good = std::fs::read_to_string(&path).unwrap();
    let load = |text: &str| {
        std::fs::write(&path, text).unwrap();
        results::load(&folder, &experiment).map_err(|error| error.to_string())
    };
    assert_eq!(load(&good).unwrap().len(), 5);
    let message = load(&good.replacen("valid=785", "valid=784", 1)).unwrap_err();
    assert!(message.contains("000-binomial-heap.tsv`, line 3: the line was changed"), "{message}");
    assert!(message.ends_with("delete the file, and its rows are computed again"), "{message}");
    assert!(load("nothing\n").unwrap_err().contains("line 1: this is not a file of results"));
    // No prefix is taken for a whole file, and none panics.
    for end in (0..good.len()).step_by(5) {
        let is_at_line = good[..end].ends_with('\n');
        assert_eq!(load(&good[..end]).is_ok(), is_at_line, "{end}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn pairs_are_marked() {
    let calls = Arc::default();
    let experiment = heaps([1.0; 5], &calls);
    let Work::Ready(compute) = &experiment.work else { panic!("it is ready") };
    let watch = Watch { end: None, is_stopped: &GO_ON };
    let mut results = Results::new();
    for row in ["2", "3"] {
        let cells = compute(row, &watch).unwrap();
        results.insert(row.into(), results::Computed { fingerprint: 0, seconds: 0.0, cells });
    }
    let compared = compare(&experiment, &results);
    let marks = |row: usize| compared.rows[row].pairs.iter().map(|pair| pair.mark).collect::<Vec<_>>();
    assert_eq!(marks(0), [Mark::Equal, Mark::NotComputed]);
    assert_eq!(marks(1), [Mark::Differs, Mark::NotComputed]);
    assert_eq!(marks(2), [Mark::NotComputed, Mark::NotComputed]);
    let text = table::text(&experiment, &compared);
    assert!(
        text.contains("36 =") && text.contains("785 ≠ 784") && text.contains("3 of 5 rows not computed"),
        "{text}"
    );
    let page = report::html(&[(&experiment, compared)]);
    assert!(page.contains(">785 (784)<") && page.contains("published: 784"), "{page}");
}

#[test]
fn explained_differences_have_a_note() {
    let all = crate::experiments();
    let experiment = all.iter().find(|experiment| experiment.id == "001/table-3").unwrap();
    let cells = [("explored, parts", "335"), ("seconds", "4.0"), ("seconds, parts", "0.5")];
    let cells = cells.map(|(column, value)| (column.to_owned(), value.to_owned())).into();
    let results = [("3,3".to_owned(), results::Computed { fingerprint: 0, seconds: 0.0, cells })].into();
    let compared = compare(experiment, &results);
    let pair = |column: &str| {
        let at = compared.columns.iter().position(|c| c.name == column).unwrap();
        compared.rows[1].pairs[at].clone()
    };
    assert_eq!((pair("explored, parts").mark, pair("explored, parts").note), (Mark::Explained, Some(1)));
    assert!(compared.notes[0].starts_with("A misprint"));
    let time = pair("time / parts");
    assert_eq!(
        (time.paper.as_deref(), time.ours.as_deref(), time.mark),
        (Some("1.11"), Some("8.00"), Mark::Beside)
    );
}
