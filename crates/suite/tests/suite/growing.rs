//! Suites that are read while they are written.

use crate::layout::repair;
use crate::samples::{boundaries, counting, ending, header, suite};
use smallscope_suite::{Error, Header, Stream};
use std::cell::Cell;
use std::io::{self, Read};

/// A file of which only the first bytes are written.
struct Growing<'a> {
    bytes: &'a [u8],
    there: &'a Cell<usize>,
    next: usize,
}

impl Read for Growing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = (&self.bytes[self.next..self.there.get()]).read(buffer)?;
        self.next += len;
        Ok(len)
    }
}

#[test]
fn entries_come_as_soon_as_their_block_is_there() {
    let paths = counting(2 * 4096 + 5);
    let bytes = suite(&paths);
    let mut boundaries = boundaries(&paths);
    boundaries.push((bytes.windows(4).rposition(|w| w == b"SEND").unwrap() as u64, paths.len()));
    for step in [1, 7, 100] {
        let there = Cell::new(0);
        let mut stream = Stream::new(Growing { bytes: &bytes, there: &there, next: 0 });
        let mut entries = 0;
        while there.get() < bytes.len() {
            assert_eq!(stream.ending(), None);
            there.set(bytes.len().min(there.get() + step));
            while let Some(path) = stream.next().unwrap() {
                assert_eq!(path, paths[entries]);
                entries += 1;
            }
            let complete = boundaries.iter().rev().find(|(end, _)| *end <= there.get() as u64);
            assert_eq!(entries, complete.map_or(0, |b| b.1), "{} bytes are there", there.get());
        }
        assert_eq!(stream.ending(), Some(&ending(&paths)));
        assert_eq!(stream.next().unwrap(), None);
    }
}

#[test]
fn the_header_comes_first() {
    let bytes = suite(&counting(1));
    let there = Cell::new(0);
    let mut stream = Stream::new(Growing { bytes: &bytes, there: &there, next: 0 });
    let header_end = boundaries(&[])[0].0 as usize;
    for len in 0..header_end {
        there.set(len);
        assert_eq!(stream.header().unwrap(), None);
    }
    there.set(header_end);
    assert_eq!(stream.header().unwrap(), Some(&header()));
    there.set(bytes.len());
    assert_eq!(stream.next().unwrap(), Some(&[1, 0][..]));
    assert_eq!(stream.header().unwrap().and_then(|h: &Header| h.get("bounds")), Some("3"));
}

#[test]
fn a_damaged_stream_says_so_each_time() {
    let mut bytes = suite(&counting(3));
    let block = boundaries(&[])[0].0 as usize;
    bytes[block + 65] ^= 1;
    let mut stream = Stream::new(&bytes[..]);
    for _ in 0..3 {
        assert!(matches!(stream.next(), Err(Error::Corrupt { what: "block", at }) if at == block as u64));
    }
}

#[test]
fn nothing_comes_after_an_impossible_entry() {
    let mut bytes = suite(&counting(3));
    let block = boundaries(&[])[0].0 as usize;
    // The third entry drops more choices than there are.
    bytes[block + 60 + 2] = 3;
    repair(&mut bytes);
    let mut stream = Stream::new(&bytes[..]);
    assert_eq!(stream.next().unwrap(), Some(&[1, 0][..]));
    assert_eq!(stream.next().unwrap(), Some(&[1, 1][..]));
    for _ in 0..3 {
        assert!(matches!(stream.next(), Err(Error::Corrupt { what: "block", at }) if at == block as u64));
    }
}
