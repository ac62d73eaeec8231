//! What the page looks like: both themes, a phone, contrast, and what a screen reader gets. Screenshots are kept.

use crate::common::Desk;
use crate::driver::Browser;
use crate::{Page, shows};
use serde_json::{Value, json};

/// Returns texts whose contrast with what is behind them is below 4.5 (3 for large texts).
const PALE: &str = r##"
const channel = (c) => { const s = c / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; };
const parse = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
const ratio = (a, b) => { const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
const behind = (node) => {
  const figure = node.closest?.(".plot-figure");
  if (figure && node.tagName === "text") {
    const cell = node.parentElement.querySelector(":scope > rect:not(.plot-paper)") ?? node.ownerSVGElement.querySelector("rect.plot-paper");
    return parse(getComputedStyle(cell).fill);
  }
  const plate = node.closest?.("g.plate");
  if (plate) {
    const cells = [...plate.querySelectorAll("rect.cell")].filter((cell) => {
      const [a, b] = [cell.getBoundingClientRect(), node.getBoundingClientRect()];
      return a.left <= b.left + 1 && a.right >= b.right - 1 && a.top <= b.top + 1 && a.bottom >= b.bottom - 1;
    });
    const fill = cells.map((cell) => getComputedStyle(cell).fill).find((color) => color !== "none");
    return parse(fill ?? getComputedStyle(plate.querySelector("rect")).fill);
  }
  for (let at = node; at; at = at.parentElement) {
    const color = parse(getComputedStyle(at).backgroundColor);
    if (color.length === 3 || color[3] > 0.99) return color;
  }
  return [255, 255, 255];
};
const pale = [];
for (const node of document.querySelectorAll("h1, h2, p, span, button, pre, td, th, label, figcaption, dd, code, kbd, text")) {
  const hasText = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim() !== "");
  const box = node.getBoundingClientRect();
  if (!hasText || box.width === 0 || node.disabled || node.closest("[hidden], .unread")) continue;
  const style = getComputedStyle(node);
  const color = parse(node.tagName === "text" ? style.fill : style.color);
  const needed = parseFloat(style.fontSize) >= 24 ? 3 : 4.5;
  const found = ratio(color, behind(node));
  if (found < needed) pale.push(`${node.textContent.slice(0, 30)}: ${found.toFixed(2)}`);
}
return pale;
"##;

/// Returns what is wrong for users of keyboards and screen readers.
const INACCESSIBLE: &str = r##"
const wrong = [];
for (const button of document.querySelectorAll("button")) {
  if (!(button.getAttribute("aria-label") ?? button.textContent).trim()) wrong.push("a button without a name");
}
for (const input of document.querySelectorAll("input")) if (input.labels.length === 0) wrong.push(`${input.id} has no label`);
for (const svg of document.querySelectorAll("#drawings svg")) {
  if (svg.getAttribute("role") !== "img" || !svg.querySelector("title").textContent) wrong.push("a drawing without a text");
}
const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
if (new Set(ids).size !== ids.length) wrong.push("an identifier is used twice");
if (document.documentElement.lang !== "en") wrong.push("no language");
if (!document.querySelector("[aria-live]")) wrong.push("changes are not announced");
return wrong;
"##;

fn is_empty(found: &Value) -> bool {
    found.as_array().is_some_and(Vec::is_empty)
}

/// Sets the theme that the system asks for.
pub fn scheme(browser: &Browser, name: &str) {
    let features = json!([{"name": "prefers-color-scheme", "value": name}]);
    browser.tools("Emulation.setEmulatedMedia", json!({"features": features}));
}

/// Checks contrast, names for screen readers, and that nothing is too wide.
pub fn check(browser: &Browser, what: &str) {
    let pale = browser.run(PALE);
    assert!(is_empty(&pale), "{what}: {pale:#}");
    let wrong = browser.run(INACCESSIBLE);
    assert!(is_empty(&wrong), "{what}: {wrong:#}");
    let wide = browser.run("return document.documentElement.scrollWidth - innerWidth");
    assert!(wide.as_i64().unwrap() <= 0, "{what}: the page is {wide} pixels too wide");
}

