//! The arguments of `#[rep_ok(..)]` and `#[mirror(..)]`.

use super::{Kind, names};
use crate::syntax::args::{did_you_mean, parse_all};
use crate::syntax::{Names, is_ident_of, is_one_of, parse_quote, text};
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Error, Path, Result, Token, parenthesized, token};

/// The keys with a value or a list.
const KEYS: &[&str] = &["opaque", "variants", "name", "helper", "statements"];

/// What the user told the macro.
#[derive(Clone)]
pub(super) struct Args {
    /// The path of the `smallscope` crate.
    pub(super) krate: Path,
    /// The name of the invariant.
    pub(super) name: Option<Ident>,
    /// Types to be taken by name from where the path says.
    pub(super) types: Vec<Path>,
    /// Mirrored free functions.
    pub(super) functions: Vec<Path>,
    /// Types that are the same in the copy.
    pub(super) opaque: Names,
    /// Enums whose variants are used by bare name.
    pub(super) variants: Vec<Path>,
    /// The impl block belongs to a helper type, not to a structure.
    pub(super) helper: bool,
    /// The statements of the invariant are conjuncts.
    pub(super) statements: bool,
}

impl Args {
    pub(super) fn new() -> Args {
        Args {
            krate: parse_quote!(::smallscope),
            name: None,
            types: vec![],
            functions: vec![],
            opaque: Names::default(),
            variants: vec![],
            helper: false,
            statements: false,
        }
    }

    pub(super) fn parse(kind: Kind, tokens: TokenStream) -> Result<Args> {
        let mut args = Args::new();
        parse_all(tokens, &mut |input| args.one(kind, input))?;
        Ok(args)
    }

    fn one(&mut self, kind: Kind, input: ParseStream<'_>) -> Result<()> {
        if input.parse::<Option<Token![fn]>>()?.is_some() {
            let path: Path = input.parse()?;
            no_arguments(&path)?;
            self.functions.push(path);
            return Ok(());
        }
        if input.peek(Token![crate]) && input.peek2(Token![=]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            self.krate = Path::parse_mod_style(input)?;
            return Ok(());
        }
        let path: Path = input
            .parse()
            .map_err(|e| Error::new(e.span(), format!("this is no argument; {}", arguments(kind))))?;
        if input.peek(token::Paren) {
            let inner;
            parenthesized!(inner in input);
            let paths = Punctuated::<Path, Token![,]>::parse_terminated(&inner)?;
            if !is_ident_of(&path, &["opaque", "variants"]) {
                return Err(unknown(kind, &path));
            }
            for listed in paths {
                if path.is_ident("opaque") {
                    self.opaque.insert(last(&listed).to_string());
                } else {
                    no_arguments(&listed)?;
                    self.variants.push(listed);
                }
            }
            return Ok(());
        }
        if input.peek(Token![=]) {
            if !path.is_ident("name") {
                return Err(unknown(kind, &path));
            }
            if kind == Kind::Mirror {
                return Err(Error::new_spanned(
                    path,
                    "`name` belongs to `#[rep_ok(name = ..)]`: `#[mirror]` is for helpers, it has no \
                        invariant",
                ));
            }
            input.parse::<Token![=]>()?;
            self.name = Some(input.parse()?);
            return Ok(());
        }
        if path.is_ident("helper") && kind == Kind::Mirror {
            self.helper = true;
            return Ok(());
        }
        if path.is_ident("statements") && kind == Kind::RepOk {
            self.statements = true;
            return Ok(());
        }
        if !names::is_capital(last(&path)) {
            return Err(match path.get_ident() {
                Some(f) if !is_one_of(f, KEYS) => {
                    Error::new(f.span(), format!("to name a function, write `fn {f}`; {}", arguments(kind)))
                }
                _ => unknown(kind, &path),
            });
        }
        no_arguments(&path)?;
        self.types.push(path);
        Ok(())
    }

    /// Whether a type is listed, by its last name.
    pub(super) fn lists(&self, name: &str) -> bool {
        self.types.iter().any(|p| last(p) == name)
    }
}

/// The last name of a path.
pub(super) fn last(path: &Path) -> &Ident {
    &path.segments[path.segments.len() - 1].ident
}

fn no_arguments(path: &Path) -> Result<()> {
    for s in &path.segments {
        if !s.arguments.is_none() {
            return Err(Error::new_spanned(
                &s.arguments,
                "write the name only: leave the generic arguments out",
            ));
        }
    }
    Ok(())
}

fn arguments(kind: Kind) -> &'static str {
    match kind {
        Kind::RepOk => {
            "`#[rep_ok]` takes: `name = check`, `path::Type`, `fn path::helper`, `opaque(Type)`, \
                `variants(Enum)`, `statements`, `crate = path`"
        }
        Kind::EqClass => {
            "`#[eq_class]` takes: `name = class`, `path::Type`, `fn path::helper`, `opaque(Type)`, \
                `variants(Enum)`, `crate = path`"
        }
        Kind::Mirror => {
            "`#[mirror]` takes: `path::Type`, `fn path::helper`, `opaque(Type)`, `variants(Enum)`, \
                `helper`, `crate = path`"
        }
    }
}

fn unknown(kind: Kind, path: &Path) -> Error {
    let span = path.segments[0].ident.span();
    let given = text::of(path.to_token_stream());
    let meant = did_you_mean(&given, KEYS);
    Error::new(span, format!("unknown argument `{given}`{meant}; {}", arguments(kind)))
}
