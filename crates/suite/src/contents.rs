//! Finds the parts of a suite that is completely readable.

use crate::block::{BLOCK_HEAD, BLOCK_MARKER, BlockHead};
use crate::decode::Cursor;
use crate::ending::Ending;
use crate::error::Error;
use crate::footer::{FOOTER_HEAD, FOOTER_MARKER, Footer, Place, TRAILER};
use crate::frame::{self, Kind, PREAMBLE};
use crate::header::Header;
use std::io::{ErrorKind, Read, Seek, SeekFrom};

/// The parts of a suite.
///
/// `blocks` are in order and without gaps: each ends where the next one begins, both in the file and in
/// the count of entries; the last one ends at `end` and at `entries`.
pub(crate) struct Contents {
    pub(crate) header: Header,
    /// The checksum of the header.
    pub(crate) checksum: u32,
    pub(crate) blocks: Vec<Place>,
    /// Where the last complete block ends.
    pub(crate) end: u64,
    pub(crate) entries: u64,
    pub(crate) ending: Option<Ending>,
}

impl Contents {
    /// Finds the parts by the footer if there is one, otherwise by the heads of the blocks. Ignores what follows the
    /// last complete block of an unfinished suite, if it can be the beginning of a part.
    pub(crate) fn find<R: Read + Seek>(source: &mut R) -> Result<Contents, Error> {
        let len = source.seek(SeekFrom::End(0))?;
        let mut contents = Contents::empty(source, len)?;
        match contents.footer_by_trailer(source, len)? {
            Some(footer_at) => contents.end = footer_at,
            None => contents.scan(source, len)?,
        }
        Ok(contents)
    }

    /// Returns the blocks before an offset.
    pub(crate) fn find_before<R: Read + Seek>(source: &mut R, offset: u64) -> Result<Contents, Error> {
        let mut contents = Contents::empty(source, offset)?;
        contents.scan(source, offset)?;
        Ok(contents)
    }

    /// Reads the header.
    fn empty<R: Read + Seek>(source: &mut R, len: u64) -> Result<Contents, Error> {
        let truncated = || Error::Truncated { what: Kind::Suite.part(), at: len };
        source.seek(SeekFrom::Start(0))?;
        let mut frame = vec![];
        source.take(len.min(PREAMBLE as u64)).read_to_end(&mut frame)?;
        let end = frame::length(Kind::Suite, &frame)?.ok_or_else(truncated)? as u64;
        if end > len {
            return Err(truncated());
        }
        source.take(end - frame.len() as u64).read_to_end(&mut frame)?;
        let (checksum, body) = frame::open(Kind::Suite, &frame)?;
        let header = Header::from_bytes(body).ok_or(Error::Corrupt { what: Kind::Suite.part(), at: 0 })?;
        Ok(Contents { header, checksum, blocks: vec![], end, entries: 0, ending: None })
    }

    /// Reads the footer, if the file ends with a trailer. Returns where the footer begins.
    fn footer_by_trailer<R: Read + Seek>(&mut self, source: &mut R, len: u64) -> Result<Option<u64>, Error> {
        let Some(trailer_at) = len.checked_sub(TRAILER as u64).filter(|&at| at >= self.end) else {
            return Ok(None);
        };
        let Some(footer_len) = Footer::length_by_trailer(&read_array(source, trailer_at)?) else {
            return Ok(None);
        };
        let Some(at) = len.checked_sub(footer_len).filter(|&at| at >= self.end) else {
            return Err(Error::Corrupt { what: "trailer", at: trailer_at });
        };
        self.take_footer(source, at, footer_len)?;
        Ok(Some(at))
    }

    fn take_footer<R: Read + Seek>(&mut self, source: &mut R, at: u64, len: u64) -> Result<(), Error> {
        let footer = Footer::from_bytes(&read_bytes(source, at, len)?, at)?;
        if !footer.fits(self.end, at) {
            return Err(Error::Corrupt { what: "footer", at });
        }
        self.blocks = footer.blocks;
        self.entries = footer.entries;
        self.ending = Some(footer.ending);
        Ok(())
    }

