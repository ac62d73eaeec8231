//! Blocks: their columns, when they are full, and the bytes before them.

use crate::bytes::{Bytes, Put};
use crate::error::Error;

/// The entries of a full block.
pub(crate) const FULL_ENTRIES: u32 = 4096;

/// A block is also full when its columns of choices have this many bytes.
pub(crate) const FULL_CHOICES: usize = 1 << 16;

/// The choices of the longest path.
pub(crate) const LONGEST_PATH: usize = 1 << 20;

/// The bytes of the longest number.
const LONGEST_NUMBER: usize = 5;

/// The largest number of bytes of the columns of a block.
const MOST_RAW: usize = FULL_CHOICES + LONGEST_NUMBER * (LONGEST_PATH + 2 * FULL_ENTRIES as usize);

/// The largest number of bytes that LZ4 makes out of one.
const MOST_GAIN: usize = 255;

/// The first bytes of a block.
pub(crate) const BLOCK_MARKER: [u8; 4] = *b"SBLK";

/// The size of a [`BlockHead`] in the file.
pub(crate) const BLOCK_HEAD: usize = 4 + 4 + 4 * 4 + 4 + 3 * 8 + 4 + 4;

/// The columns of a block, in their order.
pub(crate) const COLUMNS: usize = 4;

/// The head of a block, before its payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockHead {
    pub(crate) entries: u32,
    /// The length of each column.
    pub(crate) columns: [u32; COLUMNS],
    /// The length of the payload.
    pub(crate) stored: u32,
    /// The index of the first entry.
    pub(crate) first: u64,
    /// The anchor that the caller gave for the first entry.
    pub(crate) anchor: u64,
    /// The counter that the caller gave with the last entry.
    pub(crate) explored: u64,
    /// The checksum of the payload.
    pub(crate) checksum: u32,
}

impl BlockHead {
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BLOCK_HEAD);
        bytes.extend_from_slice(&BLOCK_MARKER);
        bytes.put_u32(self.entries);
        self.columns.iter().for_each(|&len| bytes.put_u32(len));
        bytes.put_u32(self.stored);
        bytes.put_u64(self.first);
        bytes.put_u64(self.anchor);
        bytes.put_u64(self.explored);
        bytes.put_u32(self.checksum);
        let checksum = crc32fast::hash(&bytes);
        bytes.put_u32(checksum);
        bytes
    }

    /// Reads the head of the block at an offset, and checks that every number is in range.
    pub(crate) fn from_bytes(bytes: &[u8; BLOCK_HEAD], at: u64) -> Result<BlockHead, Error> {
        Self::parse(bytes)
            .filter(BlockHead::is_possible)
            .ok_or(Error::Corrupt { what: "head of a block", at })
    }

    fn parse(bytes: &[u8; BLOCK_HEAD]) -> Option<BlockHead> {
        let (sealed, checksum) = bytes.split_last_chunk::<4>()?;
        if !sealed.starts_with(&BLOCK_MARKER) || crc32fast::hash(sealed) != u32::from_le_bytes(*checksum) {
            return None;
        }
        let mut bytes = Bytes(&sealed[BLOCK_MARKER.len()..]);
        Some(BlockHead {
            entries: bytes.u32()?,
            columns: [bytes.u32()?, bytes.u32()?, bytes.u32()?, bytes.u32()?],
            stored: bytes.u32()?,
            first: bytes.u64()?,
            anchor: bytes.u64()?,
            explored: bytes.u64()?,
            checksum: bytes.u32()?,
        })
    }

    /// Whether memory may be allocated according to these numbers.
    fn is_possible(&self) -> bool {
        let stored = self.stored as usize;
        (1..=FULL_ENTRIES).contains(&self.entries)
            && self.first.checked_add(self.entries.into()).is_some()
            && self.columns.iter().all(|&len| len as usize <= MOST_RAW)
            && (stored..=stored.saturating_mul(MOST_GAIN).min(MOST_RAW)).contains(&self.raw())
    }

    /// Returns the length of all columns.
    pub(crate) fn raw(&self) -> usize {
        self.columns.iter().map(|&len| len as usize).sum()
    }

    /// Returns the length of the block in the file.
    pub(crate) fn len(&self) -> u64 {
        BLOCK_HEAD as u64 + u64::from(self.stored)
    }

    /// Returns the index after the last entry.
    pub(crate) fn end(&self) -> u64 {
        self.first + u64::from(self.entries)
    }
}
