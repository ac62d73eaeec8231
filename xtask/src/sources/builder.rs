//! The source of the brute force of a program: a function per type that builds a value from choices, and one that writes
//! it as a text.

use super::types::{Bound, Field, Ints, Model, Shape, Type};
use std::fmt::Write;

/// Functions that build values, for the crate without smallscope.
///
/// The brute force calls the invariant by its name.
pub fn builders(model: &Model, invariant: &str) -> String {
    let mut out = String::new();
    let instance = |number: usize| {
        let name = model.types[number].name;
        match &model.parameter {
            Some(ty) if model.is_generic(number) => format!("{name}<{}>", model.text(ty)),
            _ => name.to_owned(),
        }
    };
    for (number, definition) in model.types.iter().enumerate() {
        let (name, ty) = (definition.name, instance(number));
        let body = match &definition.shape {
            Shape::Struct(fields) => {
                let (first, rest) = arena_first(model, number, fields);
                let fields: String = rest
                    .iter()
                    .map(|f| format!("        {}: {},\n", f.name, expression(model, &f.ty, f)))
                    .collect();
                let derived = if definition.fields().iter().any(|field| field.is_derived) {
                    "    let mut value = value;\n    value.derived = value.measure();\n"
                } else {
                    ""
                };
                let broken = if definition.has_invariant { BROKEN } else { "" };
                format!(
                    "{first}    let value = {name} {{\n{fields}    }};\n{derived}{broken}    Some(value)\n"
                )
            }
            Shape::TupleStruct(fields) => {
                let fields: String =
                    fields.iter().map(|f| format!("{}, ", expression(model, &f.ty, f))).collect();
                let broken = if definition.has_invariant { BROKEN } else { "" };
                format!("    let value = {name}({fields});\n{broken}    Some(value)\n")
            }
            Shape::Plain(variants) => {
                let arms: String =
                    variants.iter().enumerate().map(|(i, v)| format!("{i} => {name}::{v}, ")).collect();
                format!("    Some(match c.pick({})? {{ {arms}_ => unreachable!() }})\n", variants.len())
            }
            Shape::Enum(variants) => {
                let mut arms = String::new();
                for (i, variant) in variants.iter().enumerate() {
                    let values: String = variant
                        .fields
                        .iter()
                        .map(|f| {
                            let value = expression(model, &f.ty, f);
                            if variant.is_named { format!("{}: {value}, ", f.name) } else { value + ", " }
                        })
                        .collect();
                    let (open, close) = match (variant.fields.is_empty(), variant.is_named) {
                        (true, _) => ("", ""),
                        (false, true) => (" {", "}"),
                        (false, false) => ("(", ")"),
                    };
                    let _ = writeln!(arms, "        {i} => {name}::{}{open}{values}{close},", variant.name);
                }
                let broken = if definition.has_invariant { BROKEN } else { "" };
                format!(
                    "    let value = match c.pick({})? {{\n{arms}        _ => unreachable!(),\n    }};\n{broken}    Some(value)\n",
                    variants.len()
                )
            }
        };
        let _ = write!(out, "\nfn build_{name}(c: &mut Choices) -> Option<{ty}> {{\n{body}}}\n");
    }
    let root = model.root().name;
    let _ = write!(
        out,
        "\npub fn brute_force(scope: usize, limit: usize) -> Option<Vec<(String, bool)>> {{\n    \
         let mut all = vec![];\n    \
         let is_all = every(scope, limit, |c| {{\n        \
         if let Some(value) = build_{root}(c) {{\n            \
         if c.is_complete() {{\n                \
         all.push((Text::of(&value), value.{invariant}() && !c.is_broken()));\n            \
         }} else {{\n                std::mem::forget(value);\n            }}\n        \
         }}\n    }});\n    is_all.then_some(all)\n}}\n",
    );
    out
}

/// A part whose invariant does not hold makes the whole value invalid.
const BROKEN: &str = "    if !value.rep_ok() {\n        c.set_broken(true);\n    }\n";

/// The length of an arena is chosen before the indices into it.
fn arena_first(model: &Model, number: usize, fields: &[Field]) -> (String, Vec<Field>) {
    if model.arena.is_none() || number != 0 {
        return (String::new(), fields.to_vec());
    }
    let arena = fields.iter().find(|field| field.name == "slots").expect("an arena has slots");
    let length = length(&arena.bound);
    (format!("    let places = {length};\n    c.set_places(places);\n"), fields.to_vec())
}

