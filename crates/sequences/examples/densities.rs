//! The best length of tests, for a number of distinct calls (rows) and a length of the failing sequence (columns).
//!
//! `cargo run --release -p smallscope-sequences --example densities`

use smallscope_sequences::Error;
use smallscope_sequences::density::{best_length, density};

fn main() -> Result<(), Error> {
    println!("| calls | k = 1 | 2 | 3 | 4 |\n|---|---|---|---|---|");
    for j in [2, 5, 10, 20, 50, 100] {
        let lengths = (1..=4).map(|k| {
            let length = best_length(j, k, 100_000)?;
            let density = density(j, k, length).to_f64();
            Ok(format!("{length} ({:.2} %)", 100.0 * density))
        });
        let lengths = lengths.collect::<Result<Vec<_>, Error>>()?;
        println!("| {j} | {} |", lengths.join(" | "));
    }
    Ok(())
}
