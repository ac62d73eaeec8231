//! `#[rep_ok(statements)]`: an invariant of statements, `if .. { return false; }`, as a conjunction.
//!
//! Each statement is a conjunct, and a method of the copy: `return` leaves the conjunct. Statements with a variable in
//! common are one conjunct, from the first to the last of them. So the order of reads stays as it is written.
//!
//! A *repeated* statement is made again in the conjuncts behind it: a name for a field, `let header = &self.header;`, where it
//! is mentioned, and `if c { return e; }` everywhere, as `if c { return true; }`. That one is a conjunct itself, so the
//! conjunction is `e` where `c` holds, and what the others say where it does not.

use super::{chains, names, patterns, places, select, sunk};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{NameMap, Names, is_assignment, is_one_of, parse_quote, quote, text};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::{Block, Error, Expr, ExprClosure, ExprReturn, ImplItem, Item, ItemImpl, Lit, Macro, Result, Stmt};

/// A conjunct as it is written.
pub(super) struct Written {
    pub(super) text: String,
    pub(super) span: Span,
}

/// A statement, or an operand of the last expression.
struct Step {
    tokens: TokenStream,
    /// How conjuncts behind it repeat it.
    again: Option<TokenStream>,
    /// It may leave the invariant, so it is a conjunct.
    is_check: bool,
    /// All conjuncts behind it repeat it.
    is_guard: bool,
    operand: Option<Expr>,
    declared: Names,
    words: Names,
}