fn length(bound: &Bound) -> String {
    match bound.length {
        Some((low, high)) => format!("c.within({low}, {high})? as usize"),
        None => "c.size()?".into(),
    }
}

fn integer(bound: &Bound, ty: &str) -> String {
    match &bound.ints {
        Ints::OfScope if ty == "usize" => "c.size()?".into(),
        Ints::OfScope => format!("c.data()? as {ty}"),
        Ints::Range(low, high) => format!("c.within({low}, {high})? as {ty}"),
        Ints::UpToScope => format!("{{ let n = c.scope() as i64; c.within(0, n)? as {ty} }}"),
        Ints::List(list) => format!("c.one_of(&{list:?})? as {ty}"),
    }
}

fn letter(bound: &Bound) -> String {
    bound.alphabet.map_or("c.letter()?".into(), |alphabet| format!("c.letter_of({alphabet:?})?"))
}

/// All values of a key, as source of an iterator.
fn keys(model: &Model, ty: &Type, bound: &Bound) -> String {
    match ty {
        Type::Bool => "[false, true]".into(),
        Type::Char => match bound.alphabet {
            Some(alphabet) => format!("{alphabet:?}.chars()"),
            None => "crate::choices::LETTERS.chars().take(c.scope().max(1))".into(),
        },
        Type::Int(name) => match &bound.ints {
            Ints::OfScope if *name == "usize" => "0..=c.scope()".into(),
            Ints::OfScope => format!("0..c.scope().max(1) as {name}"),
            Ints::Range(low, high) => format!("{low}..={high}"),
            Ints::UpToScope => format!("0..=c.scope() as {name}"),
            Ints::List(list) => format!("{list:?}"),
        },
        Type::Key => "(0..c.scope().max(1) as u32).map(Key)".into(),
        Type::Named(number) => {
            let definition = &model.types[*number];
            let Shape::Plain(variants) = &definition.shape else { unreachable!("keys are plain") };
            let all: Vec<String> = variants.iter().map(|v| format!("{}::{v}", definition.name)).collect();
            format!("[{}]", all.join(", "))
        }
        _ => unreachable!("keys are plain"),
    }
}

