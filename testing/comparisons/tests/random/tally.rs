//! What the cases contained, and whether that is enough.

use crate::classes::Covered;
use crate::question::KINDS;
use crate::ranges::Pieces;
use crate::shapes::{SHAPES, Shape};
use smallscope_reference::Comparison;
use std::collections::BTreeMap;
use std::fmt;

/// How often something occurred, by name.
#[derive(Default)]
pub struct Tally(BTreeMap<String, u64>);

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(name, count)| writeln!(f, "{MARK}{name}: {count}"))
    }
}

/// Lines of the output that are counts begin with this.
const MARK: &str = "# ";

impl Tally {
    fn add(&mut self, name: &str, count: u64) {
        *self.0.entry(name.to_owned()).or_default() += count;
    }

    fn of(&self, name: &str) -> u64 {
        self.0.get(name).copied().unwrap_or(0)
    }

    /// Adds the counts of another part.
    pub fn add_all(&mut self, other: &Tally) {
        other.0.iter().for_each(|(name, count)| self.add(name, *count));
    }

    /// Adds the counts that another process has printed.
    pub fn add_printed(&mut self, output: &str) {
        for line in output.lines() {
            let count = line.strip_prefix(MARK).and_then(|line| line.rsplit_once(": "));
            if let Some((name, Ok(count))) = count.map(|(name, count)| (name, count.parse())) {
                self.add(name, count);
            }
        }
    }

    /// A case that was compared, and the questions that were asked in it.
    pub fn add_case(&mut self, shape: &Shape, c: &Comparison, asked: &BTreeMap<&'static str, u64>) {
        self.add("cases", 1);
        self.add(&format!("shape {}", name(shape)), 1);
        let valid = match c.valid {
            0 => "none valid",
            n if n == c.classes => "all valid",
            _ => "some valid",
        };
        self.add(valid, 1);
        let (lazy, owned, korat) = (&c.engines[0], &c.engines[1], &c.engines[2]);
        self.add(
            "the search did not look at every candidate",
            (owned.outcome.explored < c.classes as u64).into(),
        );
        self.add("aliases that are no Rust values", (korat.unreal > 0).into());
        self.add("arena places that are alike", (owned.delivered < c.valid as u64).into());
        // The first variant has all improvements; promises rule nothing out in audit mode.
        let best = c.variants[0].outcome;
        self.add("fewer runs than with owned", (best.explored < owned.outcome.explored).into());
        self.add("fewer runs because of promises", (best.explored < lazy.outcome.explored).into());
        self.add("runs that stand for several values", (best.valid > best.explored).into());
        asked.keys().for_each(|kind| self.add(&format!("asked {kind}"), 1));
    }

    /// A case that was searched in pieces.
    pub fn add_pieces(&mut self, pieces: &Pieces) {
        self.add("cases", 1);
        self.add("values", pieces.values);
        self.add("stopped and begun again", pieces.resumed.into());
        self.add("split", pieces.split.into());
        self.add("damaged and refused", pieces.damaged.into());
        self.add("cases with decided questions", pieces.decided.into());
        self.add("leaves of several values", pieces.leaves.into());
        self.add("stopped or split inside of a leaf", pieces.inside.into());
    }

    /// A case that was searched by class.
    pub fn add_classes(&mut self, covered: &Covered) {
        self.add("cases", 1);
        self.add("values", covered.values);
        self.add("classes", covered.classes);
        self.add("searches that pass values over", covered.pruned);
        self.add("searches with several classes", covered.several);
        self.add("searches of the lazy engine that pass over values of several classes", covered.lazily);
    }

    /// Criteria that every value meets, or that look at everything, would prove little.
    pub fn check_classes(&self) {
        println!("{self}");
        assert!(self.of("cases") >= 100, "too few cases");
        let share = |name| self.of(name) * 100 / (3 * self.of("cases").max(1));
        assert!(share("searches that pass values over") >= 40, "too little is passed over");
        assert!(share("searches with several classes") >= 40, "too few classes");
        let lazily = self.of("searches of the lazy engine that pass over values of several classes");
        assert!(lazily * 100 / self.of("cases") >= 20, "the lazy engine passes too little over");
    }

    /// Programs that accept everything or nothing would prove little, and so would those that ask little.
    pub fn check_cases(&self) {
        println!("{self}");
        let share = |name| self.of(name) * 100 / self.of("cases").max(1);
        assert!(self.of("cases") >= 200, "too few cases");
        assert!(share("some valid") >= 80, "too many trivial programs");
        assert!(share("the search did not look at every candidate") >= 50, "too little is pruned");
        assert!(share("aliases that are no Rust values") >= 10, "too few aliases");
        assert!(self.of("arena places that are alike") >= 1, "no arenas");
        assert!(share("fewer runs than with owned") >= 30, "too few questions are decided");
        assert!(share("fewer runs because of promises") >= 10, "promises are of no use");
        assert!(share("runs that stand for several values") >= 30, "too few runs stand for several values");
        for shape in SHAPES {
            assert!(self.of(&format!("shape {}", name(shape))) >= 3, "too few {}", name(shape));
        }
        for kind in KINDS {
            assert!(self.of(&format!("asked {kind}")) >= 1, "no program asks: {kind}");
        }
    }

    /// Pieces of which there is only one would prove little.
    pub fn check_pieces(&self) {
        println!("{self}");
        let per_case = |name| self.of(name) / self.of("cases").max(1);
        assert!(self.of("cases") >= 65, "too few cases");
        assert!(per_case("values") >= 50 && per_case("damaged and refused") >= 10);
        assert!(per_case("stopped and begun again") >= 5 && per_case("split") >= 5);
        assert!(
            per_case("leaves of several values") >= 2 && per_case("stopped or split inside of a leaf") >= 2
        );
        assert!(
            self.of("cases with decided questions") * 4 >= self.of("cases"),
            "too few questions are decided"
        );
    }
}

fn name(shape: &Shape) -> &str {
    shape.schema.split(' ').next().unwrap_or_default()
}
