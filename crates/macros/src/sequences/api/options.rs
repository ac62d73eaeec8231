//! The options of a block and of its methods.

use crate::syntax::args::parse_all;
use crate::syntax::take_marks;
use proc_macro2::TokenStream;
use syn::parse::ParseStream;
use syn::{Attribute, Error, GenericArgument, Ident, Meta, Path, Result, Token, parse_quote};

/// The arguments of the attribute on the block.
pub(crate) struct Arguments {
    pub krate: Path,
    pub name: Option<Ident>,
}

impl Arguments {
    pub(super) fn parse(tokens: TokenStream) -> Result<Arguments> {
        let mut arguments = Arguments { krate: parse_quote!(::smallscope::sequences), name: None };
        parse_all(tokens, &mut |input| arguments.parse_one(input))?;
        Ok(arguments)
    }

    fn parse_one(&mut self, input: ParseStream<'_>) -> Result<()> {
        if input.peek(Token![crate]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            self.krate = input.call(Path::parse_mod_style)?;
        } else if input.peek(Ident) && input.fork().parse::<Ident>().is_ok_and(|word| word == "name") {
            let word: Ident = input.parse()?;
            let example = "write `name = Queries`, with a name for this block like that of a type";
            input.parse::<Token![=]>().map_err(|_| Error::new(word.span(), example))?;
            self.name = Some(input.parse().map_err(|e: Error| Error::new(e.span(), example))?);
        } else {
            return Err(input.error(
                "expected nothing, `name = Queries` for a further block of the same type, or `crate = path`; `skip`, `seen`, \
                 `nothing`, `moves` and types for parameters stand on methods, as in `#[api(skip)]`",
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
                (Some(_), Some(parameter)) if meta.input.peek(Token![=]) => {
                    instance.push((parameter, meta.value()?.parse()?));
                }
                _ => {
                    return Err(meta.error(
                        "expected `skip`, `seen`, `nothing`, `moves`, or a type for a parameter of the method, as in `T = u8`",
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
