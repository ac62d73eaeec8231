//! The files that the rules are about, read once.

use std::fs;
use std::path::{Path, PathBuf};

/// A file: its path in the repository, with `/`, and its text.
pub struct Source {
    pub name: String,
    pub text: String,
}

impl Source {
    pub fn is_test(&self) -> bool {
        self.name.contains("/tests/")
    }
}

/// The files.
pub struct Sources {
    pub root: PathBuf,
    /// Rust files.
    pub rust: Vec<Source>,
    /// Markdown files.
    pub prose: Vec<Source>,
}

impl Sources {
    pub fn read(root: &Path) -> Sources {
        let mut sources = Sources { root: root.to_owned(), rust: vec![], prose: vec![] };
        sources.collect(root);
        sources.rust.sort_by(|a, b| a.name.cmp(&b.name));
        sources.prose.sort_by(|a, b| a.name.cmp(&b.name));
        sources
    }

    /// The Rust files in a folder.
    pub fn rust_in<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a Source> {
        self.rust.iter().filter(move |source| source.name.starts_with(folder))
    }

    fn collect(&mut self, directory: &Path) {
        let Ok(entries) = fs::read_dir(directory) else { return };
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.strip_prefix(&self.root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            let is_skipped =
                path.file_name().is_some_and(|n| n == "target" || n.to_string_lossy().starts_with('.'));
            if path.is_dir() {
                if !is_skipped && name != "book/book" {
                    self.collect(&path);
                }
                continue;
            }
            let list = match path.extension().and_then(|e| e.to_str()) {
                Some("rs") => &mut self.rust,
                Some("md") => &mut self.prose,
                _ => continue,
            };
            list.push(Source { name, text: fs::read_to_string(&path).unwrap_or_default() });
        }
    }
}

#[cfg(test)]
pub fn sources_of(files: &[(&str, &str)]) -> Sources {
    let mut sources = Sources { root: PathBuf::new(), rust: vec![], prose: vec![] };
    for (name, text) in files {
        let list = if name.ends_with(".rs") { &mut sources.rust } else { &mut sources.prose };
        list.push(Source { name: (*name).to_owned(), text: (*text).to_owned() });
    }
    sources
}
