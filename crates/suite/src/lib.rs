//! Saved suites: the valid candidates of a search in a file that is small, checked, and readable at any place.
//!
//! A candidate is its path: the choices of the slots in the order in which they were read. A search visits
//! candidates in the lexicographic order of their paths, so an entry differs little from the one before it, and
//! is stored as the difference.
//!
//! ```
//! use smallscope_suite::{Ending, Header, Reader, Writer};
//! use std::io::Cursor;
//!
//! let header = Header::new().with("structure", "search tree").with("bounds", "2 nodes");
//! let mut writer = Writer::create(vec![], &header)?;
//! writer.push_path(&[0, 0], 1, || 1)?;
//! writer.push(0, &[1, 0, 0, 1, 0], 17, || 17)?;
//! writer.push(4, &[1], 18, || 18)?;
//! let ending = Ending { outcome: Ending::EXHAUSTED.into(), explored: 40, valid: 3, position: None };
//! let file = writer.finish(&ending)?;
//!
//! let mut reader = Reader::open(Cursor::new(file))?;
//! assert_eq!(reader.header().get("bounds"), Some("2 nodes"));
//! assert_eq!(reader.get(2)?, [1, 0, 0, 1, 1]);
//! assert_eq!(reader.ending(), Some(&ending));
//! # Ok::<(), smallscope_suite::Error>(())
//! ```
//!
//! * [`Writer`] writes a suite, and continues one after an interruption or a crash;
//! * [`Reader`] reads entries by their index, [`Stream`] in order and while the suite grows;
//! * [`Checkpoint`] has the rest of the state of a run;
//! * [`PlanFile`] says how a search is divided into shards, and [`ShardFile`] is the result of one.
//!
//! The book describes the format, under "The format of suites". Files are not trusted: a damaged or malicious file is
//! an [`Error`], and needs no more memory than its size and the largest block allow.

#![forbid(unsafe_code)]

mod block;
mod bytes;
mod checkpoint;
mod contents;
mod decode;
mod encode;
mod ending;
mod error;
mod footer;
mod frame;
mod header;
mod reader;
mod reopen;
mod shard;
mod stream;
mod trail;
mod writer;

pub use checkpoint::Checkpoint;
pub use ending::Ending;
pub use error::Error;
pub use header::Header;
pub use reader::{Entries, Reader};
pub use reopen::Resume;
pub use shard::{PlanFile, ShardFile, fingerprint, replace_file};
pub use stream::Stream;
pub use trail::{Trail, TrailReader, TrailWriter};
pub use writer::Writer;
