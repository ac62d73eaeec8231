//! The keys of the two test attributes, read and checked as the table of settings says.

use crate::syntax::args::{did_you_mean, equals, flag, natural, near, parse_all, text, value};
use crate::syntax::quote;
use proc_macro2::{Span, TokenStream};
use smallscope_support::duration;
use smallscope_support::memory::Bytes;
#[cfg(feature = "sequences")]
pub(crate) use smallscope_support::settings::SEQUENCES;
pub(crate) use smallscope_support::settings::TEST;
use smallscope_support::settings::{Kind, Setting, find, in_places};
use smallscope_support::text::joined;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Error, Expr, ExprLit, Ident, Lit, LitInt, LitStr, Path, Result, UnOp};

/// A test attribute.
pub(crate) struct Attribute {
    /// The path that users write.
    pub(crate) path: &'static str,
    /// The bit of the settings that it takes.
    pub(crate) place: u8,
    /// The key that a number without one is probably for.
    pub(crate) number: &'static str,
}

/// The settings that the arguments of an attribute give.
#[derive(Default)]
pub(crate) struct Given {
    settings: Vec<(&'static Setting, Span, Value)>,
    krate: Option<Path>,
}

enum Value {
    /// An expression. If it is a literal, it is in range.
    Number(Expr),
    Milliseconds(u64),
    /// The budget `"none"`.
    NoBudget,
    Bytes(u64),
    Switch(bool),
    Text(LitStr),
    Variant(LitStr, &'static str),
    Flag,
    /// Read by the code for this setting.
    Elsewhere,
}

/// Reads a setting of kind `List` or `Other`.
pub(crate) type ReadOther<'r> = &'r mut dyn FnMut(&Ident, ParseStream<'_>) -> Result<()>;

impl Attribute {
    /// Reads all arguments.
    pub(crate) fn parse(&self, tokens: TokenStream, other: ReadOther<'_>) -> Result<Given> {
        let mut given = Given::default();
        parse_all(tokens, &mut |input| self.parse_one(&mut given, input, other))?;
        Ok(given)
    }

    fn parse_one(&self, given: &mut Given, input: ParseStream<'_>, other: ReadOther<'_>) -> Result<()> {
        if let Ok(number) = input.fork().parse::<LitInt>() {
            return Err(Error::new(
                number.span(),
                format!("a number needs a key: write `{} = {number}`", self.number),
            ));
        }
        let key = Ident::parse_any(input).map_err(|e| Error::new(e.span(), self.takes()))?;
        let name = key.to_string();
        let Some(setting) = find(&name, self.place) else {
            let meant = did_you_mean(&name, &self.keys());
            return Err(Error::new(key.span(), format!("unknown key `{name}`{meant}; {}", self.takes())));
        };
        if !matches!(setting.kind, Kind::List) && given.has(setting.name) {
            return Err(Error::new(key.span(), format!("`{name}` is given twice: remove one of them")));
        }
        let (at, value) = if name == "crate" {
            equals(input, &key, "path::to::smallscope")?;
            given.krate = Some(input.call(Path::parse_mod_style)?);
            (key.span(), Value::Elsewhere)
        } else if let Kind::List | Kind::Other = setting.kind {
            other(&key, input)?;
            (key.span(), Value::Elsewhere)
        } else {
            read(setting, &key, input)?
        };
        given.settings.push((setting, at, value));
        Ok(())
    }

    /// What the attribute takes.
    fn takes(&self) -> String {
        let mut keys = vec![];
        for setting in in_places(self.place) {
            let Setting { name, example, .. } = setting;
            keys.push(match setting.kind {
                Kind::Flag | Kind::Switch => format!("`{name}`"),
                Kind::List => format!("`{name}{example}`"),
                _ => format!("`{name} = {example}`"),
            });
        }
        format!("`#[{}(..)]` takes {}", self.path, keys.join(", "))
    }

    /// The keys that the attribute takes.
    fn keys(&self) -> Vec<&'static str> {
        let mut keys = vec![];
        for setting in in_places(self.place) {
            keys.push(setting.name);
        }
        keys
    }
}

/// The value behind a key, and where it is.
fn read(setting: &Setting, key: &Ident, input: ParseStream<'_>) -> Result<(Span, Value)> {
    let Setting { example, accepts, .. } = setting;
    let is = format!("`{key}` is {accepts}, such as `{key} = {example}`");
    Ok(match setting.kind {
        Kind::Number(_) | Kind::NumberIn(..) => {
            let number = value(input, key, example)?;
            natural(&number, &is, setting.numbers())?;
            (number.span(), Value::Number(number))
        }
        Kind::Share => {
            let share = value(input, key, example)?;
            check_share(&share, &is)?;
            (share.span(), Value::Number(share))
        }
        Kind::Time | Kind::Budget => {
            let given = text(input, key, example)?;
            let takes_none = matches!(setting.kind, Kind::Budget);
            if takes_none && duration::parse_budget(&given.value()) == Some(duration::NO_BUDGET) {
                return Ok((given.span(), Value::NoBudget));
            }
            let units = "the units are `ms`, `s`, `m` and `h`";
            let parsed =
                duration::parse(&given.value()).and_then(|time| u64::try_from(time.as_millis()).ok());
            let none = if takes_none { "; `\"none\"` is no limit" } else { "" };
            let parsed = parsed.ok_or_else(|| Error::new(given.span(), format!("{is}; {units}{none}")))?;
            (given.span(), Value::Milliseconds(parsed))
        }
        Kind::Memory => {
            let given = text(input, key, example)?;
            let units = "the units are `kB`, `MB`, `GB` and `TB`, or `KiB`, `MiB`, `GiB` and `TiB`";
            let Ok(Bytes(parsed)) = given.value().parse() else {
                return Err(Error::new(given.span(), format!("{is}; {units}")));
            };
            (given.span(), Value::Bytes(parsed))
        }
        Kind::Switch => (key.span(), Value::Switch(flag(input, key)?)),
        Kind::Choice(_, names) => {
            let given = text(input, key, example)?;
            let variant = one_of(key, &given, names)?;
            (given.span(), Value::Variant(given, variant))
        }
        Kind::File => {
            let given = text(input, key, example)?;
            if given.value().is_empty() {
                return Err(Error::new(given.span(), is));
            }
            (given.span(), Value::Text(given))
        }
        Kind::Flag | Kind::List | Kind::Other => (key.span(), Value::Flag),
    })
}

/// One of several names, with the variant for it.
pub(crate) fn one_of(key: &Ident, given: &LitStr, names: &[(&str, &'static str)]) -> Result<&'static str> {
    let text = given.value();
    let (mut known, mut meant) = (vec![], String::new());
    for (name, variant) in names {
        if *name == text {
            return Ok(variant);
        }
        if meant.is_empty() && near(&text, name) {
            meant = format!("; did you mean `\"{name}\"`?");
        }
        known.push(format!("`\"{name}\"`"));
    }
    let last = known.pop().unwrap_or_default();
    Err(Error::new(
        given.span(),
        format!("`{key}` is {} or {last}, not `{text:?}`{meant}", joined(&known, ", ")),
    ))
}

/// Checks literals; the run checks other expressions.
fn check_share(share: &Expr, message: &str) -> Result<()> {
    let is_wrong = match share {
        Expr::Lit(ExprLit { lit: Lit::Float(x), .. }) => {
            x.base10_parse::<f64>().map_or(true, |x| x <= 0.0 || x > 1.0)
        }
        Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) => n.base10_parse::<u64>().map_or(true, |n| n != 1),
        Expr::Lit(_) => true,
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)),
        _ => false,
    };
    if is_wrong { Err(Error::new(share.span(), message)) } else { Ok(()) }
}

impl Given {
    fn find(&self, name: &str) -> Option<&(&'static Setting, Span, Value)> {
        self.settings.iter().find(|(setting, ..)| setting.name == name)
    }

