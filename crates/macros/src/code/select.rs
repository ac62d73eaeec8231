//! Which members of an impl block go into the copy.
//!
//! A `#[rep_ok]` block usually holds the whole interface of a type: constructors, `insert`, `remove`. They
//! write, so they could not be compiled against mirrors, and the invariant does not call them. So the copy
//! has only the invariant and what it reaches by name. Whether a name in a body refers to a member of this
//! block is a guess from its neighbours (`self.f`, `x.f(..)`, `Self::f`, `Type::f`), with this in mind: a
//! function that is missing from the copy is an error only where it is called, one too many is an error only
//! if it cannot be compiled.

use super::{Kind, args::Args, attrs, forbidden, mentions, names};
use crate::syntax::{NameMap, Names, any_ident, ends_with, retain_attributes};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, FnArg, ImplItem, ImplItemFn, ItemImpl, Meta, Result, ReturnType, Signature, Type,
};

/// How surely a member is referred to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// `x.f(..)`, where `x` may be anything.
    Maybe,
    /// `self.f(..)`, `Self::f`, `Type::f`.
    Surely,
}

/// The name of the invariant, or of the class function, and the copy of its block, still in the user's words.
pub(super) fn block_of(kind: Kind, block: &ItemImpl, args: &Args) -> Result<(Ident, ItemImpl)> {
    if let Some((_, path, _)) = &block.trait_ {
        let (attribute, signature) = (kind.attribute(), signature(kind));
        return Err(Error::new(
            path.span(),
            format!(
                "`#[{attribute}]` goes on an inherent impl block, `impl Type {{ {signature} {{ .. }} }}`; \
                    on the impl of a trait use `#[mirror]`"
            ),
        ));
    }
    let invariant = invariant(kind, block, args)?;
    let graph = Graph::of(block);
    let reached = graph.reached(block, &invariant);
    let mut kept = Names::default();
    for item in &block.items {
        let Some(name) = member_name(item) else { continue };
        let keep = match reached.get(&name.to_string()) {
            None => false,
            Some(_) if takes_self_mutably(item) => false,
            Some(Reach::Surely) => {
                receiver_has_mirror(item)?;
                true
            }
            Some(Reach::Maybe) => receiver_has_mirror(item).is_ok() && !forbidden::looks_foreign(item, args),
        };
        if keep {
            kept.insert(name.to_string());
        }
    }
    graph.drop_incomplete(&reached, &mut kept);
    let mut copy = block.clone();
    copy.items.retain(|item| member_name(item).is_some_and(|n| kept.contains(&n.to_string())));
    unmark(&mut copy);
    attrs::strip_impl(&mut copy);
    Ok((invariant, copy))
}

/// A method on `&Rc<Self>` would need a mirror of `Rc` that the compiler accepts as a receiver.
fn receiver_has_mirror(item: &ImplItem) -> Result<()> {
    let ImplItem::Fn(f) = item else { return Ok(()) };
    let Some(r) = f.sig.receiver() else { return Ok(()) };
    let Type::Reference(t) = &*r.ty else { return Ok(()) };
    if matches!(&*t.elem, Type::Path(p) if p.path.is_ident("Self")) {
        return Ok(());
    }
    let name = &f.sig.ident;
    Err(Error::new_spanned(
        r,
        format!(
            "the invariant uses `{name}`, whose receiver is a smart pointer; write it as a function, \
                `fn {name}(this: &..)`, and call it as `Self::{name}(..)`"
        ),
    ))
}

/// The copy of a block of helpers. Trait impls are complete or nothing. In inherent impls of structures,
/// methods that need the structure itself or write to it, and constructors, do not belong in an invariant.
pub(super) fn mirror_block(block: &ItemImpl, args: &Args, helper: bool) -> ItemImpl {
    let mut copy = block.clone();
    if copy.trait_.is_none() && !helper {
        copy.items.retain(|item| !takes_self_mutably(item) && !forbidden::is_refused(item, args));
    }
    attrs::strip_impl(&mut copy);
    copy
}

