//! Inputs for the fuzzer: good files, changed with knowledge of the format.

use crate::layout::{BLOCK_HEAD, COLUMNS, Kind, STORED, parts, repair, set};
use crate::random::Random;
use std::ops::Range;

/// Makes bad files from good ones.
pub struct Mutator {
    pub random: Random,
    pub seeds: Vec<Vec<u8>>,
}

const NUMBERS: [u64; 14] = [
    0,
    1,
    2,
    4095,
    4096,
    4097,
    65_536,
    1 << 20,
    5 << 20,
    1 << 31,
    u32::MAX as u64 - 1,
    u32::MAX as u64,
    1 << 62,
    u64::MAX,
];

impl Mutator {
    /// Returns the next input. Most inputs have right checksums, so that the code behind the checks is reached.
    pub fn input(&mut self) -> Vec<u8> {
        // The last file has many entries, and takes long.
        let quick = self.seeds.len() - usize::from(!self.random.one_in(10));
        let mut bytes = self.random.pick(&self.seeds[..quick]).clone();
        for _ in 0..=self.random.below(3) {
            self.mutate(&mut bytes);
            if !self.random.one_in(4) {
                repair(&mut bytes);
            }
        }
        bytes.truncate(1 << 16);
        bytes
    }

    fn mutate(&mut self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            return bytes.extend_from_slice(&self.random.number().to_le_bytes());
        }
        match self.random.below(9) {
            0 => self.change_byte(bytes),
            1 => self.change_number(bytes, 0..usize::MAX),
            2 => {
                if let Some(range) = self.part(bytes, None) {
                    self.change_number(bytes, range.start..range.start + BLOCK_HEAD);
                }
            }
            3 => bytes.truncate(self.random.below(bytes.len())),
            4 => self.splice(bytes),
            5 => self.move_part(bytes),
            6 => self.unpack(bytes),
            _ => {
                if let Some(range) = self.part(bytes, Some(Kind::Block)) {
                    let payload = range.start + BLOCK_HEAD..range.end;
                    if !payload.is_empty() {
                        let at = payload.start + self.random.below(payload.len());
                        bytes[at] = self.byte();
                    }
                }
            }
        }
    }

    fn byte(&mut self) -> u8 {
        if self.random.one_in(2) {
            *self.random.pick(&[0, 1, 0x7f, 0x80, 0xff])
        } else {
            self.random.number() as u8
        }
    }

    fn change_byte(&mut self, bytes: &mut [u8]) {
        let at = self.random.below(bytes.len());
        bytes[at] = if self.random.one_in(2) { self.byte() } else { bytes[at] ^ 1 << self.random.below(8) };
    }

    /// Writes a number with four or eight bytes somewhere into a range.
    fn change_number(&mut self, bytes: &mut [u8], range: Range<usize>) {
        let range = range.start..range.end.min(bytes.len());
        let width = *self.random.pick(&[4, 8]);
        if range.len() < width {
            return;
        }
        let aligned = self.random.below((range.len() - width) / 4 + 1) * 4;
        let number = *self.random.pick(&NUMBERS);
        let number = number.wrapping_add(*self.random.pick(&[0, 0, 0, 1, u64::MAX]));
        let at = range.start + aligned;
        bytes[at..at + width].copy_from_slice(&number.to_le_bytes()[..width]);
    }

    fn part(&mut self, bytes: &[u8], kind: Option<Kind>) -> Option<Range<usize>> {
        let parts: Vec<_> =
            parts(bytes).into_iter().filter(|part| kind.is_none_or(|k| k == part.0)).collect();
        if parts.is_empty() { None } else { Some(self.random.pick(&parts).1.clone()) }
    }

    /// Replaces a piece by a piece of the same or of another file.
    fn splice(&mut self, bytes: &mut Vec<u8>) {
        let from = self.random.pick(&self.seeds).clone();
        let start = self.random.below(from.len());
        let piece = &from[start..from.len().min(start + self.random.below(40))];
        let at = self.random.below(bytes.len());
        let end = bytes.len().min(at + self.random.below(40));
        bytes.splice(at..end, piece.iter().copied());
    }

    /// Removes a part, or inserts a part of some file before another one.
    fn move_part(&mut self, bytes: &mut Vec<u8>) {
        let Some(place) = self.part(bytes, None) else { return };
        if self.random.one_in(2) {
            bytes.drain(place);
            return;
        }
        let from = self.random.pick(&self.seeds).clone();
        if let Some(part) = self.part(&from, None) {
            bytes.splice(place.start..place.start, from[part].iter().copied());
        }
    }

    /// Replaces the payload of a block by its columns, and changes the columns.
    fn unpack(&mut self, bytes: &mut Vec<u8>) {
        let Some(range) = self.part(bytes, Some(Kind::Block)) else { return };
        let head = &bytes[range.start..range.start + BLOCK_HEAD];
        let number = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let lens: Vec<u32> = head[COLUMNS..STORED].chunks_exact(4).map(number).collect();
        let raw = lens.iter().fold(0_usize, |sum, &len| sum.saturating_add(len as usize));
        if raw == 0 || raw > 1 << 16 {
            return;
        }
        let payload = &bytes[range.start + BLOCK_HEAD..range.end];
        let mut columns = vec![0; raw];
        if payload.len() == raw {
            columns.copy_from_slice(payload);
        } else if lz4_flex::block::decompress_into(payload, &mut columns).is_err() {
            columns.fill(self.byte());
        }
        for _ in 0..self.random.below(4) {
            self.change_byte(&mut columns);
        }
        if self.random.one_in(4) {
            // Another border between two columns.
            let column = self.random.below(3);
            let moved = self.random.below(3) as u32;
            set(bytes, range.start + COLUMNS + 4 * column, lens[column].wrapping_sub(moved));
            set(bytes, range.start + COLUMNS + 4 * column + 4, lens[column + 1].wrapping_add(moved));
        }
        set(bytes, range.start + STORED, raw as u32);
        bytes.splice(range.start + BLOCK_HEAD..range.end, columns);
    }
}
