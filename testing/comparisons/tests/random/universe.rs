//! Structurally different types that together have every kind of field. The invariant of all of them is the
//! program of the thread. Some types inside of them have an invariant, too, which half of the programs switch on.

use crate::ask::{Ask, Askable, Asking, World};
use crate::look::{AsPlace, Look, Object, Root, Seen};
use crate::program::{class_of, holds, restricts_parts};
use smallscope::__private::{ClassValue, Classifier, OnMirror, OneInvariant, Plain as _};
use smallscope::Bounded;
use smallscope_core::ask::Promise;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ptr::NonNull;
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// The program of the thread is the invariant of a type and of its mirror.
macro_rules! programmed {
    ($real:ty, $mirror:ty) => {
        impl OneInvariant for $real {
            const INVARIANT: Option<&'static str> = Some("rep_ok");
            type Mirror = $mirror;
            type Copy = $real;
            fn holds(&self) -> bool {
                holds(self, World::Real)
            }
        }
        impl OnMirror<$mirror> for $real {
            fn holds(value: &$mirror) -> bool {
                holds(value, World::Mirror)
            }
            fn classifier() -> Option<Classifier<$mirror>> {
                Some(|this, to| to(ClassValue::of(&class_of(this, World::Mirror))))
            }
        }
    };
}

macro_rules! roots {
    ($real:ty, $mirror:ty) => {
        impl Root for $real {}
        impl Root for $mirror {}
        programmed!($real, $mirror);
    };
}

/// The invariant of a type that occurs inside of others.
macro_rules! parts {
    ($real:ty, $mirror:ty, |$this:ident| $holds:expr) => {
        parts!($real, $mirror, |$this| $holds, |$this| $holds);
    };
    ($real:ty, $mirror:ty, |$this:ident| $holds:expr, |$seen:ident| $seems:expr) => {
        impl OneInvariant for $real {
            const INVARIANT: Option<&'static str> = Some("rep_ok");
            type Mirror = $mirror;
            type Copy = $real;
            fn holds(&self) -> bool {
                let $this = self;
                !restricts_parts() || $holds
            }
        }
        impl OnMirror<$mirror> for $real {
            fn holds($seen: &$mirror) -> bool {
                !restricts_parts() || $seems
            }
        }
    };
}

/// Trees of boxes with a size.
#[derive(Bounded)]
pub struct Trees {
    root: Option<Box<TreeNode>>,
    size: usize,
    mark: bool,
}

#[derive(Bounded)]
pub struct TreeNode {
    left: Option<Box<TreeNode>>,
    key: u8,
    right: Option<Box<TreeNode>>,
}

object!(Trees, Trees_in_the_invariant { root => look, size => look, mark => look });
object!(TreeNode, TreeNode_in_the_invariant { left => look, key => look, right => look });
roots!(Trees, Trees_in_the_invariant);

/// Shared objects, with weak pointers before and after their owners.
#[derive(Bounded)]
pub struct Graphs {
    peek: Weak<Vertex>,
    start: Option<Rc<Vertex>>,
}

#[derive(Bounded)]
pub struct Vertex {
    back: Weak<Vertex>,
    next: Option<Rc<Vertex>>,
    v: u8,
}

object!(Graphs, Graphs_in_the_invariant { peek => look, start => look });
object!(Vertex, Vertex_in_the_invariant { back => look, next => look, v => look });
roots!(Graphs, Graphs_in_the_invariant);

/// Shared objects of the other kind, in vectors and arrays.
#[derive(Bounded)]
pub struct Arcs {
    must: Arc<Atom>,
    list: Vec<Arc<Atom>>,
    pair: [Option<Arc<Atom>>; 2],
    seen: std::sync::Weak<Atom>,
}

#[derive(Bounded)]
pub struct Atom {
    up: Option<Arc<Atom>>,
    v: Cell<u8>,
}

object!(Arcs, Arcs_in_the_invariant { must => look, list => look, pair => look, seen => look });
object!(Atom, Atom_in_the_invariant { up => look, v => look });
roots!(Arcs, Arcs_in_the_invariant);

/// A list that only raw pointers lead to.
#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
pub struct Raws {
    head: *mut Link,
    tail: *const Link,
    count: u8,
}

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
pub struct Link {
    next: *mut Link,
    v: u8,
    prev: Option<NonNull<Link>>,
}

object!(Raws, Raws_in_the_invariant { head => look, tail => look, count => look });
object!(Link, Link_in_the_invariant { next => look, v => look, prev => look });
roots!(Raws, Raws_in_the_invariant);

