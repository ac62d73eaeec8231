//! The arguments of the attribute, with their spans.

use super::reduction::Reduction;
use crate::syntax::args::{equals, flag, natural, one_of, parse_all, set, text, time, value};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Error, Expr, Ident, LitInt, LitStr, Member, Path, Result, Token, parenthesized};

const KEYS: &str = "`scope = 4`, `bounds = Bounds::exact()..`, `objects(Node = 5)`, `pool(\"cache\" = 2)`, \
    `ints(Node.key = 0..=9)`, `len(Node.items = 0..=3)`, `alphabet(Node.name = \"ab\")`, \
    `variants(Node.color = [\"Red\"])`, `nullable(Node.next = false)`, `engine = \"korat\"`, `order = \"single\"`, \
    `classes = \"pruned\"`, `sparse = 1000`, `max = 1000`, `budget = \"10s\"`, `threads = 1`, `disjoint = \"off\"`, `suite = \"trees.suite\"`, `criterion = \"cdc\"` with \
    `ratio = 0.1`, `size = 100` or `per_class = 1` and `seed = 7`, `clusters = true`, `order_types`, `audit`, `crate = path`";

/// `#[smallscope::test(..)]`.
#[derive(Default)]
pub(super) struct Args {
    scope: Option<Expr>,
    bounds: Option<Expr>,
    engine: Option<LitStr>,
    order: Option<LitStr>,
    classes: Option<LitStr>,
    max: Option<Expr>,
    sparse: Option<Expr>,
    threads: Option<Expr>,
    budget: Option<LitStr>,
    disjoint: Option<LitStr>,
    suite: Option<LitStr>,
    order_types: Option<Span>,
    audit: Option<Span>,
    clusters: Option<bool>,
    reduction: Reduction,
    krate: Option<Path>,
    /// `objects(Node = 5)` and the like: method of `Bounds`, name, value.
    given: Vec<(Ident, String, Expr)>,
}

impl Args {
    pub(super) fn parse(tokens: TokenStream) -> Result<Args> {
        let args: Args = parse_all(tokens, Args::parse_one)?;
        args.check()?;
        Ok(args)
    }

    fn parse_one(&mut self, input: ParseStream<'_>) -> Result<()> {
        if let Ok(number) = input.fork().parse::<LitInt>() {
            return Err(Error::new(number.span(), format!("write `scope = {number}`")));
        }
        let wrong = |e: Error| Error::new(e.span(), format!("`#[smallscope::test(..)]` takes {KEYS}"));
        let key = Ident::parse_any(input).map_err(wrong)?;
        match key.to_string().as_str() {
            "scope" => set(&mut self.scope, &key, value(input, &key, "4")?),
            "bounds" => {
                set(&mut self.bounds, &key, value(input, &key, "Bounds::exact().objects(\"Node\", 5)")?)
            }
            "engine" => set(&mut self.engine, &key, text(input, &key, "korat")?),
            "order" => set(&mut self.order, &key, text(input, &key, "single")?),
            "classes" => set(&mut self.classes, &key, text(input, &key, "pruned")?),
            "max" => set(&mut self.max, &key, value(input, &key, "1000")?),
            "sparse" => set(&mut self.sparse, &key, value(input, &key, "1000")?),
            "threads" => set(&mut self.threads, &key, value(input, &key, "1")?),
            "budget" => set(&mut self.budget, &key, text(input, &key, "10s")?),
            "disjoint" => set(&mut self.disjoint, &key, text(input, &key, "off")?),
            "suite" => set(&mut self.suite, &key, text(input, &key, "trees.suite")?),
            "order_types" => set(&mut self.order_types, &key, key.span()),
            "clusters" => set(&mut self.clusters, &key, flag(input, &key)?),
            "criterion" | "ratio" | "size" | "per_class" | "seed" => self.reduction.parse(input, &key),
            "audit" => set(&mut self.audit, &key, key.span()),
            "crate" => {
                equals(input, &key, "path::to::smallscope")?;
                set(&mut self.krate, &key, input.call(Path::parse_mod_style)?)
            }
            "objects" | "pool" | "ints" | "len" | "alphabet" | "variants" | "nullable" => {
                self.parse_list(input, &key)
            }
            _ => Err(Error::new(
                key.span(),
                format!("unknown key `{key}`; `#[smallscope::test(..)]` takes {KEYS}"),
            )),
        }
    }

