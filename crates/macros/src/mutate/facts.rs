//! What the text of a function says about its variables, as far as changes depend on it.
//!
//! An assignment can be left out only if its place has a value without it: a variable that is declared without a value,
//! or whose value was moved away, has none. And a variable can be replaced by a calculation only if reading it moves
//! nothing. Types are unknown, so a variable counts as a number, or as one that is copied, only if its declarations show
//! it; shadowed names need that for each of their declarations.

use crate::syntax::last_name;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{
    BinOp, Block, Expr, ExprAssign, ExprBinary, ExprClosure, ExprForLoop, ExprMethodCall, FnArg, Item, Local,
    Macro, Member, Pat, Signature, Type, UnOp,
};

/// How much is known about a variable.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
enum Kind {
    Unknown,
    /// It is copied.
    Copied,
    /// It is a number, and copied.
    Number,
}

/// What is known about the variables of a function.
pub(crate) struct Facts {
    kinds: BTreeMap<String, Kind>,
    /// References that the function was given, under names that mean nothing else.
    references: BTreeSet<String>,
    /// Variables that are declared without a value.
    late: BTreeSet<String>,
    /// Variables and their fields that may be moved somewhere: `node`, `node.next`.
    moved: BTreeSet<String>,
}

/// Methods that take `&self` or `&mut self`, of types that are moved.
const BORROWING: [&str; 32] = [
    "as_deref",
    "as_deref_mut",
    "as_mut",
    "as_ref",
    "borrow",
    "borrow_mut",
    "capacity",
    "clear",
    "clone",
    "cmp",
    "contains",
    "contains_key",
    "entry",
    "eq",
    "first",
    "get",
    "get_mut",
    "get_or_insert_with",
    "insert",
    "is_empty",
    "is_none",
    "is_some",
    "iter",
    "iter_mut",
    "last",
    "len",
    "pop",
    "push",
    "remove",
    "replace",
    "take",
    "truncate",
];

const PRIMITIVES: [&str; 14] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"];

impl Facts {
    pub(crate) fn of(signature: &Signature, body: &Block) -> Facts {
        let mut facts = Facts {
            kinds: BTreeMap::new(),
            references: BTreeSet::new(),
            late: BTreeSet::new(),
            moved: BTreeSet::new(),
        };
        for argument in &signature.inputs {
            match argument {
                FnArg::Receiver(receiver) => {
                    if receiver.reference.is_some() || matches!(&*receiver.ty, Type::Reference(_)) {
                        facts.references.insert("self".to_owned());
                    }
                }
                FnArg::Typed(typed) => {
                    if let (Pat::Ident(name), Type::Reference(_)) = (&*typed.pat, &*typed.ty) {
                        facts.references.insert(name.ident.to_string());
                    }
                    facts.declare(&typed.pat, kind_of_type(&typed.ty));
                }
            }
        }
        let arguments = facts.references.clone();
        facts.visit_block(body);
        // A name that is declared again may mean something else.
        facts.references.retain(|name| arguments.contains(name));
        facts
    }

    /// Whether an expression is a number that can be read without moving anything.
    pub(crate) fn is_number(&self, expr: &Expr) -> bool {
        self.kind(expr) == Kind::Number
    }

    /// Whether the function has variables without a value at first.
    pub(crate) fn has_late_variables(&self) -> bool {
        !self.late.is_empty()
    }

    /// Whether a place has a value without this assignment to it.
    pub(crate) fn has_value(&self, place: &Expr) -> bool {
        match place {
            Expr::Paren(e) => self.has_value(&e.expr),
            // Neither an element nor what a reference leads to can be moved away.
            Expr::Index(_) => true,
            Expr::Unary(e) => matches!(e.op, UnOp::Deref(_)),
            Expr::Path(_) | Expr::Field(_) => {
                let Some(key) = key(place) else { return true };
                let root = key.split('.').next().unwrap_or_default();
                let is_copied = self.kinds.get(&key).is_some_and(|kind| *kind >= Kind::Copied);
                let is_behind_reference = self.references.contains(root) && root != key;
                !self.late.contains(root) && (is_copied || is_behind_reference || !self.is_moved(&key))
            }
            _ => false,
        }
    }

    /// Whether a variable or a field may be moved away, alone or as a part.
    fn is_moved(&self, key: &str) -> bool {
        let ends = key.match_indices('.').map(|(end, _)| end).chain([key.len()]);
        ends.into_iter().any(|end| self.moved.contains(&key[..end]))
    }

