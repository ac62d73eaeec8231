//! Trees with vectors of structures or boxes, and random predicates on them: folds that are summarised, folds that capture, loops and
//! indices.

use smallscope::{Bounded, Bounds, rep_ok};
use std::cell::RefCell;

/// One step of a helper. Numbers are those of helpers.
#[derive(Clone, Copy, Debug)]
enum Act {
    Data,
    Length,
    LeaveIf(u8),
    Max(usize),
    Min(usize),
    Sum(usize),
    All(usize),
    Any(usize),
    Fold(usize),
    FoldWith,
    Loop(usize),
    LoopUntil(usize),
    Index(usize),
    Last(usize),
    Tail,
    Init,
    Peek,
    Grandchildren,
    Accumulate,
}

#[derive(Clone, Debug, Default)]
pub struct Program {
    helpers: Vec<Vec<Act>>,
    /// A conjunct is a helper and the results that are accepted, as bits.
    conjuncts: [(usize, u8); 2],
}

thread_local! {
    static PROGRAM: RefCell<Program> = const { RefCell::new(Program { helpers: vec![], conjuncts: [(0, 0); 2] }) };
}

fn steps(helper: usize) -> Vec<Act> {
    PROGRAM.with_borrow(|p| p.helpers[helper].clone())
}

fn conjunct(i: usize) -> (usize, u8) {
    PROGRAM.with_borrow(|p| p.conjuncts[i])
}

macro_rules! bush {
    ($bush:ident, $branch:ident, $($children:tt)*) => {
        #[derive(Bounded, Debug)]
        pub struct $bush {
            root: $branch,
            boxed: Option<Box<$branch>>,
        }

        #[derive(Bounded, Debug)]
        struct $branch {
            data: u8,
            children: $($children)*,
        }

        #[rep_ok(opaque(Act))]
        impl $bush {
            fn rep_ok(&self) -> bool {
                Self::accepts(&self.root, 0) && self.boxed.as_ref().is_none_or(|b| Self::accepts(b, 1))
            }

            fn accepts(b: &$branch, i: usize) -> bool {
                let (helper, accepted) = conjunct(i);
                accepted >> Self::eval(b, helper) & 1 == 1
            }

            fn eval(b: &$branch, helper: usize) -> u8 {
                let mut r = 1;
                for act in steps(helper) {
                    r = match act {
                        Act::Data => r * 2 + b.data,
                        Act::Length => r + b.children.len() as u8,
                        Act::LeaveIf(data) if b.data == data => return r,
                        Act::LeaveIf(_) => r,
                        Act::Max(0) => r + b.children.iter().map(|c| Self::eval(c, 0)).max().unwrap_or(3),
                        Act::Max(_) => r + b.children.iter().map(|c| Self::eval(c, 1)).max().unwrap_or(0),
                        Act::Min(0) => r + b.children.iter().map(|c| Self::eval(c, 0)).min().unwrap_or(4),
                        Act::Min(_) => r * 3 + b.children.iter().map(|c| Self::eval(c, 1)).min().unwrap_or(1),
                        Act::Sum(0) => r + b.children.iter().map(|c| Self::eval(c, 0)).sum::<u8>(),
                        Act::Sum(_) => r + b.children.iter().map(|c| Self::second(c)).sum::<u8>(),
                        Act::All(0) => r + u8::from(b.children.iter().all(|c| Self::eval(c, 0) > 2)),
                        Act::All(_) => r * u8::from(b.children.iter().all(|c| c.data == 1 || Self::eval(c, 1) < 3)),
                        Act::Any(0) => r + u8::from(b.children.iter().any(|c| Self::eval(c, 0) == 2)),
                        Act::Any(_) => r + 2 * u8::from(b.children.iter().any(|c| Self::eval(c, 1) % 2 == 0)),
                        Act::Fold(0) => b.children.iter().fold(0, |sum, c| (sum * 2 + Self::eval(c, 0)) % 5),
                        Act::Fold(_) => r + b.children.iter().fold(1, |sum, c| (sum + Self::eval(c, 1)) % 3),
                        Act::FoldWith => b.children.iter().fold(r, |sum, c| (sum + r + c.data) % 5),
                        Act::Loop(h) => {
                            let mut sum = r;
                            for c in &b.children {
                                sum = (sum * 2 + Self::eval(c, h)) % 5;
                            }
                            sum
                        }
                        Act::LoopUntil(h) => {
                            for (i, c) in b.children.iter().enumerate() {
                                if Self::eval(c, h) == 1 {
                                    return i as u8 % 5;
                                }
                            }
                            r
                        }
                        Act::Index(h) if b.children.len() > 1 => r + Self::eval(&b.children[1], h),
                        Act::Index(_) => r,
                        Act::Last(h) => r + b.children.last().map_or(0, |c| Self::eval(c, h)),
                        Act::Tail if b.children.is_empty() => r,
                        Act::Tail => r + b.children[1..].iter().map(|c| Self::eval(c, 0)).max().unwrap_or(2),
                        Act::Init if b.children.len() < 2 => r,
                        Act::Init => r + 2 * u8::from(b.children[..1].iter().any(|c| Self::eval(c, 1) == 1)),
                        Act::Peek => r + b.children.first().map_or(0, |c| c.data + c.children.len() as u8),
                        Act::Grandchildren => {
                            r + b.children.iter().map(|c| c.children.iter().map(|g| g.data).sum::<u8>()).sum::<u8>()
                        }
                        Act::Accumulate => {
                            let mut sum = r;
                            b.children.iter().for_each(|c| Self::accumulate(c, &mut sum));
                            sum
                        }
                    } % 5;
                }
                r
            }

            fn second(b: &$branch) -> u8 {
                Self::eval(b, 1)
            }

            fn accumulate(b: &$branch, sum: &mut u8) {
                *sum = (*sum * 2 + b.data) % 5;
                for c in &b.children {
                    Self::accumulate(c, sum);
                }
            }
        }
    };
}
bush!(Bush, Branch, Vec<Branch>);
bush!(Thicket, Bough, Vec<Box<Bough>>);

