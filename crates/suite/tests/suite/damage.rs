//! Files that were cut off or changed.

use crate::layout::repair;
use crate::samples::{Paths, boundaries, counting, header, read, read_stream, suite, writer};
use smallscope_suite::{Ending, Error, Reader};
use std::io::Cursor;

/// Two full blocks, a short one and a footer, in a few hundred bytes.
fn sample() -> Paths {
    counting(2 * 4096 + 5)
}

/// Returns the entries that must be readable when the file is cut off at a length.
fn complete(boundaries: &[(u64, usize)], cut: usize) -> Option<usize> {
    boundaries.iter().rev().find(|(end, _)| *end <= cut as u64).map(|&(_, entries)| entries)
}

#[test]
fn a_file_that_is_cut_off_anywhere_has_its_complete_blocks() {
    let paths = sample();
    let bytes = suite(&paths);
    let mut boundaries = boundaries(&paths);
    let footer = bytes.windows(4).rposition(|w| w == b"SEND").unwrap();
    boundaries.push((footer as u64, paths.len()));
    for cut in 0..bytes.len() {
        let torn = &bytes[..cut];
        let Some(entries) = complete(&boundaries, cut) else {
            assert!(matches!(read(torn), Err(Error::Truncated { what: "header", at }) if at == cut as u64));
            assert_eq!(read_stream(torn).unwrap(), (vec![], None));
            continue;
        };
        assert!(read(torn).unwrap() == paths[..entries], "cut off at {cut}");
        let (streamed, ending) = read_stream(torn).unwrap();
        assert!(streamed == paths[..entries] && ending.is_none(), "cut off at {cut}");
        assert!(!Reader::open(Cursor::new(torn)).unwrap().is_finished());
    }
}

/// Reads everything in both ways: the result is an error, or the right entries and the right ending.
fn is_noticed(bytes: &[u8], original: &(Paths, Option<Ending>)) -> bool {
    let ending = |bytes| Reader::open(Cursor::new(bytes)).unwrap().ending().cloned();
    let by_reader = read(bytes).map(|paths| (paths, ending(bytes)));
    let by_stream = read_stream(bytes);
    [by_reader, by_stream].iter().all(|result| match result {
        Err(_) => true,
        // The stream has reached the end of the file, and has no ending.
        Ok((paths, None)) => original.0.starts_with(paths) && original.1.is_some(),
        Ok(_) => false,
    })
}

#[test]
fn every_flipped_bit_of_a_small_suite_is_noticed() {
    let paths = vec![vec![1, 1, 0], vec![1, 2, 0], vec![1, 2, 1], vec![2]];
    let bytes = suite(&paths);
    let original = read_stream(&bytes).unwrap();
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(is_noticed(&flipped, &original), "bit {bit}");
        assert!(read(&flipped).is_err(), "bit {bit}");
    }
}

#[test]
fn every_changed_byte_of_a_larger_suite_is_noticed() {
    let bytes = suite(&counting(4096 + 5));
    let original = read_stream(&bytes).unwrap();
    for i in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[i] ^= if i % 2 == 0 { 0xff } else { 1 << (i % 8) };
        assert!(is_noticed(&changed, &original), "byte {i}");
    }
}

#[test]
fn every_flipped_bit_of_an_unfinished_suite_is_noticed() {
    let paths = counting(4096 + 5);
    let unfinished = writer(&paths).get_ref().clone();
    for bit in 0..8 * unfinished.len() {
        let mut flipped = unfinished.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(read(&flipped).is_err(), "bit {bit}");
    }
}

#[test]
fn bytes_after_the_end_are_noticed() {
    let mut bytes = suite(&counting(3));
    bytes.push(0);
    assert!(matches!(read(&bytes), Err(Error::Corrupt { what: "trailer", .. })));
}

#[test]
fn blocks_that_are_missing_doubled_or_swapped_are_noticed() {
    let paths = counting(3 * 4096);
    let bytes = writer(&paths).get_ref().clone();
    let ends: Vec<usize> = boundaries(&paths).iter().map(|b| b.0 as usize).collect();
    let [head, a, b, c] =
        [0..ends[0], ends[0]..ends[1], ends[1]..ends[2], ends[2]..ends[3]].map(|r| &bytes[r]);
    assert_eq!(read(&[head, a, b, c].concat()).unwrap(), paths);
    for order in [&[head, b, c][..], &[head, a, c], &[head, a, a, b], &[head, b, a, c]] {
        assert!(matches!(read(&order.concat()), Err(Error::Corrupt { what: "head of a block", .. })));
        assert!(matches!(read_stream(&order.concat()), Err(Error::Corrupt { what: "head of a block", .. })));
    }
}

#[test]
fn other_files_are_not_suites() {
    for bytes in [&b"SQLite format 3\0 and so on"[..], b"\x89PNG\r\n\x1a\n", b"x"] {
        assert!(matches!(read(bytes), Err(Error::NotASuite { is_checkpoint: false })));
        assert!(matches!(read_stream(bytes), Err(Error::NotASuite { is_checkpoint: false })));
    }
    assert!(matches!(read(b""), Err(Error::Truncated { what: "header", at: 0 })));
}

#[test]
fn a_later_version_is_not_read() {
    let mut bytes = suite(&counting(3));
    bytes[8..10].copy_from_slice(&700_u16.to_le_bytes());
    repair(&mut bytes);
    assert!(matches!(read(&bytes), Err(Error::FromTheFuture { found: 700, known: 1 })));
    assert!(matches!(read_stream(&bytes), Err(Error::FromTheFuture { found: 700, known: 1 })));
}

#[test]
fn unknown_keys_are_kept() {
    let bytes = suite(&[]);
    let reader = Reader::open(Cursor::new(bytes)).unwrap();
    assert_eq!(reader.header(), &header());
}
