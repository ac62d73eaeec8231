//! A set, and functions whose mutants end in every way that a program can.

#[derive(Debug, Clone)]
#[cfg_attr(test, derive(smallscope::Bounded))]
pub struct SortedSet {
    items: Vec<u8>,
}

#[cfg_attr(test, smallscope::rep_ok)]
impl SortedSet {
    pub fn rep_ok(&self) -> bool {
        self.items.is_sorted_by(|a, b| a < b)
    }
}

#[cfg_attr(test, smallscope::mutate(equivalent(
    "lib::SortedSet::insert::ror::7959eb",
    "the place is never behind the end"
)))]
impl SortedSet {
    pub fn insert(&mut self, x: u8) -> bool {
        let mut at = 0;
        while at < self.items.len() && self.items[at] < x {
            at += 1;
        }
        if at < self.items.len() && self.items[at] == x {
            return false;
        }
        self.items.insert(at, x);
        true
    }

    pub fn first(&self) -> Option<u8> {
        if self.items.is_empty() { None } else { Some(self.items[0]) }
    }
}

#[cfg_attr(test, smallscope::mutate)]
pub fn rounds(n: u32) -> u32 {
    let mut left = n;
    while left > 0 {
        left -= 1;
    }
    left
}

#[cfg_attr(test, smallscope::mutate)]
pub fn recurses(n: u32) -> u32 {
    if n == 0 { 0 } else { recurses(n - 1) }
}

#[cfg_attr(test, smallscope::mutate)]
pub fn waits_until() -> u32 {
    0
}

#[cfg_attr(test, smallscope::mutate)]
pub fn falls_until() -> u32 {
    0
}

#[cfg_attr(test, smallscope::mutate)]
pub fn gibibytes() -> usize {
    0
}

#[cfg_attr(test, smallscope::mutate)]
pub fn aborts() -> bool {
    false
}

#[cfg_attr(test, smallscope::mutate)]
pub fn exits() -> bool {
    false
}

/// A number that does not leave its range.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Dial {
    at: u8,
}

#[cfg_attr(test, smallscope::mutate)]
impl Dial {
    pub fn up(&mut self) -> bool {
        if self.at == 3 {
            return false;
        }
        self.at += 1;
        true
    }

    pub fn down(&mut self) {
        self.at -= u8::from(self.at > 0);
    }

    pub fn reset(&mut self) {
        while self.at > 0 {
            self.down();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[smallscope::test(scope = 3)]
    fn insert_keeps_the_order(mut set: SortedSet, x: u8) {
        let before = set.items.clone();
        assert_eq!(set.insert(x), !before.contains(&x));
        assert!(set.rep_ok() && set.items.contains(&x));
        assert!(before.iter().all(|y| set.items.contains(y)));
    }

    #[smallscope::test(scope = 3)]
    fn insert_inserts(mut set: SortedSet, x: u8) {
        set.insert(x);
        assert!(set.items.contains(&x));
    }

    #[smallscope::test(scope = 3)]
    fn sets_are_sorted(set: &SortedSet) {
        assert!(set.rep_ok());
    }

    #[smallscope::test(scope = 3)]
    fn insert_always_inserts(mut set: SortedSet, x: u8) {
        assert!(set.insert(x));
    }

    fn fall(depth: u32) -> u32 {
        if depth == 0 { 0 } else { fall(std::hint::black_box(depth)).wrapping_add(depth) }
    }

    #[smallscope::test(scope = 2)]
    fn everything_ends(n: bool) {
        assert_eq!(rounds(n.into()) + recurses(n.into()), 0);
        while waits_until() != 0 {
            let until = std::hint::black_box(1);
            while until != 0 {
                std::hint::spin_loop();
            }
        }
        assert_eq!(fall(falls_until()), 0);
        assert_eq!(vec![0u8; gibibytes() << 33].len(), 0);
        if aborts() {
            std::process::abort();
        }
        if exits() {
            std::process::exit(0);
        }
    }

    #[smallscope::sequences(length = 5, strategy = "be")]
    fn the_dial_stays_in_its_range() -> smallscope::sequences::Builder {
        use smallscope::sequences::{Context, Pool, by_mut, nothing};
        Context::builder()
            .pool(Pool::empty(1).and(Dial::default()).named("dial").cloned().hashed().shown())
            .method("up", (by_mut::<Dial>(),), nothing(), |(dial,)| {
                let before = dial.at;
                assert_eq!(dial.up(), before < 3);
                assert_eq!(dial.at, (before + 1).min(3));
            })
            .method("down", (by_mut::<Dial>(),), nothing(), |(dial,)| {
                let before = dial.at;
                dial.down();
                assert_eq!(dial.at, before.saturating_sub(1));
            })
            .method("reset", (by_mut::<Dial>(),), nothing(), |(dial,)| {
                dial.reset();
                assert_eq!(dial.at, 0);
            })
    }
}
