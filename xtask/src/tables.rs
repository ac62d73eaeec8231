//! `cargo xtask tables`: the tables of exact counts in the documentation of the catalogue's modules, from
//! `counts.tsv`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

const HEADING: &str = "//! # Exact counts\n";

/// Every module with its text, and the text that it should have.
fn modules(root: &Path) -> Vec<(PathBuf, String, String)> {
    let catalogue = root.join("studies/catalogue");
    let rows = fs::read_to_string(catalogue.join("counts.tsv")).unwrap_or_default();
    let mut tables: BTreeMap<String, String> = BTreeMap::new();
    for row in rows.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [structure, args, explored, valid, source] = columns[..] else { continue };
        let module = match structure {
            "node-cache" | "node-caching-list" => "node_caching_parts".to_owned(),
            name => name.replace('-', "_"),
        };
        let table = tables.entry(module).or_insert_with(|| {
            format!("{HEADING}//!\n//! | structure | arguments | explored | valid | source |\n//! |---|---|---|---|---|\n")
        });
        let (explored, valid) = (grouped(explored), grouped(valid));
        let _ = writeln!(table, "//! | {structure} | {args} | {explored} | {valid} | {source} |");
    }
    let module = |(name, table): (String, String)| {
        let path = catalogue.join("src").join(name + ".rs");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let wanted = with_table(&text, &table);
        (path, text, wanted)
    };
    tables.into_iter().map(module).collect()
}

/// A number with commas between its thousands.
fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The text with this table at the end of its documentation.
fn with_table(text: &str, table: &str) -> String {
    let docs: usize =
        text.split_inclusive('\n').take_while(|line| line.starts_with("//!")).map(str::len).sum();
    let (docs, code) = text.split_at(docs);
    let prose = docs.split(HEADING).next().unwrap_or_default().trim_end_matches("//!\n");
    format!("{prose}//!\n{table}{code}")
}

/// Writes the tables.
pub fn write(root: &Path) {
    for (path, text, wanted) in modules(root) {
        if text != wanted
            && let Err(e) = fs::write(&path, wanted)
        {
            eprintln!("{}: {e}", path.display());
        }
    }
}

/// The modules whose table is not the one of `counts.tsv`.
pub fn problems(root: &Path) -> Vec<String> {
    let differs = |(path, text, wanted): (PathBuf, String, String)| {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        (text != wanted)
            .then(|| format!("{name}: its counts are not those of counts.tsv; run `cargo xtask tables`"))
    };
    modules(root).into_iter().filter_map(differs).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_replaces_the_one_before() {
        let table = format!("{HEADING}//! | new |\n");
        let once = with_table("//! Trees.\n\nuse x;\n", &table);
        assert_eq!(once, format!("//! Trees.\n//!\n{table}\nuse x;\n"));
        assert_eq!(with_table(&once, &table), once);
    }

    #[test]
    fn thousands() {
        assert_eq!([grouped("1"), grouped("1234"), grouped("123456")], ["1", "1,234", "123,456"]);
    }
}
