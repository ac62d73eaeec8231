//! Which members of an impl block go into the copy.
//!
//! A `#[rep_ok]` block usually holds the whole interface of a type: constructors, `insert`, `remove`. They
//! write, so they could not be compiled against mirrors, and the invariant does not call them. So the copy
//! has only the invariant and what it reaches by name. Whether a name in a body refers to a member of this
//! block is a guess from its neighbours (`self.f`, `x.f(..)`, `Self::f`, `Type::f`), with this in mind: a
//! function that is missing from the copy is an error only where it is called, one too many is an error only
//! if it cannot be compiled.

use super::{args::Args, attrs, forbidden, names};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;
use syn::{Attribute, Error, FnArg, ImplItem, ItemImpl, Meta, Result, ReturnType, Signature, Type};

/// How surely a member is referred to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// `x.f(..)`, where `x` may be anything.
    Maybe,
    /// `self.f(..)`, `Self::f`, `Type::f`.
    Surely,
}

/// The invariant's name and the copy of its block, still in the user's words.
pub(super) fn rep_ok_block(block: &ItemImpl, args: &Args) -> Result<(Ident, ItemImpl)> {
    if let Some((_, path, _)) = &block.trait_ {
        return Err(Error::new(
            path.span(),
            "`#[rep_ok]` goes on an inherent impl block, `impl Type { fn rep_ok(&self) -> bool { .. } }`; on the impl of a trait use `#[mirror]`",
        ));
    }
    let invariant = invariant(block, args)?;
    let reached = reached(block, &invariant);
    let mut copy = block.clone();
    copy.items.retain(|item| {
        let Some(name) = member_name(item) else { return true };
        match reached.get(&name.to_string()) {
            None => false,
            Some(_) if takes_self_mutably(item) => false,
            Some(Reach::Surely) => true,
            Some(Reach::Maybe) => !forbidden::looks_foreign(item, args),
        }
    });
    unmark(&mut copy);
    attrs::strip_impl(&mut copy);
    Ok((invariant, copy))
}

/// The copy of a block of helpers. Trait impls are complete or nothing. In inherent impls of structures,
/// methods that need the structure itself or write to it, and constructors, have no business in an invariant.
pub(super) fn mirror_block(block: &ItemImpl, args: &Args, helper: bool) -> ItemImpl {
    let mut copy = block.clone();
    if copy.trait_.is_none() && !helper {
        copy.items.retain(|item| !takes_self_mutably(item) && !forbidden::is_refused(item, args));
    }
    attrs::strip_impl(&mut copy);
    copy
}

/// Helper types are those that say so, and those with lifetimes, which a structure cannot have.
pub(super) fn is_helper(block: &ItemImpl, args: &Args) -> bool {
    args.helper
        || block
            .self_ty
            .to_token_stream()
            .into_iter()
            .any(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == '\''))
}

fn member_name(item: &ImplItem) -> Option<&Ident> {
    match item {
        ImplItem::Fn(f) => Some(&f.sig.ident),
        ImplItem::Const(c) => Some(&c.ident),
        ImplItem::Type(t) => Some(&t.ident),
        _ => None,
    }
}

/// `#[mirror]` on a member of a `#[rep_ok]` block: wanted in the copy though the invariant does not call it.
fn is_mark(a: &Attribute) -> bool {
    matches!(&a.meta, Meta::Path(p) if p.segments.last().is_some_and(|s| s.ident == "mirror"))
}

fn is_marked(item: &ImplItem) -> bool {
    matches!(item, ImplItem::Fn(f) if f.attrs.iter().any(is_mark))
        || matches!(item, ImplItem::Const(c) if c.attrs.iter().any(is_mark))
}

/// Takes the marks off.
pub(super) fn unmark(block: &mut ItemImpl) {
    for item in &mut block.items {
        match item {
            ImplItem::Fn(f) => f.attrs.retain(|a| !is_mark(a)),
            ImplItem::Const(c) => c.attrs.retain(|a| !is_mark(a)),
            _ => {}
        }
    }
}

fn takes_self_mutably(item: &ImplItem) -> bool {
    let ImplItem::Fn(f) = item else { return false };
    f.sig.receiver().is_some_and(|r| !matches!(&*r.ty, Type::Reference(t) if t.mutability.is_none()))
}

/// Finds the invariant and checks its signature.
fn invariant(block: &ItemImpl, args: &Args) -> Result<Ident> {
    let name = args.name.clone().unwrap_or_else(|| Ident::new("rep_ok", block.self_ty.span()));
    let found = block.items.iter().find_map(|i| match i {
        ImplItem::Fn(f) if f.sig.ident == name => Some(f),
        _ => None,
    });
    let Some(f) = found else {
        let message = match &args.name {
            Some(_) => format!("this block has no `fn {name}(&self) -> bool`"),
            None => "this block has no `fn rep_ok(&self) -> bool`; if the invariant has another name, write `#[rep_ok(name = its_name)]`; if these are helpers of an invariant in another block, use `#[mirror]`".to_owned(),
        };
        return Err(Error::new(name.span(), message));
    };
    check_signature(&f.sig)?;
    Ok(f.sig.ident.clone())
}

