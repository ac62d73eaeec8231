//! `cargo smallscope view`: the page as a file, and what its server answers.

use crate::common::{Desk, tool};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

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
        let (mut number, mut valid, mut rejected) = (1, 0, 0);
        loop {
            let step = served.json(&format!("step?n={number}"));
            if step.get("error").is_some() {
                break;
            }
            if step["valid"] == true {
                valid += 1
            } else {
                rejected += 1
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
            assert_eq!(valid + rejected, explored["explored"].as_u64().unwrap(), "{engine}");
        }
    }
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
    assert!(counts["plots"][0].as_str().unwrap().starts_with("<svg"));
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
    assert!(drawn("degree%3Dup")["error"].as_str().unwrap().contains("`up` is no place for `degree`"));
    let error = desk.error(2, "view binomial-heap --catalogue --field degree");
    assert!(error.contains("`degree` is no rule: write a field and a place"), "{error}");
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
