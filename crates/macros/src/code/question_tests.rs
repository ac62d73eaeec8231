//! What comparisons with fields become.

use super::Kind;
use super::tests::{check_body, check_contains};

/// `__p::eq(promise, left, right, ..)`, as the only expression of a body.
#[track_caller]
fn check(body: &str, function: &str, left: &str, right: &str) {
    let op = match function {
        "eq" => "==",
        "ne" => "!=",
        "lt" => "<",
        "le" => "<=",
        "gt" => ">",
        _ => ">=",
    };
    let is_literal =
        |e: &str| e.trim_start_matches(['&', '(', '-']).starts_with(|c: char| c.is_ascii_digit());
    let [l, r] = match is_literal(left) || is_literal(right) {
        true => ["*__l", "*__r"],
        false => ["__p::mirror::held(__l).value", "__p::mirror::held(__r).value"],
    };
    check_body(body, &format!("__p::{function}(__promise, {left}, {right}, |__l, __r| {l} {op} {r})"));
}

#[test]
fn fields_are_asked() {
    check("self.size == 3", "eq", "self.size.__ask()", "&(3)");
    check("3 < self.size", "lt", "&(3)", "self.size.__ask()");
    check("self.a.b >= -1", "ge", "(*self.a.__read()).b.__ask()", "&(-1)");
    check("self.a != x.b", "ne", "self.a.__ask()", "x.b.__ask()");
    check("(*p).a == x as usize", "eq", "(*p).a.__ask()", "&(x as usize)");
    check("&self.a <= &x.b", "le", "self.a.__ask()", "x.b.__ask()");
    check("self.a.borrow().x > 3", "gt", "(*self.a.__read()).borrow().x.__ask()", "&(3)");
}

#[test]
fn fields_are_compared_with_collections() {
    let same = |body: &str, left: &str, right: &str, pair: &str| {
        let pair = format!("__p::mirror::nested::Pair({pair})");
        let [first, second] =
            if pair.contains("(__l") { ["__mirror", "__value"] } else { ["__value", "__mirror"] };
        let held = "__p::mirror::held";
        let holds = format!("{held}({pair}.{first}()).value == {held}({pair}.{second}()).value");
        check_body(body, &format!("__p::eq(__promise, {left}, {right}, |__l, __r| {holds})"));
    };
    same("self.a == x", "self.a.__ask()", "&(x)", "__l, __r");
    same("x == self.a", "&(x)", "self.a.__ask()", "__r, __l");
    same("self.a == f(1)", "self.a.__ask()", "&(f(1))", "__l, __r");
    same("&self.a == x", "&(&(*self.a.__read()))", "&(x)", "__l, __r");
    same("&x == y", "&(&x)", "&(y)", "__r, __l");
    check("self.a == x.len()", "eq", "self.a.__ask()", "&(x.len())");
    check("self.a == MAX", "eq", "self.a.__ask()", "&(MAX)");
}

#[test]
fn copies_may_be_collections() {
    check_body(
        "f(self.a.clone())",
        "f(match &((*self.a.__read())) { __c => __p::mirror::nested::Copying(__c).__clone(|| (*__c).clone()) })",
    );
    check_body(
        "f(self.a.iter().cloned())",
        "f(__p::mirror::nested::Cloning::of(self.a.__look().iter()).__cloned())",
    );
}

#[test]
fn elements_are_asked() {
    check("self.a[i] == self.a[i + 1]", "eq", "(*self.a.__read()).__at(i)", "(*self.a.__read()).__at(i + 1)");
    check("self.a[0][self.i] < 2", "lt", "(*self.a.__read())[0].__at((*self.i.__read()))", "&(2)");
    check_body("self.a[1..3] == [1, 2]", "(*self.a.__read())[1..3] == [1, 2]");
    check("x[0] == self.a[r]", "eq", "x.__at(0)", "(*self.a.__read()).__at(r)");
    check(
        "*self.a.last().unwrap() > 1",
        "gt",
        "(*self.a.__read()).__cells().last().unwrap().__ask()",
        "&(1)",
    );
}

#[test]
fn copies_are_read_where_they_are_used() {
    check_body(
        "let a = self.a; let b = self.b[0]; f(b); a < 1",
        "let a = self.a.__late(); let b = (*self.b.__read()).__late_at(0); f((*b.__get()));
         __p::lt(__promise, a.__ask(), &(1), |__l, __r| *__l < *__r)",
    );
    check_body(
        "let mut a = self.a; a = x; a == 1",
        "let mut a = self.a.__late(); a = __p::Late::Value(x);
         __p::eq(__promise, a.__ask(), &(1), |__l, __r| *__l == *__r)",
    );
    // These write to the variable, or are not in a place that is borrowed.
    check_body("let mut a = self.a; a += 1; f(a)", "let mut a = (*self.a.__read()); a += 1; f(a)");
    check_body("let mut a = self.a; f(&mut a)", "let mut a = (*self.a.__read()); f(&mut a)");
    check_body("let a = x.a; f(a)", "let a = (*x.a.__read()); f(a)");
}