fn check_signature(sig: &Signature) -> Result<()> {
    let expected = format!("expected `fn {}(&self) -> bool`", sig.ident);
    let wrong = |tokens: &dyn ToTokens, what: &str| {
        Err(Error::new_spanned(tokens.to_token_stream(), format!("an invariant {what}: {expected}")))
    };
    if let Some(t) = &sig.asyncness {
        return wrong(t, "cannot be async");
    }
    if let Some(t) = &sig.unsafety {
        return wrong(t, "must be safe to call");
    }
    if !sig.generics.params.is_empty() {
        return wrong(&sig.generics.params, "has no generic parameters of its own");
    }
    match sig.inputs.first() {
        Some(FnArg::Receiver(r)) if matches!(&*r.ty, Type::Reference(t) if t.mutability.is_none()) => {}
        Some(FnArg::Receiver(r)) => return wrong(r, "takes `&self`"),
        Some(other) => return wrong(other, "takes `&self`"),
        None => return wrong(&sig.ident, "takes `&self`"),
    }
    if let Some(extra) = sig.inputs.iter().nth(1) {
        return wrong(extra, "takes nothing but `&self`");
    }
    match &sig.output {
        ReturnType::Default => wrong(&sig.ident, "returns `bool`"),
        ReturnType::Type(_, t) if !matches!(&**t, Type::Path(p) if p.path.is_ident("bool")) => {
            wrong(t, "returns `bool`")
        }
        ReturnType::Type(..) => Ok(()),
    }
}

/// The members that the invariant reaches, transitively.
fn reached(block: &ItemImpl, invariant: &Ident) -> HashMap<String, Reach> {
    let members: HashSet<String> = block.items.iter().filter_map(member_name).map(Ident::to_string).collect();
    let self_name = match &*block.self_ty {
        Type::Path(p) => p.path.segments.last().map(|s| s.ident.to_string()),
        _ => None,
    };
    let marked = block.items.iter().filter(|i| is_marked(i)).filter_map(member_name).map(Ident::to_string);
    let mut open: Vec<String> = marked.chain([invariant.to_string()]).collect();
    let mut reached: HashMap<String, Reach> = open.iter().map(|n| (n.clone(), Reach::Surely)).collect();
    while let Some(name) = open.pop() {
        let bodies = block.items.iter().filter(|i| member_name(i).is_some_and(|n| *n == name));
        let mut found = vec![];
        bodies.for_each(|b| references(b.to_token_stream(), self_name.as_deref(), &mut found));
        for (n, reach) in found.into_iter().filter(|(n, _)| members.contains(n)) {
            if reached.get(&n).is_none_or(|old| *old < reach) {
                reached.insert(n.clone(), reach);
                open.push(n);
            }
        }
    }
    reached
}

/// Names that may refer to members of the block, from the tokens, so that arguments of macros count too.
fn references(tokens: TokenStream, self_name: Option<&str>, found: &mut Vec<(String, Reach)>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let punct = |i: Option<usize>, c: char| {
        i.is_some_and(|i| matches!(&trees[i], TokenTree::Punct(p) if p.as_char() == c))
    };
    let ident = |i: Option<usize>| match i.map(|i| &trees[i]) {
        Some(TokenTree::Ident(id)) => Some(id.to_string()),
        _ => None,
    };
    for (i, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(g) => references(g.stream(), self_name, found),
            TokenTree::Ident(id) if punct(i.checked_sub(1), '.') => {
                let on_self =
                    ident(i.checked_sub(2)).is_some_and(|x| x == "self") && !punct(i.checked_sub(3), '.');
                found.push((id.to_string(), if on_self { Reach::Surely } else { Reach::Maybe }));
            }
            TokenTree::Ident(id) if punct(i.checked_sub(1), ':') && punct(i.checked_sub(2), ':') => {
                let before = i.checked_sub(3);
                let on_type = ident(before).is_some_and(|x| x == "Self" || Some(x.as_str()) == self_name);
                if on_type || punct(before, '>') {
                    found.push((id.to_string(), Reach::Surely));
                }
            }
            _ => {}
        }
    }
}

/// Whether a function can stay `const`: it has nothing to do with structures, so nothing in it is observed.
pub(super) fn stays_const(sig: &Signature) -> bool {
    sig.constness.is_some() && !sig.to_token_stream().into_iter().any(mentions_structure)
}

fn mentions_structure(tree: TokenTree) -> bool {
    match tree {
        TokenTree::Ident(i) => {
            i == "self" || i == "Self" || names::is_capital(&i) && !names::is_std(&i.to_string())
        }
        TokenTree::Group(g) => g.stream().into_iter().any(mentions_structure),
        _ => false,
    }
}
