//! No type has inherent methods in more than two files: parts own their data, and a file name says what its code may touch.

use super::sources::{Source, Sources};
use std::collections::{BTreeMap, BTreeSet};
use syn::{Item, ItemImpl, Type, UseTree};

const MOST_FILES: usize = 2;

pub fn problems(sources: &Sources) -> Vec<String> {
    let mut crates: BTreeMap<&str, Vec<(&Source, &str)>> = BTreeMap::new();
    for source in sources.rust.iter().filter(|source| !source.is_test()) {
        if let Some((name, module)) = source.name.split_once("/src/") {
            crates.entry(name).or_default().push((source, module));
        }
    }
    let parsed = |files: &Vec<(&Source, &str)>| of_crate(&relevant(files));
    crates.values().flat_map(parsed).collect()
}

/// The files that have to do with a type whose name stands behind `impl` in too many files. Parsing all of them would
/// take long.
fn relevant<'a>(files: &[(&'a Source, &str)]) -> Vec<File<'a>> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for (source, _) in files {
        let names: BTreeSet<&str> = impl_headers(&source.text).filter_map(last_name).collect();
        names.into_iter().for_each(|name| *count.entry(name).or_default() += 1);
    }
    let suspects: Vec<&str> =
        count.into_iter().filter(|(_, n)| *n > MOST_FILES).map(|(name, _)| name).collect();
    let is_relevant = |source: &Source| suspects.iter().any(|name| source.text.contains(name));
    let relevant = files.iter().filter(|(source, _)| is_relevant(source));
    relevant.filter_map(|(source, module)| File::parse(source, module)).collect()
}

/// What stands between `impl` at the beginning of a line and the brace, where no trait is implemented.
fn impl_headers(text: &str) -> impl Iterator<Item = &str> {
    let impls = text
        .match_indices("impl")
        .filter(|(at, _)| text[..*at].trim_end_matches(' ').ends_with(['\n', '{']) || *at == 0);
    let headers = impls.filter_map(|(at, _)| text[at..].split('{').next());
    headers.filter(|header| !header.contains(" for "))
}

/// The name of the type in such a header.
fn last_name(header: &str) -> Option<&str> {
    let mut depth = 0;
    let mut ends = header.char_indices().skip(4).skip_while(|(_, c)| {
        depth += i32::from(*c == '<') - i32::from(*c == '>');
        depth > 0 || matches!(c, ' ' | '>' | '\n')
    });
    let (begin, _) = ends.next()?;
    let path = header[begin..].split(['<', ' ', '\n']).next()?;
    path.rsplit("::").next()
}

/// What matters about a file.
struct File<'a> {
    source: &'a Source,
    module: Vec<String>,
    /// The types that are defined here.
    defines: BTreeSet<String>,
    /// The types with inherent methods here.
    methods_of: BTreeSet<String>,
    /// The modules that names are imported from, as far as they are said.
    imports: BTreeMap<String, Vec<String>>,
}

impl<'a> File<'a> {
    fn parse(source: &'a Source, module: &str) -> Option<File<'a>> {
        let syntax = syn::parse_file(&source.text).ok()?;
        let module = module.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        let mut file = File {
            source,
            module,
            defines: BTreeSet::new(),
            methods_of: BTreeSet::new(),
            imports: BTreeMap::new(),
        };
        file.items(&syntax.items);
        Some(file)
    }

    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Struct(item) => drop(self.defines.insert(item.ident.to_string())),
                Item::Enum(item) => drop(self.defines.insert(item.ident.to_string())),
                Item::Union(item) => drop(self.defines.insert(item.ident.to_string())),
                Item::Impl(item) => self.methods_of.extend(inherent(item)),
                Item::Use(item) => self.import(&item.tree, &mut vec![]),
                Item::Mod(item) if !is_test(&item.attrs) => {
                    if let Some((_, items)) = &item.content {
                        self.items(items);
                    }
                }
                _ => {}
            }
        }
    }

    fn import(&mut self, tree: &UseTree, path: &mut Vec<String>) {
        match tree {
            UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.import(&part.tree, path);
                path.pop();
            }
            UseTree::Name(name) => drop(self.imports.insert(name.ident.to_string(), path.clone())),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, path)),
            UseTree::Rename(_) | UseTree::Glob(_) => {}
        }
    }

    /// How well a definition elsewhere fits a name that is used here: how much of its module the import names, then how
    /// close it is.
    fn closeness(&self, name: &str, other: &File) -> (usize, usize) {
        let imported = self
            .imports
            .get(name)
            .map_or(0, |path| path.iter().filter(|part| other.module.contains(part)).count());
        let shared = self.module.iter().zip(&other.module).take_while(|(a, b)| a == b).count();
        (imported, shared)
    }
}

fn of_crate(files: &[File]) -> Vec<String> {
    // By the file that defines the type: the same name may stand for several types.
    let mut files_of: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for file in files {
        for name in &file.methods_of {
            let definitions = files.iter().filter(|other| other.defines.contains(name));
            let definition = match file.defines.contains(name) {
                true => Some(file),
                false => definitions.max_by_key(|other| file.closeness(name, other)),
            };
            if let Some(definition) = definition {
                files_of.entry((&definition.source.name, name)).or_default().insert(&file.source.name);
            }
        }
    }
    let spread = files_of.into_iter().filter(|(_, files)| files.len() > MOST_FILES);
    spread
        .map(|((file, name), files)| {
            let files: Vec<&str> = files.into_iter().collect();
            format!(
                "{file}: `{name}` has methods in {} files, at most {MOST_FILES}: {}",
                files.len(),
                files.join(", ")
            )
        })
        .collect()
}

/// The type whose methods these are, if they are of no trait.
fn inherent(item: &ItemImpl) -> Option<String> {
    if item.trait_.is_some() || is_test(&item.attrs) {
        return None;
    }
    match &*item.self_ty {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    }
}

fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| {
        attr.path().is_ident("cfg") && attr.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

#[cfg(test)]
mod tests {
    use super::super::sources::sources_of;
    use super::*;

    #[test]
    fn names_in_headers() {
        let text =
            "impl<K: Ord> a::Tree<K> where K: Copy {}\n    impl X {}\nimpl Clone for Y {}\n// an impl Z {}";
        assert_eq!(impl_headers(text).filter_map(last_name).collect::<Vec<_>>(), ["Tree", "X"]);
    }

    #[test]
    fn methods_in_three_files_are_too_many() {
        let more = "use crate::a::Spread;\nimpl Spread { fn f() {} }";
        let found = problems(&sources_of(&[
            ("crates/x/src/a.rs", "pub struct Spread;\nimpl Spread {}"),
            ("crates/x/src/a/b.rs", more),
            ("crates/x/src/a/c.rs", more),
            ("crates/y/src/a.rs", "impl Clone for Spread {}"),
        ]));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].starts_with("crates/x/src/a.rs: `Spread` has methods in 3 files"), "{found:?}");
    }

    #[test]
    fn types_of_the_same_name_are_told_apart() {
        let own = "struct Store;\nimpl Store {}";
        let found = problems(&sources_of(&[
            ("crates/x/src/a.rs", own),
            ("crates/x/src/b.rs", own),
            ("crates/x/src/c.rs", "use crate::b::Store;\nimpl Store {}"),
            ("crates/x/src/d.rs", "#[cfg(test)] mod tests {\nimpl Store {} }"),
        ]));
        assert!(found.is_empty(), "{found:?}");
    }
}
