//! Prints the mutants of operations that no value within their largest bounds tells from the original.
//!
//! `cargo run --release -p smallscope-operations --example survivors [STRUCTURE [OPERATION [ARGUMENT..]]]`

use smallscope::search::Options;
use smallscope_operations::{OPERATIONS, Operation, Part, measure, parts};
use std::time::Instant;

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let is_meant = |operation: &&Operation| {
        given.first().is_none_or(|name| operation.structure == name)
            && given.get(1).is_none_or(|name| operation.name == name)
    };
    for operation in OPERATIONS.iter().filter(is_meant) {
        let args: Vec<i64> = given.iter().skip(2).map(|text| text.parse().expect("a number")).collect();
        let args = if args.is_empty() { operation.largest.to_vec() } else { args };
        let structure = smallscope_catalogue::structure(operation.structure).expect("it is in the catalogue");
        let begin = Instant::now();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let bounds = (structure.bounds)(&args);
        let options = Options::default();
        let all = parts(operation, &bounds, options, &[Part::All]).expect("the bounds fit");
        let (values, mutants) = measure(operation, &bounds, options, &all, threads).expect("the bounds fit");
        let marked = mutants.iter().filter(|m| m.equivalent.is_some()).count();
        let killed = mutants.iter().filter(|m| m.first[0].is_some()).count();
        let last = mutants.iter().filter_map(|m| m.first[0]).max().unwrap_or(0);
        println!(
            "{} {} {args:?}: {values} values, {} mutants, {marked} marked, {killed} killed (the last by value {last}), {:.2} s",
            operation.structure,
            operation.name,
            mutants.len(),
            begin.elapsed().as_secs_f64()
        );
        for measured in &mutants {
            let mutant = measured.known.mutant;
            if measured.first[0].is_none() && measured.equivalent.is_none() {
                println!(
                    "  {}:{} `{}` -> `{}`",
                    measured.known.file, mutant.line, mutant.before, mutant.after
                );
                println!("    {}", measured.known.id);
            }
        }
    }
}
