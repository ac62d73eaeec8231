//! All mutants of a file in one: at each place that can be changed, the code checks which mutant is active.
//!
//! An alternative is `match active() { 17 => { changed }, _ => { original } }`, a statement that can be left out is `if active()
//! != 17 { statement }`. Changes are made to the original, never to code with alternatives, so exactly one place is changed at
//! a time. The numbers of candidates do not depend on which of them are left out because they do not compile.

use super::operators::{Change, Enums, changes, has_let, opposite, written};
use super::prepare::{enums, is_ours, only_for_the_invariant, strip};
use super::text::{ORIGINAL, with_lines};
use quote::ToTokens;
use std::collections::BTreeSet;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprClosure, ImplItemFn, ItemFn, ItemImpl, Macro, Pat, Stmt, Type, parse_quote};

/// A possible mutation.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub container: &'static str,
    pub function: String,
    pub operator: &'static str,
    pub change: String,
    /// Whether a statement is left out that leaves its block, so that the code behind it is reached.
    pub is_ending: bool,
}

/// Visits files, numbers the candidates from one on, and inserts the alternatives.
pub struct Schemata<'a> {
    pub candidates: Vec<Candidate>,
    /// Numbers of candidates that do not compile.
    excluded: &'a BTreeSet<u32>,
    container: &'static str,
    enums: Enums,
    type_name: String,
    /// The enclosing functions.
    functions: Vec<String>,
    /// Functions that only the invariant uses.
    left_alone: BTreeSet<String>,
}

/// Traits that no test calls.
const TRAITS: [&str; 6] = ["Debug", "Display", "PartialEq", "Default", "Clone", "Error"];

