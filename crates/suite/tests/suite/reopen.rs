//! Suites that are continued: the file is the same as without an interruption.

use crate::layout::repair;
use crate::samples::{Paths, Scratch, boundaries, counting, ending, explored, push_from, suite, writer};
use smallscope_suite::{Ending, Error, Resume, Writer};
use std::fs;

/// Continues a file until all paths are in it.
fn go_on(file: &Scratch, paths: &[Vec<u32>]) -> Resume {
    let (mut writer, _, resume) = Writer::reopen(&file.0).unwrap();
    assert_eq!(writer.len(), resume.entries);
    push_from(&mut writer, paths, resume.entries as usize).unwrap();
    writer.finish(&ending(paths)).unwrap();
    resume
}

#[test]
fn after_a_crash_at_any_byte() {
    let paths = counting(2 * 4096 + 5);
    let bytes = suite(&paths);
    let mut boundaries = boundaries(&paths);
    boundaries.push((bytes.windows(4).rposition(|w| w == b"SEND").unwrap() as u64, paths.len()));
    let file = Scratch::new("crash", &[]);
    for cut in 0..bytes.len() {
        fs::write(&file.0, &bytes[..cut]).unwrap();
        let Some(&(_, entries)) = boundaries.iter().rev().find(|(end, _)| *end <= cut as u64) else {
            assert!(matches!(Writer::reopen(&file.0), Err(Error::Truncated { what: "header", .. })));
            continue;
        };
        let resume = go_on(&file, &paths);
        let expected = match entries.checked_sub(1) {
            Some(last) => Resume {
                entries: entries as u64,
                explored: explored(last),
                position: paths[last].clone(),
                at_position: false,
            },
            None => Resume { entries: 0, explored: 0, position: vec![], at_position: false },
        };
        assert_eq!(resume, expected, "cut off at {cut}");
        assert!(file.bytes() == bytes, "cut off at {cut}");
    }
}

#[test]
fn after_a_run_that_stopped_early() {
    let paths = counting(2 * 4096 + 5);
    let whole = suite(&paths);
    for stopped in [0, 1, 17, 4095, 4096, 4097, 8191, 8192, 8193] {
        let file = Scratch::new("stopped", &suite(&paths[..stopped]));
        let resume = go_on(&file, &paths);
        assert_eq!((resume.entries, resume.explored), (stopped as u64, 7 * stopped as u64));
        assert_eq!((resume.position, resume.at_position), (vec![1, 2, 3], true));
        assert!(file.bytes() == whole, "stopped after {stopped}");
    }
}

#[test]
fn without_a_position_the_last_entry_counts() {
    let paths = counting(20);
    let stopped = Ending { position: None, ..ending(&paths) };
    let file = Scratch::new("no-position", &writer(&paths).finish(&stopped).unwrap());
    let (_, _, resume) = Writer::reopen(&file.0).unwrap();
    assert_eq!((resume.position, resume.at_position), (paths[19].clone(), false));
    assert_eq!(resume.explored, explored(19));
}

#[test]
fn a_complete_suite_is_not_continued() {
    let paths = counting(20);
    let outcome = Ending::EXHAUSTED.to_owned();
    let bytes = writer(&paths).finish(&Ending { outcome, ..ending(&paths) }).unwrap();
    let file = Scratch::new("complete", &bytes);
    assert!(matches!(Writer::reopen(&file.0), Err(Error::Complete { entries: 20 })));
    assert_eq!(file.bytes(), bytes);
}

#[test]
fn a_damaged_suite_is_not_touched() {
    let mut bytes = suite(&counting(20));
    let block = boundaries(&[])[0].0 as usize;
    bytes[block + 65] ^= 1;
    let file = Scratch::new("damaged", &bytes);
    assert!(matches!(Writer::reopen(&file.0), Err(Error::Corrupt { what: "block", .. })));
    assert_eq!(file.bytes(), bytes);
}

