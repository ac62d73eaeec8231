//! Filters of values: words that all have to hold.
//!
//! `objects<=3` is about the number of objects, `key=2` about a field of any object, and any other word about the text of the
//! value. The page filters in the same way where it has no server.

use crate::session::error::Error;
use smallscope_core::AnySearch;
use smallscope_core::search::Drawing;
use std::cmp::Ordering;

/// What a value has to be.
pub(super) struct Filter(Vec<Term>);

enum Term {
    /// Something compared with something.
    Compares { name: String, sign: &'static str, with: String },
    /// A text that occurs.
    Contains(String),
}

/// Longer signs first, so that `<=` is not taken for `<`.
const SIGNS: [&str; 6] = ["<=", ">=", "!=", "<", ">", "="];

impl Filter {
    pub fn parse(text: &str) -> Result<Filter, String> {
        let mut terms = vec![];
        for word in text.split_whitespace() {
            let found = SIGNS.iter().filter_map(|&sign| word.find(sign).map(|at| (at, sign)));
            let first = found.min_by_key(|&(at, sign)| (at, std::cmp::Reverse(sign.len())));
            terms.push(match first {
                Some((at, sign)) if at > 0 => {
                    let with = word[at + sign.len()..].to_owned();
                    if with.is_empty() {
                        return Err(format!("`{word}` compares with nothing: write a value behind `{sign}`"));
                    }
                    Term::Compares { name: word[..at].to_lowercase(), sign, with }
                }
                _ => Term::Contains(word.to_lowercase()),
            });
        }
        Ok(Filter(terms))
    }

    /// Whether the current value of a search is accepted.
    pub fn accepts(&self, search: &mut AnySearch) -> Result<bool, Error> {
        if self.0.is_empty() {
            return Ok(true);
        }
        let class =
            match self.0.iter().any(|term| matches!(term, Term::Compares { name, .. } if name == "class")) {
                true => search.class()?,
                false => None,
            };
        let drawing = search.drawing();
        Ok(self.0.iter().all(|term| term.holds(&drawing, class.as_deref())))
    }
}

impl Term {
    fn holds(&self, drawing: &Drawing, class: Option<&str>) -> bool {
        match self {
            Term::Contains(text) => drawing.to_string().to_lowercase().contains(text),
            Term::Compares { name, sign, with } if name == "objects" => {
                let objects = drawing.nodes.iter().filter(|node| node.object.is_some()).count();
                compares(&objects.to_string(), sign, with)
            }
            Term::Compares { name, sign, with } if name == "class" => {
                class.is_some_and(|class| compares(class, sign, with))
            }
            Term::Compares { name, sign, with } => has_field(drawing, name, sign, with),
        }
    }
}

/// Whether some object has a field that compares in this way.
fn has_field(drawing: &Drawing, name: &str, sign: &str, with: &str) -> bool {
    let fields = drawing.nodes.iter().flat_map(|node| &node.fields);
    let named = fields.filter(|field| field.name.to_lowercase() == name);
    named.flat_map(|field| &field.values).any(|value| compares(&value.text, sign, with))
}

fn compares(text: &str, sign: &str, with: &str) -> bool {
    let ordering = match (text.parse::<f64>(), with.parse::<f64>()) {
        (Ok(a), Ok(b)) => a.partial_cmp(&b),
        _ => Some(text.to_lowercase().cmp(&with.to_lowercase())),
    };
    match sign {
        "=" => ordering == Some(Ordering::Equal),
        "!=" => ordering != Some(Ordering::Equal),
        "<" => ordering == Some(Ordering::Less),
        ">" => ordering == Some(Ordering::Greater),
        "<=" => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
        _ => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_read_from_the_left_and_whole() {
        let signs = |text: &str| match &Filter::parse(text).unwrap().0[..] {
            [Term::Compares { name, sign, with }] => format!("{name} {sign} {with}"),
            [Term::Contains(text)] => format!("has {text}"),
            _ => "several".to_owned(),
        };
        assert_eq!(signs("size<=3"), "size <= 3");
        assert_eq!(signs("Key=2"), "key = 2");
        assert_eq!(signs("a!=b=c"), "a != b=c");
        assert_eq!(signs("Node#2"), "has node#2");
        assert_eq!(signs("=x"), "has =x");
        assert!(Filter::parse("size<").err().unwrap().contains("compares with nothing"));
    }

    #[test]
    fn numbers_compare_as_numbers() {
        assert!(compares("10", ">", "9") && compares("b", ">", "a") && compares("Red", "=", "red"));
        assert!(!compares("10", "<=", "9") && compares("1", "!=", "2"));
    }
}
