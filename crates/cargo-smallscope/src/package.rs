//! The packages in this folder that use smallscope. Without any, the tool works on the catalogue.

use crate::cli::PlaceArgs;
use crate::problem::Problem;
use crate::suggest;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What names refer to.
pub(crate) enum Place {
    /// Structures of the catalogue.
    Catalogue,
    /// Tests of these packages.
    Packages(Vec<Package>),
}

/// A package that depends on smallscope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) manifest: PathBuf,
    /// The name of its dependency on smallscope.
    pub(crate) dependency: String,
    /// The target directory of its workspace.
    pub(crate) target: PathBuf,
}

impl Package {
    /// Returns the directory in which its tests run.
    pub(crate) fn directory(&self) -> &Path {
        self.manifest.parent().unwrap_or(Path::new("."))
    }
}

/// Returns the cargo that has called the tool, or the one in the path.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Returns what names refer to in this folder.
pub(crate) fn find(args: &PlaceArgs) -> Result<Place, Problem> {
    if args.catalogue {
        return Ok(Place::Catalogue);
    }
    let insists = args.manifest_path.is_some() || !args.package.is_empty();
    if !insists && !has_manifest() {
        return Ok(Place::Catalogue);
    }
    let workspace = Workspace::from_metadata(&metadata(args.manifest_path.as_deref())?);
    workspace.select(&args.package, insists)
}

/// Returns the package with this name in the workspace, if it uses smallscope.
pub(crate) fn named(args: &PlaceArgs, name: &str) -> Result<Option<Package>, Problem> {
    if args.catalogue || (args.manifest_path.is_none() && !has_manifest()) {
        return Ok(None);
    }
    let workspace = Workspace::from_metadata(&metadata(args.manifest_path.as_deref())?);
    Ok(workspace.users.into_iter().find(|package| package.name == name))
}

/// Whether there is a manifest in this folder or above.
fn has_manifest() -> bool {
    let here = std::env::current_dir().unwrap_or_default();
    here.ancestors().any(|above| above.join("Cargo.toml").is_file())
}

