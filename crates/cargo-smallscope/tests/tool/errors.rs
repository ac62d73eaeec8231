//! Every error of a command is one paragraph that names what is wrong and what to do.

use crate::common::{Desk, tool};
use std::fs;
use std::process::Stdio;

/// Checks the message, which must be one paragraph.
fn check(desk: &Desk, code: i32, arguments: &str, expected: &[&str]) {
    let message = desk.error(code, arguments);
    assert!(message.starts_with("error: "), "{message}");
    assert!(!message.trim_end().contains("\n\n"), "one paragraph: {message}");
    for part in expected {
        assert!(message.contains(part), "{arguments}: `{part}` is not in: {message}");
    }
}

#[test]
fn names_and_arguments() {
    let desk = Desk::new("wrong-arguments");
    let wrong = |arguments: &str, expected: &[&str]| check(&desk, 2, arguments, expected);
    wrong("run serch-tree --scope 3", &["no structure `serch-tree`", "did you mean `search-tree`", "list"]);
    wrong("count tree --scope 3", &["no structure `tree`", "`avl-tree`"]);
    wrong("explain zzz", &["no structure `zzz`", "`cargo smallscope list` names all"]);
    wrong(
        "run search-tree",
        &["`search-tree` needs bounds", "--scope N", "nodes,min_size,max_size,min_key,max_key"],
    );
    wrong(
        "size search-tree --args 3,3",
        &["takes 5 arguments", "has 2", "nodes,min_size,max_size,min_key,max_key"],
    );
    wrong("count disj-set --args 3,3", &["takes 1 argument,", "in this order: n"]);
    wrong("run search-tree --args 3,3,x,0,2", &["`max_size` of `search-tree` cannot be `x`", "whole number"]);
    wrong("run search-tree --args -3,3,3,0,2", &["`nodes` of `search-tree` cannot be `-3`", "from 0 to"]);
    wrong(
        "run search-tree --args 3,3,3,0,99999999999999999999",
        &["`max_key`", "cannot be", "from -255 to 255"],
    );
    wrong("run search-tree --scope 256", &["the scope 256 is too large", "up to 255"]);
    wrong("replay search-tree 1.x --scope 3", &["`1.x` is not a candidate", "numbers joined by dots"]);
    wrong("replay search-tree 1.0", &["`search-tree` needs bounds"]);
    wrong("replay search-tree 3:0.0 --scope 4", &["the options say something else", "leave the options out"]);
    wrong("replay search-tree 9.9 --scope 3", &["SearchTree.root"]);
    wrong(
        "run search-tree --scope 3 --one-per-path --engine owned",
        &["`--one-per-path` is for the engine `lazy`", "with `owned` leave it out"],
    );
    wrong("run search-tree --scope 3 --from 9.9.9", &["`--from 9.9.9` is no position"]);
    wrong(
        "reproduce 000/binomal-heap",
        &["no table or figure `000/binomal-heap`", "do you mean `000/binomial-heap`"],
    );
    wrong("reproduce", &["say which tables", "`all`", "--list"]);
}

#[test]
fn reductions() {
    let desk = Desk::new("wrong-reductions");
    let wrong = |arguments: &str, expected: &[&str]| check(&desk, 2, arguments, expected);
    let run = |rest: &str| format!("run search-tree --scope 3 {rest}");
    wrong(&run("--criterion cdc"), &["say how many values to keep"]);
    wrong(&run("--ratio 0.1"), &["by which criterion"]);
    wrong(&run("--list-classes"), &["`--criterion cdc`"]);
    wrong(&run("--criterion cdc --per-class 1 --keep 1"), &["give one of them"]);
    wrong(&run("--criterion cdc --keep 1 --choice first --seed 3"), &["a seed is for the choice `random`"]);
    wrong(&run("--size 3"), &["`--scope` bounds each type", "give one of them"]);
    wrong(&run("--criterion cdc --keep 1 --max 3"), &["`--max`", "`--keep N`"]);
    wrong(&run("--criterion cdc --keep 1 --checkpoint c"), &["no checkpoint", "`reduce`"]);
    desk.ok("run search-tree --scope 3 --save trees.suite");
    wrong("reduce trees.suite", &["--criterion cdc --ratio 0.1"]);
    wrong("reduce trees.suite --criterion cdc --keep 3 --save trees.suite", &["cannot be both"]);
    desk.ok("reduce trees.suite --criterion cdc --keep 3 --save few.suite");
    wrong(
        "reduce trees.suite --criterion cdc --keep 3 --save few.suite",
        &["few.suite exists already", "--force"],
    );
    check(&desk, 3, "resume few.suite", &["this suite was reduced (`cdc size 3 first`)", "run --criterion"]);
    check(&desk, 3, "reduce nothing.suite --criterion cdc --keep 3", &["nothing.suite: ", "cannot be read"]);
}

