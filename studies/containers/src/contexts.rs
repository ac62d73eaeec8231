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

/// A mutant of the containers; nothing without the feature `mutate`.
#[derive(Debug, Clone, Copy)]
pub struct Mutant {
    #[cfg(feature = "mutate")]
    switch: smallscope::mutation::Switch,
}

#[cfg(feature = "mutate")]
impl Mutant {
    /// The mutant with an id.
    ///
    /// # Errors
    ///
    /// If no code has run that has such a mutant.
    pub fn of(id: &str) -> Result<Mutant, smallscope::mutation::UnknownMutant> {
        Ok(Mutant { switch: smallscope::mutation::Switch::of(id)? })
    }
}

/// More steps than any call takes on a correct container with a few thousand elements.
#[cfg(feature = "mutate")]
const MAX_STEPS: u64 = 20_000;

/// Results go back into the pools, and a mutant may be active during calls.
#[derive(Clone, Copy)]
struct Mutated(
    #[cfg_attr(not(feature = "mutate"), expect(dead_code, reason = "there are no mutants"))] Option<Mutant>,
);

impl Style for Mutated {
    type Kept<T: Comparable> = Into<T>;

    fn keep<T: Comparable>() -> Into<T> {
        into()
    }

    #[inline]
    fn call<R>(self, call: impl FnOnce() -> R) -> R {
        #[cfg(feature = "mutate")]
        if let Some(mutant) = self.0 {
            smallscope_support::mutation::begin_case(MAX_STEPS);
            return mutant.switch.run(call);
        }
        call()
    }
}

/// A container whose mutants can be active.
#[derive(Clone, Copy)]
pub struct Unit {
    /// The name of the type.
    pub name: &'static str,
    /// The files that its mutants are in.
    pub files: &'static [&'static str],
    /// Its source code.
    sources: &'static [&'static str],
    build: fn(Mutated) -> Builder,
}

impl Unit {
    /// The context in which a mutant is active during calls; none for the original.
    pub fn context(self, mutant: Option<Mutant>) -> Result<Context, Error> {
        (self.build)(Mutated(mutant)).build()
    }

    /// The lines of its source code, without comments and empty ones.
    pub fn lines(self) -> usize {
        let is_code = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
        self.sources.iter().map(|source| source.lines().filter(is_code).count()).sum()
    }
}

macro_rules! units {
    ($($name:ident in $($file:literal)+: $build:expr;)*) => {
        /// All containers: those of `java.util` in version 5, and a deque.
        pub fn units() -> Vec<Unit> {
            use crate::*;
            use collections::*;
            use maps::*;
            vec![$(
                Unit {
                    name: stringify!($name),
                    files: &[$($file),+],
                    sources: &[$(include_str!($file)),+],
                    build: $build,
                }
            ),*]
        }
    };
}

units! {
    ArrayList in "array_list.rs" "error.rs": |s| array_list(s, pools::<ArrayList<usize>>("list"));
    Deque in "deque.rs": |s| deque(s, pools::<Deque<usize>>("queue"));
    EnumMap in "enum_map.rs": |s| enum_map(s, pools::<EnumMap<bool, usize>>("map"));
    HashMap in "hash_map.rs" "hashing.rs": |s| hash_map(s, pools::<HashMap<usize, usize>>("map"));
    HashSet in "hash_set.rs": |s| hash_set(s, pools::<HashSet<usize>>("set"));
    Hashtable in "hashtable.rs": |s| hashtable(s, pools::<Hashtable<usize, usize>>("table"));
    IdentityMap in "identity_map.rs": of_objects;
    LinkedHashMap in "linked_hash_map.rs": |s| linked_hash_map(s, pools::<LinkedHashMap<usize, usize>>("map"));
    LinkedHashSet in "linked_hash_set.rs": |s| linked_hash_set(s, pools::<LinkedHashSet<usize>>("set"));
    LinkedList in "linked_list.rs": |s| linked_list(s, pools::<LinkedList<usize>>("list"));
    PriorityQueue in "priority_queue.rs": |s| priority_queue(s, pools::<PriorityQueue<usize>>("queue"));
    Properties in "properties.rs": |s| properties(s, pools::<Properties>("properties"));
    Stack in "stack.rs": |s| stack(s, pools::<Stack<usize>>("stack"));
    TreeMap in "tree_map.rs" "tree_map/balance.rs": |s| tree_map(s, pools::<TreeMap<usize, usize>>("map"));
    TreeSet in "tree_set.rs": |s| tree_set(s, pools::<TreeSet<usize>>("set"));
    Vector in "vector.rs": |s| vector(s, pools::<Vector<usize>>("vector"));
    WeakHashMap in "weak_hash_map.rs": |s| weak_hash_map(s, pools::<WeakHashMap<usize, usize>>("map"));
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
