//! Puts the copy of an impl block or of a function together.

use super::args::Args;
use super::conjuncts::Conjuncts;
use super::constants::Constants;
use super::decisions::Decisions;
use super::forbidden::Checker;
use super::free_functions::FreeFunctions;
use super::held;
use super::late_vecs::LateVecs;
use super::mentions::{self, Mentions};
use super::outside::Calls;
use super::promises::{Promises, functions::Functions};
use super::rewrite::Rewriter;
use super::scope::{Scope, Subject};
#[cfg(feature = "summaries")]
use super::summaries;
use super::types::{BorrowedSequences, MapTypes, Qualified, SliceArguments};
use super::{Kind, attrs, map_types, names, owned, select, statements, std_macros};
use crate::bounded::values::COMPARISONS;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{Names, is_one_of, parse_quote, quote, quote_spanned, retain_attributes};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident};
use syn::spanned::Spanned;
use syn::{Error, FnArg, ImplItem, Item, ItemFn, ItemImpl, Pat, Path, Result, Stmt, Type};

/// The copy, ready to be quoted.
struct Prepared {
    item: Item,
    scope: Scope,
    decisions: Decisions,
    conjuncts: Option<Conjuncts>,
    /// Namesakes of methods that the copy may lack.
    outside: TokenStream,
}

/// Steps 3 to 8.
fn prepare(
    kind: Kind,
    args: &Args,
    mut item: Item,
    helper: bool,
    invariant: Option<&Ident>,
) -> Result<Prepared> {
    let written = match (&mut item, invariant) {
        (Item::Impl(block), Some(name)) if args.statements => statements::divide(block, name)?,
        _ => vec![],
    };
    std_macros::OpenMacros { krate: &args.krate }.visit_item_mut(&mut item);
    let mentions = Mentions::of(&item, args);
    let (own, generic) = match &item {
        Item::Impl(b) => (own_type(b), b.generics.type_params().next().is_some()),
        Item::Fn(f) => (None, f.sig.generics.type_params().next().is_some()),
        _ => (None, false),
    };
    let mut scope = Scope::new(&Subject { args, mentions: &mentions, own: own.clone(), generic });
    let type_name = own.clone();

    let plain = scope.plain.clone();
    let makes_own = own.is_some() && !generic && !helper;
    let mut checker = Checker { own, helper, makes_own, ..Checker::new(kind, args, plain) };
    for mention in mentions.types.values() {
        let name = mention.ident.to_string();
        if scope.finds(&name) {
            checker.found.insert(name.clone());
        }
        if !generic
            && !mention.needs_item
            && !mention.parameters.is_empty()
            && scope.structures.contains(&name)
        {
            checker.structures.insert(name.clone());
        }
        if mention.as_type {
            checker.types.insert(name);
        }
    }
    checker.visit_item_mut(&mut item.clone());
    let mut errors = checker.errors;
    if checker.literal.as_slice().is_empty() {
        errors.append(&mut checker.boxes);
    }
    for (name, message) in checker.made {
        scope.note_made(&name, message);
    }
    scope.made = checker.literal;
    match &type_name {
        Some(own) if scope.made.contains("Self") || scope.made.contains(own) => {
            scope.made.insert_all(&["Self".to_owned(), own.clone()]);
        }
        _ => {}
    }
    errors.extend(bare_variant(kind, args, &mentions));

    Qualified { args, mentioned: &mentions.types, weak_of_arc: scope.weak_of_arc }.visit_item_mut(&mut item);
    let calls = Calls::of(&item);
    let mut sequences = BorrowedSequences {
        scope: &mut scope,
        arguments: SliceArguments::default(),
        passed: if kind == Kind::Mirror { None } else { Some(&calls.passed) },
    };
    match &mut item {
        // Its own signature stands outside of the scope of the copy.
        Item::Fn(f) => {
            sequences.signature(&mut f.sig.clone(), &f.block);
            map_types::take_cells(&mut f.sig, &args.krate);
            sequences.visit_block_mut(&mut f.block);
        }
        other => sequences.visit_item_mut(other),
    }
    let arguments = sequences.arguments;
    let late_vecs = LateVecs::of(&item, args);
    let mut outside = calls.outside(kind, &scope, type_name.as_ref());
    let functions = Functions::of(&item, args);
    let conjuncts = invariant.and_then(|name| Conjuncts::of(&item, name, &written));
    let constants = match &item {
        Item::Impl(block) => Constants::of(kind, block),
        _ => None,
    };
    let mut decisions = Decisions::default();
    decisions.visit_item_mut(&mut item);
    Promises::new(functions, conjuncts.as_ref().map(Conjuncts::invariant).cloned()).visit_item_mut(&mut item);
    if let Some(conjuncts) = &conjuncts {
        conjuncts.put_into(&mut item);
    }
    if let Some(mut constants) = constants {
        constants.visit_item_mut(&mut item);
    }
    let marked = match &item {
        Item::Fn(f) => Some(&f.sig.ident),
        _ => None,
    };
    let functions = FreeFunctions::new(&calls.own, args, marked);
    held::mark(&mut item);
    let mut rewriter = Rewriter::new(&scope, &arguments, &late_vecs, functions);
    rewriter.visit_item_mut(&mut item);
    errors.append(&mut rewriter.errors);
    outside.extend(rewriter.free_functions.refusals(kind));
    owned::own_parameters(&mut item);
    #[cfg(feature = "summaries")]
    if kind != Kind::EqClass {
        summaries::put_into(&mut item, invariant);
    }
    match combined(errors) {
        Some(e) => Err(e),
        None => Ok(Prepared { item, scope, decisions, conjuncts, outside }),
    }
}

