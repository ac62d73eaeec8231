//! The types of a program, as data.

/// The type of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    Int(&'static str),
    Bool,
    Char,
    Unit,
    Text,
    Key,
    /// `f64` with listed values.
    Listed,
    Phantom,
    /// The type parameter of the root.
    Parameter,
    /// A type of the program, by its number.
    Named(usize),
    Option(Box<Type>),
    Cell(Box<Type>),
    RefCell(Box<Type>),
    Vec(Box<Type>),
    Deque(Box<Type>),
    Slice(Box<Type>),
    Array(Box<Type>, usize),
    Tuple(Vec<Type>),
    Set {
        is_hashed: bool,
        key: Box<Type>,
    },
    Map {
        is_hashed: bool,
        key: Box<Type>,
        value: Box<Type>,
    },
    Box(Box<Type>),
    Rc(Box<Type>),
    Arc(Box<Type>),
    RcWeak(Box<Type>),
    ArcWeak(Box<Type>),
    Raw {
        is_mutable: bool,
        target: usize,
    },
    NonNull(usize),
    /// An index into the arena.
    Place,
    MaybePlace,
}

impl Type {
    /// The same with the type that the parameter stands for.
    pub fn is_copy(&self) -> bool {
        matches!(self, Type::Int(_) | Type::Bool | Type::Char | Type::Key | Type::Place | Type::Parameter)
    }

    /// The types that this type has as arguments.
    pub fn arguments(&self) -> Vec<&Type> {
        match self {
            Type::Option(t)
            | Type::Cell(t)
            | Type::RefCell(t)
            | Type::Vec(t)
            | Type::Deque(t)
            | Type::Slice(t)
            | Type::Array(t, _)
            | Type::Box(t)
            | Type::Rc(t)
            | Type::Arc(t)
            | Type::RcWeak(t)
            | Type::ArcWeak(t)
            | Type::Set { key: t, .. } => vec![t],
            Type::Map { key, value, .. } => vec![key, value],
            Type::Tuple(types) => types.iter().collect(),
            _ => vec![],
        }
    }

    /// Whether a type satisfies a condition, or one of its arguments does.
    pub fn any(&self, condition: &dyn Fn(&Type) -> bool) -> bool {
        condition(self) || self.arguments().into_iter().any(|argument| argument.any(condition))
    }
}

/// The integers of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Ints {
    OfScope,
    Range(i64, i64),
    UpToScope,
    List(Vec<i64>),
}

/// The bounds of a field.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    pub ints: Ints,
    pub length: Option<(usize, usize)>,
    pub alphabet: Option<&'static str>,
    /// Only this variant of a plain enum.
    pub variant: Option<&'static str>,
    pub is_never_null: bool,
    /// The bounds are set by the test and not by an attribute.
    pub is_by_test: bool,
}

pub const UNBOUND: Bound = Bound {
    ints: Ints::OfScope,
    length: None,
    alphabet: None,
    variant: None,
    is_never_null: false,
    is_by_test: false,
};

#[derive(Debug, Clone)]
pub struct Field {
    pub name: String,
    pub ty: Type,
    pub bound: Bound,
    pub part: Option<&'static str>,
    /// Objects behind the field have their own pool.
    pub pool: Option<&'static str>,
    /// Invariants of parts do not matter here.
    pub is_unchecked: bool,
    /// Computed by a method that counts something.
    pub is_derived: bool,
}

impl Field {
    pub fn new(name: impl Into<String>, ty: Type) -> Field {
        Field {
            name: name.into(),
            ty,
            bound: UNBOUND,
            part: None,
            pool: None,
            is_unchecked: false,
            is_derived: false,
        }
    }
}

#[derive(Debug, Clone)]
pub struct Variant {
    pub name: &'static str,
    pub fields: Vec<Field>,
    pub is_named: bool,
}

#[derive(Debug, Clone)]
pub enum Shape {
    /// With named fields.
    Struct(Vec<Field>),
    TupleStruct(Vec<Field>),
    /// No variant has fields.
    Plain(Vec<&'static str>),
    Enum(Vec<Variant>),
}

impl Shape {
    /// The variants of a plain enum.
    pub fn plain_variants(&self) -> &[&'static str] {
        match self {
            Shape::Plain(variants) => variants,
            _ => &[],
        }
    }
}

/// Where the limit of a pool is set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Objects {
    OfScope,
    ByAttribute(usize),
    ByTest(usize),
}

#[derive(Debug, Clone)]
pub struct Definition {
    pub name: &'static str,
    pub shape: Shape,
    pub objects: Objects,
    /// The mirror can be compared.
    pub is_comparable: bool,
    /// The type has an invariant, although it is not the root.
    pub has_invariant: bool,
}

impl Definition {
    pub fn new(name: &'static str, shape: Shape) -> Definition {
        Definition { name, shape, objects: Objects::OfScope, is_comparable: false, has_invariant: false }
    }

    /// The fields of a struct.
    pub fn fields(&self) -> &[Field] {
        match &self.shape {
            Shape::Struct(fields) | Shape::TupleStruct(fields) => fields,
            _ => &[],
        }
    }

    /// All fields, of all variants.
    pub fn all_fields(&self) -> Vec<&Field> {
        match &self.shape {
            Shape::Struct(fields) | Shape::TupleStruct(fields) => fields.iter().collect(),
            Shape::Plain(_) => vec![],
            Shape::Enum(variants) => variants.iter().flat_map(|variant| &variant.fields).collect(),
        }
    }
}

