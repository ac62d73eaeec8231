//! The calls of each container, and contexts for experiments with mutants. These have the pools of the paper about call
//! sequences: two numbers, 0 and 100, two truth values, and one slot for a container; results go back into the pools.
//! The contexts in `registry` have other pools for the same calls.
//!
//! Items, keys, values, indices and lengths have one type, so that the result of a call can be passed to the next one.

/// Adds calls to a builder: how the container is passed, the name, the arguments, what becomes of the result, and the
/// call itself, which goes through a [`Style`].
macro_rules! calls {
    ($style:ident, $builder:expr, $container:ty;
     $($by:ident $name:ident($this:ident $(, $arg:ident: $pass:ident<$of:ty>)*) -> $keep:expr, $call:expr;)*) => {{
        let builder = $builder;
        $(
            let builder = builder.method(
                stringify!($name),
                ($by::<$container>(), $($pass::<$of>(),)*),
                $keep,
                move |($this, $($arg,)*)| $style.call(|| $call),
            );
        )*
        builder
    }};
}

pub(crate) mod collections;
pub(crate) mod maps;

use crate::mutation;
use smallscope_sequences::{Builder, Comparable, Context, Error, Into, Keep, Pool, into, value};

/// How calls are made, and what becomes of their results.
pub(crate) trait Style: Copy + Send + Sync + 'static {
    /// What becomes of a result.
    type Kept<T: Comparable>: Keep<T>;

    /// What becomes of a result.
    fn keep<T: Comparable>() -> Self::Kept<T>;

    /// Makes a call to a container.
    fn call<R>(self, call: impl FnOnce() -> R) -> R;
}

/// Results go back into the pools, and a mutant is active during calls; 0 means none.
#[derive(Clone, Copy)]
struct Mutated(u32);

impl Style for Mutated {
    type Kept<T: Comparable> = Into<T>;

    fn keep<T: Comparable>() -> Into<T> {
        into()
    }

    #[inline]
    fn call<R>(self, call: impl FnOnce() -> R) -> R {
        mutation::with(self.0, call)
    }
}

/// A container whose mutants can be active.
#[derive(Clone, Copy)]
pub struct MutatedContainer {
    /// The name of the type.
    pub name: &'static str,
    build: fn(Mutated) -> Builder,
}

impl MutatedContainer {
    /// The context in which a [mutant](crate::mutation) is active during calls; 0 means none.
    pub fn context(self, mutant: u32) -> Result<Context, Error> {
        (self.build)(Mutated(mutant)).build()
    }
}

/// All containers.
pub fn mutated_containers() -> [MutatedContainer; 11] {
    use crate::*;
    use collections::*;
    use maps::*;
    [
        MutatedContainer { name: "ArrayList", build: |s| array_list(s, pools::<ArrayList<usize>>("list")) },
        MutatedContainer { name: "Deque", build: |s| deque(s, pools::<Deque<usize>>("queue")) },
        MutatedContainer { name: "HashMap", build: |s| hash_map(s, pools::<HashMap<usize, usize>>("map")) },
        MutatedContainer { name: "HashSet", build: |s| hash_set(s, pools::<HashSet<usize>>("set")) },
        MutatedContainer { name: "IdentityMap", build: of_objects },
        MutatedContainer {
            name: "LinkedHashMap",
            build: |s| linked_hash_map(s, pools::<LinkedHashMap<usize, usize>>("map")),
        },
        MutatedContainer {
            name: "LinkedList",
            build: |s| linked_list(s, pools::<LinkedList<usize>>("list")),
        },
        MutatedContainer {
            name: "PriorityQueue",
            build: |s| priority_queue(s, pools::<PriorityQueue<usize>>("queue")),
        },
        MutatedContainer { name: "Stack", build: |s| stack(s, pools::<Stack<usize>>("stack")) },
        MutatedContainer { name: "TreeMap", build: |s| tree_map(s, pools::<TreeMap<usize, usize>>("map")) },
        MutatedContainer { name: "TreeSet", build: |s| tree_set(s, pools::<TreeSet<usize>>("set")) },
    ]
}

/// The keys are objects, which are numbered by the items.
fn of_objects(style: Mutated) -> Builder {
    let pools = pools::<crate::IdentityMap<u8, usize>>("map").pool(Pool::of([0u8, 100]));
    maps::identity_map::<_, u8>(style, pools)
        .function("object", (value::<usize>(),), into::<u8>(), |(number,)| number as u8)
        .written("{0} as u8")
}

/// The pools.
fn pools<T: 'static>(name: &str) -> Builder {
    Context::builder()
        .pool(Pool::<T>::empty(1).named(name))
        .pool(Pool::of([0usize, 100]))
        .pool(Pool::of([false, true]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallscope_sequences::{Runner, Strategy};

    #[test]
    fn every_container_agrees_with_itself_and_never_panics() {
        for container in mutated_containers() {
            let (ours, gold) = (container.context(0).unwrap(), container.context(0).unwrap());
            let strategy = Strategy::bobw(&ours, 200, 1).unwrap();
            let report = Runner::new(&ours, strategy).gold(&gold).max_tests(20).run().unwrap();
            assert_eq!((report.failing, report.counts.panics), (0, 0), "{}: {report}", container.name);
            // A call creates a container sooner or later, and then most calls can be made.
            assert!(report.counts.skipped < report.counts.calls / 2, "{}: {report}", container.name);
        }
    }

    #[test]
    fn calls_are_as_many_as_arguments_and_results_allow() {
        let calls = |name| {
            let container =
                mutated_containers().into_iter().find(|container| container.name == name).unwrap();
            container.context(0).unwrap().calls()
        };
        // new; push 2; pop 2; peek 2; search 2 * 2; iter; len 2; is_empty 2; clear.
        assert_eq!(calls("Stack"), 1 + 2 + 2 + 2 + 4 + 1 + 2 + 2 + 1);
        // new; insert, remove and contains 2 * 2 each; retain 2; iter; len 2; is_empty 2; clear.
        assert_eq!(calls("HashSet"), 1 + 3 * 4 + 2 + 1 + 2 + 2 + 1);
    }
}
