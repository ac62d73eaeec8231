//! Finds a place for each object, and a way for each link.
//!
//! Objects stand in rows, and links pass between rows through channels. A line crosses a row only in a gap between two
//! plates, and everything else that it does is inside of channels, so no line crosses a plate. Trees and lists are placed
//! by their shape ([`tidy`]), other graphs in layers ([`layered`]).

mod arrange;
mod layered;
mod links;
mod plate;
mod route;
mod rows;
mod tidy;

use crate::graph::Graph;
use crate::scene::{Frame, Line, Point, Rect, Scene, Segment};
use arrange::Arrangement;
use links::Links;
pub use links::is_told_by_place;
use plate::Draft;
use rows::Rows;

/// Space around the whole drawing.
const MARGIN: f64 = 12.0;
/// Space between the elements of a vector and its frame.
const FRAME: f64 = 8.0;
/// Space on the right of a plate for each link from an object to itself.
const LOOP: f64 = 26.0;

/// The row and the horizontal middle of every node.
#[derive(Debug, Clone, Default)]
pub(crate) struct Placed {
    pub row: Vec<usize>,
    pub center: Vec<f64>,
    /// For links through several rows: where they cross the rows between, from the upper one to the lower one.
    pub crossings: Vec<Vec<f64>>,
}

/// Lays out a graph.
pub fn layout(graph: &Graph) -> Scene {
    let links = Links::find(graph);
    let drafts: Vec<Draft> = (0..graph.nodes.len()).map(|node| plate::draft(graph, &links, node)).collect();
    let arrangement = Arrangement::of(graph, &links);
    let widths = Widths::new(&drafts, &links);
    let placed = match arrangement.is_tangled(graph, &links) {
        true => layered::place(&links, &widths),
        false => tidy::place(&arrangement, &widths),
    };
    let rows = Rows::new(&placed, &drafts, &links);
    assemble(graph, &links, drafts, &placed, &rows)
}

/// How far plates reach to both sides of their middle.
pub(crate) struct Widths {
    pub half: Vec<f64>,
    /// More space on the right, for links from an object to itself.
    pub loops: Vec<f64>,
}

impl Widths {
    fn new(drafts: &[Draft], links: &Links) -> Widths {
        let mut loops = vec![0.0; drafts.len()];
        for link in links.drawn() {
            if link.from == link.to {
                loops[link.from] += LOOP;
            }
        }
        Widths { half: drafts.iter().map(|draft| draft.width / 2.0).collect(), loops }
    }
}

/// Puts everything where it belongs, and moves the whole so that it begins at the margin.
fn assemble(graph: &Graph, links: &Links, drafts: Vec<Draft>, placed: &Placed, rows: &Rows) -> Scene {
    let mut plates = vec![];
    for (i, draft) in drafts.iter().enumerate() {
        let rect = Rect {
            x: placed.center[i] - draft.width / 2.0,
            y: rows.top(placed.row[i]),
            w: draft.width,
            h: draft.height,
        };
        plates.push(draft.clone().at(&graph.nodes[i], rect));
    }
    let mut frames = vec![];
    for arena in links.arenas.iter().filter(|arena| !arena.members.is_empty()) {
        let rects: Vec<Rect> = arena.members.iter().map(|&member| plates[member].rect).collect();
        let left = rects.iter().map(|rect| rect.x).fold(f64::INFINITY, f64::min);
        let right = rects.iter().map(Rect::right).fold(f64::NEG_INFINITY, f64::max);
        let top = rects.iter().map(|rect| rect.y).fold(f64::INFINITY, f64::min);
        let bottom = rects.iter().map(Rect::bottom).fold(f64::NEG_INFINITY, f64::max);
        let (row, above) = (placed.row[arena.members[0]], placed.row[arena.owner] + 1);
        let is_row = arena.members.iter().all(|&member| placed.row[member] == row);
        if is_row && row == above {
            let (w, h) = (right - left + 2.0 * FRAME, bottom - top + 2.0 * FRAME);
            let rect = Rect { x: left - FRAME, y: top - FRAME, w, h };
            let owner = plates[arena.owner].rect;
            let port = drafts[arena.owner].port((arena.place, 0)).unwrap_or(owner.w / 2.0);
            let start = Point::new(owner.x + port, owner.bottom());
            let segments = route::to_frame(start, rows.bottom(row - 1), &rect);
            frames.push(Frame { rect, owner: arena.owner, field: arena.field.clone(), start, segments });
        }
    }
    let lines = route::lines(links, &drafts, &plates, placed, rows);
    let mut scene = Scene { width: 0.0, height: 0.0, frames, plates, lines };
    fit(&mut scene);
    scene
}

/// Moves the drawing to the margin, and measures it.
fn fit(scene: &mut Scene) {
    let (mut low, mut high) = (Point::new(f64::INFINITY, f64::INFINITY), Point::default());
    let mut include = |x: f64, y: f64| {
        low = Point::new(low.x.min(x), low.y.min(y));
        high = Point::new(high.x.max(x), high.y.max(y));
    };
    let rects =
        scene.plates.iter().map(|plate| plate.rect).chain(scene.frames.iter().map(|frame| frame.rect));
    for rect in rects {
        include(rect.x, rect.y);
        include(rect.right(), rect.bottom());
    }
    for point in scene.lines.iter().flat_map(Line::points) {
        include(point.x, point.y);
    }
    if scene.plates.is_empty() {
        low = Point::default();
    }
    let (dx, dy) = (MARGIN - low.x, MARGIN - low.y);
    let moved = |point: Point| Point::new(point.x + dx, point.y + dy);
    let shift = |rect: &mut Rect| (rect.x, rect.y) = (rect.x + dx, rect.y + dy);
    scene.frames.iter_mut().for_each(|frame| shift(&mut frame.rect));
    for plate in &mut scene.plates {
        shift(&mut plate.rect);
        plate.cells.iter_mut().for_each(|cell| shift(&mut cell.rect));
        plate.texts.iter_mut().for_each(|text| text.at = moved(text.at));
    }
    let move_line = |start: &mut Point, segments: &mut [Segment]| {
        *start = moved(*start);
        for segment in segments {
            *segment = match *segment {
                Segment::To(end) => Segment::To(moved(end)),
                Segment::Curve(a, b, end) => Segment::Curve(moved(a), moved(b), moved(end)),
            };
        }
    };
    scene.lines.iter_mut().for_each(|line| move_line(&mut line.start, &mut line.segments));
    scene.frames.iter_mut().for_each(|frame| move_line(&mut frame.start, &mut frame.segments));
    scene.width = high.x + dx + MARGIN;
    scene.height = high.y + dy + MARGIN;
}
