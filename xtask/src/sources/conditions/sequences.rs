//! Conditions about options, vectors, sets and maps.

use super::{Conditions, Place};
use crate::sources::types::Type;

pub(super) fn option(c: &mut Conditions<'_>, place: &Place, inner: &Type, depth: usize) -> String {
    let (receiver, borrowed) = (place.receiver(), place.borrowed());
    let name = c.name("some");
    let next = depth.saturating_sub(1);
    let target = Place::reference(&name);
    match c.random.below(10) {
        0 => format!("{receiver}.is_none()"),
        1 => format!("{receiver}.is_some()"),
        2 => {
            let condition = c.inside(true, |c| c.about_new(target, inner, next));
            format!("{receiver}.as_ref().is_none_or(|{name}| {condition})")
        }
        3 => {
            let condition = c.inside(true, |c| c.about_new(target, inner, next));
            format!("{receiver}.as_ref().is_some_and(|{name}| {condition})")
        }
        4 => {
            let condition = c.inside(true, |c| c.about_new(target, inner, next));
            format!("{receiver}.as_ref().map_or({}, |{name}| {condition})", c.literal())
        }
        5 => {
            c.note("if let");
            let condition = c.about_new(target, inner, next);
            let rest = c.any(0);
            format!("if let Some({name}) = {borrowed} {{ {condition} }} else {{ {rest} }}")
        }
        6 => {
            c.note("match on an enum");
            let condition = c.about_new(target, inner, next);
            format!("match {borrowed} {{ None => {}, Some({name}) => {condition} }}", c.literal())
        }
        7 => {
            c.note("match guard");
            let condition = c.about_new(target, inner, next);
            format!(
                "match {borrowed} {{ Some({name}) if {{ {condition} }} => true, Some(_) => false, None => {} }}",
                c.literal()
            )
        }
        8 if c.returns_bool => {
            c.note("let else");
            let condition = c.about_new(target, inner, next);
            let literal = c.literal();
            format!("{{ let Some({name}) = {borrowed} else {{ return {literal} }}; {condition} }}")
        }
        9 => {
            c.note("let chain");
            let first = c.about_new(target, inner, 0);
            let rest = c.any(0);
            format!("if let Some({name}) = {borrowed} && {{ {first} }} {{ true }} else {{ {rest} }}")
        }
        _ => {
            let condition = c.inside(true, |c| c.about_new(target, inner, next));
            format!("{receiver}.iter().all(|{name}| {condition})")
        }
    }
}

/// Vectors, boxed slices and arrays are slices; queues are not, and vectors of enums with fields or of vectors cannot be read as such.
pub(super) fn sequence(
    c: &mut Conditions<'_>,
    place: &Place,
    inner: &Type,
    is_queue: bool,
    depth: usize,
) -> String {
    let v = place.receiver();
    let is_nested = matches!(inner, Type::Vec(_) | Type::Array(..));
    let is_slice = !is_queue && !is_nested && !c.model.is_enum_with_fields(inner);
    let next = depth.saturating_sub(1);
    let is_data = c.model.is_copy(inner);
    let is_number = matches!(inner, Type::Int(_));
    let is_ordered = is_number || matches!(inner, Type::Key | Type::Bool | Type::Char);
    match c.random.below(12) {
        0..3 => return each(c, place, inner, next),
        3 | 9 | 10 if is_slice && is_data && is_ordered => return sorted(c, place, inner, next),
        4 if is_slice => return slice_pattern(c, place, inner, next),
        5..9 => return adaptors(c, place, inner, is_number, next),
        _ => {}
    }
    let x = c.name("x");
    match c.random.below(8) {
        7 if is_slice => {
            c.note("sub-slice");
            let condition = c.inside(true, |c| c.about_new(Place::reference(&x), inner, next));
            match c.random.below(3) {
                0 => format!("({v}.is_empty() || {v}[1..].iter().all(|{x}| {condition}))"),
                1 => format!("{v}[..{v}.len() / 2].iter().all(|{x}| {condition})"),
                _ => format!("{v}.split_first().is_none_or(|(_, rest)| rest.iter().any(|{x}| {condition}))"),
            }
        }
        0 => {
            c.note("first and last");
            let condition = c.inside(true, |c| c.about_new(Place::reference(&x), inner, next));
            let (first, last) = if is_queue { ("front", "back") } else { ("first", "last") };
            let which = if c.random.chance(50) { first } else { last };
            format!("{v}.{which}().is_none_or(|{x}| {condition})")
        }
        1 => {
            c.note("get");
            let condition = c.inside(true, |c| c.about_new(Place::reference(&x), inner, next));
            format!("{v}.get({}).is_some_and(|{x}| {condition})", c.random.below(2))
        }
        2 => {
            c.note("indexing");
            let condition = c.about_new(Place::value(format!("{v}[0]")), inner, next);
            format!("({v}.is_empty() || {{ {condition} }})")
        }
        3 => {
            c.note("for over indices");
            let condition = c.with(vec![(Place::value(&x), Type::Int("usize"))], |c| {
                c.inside(true, |c| c.about_new(Place::value(format!("{v}[{x}]")), inner, next))
            });
            format!("(0..{v}.len()).all(|{x}| {condition})")
        }
        4 if is_data && is_ordered && c.other(place, inner).is_some() => {
            c.note("contains");
            let other = c.other(place, inner).expect("there is one");
            format!("{v}.contains({})", other.borrowed())
        }
        5 => format!("{v}.is_empty()"),
        _ => {
            let operator = *c.random.pick(&["<", "<=", "==", "!=", ">="]);
            match c.other(place, &Type::Int("usize")) {
                Some(other) if c.random.chance(60) => {
                    c.note("comparison of fields");
                    format!("{v}.len() {operator} {}", other.get())
                }
                _ => format!("{v}.len() {operator} {}", 1 + c.random.below(2)),
            }
        }
    }
}

