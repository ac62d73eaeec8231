//! A program that searches although its panics end the process. `cargo xtask expansions` builds it with `panic = "abort"`
//! and runs it.

#![forbid(unsafe_code)]

use smallscope::search::{Options, Search};
use smallscope::{Bounded, Bounds, rep_ok};

/// The second conjunct panics without the first one.
#[derive(Bounded)]
struct Forest {
    #[bounded(range = 0..=scope)]
    parent: Vec<usize>,
}

#[rep_ok]
impl Forest {
    fn rep_ok(&self) -> bool {
        self.parent.iter().all(|p| *p < self.parent.len())
            && (0..self.parent.len()).all(|i| self.parent[self.parent[i]] == self.parent[i])
    }
}

/// To find out what a conjunct is about, parts are hidden, and a panic is caught.
#[derive(Bounded)]
struct Halves {
    #[bounded(part = "left", range = 0..=scope)]
    left: usize,
    #[bounded(part = "right", range = 0..=scope)]
    right: Vec<usize>,
}

#[rep_ok]
impl Halves {
    fn rep_ok(&self) -> bool {
        self.left < self.right.len() && self.right[0] == 0
    }
}

fn main() {
    assert_eq!(smallscope::count::<Forest>(3).valid, 15);
    let report = smallscope::Check::new("halves", 2).run(|halves: &Halves| assert_eq!(halves.right[0], 0));
    assert!(report.is_exhaustive(), "{report}");
    assert_eq!(report.tested, 7);
    let options = Options::default().disjoint();
    let refused = Search::<Halves>::new(&Bounds::scope(2), options).err().map(|error| error.to_string());
    assert_eq!(refused.is_some(), cfg!(panic = "abort"));
    assert!(refused.map_or(true, |why| why.contains("panic = \"abort\"")));
    // Whole arguments are still searched one by one.
    let pairs = smallscope::Check::new("pairs", 2).disjoint(smallscope::Disjoint::On).run(|_: &Forest, _: bool| ());
    assert!(pairs.is_exhaustive(), "{pairs}");
    println!("searched");
}