    /// Whether a setting is given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Where a setting is given: its value, or its key if it has none.
    pub(crate) fn at(&self, name: &str) -> Option<Span> {
        self.find(name).map(|(_, at, _)| *at)
    }

    /// The first of some settings that is given.
    pub(crate) fn first_of<'n>(&self, names: &[&'n str]) -> Option<(&'n str, Span)> {
        for name in names {
            if let Some(at) = self.at(name) {
                return Some((name, at));
            }
        }
        None
    }

    /// The text of a setting that is one.
    #[cfg(feature = "sequences")]
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        match self.find(name)? {
            (_, _, Value::Variant(text, _) | Value::Text(text)) => Some(text.value()),
            _ => None,
        }
    }

    /// The path of the smallscope crate.
    pub(crate) fn krate(&self) -> TokenStream {
        match &self.krate {
            Some(path) => quote!(#path),
            None => quote!(::smallscope),
        }
    }

    /// The name of each setting and its value as an expression, empty for flags. Enums are in the module `p`.
    pub(crate) fn values(&self, p: &TokenStream) -> Vec<(&'static str, TokenStream)> {
        let named = |name: &str| Ident::new(name, Span::call_site());
        let mut values = vec![];
        for (setting, _, value) in &self.settings {
            let value = match (value, setting.kind) {
                // An integer is allowed for the share 1, but it has another type.
                (Value::Number(Expr::Lit(ExprLit { lit: Lit::Int(n), .. })), Kind::Share) => {
                    quote!(::core::primitive::f64::from(#n))
                }
                (Value::Number(number), _) => quote!(#number),
                (Value::Milliseconds(n), _) => quote!(::core::time::Duration::from_millis(#n)),
                (Value::NoBudget, _) => quote!(::core::time::Duration::MAX),
                (Value::Bytes(n), _) => quote!(#n),
                (Value::Switch(yes), _) => quote!(#yes),
                (Value::Variant(_, variant), Kind::Choice(of, _)) if !of.is_empty() => {
                    let (of, variant) = (named(of), named(variant));
                    quote!(#p::#of::#variant)
                }
                (Value::Variant(text, _) | Value::Text(text), _) => quote!(#text),
                (Value::Flag, _) => TokenStream::new(),
                (Value::Elsewhere, _) => continue,
            };
            values.push((setting.name, value));
        }
        values
    }
}
