//! The end of a finished suite: how the run ended, and where the blocks are.

use crate::block::LONGEST_PATH;
use crate::bytes::{Bytes, Put};
use crate::ending::Ending;
use crate::error::Error;

/// The first bytes of a footer.
pub(crate) const FOOTER_MARKER: [u8; 4] = *b"SEND";

/// Marker, length of the body, and their checksum.
pub(crate) const FOOTER_HEAD: usize = 4 + 8 + 4;

/// The length of the footer and the magic: the last bytes of the file.
pub(crate) const TRAILER: usize = 8 + 8;

/// The last bytes of a finished suite.
const TRAILER_MAGIC: [u8; 8] = *b"ETIUSS\x89\n";

/// The largest length of the outcome.
const LONGEST_OUTCOME: usize = 1 << 16;

/// The place of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) offset: u64,
    /// The index of its first entry.
    pub(crate) first: u64,
}

/// The contents of a footer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Footer {
    pub(crate) ending: Ending,
    pub(crate) entries: u64,
    pub(crate) blocks: Vec<Place>,
}

impl Footer {
    /// Returns the bytes of footer and trailer.
    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let Ending { outcome, explored, valid, position } = &self.ending;
        let length = position.as_ref().map_or(0, Vec::len);
        for (what, len, most) in
            [("outcome", outcome.len(), LONGEST_OUTCOME), ("position", length, LONGEST_PATH)]
        {
            if len > most {
                return Err(Error::TooLong { what, len, most });
            }
        }
        let mut body = vec![];
        body.put_counted(outcome.as_bytes());
        body.put_u64(*explored);
        body.put_u64(*valid);
        body.push(position.is_some().into());
        if let Some(position) = position {
            body.put_path(position);
        }
        body.put_u64(self.entries);
        for block in &self.blocks {
            body.put_u64(block.offset);
            body.put_u64(block.first);
        }
        let mut bytes = FOOTER_MARKER.to_vec();
        bytes.put_u64(body.len() as u64);
        let checksum = crc32fast::hash(&bytes);
        bytes.put_u32(checksum);
        bytes.extend_from_slice(&body);
        bytes.put_u32(crc32fast::hash(&body));
        let len = bytes.len() as u64;
        bytes.put_u64(len);
        bytes.extend_from_slice(&TRAILER_MAGIC);
        Ok(bytes)
    }

    /// Returns the length of footer and trailer, from the head of the footer at an offset.
    pub(crate) fn length(head: &[u8; FOOTER_HEAD], at: u64) -> Result<u64, Error> {
        let length = || {
            let (sealed, checksum) = head.split_last_chunk::<4>()?;
            if crc32fast::hash(sealed) != u32::from_le_bytes(*checksum) {
                return None;
            }
            let len = Bytes(sealed.strip_prefix(&FOOTER_MARKER)?).u64()?;
            len.checked_add((FOOTER_HEAD + 4 + TRAILER) as u64)
        };
        length().ok_or(Error::Corrupt { what: "head of the footer", at })
    }

    /// Returns the length of footer and trailer, from the trailer; `None` if it is no trailer.
    pub(crate) fn length_by_trailer(trailer: &[u8; TRAILER]) -> Option<u64> {
        let mut bytes = Bytes(trailer);
        let len = bytes.u64()?;
        (bytes.0 == TRAILER_MAGIC).then(|| len.saturating_add(TRAILER as u64))
    }

    /// Reads a complete footer with its trailer, at an offset.
    pub(crate) fn from_bytes(bytes: &[u8], at: u64) -> Result<Footer, Error> {
        Self::parse(bytes).ok_or(Error::Corrupt { what: "footer", at })
    }

    fn parse(bytes: &[u8]) -> Option<Footer> {
        let (footer, trailer) = bytes.split_last_chunk::<TRAILER>()?;
        let len = bytes.len() as u64;
        let head = footer.first_chunk::<FOOTER_HEAD>()?;
        if Self::length_by_trailer(trailer)? != len || Self::length(head, 0).ok()? != len {
            return None;
        }
        let (body, checksum) = footer[FOOTER_HEAD..].split_last_chunk::<4>()?;
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return None;
        }
        let mut body = Bytes(body);
        let ending = Ending {
            outcome: body.string()?,
            explored: body.u64()?,
            valid: body.u64()?,
            position: match body.u8()? {
                0 => None,
                1 => Some(body.path()?),
                _ => return None,
            },
        };
        let entries = body.u64()?;
        let mut blocks = Vec::with_capacity(body.0.len() / 16);
        while !body.is_empty() {
            blocks.push(Place { offset: body.u64()?, first: body.u64()? });
        }
        Some(Footer { ending, entries, blocks })
    }

    /// Whether the places can be those of consecutive blocks between two offsets.
    pub(crate) fn fits(&self, start: u64, end: u64) -> bool {
        let mut next = Place { offset: start, first: 0 };
        let after = Place { offset: end, first: self.entries };
        let places = self.blocks.iter().chain([&after]);
        places.enumerate().all(|(i, place)| {
            let fits =
                if i == 0 { *place == next } else { place.offset > next.offset && place.first > next.first };
            next = *place;
            fits
        })
    }
}
