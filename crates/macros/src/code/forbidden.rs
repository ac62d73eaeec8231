//! What an invariant must not do: make, change or count objects. On mirrors it would not compile, or the
//! answer would be wrong; here it is refused at the user's token, with what to write instead.

use super::args::{self, Args};
use super::{Kind, names, std_macros};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{Matches, Names, last_name, path_names};
use proc_macro2::{Ident, Span};
use syn::{
    Error, Expr, ExprCall, ExprMethodCall, ExprPath, ExprStruct, GenericArgument, ImplItem, Item, Macro,
    Path, PathArguments, Type, TypeParam, TypePath, TypeReference,
};

/// Looks for forbidden code.
pub(super) struct Checker<'a> {
    pub(super) args: &'a Args,
    pub(super) kind: Kind,
    /// The block's own type.
    pub(super) own: Option<String>,
    /// Whether that type may be built, as a helper type.
    pub(super) helper: bool,
    /// Parameters, local and opaque types, smart pointers that stay std's.
    pub(super) plain: Names,
    /// Names seen as types: `P(..)` of one of them is a tuple struct; of others it may be a variant.
    pub(super) types: Names,
    /// Names of types of which the compiler finds out whether they are structures.
    pub(super) found: Names,
    /// Names of structures with parameters that have arguments here.
    pub(super) structures: Names,
    /// Those of `found` that functions make or write to, with what to say if they are structures.
    pub(super) made: Vec<(Ident, String)>,
    /// Whether the block's own type can be made.
    pub(super) makes_own: bool,
    /// Types of which values are made in a way that the copy follows.
    pub(super) literal: Names,
    /// Errors about new boxes, unless values are made to put into them.
    pub(super) boxes: Vec<Error>,
    /// The types that were refused: once each.
    pub(super) refused: Names,
    pub(super) errors: Vec<Error>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(kind: Kind, args: &'a Args, plain: Names) -> Checker<'a> {
        Checker {
            args,
            kind,
            own: None,
            helper: false,
            plain,
            types: Names::default(),
            found: Names::default(),
            structures: Names::default(),
            made: vec![],
            makes_own: false,
            literal: Names::default(),
            boxes: vec![],
            refused: Names::default(),
            errors: vec![],
        }
    }

    fn refuse(&mut self, span: Span, what: &str) {
        self.errors.push(Error::new(span, format!("an invariant only reads: {what}")));
    }

    fn is_own(&self, name: &str) -> bool {
        name == "Self" || self.own.as_deref() == Some(name)
    }

    /// Whether a name may be a structure: not std's, not listed as a helper, not opaque, not local.
    fn is_structure(&self, name: &str) -> bool {
        if self.is_own(name) {
            return !self.helper && !self.args.lists(name);
        }
        !(names::is_std(name) && !self.found.contains(name)
            || self.args.lists(name)
            || self.args.opaque.contains(name)
            || self.plain.contains(name))
    }

    /// The type that a path builds a value of, if it may be a structure.
    fn built<'p>(&self, path: &'p Path) -> Option<&'p Ident> {
        let first = &path.segments[names::type_position(path)?].ident;
        let variants = self.args.variants.iter().any(|p| args::last(p) == first);
        if variants || self.is_structure(&first.to_string()) { Some(first) } else { None }
    }

    /// `Type::Fun(..)` or `Range { .. }`. The copy makes a mirror.
    fn build(&mut self, name: &Ident, fields: &mut dyn Iterator<Item = &Expr>) {
        let text = name.to_string();
        if let Some(pointer) = shared_pointer(fields) {
            let message = format!(
                "an invariant cannot make a `{name}` with a new `{pointer}`: write `Box` in place of `{pointer}` in `{name}`, \
                    or make a value of a second type without `#[derive(Bounded)]`"
            );
            match self.found.contains(&text) {
                true => self.made.push((name.clone(), message)),
                false => self.errors.push(Error::new(name.span(), message)),
            }
        } else if self.found.contains(&text)
            || self.structures.contains(&text)
            || self.makes_own && self.is_own(&text)
        {
            self.literal.insert(text);
        } else {
            self.refuse_to_build(name);
        }
    }

    fn refuse_to_build(&mut self, name: &Ident) {
        let attribute = self.kind.attribute();
        if self.found.contains(&name.to_string()) {
            let message = format!(
                "a function that is not part of the invariant makes this `{name}`, which is a structure; write the value \
                    itself, or move the function into this block"
            );
            self.made.push((name.clone(), message));
            return;
        }
        if !self.refused.insert(name.to_string()) {
            return;
        }
        let remedy = if self.is_own(&name.to_string()) {
            "compare fields with `==` instead, or match with `matches!(..)`".to_owned()
        } else {
            format!(
                "if `{name}` is a helper type, mark it `#[mirror]` and list it here, \
                    `#[{attribute}({name})]`; if it contains no structure, write \
                    `#[{attribute}(opaque({name}))]`"
            )
        };
        self.refuse(name.span(), &format!("this makes a new `{name}`; {remedy}"));
    }

    fn refuse_to_write(&mut self, name: &Ident) {
        if self.found.contains(&name.to_string()) {
            let message = format!(
                "an invariant only reads: `&mut {name}` is for writing, and `{name}` is a structure; take `&{name}`"
            );
            self.made.push((name.clone(), message));
            return;
        }
        let attribute = self.kind.attribute();
        self.refuse(
            name.span(),
            &format!(
                "`&mut {name}` is for writing; if `{name}` is a helper type that contains no \
                    structure, write `#[{attribute}(opaque({name}))]`; if it holds references \
                    to parts of the structure, mark it `#[mirror]` and list it here, \
                    `#[{attribute}({name})]`"
            ),
        );
    }

    /// `Rc::strong_count` and the like.
    fn pointer_function(&mut self, pointer: &Ident, function: &Ident) {
        let (p, f, attribute) = (pointer.to_string(), function.to_string(), self.kind.attribute());
        if !names::is_pointer(&p)
            || self.plain.contains(&p)
            || self.args.opaque.contains(&p)
            || self.is_own(&p)
            || self.args.lists(&p)
        {
            return;
        }
        let what = match f.as_str() {
            "strong_count" | "weak_count" => format!(
                "`{p}::{f}` counts owners outside of the structure too, so it means nothing here; count \
                    the pointers inside the structure instead"
            ),
            "get_mut" | "make_mut" => format!("`{p}::{f}` is for writing; `&**p` reads"),
            "into_raw" | "from_raw" | "leak" | "into_inner" | "try_unwrap" | "unwrap_or_clone" => {
                format!("`{p}::{f}` takes ownership; go through a reference")
            }
            "new" | "pin" | "from" | "default" | "new_cyclic" => format!(
                "`{p}::{f}` makes a new one; if every `{p}` in this item is a helper value and none \
                    belongs to a structure, write `#[{attribute}(opaque({p}))]`"
            ),
            _ => return,
        };
        let error = Error::new(function.span(), format!("an invariant only reads: {what}"));
        if p == "Box" && f == "new" {
            self.boxes.push(error);
        } else {
            self.errors.push(error);
        }
    }
}

