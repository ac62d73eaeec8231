//! A second reader, written from the chapter "The format of suites", for intact suites only.

use crate::random::Random;
use crate::samples::{Paths, ending, suite};
use crate::streams;

struct Part<'a>(&'a [u8]);

impl<'a> Part<'a> {
    fn take(&mut self, len: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(len);
        self.0 = rest;
        taken
    }

    fn fixed(&mut self, bytes: usize) -> u64 {
        self.take(bytes).iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
    }

    fn string(&mut self) -> &'a str {
        let len = self.fixed(4) as usize;
        std::str::from_utf8(self.take(len)).unwrap()
    }

    fn short(&mut self) -> u32 {
        let len = self.0.iter().position(|byte| byte & 0x80 == 0).unwrap() + 1;
        let number =
            self.take(len).iter().rev().fold(0, |number, &byte| number << 7 | u64::from(byte & 0x7f));
        number.try_into().unwrap()
    }

    fn signed(&mut self) -> i64 {
        let number = i64::from(self.short());
        if number % 2 == 0 { number / 2 } else { -(number + 1) / 2 }
    }

    /// Checks that the range before this place has the checksum here.
    fn is_sealed(&mut self, sealed: &[u8]) {
        assert_eq!(self.fixed(4), u64::from(crc32fast::hash(sealed)));
    }
}

/// Returns the entries of a block.
fn block(rest: &mut Part) -> Paths {
    let head = rest.0;
    assert_eq!(rest.take(4), b"SBLK");
    let entries = rest.fixed(4);
    let lens: Vec<usize> = (0..4).map(|_| rest.fixed(4) as usize).collect();
    let stored = rest.fixed(4) as usize;
    rest.take(3 * 8);
    rest.is_sealed(&head[60..60 + stored]);
    rest.is_sealed(&head[..56]);
    let mut columns = vec![0; lens.iter().sum()];
    match rest.take(stored) {
        plain if stored == columns.len() => columns.copy_from_slice(plain),
        packed => assert_eq!(lz4_flex::block::decompress_into(packed, &mut columns).unwrap(), columns.len()),
    }
    let mut columns = Part(&columns);
    let mut columns: Vec<Part> = lens.into_iter().map(|len| Part(columns.take(len))).collect();
    let mut path: Vec<u32> = vec![];
    let paths = (0..entries).map(|_| {
        let before = path.clone();
        let dropped = columns[0].short() as usize;
        let new = dropped as i64 + columns[1].signed();
        path.truncate(before.len() - dropped);
        for i in 0..new {
            let old = i64::from(before.get(path.len()).copied().unwrap_or(0));
            let difference = columns[if i == 0 { 2 } else { 3 }].signed();
            path.push((old + difference).rem_euclid(1 << 32) as u32);
        }
        path.clone()
    });
    let paths = paths.collect();
    assert!(columns.iter().all(|column| column.0.is_empty()));
    paths
}

/// Returns the entries of a suite, and its outcome.
fn read(file: &[u8]) -> (Paths, String) {
    let mut rest = Part(file);
    assert_eq!(rest.take(8), b"\x89SSUITE\n");
    assert_eq!(rest.fixed(2), 1);
    let pairs = rest.fixed(4) as usize;
    let mut pairs = Part(rest.take(pairs));
    while !pairs.0.is_empty() {
        pairs.string();
    }
    rest.is_sealed(&file[..file.len() - rest.0.len()]);
    let (mut paths, mut places): (Paths, _) = (vec![], vec![]);
    while rest.0.starts_with(b"SBLK") {
        places.push(((file.len() - rest.0.len()) as u64, paths.len() as u64));
        paths.extend(block(&mut rest));
    }
    let footer = rest.0;
    assert_eq!(rest.take(4), b"SEND");
    let len = rest.fixed(8) as usize;
    rest.is_sealed(&footer[..12]);
    let mut body = Part(rest.take(len));
    rest.is_sealed(body.0);
    assert_eq!(rest.fixed(8), len as u64 + 20);
    assert_eq!(rest.0, b"ETIUSS\x89\n");
    let outcome = body.string().to_owned();
    body.take(16);
    if body.fixed(1) == 1 {
        let choices = body.fixed(4) as usize;
        body.take(4 * choices);
    }
    assert_eq!(body.fixed(8), paths.len() as u64);
    places.iter().for_each(|&place| assert_eq!((body.fixed(8), body.fixed(8)), place));
    assert!(body.0.is_empty());
    (paths, outcome)
}

#[test]
fn the_book_describes_what_is_written() {
    let mut random = Random::new(3);
    let mut trees: Paths = vec![];
    streams::search_trees(0..=7, 7, &mut |path| trees.push(path.to_vec()));
    let large = (0..200).map(|_| (0..random.below(9)).map(|_| random.number() as u32).collect());
    for paths in [vec![], trees, large.collect()] {
        assert_eq!(read(&suite(&paths)), (paths.clone(), ending(&paths).outcome));
    }
}
