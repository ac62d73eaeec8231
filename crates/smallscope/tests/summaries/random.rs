//! Random predicates: mutually recursive helpers that are tables of random steps, against the plain search.

use super::{candidates, on};
use smallscope::search::Options;
use smallscope::summaries::{Limits, with_limits};
use smallscope::{Bounded, Bounds, rep_ok};
use std::cell::RefCell;

/// One step of a helper.
#[derive(Clone, Copy, Debug)]
enum Act {
    Data,
    LeaveIf(bool),
    Left(usize),
    Right(usize),
    LeftIfOdd(usize),
    Peek,
    Grandchild(usize),
    IsLeaf,
    Accumulate,
    Argument,
}

const HELPERS: usize = 3;

#[derive(Clone, Debug)]
struct Program {
    helpers: Vec<(u8, Vec<Act>)>,
    /// A conjunct is a helper, an argument and the results that are accepted, as bits.
    conjuncts: [(usize, u8, u8); 3],
}

thread_local! {
    static PROGRAM: RefCell<Program> =
        const { RefCell::new(Program { helpers: vec![], conjuncts: [(0, 0, 0); 3] }) };
}

fn steps(helper: usize) -> Vec<Act> {
    PROGRAM.with_borrow(|p| p.helpers[helper].1.clone())
}

fn of_nothing(helper: usize) -> u8 {
    PROGRAM.with_borrow(|p| p.helpers[helper].0)
}

fn conjunct(i: usize) -> (usize, u8, u8) {
    PROGRAM.with_borrow(|p| p.conjuncts[i])
}

#[derive(Bounded, Debug)]
struct Tree {
    root: Option<Box<Node>>,
    other: Option<Box<Node>>,
}

#[derive(Bounded, Debug)]
struct Node {
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
    data: u8,
    flag: bool,
}

#[rep_ok(opaque(Act))]
impl Tree {
    fn rep_ok(&self) -> bool {
        Self::accepts(&self.root, 0) && Self::accepts(&self.other, 1) && Self::accepts(&self.root, 2)
    }

    fn accepts(t: &Option<Box<Node>>, i: usize) -> bool {
        let (helper, argument, accepted) = conjunct(i);
        accepted >> Self::eval(t, helper, argument) & 1 == 1
    }

    fn eval(t: &Option<Box<Node>>, helper: usize, argument: u8) -> u8 {
        let Some(n) = t else { return of_nothing(helper) };
        let mut r = argument;
        for act in steps(helper) {
            match act {
                Act::Data => r = (r * 2 + n.data) % 5,
                Act::LeaveIf(flag) => {
                    if n.flag == flag {
                        return r;
                    }
                }
                Act::Left(h) => r = (r + Self::eval(&n.left, h, 0)) % 5,
                Act::Right(h) => r = (r * 3 + Self::eval(&n.right, h, r)) % 5,
                Act::LeftIfOdd(h) => {
                    if r % 2 == 1 {
                        r = Self::eval(&n.left, h, 1);
                    }
                }
                Act::Peek => {
                    if let Some(l) = &n.left {
                        r = (r + l.data) % 5;
                    }
                }
                Act::Grandchild(h) => {
                    if let Some(l) = &n.left {
                        r = (r + Self::eval(&l.right, h, 2)) % 5;
                    }
                }
                Act::IsLeaf => {
                    if n.left.is_none() && n.right.is_none() {
                        r = (r + 1) % 5;
                    }
                }
                Act::Accumulate => Self::accumulate(&n.right, &mut r),
                Act::Argument => r = (r + argument) % 5,
            }
        }
        r
    }

    fn accumulate(t: &Option<Box<Node>>, sum: &mut u8) {
        if let Some(n) = t {
            *sum = (*sum + n.data + 1) % 5;
            Self::accumulate(&n.left, sum);
        }
    }
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn act(&mut self) -> Act {
        let helper = self.below(HELPERS as u64) as usize;
        match self.below(10) {
            0 => Act::Data,
            1 => Act::LeaveIf(self.below(2) == 0),
            2 => Act::Left(helper),
            3 => Act::Right(helper),
            4 => Act::LeftIfOdd(helper),
            5 => Act::Peek,
            6 => Act::Grandchild(helper),
            7 => Act::IsLeaf,
            8 => Act::Accumulate,
            _ => Act::Argument,
        }
    }

    fn program(&mut self) -> Program {
        let mut helpers = vec![];
        for _ in 0..HELPERS {
            let length = 1 + self.below(4);
            let nothing = self.below(5) as u8;
            helpers.push((nothing, (0..length).map(|_| self.act()).collect()));
        }
        let mut conjunct =
            || (self.below(HELPERS as u64) as usize, self.below(5) as u8, self.below(32) as u8);
        let conjuncts = [conjunct(), conjunct(), conjunct()];
        Program { helpers, conjuncts }
    }

    pub fn limits(&mut self) -> Limits {
        match self.below(3) {
            0 => Limits { audited: 1, ..Limits::default() },
            1 => Limits { answers: self.below(6) as usize, ..Limits::default() },
            _ => Limits {
                answers: self.below(6) as usize,
                reads: self.below(40) as usize,
                ..Limits::default()
            },
        }
    }
}

/// How many predicates are compared.
pub fn number() -> u64 {
    let number = std::env::var("RANDOM_PREDICATES").map_or(Ok(200), |n| n.parse());
    number.unwrap_or_else(|_| panic!("RANDOM_PREDICATES is a number"))
}

/// The numbers that predicates are made of: other ones for each seed.
pub fn seeded(by: u64) -> Random {
    let seed: u64 =
        std::env::var("RANDOM_SEED").map_or(Ok(0), |n| n.parse()).expect("RANDOM_SEED is a number");
    Random(by.wrapping_add(seed.wrapping_mul(0x0001_0000_0001)))
}

#[test]
fn random_predicates_have_the_same_values_with_and_without_summaries() {
    let mut random = seeded(17);
    let (mut values, mut summarised) = (0, 0);
    for i in 0..number() {
        let program = random.program();
        PROGRAM.with_borrow_mut(|p| *p = program.clone());
        let bounds = Bounds::exact().objects("Node", 2 + random.below(2) as u32).ints("Node.data", 0..=1);
        let plain = candidates::<Tree>(&bounds, Options::default()).unwrap().0;
        let limits = random.limits();
        let with = with_limits(limits, || candidates::<Tree>(&bounds, on())).unwrap();
        assert!(plain == with.0, "predicate {i}, {program:?}, {limits:?}");
        values += plain.len();
        summarised += usize::from(with_limits(limits, || super::report::<Tree>(&bounds)).is_ok());
    }
    assert!(values > 0 && summarised > 0);
}
