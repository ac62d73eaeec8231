//! What the steps make of small pieces of code. That the result means the right thing is for the tests of the
//! `smallscope` crate.

use super::{Kind, attribute};
use proc_macro2::TokenStream;
use std::str::FromStr;

/// The expansion, without white space.
pub(super) fn expand(kind: Kind, args: &str, item: &str) -> String {
    let tokens = |s: &str| TokenStream::from_str(s).unwrap();
    attribute(kind, tokens(args), tokens(item)).to_string().split_whitespace().collect()
}

pub(super) fn squeezed(code: &str) -> String {
    TokenStream::from_str(code).unwrap().to_string().split_whitespace().collect()
}

/// The statements that a body has in the copy, without decisions in it.
#[track_caller]
pub(super) fn check_body(body: &str, copy: &str) {
    let item = format!("impl Tree {{ fn rep_ok(&self) -> bool {{ {body} }} }}");
    let out = expand(Kind::RepOk, "", &item);
    let expected = squeezed(&format!(
        "fn rep_ok(&self) -> bool {{ let __promise = __p::enter(); __p::step(); {copy} }}"
    ));
    assert!(out.contains(&expected), "\nexpected {expected}\nin {out}");
    assert!(out.starts_with(&squeezed(&item)), "the original comes first, as it is");
}

#[track_caller]
pub(super) fn check_contains(kind: Kind, args: &str, item: &str, code: &str) {
    let out = expand(kind, args, item);
    assert!(out.contains(&squeezed(code)), "\nexpected {}\nin {out}", squeezed(code));
}

#[track_caller]
fn check_error(kind: Kind, args: &str, item: &str, message: &str) {
    let tokens = |s: &str| TokenStream::from_str(s).unwrap();
    let out = attribute(kind, tokens(args), tokens(item)).to_string();
    assert!(out.contains("compile_error") && out.contains(message), "\nexpected {message}\nin {out}");
    assert!(out.replace(' ', "").starts_with(&squeezed(item)), "the original is emitted all the same");
}

#[test]
fn fields_are_read() {
    check_body(
        "self.size + self.root.depth",
        "(*self.size.__read()) + (*(*self.root.__read()).depth.__read())",
    );
    check_body("self.0.1.f()", "(*self.0.__parts().1.__read()).f()");
    check_body(
        "assert!(self.size < 9, \"{}\", self.size); true",
        "assert!(__p::lt(0, self.size.__ask(), &(9), |__l, __r| *__l < *__r), \"{}\", (*self.size.__read())); true",
    );
    check_body("vec![self.a; self.n].is_empty()", "vec![(*self.a.__read()); (*self.n.__read())].is_empty()");
}

#[test]
fn parts_of_the_structure_are_told_apart_from_plain_data() {
    let argument =
        |e: &str| format!("__p::pass(__a0, __p::Argument::new(__a0, __Function_near, {e}).__pass())");
    let call = |e: &str| {
        format!("(match (::core::marker::PhantomData,) {{ (__a0,) => near({}, 3,) }})", argument(e))
    };
    check_body("near(&self.list, 3)", &call("&(*self.list.__read())"));
    check_body("near(self, 3)", &call("self"));
    check_body("near(self.list.len(), 3)", "near(self.list.__look().len(), 3)");
    check_body("std::ok(&self.list)", "std::ok(&(*self.list.__read()))");
    check_body("let near = ok; near(&self.list)", "let near = ok; near(&(*self.list.__read()))");
    check_body("std::ptr::eq(&self.list, x)", "std::ptr::eq(&(*self.list.__read()), x)");
}

#[test]
fn locals_are_written_to() {
    check_body(
        "let mut a = start(); a.n += self.n; a.v.push(1); ok(a.n)",
        "let mut a = start(); a.n += (*self.n.__read()); a.v.push(1); ok((*a.n.__read()))",
    );
    check_body("let t = (1, self.n); go(t.0 < t.1)", "let t = (1, (*self.n.__read())); go(t.0 < t.1)");
    check_body("std::go(&mut acc.list, &self.list)", "std::go(&mut acc.list, &(*self.list.__read()))");
}

