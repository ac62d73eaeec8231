//! Fields that hold raw pointers, by the look of their types.

use crate::syntax::{quote, raw_pointer};
use proc_macro2::TokenStream;
use syn::spanned::Spanned;
use syn::{Error, GenericArgument, PathArguments, PathSegment, Result, Type};

/// Writes what the raw pointers in a place lead to. The place is a reference to a value of the type.
pub(super) fn write(ty: &Type, place: &TokenStream, name: &str) -> Result<TokenStream> {
    let follow = |pointer: TokenStream| {
        quote! {
            // SAFETY: `unsafe(raw_pointers)` on the type says that it is null or leads to a live object.
            unsafe { sink.pointer(#name, #pointer) };
        }
    };
    Ok(match ty {
        Type::Paren(inner) => write(&inner.elem, place, name)?,
        Type::Group(inner) => write(&inner.elem, place, name)?,
        Type::Ptr(pointer) if pointer.mutability.is_some() => follow(quote!((*#place).cast_const())),
        Type::Ptr(_) => follow(quote!(*#place)),
        Type::Array(array) => {
            let each = write(&array.elem, &quote!(element), name)?;
            quote! { for element in #place { #each } }
        }
        Type::Path(path) => {
            let (of, inner) = generic(path.path.segments.last()).ok_or_else(|| unknown(ty))?;
            match of.as_str() {
                "NonNull" => follow(quote!((*#place).as_ptr().cast_const())),
                "Option" if is_non_null(inner) => follow(quote! {
                    (*#place).map_or(::core::ptr::null(), |pointer| pointer.as_ptr().cast_const())
                }),
                "Cell" => {
                    let written = write(inner, &quote!(value), name)?;
                    quote! {{ let value = &#place.get(); #written }}
                }
                "Vec" | "VecDeque" => {
                    let each = write(inner, &quote!(element), name)?;
                    quote! {
                        sink.number(#place.len() as u64);
                        for element in #place { #each }
                    }
                }
                _ => return Err(unknown(ty)),
            }
        }
        _ => return Err(unknown(ty)),
    })
}

fn unknown(ty: &Type) -> Error {
    Error::new(
        raw_pointer(ty).unwrap_or_else(|| ty.span()),
        "a raw pointer is followed in a field by itself, in an `Option` of `NonNull`, in a `Cell`, a vector or an array; \
         put it into a type of its own and implement `Linearize` for that by hand",
    )
}

/// The name of a type with one argument, and the argument.
fn generic(segment: Option<&PathSegment>) -> Option<(String, &Type)> {
    let segment = segment?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    let ty = types.next()?;
    types.next().is_none().then(|| (segment.ident.to_string(), ty))
}

fn is_non_null(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|segment| segment.ident == "NonNull"))
}
