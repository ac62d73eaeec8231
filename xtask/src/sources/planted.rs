//! Programs in which the two sources differ on purpose: a run that does not report them proves nothing.

use super::program::{PLAIN_HEAD, PRODUCT_HEAD, Program};

/// Their numbers begin here.
const FIRST: usize = 90_000;

const TYPES: &str = "
struct Root {
    limit: u8,
    items: Vec<u8>,
}
";

const RULE: &str = "
impl Root {
    fn rep_ok(&self) -> bool {
        self.items.iter().all(|item| *item <= self.limit)
    }
}
";

const SHOW: &str = "
impl Show for Root {
    fn show(&self, text: &mut Text) {
        self.limit.show(text);
        self.items.show(text);
    }
}
";

const BRUTE_FORCE: &str = "
fn build(c: &mut Choices) -> Option<Root> {
    let limit = c.data()? as u8;
    let mut items = vec![];
    for _ in 0..c.size()? {
        items.push(c.data()? as u8);
    }
    Some(Root { limit, items })
}

pub fn brute_force(scope: usize, limit: usize) -> Option<Vec<(String, bool)>> {
    let mut all = vec![];
    let is_all = every(scope, limit, |c| all.extend(build(c).map(|root| (Text::of(&root), root.rep_ok()))));
    is_all.then_some(all)
}
";

const RUN: &str = "
pub fn run(known: &mut Known) {
    let traits = Traits { korat: true, keys: false, each_order_once: true, parts: false };
    harness::run::<Root>(known, traits, |scope| Bounds::scope(scope));
}
";

/// What the report has to say, and what is replaced in the program with smallscope.
const ERRORS: [(&str, &str, &str); 4] = [
    ("missing", "<= self.limit", "< self.limit"),
    ("invalid", "<= self.limit", "<= self.limit + 1"),
    ("outside the bounds", "Bounds::scope(scope)", "Bounds::scope(scope).ints(\"Root.limit\", 0..=9)"),
    ("twice", "        self.limit.show(text);\n", ""),
];

pub fn programs() -> Vec<Program> {
    let numbered = ERRORS.iter().enumerate();
    numbered
        .map(|(i, (word, from, to))| {
            let product = format!("{PRODUCT_HEAD}\n#[derive(Bounded)]{TYPES}\n#[rep_ok]{RULE}{SHOW}{RUN}");
            assert!(product.contains(from), "the error `{word}` cannot be planted");
            Program {
                number: FIRST + i,
                product: product.replace(from, to),
                plain: format!("{PLAIN_HEAD}{TYPES}{RULE}{SHOW}{BRUTE_FORCE}"),
                has_arena: false,
                planted: Some(word),
            }
        })
        .collect()
}
