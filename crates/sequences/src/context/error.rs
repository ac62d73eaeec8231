//! What can be wrong with a context, a test or an index.

use std::fmt;

/// What is wrong. The message names the method and the type, and says what to write.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There are two pools for one type.
    TwoPools {
        /// The type.
        type_name: String,
    },
    /// A pool has no slots.
    EmptyPool {
        /// The type.
        type_name: String,
    },
    /// A pool has more initial values than slots.
    TooManyValues {
        /// The type.
        type_name: String,
        /// Its slots.
        size: usize,
        /// Its initial values.
        values: usize,
    },
    /// A call uses a type that has no pool.
    NoPool {
        /// The call.
        call: String,
        /// The type.
        type_name: String,
        /// How the call uses it: "takes" or "returns".
        relation: &'static str,
        /// The types that have pools.
        known: Vec<String>,
    },
    /// Calls take a type of which no value can be created.
    NoConstructor {
        /// The type.
        type_name: String,
        /// The calls that take it.
        calls: Vec<String>,
    },
    /// Two calls have the same name.
    TwoCalls {
        /// The name.
        call: String,
    },
    /// A method has no receiver.
    NoReceiver {
        /// The name.
        call: String,
    },
    /// There are no calls.
    NoCalls,
    /// There are more distinct calls than can be numbered.
    TooManyCalls,
    /// An index is not below the number of tests.
    IndexOutOfRange {
        /// The index.
        index: String,
        /// The length of the tests.
        length: usize,
        /// How many there are.
        tests: String,
    },
    /// A call number is not below the number of distinct calls.
    CallOutOfRange {
        /// The number.
        call: u64,
        /// How many there are.
        calls: u64,
    },
    /// A test's text cannot be read.
    Syntax {
        /// The part that cannot be read.
        text: String,
        /// What was expected.
        expected: String,
    },
    /// States cannot be compared.
    NotLinearized {
        /// The type.
        type_name: String,
    },
    /// The states hold only data that the abstraction leaves out.
    NoShape,
    /// The abstraction keeps a field that no value has.
    UnknownField {
        /// The name.
        field: String,
        /// The names that exist.
        met: Vec<String>,
    },
    /// The reference implementation has different calls.
    DifferentContexts {
        /// What differs.
        what: String,
    },
    /// A combination of choices, or a limit, that is not possible.
    BadRequest {
        /// What is wrong.
        what: String,
    },
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::TwoPools { type_name } => {
                write!(f, "there are two pools for `{type_name}`; make it one pool with more slots")
            }
            Error::EmptyPool { type_name } => write!(
                f,
                "the pool for `{type_name}` has no slots, so no call can use it; give it a size of at least 1"
            ),
            Error::TooManyValues { type_name, size, values } => write!(
                f,
                "the pool for `{type_name}` has {size} slots but {values} initial values; make it larger or leave \
                 some values out"
            ),
            Error::NoPool { call, type_name, relation, known } => write!(
                f,
                "`{call}` {relation} `{type_name}`, which has no pool; add one with values, `.pool(Pool::of([..]))`, or one \
                 that calls fill, `.pool(Pool::<{type_name}>::empty(1))`, or leave the call out (there are pools for {})",
                list(known)
            ),
            Error::NoConstructor { type_name, calls } => write!(
                f,
                "there is no way to construct `{type_name}`, which {} take: add a call that returns it, or initial \
                 values to its pool",
                list(calls)
            ),
            Error::TwoCalls { call } => write!(f, "there are two calls `{call}`; give one of them another name"),
            Error::NoReceiver { call } => {
                write!(f, "the method `{call}` has no receiver; add one as its first argument, or make it a function")
            }
            Error::NoCalls => f.write_str("there is nothing to call; add functions or methods"),
            Error::TooManyCalls => {
                write!(f, "there are more than {} distinct calls; make pools smaller", u32::MAX)
            }
            Error::IndexOutOfRange { index, length, tests } => {
                write!(f, "there is no test {index}: tests of length {length} are numbered from 0 to {tests} - 1")
            }
            Error::CallOutOfRange { call, calls } => {
                write!(f, "there is no call {call}: distinct calls are numbered from 0 to {calls} - 1")
            }
            Error::Syntax { text, expected } => write!(f, "cannot read `{text}`: expected {expected}"),
            Error::NotLinearized { type_name } => write!(
                f,
                "states cannot be compared, since the pool of `{type_name}` does not say how: add `linearized` (with \
                 `derive(Linearize)`), `hashed` or `debugged`; `be`, `random` and `bobw` compare no states"
            ),
            Error::NoShape => f.write_str(
                "the abstraction leaves everything out, since all pools are `hashed` or `debugged`: give a pool that \
                 matters a linearization (`linearized`, `linearized_by`)",
            ),
            Error::UnknownField { field, met } if met.is_empty() => write!(
                f,
                "the abstraction keeps the field `{field}`, but no value has a field with a name: leave `{field}` out, or \
                 give a pool a linearization that names fields"
            ),
            Error::UnknownField { field, met } => write!(
                f,
                "the abstraction keeps the field `{field}`, but no value that was reached has data in a field with this \
                 name; there is data in {}",
                list(met)
            ),
            Error::DifferentContexts { what } => {
                write!(f, "the reference implementation must have the same calls in the same order: {what}")
            }
            Error::BadRequest { what } => f.write_str(what),
        }
    }
}

fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "nothing".to_owned();
    }
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
