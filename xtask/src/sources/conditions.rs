//! Random conditions: expressions of type `bool` about the places in scope.

mod data;
mod links;
mod named;
mod sequences;

pub use links::walk;

use super::idioms::Tally;
use super::random::Random;
use super::types::{Model, Shape, Type};
use std::collections::BTreeMap;

/// How a place is written.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    /// The expression is the value: `self.size`.
    Value,
    /// The expression is a reference to it.
    Reference,
    /// The expression is a guard that dereferences to it.
    Guard,
}

/// An expression that leads to a value.
#[derive(Debug, Clone)]
pub struct Place {
    text: String,
    form: Form,
}

impl Place {
    pub fn value(text: impl Into<String>) -> Place {
        Place { text: text.into(), form: Form::Value }
    }

    pub fn reference(text: impl Into<String>) -> Place {
        Place { text: text.into(), form: Form::Reference }
    }

    fn guard(text: impl Into<String>) -> Place {
        Place { text: text.into(), form: Form::Guard }
    }

    /// The value, which is copied.
    pub fn get(&self) -> String {
        match self.form {
            Form::Value => self.text.clone(),
            Form::Reference | Form::Guard => format!("*{}", self.text),
        }
    }

    /// What a method is called on, or a field is read of.
    pub fn receiver(&self) -> String {
        let inner = self.text.strip_prefix("(*").and_then(|text| text.strip_suffix(')'));
        match inner {
            // Without the parentheses of another pair.
            Some(inner) if self.form == Form::Value && !inner.contains(['(', ')', '*']) => inner.to_owned(),
            _ => self.text.clone(),
        }
    }

    pub fn borrowed(&self) -> String {
        match self.form {
            Form::Value => format!("&{}", self.text),
            Form::Reference => self.text.clone(),
            Form::Guard => format!("&*{}", self.text),
        }
    }

    fn field(&self, name: &str) -> Place {
        Place::value(format!("{}.{name}", self.receiver()))
    }

    /// The target of a smart pointer.
    fn target(&self) -> Place {
        Place::value(format!("(*{})", self.get()))
    }
}

/// Functions beside the invariant.
#[derive(Default)]
pub struct Helpers {
    /// In the block of the invariant.
    pub block: Vec<String>,
    /// Methods of other types.
    pub methods: BTreeMap<usize, Vec<String>>,
    /// Items beside the blocks, without the attributes of smallscope.
    pub items: Vec<String>,
    /// Items that have no attribute.
    pub unmarked: Vec<String>,
    /// Implementations of the trait `Checks`, by type.
    pub of_traits: BTreeMap<usize, String>,
    /// Types that are not part of the structure.
    pub opaque: Vec<String>,
    /// What the attribute of the block lists.
    pub listed: Vec<String>,
    /// How a structure is checked, by its number.
    known: BTreeMap<usize, Call>,
}

/// How a helper is called.
#[derive(Debug, Clone)]
enum Call {
    Associated(String),
    Method(String),
    Free(String),
}

/// A generator of conditions for one program.
pub struct Conditions<'a> {
    pub random: &'a mut Random,
    pub idioms: &'a mut Tally,
    pub model: &'a Model,
    pub helpers: Helpers,
    names: usize,
    /// Begins with the number of the program.
    turn: usize,
    /// What can be mentioned here.
    places: Vec<(Place, Type)>,
    /// Whether `return` would return a `bool`.
    returns_bool: bool,
    /// Whether calls of associated functions can be written as `Self::f`.
    in_block: bool,
    /// Whether functions can be written beside the block.
    has_helpers: bool,
    /// Whether pointers must not be followed without counting: the name of the counter.
    fuel: Option<&'static str>,
}

