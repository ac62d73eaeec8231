//! Which promises small pieces of code get, and which they must not get.

use super::args::Args;
use super::decisions::Decisions;
use super::promises::{Promises, context, functions::Functions};
use super::std_macros;
use crate::syntax::text;
use crate::syntax::visit_mut::{self, VisitMut};
use quote::ToTokens;
use syn::{Expr, ExprCall, Item, Macro};

/// The names of promises: what follows for the invariant if the expression comes out false, or true.
const NAMES: &[(&str, &str)] = &[
    ("__promise", "f|t"),
    ("__p::not(__promise)", "t|f"),
    ("__promise & 1", "f|-"),
    ("__p::not(__promise) & 1", "t|-"),
    ("__p::returns_false(__promise)", "-|f"),
    ("__p::returns_true(__promise)", "-|t"),
    ("__promise & 1 | __p::returns_false(__promise)", "f|f"),
    ("__p::not(__promise) & 1 | __p::returns_true(__promise)", "t|t"),
];

/// Every promise in an item, in order: its name and what it is about.
fn promises(item: &str) -> Vec<String> {
    struct Find(Vec<String>);
    impl VisitMut for Find {
        fn visit_expr_call_mut(&mut self, c: &mut ExprCall) {
            if let Some((promise, e)) = context::marked(&Expr::Call(c.clone())) {
                let promise = text::of(promise.to_token_stream());
                let name = NAMES.iter().find(|(p, _)| *p == promise).map_or(promise.as_str(), |(_, n)| n);
                self.0.push(format!("{name} {}", text::of(e.to_token_stream())));
            }
            visit_mut::visit_expr_call_mut(self, c);
        }
        fn visit_macro_mut(&mut self, mac: &mut Macro) {
            std_macros::look(mac, &mut |e| VisitMut::visit_expr_mut(self, e));
        }
    }
    let mut item: Item = syn::parse_str(item).unwrap();
    std_macros::OpenMacros { krate: &Args::new().krate }.visit_item_mut(&mut item);
    let functions = Functions::of(&item, &Args::new());
    Decisions::default().visit_item_mut(&mut item);
    Promises::new(functions, None).visit_item_mut(&mut item);
    let mut find = Find(vec![]);
    find.visit_item_mut(&mut item);
    find.0
}

/// The promises in the body of a function `bool`, beside `other(..) -> bool` and `maybe(..) -> Option<u8>`.
#[track_caller]
fn check(body: &str, expected: &[&str]) {
    let item = format!(
        "impl Tree {{ fn holds(&self) -> bool {{ {body} }}
            fn other(x: u8) -> bool {{ true }} fn maybe(x: u8) -> Option<u8> {{ None }} fn test(&self) -> bool {{ true }} }}"
    );
    assert_eq!(promises(&item), expected, "{body}");
}

/// The same in a function that returns an `Option`.
#[track_caller]
fn check_option(body: &str, expected: &[&str]) {
    let item = format!(
        "impl Tree {{ fn get_it(&self) -> Option<u8> {{ {body} }}
            fn other(x: u8) -> bool {{ true }} fn maybe(x: u8) -> Option<u8> {{ None }} }}"
    );
    assert_eq!(promises(&item), expected, "{body}");
}

#[test]
fn results() {
    check("a < b", &["f|t a < b"]);
    check("return a < b;", &["f|t a < b"]);
    check("!(a < b)", &["t|f a < b"]);
    check("{ unsafe { let x = 1; (a == b) } }", &["f|t a == b"]);
    check("loop { return a < b }", &["f|t a < b"]);
    check("for x in y { if x.a > 1 { return b == c } } true", &["f|t b == c"]);
}

#[test]
fn operators() {
    check("a < b && c < d", &["f|- a < b", "f|t c < d"]);
    check("a < b || c < d", &["-|t a < b", "f|t c < d"]);
    check("!(a < b || c < d) && e < f", &["-|f a < b", "-|f c < d", "f|t e < f"]);
    check("a < b && (c < d || e < f) && g < h", &["f|- a < b", "f|- e < f", "f|t g < h"]);
}

