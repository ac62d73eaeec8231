//! Two maps that are inverse to each other, scope 4: 209 values, 390,625 explored when a map was one choice.
use smallscope::{Bounded, rep_ok};
pub mod two_maps {
    use super::*;
    use std::collections::BTreeMap;
    #[derive(Bounded, Debug)]
    pub struct S {
        fwd: BTreeMap<u8, u8>,
        rev: BTreeMap<u8, u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            self.fwd.len() == self.rev.len() && self.fwd.iter().all(|(k, v)| self.rev.get(v) == Some(k))
        }
    }
}
