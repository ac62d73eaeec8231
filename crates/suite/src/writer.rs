//! Writes a suite.

use crate::block::LONGEST_PATH;
use crate::bytes::Put;
use crate::encode::OpenBlock;
use crate::ending::Ending;
use crate::error::Error;
use crate::footer::{Footer, Place};
use crate::frame::{self, Kind};
use crate::header::Header;
use std::io::{self, Write};

/// Writes a suite.
///
/// The writer collects entries in a block and writes it when it is full: after 4096 entries, or earlier if these are
/// long. So the file depends only on the entries, and not on interruptions. A writer that is dropped leaves an
/// unfinished suite with all full blocks.
///
/// After an error, the sink may have received a part of a block, and the writer refuses to continue. A file can be
/// reopened.
pub struct Writer<W: Write> {
    pub(crate) sink: W,
    pub(crate) open: OpenBlock,
    /// The last entry.
    pub(crate) path: Vec<u32>,
    /// The blocks that were written.
    pub(crate) blocks: Vec<Place>,
    /// The number of entries in them.
    pub(crate) closed: u64,
    /// The number of bytes that were written.
    pub(crate) written: u64,
    /// The checksum of the header.
    pub(crate) checksum: u32,
    /// Whether the sink has failed.
    pub(crate) failed: bool,
}

impl<W: Write> Writer<W> {
    /// Creates a suite, and writes the header.
    pub fn create(mut w: W, header: &Header) -> Result<Self, Error> {
        let frame = frame::seal(Kind::Suite, &header.to_bytes())?;
        let (checksum, _) = frame::open(Kind::Suite, &frame)?;
        w.write_all(&frame)?;
        Ok(Writer {
            sink: w,
            open: OpenBlock::default(),
            path: vec![],
            blocks: vec![],
            closed: 0,
            written: frame.len() as u64,
            checksum,
            failed: false,
        })
    }

    /// Adds an entry: the first `kept` choices of the last one, then `new`. `explored` is the number of candidates so
    /// far; readers find it with the last entry of each block. `anchor` is called if the entry is the first of its
    /// block; readers find its result there.
    ///
    /// # Panics
    ///
    /// If the last entry has fewer than `kept` choices.
    #[inline]
    pub fn push(
        &mut self,
        kept: usize,
        new: &[u32],
        explored: u64,
        anchor: impl FnOnce() -> u64,
    ) -> Result<(), Error> {
        assert!(kept <= self.path.len(), "an entry cannot keep {kept} choices of {}", self.path.len());
        let len = kept.saturating_add(new.len());
        if len > LONGEST_PATH {
            return Err(Error::TooLong { what: "path", len, most: LONGEST_PATH });
        }
        if self.open.is_empty() {
            self.check()?;
            self.open.anchor = anchor();
        }
        self.open.push(&mut self.path, kept, new);
        self.open.explored = explored;
        if self.open.is_full() { self.close_block() } else { Ok(()) }
    }

    /// Adds a complete entry. The file is the same as with [`push`](Self::push).
    pub fn push_path(
        &mut self,
        path: &[u32],
        explored: u64,
        anchor: impl FnOnce() -> u64,
    ) -> Result<(), Error> {
        self.push(0, path, explored, anchor)
    }

    /// Returns the number of entries so far.
    pub fn len(&self) -> u64 {
        self.closed + u64::from(self.open.entries())
    }

    /// Whether there is no entry yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the last entry; empty if there is none.
    pub fn path(&self) -> &[u32] {
        &self.path
    }

    /// Returns the number of bytes that the sink has received: the header and full blocks.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Returns the block that is not full, for a [`Checkpoint`](crate::Checkpoint). With it, `Writer::reopen_at`
    /// continues from here.
    pub fn pending(&self) -> Vec<u8> {
        let mut pending = vec![];
        pending.put_u32(self.checksum);
        pending.put_u64(self.closed);
        if !self.open.is_empty() {
            pending.extend_from_slice(&self.open.to_bytes(self.closed));
        }
        let checksum = crc32fast::hash(&pending);
        pending.put_u32(checksum);
        pending
    }

    /// Returns the sink, for example to sync a file before a checkpoint refers to it.
    pub fn get_ref(&self) -> &W {
        &self.sink
    }

    /// Flushes the sink. Does not write the block that is not full.
    pub fn flush(&mut self) -> Result<(), Error> {
        Ok(self.sink.flush()?)
    }

    /// Writes the last block and the footer, and returns the sink.
    pub fn finish(mut self, ending: &Ending) -> Result<W, Error> {
        self.check()?;
        if !self.open.is_empty() {
            self.close_block()?;
        }
        let footer = Footer { ending: ending.clone(), entries: self.closed, blocks: self.blocks };
        self.sink.write_all(&footer.to_bytes()?)?;
        self.sink.flush()?;
        Ok(self.sink)
    }

    #[cold]
    fn close_block(&mut self) -> Result<(), Error> {
        self.check()?;
        let bytes = self.open.to_bytes(self.closed);
        if let Err(error) = self.sink.write_all(&bytes) {
            self.failed = true;
            self.open.clear();
            return Err(error.into());
        }
        self.blocks.push(Place { offset: self.written, first: self.closed });
        self.written += bytes.len() as u64;
        self.closed += u64::from(self.open.entries());
        self.open.clear();
        Ok(())
    }

    fn check(&self) -> Result<(), Error> {
        match self.failed {
            true => Err(Error::Io(io::Error::other("an earlier write to this suite has failed"))),
            false => Ok(()),
        }
    }
}
