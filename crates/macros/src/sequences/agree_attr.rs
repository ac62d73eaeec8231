//! `#[smallscope::agree]`: a function that returns a context → a plain `#[test]` that compares an invariant with methods.

use crate::plain_test::{self, plain_test, test_or_errors};
use crate::syntax::quote;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Error, Expr, Ident, ItemFn, Path, Result, ReturnType, Token, Type};

const USAGE: &str = "`#[smallscope::agree(of = Tree, scope = 3)]`";

/// `#[smallscope::agree(..)]`.
struct Args {
    of: Type,
    bounds: Expr,
    length: Option<Expr>,
    is_unreached_allowed: bool,
    krate: Path,
}

/// The expansion. If something is wrong, the function stays as it is and only the errors are added.
pub(crate) fn expand(args: TokenStream, item: TokenStream) -> TokenStream {
    let expected =
        "`#[smallscope::agree]` goes on a function that returns a context: `fn calls() -> Builder { .. }`";
    let function = match plain_test::parse(item, expected) {
        Ok(function) => function,
        Err(e) => return e.to_compile_error(),
    };
    let checked = check(&function);
    let text = args.to_string();
    test_or_errors(function, Args::parse.parse2(args), checked, |args, function| test(args, &text, function))
}

fn check(function: &ItemFn) -> Result<()> {
    plain_test::check(function, "smallscope::agree", "as in `of = Map<u8>`")?;
    let sig = &function.sig;
    if !sig.inputs.is_empty() {
        return Err(Error::new_spanned(
            &sig.inputs,
            "the function takes no arguments: name the type, `of = Tree`",
        ));
    }
    match sig.output {
        ReturnType::Default => {
            let name = &sig.ident;
            let message = format!(
                "the function returns the context: write `fn {name}() -> smallscope::sequences::Builder`"
            );
            Err(Error::new_spanned(name, message))
        }
        ReturnType::Type(..) => Ok(()),
    }
}

impl Parse for Args {
    fn parse(input: ParseStream<'_>) -> Result<Args> {
        let (mut of, mut bounds, mut length) = (None, None, None);
        let mut is_unreached_allowed = false;
        let mut krate: Path = syn::parse_quote!(::smallscope);
        while !input.is_empty() {
            if input.peek(Token![crate]) {
                input.parse::<Token![crate]>()?;
                input.parse::<Token![=]>()?;
                krate = input.call(Path::parse_mod_style)?;
            } else {
                let key: Ident = input.parse()?;
                let value = |input: ParseStream<'_>| -> Result<Expr> {
                    input.parse::<Token![=]>()?;
                    input.parse()
                };
                match &*key.to_string() {
                    "of" => {
                        input.parse::<Token![=]>()?;
                        of = Some(input.parse()?);
                    }
                    "scope" | "bounds" if bounds.is_some() => {
                        return Err(Error::new(key.span(), "write either `scope` or `bounds`, once"));
                    }
                    "scope" | "bounds" => bounds = Some(value(input)?),
                    "length" => length = Some(value(input)?),
                    "allow_unreached" => is_unreached_allowed = true,
                    _ => {
                        let message = format!(
                            "unknown argument `{key}`: known are `of`, `scope`, `bounds`, `length` and `allow_unreached`"
                        );
                        return Err(Error::new(key.span(), message));
                    }
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        let missing = |what: &str| Error::new(Span::call_site(), format!("{what} is missing: write {USAGE}"));
        Ok(Args {
            of: of.ok_or_else(|| missing("the type"))?,
            bounds: bounds.ok_or_else(|| missing("the scope"))?,
            length,
            is_unreached_allowed,
            krate,
        })
    }
}

fn test(args: &Args, text: &str, function: &ItemFn) -> TokenStream {
    let ItemFn { sig, block, .. } = function;
    let Args { of, bounds, krate, .. } = args;
    let name = &sig.ident;
    let p = quote!(#krate::__private);
    let length = args.length.as_ref().map(|length| quote!(let __settings = __settings.length(#length);));
    let allowed = args.is_unreached_allowed.then(|| quote!(let __settings = __settings.allow_unreached();));
    let (sig, block) = (sig.to_token_stream(), block.to_token_stream());
    let items = quote!(#sig #block);
    let statements = quote! {
        let __settings = #p::Agree::new(#bounds);
        #length
        #allowed
        #p::run_agree::<#of, _>(&__site, __settings, #name);
    };
    let types = of.to_token_stream().to_string();
    plain_test(function, &p, ("smallscope-agree", &types, text), &items, &statements)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain_test::messages;

    #[test]
    fn mistakes_are_named() {
        let function = quote!(
            fn calls() -> Builder {
                todo!()
            }
        );
        for (args, message) in [
            (quote!(scope = 3), "the type is missing"),
            (quote!(of = Tree), "the scope is missing"),
            (quote!(of = Tree, scope = 3, bounds = 2), "either `scope` or `bounds`"),
            (quote!(of = Tree, scope = 3, lenght = 2), "unknown argument `lenght`"),
        ] {
            let found = messages(expand(args, function.clone()));
            assert!(found.len() == 1 && found[0].contains(message), "{found:?}: expected {message}");
        }
        let found = messages(expand(
            quote!(of = Tree, scope = 3),
            quote!(
                fn calls() {}
            ),
        ));
        assert!(found[0].contains("returns the context"), "{found:?}");
    }
}