/// All errors as one. One mistake may be found in several places.
fn combined(errors: Vec<Error>) -> Option<Error> {
    let mut texts = Names::default();
    let mut all: Option<Error> = None;
    for error in errors {
        if !texts.insert(error.to_string()) {
            continue;
        }
        match &mut all {
            Some(all) => all.combine(error),
            None => all = Some(error),
        }
    }
    all
}

/// The user's type that a block is about. `impl Length for Rc<Node>` is about std's pointer.
fn own_type(block: &ItemImpl) -> Option<String> {
    let name = mentions::self_name(block)?;
    if block.trait_.is_some() && names::is_pointer(&name) { None } else { Some(name) }
}

/// `Lit(n)` in a pattern, where nothing in the item says what `Lit` is: most likely a variant that the module
/// imports, and the module imports those of the real type. The remedy for one of them is that for all variants of the enum.
fn bare_variant(kind: Kind, args: &Args, mentions: &Mentions) -> Option<Error> {
    if mentions.imports_variants || !args.variants.is_empty() {
        return None;
    }
    let is_unknown = |i: &&Ident| {
        let name = i.to_string();
        !(names::is_std(&name)
            || mentions.local.contains(&name)
            || args.opaque.contains(&name)
            || args.lists(&name))
    };
    let i = mentions.bare_variants.iter().find(is_unknown)?;
    let attribute = kind.attribute();
    Some(Error::new(
        i.span(),
        format!(
            "`{i}` without its type: if it is a variant of a structure, write `Enum::{i}` or \
                `#[{attribute}(variants(Enum))]`; if it is a tuple struct that derives `Bounded`, \
                `#[{attribute}({i})]`; if it is neither, `#[{attribute}(opaque({i}))]`"
        ),
    ))
}

/// A function keeps `const` only if it uses no structures.
fn drop_const(block: &mut ItemImpl) {
    for item in &mut block.items {
        match item {
            ImplItem::Fn(f) if !select::stays_const(&f.sig) => f.sig.constness = None,
            _ => {}
        }
    }
}

