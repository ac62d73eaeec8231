//! `#[smallscope::test]`: arguments ([`args`]) and function ([`function`]) → a plain `#[test]`.

mod args;
mod function;
mod reduction;

use crate::syntax::{located, test_mark};
use args::Args;
use function::TestFn;
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Error, Ident, Index, Result, Type};

/// The expansion. If something is wrong, the function stays as it is and only the errors are added.
pub(crate) fn expand(args: TokenStream, item: TokenStream) -> TokenStream {
    let function = match TestFn::parse(item) {
        Ok(function) => function,
        Err(e) => return e.to_compile_error(),
    };
    let text = args.to_string();
    let args = Args::parse(args);
    let errors = [args.as_ref().err().cloned(), function.check().err()].into_iter().flatten();
    match (errors.reduce(combined), args) {
        (None, Ok(args)) => test(&args, &text, &function).unwrap_or_else(|e| e.to_compile_error()),
        (error, _) => {
            let errors = error.map(|e| e.to_compile_error());
            let function = function.original();
            quote!(#errors #[allow(dead_code)] #function)
        }
    }
}

fn combined(mut a: Error, b: Error) -> Error {
    a.combine(b);
    a
}

fn test(args: &Args, text: &str, function: &TestFn) -> Result<TokenStream> {
    let krate = args.krate();
    let p = quote!(#krate::__private);
    let TestFn { item, .. } = function;
    let (attrs, vis, name) = (&item.attrs, &item.vis, &item.sig.ident);
    let (types, labels) = (function.types(), function.labels());
    let inner = function.inner();
    let places = function.arguments().map(|a| match &*a.ty {
        Type::Reference(reference) => place(&p, "Kept", &reference.elem),
        ty => place(&p, "Owned", ty),
    });
    let gives = function.arguments().map(|a| match &*a.ty {
        Type::Reference(_) => quote!(get),
        _ => quote!(take),
    });
    let bounds = args.bounds(&p);
    let (settings, needs) = (args.settings(&p)?, args.needs(&p));
    let (is_ignored, should_panic) = (function.has("ignore"), function.has("should_panic"));
    let variables: Vec<_> = (0..types.len()).map(|i| quote::format_ident!("__argument_{i}")).collect();
    let indices: Vec<_> = (0..types.len()).map(Index::from).collect();
    // Errors about types belong to where the user wrote them, and the panic to the function.
    let types_at = match types[..] {
        [only] => only.span(),
        _ => item.sig.paren_token.span.join(),
    };
    let product = located(quote!(#p::Product), types_at);
    let input = quote_spanned!(Span::call_site().located_at(types_at)=> #product<(#(#types,)*)>);
    let output = match &item.sig.output {
        syn::ReturnType::Default => quote!(()),
        syn::ReturnType::Type(_, ty) => quote!(#ty),
    };
    let run = located(quote!(#p::run_test), name.span());
    let function_name = name.to_string();
    let mark = mark(&function_name, &types, text);
    Ok(quote! {
        #(#attrs)*
        #[::core::prelude::v1::test]
        #vis fn #name() {
            #needs
            #inner
            #[allow(unused_imports)]
            use #p::{ShowDebug as _, ShowNothing as _};
            let __check = #p::Check::new(#function_name, #p::Bounds::arguments(#bounds, &[#(#labels),*])) #settings;
            let __site = #p::TestSite {
                module: ::core::module_path!(),
                function: #function_name,
                package: ::core::option_env!("CARGO_PKG_NAME"),
                directory: ::core::option_env!("CARGO_MANIFEST_DIR"),
                is_ignored: #is_ignored,
                should_panic: #should_panic,
                mark: #mark,
            };
            #run::<#input, (#(#places,)*), #output>(
                &__site,
                __check,
                |(#(#variables,)*)| #name(#(#variables.#gives()),*),
                |__value| {
                    ::std::vec![#( (#labels, (&#p::Shown(&__value.0.#indices)).show()) ),*]
                },
            );
        }
    })
}

/// Where an argument is before the test is called.
fn place(p: &TokenStream, kind: &str, ty: &Type) -> TokenStream {
    let kind = Ident::new(kind, Span::call_site());
    let place = located(quote!(#p::#kind), ty.span());
    quote_spanned!(Span::call_site().located_at(ty.span())=> #place<#ty>)
}

/// A text in the binary by which `cargo smallscope` finds the test without running anything.
fn mark(function: &str, types: &[&Type], args: &str) -> TokenStream {
    let types: Vec<String> = types.iter().map(|ty| quote!(#ty).to_string()).collect();
    // What `structure!` adds is nobody's concern.
    let args = args.replace(", crate = $crate", "");
    test_mark("smallscope-test", function, &types.join(", "), &args)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The messages of the errors in an expansion.
    pub(super) fn messages(args: TokenStream, item: TokenStream) -> Vec<String> {
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
            quote!(scope = 4),
            quote!(
                #[ignore]
                #[should_panic(expected = "boom")]
                pub fn works(mut tree: Tree<Key>, Wrapper(x): Wrapper) -> Result<(), String> {
                    Ok(())
                }
            ),
        );
        let file: syn::File = syn::parse2(expanded).unwrap();
        let [syn::Item::Fn(outer)] = &file.items[..] else { panic!("one function") };
        let attrs: Vec<String> = outer.attrs.iter().map(|a| quote!(#a).to_string()).collect();
        assert_eq!(
            attrs,
            ["# [ignore]", "# [should_panic (expected = \"boom\")]", "# [:: core :: prelude :: v1 :: test]"]
        );
        assert!(outer.sig.inputs.is_empty());
        let body = quote!(#outer).to_string();
        assert!(body.contains("is_ignored : true") && body.contains("should_panic : true"));
        assert!(body.contains(r#"& ["tree" , "argument 1"]"#), "{body}");
        assert!(body.contains(":: smallscope :: __private :: run_test"));
    }

    #[test]
    fn errors_about_arguments_and_function_come_together() {
        let found = messages(
            quote!(scpoe = 4),
            quote!(
                async fn f(x: u8) {}
            ),
        );
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].starts_with("unknown key `scpoe`"));
        assert!(found[1].contains("async"));
    }

    #[test]
    fn generated_code_names_the_given_crate() {
        let expanded = expand(
            quote!(scope = 1, crate = my::scope),
            quote!(
                fn f(x: u8) {}
            ),
        )
        .to_string();
        assert!(expanded.contains("my :: scope :: __private") && !expanded.contains(":: smallscope"));
    }
}
