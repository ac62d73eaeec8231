//! Bounds as text, one bound per line, and back: files of suites carry them.

use super::{Bound, Bounds, Given, IntSet};
use std::fmt;
use std::str::FromStr;

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = vec![];
        if let Some(n) = self.scope {
            lines.push(format!("{} {n}", self.number_name()));
        }
        if let Some(n) = self.edges_of {
            lines.push(format!("edges {n}"));
        }
        if let Some(rule) = self.fill {
            lines.push(format!("fill {rule}"));
        }
        for name in &self.arguments {
            lines.push(format!("argument {name}"));
        }
        for Given { name, bound, .. } in &self.given {
            lines.push(match bound {
                Bound::Objects(n) => format!("objects {name} = {n}"),
                Bound::Pool(n) => format!("pool {name} = {n}"),
                Bound::Ints(set) => format!("ints {name} = {set}"),
                Bound::Lengths(set) => format!("len {name} = {set}"),
                Bound::Long(set) => format!("filled {name} = {set}"),
                Bound::Alphabet(letters) => format!("alphabet {name} = [{}]", codes(letters)),
                Bound::Variants(variants) => format!("variants {name} = [{}]", variants.join(", ")),
                Bound::Nullable(nullable) => format!("nullable {name} = {nullable}"),
                Bound::EdgeInts(set) => format!("edge_ints {name} = {set}"),
                Bound::EdgeCharacters(letters) => format!("edge_chars {name} = [{}]", codes(letters)),
            });
        }
        f.write_str(&lines.join("\n"))
    }
}

/// Characters as a list of numbers.
fn codes(letters: &str) -> String {
    let mut codes = vec![];
    for letter in letters.chars() {
        codes.push(u32::from(letter).to_string());
    }
    codes.join(", ")
}

impl fmt::Display for IntSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IntSet::Range(lo, hi) => write!(f, "{lo}..={hi}"),
            IntSet::List(list) => {
                let mut texts = vec![];
                for n in list {
                    texts.push(n.to_string());
                }
                write!(f, "[{}]", texts.join(", "))
            }
        }
    }
}

impl FromStr for IntSet {
    type Err = String;
    #[inline]
    fn from_str(text: &str) -> Result<IntSet, String> {
        let wrong = || format!("`{text}` is neither a range `0..=9` nor a list `[1, 2]`");
        let number = |text: &str| text.trim().parse::<i128>().map_err(|_| wrong());
        match text.split_once("..=") {
            Some((lo, hi)) => Ok(IntSet::Range(number(lo)?, number(hi)?)),
            None => items(text)
                .ok_or_else(wrong)?
                .into_iter()
                .map(number)
                .collect::<Result<_, _>>()
                .map(IntSet::List),
        }
    }
}

/// The items of `[a, b]`.
#[inline]
fn items(text: &str) -> Option<Vec<&str>> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    Some(if inside.is_empty() { vec![] } else { inside.split(", ").collect() })
}

impl FromStr for Bounds {
    type Err = String;
    #[inline]
    fn from_str(text: &str) -> Result<Bounds, String> {
        let mut bounds = Bounds::exact();
        for line in text.lines() {
            bounds = with_line(bounds, line).ok_or_else(|| format!("`{line}` is no bound"))?;
        }
        Ok(bounds)
    }
}

/// Adds the bound of a line; none if the line is no bound.
#[inline]
fn with_line(mut bounds: Bounds, line: &str) -> Option<Bounds> {
    let (kind, rest) = line.split_once(' ')?;
    match kind {
        "scope" => return Some(bounds.with_plain_scope(rest.parse().ok()?)),
        "size" => return Some(bounds.with_size(rest.parse().ok()?)),
        "edges" => {
            bounds.edges_of = Some(rest.parse().ok()?);
            return Some(bounds);
        }
        "fill" => {
            bounds.fill = Some(rest.parse().ok()?);
            return Some(bounds);
        }
        "argument" => {
            bounds.arguments.push(rest.to_owned());
            return Some(bounds);
        }
        _ => {}
    }
    let (name, value) = rest.rsplit_once(" = ")?;
    let bound = match kind {
        "objects" => Bound::Objects(value.parse().ok()?),
        "pool" => Bound::Pool(value.parse().ok()?),
        "ints" => Bound::Ints(value.parse().ok()?),
        "len" => Bound::Lengths(value.parse().ok()?),
        "filled" => Bound::Long(value.parse().ok()?),
        "alphabet" => Bound::Alphabet(letters(value)?),
        "variants" => Bound::Variants(items(value)?.into_iter().map(str::to_owned).collect()),
        "nullable" => Bound::Nullable(value.parse().ok()?),
        "edge_ints" => Bound::EdgeInts(value.parse().ok()?),
        "edge_chars" => Bound::EdgeCharacters(letters(value)?),
        _ => return None,
    };
    Some(bounds.give(name, bound))
}

/// The characters of a list of numbers.
#[inline]
fn letters(list: &str) -> Option<String> {
    items(list)?.into_iter().map(|code| code.parse().ok().and_then(char::from_u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        let all = Bounds::scope(4)
            .arguments(&["tree", "argument 1"])
            .objects("Node", 5)
            .pool("cache", 2)
            .ints("Node.key", -3..=9)
            .ints("Tree<u8>.size", [4u8, 2])
            .len("Node.items", Vec::<u8>::new())
            .filled("Node.items", 64..=65)
            .alphabet("Node.name", "a\n= ,]é")
            .variants("Node.color", ["Red", "Black"])
            .nullable("Node.next", false)
            .edge_ints("Node.key", [1000])
            .edge_chars("Node.name", "\0ß");
        let sized = Bounds::size(3).objects("Node", 2);
        for bounds in [
            all.edges_at(2),
            all.filled_by(7),
            sized.edges_at(1),
            all,
            sized,
            Bounds::exact(),
            Bounds::scope(0),
        ] {
            let text = bounds.to_string();
            let back: Bounds = text.parse().unwrap();
            assert_eq!(back.to_string(), text);
            assert_eq!(back.fingerprint(), bounds.fingerprint());
        }
    }

    #[test]
    fn what_is_no_bound_is_named() {
        for text in
            ["scope", "scope x", "objects Node", "objects Node = x", "ints a = 1", "alphabet a = [55296]"]
        {
            assert_eq!(text.parse::<Bounds>().unwrap_err(), format!("`{text}` is no bound"));
        }
    }
}
