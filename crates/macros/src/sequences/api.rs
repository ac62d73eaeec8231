//! `#[api]`: the list of a type's methods, as calls of the builder.

mod generics;
mod options;
mod signature;

use crate::syntax::{quote, quote_spanned};
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{
    Error, Expr, FnArg, Ident, ImplItem, ImplItemFn, ItemImpl, Path, Result, Visibility, WherePredicate,
};

use options::{Arguments, Options};
use signature::Call;

pub(crate) fn attribute(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let parsed = Arguments::parse(arguments).and_then(|arguments| Ok((arguments, syn::parse2(item)?)));
    parsed.map_or_else(|error| error.to_compile_error(), |(arguments, block)| expand(&arguments, block))
}

fn expand(arguments: &Arguments, mut block: ItemImpl) -> TokenStream {
    let mut errors = vec![];
    let Arguments { krate, name, .. } = arguments;
    let of_trait = block.trait_.as_ref().map(|(_, path, _)| path.clone());
    if let (Some(path), None) = (&of_trait, name) {
        errors.push(Error::new_spanned(
            path,
            "a block of a trait's methods needs a name: write `#[api(name = Queries)]`, and `.api_block::<Type, Queries>()` \
             where the context is built",
        ));
    }
    let mut calls = vec![];
    let mut clauses = vec![];
    let named = block.items.iter().filter_map(|item| match item {
        ImplItem::Type(item) => Some((item.ident.clone(), item.ty.clone())),
        _ => None,
    });
    let block_of = BlockOf {
        self_type: (*block.self_ty).clone(),
        of_trait,
        types: named.collect(),
        pools: arguments.pools.clone(),
        into_empty: arguments.into_empty,
        is_generic: !block.generics.params.is_empty(),
    };
    check_pools(&block, &arguments.pools, &mut errors);
    for item in &mut block.items {
        let ImplItem::Fn(method) = item else { continue };
        // A `cfg` on a method has not been evaluated yet, so the calls get it, too.
        let conditions: Vec<_> = method.attrs.iter().filter(|a| a.path().is_ident("cfg")).cloned().collect();
        match calls_of(method, &block_of, &mut clauses) {
            Ok(some) => calls.extend(some.into_iter().map(|call| (conditions.clone(), call))),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() && calls.is_empty() {
        errors.push(Error::new_spanned(
            &block.self_ty,
            "this block has no public method to call: write `#[api]` above a block that has `pub fn` methods",
        ));
    }
    // With an error, an implementation that does nothing: one message for one mistake.
    if !errors.is_empty() {
        calls.clear();
    }
    let errors: Vec<_> = errors.iter().map(Error::to_compile_error).collect();
    let calls = calls.iter().map(|(conditions, call)| {
        let call = call.quote(krate);
        quote!(#(#conditions)* let builder = builder #call;)
    });
    let calls: Vec<_> = calls.collect();
    let bounds = bounds(&block, &clauses, krate);
    let (impl_generics, _, _) = block.generics.split_for_impl();
    let self_type = &block.self_ty;
    let (marker, declaration) = match name {
        None => (quote!(#krate::WithoutName), None),
        Some(name) => {
            let text = format!("The block of methods with the name `{name}`, for `Builder::api_block`.");
            let declaration = quote_spanned! {name.span()=>
                #[doc = #text]
                #[allow(dead_code, reason = "a context may do without it")]
                pub enum #name {}
            };
            (quote!(#name), Some(declaration))
        }
    };
    quote! {
        #block

        #declaration

        #[allow(deprecated, reason = "deprecated methods are tested until they are removed")]
        impl #impl_generics #krate::Api<#marker> for #self_type #bounds {
            fn add_to(builder: #krate::Builder) -> #krate::Builder {
                #(#calls)*
                builder
            }
        }

        #(#errors)*
    }
}

/// The type and the trait of a block.
struct BlockOf {
    self_type: syn::Type,
    of_trait: Option<Path>,
    /// What `Self::Item` and the like stand for.
    types: Vec<(Ident, syn::Type)>,
    /// The values of parameters of all methods, by their names.
    pools: Vec<(Ident, Expr)>,
    /// Whether constructors only fill empty slots.
    into_empty: bool,
    /// Whether types may depend on parameters of the block.
    is_generic: bool,
}

/// Refuses the values of parameters that no method has.
fn check_pools(block: &ItemImpl, pools: &[(Ident, Expr)], errors: &mut Vec<Error>) {
    let methods = block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) => Some(&method.sig.inputs),
        _ => None,
    });
    let names: Vec<String> = methods
        .flatten()
        .filter_map(|input| match input {
            FnArg::Typed(typed) => Some(typed.pat.to_token_stream().to_string()),
            FnArg::Receiver(_) => None,
        })
        .collect();
    for (pool, _) in pools {
        if !names.iter().any(|name| pool == name) {
            errors.push(Error::new(pool.span(), format!("no method of this block has a parameter `{pool}`")));
        }
    }
}

/// The calls of a method that is public and not skipped: one for each instance of a generic method.
fn calls_of(
    method: &mut ImplItemFn,
    block: &BlockOf,
    clauses: &mut Vec<WherePredicate>,
) -> Result<Vec<Call>> {
    let options = Options::take(&mut method.attrs)?;
    let is_public = block.of_trait.is_some() || matches!(method.vis, Visibility::Public(_));
    if options.skip || !is_public {
        return Ok(vec![]);
    }
    let instances = generics::instances(method, &options, &block.types)?;
    clauses.extend(instances.iter().flat_map(|instance| instance.clauses.clone()));
    instances.iter().map(|instance| Call::new(instance, &options, block)).collect()
}

/// The clauses of the block and of its methods, and the bounds of the type parameters.
fn bounds(block: &ItemImpl, clauses: &[WherePredicate], krate: &Path) -> TokenStream {
    let parameters = block.generics.type_params().map(|parameter| &parameter.ident);
    let parameters = parameters.map(|name| quote!(#name: #krate::Plain,)).collect::<Vec<_>>();
    let given = block.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let given = given.chain(clauses).map(|p| quote!(#p,)).collect::<Vec<_>>();
    quote!(where #(#given)* #(#parameters)*)
}
