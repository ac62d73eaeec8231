//! Types that scoping alone does not turn into mirrors.
//!
//! * Outside of the scope of the copy (signatures of free functions, helper structs, aliases) every type is
//!   rewritten: [`MapTypes`].
//! * `&Vec<T>` and `&[T]` may be fields, which have another type in the mirror: [`BorrowedSequences`].
//! * Types written out in full: [`Qualified`].

use super::args::{self, Args};
use super::made;
use super::map_types;
use super::mentions::Mention;
use super::names::{self, type_position};
use super::scope::Scope;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{NameMap, Names, parse_quote, path_names, quote};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::{
    Block, Expr, ExprReturn, FnArg, GenericArgument, ImplItem, Item, ItemImpl, Path, PathArguments,
    ReturnType, Signature, Stmt, TraitBound, Type, TypeReference, UseTree,
};

/// The element of `Vec<T>`, `VecDeque<T>` or `[T]`.
fn element(ty: &Type) -> Option<(&Type, Sequence)> {
    let p = match ty {
        Type::Path(p) => p,
        Type::Slice(s) => return Some((&s.elem, Sequence::Slice)),
        Type::Paren(p) => return element(&p.elem),
        _ => return None,
    };
    let last = p.path.segments.last()?;
    let PathArguments::AngleBracketed(list) = &last.arguments else { return None };
    match (last.ident.to_string().as_str(), list.args.first()?) {
        ("Vec", GenericArgument::Type(t)) => Some((t, Sequence::Vec)),
        ("VecDeque", GenericArgument::Type(t)) => Some((t, Sequence::VecDeque)),
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Sequence {
    Slice,
    Vec,
    VecDeque,
}

/// Rewrites `&Vec<Node>` to a reference to what the mirror has in its place, and `&Vec<u8>` and `&[u8]` to a slice of cells.
fn borrowed_sequence(
    r: &mut TypeReference,
    private: &TokenStream,
    structure: &mut dyn FnMut(&Type) -> Option<Type>,
) {
    // What lives for ever is a constant of the user's.
    if r.mutability.is_some() || r.lifetime.as_ref().is_some_and(|l| l.ident == "static") {
        return;
    }
    let Some((element, sequence)) = element(&r.elem) else { return };
    match structure(element) {
        // Objects stand side by side, in a slice of std.
        Some(_) if sequence == Sequence::Slice => {}
        Some(real) => *r.elem = parse_quote!(<#real as #private::Mirrored>::Seq),
        // References are made by the code that passes them on.
        None if sequence != Sequence::VecDeque && !matches!(element, Type::Reference(_)) => {
            let element = element.clone();
            *r.elem = parse_quote!(#private::mirror::Slice<#element>);
        }
        None => {}
    }
}

/// Whether a type has a reference or a lifetime, by its text.
pub(super) fn has_lifetime(text: &str) -> bool {
    text.as_bytes().contains(&b'&') || text.as_bytes().contains(&b'\'')
}

/// Whether a function can get a slice of a structure: it has an argument that refers to something.
fn borrows(sig: &Signature) -> bool {
    for input in &sig.inputs {
        let FnArg::Typed(t) = input else { return true };
        let ty = t.ty.to_token_stream().to_string();
        if has_lifetime(&ty) {
            return true;
        }
    }
    false
}

/// What an argument of a function of the copy is.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Argument {
    /// Neither of the others.
    Other,
    /// A slice of cells.
    Slice,
    /// The cell of a set or a map.
    Cell,
}

/// Which arguments of the functions of an item are slices of cells or cells, by the name of the function. The receiver counts.
#[derive(Default)]
pub(super) struct SliceArguments(NameMap<Option<Vec<Argument>>>);

impl SliceArguments {
    fn add(&mut self, sig: &Signature) {
        let mut arguments = vec![];
        for input in &sig.inputs {
            arguments.push(match input {
                FnArg::Typed(t) if is_slice_of_cells(&t.ty) => Argument::Slice,
                FnArg::Typed(t) if map_types::is_cell(&t.ty) => Argument::Cell,
                _ => Argument::Other,
            });
        }
        let arguments = Some(arguments);
        let known = self.0.get_or_insert(&sig.ident.to_string(), arguments.clone());
        if *known != arguments {
            *known = None;
        }
    }

    /// Whether a function of the item has this name.
    pub(super) fn has(&self, function: &Ident) -> bool {
        self.0.get(&function.to_string()).is_some()
    }

    /// What an argument of a function is. `from_end` counts from the last argument, since a receiver may
    /// stand before the first.
    pub(super) fn kind(&self, function: &Ident, from_end: usize) -> Argument {
        match self.0.get(&function.to_string()) {
            Some(Some(all)) => all.iter().rev().nth(from_end).copied().unwrap_or(Argument::Other),
            _ => Argument::Other,
        }
    }
}

/// Whether a function returns a slice of something else than a sequence: the bytes of a string, a list in the source.
fn returns_other_slice(block: &Block) -> bool {
    struct Find(bool);
    impl Find {
        fn note(&mut self, e: &Expr) {
            self.0 |= match e {
                Expr::MethodCall(c) => c.method == "as_bytes",
                Expr::Reference(r) => matches!(&*r.expr, Expr::Array(_) | Expr::Repeat(_)),
                _ => false,
            };
        }
    }
    impl VisitMut for Find {
        fn visit_expr_mut(&mut self, e: &mut Expr) {
            if let Expr::Return(ExprReturn { expr: Some(returned), .. }) = e {
                self.note(returned);
            }
            visit_mut::visit_expr_mut(self, e);
        }
        fn visit_block_mut(&mut self, b: &mut Block) {
            if let Some(Stmt::Expr(e, None)) = b.stmts.last() {
                self.note(e);
            }
            visit_mut::visit_block_mut(self, b);
        }
    }
    let mut find = Find(false);
    find.visit_block_mut(&mut block.clone());
    find.0
}

impl BorrowedSequences<'_> {
    pub(super) fn signature(&mut self, sig: &mut Signature, block: &Block) {
        if borrows(sig) && sig.constness.is_none() {
            let takes_cells = self.passed.is_some_and(|passed| !passed.contains(&sig.ident.to_string()));
            for input in &mut sig.inputs {
                if let FnArg::Typed(t) = input {
                    self.visit_type_mut(&mut t.ty);
                }
                if takes_cells {
                    map_types::take_cell(input, &quote!(__p));
                }
            }
            match &mut sig.output {
                ReturnType::Type(_, ty) if !returns_other_slice(block) => self.visit_type_mut(ty),
                _ => {}
            }
        }
        self.arguments.add(sig);
    }
}

/// Whether a type is a reference to a slice of cells.
pub(super) fn is_slice_of_cells(ty: &Type) -> bool {
    let Type::Reference(r) = ty else { return false };
    let Type::Path(p) = &*r.elem else { return false };
    let last = &p.path.segments[p.path.segments.len() - 1].ident;
    p.path.segments[0].ident == "__p" && last == "Slice"
}

/// References to sequences inside the scope of the copy: in signatures, and in the types of variables.
pub(super) struct BorrowedSequences<'a> {
    pub(super) scope: &'a mut Scope,
    pub(super) arguments: SliceArguments,
    /// If all calls of the functions are seen, so that they can take the cells of sets and maps: those that are not only called.
    pub(super) passed: Option<&'a Names>,
}

impl VisitMut for BorrowedSequences<'_> {
    fn visit_impl_item_fn_mut(&mut self, f: &mut syn::ImplItemFn) {
        self.signature(&mut f.sig, &f.block);
        self.visit_block_mut(&mut f.block);
    }

    fn visit_item_fn_mut(&mut self, f: &mut syn::ItemFn) {
        self.signature(&mut f.sig, &f.block);
        self.visit_block_mut(&mut f.block);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        super::std_macros::change(mac, &mut |e| self.visit_expr_mut(e));
    }

    /// Constants and helper types are plain.
    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Fn(f) => self.visit_item_fn_mut(f),
            Item::Impl(i) => self.visit_item_impl_mut(i),
            _ => {}
        }
    }

    fn visit_impl_item_mut(&mut self, item: &mut ImplItem) {
        if let ImplItem::Fn(f) = item {
            self.visit_impl_item_fn_mut(f);
        }
    }

    fn visit_type_reference_mut(&mut self, r: &mut TypeReference) {
        visit_mut::visit_type_reference_mut(self, r);
        // What the item makes is in local vectors.
        if matches!(element(&r.elem), Some((Type::Path(p), _)) if made::is_made(self.scope, &p.path)) {
            return;
        }
        borrowed_sequence(r, &quote!(__p), &mut |element| {
            let Type::Path(p) = element else { return None };
            let name = &p.path.segments.first()?.ident;
            if p.path.segments.len() != 1 || !self.scope.structures.contains(&name.to_string()) {
                return None;
            }
            let mut real = p.clone();
            real.path.segments[0].ident = self.scope.real_name(name);
            Some(Type::Path(real))
        });
    }
}

