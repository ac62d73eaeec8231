//! What else there is to look at: the order of reads, classes, states of call sequences, reports, and failing tests.

use super::common::Desk;
use super::driver::Browser;
use super::look::{check, scheme};
use super::{Page, allow_copies, copied, notice, shows};
use std::path::Path;

#[test]
#[ignore = "needs chromium"]
fn objects_are_coloured_by_the_order_of_reads() {
    let desk = Desk::new("browser-reads");
    let page = Page::serve(&desk, "red-black-tree --scope 4");
    let Some(browser) = Browser::start("reads") else { return };
    browser.open(&format!("{}#value=30", page.url));
    browser.wait(&shows(30));
    browser.run("const select = document.getElementById('color'); select.value = '(reads)'; select.dispatchEvent(new Event('change'))");
    browser.wait("document.querySelectorAll('#drawings text.order').length > 0");
    let shades = "return [...document.querySelectorAll('.plate')].map((plate) => [...plate.classList].find((name) => name.startsWith('shade-')))";
    let shades = browser.run(shades);
    assert_eq!(shades[0], "shade-0", "the value itself is read first: {shades}");
    let different: std::collections::BTreeSet<String> =
        shades.as_array().unwrap().iter().map(ToString::to_string).collect();
    assert!(different.len() > 1, "{shades}");
    browser.run("const select = document.getElementById('color'); select.value = ''; select.dispatchEvent(new Event('change'))");
    browser.wait("document.querySelectorAll('#drawings text.order').length === 0");
    browser.check_quiet();
}

#[test]
#[ignore = "needs chromium"]
fn classes_lead_to_their_witnesses() {
    let desk = Desk::new("browser-classes");
    desk.ok("run search-tree --catalogue --scope 3 --save trees.suite");
    desk.ok("reduce trees.suite --criterion cdc --per-class 1 --save fewer.suite");
    desk.ok("view fewer.suite --html fewer.html");
    let page = Page::serve(&desk, "fewer.suite");
    let Some(browser) = Browser::start("classes") else { return };
    let cards = "document.querySelectorAll('.class-card').length";
    let file = format!("file://{}", desk.path("fewer.html").display());
    let mut counts = vec![];
    for url in [&page.url, &file] {
        browser.open("about:blank");
        browser.open(url);
        browser.wait(&shows(1));
        browser.press("k");
        browser.wait("document.getElementById('notice').textContent.endsWith(', by cdc.')");
        counts.push(browser.run(&format!("return {cards}")));
        assert!(browser.run("return location.hash").as_str().unwrap().contains("view=classes"));
        browser.run("document.querySelectorAll('.class-card button')[2].click()");
        browser.wait(&shows(3));
    }
    assert_eq!(counts[0], counts[1]);
    browser.open(&format!("{}#view=classes", page.url));
    browser.wait("document.getElementById('criterion')");
    browser.run("const select = document.getElementById('criterion'); select.value = 'decision'; select.dispatchEvent(new Event('change'))");
    browser.wait("document.getElementById('notice').textContent.endsWith(', by decision.')");
    browser.check_quiet();
}

#[test]
#[ignore = "needs chromium"]
fn states_are_explored_on_demand() {
    let desk = Desk::new("browser-states");
    let page = Page::serve(&desk, "tree-map");
    desk.ok("view tree-map --catalogue --html states.html");
    let Some(browser) = Browser::start("states") else { return };
    let is_at = |n: u32| format!("document.getElementById('details-title').textContent === 'State {n}'");
    let file = format!("file://{}", desk.path("states.html").display());
    let mut lines = vec![];
    for url in [&page.url, &file] {
        browser.open("about:blank");
        browser.open(url);
        browser.wait(&is_at(0));
        // By a click on the drawing, by a button, and by a key.
        browser.run("document.querySelector('.plate:not(.current)').dispatchEvent(new Event('click'))");
        browser.wait(&is_at(1));
        browser.run("[...document.querySelectorAll('#calls button')].find((button) => button.textContent === 'state 2').click()");
        browser.wait(&is_at(2));
        assert_eq!(browser.run("return document.querySelectorAll('#path li').length"), 3);
        let line = browser.run("return decodeURIComponent(location.hash.replaceAll('+', ' '))");
        browser.press("ArrowLeft");
        browser.wait(&is_at(1));
        browser.press("Home");
        browser.wait(&is_at(0));
        // A link to a state opens it.
        let path = line.as_str().unwrap().strip_prefix("#path=").unwrap().to_owned();
        let encoded: String = path.bytes().map(|byte| format!("%{byte:02X}")).collect();
        browser.open("about:blank");
        browser.open(&format!("{url}#path={encoded}"));
        browser.wait(&is_at(2));
        lines.push(path);
    }
    assert_eq!(lines[0], lines[1]);
    browser.open("about:blank");
    browser.open(&page.url);
    browser.wait(&is_at(0));
    browser.click("play");
    browser.wait("document.getElementById('subtitle').textContent.startsWith('all ')");
    browser.open("about:blank");
    browser.open(&format!("{}#path=nonsense", page.url));
    browser.wait("document.getElementById('notice').classList.contains('bad')");
    assert!(notice(&browser).contains("nonsense"), "{}", notice(&browser));
    browser.check_quiet();
}

