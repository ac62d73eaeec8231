//! Blocks: what they are made of, when they are closed, and the bytes in front of them.

use crate::bytes::{Bytes, Put};
use crate::error::Error;

/// The entries of a full block.
pub(crate) const FULL_ENTRIES: u32 = 4096;

/// A block is full as well when its columns of choices have so many bytes.
pub(crate) const FULL_CHOICES: usize = 1 << 16;

/// The choices of the longest path.
pub(crate) const LONGEST_PATH: usize = 1 << 20;

/// The bytes of the longest number.
const LONGEST_NUMBER: usize = 5;

/// The bytes of columns that no block exceeds.
const MOST_RAW: usize = FULL_CHOICES + LONGEST_NUMBER * (LONGEST_PATH + 2 * FULL_ENTRIES as usize);

/// LZ4 makes at most so many bytes out of one.
const MOST_GAIN: usize = 255;

/// What a block begins with.
pub(crate) const BLOCK_MARKER: [u8; 4] = *b"SBLK";

/// The size of a [`BlockHead`] in the file.
pub(crate) const BLOCK_HEAD: usize = 4 + 4 + 4 * 4 + 4 + 3 * 8 + 4 + 4;

/// The columns of a block, in their order.
pub(crate) const COLUMNS: usize = 4;

/// What stands in front of the payload of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockHead {
    pub(crate) entries: u32,
    /// The length of each column.
    pub(crate) columns: [u32; COLUMNS],
    /// The length of the payload.
    pub(crate) stored: u32,
    /// The index of the first entry.
    pub(crate) first: u64,
    /// What the caller wanted to be kept with the first entry.
    pub(crate) anchor: u64,
    /// The counter that came with the last entry.
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

    /// The head of the block at an offset, with every number in its range.
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

    /// Whether memory may be allocated by these numbers.
    fn is_possible(&self) -> bool {
        let stored = self.stored as usize;
        (1..=FULL_ENTRIES).contains(&self.entries)
            && self.first.checked_add(self.entries.into()).is_some()
            && self.columns.iter().all(|&len| len as usize <= MOST_RAW)
            && (stored..=stored.saturating_mul(MOST_GAIN).min(MOST_RAW)).contains(&self.raw())
    }

    /// The length of all columns.
    pub(crate) fn raw(&self) -> usize {
        self.columns.iter().map(|&len| len as usize).sum()
    }

    /// The length of the block in the file.
    pub(crate) fn len(&self) -> u64 {
        BLOCK_HEAD as u64 + u64::from(self.stored)
    }

    /// The index after the last entry.
    pub(crate) fn end(&self) -> u64 {
        self.first + u64::from(self.entries)
    }
}
