//! One search, for `cargo xtask instructions`, which runs it under callgrind and collects only inside of
//! [`collected_loop`].

use smallscope::Bounds;
use smallscope::search::{AnySearch, Found, Options};
use smallscope_catalogue::{Structure, structure};
use std::ops::ControlFlow;

/// Runs the search that these arguments name: an engine, a structure, its arguments with commas, and what is done with
/// the values (`counted` or `built`). Prints the runs of the invariant and the values.
pub fn run(args: &[String]) {
    let [engine, name, arguments, values] = args else {
        panic!("an engine, a structure, its arguments, and `counted` or `built`")
    };
    let engine = engine.parse().unwrap_or_else(|e| panic!("{e}"));
    let structure = structure(name).unwrap_or_else(|| panic!("there is no structure `{name}`"));
    let arguments: Vec<i64> =
        arguments.split(',').map(|a| a.parse().expect("the arguments are integers")).collect();
    let are_built = match values.as_str() {
        "counted" => false,
        "built" => true,
        other => panic!("values are `counted` or `built`, not `{other}`"),
    };
    let options = Options { engine, recheck_every: 0, ..Options::default() };
    let bounds = (structure.bounds)(&arguments);
    let mut search = planned(structure, &bounds, options);
    collected_loop(&mut search, are_built);
    let outcome = search.outcome();
    assert!(outcome.is_exhaustive(), "the search stopped early");
    println!("{}\t{}", outcome.explored, outcome.valid);
}

/// Lays a search out and plans it. Neither is a part of what is measured.
pub fn planned(structure: &Structure, bounds: &Bounds, options: Options) -> AnySearch {
    let mut search = (structure.open)(bounds, options).unwrap_or_else(|e| panic!("{e}"));
    search.plan(&mut |_| ControlFlow::Continue(())).unwrap_or_else(|e| panic!("{e}"));
    search
}

/// The whole search.
#[inline(never)]
pub fn collected_loop(search: &mut AnySearch, are_built: bool) {
    while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap_or_else(|e| panic!("{e}"))
        == Found::Valid
    {
        if are_built {
            search.check_value().unwrap_or_else(|e| panic!("{e}"));
        }
    }
}
