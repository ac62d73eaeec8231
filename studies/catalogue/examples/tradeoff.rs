//! Which deliberate errors in the removal from a search tree a smaller suite still finds.

use smallscope::{Bounded, Bounds, Check, rep_ok};
use std::time::Instant;

#[derive(Bounded, Debug, Clone)]
struct Tree {
    root: Link,
    size: usize,
}

type Link = Option<Box<Node>>;

#[derive(Bounded, Debug, Clone)]
struct Node {
    key: u8,
    left: Link,
    right: Link,
}

#[rep_ok]
impl Tree {
    fn rep_ok(&self) -> bool {
        let mut count = 0;
        Self::is_ordered(&self.root, None, None, &mut count) && count == self.size
    }

    fn is_ordered(link: &Link, low: Option<u8>, high: Option<u8>, count: &mut usize) -> bool {
        let Some(node) = link else { return true };
        *count += 1;
        if low.is_some_and(|low| node.key <= low) || high.is_some_and(|high| node.key >= high) {
            return false;
        }
        Self::is_ordered(&node.left, low, Some(node.key), count)
            && Self::is_ordered(&node.right, Some(node.key), high, count)
    }
}

/// The error in the removal.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Wrong {
    Nothing,
    SizeStays,
    RightSubtreeLost,
    LeftSubtreeLost,
    OnlyLeftChildLost,
    OnlyRightChildLost,
    SuccessorsChildLost,
    SuccessorStays,
    RightChildInPlaceOfSuccessor,
    TwoChildrenIgnored,
    RootWithChildrenIgnored,
    DeepKeysIgnored,
    DeepSuccessorLost,
}

const WRONG: [Wrong; 12] = [
    Wrong::SizeStays,
    Wrong::RightSubtreeLost,
    Wrong::LeftSubtreeLost,
    Wrong::OnlyLeftChildLost,
    Wrong::OnlyRightChildLost,
    Wrong::SuccessorsChildLost,
    Wrong::SuccessorStays,
    Wrong::RightChildInPlaceOfSuccessor,
    Wrong::TwoChildrenIgnored,
    Wrong::RootWithChildrenIgnored,
    Wrong::DeepKeysIgnored,
    Wrong::DeepSuccessorLost,
];

impl Tree {
    fn keys(&self) -> Vec<u8> {
        fn collect(link: &Link, keys: &mut Vec<u8>) {
            if let Some(node) = link {
                collect(&node.left, keys);
                keys.push(node.key);
                collect(&node.right, keys);
            }
        }
        let mut keys = vec![];
        collect(&self.root, &mut keys);
        keys
    }

    fn remove(&mut self, key: u8, wrong: Wrong) {
        let (mut at, mut depth) = (&mut self.root, 0);
        while at.as_ref().is_some_and(|node| node.key != key) {
            let Some(node) = at else { return };
            at = if key < node.key { &mut node.left } else { &mut node.right };
            depth += 1;
        }
        let Some(node) = at else { return };
        let children = usize::from(node.left.is_some()) + usize::from(node.right.is_some());
        if depth > 3 && wrong == Wrong::DeepKeysIgnored
            || children == 2 && wrong == Wrong::TwoChildrenIgnored
            || depth == 0 && children == 2 && wrong == Wrong::RootWithChildrenIgnored
        {
            return;
        }
        if wrong != Wrong::SizeStays {
            self.size -= 1;
        }
        *at = match (node.left.take(), node.right.take()) {
            (None, None) => None,
            (child, None) => child.filter(|_| wrong != Wrong::OnlyLeftChildLost),
            (None, child) => child.filter(|_| wrong != Wrong::OnlyRightChildLost),
            (Some(_), right) if wrong == Wrong::LeftSubtreeLost => right,
            (left, Some(_)) if wrong == Wrong::RightSubtreeLost => left,
            (left, Some(mut right)) if wrong == Wrong::RightChildInPlaceOfSuccessor => {
                right.left = left;
                Some(right)
            }
            (left, right) => {
                let (key, right) = take_least(right, wrong);
                Some(Box::new(Node { key, left, right }))
            }
        };
    }
}

fn take_least(mut link: Link, wrong: Wrong) -> (u8, Link) {
    let (mut at, mut depth) = (&mut link, 0);
    while at.as_ref().is_some_and(|node| node.left.is_some()) {
        at = &mut at.as_mut().expect("it is there").left;
        depth += 1;
    }
    let least = at.take().expect("there is a least key");
    let key = least.key;
    *at = match wrong {
        Wrong::SuccessorStays => Some(least),
        Wrong::SuccessorsChildLost => None,
        Wrong::DeepSuccessorLost if depth > 1 => None,
        _ => least.right,
    };
    (key, link)
}

fn works(mut tree: Tree, key: u8, wrong: Wrong) {
    let mut expected = tree.keys();
    expected.retain(|k| *k != key);
    tree.remove(key, wrong);
    assert!(tree.rep_ok());
    assert_eq!(tree.keys(), expected);
}

fn main() {
    let check = || Check::new("removal", Bounds::scope(6)).threads(1);
    assert!(check().run(|tree, key| works(tree, key, Wrong::Nothing)).is_exhaustive());
    let suites: [(&str, &dyn Fn() -> Check); 10] = [
        ("all", &check),
        ("decision, 10 %", &|| check().criterion("decision").ratio(0.1)),
        ("decision, 1 %", &|| check().criterion("decision").ratio(0.01)),
        ("decision, one of each", &|| check().criterion("decision").per_class(1)),
        ("cdc, 10 %", &|| check().criterion("cdc").ratio(0.1)),
        ("cdc, 1 %", &|| check().criterion("cdc").ratio(0.01)),
        ("cdc, 1 %, random", &|| check().criterion("cdc").ratio(0.01).seed(7)),
        ("path, 10 %", &|| check().criterion("path").ratio(0.1)),
        ("path, 1 %", &|| check().criterion("path").ratio(0.01)),
        ("path, one of each", &|| check().criterion("path").per_class(1)),
    ];
    println!("{:<24}{:>9}{:>9}{:>8}{:>10}  missed", "suite", "classes", "values", "found", "ms");
    for (name, suite) in suites {
        let start = Instant::now();
        let whole = suite().run(|tree, key| works(tree, key, Wrong::Nothing));
        let time = start.elapsed().as_secs_f64() * 1e3;
        let missed: Vec<String> = WRONG
            .iter()
            .filter(|wrong| suite().run(|tree, key| works(tree, key, **wrong)).is_ok())
            .map(|wrong| format!("{wrong:?}"))
            .collect();
        let classes = whole.reduced.as_ref().map_or("-".to_owned(), |reduced| reduced.classes.to_string());
        let found = WRONG.len() - missed.len();
        println!("{name:<24}{classes:>9}{:>9}{found:>8}{time:>10.1}  {}", whole.tested, missed.join(", "));
    }
}
