//! Lines and dots over a horizontal axis.

use super::figure::{Pen, Plot, Width, begin, cut, drawn, line, number, text, upright, width_of};
use super::ruler::Ruler;
use super::table::Table;
use std::fmt::{self, Write};

/// The height of a name.
const NAME: f64 = 16.0;
/// What is below the horizontal axis.
const BOTTOM: f64 = 46.0;

/// Lines and dots over a horizontal axis.
///
/// ```
/// use smallscope_viewer::plot::{Axis, Chart, Plot, Point, Series};
///
/// let chart = Chart::new("Squares", Axis::linear("x"), Axis::linear("y"))
///     .line(Series::new("x²", (0..5).map(|x| Point::new(x, x * x))));
/// assert!(chart.to_svg().starts_with("<svg"));
/// assert_eq!(chart.to_string().lines().last(), Some("| 4 | 16 |"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// From left to right.
    pub x: Axis,
    /// From bottom to top.
    pub y: Axis,
    /// What is drawn.
    pub series: Vec<Series>,
    /// Places on the horizontal axis that are marked with a word.
    pub marks: Vec<(f64, String)>,
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What is on it.
    pub label: String,
    /// What a distance on it means.
    pub scale: Scale,
}

/// What a distance on an axis means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Differences; the axis begins at zero.
    Linear,
    /// Quotients, with marks at powers of two.
    Binary,
    /// Quotients, with marks at powers of ten.
    Decimal,
}

/// Points that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What it is.
    pub name: String,
    /// From left to right, if a line leads through them.
    pub points: Vec<Point>,
    /// Whether there is a line.
    pub look: Look,
}

/// How points are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// A line through all of them. A single point is a dot.
    Line,
    /// A dot for each.
    Dots,
    /// A line with dots.
    Both,
}

/// A point of a line, with the spread around it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Where it is on the horizontal axis.
    pub x: f64,
    /// What is drawn.
    pub y: f64,
    /// The least and the greatest of what `y` is a mean of.
    pub spread: (f64, f64),
}

impl Point {
    /// A point without a spread.
    pub fn new(x: impl Into<f64>, y: impl Into<f64>) -> Point {
        let y = y.into();
        Point { x: x.into(), y, spread: (y, y) }
    }

    /// The mean of some values, and how far they are apart. None if there are no values.
    pub fn mean(x: impl Into<f64>, values: &[f64]) -> Option<Point> {
        let (low, high) =
            (values.iter().copied().reduce(f64::min)?, values.iter().copied().reduce(f64::max)?);
        let y = values.iter().sum::<f64>() / values.len() as f64;
        Some(Point { x: x.into(), y, spread: (low, high) })
    }
}

impl Series {
    /// A line through some points.
    pub fn new(name: impl Into<String>, points: impl IntoIterator<Item = Point>) -> Series {
        Series { name: name.into(), points: points.into_iter().collect(), look: Look::Line }
    }

    /// Dots in place of the line.
    pub fn dots(self) -> Series {
        Series { look: Look::Dots, ..self }
    }

    /// Dots on the line.
    pub fn with_dots(self) -> Series {
        Series { look: Look::Both, ..self }
    }
}

impl Axis {
    /// Distances are differences.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Linear }
    }

    /// Distances are quotients, with marks at powers of two.
    pub fn binary(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Binary }
    }

    /// Distances are quotients, with marks at powers of ten.
    pub fn decimal(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), scale: Scale::Decimal }
    }
}

