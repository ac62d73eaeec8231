//! Types that scoping alone does not turn into mirrors.
//!
//! * Outside of the scope of the copy (signatures of free functions, helper structs, aliases) every type is
//!   rewritten: [`MapTypes`].
//! * `&Vec<T>` in a signature means a field, and fields that are vectors have another type in the mirror:
//!   [`BorrowedVecs`].
//! * Types written out in full: [`Qualified`].

use super::args::{self, Args};
use super::mentions::Mention;
use super::names;
use super::scope::Scope;
use crate::syntax::visit_mut::{self, VisitMut};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use std::collections::{BTreeMap, HashSet};
use syn::{
    GenericArgument, ItemImpl, ItemUse, Path, PathArguments, Signature, TraitBound, Type, TypeReference,
    UseTree, parse_quote,
};

/// The position of the first type name in a path.
fn type_position(path: &Path) -> Option<usize> {
    path.segments.iter().position(|s| names::is_capital(&s.ident))
}

/// The only type argument of `Vec<T>` or `VecDeque<T>`.
fn vec_element(ty: &Type) -> Option<(&Type, bool)> {
    let Type::Path(p) = ty else { return None };
    let last = p.path.segments.last()?;
    let PathArguments::AngleBracketed(list) = &last.arguments else { return None };
    match (last.ident.to_string().as_str(), list.args.first()?) {
        ("Vec", GenericArgument::Type(t)) => Some((t, true)),
        ("VecDeque", GenericArgument::Type(t)) => Some((t, false)),
        _ => None,
    }
}

