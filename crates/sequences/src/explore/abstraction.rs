//! Decides whether two states are equal.

use crate::context::{CallId, Context, Error, Param, PoolEntry, Values, short_name};
use crate::sink::Sink;

/// Which parts of a state decide whether it is new.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Abstraction {
    /// All parts.
    #[default]
    Complete,
    /// Objects and how they are connected, without data.
    Shape,
    /// The shape, and the data in fields with these names.
    ShapeAnd(Vec<String>),
}

impl Abstraction {
    /// The shape, and the data in fields with some names.
    pub fn shape_and<S: Into<String>>(fields: impl IntoIterator<Item = S>) -> Abstraction {
        Abstraction::ShapeAnd(fields.into_iter().map(Into::into).collect())
    }

    /// Whether data in a field is a part of the abstract state.
    #[inline]
    pub(crate) fn keeps(&self, field: &str) -> bool {
        match self {
            Abstraction::Complete => true,
            Abstraction::Shape => false,
            Abstraction::ShapeAnd(fields) => fields.iter().any(|kept| kept == field),
        }
    }
}

/// A user's own abstraction.
pub(crate) type Abstract<'a> = dyn Fn(&Values, &mut Sink) + Send + Sync + 'a;

/// What is compared of a state.
pub(crate) enum Matching<'a> {
    /// The values in the pools, as an abstraction sees them.
    Values(Abstraction),
    /// What a function writes.
    Custom(Box<Abstract<'a>>),
    /// The values, the number of calls, and the last call: what a model checker of the whole program compares.
    Classical,
}

impl Matching<'_> {
    /// Whether it leaves out parts of values on purpose.
    fn abstracts(&self) -> bool {
        !matches!(self, Matching::Values(Abstraction::Complete) | Matching::Classical)
    }

    /// Whether a call always leads to another state, even if no value changes.
    pub(crate) fn counts_calls(&self) -> bool {
        matches!(self, Matching::Classical)
    }

    /// The pools whose values can change. An error if they cannot be compared.
    pub(crate) fn pools(&self, context: &Context) -> Result<Vec<u32>, Error> {
        let all = 0..context.pools.len() as u32;
        let changing: Vec<u32> = all.filter(|pool| changes(context, *pool)).collect();
        if matches!(self, Matching::Custom(_)) {
            return Ok(changing);
        }
        let entries = || changing.iter().map(|pool| &context.pools[*pool as usize]);
        if let Some(unknown) = entries().find(|pool| !pool.is_linearized) {
            return Err(Error::NotLinearized { type_name: short_name(unknown.type_name) });
        }
        if self.abstracts() && entries().all(PoolEntry::is_opaque) {
            return Err(Error::NoShape);
        }
        Ok(changing)
    }

    pub(crate) fn sink(&self) -> Sink {
        match self {
            Matching::Values(abstraction) => Sink::with(abstraction.clone()),
            _ => Sink::new(),
        }
    }

    /// Writes the state after what the sink has already.
    pub(crate) fn write(
        &self,
        values: &Values,
        pools: &[u32],
        length: usize,
        last: Option<CallId>,
        sink: &mut Sink,
    ) {
        if let Matching::Custom(write) = self {
            return write(values, sink);
        }
        self.write_more(values, pools, sink);
        if let Matching::Classical = self {
            sink.number(length as u64);
            sink.number(last.map_or(0, |call| u64::from(call) + 1));
        }
    }

    /// Writes the values of pools, unless a function writes the whole state.
    pub(crate) fn write_more(&self, values: &Values, pools: &[u32], sink: &mut Sink) {
        if let Matching::Custom(_) = self {
            return;
        }
        let mut i = 0;
        while i < pools.len() {
            values.pool(pools[i]).linearize_all(sink);
            i += 1;
        }
    }
}

/// The pools whose values can change. None if they cannot be compared.
pub(crate) fn changing_pools(context: &Context) -> Option<Vec<u32>> {
    Matching::Values(Abstraction::Complete).pools(context).ok()
}

/// Whether a call can change what is in a pool.
pub(super) fn changes(context: &Context, pool: u32) -> bool {
    let is_frozen = context.pools[pool as usize].is_frozen;
    context.methods.iter().any(|method| {
        let changes = |param: &Param| param.pool == pool && param.can_change(is_frozen);
        method.result == Some(pool) || method.params.iter().any(changes)
    })
}