fn metadata(manifest: Option<&Path>) -> Result<Value, Problem> {
    let mut command = cargo();
    command.args(["metadata", "--no-deps", "--format-version", "1"]);
    if let Some(manifest) = manifest {
        command.arg("--manifest-path").arg(manifest);
    }
    let output = command.output().map_err(|error| {
        Problem::of_crate(format!("cargo cannot be run: {error}; `--catalogue` works without it"))
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.trim().trim_start_matches("error: ");
        return Err(Problem::of_crate(format!(
            "cargo does not understand the crate here: {said}\nfix its Cargo.toml, or use `--catalogue` for the \
             structures that come with smallscope"
        )));
    }
    serde_json::from_slice(&output.stdout)
        .map_err(|error| Problem::of_crate(format!("`cargo metadata` answers with something else: {error}")))
}

/// The packages of a workspace.
struct Workspace {
    /// The packages that cargo would test in this folder.
    defaults: Vec<Package>,
    /// The packages that depend on smallscope.
    users: Vec<Package>,
    /// The names of all packages.
    names: Vec<String>,
}

impl Workspace {
    fn from_metadata(metadata: &Value) -> Workspace {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let defaults = list(&metadata["workspace_default_members"]);
        let mut workspace = Workspace { defaults: vec![], users: vec![], names: vec![] };
        for package in list(&metadata["packages"]) {
            let name = text(&package["name"]);
            workspace.names.push(name.clone());
            let dependencies = list(&package["dependencies"]);
            let Some(smallscope) = dependencies.iter().find(|d| d["name"] == "smallscope") else { continue };
            let user = Package {
                name,
                manifest: text(&package["manifest_path"]).into(),
                dependency: smallscope["rename"].as_str().unwrap_or("smallscope").to_owned(),
                target: text(&metadata["target_directory"]).into(),
            };
            if defaults.contains(&package["id"]) {
                workspace.defaults.push(user.clone());
            }
            workspace.users.push(user);
        }
        workspace
    }

    /// Selects the packages with given names, or the default ones.
    fn select(self, wanted: &[String], insists: bool) -> Result<Place, Problem> {
        let is_ours = self.names.iter().any(|name| name == "smallscope-catalogue");
        if !insists && (is_ours || self.users.is_empty()) {
            return Ok(Place::Catalogue);
        }
        if wanted.is_empty() {
            let packages = if self.defaults.is_empty() { self.users } else { self.defaults };
            if packages.is_empty() {
                return Err(Problem::usage(format!(
                    "no package here depends on smallscope (there is {}); add it with `cargo add --dev \
                     smallscope`, or use `--catalogue` for the structures that come with it",
                    self.names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
                )));
            }
            return Ok(Place::Packages(packages));
        }
        let find = |name: &String| {
            let found = self.users.iter().find(|package| package.name == *name).cloned();
            found.ok_or_else(|| self.not_a_user(name))
        };
        wanted.iter().map(find).collect::<Result<_, _>>().map(Place::Packages)
    }

    fn not_a_user(&self, name: &String) -> Problem {
        if self.names.contains(name) {
            return Problem::usage(format!(
                "the package `{name}` does not depend on smallscope; add it with `cargo add --dev -p {name} \
                 smallscope`"
            ));
        }
        let users: Vec<&str> = self.users.iter().map(|package| package.name.as_str()).collect();
        let hint = match suggest::alternatives(&users) {
            none if none.is_empty() => "no package here depends on smallscope".to_owned(),
            some => format!("with smallscope there is {some}"),
        };
        Problem::usage(format!("there is no package `{name}` in this workspace; {hint}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn workspace(names: &[(&str, &[Value])], defaults: &[&str]) -> Workspace {
        let package = |(name, dependencies): &(&str, &[Value])| {
            let manifest = format!("/ws/{name}/Cargo.toml");
            json!({"name": name, "id": name, "manifest_path": manifest, "dependencies": dependencies})
        };
        let packages: Vec<Value> = names.iter().map(package).collect();
        Workspace::from_metadata(&json!({"packages": packages, "workspace_default_members": defaults}))
    }

    fn names(place: Result<Place, Problem>) -> Vec<String> {
        match place {
            Ok(Place::Packages(packages)) => packages.into_iter().map(|package| package.name).collect(),
            Ok(Place::Catalogue) => vec!["the catalogue".to_owned()],
            Err(problem) => vec![format!("{problem:?}")],
        }
    }

    #[test]
    fn the_packages_that_cargo_would_test_are_meant() {
        let dev = [json!({"name": "smallscope", "rename": null, "kind": "dev"})];
        let packages: [(&str, &[Value]); 3] = [("a", &dev), ("b", &dev), ("c", &[])];
        assert_eq!(names(workspace(&packages, &["a", "b", "c"]).select(&[], false)), ["a", "b"]);
        assert_eq!(names(workspace(&packages, &["b"]).select(&[], false)), ["b"]);
        assert_eq!(names(workspace(&packages, &["c"]).select(&[], false)), ["a", "b"]);
        assert_eq!(names(workspace(&packages, &["b"]).select(&["a".to_owned()], true)), ["a"]);
        let missing = names(workspace(&packages, &["b"]).select(&["d".to_owned()], true));
        assert!(missing[0].contains("with smallscope there is `a` or `b`"), "{missing:?}");
        let without = names(workspace(&packages, &["b"]).select(&["c".to_owned()], true));
        assert!(without[0].contains("cargo add --dev -p c smallscope"), "{without:?}");
    }

    #[test]
    fn elsewhere_the_catalogue_is_meant() {
        let dependency = [json!({"name": "smallscope", "rename": null})];
        assert_eq!(names(workspace(&[("a", &[])], &["a"]).select(&[], false)), ["the catalogue"]);
        let ours: [(&str, &[Value]); 2] = [("smallscope-catalogue", &dependency), ("smallscope", &[])];
        assert_eq!(names(workspace(&ours, &[]).select(&[], false)), ["the catalogue"]);
    }

    #[test]
    fn a_renamed_dependency_is_known_by_its_name() {
        let renamed = [json!({"name": "smallscope", "rename": "scope"})];
        let found = workspace(&[("a", &renamed)], &["a"]);
        assert_eq!(found.users[0].dependency, "scope");
        assert_eq!(found.users[0].directory(), Path::new("/ws/a"));
    }
}
