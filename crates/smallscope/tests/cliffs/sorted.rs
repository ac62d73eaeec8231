//! A strictly increasing `Vec<u8>`, scope 6: 64 values. Explored today: 7 (`index`), about 965 (`iter_is_sorted_by`, `zip_skip`,
//! `prev_loop`, `prev_ref_loop`, `peekable`), 55,987 (all others). `hashset_then_sorted`, `btreeset_eq` and `sort_dedup` may go on reading
//! everything.

use smallscope::{Bounded, rep_ok};
pub mod is_sorted_by {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            self.v.is_sorted_by(|a, b| a < b)
        }
    }
}
pub mod iter_is_sorted_by {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            self.v.iter().is_sorted_by(|a, b| a < b)
        }
    }
}
pub mod windows {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            self.v.windows(2).all(|w| w[0] < w[1])
        }
    }
}
pub mod for_windows {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            for w in self.v.windows(2) {
                if w[0] >= w[1] {
                    return false;
                }
            }
            true
        }
    }
}
pub mod windows_pattern {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            self.v.windows(2).all(|w| matches!(w, [a, b] if a < b))
        }
    }
}
pub mod zip_skip {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            self.v.iter().zip(self.v.iter().skip(1)).all(|(a, b)| a < b)
        }
    }
}
pub mod zip_slice1 {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            self.v.is_empty() || self.v.iter().zip(&self.v[1..]).all(|(a, b)| a < b)
        }
    }
}
pub mod index {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            (1..self.v.len()).all(|i| self.v[i - 1] < self.v[i])
        }
    }
}
pub mod prev_loop {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            let mut prev: Option<u8> = None;
            for &x in &self.v {
                if prev.is_some_and(|p| p >= x) {
                    return false;
                }
                prev = Some(x);
            }
            true
        }
    }
}
pub mod prev_ref_loop {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            let mut prev: Option<&u8> = None;
            for x in &self.v {
                if prev.is_some_and(|p| p >= x) {
                    return false;
                }
                prev = Some(x);
            }
            true
        }
    }
}
pub mod peekable {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            let mut it = self.v.iter().peekable();
            while let Some(a) = it.next() {
                if let Some(b) = it.peek() {
                    if a >= *b {
                        return false;
                    }
                }
            }
            true
        }
    }
}
pub mod hashset_then_sorted {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            let s: std::collections::HashSet<u8> = self.v.iter().copied().collect();
            s.len() == self.v.len() && self.v.is_sorted()
        }
    }
}
pub mod btreeset_eq {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            let s: std::collections::BTreeSet<u8> = self.v.iter().copied().collect();
            s.into_iter().eq(self.v.iter().copied())
        }
    }
}
pub mod slice_pat_rec {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            fn ok(v: &[u8]) -> bool {
                match v {
                    [a, b, ..] => a < b && ok(&v[1..]),
                    _ => true,
                }
            }
            ok(&self.v)
        }
    }
}
pub mod as_slice_helper {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            fn ok(v: &[u8]) -> bool {
                (1..v.len()).all(|i| v[i - 1] < v[i])
            }
            ok(&self.v)
        }
    }
}
pub mod sort_dedup {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        v: Vec<u8>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            let mut c: Vec<u8> = self.v.iter().copied().collect();
            c.sort();
            c.dedup();
            c.iter().eq(self.v.iter())
        }
    }
}
