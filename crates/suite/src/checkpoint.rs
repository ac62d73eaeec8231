//! The state of a run that can be resumed.

use crate::bytes::{Bytes, Put};
use crate::error::Error;
use crate::frame::{self, Kind, PREAMBLE};
use crate::header::Header;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// What a run needs to be resumed, together with its suite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// The header of the suite.
    pub header: Header,
    /// The value of [`Writer::written`](crate::Writer::written) at that moment.
    pub written: u64,
    /// The value of [`Writer::pending`](crate::Writer::pending) at that moment.
    pub pending: Vec<u8>,
    /// The position of the run.
    pub position: Vec<u32>,
    /// The candidates that were visited.
    pub explored: u64,
    /// The candidates that were valid.
    pub valid: u64,
    /// Other data of the caller.
    pub extra: Header,
}

impl Checkpoint {
    /// Writes the checkpoint to a file. If that fails in the middle, even by a power cut, the old file is still
    /// complete: the new one is written next to it, under a name that ends with `.tmp`, and replaces it at the end.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let bytes = self.to_bytes()?;
        let mut temporary = OsString::from(path);
        temporary.push(".tmp");
        let temporary = PathBuf::from(temporary);
        let mut file = File::create(&temporary)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        drop(file);
        fs::rename(&temporary, path)?;
        sync_directory_of(path)
    }

    /// Reads a checkpoint from a file.
    pub fn load(path: impl AsRef<Path>) -> Result<Checkpoint, Error> {
        let file = File::open(path)?;
        let mut bytes = vec![];
        (&file).take(PREAMBLE as u64).read_to_end(&mut bytes)?;
        if let Some(len) = frame::length(Kind::Checkpoint, &bytes)? {
            // One more byte shows whether something follows.
            file.take((len - bytes.len()) as u64 + 1).read_to_end(&mut bytes)?;
        }
        Checkpoint::from_bytes(&bytes)
    }

    /// Returns the bytes that [`save`](Self::save) writes.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut body = vec![];
        body.put_counted(&self.header.to_bytes());
        body.put_counted(&self.extra.to_bytes());
        body.put_u64(self.written);
        body.put_u64(self.explored);
        body.put_u64(self.valid);
        body.put_path(&self.position);
        body.put_counted(&self.pending);
        frame::seal(Kind::Checkpoint, &body)
    }

    /// Reads the bytes that [`load`](Self::load) has read.
    pub fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, Error> {
        let at = bytes.len() as u64;
        match frame::length(Kind::Checkpoint, bytes)? {
            Some(len) if len == bytes.len() => {}
            Some(len) if len < bytes.len() => {
                return Err(Error::Corrupt { what: "part after the checkpoint", at: len as u64 });
            }
            _ => return Err(Error::Truncated { what: Kind::Checkpoint.part(), at }),
        }
        let (_, body) = frame::open(Kind::Checkpoint, bytes)?;
        Self::parse(body).ok_or(Error::Corrupt { what: Kind::Checkpoint.part(), at: 0 })
    }

    fn parse(body: &[u8]) -> Option<Checkpoint> {
        let mut body = Bytes(body);
        let header = Header::from_bytes(body.counted()?)?;
        let extra = Header::from_bytes(body.counted()?)?;
        let (written, explored, valid) = (body.u64()?, body.u64()?, body.u64()?);
        let position = body.path()?;
        let pending = body.counted()?.to_vec();
        let checkpoint = Checkpoint { header, written, pending, position, explored, valid, extra };
        body.is_empty().then_some(checkpoint)
    }
}

/// Syncs the directory: a renamed file survives a power cut only then.
fn sync_directory_of(path: &Path) -> Result<(), Error> {
    if cfg!(unix) {
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty());
        File::open(directory.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}
