//! Lines of links: from the edge of one plate to the edge of another, through channels and gaps.

use super::links::{Link, Links, Role};
use super::plate::Draft;
use super::rows::{Rows, Way, reach};
use super::{LOOP, Placed};
use crate::scene::{Line, LineKind, Plate, Point, Rect, Segment};

/// Space between a line and a plate that it passes.
const CLEARANCE: f64 = 7.0;
/// Space between two lines that pass through the same gap.
const BETWEEN: f64 = 6.0;

/// An edge of a plate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Top,
    Bottom,
}

/// Returns the lines of all links that are drawn.
pub(super) fn lines(
    links: &Links,
    drafts: &[Draft],
    plates: &[Plate],
    placed: &Placed,
    rows: &Rows,
) -> Vec<Line> {
    let rects: Vec<Rect> = plates.iter().map(|plate| plate.rect).collect();
    let ends = Ends::spread(links, drafts, &rects, rows);
    let mut gaps = Gaps { rows, rects: &rects, used: vec![vec![]; rows.nodes.len()] };
    let mut lines = vec![];
    let mut targets: Vec<bool> = vec![false; rects.len()];
    for (i, link) in links.all.iter().enumerate() {
        let Some(way) = rows.ways[i] else { continue };
        let from = Point::new(ends.from[i], 0.0);
        let to = Point::new(ends.to[i], 0.0);
        let (start, segments) = match way {
            Way::Loop(n) => around(&rects[link.from], n),
            Way::Straight => straight(&rects[link.from], &rects[link.to]),
            Way::Bend { is_above, depth } => {
                let row = placed.row[link.from];
                bend(&rects[link.from], &rects[link.to], (from.x, to.x), is_above, depth, rows.bottom(row))
            }
            Way::Down | Way::Up => {
                let given = placed.crossings.get(i).map(Vec::as_slice).unwrap_or_default();
                let is_down = way == Way::Down;
                let (upper, lower) = if is_down { (link.from, link.to) } else { (link.to, link.from) };
                let (upper_x, lower_x) = if is_down { (from.x, to.x) } else { (to.x, from.x) };
                let crossings = gaps.cross((placed.row[upper], placed.row[lower]), (upper_x, lower_x), given);
                let down = through(
                    (Point::new(upper_x, rects[upper].bottom()), placed.row[upper]),
                    (Point::new(lower_x, rects[lower].y), placed.row[lower]),
                    &crossings,
                    rows,
                );
                if is_down { down } else { reversed(down) }
            }
        };
        let is_first = !std::mem::replace(&mut targets[link.to], true);
        lines.push(Line {
            from: link.from,
            to: link.to,
            field: link.field.clone(),
            kind: kind(link, is_first),
            back: link.back.clone(),
            start,
            segments,
        });
    }
    lines
}

fn kind(link: &Link, is_first: bool) -> LineKind {
    match link.role {
        _ if link.is_index => LineKind::Index,
        Role::Back | Role::Up => LineKind::Back,
        Role::Left | Role::Right | Role::Along => LineKind::Shape,
        Role::Down if is_first => LineKind::Shape,
        Role::Down => LineKind::Cross,
    }
}

/// Where links meet the upper and lower edges of plates, from the left.
struct Ends {
    from: Vec<f64>,
    to: Vec<f64>,
}

