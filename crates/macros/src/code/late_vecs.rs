//! Local vectors that collect fields and compare them: `keys.push(node.key)`, then `keys.windows(2).all(..)`.
//!
//! Such a vector becomes a `LateVec`, whose elements are read where they are used. This is done where the source shows every
//! use of the vector: the local variable, the functions of the item that it is given to as `&mut Vec<u8>`, and what each of
//! them does with it.

use super::args::{self, Args};
use super::late;
use super::rewrite::Rewriter;
use super::vars::Var;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{NameMap, Names, is_ident_of, is_one_of, parse_quote, parse_quote_spanned};
use proc_macro2::Ident;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{
    Expr, ExprCall, ExprMethodCall, FnArg, GenericArgument, ImplItem, ImplItemFn, Item, ItemFn, Local, Macro,
    Pat, PathArguments, Signature, Stmt, Token, Type,
};

/// Methods of slices, and those of vectors that a `LateVec` has.
const METHODS: &[&str] = &[
    "push",
    "pop",
    "clear",
    "len",
    "is_empty",
    "first",
    "last",
    "iter",
    "windows",
    "chunks",
    "is_sorted",
    "is_sorted_by",
    "contains",
    "binary_search",
    "split_first",
    "split_last",
    "split_at",
    "starts_with",
    "ends_with",
    "to_vec",
];

/// A variable: the function that it belongs to, and its name.
fn variable(function: &str, name: &Ident) -> String {
    format!("{function}::{name}")
}

/// The vectors of an item, as [`variable`]s.
#[derive(Default)]
pub(super) struct LateVecs(Names);

impl LateVecs {
    pub(super) fn of(item: &Item, args: &Args) -> LateVecs {
        let mut find = Find::default();
        for path in &args.functions {
            find.listed.insert(args::last(path).to_string());
        }
        match item {
            Item::Impl(block) if block.trait_.is_none() => {
                for item in &block.items {
                    if let ImplItem::Fn(f) = item {
                        find.declare(&f.sig);
                    }
                }
                find.visit_item_mut(&mut item.clone());
            }
            _ => return LateVecs::default(),
        }
        find.settle()
    }

    /// Whether a variable of a function is one of them.
    pub(super) fn has(&self, function: &str, name: &Ident) -> bool {
        self.0.contains(&variable(function, name))
    }

    /// Changes the types of arguments.
    pub(super) fn signature(&self, sig: &mut Signature) {
        let function = sig.ident.to_string();
        for input in &mut sig.inputs {
            let FnArg::Typed(t) = input else { continue };
            let Pat::Ident(name) = &*t.pat else { continue };
            if self.has(&function, &name.ident) {
                if let Some(element) = argument(&t.ty) {
                    *t.ty = parse_quote_spanned!(t.ty.span()=> &mut __p::mirror::LateVec<#element>);
                }
            }
        }
    }
}

/// The name of an argument that is `&mut Vec<u8>`.
fn vector(input: &FnArg) -> Option<&Ident> {
    let FnArg::Typed(t) = input else { return None };
    let Pat::Ident(name) = &*t.pat else { return None };
    argument(&t.ty)?;
    Some(&name.ident)
}

/// The element of `&mut Vec<u8>`.
fn argument(ty: &Type) -> Option<Type> {
    match ty {
        Type::Reference(r) if r.mutability.is_some() => element(&r.elem),
        _ => None,
    }
}

/// The element of a vector of numbers, characters or truth values.
fn element(ty: &Type) -> Option<Type> {
    const PLAIN: &[&str] = &[
        "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "char",
        "bool",
    ];
    let Type::Path(p) = ty else { return None };
    let last = p.path.segments.last()?;
    let PathArguments::AngleBracketed(list) = &last.arguments else { return None };
    if last.ident != "Vec" {
        return None;
    }
    match list.args.first()? {
        GenericArgument::Type(Type::Infer(_)) => Some(parse_quote!(_)),
        GenericArgument::Type(Type::Path(p)) if is_ident_of(&p.path, PLAIN) => Some(Type::Path(p.clone())),
        _ => None,
    }
}

/// `vec![]` or `Vec::new()`
fn is_empty_vec(e: &Expr) -> bool {
    match e {
        Expr::Macro(m) => m.mac.path.is_ident("vec") && m.mac.tokens.is_empty(),
        Expr::Call(c) => {
            matches!(&*c.func, Expr::Path(p) if p.path.segments.len() == 2
                && p.path.segments[0].ident == "Vec"
                && (p.path.segments[1].ident == "new" || p.path.segments[1].ident == "with_capacity"))
        }
        _ => false,
    }
}

/// Looks at every use of the vectors of an item.
#[derive(Default)]
struct Find {
    /// The arguments of each function; one that is no vector is `None`.
    arguments: NameMap<Vec<Option<String>>>,
    /// Functions outside of the item that take slices of cells.
    listed: Names,
    candidates: Names,
    /// Pairs of variables that are the same vector.
    same: Vec<(String, String)>,
    refused: Names,
    function: String,
    /// How deep in nested functions we are, which are not looked into.
    depth: usize,
}

impl Find {
    /// Notes the arguments of a function.
    fn declare(&mut self, sig: &Signature) {
        let function = sig.ident.to_string();
        let mut arguments = vec![];
        for input in &sig.inputs {
            let vector = vector(input).map(|name| variable(&function, name));
            self.candidates.insert_all(vector.as_slice());
            arguments.push(vector);
        }
        self.arguments.insert(&function, arguments);
    }