/// Turns the invariant of a block into `self.first() && self.second() && ..`, and returns what these are.
pub(super) fn divide(block: &mut ItemImpl, invariant: &Ident) -> Result<Vec<Written>> {
    let Some(function) = select::function(block, invariant).cloned() else { return Ok(vec![]) };
    // With the place where it is written: a macro may have made the block.
    let Some(this) = function.sig.receiver().map(|receiver| receiver.self_token) else { return Ok(vec![]) };
    let (items, steps) = steps(&function.block)?;
    let (mut written, mut calls) = (vec![], vec![]);
    for (first, end) in groups(&steps) {
        if !steps[first].is_check && steps[first].again.is_some() && end == first + 1 {
            continue;
        }
        let (mut statements, mut operands) = (repeated(&steps, first, end), vec![]);
        for step in &steps[first..end] {
            match &step.operand {
                Some(operand) => operands.push(operand.clone()),
                None => step.tokens.to_tokens(&mut statements),
            }
        }
        let (last, name) = (chains::conjunction(operands), format_ident!("__conjunct_{}", calls.len()));
        let mut method = function.clone();
        method.sig.ident = name.clone();
        method.block = parse_quote!({ #(#items)* #statements #last });
        block.items.push(ImplItem::Fn(method));
        let span = steps[first].tokens.span();
        calls.push(parse_quote!(#this.#name()));
        let more = if end > first + 1 { " .." } else { "" };
        written.push(Written { text: text::of(steps[first].tokens.clone()) + more, span });
    }
    if calls.len() < 2 {
        return Err(Error::new(
            invariant.span(),
            "`#[rep_ok(statements)]` finds no two statements here that could be conjuncts of their own: each needs \
             variables of the others; leave `statements` out, or divide the invariant into helpers",
        ));
    }
    let conjunction = chains::conjunction(calls);
    for item in &mut block.items {
        match item {
            ImplItem::Fn(f) if f.sig.ident == *invariant => f.block = parse_quote!({ #conjunction }),
            _ => {}
        }
    }
    Ok(written)
}

/// The items inside of a body, and its statements and operands.
fn steps(body: &Block) -> Result<(Vec<Item>, Vec<Step>)> {
    let (mut items, mut steps, mut names) = (vec![], vec![], Names::default());
    for (i, stmt) in body.stmts.iter().enumerate() {
        let is_last = i + 1 == body.stmts.len();
        match stmt {
            Stmt::Item(item) => items.push(item.clone()),
            Stmt::Expr(Expr::Return(ExprReturn { expr: Some(e), .. }), _) if is_last => {
                operands(e, &mut steps)?
            }
            Stmt::Expr(e, None) if is_last => operands(e, &mut steps)?,
            Stmt::Macro(m) if is_last && m.semi_token.is_none() => {
                let mac = m.mac.clone();
                operands(&parse_quote!(#mac), &mut steps)?;
            }
            _ => {
                let step = step(stmt, &names)?;
                for name in step.declared.as_slice() {
                    match &step.again {
                        Some(_) => {
                            names.insert(name.clone());
                        }
                        None => names.remove(name),
                    }
                }
                steps.push(step);
            }
        }
    }
    Ok((items, steps))
}

fn operands(e: &Expr, steps: &mut Vec<Step>) -> Result<()> {
    for operand in chains::operands(e) {
        if is_literal(&operand, true) {
            continue;
        }
        only_false(&mut |returns| returns.visit_expr_mut(&mut operand.clone()))?;
        let plain = Step::plain(operand.to_token_stream());
        steps.push(Step { operand: Some(operand), ..plain });
    }
    Ok(())
}

impl Step {
    fn plain(tokens: TokenStream) -> Step {
        let mut words = Names::default();
        sunk::add_words(tokens.clone(), &mut words);
        Step {
            tokens,
            again: None,
            is_check: true,
            is_guard: false,
            operand: None,
            declared: Names::default(),
            words,
        }
    }
}

/// A statement. `names` are variables that repeated statements have declared.
fn step(stmt: &Stmt, names: &Names) -> Result<Step> {
    let plain = Step::plain(stmt.to_token_stream());
    match stmt {
        Stmt::Local(l) => {
            // The variables that it declares are new, also if others had these names.
            let words = match &l.init {
                Some(init) => {
                    let otherwise = init.diverge.as_ref().map(|(_, e)| e);
                    let init = &init.expr;
                    Step::plain(quote!(#init #otherwise)).words
                }
                None => Names::default(),
            };
            let plain = Step { words, ..plain };
            let mut declared = Names::default();
            let mut is_fixed = true;
            for (name, mutability) in patterns::variables(&l.pat) {
                declared.insert(name.to_string());
                is_fixed &= mutability.is_none();
            }
            let (pat, init) = (&l.pat, l.init.as_ref());
            let is_name = is_fixed && init.is_some_and(|init| is_about_fields(&init.expr, names, false));
            let otherwise = init.and_then(|init| init.diverge.as_ref()).map(|(_, e)| returned(e));
            match (init, otherwise) {
                (Some(init), None) if is_name => {
                    let init = &init.expr;
                    let again = Some(quote!(let #pat = #init;));
                    Ok(Step { declared, again, is_check: false, ..plain })
                }
                (Some(init), Some(Some(value))) if is_name => {
                    let init = &init.expr;
                    let again = Some(quote!(let #pat = #init else { return true };));
                    Ok(Step { declared, again, is_guard: !is_literal(&value, false), ..plain })
                }
                _ => {
                    only_false(&mut |returns| returns.visit_stmt_mut(&mut stmt.clone()))?;
                    Ok(Step { declared, ..plain })
                }
            }
        }
        Stmt::Expr(Expr::If(e), _) if e.else_branch.is_none() && !chains::has_let(&e.cond) => {
            match returned_by(&e.then_branch) {
                Some(value) if !is_literal(&value, false) && is_about_fields(&e.cond, names, true) => {
                    let condition = &e.cond;
                    Ok(Step { again: Some(quote!(if #condition { return true; })), is_guard: true, ..plain })
                }
                _ => {
                    only_false(&mut |returns| returns.visit_stmt_mut(&mut stmt.clone()))?;
                    Ok(plain)
                }
            }
        }
        _ => {
            only_false(&mut |returns| returns.visit_stmt_mut(&mut stmt.clone()))?;
            Ok(plain)
        }
    }
}

/// `e` of `{ return e; }`.
fn returned_by(block: &Block) -> Option<Expr> {
    match &block.stmts[..] {
        [Stmt::Expr(e, _)] => returned(e),
        _ => None,
    }
}

/// The same of an expression.
fn returned(e: &Expr) -> Option<Expr> {
    match e {
        Expr::Return(r) => r.expr.as_deref().cloned(),
        Expr::Block(b) => returned_by(&b.block),
        _ => None,
    }
}

fn is_literal(e: &Expr, value: bool) -> bool {
    matches!(e, Expr::Lit(l) if matches!(&l.lit, Lit::Bool(b) if b.value == value))
}

/// Whether an expression only reads fields, by names that can be repeated; with `calls`, it may also call methods.
fn is_about_fields(e: &Expr, names: &Names, calls: bool) -> bool {
    let inside = |e: &Expr| is_about_fields(e, names, calls);
    match e {
        Expr::Lit(_) => true,
        Expr::Path(p) => match p.path.get_ident() {
            Some(name) => *name == "self" || names.contains(&name.to_string()),
            None => true,
        },
        Expr::Field(f) => inside(&f.base),
        Expr::Reference(r) => r.mutability.is_none() && inside(&r.expr),
        Expr::Paren(p) => inside(&p.expr),
        Expr::Unary(u) => inside(&u.expr),
        Expr::Cast(c) => inside(&c.expr),
        Expr::Binary(b) => !is_assignment(&b.op) && inside(&b.left) && inside(&b.right),
        Expr::MethodCall(c) => {
            const CHEAP: &[&str] =
                &["as_ref", "as_deref", "as_slice", "is_none", "is_some", "is_empty", "is_null", "len"];
            let is_known = is_one_of(&c.method, CHEAP) || calls && !places::writes(&c.method);
            is_known && inside(&c.receiver) && c.args.iter().all(inside)
        }
        _ => false,
    }
}

/// Checks that a statement leaves the invariant with `false` only.
fn only_false(look: &mut dyn FnMut(&mut Returns)) -> Result<()> {
    let mut returns = Returns(None);
    look(&mut returns);
    match returns.0 {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

struct Returns(Option<Error>);

impl VisitMut for Returns {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Return(r) if !r.expr.as_deref().is_some_and(|e| is_literal(e, false)) => {
                self.0 = Some(Error::new_spanned(
                    r,
                    "with `#[rep_ok(statements)]`, a statement ends the invariant with `return false` only; another value may be \
                     returned by `if condition { return value; }` of the invariant itself, about fields, or by its last expression",
                ));
            }
            // What a closure returns, it returns to its caller.
            Expr::Closure(ExprClosure { .. }) => {}
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        const KNOWN: &str = "assert assert_eq assert_ne dbg debug_assert eprintln format matches panic println todo unreachable vec";
        if !mac.path.get_ident().is_some_and(|name| names::lists(KNOWN, &name.to_string())) {
            self.0 = Some(Error::new_spanned(
                &mac.path,
                "with `#[rep_ok(statements)]`, this macro could return from the invariant: write its code out, or call a function",
            ));
        }
    }
}

/// Ranges of steps that are one conjunct each, in order.
fn groups(steps: &[Step]) -> Vec<(usize, usize)> {
    let mut declared: NameMap<Option<usize>> = NameMap::default();
    let mut groups: Vec<(usize, usize)> = vec![];
    for (i, step) in steps.iter().enumerate() {
        let mut first = i;
        for word in step.words.as_slice() {
            if let Some(Some(at)) = declared.get(word) {
                first = first.min(*at);
            }
        }
        while groups.last().is_some_and(|(_, end)| *end > first) {
            first = first.min(groups.pop().map_or(first, |(first, _)| first));
        }
        groups.push((first, i + 1));
        for name in step.declared.as_slice() {
            declared.insert(name, if step.again.is_some() { None } else { Some(i) });
        }
    }
    groups
}

/// What the conjunct of a range repeats of the statements before it.
fn repeated(steps: &[Step], first: usize, end: usize) -> TokenStream {
    let mut needed = Names::default();
    for step in &steps[first..end] {
        needed.insert_all(step.words.as_slice());
    }
    let mut kept = vec![];
    for step in steps[..first].iter().rev() {
        let Some(again) = &step.again else { continue };
        if step.is_guard || step.declared.as_slice().iter().any(|name| needed.contains(name)) {
            needed.insert_all(step.words.as_slice());
            kept.push(again);
        }
    }
    let mut repeated = TokenStream::new();
    for again in kept.iter().rev() {
        again.to_tokens(&mut repeated);
    }
    repeated
}
