//! The conjuncts of the invariant: `a && b && c` at its end, run one by one in an order that the engine decides.
//!
//! They become the arms of a `match` in a loop, so nothing in them may be moved out of a variable that lives outside:
//! the compiler does not know that each arm is run once. Where that cannot be ruled out, the chain stays as it is
//! ([`Moves`]).
//!
//! A conjunct is *pure* if it changes nothing that the others read ([`Changes`]). A conjunct that reads a variable which
//! another one fills is pure, but has to run after that one, which is not pure. A conjunct in `unsafe` may rely on those
//! before it for memory safety, so it keeps its place. `unsafe` code in functions that a conjunct calls ends an evaluation
//! that is out of turn (`before_unsafe`), before it does anything.

use super::statements::Written;
use super::{chains, names, select, std_macros, sunk};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{NameMap, any_ident, is_ident_of, is_one_of, parse_quote, quote, quote_spanned, text};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    BinOp, Block, Expr, ExprBlock, ExprMethodCall, ExprUnsafe, Ident, ImplItem, Item, Local, Macro, Pat,
    PatIdent, Stmt, Type, UnOp,
};

/// A row of the table.
struct Site {
    text: String,
    span: Span,
    is_pure: bool,
    is_movable: bool,
}

/// The conjuncts of an invariant.
pub(super) struct Conjuncts {
    invariant: Ident,
    sites: Vec<Site>,
    /// For each statement before them, the conjunct that it is evaluated with.
    sunk: Vec<Option<usize>>,
}

impl Conjuncts {
    /// The conjuncts of the invariant of a block, in the user's words. Statements that became conjuncts are `written`.
    pub(super) fn of(item: &Item, invariant: &Ident, written: &[Written]) -> Option<Conjuncts> {
        let Item::Impl(block) = item else { return None };
        let body = &select::function(block, invariant)?.block;
        let mut locals = Locals::default();
        let (last, in_unsafe, before) = tail(body, &mut locals)?;
        let operands = chains::operands(last);
        let sunk = match in_unsafe || operands.len() < 2 {
            true => vec![None; before.len()],
            false => sunk::plan(before, &operands),
        };
        for name in sunk::names(before, &sunk) {
            locals.0.remove(&name);
        }
        let mut moves = Moves { locals: &locals, found: false };
        for e in &operands {
            moves.condition(&mut e.clone());
        }
        if operands.len() < 2 || moves.found {
            return None;
        }
        let mut sites = vec![];
        for (i, e) in operands.iter().enumerate() {
            let mut changes = Changes { locals: &locals, found: false };
            changes.visit_expr_mut(&mut e.clone());
            let (text, span) = match written.get(i) {
                Some(written) => (written.text.clone(), written.span),
                None => (text::of(std_macros::with_matches(e)), e.span()),
            };
            sites.push(Site {
                text,
                span,
                is_pure: !changes.found,
                is_movable: !changes.found && !in_unsafe,
            });
        }
        Some(Conjuncts { invariant: invariant.clone(), sites, sunk })
    }

