//! Finds the smallscope tests in a test binary without running it. `#[smallscope::test]`, `#[smallscope::sequences]` and
//! `#[smallscope::agree]` put a text about each test into the binary.
//!
//! A mark is `␞smallscope-test␟module␟function␟file␟line␟types␟bounds␞`, with the separators of ASCII. The mark of a
//! test of call sequences begins with `smallscope-sequences`, and has no types. That of a comparison of an invariant with
//! methods begins with `smallscope-agree`.

use std::io::BufRead;

/// Before and after a mark.
const EDGE: char = '\u{1e}';
/// Between its fields.
const BETWEEN: char = '\u{1f}';
/// Its first field, for each kind of test.
const WORDS: [(&str, Kind); 3] = [
    ("smallscope-test", Kind::Values),
    ("smallscope-sequences", Kind::Calls),
    ("smallscope-agree", Kind::Agree),
];

/// The input of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Every valid value.
    Values,
    /// Sequences of calls.
    Calls,
    /// Both, which are compared.
    Agree,
}

/// The description of a test by its attribute.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark {
    pub(crate) kind: Kind,
    /// The path of the module, with the name of the crate.
    pub(crate) module: String,
    pub(crate) function: String,
    pub(crate) file: String,
    pub(crate) line: u32,
    /// The types of the arguments.
    pub(crate) types: String,
    /// The arguments of the attribute.
    pub(crate) bounds: String,
}

impl Mark {
    /// Returns the name of the test in its harness, which leaves out the name of the crate.
    pub(crate) fn harness_name(&self) -> String {
        match self.module.split_once("::") {
            Some((_, module)) => format!("{module}::{}", self.function),
            None => self.function.clone(),
        }
    }

    /// Returns the name of the crate that the test is in.
    pub(crate) fn crate_name(&self) -> &str {
        self.module.split("::").next().unwrap_or_default()
    }

    /// Returns the name with that of the crate.
    pub(crate) fn path(&self) -> String {
        format!("{}::{}", self.module, self.function)
    }

    /// Returns the scope number or the size, if the attribute has it in plain digits, and whether it is a size.
    pub(crate) fn number(&self) -> Option<(u32, bool)> {
        let of = |key: &str| {
            let value = self.bounds.split(',').find_map(|part| part.trim().strip_prefix(key))?;
            value.trim_start().strip_prefix('=')?.trim().parse().ok()
        };
        of("scope").map(|scope| (scope, false)).or(of("size").map(|size| (size, true)))
    }

    fn parse(text: &str) -> Option<Mark> {
        let fields: Vec<&str> = text.split(BETWEEN).collect();
        let [word, module, function, file, line, types, bounds] = fields[..] else { return None };
        let (_, kind) = WORDS.iter().find(|(known, _)| *known == word)?;
        // An attribute may have several lines.
        let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(Mark {
            kind: *kind,
            module: module.to_owned(),
            function: function.to_owned(),
            file: file.to_owned(),
            line: line.parse().ok()?,
            types: one_line(types),
            bounds: one_line(bounds),
        })
    }
}

/// Returns the marks in the bytes of an executable, sorted and without duplicates.
pub(crate) fn find(executable: &[u8]) -> Vec<Mark> {
    // That of slices calls a closure for each of some ten million bytes.
    let pieces = BufRead::split(executable, EDGE as u8).map_while(Result::ok);
    let of_marks = pieces.filter(|piece| WORDS.iter().any(|(word, _)| piece.starts_with(word.as_bytes())));
    let texts = of_marks.filter_map(|piece| String::from_utf8(piece).ok());
    let mut marks: Vec<Mark> = texts.filter_map(|text| Mark::parse(&text)).collect();
    marks.sort();
    marks.dedup();
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_between_other_bytes() {
        let mark = "\u{1e}smallscope-test\u{1f}app::tests\u{1f}works\u{1f}src/lib.rs\u{1f}7\u{1f}Tree<u8>, u8\u{1f}scope =\n 3\u{1e}";
        let mut bytes = vec![0xff, 0x1e, 0, 0x1e];
        bytes.extend(mark.bytes());
        bytes.extend(mark.bytes());
        bytes.extend([0x1e, 0x80]);
        bytes.extend("\u{1e}smallscope-test\u{1f}only the beginning of one".bytes());
        let marks = find(&bytes);
        let [mark] = &marks[..] else { panic!("one mark: {marks:?}") };
        assert_eq!(mark.harness_name(), "tests::works");
        assert_eq!(mark.path(), "app::tests::works");
        assert_eq!((mark.file.as_str(), mark.line), ("src/lib.rs", 7));
        assert_eq!((mark.types.as_str(), mark.bounds.as_str()), ("Tree<u8>, u8", "scope = 3"));
        assert_eq!(mark.number(), Some((3, false)));
        assert_eq!(Mark { bounds: "max = 2, scope=4".to_owned(), ..mark.clone() }.number(), Some((4, false)));
        assert_eq!(Mark { bounds: "size = 5".to_owned(), ..mark.clone() }.number(), Some((5, true)));
        assert_eq!(Mark { bounds: "bounds = scope()".to_owned(), ..mark.clone() }.number(), None);
    }

    #[test]
    fn tests_of_sequences_are_known_as_such() {
        let mark = "\u{1e}smallscope-sequences\u{1f}app\u{1f}calls\u{1f}src/lib.rs\u{1f}9\u{1f}\u{1f}length = 5\u{1e}";
        let mark = &find(mark.as_bytes())[0];
        assert_eq!(
            (mark.kind, mark.harness_name(), mark.bounds.as_str()),
            (Kind::Calls, "calls".into(), "length = 5")
        );
    }

    #[test]
    fn a_test_at_the_root_of_a_crate_has_a_short_name() {
        let mark = "\u{1e}smallscope-test\u{1f}app\u{1f}works\u{1f}tests/app.rs\u{1f}7\u{1f}u8\u{1f}\u{1e}";
        assert_eq!(find(mark.as_bytes())[0].harness_name(), "works");
    }
}