#[test]
fn items_are_cells_if_every_step_is_in_the_source() {
    check_body(
        "self.a.iter().skip(1).all(|x| *x < 2)",
        "self.a.__look().iter().__items().skip(1).all(|x| { __p::step(); __p::lt(__promise & 1, x.__ask(), &(2), |__l, __r| *__l < *__r) })",
    );
    check_body(
        "self.a.iter().map(|&x| x).count() == n",
        "self.a.__look().iter().__items().map(|x| { __p::step(); (*x.__bind()) }).count() == n",
    );
    check_body(
        "for x in &self.a { std::f(x); } true",
        "for x in (&self.a).__loop().__items() { __p::step(); std::f(x.__bind()); } true",
    );
}

#[test]
fn sums_are_asked() {
    check("self.a + 1 == x", "eq", "__p::plus(self.a.__ask(), 1)", "&(x)");
    check("1 + self.a < self.b - 2", "lt", "__p::plus(self.a.__ask(), 1)", "__p::minus(self.b.__ask(), 2)");
    check("self.a - (x as u8) > 0", "gt", "__p::minus(self.a.__ask(), (x as u8))", "&(0)");
    // What is added may be a reference, or read something first.
    check_body("self.a + x == 1", "(*self.a.__read()) + x == 1");
    check_body("x + self.a == 1", "x + (*self.a.__read()) == 1");
    check_body("self.a * 2 == x", "(*self.a.__read()) * 2 == x");
}

#[test]
fn variables_bound_to_cells_are_asked() {
    let pattern = |b: &str| format!("let Tree {{ a, b, .. }} = self; {b}");
    check_body(&pattern("*a == 1"), &pattern("__p::eq(__promise, a.__ask(), &(1), |__l, __r| *__l == *__r)"));
    check_body(
        &pattern("a == b"),
        &pattern(
            "__p::eq(__promise, a.__ask(), b.__ask(), |__l, __r| __p::mirror::held(__l).value == __p::mirror::held(__r).value)",
        ),
    );
    check_body(
        &pattern("a == x"),
        &pattern(
            "__p::eq(__promise, &(a.__bind()), &(x), |__l, __r| __p::mirror::held(__l).value == __p::mirror::held(__r).value)",
        ),
    );
    check_body(
        "let Tree { a, .. } = *self; a == 1",
        "let Tree { ref a, .. } = *self; __p::eq(__promise, a.__ask(), &(1), |__l, __r| *__l == *__r)",
    );
}

#[test]
fn everything_else_is_compared() {
    check_body("x.len() == 3", "x.len() == 3");
    check_body("x == 3", "x == 3");
    check_body("let y = x == z; y", "let y = x == z; y");
    // What `z` refers to may be the mirror of a map.
    check_body(
        "x == *z",
        "__p::eq(__promise, &(x), &(*z), |__l, __r| __p::mirror::held(__p::mirror::nested::Pair(__r, __l).__value()).value == __p::mirror::held(__p::mirror::nested::Pair(__r, __l).__mirror()).value)",
    );
    check_body(
        "let y = x != *z; y",
        "let y = match (&(x), &(*z)) { (__l, __r) => __p::mirror::held(__p::mirror::nested::Pair(__r, __l).__value()).value != __p::mirror::held(__p::mirror::nested::Pair(__r, __l).__mirror()).value }; y",
    );
    check("x < *z", "lt", "&(x)", "&(*z)");
    check_body("let t = (1, 2); f(t.0 < t.1)", "let t = (1, 2); f(t.0 < t.1)");
    check_body("let mut a = f(); a.n == a.next()", "let mut a = f(); (*a.n.__read()) == a.next()");
    check_body("self.a == return true", "(*self.a.__read()) == return true");
}

