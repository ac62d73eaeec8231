//! Conditions, loops, closures, early returns.

use crate::*;

#[test]
fn question_mark_option() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.h().is_some()
        }
        fn h(&self) -> Option<usize> {
            let r = self.root.as_ref()?;
            let l = r.left.as_ref()?;
            Some(l.right.is_none() as usize)
        }
    }
    trees!(2736);
}

#[test]
fn question_mark_result_string() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.check().is_ok()
        }
        fn check(&self) -> Result<(), String> {
            if self.size > 2 {
                return Err(format!("size {}", self.size));
            }
            Ok(())
        }
    }
    trees!(3477);
}

#[test]
fn assert_macros() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            assert!(self.size < 9, "size {}", self.size);
            debug_assert_eq!(self.size, self.size);
            true
        }
    }
    trees!(4636);
}

#[test]
fn inline_format_args() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let s = self.size;
            let _ = format!("{s}");
            true
        }
    }
    trees!(4636);
}

#[test]
fn matches_macro() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            !matches!(&self.root, Some(n) if matches!(n.color, Color::Red))
        }
    }
    trees!(2320);
}

#[test]
fn closure_capturing_self() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let small = |n: &Node<K>| n.left.is_none() || self.size > 1;
            self.root.as_deref().is_none_or(small)
        }
    }
    trees!(3268);
}

#[test]
fn recursive_inner_fn() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            fn d<K>(n: &Option<Box<Node<K>>>) -> usize {
                n.as_ref().map_or(0, |n| 1 + d(&n.left).max(d(&n.right)))
            }
            d(&self.root) <= 2
        }
    }
    trees!(1180);
}

#[test]
fn where_clause_generic_fn() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            Self::all(&self.root, &mut |n: &Node<K>| n.color == Color::Black)
        }
        fn all<F>(n: &Option<Box<Node<K>>>, f: &mut F) -> bool
        where
            F: FnMut(&Node<K>) -> bool,
        {
            match n {
                None => true,
                Some(n) => f(n) && Self::all(&n.left, f) && Self::all(&n.right, f),
            }
        }
    }
    trees!(628);
}

#[test]
fn impl_fn_arg_dyn_fn() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            Self::a(&self.root, |n| n.left.is_none()) && Self::b(&self.root, &|n| n.right.is_none())
        }
        fn a(n: &Option<Box<Node<K>>>, f: impl Fn(&Node<K>) -> bool) -> bool {
            n.as_deref().is_none_or(|n| f(n))
        }
        fn b(n: &Option<Box<Node<K>>>, f: &dyn Fn(&Node<K>) -> bool) -> bool {
            n.as_deref().is_none_or(f)
        }
    }
    trees!(28);
}

#[test]
fn impl_iterator_return() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.spine().count() == self.size
        }
        fn spine(&self) -> impl Iterator<Item = &Node<K>> + '_ {
            std::iter::successors(self.root.as_deref(), |n| n.left.as_deref())
        }
    }
    trees!(1159);
}

#[test]
fn as_cast_arith_index() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let a = [true, false, true, true];
            a[self.size] && self.size as i64 - 1 < 3 && (1u32 << self.size) > 0
        }
    }
    trees!(3477);
}

#[test]
fn local_struct_mutated() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            struct Acc {
                n: usize,
                v: Vec<usize>,
            }
            let mut a = Acc { n: 0, v: vec![] };
            a.n += 1;
            a.n = a.n + self.size;
            a.v.push(a.n);
            a.v.len() == a.n
        }
    }
    trees!(1159);
}

#[test]
fn local_struct_counter_only() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            struct Acc {
                n: usize,
            }
            let mut a = Acc { n: 0 };
            a.n += self.size;
            {
                let r = &mut a.n;
                *r += 1;
            }
            a.n > 0
        }
    }
    trees!(4636);
}

#[test]
fn tuple_fields() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut t = (self.size, 1usize);
            t.1 += 1;
            t.0 < t.1
        }
    }
    trees!(2318);
}

#[test]
fn range_field() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let r = 0..self.size;
            r.end >= r.start && (1..3).contains(&self.size)
        }
    }
    trees!(2318);
}

#[test]
fn self_const_and_assoc() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        const MAX: usize = 3;
        fn rep_ok(&self) -> bool {
            self.size <= Self::MAX
        }
    }
    trees!(4636);
}

#[test]
fn loop_labels_break_value() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut c = &self.root;
            let n = 'o: loop {
                let mut k = 0;
                loop {
                    match c {
                        None => break 'o k,
                        Some(x) => {
                            k += 1;
                            c = &x.right
                        }
                    }
                }
            };
            n == self.size
        }
    }
    trees!(1159);
}

