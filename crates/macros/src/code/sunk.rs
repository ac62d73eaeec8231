//! Statements before the conjuncts that only one conjunct needs: they are evaluated with it.
//!
//! `let keys = self.collect(); self.size > 0 && sorted(&keys)` collects the keys only where the size is right. Engines that
//! decide values evaluate such statements where they stand, too, so that reads keep the order of the code.

use super::patterns;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{NameMap, Names, is_ident_of};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Macro, Stmt};

/// For each statement of a block, the conjunct that needs it, if it is the only one.
pub(super) fn plan(before: &[Stmt], operands: &[Expr]) -> Vec<Option<usize>> {
    let mut names: NameMap<usize> = NameMap::default();
    let mut groups = Groups::default();
    let mut mentioned = vec![];
    for stmt in before {
        let mut own = mentioned_in(stmt.to_token_stream(), &names);
        let is_simple = is_simple(stmt);
        if let Stmt::Local(l) = stmt {
            for (name, _) in patterns::variables(&l.pat) {
                let variable = groups.add();
                let named = names.get_or_insert(&name.to_string(), variable);
                let hidden = std::mem::replace(named, variable);
                if hidden != variable {
                    groups.fix(hidden);
                    groups.fix(variable);
                }
                own.push(variable);
            }
        }
        for pair in own.windows(2) {
            groups.join(pair[0], pair[1]);
        }
        if !is_simple {
            for &variable in &own {
                groups.fix(variable);
            }
        }
        mentioned.push(if is_simple { own.first().copied() } else { None });
    }
    // The operands that mention a variable of each group.
    let mut needed: Vec<Vec<usize>> = vec![vec![]; groups.parents.len()];
    for (i, operand) in operands.iter().enumerate() {
        for variable in mentioned_in(operand.to_token_stream(), &names) {
            let operands = &mut needed[groups.of(variable)];
            if operands.last() != Some(&i) {
                operands.push(i);
            }
        }
    }
    let mut plan = vec![];
    for variable in mentioned {
        let group = variable.map(|variable| groups.of(variable));
        plan.push(match group {
            Some(group) if needed[group].len() == 1 && !groups.is_fixed(group) => Some(needed[group][0]),
            _ => None,
        });
    }
    plan
}

/// The variables that tokens mention.
fn mentioned_in(tokens: TokenStream, names: &NameMap<usize>) -> Vec<usize> {
    let mut words = Names::default();
    add_words(tokens, &mut words);
    let mut mentioned = vec![];
    for word in words.as_slice() {
        mentioned.extend(names.get(word).copied());
    }
    mentioned
}

/// The names that a plan moves.
pub(super) fn names(before: &[Stmt], plan: &[Option<usize>]) -> Vec<String> {
    let mut moved = vec![];
    for (stmt, target) in before.iter().zip(plan) {
        if let (Stmt::Local(l), Some(_)) = (stmt, target) {
            for (name, _) in patterns::variables(&l.pat) {
                moved.push(name.to_string());
            }
        }
    }
    moved
}

/// Variables that are used together.
#[derive(Default)]
struct Groups {
    parents: Vec<usize>,
    fixed: Vec<usize>,
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
        self.fixed.push(variable);
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
            Some(init) if init.diverge.is_none() => leaves.visit_expr_mut(&mut init.expr.clone()),
            _ => return false,
        },
        Stmt::Expr(e @ Expr::MethodCall(c), Some(_)) if matches!(&*c.receiver, Expr::Path(_)) => {
            leaves.visit_expr_mut(&mut e.clone());
        }
        _ => return false,
    }
    !leaves.0
}

/// Looks for code that may leave the function, or that must stay where it is.
struct Leaves(bool);

impl VisitMut for Leaves {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        match e {
            Expr::Return(_) | Expr::Try(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Unsafe(_) => {
                self.0 = true
            }
            Expr::Await(_) | Expr::Async(_) => self.0 = true,
            // What a closure returns, it returns to its caller; `?` and `return` in one are rare enough.
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut Macro) {
        self.0 |= !is_ident_of(&mac.path, &["vec", "format", "matches"]);
    }
}

/// Adds the identifiers in tokens except names of fields and methods, and the words of literals, since format strings
/// name variables.
pub(super) fn add_words(tokens: TokenStream, words: &mut Names) {
    let mut is_member = false;
    for token in tokens {
        let is_dot = matches!(&token, TokenTree::Punct(p) if p.as_char() == '.');
        match token {
            TokenTree::Ident(i) if !is_member => {
                words.insert(i.to_string());
            }
            TokenTree::Group(g) => add_words(g.stream(), words),
            TokenTree::Literal(l) => {
                let text = l.to_string();
                for word in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
                    words.insert(word.to_owned());
                }
            }
            _ => {}
        }
        // `0..n` is no member.
        is_member = is_dot && !is_member;
    }
}
