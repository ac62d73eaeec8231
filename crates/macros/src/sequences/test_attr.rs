//! `#[smallscope::sequences]`: a function that returns a context → a plain `#[test]`.

mod args;

use crate::plain_test::{self, plain_test, test_or_errors};
use crate::syntax::{located, quote};
use args::Args;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Error, ItemFn, Result, ReturnType};

/// The expansion. If something is wrong, the function stays as it is and only the errors are added.
pub(crate) fn expand(args: TokenStream, item: TokenStream) -> TokenStream {
    let expected = "`#[smallscope::sequences]` goes on a function that returns a context: `fn calls() -> Builder { .. }`";
    let function = match plain_test::parse(item, expected) {
        Ok(function) => function,
        Err(e) => return e.to_compile_error(),
    };
    let text = args.to_string();
    let checked = check(&function);
    test_or_errors(function, Args::parse(args), checked, |args, function| test(args, &text, function))
}

/// The first rule that the function breaks.
fn check(function: &ItemFn) -> Result<()> {
    let sig = &function.sig;
    plain_test::check(function, "smallscope::sequences", "as in `.api::<Map<u8>>()`")?;
    if !sig.inputs.is_empty() {
        return Err(Error::new_spanned(
            &sig.inputs,
            "a test of sequences takes no arguments: pools hold the values for calls, `.pool(Pool::of([0, 1]))`",
        ));
    }
    if let ReturnType::Default = sig.output {
        let name = &sig.ident;
        let message = format!(
            "a test of sequences returns its context: write `fn {name}() -> smallscope::sequences::Builder`"
        );
        return Err(Error::new_spanned(name, message));
    }
    Ok(())
}

fn test(args: &Args, text: &str, function: &ItemFn) -> TokenStream {
    let krate = args.krate();
    let p = quote!(#krate::__private);
    let ItemFn { sig, block, .. } = function;
    let name = &sig.ident;
    let (needs, settings) = (args.needs(&p), args.settings(&quote!(#p::sequences)));
    // An error about what is returned belongs to where the user says it, and the panic to the function.
    let returned = match &sig.output {
        ReturnType::Type(_, of) => of.to_token_stream(),
        ReturnType::Default => quote!(()),
    };
    let run = located(quote!(#p::run_sequences), sig.output.span());
    let items = quote!(#sig #block #needs);
    let statements = quote! {
        #[allow(unused_mut, reason = "there may be nothing to set")]
        let mut __campaign = #p::sequences::Campaign::default();
        #settings
        #run::<#returned>(&__site, __campaign, #name);
    };
    plain_test(function, &p, ("smallscope-sequences", "", text), &items, &statements)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain_test::messages;

    #[test]
    fn attributes_stay_and_a_plain_test_is_made() {
        let expanded = expand(
            quote!(length = 4, crate = my::scope),
            quote!(
                #[ignore]
                fn works() -> Builder {
                    calls()
                }
            ),
        );
        let file: syn::File = syn::parse2(expanded).unwrap();
        let [syn::Item::Fn(outer)] = &file.items[..] else { panic!("one function") };
        let attrs: Vec<String> = outer.attrs.iter().map(|a| quote!(#a).to_string()).collect();
        assert_eq!(attrs, ["# [ignore]", "# [:: core :: prelude :: v1 :: test]"]);
        let body = quote!(#outer).to_string();
        assert!(
            body.contains("is_ignored : true") && body.contains("my :: scope :: __private :: run_sequences")
        );
        assert!(!body.contains(":: smallscope ::"), "{body}");
    }

    #[test]
    fn functions_that_are_no_contexts_are_refused() {
        for (function, message) in [
            (
                quote!(
                    fn f() {}
                ),
                "returns its context: write `fn f() -> smallscope::sequences::Builder`",
            ),
            (
                quote!(
                    fn f(x: u8) -> Builder {}
                ),
                "takes no arguments",
            ),
            (
                quote!(
                    async fn f() -> Builder {}
                ),
                "an `async` function cannot be",
            ),
            (
                quote!(
                    fn f<T>() -> Builder {}
                ),
                "cannot be generic",
            ),
            (
                quote!(
                    #[test]
                    fn f() -> Builder {}
                ),
                "remove this attribute",
            ),
            (
                quote!(
                    struct S;
                ),
                "goes on a function that returns a context",
            ),
        ] {
            let found = messages(expand(quote!(length = 3), function));
            assert!(found.len() == 1 && found[0].contains(message), "{found:?}: expected {message}");
        }
        assert_eq!(
            messages(expand(
                quote!(lenght = 3),
                quote!(
                    fn f() {}
                )
            ))
            .len(),
            2
        );
    }
}
