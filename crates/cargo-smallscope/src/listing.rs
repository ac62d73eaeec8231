//! The command `list`.

use crate::catalogue;
use crate::cli::PlaceArgs;
use crate::console::Console;
use crate::marks::Kind;
use crate::package::{self, Package, Place};
use crate::problem::{Problem, note};
use crate::user_tests::{self, Test};
use smallscope_runner::session::Observer;

/// Prints the structures of the catalogue, or the tests of the packages in this folder.
pub(crate) fn list(place: &PlaceArgs) -> Result<u8, Problem> {
    let mut console = Console::new(true);
    match package::find(place)? {
        Place::Catalogue => console.print(&catalogue::list())?,
        Place::Packages(packages) => {
            let tests = user_tests::find(&packages, place)?;
            for package in &packages {
                console.print(&of_package(package, &tests, packages.len() > 1))?;
            }
            if tests.is_empty() {
                note(
                    "there are no smallscope tests here yet; mark one with `#[smallscope::test(scope = 3)]`, or use \
                     `--catalogue` for the structures that come with smallscope",
                );
            }
        }
    }
    console.finish()?;
    Ok(0)
}

/// Prints the tests of call sequences of the packages in this folder.
pub(crate) fn list_sequences(packages: &[Package], place: &PlaceArgs) -> Result<u8, Problem> {
    let mut console = Console::new(true);
    let tests = user_tests::of_kind(&user_tests::find(packages, place)?, Kind::Calls);
    for package in packages {
        console.print(&of_package(package, &tests, packages.len() > 1))?;
    }
    if tests.is_empty() {
        note(
            "there are no tests of sequences here yet; mark a function that returns a context with \
             `#[smallscope::sequences(length = 5)]`, or use `--catalogue` for the subjects that come with smallscope",
        );
    }
    console.finish()?;
    Ok(0)
}

/// Returns a line per test: its name, its arguments, its place in the source, and its bounds.
fn of_package(package: &Package, tests: &[Test], with_name: bool) -> String {
    let named = user_tests::names(tests).into_iter().zip(tests);
    let rows: Vec<[String; 4]> = named.filter(|(_, test)| test.package == *package).map(row).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let (first, second, third) = (width(0), width(1), width(2));
    let mut out = String::new();
    if with_name && !rows.is_empty() {
        out += &format!("{}:\n", package.name);
    }
    for [name, types, place, bounds] in rows {
        let line = format!("{name:first$}  {types:second$}  {place:third$}  {bounds}");
        out += &format!("{}\n", line.trim_end());
    }
    out
}

fn row((name, test): (String, &Test)) -> [String; 4] {
    let mark = &test.mark;
    let types = match mark.kind {
        Kind::Values => format!("({})", as_written(&mark.types)),
        Kind::Calls => "sequences".to_owned(),
        Kind::Agree => format!("agree({})", as_written(&mark.types)),
    };
    [name, types, format!("{}:{}", mark.file, mark.line), as_written(&mark.bounds)]
}

/// Removes the spaces that the compiler puts around every token of a type.
fn as_written(tokens: &str) -> String {
    let mut text = tokens.to_owned();
    for (spaced, tight) in [
        (" :: ", "::"),
        (" < ", "<"),
        (" >", ">"),
        (" ,", ","),
        ("& ", "&"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
    ] {
        text = text.replace(spaced, tight);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_look_as_people_write_them() {
        assert_eq!(
            as_written("SearchTree < Key >, Vec < Option < u8 > >"),
            "SearchTree<Key>, Vec<Option<u8>>"
        );
        assert_eq!(as_written("scope = 3 , ints (Ring . len = [3])"), "scope = 3, ints(Ring . len = [3])");
    }
}