/// The name of the first shared pointer that is made for a field: `Rc::new(..)`.
fn shared_pointer(fields: &mut dyn Iterator<Item = &Expr>) -> Option<String> {
    for field in fields {
        let Expr::Call(c) = field else { continue };
        let Expr::Path(f) = &*c.func else { continue };
        let names = path_names(&f.path);
        match names.as_slice() {
            [.., pointer, new] if new == "new" && (pointer == "Rc" || pointer == "Arc") => {
                return Some(pointer.clone());
            }
            _ => {}
        }
    }
    None
}

/// The position and the name of the type in `Type::function`, and the function.
fn called(e: &ExprPath) -> Option<(usize, &Ident, &Ident)> {
    let k = names::type_position(&e.path)?;
    let (name, function) = (&e.path.segments[k].ident, &e.path.segments.get(k + 1)?.ident);
    if e.qself.is_none() { Some((k, name, function)) } else { None }
}

impl VisitMut for Checker<'_> {
    /// `&mut Stats`: a type that is written to is not a structure. Types with lifetimes are helper types anyway.
    fn visit_type_reference_mut(&mut self, r: &mut TypeReference) {
        let written = match &*r.elem {
            Type::Path(p) if r.mutability.is_some() => p.path.get_ident(),
            _ => None,
        };
        if let Some(name) = written {
            let text = name.to_string();
            if names::is_capital(name) && !self.is_own(&text) && self.is_structure(&text) {
                self.refuse_to_write(name);
            }
        }
        visit_mut::visit_type_reference_mut(self, r);
    }

    fn visit_expr_struct_mut(&mut self, e: &mut ExprStruct) {
        if let Some(name) = self.built(&e.path) {
            self.build(name, &mut e.fields.iter().map(|f| &f.expr));
        }
        visit_mut::visit_expr_struct_mut(self, e);
    }

    fn visit_expr_call_mut(&mut self, e: &mut ExprCall) {
        // `Node(..)`, `Expr::Lit(..)`; a bare `Lit(..)` may be anything and is left to the compiler.
        let built = match &*e.func {
            Expr::Path(ExprPath { qself: None, path, .. }) if names::is_capital(args::last(path)) => {
                let is_alone = path.segments.len() == 1;
                let is_type = |name: &str| self.is_own(name) || self.types.contains(name);
                self.built(path).filter(|name| !is_alone || is_type(&name.to_string()))
            }
            _ => None,
        };
        if let Some(name) = built {
            self.build(name, &mut e.args.iter());
        }
        visit_mut::visit_expr_call_mut(self, e);
    }

    fn visit_expr_path_mut(&mut self, e: &mut ExprPath) {
        if let Some((k, name, function)) = called(e) {
            self.pointer_function(name, function);
            let is_own = self.is_own(&name.to_string());
            let surely =
                if is_own { !self.makes_own && (function == "new" || function == "default") } else { true };
            if k == 0 && surely && names::is_constructor(function) && self.is_structure(&name.to_string()) {
                self.refuse_to_build(name);
            }
        }
        visit_mut::visit_expr_path_mut(self, e);
    }

    fn visit_expr_method_call_mut(&mut self, e: &mut ExprMethodCall) {
        let refcells = self.plain.contains("RefCell") || self.args.opaque.contains("RefCell");
        match e.method.to_string().as_str() {
            "borrow_mut" | "try_borrow_mut" if e.args.is_empty() && !refcells => self.refuse(
                e.method.span(),
                &format!(
                    "`.{0}()` is for writing; `.borrow()` reads (if every `RefCell` here is a helper \
                        value: `#[{1}(opaque(RefCell))]`)",
                    e.method,
                    self.kind.attribute()
                ),
            ),
            "strong_count" | "weak_count" if e.args.is_empty() => self.refuse(
                e.method.span(),
                "this counts owners outside of the structure too, so it means nothing here; count the \
                    pointers inside the structure instead",
            ),
            _ => {}
        }
        visit_mut::visit_expr_method_call_mut(self, e);
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        // As an expression, the pattern `Event::Key(..)` would be a call that makes an event.
        if let Some(Matches { mut expr, guard, .. }) = Matches::open(mac) {
            VisitMut::visit_expr_mut(self, &mut expr);
            if let Some(mut guard) = guard {
                VisitMut::visit_expr_mut(self, &mut guard);
            }
        } else {
            std_macros::look(mac, &mut |e| VisitMut::visit_expr_mut(self, e));
        }
    }
}

