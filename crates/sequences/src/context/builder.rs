//! Builds contexts and checks them.

use std::any::TypeId;
use std::fmt::Debug;
use std::hash::Hash;

use smallscope_support::panics;

use super::argument::{Arguments, Wanted};
use super::keep::{Keep, Kept};
use super::parameter::{Of, is_refused};
use super::pool::{Pool, short_name};
use super::values::{Place, Reply, Values};
use super::{Context, Error, Kind, MAX_PLACES, Method, Param, PoolEntry, Run};
use crate::run::{Assertion, Panics, check_gold};

/// Builds a [`Context`].
#[derive(Default)]
pub struct Builder {
    pools: Vec<PoolEntry>,
    entries: Vec<Entry>,
    panics: Panics,
    gold: Option<Box<Builder>>,
    assertions: Vec<Box<Assertion>>,
    #[cfg(feature = "cover")]
    pub(super) regions: Vec<&'static smallscope_cover::Region>,
}

struct Entry {
    name: String,
    kind: Kind,
    wanted: Vec<Wanted>,
    kept: Kept,
    source: Option<String>,
    suffix: String,
    weight: Option<u32>,
    run: Run,
}

/// A type whose methods can be called: implemented by `#[api]` on an impl block. Of a type's blocks, one has no name; the
/// others have one, `#[api(name = Queries)]`, and are added with [`Builder::api_block`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no methods to call: write `#[smallscope::api]` above an impl block that has them",
    label = "no impl block of this type has `#[api]`",
    note = "blocks with a name are added by `.api_block::<Type, Name>()`"
)]
pub trait Api<Block> {
    /// Adds the methods to a context.
    fn add_to(builder: Builder) -> Builder;
}

/// The `#[api]` block of a type that has no name. There is only one; name the others: `#[api(name = Queries)]`.
pub type WithoutName = a_second_block_must_have_a_name_so_write_api_name_Queries;

/// The compiler prints this name if two blocks have no name.
#[doc(hidden)]
#[expect(non_camel_case_types, reason = "it is a message")]
#[derive(Debug)]
pub enum a_second_block_must_have_a_name_so_write_api_name_Queries {}

/// What a block with `#[api]` requires of a type parameter. Implemented for all types that satisfy it.
pub trait Plain: Clone + Hash + Debug + 'static {}

impl<T: Clone + Hash + Debug + 'static> Plain for T {}

