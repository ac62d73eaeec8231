//! The mutations of an expression: the four kinds of the paper about call sequences, adapted to Rust.
//!
//! * *operator*: another comparison, another calculation, `&&` for `||` and the reverse; and for methods that act as
//!   operators, `min` for `max`, `is_some` for `is_none` and so on.
//! * *constant*: a number next to it, zero, one; the other truth value; another variant of an enum without fields.
//! * *decision*: the opposite of a condition that is no comparison.
//! * *statement*: left out.

use quote::ToTokens;
use std::collections::HashMap;
use std::mem::discriminant;
use syn::{BinOp, Expr, ExprBinary, ExprLit, ExprMethodCall, Lit, LitBool, LitInt, parse_quote};

/// A replacement of an expression.
pub struct Change {
    pub operator: &'static str,
    pub expr: Expr,
}

/// Enums of the file, and their variants, if none of these has fields.
pub type Enums = HashMap<String, Vec<String>>;

/// All mutations of an expression itself, without those of its parts.
pub fn changes(expr: &Expr, enums: &Enums) -> Vec<Change> {
    match expr {
        Expr::Binary(binary) => operators(binary),
        Expr::Lit(literal) => constants(literal),
        Expr::Path(path) => variants(path, enums),
        Expr::MethodCall(call) => methods(call),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Not(_)) => {
            vec![Change { operator: "operator", expr: (*unary.expr).clone() }]
        }
        _ => vec![],
    }
}

/// The opposite of a condition, unless a changed operator already gives it.
pub fn opposite(condition: &Expr) -> Option<Change> {
    let is_changed_anyway = match condition {
        Expr::Binary(binary) => is_comparison(&binary.op),
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Not(_)),
        Expr::MethodCall(call) => {
            other_method(&call.method.to_string()).is_some_and(|(_, is_opposite)| is_opposite)
        }
        Expr::Lit(_) => true,
        _ => false,
    };
    let condition = operand(condition);
    (!is_changed_anyway).then(|| Change { operator: "decision", expr: parse_quote!(!#condition) })
}

/// Whether it contains a `let`, which cannot be moved.
pub fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(ExprBinary { left, op: BinOp::And(_), right, .. }) => has_let(left) || has_let(right),
        _ => false,
    }
}

fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_))
}

