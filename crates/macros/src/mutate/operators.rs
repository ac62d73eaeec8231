//! The changes of an expression itself, without those of its parts.
//!
//! The operators are the method-level operators of muJava, where Rust has what they change, and the four classes of
//! Andrews et al.: constants, operators, decisions and statements.
//!
//! * `aor`: another arithmetic operator; `aod`: a sign left out; `aoi`: a variable one greater, one less, or negative;
//! * `ror`: another comparison, also the order that `cmp` returns;
//! * `cor`: another of `&&`, `||` and `!=`; `coi`: an operand of these negated; `cod`: a `!` left out;
//! * `sor`: the other shift; `lor`: another of `&`, `|` and `^`; `loi` and `lod`: `!` on a number added or left out;
//! * `asr`: another operator of an assignment;
//! * `const`: another constant; `neg`: the opposite of a decision; `del`: a statement left out.

use super::facts::Facts;
use crate::syntax::{parse_quote, quote};
use std::mem::discriminant;
use syn::{BinOp, Expr, ExprBinary, ExprLit, Lit, LitInt, UnOp};

/// A replacement of an expression.
pub(crate) struct Change {
    pub(crate) operator: &'static str,
    /// The expression in its place, for people and for the hash.
    pub(crate) after: Expr,
    pub(crate) how: How,
}

/// How the replacement is compiled.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum How {
    /// As it is: it has a type wherever the original has one.
    Written,
    /// By a method that only some types have. The name of a variant of `Op`.
    Typed(&'static str),
}

/// How the operands of a changed operation are passed to the method that carries it out.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Form {
    /// One value.
    Single,
    /// Two values.
    Pair,
    /// Two values, compared.
    Comparison,
    /// A place and a value.
    Assignment,
    /// Two values of different types.
    Shift,
    /// A place and a value of different types.
    ShiftAssignment,
}

const ARITHMETIC: [(&str, &str); 5] = [("+", "Add"), ("-", "Sub"), ("*", "Mul"), ("/", "Div"), ("%", "Rem")];
const BITS: [(&str, &str); 3] = [("&", "And"), ("|", "Or"), ("^", "Xor")];
const SHIFTS: [(&str, &str); 2] = [("<<", "Shl"), (">>", "Shr")];
const COMPARISONS: [(&str, &str); 6] =
    [("<", "Lt"), ("<=", "Le"), (">", "Gt"), (">=", "Ge"), ("==", ""), ("!=", "")];
const LOGIC: [&str; 3] = ["&&", "||", "!="];

fn parsed(op: &str) -> BinOp {
    syn::parse_str(op).expect("an operator")
}

fn is(op: &BinOp, text: &str) -> bool {
    discriminant(op) == discriminant(&parsed(text))
}

