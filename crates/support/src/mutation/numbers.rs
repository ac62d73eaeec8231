//! Changed operations that only some types have.
//!
//! A macro does not see types. So the site of such a mutant calls a method that the compiler resolves by type: for
//! numbers it is one of [`Pair`], [`PairOfReferences`], [`Shift`] or [`Single`]. For all other types, it is one of
//! [`Unsuitable`], [`UnsuitableShift`] or [`UnsuitableSingle`], which never changes anything. These traits have methods
//! of the same names on different numbers of references, and the compiler takes the first one that fits: on `&&types`
//! in the order `&Types`, `&&Types`, `Types`, and on `&types` in the order `Types`, `&Types`. Generic code has no numbers,
//! only parameters: its operators are left alone.

use super::{Mutants, NONE};
use std::cmp::Ordering;
use std::marker::PhantomData;

/// A changed operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the operations of Rust")]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
    Lt,
    Le,
    Gt,
    Ge,
    /// The right side of an assignment, as it is.
    Set,
    /// The value as it is, without its sign or its `!`.
    Same,
    Neg,
    Not,
    Increment,
    Decrement,
    /// Less for greater, and the reverse.
    Reverse,
    /// Less for equal.
    Less,
    /// Greater for equal.
    Greater,
}

/// The types of one or two operands.
pub struct Types<L: ?Sized, R: ?Sized>(PhantomData<L>, PhantomData<R>);

/// Returns the types of two operands.
pub fn types_of<L: ?Sized, R: ?Sized>(_: &L, _: &R) -> Types<L, R> {
    Types(PhantomData, PhantomData)
}

/// Returns the type of one operand.
pub fn one_of<T: ?Sized>(_: &T) -> Types<T, ()> {
    Types(PhantomData, PhantomData)
}

/// The active mutant of a site, if there is one.
fn active(item: &'static Mutants, first: u32, ops: &[Op], has: impl Fn(Op) -> bool) -> Option<Op> {
    let number = item.at(first, ops.len() as u32);
    if number != NONE {
        return ops.get((number - first) as usize).copied().filter(|op| has(*op));
    }
    for (op, number) in ops.iter().zip(first..) {
        if !has(*op) {
            item.mark_unsuitable(number);
        }
    }
    None
}

/// A type of numbers, or `bool`, `char` or an order for the few operations that these have.
trait Number: Copy {
    fn has(op: Op) -> bool;
    fn apply(self, op: Op, other: Self) -> Self;
    fn single(self, op: Op) -> Self;

    fn shift(self, op: Op, _: u32) -> Self {
        impossible(op)
    }

    /// The number as a number of bits.
    fn bits(self) -> u32 {
        impossible(Op::Shl)
    }
}

fn impossible(op: Op) -> ! {
    unreachable!("smallscope internal error: a site chose {op:?}, which its type does not have")
}

macro_rules! integers {
    ($is_signed:literal, $neg:expr, $($type:ident)*) => { $(
        impl Number for $type {
            fn has(op: Op) -> bool {
                match op {
                    Op::Neg => $is_signed,
                    Op::Reverse | Op::Less | Op::Greater => false,
                    _ => true,
                }
            }

            fn apply(self, op: Op, other: Self) -> Self {
                match op {
                    Op::Add => self + other,
                    Op::Sub => self - other,
                    Op::Mul => self * other,
                    Op::Div => self / other,
                    Op::Rem => self % other,
                    Op::And => self & other,
                    Op::Or => self | other,
                    Op::Xor => self ^ other,
                    Op::Set => other,
                    op => impossible(op),
                }
            }

            fn single(self, op: Op) -> Self {
                match op {
                    Op::Same => self,
                    Op::Neg => $neg(self),
                    Op::Not => !self,
                    Op::Increment => self + 1,
                    Op::Decrement => self - 1,
                    op => impossible(op),
                }
            }

            fn shift(self, op: Op, bits: u32) -> Self {
                match op {
                    Op::Shl => self << bits,
                    Op::Shr => self >> bits,
                    op => impossible(op),
                }
            }

            fn bits(self) -> u32 {
                self as u32
            }
        }
    )* };
}
integers!(false, |x| x, u8 u16 u32 u64 u128 usize);
integers!(true, std::ops::Neg::neg, i8 i16 i32 i64 i128 isize);