#[test]
#[ignore = "needs chromium"]
fn reports_are_plots_and_tables() {
    let desk = Desk::new("browser-reports");
    let mut report = String::new();
    for scope in 1..=4 {
        report += &desk.ok(&format!("count search-tree --catalogue --scope {scope} --json"));
    }
    report += &desk.ok("sequences density 6 3 --json");
    for (bound, second) in [("scope 2", "never run"), ("scope 3", "undecided"), ("scope 4", "killed")] {
        let mutant = |id: &str, line: u32, verdict: &str| {
            format!(
                r#"{{"id":"{id}","function":"insert","line":{line},"before":"<","after":"<=","verdict":"{verdict}","kills":[[2,5],[9,9]]}}"#
            )
        };
        let killed = if second == "killed" { 2 } else { 1 };
        report += &format!(
            r#"{{"test":"insert_works","bound":"{bound}","killed":{killed},"values":24,"mutants":[{},{}]}}"#,
            mutant("a", 7, "killed"),
            mutant("b", 9, second)
        );
    }
    std::fs::write(desk.path("report.jsonl"), report).unwrap();
    let page = Page::serve(&desk, "report.jsonl");
    let Some(browser) = Browser::start("reports") else { return };
    browser.open(&page.url);
    browser.wait("document.querySelectorAll('.plot-wide svg').length === 9");
    browser.run("document.querySelector('figure details').open = true");
    let cell = "return document.querySelector('figure table tbody tr:nth-child(2)').innerText";
    assert!(browser.run(cell).as_str().unwrap().contains("undecided"), "{}", browser.run(cell));
    let marks = "return document.querySelectorAll('figure:nth-child(2) .plot-wide rect.plot-good').length";
    assert_eq!(browser.run(marks), 11, "ten kills and a verdict");
    for (theme, device, width, height) in [("light", "desktop", 1200, 760), ("dark", "phone", 360, 740)] {
        scheme(&browser, theme);
        browser.resize(width, height, 1.0);
        browser.open("about:blank");
        browser.open(&page.url);
        browser.wait("document.querySelectorAll('.plot-wide svg').length === 9");
        let visible = "return [...document.querySelectorAll('.plot-figure svg')].filter((svg) => svg.getBoundingClientRect().width > 0).length";
        assert_eq!(browser.run(visible), 9, "one drawing of each plot");
        check(&browser, &format!("reports on {device} in {theme}"));
        browser.screenshot(&format!("view-reports-{device}-{theme}"));
    }
    browser.check_quiet();
}

/// The page of a failing test, which the tests of the runner write.
#[test]
#[ignore = "needs chromium"]
fn a_failing_test_shows_the_value_before_and_after() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = std::process::Command::new(env!("CARGO"));
    command
        .args(["test", "-p", "smallscope-runner", "--test", "session", "pages::a_page"])
        .current_dir(&root);
    // Unknown settings are errors.
    command.env_remove("SMALLSCOPE_SCREENSHOTS");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let Some(browser) = Browser::start("failure") else { return };
    browser.open(&format!("file://{}/smallscope-pages/pages-push.html", target.display()));
    browser.wait("document.querySelectorAll('#drawings figure').length === 2");
    let captions = "return [...document.querySelectorAll('figcaption')].map((caption) => caption.innerText)";
    assert_eq!(browser.run(captions), serde_json::json!(["the value before", "after push"]));
    assert!(browser.run("return document.querySelectorAll('.plate.changed').length").as_u64().unwrap() > 0);
    let broken = browser.run("return document.getElementById('broken').textContent");
    assert!(broken.as_str().unwrap().contains("`self.items() == self.size`"), "{broken}");
    browser.screenshot("view-failure-desktop-light");
    // The value after the call is the one that is copied, until the one before is chosen.
    allow_copies(&browser);
    for (value, number, last) in [
        ("after push", 2, "assert_eq!(search.accepts(), Ok(true));"),
        ("the value before", 1, "let value = search.value()"),
    ] {
        for (kind, expected) in [
            ("Text", "value: top = Item#0, size = 1"),
            ("Rust", "pages::Stack>::new(&bounds, options)"),
            ("Rust", last),
            ("DOT", &format!("digraph value_{number} {{")),
            ("SVG", "<svg"),
            ("Candidate", "1."),
        ] {
            let copied = copied(&browser, kind, value);
            assert!(copied.contains(expected), "{kind} of {value}: {copied}");
        }
        browser.press("Home");
        browser.wait("document.querySelector('figcaption').innerText === 'the value before'");
    }
    browser.check_quiet();
}
