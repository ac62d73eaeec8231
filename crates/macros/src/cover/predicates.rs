//! Conditions that the user has chosen, and the variables in them.

use super::bindings::{is_variable, of_pattern};
use super::text;
use crate::syntax::Matches;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Error, Expr, ExprCall, ExprClosure, ExprPath, Macro, Result};

/// A condition.
pub(crate) struct Predicate {
    pub(crate) expr: Expr,
    pub(crate) text: String,
    /// It can be evaluated where these are in scope.
    variables: BTreeSet<String>,
    /// Whether there was such a place.
    pub(crate) used: bool,
}

impl Predicate {
    pub(crate) fn new(expr: Expr) -> Result<Predicate> {
        let mut free = Free { names: BTreeSet::new(), bound: vec![] };
        free.visit_expr(&expr);
        if free.names.is_empty() {
            return Err(Error::new(
                expr.span(),
                "a predicate needs a variable of the code, such as `self` in `self.head.is_some()`",
            ));
        }
        Ok(Predicate { text: text::of(&expr), variables: free.names, expr, used: false })
    }

    pub(crate) fn is_in_scope(&self, scope: &[String]) -> bool {
        self.variables.iter().all(|name| scope.contains(name))
    }

    /// An error if there was no place to evaluate it.
    pub(crate) fn check_used(&self, seen: &BTreeSet<String>) -> Result<()> {
        if self.used {
            return Ok(());
        }
        let unknown: Vec<String> = self
            .variables
            .iter()
            .filter(|name| !seen.contains(*name))
            .map(|name| format!("`{name}`"))
            .collect();
        let why = match unknown.as_slice() {
            [] => "its variables are never in scope together at the beginning of a block".to_owned(),
            names => format!("{} is never in scope at the beginning of a block", names.join(", ")),
        };
        let known: Vec<String> = seen.iter().map(|name| format!("`{name}`")).collect();
        Err(Error::new(self.expr.span(), format!("{why}; variables that are: {}", known.join(", "))))
    }
}

/// Variables of an expression that it does not bind itself.
struct Free {
    names: BTreeSet<String>,
    bound: Vec<String>,
}

impl Free {
    fn add(&mut self, name: String) {
        if is_variable(&name) && !self.bound.contains(&name) {
            self.names.insert(name);
        }
    }

    /// What looks like a variable in the arguments of a macro.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let is = |i: Option<usize>, chars: &[char]| {
            let punct = i.and_then(|i| trees.get(i));
            matches!(punct, Some(TokenTree::Punct(p)) if chars.contains(&p.as_char()))
        };
        for (i, tree) in trees.iter().enumerate() {
            match tree {
                TokenTree::Group(group) => self.add_tokens(group.stream()),
                TokenTree::Ident(ident) => {
                    let name = ident.to_string();
                    let is_called = matches!(trees.get(i + 1), Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis);
                    let is_part = is(i.checked_sub(1), &['.', ':']) || is(Some(i + 1), &['!', ':']);
                    let is_keyword = syn::parse_str::<syn::Ident>(&name).is_err() && name != "self";
                    if !is_called && !is_part && !is_keyword {
                        self.add(name);
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Free {
    fn visit_expr_path(&mut self, e: &'ast ExprPath) {
        if let Some(ident) = e.path.get_ident() {
            self.add(ident.to_string());
        }
    }

    fn visit_expr_call(&mut self, e: &'ast ExprCall) {
        if !matches!(&*e.func, Expr::Path(_)) {
            self.visit_expr(&e.func);
        }
        e.args.iter().for_each(|arg| self.visit_expr(arg));
    }

    fn visit_expr_closure(&mut self, e: &'ast ExprClosure) {
        let bound = self.bound.len();
        self.bound.extend(e.inputs.iter().flat_map(of_pattern));
        visit::visit_expr_closure(self, e);
        self.bound.truncate(bound);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        match Matches::open(mac) {
            Some(Matches { expr, pat, guard }) => {
                self.visit_expr(&expr);
                let bound = self.bound.len();
                self.bound.extend(of_pattern(&pat));
                guard.iter().for_each(|guard| self.visit_expr(guard));
                self.bound.truncate(bound);
            }
            None => self.add_tokens(mac.tokens.to_token_stream()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Predicate;

    #[test]
    fn free_variables() {
        for (source, variables) in [
            ("self.nodes[node].left.is_some()", "node self"),
            ("x.is_some_and(|y| y < z)", "x z"),
            ("matches!(self.color(node), Color::Red)", "node self"),
            ("matches!(a[i], None | Some(_))", "a i"),
            ("matches!(a, Some(b) if b > c)", "a c"),
            ("all!(a, f(b), c.d, E::F, g![h])", "a b c h"),
            ("depth(tree) > LIMIT", "tree"),
            ("side == Side::Left", "side"),
        ] {
            let predicate = Predicate::new(syn::parse_str(source).unwrap()).ok().unwrap();
            let found: Vec<&str> = predicate.variables.iter().map(String::as_str).collect();
            assert_eq!(found.join(" "), variables, "{source}");
        }
        assert!(Predicate::new(syn::parse_str("LIMIT > 3").unwrap()).is_err());
    }
}