    fn kind(&self, expr: &Expr) -> Kind {
        match expr {
            Expr::Paren(e) => self.kind(&e.expr),
            Expr::Lit(e) => match e.lit {
                syn::Lit::Int(_) | syn::Lit::Float(_) => Kind::Number,
                _ => Kind::Copied,
            },
            Expr::Cast(e) => kind_of_type(&e.ty),
            Expr::Binary(e) => match e.op {
                BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_)
                    if self.is_number(&e.left) || self.is_number(&e.right) =>
                {
                    Kind::Number
                }
                BinOp::Lt(_)
                | BinOp::Le(_)
                | BinOp::Gt(_)
                | BinOp::Ge(_)
                | BinOp::Eq(_)
                | BinOp::Ne(_)
                | BinOp::And(_)
                | BinOp::Or(_) => Kind::Copied,
                _ => Kind::Unknown,
            },
            Expr::MethodCall(e) if e.args.is_empty() && (e.method == "len" || e.method == "count") => {
                Kind::Number
            }
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => self.kind_of_place(expr),
            _ => Kind::Unknown,
        }
    }

    /// What is read through a reference and is not borrowed is copied.
    fn kind_of_place(&self, place: &Expr) -> Kind {
        if let Some(kind) = key(place).and_then(|key| self.kinds.get(&key)) {
            return *kind;
        }
        let is_whole = matches!(place, Expr::Path(_));
        match root(place) {
            Some(root) if !is_whole && self.references.contains(&root) => Kind::Copied,
            _ => Kind::Unknown,
        }
    }

    fn declare(&mut self, pattern: &Pat, kind: Kind) {
        let mut names = Bound(vec![]);
        names.visit_pat(pattern);
        let is_one = matches!(pattern, Pat::Ident(name) if name.by_ref.is_none());
        for name in names.0 {
            let kind = if is_one { kind } else { Kind::Unknown };
            let known = self.kinds.entry(name).or_insert(kind);
            if kind < *known {
                *known = kind;
            }
        }
    }

    /// A variable of the body. It may hide an argument.
    fn declare_inside(&mut self, pattern: &Pat, kind: Kind) {
        let mut names = Bound(vec![]);
        names.visit_pat(pattern);
        for name in names.0 {
            self.references.remove(&name);
        }
        self.declare(pattern, kind);
    }

    /// Visits an operand that is only borrowed.
    fn borrow(&mut self, expr: &Expr) {
        match expr {
            Expr::Path(_) => {}
            Expr::Field(e) => self.borrow(&e.base),
            Expr::Paren(e) => self.borrow(&e.expr),
            Expr::Unary(e) if matches!(e.op, UnOp::Deref(_)) => self.borrow(&e.expr),
            Expr::Index(e) => {
                self.borrow(&e.expr);
                self.visit_expr(&e.index);
            }
            other => self.visit_expr(other),
        }
    }
}

impl<'ast> Visit<'ast> for Facts {
    fn visit_local(&mut self, local: &'ast Local) {
        let kind = match (&local.pat, &local.init) {
            (Pat::Type(typed), _) => kind_of_type(&typed.ty),
            (_, Some(init)) => self.kind(&init.expr),
            (_, None) => Kind::Unknown,
        };
        let pattern = if let Pat::Type(typed) = &local.pat { &*typed.pat } else { &local.pat };
        match &local.init {
            Some(init) => {
                self.visit_expr(&init.expr);
                if let Some((_, otherwise)) = &init.diverge {
                    self.visit_expr(otherwise);
                }
            }
            None => {
                let mut names = Bound(vec![]);
                names.visit_pat(pattern);
                self.late.extend(names.0);
            }
        }
        self.declare_inside(pattern, kind);
    }

    fn visit_expr_for_loop(&mut self, e: &'ast ExprForLoop) {
        self.visit_expr(&e.expr);
        let kind = match &*e.expr {
            Expr::Range(range) => {
                let is_number = |end: &Option<Box<Expr>>| end.as_ref().is_some_and(|end| self.is_number(end));
                if is_number(&range.start) || is_number(&range.end) { Kind::Number } else { Kind::Unknown }
            }
            _ => Kind::Unknown,
        };
        self.declare_inside(&e.pat, kind);
        self.visit_block(&e.body);
    }

    fn visit_pat(&mut self, pattern: &'ast Pat) {
        self.declare_inside(pattern, Kind::Unknown);
    }

    fn visit_expr_closure(&mut self, e: &'ast ExprClosure) {
        if e.capture.is_some() {
            add_names(e.body.to_token_stream(), &mut self.moved);
        }
        visit::visit_expr_closure(self, e);
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        let name = last_name(&mac.path);
        let is_borrowing =
            name.starts_with("assert") || name.starts_with("debug_assert") || name == "matches";
        if !is_borrowing && !name.contains("print") {
            add_names(mac.tokens.clone(), &mut self.moved);
        }
    }

    fn visit_expr_assign(&mut self, e: &'ast ExprAssign) {
        self.visit_expr(&e.right);
        self.borrow(&e.left);
    }

