//! `#[api]`: the list of a type's methods, as calls of the builder.

mod signature;

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, ImplItem, ImplItemFn, ItemImpl, Path, Result, Token, Visibility, parse_quote};

use signature::Call;

/// The arguments of the attribute on the block.
pub(crate) struct Arguments {
    krate: Path,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> Result<Arguments> {
        if input.is_empty() {
            return Ok(Arguments { krate: parse_quote!(::smallscope::sequences) });
        }
        if !input.peek(Token![crate]) {
            return Err(input.error(
                "expected nothing or `crate = path`; `skip`, `seen`, `nothing` and `moves` stand on methods, as in \
                 `#[api(skip)]`",
            ));
        }
        input.parse::<Token![crate]>()?;
        input.parse::<Token![=]>()?;
        Ok(Arguments { krate: input.call(Path::parse_mod_style)? })
    }
}

/// What is said about a method.
#[derive(Default)]
pub(crate) struct Options {
    pub skip: bool,
    pub seen: bool,
    pub nothing: bool,
    pub moves: bool,
}

impl Options {
    /// Takes the attribute off the method.
    fn take(attributes: &mut Vec<Attribute>) -> Result<Options> {
        let mut options = Options::default();
        let mut result = Ok(());
        attributes.retain(|attribute| {
            if attribute.path().segments.last().is_none_or(|segment| segment.ident != "api") {
                return true;
            }
            let parsed = attribute.parse_nested_meta(|meta| {
                let name = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
                match &*name {
                    "skip" => options.skip = true,
                    "seen" => options.seen = true,
                    "nothing" => options.nothing = true,
                    "moves" => options.moves = true,
                    _ => return Err(meta.error("expected `skip`, `seen`, `nothing` or `moves`")),
                }
                Ok(())
            });
            if let Err(error) = parsed {
                result = Err(error);
            }
            false
        });
        result.map(|()| options)
    }
}

pub(crate) fn expand(arguments: &Arguments, mut block: ItemImpl) -> TokenStream {
    let mut errors = vec![];
    if let Some((_, path, _)) = &block.trait_ {
        errors.push(Error::new_spanned(
            path,
            "`#[api]` stands on a block of a type's own methods; add methods of traits with `Builder::method`",
        ));
    }
    let mut calls = vec![];
    let self_type = block.self_ty.clone();
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { continue };
        match one(method, &self_type) {
            Ok(Some(call)) => calls.push(call),
            Ok(None) => {}
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() && calls.is_empty() {
        errors.push(Error::new_spanned(&block.self_ty, "there is no public method in this block to call"));
    }
    // With an error, an implementation that does nothing: one message for one mistake.
    if !errors.is_empty() {
        calls.clear();
    }
    let errors = errors.iter().map(Error::to_compile_error);
    let krate = &arguments.krate;
    let calls = calls.iter().map(|call| call.quote(krate));
    let bounds = bounds(&block, krate);
    let (impl_generics, _, _) = block.generics.split_for_impl();
    let self_type = &block.self_ty;
    quote! {
        #block

        impl #impl_generics #krate::Api for #self_type #bounds {
            fn add_to(builder: #krate::Builder) -> #krate::Builder {
                builder #(#calls)*
            }
        }

        #(#errors)*
    }
}

/// The call of a method, if it is one to be called.
fn one(method: &mut ImplItemFn, self_type: &syn::Type) -> Result<Option<Call>> {
    let options = Options::take(&mut method.attrs)?;
    if options.skip || !matches!(method.vis, Visibility::Public(_)) {
        return Ok(None);
    }
    Call::new(method, &options, self_type).map(Some)
}

/// The clause of the block, and what values of a type parameter have to be able to do.
fn bounds(block: &ItemImpl, krate: &Path) -> TokenStream {
    let parameters = block.generics.type_params().map(|parameter| &parameter.ident);
    let parameters = parameters.map(|name| quote!(#name: #krate::Plain,));
    let given = block.generics.where_clause.iter().flat_map(|clause| &clause.predicates).map(|p| quote!(#p,));
    quote!(where #(#given)* #(#parameters)*)
}
