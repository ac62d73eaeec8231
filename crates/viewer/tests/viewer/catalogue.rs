//! The structures of the catalogue are drawn as people draw them.

use smallscope::search::{Drawing, Found, Options, Search};
use smallscope::{Bounded, Bounds, rep_ok};
use smallscope_catalogue::STRUCTURES;
use smallscope_viewer::{Field, Graph, Node, Rule, TextKind, Value, layout};
use std::ops::ControlFlow;

/// How many values of each structure are looked at: the first ones, and then some of each thousand.
const FIRST: u64 = 60;
const LATER: u64 = 20_000;

fn graph(drawing: Drawing) -> Graph {
    let value = |value: smallscope::search::DrawnValue| Value {
        text: value.text,
        is_link: value.is_link,
        links: value.links,
        pool: value.pool,
    };
    let field = |field: smallscope::search::DrawnField| Field {
        name: field.name,
        values: field.values.into_iter().map(value).collect(),
        view: field.view.and_then(|view| view.parse().ok()).unwrap_or_default(),
        reads: vec![],
    };
    let node = |node: smallscope::search::DrawnNode| Node {
        name: node.name,
        object: node.object,
        fields: node.fields.into_iter().map(field).collect(),
    };
    Graph { nodes: drawing.nodes.into_iter().map(node).collect(), last_read: None }
}

/// Returns some values of a structure within a scope.
fn values(name: &str, scope: u32) -> Vec<Graph> {
    let structure = smallscope_catalogue::structure(name).unwrap();
    let mut search = (structure.open)(&Bounds::scope(scope), Options::default()).unwrap();
    let mut graphs = vec![];
    for number in 0..LATER {
        let found = search.find_next(&mut |_| ControlFlow::Continue(())).unwrap();
        if found != Found::Valid {
            break;
        }
        if number < FIRST || number % 499 == 0 {
            graphs.push(graph(search.drawing()));
        }
    }
    graphs
}

#[test]
fn nothing_overlaps_and_no_line_crosses_a_plate() {
    for structure in STRUCTURES {
        let graphs = values(structure.name, 5);
        assert!(!graphs.is_empty(), "{}", structure.name);
        for (number, mut graph) in graphs.into_iter().enumerate() {
            if number % 2 == 1 {
                crate::common::number_reads(&mut graph);
            }
            let flaws = crate::common::flaws(&graph);
            assert!(flaws.is_empty(), "{}: {flaws:#?}\n{graph}", structure.name);
        }
    }
}

#[test]
fn lists_stand_in_a_row_and_vectors_in_a_frame() {
    let list = values("sorted-list", 4).pop().unwrap();
    let scene = layout(&list);
    let entries: Vec<_> = scene.plates.iter().filter(|plate| plate.name.starts_with("Entry")).collect();
    assert!(entries.len() > 2 && entries.windows(2).all(|pair| pair[0].rect.y == pair[1].rect.y), "{list}");
    // One line for `next` and `previous`.
    let back = scene.lines.iter().filter(|line| line.back.as_deref() == Some("previous")).count();
    assert_eq!(back, entries.len(), "{list}");
    let dag = values("dag", 4).pop().unwrap();
    let scene = layout(&dag);
    assert_eq!(scene.frames.len(), 1, "{dag}");
    assert!(scene.frames[0].rect.encloses(&scene.plates[1].rect), "{dag}");
}

#[test]
fn reads_are_numbered_at_their_fields() {
    let mut tree = values("search-tree", 3).pop().unwrap();
    crate::common::number_reads(&mut tree);
    let last = tree.last_read.unwrap();
    let scene = layout(&tree);
    let orders = |is_last: bool| {
        let texts = scene.plates.iter().flat_map(|plate| &plate.texts);
        texts.filter(move |text| text.kind == TextKind::Order { is_last }).map(|text| text.text.as_str())
    };
    assert!(
        orders(true).all(|text| text.ends_with(&last.to_string())) && orders(true).count() == 1,
        "{tree}"
    );
    // Every field has its number; where a child stands says which field leads to it.
    let fields: usize = tree.nodes.iter().map(|node| node.fields.len()).sum();
    assert_eq!(orders(false).count() + 1, fields, "{tree}");
    assert!(
        orders(false).any(|text| text.starts_with('↙')) && orders(false).any(|text| text.starts_with('↘'))
    );
}

#[test]
fn red_and_black_nodes_are_red_and_black() {
    let trees = values("red-black-tree", 3);
    let svgs: Vec<String> = trees.iter().map(smallscope_viewer::svg).collect();
    assert!(
        svgs.iter().any(|svg| svg.contains("plate red"))
            && svgs.iter().any(|svg| svg.contains("plate black"))
    );
}

