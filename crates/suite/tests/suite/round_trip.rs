//! What was written is read again.

use crate::random::Random;
use crate::samples::{self, Paths, anchor, counting, ending, explored, header, read, read_stream, suite};
use smallscope_suite::{Ending, Error, Header, Reader, Writer};
use std::io::Cursor;

fn comes_back(paths: &[Vec<u32>]) {
    let bytes = suite(paths);
    assert_eq!(read(&bytes).unwrap(), paths);
    assert_eq!(read_stream(&bytes).unwrap(), (paths.to_vec(), Some(ending(paths))));
}

#[test]
fn no_entry_and_one_entry() {
    comes_back(&[]);
    comes_back(&[vec![]]);
    comes_back(&[vec![5]]);
    comes_back(&[vec![0; 300]]);
}

#[test]
fn the_empty_path_among_others() {
    comes_back(&[vec![], vec![1, 2], vec![], vec![], vec![7]]);
}

#[test]
fn every_bit_of_a_choice() {
    let bits = (0..32).flat_map(|bit| [vec![1, 1 << bit], vec![(1 << bit) - 1, 3], vec![!(1 << bit)]]);
    comes_back(&bits.collect::<Paths>());
    comes_back(&[vec![u32::MAX, 0], vec![0, u32::MAX], vec![u32::MAX, u32::MAX]]);
}

#[test]
fn blocks_that_are_full_by_entries() {
    for entries in [4095, 4096, 4097, 8192, 8193] {
        let paths = counting(entries);
        comes_back(&paths);
        assert_eq!(samples::boundaries(&paths).len() as u32, 1 + entries / 4096);
    }
}

#[test]
fn blocks_that_are_full_by_choices() {
    let paths: Paths = (0..9).map(|i| vec![i; 20_000]).collect();
    comes_back(&paths);
    assert_eq!(samples::boundaries(&paths).iter().map(|b| b.1).collect::<Vec<_>>(), [0, 4, 8]);
}

#[test]
fn the_longest_path() {
    let longest = vec![0x8000_0000; 1 << 20];
    comes_back(&[vec![1], longest.clone(), vec![2]]);
    let mut writer = Writer::create(vec![], &header()).unwrap();
    let too_long = [&longest[..], &[1]].concat();
    assert!(matches!(
        writer.push_path(&too_long, 1, || 1),
        Err(Error::TooLong { what: "path", len, most }) if len == most + 1
    ));
    assert!(writer.is_empty());
}

#[test]
fn random_paths_in_any_order() {
    let mut random = Random::new(1);
    for round in 0..60 {
        let longest = *random.pick(&[1, 3, 10, 300]);
        let largest = *random.pick(&[2, 10, 1 << 22, u32::MAX as usize]);
        let mut paths: Paths = vec![];
        for _ in 0..random.below(400) {
            let mut path = paths.last().cloned().unwrap_or_default();
            path.truncate(random.below(longest + 1));
            let len = path.len().max(random.below(longest + 1));
            path.resize_with(len, || random.below(largest) as u32);
            paths.push(path);
        }
        if round % 2 == 0 {
            paths.sort();
        }
        comes_back(&paths);
    }
}

#[test]
fn blocks_that_hardly_get_smaller() {
    let mut random = Random::new(4);
    for _ in 0..3000 {
        let mut path: Vec<u32> = (0..20 + random.below(20)).map(|_| random.below(60) as u32).collect();
        let start = random.below(10);
        path[start..start + 4 + random.below(6)].fill(7);
        comes_back(&[path]);
    }
}

#[test]
fn the_file_depends_on_the_paths_and_not_on_what_is_called_kept() {
    let paths: Paths = vec![vec![1, 2, 3], vec![1, 2, 4, 4], vec![1, 3], vec![1, 3, 0]];
    for less in 0..3 {
        let mut writer = Writer::create(vec![], &header()).unwrap();
        for (i, path) in paths.iter().enumerate() {
            let same = writer.path().iter().zip(path).take_while(|(a, b)| a == b).count();
            let kept = same.saturating_sub(less);
            writer.push(kept, &path[kept..], explored(i), || anchor(i)).unwrap();
            assert_eq!((writer.path(), writer.len()), (&path[..], i as u64 + 1));
        }
        assert_eq!(writer.finish(&ending(&paths)).unwrap(), suite(&paths));
    }
}

#[test]
#[should_panic(expected = "an entry cannot keep 3 choices of 2")]
fn more_cannot_be_kept_than_there_is() {
    let mut writer = Writer::create(vec![], &header()).unwrap();
    writer.push(0, &[1, 2], 1, || 1).unwrap();
    let _ = writer.push(3, &[], 2, || 2);
}

