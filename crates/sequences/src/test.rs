//! A test: a sequence of calls, in canonical form 3 of the literature. Pools are declared and filled by the context;
//! each statement is a call whose arguments, receiver and result are places in pools.

mod canonical;
mod source;

use crate::context::{CallId, Context, Error};

/// A sequence of calls of one context.
///
/// ```
/// # use smallscope_sequences::{Context, Pool, by_mut, into, nothing, value};
/// # let context = Context::builder()
/// #     .pool(Pool::<Vec<u8>>::empty(1).named("v"))
/// #     .pool(Pool::of([7u8, 9]))
/// #     .function("Vec::new", (), into(), |()| Vec::<u8>::new())
/// #     .method("push", (by_mut::<Vec<u8>>(), value::<u8>()), nothing(), |(v, x)| v.push(x))
/// #     .build()?;
/// use smallscope_sequences::Test;
///
/// let test = Test::parse(&context, "v[0] = Vec::new(); v[0].push(u8_[1])")?;
/// assert_eq!(test.calls(), [0, 2]);
/// assert_eq!(test.to_source(&context), "let mut v: Vec<u8> = Vec::new();\nv.push(9);\n");
/// # Ok::<(), smallscope_sequences::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Test {
    calls: Vec<CallId>,
}

impl Test {
    /// A test of calls by their numbers.
    pub fn new(context: &Context, calls: impl IntoIterator<Item = CallId>) -> Result<Test, Error> {
        let calls: Vec<CallId> = calls.into_iter().collect();
        match calls.iter().find(|call| u64::from(**call) >= context.calls()) {
            Some(call) => Err(Error::CallOutOfRange { call: u64::from(*call), calls: context.calls() }),
            None => Ok(Test { calls }),
        }
    }

    /// For calls that are known to exist.
    pub(crate) fn of(calls: &[CallId]) -> Test {
        Test { calls: calls.to_vec() }
    }

    /// The numbers of the calls.
    pub fn calls(&self) -> &[CallId] {
        &self.calls
    }

    /// The first so many calls.
    pub fn up_to(&self, calls: usize) -> Test {
        Test::of(&self.calls[..calls.min(self.calls.len())])
    }

    /// The number of calls.
    pub fn len(&self) -> usize {
        self.calls.len()
    }

    /// Whether there are no calls.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }
}
