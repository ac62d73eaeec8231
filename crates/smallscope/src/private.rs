//! Support for generated code. Not part of the interface: anything here may change at any time.

pub use crate::__needs_cover as needs_cover;
pub use crate::__needs_criteria as needs_criteria;
pub use crate::__needs_filled as needs_filled;
pub use crate::__needs_suites as needs_suites;
pub use crate::__needs_summaries as needs_summaries;
pub use crate::debug::dbg;
pub use smallscope_core::__leaf as leaf;
pub use smallscope_core::__like_the_type as like_the_type;
pub use smallscope_core::__rep_ok as rep_ok;
pub use smallscope_core::absorb::Absorb;
pub use smallscope_core::ask::{
    Handed, HandedCell, HandedValue, Late, PlainLate, PlainLateIndex, enter, eq, ge, gt, le, lt, minus, ne,
    not, plus, promise, returns_false, returns_true, unless, unpromise,
};
pub use smallscope_core::build::Build;
pub use smallscope_core::cell::{CellLoop, Plain, PlainIndex, PlainLoop, Tracked};
pub use smallscope_core::conjuncts::{ConjunctSite, Conjuncts, before_unsafe};
pub use smallscope_core::eq_class::{ClassValue, Classifier, class_set};
#[cfg(feature = "summaries")]
pub use smallscope_core::groups::{
    Call, HelperSite, NoOutcome, NotFolded, NotListed, NotSummarised, Outcome, Promised, YesOrNo, folded,
    mapped,
};
pub use smallscope_core::guard::step;
#[cfg(feature = "summaries")]
pub use smallscope_core::guard::step_of_helper;
pub use smallscope_core::key::reads_in_order;
pub use smallscope_core::link::{At, Builder};
pub use smallscope_core::mirror;
pub use smallscope_core::mirror::arguments::{Apart, Argument, OfStructure, pass};
pub use smallscope_core::mirror::destructor::{DropProbe, NoDrop};
pub use smallscope_core::mirror::made;
pub use smallscope_core::mirror::once::{
    ClassOnMirror, ClassProbe, NoClasses, OnMirror, OneInvariant, Refused,
    a_type_must_have_one_class_function_so_return_both_in_a_tuple,
};
pub use smallscope_core::mirror::outside::{
    Choose, Enumerable, If, InCopy, IsMirrored, Itself, NoType, NotMirrored, PlainEnum, PlainKey, Testable,
};
pub use smallscope_core::mirror::{Debugged, NotDebug};
pub use smallscope_core::probe::{DecisionKind, DecisionSite, Operand, arm, attempt, decide};
pub use smallscope_core::shape::{
    Body, Domain, InvariantProbe, Leaf, Leaves, Mirrored, NoInvariant, Param, Part, Pointee, RepOk, Struct,
    Table, Value,
};
pub use smallscope_core::site::{FieldAttrs, FieldSite, TypeSite, range, set};
pub use smallscope_core::values::{As, Derived, Listed, MapValue, Product};
pub use smallscope_core::visited::Identity;
pub use smallscope_core::walk::Walk;
pub use smallscope_core::{Bounds, Classes, Disjoint, Engine, Kept, Owned, Summaries};
pub use smallscope_runner::attribute::{TestSite, bounds, ignore_panics_out_of_turn, run_test};
#[cfg(feature = "mutate")]
pub use smallscope_runner::mutation;
#[cfg(feature = "sequences")]
pub use smallscope_runner::sequences::run_sequences;
pub use smallscope_runner::show::{ShowDebug, ShowNothing, Shown};
#[cfg(feature = "sequences")]
pub use smallscope_runner::{Agree, run_agree};
pub use smallscope_runner::{Check, Order, TestResult};

/// What `#[smallscope::sequences]` says.
#[cfg(feature = "sequences")]
pub mod sequences {
    pub use smallscope_sequences::{Abstraction, Campaign, Cover, Matching, Traversal, Which};
}
