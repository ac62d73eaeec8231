//! A program as two sources: with smallscope, and without it for the brute force.

use super::builder;
use super::idioms::Tally;
use super::invariant::{Invariant, invariant};
use super::random::Random;
use super::shapes;
use super::types::{Bound, Definition, Field, Ints, Model, Objects, Shape, Type, UNBOUND};
use std::fmt::Write;

/// Begins lines that only the program with smallscope has.
const MARK: &str = "//@ ";

pub struct Program {
    pub number: usize,
    /// With smallscope.
    pub product: String,
    /// Without it.
    pub plain: String,
    pub has_arena: bool,
    /// An error is planted in the program with smallscope: what the report has to say.
    pub planted: Option<&'static str>,
}

pub const PRODUCT_HEAD: &str = "\
use harness::show::{Show, Text};
use harness::{Known, Traits};
use smallscope::{Bounded, Bounds, Key, Visited, mirror, rep_ok};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Arc;
";

pub const PLAIN_HEAD: &str = "\
use crate::choices::{Choices, every};
use crate::show::{Show, Text};
use crate::stand_ins::{Key, Visited};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::marker::PhantomData;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::Arc;
";

impl Program {
    /// The program with a number in a run with a seed.
    pub fn random(seed: u64, number: usize, idioms: &mut Tally) -> Program {
        let mut random = Random::of_program(seed, number);
        let model = shapes::model(number, &mut random, idioms);
        let rule = invariant(&mut random, idioms, &model);
        idioms.end_program();
        let common = format!("{}{}{}", definitions(&model), blocks(&model, &rule), builder::shows(&model));
        let product = format!("{PRODUCT_HEAD}{}{}", common.replace(MARK, ""), entry(&model));
        let kept = common.lines().filter(|line| !line.trim_start().starts_with(MARK));
        let plain = format!(
            "{PLAIN_HEAD}{}{}",
            kept.flat_map(|line| [line, "\n"]).collect::<String>(),
            builder::builders(&model, rule.name)
        );
        Program { number, product, plain, has_arena: model.arena.is_some(), planted: None }
    }
}

fn definitions(model: &Model) -> String {
    let mut out = String::new();
    for (number, definition) in model.types.iter().enumerate() {
        let _ = write!(out, "\n{}", attributes(model, number, definition));
        let name = model.name(number);
        match &definition.shape {
            Shape::Struct(fields) => {
                let _ = writeln!(out, "struct {name} {{");
                for field in fields {
                    let _ = writeln!(
                        out,
                        "{}    {}: {},",
                        field_attributes(field, "    "),
                        field.name,
                        model.text(&field.ty)
                    );
                }
                out.push_str("}\n");
            }
            Shape::TupleStruct(fields) => {
                let _ = writeln!(out, "struct {name}(");
                for field in fields {
                    let _ =
                        writeln!(out, "{}    {},", field_attributes(field, "    "), model.text(&field.ty));
                }
                out.push_str(");\n");
            }
            Shape::Plain(variants) => {
                let _ = writeln!(out, "enum {name} {{ {} }}", variants.join(", "));
            }
            Shape::Enum(variants) => {
                let _ = writeln!(out, "enum {name} {{");
                for variant in variants {
                    let (open, close) = if variant.is_named { (" {", "}") } else { ("(", ")") };
                    if variant.fields.is_empty() {
                        let _ = writeln!(out, "    {},", variant.name);
                        continue;
                    }
                    let _ = writeln!(out, "    {}{open}", variant.name);
                    for field in &variant.fields {
                        let label =
                            if variant.is_named { format!("{}: ", field.name) } else { String::new() };
                        let _ = writeln!(
                            out,
                            "{}        {label}{},",
                            field_attributes(field, "        "),
                            model.text(&field.ty)
                        );
                    }
                    let _ = writeln!(out, "    {close},");
                }
                out.push_str("}\n");
            }
        }
    }
    out
}

