//! Plans of shards, and the results of shards.

use crate::error::Error;
use crate::frame::{self, Kind, PREAMBLE};
use crate::header::Header;
use crate::trail::{Trail, TrailReader};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// How a search is divided into shards: pairs of strings, whose meaning is the caller's.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlanFile {
    /// The pairs.
    pub pairs: Header,
}

impl PlanFile {
    /// Writes the plan to a file, which is complete or not there.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let bytes = frame::seal(Kind::Plan, &self.pairs.to_bytes())?;
        replace_file(path, |file| Ok(file.write_all(&bytes)?))
    }

    /// Reads a plan.
    pub fn load(path: &Path) -> Result<PlanFile, Error> {
        let mut file = File::open(path)?;
        let (pairs, len) = read_frame(Kind::Plan, &mut file)?;
        at_end(Kind::Plan, &file, len)?;
        Ok(PlanFile { pairs })
    }
}

/// The result of a shard: a record, and the values if they were kept.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShardFile {
    /// The pairs of the record, whose meaning is the caller's.
    pub record: Header,
    /// The values, if they were kept.
    pub trail: Option<Trail>,
    /// The length of the record in the file.
    offset: u64,
}

/// The key of the record that says how many values there are, how many bytes they take, and their checksum.
const VALUES: &str = "values";

impl ShardFile {
    /// Writes the result to a file, which is complete or not there. `values` is a file with the values, if they are kept.
    ///
    /// The file is not synced: after a loss of power it may be damaged, which its checksums show. It is run again then, and waiting
    /// for the disk would take longer than most small shards.
    pub fn save(path: &Path, record: Header, values: Option<(Trail, &Path)>) -> Result<(), Error> {
        let mut record = record;
        if let Some((trail, _)) = values {
            let Trail { entries, bytes, checksum } = trail;
            record = record.with(VALUES, format!("{entries} {bytes} {checksum}"));
        }
        let frame = frame::seal(Kind::Shard, &record.to_bytes())?;
        rename_when_written(path, |file| {
            file.write_all(&frame)?;
            if let Some((_, values)) = values {
                io::copy(&mut File::open(values)?, file)?;
            }
            Ok(())
        })
    }

    /// Reads the record, and checks that the file has the length that it says.
    pub fn load(path: &Path) -> Result<ShardFile, Error> {
        let mut file = File::open(path)?;
        let (record, offset) = read_frame(Kind::Shard, &mut file)?;
        let corrupt = || Error::Corrupt { what: Kind::Shard.part(), at: 0 };
        let trail = match record.get(VALUES) {
            None => None,
            Some(text) => Some(parse_trail(text).ok_or_else(corrupt)?),
        };
        let bytes = trail.map_or(0, |trail| trail.bytes);
        at_end(Kind::Shard, &file, offset.checked_add(bytes).ok_or_else(corrupt)?)?;
        Ok(ShardFile { record, trail, offset })
    }

    /// Returns the values, if they were kept.
    pub fn values(&self, path: &Path) -> Result<Option<TrailReader<BufReader<File>>>, Error> {
        let Some(trail) = self.trail else { return Ok(None) };
        let mut file = File::open(path)?;
        io::Seek::seek(&mut file, io::SeekFrom::Start(self.offset))?;
        Ok(Some(TrailReader::new(BufReader::new(file), trail)))
    }

    /// Returns the bytes of the values, if they were kept. They need not be those of a [`TrailWriter`](crate::TrailWriter).
    pub fn bytes(&self, path: &Path) -> Result<Option<Vec<u8>>, Error> {
        let Some(trail) = self.trail else { return Ok(None) };
        let mut file = File::open(path)?;
        io::Seek::seek(&mut file, io::SeekFrom::Start(self.offset))?;
        let mut bytes = vec![];
        file.read_to_end(&mut bytes)?;
        match crc32fast::hash(&bytes) == trail.checksum {
            true => Ok(Some(bytes)),
            false => Err(Error::Corrupt { what: "values", at: self.offset }),
        }
    }

    /// Reads the values and forgets them, to find out whether they are damaged.
    pub fn check_values(&self, path: &Path) -> Result<(), Error> {
        let Some(trail) = self.trail else { return Ok(()) };
        let mut file = File::open(path)?;
        io::Seek::seek(&mut file, io::SeekFrom::Start(self.offset))?;
        let (mut hash, mut buffer) = (crc32fast::Hasher::new(), vec![0; 1 << 16]);
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                len => hash.update(&buffer[..len]),
            }
        }
        match hash.finalize() == trail.checksum {
            true => Ok(()),
            false => Err(Error::Corrupt { what: "values", at: self.offset }),
        }
    }
}

fn parse_trail(text: &str) -> Option<Trail> {
    let mut numbers = text.split(' ').map(str::parse::<u64>);
    let mut next = || numbers.next()?.ok();
    let trail = Trail { entries: next()?, bytes: next()?, checksum: u32::try_from(next()?).ok()? };
    numbers.next().is_none().then_some(trail)
}

/// Reads the frame at the beginning of a file. Returns its pairs and its length.
fn read_frame(kind: Kind, file: &mut File) -> Result<(Header, u64), Error> {
    let mut bytes = vec![];
    file.take(PREAMBLE as u64).read_to_end(&mut bytes)?;
    let truncated = |at: usize| Error::Truncated { what: kind.part(), at: at as u64 };
    let Some(len) = frame::length(kind, &bytes)? else { return Err(truncated(bytes.len())) };
    file.take((len - PREAMBLE) as u64).read_to_end(&mut bytes)?;
    if bytes.len() < len {
        return Err(truncated(bytes.len()));
    }
    let (_, body) = frame::open(kind, &bytes)?;
    let pairs = Header::from_bytes(body).ok_or(Error::Corrupt { what: kind.part(), at: 0 })?;
    Ok((pairs, len as u64))
}

/// Checks that a file has a length.
fn at_end(kind: Kind, file: &File, len: u64) -> Result<(), Error> {
    let at = file.metadata()?.len();
    match at.cmp(&len) {
        std::cmp::Ordering::Less => Err(Error::Truncated { what: kind.part(), at }),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(Error::Corrupt { what: "part after the end", at: len }),
    }
}

/// Writes a file under another name, syncs it, and gives it its name. So the file is always complete, even if two processes
/// write it at the same time or one of them is killed.
pub fn replace_file(path: &Path, write: impl FnOnce(&mut File) -> Result<(), Error>) -> Result<(), Error> {
    rename_when_written(path, |file| {
        write(file)?;
        Ok(file.sync_all()?)
    })
}

/// The same without a sync: after a loss of power, the file may be damaged.
fn rename_when_written(path: &Path, write: impl FnOnce(&mut File) -> Result<(), Error>) -> Result<(), Error> {
    let mut temporary = OsString::from(path);
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(temporary);
    let mut file = File::create(&temporary)?;
    let written = write(&mut file);
    drop(file);
    let renamed = written.and_then(|()| Ok(fs::rename(&temporary, path)?));
    if renamed.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    renamed
}

/// Returns a fingerprint of a program or another file: its length, and two checksums.
pub fn fingerprint(bytes: &[u8]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
    format!("{:x}-{hash:016x}-{:08x}", bytes.len(), crc32fast::hash(bytes))
}
