//! The item as the derive sees it, with every rule checked.

use super::attrs::{FieldAttrs, TypeAttrs, parse_nested};
use super::types::{self, Params};
use crate::code::names;
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{located, parameters, parse_quote, quote, raw_pointer};
use proc_macro2::{Ident, TokenStream};
use quote::format_ident;
use syn::spanned::Spanned;
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Error, Fields, Generics, Member, Result, Type, Visibility,
    parenthesized, token,
};

pub(crate) struct Model {
    pub(crate) name: Ident,
    pub(crate) mirror: Ident,
    pub(crate) vis: Visibility,
    pub(crate) generics: Generics,
    pub(crate) attrs: TypeAttrs,
    pub(crate) kind: Kind,
    /// Type parameters that stand for data, as opposed to markers inside `PhantomData`.
    pub(crate) data_params: Vec<Ident>,
    /// Path to smallscope's support module.
    pub(crate) support: TokenStream,
}

pub(crate) enum Kind {
    Struct(Variant),
    /// No variant has a payload: plain data.
    PlainEnum(Vec<Ident>),
    Enum(Vec<Variant>),
}

impl Kind {
    fn variants(&self) -> &[Variant] {
        match self {
            Kind::Struct(v) => std::slice::from_ref(v),
            Kind::Enum(vs) => vs,
            Kind::PlainEnum(_) => &[],
        }
    }

    fn fields(&self) -> Vec<&Field> {
        let mut fields = vec![];
        for variant in self.variants() {
            fields.extend(&variant.fields);
        }
        fields
    }
}

pub(crate) struct Variant {
    /// None for a struct.
    pub(crate) name: Option<Ident>,
    pub(crate) style: Style,
    pub(crate) fields: Vec<Field>,
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Style {
    Named,
    Tuple,
    Unit,
}

pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) name: Option<Ident>,
    /// A local variable for it.
    pub(crate) var: Ident,
    pub(crate) vis: Visibility,
    pub(crate) ty: Type,
    /// The type of its cell in the mirror.
    pub(crate) cell: TokenStream,
    pub(crate) attrs: FieldAttrs,
    pub(crate) source: Source,
    /// Where in it are values that may have an invariant.
    pub(crate) checked: Vec<types::Checked>,
}

/// Where the values of a field come from.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Source {
    /// Its type.
    Domain,
    /// `values = [..]`.
    Listed,
    /// `derived = Self::method`.
    Derived,
}

/// Replaces `Self` in the types of fields, as in `Option<Box<Self>>`: in the mirror it would mean the mirror.
struct NameSelf(Type);

impl VisitMut for NameSelf {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        match ty {
            Type::Path(p) if p.qself.is_none() && p.path.is_ident("Self") => {
                let at = p.span();
                *ty = self.0.clone();
                if let Type::Path(p) = ty {
                    for segment in &mut p.path.segments {
                        segment.ident.set_span(at);
                    }
                }
            }
            other => visit_mut::visit_type_mut(self, other),
        }
    }
}

