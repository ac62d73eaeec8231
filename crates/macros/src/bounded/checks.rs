//! Quoting what finds and runs the invariants of a type's fields. Whether a field has an invariant is for the compiler to
//! say: see `InvariantProbe`. Types whose fields have none get no code that runs.

use super::fields::place_of;
use super::model::{Field, Model, Variant};
use super::types::{self, Checked, Params};
use crate::syntax::{quote, quote_spanned};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::ToTokens;

/// Code for the beginning of functions of the mirror.
#[derive(Default)]
pub(super) struct Hooks {
    /// For the block around them.
    pub(super) imports: TokenStream,
    pub(super) link: TokenStream,
    pub(super) walk: TokenStream,
    pub(super) absorb: TokenStream,
}

/// A field or component that may have an invariant.
struct Numbered<'m> {
    /// Its number within the type.
    number: u32,
    variant: &'m Variant,
    field: &'m Field,
    checked: &'m Checked,
}

/// The fields and components that may have an invariant.
fn numbered(m: &Model) -> Vec<Numbered<'_>> {
    let mut all = vec![];
    for variant in m.variants() {
        for field in &variant.fields {
            for checked in &field.checked {
                all.push(Numbered { number: all.len() as u32, variant, field, checked });
            }
        }
    }
    all
}

/// Asks about the values at a place, or in a component of it.
fn probe(m: &Model, f: &Field, checked: &Checked, place: &TokenStream) -> TokenStream {
    let (at, s) = place_of(f, &m.support);
    let mut components = TokenStream::new();
    for i in &checked.components {
        let i = Literal::u32_unsuffixed(*i);
        quote_spanned!(at=> .#i).to_tokens(&mut components);
    }
    quote_spanned!(at=> #s::InvariantProbe(&(#place)#components))
}

/// Asks a question about the values at a place, or in a component of it.
fn ask(m: &Model, f: &Field, checked: &Checked, place: &TokenStream, question: Question) -> TokenStream {
    let (at, probe) = (place_of(f, &m.support).0, probe(m, f, checked, place));
    match question {
        Question::HasInvariant => quote_spanned!(at=> #probe.invariant().is_some()),
        Question::Holds => quote_spanned!(at=> #probe.holds()),
    }
}

/// Quotes an expression that does something with the probe of a field.
type Arm<'a> = &'a dyn Fn(&Numbered<'_>, &Place<'_>, Question) -> TokenStream;

fn hooks(m: &Model, arm: Arm<'_>) -> Hooks {
    let s = &m.support;
    let mut params = Params::default();
    for p in m.generics.type_params() {
        params.insert(p.ident.to_string());
    }
    let fields = m.fields();
    let Some(first) = fields.iter().find(|f| types::mentions_structure(&f.ty, &params)) else {
        return Hooks::default();
    };
    // If the type of the field is not known, this has the span of the first error about that.
    let at = place_of(first, s).0;
    let this = Ident::new("self", at);
    let link = quote_spanned!(at=> let at = b.graph.structure(at, #this););
    let numbered = numbered(m);
    if numbered.is_empty() {
        return Hooks { link, ..Hooks::default() };
    }
    let run = |place: &Place<'_>, visitor: &Ident| {
        let (mut has, mut arms) = (vec![], TokenStream::new());
        for n in &numbered {
            has.push(arm(n, place, Question::HasInvariant));
            let (i, holds) = (n.number, arm(n, place, Question::Holds));
            quote!(#i => #holds,).to_tokens(&mut arms);
        }
        // The compiler knows whether there is an invariant, so types without one get no code here.
        quote_spanned! {at=>
            if #visitor.is_checking() && (#(#has)||*) {
                #visitor.structure(#this, |i| match i { #arms _ => true });
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
    hooks(m, &|Numbered { field, checked, .. }, Place { value, .. }, question| {
        let member = &field.member;
        let (at, _) = place_of(field, &m.support);
        let value = Ident::new(value, at);
        ask(m, field, checked, &quote_spanned!(at=> #value.#member), question)
    })
}

/// The hooks of an enum.
pub(super) fn enumeration(m: &Model) -> Hooks {
    hooks(m, &|Numbered { variant, field, checked, .. }, Place { of, value }, question| {
        let (variant, member) = (&variant.name, &field.member);
        let value = Ident::new(value, place_of(field, &m.support).0);
        let asked = ask(m, field, checked, &quote!(*field), question);
        let otherwise = matches!(question, Question::Holds);
        quote!(match #value { #of::#variant { #member: field, .. } => #asked, _ => #otherwise })
    })
}

/// Notes which values of a field have an invariant, when it is linked.
pub(super) fn note(m: &Model, f: &Field, place: &TokenStream) -> TokenStream {
    let s = &m.support;
    let mut notes = TokenStream::new();
    for Numbered { number, field, checked, .. } in numbered(m) {
        if !std::ptr::eq(field, f) {
            continue;
        }
        let components = &checked.components;
        let at = place_of(f, s).0;
        let probe = probe(m, f, checked, &quote_spanned!(at=> *(#place)));
        // An invariant that relies on this one may run before it and panic, so panics have to unwind in this crate.
        let silence = quote!(::core::cfg!(panic = "unwind").then_some(#s::ignore_panics_out_of_turn as fn()));
        let note = quote_spanned!(at=> b.graph.check(at, #number, &[#(#components),*], #probe.invariant(), #silence););
        note.to_tokens(&mut notes);
    }
    notes
}
