//! The workload STLC: the simply typed lambda calculus with booleans, with ten mutants of its substitution.

use crate::task::named;
use smallscope::{Bounded, rep_ok};

/// A closed term that has a type.
#[derive(Bounded, Debug, Clone)]
pub struct Program {
    term: Box<Term>,
}

#[derive(Bounded, Debug, Clone, PartialEq)]
enum Term {
    /// The number of binders between a variable and its own.
    Variable(i16),
    Boolean(bool),
    /// A function with the type of its argument.
    Function(Type, Box<Term>),
    Call(Box<Term>, Box<Term>),
}

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
enum Type {
    Boolean,
    Function(Box<Type>, Box<Type>),
}

#[rep_ok]
impl Program {
    /// The term has a type, and no free variable.
    pub fn rep_ok(&self) -> bool {
        Self::type_of(&self.term, &mut vec![]).is_some()
    }

    fn type_of(term: &Term, context: &mut Vec<Type>) -> Option<Type> {
        match term {
            Term::Variable(i) => {
                let i = usize::try_from(*i).ok()?;
                context.iter().rev().nth(i).cloned()
            }
            Term::Boolean(_) => Some(Type::Boolean),
            Term::Function(from, body) => {
                context.push(from.clone());
                let to = Self::type_of(body, context);
                context.pop();
                Some(Type::Function(Box::new(from.clone()), Box::new(to?)))
            }
            Term::Call(function, argument) => {
                let Type::Function(from, to) = Self::type_of(function, context)? else { return None };
                if Self::type_of(argument, context)? == *from { Some(*to) } else { None }
            }
        }
    }
}

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is described where it is switched on")]
pub enum Mutant {
    None,
    ShiftVarNone,
    ShiftVarAll,
    ShiftVarLeq,
    ShiftAbsNoIncr,
    SubstVarAll,
    SubstVarNone,
    SubstAbsNoShift,
    SubstAbsNoIncr,
    SubstTopNoShift,
    SubstTopNoShiftBack,
}

impl Term {
    /// Adds a number to all variables that are free behind so many binders.
    fn shift(&self, by: i16, binders: i16, mutant: Mutant) -> Term {
        match self {
            Term::Variable(i) => {
                let is_shifted = match mutant {
                    Mutant::ShiftVarNone => false,
                    Mutant::ShiftVarAll => true,
                    // One too few.
                    Mutant::ShiftVarLeq => *i > binders,
                    _ => *i >= binders,
                };
                Term::Variable(if is_shifted { i + by } else { *i })
            }
            Term::Boolean(b) => Term::Boolean(*b),
            Term::Function(from, body) => {
                // The binder is not counted.
                let inner = if mutant == Mutant::ShiftAbsNoIncr { binders } else { binders + 1 };
                Term::Function(from.clone(), Box::new(body.shift(by, inner, mutant)))
            }
            Term::Call(function, argument) => Term::Call(
                Box::new(function.shift(by, binders, mutant)),
                Box::new(argument.shift(by, binders, mutant)),
            ),
        }
    }

    /// Puts a term in the place of a variable.
    fn substitute(&self, variable: i16, by: &Term, mutant: Mutant) -> Term {
        match self {
            Term::Variable(i) => {
                let is_replaced = match mutant {
                    Mutant::SubstVarAll => true,
                    Mutant::SubstVarNone => false,
                    _ => *i == variable,
                };
                if is_replaced { by.clone() } else { Term::Variable(*i) }
            }
            Term::Boolean(b) => Term::Boolean(*b),
            Term::Function(from, body) => {
                // Without these, the variables of the term, or the variable itself, mean other binders inside.
                let by = if mutant == Mutant::SubstAbsNoShift { by.clone() } else { by.shift(1, 0, mutant) };
                let variable = if mutant == Mutant::SubstAbsNoIncr { variable } else { variable + 1 };
                Term::Function(from.clone(), Box::new(body.substitute(variable, &by, mutant)))
            }
            Term::Call(function, argument) => Term::Call(
                Box::new(function.substitute(variable, by, mutant)),
                Box::new(argument.substitute(variable, by, mutant)),
            ),
        }
    }

    /// The body of a function that is called.
    fn called_with(&self, argument: &Term, mutant: Mutant) -> Term {
        let argument = match mutant {
            Mutant::SubstTopNoShift => argument.clone(),
            _ => argument.shift(1, 0, mutant),
        };
        let result = self.substitute(0, &argument, mutant);
        if mutant == Mutant::SubstTopNoShiftBack { result } else { result.shift(-1, 0, mutant) }
    }

    /// Reduces all calls of functions that the term has now.
    fn reduced(&self, mutant: Mutant) -> Term {
        match self {
            Term::Variable(_) | Term::Boolean(_) => self.clone(),
            Term::Function(from, body) => Term::Function(from.clone(), Box::new(body.reduced(mutant))),
            Term::Call(function, argument) => match &**function {
                Term::Function(_, body) => {
                    body.reduced(mutant).called_with(&argument.reduced(mutant), mutant)
                }
                _ => Term::Call(Box::new(function.reduced(mutant)), Box::new(argument.reduced(mutant))),
            },
        }
    }
}

/// So many steps are taken. A term that has grown to more than `LARGEST` nodes is not reduced further.
const STEPS: usize = 40;
const LARGEST: usize = 10_000;

fn nodes(term: &Term) -> usize {
    match term {
        Term::Variable(_) | Term::Boolean(_) => 1,
        Term::Function(from, body) => 1 + nested(from) + nodes(body),
        Term::Call(function, argument) => 1 + nodes(function) + nodes(argument),
    }
}

