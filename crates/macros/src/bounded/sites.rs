//! Quoting what a field's attributes say.

use super::model::{Field, Model, Variant};
use crate::syntax::quote;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::Expr;
use syn::spanned::Spanned;

/// The attributes that are set, as fields of a struct.
struct Set(TokenStream);

impl Set {
    fn put(&mut self, key: &str, value: &TokenStream) {
        let key = Ident::new(key, Span::call_site());
        quote!(#key: #value,).to_tokens(&mut self.0);
    }

    fn flag(&mut self, key: &str, is_set: bool) {
        if is_set {
            self.put(key, &quote!(true));
        }
    }

    fn some(&mut self, key: &str, value: &Option<impl ToTokens>) {
        if let Some(value) = value {
            self.put(key, &quote!(::core::option::Option::Some(#value)));
        }
    }

    /// A function of `scope`.
    fn function(&mut self, key: &str, value: &Option<Expr>, convert: &TokenStream) {
        if let Some(e) = value {
            let scope = Ident::new("scope", e.span());
            self.some(key, &Some(quote!(|#scope: i128| { let _ = #scope; #convert(#e) })));
        }
    }
}

pub(super) fn field_site(m: &Model, v: &Variant, f: &Field) -> TokenStream {
    let s = &m.support;
    let owner = match &v.name {
        Some(variant) => format!("{}::{variant}", m.name),
        None => m.name.to_string(),
    };
    let field = f.label();
    let a = &f.attrs;
    let variants = a.variants.as_ref().map(|variants| {
        let mut names = vec![];
        for variant in variants {
            names.push(variant.to_string());
        }
        quote!(&[#(#names),*])
    });
    let mut set = Set(TokenStream::new());
    set.function("range", &a.range, &quote!(#s::range));
    set.function("set", &a.set, &quote!(#s::set));
    set.function("len", &a.len, &quote!(#s::range));
    if let [first, ..] = &a.filled[..] {
        let scope = Ident::new("scope", first.span());
        let mut ranges = vec![];
        for range in &a.filled {
            ranges.push(quote!(#s::range(#range)));
        }
        let ranges = quote!(|#scope: i128| { let _ = #scope; ::std::vec![#(#ranges),*] });
        set.some("filled", &Some(ranges));
    }
    set.some("alphabet", &a.alphabet);
    set.some("variants", &variants);
    set.some("pool", &a.pool);
    set.flag("frozen", m.attrs.frozen.is_some());
    set.some("part", &a.part);
    set.flag("unsafe_parts", a.part.is_some() && m.attrs.unsafe_parts);
    set.flag("non_null", a.non_null.is_some());
    set.some("index", &a.index);
    set.flag("by_reference", a.by_reference.is_some());
    set.flag("unchecked", a.unchecked.is_some());
    set.some("view", &a.view);
    let set = set.0;
    let attrs = if set.is_empty() {
        quote!(#s::FieldAttrs::NONE)
    } else {
        quote!(#s::FieldAttrs { #set ..#s::FieldAttrs::NONE })
    };
    quote!(#s::FieldSite { owner: #owner, module: ::core::module_path!(), field: #field, attrs: #attrs })
}
