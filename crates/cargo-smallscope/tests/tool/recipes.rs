//! The recipes of the chapter "Many machines", executed as they are printed, without the services that run them: shell steps
//! with the variables that a service sets. `.ci/schedulers` runs those whose scheduler can be installed.
#![cfg(unix)]

use crate::common::{Desk, Ended, tool};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Returns the fenced sample of the chapter that contains a text.
fn sample(part: &str) -> String {
    let chapter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/many-machines.md");
    let text = fs::read_to_string(chapter).unwrap();
    let samples = text.split("```").skip(1).step_by(2);
    let found: Vec<&str> = samples.filter(|sample| sample.contains(part)).collect();
    assert_eq!(found.len(), 1, "the chapter has one sample with {part}");
    found[0].split_once('\n').unwrap().1.to_owned()
}

/// Returns the value of a key in a line such as `{ name: build, path: build.tgz }`.
fn field<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!("{key}: "))?;
    Some(rest.split([',', '}']).next()?.trim().trim_matches('"'))
}

/// A job of a workflow: its name, and its steps as lines.
fn jobs(workflow: &str) -> BTreeMap<String, Vec<String>> {
    let mut jobs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut name = String::new();
    for line in workflow.lines().skip(1) {
        let indent = line.len() - line.trim_start().len();
        if indent == 2 {
            name = line.trim().trim_end_matches(':').to_owned();
        }
        jobs.entry(name.clone()).or_default().push(line.trim().to_owned());
    }
    jobs
}

/// What actions do: artifacts are kept in a folder.
struct Runner<'a> {
    desk: &'a Desk,
    workspace: std::path::PathBuf,
}

impl Runner<'_> {
    /// Runs the steps of a job in a new workspace, and returns the output of the last one.
    fn run(&self, steps: &[String], number: usize) -> Ended {
        let _ = fs::remove_dir_all(&self.workspace);
        fs::create_dir_all(&self.workspace).unwrap();
        let mut last = None;
        for (index, step) in steps.iter().enumerate() {
            let with = steps.get(index + 1).map_or("", String::as_str);
            let with = with.replace("${{ matrix.job }}", &number.to_string());
            if let Some(command) = step.strip_prefix("- run: ") {
                let command = command.replace("${{ matrix.job }}", &number.to_string());
                assert!(!command.contains("${{"), "unknown variable: {command}");
                last = Some(self.shell(&command));
            } else if step.starts_with("- uses: actions/upload-artifact") {
                let (name, path) = (field(&with, "name").unwrap(), field(&with, "path").unwrap());
                let artifact = self.desk.path(&format!("artifacts/{name}"));
                fs::create_dir_all(&artifact).unwrap();
                self.copy(&self.workspace.join(path), &artifact);
            } else if step.starts_with("- uses: actions/download-artifact") {
                let to = self.workspace.join(field(&with, "path").unwrap_or("."));
                fs::create_dir_all(&to).unwrap();
                let pattern = field(&with, "pattern").or_else(|| field(&with, "name")).unwrap();
                let artifacts = fs::read_dir(self.desk.path("artifacts")).unwrap();
                for artifact in artifacts.map(|entry| entry.unwrap().path()) {
                    let name = artifact.file_name().unwrap().to_str().unwrap();
                    if name == pattern
                        || pattern.strip_suffix('*').is_some_and(|start| name.starts_with(start))
                    {
                        self.copy(&artifact, &to);
                    }
                }
            } else if let Some(action) = step.strip_prefix("- uses: ") {
                assert_eq!(action, "actions/checkout@v4", "another action is not known here");
            }
        }
        last.unwrap()
    }

    /// Copies a file, or what is in a folder.
    fn copy(&self, from: &Path, to: &Path) {
        let from = if from.is_dir() { format!("{}/.", from.display()) } else { from.display().to_string() };
        assert!(Command::new("cp").args(["-r", &from]).arg(to).status().unwrap().success());
    }

    fn shell(&self, command: &str) -> Ended {
        let bin = self.workspace.join("tool/bin");
        if command.starts_with("cargo install cargo-smallscope --root tool") {
            fs::create_dir_all(&bin).unwrap();
            fs::copy(env!("CARGO_BIN_EXE_cargo-smallscope"), bin.join("cargo-smallscope")).unwrap();
            return Ended { code: 0, stdout: String::new(), stderr: String::new() };
        }
        // As GitHub runs steps.
        let mut shell = Command::new("bash");
        shell
            .args(["-e", "-o", "pipefail", "-c", command])
            .current_dir(&self.workspace)
            .env("GITHUB_ACTIONS", "true");
        Ended::from(shell.output().unwrap())
    }
}

