//! From a signature to a call of the builder: which pools, how values are passed, what becomes of the result.

use crate::syntax::{parse_quote, quote, quote_spanned};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident};
use smallscope_support::hash::Fnv;
use syn::spanned::Spanned;
use syn::{
    Error, Expr, FnArg, GenericArgument, Ident, LitInt, LitStr, Pat, Path, PathArguments, Receiver, Result,
    ReturnType, Type, TypeReference,
};

use super::generics::Instance;
use super::{BlockOf, Options};

/// A method, ready to be written as a call of the builder.
pub(crate) struct Call {
    name: Ident,
    /// What it is a method of: `Self`, or that as a trait.
    of: TokenStream,
    /// What its parameters stand for.
    turbofish: TokenStream,
    /// What it is called in printed tests.
    shown: String,
    receiver: Option<TokenStream>,
    arguments: Vec<Argument>,
    keep: Keep,
    /// How the call is written, with numbers for arguments.
    written: Option<String>,
    /// The call of the builder by which the result goes into empty slots only.
    into_empty: Option<TokenStream>,
    weight: Option<LitInt>,
}

struct Argument {
    /// The function that says how it is passed.
    mode: &'static str,
    of: Type,
    /// The argument in the source, for messages.
    span: Span,
    /// The values of its own pool, and the number and the name of that pool.
    pool: Option<(u64, String, Expr)>,
    /// Whether its type may depend on parameters of the block.
    is_generic: bool,
}

/// What becomes of the result, and what is behind the call to make it a value.
struct Keep {
    keep: TokenStream,
    suffix: &'static str,
}

/// Why a type cannot be used, to be put after "takes" or "returns".
type Refusal<T> = std::result::Result<T, &'static str>;

