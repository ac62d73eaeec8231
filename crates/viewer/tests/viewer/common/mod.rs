//! What is wrong with a drawing, found by geometry alone.
#![allow(dead_code, reason = "each test file uses a part of it")]

use smallscope_viewer::{Graph, Rect, Scene, layout};

/// Lines may touch plates.
const TOUCH: f64 = 0.6;

/// Lays out a graph, and returns what is wrong with the drawing.
pub fn flaws(graph: &Graph) -> Vec<String> {
    let scene = layout(graph);
    let mut flaws = overlaps(&scene);
    flaws.extend(crossings(&scene));
    flaws.extend(sides(graph, &scene));
    flaws
}

/// Plates that overlap, and texts that overlap or leave their plate.
fn overlaps(scene: &Scene) -> Vec<String> {
    let mut flaws = vec![];
    let whole = Rect { x: 0.0, y: 0.0, w: scene.width, h: scene.height };
    for (i, plate) in scene.plates.iter().enumerate() {
        if !whole.encloses(&plate.rect) {
            flaws.push(format!("{} is outside", plate.name));
        }
        for other in &scene.plates[i + 1..] {
            if plate.rect.overlaps(&other.rect) {
                flaws.push(format!("{} overlaps {}", plate.name, other.name));
            }
        }
        let texts: Vec<Rect> = plate
            .texts
            .iter()
            .map(|text| Rect { x: text.at.x, y: text.at.y - 9.0, w: text.width, h: 11.0 })
            .collect();
        for (j, text) in texts.iter().enumerate() {
            if !plate.rect.encloses(text) {
                flaws.push(format!("`{}` leaves {}", plate.texts[j].text, plate.name));
            }
            if texts[j + 1..].iter().any(|other| text.overlaps(other)) {
                flaws.push(format!("`{}` overlaps another text of {}", plate.texts[j].text, plate.name));
            }
        }
    }
    flaws
}

/// Lines that cross a plate, or that do not begin and end on the edges of theirs.
fn crossings(scene: &Scene) -> Vec<String> {
    let mut flaws = vec![];
    for line in &scene.lines {
        let name = format!("{}.{}", scene.plates[line.from].name, line.field);
        for plate in &scene.plates {
            let r = plate.rect;
            let inner = Rect { x: r.x + TOUCH, y: r.y + TOUCH, w: r.w - 2.0 * TOUCH, h: r.h - 2.0 * TOUCH };
            if line.points().iter().any(|&point| inner.contains(point)) {
                flaws.push(format!("{name} crosses {}", plate.name));
            }
        }
        let is_at = |point: smallscope_viewer::Point, plate: usize| {
            let r = scene.plates[plate].rect;
            let outer = Rect { x: r.x - TOUCH, y: r.y - TOUCH, w: r.w + 2.0 * TOUCH, h: r.h + 2.0 * TOUCH };
            outer.contains(point)
        };
        if !is_at(line.start, line.from) || !is_at(line.end(), line.to) {
            flaws.push(format!("{name} is not attached"));
        }
    }
    flaws
}

/// Left children that are not on the left, right children that are not on the right, and children that are not below: those
/// that the shape leads to first.
fn sides(graph: &Graph, scene: &Scene) -> Vec<String> {
    let mut flaws = vec![];
    let mut owners = vec![0; graph.nodes.len()];
    scene.lines.iter().for_each(|line| owners[line.to] += 1);
    for line in &scene.lines {
        let (from, to) = (scene.plates[line.from].rect, scene.plates[line.to].rect);
        let node = &graph.nodes[line.from];
        let is_tree = node.pool() == graph.nodes[line.to].pool() && owners[line.to] == 1;
        let has_children = node.fields.iter().any(|field| field.name == "child" || field.name == "children");
        if !is_tree || has_children || line.from == line.to {
            continue;
        }
        let is_wrong = match line.field.as_str() {
            "left" => to.center() >= from.center() || to.y <= from.bottom(),
            "right" => to.center() <= from.center() || to.y <= from.bottom(),
            "next" => to.x <= from.right() || to.y != from.y,
            _ => false,
        };
        if is_wrong {
            flaws.push(format!("{}.{} is on the wrong side", node.name, line.field));
        }
    }
    flaws
}

/// Numbers all fields, as if the invariant had read them in the order of the graph and had rejected it then.
pub fn number_reads(graph: &mut Graph) {
    let mut number = 0;
    for field in graph.nodes.iter_mut().flat_map(|node| &mut node.fields) {
        number += 1;
        field.reads.push(number);
    }
    graph.last_read = Some(number);
}