/// An expression that builds a value of a type.
pub fn expression(model: &Model, ty: &Type, field: &Field) -> String {
    let bound = &field.bound;
    let of = |t: &Type| expression(model, t, field);
    let instance = |number: usize| format!("build_{}", model.types[number].name);
    let fill = |t: &Type| match t {
        Type::Named(number) => instance(*number),
        _ => format!("|c| Some({})", of(t)),
    };
    let pool_name = |t: &Type| format!("{}{}", field.pool.unwrap_or_default(), model.text(without_cells(t)));
    let pool = |t: &Type| format!("{:?}, {}", pool_name(t), model.limit(t));
    let shared = |how: &str, t: &Type| {
        format!("{{ let limit = {}; c.{how}({:?}, limit, {})? }}", model.limit(t), pool_name(t), fill(t))
    };
    let weak = |how: &str, t: &Type| {
        format!("{{ let limit = {}; c.{how}({:?}, limit)? }}", model.limit(t), pool_name(t))
    };
    let items = |t: &Type, length: String, take: bool| {
        let take = if take { format!("c.take({})?; ", pool(t)) } else { String::new() };
        format!(
            "{{ let n = {length}; let mut items = vec![]; for _ in 0..n {{ {take}items.push({}); }} items }}",
            of(t)
        )
    };
    // Elements that are structures, or enums with fields, are objects of a pool.
    let is_object = |t: &Type| matches!(t, Type::Named(_)) && !model.is_plain_enum(t);
    match ty {
        _ if field.is_derived => "0".into(),
        _ if field.is_unchecked => {
            let checked = Field { is_unchecked: false, ..field.clone() };
            let value = expression(model, ty, &checked);
            format!("{{ let broken = c.is_broken(); let value = {value}; c.set_broken(broken); value }}")
        }
        Type::Int(name) => integer(bound, name),
        Type::Parameter => match &model.parameter {
            Some(ty) => expression(model, ty, field),
            None => unreachable!("there is no parameter"),
        },
        Type::Bool => "c.flag()?".into(),
        Type::Char => letter(bound),
        Type::Unit => "()".into(),
        Type::Key => "Key(c.data()? as u32)".into(),
        Type::Listed => "[0.5, 1.5][c.pick(2)?]".into(),
        Type::Phantom => "PhantomData".into(),
        Type::Text => format!(
            "{{ let n = {}; let mut text = String::new(); for _ in 0..n {{ text.push({}); }} text }}",
            length(bound),
            letter(bound)
        ),
        Type::Named(number) if bound.variant.is_some() && model.is_plain_enum(ty) => {
            format!("{}::{}", model.types[*number].name, bound.variant.unwrap_or_default())
        }
        Type::Named(number) => format!("{}(c)?", instance(*number)),
        Type::Option(t) if bound.is_never_null => format!("Some({})", of(t)),
        Type::Option(t) => format!("if c.flag()? {{ Some({}) }} else {{ None }}", of(t)),
        Type::Cell(t) => format!("Cell::new({})", of(t)),
        Type::RefCell(t) => format!("RefCell::new({})", of(t)),
        Type::Vec(t) if field.name == "slots" && model.arena.is_some() => items(t, "places".into(), true),
        Type::Vec(t) => items(t, length(bound), is_object(t)),
        Type::Deque(t) => format!("VecDeque::from({})", items(t, length(bound), is_object(t))),
        Type::Slice(t) => format!("{}.into_boxed_slice()", items(t, length(bound), is_object(t))),
        Type::Array(t, n) => format!("[{}]", vec![of(t); *n].join(", ")),
        Type::Tuple(types) => format!("({})", types.iter().map(|t| of(t) + ", ").collect::<String>()),
        Type::Set { is_hashed, key } => format!(
            "{{ let mut set = {}::new(); for key in {} {{ if c.flag()? {{ set.insert(key); }} }} {} set }}",
            if *is_hashed { "HashSet" } else { "BTreeSet" },
            keys(model, key, bound),
            checked_length("set", bound)
        ),
        Type::Map { is_hashed, key, value } => format!(
            "{{ let mut map = {}::new(); for key in {} {{ if c.flag()? {{ let value = {}; map.insert(key, value); }} }} {} map }}",
            if *is_hashed { "HashMap" } else { "BTreeMap" },
            keys(model, key, bound),
            of(value),
            checked_length("map", bound)
        ),
        Type::Box(t) if model.any(&|other| points_raw(other, t)) => shared("boxed", t),
        Type::Box(t) => match fieldless(model, t) {
            Some((number, variants)) => {
                let definition = &model.types[number];
                let broken = if definition.has_invariant { BROKEN } else { "" };
                let mut arms = String::new();
                for (i, variant) in variants.iter().enumerate() {
                    let _ = write!(arms, "{i} => {{ let value = {variant}; {broken} value }} ");
                }
                let value = format!(
                    "match c.pick({})? {{ {arms}_ => {{ c.take({})?; let value = {}(c)?; if matches!(value, {}) {{ return \
                     None; }} value }} }}",
                    variants.len() + 1,
                    pool(t),
                    instance(number),
                    variants.join(" | ")
                );
                format!("Box::new({})", in_cells(t, value))
            }
            None => format!("{{ c.take({})?; Box::new({}) }}", pool(t), of(t)),
        },
        Type::Rc(t) => shared("rc", t),
        Type::Arc(t) => shared("arc", t),
        Type::RcWeak(t) => weak("rc_weak", t),
        Type::ArcWeak(t) => weak("arc_weak", t),
        Type::Raw { target, .. } => {
            let target = Type::Named(*target);
            if model.any(&|other| *other == Type::Box(Box::new(target.clone()))) {
                weak("raw_weak", &target)
            } else {
                format!("if c.flag()? {{ {} }} else {{ std::ptr::null_mut() }}", shared("raw", &target))
            }
        }
        Type::NonNull(target) => {
            format!("NonNull::new({}).expect(\"an address\")", shared("raw", &Type::Named(*target)))
        }
        Type::Place => "c.place()?".into(),
        Type::MaybePlace => "c.maybe_place()?".into(),
    }
}