#[test]
fn what_clap_finds_has_the_same_code() {
    let desk = Desk::new("clap");
    for (arguments, expected) in [
        ("", "Usage: cargo smallscope"),
        ("rum search-tree", "'run'"),
        ("run search-tree --scope x", "invalid value 'x' for '--scope <N>'"),
        ("run search-tree --scope 3 --args 3", "cannot be used with"),
        ("run search-tree --scope 3 --engine java", "the engines are `lazy`, `owned` and `korat`"),
        ("run search-tree --scope 3 --budget 10", "`10` is not a time, such as `500ms`"),
        ("run search-tree --scope 3 --threads 0", "`0` is not a number of threads from 1 to 1024"),
        ("run search-tree --scope 3 --threads 1025", "`1025` is not a number of threads from 1 to 1024"),
        ("count search-tree --args 3,3,3,0,2 --by-size", "cannot be used with '--by-size'"),
        ("run search-tree --scope 3 --criterion cdcc --keep 5", "did you mean `cdc`?"),
        ("run search-tree --scope 3 --criterion cdc --ratio 0", "greater than 0 and at most 1"),
        ("run search-tree --scope 3 --criterion cdc --ratio 1.01", "`1.01` is no ratio"),
        ("run search-tree --scope 3 --criterion cdc --ratio -0.5", "`-0.5` is no ratio"),
        ("run search-tree --scope 3 --criterion cdc --keep 0", "`0` is not a positive number of values"),
        ("run search-tree --scope 3 --criterion cdc --per-class 0", "`0` is not a positive number"),
        ("run search-tree --scope 3 --criterion cdc --keep 1 --choice best", "`first` or `random`"),
        ("sequences run stack --strategy bfs", "`states`, `be`, `random`, `random-paths` or `bobw`"),
        ("sequences run stack --shard 3/2", "`k/n` with k from 1 to n"),
        ("run search-tree --scope 3 --max 0", "invalid value '0'"),
        ("export x --to xml", "the formats are `jsonl`, `dot`, `rust` and `corpus`"),
        ("list --catalogue -p x", "cannot be used with"),
    ] {
        let message = desk.error(2, arguments);
        assert!(message.contains(expected), "{arguments}: {message}");
    }
}

#[test]
fn files_in_the_way_and_out_of_reach() {
    let desk = Desk::new("files");
    desk.ok("run search-tree --scope 2 --save a.suite");
    let before = fs::read(desk.path("a.suite")).unwrap();
    check(
        &desk,
        2,
        "run search-tree --scope 3 --save a.suite",
        &["a.suite exists already", "`--force`", "`resume`"],
    );
    assert!(fs::read(desk.path("a.suite")).unwrap() == before);
    desk.ok("run search-tree --scope 3 --save a.suite --force");
    assert!(fs::read(desk.path("a.suite")).unwrap() != before);

    fs::write(desk.path("c.checkpoint"), "mine").unwrap();
    let run = "run search-tree --scope 3 --checkpoint c.checkpoint";
    check(&desk, 2, run, &["c.checkpoint exists already", "`--force`"]);
    check(&desk, 2, &format!("{run} --save c.checkpoint"), &["both the suite and the checkpoint"]);

    check(
        &desk,
        3,
        "run search-tree --scope 3 --save nowhere/a.suite",
        &["nowhere/a.suite", "cannot be written"],
    );
    check(
        &desk,
        3,
        "export a.suite --to dot --output nowhere/a.dot",
        &["nowhere/a.dot", "cannot be written"],
    );
    check(&desk, 3, "show missing.suite", &["missing.suite", "cannot be read"]);
    check(&desk, 2, "show a.suite --at 99", &["has no value 99", "1 to 15"]);
}

