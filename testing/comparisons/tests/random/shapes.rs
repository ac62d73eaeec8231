//! The types of the universe, the bounds that can be varied, and programs that are worth a comparison.

use crate::classes::{Covered, classes};
use crate::criteria::{Classes, criteria};
use crate::look::Root;
use crate::mangle::{Mangled, mangle};
use crate::program::{Program, install};
use crate::questioned as q;
use crate::ranges::{Pieces, ranges};
use crate::rng::Rng;
use crate::universe as u;
use smallscope::search::{Found, Options, Search};
use smallscope::{Bounded, Bounds, Engine, Key, Outcome, Stop};
use smallscope_reference::{Comparison, Settings, compare};
use std::ops::ControlFlow;

/// A part of the bounds that can be varied.
pub enum Dial {
    /// Objects of a pool, up to this many.
    Objects(&'static str, u64),
    /// Numbers of a field, up to this many.
    Ints(&'static str, u64),
    /// Numbers of a field, up to this many: from any start, consecutive or not.
    Any(&'static str, u64),
    /// The same, below zero, too.
    Signed(&'static str, u64),
    /// Lengths of a field, up to this one.
    Len(&'static str, u64),
    /// Whether a field may be null.
    Null(&'static str),
}
use Dial::{Any, Ints, Len, Null, Objects, Signed};

/// Varies most of them.
pub fn random_bounds(dials: &[Dial], rng: &mut Rng) -> Bounds {
    let scope = [1, 1, 2, 2, 2, 3][rng.below(6) as usize];
    let mut bounds = Bounds::scope(scope);
    for dial in dials.iter() {
        let skipped = if let Objects(..) = dial { 5 } else { 25 };
        if rng.chance(skipped) {
            continue;
        }
        bounds = match *dial {
            Objects(class, most) => bounds.objects(class, most.saturating_sub(rng.below(20) / 8) as u32),
            Ints(field, most) => {
                let (first, count) = (rng.below(2) as i64, 1 + rng.below(most) as i64);
                match rng.chance(30) {
                    true => bounds.ints(field, (0..count).rev().map(|i| first + 2 * i).collect::<Vec<i64>>()),
                    false => bounds.ints(field, first..first + count),
                }
            }
            Any(field, most) => {
                let first = [0, 0, 0, 1, 2, 253][rng.below(6) as usize];
                bounds.ints(field, random_set(first, most.min(3), rng))
            }
            Signed(field, most) => {
                let first = rng.below(4) as i64 - 3;
                bounds.ints(field, random_set(first, most, rng))
            }
            Len(field, most) => {
                let (a, b) = (rng.below(most + 1) as i64, rng.below(most + 1) as i64);
                match rng.chance(20) {
                    true => bounds.len(field, [a]),
                    false => bounds.len(field, a.min(b)..=a.max(b)),
                }
            }
            Null(field) if rng.chance(15) => bounds.nullable(field, rng.chance(20)),
            Null(_) => bounds,
        };
    }
    // From a stream of its own, so that the programs stay the same.
    let mut own = Rng(rng.0 ^ 0x9e37_79b9);
    if own.chance(20) { bounds.with_size(scope + 1 + own.below(4) as u32) } else { bounds }
}

/// Up to this many numbers from a start on: most of the time all in order, else with gaps, or in another order.
fn random_set(first: i64, most: u64, rng: &mut Rng) -> Vec<i64> {
    let count = 1 + rng.below(most) as i64;
    let step = if rng.chance(15) && first < 250 { 2 } else { 1 };
    let mut set: Vec<i64> = (0..count).map(|i| first + step * i).collect();
    if rng.chance(10) {
        set.reverse();
    }
    set
}

/// A type of the universe.
pub struct Shape {
    /// See [`crate::generator::Schema::parse`].
    pub schema: &'static str,
    pub dials: &'static [Dial],
    pub compare: fn(&Bounds, &Settings) -> Result<Comparison, String>,
    pub choose: fn(&Bounds, Vec<Program>) -> Option<Program>,
    pub mangle: fn(&Bounds, &mut Rng) -> Mangled,
    pub ranges: fn(&Bounds, &mut Rng) -> Pieces,
    pub criteria: fn(&Bounds) -> Classes,
    pub classes: fn(&Bounds, bool) -> Covered,
}

const fn shape<T: Bounded + Root>(schema: &'static str, dials: &'static [Dial]) -> Shape {
    Shape {
        schema,
        dials,
        compare: compare::<T>,
        choose: choose::<T>,
        mangle: mangle::<T>,
        ranges: ranges::<T>,
        criteria: criteria::<T>,
        classes: classes::<T>,
    }
}

pub const SHAPES: &[Shape] = &[
    shape::<u::Trees>(
        "Trees TreeNode usize bool; TreeNode TreeNode u8 TreeNode",
        &[
            Objects("TreeNode", 2),
            Ints("Trees.size", 3),
            Ints("TreeNode.key", 2),
            Null("Trees.root"),
            Null("TreeNode.left"),
        ],
    ),
    shape::<u::Graphs>(
        "Graphs Vertex Vertex; Vertex Vertex Vertex u8",
        &[
            Objects("Vertex", 2),
            Ints("Vertex.v", 2),
            Null("Graphs.peek"),
            Null("Vertex.back"),
            Null("Vertex.next"),
        ],
    ),
    shape::<u::Arcs>(
        "Arcs Atom *Atom *Atom Atom; Atom Atom int",
        &[
            Objects("Atom", 2),
            Ints("Atom.v", 2),
            Len("Arcs.list", 1),
            Null("Arcs.pair"),
            Null("Arcs.seen"),
            Null("Atom.up"),
        ],
    ),
    shape::<u::Raws>(
        "Raws &Link &Link u8; Link &Link u8 &Link",
        &[
            Objects("Link", 2),
            Ints("Link.v", 2),
            Ints("Raws.count", 3),
            Null("Raws.head"),
            Null("Link.next"),
            Null("Link.prev"),
        ],
    ),
    shape::<u::Peeks>(
        "Peeks &Piece Piece Piece; Piece &Piece Piece Part; Part u8",
        &[
            Objects("Piece", 2),
            Objects("Part", 2),
            Ints("Part.v", 2),
            Null("Peeks.peek"),
            Null("Peeks.may"),
            Null("Piece.other"),
            Null("Piece.next"),
        ],
    ),
    shape::<u::Arenas>(
        "Arenas @Entry *Entry @Entry; Entry u8 @Entry",
        &[Objects("Entry", 3), Ints("Entry.v", 2), Len("Arenas.slots", 3)],
    ),
    shape::<u::Nets>(
        "Nets *Knot *Knot Leaf; Knot *Knot Leaf; Leaf u8",
        &[
            Objects("Knot", 2),
            Objects("Leaf", 2),
            Ints("Leaf.v", 2),
            Len("Nets.starts", 1),
            Len("Nets.cells", 2),
        ],
    ),
    shape::<u::Exprs>(
        "Exprs Expr u8; Expr int Expr Expr",
        &[Objects("Expr", 3), Ints("Exprs.limit", 3), Ints("Expr::Literal.0", 2), Null("Expr::Maybe.0")],
    ),
    shape::<u::Forks>(
        "Forks Fork Fork Fork u8; Fork int Fork Fork",
        &[
            Objects("Fork", 2),
            Ints("Forks.limit", 2),
            Ints("Fork::Marked.0", 2),
            Null("Forks.spare"),
            Null("Forks.cell"),
            Null("Fork::Marked.1"),
        ],
    ),
    shape::<u::Rows>(
        "Rows *Row *Row [u8] *Row; Row u8 Row",
        &[
            Objects("Row", 2),
            Ints("Row.v", 2),
            Len("Rows.rows", 2),
            Len("Rows.queue", 2),
            Len("Rows.boxes", 2),
            Len("Rows.numbers", 1),
            Ints("Rows.numbers", 2),
            Null("Row.child"),
        ],
    ),
    shape::<u::Maps>(
        "Maps *Leaf ints ints Leaf *Leaf; Leaf u8",
        &[
            Objects("Leaf", 2),
            Ints("Leaf.v", 2),
            Ints("Maps.owned", 2),
            Ints("Maps.plain", 2),
            Ints("Maps.set", 2),
            Ints("Maps.also", 2),
            Len("Maps.also", 2),
            Len("Maps.owned", 2),
            Len("Maps.plain", 1),
            Len("Maps.set", 2),
            Null("Maps.shared"),
        ],
    ),
    shape::<u::Owners>(
        "Owners Coin Coin Coin *Coin; Coin u8 Coin",
        &[
            Objects("Coin", 2),
            Ints("Coin.v", 1),
            Len("Owners.list", 2),
            Null("Owners.boxed"),
            Null("Owners.shared"),
            Null("Owners.cell"),
            Null("Coin.next"),
        ],
    ),
    shape::<u::Mixed>(
        "Mixed u8 State Inner Inner; Inner State bool; State int State State",
        &[
            Objects("State", 2),
            Ints("Mixed.pair", 2),
            Ints("State::Full.0", 2),
            Null("Inner.slot"),
            Null("Mixed.option"),
            Null("State::Back.0"),
        ],
    ),
    shape::<u::Tokens>(
        "Tokens *Token *Token *Entry2; Token int Leaf Leaf; Entry2 u8 Leaf; Leaf u8",
        &[
            Objects("Token", 2),
            Objects("Leaf", 2),
            Objects("Entry2", 2),
            Ints("Token::Number.0", 2),
            Ints("Leaf.v", 2),
            Ints("Entry2.v", 2),
            Len("Tokens.tokens", 2),
            Len("Token::Group.0", 2),
            Len("Tokens.rows", 1),
            Len("Tokens.perhaps", 1),
            Null("Entry2.own"),
        ],
    ),
    shape::<q::Numbers>(
        "Numbers u8 u8 u8 i8 i8 usize usize",
        &[
            Any("Numbers.a", 4),
            Any("Numbers.b", 4),
            Any("Numbers.c", 3),
            Signed("Numbers.d", 4),
            Signed("Numbers.e", 3),
            Ints("Numbers.size", 3),
            Ints("Numbers.other", 2),
        ],
    ),
    shape::<q::Flags>(
        "Flags bool bool hue hue u8? u8? u8",
        &[Any("Flags.o", 3), Any("Flags.q", 3), Any("Flags.n", 3), Null("Flags.o"), Null("Flags.q")],
    ),
    shape::<q::Lists>(
        "Lists [u8] [u8] [u8?] [bool] [i8] usize",
        &[
            Any("Lists.list", 3),
            Any("Lists.row", 3),
            Any("Lists.queue", 2),
            Signed("Lists.signs", 2),
            Ints("Lists.n", 2),
            Len("Lists.list", 2),
            Len("Lists.queue", 1),
            Len("Lists.flags", 1),
        ],
    ),
    shape::<q::Chains<Key>>(
        "Chains key key key? Bead u8; Bead key Bead",
        &[
            Objects("Bead", 2),
            Any("Chains.a", 3),
            Any("Chains.b", 3),
            Any("Chains.o", 2),
            Any("Bead.key", 3),
            Ints("Chains.n", 2),
            Null("Chains.o"),
            Null("Chains.first"),
        ],
    ),
    shape::<q::Racks<Key>>(
        "Racks [key] [key] [key?] key",
        &[
            Any("Racks.list", 3),
            Any("Racks.pair", 3),
            Any("Racks.maybe", 2),
            Any("Racks.low", 3),
            Len("Racks.list", 3),
            Len("Racks.maybe", 1),
        ],
    ),
    shape::<q::Woods<Key>>(
        "Woods Branch key? key? usize; Branch Branch key Branch",
        &[
            Objects("Branch", 3),
            Any("Branch.key", 3),
            Any("Woods.least", 2),
            Any("Woods.greatest", 2),
            Ints("Woods.size", 3),
            Null("Woods.least"),
        ],
    ),
    shape::<q::Spies>(
        "Spies Spy Spy Spy Spy u8; Spy Spy u8",
        &[
            Objects("Spy", 3),
            Any("Spies.v", 2),
            Any("Spy.v", 2),
            Null("Spies.first"),
            Null("Spies.weak"),
            Null("Spies.maybe"),
            Null("Spy.next"),
        ],
    ),
    shape::<q::Rods>(
        "Rods &Rod &Rod u8; Rod &Rod &Rod u8",
        &[Objects("Rod", 2), Any("Rods.low", 3), Any("Rod.v", 3), Null("Rods.head"), Null("Rod.next")],
    ),
    shape::<u::Sets>(
        "Sets set set Pocket u8; Pocket set u8 Pocket",
        &[
            Objects("Pocket", 2),
            Ints("Pocket.v", 2),
            Ints("Pocket.set", 2),
            Len("Pocket.set", 2),
            Ints("Sets.a", 3),
            Len("Sets.a", 3),
            Ints("Sets.b", 2),
            Len("Sets.b", 2),
            Ints("Sets.n", 2),
            Null("Sets.part"),
            Null("Pocket.next"),
        ],
    ),
];

/// How many of them, at the end, are types for many questions.
pub const SHAPES_TO_ASK: usize = 9;

/// Cases with fewer values than this say nothing about a program.
const FEW: u64 = 4;
/// Cases with more candidates than this, aliases included, would take the reference too long.
const MANY: u64 = 3_000;
/// Values that programs are tried on.
const SAMPLE: u64 = 40;

/// The first program that accepts some values and rejects others, or the last one. `None` if the bounds are too small or
/// too large.
fn choose<T: Bounded>(bounds: &Bounds, programs: Vec<Program>) -> Option<Program> {
    install(&vec![]);
    let all = Search::<T>::new(bounds, Options::korat()).ok()?;
    let mut tick = |o: &Outcome| {
        if o.explored > MANY { ControlFlow::Break(Stop::Interrupted) } else { ControlFlow::Continue(()) }
    };
    let mut aliased = all;
    while aliased.find_next(&mut tick).ok()? == Found::Valid {}
    if !aliased.outcome().is_exhaustive() || aliased.outcome().explored > MANY {
        return None;
    }
    let mut search =
        Search::<T>::new(bounds, Options { engine: Engine::Owned, ..Options::default() }).ok()?;
    let count = Search::<T>::new(bounds, Options { engine: Engine::Owned, ..Options::default() })
        .ok()?
        .count()
        .ok()?
        .valid;
    if count < FEW {
        return None;
    }
    let mut sample = vec![];
    while let Ok(Found::Valid) = search.find_next(&mut |_| ControlFlow::Continue(())) {
        if search.outcome().valid % count.div_ceil(SAMPLE) == 0 {
            sample.push(search.value().ok()?);
        }
    }
    let mut last = None;
    for program in programs {
        install(&program);
        let accepted = sample.iter().filter(|value| value.rep_ok()).count();
        last = Some(program);
        if accepted > 0 && accepted < sample.len() {
            break;
        }
    }
    last
}
