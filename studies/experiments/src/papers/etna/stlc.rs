//! The simply typed lambda calculus with booleans, de Bruijn indices and parallel reduction, with ten errors.

use super::{Task, Trial};
use crate::experiment::Unfinished;
use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, rep_ok};

#[derive(Bounded, Debug, Clone, PartialEq, Eq, Hash)]
#[bounded(derive(Clone, PartialEq))]
enum Type {
    Bool,
    Fun(Box<Type>, Box<Type>),
}

#[derive(Bounded, Debug, Clone)]
enum Term {
    Var(u8),
    Bool(bool),
    Abs(Box<Type>, Box<Term>),
    App(Box<Term>, Box<Term>),
}

/// What is searched for: a closed term with a type. The size counts terms and types.
#[derive(Bounded, Debug, Clone)]
struct Program {
    term: Box<Term>,
    size: usize,
}

#[rep_ok]
impl Program {
    fn rep_ok(&self) -> bool {
        Self::count(&self.term) == self.size && Self::type_of(&self.term, vec![]).is_some()
    }

    fn count(term: &Term) -> usize {
        match term {
            Term::Var(_) | Term::Bool(_) => 1,
            Term::Abs(of, body) => 1 + Self::count_type(of) + Self::count(body),
            Term::App(function, argument) => 1 + Self::count(function) + Self::count(argument),
        }
    }

    fn count_type(of: &Type) -> usize {
        match of {
            Type::Bool => 1,
            Type::Fun(from, to) => 1 + Self::count_type(from) + Self::count_type(to),
        }
    }

