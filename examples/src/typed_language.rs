//! A simply typed lambda calculus with numbers and pairs, and a compiler. Its type checker is the only generator of test
//! programs.
//!
//! The type checker is an ordinary recursive function. As the invariant of [`Program`], it makes smallscope generate exactly
//! the programs that it accepts: every small one, and then random large ones, each as likely as every other.

use std::rc::Rc;

/// A program: a term without free variables that computes a number.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(smallscope::Bounded))]
pub struct Program {
    /// The term.
    pub term: Box<Term>,
}

/// A term. Variables are numbers of functions around them, from the inside.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(smallscope::Bounded))]
pub enum Term {
    /// A number.
    Number(u8),
    /// The parameter of a function around it.
    Variable(u8),
    /// The sum of two numbers.
    Add(Box<Term>, Box<Term>),
    /// A function: the type of its parameter, and its body.
    Function(Annotation, Box<Term>),
    /// A function applied to an argument.
    Apply(Box<Term>, Box<Term>),
    /// A pair of numbers.
    Pair(Box<Term>, Box<Term>),
    /// The first number of a pair.
    First(Box<Term>),
    /// The second number of a pair.
    Second(Box<Term>),
}

/// The type of a parameter, as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(test, derive(smallscope::Bounded))]
pub enum Annotation {
    /// A number.
    Number,
    /// A function from numbers to numbers.
    Function,
}

/// The type of a term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Type {
    /// A number.
    Number,
    /// A pair of numbers.
    Pair,
    /// A function from one type to another.
    Function(Rc<(Type, Type)>),
}

impl Type {
    fn function(from: Type, to: Type) -> Type {
        Type::Function(Rc::new((from, to)))
    }

    /// What a function of this type returns, if it takes an argument of that type.
    fn applied_to(&self, argument: &Type) -> Option<Type> {
        match self {
            Type::Function(of) if of.0 == *argument => Some(of.1.clone()),
            _ => None,
        }
    }
}

/// No term has more variables in scope.
const MOST_VARIABLES: usize = 2;

#[cfg_attr(test, smallscope::rep_ok(opaque(Type)))]
impl Program {
    /// Whether the program is well-typed and computes a number.
    pub fn rep_ok(&self) -> bool {
        Self::type_of(&self.term, vec![]) == Some(Type::Number)
    }

    /// The type of a term, if the variables in scope have these types.
    fn type_of(term: &Term, context: Vec<Type>) -> Option<Type> {
        match term {
            Term::Number(_) => Some(Type::Number),
            Term::Variable(i) => context.iter().rev().nth(usize::from(*i)).cloned(),
            Term::Add(a, b) => {
                let are_numbers = Self::is_number(a, context.clone()) && Self::is_number(b, context);
                are_numbers.then_some(Type::Number)
            }
            Term::Function(annotation, body) => {
                if context.len() == MOST_VARIABLES {
                    return None;
                }
                let from = match annotation {
                    Annotation::Number => Type::Number,
                    Annotation::Function => Type::function(Type::Number, Type::Number),
                };
                let mut inner = context;
                inner.push(from.clone());
                Some(Type::function(from, Self::type_of(body, inner)?))
            }
            Term::Apply(function, argument) => {
                let of = Self::type_of(function, context.clone())?;
                of.applied_to(&Self::type_of(argument, context)?)
            }
            Term::Pair(a, b) => {
                let are_numbers = Self::is_number(a, context.clone()) && Self::is_number(b, context);
                are_numbers.then_some(Type::Pair)
            }
            Term::First(pair) | Term::Second(pair) => {
                (Self::type_of(pair, context)? == Type::Pair).then_some(Type::Number)
            }
        }
    }

    fn is_number(term: &Term, context: Vec<Type>) -> bool {
        Self::type_of(term, context) == Some(Type::Number)
    }
}

/// A value of the language.
#[derive(Debug, Clone)]
pub enum Value {
    /// A number.
    Number(i64),
    /// A pair of numbers.
    Pair(i64, i64),
    /// A function: its body, and the variables around it.
    Function(Body, Vec<Value>),
}

/// The body of a function: as it was written, or compiled.
#[derive(Debug, Clone)]
pub enum Body {
    /// As it was written.
    Term(Box<Term>),
    /// Compiled.
    Code(Rc<[Instruction]>),
}

impl Value {
    /// The number.
    pub fn number(&self) -> i64 {
        match self {
            Value::Number(n) => *n,
            other => panic!("{other:?} where a number is needed"),
        }
    }

    fn pair(&self) -> (i64, i64) {
        match self {
            Value::Pair(first, second) => (*first, *second),
            other => panic!("{other:?} where a pair is needed"),
        }
    }
}

impl Term {
    /// Computes the value: what the language means.
    pub fn evaluate(&self, variables: &[Value]) -> Value {
        match self {
            Term::Number(n) => Value::Number((*n).into()),
            Term::Variable(i) => variables[variables.len() - 1 - usize::from(*i)].clone(),
            Term::Add(a, b) => Value::Number(a.evaluate(variables).number() + b.evaluate(variables).number()),
            Term::Function(_, body) => Value::Function(Body::Term(body.clone()), variables.to_vec()),
            Term::Apply(function, argument) => match function.evaluate(variables) {
                Value::Function(Body::Term(body), mut inner) => {
                    inner.push(argument.evaluate(variables));
                    body.evaluate(&inner)
                }
                other => panic!("{other:?} where a function is needed"),
            },
            Term::Pair(a, b) => Value::Pair(a.evaluate(variables).number(), b.evaluate(variables).number()),
            Term::First(pair) => Value::Number(pair.evaluate(variables).pair().0),
            Term::Second(pair) => Value::Number(pair.evaluate(variables).pair().1),
        }
    }
}

