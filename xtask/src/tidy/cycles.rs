//! The top-level modules of core form no cycle: a reader can take them one after the other.
//!
//! A module uses another one where it names it: `crate::x`, `$crate::x`, or `super` often enough to get to the root. A
//! name that `lib.rs` re-exports stands for the module that it comes from. Tests do not count.

use super::sources::Sources;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};

const FOLDER: &str = "crates/core/src/";

pub fn problems(sources: &Sources) -> Vec<String> {
    let graph = Graph::of(sources);
    graph.cycles().into_iter().map(|cycle| graph.describe(&cycle)).collect()
}

/// Which module uses which, and a file where it does.
#[derive(Default)]
struct Graph {
    edges: BTreeMap<String, BTreeMap<String, String>>,
}

impl Graph {
    fn of(sources: &Sources) -> Graph {
        let files: Vec<_> = sources
            .rust_in(FOLDER)
            .filter_map(|source| Some((source, source.name.strip_prefix(FOLDER)?.strip_suffix(".rs")?)))
            .collect();
        let modules: BTreeSet<&str> =
            files.iter().map(|(_, path)| path.split('/').next().unwrap_or(path)).collect();
        let lib = files.iter().find(|(_, path)| *path == "lib").map_or("", |(source, _)| &source.text);
        let re_exports = re_exports(lib);
        let mut graph = Graph::default();
        for (source, path) in &files {
            let Ok(tokens) = source.text.parse::<TokenStream>() else { continue };
            let mut names =
                Names { module: path.split('/').map(str::to_owned).collect(), used: BTreeSet::new() };
            let from = names.module[0].clone();
            if from == "lib" || path.ends_with("tests") {
                continue;
            }
            names.visit(&tokens.into_iter().collect::<Vec<_>>());
            let uses = names.used.iter().filter_map(|name| {
                modules
                    .get(&**name)
                    .map(|module| (*module).to_owned())
                    .or_else(|| re_exports.get(name).cloned())
            });
            for to in uses.filter(|to| *to != from && to != "lib") {
                graph.edges.entry(from.clone()).or_default().entry(to).or_insert_with(|| source.name.clone());
            }
        }
        graph
    }

    /// A shortest cycle through each module that is on one, without those through modules that were seen.
    fn cycles(&self) -> Vec<Vec<&str>> {
        let mut seen = BTreeSet::new();
        let mut cycles = vec![];
        for start in self.edges.keys() {
            if seen.contains(&**start) {
                continue;
            }
            if let Some(cycle) = self.shortest_cycle(start) {
                seen.extend(cycle.iter().copied());
                cycles.push(cycle);
            }
        }
        cycles
    }

    fn shortest_cycle<'a>(&'a self, start: &'a str) -> Option<Vec<&'a str>> {
        let mut paths = vec![vec![start]];
        let mut reached = BTreeSet::new();
        while !paths.is_empty() {
            let mut longer = vec![];
            for path in paths {
                for next in self.edges.get(*path.last()?).into_iter().flat_map(BTreeMap::keys) {
                    if next == start {
                        return Some(path);
                    }
                    if reached.insert(&**next) {
                        longer.push([&path[..], &[&**next]].concat());
                    }
                }
            }
            paths = longer;
        }
        None
    }

    fn describe(&self, cycle: &[&str]) -> String {
        let next = |i: usize| cycle[(i + 1) % cycle.len()];
        let steps: Vec<String> = (0..cycle.len())
            .map(|i| format!("{} uses {} ({})", cycle[i], next(i), self.edges[cycle[i]][next(i)]))
            .collect();
        format!("{FOLDER}: the top-level modules form a cycle: {}", steps.join(", "))
    }
}

/// The names that are taken from the root of the crate.
struct Names {
    /// The module of the code.
    module: Vec<String>,
    used: BTreeSet<String>,
}

impl Names {
    fn visit(&mut self, tokens: &[TokenTree]) {
        let mut i = 0;
        while i < tokens.len() {
            if is_test_attribute(&tokens[i..]) {
                // The item after the attribute, up to its end.
                i += 2;
                while i < tokens.len() && !ends_item(&tokens[i]) {
                    i += 1;
                }
                i += 1;
                continue;
            }
            match &tokens[i] {
                TokenTree::Ident(ident) if ident == "mod" => {
                    if let (Some(TokenTree::Ident(name)), Some(TokenTree::Group(body))) =
                        (tokens.get(i + 1), tokens.get(i + 2))
                    {
                        self.module.push(name.to_string());
                        self.visit(&body.stream().into_iter().collect::<Vec<_>>());
                        self.module.pop();
                        i += 3;
                        continue;
                    }
                }
                TokenTree::Ident(ident) if ident == "crate" => {
                    if let Some(rest) = after_colons(&tokens[i + 1..]) {
                        self.take(rest);
                    }
                }
                TokenTree::Ident(ident) if ident == "super" => i += self.go_up(&tokens[i..]),
                TokenTree::Group(group) => self.visit(&group.stream().into_iter().collect::<Vec<_>>()),
                _ => {}
            }
            i += 1;
        }
    }

