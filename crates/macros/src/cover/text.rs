//! Source as text, for the names of blocks.

use quote::ToTokens;
use syn::{Expr, Local, Stmt};

/// The longest text.
const LIMIT: usize = 60;

/// Tokens on one line, shortened.
pub(crate) fn of(tokens: &impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    let text = close_up(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    if text.chars().count() <= LIMIT {
        return text;
    }
    let short: String = text.chars().take(LIMIT - 3).collect();
    format!("{}...", short.trim_end())
}

/// Without the spaces that tokens have between them and source has not: before an index, after a prefix operator.
fn close_up(text: &str) -> String {
    let mut closed = String::new();
    for (i, char) in text.char_indices() {
        let next = text[i..].chars().nth(1);
        let is_index = char == ' '
            && next == Some('[')
            && closed.ends_with(|c: char| c.is_alphanumeric() || ")]_".contains(c));
        let is_prefix = char == ' '
            && closed.ends_with(['!', '&', '*', '-'])
            && closed[..closed.len() - 1].chars().next_back().is_none_or(|c| " ([!*".contains(c))
            && !closed[..closed.len() - 1]
                .trim_end()
                .ends_with(|c: char| c.is_alphanumeric() || ")]_".contains(c));
        let is_question = char == ' ' && next == Some('?');
        if !is_index && !is_prefix && !is_question {
            closed.push(char);
        }
    }
    closed.replace(" ..= ", "..=").replace(" .. ", "..").replace(",..", ", ..").replace(" : ", ": ")
}

/// What a statement begins with: enough to find it.
pub(crate) fn head(stmt: &Stmt) -> String {
    match stmt {
        Stmt::Expr(expr, _) => head_of_expr(expr),
        Stmt::Local(Local { pat, init: Some(init), .. }) => {
            format!("let {} = {}", of(pat), head_of_expr(&init.expr))
        }
        _ => of(stmt),
    }
}

fn head_of_expr(expr: &Expr) -> String {
    match expr {
        Expr::If(e) => format!("if {}", of(&e.cond)),
        Expr::Match(e) => format!("match {}", of(&e.expr)),
        Expr::While(e) => format!("while {}", of(&e.cond)),
        Expr::ForLoop(e) => format!("for {} in {}", of(&e.pat), of(&e.expr)),
        Expr::Loop(_) => "loop".into(),
        _ => of(expr),
    }
}

#[cfg(test)]
mod tests {
    use super::close_up;

    #[test]
    fn reads_like_source() {
        for (tokens, source) in [
            ("self.nodes [node].left.is_some()", "self.nodes[node].left.is_some()"),
            ("! a.b && ! c", "!a.b && !c"),
            ("f(& x, * y) == - 1", "f(&x, *y) == -1"),
            ("a * b - c & d", "a * b - c & d"),
            ("[a, .., b]", "[a, .., b]"),
            ("a : u8", "a: u8"),
            ("x != [1] [0]", "x != [1][0]"),
            ("f() ?.g(1 ..= 2, 0 .. n)", "f()?.g(1..=2, 0..n)"),
        ] {
            assert_eq!(close_up(tokens), source);
        }
    }
}