impl Builder {
    /// Adds the pool of a type.
    pub fn pool<T: 'static>(mut self, pool: Pool<T>) -> Builder {
        self.pools.push(pool.into_entry());
        self
    }

    /// Adds a function or a constructor: its name as it is written in Rust, its arguments, what becomes of the result,
    /// and the function, which gets its arguments as one tuple.
    pub fn function<A, K, F, R>(self, name: &str, arguments: A, keep: K, function: F) -> Builder
    where
        A: Arguments,
        K: Keep<R>,
        F: for<'a> Fn(A::Lent<'a>) -> R + Send + Sync + 'static,
        R: 'static,
    {
        self.entry(Kind::Function, name, arguments, keep, function)
    }

    /// Adds a method: its first argument is the receiver.
    pub fn method<A, K, F, R>(self, name: &str, arguments: A, keep: K, function: F) -> Builder
    where
        A: Arguments,
        K: Keep<R>,
        F: for<'a> Fn(A::Lent<'a>) -> R + Send + Sync + 'static,
        R: 'static,
    {
        self.entry(Kind::Method, name, arguments, keep, function)
    }

    /// How the last call that was added is written in Rust: `{0}`, `{1}` and so on stand for its arguments, those by
    /// reference without a `&`. For closures that do not call a method of this name.
    ///
    /// ```
    /// # use smallscope_sequences::{Context, Pool, into, value};
    /// # let builder = Context::builder().pool(Pool::of([0u8, 1]));
    /// builder.function("next", (value::<u8>(),), into(), |(x,)| x.wrapping_add(1)).written("{0}.wrapping_add(1)");
    /// ```
    pub fn written(mut self, source: &str) -> Builder {
        if let Some(last) = self.entries.last_mut() {
            last.source = Some(source.to_owned());
        }
        self
    }

    /// What follows the last call that was added, in Rust source, to make its result a value, such as `.cloned()`.
    pub fn followed_by(mut self, suffix: &str) -> Builder {
        if let Some(last) = self.entries.last_mut() {
            last.suffix = suffix.to_owned();
        }
        self
    }

    /// Adds the methods of a type with `#[api]`.
    pub fn api<T: Api<WithoutName>>(self) -> Builder {
        T::add_to(self)
    }

    /// Adds the methods of a block with a name, `#[api(name = Queries)]`.
    ///
    /// ```
    /// use smallscope_sequences::{Context, Pool, api};
    ///
    /// pub struct Bag<T>(Vec<T>);
    ///
    /// #[api(crate = smallscope_sequences)]
    /// impl<T> Bag<T> {
    ///     pub fn new() -> Self { Bag(vec![]) }
    ///     pub fn add(&mut self, item: T) { self.0.push(item) }
    /// }
    ///
    /// #[api(name = Queries, crate = smallscope_sequences)]
    /// impl<T: PartialEq> Bag<T> {
    ///     pub fn contains(&self, item: &T) -> bool { self.0.contains(item) }
    /// }
    ///
    /// let context = Context::builder()
    ///     .pool(Pool::<Bag<u8>>::empty(1))
    ///     .pool(Pool::of([0u8, 1]))
    ///     .api::<Bag<u8>>()
    ///     .api_block::<Bag<u8>, Queries>()
    ///     .build()?;
    /// assert_eq!(context.methods().collect::<Vec<_>>(), ["Bag::new", "add", "contains"]);
    /// # Ok::<(), smallscope_sequences::Error>(())
    /// ```
    pub fn api_block<T: Api<Block>, Block>(self) -> Builder {
        T::add_to(self)
    }

    /// Adds a reference implementation or a model: the same calls in the same order, run in lockstep. Calls must end in
    /// the same way and return equal results; a panic is not a failure if both panic.
    ///
    /// ```
    /// use smallscope_sequences::{Context, Pool, Runner, Strategy, by_mut, nothing, seen, value};
    /// use std::collections::{BTreeSet, HashSet};
    ///
    /// macro_rules! calls {
    ///     ($set:ty) => {
    ///         Context::builder()
    ///             .pool(Pool::empty(1).and_made_by(<$set>::new).named("set"))
    ///             .pool(Pool::of([1u8, 2]))
    ///             .method("insert", (by_mut::<$set>(), value::<u8>()), seen(), |(s, x)| s.insert(x))
    ///             .method("len", (by_mut::<$set>(),), seen(), |(s,)| s.len())
    ///     };
    /// }
    ///
    /// let context = calls!(BTreeSet<u8>).gold(calls!(HashSet<u8>)).build()?;
    /// let report = Runner::new(&context, Strategy::be(&context, 5)?).run()?;
    /// assert!(report.stop.is_exhausted() && report.clusters.is_empty());
    /// # Ok::<(), smallscope_sequences::Error>(())
    /// ```
    pub fn gold(mut self, gold: Builder) -> Builder {
        self.gold = Some(Box::new(gold));
        self
    }

    /// Adds a condition that must hold after each call.
    pub fn assert(
        mut self,
        assertion: impl Fn(&Values) -> Result<(), String> + Send + Sync + 'static,
    ) -> Builder {
        self.assertions.push(Box::new(assertion));
        self
    }

    /// Sets what a panic means.
    pub fn panics(mut self, panics: Panics) -> Builder {
        self.panics = panics;
        self
    }

    /// The last call that was added is made only if the slot of its result is empty. For constructors: without it, a
    /// sequence makes the same value again and again.
    ///
    /// ```
    /// # use smallscope_sequences::{Context, Pool, Reply, into};
    /// let context = Context::builder()
    ///     .pool(Pool::<Vec<u8>>::empty(1))
    ///     .function("Vec::new", (), into(), |()| Vec::<u8>::new())
    ///     .into_empty()
    ///     .build()?;
    /// let mut values = context.initial_values();
    /// assert_eq!(context.call(0, &mut values), Reply::Stored);
    /// assert_eq!(context.call(0, &mut values), Reply::Skipped);
    /// # Ok::<(), smallscope_sequences::Error>(())
    /// ```
    pub fn into_empty(mut self) -> Builder {
        if let Some(last) = self.entries.last_mut() {
            let arguments = last.wanted.len();
            let run = std::mem::replace(&mut last.run, Box::new(|_, _| Reply::Skipped));
            last.run = Box::new(move |values, places| match places.get(arguments) {
                Some(place) if values.is_filled(*place) => Reply::Skipped,
                _ => run(values, places),
            });
        }
        self
    }

    /// The same if the last call that was added makes values of a type: for all constructors of a block with
    /// `#[api(into_empty)]`.
    #[doc(hidden)]
    pub fn into_empty_if_makes<T: 'static>(self) -> Builder {
        let made = self.entries.last().and_then(|last| last.kept.pool);
        match made.is_some_and(|(made, _)| made == TypeId::of::<T>()) {
            true => self.into_empty(),
            false => self,
        }
    }

    /// How often the last call that was added occurs in random sequences, beside others: 1 is usual.
    ///
    /// ```
    /// # use smallscope_sequences::{Context, Pool, Strategy, nothing, value};
    /// let context = Context::builder()
    ///     .pool(Pool::of([0u8]))
    ///     .function("rare", (value::<u8>(),), nothing(), |_| ())
    ///     .function("frequent", (value::<u8>(),), nothing(), |_| ())
    ///     .weight(9)
    ///     .build()?;
    /// let tests = Strategy::random_paths(&context, 100, 1, 0)?;
    /// let rare = tests.tests().flat_map(|test| test.calls().to_vec()).filter(|call| *call == 0).count();
    /// assert!((2..25).contains(&rare), "about ten of a hundred calls, and these are {rare}");
    /// # Ok::<(), smallscope_sequences::Error>(())
    /// ```
    pub fn weight(mut self, weight: u32) -> Builder {
        if let Some(last) = self.entries.last_mut() {
            last.weight = Some(weight);
        }
        self
    }

    /// Adds the pool of a parameter, unless it has one: `#[api(pool(key = 0..3))]`.
    #[doc(hidden)]
    pub fn parameter<const PARAMETER: u64, T>(
        self,
        name: &str,
        values: impl IntoIterator<Item = T>,
    ) -> Builder
    where
        T: Clone + Debug + Send + Sync + 'static,
    {
        let type_id = TypeId::of::<Of<PARAMETER, T>>();
        if self.pools.iter().any(|pool| pool.type_id == type_id) {
            return self;
        }
        let values = values.into_iter().map(Of::<PARAMETER, T>);
        let pool = values.fold(Pool::empty(0), Pool::and);
        self.pool(pool.cloned().debugged().frozen().named(name).of_type::<T>())
    }

    fn entry<A, K, F, R>(mut self, kind: Kind, name: &str, _: A, _: K, function: F) -> Builder
    where
        A: Arguments,
        K: Keep<R>,
        F: for<'a> Fn(A::Lent<'a>) -> R + Send + Sync + 'static,
        R: 'static,
    {
        let wanted = A::wanted();
        let arguments = wanted.len();
        let run: Run = Box::new(move |values: &mut Values, places: &[Place]| {
            let mut held = A::take(values, places);
            if !A::is_complete(&held, values, places) {
                A::give_back(&mut held, values, places);
                return Reply::Skipped;
            }
            let result = {
                let values = &*values;
                // By reference, because a debug build would copy what the closure captures at each step on its way.
                panics::catch_silenced(&mut || function(A::lend(&mut held, values, places)))
            };
            A::give_back(&mut held, values, places);
            match result {
                Ok(result) => {
                    let place = if arguments < places.len() { Some(places[arguments]) } else { None };
                    K::keep(result, values, place)
                }
                Err(panic) if is_refused(&panic.message) => Reply::Skipped,
                Err(panic) => {
                    values.text = panic.message;
                    values.place = panic.place;
                    Reply::Panicked
                }
            }
        });
        self.entries.push(Entry {
            name: name.to_owned(),
            kind,
            wanted,
            kept: K::kept(),
            source: None,
            suffix: String::new(),
            weight: None,
            run,
        });
        self
    }

    /// The context, or what is wrong with it.
    pub fn build(self) -> Result<Context, Error> {
        let Builder {
            mut pools,
            entries,
            panics,
            gold,
            assertions,
            #[cfg(feature = "cover")]
            regions,
        } = self;
        check_pools(&pools)?;
        tell_variables_apart(&mut pools);
        let mut methods = vec![];
        let mut first = 0u32;
        for entry in entries {
            let method = link(entry, &pools, first)?;
            if methods.iter().any(|other: &Method| other.name == method.name) {
                return Err(Error::TwoCalls { call: method.name });
            }
            first = first.checked_add(method.calls).ok_or(Error::TooManyCalls)?;
            methods.push(method);
        }
        if methods.is_empty() {
            return Err(Error::NoCalls);
        }
        check_constructors(&pools, &methods)?;
        let gold = gold.map(|gold| gold.build().map(Box::new)).transpose()?;
        let mut context = Context {
            pools,
            methods: methods.into_boxed_slice(),
            calls: first,
            rows: Box::default(),
            avoided: Default::default(),
            panics,
            gold,
            assertions,
            #[cfg(feature = "cover")]
            regions,
        };
        context.make_table();
        if let Some(gold) = &context.gold {
            check_gold(&context, gold)?;
        }
        Ok(context)
    }
}

