//! Runs by class.

use crate::{Case, Listener, With, folder, one_thread};
use smallscope_core::{Classes, Stop};
use smallscope_runner::session::{Request, Resume, Run, Show, Summary};
use std::time::Duration;

fn run(case: &Case, engine: &str, classes: Classes) -> Run {
    case.run(engine).classes(classes)
}

fn sum_up(case: &Case, run: Run) -> Summary {
    case.sum_up(Request::Run(run), &mut Listener::default())
}

#[test]
fn a_run_by_class_says_what_it_is() {
    let case = Case::new("list-as-set", &[4, 4, 3]);
    let summary = sum_up(&case, run(&case, "korat", Classes::Pruned).threads(2));
    assert_eq!((summary.explored, summary.valid, summary.class_table.len()), (679, 80, 10));
    assert_eq!((summary.stop, summary.outcome(), summary.threads), (Stop::ClassesCovered, "classes", 1));
    let text = summary.to_string();
    let words = "every class within the bounds is covered: 80 structures of 10 classes; other structures of these classes \
                 may have been skipped";
    assert!(text.ends_with(words) && !text.contains("exhausted"), "{text}");
    assert!(text.contains("{repeats, sorted, set_empty}"), "{text}");
    let json = summary.to_json();
    assert!(json.contains(r#""exhaustive":false"#) && json.contains(r#""outcome":"classes""#), "{json}");
    assert!(
        json.contains(
            r#""classes":"pruned","class_table":[{"class":"{empty, sorted, set_empty}","values":1,"first":1,"#
        ),
        "{json}"
    );
}

#[test]
fn all_values_are_counted_on_any_number_of_threads() {
    let (size, valid) = if cfg!(debug_assertions) { (3, 784) } else { (4, 14_400) };
    let case = Case::new("binomial-heap-pair", &[size]);
    for engine in ["korat", "owned", "lazy"] {
        let with = |threads| sum_up(&case, run(&case, engine, Classes::All).threads(threads));
        let (one, three) = (with(1), with(3));
        assert_eq!((one.stop, one.valid), (Stop::Exhausted, valid));
        assert_eq!((three.stop, three.threads), (Stop::Exhausted, 3));
        assert_eq!(one.class_table.delivered(), valid);
        assert_eq!(one.class_table.rows(), three.class_table.rows(), "{engine}");
    }
}

#[test]
fn what_was_saved_by_class_can_be_shown_but_not_resumed() {
    let case = Case::new("search-tree-value", &[3, 0, 3, 3]);
    for engine in ["korat", "owned", "lazy"] {
        let file = folder(&format!("classes-{engine}")).join("suite");
        let mut printed = Listener::default();
        let run = Run { save: Some(file.clone()), print: true, ..run(&case, engine, Classes::One) };
        assert_eq!(case.sum_up(Request::Run(run), &mut printed).valid, 8);
        let mut shown = Listener::default();
        case.perform(&Request::Show(Show { file: file.clone(), at: None }), &mut shown).unwrap();
        assert_eq!(
            shown.text,
            printed.text
                + "8 structures: every class within the bounds is covered; others may have been skipped\n"
        );
        let every = Duration::from_secs(1);
        let error =
            case.error(Request::Resume(Resume { file, settings: one_thread(), checkpoint_every: every }));
        assert!(error.contains("was made by class (`--classes one`)"), "{error}");
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let case = Case::new("search-tree-value", &[3, 0, 3, 3]);
    let pruned = run(&case, "lazy", Classes::Pruned);
    let error = case.error(Request::Run(pruned.clone().from(Some("1".parse().unwrap()))));
    assert!(error.contains("`--from` cannot be combined with `--classes pruned`"), "{error}");
    let error = case.error(Request::Run(Run { checkpoint: Some("x".into()), ..pruned }));
    assert!(error.contains("`--checkpoint` cannot be combined with `--classes pruned`"), "{error}");
    let plain = Case::new("binary-tree", &[2, 0, 2]);
    let error = plain.error(Request::Run(run(&plain, "lazy", Classes::One)));
    assert!(error.contains("BinaryTree") && error.contains("#[eq_class]"), "{error}");
}

#[test]
fn a_limit_leaves_no_position_to_go_on_from() {
    let case = Case::new("list-as-set", &[4, 4, 3]);
    let summary = sum_up(&case, run(&case, "lazy", Classes::One).max(3));
    assert_eq!((summary.valid, summary.outcome(), &summary.position), (3, "max", &None));
    assert!(summary.to_string().contains("not everything within the bounds was covered"), "{summary}");
}
