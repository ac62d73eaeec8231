//! Sorted disjoint ranges that do not touch, scope 5: 16 values. Explored today: 6 (`StructZip`), 296,286 (`TupleZip`); two vectors at
//! scope 6: 12,204,389 for 32 values.
use smallscope::{Bounded, rep_ok};

#[derive(Bounded, Debug, Clone)]
#[bounded(no_invariant)]
pub struct Range {
    lo: u8,
    hi: u8,
}

pub mod a {
    use super::*;
    #[derive(Bounded, Debug, Clone)]
    pub struct TupleZip {
        ranges: Vec<(u8, u8)>,
    }
    #[rep_ok]
    impl TupleZip {
        fn rep_ok(&self) -> bool {
            self.ranges.iter().all(|(a, b)| a < b)
                && self.ranges.iter().zip(self.ranges.iter().skip(1)).all(|(x, y)| x.1 < y.0)
        }
    }
}
pub mod b {
    use super::*;
    #[derive(Bounded, Debug, Clone)]
    pub struct TupleIndex {
        ranges: Vec<(u8, u8)>,
    }
    #[rep_ok]
    impl TupleIndex {
        fn rep_ok(&self) -> bool {
            for i in 0..self.ranges.len() {
                if self.ranges[i].0 >= self.ranges[i].1 {
                    return false;
                }
                if i > 0 && self.ranges[i - 1].1 >= self.ranges[i].0 {
                    return false;
                }
            }
            true
        }
    }
}
pub mod c {
    use super::*;
    #[derive(Bounded, Debug, Clone)]
    pub struct StructZip {
        ranges: Vec<Range>,
    }
    #[rep_ok]
    impl StructZip {
        fn rep_ok(&self) -> bool {
            self.ranges.iter().all(|r| r.lo < r.hi)
                && self.ranges.iter().zip(self.ranges.iter().skip(1)).all(|(x, y)| x.hi < y.lo)
        }
    }
}
pub mod e {
    use super::*;
    #[derive(Bounded, Debug, Clone)]
    pub struct TupleWindowsOnly {
        ranges: Vec<(u8, u8)>,
    }
    #[rep_ok]
    impl TupleWindowsOnly {
        fn rep_ok(&self) -> bool {
            self.ranges.windows(2).all(|w| w[0].1 < w[1].0) && self.ranges.iter().all(|(a, b)| a < b)
        }
    }
}
pub mod g {
    use super::*;
    #[derive(Bounded, Debug, Clone)]
    pub struct StructRangeInclusive {
        lo: Vec<u8>,
        hi: Vec<u8>,
    }
    #[rep_ok]
    impl StructRangeInclusive {
        fn rep_ok(&self) -> bool {
            self.lo.len() == self.hi.len()
                && self.lo.iter().zip(&self.hi).all(|(a, b)| a < b)
                && self.hi.iter().zip(self.lo.iter().skip(1)).all(|(a, b)| a < b)
        }
    }
}
