//! The one invariant of a type.
//!
//! A block with an invariant is compiled twice, for the real type and for its mirror. If it implemented a trait for both, a
//! second invariant would conflict with it twice, once for a type that the user never wrote. So a block implements one
//! trait, for the real type, which names the code for the mirror, and the derive implements [`crate::RepOk`] for both by
//! way of it. The compiler prints the name of the trait whose impls conflict: the name is the message.

use super::outside::InCopy;
use crate::conjuncts::ConjunctSite;
use crate::eq_class::{ClassValue, Classifier, EqClass};
use crate::probe::DecisionSite;
use std::marker::PhantomData;

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

/// The class function of a type.
#[expect(non_camel_case_types, reason = "the compiler prints it as a message")]
pub trait a_type_must_have_one_class_function_so_return_both_in_a_tuple {
    /// The mirror.
    type Mirror;
    /// The copy of the class function for the mirror.
    type Copy: ClassOnMirror<Self::Mirror>;
    /// See [`EqClass::classify`].
    fn class_of(&self, to: &mut dyn FnMut(ClassValue<'_>));
    /// The same for a value of the mirror.
    fn class_of_mirror(value: &Self::Mirror, to: &mut dyn FnMut(ClassValue<'_>)) {
        Self::Copy::class_of(value, to);
    }
}

use a_type_must_have_one_class_function_so_return_both_in_a_tuple as OneClass;

#[diagnostic::do_not_recommend]
impl<T: OneClass> EqClass for T {
    fn classify(&self, to: &mut dyn FnMut(ClassValue<'_>)) {
        self.class_of(to);
    }
}

/// The copy of a class function for mirrors `M`.
pub trait ClassOnMirror<M> {
    /// See [`EqClass::classify`].
    fn class_of(value: &M, to: &mut dyn FnMut(ClassValue<'_>));
}

/// Finds out whether the type of a mirror has classes, in generated code that cannot know: the inherent method is there only if it
/// has, and goes before that of [`NoClasses`].
pub struct ClassProbe<T>(PhantomData<fn(T)>);

impl<T> ClassProbe<T> {
    /// A probe for a type.
    #[expect(clippy::new_without_default, reason = "only generated code makes one")]
    pub fn new() -> Self {
        ClassProbe(PhantomData)
    }
}

impl<M: InCopy> ClassProbe<M>
where
    M::Original: OneClass<Mirror = M>,
{
    /// How to classify.
    pub fn classifier(&self) -> Option<Classifier<M>> {
        Some(<M::Original as OneClass>::class_of_mirror)
    }
}

/// The answer of a [`ClassProbe`] for a type without classes.
pub trait NoClasses<T> {
    /// Not at all.
    fn classifier(&self) -> Option<Classifier<T>> {
        None
    }
}

impl<T> NoClasses<T> for ClassProbe<T> {}

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
                use $crate::mirror::once::NoClasses as _;
                $crate::mirror::once::ClassProbe::<$m>::new().classifier()
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Mirror;
    struct Without;
    struct With;

    impl InCopy for Mirror {
        type Original = With;
        type Constants = With;
    }

    impl OneClass for With {
        type Mirror = Mirror;
        type Copy = With;
        fn class_of(&self, to: &mut dyn FnMut(ClassValue<'_>)) {
            to(ClassValue::of(&7u8));
        }
    }

    impl ClassOnMirror<Mirror> for With {
        fn class_of(_: &Mirror, to: &mut dyn FnMut(ClassValue<'_>)) {
            to(ClassValue::of(&7u8));
        }
    }

    #[test]
    fn a_probe_finds_implementations() {
        assert!(ClassProbe::<Mirror>::new().classifier().is_some());
        assert!(ClassProbe::<Without>::new().classifier().is_none());
    }
}
