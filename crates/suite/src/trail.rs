//! The values of a shard: entries one after the other, each with the number of candidates before it.
//!
//! A suite has that number only at the ends of its blocks. Where these are depends on all values before, so a shard,
//! which does not know them, keeps it for each value.

use crate::block::LONGEST_PATH;
use crate::error::Error;
use std::io::{Read, Write};

/// A block is written when its entries have this many bytes.
const FULL: usize = 1 << 16;

/// The largest number of bytes of a block: one entry may be as long as the longest path.
const MOST: usize = FULL + 5 * (LONGEST_PATH + 4);

/// The length of the entries of a block, and that of the bytes that are stored.
const HEAD: usize = 8;

/// What the record of a shard says about its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Trail {
    /// The number of entries.
    pub entries: u64,
    /// The number of bytes.
    pub bytes: u64,
    /// The checksum of all bytes.
    pub checksum: u32,
}

impl Trail {
    /// Describes bytes in another format.
    pub fn of_bytes(entries: u64, bytes: &[u8]) -> Trail {
        Trail { entries, bytes: bytes.len() as u64, checksum: crc32fast::hash(bytes) }
    }
}

/// How many choices an entry shares with the one before, its other choices, and the candidates of the shard so far.
pub type Entry<'a> = (usize, &'a [u32], u64);

/// Writes the values of a shard.
pub struct TrailWriter<W: Write> {
    sink: W,
    block: Vec<u8>,
    entries: u64,
    bytes: u64,
    hash: crc32fast::Hasher,
    explored: u64,
}

impl<W: Write> TrailWriter<W> {
    /// Creates a writer. It writes nothing yet.
    pub fn new(sink: W) -> Self {
        let block = Vec::with_capacity(FULL + (1 << 10));
        TrailWriter { sink, block, entries: 0, bytes: 0, hash: crc32fast::Hasher::new(), explored: 0 }
    }

    /// Adds an entry: the first `kept` choices of the last one, then `new`. `explored` is the number of candidates of the
    /// shard so far.
    pub fn push(&mut self, kept: usize, new: &[u32], explored: u64) -> Result<(), Error> {
        let len = kept.saturating_add(new.len());
        if len > LONGEST_PATH {
            return Err(Error::TooLong { what: "path", len, most: LONGEST_PATH });
        }
        put(&mut self.block, explored - self.explored);
        put(&mut self.block, kept as u64);
        put(&mut self.block, new.len() as u64);
        for &choice in new {
            put(&mut self.block, choice.into());
        }
        self.explored = explored;
        self.entries += 1;
        if self.block.len() >= FULL { self.close_block() } else { Ok(()) }
    }

    fn close_block(&mut self) -> Result<(), Error> {
        let mut bytes = vec![0; HEAD + lz4_flex::block::get_maximum_output_size(self.block.len())];
        let stored = match lz4_flex::block::compress_into(&self.block, &mut bytes[HEAD..]) {
            Ok(len) if len < self.block.len() => len,
            // Equal lengths show that it is stored as it is.
            _ => {
                bytes[HEAD..HEAD + self.block.len()].copy_from_slice(&self.block);
                self.block.len()
            }
        };
        bytes.truncate(HEAD + stored);
        bytes[..4].copy_from_slice(&(self.block.len() as u32).to_le_bytes());
        bytes[4..HEAD].copy_from_slice(&(stored as u32).to_le_bytes());
        self.sink.write_all(&bytes)?;
        self.hash.update(&bytes);
        self.bytes += bytes.len() as u64;
        self.block.clear();
        Ok(())
    }

    /// Writes the last block, and returns the sink and what the record has to say.
    pub fn finish(mut self) -> Result<(W, Trail), Error> {
        if !self.block.is_empty() {
            self.close_block()?;
        }
        self.sink.flush()?;
        let trail = Trail { entries: self.entries, bytes: self.bytes, checksum: self.hash.finalize() };
        Ok((self.sink, trail))
    }
}

/// Reads the values of a shard. They are certain only when [`TrailReader::next`] has returned none.
pub struct TrailReader<R: Read> {
    source: R,
    trail: Trail,
    stored: Vec<u8>,
    block: Vec<u8>,
    /// Where the next entry begins in the block.
    at: usize,
    entries: u64,
    bytes: u64,
    hash: crc32fast::Hasher,
    explored: u64,
    len: usize,
    new: Vec<u32>,
}

impl<R: Read> TrailReader<R> {
    /// Creates a reader. It reads nothing yet.
    pub fn new(source: R, trail: Trail) -> Self {
        TrailReader {
            source,
            trail,
            stored: vec![],
            block: vec![],
            at: 0,
            entries: 0,
            bytes: 0,
            hash: crc32fast::Hasher::new(),
            explored: 0,
            len: 0,
            new: vec![],
        }
    }

