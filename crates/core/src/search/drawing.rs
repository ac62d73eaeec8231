//! The current candidate as text: one line per object.

use super::Search;
use crate::shape::Bounded;
use crate::site::FieldSite;
use crate::walk::{Drawn, Walk};
use std::collections::HashMap;

/// What a line is about.
#[derive(Clone, Copy, PartialEq)]
enum Subject {
    /// An object: class and number.
    Object(u32, u32),
    /// The value itself, or one of several inputs.
    Value(Option<&'static str>),
}

/// What is said about one subject.
struct Line {
    subject: Subject,
    fields: Vec<String>,
    /// The field that was added last.
    last: *const FieldSite,
}

impl<T: Bounded> Search<T> {
    /// The object graph of the current candidate, one line per object, objects numbered as they appear.
    pub fn graph(&self) -> String {
        let depth = self.heap.state.borrow().path.len();
        let drawn = self.catching_dead_ends(|| Walk::draw(self.heap, self.root)).unwrap_or_default();
        let text = self.lines(&drawn);
        self.heap.state.borrow_mut().close_down_to(depth);
        text
    }

    fn lines(&self, drawn: &[Drawn]) -> String {
        let s = self.heap.state.borrow();
        // Objects in the order in which the walk came to them.
        let mut lines: Vec<Line> = vec![];
        for d in drawn {
            let info = &s.infos[d.slot as usize];
            let subject = match info.object {
                Some((class, number)) => Subject::Object(class, number),
                None => Subject::Value(info.argument),
            };
            let line = lines.iter().position(|line| line.subject == subject).unwrap_or_else(|| {
                lines.push(Line { subject, fields: vec![], last: std::ptr::null() });
                lines.len() - 1
            });
            let Line { fields, last, .. } = &mut lines[line];
            let site = std::ptr::from_ref(info.site);
            // Elements follow their length under the same name.
            match fields.last_mut().filter(|_| *last == site) {
                Some(field) => *field = format!("{field}, {}", d.text),
                // The input is no structure with fields.
                None if info.site.owner.is_empty() => fields.push(d.text.clone()),
                None => fields.push(format!("{} = {}", info.site.field, d.text)),
            }
            *last = site;
        }
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let lines = lines.into_iter().map(|Line { subject, fields, .. }| {
            let name = match subject {
                Subject::Value(argument) => argument.unwrap_or("value").to_owned(),
                Subject::Object(class, _) => {
                    let next = numbers.entry(class).or_insert(0);
                    *next += 1;
                    format!("{}#{}", s.class_label(class), *next - 1)
                }
            };
            format!("{name}: {}", fields.join(", "))
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}
