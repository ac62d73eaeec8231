//! Finds the blocks of a function and puts a probe at the beginning of each.
//!
//! A *block* is code that runs as a whole, unless something in it panics: the body of a function, of a closure, of a
//! loop, a branch, an arm, and the code behind a statement that can skip it. Code after an `if` that never
//! leaves belongs to the block that the `if` is in.

use super::bindings::{of_condition, of_pattern};
use super::leaving::may_leave;
use super::predicates::Predicate;
use super::text;
use crate::syntax::{can_be_there_twice, parse_quote, quote, quote_spanned};
use proc_macro2::{Span, TokenStream};
use std::collections::BTreeSet;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Attribute, Block, Expr, ExprBlock, ExprClosure, ExprConst, ExprForLoop, ExprIf, ExprLoop, ExprMatch,
    ExprUnsafe, ExprWhile, FnArg, Ident, Item, ItemFn, Local, Path, Signature, Stmt,
};

/// A block, as the table of the region lists it.
pub(crate) struct Found {
    pub(crate) function: String,
    /// A variant of `BlockKind`.
    pub(crate) kind: Ident,
    pub(crate) text: String,
    pub(crate) span: Span,
    /// The predicates that are in scope.
    pub(crate) predicates: Vec<String>,
    /// The number of its first combination, if there are predicates.
    pub(crate) first_combination: usize,
    /// The arguments of each `#[cfg]` around it.
    pub(crate) conditions: Vec<TokenStream>,
}

/// Puts probes into functions, one after the other.
pub(crate) struct Probes<'a> {
    krate: &'a Path,
    table: &'a Ident,
    pub(crate) found: Vec<Found>,
    /// How many combinations have a slot so far.
    pub(crate) combinations: usize,
    predicates: Vec<Predicate>,
    function: String,
    scope: Vec<String>,
    /// Every variable that was in scope at a block.
    seen: BTreeSet<String>,
    conditions: Vec<TokenStream>,
    pass: Pass,
}

/// How predicates are treated.
#[derive(Clone, Copy)]
enum Pass {
    /// Evaluated.
    Evaluates,
    /// Evaluated while their coverage is measured, which each probe checks.
    Asks,
    /// Left out. The blocks are in the table already; the next one has this number.
    Repeats(usize),
}

impl<'a> Probes<'a> {
    pub(crate) fn new(krate: &'a Path, table: &'a Ident) -> Self {
        Probes {
            krate,
            table,
            found: vec![],
            combinations: 0,
            predicates: vec![],
            function: String::new(),
            scope: vec![],
            seen: BTreeSet::new(),
            conditions: vec![],
            pass: Pass::Asks,
        }
    }

    /// Puts probes into a function.
    pub(crate) fn function(
        &mut self,
        name: String,
        attrs: &[Attribute],
        signature: &Signature,
        body: &mut Block,
        predicates: &mut Vec<Predicate>,
    ) {
        let outer = std::mem::replace(&mut self.function, name);
        std::mem::swap(&mut self.predicates, predicates);
        let scope = std::mem::take(&mut self.scope);
        for argument in &signature.inputs {
            match argument {
                FnArg::Receiver(_) => self.scope.push("self".into()),
                FnArg::Typed(argument) => self.scope.extend(of_pattern(&argument.pat)),
            }
        }
        self.under(attrs, |probes| probes.body(signature, body));
        self.scope = scope;
        std::mem::swap(&mut self.predicates, predicates);
        self.function = outer;
    }

