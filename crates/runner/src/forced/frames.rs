//! The frames of a backtrace: which call of the user's code has led here.

use smallscope_support::text::{contains, split_once};
use std::backtrace::Backtrace;

/// A frame, as far as the debug information shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    /// The path of the function.
    function: String,
    /// The file, relative to the package where possible, and the line.
    place: Option<(String, u32)>,
}

/// A call in the user's code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Call {
    /// The name of the function that is called.
    pub callee: String,
    /// The name of the function that calls it.
    pub caller: String,
    /// The file and the line, if the debug information has them.
    pub place: Option<(String, u32)>,
}

/// Crates whose frames are none of the user's.
const FOREIGN: &[&str] = &[
    "core",
    "alloc",
    "std",
    "hashbrown",
    "smallscope",
    "smallscope_core",
    "smallscope_cover",
    "smallscope_runner",
    "smallscope_sequences",
    "smallscope_suite",
    "smallscope_support",
];

/// Parts of the paths of files that are none of the user's.
const FOREIGN_FILES: &[&str] =
    &["/rustc/", "/registry/src/", "/library/core/", "/library/alloc/", "/library/std/"];

impl Call {
    /// The innermost call in the user's code of a backtrace that was captured further inside. None if the backtrace does
    /// not show the user's code.
    pub fn of(backtrace: &Backtrace) -> Option<Call> {
        innermost(&frames(&backtrace.to_string()))
    }
}

fn innermost(frames: &[Frame]) -> Option<Call> {
    let (mut callee, mut place) = (None, None);
    for frame in frames {
        let name = frame.name();
        if frame.is_foreign() {
            // Frames around the code of the user are no part of the call.
            if place.is_none() {
                callee = name.or(callee);
            }
            continue;
        }
        let place = place.get_or_insert(&frame.place);
        if let Some(caller) = name {
            return Some(Call {
                callee: callee?.to_owned(),
                caller: caller.to_owned(),
                place: (*place).clone(),
            });
        }
    }
    None
}

impl Frame {
    fn is_foreign(&self) -> bool {
        match (krate(&self.function), &self.place) {
            // Some debug information has no paths, so the file decides.
            ("", Some((file, _))) => is_foreign_file(file),
            ("", None) => true,
            (krate, Some((file, _))) if !FOREIGN.contains(&krate) => is_foreign_file(file),
            (krate, _) => FOREIGN.contains(&krate),
        }
    }

    /// The name of the function without its path and its type arguments. For a closure, that of the function around it if
    /// the path shows it.
    fn name(&self) -> Option<&str> {
        let mut depth = 0;
        let mut end = self.function.len();
        for (i, c) in self.function.char_indices().rev() {
            match c {
                '>' => depth += 1,
                '<' => {
                    depth -= 1;
                    if depth == 0 {
                        end = i;
                    }
                }
                ':' if depth == 0 => {
                    let name = &self.function[i + 1..end];
                    if is_name(name) {
                        return Some(name);
                    }
                    end = i;
                }
                _ => {}
            }
        }
        Some(&self.function[..end]).filter(|name| is_name(name))
    }
}

/// Whether a segment of a path is a name, and not a closure or the gap between two colons.
fn is_name(segment: &str) -> bool {
    segment.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
}

/// Whether a file belongs to std, smallscope or a package from a registry.
fn is_foreign_file(file: &str) -> bool {
    // Where the sources of smallscope are, as the compiler was told.
    if let Some(ours) = file!().strip_suffix("runner/src/forced/frames.rs") {
        for name in FOREIGN {
            let directory = name.strip_prefix("smallscope_").unwrap_or(name);
            if contains(file, &format!("{ours}{directory}/src/")) {
                return true;
            }
        }
    }
    FOREIGN_FILES.iter().any(|part| contains(file, part))
}

/// The crate of a function: that of the type, if the function is one of an impl.
fn krate(function: &str) -> &str {
    let mut path = without_sigils(function);
    for word in ["mut ", "const ", "dyn ", "impl "] {
        path = path.strip_prefix(word).unwrap_or(path);
    }
    let path = without_sigils(path);
    let mut end = 0;
    for c in path.chars() {
        if !c.is_alphanumeric() && c != '_' {
            break;
        }
        end += c.len_utf8();
    }
    let is_path = path[end..].starts_with("::") || path[end..].starts_with('[');
    match split_once(path, " as ") {
        // The type is a parameter or a primitive, so the trait decides.
        Some((_, of)) if !is_path => krate(of),
        _ if is_path => &path[..end],
        _ => "",
    }
}

