//! `#[smallscope::sequences]`: a function that returns a context → a plain `#[test]`.

mod args;

use crate::syntax::{located, test_mark};
use args::Args;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Attribute, Error, ItemFn, Result, ReturnType};

/// The expansion. If something is wrong, the function stays as it is and only the errors are added.
pub(crate) fn expand(args: TokenStream, item: TokenStream) -> TokenStream {
    let at = item.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    let Ok(function) = syn::parse2::<ItemFn>(item) else {
        let message = "`#[smallscope::sequences]` goes on a function that returns a context: `fn calls() -> Builder { .. }`";
        return Error::new(at, message).to_compile_error();
    };
    let text = args.to_string();
    let args = Args::parse(args);
    let errors = [args.as_ref().err().cloned(), check(&function).err()].into_iter().flatten();
    let error = errors.reduce(|mut a, b| {
        a.combine(b);
        a
    });
    match (error, args) {
        (None, Ok(args)) => test(&args, &text, &function),
        (error, _) => {
            let errors = error.map(|e| e.to_compile_error());
            let mut function = function;
            function.attrs.retain(|attribute| !is_about_tests(attribute));
            quote!(#errors #[allow(dead_code)] #function)
        }
    }
}

/// The first rule that the function breaks.
fn check(function: &ItemFn) -> Result<()> {
    let sig = &function.sig;
    let fail = |at: &dyn ToTokens, message: &str| Err(Error::new_spanned(at.to_token_stream(), message));
    let is_test = |attribute: &&Attribute| {
        attribute
            .path()
            .segments
            .last()
            .is_some_and(|segment| segment.ident == "test" || segment.ident == "sequences")
    };
    if let Some(attribute) = function.attrs.iter().find(is_test) {
        return fail(
            attribute,
            "remove this attribute: `#[smallscope::sequences]` makes the function a test already",
        );
    }
    if let Some(token) = &sig.asyncness {
        return fail(token, "a function that returns a context is not `async`: remove the word");
    }
    if let Some(token) = &sig.constness {
        return fail(token, "a function that returns a context is not `const`: remove the word");
    }
    if let Some(token) = &sig.unsafety {
        return fail(
            token,
            "a function that returns a context is not `unsafe`: put an `unsafe` block inside",
        );
    }
    if !sig.generics.params.is_empty() {
        return fail(
            &sig.generics,
            "a test cannot be generic: name the types in the context, as in `.api::<Map<u8>>()`",
        );
    }
    if !sig.inputs.is_empty() {
        return fail(
            &sig.inputs,
            "a test of sequences takes nothing: which values calls get is a matter of its pools, `.pool(Pool::of([0, 1]))`",
        );
    }
    if let ReturnType::Default = sig.output {
        let name = &sig.ident;
        return fail(
            name,
            &format!(
                "a test of sequences returns its context: write `fn {name}() -> smallscope::sequences::Builder`"
            ),
        );
    }
    Ok(())
}

fn is_about_tests(attribute: &Attribute) -> bool {
    ["test", "ignore", "should_panic"].iter().any(|name| attribute.path().is_ident(name))
}

fn test(args: &Args, text: &str, function: &ItemFn) -> TokenStream {
    let krate = args.krate();
    let p = quote!(#krate::__private);
    let ItemFn { attrs, vis, sig, block } = function;
    let name = &sig.ident;
    let function_name = name.to_string();
    let has = |attribute: &str| attrs.iter().any(|a| a.path().is_ident(attribute));
    let (is_ignored, should_panic) = (has("ignore"), has("should_panic"));
    let (needs, settings) = (args.needs(&p), args.settings(&quote!(#p::sequences)));
    // An error about what is returned belongs to where the user says it, and the panic to the function.
    let returned = match &sig.output {
        ReturnType::Type(_, of) => of.to_token_stream(),
        ReturnType::Default => quote!(()),
    };
    let run = located(quote!(#p::run_sequences), sig.output.span());
    let mark = test_mark("smallscope-sequences", &function_name, "", text);
    quote! {
        #(#attrs)*
        #[::core::prelude::v1::test]
        #vis fn #name() {
            #sig #block
            #needs
            #[allow(unused_mut, reason = "there may be nothing to set")]
            let mut __campaign = #p::sequences::Campaign::default();
            #settings
            let __site = #p::TestSite {
                module: ::core::module_path!(),
                function: #function_name,
                package: ::core::option_env!("CARGO_PKG_NAME"),
                directory: ::core::option_env!("CARGO_MANIFEST_DIR"),
                is_ignored: #is_ignored,
                should_panic: #should_panic,
                mark: #mark,
            };
            #run::<#returned>(&__site, __campaign, #name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(args: TokenStream, item: TokenStream) -> Vec<String> {
        let file: syn::File = syn::parse2(expand(args, item)).expect("the expansion is a list of items");
        let message = |item: &syn::Item| match item {
            syn::Item::Macro(m) => m.mac.parse_body::<syn::LitStr>().ok().map(|text| text.value()),
            _ => None,
        };
        file.items.iter().filter_map(message).collect()
    }

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
                "takes nothing",
            ),
            (
                quote!(
                    async fn f() -> Builder {}
                ),
                "is not `async`",
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
            let found = messages(quote!(length = 3), function);
            assert!(found.len() == 1 && found[0].contains(message), "{found:?}: expected {message}");
        }
        assert_eq!(
            messages(
                quote!(lenght = 3),
                quote!(
                    fn f() {}
                )
            )
            .len(),
            2
        );
    }
}
