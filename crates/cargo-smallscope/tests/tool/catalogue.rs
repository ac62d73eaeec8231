//! Every command, on structures of the catalogue.

use crate::common::Desk;
use serde_json::{Value, json};
use smallscope_catalogue::{STRUCTURES, counts};
use smallscope_containers::registry::CONTAINERS;

#[test]
fn every_structure_is_listed_with_its_parameters() {
    let list = Desk::new("list").ok("list --catalogue");
    let lines: Vec<&str> = list.lines().collect();
    assert_eq!(lines.len(), STRUCTURES.len());
    for (line, structure) in lines.iter().zip(STRUCTURES) {
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words, [structure.name, &structure.parameters.join(",")]);
    }
}

#[test]
fn every_structure_can_be_bounded_by_a_scope() {
    let desk = Desk::new("scopes");
    for structure in STRUCTURES {
        let object = desk.json(&format!("count {} --scope 2 --json", structure.name));
        assert_eq!(object["outcome"], "exhausted", "{object}");
        assert!(object["valid"].as_u64() > Some(0), "{object}");
    }
}

#[test]
fn cargos_own_word_in_front_does_no_harm() {
    let desk = Desk::new("word");
    assert_eq!(desk.ok("smallscope list"), desk.ok("list"));
}

/// There are Catalan(k) shapes with k nodes, and each can hold every choice of k of the 3 keys in one way: 1 + 3 +
/// 3 * 2 + 1 * 5.
#[test]
fn the_first_command_of_the_readme_prints_fifteen_trees() {
    let text = Desk::new("readme").ok("run search-tree --scope 3 --print");
    assert_eq!(text.matches("\nvalue: ").count(), 15, "{text}");
    for number in 1..=15 {
        assert!(text.contains(&format!("#{number}  ")), "{text}");
    }
    let readme = include_str!("../../../../README.md");
    assert!(readme.contains("$ cargo smallscope run search-tree --scope 3 --print"));
    // The README shows the beginning and the end; the time differs.
    let sample = readme.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    for line in sample.lines().filter(|line| *line != "…") {
        let expected = line.split(", in ").next().unwrap();
        assert!(text.lines().any(|line| line.starts_with(expected)), "not printed: {line}");
    }
}

#[test]
fn counting_does_not_list() {
    let desk = Desk::new("counting");
    // Listing that many values takes minutes, on two threads, too.
    for threads in [1, 2] {
        let count = format!("count binomial-heap --args 11 --budget 1m --threads {threads} --json");
        let object = desk.json(&count);
        assert_eq!((&object["valid"], &object["exhaustive"]), (&json!(2_835_325_296_u64), &json!(true)));
    }
}

#[test]
fn summaries_count_more_values_than_can_be_listed() {
    let desk = Desk::new("summaries");
    let text = desk.ok("count red-black-shape-natural --args 40,40,40 --summaries on");
    assert!(text.starts_with("red-black-shape-natural (40,40,40): 821981789792 structures; "), "{text}");
    assert!(text.ends_with("they were counted, not listed\n"), "{text}");
    let object = desk.json("count closed-term-natural --args 0,6 --summaries on --json");
    assert_eq!(object["valid"], json!(1 + 2 + 4 + 13 + 42));
    assert_eq!(object["by_objects"], json!([[2, 1], [3, 2], [4, 4], [5, 13], [6, 42]]));
    // What summaries do not decide is listed.
    let object = desk.json("count red-black-tree-natural --args 6,6,6,6 --summaries on --json");
    assert_eq!(object["valid"], json!(20));
    assert!(object["explored"].as_u64() <= Some(20), "{object}");
    let error = desk.error(2, "count sorted-list --scope 3 --summaries on");
    assert!(
        error.contains("there are no summaries") && error.contains("leave `--summaries on` out"),
        "{error}"
    );
}