#[test]
fn branches() {
    check("if a < b { return false } true", &["-|f a < b"]);
    check("if a < b { return true; } false", &["-|t a < b"]);
    check("if a < b || c < d { return false; } true", &["-|f a < b", "-|f c < d"]);
    check("if a < b && c < d { return false; } true", &["-|f c < d"]);
    check("if a < b { c < d } else { false }", &["f|- a < b", "f|t c < d"]);
    check("if a < b { false } else { c < d }", &["-|f a < b", "f|t c < d"]);
    check("if a < b { true } else { false }", &["f|t a < b"]);
    check("if a < b { c < d } else if e < f { true } else { return false }", &["f|t c < d", "f|t e < f"]);
    check("if let Some(x) = y && x < z { return false } true", &["-|f x < z"]);
    check("if let Some(x) = y && x < z { x.go() } else { return false } true", &["f|- x < z"]);
    check("matches!(self.f, Some(_)) && a < b", &["f|- self.f", "f|t a < b"]);
    check("match x { A => a < b, B if c < d => { e < f } _ => false }", &["f|t a < b", "f|t e < f"]);
}

#[test]
fn options_that_must_be_there() {
    check("let Some(x) = &self.f else { return false }; true", &["f|- &self.f"]);
    check("let Some(x) = self.f[i].as_ref() else { return false }; true", &["f|- self.f[i].as_ref()"]);
    check("let Some(3) = self.f else { return false }; true", &["f|- self.f"]);
    check("let Some(x) = Self::maybe(1) else { return false }; true", &["f|- Self::maybe(1)"]);
    check("if let Some(x) = &self.f { x.go() } else { return false } true", &["f|- &self.f"]);
    check("if let None = &self.f { return false } true", &["f|- &self.f"]);
    check("let x = match &self.f { Some(x) => x, None => return false }; true", &["f|- &self.f"]);
    check("match &self.f { Some(x) if x.good => x.go(), Some(_) => true, _ => false }", &["f|- &self.f"]);
    check("self.f.as_deref().is_some_and(|x| x < y)", &["f|- self.f.as_deref()", "f|t x < y"]);
    check_option("let x = self.f?; Some(x)", &["f|- self.f"]);
    check_option("let x = Self::maybe(1)?; Some(x)", &["f|- Self::maybe(1)"]);
    check_option("let Some(x) = self.f else { return None }; Some(x)", &["f|- self.f"]);
    check_option("(a < b).then_some(c)", &["f|t a < b"]);
    check_option("self.f.as_ref().map(|x| x + 1)", &["f|- self.f.as_ref()"]);
    check_option("if a < b { return None } Some(c < d)", &["-|f a < b"]);
    let result = "fn f(x: &X) -> Result<(), String> { if a < b { return Err(format!(\"{x}\")) } Ok(()) }";
    assert_eq!(promises(result), ["-|f a < b"]);
}

#[test]
fn questions_about_null() {
    check("self.f.is_none()", &["f|t self.f.is_none()"]);
    check("!self.f[0].is_some() && x.is_null()", &["-|f self.f[0].is_some()", "f|t x.is_null()"]);
    check("if std::ptr::eq(self.f, x) { return false } true", &["-|f std::ptr::eq(self.f, x)"]);
    check("Self::maybe(1).is_some()", &["f|t Self::maybe(1)"]);
    check("!Self::maybe(1).is_none()", &["f|t Self::maybe(1)"]);
}

#[test]
fn closures_of_std() {
    check("x.is_none_or(|x| x < y)", &["f|t x < y"]);
    check("x.map_or(true, |x| { let z = 1; x < y })", &["f|t x < y"]);
    check("Self::maybe(1).map_or(false, |x| x < y)", &["f|- Self::maybe(1)", "f|t x < y"]);
    check("v.iter().all(|x| x < y)", &["f|- x < y"]);
    check("v.iter().any(|x| x < y)", &["-|t x < y"]);
    check("!v.iter().any(|x| { if a < b { return true } x < y })", &["-|f a < b", "-|f x < y"]);
    check("v.iter().all(Self::other)", &["f|- Self::other(__x)"]);
    check("v.iter().all(|x| { if a < b { return true } if c < d { return false } true })", &["-|f c < d"]);
}

#[test]
fn calls_carry_promises() {
    check("Self::other(1) && self.test()", &["f|- Self::other(1)", "f|t self.test()"]);
    check("if !Self::other(n.f + 1) { return false } true", &["f|- Self::other(n.f + 1)"]);
    check(
        "n.test() && Tree::other(n.f.as_ref().len())",
        &["f|- n.test()", "f|t Tree::other(n.f.as_ref().len())"],
    );
    check("self.f.rep_ok() && self.g.rep_ok()", &["f|- self.f.rep_ok()", "f|- self.g.rep_ok()"]);
    check("fn inner(x: u8) -> bool { x < 1 } inner(2)", &["f|t x < 1", "f|t inner(2)"]);
    check("Self::other(Some(&*x), (a, &mut b), &y[1])", &["f|t Self::other(Some(&*x), (a, &mut b), &y[1])"]);
}