fn attributes(model: &Model, number: usize, definition: &Definition) -> String {
    let mut settings = vec![];
    if number != 0 && !matches!(definition.shape, Shape::Plain(_)) && !definition.has_invariant {
        settings.push("no_invariant".to_owned());
    }
    if let Objects::ByAttribute(n) = definition.objects {
        settings.push(format!("objects = {n}"));
    }
    if definition.is_comparable {
        settings.push("derive(PartialEq)".into());
    }
    let is_raw = |t: &Type| matches!(t, Type::Raw { .. } | Type::NonNull(_));
    if definition.all_fields().iter().any(|field| field.ty.any(&is_raw)) {
        settings.push("unsafe(raw_pointers)".into());
    }
    let _ = model;
    let mut out = format!("{MARK}#[derive(Bounded)]\n");
    if !settings.is_empty() {
        let _ = writeln!(out, "{MARK}#[bounded({})]", settings.join(", "));
    }
    if matches!(definition.shape, Shape::Plain(_)) {
        out.push_str("#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]\n");
    } else if definition.is_comparable {
        out.push_str("#[derive(PartialEq)]\n");
    }
    out
}

fn range((low, high): (usize, usize)) -> String {
    format!("{low}..={high}")
}

fn field_attributes(field: &Field, indent: &str) -> String {
    let mut settings = vec![];
    let Bound { ints, length, alphabet, variant, is_never_null, is_by_test } = &field.bound;
    if !is_by_test {
        match ints {
            Ints::OfScope => {}
            Ints::Range(low, high) => settings.push(format!("range = {low}..={high}")),
            Ints::UpToScope => settings.push("range = 0..=scope".into()),
            Ints::List(list) => settings.push(format!("set = {list:?}")),
        }
        settings.extend(length.map(|length| format!("len = {}", range(length))));
        settings.extend(alphabet.map(|alphabet| format!("alphabet = {alphabet:?}")));
        settings.extend(variant.map(|variant| format!("variants({variant})")));
        settings.extend(is_never_null.then(|| "non_null".to_owned()));
    }
    match field.ty {
        Type::Listed => settings.push("values = [0.5, 1.5]".into()),
        Type::Place | Type::MaybePlace => settings.push("index = \"Root.slots\"".into()),
        _ => {}
    }
    settings.extend(field.is_unchecked.then(|| "unchecked".to_owned()));
    settings.extend(field.pool.map(|pool| format!("pool = {pool:?}")));
    settings.extend(field.part.map(|part| format!("part = {part:?}")));
    if field.is_derived {
        settings = vec!["derived = Self::measure".into()];
    }
    if settings.is_empty() {
        String::new()
    } else {
        format!("{indent}{MARK}#[bounded({})]\n", settings.join(", "))
    }
}

/// The blocks with the invariant and its helpers.
fn blocks(model: &Model, rule: &Invariant) -> String {
    let mut out = String::new();
    let list = |arguments: &[String]| {
        if arguments.is_empty() { String::new() } else { format!("({})", arguments.join(", ")) }
    };
    // What a text calls, other than the function that it defines.
    let called = |text: &str| -> String {
        let is_called = |name: &&String| {
            let name = name.trim_start_matches("fn ");
            !text.starts_with(&format!("fn {name}")) && text.contains(&format!("{name}("))
        };
        let mut arguments: Vec<String> = rule.helpers.listed.iter().filter(is_called).cloned().collect();
        arguments.extend(model.has_bare_variants.then(|| "variants(Event)".to_owned()));
        list(&arguments)
    };
    if model.has_bare_variants {
        out.push_str("\nuse Event::*;\n");
    }
    for item in &rule.helpers.unmarked {
        let _ = write!(out, "\n{item}");
    }
    for item in &rule.helpers.items {
        let _ = write!(out, "\n{MARK}#[mirror{}]\n{item}", called(item));
    }
    for (number, methods) in &rule.helpers.methods {
        let head = if model.is_generic(*number) { "impl<K: Ord>" } else { "impl" };
        let _ = write!(
            out,
            "\n{MARK}#[mirror{}]\n{head} {} {{\n{}}}\n",
            called(&methods.concat()),
            model.name(*number),
            methods.join("\n")
        );
    }
    for (number, method) in &rule.helpers.of_traits {
        let head = if model.is_generic(*number) { "impl<K: Ord> Checks" } else { "impl Checks" };
        let _ = write!(
            out,
            "\n{MARK}#[mirror{}]\n{head} for {} {{\n{method}}}\n",
            called(method),
            model.name(*number),
        );
    }
    for (number, condition) in &rule.of_parts {
        let name = model.name(*number);
        let _ = write!(
            out,
            "\n{MARK}#[rep_ok{}]\nimpl {name} {{\n    fn rep_ok(&self) -> bool {{\n        {condition}\n    }}\n}}\n",
            called(condition)
        );
    }
    let head = if model.is_generic(0) { "impl<K: Ord>" } else { "impl" };
    let arguments = list(&rule.arguments);
    let _ = write!(out, "\n{MARK}#[rep_ok{arguments}]\n{head} {} {{\n{}}}\n", model.name(0), rule.block);
    out
}

