//! A test: a sequence of calls, in canonical form 3 of the literature. Pools are declared and filled by the context;
//! each statement is a call whose arguments, receiver and result are places in pools.

mod canonical;
mod source;

pub(crate) use canonical::call_text;

use crate::context::{CallId, Context, Error};
use crate::run::Fault;

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
    /// The test as Rust statements, to be pasted into a function.
    ///
    /// Calls that could not be made are left out; values that never change are written in place. A call that panics is
    /// wrapped, unless it is the last one and that is a failure.
    pub fn to_source(&self, context: &Context) -> String {
        source::source(self, context, true)
    }

    /// The test as Rust statements, if its last call is known to have a fault. A call that does not return, or ends the
    /// process, is not made.
    pub fn to_source_with(&self, context: &Context, fault: &Fault) -> String {
        source::source(self, context, !matches!(fault, Fault::Endless { .. } | Fault::Died { .. }))
    }

    /// The test as a function with `#[test]`.
    pub fn to_test_function(&self, context: &Context, name: &str) -> String {
        let body: String = self.to_source(context).lines().map(|line| format!("    {line}\n")).collect();
        format!("#[test]\nfn {name}() {{\n{body}}}\n")
    }
}
