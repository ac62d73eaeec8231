//! Structures as users write them: caches, queues, graphs and buffers. And copies of collections, made and compared.

use super::*;
use std::collections::VecDeque;
use std::ops::Range;

/// Explored candidates and values at a scope. In audit mode, the copy and the invariant agree about every candidate.
fn at<T: Bounded + std::fmt::Debug>(scope: u32) -> (u64, usize) {
    let (values, explored) = texts::<T>(&Bounds::scope(scope), Options::default());
    assert_eq!(texts::<T>(&Bounds::scope(scope), Options::audited()).0.len(), values.len());
    (explored, values.len())
}

/// LRU cache: a map and a list of keys, most recent first.
#[derive(Bounded, Debug)]
pub struct Lru {
    capacity: usize,
    map: HashMap<u8, u8>,
    order: VecDeque<u8>,
}
#[rep_ok]
impl Lru {
    fn rep_ok(&self) -> bool {
        let unique: HashSet<_> = self.order.iter().collect();
        self.map.len() <= self.capacity
            && self.order.len() == self.map.len()
            && unique.len() == self.order.len()
            && self.order.iter().all(|k| self.map.contains_key(k))
    }
}

/// Interval set: disjoint, not touching, in order.
#[derive(Bounded, Debug)]
pub struct Intervals {
    spans: BTreeMap<u8, u8>,
}
#[rep_ok]
impl Intervals {
    fn rep_ok(&self) -> bool {
        let mut last: Option<u8> = None;
        for (&start, &end) in &self.spans {
            if start >= end {
                return false;
            }
            if let Some(last) = last {
                if start <= last {
                    return false;
                }
            }
            last = Some(end);
        }
        true
    }
}

/// Priority queue with positions.
#[derive(Bounded, Debug)]
pub struct Queue {
    heap: Vec<(u8, u8)>,
    position: HashMap<u8, usize>,
}
#[rep_ok]
impl Queue {
    fn rep_ok(&self) -> bool {
        self.heap.len() == self.position.len()
            && self.heap.iter().enumerate().all(|(i, (id, _))| self.position.get(id) == Some(&i))
            && (1..self.heap.len()).all(|i| self.heap[(i - 1) / 2].1 <= self.heap[i].1)
    }
}

#[derive(Bounded, Debug, Clone, PartialEq)]
pub enum State {
    Ready,
    Running { core: u8 },
    Blocked(Option<u8>),
}
#[derive(Bounded, Debug)]
pub struct Scheduler {
    tasks: HashMap<u8, State>,
    ready: VecDeque<u8>,
    cores: u8,
}
#[rep_ok]
impl Scheduler {
    fn rep_ok(&self) -> bool {
        let ready = self.tasks.iter().filter(|(_, s)| matches!(s, State::Ready)).count();
        ready == self.ready.len()
            && self.ready.iter().all(|id| self.tasks.get(id) == Some(&State::Ready))
            && self.tasks.iter().all(|(id, s)| match s {
                State::Running { core } => *core < self.cores,
                State::Blocked(Some(on)) => on != id && self.tasks.contains_key(on),
                _ => true,
            })
    }
}

/// Graph with adjacency sets, and a set of roots.
#[derive(Bounded, Debug)]
pub struct Dag {
    edges: BTreeMap<u8, BTreeSet<u8>>,
    roots: Option<BTreeSet<u8>>,
}
#[rep_ok]
impl Dag {
    fn rep_ok(&self) -> bool {
        let ok =
            self.edges.iter().all(|(from, to)| to.iter().all(|t| t > from && self.edges.contains_key(t)));
        ok && match &self.roots {
            Some(roots) => roots
                .iter()
                .all(|r| self.edges.contains_key(r) && !self.edges.values().any(|to| to.contains(r))),
            None => self.edges.is_empty(),
        }
    }
}

/// Gap buffer.
#[derive(Bounded, Debug)]
pub struct GapBuffer {
    data: Vec<Option<char>>,
    gap: Range<usize>,
}
#[rep_ok]
impl GapBuffer {
    fn rep_ok(&self) -> bool {
        self.gap.start <= self.gap.end
            && self.gap.end <= self.data.len()
            && self.data.iter().enumerate().all(|(i, c)| self.gap.contains(&i) == c.is_none())
    }
}

/// Skip list with levels.
#[derive(Bounded, Debug)]
pub struct SkipList {
    levels: Vec<BTreeSet<u8>>,
}
#[rep_ok]
impl SkipList {
    fn rep_ok(&self) -> bool {
        !self.levels.is_empty()
            && self.levels.windows(2).all(|w| w[1].is_subset(&w[0]))
            && self.levels.iter().skip(1).all(|l| !l.is_empty())
    }
}

#[test]
fn structures_of_users_explore_few_candidates() {
    assert_eq!(at::<Lru>(3), (52, 301));
    assert_eq!(at::<Intervals>(4), (148, 8));
    assert_eq!(at::<Queue>(2), (27, 11));
    assert_eq!(at::<Scheduler>(2), (77, 43));
    assert_eq!(at::<Dag>(3), (223, 56));
    assert_eq!(at::<GapBuffer>(3), (65, 184));
    assert_eq!(at::<SkipList>(3), (16, 64));
}

macro_rules! copies {
    ($($name:ident: $t:ty, $typed:ty;)*) => { $(
        #[test]
        fn $name() {
            #[derive(Bounded, Debug)]
            struct Copied {
                field: $t,
                other: $t,
            }

            #[rep_ok]
            impl Copied {
                fn rep_ok(&self) -> bool {
                    let copy = self.field.clone();
                    let typed: $typed = self.other.clone();
                    let owned = self.field.to_owned();
                    copy == self.field && self.field == copy && !(self.field != owned) && typed == copy
                }
            }

            let (explored, values) = at::<Copied>(2);
            assert!(values > 1 && explored >= values as u64, "{explored} {values}");
        }
    )* };
}
copies! {
    vectors_of_vectors: Vec<Vec<bool>>, Vec<Vec<bool>>;
    vectors_of_arrays: Vec<[bool; 2]>, Vec<[bool; 2]>;
    vectors_of_maps: Vec<BTreeMap<bool, bool>>, Vec<BTreeMap<bool, bool>>;
    arrays: [u8; 2], [u8; 2];
    deques: VecDeque<u8>, VecDeque<u8>;
    boxed_slices: Box<[u8]>, Box<[u8]>;
    maps_of_vectors: BTreeMap<bool, Vec<bool>>, BTreeMap<bool, Vec<bool>>;
    maps_of_maps: BTreeMap<bool, BTreeMap<bool, bool>>, BTreeMap<bool, BTreeMap<bool, bool>>;
    optional_vectors: Option<Vec<u8>>, Option<Vec<u8>>;
    optional_sets: Option<BTreeSet<u8>>, Option<BTreeSet<u8>>;
    optional_maps: Option<BTreeMap<bool, Vec<bool>>>, Option<BTreeMap<bool, Vec<bool>>>;
    maps: BTreeMap<u8, u8>, BTreeMap<u8, u8>;
    sets: BTreeSet<u8>, BTreeSet<u8>;
}
