//! The invariant of a program: conjuncts, how they are combined, and the blocks and items around them.

use super::conditions::{Conditions, Helpers};
use super::idioms::Tally;
use super::random::Random;
use super::types::Model;

/// The invariant as source.
pub struct Invariant {
    /// The arguments of `#[rep_ok]`.
    pub arguments: Vec<String>,
    pub name: &'static str,
    /// The functions of the block, the invariant first.
    pub block: String,
    pub helpers: Helpers,
    /// The conditions of parts that have their own invariants.
    pub of_parts: Vec<(usize, String)>,
}

pub fn invariant(random: &mut Random, idioms: &mut Tally, model: &Model) -> Invariant {
    let mut of_parts = vec![];
    for number in (1..model.types.len()).filter(|number| model.types[*number].has_invariant) {
        let mut c = Conditions::of(random, idioms, model, number);
        of_parts.push((number, c.any(2)));
    }
    let mut c = Conditions::of(random, idioms, model, 0);
    let mut functions = vec![];
    let conjuncts = conjuncts(&mut c, &mut functions);
    let mut arguments = vec![];
    // A conjunct ends the others with `false` only.
    let can_be_divided = conjuncts.len() > 1 && !conjuncts.iter().any(|all| all.contains("return true"));
    let body = if can_be_divided && c.random.chance(if model.has_parts { 50 } else { 10 }) {
        arguments.push("statements".into());
        statements(&mut c, conjuncts)
    } else if model.has_parts {
        conjunction(&mut c, conjuncts)
    } else {
        combined(&mut c, conjuncts)
    };
    let name = if c.random.chance(10) {
        c.idioms.note("named invariant");
        arguments.push("name = is_valid".into());
        "is_valid"
    } else {
        "rep_ok"
    };
    let helpers = c.helpers;
    arguments.extend(helpers.listed.iter().cloned());
    arguments.extend(helpers.opaque.iter().map(|name| format!("opaque({name})")));
    arguments.extend(model.has_bare_variants.then(|| "variants(Event)".to_owned()));
    let mut block = format!("    fn {name}(&self) -> bool {{\n{body}    }}\n");
    for function in functions.iter().chain(&helpers.block) {
        block.push('\n');
        block.push_str(function);
    }
    Invariant { arguments, name, block, helpers, of_parts }
}

/// What has to hold, each as an expression.
fn conjuncts(c: &mut Conditions<'_>, functions: &mut Vec<String>) -> Vec<String> {
    let mut all = vec![];
    if c.random.chance(80)
        && let Some(walk) = super::conditions::walk(c)
    {
        all.push(walk);
    }
    let count = if all.is_empty() { 1 + c.random.below(3) } else { c.random.below(3) };
    for _ in 0..count {
        let condition = conjunct(c, functions);
        all.push(condition);
    }
    if c.model.root().fields().iter().any(|field| field.is_derived) {
        let counted = c.model.root().fields().iter().find_map(|f| match f.ty {
            super::types::Type::Vec(_) | super::types::Type::Deque(_) => {
                Some(format!("self.{}.len()", f.name))
            }
            super::types::Type::Option(_) => Some(format!("usize::from(self.{}.is_some())", f.name)),
            super::types::Type::Bool => Some(format!("usize::from(self.{})", f.name)),
            _ => None,
        });
        let counted = counted.unwrap_or_else(|| "7".into());
        functions.push(format!("    fn measure(&self) -> usize {{\n        {counted}\n    }}\n"));
        all.push("self.derived == self.measure()".into());
    }
    if c.model.has_parts {
        all.push(one_part(c));
    } else if c.random.chance(60)
        && let Some(condition) = c.about_a_container()
    {
        all.push(condition);
    }
    all
}

/// A condition about the fields of one part.
fn one_part(c: &mut Conditions<'_>) -> String {
    let part = *c.random.pick(&["left", "right"]);
    let fields = c.model.root().fields().iter().filter(|field| field.part == Some(part));
    let names: Vec<&str> = fields.map(|field| &*field.name).collect();
    c.only(&names);
    let condition = c.any(2);
    let all: Vec<&str> = c.model.root().fields().iter().map(|field| &*field.name).collect();
    c.only(&all);
    condition
}

