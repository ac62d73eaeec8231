//! Which types an item mentions, and how.
//!
//! In the copy every structure name means its mirror. The macro sees names only, so every capitalised name
//! that is not std's, not a parameter and not defined inside the item is taken for a structure.

use super::args::{self, Args};
use super::{names, std_macros};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{NameMap, Names, last_name, quote};
use proc_macro2::{Ident, TokenStream};
use syn::{
    Attribute, ConstParam, Expr, ExprCall, ExprPath, ExprStruct, GenericArgument, ImplItem, Item, ItemImpl,
    Macro, Member, Meta, PatStruct, PatTupleStruct, Path, PathArguments, Type, TypeParam, TypePath, UseTree,
};

/// A generic argument, as far as an alias has to repeat it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parameter {
    Lifetime,
    Type,
}

/// How an item mentions a type.
pub(super) struct Mention {
    pub(super) ident: Ident,
    /// The generic arguments it was seen with.
    pub(super) parameters: Vec<Parameter>,
    /// Used where a type alias cannot stand: `impl X`, `X(..)`, `use X::*`, const arguments.
    pub(super) needs_item: bool,
    /// Seen as a type, so that `parameters` is all there is to know.
    pub(super) as_type: bool,
    /// Seen as `X { .. }`, `X::V(..)` or `X::f`, which leaves generic arguments out even if there are some.
    pub(super) elided: bool,
    /// Seen as `X::new(..)` or the like.
    pub(super) made: bool,
    /// The `cfg` conditions of the members it was seen in, unless it was seen in an unconditional one.
    conditions: Option<Vec<TokenStream>>,
}