/// Gives each pool its own variable name. Pools of `Vec<u8>` and of `Vec<bool>` would both be `vec`: the second one is
/// `vec_b`. Numbers are for slots.
fn tell_variables_apart(pools: &mut [PoolEntry]) {
    for i in 1..pools.len() {
        let (known, rest) = pools.split_at_mut(i);
        let is_known = |name: &str| known.iter().any(|pool| pool.variable == name);
        if is_known(&rest[0].variable) {
            let name = rest[0].variable.trim_end_matches('_').to_owned();
            let mut others = ('b'..='z').map(|letter| format!("{name}_{letter}"));
            if let Some(free) = others.find(|name| !is_known(name)) {
                rest[0].variable = free;
            }
        }
    }
}

fn check_pools(pools: &[PoolEntry]) -> Result<(), Error> {
    for (i, pool) in pools.iter().enumerate() {
        let type_name = short_name(pool.type_name);
        if pools[..i].iter().any(|other| other.type_id == pool.type_id) {
            return Err(Error::TwoPools { type_name });
        }
        if pool.size == 0 {
            return Err(Error::EmptyPool { type_name });
        }
        if pool.initial > pool.size {
            return Err(Error::TooManyValues { type_name, size: pool.size, values: pool.initial });
        }
    }
    Ok(())
}

