//! What several macros share: arguments of attributes, places of errors, types by their looks.

pub(crate) mod args;
mod marks;
mod matches;
mod operators;
mod paths;
mod pointers;
mod sets;
mod spans;
pub(crate) mod template;
pub(crate) mod text;
mod tokens;
#[cfg(any(feature = "cover", feature = "mutate"))]
mod twice;
mod walk;

pub(crate) use marks::take_marks;
pub(crate) use matches::Matches;
pub(crate) use operators::is_assignment;
pub(crate) use paths::{
    ends_with, is_ident_of, is_one_of, last_name, parameters, path_names, retain_attributes,
};
pub(crate) use pointers::raw_pointer;
pub(crate) use sets::{NameMap, Names};
pub(crate) use spans::{first_span, located};
pub(crate) use template::{hole, holes, parse_quote, parse_quote_spanned, quote, quote_spanned, template};
pub(crate) use tokens::{any_ident, any_token, mentions};
#[cfg(any(feature = "cover", feature = "mutate"))]
pub(crate) use twice::{PLAIN, can_be_there_twice};
pub(crate) use walk::visit_mut;
