//! Contexts: the methods that tests call, and a pool of values for each type.

mod argument;
mod builder;
pub mod checked;
mod error;
mod keep;
mod parameter;
mod pool;
#[cfg(feature = "cover")]
mod regions;
mod space;
mod values;

pub use argument::{
    Argument, Arguments, ByMut, ByRef, Copied, Mode, Moved, Value, by_mut, by_ref, moved, value,
};
pub use builder::{Api, Builder, Plain, WithoutName};
pub use error::Error;
pub use keep::{
    Comparable, Fallible, Found, Into, Keep, Nothing, Optional, Seen, fallible, found, into, nothing,
    optional, seen,
};
#[doc(hidden)]
pub use parameter::{Of, refuse_call};
pub use pool::Pool;
pub use values::{Place, Reply, Values};

pub(crate) use pool::{Means, PoolEntry, short_name};
pub(crate) use values::Attention;

use std::any::TypeId;
use std::fmt;

use crate::explore::changing_pools;
use crate::run::{Assertion, Panics};

/// The number of a distinct call: a method together with a choice of slots for everything that it takes and returns.
pub type CallId = u32;

/// The maximum number of arguments and results of a call.
pub(crate) const MAX_PLACES: usize = 8;

/// The alphabet of tests: methods, and a pool of values for each type.
///
/// A context says which methods are called, which values they can get, and where results go. Everything else
/// is counting: see [`Context::calls`].
///
/// ```
/// use smallscope_sequences::{Context, Pool, by_mut, into, optional, value};
///
/// let context = Context::builder()
///     .pool(Pool::<Vec<u8>>::empty(1).named("v").cloned().hashed().shown())
///     .pool(Pool::of([0u8, 1]))
///     .function("Vec::new", (), into(), |()| Vec::<u8>::new())
///     .method("push", (by_mut::<Vec<u8>>(), value::<u8>()), smallscope_sequences::nothing(), |(v, x)| v.push(x))
///     .method("pop", (by_mut::<Vec<u8>>(),), optional(into::<u8>()), |(v,)| v.pop())
///     .build()?;
///
/// // One way to make a vector, two to push, two places for what is popped.
/// assert_eq!(context.calls(), 5);
/// # Ok::<(), smallscope_sequences::Error>(())
/// ```
pub struct Context {
    pub(crate) pools: Vec<PoolEntry>,
    pub(crate) methods: Box<[Method]>,
    pub(crate) calls: u32,
    /// The methods and places of all calls, if there are not too many. Boxed slices, because indexing them is not a call in
    /// a debug build.
    rows: Box<[Row]>,
    /// Calls that end the process, which are not made.
    avoided: Avoided,
    /// What a panic means, unless a run overrides it.
    pub(crate) panics: Panics,
    /// The reference implementation, unless a run has another one.
    pub(crate) gold: Option<Box<Context>>,
    /// What must hold after each call, in addition to the run's assertions.
    pub(crate) assertions: Vec<Box<Assertion>>,
    /// The code that calls are to cover.
    #[cfg(feature = "cover")]
    pub(crate) regions: Vec<&'static smallscope_cover::Region>,
}

/// Calls that are not made, because they end the process.
#[derive(Debug, Default)]
struct Avoided {
    /// Sequences whose last call ends it, after the others.
    sequences: Vec<Vec<CallId>>,
    /// Calls that end it after many sequences.
    calls: Vec<CallId>,
    is_any: bool,
}

struct Row {
    method: usize,
    places: Box<[Place]>,
}

/// A method or function.
pub(crate) struct Method {
    pub name: String,
    pub kind: Kind,
    /// The function's arguments, in its own order: for a method, the receiver first.
    pub params: Vec<Param>,
    /// The pool of the result, and how many times it has to be unpacked.
    pub result: Option<u32>,
    pub unpacked: usize,
    /// The call as Rust source, if not by its name.
    pub source: Option<String>,
    /// What follows the call in Rust source if its result is used.
    pub suffix: String,
    /// How often it occurs in random sequences, if that was given.
    pub weight: Option<u32>,
    pub run: Run,
    /// The first of its calls, and how many there are.
    pub first: u32,
    pub calls: u32,
    /// Positions of `places`, in the order in which the index counts them: arguments, receiver, result.
    pub order: Vec<usize>,
}