/// The test of a crate takes a while to build, so the shards are of a structure. A plan for the catalogue has all the same
/// options but the name, its bounds and the profile.
#[test]
fn the_matrix_of_github_jobs_works() {
    let desk = Desk::new("recipe-github");
    let text = sample("runs-on: ubuntu-latest");
    let planned = "shard plan insert_keeps_the_order --scope 9 --parts 400 --release --plan";
    assert!(text.contains(planned), "{text}");
    let text = text.replace(planned, "--catalogue shard plan search-tree --scope 4 --parts 40 --plan");
    // Both numbers of jobs are the same.
    let jobs_in_matrix = field(&text, "matrix: { job").map(|_| ()).map_or(0, |()| {
        let (_, list) = text.split_once("job: [").unwrap();
        list.split(']').next().unwrap().split(',').count()
    });
    assert!(
        text.contains(&format!("--shard ${{{{ matrix.job }}}}/{jobs_in_matrix}")),
        "{jobs_in_matrix}: {text}"
    );
    let text = text.replace(&format!("}}}}/{jobs_in_matrix}"), "}}/3");
    let jobs = jobs(&text);
    let runner = Runner { desk: &desk, workspace: desk.path("workspace") };
    // The step that packs the build looks for test binaries here.
    let mut plan = jobs["plan"].clone();
    plan.insert(1, "- run: mkdir -p target/release/deps && touch target/release/deps/test && chmod +x target/release/deps/test".into());
    let checked = |ended: Ended, job: &str| {
        assert_eq!(ended.code, 0, "{job}: {ended:?}");
        ended
    };
    checked(runner.run(&plan, 0), "plan");
    for number in 1..=3 {
        checked(runner.run(&jobs["shards"], number), "shards");
        let artifact = desk.path(&format!("artifacts/shards-{number}"));
        assert!(fs::read_dir(artifact).unwrap().count() > 3, "every third shard");
    }
    let merged = checked(runner.run(&jobs["merge"], 0), "merge");
    assert!(merged.stdout.contains("exhausted: these are all structures"), "{merged:?}");
    // If the artifact of a job is lost, the merge says so.
    fs::remove_dir_all(desk.path("artifacts/shards-2")).unwrap();
    let merged = runner.run(&jobs["merge"], 0);
    assert!(merged.code == 3 && merged.stdout.contains("shard 2 is missing"), "{merged:?}");
}

#[test]
fn the_indexed_job_of_kubernetes_works() {
    let desk = Desk::new("recipe-kubernetes");
    desk.ok("shard plan search-tree --scope 3 --parts 12 --plan trees.plan");
    let text = sample("completionMode: Indexed");
    let line = |key: &str| text.lines().find(|line| line.trim().starts_with(key)).unwrap().trim().to_owned();
    let completions: usize = line("completions:").split_once(": ").unwrap().1.parse().unwrap();
    let env = line("env:");
    assert_eq!(field(&env, "value"), Some(completions.to_string().as_str()), "{env}");
    let variable = field(&env, "{ name").unwrap();
    let command = line("command:");
    let words: Vec<String> = serde_json::from_str(command.split_once(": ").unwrap().1).unwrap();
    let mounted = field(&line("volumeMounts:"), "mountPath").unwrap().to_owned();
    assert!(words[0] == "cargo-smallscope" && words.contains(&mounted), "{words:?}");
    let local = |word: &String| match word.as_str() {
        "/trees.plan" => desk.path("trees.plan").display().to_string(),
        word if word == mounted => desk.path("results").display().to_string(),
        word => word.to_owned(),
    };
    // Fewer pods than in the recipe, in any order; one is started twice.
    for index in [3, 0, 2, 1, 2] {
        let mut pod = tool(&desk.0);
        pod.args(words[1..].iter().map(local)).env_remove("NEXTEST");
        pod.env("JOB_COMPLETION_INDEX", index.to_string()).env(variable, "4");
        let ended = Ended::from(pod.output().unwrap());
        let expected =
            format!("shard {}/4, as a Kubernetes indexed job says in JOB_COMPLETION_INDEX", index + 1);
        assert!(ended.code == 0 && ended.stderr.contains(&expected), "{ended:?}");
    }
    assert!(desk.ok("shard merge trees.plan --dir results").contains("exhausted"));
}