fn replaced(binary: &ExprBinary, op: &str) -> Expr {
    let (left, op, right) = (operand(&binary.left), parsed(op), operand(&binary.right));
    parse_quote!(#left #op #right)
}

/// An operand that stays one next to any operator.
pub(crate) fn operand(expr: &Expr) -> Expr {
    match expr {
        Expr::Path(_)
        | Expr::Lit(_)
        | Expr::Paren(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Call(_)
        | Expr::MethodCall(_)
        | Expr::Unary(_)
        | Expr::Macro(_) => expr.clone(),
        _ => parse_quote!((#expr)),
    }
}

/// Whether it contains a `let`, which cannot be moved.
pub(crate) fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(ExprBinary { left, op: BinOp::And(_), right, .. }) => has_let(left) || has_let(right),
        _ => false,
    }
}

/// The changes of an operator with two operands.
pub(crate) fn of_binary(binary: &ExprBinary) -> (Form, Vec<Change>) {
    let typed = |operator, family: &[(&'static str, &'static str)], suffix: &str| {
        let others = family.iter().filter(|(op, _)| !is(&binary.op, &format!("{op}{suffix}")));
        others
            .map(|(op, name)| Change {
                operator,
                after: replaced(binary, &format!("{op}{suffix}")),
                how: How::Typed(name),
            })
            .collect::<Vec<_>>()
    };
    let has = |family: &[(&str, &str)], suffix: &str| {
        family.iter().any(|(op, _)| is(&binary.op, &format!("{op}{suffix}")))
    };
    if has(&COMPARISONS, "") {
        return (Form::Comparison, comparisons(binary));
    }
    if has(&ARITHMETIC, "") {
        return (Form::Pair, typed("aor", &ARITHMETIC, ""));
    }
    if has(&BITS, "") {
        return (Form::Pair, typed("lor", &BITS, ""));
    }
    if has(&SHIFTS, "") {
        return (Form::Shift, typed("sor", &SHIFTS, ""));
    }
    if has(&SHIFTS, "=") {
        return (Form::ShiftAssignment, typed("asr", &SHIFTS, "="));
    }
    if has(&ARITHMETIC, "=") {
        let mut changes = typed("asr", &ARITHMETIC, "=");
        let (left, right) = (&binary.left, &binary.right);
        changes.push(Change { operator: "asr", after: parse_quote!(#left = #right), how: How::Typed("Set") });
        return (Form::Assignment, changes);
    }
    if has(&BITS, "=") {
        return (Form::Assignment, typed("asr", &BITS, "="));
    }
    let logic = LOGIC.iter().filter(|_| is(&binary.op, "&&") || is(&binary.op, "||"));
    let others = logic.filter(|op| !is(&binary.op, op));
    let change = |op: &&str| Change { operator: "cor", after: replaced(binary, op), how: How::Written };
    (Form::Pair, others.map(change).collect())
}

/// What is ordered can be compared for equality, but not the other way round.
fn comparisons(binary: &ExprBinary) -> Vec<Change> {
    let is_order = !is(&binary.op, "==") && !is(&binary.op, "!=");
    let others = COMPARISONS.iter().filter(|(op, _)| !is(&binary.op, op));
    let change = |(op, name): &(&'static str, &'static str)| Change {
        operator: "ror",
        after: replaced(binary, op),
        how: if is_order || name.is_empty() { How::Written } else { How::Typed(name) },
    };
    others.map(change).collect()
}

/// The changes of an expression that is not an operator with two operands.
pub(crate) fn of_other(expr: &Expr, facts: &Facts) -> Vec<Change> {
    match expr {
        Expr::Lit(literal) => constants(literal, false),
        Expr::Unary(unary) => match (&unary.op, &*unary.expr) {
            (UnOp::Neg(_), Expr::Lit(literal)) => {
                let mut changes = constants(literal, true);
                let after = Expr::Lit(literal.clone());
                changes.push(Change { operator: "aod", after, how: How::Written });
                changes
            }
            (UnOp::Neg(_), inner) => {
                vec![Change { operator: "aod", after: inner.clone(), how: How::Typed("Same") }]
            }
            (UnOp::Not(_), inner) => {
                let operator = if facts.is_number(inner) { "lod" } else { "cod" };
                vec![Change { operator, after: inner.clone(), how: How::Typed("Same") }]
            }
            _ => vec![],
        },
        Expr::MethodCall(call)
            if (call.method == "cmp" || call.method == "partial_cmp") && call.args.len() == 1 =>
        {
            let change = |after: Expr, name| Change { operator: "ror", after, how: How::Typed(name) };
            vec![
                change(parse_quote!(#call.reverse()), "Reverse"),
                change(parse_quote!(#call.then(Less)), "Less"),
                change(parse_quote!(#call.then(Greater)), "Greater"),
            ]
        }
        Expr::Call(call) if call.args.len() == 1 => match &*call.func {
            Expr::Path(path) if path.path.is_ident("Some") => {
                vec![Change { operator: "const", after: parse_quote!(None), how: How::Written }]
            }
            _ => vec![],
        },
        Expr::Path(path) => {
            let names: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
            let [.., of, name] = &names[..] else { return vec![] };
            let orders = ["Less", "Equal", "Greater"];
            if of != "Ordering" || !orders.contains(&name.as_str()) {
                return vec![];
            }
            let others = orders.into_iter().filter(|other| other != name);
            let change = |other: &str| {
                let mut after = path.clone();
                if let Some(last) = after.path.segments.last_mut() {
                    last.ident = syn::Ident::new(other, last.ident.span());
                }
                Change { operator: "const", after: Expr::Path(after), how: How::Written }
            };
            others.map(change).collect()
        }
        _ => vec![],
    }
}

/// The changes of a variable that is a number.
pub(crate) fn of_variable(variable: &Expr) -> Vec<Change> {
    let change = |operator, after: Expr, name| Change { operator, after, how: How::Typed(name) };
    vec![
        change("aoi", parse_quote!(#variable + 1), "Increment"),
        change("aoi", parse_quote!(#variable - 1), "Decrement"),
        change("aoi", parse_quote!(-#variable), "Neg"),
        change("loi", parse_quote!(!#variable), "Not"),
    ]
}

fn constants(literal: &ExprLit, is_negative: bool) -> Vec<Change> {
    let constant = |after: Expr| Change { operator: "const", after, how: How::Written };
    match &literal.lit {
        Lit::Bool(value) => {
            let other = !value.value;
            vec![constant(parse_quote!(#other))]
        }
        Lit::Int(number) => {
            let Ok(value) = number.base10_parse::<i128>() else { return vec![] };
            let value = if is_negative { -value } else { value };
            let mut values = vec![0, 1, value - 1, value + 1];
            values.sort_unstable();
            values.dedup();
            // A number without a sign may be of a type without one.
            values.retain(|other| *other != value && (is_negative || *other >= 0));
            let most = most_of(number.suffix());
            values.retain(|other| most.is_none_or(|most| *other <= most));
            let written = |value: i128| {
                let digits = LitInt::new(&format!("{}{}", value.abs(), number.suffix()), number.span());
                constant(if value < 0 { parse_quote!(-#digits) } else { parse_quote!(#digits) })
            };
            values.into_iter().map(written).collect()
        }
        _ => vec![],
    }
}

/// The largest value of a type, if a literal names it.
fn most_of(suffix: &str) -> Option<i128> {
    match suffix {
        "u8" => Some(u8::MAX.into()),
        "i8" => Some(i8::MAX.into()),
        "u16" => Some(u16::MAX.into()),
        "i16" => Some(i16::MAX.into()),
        "u32" => Some(u32::MAX.into()),
        "i32" => Some(i32::MAX.into()),
        "u64" | "usize" => Some(u64::MAX.into()),
        "i64" | "isize" => Some(i64::MAX.into()),
        _ => None,
    }
}

/// The opposite of a condition, unless a changed operator already gives it.
pub(crate) fn opposite(condition: &Expr, operator: &'static str) -> Option<Change> {
    let is_given = match condition {
        Expr::Binary(binary) => COMPARISONS.iter().any(|(op, _)| is(&binary.op, op)),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)),
        Expr::Lit(_) => true,
        Expr::Paren(paren) => return opposite(&paren.expr, operator),
        _ => false,
    };
    let condition = operand(condition);
    (!is_given).then(|| Change { operator, after: parse_quote!(!#condition), how: How::Written })
}

/// Whether it is made of constants only, so that a reference to it may live forever.
pub(crate) fn is_constant(expr: &Expr) -> bool {
    let all = |mut exprs: syn::punctuated::Iter<'_, Expr>| exprs.all(is_constant);
    match expr {
        Expr::Lit(_) => true,
        Expr::Path(_) => is_upper(expr),
        Expr::Paren(e) => is_constant(&e.expr),
        Expr::Unary(e) => is_constant(&e.expr),
        Expr::Reference(e) => is_constant(&e.expr),
        Expr::Cast(e) => is_constant(&e.expr),
        Expr::Field(e) => is_constant(&e.base),
        Expr::Index(e) => is_constant(&e.expr) && is_constant(&e.index),
        Expr::Binary(e) => is_constant(&e.left) && is_constant(&e.right),
        Expr::Array(e) => all(e.elems.iter()),
        Expr::Tuple(e) => all(e.elems.iter()),
        Expr::Repeat(e) => is_constant(&e.expr),
        Expr::Struct(e) => e.fields.iter().all(|field| is_constant(&field.expr)),
        Expr::Call(e) => is_upper(&e.func) && all(e.args.iter()),
        _ => false,
    }
}

/// Whether a path looks like a constant, or like the constructor of a type or a variant.
fn is_upper(path: &Expr) -> bool {
    let name = match path {
        Expr::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        _ => None,
    };
    name.is_some_and(|name| name.starts_with(char::is_uppercase))
}

/// The expression as people write it.
pub(crate) fn text(expr: &impl quote::ToTokens) -> String {
    crate::syntax::text::of(quote!(#expr))
}
