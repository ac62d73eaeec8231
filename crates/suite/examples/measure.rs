//! Measures size and speed: `cargo run --release -p smallscope-suite --example measure`.

#[path = "../tests/suite/streams.rs"]
mod streams;

use smallscope_suite::{Ending, Error, Header, Reader, Stream, Writer};
use std::fs::{self, File};
use std::hint::black_box;
use std::io::Cursor;
use std::time::Instant;

/// Entries as a search delivers them: the number of kept choices, and the new ones.
#[derive(Default)]
struct Moves {
    /// Kept choices, and where the new ones end.
    moves: Vec<(u32, usize)>,
    choices: Vec<u32>,
    last: Vec<u32>,
}

impl Moves {
    fn add(&mut self, path: &[u32]) {
        let kept = self.last.iter().zip(path).take_while(|(a, b)| a == b).count();
        self.choices.extend_from_slice(&path[kept..]);
        self.moves.push((kept as u32, self.choices.len()));
        self.last.clear();
        self.last.extend_from_slice(path);
    }

    fn write(&self) -> Result<Vec<u8>, Error> {
        let header = Header::new()
            .with("structure", "SearchTree")
            .with("type", "smallscope_catalogue::search_tree::SearchTree")
            .with("bounds", "Node: 8 objects, SearchTree.size: 0..=8, Node.key: 0..8")
            .with("engine", "korat")
            .with("layout", "0015290da6fdeb61");
        let mut writer = Writer::create(Vec::with_capacity(1 << 24), &header)?;
        let mut start = 0;
        for (i, &(kept, end)) in self.moves.iter().enumerate() {
            let explored = 3 * i as u64;
            writer.push(kept as usize, &self.choices[start..end], explored, || explored)?;
            start = end;
        }
        let count = self.moves.len() as u64;
        let outcome = Ending::EXHAUSTED.into();
        writer.finish(&Ending { outcome, explored: 3 * count, valid: count, position: None })
    }
}

/// Returns the shortest of several runs, in nanoseconds per entry.
fn shortest<T>(entries: usize, mut run: impl FnMut() -> T) -> f64 {
    let repetitions = (10_000_000 / entries).clamp(3, 1000);
    let time = || {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64()
    };
    std::iter::repeat_with(time).take(repetitions).fold(f64::INFINITY, f64::min) * 1e9 / entries as f64
}

fn measure(name: &str, generate: impl FnOnce(streams::Visit)) -> Result<Vec<u8>, Error> {
    let mut moves = Moves::default();
    generate(&mut |path| moves.add(path));
    let entries = moves.moves.len();
    let file = moves.write()?;
    let push = shortest(entries, || moves.write());
    let read = shortest(entries, || -> Result<u64, Error> {
        let mut reader = Reader::open(Cursor::new(&file))?;
        let mut entries = reader.entries(0);
        let mut sum = 0;
        while let Some(path) = entries.next()? {
            sum += u64::from(black_box(path)[path.len() - 1]);
        }
        Ok(sum)
    });
    let stream = shortest(entries, || -> Result<u64, Error> {
        let mut stream = Stream::new(&file[..]);
        let mut sum = 0;
        while let Some(path) = stream.next()? {
            sum += u64::from(black_box(path)[path.len() - 1]);
        }
        Ok(sum)
    });
    println!(
        "{name:36} {entries:9} entries, {:4.1} new choices each: {:6.3} bytes, push {push:5.1} ns, \
         read {:5.1} M/s, stream {:5.1} M/s",
        moves.choices.len() as f64 / entries as f64,
        file.len() as f64 / entries as f64,
        1e3 / read,
        1e3 / stream,
    );
    Ok(file)
}

/// Measures opening a file, and reading entries at random places.
fn measure_access(bytes: &[u8]) -> Result<(), Error> {
    let path = std::env::temp_dir().join(format!("smallscope-measure-{}.suite", std::process::id()));
    fs::write(&path, bytes)?;
    let start = Instant::now();
    let mut reader = Reader::open(File::open(&path)?)?;
    let open = start.elapsed();
    let start = Instant::now();
    Reader::open(Cursor::new(&bytes[..bytes.len() - 1]))?;
    let scan = start.elapsed();
    let mut index = 1_u64;
    let next = || {
        index = index.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((index >> 16) % reader.len(), f64::INFINITY)
    };
    let mut accesses: Vec<(u64, f64)> = std::iter::repeat_with(next).take(5000).collect();
    // The shortest of several times, to exclude other processes.
    for _ in 0..5 {
        for (index, shortest) in &mut accesses {
            let start = Instant::now();
            black_box(reader.get(*index)?);
            *shortest = shortest.min(start.elapsed().as_secs_f64() * 1e6);
        }
    }
    let mut times: Vec<f64> = accesses.into_iter().map(|(_, time)| time).collect();
    times.sort_by(f64::total_cmp);
    println!(
        "a file of {} entries, {} bytes: opened in {open:.1?} (without the footer, in memory: {scan:.1?}); an \
         entry at random: {:.1} µs (median), {:.1} µs (slowest of {})",
        reader.len(),
        bytes.len(),
        times[times.len() / 2],
        times[times.len() - 1],
        times.len(),
    );
    Ok(fs::remove_file(path)?)
}

fn main() -> Result<(), Error> {
    measure("search trees, up to 8 nodes", |visit| streams::search_trees(0..=8, 8, visit))?;
    measure("search trees, 8 nodes", |visit| streams::search_trees(8..=8, 8, visit))?;
    measure("doubly linked lists, 8 and header", |visit| {
        streams::doubly_linked_lists(9, usize::MAX, visit);
    })?;
    measure("the same, with two slots for one", |visit| {
        streams::doubly_linked_lists(9, usize::MAX, &mut |path| {
            visit(&path.iter().flat_map(|&choice| [choice, 0]).collect::<Vec<_>>());
        });
    })?;
    let large = measure("doubly linked lists, 11 and header", |visit| {
        streams::doubly_linked_lists(12, 10_000_000, visit);
    })?;
    measure_access(&large)
}
