//! Random graphs have no overlaps and no lines across plates.

use smallscope_viewer::{Field, Graph, Node, Value, layout};

/// A small generator of random numbers: the same graphs on each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

fn plain(text: &str) -> Value {
    Value { text: text.to_owned(), ..Value::default() }
}

fn link(to: usize) -> Value {
    let name = format!("Node#{to}");
    Value { text: name.clone(), is_link: true, links: vec![name], pool: None }
}

/// Up to `most` objects with fields of these names, which lead anywhere.
fn random(random: &mut Random, most: usize, names: &[&str]) -> Graph {
    let count = 1 + random.below(most);
    let root = Field { name: "root".to_owned(), values: vec![link(0)], ..Field::default() };
    let size = Field { name: "size".to_owned(), values: vec![plain("7")], ..Field::default() };
    let mut nodes = vec![Node { name: "value".to_owned(), object: None, fields: vec![root, size] }];
    for i in 0..count {
        let mut fields = vec![];
        for name in names {
            let value = match random.below(3) {
                0 => plain("none"),
                _ => link(random.below(count)),
            };
            fields.push(Field { name: (*name).to_owned(), values: vec![value], ..Field::default() });
        }
        if random.below(2) == 0 {
            let text = "k".repeat(1 + random.below(40));
            fields.push(Field { name: "key".to_owned(), values: vec![plain(&text)], ..Field::default() });
        }
        if random.below(4) == 0 {
            let values = vec![plain("3 elements"), link(random.below(count)), plain("none"), link(i)];
            fields.push(Field { name: "others".to_owned(), values, ..Field::default() });
        }
        nodes.push(Node { name: format!("Node#{i}"), object: None, fields });
    }
    reachable(Graph { nodes, last_read: None })
}

/// Drops the objects that only `parent` or `prev` lead to, or nothing: the shape of real values has all objects.
fn reachable(mut graph: Graph) -> Graph {
    let mut names = vec!["value".to_owned()];
    let mut next = 0;
    while let Some(name) = names.get(next) {
        let node = graph.nodes.iter().find(|node| node.name == *name).unwrap();
        let forwards = node.fields.iter().filter(|field| field.name != "parent" && field.name != "prev");
        let links = forwards.flat_map(|field| &field.values).flat_map(|value| value.links.clone());
        let new: Vec<String> = links.filter(|link| !names.contains(link)).collect();
        for link in new {
            if !names.contains(&link) {
                names.push(link);
            }
        }
        next += 1;
    }
    graph.nodes.retain(|node| names.contains(&node.name));
    for value in graph.nodes.iter_mut().flat_map(|node| &mut node.fields).flat_map(|field| &mut field.values)
    {
        if value.links.iter().any(|link| !names.contains(link)) {
            *value = plain("none");
        }
    }
    graph
}

#[test]
fn nothing_overlaps_in_random_graphs() {
    let mut numbers = Random(1);
    let kinds: [&[&str]; 6] = [
        &["a", "b"],
        &["left", "right"],
        &["left", "right", "parent"],
        &["next", "prev"],
        &["child", "next"],
        &["a"],
    ];
    for n in 0..240 {
        let mut graph = random(&mut numbers, if n % 10 == 0 { 60 } else { 12 }, kinds[n % kinds.len()]);
        if n % 3 == 0 {
            crate::common::number_reads(&mut graph);
        }
        let flaws = crate::common::flaws(&graph);
        assert!(flaws.is_empty(), "graph {n}: {flaws:#?}\n{graph}");
    }
}

#[test]
fn deep_trees_and_long_lists_do_not_exhaust_the_stack() {
    for name in ["next", "left", "a"] {
        let mut nodes = vec![Node { name: "value".to_owned(), object: None, fields: vec![] }];
        nodes[0].fields.push(Field { name: "root".to_owned(), values: vec![link(0)], ..Field::default() });
        for i in 0..3000 {
            let value = if i < 2999 { link(i + 1) } else { plain("none") };
            let fields = vec![Field { name: name.to_owned(), values: vec![value], ..Field::default() }];
            nodes.push(Node { name: format!("Node#{i}"), object: None, fields });
        }
        let graph = Graph { nodes, last_read: None };
        assert_eq!(
            layout(&Graph { nodes: graph.nodes[..1200].to_vec(), last_read: None }).plates.len(),
            1200
        );
        let svg = smallscope_viewer::svg(&graph);
        assert_eq!(svg.matches("class=\"plate").count(), smallscope_viewer::MOST_DRAWN);
    }
}

#[test]
fn two_hundred_objects_are_drawn_in_a_moment() {
    let mut numbers = Random(7);
    let graph = loop {
        let graph = random(&mut numbers, 200, &["a", "b"]);
        if graph.nodes.len() > 140 {
            break graph;
        }
    };
    let start = std::time::Instant::now();
    let scene = layout(&graph);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    assert_eq!(scene.plates.len(), graph.nodes.len());
}
