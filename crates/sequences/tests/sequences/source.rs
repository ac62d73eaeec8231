//! Printed tests are Rust: they compile, and do what the sequence does.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::everything;
use smallscope_sequences::{Context, Panics, Pool, Reply, Strategy, Test, by_mut, into, nothing};

#[test]
fn calls_are_readable() {
    let context = everything(2, &[1, 2, 0]).build().unwrap();
    let text = "t[0].insert(i32_[0], i32_[0]); t[1] = Tree::new(); t[1].insert(i32_[0], i32_[2]); \
                i32_[1] = t[1].get(i32_[0]); i32_[1] = t[1].try_get(i32_[0]); i32_[2] = t[1].try_get(i32_[1]); \
                t[1].remove(i32_[1]); t[0] = t[1].clone(); t[0].merge(t[1]); double(i32_[0]); \
                i32_[0] = t[0].into_size(); t[0].remove(i32_[0]); i32_[0] = t[1].first()";
    let test = Test::parse(&context, text).unwrap();
    assert_eq!(
        test.to_test_function(&context, "fails"),
        "#[test]
fn fails() {
    let mut t_1 = Tree::new();
    t_1.insert(1, 0);
    let mut i32_1: i32 = t_1.get(1).unwrap();
    i32_1 = t_1.try_get(1).unwrap();
    assert!(t_1.try_get(i32_1).is_err());
    t_1.remove(i32_1);
    let mut t_0 = t_1.clone();
    t_0.merge(&t_1);
    let mut i32_0: i32 = 1;
    i32_0 = i32_0.wrapping_mul(2);
    i32_0 = t_0.into_size();
    i32_0 = t_1.first();
}
"
    );
}

fn ends_with_a_panic(context: &Context, test: &Test) -> bool {
    let mut values = context.initial_values();
    let replies = test.calls().iter().map(|call| context.call(*call, &mut values));
    replies.last() == Some(Reply::Panicked)
}

#[test]
fn printed_tests_compile_and_pass() {
    let context = everything(2, &[1, 2, 0]).build().unwrap();
    let mut source = String::from("#![allow(warnings)]\nmod tree;\nuse tree::*;\n");
    let short = Strategy::random(&context, 5, 60, 1).unwrap();
    let long = Strategy::random(&context, 60, 60, 2).unwrap();
    let mut with_panics = 0;
    for (i, test) in short.tests().chain(long.tests()).enumerate() {
        let is_panic = ends_with_a_panic(&context, &test);
        with_panics += usize::from(is_panic);
        source += if is_panic { "#[should_panic]\n" } else { "" };
        source += &test.to_test_function(&context, &format!("test_{i}"));
    }
    assert!(with_panics > 0, "some tests have to end with a panic");
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("printed");
    fs::create_dir_all(&dir).unwrap();
    let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sequences/common/tree.rs");
    fs::copy(tree, dir.join("tree.rs")).unwrap();
    fs::write(dir.join("printed.rs"), &source).unwrap();
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let compiled = Command::new(rustc)
        .args(["--edition", "2024", "--test", "printed.rs", "-o", "printed"])
        .current_dir(&dir)
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{source}\n{}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(dir.join("printed")).output().unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
    assert!(String::from_utf8_lossy(&run.stdout).contains("120 passed"));
}

#[test]
fn a_last_call_that_may_panic_is_wrapped() {
    let source = |panics| {
        let context = Context::builder()
            .pool(Pool::empty(1).and(0u8).named("n").written_by(u8::to_string))
            .method("fail", (by_mut::<u8>(),), nothing(), |(_,)| panic!("always"))
            .panics(panics)
            .build()
            .unwrap();
        Test::new(&context, [0]).unwrap().to_source(&context)
    };
    assert_eq!(source(Panics::Fail), "let mut n: u8 = 0;\nn.fail();\n");
    let wrapped = source(Panics::Allowed);
    assert!(wrapped.contains("catch_unwind") && wrapped.ends_with(".unwrap_err();\n"), "{wrapped}");
}

#[test]
fn variables_of_types_with_the_same_name_are_told_apart() {
    let context = Context::builder()
        .pool(Pool::<Vec<u8>>::empty(1).cloned())
        .pool(Pool::<Vec<bool>>::empty(2).cloned())
        .function("numbers", (), into(), |()| vec![1u8])
        .function("answers", (), into(), |()| vec![true])
        .method("clear", (by_mut::<Vec<u8>>(),), nothing(), |(v,)| v.clear())
        .build()
        .unwrap();
    let line = "vec[0] = numbers(); vec_b[1] = answers(); vec[0].clear()";
    let test = Test::parse(&context, line).unwrap();
    assert_eq!(test.to_line(&context), line);
    let source = "let mut vec: Vec<u8> = numbers();\nlet vec_b_1: Vec<bool> = answers();\nvec.clear();\n";
    assert_eq!(test.to_source(&context), source);
}