impl Ends {
    /// Spreads the ends that have no cell of their own evenly, in the order of their other ends.
    fn spread(links: &Links, drafts: &[Draft], rects: &[Rect], rows: &Rows) -> Ends {
        let centers: Vec<f64> = rects.iter().map(Rect::center).collect();
        let mut ends = Ends {
            from: links.all.iter().map(|link| centers[link.from]).collect(),
            to: links.all.iter().map(|link| centers[link.to]).collect(),
        };
        // Plate, edge, place of the other end, link, whether it is the start.
        let mut free: Vec<(usize, Side, f64, usize, bool)> = vec![];
        for (i, link) in links.all.iter().enumerate() {
            let (out, into) = match rows.ways[i] {
                Some(Way::Down) => (Side::Bottom, Side::Top),
                Some(Way::Up) => (Side::Top, Side::Bottom),
                Some(Way::Bend { is_above: true, .. }) => (Side::Top, Side::Top),
                Some(Way::Bend { is_above: false, .. }) => (Side::Bottom, Side::Bottom),
                _ => continue,
            };
            match drafts[link.from].port(link.place).filter(|_| out == Side::Bottom) {
                Some(port) => ends.from[i] = rects[link.from].x + port,
                None => free.push((link.from, out, order(link.role, centers[link.to]), i, true)),
            }
            free.push((link.to, into, centers[link.from], i, false));
        }
        free.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)).then(a.3.cmp(&b.3)));
        for group in free.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let rect = rects[group[0].0];
            for (n, &(_, _, _, i, is_start)) in group.iter().enumerate() {
                let x = rect.x + rect.w * (n + 1) as f64 / (group.len() + 1) as f64;
                if is_start { ends.from[i] = x } else { ends.to[i] = x }
            }
        }
        ends
    }
}

/// Links to the left start on the left, wherever a shared object is.
fn order(role: Role, x: f64) -> f64 {
    match role {
        Role::Left => f64::MIN,
        Role::Right => f64::MAX,
        _ => x,
    }
}

/// The gaps between the plates of each row, and the lines that pass through them.
struct Gaps<'a> {
    rows: &'a Rows,
    rects: &'a [Rect],
    used: Vec<Vec<f64>>,
}

impl Gaps<'_> {
    /// Returns where a line crosses the rows between two others. Given places are kept.
    fn cross(&mut self, (upper, lower): (usize, usize), (from, to): (f64, f64), given: &[f64]) -> Vec<f64> {
        let count = lower - upper - 1;
        let mut crossings = vec![];
        for n in 0..count {
            let row = upper + 1 + n;
            let t = (n + 1) as f64 / (count + 1) as f64;
            let wanted = from + (to - from) * t;
            let x = given.get(n).copied().unwrap_or_else(|| self.free(row, wanted));
            self.used[row].push(x);
            crossings.push(x);
        }
        crossings
    }

    /// Returns the place next to a wanted one where a line can pass, and no other one does.
    fn free(&self, row: usize, wanted: f64) -> f64 {
        let blocked: Vec<(f64, f64)> = self.rows.nodes[row]
            .iter()
            .map(|&node| (self.rects[node].x - CLEARANCE, self.rects[node].right() + CLEARANCE))
            .collect();
        let is_free = |x: f64| !blocked.iter().any(|&(low, high)| low < x && x < high);
        let is_alone = |x: f64| self.used[row].iter().all(|&other| (other - x).abs() >= BETWEEN - 0.01);
        let mut candidates = vec![wanted];
        candidates.extend(blocked.iter().flat_map(|&(low, high)| [low, high]));
        let beside: Vec<f64> = self.used[row].iter().flat_map(|&x| [x - BETWEEN, x + BETWEEN]).collect();
        candidates.extend(beside);
        let nearest = |fits: &dyn Fn(f64) -> bool| {
            let distance = |x: &f64| (x - wanted).abs();
            candidates.iter().copied().filter(|&x| fits(x)).min_by(|a, b| distance(a).total_cmp(&distance(b)))
        };
        let alone = nearest(&|x| is_free(x) && is_alone(x));
        alone.or_else(|| nearest(&is_free)).unwrap_or(wanted)
    }
}

/// A line downwards: out of a plate, through gaps, onto another plate.
fn through(
    (start, upper): (Point, usize),
    (end, lower): (Point, usize),
    crossings: &[f64],
    rows: &Rows,
) -> (Point, Vec<Segment>) {
    let mut segments = vec![];
    let mut at = Point::new(start.x, rows.bottom(upper));
    if at.y > start.y {
        segments.push(Segment::To(at));
    }
    for (n, &x) in crossings.iter().enumerate() {
        let row = upper + 1 + n;
        segments.push(curve(at, Point::new(x, rows.top(row))));
        at = Point::new(x, rows.bottom(row));
        segments.push(Segment::To(at));
    }
    debug_assert_eq!(end.y, rows.top(lower), "plates hang from the top of their row");
    segments.push(curve(at, end));
    (start, segments)
}

