//! Files with right checksums and wrong contents, made by hand.

use crate::layout::repair;
use crate::samples::{Paths, boundaries, counting, header, read, read_stream, suite};
use smallscope_suite::{Error, Writer};

/// A suite without an ending that has one block, not compressed.
fn with_block(entries: u32, columns: [&[u8]; 4]) -> Vec<u8> {
    with_payload(entries, columns.map(<[u8]>::len), &columns.concat())
}

fn with_payload(entries: u32, lens: [usize; 4], payload: &[u8]) -> Vec<u8> {
    let mut bytes = Writer::create(vec![], &header()).unwrap().get_ref().clone();
    bytes.extend_from_slice(b"SBLK");
    let [a, b, c, d] = lens.map(|len| len as u32);
    for number in [entries, a, b, c, d, payload.len() as u32] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(&[0; 3 * 8 + 2 * 4]);
    bytes.extend_from_slice(payload);
    repair(&mut bytes);
    bytes
}

fn is_corrupt(bytes: &[u8], part: &str) {
    for result in [read(bytes), read_stream(bytes).map(|streamed| streamed.0)] {
        match result {
            Err(Error::Corrupt { what, .. }) => assert_eq!(what, part),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn blocks_made_by_hand_can_be_read() {
    let bytes = with_block(2, [&[0, 1], &[4, 0], &[2, 0x82, 1], &[6]]);
    let paths: Paths = vec![vec![1, 3], vec![1, 68]];
    assert_eq!(read(&bytes).unwrap(), paths);
    assert_eq!(read_stream(&bytes).unwrap().0, paths);
}

#[test]
fn a_block_has_between_one_and_4096_entries() {
    let zeros = [0; 4097];
    assert_eq!(read(&with_block(4096, [&zeros[1..], &zeros[1..], &[], &[]])).unwrap().len(), 4096);
    is_corrupt(&with_block(4097, [&zeros, &zeros, &[], &[]]), "head of a block");
    is_corrupt(&with_block(0, [&[], &[], &[], &[]]), "head of a block");
    is_corrupt(&with_block(0, [&[0], &[0], &[], &[]]), "head of a block");
}

#[test]
fn columns_end_with_the_last_entry() {
    is_corrupt(&with_block(2, [&[0], &[2], &[1], &[]]), "block");
    is_corrupt(&with_block(1, [&[0, 0], &[2], &[1], &[]]), "block");
    is_corrupt(&with_block(1, [&[0], &[2, 0], &[1], &[]]), "block");
    is_corrupt(&with_block(1, [&[0], &[2], &[1, 1], &[]]), "block");
    is_corrupt(&with_block(1, [&[0], &[2], &[1], &[1]]), "block");
    is_corrupt(&with_block(1, [&[0], &[4], &[1], &[]]), "block");
    is_corrupt(&with_block(1, [&[0], &[4], &[], &[1, 1]]), "block");
}

#[test]
fn no_more_is_dropped_than_there_is() {
    is_corrupt(&with_block(1, [&[1], &[1], &[], &[]]), "block");
    is_corrupt(&with_block(1, [&[1], &[0], &[1], &[]]), "block");
    is_corrupt(&with_block(2, [&[0, 1], &[2, 3], &[1], &[]]), "block");
}

#[test]
fn short_numbers_have_at_most_32_bits() {
    let largest = with_block(1, [&[0], &[2], &[0xff, 0xff, 0xff, 0xff, 0xf], &[]]);
    assert_eq!(read(&largest).unwrap(), [[1 << 31]]);
    is_corrupt(&with_block(1, [&[0], &[2], &[0xff, 0xff, 0xff, 0xff, 0x1f], &[]]), "block");
    is_corrupt(&with_block(1, [&[0], &[2], &[0xff, 0xff, 0xff, 0xff, 0x8f, 0], &[]]), "block");
}

#[test]
fn a_path_has_at_most_a_million_choices() {
    // Two entries: the first has as many choices as possible, the second one more.
    let others = vec![0; (1 << 20) + 1];
    let longest = with_block(1, [&[0], &[0x80, 0x80, 0x80, 1], &[0], &others[2..]]);
    assert_eq!(read(&longest).unwrap()[0].len(), 1 << 20);
    let too_long = with_block(2, [&[0, 0], &[0x80, 0x80, 0x80, 1, 2], &[0, 0], &others[2..]]);
    is_corrupt(&too_long, "block");
}

#[test]
fn compressed_columns_have_the_length_that_the_head_says() {
    let columns = [[0; 30], [0; 30]].concat();
    let mut packed = vec![0; 100];
    let len = lz4_flex::block::compress_into(&columns, &mut packed).unwrap();
    packed.truncate(len);
    assert_eq!(read(&with_payload(30, [30, 30, 0, 0], &packed)).unwrap().len(), 30);
    is_corrupt(&with_payload(31, [31, 31, 0, 0], &packed), "block");
    is_corrupt(&with_payload(29, [29, 29, 0, 0], &packed), "block");
    is_corrupt(&with_payload(4, [4, 4, 0, 0], &packed), "head of a block");
    is_corrupt(&with_payload(30, [30, 30 + 255 * len, 0, 0], &packed), "head of a block");
    is_corrupt(&with_payload(1, [usize::MAX, usize::MAX, 2, 2], &packed), "head of a block");
}

/// Replaces numbers of eight bytes, given from the end of the file.
fn with_numbers(mut bytes: Vec<u8>, numbers: &[(usize, u64)]) -> Vec<u8> {
    for &(from_end, number) in numbers {
        let at = bytes.len() - from_end;
        bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
    }
    repair(&mut bytes);
    bytes
}

#[test]
fn the_footer_describes_the_blocks() {
    let paths = counting(4096 + 5);
    let bytes = suite(&paths);
    let [header_end, second] = [0, 1].map(|i| boundaries(&paths)[i].0);
    // Counted from the end: trailer and checksum have 20 bytes, then come the places of the blocks and the count.
    let (second_first, second_at, first_first, first_at, entries) = (28, 36, 44, 52, 60);
    let same = [
        (second_first, 4096),
        (second_at, second),
        (first_first, 0),
        (first_at, header_end),
        (entries, 4101),
    ];
    assert_eq!(with_numbers(bytes.clone(), &same), bytes);
    for (place, number, part) in [
        (entries, 4096, "footer"),
        (entries, 4102, "head of a block"),
        (entries, u64::MAX, "head of a block"),
        (first_at, header_end - 1, "footer"),
        (first_first, 1, "footer"),
        (second_at, header_end, "footer"),
        (second_at, second - 1, "head of a block"),
        (second_at, u64::MAX, "footer"),
        (second_first, 0, "footer"),
        (second_first, 4095, "head of a block"),
        (second_first, u64::MAX, "footer"),
    ] {
        match read(&with_numbers(bytes.clone(), &[(place, number)])) {
            Err(Error::Corrupt { what, .. }) => assert_eq!(what, part, "{place}, {number}"),
            other => panic!("{place}, {number}: {:?}", other.map(|paths| paths.len())),
        }
    }
    let fewer = with_numbers(bytes, &[(entries, 4100)]);
    assert!(matches!(read_stream(&fewer), Err(Error::Corrupt { what: "footer", .. })));
}

#[test]
fn there_is_a_position_or_there_is_none() {
    let mut bytes = suite(&counting(5));
    let outcome = bytes.windows(5).rposition(|w| w == b"limit").unwrap();
    assert_eq!(bytes[outcome + 5 + 16], 1);
    bytes[outcome + 5 + 16] = 2;
    repair(&mut bytes);
    is_corrupt(&bytes, "footer");
}

#[test]
fn there_is_no_version_0() {
    let mut bytes = suite(&counting(5));
    bytes[8] = 0;
    repair(&mut bytes);
    is_corrupt(&bytes, "header");
}

#[test]
fn a_header_has_at_most_a_million_bytes() {
    for (value, is_possible) in [((1_u32 << 20) - 8, true), ((1 << 20) - 7, false)] {
        let mut bytes = b"\x89SSUITE\n\x01\x00".to_vec();
        bytes.extend_from_slice(&(value + 8).to_le_bytes());
        bytes.extend_from_slice(&0_u32.to_le_bytes());
        bytes.extend_from_slice(&value.to_le_bytes());
        bytes.resize(bytes.len() + value as usize + 4, b' ');
        repair(&mut bytes);
        match is_possible {
            true => assert_eq!(read(&bytes).unwrap(), Paths::new()),
            false => is_corrupt(&bytes, "header"),
        }
    }
}

#[test]
fn heads_of_blocks_agree_with_the_footer() {
    let paths = counting(4096 + 5);
    let bytes = suite(&paths);
    let block = boundaries(&paths)[1].0 as usize;
    // One entry more, and one less before it: the end is right, the beginning is not.
    let mut earlier = bytes.clone();
    earlier[block + 4..block + 8].copy_from_slice(&6_u32.to_le_bytes());
    earlier[block + 28..block + 36].copy_from_slice(&4095_u64.to_le_bytes());
    repair(&mut earlier);
    is_corrupt(&earlier, "head of a block");
    let mut longer = bytes;
    longer[block + 4..block + 8].copy_from_slice(&6_u32.to_le_bytes());
    repair(&mut longer);
    assert!(matches!(read(&longer), Err(Error::Corrupt { what: "head of a block", .. })));
}

#[test]
fn a_length_beyond_the_file_is_not_believed() {
    let mut bytes = suite(&counting(5));
    let len = bytes.len();
    for footer_len in [0, len as u64, 1 << 40, u64::MAX] {
        bytes[len - 16..len - 8].copy_from_slice(&footer_len.to_le_bytes());
        assert!(
            matches!(read(&bytes), Err(Error::Corrupt { what: "trailer" | "footer", .. })),
            "{footer_len}"
        );
    }
}