/// Boxes with raw pointers into them, and mandatory boxes in boxes.
#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
pub struct Peeks {
    peek: *const Piece,
    must: Box<Piece>,
    may: Option<Box<Piece>>,
}

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
pub struct Piece {
    other: *mut Piece,
    next: Option<Box<Piece>>,
    part: Box<Part>,
}

#[derive(Bounded)]
pub struct Part {
    v: u8,
}

object!(Peeks, Peeks_in_the_invariant { peek => look, must => look, may => look });
object!(Piece, Piece_in_the_invariant { other => look, next => look, part => look });
object!(Part, Part_in_the_invariant { v => look });
roots!(Peeks, Peeks_in_the_invariant);

/// An arena, with indices before and after it.
#[derive(Bounded)]
pub struct Arenas {
    #[bounded(index = "slots")]
    free: Option<u8>,
    slots: Vec<Entry>,
    #[bounded(index = "slots")]
    root: Option<usize>,
}

#[derive(Bounded)]
pub struct Entry {
    v: u8,
    #[bounded(index = "slots")]
    next: Option<usize>,
}

object!(Arenas, Arenas_in_the_invariant { free => place, slots => look, root => place });
object!(Entry, Entry_in_the_invariant { v => look, next => place });

/// An arena whose elements have several indices.
#[derive(Bounded)]
pub struct Nets {
    #[bounded(index = "cells")]
    starts: Vec<u8>,
    cells: Vec<Knot>,
    own: Option<Box<Leaf>>,
}

#[derive(Bounded)]
pub struct Knot {
    #[bounded(index = "cells")]
    out: [Option<usize>; 2],
    own: Option<Box<Leaf>>,
}

object!(Nets, Nets_in_the_invariant { starts => place, cells => look, own => look });
object!(Knot, Knot_in_the_invariant { out => place, own => look });

macro_rules! arena_root {
    ($arena:ident: $real:ident, $mirror:ident) => {
        arena_root!(@ $arena: $real, $mirror);
        programmed!($real, $mirror);
    };
    (@ $arena:ident: $($t:ident),*) => { $(
        impl Root for $t {
            fn arena(&self) -> Seen<'_> {
                self.$arena.__read().look()
            }
        }
    )* };
}
arena_root!(slots: Arenas, Arenas_in_the_invariant);
arena_root!(cells: Nets, Nets_in_the_invariant);

/// Syntax trees: mandatory boxes in enums.
#[derive(Bounded)]
pub struct Exprs {
    root: Box<Expr>,
    limit: u8,
}

#[derive(Bounded)]
pub enum Expr {
    Literal(u8),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Maybe(Option<Box<Expr>>),
}

object!(Exprs, Exprs_in_the_invariant { root => look, limit => look });
enumeration!(Expr, Expr_in_the_invariant { 0 => Literal(x), 1 => Not(x), 2 => And(x, y), 3 => Maybe(x) });
roots!(Exprs, Exprs_in_the_invariant);

/// Trees: variants without fields behind boxes.
#[derive(Bounded)]
pub struct Forks {
    root: Box<Fork>,
    spare: Option<Box<Fork>>,
    cell: Option<Box<RefCell<Fork>>>,
    limit: u8,
}

#[derive(Bounded)]
pub enum Fork {
    Leaf(),
    Node(Box<Fork>, Box<Fork>),
    Gap(),
    Marked(u8, Option<Box<Fork>>),
}

object!(Forks, Forks_in_the_invariant { root => look, spare => look, cell => look, limit => look });
enumeration!(Fork, Fork_in_the_invariant { 0 => Leaf(), 1 => Node(x, y), 2 => Gap(), 3 => Marked(x, y) });
parts!(Fork, Fork_in_the_invariant, |tree| !matches!(tree, Fork::Gap()), |tree| !matches!(
    tree,
    Fork_in_the_invariant::Gap()
));
roots!(Forks, Forks_in_the_invariant);

/// Vectors of structures, of numbers, of boxes.
#[derive(Bounded)]
pub struct Rows {
    rows: Vec<Row>,
    queue: VecDeque<Row>,
    numbers: Box<[u8]>,
    #[allow(clippy::vec_box)]
    boxes: Vec<Box<Row>>,
}

#[derive(Bounded)]
pub struct Row {
    v: u8,
    child: Option<Box<Row>>,
}

object!(Rows, Rows_in_the_invariant { rows => look, queue => look, numbers => look, boxes => look });
object!(Row, Row_in_the_invariant { v => look, child => look });
parts!(Row, Row_in_the_invariant, |row| *row.v.__read() != 1 || row.child.__read().is_none());
roots!(Rows, Rows_in_the_invariant);