/// Turns every type into its mirror, outside of any scope.
pub(super) struct MapTypes<'a> {
    pub(super) args: &'a Args,
    /// Type parameters.
    pub(super) local: &'a Names,
    pub(super) weak_of_arc: bool,
    /// Name mirrors (`NodeMirror<K>`) instead of projecting: in the fields of a struct a projection would hide
    /// that `&'a Node<K>` implies `K: 'a`.
    pub(super) by_name: bool,
}

impl MapTypes<'_> {
    fn private(&self) -> TokenStream {
        let krate = &self.args.krate;
        quote!(#krate::__private)
    }

    fn is_structure(&self, path: &Path) -> bool {
        let Some(k) = type_position(path) else { return false };
        let name = path.segments[k].ident.to_string();
        let plain = k == 0 && self.local.contains(&name) || self.args.opaque.contains(&name);
        let is_std =
            names::is_std(&name) && !(path.get_ident().is_some() && names::has_arguments_in_std(&name));
        self.args.lists(&name) || !plain && !is_std
    }
}

impl VisitMut for MapTypes<'_> {
    fn visit_type_reference_mut(&mut self, r: &mut TypeReference) {
        let of_structures = match element(&r.elem) {
            Some((Type::Path(p), sequence)) if sequence != Sequence::Slice => self.is_structure(&p.path),
            _ => false,
        };
        if !of_structures {
            let keep = matches!(element(&r.elem), Some((Type::Path(p), _)) if self.is_structure(&p.path));
            visit_mut::visit_type_reference_mut(self, r);
            if keep {
                return;
            }
        }
        borrowed_sequence(r, &self.private(), &mut |t| if of_structures { Some(t.clone()) } else { None });
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        let Type::Path(p) = ty else { return visit_mut::visit_type_mut(self, ty) };
        if map_types::is_ours(&p.path) {
            return;
        }
        let position = if p.qself.is_none() { type_position(&p.path) } else { None };
        let Some(k) = position else { return visit_mut::visit_type_path_mut(self, p) };
        let name = p.path.segments[k].ident.clone();
        if let Some(listed) = self.args.types.iter().find(|l| *args::last(l) == name) {
            let mut path = listed.clone();
            let last = path.segments.len() - 1;
            path.segments[last].ident = names::listed_import(&name);
            path.segments[last].arguments = p.path.segments[k].arguments.clone();
            *ty = parse_quote!(#path);
        } else if self.is_structure(&p.path) {
            if self.by_name {
                p.path.segments[k].ident = names::structure_import(&name);
            } else {
                let private = self.private();
                *ty = parse_quote!(<#p as #private::Mirrored>::Mirror);
            }
        } else {
            visit_mut::visit_type_path_mut(self, p);
            if names::is_pointer(&name.to_string()) && !self.args.opaque.contains(&name.to_string()) {
                let mut segment = p.path.segments[k].clone();
                segment.ident = names::pointer_mirror(&name, self.weak_of_arc);
                let private = self.private();
                *ty = parse_quote!(#private::mirror::#segment);
            }
        }
    }
}

/// Names written out in full, `std::rc::Rc<..>` or `crate::node::Node`, which scoping does not reach.
pub(super) struct Qualified<'a> {
    pub(super) args: &'a Args,
    pub(super) mentioned: &'a NameMap<Mention>,
    pub(super) weak_of_arc: bool,
}

impl VisitMut for Qualified<'_> {
    /// Traits have no mirrors, but their arguments may.
    fn visit_trait_bound_mut(&mut self, bound: &mut TraitBound) {
        self.arguments(&mut bound.path);
    }

    fn visit_item_impl_mut(&mut self, block: &mut ItemImpl) {
        let mut implemented = block.trait_.take();
        visit_mut::visit_item_impl_mut(self, block);
        if let Some((_, path, _)) = &mut implemented {
            self.arguments(path);
        }
        block.trait_ = implemented;
    }

    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        super::std_macros::change(mac, &mut |e| self.visit_expr_mut(e));
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        let Some(k) = type_position(path) else { return self.function(path) };
        if k == 0 {
            return;
        }
        let ident = path.segments[k].ident.clone();
        let name = ident.to_string();
        let is_constant =
            k + 1 == path.segments.len() && name.len() > 1 && !name.contains(char::is_lowercase);
        if self.args.opaque.contains(&name) || is_constant {
            return;
        }
        let module = path.segments[0].ident.to_string();
        if module == "smallscope" {
            return; // `smallscope::Key` and the like are the same on both sides
        }
        if names::is_std_module(&module) {
            if names::is_pointer(&name) {
                let sync = path.segments[k - 1].ident == "sync" || k == 1 && self.weak_of_arc;
                let mut mirror = quote!(__p::mirror);
                for (i, segment) in path.segments.iter_mut().enumerate().skip(k) {
                    if i == k {
                        segment.ident = names::pointer_mirror(&ident, sync);
                    }
                    quote!(::#segment).to_tokens(&mut mirror);
                }
                *path = parse_quote!(#mirror);
            }
        } else if !names::is_std(&name) {
            path.segments[k].ident = names::listed_import(&ident);
        }
    }

    /// `use crate::Expr::*` or `use crate::node::Node` in a body, of something that the item treats as a type.
    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Use(item) => self.use_tree(&mut item.tree, 0),
            other => visit_mut::visit_item_mut(self, other),
        }
    }
}

