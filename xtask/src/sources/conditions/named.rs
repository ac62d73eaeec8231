//! Conditions about the types of the program: their fields, their variants, and functions that check them.

use super::{Call, Conditions, Place};
use crate::sources::types::{Field, Shape, Type, Variant};

pub(super) fn named(c: &mut Conditions<'_>, place: &Place, number: usize, depth: usize) -> String {
    let next = depth.saturating_sub(1);
    match &c.model.types[number].shape {
        Shape::Plain(_) => super::data::plain_enum(c, place, number),
        Shape::Struct(_) | Shape::TupleStruct(_) => {
            if c.random.chance(if depth == 0 { 15 } else { 45 })
                && let Some(call) = helper(c, place, number)
            {
                return call;
            }
            fields(c, place, number, next)
        }
        Shape::Enum(variants) => {
            if c.random.chance(40)
                && let Some(call) = helper(c, place, number)
            {
                return call;
            }
            let variants = variants.clone();
            if depth == 0 {
                c.note("matches!");
                let variant = c.random.pick(&variants).clone();
                let path = path_of(c, number, &variant);
                let rest = match (variant.fields.is_empty(), variant.is_named) {
                    (true, _) => "",
                    (false, true) => " { .. }",
                    (false, false) => "(..)",
                };
                return format!("matches!({}, {path}{}{rest})", place.borrowed(), variant.name);
            }
            about_variants(c, place, number, &variants, depth)
        }
    }
}

/// A condition about the fields of a struct.
fn fields(c: &mut Conditions<'_>, place: &Place, number: usize, depth: usize) -> String {
    let definition = &c.model.types[number];
    let fields = definition.fields().to_vec();
    if definition.is_comparable
        && let Some(other) = c.other(place, &Type::Named(number))
    {
        c.note("structures compared");
        return format!("{} == {}", place.get(), other.get());
    }
    let places: Vec<(Place, Type)> = fields.iter().map(|f| (place.field(&f.name), f.ty.clone())).collect();
    let is_named = matches!(definition.shape, Shape::Struct(_));
    let field = field_to_mention(c, &fields, depth);
    if is_named && c.random.chance(35) {
        c.note("destructured struct");
        let names: Vec<String> = fields.iter().map(|_| c.name("part")).collect();
        let bound: Vec<String> =
            fields.iter().zip(&names).map(|(field, name)| format!("{}: {name}", field.name)).collect();
        let places = names.iter().zip(&fields).map(|(n, f)| (Place::reference(n), f.ty.clone())).collect();
        let condition =
            c.with(places, |c| c.about(&Place::reference(&names[field]), &fields[field].ty, depth));
        let name = definition.name;
        return format!("{{ let {name} {{ {} }} = {}; {condition} }}", bound.join(", "), place.borrowed());
    }
    let (target, ty) = places[field].clone();
    c.with(places, |c| c.about(&target, &ty, depth))
}

/// At the end of the depth, links are not followed.
fn field_to_mention(c: &mut Conditions<'_>, fields: &[Field], depth: usize) -> usize {
    let data: Vec<usize> = (0..fields.len()).filter(|i| c.model.is_copy(&fields[*i].ty)).collect();
    if depth == 0 && !data.is_empty() { *c.random.pick(&data) } else { c.random.below(fields.len()) }
}

/// What stands before the name of a variant. One with named fields cannot be bare.
fn path_of(c: &Conditions<'_>, number: usize, variant: &Variant) -> String {
    let name = c.model.types[number].name;
    let is_bare = name == "Event" && c.model.has_bare_variants && !variant.is_named;
    if is_bare { String::new() } else { format!("{name}::") }
}

