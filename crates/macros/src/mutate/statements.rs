//! Which statements can be left out, so that the rest has the same types and every variable still has a value.

use super::facts::Facts;
use crate::syntax::last_name;
use syn::visit::{self, Visit};
use syn::{Expr, ExprAssign, Stmt};

/// Functions that do not return, or that end a borrow which the rest needs to be over.
const NEEDED: [&str; 11] = [
    "abort",
    "close",
    "commit",
    "drop",
    "exit",
    "finish",
    "forget",
    "panic_any",
    "resume_unwind",
    "unreachable_unchecked",
    "yield_now",
];

/// Whether a statement can be left out. `is_last` says whether it is the last one of its block, and `is_unit` whether
/// the block has no value.
pub(crate) fn can_be_left_out(stmt: &Stmt, is_last: bool, is_unit: bool, facts: &Facts) -> bool {
    let Stmt::Expr(expr, semicolon) = stmt else { return false };
    // The last statement of a block with a value does not return.
    let is_free = !is_last || is_unit;
    match expr {
        Expr::Assign(assign) => semicolon.is_some() && facts.has_value(&assign.left),
        Expr::Binary(_) => semicolon.is_some(),
        Expr::Call(call) => {
            let name = match &*call.func {
                Expr::Path(path) => last_name(&path.path),
                _ => String::new(),
            };
            semicolon.is_some() && is_free && is_optional(&name, is_last, facts)
        }
        Expr::MethodCall(call) => {
            semicolon.is_some() && is_free && is_optional(&call.method.to_string(), is_last, facts)
        }
        Expr::If(branch) if branch.else_branch.is_none() => gives_nothing_a_value(expr, facts),
        Expr::While(_) | Expr::ForLoop(_) => gives_nothing_a_value(expr, facts),
        Expr::If(_) | Expr::Match(_) => is_free && gives_nothing_a_value(expr, facts),
        _ => false,
    }
}

fn is_optional(name: &str, is_last: bool, facts: &Facts) -> bool {
    // If it does not return, other branches may have given the variable its value.
    let is_needed = NEEDED.contains(&name) || is_last && facts.has_late_variables();
    !is_needed
}

/// Whether every place that is assigned to has a value without it.
fn gives_nothing_a_value(expr: &Expr, facts: &Facts) -> bool {
    let mut search = Assignments { facts, is_needed: false };
    search.visit_expr(expr);
    !search.is_needed
}

struct Assignments<'a> {
    facts: &'a Facts,
    is_needed: bool,
}

impl<'ast> Visit<'ast> for Assignments<'_> {
    fn visit_expr_assign(&mut self, e: &'ast ExprAssign) {
        self.is_needed |= !self.facts.has_value(&e.left);
        visit::visit_expr_assign(self, e);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
