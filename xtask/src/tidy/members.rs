//! The members of the workspace stand in dependency order, so that the list can be read as a picture of the whole.

use super::sources::Sources;
use crate::workspace::{Member, members};

pub fn problems(sources: &Sources) -> Vec<String> {
    out_of_order(&members(&sources.root))
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
        let a = || Member::parse("a", "[package]\nname = \"a\"\n[dev-dependencies]\nb.workspace = true\n");
        let b = || Member::parse("b", "[package]\nname = \"b\"\n[dependencies]\na.workspace = true\n");
        assert!(out_of_order(&[a(), b()]).is_empty());
        assert_eq!(out_of_order(&[b(), a()]).len(), 1);
    }
}
