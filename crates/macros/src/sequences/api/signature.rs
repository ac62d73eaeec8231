//! From a signature to a call of the builder: which pools, how values are passed, what becomes of the result.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{
    Error, FnArg, GenericArgument, Ident, Path, PathArguments, Receiver, Result, ReturnType, Type,
    TypeReference, parse_quote,
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
}

struct Argument {
    /// The function that says how it is passed.
    mode: &'static str,
    of: Type,
    /// The argument in the source, for messages.
    span: Span,
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
        let mut arguments = vec![];
        for input in &signature.inputs {
            match input {
                FnArg::Receiver(this) => match receiver_mode(this) {
                    Some(mode) => receiver = Some(mode),
                    None => return refuse(this, "has a receiver that is not `self`, `&self` or `&mut self`"),
                },
                FnArg::Typed(typed) => match Argument::new(&typed.ty, options.moves) {
                    Ok(argument) => arguments.push(argument),
                    Err(what) => return refuse(&typed.ty, &format!("takes {what}")),
                },
            }
        }
        if signature.inputs.len() > 6 {
            return refuse(&signature.inputs, "takes more than six arguments, the receiver included");
        }
        let keep = match &signature.output {
            ReturnType::Type(_, result) if !options.nothing => {
                match Keep::new(result, options.seen, self_type) {
                    Ok(keep) => keep,
                    Err(what) => return refuse(result, &format!("returns {what}")),
                }
            }
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
        Ok(Call { name: name.clone(), of, turbofish, shown, receiver, arguments, keep })
    }

    pub(crate) fn quote(&self, krate: &Path) -> TokenStream {
        let Call { name, of, turbofish, shown, receiver, arguments, keep: Keep { keep, suffix } } = self;
        let modes = arguments.iter().map(|argument| {
            let (mode, of) = (Ident::new(argument.mode, argument.span), &argument.of);
            quote_spanned!(argument.span=> #krate::#mode::<#of>())
        });
        let variables: Vec<_> = (0..arguments.len()).map(|i| format_ident!("argument_{i}")).collect();
        let behind: TokenStream = suffix.parse().expect("a suffix is made of tokens");
        let followed = (!suffix.is_empty()).then(|| quote!(.followed_by(#suffix)));
        let keep = quote!({
            #[allow(unused_imports, reason = "all of them, whichever is used")]
            use #krate::{fallible, found, into, nothing, optional, seen};
            #keep
        });
        match receiver {
            None => quote! {
                .function(#shown, (#(#modes,)*), #keep, |(#(#variables,)*)| #of::#name #turbofish(#(#variables),*) #behind)
                #followed
            },
            Some(mode) => quote! {
                .method(#shown, (#krate::#mode::<Self>(), #(#modes,)*), #keep, |(this, #(#variables,)*)| {
                    #of::#name #turbofish(this, #(#variables),*) #behind
                })
                #followed
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
    fn new(of: &Type, moves: bool) -> Refusal<Argument> {
        let span = of.span();
        if let Type::Reference(reference) = of {
            let mode = if reference.mutability.is_some() { "by_mut" } else { "by_ref" };
            return Ok(Argument { mode, of: owned(reference)?, span });
        }
        plain(of)?;
        Ok(Argument { mode: if moves { "moved" } else { "value" }, of: of.clone(), span })
    }
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
    fn new(result: &Type, seen: bool, self_type: &Type) -> Refusal<Keep> {
        if let Some(inner) = argument_of(result, "Result") {
            let Keep { keep, suffix } = Keep::new(inner, seen, self_type)?;
            if !suffix.is_empty() {
                return Err("a reference in a `Result`");
            }
            return Ok(Keep { keep: quote!(fallible(#keep)), suffix: "" });
        }
        if let Some(inner) = argument_of(result, "Option") {
            let Type::Reference(reference) = inner else {
                plain(inner)?;
                let inner = Keep::value(inner, seen, self_type);
                return Ok(Keep { keep: quote!(optional(#inner)), suffix: "" });
            };
            let inner = Keep::value(&owned(reference)?, seen, self_type);
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
                let keep = Keep::value(&owned(reference)?, seen, self_type);
                Ok(Keep { keep, suffix: ".to_owned()" })
            }
            Type::Tuple(tuple) if tuple.elems.is_empty() => Ok(Keep { keep: quote!(nothing()), suffix: "" }),
            Type::Never(_) => Err("never"),
            _ => {
                plain(result)?;
                Ok(Keep { keep: Keep::value(result, seen, self_type), suffix: "" })
            }
        }
    }

    /// A value: of the type itself it goes into its pool, of another one if that has a pool.
    fn value(result: &Type, seen: bool, self_type: &Type) -> TokenStream {
        let is_self = matches!(result, Type::Path(path) if path.path.is_ident("Self"))
            || result.to_token_stream().to_string() == self_type.to_token_stream().to_string();
        match (seen, is_self) {
            (true, _) => quote_spanned!(result.span()=> seen()),
            (_, true) => quote!(into::<Self>()),
            _ => quote_spanned!(result.span()=> found::<#result>()),
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
