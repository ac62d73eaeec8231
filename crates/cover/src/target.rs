//! Targets of coverage.

use crate::{Block, BlockKind, Region};
use std::fmt;

/// A block, or a block together with a combination of predicates.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The region that it is in.
    pub region: &'static Region,
    /// The block.
    pub block: &'static Block,
    /// The predicates that hold, if predicates count: bit `i` stands for `block.predicates[i]`.
    pub combination: Option<usize>,
}

impl Target {
    /// File and line, as compilers print them: `src/tree_map.rs:120:9`.
    pub fn location(&self) -> String {
        format!("{}:{}:{}", self.region.file(), self.block.line, self.block.column)
    }
}

/// The function, how the block is entered, and which predicates hold.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Block { function, kind, text, predicates, .. } = self.block;
        write!(f, "{function}: ")?;
        match kind {
            BlockKind::Entry => f.write_str("entry")?,
            BlockKind::Then => write!(f, "then of `{text}`")?,
            BlockKind::Else => write!(f, "else of `{text}`")?,
            BlockKind::Arm => write!(f, "arm `{text}`")?,
            BlockKind::Body => write!(f, "body of `{text}`")?,
            BlockKind::After => write!(f, "after `{text}`")?,
            BlockKind::Closure => write!(f, "closure `{text}`")?,
        }
        let Some(combination) = self.combination else { return Ok(()) };
        for (number, predicate) in predicates.iter().enumerate() {
            f.write_str(if number == 0 { ", where " } else { ", " })?;
            f.write_str(if combination >> number & 1 == 1 { "" } else { "not " })?;
            write!(f, "`{predicate}`")?;
        }
        Ok(())
    }
}
