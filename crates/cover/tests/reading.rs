//! What `Coverage` makes of the probes: predicates, threads, pauses.

use smallscope_cover::{Coverage, Criterion, Region, cover};

struct Queue {
    items: Vec<u8>,
}

#[cover(predicates(self.items.is_empty(), item > 1))]
impl Queue {
    fn push(&mut self, item: u8) {
        if item == 9 {
            self.items.clear();
        }
        self.items.push(item);
    }

    fn pop(&mut self) -> Option<u8> {
        let item = self.items.pop()?;
        Some(item)
    }

    #[cover(predicates())]
    fn len(&self) -> usize {
        self.items.len()
    }

    #[cover(predicates(self.items.len() > n))]
    fn has_more_than(&self, n: usize) -> bool {
        self.items.iter().any(|item| *item > 0) && self.items.len() > n
    }
}

fn names(coverage: &Coverage, targets: &[usize]) -> Vec<String> {
    targets.iter().map(|&target| coverage.targets()[target].to_string()).collect()
}

#[test]
fn predicates_count_where_their_variables_are_in_scope() {
    let coverage = Coverage::of::<Queue>(Criterion::Predicates);
    let predicates = |name: &str| {
        let blocks = coverage.targets().iter().filter(|target| target.block.function == name);
        blocks.map(|target| target.block.predicates.len()).collect::<Vec<_>>()
    };
    // Entry and `then`, with both.
    assert_eq!(predicates("Queue::push"), [2; 8]);
    // `item` is in scope after its `let`, so at the entry there is only the other one.
    assert_eq!(predicates("Queue::pop"), [1, 1, 2, 2, 2, 2]);
    assert_eq!(predicates("Queue::len"), [0]);
    // The closure does not see them.
    assert_eq!(predicates("Queue::has_more_than"), [1, 1, 0]);
}

#[test]
fn combinations_are_told_apart() {
    let mut coverage = Coverage::of::<Queue>(Criterion::Predicates);
    let mut queue = Queue { items: vec![] };
    queue.push(0);
    let new = coverage.collect().to_vec();
    assert_eq!(names(&coverage, &new), ["Queue::push: entry, where `self.items.is_empty()`, not `item > 1`"]);
    queue.push(1);
    let new = coverage.collect().to_vec();
    assert_eq!(
        names(&coverage, &new),
        ["Queue::push: entry, where not `self.items.is_empty()`, not `item > 1`"]
    );
    queue.push(1);
    assert_eq!(coverage.collect(), []);
    queue.push(9);
    assert_eq!(coverage.collect().len(), 2);
    assert_eq!((queue.len(), queue.has_more_than(0), queue.pop()), (1, true, Some(9)));
    assert_eq!(coverage.collect().len(), 5);
    assert!(coverage.to_string().contains("Queue::push: entry: 1 of 4"), "{coverage}");
}

#[test]
fn blocks_are_covered_with_and_without_predicates() {
    let mut coverage = Coverage::of::<Queue>(Criterion::Blocks);
    let mut queue = Queue { items: vec![] };
    assert_eq!(queue.pop(), None);
    queue.push(9);
    let new = coverage.collect().to_vec();
    assert_eq!(
        names(&coverage, &new),
        ["Queue::push: entry", "Queue::push: then of `if item == 9`", "Queue::pop: entry"]
    );
    // What is not asked for is not evaluated.
    let mut combinations = Coverage::of::<Queue>(Criterion::Predicates);
    assert_eq!(combinations.collect(), []);
}

#[test]
fn each_thread_has_its_own_tables() {
    let mut coverage = Coverage::of::<Queue>(Criterion::Predicates);
    let others: Vec<Coverage> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..2)
            .map(|item| {
                let mut mine = coverage.clone();
                scope.spawn(move || {
                    mine.begin();
                    Queue { items: vec![] }.push(item * 2);
                    mine.collect();
                    mine
                })
            })
            .collect();
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    assert_eq!(coverage.collect(), []);
    assert_eq!(others.iter().map(Coverage::covered).collect::<Vec<_>>(), [1, 1]);
    assert_eq!(coverage.merge(&others[0]).len(), 1);
    assert_eq!(coverage.merge(&others[1]).len(), 1);
    assert_eq!(coverage.merge(&others[1]), []);
    assert_eq!(coverage.covered(), 2);
    // What is known from others is not new here.
    Queue { items: vec![] }.push(2);
    assert_eq!(coverage.collect(), []);
}

#[test]
#[should_panic(expected = "only coverage of the same regions by the same criterion can be merged")]
fn coverage_of_something_else_is_not_merged() {
    let blocks = Coverage::of::<Queue>(Criterion::Blocks);
    Coverage::of::<Queue>(Criterion::Predicates).merge(&blocks);
}

#[test]
fn what_does_not_count_leaves_no_trace() {
    let mut coverage = Coverage::of::<Queue>(Criterion::Predicates);
    let mut queue = Queue { items: vec![1] };
    queue.push(1);
    assert_eq!(coverage.uncounted(|| queue.pop()), Some(1));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        coverage.uncounted(|| {
            queue.pop();
            panic!("an oracle");
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(coverage.collect().len(), 1);
    queue.push(9);
    assert_eq!(coverage.collect().len(), 2);
}

#[test]
fn snapshots_and_reset() {
    let mut coverage = Coverage::of::<Queue>(Criterion::Blocks);
    let begin = coverage.snapshot();
    let mut queue = Queue { items: vec![] };
    queue.push(1);
    coverage.collect();
    let middle = coverage.snapshot();
    queue.pop();
    // Not collected yet.
    assert_eq!(coverage.snapshot(), middle);
    coverage.collect();
    assert_eq!((middle.since(&begin), coverage.snapshot().since(&middle)), (vec![0], vec![2, 3]));
    assert!(middle.is_covered(0) && !middle.is_covered(2) && coverage.is_covered(2));
    coverage.reset();
    assert_eq!((coverage.covered(), coverage.collect().len()), (0, 0));
    queue.push(1);
    assert_eq!(coverage.collect(), [0]);
}

#[test]
fn a_region_counts_once() {
    let regions: Vec<&'static Region> = <Queue as smallscope_cover::Covered>::regions().to_vec();
    let twice = Coverage::new(&[regions[0], regions[0]], Criterion::Blocks);
    assert_eq!(twice.total(), Coverage::of::<Queue>(Criterion::Blocks).total());
}

mod renamed {
    pub use smallscope_cover as probes;

    #[probes::cover(pub static REGION, crate = crate::renamed::probes)]
    pub fn half(x: u32) -> u32 {
        x / 2
    }
}

#[test]
fn the_crate_may_have_another_name() {
    let mut coverage = Coverage::new(&[&renamed::REGION], Criterion::Blocks);
    assert_eq!(renamed::half(4), 2);
    assert_eq!(coverage.collect(), [0]);
}