fn operators(binary: &ExprBinary) -> Vec<Change> {
    let comparisons: [BinOp; 6] = [
        parse_quote!(<),
        parse_quote!(<=),
        parse_quote!(>),
        parse_quote!(>=),
        parse_quote!(==),
        parse_quote!(!=),
    ];
    let calculations: [BinOp; 5] =
        [parse_quote!(+), parse_quote!(-), parse_quote!(*), parse_quote!(/), parse_quote!(%)];
    let bits: [BinOp; 3] = [parse_quote!(&), parse_quote!(|), parse_quote!(^)];
    let shifts: [BinOp; 2] = [parse_quote!(<<), parse_quote!(>>)];
    let logic: [BinOp; 2] = [parse_quote!(&&), parse_quote!(||)];
    let assignments: [BinOp; 2] = [parse_quote!(+=), parse_quote!(-=)];
    let families: [&[BinOp]; 6] = [&comparisons, &calculations, &bits, &shifts, &logic, &assignments];
    let is_this = |op: &BinOp| discriminant(op) == discriminant(&binary.op);
    let Some(family) = families.into_iter().find(|family| family.iter().any(is_this)) else { return vec![] };
    let change = |op: &BinOp| {
        let (left, right) = (operand(&binary.left), operand(&binary.right));
        Change { operator: "operator", expr: parse_quote!(#left #op #right) }
    };
    family.iter().filter(|op| !is_this(op)).map(change).collect()
}

/// An operand that stays one next to any operator.
fn operand(expr: &Expr) -> Expr {
    match expr {
        Expr::Path(_)
        | Expr::Lit(_)
        | Expr::Paren(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Call(_)
        | Expr::MethodCall(_)
        | Expr::Unary(_) => expr.clone(),
        _ => parse_quote!((#expr)),
    }
}

fn constants(literal: &ExprLit) -> Vec<Change> {
    let constant = |expr: Expr| Change { operator: "constant", expr };
    match &literal.lit {
        Lit::Bool(LitBool { value, .. }) => {
            let other = !value;
            vec![constant(parse_quote!(#other))]
        }
        Lit::Int(number) => {
            let Ok(value) = number.base10_parse::<u64>() else { return vec![] };
            let mut values = vec![0, 1, value.saturating_sub(1), value.saturating_add(1)];
            values.sort_unstable();
            values.dedup();
            values.retain(|other| *other != value);
            let written = |value: u64| {
                let other = LitInt::new(&format!("{value}{}", number.suffix()), number.span());
                constant(parse_quote!(#other))
            };
            values.into_iter().map(written).collect()
        }
        _ => vec![],
    }
}

fn variants(path: &syn::ExprPath, enums: &Enums) -> Vec<Change> {
    let segments: Vec<_> = path.path.segments.iter().collect();
    let [name, variant] = segments[..] else { return vec![] };
    let Some(all) = enums.get(&name.ident.to_string()) else { return vec![] };
    let others = all.iter().filter(|other| variant.ident != other.as_str());
    let change = |other: &String| {
        let other = syn::Ident::new(other, variant.ident.span());
        Change { operator: "constant", expr: parse_quote!(#name::#other) }
    };
    others.map(change).collect()
}

/// The counterpart of a method, and whether its result is always the opposite.
fn other_method(name: &str) -> Option<(&'static str, bool)> {
    const PAIRS: [(&str, &str, bool); 6] = [
        ("is_some", "is_none", true),
        ("is_ok", "is_err", true),
        ("is_some_and", "is_none_or", false),
        ("min", "max", false),
        ("any", "all", false),
        ("rotate_left", "rotate_right", false),
    ];
    PAIRS.iter().find_map(|(one, other, is_opposite)| match name {
        _ if name == *one => Some((*other, *is_opposite)),
        _ if name == *other => Some((*one, *is_opposite)),
        _ => None,
    })
}

fn methods(call: &ExprMethodCall) -> Vec<Change> {
    let operator = |expr: Expr| vec![Change { operator: "operator", expr }];
    if call.method == "cmp" {
        return operator(parse_quote!(#call.reverse()));
    }
    match other_method(&call.method.to_string()) {
        Some((other, _)) => {
            let method = syn::Ident::new(other, call.method.span());
            operator(Expr::MethodCall(ExprMethodCall { method, ..call.clone() }))
        }
        None => vec![],
    }
}

/// An expression formatted as in source code, approximately.
pub fn written(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (spaced, plain) in [
        (" . ", "."),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" [", "["),
        ("[ ", "["),
        (" ]", "]"),
        (" :: ", "::"),
        (" ,", ","),
        (" ;", ";"),
        ("& ", "&"),
        ("! ", "!"),
        (" ?", "?"),
    ] {
        text = text.replace(spaced, plain);
    }
    text = text.replace("&&", "&& ").replace("!=", "!= ").replace("assert !(", "assert!(");
    for operator in ["<=", ">=", "==", "<", ">", "+", "-", "/", "%"] {
        text = text.replace(&format!(" {operator}("), &format!(" {operator} ("));
    }
    text.replace("  ", " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(expr: Expr) -> Vec<String> {
        let enums = Enums::from([("Color".to_owned(), vec!["Red".to_owned(), "Black".to_owned()])]);
        changes(&expr, &enums).iter().map(|change| written(&change.expr)).collect()
    }

    #[test]
    fn operators_become_others_of_their_kind() {
        assert_eq!(changed(parse_quote!(a < b)), ["a <= b", "a > b", "a >= b", "a == b", "a != b"]);
        assert_eq!(changed(parse_quote!(a && b)), ["a || b"]);
        assert_eq!(changed(parse_quote!(a += 1)), ["a -= 1"]);
        assert_eq!(
            changed(parse_quote!(a - 1 - b)),
            ["(a - 1) + b", "(a - 1) * b", "(a - 1) / b", "(a - 1) % b"]
        );
        assert_eq!(changed(parse_quote!(!a)), ["a"]);
        assert_eq!(changed(parse_quote!(a.max(b))), ["a.min(b)"]);
        assert_eq!(changed(parse_quote!(a.cmp(b))), ["a.cmp(b).reverse()"]);
        assert!(changed(parse_quote!(a = b)).is_empty());
    }

    #[test]
    fn constants_become_others_of_their_type() {
        assert_eq!(changed(parse_quote!(7)), ["0", "1", "6", "8"]);
        assert_eq!(changed(parse_quote!(0)), ["1"]);
        assert_eq!(changed(parse_quote!(1u8)), ["0u8", "2u8"]);
        assert_eq!(changed(parse_quote!(true)), ["false"]);
        assert_eq!(changed(parse_quote!(Color::Red)), ["Color::Black"]);
        assert!(changed(parse_quote!(Ordering::Less)).is_empty());
    }

    #[test]
    fn conditions_have_opposites_that_are_nothing_else() {
        let opposite = |expr: Expr| opposite(&expr).map(|change| written(&change.expr));
        assert_eq!(opposite(parse_quote!(a && b)).as_deref(), Some("!(a && b)"));
        assert_eq!(opposite(parse_quote!(list.is_empty())).as_deref(), Some("!list.is_empty()"));
        assert_eq!(opposite(parse_quote!(a < b)), None);
        assert_eq!(opposite(parse_quote!(a.is_some())), None);
        assert!(has_let(&parse_quote!(a && let Some(b) = c)) && !has_let(&parse_quote!(a && b)));
    }
}
