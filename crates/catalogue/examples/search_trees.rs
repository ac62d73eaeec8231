//! Every binary search tree with up to 3 nodes over the keys 0, 1 and 2, as a text graph: one line per object.
//! Give another number to go further, and a second one to stop after that many trees.

use smallscope::{Bounds, Found, Key, Options, Search, Stop};
use smallscope_catalogue::search_tree::SearchTree;
use std::io::{self, Write};
use std::ops::ControlFlow;

fn main() {
    let number = |arg: String| arg.parse().unwrap_or_else(|_| usage(&format!("`{arg}` is not a number")));
    let numbers: Vec<u32> = std::env::args().skip(1).map(number).collect();
    let (scope, most) = match numbers[..] {
        [] => (3, u64::MAX),
        [scope] => (scope, u64::MAX),
        [scope, most] => (scope, most.into()),
        _ => usage("too many arguments"),
    };
    match show(scope, most, &mut io::stdout().lock()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => panic!("{e}"),
        _ => {}
    }
}

fn show(scope: u32, most: u64, out: &mut impl Write) -> io::Result<()> {
    let mut search = Search::<SearchTree<Key>>::new(&Bounds::scope(scope), Options::default())
        .unwrap_or_else(|error| usage(&error.to_string()));
    let mut shown = 0;
    let mut stop = Stop::Interrupted;
    while shown < most {
        match search.find_next(&mut |_| ControlFlow::Continue(())) {
            Ok(Found::Valid) => {
                shown += 1;
                writeln!(out, "{}\n", search.graph())?;
            }
            Ok(Found::End) => {
                stop = search.outcome().stop;
                break;
            }
            Err(failure) => panic!("{failure}"),
        }
    }
    let (explored, space) = (search.outcome().explored, search.space_bits());
    writeln!(out, "{shown} trees; {explored} candidates looked at, in a space of 2^{space:.1}.")?;
    let bounds = format!("search trees with up to {scope} nodes and {scope} keys");
    match stop {
        Stop::Exhausted => writeln!(out, "The search is {stop}: these are all {bounds}."),
        _ => writeln!(out, "The search was {stop}: there may be more {bounds}."),
    }
}

fn usage(problem: &str) -> ! {
    eprintln!(
        "{problem}\nusage: cargo run -p smallscope-catalogue --example search_trees -- [NODES [TREES]]"
    );
    std::process::exit(2);
}
