//! Promises: what the result of an expression means for the whole invariant, from where the expression stands.
//!
//! Each function of the copy begins by taking what its caller has promised about its result: that the invariant is
//! false if the function returns `false`, or if it returns `true`. From there a promise goes down to the parts of the
//! function as long as the source says what a part means for the whole:
//!
//! * the last expression and `return e` mean what the result means; `!e` the opposite;
//! * in `a && b`, each of the two being `false` means that the whole is, and `b` is the whole once it is reached; `||`
//!   likewise with `true`;
//! * `c` in `if c { return false }` being `true` means that the function is false, and so on for the other branch, for
//!   branches that are nothing but `true` or `false`, for `let P = e else { return false }`, for `match` and for `?`;
//! * methods with the names of those of `Option`, `Result`, `bool` and `Iterator` do what these do ([`methods`]);
//! * a call of a function of the copy passes the promise on ([`functions`]);
//! * a condition about one field says what each of its values means ([`one_field`]).
//!
//! Everywhere else there is no promise: what is put into a variable, an accumulator or a container, what a loop breaks
//! with, operands of other operators, arguments, bodies of closures that other code calls, and what is inside of
//! macro calls. A promise too few costs time; one too many loses values.
//!
//! Promises are put where the last step finds them: `__promised(PROMISE, e)` around each comparison, question, read of
//! an `Option` and call that they are about ([`context::mark`]).

pub(super) mod context;
pub(super) mod forms;
pub(super) mod functions;
mod methods;
mod one_field;
mod outcomes;

use super::looks;
use super::std_macros;
use crate::syntax::parse_quote;
use crate::syntax::visit_mut::{self, VisitMut};
use context::{About, Bit, Context};
use forms::{is_invariant, is_question, is_runtime, reads_field};
use functions::Functions;
use outcomes::{Outcome, Shape};
use proc_macro2::Ident;
use syn::{
    BinOp, Block, Expr, ExprCall, ExprIf, ExprMatch, ExprMethodCall, ImplItem, Item, ItemFn, Local, Macro,
    Pat, Signature, Stmt, Type, UnOp,
};

/// One pass over an item.
pub(super) struct Promises {
    functions: Functions,
    /// The function whose conjuncts are run one by one, each with its own outcome.
    invariant: Option<Ident>,
    /// What is promised about what `return` returns.
    returned: Context,
    /// How many functions we are in.
    depth: usize,
    /// We are in a condition about one field.
    in_condition: bool,
}

impl Promises {
    pub(super) fn new(functions: Functions, invariant: Option<Ident>) -> Promises {
        Promises { functions, invariant, returned: Context::NOTHING, depth: 0, in_condition: false }
    }

    /// A function, which takes a promise if its result is worth one and its name is its own.
    fn function(&mut self, sig: &Signature, block: &mut Block, in_trait: bool) {
        if sig.constness.is_some() {
            return; // It uses no structures.
        }
        let about = if in_trait { None } else { functions::takes(sig) };
        let own = about.map_or(Context::NOTHING, Context::own);
        let outer = std::mem::replace(&mut self.returned, own);
        self.depth += 1;
        if self.depth == 1 && self.invariant.as_ref() == Some(&sig.ident) {
            self.invariant(block);
        } else {
            self.block(block, own);
        }
        self.depth -= 1;
        block.stmts.insert(0, about.map_or_else(context::drop_pending, |_| context::take()));
        self.returned = outer;
    }

    /// The body of the invariant, whose conjuncts are run in any order: none of them is the whole.
    fn invariant(&mut self, b: &mut Block) {
        self.block_with(b, &mut |s, tail| match tail {
            Expr::Block(b) => s.invariant(&mut b.block),
            Expr::Unsafe(u) => s.invariant(&mut u.block),
            other => s.conjuncts(other),
        });
    }

    fn conjuncts(&mut self, e: &mut Expr) {
        match e {
            Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => {
                self.conjuncts(&mut b.left);
                self.conjuncts(&mut b.right);
            }
            operand => self.value(operand, self.returned.only_false()),
        }
    }

    fn block(&mut self, b: &mut Block, c: Context) {
        self.block_with(b, &mut |s, tail| s.value(tail, c));
    }

    fn block_with(&mut self, b: &mut Block, tail: &mut dyn FnMut(&mut Self, &mut Expr)) {
        let last = b.stmts.len().wrapping_sub(1);
        for (i, stmt) in b.stmts.iter_mut().enumerate() {
            match stmt {
                Stmt::Local(l) => self.local(l),
                Stmt::Expr(e, None) if i == last => tail(self, e),
                other => self.visit_stmt_mut(other),
            }
        }
    }

    /// `let P = e else { return false };`
    fn local(&mut self, l: &mut Local) {
        let Some(init) = &mut l.init else { return };
        let Some((_, otherwise)) = &mut init.diverge else { return self.visit_expr_mut(&mut init.expr) };
        let fails = self.outcome(outcomes::of(otherwise), Context::NOTHING);
        self.let_(&l.pat, &mut init.expr, Context::truth(fails, None));
        self.visit_expr_mut(otherwise);
    }