impl Qualified<'_> {
    /// The generic arguments in a path.
    fn arguments(&mut self, path: &mut Path) {
        for segment in &mut path.segments {
            visit_mut::visit_path_arguments_mut(self, &mut segment.arguments);
        }
    }

    /// `helpers::depth(..)`, where `fn helpers::depth` is listed. (By its last name alone it is in scope.)
    fn function(&self, path: &mut Path) {
        let called = path_names(path);
        if called.len() > 1 && self.args.functions.iter().any(|f| path_names(f).ends_with(&called)) {
            if let Some(last) = path.segments.last_mut() {
                last.ident = names::mirror_fn(&last.ident);
            }
        }
    }

    fn use_tree(&self, tree: &mut UseTree, depth: usize) {
        match tree {
            UseTree::Path(p)
                if names::is_capital(&p.ident) && (depth == 0 || !self.is_structure(&p.ident)) => {}
            UseTree::Path(p) if names::is_capital(&p.ident) => p.ident = names::listed_import(&p.ident),
            UseTree::Path(p) if depth == 0 && names::is_std_module(&p.ident.to_string()) => {
                self.without_pointers(&mut p.tree);
            }
            UseTree::Path(p) => self.use_tree(&mut p.tree, depth + 1),
            UseTree::Name(n) if depth > 0 && self.is_mentioned(&n.ident) => {
                let (name, mirror) = (&n.ident, names::listed_import(&n.ident));
                *tree = parse_quote!(#mirror as #name);
            }
            UseTree::Rename(r) if depth > 0 && self.is_mentioned(&r.rename) => {
                r.ident = names::listed_import(&r.ident);
            }
            UseTree::Group(g) => {
                for tree in &mut g.items {
                    self.use_tree(tree, depth);
                }
            }
            _ => {}
        }
    }

    /// `use std::rc::Rc` in a body would win over the mirror that the scope of the copy declares.
    fn without_pointers(&self, tree: &mut UseTree) {
        match tree {
            UseTree::Path(p) => self.without_pointers(&mut p.tree),
            UseTree::Group(g) => {
                for tree in &mut g.items {
                    self.without_pointers(tree);
                }
            }
            UseTree::Name(n) => {
                let name = n.ident.to_string();
                if names::is_pointer(&name) && !self.args.opaque.contains(&name) {
                    *tree = parse_quote!({});
                }
            }
            _ => {}
        }
    }

    fn is_structure(&self, name: &Ident) -> bool {
        let name = name.to_string();
        !names::is_std(&name) && !self.args.opaque.contains(&name)
    }

    fn is_mentioned(&self, name: &Ident) -> bool {
        names::is_capital(name)
            && self.is_structure(name)
            && self.mentioned.names().contains(&name.to_string())
    }
}
