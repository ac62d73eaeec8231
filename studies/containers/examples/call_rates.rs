//! Calls and transitions per second of processor time on one thread, and bytes per state, on the tree map without
//! probes. Also the time for indices of long tests.
//!
//! `cargo run --release -p smallscope-containers --example call_rates`, with `-- threads` for threads alone

use std::time::{Duration, Instant};

use smallscope::sequences::{
    Abstraction, Builder, Context, Error, Explorer, Pool, Runner, Strategy, by_mut, by_ref, into, seen, value,
};
use smallscope_containers::TreeMap;

type Map = TreeMap<i32, i32>;

fn context(keys: i32, pool: Pool<Map>) -> Builder {
    Context::builder()
        .pool(pool.cloned().linearized().frozen())
        .pool(Pool::of(0..keys))
        .function("TreeMap::new", (), into(), |()| Map::new())
        .method("insert", (by_mut::<Map>(), value::<i32>(), value::<i32>()), seen(), |(t, k, v)| {
            t.insert(k, v)
        })
        .method("remove", (by_mut::<Map>(), by_ref::<i32>()), seen(), |(t, k)| t.remove(k))
        .method("get", (by_ref::<Map>(), by_ref::<i32>()), seen(), |(t, k)| t.get(k).copied())
}

/// Keys and values are the same, so that there are more trees than ways to fill them.
fn set(keys: i32) -> Builder {
    Context::builder()
        .pool(Pool::<Map>::empty(1).and(Map::new()).cloned().linearized().frozen())
        .pool(Pool::of(0..keys))
        .method("insert", (by_mut::<Map>(), value::<i32>()), seen(), |(t, k)| t.insert(k, k))
        .method("remove", (by_mut::<Map>(), by_ref::<i32>()), seen(), |(t, k)| t.remove(k))
        .method("get", (by_ref::<Map>(), by_ref::<i32>()), seen(), |(t, k)| t.get(k).copied())
}

/// The processor time of this thread, where the system provides it; otherwise the elapsed time.
fn processor_time(begun: Instant) -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse().ok());
    nanoseconds.map_or_else(|| begun.elapsed(), Duration::from_nanos)
}

/// What a function returns, and how long it took.
fn timed<R>(f: impl FnOnce() -> R) -> (R, f64) {
    let begun = Instant::now();
    let before = processor_time(begun);
    let result = f();
    (result, (processor_time(begun) - before).as_secs_f64())
}

fn run(name: &str, context: &Context, strategy: Strategy, tests: u64) -> Result<(), Error> {
    let (report, seconds) = timed(|| Runner::new(context, strategy).max_tests(tests).run());
    let report = report?;
    let rate = report.counts.calls as f64 / seconds / 1e6;
    println!("{name:40} {:10} calls {rate:8.2} million calls/s", report.counts.calls);
    Ok(())
}

fn explore(name: &str, explorer: Explorer<'_>) -> Result<(), Error> {
    let (found, seconds) = timed(|| explorer.explore());
    let found = found?;
    let rate = match found.transitions as f64 / seconds / 1e6 {
        rate if seconds > 0.01 => format!("{rate:6.2} million/s"),
        _ => "too few to measure".to_owned(),
    };
    let (states, transitions, bytes) = (found.states, found.transitions, found.bytes_per_state());
    println!("{name:40} {states:9} states {transitions:9} transitions {rate:>18} {bytes:6.1} bytes/state");
    Ok(())
}

/// The index of a test, and the test of that index.
fn indices(context: &Context) -> Result<(), Error> {
    for length in [1_000, 10_000, 100_000] {
        let strategy = Strategy::bobw(context, length, 1)?;
        let (test, made) = timed(|| strategy.tests().next().expect("there are tests"));
        let (index, there) = timed(|| context.index_of(&test));
        let (again, back) = timed(|| context.test_at(length, &index));
        assert!(again? == test);
        let [made, there, back] = [made, there, back].map(|seconds| seconds * 1e3);
        let bytes = index.bits() / 8;
        println!(
            "{length:6} calls: test of a position {made:.2} ms, its index {there:.2} ms, back {back:.2} ms; {bytes} bytes"
        );
    }
    Ok(())
}

/// Compares one thread with two, in turns, since other processes may use the machine. Then the processor time says more
/// than the elapsed time.
fn on_threads(name: &str, context: &Context) -> Result<(), Error> {
    for _ in 0..3 {
        let run = |threads| {
            let before = processor_time_of_process();
            let (found, first) = timed(|| Explorer::new(context).threads(threads).explore());
            let seconds = found?.time.as_secs_f64();
            Ok((seconds, first, processor_time_of_process() - before))
        };
        let (one_by_clock, one, _) = run(1)?;
        let (two_by_clock, first, all) = run(2)?;
        println!(
            "{name}: by the clock {one_by_clock:.2} s on one thread, {two_by_clock:.2} s on two; of processor time {one:.2} s \
             on one, {all:.2} s on two, with {first:.2} s of it for the table: with two free cores {:.2} times as fast",
            2.0 * one / all
        );
    }
    Ok(())
}

/// The processor time of all threads, in hundredths of a second, where the system provides it.
fn processor_time_of_process() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2);
    fields.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn main() -> Result<(), Error> {
    if std::env::args().any(|argument| argument == "threads") {
        return on_threads("complete, set with 14 keys", &set(14).build()?);
    }
    let plain = context(4, Pool::empty(1).and(Map::new())).build()?;
    let checked = context(4, Pool::empty(1).and(Map::new()).invariant(Map::rep_ok)).build()?;
    let filled = context(8, Pool::empty(1).and(Map::new())).build()?;
    indices(&plain)?;
    run("be(5)", &plain, Strategy::be(&plain, 5)?, u64::MAX)?;
    run("be(5), invariant", &checked, Strategy::be(&checked, 5)?, u64::MAX)?;
    for length in [10, 100, 1000] {
        let tests = 8_000_000 / length;
        run(
            &format!("random({length})"),
            &filled,
            Strategy::random(&filled, length as usize, tests, 1)?,
            tests,
        )?;
        run(&format!("bobw({length})"), &filled, Strategy::bobw(&filled, length as usize, 1)?, tests)?;
    }
    explore("complete, map with 4 keys, length 5", Explorer::new(&plain).max_length(5))?;
    explore("classical, map with 4 keys, length 5", Explorer::new(&plain).classical().max_length(5))?;
    let shape = || Explorer::new(&plain).abstraction(Abstraction::Shape);
    explore("shape, map with 4 keys, length 5", shape().max_length(5))?;
    let map = context(6, Pool::empty(1)).build()?;
    explore("complete, map with 6 keys, length 8", Explorer::new(&map).max_length(8).max_states(3_000_000))?;
    let set = set(14).build()?;
    explore("complete, set with 14 keys", Explorer::new(&set))?;
    explore("shape, set with 14 keys", Explorer::new(&set).abstraction(Abstraction::Shape))?;
    explore("replayed, set with 14 keys", Explorer::new(&set).replaying().max_states(30_000))?;
    explore(
        "depth first, set with 14 keys",
        Explorer::new(&set).depth_first().max_length(12).max_states(200_000),
    )?;
    explore("exact, set with 14 keys", Explorer::new(&set).exact())?;
    on_threads("complete, set with 14 keys", &set)
}
