//! Names, and paths, parameters and attributes by their names.

use super::Names;
use proc_macro2::Ident;
use syn::{Attribute, GenericParam, Generics, Path};

/// The last name of a path.
pub(crate) fn last_name(path: &Path) -> String {
    match path.segments.last() {
        Some(last) => last.ident.to_string(),
        None => String::new(),
    }
}

/// The names in a path.
pub(crate) fn path_names(path: &Path) -> Vec<String> {
    let mut names = vec![];
    for segment in &path.segments {
        names.push(segment.ident.to_string());
    }
    names
}

/// The parameters that are types or constants.
pub(crate) fn parameters(generics: &Generics) -> Names {
    let mut names = Names::default();
    for parameter in &generics.params {
        match parameter {
            GenericParam::Type(p) => names.insert(p.ident.to_string()),
            GenericParam::Const(p) => names.insert(p.ident.to_string()),
            GenericParam::Lifetime(_) => false,
        };
    }
    names
}

/// Whether a path has a last name that is this.
pub(crate) fn ends_with(path: &Path, name: &str) -> bool {
    path.segments.last().is_some_and(|last| last.ident == name)
}

/// Removes the attributes that fail a test.
pub(crate) fn retain_attributes(attributes: &mut Vec<Attribute>, is_kept: &dyn Fn(&Attribute) -> bool) {
    attributes.retain(|attribute| is_kept(attribute));
}

/// Whether an identifier is one of some names.
pub(crate) fn is_one_of(ident: &Ident, names: &[&str]) -> bool {
    names.iter().any(|name| ident == name)
}

/// Whether a path is one of some names alone.
pub(crate) fn is_ident_of(path: &Path, names: &[&str]) -> bool {
    path.get_ident().is_some_and(|ident| is_one_of(ident, names))
}
