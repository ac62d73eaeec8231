//! Whether what comes after a statement can be skipped by it: it returns, breaks out, goes on with the next round,
//! passes an error on, or panics by a macro. Calls that may panic do not count, or everything would.

use syn::visit::{self, Visit};
use syn::{
    Expr, ExprAsync, ExprBlock, ExprBreak, ExprClosure, ExprConst, ExprContinue, ExprForLoop, ExprLoop,
    ExprReturn, ExprTry, ExprWhile, Item, Label, Lifetime, Macro, Stmt,
};

const PANICS: [&str; 4] = ["panic", "unreachable", "todo", "unimplemented"];

/// Whether the code after the statement can be skipped.
pub(crate) fn may_leave(stmt: &Stmt) -> bool {
    let mut search = Search { found: false, loops: 0, labels: vec![] };
    search.visit_stmt(stmt);
    search.found
}

struct Search {
    found: bool,
    /// How many loops are around the place, inside of the statement.
    loops: usize,
    /// The labels that are inside of the statement.
    labels: Vec<String>,
}

impl Search {
    fn within(&mut self, label: &Option<Label>, is_loop: bool, visit: impl FnOnce(&mut Self)) {
        let labels = self.labels.len();
        self.labels.extend(label.iter().map(|l| l.name.ident.to_string()));
        self.loops += usize::from(is_loop);
        visit(self);
        self.loops -= usize::from(is_loop);
        self.labels.truncate(labels);
    }

    fn jump(&mut self, label: Option<&Lifetime>) {
        self.found |= match label {
            Some(label) => !self.labels.contains(&label.ident.to_string()),
            None => self.loops == 0,
        };
    }
}

impl<'ast> Visit<'ast> for Search {
    fn visit_expr_return(&mut self, _: &'ast ExprReturn) {
        self.found = true;
    }

    fn visit_expr_try(&mut self, _: &'ast ExprTry) {
        self.found = true;
    }

    fn visit_macro(&mut self, mac: &'ast Macro) {
        self.found |= mac.path.segments.last().is_some_and(|s| PANICS.iter().any(|name| s.ident == name));
    }

    fn visit_expr_break(&mut self, e: &'ast ExprBreak) {
        self.jump(e.label.as_ref());
        visit::visit_expr_break(self, e);
    }

    fn visit_expr_continue(&mut self, e: &'ast ExprContinue) {
        self.jump(e.label.as_ref());
    }

    fn visit_expr_loop(&mut self, e: &'ast ExprLoop) {
        self.within(&e.label, true, |s| visit::visit_expr_loop(s, e));
    }

    fn visit_expr_while(&mut self, e: &'ast ExprWhile) {
        self.within(&e.label, true, |s| visit::visit_expr_while(s, e));
    }

    fn visit_expr_for_loop(&mut self, e: &'ast ExprForLoop) {
        self.visit_expr(&e.expr);
        self.within(&e.label, true, |s| s.visit_block(&e.body));
    }

    fn visit_expr_block(&mut self, e: &'ast ExprBlock) {
        self.within(&e.label, false, |s| visit::visit_expr_block(s, e));
    }

    // What these contain does not run here, or leaves only them.
    fn visit_expr_closure(&mut self, _: &'ast ExprClosure) {}
    fn visit_expr_async(&mut self, _: &'ast ExprAsync) {}
    fn visit_expr_const(&mut self, _: &'ast ExprConst) {}
    fn visit_item(&mut self, _: &'ast Item) {}
    fn visit_expr_try_block(&mut self, _: &'ast syn::ExprTryBlock) {}

    fn visit_expr(&mut self, e: &'ast Expr) {
        if !self.found {
            visit::visit_expr(self, e);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::may_leave;

    #[test]
    fn what_can_be_skipped() {
        for source in [
            "if a { return; }",
            "let x = f()?;",
            "if a { break; }",
            "for x in y { if x { break 'outer; } }",
            "match a { Some(b) => b, None => continue }",
            "if a { panic!(\"no\") }",
            "let Some(x) = y else { return };",
            "'a: { break 'b; }",
        ] {
            assert!(may_leave(&syn::parse_str(source).unwrap()), "{source}");
        }
        for source in [
            "if a { b(); }",
            "while a { if b { break; } else { continue; } }",
            "'inner: for x in y { loop { continue 'inner; } }",
            "let f = |x| { return x; };",
            "let f = || g()?;",
            "'a: { break 'a; }",
            "f().unwrap();",
            "fn inner() { return; }",
        ] {
            assert!(!may_leave(&syn::parse_str(source).unwrap()), "{source}");
        }
    }
}
