//! Natural invariants: as many values as independent recurrences say, counted without listing them, also where there are more
//! than fit into 128 bits.

use num_bigint::BigUint;
use smallscope::search::{Candidate, Found, Options};
use smallscope::summaries::{Natural, Population, Summaries};
use smallscope_catalogue::{STRUCTURES, structure};
use std::collections::HashMap;
use std::ops::ControlFlow;

fn on() -> Options {
    Options { summaries: Summaries::On, ..Options::default() }
}

fn population(name: &str, args: &[i64]) -> Population {
    let structure = structure(name).unwrap_or_else(|| panic!("no structure {name}"));
    let mut search = (structure.open)(&(structure.bounds)(args), on()).unwrap();
    let plan = search.plan(&mut |_| ControlFlow::Continue(())).unwrap().unwrap();
    plan.population().unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// Lists all values with and without summaries. Returns their number.
fn listed(name: &str, args: &[i64]) -> u64 {
    let structure = structure(name).unwrap_or_else(|| panic!("no structure {name}"));
    let sets = [on(), Options::default()].map(|options| {
        let mut search = (structure.open)(&(structure.bounds)(args), options).unwrap();
        let mut all = std::collections::BTreeSet::new();
        while search.find_next(&mut |_| ControlFlow::Continue(())).unwrap() == Found::Valid {
            assert!(all.insert(search.candidate()), "delivered twice");
        }
        all
    });
    assert!(sets[0] == sets[1], "{name} {args:?}");
    sets[0].len() as u64
}

/// Numbers by size and something else, by a recurrence, each computed once.
struct Memo(HashMap<(usize, usize, usize), BigUint>);

type Recurrence = fn(&mut Memo, usize, usize, usize) -> BigUint;

impl Memo {
    fn new() -> Memo {
        Memo(HashMap::new())
    }

    fn get(&mut self, of: Recurrence, kind: usize, n: usize, k: usize) -> BigUint {
        if let Some(known) = self.0.get(&(kind, n, k)) {
            return known.clone();
        }
        let number = of(self, kind, n, k);
        self.0.insert((kind, n, k), number.clone());
        number
    }

    /// Pairs of a left part with `i` and a right part with `n - i`.
    fn pairs(&mut self, of: Recurrence, (a, j): (usize, usize), (b, k): (usize, usize), n: usize) -> BigUint {
        (0..=n).map(|i| self.get(of, a, i, j) * self.get(of, b, n - i, k)).sum()
    }

    fn sum(of: Recurrence, kind: usize, n: usize) -> BigUint {
        let mut memo = Memo::new();
        (0..=n + 1).map(|k| memo.get(of, kind, n, k)).sum()
    }
}

/// Red-black trees with `n` nodes and black height `h`: with a black root or none (0), a red root (1), or any (2).
fn red_black(memo: &mut Memo, kind: usize, n: usize, h: usize) -> BigUint {
    match (kind, n, h) {
        (0, 0, _) => u32::from(h == 0).into(),
        (0, _, 0) | (1, 0, _) => 0_u32.into(),
        (0, ..) => memo.pairs(red_black, (2, h - 1), (2, h - 1), n - 1),
        (1, ..) => memo.pairs(red_black, (0, h), (0, h), n - 1),
        _ => memo.get(red_black, 0, n, h) + memo.get(red_black, 1, n, h),
    }
}

/// AVL trees with `n` nodes and height `h`.
fn avl(memo: &mut Memo, _: usize, n: usize, h: usize) -> BigUint {
    match (n, h) {
        (0, _) | (_, 0) => u32::from(n == 0 && h == 0).into(),
        (_, 1) => u32::from(n == 1).into(),
        _ => {
            memo.pairs(avl, (0, h - 1), (0, h - 1), n - 1)
                + 2_u32 * memo.pairs(avl, (0, h - 1), (0, h - 2), n - 1)
        }
    }
}

/// Leftist trees with `n` nodes and rank `r`: the right subtree has rank `r - 1`, and the left one at least that.
fn leftist(memo: &mut Memo, _: usize, n: usize, r: usize) -> BigUint {
    if n == 0 || r == 0 {
        return u32::from(n == 0 && r == 0).into();
    }
    (r - 1..=n).map(|left| memo.pairs(leftist, (0, left), (0, r - 1), n - 1)).sum()
}

/// 2-3 trees with `n` leaves and depth `d`; as kind 1, pairs of them.
fn two_three(memo: &mut Memo, kind: usize, n: usize, d: usize) -> BigUint {
    match (kind, d) {
        (1, _) => memo.pairs(two_three, (0, d), (0, d), n),
        (_, 0) => u32::from(n == 1).into(),
        _ => memo.get(two_three, 1, n, d - 1) + memo.pairs(two_three, (0, d - 1), (1, d - 1), n),
    }
}

/// B-trees of order 4 with `n` keys and depth `d`; as kind k > 0, rows of k of them.
fn b_tree(memo: &mut Memo, kind: usize, n: usize, d: usize) -> BigUint {
    match (kind, d) {
        (0, 0) => u32::from((1..=3).contains(&n)).into(),
        (0, _) => (1..=3.min(n)).map(|keys| memo.get(b_tree, keys + 1, n - keys, d - 1)).sum(),
        (1, _) => memo.get(b_tree, 0, n, d),
        _ => memo.pairs(b_tree, (0, d), (kind - 1, d), n),
    }
}

/// Terms with `n` nodes and at most `k` free variables.
fn terms(memo: &mut Memo, _: usize, n: usize, k: usize) -> BigUint {
    match n {
        0 => 0_u32.into(),
        1 => k.into(),
        _ => memo.get(terms, 0, n - 1, k + 1) + memo.pairs(terms, (0, k), (0, k), n - 1),
    }
}

fn closed_terms(n: usize) -> BigUint {
    Memo::new().get(terms, 0, n, 0)
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Type {
    Base,
    Function(Box<Type>, Box<Type>),
}

/// How many terms with `n` nodes there are of each type.
fn typed_terms(n: usize, context: &[Type]) -> HashMap<Type, u64> {
    let mut numbers = HashMap::new();
    if n == 1 {
        context.iter().for_each(|of| *numbers.entry(of.clone()).or_insert(0) += 1);
    }
    if n < 2 {
        return numbers;
    }
    let base = || Box::new(Type::Base);
    for of in [Type::Base, Type::Function(base(), base())] {
        for (to, number) in typed_terms(n - 1, &[context, std::slice::from_ref(&of)].concat()) {
            let function = Type::Function(Box::new(of.clone()), Box::new(to));
            *numbers.entry(function).or_insert(0) += number;
        }
    }
    for i in 1..n - 1 {
        let arguments = typed_terms(n - 1 - i, context);
        for (function, number) in typed_terms(i, context) {
            if let Type::Function(of, to) = function {
                *numbers.entry(*to).or_insert(0) += number * arguments.get(&*of).unwrap_or(&0);
            }
        }
    }
    numbers
}

fn number(number: &Natural) -> BigUint {
    number.to_string().parse().unwrap()
}

#[test]
fn recurrences_give_the_known_sequences() {
    let numbers = |of: &dyn Fn(usize) -> BigUint, sizes: std::ops::Range<usize>| -> Vec<u64> {
        sizes.map(|n| of(n).try_into().unwrap()).collect()
    };
    // Either colour of the root.
    let red_black = numbers(&|n| Memo::sum(red_black, 2, n), 0..12);
    assert_eq!(red_black, [1, 2, 2, 3, 8, 14, 20, 35, 64, 122, 260, 586]);
    // A006265.
    assert_eq!(numbers(&|n| Memo::sum(avl, 0, n), 0..10), [1, 1, 2, 1, 4, 6, 4, 17, 32, 44]);
    // A006196.
    assert_eq!(numbers(&|n| Memo::sum(leftist, 0, n), 0..9), [1, 1, 1, 2, 4, 8, 17, 38, 87]);
    // A014535.
    assert_eq!(numbers(&|n| Memo::sum(two_three, 0, n), 1..12), [1, 1, 1, 1, 2, 2, 3, 4, 5, 8, 14]);
    // A220894.
    assert_eq!(numbers(&closed_terms, 0..9), [0, 0, 1, 2, 4, 13, 42, 139, 506]);
}

#[test]
fn natural_invariants_have_the_values_of_their_recurrences() {
    let sizes =
        |name: &str, args: &dyn Fn(i64) -> Vec<i64>, numbers: &dyn Fn(usize) -> BigUint, n: &[i64]| {
            for &n in n {
                let all = population(name, &args(n));
                assert_eq!(number(all.count()), numbers(n as usize), "{name} {n}");
            }
        };
    let nodes = |n: i64| vec![n, n, n];
    let range = |n: i64| vec![n, n];
    let large = if cfg!(debug_assertions) { 40 } else { 80 };
    sizes("red-black-shape-natural", &nodes, &|n| Memo::sum(red_black, 2, n), &[1, 7, 11, large]);
    sizes("avl-shape-natural", &nodes, &|n| Memo::sum(avl, 0, n), &[1, 7, 15, 25]);
    sizes("leftist-tree-natural", &nodes, &|n| Memo::sum(leftist, 0, n), &[1, 7, 12, 30]);
    sizes("complete-tree-natural", &nodes, &|_| 1_u32.into(), &[1, 7, 12]);
    sizes("two-three-tree-natural", &range, &|n| Memo::sum(two_three, 0, n), &[1, 5, 9]);
    sizes("b-tree-natural", &range, &|n| Memo::sum(b_tree, 0, n), &[1, 5, 8]);
    sizes("closed-term-natural", &range, &closed_terms, &[2, 7, 50]);
    let typed = |n| typed_terms(n, &[]).values().sum::<u64>().into();
    sizes("typed-term-natural", &range, &typed, &[2, 5, 7]);
}

#[test]
fn natural_invariants_are_listed_with_and_without_summaries() {
    let catalan = [1, 1, 2, 5, 14, 42, 132];
    for n in 0..6_i64 {
        let nodes = [n, n, n];
        let k = n as usize;
        let small = |number: BigUint| u64::try_from(number).unwrap();
        assert_eq!(listed("search-tree-natural", &[n, n, n, n.max(1)]), catalan[k]);
        assert_eq!(listed("red-black-tree-natural", &[n, n, n, n.max(1)]), small(Memo::sum(red_black, 2, k)));
        assert_eq!(listed("avl-tree-natural", &[n, n, n, n.max(1)]), small(Memo::sum(avl, 0, k)));
        assert_eq!(listed("red-black-shape-natural", &nodes), small(Memo::sum(red_black, 2, k)));
        assert_eq!(listed("leftist-tree-natural", &nodes), small(Memo::sum(leftist, 0, k)));
        assert_eq!(listed("avl-shape-natural", &nodes), small(Memo::sum(avl, 0, k)));
        assert_eq!(listed("complete-tree-natural", &nodes), 1);
        assert_eq!(listed("closed-term-natural", &[n, n]), small(closed_terms(k)));
        assert_eq!(listed("typed-term-natural", &[n, n]), typed_terms(k, &[]).values().sum::<u64>());
        let one_if_none = u64::from(n == 0);
        assert_eq!(listed("b-tree-natural", &[n, n]), one_if_none + small(Memo::sum(b_tree, 0, k)));
    }
    for n in 1..5 {
        let number: u64 = Memo::sum(two_three, 0, n).try_into().unwrap();
        assert_eq!(listed("two-three-tree-natural", &[n as i64, n as i64]), number);
    }
    assert_eq!(STRUCTURES.iter().filter(|structure| structure.name.ends_with("-natural")).count(), 11);
}

/// Multiplies and adds, for numbers that are far apart.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ self.0 >> 29
    }

    fn below(&mut self, end: &BigUint) -> BigUint {
        let words = end.bits() as usize / 64 + 2;
        (0..words).fold(BigUint::ZERO, |number, _| (number << 64) + self.next()) % end
    }
}