#[test]
#[ignore = "needs chromium"]
fn the_page_is_readable_in_both_themes_and_on_a_phone() {
    let desk = Desk::new("browser-look");
    let page = Page::serve(&desk, "red-black-tree --scope 5");
    let Some(browser) = Browser::start("look") else { return };
    for theme in ["light", "dark"] {
        scheme(&browser, theme);
        for (device, width, height) in [("desktop", 1200, 760), ("phone", 360, 740)] {
            browser.resize(width, height, 1.0);
            for (view, address) in [
                ("value", "value=70"),
                ("compare", "value=70&against=64"),
                ("grid", "view=grid"),
                ("colors", "value=70&color=key"),
                ("search", "view=search&step=30"),
                ("reads", "value=70&color=(reads)"),
                ("classes", "view=classes"),
                ("counts", "view=counts"),
            ] {
                browser.open("about:blank");
                browser.open(&format!("{}#{address}", page.url));
                browser.wait("document.querySelectorAll('main svg').length > 0");
                let is_dark = browser.run("return document.documentElement.dataset.theme === 'dark'");
                assert_eq!(is_dark, theme == "dark");
                check(&browser, &format!("{view} on {device} in {theme}"));
                browser.screenshot(&format!("view-{view}-{device}-{theme}"));
            }
        }
    }
    browser.press("?");
    browser.wait("!document.getElementById('help-text').hidden");
    check(&browser, "help");
    let natural = Page::serve(&desk, "red-black-tree-natural --scope 3");
    for (theme, device, width, height) in [("light", "desktop", 1200, 760), ("dark", "phone", 360, 740)] {
        scheme(&browser, theme);
        browser.resize(width, height, 1.0);
        // A run that asks about groups, a group that is split, the result, and a candidate of the search behind.
        for (step, title) in [
            (47, "black_height() on Node"),
            (12, "group 3 by no_red_red()"),
            (110, "the result"),
            (112, "Candidate 2"),
        ] {
            browser.open("about:blank");
            browser.open(&format!("{}#view=search&of=summaries&step={step}", natural.url));
            browser.wait(&format!("document.getElementById('details-title').textContent === '{title}'"));
            check(&browser, &format!("{title} on {device} in {theme}"));
            if step == 47 {
                browser.screenshot(&format!("view-summaries-{device}-{theme}"));
            }
        }
    }
    let states = Page::serve(&desk, "tree-map");
    for (theme, device, width, height) in [("light", "desktop", 1200, 760), ("dark", "phone", 360, 740)] {
        scheme(&browser, theme);
        browser.resize(width, height, 1.0);
        browser.open("about:blank");
        browser.open(&states.url);
        for state in [1, 4] {
            browser.wait("document.querySelectorAll('#calls button').length > 0");
            browser.run(&format!(
                "const number = document.getElementById('number'); number.value = '{state}'; number.dispatchEvent(new Event('change'))"
            ));
            browser
                .wait(&format!("document.getElementById('details-title').textContent === 'State {state}'"));
        }
        check(&browser, &format!("states on {device} in {theme}"));
        browser.screenshot(&format!("view-states-{device}-{theme}"));
    }
    browser.check_quiet();
}

#[test]
#[ignore = "needs chromium"]
fn a_keyboard_alone_suffices() {
    let desk = Desk::new("browser-keyboard");
    let page = Page::serve(&desk, "search-tree --scope 3");
    let Some(browser) = Browser::start("keyboard") else { return };
    browser.open(&page.url);
    browser.wait(&shows(1));
    browser.wait("document.getElementById('total').textContent === 'of 15'");
    let mut reached: Vec<String> = vec![];
    for _ in 0..40 {
        browser.press("Tab");
        let focused =
            browser.run("const at = document.activeElement; return at.id || at.textContent || at.className");
        if focused == "next" && !reached.contains(&"next".to_owned()) {
            let outline = browser.run("return getComputedStyle(document.activeElement).outlineStyle");
            assert_eq!(outline, "solid", "the focus is visible");
            browser.press("Enter");
            browser.wait(&shows(2));
        }
        reached.push(focused.as_str().unwrap_or_default().to_owned());
    }
    for id in [
        "tab-grid",
        "theme",
        "help",
        "number",
        "next",
        "last",
        "play",
        "filter",
        "compare",
        "Copy Rust",
        "Save PNG",
    ] {
        assert!(reached.iter().any(|known| known == id), "{id} is not reached: {reached:?}");
    }
    browser.check_quiet();
}

#[test]
#[ignore = "needs chromium"]
fn the_next_value_is_shown_in_a_moment() {
    let desk = Desk::new("browser-speed");
    let page = Page::serve(&desk, "red-black-tree --scope 5");
    let Some(browser) = Browser::start("speed") else { return };
    browser.open(&page.url);
    browser.wait(&shows(1));
    let script = "
      const caption = () => document.querySelector('#drawings figcaption').innerText;
      const times = [];
      for (let n = 2; n < 30; n += 1) {
        const start = performance.now();
        document.getElementById('next').click();
        while (caption() !== `value ${n}`) await new Promise((resolve) => setTimeout(resolve, 0));
        times.push(performance.now() - start);
      }
      times.sort((a, b) => a - b);
      return times[Math.floor(times.length / 2)];";
    let median = browser.run(&format!("return (async () => {{ {script} }})()")).as_f64().unwrap();
    println!("the next value takes {median:.1} ms");
    // Without optimisations, and on a machine with other work.
    assert!(median < 250.0, "{median} ms");
}