/// The types of a program. The first one is the root.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The number of the program.
    pub number: usize,
    pub types: Vec<Definition>,
    /// What the type parameter of the root stands for.
    pub parameter: Option<Type>,
    /// The root is an arena: the type of its elements.
    pub arena: Option<usize>,
    pub has_parts: bool,
    /// Patterns name the variants of the enum `Event` without it.
    pub has_bare_variants: bool,
    /// Pointers that may form cycles, so an invariant must not follow them without end.
    pub has_cycles: bool,
}

impl Model {
    pub fn root(&self) -> &Definition {
        &self.types[0]
    }

    /// Whether the root or any other type has a field whose type satisfies a condition.
    pub fn any(&self, condition: &dyn Fn(&Type) -> bool) -> bool {
        let fields = self.types.iter().flat_map(|definition| definition.all_fields());
        fields.into_iter().any(|field| field.ty.any(condition))
    }

    /// Whether a value of the type is plain data without fields.
    pub fn is_plain_enum(&self, ty: &Type) -> bool {
        matches!(ty, Type::Named(number) if matches!(self.types[*number].shape, Shape::Plain(_)))
    }

    pub fn is_enum_with_fields(&self, ty: &Type) -> bool {
        matches!(ty, Type::Named(number) if matches!(self.types[*number].shape, Shape::Enum(_)))
    }

    /// Whether values are copied where an invariant uses them.
    pub fn is_copy(&self, ty: &Type) -> bool {
        ty.is_copy() || self.is_plain_enum(ty)
    }

    /// The limit of a pool.
    pub fn limit(&self, ty: &Type) -> String {
        match ty {
            Type::Named(number) => match self.types[*number].objects {
                Objects::OfScope => "c.scope()".into(),
                Objects::ByAttribute(n) | Objects::ByTest(n) => n.to_string(),
            },
            Type::Cell(inner) | Type::RefCell(inner) => self.limit(inner),
            _ => "c.scope()".into(),
        }
    }

    /// The type as source.
    pub fn text(&self, ty: &Type) -> String {
        let inner = |t: &Type| self.text(t);
        match ty {
            Type::Int(name) => (*name).to_owned(),
            Type::Bool => "bool".into(),
            Type::Char => "char".into(),
            Type::Unit => "()".into(),
            Type::Text => "String".into(),
            Type::Key => "Key".into(),
            Type::Listed => "f64".into(),
            Type::Phantom => "PhantomData<u8>".into(),
            Type::Parameter => "K".into(),
            Type::Named(number) => self.name(*number),
            Type::Option(t) => format!("Option<{}>", inner(t)),
            Type::Cell(t) => format!("Cell<{}>", inner(t)),
            Type::RefCell(t) => format!("RefCell<{}>", inner(t)),
            Type::Vec(t) => format!("Vec<{}>", inner(t)),
            Type::Deque(t) => format!("VecDeque<{}>", inner(t)),
            Type::Slice(t) => format!("Box<[{}]>", inner(t)),
            Type::Array(t, n) => format!("[{}; {n}]", inner(t)),
            Type::Tuple(types) => {
                format!("({})", types.iter().map(|t| inner(t) + ", ").collect::<String>().trim_end())
            }
            Type::Set { is_hashed, key } => {
                format!("{}<{}>", if *is_hashed { "HashSet" } else { "BTreeSet" }, inner(key))
            }
            Type::Map { is_hashed, key, value } => {
                let name = if *is_hashed { "HashMap" } else { "BTreeMap" };
                format!("{name}<{}, {}>", inner(key), inner(value))
            }
            Type::Box(t) => format!("Box<{}>", inner(t)),
            Type::Rc(t) => format!("Rc<{}>", inner(t)),
            Type::Arc(t) => format!("Arc<{}>", inner(t)),
            Type::RcWeak(t) => format!("std::rc::Weak<{}>", inner(t)),
            Type::ArcWeak(t) => format!("std::sync::Weak<{}>", inner(t)),
            Type::Raw { is_mutable, target } => {
                format!("*{} {}", if *is_mutable { "mut" } else { "const" }, self.name(*target))
            }
            Type::NonNull(target) => format!("NonNull<{}>", self.name(*target)),
            Type::Place => "usize".into(),
            Type::MaybePlace => "Option<usize>".into(),
        }
    }

    /// Whether the type has the parameter of the root.
    pub fn is_generic(&self, number: usize) -> bool {
        self.parameter.is_some() && self.is_generic_below(number, &mut vec![])
    }

    fn is_generic_below(&self, number: usize, seen: &mut Vec<usize>) -> bool {
        if seen.contains(&number) {
            return false;
        }
        seen.push(number);
        let mut named = vec![];
        for field in self.types[number].all_fields() {
            if field.ty.any(&|t| *t == Type::Parameter) {
                return true;
            }
            collect_named(&field.ty, &mut named);
        }
        named.into_iter().any(|number| self.is_generic_below(number, seen))
    }

    /// A type of the program with its parameter.
    pub fn name(&self, number: usize) -> String {
        let name = self.types[number].name;
        if self.is_generic(number) { format!("{name}<K>") } else { name.into() }
    }
}

fn collect_named(ty: &Type, named: &mut Vec<usize>) {
    match ty {
        Type::Named(number) | Type::Raw { target: number, .. } | Type::NonNull(number) => named.push(*number),
        _ => ty.arguments().into_iter().for_each(|argument| collect_named(argument, named)),
    }
}