#[test]
fn use_variants() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            use Color::*;
            self.root.as_ref().is_none_or(|n| match n.color {
                Red => false,
                Black => true,
            })
        }
    }
    trees!(2320);
}

#[test]
fn let_chains() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            if let Some(n) = &self.root
                && let Some(l) = &n.left
                && l.color == n.color
                && let None = n.right
            {
                return self.size == 2;
            }
            let mut cursor = self.root.as_deref();
            let mut reds = 0;
            while let Some(n) = cursor
                && n.color == Color::Red
            {
                reds += 1;
                cursor = n.left.as_deref();
            }
            reds < 2
        }
    }
    let (found, listed) = count_trees();
    assert_eq!(found, listed);
}

#[test]
fn let_chains_with_nested_patterns() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            if let Some(Node { left: Some(l), right: None, .. }) = self.root.as_deref()
                && let Node { color: Color::Red, .. } = &**l
                && self.size != 2
            {
                return false;
            }
            while let Some(Node { color: Color::Black, key, .. }) = self.root.as_deref()
                && self.size > 2
            {
                if *key >= *key {
                    return false;
                }
            }
            true
        }
    }
    let (found, listed) = count_trees();
    assert_eq!(found, listed);
}

#[test]
fn guards() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            match (&self.root, self.size) {
                (None, n) if n > 0 => false,
                (None, _) => true,
                (Some(r), n) if n == 1 && r.left.is_none() => r.right.is_none(),
                (Some(r), _)
                    if let Some(l) = &r.left
                        && l.color == r.color =>
                {
                    false
                }
                (Some(node), 3) if node.right.is_some() || self.size == 0 => true,
                _ => false,
            }
        }
    }
    let (found, listed) = count_trees();
    assert_eq!(found, listed);
}

#[test]
fn operators_of_all_kinds() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let bits = !self.size & 0b11;
            let ok =
                !(self.root.is_none() || !(self.size > 0 && (bits != 0 || self.size == 3))) || self.size == 0;
            let mut flag = ok & true;
            flag &= ok ^ false;
            flag |= self.size == 9;
            let _ = self.size == 0 || return flag;
            -(self.size as i32) <= 0 && self.root.is_none()
        }
    }
    let (found, listed) = count_trees();
    assert_eq!(found, listed);
}

#[test]
fn options_results_and_question_marks() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let height = |n: &Option<Box<Node<K>>>| -> Option<usize> {
                let n = n.as_ref()?;
                Some(1 + usize::from(n.left.as_ref().or(n.right.as_ref())?.color == Color::Red))
            };
            let _ = height(&self.root);
            matches!(Self::black_height(&self.root), Ok(h) if h < 2)
                && Self::count(&self.root).ok() == Some(self.size)
        }
        fn black_height(n: &Option<Box<Node<K>>>) -> Result<usize, &'static str> {
            let Some(n) = n else { return Ok(0) };
            let (l, r) = (Self::black_height(&n.left)?, Self::black_height(&n.right)?);
            (l == r).then_some(l + usize::from(n.color == Color::Black)).ok_or("unbalanced")
        }
        fn count(n: &Option<Box<Node<K>>>) -> Result<usize, ()> {
            Ok(match n {
                None => 0,
                Some(n) => 1 + Self::count(&n.left)? + Self::count(&n.right)?,
            })
        }
    }
    let (found, listed) = count_trees();
    assert_eq!(found, listed);
}

#[test]
fn loops_with_labels_and_else() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut links = vec![(&self.root, 0)];
            let mut leaves = 0;
            'nodes: while let Some((link, depth)) = links.pop() {
                let Some(n) = link.as_ref() else { continue };
                for child in [&n.left, &n.right] {
                    if child.is_some() {
                        links.push((&n.left, depth + 1));
                        links.push((&n.right, depth + 1));
                        continue 'nodes;
                    }
                }
                leaves += 1;
                if leaves > 1 {
                    break 'nodes;
                }
            }
            leaves == if self.root.is_some() { 1 } else { 0 }
        }
    }
    let (found, listed) = count_trees();
    assert_eq!(found, listed);
}

#[test]
fn unsafe_functions() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            // SAFETY: the pointer comes from a reference.
            self.root.as_deref().is_none_or(|n| unsafe { Self::leaf(ptr::from_ref(n)) })
        }
        unsafe fn leaf(n: *const Node<K>) -> bool {
            unsafe { (*n).left.is_none() && (*n).right.is_none() }
        }
    }
    trees!(4 + 4 * 6);
}
