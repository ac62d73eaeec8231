//! A drawing in coordinates: plates for objects, lines for links. Every output is made from it.

/// A drawing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// The width of the whole.
    pub width: f64,
    /// The height of the whole.
    pub height: f64,
    /// Around the elements of vectors of objects.
    pub frames: Vec<Frame>,
    /// One per node of the graph, in the same order.
    pub plates: Vec<Plate>,
    /// The links.
    pub lines: Vec<Line>,
}

/// A place.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Point {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// An area.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Rect {
    /// The left end.
    pub x: f64,
    /// The upper end.
    pub y: f64,
    /// The width.
    pub w: f64,
    /// The height.
    pub h: f64,
}

/// What a node looks like.
#[derive(Debug, Clone, PartialEq)]
pub struct Plate {
    /// The name of the node.
    pub name: String,
    /// All of its fields in words, for tooltips.
    pub hint: String,
    /// Where it is.
    pub rect: Rect,
    /// Its colour.
    pub tone: Tone,
    /// What is written on it.
    pub texts: Vec<Text>,
    /// Elements, and the places from which links start.
    pub cells: Vec<Cell>,
}

/// The colour of a plate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// The value itself, or an input.
    Root,
    /// An object.
    Object,
    /// A field says that it is red.
    Red,
    /// A field says that it is black.
    Black,
}

/// Something written.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// The left end of the base line.
    pub at: Point,
    /// The width that is reserved for it.
    pub width: f64,
    /// What is written.
    pub text: String,
    /// The field that it is about, or nothing.
    pub field: String,
    /// What it is.
    pub kind: TextKind,
}

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// The name of a node.
    Name,
    /// What an object is known by.
    Key,
    /// The name of a field.
    Label,
    /// What a field holds.
    Value,
    /// When the invariant read a field.
    Order {
        /// The invariant rejected the value after this read.
        is_last: bool,
    },
}

/// A box inside of a plate.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Where it is.
    pub rect: Rect,
    /// The field that it is about.
    pub field: String,
    /// What it stands for.
    pub shape: CellShape,
}

/// What a cell stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellShape {
    /// An element of a vector or an array.
    Element,
    /// An element of a set, or a pair of a map.
    Member,
    /// A pointer.
    Port,
}

/// Around the elements of a vector of objects.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// Where it is.
    pub rect: Rect,
    /// The number of the node that has the vector.
    pub owner: usize,
    /// Its field.
    pub field: String,
    /// The line to it from its owner: where it starts, and how it goes on.
    pub start: Point,
    /// The rest of the line.
    pub segments: Vec<Segment>,
}

/// A link.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The number of the node where it starts.
    pub from: usize,
    /// The number of the node where it ends.
    pub to: usize,
    /// The field.
    pub field: String,
    /// What it is.
    pub kind: LineKind,
    /// The field that leads back, if a link of the other node does.
    pub back: Option<String>,
    /// Where it starts.
    pub start: Point,
    /// How it goes on.
    pub segments: Vec<Segment>,
}

/// What a link is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// Part of the shape: to a child, or to the next one.
    Shape,
    /// To an object that the shape leads to in another way, too.
    Cross,
    /// Back to a parent, or to the one before.
    Back,
    /// An index into a vector.
    Index,
}

/// A part of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Segment {
    /// Straight to a point.
    To(Point),
    /// A cubic curve: two control points, and the end.
    Curve(Point, Point, Point),
}

impl Point {
    /// A point.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }
}

impl Rect {
    /// The right end.
    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    /// The lower end.
    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    /// The middle, from the left.
    pub fn center(&self) -> f64 {
        self.x + self.w / 2.0
    }

    /// Whether two areas have more than an edge in common.
    pub fn overlaps(&self, other: &Rect) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    /// Whether a point lies inside, and not on the edge.
    pub fn contains(&self, point: Point) -> bool {
        self.x < point.x && point.x < self.right() && self.y < point.y && point.y < self.bottom()
    }

    /// Whether another area lies inside.
    pub fn encloses(&self, other: &Rect) -> bool {
        self.x <= other.x
            && other.right() <= self.right()
            && self.y <= other.y
            && other.bottom() <= self.bottom()
    }
}

impl Line {
    /// Returns points along the line, close to each other.
    pub fn points(&self) -> Vec<Point> {
        const STEPS: u32 = 24;
        let mut points = vec![self.start];
        let mut from = self.start;
        for segment in &self.segments {
            for step in 1..=STEPS {
                let t = f64::from(step) / f64::from(STEPS);
                let u = 1.0 - t;
                points.push(match *segment {
                    Segment::To(to) => Point::new(u * from.x + t * to.x, u * from.y + t * to.y),
                    Segment::Curve(a, b, to) => {
                        let along = |p: fn(&Point) -> f64| {
                            u * u * u * p(&from)
                                + 3.0 * u * u * t * p(&a)
                                + 3.0 * u * t * t * p(&b)
                                + t * t * t * p(&to)
                        };
                        Point::new(along(|p| p.x), along(|p| p.y))
                    }
                });
            }
            from = segment.end();
        }
        points
    }

    /// Returns where it ends.
    pub fn end(&self) -> Point {
        self.segments.last().map_or(self.start, Segment::end)
    }
}

impl Segment {
    /// Returns where it ends.
    pub fn end(&self) -> Point {
        match *self {
            Segment::To(end) | Segment::Curve(_, _, end) => end,
        }
    }
}
