//! `Debug` of mirrors: the same text as from `#[derive(Debug)]` on the type itself.

use super::model::{Field, Kind, Model, Style, Variant};
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse_quote;

/// The impl. As with the standard derive, type parameters have to be `Debug`; a field that is not prints `_`.
pub(super) fn implement(m: &Model) -> TokenStream {
    let Model { name, mirror, generics, support: s, .. } = m;
    let mut bounded = generics.clone();
    bounded.type_params_mut().for_each(|p| p.bounds.push(parse_quote!(::core::fmt::Debug)));
    let (ig, _, wc) = bounded.split_for_impl();
    let (_, tg, _) = generics.split_for_impl();
    let body = match &m.kind {
        Kind::PlainEnum(_) => return TokenStream::new(),
        Kind::Struct(body) => {
            let fields = body.fields.iter().map(|f| {
                let x = &f.member;
                quote!(&self.#x)
            });
            print(m, body, &name.to_string(), fields)
        }
        Kind::Enum(variants) => {
            let arms = variants.iter().map(|v| {
                let (n, text) = (&v.name, v.name.as_ref().map(ToString::to_string).unwrap_or_default());
                let members = v.fields.iter().map(|f| &f.member);
                let vars: Vec<_> = v.fields.iter().map(|f| &f.var).collect();
                let print = print(m, v, &text, vars.iter().map(|x| quote!(#x)));
                quote!(#mirror::#n { #(#members: #vars),* } => #print)
            });
            quote!(match self { #(#arms,)* })
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

/// Prints a struct or a variant, whose fields are given as references.
fn print(m: &Model, v: &Variant, name: &str, fields: impl Iterator<Item = TokenStream>) -> TokenStream {
    let s = &m.support;
    let fields = v.fields.iter().zip(fields).map(|(f, place)| {
        let shown = quote!(#s::Debugged(#place).__debug());
        match label(f) {
            Some(label) => quote!(.field(#label, #shown)),
            None => quote!(.field(#shown)),
        }
    });
    match v.style {
        Style::Unit => quote!(f.write_str(#name)),
        Style::Named => quote!(f.debug_struct(#name)#(#fields)*.finish()),
        Style::Tuple => quote!(f.debug_tuple(#name)#(#fields)*.finish()),
    }
}

/// The name of a field, without the prefix of raw identifiers.
fn label(f: &Field) -> Option<String> {
    f.name.as_ref().map(|name| {
        let name = name.to_string();
        name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
    })
}