impl Chart {
    /// A chart without lines.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Chart {
        Chart { title: title.into(), x, y, series: vec![], marks: vec![] }
    }

    /// Adds a series: a line, or dots.
    pub fn line(mut self, series: Series) -> Chart {
        self.series.push(series);
        self
    }

    /// Marks a place on the horizontal axis with a word.
    pub fn mark(mut self, x: impl Into<f64>, word: impl Into<String>) -> Chart {
        self.marks.push((x.into(), word.into()));
        self
    }

    /// The chart as an image. Points that are not above zero are left out where an axis has quotients.
    pub fn to_svg(&self) -> String {
        Plot::to_svg(self)
    }

    /// The chart as a table: names first, then a row for each place on the horizontal axis.
    pub fn table(&self) -> Table {
        Plot::table(self)
    }

    fn write_svg(&self, svg: &mut String, wide: Width, has_title: bool) -> fmt::Result {
        let (width, inner) = if wide == Width::Wide { (720.0, 290.0) } else { (340.0, 240.0) };
        let points = || self.series.iter().flat_map(|series| &series.points);
        let spreads = points().flat_map(|point| [point.y, point.spread.0, point.spread.1]);
        let title = if has_title { 34.0 } else { 16.0 };
        let top = title + NAME * self.series.len() as f64;
        let bottom = top + inner;
        let y = Ruler::new(self.y.scale, spreads, bottom, top);
        let left = 32.0 + y.widest();
        let mut x = Ruler::new(self.x.scale, points().map(|point| point.x), left, width);
        let right = width - 12.0 - x.widest() / 2.0;
        x.to = right;
        begin(svg, &self.title, (width, bottom + BOTTOM))?;
        let middle = (left + right) / 2.0;
        if has_title {
            text(svg, (width / 2.0, 20.0), "middle", &cut(&self.title, width - 20.0))?;
        }
        text(svg, (middle, bottom + 36.0), "middle", &cut(&self.x.label, right - left))?;
        upright(svg, (14.0, (top + bottom) / 2.0), "middle", &cut(&self.y.label, inner))?;
        for (value, label) in x.fitting(|label| width_of(label) + 8.0) {
            let at = x.place(value);
            line(svg, (at, top), (at, bottom), false)?;
            text(svg, (at, bottom + 16.0), "middle", &label)?;
        }
        for (value, label) in y.fitting(|_| 16.0) {
            let at = y.place(value);
            line(svg, (left, at), (right, at), false)?;
            text(svg, (left - 6.0, at + 4.0), "end", &label)?;
        }
        line(svg, (left, bottom), (right, bottom), true)?;
        line(svg, (left, top), (left, bottom), true)?;
        for (place, word) in &self.marks {
            let at = x.place(*place);
            line(svg, (at, top), (at, bottom), true)?;
            // On the side where there is room.
            let is_left = at + 4.0 + width_of(word) > right;
            let (at, anchor) = if is_left { (at - 4.0, "end") } else { (at + 4.0, "start") };
            text(svg, (at, bottom - 6.0), anchor, word)?;
        }
        for (i, series) in self.series.iter().enumerate() {
            draw(svg, series, Pen::new(i), &x, &y)?;
        }
        let begin_of_names = if wide == Width::Wide { left } else { 10.0 };
        for (i, series) in self.series.iter().enumerate() {
            let at = title - 4.0 + NAME * i as f64;
            self.name(svg, series, Pen::new(i), (begin_of_names, at, right))?;
        }
        writeln!(svg, "</svg>")
    }

    /// A name with what its series looks like.
    fn name(&self, svg: &mut String, series: &Series, pen: Pen, place: (f64, f64, f64)) -> fmt::Result {
        let (from, at, right) = place;
        let to = from + 28.0;
        if series.look != Look::Dots {
            writeln!(svg, r#"<path d="M{from:.1} {at:.1}H{to:.1}" {}/>"#, pen.stroke())?;
        }
        if series.look != Look::Line {
            writeln!(svg, "{}", pen.dot(((from + to) / 2.0, at)))?;
        }
        text(svg, (to + 6.0, at + 4.0), "start", &cut(&series.name, right - to - 6.0))
    }
}

