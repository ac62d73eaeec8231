//! The members of the workspace, as their manifests say.

use std::fs;
use std::path::Path;

/// A package of the workspace.
pub struct Member {
    /// Where it is.
    pub folder: String,
    pub name: String,
    /// The packages that it depends on, other than for tests.
    pub dependencies: Vec<String>,
    pub is_published: bool,
}

impl Member {
    pub fn parse(folder: &str, manifest: &str) -> Member {
        let mut section = "";
        let mut member = Member {
            folder: folder.to_owned(),
            name: String::new(),
            dependencies: vec![],
            is_published: true,
        };
        for line in manifest.lines() {
            if line.starts_with('[') {
                section = line.trim();
            } else if let Some((key, value)) = line.split_once('=') {
                let key = key.trim().trim_end_matches(".workspace");
                match section {
                    "[package]" if key == "name" => member.name = value.trim().trim_matches('"').to_owned(),
                    "[package]" if key == "publish" => member.is_published = value.trim() != "false",
                    "[dependencies]" | "[build-dependencies]" => member.dependencies.push(key.to_owned()),
                    _ => {}
                }
            }
        }
        member
    }
}

/// All of them, in the order of the list.
pub fn members(root: &Path) -> Vec<Member> {
    let read = |path: &Path| fs::read_to_string(path.join("Cargo.toml")).unwrap_or_default();
    folders(&read(root)).map(|folder| Member::parse(folder, &read(&root.join(folder)))).collect()
}

/// The folders in the list of members.
fn folders(manifest: &str) -> impl Iterator<Item = &str> {
    let list = manifest.split_once("members = [").and_then(|(_, rest)| rest.split_once(']'));
    list.map_or("", |(list, _)| list).split('"').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_are_read() {
        assert_eq!(folders("members = [\n    \"b\",\n    \"a\",\n]\n").collect::<Vec<_>>(), ["b", "a"]);
        let member = Member::parse(
            "a",
            "[package]\nname = \"n\"\npublish = false\n[dependencies]\nd.workspace = true\n",
        );
        assert_eq!(
            (&*member.name, member.is_published, &*member.dependencies),
            ("n", false, &["d".to_owned()][..])
        );
        assert!(
            Member::parse("a", "[package]\nname = \"n\"\n[dev-dependencies]\nd = \"1\"\n")
                .dependencies
                .is_empty()
        );
    }
}
