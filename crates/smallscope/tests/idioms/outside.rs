//! Functions and constants outside of the block that no attribute lists.

use crate::*;

/// Functions that know nothing of the structure: plain data, and parts of any type.
mod free_functions {
    fn count<T>(items: &[T]) -> usize {
        items.len()
    }
    fn is_sorted<T: Ord>(items: &[T]) -> bool {
        items.is_sorted()
    }
    fn is_short(bytes: &[u8]) -> bool {
        bytes.len() < 3
    }
    fn is_word(text: &str) -> bool {
        !text.is_empty()
    }
    fn is_absent(number: &Option<u8>) -> bool {
        number.is_none()
    }
    fn is_zero(number: &u8) -> bool {
        *number == 0
    }
    fn first<'a, T>(one: &'a T, _other: &'a T) -> &'a T {
        one
    }
    fn all<T>(items: &[T], accept: impl Fn(&T) -> bool) -> bool {
        items.iter().all(accept)
    }
    fn is_some<T>(item: Option<&T>) -> bool {
        item.is_some()
    }
    fn address(item: &dyn std::any::Any) -> *const () {
        std::ptr::from_ref(item).cast()
    }

    #[test]
    fn they_need_no_mark() {
        use crate::*;
        #[derive(Bounded)]
        struct Record {
            nodes: Vec<Node>,
            bytes: Vec<u8>,
            name: String,
            number: Option<u8>,
            head: Option<Box<Node>>,
        }
        #[derive(Bounded)]
        struct Node {
            key: u8,
        }
        #[rep_ok]
        impl Record {
            fn rep_ok(&self) -> bool {
                for node in &self.nodes {
                    if !is_zero(&node.key) {
                        return false;
                    }
                }
                if let Some(head) = &self.head {
                    if !std::ptr::eq(first(head, head), head) || !is_zero(&head.key) {
                        return false;
                    }
                }
                count(&self.nodes) < 2
                    && is_sorted(&self.bytes)
                    && is_short(&self.bytes)
                    && is_word(&self.name)
                    && is_absent(&self.number)
                    && *first(&self.number, &self.number) == self.number
                    && all(&self.nodes, |node| node.key == 0)
                    && all(&self.bytes, |byte| *byte < 2)
                    && is_some(self.head.as_ref()) == is_some(self.head.as_deref())
                    && address(&count(&self.nodes)) != std::ptr::null()
            }
        }
        // No node or one; nothing, 0, 1, or two of these in order; `a` or `b`; a head or none.
        let bounds = Bounds::scope(2).len("Record.name", 0..=1).alphabet("Record.name", "ab");
        assert_eq!(valid::<Record>(&bounds), 2 * (1 + 2 + 3) * 2 * 2);
    }
}

#[test]
fn constants_of_another_block() {
    #[derive(Bounded)]
    struct Ring<K> {
        items: Vec<K>,
        start: usize,
    }
    impl<K> Ring<K> {
        const CAPACITY: usize = 2;
        const LAST: usize = Self::CAPACITY - 1;
    }
    #[rep_ok]
    impl<K: Ord> Ring<K> {
        const FIRST: usize = 1;
        fn rep_ok(&self) -> bool {
            self.items.len() <= Self::CAPACITY && (Self::FIRST..=Self::LAST).contains(&self.start)
        }
    }
    // Ends of sequences and variants with names in capitals.
    #[derive(Bounded, PartialEq)]
    #[bounded(derive(PartialEq))]
    enum Bits {
        NIL,
        One(Box<Bits>),
    }
    #[rep_ok]
    impl Bits {
        fn rep_ok(&self) -> bool {
            match self {
                Bits::One(rest) => **rest == Self::NIL,
                Bits::NIL => *self == Bits::NIL,
            }
        }
    }
    assert_eq!(valid::<Ring<u8>>(&Bounds::scope(2).ints("Ring.items", 0..=1)), 1 + 2 + 4);
    assert_eq!(valid::<Bits>(&Bounds::scope(4)), 2);
}
