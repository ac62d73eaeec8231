//! Descriptions of classes.

use crate::criteria::classify::{Classifier, Event, Heard, View};
use crate::criteria::criterion::Criterion;
use smallscope_core::probe::{DecisionKind, Taken};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many steps of a path are shown.
const SHOWN: usize = 24;

/// The outcomes of a decision by view, and how often each occurred.
type Outcomes = BTreeMap<(u32, View), (u64, Event)>;

impl Classifier {
    /// Describes the class of these decisions: for each decision its line, its text and its outcomes. A long path is
    /// cut off.
    pub fn describe(&mut self, trace: &[Taken]) -> String {
        let mut inputs = vec![vec![]];
        self.hear(trace, |heard| match heard {
            Heard::Part => inputs.push(vec![]),
            Heard::Event(event) => inputs.last_mut().expect("there is one").push(event),
        });
        let texts: Vec<String> = inputs.iter().map(|events| self.describe_input(events)).collect();
        match &texts[..] {
            [only] => only.clone(),
            several => several
                .iter()
                .enumerate()
                .map(|(i, text)| format!("input {}: {text}", i + 1))
                .collect::<Vec<_>>()
                .join("\n"),
        }
    }

    fn describe_input(&self, events: &[Event]) -> String {
        if events.is_empty() {
            return "no decisions".to_owned();
        }
        match self.criterion() {
            Criterion::Path => self.in_order(events.to_vec()),
            Criterion::SimplePath => {
                let mut firsts: Vec<Event> = vec![];
                for event in events {
                    if !firsts.iter().any(|first| first.id == event.id) {
                        firsts.push(*event);
                    }
                }
                self.in_order(firsts)
            }
            _ => self.counted(events),
        }
    }

    fn in_order(&self, events: Vec<Event>) -> String {
        let mut out: Vec<String> = events
            .iter()
            .take(SHOWN)
            .map(|event| format!("{} {}", self.name(event), self.outcome(event)))
            .collect();
        if events.len() > SHOWN {
            out.push(format!("and {} more", events.len() - SHOWN));
        }
        out.join(", ")
    }

    fn counted(&self, events: &[Event]) -> String {
        let mut rows: BTreeMap<(u32, bool), Outcomes> = BTreeMap::new();
        for event in events {
            let row = rows.entry((event.row, event.view == View::Expression)).or_default();
            row.entry((event.outcome, event.view)).or_insert((0, *event)).0 += 1;
        }
        let mut out: Vec<String> = vec![];
        for outcomes in rows.values() {
            let mut text = String::new();
            for (count, event) in outcomes.values() {
                let separator =
                    if text.is_empty() { format!("{} ", self.name(event)) } else { "/".to_owned() };
                let _ = write!(text, "{separator}{}", self.outcome(event));
                if self.criterion() == Criterion::Cdc {
                    let _ = write!(text, " {count}x");
                }
                match event.view {
                    View::Decisive if self.criterion() == Criterion::Mcdc => text.push('!'),
                    _ => {}
                }
            }
            out.push(text);
        }
        out.join(", ")
    }

    fn name(&self, event: &Event) -> String {
        let site = self.sites.rows[event.row as usize].site;
        match event.view {
            View::Expression => format!("{}:`{} ..`", site.line, site.text),
            _ => format!("{}:`{}`", site.line, site.text),
        }
    }

    fn outcome(&self, event: &Event) -> String {
        let is_arm = self.sites.rows[event.row as usize].site.kind == DecisionKind::Match;
        match event.outcome {
            arm if is_arm => format!("arm {}", arm + 1),
            0 => "no".to_owned(),
            _ => "yes".to_owned(),
        }
    }
}
