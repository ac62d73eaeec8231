//! Numbers the decisions of the copy and puts in the calls that report them, and the guard against endless
//! loops and recursion.
//!
//! This is done in the user's own words, before any rewriting: the inserted calls are ordinary expressions
//! that later steps pass through. Decisions are numbered in source order within one item. Constants are left
//! alone, since they are computed by the compiler.

use super::chains::has_let;
use super::std_macros;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{is_one_of, parse_quote_spanned, quote, quote_spanned, text};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    BinOp, Block, Expr, ExprClosure, ExprIf, ExprMatch, ExprStruct, ExprTry, ExprWhile, GenericArgument,
    ImplItem, ImplItemFn, Item, ItemFn, Local, Macro, Stmt, Type, UnOp,
};

/// Variants of `DecisionKind` in the run-time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    If,
    While,
    Guard,
    And,
    Or,
    Match,
    IfLet,
    Try,
}

/// Variants of `Operand` in the run-time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Operand {
    Condition(u32),
    Diverges,
    Not,
    And,
    Or,
}

impl ToTokens for Operand {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let variant = Ident::new(
            match self {
                Operand::Condition(_) => "Condition",
                Operand::Diverges => "Diverges",
                Operand::Not => "Not",
                Operand::And => "And",
                Operand::Or => "Or",
            },
            Span::call_site(),
        );
        tokens.extend(match self {
            Operand::Condition(id) => quote!(__p::Operand::Condition(#id)),
            _ => quote!(__p::Operand::#variant),
        });
    }
}

/// A row of the table.
pub(super) struct Site {
    pub(super) kind: Kind,
    span: Span,
    pub(super) text: String,
    /// How the condition is made up of operands, operators last; see the run-time.
    pub(super) tree: Vec<Operand>,
}

/// The decisions of one item.
#[derive(Default)]
pub(super) struct Decisions {
    pub(super) sites: Vec<Site>,
}

impl Decisions {
    /// The table, for the block of the copy.
    pub(super) fn table(&self) -> TokenStream {
        let mut rows = vec![];
        for Site { kind, span, text, tree } in &self.sites {
            let kind = Ident::new(&format!("{kind:?}"), Span::call_site());
            let (line, column) =
                (quote_spanned!(*span=> ::core::line!()), quote_spanned!(*span=> ::core::column!()));
            rows.push(quote! {
                __p::DecisionSite { kind: __p::DecisionKind::#kind, file: ::core::file!(), line: #line, column: #column, text: #text, tree: &[#(#tree),*] }
            });
        }
        quote!(static __DECISIONS: &[__p::DecisionSite] = &[#(#rows),*];)
    }

    fn number(&mut self, kind: Kind, what: TokenStream) -> u32 {
        self.sites.push(Site { kind, span: what.span(), text: text::of(what), tree: vec![] });
        self.sites.len() as u32 - 1
    }

    /// A condition that is a decision by itself, with its leaves. The inner `if` makes the compiler expect a
    /// `bool` in the same words as in the original, so that a type error is reported once.
    fn condition(&mut self, kind: Kind, e: &mut Expr) {
        let id = self.number(kind, e.to_token_stream());
        if is_tree(e) {
            self.sites[id as usize].tree = self.leaves(kind, e);
        } else {
            self.visit_expr_mut(e)
        }
        *e = decide(id, e);
    }

    /// An expression with `&&` or `||` that is no condition of a branch: the first operand says how it is made up.
    fn expression(&mut self, e: &mut Expr) {
        let first = self.sites.len();
        let tree = self.leaves(Kind::And, e);
        if let Some(site) = self.sites.get_mut(first).filter(|_| tree.len() > 1) {
            site.tree = tree;
        }
    }

    /// The operands of `&&` and `||`, however nested; `kind` is the operator around `e`.
    fn leaves(&mut self, kind: Kind, e: &mut Expr) -> Vec<Operand> {
        let mut tree = vec![];
        self.operands(kind, e, &mut tree);
        tree
    }

    fn operands(&mut self, kind: Kind, e: &mut Expr, tree: &mut Vec<Operand>) {
        match e {
            Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => {
                self.operands(Kind::And, &mut b.left, tree);
                self.operands(Kind::And, &mut b.right, tree);
                tree.push(Operand::And);
            }
            Expr::Binary(b) if matches!(b.op, BinOp::Or(_)) => {
                self.operands(Kind::Or, &mut b.left, tree);
                self.operands(Kind::Or, &mut b.right, tree);
                tree.push(Operand::Or);
            }
            Expr::Paren(p) => self.operands(kind, &mut p.expr, tree),
            Expr::Unary(u) if matches!(u.op, UnOp::Not(_)) => {
                self.operands(kind, &mut u.expr, tree);
                tree.push(Operand::Not);
            }
            // `x || return`: no truth value.
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => {
                tree.push(Operand::Diverges);
                self.visit_expr_mut(e);
            }
            leaf => {
                tree.push(Operand::Condition(self.sites.len() as u32));
                self.leaf(kind, leaf);
            }
        }
    }

    fn leaf(&mut self, kind: Kind, e: &mut Expr) {
        let id = self.number(kind, std_macros::with_matches(e));
        self.visit_expr_mut(e);
        *e = decide(id, e);
    }

    /// The operands of a chain with `let`s in it. The chain as a whole is for the caller.
    fn chain(&mut self, e: &mut Expr) {
        match e {
            Expr::Let(l) => self.visit_expr_mut(&mut l.expr),
            Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => {
                self.chain(&mut b.left);
                self.chain(&mut b.right);
            }
            plain => self.expression(plain),
        }
    }

    fn if_(&mut self, i: &mut ExprIf) {
        if !has_let(&i.cond) {
            self.condition(Kind::If, &mut i.cond);
            self.visit_block_mut(&mut i.then_branch);
            if let Some((_, e)) = &mut i.else_branch {
                self.visit_expr_mut(e);
            }
            return;
        }
        let span = i.cond.span();
        let id = self.number(Kind::IfLet, i.cond.to_token_stream());
        self.chain(&mut i.cond);
        self.visit_block_mut(&mut i.then_branch);
        i.then_branch.stmts.insert(0, arm(span, id, 1));
        let report = arm(span, id, 0);
        let otherwise: Expr = match i.else_branch.take() {
            None => parse_quote_spanned!(span=> { #report }),
            Some((_, mut e)) => {
                self.visit_expr_mut(&mut e);
                match &mut *e {
                    Expr::Block(b) if b.label.is_none() => {
                        b.block.stmts.insert(0, report);
                        *e
                    }
                    other => parse_quote_spanned!(span=> { #report #other }),
                }
            }
        };
        i.else_branch = Some((Default::default(), Box::new(otherwise)));
    }

    /// `while let` has no place for the report of its end, so it is written as the loop that it stands for.
    fn while_(&mut self, w: &mut ExprWhile) -> Option<Expr> {
        let span = w.while_token.span;
        if !has_let(&w.cond) {
            self.condition(Kind::While, &mut w.cond);
            self.visit_block_mut(&mut w.body);
            w.body.stmts.insert(0, step(span));
            return None;
        }
        let id = self.number(Kind::IfLet, w.cond.to_token_stream());
        self.chain(&mut w.cond);
        self.visit_block_mut(&mut w.body);
        w.body.stmts.insert(0, arm(span, id, 1));
        w.body.stmts.insert(0, step(span));
        let (attrs, label, cond, body, end) = (&w.attrs, &w.label, &w.cond, &w.body, arm(span, id, 0));
        let if_token = syn::token::If(span);
        Some(
            parse_quote_spanned!(span=> #(#attrs)* #label loop { #if_token #cond #body else { #end break; } }),
        )
    }

    fn match_(&mut self, m: &mut ExprMatch) {
        let mut id = None;
        if m.arms.len() > 1 {
            let (keyword, scrutinee) = (&m.match_token, &m.expr);
            let text = std_macros::as_matches(m).unwrap_or_else(|| quote!(#keyword #scrutinee));
            id = Some(self.number(Kind::Match, text));
        }
        self.visit_expr_mut(&mut m.expr);
        for (i, a) in m.arms.iter_mut().enumerate() {
            match &mut a.guard {
                Some((_, g)) if has_let(g) => self.chain(g),
                Some((_, g)) => self.condition(Kind::Guard, g),
                None => {}
            }
            self.visit_expr_mut(&mut a.body);
            let Some(id) = id else { continue };
            let span = a.pat.span();
            let report = arm(span, id, i as u32);
            match &mut *a.body {
                Expr::Block(b) if b.label.is_none() && b.attrs.is_empty() => b.block.stmts.insert(0, report),
                other => *other = parse_quote_spanned!(span=> { #report #other }),
            }
            a.comma = Some(Default::default());
        }
    }

    /// `let P = E else { D }`; the report of success is for the caller to put behind it.
    fn let_else(&mut self, l: &mut Local) -> Option<Stmt> {
        let span = l.let_token.span;
        let (keyword, pat, init) = (&l.let_token, &l.pat, l.init.as_mut()?);
        let (_, diverge) = init.diverge.as_mut()?;
        let expr = &init.expr;
        let id = self.number(Kind::IfLet, quote!(#keyword #pat = #expr));
        self.visit_expr_mut(&mut init.expr);
        self.visit_expr_mut(diverge);
        if let Expr::Block(b) = &mut **diverge {
            b.block.stmts.insert(0, arm(span, id, 0));
        }
        Some(arm(span, id, 1))
    }

    fn try_(&mut self, t: &mut ExprTry) {
        let span = t.question_token.span();
        // In `a?.b?` the first one is inside.
        let original = t.to_token_stream();
        self.visit_expr_mut(&mut t.expr);
        let id = self.number(Kind::Try, original);
        let inner = &t.expr;
        *t.expr = parse_quote_spanned!(span=> __p::attempt(__DECISIONS, #id, #inner));
    }

    /// The loop around a closure may be in std: `successors(first, |n| n.next.as_ref()).count()`.
    fn closure(&mut self, c: &mut ExprClosure) {
        self.visit_expr_mut(&mut c.body);
        let span = c.or1_token.span;
        let step = step(span);
        match &mut *c.body {
            Expr::Block(b) if b.label.is_none() && b.attrs.is_empty() => b.block.stmts.insert(0, step),
            other => *other = parse_quote_spanned!(span=> { #step #other }),
        }
    }

    fn body(&mut self, block: &mut Block, span: Span) {
        self.visit_block_mut(block);
        block.stmts.insert(0, step(span));
    }
}

/// Methods of `Option`, `Result` and `bool` that call their closure at most once.
fn calls_once(method: &Ident) -> bool {
    const METHODS: &[&str] = &[
        "is_none_or",
        "is_some_and",
        "is_ok_and",
        "is_err_and",
        "map_or",
        "map_or_else",
        "unwrap_or_else",
        "ok_or_else",
        "or_else",
        "get_or_insert_with",
        "then",
    ];
    is_one_of(method, METHODS)
}

fn is_tree(e: &Expr) -> bool {
    match e {
        Expr::Binary(b) => matches!(b.op, BinOp::And(_) | BinOp::Or(_)),
        Expr::Paren(p) => is_tree(&p.expr),
        Expr::Unary(u) => matches!(u.op, UnOp::Not(_)) && is_tree(&u.expr),
        _ => false,
    }
}

fn decide(id: u32, e: &Expr) -> Expr {
    // A struct literal cannot stand in the condition of an `if` without parentheses.
    let condition = if has_struct_literal(e) { quote!((#e)) } else { quote!(#e) };
    parse_quote_spanned!(e.span()=> __p::decide(__DECISIONS, #id, if #condition { true } else { false }))
}

fn has_struct_literal(e: &Expr) -> bool {
    struct Find(bool);
    impl VisitMut for Find {
        fn visit_expr_struct_mut(&mut self, _: &mut ExprStruct) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    find.visit_expr_mut(&mut e.clone());
    find.0
}

fn arm(span: Span, id: u32, outcome: u32) -> Stmt {
    parse_quote_spanned!(span=> __p::arm(__DECISIONS, #id, #outcome);)
}

fn step(span: Span) -> Stmt {
    parse_quote_spanned!(span=> __p::step();)
}

impl VisitMut for Decisions {
    fn visit_impl_item_mut(&mut self, item: &mut ImplItem) {
        if let ImplItem::Fn(f) = item {
            self.visit_impl_item_fn_mut(f);
        }
    }

    fn visit_impl_item_fn_mut(&mut self, f: &mut ImplItemFn) {
        // A function that is `const` in the copy uses no structures.
        if f.sig.constness.is_none() {
            self.body(&mut f.block, f.sig.fn_token.span);
        }
    }

    fn visit_item_fn_mut(&mut self, f: &mut ItemFn) {
        if f.sig.constness.is_none() {
            self.body(&mut f.block, f.sig.fn_token.span);
        }
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Fn(f) => self.visit_item_fn_mut(f),
            Item::Impl(i) => {
                for item in &mut i.items {
                    self.visit_impl_item_mut(item);
                }
            }
            _ => {}
        }
    }

    fn visit_type_mut(&mut self, _: &mut Type) {}

    fn visit_generic_argument_mut(&mut self, _: &mut GenericArgument) {}

    fn visit_block_mut(&mut self, b: &mut Block) {
        let mut stmts = vec![];
        for mut s in std::mem::take(&mut b.stmts) {
            let report = match &mut s {
                Stmt::Local(l) => {
                    let report = self.let_else(l);
                    if report.is_none() {
                        self.visit_local_mut(l);
                    }
                    report
                }
                other => {
                    self.visit_stmt_mut(other);
                    None
                }
            };
            stmts.push(s);
            stmts.extend(report);
        }
        b.stmts = stmts;
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::If(i) => self.if_(i),
            Expr::While(w) => {
                if let Some(as_loop) = self.while_(w) {
                    *e = as_loop;
                }
            }
            Expr::ForLoop(f) => {
                self.visit_expr_mut(&mut f.expr);
                self.body(&mut f.body, f.for_token.span);
            }
            Expr::Loop(l) => self.body(&mut l.body, l.loop_token.span),
            Expr::Closure(c) => self.closure(c),
            Expr::MethodCall(c) if calls_once(&c.method) => {
                self.visit_expr_mut(&mut c.receiver);
                for arg in &mut c.args {
                    match arg {
                        Expr::Closure(c) => self.visit_expr_mut(&mut c.body),
                        other => self.visit_expr_mut(other),
                    }
                }
            }
            Expr::Match(m) => self.match_(m),
            Expr::Binary(b) if matches!(b.op, BinOp::And(_) | BinOp::Or(_)) => self.expression(e),
            Expr::Try(t) => self.try_(t),
            Expr::Unsafe(u) => {
                self.visit_block_mut(&mut u.block);
                let span = u.unsafe_token.span;
                u.block.stmts.insert(0, parse_quote_spanned!(span=> __p::before_unsafe();));
            }
            Expr::Repeat(r) => self.visit_expr_mut(&mut r.expr),
            Expr::Const(_) => {}
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        std_macros::change(mac, &mut |e| self.visit_expr_mut(e));
    }
}
