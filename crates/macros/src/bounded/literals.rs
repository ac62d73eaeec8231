//! Integers that are written out in attributes.

use super::attrs::FieldAttrs;
use super::types::last_name;
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, Lit, RangeLimits, Result, Type, UnOp};

/// Checks that literals in `range` and `set` are values of an integer type whose name we know.
pub(super) fn literals_fit(ty: &Type, attrs: &FieldAttrs) -> Result<()> {
    let Some(name) = last_name(ty) else { return Ok(()) };
    let (least, most): (i128, i128) = match name.as_str() {
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        "u64" | "usize" => (0, u64::MAX.into()),
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        _ => return Ok(()),
    };
    let mut written: Vec<&Expr> = vec![];
    if let Some(Expr::Range(range)) = &attrs.range {
        written.extend(range.start.as_deref());
        written.extend(range.end.as_deref());
    }
    if let Some(Expr::Array(list)) = &attrs.set {
        written.extend(&list.elems);
    }
    // The end of `0..256` is not among the values.
    let is_open =
        matches!(&attrs.range, Some(Expr::Range(range)) if matches!(range.limits, RangeLimits::HalfOpen(_)));
    let most = if is_open { most + 1 } else { most };
    for e in written {
        let (sign, literal) = match e {
            Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)) => (-1, &*u.expr),
            other => (1, other),
        };
        let Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) = literal else { continue };
        let Ok(value) = n.base10_parse::<i128>().map(|n| sign * n) else { continue };
        if value < least || value > most {
            return Err(Error::new(
                e.span(),
                format!("`{value}` is no `{name}`: write numbers from `{name}::MIN` to `{name}::MAX`"),
            ));
        }
    }
    Ok(())
}
