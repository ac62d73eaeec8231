//! Checkpoints are read as they were written, or are refused.

use crate::samples::{Scratch, counting, header, suite, writer};
use smallscope_suite::{Checkpoint, Error, Header, Reader};
use std::io::Cursor;

fn checkpoint() -> Checkpoint {
    let writer = writer(&counting(50));
    Checkpoint {
        header: header(),
        written: writer.written(),
        pending: writer.pending(),
        position: vec![1, 50, 0],
        explored: 1234,
        valid: 50,
        extra: Header::new().with("criterion", "all").with("seed", ""),
    }
}

#[test]
fn saved_and_loaded() {
    let file = Scratch::new("checkpoint", &[]);
    for checkpoint in [checkpoint(), Checkpoint::default()] {
        checkpoint.save(&file.0).unwrap();
        assert_eq!(Checkpoint::load(&file.0).unwrap(), checkpoint);
        assert_eq!(Checkpoint::from_bytes(&file.bytes()).unwrap(), checkpoint);
    }
    assert!(!file.0.with_extension("tmp").exists());
}

#[test]
fn one_that_cannot_be_saved_leaves_the_old_one() {
    let file = Scratch::new("old-checkpoint", &[]);
    checkpoint().save(&file.0).unwrap();
    let too_long = Checkpoint { pending: vec![0; 40_000_000], ..checkpoint() };
    assert!(matches!(too_long.save(&file.0), Err(Error::TooLong { what: "checkpoint", .. })));
    assert_eq!(Checkpoint::load(&file.0).unwrap(), checkpoint());
}

#[test]
fn one_that_is_cut_off_or_changed_is_not_loaded() {
    let bytes = checkpoint().to_bytes().unwrap();
    for cut in 0..bytes.len() {
        let error = Checkpoint::from_bytes(&bytes[..cut]).unwrap_err();
        assert!(matches!(error, Error::Truncated { what: "checkpoint", at } if at == cut as u64));
    }
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(Checkpoint::from_bytes(&flipped).is_err(), "bit {bit}");
    }
    let longer = [&bytes[..], b"x"].concat();
    let file = Scratch::new("longer-checkpoint", &longer);
    assert!(matches!(Checkpoint::load(&file.0), Err(Error::Corrupt { .. })));
}

#[test]
fn the_two_kinds_of_files_are_told_apart() {
    let file = Scratch::new("kinds", &suite(&counting(3)));
    assert!(matches!(Checkpoint::load(&file.0), Err(Error::NotACheckpoint { is_suite: true })));
    assert!(matches!(Checkpoint::from_bytes(b"something"), Err(Error::NotACheckpoint { is_suite: false })));
    let bytes = checkpoint().to_bytes().unwrap();
    assert!(matches!(Reader::open(Cursor::new(bytes)), Err(Error::NotASuite { is_checkpoint: true })));
}