impl Model {
    pub(crate) fn new(mut input: DeriveInput) -> Result<Model> {
        let (name, (_, generics, _)) = (&input.ident, input.generics.split_for_impl());
        let mut name_self = NameSelf(parse_quote!(#name #generics));
        visit_mut::visit_data_mut(&mut name_self, &mut input.data);
        let attrs = TypeAttrs::parse(&input.attrs)?;
        check_layout(&input.attrs)?;
        if let Some(lifetime) = input.generics.lifetimes().next() {
            return Err(Error::new(
                lifetime.span(),
                "a type that borrows cannot be built: derive `Bounded` for the owned type",
            ));
        }
        let params = parameters(&input.generics);
        let support = match &attrs.krate {
            Some(path) => quote!(#path::__private),
            None => quote!(::smallscope::__private),
        };
        let kind = match &input.data {
            Data::Union(u) => {
                return Err(Error::new(u.union_token.span(), "a `union` is not supported; use an `enum`"));
            }
            Data::Struct(s) => Kind::Struct(Variant::new(None, &s.fields, &params, &support)?),
            Data::Enum(e) if e.variants.is_empty() => {
                return Err(Error::new(
                    input.ident.span(),
                    "an enum without variants has no values: add a variant, such as `Empty`",
                ));
            }
            Data::Enum(e) if !has_payload(e) && input.generics.type_params().next().is_none() => {
                let mut names = vec![];
                for v in &e.variants {
                    names.push(v.ident.clone());
                }
                Kind::PlainEnum(names)
            }
            Data::Enum(e) => {
                let mut variants = vec![];
                for v in &e.variants {
                    variants.push(Variant::new(Some(v.ident.clone()), &v.fields, &params, &support)?);
                }
                Kind::Enum(variants)
            }
        };
        let model = Model {
            mirror: names::mirror_type(&input.ident),
            data_params: data_params(&input.generics, &kind),
            name: input.ident,
            vis: input.vis,
            generics: input.generics,
            attrs,
            kind,
            support,
        };
        model.check_plain_enum()?;
        model.check_raw_pointers()?;
        model.check_maps()?;
        Ok(model)
    }

    pub(crate) fn variants(&self) -> &[Variant] {
        self.kind.variants()
    }

    /// The fields of all variants.
    pub(crate) fn fields(&self) -> Vec<&Field> {
        self.kind.fields()
    }

    /// A plain enum is plain data: it has no objects, and no mirror but itself.
    fn check_plain_enum(&self) -> Result<()> {
        let Kind::PlainEnum(_) = self.kind else { return Ok(()) };
        if let Some(objects) = &self.attrs.objects {
            return Err(Error::new(
                objects.span(),
                "an enum without payload is plain data and has no objects: remove `objects`",
            ));
        }
        match self.attrs.derive {
            Some(span) => Err(Error::new(
                span,
                "an enum without payload is its own mirror: put `#[derive(..)]` on the enum itself",
            )),
            None => Ok(()),
        }
    }

    /// The values of a map are laid out in place, so a map of the type itself has no end.
    fn check_maps(&self) -> Result<()> {
        for field in self.fields() {
            if field.source != Source::Domain {
                continue;
            }
            if let Some(value) = types::map_of_itself(&field.ty, &self.name) {
                return Err(Error::new(
                    value.span(),
                    format!(
                        "`{0}` contains itself through a map, to any depth; put the values of the map into a `Box`, which the bounds \
                         limit: `BTreeMap<K, Box<{0}>>` instead of `BTreeMap<K, {0}>`",
                        self.name
                    ),
                ));
            }
        }
        Ok(())
    }

    /// The user's destructor drops the values that the invariant accepts, and may free what raw pointers point to. A weak
    /// invariant then means a double free, so the author has to vouch for it.
    fn check_raw_pointers(&self) -> Result<()> {
        if self.attrs.raw_pointers {
            return Ok(());
        }
        for field in self.fields() {
            if field.source != Source::Domain {
                continue;
            }
            if let Some(span) = raw_pointer(&field.ty) {
                return Err(Error::new(
                    span,
                    format!(
                        "values with raw pointers are dropped by your own code, which is sound only if the invariant is strong enough; \
                         put `#[bounded(unsafe(raw_pointers))]` on `{}` to vouch for that",
                        self.name
                    ),
                ));
            }
        }
        Ok(())
    }
}

impl Variant {
    fn new(name: Option<Ident>, fields: &Fields, params: &Params, support: &TokenStream) -> Result<Variant> {
        let style = match fields {
            Fields::Named(_) => Style::Named,
            Fields::Unnamed(_) => Style::Tuple,
            Fields::Unit => Style::Unit,
        };
        let mut errors: Option<Error> = None;
        let mut out = vec![];
        for (i, f) in fields.iter().enumerate() {
            match Field::new(i, f, params, support) {
                Ok(field) => out.push(field),
                Err(e) => match &mut errors {
                    Some(all) => all.combine(e),
                    None => errors = Some(e),
                },
            }
        }
        match errors {
            Some(e) => Err(e),
            None => Ok(Variant { name, style, fields: out }),
        }
    }

    /// The name of a variant.
    pub(crate) fn label(&self) -> String {
        self.name.as_ref().map(Ident::to_string).unwrap_or_default()
    }

    /// `a: __field_0, b: __field_1`: for a pattern that binds each field to its variable.
    pub(crate) fn bound(&self) -> TokenStream {
        let (mut members, mut vars) = (vec![], vec![]);
        for f in &self.fields {
            members.push(&f.member);
            vars.push(&f.var);
        }
        quote::quote!(#(#members: #vars),*)
    }
}

impl Field {
    fn new(i: usize, f: &syn::Field, params: &Params, support: &TokenStream) -> Result<Field> {
        let attrs = FieldAttrs::parse(&f.attrs)?;
        let ty = &f.ty;
        let support = &located(support.clone(), ty.span());
        let (source, cell) = if attrs.values.is_some() {
            (Source::Listed, quote!(#support::Listed<#ty>))
        } else if let Some(path) = &attrs.derived {
            let is_method = path.segments.len() == 2 && path.segments[0].ident == "Self";
            if !is_method {
                return Err(Error::new(
                    path.span(),
                    "expected `derived = Self::method`, a method without arguments in the `#[rep_ok]` or a `#[mirror]` impl of this type",
                ));
            }
            (Source::Derived, quote!(#support::Derived<#ty>))
        } else {
            types::check_attrs(ty, &attrs)?;
            (Source::Domain, types::cell(ty, params, support)?)
        };
        let checked = match source {
            Source::Domain => types::checked(ty, params),
            Source::Listed | Source::Derived => vec![],
        };
        let member = match &f.ident {
            Some(id) => Member::Named(id.clone()),
            None => Member::Unnamed(i.into()),
        };
        let var = format_ident!("__field_{i}");
        Ok(Field {
            member,
            name: f.ident.clone(),
            var,
            vis: f.vis.clone(),
            ty: ty.clone(),
            cell,
            attrs,
            source,
            checked,
        })
    }

    pub(crate) fn label(&self) -> String {
        match &self.member {
            Member::Named(id) => id.to_string(),
            Member::Unnamed(i) => i.index.to_string(),
        }
    }
}

/// Whether a variant has fields.
fn has_payload(e: &DataEnum) -> bool {
    for v in &e.variants {
        if !v.fields.is_empty() {
            return true;
        }
    }
    false
}

/// Fields of packed types cannot be borrowed.
fn check_layout(attrs: &[Attribute]) -> Result<()> {
    for attr in attrs {
        if !attr.path().is_ident("repr") {
            continue;
        }
        parse_nested(attr, &mut |meta| {
            if meta.path.is_ident("packed") {
                return Err(meta.error(
                    "the fields of a packed type cannot be borrowed, so it cannot be enumerated; derive `Bounded` for a type that is not packed",
                ));
            }
            if meta.input.peek(token::Paren) {
                let content;
                parenthesized!(content in meta.input);
                content.parse::<TokenStream>()?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn data_params(generics: &Generics, kind: &Kind) -> Vec<Ident> {
    let mut used = vec![];
    for p in generics.type_params() {
        if kind.fields().iter().any(|f| types::mentions_as_data(&f.ty, &p.ident)) {
            used.push(p.ident.clone());
        }
    }
    used
}