    fn type_of(term: &Term, context: Vec<Type>) -> Option<Type> {
        match term {
            Term::Var(index) => context.iter().rev().nth(usize::from(*index)).cloned(),
            Term::Bool(_) => Some(Type::Bool),
            Term::Abs(of, body) => {
                let mut inner = context;
                inner.push((**of).clone());
                let to = Self::type_of(body, inner)?;
                Some(Type::Fun(of.clone(), Box::new(to)))
            }
            Term::App(function, argument) => {
                let function = Self::type_of(function, context.clone())?;
                let argument = Self::type_of(argument, context)?;
                match function {
                    Type::Fun(from, to) if *from == argument => Some(*to),
                    _ => None,
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Error {
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

const ERRORS: [(&str, Error); 10] = [
    ("shift_var_none", Error::ShiftVarNone),
    ("shift_var_all", Error::ShiftVarAll),
    ("shift_var_leq", Error::ShiftVarLeq),
    ("shift_abs_no_incr", Error::ShiftAbsNoIncr),
    ("subst_var_all", Error::SubstVarAll),
    ("subst_var_none", Error::SubstVarNone),
    ("subst_abs_no_shift", Error::SubstAbsNoShift),
    ("subst_abs_no_incr", Error::SubstAbsNoIncr),
    ("substTop_no_shift", Error::SubstTopNoShift),
    ("substTop_no_shift_back", Error::SubstTopNoShiftBack),
];

/// As published: steps of the property with many steps.
const STEPS: usize = 40;

/// Terms that grow beyond this are not reduced further.
const MOST_NODES: usize = 10_000;

/// Every error with both properties.
pub(super) fn tasks() -> Vec<Task> {
    ERRORS.iter().flat_map(|(error, _)| [(*error, "SinglePreserve"), (*error, "MultiPreserve")]).collect()
}

/// Tries all programs of a size.
pub(super) fn try_size(
    (error, property): Task,
    size: usize,
    trial: &mut Trial<'_>,
) -> Result<Option<String>, Unfinished> {
    let error = ERRORS.iter().find(|(name, _)| *name == error).map_or(Error::None, |(_, error)| *error);
    // A binder takes at least two of the size beside its body, so there are no more, and a type has at most the rest.
    let binders = size.saturating_sub(1) / 2;
    let bounds = Bounds::exact()
        .objects("Term", size.max(1) as u32)
        .objects("Type", size.saturating_sub(2).max(1) as u32)
        .ints("Program.size", size as i64..=size as i64)
        .ints("Term::Var.0", 0..=binders.saturating_sub(1) as i64);
    let mut search = Search::<Program>::new(&bounds, Options::default()).map_err(Unfinished::because)?;
    while let Some(program) = search.next_value() {
        let program = program.map_err(Unfinished::because)?;
        trial.count()?;
        let steps = if property == "SinglePreserve" { 1 } else { STEPS };
        let before = type_of(&program.term, &mut vec![]);
        let mut term = (*program.term).clone();
        for _ in 0..steps {
            term = step(error, &term);
            if Program::count(&term) > MOST_NODES {
                break;
            }
        }
        if type_of(&term, &mut vec![]) != before {
            return Ok(Some(show(&program.term)));
        }
    }
    Ok(None)
}

/// The type of a term; indices below zero have wrapped around and are not bound.
fn type_of(term: &Term, context: &mut Vec<Type>) -> Option<Type> {
    match term {
        Term::Var(index) => context.iter().rev().nth(usize::from(*index)).cloned(),
        Term::Bool(_) => Some(Type::Bool),
        Term::Abs(of, body) => {
            context.push((**of).clone());
            let to = type_of(body, context);
            context.pop();
            Some(Type::Fun(of.clone(), Box::new(to?)))
        }
        Term::App(function, argument) => match type_of(function, context)? {
            Type::Fun(from, to) if type_of(argument, context)? == *from => Some(*to),
            _ => None,
        },
    }
}

/// One step of parallel reduction.
fn step(error: Error, term: &Term) -> Term {
    match term {
        Term::Var(_) | Term::Bool(_) => term.clone(),
        Term::Abs(of, body) => Term::Abs(of.clone(), Box::new(step(error, body))),
        Term::App(function, argument) => {
            let argument = step(error, argument);
            match &**function {
                Term::Abs(_, body) => substitute_top(error, &argument, &step(error, body)),
                function => Term::App(Box::new(step(error, function)), Box::new(argument)),
            }
        }
    }
}

fn substitute_top(error: Error, by: &Term, body: &Term) -> Term {
    let shifted = if error == Error::SubstTopNoShift { by.clone() } else { shift(error, by, 1, 0) };
    let substituted = substitute(error, 0, &shifted, body);
    if error == Error::SubstTopNoShiftBack { substituted } else { shift(error, &substituted, -1, 0) }
}

fn shift(error: Error, term: &Term, distance: i8, cutoff: u8) -> Term {
    match term {
        Term::Var(index) => {
            let is_bound = match error {
                Error::ShiftVarNone => true,
                Error::ShiftVarAll => false,
                Error::ShiftVarLeq => *index <= cutoff,
                _ => *index < cutoff,
            };
            Term::Var(if is_bound { *index } else { index.wrapping_add_signed(distance) })
        }
        Term::Bool(_) => term.clone(),
        Term::Abs(of, body) => {
            let inner = if error == Error::ShiftAbsNoIncr { cutoff } else { cutoff + 1 };
            Term::Abs(of.clone(), Box::new(shift(error, body, distance, inner)))
        }
        Term::App(function, argument) => Term::App(
            Box::new(shift(error, function, distance, cutoff)),
            Box::new(shift(error, argument, distance, cutoff)),
        ),
    }
}

fn substitute(error: Error, at: u8, by: &Term, term: &Term) -> Term {
    match term {
        Term::Var(index) => match error {
            Error::SubstVarAll => by.clone(),
            Error::SubstVarNone => term.clone(),
            _ if *index == at => by.clone(),
            _ => term.clone(),
        },
        Term::Bool(_) => term.clone(),
        Term::Abs(of, body) => {
            let by = if error == Error::SubstAbsNoShift { by.clone() } else { shift(error, by, 1, 0) };
            let at = if error == Error::SubstAbsNoIncr { at } else { at + 1 };
            Term::Abs(of.clone(), Box::new(substitute(error, at, &by, body)))
        }
        Term::App(function, argument) => Term::App(
            Box::new(substitute(error, at, by, function)),
            Box::new(substitute(error, at, by, argument)),
        ),
    }
}

fn show(term: &Term) -> String {
    match term {
        Term::Var(index) => index.to_string(),
        Term::Bool(value) => value.to_string(),
        Term::Abs(of, body) => format!("(\\{}. {})", show_type(of), show(body)),
        Term::App(function, argument) => format!("({} {})", show(function), show(argument)),
    }
}

fn show_type(of: &Type) -> String {
    match of {
        Type::Bool => "bool".into(),
        Type::Fun(from, to) => format!("({} -> {})", show_type(from), show_type(to)),
    }
}
