//! Which calls carry a promise.
//!
//! A promise waits in one place until a function of the copy takes it, so between the two nothing else must enter a
//! function that takes promises. Four rules ensure that, in all copies that this macro makes:
//!
//! * Every function of a copy takes or drops what waits, before anything else; so do closures that call something.
//! * Functions of trait impls (`==`, `+`, indexing, `deref`) and functions that are named like the usual methods of std
//!   ([`is_common`]) drop it.
//! * So arguments that are made of operators and common methods ([`Functions::is_quiet`]) enter nothing that takes a
//!   promise; with any other arguments a call carries none.
//! * `x.name(..)` may be a method of something else, which calls what it is given, and common methods do that too. What
//!   they can be given is a closure, which drops the promise, or a function; so in an item that uses functions as values,
//!   only `Self::name(..)` and `self.name(..)` carry promises, and only methods that never call anything are quiet.
//!
//! Reading a derived field runs functions of the copy, too; the run-time sets aside what waits while it does.
//!
//! What was not taken is void after the call.

use super::context::About;
use super::outcomes;
use crate::code::args::{self, Args};
use crate::code::names;
use crate::code::patterns;
use crate::code::std_macros;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{Names as Set, last_name};
use proc_macro2::Ident;
use syn::punctuated::Punctuated;
use syn::{
    Expr, ExprCall, ExprPath, ImplItem, ImplItemFn, Item, ItemFn, ItemImpl, Macro, Pat, Path, ReturnType,
    Signature, Stmt, Token, TraitBound, Type,
};

/// The functions that calls in an item may refer to.
#[derive(Default)]
pub(in crate::code) struct Functions {
    /// Functions of the copy that take promises.
    names: Set,
    /// Those of them that belong to a type.
    members: Set,
    /// Variables of the function that we are in.
    variables: Set,
    /// Whether functions are used as values.
    as_values: bool,
}

impl Functions {
    pub(in crate::code) fn of(item: &Item, args: &Args) -> Functions {
        let (item, mut find) = (&mut item.clone(), Names::default());
        find.visit_item_mut(item);
        let Names { all: mut names, members } = find;
        for path in &args.functions {
            names.insert(args::last(path).to_string());
        }
        names.insert("rep_ok".to_owned());
        names.retain(&|name| !is_common(name));
        let mut values = Values { names: &names, found: false };
        values.visit_item_mut(item);
        let as_values = values.found;
        Functions { names, members, variables: Set::default(), as_values }
    }

    /// Goes into a function that is not inside another one.
    pub(in crate::code) fn enter(&mut self, find: &mut dyn FnMut(&mut Variables)) {
        let mut variables = Variables(Set::default());
        find(&mut variables);
        self.variables = variables.0;
    }

    /// Whether a path names a function of the copy that takes promises.
    pub(in crate::code) fn has(&self, path: &Path) -> bool {
        let is_variable = |name: &Ident| self.variables.contains(&name.to_string());
        self.has_method(args::last(path)) && !path.get_ident().is_some_and(is_variable)
    }

    /// The same for the name of a method.
    pub(in crate::code) fn has_method(&self, name: &Ident) -> bool {
        self.names.contains(&name.to_string())
    }

    /// Whether a call of such a function can carry a promise.
    pub(in crate::code) fn carries(&self, call: &Expr) -> bool {
        let is_member = |name: &Ident| self.members.contains(&name.to_string());
        let (is_certain, are_quiet) = match call {
            Expr::Call(c) => {
                let of_self = |p: &Path| {
                    p.segments.len() == 2 && p.segments[0].ident == "Self" && is_member(&p.segments[1].ident)
                };
                let is_certain = matches!(&*c.func, Expr::Path(p) if of_self(&p.path));
                (is_certain, self.are_quiet(&c.args))
            }
            Expr::MethodCall(c) => {
                let on_self = matches!(&*c.receiver, Expr::Path(p) if p.path.is_ident("self"));
                (on_self && is_member(&c.method), self.is_quiet(&c.receiver) && self.are_quiet(&c.args))
            }
            _ => return false,
        };
        (is_certain || !self.as_values) && are_quiet
    }

    /// Whether all of some expressions are quiet.
    fn are_quiet(&self, list: &Punctuated<Expr, Token![,]>) -> bool {
        for e in list {
            if !self.is_quiet(e) {
                return false;
            }
        }
        true
    }

    /// Whether evaluating an expression enters no function that takes a promise. Closures are looked into, since they
    /// may be called at once.
    pub(super) fn is_quiet(&self, e: &Expr) -> bool {
        let quiet = |e: &Expr| self.is_quiet(e);
        match e {
            Expr::Path(_) | Expr::Lit(_) => true,
            // `vec![]`
            Expr::Macro(m) => m.mac.tokens.is_empty() && m.mac.path.is_ident("vec"),
            Expr::Paren(p) => quiet(&p.expr),
            Expr::Field(f) => quiet(&f.base),
            Expr::Index(i) => quiet(&i.expr) && quiet(&i.index),
            Expr::Reference(r) => quiet(&r.expr),
            Expr::Unary(u) => quiet(&u.expr),
            Expr::Binary(b) => quiet(&b.left) && quiet(&b.right),
            Expr::Cast(c) => quiet(&c.expr),
            Expr::Tuple(t) => self.are_quiet(&t.elems),
            Expr::Array(a) => self.are_quiet(&a.elems),
            Expr::Range(r) => r.start.as_deref().is_none_or(quiet) && r.end.as_deref().is_none_or(quiet),
            Expr::Closure(c) => quiet(&c.body),
            Expr::Block(b) if b.label.is_none() => match b.block.stmts.as_slice() {
                [probes @ .., Stmt::Expr(e, None)] => probes.iter().all(outcomes::is_probe) && quiet(e),
                _ => false,
            },
            Expr::Call(c) => {
                let Expr::Path(p) = &*c.func else { return false };
                let function = args::last(&p.path);
                (names::is_capital(function) || self.is_quiet_name(function)) && self.are_quiet(&c.args)
            }
            Expr::MethodCall(c) => {
                self.is_quiet_name(&c.method) && quiet(&c.receiver) && self.are_quiet(&c.args)
            }
            _ => false,
        }
    }

