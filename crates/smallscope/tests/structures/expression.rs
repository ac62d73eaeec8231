//! A small language with two types, and the invariant that an expression has one.

use crate::count;
use smallscope::{Bounded, Bounds, rep_ok};

#[derive(Bounded, Debug, Clone, PartialEq)]
enum Expr {
    Int(#[bounded(range = 0..=1)] u8),
    Bool(bool),
    Add(Box<Expr>, Box<Expr>),
    Less(Box<Expr>, Box<Expr>),
    If { condition: Box<Expr>, then: Box<Expr>, otherwise: Box<Expr> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Int,
    Bool,
}

#[rep_ok(opaque(Type))]
impl Expr {
    fn rep_ok(&self) -> bool {
        self.type_of().is_some()
    }

    fn type_of(&self) -> Option<Type> {
        match self {
            Expr::Int(_) => Some(Type::Int),
            Expr::Bool(_) => Some(Type::Bool),
            Expr::Add(a, b) => {
                let both = a.type_of()? == Type::Int && b.type_of()? == Type::Int;
                both.then_some(Type::Int)
            }
            Expr::Less(a, b) => {
                let both = a.type_of()? == Type::Int && b.type_of()? == Type::Int;
                both.then_some(Type::Bool)
            }
            Expr::If { condition, then, otherwise } => {
                if condition.type_of()? != Type::Bool {
                    return None;
                }
                then.type_of().filter(|t| otherwise.type_of() == Some(*t))
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    Int(u8),
    Bool(bool),
}

impl Expr {
    /// The value; panics if the expression has no type.
    fn eval(&self) -> Value {
        let int = |e: &Expr| match e.eval() {
            Value::Int(i) => i,
            Value::Bool(_) => panic!("{e:?} is no number"),
        };
        match self {
            Expr::Int(i) => Value::Int(*i),
            Expr::Bool(b) => Value::Bool(*b),
            Expr::Add(a, b) => Value::Int(int(a) + int(b)),
            Expr::Less(a, b) => Value::Bool(int(a) < int(b)),
            Expr::If { condition, then, otherwise } => match condition.eval() {
                Value::Bool(true) => then.eval(),
                Value::Bool(false) => otherwise.eval(),
                Value::Int(_) => panic!("{condition:?} is no truth value"),
            },
        }
    }

    /// An expression with the same value in which no condition is known.
    fn simplified(self) -> Expr {
        match self {
            Expr::If { condition, then, otherwise } => match condition.simplified() {
                Expr::Bool(true) => then.simplified(),
                Expr::Bool(false) => otherwise.simplified(),
                condition => Expr::If { condition: Box::new(condition), then, otherwise },
            },
            Expr::Less(a, b) => match (a.simplified(), b.simplified()) {
                (Expr::Int(a), Expr::Int(b)) => Expr::Bool(a < b),
                (a, b) => Expr::Less(Box::new(a), Box::new(b)),
            },
            other => other,
        }
    }
}

/// Expressions of `n` nodes: those that are numbers, and those that are truth values.
fn expressions(n: usize) -> (u64, u64) {
    if n <= 1 {
        return if n == 1 { (2, 2) } else { (0, 0) };
    }
    let pairs = |n: usize| (1..n).map(move |i| (i, n - i));
    let two_ints: u64 = pairs(n - 1).map(|(i, j)| expressions(i).0 * expressions(j).0).sum();
    let mut sum = (two_ints, two_ints);
    for (i, rest) in pairs(n - 1) {
        for (j, k) in pairs(rest) {
            let (condition, then, otherwise) = (expressions(i).1, expressions(j), expressions(k));
            sum.0 += condition * then.0 * otherwise.0;
            sum.1 += condition * then.1 * otherwise.1;
        }
    }
    sum
}

#[test]
fn the_typed_expressions_follow_their_grammar() {
    for n in 0..=6 {
        let typed: u64 = (1..=n + 1).map(expressions).map(|(ints, bools)| ints + bools).sum();
        assert_eq!(count::<Expr>(&Bounds::exact().objects("Expr", n as u32)), typed);
    }
}

#[smallscope::test(objects(Expr = 5), audit)]
fn what_has_a_type_has_a_value_of_it(e: Expr) {
    match (e.type_of(), e.eval()) {
        (Some(Type::Int), Value::Int(_)) | (Some(Type::Bool), Value::Bool(_)) => {}
        other => panic!("{other:?}"),
    }
}

#[smallscope::test(objects(Expr = 6))]
fn simplifying_keeps_type_and_value(e: Expr) {
    let simple = e.clone().simplified();
    assert_eq!((simple.type_of(), simple.eval()), (e.type_of(), e.eval()));
}
