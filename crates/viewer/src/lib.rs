//! Object graphs drawn as people draw them, the page on which to look at them, and plots.
//!
//! A [`Graph`] says what a value is. [`layout()`] finds a place for each object and a way for each link; the result is a
//! [`Scene`], which is the same for all outputs. [`svg()`] draws it. [`page`] makes a page for many values: one file, or
//! what the server (feature `server`) answers with. [`plot`] draws lines over an axis.

#[cfg(feature = "drawing")]
mod graph;
#[cfg(feature = "drawing")]
mod json;
#[cfg(feature = "drawing")]
mod layout;
#[cfg(feature = "drawing")]
pub mod page;
pub mod plot;
#[cfg(feature = "drawing")]
mod scene;
#[cfg(feature = "server")]
pub mod server;
#[cfg(feature = "drawing")]
mod svg;
#[cfg(feature = "drawing")]
mod view;

#[cfg(feature = "drawing")]
pub use graph::{Field, Graph, Node, Value};
#[cfg(feature = "drawing")]
pub use json::{array, quoted};
#[cfg(feature = "drawing")]
pub use layout::{is_told_by_place, layout};
#[cfg(feature = "drawing")]
pub use scene::{
    Cell, CellShape, Frame, Line, LineKind, Plate, Point, Rect, Scene, Segment, Text, TextKind, Tone,
};
#[cfg(feature = "drawing")]
pub use svg::{MOST_DRAWN, STANDALONE_STYLE, svg};
#[cfg(feature = "drawing")]
pub use view::{Place, Rule, View};
