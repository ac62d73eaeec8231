//! Conditions about one field: `x.next.is_null() || x.next != header && seen.contains(&x.next)`.
//!
//! Such a condition says of each value of the field, by itself, whether it refutes the invariant. So the values that do
//! are ruled out at once, before the condition is evaluated as it stands. It is made of comparisons of the field with
//! variables and constants, of `is_null()` and the like, and of `contains(&field)`, joined by `&&`, `||` and `!`.

use super::forms;
use crate::code::nested::{self, MirrorIs};
use crate::syntax::parse_quote;
use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::{BinOp, Expr, UnOp};

/// The field, and the condition about a reference `__v` to one of its values. None if the condition is about anything else,
/// or if it is a single question, which is asked as such.
pub(super) fn of(e: &Expr) -> Option<(Expr, Expr)> {
    let mut test = e.clone();
    Bare.visit_expr_mut(&mut test);
    let mut find = Find { field: None, questions: 0, has_set: false };
    if !find.is_condition(&test) || find.questions < 2 && !find.has_set {
        return None;
    }
    let field = find.field?;
    Replace { text: field.to_token_stream().to_string() }.visit_expr_mut(&mut test);
    Some((field, test))
}

/// Removes the probes of decisions: the condition is evaluated for values that the field does not have.
struct Bare;

impl VisitMut for Bare {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Some(decided) = decided(e) {
            *e = decided.clone();
            return self.visit_expr_mut(e);
        }
        visit_mut::visit_expr_mut(self, e);
    }
}

/// The condition inside of the probe of a decision.
fn decided(e: &Expr) -> Option<&Expr> {
    let Expr::Call(c) = e else { return None };
    match (&*c.func, c.args.get(2)) {
        (Expr::Path(p), Some(Expr::If(i))) if super::is_runtime(&p.path, "decide") => Some(&i.cond),
        _ => None,
    }
}

struct Find {
    field: Option<Expr>,
    questions: usize,
    has_set: bool,
}

impl Find {
    fn is_condition(&mut self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.is_condition(&p.expr),
            Expr::Unary(u) if matches!(u.op, UnOp::Not(_)) => self.is_condition(&u.expr),
            Expr::Binary(b) if matches!(b.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.is_condition(&b.left) && self.is_condition(&b.right)
            }
            Expr::Binary(b) if forms::is_comparison(&b.op) => {
                self.questions += 1;
                self.is_field(&b.left) && is_fixed(&b.right) || is_fixed(&b.left) && self.is_field(&b.right)
            }
            Expr::MethodCall(c) if forms::is_nullness(c) => {
                self.questions += 1;
                self.is_field(&c.receiver)
            }
            Expr::MethodCall(c) if c.method == "contains" && c.args.len() == 1 => {
                (self.questions, self.has_set) = (self.questions + 1, true);
                let is_set = matches!(&*c.receiver, Expr::Path(_));
                is_set
                    && matches!(&c.args[0], Expr::Reference(r) if r.mutability.is_none() && self.is_field(&r.expr))
            }
            _ => false,
        }
    }

    /// Whether this is the field that the condition is about.
    fn is_field(&mut self, e: &Expr) -> bool {
        let Expr::Field(f) = e else { return false };
        let text = |e: &Expr| e.to_token_stream().to_string();
        is_plain(&f.base) && text(self.field.get_or_insert_with(|| e.clone())) == text(e)
    }
}

/// A way to the field that changes nothing: variables, fields, dereferences.
fn is_plain(e: &Expr) -> bool {
    match e {
        Expr::Path(_) => true,
        Expr::Paren(p) => is_plain(&p.expr),
        Expr::Field(f) => is_plain(&f.base),
        Expr::Unary(u) => matches!(u.op, UnOp::Deref(_)) && is_plain(&u.expr),
        _ => false,
    }
}

/// A variable or a constant.
fn is_fixed(e: &Expr) -> bool {
    match e {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Paren(p) => is_fixed(&p.expr),
        Expr::Unary(u) => matches!(u.op, UnOp::Neg(_)) && matches!(&*u.expr, Expr::Lit(_)),
        _ => false,
    }
}

/// Puts the value in the place of the field.
struct Replace {
    text: String,
}

impl VisitMut for Replace {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Field(_) if self.is_field(e) => *e = parse_quote!((*__v)),
            Expr::Binary(b) if self.is_field(&b.left) => self.compare(e, MirrorIs::Left),
            Expr::Binary(b) if self.is_field(&b.right) => self.compare(e, MirrorIs::Right),
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }
}

impl Replace {
    fn is_field(&self, e: &Expr) -> bool {
        matches!(e, Expr::Field(_)) && e.to_token_stream().to_string() == self.text
    }

    /// A comparison of the field with a variable, which may be a collection.
    fn compare(&mut self, e: &mut Expr, field: MirrorIs) {
        let Expr::Binary(b) = e else { return };
        let at = Span::call_site();
        let (v, w) = (Ident::new("__v", at), Ident::new("__w", at));
        let (l, r, other) = match field {
            MirrorIs::Left => (&v, &w, &mut b.right),
            MirrorIs::Right => (&w, &v, &mut b.left),
        };
        match nested::compared(&b.op, (at, l), (at, r), field) {
            Some(compared) if matches!(**other, Expr::Path(_)) => {
                *e = parse_quote!({ let #w = &#other; #compared });
            }
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }
}
