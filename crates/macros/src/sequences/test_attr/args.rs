//! The arguments of the attribute: settings, and which states are equal.

use crate::settings::{Attribute, Given, SEQUENCES, one_of};
use crate::syntax::args::equals;
use crate::syntax::{quote, quote_spanned};
use proc_macro2::{Span, TokenStream};
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Error, Expr, Ident, LitStr, Result, Token, bracketed};

const ATTRIBUTE: Attribute = Attribute { path: "smallscope::sequences", place: SEQUENCES, number: "length" };

const ABSTRACTIONS: [(&str, &str); 3] = [("complete", ""), ("shape", ""), ("classical", "")];

/// The keys that are only for explorations of states.
const OF_STATES: [&str; 7] =
    ["abstraction", "fields", "vouched", "last_calls", "order", "exact", "max_states"];

/// `#[smallscope::sequences(..)]`.
pub(super) struct Args {
    given: Given,
    abstraction: Option<Abstraction>,
    fields: Vec<LitStr>,
}

/// Which states are equal: by a name, or by a function.
enum Abstraction {
    Named(String),
    By(Expr),
}

impl Args {
    pub(super) fn parse(tokens: TokenStream) -> Result<Args> {
        let (mut abstraction, mut fields) = (None, vec![]);
        let given = ATTRIBUTE.parse(tokens, &mut |key, input| {
            if key == "fields" {
                fields = texts(input, key)?;
            } else {
                abstraction = Some(read_abstraction(input, key)?);
            }
            Ok(())
        })?;
        let args = Args { given, abstraction, fields };
        match args.given.text("strategy").as_deref() {
            None | Some("states") => args.check_states()?,
            Some(strategy) => args.check_list(strategy)?,
        }
        Ok(args)
    }

    /// What an exploration needs, and what is only for lists of tests.
    fn check_states(&self) -> Result<()> {
        let given = &self.given;
        let is_shape = matches!(&self.abstraction, Some(Abstraction::Named(name)) if name == "shape");
        if let (Some(at), false) = (given.at("fields"), is_shape) {
            return Err(Error::new(
                at,
                "`fields` are what counts besides the shape: write `abstraction = \"shape\", fields = [..]`",
            ));
        }
        let is_random = given.text("order").as_deref() == Some("random");
        if let (Some(at), false) = (given.at("tests"), is_random) {
            return Err(Error::new(
                at,
                "`tests` is for lists of tests, and the strategy `states` explores states: leave it out, or add \
                 `strategy = \"bobw\"`",
            ));
        }
        if let (true, Some(at)) =
            (is_random && !(given.has("length") && given.has("tests")), given.at("order"))
        {
            return Err(Error::new(
                at,
                "the order `random` needs `length = ..`, the calls of a sequence, and `tests = ..`, their number",
            ));
        }
        if given.first_of(&["length", "max_states", "budget"]).is_none() {
            return Err(Error::new(
                Span::call_site(),
                "a limit is missing: `#[smallscope::sequences(length = 5)]` tries sequences of up to 5 calls; \
                 `max_states = ..` and `budget = \"10s\"` are limits, too",
            ));
        }
        Ok(())
    }

    /// What a list of tests needs, and what is only for explorations.
    fn check_list(&self, strategy: &str) -> Result<()> {
        let given = &self.given;
        if let Some((key, at)) = given.first_of(&OF_STATES) {
            return Err(Error::new(
                at,
                format!(
                    "`{key}` is for the strategy `states`: leave it out, as `{strategy}` compares no states"
                ),
            ));
        }
        let at = given.at("strategy").unwrap_or_else(Span::call_site);
        if !given.has("length") {
            let message =
                format!("the strategy `{strategy}` needs the length of the tests: add `length = 5`");
            return Err(Error::new(at, message));
        }
        if strategy.starts_with("random") && !given.has("tests") {
            let message =
                format!("the strategy `{strategy}` needs the number of tests to draw: add `tests = 1000`");
            return Err(Error::new(at, message));
        }
        Ok(())
    }

    /// The path of the smallscope crate.
    pub(super) fn krate(&self) -> TokenStream {
        self.given.krate()
    }

