//! What invariants need in order to make, clone and compare values of a type: traits of its mirror.

use super::model::{Field, Kind, Model, Variant};
use crate::syntax::{any_ident, is_one_of, quote, raw_pointer};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident};

/// The traits of std that compare.
pub(crate) const COMPARISONS: [&str; 4] = ["PartialEq", "Eq", "PartialOrd", "Ord"];

/// The impls. Traits of std that the type has are those of the mirror; a derive cannot see which ones these are.
pub(super) fn implement(m: &Model) -> TokenStream {
    let Model { name, mirror, generics, support: s, .. } = m;
    let (ig, tg, wc) = generics.split_for_impl();
    let again = match &m.kind {
        Kind::PlainEnum(_) => return TokenStream::new(),
        Kind::Struct(body) => again(m, body, &mirror.to_token_stream(), &|f| {
            let x = &f.member;
            quote!(&self.#x)
        }),
        Kind::Enum(variants) => {
            let mut arms = TokenStream::new();
            for v in variants {
                let (n, bound) = (&v.name, v.bound());
                let path = quote!(#mirror::#n);
                let again = again(m, v, &path, &|f| f.var.to_token_stream());
                quote!(#path { #bound } => #again,).to_tokens(&mut arms);
            }
            quote!(match self { #arms })
        }
    };
    let conditions = wc.map(|wc| &wc.predicates);
    let mut others = TokenStream::new();
    let shares = m.fields().iter().any(|f| shares(f));
    for std_trait in COMPARISONS {
        if !generics.params.is_empty() || m.attrs.derives.iter().any(|path| path.is_ident(std_trait)) {
            continue;
        }
        let (std_trait, own) = (format_ident!("{std_trait}"), format_ident!("Own{std_trait}"));
        let condition = match shares {
            true => quote!(#mirror: #s::made::#own),
            false => quote!(#name: ::core::cmp::#std_trait),
        };
        quote!(#s::like_the_type!(#std_trait #mirror where #condition);).to_tokens(&mut others);
    }
    quote! {
        impl #ig #s::made::Again for #mirror #tg #wc {
            fn again(&self) -> Self { #again }
        }
        #s::like_the_type!(Clone {#ig} {#name #tg} {#mirror #tg} {#conditions});
        #others
    }
}

/// The same struct or variant; `place` quotes a reference to a field.
fn again(m: &Model, v: &Variant, path: &TokenStream, place: &dyn Fn(&Field) -> TokenStream) -> TokenStream {
    let (s, mut fields) = (&m.support, TokenStream::new());
    for f in &v.fields {
        let (member, place) = (&f.member, place(f));
        quote!(#member: #s::made::Again::again(#place),).to_tokens(&mut fields);
    }
    quote!(#path { #fields })
}

/// Whether a field may share objects: then values may be cyclic, and are not copied in order to compare them.
fn shares(f: &Field) -> bool {
    raw_pointer(&f.ty).is_some()
        || any_ident(f.ty.to_token_stream(), &|i| is_one_of(i, &["Rc", "Arc", "Weak"]))
}
