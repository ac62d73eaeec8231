//! Builds a user's tests with the compiler's counters.
//!
//! The tool wraps the compiler (`RUSTC_WRAPPER`) and adds the flags itself: those for counters to the crates of the
//! workspace, and to `smallscope-cover` the one by which it finds the counters. So flags that the user has, in the
//! environment or in a configuration, stay unchanged, and neither dependencies nor smallscope are counted.

use crate::problem::{Problem, note};
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitCode};

/// Set while the tool wraps the compiler: to the wrapper before it, or to nothing.
const BEFORE: &str = "CARGO_SMALLSCOPE_WRAPPER_BEFORE";
/// The wrapper of the compiler for all crates, and for those of the workspace.
const WRAPPER: &str = "RUSTC_WRAPPER";
const WORKSPACE_WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";
/// The file to which programs with counters write at their end.
const PROFILE: &str = "LLVM_PROFILE_FILE";
/// The folder for such builds, in the target directory. Other builds stay valid.
const FOLDER: &str = "smallscope-llvm";

/// Makes cargo build with counters.
pub(crate) fn build(command: &mut Command, target: &Path) -> Result<(), Problem> {
    let tool = std::env::current_exe()
        .map_err(|error| Problem::of_crate(format!("the path of this tool is not known: {error}")))?;
    command.env(BEFORE, std::env::var_os(WRAPPER).unwrap_or_default());
    command.env(WRAPPER, &tool).env(WORKSPACE_WRAPPER, &tool);
    command.arg("--target-dir").arg(target.join(FOLDER));
    without_profile(command);
    Ok(())
}

/// Keeps a program with counters from writing a file, unless the user has named one.
pub(crate) fn without_profile(command: &mut Command) {
    if std::env::var_os(PROFILE).is_none() {
        command.env(PROFILE, if cfg!(windows) { "NUL" } else { "/dev/null" });
    }
}

/// Acts as the compiler, if cargo calls the tool in its place.
pub(crate) fn as_compiler() -> Option<ExitCode> {
    let before = std::env::var_os(BEFORE)?;
    let workspace_wrapper = std::env::var_os(WORKSPACE_WRAPPER).unwrap_or_default();
    let command = compiler(std::env::args_os().skip(1).collect(), &before, &workspace_wrapper);
    let Some((program, arguments)) = command.split_first() else { return Some(ExitCode::FAILURE) };
    let status = Command::new(program).args(arguments).status();
    Some(match status {
        Ok(status) => ExitCode::from(u8::try_from(status.code().unwrap_or(1)).unwrap_or(1)),
        Err(error) => {
            note(&format!("error: {} cannot be run: {error}", program.display()));
            ExitCode::FAILURE
        }
    })
}

/// Returns the call of the compiler from the arguments of a wrapper.
fn compiler(mut call: Vec<OsString>, before: &OsStr, workspace_wrapper: &OsStr) -> Vec<OsString> {
    let is_in_workspace = call.first().is_some_and(|first| first == workspace_wrapper);
    if is_in_workspace {
        call.remove(0);
    }
    let name = call.iter().position(|word| word == "--crate-name").and_then(|at| call.get(at + 1)).cloned();
    // Cargo uses this crate name when it queries the compiler.
    if let Some(name) = name.filter(|name| name != "___") {
        if is_in_workspace {
            call.extend(["-C", "instrument-coverage"].map(OsString::from));
        }
        if name == "smallscope_cover" {
            call.extend(["--cfg", "smallscope_llvm"].map(OsString::from));
        }
    }
    if !before.is_empty() {
        call.insert(0, before.to_owned());
    }
    call
}

#[cfg(test)]
mod tests {
    use super::*;

    fn called(call: &str, before: &str) -> String {
        let words = call.split(' ').map(OsString::from).collect();
        let words = compiler(words, before.as_ref(), "/bin/tool".as_ref());
        words.join(OsStr::new(" ")).into_string().unwrap()
    }

    #[test]
    fn crates_of_the_workspace_are_counted_and_nothing_else() {
        let ours = called("/bin/tool rustc --crate-name app src/lib.rs -O", "");
        assert_eq!(ours, "rustc --crate-name app src/lib.rs -O -C instrument-coverage");
        assert_eq!(called("rustc --crate-name syn lib.rs", ""), "rustc --crate-name syn lib.rs");
        let found = called("rustc --crate-name smallscope_cover lib.rs", "");
        assert_eq!(found, "rustc --crate-name smallscope_cover lib.rs --cfg smallscope_llvm");
    }

    #[test]
    fn questions_and_other_wrappers_pass() {
        assert_eq!(called("/bin/tool rustc -vV", ""), "rustc -vV");
        let question = "rustc - --crate-name ___ --print=file-names";
        assert_eq!(called(&format!("/bin/tool {question}"), "sccache"), format!("sccache {question}"));
    }
}
