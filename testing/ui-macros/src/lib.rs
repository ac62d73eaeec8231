//! A test that runs the compiler, as it was run for the test itself.
//!
//! Only the compiler knows which of the artifacts in a target directory a test belongs to: there may be several of
//! one crate, with other features, flags or sources. A macro is expanded inside of the compiler, and reads its command
//! line.

use proc_macro::TokenStream;
use std::env;
use std::fs;
use std::process::Command;

/// The compiler whose messages are recorded. Others word them differently.
const RECORDED_WITH: &str = "1.95";

/// The options that say where crates are, each with its value.
const OPTIONS: [&str; 4] = ["--extern", "-L", "--target", "--sysroot"];

/// `mistakes!("tests/ui");`: a test that compiles each mistake in a directory of the package, and compares the messages
/// with those that were recorded.
///
/// With another compiler than the one that they were recorded with, the test is ignored, and libtest prints why.
/// `UI_TESTS=record` records what the compiler says.
#[proc_macro]
pub fn mistakes(directory: TokenStream) -> TokenStream {
    let version = version();
    let reason = (!version.starts_with(&format!("{RECORDED_WITH}."))).then(|| {
        format!("the messages were recorded with rustc {RECORDED_WITH}, and this is {version}: NOT TESTED")
    });
    test("mistakes_are_explained", reason, &format!("mistakes_in({directory}, &compiler);"))
}

/// A test, which is ignored if there is a reason.
fn test(name: &str, ignored: Option<String>, body: &str) -> TokenStream {
    let ignore = ignored.map_or_else(String::new, |reason| format!("#[ignore = {reason:?}]"));
    let program = program();
    let libraries = env::var("LD_LIBRARY_PATH").unwrap_or_default();
    let arguments = located(&mut arguments().into_iter());
    format!(
        "#[test] {ignore} fn {name}() {{
            let compiler = ::smallscope_ui_tests::Compiler {{
                program: ::std::path::Path::new({program:?}),
                libraries: {libraries:?},
                arguments: &{arguments:?},
                package: ::std::path::Path::new(env!(\"CARGO_MANIFEST_DIR\")),
                scratch: ::std::path::Path::new(env!(\"CARGO_TARGET_TMPDIR\")),
            }};
            ::smallscope_ui_tests::{body}
        }}"
    )
    .parse()
    .expect("the text is a function")
}

fn program() -> std::path::PathBuf {
    env::current_exe().expect("the compiler has a path")
}

/// Such as `1.95.0`.
fn version() -> String {
    let output = Command::new(program()).arg("--version").output().expect("the compiler runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.split(' ').nth(1).unwrap_or(&text).trim().to_owned()
}

/// Those of the compiler. A command line that is too long is in a file.
fn arguments() -> Vec<String> {
    let mut arguments = Vec::new();
    for argument in env::args().skip(1) {
        match argument.strip_prefix('@') {
            Some(file) => {
                let text = fs::read_to_string(file).expect("the compiler has read this file, too");
                arguments.extend(text.lines().map(str::to_owned));
            }
            None => arguments.push(argument),
        }
    }
    arguments
}

fn located(arguments: &mut dyn Iterator<Item = String>) -> Vec<String> {
    let mut located = Vec::new();
    while let Some(argument) = arguments.next() {
        if OPTIONS.contains(&argument.as_str()) {
            located.push(argument);
            located.extend(arguments.next());
        } else if OPTIONS.iter().any(|option| is_joined(&argument, option)) {
            located.push(argument);
        }
    }
    located
}

/// `--target=value`, or `-Lvalue`.
fn is_joined(argument: &str, option: &str) -> bool {
    argument.strip_prefix(option).is_some_and(|rest| rest.starts_with('=') || !option.starts_with("--"))
}
