//! Lines with nothing in front of them.

use proptest::collection::vec;
use proptest::sample::select;

letters!(Part: A = "a", Space = " ", Line = "\n");

compared! {
    #[smallscope::test(scope = 6)]
    fn(text: Vec<Part> = vec(select(Part::ALL), 0..20)) {
        let text = Part::text(&text);
        let without_spaces: Vec<&str> = text.split('\n').map(str::trim_end).collect();
        let indented = textwrap::indent(&text, "");
        let without: Vec<&str> = indented.split('\n').map(str::trim_end).collect();
        assert_eq!(without, without_spaces);
    }
}
