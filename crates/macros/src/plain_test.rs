//! What the two test attributes share: rules for the function under them, and the plain `#[test]` that it becomes.

use crate::syntax::{ends_with, first_span, is_ident_of, quote, retain_attributes};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Error, FnArg, ItemFn, Result};

/// The function under an attribute, or what to write.
pub(crate) fn parse(item: TokenStream, expected: &str) -> Result<ItemFn> {
    let at = first_span(&item);
    syn::parse2(item).map_err(|_| Error::new(at, expected))
}

/// The test, if neither the arguments nor the function are wrong. Otherwise the errors and the function as it was.
pub(crate) fn test_or_errors<A>(
    function: ItemFn,
    args: Result<A>,
    checked: Result<()>,
    test: impl FnOnce(&A, &ItemFn) -> TokenStream,
) -> TokenStream {
    let errors = match (args, checked) {
        (Ok(args), Ok(())) => return test(&args, &function),
        (Ok(_), Err(error)) | (Err(error), Ok(())) => error,
        (Err(mut error), Err(other)) => {
            error.combine(other);
            error
        }
    };
    let (errors, function) = (errors.to_compile_error(), original(function));
    quote!(#errors #[allow(dead_code)] #function)
}

/// The function without what only makes sense on a test.
fn original(mut function: ItemFn) -> TokenStream {
    let is_about_tests = |a: &Attribute| names_test(a) || is_ident_of(a.path(), &["ignore", "should_panic"]);
    retain_attributes(&mut function.attrs, &|attribute| !is_about_tests(attribute));
    for input in &mut function.sig.inputs {
        if let FnArg::Typed(argument) = input {
            argument.attrs.clear();
        }
    }
    function.into_token_stream()
}

/// `#[test]`, `#[tokio::test]`, or one of our own attributes once more.
fn names_test(attribute: &Attribute) -> bool {
    ["test", "sequences", "agree"].iter().any(|name| ends_with(attribute.path(), name))
}

/// The first rule for every test that a function breaks. `types` says how to get rid of generics.
pub(crate) fn check(function: &ItemFn, attribute: &str, types: &str) -> Result<()> {
    let sig = &function.sig;
    for other in &function.attrs {
        if names_test(other) {
            let message =
                format!("remove this attribute: `#[{attribute}]` makes the function a test already");
            return Err(Error::new_spanned(other, message));
        }
    }
    let clause = sig.generics.where_clause.as_ref();
    let refused: [(Option<&dyn ToTokens>, String); 6] = [
        (
            sig.asyncness.as_ref().map(|token| token as _),
            "an `async` function cannot be a smallscope test: block on the future inside of a plain `fn`"
                .into(),
        ),
        (
            sig.constness.as_ref().map(|token| token as _),
            "a `const` function cannot be a smallscope test: remove `const`".into(),
        ),
        (
            sig.unsafety.as_ref().map(|token| token as _),
            "an `unsafe` function cannot be a smallscope test: put an `unsafe` block inside".into(),
        ),
        (
            sig.abi.as_ref().map(|abi| abi as _),
            "an `extern` function cannot be a smallscope test: remove the ABI".into(),
        ),
        (
            (!sig.generics.params.is_empty()).then_some(&sig.generics as _),
            format!("a test cannot be generic: name the types, {types}"),
        ),
        (clause.map(|clause| clause as _), "a test cannot have a `where` clause: name the types".into()),
    ];
    for (at, message) in refused {
        if let Some(at) = at {
            return Err(Error::new_spanned(at.to_token_stream(), message));
        }
    }
    Ok(())
}

/// The test: attributes, visibility and name of the function, items, and statements for which `__site` describes it.
///
/// `kind`, `types` and `args` go into a text in the binary by which `cargo smallscope` finds tests without running
/// anything: the kind of test, the types of its arguments, and the arguments of the attribute.
pub(crate) fn plain_test(
    function: &ItemFn,
    p: &TokenStream,
    (kind, types, args): (&str, &str, &str),
    items: &TokenStream,
    statements: &TokenStream,
) -> TokenStream {
    let ItemFn { attrs, vis, sig, .. } = function;
    let has = |attribute: &str| attrs.iter().any(|a| a.path().is_ident(attribute));
    let (is_ignored, should_panic) = (has("ignore"), has("should_panic"));
    let name = &sig.ident;
    let function_name = name.to_string();
    let begin = format!("\u{1e}{kind}\u{1f}");
    quote! {
        #(#attrs)*
        #[::core::prelude::v1::test]
        #vis fn #name() {
            #items
            let __site = #p::TestSite {
                module: ::core::module_path!(),
                function: #function_name,
                package: ::core::option_env!("CARGO_PKG_NAME"),
                directory: ::core::option_env!("CARGO_MANIFEST_DIR"),
                is_ignored: #is_ignored,
                should_panic: #should_panic,
                mark: ::core::concat!(
                    #begin, ::core::module_path!(), "\u{1f}", #function_name, "\u{1f}", ::core::file!(),
                    "\u{1f}", ::core::line!(), "\u{1f}", #types, "\u{1f}", #args, "\u{1e}"
                ),
            };
            #statements
        }
    }
}

/// The messages of the errors in an expansion.
#[cfg(test)]
pub(crate) fn messages(expansion: TokenStream) -> Vec<String> {
    let file: syn::File = syn::parse2(expansion).expect("the expansion is a list of items");
    let message = |item: &syn::Item| match item {
        syn::Item::Macro(m) => m.mac.parse_body::<syn::LitStr>().ok().map(|text| text.value()),
        _ => None,
    };
    file.items.iter().filter_map(message).collect()
}