macro_rules! floats {
    ($($type:ident)*) => { $(
        impl Number for $type {
            fn has(op: Op) -> bool {
                use Op::{Add, Decrement, Div, Ge, Gt, Increment, Le, Lt, Mul, Neg, Rem, Same, Set, Sub};
                matches!(op, Add | Sub | Mul | Div | Rem | Lt | Le | Gt | Ge | Set | Same | Neg | Increment | Decrement)
            }

            fn apply(self, op: Op, other: Self) -> Self {
                match op {
                    Op::Add => self + other,
                    Op::Sub => self - other,
                    Op::Mul => self * other,
                    Op::Div => self / other,
                    Op::Rem => self % other,
                    Op::Set => other,
                    op => impossible(op),
                }
            }

            fn single(self, op: Op) -> Self {
                match op {
                    Op::Same => self,
                    Op::Neg => -self,
                    Op::Increment => self + 1.0,
                    Op::Decrement => self - 1.0,
                    op => impossible(op),
                }
            }
        }
    )* };
}
floats!(f32 f64);

impl Number for bool {
    fn has(op: Op) -> bool {
        matches!(op, Op::And | Op::Or | Op::Xor | Op::Set | Op::Same | Op::Not)
    }

    fn apply(self, op: Op, other: Self) -> Self {
        match op {
            Op::And => self & other,
            Op::Or => self | other,
            Op::Xor => self ^ other,
            Op::Set => other,
            op => impossible(op),
        }
    }

    fn single(self, op: Op) -> Self {
        match op {
            Op::Same => self,
            Op::Not => !self,
            op => impossible(op),
        }
    }
}

impl Number for char {
    fn has(op: Op) -> bool {
        matches!(op, Op::Lt | Op::Le | Op::Gt | Op::Ge)
    }

    fn apply(self, op: Op, _: Self) -> Self {
        impossible(op)
    }

    fn single(self, op: Op) -> Self {
        impossible(op)
    }
}

impl Number for Ordering {
    fn has(op: Op) -> bool {
        matches!(op, Op::Reverse | Op::Less | Op::Greater)
    }

    fn apply(self, op: Op, _: Self) -> Self {
        impossible(op)
    }

    fn single(self, op: Op) -> Self {
        match op {
            Op::Reverse => self.reverse(),
            Op::Less => self.then(Ordering::Less),
            Op::Greater => self.then(Ordering::Greater),
            op => impossible(op),
        }
    }
}

impl Number for Option<Ordering> {
    fn has(op: Op) -> bool {
        Ordering::has(op)
    }

    fn apply(self, op: Op, _: Self) -> Self {
        impossible(op)
    }

    fn single(self, op: Op) -> Self {
        self.map(|order| order.single(op))
    }
}

/// Two operands that are numbers of one type.
#[expect(private_bounds, reason = "users cannot add types")]
pub trait Pair<N: Number> {
    /// Returns the changed operation of a site, if one is active.
    fn choose(&self, item: &'static Mutants, first: u32, ops: &[Op]) -> Option<Op> {
        active(item, first, ops, N::has)
    }
    /// Calculates.
    fn calculate(&self, op: Op, left: N, right: N) -> N {
        left.apply(op, right)
    }
    /// Assigns.
    fn assign(&self, op: Op, left: &mut N, right: N) {
        *left = left.apply(op, right);
    }
    /// Compares.
    fn compare(&self, op: Op, left: &N, right: &N) -> bool
    where
        N: PartialOrd,
    {
        compare(op, left, right)
    }
}

impl<N: Number> Pair<N> for &Types<N, N> {}

