//! Continues a suite in a file.

use crate::block::{BLOCK_HEAD, BlockHead};
use crate::bytes::Bytes;
use crate::contents::Contents;
use crate::decode::Cursor;
use crate::encode::OpenBlock;
use crate::ending::Ending;
use crate::error::Error;
use crate::header::Header;
use crate::writer::Writer;
use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom};
use std::path::Path;

/// Where a reopened suite continues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resume {
    /// The entries in the suite.
    pub entries: u64,
    /// The candidates that had been visited at `position`.
    pub explored: u64,
    /// The candidate from which to continue; empty if the suite has neither an ending nor an entry.
    pub position: Vec<u32>,
    /// Whether `position` comes from the ending, as the position of the run. Otherwise it is the last entry, and the
    /// run continues after it.
    pub at_position: bool,
}

impl Writer<File> {
    /// Continues a suite whose run stopped early or crashed. Removes the footer, or the incomplete part that a crash
    /// left. If the last block is not full, new entries go there first.
    ///
    /// Suites of exhausted runs are complete, and return [`Error::Complete`].
    pub fn reopen(path: impl AsRef<Path>) -> Result<(Writer<File>, Header, Resume), Error> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let mut contents = Contents::find(&mut file)?;
        let ending = contents.ending.take();
        if ending.as_ref().is_some_and(|ending| ending.outcome == Ending::EXHAUSTED) {
            return Err(Error::Complete { entries: contents.entries });
        }
        let mut last = LastBlock::read(&contents, &mut file)?;
        if last.block.is_full() {
            last.block.clear();
        } else if let Some(place) = contents.blocks.pop() {
            contents.end = place.offset;
            contents.entries = place.first;
        }
        let header = contents.header.clone();
        let writer = Writer::resume(file, contents, last.block, last.path)?;
        let entries = writer.len();
        let last_entry = (last.explored, writer.path.clone());
        let resume = match ending {
            Some(Ending { explored, position: Some(position), .. }) => {
                Resume { entries, explored, position, at_position: true }
            }
            _ => Resume { entries, explored: last_entry.0, position: last_entry.1, at_position: false },
        };
        Ok((writer, header, resume))
    }

    /// Continues a suite from a checkpoint, with the values of [`written`](Self::written) and
    /// [`pending`](Self::pending) of that moment. Removes what was written later.
    ///
    /// If the file is not the one of the checkpoint, the result is [`Error::Mismatch`], and the file is untouched.
    pub fn reopen_at(path: impl AsRef<Path>, written: u64, pending: &[u8]) -> Result<Writer<File>, Error> {
        let pending = Pending::from_bytes(pending)
            .ok_or(Error::Corrupt { what: "pending block of the checkpoint", at: 0 })?;
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let len = file.seek(SeekFrom::End(0))?;
        if len < written {
            let what = format!("it has {len} bytes, but had {written} when the checkpoint was made");
            return Err(Error::Mismatch { what });
        }
        let contents = Contents::find_before(&mut file, written)?;
        if contents.checksum != pending.checksum {
            return Err(Error::Mismatch { what: "its header is another one".into() });
        }
        if contents.end != written || contents.entries != pending.closed {
            let what = format!("it has no block that ends at byte {written} with entry {}", pending.closed);
            return Err(Error::Mismatch { what });
        }
        let mut last = LastBlock::read(&contents, &mut file)?;
        last.block.clear();
        if let Some((head, payload)) = pending.block {
            let mut cursor = Cursor::default();
            cursor.load(&head, payload, 0)?;
            last.fill(&head, &mut cursor)?;
        }
        Writer::resume(file, contents, last.block, last.path)
    }

    /// Truncates the file after its blocks.
    fn resume(mut file: File, contents: Contents, open: OpenBlock, path: Vec<u32>) -> Result<Self, Error> {
        file.set_len(contents.end)?;
        file.seek(SeekFrom::Start(contents.end))?;
        Ok(Writer {
            sink: file,
            open,
            path,
            blocks: contents.blocks,
            closed: contents.entries,
            written: contents.end,
            checksum: contents.checksum,
            failed: false,
        })
    }
}

/// The last block, read to be continued.
#[derive(Default)]
struct LastBlock {
    block: OpenBlock,
    path: Vec<u32>,
    explored: u64,
}

impl LastBlock {
    /// Returns the last block of a suite; empty if it has none.
    fn read(contents: &Contents, file: &mut File) -> Result<LastBlock, Error> {
        let mut last = LastBlock::default();
        if let Some(number) = contents.blocks.len().checked_sub(1) {
            let mut cursor = Cursor::default();
            let head = contents.load(file, number, &mut cursor)?;
            last.fill(&head, &mut cursor)?;
        }
        Ok(last)
    }

    fn fill(&mut self, head: &BlockHead, cursor: &mut Cursor) -> Result<(), Error> {
        cursor.move_into(&mut self.block, &mut self.path)?;
        self.block.anchor = head.anchor;
        self.block.explored = head.explored;
        self.explored = head.explored;
        Ok(())
    }
}

/// The contents of [`Writer::pending`].
struct Pending<'a> {
    /// The checksum of the suite's header.
    checksum: u32,
    /// The entries in full blocks.
    closed: u64,
    block: Option<(BlockHead, &'a [u8])>,
}

impl Pending<'_> {
    fn from_bytes(bytes: &[u8]) -> Option<Pending<'_>> {
        let (sealed, checksum) = bytes.split_last_chunk::<4>()?;
        if crc32fast::hash(sealed) != u32::from_le_bytes(*checksum) {
            return None;
        }
        let mut bytes = Bytes(sealed);
        let (checksum, closed) = (bytes.u32()?, bytes.u64()?);
        let block = match bytes.0.split_first_chunk::<BLOCK_HEAD>() {
            Some((head, payload)) => {
                let head = BlockHead::from_bytes(head, 0).ok()?;
                if head.first != closed || head.stored as usize != payload.len() {
                    return None;
                }
                Some((head, payload))
            }
            None if bytes.is_empty() => None,
            None => return None,
        };
        Some(Pending { checksum, closed, block })
    }
}
