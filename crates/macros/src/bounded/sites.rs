//! Quoting what a field's attributes say.

use super::model::{Field, Model, Variant};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::spanned::Spanned;

pub(super) fn field_site(m: &Model, v: &Variant, f: &Field) -> TokenStream {
    let s = &m.support;
    let owner = match &v.name {
        Some(variant) => format!("{}::{variant}", m.name),
        None => m.name.to_string(),
    };
    let field = f.label();
    let a = &f.attrs;
    let mut set = vec![];
    let function = |e: &syn::Expr, convert: TokenStream| {
        let scope = Ident::new("scope", e.span());
        quote!(::core::option::Option::Some(|#scope: i128| { let _ = #scope; #convert(#e) }))
    };
    if let Some(e) = &a.range {
        let f = function(e, quote!(#s::range));
        set.push(quote!(range: #f));
    }
    if let Some(e) = &a.set {
        let f = function(e, quote!(#s::set));
        set.push(quote!(set: #f));
    }
    if let Some(e) = &a.len {
        let f = function(e, quote!(#s::range));
        set.push(quote!(len: #f));
    }
    if let Some(x) = &a.alphabet {
        set.push(quote!(alphabet: ::core::option::Option::Some(#x)));
    }
    if let Some(v) = &a.variants {
        let names = v.iter().map(Ident::to_string);
        set.push(quote!(variants: ::core::option::Option::Some(&[#(#names),*])));
    }
    if let Some(x) = &a.pool {
        set.push(quote!(pool: ::core::option::Option::Some(#x)));
    }
    if m.attrs.frozen.is_some() {
        set.push(quote!(frozen: true));
    }
    if let Some(x) = &a.part {
        set.push(quote!(part: ::core::option::Option::Some(#x)));
        if m.attrs.unsafe_parts {
            set.push(quote!(unsafe_parts: true));
        }
    }
    if a.non_null.is_some() {
        set.push(quote!(non_null: true));
    }
    if let Some(x) = &a.index {
        set.push(quote!(index: ::core::option::Option::Some(#x)));
    }
    if a.by_reference.is_some() {
        set.push(quote!(by_reference: true));
    }
    if a.unchecked.is_some() {
        set.push(quote!(unchecked: true));
    }
    let attrs = if set.is_empty() {
        quote!(#s::FieldAttrs::NONE)
    } else {
        quote!(#s::FieldAttrs { #(#set,)* ..#s::FieldAttrs::NONE })
    };
    quote!(#s::FieldSite { owner: #owner, module: ::core::module_path!(), field: #field, attrs: #attrs })
}
