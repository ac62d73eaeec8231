//! `cargo smallscope view`: the page as a file, and what its server answers.

use crate::common::{Desk, tool};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// Returns the data of a page.
fn data(html: &str) -> Value {
    let (_, rest) =
        html.split_once(r#"<script type="application/json" id="data">"#).expect("the page has data");
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

/// A server of the page.
struct Served {
    child: Child,
    host: String,
    path: String,
}

impl Served {
    fn start(mut command: Command) -> Served {
        let mut child = command.arg("--no-open").stdout(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        let address = url.trim().strip_prefix("http://").unwrap_or_else(|| panic!("no address: {url}"));
        let (host, path) = address.split_once('/').unwrap();
        Served { child, host: host.to_owned(), path: format!("/{path}") }
    }

    fn of(desk: &Desk, arguments: &str) -> Served {
        let mut command = tool(&desk.0);
        command.arg("view").args(arguments.split_whitespace());
        Served::start(command)
    }

    fn get(&self, path: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        write!(stream, "GET {}{path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.path, self.host).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    fn json(&self, path: &str) -> Value {
        let (head, body) = self.get(path);
        assert!(head.starts_with("HTTP/1.1 200 "), "{path}: {head}\n{body}");
        serde_json::from_str(&body).unwrap()
    }

    /// Waits until all values are known, and returns how many there are.
    fn count(&self) -> u64 {
        loop {
            let info = self.json("info");
            if info["all"] == true {
                return info["known"].as_u64().unwrap();
            }
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the candidates that `run` prints, in order.
fn candidates(desk: &Desk, arguments: &str) -> Vec<String> {
    let printed = desk.ok(&format!("run {arguments} --print"));
    let lines = printed.lines().filter(|line| line.starts_with('#'));
    lines.map(|line| line.split_whitespace().nth(1).unwrap().to_owned()).collect()
}

#[test]
fn the_file_has_every_value_and_needs_nothing_else() {
    let desk = Desk::new("view-file");
    desk.ok("view search-tree --catalogue --scope 3 --html trees.html");
    let html = std::fs::read_to_string(desk.path("trees.html")).unwrap();
    let page = data(&html);
    assert_eq!(page["values"].as_array().unwrap().len(), 15);
    assert_eq!(page["info"]["structure"], "search-tree");
    let svg = page["values"][14]["svg"].as_str().unwrap();
    assert_eq!(svg.matches(r#"class="plate object""#).count(), 3, "{svg}");
    assert!(page["values"][14]["rust"].as_str().unwrap().contains("Search::<"));
    assert!(page["values"][14]["dot"].as_str().unwrap().starts_with("digraph"));
    assert!(html.len() < 200_000, "{}", html.len());
    let (_, script) = html.rsplit_once("<script").unwrap();
    assert!(script.len() < 100_000 && !script.contains("innerHTML"), "{}", script.len());
    // No address but the name of the SVG format, and no element that loads something.
    let addresses = html.replace("http://www.w3.org/2000/svg", "");
    for loads in ["http://", "https://", "src=", "<link", "@import", "url(h"] {
        assert!(!addresses.contains(loads), "{loads}");
    }
    assert!(html.contains("default-src 'none'; script-src 'nonce-"), "the policy is strict");
    // An existing file is replaced, and says if there are more values.
    let ended = desk.run("view search-tree --catalogue --scope 4 --html trees.html --most 20");
    assert!(ended.code == 0 && ended.stderr.contains("the first 20 values"), "{ended:?}");
    let html = std::fs::read_to_string(desk.path("trees.html")).unwrap();
    assert_eq!(data(&html)["values"].as_array().unwrap().len(), 20);
}

#[test]
fn any_value_is_reached_in_any_order() {
    let desk = Desk::new("view-order");
    let expected = candidates(&desk, "search-tree --catalogue --scope 4");
    let served = Served::of(&desk, "search-tree --catalogue --scope 4");
    let count = served.count();
    assert_eq!(count, expected.len() as u64);
    let forwards = 1..=count;
    let backwards = (1..=count).rev();
    let mixed = (1..=count).map(|n| n * 37 % count + 1);
    for number in forwards.chain(backwards).chain(mixed) {
        let value = served.json(&format!("value?n={number}"));
        assert_eq!(value["number"], number);
        assert_eq!(value["candidate"], expected[number as usize - 1].as_str(), "value {number}");
    }
    let wrong = served.json(&format!("value?n={}", count + 1));
    assert!(wrong["error"].as_str().unwrap().contains(&format!("there are 1 to {count}")), "{wrong}");
    assert!(served.json("value?n=0")["error"].is_string());
    assert!(served.json("value?n=x")["error"].as_str().unwrap().contains("`x` is no number"));
    assert!(served.get("elsewhere").0.starts_with("HTTP/1.1 404 "));
    let (head, page) = served.get("");
    assert!(head.contains("text/html") && data(&page)["values"].is_null(), "{head}");
}

#[test]
fn filters_find_values_forwards_and_backwards() {
    let desk = Desk::new("view-filter");
    let served = Served::of(&desk, "search-tree --catalogue --scope 3");
    let count = served.count();
    let find = |query: &str| served.json(&format!("find?{query}"));
    let with_three = find("from=1&step=1&most=100&filter=objects%3D3");
    assert_eq!(with_three["found"].as_array().unwrap().len(), 5, "{with_three}");
    assert_eq!(with_three["end"], true);
    let last = find(&format!("from={count}&step=-1&most=1&filter=size%3C%3D1"));
    let number = last["found"][0].as_u64().unwrap();
    assert_eq!(
        served.json(&format!("value?n={number}"))["text"].as_str().unwrap().matches("size = 1").count(),
        1
    );
    assert_eq!(
        find("from=1&step=1&most=9&filter=info%3D2+objects%3D1")["found"].as_array().unwrap().len(),
        1
    );
    assert_eq!(find("from=1&step=1&most=9&filter=node%232")["found"].as_array().unwrap().len(), 5);
    assert!(
        find("from=1&step=1&most=9&filter=size%3C")["error"]
            .as_str()
            .unwrap()
            .contains("compares with nothing")
    );
}

#[test]
fn a_suite_is_read_at_any_place() {
    let desk = Desk::new("view-suite");
    desk.ok("run red-black-tree --catalogue --scope 5 --save trees.suite");
    let expected = candidates(&desk, "red-black-tree --catalogue --scope 5");
    let served = Served::of(&desk, "trees.suite");
    let count = served.count();
    for number in [count, 1, count / 2, 2, count - 1] {
        let value = served.json(&format!("value?n={number}"));
        assert_eq!(value["candidate"], expected[number as usize - 1].as_str(), "value {number}");
    }
}

#[test]
fn the_search_is_shown_candidate_by_candidate() {
    let desk = Desk::new("view-steps");
    for engine in ["korat", "lazy"] {
        let served = Served::of(&desk, &format!("search-tree --catalogue --scope 2 --engine {engine}"));
        let explored =
            desk.json(&format!("count search-tree --catalogue --scope 2 --engine {engine} --json"));
        let (mut number, mut valid, mut rejected, mut unread) = (1, 0, 0, 0);
        loop {
            let step = served.json(&format!("step?n={number}"));
            if step.get("error").is_some() {
                break;
            }
            let has_unread = step["text"].as_str().unwrap().contains("= ?");
            if step["valid"] == true {
                valid += 1;
                assert!(!has_unread, "{step}");
            } else {
                rejected += 1;
                unread += u64::from(has_unread);
            }
            assert!(!step["reads"].as_array().unwrap().is_empty() && step["svg"].is_string(), "{step}");
            assert!(
                step["skipped"].as_str().unwrap().contains("fields")
                    || step["skipped"].as_str().unwrap().contains("every field")
            );
            number += 1;
        }
        assert_eq!(valid, explored["valid"].as_u64().unwrap(), "{engine}");
        if engine == "korat" {
            assert!(unread > 0, "what was not read is not shown");
            assert_eq!(valid + rejected, explored["explored"].as_u64().unwrap(), "{engine}");
        }
    }
}

#[test]
fn several_values_are_answered_at_once() {
    let desk = Desk::new("view-several");
    let served = Served::of(&desk, "search-tree --catalogue --scope 3");
    assert_eq!(served.count(), 15);
    let several = served.json("values?n=1%203%2099");
    let values = several["values"].as_array().unwrap();
    assert_eq!(values[..2], [served.json("value?n=1"), served.json("value?n=3")]);
    assert!(values[2]["error"].is_string(), "{several}");
    let many = (1..=100).map(|n| n.to_string()).collect::<Vec<_>>().join("%20");
    assert_eq!(served.json(&format!("values?n={many}"))["values"].as_array().unwrap().len(), 64);
}

#[test]
fn summaries_are_made_step_by_step() {
    let desk = Desk::new("view-summaries");
    let served = Served::of(&desk, "red-black-shape-natural --catalogue --scope 3");
    let explained = desk.ok("explain red-black-shape-natural --catalogue --scope 3");
    let (mut number, mut runs, mut helpers, mut valid) = (1, 0, std::collections::BTreeSet::new(), 0);
    loop {
        let step = served.json(&format!("summary?n={number}"));
        if step.get("error").is_some() {
            break;
        }
        assert!(step["svg"].is_string(), "{step}");
        number += 1;
        match step["title"].as_str() {
            // A run of a helper or of the invariant. Some are known from others.
            Some(title) if title.contains(" on ") => {
                runs += u64::from(step["why"].as_str().unwrap().starts_with("One run"));
                helpers.extend(title.split_once('(').map(|(helper, _)| helper.to_owned()));
                let end = step["end"].as_str().unwrap();
                assert!(
                    ["returns ", "waits for ", "refutes "].iter().any(|start| end.starts_with(start)),
                    "{end}"
                );
                assert!(!end.contains("answer "), "simple results are written as they are: {end}");
            }
            Some(title) => assert!(title.starts_with("group ") || title == "the result", "{title}"),
            // The search that follows.
            None => {
                assert!(step["making"].as_u64().unwrap() < step["number"].as_u64().unwrap());
                valid += u64::from(step["valid"] == true);
            }
        }
    }
    for helper in &helpers {
        assert!(explained.contains(helper), "{helper}: {explained}");
    }
    assert!(explained.contains(&format!("({runs} runs")), "{runs} runs: {explained}");
    assert!(helpers.len() > 2, "{helpers:?}");
    let count = desk.json("count red-black-shape-natural --catalogue --scope 3 --json");
    assert_eq!(valid, count["valid"].as_u64().unwrap());
    let none = Served::of(&desk, "search-tree --catalogue --scope 2");
    assert!(none.json("summary?n=1")["error"].as_str().unwrap().contains("there are no summaries"));
}

#[test]
fn numbers_by_scope_are_plotted() {
    let desk = Desk::new("view-counts");
    let served = Served::of(&desk, "search-tree --catalogue --scope 3");
    let counts = served.json("counts");
    let rows = counts["rows"].as_array().unwrap();
    assert!(rows.len() >= 4 && counts["whole"] == true, "{counts}");
    for (scope, row) in rows.iter().take(4).enumerate() {
        let counted = desk.json(&format!("count search-tree --catalogue --scope {scope} --json"));
        assert_eq!(
            (&row["values"], &row["candidates"]),
            (&counted["valid"], &counted["explored"]),
            "scope {scope}"
        );
    }
    assert!(counts["plots"][0].as_str().unwrap().starts_with("<figure"));
    let exact = Served::of(&desk, "search-tree --catalogue --args 3,3,3,0,2");
    assert!(exact.json("counts")["error"].as_str().unwrap().contains("these bounds are exact"));
}

#[test]
fn rules_place_fields() {
    let desk = Desk::new("view-rules");
    desk.ok("view binomial-heap --catalogue --scope 2 --field degree=hide --html heaps.html");
    let html = std::fs::read_to_string(desk.path("heaps.html")).unwrap();
    let values = data(&html);
    let svg = values["values"][2]["svg"].as_str().unwrap();
    assert!(svg.contains("plate object") && !svg.contains(r#"data-field="degree""#), "{svg}");
    assert!(values["values"][2]["text"].as_str().unwrap().contains("degree = 0"), "the text has everything");
    let served = Served::of(&desk, "binomial-heap --catalogue --scope 2");
    let drawn = |rules: &str| served.json(&format!("value?n=3&rules={rules}"));
    assert!(drawn("")["svg"].as_str().unwrap().contains(r#"data-field="degree""#));
    assert!(!drawn("degree%3Dhide")["svg"].as_str().unwrap().contains(r#"data-field="degree""#));
    let error = drawn("degree%3Dup");
    assert!(
        error["error"].as_str().unwrap().contains("the rule for `degree` is wrong: `up` says nothing"),
        "{error}"
    );
    let error = desk.error(2, "view binomial-heap --catalogue --field degree");
    assert!(error.contains("`degree` is no rule: write a field and how it is drawn"), "{error}");
}

#[test]
fn reads_are_numbered_and_the_failing_conjunct_is_named() {
    let desk = Desk::new("view-reads");
    let served = Served::of(&desk, "search-tree --catalogue --scope 3");
    let svg = |json: Value| json["svg"].as_str().unwrap().to_owned();
    assert!(!svg(served.json("value?n=9")).contains("class=\"order\""));
    let value = served.json("value?n=9&reads=yes");
    assert_eq!(value["reads"][0]["field"], "SearchTree.root");
    assert!(svg(value).contains("class=\"order\""));
    for engine in ["korat", "lazy"] {
        let served = Served::of(&desk, &format!("avl-tree --catalogue --scope 2 --engine {engine}"));
        let mut steps = (1..40).map(|n| served.json(&format!("step?n={n}")));
        let step = steps.find(|step| step["conjunct"].is_string());
        let step = step.unwrap_or_else(|| panic!("{engine} names no conjunct"));
        assert_eq!(step["valid"], false);
        assert_eq!(svg(step).matches("class=\"order last\"").count(), 1, "{engine}");
    }
}

#[test]
fn classes_have_witnesses() {
    let desk = Desk::new("view-classes");
    desk.ok("run search-tree --catalogue --scope 3 --save trees.suite");
    desk.ok("reduce trees.suite --criterion cdc --per-class 1 --save fewer.suite");
    let all = Served::of(&desk, "trees.suite").json("classes?by=cdc");
    let fewer = Served::of(&desk, "fewer.suite").json("classes");
    let texts = |answer: &Value| {
        let classes = answer["classes"].as_array().unwrap();
        classes.iter().map(|class| class["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((&all["end"], &fewer["end"]), (&true.into(), &true.into()));
    assert_eq!(texts(&all), texts(&fewer), "the criterion of the reduction is the default");
    let sum = |answer: &Value| {
        let classes = answer["classes"].as_array().unwrap();
        classes.iter().map(|class| class["size"].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!((sum(&all), sum(&fewer)), (15, fewer["count"].as_u64().unwrap()));
    let error = Served::of(&desk, "trees.suite").json("classes?by=colour");
    assert!(error["error"].as_str().unwrap().contains("colour"), "{error}");
    // A file has them, too.
    desk.ok("view fewer.suite --html fewer.html");
    let html = std::fs::read_to_string(desk.path("fewer.html")).unwrap();
    assert_eq!(data(&html)["info"]["classes"]["classes"], fewer["classes"]);
}

#[test]
fn states_are_found_when_they_are_looked_at() {
    let desk = Desk::new("view-states");
    let served = Served::of(&desk, "tree-map --catalogue");
    let first = served.json("state?n=0");
    assert_eq!((&first["known"], &first["explored"]), (&2.into(), &0.into()), "{first}");
    let second = served.json("state?n=1");
    assert!(second["known"].as_u64().unwrap() > 2 && second["svg"].is_string());
    let call = second["calls"].as_array().unwrap().iter().find(|call| call["to"].as_u64() > Some(1)).unwrap();
    let third = served.json(&format!("state?n={}", call["to"]));
    let line = format!("{}; {}", first["calls"][0]["call"].as_str().unwrap(), call["call"].as_str().unwrap());
    assert_eq!(third["line"], *line);
    assert_eq!(third["on_path"], serde_json::json!([0, 1, call["to"]]));
    let encoded: String = line.bytes().map(|byte| format!("%{byte:02X}")).collect();
    assert_eq!(served.json(&format!("path?calls={encoded}"))["state"], third["state"]);
    let explored = loop {
        let answer = served.json("explore");
        if answer["all"] == true {
            break answer;
        }
    };
    // The same states as an exploration finds.
    let all = desk.json("sequences run tree-map --catalogue --length 40 --abstraction complete --json");
    assert_eq!(explored["known"], all["states"], "{all}");
    assert!(served.json("state?n=99999999")["error"].as_str().unwrap().contains("there is no state"));
    desk.ok("view tree-map --catalogue --html states.html --most 10");
    let html = std::fs::read_to_string(desk.path("states.html")).unwrap();
    assert_eq!(data(&html)["values"].as_array().unwrap().len(), 10);
    let error = desk.error(2, "view tree-map --catalogue --scope 3");
    assert!(error.contains("`tree-map` is a container that is tested by calls"), "{error}");
}

/// Explores the states of a stack, of which there is no end, until so many are known; then looks at some of them.
fn look_at_many_states(desk: &Desk, wanted: u64) {
    let served = Served::of(desk, "stack --catalogue");
    let start = Instant::now();
    let known = loop {
        let known = served.json("explore")["known"].as_u64().unwrap();
        if known >= wanted {
            break known;
        }
    };
    println!("{known} states after {:.1?}", start.elapsed());
    for state in [0, known / 3, wanted - 1] {
        let start = Instant::now();
        let looked = served.json(&format!("state?n={state}"));
        println!("state {state}: {:.1?}", start.elapsed());
        let (on_path, path) = (looked["on_path"].as_array().unwrap(), looked["path"].as_array().unwrap());
        assert_eq!((on_path.first(), on_path.last()), (Some(&0.into()), Some(&state.into())));
        assert_eq!(on_path.len(), path.len() + 1);
        let line = looked["line"].as_str().unwrap();
        let encoded: String = line.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let start = Instant::now();
        assert_eq!(served.json(&format!("path?calls={encoded}"))["state"], state, "{line}");
        println!("the same by its {} calls: {:.1?}", path.len(), start.elapsed());
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", served.child.id())).unwrap_or_default();
    let memory = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    println!("{memory}");
}

#[test]
fn many_states_are_looked_at_on_demand() {
    look_at_many_states(&Desk::new("view-many-states"), 300);
}

#[test]
#[ignore = "takes seconds without optimisations; `.ci/run` runs it"]
fn a_hundred_thousand_states_are_looked_at_on_demand() {
    look_at_many_states(&Desk::new("view-very-many-states"), 100_000);
}

#[test]
fn reports_are_plotted() {
    let desk = Desk::new("view-reports");
    let mut report = String::new();
    for scope in 1..=3 {
        report += &desk.ok(&format!("count search-tree --catalogue --scope {scope} --json"));
    }
    report += &desk.ok("sequences density 6 3 --json");
    std::fs::write(desk.path("report.jsonl"), report).unwrap();
    desk.ok("view report.jsonl --html report.html");
    let html = std::fs::read_to_string(desk.path("report.html")).unwrap();
    let page = data(&html);
    let plots = page["info"]["plots"].as_array().unwrap();
    assert_eq!(plots.len(), 4, "{plots:?}");
    let row = r#"<td class="plot-number">3</td><td class="plot-number">15</td>"#;
    assert!(plots[0].as_str().unwrap().contains(row), "{plots:?}");
    std::fs::write(desk.path("other.json"), "{}").unwrap();
    assert!(desk.error(3, "view other.json").contains("it has nothing to plot"));
    std::fs::write(desk.path("other.json"), "{").unwrap();
    assert!(desk.error(3, "view other.json").contains("it is no JSON"));
}

#[test]
fn mistakes_are_explained() {
    let desk = Desk::new("view-mistakes");
    assert!(desk.error(2, "view serch-tree --catalogue").contains("did you mean `search-tree`"));
    assert!(desk.error(3, "view nothing.suite --catalogue").contains("there is no such file"));
    assert!(desk.error(2, "view search-tree --catalogue --scope 300").contains("too large"));
    std::fs::write(desk.path("text.suite"), "no suite").unwrap();
    assert!(desk.error(3, "view text.suite --catalogue").contains("neither a suite nor a checkpoint"));
    desk.ok("run search-tree --catalogue --scope 2 --save trees.suite");
    assert!(desk.error(2, "view trees.suite --scope 3").contains("whose bounds are saved in it"));
    assert!(
        desk.error(2, "view search-tree --catalogue --html a.html --port 80").contains("cannot be used with")
    );
    assert!(
        desk.error(3, "view search-tree --catalogue --html no/such/folder.html")
            .contains("cannot be written")
    );
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let error = desk.error(2, &format!("view search-tree --catalogue --no-open --port {port}"));
    assert!(error.contains(&format!("the port {port} of the loopback interface cannot be used")), "{error}");
}
