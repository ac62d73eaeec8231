//! The cost of mutants that are off, counted by callgrind: `cargo xtask instructions --mutants` builds this program with and
//! without the feature `mutate`, and compares.

use smallscope_containers::TreeMap;

/// Insertions of random keys into one tree.
const INSERTIONS: u64 = 20_000;

fn main() {
    let mut map = TreeMap::new();
    let replaced = collected_loop(&mut map, INSERTIONS);
    println!("{INSERTIONS} insertions, {replaced} replaced, {} entries", map.len());
}

/// Keys are drawn by a linear congruence. Returns the number of values that were replaced.
#[inline(never)]
fn collected_loop(map: &mut TreeMap<u64, u64>, insertions: u64) -> u64 {
    let (mut random, mut replaced) = (1_u64, 0);
    for number in 0..insertions {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        replaced += u64::from(insert(map, random >> 33, number).is_some());
    }
    replaced
}

/// The operation. It is not merged with the loop, which would compare how well the compiler merges them.
#[inline(never)]
fn insert(map: &mut TreeMap<u64, u64>, key: u64, value: u64) -> Option<u64> {
    map.insert(key, value)
}
