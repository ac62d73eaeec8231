//! Search trees, scope 6: 731 values. Explored today: 1,978 (`bounds_down`), 3,871 (`inorder_prev`), 6,504,487 (`inorder_windows`),
//! 2,470,513 (`minmax_up`).

use smallscope::{Bounded, rep_ok};
pub mod bounds_down {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        root: Option<Box<Node>>,
    }
    #[derive(Bounded, Debug)]
    pub struct Node {
        key: u8,
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            Self::ok(&self.root, None, None)
        }
        fn ok(t: &Option<Box<Node>>, lo: Option<u8>, hi: Option<u8>) -> bool {
            t.as_ref().is_none_or(|n| {
                lo.is_none_or(|l| l < n.key)
                    && hi.is_none_or(|h| n.key < h)
                    && Self::ok(&n.left, lo, Some(n.key))
                    && Self::ok(&n.right, Some(n.key), hi)
            })
        }
    }
}
pub mod bounds_down_ref {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        root: Option<Box<Node>>,
    }
    #[derive(Bounded, Debug)]
    pub struct Node {
        key: u8,
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            Self::ok(&self.root, None, None)
        }
        fn ok(t: &Option<Box<Node>>, lo: Option<&u8>, hi: Option<&u8>) -> bool {
            t.as_ref().is_none_or(|n| {
                lo.is_none_or(|l| *l < n.key)
                    && hi.is_none_or(|h| n.key < *h)
                    && Self::ok(&n.left, lo, Some(&n.key))
                    && Self::ok(&n.right, Some(&n.key), hi)
            })
        }
    }
}
pub mod inorder_windows {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        root: Option<Box<Node>>,
    }
    #[derive(Bounded, Debug)]
    pub struct Node {
        key: u8,
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            let mut v = vec![];
            Self::walk(&self.root, &mut v);
            v.windows(2).all(|w| w[0] < w[1])
        }
        fn walk(t: &Option<Box<Node>>, v: &mut Vec<u8>) {
            if let Some(n) = t {
                Self::walk(&n.left, v);
                v.push(n.key);
                Self::walk(&n.right, v);
            }
        }
    }
}
pub mod inorder_prev {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        root: Option<Box<Node>>,
    }
    #[derive(Bounded, Debug)]
    pub struct Node {
        key: u8,
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            Self::walk(&self.root, &mut None)
        }
        fn walk(t: &Option<Box<Node>>, last: &mut Option<u8>) -> bool {
            let Some(n) = t else { return true };
            if !Self::walk(&n.left, last) {
                return false;
            }
            if last.is_some_and(|l| l >= n.key) {
                return false;
            }
            *last = Some(n.key);
            Self::walk(&n.right, last)
        }
    }
}
pub mod minmax_up {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        root: Option<Box<Node>>,
    }
    #[derive(Bounded, Debug)]
    pub struct Node {
        key: u8,
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            self.root.as_ref().is_none_or(|n| Self::range(n).is_some())
        }
        fn range(n: &Node) -> Option<(u8, u8)> {
            let mut lo = n.key;
            let mut hi = n.key;
            if let Some(l) = &n.left {
                let (a, b) = Self::range(l)?;
                if b >= n.key {
                    return None;
                }
                lo = a;
            }
            if let Some(r) = &n.right {
                let (a, b) = Self::range(r)?;
                if a <= n.key {
                    return None;
                }
                hi = b;
            }
            Some((lo, hi))
        }
    }
}
pub mod range_contains {
    use super::*;
    #[derive(Bounded, Debug)]
    pub struct S {
        root: Option<Box<Node>>,
    }
    #[derive(Bounded, Debug)]
    pub struct Node {
        key: u8,
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }
    #[rep_ok]
    impl S {
        fn rep_ok(&self) -> bool {
            Self::ok(&self.root, 0..=255)
        }
        fn ok(t: &Option<Box<Node>>, r: std::ops::RangeInclusive<i32>) -> bool {
            t.as_ref().is_none_or(|n| {
                let k = n.key as i32;
                r.contains(&k)
                    && Self::ok(&n.left, *r.start()..=k - 1)
                    && Self::ok(&n.right, k + 1..=*r.end())
            })
        }
    }
}
