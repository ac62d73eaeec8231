//! Tests as readable Rust. The test is run to print it: the text depends on which slots are filled, and on how calls
//! end.

use std::any::TypeId;
use std::fmt::Write;

use smallscope_support::panics;

use super::Test;
use crate::context::{Context, Decoded, Kind, Mode, Place, Reply, short_name};
use crate::run::Panics;

/// Writes a test as Rust statements, and makes its calls, perhaps without the last one.
pub(super) fn source(test: &Test, context: &Context, makes_last: bool) -> String {
    let mut writer = Writer::new(context);
    let mut values = context.initial_values();
    panics::silently(|| {
        for (i, call) in test.calls.iter().enumerate() {
            let is_last = i + 1 == test.calls.len();
            let reply = if is_last && !makes_last {
                Reply::Returned
            } else {
                // Destructors of values that are replaced may panic.
                panics::catch_silenced(|| context.call(*call, &mut values)).unwrap_or(Reply::Panicked)
            };
            let may_panic = is_last && context.panics == Panics::Fail;
            writer.call(&context.decode(*call), reply, may_panic);
        }
    });
    writer.finish()
}

struct Writer<'c> {
    context: &'c Context,
    lines: Vec<Line>,
    /// The current name of each slot of each pool.
    names: Vec<Vec<Option<Name>>>,
    /// Where variables are declared, so that they can become mutable.
    declared: Vec<(Place, usize)>,
}

enum Line {
    Text(String),
    /// What comes after `let` or `let mut`.
    Let {
        is_mut: bool,
        text: String,
    },
}

#[derive(Clone)]
enum Name {
    Literal(String),
    Variable,
}

