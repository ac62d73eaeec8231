//! Arguments of attributes, `key = value` and `flag`, with errors that say what to write.

use crate::syntax::parse_quote;
use proc_macro2::TokenStream;
use smallscope_support::text::contains;
use std::ops::RangeInclusive;
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, Ident, Lit, LitBool, LitStr, Result, Token, UnOp};

/// Reads arguments with commas between them, one after the other.
pub(crate) fn parse_all(
    tokens: TokenStream,
    parse_one: &mut dyn FnMut(ParseStream<'_>) -> Result<()>,
) -> Result<()> {
    let parse = |input: ParseStream<'_>| {
        while !input.is_empty() {
            parse_one(input)?;
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(())
    };
    parse.parse2(tokens)
}

/// The `=` behind a key.
pub(crate) fn equals(input: ParseStream<'_>, key: &Ident, example: &str) -> Result<()> {
    match input.peek(Token![=]) {
        true => input.parse::<Token![=]>().map(drop),
        false => {
            Err(Error::new(key.span(), format!("`{key}` is not given like this: write `{key} = {example}`")))
        }
    }
}

/// `key = expression`.
pub(crate) fn value(input: ParseStream<'_>, key: &Ident, example: &str) -> Result<Expr> {
    equals(input, key, example)?;
    input.parse()
}

/// A list of lengths with a range among them, as ranges: the first, and those behind gaps.
pub(crate) fn gaps(lengths: &Expr) -> Option<(Expr, Vec<Expr>)> {
    let Expr::Array(list) = lengths else { return None };
    if !list.elems.iter().any(|lengths| matches!(lengths, Expr::Range(_))) {
        return None;
    }
    let mut ranges = vec![];
    for lengths in &list.elems {
        ranges.push(match lengths {
            Expr::Range(_) => lengths.clone(),
            length => parse_quote!(#length..=#length),
        });
    }
    let first = ranges.remove(0);
    Some((first, ranges))
}

/// `key = "text"`, with an example in quotes.
pub(crate) fn text(input: ParseStream<'_>, key: &Ident, example: &str) -> Result<LitStr> {
    equals(input, key, example)?;
    input.parse().map_err(|e| {
        Error::new(e.span(), format!("`{key}` is not given like this: write `{key} = {example}`"))
    })
}

/// `key`, `key = true`, `key = false`.
pub(crate) fn flag(input: ParseStream<'_>, key: &Ident) -> Result<bool> {
    if !input.peek(Token![=]) {
        return Ok(true);
    }
    input.parse::<Token![=]>()?;
    let value: LitBool = input.parse().map_err(|e| {
        Error::new(e.span(), format!("`{key}` is a switch: write `{key} = true` or `{key} = false`"))
    })?;
    Ok(value.value)
}

/// The path behind `crate`, which may be given once.
#[cfg(any(feature = "cover", feature = "mutate"))]
pub(crate) fn crate_path(input: ParseStream<'_>, key: &Ident, given: &mut Option<syn::Path>) -> Result<()> {
    equals(input, key, "path")?;
    match given.replace(input.parse()?) {
        Some(_) => Err(Error::new(key.span(), "`crate` is given twice: remove one of them")),
        None => Ok(()),
    }
}

/// The error for a key that is not known, or that goes on a function of a block.
#[cfg(any(feature = "cover", feature = "mutate"))]
pub(crate) fn unknown(key: &Ident, attribute: &str, keys: &str) -> Error {
    Error::new(
        key.span(),
        match key == "skip" {
            true => format!(
                "`skip` leaves out a function: write `#[{attribute}(skip)]` above one inside of an impl block that has \
                 `#[{attribute}]`"
            ),
            false => format!("unknown argument `{key}`; `#[{attribute}(..)]` takes {keys}"),
        },
    )
}

/// Checks that a literal is a number that is at least `least`. The compiler checks the type of other expressions.
pub(crate) fn natural(expr: &Expr, message: &str, allowed: RangeInclusive<u64>) -> Result<()> {
    let wrong = match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) => {
            n.base10_parse().map_or(true, |n| !allowed.contains(&n))
        }
        Expr::Lit(_) => true,
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)),
        _ => false,
    };
    if wrong { Err(Error::new(expr.span(), message)) } else { Ok(()) }
}

/// A question about the first of some names that is probably meant, for the end of a message.
pub(crate) fn did_you_mean(given: &str, names: &[&str]) -> String {
    match names.iter().find(|name| near(given, name)) {
        Some(name) => format!(": did you mean `{name}`?"),
        None => String::new(),
    }
}

fn without_dashes(name: &str) -> String {
    let mut short = String::new();
    for c in name.chars() {
        if c != '-' {
            short.push(c);
        }
    }
    short
}

/// Whether a name is probably meant: one letter is missing, added or changed, or one name is part of the other.
pub(crate) fn near(given: &str, name: &str) -> bool {
    let mut text = String::new();
    for c in given.to_lowercase().chars() {
        text.push(if matches!(c, '_' | '/' | ' ') { '-' } else { c });
    }
    let given = text;
    if given.len() > 2 && (contains(name, &given) || contains(&given, name))
        || without_dashes(&given) == without_dashes(name)
    {
        return true;
    }
    let (mut a, mut b) = (given.as_bytes(), name.as_bytes());
    while !a.is_empty() && a.first() == b.first() {
        (a, b) = (&a[1..], &b[1..]);
    }
    a.get(1..) == b.get(1..) && !a.is_empty() || a.get(1..) == Some(b) || b.get(1..) == Some(a)
}
