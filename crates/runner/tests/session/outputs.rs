//! Showing, exporting and explaining.

use crate::{Case, ENGINES, Listener, folder};
use smallscope_runner::session::{Export, Format, Replay, Request, Run, Show};
use std::path::PathBuf;

fn saved(test: &str, engine: &str) -> (Case, PathBuf) {
    let case = Case::new("search-tree", &[2, 0, 2, 0, 1]);
    let file = folder(test).join("suite");
    case.sum_up(Request::Run(Run { save: Some(file.clone()), ..case.run(engine) }), &mut Listener::default());
    (case, file)
}

fn text(case: &Case, request: Request) -> String {
    let mut listener = Listener::default();
    case.perform(&request, &mut listener).unwrap_or_else(|e| panic!("{e}"));
    listener.text
}

#[test]
fn a_suite_is_shown() {
    for engine in ENGINES {
        let (case, file) = saved("show", engine);
        let all = text(&case, Request::Show(Show { file: file.clone(), at: None }));
        let mut listener = Listener::default();
        case.sum_up(Request::Run(Run { print: true, ..case.run(engine) }), &mut listener);
        assert_eq!(all, listener.text + "5 structures: all of them within the bounds\n");
        let one = text(&case, Request::Show(Show { file: file.clone(), at: Some(2) }));
        assert_eq!(
            one,
            "#2  1.0.0.0.1\nvalue: root = Node#0, size = 1\nNode#0: left = none, right = none, info = 0\n\n"
        );
        for at in [0, 6] {
            let error = case.error(Request::Show(Show { file: file.clone(), at: Some(at) }));
            assert!(error.contains(&format!("has no value {at}; it has 1 to 5")), "{error}");
        }
    }
}

#[test]
fn a_value_is_replayed_by_its_candidate() {
    let case = Case::new("search-tree", &[2, 0, 2, 0, 1]);
    for engine in ENGINES {
        let replay = |candidate: &str| {
            Request::Replay(Replay { space: case.space(engine), candidate: candidate.parse().unwrap() })
        };
        assert!(text(&case, replay("1.0.0.0.1")).ends_with("the invariant accepts it\n"));
        assert!(text(&case, replay("1.0.0.0.2")).ends_with("the invariant rejects it\n"));
        assert!(case.error(replay("1.0.0")).contains("ends before"));
    }
}

#[test]
fn every_value_can_be_looked_at_alone() {
    let case = Case::new("sorted-list", &[3, 3, 4, 3]);
    for engine in ENGINES {
        let mut listener = Listener::default();
        case.sum_up(Request::Run(Run { print: true, ..case.run(engine) }), &mut listener);
        let values: Vec<&str> = listener.text.split_terminator("\n\n").collect();
        // Three of three numbers, with repetition.
        assert_eq!(values.len(), 10);
        for value in values {
            let (head, drawing) = value.split_once('\n').unwrap();
            let candidate = head.split_whitespace().nth(1).unwrap();
            let replay = Replay { space: case.space(engine), candidate: candidate.parse().unwrap() };
            let shown = text(&case, Request::Replay(replay));
            assert_eq!(shown, format!("{candidate}\n{drawing}\n\nthe invariant accepts it\n"), "{engine}");
        }
    }
}

#[test]
fn json_lines() {
    let (case, file) = saved("jsonl", "owned");
    let out = text(&case, Request::Export(Export { file, to: Format::Jsonl, type_path: None }));
    assert_eq!(out.lines().count(), 5);
    assert_eq!(
        out.lines().nth(1).unwrap(),
        "{\"number\":2,\"candidate\":\"1.0.0.0.1\",\"objects\":[\
         {\"name\":\"value\",\"fields\":{\"root\":\"Node#0\",\"size\":\"1\"}},\
         {\"name\":\"Node#0\",\"fields\":{\"left\":\"none\",\"right\":\"none\",\"info\":\"0\"}}]}"
    );
}

#[test]
fn graphs() {
    let (case, file) = saved("dot", "owned");
    let out = text(&case, Request::Export(Export { file, to: Format::Dot, type_path: None }));
    assert_eq!(out.matches("digraph value_").count(), 5);
    assert!(out.contains("  \"value\":f0 -> \"Node#0\";\n"), "{out}");
    assert!(out.contains("[label=\"{Node#0|<f0> left = none|<f1> right = •|<f2> info = 0}\"]"), "{out}");
}

#[test]
fn rust_source() {
    let (case, file) = saved("rust", "owned");
    let type_path = Some("app::Tree<u8>".to_owned());
    let out = text(&case, Request::Export(Export { file, to: Format::Rust, type_path }));
    assert!(out.contains("type Value = app::Tree<u8>;"), "{out}");
    assert!(out.contains("    \"1.0.0.0.1\",\n"), "{out}");
    assert!(out.contains("engine: Engine::Owned"), "{out}");
}

#[test]
fn the_space_and_the_reads_are_explained() {
    let case = Case::new("search-tree", &[2, 0, 2, 0, 1]);
    let size = text(&case, Request::Size(case.space("korat")));
    assert!(size.contains("SearchTree.root"), "{size}");
    assert!(size.contains("8 slots, 2^11.51 (about 2916) candidate vectors"), "{size}");
    let out = text(&case, Request::Explain(case.space("korat")));
    for part in [
        "engine `korat`",
        "Node.left                             2        3  none, Node#0 to #1 (only owner)",
        "   1  SearchTree.root = Node#0",
        "all 31 runs of the invariant: 5 valid values, 26 candidates rejected",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}