    /// What follows from an outcome in a branch that is promised `c`.
    fn outcome(&self, outcome: Option<Outcome>, c: Context) -> Option<Bit> {
        match outcome? {
            Outcome::Is(value) => c.on(value),
            Outcome::Returns(value) => self.returned.on(value),
        }
    }

    /// `let P = e` as a condition that is promised `c`.
    fn let_(&mut self, p: &Pat, e: &mut Expr, c: Context) {
        let inside = match outcomes::shape(p) {
            Shape::Present => c.of(About::Presence),
            Shape::PartlyPresent => c.only_false().of(About::Presence),
            Shape::Absent => c.not().of(About::Presence),
            Shape::Anything | Shape::Unknown => Context::NOTHING,
        };
        self.value(e, inside);
    }

    /// The condition of an `if` or a guard.
    fn condition(&mut self, e: &mut Expr, c: Context) {
        match e {
            Expr::Let(l) => self.let_(&l.pat, &mut l.expr, c),
            Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => {
                self.condition(&mut b.left, c.only_false());
                self.condition(&mut b.right, c);
            }
            other => self.value(other, c),
        }
    }

    fn if_(&mut self, i: &mut ExprIf, c: Context) {
        let then = self.outcome(outcomes::of_block(&i.then_branch), c);
        let otherwise = i.else_branch.as_ref().and_then(|(_, e)| self.outcome(outcomes::of(e), c));
        self.condition(&mut i.cond, Context::truth(otherwise, then));
        self.block(&mut i.then_branch, c);
        if let Some((_, e)) = &mut i.else_branch {
            self.value(e, c);
        }
    }

    fn match_(&mut self, m: &mut ExprMatch, c: Context) {
        let scrutinee =
            Context::presence(self.arm_of(m, c, Shape::Absent), self.arm_of(m, c, Shape::Present));
        let is_option = m.arms.iter().any(|a| {
            matches!(outcomes::shape(&a.pat), Shape::Present | Shape::PartlyPresent | Shape::Absent)
        });
        self.value(&mut m.expr, if is_option { scrutinee } else { Context::NOTHING });
        for arm in &mut m.arms {
            if let Some((_, guard)) = &mut arm.guard {
                self.condition(guard, Context::NOTHING);
            }
            self.value(&mut arm.body, c);
        }
    }

    /// What follows if an `Option` or `Result` that is matched is absent, or present: the outcome of the only arm that
    /// can match.
    fn arm_of(&self, m: &ExprMatch, c: Context, wanted: Shape) -> Option<Bit> {
        for arm in &m.arms {
            match outcomes::shape(&arm.pat) {
                Shape::Present | Shape::PartlyPresent if wanted == Shape::Absent => {}
                Shape::Absent if wanted == Shape::Present => {}
                Shape::Present | Shape::Absent | Shape::Anything if arm.guard.is_none() => {
                    return self.outcome(outcomes::of(&arm.body), c);
                }
                _ => return None,
            }
        }
        None
    }

    fn method_call(&mut self, c: &mut ExprMethodCall, context: Context) {
        let (receiver, arguments) = methods::parts(c, context);
        self.value(&mut c.receiver, receiver);
        for (i, argument) in c.args.iter_mut().enumerate() {
            self.argument(argument, arguments.get(i).copied().unwrap_or(Context::NOTHING));
        }
    }