    /// Returns the next entry.
    #[expect(clippy::should_implement_trait, reason = "an entry borrows from the reader")]
    #[inline]
    pub fn next(&mut self) -> Result<Option<Entry<'_>>, Error> {
        if self.at == self.block.len() && !self.read_block()? {
            return Ok(None);
        }
        match self.decode() {
            Some(kept) => Ok(Some((kept, &self.new, self.explored))),
            None => Err(self.corrupt()),
        }
    }

    #[inline]
    fn decode(&mut self) -> Option<usize> {
        let explored = self.number()?;
        let (kept, added) = (self.number()? as usize, self.number()? as usize);
        if kept > self.len || added > LONGEST_PATH || self.entries == self.trail.entries {
            return None;
        }
        self.new.clear();
        for _ in 0..added {
            let choice = self.number()?;
            self.new.push(u32::try_from(choice).ok()?);
        }
        self.explored = self.explored.checked_add(explored)?;
        self.len = kept + added;
        self.entries += 1;
        Some(kept)
    }

    #[inline]
    fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = *self.block.get(self.at)?;
            self.at += 1;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
            if shift > 63 {
                return None;
            }
        }
    }

    /// Reads the next block; false at the end, if all is as the record says.
    #[cold]
    fn read_block(&mut self) -> Result<bool, Error> {
        let left = self.trail.bytes - self.bytes;
        if left == 0 {
            let is_whole =
                self.entries == self.trail.entries && self.hash.clone().finalize() == self.trail.checksum;
            return if is_whole { Ok(false) } else { Err(self.corrupt()) };
        }
        let mut head = [0; HEAD];
        if left < HEAD as u64 {
            return Err(self.corrupt());
        }
        self.read(&mut head)?;
        let number = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
        let (raw, stored) = (number(&head[..4]), number(&head[4..]));
        if raw == 0 || raw > MOST || stored > raw || (HEAD + stored) as u64 > left {
            return Err(self.corrupt());
        }
        let mut bytes = std::mem::take(&mut self.stored);
        bytes.resize(stored, 0);
        self.read(&mut bytes)?;
        self.hash.update(&head);
        self.hash.update(&bytes);
        self.bytes += (HEAD + stored) as u64;
        self.at = 0;
        self.block.resize(raw, 0);
        if stored == raw {
            self.block.copy_from_slice(&bytes);
        } else if lz4_flex::block::decompress_into(&bytes, &mut self.block).ok() != Some(raw) {
            return Err(self.corrupt());
        }
        self.stored = bytes;
        Ok(true)
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.source.read_exact(bytes).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => Error::Truncated { what: "values", at: self.bytes },
            _ => Error::Io(error),
        })
    }

    fn corrupt(&self) -> Error {
        Error::Corrupt { what: "values", at: self.bytes }
    }
}

/// Writes seven bits in each byte, the lowest first.
#[inline]
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(entries: &[(usize, Vec<u32>, u64)]) -> (Vec<u8>, Trail) {
        let mut writer = TrailWriter::new(vec![]);
        for (kept, new, explored) in entries {
            writer.push(*kept, new, *explored).unwrap();
        }
        writer.finish().unwrap()
    }

    fn read(bytes: &[u8], trail: Trail) -> Result<Vec<(usize, Vec<u32>, u64)>, Error> {
        let mut reader = TrailReader::new(bytes, trail);
        let mut entries = vec![];
        while let Some((kept, new, explored)) = reader.next()? {
            entries.push((kept, new.to_vec(), explored));
        }
        Ok(entries)
    }

    #[test]
    fn entries_come_back_and_every_flipped_bit_is_noticed() {
        let mut entries = vec![(0, vec![1, 2, 300], 7)];
        for i in 0..30_000 {
            entries.push((2, vec![i], 7 + u64::from(i / 3)));
        }
        let (bytes, trail) = written(&entries);
        assert!(trail.bytes == bytes.len() as u64 && bytes.len() > FULL / 2, "{trail:?}");
        assert_eq!(read(&bytes, trail).unwrap(), entries);
        for at in (0..bytes.len()).step_by(1009) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(read(&damaged, trail).is_err(), "{at}");
        }
        assert!(read(&bytes[..bytes.len() - 1], trail).is_err());
        assert!(read(&bytes, Trail { entries: trail.entries - 1, ..trail }).is_err());
        assert!(read(&bytes, Trail { entries: trail.entries + 1, ..trail }).is_err());
    }

    #[test]
    fn no_entries_are_no_bytes() {
        let (bytes, trail) = written(&[]);
        assert_eq!((bytes.len(), trail), (0, Trail::default()));
        assert_eq!(read(&bytes, trail).unwrap(), []);
    }
}
