//! Object graphs drawn as people draw them, and the page on which to look at them.
//!
//! A [`Graph`] says what a value is. [`layout()`] finds a place for each object and a way for each link; the result is a
//! [`Scene`], which is the same for all outputs. [`svg()`] draws it. [`page`] makes a page for many values: one file, or
//! what the server (feature `server`) answers with.

mod graph;
mod json;
mod layout;
pub mod page;
mod scene;
#[cfg(feature = "server")]
pub mod server;
mod svg;

pub use graph::{Field, Graph, Node, Value};
pub use json::{array, quoted};
pub use layout::layout;
pub use scene::{
    Cell, CellShape, Frame, Line, LineKind, Plate, Point, Rect, Scene, Segment, Text, TextKind, Tone,
};
pub use svg::{STANDALONE_STYLE, svg};
