//! Closed terms of the lambda calculus, and well-typed ones: the checker is the invariant.

use smallscope::{Bounded, Bounds, rep_ok};

/// A term without types, with its number of nodes. Variables are numbers of binders, from the inside.
#[derive(Bounded, Debug, Clone)]
pub struct ClosedTerm {
    term: Box<Term>,
    size: usize,
}

#[derive(Bounded, Debug, Clone)]
enum Term {
    Variable(u8),
    Lambda(Box<Term>),
    Call(Box<Term>, Box<Term>),
}

#[rep_ok]
impl ClosedTerm {
    /// The size is right, and every variable has a binder.
    pub fn rep_ok(&self) -> bool {
        Self::count(&self.term) == self.size && Self::is_closed(&self.term, 0)
    }

    fn count(term: &Term) -> usize {
        match term {
            Term::Variable(_) => 1,
            Term::Lambda(body) => 1 + Self::count(body),
            Term::Call(function, argument) => 1 + Self::count(function) + Self::count(argument),
        }
    }

    fn is_closed(term: &Term, binders: u8) -> bool {
        match term {
            Term::Variable(i) => *i < binders,
            Term::Lambda(body) => Self::is_closed(body, binders + 1),
            Term::Call(function, argument) => {
                Self::is_closed(function, binders) && Self::is_closed(argument, binders)
            }
        }
    }
}

/// A number of nodes in a range.
pub fn bounds(min_size: i64, max_size: i64) -> Bounds {
    Bounds::exact()
        .objects("Term", max_size.max(1) as u32)
        .ints("ClosedTerm.size", min_size..=max_size)
        .ints("Term::Variable.0", 0..=max_size)
}

/// A well-typed closed term, with its number of nodes.
#[derive(Bounded, Debug, Clone)]
pub struct TypedProgram {
    term: Box<TypedTerm>,
    size: usize,
}

#[derive(Bounded, Debug, Clone)]
enum TypedTerm {
    Variable(u8),
    /// The argument is a function from base to base, or of the base type.
    Lambda(bool, Box<TypedTerm>),
    Call(Box<TypedTerm>, Box<TypedTerm>),
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Type {
    Base,
    Function(Box<Type>, Box<Type>),
}

fn annotation(is_function: bool) -> Type {
    let base = || Box::new(Type::Base);
    if is_function { Type::Function(base(), base()) } else { Type::Base }
}

#[rep_ok(opaque(Type))]
impl TypedProgram {
    /// The size is right, and the term has a type.
    pub fn rep_ok(&self) -> bool {
        Self::count(&self.term) == self.size && Self::type_of(&self.term, vec![]).is_some()
    }

    fn count(term: &TypedTerm) -> usize {
        match term {
            TypedTerm::Variable(_) => 1,
            TypedTerm::Lambda(_, body) => 1 + Self::count(body),
            TypedTerm::Call(function, argument) => 1 + Self::count(function) + Self::count(argument),
        }
    }

    fn type_of(term: &TypedTerm, context: Vec<Type>) -> Option<Type> {
        match term {
            TypedTerm::Variable(i) => context.iter().rev().nth(usize::from(*i)).cloned(),
            TypedTerm::Lambda(is_function, body) => {
                let of = annotation(*is_function);
                let mut inner = context;
                inner.push(of.clone());
                let to = Self::type_of(body, inner)?;
                Some(Type::Function(Box::new(of), Box::new(to)))
            }
            TypedTerm::Call(function, argument) => {
                let function = Self::type_of(function, context.clone())?;
                let argument = Self::type_of(argument, context)?;
                match function {
                    Type::Function(of, to) if *of == argument => Some(*to),
                    _ => None,
                }
            }
        }
    }
}

/// A number of nodes in a range.
pub fn typed_bounds(min_size: i64, max_size: i64) -> Bounds {
    Bounds::exact()
        .objects("TypedTerm", max_size.max(1) as u32)
        .ints("TypedProgram.size", min_size..=max_size)
        .ints("TypedTerm::Variable.0", 0..=max_size)
}