/// Two references to numbers of one type.
#[expect(private_bounds, reason = "users cannot add types")]
pub trait PairOfReferences<'l, 'r, N: Number + 'l + 'r> {
    /// Returns the changed operation of a site, if one is active.
    fn choose(&self, item: &'static Mutants, first: u32, ops: &[Op]) -> Option<Op> {
        active(item, first, ops, N::has)
    }
    /// Calculates.
    fn calculate(&self, op: Op, left: &'l N, right: &'r N) -> N {
        left.apply(op, *right)
    }
    /// Not called: references have no such operators.
    fn assign(&self, op: Op, _: &mut &'l N, _: &'r N) {
        impossible(op)
    }
    /// Compares.
    fn compare(&self, op: Op, left: &&'l N, right: &&'r N) -> bool
    where
        N: PartialOrd,
    {
        compare(op, *left, *right)
    }
}

impl<'l, 'r, N: Number> PairOfReferences<'l, 'r, N> for &&Types<&'l N, &'r N> {}

/// The two sides of a shift.
#[expect(private_bounds, reason = "users cannot add types")]
pub trait Shift<N: Number, M: Number> {
    /// Returns the changed operation of a site, if one is active.
    fn choose_shift(&self, item: &'static Mutants, first: u32, ops: &[Op]) -> Option<Op> {
        active(item, first, ops, |op| N::has(op) && M::has(op))
    }
    /// Shifts.
    fn shift(&self, op: Op, left: N, right: M) -> N {
        left.shift(op, right.bits())
    }
    /// Shifts and assigns.
    fn assign_shift(&self, op: Op, left: &mut N, right: M) {
        *left = left.shift(op, right.bits());
    }
}

impl<N: Number, M: Number> Shift<N, M> for Types<N, M> {}

fn compare<N: PartialOrd>(op: Op, left: &N, right: &N) -> bool {
    match op {
        Op::Lt => left < right,
        Op::Le => left <= right,
        Op::Gt => left > right,
        Op::Ge => left >= right,
        op => impossible(op),
    }
}

/// One operand that is a number.
#[expect(private_bounds, reason = "users cannot add types")]
pub trait Single<N: Number> {
    /// Returns the changed operation of a site, if one is active.
    fn choose_single(&self, item: &'static Mutants, first: u32, ops: &[Op]) -> Option<Op> {
        active(item, first, ops, N::has)
    }
    /// Calculates.
    fn calculate_single(&self, op: Op, value: N) -> N {
        value.single(op)
    }
}

impl<N: Number> Single<N> for Types<N, ()> {}

/// Two operands of any types.
pub trait Unsuitable<L: ?Sized, R: ?Sized> {
    /// Returns that nothing is changed.
    fn choose(&self, item: &'static Mutants, first: u32, ops: &[Op]) -> Option<Op> {
        active(item, first, ops, |_| false)
    }
    /// Not called.
    fn calculate<O>(&self, op: Op, _: L, _: R) -> O
    where
        L: Sized,
        R: Sized,
    {
        impossible(op)
    }
    /// Not called.
    fn compare(&self, op: Op, _: &L, _: &R) -> bool {
        impossible(op)
    }
    /// Not called.
    fn assign(&self, op: Op, _: &mut L, _: R)
    where
        R: Sized,
    {
        impossible(op)
    }
}

impl<L: ?Sized, R: ?Sized> Unsuitable<L, R> for Types<L, R> {}

/// The two sides of an operator that is written as a shift.
pub trait UnsuitableShift<L, R> {
    /// Returns that nothing is changed.
    fn choose_shift(&self, item: &'static Mutants, first: u32, ops: &[Op]) -> Option<Op> {
        active(item, first, ops, |_| false)
    }
    /// Not called.
    fn shift<O>(&self, op: Op, _: L, _: R) -> O {
        impossible(op)
    }
    /// Not called.
    fn assign_shift(&self, op: Op, _: &mut L, _: R) {
        impossible(op)
    }
}

impl<L, R> UnsuitableShift<L, R> for &Types<L, R> {}

/// One operand of any type.
pub trait UnsuitableSingle<T> {
    /// Returns that nothing is changed.
    fn choose_single(&self, item: &'static Mutants, first: u32, ops: &[Op]) -> Option<Op> {
        active(item, first, ops, |_| false)
    }
    /// Not called.
    fn calculate_single(&self, op: Op, _: T) -> T {
        impossible(op)
    }
}

impl<T> UnsuitableSingle<T> for &Types<T, ()> {}
