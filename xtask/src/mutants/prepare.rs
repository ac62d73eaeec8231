//! Preparation of a file: what is removed from it, so that it compiles without the rest of the workspace.

use super::operators::Enums;
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::{ImplItemFn, Item, parse_quote};

/// Derives that exist without the rest of the workspace.
const DERIVES: [&str; 8] = ["Clone", "Copy", "Debug", "PartialEq", "Eq", "Hash", "PartialOrd", "Ord"];

/// Keeps only attributes that exist without the rest of the workspace.
pub fn strip(attributes: &mut Vec<syn::Attribute>) {
    attributes.retain_mut(|attribute| {
        if !attribute.path().is_ident("derive") {
            return false;
        }
        let mut kept: Vec<syn::Path> = vec![];
        let _ = attribute.parse_nested_meta(|meta| {
            if DERIVES.iter().any(|name| meta.path.is_ident(name)) {
                kept.push(meta.path);
            }
            Ok(())
        });
        *attribute = parse_quote!(#[derive(#(#kept),*)]);
        true
    });
}

/// Modules that need the rest of the workspace.
pub const LEFT_OUT: [&str; 2] = ["linearize", "registry"];

/// Whether it is `use smallscope..`, or a module about it.
pub fn is_ours(item: &Item) -> bool {
    match item {
        Item::Use(item) => {
            matches!(&item.tree, syn::UseTree::Path(path) if path.ident.to_string().starts_with("smallscope"))
        }
        Item::Mod(item) => LEFT_OUT.iter().any(|name| item.ident == name),
        _ => false,
    }
}

pub fn enums(file: &syn::File) -> Enums {
    let plain = file.items.iter().filter_map(|item| match item {
        Item::Enum(item) if item.variants.iter().all(|v| v.fields.is_empty()) => {
            Some((item.ident.to_string(), item.variants.iter().map(|v| v.ident.to_string()).collect()))
        }
        _ => None,
    });
    plain.collect()
}

/// Functions in blocks with `#[rep_ok]` whose names occur nowhere else.
pub fn only_for_the_invariant(file: &syn::File) -> BTreeSet<String> {
    let (invariants, others): (Vec<_>, Vec<_>) = file.items.iter().partition(|item| match item {
        Item::Impl(item) => item.attrs.iter().any(|attribute| attribute.path().is_ident("rep_ok")),
        _ => false,
    });
    let mut elsewhere = BTreeSet::new();
    for item in others {
        names(item.to_token_stream(), &mut elsewhere);
    }
    // A function that is used elsewhere may use others of the block.
    let functions: Vec<&ImplItemFn> = invariants
        .iter()
        .flat_map(|item| match item {
            Item::Impl(item) => &item.items[..],
            _ => &[],
        })
        .filter_map(|item| if let syn::ImplItem::Fn(function) = item { Some(function) } else { None })
        .collect();
    loop {
        let before = elsewhere.len();
        for function in &functions {
            let name = function.sig.ident.to_string();
            if elsewhere.contains(&name) && name != "rep_ok" {
                names(function.block.to_token_stream(), &mut elsewhere);
            }
        }
        if elsewhere.len() == before {
            break;
        }
    }
    let names = functions.iter().map(|function| function.sig.ident.to_string());
    names.filter(|name| name == "rep_ok" || !elsewhere.contains(name)).collect()
}

fn names(tokens: proc_macro2::TokenStream, into: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            proc_macro2::TokenTree::Ident(ident) => {
                into.insert(ident.to_string());
            }
            proc_macro2::TokenTree::Group(group) => names(group.stream(), into),
            _ => {}
        }
    }
}