#[test]
fn variables_bound_to_cells_are_read_where_they_are_used() {
    check_body("let Tree { root, .. } = self; root.ok()", "let Tree { root, .. } = self; root.__bind().ok()");
    check_body(
        "let Tree { size, .. } = *self; ok(size)",
        "let Tree { ref size, .. } = *self; ok((*size.__bind()))",
    );
    check_body(
        "let Tree { size, .. } = self; let size = *size; size > 0",
        "let Tree { size, .. } = self; let size = *size.__bind(); size > 0",
    );
    check_body(
        "let Tree { size, .. } = self; { struct View; View { size }.ok }",
        "let Tree { size, .. } = self; { struct View; (*View { size: size.__bind() }.ok.__read()) }",
    );
    check_body(
        "let Tree { size, .. } = self; show(format!(\"{size}\"))",
        "let Tree { size, .. } = self; show(format!(\"{size}\", size = size.__bind()))",
    );
    check_body(
        "let (a, b) = &self.pair; std::ok(a, b)",
        "let (a, b) = self.pair.__parts(); std::ok(a.__bind(), b.__bind())",
    );
    check_body(
        "let Some(a) = other else { return true }; a.ok()",
        "let Some(a) = other else { __p::arm(__DECISIONS, 0u32, 0u32); return true }; __p::arm(__DECISIONS, 0u32, 1u32); a.ok()",
    );
}

#[test]
fn patterns_inside_fields_move_out() {
    check_body(
        "let Tree { pos: Pos { line, .. }, .. } = self; ok(*line)",
        "let Tree { pos: __field0, .. } = self; let Pos_must_derive_Bounded { line, .. } = __field0.__bind(); ok(*line.__bind())",
    );
    check_body(
        "match self { Tree { root: None, .. } => true }",
        "match self { Tree { root: __field0, .. } if match *__field0.__bind() { None => true, _ => false } => true, _ => ::core::unreachable!(), }",
    );
    check_body(
        "match self { Tree { root: Some(n), .. } if n.ok() => n.ok() }",
        "match self {
            Tree { root: __field0, .. } if match __field0.__bind() { Some(n) => __p::decide(__DECISIONS, 0u32, if n.ok() { true } else { false }), _ => false } => {
                let Some(n) = __field0.__bind() else { ::core::unreachable!() };
                n.ok()
            },
            _ => ::core::unreachable!(),
        }",
    );
}

#[test]
fn decisions_are_reported() {
    check_body(
        "if self.a && !b { return c } d || e",
        "if __p::decide(__DECISIONS, 0u32, if
            __p::decide(__DECISIONS, 1u32, if (*self.a.__read()) { true } else { false })
            && !__p::decide(__DECISIONS, 2u32, if b { true } else { false })
         { true } else { false }) { return c }
         __p::decide(__DECISIONS, 3u32, if d { true } else { false }) || __p::decide(__DECISIONS, 4u32, if e { true } else { false })",
    );
    check_body(
        "while let Some(x) = next() { f(x)?; } true",
        "loop {
            if let Some(x) = next() { __p::step(); __p::arm(__DECISIONS, 0u32, 1u32); __p::attempt(__DECISIONS, 1u32, f(x))?; }
            else { __p::arm(__DECISIONS, 0u32, 0u32); break; }
         } true",
    );
    check_body(
        "match x { A => 1, B => { 2 } }",
        "match x { A => { __p::arm(__DECISIONS, 0u32, 0u32); 1 }, B => { __p::arm(__DECISIONS, 0u32, 1u32); 2 }, }",
    );
    check_body("for x in y { g(x) } true", "for x in y { __p::step(); g(x) } true");
}

#[test]
fn names_mean_mirrors() {
    let block = "impl<K> Tree<K> { fn rep_ok(&self) -> bool { f::<Node<K>, Rc<K>>() && Color::Red == c && Own::f() } }";
    for code in [
        "use Tree_must_derive_Bounded as __OwnMirror;",
        "use __OwnMirror as Tree;",
        "type __MirrorOfNode<T0> = <Node<T0> as __p::Mirrored>::Mirror;",
        "use __MirrorOfNode as Node;",
        "use Color as Color_without_arguments;",
        "type __MirrorOfColor = <__p::If<{ __p::IsMirrored::<Color_without_arguments>::YES }> as
            __p::Choose<Color_without_arguments>>::Mirror; use __MirrorOfColor as Color_must_derive_Bounded;",
        "Color_must_derive_Bounded::Red",
        "use __p::mirror::Rc as Rc;",
        "use Own_must_derive_Bounded as Own;",
        "use ::smallscope::__private as __p;",
    ] {
        check_contains(Kind::RepOk, "", block, code);
    }
    check_contains(
        Kind::RepOk,
        "a::Own, fn a::f, variants(a::Color), crate = b::c",
        block,
        "use a::Own_must_derive_Bounded_or_be_marked_mirror_or_opaque as Own;
            use a::f_must_be_marked_mirror as f;
            use a::Color_must_derive_Bounded_or_be_marked_mirror_or_opaque::*;",
    );
    check_contains(Kind::RepOk, "crate = b::c", block, "use b::c::__private as __p;");
    let out = expand(Kind::RepOk, "opaque(Color, Node)", block);
    assert!(!out.contains("MirrorOfColor") && !out.contains("MirrorOfNode"));
    let weak = "impl Tree { fn rep_ok(&self) -> bool { let a: Arc<Tree>; let w: Weak<Tree>; true } }";
    check_contains(Kind::RepOk, "", weak, "use __p::mirror::SyncWeak as Weak;");
}