#[test]
fn numbers_of_elements_are_links() {
    let sets = values("disj-set", 3);
    let set = sets.iter().find(|set| set.to_string().contains("Record#1: parent = 0")).unwrap();
    let scene = layout(set);
    let is_parent = |line: &&smallscope_viewer::Line| line.field == "parent" && line.from != line.to;
    let link = scene.lines.iter().find(is_parent).unwrap();
    assert_eq!(scene.plates[link.to].name, "Record#0");
    // The number is shown as well.
    assert!(scene.plates[link.from].texts.iter().any(|text| text.text == "parent"));
}

#[test]
fn rules_say_where_objects_belong() {
    let rule = |text: &str| text.parse::<Rule>().unwrap();
    let heap = values("binomial-heap", 4).pop().unwrap();
    let hidden = heap.with_rules(&[rule("degree=hide"), rule("parent=hide")]);
    let scene = layout(&hidden);
    assert!(
        scene.plates.iter().flat_map(|plate| &plate.texts).all(|text| text.field != "degree"),
        "{hidden}"
    );
    assert!(scene.lines.iter().all(|line| line.field != "parent" && line.back.is_none()), "{hidden}");
    // Lists can also stand below each other.
    let list = values("sorted-list", 4).pop().unwrap();
    let scene = layout(&list.with_rules(&[rule("next=below"), rule("previous=parent")]));
    let tops: std::collections::BTreeSet<i64> =
        scene.plates.iter().map(|plate| plate.rect.y as i64).collect();
    assert_eq!(tops.len(), scene.plates.len(), "{list}");
    for wrong in ["", "next", "=hide", "next=", "next=above"] {
        let error = wrong.parse::<Rule>().unwrap_err();
        assert!(error.contains("`hide`, `left`"), "{error}");
    }
}

/// A tree whose names say nothing about its shape.
#[derive(Bounded)]
struct Heap {
    top: Option<Box<Job>>,
}

#[derive(Bounded)]
struct Job {
    #[bounded(range = 0..=1, view(hide))]
    epoch: u8,
    #[bounded(view(inline, rename = "who"))]
    owner: Box<Person>,
    #[bounded(view(right))]
    later: Option<Box<Job>>,
    #[bounded(view(left))]
    sooner: Option<Box<Job>>,
}

#[derive(Bounded)]
struct Person {
    #[bounded(range = 4..=5)]
    number: u8,
    #[bounded(range = 0..=0, view(color))]
    team: u8,
}

#[rep_ok]
impl Heap {
    fn rep_ok(&self) -> bool {
        self.top.as_ref().is_none_or(|job| job.is_fresh())
    }
}

#[smallscope::mirror]
impl Job {
    fn is_fresh(&self) -> bool {
        self.epoch == 0
            && self.owner.number == 4
            && self.later.as_ref().is_none_or(|job| job.is_fresh())
            && self.sooner.as_ref().is_none_or(|job| job.is_fresh())
    }
}

#[test]
fn attributes_say_where_objects_belong() {
    let mut search = Search::<Heap>::new(&Bounds::scope(3), Options::default()).unwrap();
    let mut sides = [0, 0];
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
        let graph = graph(search.drawing()).with_rules(&[]);
        let scene = layout(&graph);
        assert!(crate::common::flaws(&graph).is_empty(), "{graph}");
        assert!(
            scene.plates.iter().flat_map(|plate| &plate.texts).all(|text| text.field != "epoch"),
            "{graph}"
        );
        let owners = scene.plates.iter().flat_map(|plate| &plate.texts).filter(|text| text.field == "owner");
        let owners: Vec<&str> = owners.map(|text| text.text.as_str()).collect();
        let jobs = scene.plates.iter().filter(|plate| plate.name.starts_with("Job")).count();
        assert_eq!(owners, ["who", "number 4, team 0"].repeat(jobs), "{graph}");
        assert!(scene.plates.iter().all(|plate| !plate.name.starts_with("Person")), "{graph}");
        for line in &scene.lines {
            let (from, to) = (scene.plates[line.from].rect.center(), scene.plates[line.to].rect.center());
            match line.field.as_str() {
                "sooner" => assert!(to < from, "{graph}"),
                "later" => assert!(to > from, "{graph}"),
                _ => continue,
            }
            sides[usize::from(line.field == "later")] += 1;
        }
    }
    assert!(sides[0] > 0 && sides[1] > 0, "{sides:?}");
}
