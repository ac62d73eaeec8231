//! The generated crates: written, compiled and run.

use super::program::Program;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Lints that generated code does not follow.
const ALLOWED: &str = "#![allow(warnings)]\n";

pub struct Project {
    /// The repository.
    pub root: PathBuf,
    /// Where the crates are.
    pub folder: PathBuf,
    pub target: PathBuf,
    /// How many crates the programs are spread over, since a crate is mostly compiled on one core.
    pub batches: usize,
}

impl Project {
    pub fn write(&self, programs: &[Program]) -> Result<(), String> {
        let _ = fs::remove_dir_all(&self.folder);
        let runtime = self.root.join("testing/sources");
        let mut members: Vec<String> = (0..self.batches).map(batch).collect();
        members.extend(["plain".into(), "harness".into()]);
        self.file("Cargo.toml", &format!(
            "[workspace]\nresolver = \"3\"\nmembers = {members:?}\n\n[profile.dev]\ndebug = false\nincremental = false\n\n\
             [profile.dev.package]\nsmallscope-core = {{ opt-level = 1 }}\nplain = {{ opt-level = 1 }}\n"
        ))?;
        // The versions that the repository is tested with.
        let lock =
            fs::read_to_string(self.root.join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
        self.file("Cargo.lock", &lock)?;
        self.file("plain/Cargo.toml", &manifest("plain", ""))?;
        let mut lib = ALLOWED.to_owned();
        for module in ["choices", "show", "stand_ins"] {
            let path = runtime.join(format!("plain/{module}.rs"));
            let _ = writeln!(lib, "#[path = {path:?}]\npub mod {module};");
        }
        for program in programs {
            let _ = writeln!(lib, "pub mod {};", module(program));
            self.file(&format!("plain/src/{}.rs", module(program)), &program.plain)?;
        }
        self.file("plain/src/lib.rs", &lib)?;
        let crates = self.root.join("crates");
        let ours = format!(
            "smallscope = {{ path = {:?} }}\nsmallscope-core = {{ path = {:?} }}\n",
            crates.join("smallscope"),
            crates.join("core")
        );
        let source = format!("\n[lib]\npath = {:?}\n", runtime.join("harness/lib.rs"));
        self.file("harness/Cargo.toml", &(manifest("harness", &ours) + &source))?;
        for number in 0..self.batches {
            self.write_batch(number, programs, &ours)?;
        }
        Ok(())
    }

    fn write_batch(&self, number: usize, programs: &[Program], ours: &str) -> Result<(), String> {
        let name = batch(number);
        let others =
            format!("{ours}plain = {{ path = \"../plain\" }}\nharness = {{ path = \"../harness\" }}\n");
        self.file(&format!("{name}/Cargo.toml"), &manifest(&name, &others))?;
        let (mut modules, mut cases) = (String::new(), String::new());
        for program in programs.iter().filter(|program| program.number % self.batches == number) {
            let module = module(program);
            self.file(&format!("{name}/src/{module}.rs"), &program.product)?;
            let _ = writeln!(modules, "mod {module};");
            let _ = writeln!(
                cases,
                "        harness::Case {{ number: {}, source: include_str!(\"{module}.rs\"), \
                 brute_force: plain::{module}::brute_force, run: {module}::run, has_arena: {}, planted: {:?} }},",
                program.number, program.has_arena, program.planted
            );
        }
        self.file(
            &format!("{name}/src/main.rs"),
            &format!(
                "{ALLOWED}{modules}\nfn main() -> std::process::ExitCode {{\n    harness::main(&[\n{cases}    ])\n}}\n"
            ),
        )
    }

    fn file(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.folder.join(name);
        let parent = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| format!("{}: {error}", path.display()))
    }

    /// Compiles everything, and shows what the compiler says.
    pub fn compile(&self) -> Result<(), String> {
        let mut command = Command::new("cargo");
        command.args(["build", "--quiet", "--workspace", "--keep-going"]).current_dir(&self.folder);
        command.env("CARGO_TARGET_DIR", &self.target);
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(_) => Err(format!("a program does not compile; the sources are in {}", self.folder.display())),
            Err(error) => Err(format!("cargo cannot be run: {error}")),
        }
    }

    /// Runs all batches side by side, and returns what they print.
    pub fn run(&self) -> Result<Vec<Output>, String> {
        let started: Result<Vec<_>, String> = (0..self.batches)
            .map(|number| {
                let binary = self.target.join("debug").join(batch(number));
                let child = Command::new(&binary).stdout(Stdio::piped()).spawn();
                child.map_err(|error| format!("{}: {error}", binary.display()))
            })
            .collect();
        started?
            .into_iter()
            .map(|child| child.wait_with_output().map_err(|error| error.to_string()))
            .collect()
    }
}

fn batch(number: usize) -> String {
    format!("batch-{number}")
}

fn module(program: &Program) -> String {
    format!("p{:05}", program.number)
}

fn manifest(name: &str, dependencies: &str) -> String {
    format!(
        "[package]\nname = {name:?}\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}"
    )
}

/// The folder of the target directory that this repository uses.
pub fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}