/// A condition on every element, or on one of them.
fn each(c: &mut Conditions<'_>, place: &Place, inner: &Type, depth: usize) -> String {
    let v = place.receiver();
    let x = c.name("x");
    match c.random.below(5) {
        0 | 1 => {
            c.note("all");
            let condition = c.inside(true, |c| c.about_new(Place::reference(&x), inner, depth));
            format!("{v}.iter().all(|{x}| {condition})")
        }
        2 => {
            c.note("any");
            let condition = c.inside(true, |c| c.about_new(Place::reference(&x), inner, depth));
            format!("{v}.iter().any(|{x}| {condition})")
        }
        3 if c.returns_bool => {
            c.note("for");
            c.note("early return");
            let condition = c.about_new(Place::reference(&x), inner, depth);
            let rest = c.any(0);
            format!("{{ for {x} in {v}.iter() {{ if !({condition}) {{ return false; }} }} {rest} }}")
        }
        _ => {
            c.note("labelled block");
            c.note("for");
            let condition = c.about_new(Place::reference(&x), inner, depth);
            let literal = c.literal();
            format!(
                "'found{x}: {{ for {x} in {} {{ if {condition} {{ break 'found{x} {literal}; }} }} !{literal} }}",
                place.borrowed()
            )
        }
    }
}

fn sorted(c: &mut Conditions<'_>, place: &Place, inner: &Type, depth: usize) -> String {
    let v = place.receiver();
    let w = c.name("w");
    match c.next_turn() % 6 {
        0 => {
            c.note("windows");
            let operator = *c.random.pick(&["<", "<=", "!="]);
            format!("{v}.windows(2).all(|{w}| {w}[0] {operator} {w}[1])")
        }
        1 => {
            c.note("is_sorted");
            format!("{v}.is_sorted()")
        }
        2 => {
            c.note("chunks");
            let condition = c.inside(true, |c| c.about_new(Place::value(format!("{w}[0]")), inner, depth));
            format!("{v}.chunks(2).all(|{w}| {condition})")
        }
        3 => {
            c.note("for over indices");
            c.note("indexing");
            format!("(1..{v}.len()).all(|{w}| {v}[{w} - 1] <= {v}[{w}])")
        }
        _ => {
            c.note("nested loops");
            c.note("labelled loop");
            format!(
                "{{ let mut {w} = 0; 'outer{w}: for i in 0..{v}.len() {{ for j in 0..i {{ if {v}[i] == {v}[j] {{ continue 'outer{w}; }} }} {w} += 1; if {w} > 2 {{ break 'outer{w}; }} }} {w} <= 2 }}"
            )
        }
    }
}

fn slice_pattern(c: &mut Conditions<'_>, place: &Place, inner: &Type, depth: usize) -> String {
    c.note("slice pattern");
    let (v, x, rest) = (place.receiver(), c.name("x"), c.name("rest"));
    let slice = format!("&{v}[..]");
    let condition = c.about_new(Place::reference(&x), inner, depth);
    match c.random.below(3) {
        0 => format!(
            "match {slice} {{ [] => {}, [{x}] => {condition}, [_, {rest} @ ..] => {rest}.len() < 2 }}",
            c.literal()
        ),
        1 => format!("match {slice} {{ [] => true, [.., {x}] => {condition} }}"),
        _ => format!("if let [{x}, ..] = {slice} {{ {condition} }} else {{ {} }}", c.literal()),
    }
}

