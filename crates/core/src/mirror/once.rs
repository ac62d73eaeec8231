//! The one invariant of a type.
//!
//! A block with an invariant is compiled twice, for the real type and for its mirror. If it implemented a trait for both, a
//! second invariant would conflict with it twice, once for a type that the user never wrote. So a block implements one
//! trait, for the real type, which names the code for the mirror, and the derive implements [`crate::RepOk`] for both by
//! way of it. The compiler prints the name of the trait whose impls conflict: the name is the message.

use crate::conjuncts::ConjunctSite;
use crate::eq_class::Classifier;
use crate::probe::DecisionSite;

/// The invariant of a type.
#[expect(non_camel_case_types, reason = "the compiler prints it as a message")]
pub trait a_type_must_have_one_invariant_so_join_them_with_and {
    /// See [`crate::RepOk::INVARIANT`].
    const INVARIANT: Option<&'static str>;
    /// The mirror.
    type Mirror;
    /// The copy of the invariant for the mirror.
    type Copy: OnMirror<Self::Mirror>;
    /// Whether a value is valid.
    fn holds(&self) -> bool;
    /// Whether a value of the mirror is valid.
    #[inline]
    fn holds_on_mirror(value: &Self::Mirror) -> bool {
        Self::Copy::holds(value)
    }
    /// See [`crate::RepOk::decisions`].
    fn decisions() -> &'static [DecisionSite] {
        Self::Copy::decisions()
    }
    /// See [`crate::RepOk::conjuncts`].
    fn conjuncts() -> &'static [ConjunctSite] {
        Self::Copy::conjuncts()
    }
    /// See [`crate::RepOk::classifier`].
    fn classifier() -> Option<Classifier<Self::Mirror>> {
        Self::Copy::classifier()
    }
}

/// The copy of an invariant for mirrors `M`.
pub trait OnMirror<M> {
    /// Whether a value is valid.
    fn holds(value: &M) -> bool;
    /// See [`crate::RepOk::decisions`].
    fn decisions() -> &'static [DecisionSite] {
        &[]
    }
    /// See [`crate::RepOk::conjuncts`].
    fn conjuncts() -> &'static [ConjunctSite] {
        &[]
    }
    /// See [`crate::RepOk::classifier`].
    fn classifier() -> Option<Classifier<M>> {
        None
    }
}

/// Takes the place of code that was not compiled, because something in it is wrong.
pub struct Refused;

impl<M> OnMirror<M> for Refused {
    fn holds(_: &M) -> bool {
        false
    }
}

pub use a_type_must_have_one_invariant_so_join_them_with_and as OneInvariant;

/// Implements [`crate::RepOk`] for a type and for its mirror. A bound without parameters has to hold unless it is about
/// lifetimes, hence `for<'trivial>`.
#[doc(hidden)]
#[macro_export]
macro_rules! __rep_ok {
    ({$($g:tt)*} {$t:ty} {$m:ty} {$($conditions:tt)*}) => {
        #[diagnostic::do_not_recommend]
        impl $($g)* $crate::RepOk for $t
        where
            for<'trivial> $t: $crate::mirror::once::OneInvariant,
            $($conditions)*
        {
            const INVARIANT: ::std::option::Option<&'static str> =
                <$t as $crate::mirror::once::OneInvariant>::INVARIANT;
            fn rep_ok(&self) -> bool {
                <$t as $crate::mirror::once::OneInvariant>::holds(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl $($g)* $crate::RepOk for $m
        where
            for<'trivial> $t: $crate::mirror::once::OneInvariant<Mirror = $m>,
            $($conditions)*
        {
            const INVARIANT: ::std::option::Option<&'static str> =
                <$t as $crate::mirror::once::OneInvariant>::INVARIANT;
            fn rep_ok(&self) -> bool {
                <$t as $crate::mirror::once::OneInvariant>::holds_on_mirror(self)
            }
            fn decisions() -> &'static [$crate::probe::DecisionSite] {
                <$t as $crate::mirror::once::OneInvariant>::decisions()
            }
            fn conjuncts() -> &'static [$crate::conjuncts::ConjunctSite] {
                <$t as $crate::mirror::once::OneInvariant>::conjuncts()
            }
            fn classifier() -> ::std::option::Option<$crate::eq_class::Classifier<Self>> {
                <$t as $crate::mirror::once::OneInvariant>::classifier()
            }
        }
    };
    // The same for a type whose values are all valid.
    (always {$($g:tt)*} {$t:ty} {$m:ty} {$($conditions:tt)*}) => {
        $crate::__rep_ok!({$($g)*} {$t} {$m} {$($conditions)*});

        pub struct Always;

        impl $($g)* $crate::mirror::once::OneInvariant for $t
        where
            $($conditions)*
        {
            const INVARIANT: ::std::option::Option<&'static str> = ::std::option::Option::None;
            type Mirror = $m;
            type Copy = Always;
            fn holds(&self) -> bool {
                true
            }
        }

        impl $($g)* $crate::mirror::once::OnMirror<$m> for Always
        where
            $($conditions)*
        {
            fn holds(_: &$m) -> bool {
                true
            }
            fn classifier() -> ::std::option::Option<$crate::eq_class::Classifier<$m>> {
                #[allow(unused_imports)]
                use $crate::eq_class::NoClasses as _;
                $crate::eq_class::ClassProbe::<$m>::new().classifier()
            }
        }
    };
}