    /// Reads the heads of all blocks.
    fn scan<R: Read + Seek>(&mut self, source: &mut R, len: u64) -> Result<(), Error> {
        loop {
            let at = self.end;
            let start = read_bytes(source, at, (len - at).min(BLOCK_HEAD as u64))?;
            if let Some(head) = start.first_chunk().filter(|_| start.starts_with(&BLOCK_MARKER)) {
                let head = BlockHead::from_bytes(head, at)?;
                if head.first != self.entries {
                    return Err(Error::Corrupt { what: "head of a block", at });
                }
                if head.len() > len - at {
                    return Ok(());
                }
                self.blocks.push(Place { offset: at, first: head.first });
                self.end += head.len();
                self.entries = head.end();
            } else if let Some(head) =
                start.first_chunk::<FOOTER_HEAD>().filter(|_| start.starts_with(&FOOTER_MARKER))
            {
                // A complete footer would have been found by its trailer.
                return if Footer::length(head, at)? > len - at {
                    Ok(())
                } else {
                    Err(Error::Corrupt { what: "trailer", at })
                };
            } else if is_torn(&start) {
                return Ok(());
            } else {
                return Err(Error::Corrupt { what: "marker of a block", at });
            }
        }
    }

    /// Returns the block of an entry, which must exist.
    pub(crate) fn block_of(&self, index: u64) -> usize {
        self.blocks.partition_point(|block| block.first <= index) - 1
    }

    /// Reads the head of a block.
    pub(crate) fn head<R: Read + Seek>(&self, source: &mut R, number: usize) -> Result<BlockHead, Error> {
        let place = self.blocks[number];
        let next =
            self.blocks.get(number + 1).copied().unwrap_or(Place { offset: self.end, first: self.entries });
        let head = BlockHead::from_bytes(&read_array(source, place.offset)?, place.offset)?;
        if head.first != place.first || head.end() != next.first || head.len() != next.offset - place.offset {
            return Err(Error::Corrupt { what: "head of a block", at: place.offset });
        }
        Ok(head)
    }

    /// Reads a block.
    pub(crate) fn load<R: Read + Seek>(
        &self,
        source: &mut R,
        number: usize,
        cursor: &mut Cursor,
    ) -> Result<BlockHead, Error> {
        let head = self.head(source, number)?;
        let at = self.blocks[number].offset;
        let payload = read_bytes(source, at + BLOCK_HEAD as u64, head.stored.into())?;
        cursor.load(&head, &payload, at)?;
        Ok(head)
    }
}

/// Whether bytes that are not a complete head can be the beginning of one.
fn is_torn(start: &[u8]) -> bool {
    let begins =
        |marker: &[u8; 4], len: usize| start.len() < len && start.iter().zip(marker).all(|(a, b)| a == b);
    begins(&BLOCK_MARKER, BLOCK_HEAD) || begins(&FOOTER_MARKER, FOOTER_HEAD)
}

/// Reads bytes that must exist.
fn read_bytes<R: Read + Seek>(source: &mut R, at: u64, len: u64) -> Result<Vec<u8>, Error> {
    source.seek(SeekFrom::Start(at))?;
    let mut bytes = vec![];
    source.take(len).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < len {
        return Err(Error::Truncated {
            what: "part that was there when the file was opened",
            at: at + bytes.len() as u64,
        });
    }
    Ok(bytes)
}

fn read_array<const N: usize, R: Read + Seek>(source: &mut R, at: u64) -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    source.seek(SeekFrom::Start(at))?;
    source.read_exact(&mut bytes).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => {
            Error::Truncated { what: "part that was there when the file was opened", at }
        }
        _ => Error::Io(error),
    })?;
    Ok(bytes)
}
