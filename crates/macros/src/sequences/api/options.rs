//! The options of a block and of its methods.

use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, GenericArgument, Ident, Meta, MetaList, Path, Result, Token, parse_quote};

/// The arguments of the attribute on the block.
pub(crate) struct Arguments {
    pub krate: Path,
    pub name: Option<Ident>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Arguments> {
        let mut arguments = Arguments { krate: parse_quote!(::smallscope::sequences), name: None };
        while !input.is_empty() {
            if input.peek(Token![crate]) {
                input.parse::<Token![crate]>()?;
                input.parse::<Token![=]>()?;
                arguments.krate = input.call(Path::parse_mod_style)?;
            } else if input.peek(Ident) && input.fork().parse::<Ident>().is_ok_and(|word| word == "name") {
                let word: Ident = input.parse()?;
                let example = "write `name = Queries`, with a name for this block like that of a type";
                input.parse::<Token![=]>().map_err(|_| Error::new(word.span(), example))?;
                arguments.name = Some(input.parse().map_err(|e: Error| Error::new(e.span(), example))?);
            } else {
                return Err(input.error(
                    "expected nothing, `name = Queries` for a further block of the same type, or `crate = path`; `skip`, `seen`, \
                     `nothing`, `moves` and types for parameters stand on methods, as in `#[api(skip)]`",
                ));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(arguments)
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
    /// Removes the attributes from the method. Those under a condition count, as if the condition were that of the block.
    pub(super) fn take(attributes: &mut Vec<Attribute>) -> Result<Options> {
        let mut options = Options::default();
        let mut kept = vec![];
        for mut attribute in attributes.drain(..) {
            let Some(found) = take_ours(&mut attribute) else {
                kept.push(attribute);
                continue;
            };
            for meta in found {
                options.add(&meta)?;
            }
            if has_more(&attribute) {
                kept.push(attribute);
            }
        }
        *attributes = kept;
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

/// Whether there is something left under a condition.
fn has_more(attribute: &Attribute) -> bool {
    let all = |list: &MetaList| list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
    match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg_attr") => all(list).is_ok_and(|all| all.len() > 1),
        _ => false,
    }
}

/// The options in an attribute, if it has some; a `cfg_attr` keeps its other attributes.
fn take_ours(attribute: &mut Attribute) -> Option<Vec<Meta>> {
    let is_ours = |path: &Path| path.segments.last().is_some_and(|segment| segment.ident == "api");
    if is_ours(attribute.path()) {
        return Some(vec![attribute.meta.clone()]);
    }
    if !attribute.path().is_ident("cfg_attr") {
        return None;
    }
    let Meta::List(list) = &mut attribute.meta else { return None };
    let all = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
    let (ours, others): (Vec<Meta>, Vec<Meta>) = all.into_iter().partition(|meta| is_ours(meta.path()));
    if ours.is_empty() {
        return None;
    }
    list.tokens = quote!(#(#others),*);
    Some(ours)
}