/// A line, over the area of its spread, and dots.
fn draw(svg: &mut String, series: &Series, pen: Pen, x: &Ruler, y: &Ruler) -> fmt::Result {
    let points: Vec<&Point> = series.points.iter().filter(|p| x.has(p.x) && y.has(p.y)).collect();
    let path = |points: &mut dyn Iterator<Item = (f64, f64)>| {
        let places = points.map(|(px, py)| format!("{:.1} {:.1}", x.place(px), y.place(py)));
        places.collect::<Vec<_>>().join("L")
    };
    // Below what an axis of quotients can show, the spread ends at the point.
    let low = |point: &&Point| (point.x, if y.has(point.spread.0) { point.spread.0 } else { point.y });
    let is_line = series.look != Look::Dots && points.len() > 1;
    let has_spread = points.iter().any(|point| point.spread.0 < point.spread.1);
    if has_spread && is_line {
        let mut around = points.iter().map(|p| (p.x, p.spread.1)).chain(points.iter().rev().map(low));
        writeln!(svg, r#"<path d="M{}Z" {} fill-opacity="0.15"/>"#, path(&mut around), pen.fill())?;
    }
    if is_line {
        writeln!(svg, r#"<path d="M{}" {}/>"#, path(&mut points.iter().map(|p| (p.x, p.y))), pen.stroke())?;
    }
    if series.look == Look::Line && is_line {
        return Ok(());
    }
    for point in &points {
        if point.spread.0 < point.spread.1 && !is_line {
            let mut ends = [low(point), (point.x, point.spread.1)].into_iter();
            writeln!(svg, r#"<path d="M{}" {}/>"#, path(&mut ends), pen.stroke())?;
        }
        writeln!(svg, "{}", pen.dot((x.place(point.x), y.place(point.y))))?;
    }
    Ok(())
}

impl Plot for Chart {
    fn title(&self) -> &str {
        &self.title
    }

    fn draw(&self, width: Width, has_title: bool) -> Option<String> {
        drawn(|svg| self.write_svg(svg, width, has_title))
    }

    fn table(&self) -> Table {
        let names = self.series.iter().map(|series| series.name.clone());
        let mut table = Table::new(&*self.title, [self.x.label.clone()].into_iter().chain(names));
        let mut places: Vec<f64> =
            self.series.iter().flat_map(|series| series.points.iter().map(|point| point.x)).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        for place in places {
            // Dots may be above each other.
            let at = |series: &Series| {
                let points = series.points.iter().filter(|point| point.x == place).map(written);
                points.collect::<Vec<_>>().join(", ")
            };
            table = table.row([number(place)].into_iter().chain(self.series.iter().map(at)));
        }
        table
    }
}

fn written(point: &Point) -> String {
    let Point { y, spread: (low, high), .. } = point;
    match low < high {
        true => format!("{} ({} to {})", number(*y), number(*low), number(*high)),
        false => number(*y),
    }
}

/// The chart as a table: a row for each place on the horizontal axis, a column for each series.
impl fmt::Display for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_gaps_and_spreads() {
        let mean = Point::mean(2, &[1.0, 3.0]).unwrap();
        let chart = Chart::new("a < b", Axis::binary("n"), Axis::linear("y"))
            .line(Series::new("one", [Point::new(1, 5), mean]))
            .line(Series::new("two", [Point::new(4, 0.5), Point::new(8, 1)]))
            .mark(2, "here");
        let rows = [
            "| n | one | two |",
            "|---|---|---|",
            "| 1 | 5 |  |",
            "| 2 | 2 (1 to 3) |  |",
            "| 4 |  | 0.5 |",
            "| 8 |  | 1 |",
        ];
        assert_eq!(chart.to_string().lines().collect::<Vec<_>>(), rows);
        let svg = chart.to_svg();
        assert!(svg.contains("a &lt; b") && svg.contains(">here<") && svg.trim_end().ends_with("</svg>"));
        // Two lines with their names, and one area.
        assert_eq!(svg.matches("fill-opacity").count(), 1);
        assert_eq!(svg.matches(r#"fill="none""#).count(), 4);
    }

    #[test]
    fn dots_have_shapes_and_bars_of_spread() {
        let points = [Point::mean(1, &[1.0, 3.0]).unwrap(), Point::new(1, 7), Point::new(2, 3)];
        let chart = Chart::new("t", Axis::linear("x"), Axis::decimal("y"))
            .line(Series::new("dots", points).dots())
            .line(Series::new("both", [Point::new(1, 1), Point::new(3, 10)]).with_dots())
            .line(Series::new("single", [Point::new(2, 2)]));
        let svg = chart.to_svg();
        // A circle for each point and the name, then squares, then a triangle that stands for a line of one point.
        assert_eq!(svg.matches("a3.5 3.5").count(), 2 * 4);
        assert_eq!(svg.matches("h6.4v6.4").count(), 3);
        assert_eq!(svg.matches("l4 7h-8z").count(), 1);
        // One spread, a line through both, and two lines beside names.
        assert_eq!(svg.matches(r#"fill="none""#).count(), 4);
        assert_eq!(chart.to_string().lines().nth(2), Some("| 1 | 2 (1 to 3), 7 | 1 |  |"));
    }
}