/// The bounds, and the call of the harness.
fn entry(model: &Model) -> String {
    let mut calls = String::new();
    for definition in &model.types {
        if let Objects::ByTest(n) = definition.objects {
            let _ = write!(calls, ".objects({:?}, {n})", definition.name);
        }
        let mut add = |site: String, field: &Field| {
            if field.bound != UNBOUND && field.bound.is_by_test {
                calls.push_str(&by_test(&site, &field.bound));
            }
        };
        match &definition.shape {
            Shape::Struct(fields) | Shape::TupleStruct(fields) => {
                fields.iter().for_each(|f| add(format!("{}.{}", definition.name, f.name), f));
            }
            Shape::Plain(_) => {}
            Shape::Enum(variants) => variants.iter().for_each(|v| {
                v.fields.iter().for_each(|f| add(format!("{}::{}.{}", definition.name, v.name, f.name), f));
            }),
        }
    }
    let root = match &model.parameter {
        Some(ty) => format!("Root<{}>", model.text(ty)),
        None => "Root".into(),
    };
    // With aliased boxes an invariant may not end, and objects behind weak pointers have no owner.
    let needs_ownership = model.any(&|t| matches!(t, Type::Box(_) | Type::RcWeak(_) | Type::ArcWeak(_)));
    // A hash depends on the number of a key, so such keys keep all of their values.
    let has_hashed_keys = model.any(&|t| match t {
        Type::Set { is_hashed, key } | Type::Map { is_hashed, key, .. } => *is_hashed && **key == Type::Key,
        _ => false,
    });
    let has_keys = model.any(&|t| *t == Type::Key) || model.parameter == Some(Type::Key);
    format!(
        "\npub fn run(known: &mut Known) {{\n    \
         let traits = Traits {{ korat: {}, keys: {}, each_order_once: {}, parts: {} }};\n    \
         harness::run::<{root}>(known, traits, |scope| Bounds::scope(scope){calls});\n}}\n",
        !needs_ownership,
        has_keys && model.arena.is_none(),
        !has_hashed_keys,
        model.has_parts
    )
}

fn by_test(site: &str, bound: &Bound) -> String {
    let mut calls = match &bound.ints {
        Ints::OfScope | Ints::UpToScope => String::new(),
        Ints::Range(low, high) => format!(".ints({site:?}, {low}..={high})"),
        Ints::List(list) => format!(".ints({site:?}, {list:?})"),
    };
    if let Some(length) = bound.length {
        let _ = write!(calls, ".len({site:?}, {})", range(length));
    }
    if let Some(alphabet) = bound.alphabet {
        let _ = write!(calls, ".alphabet({site:?}, {alphabet:?})");
    }
    if let Some(variant) = bound.variant {
        let _ = write!(calls, ".variants({site:?}, [{variant:?}])");
    }
    if bound.is_never_null {
        let _ = write!(calls, ".nullable({site:?}, false)");
    }
    calls
}
