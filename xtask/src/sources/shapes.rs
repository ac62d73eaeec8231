//! Random types: which fields a program has, and how its types refer to each other.

mod families;

use super::idioms::Tally;
use super::random::Random;
use super::types::{Definition, Field, Ints, Model, Objects, Shape, Type, Variant};

const INTS: [&str; 15] = [
    "u8", "u8", "u8", "usize", "usize", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "i128", "u128",
    "isize",
];

/// The kinds of programs.
const FAMILIES: [&str; 18] = [
    "flat",
    "list",
    "flat",
    "tree",
    "flat",
    "shared",
    "flat",
    "expression",
    "flat",
    "raw pointers",
    "flat",
    "arena",
    "flat",
    "parts",
    "shared",
    "rose tree",
    "tree",
    "flat",
];

pub struct Shapes<'a> {
    pub random: &'a mut Random,
    pub idioms: &'a mut Tally,
    model: Model,
    /// Types that fields may use by value.
    plain: Vec<usize>,
    structs: Vec<usize>,
    enums: Vec<usize>,
    /// Types that pointers or vectors lead to.
    owned: Vec<usize>,
    has_keys: bool,
    has_pointer_to_data: bool,
    is_flat: bool,
}

/// The types of one program.
pub fn model(number: usize, random: &mut Random, idioms: &mut Tally) -> Model {
    let has_keys = random.chance(30);
    let mut shapes = Shapes {
        random,
        idioms,
        model: Model { number, ..Model::default() },
        plain: vec![],
        structs: vec![],
        enums: vec![],
        owned: vec![],
        has_keys,
        has_pointer_to_data: false,
        is_flat: FAMILIES[number % FAMILIES.len()] == "flat",
    };
    let family = FAMILIES[number % FAMILIES.len()];
    shapes.idioms.note(family);
    // The root comes first, so that its number is known.
    shapes.model.types.push(Definition::new("Root", Shape::Struct(vec![])));
    if shapes.random.chance(40) {
        shapes.plain_enum();
    }
    let fields = match family {
        "list" => shapes.list(),
        "tree" => shapes.tree(),
        "rose tree" => shapes.rose_tree(),
        "expression" => shapes.expression(),
        "shared" => shapes.shared(),
        "raw pointers" => shapes.raw_pointers(),
        "arena" => shapes.arena(),
        "parts" => shapes.parts(),
        _ => shapes.flat(),
    };
    shapes.finish(fields)
}

fn boxed(ty: Type) -> Box<Type> {
    Box::new(ty)
}

