//! Types that panic or do not return outside of calls: in clones, in destructors, in linearizations.

use std::time::Duration;

use smallscope_sequences::{
    Builder, Cluster, Context, Explorer, Fault, Linearize, Pool, Pulse, Sink, Stop, by_mut, into, nothing,
    value,
};

/// What happens to a list when something is done with it.
type Trap = fn(&List, Deed);

#[derive(Clone, Copy, PartialEq)]
enum Deed {
    Clone,
    Drop,
    Write,
}

struct List {
    items: Vec<u8>,
    trap: Trap,
}

impl Clone for List {
    fn clone(&self) -> List {
        (self.trap)(self, Deed::Clone);
        List { items: self.items.clone(), trap: self.trap }
    }
}

impl Drop for List {
    fn drop(&mut self) {
        (self.trap)(self, Deed::Drop);
    }
}

impl Linearize for List {
    fn linearize_as(&self, field: &str, sink: &mut Sink) {
        (self.trap)(self, Deed::Write);
        self.items.linearize_as(field, sink);
    }
}

const FEWEST: &str = "list[0] = List::new(); list[0].push(u8_[1]); list[0].push(u8_[0])";

fn lists(pool: Pool<List>, trap: Trap) -> Builder {
    Context::builder()
        .pool(pool.linearized())
        .pool(Pool::of([0u8, 1]))
        .function("List::new", (), into(), move |()| List { items: vec![], trap })
        .method("push", (by_mut::<List>(), value::<u8>()), nothing(), |(list, x)| list.items.push(x))
        .method("pop", (by_mut::<List>(),), nothing(), |(list,)| {
            list.items.pop();
        })
}

fn copied(trap: Trap) -> Context {
    lists(Pool::empty(1).cloned(), trap).build().unwrap()
}

fn replayed(trap: Trap) -> Context {
    lists(Pool::empty(1), trap).build().unwrap()
}

fn is_it(list: &List) -> bool {
    list.items == [1, 0]
}

fn only(clusters: &[Cluster]) -> &Cluster {
    let [cluster] = clusters else { panic!("{clusters:?}") };
    cluster
}

#[test]
fn panics_of_destructors_belong_to_the_calls_before_them() {
    let trap: Trap = |list, deed| assert!(!(deed == Deed::Drop && is_it(list)), "dropped");
    for context in [copied(trap), replayed(trap)] {
        for threads in [1, 3] {
            for (depth_first, goes_on) in [(false, false), (false, true), (true, false)] {
                let mut explorer = Explorer::new(&context).max_length(5).threads(threads);
                if depth_first {
                    explorer = explorer.depth_first();
                }
                if goes_on {
                    explorer = explorer.keep_going();
                }
                let found = explorer.explore().unwrap();
                assert_eq!(found.stop, if goes_on { Stop::Failures } else { Stop::FirstFailure });
                // `pop` fails as well, where a third number has gone through a state that nothing is tried in: it has not.
                let first = &only(&found.clusters).first;
                assert_eq!(first.shrunk.to_line(&context), FEWEST, "{threads} threads");
                assert!(matches!(&first.fault, Fault::Panic(panic) if panic.message == "dropped"), "{first}");
            }
        }
    }
}

#[test]
fn states_that_cannot_be_written_or_cloned_are_failures_with_a_message() {
    let written: Trap = |list, deed| assert!(!(deed == Deed::Write && is_it(list)), "not this one");
    let cloned: Trap = |list, deed| assert!(!(deed == Deed::Clone && is_it(list)), "not this one");
    for context in [copied(written), replayed(written), copied(cloned)] {
        for threads in [1, 3] {
            let explorer = Explorer::new(&context).max_length(5).threads(threads);
            let found = explorer.keep_going().explore().unwrap();
            let first = &only(&found.clusters).first;
            assert_eq!(first.test.to_line(&context), FEWEST);
            let words = "cloning or comparing the state panicked: not this one (at ";
            assert!(first.fault.to_string().starts_with(words), "{first}");
        }
    }
}

fn wait() {
    std::thread::sleep(Duration::from_secs(3600));
}

fn stuck(context: Context, set: for<'a> fn(Explorer<'a>) -> Explorer<'a>) -> String {
    let context: &'static Context = Box::leak(Box::new(context));
    let explore =
        move |pulse: &Pulse| set(Explorer::new(context)).max_length(4).pulse(pulse).explore().map(|_| ());
    let (stuck, _) = Pulse::watch(Duration::from_millis(300), explore, || {}).unwrap().unwrap_err();
    stuck.to_line(context)
}

#[test]
fn what_does_not_return_belongs_to_the_calls_before_it() {
    let traps: [Trap; 3] = [
        |list, deed| {
            if deed == Deed::Clone && is_it(list) {
                wait();
            }
        },
        |list, deed| {
            if deed == Deed::Drop && is_it(list) {
                wait();
            }
        },
        |list, deed| {
            if deed == Deed::Write && is_it(list) {
                wait();
            }
        },
    ];
    for (number, trap) in traps.into_iter().enumerate() {
        assert_eq!(stuck(copied(trap), |e| e), FEWEST, "trap {number}");
        assert_eq!(stuck(copied(trap), |e| e.threads(2)), FEWEST, "trap {number}");
        assert_eq!(stuck(copied(trap), |e| e.depth_first()), FEWEST, "trap {number}");
        if number > 0 {
            assert_eq!(stuck(replayed(trap), |e| e), FEWEST, "trap {number}");
        }
    }
}

#[test]
fn many_slow_calls_are_not_one_that_does_not_return() {
    let context = Context::builder()
        .pool(Pool::empty(1).and_made_by(|| 0u8).named("n").hashed())
        .method("add", (by_mut::<u8>(),), nothing(), |(n,)| {
            std::thread::sleep(Duration::from_millis(60));
            *n += 1;
        })
        .build()
        .unwrap();
    let explore = move |pulse: &Pulse| Explorer::new(&context).max_length(10).pulse(pulse).explore();
    let found = Pulse::watch(Duration::from_millis(400), explore, || {}).unwrap();
    assert_eq!(found.expect("all calls return").unwrap().states, 11);
}
