//! Tasks of the repository: `cargo xtask <task>`.

mod compile_cost;
mod dependencies;
mod duplicates;
mod expansions;
mod gallery;
mod instructions;
mod package;
mod planted;
mod sources;
mod tables;
mod tidy;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <task>

  tidy                      check the rules of the repository
  tables                    write the tables of counts into the documentation of the catalogue
  instructions [<option>..] count the instructions that searches take
  planted [<name>..]        check that the tests find deliberate errors
  sources [<option>..]      compare random programs with a brute force
  gallery [--write]         find known bugs of published crates, beside proptest and quickcheck
  dependencies              check licences and sources of dependencies
  compile-cost [--check]    compare what a clean build of a test crate costs with smallscope and with proptest
  duplicates                print runs of equal lines in the sources of the product
  expansions [<rustc>]      compile what the macros emit in each edition
  package                   package what is published, and test a crate that depends on the packages";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let task = arguments.next();
    let arguments: Vec<String> = arguments.collect();
    let root = tidy::root();
    match task.as_deref() {
        Some("tidy") => {
            let problems = tidy::problems();
            problems.iter().for_each(|problem| eprintln!("{problem}"));
            succeeded(problems.is_empty())
        }
        Some("tables") => {
            tables::write(&root);
            ExitCode::SUCCESS
        }
        Some("instructions") => instructions::run(&root, arguments.into_iter()),
        Some("planted") => succeeded(planted::run(&root, &arguments)),
        Some("sources") => sources::run(&root, &arguments),
        Some("gallery") => gallery::run(&root, &arguments),
        Some("dependencies") => dependencies::run(&root),
        Some("compile-cost") => {
            compile_cost::run(&root, arguments.iter().any(|argument| argument == "--check"))
        }
        Some("duplicates") => {
            duplicates::run(&root);
            ExitCode::SUCCESS
        }
        Some("expansions") => expansions::run(&root, arguments.first().map(String::as_str)),
        Some("package") => package::run(&root),
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn succeeded(yes: bool) -> ExitCode {
    if yes { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