#[test]
fn the_number_of_a_value_leads_to_it_and_back() {
    let ranks = if cfg!(debug_assertions) { 200 } else { 25_000 };
    let mut random = Random(7);
    let mut check = |name: &str, args: &[i64], ranks: usize| {
        let all = population(name, args);
        let end = number(all.count());
        for _ in 0..ranks {
            let rank = random.below(&end);
            let rank: Natural = rank.to_string().parse().unwrap();
            let candidate: Candidate = all.nth(&rank).expect("it is below the count");
            assert_eq!(all.rank(&candidate), Some(rank));
        }
        assert_eq!(all.nth(all.count()), None);
    };
    check("red-black-shape-natural", &[30, 0, 30], ranks);
    check("avl-shape-natural", &[25, 25, 25], ranks);
    check("closed-term-natural", &[0, 20], ranks);
    check("b-tree-natural", &[8, 8], ranks);
    // 6.8e24 of them.
    check("red-black-shape-natural", &[80, 80, 80], 20);
    check("closed-term-natural", &[50, 50], 20);
}

/// Draws values, 60 for each one that there is, and compares their numbers by chi-square. Conjuncts that are not summarised
/// reject some of them.
fn check_uniform(name: &str, args: &[i64], values: usize) {
    let structure = structure(name).unwrap();
    let mut search = (structure.open)(&(structure.bounds)(args), on()).unwrap();
    let plan = search.plan(&mut |_| ControlFlow::Continue(())).unwrap().unwrap();
    let all = plan.population().unwrap_or_else(|why| panic!("{name}: {why}"));
    let (mut random, mut drawn) = (Random(11), HashMap::<Candidate, i64>::new());
    let mut left = 60 * values;
    while left > 0 {
        let candidate = all.draw(&mut || random.next().swap_bytes() ^ random.next());
        let is_valid = all.residual().is_empty() || {
            search.go_to(&candidate).unwrap();
            search.accepts().unwrap()
        };
        if is_valid {
            *drawn.entry(candidate).or_default() += 1;
            left -= 1;
        }
    }
    assert_eq!(drawn.len(), values, "{name} {args:?}");
    let square: i64 = drawn.values().map(|drawn| (drawn - 60) * (drawn - 60)).sum();
    let (chi, degrees) = (square as f64 / 60.0, values as f64 - 1.0);
    // Five standard deviations: one in millions is farther off, and the seed is fixed.
    assert!(
        (chi - degrees).abs() < 5.0 * (2.0 * degrees).sqrt(),
        "{name}: {chi} for {degrees} degrees of freedom"
    );
}

#[test]
fn drawn_values_are_uniform() {
    check_uniform("red-black-shape-natural", &[9, 9, 9], 122);
    check_uniform("avl-shape-natural", &[10, 0, 10], 172);
    check_uniform("leftist-tree-natural", &[8, 8, 8], 87);
    check_uniform("complete-tree-natural", &[6, 0, 6], 7);
    check_uniform("two-three-tree-natural", &[1, 9], 20);
    check_uniform("b-tree-natural", &[8, 8], 15);
    check_uniform("closed-term-natural", &[0, 7], 201);
    check_uniform("typed-term-natural", &[5, 5], 71);
    check_uniform("search-tree-natural", &[3, 3, 3, 3], 5);
    check_uniform("red-black-tree-natural", &[3, 0, 3, 3], 16);
    check_uniform("avl-tree-natural", &[3, 0, 3, 3], 11);
}
