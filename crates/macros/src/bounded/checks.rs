//! Quoting what finds and runs the invariants of a type's fields. Whether a field has an invariant is for the compiler to
//! say: see `InvariantProbe`. Types whose fields have none get no code that runs.

use super::expand::place_of;
use super::model::{Field, Model, Variant};
use super::types::{self, Checked, Params};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{quote, quote_spanned};

/// Code for the beginning of functions of the mirror.
#[derive(Default)]
pub(super) struct Hooks {
    /// For the block around them.
    pub(super) imports: TokenStream,
    pub(super) link: TokenStream,
    pub(super) walk: TokenStream,
    pub(super) absorb: TokenStream,
}

/// The fields and components that may have an invariant, each with its number within the type.
fn numbered(m: &Model) -> impl Iterator<Item = (u32, &Variant, &Field, &Checked)> {
    let checked = m.variants().iter().flat_map(|v| v.fields.iter().map(move |f| (v, f)));
    let checked = checked.flat_map(|(v, f)| f.checked.iter().map(move |c| (v, f, c)));
    (0u32..).zip(checked).map(|(i, (v, f, c))| (i, v, f, c))
}

/// Asks about the values at a place, or in a component of it.
fn probe(m: &Model, f: &Field, checked: &Checked, place: &TokenStream) -> TokenStream {
    let (at, s) = place_of(f, &m.support);
    let components = checked.components.iter().map(|i| Literal::usize_unsuffixed(*i));
    quote_spanned!(at=> #s::InvariantProbe(&(#place)#(.#components)*))
}

/// Asks a question about the values at a place, or in a component of it.
fn ask(m: &Model, f: &Field, checked: &Checked, place: &TokenStream, question: Question) -> TokenStream {
    let (at, probe) = (place_of(f, &m.support).0, probe(m, f, checked, place));
    match question {
        Question::HasInvariant => quote_spanned!(at=> #probe.invariant().is_some()),
        Question::Holds => quote_spanned!(at=> #probe.holds()),
    }
}

/// The hooks; `arm` quotes an expression that does something with the probe of a field.
fn hooks(m: &Model, arm: impl Fn(&Variant, &Field, &Checked, &Place, Question) -> TokenStream) -> Hooks {
    let s = &m.support;
    let params: Params = m.generics.type_params().map(|p| p.ident.to_string()).collect();
    let has_structures = |f: &&Field| types::mentions_structure(&f.ty, &params);
    let Some(first) = m.variants().iter().flat_map(|v| &v.fields).find(has_structures) else {
        return Hooks::default();
    };
    // If the type of the field is not known, this has the span of the first error about that.
    let at = place_of(first, s).0;
    let this = Ident::new("self", at);
    let link = quote_spanned!(at=> let at = b.graph.structure(at, #this););
    if numbered(m).next().is_none() {
        return Hooks { link, ..Hooks::default() };
    }
    let run = |place: &Place, visitor: &Ident| {
        let has = numbered(m).map(|(_, v, f, c)| arm(v, f, c, place, Question::HasInvariant));
        let arms = numbered(m).map(|(i, v, f, c)| {
            let holds = arm(v, f, c, place, Question::Holds);
            quote!(#i => #holds,)
        });
        // The compiler knows whether there is an invariant, so types without one get no code here.
        quote_spanned! {at=>
            if #visitor.is_checking() && (#(#has)||*) {
                #visitor.structure(#this, |i| match i { #(#arms)* _ => true });
            }
        }
    };
    Hooks {
        imports: quote!(#[allow(unused_imports)] use #s::NoInvariant as _;),
        walk: run(&Place { of: &m.mirror, value: "self" }, &Ident::new("w", at)),
        absorb: run(&Place { of: &m.name, value: "real" }, &Ident::new("a", at)),
        link,
    }
}

/// What is asked about the values of a field.
#[derive(Clone, Copy)]
enum Question {
    HasInvariant,
    Holds,
}

/// A value, on the mirror or real.
struct Place<'a> {
    of: &'a Ident,
    value: &'static str,
}

/// The hooks of a struct.
pub(super) fn structure(m: &Model) -> Hooks {
    hooks(m, |_, f, checked, Place { value, .. }, question| {
        let member = &f.member;
        let (at, _) = place_of(f, &m.support);
        let value = Ident::new(value, at);
        ask(m, f, checked, &quote_spanned!(at=> #value.#member), question)
    })
}

/// The hooks of an enum.
pub(super) fn enumeration(m: &Model) -> Hooks {
    hooks(m, |v, f, checked, Place { of, value }, question| {
        let (variant, member) = (&v.name, &f.member);
        let value = Ident::new(value, place_of(f, &m.support).0);
        let asked = ask(m, f, checked, &quote!(*field), question);
        let otherwise = matches!(question, Question::Holds);
        quote!(match #value { #of::#variant { #member: field, .. } => #asked, _ => #otherwise })
    })
}

/// Notes which values of a field have an invariant, when it is linked.
pub(super) fn note(m: &Model, f: &Field, place: &TokenStream) -> TokenStream {
    let s = &m.support;
    let of_field = numbered(m).filter(|(_, _, field, _)| std::ptr::eq(*field, f));
    let notes = of_field.map(|(i, _, _, checked)| {
        let components = checked.components.iter().map(|i| *i as u32);
        let at = place_of(f, s).0;
        let probe = probe(m, f, checked, &quote_spanned!(at=> *(#place)));
        // An invariant that relies on this one may run before it and panic, so panics have to unwind in this crate.
        let silence = quote!(::core::cfg!(panic = "unwind").then_some(#s::ignore_panics_out_of_turn as fn()));
        quote_spanned!(at=> b.graph.check(at, #i, &[#(#components),*], #probe.invariant(), #silence);)
    });
    quote!(#(#notes)*)
}