/// An impl block.
pub(super) fn block(kind: Kind, args: &Args, block: &ItemImpl) -> Result<TokenStream> {
    let helper = select::is_helper(block, args);
    let (invariant, mut copy) = match kind {
        Kind::RepOk | Kind::EqClass => match select::block_of(kind, block, args) {
            Ok((name, copy)) => (Some(name), copy),
            Err(e) => return Ok(stub(kind, &args.krate, block, e)),
        },
        Kind::Mirror => (None, select::mirror_block(block, args, helper)),
    };
    let mut args = args.clone();
    if let (Kind::EqClass, Some(name)) = (kind, &invariant) {
        args.opaque.insert_all(&select::returned_types(block, name));
    }
    let args = &args;
    drop_const(&mut copy);
    let is_invariant = kind == Kind::RepOk;
    let with_conjuncts = if is_invariant { invariant.as_ref() } else { None };
    let prepared = prepare(kind, args, Item::Impl(copy), helper, with_conjuncts);
    let Prepared { mut item, scope, decisions, conjuncts, outside } = match prepared {
        Ok(prepared) => prepared,
        Err(e) => return Ok(stub(kind, &args.krate, block, e)),
    };
    match &mut item {
        Item::Impl(copy) if !helper => own_comparison(copy),
        _ => {}
    }
    let (conditions, allow, krate) = (attrs::conditions(&block.attrs), attrs::allow(), &args.krate);
    let (outer, inner, table) = (scope.outer(krate), scope.inner(), decisions.table());
    let conjuncts = conjuncts.as_ref().map(Conjuncts::table);
    let (on_real, on_mirror) = match (&item, &invariant) {
        (Item::Impl(copy), Some(name)) if is_invariant => {
            let tables = tables_of(conjuncts.is_some());
            (Some(rep_ok_impl(block, name)), Some(rep_ok_copy(copy, name, &tables)))
        }
        (Item::Impl(copy), Some(name)) => (Some(eq_class_impl(block, name)), Some(eq_class_copy(copy, name))),
        _ => (None, None),
    };
    let item = scope.renamed(item.into_token_stream());
    let content = quote! {
        #outer
        #on_real
        const _: () = {
            #inner
            #outside
            #table
            #conjuncts
            #item
            #on_mirror
        };
    };
    let content = scope.around(krate, content, false);
    Ok(quote! {
        #(#conditions)* #[doc(hidden)] #allow
        const _: () = { #content };
    })
}

/// A derived mirror is compared by way of traits of ours, since it implements those of std: see `smallscope_core::mirror::made`.
fn own_comparison(copy: &mut ItemImpl) {
    let Some((_, path, _)) = &mut copy.trait_ else { return };
    let (Some(last), true) = (path.segments.last(), copy.generics.params.is_empty()) else { return };
    if is_one_of(&last.ident, &COMPARISONS) && matches!(&*copy.self_ty, Type::Path(_)) {
        let own = format_ident!("Own{}", last.ident);
        *path = parse_quote!(__p::made::#own);
    }
}

/// What the copy of an invariant says besides its answer.
fn tables_of(has_conjuncts: bool) -> TokenStream {
    let conjuncts = has_conjuncts.then(|| {
        quote! {
            fn conjuncts() -> &'static [__p::ConjunctSite] {
                __p::ignore_panics_out_of_turn();
                __CONJUNCTS
            }
        }
    });
    quote! {
        fn decisions() -> &'static [__p::DecisionSite] {
            __DECISIONS
        }
        #conjuncts
    }
}

/// The mirror of the user's type. In the outer block of a copy it has a name of its own if the type was named without a
/// path.
fn mirror_of(block: &ItemImpl, in_copy: bool) -> Option<Type> {
    let Type::Path(ty) = &*block.self_ty else { return None };
    let mut mirror = ty.clone();
    let is_alone = mirror.path.segments.len() == 1;
    let last = mirror.path.segments.last_mut()?;
    last.ident = match in_copy && is_alone {
        true => Ident::new("__OwnMirror", last.ident.span()),
        false => names::structure_import(&last.ident),
    };
    Some(Type::Path(mirror))
}

