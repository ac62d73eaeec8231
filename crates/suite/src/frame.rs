//! The common beginning of all kinds of files: magic, version, length, body, checksum. In a suite the body is the
//! header, in a shard the record; a checkpoint and a plan are only a frame.

use crate::bytes::{Bytes, Put};
use crate::error::Error;

/// The version that is written, and the newest that can be read.
pub(crate) const VERSION: u16 = 1;

/// Magic, version and length of the body.
pub(crate) const PREAMBLE: usize = 8 + 2 + 4;

/// The kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Suite,
    Checkpoint,
    Plan,
    Shard,
}

impl Kind {
    /// Returns the magic. Its first byte is not ASCII and its last one is a line end, so that a transfer as text is
    /// noticed.
    pub(crate) fn magic(self) -> &'static [u8; 8] {
        match self {
            Kind::Suite => b"\x89SSUITE\n",
            Kind::Checkpoint => b"\x89SSCKPT\n",
            Kind::Plan => b"\x89SSPLAN\n",
            Kind::Shard => b"\x89SSHARD\n",
        }
    }

    /// Returns the largest length of the body.
    pub(crate) fn most(self) -> usize {
        match self {
            Kind::Suite => 1 << 20,
            Kind::Checkpoint | Kind::Shard => 1 << 25,
            Kind::Plan => 1 << 29,
        }
    }

    pub(crate) fn part(self) -> &'static str {
        match self {
            Kind::Suite => "header",
            Kind::Checkpoint => "checkpoint",
            Kind::Plan => "plan",
            Kind::Shard => "record of the shard",
        }
    }

    fn wrong(self, start: &[u8]) -> Error {
        match self {
            Kind::Suite => Error::NotASuite { is_checkpoint: start.starts_with(Kind::Checkpoint.magic()) },
            Kind::Checkpoint => Error::NotACheckpoint { is_suite: start.starts_with(Kind::Suite.magic()) },
            Kind::Plan => Error::NotThis { what: "plan of shards" },
            Kind::Shard => Error::NotThis { what: "shard" },
        }
    }
}

/// Returns the frame around a body.
pub(crate) fn seal(kind: Kind, body: &[u8]) -> Result<Vec<u8>, Error> {
    if body.len() > kind.most() {
        return Err(Error::TooLong { what: kind.part(), len: body.len(), most: kind.most() });
    }
    let mut frame = kind.magic().to_vec();
    frame.extend_from_slice(&VERSION.to_le_bytes());
    frame.put_counted(body);
    let checksum = crc32fast::hash(&frame);
    frame.put_u32(checksum);
    Ok(frame)
}

/// Returns the length of a complete frame from its first bytes; `None` if there are fewer than [`PREAMBLE`].
pub(crate) fn length(kind: Kind, start: &[u8]) -> Result<Option<usize>, Error> {
    let mut bytes = Bytes(start);
    let magic = kind.magic();
    let Some(found) = bytes.take(magic.len()) else {
        return if magic.starts_with(start) { Ok(None) } else { Err(kind.wrong(start)) };
    };
    if found != magic {
        return Err(kind.wrong(start));
    }
    let (Some(version), Some(len)) = (bytes.u16(), bytes.u32()) else { return Ok(None) };
    if version > VERSION {
        return Err(Error::FromTheFuture { found: version, known: VERSION });
    }
    if version == 0 || len as usize > kind.most() {
        return Err(Error::Corrupt { what: kind.part(), at: 0 });
    }
    Ok(Some(PREAMBLE + len as usize + 4))
}

/// Returns the checksum of a complete frame, and its body.
pub(crate) fn open(kind: Kind, frame: &[u8]) -> Result<(u32, &[u8]), Error> {
    let corrupt = Error::Corrupt { what: kind.part(), at: 0 };
    let Some((sealed, checksum)) = frame.split_last_chunk::<4>() else { return Err(corrupt) };
    let checksum = u32::from_le_bytes(*checksum);
    match sealed.get(PREAMBLE..) {
        Some(body) if crc32fast::hash(sealed) == checksum => Ok((checksum, body)),
        _ => Err(corrupt),
    }
}
