//! Bars: a group for each name.

use super::chart::Axis;
use super::figure::{Pen, Plot, Width, begin, cut, drawn, line, number, text, width_of};
use super::ruler::Ruler;
use super::table::Table;
use std::fmt::{self, Write};

const BAR: f64 = 15.0;
/// Between groups.
const GAP: f64 = 9.0;
const BOTTOM: f64 = 46.0;

/// A group of bars for each name, from left to right.
///
/// ```
/// use smallscope_viewer::plot::{Axis, Bars};
///
/// let bars = Bars::new("Seconds", Axis::decimal("s"), ["before", "after"])
///     .bar("search tree", [Some(12.0), Some(0.5)])
///     .bar("heap", [None, Some(3.0)]);
/// assert_eq!(bars.to_string().lines().last(), Some("| heap |  | 3 |"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// What it shows.
    pub title: String,
    /// What lengths mean. Where distances are quotients, bars begin at the power below the least number.
    pub axis: Axis,
    /// The names of the bars of a group.
    pub names: Vec<String>,
    /// The names of the groups, with a number for each bar, or none.
    pub groups: Vec<(String, Vec<Option<f64>>)>,
}

impl Bars {
    /// Bars with the names of those of a group; without groups.
    pub fn new<N: Into<String>>(
        title: impl Into<String>,
        axis: Axis,
        names: impl IntoIterator<Item = N>,
    ) -> Bars {
        let names = names.into_iter().map(Into::into).collect();
        Bars { title: title.into(), axis, names, groups: vec![] }
    }

    /// Adds a group.
    pub fn bar(mut self, name: impl Into<String>, lengths: impl IntoIterator<Item = Option<f64>>) -> Bars {
        self.groups.push((name.into(), lengths.into_iter().collect()));
        self
    }

    fn write_svg(&self, svg: &mut String, wide: Width, has_title: bool) -> fmt::Result {
        let is_wide = wide == Width::Wide;
        let width = if is_wide { 720.0 } else { 340.0 };
        let lengths = || self.groups.iter().flat_map(|(_, lengths)| lengths.iter().copied().flatten());
        let longest = self.groups.iter().map(|(name, _)| width_of(name)).fold(0.0, f64::max);
        // On a phone, names are above their bars.
        let left = if is_wide { 16.0 + longest.min(280.0) } else { 22.0 };
        let above = if is_wide { 0.0 } else { 16.0 };
        let numbers = lengths().map(|length| width_of(&number(length))).fold(0.0, f64::max);
        // One name says nothing that the title does not say.
        let names: &[String] = if self.names.len() > 1 { &self.names } else { &[] };
        let title = if has_title { 34.0 } else { 14.0 };
        let top = title + BAR * names.len() as f64 + 6.0;
        let rows = |lengths: &Vec<Option<f64>>| above + BAR * lengths.len() as f64 + GAP;
        let bottom = top + self.groups.iter().map(|(_, lengths)| rows(lengths)).sum::<f64>();
        let mut ruler = Ruler::new(self.axis.scale, lengths(), left, width);
        let right = width - 16.0 - numbers.max(ruler.widest() / 2.0);
        ruler.to = right;
        begin(svg, &self.title, (width, bottom + BOTTOM))?;
        if has_title {
            text(svg, (width / 2.0, 20.0), "middle", &cut(&self.title, width - 20.0))?;
        }
        for (value, label) in ruler.fitting(|label| width_of(label) + 8.0) {
            let at = ruler.place(value);
            line(svg, (at, top), (at, bottom), false)?;
            text(svg, (at, bottom + 16.0), "middle", &label)?;
        }
        text(svg, ((left + right) / 2.0, bottom + 36.0), "middle", &cut(&self.axis.label, right - left))?;
        for (i, name) in names.iter().enumerate() {
            let at = title - 4.0 + BAR * i as f64;
            bar(svg, (left, at - 5.0), 28.0, Pen::new(i))?;
            text(svg, (left + 34.0, at + 4.0), "start", &cut(name, width - left - 44.0))?;
        }
        let mut at = top;
        for (name, lengths) in &self.groups {
            let middle = at + GAP / 2.0 + BAR * lengths.len() as f64 / 2.0 + 4.0;
            match is_wide {
                true => text(svg, (left - 6.0, middle), "end", &cut(name, 280.0))?,
                false => text(svg, (left, at + 15.0), "start", &cut(name, width - 32.0))?,
            }
            let first = at + above + GAP / 2.0;
            for (i, length) in lengths.iter().enumerate() {
                let Some(length) = length else { continue };
                let y = first + BAR * i as f64;
                let end = if ruler.has(*length) { ruler.place(*length) } else { left };
                bar(svg, (left, y + 1.0), end - left, Pen::new(i))?;
                text(svg, (end + 5.0, y + 11.5), "start", &number(*length))?;
            }
            at += rows(lengths);
        }
        line(svg, (left, top), (left, bottom), true)?;
        writeln!(svg, "</svg>")
    }
}

fn bar(svg: &mut String, (x, y): (f64, f64), length: f64, pen: Pen) -> fmt::Result {
    let (height, fill) = (BAR - 3.0, pen.fill());
    writeln!(svg, r#"<rect x="{x:.1}" y="{y:.1}" width="{length:.1}" height="{height}" {fill}/>"#)
}

impl Plot for Bars {
    fn title(&self) -> &str {
        &self.title
    }

    fn draw(&self, width: Width, has_title: bool) -> Option<String> {
        drawn(|svg| self.write_svg(svg, width, has_title))
    }

    fn table(&self) -> Table {
        let head = [self.axis.label.clone()].into_iter().chain(self.names.iter().cloned());
        self.groups.iter().fold(Table::new(&*self.title, head), |table, (name, lengths)| {
            let lengths = lengths.iter().map(|length| length.map_or(String::new(), number));
            table.row([name.clone()].into_iter().chain(lengths))
        })
    }
}

/// The numbers as a table: a row for each group.
impl fmt::Display for Bars {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table().fmt(f)
    }
}
