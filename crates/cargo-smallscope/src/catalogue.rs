//! The structures that come with smallscope. They are part of this program, so nothing has to be built.

use crate::commands::Ended;
use crate::console::Console;
use crate::problem::Problem;
use crate::suggest;
use smallscope::Bounds;
use smallscope_catalogue::{STRUCTURES, Structure};
use smallscope_runner::session::{Observer, Request, Space, Subject, Summary};

/// The largest argument and the largest scope. A search of that size does not end, and larger tables would fill the
/// memory.
const LARGEST: i64 = 255;

/// Returns the structure with a name.
pub(crate) fn find(name: &str) -> Result<&'static Structure, Problem> {
    smallscope_catalogue::structure(name).ok_or_else(|| {
        let near = suggest::near(name, STRUCTURES.iter().map(|structure| structure.name));
        let hint = match &near[..] {
            [] => String::new(),
            near => format!("; did you mean {}?", suggest::alternatives(near)),
        };
        Problem::usage(format!(
            "there is no structure `{name}` in the catalogue{hint} (`cargo smallscope list` names all of them)"
        ))
    })
}

/// Performs a request.
pub(crate) fn perform(
    structure: &Structure,
    request: &Request,
    console: &mut Console,
) -> Result<Ended, Problem> {
    let summary = observe(structure, request, console)?;
    Ok(summary.map_or(Ended::Done, |summary| Ended::Answer(summary.answer())))
}

/// Performs a request for any observer.
pub(crate) fn observe(
    structure: &Structure,
    request: &Request,
    observer: &mut dyn Observer,
) -> Result<Option<Summary>, Problem> {
    let subject =
        Subject { name: structure.name.to_owned(), package: None, place: None, open: &structure.open };
    Ok(smallscope_runner::session::perform(&subject, request, observer)?)
}

/// Returns the space within the arguments of the original's finitization, or within a number: a scope or a size.
pub(crate) fn space(
    structure: &Structure,
    args: Option<&str>,
    number: Option<Bounds>,
) -> Result<Space, Problem> {
    let scope = number.as_ref().and_then(Bounds::scope_number);
    let (bounds, numbers) = match (args, number) {
        (Some(text), _) => {
            let numbers = numbers(structure, text)?;
            let text = numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
            ((structure.bounds)(&numbers), Some(text))
        }
        (None, Some(number)) if scope.is_none_or(|n| i64::from(n) <= LARGEST) => (number, None),
        (None, Some(number)) => {
            return Err(Problem::usage(format!(
                "the {} {} is too large: give one up to {LARGEST}; the number of structures usually grows \
                 exponentially with it, so begin with 3",
                number.number_name(),
                scope.unwrap_or(0),
            )));
        }
        (None, None) => {
            return Err(Problem::usage(format!(
                "`{}` needs bounds: `--scope N`, `--size N`, or `--args {}`",
                structure.name,
                structure.parameters.join(",")
            )));
        }
    };
    Ok(Space { bounds: Some(bounds), args: numbers, ..Space::default() })
}

/// Parses the arguments of the original's finitization.
fn numbers(structure: &Structure, text: &str) -> Result<Vec<i64>, Problem> {
    let Structure { name, parameters, .. } = structure;
    let given: Vec<&str> = text.split(',').map(str::trim).collect();
    if given.len() != parameters.len() {
        let s = if parameters.len() == 1 { "" } else { "s" };
        return Err(Problem::usage(format!(
            "`{name}` takes {} argument{s}, and `--args {text}` has {}; they are, in this order: {}",
            parameters.len(),
            given.len(),
            parameters.join(",")
        )));
    }
    given.into_iter().zip(*parameters).map(|(text, parameter)| number(name, parameter, text)).collect()
}

fn number(structure: &str, parameter: &str, text: &str) -> Result<i64, Problem> {
    // Keys and weights are values; all other arguments are numbers of things.
    let is_value = parameter.ends_with("_key") || parameter.ends_with("_weight");
    let least = if is_value { -LARGEST } else { 0 };
    let number: Option<i64> = text.parse().ok().filter(|n| (least..=LARGEST).contains(n));
    number.ok_or_else(|| {
        let what = if text.is_empty() { "is missing".to_owned() } else { format!("cannot be `{text}`") };
        Problem::usage(format!(
            "the argument `{parameter}` of `{structure}` {what}: give a whole number from {least} to {LARGEST}"
        ))
    })
}

/// Lists the structures with their parameters, one line each.
pub(crate) fn list() -> String {
    let width = STRUCTURES.iter().map(|structure| structure.name.len()).max().unwrap_or(0);
    let line =
        |structure: &Structure| format!("{:width$}  {}\n", structure.name, structure.parameters.join(","));
    STRUCTURES.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(name: &str, text: &str) -> Result<Vec<i64>, Problem> {
        numbers(find(name).unwrap(), text)
    }

    #[test]
    fn arguments_are_numbers_of_the_right_kind() {
        assert_eq!(given("search-tree", "3, 3,3,-1,2").unwrap(), [3, 3, 3, -1, 2]);
        for (text, expected) in [
            ("3,3,3", "nodes,min_size,max_size,min_key,max_key"),
            ("3,3,3,0,x", "`max_key` of `search-tree` cannot be `x`"),
            ("3,3,3,0,", "`max_key` of `search-tree` is missing"),
            ("-3,3,3,0,2", "`nodes` of `search-tree` cannot be `-3`: give a whole number from 0 to 255"),
            ("3,3,99999999999999999999,0,2", "`max_size` of `search-tree` cannot be"),
            ("3,3,3,0,256", "`max_key` of `search-tree` cannot be `256`: give a whole number from -255 to"),
        ] {
            let problem = format!("{:?}", given("search-tree", text).unwrap_err());
            assert!(problem.contains(expected), "{problem}");
        }
    }

    #[test]
    fn no_structure_panics_about_its_largest_or_least_arguments() {
        for structure in STRUCTURES {
            for number in [0, LARGEST] {
                let _ = (structure.bounds)(&vec![number; structure.parameters.len()]);
            }
        }
    }
}