/// An enum that has variants without fields and others, with the former: a box of one of them takes no object.
fn fieldless(model: &Model, ty: &Type) -> Option<(usize, Vec<String>)> {
    let Type::Named(number) = without_cells(ty) else { return None };
    let definition = &model.types[*number];
    let Shape::Enum(variants) = &definition.shape else { return None };
    let mut names = vec![];
    for variant in variants {
        if variant.fields.is_empty() {
            names.push(format!("{}::{}", definition.name, variant.name));
        }
    }
    (!names.is_empty() && names.len() < variants.len()).then_some((*number, names))
}

/// A value in the cells that its type has around it.
fn in_cells(ty: &Type, value: String) -> String {
    match ty {
        Type::Cell(inner) => format!("Cell::new({})", in_cells(inner, value)),
        Type::RefCell(inner) => format!("RefCell::new({})", in_cells(inner, value)),
        _ => value,
    }
}

/// Objects count together with and without a cell around them.
fn without_cells(ty: &Type) -> &Type {
    match ty {
        Type::Cell(inner) | Type::RefCell(inner) => without_cells(inner),
        _ => ty,
    }
}

fn checked_length(name: &str, bound: &Bound) -> String {
    let allowed = match bound.length {
        Some((low, high)) => format!("({low}..={high}).contains(&{name}.len())"),
        None => format!("{name}.len() <= c.scope()"),
    };
    format!("if !({allowed}) {{ return None; }}")
}

fn points_raw(ty: &Type, target: &Type) -> bool {
    matches!(ty, Type::Raw { target: number, .. } if *target == Type::Named(*number))
}

/// Implementations of `Show`, for both crates.
pub fn shows(model: &Model) -> String {
    let mut out = String::new();
    for (number, definition) in model.types.iter().enumerate() {
        let name = definition.name;
        let body = match &definition.shape {
            Shape::Struct(fields) | Shape::TupleStruct(fields) => {
                let is_arena = number == 0 && model.arena.is_some();
                let fields: String = fields
                    .iter()
                    .map(|f| shown(&f.ty, &format!("self.{}", f.name), is_arena && f.name == "slots"))
                    .collect();
                format!("        text.put(\"{name}{{\");\n{fields}        text.put(\"}}\");\n")
            }
            Shape::Plain(variants) => {
                let arms: String = variants.iter().map(|v| format!("{name}::{v} => {v:?}, ")).collect();
                format!("        text.put(match self {{ {arms}}});\n")
            }
            Shape::Enum(variants) => {
                let mut arms = String::new();
                for variant in variants {
                    let names: Vec<String> = (0..variant.fields.len()).map(|i| format!("f{i}")).collect();
                    let bound: String =
                        variant
                            .fields
                            .iter()
                            .zip(&names)
                            .map(|(f, n)| {
                                if variant.is_named { format!("{}: {n}, ", f.name) } else { format!("{n}, ") }
                            })
                            .collect();
                    let (open, close) = match (variant.fields.is_empty(), variant.is_named) {
                        (true, _) => ("", ""),
                        (false, true) => (" { ", "}"),
                        (false, false) => ("(", ")"),
                    };
                    let shown: String =
                        names.iter().map(|n| format!("{n}.show(text); text.put(\";\"); ")).collect();
                    let _ = writeln!(
                        arms,
                        "            {name}::{v}{open}{bound}{close} => {{ text.put(\"{v}(\"); {shown}text.put(\")\"); }}",
                        v = variant.name
                    );
                }
                format!("        match self {{\n{arms}        }}\n")
            }
        };
        let head = if model.is_generic(number) {
            format!("impl<K: Show> Show for {name}<K>")
        } else {
            format!("impl Show for {name}")
        };
        let _ = write!(out, "\n{head} {{\n    fn show(&self, text: &mut Text) {{\n{body}    }}\n}}\n");
    }
    out
}

fn shown(ty: &Type, place: &str, is_arena: bool) -> String {
    match ty {
        _ if is_arena => format!("        text.arena(&{place});\n        text.put(\";\");\n"),
        Type::Place => format!("        text.place({place});\n        text.put(\";\");\n"),
        Type::MaybePlace => format!(
            "        match {place} {{ Some(place) => text.place(place), None => text.put(\"-\") }}\n        \
             text.put(\";\");\n"
        ),
        _ => format!("        {place}.show(text);\n        text.put(\";\");\n"),
    }
}
