//! The result of a branch, where the source says it: `{ return false }`, `None => true`.

use crate::code::names;
use crate::code::patterns::any_pat;
use crate::syntax::visit_mut::VisitMut;
use crate::syntax::{ends_with, is_ident_of};
use syn::{Block, Expr, ExprCall, ExprReturn, Lit, Macro, Pat, Path, Stmt};

/// The result of a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// Its value is `true`, or it is `false`, `None` or `Err`.
    Is(bool),
    /// The function returns that.
    Returns(bool),
}

/// The outcome of an expression, if it does nothing else.
pub(super) fn of(e: &Expr) -> Option<Outcome> {
    match e {
        Expr::Paren(p) => of(&p.expr),
        Expr::Block(b) if b.label.is_none() => of_block(&b.block),
        Expr::Lit(l) => match &l.lit {
            Lit::Bool(b) => Some(Outcome::Is(b.value)),
            _ => None,
        },
        Expr::Path(p) if is_std(&p.path, "None") => Some(Outcome::Is(false)),
        Expr::Call(c) => match &*c.func {
            Expr::Path(p) if is_std(&p.path, "Err") && !may_leave(c) => Some(Outcome::Is(false)),
            _ => None,
        },
        Expr::Return(ExprReturn { expr: Some(e), .. }) => match of(e)? {
            Outcome::Is(value) => Some(Outcome::Returns(value)),
            returns => Some(returns),
        },
        _ => None,
    }
}

/// The same for a block.
pub(super) fn of_block(b: &Block) -> Option<Outcome> {
    let mut only = None;
    for stmt in &b.stmts {
        if !is_probe(stmt) && only.replace(stmt).is_some() {
            return None;
        }
    }
    let Some(Stmt::Expr(e, semicolon)) = only else { return None };
    match of(e)? {
        Outcome::Is(_) if semicolon.is_some() => None,
        outcome => Some(outcome),
    }
}

/// `__p::step();` and the like, which earlier steps have put in.
pub(super) fn is_probe(s: &Stmt) -> bool {
    let Stmt::Expr(Expr::Call(c), Some(_)) = s else { return false };
    matches!(&*c.func, Expr::Path(p) if p.path.segments.len() == 2
        && p.path.segments[0].ident == "__p"
        && matches!(p.path.segments[1].ident.to_string().as_str(), "step" | "arm" | "before_unsafe"))
}

/// Whether an argument may end in another way than with its value.
fn may_leave(call: &ExprCall) -> bool {
    struct Find(bool);
    impl VisitMut for Find {
        fn visit_expr_mut(&mut self, e: &mut Expr) {
            self.0 |= matches!(
                e,
                Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Try(_) | Expr::Await(_)
            );
            crate::syntax::visit_mut::visit_expr_mut(self, e);
        }
        fn visit_macro_mut(&mut self, mac: &mut Macro) {
            self.0 |= !is_ident_of(&mac.path, &["format", "line", "stringify"]);
        }
    }
    let mut find = Find(false);
    for argument in &call.args {
        find.visit_expr_mut(&mut argument.clone());
    }
    find.0
}

/// What a pattern says about an `Option` or `Result`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// It matches every `Some` or `Ok`, and nothing else.
    Present,
    /// It matches some of these.
    PartlyPresent,
    /// It matches every `None` or `Err`, and nothing else.
    Absent,
    /// It matches everything.
    Anything,
    /// Nothing is known.
    Unknown,
}

pub(super) fn shape(p: &Pat) -> Shape {
    match p {
        Pat::Paren(p) => shape(&p.pat),
        Pat::Reference(r) => shape(&r.pat),
        Pat::Ident(i) if i.subpat.is_none() && i.ident == "None" => Shape::Absent,
        Pat::Path(p) if is_std(&p.path, "None") => Shape::Absent,
        Pat::TupleStruct(t) => {
            let all = t.elems.len() == 1 && is_irrefutable(&t.elems[0]);
            if is_std(&t.path, "Some") || is_std(&t.path, "Ok") {
                if all { Shape::Present } else { Shape::PartlyPresent }
            } else if is_std(&t.path, "Err") && all {
                Shape::Absent
            } else {
                Shape::Unknown
            }
        }
        p if is_irrefutable(p) => Shape::Anything,
        _ => Shape::Unknown,
    }
}

/// Whether a pattern matches everything. A pattern of a struct may be one of a variant, so it does not count.
fn is_irrefutable(p: &Pat) -> bool {
    match p {
        Pat::Wild(_) | Pat::Rest(_) => true,
        Pat::Ident(i) => {
            !names::is_capital(&i.ident) && i.subpat.as_ref().is_none_or(|(_, p)| is_irrefutable(p))
        }
        Pat::Paren(p) => is_irrefutable(&p.pat),
        Pat::Reference(r) => is_irrefutable(&r.pat),
        Pat::Type(t) => is_irrefutable(&t.pat),
        Pat::Tuple(t) => !any_pat(&t.elems, &|_, p| !is_irrefutable(p)),
        _ => false,
    }
}

/// `Some`, `Option::Some`.
fn is_std(path: &Path, name: &str) -> bool {
    ends_with(path, name)
        && (path.segments.len() == 1
            || matches!(path.segments[0].ident.to_string().as_str(), "Option" | "Result"))
}