/// The invariant of the user's type. A second one conflicts with it; its copy has another `__Code`, and conflicts with
/// nothing.
fn rep_ok_impl(block: &ItemImpl, invariant: &Ident) -> TokenStream {
    let mut parameters = block.generics.clone();
    owned::own(&mut parameters);
    let (generics, _, conditions) = parameters.split_for_impl();
    let (on, ty) = (&block.impl_token, &block.self_ty);
    let mirror = mirror_of(block, true);
    let name = match mentions::self_name(block) {
        Some(of) => format!("{of}::{invariant}"),
        None => invariant.to_string(),
    };
    quote! {
        #[allow(unreachable_pub)]
        pub struct __Code;
        #[automatically_derived] #[allow(unconditional_recursion)]
        #on #generics __p::OneInvariant for #ty #conditions {
            const INVARIANT: ::core::option::Option<&'static str> = ::core::option::Option::Some(#name);
            type Mirror = #mirror;
            type Copy = __Code;
            fn holds(&self) -> bool { <#ty>::#invariant(self) }
        }
    }
}

/// The invariant of the mirror.
fn rep_ok_copy(copy: &ItemImpl, invariant: &Ident, tables: &TokenStream) -> TokenStream {
    let (generics, _, conditions) = copy.generics.split_for_impl();
    let ty = &copy.self_ty;
    quote! {
        #[automatically_derived] #[allow(unconditional_recursion)]
        impl #generics __p::OnMirror<#ty> for __Code #conditions {
            fn holds(value: &#ty) -> bool { <#ty>::#invariant(value) }
            #tables
            fn classifier() -> ::core::option::Option<__p::Classifier<#ty>> {
                use __p::NoClasses as _;
                __p::ClassProbe::<#ty>::new().classifier()
            }
        }
    }
}

/// The class function of the user's type. A second one conflicts with it; its copy has another `__Code`, and conflicts with
/// nothing.
fn eq_class_impl(block: &ItemImpl, name: &Ident) -> TokenStream {
    let mut parameters = block.generics.clone();
    owned::own(&mut parameters);
    let (generics, _, conditions) = parameters.split_for_impl();
    let (on, ty, of) = (&block.impl_token, &block.self_ty, class_value(block, name));
    let mirror = mirror_of(block, true);
    quote! {
        #[allow(unreachable_pub)]
        pub struct __Code;
        #[automatically_derived] #[allow(unconditional_recursion)]
        #on #generics __p::a_type_must_have_one_class_function_so_return_both_in_a_tuple for #ty #conditions {
            type Mirror = #mirror;
            type Copy = __Code;
            fn class_of(&self, to: &mut dyn ::core::ops::FnMut(__p::ClassValue<'_>)) {
                let class = <#ty>::#name(self);
                to(#of)
            }
        }
    }
}

/// The class function of the mirror.
fn eq_class_copy(copy: &ItemImpl, name: &Ident) -> TokenStream {
    let (generics, _, conditions) = copy.generics.split_for_impl();
    let (ty, of) = (&copy.self_ty, class_value(copy, name));
    quote! {
        #[automatically_derived] #[allow(unconditional_recursion)]
        impl #generics __p::ClassOnMirror<#ty> for __Code #conditions {
            fn class_of(value: &#ty, to: &mut dyn ::core::ops::FnMut(__p::ClassValue<'_>)) {
                let class = <#ty>::#name(value);
                to(#of)
            }
        }
    }
}

/// What a class function has returned. If its type cannot be a class, the error is about that.
fn class_value(block: &ItemImpl, name: &Ident) -> TokenStream {
    let at = match select::function(block, name) {
        Some(f) => f.sig.output.span(),
        None => Span::call_site(),
    };
    quote_spanned!(at=> __p::ClassValue::of(&class))
}

/// Takes the place of a copy that could not be made: our error, and an impl that keeps the compiler from adding that the
/// type has no invariant.
pub(super) fn stub(kind: Kind, krate: &Path, block: &ItemImpl, error: Error) -> TokenStream {
    let error = error.to_compile_error();
    if kind != Kind::RepOk {
        return error;
    }
    let Some(mirror) = mirror_of(block, false) else { return error };
    let (ty, (generics, _, conditions)) = (&block.self_ty, block.generics.split_for_impl());
    let cfgs = attrs::conditions(&block.attrs);
    quote! {
        #error
        #(#cfgs)* #[doc(hidden)]
        const _: () = {
            impl #generics #krate::__private::OneInvariant for #ty #conditions {
                const INVARIANT: ::core::option::Option<&'static str> = ::core::option::Option::None;
                type Mirror = #mirror;
                type Copy = #krate::__private::Refused;
                fn holds(&self) -> bool { false }
            }
        };
    }
}

