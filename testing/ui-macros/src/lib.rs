//! The compiler that a test is compiled with, and where it finds the crates of the test.
//!
//! Only the compiler knows which of the artifacts in a target directory the test belongs to: there may be several of
//! one crate, with other features, flags or sources. A macro is expanded inside of it, and can ask.

use proc_macro::TokenStream;
use std::env;
use std::fs;

/// The options that say where crates are, each with its value.
const OPTIONS: [&str; 4] = ["--extern", "-L", "--target", "--sysroot"];

/// A tuple of two constants: the path of the compiler that compiles this call, and `&[&str]`, those of its arguments that
/// say where crates are.
#[proc_macro]
pub fn compiler(_: TokenStream) -> TokenStream {
    let program = env::current_exe().expect("the compiler has a path");
    let located = located(&mut arguments().into_iter());
    format!("({program:?}, &{located:?})").parse().expect("strings are literals")
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
