//! The version of a function with all its mutants: at each site, the code asks which mutant is active.
//!
//! A changed expression is `match ITEM.at(17, 2) { 17 => changed, 18 => changed, _ => original }`. A change that only
//! some types have is made by a method that the compiler resolves by type. A statement that can be left out is `if
//! ITEM.at(19, 1) != 19 { statement }`. Changes are made to the original, never to code with mutants, so exactly one
//! place is changed at a time.
//!
//! Only values are replaced, and no places: a `match` around a place would move it. And nothing is replaced that has to
//! be a constant.

use super::facts::Facts;
use super::operators::{
    Change, Form, How, has_let, is_constant, of_binary, of_other, of_variable, opposite, text,
};
use super::statements::can_be_left_out;
use crate::syntax::{first_span, parse_quote, quote};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use smallscope_support::hash::Fnv;
use std::collections::BTreeMap;
use syn::visit_mut::{self, VisitMut};
use syn::{
    BinOp, Block, Expr, ExprClosure, ExprIf, Item, Local, Macro, Pat, Path, Signature, Stmt, Type, UnOp,
};

/// A mutant, as the list of its item has it.
pub(crate) struct Found {
    pub(crate) function: String,
    pub(crate) operator: &'static str,
    pub(crate) hash: String,
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) span: Span,
}

/// Puts the mutants of functions into them, one after the other.
pub(crate) struct Rewriter<'a> {
    krate: &'a Path,
    item: &'a Ident,
    pub(crate) found: Vec<Found>,
    function: String,
    /// How often a function has each change.
    times: BTreeMap<(String, u64), usize>,
    facts: Facts,
    /// Whether the expression that is visited has no value.
    is_unit: bool,
    /// Whether types may be known too late to choose a method by them.
    is_untyped: bool,
}

impl<'a> Rewriter<'a> {
    pub(crate) fn new(krate: &'a Path, item: &'a Ident) -> Self {
        let nothing: Signature = parse_quote!(fn nothing());
        Rewriter {
            krate,
            item,
            found: vec![],
            function: String::new(),
            times: BTreeMap::new(),
            facts: Facts::of(&nothing, &parse_quote!({})),
            is_unit: false,
            is_untyped: false,
        }
    }