pub(crate) type Run = Box<dyn Fn(&mut Values, &[Place]) -> Reply + Send + Sync>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Function,
    Method,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Param {
    pub pool: u32,
    pub mode: Mode,
}

impl Param {
    /// Whether the argument can be changed by a call, if its pool is frozen or not.
    pub(crate) fn can_change(self, is_frozen: bool) -> bool {
        match self.mode {
            Mode::Value => false,
            Mode::Ref => !is_frozen,
            Mode::Moved | Mode::Mut => true,
        }
    }
}

/// A call with its places.
#[derive(Clone, Copy)]
pub(crate) struct Decoded {
    pub method: usize,
    pub len: usize,
    pub places: [Place; MAX_PLACES],
}

impl Decoded {
    pub(crate) fn places(&self) -> &[Place] {
        &self.places[..self.len]
    }
}

/// With more calls, places are computed for each call.
const MAX_TABLE: u32 = 1 << 18;

impl Context {
    /// Starts a builder.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The number of distinct calls, *j* in the literature: the sum over all methods of the product of the sizes of the
    /// pools of everything that it takes and returns.
    pub fn calls(&self) -> u64 {
        u64::from(self.calls)
    }

    /// The names of the methods, in the order in which they were added.
    pub fn methods(&self) -> impl Iterator<Item = &str> {
        self.methods.iter().map(|method| &*method.name)
    }

    /// The number of distinct calls of a method.
    pub fn calls_of(&self, method: &str) -> Option<u64> {
        self.methods.iter().find(|m| m.name == method).map(|m| u64::from(m.calls))
    }

    /// Returns new pools that hold the initial values.
    pub fn initial_values(&self) -> Values {
        Values::new(self.pools.iter().map(|pool| (pool.make)()).collect())
    }

    /// Makes a call. A panic of the called function is caught.
    ///
    /// # Panics
    ///
    /// If the number of the call is not below [`Context::calls`], or the values belong to another context.
    #[inline]
    pub fn call(&self, call: CallId, values: &mut Values) -> Reply {
        if values.attention.results || values.attention.texts {
            values.result.clear();
            values.text.clear();
        }
        if (call as usize) < self.rows.len() {
            let row = &self.rows[call as usize];
            return (*self.methods[row.method].run)(values, &row.places);
        }
        let decoded = self.compute(call);
        (*self.methods[decoded.method].run)(values, decoded.places())
    }

    /// Does not make the last call of a sequence after the others: it ends the process. What is run is not exhaustive then.
    #[doc(hidden)]
    pub fn avoid(&mut self, sequence: &[CallId]) {
        self.avoided.sequences.push(sequence.to_vec());
        self.avoided.is_any = true;
    }

    /// Does not make a call at all.
    #[doc(hidden)]
    pub fn avoid_call(&mut self, call: CallId) {
        self.avoided.calls.push(call);
        self.avoided.is_any = true;
    }

    /// Whether some calls are not made.
    #[inline(always)]
    pub(crate) fn is_avoiding(&self) -> bool {
        self.avoided.is_any
    }

    /// Whether a call after a path is not made.
    #[cold]
    #[doc(hidden)]
    pub fn avoids(&self, path: &[CallId], call: CallId) -> bool {
        let is_sequence = |known: &Vec<CallId>| {
            known.split_last().is_some_and(|(last, before)| *last == call && before == path)
        };
        self.avoided.calls.contains(&call) || self.avoided.sequences.iter().any(is_sequence)
    }