impl Mention {
    /// `#[cfg(..)]`, if the type may not exist.
    pub(super) fn cfg(&self) -> Option<TokenStream> {
        let conditions = self.conditions.as_ref()?;
        Some(quote!(#[cfg(any(#(#conditions),*))]))
    }
}

/// Everything an item mentions.
#[derive(Default)]
pub(super) struct Mentions {
    pub(super) types: NameMap<Mention>,
    /// Parameters and local types: not structures.
    pub(super) local: Names,
    /// Types that a `use` in a body brings in; there they get their mirrors.
    pub(super) imported: Names,
    /// `V(..)` patterns of which nothing else is known: variants imported by a `use`, or tuple structs.
    pub(super) bare_variants: Vec<Ident>,
    /// Whether a `use X::*` in a body could explain bare variants.
    pub(super) imports_variants: bool,
    /// Types of the user that are named like those of std.
    pub(super) own_names: Names,
    constants: Names,
    traits: Names,
    /// The condition of the member that is being visited.
    condition: Option<TokenStream>,
    /// Structs known to be structs, not variants, in `X(..)`.
    structs: Names,
}

impl Mentions {
    /// The mentions of an item.
    pub(super) fn of(item: &Item, args: &Args) -> Mentions {
        let mut m = Mentions::default();
        for path in &args.types {
            m.structs.insert(args::last(path).to_string());
        }
        if let Item::Impl(block) = item {
            m.structs.insert_all(self_name(block).as_slice());
        }
        m.visit_item_mut(&mut item.clone());
        for name in m.traits.as_slice() {
            match m.types.get(name) {
                Some(mention) if !mention.as_type => m.local.insert(name.clone()),
                _ => false,
            };
        }
        for ident in std::mem::take(&mut m.bare_variants) {
            // `P(a, b)` of something that is also used as a type is a tuple struct.
            match m.types.get_mut(&ident.to_string()) {
                Some(mention) => mention.needs_item = true,
                None => m.bare_variants.push(ident),
            }
        }
        m
    }

    fn path(&mut self, path: &Path, needs_item: bool) -> Option<&mut Mention> {
        let first = &path.segments[0];
        if path.leading_colon.is_some() || !names::is_capital(&first.ident) {
            return None;
        }
        let (constants, condition) = (&self.constants, &self.condition);
        let new = Mention {
            ident: first.ident.clone(),
            parameters: vec![],
            needs_item: false,
            as_type: false,
            elided: false,
            made: false,
            conditions: Some(vec![]),
        };
        let mention = self.types.get_or_insert(&first.ident.to_string(), new);
        mention.needs_item |= needs_item;
        match (condition, &mut mention.conditions) {
            (None, conditions) => *conditions = None,
            (Some(c), Some(list)) => list.push(c.clone()),
            (Some(_), None) => {}
        }
        if let PathArguments::AngleBracketed(list) = &first.arguments {
            let mut parameters = vec![];
            for argument in &list.args {
                match argument {
                    GenericArgument::Lifetime(_) => parameters.push(Parameter::Lifetime),
                    // A constant's type is not visible here, so an alias could not declare it.
                    GenericArgument::Const(_) => mention.needs_item = true,
                    GenericArgument::Type(Type::Path(t))
                        if t.path.get_ident().is_some_and(|i| constants.contains(&i.to_string())) =>
                    {
                        mention.needs_item = true;
                    }
                    GenericArgument::Type(_) => parameters.push(Parameter::Type),
                    _ => {}
                }
            }
            if parameters.len() > mention.parameters.len() {
                mention.parameters = parameters;
            }
        }
        Some(mention)
    }

    /// A `use` in a body.
    fn use_tree(&mut self, tree: &UseTree) {
        if let UseTree::Path(p) = tree {
            self.path(&p.ident.clone().into(), true);
            if names::is_std_module(&p.ident.to_string()) {
                imported(tree, &mut self.local);
                // Smart pointers have mirrors nevertheless.
                self.local.retain(&|name| !names::is_pointer(name));
                return;
            }
        }
        imported(tree, &mut self.imported);
        self.imports_variants = true;
    }

    /// Notes that a name, which is written without generic arguments, is not std's.
    fn name_of_std(&mut self, name: Option<&Ident>) {
        if let Some(name) = name.filter(|name| names::has_arguments_in_std(&name.to_string())) {
            self.own_names.insert(name.to_string());
        }
    }

    /// The same if a field of a struct is not one of std's ranges.
    fn field(&mut self, path: &Path, field: Option<&Member>) {
        if matches!(field, Some(Member::Named(f)) if f != "start" && f != "end") {
            self.name_of_std(path.get_ident());
        }
    }

    fn elided(&mut self, path: &Path) {
        if let Some(m) = self.path(path, false) {
            m.elided = true;
        }
    }
}

/// The types that a `use` declares.
fn imported(tree: &UseTree, found: &mut Names) {
    match tree {
        UseTree::Path(p) => imported(&p.tree, found),
        UseTree::Name(n) if names::is_capital(&n.ident) => {
            found.insert(n.ident.to_string());
        }
        UseTree::Rename(r) if names::is_capital(&r.rename) => {
            found.insert(r.rename.to_string());
        }
        UseTree::Group(g) => {
            for tree in &g.items {
                imported(tree, found);
            }
        }
        _ => {}
    }
}

/// The last name of the type that a block is about.
pub(super) fn self_name(block: &ItemImpl) -> Option<String> {
    fn name(ty: &Type) -> Option<String> {
        match ty {
            Type::Path(p) => Some(last_name(&p.path)),
            Type::Group(g) => name(&g.elem),
            Type::Paren(p) => name(&p.elem),
            _ => None,
        }
    }
    name(&block.self_ty)
}

impl VisitMut for Mentions {
    fn visit_item_impl_mut(&mut self, block: &mut ItemImpl) {
        // Parameters first, so that `Buf<N>` is known to have a constant argument.
        visit_mut::visit_generics_mut(self, &mut block.generics);
        // The types in the header must be nominal: a projection does not constrain the parameters of the impl.
        struct Header<'m>(&'m mut Mentions);
        impl VisitMut for Header<'_> {
            fn visit_type_path_mut(&mut self, t: &mut TypePath) {
                if t.qself.is_none() {
                    self.0.path(&t.path, true);
                }
                visit_mut::visit_type_path_mut(self, t);
            }
        }
        Header(self).visit_type_mut(&mut block.self_ty);
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_impl_item_mut(&mut self, item: &mut ImplItem) {
        let attrs: &[Attribute] = match item {
            ImplItem::Fn(f) => &f.attrs,
            ImplItem::Const(c) => &c.attrs,
            ImplItem::Type(t) => &t.attrs,
            _ => &[],
        };
        let mut conditions = vec![];
        for a in attrs {
            match &a.meta {
                Meta::List(list) if list.path.is_ident("cfg") => conditions.push(&list.tokens),
                _ => {}
            }
        }
        self.condition = if conditions.is_empty() { None } else { Some(quote!(all(#(#conditions),*))) };
        visit_mut::visit_impl_item_mut(self, item);
        self.condition = None;
    }

    fn visit_type_path_mut(&mut self, t: &mut TypePath) {
        if t.qself.is_none() {
            if let Some(m) = self.path(&t.path, false) {
                m.as_type = true;
            }
            self.name_of_std(t.path.get_ident());
        }
        visit_mut::visit_type_path_mut(self, t);
    }

    fn visit_expr_path_mut(&mut self, e: &mut ExprPath) {
        if e.qself.is_none() && e.path.segments.len() > 1 {
            if let Some(m) = self.path(&e.path, false) {
                let second = &e.path.segments[1].ident;
                m.elided |= !names::is_capital(second) || names::is_constant(second);
                m.made |= names::is_constructor(second);
            }
        }
        visit_mut::visit_expr_path_mut(self, e);
    }

    fn visit_expr_call_mut(&mut self, e: &mut ExprCall) {
        if let Expr::Path(p @ ExprPath { qself: None, .. }) = &*e.func {
            match p.path.get_ident() {
                Some(i) if self.structs.contains(&i.to_string()) => {
                    self.path(&p.path, true);
                }
                Some(_) => {}
                None if names::is_capital(args::last(&p.path)) => self.elided(&p.path),
                None => {}
            }
        }
        visit_mut::visit_expr_call_mut(self, e);
    }

    fn visit_expr_struct_mut(&mut self, e: &mut ExprStruct) {
        self.elided(&e.path);
        self.field(&e.path, e.fields.first().map(|f| &f.member));
        visit_mut::visit_expr_struct_mut(self, e);
    }

    fn visit_pat_struct_mut(&mut self, p: &mut PatStruct) {
        self.elided(&p.path);
        self.field(&p.path, p.fields.first().map(|f| &f.member));
        visit_mut::visit_pat_struct_mut(self, p);
    }

    fn visit_pat_tuple_struct_mut(&mut self, p: &mut PatTupleStruct) {
        match p.path.get_ident() {
            Some(i) if self.structs.contains(&i.to_string()) => {
                self.path(&p.path, true);
            }
            Some(i) => self.bare_variants.push(i.clone()),
            None => self.elided(&p.path),
        }
        visit_mut::visit_pat_tuple_struct_mut(self, p);
    }

    fn visit_const_param_mut(&mut self, p: &mut ConstParam) {
        self.local.insert(p.ident.to_string());
        self.constants.insert(p.ident.to_string());
        visit_mut::visit_const_param_mut(self, p);
    }

    /// Traits that bounds name are no structures where their functions are called by path.
    fn visit_trait_bound_mut(&mut self, b: &mut syn::TraitBound) {
        if let Some(name) = b.path.get_ident() {
            self.traits.insert(name.to_string());
        }
        visit_mut::visit_trait_bound_mut(self, b);
    }

    fn visit_type_param_mut(&mut self, p: &mut TypeParam) {
        self.local.insert(p.ident.to_string());
        visit_mut::visit_type_param_mut(self, p);
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Use(u) => return self.use_tree(&u.tree),
            Item::Struct(i) => self.local.insert(i.ident.to_string()),
            Item::Enum(i) => self.local.insert(i.ident.to_string()),
            Item::Type(i) => self.local.insert(i.ident.to_string()),
            _ => false,
        };
        visit_mut::visit_item_mut(self, item);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        std_macros::look(mac, &mut |e| VisitMut::visit_expr_mut(self, e));
    }
}
