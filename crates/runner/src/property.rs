//! The closures that can be checked, and what they may return.

use smallscope_core::values::Product;
use smallscope_core::{Bounded, Hold, Kept, Owned};
use std::fmt::Debug;

/// A closure that can be checked: up to six arguments of types that are [`Bounded`], or of references to such types. It
/// returns `()` or a `Result`.
#[diagnostic::on_unimplemented(
    message = "this closure cannot be checked: write `|tree: Tree| ..` or `|tree: &Tree| ..`, where `Tree` derives `Bounded` and has an invariant",
    label = "not a closure over bounded values",
    note = "a derive under `cfg_attr(test, ..)` is not there for tests in `tests/*.rs`: write `#[cfg_attr(any(test, feature = \"smallscope\"), ..)]`",
    note = "write `|tree: Tree, key: Key| ..` or `|tree: &Tree, key: Key| ..` with one to six arguments, each with its type, of types that implement `Bounded`; the result is `()` or a `Result`"
)]
pub trait Property<A: Arguments> {
    /// Runs the closure.
    #[doc(hidden)]
    fn test(&mut self, place: &mut A::Place) -> Result<(), String>;
}

/// Stands for an argument that is a value.
pub struct Given<T>(std::marker::PhantomData<T>);

/// Stands for an argument that is a reference.
pub struct Lent<T>(std::marker::PhantomData<T>);

/// An argument: what it is, and where it is before the closure is called.
#[doc(hidden)]
pub trait Argument {
    type Value: Bounded;
    type Place: Hold<Self::Value>;
}

impl<T: Bounded> Argument for Given<T> {
    type Value = T;
    type Place = Owned<T>;
}

impl<T: Bounded> Argument for Lent<T> {
    type Value = T;
    type Place = Kept<T>;
}

/// All arguments of a closure.
#[doc(hidden)]
pub trait Arguments {
    /// The arguments as one value.
    type Input: Bounded;
    /// The place of the arguments before the closure is called.
    type Place: Hold<Self::Input>;
}

impl<A: Argument> Arguments for (A,) {
    type Input = A::Value;
    type Place = A::Place;
}

impl<F: FnMut(A) -> R, A: Bounded, R: TestResult> Property<(Given<A>,)> for F {
    fn test(&mut self, place: &mut Owned<A>) -> Result<(), String> {
        self(place.take()).into_result()
    }
}

impl<F: FnMut(&A) -> R, A: Bounded, R: TestResult> Property<(Lent<A>,)> for F {
    fn test(&mut self, place: &mut Kept<A>) -> Result<(), String> {
        self(place.get()).into_result()
    }
}

/// Implements the trait for both kinds of argument in all combinations: `[..]` are the arguments still to be decided,
/// `{..}` the others.
macro_rules! properties {
    ($([$($a:ident $x:ident)+])+) => { $(
        impl<$($a: Argument),+> Arguments for ($($a,)+) {
            type Input = Product<($($a::Value,)+)>;
            type Place = ($($a::Place,)+);
        }
        properties!(@[$($a $x)+]);
    )+ };
    (@[$a:ident $x:ident $($rest:tt)*] $($done:tt)*) => {
        properties!(@[$($rest)*] $($done)* { $a $x, $a, Given<$a>, Owned<$a>, take });
        properties!(@[$($rest)*] $($done)* { $a $x, &$a, Lent<$a>, Kept<$a>, get });
    };
    (@[] $({ $a:ident $x:ident, $argument:ty, $marker:ty, $place:ty, $give:ident })+) => {
        impl<Fun: FnMut($($argument),+) -> R, R: TestResult, $($a: Bounded),+> Property<($($marker,)+)> for Fun {
            fn test(&mut self, ($($x,)+): &mut ($($place,)+)) -> Result<(), String> {
                self($($x.$give()),+).into_result()
            }
        }
    };
}
properties! {
    [A a B b]
    [A a B b C c]
    [A a B b C c D d]
    [A a B b C c D d E e]
    [A a B b C c D d E e F f]
}

/// The types that a test may return.
#[diagnostic::on_unimplemented(
    message = "a test cannot return `{Self}`: return `()` and use `assert!`, or return `Result<(), E>` where `E: Debug`",
    label = "neither `()` nor a `Result` whose error is `Debug`"
)]
pub trait TestResult {
    #[doc(hidden)]
    const IS_RETURNED: bool = true;
    /// Returns the error as text.
    fn into_result(self) -> Result<(), String>;
}

impl TestResult for () {
    fn into_result(self) -> Result<(), String> {
        Ok(())
    }
}

/// For tests that always panic.
impl TestResult for never::Never {
    fn into_result(self) -> Result<(), String> {
        self
    }
}

/// The type `!`, which has no stable name of its own yet.
mod never {
    pub type Never = <fn() -> ! as Function>::Result;

    pub trait Function {
        type Result;
    }

    impl<R> Function for fn() -> R {
        type Result = R;
    }
}

impl<T: TestResult, E: Debug> TestResult for Result<T, E> {
    fn into_result(self) -> Result<(), String> {
        match self {
            Ok(inner) => inner.into_result(),
            Err(e) => Err(format!("returned an error: {}", crate::show::pretty(&e))),
        }
    }
}