impl Shapes<'_> {
    fn finish(mut self, mut fields: Vec<Field>) -> Model {
        if self.random.chance(6) && !self.model.has_parts {
            self.idioms.note("derived field");
            let mut derived = Field::new("derived", Type::Int("usize"));
            derived.is_derived = true;
            fields.push(derived);
        }
        // The root itself can be an enum or a tuple struct.
        let is_struct = fields.iter().any(|field| field.is_derived) || !self.is_flat;
        self.model.types[0].shape = match self.random.below(12) {
            0 if !is_struct => {
                self.idioms.note("enum as the root");
                let one = Variant { name: "One", fields: vec![fields.remove(0)], is_named: true };
                let others = Variant { name: "Others", fields, is_named: true };
                let none = Variant { name: "Nothing", fields: vec![], is_named: false };
                Shape::Enum(vec![one, none, others])
            }
            1 | 2 if !is_struct => {
                self.idioms.note("tuple struct as the root");
                fields.iter_mut().enumerate().for_each(|(i, field)| field.name = i.to_string());
                Shape::TupleStruct(fields)
            }
            _ => Shape::Struct(fields),
        };
        for number in 1..self.model.types.len() {
            let is_arena = self.model.arena == Some(number);
            let is_pooled_apart =
                self.model.types.iter().flat_map(|t| t.all_fields()).any(|f| f.pool.is_some());
            let is_plain = matches!(self.model.types[number].shape, Shape::Plain(_));
            if self.random.chance(15) && !is_arena && !is_plain && !is_pooled_apart {
                let n = 1 + self.random.below(2);
                let by_test = self.random.chance(50) && self.is_pooled(number);
                self.idioms.note("number of objects");
                self.model.types[number].objects =
                    if by_test { Objects::ByTest(n) } else { Objects::ByAttribute(n) };
            }
        }
        self.choose_comparable();
        self.choose_invariants();
        if !self.enums.is_empty() && self.random.chance(25) {
            self.idioms.note("bare variants");
            self.model.has_bare_variants = true;
        }
        self.model
    }

    /// Whether objects of the type are counted at all.
    fn is_pooled(&self, number: usize) -> bool {
        let named = Type::Named(number);
        let is_object = !matches!(self.model.types[number].shape, Shape::Plain(_));
        self.model.any(&|ty| match ty {
            Type::Box(t) | Type::Rc(t) | Type::Arc(t) => **t == named,
            Type::Vec(t) | Type::Deque(t) | Type::Slice(t) => is_object && **t == named,
            Type::Raw { target, .. } | Type::NonNull(target) => *target == number,
            _ => false,
        })
    }

    fn define(&mut self, name: &'static str, shape: Shape) -> usize {
        self.model.types.push(Definition::new(name, shape));
        self.model.types.len() - 1
    }

    fn plain_enum(&mut self) {
        self.idioms.note("plain enum");
        let variants = if self.random.chance(50) { vec!["Red", "Black"] } else { vec!["Low", "Mid", "High"] };
        let number = self.define("Mode", Shape::Plain(variants));
        self.plain.push(number);
    }

    /// A struct of plain data.
    fn struct_of_data(&mut self, name: &'static str) -> usize {
        let n = 1 + self.random.below(2);
        let number = if self.random.chance(25) {
            self.idioms.note("tuple struct");
            let fields = (0..n).map(|i| self.bounded(i.to_string(), |s| s.leaf())).collect();
            self.define(name, Shape::TupleStruct(fields))
        } else {
            let fields = (0..n).map(|i| self.bounded(["x", "y"][i], |s| s.leaf_or_small())).collect();
            self.define(name, Shape::Struct(fields))
        };
        self.structs.push(number);
        number
    }

    fn enum_of_data(&mut self) -> usize {
        self.idioms.note("enum with payloads");
        let mut variants = vec![Variant { name: "Nothing", fields: vec![], is_named: false }];
        let single = self.bounded("0", |s| s.leaf());
        variants.push(Variant { name: "One", fields: vec![single], is_named: false });
        if self.random.chance(60) {
            let fields =
                vec![self.bounded("left", |s| s.leaf()), self.bounded("right", |s| s.leaf_or_small())];
            variants.push(Variant { name: "Both", fields, is_named: true });
        }
        let number = self.define("Event", Shape::Enum(variants));
        self.enums.push(number);
        number
    }

    /// A field with random bounds.
    fn bounded(&mut self, name: impl Into<String>, ty: impl FnOnce(&mut Self) -> Type) -> Field {
        let mut field = Field::new(name, ty(self));
        let has = |condition: &dyn Fn(&Type) -> bool| field.ty.any(condition);
        let is_map = has(&|t| matches!(t, Type::Map { .. }));
        // Bounds are those of a field, with everything in it. Keys have the same bounds everywhere.
        let is_int = has(&|t| matches!(t, Type::Int(_))) && !is_map && !has(&|t| *t == Type::Key);
        let is_long = has(&|t| {
            matches!(
                t,
                Type::Vec(_)
                    | Type::Deque(_)
                    | Type::Slice(_)
                    | Type::Text
                    | Type::Set { .. }
                    | Type::Map { .. }
            )
        });
        let has_letters = has(&|t| matches!(t, Type::Char | Type::Text)) && !is_map;
        let is_signed = !has(&|t| matches!(t, Type::Int(name) if name.starts_with('u')));
        if is_int && self.random.chance(35) {
            field.bound.ints = match self.random.below(3) {
                0 => {
                    let low = if is_signed { -1 } else { self.random.below(2) as i64 };
                    Ints::Range(low, low + self.random.below(3) as i64)
                }
                1 => Ints::List(if is_signed { vec![2, -2, 0] } else { vec![1, 3] }),
                _ => Ints::UpToScope,
            };
        }
        if is_long && self.random.chance(70) {
            let low = self.random.below(2);
            field.bound.length = Some((low, low + 1 + self.random.below(2)));
        }
        if has_letters && self.random.chance(30) {
            field.bound.alphabet = Some("xy");
        }
        if matches!(field.ty, Type::Named(_)) && self.model.is_plain_enum(&field.ty) && self.random.chance(12)
        {
            self.idioms.note("bounds on variants");
            let variants = self.model.types[self.plain[0]].shape.plain_variants();
            field.bound.variant = Some(*self.random.pick(variants));
        }
        let is_pointer = |t: &Type| matches!(t, Type::Box(_) | Type::Rc(_) | Type::Arc(_));
        if field.ty.any(&is_pointer) && !self.model.has_parts && self.random.chance(25) {
            self.idioms.note("named pool");
            field.pool = Some("cache");
        }
        if matches!(&field.ty, Type::Option(t) if matches!(**t, Type::Box(_) | Type::Rc(_) | Type::Arc(_)))
            && self.random.chance(20)
        {
            self.idioms.note("non-null pointer");
            field.bound.is_never_null = true;
        }
        if field.bound != super::types::UNBOUND && field.bound.ints != Ints::UpToScope {
            field.bound.is_by_test = self.random.chance(35);
            self.idioms.note(if field.bound.is_by_test {
                "bounds in the test"
            } else {
                "bounds in attributes"
            });
        }
        field
    }

    /// Plain data.
    fn leaf(&mut self) -> Type {
        match self.random.below(12) {
            0..5 => {
                let name = *self.random.pick(&INTS);
                self.idioms.note("integer");
                Type::Int(name)
            }
            6 | 7 => {
                self.idioms.note("bool");
                Type::Bool
            }
            8 => {
                self.idioms.note("char");
                Type::Char
            }
            5 | 11 if self.has_keys => {
                self.idioms.note("Key");
                Type::Key
            }
            9 | 10 if !self.plain.is_empty() => Type::Named(*self.random.pick(&self.plain)),
            _ if self.has_keys => {
                self.idioms.note("Key");
                Type::Key
            }
            _ => Type::Int("u8"),
        }
    }

    fn leaf_or_small(&mut self) -> Type {
        match self.random.below(4) {
            0 => Type::Option(boxed(self.leaf())),
            1 if self.random.chance(30) => {
                self.idioms.note("tuple");
                Type::Tuple(vec![self.leaf(), self.leaf()])
            }
            _ => self.leaf(),
        }
    }

    /// Data that can be hashed and ordered.
    fn key(&mut self) -> Type {
        match self.random.below(5) {
            0 => Type::Bool,
            1 => Type::Char,
            2 if !self.plain.is_empty() => Type::Named(*self.random.pick(&self.plain)),
            3 => Type::Int("usize"),
            4 if self.has_keys => {
                self.idioms.note("Key");
                Type::Key
            }
            _ => Type::Int("u8"),
        }
    }

    fn a_struct(&mut self) -> usize {
        match self.structs.last() {
            Some(number) if self.random.chance(50) => *number,
            _ if self.structs.len() < 2 => {
                let name = ["Item", "Extra"][self.structs.len()];
                self.struct_of_data(name)
            }
            _ => self.structs[0],
        }
    }

    fn an_enum(&mut self) -> usize {
        match self.enums.last() {
            Some(number) => *number,
            None => self.enum_of_data(),
        }
    }

    /// A struct or enum that pointers or vectors lead to. Several fields may lead to the same type, each in its own way.
    fn pointee(&mut self) -> Type {
        let number = if self.random.chance(75) { self.a_struct() } else { self.an_enum() };
        let is_apart = self.owned.contains(&number) && (self.model.has_parts || self.random.chance(50));
        let number = if is_apart { self.fresh_struct() } else { number };
        if self.owned.contains(&number) {
            self.idioms.note("several owners");
        }
        self.owned.push(number);
        Type::Named(number)
    }

    /// The type of a field of any kind.
    fn any(&mut self) -> Type {
        let choice = self.random.below(33);
        match choice {
            0..5 => self.leaf(),
            5 | 30 => {
                self.idioms.note("String");
                Type::Text
            }
            6 => {
                self.idioms.note("Option of data");
                match self.random.below(5) {
                    0 => Type::Option(boxed(Type::Vec(boxed(self.leaf())))),
                    1 => Type::Option(boxed(Type::Tuple(vec![Type::Bool, Type::Int("u8")]))),
                    _ => Type::Option(boxed(self.leaf())),
                }
            }
            7 => {
                self.idioms.note("tuple");
                let n = 2 + self.random.below(2);
                Type::Tuple((0..n).map(|_| self.leaf_or_small()).collect())
            }
            8 => {
                self.idioms.note("array");
                let n = 1 + self.random.below(3);
                let inner =
                    if self.random.chance(30) { Type::Option(boxed(self.leaf())) } else { self.leaf() };
                Type::Array(boxed(inner), n)
            }
            9..12 | 31 => {
                self.idioms.note("Vec of data");
                let inner = if self.random.chance(40) { Type::Int("u8") } else { self.leaf() };
                Type::Vec(boxed(inner))
            }
            12 => {
                self.idioms.note("VecDeque");
                Type::Deque(boxed(self.leaf()))
            }
            13 => {
                self.idioms.note("boxed slice");
                Type::Slice(boxed(self.leaf()))
            }
            14 => {
                self.idioms.note("Cell");
                Type::Cell(boxed(self.leaf()))
            }
            15 => {
                self.idioms.note("RefCell");
                let inner = match self.random.below(3) {
                    0 => Type::Vec(boxed(self.leaf())),
                    1 => Type::Option(boxed(self.leaf())),
                    _ => self.leaf(),
                };
                Type::RefCell(boxed(inner))
            }
            16 | 32 => {
                let is_hashed = self.random.chance(40);
                self.idioms.note(if is_hashed { "HashSet" } else { "BTreeSet" });
                Type::Set { is_hashed, key: boxed(self.key()) }
            }
            17 | 18 => {
                let is_hashed = self.random.chance(40);
                self.idioms.note(if is_hashed { "HashMap" } else { "BTreeMap" });
                let value = match self.random.below(5) {
                    0 => Type::Named(self.a_struct()),
                    4 => Type::Box(boxed(self.pointee())),
                    1 => Type::Vec(boxed(Type::Bool)),
                    2 => Type::Option(boxed(Type::Bool)),
                    _ => self.leaf(),
                };
                Type::Map { is_hashed, key: boxed(self.key()), value: boxed(value) }
            }
            19 => {
                self.idioms.note("struct by value");
                Type::Named(self.a_struct())
            }
            20 | 21 => {
                let number = self.an_enum();
                if self.random.chance(45) {
                    self.idioms.note("Option of an enum");
                    Type::Option(boxed(Type::Named(number)))
                } else {
                    Type::Named(number)
                }
            }
            22 => {
                self.idioms.note("Vec of structures");
                let inner = boxed(self.pointee());
                match self.random.below(5) {
                    0 => Type::Deque(inner),
                    1 => Type::Slice(inner),
                    _ => Type::Vec(inner),
                }
            }
            23 => {
                self.idioms.note("Box");
                let inner = Type::Box(boxed(self.pointee()));
                if self.random.chance(50) { Type::Option(boxed(inner)) } else { inner }
            }
            24 => {
                self.idioms.note("Rc");
                let pointee = self.pointee();
                let in_cell = self.random.chance(30) && !self.model.is_enum_with_fields(&pointee);
                let inner = Type::Rc(boxed(if in_cell { Type::RefCell(boxed(pointee)) } else { pointee }));
                if self.random.chance(60) { Type::Option(boxed(inner)) } else { Type::Vec(boxed(inner)) }
            }
            25 => {
                self.idioms.note("Arc");
                let inner = Type::Arc(boxed(self.pointee()));
                if self.random.chance(60) { Type::Option(boxed(inner)) } else { inner }
            }
            // Once, because data behind pointers has the bounds of the first field that leads to it.
            26 if !self.has_pointer_to_data => {
                self.idioms.note("pointer to data");
                self.has_pointer_to_data = true;
                let int = Type::Int("u32");
                if self.random.chance(50) { Type::Box(boxed(int)) } else { Type::Rc(boxed(Type::Int("u16"))) }
            }
            27 => {
                self.idioms.note("nested vectors");
                match self.random.below(3) {
                    0 => Type::Vec(boxed(Type::Vec(boxed(Type::Bool)))),
                    1 => Type::Vec(boxed(Type::Option(boxed(self.leaf())))),
                    // Inside of another type, a tuple can have no enum.
                    _ => Type::Vec(boxed(Type::Tuple(vec![Type::Int("u8"), Type::Bool]))),
                }
            }
            28 => {
                self.idioms.note("listed values");
                Type::Listed
            }
            _ => {
                self.idioms.note("unit and phantom");
                if self.random.chance(50) { Type::Unit } else { Type::Phantom }
            }
        }
    }
}
