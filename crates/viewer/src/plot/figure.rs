//! What all plots have in common: drawings of two widths, figures of pages, and how their parts look.

use super::table::Table;
use std::fmt::{self, Write};

/// What the classes of plots and tables mean on a page, in both themes, on paper, and on phones.
pub const STYLE: &str = include_str!("../../page/plot.css");

/// The width of a character.
pub(super) const CHARACTER: f64 = 6.6;

/// The width of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// For a desk or a sheet of paper.
    Wide,
    /// For a phone.
    Narrow,
}

/// What is written, as the text of a drawing.
pub(super) fn drawn(write: impl FnOnce(&mut String) -> fmt::Result) -> Option<String> {
    let mut svg = String::new();
    write(&mut svg).ok().map(|()| svg)
}

/// Something that can be drawn, and written as a table.
pub trait Plot {
    /// What it shows.
    fn title(&self) -> &str;

    /// The drawing, with its title in it if it stands alone. None for what is only a table.
    fn draw(&self, width: Width, has_title: bool) -> Option<String>;

    /// The same in words.
    fn table(&self) -> Table;

    /// Whether the drawing is as large as its content, and is not made smaller.
    fn is_natural(&self) -> bool {
        false
    }

    /// The drawing as a file of its own. Empty for what is only a table.
    fn to_svg(&self) -> String {
        self.draw(Width::Wide, true).unwrap_or_default()
    }

    /// An element of a page with [`STYLE`]: the drawing, and the same as a table.
    fn to_figure(&self) -> String {
        let title = escaped(self.title());
        let table = self.table().to_html();
        let natural = if self.is_natural() { " plot-natural" } else { "" };
        let region = |class: &str, content: &str| {
            format!(r#"<div class="{class}" tabindex="0" role="region" aria-label="{title}">{content}</div>"#)
        };
        let drawn = [(Width::Wide, "plot-wide"), (Width::Narrow, "plot-narrow")].map(|(width, class)| {
            self.draw(width, false).map(|svg| region(&format!("{class}{natural}"), svg.trim_end()))
        });
        let content = match drawn {
            [Some(wide), Some(narrow)] => {
                let table = region("plot-scrolls", &table);
                format!("{wide}{narrow}<details><summary>As a table</summary>{table}</details>")
            }
            _ => region("plot-scrolls", &table),
        };
        format!(r#"<figure class="plot-figure"><figcaption>{title}</figcaption>{content}</figure>"#)
    }
}

/// The colours of the light theme, and the dashes of lines.
const STYLES: [(&str, &str); 6] = [
    ("#1b6ca8", "none"),
    ("#c04a06", "none"),
    ("#1f7a3e", "8 4"),
    ("#8a3ba8", "3 3"),
    ("#555d66", "8 3 2 3"),
    ("#b01030", "1 3"),
];

/// How the series with an index looks. After six, colours come with other dashes and shapes.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    color: usize,
    dashes: usize,
}

impl Pen {
    pub(super) fn new(index: usize) -> Pen {
        Pen { color: index % 6, dashes: (index + index / 6) % 6 }
    }

    pub(super) fn stroke(self) -> String {
        let (n, color, dashes) = (self.color, STYLES[self.color].0, STYLES[self.dashes].1);
        format!(
            r#"class="plot-stroke-{n}" fill="none" stroke="{color}" stroke-width="2" stroke-dasharray="{dashes}""#
        )
    }

