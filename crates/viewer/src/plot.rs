//! Plots: lines over an axis, and tables of marks, as SVG or as text.
//!
//! Written by hand: a few lines need little, and a drawing crate would be compiled into every test build.

mod matrix;
mod ruler;

pub use matrix::{Mark, Matrix, Tone};

use std::fmt::{self, Write};

use ruler::Ruler;

const WIDTH: f64 = 720.0;
/// The height without the names of the lines.
const HEIGHT: f64 = 380.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 55.0;
/// The height of a name.
const NAME: f64 = 16.0;

/// Colours that differ in brightness too, with the dashes of their lines.
const STYLES: [(&str, &str); 6] = [
    ("#1b6ca8", "none"),
    ("#c8500a", "none"),
    ("#2a8a4a", "8 4"),
    ("#8a3ba8", "3 3"),
    ("#5a5a5a", "8 3 2 3"),
    ("#b01030", "1 3"),
];

/// Lines over a horizontal axis.
///
/// ```
/// use smallscope_viewer::plot::{Axis, Chart, Point, Series};
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
    /// The lines.
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

/// A line.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// What it is.
    pub name: String,
    /// From left to right.
    pub points: Vec<Point>,
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
        Series { name: name.into(), points: points.into_iter().collect() }
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

    /// Adds a line.
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
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x = Ruler::new(self.x.scale, points().map(|point| point.x), LEFT, WIDTH - RIGHT);
        let spreads = points().flat_map(|point| [point.y, point.spread.0, point.spread.1]);
        let names = NAME * self.series.len() as f64;
        let y = Ruler::new(self.y.scale, spreads, HEIGHT + names - BOTTOM, TOP + names);
        let mut svg = String::new();
        // Writing to a string does not fail.
        let _ = self.write_svg(&mut svg, &x, &y);
        svg
    }

    fn write_svg(&self, svg: &mut String, x: &Ruler, y: &Ruler) -> fmt::Result {
        let (top, bottom) = (y.to, y.from);
        let height = bottom + BOTTOM;
        writeln!(
            svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="12">"#
        )?;
        writeln!(svg, "<title>{}</title>", escaped(&self.title))?;
        writeln!(svg, r##"<rect width="{WIDTH}" height="{height}" fill="#fff"/>"##)?;
        let middle = (LEFT + WIDTH - RIGHT) / 2.0;
        text(svg, middle, 20.0, "middle", &self.title)?;
        text(svg, middle, height - 12.0, "middle", &self.x.label)?;
        let center = (top + bottom) / 2.0;
        writeln!(
            svg,
            r#"<text x="16" y="{center}" text-anchor="middle" transform="rotate(-90 16 {center})">{}</text>"#,
            escaped(&self.y.label)
        )?;
        for tick in x.ticks() {
            let at = x.place(tick);
            line(svg, (at, top), (at, bottom), "#e4e4e4")?;
            text(svg, at, bottom + 16.0, "middle", &number(tick))?;
        }
        for tick in y.ticks() {
            let at = y.place(tick);
            line(svg, (LEFT, at), (WIDTH - RIGHT, at), "#e4e4e4")?;
            text(svg, LEFT - 6.0, at + 4.0, "end", &number(tick))?;
        }
        line(svg, (LEFT, bottom), (WIDTH - RIGHT, bottom), "#000")?;
        line(svg, (LEFT, top), (LEFT, bottom), "#000")?;
        for (place, word) in &self.marks {
            let at = x.place(*place);
            line(svg, (at, top), (at, bottom), "#999")?;
            text(svg, at + 4.0, bottom - 6.0, "start", word)?;
        }
        for (series, style) in self.series.iter().zip(STYLES.iter().cycle()) {
            draw(svg, series, *style, x, y)?;
        }
        for (i, (series, (color, dashes))) in self.series.iter().zip(STYLES.iter().cycle()).enumerate() {
            let at = TOP + NAME * i as f64;
            let (from, to) = (LEFT, LEFT + 28.0);
            writeln!(
                svg,
                r#"<path d="M{from} {at}H{to}" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"/>"#
            )?;
            text(svg, to + 6.0, at + 4.0, "start", &series.name)?;
        }
        writeln!(svg, "</svg>")
    }
}