#[test]
fn entries_by_index_in_any_order() {
    let paths = counting(10_000);
    let mut reader = Reader::open(Cursor::new(suite(&paths))).unwrap();
    assert_eq!(reader.len(), 10_000);
    for i in [0, 0, 1, 5, 3, 4095, 4096, 4095, 9999, 9999, 8192, 8191, 0] {
        assert_eq!(reader.get(i).unwrap(), paths[i as usize], "{i}");
    }
    assert!(matches!(reader.get(10_000), Err(Error::OutOfRange { index: 10_000, len: 10_000 })));
    assert!(matches!(reader.get(u64::MAX), Err(Error::OutOfRange { .. })));
    assert_eq!(reader.get(7).unwrap(), paths[7]);
}

#[test]
fn entries_from_an_index() {
    let paths = counting(5000);
    let mut reader = Reader::open(Cursor::new(suite(&paths))).unwrap();
    for from in [0, 1, 4095, 4096, 4999, 5000, 6000] {
        let mut entries = reader.entries(from);
        let mut count = 0;
        while let Some(path) = entries.next().unwrap() {
            assert_eq!(path, paths[from as usize + count]);
            count += 1;
        }
        assert_eq!(count, 5000_usize.saturating_sub(from as usize));
    }
}

#[test]
fn anchors_are_those_of_the_first_entries() {
    let paths = counting(5000);
    let mut reader = Reader::open(Cursor::new(suite(&paths))).unwrap();
    for i in [0, 4095, 4096, 4999] {
        let first = i / 4096 * 4096;
        assert_eq!(reader.anchor_of(i).unwrap(), (first, anchor(first as usize)));
        assert_eq!(reader.anchor_at(i).unwrap(), (i == first).then(|| anchor(i as usize)));
    }
    assert!(matches!(reader.anchor_of(5000), Err(Error::OutOfRange { .. })));
}

#[test]
fn an_anchor_is_read_once_in_a_block() {
    let mut asked = vec![];
    let mut writer = Writer::create(vec![], &header()).unwrap();
    for (i, path) in counting(4100).iter().enumerate() {
        let anchor = || {
            asked.push(i);
            0
        };
        writer.push_path(path, 0, anchor).unwrap();
    }
    assert_eq!(asked, [0, 4096]);
}

#[test]
fn headers_keep_their_order_and_endings_their_parts() {
    let header = Header::new().with("z", "1").with("a", "").with("", "ü\n").with("z", "2");
    for position in [None, Some(vec![]), Some(vec![u32::MAX, 0])] {
        let ending = Ending { outcome: "gedrückt".into(), explored: u64::MAX, valid: 12, position };
        let bytes = Writer::create(vec![], &header).unwrap().finish(&ending).unwrap();
        let reader = Reader::open(Cursor::new(bytes)).unwrap();
        assert_eq!(reader.header().iter().collect::<Vec<_>>(), [("z", "2"), ("a", ""), ("", "ü\n")]);
        assert_eq!(reader.ending(), Some(&ending));
        assert!(reader.is_finished() && reader.is_empty());
    }
}

#[test]
fn what_is_too_long_is_not_written() {
    let header = Header::new().with("bounds", "x".repeat(1 << 20));
    assert!(matches!(Writer::create(vec![], &header), Err(Error::TooLong { what: "header", .. })));
    let ending = Ending { outcome: "x".repeat(70_000), ..Ending::default() };
    let writer = Writer::create(vec![], &Header::new()).unwrap();
    assert!(matches!(writer.finish(&ending), Err(Error::TooLong { what: "outcome", .. })));
    let ending = Ending { position: Some(vec![0; (1 << 20) + 1]), ..Ending::default() };
    let writer = Writer::create(vec![], &Header::new()).unwrap();
    assert!(matches!(writer.finish(&ending), Err(Error::TooLong { what: "position", .. })));
}

#[test]
fn a_writer_does_not_go_on_after_a_failed_write() {
    /// Takes so many bytes.
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let len = bytes.len().min(self.0);
            self.0 -= len;
            Ok(len)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut writer = Writer::create(Full(100), &header()).unwrap();
    let written = writer.written();
    let mut failures = 0;
    for (i, path) in counting(4100).iter().enumerate() {
        failures += u32::from(matches!(writer.push_path(path, explored(i), || 0), Err(Error::Io(_))));
    }
    assert_eq!((failures, writer.written()), (5, written));
    assert!(matches!(writer.finish(&Ending::default()), Err(Error::Io(_))));
}
