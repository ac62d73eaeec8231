//! Statements before the conjuncts that only one conjunct needs: they are evaluated with it.
//!
//! `let keys = self.collect(); self.size > 0 && sorted(&keys)` collects the keys only where the size is right. Engines that
//! decide values evaluate such statements where they stand, too, so that reads keep the order of the code.

use super::patterns;
use crate::syntax::visit::{self, Visit};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::{Expr, Macro, Stmt};

/// For each statement of a block, the conjunct that needs it, if it is the only one.
pub(super) fn plan(before: &[Stmt], operands: &[Expr]) -> Vec<Option<usize>> {
    let mut names: HashMap<String, usize> = HashMap::new();
    let mut groups = Groups::default();
    let mut mentioned = vec![];
    for stmt in before {
        let words = words(stmt.to_token_stream());
        let mut own: Vec<usize> = names.iter().filter(|(n, _)| words.contains(*n)).map(|(_, v)| *v).collect();
        let is_simple = is_simple(stmt);
        if let Stmt::Local(l) = stmt {
            for (name, _) in patterns::variables(&l.pat) {
                let variable = groups.add();
                if let Some(hidden) = names.insert(name.to_string(), variable) {
                    groups.fix(hidden);
                    groups.fix(variable);
                }
                own.push(variable);
            }
        }
        own.windows(2).for_each(|pair| groups.join(pair[0], pair[1]));
        if !is_simple || own.is_empty() {
            own.iter().for_each(|&variable| groups.fix(variable));
        }
        mentioned.push(own.first().copied().filter(|_| is_simple));
    }
    let mut needed: HashMap<usize, HashSet<usize>> = HashMap::new();
    for (i, operand) in operands.iter().enumerate() {
        let words = words(operand.to_token_stream());
        for (_, &variable) in names.iter().filter(|(name, _)| words.contains(*name)) {
            needed.entry(groups.of(variable)).or_default().insert(i);
        }
    }
    let target = |variable: usize| {
        let group = groups.of(variable);
        let needed = needed.get(&group).filter(|needed| needed.len() == 1 && !groups.is_fixed(group))?;
        needed.iter().next().copied()
    };
    mentioned.into_iter().map(|variable| variable.and_then(target)).collect()
}

/// The names that a plan moves.
pub(super) fn names(before: &[Stmt], plan: &[Option<usize>]) -> HashSet<String> {
    let moved = before.iter().zip(plan).filter(|(_, target)| target.is_some());
    let of = |stmt: &Stmt| match stmt {
        Stmt::Local(l) => patterns::variables(&l.pat).into_iter().map(|(name, _)| name.to_string()).collect(),
        _ => vec![],
    };
    moved.flat_map(|(stmt, _)| of(stmt)).collect()
}

/// Variables that are used together.
#[derive(Default)]
struct Groups {
    parents: Vec<usize>,
    fixed: HashSet<usize>,
}

impl Groups {
    fn add(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    fn of(&self, variable: usize) -> usize {
        match self.parents[variable] {
            parent if parent == variable => variable,
            parent => self.of(parent),
        }
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.of(a), self.of(b));
        self.parents[a] = b;
    }

    fn fix(&mut self, variable: usize) {
        self.fixed.insert(variable);
    }

    fn is_fixed(&self, group: usize) -> bool {
        self.fixed.iter().any(|&variable| self.of(variable) == group)
    }
}

/// Whether a statement only computes something, or calls a method of a variable.
fn is_simple(stmt: &Stmt) -> bool {
    let mut leaves = Leaves(false);
    match stmt {
        Stmt::Local(l) => match &l.init {
            Some(init) if init.diverge.is_none() => leaves.visit_expr(&init.expr),
            _ => return false,
        },
        Stmt::Expr(e @ Expr::MethodCall(c), Some(_)) if matches!(&*c.receiver, Expr::Path(_)) => {
            leaves.visit_expr(e);
        }
        _ => return false,
    }
    !leaves.0
}

/// Looks for code that may leave the function, or that must stay where it is.
struct Leaves(bool);

impl<'a> Visit<'a> for Leaves {
    fn visit_expr(&mut self, e: &'a Expr) {
        match e {
            Expr::Return(_) | Expr::Try(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Unsafe(_) => {
                self.0 = true
            }
            Expr::Await(_) | Expr::Async(_) => self.0 = true,
            // What a closure returns, it returns to its caller; `?` and `return` in one are rare enough.
            _ => visit::visit_expr(self, e),
        }
    }

    fn visit_macro(&mut self, mac: &'a Macro) {
        self.0 |= !["vec", "format", "matches"].iter().any(|name| mac.path.is_ident(name));
    }
}

/// The identifiers in tokens except names of fields and methods, and the words of literals, since format strings name
/// variables.
fn words(tokens: TokenStream) -> HashSet<String> {
    let mut words = HashSet::new();
    let mut is_member = false;
    for token in tokens {
        let is_dot = matches!(&token, TokenTree::Punct(p) if p.as_char() == '.');
        match token {
            TokenTree::Ident(i) if !is_member => drop(words.insert(i.to_string())),
            TokenTree::Group(g) => words.extend(self::words(g.stream())),
            TokenTree::Literal(l) => {
                let text = l.to_string();
                words.extend(text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned));
            }
            _ => {}
        }
        // `0..n` is no member.
        is_member = is_dot && !is_member;
    }
    words
}
