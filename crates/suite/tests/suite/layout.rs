//! The layout of a file, written a second time from the description of the format, so that checksums can be corrected
//! after a change.

use std::ops::Range;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Frame,
    Block,
    Footer,
    Rest,
}

pub const BLOCK_HEAD: usize = 60;
const FOOTER_HEAD: usize = 16;

/// Places in the head of a block.
pub const COLUMNS: usize = 8;
pub const STORED: usize = 24;

fn number(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
}

pub fn set(bytes: &mut [u8], at: usize, number: u32) {
    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
}

/// Returns the parts of a file, as far as its lengths are consistent.
pub fn parts(bytes: &[u8]) -> Vec<(Kind, Range<usize>)> {
    let mut parts = vec![];
    let mut start = 0;
    while start < bytes.len() {
        let rest = &bytes[start..];
        let (kind, len) = if rest.starts_with(b"\x89SS") && rest.len() >= 18 {
            (Kind::Frame, 18 + number(rest, 10))
        } else if rest.starts_with(b"SBLK") && rest.len() >= BLOCK_HEAD {
            (Kind::Block, BLOCK_HEAD + number(rest, STORED))
        } else if rest.starts_with(b"SEND") && rest.len() >= FOOTER_HEAD + 4 + 16 {
            (Kind::Footer, FOOTER_HEAD + number(rest, 4) + 4 + 16)
        } else {
            (Kind::Rest, rest.len())
        };
        let end = start + len.min(rest.len());
        parts.push((kind, start..end));
        start = end;
    }
    parts
}

/// Corrects every checksum, and the length in the trailer.
pub fn repair(bytes: &mut [u8]) {
    for (kind, range) in parts(bytes) {
        let part = &mut bytes[range];
        let len = part.len();
        match kind {
            Kind::Frame => seal(part, 0..len - 4),
            Kind::Block => {
                let checksum = crc32fast::hash(&part[BLOCK_HEAD..]);
                set(part, 52, checksum);
                seal(part, 0..56);
            }
            Kind::Footer => {
                seal(part, 0..12);
                seal(part, FOOTER_HEAD..len - 20);
                set(part, len - 16, len as u32 - 16);
            }
            Kind::Rest => {}
        }
    }
}

/// Writes the checksum of a range behind it.
fn seal(part: &mut [u8], range: Range<usize>) {
    let end = range.end;
    let checksum = crc32fast::hash(&part[range]);
    set(part, end, checksum);
}
