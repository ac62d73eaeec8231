//! Reads a suite at any place.

use crate::contents::Contents;
use crate::decode::Cursor;
use crate::ending::Ending;
use crate::error::Error;
use crate::header::Header;
use std::io::{Read, Seek};

/// A suite, read at any place.
///
/// An unfinished suite can be read, too: it has no [`ending`](Self::ending), and only the entries in complete blocks.
pub struct Reader<R: Read + Seek> {
    source: R,
    contents: Contents,
    cursor: Cursor,
    /// The index of the cursor's next entry, and that after its block.
    next: u64,
    block_end: u64,
}

impl<R: Read + Seek> Reader<R> {
    /// Opens a suite: reads the header and the footer, or the head of each block if there is no footer.
    pub fn open(mut source: R) -> Result<Self, Error> {
        let contents = Contents::find(&mut source)?;
        Ok(Reader { source, contents, cursor: Cursor::default(), next: 0, block_end: 0 })
    }

    /// Returns the header.
    pub fn header(&self) -> &Header {
        &self.contents.header
    }

    /// Returns the number of entries.
    pub fn len(&self) -> u64 {
        self.contents.entries
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how the run ended; `None` if the suite is unfinished.
    pub fn ending(&self) -> Option<&Ending> {
        self.contents.ending.as_ref()
    }

    /// Whether the suite has an ending.
    pub fn is_finished(&self) -> bool {
        self.ending().is_some()
    }

    /// Returns the entry with an index. Going forward within a block is cheap; otherwise a block is read.
    pub fn get(&mut self, index: u64) -> Result<&[u32], Error> {
        self.check(index)?;
        if index >= self.block_end || index + 1 < self.next || self.block_end == 0 {
            self.load(index)?;
        }
        while self.next <= index {
            self.step()?;
        }
        Ok(self.cursor.path())
    }

    /// Returns the index of the first entry in the block of an entry, and the anchor that the writer got for it.
    pub fn anchor_of(&mut self, index: u64) -> Result<(u64, u64), Error> {
        self.check(index)?;
        let number = self.contents.block_of(index);
        let head = self.contents.head(&mut self.source, number)?;
        Ok((head.first, head.anchor))
    }

    /// Returns the anchor of the block that begins with an entry, if one does.
    pub fn anchor_at(&mut self, index: u64) -> Result<Option<u64>, Error> {
        self.check(index)?;
        let number = self.contents.block_of(index);
        if self.contents.blocks[number].first != index {
            return Ok(None);
        }
        Ok(Some(self.contents.head(&mut self.source, number)?.anchor))
    }

    /// Returns the entries from an index on, in order.
    pub fn entries(&mut self, from: u64) -> Entries<'_, R> {
        Entries { reader: self, next: from }
    }

    fn check(&self, index: u64) -> Result<(), Error> {
        let len = self.len();
        if index < len { Ok(()) } else { Err(Error::OutOfRange { index, len }) }
    }

    /// Moves the cursor before the first entry of the block of an entry.
    fn load(&mut self, index: u64) -> Result<(), Error> {
        self.block_end = 0;
        let number = self.contents.block_of(index);
        let head = self.contents.load(&mut self.source, number, &mut self.cursor)?;
        self.next = head.first;
        self.block_end = head.end();
        Ok(())
    }

    #[inline]
    fn step(&mut self) -> Result<(), Error> {
        // If the step fails, the cursor has no position.
        let block_end = std::mem::take(&mut self.block_end);
        self.cursor.step()?;
        self.next += 1;
        self.block_end = block_end;
        Ok(())
    }
}

/// The entries of a suite in order. An entry is borrowed until the next call, so this is not an [`Iterator`].
pub struct Entries<'a, R: Read + Seek> {
    reader: &'a mut Reader<R>,
    next: u64,
}

impl<R: Read + Seek> Entries<'_, R> {
    /// Returns the next entry; `None` after the last one.
    #[expect(clippy::should_implement_trait, reason = "an entry borrows from the iterator")]
    #[inline]
    pub fn next(&mut self) -> Result<Option<&[u32]>, Error> {
        if self.next >= self.reader.len() {
            return Ok(None);
        }
        self.next += 1;
        self.reader.get(self.next - 1).map(Some)
    }
}
