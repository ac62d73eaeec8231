//! The tests of this package compare the engines with the oracle. They are a package of their own because the oracle is
//! optimised even in debug builds, and its many subjects are not: that would take longer than it saves.
