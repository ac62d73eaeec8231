//! The current candidate as text: one line per object.

use super::Search;
use crate::shape::Bounded;
use crate::walk::{Drawn, Walk};

/// Class and number; `None` is the value itself.
type Object = Option<(u32, u32)>;

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
        let mut objects: Vec<(Object, Vec<String>)> = vec![];
        let mut last_site = None;
        for d in drawn {
            let info = &s.infos[d.slot as usize];
            let index = objects.iter().position(|(o, _)| *o == info.object).unwrap_or_else(|| {
                objects.push((info.object, vec![]));
                objects.len() - 1
            });
            let fields = &mut objects[index].1;
            let this = Some((info.object, std::ptr::from_ref(info.site)));
            // Elements follow their length under the same name.
            if last_site == this
                && let Some(field) = fields.last_mut()
            {
                field.push_str(", ");
                field.push_str(&d.text);
            } else {
                fields.push(format!("{} = {}", info.site.field, d.text));
            }
            last_site = this;
        }
        let mut numbers = std::collections::HashMap::new();
        let name = |object: &Object, numbers: &mut std::collections::HashMap<u32, u32>| match object {
            None => "value".to_owned(),
            Some((class, _)) => {
                let n = numbers.entry(*class).or_insert(0);
                *n += 1;
                format!("{}#{}", s.classes[*class as usize].site, *n - 1)
            }
        };
        let lines =
            objects.iter().map(|(o, fields)| format!("{}: {}", name(o, &mut numbers), fields.join(", ")));
        lines.collect::<Vec<_>>().join("\n")
    }
}