#[test]
fn types_outside_of_the_scope_are_rewritten() {
    check_contains(
        Kind::Mirror,
        "",
        "pub fn f<'a, K>(n: &'a Option<Box<Node<K>>>, v: &Vec<Node<K>>, w: &Vec<u8>) -> &'a K { g(n) }",
        "pub fn f_must_be_marked_mirror<'a, K: 'static>(
            n: &'a Option<::smallscope::__private::mirror::Box<<Node<K> as ::smallscope::__private::Mirrored>::Mirror> >,
            v: & <Node<K> as ::smallscope::__private::Mirrored>::Seq,
            w: &::smallscope::__private::mirror::Slice<u8>
         ) -> &'a K",
    );
    check_contains(
        Kind::Mirror,
        "",
        "struct I<'a, K> { s: Vec<&'a Node<K>> }",
        "struct I_in_the_invariant<'a, K> { s: Vec<&'a Node_must_derive_Bounded<K> > }",
    );
    check_contains(
        Kind::Mirror,
        "",
        "type L<K> = Option<Box<Node<K>>>;",
        "type L_in_the_invariant<K> = Option<::smallscope::__private::mirror::Box<",
    );
    check_contains(
        Kind::RepOk,
        "",
        "impl Tree { fn rep_ok(&self) -> bool { Self::f(&self.v) } fn f(v: &Vec<Node>) -> bool { true } }",
        "fn f(v: & <__RealOfNode as __p::Mirrored>::Seq)",
    );
}

#[test]
fn the_copy_has_what_the_invariant_reaches() {
    let block = "impl Tree {
        fn new() -> Self { Self { a: 1 } }
        fn rep_ok(&self) -> bool { let s = Set::new(); self.a() && x.maybe() && s.iter() }
        fn a(&self) -> bool { Self::B }
        const B: bool = true;
        const C: bool = false;
        fn unrelated(&self) -> bool { true }
        fn maybe(&self) -> bool { self.mutates() }
        fn mutates(&mut self) -> bool { true }
        fn iter(&self) -> Iter<'_> { Iter(self) }
        #[mirror] fn marked(&self) -> bool { true }
    }";
    let out = expand(Kind::RepOk, "opaque(Set)", block);
    let times = |name: &str| out.matches(&name.replace(' ', "")).count();
    for kept in ["fn rep_ok(&self)->bool{let__promise", "const B:", "fn a(&self)", "fn marked(&self)"] {
        let count = if kept.contains("{let") { 1 } else { 2 };
        assert_eq!(times(kept), count, "{kept} is in the copy: {out}");
    }
    for dropped in ["fn new()", "const C:", "fn unrelated", "fn maybe(&self)", "fn mutates", "fn iter(&self)"]
    {
        assert_eq!(times(dropped), 1, "{dropped} is not in the copy");
    }
    assert!(!out.contains("#[mirror]fn"));
}

#[test]
fn mistakes() {
    let body = |b: &str| format!("impl<K> Tree<K> {{ fn rep_ok(&self) -> bool {{ {b} }} }}");
    check_error(Kind::RepOk, "", &body("Tree { a: 1 }.ok()"), "this makes a new `Tree`");
    check_error(Kind::RepOk, "", &body("Stats::new().ok()"), "opaque(Stats)");
    check_error(Kind::RepOk, "", &body("x.borrow_mut().ok()"), "`.borrow()` reads");
    check_error(Kind::RepOk, "", &body("self.cell.set(1); true"), "`.set(..)` changes the field");
    check_error(Kind::RepOk, "", &body("unsafe { (*self.p).mark = 1 } true"), "assigns to a field");
    check_error(Kind::RepOk, "", &body("check!(self.size => 3)"), "a syntax of its own");
    check_error(Kind::RepOk, "", &body("matches!(self, Lit(3))"), "`Lit` without its type");
    check_error(Kind::RepOk, "name = check", &body("true"), "no `fn check(&self) -> bool`");
    check_error(Kind::RepOk, "helper", &body("true"), "unknown argument");
    check_error(Kind::RepOk, "Node<K>", &body("true"), "leave the generic arguments out");
    check_error(Kind::Mirror, "", "mod m {}", "goes on an impl block");
}

#[test]
fn what_is_printed_is_what_was_written() {
    check_body(
        "dbg!(self.size); true",
        "::smallscope::__private::dbg(
            ::core::concat!(::core::file!(), \":\", ::core::line!(), \":\", ::core::column!()), \"self.size\", (*self.size.__read())
        ); true",
    );
    check_body(
        "assert!(f(self.size)); true",
        "assert!(f((*self.size.__read())), \"{}\", \"assertion failed: f(self.size)\"); true",
    );
}
