//! The errors: each is a text that occurs once in a file, and its replacement.
//!
//! A test fails if a text does not occur once: adapt the entry, so that the error is still planted.

mod filled;
mod sets;
mod summaries;

/// A deliberate error.
pub struct Planted {
    pub name: &'static str,
    pub file: &'static str,
    pub old: &'static str,
    pub new: &'static str,
}

const CONSTRAINTS: &str = "crates/core/src/constraints.rs";
const ASKING: &str = "crates/core/src/heap/asking.rs";
const PATH: &str = "crates/core/src/path.rs";
const LAYOUT: &str = "crates/core/src/layout.rs";
const ANSWERS: &str = "crates/core/src/answers.rs";
const DECIDE: &str = "crates/core/src/heap/decide.rs";
const GUIDE: &str = "crates/core/src/path/guide.rs";
const SLOT: &str = "crates/core/src/layout/slot.rs";
const OWNED: &str = "crates/core/src/engine/owned.rs";
const DEPTH_FIRST: &str = "crates/core/src/depth_first.rs";
const HEAP: &str = "crates/core/src/heap.rs";
const STATE: &str = "crates/core/src/heap/state.rs";
const PROMISE: &str = "crates/core/src/promise.rs";
const KEY: &str = "crates/core/src/key.rs";
const DIGITS: &str = "crates/core/src/depth_first/set/digits.rs";
const PARTS_LEFT: &str = "crates/core/src/constraints/parts.rs";
const SET: &str = "crates/core/src/depth_first/set.rs";
const POSITION: &str = "crates/core/src/depth_first/position.rs";
const CLASSES: &str = "crates/core/src/depth_first/classes.rs";
const SAMPLE: &str = "crates/core/src/depth_first/one_per_path.rs";
const CONJUNCTS: &str = "crates/core/src/conjuncts.rs";

const fn error(name: &'static str, file: &'static str, old: &'static str, new: &'static str) -> Planted {
    Planted { name, file, old, new }
}

/// All errors.
pub fn all() -> impl Iterator<Item = &'static Planted> {
    ERRORS.iter().chain(filled::ERRORS).chain(sets::ERRORS).chain(summaries::ERRORS)
}

