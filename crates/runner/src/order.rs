//! The order of values, which saved paths and positions belong to.
//!
//! A suite has its values as paths, and a checkpoint has a position: choices in the order in which the invariant reads
//! fields. If a version of smallscope reads in another order, the same choices can mean other values. So files say
//! which order they were written in. Files of another order are compared with a search of today before they are used:
//! for most structures nothing has changed.

use smallscope_core::{AnySearch, Failure, Found};
use smallscope_suite::{Header, Reader};
use std::collections::HashSet;
use std::io::{Read, Seek};
use std::ops::ControlFlow;

/// The key in the headers of suites and checkpoints.
pub const KEY: &str = "order";
/// The order of this version. To be raised whenever the same invariant is searched in another order. Files without the
/// key are of the first order.
pub const NOW: &str = "5";

/// Whether a header is of another order.
pub(crate) fn is_another(header: &Header) -> bool {
    header.get(KEY) != Some(NOW)
}

/// Why a file of another order cannot be used.
pub(crate) const WHY: &str = "an earlier version of smallscope has saved it, which searched this structure in another \
                              order, so its values mean something else now; save it again";

/// Reads the first paths of a suite.
pub(crate) fn read_paths<R: Read + Seek>(
    reader: &mut Reader<R>,
    most: u64,
) -> Result<Vec<Vec<u32>>, smallscope_suite::Error> {
    (0..reader.len().min(most)).map(|index| reader.get(index).map(<[u32]>::to_vec)).collect()
}

/// Whether a search finds the values of a file, given by their paths. They may be some of the values that it finds, in any
/// order.
pub(crate) fn finds_all(search: &mut AnySearch, paths: Vec<Vec<u32>>) -> Result<bool, Failure> {
    let mut paths: HashSet<Vec<u32>> = paths.into_iter().collect();
    while !paths.is_empty() && find_next(search)? {
        paths.remove(&search.path());
    }
    Ok(paths.is_empty())
}

/// Whether a search up to a position finds a number of values, the first ones of which have these paths.
pub(crate) fn finds_exactly(
    search: &mut AnySearch,
    number: u64,
    first: &[Vec<u32>],
) -> Result<bool, Failure> {
    let mut found = 0;
    while find_next(search)? {
        if found == number || first.get(found as usize).is_some_and(|path| *path != search.path()) {
            return Ok(false);
        }
        found += 1;
    }
    Ok(found == number)
}

fn find_next(search: &mut AnySearch) -> Result<bool, Failure> {
    Ok(search.find_next(&mut |_| ControlFlow::Continue(()))? == Found::Valid)
}