/// The pattern of a variant, with a name for each field.
fn pattern_of(c: &mut Conditions<'_>, number: usize, variant: &Variant) -> (String, Vec<(Place, Type)>) {
    let path = path_of(c, number, variant);
    let names: Vec<String> = variant.fields.iter().map(|_| c.name("part")).collect();
    let bound: Vec<String> = variant
        .fields
        .iter()
        .zip(&names)
        .map(|(f, n)| if variant.is_named { format!("{}: {n}", f.name) } else { n.clone() })
        .collect();
    let pattern = match (variant.fields.is_empty(), variant.is_named) {
        (true, _) => format!("{path}{}", variant.name),
        (false, true) => format!("{path}{} {{ {} }}", variant.name, bound.join(", ")),
        (false, false) => format!("{path}{}({})", variant.name, bound.join(", ")),
    };
    let places = names.iter().zip(&variant.fields).map(|(n, f)| (Place::reference(n), f.ty.clone()));
    (pattern, places.collect())
}

/// A condition about what a pattern has bound.
fn about_one_of(c: &mut Conditions<'_>, places: Vec<(Place, Type)>, depth: usize) -> String {
    // At the end of the depth, links are not followed.
    let is_near = |(_, ty): &&(Place, Type)| depth > 0 || c.model.is_copy(ty);
    let near: Vec<(Place, Type)> = places.iter().filter(is_near).cloned().collect();
    if near.is_empty() {
        return c.literal().into();
    }
    let (place, ty) = c.random.pick(&near).clone();
    c.with(places, |c| c.about(&place, &ty, depth))
}

fn about_variants(
    c: &mut Conditions<'_>,
    place: &Place,
    number: usize,
    variants: &[Variant],
    depth: usize,
) -> String {
    let next = depth.saturating_sub(1);
    let with_fields: Vec<&Variant> = variants.iter().filter(|v| !v.fields.is_empty()).collect();
    let variant = (*c.random.pick(&with_fields)).clone();
    let path = path_of(c, number, &variant);
    let rest = if variant.is_named { " { .. }" } else { "(..)" };
    let borrowed = place.borrowed();
    match c.random.below(8) {
        0 => {
            c.note("matches!");
            format!("matches!({borrowed}, {path}{}{rest})", variant.name)
        }
        1 => {
            c.note("matches!");
            c.note("match guard");
            let (pattern, places) = pattern_of(c, number, &variant);
            let condition = about_one_of(c, places, next);
            format!("!matches!({borrowed}, {pattern} if {{ {condition} }})")
        }
        2 => {
            c.note("if let");
            let (pattern, places) = pattern_of(c, number, &variant);
            let condition = about_one_of(c, places, next);
            let rest = c.any(0);
            format!("if let {pattern} = {borrowed} {{ {condition} }} else {{ {rest} }}")
        }
        3 if c.returns_bool => {
            c.note("let else");
            let (pattern, places) = pattern_of(c, number, &variant);
            let condition = about_one_of(c, places, next);
            let literal = c.literal();
            format!("{{ let {pattern} = {borrowed} else {{ return {literal} }}; {condition} }}")
        }
        4 | 5 if matches!(&variant.fields[0].ty, Type::Int(_)) => {
            c.note("nested pattern");
            c.note("binding with @");
            let n = c.name("n");
            let inner = format!("{n} @ 0..=1");
            let pattern = if variant.is_named {
                format!("{path}{} {{ {}: {inner}, .. }}", variant.name, variant.fields[0].name)
            } else if variant.fields.len() > 1 {
                format!("{path}{}({inner}, ..)", variant.name)
            } else {
                format!("{path}{}({inner})", variant.name)
            };
            let ty = variant.fields[0].ty.clone();
            let condition = about_one_of(c, vec![(Place::reference(&n), ty)], next);
            format!("match {borrowed} {{ {pattern} => {condition}, _ => {} }}", c.literal())
        }
        _ => {
            c.note("match on an enum");
            let mut arms = String::new();
            for variant in variants {
                let (pattern, places) = pattern_of(c, number, variant);
                let condition = about_one_of(c, places.clone(), next);
                if !places.is_empty() && c.random.chance(20) {
                    c.note("match guard");
                    let (again, places) = pattern_of(c, number, variant);
                    let guard = about_one_of(c, places, 0);
                    arms.push_str(&format!("{again} if {{ {guard} }} => {}, ", c.literal()));
                }
                arms.push_str(&format!("{pattern} => {{ {condition} }} "));
            }
            format!("match {borrowed} {{ {arms}}}")
        }
    }
}

