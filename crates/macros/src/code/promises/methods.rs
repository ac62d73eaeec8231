//! Methods of `Option`, `Result`, `bool` and `Iterator`, and how their results come from their receivers and from what
//! their closures return.

use super::context::{About, Context};
use syn::{Expr, ExprMethodCall, Lit};

/// What is promised about the receiver of a call, and about what its arguments return when they are called.
pub(super) fn parts(c: &ExprMethodCall, context: Context) -> (Context, [Context; 2]) {
    let absent = |bit| Context::presence(bit, None);
    let literal = |e: Option<&Expr>| match e {
        Some(Expr::Lit(l)) => match &l.lit {
            Lit::Bool(b) => context.on(b.value),
            _ => None,
        },
        _ => None,
    };
    let nothing = Context::NOTHING;
    let is_option = context.about == About::Presence;
    let name = c.method.to_string();
    match (name.as_str(), c.args.len()) {
        ("is_some" | "is_ok", 0) => (context.of(About::Presence), [nothing; 2]),
        ("is_none" | "is_err", 0) => (context.not().of(About::Presence), [nothing; 2]),
        ("is_none_or", 1) => (absent(context.on_true), [context; 2]),
        ("is_some_and" | "is_ok_and", 1) => (absent(context.on_false), [context; 2]),
        ("map_or", 2) => (absent(literal(c.args.first())), [nothing, context]),
        ("map_or_else", 2) => (nothing, [context; 2]),
        ("unwrap_or", 1) => (absent(literal(c.args.first())), [nothing; 2]),
        ("unwrap_or_else", 1) => (nothing, [context; 2]),
        ("all" | "is_sorted_by", 1) => (nothing, [context.only_false(); 2]),
        ("any", 1) => (nothing, [context.only_true(); 2]),
        ("then" | "then_some", 1) if is_option => (context.of(About::Truth), [nothing; 2]),
        ("as_ref" | "as_deref" | "copied" | "cloned" | "ok", 0) if is_option => (context, [nothing; 2]),
        ("map" | "map_err" | "ok_or" | "ok_or_else", 1) if is_option => (context, [nothing; 2]),
        ("and_then", 1) if is_option => (context.only_false(), [context; 2]),
        ("filter", 1) if is_option => (context.only_false(), [nothing; 2]),
        _ => (nothing, [nothing; 2]),
    }
}