fn adaptors(c: &mut Conditions<'_>, place: &Place, inner: &Type, is_number: bool, depth: usize) -> String {
    let v = place.receiver();
    let (x, i) = (c.name("x"), c.name("i"));
    let element = Place::reference(&x);
    let operator = *c.random.pick(&["<", "<=", "==", "!=", ">="]);
    let few = 1 + c.random.below(2);
    // In turn, so that a run has all of them. Half of what is done with numbers can be done with nothing else.
    let of_numbers = [3, 4, 8, 9, 10];
    let turn = c.next_turn();
    let choice = if is_number && !turn.is_multiple_of(3) { of_numbers[turn % 5] } else { turn % 14 };
    match choice {
        0 => {
            c.note("filter and count");
            let by_reference = Place::value(format!("(**{x})"));
            let condition = c.inside(true, |c| c.about_new(by_reference, inner, depth));
            format!("{v}.iter().filter(|{x}| {condition}).count() {operator} {few}")
        }
        1 => {
            c.note("enumerate");
            let places = vec![(Place::value(&i), Type::Int("usize"))];
            let condition = c.with(places, |c| c.inside(true, |c| c.about_new(element, inner, depth)));
            format!("{v}.iter().enumerate().all(|({i}, {x})| {i} > 0 || {{ {condition} }})")
        }
        2 => {
            c.note("zip");
            let condition = c.with(vec![(Place::reference(&i), inner.clone())], |c| {
                c.inside(true, |c| c.about_new(element, inner, depth))
            });
            format!("{v}.iter().zip({v}.iter().skip(1)).all(|({x}, {i})| {condition})")
        }
        3 if is_number => {
            c.note("map and sum");
            format!("{v}.iter().map(|{x}| *{x} as i64).sum::<i64>() {operator} {few}")
        }
        4 if is_number => {
            c.note("fold");
            format!("{v}.iter().fold(0i64, |{i}, {x}| {i} * 2 + *{x} as i64) {operator} {few}")
        }
        5 => {
            c.note("rev and skip");
            let condition = c.inside(true, |c| c.about_new(element, inner, depth));
            format!("{v}.iter().rev().skip(1).all(|{x}| {condition})")
        }
        6 => {
            c.note("take_while");
            let by_reference = Place::value(format!("(**{x})"));
            let condition = c.inside(true, |c| c.about_new(by_reference, inner, depth));
            format!("{v}.iter().take_while(|{x}| {condition}).count() {operator} {few}")
        }
        7 => {
            c.note("position");
            let condition = c.inside(true, |c| c.about_new(element, inner, depth));
            format!("{v}.iter().position(|{x}| {condition}).is_none_or(|{i}| {i} {operator} {few})")
        }
        8 if is_number => {
            c.note("max");
            format!("{v}.iter().copied().max().is_none_or(|{x}| {x} {operator} {few})")
        }
        9 if is_number => {
            c.note("accumulator");
            c.note("for");
            format!(
                "{{ let mut {i} = 0i64; for {x} in {} {{ {i} += *{x} as i64; }} {i} {operator} {few} }}",
                place.borrowed()
            )
        }
        10 if c.model.is_copy(inner) => {
            c.note("collect");
            format!("{{ let {i}: Vec<_> = {v}.iter().copied().collect(); {i}.len() {operator} {few} }}")
        }
        11 => {
            c.note("flat_map");
            let condition = c.inside(true, |c| c.about_new(element, inner, depth));
            format!("{v}.iter().flat_map(|{x}| [{x}, {x}]).any(|{x}| {condition})")
        }
        12 => {
            c.note("while let");
            c.note("loop with break");
            let condition = c.about_new(element, inner, depth);
            format!(
                "{{ let mut {i} = {v}.iter(); let mut count = 0; while let Some({x}) = {i}.next() {{ if {condition} {{ break; }} count += 1; }} count {operator} {few} }}"
            )
        }
        _ => {
            c.note("for over indices");
            c.note("accumulator");
            let condition = c.about_new(Place::value(format!("{v}[{i}]")), inner, depth);
            format!(
                "{{ let mut count = 0; for {i} in 0..{v}.len() {{ if {condition} {{ count += 1; }} }} count {operator} {few} }}"
            )
        }
    }
}