/// Helper types are those that are marked as such, and those with lifetimes, which a structure cannot have.
pub(super) fn is_helper(block: &ItemImpl, args: &Args) -> bool {
    for token in block.self_ty.to_token_stream() {
        if matches!(token, TokenTree::Punct(p) if p.as_char() == '\'') {
            return true;
        }
    }
    args.helper
}

fn member_name(item: &ImplItem) -> Option<&Ident> {
    match item {
        ImplItem::Fn(f) => Some(&f.sig.ident),
        ImplItem::Const(c) => Some(&c.ident),
        ImplItem::Type(t) => Some(&t.ident),
        _ => None,
    }
}

/// `#[mirror]` on a member of a `#[rep_ok]` block: copied although the invariant does not call it.
fn is_mark(a: &Attribute) -> bool {
    matches!(&a.meta, Meta::Path(p) if ends_with(p, "mirror"))
}

fn is_marked(item: &ImplItem) -> bool {
    match item {
        ImplItem::Fn(f) => f.attrs.iter().any(is_mark),
        ImplItem::Const(c) => c.attrs.iter().any(is_mark),
        _ => false,
    }
}

/// The block without marks, if it has any: they are for us, and no attribute macro expects them there.
pub(super) fn unmarked(block: &ItemImpl) -> Option<ItemImpl> {
    if !block.items.iter().any(is_marked) {
        return None;
    }
    let mut block = block.clone();
    unmark(&mut block);
    Some(block)
}

fn unmark(block: &mut ItemImpl) {
    for item in &mut block.items {
        let attrs = match item {
            ImplItem::Fn(f) => &mut f.attrs,
            ImplItem::Const(c) => &mut c.attrs,
            _ => continue,
        };
        retain_attributes(attrs, &|a| !is_mark(a));
    }
}

fn takes_self_mutably(item: &ImplItem) -> bool {
    let ImplItem::Fn(f) = item else { return false };
    f.sig.receiver().is_some_and(|r| !matches!(&*r.ty, Type::Reference(t) if t.mutability.is_none()))
}

/// What the function should look like.
fn signature(kind: Kind) -> &'static str {
    match kind {
        Kind::EqClass => "fn eq_class(&self) -> T",
        _ => "fn rep_ok(&self) -> bool",
    }
}

/// The function of a block with a name.
pub(super) fn function<'b>(block: &'b ItemImpl, name: &Ident) -> Option<&'b ImplItemFn> {
    for item in &block.items {
        match item {
            ImplItem::Fn(f) if f.sig.ident == *name => return Some(f),
            _ => {}
        }
    }
    None
}

/// Finds the invariant, or the class function, and checks its signature.
fn invariant(kind: Kind, block: &ItemImpl, args: &Args) -> Result<Ident> {
    let attribute = kind.attribute();
    let name = args.name.clone().unwrap_or_else(|| Ident::new(attribute, block.self_ty.span()));
    let Some(f) = function(block, &name) else {
        let message = match (&args.name, kind) {
            (Some(_), Kind::EqClass) => {
                format!("this block has no `fn {name}(&self) -> T`: add it, or write the name that it has")
            }
            (Some(_), _) => {
                format!("this block has no `fn {name}(&self) -> bool`: add it, or write the name that it has")
            }
            (None, Kind::EqClass) => {
                "this block has no `fn eq_class(&self) -> T`; if the function has another name, \
                write `#[eq_class(name = its_name)]`"
                    .to_owned()
            }
            (None, _) => "this block has no `fn rep_ok(&self) -> bool`; if the invariant has another name, \
                write `#[rep_ok(name = its_name)]`; if these are helpers of an invariant in another \
                block, use `#[mirror]`"
                .to_owned(),
        };
        return Err(Error::new(name.span(), message));
    };
    check_signature(kind, &f.sig)?;
    Ok(f.sig.ident.clone())
}

