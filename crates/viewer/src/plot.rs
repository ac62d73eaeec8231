//! Plots for every part of the repository: charts of lines and dots, bars, matrices of marks, and tables. A plot is an SVG
//! file, a figure of an HTML page, or text.
//!
//! | type | shows |
//! |---|---|
//! | [`Chart`] | lines or dots over a horizontal axis; axes of differences, of powers of two, of powers of ten |
//! | [`Bars`] | a group of bars for each name |
//! | [`Matrix`] | marks where rows and columns meet |
//! | [`Table`] | texts, with marks that say whether they are as expected |
//! | [`Report`] | a page with all of these, as one HTML file without scripts |
//!
//! This module needs no feature and no dependency: a crate that depends on `smallscope-viewer` without default features has
//! plots only.
//!
//! ```
//! use smallscope_viewer::plot::{Axis, Bars, Cell, Chart, Mark, Point, Report, Series, Table};
//!
//! let runs = Chart::new("Runs by scope", Axis::linear("scope"), Axis::decimal("runs"))
//!     .line(Series::new("korat", [(3, 41.0), (4, 213.0), (5, 1_237.0)].map(|(x, y)| Point::new(x, y))))
//!     .line(Series::new("published", [Point::new(4, 210.0)]).dots());
//! let killed = Bars::new("Killed mutants", Axis::linear("mutants"), ["by all values", "by a tenth"])
//!     .bar("search tree", [Some(52.0), Some(49.0)])
//!     .bar("heap", [Some(31.0), None]);
//! let table = Table::new("Values", ["structure", "published", "measured"])
//!     .row(["search tree 3".into(), "15".into(), Cell::from("15").marked(Mark::good("as published"))]);
//! let page = Report::new("What was measured")
//!     .heading("Runs")
//!     .text("Each point is one search.")
//!     .figure(&runs)
//!     .figure(&killed)
//!     .figure(&table)
//!     .to_html();
//! assert!(page.starts_with("<!doctype html>"));
//! ```
//!
//! **Colours.** The SVG of [`Plot::to_svg`] has the colours of the light theme in its attributes, and can be used anywhere.
//! Its elements have classes, too. On a page with [`STYLE`], colours are the CSS variables `--plot-paper`, `--plot-ink`,
//! `--plot-0` to `--plot-5` and so on, for both themes: the one of `data-theme` at the root, or the one of the system.
//! Paper is always light. Series differ in dashes and in the shapes of their dots as well, and marks in their signs, so
//! nothing depends on colours alone.
//!
//! **Phones.** A figure has a second drawing, made for 340 pixels, which [`STYLE`] shows on narrow screens.
//!
//! Written by hand: a few lines need little, and a drawing crate would be compiled into every test build.

mod bars;
mod chart;
mod figure;
mod matrix;
mod report;
mod ruler;
mod table;
#[cfg(test)]
mod tests;

pub use bars::Bars;
pub use chart::{Axis, Chart, Look, Point, Scale, Series};
pub use figure::{Plot, STYLE, Width};
pub use matrix::{Mark, Matrix, Tone};
pub use report::Report;
pub use table::{Cell, Table};
