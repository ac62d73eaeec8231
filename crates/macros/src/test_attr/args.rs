//! The arguments of the attribute: settings, and bounds by name.

use crate::settings::{Attribute, Given, TEST};
use crate::syntax::args::{gaps, value};
use crate::syntax::{path_names, quote, quote_spanned, text};
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, Ident, Lit, LitStr, Member, Path, Result, Token, UnOp, parenthesized};

const ATTRIBUTE: Attribute = Attribute { path: "smallscope::test", place: TEST, number: "scope" };

/// The keys that give bounds.
const BOUNDS: [&str; 10] =
    ["scope", "size", "bounds", "objects", "pool", "ints", "len", "alphabet", "variants", "nullable"];

/// The keys whose number sets all bounds.
const NUMBERS: [&str; 2] = ["scope", "size"];

/// What else a suite determines, and how a message names it.
const OF_SUITE: [(&str, &str); 8] = [
    ("engine", "engine"),
    ("order", "order"),
    ("sparse", "values"),
    ("order_types", "values"),
    ("classes", "classes"),
    ("disjoint", "disjoint parts, or has none"),
    ("summaries", "values"),
    ("sample", "values"),
];

/// The keys that say how many values a criterion keeps.
const AMOUNTS: [&str; 3] = ["ratio", "keep", "per_class"];

/// `#[smallscope::test(..)]`.
pub(super) struct Args {
    given: Given,
    bounds: Option<Expr>,
    /// `objects(Node = 5)` and the like: method of `Bounds`, name, value.
    named: Vec<(Ident, String, Expr)>,
}

impl Args {
    pub(super) fn parse(tokens: TokenStream) -> Result<Args> {
        let (mut bounds, mut named) = (None, vec![]);
        let given = ATTRIBUTE.parse(tokens, &mut |key, input| {
            if key == "bounds" {
                bounds = Some(value(input, key, "Bounds::exact().objects(\"Node\", 5)")?);
                return Ok(());
            }
            parse_list(&mut named, input, key)
        })?;
        let args = Args { given, bounds, named };
        args.check_bounds()?;
        args.check_criterion()?;
        Ok(args)
    }

    fn check_bounds(&self) -> Result<()> {
        let given = &self.given;
        if let (true, Some(scope)) = (given.has("bounds"), given.at("scope")) {
            return Err(Error::new(
                scope,
                "`bounds` and `scope` both give the bounds: put the number into them, `bounds = Bounds::scope(4)..`",
            ));
        }
        if let (true, Some(size)) = (given.has("bounds"), given.at("size")) {
            return Err(Error::new(
                size,
                "`bounds` and `size` both give the bounds: put the number into them, `bounds = Bounds::size(6)..`",
            ));
        }
        if let (true, Some(size)) = (given.has("scope"), given.at("size")) {
            let keep = if given.has("criterion") {
                "; the number of values that a criterion keeps is `keep = 100`"
            } else {
                ""
            };
            return Err(Error::new(
                size,
                format!(
                    "`scope` bounds each type on its own and `size` the whole value: use one of them, and bounds by name \
                     such as `ints(..)` for the rest{keep}"
                ),
            ));
        }
        let has_bounds = given.first_of(&BOUNDS).is_some();
        let Some(suite) = given.at("suite") else {
            if has_bounds {
                return Ok(());
            }
            return Err(Error::new(
                Span::call_site(),
                "the bounds are missing: `#[smallscope::test(scope = 4)]` tries every value with up to 4 objects of each \
                 type, `size = 6` with up to 6 objects and elements in all; `bounds = ..` and `objects(..)`, `ints(..)`, `len(..)` give exact bounds",
            ));
        };
        let what = match OF_SUITE.iter().find(|(key, _)| given.has(key)) {
            _ if has_bounds => "bounds",
            Some((_, what)) => what,
            None => return Ok(()),
        };
        Err(Error::new(
            suite,
            format!("a suite has its own {what}: leave them out here, or leave out `suite` to search"),
        ))
    }

    fn check_criterion(&self) -> Result<()> {
        let given = &self.given;
        if let (false, Some(size)) = (given.has("sample"), given.at("sample_size")) {
            return Err(Error::new(size, "`sample_size` needs the number of values: add `sample = 1000`"));
        }
        let mut amounts = vec![];
        for key in AMOUNTS {
            amounts.extend(given.at(key));
        }
        let Some(criterion) = given.at("criterion") else {
            let seed = given.at("seed").filter(|_| !given.has("sample"));
            return match amounts.first().copied().or(seed) {
                None => Ok(()),
                Some(at) => Err(Error::new(
                    at,
                    "this setting needs a criterion that puts values into classes: add `criterion = \"cdc\"`",
                )),
            };
        };
        if let Some(sample) = given.at("sample") {
            return Err(Error::new(
                sample,
                "`sample` draws from all values, and a criterion keeps some of them: use one of them",
            ));
        }
        if given.has("suite") {
            return Err(Error::new(
                criterion,
                "a test runs on all values of a suite: leave `criterion` out, and make a smaller suite with \
                 `cargo smallscope reduce`",
            ));
        }
        match amounts[..] {
            [_] => Ok(()),
            [] => Err(Error::new(
                criterion,
                "a criterion needs the number of values to keep: add `ratio = 0.1`, `keep = 100` or `per_class = 1`",
            )),
            [_, second, ..] => Err(Error::new(
                second,
                "`ratio`, `keep` and `per_class` all give the number of values to keep: use one of them",
            )),
        }
    }