    /// Follows a row of `super`s. Returns how many tokens to pass over.
    fn go_up(&mut self, tokens: &[TokenTree]) -> usize {
        let mut supers = 0;
        let mut at = 0;
        while matches!(tokens.get(at), Some(TokenTree::Ident(ident)) if ident == "super")
            && after_colons(&tokens[at + 1..]).is_some()
        {
            supers += 1;
            at += 3;
        }
        if supers == self.module.len() {
            self.take(&tokens[at..]);
        }
        at.saturating_sub(1)
    }

    /// Takes the name, or the first name of each path in braces.
    fn take(&mut self, tokens: &[TokenTree]) {
        match tokens.first() {
            Some(TokenTree::Ident(ident)) => {
                self.used.insert(ident.to_string());
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                for path in inner.split(|token| matches!(token, TokenTree::Punct(p) if p.as_char() == ',')) {
                    self.take(path);
                }
            }
            _ => {}
        }
    }
}

fn after_colons(tokens: &[TokenTree]) -> Option<&[TokenTree]> {
    match tokens {
        [TokenTree::Punct(a), TokenTree::Punct(b), rest @ ..] if a.as_char() == ':' && b.as_char() == ':' => {
            Some(rest)
        }
        _ => None,
    }
}

fn is_test_attribute(tokens: &[TokenTree]) -> bool {
    match tokens {
        [TokenTree::Punct(hash), TokenTree::Group(group), ..] if hash.as_char() == '#' => {
            group.to_string().replace(' ', "") == "[cfg(test)]"
        }
        _ => false,
    }
}

fn ends_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    }
}

/// From each name that the root re-exports to the module that it comes from.
fn re_exports(lib: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    let Ok(file) = syn::parse_file(lib) else { return names };
    for item in file.items {
        if let syn::Item::Use(item) = item {
            let tree = match item.tree {
                syn::UseTree::Path(path) if path.ident == "crate" || path.ident == "self" => *path.tree,
                tree => tree,
            };
            if let syn::UseTree::Path(path) = tree {
                leaves(&path.tree, &path.ident.to_string(), &mut names);
            }
        }
    }
    names
}

fn leaves(tree: &syn::UseTree, module: &str, names: &mut BTreeMap<String, String>) {
    match tree {
        syn::UseTree::Path(path) => leaves(&path.tree, module, names),
        syn::UseTree::Name(name) => drop(names.insert(name.ident.to_string(), module.to_owned())),
        syn::UseTree::Rename(rename) => drop(names.insert(rename.rename.to_string(), module.to_owned())),
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, module, names)),
        syn::UseTree::Glob(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::sources::sources_of;
    use super::*;

    #[test]
    fn a_cycle_is_found_and_named() {
        let found = problems(&sources_of(&[
            (
                "crates/core/src/lib.rs",
                "mod a; mod b; mod c; pub use crate::c::{deep::Thing, Other as Renamed};",
            ),
            ("crates/core/src/a.rs", "use crate::{b::X, std}; fn f() {}"),
            ("crates/core/src/b/inner.rs", "fn f() { super::super::Renamed::new() }"),
            ("crates/core/src/c.rs", "macro_rules! m { () => { $crate::a::y } }"),
            (
                "crates/core/src/d.rs",
                "#[cfg(test)] mod tests { use crate::a::X; } use crate::c; fn f() { super::c::g() }",
            ),
        ]));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0]
                .contains("a uses b (crates/core/src/a.rs), b uses c (crates/core/src/b/inner.rs), c uses a")
        );
    }

    #[test]
    fn layers_form_none() {
        let found = problems(&sources_of(&[
            ("crates/core/src/lib.rs", "mod a; mod b;"),
            ("crates/core/src/a.rs", "use self::inner::X; use super::b::Y; mod inner { use super::Z; }"),
            ("crates/core/src/b.rs", "use std::fmt; #[cfg(test)] mod tests { use super::*; use crate::a; }"),
        ]));
        assert!(found.is_empty(), "{found:?}");
    }
}