    /// Takes the statements out of the block that are evaluated with a conjunct. Returns those of each conjunct. Engines that
    /// decide values still evaluate them in their place.
    fn take_statements(&self, block: &mut Block) -> Vec<Vec<Stmt>> {
        let mut of_conjunct = vec![vec![]; self.sites.len()];
        // Other steps may have put statements before those of the user.
        let first = block.stmts.len().saturating_sub(self.sunk.len() + 1);
        let mut kept = vec![];
        for (i, stmt) in std::mem::take(&mut block.stmts).into_iter().enumerate() {
            match i.checked_sub(first).and_then(|i| self.sunk.get(i).copied().flatten()) {
                Some(conjunct) => of_conjunct[conjunct].push(stmt),
                None => kept.push(stmt),
            }
        }
        if let Some(tail) = kept.pop() {
            let mut all = TokenStream::new();
            for stmts in &of_conjunct {
                for stmt in stmts {
                    stmt.to_tokens(&mut all);
                }
            }
            if !all.is_empty() {
                kept.push(parse_quote!(if __p::reads_in_order() { #all }));
            }
            kept.push(tail);
        }
        block.stmts = kept;
        of_conjunct
    }

    pub(super) fn invariant(&self) -> &Ident {
        &self.invariant
    }

    /// The table, for the block of the copy.
    pub(super) fn table(&self) -> TokenStream {
        let mut rows = vec![];
        for Site { text, span, is_pure, is_movable } in &self.sites {
            let line = quote_spanned!(*span=> ::core::line!());
            // Out of turn it may panic, so panics have to unwind in this crate, too.
            let is_movable = match is_movable {
                true => quote!(::core::cfg!(panic = "unwind")),
                false => quote!(false),
            };
            rows.push(
                quote!(__p::ConjunctSite { text: #text, line: #line, is_pure: #is_pure, is_movable: #is_movable }),
            );
        }
        quote!(static __CONJUNCTS: &[__p::ConjunctSite] = &[#(#rows),*];)
    }

    /// Puts the loop into the copy.
    pub(super) fn put_into(&self, item: &mut Item) {
        let Item::Impl(block) = item else { return };
        for item in &mut block.items {
            let block = match item {
                ImplItem::Fn(f) if f.sig.ident == self.invariant => tail_block(&mut f.block),
                _ => None,
            };
            if let Some(block) = block {
                let sunk = self.take_statements(block);
                let Some(Stmt::Expr(tail, None)) = block.stmts.last_mut() else { continue };
                let mut arms = TokenStream::new();
                for (i, mut operand) in chains::operands(tail).into_iter().enumerate() {
                    let (stmts, number) = (&sunk[i], i as u32);
                    if !stmts.is_empty() {
                        operand = parse_quote!({ #(#stmts)* #operand });
                    }
                    // A conjunct that is evaluated out of turn may panic.
                    let arm = match self.sites[i].is_movable {
                        true => quote!(#number => __k.run(#number, || #operand),),
                        false => quote!(#number => #operand,),
                    };
                    arm.to_tokens(&mut arms);
                }
                *tail = parse_quote!({
                    let mut __k = __p::Conjuncts::start(__CONJUNCTS);
                    loop {
                        let Some(__i) = __k.next() else { break true };
                        let __holds: ::core::primitive::bool = match __i {
                            #arms
                            _ => ::core::unreachable!(),
                        };
                        if !__k.held(__i, __holds) {
                            break false;
                        }
                    }
                });
            }
        }
    }
}

/// The last expression of a block, however deep, whether it stands in `unsafe`, and the statements before it.
fn tail<'b>(b: &'b Block, locals: &mut Locals) -> Option<(&'b Expr, bool, &'b [Stmt])> {
    let (Stmt::Expr(last, None), before) = b.stmts.split_last()? else { return None };
    for stmt in before {
        if let Stmt::Local(l) = stmt {
            locals.add(l);
        }
    }
    match last {
        Expr::Block(b) if b.label.is_none() => tail(&b.block, locals),
        Expr::Unsafe(u) => tail(&u.block, locals).map(|(e, _, before)| (e, true, before)),
        other => Some((other, false, before)),
    }
}

/// The innermost block that ends with the last expression.
fn tail_block(b: &mut Block) -> Option<&mut Block> {
    let is_inner = match b.stmts.last()? {
        Stmt::Expr(Expr::Block(inner), None) => inner.label.is_none(),
        Stmt::Expr(Expr::Unsafe(_), None) => true,
        Stmt::Expr(_, None) => false,
        _ => return None,
    };
    if !is_inner {
        return Some(b);
    }
    match b.stmts.last_mut() {
        Some(Stmt::Expr(
            Expr::Block(ExprBlock { block, .. }) | Expr::Unsafe(ExprUnsafe { block, .. }),
            None,
        )) => tail_block(block),
        _ => None,
    }
}

/// The variables that the conjuncts see.
#[derive(Default)]
struct Locals(NameMap<Variable>);

#[derive(Clone, Copy, Default)]
struct Variable {
    /// It surely can be copied.
    is_copy: bool,
    /// It may be written to.
    is_mutable: bool,
    /// It may be written to through a shared reference.
    is_shared: bool,
}

impl Locals {
    fn add(&mut self, l: &Local) {
        struct Names(Vec<(String, bool)>);
        impl VisitMut for Names {
            fn visit_pat_ident_mut(&mut self, i: &mut PatIdent) {
                self.0.push((i.ident.to_string(), i.mutability.is_some()));
                visit_mut::visit_pat_ident_mut(self, i);
            }
        }
        let init = l.init.as_ref().map(|i| &*i.expr);
        let mentioned = |names: &[&str]| init.is_some_and(|e| mentions(e.to_token_stream(), names));
        let writes = mentioned(&["mut"]);
        let is_shared = mentioned(&["Cell", "RefCell", "OnceCell", "Mutex", "RwLock"]);
        let is_copy = matches!(&l.pat, Pat::Type(t) if is_copy_type(&t.ty)) || init.is_some_and(is_copied);
        let mut names = Names(vec![]);
        names.visit_pat_mut(&mut l.pat.clone());
        for (name, is_mut) in names.0 {
            self.0.insert(&name, Variable { is_copy, is_mutable: is_mut || writes, is_shared });
        }
    }

    /// The variable that an expression is.
    fn get(&self, e: &Expr) -> Option<Variable> {
        let Expr::Path(p) = e else { return None };
        self.0.get(&p.path.get_ident()?.to_string()).copied()
    }
}

fn is_copy_type(ty: &Type) -> bool {
    match ty {
        Type::Reference(r) => r.mutability.is_none(),
        Type::Path(p) => is_ident_of(
            &p.path,
            &["bool", "char", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize"],
        ),
        _ => false,
    }
}

/// Whether the value of an expression, or what a pattern takes out of it, can surely be copied: references, numbers,
/// and everything that is read out of a field.
fn is_copied(e: &Expr) -> bool {
    match e {
        Expr::Reference(r) => r.mutability.is_none(),
        Expr::Lit(_) | Expr::Cast(_) | Expr::Binary(_) => true,
        Expr::Paren(p) => is_copied(&p.expr),
        Expr::Field(f) => is_copied(&f.base),
        Expr::Path(p) => p.path.is_ident("self"),
        Expr::MethodCall(c) => match c.method.to_string().as_str() {
            "len" | "count" | "is_empty" | "is_some" | "is_none" | "as_ref" | "as_deref" => true,
            "unwrap" | "copied" => is_copied(&c.receiver),
            _ => false,
        },
        _ => false,
    }
}

fn mentions(tokens: TokenStream, names: &[&str]) -> bool {
    any_ident(tokens, &|ident| is_one_of(ident, names) || ident.to_string().starts_with("Atomic"))
}

/// Methods that take their receiver by reference.
const BY_REFERENCE: &str = "\
    as_deref as_ref as_slice contains contains_key ends_with first get insert is_disjoint is_empty is_err \
    is_none is_ok is_some is_sorted is_subset iter keys last len pop push remove starts_with values \
    windows";

/// Looks for variables that may be moved.
struct Moves<'a> {
    locals: &'a Locals,
    found: bool,
}

impl Moves<'_> {
    /// A `bool`, which is copied.
    fn condition(&mut self, e: &mut Expr) {
        match e {
            Expr::Binary(b) if matches!(b.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.condition(&mut b.left);
                self.condition(&mut b.right);
            }
            Expr::Unary(u) if matches!(u.op, UnOp::Not(_)) => self.condition(&mut u.expr),
            Expr::Paren(p) => self.condition(&mut p.expr),
            other => self.place(other),
        }
    }

    /// A place that is only read.
    fn place(&mut self, e: &mut Expr) {
        match e {
            Expr::Path(_) => {}
            Expr::Paren(p) => self.place(&mut p.expr),
            Expr::Field(f) => self.place(&mut f.base),
            Expr::Index(i) => {
                self.place(&mut i.expr);
                self.place(&mut i.index);
            }
            Expr::Unary(u) => self.place(&mut u.expr),
            other => self.visit_expr_mut(other),
        }
    }

    /// Whether a place belongs to a variable that may not be copied.
    fn is_local(&self, e: &Expr) -> bool {
        match e {
            Expr::Path(_) => self.locals.get(e).is_some_and(|variable| !variable.is_copy),
            Expr::Paren(p) => self.is_local(&p.expr),
            Expr::Field(f) => self.is_local(&f.base),
            Expr::Index(i) => self.is_local(&i.expr),
            _ => false,
        }
    }

    fn method_call(&mut self, c: &mut ExprMethodCall) {
        if self.is_local(&c.receiver) {
            self.found |= !names::lists(BY_REFERENCE, &c.method.to_string());
            self.place(&mut c.receiver);
        } else {
            self.visit_expr_mut(&mut c.receiver);
        }
        for argument in &mut c.args {
            self.visit_expr_mut(argument);
        }
    }
}

impl VisitMut for Moves<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Path(_) | Expr::Field(_) | Expr::Index(_) => {
                self.found |= self.is_local(e);
                self.place(e);
            }
            Expr::Reference(r) => self.place(&mut r.expr),
            Expr::Unary(u) => self.place(&mut u.expr),
            Expr::Cast(c) => self.place(&mut c.expr),
            Expr::Binary(b) if crate::syntax::is_assignment(&b.op) => {
                self.place(&mut b.left);
                self.visit_expr_mut(&mut b.right);
            }
            Expr::Binary(b) => {
                self.place(&mut b.left);
                self.place(&mut b.right);
            }
            Expr::MethodCall(c) => self.method_call(c),
            Expr::Call(c) => {
                self.place(&mut c.func);
                for argument in &mut c.args {
                    self.visit_expr_mut(argument);
                }
            }
            Expr::Closure(c) if c.capture.is_some() => self.found = true,
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        if !std_macros::look(mac, &mut |e| VisitMut::visit_expr_mut(self, e)) {
            self.found = true;
        }
    }
}

/// Looks for code that may change something, or end in another way than with a value.
struct Changes<'a> {
    locals: &'a Locals,
    found: bool,
}

impl Changes<'_> {
    fn is_mutable(&self, e: &Expr) -> bool {
        self.locals.get(e).is_some_and(|variable| variable.is_mutable && !variable.is_shared)
    }
}

impl VisitMut for Changes<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Reference(r) if r.mutability.is_some() => self.found = true,
            Expr::Reference(r) if self.is_mutable(&r.expr) => {}
            Expr::Assign(_)
            | Expr::Return(_)
            | Expr::Break(_)
            | Expr::Continue(_)
            | Expr::Try(_)
            | Expr::Await(_) => {
                self.found = true;
            }
            Expr::Binary(b) if crate::syntax::is_assignment(&b.op) => self.found = true,
            Expr::MethodCall(c) if self.is_mutable(&c.receiver) => {
                const READS: &[&str] = &["len", "is_empty", "iter", "contains", "get"];
                self.found |= !is_one_of(&c.method, READS);
                for argument in &mut c.args {
                    self.visit_expr_mut(argument);
                }
            }
            Expr::MethodCall(c) if super::places::writes(&c.method) => self.found = true,
            Expr::Path(_) => {
                let variable = self.locals.get(e).unwrap_or_default();
                self.found |= variable.is_mutable || variable.is_shared;
            }
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        const KNOWN: &[&str] = &["assert", "assert_eq", "assert_ne", "debug_assert", "format", "vec"];
        let is_known = is_ident_of(&mac.path, KNOWN);
        if !is_known || !std_macros::look(mac, &mut |e| VisitMut::visit_expr_mut(self, e)) {
            self.found = true;
        }
    }
}
