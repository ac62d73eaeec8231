//! `#[smallscope::test]`: arguments ([`args`]) and function ([`function`]) → a plain `#[test]`.

mod args;
mod function;

use crate::plain_test::{self, plain_test, test_or_errors};
use crate::syntax::{located, quote, quote_spanned};
use args::Args;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident};
use smallscope_support::text::joined;
use syn::spanned::Spanned;
use syn::{Ident, Index, ItemFn, PatType, ReturnType, Type};

/// The expansion. If something is wrong, the function stays as it is and only the errors are added.
pub(crate) fn expand(args: TokenStream, item: TokenStream) -> TokenStream {
    let expected = "`#[smallscope::test]` goes on a function: `fn works(tree: Tree) { .. }`";
    let function = match plain_test::parse(item, expected) {
        Ok(function) => function,
        Err(e) => return e.to_compile_error(),
    };
    let text = args.to_string();
    let checked = function::check(&function);
    test_or_errors(function, Args::parse(args), checked, |args, function| test(args, &text, function))
}

/// The arguments of the function, in the forms in which the test mentions them.
#[derive(Default)]
struct Arguments {
    /// Where they are before the function is called.
    places: TokenStream,
    /// The types of their values.
    inputs: TokenStream,
    variables: TokenStream,
    /// What the function is called with.
    given: Vec<TokenStream>,
    /// Their names and texts for a report.
    shown: Vec<TokenStream>,
    /// The types of their values, as text.
    types: Vec<String>,
}

impl Arguments {
    /// Adds the argument with a number; `in_types` is the place of errors about the types.
    fn add(&mut self, p: &TokenStream, in_types: Span, i: usize, argument: &PatType, label: &str) {
        let (variable, index) = (format_ident!("__argument_{i}"), Index::from(i));
        let (place, ty, method) = match &*argument.ty {
            Type::Reference(reference) => (place(p, "Kept", &reference.elem), &*reference.elem, quote!(get)),
            ty => (place(p, "Owned", ty), ty, quote!(take)),
        };
        let input = testable(p, ty);
        quote!(#place,).to_tokens(&mut self.places);
        quote_spanned!(in_types=> #input,).to_tokens(&mut self.inputs);
        quote!(#variable,).to_tokens(&mut self.variables);
        self.given.push(quote!(#variable.#method()));
        self.shown.push(quote!((#label, (&#p::Shown(&__value.0.#index)).show())));
        self.types.push(ty.to_token_stream().to_string());
    }
}

fn test(args: &Args, text: &str, item: &ItemFn) -> TokenStream {
    let krate = args.krate();
    let p = quote!(#krate::__private);
    let name = &item.sig.ident;
    let (types, labels) = (function::types(item), function::labels(item));
    let inner = function::inner(item);
    // Errors about types belong to where the user wrote them, and the panic to the function.
    let types_at = match types[..] {
        [only] => only.span(),
        _ => item.sig.paren_token.span.join(),
    };
    let in_types = Span::call_site().located_at(types_at);
    let mut arguments = Arguments::default();
    for (i, argument) in function::arguments(item).into_iter().enumerate() {
        arguments.add(&p, in_types, i, argument, &labels[i]);
    }
    let Arguments { places, inputs, variables, given, shown, types } = arguments;
    let (bounds, settings, needs) = (args.bounds(&p), args.settings(&p), args.needs(&p));
    let product = located(quote!(#p::Product), types_at);
    let input = quote_spanned!(in_types=> #product<(#inputs)>);
    let output = match &item.sig.output {
        ReturnType::Default => quote!(()),
        ReturnType::Type(_, ty) if matches!(**ty, Type::Path(_)) => {
            let s = located(p.clone(), ty.span());
            quote_spanned!(Span::call_site().located_at(ty.span())=>
                <#s::If<{ <#ty as #s::TestResult>::IS_RETURNED }> as #s::Itself<#ty>>::Type)
        }
        ReturnType::Type(_, ty) => quote!(#ty),
    };
    let run = located(quote!(#p::run_test), name.span());
    let function_name = name.to_string();
    // `structure!` adds the path of the crate, which says nothing about the test.
    let text = text.replace(", crate = $crate", "");
    let items = quote! {
        #needs
        #inner
        #[allow(unused_imports)]
        use #p::{ShowDebug as _, ShowNothing as _};
    };
    let statements = quote! {
        let __check = #p::Check::new(#function_name, #p::Bounds::arguments(#bounds, &[#(#labels),*])) #settings;
        #run::<#input, (#places), #output>(
            &__site,
            __check,
            |(#variables)| #name(#(#given),*),
            |__value| {
                ::std::vec![#(#shown),*]
            },
        );
    };
    plain_test(item, &p, ("smallscope-test", &joined(&types, ", "), &text), &items, &statements)
}

/// The type of an argument. If a test cannot have it, that is one error.
fn testable(p: &TokenStream, ty: &Type) -> TokenStream {
    let s = located(p.clone(), ty.span());
    quote_spanned!(Span::call_site().located_at(ty.span())=>
        <#s::If<{ <#ty as #s::Testable>::IS_TESTABLE }> as #s::Itself<#ty>>::Type)
}

/// Where an argument is before the test is called.
fn place(p: &TokenStream, kind: &str, ty: &Type) -> TokenStream {
    let (kind, ty) = (Ident::new(kind, Span::call_site()), &testable(p, ty));
    let place = located(quote!(#p::#kind), ty.span());
    quote_spanned!(Span::call_site().located_at(ty.span())=> #place<#ty>)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain_test::messages;

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
        let found = messages(expand(
            quote!(scpoe = 4),
            quote!(
                async fn f(x: u8) {}
            ),
        ));
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
