//! Whether the order of versions agrees with their equality.

use proptest::collection::vec;
use proptest::sample::select;
use versions::Version;

letters!(Part: One = "1", Two = "2", B = "b", C = "c", Dot = ".", Dash = "-");

compared! {
    #[smallscope::test(scope = 4)]
    fn(a: Vec<Part> = vec(select(Part::ALL), 0..8), b: Vec<Part> = vec(select(Part::ALL), 0..8)) {
        // What stands behind a letter is another matter, which is not mended: `1b.1` and `1c.1` compare as equal in 8.0.0.
        let is_last = |text: &[Part]| text.windows(2).all(|w| !matches!(w, [Part::B | Part::C, _]));
        if !is_last(&a) || !is_last(&b) {
            return;
        }
        let (Some(a), Some(b)) = (Version::new(Part::text(&a)), Version::new(Part::text(&b))) else { return };
        assert_eq!(a == b, a.cmp(&b).is_eq());
    }
}
