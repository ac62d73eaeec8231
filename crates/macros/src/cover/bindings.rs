//! The variables that are in scope, by name.

use syn::visit::{self, Visit};
use syn::{Expr, ExprLet, Pat, PatIdent};

/// The variables that a pattern binds. A capital letter means a constant or a variant.
pub(crate) fn of_pattern(pat: &Pat) -> Vec<String> {
    let mut names = Names(vec![]);
    names.visit_pat(pat);
    names.0
}

/// The variables that `let`s in a condition bind for what comes after it.
pub(crate) fn of_condition(condition: &Expr) -> Vec<String> {
    match condition {
        Expr::Let(ExprLet { pat, .. }) => of_pattern(pat),
        Expr::Binary(e) => [of_condition(&e.left), of_condition(&e.right)].concat(),
        Expr::Group(e) => of_condition(&e.expr),
        _ => vec![],
    }
}

/// Whether a name is one of a variable.
pub(crate) fn is_variable(name: &str) -> bool {
    !name.starts_with(char::is_uppercase)
}

struct Names(Vec<String>);

impl<'ast> Visit<'ast> for Names {
    fn visit_pat_ident(&mut self, pat: &'ast PatIdent) {
        let name = pat.ident.to_string();
        if is_variable(&name) {
            self.0.push(name);
        }
        visit::visit_pat_ident(self, pat);
    }

    // Expressions in patterns are constants.
    fn visit_expr(&mut self, _: &'ast Expr) {}
}
