//! A failing value as Rust source: a unit test, and a harness of Kani.
//!
//! The source comes from what `Debug` prints. That is almost Rust: [`expression`] adds the conversions that `Debug` leaves
//! out, such as those into `Box` and `String`.

use crate::runner::failure::FailedCase;
use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

/// Returns a unit test and a harness of Kani with the arguments of a failing case, or why there are none.
pub(crate) fn source(test: &str, case: &FailedCase) -> Result<String, String> {
    let mut lets = String::new();
    for (name, text) in &case.arguments {
        let text = text.as_ref().ok_or_else(|| format!("the type of `{name}` is not `Debug`"))?;
        let value = expression(text).ok_or_else(|| format!("what `Debug` prints of `{name}` is not Rust"))?;
        let _ = writeln!(lets, "    let {name} = {value};");
    }
    let names: Vec<&str> = case.arguments.iter().map(|(name, _)| &**name).collect();
    let function = test.rsplit("::").next().unwrap_or(test);
    let message = case.message.lines().next().unwrap_or_default();
    let body = format!(
        "{lets}    // Call the code under test here, and check what it does.\n    drop(({},));\n}}\n",
        names.join(", ")
    );
    Ok(format!(
        "/// `{test}` fails on this value: {message}\n#[test]\nfn {function}_on_one_value() {{\n{body}\n\
         #[cfg(kani)]\n#[kani::proof]\nfn {function}_on_one_value_in_kani() {{\n{body}"
    ))
}

/// Turns what `Debug` prints of a value into an expression for it. None if it cannot be one: pointers, texts that are cut off.
fn expression(text: &str) -> Option<String> {
    let mut reader = Reader { rest: text.chars().peekable() };
    let value = reader.value(false)?;
    reader.skip_space();
    reader.rest.next().is_none().then_some(value)
}

/// Reads the text from left to right. A value that is *nested* stands where its type is known, so it can be converted.
struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
}