    /// A compile error unless the smallscope crate has the features that the arguments need.
    pub(super) fn needs(&self, p: &TokenStream) -> Option<TokenStream> {
        let at = self.given.at("cover").filter(|_| self.given.text("cover").as_deref() != Some("none"));
        at.map(|at| quote_spanned!(at=> #p::needs_cover!();))
    }

    /// Assignments to the fields of `__campaign`, which have the names of the settings.
    pub(super) fn settings(&self, p: &TokenStream) -> TokenStream {
        let assignments = self.given.values(p).into_iter().map(|(name, value)| {
            let field = Ident::new(if name == "strategy" { "which" } else { name }, Span::call_site());
            match name {
                "seed" | "strategy" | "order" | "clusters" | "isolate" | "cover" => {
                    quote!(__campaign.#field = #value;)
                }
                "exact" | "vouched" | "allow_empty" => quote!(__campaign.#field = true;),
                _ => quote!(__campaign.#field = ::core::option::Option::Some(#value);),
            }
        });
        let mut out: TokenStream = assignments.collect();
        if !self.given.has("strategy") {
            out.extend(quote!(__campaign.mixes = true;));
        }
        let fields = &self.fields;
        let matching = match &self.abstraction {
            Some(Abstraction::By(function)) => quote!(By(#function)),
            Some(Abstraction::Named(name)) if name == "classical" => quote!(Classical),
            Some(Abstraction::Named(name)) if name == "shape" && self.given.has("fields") => {
                quote!(Values(#p::Abstraction::shape_and([#(#fields),*])))
            }
            Some(Abstraction::Named(name)) if name == "shape" => quote!(Values(#p::Abstraction::Shape)),
            _ => return out,
        };
        out.extend(quote!(__campaign.matching = #p::Matching::#matching;));
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

fn read_abstraction(input: ParseStream<'_>, key: &Ident) -> Result<Abstraction> {
    equals(input, key, "\"shape\"")?;
    if input.peek(LitStr) {
        let name = input.parse()?;
        one_of(key, &name, &ABSTRACTIONS)?;
        return Ok(Abstraction::Named(name.value()));
    }
    input.parse().map(Abstraction::By)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_say_what_to_write() {
        for (args, message) in [
            (quote!(), "a limit is missing"),
            (quote!(exact), "a limit is missing"),
            (quote!(5), "write `length = 5`"),
            (quote!(length), "write `length = 5`"),
            (quote!(length = 0), "`length` is a positive number of calls"),
            (quote!(length = "5"), "`length` is a positive number of calls"),
            (quote!(length = 1, length = 2), "`length` is given twice"),
            (quote!(lenght = 5), "unknown key `lenght`; `#[smallscope::sequences(..)]` takes `length = 5`"),
            (quote!("5"), "takes `length = 5`"),
            (quote!(length = 5, strategy = "bfs"), "`strategy` is `\"states\"`, `\"be\"`, "),
            (quote!(length = 5, strategy = bobw), "write `strategy = \"bobw\"`"),
            (quote!(strategy = "be"), "add `length = 5`"),
            (quote!(strategy = "random", length = 5), "add `tests = 1000`"),
            (quote!(length = 5, tests = 10), "`tests` is for lists of tests"),
            (quote!(length = 5, order = "random"), "`tests = ..`"),
            (quote!(length = 5, order = "deep"), "`order` is `\"bfs\"`, `\"dfs\"` or `\"random\"`"),
            (quote!(strategy = "be", length = 5, exact), "`exact` is for the strategy `states`"),
            (quote!(strategy = "be", length = 5, abstraction = "shape"), "`abstraction` is for"),
            (quote!(strategy = "be", length = 5, max_states = 5), "`max_states` is for"),
            (quote!(strategy = "be", length = 5, last_calls = 2), "`last_calls` is for"),
            (quote!(strategy = "be", length = 5, vouched), "`vouched` is for"),
            (quote!(length = 5, last_calls = 0), "`last_calls` is a positive number of calls"),
            (quote!(length = 5, abstraction = "form"), "`abstraction` is `\"complete\"`, `\"shape\"` or"),
            (quote!(length = 5, fields = ["red"]), "write `abstraction = \"shape\", fields = [..]`"),
            (quote!(length = 5, abstraction = "shape", fields = red), "with names of fields"),
            (quote!(length = 5, budget = "10"), "`budget` is a time"),
            (quote!(length = 5, call_limit = "soon"), "`call_limit` is a time, such as"),
            (quote!(length = 5, clusters = 1), "write `clusters = true`"),
            (
                quote!(length = 5, cover = "lines"),
                "`cover` is `\"none\"`, `\"blocks\"`, `\"predicates\"` or `\"llvm\"`",
            ),
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
            __campaign.which = p::Which::Random;
            __campaign.length = ::core::option::Option::Some(N + 1);
            __campaign.tests = ::core::option::Option::Some(9);
            __campaign.seed = 3;
            __campaign.threads = ::core::option::Option::Some(2);
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
            vouched,
            last_calls = 2,
            allow_empty,
            order = "dfs"
        ));
        let settings = args.unwrap_or_else(|e| panic!("{e}")).settings(&quote!(p)).to_string();
        let expected = quote! {
            __campaign.length = ::core::option::Option::Some(5);
            __campaign.exact = true;
            __campaign.vouched = true;
            __campaign.last_calls = ::core::option::Option::Some(2);
            __campaign.allow_empty = true;
            __campaign.order = p::Traversal::Depth;
            __campaign.mixes = true;
            __campaign.matching = p::Matching::Values(p::Abstraction::shape_and(["red", "size"]));
        };
        assert_eq!(settings, expected.to_string());
    }
}
