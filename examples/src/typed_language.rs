//! A small typed language with a compiler. Its type checker is the only generator of test programs.
//!
//! The type checker is an ordinary recursive function. As the invariant of [`Program`], it makes smallscope generate exactly
//! the programs that it accepts: every small one, and then random large ones, each as likely as every other.

/// A program: a term without free variables that computes a number.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(smallscope::Bounded))]
pub struct Program {
    /// The term.
    pub term: Box<Term>,
}

/// A term. Variables are numbers of `Let`s around them, from the inside.
#[derive(Debug, Clone)]
#[cfg_attr(test, derive(smallscope::Bounded))]
pub enum Term {
    /// A number.
    Number(u8),
    /// The variable of a `Let` around it.
    Variable(u8),
    /// The sum of two numbers.
    Add(Box<Term>, Box<Term>),
    /// `let variable = first; second`.
    Let(Box<Term>, Box<Term>),
    /// A pair of numbers.
    Pair(Box<Term>, Box<Term>),
    /// The first number of a pair.
    First(Box<Term>),
    /// The second number of a pair.
    Second(Box<Term>),
}

/// The type of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// A number.
    Number,
    /// A pair of numbers.
    Pair,
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
            Term::Variable(i) => context.iter().rev().nth(usize::from(*i)).copied(),
            Term::Add(a, b) => {
                let are_numbers = Self::is_number(a, context.clone()) && Self::is_number(b, context);
                are_numbers.then_some(Type::Number)
            }
            Term::Let(value, body) => {
                let mut inner = context;
                let of = Self::type_of(value, inner.clone())?;
                inner.push(of);
                if inner.len() > MOST_VARIABLES { None } else { Self::type_of(body, inner) }
            }
            Term::Pair(a, b) => {
                let are_numbers = Self::is_number(a, context.clone()) && Self::is_number(b, context);
                are_numbers.then_some(Type::Pair)
            }
            Term::First(pair) | Term::Second(pair) => match Self::type_of(pair, context)? {
                Type::Pair => Some(Type::Number),
                Type::Number => None,
            },
        }
    }

    fn is_number(term: &Term, context: Vec<Type>) -> bool {
        Self::type_of(term, context) == Some(Type::Number)
    }
}

/// A value of the language, also on the stack of the machine.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// A number.
    Number(i64),
    /// A pair of numbers.
    Pair(i64, i64),
}

impl Value {
    fn number(self) -> i64 {
        match self {
            Value::Number(n) => n,
            Value::Pair(..) => panic!("a pair where a number is needed"),
        }
    }

    fn pair(self) -> (i64, i64) {
        match self {
            Value::Pair(first, second) => (first, second),
            Value::Number(_) => panic!("a number where a pair is needed"),
        }
    }
}

impl Term {
    /// Computes the value: what the language means.
    pub fn evaluate(&self, variables: &mut Vec<Value>) -> Value {
        match self {
            Term::Number(n) => Value::Number((*n).into()),
            Term::Variable(i) => variables[variables.len() - 1 - usize::from(*i)],
            Term::Add(a, b) => Value::Number(a.evaluate(variables).number() + b.evaluate(variables).number()),
            Term::Let(value, body) => {
                let value = value.evaluate(variables);
                variables.push(value);
                let result = body.evaluate(variables);
                variables.pop();
                result
            }
            Term::Pair(a, b) => Value::Pair(a.evaluate(variables).number(), b.evaluate(variables).number()),
            Term::First(pair) => Value::Number(pair.evaluate(variables).pair().0),
            Term::Second(pair) => Value::Number(pair.evaluate(variables).pair().1),
        }
    }
}

/// An instruction of a stack machine.
#[derive(Debug, Clone, PartialEq)]
pub enum Instruction {
    /// Pushes a number.
    Push(i64),
    /// Pushes a copy of what lies so far below the top.
    Load(usize),
    /// Adds the two numbers on top.
    Add,
    /// Makes a pair of the two numbers on top.
    Pair,
    /// Replaces a pair by its first number.
    First,
    /// Removes what lies directly below the top.
    RemoveSecond,
    /// Replaces a pair by its second number.
    Second,
}