fn link(entry: Entry, pools: &[PoolEntry], first: u32) -> Result<Method, Error> {
    let Entry { name, kind, wanted, kept, source, suffix, weight, run } = entry;
    if weight == Some(0) {
        let what = format!(
            "`{name}` has the weight 0, so it would not be called: give it 1 or more, or leave it out"
        );
        return Err(Error::BadRequest { what });
    }
    let pool_of = |type_id, type_name, relation| {
        let found = pools.iter().position(|pool| pool.type_id == type_id);
        found.map(|pool| pool as u32).ok_or_else(|| Error::NoPool {
            call: name.clone(),
            type_name: short_name(type_name),
            relation,
            known: pools.iter().map(|pool| short_name(pool.type_name)).collect(),
        })
    };
    if kind == Kind::Method && wanted.is_empty() {
        return Err(Error::NoReceiver { call: name });
    }
    let params = wanted.iter().map(|wanted| {
        Ok(Param { pool: pool_of(wanted.type_id, wanted.type_name, "takes")?, mode: wanted.mode })
    });
    let params = params.collect::<Result<Vec<_>, Error>>()?;
    let result = kept.pool.map(|(type_id, type_name)| pool_of(type_id, type_name, "returns"));
    let result = if kept.is_optional { result.and_then(Result::ok) } else { result.transpose()? };
    // Arguments, then the receiver, then the result.
    let mut order: Vec<usize> = (0..params.len()).collect();
    if kind == Kind::Method {
        order.rotate_left(1);
    }
    if result.is_some() {
        order.push(params.len());
    }
    debug_assert!(order.len() <= MAX_PLACES);
    let mut method = Method {
        name,
        kind,
        params,
        result,
        unpacked: kept.unpacked,
        source,
        suffix,
        weight,
        run,
        first,
        calls: 1,
        order,
    };
    for i in 0..method.order.len() {
        let size = u32::try_from(pools[method.pool_at(i) as usize].size).map_err(|_| Error::TooManyCalls)?;
        method.calls = method.calls.checked_mul(size).ok_or(Error::TooManyCalls)?;
    }
    Ok(method)
}

/// Checks that each type that a call takes has initial values or is returned by a call that can be made.
fn check_constructors(pools: &[PoolEntry], methods: &[Method]) -> Result<(), Error> {
    let mut is_made: Vec<bool> = pools.iter().map(|pool| pool.initial > 0).collect();
    loop {
        let before = is_made.clone();
        for method in methods {
            let can_be_made = method.params.iter().all(|param| before[param.pool as usize]);
            if let Some(result) = method.result.filter(|_| can_be_made) {
                is_made[result as usize] = true;
            }
        }
        if before == is_made {
            break;
        }
    }
    for (i, pool) in pools.iter().enumerate() {
        let takes = |method: &&Method| method.params.iter().any(|param| param.pool as usize == i);
        let calls: Vec<_> = methods.iter().filter(takes).map(|method| method.name.clone()).collect();
        if !is_made[i] && !calls.is_empty() {
            return Err(Error::NoConstructor { type_name: short_name(pool.type_name), calls });
        }
    }
    Ok(())
}
