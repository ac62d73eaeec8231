//! The arguments of the attribute, with their spans.

use crate::syntax::args::{equals, flag, natural, one_of, parse_all, set, text, time, value};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Error, Expr, Ident, LitInt, LitStr, Path, Result, Token, bracketed};

const KEYS: &str = "`length = 5`, `strategy = \"states\"`, `tests = 1000`, `seed = 7`, `abstraction = \"shape\"` with \
    `fields = [\"red\"]`, `order = \"dfs\"`, `exact`, `max_states = 100_000`, `budget = \"10s\"`, \
    `call_limit = \"10s\"`, `threads = 1`, `clusters`, `cover = \"blocks\"`, `crate = path`";

const STRATEGIES: [(&str, &str); 5] = [
    ("states", "States"),
    ("be", "Be"),
    ("random", "Random"),
    ("random-paths", "RandomPaths"),
    ("bobw", "Bobw"),
];

const COVERS: [(&str, &str); 3] = [("blocks", "Blocks"), ("predicates", "Predicates"), ("llvm", "Llvm")];

/// `#[smallscope::sequences(..)]`.
#[derive(Default)]
pub(super) struct Args {
    length: Option<Expr>,
    strategy: Option<LitStr>,
    tests: Option<Expr>,
    seed: Option<Expr>,
    abstraction: Option<Abstraction>,
    fields: Option<(Ident, Vec<LitStr>)>,
    order: Option<LitStr>,
    exact: Option<Span>,
    max_states: Option<Expr>,
    budget: Option<LitStr>,
    call_limit: Option<LitStr>,
    threads: Option<Expr>,
    clusters: Option<bool>,
    cover: Option<LitStr>,
    krate: Option<Path>,
}

/// Which states are the same: by a name, or by a function.
enum Abstraction {
    Named(LitStr),
    By(Expr),
}

impl Abstraction {
    fn span(&self) -> Span {
        match self {
            Abstraction::Named(name) => name.span(),
            Abstraction::By(function) => function.span(),
        }
    }
}

impl Args {
    pub(super) fn parse(tokens: TokenStream) -> Result<Args> {
        let args: Args = parse_all(tokens, Args::parse_one)?;
        args.check()?;
        Ok(args)
    }

    fn parse_one(&mut self, input: ParseStream<'_>) -> Result<()> {
        if let Ok(number) = input.fork().parse::<LitInt>() {
            return Err(Error::new(number.span(), format!("write `length = {number}`")));
        }
        let wrong = |e: Error| Error::new(e.span(), format!("`#[smallscope::sequences(..)]` takes {KEYS}"));
        let key = Ident::parse_any(input).map_err(wrong)?;
        match key.to_string().as_str() {
            "length" => set(&mut self.length, &key, value(input, &key, "5")?),
            "strategy" => set(&mut self.strategy, &key, text(input, &key, "bobw")?),
            "tests" => set(&mut self.tests, &key, value(input, &key, "1000")?),
            "seed" => set(&mut self.seed, &key, value(input, &key, "7")?),
            "abstraction" => set(&mut self.abstraction, &key, abstraction(input, &key)?),
            "fields" => set(&mut self.fields, &key, (key.clone(), texts(input, &key)?)),
            "order" => set(&mut self.order, &key, text(input, &key, "dfs")?),
            "exact" => set(&mut self.exact, &key, key.span()),
            "max_states" => set(&mut self.max_states, &key, value(input, &key, "100_000")?),
            "budget" => set(&mut self.budget, &key, text(input, &key, "10s")?),
            "call_limit" => set(&mut self.call_limit, &key, text(input, &key, "10s")?),
            "threads" => set(&mut self.threads, &key, value(input, &key, "1")?),
            "cover" => set(&mut self.cover, &key, text(input, &key, "blocks")?),
            "clusters" => set(&mut self.clusters, &key, flag(input, &key)?),
            "crate" => {
                equals(input, &key, "path::to::smallscope")?;
                set(&mut self.krate, &key, input.call(Path::parse_mod_style)?)
            }
            _ => Err(Error::new(
                key.span(),
                format!("unknown key `{key}`; `#[smallscope::sequences(..)]` takes {KEYS}"),
            )),
        }
    }

