//! A scene as SVG. Colours are classes, which the page defines for its themes; [`STANDALONE_STYLE`] is for files.

use crate::graph::Graph;
use crate::layout::layout;
use crate::scene::{CellShape, Frame, Line, LineKind, Plate, Point, Scene, Segment, TextKind, Tone};
use std::fmt::Write;

/// What the classes mean in a file of its own, on white.
pub const STANDALONE_STYLE: &str = include_str!("../page/drawing.css");

/// How many nodes are drawn at most. Larger drawings are of no use, and take long to lay out.
pub const MOST_DRAWN: usize = 500;

/// Draws a graph, or its first nodes if it has more than [`MOST_DRAWN`]. The result has the text of the graph as its
/// description.
pub fn svg(graph: &Graph) -> String {
    let description = graph.to_string();
    match graph.nodes.get(..MOST_DRAWN) {
        Some(first) if graph.nodes.len() > MOST_DRAWN => {
            draw(&layout(&Graph { nodes: first.to_vec(), last_read: graph.last_read }), &description)
        }
        _ => draw(&layout(graph), &description),
    }
}

fn draw(scene: &Scene, description: &str) -> String {
    let mut out = String::new();
    let (w, h) = (scene.width, scene.height);
    let _ = write!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="drawing" viewBox="0 0 {w:.0} {h:.0}" width="{w:.0}" height="{h:.0}" role="img"><title>{}</title>"#,
        escaped(description)
    );
    out.push_str(
        r#"<defs><marker id="tip" viewBox="0 0 10 10" refX="9.5" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 1L10 5L0 9z" class="tip"/></marker></defs>"#,
    );
    scene.frames.iter().for_each(|frame| put_frame(&mut out, frame));
    scene.lines.iter().for_each(|line| put_line(&mut out, line, scene));
    scene.plates.iter().for_each(|plate| put_plate(&mut out, plate));
    out + "</svg>"
}

fn put_frame(out: &mut String, Frame { rect, field, start, segments, .. }: &Frame) {
    let _ = write!(
        out,
        r#"<rect class="frame" x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="6"><title>{}</title></rect>"#,
        rect.x,
        rect.y,
        rect.w,
        rect.h,
        escaped(field)
    );
    let path = path(*start, segments);
    let _ = write!(out, r#"<path class="link shape" d="{path}" marker-end="url(#tip)"/>"#);
}

fn path(start: Point, segments: &[Segment]) -> String {
    let mut path = format!("M{:.1} {:.1}", start.x, start.y);
    for segment in segments {
        let _ = match segment {
            Segment::To(end) => write!(path, "L{:.1} {:.1}", end.x, end.y),
            Segment::Curve(a, b, end) => {
                write!(path, "C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}", a.x, a.y, b.x, b.y, end.x, end.y)
            }
        };
    }
    path
}

fn put_line(out: &mut String, line: &Line, scene: &Scene) {
    let class = match line.kind {
        LineKind::Shape => "shape",
        LineKind::Cross => "cross",
        LineKind::Back => "back",
        LineKind::Index => "index",
    };
    let path = path(line.start, &line.segments);
    let (from, to) = (&scene.plates[line.from].name, &scene.plates[line.to].name);
    let (both, hint) = match &line.back {
        Some(back) => {
            (r#" marker-start="url(#tip)""#, format!("{from}.{} = {to}, {to}.{back} = {from}", line.field))
        }
        None => ("", format!("{from}.{} = {to}", line.field)),
    };
    let _ = write!(
        out,
        r#"<path class="link {class}" data-from="{}" data-field="{}" d="{path}" marker-end="url(#tip)"{both}><title>{}</title></path>"#,
        escaped(from),
        escaped(&line.field),
        escaped(&hint)
    );
}

fn put_plate(out: &mut String, plate: &Plate) {
    let tone = match plate.tone {
        Tone::Root => "root",
        Tone::Object => "object",
        Tone::Red => "red",
        Tone::Black => "black",
    };
    let rect = plate.rect;
    let radius = if plate.tone == Tone::Root { 4.0 } else { (rect.h / 2.0).min(12.0) };
    let _ = write!(
        out,
        r#"<g class="plate {tone}" data-name="{}"><title>{}</title><rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="{radius}"/>"#,
        escaped(&plate.name),
        escaped(&plate.hint),
        rect.x,
        rect.y,
        rect.w,
        rect.h
    );
    for cell in &plate.cells {
        let (class, radius) = match cell.shape {
            CellShape::Element => ("element", 0),
            CellShape::Member => ("member", 10),
            CellShape::Port => ("port", 2),
        };
        let rect = cell.rect;
        let _ = write!(
            out,
            r#"<rect class="cell {class}" data-field="{}" x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" rx="{radius}"/>"#,
            escaped(&cell.field),
            rect.x,
            rect.y,
            rect.w,
            rect.h
        );
    }
    for text in &plate.texts {
        let class = match text.kind {
            TextKind::Name => "name",
            TextKind::Key => "key",
            TextKind::Label => "label",
            TextKind::Value => "value",
            TextKind::Order { is_last: false } => "order",
            TextKind::Order { is_last: true } => "order last",
        };
        let _ = write!(
            out,
            r#"<text class="{class}" data-field="{}" x="{:.1}" y="{:.1}" textLength="{:.1}" lengthAdjust="spacingAndGlyphs">{}</text>"#,
            escaped(&text.field),
            text.at.x,
            text.at.y,
            text.width,
            escaped(&text.text)
        );
    }
    out.push_str("</g>");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Field, Node, Value};

    #[test]
    fn texts_are_escaped() {
        let value = Value { text: "<script>&\"".to_owned(), ..Value::default() };
        let field = Field { name: "a<b".to_owned(), values: vec![value], ..Field::default() };
        let node = Node { name: "value".to_owned(), object: None, fields: vec![field] };
        let svg = svg(&Graph { nodes: vec![node], ..Graph::default() });
        assert!(
            svg.contains("&lt;script&gt;&amp;&quot;") && svg.contains("a&lt;b") && !svg.contains("<script")
        );
    }
}
