//! Questions: comparisons with fields, which need not read them.
//!
//! * `L == R` becomes `__p::eq(PROMISE, L, R, |l, r| *l == *r)` if one of the two is a cell: a field `E.f`, written
//!   `E.f.__ask()`, an element `E.f[i]`, written `E.f.__at(i)`, a variable bound to a cell, or one of these plus or minus
//!   a number. Everything else is given as a reference. Both sides stay in their order. The operator is part of the
//!   call, so that the compiler sees it between the same types as in the original.
//! * `E.f.is_none()`, `is_some()` and `is_null()` are asked of the cell, and so is `ptr::eq`.
//! * An `Option` of which the promise says what `None` means is read with `__some`.
//! * A call of a function of the copy hands the promise on.
//!
//! Whether a field is a cell at all is for the compiler to find out, as with reads: on everything else these methods
//! give the place itself.

use super::looks;
use super::names;
use super::nested::{self, MirrorIs};
use super::promises::{context, forms};
use super::rewrite::Rewriter;
use super::tuples;
use super::vars::Var;
use crate::syntax::visit_mut::VisitMut;
use crate::syntax::{Names, any_ident, mentions, parse_quote, parse_quote_spanned, quote, quote_spanned};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    BinOp, Expr, ExprBinary, ExprCall, ExprIndex, ExprMethodCall, ExprUnary, Index, Lit, Macro, Token, UnOp,
};

