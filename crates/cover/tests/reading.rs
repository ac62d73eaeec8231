//! How `Coverage` reads probes: predicates, threads, pauses.

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
    // Predicates that are not requested are not evaluated.
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
    // Targets that are known from others are not new here.
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

/// A table has no owner: what one coverage has collected is still new to another.
#[test]
fn several_coverages_look_at_the_same_tables() {
    for criterion in [Criterion::Blocks, Criterion::Predicates] {
        let mut first = Coverage::of::<Queue>(criterion);
        let mut queue = Queue { items: vec![] };
        queue.push(0);
        assert!(first.has_news() && first.collect().len() == 1);
        // From here on the tables are empty again.
        let mut second = Coverage::of::<Queue>(criterion);
        assert!(!first.has_news() && !second.has_news());
        Queue { items: vec![] }.push(0);
        assert!(!first.has_news() && first.collect().is_empty(), "known to the first one");
        assert!(second.has_news() && second.collect() == first.snapshot().since(&Queue::nothing()));
        // What one collects or checks is still new to the other.
        queue.push(9);
        assert!(first.has_news() && second.has_news());
        let new = first.collect().to_vec();
        assert!(!new.is_empty() && !first.has_news());
        assert_eq!(second.collect(), new);
        assert!(first.collect().is_empty() && second.collect().is_empty());
        // What one discards, both lose.
        queue.pop();
        first.discard();
        assert!(!first.has_news() && !second.has_news());
        queue.push(2);
        queue.pop();
        assert_eq!(first.collect(), second.collect());
        assert!(!first.collected().is_empty());
    }
}

impl Queue {
    /// A moment at which nothing is covered.
    fn nothing() -> smallscope_cover::Snapshot {
        Coverage::of::<Stack>(Criterion::Blocks).snapshot()
    }
}

struct Stack;

#[cover]
impl Stack {
    fn is_empty(&self) -> bool {
        true
    }
}

#[test]
fn what_was_reached_before_the_beginning_does_not_count_and_can_be_reached_again() {
    let mut queue = Queue { items: vec![] };
    queue.push(9);
    queue.pop();
    for criterion in [Criterion::Blocks, Criterion::Predicates, Criterion::Blocks] {
        let mut coverage = Coverage::of::<Queue>(criterion);
        assert!(!coverage.has_news() && coverage.collect().is_empty());
        queue.push(9);
        assert_eq!(coverage.collect().len(), 2);
        coverage.reset();
        assert!(coverage.collect().is_empty());
        queue.push(9);
        assert_eq!(coverage.collect().len(), 2);
        // Includes functions that were called since: each coverage sees entries anew.
        queue.pop();
        coverage.discard();
        assert!(!coverage.has_news());
        queue.push(2);
        queue.pop();
        assert_eq!(coverage.collect().len(), if criterion == Criterion::Blocks { 2 } else { 3 });
    }
    assert!(Stack.is_empty());
}

#[test]
fn nothing_is_lost_around_what_does_not_count() {
    for criterion in [Criterion::Blocks, Criterion::Predicates] {
        let mut coverage = Coverage::of::<Queue>(criterion);
        let mut queue = Queue { items: vec![1] };
        queue.push(1);
        let news = coverage.uncounted(|| {
            // Another coverage begins, reads and discards in the meantime.
            let mut inner = Coverage::of::<Queue>(criterion);
            queue.pop();
            let news = inner.collect().len();
            queue.push(9);
            inner.discard();
            (news, inner)
        });
        let (number, mut inner) = news;
        assert_eq!(number, 2);
        assert!(coverage.has_news() && inner.has_news(), "the first call is in the tables again");
        assert_eq!(coverage.collect().len(), 1);
        assert_eq!(inner.collect().len(), 1);
        queue.push(1);
        assert_eq!((coverage.collect(), inner.collect()), (&[][..], &[][..]));
        queue.pop();
        assert_eq!(coverage.collect().len(), 2);
        assert!(inner.collect().is_empty(), "known since it looked");
    }
}

