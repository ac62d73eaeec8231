//! Pages of failing tests: the value before and after a call, and which part of the invariant broke.

use smallscope::search::{Candidate, Options, Search};
use smallscope::{Bounded, Bounds, Check, rep_ok, snapshot};

#[derive(Bounded, Debug)]
struct Stack {
    top: Option<Box<Item>>,
    size: usize,
}

#[derive(Bounded, Debug)]
struct Item {
    #[bounded(range = 0..=1)]
    number: u8,
    below: Option<Box<Item>>,
}

#[rep_ok]
impl Stack {
    fn rep_ok(&self) -> bool {
        self.size < 9 && self.items() == self.size
    }

    fn items(&self) -> usize {
        let (mut at, mut items) = (&self.top, 0);
        while let Some(item) = at {
            items += 1;
            at = &item.below;
        }
        items
    }
}

impl Stack {
    /// Forgets to count what was there before.
    fn push(&mut self, number: u8) {
        let below = self.top.take();
        self.top = Some(Box::new(Item { number, below }));
        self.size = 1;
    }
}

fn pushed(mut stack: Stack) {
    stack.push(1);
    snapshot("after push", &stack);
    assert!(stack.rep_ok(), "push has broken the invariant");
}

/// Returns what the page of a failing test shows.
fn page_of(check: Check, test: impl FnMut(Stack)) -> String {
    let report = check.html(true).run(test);
    let page = report.failure().unwrap().page.clone().unwrap();
    let html = std::fs::read_to_string(page.unwrap()).unwrap();
    assert!(html.len() < 200_000, "{}", html.len());
    let (_, data) = html.split_once(r#"id="data">"#).unwrap();
    data.split_once("</script>").unwrap().0.to_owned()
}

#[test]
fn a_page_has_the_value_before_and_after_a_call() {
    let html = page_of(Check::new("pages::push", 2), pushed);
    assert!(html.contains(r#""caption":"the value before""#) && html.contains(r#""caption":"after push""#));
    // The value after the call is larger than the bounds of the test.
    assert!(html.contains("Item#1: number = ") && html.contains(r#""known":2"#), "{html}");
    let broken = "after push: the invariant is broken, because `self.items() == self.size` in line ";
    assert!(html.contains(broken), "{html}");
}

/// Runs the Rust of a page by hand: the texts in it are bounds and candidate.
fn built(rust: &str) -> Result<Stack, String> {
    let text_after = |start: &str| {
        let (_, rest) = rust.split_once(&format!(r#"{start} = \""#)).unwrap();
        rest.split_once(r#"\""#).unwrap().0.replace(r"\\n", "\n")
    };
    let bounds: Bounds = text_after("let bounds: Bounds").parse().unwrap();
    let candidate: Candidate = text_after("let candidate: Candidate").parse().unwrap();
    let mut search = Search::<Stack>::new(&bounds, Options::default()).unwrap();
    search.go_to(&candidate).unwrap();
    search.value().map_err(|failure| failure.to_string())
}

#[test]
fn the_rust_of_a_page_builds_the_values_again() {
    let html = page_of(Check::new("pages::copies", 2), pushed);
    let rust: Vec<&str> =
        html.split(r#""rust":"#).skip(1).map(|rest| rest.split("\"dot\"").next().unwrap()).collect();
    let [before, after] = rust[..] else { panic!("{html}") };
    let value = built(before).unwrap();
    assert_eq!((value.size, value.items()), (1, 1), "the least stack that the second push spoils");
    assert!(before.contains("let value = search.value()"));
    // The value after the call is not valid, so the invariant is run on it.
    assert!(built(after).is_err());
    assert!(after.contains("assert_eq!(search.accepts(), Ok(true));"), "{after}");
    assert_eq!(html.matches("digraph value_").count(), 2);
}

#[test]
fn a_long_vector_has_a_page() {
    let bounds = Bounds::scope(1).filled("input.value", [4097]);
    let report = Check::new("pages::long", bounds).html(true).run(|items: Vec<u8>| assert!(items.len() < 9));
    let page = report.failure().unwrap().page.clone().unwrap().unwrap();
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.len() < 200_000, "{}", html.len());
    assert!(html.contains("2.0*4097") && html.contains("and 3898 more"));
}

#[test]
fn a_value_that_does_not_fit_is_not_drawn() {
    let html = page_of(Check::new("pages::large", 1), |mut stack: Stack| {
        (0..9).for_each(|number| stack.push(number));
        snapshot("after nine", &stack);
        panic!("too many");
    });
    assert!(html.contains(r#"The value noted as \"after nine\" cannot be drawn: "#), "{html}");
    assert!(html.contains(r#""known":1"#));
}

#[test]
fn notes_belong_to_the_run_that_fails() {
    let html = page_of(Check::new("pages::last", 2), |stack: Stack| {
        if stack.size == 0 {
            snapshot("of another value", &stack);
        }
        assert!(stack.size < 2);
    });
    assert!(!html.contains("of another value") && !html.contains("the value before"), "{html}");
}