fn check_signature(kind: Kind, sig: &Signature) -> Result<()> {
    let (who, returned) = match kind {
        Kind::EqClass => ("a class function", "T"),
        _ => ("an invariant", "bool"),
    };
    let expected = format!("expected `fn {}(&self) -> {returned}`", sig.ident);
    let wrong = |tokens: &dyn ToTokens, what: &str| {
        Err(Error::new_spanned(tokens.to_token_stream(), format!("{who} {what}: {expected}")))
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
    match (&sig.output, kind) {
        (ReturnType::Default, Kind::EqClass) => {
            wrong(&sig.ident, "returns the class, any value that is `Hash + Eq + Debug`")
        }
        (ReturnType::Type(..), Kind::EqClass) => Ok(()),
        (ReturnType::Default, _) => wrong(&sig.ident, "returns `bool`"),
        (ReturnType::Type(_, t), _) if !matches!(&**t, Type::Path(p) if p.path.is_ident("bool")) => {
            wrong(t, "returns `bool`")
        }
        (ReturnType::Type(..), _) => Ok(()),
    }
}

/// The types that a function of the block returns, as far as they are neither std's nor the block's own: a class is no
/// structure, and the same in the copy.
pub(super) fn returned_types(block: &ItemImpl, name: &Ident) -> Vec<String> {
    fn collect(tokens: TokenStream, own: &str, found: &mut Vec<String>) {
        for tree in tokens {
            match tree {
                TokenTree::Ident(i)
                    if names::is_capital(&i) && !names::is_std(&i.to_string()) && i != own =>
                {
                    found.push(i.to_string());
                }
                TokenTree::Group(g) => collect(g.stream(), own, found),
                _ => {}
            }
        }
    }
    let mut found = vec![];
    if let Some(f) = function(block, name) {
        let own = mentions::self_name(block).unwrap_or_default();
        collect(f.sig.output.to_token_stream(), &own, &mut found);
    }
    found
}

/// Which member refers to which.
struct Graph(NameMap<Vec<(String, Reach)>>);

impl Graph {
    fn of(block: &ItemImpl) -> Graph {
        let mut graph = NameMap::default();
        for item in &block.items {
            if let Some(name) = member_name(item) {
                graph.get_or_insert(&name.to_string(), vec![]);
            }
        }
        let members = graph.names().clone();
        let self_name = mentions::self_name(block);
        for item in &block.items {
            let Some(name) = member_name(item) else { continue };
            let mut found = vec![];
            references(item.to_token_stream(), self_name.as_deref(), &mut found);
            found.retain(|(n, _)| members.contains(n) && name != n);
            graph.get_or_insert(&name.to_string(), vec![]).append(&mut found);
        }
        Graph(graph)
    }

    fn from(&self, name: &str) -> &[(String, Reach)] {
        self.0.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The members that the invariant reaches, transitively.
    fn reached(&self, block: &ItemImpl, invariant: &Ident) -> NameMap<Reach> {
        let mut reached = NameMap::default();
        let mut open = vec![(invariant.to_string(), Reach::Surely)];
        for item in &block.items {
            match member_name(item) {
                Some(name) if is_marked(item) => open.push((name.to_string(), Reach::Surely)),
                _ => {}
            }
        }
        while let Some((name, reach)) = open.pop() {
            match reached.get(&name) {
                Some(known) if *known >= reach => continue,
                _ => reached.insert(&name, reach),
            }
            for (to, next) in self.from(&name) {
                open.push((to.clone(), reach.min(*next)));
            }
        }
        reached
    }

    /// Drops members that are only perhaps referred to, if they need something that is not in the copy.
    fn drop_incomplete(&self, reached: &NameMap<Reach>, kept: &mut Names) {
        let is_incomplete = |name: &String, kept: &Names| {
            reached.get(name) == Some(&Reach::Maybe)
                && self.from(name).iter().any(|(to, r)| *r == Reach::Surely && !kept.contains(to))
        };
        while let Some(name) = kept.as_slice().iter().find(|name| is_incomplete(name, kept)).cloned() {
            kept.remove(&name);
        }
    }
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

/// Whether a function can stay `const`: it uses no structures, so nothing in it is observed.
pub(super) fn stays_const(sig: &Signature) -> bool {
    let may_be_structure =
        |i: &Ident| i == "self" || i == "Self" || names::is_capital(i) && !names::is_std(&i.to_string());
    sig.constness.is_some() && !any_ident(sig.to_token_stream(), &may_be_structure)
}
