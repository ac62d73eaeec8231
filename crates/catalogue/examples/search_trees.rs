//! Every binary search tree with up to 3 nodes over the keys 0, 1 and 2, as a text graph: one line per object.
//! Give another number to go further, and a second one to stop after that many trees.

use smallscope::{Bounds, Found, Key, Options, Search, Stop};
use smallscope_catalogue::search_tree::SearchTree;
use std::ops::ControlFlow;

fn main() {
    let mut numbers = std::env::args().skip(1).map(|arg| arg.parse::<u32>().unwrap_or_else(|_| usage(&arg)));
    let scope = numbers.next().unwrap_or(3);
    let most = numbers.next().map_or(u64::MAX, u64::from);

    let mut search = Search::<SearchTree<Key>>::new(&Bounds::scope(scope), Options::default())
        .unwrap_or_else(|error| usage(&error.to_string()));
    let space = search.space_bits();
    let mut shown = 0;
    let mut stop = Stop::Interrupted;
    while shown < most {
        match search.find_next(&mut |_| ControlFlow::Continue(())) {
            Ok(Found::Valid) => {
                shown += 1;
                println!("{}\n", search.graph());
            }
            Ok(Found::End) => {
                stop = search.outcome().stop;
                break;
            }
            Err(failure) => panic!("{failure}"),
        }
    }

    let explored = search.outcome().explored;
    println!("{shown} trees; {explored} candidates looked at, in a space of 2^{space:.1}.");
    println!(
        "The search is {stop}: {}",
        match stop {
            Stop::Exhausted =>
                format!("these are all search trees with up to {scope} nodes and {scope} keys."),
            _ => format!("there may be more trees with up to {scope} nodes and {scope} keys."),
        }
    );
}

fn usage(problem: &str) -> ! {
    eprintln!(
        "{problem}\nusage: cargo run -p smallscope-catalogue --example search_trees -- [NODES [TREES]]"
    );
    std::process::exit(2);
}
