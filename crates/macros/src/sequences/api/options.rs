//! The options of a block and of its methods.

use crate::syntax::args::parse_all;
use crate::syntax::{parse_quote, take_marks};
use proc_macro2::TokenStream;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Error, Expr, GenericArgument, Ident, LitInt, LitStr, Meta, Path, Result, Token, parenthesized,
};

/// The arguments of the attribute on the block.
pub(crate) struct Arguments {
    pub krate: Path,
    pub name: Option<Ident>,
    /// The values of parameters, by their names.
    pub pools: Vec<(Ident, Expr)>,
    /// Whether constructors only fill empty slots.
    pub into_empty: bool,
}

impl Arguments {
    pub(super) fn parse(tokens: TokenStream) -> Result<Arguments> {
        let krate = parse_quote!(::smallscope::sequences);
        let mut arguments = Arguments { krate, name: None, pools: vec![], into_empty: false };
        parse_all(tokens, &mut |input| arguments.parse_one(input))?;
        Ok(arguments)
    }

    fn parse_one(&mut self, input: ParseStream<'_>) -> Result<()> {
        if input.peek(Token![crate]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            self.krate = input.call(Path::parse_mod_style)?;
            return Ok(());
        }
        let word = input.fork().parse::<Ident>().map(|word| word.to_string()).unwrap_or_default();
        if word == "pool" {
            input.parse::<Ident>()?;
            self.pools.extend(pools(input)?);
        } else if word == "into_empty" {
            input.parse::<Ident>()?;
            self.into_empty = true;
        } else if word == "name" {
            let word: Ident = input.parse()?;
            let example = "write `name = Queries`, with a name for this block like that of a type";
            input.parse::<Token![=]>().map_err(|_| Error::new(word.span(), example))?;
            self.name = Some(input.parse().map_err(|e: Error| Error::new(e.span(), example))?);
        } else {
            return Err(input.error(
                "expected nothing, `name = Queries` for a further block of the same type, `pool(key = 0..3)`, `into_empty`, or \
                 `crate = path`; `skip`, `seen`, `nothing`, `moves`, `shown` and types for parameters stand on methods, as in \
                 `#[api(skip)]`",
            ));
        }
        Ok(())
    }
}

/// The options of a method.
#[derive(Default)]
pub(crate) struct Options {
    pub skip: bool,
    pub seen: bool,
    pub nothing: bool,
    pub moves: bool,
    /// Whether the result only fills an empty slot.
    pub into_empty: bool,
    /// How often random sequences call it.
    pub weight: Option<LitInt>,
    /// How the call is written in Rust.
    pub shown: Option<LitStr>,
    /// The values of parameters, by their names.
    pub pools: Vec<(Ident, Expr)>,
    /// What parameters stand for, once for each instance.
    pub instances: Vec<Vec<(Ident, GenericArgument)>>,
}

impl Options {
    /// Removes the attributes from the method.
    pub(super) fn take(attributes: &mut Vec<Attribute>) -> Result<Options> {
        let mut options = Options::default();
        take_marks(attributes, "api").iter().try_for_each(|meta| options.add(meta))?;
        Ok(options)
    }

    fn add(&mut self, meta: &Meta) -> Result<()> {
        let Meta::List(list) = meta else {
            return Err(Error::new_spanned(meta, "an option is missing, such as `#[api(skip)]`"));
        };
        let mut instance = vec![];
        list.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().cloned();
            match (name.as_ref().map(ToString::to_string).as_deref(), name) {
                (Some("skip"), _) => self.skip = true,
                (Some("seen"), _) => self.seen = true,
                (Some("nothing"), _) => self.nothing = true,
                (Some("moves"), _) => self.moves = true,
                (Some("into_empty"), _) => self.into_empty = true,
                (Some("pool"), _) => self.pools.extend(pools(meta.input)?),
                (Some("weight"), _) if meta.input.peek(Token![=]) => {
                    let what = "`weight` is how often random sequences call it, 1 or more: write `weight = 5`";
                    let number: LitInt =
                        meta.value().and_then(|value| value.parse()).map_err(|e| Error::new(e.span(), what))?;
                    if number.base10_parse::<u32>().map_or(true, |number| number == 0) {
                        return Err(Error::new(number.span(), what));
                    }
                    self.weight = Some(number);
                }
                (Some("shown"), _) => {
                    let what = "`shown` is the call as text: write `shown = \"cache.put({key})\"`";
                    let text = meta.value().and_then(|value| value.parse());
                    self.shown = Some(text.map_err(|e| Error::new(e.span(), what))?);
                }
                (Some(_), Some(parameter)) if meta.input.peek(Token![=]) => {
                    instance.push((parameter, meta.value()?.parse()?));
                }
                _ => {
                    return Err(meta.error(
                        "expected `skip`, `seen`, `nothing`, `moves`, `into_empty`, `shown = \"..\"`, `pool(..)`, `weight = 5`, or a type for a \
                         parameter of the method, as in `T = u8`",
                    ));
                }
            }
            Ok(())
        })?;
        if !instance.is_empty() {
            self.instances.push(instance);
        }
        Ok(())
    }
}

/// `(key = 0..3, value = [0, 7])`.
fn pools(input: ParseStream<'_>) -> Result<Vec<(Ident, Expr)>> {
    if !input.peek(syn::token::Paren) {
        return Err(input.error(POOLS));
    }
    let list;
    parenthesized!(list in input);
    Ok(Punctuated::<_, Token![,]>::parse_terminated_with(&list, pool)?.into_iter().collect())
}

fn pool(input: ParseStream<'_>) -> Result<(Ident, Expr)> {
    let name: Ident = input.parse().map_err(|e: Error| Error::new(e.span(), POOLS))?;
    input.parse::<Token![=]>().map_err(|_| Error::new(name.span(), POOLS))?;
    Ok((name, input.parse()?))
}

const POOLS: &str = "the values of parameters stand in parentheses: write `pool(key = 0..3, value = [0, 7])`";