    /// Puts the mutants of a function into its body.
    pub(crate) fn function(&mut self, name: String, signature: &Signature, body: &mut Block) {
        self.function = name;
        self.facts = Facts::of(signature, body);
        self.is_untyped = false;
        self.in_block(body, matches!(signature.output, syn::ReturnType::Default));
        let item = self.item;
        body.stmts.insert(0, parse_quote!(#item.enter();));
    }

    /// Adds a mutant, and returns its number.
    fn add(
        &mut self,
        operator: &'static str,
        span: Span,
        (before, after): (&dyn ToTokens, &dyn ToTokens),
    ) -> u32 {
        // Compilers differ in the spaces between tokens.
        let tokens =
            |code: &dyn ToTokens| code.to_token_stream().to_string().split_whitespace().collect::<String>();
        let hash = Fnv::new().add_text(operator).add_text(&tokens(before)).add_text(&tokens(after)).value();
        let times = self.times.entry((self.function.clone(), hash)).or_insert(0);
        *times += 1;
        let again = if *times > 1 { format!(".{times}") } else { String::new() };
        self.found.push(Found {
            function: self.function.clone(),
            operator,
            hash: format!("{:06x}{again}", hash >> 40),
            before: text(&before.to_token_stream()),
            after: text(&after.to_token_stream()),
            span,
        });
        self.found.len() as u32 - 1
    }

    /// Inserts changes of the original expression, whose parts may already have mutants.
    fn insert(&mut self, expr: &mut Expr, original: &Expr, form: Form, changes: Vec<Change>) {
        let (written, typed): (Vec<Change>, Vec<Change>) =
            changes.into_iter().partition(|change| change.how == How::Written);
        if !typed.is_empty() && !self.is_untyped {
            self.insert_typed(expr, original, form, &typed);
        }
        if written.is_empty() {
            return;
        }
        let (item, first, count) = (self.item, self.found.len() as u32, written.len() as u32);
        let mut arms = TokenStream::new();
        for change in written {
            let number =
                self.add(change.operator, first_span(&original.to_token_stream()), (original, &change.after));
            let after = change.after;
            arms.extend(quote!(#number => { #after }));
        }
        *expr = parse_quote!((match #item.at(#first, #count) { #arms _ => { #expr } }));
    }

    fn insert_typed(&mut self, expr: &mut Expr, original: &Expr, form: Form, changes: &[Change]) {
        let first = self.found.len() as u32;
        let mut ops = vec![];
        for change in changes {
            self.add(change.operator, first_span(&original.to_token_stream()), (original, &change.after));
            if let How::Typed(name) = change.how {
                ops.push(Ident::new(name, Span::call_site()));
            }
        }
        let (krate, item) = (self.krate, self.item);
        let support = quote!(#krate::__private::mutation);
        let ops = quote::quote!(&[#(#support::Op::#ops),*]);
        let traits = quote! {
            use #support::{
                Pair as _, PairOfReferences as _, Shift as _, Single as _, Unsuitable as _, UnsuitableShift as _,
                UnsuitableSingle as _,
            };
        };
        *expr = match (form, &*expr) {
            (Form::Single, inner) => {
                let (operand, after) = single_parts(inner);
                parse_quote!((match #operand { __value => {
                    #traits
                    let __types = #support::one_of(&__value);
                    match (&__types).choose_single(&#item, #first, #ops) {
                        ::core::option::Option::Some(__op) => (&__types).calculate_single(__op, __value),
                        ::core::option::Option::None => { #after }
                    }
                }}))
            }
            (Form::Comparison, Expr::Binary(e)) => {
                let (left, op, right) = (&e.left, &e.op, &e.right);
                parse_quote!((match (&(#left), &(#right)) { (__left, __right) => {
                    #traits
                    let __types = #support::types_of(__left, __right);
                    match (&&__types).choose(&#item, #first, #ops) {
                        ::core::option::Option::Some(__op) => (&&__types).compare(__op, __left, __right),
                        ::core::option::Option::None => *__left #op *__right,
                    }
                }}))
            }
            (Form::Assignment | Form::ShiftAssignment, Expr::Binary(e)) => {
                let (left, op, right) = (&e.left, &e.op, &e.right);
                let (types, choose, assign) = match form {
                    Form::Assignment => (quote!((&&__types)), quote!(choose), quote!(assign)),
                    _ => (quote!((&__types)), quote!(choose_shift), quote!(assign_shift)),
                };
                parse_quote!(match #right { __right => {
                    #traits
                    let __left = &mut #left;
                    let __types = #support::types_of(&*__left, &__right);
                    match #types.#choose(&#item, #first, #ops) {
                        ::core::option::Option::Some(__op) => #types.#assign(__op, __left, __right),
                        ::core::option::Option::None => *__left #op __right,
                    }
                }})
            }
            (_, Expr::Binary(e)) => {
                let (left, op, right) = (&e.left, &e.op, &e.right);
                let (types, choose, calculate) = match form {
                    Form::Shift => (quote!((&__types)), quote!(choose_shift), quote!(shift)),
                    _ => (quote!((&&__types)), quote!(choose), quote!(calculate)),
                };
                parse_quote!((match (#left, #right) { (__left, __right) => {
                    #traits
                    let __types = #support::types_of(&__left, &__right);
                    match #types.#choose(&#item, #first, #ops) {
                        ::core::option::Option::Some(__op) => #types.#calculate(__op, __left, __right),
                        ::core::option::Option::None => __left #op __right,
                    }
                }}))
            }
            (_, other) => other.clone(),
        };
    }

    /// Adds the mutants of a condition, and its opposite.
    fn condition(&mut self, condition: &mut Expr, operator: &'static str) {
        match condition {
            Expr::Let(e) => return self.visit_expr_mut(&mut e.expr),
            Expr::Binary(both) if has_let(&both.left) || has_let(&both.right) => {
                self.condition(&mut both.left, operator);
                return self.condition(&mut both.right, operator);
            }
            Expr::Paren(e) if !has_let(&e.expr) => return self.condition(&mut e.expr, operator),
            Expr::Macro(_) => {}
            Expr::Unary(e) if matches!(e.op, UnOp::Not(_)) => {
                let (original, inner) = (Expr::Unary(e.clone()), (*e.expr).clone());
                self.visit_expr_mut(&mut e.expr);
                let change = Change { operator: "cod", after: inner, how: How::Written };
                return self.insert(condition, &original, Form::Single, vec![change]);
            }
            _ => {}
        }
        let original = condition.clone();
        self.visit_expr_mut(condition);
        let changes = opposite(&original, operator).into_iter().collect();
        self.insert(condition, &original, Form::Single, changes);
    }

    /// Visits a value, and replaces it by a calculation if it is a variable with a number.
    fn value(&mut self, expr: &mut Expr) {
        if matches!(expr, Expr::Path(_)) && self.facts.is_number(expr) {
            let original = expr.clone();
            return self.insert(expr, &original, Form::Single, of_variable(&original));
        }
        self.visit_expr_mut(expr);
    }

    fn binary(&mut self, expr: &mut Expr) {
        let original = expr.clone();
        let Expr::Binary(e) = expr else { return };
        match e.op {
            BinOp::And(_) | BinOp::Or(_) => {
                self.condition(&mut e.left, "coi");
                self.condition(&mut e.right, "coi");
                if has_let(&original) {
                    return;
                }
            }
            op if crate::syntax::is_assignment(&op) => {
                self.place(&mut e.left);
                self.value(&mut e.right);
            }
            _ => {
                self.value(&mut e.left);
                self.value(&mut e.right);
            }
        }
        let Expr::Binary(binary) = &original else { return };
        let (form, changes) = of_binary(binary);
        self.insert(expr, &original, form, changes);
    }

    /// Visits the parts of a place, which itself stays one.
    fn place(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Path(_) => {}
            Expr::Field(e) => self.place(&mut e.base),
            Expr::Paren(e) => self.place(&mut e.expr),
            Expr::Unary(e) if matches!(e.op, UnOp::Deref(_)) => self.place(&mut e.expr),
            Expr::Index(e) => {
                self.place(&mut e.expr);
                self.value(&mut e.index);
            }
            other => self.visit_expr_mut(other),
        }
    }

    fn in_block(&mut self, block: &mut Block, is_unit: bool) {
        let count = block.stmts.len();
        for (i, stmt) in block.stmts.iter_mut().enumerate() {
            let is_last = i + 1 == count;
            let original = stmt.clone();
            // The code may not be compiled under its attribute, and would lose it.
            if matches!(stmt, Stmt::Expr(expr, _) if has_attribute(expr)) {
                continue;
            }
            match stmt {
                Stmt::Local(local) => self.visit_local_mut(local),
                Stmt::Expr(expr, semicolon) => {
                    let has_no_value = semicolon.is_some() || !is_last || is_unit;
                    self.with_unit(has_no_value, |this| this.visit_expr_mut(expr));
                }
                Stmt::Item(_) | Stmt::Macro(_) => {}
            }
            if can_be_left_out(&original, is_last, is_unit, &self.facts) {
                let span = first_span(&original.to_token_stream());
                let number = self.add("del", span, (&original, &TokenStream::new()));
                let item = self.item;
                *stmt = parse_quote!(if #item.at(#number, 1) != #number { #stmt });
            }
        }
    }

    fn with_unit<R>(&mut self, is_unit: bool, run: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.is_unit, is_unit);
        let result = run(self);
        self.is_unit = outer;
        result
    }

    /// The body of a loop, each round of which is a step.
    fn rounds(&mut self, body: &mut Block) {
        self.in_block(body, true);
        let krate = self.krate;
        body.stmts.insert(0, parse_quote!(#krate::__private::mutation::step();));
    }
}

fn has_attribute(expr: &Expr) -> bool {
    matches!(expr.to_token_stream().into_iter().next(), Some(TokenTree::Punct(first)) if first.as_char() == '#')
}

/// The operand of an expression with one, and the expression on the name `__value` in its place. A call, a variable or a
/// number is its own operand.
fn single_parts(expr: &Expr) -> (Expr, Expr) {
    match expr {
        Expr::Unary(e) => {
            let op = &e.op;
            ((*e.expr).clone(), parse_quote!(#op __value))
        }
        other => (other.clone(), parse_quote!(__value)),
    }
}

impl VisitMut for Rewriter<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        let is_unit = std::mem::replace(&mut self.is_unit, false);
        match expr {
            Expr::Binary(_) => self.binary(expr),
            Expr::If(ExprIf { cond, then_branch, else_branch, .. }) => {
                self.condition(cond, "neg");
                self.in_block(then_branch, is_unit || else_branch.is_none());
                if let Some((_, otherwise)) = else_branch {
                    self.with_unit(is_unit, |this| this.visit_expr_mut(otherwise));
                }
            }
            Expr::While(e) => {
                self.condition(&mut e.cond, "neg");
                self.rounds(&mut e.body);
            }
            Expr::Loop(e) => self.rounds(&mut e.body),
            Expr::ForLoop(e) => {
                self.visit_expr_mut(&mut e.expr);
                self.rounds(&mut e.body);
            }
            Expr::Match(e) => {
                self.visit_expr_mut(&mut e.expr);
                for arm in &mut e.arms {
                    if let Some((_, guard)) = &mut arm.guard {
                        self.condition(guard, "neg");
                    }
                    self.with_unit(is_unit, |this| this.visit_expr_mut(&mut arm.body));
                }
            }
            Expr::Block(e) => self.in_block(&mut e.block, is_unit && e.label.is_none()),
            Expr::Unsafe(e) => self.in_block(&mut e.block, is_unit),
            Expr::Assign(e) => {
                self.place(&mut e.left);
                self.value(&mut e.right);
            }
            Expr::Index(e) => {
                self.place(&mut e.expr);
                self.value(&mut e.index);
            }
            Expr::Range(e) => {
                for end in [&mut e.start, &mut e.end].into_iter().flatten() {
                    self.value(end);
                }
            }
            // A reference to a constant may live forever.
            Expr::Reference(e) if is_constant(&e.expr) => {}
            Expr::Reference(e) => self.place(&mut e.expr),
            Expr::Cast(e) if matches!(&*e.expr, Expr::Lit(_)) => {}
            // A number and its sign are one constant.
            Expr::Unary(e) if matches!(e.op, UnOp::Neg(_)) && matches!(&*e.expr, Expr::Lit(_)) => {
                let original = expr.clone();
                let changes = of_other(&original, &self.facts);
                self.insert(expr, &original, Form::Single, changes);
            }
            Expr::Closure(e) => self.visit_expr_closure_mut(e),
            // Constants, or code that is not known.
            Expr::Const(_) | Expr::Repeat(_) | Expr::Macro(_) | Expr::Verbatim(_) => {}
            _ => {
                let original = expr.clone();
                match expr {
                    Expr::MethodCall(e) => {
                        if !is_constant(&e.receiver) || matches!(&*e.receiver, Expr::Lit(_)) {
                            self.place(&mut e.receiver);
                        }
                        e.args.iter_mut().for_each(|argument| self.visit_expr_mut(argument));
                    }
                    Expr::Call(e) => e.args.iter_mut().for_each(|argument| self.visit_expr_mut(argument)),
                    Expr::Unary(e) if matches!(e.op, UnOp::Deref(_)) => self.place(&mut e.expr),
                    Expr::Field(e) => self.place(&mut e.base),
                    _ => visit_mut::visit_expr_mut(self, expr),
                }
                let changes = of_other(&original, &self.facts);
                self.insert(expr, &original, Form::Single, changes);
            }
        }
        self.is_unit = is_unit;
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        self.in_block(block, false);
    }

    fn visit_local_mut(&mut self, local: &mut Local) {
        let Some(init) = &mut local.init else { return };
        // Such a closure is called later, and its calls say what its arguments are.
        let outer = self.is_untyped;
        if let Expr::Closure(closure) = &*init.expr {
            self.is_untyped |= closure.inputs.iter().any(|input| !matches!(input, Pat::Type(_)));
        }
        self.value(&mut init.expr);
        self.is_untyped = outer;
        if let Some((_, otherwise)) = &mut init.diverge {
            self.with_unit(false, |this| this.visit_expr_mut(otherwise));
        }
    }

    fn visit_expr_closure_mut(&mut self, e: &mut ExprClosure) {
        self.visit_expr_mut(&mut e.body);
        let (krate, body) = (self.krate, &e.body);
        *e.body = parse_quote!({ #krate::__private::mutation::step(); #body });
    }

    // Not code of this function, or not an expression, or a constant.
    fn visit_item_mut(&mut self, _: &mut Item) {}
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_macro_mut(&mut self, _: &mut Macro) {}
    fn visit_path_mut(&mut self, _: &mut Path) {}
}