/// Calls the function that checks a type, which is written if there is none.
fn helper(c: &mut Conditions<'_>, place: &Place, number: usize) -> Option<String> {
    if !c.has_helpers {
        return None;
    }
    let known = c.helpers.known.get(&number).cloned();
    let call = known.unwrap_or_else(|| write_helper(c, number));
    let fuel = match c.fuel {
        _ if !c.model.has_cycles => "",
        Some(fuel) => &format!(", {fuel} - 1"),
        None => ", 3",
    };
    let argument = place.borrowed();
    match call {
        Call::Associated(name) if c.in_block => Some(format!("Self::{name}({argument}{fuel})")),
        Call::Associated(_) => None,
        Call::Method(name) => Some(format!("{}.{name}({})", place.receiver(), fuel.trim_start_matches(", "))),
        Call::Free(name) => Some(format!("{name}({argument}{fuel})")),
    }
}

fn write_helper(c: &mut Conditions<'_>, number: usize) -> Call {
    let definition = &c.model.types[number];
    let name = c.name("check");
    // Functions of the block are visible in the block only.
    let is_by_trait = number != 0 && !c.helpers.of_traits.contains_key(&number) && c.random.chance(15);
    let call = match c.random.below(3) {
        _ if is_by_trait => Call::Method("is_checked".into()),
        0 if c.in_block && number != 0 => Call::Associated(name.clone()),
        1 if number != 0 => Call::Method(name.clone()),
        _ => Call::Free(name.clone()),
    };
    c.helpers.known.insert(number, call.clone());
    let self_name = if matches!(call, Call::Method(_)) { "self" } else { "part" };
    let fuel = if c.model.has_cycles { ", fuel: usize" } else { "" };
    let fields = definition.fields().to_vec();
    let shape = definition.shape.clone();
    let here = Place::reference(self_name);
    let places = fields.iter().map(|f| (here.field(&f.name), f.ty.clone())).collect();
    let before = (
        std::mem::replace(&mut c.places, places),
        std::mem::replace(&mut c.returns_bool, true),
        std::mem::replace(&mut c.in_block, matches!(call, Call::Associated(_))),
        std::mem::replace(&mut c.fuel, c.model.has_cycles.then_some("fuel")),
    );
    let condition = match shape {
        Shape::Enum(variants) => about_variants(c, &here, number, &variants, 2),
        _ => {
            let count = 1 + c.random.below(2);
            let all: Vec<String> = (0..count).map(|_| format!("({})", c.any(2))).collect();
            all.join(" && ")
        }
    };
    (c.places, c.returns_bool, c.in_block, c.fuel) = before;
    let guard = if c.model.has_cycles { "if fuel == 0 { return true; }\n        " } else { "" };
    let ty = c.model.name(number);
    let body = format!("{{\n        {guard}{condition}\n    }}\n");
    let generics = if c.model.is_generic(number) { "<K: Ord>" } else { "" };
    match &call {
        Call::Associated(_) => {
            c.note("function of the block");
            c.helpers.block.push(format!("    fn {name}(part: &{ty}{fuel}) -> bool {body}"));
        }
        Call::Method(_) if is_by_trait => {
            c.note("mirrored impl of a trait");
            if c.helpers.of_traits.is_empty() {
                let method = format!("fn is_checked(&self{fuel}) -> bool;");
                c.helpers.unmarked.push(format!("trait Checks {{\n    {method}\n}}\n"));
            }
            let method = format!("    fn is_checked(&self{fuel}) -> bool {body}");
            c.helpers.of_traits.insert(number, method);
        }
        Call::Method(_) => {
            c.note("mirrored impl");
            let method = format!("    fn {name}(&self{fuel}) -> bool {body}");
            c.helpers.methods.entry(number).or_default().push(method);
        }
        Call::Free(_) => {
            c.note("mirrored function");
            c.helpers.listed.push(format!("fn {name}"));
            c.helpers.items.push(format!("fn {name}{generics}(part: &{ty}{fuel}) -> bool {body}"));
        }
    }
    call
}