impl<'a> Conditions<'a> {
    /// Conditions in the block of a type.
    pub fn of(
        random: &'a mut Random,
        idioms: &'a mut Tally,
        model: &'a Model,
        number: usize,
    ) -> Conditions<'a> {
        let definition = &model.types[number];
        let fields = definition.fields().iter();
        let mut places: Vec<(Place, Type)> =
            fields.map(|f| (Place::value(format!("self.{}", f.name)), f.ty.clone())).collect();
        if matches!(definition.shape, Shape::Enum(_)) {
            places.push((Place::reference("self"), Type::Named(number)));
        }
        Conditions {
            places,
            random,
            idioms,
            model,
            helpers: Helpers::default(),
            names: 0,
            turn: model.number,
            returns_bool: true,
            in_block: true,
            has_helpers: number == 0,
            fuel: None,
        }
    }

    /// Restricts what can be mentioned to fields of the root with these names.
    pub fn only(&mut self, names: &[&str]) {
        let fields = self.model.root().fields().iter().filter(|f| names.contains(&&*f.name));
        self.places = fields.map(|f| (Place::value(format!("self.{}", f.name)), f.ty.clone())).collect();
    }

    pub fn name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// A number for a choice that is made in turn: one more each time, and from program to program.
    fn next_turn(&mut self) -> usize {
        self.turn += 1;
        self.turn
    }

    fn note(&mut self, idiom: &'static str) {
        self.idioms.note(idiom);
    }

    fn literal(&mut self) -> &'static str {
        if self.random.chance(65) { "true" } else { "false" }
    }

    /// A condition about something in scope.
    pub fn any(&mut self, depth: usize) -> String {
        if self.places.is_empty() {
            return self.literal().into();
        }
        let (mut place, mut ty) = self.random.pick(&self.places).clone();
        // There is more to say about containers.
        if self.model.is_copy(&ty) && self.random.chance(50) {
            (place, ty) = self.random.pick(&self.places).clone();
        }
        self.about(&place, &ty, depth)
    }

    /// A condition about a container, if there is one, or about something else.
    pub fn about_a_container(&mut self) -> Option<String> {
        let is_container = |ty: &Type| {
            matches!(
                ty,
                Type::Vec(_)
                    | Type::Deque(_)
                    | Type::Slice(_)
                    | Type::Array(..)
                    | Type::Set { .. }
                    | Type::Map { .. }
            )
        };
        let containers: Vec<(Place, Type)> =
            self.places.iter().filter(|(_, ty)| is_container(ty)).cloned().collect();
        if containers.is_empty() {
            return None;
        }
        let (place, ty) = self.random.pick(&containers).clone();
        let condition = self.about(&place, &ty, 2);
        Some(if self.random.chance(50) { format!("(({condition}) || ({}))", self.any(1)) } else { condition })
    }

    /// A condition with more places in scope.
    fn with(&mut self, places: Vec<(Place, Type)>, condition: impl FnOnce(&mut Self) -> String) -> String {
        let before = self.places.len();
        self.places.extend(places);
        let result = condition(self);
        self.places.truncate(before);
        result
    }

    /// A condition inside of a closure or function with another result.
    fn inside(&mut self, returns_bool: bool, condition: impl FnOnce(&mut Self) -> String) -> String {
        let before = std::mem::replace(&mut self.returns_bool, returns_bool);
        let result = condition(self);
        self.returns_bool = before;
        result
    }

    /// A condition in a function that does not return a `bool`.
    pub fn without_returns(&mut self, depth: usize) -> String {
        self.inside(false, |c| c.any(depth))
    }

    /// A condition that is about a new place most of the time, and otherwise about something else in scope.
    fn about_new(&mut self, place: Place, ty: &Type, depth: usize) -> String {
        let places = vec![(place.clone(), ty.clone())];
        self.with(places, |c| {
            if depth > 0 && c.random.chance(15) {
                c.note("nested conditions");
                let first = c.about(&place, ty, depth - 1);
                let second = c.any(depth - 1);
                let operator = *c.random.pick(&["&&", "||"]);
                format!("(({first}) {operator} ({second}))")
            } else {
                c.about(&place, ty, depth)
            }
        })
    }

    /// Another place of the same type.
    fn other(&mut self, than: &Place, ty: &Type) -> Option<Place> {
        let others: Vec<Place> = self
            .places
            .iter()
            .filter(|(place, other)| other == ty && place.text != than.text)
            .map(|(place, _)| place.clone())
            .collect();
        (!others.is_empty()).then(|| self.random.pick(&others).clone())
    }

    /// A condition about a value.
    pub fn about(&mut self, place: &Place, ty: &Type, depth: usize) -> String {
        let condition = match ty {
            Type::Int(name) => data::integer(self, place, name, depth),
            Type::Place => data::integer(self, place, "usize", depth),
            Type::Bool => data::boolean(self, place, depth),
            Type::Char => data::character(self, place),
            Type::Key | Type::Parameter => data::key(self, place, ty),
            Type::Text => data::text(self, place),
            Type::Listed => format!("{} < 1.0", place.get()),
            Type::Unit | Type::Phantom => return self.literal().into(),
            Type::Option(inner) => sequences::option(self, place, inner, depth),
            Type::MaybePlace => sequences::option(self, place, &Type::Place, depth),
            Type::Cell(inner) => {
                let place = Place::value(format!("{}.get()", place.receiver()));
                self.about(&place, inner, depth)
            }
            Type::RefCell(inner) => {
                let name = self.name("guard");
                let condition = self.about_new(Place::guard(name.clone()), inner, depth);
                return format!("{{ let {name} = {}.borrow(); {condition} }}", place.receiver());
            }
            Type::Vec(inner) => sequences::sequence(self, place, inner, false, depth),
            Type::Slice(inner) => sequences::sequence(self, place, inner, false, depth),
            Type::Array(inner, _) => sequences::sequence(self, place, inner, false, depth),
            Type::Deque(inner) => sequences::sequence(self, place, inner, true, depth),
            Type::Tuple(types) => data::tuple(self, place, types, depth),
            Type::Set { .. } => sequences::set(self, place, ty, depth),
            Type::Map { key, value, .. } => sequences::map(self, place, key, value, depth),
            Type::Box(inner) | Type::Rc(inner) | Type::Arc(inner) => {
                links::pointer(self, place, ty, inner, depth)
            }
            Type::RcWeak(inner) | Type::ArcWeak(inner) => links::weak(self, place, ty, inner, depth),
            Type::Raw { target, .. } => links::raw(self, place, ty, *target, depth),
            Type::NonNull(target) => links::non_null(self, place, *target, depth),
            Type::Named(number) => named::named(self, place, *number, depth),
        };
        if self.random.chance(7) { format!("!({condition})") } else { condition }
    }
}