/// A line, over the area of its spread.
fn draw(
    svg: &mut String,
    series: &Series,
    (color, dashes): (&str, &str),
    x: &Ruler,
    y: &Ruler,
) -> fmt::Result {
    let points: Vec<&Point> = series.points.iter().filter(|p| x.has(p.x) && y.has(p.y)).collect();
    let path = |points: &mut dyn Iterator<Item = (f64, f64)>| {
        let places = points.map(|(px, py)| format!("{:.1} {:.1}", x.place(px), y.place(py)));
        places.collect::<Vec<_>>().join("L")
    };
    if points.iter().any(|point| point.spread.0 < point.spread.1) {
        // Below what an axis of quotients can show, the area ends at the line.
        let low = |point: &&Point| (point.x, if y.has(point.spread.0) { point.spread.0 } else { point.y });
        let mut around = points.iter().map(|p| (p.x, p.spread.1)).chain(points.iter().rev().map(low));
        writeln!(svg, r#"<path d="M{}Z" fill="{color}" fill-opacity="0.15"/>"#, path(&mut around))?;
    }
    let through = path(&mut points.iter().map(|p| (p.x, p.y)));
    if !points.is_empty() {
        writeln!(
            svg,
            r#"<path d="M{through}" fill="none" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}"/>"#
        )?;
    }
    Ok(())
}

impl Chart {
    /// The chart as a table: names first, then a row for each place on the horizontal axis.
    pub fn table(&self) -> Vec<Vec<String>> {
        let names = self.series.iter().map(|series| series.name.clone());
        let mut table = vec![[self.x.label.clone()].into_iter().chain(names).collect()];
        let mut places: Vec<f64> =
            self.series.iter().flat_map(|series| series.points.iter().map(|point| point.x)).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        for place in places {
            let mut row = vec![number(place)];
            for series in &self.series {
                row.push(match series.points.iter().find(|point| point.x == place) {
                    Some(Point { y, spread: (low, high), .. }) if low < high => {
                        format!("{} ({} to {})", number(*y), number(*low), number(*high))
                    }
                    Some(point) => number(point.y),
                    None => String::new(),
                });
            }
            table.push(row);
        }
        table
    }
}

/// The chart as a table: a row for each place on the horizontal axis, a column for each line.
impl fmt::Display for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_table(f, &self.table())
    }
}

/// Writes a table whose first row has the names of the columns.
fn write_table(f: &mut fmt::Formatter<'_>, table: &[Vec<String>]) -> fmt::Result {
    for (i, row) in table.iter().enumerate() {
        writeln!(f, "| {} |", row.join(" | "))?;
        if i == 0 {
            writeln!(f, "|{}", "---|".repeat(row.len()))?;
        }
    }
    Ok(())
}

/// Writes a number with a few significant digits.
fn number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.abs() < 1e-4 {
        return format!("{value:.1e}");
    }
    let digits = (3 - value.abs().log10().floor() as i32).clamp(0, 7) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

fn line(svg: &mut String, from: (f64, f64), to: (f64, f64), color: &str) -> fmt::Result {
    let ((x1, y1), (x2, y2)) = (from, to);
    writeln!(svg, r#"<path d="M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}" stroke="{color}"/>"#)
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, text: &str) -> fmt::Result {
    writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{}</text>"#, escaped(text))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 1.0, 1024.0, 0.25, 12.3456, 123_456.7, 0.000_012_3].map(number);
        assert_eq!(texts, ["0", "1", "1024", "0.25", "12.35", "123457", "1.2e-5"]);
    }

    #[test]
    fn tables_have_gaps_and_spreads() {
        let mean = Point::mean(2, &[1.0, 3.0]).unwrap();
        let chart = Chart::new("a < b", Axis::binary("n"), Axis::linear("y"))
            .line(Series::new("one", [Point::new(1, 5), mean]))
            .line(Series::new("two", [Point::new(4, 0.5)]))
            .mark(2, "here");
        let rows =
            ["| n | one | two |", "|---|---|---|", "| 1 | 5 |  |", "| 2 | 2 (1 to 3) |  |", "| 4 |  | 0.5 |"];
        assert_eq!(chart.to_string().lines().collect::<Vec<_>>(), rows);
        let svg = chart.to_svg();
        assert!(svg.contains("a &lt; b") && svg.contains(">here<") && svg.trim_end().ends_with("</svg>"));
        // Two lines, and one area.
        assert_eq!(svg.matches("fill-opacity").count(), 1);
        assert_eq!(svg.matches(r#"fill="none""#).count(), 2);
    }
}
