//! Helpers that the search may answer for whole groups of subtrees: functions of the copy with one argument that may be a
//! subtree, whose other arguments and result may own their data.
//!
//! Such a function asks for its answer before its body runs. Only the compiler knows the types, so it decides whether there
//! is one to ask for: see `smallscope_core::groups::Call`. In an ordinary run that is free: the step that counts the call
//! says whether to ask. A `&mut` argument
//! goes in with the arguments and comes out with the result. What the caller has promised is a part of the question: an answer
//! that refutes the invariant is left out.
//!
//! Functions and blocks with lifetimes are left alone. With the feature `summaries`.

use super::folds;
use super::promises::context::{drop_pending, take, variable};
use crate::syntax::{parse_quote, quote};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::punctuated::Punctuated;
use syn::{
    FnArg, GenericArgument, GenericParam, ImplItem, Index, Item, ItemImpl, Pat, PathArguments, ReturnType,
    Signature, Stmt, Token, Type, TypePath,
};

/// Lets the helpers of an item ask for their answers.
pub(super) fn put_into(item: &mut Item, invariant: Option<&Ident>) {
    match item {
        Item::Impl(block) if is_plain(block) => {
            for item in &mut block.items {
                if let ImplItem::Fn(f) = item {
                    folds::put_into(&f.sig, &mut f.block);
                }
                match item {
                    ImplItem::Fn(f) if invariant != Some(&f.sig.ident) => {
                        let name = &f.sig.ident;
                        let function = quote!(Self::#name);
                        put_first(&mut f.block.stmts, &f.sig, &function);
                    }
                    _ => {}
                }
            }
        }
        // Its signature is rewritten outside of the copy, where sequences become others.
        Item::Fn(f) if !has_sequences(f.sig.to_token_stream()) => {
            folds::put_into(&f.sig, &mut f.block);
            let name = &f.sig.ident;
            let function = quote!(#name);
            put_first(&mut f.block.stmts, &f.sig, &function);
        }
        _ => {}
    }
}

/// Whether a block has no lifetimes and implements no trait.
fn is_plain(block: &ItemImpl) -> bool {
    block.trait_.is_none() && block.generics.lifetimes().next().is_none() && owns(&block.self_ty)
}

/// Lets a function ask for its answer. The first two statements take what the caller has promised, and count the call.
fn put_first(stmts: &mut [Stmt], sig: &Signature, function: &TokenStream) {
    let [first, second, ..] = stmts else { return };
    // Type parameters need not follow from the arguments.
    let parameters: Vec<&Ident> = sig.generics.params.iter().filter_map(parameter).collect();
    let function = match parameters.is_empty() {
        true => function.clone(),
        false => quote!(#function::<#(#parameters),*>),
    };
    let Some(question) = question(sig, &function) else { return };
    // The promise is a part of the question.
    let is =
        |stmt: &Stmt, other: Stmt| stmt.to_token_stream().to_string() == other.to_token_stream().to_string();
    if is(first, drop_pending()) {
        *first = take();
    }
    if is(first, take()) && is(second, parse_quote!(__p::step();)) {
        *second = question;
    }
}

fn parameter(of: &GenericParam) -> Option<&Ident> {
    match of {
        GenericParam::Type(t) => Some(&t.ident),
        GenericParam::Const(c) => Some(&c.ident),
        GenericParam::Lifetime(_) => None,
    }
}

/// How an argument is passed on.
enum Role {
    /// It may be a subtree.
    Subtree,
    /// By value.
    Value,
    /// By reference.
    Reference,
    /// By a reference that may be absent.
    Optional,
    /// It is changed.
    Changed,
}

/// An argument.
struct Argument {
    name: TokenStream,
    ty: Type,
    /// What is kept of it.
    owned: TokenStream,
    role: Role,
}

/// The statement that counts a call, and asks before the body runs; none if the function cannot be summarised whatever its
/// types are.
fn question(sig: &Signature, function: &TokenStream) -> Option<Stmt> {
    let is_odd = sig.constness.is_some()
        || sig.asyncness.is_some()
        || sig.unsafety.is_some()
        || sig.variadic.is_some()
        || sig.generics.lifetimes().next().is_some()
        || sig.inputs.len() > MOST_ARGUMENTS;
    if is_odd {
        return None;
    }
    let subtree = subtree(&sig.inputs)?;
    let mut arguments = vec![];
    for (i, input) in sig.inputs.iter().enumerate() {
        arguments.push(argument(input, i == subtree)?);
    }
    let result: Type = match &sig.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, ty) if owns(ty) => (**ty).clone(),
        ReturnType::Type(..) => return None,
    };
    let (mut given, mut owned, mut names, mut passed) = (vec![], vec![], vec![], vec![]);
    let (mut changed, mut changed_types, mut news) = (vec![], vec![], vec![]);
    for (i, argument) in arguments.iter().enumerate() {
        let (name, kept) = (&argument.name, format_ident!("__a{i}"));
        match argument.role {
            Role::Subtree => {
                passed.push(quote!(__subtree));
                continue;
            }
            Role::Value => {
                given.push(quote!(&#name));
                passed.push(quote!(#kept));
                names.push(quote!(#kept));
            }
            Role::Reference => {
                given.push(quote!(&*#name));
                passed.push(quote!(&#kept));
                names.push(quote!(#kept));
            }
            Role::Optional => {
                given.push(quote!(#name));
                passed.push(quote!(#kept.as_ref()));
                names.push(quote!(#kept));
            }
            Role::Changed => {
                given.push(quote!(&*#name));
                passed.push(quote!(&mut #kept));
                names.push(quote!(mut #kept));
                let place = Index::from(changed.len());
                changed.push(quote!(*#name = __news.#place));
                news.push(quote!(#kept));
                changed_types.push(argument.owned.clone());
            }
        }
        owned.push(argument.owned.clone());
    }
    let (of, methods) = forms(&sig.inputs[subtree], &arguments[subtree].ty)?;
    let (text, subject, promise) = (sig.ident.to_string(), &arguments[subtree].name, variable());
    let mut asks = TokenStream::new();
    for method in methods {
        let method = format_ident!("{method}");
        quote::quote! {
            let __found: ::core::option::Option<(#result, (#(#changed_types,)*))> = __call.#method(
                &__HELPER,
                (#(#given,)*),
                __promised,
                |__subtree: #of, (#(#names,)*): (#(#owned,)*)| {
                    let __answer = #function(#(#passed),*);
                    (__answer, (#(#news,)*))
                },
            );
            if let ::core::option::Option::Some((__answer, __news)) = __found {
                #(#changed;)*
                return __answer;
            }
        }
        .to_tokens(&mut asks);
    }
    Some(syn::parse_quote! {
        if __p::step_of_helper() {
            use __p::NotSummarised as _;
            static __HELPER: __p::HelperSite =
                __p::HelperSite { name: #text, line: ::core::line!() };
            let __promised = __p::Promised(
                #promise,
                |__result: &(#result, (#(#changed_types,)*))| {
                    use __p::{NoOutcome as _, YesOrNo as _};
                    (&__p::Outcome(&__result.0)).is_positive()
                },
            );
            let __call = __p::Call(
                #subject,
                ::core::marker::PhantomData::<
                    ::core::cell::Cell<fn((#(#owned,)*), (#result, (#(#changed_types,)*)))>
                >,
            );
            #asks
        }
    })
}

/// More arguments cannot be compared as one.
const MOST_ARGUMENTS: usize = 6;

/// The place of the argument that is most likely a subtree.
fn subtree(inputs: &Punctuated<FnArg, Token![,]>) -> Option<usize> {
    let rank = |input: &FnArg| match input {
        FnArg::Receiver(r) => u8::from(r.reference.is_some() && r.mutability.is_none()),
        FnArg::Typed(t) => match shape(&t.ty) {
            Some(Shape::OptionBox | Shape::Box | Shape::Option) => 2,
            Some(Shape::Reference) => 1,
            None => 0,
        },
    };
    let mut best: Option<(usize, u8)> = None;
    for (i, input) in inputs.iter().enumerate() {
        let rank = rank(input);
        if rank > best.map_or(0, |best| best.1) {
            best = Some((i, rank));
        }
    }
    best.map(|best| best.0)
}

/// What the type of a subtree looks like.
enum Shape {
    /// `&Option<Box<T>>`
    OptionBox,
    /// `&Box<T>`
    Box,
    /// `Option<&T>`
    Option,
    /// `&T`, where `T` may be the name of one of these.
    Reference,
}

fn shape(ty: &Type) -> Option<Shape> {
    match ty {
        Type::Reference(r) if r.mutability.is_none() && r.lifetime.is_none() && owns(&r.elem) => {
            match &*r.elem {
                Type::Path(p) => Some(match (last(p).as_str(), inside(p)) {
                    ("Option", Some(Type::Path(of))) if last(of) == "Box" => Shape::OptionBox,
                    ("Box", Some(_)) => Shape::Box,
                    _ => Shape::Reference,
                }),
                _ => None,
            }
        }
        Type::Path(p) if last(p) == "Option" => match inside(p) {
            Some(Type::Reference(r)) if r.mutability.is_none() && r.lifetime.is_none() && owns(&r.elem) => {
                matches!(&*r.elem, Type::Path(_)).then_some(Shape::Option)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The type of the subtree, and the methods of `Call` that may be about it.
fn forms(input: &FnArg, ty: &Type) -> Option<(Type, Vec<&'static str>)> {
    if let FnArg::Receiver(_) = input {
        return Some((ty.clone(), vec!["in_reference"]));
    }
    let methods = match shape(ty)? {
        Shape::OptionBox => vec!["in_option_box"],
        Shape::Box => vec!["in_box"],
        Shape::Option => vec!["in_option"],
        Shape::Reference => vec!["in_reference", "in_option_box", "in_box"],
    };
    Some((ty.clone(), methods))
}

fn argument(input: &FnArg, is_subtree: bool) -> Option<Argument> {
    let t = match input {
        FnArg::Receiver(receiver) if is_subtree => {
            // With the place where it is written: a macro may have made the block.
            let (name, ty) = (receiver.self_token.to_token_stream(), parse_quote!(&Self));
            return Some(Argument { name, ty, owned: TokenStream::new(), role: Role::Subtree });
        }
        FnArg::Receiver(_) => return None,
        FnArg::Typed(t) => t,
    };
    let Pat::Ident(pat) = &*t.pat else { return None };
    if pat.subpat.is_some() || pat.by_ref.is_some() {
        return None;
    }
    let (name, ty) = (pat.ident.to_token_stream(), (*t.ty).clone());
    if is_subtree {
        return Some(Argument { name, ty, owned: TokenStream::new(), role: Role::Subtree });
    }
    let (owned, role) = match &ty {
        Type::Reference(r) if r.lifetime.is_none() => {
            let role = if r.mutability.is_some() { Role::Changed } else { Role::Reference };
            let owned = match &*r.elem {
                Type::Slice(s) if owns(&s.elem) && r.mutability.is_none() => {
                    let of = &s.elem;
                    quote!(::std::vec::Vec<#of>)
                }
                Type::Path(p) if p.path.is_ident("str") => quote!(::std::string::String),
                of if owns(of) => of.to_token_stream(),
                _ => return None,
            };
            (owned, role)
        }
        Type::Path(p) if matches!(shape(&ty), Some(Shape::Option)) => {
            let Some(Type::Reference(r)) = inside(p) else { return None };
            let of = &r.elem;
            (quote!(::core::option::Option<#of>), Role::Optional)
        }
        ty if owns(ty) => (ty.to_token_stream(), Role::Value),
        _ => return None,
    };
    Some(Argument { name, ty, owned, role })
}

fn last(p: &TypePath) -> String {
    p.path.segments.last().map_or(String::new(), |segment| segment.ident.to_string())
}

/// The only type argument of a path.
fn inside(p: &TypePath) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &p.path.segments.last()?.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(ty)) if arguments.args.len() == 1 => Some(ty),
        _ => None,
    }
}

/// Whether nothing in a type says that it borrows, that its size is not known, or that it is one of ours.
fn owns(ty: &Type) -> bool {
    !matches!(ty, Type::Slice(_) | Type::Never(_)) && owns_all(ty.to_token_stream())
}

fn owns_all(tokens: TokenStream) -> bool {
    tokens.into_iter().all(|token| match token {
        TokenTree::Punct(p) => !matches!(p.as_char(), '&' | '\'' | '*'),
        TokenTree::Ident(name) => !BORROWING.iter().any(|other| name == other),
        TokenTree::Group(group) => owns_all(group.stream()),
        TokenTree::Literal(_) => true,
    })
}

/// Whether a signature mentions sequences.
fn has_sequences(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == "Vec" || name == "VecDeque",
        TokenTree::Group(group) => group.delimiter() == Delimiter::Bracket || has_sequences(group.stream()),
        _ => false,
    })
}

/// Words in types that borrow, or whose size is not known. `__p` is in those that stand for slices of the structure.
const BORROWING: [&str; 9] = ["impl", "dyn", "fn", "_", "str", "Path", "OsStr", "CStr", "__p"];
