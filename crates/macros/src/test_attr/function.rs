//! The test function: its arguments, and the rules for them.

use crate::plain_test;
use crate::syntax::quote;
use proc_macro2::TokenStream;
use syn::spanned::Spanned;
use syn::{Error, FnArg, ItemFn, Pat, PatType, Result, Type, TypeReference};

/// The largest number of arguments.
const MAX_ARGUMENTS: usize = 6;

/// The function without attributes and visibility, to be put into the test.
pub(super) fn inner(function: &ItemFn) -> TokenStream {
    let ItemFn { sig, block, .. } = function;
    // The signature says which values the test takes and how, so advice on signatures is out of place.
    quote! {
        #[allow(
            clippy::needless_pass_by_value,
            clippy::ptr_arg,
            clippy::trivially_copy_pass_by_ref,
            clippy::unnecessary_wraps
        )]
        #sig #block
    }
}

pub(super) fn arguments(function: &ItemFn) -> Vec<&PatType> {
    let mut arguments = vec![];
    for input in &function.sig.inputs {
        if let FnArg::Typed(argument) = input {
            arguments.push(argument);
        }
    }
    arguments
}

/// The types of the values that the arguments are or refer to.
pub(super) fn types(function: &ItemFn) -> Vec<&Type> {
    let mut types = vec![];
    for argument in arguments(function) {
        types.push(match &*argument.ty {
            Type::Reference(reference) => &*reference.elem,
            ty => ty,
        });
    }
    types
}

/// The names of the arguments in bounds and reports.
pub(super) fn labels(function: &ItemFn) -> Vec<String> {
    let mut labels = vec![];
    for (i, argument) in arguments(function).into_iter().enumerate() {
        labels.push(match &*argument.pat {
            Pat::Ident(pat) => pat.ident.to_string().trim_start_matches("r#").to_owned(),
            _ => format!("argument {i}"),
        });
    }
    labels
}

/// The first rule that the function breaks.
pub(super) fn check(function: &ItemFn) -> Result<()> {
    let sig = &function.sig;
    let types = "such as `Tree<smallscope::Key>` for any ordered key";
    plain_test::check(function, "smallscope::test", types)?;
    if let Some(FnArg::Receiver(receiver)) = sig.inputs.first() {
        return Err(Error::new_spanned(
            receiver,
            "a method cannot be a test: write a free function with an argument `tree: Tree`",
        ));
    }
    if sig.inputs.is_empty() {
        return Err(Error::new_spanned(
            &sig.ident,
            "a test without arguments has no values to try: add one, `fn works(tree: Tree)`, or use plain `#[test]`",
        ));
    }
    if let Some(extra) = sig.inputs.iter().nth(MAX_ARGUMENTS) {
        return Err(Error::new_spanned(
            extra,
            "a test takes at most 6 arguments: put some of them into a struct that derives `Bounded`",
        ));
    }
    for argument in arguments(function) {
        check_argument(argument)?;
    }
    Ok(())
}

fn check_argument(argument: &PatType) -> Result<()> {
    if let Some(attr) = argument.attrs.first() {
        return Err(Error::new_spanned(
            attr,
            "arguments take no attributes: give their bounds to the test, `#[smallscope::test(scope = 4, ints(key = 0..=9))]`",
        ));
    }
    match &*argument.ty {
        Type::Reference(reference) => check_reference(reference),
        ty => check_type(ty),
    }
}

fn check_reference(reference: &TypeReference) -> Result<()> {
    let target = &reference.elem;
    let text = quote!(#target).to_string();
    if let Some(token) = &reference.mutability {
        return Err(Error::new(
            token.span(),
            format!(
                "`&mut {text}` is not supported: take `&{text}`, or `mut` and `{text}` to change the value"
            ),
        ));
    }
    if let Some(lifetime) = &reference.lifetime {
        return Err(Error::new(
            lifetime.span(),
            format!("a reference is valid for one call of the test: take `&{text}` without a lifetime"),
        ));
    }
    if matches!(&**target, Type::Path(path) if path.path.is_ident("str")) {
        return Err(Error::new_spanned(target, "a `str` cannot be made without its owner: take `&String`"));
    }
    if let Type::Slice(_) | Type::Reference(_) = &**target {
        let why =
            "refer to a type that derives `Bounded`, such as `&Vec<u8>`: values are made from their type";
        return Err(Error::new_spanned(target, why));
    }
    check_type(target)
}

fn check_type(ty: &Type) -> Result<()> {
    match ty {
        Type::ImplTrait(_) | Type::TraitObject(_) | Type::Infer(_) => {
            Err(Error::new_spanned(ty, "name a type that derives `Bounded`: values are made from their type"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_say_what_to_write() {
        for (item, message) in [
            (
                quote!(
                    async fn f(x: u8) {}
                ),
                "block on the future",
            ),
            (
                quote!(
                    const fn f(x: u8) {}
                ),
                "remove `const`",
            ),
            (
                quote!(
                    unsafe fn f(x: u8) {}
                ),
                "put an `unsafe` block inside",
            ),
            (
                quote!(
                    extern "C" fn f(x: u8) {}
                ),
                "remove the ABI",
            ),
            (
                quote!(
                    fn f<T>(x: T) {}
                ),
                "cannot be generic",
            ),
            (
                quote!(
                    fn f(x: u8)
                    where
                        u8: Copy,
                    {
                    }
                ),
                "`where` clause",
            ),
            (
                quote!(
                    fn f(&self, x: u8) {}
                ),
                "a method cannot be a test",
            ),
            (
                quote!(
                    fn f() {}
                ),
                "no values to try",
            ),
            (
                quote!(
                    fn f(a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8) {}
                ),
                "at most 6",
            ),
            (
                quote!(
                    fn f(#[bounded(range = 0..=3)] x: u8) {}
                ),
                "arguments take no attributes",
            ),
            (
                quote!(
                    fn f(x: &mut Tree<u8>) {}
                ),
                "take `&Tree < u8 >`, or `mut` and `Tree < u8 >`",
            ),
            (
                quote!(
                    fn f(x: &'static Tree) {}
                ),
                "take `&Tree` without a lifetime",
            ),
            (
                quote!(
                    fn f(x: &[u8]) {}
                ),
                "such as `&Vec<u8>`",
            ),
            (
                quote!(
                    fn f(x: &dyn Ord) {}
                ),
                "name a type",
            ),
            (
                quote!(
                    fn f(x: impl Ord) {}
                ),
                "name a type",
            ),
            (
                quote!(
                    #[test]
                    fn f(x: u8) {}
                ),
                "remove this attribute",
            ),
            (
                quote!(
                    #[tokio::test]
                    fn f(x: u8) {}
                ),
                "remove this attribute",
            ),
        ] {
            let shown = item.to_string();
            let error = syn::parse2(item).and_then(|function| check(&function));
            let error = error.map_or_else(|e| e.to_string(), |()| "no error".into());
            assert!(error.contains(message), "{shown}: {error}");
        }
    }

    #[test]
    fn arguments_are_known_by_their_names() {
        let f = syn::parse2(quote!(
            fn f(mut a: u8, (b, c): (u8, u8), ref d: u8, r#type: u8, _: u8) {}
        ));
        assert_eq!(labels(&f.unwrap()), ["a", "argument 1", "d", "type", "argument 4"]);
    }
}