    fn check(&self) -> Result<()> {
        for (number, key, example, least) in [
            (&self.length, "length", "a positive number of calls, such as `length = 5`", 1),
            (&self.tests, "tests", "a positive number of tests, such as `tests = 1000`", 1),
            (&self.seed, "seed", "a number, such as `seed = 7`", 0),
            (&self.max_states, "max_states", "a positive number, such as `max_states = 100_000`", 1),
            (&self.threads, "threads", "a positive number, such as `threads = 1`", 1),
        ] {
            if let Some(number) = number {
                natural(number, &format!("`{key}` is {example}"), least)?;
            }
        }
        if let Some(strategy) = &self.strategy {
            one_of(strategy, &STRATEGIES)?;
        }
        if let Some(cover) = &self.cover {
            one_of(cover, &COVERS)?;
        }
        if let Some(order) = &self.order {
            one_of(order, &["bfs", "dfs", "random"].map(|name| (name, ())))?;
        }
        if let Some(Abstraction::Named(name)) = &self.abstraction {
            one_of(name, &["complete", "shape", "classical"].map(|name| (name, ())))?;
        }
        for (given, _, what) in self.times() {
            given.map(|given| time(given, what)).transpose()?;
        }
        if let Some((key, _)) = &self.fields
            && !matches!(&self.abstraction, Some(Abstraction::Named(name)) if name.value() == "shape")
        {
            return Err(Error::new(
                key.span(),
                "`fields` are what counts besides the shape: write `abstraction = \"shape\", fields = [..]`",
            ));
        }
        match self.strategy().0 {
            "states" => self.check_states(),
            strategy => self.check_list(strategy),
        }
    }

    /// The times, the fields for them, and what they are called.
    fn times(&self) -> [(Option<&LitStr>, &'static str, &'static str); 2] {
        [
            (self.budget.as_ref(), "budget", "a budget"),
            (self.call_limit.as_ref(), "call_limit", "what a call may take"),
        ]
    }

    /// The strategy, and the variant for it.
    fn strategy(&self) -> (&'static str, &'static str) {
        let given = self.strategy.as_ref().map(LitStr::value);
        let found = STRATEGIES.iter().find(|(name, _)| given.as_deref() == Some(name));
        *found.unwrap_or(&STRATEGIES[0])
    }

    /// What only goes with lists of tests, and what an exploration needs.
    fn check_states(&self) -> Result<()> {
        let is_random = self.order.as_ref().is_some_and(|order| order.value() == "random");
        let others = "is for lists of tests, and the strategy `states` explores states: leave it out, or say \
                      `strategy = \"bobw\"`";
        if let Some(tests) = self.tests.as_ref().filter(|_| !is_random) {
            return Err(Error::new(tests.span(), format!("a number of tests {others}")));
        }
        if is_random && (self.length.is_none() || self.tests.is_none()) {
            return Err(Error::new(
                self.order.span(),
                "the order `random` needs `length = ..`, the calls of a sequence, and `tests = ..`, their number",
            ));
        }
        if self.length.is_none() && self.max_states.is_none() && self.budget.is_none() {
            return Err(Error::new(
                Span::call_site(),
                "say how far to go: `#[smallscope::sequences(length = 5)]` tries what sequences of up to 5 calls can do; \
                 `max_states = ..` and `budget = \"10s\"` are limits, too",
            ));
        }
        Ok(())
    }

    /// What only goes with explorations, and what a list of tests needs.
    fn check_list(&self, strategy: &str) -> Result<()> {
        let others = [
            (self.abstraction.as_ref().map(Abstraction::span), "an abstraction"),
            (self.order.as_ref().map(LitStr::span), "an order"),
            (self.exact, "`exact`"),
            (self.max_states.as_ref().map(Spanned::span), "a number of states"),
        ];
        for (at, what) in others {
            if let Some(at) = at {
                return Err(Error::new(
                    at,
                    format!(
                        "{what} is for the strategy `states`, and `{strategy}` knows no states: leave it out"
                    ),
                ));
            }
        }
        if self.length.is_none() {
            return Err(Error::new(
                self.strategy.span(),
                format!("the strategy `{strategy}` needs the length of the tests: add `length = 5`"),
            ));
        }
        if strategy.starts_with("random") && self.tests.is_none() {
            return Err(Error::new(
                self.strategy.span(),
                format!("the strategy `{strategy}` needs to know how many tests to draw: add `tests = 1000`"),
            ));
        }
        Ok(())
    }

