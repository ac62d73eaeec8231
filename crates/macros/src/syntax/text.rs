//! Source as text, for the names of decisions, conjuncts and blocks.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// The longest text.
const LIMIT: usize = 60;

/// Tokens as a person would write them, on one line.
pub(crate) fn whole(tokens: TokenStream) -> String {
    let mut text = String::new();
    write(tokens, &mut text, &mut None);
    text.trim().to_owned()
}

/// Tokens as a person would write them, on one line and shortened.
pub(crate) fn of(tokens: TokenStream) -> String {
    let text = whole(tokens);
    if text.chars().count() <= LIMIT {
        return text;
    }
    let end = text.char_indices().nth(LIMIT - 3).map_or(text.len(), |(end, _)| end);
    format!("{}...", text[..end].trim_end())
}

/// What was written last, as far as spacing depends on it.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    /// A word or a closing bracket.
    Operand,
    /// `.`, `::`, `!x`, `&x` and the like: no space after it.
    Tight,
    /// An operator, a comma.
    Loose,
}

fn write(tokens: TokenStream, out: &mut String, last: &mut Option<Last>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut in_closure_head = false;
    let mut in_turbofish = false;
    let mut i = 0;
    while i < trees.len() && out.len() < 4 * LIMIT {
        match &trees[i] {
            TokenTree::Group(g) => {
                let (open, close) = match g.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{ ", " }"),
                    Delimiter::None => ("", ""),
                };
                if matches!(last, Some(Last::Loose)) || g.delimiter() == Delimiter::Brace && last.is_some() {
                    space(out);
                }
                out.push_str(open);
                *last = None;
                write(g.stream(), out, last);
                out.push_str(close);
                *last = Some(Last::Operand);
            }
            TokenTree::Punct(_) => {
                let mut op = String::new();
                while let Some(TokenTree::Punct(p)) = trees.get(i) {
                    op.push(p.as_char());
                    let is_last = !matches!(trees.get(i + 1), Some(TokenTree::Punct(_)));
                    if is_last || p.spacing() == Spacing::Alone || op == "'" || op == "?" {
                        break;
                    }
                    i += 1;
                }
                in_turbofish |= op == "::<";
                match (op.as_str(), in_closure_head) {
                    (">" | ">::", _) if in_turbofish => {
                        out.push_str(&op);
                        in_turbofish = false;
                        *last = Some(if op == ">" { Last::Operand } else { Last::Tight });
                    }
                    // `|x|` of a closure.
                    ("|", true) => {
                        out.push('|');
                        (in_closure_head, *last) = (false, Some(Last::Loose));
                    }
                    ("||", false) if *last != Some(Last::Operand) => {
                        out.push_str("||");
                        *last = Some(Last::Loose);
                    }
                    _ => {
                        in_closure_head |= op == "|" && *last != Some(Last::Operand);
                        operator(&op, out, last);
                    }
                }
            }
            word => {
                if matches!(last, Some(Last::Loose)) || *last == Some(Last::Operand) {
                    space(out);
                }
                let word = word.to_string();
                out.push_str(&word);
                let keyword = matches!(
                    word.as_str(),
                    "let"
                        | "match"
                        | "if"
                        | "else"
                        | "for"
                        | "in"
                        | "while"
                        | "mut"
                        | "ref"
                        | "as"
                        | "return"
                        | "move"
                );
                *last = Some(if keyword { Last::Loose } else { Last::Operand });
            }
        }
        i += 1;
    }
}

fn operator(op: &str, out: &mut String, last: &mut Option<Last>) {
    match op {
        "." | "::" | ".." | "..=" | "?" | "::<" => {
            if op.starts_with("..") && *last == Some(Last::Loose) {
                space(out);
            }
            out.push_str(op);
            *last = Some(if op == "?" { Last::Operand } else { Last::Tight });
        }
        "," | ";" | ":" => {
            out.push_str(op);
            *last = Some(Last::Loose);
        }
        // Prefix operators, unless there is an operand before them.
        "!" | "&" | "*" | "-" | "&&" | "'" | "**" | "&*" | "&**" | "|" | "||"
            if *last != Some(Last::Operand) =>
        {
            if *last == Some(Last::Loose) {
                space(out);
            }
            out.push_str(op);
            *last = Some(Last::Tight);
        }
        // A macro's.
        "!" => {
            out.push('!');
            *last = Some(Last::Tight);
        }
        _ => {
            space(out);
            out.push_str(op);
            *last = Some(Last::Loose);
        }
    }
}

fn space(out: &mut String) {
    if !out.is_empty() && !out.ends_with(' ') && !out.ends_with('(') {
        out.push(' ');
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn reads_like_source() {
        for source in [
            "self.size == 0",
            "lo.is_none_or(|lo| *lo < n.key)",
            "Self::count(&self.root) == self.size",
            "!seen.insert(x as *const Node)",
            "a[i - 1] <= a[i]",
            "(1..3).contains(&self.size)",
            "let Some(x) = cur",
            "xs.iter().all(|(a, b)| a | 1 == *b)",
            "f(|| x > 1, &y)",
            "matches!(self.len, 2 | 3)",
            "a.b?.c()? == -1",
            "self.items.windows(2).all(|w| w[0] < w[1])",
            "self.nodes[node].left.is_some()",
            "!a.b && !c",
            "f(&x, *y) == -1",
            "a * b - c & d",
            "[a, .., b]",
            "a: u8",
            "x != [1][0]",
            "f()?.g(1..=2, 0..n)",
            "Node { left: Some(left), .. }",
            "for (i, x) in xs.iter().enumerate().rev()",
            "let [first, .., last] = self.0.as_mut_slice()",
            "Vec::<u8>::new() == x.parse::<u8>()?",
            "'a'..='z' | '_'",
            "x if *x > 1 && y != &z",
            "&mut self.a",
            "match self.0",
        ] {
            assert_eq!(super::of(source.parse().unwrap()), source);
        }
        let long = super::of("a + b * ".repeat(30).parse().unwrap());
        assert!(long.len() <= super::LIMIT && long.ends_with("..."), "{long}");
    }
}
