//! `#[mirror]` on types: iterators and other structs that an invariant uses while it runs, and aliases. Their
//! mirrors have the same fields and variants, with the mirrors of the types in them.

use super::args::Args;
use super::attrs;
use super::names;
use super::types::MapTypes;
use crate::syntax::visit_mut::VisitMut;
use crate::syntax::{Names, parameters, quote};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Error, Fields, Generics, ItemEnum, ItemStruct, ItemType, Meta, Result};

/// The parameters of an item, which stay as they are, and which `Weak` is meant.
fn context(generics: &Generics, item: TokenStream) -> (Names, bool) {
    let mut words = Names::default();
    for word in item.to_string().split(|c: char| !c.is_alphanumeric()) {
        words.insert(word.to_owned());
    }
    (parameters(generics), words.contains("Arc") && !words.contains("Rc"))
}

/// A structure has its mirror from the derive.
fn is_not_bounded(attributes: &[Attribute]) -> Result<()> {
    for a in attributes {
        let Meta::List(list) = &a.meta else { continue };
        if !list.path.is_ident("derive") {
            continue;
        }
        for t in list.tokens.clone() {
            if t.to_string() == "Bounded" {
                return Err(Error::new(
                    t.span(),
                    "`derive(Bounded)` makes the mirror of a structure; `#[mirror]` is for helper types. Use \
                        one of them",
                ));
            }
        }
    }
    Ok(())
}

fn map_fields(fields: &mut Fields, map: &mut MapTypes<'_>) {
    for f in fields.iter_mut() {
        attrs::strip(&mut f.attrs);
        map.visit_type_mut(&mut f.ty);
    }
}

/// `impl Mirrored`, by which the copies find the mirror of a helper type.
fn mirrored(
    args: &Args,
    name: &Ident,
    mirror: &Ident,
    generics: &Generics,
    conditions: &[Attribute],
) -> TokenStream {
    let krate = &args.krate;
    let (impl_generics, ty_generics, bounds) = generics.split_for_impl();
    quote! {
        #(#conditions)* #[automatically_derived]
        impl #impl_generics #krate::__private::Mirrored for #name #ty_generics #bounds {
            type Mirror = #mirror #ty_generics;
            type Cell = #mirror #ty_generics;
            type Seq = ::std::vec::Vec<#mirror #ty_generics>;
            type InMap = #mirror #ty_generics;
        }
    }
}

/// A helper struct.
pub(super) fn structure(args: &Args, mut item: ItemStruct) -> Result<TokenStream> {
    is_not_bounded(&item.attrs)?;
    let (local, weak_of_arc) = context(&item.generics, item.to_token_stream());
    let (name, conditions, allow) = (item.ident.clone(), attrs::conditions(&item.attrs), attrs::allow());
    item.ident = names::mirror_type(&name);
    attrs::strip(&mut item.attrs);
    map_fields(&mut item.fields, &mut MapTypes { args, local: &local, weak_of_arc, by_name: true });
    let link = mirrored(args, &name, &item.ident, &item.generics, &conditions);
    let imports = names::imports(&name, &item.ident, &item.generics, &item.vis, &conditions);
    Ok(quote!(#[doc(hidden)] #allow #item #link #imports))
}

/// A helper enum.
pub(super) fn enumeration(args: &Args, mut item: ItemEnum) -> Result<TokenStream> {
    is_not_bounded(&item.attrs)?;
    let (local, weak_of_arc) = context(&item.generics, item.to_token_stream());
    let (name, conditions, allow) = (item.ident.clone(), attrs::conditions(&item.attrs), attrs::allow());
    item.ident = names::mirror_type(&name);
    attrs::strip(&mut item.attrs);
    for v in &mut item.variants {
        attrs::strip(&mut v.attrs);
        map_fields(&mut v.fields, &mut MapTypes { args, local: &local, weak_of_arc, by_name: true });
    }
    let link = mirrored(args, &name, &item.ident, &item.generics, &conditions);
    let imports = names::imports(&name, &item.ident, &item.generics, &item.vis, &conditions);
    Ok(quote!(#[doc(hidden)] #allow #item #link #imports))
}

/// A type alias.
pub(super) fn alias(args: &Args, mut item: ItemType) -> Result<TokenStream> {
    let (local, weak_of_arc) = context(&item.generics, item.to_token_stream());
    let (name, conditions, allow) = (item.ident.clone(), attrs::conditions(&item.attrs), attrs::allow());
    item.ident = names::mirror_type(&name);
    attrs::strip(&mut item.attrs);
    MapTypes { args, local: &local, weak_of_arc, by_name: false }.visit_type_mut(&mut item.ty);
    let imports = names::imports(&name, &item.ident, &item.generics, &item.vis, &conditions);
    Ok(quote!(#[doc(hidden)] #allow #item #imports))
}