/// The command `hq` is not on every machine: this one takes the same options, and starts the tasks at once.
const HQ: &str = r#"#!/bin/bash
set -e
here=$(dirname "$0")
case "$1 $2" in
"job info") cat "$here/info.json"; exit ;;
"--version ") exit ;;
esac
[ "$1" = submit ] && shift
while [ "$1" != -- ]; do
    case "$1" in
    --array) array=$2; shift ;;
    --env) export "$2"; shift ;;
    --output-mode | --name | --stdout) shift ;;
    --stderr) log=$2; shift ;;
    *) echo "unexpected option $1" >&2; exit 2 ;;
    esac
    shift
done
shift
echo '[{"info":{"task_stats":{"running":0,"waiting":0,"finished":1,"failed":0,"canceled":0}}}]' >"$here/info.json"
for range in ${array//,/ }; do
    for task in $(seq "${range%-*}" "${range#*-}"); do
        HQ_JOB_ID=7 HQ_TASK_ID=$task "$@" 2>"${log//%\{TASK_ID\}/$task}" >/dev/null
    done
done
echo 7
"#;

#[test]
fn the_command_of_hyperqueue_is_given_what_it_takes() {
    let desk = Desk::new("recipe-hq");
    desk.ok("shard plan search-tree --scope 3 --parts 6 --plan a.plan");
    desk.ok("shard run a.plan --shard 2");
    fs::create_dir(desk.path("bin")).unwrap();
    let hq = desk.path("bin/hq");
    fs::write(&hq, HQ).unwrap();
    fs::set_permissions(&hq, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", desk.path("bin").display(), std::env::var("PATH").unwrap());
    let mut submit = tool(&desk.0);
    submit.args(["submit", "a.plan", "--on", "hyperqueue"]).env("PATH", &path).env_remove("NEXTEST");
    let ended = Ended::from(submit.output().unwrap());
    assert!(ended.code == 0 && ended.stdout.contains("exhausted: these are all structures"), "{ended:?}");
    let log = fs::read_to_string(desk.path("a.shards/hq-5.log")).unwrap();
    assert!(log.contains("shard 6/6, as HyperQueue says in HQ_TASK_ID"), "{log}");
    assert!(!desk.path("a.shards/hq-1.log").exists(), "shard 2 was done before");
    // The recipe, with fewer tasks.
    let recipe = sample("hq submit --array=0-199");
    let line = recipe.lines().find(|line| line.contains("hq submit")).unwrap();
    let program = env!("CARGO_BIN_EXE_cargo-smallscope");
    let line = line.trim_start_matches("$ ").replace("0-199", "0-2").replace("=200", "=3");
    let line = line.replace("cargo smallscope", program).replace("trees.plan", "a.plan --dir b.shards");
    let line = line.replace("--array=", "--stderr %{TASK_ID}.log --array ");
    let shell = Command::new("bash").args(["-c", &line]).current_dir(&desk.0).env("PATH", &path).output();
    assert_eq!(Ended::from(shell.unwrap()).code, 0, "{line}");
    assert!(desk.ok("shard merge a.plan --dir b.shards").contains("exhausted"));
}