    /// `(Node = 5, "list::Node" = 3)`.
    fn parse_list(&mut self, input: ParseStream<'_>, key: &Ident) -> Result<()> {
        if !input.peek(syn::token::Paren) {
            let example =
                if matches!(key.to_string().as_str(), "objects" | "pool") { "Node" } else { "Node.key" };
            return Err(Error::new(key.span(), format!("write `{key}({example} = ..)`")));
        }
        let list;
        parenthesized!(list in input);
        while !list.is_empty() {
            let (name, span) = name(&list)?;
            if self.given.iter().any(|(k, n, _)| k == key && *n == name) {
                return Err(Error::new(span, format!("`{key}` of `{name}` is given twice")));
            }
            list.parse::<Token![=]>()?;
            self.given.push((key.clone(), name, list.parse()?));
            if !list.is_empty() {
                list.parse::<Token![,]>()?;
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<()> {
        if let (Some(_), Some(scope)) = (&self.bounds, &self.scope) {
            return Err(Error::new(
                scope.span(),
                "`bounds` and `scope` both give the bounds: put the number into them, `bounds = Bounds::scope(4)..`",
            ));
        }
        if let Some(suite) = &self.suite {
            let own = [
                (self.scope.is_some() || self.bounds.is_some() || !self.given.is_empty(), "bounds"),
                (self.engine.is_some(), "engine"),
                (self.order.is_some(), "order"),
                (self.sparse.is_some() || self.order_types.is_some(), "values"),
                (self.classes.is_some(), "classes"),
                (self.disjoint.is_some(), "disjoint parts, or has none"),
            ];
            if let Some((_, what)) = own.iter().find(|(given, _)| *given) {
                return Err(Error::new(
                    suite.span(),
                    format!(
                        "a suite has its own {what}: leave them out here, or leave out `suite` to search"
                    ),
                ));
            }
            if suite.value().is_empty() {
                return Err(Error::new(
                    suite.span(),
                    "`suite` is the path of a file, from the folder of the package",
                ));
            }
        } else if self.scope.is_none() && self.bounds.is_none() && self.given.is_empty() {
            return Err(Error::new(
                Span::call_site(),
                "say how far to go: `#[smallscope::test(scope = 4)]` tries every value with up to 4 objects of each \
                 class; `bounds = ..` and `objects(..)`, `ints(..)`, `len(..)` give exact bounds",
            ));
        }
        if let Some(scope) = &self.scope {
            natural(scope, "`scope` is a number of objects, such as `scope = 4`", 0)?;
        }
        if let Some(max) = &self.max {
            natural(max, "`max` is a positive number of values, such as `max = 1000`", 1)?;
        }
        if let Some(sparse) = &self.sparse {
            natural(sparse, "`sparse` is a positive number of values, such as `sparse = 1000`", 1)?;
        }
        if let Some(threads) = &self.threads {
            natural(threads, "`threads` is a positive number of threads, such as `threads = 1`", 1)?;
        }
        self.reduction.check(self.suite.is_some())?;
        self.settings(&TokenStream::new()).map(drop)
    }

    /// A compile error, unless the smallscope crate can read suites or hears of decisions, if that is needed.
    pub(super) fn needs(&self, p: &TokenStream) -> TokenStream {
        let suites =
            self.suite.as_ref().map(|suite| quote::quote_spanned!(suite.span()=> #p::needs_suites!();));
        let coverage = self.reduction.needs(p);
        quote!(#suites #coverage)
    }

    /// Where the smallscope crate is.
    pub(super) fn krate(&self) -> TokenStream {
        self.krate.as_ref().map_or_else(|| quote!(::smallscope), |path| quote!(#path))
    }

    /// The bounds, as an expression.
    pub(super) fn bounds(&self, p: &TokenStream) -> TokenStream {
        let base = match (&self.bounds, &self.scope) {
            (Some(bounds), _) => {
                quote!(#p::bounds(#bounds))
            }
            (None, Some(scope)) => quote!(#p::Bounds::scope(#scope)),
            (None, None) => quote!(#p::Bounds::exact()),
        };
        let given = self.given.iter().map(|(method, name, value)| quote!(.#method(#name, #value)));
        quote!(#base #(#given)*)
    }

    /// Calls of the builder's methods.
    pub(super) fn settings(&self, p: &TokenStream) -> Result<TokenStream> {
        let mut out = TokenStream::new();
        if let Some(engine) = &self.engine {
            let variant = variant(engine, &[("lazy", "Lazy"), ("owned", "Owned"), ("korat", "Korat")])?;
            out.extend(quote!(.engine(#p::Engine::#variant)));
        }
        if let Some(order) = &self.order {
            let variant = variant(order, &[("smallest", "Smallest"), ("single", "Single")])?;
            out.extend(quote!(.order(#p::Order::#variant)));
        }
        if let Some(classes) = &self.classes {
            let variant = variant(classes, &[("all", "All"), ("pruned", "Pruned"), ("one", "One")])?;
            out.extend(quote!(.classes(#p::Classes::#variant)));
        }
        if let Some(disjoint) = &self.disjoint {
            let variant = variant(disjoint, &[("auto", "Auto"), ("on", "On"), ("off", "Off")])?;
            out.extend(quote!(.disjoint(#p::Disjoint::#variant)));
        }
        if let Some(max) = &self.max {
            out.extend(quote!(.max(#max)));
        }
        if let Some(sparse) = &self.sparse {
            out.extend(quote!(.sparse(#sparse)));
        }
        if let Some(threads) = &self.threads {
            out.extend(quote!(.threads(#threads)));
        }
        if let Some(budget) = &self.budget {
            let milliseconds = time(budget, "a budget")?;
            out.extend(quote!(.budget(::core::time::Duration::from_millis(#milliseconds))));
        }
        if self.order_types.is_some() {
            out.extend(quote!(.order_types()));
        }
        if self.audit.is_some() {
            out.extend(quote!(.audit()));
        }
        if let Some(clusters) = self.clusters {
            out.extend(quote!(.clusters(#clusters)));
        }
        out.extend(self.reduction.settings());
        if let Some(suite) = &self.suite {
            out.extend(quote!(.suite(#suite)));
        }
        Ok(out)
    }
}

fn variant(given: &LitStr, known: &[(&str, &str)]) -> Result<Ident> {
    one_of(given, known).map(|variant| Ident::new(variant, Span::call_site()))
}

/// `Node`, `list::Node.key`, `Pair.0` or a string of that.
fn name(input: ParseStream<'_>) -> Result<(String, Span)> {
    if input.peek(LitStr) {
        let text: LitStr = input.parse()?;
        return Ok((text.value(), text.span()));
    }
    let wrong =
        |e: Error| Error::new(e.span(), "write a class or field, such as `Node = ..` or `Node.key = ..`");
    let path = input.call(Path::parse_mod_style).map_err(wrong)?;
    let segments: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let mut name = segments.join("::");
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
        let settings = args.settings(&quote!(p)).unwrap().to_string();
        assert_eq!(
            settings,
            quote!(.budget(::core::time::Duration::from_millis(120000u64)).audit()).to_string()
        );
    }

    #[test]
    fn mistakes_say_what_to_write() {
        for (args, message) in [
            (quote!(), "say how far to go"),
            (quote!(audit), "say how far to go"),
            (quote!(scope), "write `scope = 4`"),
            (quote!(scope = "4"), "`scope` is a number of objects"),
            (quote!(scope = -1), "`scope` is a number of objects"),
            (quote!(scope = 1, scope = 2), "`scope` is given twice"),
            (quote!(scope = 1, bounds = b()), "both give the bounds"),
            (quote!(scope = 1, engine = "fast"), "expected `\"lazy\"` or `\"owned\"` or `\"korat\"`"),
            (quote!(scope = 1, engine = korat), "write `engine = \"korat\"`"),
            (quote!(scope = 1, order = "deep"), "expected `\"smallest\"` or `\"single\"`"),
            (quote!(scope = 1, classes = "few"), "expected `\"all\"` or `\"pruned\"` or `\"one\"`"),
            (quote!(suite = "a", classes = "one"), "a suite has its own classes"),
            (quote!(scope = 1, max = 0), "`max` is a positive number"),
            (quote!(scope = 1, threads = 0), "`threads` is a positive number"),
            (quote!(scope = 1, budget = "10"), "a budget is a time"),
            (quote!(scope = 1, budget = 10), "write `budget = \"10s\"`"),
            (quote!(scope = 1, objects = 3), "write `objects(Node = ..)`"),
            (quote!(objects(Node = 1, Node = 2)), "`objects` of `Node` is given twice"),
            (quote!(objects(5 = Node)), "write a class or field"),
            (quote!(4), "write `scope = 4`"),
            (quote!("4"), "takes `scope = 4`"),
            (quote!(scope = 1 audit), "expected `,`"),
            (quote!(height = 1), "unknown key `height`"),
            (quote!(suite = trees), "write `suite = \"trees.suite\"`"),
            (quote!(suite = ""), "the path of a file"),
            (quote!(suite = "a", scope = 3), "a suite has its own bounds"),
            (quote!(suite = "a", engine = "korat"), "a suite has its own engine"),
            (quote!(scope = 1, criterion = "cdc"), "say how many values of each class to keep"),
            (quote!(scope = 1, ratio = 0.1), "say by which criterion"),
            (quote!(scope = 1, criterion = "cdc", ratio = 1.5), "greater than 0 and at most 1"),
            (quote!(scope = 1, criterion = "cdc", ratio = 0), "greater than 0 and at most 1"),
            (quote!(scope = 1, criterion = "cdc", ratio = -0.1), "greater than 0 and at most 1"),
            (quote!(scope = 1, criterion = "cdc", ratio = "0.1"), "greater than 0 and at most 1"),
            (quote!(scope = 1, criterion = "cdc", size = 0), "`size` is a positive number"),
            (quote!(scope = 1, criterion = "cdc", per_class = 0), "`per_class` is a positive number"),
            (quote!(scope = 1, criterion = "cdc", size = 5, ratio = 0.1), "give one of them"),
            (quote!(scope = 1, criterion = "cdd", size = 5), "did you mean `\"cdc\"`?"),
            (quote!(scope = 1, criterion = cdc, size = 5), "write `criterion = \"cdc\"`"),
            (quote!(suite = "a", criterion = "cdc", size = 5), "a suite is run as it is"),
            (quote!(scope = 1, clusters = 1), "write `clusters = true`"),
        ] {
            let shown = args.to_string();
            assert!(error(args).contains(message), "{shown}: expected {message}");
        }
    }
}