/// The part of a path behind what types begin with.
fn without_sigils(path: &str) -> &str {
    path.trim_start_matches(['<', '&', '*', '[', '('])
}

/// Reads the text of a backtrace. Lines that are not understood are left out.
fn frames(text: &str) -> Vec<Frame> {
    let mut frames: Vec<Frame> = vec![];
    for line in text.lines() {
        let line = line.trim();
        if let Some(place) = line.strip_prefix("at ") {
            if let Some(last) = frames.last_mut() {
                last.place = file_and_line(place);
            }
        } else if let Some((number, function)) = split_once(line, ": ") {
            if number.parse::<u32>().is_ok() {
                frames.push(Frame { function: function.to_owned(), place: None });
            }
        }
    }
    frames
}

/// Reads `./src/lib.rs:12:5`.
fn file_and_line(place: &str) -> Option<(String, u32)> {
    let mut parts = place.rsplitn(3, ':');
    let (_column, line, file) = (parts.next()?, parts.next()?, parts.next()?);
    let file = file.strip_prefix("./").unwrap_or(file);
    Some((file.to_owned(), line.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "   0: smallscope_runner::forced::capture
   1: <smallscope_core::heap::watch::Watched as smallscope_core::cell::Tracker>::first_read
   2: smallscope_core::cell::Tracked<T>::__read
             at /home/u/.cargo/registry/src/index/smallscope-core-0.1.0/src/cell.rs:150:9
   3: <smallscope_core::mirror::sequences::Elements<T> as core::iter::traits::iterator::Iterator>::next
   4: core::iter::traits::iterator::Iterator::collect::{{closure}}
   5: core::iter::traits::iterator::Iterator::collect
             at /rustc/abc/library/core/src/iter/traits/iterator.rs:2027:9
   6: app::sets::_::<impl app::sets::Set_in_the_invariant>::is_set::{{closure}}
             at ./src/sets.rs:12:26
   7: app::sets::_::<impl app::sets::Set_in_the_invariant>::is_set
             at ./src/sets.rs:11:5
   8: app::sets::_::<impl app::sets::Set_in_the_invariant>::rep_ok
   9: core::ops::function::FnOnce::call_once
";

    #[test]
    fn the_innermost_call_of_the_user_is_found() {
        let call = innermost(&frames(TRACE)).unwrap();
        assert_eq!((&*call.callee, &*call.caller), ("collect", "is_set"));
        assert_eq!(call.place, Some(("src/sets.rs".to_owned(), 12)));
    }

    /// Debug information that has only lines shows names without paths.
    #[test]
    fn files_tell_the_code_of_the_user_where_names_have_no_paths() {
        let trace = "   0: smallscope_runner::forced::trace::{{closure}}
   1: __read<u8>
             at /registry/src/smallscope-core-0.1.0/src/cell.rs:150:9
   2: collect<app::Different, alloc::Set<u8>>
             at /rustc/abc/library/core/src/iter/traits/iterator.rs:2027:9
   3: {closure#1}
             at ./src/core/src/lib.rs:16:35
   4: are_different
             at ./src/core/src/lib.rs:15:1
";
        let call = innermost(&frames(trace)).unwrap();
        assert_eq!((&*call.callee, &*call.caller), ("collect", "are_different"));
        assert_eq!(call.place, Some(("src/core/src/lib.rs".to_owned(), 16)));
    }

    #[test]
    fn names_and_crates_are_found_in_both_ways_of_mangling() {
        for (function, of, name) in [
            ("app::Set::rep_ok", "app", "rep_ok"),
            ("<app::Set>::rep_ok", "app", "rep_ok"),
            ("<app::Set as core::cmp::Ord>::cmp", "app", "cmp"),
            ("<T as core::convert::Into<U>>::into", "core", "into"),
            ("<&app::Set as core::iter::IntoIterator>::into_iter::{closure#0}", "app", "into_iter"),
            ("<[u8] as core::fmt::Debug>::fmt", "core", "fmt"),
            ("<core::slice::Iter<u8> as Iterator>::collect::<alloc::vec::Vec<u8>>", "core", "collect"),
            ("<app[1f]::Set>::rep_ok", "app", "rep_ok"),
            ("main", "", "main"),
            ("run<app::_::{impl#0}::rep_ok::{closure_env#1}>", "", "run"),
        ] {
            let frame = Frame { function: function.to_owned(), place: None };
            assert_eq!((krate(function), frame.name()), (of, Some(name)), "{function}");
        }
    }

    #[test]
    fn text_that_is_no_backtrace_has_no_frames() {
        assert_eq!(frames("disabled backtrace"), []);
        assert_eq!(frames("a: b\n at nowhere\n"), []);
    }
}
