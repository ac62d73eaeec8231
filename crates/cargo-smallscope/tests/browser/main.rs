//! The page in a real browser. `.ci/run` installs it; `cargo test --test browser -- --ignored` runs these tests.
#![cfg(unix)]

#[path = "../tool/common/mod.rs"]
mod common;
mod driver;
mod figures;
mod kinds;
mod look;

use common::{Desk, tool};
use driver::Browser;
use serde_json::json;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

/// A page that is served.
struct Page {
    child: Child,
    url: String,
}

impl Page {
    fn serve(desk: &Desk, arguments: &str) -> Page {
        let mut command = tool(&desk.0);
        command.args(["view", "--catalogue", "--no-open"]).args(arguments.split_whitespace());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Page { child, url: url.trim().to_owned() }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether a value is shown, by its caption.
fn shows(number: u64) -> String {
    format!(
        "document.querySelector('#drawings figure:last-of-type figcaption span')?.innerText === 'value {number}'"
    )
}

fn notice(browser: &Browser) -> String {
    browser.run("return document.getElementById('notice').textContent").as_str().unwrap().to_owned()
}

#[test]
#[ignore = "needs chromium"]
fn values_are_navigated_by_buttons_keys_and_address() {
    let desk = Desk::new("browser-navigation");
    let page = Page::serve(&desk, "search-tree --scope 3");
    let Some(browser) = Browser::start("navigation") else { return };
    browser.open(&page.url);
    browser.wait(&shows(1));
    browser.wait("document.getElementById('total').textContent === 'of 15'");
    for (button, number) in [("next", 2), ("next", 3), ("previous", 2), ("last", 15), ("first", 1)] {
        browser.click(button);
        browser.wait(&shows(number));
    }
    assert_eq!(browser.run("return document.getElementById('previous').disabled"), true);
    browser.run("document.activeElement.blur()");
    for (key, number) in [("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", 15), ("Home", 1)] {
        browser.press(key);
        browser.wait(&shows(number));
    }
    browser.press("#");
    browser.type_text("12");
    browser.press("Enter");
    browser.wait(&shows(12));
    assert!(browser.run("return location.hash").as_str().unwrap().contains("value=12"));
    browser.press("Escape");
    browser.press("p");
    browser.wait(&shows(14));
    browser.press("p");
    // A number that does not exist is explained.
    browser.run("location.hash = '#value=99'");
    browser.wait("document.getElementById('notice').classList.contains('bad')");
    assert!(notice(&browser).contains("there are 1 to 15"), "{}", notice(&browser));
    // A link to a value opens it.
    browser.open("about:blank");
    browser.open(&format!("{}#value=7", page.url));
    browser.wait(&shows(7));
    let text = browser.run("return document.getElementById('text').innerText");
    let title = browser.run("return document.querySelector('#drawings svg title').textContent");
    assert_eq!(text, title, "the drawing has the text as its description");
    browser.check_quiet();
}

#[test]
#[ignore = "needs chromium"]
fn values_are_filtered_compared_and_shown_in_a_grid() {
    let desk = Desk::new("browser-filter");
    let page = Page::serve(&desk, "red-black-tree --scope 3");
    desk.ok("view red-black-tree --catalogue --scope 3 --html trees.html");
    let Some(browser) = Browser::start("filter") else { return };
    let file = format!("file://{}", desk.path("trees.html").display());
    let mut found = vec![];
    // The server and the file filter in the same way.
    for url in [&page.url, &file] {
        browser.open("about:blank");
        browser.open(&format!("{url}#view=grid&filter=objects%3D3%20color%3DRed"));
        browser.wait("document.querySelectorAll('.thumb').length > 0");
        browser.wait("!document.getElementById('more')");
        let labels =
            "return [...document.querySelectorAll('.thumb .caption')].map((caption) => caption.textContent)";
        found.push(browser.run(labels));
        browser.run("document.querySelector('.thumb').click()");
        let first = found[0][0].as_str().unwrap().parse().unwrap();
        browser.wait(&shows(first));
        let hues = "return document.querySelectorAll('.plate.hued').length";
        assert_eq!(browser.run(hues), 0);
        browser.run("const select = document.getElementById('color'); select.value = 'color'; select.dispatchEvent(new Event('change'))");
        browser.wait("document.querySelectorAll('.plate.hued').length === 3");
        assert!(browser.run("return location.hash").as_str().unwrap().contains("color=color"));
        browser.press("c");
        browser.press("ArrowRight");
        let second = found[0][1].as_str().unwrap().parse().unwrap();
        browser.wait(&shows(second));
        assert_eq!(browser.run("return document.querySelectorAll('#drawings figure').length"), 2);
        assert!(
            browser.run("return document.querySelectorAll('.plate.changed').length").as_u64().unwrap() > 0
        );
        assert!(notice(&browser).contains(&format!("from value {first}")), "{}", notice(&browser));
        browser.press("c");
        browser.wait("document.querySelectorAll('#drawings figure').length === 1");
        browser.press("/");
        browser.run("document.getElementById('filter').value = ''");
        browser.type_text("objects=9");
        browser.press("Enter");
        browser.wait("document.getElementById('notice').textContent === 'No value fits the filter.'");
    }
    assert_eq!(found[0], found[1]);
    assert!(found[0].as_array().unwrap().len() > 1, "{found:?}");
    browser.check_quiet();
}

/// Lets the page read and write the clipboard.
fn allow_copies(browser: &Browser) {
    let permissions = json!({"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]});
    browser.tools("Browser.grantPermissions", permissions);
}

/// Copies a value, of which the page knows a name, and returns what is on the clipboard.
fn copied(browser: &Browser, kind: &str, value: &str) -> String {
    browser.run(&format!(
        "[...document.querySelectorAll('#copy button')].find((b) => b.textContent === 'Copy {kind}').click()"
    ));
    browser.wait(&format!("document.getElementById('notice').textContent === 'Copied as {kind}: {value}.'"));
    browser.run("return navigator.clipboard.readText()").as_str().unwrap().to_owned()
}

#[test]
#[ignore = "needs chromium"]
fn values_are_copied_and_saved() {
    let desk = Desk::new("browser-copy");
    let page = Page::serve(&desk, "search-tree --scope 3");
    let Some(browser) = Browser::start("copy") else { return };
    let folder = desk.path("downloads");
    std::fs::create_dir_all(&folder).unwrap();
    browser.tools("Browser.setDownloadBehavior", json!({"behavior": "allow", "downloadPath": folder}));
    allow_copies(&browser);
    browser.open(&format!("{}#value=15", page.url));
    browser.wait(&shows(15));
    for (kind, expected) in [
        ("Text", "value: root = Node#0, size = 3"),
        ("Rust", "let value = search.value()"),
        ("DOT", "digraph value_15 {"),
        ("SVG", "<svg"),
        ("Candidate", "1.2."),
    ] {
        let copied = copied(&browser, kind, "value 15");
        assert!(copied.contains(expected), "{kind}: {copied}");
    }
    browser.run(
        "[...document.querySelectorAll('#copy button')].find((b) => b.textContent === 'Save PNG').click()",
    );
    browser.wait("document.getElementById('notice').textContent === 'Saved as value-15.png.'");
    let file = folder.join("value-15.png");
    let start = std::time::Instant::now();
    while !file.exists() && start.elapsed().as_secs() < 10 {
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let picture = std::fs::read(file).unwrap();
    assert!(picture.starts_with(b"\x89PNG") && picture.len() > 2000, "{}", picture.len());
    browser.check_quiet();
}

#[test]
#[ignore = "needs chromium"]
fn fields_are_placed_on_the_page() {
    let desk = Desk::new("browser-rules");
    let page = Page::serve(&desk, "binomial-heap --scope 3");
    let Some(browser) = Browser::start("rules") else { return };
    browser.open(&format!("{}#value=5", page.url));
    browser.wait(&shows(5));
    let degrees = "document.querySelectorAll('#drawings text[data-field=degree]').length";
    assert!(browser.run(&format!("return {degrees}")).as_u64().unwrap() > 0);
    browser.click("rules");
    browser.run(
        "const label = [...document.querySelectorAll('#rule-list label')].find((l) => l.textContent.startsWith('degree'));
         const select = label.querySelector('select');
         select.value = 'hide';
         select.dispatchEvent(new Event('change'));",
    );
    browser.wait(&format!("{degrees} === 0"));
    assert!(browser.run("return location.hash").as_str().unwrap().contains("rules=degree"));
    browser.check_quiet();
}

#[test]
#[ignore = "needs chromium"]
fn the_search_is_stepped_through() {
    let desk = Desk::new("browser-search");
    let page = Page::serve(&desk, "search-tree --scope 2 --engine korat");
    let Some(browser) = Browser::start("search") else { return };
    browser.open(&page.url);
    browser.wait(&shows(1));
    browser.press("s");
    let is_at = |n: u32| format!("document.getElementById('details-title').textContent === 'Candidate {n}'");
    browser.wait(&is_at(1));
    let rejected = "document.querySelector('.verdict').textContent === 'rejected'";
    let mut n = 1;
    while browser.run(&format!("return {rejected}")) != true {
        browser.press("ArrowRight");
        n += 1;
        browser.wait(&is_at(n));
    }
    assert_eq!(browser.run("return document.querySelectorAll('.plate.last-read').length"), 1);
    assert_eq!(browser.run("return document.querySelectorAll('#reads tr.last').length"), 1);
    // The numbers of the reads are in the drawing.
    let numbers = browser.run("return [...document.querySelectorAll('#drawings text.order')].flatMap((text) => text.textContent.match(/\\d+/g)).length");
    assert_eq!(
        numbers,
        browser.run("return document.querySelectorAll('#reads tbody tr:not(.beyond)').length")
    );
    assert_eq!(browser.run("return document.querySelectorAll('#drawings text.order.last').length"), 1);
    assert!(
        browser
            .run("return document.getElementById('reads').innerText")
            .as_str()
            .unwrap()
            .contains("The search")
    );
    browser.press("ArrowLeft");
    browser.wait(&is_at(n - 1));
    browser.check_quiet();
}