/// Maps and sets.
#[derive(Bounded)]
pub struct Maps {
    owned: BTreeMap<u8, Box<Leaf>>,
    plain: BTreeMap<u8, u8>,
    set: BTreeSet<u8>,
    shared: Option<Rc<Leaf>>,
    also: BTreeMap<u8, Rc<Leaf>>,
}

#[derive(Bounded)]
pub struct Leaf {
    v: u8,
}

object!(Maps, Maps_in_the_invariant { owned => look, plain => look, set => look, shared => look, also => look });
object!(Leaf, Leaf_in_the_invariant { v => look });
parts!(Leaf, Leaf_in_the_invariant, |leaf| *leaf.v.__read() != 1);
roots!(Maps, Maps_in_the_invariant);

/// Sets in the root and in objects.
#[derive(Bounded)]
pub struct Sets {
    a: BTreeSet<u8>,
    b: BTreeSet<u8>,
    part: Option<Box<Pocket>>,
    n: u8,
}

#[derive(Bounded)]
pub struct Pocket {
    set: BTreeSet<u8>,
    v: u8,
    next: Option<Box<Pocket>>,
}

object!(Sets, Sets_in_the_invariant { a => look, b => look, part => look, n => look });
object!(Pocket, Pocket_in_the_invariant { set => look, v => look, next => look });
parts!(Pocket, Pocket_in_the_invariant, |part| *part.v.__read() != 1 || part.next.__read().is_none());
roots!(Sets, Sets_in_the_invariant);

/// Objects of one type with every kind of owner.
#[derive(Bounded)]
pub struct Owners {
    boxed: Option<Box<Coin>>,
    shared: Option<Rc<Coin>>,
    cell: Option<Rc<RefCell<Coin>>>,
    list: Vec<Coin>,
}

#[derive(Bounded)]
pub struct Coin {
    v: u8,
    next: Option<Arc<Coin>>,
}

object!(Owners, Owners_in_the_invariant { boxed => look, shared => look, cell => look, list => look });
object!(Coin, Coin_in_the_invariant { v => look, next => look });
roots!(Owners, Owners_in_the_invariant);

/// Structures by value, tuples with pointers, enums behind shared cells.
#[derive(Bounded)]
pub struct Mixed {
    pair: (u8, Option<Rc<RefCell<State>>>),
    inner: Inner,
    option: Option<Inner>,
}

#[derive(Bounded)]
pub struct Inner {
    slot: Option<Rc<RefCell<State>>>,
    flag: bool,
}

#[derive(Bounded)]
pub enum State {
    Empty(),
    Full(u8),
    Link(Rc<RefCell<State>>),
    Back(Weak<RefCell<State>>),
}

object!(Mixed, Mixed_in_the_invariant { pair.0 => look, pair.1 => look, inner => look, option => look });
object!(Inner, Inner_in_the_invariant { slot => look, flag => look });
enumeration!(State, State_in_the_invariant { 0 => Empty(), 1 => Full(x), 2 => Link(x), 3 => Back(x) });
parts!(Inner, Inner_in_the_invariant, |inner| *inner.flag.__read() || inner.slot.__read().is_none());
parts!(State, State_in_the_invariant, |state| !matches!(state, State::Full(0)), |state| match state {
    State_in_the_invariant::Full(x) => *x.__read() != 0,
    _ => true,
});
roots!(Mixed, Mixed_in_the_invariant);

/// Vectors of enums with payload, optional vectors, vectors of vectors.
#[derive(Bounded)]
pub struct Tokens {
    tokens: Vec<Token>,
    rows: Vec<Vec<bool>>,
    perhaps: Option<Vec<Entry2>>,
}

#[derive(Bounded)]
pub enum Token {
    End(),
    Number(u8),
    Own(Box<Leaf>),
    Group(Vec<Token>),
}

#[derive(Bounded)]
pub struct Entry2 {
    v: u8,
    own: Option<Box<Leaf>>,
}

object!(Tokens, Tokens_in_the_invariant { tokens => look, rows => look, perhaps => look });
enumeration!(Token, Token_in_the_invariant { 0 => End(), 1 => Number(x), 2 => Own(x), 3 => Group(x) });
object!(Entry2, Entry2_in_the_invariant { v => look, own => look });
parts!(Entry2, Entry2_in_the_invariant, |entry| *entry.v.__read() != 1 || entry.own.__read().is_some());
roots!(Tokens, Tokens_in_the_invariant);