    /// The body of a function, in several versions, one of them without probes: to check once per call what is measured
    /// costs far less than to check it at each block.
    fn body(&mut self, signature: &Signature, body: &mut Block) {
        let (krate, table) = (self.krate, self.table);
        let (span, first) = (signature.ident.span(), self.found.len());
        let without = can_be_there_twice(signature, body).then(|| body.clone());
        let outer = self.pass;
        self.pass = if without.is_some() { Pass::Evaluates } else { Pass::Asks };
        self.block(body, "Entry", String::new(), span);
        if let Some(without) = without {
            let has_predicates = self.found[first..].iter().any(|block| !block.predicates.is_empty());
            let (versions, plain) = if has_predicates {
                let mut blocks = without.clone();
                self.pass = Pass::Repeats(first);
                self.block(&mut blocks, "Entry", String::new(), span);
                let evaluating = quote! {
                    if #krate::__private::evaluates(&#table) {
                        return #krate::__private::elsewhere(move || #body);
                    }
                };
                (quote!(#evaluating return #krate::__private::here(move || #blocks);), &without.stmts)
            } else {
                (quote!(return #krate::__private::here(move || #body);), &without.stmts)
            };
            *body = parse_quote!({
                if #krate::__private::is_on(&#table) { #versions }
                #(#plain)*
            });
        }
        self.pass = outer;
    }

    /// Every variable that was in scope at a block since the last call.
    pub(crate) fn take_seen(&mut self) -> BTreeSet<String> {
        std::mem::take(&mut self.seen)
    }

    /// Variables that were in scope at blocks of other functions.
    pub(crate) fn see(&mut self, seen: BTreeSet<String>) {
        self.seen.extend(seen);
    }

    /// What has attributes may be left out of the build.
    fn under(&mut self, attrs: &[Attribute], visit: impl FnOnce(&mut Self)) {
        let conditions = self.conditions.len();
        let cfgs = attrs.iter().filter(|attr| attr.path().is_ident("cfg"));
        self.conditions.extend(cfgs.filter_map(|attr| Some(attr.meta.require_list().ok()?.tokens.clone())));
        visit(self);
        self.conditions.truncate(conditions);
    }

    fn scoped<R>(&mut self, names: Vec<String>, visit: impl FnOnce(&mut Self) -> R) -> R {
        let length = self.scope.len();
        self.scope.extend(names);
        let result = visit(self);
        self.scope.truncate(length);
        result
    }

    /// A block: a probe, then its statements.
    fn block(&mut self, block: &mut Block, kind: &str, text: String, span: Span) {
        let probe = self.probe(kind, text, span);
        self.statements(block);
        block.stmts.insert(0, probe);
    }

    /// Statements, with a probe after each one that can skip the next.
    fn statements(&mut self, block: &mut Block) {
        self.scoped(vec![], |probes| {
            let mut after: Option<String> = None;
            for mut stmt in std::mem::take(&mut block.stmts) {
                if let Some(text) = after.take() {
                    block.stmts.push(probes.probe("After", text, stmt.span()));
                }
                after = may_leave(&stmt).then(|| text::head(&stmt));
                probes.visit_stmt_mut(&mut stmt);
                if let Stmt::Local(Local { pat, init: Some(_), .. }) = &stmt {
                    probes.scope.extend(of_pattern(pat));
                }
                block.stmts.push(stmt);
            }
        });
    }

    /// An expression that is a block of its own.
    fn branch(&mut self, expr: &mut Expr, kind: &str, text: String, span: Span) {
        match expr {
            Expr::Block(ExprBlock { block, label: None, attrs }) if attrs.is_empty() => {
                self.block(block, kind, text, span);
            }
            _ => {
                let probe = self.probe(kind, text, span);
                self.visit_expr_mut(expr);
                *expr = parse_quote!({ #probe #expr });
            }
        }
    }

    fn probe(&mut self, kind: &str, text: String, span: Span) -> Stmt {
        let (krate, table) = (self.krate, self.table);
        if let Pass::Repeats(next) = &mut self.pass {
            let block = *next;
            *next += 1;
            return parse_quote!(#krate::__private::hit(&#table, #block););
        }
        self.seen.extend(self.scope.iter().cloned());
        let block = self.found.len();
        let in_scope: Vec<&mut Predicate> =
            self.predicates.iter_mut().filter(|predicate| predicate.is_in_scope(&self.scope)).collect();
        let texts: Vec<String> = in_scope.iter().map(|predicate| predicate.text.clone()).collect();
        let first_combination = self.combinations;
        let hit = quote!(#krate::__private::hit(&#table, #block););
        let probe = if in_scope.is_empty() {
            parse_quote!(#hit)
        } else {
            self.combinations += 1 << in_scope.len();
            let bits = in_scope.into_iter().enumerate().map(|(number, predicate)| {
                predicate.used = true;
                let (expr, number) = (&predicate.expr, number as u32);
                quote_spanned!(expr.span()=> #krate::__private::bit(#expr, #number))
            });
            let evaluate =
                quote::quote!(#krate::__private::combination(&#table, #first_combination, 0 #(| #bits)*););
            match self.pass {
                Pass::Asks => parse_quote!({ #hit if #krate::__private::evaluates(&#table) { #evaluate } }),
                _ => parse_quote!({ #hit #evaluate }),
            }
        };
        self.found.push(Found {
            function: self.function.clone(),
            kind: Ident::new(kind, Span::call_site()),
            text,
            span,
            predicates: texts,
            first_combination,
            conditions: self.conditions.clone(),
        });
        probe
    }

    fn else_branch(&mut self, expr: &mut Expr, condition: &Expr) {
        let text = format!("if {}", text::of(condition));
        let span = expr.span();
        match expr {
            // One of its branches always runs, so another probe would add nothing.
            Expr::If(inner) if has_last_else(inner) => self.visit_expr_if_mut(inner),
            _ => self.branch(expr, "Else", text, span),
        }
    }
}

/// Whether some branch of a chain is always run.
fn has_last_else(chain: &ExprIf) -> bool {
    match &chain.else_branch {
        Some((_, next)) => match &**next {
            Expr::If(inner) => has_last_else(inner),
            _ => true,
        },
        None => false,
    }
}

impl VisitMut for Probes<'_> {
    fn visit_expr_if_mut(&mut self, e: &mut ExprIf) {
        let text = format!("if {}", text::of(&e.cond));
        let names = of_condition(&e.cond);
        let condition = e.cond.clone();
        self.visit_expr_mut(&mut e.cond);
        let span = e.then_branch.span();
        self.scoped(names, |probes| probes.block(&mut e.then_branch, "Then", text, span));
        if let Some((_, branch)) = &mut e.else_branch {
            self.else_branch(branch, &condition);
        }
    }

    fn visit_expr_match_mut(&mut self, e: &mut ExprMatch) {
        self.visit_expr_mut(&mut e.expr);
        for arm in &mut e.arms {
            let text = match &arm.guard {
                Some((_, guard)) => format!("{} if {}", text::of(&arm.pat), text::of(guard)),
                None => text::of(&arm.pat),
            };
            let span = arm.pat.span();
            let attrs = std::mem::take(&mut arm.attrs);
            self.scoped(of_pattern(&arm.pat), |probes| {
                if let Some((_, guard)) = &mut arm.guard {
                    probes.visit_expr_mut(guard);
                }
                probes.under(&attrs, |probes| probes.branch(&mut arm.body, "Arm", text, span));
            });
            arm.attrs = attrs;
            arm.comma = Some(Default::default());
        }
    }

    fn visit_expr_while_mut(&mut self, e: &mut ExprWhile) {
        let text = format!("while {}", text::of(&e.cond));
        let names = of_condition(&e.cond);
        self.visit_expr_mut(&mut e.cond);
        let span = e.body.span();
        self.scoped(names, |probes| probes.block(&mut e.body, "Body", text, span));
    }

    fn visit_expr_for_loop_mut(&mut self, e: &mut ExprForLoop) {
        let text = format!("for {} in {}", text::of(&e.pat), text::of(&e.expr));
        self.visit_expr_mut(&mut e.expr);
        let span = e.body.span();
        self.scoped(of_pattern(&e.pat), |probes| probes.block(&mut e.body, "Body", text, span));
    }

    fn visit_expr_loop_mut(&mut self, e: &mut ExprLoop) {
        let span = e.body.span();
        self.block(&mut e.body, "Body", "loop".into(), span);
    }

    /// A closure sees only its own arguments: predicates about others would change what it captures.
    fn visit_expr_closure_mut(&mut self, e: &mut ExprClosure) {
        if e.constness.is_some() {
            return;
        }
        let scope = std::mem::take(&mut self.scope);
        self.scope = e.inputs.iter().flat_map(of_pattern).collect();
        let inputs = &e.inputs;
        let text = format!("|{}|", text::of(&quote!(#inputs)));
        let span = e.span();
        self.branch(&mut e.body, "Closure", text, span);
        self.scope = scope;
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        let pattern = text::of(&local.pat);
        if let Some(init) = &mut local.init {
            let text = format!("let {pattern} = {}", text::of(&init.expr));
            self.visit_expr_mut(&mut init.expr);
            if let Some((_, diverge)) = &mut init.diverge {
                let span = diverge.span();
                self.branch(diverge, "Else", text, span);
            }
        }
    }

    fn visit_expr_block_mut(&mut self, e: &mut ExprBlock) {
        self.statements(&mut e.block);
    }

    fn visit_expr_unsafe_mut(&mut self, e: &mut ExprUnsafe) {
        self.statements(&mut e.block);
    }

    fn visit_expr_async_mut(&mut self, e: &mut syn::ExprAsync) {
        let scope = std::mem::take(&mut self.scope);
        self.statements(&mut e.block);
        self.scope = scope;
    }

    /// A function inside of a function is covered with it.
    fn visit_item_mut(&mut self, item: &mut Item) {
        let Item::Fn(ItemFn { attrs, sig, block, .. }) = item else { return };
        if sig.constness.is_none() {
            let name = format!("{}::{}", self.function, sig.ident);
            let attrs = attrs.clone();
            self.function(name, &attrs, sig, block, &mut vec![]);
        }
    }

    // Evaluated by the compiler.
    fn visit_expr_const_mut(&mut self, _: &mut ExprConst) {}
    fn visit_expr_repeat_mut(&mut self, e: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut e.expr);
    }
    fn visit_type_mut(&mut self, _: &mut syn::Type) {}
    fn visit_generic_argument_mut(&mut self, _: &mut syn::GenericArgument) {}
    fn visit_pat_mut(&mut self, _: &mut syn::Pat) {}
    fn visit_attribute_mut(&mut self, _: &mut Attribute) {}

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
    }
}