/// A clone that does not begin on its thread still sees what the tables there hold.
#[test]
fn tables_of_another_thread_are_told_apart() {
    let mut coverage = Coverage::of::<Queue>(Criterion::Predicates);
    let mut queue = Queue { items: vec![] };
    queue.push(1);
    coverage.collect();
    let mut moved = coverage.clone();
    let found = std::thread::spawn(move || {
        let mut other = Coverage::of::<Queue>(Criterion::Predicates);
        let mut queue = Queue { items: vec![1] };
        queue.push(2);
        other.collect();
        (moved.has_news(), moved.collect().len())
    });
    assert_eq!(found.join().unwrap(), (true, 1));
    assert!(!coverage.has_news());
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

/// A function with predicates may contain all kinds of code, although one of its two versions is a closure.
mod versions {
    use smallscope_cover::{Coverage, Criterion, cover};
    use std::sync::atomic::{AtomicU32, Ordering};

    struct Buffer {
        items: Vec<String>,
    }

    #[cover(predicates(self.items.is_empty()))]
    impl Buffer {
        /// Lends its content, and moves its arguments.
        fn push_and_get<'a>(
            &'a mut self,
            item: String,
            mut also: Vec<String>,
        ) -> Result<&'a mut String, String> {
            also.push(item);
            let first = also.first().ok_or("nothing")?.clone();
            if first == "stop" {
                return Err(first);
            }
            'outer: for item in also {
                let mut rounds = 0;
                loop {
                    if item.is_empty() {
                        continue 'outer;
                    }
                    if rounds == 1 {
                        self.items.push(item);
                        break;
                    }
                    rounds += 1;
                }
            }
            self.items.last_mut().ok_or_else(|| "empty".into())
        }

        fn into_longest(mut self) -> Option<String> {
            self.items.sort_by_key(String::len);
            self.items.pop()
        }

        /// Would be counted in two places if it were compiled twice.
        fn count(&self) -> u32 {
            static COUNT: AtomicU32 = AtomicU32::new(0);
            COUNT.fetch_add(1, Ordering::Relaxed)
        }

        fn lengths(&self) -> impl Iterator<Item = usize> + '_ {
            self.items.iter().map(|item| item.len())
        }
    }

    fn run() -> (String, Option<String>, Vec<usize>, u32) {
        let mut buffer = Buffer { items: vec![] };
        let first = buffer.count();
        buffer.push_and_get("bb".into(), vec!["a".into()]).unwrap().push('!');
        let error = buffer.push_and_get("c".into(), vec!["stop".into()]).unwrap_err();
        let lengths = buffer.lengths().collect();
        let count = buffer.count() - first;
        (error, buffer.into_longest(), lengths, count)
    }

    #[test]
    fn both_versions_do_the_same() {
        let expected = ("stop".to_owned(), Some("bb!".to_owned()), vec![1, 3], 1);
        let mut blocks = Coverage::of::<Buffer>(Criterion::Blocks);
        assert_eq!(run(), expected);
        blocks.collect();
        let mut combinations = Coverage::of::<Buffer>(Criterion::Predicates);
        assert_eq!(run(), expected);
        combinations.collect();
        // The same blocks, in one situation or both.
        let of_blocks = |coverage: &Coverage| -> Vec<(String, u32)> {
            let covered = coverage.targets().iter().enumerate().filter(|(i, _)| coverage.is_covered(*i));
            let mut blocks: Vec<_> =
                covered.map(|(_, target)| (target.block.function.to_owned(), target.block.line)).collect();
            blocks.dedup();
            blocks
        };
        assert_eq!(of_blocks(&combinations), of_blocks(&blocks));
        assert!(combinations.covered() > blocks.covered());
        let missing: Vec<&str> = blocks.uncovered().map(|target| target.block.text).collect();
        assert_eq!(missing, ["if item.is_empty()", "||"], "{blocks}");
    }
}

/// Builds a program with the compiler's instrumentation, which reads its own counters.
#[test]
fn counters_of_the_compiler() {
    use std::process::Command;
    let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("instrumented");
    std::fs::create_dir_all(&directory).unwrap();
    let sources = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let build = |file: &str, arguments: &[&str]| {
        Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
            .args(["--edition", "2024", "-L", "."])
            .args(arguments)
            .arg(sources.join(file))
            .current_dir(&directory)
            .output()
            .expect("rustc can be run")
    };
    let library = build("src/llvm.rs", &["--crate-type", "rlib", "--cfg", "smallscope_llvm"]);
    assert!(library.status.success(), "{}", String::from_utf8_lossy(&library.stderr));
    let built = build("tests/instrumented/classify.rs", &["--extern", "llvm", "-C", "instrument-coverage"]);
    let errors = String::from_utf8_lossy(&built.stderr);
    if errors.contains("profiler_builtins") {
        eprintln!(
            "SKIPPED: this compiler comes without its profiling runtime, so counters cannot be read\n{errors}"
        );
        return;
    }
    assert!(built.status.success(), "{errors}");
    let run =
        Command::new(directory.join("classify")).env("LLVM_PROFILE_FILE", "/dev/null").output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(String::from_utf8_lossy(&run.stdout).contains(" counters"));
    // And this build has none.
    let error = smallscope_cover::LlvmCounters::new().unwrap_err().to_string();
    assert!(error.contains("-C instrument-coverage --cfg smallscope_llvm"), "{error}");
}