/// A free function: `height` gets a second version, `height_mirror`. Its signature stands outside of any
/// scope of ours, so types are rewritten there; the body has the scope of a copy.
pub(super) fn function(args: &Args, f: &ItemFn) -> Result<TokenStream> {
    if let Some(receiver) = f.sig.receiver() {
        return Err(Error::new_spanned(
            receiver,
            "`#[mirror]` cannot stand on one method: write `#[mirror]` above its impl block",
        ));
    }
    let mut copy = f.clone();
    attrs::Strip.visit_item_fn_mut(&mut copy);
    copy.sig.constness = None;
    let Prepared { item, scope, decisions, outside, .. } =
        prepare(Kind::Mirror, args, Item::Fn(copy), false, None)?;
    let Item::Fn(mut copy) = item else {
        return Err(Error::new(Span::call_site(), "internal error: not a function"));
    };

    let real_name = copy.sig.ident.clone();
    copy.sig.ident = names::mirror_fn(&real_name);
    let unpacked = unpack_arguments(&mut copy);
    let local = &scope.plain;
    let mut map = MapTypes { args, local, weak_of_arc: scope.weak_of_arc, by_name: false };
    visit_mut::visit_signature_mut(&mut map, &mut copy.sig);
    let slices = map_types::take_any(&mut copy.sig, &args.krate);

    let (conditions, allow) = (attrs::conditions(&f.attrs), attrs::allow());
    retain_attributes(&mut copy.attrs, &|a| !a.path().is_ident("cfg"));
    let attrs = &copy.attrs;
    let (vis, sig, name, stmts) = (&copy.vis, &copy.sig, &copy.sig.ident, &copy.block.stmts);
    let (outer, inner, table) = (scope.outer(&args.krate), scope.inner(), decisions.table());
    let code = scope.renamed(quote!(#(#unpacked)* #(#stmts)*));
    let content = quote! {
        #outer
        {
            #inner
            #outside
            use #name as #real_name;
            #table
            #slices
            #code
        }
    };
    let content = scope.around(&args.krate, content, true);
    Ok(quote! {
        #(#conditions)* #(#attrs)* #[doc(hidden)] #allow
        #vis #sig { #content }
    })
}

/// Patterns in the arguments name types, so they belong into the body.
fn unpack_arguments(f: &mut ItemFn) -> Vec<Stmt> {
    let mut lets = vec![];
    for (i, input) in f.sig.inputs.iter_mut().enumerate() {
        let FnArg::Typed(t) = input else { continue };
        if !matches!(&*t.pat, Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none()) {
            let name = format_ident!("__argument{i}", span = t.pat.span());
            let pat = std::mem::replace(&mut *t.pat, parse_quote!(#name));
            lets.push(parse_quote!(let #pat = #name;));
        }
    }
    lets
}