/// The function types inside a type.
fn nested(of: &Type) -> usize {
    let counted = |of: &Type| nested(of) + usize::from(*of != Type::Boolean);
    match of {
        Type::Boolean => 0,
        Type::Function(from, to) => counted(from) + counted(to),
    }
}

impl Program {
    /// The number of nodes of the term, and of function types inside the types of its arguments.
    pub fn nodes(&self) -> usize {
        nodes(&self.term)
    }

    fn preserves(&self, steps: usize, mutant: Mutant) -> bool {
        let of = Self::type_of(&self.term, &mut vec![]);
        let mut term = (*self.term).clone();
        for _ in 0..steps {
            let next = term.reduced(mutant);
            if next == term || nodes(&next) > LARGEST {
                break;
            }
            term = next;
        }
        Self::type_of(&term, &mut vec![]) == of
    }
}

/// One step keeps the type.
pub fn single_preserve(program: &Program, mutant: Mutant) -> bool {
    program.preserves(1, mutant)
}

/// Forty steps keep the type.
pub fn multi_preserve(program: &Program, mutant: Mutant) -> bool {
    program.preserves(STEPS, mutant)
}

/// The mutants. Each breaks both properties.
pub const MUTANTS: [(&str, Mutant); 10] = [
    ("shift_var_none", Mutant::ShiftVarNone),
    ("shift_var_all", Mutant::ShiftVarAll),
    ("shift_var_leq", Mutant::ShiftVarLeq),
    ("shift_abs_no_incr", Mutant::ShiftAbsNoIncr),
    ("subst_var_all", Mutant::SubstVarAll),
    ("subst_var_none", Mutant::SubstVarNone),
    ("subst_abs_no_shift", Mutant::SubstAbsNoShift),
    ("subst_abs_no_incr", Mutant::SubstAbsNoIncr),
    ("substTop_no_shift", Mutant::SubstTopNoShift),
    ("substTop_no_shift_back", Mutant::SubstTopNoShiftBack),
];

/// The mutant with a name; without a name, the original.
///
/// # Panics
///
/// If there is none.
pub(crate) fn mutant(name: Option<&str>) -> Mutant {
    name.map_or(Mutant::None, |name| named(MUTANTS, name))
}

type Property = fn(&Program, Mutant) -> bool;

/// The property with a name.
///
/// # Panics
///
/// If there is none.
pub(crate) fn property(name: &str) -> Property {
    let known: [(_, Property); 2] = [("SinglePreserve", single_preserve), ("MultiPreserve", multi_preserve)];
    named(known, name)
}

#[cfg(feature = "compared")]
mod compared {
    use super::*;
    use crate::compared::Naive;
    use proptest::strategy::{BoxedStrategy, Just, Strategy};
    use quickcheck::{Arbitrary, Gen};

    fn arbitrary_type(g: &mut Gen, depth: u32) -> Type {
        if depth == 0 || bool::arbitrary(g) {
            return Type::Boolean;
        }
        let from = Box::new(arbitrary_type(g, depth - 1));
        Type::Function(from, Box::new(arbitrary_type(g, depth - 1)))
    }

    fn arbitrary(g: &mut Gen, depth: u32) -> Term {
        match u8::arbitrary(g) % 4 {
            0 => Term::Variable((u8::arbitrary(g) % 4).into()),
            1 => Term::Boolean(bool::arbitrary(g)),
            _ if depth == 0 => Term::Boolean(bool::arbitrary(g)),
            2 => Term::Function(arbitrary_type(g, 2), Box::new(arbitrary(g, depth - 1))),
            _ => Term::Call(Box::new(arbitrary(g, depth - 1)), Box::new(arbitrary(g, depth - 1))),
        }
    }

    fn smaller(term: &Term) -> Vec<Term> {
        match term {
            Term::Variable(_) | Term::Boolean(_) => vec![],
            Term::Function(from, body) => {
                let mut all = vec![(**body).clone()];
                all.extend(
                    smaller(body).into_iter().map(|body| Term::Function(from.clone(), Box::new(body))),
                );
                all
            }
            Term::Call(function, argument) => {
                let mut all = vec![(**function).clone(), (**argument).clone()];
                all.extend(smaller(function).into_iter().map(|f| Term::Call(Box::new(f), argument.clone())));
                all.extend(smaller(argument).into_iter().map(|a| Term::Call(function.clone(), Box::new(a))));
                all
            }
        }
    }

    impl Naive for Program {
        fn is_valid(&self) -> bool {
            self.rep_ok()
        }

        fn nodes(&self) -> usize {
            Program::nodes(self)
        }

        fn arbitrary(g: &mut Gen) -> Program {
            Program { term: Box::new(arbitrary(g, 5)) }
        }

        fn smaller(&self) -> Vec<Program> {
            smaller(&self.term).into_iter().map(|term| Program { term: Box::new(term) }).collect()
        }

        fn strategy() -> BoxedStrategy<Program> {
            let types = Just(Type::Boolean).prop_recursive(2, 4, 2, |of| {
                (of.clone(), of).prop_map(|(from, to)| Type::Function(Box::new(from), Box::new(to)))
            });
            let variables = (0_i16..4).prop_map(Term::Variable);
            let leaves = proptest::prop_oneof![variables, proptest::bool::ANY.prop_map(Term::Boolean)];
            let terms = leaves.prop_recursive(5, 16, 2, move |term| {
                let function = (types.clone(), term.clone())
                    .prop_map(|(from, body)| Term::Function(from, Box::new(body)));
                let call = (term.clone(), term)
                    .prop_map(|(function, argument)| Term::Call(Box::new(function), Box::new(argument)));
                proptest::prop_oneof![function, call]
            });
            terms.prop_map(|term| Program { term: Box::new(term) }).boxed()
        }
    }
}
