//! `derive(Linearize)`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Data, DeriveInput, Error, Fields, Path, Result, parse_quote};

pub(crate) fn expand(item: &DeriveInput) -> Result<TokenStream> {
    let options = Options::of(&item.attrs)?;
    if options.skip {
        return Err(Error::new_spanned(&item.ident, "`skip` is for fields, not for types"));
    }
    let krate = options.krate.unwrap_or_else(|| parse_quote!(::smallscope::sequences));
    let name = &item.ident;
    let body = match &item.data {
        Data::Struct(data) => {
            let (pattern, writes) = fields(&data.fields, &krate)?;
            quote! { let Self #pattern = self; #writes }
        }
        Data::Enum(data) => {
            let mut arms = vec![];
            for (number, variant) in data.variants.iter().enumerate() {
                let (pattern, writes) = fields(&variant.fields, &krate)?;
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
                "which field of a union is there is not known; implement `Linearize` by hand",
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
fn fields(fields: &Fields, krate: &Path) -> Result<(TokenStream, TokenStream)> {
    let mut bound = vec![];
    let mut writes = vec![];
    for (i, field) in fields.iter().enumerate() {
        let options = Options::of(&field.attrs)?;
        if let Some(path) = options.krate {
            return Err(Error::new_spanned(path, "`crate` is for types, not for fields"));
        }
        let variable = format_ident!("field_{i}");
        let member = field.ident.as_ref().map_or_else(
            || {
                let index = syn::Index::from(i);
                quote!(#index)
            },
            |name| quote!(#name),
        );
        if options.skip {
            continue;
        }
        let name = field.ident.as_ref().map_or_else(|| i.to_string(), ToString::to_string);
        bound.push(quote!(#member: #variable));
        writes.push(quote! { #krate::Linearize::linearize_as(#variable, #name, sink); });
    }
    Ok((quote!({ #(#bound,)* .. }), quote!(#(#writes)*)))
}

#[derive(Default)]
struct Options {
    skip: bool,
    krate: Option<Path>,
}

impl Options {
    fn of(attributes: &[Attribute]) -> Result<Options> {
        let mut options = Options::default();
        for attribute in attributes.iter().filter(|a| a.path().is_ident("linearize")) {
            attribute.parse_nested_meta(|meta| {
                if meta.path.is_ident("skip") {
                    options.skip = true;
                } else if meta.path.is_ident("crate") {
                    options.krate = Some(meta.value()?.parse()?);
                } else {
                    return Err(meta.error("expected `skip` on a field or `crate = path` on the type"));
                }
                Ok(())
            })?;
        }
        Ok(options)
    }
}
