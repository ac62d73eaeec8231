//! An observation of a case, whether or not it is written.

use std::time::Duration;

/// A case of a test.
#[cfg_attr(
    not(feature = "neighbours"),
    expect(dead_code, reason = "observations are written with that feature")
)]
pub(crate) struct Line<'l> {
    /// What is wrong, if the case failed.
    pub failure: Option<&'l str>,
    /// The case as text.
    pub representation: &'l str,
    /// Names and texts of arguments.
    pub arguments: &'l [(String, String)],
    /// How it was generated, in words.
    pub how: &'l str,
    /// Numbers by which cases are sorted and counted.
    pub features: &'l [(&'l str, u64)],
    /// How long it took, if that is known.
    pub time: Option<Duration>,
    /// One more fact, by its name.
    pub metadata: (&'l str, &'l str),
}
