//! What the variables of the copy are, as far as the syntax tells.

use super::questions;
use proc_macro2::Ident;
use syn::{Expr, ExprUnary, Type, UnOp};

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Var {
    /// Nothing is known.
    Plain,
    /// `let mut`, `&mut`: may be a local accumulator, whose fields are written to.
    Mutable,
    /// Made here from a tuple, range or local struct: its fields are no cells.
    Own,
    /// Bound to a cell, and to a reference in the original.
    CellRef,
    /// Bound to a cell, and to a (Copy) value in the original.
    CellCopy,
    /// Bound to a cell or to a reference to one: the pattern may have taken a value apart that the item has made.
    Either,
    /// Bound to a cell, and to a reference to a reference in the original.
    ItemRef,
    /// A copy of a field that is read where it is used.
    Late,
    /// A vector of such copies.
    LateVec,
}

/// How a pattern meets its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// A reference: variables are references.
    Ref,
    /// A place: variables are bound by value unless they say `ref`.
    Place,
}

/// What is known about the value that a pattern is matched with.
#[derive(Clone, Debug)]
pub(super) struct Scrutinee {
    pub(super) mode: Mode,
    /// It is a field or a variable bound to one; if it is a tuple, its parts may be cells.
    pub(super) field: bool,
    /// What a plain variable becomes.
    pub(super) var: Var,
    /// It is a shared reference for sure, or an `Option` of one.
    pub(super) is_reference: bool,
    /// It is an `Option` whose tuple is met as a reference to cells.
    pub(super) opened: bool,
    /// It is met as a reference, but is a place in the original: variables are copies.
    pub(super) copies: bool,
    /// It may be a value that the item has made, and its parts cells that are moved out.
    pub(super) may_be_moved: bool,
    /// The parts of a tuple expression.
    pub(super) parts: Vec<Scrutinee>,
}

impl Scrutinee {
    /// A value of which nothing is known.
    pub(super) fn unknown() -> Scrutinee {
        Scrutinee {
            mode: Mode::Ref,
            field: false,
            var: Var::Plain,
            is_reference: false,
            opened: false,
            copies: false,
            may_be_moved: false,
            parts: vec![],
        }
    }

    /// A part of a value, with the same mode.
    pub(super) fn inside(&self) -> Scrutinee {
        Scrutinee { field: self.opened, opened: false, parts: vec![], ..self.clone() }
    }
}

/// Variables in scope, innermost last.
#[derive(Default)]
pub(super) struct Vars {
    scopes: Vec<Vec<Variable>>,
}

struct Variable {
    name: String,
    var: Var,
    /// It is a shared reference for sure.
    is_reference: bool,
}

impl Vars {
    pub(super) fn push(&mut self) {
        self.scopes.push(vec![]);
    }

    pub(super) fn pop(&mut self) {
        self.scopes.pop();
    }

    /// Declares a variable that is a shared reference.
    pub(super) fn bind_reference(&mut self, name: &Ident) {
        self.declare(Variable { name: name.to_string(), var: Var::Plain, is_reference: true });
    }

    /// Whether a variable is a shared reference for sure.
    pub(super) fn is_reference(&self, name: &Ident) -> bool {
        self.find(&name.to_string()).is_some_and(|variable| variable.is_reference)
    }

    pub(super) fn bind(&mut self, name: &Ident, var: Var) {
        self.declare(Variable { name: name.to_string(), var, is_reference: false });
    }

