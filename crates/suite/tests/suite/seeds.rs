//! The good files from which the fuzzer starts. They are in the repository, so that they also test that old files can
//! be read.

use crate::streams;
use smallscope_suite::{Checkpoint, Ending, Error, Header, Writer};
use std::fs;
use std::path::PathBuf;

pub fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("seeds")
}

/// The kept files.
pub fn kept() -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = fs::read_dir(directory()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// The files as they are written now, by name.
pub fn made() -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
    let header = Header::new().with("structure", "tree").with("bounds", "3 nodes");
    let exhausted = Ending { outcome: Ending::EXHAUSTED.into(), ..Ending::default() };
    let empty = Writer::create(vec![], &Header::new())?.finish(&exhausted)?;

    let mut trees = Writer::create(vec![], &header)?;
    let mut result = Ok(());
    streams::search_trees(0..=3, 3, &mut |path| {
        let explored = 4 * trees.len() + 1;
        let pushed = trees.push_path(path, explored, || explored);
        result = std::mem::replace(&mut result, Ok(())).and(pushed);
    });
    result?;
    let valid = trees.len();
    let trees = trees.finish(&Ending { explored: 4 * valid, valid, ..exhausted.clone() })?;

    let mut lists = Writer::create(vec![], &header)?;
    let mut result = Ok(());
    streams::doubly_linked_lists(4, 40, &mut |path| {
        let pushed = lists.push_path(path, 9, || 8);
        result = std::mem::replace(&mut result, Ok(())).and(pushed);
    });
    result?;
    let checkpoint = Checkpoint {
        header: header.clone(),
        written: lists.written(),
        pending: lists.pending(),
        position: vec![1, 1, 2, 1],
        explored: 99,
        valid: 40,
        extra: Header::new().with("criterion", "all"),
    };
    let position = Some(checkpoint.position.clone());
    let lists = lists.finish(&Ending { outcome: "limit".into(), explored: 99, valid: 40, position })?;

    let mut counting = Writer::create(vec![], &header)?;
    for i in 0..2 * 4096 {
        counting.push_path(&[i / 64, i % 64], u64::from(i), || u64::from(i))?;
    }
    let unfinished = counting.get_ref().clone();

    // Too irregular to be compressed.
    let mut large = Writer::create(vec![], &Header::new())?;
    large.push_path(&[1 << 22, 7, 1 << 14, u32::MAX], 1, || 1)?;
    large.push_path(&[1 << 22, 99, 1 << 7, 5, 300, 31], 2, || 2)?;
    large.push_path(&[], 3, || 3)?;
    let large = large.finish(&Ending::default())?;

    Ok(vec![
        ("empty.suite", empty),
        ("large.suite", large),
        ("lists.checkpoint", checkpoint.to_bytes()?),
        ("lists.suite", lists),
        ("trees.suite", trees),
        ("unfinished.suite", unfinished),
    ])
}
