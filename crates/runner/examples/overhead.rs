//! Measures the cost of saving: counts and saves some structures in turn, and prints bytes per structure and the speed
//! of reading. The arguments are the number of rounds, of which the fastest counts, and names of structures.

use smallscope_catalogue::structure;
use smallscope_runner::session::{Observer, Progress, Request, Run, Space, Subject, Summary, perform};
use smallscope_runner::settings::Settings;
use smallscope_suite::Reader;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;
use std::time::{Duration, Instant};

const CASES: &[(&str, &[i64], &str)] = &[
    ("search-tree", &[8, 8, 8, 0, 7], "korat"),
    ("search-tree", &[8, 0, 8, 0, 7], "owned"),
    ("doubly-linked-list", &[8, 8, 9, 9], "korat"),
    ("doubly-linked-list", &[11, 11, 12, 12], "korat"),
    ("singly-linked-list", &[11, 11, 12, 12], "korat"),
    ("sorted-list", &[12, 12, 13, 12], "korat"),
    ("heap-array", &[8, 8, 8], "korat"),
    ("binomial-heap", &[8], "korat"),
    ("red-black-tree", &[9, 9, 9, 9], "korat"),
    ("ring", &[7, 0, 7, 14], "korat"),
];

/// Ignores everything.
struct Deaf;

impl Observer for Deaf {
    fn print(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }
    fn progress(&mut self, _: &Progress) {}
    fn is_stopped(&self) -> bool {
        false
    }
}

fn run(name: &str, args: &[i64], engine: &str, save: Option<&Path>) -> (Summary, f64) {
    let structure = structure(name).expect("the catalogue has it");
    let subject = Subject { name: name.to_owned(), package: None, place: None, open: &structure.open };
    let request = Request::Run(Run {
        space: Space {
            bounds: Some((structure.bounds)(args)),
            args: None,
            settings: Settings { engine: engine.parse().ok(), threads: Some(1), ..Settings::default() },
        },
        print: false,
        save: save.map(Path::to_owned),
        force: true,
        list_classes: false,
        checkpoint: None,
        checkpoint_every: Duration::from_secs(3600),
    });
    let start = Instant::now();
    let summary = perform(&subject, &request, &mut Deaf).unwrap_or_else(|e| panic!("{e}"));
    (summary.expect("a run is summed up"), start.elapsed().as_secs_f64())
}

/// Structures per second, reading each as a path.
fn read(file: &Path) -> f64 {
    let start = Instant::now();
    let mut reader =
        Reader::open(BufReader::new(File::open(file).expect("it was written"))).expect("a suite");
    let (len, mut choices) = (reader.len(), 0);
    let mut entries = reader.entries(0);
    while let Some(path) = entries.next().expect("a valid suite") {
        choices += path.len();
    }
    assert!(choices > 0);
    len as f64 / start.elapsed().as_secs_f64()
}

fn main() {
    let rounds: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(5);
    let names: Vec<String> = std::env::args().skip(2).collect();
    let file = std::env::temp_dir().join(format!("smallscope-overhead-{}", std::process::id()));
    println!(
        "{:<20}{:<14}{:>10}{:>12}{:>12}{:>10}{:>10}{:>12}",
        "structure", "arguments", "valid", "count, s", "save, s", "cost", "bytes", "read, M/s"
    );
    for &(name, args, engine) in CASES {
        if !names.is_empty() && !names.iter().any(|wanted| wanted == name) {
            continue;
        }
        let (mut count, mut save) = (f64::MAX, f64::MAX);
        let (mut bytes, mut valid, mut rate) = (0, 0, 0.0);
        for _ in 0..rounds {
            count = count.min(run(name, args, engine, None).1);
            let (summary, seconds) = run(name, args, engine, Some(&file));
            save = save.min(seconds);
            valid = summary.valid;
            bytes = summary.saved.map_or(0, |saved| saved.bytes);
            rate = f64::max(rate, read(&file));
        }
        let arguments = args.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
        println!(
            "{name:<20}{arguments:<14}{valid:>10}{count:>12.4}{save:>12.4}{:>9.1}%{:>10.2}{:>12.1}",
            100.0 * (save / count - 1.0),
            bytes as f64 / valid as f64,
            rate / 1e6
        );
    }
    let _ = std::fs::remove_file(file);
}