/// Takes the state after each entry, lets the run continue and crash, and resumes from that state.
fn from_checkpoints(name: &str, paths: &[Vec<u32>], at: impl IntoIterator<Item = usize>) {
    let whole = suite(paths);
    let file = Scratch::new(name, &[]);
    for entries in at {
        let before = writer(&paths[..entries]);
        let (written, pending) = (before.written(), before.pending());
        // One crash at once, one after everything was written.
        for crashed in [before.get_ref(), &whole] {
            fs::write(&file.0, crashed).unwrap();
            let mut writer = Writer::reopen_at(&file.0, written, &pending).unwrap();
            assert_eq!(writer.len(), entries as u64);
            assert_eq!(writer.path(), paths[..entries].last().map_or(&[][..], |path| path));
            assert_eq!((writer.written(), writer.pending()), (written, pending.clone()));
            push_from(&mut writer, paths, entries).unwrap();
            writer.finish(&ending(paths)).unwrap();
            assert!(file.bytes() == whole, "{name}: from a checkpoint after {entries}");
        }
    }
}

#[test]
fn from_a_checkpoint_at_every_entry() {
    let few: Paths = (0..40).map(|i| vec![1, i / 7, i % 7, i % 3]).collect();
    from_checkpoints("few", &few, 0..=few.len());
    let long: Paths = (0..13).map(|i| vec![i; 17_000]).collect();
    from_checkpoints("long", &long, 0..=long.len());
    let many = counting(8200);
    from_checkpoints("many", &many, (0..8200).step_by(599).chain(4094..4099).chain(8190..8194));
}

#[test]
fn the_file_of_another_checkpoint_is_not_touched() {
    let paths = counting(4096 + 20);
    let before = writer(&paths);
    let (written, pending) = (before.written(), before.pending());
    let bytes = suite(&paths);
    let is_refused = |bytes: &[u8], written, part: &str| {
        let file = Scratch::new("refused", bytes);
        let error = Writer::reopen_at(&file.0, written, &pending).err().unwrap();
        assert!(matches!(&error, Error::Mismatch { what } if what.contains(part)), "{error:?}");
        assert_eq!(file.bytes(), bytes);
    };
    is_refused(&bytes[..written as usize - 1], written, "bytes, but had");
    is_refused(&bytes, written + 1, "no block that ends at byte");
    is_refused(&bytes, boundaries(&[])[0].0, "with entry 4096");
    let mut other = Writer::create(vec![], &smallscope_suite::Header::new()).unwrap();
    push_from(&mut other, &paths, 0).unwrap();
    is_refused(&other.finish(&ending(&paths)).unwrap(), written, "its header");
    let file = Scratch::new("pending", &bytes);
    for i in 0..pending.len() {
        let mut changed = pending.clone();
        changed[i] ^= 4;
        assert!(
            matches!(Writer::reopen_at(&file.0, written, &changed), Err(Error::Corrupt { .. })),
            "byte {i}"
        );
        assert!(matches!(Writer::reopen_at(&file.0, written, &pending[..i]), Err(Error::Corrupt { .. })));
    }
}

#[test]
fn a_checkpoint_with_an_impossible_block_is_refused() {
    let paths = counting(4096 + 20);
    let before = writer(&paths);
    let (written, pending) = (before.written(), before.pending());
    let file = Scratch::new("impossible", &suite(&paths));
    let (block, checksum) = (12..pending.len() - 4, pending.len() - 4);
    let is_refused = |mut block: Vec<u8>| {
        repair(&mut block);
        let mut changed = [&pending[..12], &block[..]].concat();
        changed.extend_from_slice(&crc32fast::hash(&changed).to_le_bytes());
        matches!(Writer::reopen_at(&file.0, written, &changed), Err(Error::Corrupt { .. }))
    };
    assert_eq!(pending[checksum..], crc32fast::hash(&pending[..checksum]).to_le_bytes());
    let block = pending[block].to_vec();
    assert!(is_refused([&block[..], &[0]].concat()));
    assert!(is_refused(block[..block.len() - 1].to_vec()));
    let mut elsewhere = block.clone();
    elsewhere[28] ^= 1;
    assert!(is_refused(elsewhere));
    assert!(!is_refused(block));
}
