//! From the attribute and its item to the item with probes, the table that they write to, and the region that says
//! what is in it.

use super::args::{Args, Mark, take_marks};
use super::blocks::{Found, Probes};
use super::predicates::Predicate;
use super::text;
use crate::syntax;
use crate::syntax::{quote, quote_spanned};
use proc_macro2::{Span, TokenStream};
use quote::format_ident;
use std::sync::atomic::{AtomicUsize, Ordering};
use syn::spanned::Spanned;
use syn::{
    Attribute, Block, Error, Expr, Ident, ImplItem, Item, ItemFn, ItemImpl, Path, Result, Signature, Type,
    Visibility,
};

/// The attribute. If something is wrong, the item stays as it is, so that there are no further errors about it.
pub(crate) fn attribute(args: TokenStream, item: TokenStream, default_crate: Path) -> TokenStream {
    match expand(args, item.clone(), default_crate) {
        Ok(tokens) => tokens,
        Err(error) => {
            let error = error.to_compile_error();
            let item = without_marks(item);
            quote!(#error #item)
        }
    }
}

/// The item without what only this attribute understands.
fn without_marks(item: TokenStream) -> TokenStream {
    let Ok(Item::Impl(mut block)) = syn::parse2(item.clone()) else { return item };
    for member in &mut block.items {
        let ImplItem::Fn(function) = member else { continue };
        syntax::take_marks(&mut function.attrs, "cover");
    }
    quote!(#block)
}

fn expand(args: TokenStream, item: TokenStream, default_crate: Path) -> Result<TokenStream> {
    let args = Args::parse(args)?;
    let krate = args.krate.clone().unwrap_or(default_crate);
    // Each use of the attribute needs names of its own, also where a macro makes several of them in one line.
    static USES: AtomicUsize = AtomicUsize::new(0);
    let number = USES.fetch_add(1, Ordering::Relaxed);
    let table = format_ident!("__SMALLSCOPE_COVER_TABLE_{number}");
    let mut probes = Probes::new(&krate, &table);
    match syn::parse2(item)? {
        Item::Impl(mut block) => {
            check_block(&block, &args)?;
            cover_block(&mut block, &args, &mut probes)?;
            let region =
                name(&args, || (Visibility::Inherited, format_ident!("__SMALLSCOPE_COVER_REGION_{number}")));
            let statics = statics(&krate, &table, &region, &probes);
            let covered = args.name.is_none().then(|| covered(&krate, &block, &region.1, &args.also));
            Ok(quote!(#block #statics #covered))
        }
        Item::Fn(mut function) => {
            check_function(&function, &args)?;
            cover_function(&mut function, &args, &mut probes)?;
            let region = name(&args, || unreachable!("a function has a named region"));
            let statics = statics(&krate, &table, &region, &probes);
            Ok(quote!(#function #statics))
        }
        other => Err(Error::new(
            first_token(&other),
            "`#[cover]` goes on an impl block or on a function: it records which of its blocks run",
        )),
    }
}

fn name(args: &Args, otherwise: impl FnOnce() -> (Visibility, Ident)) -> (Visibility, Ident) {
    args.name.clone().unwrap_or_else(otherwise)
}

/// Where an item begins, attributes and visibility aside.
fn first_token(item: &Item) -> Span {
    match item {
        Item::Struct(item) => item.struct_token.span(),
        Item::Enum(item) => item.enum_token.span(),
        Item::Trait(item) => item.trait_token.span(),
        Item::Mod(item) => item.mod_token.span(),
        other => other.span(),
    }
}

fn check_block(block: &ItemImpl, args: &Args) -> Result<()> {
    let attr_named = |name: &str| {
        block
            .attrs
            .iter()
            .find(|attr| attr.path().segments.last().is_some_and(|segment| segment.ident == name))
    };
    if let Some(attr) = attr_named("rep_ok").or_else(|| attr_named("mirror")) {
        return Err(Error::new(
            attr.path().span(),
            "the copy that the search runs would get the probes, too; put the covered functions into an impl block of \
             their own",
        ));
    }
    if let Some(attr) = attr_named("mutate") {
        return Err(Error::new(
            attr.path().span(),
            "put `#[mutate]` above `#[cover]`: mutants are made of the code as it is written, without probes",
        ));
    }
    if let (Some((_, path, _)), None) = (&block.trait_, &args.name) {
        let example =
            path.segments.last().map(|segment| segment.ident.to_string().to_uppercase()).unwrap_or_default();
        return Err(Error::new(
            path.span(),
            format!(
                "the probes of a trait's impl block need a name: `#[cover(static {example})]`; the type's own block can \
                 have them with `also({example})`"
            ),
        ));
    }
    check_also(args)
}

fn check_function(function: &ItemFn, args: &Args) -> Result<()> {
    if let Some(receiver) = function.sig.receiver() {
        return Err(Error::new(
            receiver.span(),
            "put `#[cover]` on the impl block, not on one of its methods",
        ));
    }
    if args.name.is_none() {
        let example = function.sig.ident.to_string().to_uppercase();
        return Err(Error::new(
            function.sig.ident.span(),
            format!("the probes of a function need a name: `#[cover(static {example})]`"),
        ));
    }
    check_also(args)
}

fn check_also(args: &Args) -> Result<()> {
    match (&args.name, args.also.first()) {
        (Some((_, name)), Some(also)) => Err(Error::new(
            also.span(),
            format!(
                "`also` belongs on the block that stands for the type: `static {name}` is a region of its own"
            ),
        )),
        _ => Ok(()),
    }
}

fn cover_block(block: &mut ItemImpl, args: &Args, probes: &mut Probes<'_>) -> Result<()> {
    let type_name = type_name(&block.self_ty);
    let mut shared = predicates(&args.predicates)?;
    for item in &mut block.items {
        let ImplItem::Fn(function) = item else { continue };
        let marks = take_marks(&mut function.attrs)?;
        if marks.iter().any(|mark| matches!(mark, Mark::Skip)) {
            continue;
        }
        let own = marks.into_iter().find_map(|mark| match mark {
            Mark::Predicates(own) => Some(own),
            Mark::Skip => None,
        });
        // `#[mutate]` has given the code as it is written another name.
        let written = function.sig.ident.to_string();
        let name = format!("{type_name}::{}", written.strip_prefix(syntax::PLAIN).unwrap_or(&written));
        let body = (&function.attrs[..], &function.sig, &mut function.block);
        match own {
            Some(own) => {
                let shared_seen = probes.take_seen();
                let mut own = predicates(&own)?;
                cover_body(probes, name, body, &mut own)?;
                let seen = probes.take_seen();
                own.iter().try_for_each(|predicate| predicate.check_used(&seen))?;
                probes.see(shared_seen);
            }
            None => cover_body(probes, name, body, &mut shared)?,
        }
    }
    let seen = probes.take_seen();
    shared.iter().try_for_each(|predicate| predicate.check_used(&seen))
}

fn cover_function(function: &mut ItemFn, args: &Args, probes: &mut Probes<'_>) -> Result<()> {
    let mut predicates = predicates(&args.predicates)?;
    let name = function.sig.ident.to_string();
    cover_body(probes, name, (&function.attrs[..], &function.sig, &mut function.block), &mut predicates)?;
    let seen = probes.take_seen();
    predicates.iter().try_for_each(|predicate| predicate.check_used(&seen))
}

fn cover_body(
    probes: &mut Probes<'_>,
    name: String,
    (attrs, signature, body): (&[Attribute], &Signature, &mut Block),
    predicates: &mut Vec<Predicate>,
) -> Result<()> {
    if let Some(keyword) = signature.constness {
        return Err(Error::new(
            keyword.span(),
            "a `const fn` cannot record that it runs: leave it out with `#[cover(skip)]`",
        ));
    }
    probes.function(name, attrs, signature, body, predicates);
    Ok(())
}

fn predicates(exprs: &[Expr]) -> Result<Vec<Predicate>> {
    exprs.iter().cloned().map(Predicate::new).collect()
}

/// `TreeMap` for `tree::TreeMap<K, V>`.
fn type_name(self_type: &Type) -> String {
    match self_type {
        Type::Path(path) => path.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default(),
        other => text::of(other),
    }
}

/// The table of slots, and the region that says what they mean.
fn statics(krate: &Path, table: &Ident, region: &(Visibility, Ident), probes: &Probes<'_>) -> TokenStream {
    let (visibility, name) = region;
    let combinations = probes.combinations;
    let blocks: Vec<_> = probes.found.iter().map(|block| entry(krate, block)).collect();
    let count = probes.found.len();
    let documentation = format!("The {count} blocks that `#[cover]` has found.");
    quote! {
        #krate::__private::thread_local! {
            static #table: #krate::__private::Table<#count, #combinations> =
                const { #krate::__private::Table::new() };
        }

        #[doc = #documentation]
        #[allow(dead_code)]
        #visibility static #name: #krate::Region = #krate::Region::__new(
            ::core::file!(),
            {
                // Clippy takes lines and columns, which are at the user's code, for numbers in it.
                #[allow(clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
                static BLOCKS: [#krate::Block; #count] = [#(#blocks),*];
                &BLOCKS
            },
            #combinations,
            |look| #table.with(|table| look(&table.slots())),
        );
    }
}

fn entry(krate: &Path, block: &Found) -> TokenStream {
    let Found { function, kind, text, span, predicates, first_combination, conditions } = block;
    let line = quote_spanned!(*span=> ::core::line!());
    let column = quote_spanned!(*span=> ::core::column!());
    quote::quote! {
        #krate::Block {
            function: #function,
            kind: #krate::BlockKind::#kind,
            text: #text,
            line: #line,
            column: #column,
            predicates: &[#(#predicates),*],
            first_combination: #first_combination,
            is_built: true #(&& ::core::cfg!(#conditions))*,
        }
    }
}

/// The type says which regions are about it.
fn covered(krate: &Path, block: &ItemImpl, region: &Ident, also: &[Path]) -> TokenStream {
    let (generics, _, wheres) = block.generics.split_for_impl();
    let self_type = &block.self_ty;
    let count = also.len() + 1;
    quote::quote_spanned! {self_type.span()=>
        impl #generics #krate::__private::a_second_block_must_have_a_name_so_write_cover_static_NAME for #self_type #wheres {
            fn regions() -> &'static [&'static #krate::Region] {
                static REGIONS: [&#krate::Region; #count] = [&#region #(, &#also)*];
                &REGIONS
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::parse_quote;
    use crate::syntax::quote;

    #[test]
    fn the_invariant_has_a_block_of_its_own() {
        let block = quote!(
            #[smallscope::rep_ok]
            impl Stack {
                fn rep_ok(&self) -> bool {
                    true
                }
            }
        );
        let expanded =
            super::attribute(quote!(), block.clone(), parse_quote!(::smallscope::cover)).to_string();
        assert!(expanded.contains("put the covered functions into an impl block of their own"), "{expanded}");
        assert!(expanded.ends_with(&block.to_string()), "{expanded}");
        let mutated = quote!(
            #[smallscope::mutate]
            impl Stack {}
        );
        let expanded = super::attribute(quote!(), mutated, parse_quote!(::smallscope::cover)).to_string();
        assert!(expanded.contains("put `#[mutate]` above `#[cover]`"), "{expanded}");
    }
}
