//! Arguments of attributes, `key = value` and `flag`, with errors that say what to write.

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, Ident, Lit, LitBool, LitStr, Result, Token, UnOp};

/// Reads arguments with commas between them, one after the other.
pub(crate) fn parse_all<A: Default>(
    tokens: TokenStream,
    mut parse_one: impl FnMut(&mut A, ParseStream<'_>) -> Result<()>,
) -> Result<A> {
    let parse = |input: ParseStream<'_>| {
        let mut args = A::default();
        while !input.is_empty() {
            parse_one(&mut args, input)?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(args)
    };
    parse.parse2(tokens)
}

/// Takes an argument over, if it is the first one for its key.
pub(crate) fn set<T>(slot: &mut Option<T>, key: &Ident, value: T) -> Result<()> {
    match slot.replace(value) {
        Some(_) => Err(Error::new(key.span(), format!("`{key}` is given twice"))),
        None => Ok(()),
    }
}

/// The `=` behind a key.
pub(crate) fn equals(input: ParseStream<'_>, key: &Ident, example: &str) -> Result<()> {
    match input.peek(Token![=]) {
        true => input.parse::<Token![=]>().map(drop),
        false => Err(Error::new(key.span(), format!("write `{key} = {example}`"))),
    }
}

/// `key = expression`.
pub(crate) fn value(input: ParseStream<'_>, key: &Ident, example: &str) -> Result<Expr> {
    equals(input, key, example)?;
    input.parse()
}

/// `key = "text"`.
pub(crate) fn text(input: ParseStream<'_>, key: &Ident, example: &str) -> Result<LitStr> {
    let example = format!("\"{example}\"");
    equals(input, key, &example)?;
    input.parse().map_err(|e| Error::new(e.span(), format!("write `{key} = {example}`")))
}

/// `key`, `key = true`, `key = false`.
pub(crate) fn flag(input: ParseStream<'_>, key: &Ident) -> Result<bool> {
    if !input.peek(Token![=]) {
        return Ok(true);
    }
    input.parse::<Token![=]>()?;
    let value: LitBool = input
        .parse()
        .map_err(|e| Error::new(e.span(), format!("write `{key} = true` or `{key} = false`")))?;
    Ok(value.value)
}

/// A number. Literals can be checked here; the compiler checks the type of other expressions.
pub(crate) fn natural(expr: &Expr, message: &str, least: u64) -> Result<()> {
    let wrong = match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) => n.base10_parse::<u64>().map_or(true, |n| n < least),
        Expr::Lit(_) => true,
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)),
        _ => false,
    };
    if wrong { Err(Error::new(expr.span(), message)) } else { Ok(()) }
}

/// One of some texts: what stands behind it.
pub(crate) fn one_of<T: Copy>(given: &LitStr, known: &[(&str, T)]) -> Result<T> {
    if let Some((_, meaning)) = known.iter().find(|(text, _)| *text == given.value()) {
        return Ok(*meaning);
    }
    let known: Vec<String> = known.iter().map(|(text, _)| format!("`\"{text}\"`")).collect();
    Err(Error::new(given.span(), format!("expected {}", known.join(" or "))))
}

/// A time as the variables take it, in milliseconds. `what` it is for: `a budget`.
pub(crate) fn time(given: &LitStr, what: &str) -> Result<u64> {
    milliseconds(&given.value()).ok_or_else(|| {
        let message = format!("{what} is a time such as `\"500ms\"`, `\"10s\"`, `\"2m\"` or `\"1h\"`");
        Error::new(given.span(), message)
    })
}

fn milliseconds(text: &str) -> Option<u64> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let number: u64 = text[..text.len() - unit.len()].parse().ok()?;
    let factor = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        "h" => 3_600_000,
        _ => return None,
    };
    number.checked_mul(factor).filter(|&n| n > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proc_macro2::Span;

    #[test]
    fn times_have_units() {
        let read = |text: &str| time(&LitStr::new(text, Span::call_site()), "a budget").ok();
        assert_eq!([read("500ms"), read("2m")], [Some(500), Some(120_000)]);
        for wrong in ["", "5", "0s", "s", "-1s", "5 s", "99999999999999999999h"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
