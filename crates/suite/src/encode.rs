//! Encodes entries into blocks.
//!
//! An entry is stored as its difference to the entry before it, or to the empty path if it is the first of its
//! block. Each block has four columns of numbers:
//!
//! 0. how many choices are dropped from the end of the entry before,
//! 1. how much longer the entry is than the one before (signed),
//! 2. the first new choice, minus the dropped choice at the same place (signed),
//! 3. the same for the other new choices.
//!
//! If nothing was dropped at a place, the new choice itself is stored. In a search, the first column of choices is
//! mostly ones, and the last one mostly repeats itself, which makes blocks small.

use crate::block::{BLOCK_HEAD, BlockHead, COLUMNS, FULL_CHOICES, FULL_ENTRIES};

/// The block to which entries are added.
#[derive(Default)]
pub(crate) struct OpenBlock {
    entries: u32,
    columns: [Vec<u8>; COLUMNS],
    /// The anchor that the caller gave for the first entry.
    pub(crate) anchor: u64,
    /// The counter that the caller gave with the last entry.
    pub(crate) explored: u64,
}

impl OpenBlock {
    pub(crate) fn is_empty(&self) -> bool {
        self.entries == 0
    }

    pub(crate) fn entries(&self) -> u32 {
        self.entries
    }

    /// Whether the block must be closed. Depends only on its entries, so that an interrupted run makes the same blocks
    /// as any other.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.entries == FULL_ENTRIES || self.columns[2].len() + self.columns[3].len() >= FULL_CHOICES
    }

    /// Adds an entry, and turns `path`, the entry before it, into this entry: its first `kept` choices, then `new`.
    /// Choices of `new` may equal those that they replace.
    #[inline]
    pub(crate) fn push(&mut self, path: &mut Vec<u32>, kept: usize, new: &[u32]) {
        if self.entries == 0 {
            return self.push_first(path, kept, new);
        }
        let same = common_prefix(&path[kept..], new);
        self.add(path, kept + same, &new[same..]);
    }

    #[cold]
    fn push_first(&mut self, path: &mut Vec<u32>, kept: usize, new: &[u32]) {
        let whole = [&path[..kept], new].concat();
        path.clear();
        self.add(path, 0, &whole);
    }

    #[inline]
    fn add(&mut self, path: &mut Vec<u32>, kept: usize, new: &[u32]) {
        let dropped = path.len() - kept;
        let len = kept + new.len();
        let [drops, growths, firsts, others] = &mut self.columns;
        put_number(drops, dropped as u32);
        put_number(growths, zigzag((new.len() as u32).wrapping_sub(dropped as u32)));
        if path.len() < len {
            path.resize(len, 0);
        } else {
            path.truncate(len);
        }
        if let Some((first, rest)) = path[kept..].split_first_mut() {
            put_number(firsts, zigzag(new[0].wrapping_sub(*first)));
            *first = new[0];
            for (old, &choice) in rest.iter_mut().zip(&new[1..]) {
                put_number(others, zigzag(choice.wrapping_sub(*old)));
                *old = choice;
            }
        }
        self.entries += 1;
    }

    /// Returns the block as the file has it. `first` is the index of its first entry.
    pub(crate) fn to_bytes(&self, first: u64) -> Vec<u8> {
        let raw = self.columns.concat();
        let mut bytes = vec![0; BLOCK_HEAD + lz4_flex::block::get_maximum_output_size(raw.len())];
        let payload = &mut bytes[BLOCK_HEAD..];
        let stored = match lz4_flex::block::compress_into(&raw, payload) {
            Ok(len) if len < raw.len() => len,
            // Compression made it no smaller, so it is stored as it is. Equal lengths show that.
            _ => {
                payload[..raw.len()].copy_from_slice(&raw);
                raw.len()
            }
        };
        bytes.truncate(BLOCK_HEAD + stored);
        let head = BlockHead {
            entries: self.entries,
            columns: self.columns.each_ref().map(|column| column.len() as u32),
            stored: stored as u32,
            first,
            anchor: self.anchor,
            explored: self.explored,
            checksum: crc32fast::hash(&bytes[BLOCK_HEAD..]),
        };
        bytes[..BLOCK_HEAD].copy_from_slice(&head.to_bytes());
        bytes
    }

    /// Begins the next block.
    pub(crate) fn clear(&mut self) {
        self.entries = 0;
        self.columns.iter_mut().for_each(Vec::clear);
    }
}

/// Maps small numbers of either sign to small numbers: 0, -1, 1, -2, 2 to 0, 1, 2, 3, 4.
#[inline]
fn zigzag(difference: u32) -> u32 {
    (difference << 1) ^ ((difference as i32 >> 31) as u32)
}

/// Writes seven bits in each byte, the lowest first. The highest bit of a byte says that another one follows.
#[inline]
fn put_number(column: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        column.push(number as u8 | 0x80);
        number >>= 7;
    }
    column.push(number as u8);
}

/// Returns the length of the common prefix of two paths.
#[inline]
fn common_prefix(a: &[u32], b: &[u32]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