pub(super) fn set(c: &mut Conditions<'_>, place: &Place, ty: &Type, depth: usize) -> String {
    let Type::Set { key, is_hashed } = ty else { unreachable!("a set") };
    let key = &**key;
    let v = place.receiver();
    let x = c.name("x");
    if let Some(other) = c.other(place, ty) {
        let method = *c.random.pick(&["is_subset", "is_superset", "is_disjoint"]);
        if c.random.chance(50) {
            c.note("two sets");
            return format!("{v}.{method}({})", other.borrowed());
        }
    }
    match c.random.below(12) {
        5 => {
            c.note("for");
            let condition =
                c.inside(true, |c| c.about_new(Place::reference(&x), key, depth.saturating_sub(1)));
            format!("{{ let mut all = true; for {x} in {v}.iter() {{ all &= {condition}; }} all }}")
        }
        6 => format!("{v}.len() < 2"),
        7 | 9 => match c.other(place, key) {
            Some(other) => {
                c.note("key of a set");
                format!("{v}.get({}).is_some()", other.borrowed())
            }
            None => format!("!{v}.is_empty()"),
        },
        8 | 10 | 11 => {
            c.note("key of a set");
            match is_hashed {
                false => format!("{v}.first() == {v}.last()"),
                true => format!("{v}.iter().count() < 2"),
            }
        }
        0 => {
            c.note("all");
            let condition =
                c.inside(true, |c| c.about_new(Place::reference(&x), key, depth.saturating_sub(1)));
            format!("{v}.iter().all(|{x}| {condition})")
        }
        1 | 2 => {
            c.note("contains");
            match c.other(place, key) {
                Some(other) => format!("{v}.contains({})", other.borrowed()),
                // The number of a key has no meaning.
                None if *key == Type::Key => format!("{v}.is_empty()"),
                None => format!("{v}.contains(&{})", constant(c, key)),
            }
        }
        3 => format!("{v}.is_empty()"),
        _ => match c.other(place, &Type::Int("usize")) {
            Some(other) => format!("{v}.len() <= {}", other.get()),
            None => format!("{v}.len() != 1"),
        },
    }
}

pub(super) fn map(c: &mut Conditions<'_>, place: &Place, key: &Type, value: &Type, depth: usize) -> String {
    let v = place.receiver();
    let next = depth.saturating_sub(1);
    let (k, x) = (c.name("k"), c.name("x"));
    match c.next_turn() % 6 {
        0 | 1 => {
            c.note("map entries");
            let places = vec![(Place::reference(&k), key.clone())];
            let condition = c.with(places, |c| c.inside(true, |c| about_value(c, &x, value, next)));
            format!("{v}.iter().all(|({k}, {x})| {condition})")
        }
        2 => {
            c.note("map lookup");
            let condition = c.inside(true, |c| about_value(c, &x, value, next));
            let wanted = match c.other(place, key) {
                Some(other) => other.borrowed(),
                None if *key == Type::Key => return format!("{v}.values().all(|{x}| {condition})"),
                None => format!("&{}", constant(c, key)),
            };
            format!("{v}.get({wanted}).is_none_or(|{x}| {condition})")
        }
        3 => {
            c.note("map values");
            let condition = c.inside(true, |c| about_value(c, &x, value, next));
            format!("{v}.values().any(|{x}| {condition})")
        }
        4 => {
            let condition = c.inside(true, |c| c.about_new(Place::reference(&k), key, next));
            format!("{v}.keys().all(|{k}| {condition})")
        }
        _ => format!("{v}.len() {} 1", *c.random.pick(&["<", "<=", "!="])),
    }
}

/// A condition about a value of a map. The target of a pointer is reached by coercion, since `**x` means something else
/// in the copy of an invariant.
fn about_value(c: &mut Conditions<'_>, x: &str, ty: &Type, depth: usize) -> String {
    let Type::Box(target) = ty else { return c.about_new(Place::reference(x), ty, depth) };
    let name = c.name("target");
    let condition = c.about_new(Place::reference(&name), target, depth);
    format!("{{ let {name}: &{} = {x}; {condition} }}", c.model.text(target))
}

/// A value of a key.
fn constant(c: &mut Conditions<'_>, ty: &Type) -> String {
    match ty {
        Type::Bool => c.literal().into(),
        Type::Char => "'a'".into(),
        Type::Named(number) => {
            let definition = &c.model.types[*number];
            let crate::sources::types::Shape::Plain(variants) = &definition.shape else {
                unreachable!("keys are plain")
            };
            format!("{}::{}", definition.name, variants[0])
        }
        _ => c.random.below(2).to_string(),
    }
}
