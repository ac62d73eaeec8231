//! Names of blocks.

use crate::syntax::{PLAIN, text};
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Local, Stmt};

/// Tokens on one line, shortened.
pub(crate) fn of(tokens: &impl ToTokens) -> String {
    text::of(written(tokens.to_token_stream()))
}

/// Tokens with the names that the user has written: `#[mutate]` above may have changed those of methods.
fn written(tokens: TokenStream) -> TokenStream {
    let token = |token| match token {
        TokenTree::Group(group) => TokenTree::Group(Group::new(group.delimiter(), written(group.stream()))),
        TokenTree::Ident(ident) => match ident.to_string().strip_prefix(PLAIN) {
            Some(name) => TokenTree::Ident(Ident::new(name, ident.span())),
            None => TokenTree::Ident(ident),
        },
        other => other,
    };
    tokens.into_iter().map(token).collect()
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