/// A line from the owner of a vector to the frame of its elements, in the row below.
pub(super) fn to_frame(start: Point, row_bottom: f64, frame: &Rect) -> Vec<Segment> {
    let at = Point::new(start.x, row_bottom);
    let end = Point::new(start.x.clamp(frame.x + 12.0, (frame.right() - 12.0).max(frame.x + 12.0)), frame.y);
    let mut segments = if at.y > start.y { vec![Segment::To(at)] } else { vec![] };
    segments.push(curve(at, end));
    segments
}

/// A curve that leaves and arrives vertically, and so stays between both heights.
fn curve(from: Point, to: Point) -> Segment {
    if (from.x - to.x).abs() < 0.5 {
        return Segment::To(to);
    }
    let middle = (from.y + to.y) / 2.0;
    Segment::Curve(Point::new(from.x, middle), Point::new(to.x, middle), to)
}

/// The same line, from its end to its start.
fn reversed((start, segments): (Point, Vec<Segment>)) -> (Point, Vec<Segment>) {
    let mut points = vec![start];
    points.extend(segments.iter().map(Segment::end));
    let mut back = vec![];
    for (segment, &to) in segments.iter().zip(&points).rev() {
        back.push(match *segment {
            Segment::To(_) => Segment::To(to),
            Segment::Curve(a, b, _) => Segment::Curve(b, a, to),
        });
    }
    (points[points.len() - 1], back)
}

/// A line to the neighbour in the row.
fn straight(from: &Rect, to: &Rect) -> (Point, Vec<Segment>) {
    let y = from.y + from.h.min(to.h) / 2.0;
    let (start, end) = if from.x < to.x { (from.right(), to.x) } else { (from.x, to.right()) };
    (Point::new(start, y), vec![Segment::To(Point::new(end, y))])
}

/// A line to another plate of the same row, above or below the row.
fn bend(
    from: &Rect,
    to: &Rect,
    (from_x, to_x): (f64, f64),
    is_above: bool,
    depth: usize,
    bottom: f64,
) -> (Point, Vec<Segment>) {
    // The curve reaches three quarters of the way to its control points.
    let control = reach(depth) / 0.75;
    if is_above {
        let y = from.y - control;
        let (start, end) = (Point::new(from_x, from.y), Point::new(to_x, to.y));
        return (start, vec![Segment::Curve(Point::new(from_x, y), Point::new(to_x, y), end)]);
    }
    let (start, end) = (Point::new(from_x, from.bottom()), Point::new(to_x, to.bottom()));
    let y = bottom + control;
    let mut segments = vec![];
    if start.y < bottom {
        segments.push(Segment::To(Point::new(from_x, bottom)));
    }
    segments.push(Segment::Curve(Point::new(from_x, y), Point::new(to_x, y), Point::new(to_x, bottom)));
    if end.y < bottom {
        segments.push(Segment::To(end));
    }
    (start, segments)
}

/// A line from a plate to itself, on its right.
fn around(rect: &Rect, n: usize) -> (Point, Vec<Segment>) {
    let reach = (LOOP - 8.0 + LOOP * n as f64) / 0.75;
    let (upper, lower) = (rect.y + rect.h * 0.25, rect.y + rect.h * 0.75);
    let inset = (n as f64 * 3.0).min(rect.h / 5.0);
    let (start, end) = (Point::new(rect.right(), lower - inset), Point::new(rect.right(), upper + inset));
    let x = rect.right() + reach;
    (start, vec![Segment::Curve(Point::new(x, start.y), Point::new(x, end.y), end)])
}