    fn variable(&self, e: &Expr) -> Option<String> {
        let Expr::Path(p) = e else { return None };
        let variable = variable(&self.function, p.path.get_ident()?);
        if self.candidates.contains(&variable) { Some(variable) } else { None }
    }

    /// A call of a function of the item, or of any other.
    fn call(&mut self, function: Option<&Ident>, arguments: &mut Punctuated<Expr, Token![,]>) {
        let name = function.map(Ident::to_string).unwrap_or_default();
        let expected = self.arguments.get(&name).cloned().unwrap_or_default();
        let count = arguments.len();
        for (i, e) in arguments.iter_mut().enumerate() {
            // Counted from the last argument, since a receiver may stand before the first.
            let position = (expected.len() + i).checked_sub(count);
            let taken = position.and_then(|at| expected[at].clone());
            let given = match &*e {
                Expr::Reference(r) if r.mutability.is_some() => self.variable(&r.expr),
                other => self.variable(other),
            };
            match (given, taken) {
                (Some(given), Some(taken)) => self.same.push((given, taken)),
                (None, Some(taken)) => {
                    self.refused.insert(taken);
                    self.visit_expr_mut(e);
                }
                // A shared reference coerces to a slice.
                (_, None) => match e {
                    Expr::Reference(r) if r.mutability.is_none() && self.variable(&r.expr).is_some() => {
                        if self.arguments.get(&name).is_none() && !self.listed.contains(&name) {
                            self.refuse(&r.expr);
                        }
                    }
                    other => self.visit_expr_mut(other),
                },
            }
        }
    }

    /// Refuses a variable, if it is one of them.
    fn refuse(&mut self, e: &Expr) {
        if let Some(variable) = self.variable(e) {
            self.refused.insert(variable);
        }
    }

    /// Those that are vectors in all the functions that they are given to.
    fn settle(mut self) -> LateVecs {
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for (a, b) in &self.same {
                if self.refused.contains(a) != self.refused.contains(b) {
                    self.refused.insert(a.clone());
                    self.refused.insert(b.clone());
                    is_changed = true;
                }
            }
        }
        self.candidates.retain(&|variable| !self.refused.contains(variable));
        LateVecs(self.candidates)
    }
}

impl VisitMut for Find {
    fn visit_impl_item_fn_mut(&mut self, f: &mut ImplItemFn) {
        self.function = f.sig.ident.to_string();
        visit_mut::visit_impl_item_fn_mut(self, f);
    }

    /// A function in a function has variables of its own.
    fn visit_item_fn_mut(&mut self, f: &mut ItemFn) {
        let name = format!("{}::{}", self.function, f.sig.ident);
        let outer = std::mem::replace(&mut self.function, name);
        self.depth += 1;
        visit_mut::visit_item_fn_mut(self, f);
        self.depth -= 1;
        self.function = outer;
    }

