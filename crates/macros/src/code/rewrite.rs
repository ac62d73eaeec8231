//! Rewrites the bodies of the copy so that every field is read through its cell.
//!
//! * Comparisons with fields are questions, not reads: [`super::questions`].
//! * Any other field place `E.f` becomes `(*E.f.__read())`. Types are not known here and need not be: `__read` is an
//!   inherent method of cells, and the identity, from the trait `Plain`, on everything else.
//! * A variable that a pattern has bound to a cell becomes `x.__bind()` where it is used.
//! * Places that are written to, `x.f = ..`, `&mut x.f`, belong to locals of the invariant and stay.

use super::chains::{self, conjunction, operands};
use super::free_functions::FreeFunctions;
use super::inline_args;
use super::late;
use super::late_vecs::{self, LateVecs};
use super::looks;
use super::made;
use super::map_types;
use super::patterns::{self, Moved};
use super::places;
use super::promises::context;
use super::scope::Scope;
use super::sequences::{self, Parameters};
use super::std_macros::{self, Call};
use super::tuples;
use super::types::{self, SliceArguments};
use super::vars::{self, Scrutinee, Var, Vars};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{last_name, parse_quote, parse_quote_spanned, quote};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    Arm, Block, Error, Expr, ExprClosure, ExprIf, ExprMatch, FieldValue, FnArg, ImplItem, ImplItemFn, Item,
    ItemFn, Local, LocalInit, Macro, Pat, Signature, Stmt, Type,
};

/// One pass over an item.
pub(super) struct Rewriter<'a> {
    pub(super) scope: &'a Scope,
    /// Which functions of the copy take slices.
    pub(super) arguments: &'a SliceArguments,
    /// Which local vectors read their elements late.
    pub(super) late_vecs: &'a LateVecs,
    pub(super) free_functions: FreeFunctions,
    /// The function that we are in.
    pub(super) function: String,
    pub(super) vars: Vars,
    /// Numbers of generated variables.
    pub(super) fresh: usize,
    /// Whether we are inside `unsafe`, where `*p` may be a raw pointer.
    pub(super) in_unsafe: bool,
    /// Whether the next expression is a value that is passed on, and so may be moved out of a place.
    pub(super) is_passed: bool,
    pub(super) errors: Vec<Error>,
}

