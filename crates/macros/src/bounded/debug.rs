//! `Debug` of mirrors: the same text as from `#[derive(Debug)]` on the type itself.

use super::model::{Field, Kind, Model, Style, Variant};
use crate::syntax::{parse_quote, quote};
use proc_macro2::TokenStream;
use quote::ToTokens;

/// The impl. As with the standard derive, type parameters have to be `Debug`; a field that is not prints `_`.
pub(super) fn implement(m: &Model) -> TokenStream {
    let Model { name, mirror, generics, support: s, .. } = m;
    let mut bounded = generics.clone();
    for p in bounded.type_params_mut() {
        p.bounds.push(parse_quote!(::core::fmt::Debug));
    }
    let (ig, _, wc) = bounded.split_for_impl();
    let (_, tg, _) = generics.split_for_impl();
    let body = match &m.kind {
        Kind::PlainEnum(_) => return TokenStream::new(),
        Kind::Struct(body) => print(m, body, &name.to_string(), &|f| {
            let x = &f.member;
            quote!(&self.#x)
        }),
        Kind::Enum(variants) => {
            let mut arms = TokenStream::new();
            for v in variants {
                let (n, bound) = (&v.name, v.bound());
                let print = print(m, v, &v.label(), &|f| f.var.to_token_stream());
                quote!(#mirror::#n { #bound } => #print,).to_tokens(&mut arms);
            }
            quote!(match self { #arms })
        }
    };
    quote! {
        #[allow(unused_variables, clippy::all)]
        impl #ig ::core::fmt::Debug for #mirror #tg #wc {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #[allow(unused_imports)]
                use #s::NotDebug as _;
                #body
            }
        }
    }
}

/// Prints a struct or a variant; `place` quotes a reference to a field.
fn print(m: &Model, v: &Variant, name: &str, place: &dyn Fn(&Field) -> TokenStream) -> TokenStream {
    let s = &m.support;
    let mut fields = TokenStream::new();
    for f in &v.fields {
        let place = place(f);
        let shown = quote!(#s::Debugged(#place).__debug());
        let field = match label(f) {
            Some(label) => quote!(.field(#label, #shown)),
            None => quote!(.field(#shown)),
        };
        field.to_tokens(&mut fields);
    }
    match v.style {
        Style::Unit => quote!(f.write_str(#name)),
        Style::Named => quote!(f.debug_struct(#name)#fields.finish()),
        Style::Tuple => quote!(f.debug_tuple(#name)#fields.finish()),
    }
}

/// The name of a field, without the prefix of raw identifiers.
fn label(f: &Field) -> Option<String> {
    let name = f.name.as_ref()?.to_string();
    Some(name.strip_prefix("r#").unwrap_or(&name).to_owned())
}
