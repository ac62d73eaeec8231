//! What must hold for every input: no panic, bounded memory, and all ways to read it agree.

use crate::counting;
use smallscope_suite::{Checkpoint, Ending, Error, Reader, Stream, Writer};
use std::fs;
use std::io::{self, Cursor, Read};
use std::path::Path;

/// The number of entries, and a hash of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Digest(u64, u64);

impl Digest {
    const EMPTY: Digest = Digest(0, 0xcbf2_9ce4_8422_2325);

    /// Hashes a few choices of each path: a small input can have many long ones.
    fn add(&mut self, path: &[u32]) {
        self.0 += 1;
        let ends = path.iter().take(4).chain(path.iter().rev().take(8));
        for &word in ends.chain([&(path.len() as u32)]) {
            self.1 = (self.1 ^ u64::from(word)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// A reader that returns few bytes at a time.
struct Drops<'a>(&'a [u8]);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(1 + self.0.len() % 61);
        self.0.read(&mut buffer[..len])
    }
}

fn by_reader(bytes: &[u8]) -> Result<(Digest, Option<Ending>), Error> {
    let mut reader = Reader::open(Cursor::new(bytes))?;
    let len = reader.len();
    for index in [0, len / 2, len.saturating_sub(1)] {
        if let (Ok(path), true) = (reader.get(index), index < len) {
            let path = path.to_vec();
            let (first, _) = reader.anchor_of(index)?;
            assert!(first <= index);
            assert_eq!(reader.get(index)?, path);
        }
    }
    assert!(matches!(reader.get(len), Err(Error::OutOfRange { .. })));
    let mut digest = Digest::EMPTY;
    let mut entries = reader.entries(0);
    while let Some(path) = entries.next()? {
        digest.add(path);
    }
    assert_eq!(digest.0, len);
    Ok((digest, reader.ending().cloned()))
}

fn by_stream(bytes: &[u8]) -> Result<(Digest, Option<Ending>), Error> {
    let mut stream = Stream::new(Drops(bytes));
    let mut digest = Digest::EMPTY;
    while let Some(path) = stream.next()? {
        digest.add(path);
    }
    Ok((digest, stream.ending().cloned()))
}

/// Reads an input in all ways. Returns whether it is a good file.
pub fn check(bytes: &[u8]) -> bool {
    let (is_good, peak) = counting::peak(|| {
        let read = by_reader(bytes);
        let streamed = by_stream(bytes);
        let checkpoint = Checkpoint::from_bytes(bytes);
        if let Ok(read) = &read {
            assert_eq!(read, streamed.as_ref().expect("what can be read can be streamed"));
        }
        if let Ok(checkpoint) = &checkpoint {
            assert_eq!(checkpoint.to_bytes().expect("what was read can be written"), bytes);
        }
        read.is_ok() || checkpoint.is_ok()
    });
    // A byte of LZ4 becomes at most 255 of columns, and each of these at most one choice of a path, whose vector
    // may be twice as large as necessary while it is being moved. A block and a path have their own limits.
    let by_length = (1 << 14) + bytes.len() * 255 * (1 + 3 * 4);
    let by_block = (24 << 20) + bytes.len() * 16;
    assert!(peak <= by_length.min(by_block), "{peak} bytes of memory for {} bytes", bytes.len());
    is_good
}

/// Continues an input as a suite, or a suite from the input as a checkpoint. `scratch` is a file for it.
pub fn check_reopen(bytes: &[u8], suite: &[u8], scratch: &Path) {
    fs::write(scratch, bytes).unwrap();
    match Writer::reopen(scratch) {
        Ok((writer, _, resume)) => {
            assert_eq!(writer.len(), resume.entries);
            finish(writer, scratch);
        }
        Err(_) => assert_eq!(fs::read(scratch).unwrap(), bytes),
    }
    if let Ok(checkpoint) = Checkpoint::from_bytes(bytes) {
        fs::write(scratch, suite).unwrap();
        match Writer::reopen_at(scratch, checkpoint.written, &checkpoint.pending) {
            Ok(writer) => finish(writer, scratch),
            Err(_) => assert_eq!(fs::read(scratch).unwrap(), suite),
        }
    }
}

/// Adds an entry and ends the suite. Then both must be readable.
fn finish(mut writer: Writer<fs::File>, scratch: &Path) {
    let len = writer.len();
    writer.push_path(&[1, 2, 3], 4, || 5).unwrap();
    drop(writer.finish(&Ending::default()).unwrap());
    let mut reader = Reader::open(fs::File::open(scratch).unwrap()).unwrap();
    assert_eq!(reader.len(), len + 1);
    assert_eq!(reader.get(len).unwrap(), [1, 2, 3]);
    assert_eq!(reader.ending(), Some(&Ending::default()));
}