impl<'c> Writer<'c> {
    fn new(context: &'c Context) -> Writer<'c> {
        let names = context.pools.iter().map(|pool| {
            let literals = pool.literals.iter().map(|literal| {
                Some(Name::Literal(literal.clone().unwrap_or_else(|| "todo!(\"this value\")".to_owned())))
            });
            literals.chain(std::iter::repeat(None)).take(pool.size).collect()
        });
        Writer { context, lines: vec![], names: names.collect(), declared: vec![] }
    }

    fn call(&mut self, call: &Decoded, reply: Reply, may_panic: bool) {
        let method = &self.context.methods[call.method];
        if reply == Reply::Skipped {
            return;
        }
        for (i, param) in method.params.iter().enumerate() {
            let is_receiver = method.kind == Kind::Method && i == 0;
            if is_receiver || param.mode == Mode::Mut {
                self.make_variable(call.places[i]);
            }
            if param.mode == Mode::Mut {
                self.make_mutable(call.places[i]);
            }
        }
        let expression = self.expression(call);
        match reply {
            Reply::Stored => {
                let unpacked = ".unwrap()".repeat(method.unpacked);
                self.assign(
                    call.places[method.params.len()],
                    &format!("{expression}{}{unpacked}", method.suffix),
                );
            }
            Reply::Failed => self.text(format!("assert!({expression}.is_err());")),
            Reply::Panicked if !may_panic => {
                self.text(format!(
                    "std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {{ {expression}; }})).unwrap_err();"
                ));
            }
            _ => self.text(format!("{expression};")),
        }
    }

    /// Writes the call, and forgets the names of values that are moved.
    fn expression(&mut self, call: &Decoded) -> String {
        let method = &self.context.methods[call.method];
        let mut passed = vec![];
        for (i, param) in method.params.iter().enumerate() {
            let place = call.places[i];
            let text = self.text_of(place);
            let is_receiver = method.kind == Kind::Method && i == 0;
            passed.push(match param.mode {
                Mode::Value if self.is_copied(place) => text,
                Mode::Value => {
                    let is_borrowed = |(j, other): (usize, &crate::context::Param)| {
                        other.mode == Mode::Mut && call.places[j] == place
                    };
                    if method.kind == Kind::Function && method.params.iter().enumerate().any(is_borrowed) {
                        // `f(&mut a, a.clone())` does not compile.
                        self.text(format!("let copy = {text}.clone();"));
                        "copy".to_owned()
                    } else {
                        format!("{text}.clone()")
                    }
                }
                Mode::Moved => text,
                _ if is_receiver || method.source.is_some() => text,
                Mode::Ref => format!("&{text}"),
                Mode::Mut => format!("&mut {text}"),
            });
        }
        for (i, param) in method.params.iter().enumerate() {
            if param.mode == Mode::Moved && !self.is_copied(call.places[i]) {
                let place = call.places[i];
                self.names[place.pool as usize][place.slot as usize] = None;
            }
        }
        if let Some(source) = &method.source {
            let fill = |text: String, (i, p): (usize, &String)| text.replace(&format!("{{{i}}}"), p);
            return passed.iter().enumerate().fold(source.clone(), fill);
        }
        match method.kind {
            Kind::Function => format!("{}({})", method.name, passed.join(", ")),
            Kind::Method => format!("{}.{}({})", passed[0], method.name, passed[1..].join(", ")),
        }
    }

    fn assign(&mut self, place: Place, value: &str) {
        let variable = self.variable(place);
        if self.declared.iter().any(|(other, _)| *other == place) {
            self.make_mutable(place);
            self.text(format!("{variable} = {value};"));
        } else {
            self.declare(place, value);
        }
        self.names[place.pool as usize][place.slot as usize] = Some(Name::Variable);
    }

    fn declare(&mut self, place: Place, value: &str) {
        let type_name = self.context.pools[place.pool as usize].type_name;
        let is_plain = self.is_primitive(place);
        let of_type = if is_plain || type_name.contains('<') {
            format!(": {}", short_name(type_name))
        } else {
            String::new()
        };
        self.declared.push((place, self.lines.len()));
        let text = format!("{}{of_type} = {value};", self.variable(place));
        self.lines.push(Line::Let { is_mut: false, text });
    }

    fn make_variable(&mut self, place: Place) {
        if let Some(Name::Literal(value)) = self.names[place.pool as usize][place.slot as usize].clone() {
            self.assign(place, &value);
        }
    }

    fn make_mutable(&mut self, place: Place) {
        let Some((_, line)) = self.declared.iter().find(|(other, _)| *other == place) else { return };
        if let Line::Let { is_mut, .. } = &mut self.lines[*line] {
            *is_mut = true;
        }
    }

    fn text_of(&self, place: Place) -> String {
        match &self.names[place.pool as usize][place.slot as usize] {
            Some(Name::Literal(value)) => value.clone(),
            _ => self.variable(place),
        }
    }

    fn variable(&self, place: Place) -> String {
        let pool = &self.context.pools[place.pool as usize];
        let name = &pool.variable;
        match pool.size {
            1 => name.clone(),
            _ if name.ends_with('_') => format!("{name}{}", place.slot),
            _ => format!("{name}_{}", place.slot),
        }
    }

    /// Whether passing it by value needs no clone.
    fn is_copied(&self, place: Place) -> bool {
        let is_literal =
            matches!(self.names[place.pool as usize][place.slot as usize], Some(Name::Literal(_)));
        is_literal || self.is_primitive(place)
    }

    fn is_primitive(&self, place: Place) -> bool {
        let type_id = self.context.pools[place.pool as usize].type_id;
        macro_rules! is_one_of {
            ($($t:ty),*) => { [$(TypeId::of::<$t>()),*].contains(&type_id) };
        }
        is_one_of!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, bool, char, f32, f64, ())
    }

    fn text(&mut self, text: String) {
        self.lines.push(Line::Text(text));
    }

    fn finish(self) -> String {
        let mut source = String::new();
        for line in self.lines {
            let _ = match line {
                Line::Text(text) => writeln!(source, "{text}"),
                Line::Let { is_mut: true, text } => writeln!(source, "let mut {text}"),
                Line::Let { is_mut: false, text } => writeln!(source, "let {text}"),
            };
        }
        source
    }
}