    fn declare(&mut self, variable: Variable) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(variable);
        }
    }

    /// The innermost variable with a name.
    fn find(&self, name: &str) -> Option<&Variable> {
        for scope in self.scopes.iter().rev() {
            for variable in scope.iter().rev() {
                if variable.name == name {
                    return Some(variable);
                }
            }
        }
        None
    }

    pub(super) fn has(&self, name: &Ident) -> bool {
        self.find(&name.to_string()).is_some()
    }

    pub(super) fn get(&self, name: &str) -> Var {
        match self.find(name) {
            Some(variable) => variable.var,
            None => Var::Plain,
        }
    }

    pub(super) fn of(&self, e: &Expr) -> Var {
        match e {
            Expr::Path(p) if p.qself.is_none() => match p.path.get_ident() {
                Some(name) => self.get(&name.to_string()),
                None => Var::Plain,
            },
            Expr::Paren(p) => self.of(&p.expr),
            _ => Var::Plain,
        }
    }

    /// The variable that a chain of fields and indices starts from.
    pub(super) fn root(&self, e: &Expr) -> Var {
        match e {
            Expr::Field(f) => self.root(&f.base),
            Expr::Index(i) => self.root(&i.expr),
            Expr::Paren(p) => self.root(&p.expr),
            other => self.of(other),
        }
    }

    /// `match *e` and `match a.b` bind by value unless they say `ref`; everything else is taken to be a
    /// reference.
    pub(super) fn scrutinee(&self, e: &Expr) -> Scrutinee {
        let mut s = Scrutinee::unknown();
        match questions::unmarked(e) {
            Expr::Paren(p) => return self.scrutinee(&p.expr),
            Expr::Unary(ExprUnary { expr, .. }) if self.of(expr) == Var::Either => {}
            Expr::Unary(ExprUnary { op: UnOp::Deref(_), expr, .. }) => {
                s.mode = Mode::Place;
                s.field = self.of(expr) == Var::CellRef;
            }
            Expr::Field(_) => (s.mode, s.field) = (Mode::Place, true),
            Expr::Index(_) => s.mode = Mode::Place,
            Expr::Reference(r) if r.mutability.is_some() => s.var = Var::Mutable,
            Expr::Reference(r) => {
                s.field = matches!(&*r.expr, Expr::Field(_)) || self.of(&r.expr) == Var::CellCopy;
                s.is_reference = true;
            }
            Expr::MethodCall(c) if c.args.is_empty() && (c.method == "as_ref" || c.method == "as_deref") => {
                s.is_reference = true;
            }
            Expr::MethodCall(c) if c.method.to_string().ends_with("_mut") => s.var = Var::Mutable,
            Expr::Tuple(t) => {
                for e in &t.elems {
                    s.parts.push(self.scrutinee(e));
                }
            }
            Expr::Path(p) if p.path.get_ident().is_some_and(|name| self.is_reference(name)) => {
                s.is_reference = true;
            }
            path @ Expr::Path(_) => match self.of(path) {
                Var::CellRef => s.field = true,
                Var::CellCopy => (s.mode, s.field) = (Mode::Place, true),
                _ => {}
            },
            _ => {}
        }
        s
    }
}

/// Whether an expression makes a value whose fields are no cells: a tuple, a range.
pub(super) fn makes_plain_value(e: &Expr) -> bool {
    matches!(e, Expr::Tuple(_) | Expr::Range(_))
}

/// Whether a type says `&`.
pub(super) fn is_shared_reference(ty: &Type) -> bool {
    matches!(ty, Type::Reference(r) if r.mutability.is_none())
}

/// Whether a type says `&mut`.
pub(super) fn is_mutable_reference(ty: &Type) -> bool {
    matches!(ty, Type::Reference(r) if r.mutability.is_some())
}

/// `for (a, b) in &x.f` and `x.f.iter()`, perhaps with adapters that pass references on. There the variables
/// of a tuple are references or counters, for any type of the field, and may be cells.
pub(super) fn iterates_over_field(e: &Expr) -> bool {
    match e {
        Expr::Reference(r) => r.mutability.is_none() && matches!(&*r.expr, Expr::Field(_)),
        Expr::MethodCall(c) => match c.method.to_string().as_str() {
            "iter" | "keys" | "values" => matches!(&*c.receiver, Expr::Field(_)),
            "enumerate" | "rev" | "skip" | "take" | "step_by" | "peekable" => {
                iterates_over_field(&c.receiver)
            }
            _ => false,
        },
        _ => false,
    }
}