#[test]
fn keys_are_looked_up() {
    check_body("self.a.contains(&x)", "self.a.__look().__under(__promise).contains(&x)");
    check_body("f(self.a[&k].contains(x))", "f((*self.a.__read()).__cell_at(&k).__look().contains(x))");
    check_body(
        "self.a.is_subset(&self.b)",
        "self.a.__look().__pairwise().__under(__promise).is_subset(&self.b.__look())",
    );
    check_body("self.a.is_subset(&x)", "self.a.__look().__under(__promise).is_subset(&x)");
    check_body(
        "self.a.get(&k).is_some_and(|v| v.contains(&x))",
        "self.a.__look().__entries().__under(__promise & 1).get(&k)
         .is_some_and(|v| v.__look().__under(__promise).contains(&x))",
    );
    check_body(
        "for x in &self.a[i] { std::f(x); } true",
        "for x in (*self.a.__read()).__cell_at(i).__loop() { __p::step(); std::f(x); } true",
    );
    check_body(
        "let s = &self.a; s.contains(&x)",
        "let s = &self.a; s.__look().__under(__promise).contains(&x)",
    );
    check_body(
        "let s = &self.a; std::f(s.len(), s.contains(&x), s)",
        "let s = &(*self.a.__read()); std::f(s.len(), s.contains(&x), s)",
    );
    // Locals and functions of the block.
    check_body("x.contains(&1)", "x.contains(&1)");
    check_body("self.rep_ok().len()", "self.rep_ok().len()");
}

#[test]
fn null_is_asked() {
    check_body("self.a.is_none()", "self.a.__ask().__under(__promise).is_none()");
    check_body("f(self.a.is_some())", "f(self.a.__ask().is_some())");
    check_body("self.a[i].is_none()", "(*self.a.__read()).__at(i).__under(__promise).is_none()");
    check_body(
        "let Tree { a, .. } = self; a.is_null()",
        "let Tree { a, .. } = self; a.__ask().__under(__promise).is_null()",
    );
    check_body("x.is_none()", "x.is_none()");
    check_body("self.a.first().is_none()", "self.a.__look().first().is_none()");
    check_body(
        "std::ptr::eq(self.a, x)",
        "__p::eq(__promise, self.a.__ask(), &(x), |__l, __r| std::ptr::eq(*__l, *__r))",
    );
    check_body("ptr::eq(&*self.a, x)", "ptr::eq(&*(*self.a.__read()), x)");
}

#[test]
fn options_are_read_with_their_promise() {
    check_body(
        "match &self.a { Some(_) => true, None => false }",
        "match &(*self.a.__some(__promise & 1)) {
            Some(_) => { __p::arm(__DECISIONS, 0u32, 0u32); true },
            None => { __p::arm(__DECISIONS, 0u32, 1u32); false },
        }",
    );
    let arms = "{ Some(_) => { __p::arm(__DECISIONS, 0u32, 0u32); true }, _ => { __p::arm(__DECISIONS, 0u32, 1u32); false }, }";
    let read = |e: &str, copy: &str| {
        check_body(&format!("match {e} {{ Some(_) => true, _ => false }}"), &format!("match {copy} {arms}"));
    };
    read("self.a", "(*self.a.__some(__promise & 1))");
    read("self.a[i]", "(*(*self.a.__read()).__some_at(i, __promise & 1))");
    read("&self.a[i]", "&(*(*self.a.__read()).__some_at(i, __promise & 1))");
    read("self.a.as_deref()", "(*self.a.__some(__promise & 1)).as_deref()");
    read("x.as_deref()", "x.as_deref()");
}

#[test]
fn calls_hand_promises_on() {
    let block = |body: &str| {
        format!(
            "impl Tree {{ fn rep_ok(&self) -> bool {{ {body} }} fn a<'a>(&'a self) -> bool {{ true }}
                fn b<'a>(&'a self) -> Option<u8> {{ None }} fn c<'a>(&'a self) -> u8 {{ 0 }} }}"
        )
    };
    let check = |body: &str, code: &str| check_contains(Kind::RepOk, "", &block(body), code);
    check("self.a()", "(__p::promise(__promise), self.a(), __p::unpromise()).1");
    check(
        "Self::b(self).is_some()",
        "(__p::promise(__promise), Self::b(self), __p::unpromise()).1.is_some()",
    );
    check("self.a()", "fn a<'a>(&'a self) -> bool { let __promise = __p::enter(); __p::step(); true }");
    check(
        "self.b().is_some() && self.c() == 1",
        "fn b<'a>(&'a self) -> Option<u8> { let __promise = __p::enter(); __p::step(); None }",
    );
    check("self.c() == 1", "fn c<'a>(&'a self) -> u8 { let _ = __p::enter(); __p::step(); 0 }");
    // A closure that other code calls drops what waits for another function.
    check(
        "let f = |x: &Tree| x.a(); f(self)",
        "let f = |x: &Tree| { let _ = __p::enter(); __p::step(); x.a() };",
    );
}