    fn visit_expr_binary(&mut self, e: &'ast ExprBinary) {
        match e.op {
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_) | BinOp::Eq(_) | BinOp::Ne(_) => {
                self.borrow(&e.left);
                self.borrow(&e.right);
            }
            _ => visit::visit_expr_binary(self, e),
        }
    }

    fn visit_expr_method_call(&mut self, e: &'ast ExprMethodCall) {
        if BORROWING.iter().any(|name| e.method == name) {
            self.borrow(&e.receiver);
        } else {
            self.visit_expr(&e.receiver);
        }
        e.args.iter().for_each(|argument| self.visit_expr(argument));
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Path(_) | Expr::Field(_) => {
                if let Some(key) = key(expr) {
                    self.moved.insert(key);
                } else if let Expr::Field(e) = expr {
                    self.borrow(&e.base);
                }
            }
            Expr::Reference(e) => self.borrow(&e.expr),
            Expr::Unary(e) if matches!(e.op, UnOp::Deref(_)) => self.borrow(&e.expr),
            Expr::Index(e) => {
                self.borrow(&e.expr);
                self.visit_expr(&e.index);
            }
            _ => visit::visit_expr(self, expr),
        }
    }

    // Other functions have their own variables.
    fn visit_item(&mut self, _: &'ast Item) {}
}

/// The names that a pattern binds.
struct Bound(Vec<String>);

impl<'ast> Visit<'ast> for Bound {
    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        self.0.push(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }
}

fn add_names(tokens: TokenStream, names: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => drop(names.insert(name.to_string())),
            TokenTree::Group(group) => add_names(group.stream(), names),
            _ => {}
        }
    }
}

/// `a.b.c` of a variable and its fields.
fn key(place: &Expr) -> Option<String> {
    match place {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Paren(e) => key(&e.expr),
        Expr::Field(e) => {
            let name = match &e.member {
                Member::Named(name) => name.to_string(),
                Member::Unnamed(index) => index.index.to_string(),
            };
            Some(format!("{}.{name}", key(&e.base)?))
        }
        _ => None,
    }
}

/// The variable that a place is a part of.
fn root(place: &Expr) -> Option<String> {
    match place {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Paren(e) => root(&e.expr),
        Expr::Field(e) => root(&e.base),
        Expr::Index(e) => root(&e.expr),
        _ => None,
    }
}

fn kind_of_type(given: &Type) -> Kind {
    let Type::Path(path) = given else {
        return match given {
            Type::Reference(reference) if reference.mutability.is_none() => Kind::Copied,
            _ => Kind::Unknown,
        };
    };
    let Some(last) = path.path.segments.last() else { return Kind::Unknown };
    let name = last.ident.to_string();
    match &last.arguments {
        syn::PathArguments::None if PRIMITIVES.contains(&name.as_str()) => Kind::Number,
        syn::PathArguments::None if name == "bool" || name == "char" => Kind::Copied,
        syn::PathArguments::AngleBracketed(arguments) if name == "Option" => match arguments.args.first() {
            Some(syn::GenericArgument::Type(inner)) if kind_of_type(inner) >= Kind::Copied => Kind::Copied,
            _ => Kind::Unknown,
        },
        _ => Kind::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(source: &str) -> Facts {
        let function: syn::ItemFn = syn::parse_str(source).unwrap();
        Facts::of(&function.sig, &function.block)
    }

    #[test]
    fn assignments_are_needed_where_nothing_else_gives_a_value() {
        let facts = facts(
            "fn f(&mut self, slot: &mut u8, n: usize) {
                let late;
                let mut list = self.head.take();
                let mut at = self.root;
                let mut count = 0;
                while let Some(node) = list { list = node.next; node.next = None; }
                late = 1;
                at = None; count = n;
            }",
        );
        let has_value = |place: &str| facts.has_value(&syn::parse_str(place).unwrap());
        for place in ["self.head", "*slot", "at", "count", "list[0]", "self.nodes[n].left", "(self.x)"] {
            assert!(has_value(place), "{place}");
        }
        for place in ["late", "list", "node.next"] {
            assert!(!has_value(place), "{place}");
        }
    }

    #[test]
    fn numbers_are_known_by_their_declarations() {
        let facts = facts(
            "fn f(&self, n: u8, text: &str) { let a = n + 1; let b = text.len(); let c = self.x; for i in 0..b {}
             if let Some(d) = g() { let a = d; } }",
        );
        let is_number = |expr: &str| facts.is_number(&syn::parse_str(expr).unwrap());
        assert!(is_number("n") && is_number("b") && is_number("i") && is_number("b + c"));
        assert!(!is_number("a"), "one of the two is unknown");
        assert!(!is_number("c") && !is_number("d") && !is_number("text"));
    }
}