fn conjunct(c: &mut Conditions<'_>, functions: &mut Vec<String>) -> String {
    let name = c.name("part");
    match c.random.below(14) {
        0 => {
            c.idioms.note("method of the block");
            let (first, rest) = (c.any(3), c.any(1));
            functions.push(format!(
                "    fn {name}(&self) -> bool {{\n        if !({first}) {{\n            return false;\n        }}\n        {rest}\n    }}\n"
            ));
            format!("self.{name}()")
        }
        1 => {
            c.idioms.note("disjunction");
            format!("(({}) || ({}))", c.any(2), c.any(2))
        }
        2 => {
            c.idioms.note("local function");
            let condition = c.any(2);
            let limit = c.random.below(3);
            format!("{{ fn {name}(n: usize) -> bool {{ n != {limit} }} {name}(usize::from({condition})) }}")
        }
        3 => {
            c.idioms.note("closure in a variable");
            c.idioms.note("closure that captures");
            let condition = c.any(2);
            format!("{{ let {name} = |flag: bool| flag == ({condition}); {name}(true) }}")
        }
        4 => {
            c.idioms.note("result in a variable");
            format!("{{ let {name} = {}; {name} }}", c.any(3))
        }
        5 => match question_mark(c, &name) {
            Some(function) => {
                functions.push(function);
                format!("self.{name}().unwrap_or({})", c.random.chance(60))
            }
            None => c.any(3),
        },
        7 => opaque(c, &name),
        6 => {
            c.idioms.note("loop with break");
            let condition = c.any(2);
            format!(
                "{{ let mut {name} = 0; loop {{ {name} += 1; if {name} > 1 {{ break ({condition}); }} }} }}"
            )
        }
        _ => c.any(3),
    }
}

/// A value of a type that is not part of the structure.
fn opaque(c: &mut Conditions<'_>, name: &str) -> String {
    c.idioms.note("opaque type");
    if c.helpers.opaque.is_empty() {
        c.helpers.opaque.push("Limits".into());
        c.helpers.unmarked.push("struct Limits {\n    most: usize,\n}\n".into());
    }
    let condition = c.any(2);
    format!(
        "{{ let {name} = Limits {{ most: {} }}; usize::from({condition}) >= {name}.most }}",
        c.random.below(2)
    )
}

/// A function that leaves with `?` if an option is none.
fn question_mark(c: &mut Conditions<'_>, name: &str) -> Option<String> {
    let fields = c.model.root().fields();
    let field = fields.iter().find(|field| matches!(field.ty, super::types::Type::Option(_)))?;
    let field = field.name.clone();
    c.idioms.note("question mark");
    let condition = c.without_returns(2);
    Some(format!(
        "    fn {name}(&self) -> Option<bool> {{\n        let _ = self.{field}.as_ref()?;\n        let found = {condition};\n        Some(found)\n    }}\n"
    ))
}

/// `a && b && c`.
fn conjunction(c: &mut Conditions<'_>, conjuncts: Vec<String>) -> String {
    c.idioms.note("conjunction");
    let all: Vec<String> = conjuncts.iter().map(|conjunct| format!("({conjunct})")).collect();
    format!("        {}\n", all.join("\n            && "))
}

/// Statements that the attribute makes conjuncts, with variables and a value that is returned early.
fn statements(c: &mut Conditions<'_>, conjuncts: Vec<String>) -> String {
    c.idioms.note("statements as conjuncts");
    let mut body = String::new();
    for (i, conjunct) in conjuncts.iter().enumerate() {
        let name = c.name("step");
        match c.random.below(4) {
            0 => body.push_str(&format!(
                "        let mut {name} = {i};\n        if {conjunct} {{\n            {name} += 1;\n        }}\n        \
                 if {name} != {} {{\n            return false;\n        }}\n",
                i + 1
            )),
            1 => {
                let fields = c.model.root().fields();
                let condition = fields.iter().find_map(|field| match field.ty {
                    super::types::Type::Bool => Some((field.name.clone(), "")),
                    super::types::Type::Int(_) => Some((field.name.clone(), " == 1")),
                    _ => None,
                });
                if let Some((field, is_one)) = condition {
                    c.idioms.note("statement that returns a value");
                    let value = c.any(2);
                    body.push_str(&format!(
                        "        let {name} = &self.{field};\n        if *{name}{is_one} {{\n            return {value};\n        }}\n"
                    ));
                }
                body.push_str(&format!("        if !({conjunct}) {{\n            return false;\n        }}\n"));
            }
            _ => body.push_str(&format!(
                "        if !({conjunct}) {{\n            return false;\n        }}\n"
            )),
        }
    }
    body + "        true\n"
}

/// Conjuncts with statements before the last ones.
fn combined(c: &mut Conditions<'_>, mut conjuncts: Vec<String>) -> String {
    let mut body = String::new();
    while conjuncts.len() > 1 && c.random.chance(35) {
        let first = conjuncts.remove(0);
        match c.random.below(4) {
            0 | 1 => {
                c.idioms.note("early return");
                body.push_str(&format!("        if !({first}) {{\n            return false;\n        }}\n"));
            }
            2 => {
                c.idioms.note("early return of true");
                let other = c.any(1);
                body.push_str(&format!(
                    "        if ({other}) && ({first}) {{\n            return true;\n        }}\n"
                ));
            }
            _ => {
                c.idioms.note("result in a variable");
                let name = c.name("first");
                body.push_str(&format!("        let {name} = {first};\n"));
                conjuncts.push(name);
            }
        }
    }
    body + &conjunction(c, conjuncts)
}
