//! Whether two versions of a function's body can stand next to each other, one of them in a closure.

use syn::visit::{self, Visit};
use syn::{Block, Item, ReturnType, Signature, StmtMacro, TypeImplTrait, TypeNever};

/// The name of the code as it is written begins so if `#[mutate]` has put it into a method of its own.
pub(crate) const PLAIN: &str = "__smallscope_plain_";

/// Macros that define nothing.
const EXPRESSIONS: [&str; 18] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "panic",
    "print",
    "println",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// Not if it defines something: there would be two of it, for instance of a counter. Not if it returns something whose
/// type has no name: the versions would have different types. And not if it does what a closure cannot do.
pub(crate) fn can_be_there_twice(signature: &Signature, body: &Block) -> bool {
    if signature.asyncness.is_some() || signature.unsafety.is_some() {
        return false;
    }
    let mut search = Search { found: false };
    if let ReturnType::Type(_, returned) = &signature.output {
        search.visit_type(returned);
    }
    search.visit_block(body);
    !search.found
}

struct Search {
    found: bool,
}

impl<'ast> Visit<'ast> for Search {
    fn visit_item(&mut self, _: &'ast Item) {
        self.found = true;
    }

    fn visit_type_never(&mut self, _: &'ast TypeNever) {
        self.found = true;
    }

    fn visit_type_impl_trait(&mut self, _: &'ast TypeImplTrait) {
        self.found = true;
    }

    fn visit_stmt_macro(&mut self, stmt: &'ast StmtMacro) {
        let name = stmt.mac.path.segments.last();
        self.found |= !name.is_some_and(|name| EXPRESSIONS.iter().any(|known| name.ident == known));
        visit::visit_stmt_macro(self, stmt);
    }
}

#[cfg(test)]
mod tests {
    use super::can_be_there_twice;
    use syn::ItemFn;

    #[test]
    fn what_can_be_there_twice() {
        let can = |source: &str| {
            let function: ItemFn = syn::parse_str(source).unwrap();
            can_be_there_twice(&function.sig, &function.block)
        };
        for source in [
            "fn f(x: u8) -> u8 { if x == 0 { return 1; } x }",
            "fn f(x: impl Fn()) { x(); println!(\"done\"); std::panic!(); }",
            "fn f() -> Box<dyn Fn()> { Box::new(|| ()) }",
        ] {
            assert!(can(source), "{source}");
        }
        for source in [
            "fn f() -> u8 { static COUNT: AtomicU8 = AtomicU8::new(0); COUNT.load(Relaxed) }",
            "fn f() { if true { fn g() {} g() } }",
            "fn f() -> impl Fn() { || () }",
            "async fn f() { g().await }",
            "unsafe\nfn f() { g() }",
            "fn f() -> ! { loop {} }",
            "fn f() -> Option<impl Iterator<Item = u8>> { None::<std::iter::Empty<u8>> }",
            "fn f() { thread_local! { static COUNT: u8 = 0; } COUNT.with(|c| g(c)) }",
        ] {
            assert!(!can(source), "{source}");
        }
    }
}
