//! Going through `Option<Box<_>>` links.

use crate::*;

#[test]
fn as_deref_cursor() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut c = self.root.as_deref();
            let mut n = 0;
            while let Some(x) = c {
                n += 1;
                c = x.left.as_deref();
            }
            n == self.size
        }
    }
    trees!(1159);
}

#[test]
fn match_ref_keyword() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            match self.root {
                None => self.size == 0,
                Some(ref n) => n.left.is_none(),
            }
        }
    }
    trees!(1897);
}

#[test]
fn match_amp() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            match &self.root {
                None => self.size == 0,
                Some(n) => n.left.is_none(),
            }
        }
    }
    trees!(1897);
}

#[test]
fn if_let_chain_box_double_deref() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            if let Some(b) = &self.root {
                let n: &Node<K> = &**b;
                return n.right.is_none();
            }
            true
        }
    }
    trees!(1900);
}

#[test]
fn box_as_ref_method() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.root.as_ref().is_none_or(|b| {
                let n: &Node<K> = b.as_ref();
                n.right.is_none()
            })
        }
    }
    trees!(1900);
}

#[test]
fn box_as_ref_path() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.root.as_ref().is_none_or(|b| Box::as_ref(b).right.is_none())
        }
    }
    trees!(1900);
}

#[test]
fn let_else() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let Some(n) = &self.root else { return true };
            n.left.is_none()
        }
    }
    trees!(1900);
}

#[test]
fn stack_of_refs() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut st: Vec<&Node<K>> = self.root.as_deref().into_iter().collect();
            let mut n = 0;
            while let Some(x) = st.pop() {
                n += 1;
                st.extend(x.left.as_deref());
                st.extend(x.right.iter().map(|b| &**b));
            }
            n == self.size
        }
    }
    trees!(1159);
}

#[test]
fn vec_macro_stack() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut st = vec![&self.root];
            let mut n = 0;
            while let Some(x) = st.pop() {
                if let Some(x) = x {
                    n += 1;
                    st.push(&x.left);
                    st.push(&x.right)
                }
            }
            n == self.size
        }
    }
    trees!(1159);
}

#[test]
fn visited_set_raw() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut seen: HashSet<*const Node<K>> = HashSet::new();
            let mut c = self.root.as_deref();
            while let Some(x) = c {
                if !seen.insert(x as *const Node<K>) {
                    return false;
                }
                c = x.right.as_deref()
            }
            seen.len() == self.size
        }
    }
    trees!(1159);
}

#[test]
fn ptr_eq() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            match (&self.root, self.root.as_deref()) {
                (Some(a), Some(b)) => ptr::eq(&**a, b) && std::ptr::eq::<Node<K>>(a.as_ref(), b),
                _ => true,
            }
        }
    }
    trees!(4636);
}

#[test]
fn option_zip_map_sum_iter() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.root.iter().map(|n| n.left.iter().count() + n.right.iter().count()).sum::<usize>()
                == self.size
        }
    }
    trees!(1159);
}

#[test]
fn key_cmp_match() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let Some(n) = &self.root else { return self.size == 0 };
            n.left.as_ref().is_none_or(|l| match l.key.cmp(&n.key) {
                std::cmp::Ordering::Less => true,
                _ => false,
            })
        }
    }
    trees!(2809);
}

#[test]
fn min_max_iter_keys() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut v: Vec<&K> = vec![];
            if let Some(n) = &self.root {
                v.push(&n.key);
                if let Some(l) = &n.left {
                    v.push(&l.key)
                }
            }
            v.iter().max() == v.first() && v.is_sorted()
        }
    }
    trees!(2812);
}

#[test]
fn is_sorted_clone_keys() {
    tree!();
    #[rep_ok]
    impl<K: Ord + Clone> Tree<K> {
        fn rep_ok(&self) -> bool {
            let v: Vec<K> = self.root.iter().map(|n| n.key.clone()).collect();
            v.is_sorted()
        }
    }
    trees!(4636);
}

#[test]
fn hash_keys_eager() {
    tree!();
    #[rep_ok]
    impl<K: Ord + std::hash::Hash> Tree<K> {
        fn rep_ok(&self) -> bool {
            let v: HashSet<&K> = self.root.iter().map(|n| &n.key).collect();
            v.len() <= 1
        }
    }
    trees!(4636);
}

#[test]
fn while_loop_node_cursor_amp() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let mut c = &self.root;
            let mut n = 0;
            while let Some(x) = c {
                n += 1;
                c = &x.left
            }
            n == self.size
        }
    }
    trees!(1159);
}

#[test]
fn fully_qualified_std_box() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            Self::c(&self.root) == self.size
        }
        fn c(n: &std::option::Option<std::boxed::Box<Node<K>>>) -> usize {
            n.as_ref().map_or(0, |n| 1 + Self::c(&n.left))
        }
    }
    trees!(1159);
}

#[test]
fn return_ref_elided_lifetime() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.root.as_ref().is_none_or(|n| Self::min(n) <= &n.key)
        }
        fn min(n: &Node<K>) -> &K {
            match &n.left {
                Some(l) => Self::min(l),
                None => &n.key,
            }
        }
    }
    trees!(3724);
}

#[test]
fn explicit_lifetime() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.root.as_ref().is_none_or(|n| Self::min(n) <= &n.key)
        }
        fn min<'a>(n: &'a Node<K>) -> &'a K {
            let mut n = n;
            while let Some(l) = &n.left {
                n = l
            }
            &n.key
        }
    }
    trees!(3724);
}

#[test]
fn copy_field_out() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let n = self.size;
            let c: Option<Color> = self.root.as_ref().map(|n| n.color);
            c != Some(Color::Red) || n > 1
        }
    }
    trees!(3478);
}

#[test]
fn debug_print_node() {
    tree!();
    #[rep_ok]
    impl<K: Ord + std::fmt::Debug> Tree<K> {
        fn rep_ok(&self) -> bool {
            if self.size > 5 {
                eprintln!("{:?}", self.root)
            }
            true
        }
    }
    trees!(4636);
}

#[test]
fn equality_derived_for_the_mirror() {
    #[derive(Bounded)]
    struct Tree<K> {
        root: Option<Box<Node<K>>>,
    }
    #[derive(Bounded, PartialEq)]
    #[bounded(derive(PartialEq))]
    struct Node<K> {
        key: K,
        left: Option<Box<Node<K>>>,
        right: Option<Box<Node<K>>>,
    }
    #[rep_ok]
    impl<K: PartialEq> Tree<K> {
        fn rep_ok(&self) -> bool {
            self.root.as_ref().is_none_or(|n| n.left == n.right)
        }
    }
    // No tree, one node, or a root with two equal children.
    assert_eq!(valid::<Tree<u8>>(&Bounds::exact().objects("Node", 3).ints("Node.key", 0..=2)), 1 + 3 + 3 * 3);
}

#[test]
fn mem_size_of_self() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            std::mem::size_of::<Node<u8>>() < 4096
        }
    }
    trees!(4636);
}

#[test]
fn unsafe_transmute() {
    tree!();
    #[rep_ok]
    impl<K: Ord> Tree<K> {
        fn rep_ok(&self) -> bool {
            let n: &isize = unsafe { std::mem::transmute(&self.size) };
            *n >= 0
        }
    }
    trees!(4636);
}
