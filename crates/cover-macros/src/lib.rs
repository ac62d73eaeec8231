//! `#[cover]`: puts probes into code, which say which of its blocks were run, and in which situations. Documented by
//! the `smallscope-cover` crate, which generated code refers to.

use proc_macro::TokenStream;

mod args;
mod bindings;
mod blocks;
mod expand;
mod leaving;
mod predicates;
mod text;
mod twice;

/// On an impl block or a function: says which of its blocks were run.
///
/// On an impl block without a trait, the type implements `Covered`, and `Coverage::of::<Type>(..)` reads what its
/// probes have seen. Arguments, all optional and in any order:
///
/// * `static NAME`, with a visibility if wanted: makes a `Region` of this name instead. Needed on functions, on
///   impl blocks of traits, and on all but one of the blocks of a type;
/// * `also(path::NAME, ..)`: regions that belong to the type, too;
/// * `predicates(condition, ..)`: conditions, all combinations of which are told apart at each block where their
///   variables are in scope;
/// * `crate = path`: where the `smallscope-cover` crate is, if not where the attribute comes from.
///
/// On a function inside of such a block, `#[cover(skip)]` leaves it out, and `#[cover(predicates(..))]` gives it its
/// own conditions in place of those of the block.
#[proc_macro_attribute]
pub fn cover(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(args.into(), item.into(), syn::parse_quote!(::smallscope::cover)).into()
}

/// [`macro@cover`] for those who depend on `smallscope-cover` itself, and not on `smallscope`.
#[proc_macro_attribute]
pub fn cover_alone(args: TokenStream, item: TokenStream) -> TokenStream {
    expand::attribute(args.into(), item.into(), syn::parse_quote!(::smallscope_cover)).into()
}
