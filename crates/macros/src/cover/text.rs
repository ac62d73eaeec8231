//! Names of blocks.

use crate::syntax::text;
use quote::ToTokens;
use syn::{Expr, Local, Stmt};

/// Tokens on one line, shortened.
pub(crate) fn of(tokens: &impl ToTokens) -> String {
    text::of(tokens.to_token_stream())
}

/// What a statement begins with: enough to find it.
pub(crate) fn head(stmt: &Stmt) -> String {
    match stmt {
        Stmt::Expr(expr, _) => head_of_expr(expr),
        Stmt::Local(Local { pat, init: Some(init), .. }) => {
            format!("let {} = {}", of(pat), head_of_expr(&init.expr))
        }
        _ => of(stmt),
    }
}

fn head_of_expr(expr: &Expr) -> String {
    match expr {
        Expr::If(e) => format!("if {}", of(&e.cond)),
        Expr::Match(e) => format!("match {}", of(&e.expr)),
        Expr::While(e) => format!("while {}", of(&e.cond)),
        Expr::ForLoop(e) => format!("for {} in {}", of(&e.pat), of(&e.expr)),
        Expr::Loop(_) => "loop".into(),
        _ => of(expr),
    }
}