fn act(below: &mut dyn FnMut(u64) -> u64) -> Act {
    let helper = below(2) as usize;
    match below(19) {
        0 => Act::Data,
        1 => Act::Length,
        2 => Act::LeaveIf(below(2) as u8),
        3 => Act::Max(helper),
        4 => Act::Min(helper),
        5 => Act::Sum(helper),
        6 => Act::All(helper),
        7 => Act::Any(helper),
        8 => Act::Fold(helper),
        9 => Act::FoldWith,
        10 => Act::Loop(helper),
        11 => Act::LoopUntil(helper),
        12 => Act::Index(helper),
        13 => Act::Last(helper),
        14 => Act::Peek,
        15 => Act::Grandchildren,
        16 => Act::Tail,
        17 => Act::Init,
        _ => Act::Accumulate,
    }
}

/// A random predicate: `below` returns numbers below its argument. From now on it is the invariant of bushes on this thread.
pub fn predicate(below: &mut dyn FnMut(u64) -> u64) -> Program {
    let mut helpers = vec![];
    for _ in 0..2 {
        let length = 1 + below(3);
        helpers.push((0..length).map(|_| act(below)).collect());
    }
    let mut conjunct = || (below(2) as usize, 1 + below(31) as u8);
    let program = Program { helpers, conjuncts: [conjunct(), conjunct()] };
    PROGRAM.with_borrow_mut(|p| *p = program.clone());
    program
}

/// At most so many branches or boughs.
pub fn bushes(of: &str, objects: u32) -> Bounds {
    let (children, data) = (format!("{of}.children"), format!("{of}.data"));
    Bounds::exact().objects(of, objects).len(&children, 0..=2).ints(&data, 0..=1)
}
