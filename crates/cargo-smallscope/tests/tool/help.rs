//! The help is complete.

use crate::common::{Desk, Ended, tool};
use std::fs::File;

const SPACE: &[&str] = &["<STRUCTURE>", "--args", "--scope", "--engine"];
const LIMITS: &[&str] = &["--max", "--budget", "--memory", "--threads", "--json"];
const RANGE: &[&str] = &["--from", "--to"];
const OUTPUT: &[&str] = &["--print", "--save", "--force", "--checkpoint", "--checkpoint-every"];
const PLACE: &[&str] = &["--catalogue", "--package", "--manifest-path", "--features", "--release"];

#[test]
fn every_command_has_a_help_with_all_its_flags_and_examples() {
    let desk = Desk::new("help");
    let sequences: &[&str] =
        &["--strategy", "--length", "--tests", "--seed", "--from", "--to", "--shard", "--threads"];
    let states: &[&str] =
        &["--abstraction", "--fields", "--order", "--exact", "--max-states", "--save", "--use"];
    let commands: [(&str, &[&[&str]]); 14] = [
        ("list", &[]),
        ("run", &[SPACE, LIMITS, RANGE, OUTPUT, &["--one-per-path"]]),
        ("count", &[SPACE, LIMITS, RANGE, &["--one-per-path"]]),
        ("size", &[SPACE]),
        ("explain", &[SPACE]),
        ("show", &[&["<FILE>", "--at"]]),
        ("export", &[&["<FILE>", "--to", "--output", "--type"]]),
        ("replay", &[SPACE, &["<CANDIDATE>"]]),
        ("sequences list", &[]),
        ("sequences run", &[sequences, states, &["<SUBJECT>", "--size", "--budget", "--clusters", "--json"]]),
        ("sequences count", &[&["<SUBJECT>", "--length", "--json"]]),
        ("sequences replay", &[&["<SUBJECT>", "[SEQUENCE]", "--file", "--json"]]),
        (
            "mutate",
            &[
                LIMITS,
                &[
                    "<TEST|STRUCTURE>",
                    "[OPERATION]",
                    "--args",
                    "--length",
                    "--mutant",
                    "--list",
                    "--killed",
                    "--check",
                    "--timeout",
                    "--scope",
                ],
            ],
        ),
        ("resume", &[LIMITS, &["<FILE>", "--checkpoint-every"]]),
    ];
    let whole = desk.ok("--help");
    for (command, flags) in commands {
        let help = desk.ok(&format!("{command} --help"));
        for flag in flags.iter().chain([&PLACE]).flat_map(|flags| flags.iter()) {
            assert!(help.contains(flag), "{command}: {flag} is not in the help:\n{help}");
        }
        assert!(help.contains(&format!("Usage: cargo smallscope {command}")), "{help}");
        assert!(help.contains(&format!("  cargo smallscope {command}")), "{command} has an example");
        let listed = command.split(' ').next().unwrap_or(command);
        assert!(whole.contains(&format!("\n  {listed} ")), "{whole}");
        assert!(desk.ok(&format!("{command} -h")).lines().count() > 5);
    }
    assert!(whole.contains("Exit codes"));
    assert!(desk.ok("--version").starts_with("cargo smallscope "));
}

/// `/dev/full` accepts no byte.
#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_an_error() {
    let desk = Desk::new("full");
    let full = || File::options().write(true).open("/dev/full").unwrap();
    for arguments in [
        &["--help"][..],
        &["--version"],
        &["run", "--help"],
        &["sequences"],
        &["list"],
        &["sequences", "list"],
        &["size", "search-tree", "--scope", "2"],
        &["explain", "search-tree", "--scope", "2"],
        &["count", "search-tree", "--scope", "2"],
        &["count", "search-tree", "--scope", "2", "--json"],
        &["run", "search-tree", "--scope", "2", "--print"],
        &["sequences", "count", "stack"],
        &["sequences", "density", "10", "3"],
        &["replay", "search-tree", "1.0.0.2.1", "--scope", "3"],
    ] {
        let output = tool(&desk.0).args(arguments).stdout(full()).output().unwrap();
        let ended = Ended::from(output);
        // Without a command, the help is an error, and goes to standard error.
        let code = if arguments == ["sequences"] { 2 } else { 3 };
        assert_eq!(ended.code, code, "{arguments:?}: {ended:?}");
        assert!(
            code == 2 || ended.stderr.contains("the output cannot be written"),
            "{arguments:?}: {ended:?}"
        );
    }
    // The exit code is all that is left to say something.
    for (code, arguments) in [(2, "run nonsense"), (2, "--nonsense"), (3, "show nothing.suite")] {
        let mut command = tool(&desk.0);
        let ended = command.args(arguments.split(' ')).stderr(full()).status().unwrap();
        assert_eq!(ended.code(), Some(code), "{arguments}");
    }
}
