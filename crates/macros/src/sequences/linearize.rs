//! `derive(Linearize)`.

mod pointers;

use crate::syntax::{parse_quote, quote, raw_pointer};
use proc_macro2::TokenStream;
use quote::format_ident;
use syn::{Attribute, Data, DeriveInput, Error, Fields, Ident, Path, Result};

pub(crate) fn derive(item: TokenStream) -> TokenStream {
    syn::parse2(item).and_then(|item| expand(&item)).unwrap_or_else(|error| error.to_compile_error())
}

fn expand(item: &DeriveInput) -> Result<TokenStream> {
    let options = Options::of(&item.attrs)?;
    if options.skip || options.vouched {
        let name = if options.skip { "skip" } else { "vouched" };
        return Err(Error::new_spanned(&item.ident, format!("`{name}` is for fields, not for types")));
    }
    let follows = options.follows;
    let krate = options.krate.unwrap_or_else(|| parse_quote!(::smallscope::sequences));
    let name = &item.ident;
    let body = match &item.data {
        Data::Struct(data) => {
            let (pattern, writes) = fields(&data.fields, &krate, &item.ident, follows)?;
            quote! { let Self #pattern = self; #writes }
        }
        Data::Enum(data) => {
            let mut arms = vec![];
            for (number, variant) in data.variants.iter().enumerate() {
                let (pattern, writes) = fields(&variant.fields, &krate, &item.ident, follows)?;
                let (variant, number) = (&variant.ident, number as u64);
                arms.push(quote! { Self::#variant #pattern => { sink.number(#number); #writes } });
            }
            if arms.is_empty() {
                quote! { match *self {} }
            } else {
                quote! { match self { #(#arms)* } }
            }
        }
        Data::Union(data) => {
            return Err(Error::new_spanned(
                data.union_token,
                "the field that a union holds is not known: implement `Linearize` by hand",
            ));
        }
    };
    let mut generics = item.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(#krate::Linearize));
    }
    let (impl_generics, type_generics, clause) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics #krate::Linearize for #name #type_generics #clause {
            #[allow(unused_variables, reason = "there may be nothing to write")]
            fn linearize_as(&self, _field: &str, sink: &mut #krate::Sink) {
                #body
            }
        }
    })
}

/// A pattern that binds the fields, and what writes them.
fn fields(fields: &Fields, krate: &Path, of: &Ident, follows: bool) -> Result<(TokenStream, TokenStream)> {
    let mut bound = vec![];
    let mut writes = vec![];
    for (i, field) in fields.iter().enumerate() {
        let options = Options::of(&field.attrs)?;
        if let Some(path) = options.krate {
            return Err(Error::new_spanned(
                path,
                "`crate` is for types: write `#[linearize(crate = path)]` above the type",
            ));
        }
        if options.follows {
            return Err(Error::new_spanned(
                field,
                "`unsafe(raw_pointers)` is for types: write `#[linearize(unsafe(raw_pointers))]` above the type",
            ));
        }
        let variable = format_ident!("field_{i}");
        let member = field.ident.as_ref().map_or_else(
            || {
                let index = syn::Index::from(i);
                quote!(#index)
            },
            |name| quote!(#name),
        );
        let name = field.ident.as_ref().map_or_else(|| i.to_string(), ToString::to_string);
        if options.skip {
            let left_out = format!("{of}.{name}");
            writes.push(match options.vouched {
                true => quote! { sink.leave_out_vouched(#left_out); },
                false => quote! { sink.leave_out(#left_out); },
            });
            continue;
        }
        if options.vouched {
            return Err(Error::new_spanned(
                field,
                "`vouched` is for a field that is left out: `skip, vouched`",
            ));
        }
        bound.push(quote!(#member: #variable));
        writes.push(match raw_pointer(&field.ty) {
            None => quote! { #krate::Linearize::linearize_as(#variable, #name, sink); },
            Some(_) if follows => pointers::write(&field.ty, &quote!(#variable), &name)?,
            Some(at) => {
                let promise = format!(
                    "a raw pointer can be followed only if it is null or leads to a live object after every call; put \
                     `#[linearize(unsafe(raw_pointers))]` on `{of}` to vouch for that, or `#[linearize(skip, vouched)]` on the \
                     field if its target is known from elsewhere"
                );
                return Err(Error::new(at, promise));
            }
        });
    }
    Ok((quote::quote!({ #(#bound,)* .. }), quote!(#(#writes)*)))
}

#[derive(Default)]
struct Options {
    skip: bool,
    /// The author vouches that nothing depends on the field.
    vouched: bool,
    krate: Option<Path>,
    /// The author vouches for raw pointers.
    follows: bool,
}

impl Options {
    fn of(attributes: &[Attribute]) -> Result<Options> {
        let mut options = Options::default();
        for attribute in attributes.iter().filter(|a| a.path().is_ident("linearize")) {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("skip") {
                    options.skip = true;
                } else if meta.path.is_ident("vouched") {
                    options.vouched = true;
                } else if meta.path.is_ident("crate") {
                    options.krate = Some(meta.value()?.parse()?);
                } else if meta.path.is_ident("unsafe") {
                    meta.parse_nested_meta(|meta| {
                        options.follows = meta.path.is_ident("raw_pointers");
                        if options.follows {
                            Ok(())
                        } else {
                            Err(meta.error("this is nothing to vouch for: write `unsafe(raw_pointers)`"))
                        }
                    })?;
                } else {
                    return Err(meta.error(
                        "expected `skip` or `skip, vouched` on a field, `unsafe(raw_pointers)` or `crate = path` on the type",
                    ));
                }
                Ok(())
            })?;
        }
        Ok(options)
    }
}
