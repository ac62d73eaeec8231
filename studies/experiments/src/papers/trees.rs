//! Paper 003: the search trees that it draws.

use super::{cells, numbers};
use crate::compare::Compared;
use crate::experiment::{Column, Drawing, Experiment, Unfinished};
use crate::measure::count;
use smallscope::search::{AnySearch, DrawnField, DrawnNode, DrawnValue, Found, Options};
use smallscope_catalogue::structure;
use smallscope_viewer::{Field, Graph, Node, Value, svg};
use std::ops::ControlFlow;

const COLUMNS: [Column; 2] = [Column::same("explored"), Column::same("valid")];

pub(super) fn experiments() -> Vec<Experiment> {
    vec![
        Experiment::new("003/figure-2", "search trees in scope three", &COLUMNS).drawing(all_trees).compute(
            |row, watch| {
                let scope = numbers(row)[0];
                let outcome = count(&mut trees(&[scope, 0, scope, 1, scope])?, watch)?;
                Ok(cells([("explored", outcome.explored.to_string()), ("valid", outcome.valid.to_string())]))
            },
        ),
        Experiment::new("003/figure-5", "a tree of that scope, drawn", &COLUMNS).drawing(one_tree).compute(
            |row, watch| {
                let outcome = count(&mut trees(&numbers(row))?, watch)?;
                Ok(cells([("explored", outcome.explored.to_string()), ("valid", outcome.valid.to_string())]))
            },
        ),
    ]
}

fn trees(args: &[i64]) -> Result<AnySearch, Unfinished> {
    let found = structure("search-tree").expect("a structure of the catalogue");
    (found.open)(&(found.bounds)(args), Options::korat()).map_err(Unfinished::because)
}

fn all_trees(_: &Compared) -> Drawing {
    Drawing::Pictures(pictures(usize::MAX))
}

fn one_tree(_: &Compared) -> Drawing {
    let mut pictures = pictures(usize::MAX);
    Drawing::Pictures(pictures.pop().into_iter().collect())
}

/// The trees of scope three.
fn pictures(most: usize) -> Vec<(String, String)> {
    let mut pictures = vec![];
    let Ok(mut search) = trees(&[3, 0, 3, 1, 3]) else { return pictures };
    while pictures.len() < most
        && matches!(search.find_next(&mut |_| ControlFlow::Continue(())), Ok(Found::Valid))
    {
        let nodes = search.drawing().nodes.into_iter().map(node).collect();
        pictures.push((format!("{}", pictures.len() + 1), svg(&Graph { nodes, last_read: None })));
    }
    pictures
}

fn node(DrawnNode { name, object, fields }: DrawnNode) -> Node {
    Node { name, object, fields: fields.into_iter().map(field).collect() }
}

fn field(DrawnField { name, values, view }: DrawnField) -> Field {
    let value = |DrawnValue { text, is_link, links, pool }| Value { text, is_link, links, pool };
    let view = view.and_then(|view| view.parse().ok()).unwrap_or_default();
    Field { name, values: values.into_iter().map(value).collect(), view, reads: vec![] }
}
