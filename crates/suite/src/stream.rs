//! Reads a suite from its beginning, while it grows.

use crate::block::{BLOCK_HEAD, BLOCK_MARKER, BlockHead};
use crate::decode::Cursor;
use crate::ending::Ending;
use crate::error::Error;
use crate::footer::{FOOTER_HEAD, FOOTER_MARKER, Footer};
use crate::frame::{self, Kind, PREAMBLE};
use crate::header::Header;
use std::io::Read;

/// A suite that is read from beginning to end, as far as it is written.
///
/// The suite may still grow, or come through a pipe. When [`next`](Self::next) returns no entry, it can be called again
/// later; it waits for complete blocks. When a run is interrupted and its suite is reopened, the reader must begin
/// again.
pub struct Stream<R: Read> {
    source: R,
    /// The bytes that are read but not used: the beginning of a part.
    buffer: Vec<u8>,
    /// The offset of that part in the suite.
    offset: u64,
    header: Option<Header>,
    cursor: Cursor,
    /// The entries of the blocks that were read.
    entries: u64,
    ending: Option<Ending>,
}

impl<R: Read> Stream<R> {
    /// Creates a reader. It reads nothing yet.
    pub fn new(source: R) -> Self {
        Stream {
            source,
            buffer: vec![],
            offset: 0,
            header: None,
            cursor: Cursor::default(),
            entries: 0,
            ending: None,
        }
    }

    /// Returns the header; `None` if it is not complete yet.
    pub fn header(&mut self) -> Result<Option<&Header>, Error> {
        if self.header.is_none() {
            self.read_header()?;
        }
        Ok(self.header.as_ref())
    }

    /// Returns the next entry; `None` if it is not complete yet, or if the suite has ended.
    #[expect(clippy::should_implement_trait, reason = "an entry borrows from the stream")]
    #[inline]
    pub fn next(&mut self) -> Result<Option<&[u32]>, Error> {
        while self.cursor.left() == 0 {
            if !self.read_part()? {
                return Ok(None);
            }
        }
        self.cursor.step()?;
        Ok(Some(self.cursor.path()))
    }

    /// Returns how the run ended; `None` as long as [`next`](Self::next) has not reached the footer.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Reads one more part; false if it is not complete.
    fn read_part(&mut self) -> Result<bool, Error> {
        if self.header.is_none() {
            return self.read_header();
        }
        if self.ending.is_some() || !self.fill(BLOCK_MARKER.len())? {
            return Ok(false);
        }
        if self.buffer.starts_with(&BLOCK_MARKER) {
            self.read_block()
        } else if self.buffer.starts_with(&FOOTER_MARKER) {
            self.read_footer()
        } else {
            Err(Error::Corrupt { what: "marker of a block", at: self.offset })
        }
    }

    fn read_header(&mut self) -> Result<bool, Error> {
        self.fill(PREAMBLE)?;
        let Some(len) = frame::length(Kind::Suite, &self.buffer)? else { return Ok(false) };
        if !self.fill(len)? {
            return Ok(false);
        }
        let (_, body) = frame::open(Kind::Suite, &self.buffer)?;
        let header = Header::from_bytes(body).ok_or(Error::Corrupt { what: Kind::Suite.part(), at: 0 })?;
        self.header = Some(header);
        self.consume();
        Ok(true)
    }

    fn read_block(&mut self) -> Result<bool, Error> {
        let at = self.offset;
        if !self.fill(BLOCK_HEAD)? {
            return Ok(false);
        }
        let Some((head, _)) = self.buffer.split_first_chunk() else { return Ok(false) };
        let head = BlockHead::from_bytes(head, at)?;
        if head.first != self.entries {
            return Err(Error::Corrupt { what: "head of a block", at });
        }
        if !self.fill(BLOCK_HEAD + head.stored as usize)? {
            return Ok(false);
        }
        self.cursor.load(&head, &self.buffer[BLOCK_HEAD..], at)?;
        self.entries = head.end();
        self.consume();
        Ok(true)
    }

    fn read_footer(&mut self) -> Result<bool, Error> {
        let at = self.offset;
        let corrupt = Error::Corrupt { what: "footer", at };
        if !self.fill(FOOTER_HEAD)? {
            return Ok(false);
        }
        let Some((head, _)) = self.buffer.split_first_chunk() else { return Ok(false) };
        let Ok(len) = usize::try_from(Footer::length(head, at)?) else { return Err(corrupt) };
        if !self.fill(len)? {
            return Ok(false);
        }
        let footer = Footer::from_bytes(&self.buffer, at)?;
        if footer.entries != self.entries {
            return Err(corrupt);
        }
        self.ending = Some(footer.ending);
        self.consume();
        Ok(true)
    }

    /// Reads until the buffer has this many bytes; false if there are fewer. The memory grows with the bytes that
    /// exist, not with the requested number.
    fn fill(&mut self, len: usize) -> Result<bool, Error> {
        let missing = len.saturating_sub(self.buffer.len());
        if missing > 0 {
            self.source.by_ref().take(missing as u64).read_to_end(&mut self.buffer)?;
        }
        Ok(self.buffer.len() >= len)
    }

    fn consume(&mut self) {
        self.offset += self.buffer.len() as u64;
        self.buffer.clear();
    }
}
