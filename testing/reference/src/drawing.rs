//! An assignment as text, for error messages: one line per object.

use smallscope_core::raw::{Content, SlotView};
use std::collections::BTreeMap;

/// An object and the texts of its fields.
type Line = (Option<(u32, u32)>, Vec<String>);

/// One line per object, in the order of the traversal. Values are shown by their number in the field's domain.
pub fn draw(views: &[SlotView]) -> String {
    let mut names: BTreeMap<u32, &str> = BTreeMap::new();
    for view in views {
        if let Some((class, _)) = view.object {
            let owner = view.field.owner;
            names.entry(class).or_insert(owner.split("::").next().unwrap_or(owner));
        }
    }
    let name = |class: u32, object: u32| match names.get(&class) {
        Some(name) => format!("{name}#{object}"),
        None => format!("class {class}#{object}"),
    };
    let mut lines: Vec<Line> = vec![];
    for view in views {
        let text = match view.content {
            Content::Value(v) => format!("value {v}"),
            Content::None(_) => "none".to_owned(),
            Content::Object { class, object, ownership } => {
                format!("{} ({ownership:?})", name(class, object))
            }
            Content::Items { class, start, len } => {
                let items: Vec<String> = (start..start + len).map(|o| name(class, o)).collect();
                format!("[{}]", items.join(", "))
            }
            Content::Index { class, object, position } => format!("[{position}] = {}", name(class, object)),
        };
        let field = format!("{} = {text}", view.field.field);
        match lines.iter_mut().find(|(object, _)| *object == view.object) {
            Some((_, fields)) => fields.push(field),
            None => lines.push((view.object, vec![field])),
        }
    }
    let line = |(object, fields): &Line| {
        let object = object.map_or_else(|| "value".to_owned(), |(class, object)| name(class, object));
        format!("  {object}: {}", fields.join(", "))
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}
