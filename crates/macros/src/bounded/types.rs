//! From field types to the types of their cells.
//!
//! std's pointers and containers are mapped by name, because a type parameter `K` stays what it is and need
//! not have a mirror. Everything else goes through the `Mirrored` trait, which also resolves type aliases.

use super::attrs::FieldAttrs;
use super::literals::literals_fit;
use crate::syntax::visit_mut::VisitMut;
use crate::syntax::{self, Names, any_ident, first_span, quote, quote_spanned};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use smallscope_support::text::joined;
use syn::spanned::Spanned;
use syn::{Error, GenericArgument, PathArguments, PathSegment, Result, Type, TypeTuple};

/// Names of the type parameters in scope.
pub(crate) type Params = Names;

const INTEGERS: &[&str] =
    &["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "Key"];
const OTHER_LEAVES: &[&str] = &["bool", "char", "String", "BTreeSet", "HashSet"];
const CONTAINERS: &[&str] = &["Vec", "VecDeque", "String", "BTreeSet", "HashSet", "BTreeMap", "HashMap"];

/// Types that are not `Copy`, by name.
const OWNERS: &[&str] = &[
    "Vec", "VecDeque", "String", "BTreeSet", "HashSet", "BTreeMap", "HashMap", "Box", "Rc", "Arc", "Weak",
    "RefCell", "Cell",
];

/// The type of the cell (or cells) that a field becomes.
pub(crate) fn cell(ty: &Type, params: &Params, s: &TokenStream) -> Result<TokenStream> {
    match ty {
        Type::Paren(p) => cell(&p.elem, params, s),
        Type::Group(g) => cell(&g.elem, params, s),
        Type::Array(_) => mirror(ty, params, s),
        Type::Tuple(t) if !t.elems.is_empty() && !has_leaves(ty, params) => each(t, cell, params, s),
        Type::Path(p) if is_named(ty, &["PhantomData"]) => Ok(quote!(#p)),
        _ if is_user_type(ty, params) => Ok(mirrored(ty, "Cell", params, s)),
        _ => {
            let m = mirror(ty, params, s)?;
            Ok(quote_spanned!(at(s)=> #s::Tracked<#m>))
        }
    }
}

/// What a type becomes.
type Of = fn(&Type, &Params, &TokenStream) -> Result<TokenStream>;

/// A tuple of what the components of one become.
fn each(tuple: &TypeTuple, of: Of, params: &Params, s: &TokenStream) -> Result<TokenStream> {
    let mut components = TokenStream::new();
    for component in &tuple.elems {
        let component = of(component, params, s)?;
        quote_spanned!(at(s)=> #component,).to_tokens(&mut components);
    }
    Ok(quote_spanned!(at(s)=> (#components)))
}

/// The span of generated types: the field's type, which the path to the support module has, too.
fn at(s: &TokenStream) -> Span {
    first_span(s)
}

/// An associated type of `Mirrored` for a type. If the type has no mirror, that is one error, and none wherever its
/// mirror is mentioned; a constant cannot depend on type parameters.
fn mirrored(ty: &Type, what: &str, params: &Params, s: &TokenStream) -> TokenStream {
    let what = Ident::new(what, at(s));
    if mentions(ty, params) {
        return quote_spanned!(at(s)=> <#ty as #s::Mirrored>::#what);
    }
    quote_spanned!(at(s)=> <#s::If<{ <#ty as #s::Enumerable>::IS_ENUMERABLE }> as #s::Choose<#ty>>::#what)
}

/// The key of a map. If it is not plain data, that is one error.
fn plain_key(ty: &Type, params: &Params, s: &TokenStream) -> TokenStream {
    if is_leaf(ty, params) || mentions(ty, params) {
        return quote!(#ty);
    }
    quote_spanned!(at(s)=> <#s::If<{ <#ty as #s::PlainKey>::IS_PLAIN }> as #s::Itself<#ty>>::Type)
}

/// Whether a type is written with one of some names.
fn mentions(ty: &Type, names: &Params) -> bool {
    any_ident(ty.to_token_stream(), &|ident| names.contains(&ident.to_string()))
}

/// The type that an invariant sees in place of a type.
pub(crate) fn mirror(ty: &Type, params: &Params, s: &TokenStream) -> Result<TokenStream> {
    match ty {
        Type::Paren(p) => mirror(&p.elem, params, s),
        Type::Group(g) => mirror(&g.elem, params, s),
        Type::Ptr(p) => {
            check_raw_target(&p.elem, params)?;
            let target = mirror(&p.elem, params, s)?;
            Ok(if p.mutability.is_some() {
                quote_spanned!(at(s)=> *mut #target)
            } else {
                quote_spanned!(at(s)=> *const #target)
            })
        }
        Type::Array(a) => {
            let (element, len) = (mirror(&a.elem, params, s)?, &a.len);
            Ok(quote_spanned!(at(s)=> #s::mirror::Array<#element, {#len}>))
        }
        Type::Tuple(_) if has_leaves(ty, params) => Ok(quote!(#ty)),
        Type::Tuple(t) => each(t, mirror, params, s),
        Type::Path(p) if p.qself.is_none() => {
            let Some(last) = p.path.segments.last() else { return unsupported(ty) };
            if p.path.segments.len() == 1 && params.contains(&last.ident.to_string()) {
                return Ok(quote!(#ty));
            }
            named(ty, last, params, s)
        }
        Type::Path(_) => Ok(mirrored(ty, "Mirror", params, s)),
        Type::Reference(r) => Err(Error::new(
            r.span(),
            "a reference cannot be built: use `Box`, `Rc`, an index, a raw pointer, or `#[bounded(values = [..])]`",
        )),
        _ => unsupported(ty),
    }
}

/// Raw pointers lead to structures, which are objects with an identity.
fn check_raw_target(target: &Type, params: &Params) -> Result<()> {
    if is_leaf(target, params) {
        return Err(Error::new(
            target.span(),
            "a raw pointer must lead to a structure here; put the value into a struct that derives `Bounded`",
        ));
    }
    Ok(())
}

fn unsupported<T>(ty: &Type) -> Result<T> {
    let what = match ty {
        Type::BareFn(_) => "a function pointer",
        Type::TraitObject(_) => "a trait object",
        Type::ImplTrait(_) => "an `impl Trait`",
        Type::Never(_) => "the never type",
        Type::Slice(_) => "an unsized slice",
        _ => "this type",
    };
    Err(Error::new(
        ty.span(),
        format!("{what} has no bounded domain; list the values to try with `#[bounded(values = [..])]`"),
    ))
}

/// A type with a name: std's are mapped here, the others through the trait.
fn named(ty: &Type, last: &PathSegment, params: &Params, s: &TokenStream) -> Result<TokenStream> {
    let name = last.ident.to_string();
    let id = &last.ident;
    if is_user_type(ty, params) {
        return Ok(mirrored(ty, "Mirror", params, s));
    }
    let arg = |i: usize| match arguments(last).get(i) {
        Some(argument) => Ok(*argument),
        None => Err(Error::new(last.span(), format!("`{name}` needs a type argument"))),
    };
    Ok(match name.as_str() {
        "Box" if matches!(arg(0)?, Type::Slice(_)) => {
            let Type::Slice(slice) = arg(0)? else { return unsupported(ty) };
            let seq = sequence(&slice.elem, params, s)?;
            quote_spanned!(at(s)=> #s::As<::std::boxed::Box<[()]>, #seq>)
        }
        "Box" | "Rc" | "Arc" | "RefCell" | "Cell" => {
            let content = arg(0)?;
            if let Type::TraitObject(_) | Type::Slice(_) = content {
                return unsupported(content);
            }
            if name == "Cell" && is_named(content, OWNERS) {
                return Err(Error::new(
                    content.span(),
                    "the content of a `Cell` can be read only if it is `Copy`: use `RefCell`",
                ));
            }
            let (id, inner) = (Ident::new(&name, at(s)), mirror(content, params, s)?);
            quote_spanned!(at(s)=> #s::mirror::#id<#inner>)
        }
        "Option" => {
            let inner = mirror(arg(0)?, params, s)?;
            quote_spanned!(at(s)=> ::core::option::Option<#inner>)
        }
        "NonNull" => {
            let target = arg(0)?;
            check_raw_target(target, params)?;
            let inner = mirror(target, params, s)?;
            quote_spanned!(at(s)=> ::core::ptr::NonNull<#inner>)
        }
        "Vec" => sequence(arg(0)?, params, s)?,
        "VecDeque" => {
            let seq = sequence(arg(0)?, params, s)?;
            quote_spanned!(at(s)=> #s::As<::std::collections::VecDeque<()>, #seq>)
        }
        "BTreeMap" | "HashMap" => {
            let (key, value) = (arg(0)?, arg(1)?);
            if arguments(last).len() > 2 {
                return Err(Error::new(
                    last.span(),
                    "a map with its own hasher is not supported; use `#[bounded(values = [..])]`",
                ));
            }
            // Maps of plain data have a mirror of their own; values with cells stand in std's maps.
            if is_leaf(value, params) {
                let key = plain_key(key, params, s);
                quote_spanned!(at(s)=> #s::mirror::#id<#key, #value>)
            } else if is_user_type(value, params) {
                let (value, key) = (mirrored(value, "InMap", params, s), plain_key(key, params, s));
                quote_spanned!(at(s)=> <#value as #s::MapValue>::#id<#key>)
            } else {
                let (value, key) = (cell(value, params, s)?, plain_key(key, params, s));
                quote_spanned!(at(s)=> ::std::collections::#id<#key, #value>)
            }
        }
        "BTreeSet" | "HashSet" if arguments(last).len() == 1 => {
            let element = plain_key(arg(0)?, params, s);
            quote_spanned!(at(s)=> ::std::collections::#id<#element>)
        }
        "PhantomData" => quote!(#ty),
        "Mutex" | "RwLock" | "OnceCell" | "LazyCell" | "Pin" | "Cow" | "LinkedList" | "BinaryHeap"
        | "ManuallyDrop" | "MaybeUninit" | "UnsafeCell" => {
            return Err(Error::new(
                last.span(),
                format!(
                    "`{name}` is not among the types that can be enumerated; list the values to try with `#[bounded(values = [..])]`"
                ),
            ));
        }
        "f32" | "f64" | "str" | "OsString" | "PathBuf" => {
            return Err(Error::new(
                last.span(),
                format!(
                    "`{name}` has no bounded domain; list the values to try with `#[bounded(values = [..])]`"
                ),
            ));
        }
        _ if is_leaf(ty, params) => quote!(#ty),
        _ => mirrored(ty, "Mirror", params, s),
    })
}

/// The type that an invariant sees in place of a `Vec` of a type.
fn sequence(element: &Type, params: &Params, s: &TokenStream) -> Result<TokenStream> {
    if is_user_type(element, params) {
        return Ok(mirrored(element, "Seq", params, s));
    }
    let element = mirror(element, params, s)?;
    Ok(quote_spanned!(at(s)=> #s::mirror::Seq<#element>))
}

fn arguments(segment: &PathSegment) -> Vec<&Type> {
    let PathArguments::AngleBracketed(args) = &segment.arguments else { return vec![] };
    let mut types = vec![];
    for argument in &args.args {
        if let GenericArgument::Type(ty) = argument {
            types.push(ty);
        }
    }
    types
}

pub(super) fn last_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(p) => Some(syntax::last_name(&p.path)),
        Type::Paren(p) => last_name(&p.elem),
        Type::Group(g) => last_name(&g.elem),
        _ => None,
    }
}

fn is_named(ty: &Type, names: &[&str]) -> bool {
    last_name(ty).is_some_and(|n| names.contains(&n.as_str()))
}

/// Whether all types that a type is written with are plain data.
fn has_leaves(ty: &Type, params: &Params) -> bool {
    inner(ty).iter().all(|part| is_leaf(part, params))
}

/// Plain data of std, as far as the syntax tells.
pub(crate) fn is_plain(ty: &Type) -> bool {
    is_leaf(ty, &Params::default())
}

/// Plain data, as far as the syntax tells.
fn is_leaf(ty: &Type, params: &Params) -> bool {
    match ty {
        Type::Tuple(_) => has_leaves(ty, params),
        Type::Paren(p) => is_leaf(&p.elem, params),
        Type::Path(_) if is_named(ty, &["Option"]) => has_leaves(ty, params),
        Type::Path(p) => {
            is_named(ty, INTEGERS)
                || is_named(ty, OTHER_LEAVES)
                || p.path.get_ident().is_some_and(|i| params.contains(&i.to_string()))
        }
        _ => false,
    }
}

/// Whether the trait determines the cell of a field.
pub(crate) fn is_projection(ty: &Type) -> bool {
    is_user_type(ty, &Params::default())
}

/// A type that only the trait knows about.
fn is_user_type(ty: &Type, params: &Params) -> bool {
    let Type::Path(p) = ty else { return false };
    const GENERIC: &[&str] = &[
        "Box",
        "Rc",
        "Arc",
        "Weak",
        "RefCell",
        "Cell",
        "Option",
        "NonNull",
        "Vec",
        "VecDeque",
        "BTreeMap",
        "HashMap",
        "PhantomData",
        "Mutex",
        "RwLock",
        "OnceCell",
        "LazyCell",
        "Pin",
        "Cow",
        "LinkedList",
        "BinaryHeap",
        "ManuallyDrop",
        "MaybeUninit",
        "UnsafeCell",
    ];
    const PLAIN: &[&str] = &["f32", "f64", "str", "OsString", "PathBuf"];
    // Without type arguments, `Cell` can only be the user's own.
    let has_arguments = p.path.segments.last().is_some_and(|s| !s.arguments.is_empty());
    p.qself.is_some()
        || !(is_leaf(ty, params) || is_named(ty, PLAIN) || has_arguments && is_named(ty, GENERIC))
}

/// Whether a type may contain structures, as far as the syntax tells.
pub(crate) fn mentions_structure(ty: &Type, params: &Params) -> bool {
    // An argument of a macro stands in a group that is not seen.
    match ty {
        Type::Paren(p) => return mentions_structure(&p.elem, params),
        Type::Group(g) => return mentions_structure(&g.elem, params),
        _ => {}
    }
    !is_named(ty, &["PhantomData"])
        && (is_user_type(ty, params) || inner(ty).into_iter().any(|t| mentions_structure(t, params)))
}

/// The place in a type where a map has values of the named type, or values that contain it other than through a
/// pointer or a vector of objects.
pub(crate) fn map_of_itself<'a>(ty: &'a Type, name: &Ident) -> Option<&'a Type> {
    fn in_place<'a>(ty: &'a Type, name: &Ident) -> Option<&'a Type> {
        match ty {
            Type::Path(p) if p.path.segments.len() == 1 && p.path.segments[0].ident == *name => Some(ty),
            // A vector of structs or enums takes them from a pool; its other elements are laid out in place.
            Type::Path(_) if is_named(ty, &["Vec", "VecDeque"]) => {
                first(ty, &|t| if is_user_type(t, &Params::default()) { None } else { in_place(t, name) })
            }
            Type::Path(_) if is_named(ty, &["Box", "Rc", "Arc", "Weak", "NonNull", "PhantomData"]) => None,
            Type::Ptr(_) => None,
            _ => first(ty, &|t| in_place(t, name)),
        }
    }
    let value = if is_named(ty, &["BTreeMap", "HashMap"]) { inner(ty).get(1).copied() } else { None };
    match value {
        Some(value) => in_place(value, name),
        None => first(ty, &|t| map_of_itself(t, name)),
    }
}

/// The first place that is found in the types that a type is written with.
fn first<'a>(ty: &'a Type, find: &dyn Fn(&'a Type) -> Option<&'a Type>) -> Option<&'a Type> {
    inner(ty).into_iter().find_map(find)
}

/// The types that a type is written with.
fn inner(ty: &Type) -> Vec<&Type> {
    match ty {
        Type::Paren(p) => vec![&p.elem],
        Type::Group(g) => vec![&g.elem],
        Type::Array(a) => vec![&a.elem],
        Type::Slice(s) => vec![&s.elem],
        Type::Ptr(p) => vec![&p.elem],
        Type::Tuple(t) => {
            let mut components = vec![];
            components.extend(&t.elems);
            components
        }
        Type::Path(p) => p.path.segments.last().map(arguments).unwrap_or_default(),
        _ => vec![],
    }
}

/// A field, or a component of a tuple in it, whose values may have an invariant.
pub(crate) struct Checked {
    /// The components of the tuples on the way to it.
    pub(crate) components: Vec<u32>,
}

/// The field, or those of its components, whose values may have an invariant.
pub(crate) fn checked(ty: &Type, params: &Params) -> Vec<Checked> {
    fn find(ty: &Type, params: &Params, at: &[u32], out: &mut Vec<Checked>) {
        match ty {
            Type::Paren(p) => find(&p.elem, params, at, out),
            Type::Group(g) => find(&g.elem, params, at, out),
            _ if !mentions_structure(ty, params) => {}
            Type::Tuple(t) => {
                let mut component = at.to_vec();
                component.push(0);
                for e in &t.elems {
                    find(e, params, &component, out);
                    component[at.len()] += 1;
                }
            }
            _ => out.push(Checked { components: at.to_vec() }),
        }
    }
    let mut out = vec![];
    find(ty, params, &[], &mut out);
    out
}

/// Whether a type parameter occurs outside of `PhantomData`.
pub(crate) fn mentions_as_data(ty: &Type, param: &Ident) -> bool {
    struct Find<'p>(&'p Ident, bool);
    impl VisitMut for Find<'_> {
        fn visit_path_mut(&mut self, p: &mut syn::Path) {
            self.1 |= p.is_ident(self.0);
            if p.segments.last().is_none_or(|s| s.ident != "PhantomData") {
                syntax::visit_mut::visit_path_mut(self, p);
            }
        }
    }
    let mut find = Find(param, false);
    find.visit_type_mut(&mut ty.clone());
    find.1
}

/// Attributes that cannot apply to a type whose name we know.
pub(crate) fn check_attrs(ty: &Type, attrs: &FieldAttrs) -> Result<()> {
    let known_leaf = |names: &[&str]| is_named(ty, names);
    let key = |name: &str| match attrs.key(name) {
        Some(key) => key.span(),
        None => ty.span(),
    };
    let lengthless = known_leaf(INTEGERS) || known_leaf(&["bool", "char"]) || matches!(ty, Type::Ptr(_));
    if attrs.len.is_some() && lengthless {
        return Err(Error::new(
            key("len"),
            format!("this field has no length; `len` is for {}", joined(CONTAINERS, ", ")),
        ));
    }
    if attrs.len.is_some() && matches!(ty, Type::Array(_)) {
        return Err(Error::new(key("len"), "the length of an array is part of its type; remove `len`"));
    }
    if attrs.alphabet.is_some() && (known_leaf(INTEGERS) || known_leaf(&["bool"])) {
        return Err(Error::new(
            key("alphabet"),
            "an alphabet is for `char` and `String`; integers take `range = 0..=9`",
        ));
    }
    let no_integers = known_leaf(&["bool", "char", "String"]);
    for name in ["range", "set"] {
        if attrs.key(name).is_some() && no_integers {
            return Err(Error::new(
                key(name),
                "this field holds no integers; `char` and `String` take `alphabet = \"ab\"`",
            ));
        }
    }
    literals_fit(ty, attrs)?;
    if attrs.variants.is_some() && (known_leaf(INTEGERS) || no_integers) {
        return Err(Error::new(key("variants"), "this field is not an enum; use `range`, `set` or `values`"));
    }
    if attrs.index.is_some()
        && (no_integers || matches!(ty, Type::Ptr(_)) || is_named(ty, &["Box", "Rc", "Arc", "Weak"]))
    {
        return Err(Error::new(
            key("index"),
            "`index` goes on integers, or on an `Option`, vector or array of them",
        ));
    }
    if attrs.non_null.is_some() && (known_leaf(INTEGERS) || no_integers) {
        return Err(Error::new(key("non_null"), "this field is not a pointer: remove `non_null`"));
    }
    if attrs.unchecked.is_some() && !mentions_structure(ty, &Params::default()) {
        return Err(Error::new(
            key("unchecked"),
            "this field holds plain data, which has no invariant: remove `unchecked`",
        ));
    }
    Ok(())
}
