//! The generated crates: written, compiled and run.

use super::program::Program;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

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
        let names = (0..self.batches).flat_map(|number| [batch(number), plain(number)]);
        let members: Vec<String> = names.chain(["harness".into()]).collect();
        let optimised = (0..self.batches).map(|number| format!("{} = {{ opt-level = 1 }}\n", plain(number)));
        self.file(
            "Cargo.toml",
            &format!(
                "[workspace]\nresolver = \"3\"\nmembers = {members:?}\n\n\
                 [profile.dev]\ndebug = false\nincremental = false\n\n\
                 [profile.dev.package]\nsmallscope-core = {{ opt-level = 1 }}\n{}",
                optimised.collect::<String>()
            ),
        )?;
        // The versions that the repository is tested with.
        let lock =
            fs::read_to_string(self.root.join("Cargo.lock")).map_err(|e| format!("Cargo.lock: {e}"))?;
        self.file("Cargo.lock", &lock)?;
        let crates = self.root.join("crates");
        let ours = format!(
            "smallscope = {{ path = {:?}, features = [\"statements\", \"summaries\"] }}\nsmallscope-core = {{ path = {:?} }}\n",
            crates.join("smallscope"),
            crates.join("core")
        );
        let library = self.root.join("testing/sources/harness/lib.rs");
        let source = format!("\n[lib]\npath = {library:?}\n");
        self.file("harness/Cargo.toml", &(manifest("harness", &ours) + &source))?;
        for number in 0..self.batches {
            let programs: Vec<&Program> = programs.iter().skip(number).step_by(self.batches).collect();
            self.write_plain(number, &programs)?;
            self.write_batch(number, &programs, &ours)?;
        }
        Ok(())
    }

    /// The crate of the brute force, which has no dependencies.
    fn write_plain(&self, number: usize, programs: &[&Program]) -> Result<(), String> {
        let name = plain(number);
        self.file(&format!("{name}/Cargo.toml"), &manifest(&name, ""))?;
        let mut lib = ALLOWED.to_owned();
        for module in ["choices", "show", "stand_ins"] {
            let path = self.root.join(format!("testing/sources/plain/{module}.rs"));
            let _ = writeln!(lib, "#[path = {path:?}]\npub mod {module};");
        }
        for program in programs {
            let _ = writeln!(lib, "pub mod {};", module(program));
            self.file(&format!("{name}/src/{}.rs", module(program)), &program.plain)?;
        }
        self.file(&format!("{name}/src/lib.rs"), &lib)
    }

    fn write_batch(&self, number: usize, programs: &[&Program], ours: &str) -> Result<(), String> {
        let name = batch(number);
        let brute_force = plain(number);
        let others = format!(
            "{ours}plain = {{ path = \"../{brute_force}\", package = {brute_force:?} }}\n\
             harness = {{ path = \"../harness\" }}\n"
        );
        self.file(&format!("{name}/Cargo.toml"), &manifest(&name, &others))?;
        let (mut modules, mut cases) = (String::new(), String::new());
        for program in programs {
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

    /// Runs the batches, as many side by side as there are processors, and returns what they print.
    pub fn run(&self) -> Result<Vec<Output>, String> {
        let at_once = std::thread::available_parallelism().map_or(1, usize::from);
        let mut outputs = vec![];
        for first in (0..self.batches).step_by(at_once) {
            let started: Result<Vec<Child>, String> =
                (first..self.batches.min(first + at_once)).map(|number| self.start(number)).collect();
            for child in started? {
                outputs.push(child.wait_with_output().map_err(|error| error.to_string())?);
            }
        }
        Ok(outputs)
    }

    fn start(&self, number: usize) -> Result<Child, String> {
        let binary = self.target.join("debug").join(batch(number));
        let child = Command::new(&binary).stdout(Stdio::piped()).spawn();
        child.map_err(|error| format!("{}: {error}", binary.display()))
    }
}

fn plain(number: usize) -> String {
    format!("plain-{number}")
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
