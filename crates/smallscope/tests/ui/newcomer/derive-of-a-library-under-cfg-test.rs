/// A test in `tests/*.rs` sees its library as other crates do, without what is under `cfg(test)`.
mod library {
    #[cfg_attr(no_test_of_the_library, derive(smallscope::Bounded))]
    pub struct Tree {
        pub size: usize,
    }
}

#[smallscope::test(scope = 2)]
fn works(tree: library::Tree) {
    let _ = tree;
}

fn main() {}