/// Methods that write through a shared reference, with the number of their arguments: refused on fields.
pub(super) fn writes_to_field(method: &Ident, arguments: usize) -> Option<String> {
    let reading = match (method.to_string().as_str(), arguments) {
        ("set" | "replace" | "update", 1) | ("take", 0) => "read a `Cell` with `.get()`",
        ("replace_with" | "swap", 1) => "read a `RefCell` with `.borrow()`",
        _ => return None,
    };
    Some(format!("an invariant only reads: `.{method}(..)` changes the field; {reading}"))
}

/// The message for an assignment to a structure.
pub(super) const ASSIGNMENT: &str = "an invariant only reads: this assigns to a field of a structure; \
    keep marks in a local set instead, such as `smallscope::Visited` or a `HashSet` of addresses";

/// Whether a member does something that an invariant must not do.
pub(super) fn is_refused(item: &ImplItem, args: &Args) -> bool {
    let (item, mut locals) = (&mut item.clone(), Locals::default());
    locals.visit_impl_item_mut(item);
    let mut c = Checker::new(Kind::Mirror, args, locals.local);
    c.visit_impl_item_mut(item);
    !c.errors.is_empty() || !c.boxes.is_empty()
}

/// Whether a member that is only perhaps referred to belongs to something else: it is refused, or it returns an iterator
/// struct that is not listed.
pub(super) fn looks_foreign(item: &ImplItem, args: &Args) -> bool {
    let mut locals = Locals::default();
    locals.visit_impl_item_mut(&mut item.clone());
    let unlisted = |n: &String| !(names::is_std(n) || args.lists(n) || args.opaque.contains(n));
    locals.borrowing.iter().any(unlisted) || is_refused(item, args)
}

/// Types defined or parametrised inside a member, and types with lifetime arguments.
#[derive(Default)]
struct Locals {
    local: Names,
    borrowing: Vec<String>,
}

impl VisitMut for Locals {
    fn visit_item_mut(&mut self, item: &mut Item) {
        let defined = match item {
            Item::Struct(i) => &i.ident,
            Item::Enum(i) => &i.ident,
            other => return visit_mut::visit_item_mut(self, other),
        };
        self.local.insert(defined.to_string());
    }

    fn visit_type_param_mut(&mut self, p: &mut TypeParam) {
        self.local.insert(p.ident.to_string());
    }

    fn visit_type_path_mut(&mut self, t: &mut TypePath) {
        if let PathArguments::AngleBracketed(list) = &t.path.segments[t.path.segments.len() - 1].arguments {
            // Lifetimes stand before types.
            if let Some(GenericArgument::Lifetime(_)) = list.args.first() {
                self.borrowing.push(last_name(&t.path));
            }
        }
        visit_mut::visit_type_path_mut(self, t);
    }
}
