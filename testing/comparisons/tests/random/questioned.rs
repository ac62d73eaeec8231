//! Types for many questions: fields of equal types and of equal or different ranges, keys, pointers of equal types.

use crate::ask::{Ask, Askable, Asking, Hue, World};
use crate::look::{Look, Object, Root, Seen};
use crate::program::{class_of, holds};
use smallscope::__private::{ClassValue, Classifier, OnMirror, OneInvariant, Plain as _};

use smallscope::{Bounded, Key};
use smallscope_core::ask::Promise;
use std::collections::VecDeque;
use std::rc::{Rc, Weak};

/// Numbers side by side.
#[derive(Bounded)]
pub struct Numbers {
    a: u8,
    b: u8,
    c: u8,
    d: i8,
    e: i8,
    size: usize,
    other: usize,
}

object!(Numbers, Numbers_in_the_invariant { a => look, b => look, c => look, d => look, e => look, size => look, other => look });
roots!(Numbers, Numbers_in_the_invariant);

/// Types without sums.
#[derive(Bounded)]
pub struct Flags {
    f: bool,
    g: bool,
    h: Hue,
    i: Hue,
    o: Option<u8>,
    q: Option<u8>,
    n: u8,
}

object!(Flags, Flags_in_the_invariant { f => look, g => look, h => look, i => look, o => look, q => look, n => look });
roots!(Flags, Flags_in_the_invariant);

/// Numbers in vectors and arrays.
#[derive(Bounded)]
pub struct Lists {
    list: Vec<u8>,
    row: [u8; 3],
    queue: VecDeque<Option<u8>>,
    flags: Vec<bool>,
    signs: [i8; 2],
    n: usize,
}

object!(Lists, Lists_in_the_invariant { list => look, row => look, queue => look, flags => look, signs => look, n => look });
roots!(Lists, Lists_in_the_invariant);

/// A list of keys, and keys beside it.
#[derive(Bounded)]
pub struct Chains<K> {
    a: K,
    b: K,
    o: Option<K>,
    first: Option<Box<Bead<K>>>,
    n: u8,
}

#[derive(Bounded)]
pub struct Bead<K> {
    key: K,
    next: Option<Box<Bead<K>>>,
}

object!(Chains<Key>, Chains_in_the_invariant<Key> { a => look, b => look, o => look, first => look, n => look });
object!(Bead<Key>, Bead_in_the_invariant<Key> { key => look, next => look });
roots!(Chains<Key>, Chains_in_the_invariant<Key>);

/// Keys in vectors and arrays.
#[derive(Bounded)]
pub struct Racks<K> {
    list: Vec<K>,
    pair: [K; 2],
    maybe: Vec<Option<K>>,
    low: K,
}

object!(Racks<Key>, Racks_in_the_invariant<Key> { list => look, pair => look, maybe => look, low => look });
roots!(Racks<Key>, Racks_in_the_invariant<Key>);

/// Trees of keys.
#[derive(Bounded)]
pub struct Woods<K> {
    root: Option<Box<Branch<K>>>,
    least: Option<K>,
    greatest: Option<K>,
    size: usize,
}

#[derive(Bounded)]
pub struct Branch<K> {
    left: Option<Box<Branch<K>>>,
    key: K,
    right: Option<Box<Branch<K>>>,
}

object!(Woods<Key>, Woods_in_the_invariant<Key> { root => look, least => look, greatest => look, size => look });
object!(Branch<Key>, Branch_in_the_invariant<Key> { left => look, key => look, right => look });
roots!(Woods<Key>, Woods_in_the_invariant<Key>);

/// Pointers that may be shared, of all kinds.
#[derive(Bounded)]
pub struct Spies {
    first: Option<Rc<Spy>>,
    weak: Weak<Spy>,
    second: Option<Rc<Spy>>,
    maybe: Option<Weak<Spy>>,
    v: u8,
}

#[derive(Bounded)]
pub struct Spy {
    next: Option<Rc<Spy>>,
    v: u8,
}

object!(Spies, Spies_in_the_invariant { first => look, weak => look, second => look, maybe => look, v => look });
object!(Spy, Spy_in_the_invariant { next => look, v => look });
roots!(Spies, Spies_in_the_invariant);

/// Raw pointers of the same type.
#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
pub struct Rods {
    head: *mut Rod,
    tail: *mut Rod,
    low: u8,
}

#[derive(Bounded)]
#[bounded(unsafe(raw_pointers))]
pub struct Rod {
    prev: *mut Rod,
    next: *mut Rod,
    v: u8,
}

object!(Rods, Rods_in_the_invariant { head => look, tail => look, low => look });
object!(Rod, Rod_in_the_invariant { prev => look, next => look, v => look });
roots!(Rods, Rods_in_the_invariant);
