//! Conditions about plain data.

use super::{Conditions, Place};
use crate::sources::types::{Shape, Type};

const OPERATORS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

fn operator(c: &mut Conditions<'_>) -> &'static str {
    OPERATORS[c.random.below(OPERATORS.len())]
}

pub(super) fn small(c: &mut Conditions<'_>, ty: &str) -> String {
    let number = c.random.below(3) as i64 - i64::from(ty.starts_with('i') && c.random.chance(30));
    number.to_string()
}

pub(super) fn integer(c: &mut Conditions<'_>, place: &Place, ty: &str, depth: usize) -> String {
    let value = place.get();
    let name = c.name("n");
    let other = c.other(place, &Type::Int(int_name(ty)));
    let operator = operator(c);
    let number = small(c, ty);
    match (c.random.below(14), other) {
        (0..3, Some(other)) => {
            c.note("comparison of fields");
            format!("{value} {operator} {}", other.get())
        }
        (3, Some(other)) => {
            c.note("arithmetic");
            let one = 1 + c.random.below(2);
            format!("{value} + {one} {operator} {}", other.get())
        }
        (4, Some(other)) => {
            c.note("cast");
            format!("({value} as i64 - {} as i64).abs() <= 1", other.get())
        }
        (5, Some(other)) => {
            c.note("ordering");
            let order = *c.random.pick(&["is_lt", "is_le", "is_gt", "is_ne"]);
            format!("({value}).cmp({}).{order}()", other.borrowed())
        }
        (6, Some(other)) => {
            c.note("min and max");
            format!("({value}).min({}) {operator} {number}", other.get())
        }
        (7, _) => {
            c.note("range contains");
            format!("({number}..=2).contains({})", place.borrowed())
        }
        (8, _) => {
            c.note("matches!");
            c.note("alternatives");
            format!("matches!({value}, 0 | 2..=9)")
        }
        (9, _) if depth > 0 => {
            c.note("match on an integer");
            c.note("match guard");
            let places = vec![(Place::value(name.clone()), Type::Int(int_name(ty)))];
            let guard = c.with(places.clone(), |c| c.any(0));
            let result = c.with(places, |c| c.any(depth - 1));
            let literal = c.literal();
            format!(
                "match {value} {{ 0 => {literal}, {name} @ 1..=2 => {result}, {name} if {guard} => true, _ => false }}"
            )
        }
        (10, _) => {
            c.note("shadowing");
            c.note("arithmetic");
            format!("{{ let {name} = {value}; let {name} = {name} * 2; {name} + 1 {operator} 4 }}")
        }
        (11, _) => {
            c.note("checked arithmetic");
            format!("({value}).checked_sub(1).is_none_or(|{name}| {name} {operator} 1)")
        }
        (12, _) => {
            c.note("bit operations");
            format!("({value} & 1) == {}", c.random.below(2))
        }
        _ => {
            c.note("comparison with a constant");
            format!("{value} {operator} {number}")
        }
    }
}

pub(super) fn boolean(c: &mut Conditions<'_>, place: &Place, depth: usize) -> String {
    let value = place.get();
    match c.random.below(5) {
        0 if depth > 0 => {
            let condition = c.any(depth - 1);
            format!("{value} == ({condition})")
        }
        1 if depth > 0 => {
            let condition = c.any(depth - 1);
            format!("(!{value} || {{ {condition} }})")
        }
        2 if depth > 0 => {
            c.note("if and else");
            let (yes, no) = (c.any(depth - 1), c.any(depth - 1));
            format!("if {value} {{ {yes} }} else {{ {no} }}")
        }
        3 => format!("!{value}"),
        _ => value,
    }
}

pub(super) fn character(c: &mut Conditions<'_>, place: &Place) -> String {
    let value = place.get();
    let letter = *c.random.pick(&['a', 'b', 'x']);
    match c.random.below(5) {
        0 => format!("{value} == {letter:?}"),
        1 => format!("{value} != {letter:?}"),
        2 => {
            c.note("matches!");
            format!("matches!({value}, 'a' | 'x'..='z')")
        }
        3 => format!("({value}).is_ascii_lowercase()"),
        _ => {
            c.note("cast");
            format!("({value} as u32) % 2 == {}", c.random.below(2))
        }
    }
}

pub(super) fn key(c: &mut Conditions<'_>, place: &Place, ty: &Type) -> String {
    let operator = operator(c);
    match c.other(place, ty) {
        Some(other) if c.random.chance(25) => {
            c.note("ordering");
            format!("({}).cmp({}).is_le()", place.get(), other.borrowed())
        }
        Some(other) => {
            c.note("comparison of fields");
            format!("{} {operator} {}", place.get(), other.get())
        }
        None => c.literal().into(),
    }
}

pub(super) fn text(c: &mut Conditions<'_>, place: &Place) -> String {
    let text = place.receiver();
    let name = c.name("c");
    match c.random.below(7) {
        0 => {
            c.note("characters");
            format!("{text}.chars().all(|{name}| {name} != 'b')")
        }
        1 => {
            c.note("characters");
            format!("{text}.chars().zip({text}.chars().skip(1)).all(|({name}, d)| {name} <= d)")
        }
        2 => {
            c.note("text methods");
            format!("{text}.starts_with('a') || {text}.is_empty()")
        }
        3 => {
            c.note("text methods");
            let operator = operator(c);
            format!("{text} {operator} \"a\"").replace(&text, &format!("{text}.as_str()"))
        }
        4 => {
            c.note("match on an enum");
            format!(
                "match {text}.as_str() {{ \"\" => true, \"a\" | \"x\" => false, {name} => {name}.len() < 3 }}"
            )
        }
        5 => {
            c.note("text methods");
            format!("{text}.bytes().rev().eq({text}.bytes())")
        }
        _ => format!("{text}.len() {} {}", operator(c), c.random.below(3)),
    }
}

pub(super) fn plain_enum(c: &mut Conditions<'_>, place: &Place, number: usize) -> String {
    let definition = &c.model.types[number];
    let Shape::Plain(variants) = &definition.shape else { unreachable!("it has no fields") };
    let name = definition.name;
    let variant = *c.random.pick(variants);
    let value = place.get();
    match (c.random.below(5), c.other(place, &Type::Named(number))) {
        (0, Some(other)) => {
            c.note("comparison of fields");
            format!("{value} == {}", other.get())
        }
        (1, _) => format!("{value} != {name}::{variant}"),
        (2, _) => {
            c.note("matches!");
            format!("matches!({value}, {name}::{variant})")
        }
        (3, _) => {
            c.note("match on an enum");
            let rest = c.any(0);
            format!("match {value} {{ {name}::{variant} => {}, _ => {rest} }}", c.literal())
        }
        _ => format!("{value} == {name}::{variant}"),
    }
}

pub(super) fn tuple(c: &mut Conditions<'_>, place: &Place, types: &[Type], depth: usize) -> String {
    let depth = depth.saturating_sub(1);
    if c.random.chance(50) {
        let i = c.random.below(types.len());
        let inner = Place::value(format!("{}.{i}", place.receiver()));
        return c.about(&inner, &types[i], depth);
    }
    c.note("match on a tuple");
    let names: Vec<String> = types.iter().map(|_| c.name("part")).collect();
    let i = c.random.below(types.len());
    let places = names.iter().zip(types).map(|(name, ty)| (Place::reference(name), ty.clone())).collect();
    let condition = c.with(places, |c| c.about(&Place::reference(&names[i]), &types[i], depth));
    format!("{{ let ({}) = {}; {condition} }}", names.join(", "), place.borrowed())
}

fn int_name(ty: &str) -> &'static str {
    const NAMES: [&str; 12] =
        ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];
    NAMES.into_iter().find(|name| *name == ty).unwrap_or("u8")
}
