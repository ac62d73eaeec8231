//! Patterns with `*` and `?`.

use proptest::collection::vec;
use proptest::sample::select;

letters!(Part: A = "a", B = "b", Any = "?", Many = "*");
letters!(Letter: A = "a", B = "b");

compared! {
    #[smallscope::test(scope = 4)]
    fn(pattern: Vec<Part> = vec(select(Part::ALL), 0..10), text: Vec<Letter> = vec(select(Letter::ALL), 0..10)) {
        let found = wildmatch::WildMatch::new(&Part::text(&pattern)).matches(&Letter::text(&text));
        assert_eq!(found, matches(&pattern, &text));
    }
}

/// Whether each prefix of the pattern matches each prefix of the text, one row for each prefix of the pattern.
fn matches(pattern: &[Part], text: &[Letter]) -> bool {
    let mut row: Vec<bool> = (0..=text.len()).map(|len| len == 0).collect();
    for part in pattern {
        let mut next = vec![*part == Part::Many && row[0]];
        for (at, letter) in text.iter().enumerate() {
            next.push(match part {
                Part::Many => next[at] || row[at + 1],
                Part::Any => row[at],
                Part::A => row[at] && *letter == Letter::A,
                Part::B => row[at] && *letter == Letter::B,
            });
        }
        row = next;
    }
    row[text.len()]
}