    /// A compile error unless the smallscope crate has the features that the arguments need.
    pub(super) fn needs(&self, p: &TokenStream) -> TokenStream {
        let suites = self.given.at("suite").map(|at| quote_spanned!(at=> #p::needs_suites!();));
        let criteria = self.given.at("criterion").map(|at| quote_spanned!(at=> #p::needs_criteria!();));
        let summaries = self.given.at("summaries").or(self.given.at("sample"));
        let summaries = summaries.map(|at| quote_spanned!(at=> #p::needs_summaries!();));
        let filled = self.named.iter().find(|(method, ..)| method == "filled");
        let filled = filled.map(|(method, ..)| quote_spanned!(method.span()=> #p::needs_filled!();));
        quote!(#suites #criteria #summaries #filled)
    }

    /// The path of the smallscope crate.
    pub(super) fn krate(&self) -> TokenStream {
        self.given.krate()
    }

    /// The bounds, as an expression.
    pub(super) fn bounds(&self, p: &TokenStream) -> TokenStream {
        let mut bounds = match &self.bounds {
            Some(bounds) => quote!(#p::bounds(#bounds)),
            None => quote!(#p::Bounds::exact()),
        };
        for (name, number) in self.given.values(p) {
            if self.bounds.is_none() && NUMBERS.contains(&name) {
                let name = Ident::new(name, Span::call_site());
                bounds = quote!(#p::Bounds::#name(#number));
            }
        }
        for (method, name, value) in &self.named {
            quote!(.#method(#name, #value)).to_tokens(&mut bounds);
        }
        bounds
    }

    /// Calls of the builder's methods, which have the names of the settings.
    pub(super) fn settings(&self, p: &TokenStream) -> TokenStream {
        let mut calls = TokenStream::new();
        for (name, value) in self.given.values(p) {
            if !NUMBERS.contains(&name) {
                let method = Ident::new(name, Span::call_site());
                quote!(.#method(#value)).to_tokens(&mut calls);
            }
        }
        calls
    }
}

/// `(Node = 5, "list::Node" = 3)`.
fn parse_list(named: &mut Vec<(Ident, String, Expr)>, input: ParseStream<'_>, key: &Ident) -> Result<()> {
    if !input.peek(syn::token::Paren) {
        let example = if key == "objects" || key == "pool" { "Node" } else { "Node.key" };
        return Err(Error::new(
            key.span(),
            format!("`{key}` is not given like this: write `{key}({example} = ..)`"),
        ));
    }
    let list;
    parenthesized!(list in input);
    while !list.is_empty() {
        let (name, span) = name(&list)?;
        if named.iter().any(|(k, n, _)| k == key && *n == name) {
            return Err(Error::new(span, format!("`{key}` of `{name}` is given twice: remove one of them")));
        }
        list.parse::<Token![=]>()?;
        let value: Expr = list.parse()?;
        if let Some(remedy) = remedy(key, &value) {
            return Err(Error::new(
                value.span(),
                format!("{remedy}: write `{key}({name} = {})`", example(key, &value)),
            ));
        }
        match gaps(&value).filter(|_| key == "len") {
            Some((searched, filled)) => {
                named.push((key.clone(), name.clone(), searched));
                for lengths in filled {
                    named.push((Ident::new("filled", lengths.span()), name.clone(), lengths));
                }
            }
            None => named.push((key.clone(), name, value)),
        }
        if !list.is_empty() {
            list.parse::<Token![,]>()?;
        }
    }
    Ok(())
}

/// What is wrong with a value that cannot be of the type that the bound takes; only literals show that.
fn remedy(key: &Ident, value: &Expr) -> Option<&'static str> {
    let is_negative = matches!(value, Expr::Unary(u) if matches!(u.op, UnOp::Neg(_)));
    let is_number = is_negative || matches!(value, Expr::Lit(ExprLit { lit: Lit::Int(_), .. }));
    let is_text = matches!(value, Expr::Lit(ExprLit { lit: Lit::Str(_), .. }));
    let is_list = matches!(value, Expr::Range(_) | Expr::Array(_));
    let is_literal = matches!(value, Expr::Lit(_)) || is_number || is_list;
    match key.to_string().as_str() {
        "ints" if is_number => Some("`ints` takes a range or a list"),
        "len" if is_number => Some("`len` takes a range or a list of lengths"),
        "objects" | "pool" if is_negative || is_text || is_list => Some("this takes a number from 0 on"),
        "alphabet" if is_literal && !is_text => Some("`alphabet` takes a string of characters"),
        "variants" if is_literal && !matches!(value, Expr::Array(_)) => {
            Some("`variants` takes a list of names")
        }
        "nullable" if is_literal && !matches!(value, Expr::Lit(ExprLit { lit: Lit::Bool(_), .. })) => {
            Some("`nullable` takes `true` or `false`")
        }
        _ => None,
    }
}

/// A value that a bound takes, as close as possible to the one that is given.
fn example(key: &Ident, value: &Expr) -> String {
    let given = text::of(value.to_token_stream());
    match key.to_string().as_str() {
        "ints" if given.starts_with('-') => format!("{given}..=0"),
        "ints" => format!("0..={given}"),
        "len" => format!("0..={}", given.trim_start_matches('-')),
        "alphabet" => "\"ab\"".to_owned(),
        "variants" => "[\"Red\"]".to_owned(),
        "nullable" => "false".to_owned(),
        _ => "3".to_owned(),
    }
}

/// `Node`, `list::Node.key`, `Pair.0` or a string of that.
fn name(input: ParseStream<'_>) -> Result<(String, Span)> {
    if input.peek(LitStr) {
        let text: LitStr = input.parse()?;
        return Ok((text.value(), text.span()));
    }
    let wrong =
        |e: Error| Error::new(e.span(), "write a type or field, such as `Node = ..` or `Node.key = ..`");
    let path = input.call(Path::parse_mod_style).map_err(wrong)?;
    let mut name = path_names(&path).join("::");
    while input.peek(Token![.]) {
        input.parse::<Token![.]>()?;
        match input.parse::<Member>().map_err(wrong)? {
            Member::Named(field) => name.push_str(&format!(".{field}")),
            Member::Unnamed(index) => name.push_str(&format!(".{}", index.index)),
        }
    }
    Ok((name, path.span()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(args: TokenStream) -> String {
        match Args::parse(args) {
            Ok(_) => "no error".into(),
            Err(e) => e.to_string(),
        }
    }

    #[test]
    fn lengths_behind_a_gap_are_filled() {
        let args = Args::parse(quote!(scope = 3, len(items = [0..=3, 64..=65, 4097], other = [1, 2])));
        let args = args.unwrap_or_else(|e| panic!("{e}"));
        let expected = quote!(
            p::Bounds::scope(3)
                .len("items", 0..=3)
                .filled("items", 64..=65)
                .filled("items", 4097..=4097)
                .len("other", [1, 2])
        );
        assert_eq!(args.bounds(&quote!(p)).to_string(), expected.to_string());
        assert_eq!(args.needs(&quote!(p)).to_string(), quote!(p::needs_filled!();).to_string());
    }

    #[test]
    fn bounds_are_put_together() {
        let args = Args::parse(quote!(
            scope = 3,
            objects(Node = 5, "list::Node" = 2),
            ints(Node.key = 0..=9, Pair.0 = [1, 2]),
            audit,
            budget = "2m",
        ));
        let args = args.unwrap_or_else(|e| panic!("{e}"));
        let bounds = args.bounds(&quote!(p)).to_string();
        let expected = quote!(
            p::Bounds::scope(3)
                .objects("Node", 5)
                .objects("list::Node", 2)
                .ints("Node.key", 0..=9)
                .ints("Pair.0", [1, 2])
        );
        assert_eq!(bounds, expected.to_string());
        let settings = args.settings(&quote!(p)).to_string();
        assert_eq!(
            settings,
            quote!(.audit().budget(::core::time::Duration::from_millis(120000u64))).to_string()
        );
        let unlimited = Args::parse(quote!(scope = 3, budget = "none")).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(
            unlimited.settings(&quote!(p)).to_string(),
            quote!(.budget(::core::time::Duration::MAX)).to_string()
        );
    }

    #[test]
    fn mistakes_say_what_to_write() {
        for (args, message) in [
            (quote!(), "the bounds are missing"),
            (quote!(audit), "the bounds are missing"),
            (quote!(scope), "write `scope = 4`"),
            (quote!(scope = "4"), "`scope` is a number of objects"),
            (quote!(scope = -1), "`scope` is a number of objects"),
            (quote!(scope = 1, scope = 2), "`scope` is given twice"),
            (quote!(scope = 1, bounds = b()), "both give the bounds"),
            (quote!(scope = 1, engine = "fast"), "`engine` is `\"lazy\"`, `\"owned\"` or `\"korat\"`"),
            (quote!(scope = 1, engine = korat), "write `engine = \"korat\"`"),
            (quote!(scope = 1, order = "deep"), "`order` is `\"smallest\"` or `\"single\"`"),
            (quote!(scope = 1, classes = "few"), "`classes` is `\"all\"`, `\"pruned\"` or `\"one\"`"),
            (quote!(suite = "a", classes = "one"), "a suite has its own classes"),
            (quote!(scope = 1, max = 0), "`max` is a positive number"),
            (quote!(scope = 1, threads = 0), "`threads` is a number of threads from 1 to 1024"),
            (quote!(scope = 1, threads = 1025), "`threads` is a number of threads from 1 to 1024"),
            (quote!(scope = 1, budget = "10"), "`budget` is a time, such as `budget = \"10s\"`"),
            (quote!(scope = 1, budget = 10), "write `budget = \"10s\"`"),
            (quote!(scope = 1, memory = 10), "write `memory = \"2 GB\"`"),
            (
                quote!(scope = 1, memory = "2 G"),
                "`memory` is a size of memory, such as `memory = \"2 GB\"`; the units are",
            ),
            (quote!(scope = 1, objects = 3), "write `objects(Node = ..)`"),
            (quote!(objects(Node = 1, Node = 2)), "`objects` of `Node` is given twice"),
            (quote!(objects(5 = Node)), "write a type or field"),
            (quote!(ints(P.x = 300)), "`ints` takes a range or a list: write `ints(P.x = 0..=300)`"),
            (quote!(ints(P.x = -3)), "write `ints(P.x = -3..=0)`"),
            (quote!(len(P.v = -1)), "`len` takes a range or a list of lengths: write `len(P.v = 0..=1)`"),
            (quote!(objects(Node = -1)), "takes a number from 0 on: write `objects(Node = 3)`"),
            (quote!(objects(Node = 0..=3)), "takes a number from 0 on: write `objects(Node = 3)`"),
            (
                quote!(alphabet(P.name = 'a')),
                "takes a string of characters: write `alphabet(P.name = \"ab\")`",
            ),
            (
                quote!(variants(P.color = "Red")),
                "takes a list of names: write `variants(P.color = [\"Red\"])`",
            ),
            (quote!(nullable(P.next = 1)), "takes `true` or `false`: write `nullable(P.next = false)`"),
            (quote!(4), "write `scope = 4`"),
            (quote!("4"), "takes `scope = 4`"),
            (quote!(scope = 1 audit), "expected `,`"),
            (quote!(height = 1), "unknown key `height`"),
            (quote!(suite = trees), "write `suite = \"trees.suite\"`"),
            (quote!(suite = ""), "the path of a file"),
            (quote!(suite = "a", scope = 3), "a suite has its own bounds"),
            (quote!(suite = "a", engine = "korat"), "a suite has its own engine"),
            (quote!(scope = 1, criterion = "cdc"), "add `ratio = 0.1`"),
            (quote!(scope = 1, ratio = 0.1), "add `criterion = \"cdc\"`"),
            (quote!(scope = 1, criterion = "cdc", ratio = 1.5), "greater than 0 and at most 1"),
            (quote!(scope = 1, criterion = "cdc", ratio = 0), "greater than 0 and at most 1"),
            (quote!(scope = 1, criterion = "cdc", ratio = -0.1), "greater than 0 and at most 1"),
            (quote!(scope = 1, criterion = "cdc", ratio = "0.1"), "greater than 0 and at most 1"),
            (quote!(scope = 1, criterion = "cdc", keep = 0), "`keep` is a positive number"),
            (quote!(scope = 1, criterion = "cdc", size = 5), "criterion keeps is `keep = 100`"),
            (quote!(scope = 1, size = 5), "use one of them, and bounds by name such as `ints(..)`"),
            (quote!(bounds = b(), size = 5), "`bounds = Bounds::size(6)..`"),
            (quote!(size = -1), "`size` is a number of objects and elements"),
            (quote!(scope = 1, criterion = "cdc", per_class = 0), "`per_class` is a positive number"),
            (quote!(scope = 1, criterion = "cdc", keep = 5, ratio = 0.1), "use one of them"),
            (quote!(scope = 1, criterion = "cdd", keep = 5), "did you mean `\"cdc\"`?"),
            (quote!(scope = 1, criterion = cdc, keep = 5), "write `criterion = \"cdc\"`"),
            (quote!(suite = "a", criterion = "cdc", keep = 5), "runs on all values of a suite"),
            (quote!(scope = 1, clusters = 1), "write `clusters = true`"),
        ] {
            let shown = args.to_string();
            assert!(error(args).contains(message), "{shown}: expected {message}");
        }
    }
}
