//! `#[mirror]` on types: iterators and other structs that an invariant uses while it runs, and aliases. Their
//! mirrors have the same fields and variants, with the mirrors of the types in them.

use super::args::Args;
use super::attrs;
use super::names;
use super::types::MapTypes;
use crate::syntax::visit_mut::VisitMut;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use std::collections::HashSet;
use syn::{Attribute, Error, Fields, Generics, ItemEnum, ItemStruct, ItemType, Meta, Result};

/// The parameters of an item, which stay as they are, and which `Weak` is meant.
fn context(generics: &Generics, item: &impl ToTokens) -> (HashSet<String>, bool) {
    let local = generics.type_params().map(|p| p.ident.to_string());
    let consts = generics.const_params().map(|p| p.ident.to_string());
    let text = item.to_token_stream().to_string();
    let mentions = |name: &str| text.split(|c: char| !c.is_alphanumeric()).any(|w| w == name);
    (local.chain(consts).collect(), mentions("Arc") && !mentions("Rc"))
}

/// A structure has its mirror from the derive.
fn is_not_bounded(attributes: &[Attribute]) -> Result<()> {
    for a in attributes.iter().filter(|a| a.path().is_ident("derive")) {
        let Meta::List(list) = &a.meta else { continue };
        let bounded = list.tokens.clone().into_iter().find(|t| t.to_string() == "Bounded");
        if let Some(t) = bounded {
            return Err(Error::new(
                t.span(),
                "`derive(Bounded)` makes the mirror of a structure; `#[mirror]` is for helper types. Use \
                    one of them",
            ));
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
    let (local, weak_of_arc) = context(&item.generics, &item);
    let (name, conditions, allow) = (item.ident.clone(), attrs::conditions(&item.attrs), attrs::allow());
    item.ident = names::mirror_type(&name);
    attrs::strip(&mut item.attrs);
    map_fields(&mut item.fields, &mut MapTypes { args, local: &local, weak_of_arc, by_name: true });
    let link = mirrored(args, &name, &item.ident, &item.generics, &conditions);
    let imports = names::imports(&name, &item.ident, &item.vis, &conditions);
    Ok(quote!(#[doc(hidden)] #allow #item #link #imports))
}

/// A helper enum.
pub(super) fn enumeration(args: &Args, mut item: ItemEnum) -> Result<TokenStream> {
    is_not_bounded(&item.attrs)?;
    let (local, weak_of_arc) = context(&item.generics, &item);
    let (name, conditions, allow) = (item.ident.clone(), attrs::conditions(&item.attrs), attrs::allow());
    item.ident = names::mirror_type(&name);
    attrs::strip(&mut item.attrs);
    for v in &mut item.variants {
        attrs::strip(&mut v.attrs);
        map_fields(&mut v.fields, &mut MapTypes { args, local: &local, weak_of_arc, by_name: true });
    }
    let link = mirrored(args, &name, &item.ident, &item.generics, &conditions);
    let imports = names::imports(&name, &item.ident, &item.vis, &conditions);
    Ok(quote!(#[doc(hidden)] #allow #item #link #imports))
}

/// A type alias.
pub(super) fn alias(args: &Args, mut item: ItemType) -> Result<TokenStream> {
    let (local, weak_of_arc) = context(&item.generics, &item);
    let (name, conditions, allow) = (item.ident.clone(), attrs::conditions(&item.attrs), attrs::allow());
    item.ident = names::mirror_type(&name);
    attrs::strip(&mut item.attrs);
    MapTypes { args, local: &local, weak_of_arc, by_name: false }.visit_type_mut(&mut item.ty);
    let imports = names::imports(&name, &item.ident, &item.vis, &conditions);
    Ok(quote!(#[doc(hidden)] #allow #item #imports))
}
