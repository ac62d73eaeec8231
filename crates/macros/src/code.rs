//! `#[rep_ok]`, `#[eq_class]` and `#[mirror]`: the item as it is, and a copy of it that runs on mirrors.
//!
//! The steps, in order, one per module:
//!
//! 1. [`args`]: what the user told the macro;
//! 2. [`select`], [`attrs`]: the members that go into the copy, without documentation and lint levels;
//! 3. [`groups`], [`std_macros`]: invisible parentheses are shown and `matches!` is opened; other macro calls
//!    are opened whenever a later step needs it; before that, [`statements`] are made a conjunction on request;
//! 4. [`mentions`], [`scope`]: the types that the copy mentions, and the declarations that turn them into
//!    their mirrors;
//! 5. [`forbidden`]: what an invariant must not do;
//! 6. [`types`]: types that scoping does not reach;
//! 7. [`decisions`]: numbered branches, and the guard against endless runs;
//! 8. [`promises`]: what the result of an expression means for the whole invariant; [`conjuncts`]: its operands, to be
//!    run one by one;
//! 9. [`constants`]: those of other blocks; [`rewrite`], with [`chains`], [`questions`], [`patterns`], [`tuples`], [`places`], [`vars`], [`inline_args`]: questions about fields, and
//!    reads of them;
//! 10. [`outside`], [`free_functions`]: methods and functions that the copy may lack;
//! 11. [`summaries`]: helpers that may be answered for whole groups of subtrees, and folds over vectors ([`folds`]);
//! 12. [`expand`], [`helper_items`]: what is emitted.
//!
//! Generated tokens carry the span of the user's token that they stand for, so that the compiler reports an
//! error that is in both copies once, and at the right place.

mod args;
mod attrs;
mod chains;
mod conjuncts;
mod constants;
mod decisions;
mod expand;
#[cfg(feature = "summaries")]
mod folds;
mod forbidden;
mod free_functions;
mod groups;
mod held;
mod helper_items;
mod inline_args;
mod late;
mod late_vecs;
mod looks;
mod made;
mod map_types;
mod mentions;
pub(crate) mod names;
mod nested;
mod outside;
mod owned;
mod patterns;
mod places;
mod promises;
mod questions;
mod rewrite;
mod scope;
mod select;
mod sequences;
#[cfg_attr(not(feature = "statements"), path = "code/no_statements.rs")]
mod statements;
mod std_macros;
#[cfg(feature = "summaries")]
mod summaries;
mod sunk;
mod tuples;
mod types;
mod vars;

#[cfg(test)]
mod conjunct_tests;
#[cfg(test)]
mod promise_tests;
#[cfg(test)]
mod question_tests;
#[cfg(test)]
mod tests;

pub(crate) use owned::own;

use crate::syntax::quote;
use crate::syntax::visit_mut::VisitMut;
use args::Args;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Error, Item, Result};

/// Which attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// `#[rep_ok]`
    RepOk,
    /// `#[eq_class]`
    EqClass,
    /// `#[mirror]`
    Mirror,
}

impl Kind {
    fn attribute(self) -> &'static str {
        match self {
            Kind::RepOk => "rep_ok",
            Kind::EqClass => "eq_class",
            Kind::Mirror => "mirror",
        }
    }
}

/// The expansion of an attribute: the item, then its copy. If something is wrong, our errors take the place of the copy,
/// so that the compiler adds none of its own.
pub(crate) fn attribute(kind: Kind, args: TokenStream, item: TokenStream) -> TokenStream {
    let mut parsed = match syn::parse2::<Item>(item.clone()) {
        Ok(parsed) => parsed,
        Err(e) => {
            let e = e.to_compile_error();
            return quote!(#item #e);
        }
    };
    let mut original = item;
    if groups::has_invisible(original.clone()) {
        groups::ShowGroups.visit_item_mut(&mut parsed);
        original = quote!(#parsed);
    }
    let unmarked = match (kind, &parsed) {
        (Kind::RepOk | Kind::EqClass, Item::Impl(block)) => select::unmarked(block),
        _ => None,
    };
    if let Some(unmarked) = unmarked {
        original = quote!(#unmarked);
    }
    let copy = copy(kind, args, parsed).unwrap_or_else(|e| e.to_compile_error());
    quote!(#original #copy)
}

fn copy(kind: Kind, args: TokenStream, item: Item) -> Result<TokenStream> {
    let args = Args::parse(kind, args);
    match (kind, item) {
        (_, Item::Impl(block)) => match args {
            Ok(args) => expand::block(kind, &args, &block),
            Err(e) => Ok(expand::stub(kind, &Args::new().krate, &block, e)),
        },
        (Kind::Mirror, Item::Fn(f)) => expand::function(&args?, &f),
        (Kind::Mirror, Item::Struct(s)) => helper_items::structure(&args?, s),
        (Kind::Mirror, Item::Enum(e)) => helper_items::enumeration(&args?, e),
        (Kind::Mirror, Item::Type(t)) => helper_items::alias(&args?, t),
        (Kind::RepOk, other) => Err(Error::new_spanned(
            first_token(&other),
            "`#[rep_ok]` goes on an impl block: `#[rep_ok] impl Type { fn rep_ok(&self) -> bool { .. } \
                }`; for what the invariant uses elsewhere there is `#[mirror]`",
        )),
        (Kind::EqClass, other) => Err(Error::new_spanned(
            first_token(&other),
            "`#[eq_class]` goes on an impl block of its own: `#[eq_class] impl Type { fn eq_class(&self) -> .. { .. } }`",
        )),
        (Kind::Mirror, other) => Err(Error::new_spanned(
            first_token(&other),
            "`#[mirror]` goes on an impl block, a free function, a type alias, or a helper struct or enum",
        )),
    }
}

fn first_token(item: &Item) -> TokenStream {
    for token in item.to_token_stream() {
        if !matches!(token, TokenTree::Punct(_) | TokenTree::Group(_)) {
            return token.to_token_stream();
        }
    }
    TokenStream::new()
}