    /// The places of a call.
    pub(crate) fn decode(&self, call: CallId) -> Decoded {
        match self.rows.get(call as usize) {
            None => self.compute(call),
            Some(row) => {
                let mut places = [Place::default(); MAX_PLACES];
                let len = row.places.len();
                places[..len].copy_from_slice(&row.places);
                Decoded { method: row.method, len, places }
            }
        }
    }

    /// The method of a call.
    pub fn method_of(&self, call: CallId) -> usize {
        self.rows.get(call as usize).map_or_else(|| self.compute(call).method, |row| row.method)
    }

    /// Whether calls of a method can change what is in a pool.
    pub(crate) fn can_change(&self, method: &Method) -> bool {
        method.result.is_some()
            || method.params.iter().any(|param| param.can_change(self.pools[param.pool as usize].is_frozen))
    }

    /// The number of a call, from its places in the order of the function's arguments.
    pub(crate) fn encode(&self, method: usize, places: &[Place]) -> CallId {
        let method = &self.methods[method];
        let digits = method.order.iter().rev().map(|&i| places[i]);
        let index =
            digits.fold(0, |index, place| index * self.pools[place.pool as usize].size as u32 + place.slot);
        method.first + index
    }

    fn compute(&self, call: CallId) -> Decoded {
        assert!(
            call < self.calls,
            "there is no call {call}: distinct calls are numbered from 0 to {} - 1",
            self.calls
        );
        let method = self.methods.partition_point(|m| m.first <= call) - 1;
        let m = &self.methods[method];
        let mut rest = call - m.first;
        let mut places = [Place::default(); MAX_PLACES];
        for &position in &m.order {
            let pool = m.pool_at(position);
            let size = self.pools[pool as usize].size as u32;
            places[position] = Place { pool, slot: rest % size };
            rest /= size;
        }
        Decoded { method, len: m.order.len(), places }
    }

    pub(crate) fn make_table(&mut self) {
        if self.calls > MAX_TABLE {
            return;
        }
        let row = |call| {
            let decoded = self.compute(call);
            Row { method: decoded.method, places: decoded.places().into() }
        };
        self.rows = (0..self.calls).map(row).collect();
    }

    /// Returns the code that calls cover: see [`Builder::covers`]. With the feature `cover`.
    #[cfg(feature = "cover")]
    pub fn regions(&self) -> &[&'static smallscope_cover::Region] {
        &self.regions
    }

    /// The number of slots of the pool of a type; none if it has no pool.
    pub fn slots_of<T: 'static>(&self) -> Option<usize> {
        let pool = self.pools.iter().find(|pool| pool.type_id == TypeId::of::<T>());
        pool.map(|pool| pool.size)
    }

    /// Whether states can be compared: the values of all pools that calls can change.
    pub fn is_comparable(&self) -> bool {
        changing_pools(self).is_some() && self.gold.as_ref().is_none_or(|gold| gold.is_comparable())
    }

    /// Whether all values can be cloned.
    pub fn is_cloneable(&self) -> bool {
        self.pools.iter().all(|pool| pool.is_cloneable)
    }
}

impl Method {
    /// Whether it makes a value of a pool that is empty at first, out of initial values.
    pub(crate) fn makes(&self, context: &Context) -> bool {
        let is_initial = |pool: u32| context.pools[pool as usize].initial > 0;
        self.kind == Kind::Function
            && self.result.is_some_and(|pool| !is_initial(pool))
            && self.params.iter().all(|param| is_initial(param.pool))
    }

    pub(crate) fn pool_at(&self, position: usize) -> u32 {
        self.params.get(position).map(|param| param.pool).or(self.result).expect("smallscope internal error")
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pools = self.pools.iter().map(|p| format!("{}[{}]", short_name(p.type_name), p.size));
        f.debug_struct("Context")
            .field("pools", &pools.collect::<Vec<_>>())
            .field("methods", &self.methods().collect::<Vec<_>>())
            .field("calls", &self.calls)
            .finish()
    }
}
