//! Several independent inputs as one.

use crate::absorb::Absorb;
use crate::build::Build;
use crate::conjuncts::{ConjunctSite, select};
use crate::deliver::{Combination, Hold, Maker, Refused};
use crate::eq_class::{ClassValue, Classifier};
use crate::link::{At, Builder};
use crate::probe;
use crate::shape::{Bounded, Mirrored, Part, RepOk};
use crate::walk::Walk;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem::ManuallyDrop;

/// A tuple of independent inputs: valid when each is. Each input has objects of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product<T>(pub T);

/// The cells of a [`Product`].
pub struct ProductCell<T>(T);

/// Whether the invariant of one of the inputs holds.
#[inline(always)]
fn holds(number: u32, input: &impl RepOk) -> bool {
    probe::part(number);
    input.rep_ok()
}

/// The classes of several inputs.
#[derive(Default)]
struct Together {
    fingerprints: Vec<u128>,
    texts: Vec<String>,
}

impl Together {
    fn add(&mut self, class: ClassValue<'_>) {
        self.fingerprints.push(class.fingerprint);
        self.texts.push(format!("{:?}", class.value));
    }
}

impl PartialEq for Together {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprints == other.fingerprints
    }
}

impl Eq for Together {}

impl Hash for Together {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.fingerprints.hash(state);
    }
}

impl fmt::Debug for Together {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.texts.join(", "))
    }
}

macro_rules! products {
    ($(($($t:ident $h:ident $i:tt),+))*) => { $(
        impl<$($t: Mirrored),+> Mirrored for Product<($($t,)+)> {
            type Mirror = ProductCell<($($t::Cell,)+)>;
            type Cell = ProductCell<($($t::Cell,)+)>;
            type Seq = ();
            type InMap = ();
        }

        // SAFETY: passes on what the parts' `build` returns.
        unsafe impl<$($t: Part),+> Part for ProductCell<($($t,)+)> {
            type Real = Product<($($t::Real,)+)>;
            fn blank() -> Self {
                ProductCell(($($t::blank(),)+))
            }
            fn link(&'static self, b: &mut Builder, at: At) {
                $( {
                    let at = b.argument::<$t>(at, $i);
                    (self.0).$i.link(b, at);
                } )+
            }
            fn walk(&'static self, w: &mut Walk) {
                $( (self.0).$i.walk(w); )+
            }
            fn build(&'static self, b: &mut Build) -> Self::Real {
                let parts = ($( ManuallyDrop::new((self.0).$i.build(b)), )+);
                Product(($( ManuallyDrop::into_inner(parts.$i), )+))
            }
            fn absorb(&'static self, real: &Self::Real, a: &mut Absorb) {
                $( (self.0).$i.absorb(&(real.0).$i, a); )+
            }
        }

        /// A place for each input.
        impl<$($t: Bounded, $h: Hold<$t>),+> Hold<Product<($($t,)+)>> for ($($h,)+) {
            fn done(&mut self) {
                $( self.$i.done(); )+
            }
            fn has_dropped(&self) -> bool {
                $( self.$i.has_dropped() )||+
            }
            #[inline]
            fn refill(
                &mut self,
                cell: &'static ProductCell<($($t::Cell,)+)>,
                maker: &mut Maker<'_>,
            ) -> Result<(), Refused> {
                $( self.$i.refill(&(cell.0).$i, maker)?; )+
                Ok(())
            }
            #[inline]
            fn refill_combined(
                &mut self,
                cell: &'static ProductCell<($($t::Cell,)+)>,
                combined: &Combination<'_>,
                maker: &mut Maker<'_>,
            ) -> Result<(), Refused> {
                $( self.$i.refill_part(&(cell.0).$i, $i, combined, maker)?; )+
                Ok(())
            }
        }

        impl<$($t: RepOk),+> RepOk for ProductCell<($($t,)+)> {
            const INVARIANT: Option<&'static str> = first_of(&[$($t::INVARIANT),+]);

            fn rep_ok(&self) -> bool {
                $( (select::leaves_out($i) || holds($i, &(self.0).$i)) )&&+
            }

            fn conjuncts_of_inputs() -> Vec<&'static [ConjunctSite]> {
                vec![$( $t::conjuncts() ),+]
            }

            /// A class for each combination of classes of those inputs that have some.
            fn classifier() -> Option<Classifier<Self>> {
                let with_classes = 0 $( + u32::from($t::classifier().is_some()) )+;
                match with_classes {
                    0 => None,
                    1 => Some(|cell, to| {
                        $( if let Some(classify) = $t::classifier() {
                            classify(&(cell.0).$i, to);
                        } )+
                    }),
                    _ => Some(|cell, to| {
                        let mut together = Together::default();
                        $( if let Some(classify) = $t::classifier() {
                            classify(&(cell.0).$i, &mut |class| together.add(class));
                        } )+
                        to(ClassValue::of(&together));
                    }),
                }
            }
        }

        impl<$($t: RepOk),+> RepOk for Product<($($t,)+)> {
            fn rep_ok(&self) -> bool {
                $( (self.0).$i.rep_ok() )&&+
            }
        }
    )* };
}
products!(
    (A HA 0)
    (A HA 0, B HB 1)
    (A HA 0, B HB 1, C HC 2)
    (A HA 0, B HB 1, C HC 2, D HD 3)
    (A HA 0, B HB 1, C HC 2, D HD 3, E HE 4)
    (A HA 0, B HB 1, C HC 2, D HD 3, E HE 4, F HF 5)
);

/// The first invariant of several, if there is one.
#[inline]
const fn first_of(invariants: &[Option<&'static str>]) -> Option<&'static str> {
    let mut i = 0;
    while i < invariants.len() {
        if invariants[i].is_some() {
            return invariants[i];
        }
        i += 1;
    }
    None
}

/// Tuples as fields: one cell per component. (Tuples of plain data are plain data.)
macro_rules! tuples_of_cells {
    ($(($($t:ident $i:tt),+))*) => { $(
        // SAFETY: passes on what the parts' `build` returns.
        unsafe impl<$($t: Part),+> Part for ($($t,)+) {
            type Real = ($($t::Real,)+);
            fn blank() -> Self {
                ($($t::blank(),)+)
            }
            fn link(&'static self, b: &mut Builder, at: At) {
                $( self.$i.link(b, at.component($i)); )+
            }
            fn walk(&'static self, w: &mut Walk) {
                $( self.$i.walk(w); )+
            }
            fn build(&'static self, b: &mut Build) -> Self::Real {
                let parts = ($( ManuallyDrop::new(self.$i.build(b)), )+);
                ($( ManuallyDrop::into_inner(parts.$i), )+)
            }
            fn update(&'static self, real: &mut Self::Real, b: &mut Build) {
                $( self.$i.update(&mut real.$i, b); )+
            }
            fn absorb(&'static self, real: &Self::Real, a: &mut Absorb) {
                $( self.$i.absorb(&real.$i, a); )+
            }
        }
    )* };
}
tuples_of_cells!((A 0)(A 0, B 1)(A 0, B 1, C 2)(A 0, B 1, C 2, D 3)(A 0, B 1, C 2, D 3, E 4)(A 0, B 1, C 2, D 3, E 4, F 5));
