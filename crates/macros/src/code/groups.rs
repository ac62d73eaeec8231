//! Invisible parentheses.
//!
//! An expression that reaches us by way of a `macro_rules` variable, as `$check` in `$check && ..`, is held
//! together by a group without delimiters, which the compiler forgets when it comes back from an attribute.
//! So that `a || b` stays one operand, such groups get real parentheses, in the original too.

use super::std_macros;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{any_token, parse_quote};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::{Expr, Macro};

/// Whether there is anything to do.
pub(super) fn has_invisible(tokens: TokenStream) -> bool {
    any_token(tokens, &|token| matches!(token, TokenTree::Group(g) if g.delimiter() == Delimiter::None))
}

/// Makes invisible parentheses around expressions visible.
pub(super) struct ShowGroups;

impl VisitMut for ShowGroups {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let Expr::Group(g) = e {
            let inner = &*g.expr;
            let holds_together = matches!(
                inner,
                Expr::Path(_)
                    | Expr::Lit(_)
                    | Expr::Paren(_)
                    | Expr::Field(_)
                    | Expr::Index(_)
                    | Expr::Call(_)
                    | Expr::MethodCall(_)
                    | Expr::Macro(_)
                    | Expr::Tuple(_)
                    | Expr::Array(_)
            );
            *e = if holds_together { inner.clone() } else { parse_quote!((#inner)) };
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if has_invisible(mac.tokens.clone()) {
            std_macros::change(mac, &mut |e| self.visit_expr_mut(e));
        }
    }
}