#[test]
fn every_command_with_a_search_takes_summaries_or_says_why_not() {
    let desk = Desk::new("summarised");
    let trees = "red-black-tree-natural --args 5,5,5,5";
    let values = |text: &str| {
        let mut values: Vec<String> = text.split("\n\n").map(str::to_owned).collect();
        values.retain(|value| value.contains("Coloured") || value.contains("root"));
        values.len()
    };
    let plain = desk.ok(&format!("run {trees} --print"));
    let with = desk.ok(&format!("run {trees} --print --summaries on"));
    assert_eq!(values(&plain), values(&with), "{plain}\n{with}");
    assert!(with.contains("lazy, summaries"), "{with}");
    // Suites and shards say how they were made, and go on with it.
    desk.ok(&format!("run {trees} --summaries on --save a.suite"));
    let stopped = desk.ok(&format!("run {trees} --summaries on --save b.suite --max 3"));
    assert!(stopped.contains("3 structures"), "{stopped}");
    desk.ok("resume b.suite");
    assert_eq!(desk.ok("show a.suite"), desk.ok("show b.suite"));
    desk.ok(&format!("shard plan {trees} --summaries on --parts 4 --plan a.plan --keep-values"));
    desk.ok("shard run a.plan");
    desk.ok("shard merge a.plan --save c.suite");
    assert_eq!(desk.ok("show a.suite"), desk.ok("show c.suite"));
    let explained = desk.ok("explain red-black-shape-natural --args 5,5,5 --summaries auto");
    assert!(explained.contains("summaries"), "{explained}");
    desk.ok(&format!("view {trees} --summaries on --html a.html"));
    for (mistake, words) in [
        (format!("size {trees} --summaries on"), "`size` does not search: leave `--summaries` out"),
        (format!("replay {trees} 1.0 --summaries on"), "the same with and without summaries of helpers"),
        (format!("show {trees} --at 1 --summaries off"), "leave `--summaries off` out"),
        (format!("run {trees} --summaries on --one-per-path"), "cannot be combined with `--summaries`"),
        (format!("run {trees} --summaries on --engine korat"), "they are for the engine `lazy`"),
    ] {
        let error = desk.error(2, &mistake);
        assert!(error.contains(words), "{mistake}: {error}");
    }
}