    fn is_quiet_name(&self, function: &Ident) -> bool {
        names::lists(if self.as_values { INERT } else { COMMON }, &function.to_string())
    }
}

/// What a promise about the result of a function would be about, if it takes one.
pub(in crate::code) fn takes(sig: &Signature) -> Option<About> {
    if sig.asyncness.is_some() || is_common(&sig.ident.to_string()) {
        return None;
    }
    let ReturnType::Type(_, ty) = &sig.output else { return None };
    let Type::Path(ty) = &**ty else { return None };
    match last_name(&ty.path).as_str() {
        "bool" if ty.path.segments.len() == 1 => Some(About::Truth),
        "Option" | "Result" => Some(About::Presence),
        _ => None,
    }
}

/// The names of functions, except in impls of traits.
#[derive(Default)]
struct Names {
    all: Set,
    members: Set,
}

impl VisitMut for Names {
    fn visit_item_impl_mut(&mut self, block: &mut ItemImpl) {
        for item in &mut block.items {
            match item {
                ImplItem::Fn(f) if block.trait_.is_some() => self.visit_block_mut(&mut f.block),
                other => self.visit_impl_item_mut(other),
            }
        }
    }

    fn visit_impl_item_fn_mut(&mut self, f: &mut ImplItemFn) {
        self.all.insert(f.sig.ident.to_string());
        self.members.insert(f.sig.ident.to_string());
        self.visit_block_mut(&mut f.block);
    }

    fn visit_item_fn_mut(&mut self, f: &mut ItemFn) {
        self.all.insert(f.sig.ident.to_string());
        self.visit_block_mut(&mut f.block);
    }
}

/// The variables of a function.
pub(in crate::code) struct Variables(Set);

impl VisitMut for Variables {
    fn visit_pat_mut(&mut self, p: &mut Pat) {
        for (name, _) in patterns::variables(p) {
            self.0.insert(name.to_string());
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        std_macros::look(mac, &mut |e| VisitMut::visit_expr_mut(self, e));
    }
}

/// Looks for functions that are used as values: `map(Self::height)`, arguments of type `impl Fn(..)`.
struct Values<'a> {
    names: &'a Set,
    found: bool,
}

impl VisitMut for Values<'_> {
    fn visit_expr_call_mut(&mut self, c: &mut ExprCall) {
        if !matches!(&*c.func, Expr::Path(_)) {
            self.visit_expr_mut(&mut c.func);
        }
        for argument in &mut c.args {
            self.visit_expr_mut(argument);
        }
    }

    fn visit_expr_path_mut(&mut self, p: &mut ExprPath) {
        let last = args::last(&p.path);
        let name = last.to_string();
        self.found |= match p.path.segments.len() {
            1 => self.names.contains(&name),
            _ => !names::is_capital(last) && !is_common(&name),
        };
    }

    fn visit_trait_bound_mut(&mut self, b: &mut TraitBound) {
        self.found |= matches!(last_name(&b.path).as_str(), "Fn" | "FnMut" | "FnOnce");
        visit_mut::visit_trait_bound_mut(self, b);
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        self.found |= matches!(ty, Type::BareFn(_));
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if !std_macros::look(mac, &mut |e| VisitMut::visit_expr_mut(self, e)) {
            self.found = true;
        }
    }
}

/// Names of functions that never take a promise, since arguments of calls usually have them in it.
pub(in crate::code) fn is_common(name: &str) -> bool {
    names::lists(COMMON, name)
}

/// Methods that call nothing that they were given, not even earlier.
const INERT: &str = "\
    as_deref as_ptr as_ref borrow clone cloned copied count_ones first from_mut from_ref get is_empty is_none is_null \
    is_some iter last leading_zeros len null null_mut trailing_zeros unwrap";

const COMMON: &str = "\
    abs abs_diff add all and_then any as_bytes as_deref as_ptr as_ref as_slice as_str back borrow by_ref \
    bytes chain chars checked_add checked_sub clone cloned cmp collect contains contains_key copied count count_ones \
    deref div downgrade enumerate eq filter filter_map find first flat_map flatten fold from from_mut from_ref \
    front ge get get_mut gt index insert into into_iter is_empty is_err is_none is_none_or is_null is_ok \
    is_ok_and is_some is_some_and is_sorted iter keys last le leading_zeros len lt map map_or max min mul ne neg next \
    not nth null null_mut partial_cmp peekable pop pop_back pop_front position pow ptr_eq push push_back rem remove \
    replace rev saturating_add saturating_sub skip step_by sub sum take then then_some to_owned to_string \
    to_vec trailing_zeros try_borrow unwrap unwrap_or upgrade values windows wrapping_add wrapping_sub zip";
