//! Small suites, and short functions to write and read them.

use smallscope_suite::{Ending, Error, Header, Reader, Stream, Writer};
use std::fs;
use std::io::Cursor;
use std::path::PathBuf;

pub type Paths = Vec<Vec<u32>>;

pub fn header() -> Header {
    Header::new().with("structure", "list").with("bounds", "3")
}

pub fn ending(paths: &[Vec<u32>]) -> Ending {
    let valid = paths.len() as u64;
    Ending { outcome: "limit".into(), explored: 7 * valid, valid, position: Some(vec![1, 2, 3]) }
}

/// Paths that count: a full block of them has few bytes.
pub fn counting(entries: u32) -> Paths {
    (0..entries).map(|i| vec![1, i]).collect()
}

/// Returns the counter of an entry of a sample.
pub fn explored(index: usize) -> u64 {
    7 * index as u64 + 3
}

/// Returns the anchor of an entry of a sample, if it begins a block.
pub fn anchor(index: usize) -> u64 {
    1000 + index as u64
}

/// Adds the paths from an index on.
pub fn push_from<W: std::io::Write>(
    writer: &mut Writer<W>,
    paths: &[Vec<u32>],
    from: usize,
) -> Result<(), Error> {
    for (i, path) in paths.iter().enumerate().skip(from) {
        writer.push_path(path, explored(i), || anchor(i))?;
    }
    Ok(())
}

/// Returns a suite without an ending. All its entries but the last ones are in full blocks.
pub fn writer(paths: &[Vec<u32>]) -> Writer<Vec<u8>> {
    let mut writer = Writer::create(vec![], &header()).unwrap();
    push_from(&mut writer, paths, 0).unwrap();
    writer
}

pub fn suite(paths: &[Vec<u32>]) -> Vec<u8> {
    writer(paths).finish(&ending(paths)).unwrap()
}

pub fn read(bytes: &[u8]) -> Result<Paths, Error> {
    let mut reader = Reader::open(Cursor::new(bytes))?;
    let mut entries = reader.entries(0);
    let mut paths = vec![];
    while let Some(path) = entries.next()? {
        paths.push(path.to_vec());
    }
    Ok(paths)
}

pub fn read_stream(bytes: &[u8]) -> Result<(Paths, Option<Ending>), Error> {
    let mut stream = Stream::new(bytes);
    let mut paths = vec![];
    while let Some(path) = stream.next()? {
        paths.push(path.to_vec());
    }
    Ok((paths, stream.ending().cloned()))
}

/// Returns where each full block of a suite ends in the file, and after how many entries; the header first.
pub fn boundaries(paths: &[Vec<u32>]) -> Vec<(u64, usize)> {
    let mut writer = Writer::create(vec![], &header()).unwrap();
    let mut boundaries = vec![(writer.written(), 0)];
    for (i, path) in paths.iter().enumerate() {
        writer.push_path(path, explored(i), || anchor(i)).unwrap();
        if writer.written() > boundaries[boundaries.len() - 1].0 {
            boundaries.push((writer.written(), i + 1));
        }
    }
    boundaries
}

/// A file that is removed when this is dropped.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str, bytes: &[u8]) -> Scratch {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        fs::write(&path, bytes).unwrap();
        Scratch(path)
    }

    pub fn bytes(&self) -> Vec<u8> {
        fs::read(&self.0).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // The file of a failed test stays.
        if !std::thread::panicking() {
            fs::remove_file(&self.0).unwrap();
        }
    }
}