/// Compiles terms for the stack machine.
#[derive(Debug, Default)]
pub struct Compiler {
    /// Where the variables in scope are on the stack.
    variables: Vec<usize>,
    /// Whether to make an error: a variable that lies farther below the top is looked for there.
    pub farthest: Option<usize>,
}

impl Compiler {
    /// Returns code that pushes the value of a term on a stack with so many values.
    pub fn compile(&mut self, term: &Term, height: usize) -> Vec<Instruction> {
        let mut code = vec![];
        match term {
            Term::Number(n) => code.push(Instruction::Push((*n).into())),
            Term::Variable(i) => {
                let place = self.variables[self.variables.len() - 1 - usize::from(*i)];
                let distance = height - 1 - place;
                code.push(Instruction::Load(self.farthest.map_or(distance, |most| distance.min(most))));
            }
            Term::Add(a, b) | Term::Pair(a, b) => {
                code.extend(self.compile(a, height));
                code.extend(self.compile(b, height + 1));
                let is_sum = matches!(term, Term::Add(..));
                code.push(if is_sum { Instruction::Add } else { Instruction::Pair });
            }
            Term::Let(value, body) => {
                code.extend(self.compile(value, height));
                self.variables.push(height);
                code.extend(self.compile(body, height + 1));
                self.variables.pop();
                code.push(Instruction::RemoveSecond);
            }
            Term::First(pair) | Term::Second(pair) => {
                code.extend(self.compile(pair, height));
                let is_first = matches!(term, Term::First(..));
                code.push(if is_first { Instruction::First } else { Instruction::Second });
            }
        }
        code
    }
}

/// Runs code on a stack.
pub fn run(code: &[Instruction], stack: &mut Vec<Value>) {
    fn pop(stack: &mut Vec<Value>) -> Value {
        stack.pop().expect("the stack has enough values")
    }
    for instruction in code {
        let value = match instruction {
            Instruction::Push(n) => Value::Number(*n),
            Instruction::Load(distance) => stack[stack.len() - 1 - distance],
            Instruction::Add => Value::Number(pop(stack).number() + pop(stack).number()),
            Instruction::Pair => {
                let (second, first) = (pop(stack).number(), pop(stack).number());
                Value::Pair(first, second)
            }
            Instruction::First => Value::Number(pop(stack).pair().0),
            Instruction::Second => Value::Number(pop(stack).pair().1),
            Instruction::RemoveSecond => {
                let top = pop(stack);
                pop(stack);
                top
            }
        };
        stack.push(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallscope::testing::Origin;
    use smallscope::{Bounds, Check};

    /// Compiles a program and runs it.
    fn compute(program: &Program, farthest: Option<usize>) -> Value {
        let mut stack = vec![];
        let mut compiler = Compiler { farthest, ..Compiler::default() };
        run(&compiler.compile(&program.term, 0), &mut stack);
        assert_eq!(stack.len(), 1, "one value is left");
        stack[0]
    }

    /// Every program with up to 4 nodes, and 1,000 random ones with 40.
    #[smallscope::test(
        scope = 4,
        sample = 1000,
        sample_size = 40,
        ints(Term::Number.0 = 0..=1),
        ints(Term::Variable.0 = 0..=1)
    )]
    fn compiled_programs_compute_what_they_mean(program: &Program) {
        assert_eq!(compute(program, None), program.term.evaluate(&mut vec![]));
    }

    /// The error needs a variable below six values on the stack, and so a program with at least 15 nodes. No scope that can
    /// be searched has one.
    #[test]
    fn an_error_that_needs_a_large_program_is_found() {
        let bounds = Bounds::scope(4).ints("Term::Number.0", 0..=1).ints("Term::Variable.0", 0..=1);
        let check = Check::new("planted", bounds).sample(1000).sample_size(40);
        let report = check.run(|program: &Program| {
            assert_eq!(compute(program, Some(5)), program.term.evaluate(&mut vec![]));
        });
        let failure = report.failure().expect("the error is found");
        assert!(matches!(failure.origin, Origin::Sampled { .. }), "{report}");
        // One line for the program, and one for each node.
        let nodes = failure.graph.lines().count() - 1;
        assert!(nodes >= 15, "{report}");
        assert!(nodes <= 25, "it is made smaller: {report}");
    }
}
