//! The test function, and the rules for it.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Error, FnArg, ItemFn, Pat, PatType, Result, Type, TypeReference};

/// The largest number of arguments.
const MAX_ARGUMENTS: usize = 6;

/// The function under the attribute.
pub(super) struct TestFn {
    pub(super) item: ItemFn,
}

impl TestFn {
    pub(super) fn parse(item: TokenStream) -> Result<TestFn> {
        let span = item.clone().into_iter().next().map_or_else(proc_macro2::Span::call_site, |t| t.span());
        let item = syn::parse2(item).map_err(|_| {
            Error::new(span, "`#[smallscope::test]` goes on a function: `fn works(tree: Tree) { .. }`")
        })?;
        Ok(TestFn { item })
    }

    /// The function as it was, without what only makes sense on a test.
    pub(super) fn original(&self) -> TokenStream {
        let mut item = self.item.clone();
        item.attrs
            .retain(|a| !names_test(a) && !a.path().is_ident("ignore") && !a.path().is_ident("should_panic"));
        for input in &mut item.sig.inputs {
            if let FnArg::Typed(argument) = input {
                argument.attrs.clear();
            }
        }
        item.into_token_stream()
    }

    /// The function without attributes and visibility, to be put into the test.
    pub(super) fn inner(&self) -> TokenStream {
        let ItemFn { sig, block, .. } = &self.item;
        // A `&Vec` is what there is to refer to.
        quote!(#[allow(clippy::ptr_arg)] #sig #block)
    }

    /// Whether it has such an attribute.
    pub(super) fn has(&self, attribute: &str) -> bool {
        self.item.attrs.iter().any(|a| a.path().is_ident(attribute))
    }

    pub(super) fn arguments(&self) -> impl Iterator<Item = &PatType> {
        self.item.sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(argument) => Some(argument),
            FnArg::Receiver(_) => None,
        })
    }

    /// The types of the values that the arguments are or refer to.
    pub(super) fn types(&self) -> Vec<&Type> {
        fn value(argument: &PatType) -> &Type {
            match &*argument.ty {
                Type::Reference(reference) => &reference.elem,
                ty => ty,
            }
        }
        self.arguments().map(value).collect()
    }

    /// The names by which bounds and reports know the arguments.
    pub(super) fn labels(&self) -> Vec<String> {
        let label = |(i, argument): (usize, &PatType)| match &*argument.pat {
            Pat::Ident(pat) => pat.ident.to_string().trim_start_matches("r#").to_owned(),
            _ => format!("argument {i}"),
        };
        self.arguments().enumerate().map(label).collect()
    }

    /// The first rule that the function breaks.
    pub(super) fn check(&self) -> Result<()> {
        let sig = &self.item.sig;
        let fail = |at: &dyn ToTokens, message: &str| Err(Error::new_spanned(at.to_token_stream(), message));
        if let Some(attr) = self.item.attrs.iter().find(|a| names_test(a)) {
            return fail(
                attr,
                "remove this attribute: `#[smallscope::test]` makes the function a test already",
            );
        }
        if let Some(token) = &sig.asyncness {
            return fail(
                token,
                "an `async` function cannot be a smallscope test: block on the future inside of a plain `fn`",
            );
        }
        if let Some(token) = &sig.constness {
            return fail(token, "a `const` function cannot be a smallscope test: remove `const`");
        }
        if let Some(token) = &sig.unsafety {
            return fail(
                token,
                "an `unsafe` function cannot be a smallscope test: put the `unsafe` block inside",
            );
        }
        if let Some(abi) = &sig.abi {
            return fail(abi, "an `extern` function cannot be a smallscope test: remove the ABI");
        }
        if !sig.generics.params.is_empty() {
            return fail(
                &sig.generics,
                "a test cannot be generic: name the types, such as `Tree<smallscope::Key>` for any ordered key",
            );
        }
        if let Some(clause) = &sig.generics.where_clause {
            return fail(clause, "a test cannot have a `where` clause: name the types of its arguments");
        }
        if let Some(FnArg::Receiver(receiver)) = sig.inputs.first() {
            return fail(
                receiver,
                "a method cannot be a test: write a free function with an argument `tree: Tree`",
            );
        }
        if sig.inputs.is_empty() {
            return fail(
                &sig.ident,
                "a test without arguments has nothing to try: add one, `fn works(tree: Tree)`, or use plain `#[test]`",
            );
        }
        if let Some(extra) = sig.inputs.iter().nth(MAX_ARGUMENTS) {
            return fail(
                extra,
                "a test takes at most 6 arguments: put some of them into a struct that derives `Bounded`",
            );
        }
        self.arguments().try_for_each(check_argument)
    }
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
            format!("a test looks at a value or has it: take `&{text}`, or `mut` and `{text}` to change it"),
        ));
    }
    if let Some(lifetime) = &reference.lifetime {
        return Err(Error::new(
            lifetime.span(),
            format!("a value is lent for one call of the test: take `&{text}` without a lifetime"),
        ));
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

/// `#[test]`, `#[tokio::test]`, `#[smallscope::test]` once more.
fn names_test(attr: &syn::Attribute) -> bool {
    attr.path().segments.last().is_some_and(|s| s.ident == "test")
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
                "put the `unsafe` block inside",
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
                "nothing to try",
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
            let error = TestFn::parse(item).unwrap_or_else(|e| panic!("{e}")).check();
            let error = error.map_or_else(|e| e.to_string(), |()| "no error".into());
            assert!(error.contains(message), "{shown}: {error}");
        }
        let error = TestFn::parse(quote!(
            struct S;
        ))
        .err()
        .map(|e| e.to_string())
        .unwrap_or_default();
        assert!(error.contains("goes on a function"), "{error}");
    }

    #[test]
    fn arguments_are_known_by_their_names() {
        let f = TestFn::parse(quote!(
            fn f(mut a: u8, (b, c): (u8, u8), ref d: u8, r#type: u8, _: u8) {}
        ));
        let f = f.unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(f.labels(), ["a", "argument 1", "d", "type", "argument 4"]);
    }
}
