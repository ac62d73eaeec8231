//! What becomes of the conjuncts of an invariant.

use super::Kind;
use super::tests::{check_body, check_contains, expand};

fn block(body: &str) -> String {
    format!("impl Tree {{ fn rep_ok(&self) -> bool {{ {body} }} }}")
}

/// Which of the conjuncts are pure; nothing if the chain stays as it is.
#[track_caller]
fn check(body: &str, expected: &[bool]) {
    let out = expand(Kind::RepOk, "", &block(body));
    let is_pure: Vec<bool> = out.split("is_pure:").skip(1).map(|rest| rest.starts_with("true")).collect();
    assert_eq!(is_pure, expected, "{body}");
    assert_eq!(out.contains("Conjuncts::start(__CONJUNCTS)"), !expected.is_empty(), "{body}");
}

#[test]
fn conjuncts_are_run_one_by_one() {
    check_body(
        "let x = 1; self.a < 1 && self.b < 2",
        "let x = 1; {
            let mut __k = __p::Conjuncts::start(__CONJUNCTS);
            loop {
                let Some(__i) = __k.next() else { break true };
                let __holds: ::core::primitive::bool = match __i {
                    0u32 => __k.run(0u32, || __p::decide(__DECISIONS, 0u32, if __p::lt(__promise & 1, self.a.__ask(), &(1), |__l, __r| *__l < *__r) { true } else { false })),
                    1u32 => __k.run(1u32, || __p::decide(__DECISIONS, 1u32, if __p::lt(__promise & 1, self.b.__ask(), &(2), |__l, __r| *__l < *__r) { true } else { false })),
                    _ => ::core::unreachable!(),
                };
                if !__k.held(__i, __holds) { break false; }
            }
        }",
    );
    check_contains(
        Kind::RepOk,
        "",
        &block("unsafe { { !self.a && matches!(self.b, 1 | 2) } }"),
        "static __CONJUNCTS: &[__p::ConjunctSite] = &[
            __p::ConjunctSite { text: \"!self.a\", line: ::core::line!(), is_pure: true, is_movable: false },
            __p::ConjunctSite { text: \"matches!(self.b, 1 | 2)\", line: ::core::line!(), is_pure: true, is_movable: false }
        ];",
    );
}

#[test]
fn only_the_chain_at_the_end_of_the_invariant() {
    check("self.a < 1 && self.b && (self.c || self.d)", &[true, true, true]);
    check("self.a", &[]);
    check("self.a || self.b", &[]);
    check("!(self.a && self.b)", &[]);
    check("let x = self.a && self.b; x", &[]);
    check("if self.a && self.b { self.c && self.d } else { false }", &[]);
    check("'l: { self.a && self.b }", &[]);
    let helper =
        "impl Tree { fn rep_ok(&self) -> bool { self.ok() } fn ok(&self) -> bool { self.a && self.b } }";
    assert!(!expand(Kind::RepOk, "", helper).contains("__CONJUNCTS"));
}

#[test]
fn what_changes_something_is_not_pure() {
    let seen = |rest: &str| format!("let mut seen = HashSet::new(); f(&seen) && {rest}");
    check(&seen("seen.len() == self.n && seen.contains(&self.n) && f(&seen)"), &[true, true, true, true]);
    check(&seen("f(&mut seen) && seen.len() == 2"), &[true, false, true]);
    check(&seen("seen.insert(1)"), &[true, false]);
    check(&seen("seen.is_full()"), &[]);
    check(&seen("{ n = 1; true }"), &[true, false]);
    check(&seen("{ if self.b { return true } false }"), &[true, false]);
    check(&seen("unknown!(x => y)"), &[]);
    check(&seen("unknown!(x)"), &[true, false]);
    check("let seen = RefCell::new(1); g(&seen) && f(&seen)", &[false, false]);
    check("let seen = RefCell::new(1); g(&seen) && seen.borrow_mut().ok()", &[]);
    check("let seen = &RefCell::new(1); g(seen) && seen.borrow_mut().ok()", &[false, false]);
}

#[test]
fn what_may_be_moved_stays_in_a_chain() {
    let keys = |rest: &str| format!("let keys = self.keys(); f(&keys) && {rest}");
    check(&keys("f(keys)"), &[]);
    check(&keys("keys.into_iter().all(f)"), &[]);
    check(&keys("go(move || keys.len())"), &[]);
    check(&keys("go(|| keys)"), &[]);
    check(&keys("f(keys.first)"), &[]);
    check(&keys("match keys { None => true, Some(k) => k.ok() }"), &[]);
    check(&keys("keys.iter().all(f) && keys == x"), &[true; 3]);
    check("let n = self.n; let ok = f(); self.a && f(n) && ok && !ok", &[true; 4]);
    check("let Some(root) = &self.root else { return true }; self.a && f(root, 1)", &[true; 2]);
    check("let n: usize = f(); let m = x.len() + 1; f(n, m) && g(n)", &[true; 2]);
}

#[test]
fn what_one_conjunct_needs_is_evaluated_with_it() {
    let sunk = |body: &str| {
        let block = format!("impl Tree {{ fn rep_ok(&self) -> bool {{ {body} }} }}");
        expand(Kind::RepOk, "", &block).contains("reads_in_order")
    };
    assert!(sunk("let keys = self.keys(); self.a && f(keys)"));
    assert!(sunk("let mut keys = self.keys(); keys.sort(); self.all() && self.keys && keys.ok()"));
    assert!(sunk("let n = self.n(); let m = n + 1; if self.b { return false } self.a && m == 1"));
    // Two conjuncts need it, or a statement that stays where it is.
    assert!(!sunk("let keys = self.keys(); self.a && f(&keys) && g(&keys)"));
    assert!(!sunk("let n = self.n(); if n == 0 { return false } self.a && n == 1"));
    assert!(!sunk("let n = self.n(); for i in 0..n { f(i); } self.a && n == 1"));
    // It may leave the function, or hide another variable.
    assert!(!sunk("let n = self.n()?; self.a && n == 1"));
    assert!(!sunk("let n = self.n(); let n = n + 1; self.a && n == 1"));
    // There is only one.
    assert!(!sunk("let n = self.n(); n == 1"));
}