    pub(super) fn fill(self) -> String {
        format!(r#"class="plot-fill-{n}" fill="{color}""#, n = self.color, color = STYLES[self.color].0)
    }

    /// The shape of a dot around a place.
    pub(super) fn dot(self, (x, y): (f64, f64)) -> String {
        let shape = match self.dashes {
            0 => "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
            1 => "m-3.2-3.2h6.4v6.4h-6.4z",
            2 => "m0-4.2l4 7h-8z",
            3 => "m0-4.6l4.6 4.6l-4.6 4.6l-4.6-4.6z",
            4 => "m0 4.2l4-7h-8z",
            _ => "m-1.2-4.2h2.4v3h3v2.4h-3v3h-2.4v-3h-3v-2.4h3z",
        };
        format!(r#"<path d="M{x:.1} {y:.1}{shape}" {}/>"#, self.fill())
    }
}

/// Begins a drawing: its size, its title, and its paper.
pub(super) fn begin(svg: &mut String, title: &str, (width, height): (f64, f64)) -> fmt::Result {
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" font-family="system-ui, sans-serif" font-size="12" role="img">"#
    )?;
    writeln!(svg, "<title>{}</title>", escaped(title))?;
    writeln!(svg, r##"<rect class="plot-paper" width="{width:.0}" height="{height:.0}" fill="#ffffff"/>"##)
}

/// A line of the grid or of an axis.
pub(super) fn line(svg: &mut String, from: (f64, f64), to: (f64, f64), is_axis: bool) -> fmt::Result {
    let ((x1, y1), (x2, y2)) = (from, to);
    let (class, color) = if is_axis { ("plot-axis", "#33506b") } else { ("plot-grid", "#dfe5ea") };
    writeln!(svg, r#"<path class="{class}" d="M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}" stroke="{color}"/>"#)
}

/// A text: `start`, `middle` or `end` of it is at the place.
pub(super) fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, text: &str) -> fmt::Result {
    writeln!(
        svg,
        r##"<text class="plot-ink" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" fill="#15202b">{}</text>"##,
        escaped(text)
    )
}

/// A text that is read from bottom to top. It begins at the place, or has its middle there.
pub(super) fn upright(svg: &mut String, (x, y): (f64, f64), anchor: &str, text: &str) -> fmt::Result {
    writeln!(
        svg,
        r##"<text class="plot-ink" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}" transform="rotate(-90 {x:.1} {y:.1})" fill="#15202b">{}</text>"##,
        escaped(text)
    )
}

/// How wide a text is, about.
pub(super) fn width_of(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

/// As much of a text as fits into a width.
pub(super) fn cut(text: &str, width: f64) -> String {
    let most = (width / CHARACTER).max(2.0) as usize;
    match text.chars().count() > most {
        true => text.chars().take(most - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// Writes a number with a few significant digits.
pub(super) fn number(value: f64) -> String {
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

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 1.0, 1024.0, 0.25, 12.3456, 123_456.7, 0.000_012_3].map(number);
        assert_eq!(texts, ["0", "1", "1024", "0.25", "12.35", "123457", "1.2e-5"]);
    }

    /// Relative luminance, by the definition of WCAG.
    fn luminance(color: &str) -> f64 {
        let channel = |at: usize| {
            let c = f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap()) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// The value of a variable in a block of the style.
    fn variable<'a>(block: &'a str, name: &str) -> &'a str {
        let start = block.find(&format!("--plot-{name}: ")).unwrap() + name.len() + 9;
        &block[start..start + 7]
    }

    #[test]
    fn colours_have_contrast_in_both_themes() {
        let blocks: Vec<&str> = STYLE.split('{').filter(|block| block.contains("--plot-paper: ")).collect();
        assert_eq!(blocks.len(), 3);
        assert_eq!(blocks[1].split('}').next(), blocks[2].split('}').next(), "the dark theme twice");
        for block in blocks {
            let of = |name: &str| variable(block, name);
            let papers = ["paper", "good", "bad", "neutral"];
            for paper in papers {
                assert!(contrast(of("ink"), of(paper)) >= 7.0, "ink on {paper}");
            }
            assert!(contrast(of("muted"), of("paper")) >= 4.5);
            assert!(contrast(of("axis"), of("paper")) >= 3.0);
            for n in ["0", "1", "2", "3", "4", "5"] {
                assert!(contrast(of(n), of("paper")) >= 4.5, "{n}: {}", contrast(of(n), of("paper")));
            }
        }
    }

    #[test]
    fn files_have_the_colours_of_the_light_theme() {
        for (i, (color, _)) in STYLES.iter().enumerate() {
            assert_eq!(variable(STYLE, &i.to_string()), *color);
        }
    }
}