impl Call {
    pub(super) fn new(method: &Instance, options: &Options, block: &BlockOf) -> Result<Call> {
        let Instance { signature, parameters, .. } = method;
        let self_type = &block.self_type;
        let name = &signature.ident;
        let refuse = |token: &dyn ToTokens, what: &str| {
            let remedy = "leave it out with `#[api(skip)]`, and add a closure to the builder if it matters";
            Err(Error::new_spanned(token, format!("`{name}` {what}; {remedy}")))
        };
        if let Some(token) = signature.asyncness {
            return refuse(&token, "is async, which sequences of calls do not support");
        }
        if let Some(token) = signature.unsafety {
            return refuse(&token, "is unsafe, and a sequence of calls cannot meet its conditions");
        }
        let mut receiver = None;
        let (mut arguments, mut names) = (vec![], vec![]);
        for input in &signature.inputs {
            match input {
                FnArg::Receiver(this) => match receiver_mode(this) {
                    Some(mode) => receiver = Some(mode),
                    None => return refuse(this, "has a receiver that is not `self`, `&self` or `&mut self`"),
                },
                FnArg::Typed(typed) => match Argument::new(&typed.ty, options.moves, block.is_generic) {
                    Ok(argument) => {
                        let name = match &*typed.pat {
                            Pat::Ident(pattern) => pattern.ident.to_string(),
                            _ => String::new(),
                        };
                        let given = options.pools.iter().chain(&block.pools).find(|(of, _)| *of == name);
                        arguments.push(argument.with_pool(&name, given.map(|(_, values)| values)));
                        names.push(name);
                    }
                    Err(what) => return refuse(&typed.ty, &format!("takes {what}")),
                },
            }
        }
        if signature.inputs.len() > 6 {
            return refuse(&signature.inputs, "takes more than six arguments, the receiver included");
        }
        if let Some((pool, _)) = options.pools.iter().find(|(pool, _)| !names.iter().any(|name| pool == name))
        {
            let known = names.join("`, `");
            let what = format!("`{name}` has no parameter `{pool}`; its parameters are `{known}`");
            return Err(Error::new(pool.span(), what));
        }
        let written =
            options.shown.as_ref().map(|text| numbered(text, receiver.is_some(), &names)).transpose()?;
        let keep = match &signature.output {
            ReturnType::Type(_, result) if !options.nothing => match Keep::new(result, options.seen, block) {
                Ok(keep) => keep,
                Err(what) => return refuse(result, &format!("returns {what}")),
            },
            _ => Keep { keep: quote!(nothing()), suffix: "" },
        };
        let turbofish = if parameters.is_empty() { quote!() } else { quote!(::<#(#parameters),*>) };
        let name_in_full = format!("{name}{}", turbofish.to_string().replace(' ', ""));
        let shown = match (&receiver, last_segment(self_type)) {
            (None, Some(of)) => format!("{of}::{name_in_full}"),
            _ => name_in_full,
        };
        let of = match &block.of_trait {
            Some(path) => quote!(<Self as #path>),
            None => quote!(Self),
        };
        let into_empty = match (options.into_empty, block.into_empty) {
            (true, _) => Some(quote!(.into_empty())),
            // The type of the result decides, which the builder knows.
            (false, true) if receiver.is_none() => Some(quote!(.into_empty_if_makes::<Self>())),
            _ => None,
        };
        let name = name.clone();
        let weight = options.weight.clone();
        Ok(Call { name, of, turbofish, shown, receiver, arguments, keep, written, into_empty, weight })
    }

    pub(crate) fn quote(&self, krate: &Path) -> TokenStream {
        let Call { name, of, turbofish, shown, receiver, arguments, keep: Keep { keep, suffix }, .. } = self;
        let modes = arguments.iter().map(|argument| {
            let (mode, of) = (Ident::new(argument.mode, argument.span), argument.in_pool(krate));
            let of = match argument.mode {
                "value" if !argument.is_generic => {
                    checked(&of, &argument.of, &quote!(#krate::__checked), "Copied")
                }
                _ => of,
            };
            quote_spanned!(argument.span=> #krate::#mode::<#of>())
        });
        let variables: Vec<_> = (0..arguments.len()).map(|i| format_ident!("argument_{i}")).collect();
        let passed: Vec<_> =
            arguments.iter().zip(&variables).map(|(a, variable)| a.passed(variable)).collect();
        let pools = arguments.iter().map(|argument| argument.quote_pool());
        let written = self.written.as_ref().map(|text| quote!(.written(#text)));
        let into_empty = &self.into_empty;
        let weight = self.weight.as_ref().map(|weight| quote!(.weight(#weight)));
        let behind: TokenStream = suffix.parse().expect("a suffix is made of tokens");
        let followed = (!suffix.is_empty()).then(|| quote!(.followed_by(#suffix)));
        let keep = quote!({
            #[allow(unused_imports, reason = "all of them, whichever is used")]
            use #krate::{__checked, fallible, found, into, nothing, optional, seen};
            #keep
        });
        match receiver {
            None => quote::quote! {
                #(#pools)*
                .function(#shown, (#(#modes,)*), #keep, |(#(#variables,)*)| #of::#name #turbofish(#(#passed),*) #behind)
                #followed #written #into_empty #weight
            },
            Some(mode) => quote::quote! {
                #(#pools)*
                .method(#shown, (#krate::#mode::<Self>(), #(#modes,)*), #keep, |(this, #(#variables,)*)| {
                    #of::#name #turbofish(this, #(#passed),*) #behind
                })
                #followed #written #into_empty #weight
            },
        }
    }
}

fn receiver_mode(receiver: &Receiver) -> Option<TokenStream> {
    if receiver.colon_token.is_some() {
        return None;
    }
    Some(match (&receiver.reference, &receiver.mutability) {
        (None, _) => quote!(moved),
        (Some(_), None) => quote!(by_ref),
        (Some(_), Some(_)) => quote!(by_mut),
    })
}

impl Argument {
    fn new(of: &Type, moves: bool, is_generic: bool) -> Refusal<Argument> {
        let span = of.span();
        if let Type::Reference(reference) = of {
            let mode = if reference.mutability.is_some() { "by_mut" } else { "by_ref" };
            return Ok(Argument { mode, of: owned(reference)?, span, pool: None, is_generic });
        }
        plain(of)?;
        let mode = if moves { "moved" } else { "value" };
        Ok(Argument { mode, of: of.clone(), span, pool: None, is_generic })
    }

    /// The same with a pool of its own, if values are given.
    fn with_pool(mut self, name: &str, values: Option<&Expr>) -> Argument {
        self.pool = values.map(|values| {
            let text = format!("{name} {} {}", self.of.to_token_stream(), values.to_token_stream());
            (Fnv::new().add_text(&text).value(), name.to_owned(), values.clone())
        });
        self
    }

    /// The type of its pool.
    fn in_pool(&self, krate: &Path) -> TokenStream {
        let of = &self.of;
        match &self.pool {
            Some((number, ..)) => quote!(#krate::Of<#number, #of>),
            None => quote!(#of),
        }
    }

    /// The argument of the call, for a variable with what the pool gives.
    fn passed(&self, variable: &Ident) -> TokenStream {
        match (&self.pool, self.mode) {
            (None, _) => quote!(#variable),
            (Some(_), "by_ref") => quote!(&#variable.0),
            (Some(_), "by_mut") => quote!(&mut #variable.0),
            (Some(_), _) => quote!(#variable.0),
        }
    }

    /// The call of the builder that adds its pool.
    fn quote_pool(&self) -> Option<TokenStream> {
        let (number, name, values) = self.pool.as_ref()?;
        let of = &self.of;
        let is_text = of.to_token_stream().to_string().replace(' ', "").ends_with("String");
        let values = match is_text {
            true => quote!((#values).into_iter().map(::std::string::String::from)),
            false => quote!(#values),
        };
        Some(quote_spanned!(self.span=> .parameter::<#number, #of>(#name, #values)))
    }
}

/// A call with names of arguments in braces, with their numbers instead: `{self}` is the receiver.
fn numbered(text: &LitStr, has_receiver: bool, names: &[String]) -> Result<String> {
    let all = if has_receiver { vec!["self".to_owned()] } else { vec![] };
    let all = [&all[..], names].concat();
    let given = text.value();
    let mut out = String::new();
    let mut rest = &given[..];
    while let Some((before, behind)) = rest.split_once('{') {
        let (name, behind) = behind.split_once('}').unwrap_or((behind, ""));
        let Some(number) = all.iter().position(|known| known == name) else {
            let known = all.join("}`, `{");
            return Err(Error::new(
                text.span(),
                format!("there is no argument `{{{name}}}`; there are `{{{known}}}`"),
            ));
        };
        out.push_str(&format!("{before}{{{number}}}"));
        rest = behind;
    }
    Ok(out + rest)
}

/// The type that is in the pool if a reference to it is taken.
fn owned(reference: &TypeReference) -> Refusal<Type> {
    match &*reference.elem {
        Type::Slice(slice) => {
            let element = &slice.elem;
            plain(element)?;
            Ok(parse_quote!(::std::vec::Vec<#element>))
        }
        Type::Path(path) if path.path.is_ident("str") => Ok(parse_quote!(::std::string::String)),
        other => plain(other).map(|()| other.clone()),
    }
}

/// A type, by way of a constant that cannot be evaluated if another one does not implement a trait: see `checked.rs` of
/// the sequences. A constant cannot depend on parameters.
fn checked(of: &TokenStream, needs: &Type, module: &TokenStream, name: &str) -> TokenStream {
    let (span, name) = (needs.span(), Ident::new(name, Span::call_site()));
    let constant = format_ident!("IS_{}", name.to_string().to_uppercase());
    quote_spanned!(span=> <#module::If<{ <#needs as #module::#name>::#constant }> as #module::Itself<#of>>::Type)
}

/// Whether values of a type can stand in a pool, as far as that can be seen.
fn plain(of: &Type) -> Refusal<()> {
    match of {
        Type::Reference(_) => Err("a reference inside of another type"),
        Type::ImplTrait(_) => Err("an `impl Trait`, whose type is not known here"),
        Type::TraitObject(_) => Err("a trait object"),
        Type::BareFn(_) => Err("a function pointer"),
        Type::Ptr(_) => Err("a raw pointer"),
        Type::Tuple(tuple) => tuple.elems.iter().try_for_each(plain),
        Type::Array(array) => plain(&array.elem),
        Type::Paren(paren) => plain(&paren.elem),
        Type::Group(group) => plain(&group.elem),
        Type::Path(path) => path.path.segments.iter().try_for_each(|segment| match &segment.arguments {
            PathArguments::AngleBracketed(arguments) => {
                arguments.args.iter().try_for_each(|argument| match argument {
                    GenericArgument::Type(of) => plain(of),
                    GenericArgument::Lifetime(lifetime) if lifetime.ident != "static" => {
                        Err("a type that borrows")
                    }
                    _ => Ok(()),
                })
            }
            _ => Ok(()),
        }),
        _ => Err("a type that cannot stand in a pool"),
    }
}

impl Keep {
    fn new(result: &Type, seen: bool, block: &BlockOf) -> Refusal<Keep> {
        if let Some(inner) = argument_of(result, "Result") {
            let Keep { keep, suffix } = Keep::new(inner, seen, block)?;
            if !suffix.is_empty() {
                return Err("a reference in a `Result`");
            }
            return Ok(Keep { keep: quote!(fallible(#keep)), suffix: "" });
        }
        if let Some(inner) = argument_of(result, "Option") {
            let Type::Reference(reference) = inner else {
                plain(inner)?;
                let inner = Keep::value(inner, seen, block);
                return Ok(Keep { keep: quote!(optional(#inner)), suffix: "" });
            };
            let inner = Keep::value(&owned(reference)?, seen, block);
            let suffix = match (&*reference.elem, reference.mutability) {
                (Type::Path(path), _) if path.path.is_ident("str") => ".map(|text| text.to_owned())",
                (Type::Slice(_), _) => ".map(|slice| slice.to_vec())",
                (_, None) => ".cloned()",
                (_, Some(_)) => ".map(|value| value.clone())",
            };
            return Ok(Keep { keep: quote!(optional(#inner)), suffix });
        }
        match result {
            Type::Reference(reference) => {
                let keep = Keep::value(&owned(reference)?, seen, block);
                Ok(Keep { keep, suffix: ".to_owned()" })
            }
            Type::Tuple(tuple) if tuple.elems.is_empty() => Ok(Keep { keep: quote!(nothing()), suffix: "" }),
            Type::Never(_) => Err("never"),
            _ => {
                plain(result)?;
                Ok(Keep { keep: Keep::value(result, seen, block), suffix: "" })
            }
        }
    }

    /// A value: of the type itself it goes into its pool, of another one if that has a pool.
    fn value(result: &Type, seen: bool, block: &BlockOf) -> TokenStream {
        let self_type = &block.self_type;
        let is_self = matches!(result, Type::Path(path) if path.path.is_ident("Self"))
            || result.to_token_stream().to_string() == self_type.to_token_stream().to_string();
        match (seen, is_self) {
            (true, _) => quote_spanned!(result.span()=> seen()),
            (_, true) => quote!(into::<Self>()),
            _ if block.is_generic => quote_spanned!(result.span()=> found::<#result>()),
            _ => {
                let kept = checked(&result.to_token_stream(), result, &quote!(__checked), "Comparable");
                quote_spanned!(result.span()=> found::<#kept>())
            }
        }
    }
}

/// The first type argument of a type with a name.
fn argument_of<'t>(of: &'t Type, name: &str) -> Option<&'t Type> {
    let Type::Path(path) = of else { return None };
    let segment = path.path.segments.last().filter(|segment| segment.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(of) => Some(of),
        _ => None,
    })
}

fn last_segment(of: &Type) -> Option<String> {
    let Type::Path(path) = of else { return None };
    Some(path.path.segments.last()?.ident.to_string())
}