#[test]
fn calls_whose_arguments_enter_other_functions_carry_none() {
    check("Self::other(Self::other(1))", &[]);
    check("Self::other(x.unknown())", &[]);
    check("Self::other(unknown(x))", &[]);
    check("x.unknown().test()", &[]);
    check("Self::other(|x| Self::other(x))", &[]);
    check("Self::other(mac!(x))", &[]);
    check("Self::other({ let y = f(); y })", &[]);
    // Functions as values: only calls that surely are of this item, and only with arguments that call nothing.
    check("let f = Self::other; n.test()", &[]);
    check("let f = Self::other; Self::other(it.next())", &[]);
    check("let f = Self::other; Self::other(f)", &["f|t Self::other(f)"]);
    check("let f = Self::other; Self::other(n.f.as_ref())", &["f|t Self::other(n.f.as_ref())"]);
    check("let f = Self::other; Self::other(x.map(f))", &[]);
}

#[test]
fn an_invariant_that_holds_promises_nothing() {
    check("if self.f.rep_ok() { return false } true", &[]);
}

#[test]
fn values_that_go_elsewhere_have_none() {
    check("let x = a < b; x", &[]);
    check("let mut x = true; x &= a < b; x = c < d; x", &[]);
    check("let x = loop { break a < b }; x", &[]);
    check("loop { break a < b }", &[]);
    check("'l: { if a < b { break 'l true } c < d }", &[]);
    check("while a < b { go() } true", &[]);
    check("if a < b { go(); return false } true", &[]);
    check("if a < b { x = false } x", &[]);
    check("if a < b { return c } true", &[]);
    check("if a < b { continue } true", &[]);
    check("f(a < b)", &[]);
    check("(a < b) == (c < d)", &["f|t (a < b) == (c < d)"]);
    check("(a < b) ^ (c < d)", &[]);
    check("assert!(a < b); true", &[]);
    check("mac!(return a < b)", &[]);
    check("match x { y if a < b => false, _ => true }", &[]);
    check("match x { None if y => false, None => true, Some(_) => true }", &[]);
    check("let f = |x| { if a < b { return false } c < d }; f(1)", &[]);
    check("v.iter().filter(|x| x < y).count()", &[]);
    check("v.iter().map(|x| x < y).fold(true, |a, b| a && b)", &[]);
    check("async { return a < b }", &[]);
    check("const { a < b }", &[]);
    check("Some(a < b).is_some()", &[]);
    check("(a < b, 1).0", &[]);
    check_option("Some(a < b)", &[]);
    check_option("if a < b { return Some(1) } None", &[]);
    check_option("if a < b { return Err(x?) } y", &[]);
    check_option("let f = |x| self.f?; None", &[]);
}

#[test]
fn options_that_need_not_be_there_are_read_without_one() {
    check("let Some(x) = &self.f else { return true }; true", &["t|- &self.f"]);
    check("let Some(x) = &self.f else { panic!() }; true", &[]);
    check("if let Some(x) = &self.f { return false } true", &[]);
    check("while let Some(x) = &self.f { go() } true", &[]);
    check("match &self.f { Some(x) => x.go(), None => go() }", &[]);
    check("match &self.f { Some(1) | None => false, _ => true }", &[]);
    check("match self.f { 0 => false, _ => true }", &[]);
    check("if let Node { f } = &self.f { true } else { false }", &[]);
    check("self.f && self.g", &[]);
}

#[test]
fn names_that_are_something_else() {
    // A variable, a common method, a method of a trait, an async function.
    check("let other = |x| true; other(1)", &[]);
    let block = |body: &str| format!("impl Tree {{ fn contains(&self) -> bool {{ {body} }} }}");
    assert!(promises(&block("a < b && self.contains()")).is_empty());
    assert!(promises("impl PartialEq for Tree { fn eq(&self, o: &Tree) -> bool { a < b } }").is_empty());
    assert!(promises("impl Check for Tree { fn check(&self) -> bool { a < b && self.check() } }").is_empty());
    assert!(promises("async fn f() -> bool { a < b }").is_empty());
    assert!(promises("const fn f() -> bool { a < b }").is_empty());
    assert!(promises("fn f() -> u8 { if a < b { return 1 } 2 }").is_empty());
    assert!(promises("fn f() { if a < b { return } }").is_empty());
    // A function inside of another has a promise of its own.
    assert_eq!(promises("fn f() -> u8 { fn g() -> bool { a < b } g(); 2 }"), ["f|t a < b"]);
    assert!(promises("fn f() -> bool { fn g() -> u8 { if a < b { return 1 } 2 } g() == 1 }").len() == 1);
}