/// An instruction of a machine with registers. Registers are numbered, and the result is in register 0.
#[derive(Debug, Clone)]
pub enum Instruction {
    /// Puts a number into a register.
    Number(usize, i64),
    /// Puts a variable into a register.
    Load(usize, u8),
    /// Puts a function into a register, with the variables in scope.
    Function(usize, Rc<[Instruction]>),
    /// Adds the second register to the first.
    Add(usize, usize),
    /// Makes a pair of two registers in the first.
    Pair(usize, usize),
    /// Replaces a pair by its first number.
    First(usize),
    /// Replaces a pair by its second number.
    Second(usize),
    /// Applies the function in the first register to the second, and puts the result into the first.
    Call(usize, usize),
}

/// Compiles terms for the machine.
#[derive(Debug, Default)]
pub struct Compiler {
    /// Whether to make an error: the machine is taken to have so many registers, and the last one is used again.
    pub registers: Option<usize>,
}

impl Compiler {
    /// Returns code that computes a term.
    pub fn compile(&self, term: &Term) -> Vec<Instruction> {
        let mut code = vec![];
        self.compile_to(term, 0, &mut code);
        code
    }

    fn register(&self, number: usize) -> usize {
        self.registers.map_or(number, |registers| number.min(registers - 1))
    }

    /// Adds code that puts the value of a term into a register. Those behind it are free.
    fn compile_to(&self, term: &Term, number: usize, code: &mut Vec<Instruction>) {
        let (to, next) = (self.register(number), self.register(number + 1));
        match term {
            Term::Number(n) => code.push(Instruction::Number(to, (*n).into())),
            Term::Variable(i) => code.push(Instruction::Load(to, *i)),
            Term::Function(_, body) => code.push(Instruction::Function(to, self.compile(body).into())),
            Term::Add(a, b) | Term::Pair(a, b) | Term::Apply(a, b) => {
                self.compile_to(a, number, code);
                self.compile_to(b, number + 1, code);
                code.push(match term {
                    Term::Add(..) => Instruction::Add(to, next),
                    Term::Pair(..) => Instruction::Pair(to, next),
                    _ => Instruction::Call(to, next),
                });
            }
            Term::First(pair) | Term::Second(pair) => {
                self.compile_to(pair, number, code);
                let is_first = matches!(term, Term::First(..));
                code.push(if is_first { Instruction::First(to) } else { Instruction::Second(to) });
            }
        }
    }
}

/// Runs code with some variables. Returns what is in register 0.
pub fn run(code: &[Instruction], variables: &[Value]) -> Value {
    let mut registers: Vec<Value> = vec![];
    for instruction in code {
        let (to, value) = match instruction {
            Instruction::Number(to, n) => (*to, Value::Number(*n)),
            Instruction::Load(to, i) => (*to, variables[variables.len() - 1 - usize::from(*i)].clone()),
            Instruction::Function(to, body) => {
                (*to, Value::Function(Body::Code(body.clone()), variables.to_vec()))
            }
            Instruction::Add(to, from) => {
                (*to, Value::Number(registers[*to].number() + registers[*from].number()))
            }
            Instruction::Pair(to, from) => {
                (*to, Value::Pair(registers[*to].number(), registers[*from].number()))
            }
            Instruction::First(to) => (*to, Value::Number(registers[*to].pair().0)),
            Instruction::Second(to) => (*to, Value::Number(registers[*to].pair().1)),
            Instruction::Call(to, from) => match registers[*to].clone() {
                Value::Function(Body::Code(body), mut inner) => {
                    inner.push(registers[*from].clone());
                    (*to, run(&body, &inner))
                }
                other => panic!("{other:?} where a function is needed"),
            },
        };
        match registers.get_mut(to) {
            Some(register) => *register = value,
            None => registers.push(value),
        }
    }
    registers.swap_remove(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallscope::testing::Origin;
    use smallscope::{Bounds, Check};

    /// Compiles a program and runs it.
    fn compute(program: &Program, registers: Option<usize>) -> i64 {
        run(&Compiler { registers }.compile(&program.term), &[]).number()
    }

    /// Every program with up to 4 nodes, and 300 random ones with 30.
    #[smallscope::test(
        scope = 4,
        sample = 300,
        sample_size = 30,
        ints(Term::Number.0 = 0..=1),
        ints(Term::Variable.0 = 0..=1)
    )]
    fn compiled_programs_compute_what_they_mean(program: &Program) {
        assert_eq!(compute(program, None), program.term.evaluate(&[]).number());
    }

    /// The error needs seven results that wait for another one, and so a program with at least 15 nodes. No scope that can
    /// be searched has one.
    #[test]
    fn an_error_that_needs_a_large_program_is_found_and_made_small() {
        let bounds = Bounds::scope(4).ints("Term::Number.0", 0..=1).ints("Term::Variable.0", 0..=1);
        let check = Check::new("planted", bounds).sample(3000).sample_size(30);
        let report = check.run(|program: &Program| {
            assert_eq!(compute(program, Some(7)), program.term.evaluate(&[]).number());
        });
        let failure = report.failure().expect("the error is found");
        assert!(matches!(failure.origin, Origin::Sampled { .. }), "{report}");
        // One line for the program, and one for each node.
        let nodes = failure.graph.lines().count() - 1;
        assert_eq!(nodes, 15, "{report}");
    }
}
