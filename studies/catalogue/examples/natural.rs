//! Natural invariants with summaries: how fast values are drawn and listed, by processor time.
//!
//! ```console
//! $ cargo run --release -p smallscope-catalogue --example natural
//! ```

use smallscope::search::{Found, Options, Search};
use smallscope::summaries::Summaries;
use smallscope::{Bounded, Bounds, Key};
use smallscope_catalogue::avl_tree_natural::{self, NaturalAvlTree};
use smallscope_catalogue::red_black_tree_natural::{self, NaturalRedBlackTree, RedBlackShape};
use std::hint::black_box;
use std::ops::ControlFlow;

/// The processor time of this process so far, in seconds.
fn processor_time() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux has it");
    // Behind the name, which may have spaces.
    let fields: Vec<&str> = stat.rsplit(')').next().expect("a name").split_whitespace().collect();
    let ticks: f64 =
        fields[11].parse::<f64>().expect("a number") + fields[12].parse::<f64>().expect("a number");
    ticks / 100.0
}

fn timed<R>(what: &str, f: impl FnOnce() -> R) -> (R, f64) {
    let start = processor_time();
    let result = f();
    let took = processor_time() - start;
    println!("{what}: {took:.2} s");
    (result, took)
}

/// Lists all values, and builds and checks each of them if wanted.
fn list<T: Bounded>(bounds: &Bounds, builds: bool) -> u64 {
    let options = Options { summaries: Summaries::On, ..Options::default() };
    let mut search = Search::<T>::new(bounds, options).expect("the bounds are right");
    let mut values = 0;
    while search.find_next(&mut |_| ControlFlow::Continue(())).expect("the invariant behaves") == Found::Valid
    {
        values += 1;
        if builds {
            black_box(search.value().expect("it is valid"));
        }
    }
    values
}

fn main() {
    let bounds = red_black_tree_natural::shape_bounds(50, 50, 50);
    let (samples, _) = timed("red-black trees with 50 nodes: summaries", || {
        smallscope::sample::<RedBlackShape>(bounds, 7).expect("they can be drawn")
    });
    let number = 100_000;
    let (_, took) = timed("drawing, building and checking 100,000 of them", || {
        samples.take(number).for_each(|value| drop(black_box(value.expect("it is valid"))));
    });
    println!("{:.0} a second", number as f64 / took);
    for builds in [false, true] {
        let how = if builds { "listed, built and checked" } else { "listed" };
        let bounds = red_black_tree_natural::bounds(13, 0, 13, 13);
        let (values, _) = timed(&format!("red-black trees with up to 13 of 13 keys, {how}"), || {
            list::<NaturalRedBlackTree<Key>>(&bounds, builds)
        });
        assert_eq!(values, 428_381);
        let bounds = avl_tree_natural::bounds(13, 0, 13, 13);
        let (values, _) = timed(&format!("AVL trees with up to 13 of 13 keys, {how}"), || {
            list::<NaturalAvlTree<Key>>(&bounds, builds)
        });
        assert_eq!(values, 145_206);
    }
}