impl<'a> Schemata<'a> {
    pub fn new(excluded: &'a BTreeSet<u32>) -> Schemata<'a> {
        Schemata {
            candidates: vec![],
            excluded,
            container: "",
            enums: Enums::new(),
            type_name: String::new(),
            functions: vec![],
            left_alone: BTreeSet::new(),
        }
    }

    /// The text of a file with all its mutants.
    pub fn file(&mut self, container: &'static str, text: &str) -> syn::Result<String> {
        let mut file = syn::parse_file(text)?;
        self.container = container;
        self.enums = enums(&file);
        self.left_alone = only_for_the_invariant(&file);
        file.attrs.clear();
        file.items.retain(|item| !is_ours(item));
        self.visit_file_mut(&mut file);
        Ok(with_lines(&file.to_token_stream().to_string()))
    }

    /// A number for a candidate, unless it is excluded.
    fn number(&mut self, operator: &'static str, change: String, is_ending: bool) -> Option<u32> {
        let function = match &*self.type_name {
            "" => self.functions.join("::"),
            name => format!("{name}::{}", self.functions.join("::")),
        };
        self.candidates.push(Candidate { container: self.container, function, operator, change, is_ending });
        let number = self.candidates.len() as u32;
        (!self.excluded.contains(&number)).then_some(number)
    }

    /// Inserts changes of the original expression, whose parts may already have alternatives.
    fn alternatives(&mut self, expr: &mut Expr, original: &Expr, changes: Vec<Change>) {
        let mut arms: Vec<syn::Arm> = vec![];
        for Change { operator, expr } in changes {
            let change = format!("{} → {}", written(original), written(&expr));
            if let Some(number) = self.number(operator, change, false) {
                arms.push(parse_quote!(#number => { #expr }));
            }
        }
        if !arms.is_empty() {
            let default: Pat = syn::parse_str::<SinglePattern>(ORIGINAL).expect("a pattern").0;
            *expr = parse_quote!((match crate::mutation::active() { #(#arms)* #default => { #expr } }));
        }
    }

    /// Adds the mutations of a condition.
    fn decision(&mut self, condition: &mut Expr) {
        if has_let(condition) {
            match condition {
                Expr::Binary(both) => {
                    self.decision(&mut both.left);
                    self.decision(&mut both.right);
                }
                other => visit_mut::visit_expr_mut(self, other),
            }
            return;
        }
        let original = condition.clone();
        self.visit_expr_mut(condition);
        self.alternatives(condition, &original, opposite(&original).into_iter().collect());
    }

    fn function(&mut self, name: &syn::Ident, block: &mut Block) {
        let name = name.to_string();
        if self.left_alone.contains(&name) {
            return;
        }
        let marker =
            self.functions.iter().chain([&name]).fold(self.type_name.clone(), |all, f| all + "::" + f);
        self.functions.push(name);
        self.visit_block_mut(block);
        self.functions.pop();
        block.stmts.insert(0, parse_quote!(const FUNCTION: &str = #marker;));
        block.stmts.insert(1, step());
    }

    fn is_inside(&self) -> bool {
        !self.functions.is_empty()
    }
}

fn step() -> Stmt {
    parse_quote!(crate::mutation::step();)
}

struct SinglePattern(Pat);

impl syn::parse::Parse for SinglePattern {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        Pat::parse_single(input).map(SinglePattern)
    }
}

impl VisitMut for Schemata<'_> {
    fn visit_item_impl_mut(&mut self, item: &mut ItemImpl) {
        strip(&mut item.attrs);
        let name =
            item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last()).map(|s| s.ident.to_string());
        if name.is_some_and(|name| TRAITS.contains(&&*name)) {
            return;
        }
        if let Type::Path(path) = &*item.self_ty
            && let Some(last) = path.path.segments.last()
        {
            self.type_name = last.ident.to_string();
        }
        visit_mut::visit_item_impl_mut(self, item);
        self.type_name.clear();
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut ImplItemFn) {
        strip(&mut function.attrs);
        self.function(&function.sig.ident, &mut function.block);
    }

    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        strip(&mut function.attrs);
        self.function(&function.sig.ident, &mut function.block);
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
        strip(attributes);
    }

    fn visit_block_mut(&mut self, block: &mut Block) {
        let last = block.stmts.len().saturating_sub(1);
        for (i, stmt) in block.stmts.iter_mut().enumerate() {
            let original = stmt.clone();
            self.visit_stmt_mut(stmt);
            if self.is_inside() && is_complete(&original, i == last) {
                let is_ending =
                    matches!(original, Stmt::Expr(Expr::Return(_) | Expr::Break(_) | Expr::Continue(_), _));
                let change = format!("without {}", shortened(&written(&original)));
                if let Some(number) = self.number("statement", change, is_ending) {
                    *stmt = parse_quote!(if crate::mutation::active() != #number { #stmt });
                }
            }
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if !self.is_inside() {
            return;
        }
        match expr {
            Expr::If(branch) => {
                self.decision(&mut branch.cond);
                self.visit_block_mut(&mut branch.then_branch);
                if let Some((_, otherwise)) = &mut branch.else_branch {
                    self.visit_expr_mut(otherwise);
                }
            }
            Expr::While(rounds) => {
                self.decision(&mut rounds.cond);
                self.visit_block_mut(&mut rounds.body);
                rounds.body.stmts.insert(0, step());
            }
            Expr::Loop(rounds) => {
                self.visit_block_mut(&mut rounds.body);
                rounds.body.stmts.insert(0, step());
            }
            Expr::ForLoop(rounds) => {
                self.visit_expr_mut(&mut rounds.expr);
                self.visit_block_mut(&mut rounds.body);
                rounds.body.stmts.insert(0, step());
            }
            // Its length is a constant.
            Expr::Repeat(repeat) => self.visit_expr_mut(&mut repeat.expr),
            _ => {
                let original = expr.clone();
                visit_mut::visit_expr_mut(self, expr);
                let changes = if has_let(&original) { vec![] } else { changes(&original, &self.enums) };
                self.alternatives(expr, &original, changes);
            }
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        if let Some((_, guard)) = &mut arm.guard {
            self.decision(guard);
        }
        self.visit_expr_mut(&mut arm.body);
    }

    fn visit_expr_closure_mut(&mut self, closure: &mut ExprClosure) {
        self.visit_expr_mut(&mut closure.body);
        let (step, body) = (step(), &closure.body);
        *closure.body = parse_quote!({ #step #body });
    }

    /// `vec![item; len]` takes no steps, so its length is limited.
    fn visit_macro_mut(&mut self, call: &mut Macro) {
        if call.path.is_ident("vec")
            && let Ok(repeated) = syn::parse2::<syn::ExprRepeat>(bracketed(&call.tokens))
        {
            let (item, len) = (&repeated.expr, &repeated.len);
            call.tokens = quote::quote!(#item; crate::mutation::room(#len));
        }
    }

    // Not an expression, or a constant.
    fn visit_pat_mut(&mut self, _: &mut Pat) {}
    fn visit_type_mut(&mut self, _: &mut Type) {}
    fn visit_item_const_mut(&mut self, _: &mut syn::ItemConst) {}
}

fn bracketed(tokens: &proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    quote::quote!([#tokens])
}

/// Whether a statement can be left out and the rest is still a block of the same type.
fn is_complete(stmt: &Stmt, is_last: bool) -> bool {
    match stmt {
        Stmt::Expr(_, Some(_)) => true,
        Stmt::Expr(Expr::If(branch), None) if branch.else_branch.is_none() => true,
        Stmt::Expr(Expr::While(_) | Expr::ForLoop(_), None) => true,
        Stmt::Expr(Expr::If(_) | Expr::Match(_) | Expr::Loop(_) | Expr::Block(_), None) => !is_last,
        Stmt::Macro(call) => call.semi_token.is_some(),
        _ => false,
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::text::place;
    use super::*;

    const SOURCE: &str = "
        use smallscope::Bounded;
        #[derive(Bounded, Clone)]
        pub struct Counter { #[bounded(index = \"x\")] n: usize }
        #[rep_ok]
        impl Counter {
            pub fn rep_ok(&self) -> bool { self.n < 9 }
            fn limit() -> usize { 9 }
        }
        impl Counter {
            pub fn up(&mut self) {
                if self.n < Self::limit() {
                    self.n += 1;
                }
            }
        }
        impl Clone for Other { fn clone(&self) -> Self { Other { n: self.n + 1 } } }
    ";

    fn all(excluded: &[u32]) -> (Vec<Candidate>, String) {
        let excluded = excluded.iter().copied().collect();
        let mut schemata = Schemata::new(&excluded);
        let text = schemata.file("Counter", SOURCE).unwrap();
        (schemata.candidates, text)
    }

    #[test]
    fn candidates_are_in_what_tests_can_reach() {
        let (candidates, text) = all(&[]);
        let changes: Vec<_> = candidates.iter().map(|c| format!("{}: {}", c.function, c.change)).collect();
        let expected = [
            "Counter::limit: 9 → 0",
            "Counter::limit: 9 → 1",
            "Counter::limit: 9 → 8",
            "Counter::limit: 9 → 10",
            "Counter::up: self.n < Self::limit() → self.n <= Self::limit()",
            "Counter::up: self.n < Self::limit() → self.n > Self::limit()",
            "Counter::up: self.n < Self::limit() → self.n >= Self::limit()",
            "Counter::up: self.n < Self::limit() → self.n == Self::limit()",
            "Counter::up: self.n < Self::limit() → self.n != Self::limit()",
            "Counter::up: 1 → 0",
            "Counter::up: 1 → 2",
            "Counter::up: self.n += 1 → self.n -= 1",
            "Counter::up: without self.n += 1;",
            "Counter::up: without if self.n < Self::limit() { self.n += 1; }",
        ];
        assert_eq!(changes, expected);
        assert!(!text.contains("Bounded") && !text.contains("rep_ok]") && text.contains("Clone"));
        assert_eq!(text.matches("mutation :: step").count(), 2);
    }

    #[test]
    fn what_is_left_out_keeps_its_number() {
        let (before, whole) = all(&[]);
        let (after, text) = all(&[3, 13]);
        assert_eq!(before.len(), after.len());
        assert!(whole.contains("3u32 =>") && whole.contains("!= 13u32"));
        assert!(!text.contains("\n3u32") && !text.contains("!= 13u32") && text.contains("\n4u32 =>"));
    }

    #[test]
    fn lines_say_what_is_in_them() {
        let (_, text) = all(&[]);
        let line = text.lines().position(|line| line.starts_with("7u32 =>")).unwrap() + 1;
        assert_eq!(place(&text, line), (Some(7), Some("Counter::up".to_owned())));
        let line = text.lines().position(|line| line.contains("!= 13u32")).unwrap() + 1;
        assert_eq!(place(&text, line), (None, Some("Counter::up".to_owned())));
    }
}
