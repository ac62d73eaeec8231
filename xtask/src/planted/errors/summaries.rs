//! Errors in summaries: what a call may be answered from, and what the search makes of the answers.

use super::{KEY, Planted, error};

const SELECT: &str = "crates/core/src/conjuncts/select.rs";
const FRAME: &str = "crates/core/src/groups/frame.rs";
const LISTS: &str = "crates/core/src/groups/lists.rs";
const GUIDED: &str = "crates/core/src/rules/guided.rs";
const ASKED_HELPERS: &str = "crates/macros/src/code/summaries.rs";
const EVALUATION: &str = "crates/core/src/groups/evaluation.rs";
const HELPER: &str = "crates/core/src/groups/helper.rs";
const TRACES: &str = "crates/core/src/groups/traces.rs";
const OUTLINE: &str = "crates/core/src/rules/outline.rs";
const STORE: &str = "crates/core/src/groups/store.rs";
const JOBS: &str = "crates/core/src/groups/jobs.rs";
const FOLLOW: &str = "crates/core/src/heap/follow.rs";
const SUMMARISED: &str = "crates/core/src/depth_first/summarised.rs";

const GUARD: &str = "crates/core/src/guard.rs";

pub(super) const ERRORS: &[Planted] = &[
    error(
        "helpers-of-a-new-run-do-not-ask",
        GUARD,
        "FLOOR.set(floor | outer & SUMMARISING);",
        "FLOOR.set(floor);",
    ),
    error(
        "no-budget-while-summaries-are-made",
        GUARD,
        "if floor >= FULL && stack() < floor {",
        "if mode == 0 && floor >= FULL && stack() < floor {",
    ),
    error(
        "promise-kept-by-a-comparison-that-ended",
        KEY,
        "promise::forget();\n            resume_unwind(Box::new(OpenKey))",
        "resume_unwind(Box::new(OpenKey))",
    ),
    error(
        "conjuncts-of-inputs-not-told-apart",
        SELECT,
        "self.before.set(self.of_inputs[..input].iter().map(|sites| sites.len() as u32).sum());",
        "self.before.set(0);",
    ),
    error(
        "second-input-not-looked-at",
        SELECT,
        "if let Some(sites) = self.of_inputs.get(input) {",
        "if let Some(sites) = self.of_inputs.get(input).filter(|_| input == 0) {",
    ),
    error(
        "fold-does-not-narrow-the-list",
        FRAME,
        "                self.lists[list].rest = Some(rest);\n",
        "                let _ = rest;\n",
    ),
    error(
        "all-of-a-list-without-its-rest",
        LISTS,
        "join: |_, rest| rest.unwrap_or(true)",
        "join: |_, _| true",
    ),
    error(
        "folds-from-other-values-not-told-apart",
        LISTS,
        "let number = making.intern(&arguments);",
        "let number = making.intern(&arguments).min(0);",
    ),
    error(
        "rest-of-a-list-not-followed",
        GUIDED,
        "self.rests[node_type as usize][object as usize] = rest;",
        "let _ = rest;",
    ),
    error(
        "taken-elements-not-counted",
        FRAME,
        "(start + taken == object && all - taken == length).then_some(list)",
        "(all >= length).then_some(list)",
    ),
    error(
        "taken-pointers-not-counted",
        FRAME,
        "first.field as usize == elements + 1 + taken && all - taken == length",
        "all - taken >= length",
    ),
    error(
        "taken-pointers-lost",
        "crates/core/src/groups/frame/harvest.rs",
        "let first = std::mem::replace(&mut rule[field], FieldState::Unread);\n                rule[elements] = ",
        "let first = std::mem::replace(&mut rule[field], FieldState::Unread);\n                let _ = ",
    ),
    error(
        "fold-over-pointers-does-not-narrow",
        FRAME,
        "self.set(node_type, object, elements, FieldState::Group(rest));",
        "let _ = rest;",
    ),
    error(
        "rest-of-pointers-not-forgotten",
        GUIDED,
        "if self.behind[slot.index()].take().is_some() {",
        "if self.behind[slot.index()].is_some() {",
    ),
    error(
        "pointers-without-objects-left-out",
        STORE,
        "rules.extend(constants.clone().map(",
        "rules.extend(constants.clone().skip(1).map(",
    ),
    error(
        "audit-accepts-any-answer",
        "crates/core/src/groups/audit.rs",
        "let is_known = edge.answers.contains(&answer)",
        "let is_known = !edge.answers.is_empty()",
    ),
    error(
        "open-keys-compared-within-groups",
        KEY,
        "promise::forget();\n            resume_unwind(Box::new(OpenKey))\n        }",
        "None\n        }",
    ),
    error("state-not-written-back", ASKED_HELPERS, "                #(#changed;)*\n", ""),
    error(
        "arguments-not-told-apart",
        EVALUATION,
        ".entry((site, types, arguments, promise))",
        ".entry((site, types, arguments.min(0), promise))",
    ),
    error(
        "functions-of-a-helper-not-told-apart",
        HELPER,
        "let types = (TypeId::of::<A>(), TypeId::of::<R>(), function);",
        "let types = (TypeId::of::<A>(), TypeId::of::<R>(), function.min(0));",
    ),
    error(
        "answer-does-not-narrow-the-group",
        FRAME,
        "        self.objects[node_type][object] = Object::Abstract(group);\n        Ok(answer)",
        "        let _ = group;\n        Ok(answer)",
    ),
    error(
        "promises-not-told-apart",
        EVALUATION,
        "let number = *self.numbers.entry((site, types, arguments, promise)).or_insert(next);",
        "let number = *self.numbers.entry((site, types, arguments, promise.min(0))).or_insert(next);",
    ),
    error(
        "other-answers-refused",
        HELPER,
        "if refutes(promise, is_positive) => REFUSED,",
        "if refutes(promise, !is_positive) => REFUSED,",
    ),
    error(
        "trace-goes-on-with-any-answer",
        TRACES,
        "let at = *self.next.get(&(at, answer))?;",
        "let at = *self.next.get(&(at, answer)).or(self.next.get(&(at, 0)))?;",
    ),
    error(
        "rules-of-an-outline-lost",
        OUTLINE,
        "Some((last, numbers)) if *last == group => numbers.push(number as u32),",
        "Some((last, numbers)) if *last == group => numbers[0] = number as u32,",
    ),
    error(
        "data-not-decided-by-rules",
        GUIDED,
        "Chosen::Outline(..) => self.is_detail(node_type, field),",
        "Chosen::Outline(..) => false,",
    ),
    error(
        "data-of-a-rule-not-forgotten",
        GUIDED,
        "Chosen::Rule(Some((of, number))) => Chosen::Outline(of, number),",
        "",
    ),
    error(
        "parts-taken-to-hold",
        SELECT,
        "selected.parts_hold.set(parts_hold);",
        "selected.parts_hold.set(true);",
    ),
    error(
        "every-key-is-there",
        "crates/core/src/rules/node_types.rs",
        "FieldKind::Data { key: Some(nones), .. } => Some(nones + 1),",
        "FieldKind::Data { key: Some(nones), .. } => Some(nones.max(1)),",
    ),
    error("last-answer-not-tried", FRAME, "if choice < alternatives {", "if *choice + 1 < *alternatives {"),
    error(
        "answer-of-another-observation",
        STORE,
        "if made_by == observation {",
        "if made_by <= observation {",
    ),
    error(
        "unread-field-has-one-value",
        STORE,
        "                    for answer in 0..answers {",
        "                    for answer in 0..answers.min(1) {",
    ),
    error(
        "sizes-not-exact",
        STORE,
        "if is_exact { left == [0; MOST_POOLS] } else { self.fits(left) }",
        "if is_exact { left[0] < 100 } else { self.fits(left) }",
    ),
    error(
        "residual-conjunct-not-run",
        JOBS,
        "Selected::rest_of(heap, &all, false, &|i| self.left_out[i])",
        "Selected::rest_of(heap, &all, false, &|_| false)",
    ),
    error(
        "invalid-roots-kept",
        JOBS,
        "if answer == TRUE || self.observed.is_some() && answer != REFUSED {",
        "let answer = if self.observed.is_none() { TRUE } else { answer };\n if answer != REFUSED {",
    ),
    error(
        "rule-does-not-narrow",
        FOLLOW,
        "s.constraints.narrow(n.slot, n.least, n.most.unwrap_or(hi))",
        "s.constraints.narrow(n.slot, n.least, hi)",
    ),
    error("rule-not-forgotten", FOLLOW, "        guided.forget(slot);\n", "        let _ = guided;\n"),
    error(
        "last-rule-not-tried",
        FOLLOW,
        "(from < count(s, slot)).then_some(from)",
        "(from + 1 < count(s, slot)).then_some(from)",
    ),
    error(
        "hidden-state-not-noticed",
        SUMMARISED,
        "Some((left, found)) if found == values =>",
        "Some((left, found)) if found <= values.max(found) =>",
    ),
];