#[test]
fn damaged_files() {
    let desk = Desk::new("damaged");
    desk.ok("run sorted-list --args 4,4,5,4 --save good.suite");
    let good = fs::read(desk.path("good.suite")).unwrap();
    let write = |bytes: &[u8]| fs::write(desk.path("bad.suite"), bytes).unwrap();
    let wrong = |expected: &[&str]| {
        for command in ["show bad.suite", "export bad.suite --to jsonl", "resume bad.suite"] {
            check(&desk, 3, command, &[&["bad.suite"], expected].concat());
        }
    };
    write(b"something else");
    wrong(&["neither a suite nor a checkpoint"]);
    write(b"");
    wrong(&["bad.suite"]);
    write(&good[..20]);
    wrong(&["bad.suite"]);
    let mut later = good.clone();
    later[8] = 99;
    write(&later);
    wrong(&["version", "update smallscope"]);
    for at in [good.len() / 3, good.len() / 2] {
        let mut flipped = good.clone();
        flipped[at] ^= 0x10;
        write(&flipped);
        let ended = desk.run("show bad.suite");
        assert_eq!(ended.code, 3, "byte {at}: {ended:?}");
        assert!(ended.stderr.contains("damaged"), "byte {at}: {ended:?}");
    }
    // The complete part of a truncated file can be shown, and is not called complete.
    write(&good[..good.len() - 10]);
    let ended = desk.run("show bad.suite");
    assert!(!ended.stdout.contains("all of them"), "{ended:?}");
    check(&desk, 3, "resume good.suite", &["complete", "nothing"]);
}

#[test]
fn a_crate_that_cargo_does_not_understand_is_not_taken_for_no_crate() {
    let desk = Desk::new("broken-manifest");
    fs::write(desk.path("Cargo.toml"), "[package]\nname = 3").unwrap();
    check(&desk, 4, "list", &["cargo does not understand", "`--catalogue`"]);
    assert!(desk.ok("list --catalogue").contains("search-tree"));
}

#[test]
fn a_crate_without_smallscope_is_answered_from_the_catalogue() {
    let desk = Desk::new("other-crate");
    fs::create_dir(desk.path("src")).unwrap();
    fs::write(desk.path("src/lib.rs"), "").unwrap();
    fs::write(desk.path("Cargo.toml"), "[package]\nname = \"other\"\n[workspace]\n").unwrap();
    assert!(desk.ok("list").contains("search-tree"));
    check(&desk, 2, "list -p other", &["`other` does not depend on smallscope", "cargo add --dev"]);
    check(&desk, 2, "list -p others", &["no package `others`"]);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let desk = Desk::new("reader");
    let mut child = tool(&desk.0)
        .args(["run", "sorted-list", "--args", "7,7,8,7", "--print"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn sequences() {
    let desk = Desk::new("wrong-sequences");
    let wrong = |arguments: &str, expected: &[&str]| check(&desk, 2, arguments, expected);
    wrong("sequences run tre-map", &["no subject `tre-map`", "did you mean `tree-map`?"]);
    wrong("sequences run zzz", &["no subject `zzz`", "`cargo smallscope sequences list` names all"]);
    wrong("sequences run stack --strategy random", &["needs the number of tests"]);
    wrong("sequences run stack --tests 5", &["a number of tests is for lists of tests"]);
    wrong("sequences run stack --shard 1/2", &["a shard is for lists of tests", "`bobw`"]);
    wrong("sequences run stack --strategy be --exact", &["exact comparison is for the strategy `states`"]);
    wrong("sequences run stack --abstraction form", &["unknown abstraction `form`", "`shape`"]);
    wrong(
        "sequences run stack --abstraction complete --fields size",
        &["fields are for the abstraction `shape`"],
    );
    wrong(
        "sequences run stack --order random",
        &["needs the length of the sequences and the number of tests"],
    );
    wrong("sequences run stack --strategy be --length 2 --from 9 --to 3", &["no range from 9 to 3"]);
    wrong("sequences run stack --strategy be --length 2 --to 122", &["positions go from 0 to 121"]);
    wrong("sequences run stack --force", &["`--save FILE`"]);
    wrong("sequences replay stack", &["say which test", "`3:17`"]);
    wrong("sequences replay stack 2:121", &["there is no test 121", "from 0 to 121 - 1"]);
    wrong(
        "sequences replay stack stack[0].pull()",
        &["cannot read `pull`", "expected one of Stack::new, push"],
    );
    wrong("sequences replay stack stack[1].pop()", &["cannot read `stack[1]`", "`stack[0]` to `stack[0]`"]);
    desk.ok("sequences run stack --length 1 --save s.txt");
    wrong("sequences run stack --length 1 --save s.txt", &["s.txt exists already", "`--force`"]);
    fs::write(desk.path("other.txt"), "something else").unwrap();
    check(&desk, 3, "sequences replay stack --file other.txt", &["other.txt", "not a text of sequences"]);
    check(&desk, 3, "sequences replay stack --file none.txt", &["none.txt"]);
    check(&desk, 3, "sequences replay deque --file s.txt", &["s.txt", "expected one of Deque::new"]);
}
