//! The arguments of the attribute, on a whole item and on a function inside of it.

use crate::syntax::{
    args::{crate_path, parse_all, unknown},
    take_marks,
};
use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Ident, LitStr, Meta, Path, Result, Token, parenthesized};

const KEYS: &str =
    "`equivalent(\"id\", \"reason\")`, `calls(method, ..)` and `crate = path`, separated by commas";

/// `#[mutate(..)]` on an impl block or a function.
#[derive(Default)]
pub(crate) struct Args {
    pub(crate) equivalent: Vec<Equivalent>,
    /// Methods of other blocks of the type, which have mutants, too.
    pub(crate) calls: Vec<Ident>,
    pub(crate) krate: Option<Path>,
}

/// A mutant that does the same as the original.
pub(crate) struct Equivalent {
    pub(crate) id: LitStr,
    pub(crate) reason: LitStr,
}

impl Args {
    pub(crate) fn parse(tokens: TokenStream) -> Result<Args> {
        let mut args = Args::default();
        parse_all(tokens, &mut |input| args.parse_one(input))?;
        Ok(args)
    }

    fn parse_one(&mut self, input: ParseStream<'_>) -> Result<()> {
        let key = Ident::parse_any(input)
            .map_err(|e| Error::new(e.span(), format!("`#[mutate(..)]` takes {KEYS}")))?;
        match key.to_string().as_str() {
            "equivalent" => self.equivalent.push(equivalent(input, &key)?),
            "calls" => self.calls.extend(calls(input, &key)?),
            "crate" => crate_path(input, &key, &mut self.krate)?,
            _ => return Err(unknown(&key, "mutate", KEYS)),
        }
        Ok(())
    }
}

fn equivalent(input: ParseStream<'_>, key: &Ident) -> Result<Equivalent> {
    let wrong = || {
        Error::new(
            key.span(),
            "say which mutant, and why it does the same as the original: `equivalent(\"tree::Tree::insert::ror::1c9e04\", \"keys \
             are never equal here\")`",
        )
    };
    if !input.peek(syn::token::Paren) {
        return Err(wrong());
    }
    let inner;
    parenthesized!(inner in input);
    let id: LitStr = inner.parse().map_err(|_| wrong())?;
    inner.parse::<Token![,]>().map_err(|_| wrong())?;
    let reason: LitStr = inner.parse().map_err(|_| wrong())?;
    inner.parse::<Option<Token![,]>>()?;
    if !inner.is_empty() || reason.value().trim().is_empty() {
        return Err(wrong());
    }
    Ok(Equivalent { id, reason })
}

fn calls(input: ParseStream<'_>, key: &Ident) -> Result<Punctuated<Ident, Token![,]>> {
    let message = "name methods of this type that have mutants in other blocks: `calls(rotate, link)`";
    if !input.peek(syn::token::Paren) {
        return Err(Error::new(key.span(), message));
    }
    let inner;
    parenthesized!(inner in input);
    Punctuated::parse_terminated(&inner).map_err(|error| Error::new(error.span(), message))
}

/// Removes the marks of a function. Returns whether it is left out.
pub(crate) fn is_skipped(attributes: &mut Vec<Attribute>) -> Result<bool> {
    let mut is_skipped = false;
    for meta in take_marks(attributes, "mutate") {
        match &meta {
            Meta::List(list) if list.parse_args::<Ident>().is_ok_and(|key| key == "skip") => {
                is_skipped = true
            }
            _ => {
                return Err(Error::new_spanned(
                    meta,
                    "the block has `#[mutate]` already; on a function of it, write `#[mutate(skip)]` to leave it out",
                ));
            }
        }
    }
    Ok(is_skipped)
}
