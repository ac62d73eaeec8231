//! Arithmetic expressions as a syntax tree, and a function that simplifies them.

/// An expression over one variable.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(test, derive(smallscope::Bounded))]
#[cfg_attr(test, bounded(no_invariant))]
pub enum Expression {
    /// A number.
    Number(i32),
    /// The variable.
    Variable,
    /// A sum.
    Add(Box<Expression>, Box<Expression>),
    /// A product.
    Multiply(Box<Expression>, Box<Expression>),
}

impl Expression {
    /// The value for a value of the variable.
    pub fn evaluate(&self, variable: i32) -> i32 {
        match self {
            Expression::Number(n) => *n,
            Expression::Variable => variable,
            Expression::Add(a, b) => a.evaluate(variable) + b.evaluate(variable),
            Expression::Multiply(a, b) => a.evaluate(variable) * b.evaluate(variable),
        }
    }

    /// The number of numbers, variables and operators.
    pub fn size(&self) -> usize {
        match self {
            Expression::Number(_) | Expression::Variable => 1,
            Expression::Add(a, b) | Expression::Multiply(a, b) => 1 + a.size() + b.size(),
        }
    }

    /// An equal expression without sums with 0, products with 0 or 1, and operations on two numbers.
    pub fn simplify(self) -> Expression {
        use Expression::{Add, Multiply, Number};
        match self {
            Add(a, b) => match (a.simplify(), b.simplify()) {
                (Number(0), x) | (x, Number(0)) => x,
                (Number(m), Number(n)) => Number(m + n),
                (a, b) => Add(Box::new(a), Box::new(b)),
            },
            Multiply(a, b) => match (a.simplify(), b.simplify()) {
                (Number(0), _) | (_, Number(0)) => Number(0),
                (Number(1), x) | (x, Number(1)) => x,
                (Number(m), Number(n)) => Number(m * n),
                (a, b) => Multiply(Box::new(a), Box::new(b)),
            },
            leaf => leaf,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The root is not taken from the pool: up to four more expressions are below it.
    #[smallscope::test(scope = 4, ints(Expression::Number.0 = -1..=2))]
    fn simplify_keeps_the_value(expression: Expression) {
        let simple = expression.clone().simplify();
        assert!(simple.size() <= expression.size());
        assert!((-3..=3).all(|x| simple.evaluate(x) == expression.evaluate(x)));
    }

    #[smallscope::test(scope = 4, ints(Expression::Number.0 = -1..=2))]
    fn simplify_is_idempotent(expression: Expression) {
        let simple = expression.simplify();
        assert_eq!(simple.clone().simplify(), simple);
    }
}