#[test]
fn the_value_with_a_number_is_found_without_listing() {
    let desk = Desk::new("number");
    let list = desk.ok("run closed-term-natural --args 4,4 --print");
    let numbers = 1..=4;
    for number in numbers.clone() {
        let text = desk.ok(&format!("show closed-term-natural --args 4,4 --at {number}"));
        assert!(text.starts_with(&format!("#{number} of 4  ")), "{text}");
        let value = text.split_once('\n').unwrap().1;
        assert!(list.contains(value.trim()), "{value}\nis not in\n{list}");
    }
    let large = desk.ok("show red-black-shape-natural --args 40,40,40 --at 821981789792");
    assert_eq!(large.matches("Coloured#").count(), 40 + 40, "{large}");
    for (mistake, words) in [
        ("show closed-term-natural --args 4,4 --at 5", "there is no value 5; there are 4"),
        ("show closed-term-natural --args 4,4 --at 0", "counted from 1"),
        ("show closed-term-natural --args 4,4", "`run --print` prints all values"),
        ("show red-black-tree-natural --args 4,4,4,4 --at 1", "is_ordered"),
        ("show sorted-list --scope 3 --at 1", "have no numbers without listing"),
    ] {
        let error = desk.error(2, mistake);
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn counts_by_size() {
    let desk = Desk::new("by-size");
    let text = desk.ok("count search-tree --size 4 --by-size");
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = text.lines().take(6).map(words).collect();
    assert_eq!(rows[0], ["size", "values", "candidates", "times"], "{text}");
    let values: Vec<&str> = rows[1..].iter().map(|row| row[1].as_str()).collect();
    assert_eq!(values, ["1", "2", "5", "15", "51"], "{text}");
    assert_eq!(rows[5].last().unwrap(), "3.4", "{text}");
    assert!(text.contains("search-tree (size 4): 51 structures"), "{text}");

    let lines = desk.ok("count search-tree --scope 2 --by-size --json");
    let objects: Vec<Value> = lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let counts: Vec<_> = objects.iter().map(|object| (&object["scope"], &object["valid"])).collect();
    assert_eq!(counts, [(&json!(0), &json!(1)), (&json!(1), &json!(2)), (&json!(2), &json!(5))]);
}

#[test]
fn bounds_without_a_structure_are_called_that() {
    let desk = Desk::new("nothing");
    // Three nodes, of which two exist.
    let args = "search-tree --args 2,3,3,0,5";
    for command in ["run", "count"] {
        let text = desk.ok(&format!("{command} {args}"));
        assert!(
            text.contains("exhausted: no structure within the bounds is valid; `explain search-tree` shows"),
            "{text}"
        );
        assert!(!text.contains("these are all structures"), "{text}");
    }
    let object = desk.json(&format!("count {args} --json"));
    assert_eq!((&object["valid"], &object["outcome"]), (&json!(0), &json!("exhausted")));
    let text = desk.ok(&format!("run {args} --criterion path --per-class 1"));
    assert!(text.contains("exhausted: no structure within the bounds is valid"), "{text}");
}

#[test]
fn json_has_the_exact_counts_of_the_original() {
    let desk = Desk::new("json");
    let mut small: Vec<_> = counts().into_iter().filter(|row| row.explored < 20_000).collect();
    small.dedup_by_key(|row| row.structure);
    assert!(small.len() >= 10, "most structures have a small row");
    for row in small {
        let args = row.args.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        let object = desk.json(&format!("count {} --args {args} --engine korat --json", row.structure));
        let numbers = [&object["explored"], &object["valid"]];
        assert_eq!(numbers, [&json!(row.explored), &json!(row.valid)], "{object}");
        assert_eq!(object["structure"], row.structure);
        assert_eq!(object["args"], json!(row.args));
        assert_eq!(object["engine"], "korat");
        assert_eq!(object["outcome"], "exhausted");
        assert!(object["seconds"].is_f64());
    }
}

#[test]
fn threads_change_no_number() {
    let desk = Desk::new("threads");
    let count = |threads: u32| {
        let mut object = desk
            .json(&format!("count search-tree --args 6,6,6,0,5 --engine korat --threads {threads} --json"));
        object["threads"].take();
        object["seconds"].take();
        object
    };
    assert_eq!(count(1), count(3));
}

#[test]
fn limits_end_a_run_as_asked() {
    let desk = Desk::new("limits");
    let object = desk.json("run search-tree --scope 4 --max 7 --json");
    assert_eq!((&object["valid"], &object["outcome"]), (&json!(7), &json!("max")));
    assert_eq!(object["exhaustive"], false);
    let object = desk.json("run fibonacci-heap --scope 9 --budget 50ms --json");
    assert_eq!(object["outcome"], "budget");
}

#[test]
fn ranges_add_up_to_the_whole() {
    let desk = Desk::new("ranges");
    let space = "count search-tree --args 5,5,5,0,4 --json";
    let whole = desk.json(space);
    let mut cuts = vec![];
    for max in [1, 10, 30] {
        let part = desk.json(&format!("{space} --max {max}"));
        cuts.push(part["position"].as_str().unwrap().to_owned());
    }
    let mut sums = (0, 0);
    for i in 0..=cuts.len() {
        let from = i.checked_sub(1).map(|i| format!("--from {}", cuts[i])).unwrap_or_default();
        let to = cuts.get(i).map(|to| format!("--to {to}")).unwrap_or_default();
        let part = desk.json(&format!("{space} {from} {to}"));
        assert_eq!(part["exhaustive"], false, "a part is not the whole");
        sums.0 += part["explored"].as_u64().unwrap();
        sums.1 += part["valid"].as_u64().unwrap();
    }
    assert_eq!(Some(sums.0), whole["explored"].as_u64());
    assert_eq!(Some(sums.1), whole["valid"].as_u64());
}

#[test]
fn a_saved_suite_can_be_shown_and_exported() {
    let desk = Desk::new("saved");
    let printed = desk.ok("run search-tree --scope 3 --print --save trees.suite");
    assert!(printed.contains("saved in trees.suite"));
    let shown = desk.ok("show trees.suite");
    let graphs =
        |text: &str| text.split("\n\n").filter(|part| part.starts_with('#')).map(str::to_owned).collect();
    let (printed, all): (Vec<String>, Vec<String>) = (graphs(&printed), graphs(&shown));
    assert_eq!(printed, all);
    assert!(shown.ends_with("15 structures: all of them within the bounds\n"), "{shown}");
    assert_eq!(graphs(&desk.ok("show trees.suite --at 15")), &all[14..]);

    let lines = desk.ok("export trees.suite --to jsonl");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 15);
    assert_eq!(lines[14]["number"], 15);
    let dot = desk.ok("export trees.suite --to dot");
    assert_eq!(dot.matches("digraph ").count(), 15);
    let printed = desk.ok("export trees.suite --to rust");
    assert_eq!(desk.ok("export trees.suite --to rust --output trees.rs"), "");
    assert_eq!(std::fs::read_to_string(desk.path("trees.rs")).unwrap(), printed);
    assert!(
        printed.contains("type Value = smallscope_catalogue::search_tree::SearchTree<smallscope::Key>;"),
        "{printed}"
    );
    // A file per value, each with the text of its candidate; other files stay.
    std::fs::create_dir_all(desk.path("corpus/insert")).unwrap();
    std::fs::write(desk.path("corpus/insert/mine"), "7").unwrap();
    assert_eq!(desk.ok("export trees.suite --to corpus --output corpus/insert"), "");
    for (number, line) in lines.iter().enumerate() {
        let path = desk.path(&format!("corpus/insert/smallscope-{number:06}"));
        assert_eq!(line["candidate"], std::fs::read_to_string(path).unwrap());
    }
    assert_eq!(std::fs::read_dir(desk.path("corpus/insert")).unwrap().count(), lines.len() + 1);
    assert!(desk.error(2, "export trees.suite --to corpus").contains("--output"));
    let named = desk.ok("export trees.suite --to rust --type my::Tree --output trees.rs");
    assert_eq!(named, "");
    assert!(std::fs::read_to_string(desk.path("trees.rs")).unwrap().contains("type Value = my::Tree;"));
    assert!(!desk.path("trees.rs.part").exists());
}

#[test]
fn a_run_that_was_limited_can_be_resumed() {
    let desk = Desk::new("resumed");
    let space = "run search-tree --args 5,5,5,0,4";
    desk.ok(&format!("{space} --save whole.suite"));
    desk.ok(&format!("{space} --save parts.suite --max 10"));
    desk.ok("resume parts.suite --max 25");
    let object = desk.json("resume parts.suite --json");
    assert_eq!((&object["valid"], &object["outcome"]), (&json!(42), &json!("exhausted")));
    let read = |name| std::fs::read(desk.path(name)).unwrap();
    assert!(read("whole.suite") == read("parts.suite"), "the suites differ");

    let text = desk.ok(&format!("{space} --checkpoint run.checkpoint --max 10"));
    assert!(text.contains("`resume run.checkpoint` continues"), "{text}");
    let object = desk.json("resume run.checkpoint --threads 2 --json");
    assert_eq!((&object["valid"], &object["outcome"]), (&json!(42), &json!("exhausted")));
    assert!(!desk.path("run.checkpoint").exists(), "there is nothing left to resume");
}

/// One tree for each shape with up to three nodes: 1, 1, 2 and 5.
#[test]
fn one_value_of_each_path_is_not_called_everything() {
    let desk = Desk::new("one-per-path");
    let space = "run search-tree --scope 3 --one-per-path";
    let object = desk.json(&format!("{space} --json"));
    assert_eq!(
        [&object["valid"], &object["criterion"], &object["outcome"], &object["exhaustive"]],
        [&json!(9), &json!("one-per-path"), &json!("one-per-path"), &json!(false)]
    );
    let text = desk.ok(&format!("{space} --print"));
    assert_eq!(text.matches("\nvalue: ").count(), 9, "{text}");
    assert!(text.contains("search-tree (scope 3): 9 paths, one structure of each; "), "{text}");
    assert!(
        text.ends_with("one value of each path: there may be other structures within the bounds\n"),
        "{text}"
    );
    assert_eq!(desk.json("count search-tree --scope 3 --json")["criterion"], "all");

    desk.ok(&format!("{space} --save whole.suite"));
    desk.ok(&format!("{space} --save parts.suite --max 4"));
    assert_eq!(desk.json("resume parts.suite --threads 2 --json")["outcome"], "one-per-path");
    let read = |name| std::fs::read(desk.path(name)).unwrap();
    assert!(read("whole.suite") == read("parts.suite"), "the suites differ");
    let shown = desk.ok("show whole.suite");
    assert!(
        shown.ends_with("9 structures: one of each path; there may be others within the bounds\n"),
        "{shown}"
    );
    assert!(desk.error(3, "resume whole.suite").contains("nothing to continue"));
}

#[test]
fn size_and_explain_say_what_the_space_is() {
    let desk = Desk::new("explained");
    let size = desk.ok("size search-tree --scope 3");
    assert!(size.contains("11 slots") && size.contains("SearchTree.root"), "{size}");
    let explained = desk.ok("explain search-tree");
    assert!(explained.contains(&size), "explain says the size of scope 3, too");
    assert!(explained.contains("15 valid"), "{explained}");
    assert!(desk.ok("explain sorted-list --args 2,2,3,2 --engine korat").contains("engine `korat`"));
    // Keys are compared, and their values are not read. Nothing looks at the key of a tree of one node.
    let compared = "   (compared, not read: any value with the same answers will do)\n";
    let unread = "   (not read: any value will do)\n";
    assert!(explained.contains(&format!("Node.info of Node#2 = 2{compared}")), "{explained}");
    assert!(explained.contains(&format!("SearchTree.size = 3{compared}")), "{explained}");
    assert!(!explained.contains(unread), "{explained}");
    assert!(explained.contains("\nno summaries of helpers: "), "{explained}");
    let explained = desk.ok("explain binomial-heap --scope 3");
    assert!(explained.contains(&format!("Node.key of Node#0 = 0{unread}")), "{explained}");
}

#[test]
fn one_value_can_be_looked_at_again() {
    let desk = Desk::new("replayed");
    let drawn = desk.ok("replay search-tree 1.0.0.2.1 --scope 3");
    assert!(drawn.contains("Node#0: left = none, right = none, info = 2"), "{drawn}");
    assert!(drawn.contains("the invariant accepts it"));
    assert_eq!(desk.ok("replay search-tree 3:1.0.0.2.1"), drawn);
    let rejected = desk.ok("replay search-tree 1.0.0.2.0 --args 3,0,3,0,2 --engine korat");
    assert!(rejected.contains("the invariant rejects it"), "{rejected}");
}

#[test]
fn a_suite_is_reduced() {
    let desk = Desk::new("reduced");
    desk.ok("run binomial-heap-value --args 3 --save all.suite");
    let text = desk.ok("reduce all.suite --criterion cdc --ratio 0.1 --save fewer.suite --list-classes");
    // The paper's table VIII.
    assert!(text.contains("84 structures"), "{text}");
    assert!(text.contains("kept 8 of them: at most 2 of each of 4 classes by `cdc`\n"), "{text}");
    assert!(text.ends_with("reduced: every class of the suite is covered, not every value\n"), "{text}");
    let text = desk.ok("run binomial-heap-value --args 3 --criterion cdc --ratio 10% --save same.suite");
    assert!(
        text.ends_with("reduced: every class within the bounds is covered, not every structure\n"),
        "{text}"
    );
    let file = |name: &str| std::fs::read(desk.path(name)).unwrap();
    assert!(file("fewer.suite") == file("same.suite"));
    let shown = desk.ok("show fewer.suite");
    assert!(
        shown.ends_with("8 structures, chosen by `cdc ratio 0.1 first` from 84 values (exhausted)\n"),
        "{shown}"
    );
    let object = desk.json("run binomial-heap-value --args 3 --criterion path --per-class 1 --json");
    assert_eq!((&object["kept"], &object["classes"]), (&4.into(), &4.into()));
    assert_eq!((&object["outcome"], &object["exhaustive"]), (&"reduced".into(), &false.into()));
}

/// Two keys and two values: no map, the empty one, 2 * 2 with one node, and 2 trees with both keys and 2 * 2 values.
#[test]
fn densities_are_calculated_and_drawn() {
    let desk = Desk::new("densities");
    let text = desk.ok("sequences density 2 2 --longest 5 --svg drawn.svg");
    assert!(text.contains("| 4 | 11 | 16 | 0.687500 | 0.17187500 |"), "{text}");
    assert!(text.ends_with("first local maximum of the density per call: length 4\n"), "{text}");
    assert!(std::fs::read_to_string(desk.path("drawn.svg")).unwrap().starts_with("<svg"));
    assert_eq!(desk.json("sequences density 10 3 --longest 200 --json")["best_length"], 65);
    // A sequence of one call that is made twice overlaps with itself.
    for calls in ["1 2", "1 3", "1 2 --json"] {
        let error = desk.error(2, &format!("sequences density {calls}"));
        assert!(
            error.contains("with one distinct call") && error.contains("at least 2 distinct calls"),
            "{error}"
        );
    }
    let one = desk.ok("sequences density 1 1 --longest 2");
    assert!(one.contains("| 2 | 1 | 1 | 1.000000 | 0.50000000 |"), "{one}");
}

#[test]
fn subjects_are_explored_and_sequences_saved_and_replayed() {
    let desk = Desk::new("sequences");
    let list = desk.ok("sequences list");
    assert_eq!(list.lines().count(), CONTAINERS.len());
    assert!(list.contains("tree-map         TreeMap::new, insert, remove"), "{list}");
    let text = desk.ok("sequences run tree-map --save maps.txt");
    assert!(
        text.starts_with(
            "tree-map: all sequences of calls, of any length: they lead to 14 states, and 339 calls were made; states \
             compared by: all values (complete), in "
        ),
        "{text}"
    );
    assert!(text.ends_with("saved: maps.txt, 13 sequences\n"), "{text}");
    assert_eq!(desk.ok("sequences replay tree-map --file maps.txt"), "tree-map: 13 sequences, 0 fail\n");
    let shape = desk.json("sequences run tree-map --abstraction shape --fields color --json");
    assert_eq!((&shape["outcome"], &shape["exhaustive"]), (&json!("lossy"), &json!(false)));
    let count = desk.json("sequences count tree-map --length 3 --json");
    assert_eq!((&count["distinct_calls"], &count["tests"]), (&json!(26), &json!("17576")));
    let replayed = desk.json("sequences replay tree-map 3:17575 --json");
    assert_eq!((&replayed["index"], &replayed["result"]), (&json!("17575"), &json!("passed")));
}

#[test]
fn what_sequences_reach_in_the_code_is_reported_and_saved() {
    let desk = Desk::new("covered");
    let run = "sequences run tree-map --size 3 --length 4 --cover blocks";
    let text = desk.ok(&format!("{run} --save suite.txt"));
    let json = desk.json(&format!("{run} --threads 1 --json"));
    let coverage = &json["code_coverage"];
    assert_eq!((&coverage["of"], &coverage["total"]), (&json!("blocks"), &json!(53)));
    let suite = coverage["suite"].as_array().unwrap();
    let reached: u64 = suite.iter().map(|witness| witness["reaches"].as_u64().unwrap()).sum();
    let covered = coverage["covered"].as_u64().unwrap();
    let missing = coverage["not_covered"].as_array().unwrap();
    assert_eq!((reached, missing.len() as u64), (covered, 53 - covered));
    assert!(
        text.contains(&format!("\n{covered} of 53 blocks, by {} sequences of up to 4 calls", suite.len()))
    );
    assert!(
        text.contains("\nno sequence of up to 4 calls reaches:\n  studies/containers/src/tree_map"),
        "{text}"
    );
    assert!(text.contains("\n  and ") && text.contains(" more\n"), "{text}");
    assert!(text.ends_with(&format!("saved: suite.txt, {} sequences\n", suite.len())), "{text}");
    let saved = std::fs::read_to_string(desk.path("suite.txt")).unwrap();
    assert_eq!(saved.matches("\n# reaches TreeMap::").count() as u64, covered);
    desk.ok("sequences replay tree-map --size 3 --file suite.txt");
    // Samples of tests, too, with sequences that are no longer than necessary.
    let sample = desk.json(
        "sequences run tree-set --size 3 --strategy random --length 40 --tests 300 --cover predicates --json",
    );
    assert_eq!(
        (&sample["exhaustive"], &sample["code_coverage"]["of"]),
        (&json!(false), &json!("predicates"))
    );
    assert!(
        sample["code_coverage"]["longest"].as_u64().unwrap() < 15,
        "{}",
        sample["code_coverage"]["longest"]
    );
    let error = desk.error(2, "sequences run tree-map --cover llvm");
    assert!(error.contains("built together with this tool") && error.contains("`--cover blocks`"), "{error}");
    let error = desk.error(2, "sequences run stack --cover predicates");
    assert!(error.contains("there are no predicates in the code"), "{error}");
    for subject in ["array-list", "deque", "priority-queue", "stack"] {
        let found = desk.json(&format!("sequences run {subject} --size 3 --length 5 --cover blocks --json"));
        assert_eq!(found["code_coverage"]["covered"], found["code_coverage"]["total"], "{subject}");
    }
    let error = desk.error(2, "sequences run tree-map --cover lines");
    assert!(error.contains("`none`, `blocks`, `predicates` or `llvm`"), "{error}");
}

#[test]
fn every_subject_passes_and_pieces_of_a_list_are_the_whole() {
    let desk = Desk::new("pieces");
    for subject in CONTAINERS {
        let object = desk.json(&format!("sequences run {} --length 3 --exact --json", subject.name));
        assert_eq!(
            (&object["outcome"], &object["result"]),
            (&json!("exhausted"), &json!("passed")),
            "{object}"
        );
    }
    let list = "sequences run stack --strategy bobw --length 3 --seed 5";
    let whole = desk.json(&format!("{list} --json"));
    assert_eq!((&whole["exhaustive"], &whole["tests"]), (&json!(true), &json!(1331)));
    let save = |arguments: &str, file: &str| {
        desk.ok(&format!("{list} {arguments} --save {file}"));
        let text = std::fs::read_to_string(desk.path(file)).unwrap();
        text.lines().filter(|line| line.starts_with("stack")).map(str::to_owned).collect::<Vec<_>>()
    };
    let all = save("", "all.txt");
    assert_eq!(all.len(), 1331);
    let shards: Vec<String> =
        (1..=3).flat_map(|k| save(&format!("--shard {k}/3"), &format!("{k}.txt"))).collect();
    assert_eq!(shards, all);
    // A run that stops early prints where to continue.
    let stopped = desk.json(&format!("{list} --tests 100 --json"));
    assert_eq!((&stopped["exhaustive"], &stopped["next"]), (&json!(false), &json!("100")));
    assert!(desk.ok(&format!("{list} --tests 100")).ends_with("go on with `--from 100`\n"));
    assert_eq!(save("--from 100", "rest.txt"), all[100..]);
    // A shard that is done does not.
    assert!(!desk.ok(&format!("{list} --shard 1/3")).contains("go on with"));
}

#[test]
fn figures_of_papers_are_computed_again_and_kept() {
    let desk = Desk::new("reproduce");
    let tables = "reproduce 000/section-2 003/figure-2 003/figure-5 --check --threads 1";
    let text = desk.ok(tables);
    for part in ["3,200,000 =", "319 =", "178 =", "3 rows were computed now, 0 before"] {
        assert!(text.contains(part), "`{part}` is not in: {text}");
    }
    assert!(desk.ok(tables).contains("0 rows were computed now, 3 before"));
    let page = std::fs::read_to_string(desk.path("smallscope-reproduced/report.html")).unwrap();
    assert!(page.contains("as published") && !page.contains("<script") && !page.contains("src="));
    std::fs::write(desk.path("smallscope-reproduced/000-section-2.tsv"), "x\n").unwrap();
    let message = desk.error(3, tables);
    assert!(
        message.contains("000-section-2.tsv`, line 1") && message.contains("delete the file"),
        "{message}"
    );
}

/// Checks inside of the computation print nothing of their own.
#[test]
fn tasks_print_only_their_progress() {
    let desk = Desk::new("reproduce-etna");
    let printed = desk.run("reproduce etna/stlc --threads 1 --up-to 2").stderr;
    assert!(printed.lines().count() > 0, "{printed}");
    for line in printed.lines() {
        assert!(line.contains("etna/stlc "), "{line}");
    }
}