impl Reader<'_> {
    fn skip_space(&mut self) {
        while self.rest.next_if(|c| c.is_whitespace()).is_some() {}
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.skip_space();
        self.rest.next_if_eq(&wanted).is_some()
    }

    fn value(&mut self, nested: bool) -> Option<String> {
        self.skip_space();
        match self.rest.peek()? {
            '"' => {
                let text = self.quoted('"')?;
                Some(if nested { format!("{text}.into()") } else { format!("String::from({text})") })
            }
            '\'' => self.quoted('\''),
            '[' => {
                self.rest.next();
                let all = self.list(']', nested)?.join(", ");
                Some(if nested { format!("[{all}].into()") } else { format!("vec![{all}]") })
            }
            '{' => {
                self.rest.next();
                let all = self.list('}', true)?.join(", ");
                Some(format!("[{all}].into()"))
            }
            '(' => {
                self.rest.next();
                let all = self.list(')', nested)?;
                // `(Weak)` is no tuple.
                let is_hidden =
                    |text: &String| text.starts_with(|c: char| c.is_uppercase()) && text.len() > 1;
                if all.len() == 1 && is_hidden(&all[0]) {
                    return None;
                }
                let comma = if all.len() == 1 { "," } else { "" };
                Some(format!("({}{comma})", all.join(", ")))
            }
            c if c.is_ascii_digit() || *c == '-' => self.number(),
            c if c.is_alphabetic() || *c == '_' => self.named(nested),
            _ => None,
        }
    }

    /// Values with commas between them, and with `key: value` in maps.
    fn list(&mut self, end: char, nested: bool) -> Option<Vec<String>> {
        let mut all = vec![];
        while !self.eat(end) {
            let value = self.value(nested)?;
            let value = match self.eat(':') {
                true => format!("({value}, {})", self.value(nested)?),
                false => value,
            };
            all.push(value);
            if !self.eat(',') && !self.eat_end(end)? {
                return None;
            }
        }
        Some(all)
    }

    /// Whether the end is next; it stays there.
    fn eat_end(&mut self, end: char) -> Option<bool> {
        self.skip_space();
        Some(*self.rest.peek()? == end)
    }

    fn quoted(&mut self, quote: char) -> Option<String> {
        let mut text = String::from(self.rest.next()?);
        loop {
            let c = self.rest.next()?;
            text.push(c);
            match c {
                '\\' => text.push(self.rest.next()?),
                c if c == quote => return Some(text),
                _ => {}
            }
        }
    }

    fn number(&mut self) -> Option<String> {
        let mut text = String::new();
        while let Some(c) = self.rest.next_if(|c| c.is_ascii_alphanumeric() || "-.=".contains(*c)) {
            text.push(c);
        }
        (!text.starts_with("0x")).then_some(text)
    }

    /// A struct, a variant, or a name alone.
    fn named(&mut self, nested: bool) -> Option<String> {
        let mut name = String::new();
        while let Some(c) = self.rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
            name.push(c);
        }
        self.skip_space();
        let value = match self.rest.peek() {
            Some('(') => {
                self.rest.next();
                let is_option = matches!(&*name, "Some" | "Ok" | "Err");
                let fields = self.list(')', nested || !is_option)?.join(", ");
                let value = format!("{name}({fields})");
                if is_option {
                    return Some(value);
                }
                value
            }
            Some('{') => {
                self.rest.next();
                let fields = self.fields()?;
                match (&*name, &fields[..]) {
                    ("Cell" | "RefCell", [(_, value)]) => return Some(format!("{name}::new({value})")),
                    _ => {
                        let fields: Vec<String> =
                            fields.iter().map(|(f, value)| format!("{f}: {value}")).collect();
                        format!("{name} {{ {} }}", fields.join(", "))
                    }
                }
            }
            _ if matches!(&*name, "None" | "true" | "false") => return Some(name),
            _ => name,
        };
        Some(if nested { format!("{value}.into()") } else { value })
    }

    fn fields(&mut self) -> Option<Vec<(String, String)>> {
        let mut all = vec![];
        while !self.eat('}') {
            self.skip_space();
            let mut name = String::new();
            while let Some(c) = self.rest.next_if(|c| c.is_alphanumeric() || *c == '_' || *c == '#') {
                name.push(c);
            }
            if name.is_empty() || !self.eat(':') {
                return None;
            }
            all.push((name, self.value(true)?));
            if !self.eat(',') && !self.eat_end('}')? {
                return None;
            }
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_texts_become_expressions() {
        for (text, expected) in [
            ("3", "3"),
            ("-1.5", "-1.5"),
            ("0..3", "0..3"),
            ("\"a\\\"b\"", "String::from(\"a\\\"b\")"),
            ("[1, 2]", "vec![1, 2]"),
            ("[\n    1,\n]", "vec![1]"),
            ("Some(\"a\")", "Some(String::from(\"a\"))"),
            ("('a', true)", "('a', true)"),
            ("Leaf", "Leaf"),
            (
                "Tree {\n    root: Some(\n        Node {\n            key: 1,\n            left: None,\n        },\n    ),\n}",
                "Tree { root: Some(Node { key: 1, left: None }.into()) }",
            ),
            ("Add(Number(1), Leaf)", "Add(Number(1).into(), Leaf.into())"),
            (
                "T { names: [\"a\"], map: {1: \"b\"}, set: {} }",
                "T { names: [\"a\".into()].into(), map: [(1, \"b\".into())].into(), set: [].into() }",
            ),
            ("T { c: RefCell { value: 3 }, p: (1, 2) }", "T { c: RefCell::new(3), p: (1, 2) }"),
        ] {
            assert_eq!(expression(text).as_deref(), Some(expected), "{text}");
        }
        for not_rust in
            ["", "0x7f00", "T { p: 0x7f00 }", "(Weak)", "T { a: 1, .. }", "[1, 2", "1 2", "T { a: … }"]
        {
            assert_eq!(expression(not_rust), None, "{not_rust}");
        }
    }
}
