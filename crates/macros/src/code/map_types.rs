//! Sets and maps as arguments of functions of the copy: `&BTreeSet<u8>` may be a field, which is a cell in the mirror. And what
//! functions take that are marked `#[mirror]`: their callers see no types.

use super::names;
use super::types::has_lifetime;
use crate::bounded::types::is_plain;
use crate::syntax::{any_ident, is_one_of, parse_quote, quote};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use smallscope_support::text::contains;
use syn::{FnArg, GenericArgument, Pat, PatIdent, Path, PathArguments, Signature, Type};

const SETS: &[&str] = &["BTreeSet", "HashSet"];
const MAPS: &[&str] = &["BTreeMap", "HashMap"];

/// What keys and values of maps may be made of. Names of structures mean mirrors here, and parameters need not have mirrors.
const KNOWN: &str = "u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize char bool String std collections Vec Option BTreeSet HashSet";

/// Makes the argument `s: &BTreeSet<K>` or `m: &BTreeMap<K, V>` a reference to a cell.
pub(super) fn take_cell(input: &mut FnArg, private: &TokenStream) {
    let FnArg::Typed(t) = input else { return };
    // A variable that is written to may get something else.
    let Pat::Ident(PatIdent { by_ref: None, mutability: None, subpat: None, .. }) = &*t.pat else { return };
    let Type::Reference(r) = &mut *t.ty else { return };
    let Type::Path(p) = &*r.elem else { return };
    let (Some(last), None, None) = (p.path.segments.last(), &p.qself, &r.mutability) else { return };
    let PathArguments::AngleBracketed(list) = &last.arguments else { return };
    match (list.args.len(), list.args.last()) {
        (1, _) if is_one_of(&last.ident, SETS) => *r.elem = parse_quote!(#private::Tracked<#p>),
        (2, Some(GenericArgument::Type(value))) if is_one_of(&last.ident, MAPS) => {
            let is_known = |i: &Ident| names::lists(KNOWN, &i.to_string());
            if is_plain(value) {
                *r.elem = parse_quote!(#private::Tracked<#private::mirror::#last>);
            } else if !any_ident(list.to_token_stream(), &|i| !is_known(i)) {
                *r.elem = parse_quote!(<#p as #private::Mirrored>::Cell);
            }
        }
        _ => {}
    }
}

/// Whether an argument is a reference to such a cell.
pub(super) fn is_cell(ty: &Type) -> bool {
    let Type::Reference(r) = ty else { return false };
    let Type::Path(p) = &*r.elem else { return false };
    let name = if p.qself.is_some() { "Cell" } else { "Tracked" };
    is_ours(&p.path) && p.path.segments.last().is_some_and(|last| last.ident == name)
}

/// Whether a path leads to something of ours.
pub(super) fn is_ours(path: &Path) -> bool {
    path.segments.iter().any(|s| s.ident == "__p" || s.ident == "__private")
}

/// Lets a marked function take local vectors where it takes slices of cells, and local sets and maps where it takes cells.
/// Returns what makes its arguments slices and cells.
pub(super) fn take_any(sig: &mut Signature, krate: &Path) -> TokenStream {
    let mut taken = TokenStream::new();
    if returns_reference(sig) {
        return taken;
    }
    for input in &mut sig.inputs {
        let FnArg::Typed(t) = input else { continue };
        let Pat::Ident(argument) = &*t.pat else { continue };
        let is_cell = is_cell(&t.ty);
        let Type::Reference(r) = &mut *t.ty else { continue };
        let (elem, None) = (&mut *r.elem, &r.lifetime) else { continue };
        let (mutability, name) = (&argument.mutability, &argument.ident);
        if is_cell {
            quote!(let #name = #name.__cell();).to_tokens(&mut taken);
            *elem = parse_quote!((impl #krate::__private::mirror::PlainCell<#elem> + ?::core::marker::Sized));
            continue;
        }
        let Type::Path(p) = &*elem else { continue };
        let Some(last) = p.path.segments.last() else { continue };
        let PathArguments::AngleBracketed(element) = &last.arguments else { continue };
        if last.ident == "Slice" && is_ours(&p.path) {
            quote!(let #mutability #name = &*#name.__as_slice();).to_tokens(&mut taken);
            *elem = parse_quote!((impl #krate::__private::mirror::AsSlice #element + ?::core::marker::Sized));
        }
    }
    taken
}

/// Makes the arguments of a marked function cells where it takes sets and maps.
pub(super) fn take_cells(sig: &mut Signature, krate: &Path) {
    if returns_reference(sig) || sig.generics.lifetimes().next().is_some() {
        return;
    }
    for input in &mut sig.inputs {
        take_cell(input, &quote!(#krate::__private));
    }
}

/// Whether the result of a function may lead into its arguments.
fn returns_reference(sig: &Signature) -> bool {
    let output = sig.output.to_token_stream().to_string();
    has_lifetime(&output) || contains(&output, "impl")
}