const ERRORS: &[Planted] = &[
    // Statements as conjuncts.
    error(
        "values-returned-early-not-repeated",
        "crates/macros/src/code/statements.rs",
        "if step.is_guard || step.declared",
        "if step.declared",
    ),
    // What is known.
    error(
        "no-propagation-upwards",
        CONSTRAINTS,
        "if least > i64::from(self.vars[other.index()].lo) && !self.raise(other, least) {",
        "if false && !self.raise(other, least) {",
    ),
    error(
        "no-propagation-downwards",
        CONSTRAINTS,
        "if most < i64::from(self.vars[other.index()].hi) && !self.lower(other, most) {",
        "if false && !self.lower(other, most) {",
    ),
    error("edge-not-undone", CONSTRAINTS, "self.vars[low.index()].above.pop();", ""),
    error(
        "upper-bound-not-undone",
        CONSTRAINTS,
        "let var = &mut self.vars[var.index()];\n                    (var.lo, var.hi) = (lo, hi);",
        "let var = &mut self.vars[var.index()];\n                    var.lo = lo;",
    ),
    error(
        "knows-too-much",
        CONSTRAINTS,
        "e.other == high && e.by >= by)",
        "e.other == high && e.by + 1 >= by)",
    ),
    error("knows-too-much-against", CONSTRAINTS, "e.by + by > 0)", "e.by + by >= 0)"),
    // Answers.
    error(
        "promise-the-wrong-way",
        ANSWERS,
        "if refutes(promise, true) { yes }",
        "if refutes(promise, false) { yes }",
    ),
    error("interval-at-the-upper-bound-not-tried", ANSWERS, "cuts[i + 1].min(hi + 1)", "cuts[i + 1].min(hi)"),
    error(
        "negation-keeps-the-promise",
        PROMISE,
        "(promise & FALSE_REFUTES) << 1 | (promise & TRUE_REFUTES) >> 1",
        "promise",
    ),
    error(
        "alternative-skipped",
        ANSWERS,
        "self.possible(constraints) >> from << from",
        "self.possible(constraints) >> (from + 1) << (from + 1)",
    ),
    error(
        "equality-has-two-answers",
        ANSWERS,
        "About::Order { .. } | About::Around { .. } => 3,",
        "About::Order { .. } => 2,\n            About::Around { .. } => 3,",
    ),
    error(
        "equality-known-too-early",
        ANSWERS,
        "(Some(false), Some(false)) => Some(1),",
        "(Some(false), _) => Some(1),",
    ),
    error(
        "equality-posted-by-half",
        ANSWERS,
        "1 => constraints.post(a, by, b) && constraints.post(b, -by, a),",
        "1 => constraints.post(a, by, b),",
    ),
    error(
        "not-less-means-greater",
        ANSWERS,
        "About::Less { a, by, b } => constraints.post(b, -by, a),",
        "About::Less { a, by, b } => constraints.post(b, 1 - by, a),",
    ),
    error("greater-means-not-less", ANSWERS, "_ => (lo.max(at + 1), hi),", "_ => (lo.max(at), hi),"),
    error(
        "at-most-means-less",
        ASKING,
        "Op::Le => (About::Less { a, by: by - 1, b }, false),",
        "Op::Le => (About::Less { a, by, b }, false),",
    ),
    error("ranges-taken-for-equal", ASKING, "self.layout.base(a) + by - self.layout.base(b)", "by"),
    error(
        "last-interval-too-short",
        ASKING,
        "cuts[count] = hi + 1;\n            last",
        "cuts[count] = hi.max(choice + 1);\n            last",
    ),
    error(
        "options-taken-for-equal",
        LAYOUT,
        "x == y && self.slot(a).nones",
        "x.of == y.of && self.slot(a).nones",
    ),
    error("answers-not-forgotten", ANSWERS, "self.log.truncate(log as usize);", ""),
    error("conclusions-not-undone", STATE, "self.constraints.undo_to(trail);", ""),
    error(
        "upper-bound-ignored",
        CONSTRAINTS,
        "(from <= var.hi).then_some(from)",
        "(from <= var.hi + 1).then_some(from)",
    ),
    error(
        "lower-bound-ignored",
        CONSTRAINTS,
        "let from = from.max(var.lo);",
        "let from = from.max(var.lo.saturating_sub(1));",
    ),
    // None, and pointers.
    error(
        "none-of-an-open-pointer",
        ASKING,
        "if !self.layout.is_open(slot) && s.decides_none(slot) {",
        "if s.decides_none(slot) {",
    ),
    error(
        "options-compared-by-their-choices",
        LAYOUT,
        "x == y && self.slot(a).nones == self.slot(b).nones",
        "x == y",
    ),
    error("some-that-dangles-is-none", LAYOUT, "u32::from(p.nones.min(1))", "u32::from(p.nones)"),
    error("boxed-leaf-is-none", LAYOUT, "u32::from(p.nones.min(1))", "p.prefix"),
    error("boxes-left-open", DECIDE, "p.ownership != Ownership::Unique && self", "self"),
    error(
        "rule-out-inverted",
        DECIDE,
        "if none & TRUE_REFUTES != 0 && self.allowed",
        "if none & FALSE_REFUTES != 0 && self.allowed",
    ),
    error(
        "refuted-choices-kept",
        ASKING,
        "s.open_among(slot, left.into());",
        "s.open_among(slot, refuted.into());",
    ),
    // Keys.
    error("presence-not-forgotten", PATH, "self.present[step.slot.index()] = false;", ""),
    error(
        "hidden-key-shown",
        PATH,
        "self.hidden[step.slot.index()] = step.log;\n            step.head.index.set(LAZY);",
        "self.hidden[step.slot.index()] = step.log;",
    ),
    error(
        "hidden-key-out-too-early",
        PATH,
        "self.hidden[slot.index()] as usize <= answers",
        "answers < usize::MAX && self.is_hidden(slot)",
    ),
    error("key-operator-not-flipped", PROMISE, "Op::Lt => Op::Gt,", "Op::Lt => Op::Ge,"),
    error("order-of-keys-not-reversed", KEY, "if a.is_open { order } else { order.reverse() }", "order"),
    error("rank-without-its-range", KEY, "(heap.layout.base(slot) + i64::from(choice)) as u32", "choice"),
    error(
        "keys-asked-like-data",
        SLOT,
        "self.is_plain && !self.is_key =>",
        "self.is_plain && self.lazy == NOT_LAZY =>",
    ),
    // What is left of a valid path, and places in it.
    error(
        "plan-without-upper-limits",
        DIGITS,
        "value(&digit.upper).min(i64::from(digit.hi))",
        "i64::from(digit.hi)",
    ),
    error(
        "plan-without-lower-limits",
        DIGITS,
        "value(&digit.lower).max(i64::from(digit.lo))",
        "i64::from(digit.lo)",
    ),
    error(
        "plan-shown-too-late",
        DIGITS,
        "self.shown.set((shown.min(i), free));",
        "self.shown.set((i, free));",
    ),
    error(
        "raises-not-held",
        DIGITS,
        "self.digits[self.last].value -= std::mem::take(&mut self.free);",
        "self.free = 0;",
    ),
    error("raised-although-needed", DIGITS, "!last.is_needed && self.tied", "self.tied"),
    error(
        "counts-beyond-the-end",
        DIGITS,
        "self.digits[i].value + 1 >= self.end[i]",
        "self.digits[i].value + 1 > self.end[i]",
    ),
    error(
        "class-kept-behind-a-dead-end",
        CLASSES,
        "self.end = usize::MAX;\n        let mut label = None;",
        "let mut label = None;",
    ),
    error("free-at-the-end", DIGITS, "self.tied.is_none_or(|tied| tied < self.last)", "true"),
    error(
        "raise-not-noted",
        DEPTH_FIRST,
        "if let Some(depth) = self.set.last_raised() {\n            run.keep(depth);",
        "if let Some(depth) = self.set.last_raised() {\n            let _ = depth;",
    ),
    error("root-opened-too-early", HEAP, "slots != open + closed", "slots < open + closed"),
    error(
        "no-object-too-early",
        OWNED,
        "pool.used == pool.size && pool.unowned == 0",
        "pool.used == pool.size",
    ),
    error("plan-not-shown", SET, ".filter(|digits| !digits.is_shown())", ".filter(|_| false)"),
    error("constant-taken-for-a-digit", DIGITS, "if lo < hi {\n", "if lo + 1 < hi {\n"),
    error("plan-counts-one-more", SET, "len - 1\n", "len\n"),
    error(
        "plan-not-settled",
        POSITION,
        "self.settle(run);\n        self.set.close_keys(self.structure.heap);",
        "self.set.clear();\n        self.set.close_keys(self.structure.heap);",
    ),
    error("leaf-open-while-restored", POSITION, "kept > 0 && kept >= self.set.accepted", "false"),
    error(
        "fraction-falls",
        POSITION,
        "behind += width * f64::from(before);",
        "behind += width * f64::from(all - before);",
    ),
    error(
        "impossible-answer-followed",
        GUIDE,
        "if alternative < 8 && possible >> alternative & 1 == 1 {",
        "if alternative < 3 {",
    ),
    error("impossible-choice-followed", GUIDE, "allowed.then_some(choice)", "Some(choice)"),
    error("end-leads-back", POSITION, "if !path.is_empty() {", "if true {"),
    error("path-not-left", SAMPLE, "self.is_on && self.is_delivered", "false"),
    error(
        "path-split",
        POSITION,
        "let path = self.sample.whole_path(&self.set);",
        "let path = None::<usize>;",
    ),
    error(
        "position-inside-of-a-path",
        POSITION,
        "let path = self.sample.whole_path(&self.set).filter(|_| self.sample.is_delivered);",
        "let path = None::<usize>;",
    ),
    // Conjuncts.
    error("held-for-too-long", STATE, "self.conjunctions.shorten(self.path.len());", ""),
    error("answers-of-held-ones-asked-again", CONJUNCTS, "s.answers.cursor = held.log;", "let _ = held.log;"),
    error(
        "what-a-set-has-not-is-kept",
        PARTS_LEFT,
        "if is_in { word } else { !word }",
        "if is_in { word } else { u64::MAX }",
    ),
    error(
        "gaps-not-passed-over",
        CONSTRAINTS,
        "self.parts.next(self.between(id), from)",
        "(from <= self.between(id).hi).then_some(from)",
    ),
    error(
        "digits-with-gaps-shown-as-choices",
        DIGITS,
        "if !self.gaps.is_empty() {",
        "if self.gaps.len() > 9 {",
    ),
];

#[cfg(test)]
mod tests {
    use super::all;
    use std::path::Path;

    #[test]
    fn every_text_stands_once_in_its_file() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for error in all() {
            let text = std::fs::read_to_string(root.join(error.file)).expect(error.file);
            assert_eq!(text.matches(error.old).count(), 1, "`{}` in {}", error.name, error.file);
            assert_ne!(error.old, error.new, "`{}`", error.name);
        }
    }
}