/// Rewrites `&Vec<Node>` to a reference to what the mirror has in its place, and `&Vec<u8>` to `&[u8]`, which
/// both a field and a local vector coerce to.
fn borrowed_vec(r: &mut TypeReference, private: &TokenStream, structure: impl FnOnce(&Type) -> Option<Type>) {
    if r.mutability.is_some() {
        return;
    }
    let Some((element, is_vec)) = vec_element(&r.elem) else { return };
    if let Some(real) = structure(element) {
        *r.elem = parse_quote!(<#real as #private::Mirrored>::Seq);
    } else if is_vec {
        let element = element.clone();
        *r.elem = parse_quote!([#element]);
    }
}

/// In signatures inside the scope of the copy.
pub(super) struct BorrowedVecs<'a> {
    pub(super) scope: &'a mut Scope,
}

impl VisitMut for BorrowedVecs<'_> {
    fn visit_block_mut(&mut self, _: &mut syn::Block) {}

    fn visit_signature_mut(&mut self, sig: &mut Signature) {
        visit_mut::visit_signature_mut(self, sig);
    }

    fn visit_type_reference_mut(&mut self, r: &mut TypeReference) {
        visit_mut::visit_type_reference_mut(self, r);
        borrowed_vec(r, &quote!(__p), |element| {
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
    pub(super) local: &'a HashSet<String>,
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
        type_position(path).is_some_and(|k| {
            let name = path.segments[k].ident.to_string();
            let plain = k == 0 && self.local.contains(&name) || self.args.opaque.contains(&name);
            self.args.lists(&name) || !plain && !names::is_std(&name)
        })
    }
}

impl VisitMut for MapTypes<'_> {
    fn visit_type_reference_mut(&mut self, r: &mut TypeReference) {
        borrowed_vec(r, &self.private(), |t| match t {
            Type::Path(p) if self.is_structure(&p.path) => Some(t.clone()),
            _ => None,
        });
        if !matches!(&*r.elem, Type::Path(p) if p.qself.is_some()) {
            visit_mut::visit_type_reference_mut(self, r);
        }
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        let Type::Path(p) = ty else { return visit_mut::visit_type_mut(self, ty) };
        let Some(k) = type_position(&p.path).filter(|_| p.qself.is_none()) else {
            return visit_mut::visit_type_path_mut(self, p);
        };
        let name = p.path.segments[k].ident.clone();
        if let Some(listed) = self.args.types.iter().find(|l| *args::last(l) == name) {
            let mut path = listed.clone();
            let last = path.segments.len() - 1;
            path.segments[last].ident = names::mirror_type(&name);
            path.segments[last].arguments = p.path.segments[k].arguments.clone();
            *ty = parse_quote!(#path);
        } else if self.is_structure(&p.path) {
            if self.by_name {
                p.path.segments[k].ident = names::mirror_type(&name);
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
    pub(super) mentioned: &'a BTreeMap<String, Mention>,
    pub(super) weak_of_arc: bool,
}

impl VisitMut for Qualified<'_> {
    /// Traits have no mirrors, but their arguments may.
    fn visit_trait_bound_mut(&mut self, bound: &mut TraitBound) {
        bound.path.segments.iter_mut().for_each(|s| self.visit_path_arguments_mut(&mut s.arguments));
    }

    fn visit_item_impl_mut(&mut self, block: &mut ItemImpl) {
        let mut implemented = block.trait_.take();
        visit_mut::visit_item_impl_mut(self, block);
        if let Some((_, path, _)) = &mut implemented {
            path.segments.iter_mut().for_each(|s| self.visit_path_arguments_mut(&mut s.arguments));
        }
        block.trait_ = implemented;
    }

    fn visit_attribute_mut(&mut self, _: &mut syn::Attribute) {}

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        super::std_macros::change(mac, |e| self.visit_expr_mut(e));
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
        let modules: Vec<String> = path.segments.iter().take(k).map(|s| s.ident.to_string()).collect();
        if modules[0] == "smallscope" {
            return; // `smallscope::Key` and the like are the same on both sides
        }
        if names::is_std_module(&modules[0]) {
            if names::is_pointer(&name) {
                let sync = modules.last().is_some_and(|m| m == "sync");
                let rest: Vec<_> = path.segments.iter().skip(k + 1).collect();
                let mut first = path.segments[k].clone();
                first.ident = names::pointer_mirror(&ident, sync || modules.len() == 1 && self.weak_of_arc);
                *path = parse_quote!(__p::mirror::#first #(::#rest)*);
            }
        } else if !names::is_std(&name) {
            path.segments[k].ident = names::mirror_type(&ident);
        }
    }

    /// `use crate::Expr::*` or `use crate::node::Node` in a body, of something that the item treats as a type.
    fn visit_item_use_mut(&mut self, item: &mut ItemUse) {
        self.use_tree(&mut item.tree, 0);
    }
}

impl Qualified<'_> {
    /// `helpers::depth(..)`, where `fn helpers::depth` is listed. (By its last name alone it is in scope.)
    fn function(&self, path: &mut Path) {
        let names = |p: &Path| p.segments.iter().map(|s| s.ident.to_string()).collect::<Vec<_>>();
        let called = names(path);
        if called.len() > 1 && self.args.functions.iter().any(|f| names(f).ends_with(&called)) {
            if let Some(last) = path.segments.last_mut() {
                last.ident = names::mirror_fn(&last.ident);
            }
        }
    }

    fn use_tree(&self, tree: &mut UseTree, depth: usize) {
        match tree {
            UseTree::Path(p)
                if names::is_capital(&p.ident) && (depth == 0 || !self.is_structure(&p.ident)) => {}
            UseTree::Path(p) if names::is_capital(&p.ident) => p.ident = names::mirror_type(&p.ident),
            UseTree::Path(p) if depth == 0 && names::is_std_module(&p.ident.to_string()) => {
                self.without_pointers(&mut p.tree);
            }
            UseTree::Path(p) => self.use_tree(&mut p.tree, depth + 1),
            UseTree::Name(n) if depth > 0 && self.is_mentioned(&n.ident) => {
                let (name, mirror) = (&n.ident, names::mirror_type(&n.ident));
                *tree = parse_quote!(#mirror as #name);
            }
            UseTree::Rename(r) if depth > 0 && self.is_mentioned(&r.rename) => {
                r.ident = names::mirror_type(&r.ident);
            }
            UseTree::Group(g) => g.items.iter_mut().for_each(|t| self.use_tree(t, depth)),
            _ => {}
        }
    }

    /// `use std::rc::Rc` in a body would win over the mirror that the scope of the copy declares.
    fn without_pointers(&self, tree: &mut UseTree) {
        match tree {
            UseTree::Path(p) => self.without_pointers(&mut p.tree),
            UseTree::Group(g) => g.items.iter_mut().for_each(|t| self.without_pointers(t)),
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
        names::is_capital(name) && self.is_structure(name) && self.mentioned.contains_key(&name.to_string())
    }
}
