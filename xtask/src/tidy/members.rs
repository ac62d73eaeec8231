//! The members of the workspace stand in dependency order, so that the list can be read as a picture of the whole.

use super::sources::Sources;
use std::fs;

pub fn problems(sources: &Sources) -> Vec<String> {
    let manifest = fs::read_to_string(sources.root.join("Cargo.toml")).unwrap_or_default();
    let members: Vec<Member> = members(&manifest)
        .map(|folder| {
            let text = fs::read_to_string(sources.root.join(folder).join("Cargo.toml")).unwrap_or_default();
            Member::parse(folder, &text)
        })
        .collect();
    out_of_order(&members)
}

/// A package of the workspace and the packages that it depends on, other than for tests.
struct Member {
    folder: String,
    name: String,
    dependencies: Vec<String>,
}

impl Member {
    fn parse(folder: &str, manifest: &str) -> Member {
        let mut section = "";
        let mut member = Member { folder: folder.to_owned(), name: String::new(), dependencies: vec![] };
        for line in manifest.lines() {
            if line.starts_with('[') {
                section = line.trim();
            } else if let Some((key, value)) = line.split_once('=') {
                let key = key.trim().trim_end_matches(".workspace");
                match section {
                    "[package]" if key == "name" => member.name = value.trim().trim_matches('"').to_owned(),
                    "[dependencies]" | "[build-dependencies]" => member.dependencies.push(key.to_owned()),
                    _ => {}
                }
            }
        }
        member
    }
}

/// The folders in the list of members.
fn members(manifest: &str) -> impl Iterator<Item = &str> {
    let list = manifest.split_once("members = [").and_then(|(_, rest)| rest.split_once(']'));
    list.map_or("", |(list, _)| list).split('"').skip(1).step_by(2)
}

fn out_of_order(members: &[Member]) -> Vec<String> {
    let mut problems = vec![];
    for (i, member) in members.iter().enumerate() {
        for later in &members[i..] {
            if member.dependencies.contains(&later.name) {
                problems.push(format!(
                    "Cargo.toml: members stand in dependency order, but `{}` is above `{}`, which it depends on",
                    member.folder, later.folder
                ));
            }
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_stands_above() {
        let list = "members = [\n    \"b\",\n    \"a\",\n]\n";
        assert_eq!(members(list).collect::<Vec<_>>(), ["b", "a"]);
        let a = || Member::parse("a", "[package]\nname = \"a\"\n[dev-dependencies]\nb.workspace = true\n");
        let b = || Member::parse("b", "[package]\nname = \"b\"\n[dependencies]\na.workspace = true\n");
        assert!(out_of_order(&[a(), b()]).is_empty());
        assert_eq!(out_of_order(&[b(), a()]).len(), 1);
    }
}