    /// An argument that is called for its result, if it is a closure or a function.
    fn argument(&mut self, e: &mut Expr, c: Context) {
        match e {
            _ if c.is_nothing() => self.visit_expr_mut(e),
            Expr::Closure(closure) if closure.asyncness.is_none() => {
                let outer = std::mem::replace(&mut self.returned, c);
                self.value(&mut closure.body, c);
                self.returned = outer;
            }
            Expr::Path(p) if self.functions.has(&p.path) => {
                let mut call: Expr = parse_quote!(#p(__x));
                self.value(&mut call, c);
                *e = parse_quote!(|__x| #call);
            }
            other => self.visit_expr_mut(other),
        }
    }

    /// A closure that other code calls, perhaps while a promise waits for another function.
    fn closure(&mut self, body: &mut Expr) {
        let is_quiet = self.functions.is_quiet(body);
        let outer = std::mem::replace(&mut self.returned, Context::NOTHING);
        self.visit_expr_mut(body);
        self.returned = outer;
        if !is_quiet {
            let first = context::drop_pending();
            match body {
                Expr::Block(b) if b.label.is_none() && b.attrs.is_empty() => b.block.stmts.insert(0, first),
                other => *other = parse_quote!({ #first #other }),
            }
        }
    }

    fn call(&mut self, c: &mut ExprCall, context: Context) {
        match (&*c.func, c.args.len()) {
            // The probes of decisions, which pass the value through.
            (Expr::Path(p), 3) if is_runtime(&p.path, "decide") => match &mut c.args[2] {
                Expr::If(i) => self.value(&mut i.cond, context),
                other => self.visit_expr_mut(other),
            },
            (Expr::Path(p), 3) if is_runtime(&p.path, "attempt") => self.value(&mut c.args[2], context),
            _ => visit_mut::visit_expr_call_mut(self, c),
        }
    }

    /// An expression whose value is promised `c`.
    fn value(&mut self, e: &mut Expr, c: Context) {
        let about_one = if c.is_nothing() || self.in_condition { None } else { one_field::of(e) };
        if let Some((field, test)) = about_one {
            self.in_condition = true;
            self.value(e, c);
            self.in_condition = false;
            context::mark_condition(c, &field, &test, e);
            return;
        }
        let is_question = is_question(e) || self.is_lookup(e, c);
        let is_call = self.is_own_call(e) && self.functions.carries(e);
        let is_read = c.about == About::Presence && c.on_false.is_some() && reads_field(e);
        match e {
            Expr::Paren(p) => self.value(&mut p.expr, c),
            Expr::Unary(u) if matches!(u.op, UnOp::Not(_)) => self.value(&mut u.expr, c.not()),
            Expr::Binary(b) if matches!(b.op, BinOp::And(_)) => {
                self.value(&mut b.left, c.only_false());
                self.value(&mut b.right, c);
            }
            Expr::Binary(b) if matches!(b.op, BinOp::Or(_)) => {
                self.value(&mut b.left, c.only_true());
                self.value(&mut b.right, c);
            }
            Expr::Block(b) if b.label.is_none() => self.block(&mut b.block, c),
            Expr::Unsafe(u) => self.block(&mut u.block, c),
            Expr::If(i) => self.if_(i, c),
            Expr::Match(m) => self.match_(m, c),
            Expr::Return(r) => {
                if let Some(e) = &mut r.expr {
                    self.value(e, self.returned);
                }
            }
            Expr::Try(t) => {
                let fails = self.returned.only_false();
                self.value(
                    &mut t.expr,
                    if fails.about == About::Presence { fails } else { Context::NOTHING },
                );
            }
            Expr::Closure(closure) => self.closure(&mut closure.body),
            Expr::Async(_) => {
                let outer = std::mem::replace(&mut self.returned, Context::NOTHING);
                visit_mut::visit_expr_mut(self, e);
                self.returned = outer;
            }
            Expr::MethodCall(m)
                if is_question || is_call || is_read || self.functions.has_method(&m.method) =>
            {
                visit_mut::visit_expr_method_call_mut(self, m);
            }
            Expr::MethodCall(m) => self.method_call(m, c),
            Expr::Call(call) => self.call(call, c),
            Expr::Repeat(r) => self.visit_expr_mut(&mut r.expr),
            Expr::Const(_) => {}
            _ => visit_mut::visit_expr_mut(self, e),
        }
        if is_read {
            context::mark(c.only_false(), e);
        } else if is_question || is_call {
            // The invariant of a sequence is that of its elements: only `false` is passed on by one of them.
            let c = if is_invariant(e) { c.only_false() } else { c };
            if !c.is_nothing() {
                context::mark(c, e);
            }
        }
    }

    /// Whether an expression looks up a key in a set or a map, as far as the syntax tells.
    fn is_lookup(&self, e: &Expr, c: Context) -> bool {
        let Expr::MethodCall(m) = e else { return false };
        let about = if m.method == "get" { About::Presence } else { About::Truth };
        let is_place = matches!(&*m.receiver, Expr::Field(_) | Expr::Index(_) | Expr::Path(_));
        is_place && c.about == about && looks::is_question(e) && !self.functions.has_method(&m.method)
    }

    fn is_own_call(&self, e: &Expr) -> bool {
        match e {
            Expr::Call(c) => matches!(&*c.func, Expr::Path(p) if self.functions.has(&p.path)),
            Expr::MethodCall(c) => self.functions.has_method(&c.method),
            _ => false,
        }
    }
}

impl VisitMut for Promises {
    fn visit_item_mut(&mut self, item: &mut Item) {
        match item {
            Item::Fn(f) => self.visit_item_fn_mut(f),
            Item::Impl(block) => {
                let in_trait = block.trait_.is_some();
                for item in &mut block.items {
                    if let ImplItem::Fn(f) = item {
                        if self.depth == 0 {
                            self.functions.enter(&mut |v| v.visit_impl_item_fn_mut(f));
                        }
                        self.function(&f.sig, &mut f.block, in_trait);
                    }
                }
            }
            _ => {}
        }
    }

    fn visit_item_fn_mut(&mut self, f: &mut ItemFn) {
        if self.depth == 0 {
            self.functions.enter(&mut |v| v.visit_item_fn_mut(f));
        }
        self.function(&f.sig, &mut f.block, false);
    }

    fn visit_type_mut(&mut self, _: &mut Type) {}

    fn visit_block_mut(&mut self, b: &mut Block) {
        self.block(b, Context::NOTHING);
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        self.value(e, Context::NOTHING);
    }

    /// A macro may put its arguments anywhere.
    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        let outer = std::mem::replace(&mut self.returned, Context::NOTHING);
        std_macros::change(mac, &mut |e| self.visit_expr_mut(e));
        self.returned = outer;
    }
}
