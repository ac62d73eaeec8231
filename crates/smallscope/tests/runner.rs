//! The runner: order, reports, replay, records, environment, budgets, hostile invariants.

mod runner {
    mod clusters;
    #[cfg(all(unix, target_pointer_width = "64", feature = "isolate"))]
    mod crashes;
    mod deepening;
    mod edges;
    mod empty;
    mod environment;
    mod failures;
    #[cfg(feature = "filled")]
    mod filled;
    mod fixtures;
    mod invariants;
    mod lent;
    mod mistakes;
    mod output;
    mod pages;
    mod payload;
    mod records;
    #[cfg(feature = "criteria")]
    mod reduced;
    mod sparse;
    mod threads;
    pub(crate) mod tree;
}
