//! Attributes in the copy. Documentation and lint levels have done their work on the original; a repeated
//! `#[expect]` would even be unfulfilled, since the copy allows everything.

use crate::syntax::visit_mut::VisitMut;
use crate::syntax::{is_ident_of, quote, retain_attributes};
use proc_macro2::TokenStream;
use syn::{Attribute, ItemImpl};

/// Allows all lints in copied code: what they find is reported on the original.
pub(super) fn allow() -> TokenStream {
    quote! {
        #[allow(
            warnings, unused, nonstandard_style, missing_docs, unreachable_pub, unused_parens, unused_qualifications,
            irrefutable_let_patterns, unconditional_recursion, non_local_definitions,
            single_use_lifetimes, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
        )]
    }
}

/// The conditions under which the user's item exists at all; they hold for what is generated beside it.
pub(super) fn conditions(attrs: &[Attribute]) -> Vec<Attribute> {
    let mut conditions = attrs.to_vec();
    retain_attributes(&mut conditions, &|a| a.path().is_ident("cfg"));
    conditions
}

fn is_kept(a: &Attribute) -> bool {
    const DROPPED: &[&str] =
        &["doc", "allow", "warn", "deny", "forbid", "expect", "no_mangle", "export_name", "deprecated"];
    !is_ident_of(a.path(), DROPPED)
}

/// Drops what does not belong on a copied member or statement.
pub(super) fn strip(attrs: &mut Vec<Attribute>) {
    retain_attributes(attrs, &is_kept);
}

/// The same for a whole block, whose own attributes go to what surrounds it.
pub(super) fn strip_impl(block: &mut ItemImpl) {
    block.attrs.clear();
    Strip.visit_item_impl_mut(block);
}

pub(super) struct Strip;

impl VisitMut for Strip {
    fn visit_attributes_mut(&mut self, attrs: &mut Vec<Attribute>) {
        strip(attrs);
    }
}
