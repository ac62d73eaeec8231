//! Times in the browser. They are printed, not checked: a busy machine is slow.
//!
//! `cargo test --release -p cargo-smallscope --test browser figures -- --ignored --nocapture --test-threads=1`

use super::common::Desk;
use super::driver::Browser;
use super::{Page, shows};
use serde_json::Value;
use std::time::Instant;

/// Runs something asynchronous in the page.
fn asynchronous(browser: &Browser, script: &str) -> Value {
    browser.run(&format!("return (async () => {{ {script} }})()"))
}

/// The times of steps to the next value, until it is painted: median, 95th percentile and longest, in milliseconds.
const NEXT: &str = "
  const caption = () => document.querySelector('#drawings figcaption span').innerText;
  const first = Number(caption().split(' ')[1]);
  const times = [];
  for (let n = first + 1; n < first + STEPS; n += 1) {
    const start = performance.now();
    document.getElementById('next').click();
    while (caption() !== `value ${n}`) await new Promise((resolve) => setTimeout(resolve, 0));
    document.querySelector('#drawings svg').getBoundingClientRect();
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  times.sort((a, b) => a - b);
  return [0.5, 0.95, 1].map((part) => times[Math.min(times.length - 1, Math.floor(part * times.length))].toFixed(1));";

fn print_next(browser: &Browser, what: &str, steps: u32) {
    println!(
        "{what}: next value (median, 95 %, longest), ms: {}",
        asynchronous(browser, &NEXT.replace("STEPS", &steps.to_string()))
    );
}

#[test]
#[ignore = "prints times; see the first lines of this file"]
fn figures_of_the_first_trees() {
    let desk = Desk::new("figures-trees");
    let Some(browser) = Browser::start("figures-trees") else { return };
    browser.open("about:blank");
    for _ in 0..5 {
        let start = Instant::now();
        let page = Page::serve(&desk, "search-tree --scope 3");
        let served = start.elapsed();
        browser.open(&format!("{}#view=grid", page.url));
        browser.wait("document.querySelectorAll('.thumb svg').length === 15");
        let drawn = start.elapsed();
        let painted = browser.run("return performance.getEntriesByType('paint').map(({ name, startTime }) => `${name} ${startTime.toFixed(0)} ms`)");
        println!(
            "15 trees drawn {drawn:.0?} after the command was started; the address after {served:.0?}; {painted}"
        );
    }
    let page = Page::serve(&desk, "red-black-tree --scope 5");
    browser.open(&page.url);
    browser.wait(&shows(1));
    print_next(&browser, "red-black trees of scope 5", 60);
}

#[test]
#[ignore = "prints times; see the first lines of this file"]
fn figures_of_large_graphs() {
    let desk = Desk::new("figures-large");
    let Some(browser) = Browser::start("figures-large") else { return };
    for (structure, bounds) in [
        ("singly-linked-list", "--args 199,199,200,1"),
        ("doubly-linked-list", "--args 199,199,200,1"),
        ("binary-tree", "--args 200,200,200"),
        ("search-tree", "--args 200,200,200,0,199"),
    ] {
        let page = Page::serve(&desk, &format!("{structure} {bounds}"));
        let start = Instant::now();
        browser.open("about:blank");
        browser.open(&page.url);
        browser.wait(&shows(1));
        let shown = start.elapsed();
        let times = asynchronous(
            &browser,
            "const start = performance.now();
             const value = await (await fetch('value?n=1&rules=&reads=')).json();
             const fetched = performance.now();
             return { objects: value.nodes.length, bytes: value.svg.length, ms: (fetched - start).toFixed(1) };",
        );
        let drawn = asynchronous(
            &browser,
            "const canvas = document.querySelector('.canvas');
             const text = canvas.innerHTML;
             const times = [];
             for (let i = 0; i < 10; i += 1) {
               const start = performance.now();
               canvas.replaceChildren(document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true));
               canvas.getBoundingClientRect(); canvas.querySelector('svg').getBBox();
               times.push(performance.now() - start);
             }
             return times.sort((a, b) => a - b)[5].toFixed(1);",
        );
        println!(
            "{structure} {bounds}: shown after {shown:.0?}; asked, laid out and sent: {times}; parsed and drawn again: {drawn} ms"
        );
    }
}

#[test]
#[ignore = "prints times; see the first lines of this file"]
fn figures_of_a_large_suite() {
    let desk = Desk::new("figures-suite");
    let start = Instant::now();
    println!("{}", desk.ok("run search-tree --catalogue --args 10,10,10,0,13 --save large.suite").trim());
    println!("saved in {:.0?}", start.elapsed());
    let Some(browser) = Browser::start("figures-suite") else { return };
    browser.open("about:blank");
    let start = Instant::now();
    let page = Page::serve(&desk, "large.suite");
    let served = start.elapsed();
    browser.open(&page.url);
    browser.wait(&shows(1));
    println!("a suite: address after {served:.0?}, first value after {:.0?}", start.elapsed());
    println!("{}", browser.run("return document.getElementById('subtitle').textContent"));
    let start = Instant::now();
    browser.click("last");
    browser.wait("!document.querySelector('#drawings figcaption span').innerText.endsWith(' 1')");
    println!("the last value after {:.0?}", start.elapsed());
    for number in [123_457, 9_876_543] {
        let start = Instant::now();
        browser.run(&format!("location.hash = '#value={number}'"));
        browser.wait(&shows(number));
        println!("value {number} after {:.0?}", start.elapsed());
    }
    print_next(&browser, "a suite", 40);
    let status = std::fs::read_to_string(format!("/proc/{}/status", page.child.id())).unwrap_or_default();
    println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default());
}

#[test]
#[ignore = "prints times; see the first lines of this file"]
fn figures_of_many_states() {
    let desk = Desk::new("figures-states");
    let page = Page::serve(&desk, "stack");
    let Some(browser) = Browser::start("figures-states") else { return };
    let start = Instant::now();
    browser.open(&page.url);
    browser.wait("document.getElementById('details-title').textContent === 'State 0'");
    println!("the first state after {:.0?}", start.elapsed());
    let start = Instant::now();
    browser.click("play");
    let known = || {
        let total = browser.run("return document.getElementById('total').textContent");
        let digits: String = total.as_str().unwrap().chars().filter(char::is_ascii_digit).collect();
        digits.parse::<u64>().unwrap_or(0)
    };
    while known() < 100_000 {
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    browser.click("play");
    println!("{} states known after {:.1?}", known(), start.elapsed());
    for state in [10, 33_333, 99_999] {
        let script = format!(
            "const start = performance.now();
             const number = document.getElementById('number');
             number.value = '{state}';
             number.dispatchEvent(new Event('change'));
             while (document.getElementById('details-title').textContent !== 'State {state}') await new Promise((resolve) => setTimeout(resolve, 0));
             document.querySelector('#drawings svg').getBoundingClientRect();
             return [(performance.now() - start).toFixed(1), document.querySelectorAll('#path li').length];"
        );
        println!("state {state}, its calls and its drawing (ms, steps): {}", asynchronous(&browser, &script));
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", page.child.id())).unwrap_or_default();
    println!("{}", status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default());
}