impl<'a> Rewriter<'a> {
    pub(super) fn new(
        scope: &'a Scope,
        arguments: &'a SliceArguments,
        late_vecs: &'a LateVecs,
        free_functions: FreeFunctions,
    ) -> Rewriter<'a> {
        let function = String::new();
        Rewriter {
            scope,
            arguments,
            late_vecs,
            free_functions,
            function,
            vars: Vars::default(),
            fresh: 0,
            in_unsafe: false,
            is_passed: false,
            errors: vec![],
        }
    }

    pub(super) fn refuse(&mut self, span: Span, message: &str) {
        self.errors.push(Error::new(span, message));
    }

    /// A function with its own variables. What moves out of its argument patterns goes first into the body.
    pub(super) fn function(&mut self, sig: &mut Signature, block: &mut Block) {
        if sig.constness.is_some() {
            return; // It uses no structures, or it would no longer be `const`.
        }
        let unsafety = std::mem::replace(&mut self.in_unsafe, sig.unsafety.is_some());
        let name = if self.function.is_empty() {
            sig.ident.to_string()
        } else {
            format!("{}::{}", self.function, sig.ident)
        };
        let outer = std::mem::replace(&mut self.function, name);
        self.late_vecs.signature(sig);
        self.vars.push();
        let mut moved = vec![];
        for input in &mut sig.inputs {
            self.argument(input, &mut moved);
        }
        self.body(block, moved);
        self.vars.pop();
        self.function = outer;
        self.in_unsafe = unsafety;
    }

    fn argument(&mut self, input: &mut FnArg, moved: &mut Vec<Moved>) {
        match input {
            FnArg::Typed(t) => {
                let mut unknown = Scrutinee::unknown();
                if vars::is_mutable_reference(&t.ty) {
                    unknown.var = Var::Mutable;
                }
                match &*t.pat {
                    Pat::Ident(i) if self.late_vecs.has(&self.function, &i.ident) => {
                        unknown.var = Var::LateVec
                    }
                    Pat::Ident(_) if map_types::is_cell(&t.ty) => unknown.var = Var::CellRef,
                    _ => {}
                }
                unknown.is_reference = vars::is_shared_reference(&t.ty);
                patterns::declare(self, &mut t.pat, &unknown, moved);
            }
            FnArg::Receiver(r) if r.mutability.is_some() || vars::is_mutable_reference(&r.ty) => {
                self.vars.bind(&Ident::new("self", r.self_token.span), Var::Mutable);
            }
            FnArg::Receiver(r) if r.reference.is_some() => {
                self.vars.bind_reference(&Ident::new("self", r.self_token.span));
            }
            FnArg::Receiver(_) => {}
        }
    }

    /// A block behind patterns that cannot fail.
    fn body(&mut self, block: &mut Block, moved: Vec<Moved>) {
        let mut stmts = patterns::as_statements(self, moved);
        self.visit_block_mut(block);
        stmts.append(&mut block.stmts);
        block.stmts = stmts;
    }

    /// Rewrites the condition of an `if` or a guard; `let`s in it bind in the current scope.
    fn condition(&mut self, e: &mut Expr) {
        let mut parts = vec![];
        for mut part in operands(e) {
            let Expr::Let(l) = &mut part else {
                self.visit_expr_mut(&mut part);
                parts.push(part);
                continue;
            };
            let mut s = self.vars.scrutinee(&l.expr);
            tuples::scrutinee(self, &mut l.expr, &mut s, &[&l.pat]);
            let mut moved = vec![];
            patterns::declare(self, &mut l.pat, &s, &mut moved);
            parts.push(part);
            parts.append(&mut patterns::as_conditions(self, moved));
        }
        *e = conjunction(parts);
    }

    /// A closure; its parameters may be cells.
    pub(super) fn closure(&mut self, c: &mut ExprClosure, parameters: Parameters) {
        self.vars.push();
        let moved = sequences::declare_parameters(self, c, parameters);
        let first = patterns::as_statements(self, moved);
        self.visit_expr_mut(&mut c.body);
        if !first.is_empty() {
            let body = &c.body;
            *c.body = parse_quote!({ #(#first)* #body });
        }
        self.vars.pop();
    }

    /// `if let NESTED = E { A } else { B }` as `match E { NESTED => A, _ => B }`: chains of `let`s exist only
    /// from edition 2024 and Rust 1.88 on.
    fn if_let_as_match(&self, i: &ExprIf) -> Option<Expr> {
        let Expr::Let(l) = &*i.cond else { return None };
        let mut s = self.vars.scrutinee(&l.expr);
        tuples::announce(self, &l.expr, &mut s, &[&l.pat]);
        if !patterns::is_nested(self.scope, &l.pat, &s) {
            return None;
        }
        let (pat, value, then) = (&l.pat, &l.expr, &i.then_branch);
        let otherwise = match &i.else_branch {
            Some((_, otherwise)) => otherwise.to_token_stream(),
            None => quote!({}),
        };
        Some(parse_quote!(match #value { #pat => #then, _ => #otherwise }))
    }

    fn match_(&mut self, m: &mut ExprMatch) {
        let mut s = self.vars.scrutinee(&m.expr);
        let mut patterns = vec![];
        for arm in &m.arms {
            patterns.push(&arm.pat);
        }
        tuples::scrutinee(self, &mut m.expr, &mut s, &patterns);
        // `A | B => body` with patterns inside fields: one arm each.
        let mut arms = vec![];
        for arm in &m.arms {
            for pat in patterns::alternatives(self.scope, &arm.pat, &s) {
                arms.push(Arm { pat, comma: Some(Default::default()), ..arm.clone() });
            }
        }
        m.arms = arms;
        let mut guarded = false;
        for arm in &mut m.arms {
            self.vars.push();
            let mut moved = vec![];
            patterns::declare(self, &mut arm.pat, &s, &mut moved);
            let inner = patterns::follow_up(self, moved);
            if let Some((_, guard)) = &mut arm.guard {
                self.condition(guard);
            }
            self.is_passed = true;
            self.visit_expr_mut(&mut arm.body);
            guarded |= !inner.is_empty();
            chains::match_inside(arm, &inner);
            self.vars.pop();
        }
        // The original was checked for exhaustiveness; guards would spoil that here.
        if guarded {
            m.arms.push(parse_quote!(_ => ::core::unreachable!(),));
        }
    }

    /// `let NESTED = E else { D };` as `let (x, y) = match E { NESTED => (x, y), _ => D };`
    fn nested_let_else(&mut self, l: &mut Local, init: LocalInit, otherwise: &Expr) {
        let variables = patterns::variables(&l.pat);
        let (mut names, mut declared) = (TokenStream::new(), TokenStream::new());
        for (name, mutability) in &variables {
            quote!(#name,).to_tokens(&mut names);
            quote!(#mutability #name,).to_tokens(&mut declared);
        }
        let (pat, value) = (&l.pat, &init.expr);
        let mut e: Expr = parse_quote!(match #value { #pat => (#names), _ => #otherwise });
        self.visit_expr_mut(&mut e);
        l.pat = parse_quote!((#declared));
        l.init = Some(LocalInit { expr: Box::new(e), diverge: None, ..init });
        for (name, mutability) in &variables {
            self.vars.bind(name, if mutability.is_some() { Var::Mutable } else { Var::Plain });
        }
    }

    /// A `let`, and the statements that have to follow it. `rest` is what follows it in its block.
    fn statement(&mut self, l: &mut Local, rest: &[Stmt]) -> Vec<Stmt> {
        if late_vecs::local(self, l) || late::local(self, l, rest) || tuples::local(self, l, rest) {
            return vec![];
        }
        self.local(l)
    }

    /// The same for a `let` that reads what it takes.
    fn local(&mut self, l: &mut Local) -> Vec<Stmt> {
        let mut s = Scrutinee::unknown();
        if let Some(init) = &mut l.init {
            s = self.vars.scrutinee(&init.expr);
            tuples::announce(self, &init.expr, &mut s, &[&l.pat]);
            match init.diverge.clone() {
                Some((_, otherwise)) if patterns::is_nested(self.scope, &l.pat, &s) => {
                    let init = init.clone();
                    self.nested_let_else(l, init, &otherwise);
                    return vec![];
                }
                _ => {}
            }
            let plain_struct = matches!(&*init.expr, Expr::Struct(x) if !self.scope.has_cells(&x.path));
            if vars::makes_plain_value(&init.expr) || plain_struct {
                s.var = Var::Own;
            }
            self.is_passed = matches!(l.pat, Pat::Ident(_));
            tuples::scrutinee(self, &mut init.expr, &mut s, &[&l.pat]);
            self.is_passed = false;
            if matches!(&l.pat, Pat::Type(t) if types::is_slice_of_cells(&t.ty)) {
                sequences::as_slice(&mut init.expr);
            }
            if let Some((_, e)) = &mut init.diverge {
                self.visit_expr_mut(e);
            }
        }
        let mut moved = vec![];
        if let (Var::Own, Pat::Ident(i)) = (s.var, &l.pat) {
            self.vars.bind(&i.ident, Var::Own);
        } else {
            s.var = if s.var == Var::Own { Var::Plain } else { s.var };
            patterns::declare(self, &mut l.pat, &s, &mut moved);
        }
        patterns::as_statements(self, moved)
    }
}

impl VisitMut for Rewriter<'_> {
    fn visit_impl_item_mut(&mut self, item: &mut ImplItem) {
        if let ImplItem::Fn(f) = item {
            self.visit_impl_item_fn_mut(f);
        }
    }

    fn visit_impl_item_fn_mut(&mut self, f: &mut ImplItemFn) {
        self.function(&mut f.sig, &mut f.block);
    }

    fn visit_item_fn_mut(&mut self, f: &mut ItemFn) {
        let outer = std::mem::take(&mut self.vars);
        self.function(&mut f.sig, &mut f.block);
        self.vars = outer;
    }

    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Fn(f) => self.visit_item_fn_mut(f),
            Item::Impl(i) => {
                let outer = std::mem::take(&mut self.vars);
                for item in &mut i.items {
                    self.visit_impl_item_mut(item);
                }
                self.vars = outer;
            }
            _ => {}
        }
    }

    fn visit_type_mut(&mut self, _: &mut Type) {}

    fn visit_block_mut(&mut self, b: &mut Block) {
        self.vars.push();
        let mut stmts = vec![];
        let mut rest = std::mem::take(&mut b.stmts).into_iter();
        while let Some(mut stmt) = rest.next() {
            let mut more = match &mut stmt {
                Stmt::Local(l) => self.statement(l, rest.as_slice()),
                other => {
                    self.is_passed = matches!(other, Stmt::Expr(_, None));
                    self.visit_stmt_mut(other);
                    vec![]
                }
            };
            stmts.push(stmt);
            stmts.append(&mut more);
        }
        b.stmts = stmts;
        self.vars.pop();
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if made::dereferenced(self, e) {
            return;
        }
        if let Some((promise, inner)) = context::marked(e) {
            *e = self.promised(promise, inner);
            return;
        }
        if let Some(parts) = context::condition(e) {
            *e = self.condition_about_field(parts);
            return;
        }
        if self.question(None, e) {
            return;
        }
        match e {
            Expr::Field(f) if self.vars.of(&f.base) == Var::Own => {}
            Expr::Field(f) if tuples::is_part_of_copy(self, f) => {
                let (copy, member, span) = (&f.base, &f.member, f.member.span());
                *e = parse_quote_spanned!(span=> #copy.__parts().#member.__value());
            }
            Expr::Field(f) => {
                tuples::base(self, f);
                let (field, span) = (f.to_token_stream(), f.member.span());
                *e = parse_quote_spanned!(span=> (*#field.__read()));
            }
            Expr::Path(p) if p.qself.is_none() => {
                let (var, span) = (self.vars.of(e), e.span());
                match var {
                    Var::CellRef => *e = parse_quote_spanned!(span=> #e.__bind()),
                    Var::CellCopy => *e = parse_quote_spanned!(span=> (*#e.__bind())),
                    Var::Late => *e = parse_quote_spanned!(span=> (*#e.__get())),
                    Var::ItemRef => *e = parse_quote_spanned!(span=> (&#e.__bind())),
                    Var::Either => *e = parse_quote_spanned!(span=> __p::made::Bound(&#e).__bound()),
                    _ => {}
                }
            }
            Expr::Assign(a) if self.vars.of(&a.left) == Var::Late => {
                self.visit_expr_mut(&mut a.right);
                let right = &a.right;
                *a.right = parse_quote_spanned!(right.span()=> __p::Late::Value(#right));
            }
            Expr::Assign(a) => {
                self.visit_expr_mut(&mut a.right);
                places::assigned(self, &mut a.left);
            }
            Expr::Binary(b) if crate::syntax::is_assignment(&b.op) => {
                self.visit_expr_mut(&mut b.right);
                places::assigned(self, &mut b.left);
            }
            Expr::Reference(r) if r.mutability.is_some() => places::written(self, &mut r.expr),
            Expr::MethodCall(c) => {
                if let Some(call) = places::call(self, c) {
                    *e = call;
                }
            }
            Expr::If(i) => {
                if let Some(as_match) = self.if_let_as_match(i) {
                    *e = as_match;
                    return self.visit_expr_mut(e);
                }
                self.vars.push();
                self.condition(&mut i.cond);
                self.visit_block_mut(&mut i.then_branch);
                self.vars.pop();
                if let Some((_, otherwise)) = &mut i.else_branch {
                    self.visit_expr_mut(otherwise);
                }
            }
            Expr::ForLoop(l) => {
                let mut s = self.vars.scrutinee(&l.expr);
                (s.mode, s.field) = (vars::Mode::Ref, vars::iterates_over_field(&l.expr));
                let are_cells = sequences::open_loop(&mut l.expr);
                match if are_cells { None } else { looks::looped(self, &l.expr) } {
                    Some(looped) => *l.expr = looped,
                    None => self.visit_expr_mut(&mut l.expr),
                }
                self.vars.push();
                let mut moved = vec![];
                if are_cells {
                    patterns::declare_item(self, &mut l.pat, &mut moved);
                } else {
                    patterns::declare(self, &mut l.pat, &s, &mut moved);
                }
                self.body(&mut l.body, moved);
                self.vars.pop();
            }
            Expr::Closure(c) => self.closure(c, Parameters::Unknown),
            Expr::Call(c) => {
                let call = sequences::call(self, c);
                if let Some(call) = call.or_else(|| made::call(self.scope, c)) {
                    *e = call;
                }
            }
            Expr::Struct(_) => {
                visit_mut::visit_expr_mut(self, e);
                made::structure(self.scope, e);
            }
            Expr::Match(m) => self.match_(m),
            Expr::Unsafe(u) => {
                let outer = std::mem::replace(&mut self.in_unsafe, true);
                self.visit_block_mut(&mut u.block);
                self.in_unsafe = outer;
            }
            Expr::Repeat(r) => self.visit_expr_mut(&mut r.expr),
            Expr::Const(_) => {}
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    /// `Acc { n }` with `n` bound to a cell becomes `Acc { n: n.__bind() }`.
    fn visit_field_value_mut(&mut self, f: &mut FieldValue) {
        self.is_passed = true;
        self.visit_expr_mut(&mut f.expr);
        if f.colon_token.is_none() && !matches!(f.expr, Expr::Path(_)) {
            f.colon_token = Some(Default::default());
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let Some(mut call) = Call::open(mac) else {
            if let Some(field) = std_macros::field_access(mac.tokens.clone()) {
                let name = last_name(&mac.path);
                self.refuse(
                    field.span(),
                    &format!(
                        "this looks like a field, but `{name}!` has a syntax \
                    of its own, so its reads cannot be observed; write out what it stands for, use a \
                    function, or put the field into a variable first"
                    ),
                );
            }
            return;
        };
        for e in call.expressions_mut() {
            self.visit_expr_mut(e);
        }
        if let Call::List(list) = &mut call {
            for name in inline_args::variables(mac, list) {
                let var = self.vars.get(&name);
                let name = Ident::new(&name, mac.path.span());
                match var {
                    Var::CellRef | Var::CellCopy | Var::ItemRef => {
                        list.push(parse_quote!(#name = #name.__bind()));
                    }
                    Var::Late => list.push(parse_quote!(#name = #name.__get())),
                    Var::Either => {
                        let value = made::bound(&name, name.span());
                        list.push(parse_quote!(#name = #value));
                    }
                    _ => {}
                }
            }
        }
        mac.tokens = call.tokens();
    }
}
