//! Decodes blocks into entries.

use crate::block::{BlockHead, COLUMNS, LONGEST_PATH};
use crate::encode::OpenBlock;
use crate::error::Error;

/// The entries of one block, in order.
#[derive(Default)]
pub(crate) struct Cursor {
    raw: Vec<u8>,
    columns: [Column; COLUMNS],
    /// The number of entries after the current one.
    left: u32,
    /// The current entry.
    path: Vec<u32>,
    /// The offset of the block in the file, for errors.
    at: u64,
}

/// The part of a column that is not read yet, as a range of all columns.
#[derive(Default, Clone, Copy)]
struct Column {
    next: usize,
    end: usize,
}

impl Cursor {
    /// Creates a cursor before the first entry of a block.
    pub(crate) fn load(&mut self, head: &BlockHead, payload: &[u8], at: u64) -> Result<(), Error> {
        self.left = 0;
        self.at = at;
        self.path.clear();
        if crc32fast::hash(payload) != head.checksum {
            return Err(self.corrupt());
        }
        self.raw.clear();
        if payload.len() == head.raw() {
            self.raw.extend_from_slice(payload);
        } else {
            self.raw.resize(head.raw(), 0);
            match lz4_flex::block::decompress_into(payload, &mut self.raw) {
                Ok(len) if len == self.raw.len() => {}
                _ => return Err(self.corrupt()),
            }
        }
        let mut end = 0;
        self.columns = head.columns.map(|len| {
            let next = end;
            end += len as usize;
            Column { next, end }
        });
        self.left = head.entries;
        Ok(())
    }

    /// Returns the number of entries after the current one.
    pub(crate) fn left(&self) -> u32 {
        self.left
    }

    /// Returns the current entry.
    pub(crate) fn path(&self) -> &[u32] {
        &self.path
    }

    /// Goes to the next entry; false if there is none.
    #[inline]
    pub(crate) fn step(&mut self) -> Result<bool, Error> {
        if self.left == 0 {
            return Ok(false);
        }
        let applied = self.apply();
        self.left -= 1;
        let is_rest = self.left == 0 && self.columns.iter().any(|column| column.next != column.end);
        if applied.is_none() || is_rest {
            return Err(self.fail());
        }
        Ok(true)
    }

    /// Turns the path into the next entry; `None` if the columns are inconsistent.
    #[inline]
    fn apply(&mut self) -> Option<()> {
        let [drops, growths, firsts, others] = &mut self.columns;
        let dropped = drops.number(&self.raw)?;
        let new = dropped.checked_add_signed(signed(growths.number(&self.raw)?))? as usize;
        let kept = self.path.len().checked_sub(dropped as usize)?;
        let len = kept.checked_add(new)?;
        // Each new choice has at least one byte, so the memory is bounded by what was read.
        if len > LONGEST_PATH || new > 1 + (others.end - others.next) {
            return None;
        }
        self.path.resize(self.path.len().max(len), 0);
        if let Some((first, rest)) = self.path[kept..len].split_first_mut() {
            *first = first.wrapping_add_signed(signed(firsts.number(&self.raw)?));
            for choice in rest {
                *choice = choice.wrapping_add_signed(signed(others.number(&self.raw)?));
            }
        }
        self.path.truncate(len);
        Some(())
    }

    /// Adds all remaining entries to a block.
    pub(crate) fn move_into(&mut self, block: &mut OpenBlock, path: &mut Vec<u32>) -> Result<(), Error> {
        while self.step()? {
            block.push(path, 0, &self.path);
        }
        Ok(())
    }

    /// Makes every further step the same error.
    #[cold]
    fn fail(&mut self) -> Error {
        self.columns = Default::default();
        self.left = 1;
        self.corrupt()
    }

    fn corrupt(&self) -> Error {
        Error::Corrupt { what: "block", at: self.at }
    }
}

impl Column {
    #[inline]
    fn number(&mut self, raw: &[u8]) -> Option<u32> {
        let byte = self.byte(raw)?;
        if byte < 0x80 { Some(u32::from(byte)) } else { self.long_number(byte, raw) }
    }

    fn long_number(&mut self, first: u8, raw: &[u8]) -> Option<u32> {
        let mut number = u32::from(first & 0x7f);
        for shift in [7, 14, 21, 28] {
            let byte = self.byte(raw)?;
            let bits = u32::from(byte & 0x7f);
            if shift == 28 && bits > 0xf {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    #[inline]
    fn byte(&mut self, raw: &[u8]) -> Option<u8> {
        let byte = *raw[..self.end].get(self.next)?;
        self.next += 1;
        Some(byte)
    }
}

#[inline]
fn signed(zigzag: u32) -> i32 {
    (zigzag >> 1) as i32 ^ -((zigzag & 1) as i32)
}