    /// Where the smallscope crate is.
    pub(super) fn krate(&self) -> TokenStream {
        self.krate.as_ref().map_or_else(|| quote!(::smallscope), |path| quote!(#path))
    }

    /// What the build has to have.
    pub(super) fn needs(&self, p: &TokenStream) -> TokenStream {
        self.cover
            .as_ref()
            .map_or_else(TokenStream::new, |cover| quote_spanned!(cover.span()=> #p::needs_cover!();))
    }

    /// Assignments to the fields of `__campaign`. They have been checked.
    pub(super) fn settings(&self, p: &TokenStream) -> TokenStream {
        let mut out = TokenStream::new();
        let numbers = [
            (&self.length, "length"),
            (&self.tests, "tests"),
            (&self.max_states, "max_states"),
            (&self.threads, "threads"),
        ];
        for (number, field) in numbers {
            if let Some(number) = number {
                let field = Ident::new(field, Span::call_site());
                out.extend(quote!(__campaign.#field = ::core::option::Option::Some(#number);));
            }
        }
        if let Some(seed) = &self.seed {
            out.extend(quote!(__campaign.seed = #seed;));
        }
        if self.strategy.is_some() {
            let which = Ident::new(self.strategy().1, Span::call_site());
            out.extend(quote!(__campaign.which = #p::Which::#which;));
        }
        match self.order.as_ref().map(LitStr::value).as_deref() {
            Some("dfs") => out.extend(quote!(__campaign.order = #p::Order::Depth;)),
            Some("random") => out.extend(quote!(__campaign.order = #p::Order::Random;)),
            _ => {}
        }
        let fields = self.fields.iter().flat_map(|(_, fields)| fields);
        match &self.abstraction {
            Some(Abstraction::By(function)) => {
                out.extend(quote!(__campaign.matching = #p::Matching::By(#function);));
            }
            Some(Abstraction::Named(name)) if name.value() == "classical" => {
                out.extend(quote!(__campaign.matching = #p::Matching::Classical;));
            }
            Some(Abstraction::Named(name)) if name.value() == "shape" => out.extend(match &self.fields {
                Some(_) => quote! {
                    __campaign.matching = #p::Matching::Values(#p::Abstraction::shape_and([#(#fields),*]));
                },
                None => quote!(__campaign.matching = #p::Matching::Values(#p::Abstraction::Shape);),
            }),
            _ => {}
        }
        if self.exact.is_some() {
            out.extend(quote!(__campaign.exact = true;));
        }
        if let Some(clusters) = self.clusters {
            out.extend(quote!(__campaign.clusters = #clusters;));
        }
        let cover = self.cover.as_ref().map(LitStr::value);
        if let Some((_, cover)) = COVERS.iter().find(|(name, _)| cover.as_deref() == Some(name)) {
            let cover = Ident::new(cover, Span::call_site());
            out.extend(quote!(__campaign.cover = #p::Cover::#cover;));
        }
        for (given, field, what) in self.times() {
            let Some(milliseconds) = given.and_then(|given| time(given, what).ok()) else { continue };
            let field = Ident::new(field, Span::call_site());
            out.extend(quote! {
                __campaign.#field = ::core::option::Option::Some(::core::time::Duration::from_millis(#milliseconds));
            });
        }
        out
    }
}

fn texts(input: ParseStream<'_>, key: &Ident) -> Result<Vec<LitStr>> {
    let example = "[\"red\"]";
    equals(input, key, example)?;
    let wrong = |e: Error| Error::new(e.span(), format!("write `{key} = {example}`, with names of fields"));
    let list = || -> Result<_> {
        let list;
        bracketed!(list in input);
        Ok(Punctuated::<LitStr, Token![,]>::parse_terminated(&list)?.into_iter().collect())
    };
    list().map_err(wrong)
}

fn abstraction(input: ParseStream<'_>, key: &Ident) -> Result<Abstraction> {
    equals(input, key, "\"shape\"")?;
    if input.peek(LitStr) {
        return input.parse().map(Abstraction::Named);
    }
    input.parse().map(Abstraction::By)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_say_what_to_write() {
        for (args, message) in [
            (quote!(), "say how far to go"),
            (quote!(exact), "say how far to go"),
            (quote!(5), "write `length = 5`"),
            (quote!(length), "write `length = 5`"),
            (quote!(length = 0), "`length` is a positive number of calls"),
            (quote!(length = "5"), "`length` is a positive number of calls"),
            (quote!(length = 1, length = 2), "`length` is given twice"),
            (quote!(lenght = 5), "unknown key `lenght`; `#[smallscope::sequences(..)]` takes `length = 5`"),
            (quote!("5"), "takes `length = 5`"),
            (quote!(length = 5, strategy = "bfs"), "expected `\"states\"` or `\"be\"` or"),
            (quote!(length = 5, strategy = bobw), "write `strategy = \"bobw\"`"),
            (quote!(strategy = "be"), "add `length = 5`"),
            (quote!(strategy = "random", length = 5), "add `tests = 1000`"),
            (quote!(length = 5, tests = 10), "a number of tests is for lists of tests"),
            (quote!(length = 5, order = "random"), "`tests = ..`"),
            (quote!(length = 5, order = "deep"), "expected `\"bfs\"` or `\"dfs\"`"),
            (quote!(strategy = "be", length = 5, exact), "`exact` is for the strategy `states`"),
            (quote!(strategy = "be", length = 5, abstraction = "shape"), "an abstraction is for"),
            (quote!(strategy = "be", length = 5, max_states = 5), "a number of states is for"),
            (quote!(length = 5, abstraction = "form"), "expected `\"complete\"` or `\"shape\"`"),
            (quote!(length = 5, fields = ["red"]), "write `abstraction = \"shape\", fields = [..]`"),
            (quote!(length = 5, abstraction = "shape", fields = red), "with names of fields"),
            (quote!(length = 5, budget = "10"), "a budget is a time"),
            (quote!(length = 5, call_limit = "soon"), "what a call may take is a time such as"),
            (quote!(length = 5, clusters = 1), "write `clusters = true`"),
            (quote!(length = 5, cover = "lines"), "expected `\"blocks\"` or `\"predicates\"` or `\"llvm\"`"),
            (quote!(length = 5, cover), "write `cover = \"blocks\"`"),
        ] {
            let shown = args.to_string();
            let error = Args::parse(args).map_or_else(|e| e.to_string(), |_| "no error".to_owned());
            assert!(error.contains(message), "{shown}: {error}, expected {message}");
        }
    }

    #[test]
    fn settings_are_assignments() {
        let args = Args::parse(quote!(
            strategy = "random",
            length = N + 1,
            tests = 9,
            seed = 3,
            threads = 2,
            clusters,
            cover = "predicates",
            budget = "2m",
            call_limit = "1s",
        ));
        let settings = args.unwrap_or_else(|e| panic!("{e}")).settings(&quote!(p)).to_string();
        let expected = quote! {
            __campaign.length = ::core::option::Option::Some(N + 1);
            __campaign.tests = ::core::option::Option::Some(9);
            __campaign.threads = ::core::option::Option::Some(2);
            __campaign.seed = 3;
            __campaign.which = p::Which::Random;
            __campaign.clusters = true;
            __campaign.cover = p::Cover::Predicates;
            __campaign.budget = ::core::option::Option::Some(::core::time::Duration::from_millis(120000u64));
            __campaign.call_limit = ::core::option::Option::Some(::core::time::Duration::from_millis(1000u64));
        };
        assert_eq!(settings, expected.to_string());
        let args = Args::parse(quote!(
            length = 5,
            abstraction = "shape",
            fields = ["red", "size"],
            exact,
            order = "dfs"
        ));
        let settings = args.unwrap_or_else(|e| panic!("{e}")).settings(&quote!(p)).to_string();
        let expected = quote! {
            __campaign.length = ::core::option::Option::Some(5);
            __campaign.order = p::Order::Depth;
            __campaign.matching = p::Matching::Values(p::Abstraction::shape_and(["red", "size"]));
            __campaign.exact = true;
        };
        assert_eq!(settings, expected.to_string());
    }
}
