//! Patterns inside of fields, which the copy of an invariant cannot match as they stand.

use smallscope::{Bounded, mirror, rep_ok};

/// A syntax tree.
#[derive(Bounded, Debug, Clone, PartialEq)]
pub enum Expr {
    /// A number.
    Number(u8),
    /// A negation.
    Minus(Box<Expr>),
    /// A sum.
    Sum {
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// Several operands, of which the last may be missing.
    Many(Vec<Expr>, Option<Box<Expr>>),
}

#[rep_ok(fn is_plain)]
impl Expr {
    fn rep_ok(&self) -> bool {
        self.is_simple() && self.depth() < 3 && !self.is_odd() && is_plain(self)
    }

    /// Nested patterns, guards, alternatives and bindings in arms.
    fn is_simple(&self) -> bool {
        match self {
            Expr::Number(n @ 0..=1) => *n < 2,
            Expr::Number(2 | 3) | Expr::Minus(_) => true,
            Expr::Sum { left, right } if left.is_simple() => right.is_simple(),
            Expr::Sum { left: _, right } => right.is_simple(),
            Expr::Many(items, Some(last)) if items.is_empty() => last.is_simple(),
            Expr::Many(items, None) => items.iter().all(Expr::is_simple),
            Expr::Number(_) | Expr::Many(..) => false,
        }
    }

    /// `if let`, `let` with `else`, `while let` and `?` on nested patterns.
    fn depth(&self) -> usize {
        if let Expr::Many(_, Some(last)) = self {
            return 1 + last.depth();
        }
        let Expr::Minus(inner) = self else { return 0 };
        let mut depth = 1;
        let mut next = inner;
        while let Expr::Minus(inner) = &**next {
            depth += 1;
            next = inner;
        }
        depth + usize::from(next.number().is_some())
    }

    fn number(&self) -> Option<u8> {
        let number = match self {
            Expr::Number(number) => Some(*number),
            _ => None,
        }?;
        number.checked_sub(1)
    }

    fn is_odd(&self) -> bool {
        matches!(self, Expr::Minus(inner) if matches!(**inner, Expr::Number(1)))
    }
}

#[mirror]
fn is_plain(expr: &Expr) -> bool {
    !matches!(expr, Expr::Sum { left, .. } if matches!(**left, Expr::Number(0)))
}

/// A pair of links, matched as a tuple.
#[derive(Bounded, Debug)]
pub struct Links {
    first: Option<Box<Link>>,
    second: Option<Box<Link>>,
}

#[derive(Bounded, Debug)]
struct Link {
    marks: (bool, Option<u8>),
    next: Option<Box<Link>>,
}

#[rep_ok]
impl Links {
    fn rep_ok(&self) -> bool {
        match (&self.first, &self.second) {
            (None, None) => true,
            (Some(link), None) | (None, Some(link)) => Self::is_short(link),
            (Some(first), Some(second)) => first.marks == second.marks && Self::is_short(first),
        }
    }

    fn is_short(link: &Link) -> bool {
        let Link { marks: (flag, number), next } = link;
        let limit = |number: &u8| *number < 2;
        if let (true, Some(number)) = (flag, number) {
            return limit(number) && next.is_none();
        }
        match link {
            Link { marks: (false, Some(number)), next: None } => limit(number),
            Link { marks: (_, None), next: Some(next) } => next.next.is_none() && !next.marks.0,
            Link { next, .. } => next.is_none(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Expr, Links};

    #[smallscope::test(scope = 2, max = 2000, ints(Expr::Number.0 = 0..=4))]
    fn expressions(expr: &Expr) {
        assert!(expr.is_simple());
    }

    #[smallscope::test(scope = 2)]
    fn links(links: &Links) {
        assert!(links.rep_ok());
    }
}