    fn visit_block_mut(&mut self, b: &mut syn::Block) {
        for stmt in &b.stmts {
            let Stmt::Local(l) = stmt else { continue };
            self.local(l);
        }
        visit_mut::visit_block_mut(self, b);
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Path(_) => self.refuse(e),
            Expr::MethodCall(c) => self.method_call(c),
            Expr::Call(ExprCall { func, args, .. }) => {
                let name = match &mut **func {
                    Expr::Path(p) => p.path.segments.last().map(|s| &s.ident),
                    other => {
                        self.visit_expr_mut(other);
                        None
                    }
                };
                self.call(name, args);
            }
            Expr::Index(i) if self.variable(&i.expr).is_some() => self.visit_expr_mut(&mut i.index),
            Expr::ForLoop(l) => {
                match &mut *l.expr {
                    Expr::Reference(r) if r.mutability.is_none() && self.variable(&r.expr).is_some() => {}
                    other => self.visit_expr_mut(other),
                }
                self.visit_block_mut(&mut l.body);
            }
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        for word in mac.tokens.to_string().split(|c: char| !c.is_alphanumeric() && c != '_') {
            let variable = format!("{}::{word}", self.function);
            if self.candidates.contains(&variable) {
                self.refused.insert(variable);
            }
        }
    }
}

impl Find {
    fn local(&mut self, l: &Local) {
        let (pat, is_plain) = match &l.pat {
            Pat::Type(t) => (&*t.pat, element(&t.ty).is_some()),
            other => (other, true),
        };
        let Pat::Ident(name) = pat else { return };
        let Some(init) = &l.init else { return };
        if !is_empty_vec(&init.expr) || !is_plain {
            return;
        }
        let variable = variable(&self.function, &name.ident);
        let is_new = self.candidates.insert(variable.clone());
        if !is_new || init.diverge.is_some() || self.depth > 0 {
            self.refused.insert(variable);
        }
    }

    fn method_call(&mut self, c: &mut ExprMethodCall) {
        match self.variable(&c.receiver) {
            Some(_) if is_one_of(&c.method, METHODS) => {}
            _ => self.visit_expr_mut(&mut c.receiver),
        }
        self.call(Some(&c.method), &mut c.args);
    }
}

/// `let mut keys = vec![];`
pub(super) fn local(rewriter: &mut Rewriter<'_>, l: &mut Local) -> bool {
    let (name, element) = match &l.pat {
        Pat::Type(t) => match &*t.pat {
            Pat::Ident(i) => (i.ident.clone(), element(&t.ty)),
            _ => return false,
        },
        Pat::Ident(i) => (i.ident.clone(), None),
        _ => return false,
    };
    let is_vec = l.init.as_ref().is_some_and(|init| is_empty_vec(&init.expr));
    if !is_vec || !rewriter.late_vecs.has(&rewriter.function, &name) {
        return false;
    }
    let element = element.unwrap_or_else(|| parse_quote!(_));
    l.pat = parse_quote_spanned!(name.span()=> mut #name);
    if let Some(init) = &mut l.init {
        *init.expr = parse_quote_spanned!(name.span()=> __p::mirror::LateVec::<#element>::new());
    }
    rewriter.vars.bind(&name, Var::LateVec);
    true
}

/// `keys.push(node.key)`, where `keys` reads its elements late.
pub(super) fn push(rewriter: &mut Rewriter<'_>, c: &mut ExprMethodCall) -> bool {
    if c.method != "push" || c.args.len() != 1 || rewriter.vars.of(&c.receiver) != Var::LateVec {
        return false;
    }
    let element = &mut c.args[0];
    let variable = match &*element {
        Expr::Unary(u)
            if matches!(u.op, syn::UnOp::Deref(_)) && rewriter.vars.of(&u.expr) == Var::CellRef =>
        {
            Some((*u.expr).clone())
        }
        e if rewriter.vars.of(e) == Var::CellCopy => Some(e.clone()),
        _ => None,
    };
    *element = match variable {
        Some(cell) => parse_quote_spanned!(cell.span()=> #cell.__late()),
        None if rewriter.vars.of(element) == Var::Late => return true,
        None => match late::copy(rewriter, element) {
            Some(copy) => copy,
            None => {
                rewriter.visit_expr_mut(element);
                let value = element.to_token_stream();
                parse_quote_spanned!(element.span()=> __p::Late::Value(#value))
            }
        },
    };
    true
}