impl Rewriter<'_> {
    /// An expression that a promise is about.
    pub(super) fn promised(&mut self, promise: &Expr, e: &Expr) -> Expr {
        let mut e = e.clone();
        if self.question(Some(promise), &mut e) {
            return e;
        }
        if forms::reads_field(&e) {
            return self.read_option(promise, e);
        }
        let is_call = !forms::is_question(&e) && !looks::is_question(&e);
        self.visit_expr_mut(&mut e);
        if !is_call {
            return e;
        }
        let (first, last) = ends(&e);
        let result = Index { index: 1, span: last };
        let call = quote_spanned!(first=> (__p::promise(#promise), #e, __p::unpromise()));
        parse_quote!(#call.#result)
    }

    /// A condition about one field: rules values of it out, and is then evaluated as it stands.
    pub(super) fn condition_about_field(&mut self, [promise, field, test, e]: [&Expr; 4]) -> Expr {
        let mut condition = e.clone();
        self.visit_expr_mut(&mut condition);
        let is_bound = |name: &Ident| {
            let var = self.vars.get(&name.to_string());
            matches!(var, Var::CellRef | Var::CellCopy | Var::ItemRef | Var::LateVec)
        };
        if !self.is_cell(field) || any_ident(test.to_token_stream(), &is_bound) {
            return condition;
        }
        let asked = self.ask(field);
        let (first, last) = ends(e);
        let result = Index { index: 1, span: last };
        // The test has the same variable, and may be of another macro than the field.
        let value = Ident::new("__v", Span::call_site());
        let mut ruled_out = quote_spanned!(first=> __p::unless(#promise, #asked, |#value| #test));
        // Copies that were not read yet rule nothing out.
        let mut mentioned = Names::default();
        add_idents(test.to_token_stream(), &mut mentioned);
        for name in mentioned.as_slice() {
            if self.vars.get(name) != Var::Late {
                continue;
            }
            let name = Ident::new(name, first);
            ruled_out = quote_spanned!(first=> if let ::core::option::Option::Some(&#name) = #name.__known() { #ruled_out });
        }
        parse_quote!((#ruled_out, #condition).#result)
    }

    /// Rewrites a comparison, if it is one that can be asked.
    pub(super) fn question(&mut self, promise: Option<&Expr>, e: &mut Expr) -> bool {
        let question = match e {
            Expr::MethodCall(c) if promise.is_some() && looks::is_question(&Expr::MethodCall(c.clone())) => {
                looks::call(self, promise, c)
            }
            Expr::Binary(b) if forms::is_comparison(&b.op) => self.comparison(promise, b),
            Expr::MethodCall(c) if forms::is_nullness(c) => self.nullness(promise, c),
            Expr::Call(c) => self.pointer_eq(promise, c),
            _ => None,
        };
        let Some(question) = question else { return false };
        *e = question;
        true
    }

    /// Whether an expression is the place of a cell, as far as the syntax tells.
    pub(super) fn is_cell(&self, e: &Expr) -> bool {
        match e {
            Expr::Paren(p) => self.is_cell(&p.expr),
            Expr::Field(f) => self.vars.of(&f.base) != Var::Own,
            Expr::Path(_) => matches!(self.vars.of(e), Var::CellCopy | Var::Late),
            Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) => match &**expr {
                Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) => self.vars.of(expr) == Var::ItemRef,
                Expr::MethodCall(c) => end_of_field(c).is_some(),
                _ => self.vars.of(expr) == Var::CellRef,
            },
            Expr::Index(i) => {
                let base = match &*i.expr {
                    Expr::Path(_) => !matches!(self.vars.of(&i.expr), Var::Own | Var::Mutable | Var::Late),
                    Expr::Field(_) | Expr::Index(_) => self.is_cell(&i.expr),
                    _ => false,
                };
                base && !matches!(&*i.index, Expr::Range(_)) && self.vars.of(&i.index) != Var::Own
            }
            _ => false,
        }
    }

    /// A cell as one side of a comparison.
    fn ask(&mut self, e: &Expr) -> Expr {
        match e {
            Expr::Paren(p) => self.ask(&p.expr),
            Expr::Unary(u) => self.ask(&u.expr),
            Expr::MethodCall(c) => self.ask_end(c),
            Expr::Field(f) => {
                let mut f = f.clone();
                tuples::asked_base(self, &mut f);
                parse_quote_spanned!(f.member.span()=> #f.__ask())
            }
            Expr::Index(i) => {
                let ExprIndex { mut expr, mut index, bracket_token, .. } = i.clone();
                self.visit_expr_mut(&mut expr);
                self.visit_expr_mut(&mut index);
                parse_quote_spanned!(bracket_token.span.join()=> #expr.__at(#index))
            }
            variable => parse_quote_spanned!(variable.span()=> #variable.__ask()),
        }
    }

    /// `x.f.last().unwrap()`, of which the cell is asked.
    fn ask_end(&mut self, c: &ExprMethodCall) -> Expr {
        let mut c = c.clone();
        if let Expr::MethodCall(end) = &mut *c.receiver {
            self.visit_expr_mut(&mut end.receiver);
            let field = &end.receiver;
            *end.receiver = parse_quote_spanned!(end.method.span()=> #field.__cells());
        }
        parse_quote_spanned!(c.method.span()=> #c.__ask())
    }

    /// `cell + n`, `n + cell`, `cell - n` as one side of a comparison.
    fn ask_sum(&mut self, e: &Expr) -> Option<Expr> {
        let Expr::Binary(b) = forms::strip(e) else { return None };
        let (cell, number, function) = match b.op {
            BinOp::Add(_) if self.is_cell(&b.left) && is_number(&b.right) => (&b.left, &b.right, "plus"),
            BinOp::Sub(_) if self.is_cell(&b.left) && is_number(&b.right) => (&b.left, &b.right, "minus"),
            // Here the number would be evaluated first.
            BinOp::Add(_) if self.is_cell(&b.right) && is_constant(&b.left) => (&b.right, &b.left, "plus"),
            _ => return None,
        };
        let (function, mut number) = (Ident::new(function, b.op.span()), number.clone());
        let cell = self.ask(cell);
        self.visit_expr_mut(&mut number);
        Some(parse_quote_spanned!(b.op.span()=> __p::#function(#cell, #number)))
    }

    /// One side of a comparison.
    fn operand(&mut self, e: &Expr) -> Expr {
        if self.is_cell(e) {
            return self.ask(e);
        }
        if let Some(sum) = self.ask_sum(e) {
            return sum;
        }
        let mut e = e.clone();
        self.visit_expr_mut(&mut e);
        parse_quote_spanned!(e.span()=> &(#e))
    }

    fn side(&mut self, variable: &str, operand: &Expr, place: &Expr) -> Side {
        let (first, last) = ends(place);
        Side { operand: self.operand(operand), variable: Ident::new(variable, last), first }
    }

    fn comparison(&mut self, promise: Option<&Expr>, b: &ExprBinary) -> Option<Expr> {
        let (mut left, mut right) = (&*b.left, &*b.right);
        let is_asked = |s: &Self, e: &Expr| s.is_cell(e) || s.is_sum(e);
        // `&a.f == &b.f`, and the same with variables that are references to cells.
        let (inner_left, inner_right) = match self.items(left, right) {
            Some((left, right)) => (Some(left), Some(right)),
            None => (self.referent(left), self.referent(right)),
        };
        match (&inner_left, &inner_right) {
            (Some(l), Some(r)) if is_asked(self, l) || is_asked(self, r) => (left, right) = (l, r),
            _ => {}
        }
        let asked_left = is_asked(self, left);
        let asked = asked_left || is_asked(self, right);
        let simple = promise.is_some() && is_simple(left) && is_simple(right);
        if !asked && !simple {
            return nested::equality(self, b);
        }
        if leaves(left) || leaves(right) || self.clashes(left, right) || self.clashes(right, left) {
            return None;
        }
        let function = Ident::new(operator(&b.op)?, b.op.span());
        let may_be_mirror =
            matches!(forms::strip(right), Expr::Field(_) | Expr::Index(_)) || forms::is_referent(right);
        // The mirror of a collection and a value of the user's own type: the mirror knows how they are compared.
        let to_field = |e: &Expr| !asked && matches!(e, Expr::Reference(r) if self.is_cell(&r.expr));
        let to_local = |e: &Expr| !asked && matches!(e, Expr::Reference(r) if !self.is_cell(&r.expr));
        let is_left = self.is_cell(left) && !is_asked(self, right) && nested::may_be_collection(right)
            || !asked && forms::is_referent(left) && forms::is_variable(right)
            || to_field(left)
            || to_local(right);
        let is_made = forms::is_made(left) || self.is_cell(right) && nested::may_be_collection(left);
        let is_right = !asked_left && may_be_mirror && is_made || to_field(right) || to_local(left);
        let is_literal = nested::is_literal(left) || nested::is_literal(right);
        let (left, right) = (self.side("__l", left, &b.left), self.side("__r", right, &b.right));
        let value = |side: &Side| if is_literal { side.value() } else { side.held() };
        let (l, op, r) = (value(&left), &b.op, value(&right));
        let mirror = match (is_left, is_right) {
            (true, _) => Some(MirrorIs::Left),
            (_, true) => Some(MirrorIs::Right),
            _ => None,
        };
        let sides = ((left.first, &left.variable), (right.first, &right.variable));
        let holds = mirror.and_then(|mirror| nested::compared(op, sides.0, sides.1, mirror));
        let holds = holds.unwrap_or_else(|| quote!(#l #op #r));
        Some(ask_about(promise, function, &left, &right, &holds))
    }

    fn is_sum(&self, e: &Expr) -> bool {
        let Expr::Binary(b) = forms::strip(e) else { return false };
        match b.op {
            BinOp::Add(_) => {
                self.is_cell(&b.left) && is_number(&b.right) || self.is_cell(&b.right) && is_constant(&b.left)
            }
            BinOp::Sub(_) => self.is_cell(&b.left) && is_number(&b.right),
            _ => false,
        }
    }

    /// `a < b` and `*a < *b` with references to items, as comparisons of what they lead to.
    fn items(&self, left: &Expr, right: &Expr) -> Option<(Expr, Expr)> {
        let (left, right) = match (left, right) {
            (
                Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr: left, .. }),
                Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr: right, .. }),
            ) => (&**left, &**right),
            sides => sides,
        };
        if self.vars.of(left) != Var::ItemRef || self.vars.of(right) != Var::ItemRef {
            return None;
        }
        let place = |e: &Expr| parse_quote_spanned!(e.span()=> **#e);
        Some((place(left), place(right)))
    }

    /// What an expression is a reference to, where that is plain to see.
    fn referent(&self, e: &Expr) -> Option<Expr> {
        match e {
            Expr::Paren(p) => self.referent(&p.expr),
            Expr::Reference(r) if r.mutability.is_none() => Some((*r.expr).clone()),
            Expr::Path(_) if self.vars.of(e) == Var::CellRef => Some(parse_quote_spanned!(e.span()=> *#e)),
            _ => None,
        }
    }

    /// Whether one side borrows a field of a local that the other side may write to: `acc.n == acc.next()`.
    fn clashes(&self, cell: &Expr, other: &Expr) -> bool {
        let Some(root) = root(cell) else { return false };
        self.vars.get(&root.to_string()) == Var::Mutable
            && may_write(other)
            && mentions(other.to_token_stream(), root)
    }

    fn nullness(&mut self, promise: Option<&Expr>, c: &ExprMethodCall) -> Option<Expr> {
        let is_reference = self.vars.of(&c.receiver) == Var::CellRef;
        if !is_reference && !self.is_cell(&c.receiver) {
            return None;
        }
        let (cell, method) = (self.ask(&c.receiver), &c.method);
        let under = match promise {
            Some(promise) => quote_spanned!(method.span()=> .__under(#promise)),
            None => TokenStream::new(),
        };
        Some(parse_quote_spanned!(method.span()=> #cell #under.#method()))
    }

    fn pointer_eq(&mut self, promise: Option<&Expr>, c: &ExprCall) -> Option<Expr> {
        let Expr::Path(p) = &*c.func else { return None };
        if !forms::is_pointer_eq(&p.path) || c.args.len() != 2 {
            return None;
        }
        let (left, right) = (&c.args[0], &c.args[1]);
        // A mutable reference cannot be copied for the question.
        let fits = |e: &Expr| is_simple(e) && self.vars.of(e) != Var::Mutable;
        if !(self.is_cell(left) && fits(right) || self.is_cell(right) && fits(left)) {
            return None;
        }
        let (left, right) = (self.side("__l", left, left), self.side("__r", right, right));
        let (l, r) = (left.value(), right.value());
        Some(ask_about(promise, Ident::new("eq", p.path.span()), &left, &right, &quote!(#p(#l, #r))))
    }

    /// An `Option` in a field, of which the promise says what `None` means.
    fn read_option(&mut self, promise: &Expr, e: Expr) -> Expr {
        match e {
            Expr::Reference(mut r) => {
                *r.expr = self.read_option(promise, *r.expr);
                Expr::Reference(r)
            }
            Expr::MethodCall(mut c) => {
                *c.receiver = self.read_option(promise, *c.receiver);
                Expr::MethodCall(c)
            }
            Expr::Field(mut f) if self.vars.of(&f.base) != Var::Own => {
                tuples::base(self, &mut f);
                parse_quote_spanned!(f.member.span()=> (*#f.__some(#promise)))
            }
            Expr::Index(i) if self.is_cell(&Expr::Index(i.clone())) => {
                let ExprIndex { mut expr, mut index, bracket_token, .. } = i;
                self.visit_expr_mut(&mut expr);
                self.visit_expr_mut(&mut index);
                parse_quote_spanned!(bracket_token.span.join()=> (*#expr.__some_at(#index, #promise)))
            }
            mut other => {
                self.visit_expr_mut(&mut other);
                other
            }
        }
    }
}

/// The field in `x.f.last().unwrap()`.
pub(super) fn end_of_field(c: &ExprMethodCall) -> Option<&Expr> {
    let Expr::MethodCall(end) = &*c.receiver else { return None };
    let is_unwrapped = c.method == "unwrap" && c.args.is_empty() || c.method == "expect" && c.args.len() == 1;
    let is_end = (end.method == "first" || end.method == "last") && end.args.is_empty();
    (is_unwrapped && is_end && matches!(&*end.receiver, Expr::Field(_))).then_some(&*end.receiver)
}

/// One side of a comparison inside of a question.
struct Side {
    /// The cell, or a reference to the value.
    operand: Expr,
    /// The variable that stands for a reference to the value in the operator. Its definition and its use have the same
    /// span, so that they meet even if the tokens of the operand come out of a macro.
    variable: Ident,
    /// Where the operand begins.
    first: Span,
}

impl Side {
    /// `*variable`, in the place of the operand.
    fn value(&self) -> TokenStream {
        let (star, variable) = (Token![*](self.first), &self.variable);
        quote!(#star #variable)
    }

    /// The same for operands that may have different types.
    fn held(&self) -> TokenStream {
        let variable = &self.variable;
        nested::held(self.first, variable.span(), &quote!(#variable))
    }
}

/// `__p::eq(PROMISE, left, right, |__l, __r| holds)`
fn ask_about(
    promise: Option<&Expr>,
    function: Ident,
    left: &Side,
    right: &Side,
    holds: &TokenStream,
) -> Expr {
    let promise = match promise {
        Some(promise) => promise.to_token_stream(),
        None => quote!(0),
    };
    let (l, r, left, right) = (&left.variable, &right.variable, &left.operand, &right.operand);
    let call = quote_spanned!(function.span()=> __p::#function(#promise, #left, #right, |#l, #r| #holds));
    parse_quote!(#call)
}

fn operator(op: &BinOp) -> Option<&'static str> {
    Some(match op {
        BinOp::Eq(_) => "eq",
        BinOp::Ne(_) => "ne",
        BinOp::Lt(_) => "lt",
        BinOp::Le(_) => "le",
        BinOp::Gt(_) => "gt",
        BinOp::Ge(_) => "ge",
        _ => return None,
    })
}

/// Where the first and the last token of an expression stand.
pub(super) fn ends(e: &Expr) -> (Span, Span) {
    let (mut first, mut last) = (None, Span::call_site());
    for token in e.to_token_stream() {
        first.get_or_insert(token.span());
        last = match token {
            TokenTree::Group(g) => g.span_close(),
            other => other.span(),
        };
    }
    (first.unwrap_or(last), last)
}

/// A path, a field, or a reference to one, or what one refers to.
fn is_simple(e: &Expr) -> bool {
    match e {
        Expr::Path(_) => true,
        Expr::Paren(p) => is_simple(&p.expr),
        Expr::Field(f) => is_simple(&f.base),
        Expr::Reference(r) => r.mutability.is_none() && is_simple(&r.expr),
        Expr::Unary(u) => matches!(u.op, UnOp::Deref(_)) && is_simple(&u.expr),
        _ => false,
    }
}

/// A literal or a constant.
fn is_constant(e: &Expr) -> bool {
    match e {
        Expr::Lit(l) => matches!(l.lit, Lit::Int(_)),
        Expr::Paren(p) => is_constant(&p.expr),
        Expr::Unary(u) => matches!(u.op, UnOp::Neg(_)) && is_constant(&u.expr),
        Expr::Path(p) => p.path.segments.last().is_some_and(|s| names::is_constant(&s.ident)),
        _ => false,
    }
}

/// What can only be a number, and not a reference to one or something else that can be added.
pub(super) fn is_number(e: &Expr) -> bool {
    match e {
        Expr::Cast(_) => true,
        Expr::Paren(p) => is_number(&p.expr),
        Expr::MethodCall(c) => c.args.is_empty() && (c.method == "len" || c.method == "count"),
        other => is_constant(other),
    }
}

/// `return` and the like, which have no value.
pub(super) fn leaves(e: &Expr) -> bool {
    matches!(forms::strip(e), Expr::Return(_) | Expr::Break(_) | Expr::Continue(_))
}

/// The variable that a place starts from.
fn root(e: &Expr) -> Option<&Ident> {
    match e {
        Expr::Field(f) => root(&f.base),
        Expr::Index(i) => root(&i.expr),
        Expr::Paren(p) => root(&p.expr),
        Expr::Unary(u) => root(&u.expr),
        Expr::Reference(r) => root(&r.expr),
        Expr::Binary(b) => root(&b.left).or_else(|| root(&b.right)),
        Expr::Path(p) => p.path.get_ident(),
        _ => None,
    }
}

fn may_write(e: &Expr) -> bool {
    struct Find(bool);
    impl VisitMut for Find {
        fn visit_expr_mut(&mut self, e: &mut Expr) {
            self.0 |= matches!(
                e,
                Expr::MethodCall(_) | Expr::Call(_) | Expr::Assign(_) | Expr::Block(_) | Expr::Closure(_)
            );
            self.0 |= matches!(e, Expr::Reference(r) if r.mutability.is_some());
            crate::syntax::visit_mut::visit_expr_mut(self, e);
        }
        fn visit_macro_mut(&mut self, _: &mut Macro) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    find.visit_expr_mut(&mut e.clone());
    find.0
}

/// Adds the identifiers in tokens.
fn add_idents(tokens: TokenStream, names: &mut Names) {
    for token in tokens {
        match token {
            TokenTree::Ident(i) => {
                names.insert(i.to_string());
            }
            TokenTree::Group(g) => add_idents(g.stream(), names),
            _ => {}
        }
    }
}

/// The expression that a mark is around.
pub(super) fn unmarked(e: &Expr) -> &Expr {
    context::marked(e).map_or(e, |(_, inner)| inner)
}
