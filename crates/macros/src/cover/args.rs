//! The arguments of the attribute, on a whole item and on a function inside of it.

use crate::syntax::{
    self,
    args::{crate_path, parse_all, unknown},
};
use proc_macro2::TokenStream;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, Ident, Meta, Path, Result, Token, Visibility, parenthesized};

const KEYS: &str = "`static NAME`, `also(path::NAME)`, `predicates(x.is_some(), y > 0)` and `crate = path`, separated by commas";

/// Each one doubles the number of targets of a block.
pub(crate) const MAX_PREDICATES: usize = 8;

/// `#[cover(..)]` on an impl block or a function.
#[derive(Default)]
pub(crate) struct Args {
    pub(crate) name: Option<(Visibility, Ident)>,
    pub(crate) also: Vec<Path>,
    pub(crate) predicates: Vec<Expr>,
    pub(crate) krate: Option<Path>,
}

impl Args {
    pub(crate) fn parse(tokens: TokenStream) -> Result<Args> {
        let mut args = Args::default();
        parse_all(tokens, &mut |input| args.parse_one(input))?;
        Ok(args)
    }

    fn parse_one(&mut self, input: ParseStream<'_>) -> Result<()> {
        let fork = input.fork();
        if fork.parse::<Visibility>().is_ok() && fork.peek(Token![static]) {
            let visibility = input.parse()?;
            let keyword = input.parse::<Token![static]>()?;
            let name = input.parse().map_err(|e: Error| Error::new(e.span(), "write `static NAME`"))?;
            return match self.name.replace((visibility, name)) {
                Some(_) => Err(Error::new(keyword.span(), "`static` is given twice")),
                None => Ok(()),
            };
        }
        let key = Ident::parse_any(input)
            .map_err(|e| Error::new(e.span(), format!("`#[cover(..)]` takes {KEYS}")))?;
        match key.to_string().as_str() {
            "also" => self.also.extend(list::<Path>(input, &key, "also(path::NAME)")?),
            "predicates" => self.predicates.extend(predicates(input, &key)?),
            "crate" => crate_path(input, &key, &mut self.krate)?,
            _ => return Err(unknown(&key, "cover", KEYS)),
        }
        few_enough(&self.predicates)
    }
}

/// `#[cover(..)]` on a function inside of a covered block.
pub(crate) enum Mark {
    Skip,
    Predicates(Vec<Expr>),
}

impl Parse for Mark {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let key = Ident::parse_any(input)?;
        match key.to_string().as_str() {
            "skip" => Ok(Mark::Skip),
            "predicates" => {
                let predicates = predicates(input, &key)?;
                few_enough(&predicates)?;
                Ok(Mark::Predicates(predicates))
            }
            unknown => Err(Error::new(
                key.span(),
                format!(
                    "unknown argument `{unknown}`; on a function of a block `#[cover(..)]` takes `skip` or `predicates(..)`"
                ),
            )),
        }
    }
}

/// Removes the marks of a function.
pub(crate) fn take_marks(attributes: &mut Vec<Attribute>) -> Result<Vec<Mark>> {
    let mark = |meta: &Meta| match meta {
        Meta::List(list) => list.parse_args::<Mark>(),
        _ => Err(Error::new_spanned(
            meta,
            "the block has `#[cover]` already; write `#[cover(skip)]` or `#[cover(predicates(..))]`",
        )),
    };
    syntax::take_marks(attributes, "cover").iter().map(mark).collect()
}

fn predicates(input: ParseStream<'_>, key: &Ident) -> Result<Vec<Expr>> {
    list::<Expr>(input, key, "predicates(x.is_some(), y > 0)")
}

fn few_enough(predicates: &[Expr]) -> Result<()> {
    match predicates.get(MAX_PREDICATES) {
        Some(extra) => Err(Error::new(
            extra.span(),
            format!(
                "at most {MAX_PREDICATES} predicates: each one doubles the number of targets; give functions their own \
                 with `#[cover(predicates(..))]`"
            ),
        )),
        None => Ok(()),
    }
}

fn list<T: Parse>(input: ParseStream<'_>, key: &Ident, example: &str) -> Result<Vec<T>> {
    if !input.peek(syn::token::Paren) {
        return Err(Error::new(key.span(), format!("write `{example}`")));
    }
    let inner;
    parenthesized!(inner in input);
    Ok(Punctuated::<T, Token![,]>::parse_terminated(&inner)?.into_iter().collect())
}
